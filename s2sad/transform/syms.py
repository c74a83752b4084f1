"""Symbols in statements, in order of appearance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from weakref import WeakKeyDictionary

from ..ir import (
    Accumulate,
    AddressOf,
    Assign,
    Barrier,
    Body,
    Call,
    Cast,
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
    Unary,
    While,
    bodies,
    children,
)
from .algebra import rewrite


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
        case Barrier(_, mask):
            if mask is not None:
                yield mask
        case _:
            pass


def mapped(stmt: Stmt, change: Callable[[Expr], Expr | None]) -> Stmt:
    """The statement, and all it holds, with its expressions rewritten."""

    def new(expr: Expr) -> Expr:
        return rewrite(expr, change)

    def place(expr: Place) -> Place:
        out = new(expr)
        if isinstance(out, Cast):  # converted where it is read, but not where it is written
            out = out.arg
        assert isinstance(out, Place)
        return out

    def inner(body: Body) -> Body:
        return tuple(mapped(s, change) for s in body)

    match stmt:
        case Declare(_, init):
            if isinstance(init, Initialiser):
                return replace(stmt, init=Initialiser(tuple(new(e) for e in init.values)))
            return stmt if init is None else replace(stmt, init=new(init))
        case Assign(target, value):
            return replace(stmt, target=place(target), value=new(value))
        case Evaluate(call):
            changed = new(call)
            assert isinstance(changed, Call)
            return replace(stmt, call=changed)
        case Record(tape, value):
            return replace(stmt, tape=place(tape), value=new(value))
        case Restore(target, tape, declares):
            return replace(stmt, target=target if declares else place(target), tape=new(tape))
        case Accumulate(target, amount):
            amount, negative = new(amount), stmt.negative
            if isinstance(amount, Unary) and amount.op == "-":
                amount, negative = amount.arg, not negative
            partial = None if stmt.partial is None else new(stmt.partial)
            return replace(stmt, target=place(target), amount=amount, negative=negative, partial=partial)
        case Clear(target):
            return replace(stmt, target=place(target))
        case Return(value):
            return stmt if value is None else replace(stmt, value=new(value))
        case Barrier(_, mask):
            return stmt if mask is None else replace(stmt, mask=new(mask))
        case If():
            return replace(stmt, cond=new(stmt.cond), then=inner(stmt.then), other=inner(stmt.other))
        case For():
            cond = None if stmt.cond is None else new(stmt.cond)
            return replace(
                stmt, init=inner(stmt.init), cond=cond, step=inner(stmt.step), body=inner(stmt.body)
            )
        case While() | DoWhile():
            return replace(stmt, cond=new(stmt.cond), body=inner(stmt.body))
        case Switch():
            cases = tuple(replace(c, body=inner(c.body)) for c in stmt.cases)
            return replace(stmt, selector=new(stmt.selector), cases=cases)
        case _:
            return stmt


def renaming(names: Mapping[Sym, Sym]) -> Callable[[Expr], Expr | None]:
    """What `rewrite` and `mapped` put symbols in the place of others by."""
    return lambda e: replace(e, sym=names[e.sym]) if isinstance(e, Place) and e.sym in names else None


def begun(stmt: Stmt) -> Sym | None:
    """The variable that lives from a statement on."""
    match stmt:
        case Declare(sym) | Record(Place(sym), _, True) | Restore(Place(sym), _, True):
            return sym
        case _:
            return None


def in_expr(expr: Expr) -> Iterator[Sym]:
    """Symbols of an expression, each use."""
    todo = [expr]
    while todo:
        expr = todo.pop()
        if isinstance(expr, Place):
            yield expr.sym
        if isinstance(expr, AddressOf):
            todo.append(expr.place)
        else:
            todo += reversed(children(expr))


# What statements hold is asked often, and of the same ones; they never change.
_OWN: WeakKeyDictionary[Stmt, tuple[Sym, ...]] = WeakKeyDictionary()
_SYMBOLS: WeakKeyDictionary[Stmt, tuple[Sym, ...]] = WeakKeyDictionary()
_USED: WeakKeyDictionary[Stmt, frozenset[Sym]] = WeakKeyDictionary()


def _own(stmt: Stmt) -> tuple[Sym, ...]:
    """Every use of a symbol in a statement's own expressions."""
    found = _OWN.get(stmt)
    if found is None:
        found = _OWN[stmt] = tuple(sym for expr in expressions(stmt) for sym in in_expr(expr))
    return found


def uses(stmts: Iterable[Stmt]) -> Iterator[Sym]:
    """Every use of a symbol in statements and what they hold, declarations not counted."""
    for stmt in stmts:
        if isinstance(stmt, For):
            yield from uses(stmt.init)
        yield from _own(stmt)
        for body in bodies(stmt)[1 if isinstance(stmt, For) else 0 :]:
            yield from uses(body)


def used(stmt: Stmt) -> frozenset[Sym]:
    """The symbols that a statement, or one that it holds, uses."""
    found = _USED.get(stmt)
    if found is None:
        inner = (used(s) for body in bodies(stmt) for s in body)
        found = _USED[stmt] = frozenset(_own(stmt)).union(*inner)
    return found


def symbols(stmts: Iterable[Stmt]) -> dict[Sym, None]:
    """The symbols that statements use or declare."""
    out: dict[Sym, None] = {}
    for stmt in stmts:
        out.update(dict.fromkeys(_in(stmt)))
    return out


def _in(stmt: Stmt) -> tuple[Sym, ...]:
    found = _SYMBOLS.get(stmt)
    if found is None:
        out = {stmt.sym: None} if isinstance(stmt, Declare) else {}
        out.update(dict.fromkeys(_own(stmt)))
        for body in bodies(stmt):
            out.update(symbols(body))
        found = _SYMBOLS[stmt] = tuple(out)
    return found
