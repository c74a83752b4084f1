"""Measure the coverage of both texts by the cases of examples, gallery and golden kernels.

    python benchmarks/reached.py [FOLDER | FILE.cu …] [--changed] [--judge] [--extend TRIES] [--write]

Each kernel and its adjoint, in the specified shape, run with marks on all launches of the case.
--changed selects those whose kernel, case or adjoint isn't the one that the results were written for;
--judge judges the launches that [[also]] adds as `check` does, in both shapes; --extend searches launches
for missing points and adds them to the case file as [[also]]. The exit status is 1 if a point isn't
reached and not explained in [uncovered], or a launch is judged wrong.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from s2sad import files, pipeline
from s2sad.diagnostics import Rejected
from s2sad.options import Mode, Options
from s2sad.run.coverage import Coverage, joined
from s2sad.run.isolated import Isolated
from s2sad.validate import Case, Pair, check_pair, header
from s2sad.validate.reaching import SECONDS, Reaching
from s2sad.validate.search import Found, search, written

HERE = Path(__file__).parent
ROOT = HERE.parent
RESULTS = HERE / "results" / "reached.json"
FOLDERS = (ROOT / "examples", ROOT / "tests" / "golden")
TOLERANCE = 1e-8


@dataclass(frozen=True)
class Asked:
    """A kernel with its fresh adjoint, its case, and its assumptions."""

    pair: Pair
    case: Case
    assume: tuple[str, ...]
    mode: Mode


def kernels(paths: list[Path]) -> Iterator[Path]:
    """Yield the kernels that have a case, in the folders and among the files."""
    for path in paths:
        found = sorted(path.rglob("*.toml")) if path.is_dir() else [path.with_suffix(".toml")]
        yield from (c.with_suffix(".cu") for c in found if c.exists() and c.with_suffix(".cu").exists())


def name_of(kernel: Path) -> str:
    return kernel.resolve().relative_to(ROOT).as_posix()


def digest(kernel: Path) -> str:
    """Hash the kernel, its case and the adjoint that is kept beside it."""
    beside = [kernel, kernel.with_suffix(".toml"), kernel.with_name(f"{kernel.stem}_adj.cu")]
    texts = [path.read_bytes() for path in beside if path.exists()]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def kept() -> dict[str, dict[str, object]]:
    """Read the results written last."""
    found: dict[str, dict[str, object]] = json.loads(RESULTS.read_text(encoding="utf-8"))["each"]
    return found


def changed(paths: list[Path]) -> Iterator[Path]:
    """Yield the kernels whose results are outdated."""
    known = kept() if RESULTS.exists() else {}
    for kernel in kernels(paths):
        if known.get(name_of(kernel), {}).get("digest") != digest(kernel):
            yield kernel


def asked(kernel: Path, mode: Mode | None = None) -> Asked:
    """Transform a kernel and read its case, in the shape of the file or `mode`. Raises Rejected."""
    case = kernel.with_suffix(".toml")
    head = header(case)
    options = Options(kernel=head.kernel, of=head.of, wrt=head.wrt, mode=mode)
    done = pipeline.transform(files.read(str(kernel)), options)
    pair = replace(done.pair, primal_file=kernel.name, adjoint_file=f"{kernel.stem}_adj.cu")
    assume = tuple(str(a) for a in done.options.assume)
    return Asked(pair, Case.read(case, pair.primal), assume, done.options.mode or "joint")


def reached(kernel: Path, backend: Isolated) -> tuple[Coverage, ...]:
    """Return the coverage by all launches of the case. Raises Rejected."""
    what = asked(kernel)
    run = Reaching(what.pair, backend, what.assume)
    told = [found for one in what.case.launches if (found := run(one)) is not None]
    return tuple(one.excused(what.case.uncovered) for one in joined(told))


def extended(kernel: Path, backend: Isolated, tries: int) -> Found:
    """Add launches to the case file. Raises Rejected."""
    what = asked(kernel)
    found = search(what.case, what.pair.primal, Reaching(what.pair, backend, what.assume), tries)
    if found.case is not None and found.also:
        path = kernel.with_suffix(".toml")
        text = path.read_text(encoding="utf-8")
        path.write_text(written(text, replace(found, coverage=())), encoding="utf-8")
    return found


def wrong(kernel: Path, backend: Isolated) -> Iterator[str]:
    """Yield errors that `check` finds on the launches that the case adds, in both shapes. Raises Rejected."""
    first = asked(kernel)
    if not first.case.also:
        return
    shapes = [first]
    with suppress(Rejected):  # for the two reasons in test_golden.py
        shapes.append(asked(kernel, "joint" if first.mode == "split" else "split"))
    for what in shapes:
        for number, case in enumerate(what.case.also, 1):
            within = case.tolerance or TOLERANCE
            report = check_pair(what.pair, case, backend, tolerance=within, assume=what.assume)
            if report.wrong:
                yield f"[[also]] {number}, {what.mode}:\n{report.text()}"


def entry(kernel: Path, coverage: tuple[Coverage, ...]) -> dict[str, object]:
    return {
        "digest": digest(kernel),
        **{
            one.kernel: {
                "lines": f"{sum(one.lines.values())} of {len(one.lines)}",
                "sides": f"{sum(one.sides.values())} of {len(one.sides)}",
                "reasons": len(one.given),
                "missed": [f"{one.name(point)}: {point.key}" for point in one.missed],
                **({"why_not": one.why_not} if one.why_not else {}),
            }
            for one in coverage
        },
    }


def whole(told: Mapping[str, object]) -> bool:
    """Whether an entry shows that everything was counted, and every point is reached or excused."""
    each = [one for one in told.values() if isinstance(one, dict)]
    return bool(each) and all(not one["missed"] and "why_not" not in one for one in each)


def write(found: Mapping[str, dict[str, object]]) -> None:
    """Update entries in the results, a line for each; drop those of deleted files."""
    known = kept() if RESULTS.exists() else {}
    each = {name: one for name, one in sorted({**known, **found}.items()) if (ROOT / name).exists()}
    lines = [f"  {json.dumps(name)}: {json.dumps(one, ensure_ascii=False)}" for name, one in each.items()]
    head = f' "cases": {len(each)},\n "whole": {sum(map(whole, each.values()))},\n "each": {{\n'
    RESULTS.write_text("{\n" + head + ",\n".join(lines) + "\n }\n}\n", encoding="utf-8")


def main(words: list[str]) -> int:
    tries = int(words[words.index("--extend") + 1]) if "--extend" in words else 0
    paths = [Path(word) for word in words if not word.startswith("--") and not word.isdigit()]
    chosen = (changed if "--changed" in words else kernels)(paths or list(FOLDERS))
    found: dict[str, dict[str, object]] = {}
    faults = 0
    with Isolated("cpu", SECONDS) as backend, Isolated("cpu", 60.0) as judging:
        for kernel in chosen:
            name = name_of(kernel)
            try:
                told = extended(kernel, backend, tries).coverage if tries else reached(kernel, backend)
                bad = list(wrong(kernel, judging)) if "--judge" in words else []
            except Rejected as rejected:
                told, bad = (), [d.title for d in rejected.diagnostics]
            found[name] = entry(kernel, told)
            missed = [f"{one.kernel} {one.name(point)}: {point.key}" for one in told for point in one.missed]
            print(name, missed if missed else "all" if whole(found[name]) else "nothing counted", flush=True)
            for text in bad:
                print(f"WRONG {name}: {text}", flush=True)
            faults += bool(bad)
    all_of_it = sum(map(whole, found.values()))
    print(f"{all_of_it} of {len(found)} cases reach everything, or say why not; {faults} are wrong")
    if "--write" in words:
        write(found)
    return int(all_of_it < len(found) or faults > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
