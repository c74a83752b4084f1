"""Running what recurses on deep trees: a large stack, and a limit that fits it.

The parser and the walks after it recurse as deep as the author's text nests. Python's
own limit is reached at 125 nested parentheses; the interpreter's C stack, which ends
the process, lies further on. So the pipeline runs on a thread of its own.
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

_inside = threading.local()


def deep(function: Callable[[], Result]) -> Result:
    """What `function` returns or raises, run where it may recurse deeply."""
    if getattr(_inside, "deep", False):
        return function()
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        _inside.deep = True
        try:
            results.append(function())
        except BaseException as error:  # handed on to the caller, whatever it is
            errors.append(error)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, LIMIT))
    try:
        with _uncollected():
            _start(run).join()
    finally:
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]


def _start(run: Callable[[], None]) -> threading.Thread:
    """A thread with the largest stack that can be had."""
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
def _uncollected() -> Iterator[None]:
    """Without the cycle collector, which looks through a growing heap of trees, of which hardly any go."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
