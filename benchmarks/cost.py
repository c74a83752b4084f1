"""Compare the run-time operations and the size of adjoints with hand-written ones; no GPU needed.

    python benchmarks/cost.py REFERENCE [KERNEL …]

REFERENCE is a folder of pairs NAME.cu and NAME_adj.cu, whose adjoint is written by hand for
s2sad's contract. Each kernel of costs/ is transformed afresh. Both
adjoints run on its case, on the CPU with every access watched. This counts atomics on
global and on shared memory, barriers of blocks, and bytes moved, except locals. The
hand-written adjoint's gradient must equal ours, or nothing is compared. Goals: no more
atomics than by hand, barriers executed at most 1.5 times, instructions (run-time loops
rolled) at most 1.25 times, registers at most 1.15 times or 3 more, and no more stack than
the hand-written adjoint or the primal, whichever uses more.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from report import HERE, save, table
from sass import ARCH, Missing, Sizes, Tools, sizes, tools

import s2sad
from s2sad.run.cpu import CpuBackend
from s2sad.run.sanitizer_report import Tally
from s2sad.validate import Case
from s2sad.validate.case import header
from s2sad.validate.check import draw_seeds
from s2sad.validate.elements import Array
from s2sad.validate.launching import Launcher, Pair

REGISTERS, MORE_REGISTERS, INSTRUCTIONS, BARRIERS = 1.15, 3, 1.25, 1.5
CASES = HERE / "costs"

# Assumptions of the hand-written adjoints that the primals' texts don't state.
WARPS = "range:blockDim.x%32<1"
ASSUMED = {
    "conv2d_shared": ("covers:W:H",),
    "horner": ("range:0<n", WARPS),
    "matmul_tile": ("covers:N:M",),
    "nbody_tile": ("covers:n",),
    "relax_tile": ("range:0<n", WARPS),
    "soft_histogram": ("launch:1d",),
    "stencil3": ("covers:n",),
    "warp_spmv": ("sorted:ptr",),
}


@dataclass(frozen=True)
class Cost:
    """The cost of one adjoint: the counts of a launch, and its size."""

    tally: Tally
    sizes: Sizes


@dataclass(frozen=True)
class Compared:
    """One kernel: its primal's size, our adjoint and the hand-written one; or why ours is missing."""

    name: str
    primal: Sizes | None = None
    ours: Cost | None = None
    hand: Cost | None = None
    why_not: str = ""

    def verdicts(self) -> dict[str, bool]:
        """Whether each goal is met."""
        if self.primal is None or self.ours is None or self.hand is None:
            return {"transformed": False}
        (ours, mine), (hand, theirs) = ((c.sizes, c.tally) for c in (self.ours, self.hand))
        most = max(REGISTERS * hand.compiled.registers, hand.compiled.registers + MORE_REGISTERS)
        free = max(self.primal.compiled.stack, hand.compiled.stack)
        return {
            "global atomics": mine.global_memory.atomics <= theirs.global_memory.atomics,
            "shared atomics": mine.shared_memory.atomics <= theirs.shared_memory.atomics,
            "barriers": mine.barriers <= BARRIERS * theirs.barriers,
            "instructions": ours.rolled.instructions <= INSTRUCTIONS * hand.rolled.instructions,
            "registers": ours.compiled.registers <= most,
            "stack": ours.compiled.stack <= free,
        }


class Wrong(Exception):
    """The two adjoints disagree."""


def compare(found: Tools, folder: Path, name: str) -> Compared:
    """Transform, run and compile one kernel."""
    asked = header(CASES / f"{name}.toml")
    own = HERE / f"primals/{name}.cu"
    path = folder / f"{name}.cu"
    try:
        made = s2sad.transform(
            own if own.exists() else path,
            of=list(asked.of),
            wrt=list(asked.wrt),
            assume=ASSUMED.get(name, ()),
        )
        return _compared(found, folder, name, made)
    except s2sad.Rejected as rejected:
        return Compared(name, why_not=f"refused: {rejected.diagnostics[0].title}")
    except Wrong as wrong:
        return Compared(name, why_not=str(wrong))
    except subprocess.CalledProcessError as failed:
        return Compared(name, why_not=f"doesn't compile: {failed.stderr.splitlines()[0]}")


def beside(pair: Pair, folder: Path, name: str) -> Pair:
    """Return the pair with the hand-written adjoint in place of ours; it has no tape."""
    arguments, wholes = (
        tuple(a for a in each if a.role != "tape" and a.use != "trips")
        for each in (pair.adjoint.arguments, pair.adjoint.wholes)
    )
    plain = replace(
        pair.adjoint, name=f"{name}_adj", arguments=arguments, wholes=wholes, shared=False, tape=False
    )
    return replace(pair, adjoint_text=(folder / f"{name}_adj.cu").read_text(), adjoint=plain, forward=None)


def ran(pair: Pair, name: str) -> tuple[Tally, dict[str, Array]]:
    """Return the counts of one launch of an adjoint on its case, and its gradients. Raises Wrong."""
    backend = CpuBackend()
    setting = Case.read(CASES / f"{name}.toml", pair.primal).setting("float")
    launcher = Launcher(pair, backend, "float", few="all")
    outputs = launcher.primal(setting.launch, setting.args)
    seeds = {of: draw_seeds(of, outputs[of]).astype(outputs[of].dtype) for of in pair.dependents}
    buffers = launcher.buffers(setting.args, seeds)
    ready = launcher.ready(setting.launch, setting.backward, setting.args, buffers)
    watched = backend.watch(pair.adjoint_text, [pair.adjoint], name=pair.adjoint_file)
    launch = ready.launch
    found = watched.inspect(pair.adjoint, launch.grid, launch.block, ready.passed, launch.shared_bytes)
    if not found.ok:
        raise Wrong(f"{pair.adjoint.name}: {found.faults[0].text()}")
    run = launcher.adjoint(setting.launch, setting.backward, setting.args, buffers)
    return found.tally, {a.of: run.buffers[a.of] for a in pair.adjoints}


def differ(one: Mapping[str, Array], two: Mapping[str, Array]) -> list[str]:
    """Return the arguments whose gradients differ by more than the accuracy of floats."""
    scales = {of: float(np.max(np.abs(g.astype(np.float64)), initial=0.0)) or 1.0 for of, g in one.items()}
    return [of for of, g in one.items() if not np.allclose(two[of], g, rtol=0, atol=1e-4 * scales[of])]


def _compared(found: Tools, folder: Path, name: str, made: s2sad.Adjoint) -> Compared:
    pair = made._pair
    by_hand = beside(pair, folder, name)
    (mine, ours), (theirs, hand) = ran(pair, name), ran(by_hand, name)
    if wrong := differ(ours, hand):
        raise Wrong(f"the gradient of {', '.join(wrong)} isn't that by hand")
    return Compared(
        name,
        sizes(found, pair.primal_text, pair.primal.name),
        Cost(mine, sizes(found, pair.adjoint_text, pair.adjoint.name)),
        Cost(theirs, sizes(found, by_hand.adjoint_text, by_hand.adjoint.name)),
    )


def main(words: Sequence[str]) -> int:
    if not words or not Path(words[0]).is_dir():
        print("usage: python benchmarks/cost.py REFERENCE [KERNEL …]", file=sys.stderr)
        return 3
    folder, names = Path(words[0]), list(words[1:])
    known = sorted(p.stem for p in CASES.glob("*.toml") if (folder / f"{p.stem}_adj.cu").exists())
    if unknown := set(names) - set(known):
        print(f"no case or no reference: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 3
    try:
        found = tools()
    except Missing as missing:
        print(f"not measured: {missing}", file=sys.stderr)
        return 4
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda n: compare(found, folder, n), names or known))
    table(
        f"One launch, and static size with nvcc {found.version}, {ARCH}: ours / by hand",
        ("kernel", *_COLUMNS, "verdict"),
        [_row(c) for c in done],
        [f"{c.name}: {c.why_not}" for c in done if c.why_not],
    )
    met = sum(all(c.verdicts().values()) for c in done)
    print(f"{met} of {len(done)} within all goals")
    if not names:
        save("cost", {"nvcc": found.version, "arch": ARCH, "kernels": {c.name: _data(c) for c in done}})
    return 0 if met == len(done) else 1


_COLUMNS = (
    *("global atomics", "shared atomics", "barriers", "global kB", "shared kB"),
    *("SASS, rolled", "registers", "stack"),
)


def _row(c: Compared) -> tuple[str, ...]:
    missed = [goal for goal, met in c.verdicts().items() if not met]
    verdict = f"miss: {', '.join(missed)}" if missed else "pass"
    if c.ours is None or c.hand is None:
        return (c.name, *["-"] * len(_COLUMNS), verdict)
    both = (c.ours, c.hand)
    return (
        c.name,
        *(
            " / ".join(texts)
            for texts in (
                [f"{b.tally.global_memory.atomics}" for b in both],
                [f"{b.tally.shared_memory.atomics}" for b in both],
                [f"{b.tally.barriers}" for b in both],
                [f"{b.tally.global_memory.bytes / 1e3:.1f}" for b in both],
                [f"{b.tally.shared_memory.bytes / 1e3:.1f}" for b in both],
                [f"{b.sizes.rolled.instructions}" for b in both],
                [f"{b.sizes.compiled.registers}" for b in both],
                [f"{b.sizes.compiled.stack}" for b in both],
            )
        ),
        verdict,
    )


def _data(c: Compared) -> dict[str, object]:
    return {
        "primal": asdict(c.primal) if c.primal else None,
        "ours": asdict(c.ours) if c.ours else None,
        "hand": asdict(c.hand) if c.hand else None,
        "met": c.verdicts(),
        "why_not": c.why_not,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
