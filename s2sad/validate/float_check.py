"""Compare the adjoint with `float` as float to itself with `float` as double.

Every other check reads `float` as `double`, which hides cancellation, overflow and
a conversion to the wrong type. Here the text runs unchanged,
on data rounded to float so that both runs get the same.

They may differ by the effect of rounding on the problem itself. So the double run is repeated
with every input, seed and saved value perturbed by up to one and a half units in the last
place. The deviation of an element measures its conditioning, including
cancellation in sums. An element's error is measured in units of that, or of
float's accuracy (2^-23 of the element) if that is larger.

Four deviations are not a fault of the adjoint. Near a branch, a kink or a step, float and
double may take different branches: then larger perturbations make the double run jump, too. The
primal's own rounding may change its derivative: exact tangents of the primal with values
rounded to float show that. An element that is tiny compared with the others has their rounding
error. And if everything cancels, the exact gradient is zero and the computed one is
rounding.

Conversely, if the primal computes the same in both, it has no float that matters,
and adjoints of doubles must agree to the accuracy of doubles. But values don't show a float
whose effects cancel, f - (float)f: where a derivative is much smaller than its terms, floats
may have their rounding of the terms. Tangents that round at random show the size of the terms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Rejected
from ..run.backend import Backend, CompileFailed, Differentiator, WatchUnavailable
from ..run.float_widening import to_double
from .elements import Array, Reals, finite, magnitude
from .float_inputs import UNIT, Given
from .launching import AdjointRun, Pair
from .recipe import Launch, Value
from .tangent_check import derivative
from .tangents import Tangents

# Fewer units of the largest element than this are rounding of an ordinary sum.
_AMONG_OTHERS = 4.0
# A gradient whose effect on J is less than this share of the largest is treated as zero.
_NOTHING = 1e-9
# Nor has one any digits that is less than this share of the largest seed: as doubles its terms cancel.
_CANCELLED = 1e-13
# Of the largest result: what differs by more in float went another way, at a branch or a step.
_TURNED = 1e-3
_SAMPLES = 5
_FARTHER = 64.0  # units; a smooth function deviates by as many times as much
_JUMP = 4.0
_SECOND_LOOKS = 24  # at elements of each argument
_SMALLEST = float(np.finfo(np.float32).tiny)  # below it a float has fewer digits
_SMALLEST_HALF = float(np.finfo(np.float16).tiny)
# Equal as doubles; a conversion to float in between would make the difference 6e-8. Gradients get a looser
# bound than values: a float that hardly affects the values may show there.
_AS_DOUBLES = 1e-11
_AS_FLOATS = 1e-9
# Terms so many times as large as a derivative by a double cancel; a float leaves so many units of them.
_CANCELLING = 1024.0
_LEFT = 4.0

FloatVerdict = Literal["ok", "wrong", "not compared"]
Flags = NDArray[np.bool_]
Run = Callable[[Mapping[str, Value], Mapping[str, Array]], AdjointRun]
Primal = Callable[[Mapping[str, Value]], Mapping[str, Array]]


@dataclass(frozen=True)
class Single:
    """The result for one argument: its worst element in units, and its value in float and in double.

    `branches`: elements near a branch, or decided by the primal's rounding, or left of terms that
    cancel, which weren't judged. `small`: the number of elements that
    lost digits, but are tiny compared with the largest.
    """

    name: str
    elements: int
    worst: float
    element: int | None
    as_float: float
    as_double: float
    wrong: int
    verdict: FloatVerdict
    branches: tuple[int, ...] = ()
    small: int = 0
    double: bool = False  # an adjoint of doubles that lost digits to an intermediate float

    def text(self) -> str:
        if self.double:
            return (
                f"gradient of {self.name}, a double, passes through a float: [{self.element}] is "
                f"{self.as_float:.15g}, in double {self.as_double:.15g}; the primal has no such float"
            )
        return (
            f"gradient of {self.name} in float: {self.wrong} of {self.elements} elements lose digits; worst "
            f"at [{self.element}]: {self.as_float:.9g}, in double {self.as_double:.9g}, "
            + (
                f"{self.worst:.1e} times the effect of rounding the inputs"
                if math.isfinite(self.worst)
                else "not finite"
            )
        )

    def to_dict(self) -> dict[str, object]:
        return {
            "argument": self.name,
            "elements": self.elements,
            "worst": finite(self.worst),
            "element": self.element,
            "float": finite(self.as_float),
            "double": finite(self.as_double),
            "wrong": self.wrong,
            "verdict": self.verdict,
            "branches": list(self.branches),
            "small": self.small,
        }


@dataclass(frozen=True)
class Runs:
    """Functions that run adjoint and primal, with `float` as double and as float.

    `double_dependents`, `double_independents`: those that are doubles in the text, although
    computations between them may use floats.
    """

    double: Run
    single: Run
    outputs: Primal
    float_outputs: Primal
    tangent: Callable[[str, int], float | None]  # by an element, with the primal's values rounded to float
    double_dependents: frozenset[str] = frozenset()
    double_independents: frozenset[str] = frozenset()
    # By how much rounding as double changes the derivative by an element, with these seeds; None if there are
    # no tangents, or the primal has no floats that terms may be rounded to.
    moved: Callable[[str, int, Mapping[str, Array]], float | None] = lambda name, element, seeds: None


class Tangent:
    """The primal's derivative by one element, with its values rounded to float."""

    def __init__(self, pair: Pair, backend: Backend, launch: Launch, entry: Given) -> None:
        """`entry`: the primal's arguments and the seeds."""
        self._pair = pair
        self._backend = backend
        self._given = launch, entry.values
        self._seeds = entry.buffers

    @cached_property
    def _tangents(self) -> Tangents | None:
        """The compiled tangents, made on demand: few adjoints need them."""
        pair = self._pair
        if not isinstance(self._backend, Differentiator):
            return None
        try:
            return Tangents(pair.wide_text, pair.primal, self._backend, pair.primal_file, rounded=True)
        except (CompileFailed, WatchUnavailable):
            return None

    def __call__(self, name: str, element: int) -> float | None:
        """Return the derivative by one element; None if tangents are unavailable."""
        if self._tangents is None:
            return None
        along = np.zeros(np.shape(self._given[1][name]) or (1,))
        along.reshape(-1)[element] = 1.0
        return derivative(self._tangents.push(*self._given, {name: along}), self._seeds)


def has_floats(text: str) -> bool:
    """Whether the text changes with `float` as double."""
    return to_double(text) != text


def judge(runs: Runs, given: Given, names: Mapping[str, Value]) -> tuple[list[Single], list[str]]:
    """Judge the gradients of `names`, a map to their arguments; return results and remarks."""
    try:
        found = _compared(runs, given, names)
        if any(not math.isfinite(one.worst) for one in found) and not _finite(runs, given):
            return [], ["float as float was not checked: values of the primal are out of the range of float"]
        apart: dict[str, int] = {}
        if any(one.verdict == "wrong" for one in found):
            silent, apart = _without_turned(runs, given)
            found = _compared(runs, silent, names) if apart else found
        found += _as_doubles(runs, given)
    except Rejected as error:
        return [], [f"float as float was not run: {error.diagnostics[0].title}"]
    turned = [
        f"{name}: {count} elements where the primal branches differently in float are excluded"
        for name, count in apart.items()
    ]
    return found, [*turned, *_remarks(found)]


def _without_turned(runs: Runs, given: Given) -> tuple[Given, dict[str, int]]:
    """Zero the seeds of results that take another branch in float; return their number for each array."""
    exact = given.rounded()
    wide, thin = runs.outputs(exact.values), runs.float_outputs(exact.narrow().values)
    buffers, apart = dict(given.buffers), dict[str, int]()
    for name in wide.keys() & buffers.keys():
        w, t = _flat(wide[name]), _flat(thin[name])
        other = np.abs(t - w) > _TURNED * np.max(np.abs(w), initial=0.0, where=np.isfinite(w))
        if other.any() and buffers[name].any():
            buffers[name] = np.where(other.reshape(buffers[name].shape), 0, buffers[name])
            apart[name] = int(other.sum())
    return given.holding(given.values, buffers), apart


def _compared(runs: Runs, given: Given, names: Mapping[str, Value]) -> list[Single]:
    exact = given.rounded()
    base = runs.double(exact.values, exact.buffers).buffers
    random = np.random.default_rng(2)
    strayed = _strayed(runs.double, exact, base, 1.0, random)
    narrow = exact.narrow()
    found = runs.single(narrow.values, narrow.buffers).buffers
    moves = {name: _moves(base[name], value) for name, value in names.items()}
    seeds = max((magnitude(buffer) for buffer in exact.buffers.values()), default=0.0)
    nothing = max(_NOTHING * max(moves.values(), default=0.0), _CANCELLED * seeds)
    farther: dict[str, Reals] = {}
    told = []
    for name in names:
        g, f = _flat(base[name]), _flat(found[name])
        if moves[name] <= nothing or not np.isfinite(g).any():
            told.append(Single(name, g.size, 0.0, None, math.nan, math.nan, 0, "not compared"))
            continue
        units = _units(g, f, strayed[name], given.unit)
        if (units > given.most).any() and not farther:
            farther = _strayed(runs.double, exact, base, _FARTHER, random)
        beside = _excused(runs, given, name, g, f, strayed[name], farther, units)
        told.append(_judged(given, name, g, f, units, beside))
    return told


def _excused(
    runs: Runs,
    given: Given,
    name: str,
    g: Reals,
    f: Reals,
    strayed: Reals,
    farther: Mapping[str, Reals],
    units: Reals,
) -> Flags:
    """Flag elements whose error is not a fault of the adjoint."""
    lost = units > given.most
    if not lost.any():
        return lost
    gap = np.where(np.isfinite(f), np.abs(f - g), np.inf)
    beside: Flags = lost & ((gap <= _JUMP * farther[name]) | np.isinf(farther[name]))
    left = np.flatnonzero(lost & ~beside)
    looked = left[np.argsort(-units[left], kind="stable")][:_SECOND_LOOKS]
    for at in looked:
        t = runs.tangent(name, int(at))
        if not np.isfinite(f[at]):  # in float, the primal's own formula may have 0 * inf
            beside[at] = t is not None and not math.isfinite(t)
            continue
        if t is not None and math.isfinite(t):
            agrees = abs(f[at] - t) <= given.most * max(strayed[at], given.unit * abs(t))
            beside[at] = agrees or gap[at] <= _JUMP * abs(t - g[at])
        if not beside[at]:
            beside[at] = _a_rest(runs, given.buffers, name, int(at), float(g[at]), float(f[at]))
    if len(left) > len(looked) and beside[looked].all():
        beside[left] = True
    return beside


def _finite(runs: Runs, given: Given) -> bool:
    """Whether the primal's results in float are finite where those in double are."""
    exact = given.rounded()
    wide, thin = runs.outputs(exact.values), runs.float_outputs(exact.narrow().values)
    return all(bool((np.isfinite(_flat(thin[n])) | ~np.isfinite(_flat(wide[n]))).all()) for n in wide)


def _as_doubles(runs: Runs, given: Given) -> list[Single]:
    """Judge adjoints of doubles, seeded at doubles that the primal computes without floats."""
    seeds, names = runs.double_dependents, runs.double_independents
    if not seeds or not names:
        return []
    exact = given.rounded()
    wide, thin = runs.outputs(exact.values), runs.float_outputs(exact.narrow().values)
    same = {
        name
        for name in seeds
        if _changed_alike(_flat(np.asarray(exact.values[name])), _flat(wide[name]), _flat(thin[name]))
    }
    if not same:
        return []
    silent = {n: b if n in same else np.zeros_like(b) for n, b in exact.buffers.items()}
    exact = exact.holding(exact.values, silent)
    narrow = exact.narrow()
    base = runs.double(exact.values, exact.buffers).buffers
    found = runs.single(narrow.values, narrow.buffers).buffers
    return [single for name in sorted(names) if (single := _lost(runs, silent, name, base, found))]


def _lost(
    runs: Runs, seeds: Mapping[str, Array], name: str, base: Mapping[str, Array], found: Mapping[str, Array]
) -> Single | None:
    g, f = _flat(base[name]), _flat(found[name])
    lost = ~_same(g, f)
    if not lost.any():
        return None
    left = _cancelled(runs, seeds, name, g, f, lost)
    wrong = lost & ~left
    at = int(np.argmax(np.where(wrong, np.abs(f - g), -1)))
    units = float(abs(f[at] - g[at]) / (UNIT * np.max(np.abs(g), initial=_SMALLEST)))
    return Single(
        name,
        g.size,
        units if wrong.any() else 0.0,
        at,
        float(f[at]),
        float(g[at]),
        int(wrong.sum()),
        "wrong" if wrong.any() else "ok",
        tuple(int(i) for i in np.flatnonzero(left)),
        double=True,
    )


def _cancelled(runs: Runs, seeds: Mapping[str, Array], name: str, g: Reals, f: Reals, lost: Flags) -> Flags:
    """Flag lost elements that are the rest of terms that cancel; the worst are looked at for all."""
    rest: Flags = np.zeros(g.size, bool)
    left = np.flatnonzero(lost & np.isfinite(f))
    looked = left[np.argsort(-np.abs(f - g)[left], kind="stable")][:_SECOND_LOOKS]
    for at in looked:
        rest[at] = _a_rest(runs, seeds, name, int(at), float(g[at]), float(f[at]))
    if len(left) > len(looked) and rest[looked].all():
        rest[left] = True
    return rest


def _a_rest(runs: Runs, seeds: Mapping[str, Array], name: str, at: int, g: float, f: float) -> bool:
    """Whether an element's terms cancel, and its error is that of rounding them to float.

    A float's formula may avoid a cancellation, as expm1 does, so of a float all digits must have cancelled.
    """
    moved = runs.moved(name, at, seeds)
    if moved is None or not math.isfinite(moved):
        return False
    terms = moved / np.finfo(float).eps
    times = _CANCELLING if name in runs.double_independents else 1 / UNIT
    return bool(abs(g) * times <= terms and abs(f - g) <= _LEFT * UNIT * terms)


def _same(wide: Reals, thin: Reals) -> Flags:
    size = np.max(np.abs(wide), initial=0.0, where=np.isfinite(wide))
    same: Flags = (np.abs(wide - thin) <= _AS_FLOATS * size) | ~np.isfinite(wide)
    return same


def _changed_alike(before: Reals, wide: Reals, thin: Reals) -> bool:
    """Whether two runs change an array by the same amounts.

    A small change to a large number is lost in its rounding, and so is a small result of large numbers.
    Then doubles don't tell whether floats were used, and the answer is no. Each element is compared
    relative to its own size: the float error of a tiny one is negligible relative to the largest.
    """
    finite = np.isfinite(wide) & np.isfinite(before)
    largest = [float(np.max(np.abs(a), initial=0.0, where=finite)) for a in (wide, wide - before)]
    change = min(largest)
    rounded = 4.0 * np.finfo(float).eps * np.abs(wide)
    if np.max(rounded, initial=0.0, where=finite) > _AS_FLOATS * change:
        return False
    own = _AS_DOUBLES * np.minimum(change, np.abs(wide))
    return bool(((np.abs(wide - thin) <= own + rounded) | ~np.isfinite(wide)).all())


def _strayed(
    run: Run, given: Given, base: Mapping[str, Array], units: float, random: np.random.Generator
) -> dict[str, Reals]:
    """Return the largest deviation of each element from its base under perturbed inputs."""
    far = {name: np.zeros(array.size) for name, array in base.items()}
    for _ in range(_SAMPLES):
        other = given.moved(units, random)
        found = run(other.values, other.buffers).buffers
        for name, array in base.items():
            gap = np.abs(_flat(found[name]) - _flat(array))
            far[name] = np.maximum(far[name], np.where(np.isnan(gap), np.inf, gap))
    return far


def _units(g: Reals, f: Reals, strayed: Reals, accuracy: float) -> Reals:
    """Return errors in units; 0 where the double isn't finite, infinite where only the float isn't."""
    smallest = _SMALLEST if accuracy == UNIT else _SMALLEST_HALF
    unit = np.maximum(np.maximum(strayed, accuracy * np.abs(g)), accuracy * smallest)
    units = np.where(np.isfinite(f), np.abs(f - g) / unit, np.inf)
    return np.where(np.isfinite(g) & np.isfinite(unit), units, 0.0)


def _judged(given: Given, name: str, g: Reals, f: Reals, units: Reals, beside: Flags) -> Single:
    lost = units > given.most
    gap = np.where(np.isfinite(f), np.abs(f - g), np.inf)
    top = float(np.max(np.abs(g), initial=0.0, where=np.isfinite(g)))
    small = lost & ~beside & (gap <= _AMONG_OTHERS * given.unit * top)
    wrong = lost & ~beside & ~small
    counted = np.where(beside | small, 0.0, units)
    at = int(np.argmax(counted))
    return Single(
        name,
        g.size,
        float(counted[at]),
        at,
        float(f[at]),
        float(g[at]),
        int(wrong.sum()),
        "wrong" if wrong.any() else "ok",
        tuple(int(i) for i in np.flatnonzero(beside)),
        int(small.sum()),
    )


def _remarks(found: list[Single]) -> Iterator[str]:
    """Yield notes on elements that weren't judged or are inaccurate."""
    for single in found:
        if single.branches:
            some = ", ".join(f"[{i}]" for i in single.branches[:5])
            more = f" and {len(single.branches) - 5} more" if len(single.branches) > 5 else ""
            why = (
                "are what rounding to float leaves of terms that cancel"
                if single.double
                else "depend on a branch or on rounding in the primal"
            )
            yield f"{single.name}: {some}{more} {why}; not checked"
        if single.small:
            yield f"{single.name}: {single.small} small elements have few correct digits in float"


def _moves(gradient: Array, value: Value) -> float:
    """Return the change of J if the argument changes by its own size."""
    g, x = _flat(gradient), np.abs(np.asarray(value, np.float64)).reshape(-1)
    size = np.maximum(x, (float(np.mean(x)) if x.size else 0.0) or 1.0)
    product = np.abs(g) * size
    return float(np.max(product, initial=0.0, where=np.isfinite(product)))


def _flat(array: Array) -> Reals:
    return np.asarray(array, np.float64).reshape(-1)
