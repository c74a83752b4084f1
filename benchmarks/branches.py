"""Check that a fault in one side of a condition is found, or reported as not reached.

    python benchmarks/branches.py [NAME …] [--write]

For each fault of mutants_branches.toml a case is searched (`s2sad case --search`) with the faulty text,
as a user would have it, and the pair is judged on it. "found": judged wrong. "reported":
ok on what ran, and what didn't run is named. "missed": ok. The draft alone is judged, too: faults that it
only reports show the benefit of the search.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from s2sad import auditing, checking, drafting, files, pipeline
from s2sad.options import Options
from s2sad.validate import Report

HERE = Path(__file__).parent
KERNELS = HERE.parent / "tests" / "branches"
RESULTS = HERE / "results" / "branches.json"
FAULTS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    (HERE / "mutants_branches.toml").read_text(encoding="utf-8")
)

Verdict = Literal["found", "reported", "missed"]


@dataclass(frozen=True)
class Judged:
    """A fault's verdicts on the draft and on the searched case, the number of its launches, and the time."""

    name: str
    drafted: Verdict
    searched: Verdict
    launches: int
    seconds: float


def faulty(name: str, folder: Path) -> tuple[Path, Path]:
    """Write the kernel and the faulty text to that folder. Raises AssertionError if the fault doesn't fit."""
    fault = FAULTS[name]
    source = KERNELS / f"{fault['kernel']}.cu"
    if fault["text"] == "emitted":
        text = pipeline.transform(files.read(str(source)), Options()).text
    else:
        text = (KERNELS / f"{fault['kernel']}_back.cu").read_text(encoding="utf-8")
    old, new = (
        fault[key].removesuffix("\n") if "\n" not in fault["old"] else fault[key] for key in ("old", "new")
    )
    assert text.count(old) == 1, f"{name}: {text.count(old)} of {old!r}"
    kernel = folder / source.name
    kernel.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    other = folder / f"{source.stem}_{'adj' if fault['text'] == 'emitted' else 'back'}.cu"
    other.write_text(text.replace(old, new), encoding="utf-8")
    return kernel, other


def cases(kernel: Path, other: Path, emitted: bool) -> tuple[str, str]:
    """Return the draft and the searched case of a pair."""
    first, second = files.read(str(kernel)), files.read(str(other))
    if emitted:
        done = pipeline.transform(first, Options())
        draft = drafting.of_transformed(done)
        return draft, drafting.searched(done, draft, edited=second.text)
    draft = drafting.for_audit(first, second, {}, [])
    return draft, drafting.searched_for_audit(first, second, draft, {}, [])


def report(kernel: Path, other: Path, case: Path, emitted: bool) -> Report:
    first, second = files.read(str(kernel)), files.read(str(other))
    if emitted:
        (job,) = checking.prepare(first, second, case, Options())
        return checking.judge(job)
    return auditing.judge(auditing.prepare(first, second, case))


def verdict(report: Report) -> Verdict:
    return "found" if not report.ok else "missed" if report.covered else "reported"


def judged(name: str) -> Judged:
    """Return both verdicts of a fault."""
    emitted = FAULTS[name]["text"] == "emitted"
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="s2sad-") as held:
        folder = Path(held)
        kernel, other = faulty(name, folder)
        draft, searched = cases(kernel, other, emitted)
        found: list[Verdict] = []
        for number, text in enumerate((draft, searched)):
            case = folder / f"case{number}.toml"
            case.write_text(text, encoding="utf-8")
            found.append(verdict(report(kernel, other, case, emitted)))
    return Judged(name, found[0], found[1], 1 + searched.count("[[also]]"), time.monotonic() - begun)


def summary(rows: list[Judged]) -> dict[str, object]:
    """Count the verdicts on searched cases and on drafts alone, and list each fault's."""
    verdicts: tuple[Verdict, ...] = ("found", "reported", "missed")
    return {
        "faults": len(rows),
        "searched": {what: sum(row.searched == what for row in rows) for what in verdicts},
        "drafted": {what: sum(row.drafted == what for row in rows) for what in verdicts},
        "each": {
            row.name: {"drafted": row.drafted, "searched": row.searched, "launches": row.launches}
            for row in rows
        },
    }


def main(words: list[str]) -> int:
    names = [word for word in words if not word.startswith("-")] or list(FAULTS)
    rows = []
    for name in names:
        rows.append(judged(name))
        print(rows[-1], flush=True)
    found = summary(rows)
    print({key: value for key, value in found.items() if key != "each"})
    if "--write" in words:
        RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return int(any(row.searched == "missed" for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
