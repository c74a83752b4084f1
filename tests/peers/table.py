"""The kernels and what is expected of them: a right adjoint, or a refusal that says why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from s2sad.options import Options

FOLDER = Path(__file__).parent / "kernels"


@dataclass(frozen=True)
class Entry:
    """One kernel: the row of the peers' table that it stands for, and what must come of it."""

    name: str
    row: str
    expected: str  # "right" or "refused"
    source: str
    case: str

    def asked(self, mode: str) -> Options:
        names = {
            key: tuple(re.findall(r'"(\w+)"', self.case.split(f"\n{key} = ")[1].split("\n")[0]))
            for key in ("of", "wrt")
        }
        return Options(of=names["of"], wrt=names["wrt"], mode="split" if mode == "split" else "joint")


def entries() -> list[Entry]:
    """All of them, by name."""
    return [_read(path) for path in sorted(FOLDER.glob("*.cu"))]


def _read(path: Path) -> Entry:
    source, _, rest = path.read_text().partition("//--\n")
    said = dict(re.findall(r"^// (row|expected): (.*)$", source, flags=re.M))
    return Entry(path.stem, said["row"], said["expected"], source, re.sub(r"^// ?", "", rest, flags=re.M))


Judged = Callable[[Sequence[tuple[str, str, Options]]], Iterable[str]]
"""From sources, cases and requests to "ok", "refused CODE" or what is wrong."""


def said(mode: str, judge: Judged) -> dict[str, str]:
    """What becomes of each kernel in one shape: "right", "refused CODE", or what is wrong."""
    every = entries()
    kinds = judge([(e.source, e.case, e.asked(mode)) for e in every])
    return {e.name: "right" if kind == "ok" else kind for e, kind in zip(every, kinds, strict=True)}
