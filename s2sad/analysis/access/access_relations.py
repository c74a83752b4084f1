"""The elements that a kernel accesses: their indices, facts known there, and each statement's place."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...ir import Body, Function, Place, Stmt, Sym
from ..ssa import Loop
from ..symbolic.evaluation import initial
from ..symbolic.inequalities import Facts
from ..symbolic.polynomials import Atom, Atoms, Poly, variable
from ..traversal import Leaving


@dataclass(frozen=True)
class Reference:
    """One array element that a statement reads or stores: its index, and the facts known there."""

    index: Poly
    facts: Facts


@dataclass(frozen=True, eq=False)
class Where:
    """A statement's place: its body, and how the body is entered.

    `needs`: the body is entered whenever its owner is executed and these hold;
    None: unknown.
    """

    body: Body
    position: int
    up: Where | None
    needs: Facts | None = ()
    loop: Loop | None = None  # the body is this loop's


@dataclass
class Survey:
    """The facts of one kernel: everything that `global_access` decides from."""

    kernel: Function
    atoms: Atoms
    references: dict[Stmt, dict[Place, tuple[Reference, ...]]] = field(default_factory=dict)
    where: dict[Stmt, Where] = field(default_factory=dict)
    repeated: set[Stmt] = field(default_factory=set)  # statements at several places
    leaving: dict[Stmt, frozenset[Leaving]] = field(default_factory=dict)
    iterations: dict[Loop, Atom] = field(default_factory=dict)  # increases strictly with each iteration
    # conditions that imply that a loop runs at all, and that it gets to an iteration
    enters: dict[Loop, Facts] = field(default_factory=dict)
    rounds: dict[Loop, Facts] = field(default_factory=dict)
    # atoms of a loop's variables at the start of an iteration, beside their values before the loop
    heads: dict[Loop, dict[Atom, Sym | None]] = field(default_factory=dict)
    heard: dict[Poly, None] = field(default_factory=dict)
    # coordinates that the kernel doesn't read, but that count because threads add atomically
    unseen: frozenset[Atom] = frozenset()
    order: list[tuple[Stmt, Place]] = field(default_factory=list)
    questions: dict[tuple[frozenset[Atom], tuple[Poly, ...] | None], object] = field(default_factory=dict)
    sizes: tuple[Poly, ...] = ()  # assumed not to be negative, because they are converted to unsigned

    def parameter(self, sym: Sym) -> Poly:
        """Return the value of an integer parameter at kernel entry."""
        return variable(initial(self.atoms, sym))
