"""Compare products with a Hessian with those of the primal's own text, which needs neither adjoint nor step.

The text is compiled with hyper-dual numbers: a value, its tangents along two directions, and the second
derivative along both. Launched along u and v it gives ⟨ȳ, d²y(u, v)⟩ = u · H v to rounding. If the seeds ȳ
have tangents w, a second-order kernel returns H v + Jᵀ w, and u times that is ⟨ȳ, d²y(u, v)⟩ + ⟨w, J u⟩.
This shares no code with the transformation, and doesn't run the adjoint.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Code, Rejected, diagnose
from ..run.backend import (
    Backend,
    CompileFailed,
    Decisions,
    Differentiator,
    LaunchFailed,
    WatchUnavailable,
)
from ..run.values import HYPER
from .elements import Array, Reals, is_floating
from .forward_check import Direction, Runner
from .launching import Pair
from .recipe import Launch, Setting, Value
from .tangent_check import (
    BLURRED,
    DIRECTIONS,
    SHAKES,
    SPREADS,
    Exact,
    ExactVerdict,
    drawn,
    reason,
    reproduces,
)

TOLERANCE = 1e-11

Numbers = NDArray[Any]  # of the type HYPER


@dataclass(frozen=True)
class Pushed:
    """Arrays after the primal, their tangents along the first direction, and their second derivatives."""

    outputs: Mapping[str, Array]
    first: Mapping[str, Reals]
    both: Mapping[str, Reals]
    decisions: Decisions


class HyperDual:
    """A primal compiled with hyper-dual numbers. Raises run.backend's CompileFailed, WatchUnavailable."""

    def __init__(self, pair: Pair, backend: Differentiator) -> None:
        self._kernel = pair.primal
        self._module = backend.differentiate(pair.wide_text, [pair.primal], name=pair.primal_file, twice=True)

    def push(
        self, launch: Launch, args: Mapping[str, Value], one: Direction, two: Direction, shake: int = 0
    ) -> Pushed:
        """Launch along two directions, in double precision. Raises Rejected: `launch-failed`.

        `shake`: a seed, to round at random, which shows the accuracy of the result.
        """
        given: dict[str, Value | np.generic] = {}
        for argument in self._kernel.arguments:
            name, value = argument.name, args[argument.name]
            if is_floating(argument.type):
                given[name] = _hyper_dual(value, one.get(name, 0.0), two.get(name, 0.0))
            else:
                given[name] = value.copy() if isinstance(value, np.ndarray) else value
        kernel = self._kernel
        try:
            # a hyper-dual number is four times as large as a double
            decisions = self._module.push(
                kernel, launch.grid, launch.block, given, 4 * launch.shared_bytes, shake=shake
            )
        except LaunchFailed as error:
            raise Rejected(
                diagnose(Code.LAUNCH_FAILED, None, kernel=kernel.name, reason=str(error))
            ) from error
        arrays = {n: value for n, value in given.items() if isinstance(value, np.ndarray) and value.ndim}
        moved: dict[str, Numbers] = {n: array for n, array in arrays.items() if array.dtype == HYPER}
        return Pushed(
            {n: moved[n]["value"] if n in moved else array for n, array in arrays.items()},
            {n: array["first"] for n, array in moved.items()},
            {n: array["both"] for n, array in moved.items()},
            decisions,
        )


def _hyper_dual(value: Value, one: Array | float, two: Array | float) -> Value | np.generic:
    """Return a number or an array with tangents along two directions."""
    whole: Numbers = np.zeros(np.shape(value), HYPER)
    for part, given in (("value", value), ("first", one), ("second", two)):
        whole[part] = np.reshape(given, whole.shape) if np.size(given) == whole.size else given
    if isinstance(value, np.ndarray):
        return whole
    number: np.generic = whole.reshape(1)[0]
    return number


@dataclass(frozen=True)
class Oracle:
    """The primal with hyper-dual numbers on the data of a case; `why_not` says why there are none.

    `seeds` are by the names of the primal's arrays.
    """

    pair: Pair
    setting: Setting
    seeds: Mapping[str, Array]
    numbers: HyperDual | None = None
    why_not: str = ""

    @staticmethod
    def of(
        pair: Pair,
        backend: Backend,
        setting: Setting,
        outputs: Mapping[str, Array],
        seeds: Mapping[str, Array],
    ) -> Oracle:
        oracle = Oracle(pair, setting, seeds)
        if not isinstance(backend, Differentiator):
            return oracle
        try:
            numbers = HyperDual(pair, backend)
            pushed = numbers.push(setting.launch, setting.args, {}, {})
        except CompileFailed as error:
            return replace(oracle, why_not=reason(str(error)))
        except (Rejected, WatchUnavailable) as error:
            return replace(oracle, why_not=str(error))
        if not reproduces(pushed.outputs, outputs):
            return replace(oracle, why_not=f"{pair.primal.name} gives other values when run with them")
        return replace(oracle, numbers=numbers)

    def compare(self, runner: Runner, whole: Setting) -> list[Exact]:
        """Compare a second-order kernel, in the setting of its adjoint, along pairs of directions.

        The first direction is through one argument or through all, the second through all arguments and
        seeds. Raises Rejected.
        """
        if self.numbers is None:
            return []
        random = np.random.default_rng(3)
        adjoints = self.pair.adjoints
        moved = {a.of for a in runner.moved}
        gradients = {a.of: a.name for a in adjoints if a.use != "seed" and {a.of, a.name} <= moved}
        free = [name for name in gradients if is_floating(self._type(name))]
        seeding = {a.of: a.name for a in adjoints if a.of in self.seeds and a.name in moved}
        found = []
        for names in (*([name] for name in free), *[free] * (DIRECTIONS if len(free) > 1 else 0)):
            one = {name: drawn(self.setting.args[name], random) for name in names}
            two = {name: drawn(self.setting.args[name], random) for name in free}
            turned = {of: np.where(self.seeds[of] != 0, drawn(self.seeds[of], random), 0.0) for of in seeding}
            along = {**two, **{name: turned[of] for of, name in seeding.items()}}
            run = runner.run(whole.launch, whole.args, along)
            products = {name: run.tangents[gradients[name]] for name in names}
            one = {name: np.where(np.isfinite(products[name]), one[name], 0.0) for name in names}
            name = names[0] if len(names) == 1 else ""
            found.append(self._judged(name, _Pair(one, two, turned), products))
        return found

    def _type(self, name: str) -> str:
        return next((a.type for a in self.pair.primal.arguments if a.name == name), "")

    def _judged(self, name: str, along: _Pair, products: Mapping[str, Array]) -> Exact:
        pushed = self._push(along)
        terms, own = self._terms(along, pushed), _terms(along.one, products)
        left, right = float(np.sum(terms)), float(np.sum(own))
        size = max(float(np.sum(np.abs(terms))), float(np.sum(np.abs(own))))
        exact = Exact(name, left, right, math.nan, "not finite", pushed.decisions.ties, size=size)
        exact = replace(exact, what="second-order kernel", order=2)
        if not (math.isfinite(left) and math.isfinite(right)):
            return exact
        gap = abs(left - right)
        residual = gap / size if size else 0.0
        verdict: ExactVerdict = "ok" if residual <= TOLERANCE else "tied" if exact.ties else "wrong"
        moved = 0.0
        if verdict == "wrong" and residual <= BLURRED:
            moved = max((abs(other - left) for other in self._shaken(along, pushed)), default=0.0)
            verdict = "ok" if gap <= SPREADS * moved else "wrong"
        return replace(exact, residual=residual, verdict=verdict, moved=moved)

    def _push(self, along: _Pair, shake: int = 0) -> Pushed:
        assert self.numbers is not None
        return self.numbers.push(self.setting.launch, self.setting.args, along.one, along.two, shake)

    def _shaken(self, along: _Pair, pushed: Pushed) -> Iterator[float]:
        """Yield the product of launches that round at random, with the same branches."""
        for seed in range(1, SHAKES + 1):
            run = self._push(along, seed)
            if run.decisions.mark == pushed.decisions.mark:
                yield float(np.sum(self._terms(along, run)))

    def _terms(self, along: _Pair, pushed: Pushed) -> Reals:
        """Return the terms of ⟨ȳ, d²y(u, v)⟩ + ⟨w, J u⟩, without elements whose seed is zero."""
        asked = {name: np.where(seed != 0, pushed.both[name], 0.0) for name, seed in self.seeds.items()}
        turned = {name: np.where(self.seeds[name] != 0, pushed.first[name], 0.0) for name in along.of_seeds}
        return np.concatenate([_terms(self.seeds, asked), _terms(along.of_seeds, turned)])


@dataclass(frozen=True)
class _Pair:
    """Two directions, u and v, and that of the seeds."""

    one: Direction
    two: Direction
    of_seeds: Direction


def _terms(weights: Mapping[str, Array], values: Mapping[str, Array]) -> Reals:
    """Return the products of corresponding elements, without those of zero weight."""
    found: list[Reals] = [np.zeros(0)]
    for name, weight in weights.items():
        flat, other = np.ravel(weight).astype(np.float64), np.ravel(values[name]).astype(np.float64)
        found.append(flat[flat != 0] * other[flat != 0])
    return np.concatenate(found)


def notes(oracle: Oracle, found: Sequence[Exact]) -> Iterator[str]:
    """Yield notes on comparisons that are unavailable or inexact."""
    if oracle.why_not:
        yield f"no exact second derivatives: {oracle.why_not}"
    for exact in found:
        yield from exact.remarks()
