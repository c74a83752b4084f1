"""Compile the kernels of a backward, and launch them one after the other on copies.

Arrays that several of them share are one array. An out-of-bounds store modifies a margin
and is reported; a launch that fails is `launch-failed`. Arguments aren't modified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..diagnostics import Code, Rejected, diagnose
from ..run.backend import Backend, LaunchFailed
from ..run.values import Order
from ..signature import Argument, Signature
from ..validate.elements import Array, Real
from ..validate.launching import GARBAGE, AdjointRun, Launcher, Pair
from ..validate.margins import Guarded
from ..validate.race_check import Seen, Watch, Writer
from ..validate.recipe import Launch, Setting, Value

_FLAG = 16  # bytes of a tape, at least


@dataclass(frozen=True)
class Step:
    """One launch of a backward: its kernel and its geometry."""

    kernel: Signature
    launch: Launch


@dataclass(frozen=True)
class Memory:
    """The arguments of the kernels; `guards` has the arrays, by the key of their content (`place`)."""

    given: Mapping[str, Value]  # numbers
    guards: Mapping[str, Guarded]

    def passed(self, kernel: Signature) -> dict[str, Value]:
        return {
            argument.name: self.guards[key].array
            if (key := place(argument)) in self.guards
            else self.given[key]
            for argument in kernel.arguments
        }


def place(argument: Argument) -> str:
    """Return the key of a parameter's content: kernels may have different names for it."""
    return f"adjoint of {argument.of}" if argument.role == "adjoint" else argument.of or argument.name


class Backward(Launcher):
    """A forward and the kernels of its backward. Raises Rejected if a text doesn't compile."""

    def __init__(
        self, pair: Pair, kernels: Sequence[Signature], backend: Backend, real: Real = "double"
    ) -> None:
        self.kernels = tuple(kernels)
        super().__init__(pair, backend, real, "all" if real == "float" else "adjoint", self.kernels)

    def steps(self, setting: Setting) -> Iterator[Step]:
        """Yield the launches, with the dynamic shared memory that the file computes, if it does."""
        for kernel in self.kernels:
            launch = setting.launches.get(kernel.name, setting.backward)
            if kernel.shared:
                geometry = launch.grid, launch.block
                needed = self._adjoint.shared_bytes(kernel, *geometry, setting.args, launch.shared_bytes)
                launch = Launch(*geometry, needed)
            yield Step(kernel, launch)

    def run(
        self, setting: Setting, values: Mapping[str, Value], buffers: Mapping[str, Array], order: Order
    ) -> AdjointRun:
        """Run all launches in order. Raises Rejected: `launch-failed`."""
        memory = self._memory(setting, values, buffers)
        for step in self.steps(setting):
            self._step(step, memory, order)
        return AdjointRun(
            before={name: array.copy() for name, array in buffers.items()},
            buffers={name: memory.guards[f"adjoint of {name}"].array for name in buffers},
            values=dict(values),
            left={**memory.given, **{name: guard.array for name, guard in memory.guards.items()}},
            outside=tuple(name for name, guard in memory.guards.items() if not guard.whole),
        )

    def last(
        self,
        watch: Watch,
        setting: Setting,
        values: Mapping[str, Value],
        buffers: Mapping[str, Array],
        asked: Sequence[tuple[str, int]],
    ) -> list[Writer]:
        """Return the last writes of elements of adjoint arrays by any kernel; nothing if none is watched."""
        found: dict[tuple[str, int], Writer] = {}
        steps = list(self.steps(setting))
        for step, seen in zip(steps, self.watched(watch, setting, values, buffers, asked), strict=False):
            names = _adjoints(step.kernel)
            for (of, element), who in zip([one for one in asked if one[0] in names], seen.last, strict=False):
                if who is not None or (of, element) not in found:
                    writer = Writer(step.kernel.name, names[of], element, self.pair.adjoint_file, who)
                    found[of, element] = writer
        return [found[one] for one in asked if one in found]

    def watched(
        self,
        watch: Watch,
        setting: Setting,
        values: Mapping[str, Value],
        buffers: Mapping[str, Array],
        asked: Sequence[tuple[str, int]] = (),
    ) -> Iterator[Seen]:
        """Watch each launch, on the arrays that earlier launches left."""
        memory = self._memory(setting, values, buffers)
        module = watch.module(self.pair.adjoint_text, self.kernels, self.pair.adjoint_file)
        for step in self.steps(setting):
            names = _adjoints(step.kernel)
            places = [(names[of], element) for of, element in asked if of in names]
            passed = memory.passed(step.kernel)
            seen = watch.look(module, step.kernel, step.launch, passed, places, ours=False)
            if seen is not None:
                yield seen
                if seen.ended:
                    return
            self._step(step, memory, "reverse")

    def _memory(self, setting: Setting, values: Mapping[str, Value], buffers: Mapping[str, Array]) -> Memory:
        held: dict[str, Value] = dict(values)
        held.update({f"adjoint of {name}": array for name, array in buffers.items()})
        for kernel, launch in ((step.kernel, step.launch) for step in self.steps(setting)):
            for argument in kernel.arguments:
                if argument.role == "tape" and kernel.tape:
                    size = self._adjoint.tape_bytes(kernel, launch.grid, launch.block, values)
                    held[place(argument)] = np.full(max(size, _FLAG), GARBAGE, np.uint8).view(np.int8)
        arrays = {name: value for name, value in held.items() if isinstance(value, np.ndarray)}
        numbers = {name: value for name, value in held.items() if name not in arrays}
        return Memory(numbers, {name: Guarded(array) for name, array in arrays.items()})

    def _step(self, step: Step, memory: Memory, order: Order) -> None:
        launch, kernel = step.launch, step.kernel
        try:
            self._adjoint.launch(
                kernel, launch.grid, launch.block, memory.passed(kernel), launch.shared_bytes, order=order
            )
        except LaunchFailed as error:
            raise Rejected(
                diagnose(Code.LAUNCH_FAILED, None, kernel=kernel.name, reason=str(error))
            ) from error


def _adjoints(kernel: Signature) -> dict[str, str]:
    """Return a kernel's adjoint parameters, by the parameter that they are the adjoint of."""
    return {a.of: a.name for a in kernel.arguments if a.role == "adjoint"}
