"""The result of the transformation that is passed to emission: one complete adjoint."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..analysis.plan import Plan
from ..ir import Expr, Function, Program, Sym
from ..parse.source.companion_scope import Behind
from ..signature import Argument, Signature


@dataclass(frozen=True)
class TapeRegion:
    """One stretch of the global tape: `count` elements of `type` per thread.

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
    """One analysis's findings, for `explain --facts`."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Adjoint:
    """The functions of the emitted file and the contents of its header.

    `functions` are the device functions that the emitted kernels call, primal and adjoint
    ones, callees before callers. `forward` is K_fwd in split mode, `measure` is K_measure.
    `contract` are the header's first sentences: what each array must hold, what is added to and
    what isn't modified. `tape` are the regions of the global tape. `threads` is the block size, if
    the kernel's literals determine it; `dimensions` is the maximum number of block dimensions. For
    a companion, `behind` is what the file that it follows defines, `own` the prefix of its own
    functions, and `there` are the file-scope variables that it reads directly. `kept` are the
    instances of an adjoint that stays a template, `T = float`.
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
    measured: tuple[tuple[int, Sym], ...] = ()  # the lines of loops, and the parameters for their trip counts
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
