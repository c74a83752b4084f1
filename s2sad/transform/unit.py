"""What the transformation hands to emission: one adjoint, whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..analysis.plan import Plan
from ..ir import Expr, Function, Program, Sym
from ..parse.source.companion_scope import Behind
from ..signature import Argument, Signature


@dataclass(frozen=True)
class TapeRegion:
    """One stretch of the global tape: `count` elements of `type` per thread.

    `count` is an expression over the primal's by-value parameters.
    """

    name: str
    type: str
    count: Expr


@dataclass(frozen=True)
class SharedRegion:
    """Shared memory that the launch gives: `count` elements of `type` for each of the arrays."""

    arrays: tuple[str, ...]
    type: str
    count: Expr


@dataclass(frozen=True)
class FactTable:
    """One analysis's findings, for `explain --facts`."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Adjoint:
    """The functions of the emitted file and what its header says.

    `functions` are the device functions that the emitted kernels call, primal ones
    and adjoint ones, callees before callers. `forward` is K_fwd in the split shape,
    `measure` is K_measure.
    `contract` are the header's first sentences: what each array must hold, what is
    added to and what is left alone. `tape` are the regions of the global tape. `threads` are
    those of a block, where the kernel's literals say how many; no more than so many
    `dimensions` does a block have. Of a companion `behind` is what
    the file has that it follows, `own` what the names of its own functions begin with, and `there`
    are the file's variables whose values it reads where they are. `kept` are the instances of an
    adjoint that stays a template, `T = float`.
    """

    program: Program
    kernel: Function
    signature: Signature
    plan: Plan
    contract: tuple[str, ...]
    command: str  # "s2sad transform relax.cu --of y --wrt x,w"
    forward: Function | None = None
    forward_signature: Signature | None = None
    measure: Function | None = None
    measure_signature: Signature | None = None
    measured: tuple[tuple[int, Sym], ...] = ()  # the lines of loops, and parameters for their trips
    functions: tuple[Function, ...] = ()
    tape: tuple[TapeRegion, ...] = field(default=())
    shared: tuple[SharedRegion, ...] = ()
    prefix: str = "adj_"
    threads: int = 0
    dimensions: int = 3
    facts: tuple[FactTable, ...] = ()
    behind: Behind | None = None
    own: str = ""
    there: tuple[Argument, ...] = ()
    kept: tuple[str, ...] = ()
