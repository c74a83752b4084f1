"""Check the gradient of a chain on the data of its file, in double precision.

Along a random direction of each independent it is compared with central differences of the whole
simulation, and with exact tangents from the kernels' own texts; as a whole with the gradient for
which the state before every step was kept, so that no step ran twice.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..entries import Entry, Place
from ..run.backend import Backend, BackendUnavailable
from ..validate.elements import Reals
from ..validate.recipe import Value
from .chain import Chain, ChainResult
from .engine import Machine
from .tangents import DualMachine

_STEPS = (1e-5, 1e-4, 1e-3, 1e-6)  # of a difference, relative to the values; the first good one counts
_DIFFERENCES, _TANGENTS, _SAME = 1e-6, 1e-9, 1e-12


@dataclass(frozen=True)
class DirectionRow:
    """One independent: its derivative along a random direction, and how far that is from the truth.

    Errors are relative to the sum of the magnitudes of the derivative's terms; `exact` is None if the
    backend can't propagate tangents. `kept` compares with the gradient for which every state was kept.
    """

    name: str
    size: int
    derivative: float
    difference: float
    exact: float | None
    kept: float


@dataclass(frozen=True)
class ChainReport:
    """The verdict on the gradient of a chain."""

    rows: tuple[DirectionRow, ...]
    result: ChainResult
    whole: ChainResult  # with every state kept
    tolerance: float

    @property
    def ok(self) -> bool:
        return all(not self.failures(row) for row in self.rows)

    def failures(self, row: DirectionRow) -> list[str]:
        """Return what a row disagrees with."""
        found = []
        if not row.difference <= self.tolerance:
            found.append("differences")
        if row.exact is not None and not row.exact <= _TANGENTS:
            found.append("exact tangents")
        if not row.kept <= _SAME:
            found.append("the gradient with every state kept")
        return found

    def entries(self, file: str) -> tuple[Entry, ...]:
        """Return what is wrong, as findings in the chain's file."""
        found = ((row.name, " and ".join(self.failures(row))) for row in self.rows)
        return tuple(
            Entry("error", "wrong-gradient", f"the gradient of {name} differs from {wrong}", Place(file))
            for name, wrong in found
            if wrong
        )

    def text(self) -> str:
        """Return the report as tables."""
        lines = [f"{'loop':16} {'steps':>7} {'checkpoints':>11} {'forward steps':>13} {'of each':>10}"]
        for loop in self.result.loops:
            size = readable(loop.checkpoint_bytes)
            lines.append(
                f"{loop.where:16} {loop.steps:7} {loop.checkpoints:11} {loop.forward_steps:13} {size:>10}"
            )
        memory, every = self.result.memory, self.whole.memory
        lines.append(
            f"memory: {readable(memory.total)} (arrays {readable(memory.state)}, "
            f"adjoints {readable(memory.adjoints)}, checkpoints {readable(memory.checkpoints)}, "
            f"within a step {readable(memory.saved)}); with every state kept {readable(every.total)}"
        )
        head = f"{'independent':16} {'elements':>8} {'derivative':>12} {'differences':>11} {'tangents':>9}"
        lines += ["", f"{head} {'all kept':>9}"]
        for row in self.rows:
            exact = "-" if row.exact is None else f"{row.exact:.1e}"
            wrong = self.failures(row)
            verdict = f"WRONG: differs from {' and '.join(wrong)}" if wrong else "ok"
            lines.append(
                f"{row.name:16} {row.size:8} {row.derivative:12.5g} {row.difference:11.1e} {exact:>9} "
                f"{row.kept:9.1e}  {verdict}"
            )
        lines.append("ok" if self.ok else "the gradient is wrong")
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, object]:
        """Return the report as plain data."""
        memory = self.result.memory
        return {
            "ok": self.ok,
            "loops": [vars(loop) for loop in self.result.loops],
            "memory": {**vars(memory), "total": memory.total, "every_state_kept": self.whole.memory.total},
            "independents": [{**vars(row), "wrong": self.failures(row)} for row in self.rows],
        }


def readable(count: int) -> str:
    """Return a number of bytes in a unit for people."""
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            break
        size /= 1000
    return f"{count} B" if unit == "B" else f"{size:.3g} {unit}"


def check(chain: Chain, backend: Backend) -> ChainReport:
    """Check the gradient of a chain on its file's data. Raises Rejected."""
    values = chain.values(real="double")
    machine = Machine(chain.linked, chain.kernels, chain.plan, backend, "double")
    seeds = {n: _drawn(f"seed of {n}", np.shape(values[n]), signed=True) for n in chain.of}
    result = chain.differentiate(machine, values, seeds)
    whole = chain.differentiate(machine, values, seeds, checkpoints=2**62)
    try:
        dual = DualMachine(chain.linked, chain.kernels, chain.plan, backend)
    except BackendUnavailable:
        dual = None
    rows = []
    for name in chain.wrt:
        direction = _drawn(f"direction of {name}", np.shape(values[name]), signed=False)
        gradient: Reals = result.gradients[name].astype(np.float64)
        every: Reals = whole.gradients[name].astype(np.float64)
        terms = gradient * direction
        found, scale = float(np.sum(terms)), float(np.sum(np.abs(terms)))
        exact = None
        if dual is not None:
            tangents = dual.push(values, {name: direction})
            true = sum(float(np.sum(seeds[n] * tangents[n])) for n in chain.of)
            exact = _relative(abs(true - found), scale)
        tolerance = chain.tolerance or _DIFFERENCES
        difference = float("inf")
        for step in _STEPS:
            slope = _slope(machine, values, seeds, name, direction, step)
            difference = min(difference, _relative(abs(slope - found), scale))
            if difference <= 0.01 * tolerance:
                break
        kept = float(np.max(np.abs(gradient - every), initial=0.0))
        largest = float(np.max(np.abs(gradient), initial=0.0))
        rows.append(DirectionRow(name, gradient.size, found, difference, exact, _relative(kept, largest)))
    return ChainReport(tuple(rows), result, whole, chain.tolerance or _DIFFERENCES)


def _drawn(what: str, shape: tuple[int, ...], signed: bool) -> Reals:
    """Return numbers that are the same in every run: normal, or in ±[0.5, 1.5]."""
    random = np.random.default_rng(zlib.crc32(what.encode()))
    if not signed:
        return np.asarray(random.standard_normal(shape))
    return np.asarray(random.uniform(0.5, 1.5, shape) * random.choice([-1.0, 1.0], shape))


def _slope(
    machine: Machine,
    values: Mapping[str, Value],
    seeds: Mapping[str, Reals],
    name: str,
    direction: Reals,
    step: float,
) -> float:
    """Return the central difference along a direction."""
    width = step * max(1e-3, float(np.max(np.abs(values[name]))))

    def objective(by: float) -> float:
        moved = np.asarray(values[name], np.float64) + by * direction
        state = machine.forward({**values, name: moved if np.ndim(moved) else float(moved)})
        return sum(float(np.vdot(seeds[n], state[n].astype(np.float64))) for n in seeds)

    return (objective(width) - objective(-width)) / (2 * width)


def _relative(error: float, scale: float) -> float:
    return error / scale if scale > 0 else error
