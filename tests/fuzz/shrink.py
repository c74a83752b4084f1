"""Makes a failing program small: whatever can go without the failure changing its class goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Protocol, Self, TypeVar

from .batch import Verdict

_AT_ONCE = 12


class Shrinking(Protocol):
    """What has smaller forms, and a source, a case and a request."""

    def smaller(self) -> Iterator[Self]: ...

    def text(self, name: str = "k") -> str: ...

    def case(self, name: str = "k") -> str: ...

    @property
    def request(self) -> str: ...


One = TypeVar("One", bound=Shrinking)
Judge = Callable[[Sequence[One]], list[Verdict]]


def shrink(program: One, verdict: Verdict, judge: Judge[One], seconds: float = 60.0) -> tuple[One, Verdict]:
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


def _distinct(program: One) -> Iterator[One]:
    """Smaller programs, each once."""
    seen = {(program.text(), program.case())}
    for other in program.smaller():
        key = (other.text(), other.case() + other.request)
        if key not in seen:
            seen.add(key)
            yield other
