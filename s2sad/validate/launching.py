"""Compile a primal and its adjoint, and launch them on copies.

`Launcher` implements the protocol between the two: the initial values of the adjoint's
arrays, which arrays it sees with their values at entry and which as `K_fwd` left them, and
the tape. Arguments are never modified.
A tape is filled with garbage first, as a user's tape may be.
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
from .beside import inside, one_of, side_by_side
from .elements import Array, Real, Reals, dtype
from .margins import Guarded
from .recipe import Launch, Number, Value

GARBAGE = 0xCB
_FLAG = 16  # bytes at the start of the tape
_MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 1 << 40


@dataclass(frozen=True)
class Pair:
    """A primal and its adjoint as texts; `forward` is K_fwd, which is in the adjoint's file.

    The file names are for messages. `printed` is the primal to compile with doubles and tangents, if these
    don't fit into the words in which the author's text stores floats.
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
    def is_tangent(self) -> bool:
        """Whether the second text is a tangent kernel."""
        return any(argument.role == "tangent" for argument in self.adjoint.arguments)

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
        """The arguments whose gradients are requested."""
        if self.adjoint.independents:
            return self.adjoint.independents
        return tuple(a.of for a in self.adjoints if a.use in ("accumulates", "replaced"))


@dataclass(frozen=True)
class AdjointRun:
    """The results of an adjoint launch, by names of the primal.

    `before` and `buffers` are the adjoint arrays before and after, `values` the
    primal's arguments before, `left` after. `further`: the adjoint arrays of other seeds, before and after.
    """

    before: Mapping[str, Array]
    buffers: Mapping[str, Array]
    values: Mapping[str, Value]
    left: Mapping[str, Value]
    outputs: Mapping[str, Array] | None = None  # of K_fwd, if there is one
    overrun: bool = False  # the tape was too short
    outside: tuple[str, ...] = ()  # arrays that it wrote out of bounds
    tape_bytes: int = 0
    further: tuple[tuple[Mapping[str, Array], Mapping[str, Array]], ...] = ()

    @property
    def every(self) -> tuple[Mapping[str, Array], ...]:
        """The adjoint arrays of each seed afterwards."""
        return (self.buffers, *(after for _, after in self.further))


@dataclass(frozen=True)
class Ready:
    """The inputs of an adjoint launch; arrays in `passed` are views into `guards`."""

    launch: Launch
    passed: dict[str, Value]
    guards: Mapping[str, Guarded]
    tape: Guarded | None
    outputs: Mapping[str, Array] | None
    further: tuple[Mapping[str, Array], ...] = ()  # the adjoint arrays of other seeds


Few = Literal["none", "adjoint", "all"]
"""Which kernels of a pair are launched only a few times, so that compile time dominates."""


class Launcher:
    """A pair compiled for one backend, with `float` unchanged or as `double`.

    `kernels`: the kernels of the adjoint's text, if not the pair's.
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
        # The order of threads for K_fwd, if not the adjoint's.
        self.recording: Order | None = None
        self._few = few
        if kernels is None:
            kernels = pair.kernels
        self._backend = backend
        quick = few != "none"
        self._adjoint = compiled(backend, pair.adjoint_text, list(kernels), real, pair.adjoint_file, quick)
        # Not const: a backend may not copy const arrays back, but a cast may have written to them.
        arguments = tuple(replace(a, const=False) for a in pair.adjoint.arguments)
        self._returning = replace(pair.adjoint, arguments=arguments)

    @cached_property
    def _primal(self) -> Module:
        """The primal, compiled at its first run: a launch of the adjoint alone doesn't need it."""
        pair = self.pair
        quick = self._few == "all"
        text = pair.primal_text if self.real == "float" else pair.wide_text
        return compiled(self._backend, text, [pair.primal], self.real, pair.primal_file, quick)

    def primal(self, launch: Launch, args: Mapping[str, Value], order: Order = "forward") -> dict[str, Array]:
        """Return the arrays after the primal; const arrays are the caller's own."""
        return launched(self._primal, self.pair.primal, launch, args, order)

    def primals(self, launch: Launch, several: Sequence[Mapping[str, Value]]) -> list[dict[str, Array]]:
        """Like `primal` with each set of arguments."""
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
        """Like `primal`, but an out-of-bounds store raises Rejected: `launch-failed`."""
        kernel = self.pair.primal
        guards = {name: Guarded(value) for name, value in args.items() if isinstance(value, np.ndarray)}
        given = {name: guards[name].array if name in guards else args[name] for name in args}
        _launch(self._primal, kernel, launch, given, "forward")
        if outside := [name for name, guard in guards.items() if not guard.whole]:
            reason = f"it writes beyond the ends of {', '.join(outside)}"
            raise Rejected(diagnose(Code.LAUNCH_FAILED, None, kernel=kernel.name, reason=reason))
        return {name: guard.array for name, guard in guards.items()}

    def buffers(self, args: Mapping[str, Value], seeds: Mapping[str, Array]) -> dict[str, Array]:
        """Return the initial adjoint arrays: the seed of a dependent, else zero."""
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
        further: Sequence[Mapping[str, Array]] = (),
    ) -> AdjointRun:
        """Run the adjoint on copies. With `poison`, arrays that it must not read are NaN.

        Of a kernel with several seeds, `buffers` are the arrays of the first one, and `further` those of the
        others, drawn if there are none. Raises Rejected: `launch-failed`.
        """
        kernel = self.pair.adjoint
        ready = self.ready(launch, backward, args, buffers, order=order, poison=poison, further=further)
        passed, guards, tape = ready.passed, ready.guards, ready.tape
        before = {name: _keep(value) for name, value in passed.items()}
        _launch(self._adjoint, self._returning, ready.launch, passed, order)
        whole = {a.of: guards[a.name].array for a in self.pair.adjoints}
        after, *others = (self._of_seed(k, whole, buffers) for k in range(kernel.seeds))
        read = [a.name for a in kernel.arguments if a.role == "value"]
        return AdjointRun(
            before={name: array.copy() for name, array in buffers.items()},
            buffers=after,
            values={name: before[name] for name in read},
            left={name: passed[name] for name in read},
            outputs=ready.outputs,
            overrun=_overrun(tape, whole),
            outside=tuple(name for name, guard in guards.items() if not guard.whole),
            tape_bytes=tape.array.nbytes if tape else 0,
            further=tuple(zip(ready.further, others, strict=True)),
        )

    def _of_seed(
        self, number: int, whole: Mapping[str, Array], like: Mapping[str, Array]
    ) -> dict[str, Array]:
        """Return the adjoint arrays of one seed."""
        kernel = self.pair.adjoint
        return {
            a.of: one_of(whole[a.of], kernel.seeds, inside(kernel, a), number, like[a.of].shape)
            for a in self.pair.adjoints
        }

    def _beside(self, buffers: Mapping[str, Array]) -> Iterator[Mapping[str, Array]]:
        """Draw the adjoint arrays of the other seeds: multiples of the first one's, number by number."""
        for k in range(1, self.pair.adjoint.seeds):
            random = np.random.default_rng(k)
            yield {
                name: (array.astype(np.float64) * _drawn(array, random)).astype(array.dtype)
                for name, array in buffers.items()
            }

    def ready(
        self,
        launch: Launch,
        backward: Launch,
        args: Mapping[str, Value],
        buffers: Mapping[str, Array],
        *,
        order: Order = "forward",
        poison: bool = False,
        further: Sequence[Mapping[str, Array]] = (),
    ) -> Ready:
        """Return the adjoint's arguments, after running K_fwd if there is one. Raises Rejected."""
        every = (buffers, *(further or self._beside(buffers)))
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
                value = self._given(values, every, argument, poison)
                if not isinstance(value, np.ndarray):
                    passed[argument.name] = value
                    continue
                guards[argument.name] = Guarded(value)
            passed[argument.name] = guards[argument.name].array
        return Ready(self._own_shared(backward, args), passed, guards, tape, outputs, every[1:])

    def _given(
        self,
        values: Mapping[str, Value],
        every: Sequence[Mapping[str, Array]],
        argument: Argument,
        poison: bool,
    ) -> Value:
        """Return the argument for a parameter, with the adjoints of all seeds side by side."""
        if argument.role == "adjoint" and len(every) > 1:
            own = inside(self.pair.adjoint, argument)
            return side_by_side([buffers[argument.of] for buffers in every], own)
        return _given(values, every[0], argument, poison)

    def ready_forward(self, launch: Launch, args: Mapping[str, Value]) -> dict[str, Value]:
        """Return the arguments of K_fwd, with a tape to fill if there is one."""
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
        """Return the arguments with the trip counts of loops that have no static bound."""
        kernel = self.pair.measure
        if kernel is None:
            return args
        given = self.ready_measure(args)
        _launch(self._adjoint, kernel, launch, given, "forward")
        trips = _array(given[kernel.arguments[-1].name])
        return {**args, **{name: int(n) for name, n in zip(self._unbounded, trips, strict=True)}}

    def ready_measure(self, args: Mapping[str, Value]) -> dict[str, Value]:
        """Return the arguments of K_measure."""
        kernel = self.pair.measure
        assert kernel is not None
        known = [a for a in kernel.arguments[:-1] if a.name in args]
        given = {a.name: args[a.name] if a.const else _keep(args[a.name]) for a in known}
        given[kernel.arguments[-1].name] = np.zeros(len(self._unbounded), np.int32)
        return given

    @property
    def _unbounded(self) -> list[str]:
        """The parameters for trip counts, in the order of K_measure's."""
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
        """Run K_fwd, which fills the tape; return the arrays after it."""
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
        """Return the primal's arguments as the adjoint needs them: at entry, or at exit."""
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
        """Return the adjoint's launch, with the dynamic shared memory that its file computes."""
        kernel = self.pair.adjoint
        if not kernel.shared:
            return launch
        needed = self._adjoint.shared_bytes(kernel, launch.grid, launch.block, args, launch.shared_bytes)
        return Launch(launch.grid, launch.block, needed)


def compiled(
    backend: Backend, text: str, signatures: list[Signature], real: Real, file: str, quick: bool = False
) -> Module:
    """Compile a text's kernels. Raises Rejected: `compile-failed`."""
    try:
        return backend.compile(text, signatures, real=real, name=file, quick=quick)
    except CompileFailed as error:
        raise Rejected(diagnose(Code.COMPILE_FAILED, None, file=file, reason=str(error))) from error


def launched(
    module: Module, kernel: Signature, launch: Launch, args: Mapping[str, Value], order: Order = "forward"
) -> dict[str, Array]:
    """Return the arrays after a primal; const arrays are the caller's own."""
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
    """Turn LaunchFailed into a diagnostic."""
    try:
        yield
    except LaunchFailed as error:
        raise Rejected(diagnose(Code.LAUNCH_FAILED, None, kernel=kernel.name, reason=str(error))) from error


def _overrun(tape: Guarded | None, buffers: Mapping[str, Array]) -> bool:
    """Whether a thread ran out of tape: it sets the flag at the tape's start and writes NaN.

    Both are required, since a kernel without bounds has no flag and may record there.
    """
    if tape is None or tape.array[:4].tobytes() in (bytes([GARBAGE] * 4), bytes(4)):
        return False
    return any(np.isnan(array).any() for array in buffers.values())


def _copies(args: Mapping[str, Value], kernel: Signature) -> dict[str, Value]:
    """Copy the arguments of a primal, except `const` arrays."""
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
    if argument.role == "tangent":
        return np.zeros_like(values[argument.of])
    value = values[argument.name]
    if poison and argument.use == "unused" and isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.full_like(value, np.nan)
    return value


def _drawn(like: Array, random: np.random.Generator) -> Reals:
    """Draw factors in ±[0.5, 1.5]."""
    factors: Reals = random.choice((-1.5, -1.0, -0.75, 0.75, 1.0, 1.5), like.shape)
    return factors


def _keep(value: Value) -> Value:
    return value.copy() if isinstance(value, np.ndarray) else value


def _array(value: Value | Number) -> Array:
    assert isinstance(value, np.ndarray)
    return value
