"""Running what recurses on deep trees: a large stack, and a limit that fits it.

The parser and the walks after it recurse as deep as the author's text nests. Python's
own limit is reached at 125 nested parentheses; the interpreter's C stack, which ends
the process, lies further on. So the pipeline runs on a thread of its own.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

STACK = 1 << 29  # bytes of address space; only what is touched becomes memory
LIMIT = 200_000  # Python frames


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

    limit, size = sys.getrecursionlimit(), threading.stack_size(STACK)
    sys.setrecursionlimit(max(limit, LIMIT))
    try:
        thread = threading.Thread(target=run, name="s2sad")
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]
