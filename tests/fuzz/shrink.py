"""Makes a failing program small: whatever can go without the failure changing its class goes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice

from .batch import Verdict, judge
from .tree import Program

_AT_ONCE = 12


def shrink(program: Program, verdict: Verdict, seconds: float = 60.0) -> tuple[Program, Verdict]:
    """The smallest program found that fails in the same way, and its verdict."""
    end = time.monotonic() + seconds
    size = len(program.text())
    moved = True
    while moved and time.monotonic() < end:
        moved = False
        candidates = _distinct(program)
        while (some := list(islice(candidates, _AT_ONCE))) and time.monotonic() < end:
            judged = judge(some)
            same = [
                (len(p.text()), n)
                for n, (p, v) in enumerate(zip(some, judged, strict=True))
                if v.kind == verdict.kind
            ]
            if same and (best := min(same))[0] <= size:
                program, verdict = some[best[1]], judged[best[1]]
                size, moved = best[0], True
                break
    return program, verdict


def _distinct(program: Program) -> Iterator[Program]:
    """Smaller programs, each once."""
    seen = {(program.text(), program.case())}
    for other in program.smaller():
        key = (other.text(), other.case() + other.request)
        if key not in seen:
            seen.add(key)
            yield other
