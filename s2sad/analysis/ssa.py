"""Which value of a variable a statement reads.

    x = a[i];           x is version 1 here
    if (c)
        x = x * x;      reads 1, makes 2
    y[i] = x;           reads 3, which joins 2 and 1

A version is made by a statement, by the join of branches, by the head of a loop
(the value at the start of an iteration), or by its exit. Versions are the nodes
that activity, to-be-recorded and the plan speak of: a use is (statement, operand),
and this page says which version it is of. Arrays have no versions: an element's
store doesn't kill the array, and loads are judged one by one (see `memory`).

Bodies are in tail form (`transform.normalise.structure_exits`), so an exit ends the path it is on.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal, assert_never

from ..ir import (
    Accumulate,
    AddressOf,
    Array,
    Assign,
    Banner,
    Barrier,
    Block,
    Body,
    Break,
    Clear,
    Comment,
    Continue,
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
    Quote,
    Record,
    Restore,
    Return,
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
    """One body in the tree of bodies. `owner` is the statement that holds it, in `parent`."""

    role: Role
    stmts: Body
    parent: Scope | None
    owner: Stmt | None
    depth: int
    case: int = 0

    def outwards(self) -> Iterator[Scope]:
        """This scope and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    @property
    def loop(self) -> Loop | None:
        """The loop of which this is the body."""
        return self.owner if isinstance(self.owner, For | While | DoWhile) else None

    def loops(self) -> Iterator[Loop]:
        """The loops around what this body holds, innermost first."""
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
        """Whether this body is inside a loop, or a loop's own."""
        return any(True for _ in self.loops())

    def __repr__(self) -> str:
        return f"Scope({self.role}@{self.depth})"


Kind = Literal["entry", "def", "join", "head", "exit"]


@dataclass(eq=False)
class Version:
    """One value of a variable. `scope` is where it exists; `args` what a join may be."""

    kind: Kind
    sym: Sym
    stmt: Stmt | None
    scope: Scope
    args: list[Version] = field(default_factory=list)

    @property
    def made(self) -> tuple[Stmt, Expr] | None:
        """The statement that sets it as a whole, and to what: `T v = e;`, `v = e;`."""
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
    """The tables: what each statement reads and makes, and where everything stands.

    `reads[s]`: versions of the scalars that s reads; for an `if` or `switch` its
    condition; for a loop its condition, as read at the head (at the end of the body
    for do-while), and the unchanging amounts by which it steps. `makes[s, sym]`: the
    version it makes; for branches the joins, for loops the exits.
    `heads[loop][sym]`: values at the start of an iteration. `before[s][sym]`: for branching
    statements, the version before it of what it writes.
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
        """The version of a variable that a statement reads, if it does."""
        return self.reads.get(stmt, {}).get(sym)

    def followed(self, stmt: Stmt, expr: Expr, bare: Callable[[Expr], Expr]) -> tuple[Stmt, Expr]:
        """What an expression is made of where variables stand for one value, and where that is said.

        `bare` takes away what doesn't matter: conversions of some kind.
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
        """The version of a variable at the start of a body that writes it."""
        owner = scope.owner
        if owner is None:
            return self.entries.get(sym)
        if scope.role == "loop":
            return self.heads[owner].get(sym)
        return self.before[owner].get(sym)

    @property
    def size(self) -> int:
        """How many statements and versions there are: no analysis can mark more of them."""
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
        """Loops whose bodies lie between two scopes, outermost first."""
        between = self.scopes_between(outer, inner)
        return tuple(reversed([scope.loop for scope in between if scope.loop is not None]))

    def scopes_between(self, outer: Scope, inner: Scope) -> Iterator[Scope]:
        """The bodies inside of one scope that lead to another, innermost first."""
        return takewhile(lambda scope: scope is not outer, inner.outwards())

    def body_of(self, loop: Loop) -> Iterator[Stmt]:
        """Every statement inside a loop, its step's included."""
        return statements(self.inside[loop][0].stmts)

    def ancestor_in(self, scope: Scope, stmt: Stmt) -> Stmt:
        """The direct statement of `scope` that is `stmt` or holds it."""
        current = stmt
        while self.scope_of[current] is not scope:
            owner = self.scope_of[current].owner
            assert owner is not None, "not inside"
            current = owner
        return current


def scalars(expr: Expr) -> Iterator[Sym]:
    """Scalar variables that an expression reads, those in indices included."""
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
    """Element reads in an expression, inner ones (in indices) first."""
    if isinstance(expr, AddressOf):
        for part in expr.place.index:
            yield from loads(part)
        return
    for child in children(expr):
        yield from loads(child)
    if isinstance(expr, Place) and expr.index:
        yield expr


def operands(stmt: Stmt) -> tuple[Expr, ...]:
    """Expressions that a statement of a primal evaluates: for branches and loops the condition."""
    match stmt:
        case Assign(target, value, None):
            return (*target.index, value)
        case _:
            return expressions(stmt)


@remembered
def targets(stmt: Stmt) -> tuple[Place, ...]:
    """Places that a simple statement writes; asked often."""
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
    """Places that a call in an expression writes through: `modff(x, &whole)`."""
    return expr.outputs


def survey(function: Function) -> Versions:
    """The versions of a function in tail form."""
    root = Scope("root", function.body, None, None, 0)
    walker = _Walker(Versions(function, root))
    env: Env = {}
    for sym in function.syms:
        walker.v.declared[sym] = root
        if not isinstance(sym.type, Array | Pointer):
            env[sym] = walker.v.entries[sym] = Version("entry", sym, None, root)
    end = walker.body(root, env)
    walker.v.final = walker.joined([*walker.returning, *([] if end is None else [end])], root)
    return walker.v


class _Walker:
    def __init__(self, versions: Versions) -> None:
        self.v = versions
        self.breaking: list[list[Env]] = []
        self.returning: list[Env] = []
        self.count = 0

    def body(self, scope: Scope, env: Env | None) -> Env | None:
        for position, stmt in enumerate(scope.stmts):
            self.v.scope_of[stmt] = scope
            self.v.position[stmt] = position
            if env is None:
                env = {}
            env = self.stmt(stmt, scope, env)
            self.v.last[stmt] = self.count - 1
        return env

    def enter(self, stmt: Stmt) -> None:
        self.v.order[stmt] = self.count
        self.count += 1

    def read(self, exprs: tuple[Expr, ...], env: Env, scope: Scope) -> Reads:
        reads: Reads = {}
        for expr in exprs:
            for sym in scalars(expr):
                if sym not in reads:
                    reads[sym] = self.known(sym, env)
        return reads

    def known(self, sym: Sym, env: Env) -> Version:
        """The version in force; a variable that was never set, or a constant, enters from outside."""
        if sym not in env:
            entry = self.v.entries.get(sym)
            if entry is None:
                entry = Version("entry", sym, None, self.v.declared.get(sym, self.v.root))
                self.v.entries[sym] = entry
            env[sym] = entry
        return env[sym]

    def stmt(self, stmt: Stmt, scope: Scope, env: Env) -> Env | None:
        self.enter(stmt)
        match stmt:
            case Declare() | Assign() | Evaluate():
                self.simple(stmt, scope, env)
                return env
            case Barrier():
                self.v.reads[stmt] = self.read(operands(stmt), env, scope)
                self.v.writes[stmt] = {}
                return env
            case If():
                return self.branches(stmt, ("then", "else"), (stmt.then, stmt.other), scope, env)
            case Switch():
                bodies = tuple(c.body for c in stmt.cases)
                if not any(None in c.labels for c in stmt.cases):
                    bodies = (*bodies, ())
                roles: tuple[Role, ...] = tuple("case" for _ in bodies)
                return self.branches(stmt, roles, bodies, scope, env)
            case For() | While() | DoWhile():
                return self.loop(stmt, scope, env)
            case Break():
                self.v.writes[stmt] = {}
                self.breaking[-1].append(dict(env))
                return None
            case Return():
                self.v.reads[stmt] = self.read(operands(stmt), env, scope)
                self.v.writes[stmt] = {}
                self.returning.append(dict(env))
                return None
            case Continue() | Block():
                raise AssertionError("not in tail form")
            case Record() | Restore() | Accumulate() | Clear() | Quote() | Banner() | Comment():
                raise AssertionError("not in a primal")
            case _:
                assert_never(stmt)

    def joined(self, ends: list[Env], root: Scope) -> Env:
        """What variables hold when the function is left, by whichever way."""
        out: Env = {}
        for sym in {s: None for end in ends for s in end}:
            values = list({self.known(sym, end): None for end in ends})
            out[sym] = values[0] if len(values) == 1 else Version("join", sym, None, root, values)
        return out

    def simple(self, stmt: Declare | Assign | Evaluate, scope: Scope, env: Env) -> None:
        if isinstance(stmt, Declare):
            self.v.declared[stmt.sym] = scope
            env.pop(stmt.sym, None)
        self.v.reads[stmt] = self.read(operands(stmt), env, scope)
        written: dict[Sym, None] = {}
        for target in targets(stmt):
            written[target.sym] = None
            if not target.index and not isinstance(target.sym.type, Array | Pointer):
                version = Version("def", target.sym, stmt, scope)
                self.v.makes.setdefault(stmt, {})[target.sym] = version
                env[target.sym] = version
        if isinstance(stmt, Declare) and isinstance(stmt.sym.type, Array):
            written[stmt.sym] = None
        self.v.writes[stmt] = written

    def branches(
        self, stmt: If | Switch, roles: tuple[Role, ...], bodies: tuple[Body, ...], scope: Scope, env: Env
    ) -> Env | None:
        self.v.reads[stmt] = self.read(operands(stmt), env, scope)
        inner = tuple(
            Scope(role, body, scope, stmt, scope.depth + 1, case)
            for case, (role, body) in enumerate(zip(roles, bodies, strict=True))
        )
        self.v.inside[stmt] = inner
        ends = [self.body(s, dict(env)) if s.stmts else dict(env) for s in inner]
        # A dictionary, not a set: symbols hash by identity, and the output's order must not.
        written: dict[Sym, None] = {}
        for s in inner:
            for child in s.stmts:
                written |= self.v.writes[child]
        self.v.writes[stmt] = written
        self.v.before[stmt] = {sym: env[sym] for sym in written if sym in env}
        alive = [end for end in ends if end is not None]
        if not alive:
            return None
        out = dict(env)
        made = {}
        for sym in written:
            unset = sym not in env and not self.outside(sym, scope)
            if isinstance(sym.type, Array | Pointer) or unset:
                continue
            values = [self.known(sym, end) for end in alive]
            apart = any(values[0].scope.within(s) for s in inner)  # another frame's to make
            if not apart and all(v is values[0] for v in values):
                out[sym] = values[0]
                continue
            made[sym] = out[sym] = Version("join", sym, stmt, scope, values)
        self.v.makes[stmt] = made
        return out

    def outside(self, sym: Sym, scope: Scope) -> tuple[Sym, ...]:
        """(sym,) if it was declared in `scope` or around it, though not yet set."""
        declared = self.v.declared.get(sym)
        return (sym,) if declared is not None and scope.within(declared) else ()

    def loop(self, stmt: Loop, scope: Scope, env: Env) -> Env | None:
        if isinstance(stmt, For):
            for first in stmt.init:
                self.v.scope_of[first] = scope
                self.enter(first)
                self.v.last[first] = self.count - 1
                assert isinstance(first, Declare | Assign | Evaluate)
                self.simple(first, scope, env)
        step = stmt.step if isinstance(stmt, For) else ()
        body = Scope("loop", (*stmt.body, *step), scope, stmt, scope.depth + 1)
        self.v.inside[stmt] = (body,)
        written = _written((*stmt.body, *step))
        scalar = [sym for sym in written if not isinstance(sym.type, Array | Pointer)]
        changed = [sym for sym in scalar if sym in env or self.outside(sym, scope)]
        carried = _carried((*stmt.body, *step)) or {}
        heads: dict[Sym, Version] = {}
        for sym in changed:
            if sym in carried or sym not in env:
                heads[sym] = Version("head", sym, stmt, body, [self.known(sym, env)])
        self.v.heads[stmt] = heads
        inner = dict(env) | heads
        if not isinstance(stmt, DoWhile):
            self.v.reads[stmt] = self.read((*operands(stmt), *_strides(step, written)), inner, scope)
        self.breaking.append([])
        end = self.body(body, dict(inner))
        breaks = self.breaking.pop()
        if isinstance(stmt, DoWhile):
            self.v.reads[stmt] = self.read(operands(stmt), end if end is not None else inner, scope)
        if end is not None:
            for sym, head in heads.items():
                head.args.append(self.known(sym, end))
        exits = list(breaks)
        forever = isinstance(stmt, For) and stmt.cond is None
        if isinstance(stmt, DoWhile):
            if end is not None:
                exits.append(end)
        elif not forever:
            exits.append(inner)
        writes = dict(written)
        if isinstance(stmt, For):
            for first in stmt.init:
                writes |= self.v.writes[first]
        self.v.writes[stmt] = writes
        out = dict(env)
        made = {}
        for sym in changed:
            values = [self.known(sym, e) for e in exits]
            made[sym] = out[sym] = Version("exit", sym, stmt, scope, values)
        self.v.makes[stmt] = made
        return out if exits else None


def _written(body: Body) -> dict[Sym, None]:
    """Symbols that a body may write; its own locals too."""
    return {target.sym: None for stmt in statements(body) for target in targets(stmt)}


def _carried(body: Body) -> dict[Sym, None] | None:
    """Symbols that may have another value at the end of a body; None if control never gets there.

    What is written on the way out of a loop alone has one value in all of its iterations: a head
    of it would stand for itself, and nobody who needs it would run what writes it.
    """
    found: dict[Sym, None] = {}
    for stmt in body:
        match stmt:
            case Break() | Return():
                return None
            case If(_, then, other):
                ends = [end for end in (_carried(then), _carried(other)) if end is not None]
                if not ends:
                    return None
                for end in ends:
                    found |= end
            case _:
                found |= _written((stmt,))
    return found


def _strides(step: Body, written: Container[Sym]) -> Iterator[Expr]:
    """By how much a loop's variables are stepped, where the loop doesn't change that."""
    for stmt in step:
        match stmt:
            case Assign(_, value, "+=" | "-=") if not any(sym in written for sym in scalars(value)):
                yield value
            case _:
                pass


def own_breaks(body: Iterable[Stmt]) -> list[Break]:
    """Breaks of the loop with this body, not of loops or switches inside it."""
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
