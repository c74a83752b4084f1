"""Compare the length of s2sad's adjoints with that of their kernels.

    python benchmarks/length.py

This counts lines of code, without blank lines and comments, of every kernel in examples/ and
tests/golden: the reverse sweep and the whole emitted file, each relative to the primal's
file. The reverse sweep is the text below its banner, in the kernel and in adjoint
device functions; the whole body if there is no forward sweep and so no banner.
Goals, for the median over the examples: 1.6 times the primal for the reverse sweep,
2.8 times for the file. Kernels are transformed afresh, as their first line or their
case specifies.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from report import ROOT, save, table

import s2sad

REVERSE, FILE = 1.6, 2.8
WORST = 12
FOLDERS = ("examples", "tests/golden")


@dataclass(frozen=True)
class Length:
    """Lines of code of a primal and of its emitted adjoint."""

    primal: int
    reverse: int
    file: int

    @property
    def reverse_ratio(self) -> float:
        return self.reverse / self.primal

    @property
    def file_ratio(self) -> float:
        return self.file / self.primal


def code_lines(text: str) -> list[str]:
    """Return the lines with more than blanks and comments."""
    bare = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    return [line for line in bare.splitlines() if line.strip()]


def reverse_lines(text: str) -> int:
    """Count the lines of code of the reverse sweeps of a file."""
    return sum(len(code_lines(body)) for body in _reverse_sweeps(text))


def _reverse_sweeps(text: str) -> Iterator[str]:
    """Yield the text below the banner of each adjoint function, without its last brace."""
    for found in re.finditer(
        r"^(?P<head>[^\n{}#/]*\b(?P<name>\w+)\((?:[^{};])*\))\s*\{\n(?P<body>.*?)^\}", text, re.S | re.M
    ):
        body = found["body"]
        _, banner, below = body.partition("// ---- reverse sweep")
        if banner:
            yield below.split("\n", 1)[1]
        elif "_adj" in found["name"] and not found["name"].endswith(("_bytes", "_fwd")):
            yield body


def measured(path: Path) -> Length | None:
    """Return the lengths for one kernel; None if s2sad refuses it."""
    text = path.read_text(encoding="utf-8")
    asked = {}
    if "s2sad:" not in text:
        case = tomllib.loads(path.with_suffix(".toml").read_text(encoding="utf-8"))
        asked = {key: case[key] for key in ("kernel", "of", "wrt") if key in case}
    try:
        made = s2sad.transform(path, **asked)
    except s2sad.Rejected as rejected:
        print(f"{path.relative_to(ROOT)}: refused: {rejected.diagnostics[0].title}", file=sys.stderr)
        return None
    return Length(len(code_lines(text)), reverse_lines(made.source), len(code_lines(made.source)))


def main() -> int:
    found: dict[str, Length] = {}
    for folder in FOLDERS:
        for case in sorted((ROOT / folder).rglob("*.toml")):
            path = case.with_suffix(".cu")
            if path.exists() and (length := measured(path)) is not None:
                found[str(path.relative_to(ROOT))] = length
    met: dict[str, bool] = {}
    rows = []
    summary: dict[str, dict[str, float]] = {}
    for folder in FOLDERS:
        of_folder = [length for name, length in found.items() if name.startswith(folder)]
        for what, goal in (("reverse", REVERSE), ("file", FILE)):
            ratios = [getattr(length, f"{what}_ratio") for length in of_folder]
            middle = median(ratios)
            summary[f"{folder}, {what}"] = {"median": round(middle, 2), "most": round(max(ratios), 2)}
            judged = folder == FOLDERS[0]
            if judged:
                met[what] = middle <= goal
            verdict = ("pass" if middle <= goal else "miss") if judged else ""
            rows.append(
                (
                    f"{folder}: {what} / primal",
                    str(len(ratios)),
                    f"{middle:.2f}",
                    f"{max(ratios):.2f}",
                    f"{goal:g}" if judged else "",
                    verdict,
                )
            )
    table("Lines of code", ("what", "kernels", "median", "most", "goal", "verdict"), rows)
    for what in ("reverse", "file"):
        worst = sorted(found.items(), key=lambda item: -getattr(item[1], f"{what}_ratio"))[:WORST]
        table(
            f"Longest, {what}",
            ("kernel", "primal", "reverse", "file", "reverse / primal", "file / primal"),
            [
                (
                    name,
                    str(x.primal),
                    str(x.reverse),
                    str(x.file),
                    f"{x.reverse_ratio:.2f}",
                    f"{x.file_ratio:.2f}",
                )
                for name, x in worst
            ],
        )
    save("length", {"summary": summary, "met": met, "lines": {name: asdict(x) for name, x in found.items()}})
    return 0 if all(met.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
