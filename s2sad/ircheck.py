"""Assertions of the guarantees of ir.py for a function.

Lowering guarantees them for the primal and the transformation for the adjoint; tests call
this after each. A failure is a bug of ours, so it is an assertion.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import cycle
from math import prod

from . import ir
from .fields import leaves
from .ir import Body, Expr, Function, Place, Pointer, Scalar, Stmt, Sym, Type
from .irtext import brief, type_text


def check(function: Function, declared: Iterable[Sym] = ()) -> None:
    """Assert that types match, conditions are bool, and variables are declared before they are used.

    `declared` are variables whose declarations a later pass adds.
    """
    seen: set[int] = set()
    _body(function.body, {*(p.sym for p in function.params), *declared}, function.result, seen)


def _body(body: Body, outer: set[Sym], result: Type, seen: set[int]) -> None:
    scope = set(outer)
    for stmt in body:
        assert id(stmt) not in seen, f"a statement occurs in two places: {brief(stmt)}"
        seen.add(id(stmt))
        _stmt(stmt, scope, result, seen)


def _stmt(stmt: Stmt, scope: set[Sym], result: Type, seen: set[int]) -> None:
    match stmt:
        case ir.Declare():
            assert stmt.sym not in scope, f"declared twice: {stmt.sym.name}"
            scope.add(stmt.sym)
            _initialiser(stmt, scope)
        case ir.Assign():
            _expr(stmt.target, scope)
            _stored(stmt.value, scope)
            if stmt.op is None:
                _same(stmt.value.type, stmt.target.type, stmt)
        case ir.Evaluate():
            _stored(stmt.call, scope)
        case ir.If():
            _condition(stmt.cond, scope)
            _body(stmt.then, scope, result, seen)
            _body(stmt.other, scope, result, seen)
        case ir.For():
            inner = set(scope)
            for part in stmt.init:
                _stmt(part, inner, result, seen)
            if stmt.cond is not None:
                _condition(stmt.cond, inner)
            for part in stmt.step:
                assert not isinstance(part, ir.Declare), f"a step declares: {brief(part)}"
                _stmt(part, inner, result, seen)
            _body(stmt.body, inner, result, seen)
        case ir.While() | ir.DoWhile():
            _condition(stmt.cond, scope)
            _body(stmt.body, scope, result, seen)
        case ir.Switch():
            _expr(stmt.selector, scope)
            for case in stmt.cases:
                _body(case.body, scope, result, seen)
        case ir.Block():
            _body(stmt.body, scope, result, seen)
        case ir.Return():
            assert (stmt.value is None) == (result == ir.VOID), f"wrong return: {brief(stmt)}"
            if stmt.value is not None:
                _stored(stmt.value, scope)
                _same(stmt.value.type, result, stmt)
        case ir.Record():
            if stmt.declares:
                scope.add(stmt.tape.sym)
            _expr(stmt.tape, scope)
            _expr(stmt.value, scope)
        case ir.Restore():
            if stmt.declares:
                scope.add(stmt.target.sym)
            _expr(stmt.target, scope)
            _expr(stmt.tape, scope)
        case ir.Accumulate():
            _expr(stmt.target, scope)
            _expr(stmt.amount, scope)
            assert stmt.how in ir.ADDITIONS, f"{stmt.how} is made of other statements: {brief(stmt)}"
            if isinstance(stmt.target.type, ir.Struct):
                _same(stmt.target.type, stmt.amount.type, stmt)
                return
            assert isinstance(stmt.target.type, Scalar)
            # C++ adds in the wider type and converts the sum: the primal's double partials of a float
            assert stmt.target.type.is_float, f"an addition to a non-number: {brief(stmt)}"
            amount = stmt.amount.type
            if isinstance(amount, ir.Array):
                assert stmt.how == "reduce", f"an array is added: {brief(stmt)}"
                assert len(amount.extents) == 1, f"an array of arrays is added: {brief(stmt)}"
                amount = amount.element
            assert isinstance(amount, Scalar)
            if stmt.exists is not None:
                assert stmt.how in ir.REDUCTIONS, f"only one thread of several needs to know: {brief(stmt)}"
                for cond in stmt.exists.when:
                    _expr(cond, scope)
            assert amount.is_float, f"a non-number is added: {brief(stmt)}"
        case ir.Clear():
            _expr(stmt.target, scope)
        case ir.Barrier():
            if stmt.mask is not None:
                _expr(stmt.mask, scope)
        case ir.Break() | ir.Continue() | ir.Quote() | ir.Banner() | ir.Comment():
            pass


def _initialiser(stmt: ir.Declare, scope: set[Sym]) -> None:
    match stmt.init:
        case None:
            pass
        case ir.Initialiser(values=values) if isinstance(stmt.sym.type, ir.Struct):
            types = [leaf.type for leaf in leaves(stmt.sym.type) for _ in range(prod(leaf.extents))]
            times = prod(stmt.sym.type.extents)
            assert len(values) <= times * len(types), f"more values than fields: {brief(stmt)}"
            for value, type in zip(values, cycle(types), strict=False):
                _expr(value, scope)
                _same(value.type, type, stmt)
        case ir.Initialiser(values=values):
            assert isinstance(stmt.sym.type, ir.Array), f"a list for a non-array: {brief(stmt)}"
            for value in values:
                _expr(value, scope)
                _same(value.type, stmt.sym.type.element, stmt)
        case init:
            _stored(init, scope)
            _same(init.type, stmt.sym.type, stmt)


def _condition(expr: Expr, scope: set[Sym]) -> None:
    assert expr.type == ir.BOOL, f"a condition of type {type_text(expr.type)}: {brief(expr)}"
    _expr(expr, scope)


def _stored(expr: Expr, scope: set[Sym]) -> None:
    """Check a statement's whole value: only here is an address, or a call with output arguments, allowed."""
    for part in expr.args if isinstance(expr, ir.Call) else (expr,):
        _expr(part.place if isinstance(part, ir.AddressOf) else part, scope)


def _expr(expr: Expr, scope: set[Sym]) -> None:
    for part in ir.walk(expr):
        _part(part, scope)


def _part(expr: Expr, scope: set[Sym]) -> None:
    match expr:
        case Place():
            file_scope = expr.sym.storage in ("global", "tape")
            assert expr.sym in scope or file_scope, f"not declared: {expr.sym.name}"
            for index in expr.index:
                assert isinstance(index.type, Scalar), f"an index isn't a number: {brief(expr)}"
                assert index.type.is_integer, f"an index isn't an integer: {brief(expr)}"
            if not expr.path:
                _same(_element(expr), expr.type, expr)
        case ir.Binary(op=op) if isinstance(expr.left.type, Pointer):
            assert op in ("+", "-"), f"an operation on pointers: {brief(expr)}"
        case ir.Binary(op="<<" | ">>"):
            _same(expr.left.type, expr.type, expr)
        case ir.Binary(op=op):
            _operands(expr)
            if op in ir.COMPARISONS | ir.LOGICAL:
                assert expr.type == ir.BOOL, f"a test that isn't bool: {brief(expr)}"
            if op in ir.LOGICAL:
                assert expr.left.type == ir.BOOL, f"an operand that isn't bool: {brief(expr)}"
        case ir.Unary(op="!"):
            assert expr.type == expr.arg.type == ir.BOOL, f"`!` of a non-bool: {brief(expr)}"
        case ir.Unary():
            _same(expr.arg.type, expr.type, expr)
        case ir.Select():
            assert expr.cond.type == ir.BOOL, f"a condition that isn't bool: {brief(expr)}"
            _same(expr.then.type, expr.type, expr)
            _same(expr.other.type, expr.type, expr)
        case ir.AddressOf():
            raise AssertionError(f"an address inside an expression: {brief(expr)}")
        case _:
            pass


def _element(place: Place) -> Type:
    match place.sym.type:
        case Pointer(target=ir.Array(element=element, extents=extents)) if place.index:
            assert place.index, f"too few indices: {brief(place)}"
            return place.type if len(place.index) <= len(extents) else element
        case Pointer(target=target) if len(place.index) == 1:
            return target
        case Pointer(target=target) if len(place.index) > 1 and (place.sym.of or place.sym).path:
            return target  # an element of an array that is a field of a struct
        case ir.Array(element=element, extents=extents) if len(place.index) == len(extents):
            return element
        case ir.Array(extents=extents) if place.index and len(place.index) < len(extents):
            return place.type  # a row, as the argument of a function
        case ir.Struct(extents=extents) as struct if len(place.index) == len(extents):
            return replace(struct, extents=(), spelled=())
        case type:
            assert not place.index, f"too many or too few indices: {brief(place)}"
            return type


def _same(a: Type, b: Type, where: Stmt | Expr) -> None:
    plain = [_target(t) for t in (a, b)]
    names = {t.name if isinstance(t, Scalar) else str(t) for t in plain}
    assert len(names) == 1 or names == {"size_t", "unsigned long"}, (
        f"{' and '.join(sorted(names))}: {brief(where)}"
    )


def _operands(expr: ir.Binary) -> None:
    """Check that operands have one type, except the tool's integers, which C++ converts."""
    match expr.left.type, expr.right.type:
        case (ir.Struct() as vector, Scalar() as scale) | (Scalar() as scale, ir.Struct() as vector):
            assert expr.op == "*" or (expr.op == "/" and vector is expr.left.type), (
                f"an operation: {brief(expr)}"
            )
            _same(scale, vector.fields[0].type, expr)
            _same(vector, expr.type, expr)
        case Scalar(is_integer=True), Scalar(is_integer=True) if expr.origin == "tool":
            pass
        case left, right:
            _same(left, right, expr)
            if expr.op not in ir.COMPARISONS | ir.LOGICAL:
                _same(left, expr.type, expr)


def _target(type: Type) -> Type:
    """Return the target of a pointer, or the element of an array that converts to one."""
    match type:
        case Pointer(target=target):
            return target
        case ir.Array(element=element):
            return element
        case _:
            return type
