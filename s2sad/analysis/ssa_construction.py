"""Build the versions of a function: SSA construction by one walk over its bodies.

Branches are followed by joins, loops have heads and exits; see `ssa` for definitions.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import assert_never

from ..ir import (
    Accumulate,
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
    Pointer,
    Quote,
    Record,
    Restore,
    Return,
    Stmt,
    Switch,
    Sym,
    While,
    statements,
)
from .ssa import Env, Loop, Reads, Role, Scope, Version, Versions, operands, own_breaks, scalars, targets


def survey(function: Function) -> Versions:
    """Build the versions of a function in tail form."""
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
        """Return the current version; a variable never set, or a constant, enters from outside."""
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
        """Join the values of variables at all exits of the function."""
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
        # A dictionary, not a set: symbols hash by identity, and the output's order mustn't depend on it.
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
            apart = any(values[0].scope.within(s) for s in inner)  # made by another frame
            if not apart and all(v is values[0] for v in values):
                out[sym] = values[0]
                continue
            made[sym] = out[sym] = Version("join", sym, stmt, scope, values)
        self.v.makes[stmt] = made
        return out

    def outside(self, sym: Sym, scope: Scope) -> tuple[Sym, ...]:
        """Return (sym,) if it was declared in `scope` or around it, though not yet set."""
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
        self.v.breaks[stmt] = own_breaks(stmt.body)
        written = _written((*stmt.body, *step))
        scalar = [sym for sym in written if not isinstance(sym.type, Array | Pointer)]
        changed = [sym for sym in scalar if sym in env or self.outside(sym, scope)]
        carried = _carried((*stmt.body, *step)) or {}
        heads: dict[Sym, Version] = {}
        for sym in changed:
            if sym in carried or sym not in env:
                heads[sym] = Version("head", sym, stmt, body, [self.known(sym, env)])
        self.v.heads[stmt] = heads
        self.v.before[stmt] = {sym: env[sym] for sym in written if sym in env}
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
    """Return the symbols that a body may write, including its own locals."""
    return {target.sym: None for stmt in statements(body) for target in targets(stmt)}


def _carried(body: Body) -> dict[Sym, None] | None:
    """Return symbols that may have another value at the end of a body; None if the end is unreachable.

    A variable written only on the way out of a loop has the same value in all iterations: a head
    for it would refer only to itself, and a slice that needs the head wouldn't run the write.
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
    """Yield the steps of a loop's variables that the loop doesn't change."""
    for stmt in step:
        match stmt:
            case Assign(_, value, "+=" | "-=") if not any(sym in written for sym in scalars(value)):
                yield value
            case _:
                pass
