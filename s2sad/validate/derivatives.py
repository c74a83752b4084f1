"""Derivatives of one launch from emitted texts: tangents, Jacobians, Hessian products and Hessians.

They run in the precision of the kernel, on any backend. A Jacobian takes a launch of the tangent kernel
for each element of the independents, or one of the adjoint for as many elements of the dependents as it has
seeds, whichever are fewer; a Hessian one of the second-order kernel for each element of the independents,
or for as many as it has directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from ..diagnostics import Code, Rejected, diagnose
from ..run.backend import Backend
from ..signature import Signature
from .arguments import dimensions, prepare, prepare_seeds
from .elements import Array, Real
from .forward_check import Runner, TangentRun
from .gradients import gradient_of, like, spread_seeds
from .jvp import Tangent, prepared_tangents
from .launching import Launcher, Pair
from .recipe import Launch, Value
from .second_order_check import Twice, integers_of_adjoints
from .spread import gathered, spread


@dataclass(frozen=True)
class Products:
    """The gradient of J, and its Hessian times a direction, by independent; J as in `gradient`."""

    gradients: Mapping[str, Array]
    products: Mapping[str, Array]


@dataclass(frozen=True)
class Call:
    """A launch and its arguments, as the caller gives them."""

    grid: int | tuple[int, ...]
    block: int | tuple[int, ...]
    args: Mapping[str, ArrayLike]
    shared_bytes: int = 0

    @property
    def launch(self) -> Launch:
        return Launch(dimensions("grid", self.grid), dimensions("block", self.block), self.shared_bytes)

    def values(self, kernel: Signature, real: Real = "float") -> dict[str, Value]:
        """Return the kernel's arguments, one for each field of a struct. Raises Rejected."""
        return prepare(spread(self.args, kernel), kernel, real)


def tangents(pair: Pair, backend: Backend, call: Call, along: Mapping[str, ArrayLike]) -> Tangent:
    """Run a tangent kernel once. Raises Rejected."""
    kernel = pair.primal
    values = call.values(kernel)
    direction = prepared_tangents(along, kernel, values)
    run = _run(Runner(pair, backend, "float"), call.launch, values, direction)
    given = {name: np.asarray(value) for name, value in spread(call.args, kernel).items()}
    after = {name: like(given[name], array) for name, array in run.values.items()}
    found = {name: like(given[name], array) for name, array in run.tangents.items()}
    return Tangent(
        gathered(after, call.args, kernel, adjoint=False), gathered(found, call.args, kernel, adjoint=True)
    )


def products(
    twice: Twice,
    backend: Backend,
    call: Call,
    along: Mapping[str, ArrayLike],
    seeds: Mapping[str, ArrayLike] | None = None,
) -> Products:
    """Run a second-order kernel once: the gradient, and the Hessian times a direction. Raises Rejected."""
    kernel = twice.first.primal
    second = _Second(twice, backend, call, seeds)
    direction = prepared_tangents(along, kernel, second.values)
    run = second.run(direction)
    given = {name: np.asarray(value) for name, value in spread(call.args, kernel).items()}
    gradients, found = second.gradients(run.values, given), second.gradients(run.tangents, given)
    return Products(
        gathered(gradients, call.args, kernel, adjoint=True), gathered(found, call.args, kernel, adjoint=True)
    )


def hessian(
    twice: Twice, backend: Backend, call: Call, seeds: Mapping[str, ArrayLike] | None = None
) -> dict[tuple[str, str], Array]:
    """Return d²J/(da db) for each pair of independents, of the shapes of both. Raises Rejected."""
    second = _Second(twice, backend, call, seeds)
    names = [name for name in twice.first.independents if name in second.free]
    given = {name: np.asarray(second.values[name]) for name in names}
    found = {(a, b): np.zeros((given[a].size, given[b].size)) for a in names for b in names}
    units = list(_units(given))
    for start in range(0, len(units), second.directions):
        together = units[start : start + second.directions]
        run = second.run(*(unit for _, _, unit in together))
        for (b, k, _), tangents in zip(together, run.every, strict=False):
            rows = second.gradients(tangents, given)
            for a in names:
                found[a, b][:, k] = rows[a].reshape(-1)
    return {(a, b): m.reshape(given[a].shape + given[b].shape) for (a, b), m in found.items()}


def sizes(pair: Pair, call: Call) -> tuple[int, int]:
    """Return how many numbers the independents and the dependents have. Raises Rejected."""
    values = call.values(pair.primal)
    inputs, outputs = (
        sum(np.size(values[name]) for name in names) for names in (pair.independents, pair.dependents)
    )
    return inputs, outputs


def columns(forward: Pair, backend: Backend, call: Call) -> dict[tuple[str, str], Array]:
    """Return dy/dx for each dependent and independent, of the shapes of both. Raises Rejected."""
    values = call.values(forward.primal)
    inputs = {name: np.asarray(values[name]) for name in forward.independents}
    outputs = {name: np.asarray(values[name]) for name in forward.dependents}
    found = {(y, x): np.zeros((outputs[y].size, inputs[x].size)) for y in outputs for x in inputs}
    runner = Runner(forward, backend, "float")
    for x, k, unit in _units(inputs):
        run = _run(runner, call.launch, values, unit)
        for y in outputs:
            found[y, x][:, k] = run.tangents[y].reshape(-1)
    return {(y, x): m.reshape(outputs[y].shape + inputs[x].shape) for (y, x), m in found.items()}


def rows(
    backward: Pair, backend: Backend, call: Call, colours: Mapping[str, ArrayLike] | None = None
) -> dict[tuple[str, str], Array]:
    """Return the same from an adjoint; with `colours`, the sum of each colour's rows. Raises Rejected."""
    values = call.values(backward.primal)
    inputs = {name: np.asarray(values[name]) for name in backward.independents}
    outputs = {name: np.asarray(values[name]) for name in backward.dependents}
    shapes = {name: array.shape for name, array in outputs.items()}
    units = list(_units(outputs))
    if colours is not None:
        units = list(_of_colours(colours, outputs))
        shapes = {name: (sum(y == name for y, _, _ in units),) for name in outputs}
    found = {(y, x): np.zeros((prod(shapes[y]), inputs[x].size)) for y in outputs for x in inputs}
    launcher, many = Launcher(backward, backend, "float"), backward.adjoint.seeds
    for start in range(0, len(units), many):
        some = units[start : start + many]
        given = [unit for _, _, unit in some] + [{}] * (many - len(some))
        buffers: list[dict[str, Array]] = []
        for unit in given:
            seeds = {name: unit.get(name, np.zeros(array.shape)) for name, array in outputs.items()}
            buffers.append(launcher.buffers(values, prepare_seeds(seeds, backward.dependents, values)))
        run = launcher.adjoint(call.launch, call.launch, values, buffers[0], further=buffers[1:])
        for (y, k, _), before, after in zip(some, buffers, run.every, strict=False):
            one = replace(run, before=before, buffers=after)
            for x in inputs:
                found[y, x][k, :] = gradient_of(one, x, values).reshape(-1)
    return {(y, x): m.reshape(shapes[y] + inputs[x].shape) for (y, x), m in found.items()}


def _of_colours(
    colours: Mapping[str, ArrayLike], outputs: Mapping[str, Array]
) -> Iterator[tuple[str, int, dict[str, Array]]]:
    """Yield each colour of some arrays with the seed that is one on its elements. Raises Rejected."""
    for name, array in outputs.items():
        given = np.asarray(colours.get(name, ()))
        if given.shape != array.shape or given.dtype.kind not in "iu" or (given.size and given.min() < 0):
            what = f"colours: expected integers from 0 on in the shape of {name}"
            raise Rejected(diagnose(Code.USAGE, None, what=what, help="give each element of it a colour"))
        for colour in range(int(given.max(initial=-1)) + 1):
            yield name, colour, {name: (given == colour).astype(np.float64)}


class _Second:
    """A second-order kernel and its arguments for one launch of the primal."""

    def __init__(
        self, twice: Twice, backend: Backend, call: Call, seeds: Mapping[str, ArrayLike] | None
    ) -> None:
        first = twice.first
        self.values = call.values(first.primal)
        given = None if seeds is None else spread_seeds(seeds, first)
        ready = prepare_seeds(given, first.dependents, self.values)
        launcher = Launcher(first, backend, "float")
        self._inputs = launcher.ready(
            call.launch, call.launch, self.values, launcher.buffers(self.values, ready)
        )
        self._runner = Runner(twice.second, backend, "float")
        self._adjoints = {a.of: a.name for a in first.adjoints if a.use != "seed"}
        self.free = {a.of for a in self._runner.moved}
        args: dict[str, Value] = dict(self._inputs.passed)
        self._args = args | integers_of_adjoints(twice.second.primal, args, "float")

    @property
    def directions(self) -> int:
        """The number of directions of one launch."""
        return self._runner.directions

    def run(self, along: Mapping[str, Array], *further: Mapping[str, Array]) -> TangentRun:
        return _run(self._runner, self._inputs.launch, self._args, along, further)

    def gradients(self, found: Mapping[str, Array], given: Mapping[str, Array]) -> dict[str, Array]:
        """Return what is found of the adjoints, by independent, of the type and shape of the arguments."""
        named = {of: name for of, name in self._adjoints.items() if of in given and name in found}
        return {of: like(given[of], found[name]) for of, name in named.items()}


def _run(
    runner: Runner,
    launch: Launch,
    values: Mapping[str, Value],
    along: Mapping[str, Array],
    further: Sequence[Mapping[str, Array]] = (),
) -> TangentRun:
    run = runner.run(launch, values, along, further=further)
    if run.outside:
        reason = f"it writes beyond the ends of {', '.join(run.outside)}"
        raise Rejected(diagnose(Code.LAUNCH_FAILED, None, kernel=runner.kernel.name, reason=reason))
    return run


def _units(arrays: Mapping[str, Array]) -> Iterator[tuple[str, int, dict[str, Array]]]:
    """Yield each element of some arrays with the direction along it alone."""
    for name, array in arrays.items():
        for k in range(array.size):
            unit = np.zeros(array.shape)
            unit.reshape(-1)[k] = 1.0
            yield name, k, {name: unit}
