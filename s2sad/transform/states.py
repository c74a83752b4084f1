"""What passes map: a primal on its way to the analyses, an adjoint on its way to text.

Both are frozen. A pass gives another one, or the same where it changed nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import is_

from ..ir import Body, Expr, Function, Program, Stmt, Sym
from ..options import Options
from ..rules import Table
from .build.builder import Builder
from .build.measure_kernel import Measured
from .normalise.tree_sums import Trees
from .plan.accumulation_policy import Ownership
from .plan.accumulation_verdicts import Verdicts
from .plan.adjoint_signature import Parameters
from .plan.facts import Facts
from .plan.shared_layout import Stretch
from .plan.storage_layout import Storage


def same(a: Body, b: Body) -> bool:
    """Whether two bodies are the same statements: they compare by identity."""
    return a is b or (len(a) == len(b) and all(map(is_, a, b)))


@dataclass(frozen=True)
class Primal:
    """A kernel or a device function, and the sums over the block that were found in it.

    `result` takes what a device function returns.
    """

    program: Program
    sums: Trees
    options: Options
    table: Table | None = None
    result: Sym | None = None
    declared_later: frozenset[Sym] = frozenset()

    @property
    def function(self) -> Function:
        return self.sums.function

    def becomes(self, function: Function) -> Primal:
        """The state with another function; itself if that has the same statements."""
        if function is self.function or same(function.body, self.function.body):
            return self
        return replace(self, sums=replace(self.sums, function=function))


@dataclass(frozen=True)
class Kernel:
    """What passes may ask about the kernel whose adjoint they rewrite; nothing of it changes.

    So many `block_dimensions` of a block matter. `alone` are the coordinates
    of which there is one in the launch. `helper` is the name of a function that gives the size of
    the launch's shared memory, `written` are the symbols that the primal stores to.
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

    @property
    def ordered(self) -> bool:
        """Whether no sum may depend on the order of threads."""
        return self.options.accumulate == "deterministic"


@dataclass(frozen=True)
class Built:
    """An adjoint, or K_fwd, as it is built, and what passes decided about it on the way.

    `verdicts` say how adjoints are added to. `widths` are how wide blocks must be, by axis, for the
    `collected` adjoints, whose elements have a thread each. `dynamic` is shared memory that the launch
    gives, `unread` are the regions of the tape that nobody reads. `simple` is the body as simplifying
    left it.
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

    @property
    def body(self) -> Body:
        return self.function.body

    @property
    def of_kernel(self) -> Kernel:
        """What is known of the kernel; only passes of kernels ask."""
        assert self.kernel is not None, f"{self.function.name} is no kernel"
        return self.kernel

    def becomes(self, body: Iterable[Stmt], verdicts: Verdicts | None = None) -> Built:
        """The state with another body; itself if that is the same statements and no verdict changed."""
        new = tuple(body)
        judged = self.verdicts if verdicts is None else verdicts
        if same(new, self.body):
            return self if judged is self.verdicts else replace(self, verdicts=judged)
        return replace(self, function=replace(self.function, body=new), verdicts=judged)
