"""Central differences in double precision, compared with a gradient.

J is the sum over the dependents of seed times value at exit. Its derivative with
respect to one value x is computed as

    d(h) = sum of seed * (y(x + h) - y(x - h)) / 2h

with the differences first and then the sum: an output that does not depend on x
contributes exactly zero, however large it is. Two steps, h and h/2, are computed
together. If they agree, (4 d(h/2) - d(h)) / 3 is the derivative. If they don't,
other steps are tried: smaller ones because there may be a kink near x, larger ones
because rounding may dominate the difference. If they still disagree, x is at a kink and
isn't compared. Neither is a point where the one-sided slopes differ for any h:
there the adjoint is that of the executed branch, the difference the mean of both.

An entry is excused only if the adjoint's error is within that disagreement:
a kink of the primal excuses no other mistake of its adjoint.

A difference has a resolution, about ulp(y) / h: a slope below it moves no output, or moves one by
rounding alone, at every step in the same way. Such an entry is unresolved: exact tangents
judge it (tangent_check.py), and without them it isn't compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .elements import Array, Reals
from .recipe import Value

Verdict = Literal["ok", "wrong", "kink", "unresolved", "not finite"]
Run = Callable[[Sequence[Mapping[str, Value]]], Sequence[Mapping[str, Array]]]
"""Maps sets of arguments to the arrays after a launch with each of them."""

ALL = 400  # an array of more elements is sampled
SAMPLE = 96
DIRECTIONS = 4

# Relative to the size of x. At 1e-5 truncation and rounding are both about 1e-11 for a
# function whose derivatives are all about 1.
STEPS = (1e-5, 1e-6, 1e-4, 1e-7, 1e-3)

_MEMORY = 1 << 23  # bytes of arguments for batched launches
_CREDIBLE = 1e-2  # only a difference with a smaller relative spread may set the scale
_BLUR = 4.0  # times the rounding of an output: what it is computed from is rounded, too
_DEEP = 16.0  # times that: two steps that disagree by so little need no kink to disagree
_ALLOWANCE = 10.0  # times the disagreement, for an entry at a kink
_SHRINKS = 0.75  # a smooth function's one-sided slopes differ half as much at half the step


@dataclass(frozen=True)
class Probe:
    """The variable to differentiate by: one element of an argument, or a direction through all."""

    name: str
    element: int | None
    direction: Reals | None = None


@dataclass(frozen=True)
class Estimate:
    """A derivative by differences.

    `spread`: the disagreement of two steps. `kink`: the difference of the one-sided slopes
    if it doesn't vanish with the step, else 0. `resolution`: what rounding of the outputs can
    contribute or hide. `still`: no output moved. `step`: the larger step, in the units of x.
    """

    value: float
    spread: float
    kink: float = 0.0
    resolution: float = 0.0
    still: bool = False
    step: float = 0.0

    @property
    def finite(self) -> bool:
        return math.isfinite(self.value) and math.isfinite(self.spread)

    @property
    def doubt(self) -> float:
        """By how much the value may be off; two steps that move nothing agree, and say nothing."""
        return self.spread + self.kink + (self.resolution if self.still else 0.0)

    def hides(self, adjoint: float) -> bool:
        """Whether rounding of the outputs may be all the difference between the value and an adjoint."""
        return abs(adjoint - self.value) <= self.resolution


@dataclass(frozen=True)
class Entry:
    """One comparison. `element` is the flat index; None for a random direction."""

    element: int | None
    adjoint: float
    difference: float
    error: float  # |adjoint - difference|, relative to what all independents contribute
    verdict: Verdict
    step: float = 0.0  # of the difference, in the units of x


@dataclass(frozen=True)
class _Difference:
    """A central difference: the slope, and the difference of the one-sided slopes.

    `noise` bounds the rounding of the outputs that moved, `hidden` that of all outputs.
    """

    slope: float
    bend: float
    noise: float
    hidden: float


class Objective:
    """J as a function of the arguments, by launches of the primal."""

    def __init__(self, run: Run, args: Mapping[str, Value], seeds: Mapping[str, Array]) -> None:
        self._run = run
        self._args = args
        (outputs,) = run([args])
        # Outputs that aren't finite are excluded; `excluded` has their number.
        self._finite = {name: np.isfinite(outputs[name]) for name in seeds}
        self._base = {name: self._taken(name, outputs) for name in seeds}
        self._seeds = {name: self._taken(name, seeds) for name in seeds}
        self.excluded = {name: int((~mask).sum()) for name, mask in self._finite.items()}
        self.launches = 1
        self._relative: dict[str, Reals] = {}

    @property
    def whole(self) -> bool:
        """Whether all outputs are finite."""
        return not any(self.excluded.values())

    @property
    def empty(self) -> bool:
        """Whether no output is: then J is zero, whatever the adjoint computes."""
        return not self.whole and not any(mask.any() for mask in self._finite.values())

    def estimate(self, probe: Probe, step: float) -> Estimate:
        """Estimate the derivative along the probe with steps `step` and `step / 2`, relative to x."""
        return next(self.estimates([probe], step))

    def estimates(self, wanted: Sequence[Probe], step: float) -> Iterator[Estimate]:
        """Like `estimate` for each, with launches batched within a memory limit."""
        size = sum(value.nbytes for value in self._args.values() if isinstance(value, np.ndarray))
        count = max(1, _MEMORY // (4 * size + 1))
        for first in range(0, len(wanted), count):
            moved = [self._moved(p, h) for p in wanted[first : first + count] for h in (step, step / 2)]
            runs = self._run([args for above, below, _ in moved for args in (above, below)])
            self.launches += len(runs)
            widths = [width for _, _, width in moved]
            found = list(self._differences(runs[::2], runs[1::2], np.array(widths)))
            widths = widths[::2]
            for wide, narrow, width in zip(found[::2], found[1::2], widths, strict=True):
                value = (4 * narrow.slope - wide.slope) / 3
                spread = abs(wide.slope - narrow.slope)
                noise, still = narrow.noise, not (wide.noise or narrow.noise)
                bent = abs(narrow.bend) > max(_SHRINKS * abs(wide.bend), 100 * noise)
                kink = abs(narrow.bend) if bent else 0.0
                # An output that moves at the wider step alone is as blurred at the narrow one; if none moves
                # at either, the wider one tells more.
                resolution = _BLUR * (wide.hidden if still else max(noise, 2 * wide.noise))
                yield Estimate(value, max(spread, noise / 100), kink, resolution, still, width / 2)

    def _differences(
        self, high: Sequence[Mapping[str, Array]], low: Sequence[Mapping[str, Array]], width: Reals
    ) -> Iterator[_Difference]:
        """Yield the central difference of each pair of runs."""
        slope, bend, noise, hidden = (np.zeros(len(width)) for _ in range(4))
        for name, seed in self._seeds.items():
            up, down = (np.stack([self._taken(name, run) for run in runs]) for runs in (high, low))
            base = self._base[name]
            slope += (seed * (up - down)).sum(axis=1)
            bend += (seed * ((up - base) + (down - base))).sum(axis=1)
            size = np.abs(seed) * (np.abs(up) + np.abs(down)) * np.finfo("f8").eps
            noise += (size * ((up != base) | (down != base))).sum(axis=1)
            hidden += size.sum(axis=1)
        for values in zip(slope / width, 2 * bend / width, noise / width, hidden / width, strict=True):
            yield _Difference(*map(float, values))

    def _taken(self, name: str, arrays: Mapping[str, Array]) -> Reals:
        """Return the values of a dependent, or of its seed, that aren't excluded."""
        array, mask = arrays[name].astype(np.float64, copy=False), self._finite[name]
        return array.reshape(-1) if mask.all() else array[mask]

    def _sizes(self, name: str) -> Reals:
        """Return what the steps of an array's elements are relative to: `step_size` of each."""
        if name not in self._relative:
            self._relative[name] = step_sizes(self._args[name])
        return self._relative[name]

    def _moved(self, probe: Probe, step: float) -> tuple[dict[str, Value], dict[str, Value], float]:
        """Return the arguments above and below, and the distance between them."""
        value = self._args[probe.name]
        if not isinstance(value, np.ndarray):
            by = step * step_size(value, 0)
            return (
                {**self._args, probe.name: value + by},
                {**self._args, probe.name: value - by},
                (value + by) - (value - by),
            )
        above, below = value.astype(np.float64), value.astype(np.float64)
        width = 2 * step
        if probe.direction is not None:
            moved = step * probe.direction.reshape(value.shape)
            above += moved
            below -= moved
        else:
            assert probe.element is not None
            at = np.unravel_index(probe.element, value.shape)
            by = step * float(self._sizes(probe.name)[probe.element])
            above[at] += by
            below[at] -= by
            width = float(above[at] - below[at])
        return {**self._args, probe.name: above}, {**self._args, probe.name: below}, width


def probes(name: str, value: Value, gradient: Array, random: np.random.Generator) -> list[Probe]:
    """Probe every element of a small argument; a sample of a large one, and directions through all.

    The sample has both ends, where guards matter, the largest adjoints, evenly spaced
    elements, and random ones.
    """
    count = value.size if isinstance(value, np.ndarray) else 1
    if count <= ALL:
        return [Probe(name, i) for i in range(count)]
    assert isinstance(value, np.ndarray)
    quarter = SAMPLE // 4
    finite = np.nan_to_num(np.abs(gradient.reshape(-1)), nan=np.inf)
    chosen = {
        *range(quarter // 2),
        *range(count - quarter // 2, count),
        *(int(i) for i in np.argsort(-finite, kind="stable")[:quarter]),
        *(int(i) for i in np.linspace(0, count - 1, quarter)),
        *(int(i) for i in random.integers(0, count, quarter)),
    }
    sizes = step_sizes(value)
    directions = [Probe(name, None, sizes * random.choice((-1.0, 1.0), count)) for _ in range(DIRECTIONS)]
    return [Probe(name, i) for i in sorted(chosen)] + directions


def compare(
    objective: Objective,
    wanted: Sequence[Probe],
    gradient: Array,
    tolerance: float,
    tick: Callable[[], None] = lambda: None,
) -> list[Entry]:
    """Compare the gradient with differences at each probe; errors are relative to the largest of both."""
    flat = gradient.reshape(-1).astype(np.float64)
    first = []
    for estimate in objective.estimates(wanted, STEPS[0]):
        first.append(estimate)
        tick()
    scale = _scale(flat, [e for p, e in zip(wanted, first, strict=True) if p.direction is None])
    found: list[tuple[Probe, float, Estimate]] = []
    for probe, estimate in zip(wanted, first, strict=True):
        adjoint = _adjoint(flat, probe)
        size = _direction_scale(flat, probe, scale)
        found.append((probe, adjoint, _refined(objective, probe, estimate, adjoint, tolerance * size)))
    scale = _scale(flat, [e for p, _, e in found if p.direction is None])
    return [
        _entry(probe, adjoint, estimate, _direction_scale(flat, probe, scale), tolerance, objective.whole)
        for probe, adjoint, estimate in found
    ]


def _refined(objective: Objective, probe: Probe, best: Estimate, adjoint: float, within: float) -> Estimate:
    """Return the estimate, or a better one at other steps if it isn't accurate enough to judge by."""
    for step in STEPS[1:]:
        gap = abs(adjoint - best.value)
        settled = best.finite and best.spread <= 0.1 * within and best.kink <= 10 * within
        if gap > within and best.hides(adjoint):  # another step may resolve it
            settled = False
        if settled or (best.finite and best.spread <= within and gap <= within / 2):
            break
        other = objective.estimate(probe, step)
        if other.finite and (not best.finite or other.doubt < best.doubt):
            best = other
    return best


def _entry(
    probe: Probe, adjoint: float, estimate: Estimate, scale: float, tolerance: float, whole: bool
) -> Entry:
    difference = estimate.value
    # An output that isn't finite has a zero seed, whose product with an infinite partial is NaN.
    if not estimate.finite or not (whole or math.isfinite(adjoint)):
        return Entry(probe.element, adjoint, difference, 0.0, "not finite")
    if not math.isfinite(adjoint):
        return Entry(probe.element, adjoint, difference, math.inf, "wrong")
    gap = abs(adjoint - difference)
    scale = max(scale, abs(adjoint) if probe.direction is not None else 0.0)
    error = gap / scale if gap else 0.0
    if error <= tolerance:
        return Entry(probe.element, adjoint, difference, error, "ok")
    if estimate.hides(adjoint):
        return Entry(probe.element, adjoint, difference, error, "unresolved", estimate.step)
    doubtful = estimate.spread > tolerance * scale or estimate.kink > 10 * tolerance * scale
    if doubtful and gap <= _ALLOWANCE * estimate.spread + estimate.kink:
        blurred = not estimate.kink and gap <= _DEEP * estimate.resolution
        verdict: Verdict = "unresolved" if blurred else "kink"
        return Entry(probe.element, adjoint, difference, error, verdict, estimate.step)
    return Entry(probe.element, adjoint, difference, error, "wrong", estimate.step)


def _adjoint(flat: Reals, probe: Probe) -> float:
    if probe.direction is None:
        assert probe.element is not None
        return float(flat[probe.element])
    return float(np.sum(flat * probe.direction))


def _scale(flat: Reals, estimates: Sequence[Estimate]) -> float:
    """Return max(‖d‖∞, ‖g‖∞) over finite and credible values; 1 if all are zero."""
    return max(_magnitudes(flat, estimates), default=0.0) or 1.0


def _magnitudes(flat: Reals, estimates: Sequence[Estimate]) -> Iterator[float]:
    finite = np.abs(flat[np.isfinite(flat)])
    if finite.size:
        yield float(finite.max())
    for estimate in estimates:
        if estimate.finite and estimate.spread <= _CREDIBLE * abs(estimate.value):
            yield abs(estimate.value)


def _direction_scale(flat: Reals, probe: Probe, scale: float) -> float:
    """Return the scale for a probe; for a random direction, the expected size of its derivative."""
    if probe.direction is None:
        return scale
    along = flat * probe.direction
    length = float(np.sqrt(np.sum(along[np.isfinite(along)] ** 2)))
    return length or scale


def step_size(value: Value, element: int) -> float:
    """Return the size that a step is relative to: the element's, at least the array's mean; 1 for zeros."""
    if not isinstance(value, np.ndarray):
        return abs(value) or 1.0
    return max(abs(float(value.reshape(-1)[element])), _mean(value))


def step_sizes(value: Value) -> Reals:
    """Return `step_size` of each element of an array."""
    assert isinstance(value, np.ndarray)
    return np.maximum(np.abs(value).astype(np.float64), _mean(value)).reshape(-1)


def _mean(value: Array) -> float:
    mean = float(np.mean(np.abs(value))) if value.size else 0.0
    return mean if mean > 0 and math.isfinite(mean) else 1.0
