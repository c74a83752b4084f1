"""Compare the adjoint with exact tangents: ⟨ȳ, J v⟩ = ⟨Jᵀȳ, v⟩.

Both sides are computed in double precision from the same data, the left one from the
primal's own text with tangents, the right one from the adjoint. They agree to rounding
or one of them is wrong: this detects a factor of 1 + 1e-5 on one term, which differences of
floats can't. Directions are random, through all arguments at once and through each
argument alone.

If rounding affects the derivative itself (1 - tanh² in the tail, a
difference of large numbers), it isn't known to the tolerance. The primal is then run a
few times more, rounding at random, and the adjoint may differ by a few times as much as
those runs do. This applies only to differences of less than 1e-9 of the largest
derivative; a fault isn't rounding, and such runs don't vary with it.

This can't judge which derivative is meant at a kink, because both take that of the
executed branch; nor the accuracy of functions that both call.
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
from .elements import Array, finite
from .launching import AdjointRun, Pair
from .recipe import Setting, Value
from .tangents import Pushed, Tangents

TOLERANCE = 1e-12
DIRECTIONS = 3  # through everything at once
_SECOND_LOOKS = ALL  # at differences that disagree, for each argument
_AGREES = 1e-9
SHAKES = 6  # runs that round at random
SPREADS = 4.0  # the allowed difference of the two sides, relative to that of those runs
# The relative change of a tangent within a small step beyond which differences are meaningless.
_BENDS = 0.1
_SEEN = 2.0**-52 / STEPS[0]  # relative to a sum, the resolution of a difference
BLURRED = 1e-9  # relative to the largest derivative: larger differences are wrong

ExactVerdict = Literal["ok", "wrong", "tied", "not finite"]


@dataclass(frozen=True)
class Exact:
    """One comparison. `name` is the argument of its direction, empty for all of them.

    `pushed` is ⟨ȳ, J v⟩, `pulled` ⟨Jᵀȳ, v⟩; the residual is their difference relative to
    the sum of the magnitudes of all terms. tied: they differ, and a condition is
    decided by rounding, so that both may be right. `moved` is the change of the tangent by
    rounding alone, if that was computed; `size` is that sum.
    """

    name: str
    pushed: float
    pulled: float
    residual: float
    verdict: ExactVerdict
    ties: tuple[Tie, ...] = ()
    moved: float = 0.0
    size: float = 0.0
    what: str = "adjoint"
    order: Literal[1, 2] = 1  # of the derivative

    @property
    def _along(self) -> str:
        return f"along {self.name}" if self.name else "along all arguments"

    @property
    def _derivative(self) -> str:
        return "tangent" if self.order == 1 else "second derivative"

    def text(self) -> str:
        return (
            f"the exact {self._derivative} {self._along} is {self.pushed:.15g}, "
            f"the {self.what} gives {self.pulled:.15g} (residual {self.residual:.1e})"
        )

    def remarks(self) -> Iterator[str]:
        """Yield a note on a comparison that is unavailable or inexact."""
        if self.verdict == "not finite":
            side = self.what if math.isfinite(self.pushed) else self._derivative
            yield f"the {side} {self._along} is not finite; not compared"
        if self.verdict == "ok" and self.moved:
            yield (
                f"the {self._derivative} {self._along} is off by {abs(self.pushed - self.pulled):.1e}, "
                f"which is rounding: rounding alone changes it by {self.moved:.1e}"
            )
        if self.verdict == "tied":
            what = f"the {self._derivative} {self._along}"
            yield f"{what} differs from the {self.what} by {self.residual:.1e}, at a near-tie"

    def to_dict(self) -> dict[str, object]:
        return {
            "argument": self.name or None,
            "pushed": finite(self.pushed),
            "pulled": finite(self.pulled),
            "residual": finite(self.residual),
            "moved": self.moved,
            "verdict": self.verdict,
            "ties": [tie.line for tie in self.ties],
            "order": self.order,
        }


@dataclass(frozen=True)
class Oracle:
    """The primal with tangents on the data of a case; `why_not` says why there are none."""

    pair: Pair
    setting: Setting
    seeds: Mapping[str, Array]
    tangents: Tangents | None = None
    why_not: str = ""
    mark: int = 0  # a hash of the primal's decisions
    reach: float = 0.0  # the sum of |seed * output|, which limits the accuracy of differences

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
            tangents = Tangents(pair.wide_text, pair.primal, backend, pair.primal_file)
            pushed = tangents.push(setting.launch, setting.args, {})
        except CompileFailed as error:
            return Oracle(pair, setting, seeds, why_not=reason(str(error)))
        except (Rejected, WatchUnavailable) as error:
            return Oracle(pair, setting, seeds, why_not=str(error))
        if not reproduces(pushed.outputs, outputs):
            why = f"{pair.primal.name} gives other values when run with tangents"
            return Oracle(pair, setting, seeds, why_not=why)
        terms = [np.abs(_flat(seed) * _flat(outputs[name])) for name, seed in seeds.items()]
        reach = sum(float(np.sum(term[np.isfinite(term)])) for term in terms)
        return Oracle(pair, setting, seeds, tangents, mark=pushed.decisions.mark, reach=reach)

    def compare(self, run: AdjointRun, tolerance: float = TOLERANCE) -> list[Exact]:
        """Compare the adjoint's run from clean buffers along random directions. Raises Rejected."""
        random = np.random.default_rng(1)
        free = [argument.of for argument in self.pair.adjoints if argument.use != "seed"]
        found: list[Exact] = []
        pairs: list[tuple[Mapping[str, Array], Pushed]] = []
        for names in (*([name] for name in free), *[free] * (DIRECTIONS if len(free) > 1 else 0)):
            along = {name: drawn(self.setting.args[name], random) for name in names}
            pushed = self.push(along)
            name = names[0] if len(names) == 1 else ""
            found.append(_judged(name, along, pushed, run, self.seeds, tolerance))
            pairs.append((along, pushed))
        # If the whole gradient is zero, it consists of rounding errors, whose scale is the outputs'.
        largest = max((exact.size for exact in found if math.isfinite(exact.size)), default=0.0)
        largest = max(largest, self.reach)
        return [
            self._shaken(exact, *pair)
            if exact.verdict == "wrong" and exact.residual * exact.size <= BLURRED * largest
            else exact
            for exact, pair in zip(found, pairs, strict=True)
        ]

    def _shaken(self, exact: Exact, along: Mapping[str, Array], pushed: Pushed) -> Exact:
        """Judge the comparison by the accuracy of the tangent."""
        moved = self._moved(along, pushed)
        good = abs(exact.pushed - exact.pulled) <= SPREADS * moved
        return replace(exact, moved=moved, verdict="ok" if good else "wrong")

    def moved_by_rounding(self, name: str, element: int, seeds: Mapping[str, Array]) -> float | None:
        """Return by how much rounding alone changes the derivative by an element; None without tangents.

        About a unit in the last place of the largest terms in it, even if they cancel.
        """
        if self.tangents is None:
            return None
        along = {name: self._along(Probe(name, element))[0]}
        return self._moved(along, self.push(along), seeds)

    def _moved(
        self, along: Mapping[str, Array], pushed: Pushed, seeds: Mapping[str, Array] | None = None
    ) -> float:
        """Return the change of the tangent by rounding at random, with the same branches."""
        seeds = self.seeds if seeds is None else seeds
        # A number's tangent is the direction itself, which no rounding changes.
        seeds = {name: seed for name, seed in seeds.items() if name in pushed.tangents}
        exact = derivative(pushed, seeds)
        return max((abs(derivative(run, seeds) - exact) for run in self.shakes(along, pushed)), default=0.0)

    def shakes(self, along: Mapping[str, Array], pushed: Pushed) -> Iterator[Pushed]:
        """Yield launches that round at random, with the same branches."""
        assert self.tangents is not None
        for seed in range(1, SHAKES + 1):
            run = self.tangents.push(self.setting.launch, self.setting.args, along, seed)
            if run.decisions.mark == pushed.decisions.mark:
                yield run

    def judge_again(
        self, probes: Sequence[Probe], entries: Sequence[Entry], largest: float, within: float
    ) -> list[Entry]:
        """Make a wrong entry a kink if its difference crosses a branch and the tangent agrees.

        So is an entry whose tangent agrees but changes within a small step.
        An entry is right if the tangent agrees and the error is negligible relative to `largest`, the
        largest element of all gradients, or too small to be resolved by a difference of the outputs:
        terms that cancel, or a tiny derivative, may be zero on one side only.
        An unresolved entry is judged by the tangent instead. An adjoint that isn't finite has no
        verdict if the tangent isn't finite either: the primal's own formula has 0 * inf there.
        """
        seen = max(within * largest, _SEEN * self.reach)
        left = _SECOND_LOOKS
        found = []
        for probe, entry in zip(probes, entries, strict=True):
            if entry.verdict in ("wrong", "unresolved") and self.tangents is not None and left:
                left -= 1
                along = {probe.name: self._along(probe)[0]}
                pushed = self.push(along)
                if not math.isfinite(entry.adjoint):
                    if not math.isfinite(derivative(pushed, self.seeds)):
                        entry = replace(entry, error=0.0, verdict="not finite")
                elif entry.verdict == "unresolved":
                    entry = self._resolved(entry, along, pushed, within)
                elif self._misled(probe, entry):
                    entry = replace(entry, verdict="kink")
                else:
                    entry = self._below(entry, along, pushed, seen, within)
            found.append(entry)
        return found

    def _resolved(self, entry: Entry, along: Mapping[str, Array], pushed: Pushed, within: float) -> Entry:
        """Judge an entry by the tangent alone, relative to what the difference was relative to."""
        exact = derivative(pushed, self.seeds)
        if not math.isfinite(exact):
            return entry
        scale = abs(entry.difference - entry.adjoint) / entry.error
        error = abs(exact - entry.adjoint) / scale
        if error <= within or self._agrees(entry, along, pushed):
            return replace(entry, error=min(error, within), verdict="ok")
        # at a near-tie the tangent may be that of the other side
        return entry if pushed.decisions.ties else replace(entry, error=error, verdict="wrong")

    def _below(
        self, entry: Entry, along: Mapping[str, Array], pushed: Pushed, seen: float, within: float
    ) -> Entry:
        """Accept an entry whose error is below `seen`, or what differences resolve, if the tangent agrees."""
        gap = abs(entry.difference - entry.adjoint)
        if gap > seen and abs(derivative(pushed, self.seeds) - entry.adjoint) <= _AGREES * gap:
            seen = self._resolution(entry, along, pushed)
        if gap <= seen and self._agrees(entry, along, pushed):
            return replace(entry, error=within * gap / seen, verdict="ok")
        return entry

    def _resolution(self, entry: Entry, along: Mapping[str, Array], pushed: Pushed) -> float:
        """Return what rounding within the primal contributes to an entry's difference.

        The outputs' own last places are only a part of it: 4 + x has lost digits of x before sin(4 + x),
        which is smaller, is rounded. Of the outputs, those count that depend on the entry's element.
        """
        blur = 0.0
        for run in self.shakes(along, pushed):
            moved = 0.0
            for name, seed in self.seeds.items():
                weight = np.where(_flat(pushed.tangents[name]) != 0, np.abs(_flat(seed)), 0.0)
                apart = np.abs(_flat(run.outputs[name]) - _flat(pushed.outputs[name]))
                moved += float(np.sum((weight * apart)[weight > 0]))
            blur = max(blur, moved)
        return SPREADS * blur / entry.step if entry.step else 0.0

    def _along(self, probe: Probe) -> tuple[Array, float]:
        """Return the direction of a probe, and the size that a step along it is relative to."""
        value = self.setting.args[probe.name]
        if probe.element is None:
            assert probe.direction is not None
            return probe.direction.reshape(np.shape(value)), 1.0
        along: Array = np.zeros(np.shape(value) or (1,))
        along.reshape(-1)[probe.element] = 1.0
        return along, step_size(value, probe.element)

    def _agrees(self, entry: Entry, along: Mapping[str, Array], pushed: Pushed) -> bool:
        """Whether the adjoint agrees with the exact tangent to the tangent's accuracy."""
        exact = derivative(pushed, self.seeds)
        apart = abs(exact - entry.adjoint)
        return apart <= TOLERANCE * abs(exact) or apart <= SPREADS * self._moved(along, pushed)

    def _misled(self, probe: Probe, entry: Entry) -> bool:
        """Whether the adjoint is right, but the step crosses a branch or a sharp bend of the primal."""
        value = self.setting.args[probe.name]
        along, size = self._along(probe)
        exact = derivative(self.push({probe.name: along}), self.seeds)
        scale = max(abs(exact), abs(entry.adjoint), abs(entry.difference - entry.adjoint))
        if not abs(exact - entry.adjoint) <= _AGREES * scale:
            return False

        def beside(step: float, along: Mapping[str, Array]) -> Pushed:
            moved = np.asarray(value, np.float64) + step * direction.reshape(np.shape(value))
            args = {**self.setting.args, probe.name: moved if moved.ndim else float(moved)}
            assert self.tangents is not None
            return self.tangents.push(self.setting.launch, args, along)

        direction = along.astype(np.float64)
        for step in (STEPS[0] * size, -STEPS[0] * size):
            if beside(step, {}).decisions.mark != self.mark:
                return True
        gap = abs(entry.difference - entry.adjoint)
        for step in sorted(step for step in STEPS if step <= STEPS[0]):
            bent = _BENDS * abs(exact)
            if step < STEPS[0]:  # a smooth primal's slope doesn't change by so much in so short a step
                bent = min(bent, gap)
            for part in (1.0, -1.0, 0.5, -0.5):
                slope = derivative(beside(part * step * size, {probe.name: along}), self.seeds)
                if abs(slope - exact) > bent:
                    return True
        return False

    def push(self, along: Mapping[str, Array]) -> Pushed:
        """Run the primal along a direction."""
        assert self.tangents is not None
        return self.tangents.push(self.setting.launch, self.setting.args, along)

    def remarks(self, found: Sequence[Exact]) -> Iterator[str]:
        """Yield notes on comparisons that are unavailable or inexact."""
        if self.why_not:
            yield f"no exact tangents: {self.why_not}"
        for exact in found:
            yield from exact.remarks()
        lines: dict[int, Tie] = {tie.line: tie for e in found for tie in e.ties if tie.line is not None}
        for line in sorted(lines):
            yield lines[line].text(self.pair.primal_file)


def reason(message: str) -> str:
    """Return the first error line of a compiler's message."""
    lines = [line for line in message.splitlines() if "error:" in line]
    return lines[0].strip() if lines else message.splitlines()[0]


def reproduces(after: Mapping[str, Array], outputs: Mapping[str, Array]) -> bool:
    """Whether the text with tangents computes the same values: a text that reads bits doesn't."""
    for name, expected in outputs.items():
        found = after[name]
        if expected.dtype.kind != "f":
            if not np.array_equal(found, expected):
                return False
        elif not np.allclose(found, expected, rtol=1e-9, atol=1e-12, equal_nan=True):
            return False
    return True


def derivative(pushed: Pushed, seeds: Mapping[str, Array]) -> float:
    """Return ⟨ȳ, J v⟩ of a launch."""
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
    terms = [_flat(run.buffers[of]) * _flat(direction) for of, direction in along.items()]
    right = float(sum(np.sum(term) for term in terms))
    size = max(size, float(sum(np.sum(np.abs(term)) for term in terms)))
    ties = pushed.decisions.ties
    if not (math.isfinite(left) and math.isfinite(right)):
        return Exact(name, left, right, math.nan, "not finite", ties)
    residual = abs(left - right) / size if size else 0.0
    verdict: ExactVerdict = "ok" if residual <= tolerance else "tied" if ties else "wrong"
    return Exact(name, left, right, residual, verdict, ties, size=size)


def _products(pushed: Pushed, seeds: Mapping[str, Array], total: object) -> Iterator[float]:
    """Yield the total of seed times tangent for each dependent, without elements of zero seed."""
    assert callable(total)
    for name, seed in seeds.items():
        asked = _flat(seed) != 0
        yield float(total(_flat(seed)[asked] * _flat(pushed.tangents[name])[asked]))


def _magnitude(terms: Array) -> float:
    return float(np.sum(np.abs(terms)))


def drawn(value: Value, random: np.random.Generator) -> Array:
    """Draw values in ±[0.5, 1.5], one for each element."""
    shape = value.shape if isinstance(value, np.ndarray) else (1,)
    size = random.uniform(0.5, 1.5, shape)
    return np.where(random.integers(0, 2, shape) == 0, -size, size)


def _flat(array: Array) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(array, np.float64).reshape(-1)
