"""Which value of a variable a statement reads.

    x = a[i];           x is version 1 here
    if (c)
        x = x * x;      reads 1, makes 2
    y[i] = x;           reads 3, which joins 2 and 1

A version is made by a statement, by the join of branches, by the head of a loop
(the value at the start of an iteration), or by its exit. Versions are the nodes
that activity, to-be-recorded and the plan speak of: a use is (statement, operand),
and this page says which version it is of. Arrays have no versions: an element's
store doesn't kill the array, and loads are judged one by one (see `tbr.reaching_stores`).

Bodies are in tail form (`transform.normalise.structure_exits`), so an exit ends the path it is on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Literal

from ..ir import (
    AddressOf,
    Array,
    Assign,
    Body,
    Break,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Pointer,
    Stmt,
    Switch,
    Sym,
    While,
    children,
    expressions,
    remembered,
    statements,
)

Loop = For | While | DoWhile
Role = Literal["root", "then", "else", "case", "loop"]


@dataclass(eq=False)
class Scope:
    """A body in the tree of bodies. `owner` is the statement that contains it, in `parent`."""

    role: Role
    stmts: Body
    parent: Scope | None
    owner: Stmt | None
    depth: int
    case: int = 0

    def outwards(self) -> Iterator[Scope]:
        """Yield this scope and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    @property
    def loop(self) -> Loop | None:
        """The loop whose body this is."""
        return self.owner if isinstance(self.owner, For | While | DoWhile) else None

    def loops(self) -> Iterator[Loop]:
        """Yield the loops around the statements of this body, innermost first."""
        return (scope.loop for scope in self.outwards() if scope.loop is not None)

    def within(self, other: Scope) -> bool:
        """Whether this scope is `other` or inside it."""
        scope: Scope | None = self
        while scope is not None and scope.depth >= other.depth:
            if scope is other:
                return True
            scope = scope.parent
        return False

    @property
    def looped(self) -> bool:
        """Whether this body is inside a loop, or is a loop's body."""
        return any(True for _ in self.loops())

    def __repr__(self) -> str:
        return f"Scope({self.role}@{self.depth})"


Kind = Literal["entry", "def", "join", "head", "exit"]


@dataclass(eq=False)
class Version:
    """One value of a variable. `scope` is where it exists; `args` are the values that a join may take."""

    kind: Kind
    sym: Sym
    stmt: Stmt | None
    scope: Scope
    args: list[Version] = field(default_factory=list)

    @property
    def made(self) -> tuple[Stmt, Expr] | None:
        """The statement that sets the whole variable, and the value: `T v = e;`, `v = e;`."""
        match self.stmt:
            case Declare(sym, init) as stmt if (
                self.kind == "def" and sym is self.sym and isinstance(init, Expr)
            ):
                return stmt, init
            case Assign(Place(sym, ()), value, None) as stmt if self.kind == "def" and sym is self.sym:
                return stmt, value
            case _:
                return None

    @property
    def line(self) -> int:
        span = getattr(self.stmt, "span", None) or self.sym.span
        return span.line if span else 0

    def __repr__(self) -> str:
        return f"{self.sym.name}.{self.kind}@{self.line}"


Env = dict[Sym, Version]
Reads = dict[Sym, Version]


@dataclass(eq=False)
class Versions:
    """The tables: the versions that each statement reads and makes, and each statement's place.

    `reads[s]`: versions of the scalars that s reads; for an `if` or `switch` its
    condition; for a loop its condition, as read at the head (at the end of the body
    for do-while), and its loop-invariant steps. `makes[s, sym]`: the version it makes;
    for branches the joins, for loops the exits.
    `heads[loop][sym]`: values at the start of an iteration, of variables that an earlier one may
    have changed. `before[s][sym]`: for branching statements and loops, the version of a variable
    that they write, as it was before them.
    """

    function: Function
    root: Scope
    scope_of: dict[Stmt, Scope] = field(default_factory=dict)
    position: dict[Stmt, int] = field(default_factory=dict)
    inside: dict[Stmt, tuple[Scope, ...]] = field(default_factory=dict)
    reads: dict[Stmt, Reads] = field(default_factory=dict)
    makes: dict[Stmt, dict[Sym, Version]] = field(default_factory=dict)
    heads: dict[Stmt, dict[Sym, Version]] = field(default_factory=dict)
    breaks: dict[Stmt, list[Break]] = field(default_factory=dict)
    writes: dict[Stmt, dict[Sym, None]] = field(default_factory=dict)
    entries: dict[Sym, Version] = field(default_factory=dict)
    declared: dict[Sym, Scope] = field(default_factory=dict)
    final: Env = field(default_factory=dict)
    order: dict[Stmt, int] = field(default_factory=dict)
    last: dict[Stmt, int] = field(default_factory=dict)  # the order of the last statement inside
    before: dict[Stmt, dict[Sym, Version]] = field(default_factory=dict)

    def read(self, stmt: Stmt, sym: Sym) -> Version | None:
        """Return the version of a variable that a statement reads, if it does."""
        return self.reads.get(stmt, {}).get(sym)

    def followed(self, stmt: Stmt, expr: Expr, bare: Callable[[Expr], Expr]) -> tuple[Stmt, Expr]:
        """Follow a variable to the expression that defines it, and the statement of that definition.

        `bare` strips what doesn't matter: conversions of some kind.
        """
        expr = bare(expr)
        while isinstance(expr, Place) and not expr.index:
            version = self.read(stmt, expr.sym)
            if version is None or version.made is None:
                break
            stmt, value = version.made
            expr = bare(value)
        return stmt, expr

    def entry_of(self, scope: Scope, sym: Sym) -> Version | None:
        """Return the version of a variable at the start of a body that writes it."""
        owner = scope.owner
        if owner is None:
            return self.entries.get(sym)
        head = self.heads[owner].get(sym) if scope.role == "loop" else None
        return head or self.before[owner].get(sym)

    @cached_property
    def writers(self) -> dict[Sym, list[Stmt]]:
        """The simple statements that write each variable or array, in program order."""
        found: dict[Sym, list[Stmt]] = {}
        for stmt in self.order:
            for target in targets(stmt):
                found.setdefault(target.sym, []).append(stmt)
        return found

    @property
    def loops(self) -> tuple[Loop, ...]:
        """All loops, in program order."""
        return tuple(stmt for stmt in self.order if isinstance(stmt, For | While | DoWhile))

    @property
    def size(self) -> int:
        """The number of statements and versions: no analysis can mark more of them."""
        return len(self.order) + sum(1 for _ in self.all_versions())

    def all_versions(self) -> Iterator[Version]:
        yield from self.entries.values()
        for made in self.makes.values():
            yield from made.values()
        for heads in self.heads.values():
            yield from heads.values()
        for version in self.final.values():
            if version.stmt is None and version.kind == "join":
                yield version

    def loops_between(self, outer: Scope, inner: Scope) -> tuple[Loop, ...]:
        """Return the loops whose bodies lie between two scopes, outermost first."""
        between = self.scopes_between(outer, inner)
        return tuple(reversed([scope.loop for scope in between if scope.loop is not None]))

    def scopes_between(self, outer: Scope, inner: Scope) -> Iterator[Scope]:
        """Yield the scopes from `inner` out to `outer`, which is excluded, innermost first."""
        return takewhile(lambda scope: scope is not outer, inner.outwards())

    def body_of(self, loop: Loop) -> Iterator[Stmt]:
        """Yield every statement inside a loop, including its step."""
        return statements(self.inside[loop][0].stmts)

    def ancestor_in(self, scope: Scope, stmt: Stmt) -> Stmt:
        """Return the direct statement of `scope` that is or contains `stmt`."""
        current = stmt
        while self.scope_of[current] is not scope:
            owner = self.scope_of[current].owner
            assert owner is not None, "not inside"
            current = owner
        return current


def scalars(expr: Expr) -> Iterator[Sym]:
    """Yield the scalar variables that an expression reads, including those in indices."""
    if isinstance(expr, Place):
        if not expr.index and not isinstance(expr.sym.type, Array | Pointer):
            yield expr.sym
        for part in expr.index:
            yield from scalars(part)
        return
    if isinstance(expr, AddressOf):
        for part in expr.place.index:
            yield from scalars(part)
        return
    for child in children(expr):
        yield from scalars(child)


def loads(expr: Expr) -> Iterator[Place]:
    """Yield the element reads in an expression, inner ones (in indices) first."""
    if isinstance(expr, AddressOf):
        for part in expr.place.index:
            yield from loads(part)
        return
    for child in children(expr):
        yield from loads(child)
    if isinstance(expr, Place) and expr.index:
        yield expr


def operands(stmt: Stmt) -> tuple[Expr, ...]:
    """Return the expressions that a primal's statement evaluates: for branches and loops the condition."""
    match stmt:
        case Assign(target, value, None):
            return (*target.index, value)
        case _:
            return expressions(stmt)


@remembered
def targets(stmt: Stmt) -> tuple[Place, ...]:
    """Return the places that a simple statement writes; cached, as it is called often."""
    match stmt:
        case Declare(sym, init):
            if init is None:
                return ()
            if isinstance(init, Initialiser):
                return (Place(sym, (), sym.type),)
            return (Place(sym, (), sym.type), *outputs(init))
        case Assign(target, value):
            return (target, *outputs(value))
        case Evaluate(call):
            return outputs(call)
        case _:
            return ()


def outputs(expr: Expr) -> tuple[Place, ...]:
    """Return the places that a call in an expression writes through: `modff(x, &whole)`."""
    return expr.outputs


def own_breaks(body: Iterable[Stmt]) -> list[Break]:
    """Return the breaks of the loop with this body, not of loops or switches inside it."""
    found: list[Break] = []
    for stmt in body:
        match stmt:
            case Break():
                found.append(stmt)
            case If(_, then, other):
                found += own_breaks(then)
                found += own_breaks(other)
            case Switch(_, cases):
                for case in cases:
                    found += own_breaks(case.body)
            case _:
                pass
    return found
