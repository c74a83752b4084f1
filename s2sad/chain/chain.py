"""`Chain`: a whole simulation, run and differentiated."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from .. import files, pipeline
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..options import Options
from ..python_strings import SUFFIX
from ..run.backend import Backend
from ..run.isolated import Isolated
from ..run.registry import find
from ..signature import Argument, Signature
from ..toml_file import Document
from ..validate.arguments import prepare, prepare_seeds
from ..validate.case_args import ArgumentsReader, problem_at
from ..validate.elements import Array, Real
from ..validate.recipe import ArraySpec as Spec
from ..validate.recipe import Evaluation, LaunchSpec, Number, Problem, Recipe, Value
from . import host_code, program, reading
from .engine import Count, Machine
from .flow import Plan, patterns, plan
from .kernels import Kernels, transformed
from .linking import Exchange, Linked, changed, drafted, every, link
from .model import Step

Seeds = Mapping[str, ArrayLike] | Callable[[Mapping[str, Array]], Mapping[str, ArrayLike]]
_SECONDS = 600.0  # for one isolated launch


@dataclass(frozen=True)
class LoopCount:
    """What one loop did.

    `where` are its keys in the chain. `expected` is the binomial formula's number of `forward_steps`.
    """

    where: str
    steps: int
    checkpoints: int
    forward_steps: int
    expected: int
    checkpoint_bytes: int  # of one


@dataclass(frozen=True)
class Memory:
    """The bytes of a gradient's arrays."""

    state: int
    adjoints: int
    checkpoints: int
    saved: int  # the most that was copied within a step

    @property
    def total(self) -> int:
        return self.state + self.adjoints + self.checkpoints + self.saved


@dataclass(frozen=True)
class ChainResult:
    """Arrays after the chain, the gradient with respect to what they were before it, and its cost."""

    outputs: Mapping[str, Array]
    gradients: Mapping[str, Array]
    loops: tuple[LoopCount, ...]
    memory: Memory


class Chain:
    """Launches, swaps and loops, as a host program runs them, and what to differentiate.

    Names in `of` are arrays, whose values at the end are seeded; names in `wrt` are arrays and numbers,
    and their gradients are with respect to their values at the beginning. Files of kernels are relative
    to `folder`. Raises Rejected.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        *,
        of: str | Sequence[str],
        wrt: str | Sequence[str],
        folder: str | os.PathLike[str] = "",
        name: str = "chain",
    ) -> None:
        self.steps, self.name = tuple(steps), name
        self.of, self.wrt = _sequence(of), _sequence(wrt)
        self._folder = os.fspath(folder)
        self._document: Document | None = None
        self.tolerance: float | None = None
        self._machines: dict[tuple[str, Real], Machine] = {}

    @staticmethod
    def from_toml(path: str | os.PathLike[str]) -> Chain:
        """Read a chain from a file; its kernels are beside it. Raises Rejected with all errors."""
        written = reading.read(Document.read(os.fspath(path)))
        folder = os.path.dirname(os.fspath(path))
        chain = Chain(written.steps, of=written.of, wrt=written.wrt, folder=folder, name=Path(path).stem)
        chain._document, chain.tolerance = written.document, written.tolerance
        _ = chain.linked
        return chain

    @cached_property
    def linked(self) -> Linked:
        """The chain with its kernels read."""
        return link(self.steps, self.of, self.wrt, self._folder, self._document)

    @cached_property
    def kernels(self) -> Kernels:
        """The chain's kernels and their adjoints."""
        return transformed(self.linked, patterns(self.linked))

    @cached_property
    def plan(self) -> Plan:
        """What checkpoints consist of, and what is run again."""
        reverse = self.kernels.reverse.items()
        return plan(
            self.linked,
            {call: one.needs(call) for call, one in reverse},
            {call: one.carries(call) for call, one in reverse},
        )

    @property
    def remarks(self) -> tuple[Diagnostic, ...]:
        """The warnings of the transformation."""
        return self.kernels.remarks

    def source(self) -> str:
        """Return a host program that runs the chain and goes back for its gradient. Raises Rejected."""
        file = Path(self._document.source.name).name if self._document else f"{self.name}.toml"
        return program.source(self.linked, self.kernels, self.plan, self.name, file)

    # ---- running ----------------------------------------------------------------

    def run(
        self,
        args: Mapping[str, ArrayLike] | None = None,
        *,
        backend: Literal["auto", "cpu", "cuda"] = "auto",
    ) -> dict[str, Array]:
        """Run the chain forwards and return its arrays."""
        values = self.values(args)
        return dict(self.machine(find(backend)).forward(values))

    def gradient(
        self,
        args: Mapping[str, ArrayLike] | None = None,
        *,
        seeds: Seeds | None = None,
        backend: Literal["auto", "cpu", "cuda"] = "auto",
        isolated: bool = False,
        checkpoints: int | None = None,
    ) -> ChainResult:
        """Run the chain forwards and backwards; arguments are never modified.

        `args` replaces entries of the file's [args]. J is the sum over the dependents of seed times
        value at the end; `seeds` may be a function of the outputs. Missing seeds are ones. `checkpoints`
        replaces the number of states that each loop keeps. `isolated` keeps the caller's process
        alive whatever the kernels do. Raises Rejected, BackendUnavailable.
        """
        values = self.values(args)
        if not isolated:
            return self.differentiate(self.machine(find(backend)), values, seeds, checkpoints)
        with Isolated(backend, _SECONDS) as apart:
            machine = Machine(self.linked, self.kernels, self.plan, apart)
            return self.differentiate(machine, values, seeds, checkpoints)

    def differentiate(
        self,
        machine: Machine,
        values: Mapping[str, Value],
        seeds: Seeds | None = None,
        checkpoints: int | None = None,
    ) -> ChainResult:
        """Like `gradient`, with prepared values on a given machine."""
        state = machine.begin(values, checkpoints)
        bytes_ = sum(array.nbytes for array in state.values())
        saved = machine.record(state)
        outputs = {name: array.copy() for name, array in state.items()}
        given = seeds(outputs) if callable(seeds) else seeds
        ready = prepare_seeds(given, self.linked.of, outputs)
        adjoints = machine.adjoints(ready, state)
        memory = sum(array.nbytes for array in adjoints.values())
        found = machine.back(saved, state, adjoints)
        loops = tuple(_told(".".join(loop.path), count) for loop, count in machine.counts.items())
        kept = sum(one.checkpoints * one.checkpoint_bytes for one in loops)
        gradients = {n: array.reshape(np.shape(values[n])).copy() for n, array in found.items()}
        return ChainResult(outputs, gradients, loops, Memory(bytes_, memory, kept, machine.most_saved))

    def machine(self, backend: Backend, real: Real = "float") -> Machine:
        """Return the chain compiled for a backend."""
        key = backend.name, real
        if key not in self._machines:
            self._machines[key] = Machine(self.linked, self.kernels, self.plan, backend, real)
        return self._machines[key]

    # ---- arguments --------------------------------------------------------------

    @property
    def signature(self) -> Signature:
        """The chain's arrays and numbers, as parameters."""
        written = changed(self.linked.nodes)
        arrays = [Argument(n, t, True, written=n in written) for n, t in self.linked.arrays.items()]
        scalars = [Argument(n, t, False) for n, t in self.linked.scalars.items()]
        return Signature(self.name, (*arrays, *scalars), self.linked.of, self.linked.wrt)

    def values(self, args: Mapping[str, ArrayLike] | None = None, real: Real = "float") -> dict[str, Value]:
        """Return arrays and numbers: those given, others from [args]. Raises Rejected.

        Sizes of arrays in the file follow from the numbers that are given.
        """
        given: dict[str, ArrayLike] = {}
        if self._document is not None:
            given.update(self._from_file(args or {}, real))
        values = prepare({**given, **(args or {})}, self.signature, real)
        self._sizes_agree(values)
        return values

    def _from_file(self, args: Mapping[str, ArrayLike], real: Real) -> dict[str, Value]:
        """Read [args], with the given numbers in it and without the given arrays."""
        assert self._document is not None
        numbers = {name: value for name, value in args.items() if _is_number(value)}
        table = self._document.values.get("args", {})
        left = {n: v for n, v in table.items() if n not in args} if isinstance(table, dict) else table
        document = replace(self._document, values={**self._document.values, "args": left})
        document, own = document.with_tables({"args": numbers}, ("args",), ()), self.signature
        known = {a.name for a in own.arguments}
        both = {**left, **numbers} if isinstance(left, dict) else numbers
        more = [
            Argument(name, "double" if isinstance(value, float) else "long long", False)
            for name, value in both.items()
            if name not in known and isinstance(value, int | float)
        ]
        wanted = [a for a in own.arguments if a.name not in args or a.name in numbers]
        reader = ArgumentsReader(document, Signature("the chain", (*wanted, *more)))
        read: Mapping[str, Number | Spec] = reader.args()
        reader.done()
        evaluation = Evaluation(Recipe(LaunchSpec((1,), (1,)), read), real)
        setting = evaluation.run()
        if setting is None:
            raise Rejected(*(problem_at(document, problem) for problem in evaluation.problems))
        return {name: value for name, value in setting.args.items() if name in known}

    def _sizes_agree(self, values: Mapping[str, Value]) -> None:
        """Refuse to swap arrays of different sizes."""
        for first, second in self._swapped():
            one, other = np.shape(values[first]), np.shape(values[second])
            if one != other:
                what = f"it is swapped with {second}, but has shape {one}, not {other}"
                raise Rejected(problem_at(self._document, Problem(("args", first), what)))

    def _swapped(self) -> list[tuple[str, str]]:
        return [(n.first, n.second) for n in every(self.linked.nodes) if isinstance(n, Exchange)]


def from_host_code(path: str, of: Sequence[str] = (), wrt: Sequence[str] = (), function: str = "") -> str:
    """Return a draft of a chain's file from a host function with plain launches. Raises Rejected."""
    if path.endswith(SUFFIX):
        help = "write the chain's file by hand; its launches can name kernels of the script"
        what = f"{path} launches its kernels from Python, which isn't read"
        raise Rejected(diagnose(Code.USAGE, None, what=what, help=help))
    source = files.read(path)

    def parameters(kernel: str) -> list[tuple[str, bool]]:
        asked = Options(kernel=kernel)
        signature = pipeline.primal_signature(pipeline.read(source, asked), asked)
        return [(a.name, a.pointer) for a in signature.arguments]

    steps = host_code.read(source, parameters, function)
    linked = drafted(steps, tuple(of), tuple(wrt), os.path.dirname(path))
    return host_code.written(steps, linked)


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float)


def _told(where: str, count: Count) -> LoopCount:
    return LoopCount(where, count.steps, count.checkpoints, count.forward, count.expected, count.bytes)


def _sequence(names: str | Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str):
        return tuple(part.strip() for part in names.split(",") if part.strip())
    return tuple(names)
