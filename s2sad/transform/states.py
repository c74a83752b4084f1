"""The states that passes map: a primal before the analyses, an adjoint before emission.

Both are frozen. A pass returns a new one, or the same if it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import is_
from typing import ClassVar

from ..ir import Body, Expr, Function, LoopId, Program, Stmt, Sym
from ..options import Options
from ..rules import Table
from .build.builder import Builder
from .build.measure_kernel import Measured
from .normalise.strip_mine_loops import Strips
from .normalise.tree_sums import Trees
from .plan.accumulation_policy import Ownership
from .plan.accumulation_verdicts import Verdicts
from .plan.adjoint_signature import Parameters
from .plan.facts import Facts
from .plan.shared_layout import Stretch
from .plan.storage_layout import Storage


def same(a: Body, b: Body) -> bool:
    """Whether two bodies have the same statements, compared by identity."""
    return a is b or (len(a) == len(b) and all(map(is_, a, b)))


@dataclass(frozen=True)
class Primal:
    """A kernel or a device function, and the block sums found in it.

    `result` receives what a device function returns. `strips` are those of strip-mined loops, `snapshots` the
    loops to be restarted from snapshots though their trip counts are known. `fits` says up to how many
    iterations of the strip-mined loops without a constant trip count the tape is within its budget.
    """

    program: Program
    sums: Trees
    options: Options
    table: Table | None = None
    result: Sym | None = None
    declared_later: frozenset[Sym] = frozenset()
    strips: Strips = field(default_factory=dict)
    snapshots: frozenset[LoopId] = frozenset()
    fits: Mapping[LoopId, int] = field(default_factory=dict)

    is_primal: ClassVar[bool] = True

    @property
    def function(self) -> Function:
        return self.sums.function

    def becomes(self, function: Function) -> Primal:
        """The state with another function; the same object if that has the same statements."""
        if function is self.function or same(function.body, self.function.body):
            return self
        return replace(self, sums=replace(self.sums, function=function))


@dataclass(frozen=True)
class Kernel:
    """What passes may query about the kernel whose adjoint they rewrite; immutable.

    `block_dimensions`: the number of block dimensions in use. `alone`: the coordinates that
    must have one value in the launch. `helper`: the name of the function that returns the size of
    the launch's shared memory. `written`: the symbols that the primal stores to. `strips` are
    those of strip-mined loops.
    """

    primal: Function
    facts: Facts
    ownership: Ownership
    storage: Storage
    builder: Builder
    parameters: Parameters
    sums: Trees
    options: Options
    program: Program
    threads: Sym
    measured: Measured
    block_dimensions: int
    alone: frozenset[str]
    helper: str
    written: frozenset[Sym]
    prefix: str
    strips: Strips

    @property
    def ordered(self) -> bool:
        """Whether no sum may depend on thread order."""
        return self.options.accumulate == "deterministic"


@dataclass(frozen=True)
class Built:
    """An adjoint or K_fwd under construction, and what passes have decided about it.

    `verdicts` say how adjoints are accumulated. `widths` are the required block widths, by axis, for
    the `collected` adjoints, each element of which is gathered by one thread. `dynamic` is the dynamic
    shared memory, `unread` are the tape regions that nothing reads. `simple` is the body after the last
    `simplify`.
    """

    function: Function
    kernel: Kernel | None = None
    verdicts: Verdicts = field(default_factory=Verdicts)
    collected: frozenset[Sym] = frozenset()
    widths: Mapping[str, Expr] = field(default_factory=dict)
    dynamic: tuple[Stretch, ...] = ()
    unread: frozenset[Sym] = frozenset()
    simple: Body | None = None
    declared_later: frozenset[Sym] = frozenset()
    is_primal: ClassVar[bool] = False

    @property
    def body(self) -> Body:
        return self.function.body

    @property
    def of_kernel(self) -> Kernel:
        """The kernel's record; only passes of kernels use it."""
        assert self.kernel is not None, f"{self.function.name} is no kernel"
        return self.kernel

    def becomes(self, body: Iterable[Stmt], verdicts: Verdicts | None = None) -> Built:
        """The state with another body; the same object if neither statements nor verdicts changed."""
        new = tuple(body)
        judged = self.verdicts if verdicts is None else verdicts
        if same(new, self.body):
            return self if judged is self.verdicts else replace(self, verdicts=judged)
        return replace(self, function=replace(self.function, body=new), verdicts=judged)
