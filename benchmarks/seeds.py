"""Measure the adjoints of the benchmarks that the field's papers report; no GPU needed.

    python benchmarks/seeds.py [BENCHMARK …]

`seeds.toml` lists them; tests/test_seeds.py checks their gradients. Each kernel of seeds/ is transformed
afresh, and one launch of the primal and one of the adjoint are counted: executed instructions
(instructions.py), barriers, and the bytes of the tape; where nvcc is found, also registers, stack, SASS
(run-time loops rolled) and atomics for sm_80 and sm_90. seeds/hand/ has adjoints written by hand for the same
contract, by people who didn't know the emitted ones; they are counted too. Exits with 1 if a goal is missed,
with 4 without valgrind.
"""

from __future__ import annotations

import math
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from cost import beside
from instructions import executed, valgrind
from report import HERE, save, table
from sass import Missing, Sizes, Tools, sizes, tools

import s2sad
from s2sad.run.cpu import CpuBackend
from s2sad.run.cpu.compiler import compiler
from s2sad.run.values import Value
from s2sad.signature import Signature
from s2sad.validate import Case
from s2sad.validate.check import draw_seeds
from s2sad.validate.launching import Launcher
from s2sad.validate.recipe import Launch

FOLDER = HERE / "seeds"
ARCHS = ("sm_80", "sm_90")
_FLAG = 16  # bytes at the start of a tape


@dataclass(frozen=True)
class Benchmark:
    """An entry of seeds.toml."""

    name: str
    title: str
    kernels: tuple[str, ...]
    forward: tuple[str, ...] = ()
    args: Mapping[str, object] = field(default_factory=dict)
    goal: Mapping[str, float] = field(default_factory=dict)
    published: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Text:
    """The counts of one text: of a launch, and compiled for each architecture."""

    instructions: int
    barriers: int
    compiled: Mapping[str, Sizes]


@dataclass(frozen=True)
class Kernel:
    """A kernel, its adjoint, the tape in bytes for each thread, and the adjoint by hand."""

    name: str
    primal: Text
    adjoint: Text
    tape: float
    hand: Text | None


def benchmarks() -> list[Benchmark]:
    """Read seeds.toml."""
    told = tomllib.loads((HERE / "seeds.toml").read_text(encoding="utf-8"))
    return [
        Benchmark(name, **{k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()})
        for name, entry in told.items()
    ]


def measure(name: str, args: Mapping[str, object], found: Tools | None, folder: Path) -> Kernel:
    """Count one kernel and its adjoint. Raises Missing, Rejected, subprocess.CalledProcessError."""
    pair = s2sad.transform(FOLDER / f"{name}.cu")._pair
    case = Case.read(FOLDER / f"{name}.toml", pair.primal)
    known = {argument.name for argument in pair.primal.arguments}
    case = case.varied(pair.primal, {k: v for k, v in args.items() if k in known}, {})
    backend = CpuBackend()
    setting = case.setting("float")
    launcher = Launcher(pair, backend, "float", few="all")
    outputs = launcher.primal(setting.launch, setting.args)
    seeds = {of: draw_seeds(of, outputs[of]).astype(outputs[of].dtype) for of in pair.dependents}
    buffers = launcher.buffers(setting.args, seeds)
    ready = launcher.ready(setting.launch, setting.backward, setting.args, buffers)

    def counted(text: str, kernel: Signature, launch: Launch, passed: Mapping[str, Value]) -> Text:
        watched = backend.watch(text, [kernel])
        seen = watched.inspect(kernel, launch.grid, launch.block, passed, launch.shared_bytes)
        assert seen.ok, seen.faults[0].text()
        return Text(
            executed(text, kernel, launch, passed, folder),
            seen.tally.barriers,
            {arch: sizes(found, text, kernel.name, arch) for arch in ARCHS} if found else {},
        )

    primal = counted(pair.primal_text, pair.primal, setting.launch, setting.args)
    adjoint = counted(pair.adjoint_text, pair.adjoint, ready.launch, ready.passed)
    tape = ready.tape.array.nbytes - _FLAG if ready.tape is not None else 0
    hand = None
    if (FOLDER / "hand" / f"{name}_adj.cu").exists():
        by_hand = beside(pair, FOLDER / "hand", name)
        fresh = launcher.buffers(setting.args, seeds)
        passed = launcher.ready(setting.launch, setting.backward, setting.args, fresh).passed
        hand = counted(by_hand.adjoint_text, by_hand.adjoint, setting.launch, passed)
    return Kernel(name, primal, adjoint, tape / math.prod((*ready.launch.grid, *ready.launch.block)), hand)


@dataclass(frozen=True)
class Measured:
    """A benchmark and the counts of its kernels."""

    benchmark: Benchmark
    kernels: tuple[Kernel, ...]

    @property
    def ratio(self) -> float:
        """Executed instructions of the gradient, launches of `forward` included, over the primal's."""
        again = sum(k.primal.instructions for k in self.kernels if k.name in self.benchmark.forward)
        gradient = again + sum(k.adjoint.instructions for k in self.kernels)
        return gradient / self._primal

    @property
    def by_hand(self) -> float | None:
        """Like `ratio`, of the adjoints by hand, if all exist."""
        again = sum(k.primal.instructions for k in self.kernels if k.name in self.benchmark.forward)
        found = [k.hand.instructions for k in self.kernels if k.hand is not None]
        return (again + sum(found)) / self._primal if len(found) == len(self.kernels) else None

    @property
    def _primal(self) -> int:
        return sum(k.primal.instructions for k in self.kernels)

    def figures(self) -> dict[str, float]:
        """The figures with goals, the worst of the kernels; those of nvcc are absent without it."""
        found = {"ratio": self.ratio, "tape": max(k.tape for k in self.kernels)}
        if all(k.adjoint.compiled for k in self.kernels):
            both = [(k.primal.compiled[ARCHS[0]], k.adjoint.compiled[ARCHS[0]]) for k in self.kernels]
            found["registers"] = max(a.compiled.registers for _, a in both)
            found["stack"] = max(a.compiled.stack - p.compiled.stack for p, a in both)
            found["atomics"] = max(a.compiled.atomics for _, a in both)
            found["sass"] = max(a.rolled.instructions / p.rolled.instructions for p, a in both)
        return found

    def missed(self) -> list[str]:
        """Return the goals that are missed, with figure and goal."""
        figures = self.figures()
        return [
            f"{what} {figures[what]:.3g} > {most:g}"
            for what, most in self.benchmark.goal.items()
            if what in figures and figures[what] > most
        ]


def main(words: Sequence[str]) -> int:
    every = benchmarks()
    if unknown := set(words) - {b.name for b in every}:
        print(f"no such benchmark: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 3
    chosen = [b for b in every if not words or b.name in words]
    try:
        version = valgrind()
    except Missing as missing:
        print(f"not measured: {missing}", file=sys.stderr)
        return 4
    found, notes = None, []
    try:
        found = tools()
    except Missing as missing:
        notes.append(f"without registers, stack, SASS and atomics: {missing}")
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        wanted = [(kernel, b.args) for b in chosen for kernel in b.kernels]
        counted = pool.map(lambda both: measure(*both, found, Path(folder)), wanted)
        done = [Measured(b, tuple(next(counted) for _ in b.kernels)) for b in chosen]
    table(
        f"One launch; size with nvcc on {ARCHS[0]} / {ARCHS[1]}: primal -> adjoint (by hand)",
        (
            "kernel",
            "registers",
            "stack",
            "SASS, rolled",
            "atomics",
            "barriers",
            "tape, B / thread",
            "instructions",
        ),
        [_row(k) for m in done for k in m.kernels],
        notes,
    )
    table(
        "Executed instructions of the gradient, relative to the primal's",
        ("benchmark", "s2sad", "by hand", "goal", "published", "verdict"),
        [row for m in done for row in _summary(m)],
    )
    met = sum(not m.missed() for m in done)
    print(f"{met} of {len(done)} within all goals")
    if not words:
        save("seeds", {**_tools(version, found), "benchmarks": {m.benchmark.name: _data(m) for m in done}})
    return 0 if met == len(done) else 1


def _row(k: Kernel) -> tuple[str, ...]:
    by_hand = f" ({k.hand.instructions / k.primal.instructions:.2f})" if k.hand else ""
    return (
        k.name,
        _of(k, lambda s: s.compiled.registers),
        _of(k, lambda s: s.compiled.stack),
        _of(k, lambda s: s.rolled.instructions),
        _of(k, lambda s: s.compiled.atomics),
        f"{k.primal.barriers} -> {k.adjoint.barriers}{f' ({k.hand.barriers})' if k.hand else ''}",
        f"{k.tape:g}",
        f"{k.adjoint.instructions / k.primal.instructions:.2f}{by_hand}",
    )


def _summary(m: Measured) -> Iterator[tuple[str, ...]]:
    """Yield a row for the benchmark, with one more for each further published figure."""
    published = [f"{who}: {ratio}" for who, ratio in m.benchmark.published.items()] or [""]
    goal = f"{m.benchmark.goal['ratio']:g}" if "ratio" in m.benchmark.goal else ""
    missed = m.missed()
    verdict = f"miss: {', '.join(missed)}" if missed else "pass" if m.benchmark.goal else ""
    by_hand = f"{m.by_hand:.2f}" if m.by_hand is not None else ""
    yield (m.benchmark.title, f"{m.ratio:.2f}", by_hand, goal, published[0], verdict)
    for more in published[1:]:
        yield (*[""] * 4, more, "")


def _of(k: Kernel, figure: Callable[[Sizes], int]) -> str:
    """Return one static figure of the texts, on each architecture."""
    if not k.adjoint.compiled:
        return "-"
    return " / ".join(
        f"{figure(k.primal.compiled[a])} -> {figure(k.adjoint.compiled[a])}"
        + (f" ({figure(k.hand.compiled[a])})" if k.hand else "")
        for a in ARCHS
    )


def _tools(version: str, found: Tools | None) -> dict[str, object]:
    return {"valgrind": version, "compiler": compiler().version, "nvcc": found.version if found else None}


def _data(m: Measured) -> dict[str, object]:
    kernels = {
        k.name: {
            "primal": asdict(k.primal),
            "adjoint": asdict(k.adjoint),
            "tape_bytes_per_thread": k.tape,
            "by_hand": asdict(k.hand) if k.hand else None,
        }
        for k in m.kernels
    }
    by_hand = round(m.by_hand, 4) if m.by_hand is not None else None
    return {"ratio": round(m.ratio, 4), "by_hand": by_hand, "missed": m.missed(), "kernels": kernels}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
