"""Run recursion on deep trees, with a large stack and a recursion limit that fits it.

The parser and the walks after it recurse as deeply as the author's text nests. Python's
own limit is reached at 125 nested parentheses; further on the interpreter's C stack
overflows, which ends the process. So the pipeline runs on a thread of its own.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Result = TypeVar("Result")

STACKS = (1 << 29, 1 << 27, 1 << 25)  # bytes of address space; only what is touched becomes memory
LIMIT = 500_000  # Python frames

LIMIT_WITHOUT_THREADS = 3_000

_HAS_THREADS = sys.platform not in ("emscripten", "wasi")
"""In a browser there are none, and the stack is what it is: deeper nesting is a RecursionError."""

_inside = threading.local()


def deep(function: Callable[[], Result]) -> Result:
    """Run `function` where it may recurse deeply; return its result or raise its exception."""
    if getattr(_inside, "deep", False):
        return function()
    if not _HAS_THREADS:
        with _limit(LIMIT_WITHOUT_THREADS), _uncollected():
            return function()
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        _inside.deep = True
        try:
            results.append(function())
        except BaseException as error:  # passed on to the caller, whatever it is
            errors.append(error)

    with _limit(LIMIT), _uncollected():
        _start(run).join()
    if errors:
        raise errors[0]
    return results[0]


def _start(run: Callable[[], None]) -> threading.Thread:
    """Start a thread with the largest stack that is available."""
    before = threading.stack_size()
    try:
        for size in STACKS:
            threading.stack_size(size)
            thread = threading.Thread(target=run, name="s2sad", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # no room for the stack
                if size == STACKS[-1]:
                    raise
                continue
            break
    finally:
        threading.stack_size(before)
    return thread


@contextmanager
def _limit(frames: int) -> Iterator[None]:
    """Raise the limit on recursion."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, frames))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Disable the cycle collector, which would scan a growing heap of trees with hardly any garbage."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
