"""Symbols in statements, in order of appearance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir import (
    Accumulate,
    AddressOf,
    Assign,
    Clear,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    If,
    Initialiser,
    Place,
    Record,
    Restore,
    Return,
    Stmt,
    Switch,
    Sym,
    While,
    bodies,
    children,
)


def expressions(stmt: Stmt) -> Iterator[Expr]:
    """The expressions that a statement itself holds, targets first."""
    match stmt:
        case Declare(_, init):
            if isinstance(init, Initialiser):
                yield from init.values
            elif init is not None:
                yield init
        case Assign(target, value):
            yield target
            yield value
        case Evaluate(call):
            yield call
        case If(cond) | While(cond) | DoWhile(_, cond):
            yield cond
        case For(_, cond):
            if cond is not None:
                yield cond
        case Switch(selector):
            yield selector
        case Return(value):
            if value is not None:
                yield value
        case Record(tape, value):
            yield tape
            yield value
        case Restore(target, tape):
            yield target
            yield tape
        case Accumulate(target, amount):
            yield target
            yield amount
        case Clear(target):
            yield target
        case _:
            pass


def in_expr(expr: Expr) -> Iterator[Sym]:
    """Symbols of an expression, each use."""
    if isinstance(expr, Place):
        yield expr.sym
    if isinstance(expr, AddressOf):
        yield from in_expr(expr.place)
        return
    for child in children(expr):
        yield from in_expr(child)


def uses(stmts: Iterable[Stmt]) -> Iterator[Sym]:
    """Every use of a symbol in statements and what they hold, declarations not counted."""
    for stmt in stmts:
        if isinstance(stmt, For):
            yield from uses(stmt.init)
        for expr in expressions(stmt):
            yield from in_expr(expr)
        for body in bodies(stmt)[1 if isinstance(stmt, For) else 0 :]:
            yield from uses(body)


def symbols(stmts: Iterable[Stmt]) -> dict[Sym, None]:
    """The symbols that statements use or declare."""
    out: dict[Sym, None] = {}
    for stmt in stmts:
        if isinstance(stmt, Declare):
            out[stmt.sym] = None
        for expr in expressions(stmt):
            for sym in in_expr(expr):
                out[sym] = None
        for body in bodies(stmt):
            out.update(symbols(body))
    return out
