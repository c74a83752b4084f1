"""What the cases of examples, gallery and golden kernels reach of both texts, and what not.

    python benchmarks/reached.py [FOLDER | FILE.cu …] [--extend TRIES] [--write]

Each kernel and its adjoint, in the shape that is asked for, run with marks on all launches of the case.
--extend searches launches for what is missing and adds them to the case file as [[also]]. The exit
status is 1 where something isn't reached and no [uncovered] says why.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from s2sad import files, pipeline
from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.run.coverage import Coverage, joined
from s2sad.run.isolated import Isolated
from s2sad.validate import Case, Pair, header
from s2sad.validate.reaching import SECONDS, Reaching
from s2sad.validate.search import Found, search, written

HERE = Path(__file__).parent
ROOT = HERE.parent
RESULTS = HERE / "results" / "reached.json"
FOLDERS = (ROOT / "examples", ROOT / "tests" / "golden")


def kernels(paths: list[Path]) -> Iterator[Path]:
    """The kernels that have a case, in the folders and among the files."""
    for path in paths:
        found = sorted(path.rglob("*.toml")) if path.is_dir() else [path.with_suffix(".toml")]
        yield from (c.with_suffix(".cu") for c in found if c.exists() and c.with_suffix(".cu").exists())


def pair_of(kernel: Path) -> tuple[Pair, Case]:
    """A kernel with its fresh adjoint, and its case. Raises Rejected."""
    case = kernel.with_suffix(".toml")
    head = header(case)
    done = pipeline.transform(files.read(str(kernel)), Options(kernel=head.kernel, of=head.of, wrt=head.wrt))
    pair = replace(done.pair, primal_file=kernel.name, adjoint_file=f"{kernel.stem}_adj.cu")
    return pair, Case.read(case, pair.primal)


def reached(kernel: Path, backend: Isolated) -> tuple[Coverage, ...]:
    """What all launches of the case reach. Raises Rejected."""
    pair, case = pair_of(kernel)
    run = Reaching(pair, backend)
    told = [found for one in case.launches if (found := run(one)) is not None]
    return tuple(one.excused(case.uncovered) for one in joined(told))


def extended(kernel: Path, backend: Isolated, tries: int) -> Found:
    """Adds launches to the case file. Raises Rejected."""
    pair, case = pair_of(kernel)
    found = search(case, pair.primal, Reaching(pair, backend), tries)
    if found.case is not None and found.also:
        path = kernel.with_suffix(".toml")
        text = path.read_text(encoding="utf-8")
        path.write_text(written(text, replace(found, coverage=())), encoding="utf-8")
    return found


def entry(coverage: tuple[Coverage, ...]) -> Mapping[str, object]:
    return {
        one.kernel: {
            "lines": f"{sum(one.lines.values())} of {len(one.lines)}",
            "sides": f"{sum(one.sides.values())} of {len(one.sides)}",
            "missed": [f"{one.name(point)}: {point.key}" for point in one.missed] or None,
            "why_not": one.why_not or None,
        }
        for one in coverage
    }


def main(words: list[str]) -> int:
    tries = int(words[words.index("--extend") + 1]) if "--extend" in words else 0
    paths = [Path(word) for word in words if not word.startswith("--") and not word.isdigit()]
    found: dict[str, object] = {}
    whole = 0
    with Isolated("cpu", SECONDS) as backend:
        for kernel in kernels(paths or list(FOLDERS)):
            name = str(kernel.resolve().relative_to(ROOT))
            try:
                told = extended(kernel, backend, tries).coverage if tries else reached(kernel, backend)
            except Rejected as rejected:
                found[name] = {"refused": [d.title for d in rejected.diagnostics]}
                continue
            found[name] = entry(told)
            whole += bool(told) and all(one.whole for one in told)
            missed = [f"{one.kernel} {one.name(point)}: {point.key}" for one in told for point in one.missed]
            print(name, missed if missed else "all", flush=True)
    print(f"{whole} of {len(found)} cases reach everything")
    if "--write" in words:
        summary = {"cases": len(found), "whole": whole, "each": found}
        RESULTS.write_text(json.dumps(summary, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(whole < len(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
