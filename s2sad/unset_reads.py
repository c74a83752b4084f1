"""Assert that no scalar is read before anything can have set it.

A local variable of an adjoint that is declared without a value and read first is a wrong
gradient that compiles. The question is asked of paths: a read is wrong if *no* path from the
declaration to it sets the variable, which is never so in a program that the front end accepts.
"""

from __future__ import annotations

from . import ir
from .ir import Body, Expr, Function, Place, Stmt, Sym
from .irtext import brief


def check(function: Function) -> None:
    """Assert it of all scalars that are declared in a function."""
    _body(function.body, set())


def _body(body: Body, unset: set[Sym]) -> None:
    """Check a body; afterwards `unset` holds the variables that nothing can have set."""
    for stmt in body:
        _stmt(stmt, unset)
    unset -= {stmt.sym for stmt in body if isinstance(stmt, ir.Declare)}


def _stmt(stmt: Stmt, unset: set[Sym]) -> None:
    match stmt:
        case ir.Declare(sym, None):
            if isinstance(sym.type, ir.Scalar) and sym.storage == "local":
                unset.add(sym)
        case ir.Assign(ir.Place(target, ()), ir.Place(source, ()), None, part_of=whole) if (
            whole is not None and source in unset
        ):
            unset.add(target)  # a struct may be copied before all of its fields are set
        case ir.Assign(target, value, op):
            _read(stmt, (*target.index, value), unset)
            if op is not None:
                _read(stmt, (target,), unset)
            unset.discard(target.sym)
        case ir.If(cond, then, other):
            _read(stmt, (cond,), unset)
            _branches((then, other), unset)
        case ir.Switch(selector, cases):
            _read(stmt, (selector,), unset)
            _branches(tuple(case.body for case in cases), unset)
        case ir.For() | ir.While() | ir.DoWhile():
            _loop(stmt, unset)
        case ir.Restore(target, tape):
            _read(stmt, (tape,), unset)
            unset.discard(target.sym)
        case ir.Clear(target):
            unset.discard(target.sym)
        case ir.Block(body):
            _body(body, unset)
        case _:
            _read(stmt, ir.expressions(stmt), unset)


def _branches(ways: tuple[Body, ...], unset: set[Sym]) -> None:
    """Check ways of which one or none is taken; one of them may set a variable."""
    before = set(unset)
    for body in ways:
        after = set(before)
        _body(body, after)
        unset &= after


def _loop(loop: ir.For | ir.While | ir.DoWhile, unset: set[Sym]) -> None:
    """Check a loop: an earlier iteration may have set what it sets."""
    if isinstance(loop, ir.For):
        for first in loop.init:
            _stmt(first, unset)
    step = loop.step if isinstance(loop, ir.For) else ()
    unset -= _set((*loop.body, *step))
    inside = set(unset)
    if not isinstance(loop, ir.DoWhile) and loop.cond is not None:
        _read(loop, (loop.cond,), unset)
    _body(loop.body, inside)
    for last in step:
        _stmt(last, inside)
    if isinstance(loop, ir.For):
        unset -= {first.sym for first in loop.init if isinstance(first, ir.Declare)}


def _set(body: Body) -> set[Sym]:
    """Return the variables that a body can set."""
    found: set[Sym] = set()
    for stmt in ir.statements(body):
        match stmt:
            case ir.Assign(target) | ir.Restore(target) | ir.Clear(target):
                found.add(target.sym)
            case _:
                pass
        found.update(place.sym for expr in ir.expressions(stmt) for place in expr.outputs)
    return found


def _read(stmt: Stmt, exprs: tuple[Expr, ...], unset: set[Sym]) -> None:
    """Check what expressions read; what a call writes through is set by it."""
    given = {part.place for expr in exprs for part in ir.walk(expr) if isinstance(part, ir.AddressOf)}
    for expr in exprs:
        for part in ir.walk(expr):
            if isinstance(part, Place) and part not in given:
                assert part.sym not in unset, f"{part.sym.name} is read and was never set: {brief(stmt)}"
    unset -= {place.sym for place in given}
    unset -= {place.sym for expr in exprs for place in expr.outputs}
