"""One primal and its adjoint, compiled and ready to be launched on copies.

`Launcher` keeps the protocol between the two: what the adjoint's arrays hold before
it runs (semantics.md, sections 1 and 3), which array it sees as it was at entry and
which as `K_fwd` left it, and the tape. Nothing that is passed in is ever modified.
A tape is filled with garbage first, because whoever calls the kernel may do so too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from ..diagnostics import Code, Rejected, diagnose
from ..run.backend import Backend, CompileFailed, LaunchFailed, Module, Several
from ..run.values import Order
from ..signature import Argument, Signature
from .elements import Array, Real, dtype
from .margins import Guarded
from .recipe import Launch, Number, Value

GARBAGE = 0xCB
_FLAG = 16  # bytes at the start of the tape
_MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 1 << 40


@dataclass(frozen=True)
class Pair:
    """A primal and its adjoint as texts; `forward` is K_fwd, which stands in the adjoint's file.

    The files' names are for messages. `printed` is the primal for doubles and tangents, where these
    don't fit into the words that the author's carries floats in.
    """

    primal_text: str
    adjoint_text: str
    primal: Signature
    adjoint: Signature
    forward: Signature | None = None
    primal_file: str = "kernel.cu"
    adjoint_file: str = "kernel_adj.cu"
    printed: str = ""
    measure: Signature | None = None  # K_measure, in the adjoint's file too

    @property
    def kernels(self) -> tuple[Signature, ...]:
        """The kernels in the adjoint's file."""
        return tuple(s for s in (self.adjoint, self.forward, self.measure) if s is not None)

    @property
    def wide_text(self) -> str:
        """The primal's text for doubles and tangents."""
        return self.printed or self.primal_text

    @property
    def adjoints(self) -> tuple[Argument, ...]:
        """The adjoint's parameters that hold adjoints."""
        return tuple(argument for argument in self.adjoint.arguments if argument.role == "adjoint")

    @property
    def dependents(self) -> tuple[str, ...]:
        """The arrays that are seeded."""
        if self.adjoint.dependents:
            return self.adjoint.dependents
        return tuple(a.of for a in self.adjoints if a.use == "seed")

    @property
    def independents(self) -> tuple[str, ...]:
        """What gradients are asked for."""
        if self.adjoint.independents:
            return self.adjoint.independents
        return tuple(a.of for a in self.adjoints if a.use in ("accumulates", "replaced"))


@dataclass(frozen=True)
class AdjointRun:
    """What an adjoint launch left behind, by names of the primal.

    `before` and `buffers` are the adjoint arrays before and after, `values` the
    primal's arguments before, `left` after.
    """

    before: Mapping[str, Array]
    buffers: Mapping[str, Array]
    values: Mapping[str, Value]
    left: Mapping[str, Value]
    outputs: Mapping[str, Array] | None = None  # of K_fwd, in the split shape
    overrun: bool = False  # the tape was too short
    outside: tuple[str, ...] = ()  # arrays beyond whose ends it wrote
    tape_bytes: int = 0


@dataclass(frozen=True)
class Ready:
    """All that an adjoint launch needs; `passed` lies in `guards` where it is an array."""

    launch: Launch
    passed: dict[str, Value]
    guards: Mapping[str, Guarded]
    tape: Guarded | None
    outputs: Mapping[str, Array] | None


Few = Literal["none", "adjoint", "all"]
"""Which kernels of a pair are launched a few times only, so that compiling is most of the time."""


class Launcher:
    """A pair compiled for one backend, with `float` as it is or as `double`.

    `kernels` are those of the adjoint's text, if they aren't the pair's.
    """

    def __init__(
        self,
        pair: Pair,
        backend: Backend,
        real: Real = "float",
        few: Few = "none",
        kernels: Sequence[Signature] | None = None,
    ) -> None:
        self.pair = pair
        self.real = real
        # The order of threads in which K_fwd runs, if it isn't that of the adjoint.
        self.recording: Order | None = None
        self._few = few
        if kernels is None:
            kernels = pair.kernels
        self._backend = backend
        quick = few != "none"
        self._adjoint = compiled(backend, pair.adjoint_text, list(kernels), real, pair.adjoint_file, quick)
        # A backend needn't bring back what is const, but a cast may have written there.
        arguments = tuple(replace(a, const=False) for a in pair.adjoint.arguments)
        self._returning = replace(pair.adjoint, arguments=arguments)

    @cached_property
    def _primal(self) -> Module:
        """Compiled when it is first run: a launch of the adjoint alone needn't wait for it."""
        pair = self.pair
        quick = self._few == "all"
        text = pair.primal_text if self.real == "float" else pair.wide_text
        return compiled(self._backend, text, [pair.primal], self.real, pair.primal_file, quick)

    def primal(self, launch: Launch, args: Mapping[str, Value], order: Order = "forward") -> dict[str, Array]:
        """The arrays after the primal; those that it may not write are the caller's own."""
        return launched(self._primal, self.pair.primal, launch, args, order)

    def primals(self, launch: Launch, several: Sequence[Mapping[str, Value]]) -> list[dict[str, Array]]:
        """As `primal` with each of the arguments."""
        kernel = self.pair.primal
        given = [_copies(args, kernel) for args in several]
        if isinstance(self._primal, Several):
            with _failing(kernel):
                self._primal.launch_each(kernel, launch.grid, launch.block, given, launch.shared_bytes)
        else:
            for args in given:
                _launch(self._primal, kernel, launch, args, "forward")
        return [
            {name: value for name, value in args.items() if isinstance(value, np.ndarray)} for args in given
        ]

    def first(self, launch: Launch, args: Mapping[str, Value]) -> dict[str, Array]:
        """As `primal`, but a store beyond an array's end is `launch-failed`."""
        kernel = self.pair.primal
        guards = {name: Guarded(value) for name, value in args.items() if isinstance(value, np.ndarray)}
        given = {name: guards[name].array if name in guards else args[name] for name in args}
        _launch(self._primal, kernel, launch, given, "forward")
        if outside := [name for name, guard in guards.items() if not guard.whole]:
            reason = f"it writes beyond the ends of {', '.join(outside)}"
            raise Rejected(diagnose(Code.LAUNCH_FAILED, None, kernel=kernel.name, reason=reason))
        return {name: guard.array for name, guard in guards.items()}

    def buffers(self, args: Mapping[str, Value], seeds: Mapping[str, Array]) -> dict[str, Array]:
        """What the adjoint arrays hold at first: the seed of a dependent, else zero."""
        found: dict[str, Array] = {}
        for argument in self.pair.adjoints:
            value = args[argument.of]
            seed = seeds.get(argument.of)
            if seed is not None and argument.use != "scratch":
                found[argument.of] = seed.copy()
            elif isinstance(value, np.ndarray):
                found[argument.of] = np.zeros_like(value)
            else:
                found[argument.of] = np.zeros(1, dtype(argument.type, self.real))
        return found

    def adjoint(
        self,
        launch: Launch,
        backward: Launch,
        args: Mapping[str, Value],
        buffers: Mapping[str, Array],
        *,
        order: Order = "forward",
        poison: bool = False,
    ) -> AdjointRun:
        """Run the adjoint on copies. With `poison`, what it must not read holds NaN.

        Raises Rejected: `launch-failed`.
        """
        kernel = self.pair.adjoint
        ready = self.ready(launch, backward, args, buffers, order=order, poison=poison)
        passed, guards, tape = ready.passed, ready.guards, ready.tape
        before = {name: _keep(value) for name, value in passed.items()}
        _launch(self._adjoint, self._returning, ready.launch, passed, order)
        after = {a.of: guards[a.name].array for a in self.pair.adjoints}
        read = [a.name for a in kernel.arguments if a.role == "value"]
        return AdjointRun(
            before={name: array.copy() for name, array in buffers.items()},
            buffers=after,
            values={name: before[name] for name in read},
            left={name: passed[name] for name in read},
            outputs=ready.outputs,
            overrun=_overrun(tape, after),
            outside=tuple(name for name, guard in guards.items() if not guard.whole),
            tape_bytes=tape.array.nbytes if tape else 0,
        )

    def ready(
        self,
        launch: Launch,
        backward: Launch,
        args: Mapping[str, Value],
        buffers: Mapping[str, Array],
        *,
        order: Order = "forward",
        poison: bool = False,
    ) -> Ready:
        """The adjoint's arguments, K_fwd having run if there is one. Raises Rejected: `launch-failed`."""
        args = self.measured(launch, args)
        tape = self._tape(backward, args)
        outputs = self._forward(launch, args, tape, self.recording or order) if self.pair.forward else None
        values = self._seen(launch, args, outputs)
        guards: dict[str, Guarded] = {}
        passed: dict[str, Value] = {}
        for argument in self.pair.adjoint.arguments:
            if argument.role == "tape":
                assert tape is not None, "a tape parameter, and no tape"
                guards[argument.name] = tape
            else:
                value = _given(values, buffers, argument, poison)
                if not isinstance(value, np.ndarray):
                    passed[argument.name] = value
                    continue
                guards[argument.name] = Guarded(value)
            passed[argument.name] = guards[argument.name].array
        return Ready(self._own_shared(backward, args), passed, guards, tape, outputs)

    def ready_forward(self, launch: Launch, args: Mapping[str, Value]) -> dict[str, Value]:
        """The arguments of K_fwd, with a tape to fill if there is one."""
        kernel = self.pair.forward
        assert kernel is not None
        args = self.measured(launch, args)
        tape = self._tape(launch, args)
        given = _copies(args, kernel)
        for argument in kernel.arguments:
            if argument.role == "tape" and tape is not None:
                given[argument.name] = tape.array
        return given

    def measured(self, launch: Launch, args: Mapping[str, Value]) -> Mapping[str, Value]:
        """The arguments, and how often loops run with them that nothing bounds."""
        kernel = self.pair.measure
        if kernel is None:
            return args
        given = self.ready_measure(args)
        _launch(self._adjoint, kernel, launch, given, "forward")
        trips = _array(given[kernel.arguments[-1].name])
        return {**args, **{name: int(n) for name, n in zip(self._unbounded, trips, strict=True)}}

    def ready_measure(self, args: Mapping[str, Value]) -> dict[str, Value]:
        """The arguments of K_measure."""
        kernel = self.pair.measure
        assert kernel is not None
        known = [a for a in kernel.arguments[:-1] if a.name in args]
        given = {a.name: args[a.name] if a.const else _keep(args[a.name]) for a in known}
        given[kernel.arguments[-1].name] = np.zeros(len(self._unbounded), np.int32)
        return given

    @property
    def _unbounded(self) -> list[str]:
        """The parameters for numbers of trips, in the order of K_measure's."""
        return [a.name for a in self.pair.adjoint.arguments if a.use == "trips"]

    def _tape(self, launch: Launch, args: Mapping[str, Value]) -> Guarded | None:
        kernel = self.pair.adjoint
        if not kernel.tape:
            return None
        size = self._adjoint.tape_bytes(kernel, launch.grid, launch.block, args)
        if size > _MEMORY:
            reason = f"its tape takes {size / 1e9:.3g} GB for this launch, more than this machine's memory"
            raise Rejected(diagnose(Code.LAUNCH_FAILED, None, kernel=kernel.name, reason=reason))
        return Guarded(np.full(max(size, _FLAG), GARBAGE, np.uint8).view(np.int8))

    def _forward(
        self, launch: Launch, args: Mapping[str, Value], tape: Guarded | None, order: Order
    ) -> dict[str, Array]:
        """The arrays after K_fwd, which fills the tape."""
        kernel = self.pair.forward
        assert kernel is not None
        given = _copies(args, kernel)
        for argument in kernel.arguments:
            if argument.role == "tape" and tape is not None:
                given[argument.name] = tape.array
        _launch(self._adjoint, kernel, launch, given, order)
        return {a.name: _array(given[a.name]) for a in self.pair.primal.arguments if a.pointer}

    def _seen(
        self, launch: Launch, args: Mapping[str, Value], outputs: Mapping[str, Array] | None
    ) -> dict[str, Value]:
        """The primal's arguments as the adjoint gets them: at entry, or as they were left."""
        values = dict(args)
        if outputs is not None:
            values.update(
                {a.name: outputs[a.name] for a in self.pair.primal.arguments if a.pointer and a.written}
            )
        elif left := [a.name for a in self.pair.adjoint.arguments if a.use == "exit"]:
            after = self.primal(launch, args)
            values.update({name: after[name] for name in left})
        return values

    def _own_shared(self, launch: Launch, args: Mapping[str, Value]) -> Launch:
        """The adjoint's launch, with the dynamic shared memory that its file asks for."""
        kernel = self.pair.adjoint
        if not kernel.shared:
            return launch
        needed = self._adjoint.shared_bytes(kernel, launch.grid, launch.block, args, launch.shared_bytes)
        return Launch(launch.grid, launch.block, needed)


def compiled(
    backend: Backend, text: str, signatures: list[Signature], real: Real, file: str, quick: bool = False
) -> Module:
    """A text's kernels. Raises Rejected: `compile-failed`."""
    try:
        return backend.compile(text, signatures, real=real, name=file, quick=quick)
    except CompileFailed as error:
        raise Rejected(diagnose(Code.COMPILE_FAILED, None, file=file, reason=str(error))) from error


def launched(
    module: Module, kernel: Signature, launch: Launch, args: Mapping[str, Value], order: Order = "forward"
) -> dict[str, Array]:
    """The arrays after a primal; those that it may not write are the caller's own."""
    given = _copies(args, kernel)
    _launch(module, kernel, launch, given, order)
    return {name: value for name, value in given.items() if isinstance(value, np.ndarray)}


def _launch(
    module: Module, kernel: Signature, launch: Launch, args: Mapping[str, Value], order: Order
) -> None:
    with _failing(kernel):
        module.launch(kernel, launch.grid, launch.block, args, launch.shared_bytes, order=order)


@contextmanager
def _failing(kernel: Signature) -> Iterator[None]:
    """A launch that fails is told as users are told."""
    try:
        yield
    except LaunchFailed as error:
        raise Rejected(diagnose(Code.LAUNCH_FAILED, None, kernel=kernel.name, reason=str(error))) from error


def _overrun(tape: Guarded | None, buffers: Mapping[str, Array]) -> bool:
    """Whether a thread ran out of tape: it sets the flag at the tape's start and leaves NaN.

    Both are asked for, since a kernel without bounds has no flag and may record there.
    """
    if tape is None or tape.array[:4].tobytes() in (bytes([GARBAGE] * 4), bytes(4)):
        return False
    return any(np.isnan(array).any() for array in buffers.values())


def _copies(args: Mapping[str, Value], kernel: Signature) -> dict[str, Value]:
    """The arguments of a primal; only `const` arrays are passed as they are."""
    given: dict[str, Value] = {}
    for argument in kernel.arguments:
        if argument.role != "value":
            continue
        value = args[argument.name]
        given[argument.name] = value if argument.const else _keep(value)
    return given


def _given(
    values: Mapping[str, Value], buffers: Mapping[str, Array], argument: Argument, poison: bool
) -> Value:
    if argument.role == "adjoint":
        return buffers[argument.of]
    value = values[argument.name]
    if poison and argument.use == "unused" and isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.full_like(value, np.nan)
    return value


def _keep(value: Value) -> Value:
    return value.copy() if isinstance(value, np.ndarray) else value


def _array(value: Value | Number) -> Array:
    assert isinstance(value, np.ndarray)
    return value
