"""Cost of work in calls of functions: the same on every machine, whatever else runs there."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable
from types import FrameType


def calls(work: Callable[[], object]) -> int:
    """Returns how many functions `work` calls, on this thread and on those that it starts."""
    counter = itertools.count()

    def note(_frame: FrameType, event: str, _arg: object) -> None:
        if event in ("call", "c_call"):
            next(counter)

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
        threading.setprofile(before)
    return next(counter)
