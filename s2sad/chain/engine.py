"""Run a chain forwards and backwards on a backend.

A state maps the names of arrays to storage; a swap exchanges two entries, and a checkpoint is a copy
of some of them. Adjoints are a second such state. Between any two launches it has, for each
array, dJ/d(value there); a launch's adjoint turns the one at its exit into that at its entry,
whatever the contract of each of its parameters is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeGuard

import numpy as np

from ..diagnostics import Code, Rejected, diagnose
from ..run.backend import Backend, LaunchFailed, Module
from ..signature import Argument, Signature
from ..validate.case_args import problem_at
from ..validate.elements import Array, Real, dtype
from ..validate.expressions import Expression, ExpressionError
from ..validate.launching import compiled
from ..validate.margins import Guarded
from ..validate.recipe import Evaluation as SizesOf
from ..validate.recipe import Launch, LaunchSpec, Problem, Recipe, Size, Value
from . import binomial
from .flow import Plan
from .kernels import Kernels
from .linking import Call, Exchange, Linked, Loop, Node
from .model import Path

State = dict[str, Array]
Copies = dict[str, Array]
_GARBAGE = 0xCB


@dataclass
class Count:
    """What a loop did: steps run forwards, in all, and checkpoints of `bytes` each."""

    steps: int
    checkpoints: int
    bytes: int  # of one checkpoint
    forward: int = 0
    reversed: int = 0

    @property
    def expected(self) -> int:
        """The fewest steps that suffice, by the binomial formula."""
        return binomial.forward_steps(self.steps, self.checkpoints)


@dataclass
class _Kept:
    """A loop on its way back: its schedule, and the states kept so far."""

    actions: list[binomial.Action]
    states: list[Copies] = field(default_factory=list)


@dataclass(frozen=True)
class _Saved:
    copies: Copies
    loop: _Kept | None = None


class Machine:
    """A chain compiled for a backend, with `float` unchanged or as `double`."""

    def __init__(
        self,
        chain: Linked,
        kernels: Kernels,
        plan: Plan,
        backend: Backend,
        real: Real = "float",
        quick: bool = False,
    ) -> None:
        """Compile the kernels; `quick`: they are launched only a few times."""
        self._quick = quick
        self.chain, self.kernels, self.plan, self.real = chain, kernels, plan, real
        self.counts: dict[Loop, Count] = {}
        self._used: dict[Call, list[str]] = {}  # names in the sizes of launches
        self._launches: dict[tuple[Call, tuple[int | None, ...]], Launch] = {}
        self.most_saved = 0
        self._room: int | None = None  # overrides the number of checkpoints: all
        self._primal: dict[Call, Module] = {}
        self._adjoint: dict[Call, Module] = {}
        self._guards: list[tuple[str, Guarded]] = []
        self._numbers: Mapping[str, Value] = {}
        self._scalars: dict[str, Array] = {}
        self._compile(backend)

    def _compile(self, backend: Backend) -> None:
        for call in self.chain.calls:
            text = self.kernels.primal[call]
            self._primal[call] = compiled(
                backend, text, [call.kernel], self.real, call.source.name, self._quick
            )
            reverse = self.kernels.reverse.get(call)
            if reverse is not None:
                pair = reverse.pair
                self._adjoint[call] = compiled(
                    backend, pair.adjoint_text, list(pair.kernels), self.real, pair.adjoint_file, self._quick
                )

    # ---- whole runs -------------------------------------------------------------

    def begin(self, values: Mapping[str, Value], room: int | None = None) -> State:
        """Return the state of these arrays, copied; numbers are used until the next call."""
        self._numbers = {n: v for n, v in values.items() if not isinstance(v, np.ndarray)}
        self.counts, self.most_saved, self._room, self._guards = {}, 0, room, []
        return {name: self._guarded(name, v) for name, v in values.items() if isinstance(v, np.ndarray)}

    def forward(self, values: Mapping[str, Value]) -> State:
        """Run the chain and return its arrays. Raises Rejected."""
        state = self.begin(values)
        self._run(self.chain.nodes, state, self._integers(), None)
        self._whole()
        return state

    def record(self, state: State) -> list[_Saved]:
        """Run the chain, keeping what `back` needs."""
        return self._record(self.chain.nodes, state, self._integers(), None)

    def adjoints(self, seeds: Mapping[str, Array], state: State) -> State:
        """Return the adjoints at the end: the seeds, and zeros."""
        self._scalars = {
            name: np.zeros(1, dtype(self.chain.scalars[name], self.real)) for name in self._real_numbers()
        }
        return {
            name: self._guarded(f"adj_{name}", seeds.get(name, np.zeros_like(state[name])))
            for name in state
            if name in self.plan.carried
        }

    def back(self, saved: list[_Saved], state: State, adjoints: State) -> dict[str, Array]:
        """Go back through the chain; return the gradients of its independents."""
        self._back(self.chain.nodes, saved, state, adjoints, self._integers())
        self._whole()
        return {n: self._scalars[n] if n in self._scalars else adjoints[n] for n in self.chain.wrt}

    def _real_numbers(self) -> list[str]:
        return [name for name in self.chain.wrt if name in self.chain.scalars]

    def _integers(self) -> dict[str, int]:
        return {n: int(v) for n, v in self._numbers.items() if isinstance(v, int | np.integer)}

    def _guarded(self, name: str, array: Array) -> Array:
        guard = Guarded(array)
        self._guards.append((name, guard))
        return guard.array

    def _whole(self) -> None:
        if outside := [name for name, guard in self._guards if not guard.whole]:
            reason = f"a launch writes beyond the ends of {', '.join(dict.fromkeys(outside))}"
            raise Rejected(diagnose(Code.LAUNCH_FAILED, None, kernel="the chain", reason=reason))

    # ---- forwards ---------------------------------------------------------------

    def _run(
        self, nodes: Sequence[Node], state: State, at: dict[str, int], run: frozenset[Call] | None
    ) -> None:
        """Run nodes: all their launches, or those in `run`."""
        for node in nodes:
            match node:
                case Call():
                    if run is None or node in run:
                        self._launch(node, state, at)
                case Exchange():
                    _swap(state, node)
                case Loop():
                    for step in range(self._size(node.count, at, (*node.path, "repeat"))):
                        self._run(node.body, state, _counted(node, at, step), run)

    def _record(
        self, nodes: Sequence[Node], state: State, at: dict[str, int], run: frozenset[Call] | None
    ) -> list[_Saved]:
        """Run nodes like `_run`, and keep what is needed to reverse each."""
        found = []
        for node in nodes:
            copies = _copies(state, self.plan.saved.get(node, ()))
            loop = None
            match node:
                case Loop() if node in self.plan.reversed:
                    loop = self._begin(node, at)
                    self._follow(node, loop, state, None, at, run)
                case _:
                    self._run([node], state, at, run)
            found.append(_Saved(copies, loop))
        total = sum(array.nbytes for one in found for array in one.copies.values())
        self.most_saved = max(self.most_saved, total)
        return found

    # ---- backwards --------------------------------------------------------------

    def _back(
        self,
        nodes: Sequence[Node],
        saved: list[_Saved],
        state: State,
        adjoints: State,
        at: dict[str, int],
    ) -> None:
        """Reverse nodes that `_record` ran; `adjoints` are at their exit, and at their entry afterwards."""
        for node, kept in zip(reversed(nodes), reversed(saved), strict=True):
            match node:
                case Exchange():
                    _swap(state, node)
                    _swap(adjoints, node)
                case Call():
                    _restore(state, kept.copies)
                    if node in self.kernels.reverse:
                        self._reverse(node, state, adjoints, at)
                case Loop():
                    _restore(state, kept.copies)
                    if kept.loop is not None:
                        self._follow(node, kept.loop, state, adjoints, at, self.plan.again[node])
                    else:
                        self._unswap(node, state, adjoints, at)

    def _unswap(self, loop: Loop, state: State, adjoints: State, at: dict[str, int]) -> None:
        """Undo the swaps of a loop without derivatives."""
        for step in reversed(range(self._size(loop.count, at, (*loop.path, "repeat")))):
            for node in reversed(loop.body):
                if isinstance(node, Exchange):
                    _swap(state, node)
                    _swap(adjoints, node)
                elif isinstance(node, Loop):
                    self._unswap(node, state, adjoints, _counted(loop, at, step))

    # ---- loops ------------------------------------------------------------------

    def _begin(self, loop: Loop, at: Mapping[str, int]) -> _Kept:
        """Make the schedule of a loop that starts now."""
        steps = self._size(loop.count, at, (*loop.path, "repeat"))
        return _Kept(list(reversed(list(binomial.schedule(steps, self._slots(loop, steps, at))))))

    def _slots(self, loop: Loop, steps: int, at: Mapping[str, int]) -> int:
        one = self._checkpoint_bytes(loop)
        if self._room is not None:
            slots = self._room
        elif loop.checkpoints is not None:
            slots = self._size(loop.checkpoints, at, (*loop.path, "checkpoints"))
        elif loop.bytes is not None:
            slots = loop.bytes // one if one else steps
        else:
            slots = binomial.default_slots(steps)
        if slots < 1:
            if loop.bytes is None:
                raise self._wrong((*loop.path, "checkpoints"), "at least one checkpoint is needed")
            raise self._wrong((*loop.path, "bytes"), f"one checkpoint takes {one} bytes, not {loop.bytes}")
        slots = max(1, min(slots, steps))
        known = self.counts.setdefault(loop, Count(steps, slots, one))
        known.steps, known.checkpoints = max(known.steps, steps), max(known.checkpoints, slots)
        return slots

    def _checkpoint_bytes(self, loop: Loop) -> int:
        return sum(self._sizes[name] for name in self.plan.kept[loop])

    @property
    def _sizes(self) -> dict[str, int]:
        return {name: guard.array.nbytes for name, guard in self._guards}

    def _follow(
        self,
        loop: Loop,
        kept: _Kept,
        state: State,
        adjoints: State | None,
        at: dict[str, int],
        run: frozenset[Call] | None,
    ) -> None:
        """Follow the schedule to the loop's end or, with adjoints, from there back to its beginning."""
        count = self.counts[loop]
        while kept.actions:
            action, step = kept.actions.pop()
            inside = _counted(loop, at, step)
            match action:
                case "advance":
                    self._run(loop.body, state, inside, run)
                    count.forward += 1
                case "keep":
                    kept.states.append(_copies(state, self.plan.kept[loop]))
                case "restore":
                    _restore(state, kept.states[-1])
                    for name in loop.scratch:
                        state[name][...] = np.nan
                case "drop":
                    kept.states.pop()
                case "reverse":
                    assert adjoints is not None
                    saved = self._record(loop.body, state, inside, self.plan.within[loop])
                    self._back(loop.body, saved, state, adjoints, inside)
                    count.reversed += 1
                case "turn":
                    return

    # ---- launches ---------------------------------------------------------------

    def _size(self, size: Size, at: Mapping[str, int], path: tuple[str, ...]) -> int:
        if isinstance(size, int):
            return size
        try:
            return size.value(at, self.real)
        except ExpressionError as error:
            raise self._wrong(path, str(error), size.text, error.start, error.end) from None

    def _wrong(self, path: Path, what: str, text: str = "", start: int = 0, end: int = 0) -> Rejected:
        return Rejected(problem_at(self.chain.document, Problem(path, what, text, start, end)))

    def _geometry(self, call: Call, at: dict[str, int]) -> Launch:
        used = self._used.get(call)
        if used is None:
            sizes_ = (*call.grid, *call.block, call.shared_bytes)
            used = [n for size in sizes_ if isinstance(size, Expression) for n in size.names]
            self._used[call] = used
        key = call, tuple(at.get(name) for name in used)
        known = self._launches.get(key)
        if known is None:
            known = self._launches[key] = self._evaluated(call, at)
        return known

    def _evaluated(self, call: Call, at: dict[str, int]) -> Launch:
        spec = LaunchSpec(call.grid, call.block, call.shared_bytes)
        sizes = SizesOf(Recipe(spec, at), self.real)
        found = sizes.run()
        if found is None:
            raise Rejected(
                *(
                    problem_at(self.chain.document, replace(problem, path=(*call.path, problem.path[-1])))
                    for problem in sizes.problems
                )
            )
        return found.launch

    def _launch(self, call: Call, state: State, at: dict[str, int]) -> None:
        geometry = self._geometry(call, at)
        values = self._values(call, state, at)
        _launched(self._primal[call], call.kernel, geometry, values)

    def _values(self, call: Call, state: State, at: Mapping[str, int]) -> dict[str, Value]:
        """Return the arguments of the primal, views of the state's arrays."""
        values: dict[str, Value] = {}
        ranges: dict[str, list[tuple[int, int, str]]] = {}
        for argument in call.kernel.arguments:
            if argument.pointer:
                view, begin = self._view(call, argument, state, at)
                values[argument.name] = view
                seen = ranges.setdefault(call.array(argument.name), [])
                for first, end, other in seen:
                    if begin < end and first < begin + view.size:
                        self._overlapping(call, argument, other)
                seen.append((begin, begin + view.size, argument.name))
            else:
                values[argument.name] = self._number(call, argument, at)
        return values

    def _overlapping(self, call: Call, argument: Argument, other: str) -> None:
        both = {argument.name, other}
        if both & call.writes or call.is_real(argument.name):
            one, two = call.bound[argument.name].text, call.bound[other].text
            path = (*call.path, "args", argument.name)
            raise self._wrong(path, f"{one} overlaps with {two}, which {other} is bound to")

    def _view(
        self, call: Call, argument: Argument, state: Mapping[str, Array], at: Mapping[str, int]
    ) -> tuple[Array, int]:
        """Return the array of a parameter, or a part of it, and where it begins."""
        whole = state[call.array(argument.name)]
        part = call.bound[argument.name].part
        if part is None:
            return whole, 0
        path = (*call.path, "args", argument.name)
        begin, end = self._size(part.begin, at, path), self._size(part.end, at, path)
        if not 0 <= begin < end <= whole.size:
            raise self._wrong(path, f"elements {begin} to {end} of {part.array}, which has {whole.size}")
        return whole.reshape(-1)[begin:end], begin

    def _number(self, call: Call, argument: Argument, at: Mapping[str, int]) -> Value:
        to = call.bound[argument.name]
        if to.number is not None:
            return to.number
        if to.size is not None:
            return self._size(to.size, at, (*call.path, "args", argument.name))
        return at[to.name] if to.name in at else self._numbers[to.name]

    def _reverse(self, call: Call, state: State, adjoints: State, at: dict[str, int]) -> None:
        """Run the adjoint of a launch, from the state before it."""
        reverse, geometry = self.kernels.reverse[call], self._geometry(call, at)
        pair, module = reverse.pair, self._adjoint[call]
        values = self._values(call, state, at)
        if pair.measure is not None:
            trips = [a.name for a in pair.adjoint.arguments if a.use == "trips"]
            measured = np.zeros(len(trips), np.int32)
            given = {**values, pair.measure.arguments[-1].name: measured}
            _launched(module, pair.measure, geometry, given)
            values |= {name: int(n) for name, n in zip(trips, measured, strict=True)}
        tape = self._tape(module, pair.adjoint, geometry, values)
        tapes = [a.name for k in pair.kernels for a in k.arguments if a.role == "tape"]
        values |= {} if tape is None else dict.fromkeys(tapes, tape)
        if pair.forward is not None:
            _launched(module, pair.forward, geometry, values)
        elif reverse.forward_first:
            _launched(self._primal[call], call.kernel, geometry, values)
        passed = dict(values)
        scalars: list[tuple[str, Array]] = []
        for argument in pair.adjoint.arguments:
            if argument.role != "adjoint":
                continue
            primal = call.kernel.argument(argument.of)
            if primal.pointer and argument.use != "scratch":
                passed[argument.name] = self._view(call, primal, adjoints, at)[0]
            elif primal.pointer:
                passed[argument.name] = np.zeros_like(values[argument.of])
            else:
                one: Array = np.zeros(1, dtype(argument.type, self.real))
                passed[argument.name] = one
                scalars.append((call.bound[argument.of].name, one))
        if pair.adjoint.shared:
            shared = module.shared_bytes(
                pair.adjoint, geometry.grid, geometry.block, values, geometry.shared_bytes
            )
            geometry = Launch(geometry.grid, geometry.block, shared)
        _launched(module, pair.adjoint, geometry, passed)
        found = [v for a in pair.adjoint.arguments if a.role == "adjoint" and _is_array(v := passed[a.name])]
        if tape is not None and _overrun(tape, found):
            raise Rejected(diagnose(Code.TAPE_OVERRUN, None, kernel=pair.adjoint.name))
        for name, one in scalars:
            self._scalars[name] += one  # type: ignore[misc]

    def _tape(
        self, module: Module, kernel: Signature, launch: Launch, values: Mapping[str, Value]
    ) -> Array | None:
        if not kernel.tape:
            return None
        size = module.tape_bytes(kernel, launch.grid, launch.block, values)
        return np.full(max(size, 16), _GARBAGE, np.uint8).view(np.int8)


def _is_array(value: Value) -> TypeGuard[Array]:
    return isinstance(value, np.ndarray)


def _overrun(tape: Array, found: Sequence[Array]) -> bool:
    """Whether a thread ran out of tape: it sets the flag at the tape's start and writes NaN.

    Both are required, since a kernel without bounds has no flag and may record there.
    """
    if tape[:4].tobytes() in (bytes([_GARBAGE] * 4), bytes(4)):
        return False
    return any(np.isnan(array).any() for array in found)


def _launched(module: Module, kernel: Signature, launch: Launch, values: Mapping[str, Value]) -> None:
    given = {a.name: values[a.name] for a in kernel.arguments}
    try:
        module.launch(kernel, launch.grid, launch.block, given, launch.shared_bytes)
    except LaunchFailed as error:
        raise Rejected(diagnose(Code.LAUNCH_FAILED, None, kernel=kernel.name, reason=str(error))) from error


def _counted(loop: Loop, at: dict[str, int], step: int) -> dict[str, int]:
    return {**at, loop.counter: step} if loop.counter else at


def _swap(state: State, swap: Exchange) -> None:
    if swap.first in state:
        state[swap.first], state[swap.second] = state[swap.second], state[swap.first]


def _copies(state: State, names: Sequence[str]) -> Copies:
    return {name: state[name].copy() for name in names}


def _restore(state: State, copies: Copies) -> None:
    for name, array in copies.items():
        state[name][...] = array
