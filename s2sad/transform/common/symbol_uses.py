"""Rewrite the expressions of statements, and list the symbols they use in order of appearance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from operator import is_
from typing import Any, TypeVar, assert_never

from ...ir import (
    Accumulate,
    Assign,
    Banner,
    Barrier,
    Block,
    Body,
    Break,
    Call,
    Case,
    Cast,
    Clear,
    Comment,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    If,
    Initialiser,
    Place,
    Quote,
    Record,
    Restore,
    Return,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    bodies,
    expressions,
    rebuilt,
    remembered,
    walk,
)
from .algebra import rewrite


def mapped(stmt: Stmt, change: Callable[[Expr], Expr | None]) -> Stmt:
    """The statement, with nested ones, with its expressions rewritten; the same object if nothing changes."""

    def new(expr: Expr) -> Expr:
        return rewrite(expr, change)

    def place(expr: Place) -> Place:
        out = new(expr)
        if isinstance(out, Cast):  # conversions apply to reads only
            out = out.arg
        assert isinstance(out, Place)
        return out

    def inner(body: Body) -> Body:
        made = tuple(mapped(s, change) for s in body)
        return body if all(map(is_, made, body)) else made

    match stmt:
        case Declare(_, init):
            if isinstance(init, Initialiser):
                values = tuple(map(new, init.values))
                return stmt if all(map(is_, values, init.values)) else replace(stmt, init=Initialiser(values))
            return stmt if init is None else _with(stmt, init=new(init))
        case Assign(target, value):
            return _with(stmt, target=place(target), value=new(value))
        case Evaluate(call):
            changed = new(call)
            assert isinstance(changed, Call)
            return _with(stmt, call=changed)
        case Record(tape, value):
            return _with(stmt, tape=place(tape), value=new(value))
        case Restore(target, tape, declares):
            return _with(stmt, target=target if declares else place(target), tape=new(tape))
        case Accumulate(target, amount):
            amount, negative = new(amount), stmt.negative
            if isinstance(amount, Unary) and amount.op == "-":
                amount, negative = amount.arg, not negative
            exists = stmt.exists
            when = tuple(map(new, exists.when)) if exists is not None else ()
            if exists is not None and not all(map(is_, when, exists.when)):
                exists = replace(exists, when=when)
            return _with(stmt, target=place(target), amount=amount, negative=negative, exists=exists)
        case Clear(target):
            return _with(stmt, target=place(target))
        case Return(value):
            return stmt if value is None else _with(stmt, value=new(value))
        case Barrier(_, mask):
            return stmt if mask is None else _with(stmt, mask=new(mask))
        case If():
            return _with(stmt, cond=new(stmt.cond), then=inner(stmt.then), other=inner(stmt.other))
        case For():
            cond = None if stmt.cond is None else new(stmt.cond)
            return _with(stmt, init=inner(stmt.init), cond=cond, step=inner(stmt.step), body=inner(stmt.body))
        case While() | DoWhile():
            return _with(stmt, cond=new(stmt.cond), body=inner(stmt.body))
        case Block():
            return _with(stmt, body=inner(stmt.body))
        case Switch():
            bodies = [inner(c.body) for c in stmt.cases]
            cases = tuple(_with(c, body=b) for c, b in zip(stmt.cases, bodies, strict=True))
            return _with(
                stmt,
                selector=new(stmt.selector),
                cases=stmt.cases if all(map(is_, cases, stmt.cases)) else cases,
            )
        case Break() | Continue() | Quote() | Banner() | Comment():
            return stmt
        case _:
            assert_never(stmt)


def own_values(stmt: Stmt, change: Callable[[Expr], Expr | None]) -> Stmt:
    """Rewrite, in a statement and nested ones, only the values of the tool's variables and adjoints."""
    match stmt:
        case Accumulate(_, amount):
            return _with(stmt, amount=rewrite(amount, change))
        case Declare(sym, init) if sym.ours and isinstance(init, Expr):
            return _with(stmt, init=rewrite(init, change))
        case Assign(target, value, None) if target.sym.ours:
            return _with(stmt, value=rewrite(value, change))
        case _:
            return rebuilt(stmt, lambda body: tuple(own_values(s, change) for s in body))


Made = TypeVar("Made", bound="Stmt | Case")


def _with(stmt: Made, **parts: Any) -> Made:
    """The statement with these fields replaced; the same object if none differs."""
    if all(getattr(stmt, name) is part for name, part in parts.items()):
        return stmt
    return replace(stmt, **parts)


def standing(sym: Sym, value: Expr) -> Callable[[Expr], Expr | None]:
    """A `change` that puts a value in a variable's place."""
    return lambda e: value if isinstance(e, Place) and e.sym is sym and not e.index else None


def renaming(names: Mapping[Sym, Sym]) -> Callable[[Expr], Expr | None]:
    """A `change` for `rewrite` and `mapped` that replaces symbols."""

    def change(expr: Expr) -> Expr | None:
        if expr.symbols.isdisjoint(names):
            return expr
        if isinstance(expr, Place) and expr.sym in names:
            index = tuple(rewrite(e, change) for e in expr.index)
            return replace(expr, sym=names[expr.sym], index=index)
        return None

    return change


def begun(stmt: Stmt) -> Sym | None:
    """The variable that a statement declares, if any."""
    match stmt:
        case Declare(sym) | Record(Place(sym), _, True) | Restore(Place(sym), _, True):
            return sym
        case _:
            return None


def in_expr(expr: Expr) -> Iterator[Sym]:
    """The symbols of an expression, once per use."""
    return (part.sym for part in walk(expr) if isinstance(part, Place))


@remembered
def own_uses(stmt: Stmt) -> tuple[Sym, ...]:
    """The symbols in a statement's own expressions, once per use."""
    return tuple(sym for expr in expressions(stmt) for sym in in_expr(expr))


def uses(stmts: Iterable[Stmt]) -> Iterator[Sym]:
    """The symbols used in statements and nested ones, once per use; declarations don't count."""
    waiting = [iter(stmts)]
    while waiting:
        for stmt in waiting[-1]:
            if isinstance(stmt, For):
                yield from uses(stmt.init)
            yield from own_uses(stmt)
            if inside := bodies(stmt)[1 if isinstance(stmt, For) else 0 :]:
                waiting.extend(map(iter, reversed(inside)))
                break
        else:
            waiting.pop()


@remembered
def used(stmt: Stmt) -> frozenset[Sym]:
    """The symbols used in a statement or a nested one."""
    return frozenset(own_uses(stmt)).union(*(used(s) for body in bodies(stmt) for s in body))


def symbols(stmts: Iterable[Stmt]) -> dict[Sym, None]:
    """The symbols that statements use or declare."""
    out: dict[Sym, None] = {}
    for stmt in stmts:
        out.update(dict.fromkeys(_in(stmt)))
    return out


@remembered
def _in(stmt: Stmt) -> tuple[Sym, ...]:
    out = {stmt.sym: None} if isinstance(stmt, Declare) else {}
    out.update(dict.fromkeys(own_uses(stmt)))
    for body in bodies(stmt):
        out.update(symbols(body))
    return tuple(out)
