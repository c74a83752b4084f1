"""The adjoint against exact tangents: ⟨ȳ, J v⟩ = ⟨Jᵀȳ, v⟩.

Both sides are computed in double precision from the same data, the left one from the
primal's own text with tangents, the right one from the adjoint. They agree to rounding
or one of them is wrong: a factor of 1 + 1e-5 on one term, which differences of floats
can't see, is plain. Directions are random, through everything at once and through each
argument alone.

Where the data is such that rounding moves the derivative itself (1 - tanh² far out, a
difference of large numbers), it isn't known to the tolerance: the primal is then run a
few times more, rounding at random, and the adjoint may differ by a few times as much as
those runs do. That is asked only where it differs, and never lets through more than
1e-9; a fault is not a matter of rounding, and moves no run.

What it can't judge: which derivative is meant at a kink, as both take that of the
branch; and the accuracy of functions that both call.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..diagnostics import Rejected
from ..run.backend import Backend, CompileFailed, Differentiator, Tie, WatchUnavailable
from .differences import ALL, STEPS, Entry, Probe, step_size
from .elements import Array
from .launching import AdjointRun, Pair
from .recipe import Setting, Value
from .tangents import Pushed, Tangents

TOLERANCE = 1e-12
DIRECTIONS = 3  # through everything at once
_SECOND_LOOKS = ALL  # at differences that disagree, for each argument
_AGREES = 1e-9
_SHAKES = 6  # runs that round at random
_SPREADS = 4.0  # as far as the two sides may be apart, in what those runs differ by
_BLURRED = 1e-9  # what isn't known better than that is said to be wrong

ExactVerdict = Literal["ok", "wrong", "tied", "not finite"]


@dataclass(frozen=True)
class Exact:
    """One comparison. `name` is the argument along which it goes, empty for all of them.

    `pushed` is ⟨ȳ, J v⟩, `pulled` ⟨Jᵀȳ, v⟩; the residual is their difference relative to
    the sum of the magnitudes of all terms. tied: they differ, and a condition is
    decided by rounding, so that both may be right. `spread` is what rounding alone makes
    of the tangent, by the same measure, where that was asked.
    """

    name: str
    pushed: float
    pulled: float
    residual: float
    verdict: ExactVerdict
    ties: tuple[Tie, ...] = ()
    spread: float = 0.0

    def text(self) -> str:
        what = f"along {self.name}" if self.name else "along all arguments"
        return (
            f"the exact tangent {what} is {self.pushed:.15g}, the adjoint gives {self.pulled:.15g} "
            f"(residual {self.residual:.1e})"
        )

    def to_dict(self) -> dict[str, object]:
        return {
            "argument": self.name or None,
            "pushed": _plain(self.pushed),
            "pulled": _plain(self.pulled),
            "residual": _plain(self.residual),
            "spread": self.spread,
            "verdict": self.verdict,
            "ties": [tie.line for tie in self.ties],
        }


@dataclass(frozen=True)
class Oracle:
    """The primal with tangents on the data of a case; `why_not` where there are none."""

    pair: Pair
    setting: Setting
    seeds: Mapping[str, Array]
    tangents: Tangents | None = None
    why_not: str = ""
    mark: int = 0  # of the choices that the primal makes

    @staticmethod
    def of(
        pair: Pair,
        backend: Backend,
        setting: Setting,
        outputs: Mapping[str, Array],
        seeds: Mapping[str, Array],
    ) -> Oracle:
        if not isinstance(backend, Differentiator):
            return Oracle(pair, setting, seeds)
        try:
            tangents = Tangents(pair.primal_text, pair.primal, backend, pair.primal_file)
            pushed = tangents.push(setting.launch, setting.args, {})
        except CompileFailed as error:
            return Oracle(pair, setting, seeds, why_not=_reason(str(error)))
        except (Rejected, WatchUnavailable) as error:
            return Oracle(pair, setting, seeds, why_not=str(error))
        if not _reproduces(pushed, outputs):
            why = f"{pair.primal.name} gives other values where numbers carry tangents"
            return Oracle(pair, setting, seeds, why_not=why)
        return Oracle(pair, setting, seeds, tangents, mark=pushed.decisions.mark)

    def compare(self, run: AdjointRun, tolerance: float = TOLERANCE) -> list[Exact]:
        """The adjoint's run from clean buffers along random directions. Raises Rejected."""
        random = np.random.default_rng(1)
        free = [argument.of for argument in self.pair.adjoints if argument.use != "seed"]
        found = []
        for names in (*([name] for name in free), *[free] * (DIRECTIONS if len(free) > 1 else 0)):
            along = {name: _drawn(self.setting.args[name], random) for name in names}
            pushed = self._push(along)
            name = names[0] if len(names) == 1 else ""
            exact = _judged(name, along, pushed, run, self.seeds, tolerance)
            if exact.verdict == "wrong" and exact.residual <= _BLURRED:
                exact = self._shaken(exact, along, pushed)
            found.append(exact)
        return found

    def _shaken(self, exact: Exact, along: Mapping[str, Array], pushed: Pushed) -> Exact:
        """The comparison, judged by how far the tangent is known."""
        assert self.tangents is not None
        apart = abs(exact.pushed - exact.pulled)
        moved = 0.0
        for seed in range(1, _SHAKES + 1):
            run = self.tangents.push(self.setting.launch, self.setting.args, along, seed)
            if run.decisions.mark == pushed.decisions.mark:
                moved = max(moved, abs(_derivative(run, self.seeds) - exact.pushed))
        spread = exact.residual * moved / apart
        return replace(exact, spread=spread, verdict="ok" if apart <= _SPREADS * moved else "wrong")

    def judge_again(self, probes: Sequence[Probe], entries: Sequence[Entry]) -> list[Entry]:
        """What a difference finds wrong is a kink where it crosses a branch and the tangent agrees."""
        left = _SECOND_LOOKS
        found = []
        for probe, entry in zip(probes, entries, strict=True):
            if entry.verdict == "wrong" and self.tangents is not None and left:
                left -= 1
                if self._crosses(probe, entry):
                    entry = replace(entry, verdict="kink")
            found.append(entry)
        return found

    def _crosses(self, probe: Probe, entry: Entry) -> bool:
        value = self.setting.args[probe.name]
        along = probe.direction if probe.direction is not None else np.zeros(np.shape(value) or (1,))
        size = 1.0
        if probe.element is not None:
            along = along.copy()
            along.reshape(-1)[probe.element] = 1.0
            size = step_size(value, probe.element)
        exact = derivative(self._push({probe.name: along}), self.seeds)
        scale = max(abs(exact), abs(entry.adjoint), abs(entry.difference - entry.adjoint))
        if not abs(exact - entry.adjoint) <= _AGREES * scale:
            return False
        for step in (STEPS[0] * size, -STEPS[0] * size):
            moved = np.asarray(value, np.float64) + step * along.reshape(np.shape(value))
            args = {**self.setting.args, probe.name: moved if moved.ndim else float(moved)}
            assert self.tangents is not None
            if self.tangents.push(self.setting.launch, args, {}).decisions.mark != self.mark:
                return True
        return False

    def _push(self, along: Mapping[str, Array]) -> Pushed:
        assert self.tangents is not None
        return self.tangents.push(self.setting.launch, self.setting.args, along)

    def remarks(self, found: Sequence[Exact]) -> Iterator[str]:
        """What a reader should know of it."""
        if self.why_not:
            yield f"no exact tangents: {self.why_not}"
        for exact in found:
            what = f"along {exact.name}" if exact.name else "along all arguments"
            if exact.verdict == "not finite":
                yield f"the tangent {what} is not finite; not compared"
            if exact.verdict == "ok" and exact.spread:
                yield (
                    f"the tangent {what} isn't known better: rounding alone moves it by {exact.spread:.1e}, "
                    f"and the adjoint differs by {exact.residual:.1e}"
                )
            if exact.verdict == "tied":
                yield f"the tangent {what} differs from the adjoint by {exact.residual:.1e}, at a near-tie"
        lines: dict[int, Tie] = {tie.line: tie for e in found for tie in e.ties if tie.line is not None}
        for line in sorted(lines):
            yield lines[line].text(self.pair.primal_file)


def _reason(message: str) -> str:
    """The first error of a compiler, without where it says that it failed."""
    lines = [line for line in message.splitlines() if "error:" in line]
    return lines[0].strip() if lines else message.splitlines()[0]


def _reproduces(pushed: Pushed, outputs: Mapping[str, Array]) -> bool:
    """Whether the text with tangents computes what it computes without: one that looks at bits doesn't."""
    for name, expected in outputs.items():
        found = pushed.outputs[name]
        if expected.dtype.kind != "f":
            if not np.array_equal(found, expected):
                return False
        elif not np.allclose(found, expected, rtol=1e-9, atol=1e-12, equal_nan=True):
            return False
    return True


def derivative(pushed: Pushed, seeds: Mapping[str, Array]) -> float:
    """⟨ȳ, J v⟩ of a launch."""
    return sum(_products(pushed, seeds, np.sum))


def _judged(
    name: str,
    along: Mapping[str, Array],
    pushed: Pushed,
    run: AdjointRun,
    seeds: Mapping[str, Array],
    tolerance: float,
) -> Exact:
    left, size = sum(_products(pushed, seeds, np.sum)), sum(_products(pushed, seeds, _magnitude))
    with np.errstate(all="ignore"):
        terms = [_flat(run.buffers[of]) * _flat(direction) for of, direction in along.items()]
        right = float(sum(np.sum(term) for term in terms))
        size = max(size, float(sum(np.sum(np.abs(term)) for term in terms)))
    ties = pushed.decisions.ties
    if not (math.isfinite(left) and math.isfinite(right)):
        return Exact(name, left, right, math.nan, "not finite", ties)
    residual = abs(left - right) / size if size else 0.0
    verdict: ExactVerdict = "ok" if residual <= tolerance else "tied" if ties else "wrong"
    return Exact(name, left, right, residual, verdict, ties)


def _products(pushed: Pushed, seeds: Mapping[str, Array], total: object) -> Iterator[float]:
    """The sum over each dependent of seed times tangent; a seed of zero asks for nothing."""
    assert callable(total)
    for name, seed in seeds.items():
        asked = _flat(seed) != 0
        with np.errstate(all="ignore"):
            yield float(total(_flat(seed)[asked] * _flat(pushed.tangents[name])[asked]))


def _magnitude(terms: Array) -> float:
    return float(np.sum(np.abs(terms)))


def _drawn(value: Value, random: np.random.Generator) -> Array:
    """Values in ±[0.5, 1.5], one for each element."""
    shape = value.shape if isinstance(value, np.ndarray) else (1,)
    size = random.uniform(0.5, 1.5, shape)
    return np.where(random.integers(0, 2, shape) == 0, -size, size)


def _flat(array: Array) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(array, np.float64).reshape(-1)


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None
