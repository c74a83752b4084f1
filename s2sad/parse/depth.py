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
SELDOM = 100_000  # objects after which the cycle collector looks for some: trees are large, and hardly any go

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

    limit, often = sys.getrecursionlimit(), gc.get_threshold()
    sys.setrecursionlimit(max(limit, LIMIT))
    gc.set_threshold(max(often[0], SELDOM) if often[0] else 0, *often[1:])
    try:
        _start(run).join()
    finally:
        sys.setrecursionlimit(limit)
        gc.set_threshold(*often)
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
def uncollected() -> Iterator[None]:
    """Without the cycle collector, which would look through a growing heap of tokens again and again."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
