"""What do tangents and Hessian products cost, relative to the primal and to the gradient?

For each kernel of tests/golden with a case, on its data: executed instructions of the primal, of its tangent
kernel, of its adjoint and of its second-order kernel (callgrind), and the lines of the emitted texts. With
--seeds N, of its adjoint for N seeds, beside the primal and N launches of that for one; with --directions N,
of its tangent along N directions. Kernels of benchmarks/seeds can be named as well.
Goals: a tangent takes at most 1.5 times the primal's instructions (median), a Hessian product at most 2.5
times the gradient's (median), and its text at most 2.5 times the adjoint's lines (median); a tangent along
eight directions at most 6 times the primal's (median).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import report
from instructions import executed, valgrind
from sass import Missing

import s2sad
from s2sad.diagnostics import Rejected
from s2sad.run.backend import CompileFailed
from s2sad.run.cpu import CpuBackend
from s2sad.signature import Signature
from s2sad.validate.case import Case
from s2sad.validate.check import draw_seeds
from s2sad.validate.forward_check import Runner
from s2sad.validate.launching import Launcher
from s2sad.validate.recipe import Launch, Value
from s2sad.validate.second_order_check import integers_of_adjoints
from s2sad.validate.tangent_check import drawn

FOLDER = report.ROOT / "tests" / "golden"
EVERY = 6  # of the goldens, unless kernels are named
RATIOS = ("tangent", "gradient", "second", "length")
DIRECTIONS = 8
GOALS = {"tangent": 1.5, "second": 2.5, "length": 2.5, "directions": 6.0}


@dataclass(frozen=True)
class Cost:
    """Instructions of one launch of each kernel, and the lines of the adjoint and of its tangent."""

    name: str
    primal: int
    tangent: int
    gradient: int
    second: int
    lines: tuple[int, int]

    @property
    def ratios(self) -> dict[str, float]:
        return {
            "tangent": self.tangent / self.primal,
            "gradient": self.gradient / self.primal,
            "second": self.second / self.gradient,
            "length": self.lines[1] / self.lines[0],
        }


def along(runner: Runner, args: Mapping[str, Value], random: np.random.Generator) -> dict[str, np.ndarray]:
    """Draw a direction: a tangent for each argument that has one, except offsets in memory of bytes."""
    moved = (a.of for a in runner.moved if a.type != "char" and a.of in args)
    return {name: drawn(args[name], random) for name in moved}  # type: ignore[arg-type]


def measure(name: str, folder: Path) -> Cost:
    """Count the kernels of one golden. Raises Missing, Rejected, CompileFailed, RuntimeError."""
    path = source(name)
    adjoint = s2sad.transform(path, mode="joint")
    tangent = s2sad.transform(path, mode="tangent")
    second = s2sad.transform(path, mode="second-order")
    pair, backend = adjoint._pair, CpuBackend()
    setting = Case.read(path.with_suffix(".toml"), pair.primal).setting("float")
    launcher = Launcher(pair, backend, "float", few="all")
    outputs = launcher.primal(setting.launch, setting.args)
    seeds = {of: draw_seeds(of, outputs[of]).astype(outputs[of].dtype) for of in pair.dependents}
    ready = launcher.ready(
        setting.launch, setting.backward, setting.args, launcher.buffers(setting.args, seeds)
    )
    random = np.random.default_rng(1)

    first, twice = Runner(tangent._pair, backend, "float"), Runner(second._pair, backend, "float")
    moved = first.given(setting.args, along(first, setting.args, random))
    passed = {**ready.passed, **integers_of_adjoints(second._pair.primal, ready.passed, "float")}
    moved_twice = twice.given(passed, along(twice, passed, random))

    def count(text: str, kernel: Signature, launch: Launch, args: Mapping[str, Value]) -> int:
        return executed(text, kernel, launch, args, folder)

    own, own_twice = first.launch(setting.launch, setting.args), twice.launch(ready.launch, passed)
    return Cost(
        name,
        count(pair.primal_text, pair.primal, setting.launch, setting.args),
        count(tangent._pair.adjoint_text, first.kernel, own, moved),
        count(pair.adjoint_text, pair.adjoint, ready.launch, ready.passed),
        count(second._pair.adjoint_text, twice.kernel, own_twice, moved_twice),
        (adjoint.source.count("\n"), second.source.count("\n")),
    )


def source(name: str) -> Path:
    """The file of a golden, or of a kernel of benchmarks/seeds."""
    path = FOLDER / f"{name}.cu"
    return path if path.exists() else report.HERE / "seeds" / f"{name}.cu"


def seeded(name: str, folder: Path, seeds: int) -> tuple[int, int, int]:
    """Count the primal, the adjoint of one seed and that of several. Raises like `measure`."""
    path = source(name)
    backend, found = CpuBackend(), list[int]()
    for many in (1, seeds):
        pair = s2sad.transform(path, mode="joint", seeds=many)._pair
        setting = Case.read(path.with_suffix(".toml"), pair.primal).setting("float")
        launcher = Launcher(pair, backend, "float", few="all")
        outputs = launcher.primal(setting.launch, setting.args)
        if not found:
            found.append(executed(pair.primal_text, pair.primal, setting.launch, setting.args, folder))
        weights = {of: draw_seeds(of, outputs[of]).astype(outputs[of].dtype) for of in pair.dependents}
        buffers = launcher.buffers(setting.args, weights)
        ready = launcher.ready(setting.launch, setting.backward, setting.args, buffers)
        found.append(executed(pair.adjoint_text, pair.adjoint, ready.launch, ready.passed, folder))
    primal, one, many = found
    return primal, one, many


def directed(name: str, folder: Path, directions: int) -> tuple[int, int, int]:
    """Count the primal, the tangent along one direction and that along several. Raises like `measure`."""
    path = source(name)
    found = list[int]()
    for many in (1, directions):
        pair = s2sad.transform(path, mode="tangent", directions=many)._pair
        setting = Case.read(path.with_suffix(".toml"), pair.primal).setting("float")
        runner, random = Runner(pair, CpuBackend(), "float"), np.random.default_rng(1)
        if not found:
            found.append(executed(pair.primal_text, pair.primal, setting.launch, setting.args, folder))
        one, *further = (along(runner, setting.args, random) for _ in range(many))
        given = runner.given(setting.args, one, further)
        own = runner.launch(setting.launch, setting.args)
        found.append(executed(pair.adjoint_text, runner.kernel, own, given, folder))
    primal, alone, together = found
    return primal, alone, together


def several(
    names: Sequence[str], many: int, count: Callable[[str, Path, int], tuple[int, int, int]], kept: bool
) -> int:
    """Print what so many seeds or directions in one launch cost, beside the primal and a launch for each.

    The result file is written if it is to be `kept`.
    """
    rows: list[tuple[str, ...]] = []
    ratios: dict[str, tuple[float, float]] = {}
    left: dict[str, str] = {}
    for name in names:
        try:
            with tempfile.TemporaryDirectory() as folder:
                primal, one, together = count(name, Path(folder), many)
        except Rejected as rejected:
            left[name] = rejected.diagnostics[0].title
            continue
        except (CompileFailed, RuntimeError, KeyError) as error:
            left[name] = str(error).splitlines()[0]
            continue
        ratios[name] = together / primal, together / one / many
        rows.append((name, str(primal), f"{one / primal:.2f}", *(f"{ratio:.2f}" for ratio in ratios[name])))
    if ratios:
        medians = [statistics.median(column) for column in zip(*ratios.values(), strict=True)]
        rows.append(("median", "", "", *(f"{median:.2f}" for median in medians)))
    what = "seeds" if count is seeded else "directions"
    columns = ("kernel", "instructions", "one / primal", f"{many} / primal", "per launch of one")
    notes = [f"not counted: {name}: {why}" for name, why in left.items()]
    report.table(f"Several {what}", columns, rows, notes)
    goal = GOALS["directions"] if count is directed and many == DIRECTIONS else None
    if kept and ratios:
        found = {name: [round(ratio, 3) for ratio in pair] for name, pair in ratios.items()}
        data = {"many": many, "goal": goal, "median": [round(m, 3) for m in medians], "kernels": found}
        report.save(what, {"valgrind": valgrind(), **data, "left": left})
    return int(goal is not None and bool(ratios) and medians[0] > goal)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"kernels of tests/golden (default: every {EVERY}th)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--seeds", type=int, metavar="N", help="count adjoints of N seeds, and print that alone"
    )
    parser.add_argument(
        "--directions", type=int, metavar="N", help="count tangents along N directions, and print that alone"
    )
    chosen = parser.parse_args(words)
    every = sorted(case.stem for case in FOLDER.glob("*.toml"))
    names = chosen.names or every[::EVERY]
    try:
        version = valgrind()
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 4
    if chosen.seeds:
        return several(names, chosen.seeds, seeded, not chosen.names)
    if chosen.directions:
        return several(names, chosen.directions, directed, not chosen.names)
    found: list[Cost] = []
    left: dict[str, str] = {}

    def one(name: str) -> Cost | str:
        try:
            with tempfile.TemporaryDirectory() as folder:
                return measure(name, Path(folder))
        except Rejected as rejected:
            return rejected.diagnostics[0].title
        except (CompileFailed, RuntimeError, KeyError) as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0]}"

    with ThreadPoolExecutor(chosen.jobs) as pool:
        for name, cost in zip(names, pool.map(one, names), strict=True):
            if isinstance(cost, Cost):
                found.append(cost)
            else:
                left[name] = cost
    rows = [(c.name, str(c.primal), *(f"{c.ratios[k]:.2f}" for k in RATIOS)) for c in found]
    medians = {
        k: statistics.median(c.ratios[k] for c in found) for k in ("tangent", "gradient", "second", "length")
    }
    rows.append(("median", "", *(f"{medians[k]:.2f}" for k in medians)))
    columns = (
        "kernel",
        "instructions",
        "tangent / primal",
        "gradient / primal",
        "product / gradient",
        "lines",
    )
    notes = [f"not counted: {name}: {why}" for name, why in left.items()]
    report.table("Tangents and second order", columns, rows, notes)
    if not chosen.names:
        data = {c.name: {"primal": c.primal, **{k: round(v, 3) for k, v in c.ratios.items()}} for c in found}
        report.save(
            "derivatives",
            {
                "valgrind": version,
                "goals": GOALS,
                "median": {k: round(v, 3) for k, v in medians.items()},
                "kernels": data,
                "left": left,
            },
        )
    return int(any(medians[k] > GOALS[k] for k in medians if k in GOALS))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
