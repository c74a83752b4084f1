"""The result of the transformation: one adjoint, as emission needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from ..analysis.plan import Plan
from ..ir import Expr, Function, Program, Sym
from ..parse.source.companion_scope import Behind
from ..signature import Argument, Signature


@dataclass(frozen=True)
class TapeRegion:
    """One region of the global tape: `count` elements of `type` per thread.

    `count` is an expression in the primal's by-value parameters.
    """

    name: str
    type: str
    count: Expr


@dataclass(frozen=True)
class SharedRegion:
    """Dynamic shared memory: `count` elements of `type` for each of the arrays."""

    arrays: tuple[str, ...]
    type: str
    count: Expr


@dataclass(frozen=True)
class FactTable:
    """One analysis's findings, for `explain --facts` and `review`: made when they are asked for."""

    title: str
    columns: tuple[str, ...]
    made: Callable[[], Iterable[tuple[str, ...]]] = field(compare=False, repr=False)

    @cached_property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        return tuple(self.made())


@dataclass(frozen=True)
class Contract:
    """What each array must hold on entry and what it holds on exit, as the header states it.

    `arguments` are rows: names, role (`in`, `in/out`, …), content. `launch` is the sentence on the
    forward kernel in the split shape. `notes` are further sentences.
    """

    arguments: tuple[tuple[str, str, str], ...]
    launch: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Adjoint:
    """The functions of the emitted file and the content of its header.

    `derivative`: what the kernel is to its primal. `origin`: the primal of the adjoint whose tangent it is.

    `functions` are the device functions that the emitted kernels call, primal ones
    and adjoint ones, callees before callers; `seeded` are the parameters of adjoint ones that hold
    adjoints, by position. `forward` is K_fwd in the split shape, `measure` is K_measure.
    `tape` are the regions of the global tape. `threads` is the number of threads of a block if
    the kernel's literals fix it, `declared_threads` if it is declared and a multiple of 32; if
    `whole_warps`, it is a multiple of 32, or checked to be.
    `dimensions` is an upper bound on the block's dimensions. For a companion, `behind` is what the
    file that it follows defines, `own` the prefix of its own functions' names, and `there` are the
    file's variables that it reads in place. `kept` are the instances of an adjoint that stays a
    template, `T = float`.
    """

    program: Program
    kernel: Function
    signature: Signature
    plan: Plan
    contract: Contract
    command: str  # "s2sad transform relax.cu --of y --wrt x,w"
    forward: Function | None = None
    forward_signature: Signature | None = None
    measure: Function | None = None
    measure_signature: Signature | None = None
    measured: tuple[tuple[int, Sym], ...] = ()  # the lines of loops, and the parameters for their trip counts
    functions: tuple[Function, ...] = ()
    seeded: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    tape: tuple[TapeRegion, ...] = field(default=())
    shared: tuple[SharedRegion, ...] = ()
    prefix: str = "adj_"
    threads: int = 0
    declared_threads: int = 0
    whole_warps: bool = False
    dimensions: int = 3
    facts: tuple[FactTable, ...] = ()
    behind: Behind | None = None
    own: str = ""
    there: tuple[Argument, ...] = ()
    kept: tuple[str, ...] = ()
    derivative: Literal["adjoint", "tangent", "tangent of the adjoint"] = "adjoint"
    origin: Function | None = None
    fits: tuple[tuple[int, int], ...] = ()  # lines of loops, and the iterations up to which the tape fits
