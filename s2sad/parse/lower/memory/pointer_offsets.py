"""Compute with offsets of pointers as integers: exact where the pointer's own arithmetic is.

A pointer adds in 64 bits. Two offsets of one type are combined in that type, as in an index
written by hand. Where that may overflow (a signed and an unsigned one, or the offsets of two
pointers of which one is derived from the other), they are combined in 64 bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .... import ir
from ....fields import laid, leaves, size
from ....ir import Binary, Const, Expr, Place, Scalar, Struct, Sym
from ...types import types


def element(sym: Sym, index: tuple[Expr, ...]) -> Place:
    """Return the element of an array at these indices; a row, if they are too few."""
    match sym.type:
        case ir.Pointer(target=ir.Array(element=inner, extents=extents, spelled=spelled)) if index:
            k = len(index) - 1
            part: ir.Type = inner if k == len(extents) else ir.Array(inner, extents[k:], spelled[k:])
            return Place(sym, index, part)
        case ir.Pointer(target=target):
            return Place(sym, index, target)
        case ir.Array(element=inner, extents=extents, spelled=spelled):
            k = len(index)
            row: ir.Type = inner if k == len(extents) else ir.Array(inner, extents[k:], spelled[k:])
            return Place(sym, index, row)
        case _:
            return Place(sym, index, sym.type)


def wide(expr: Expr) -> Expr:
    """Convert an offset to the 64 bits of a pointer."""
    if isinstance(expr, Const):
        return Const(int(expr.value), ir.LONG, expr.span, expr.spelling, expr.macro, expr.origin)
    return types.convert(expr, ir.LONG)


def unsigned(expr: Expr) -> bool:
    """Whether an offset is unsigned, narrower than a pointer, and not a constant."""
    type = expr.type
    if isinstance(expr, Const) or not isinstance(type, Scalar):
        return False
    return types.promote(type).kind == "unsigned" and type.size < 8


def awkward(expr: Expr) -> bool:
    """Whether an offset should be named rather than written at each use."""
    operations = sum(isinstance(part, Binary | ir.Select) for part in ir.walk(expr))
    if operations > 3 or unsigned(expr):
        return True
    return any(
        isinstance(part, ir.Select) or (isinstance(part, ir.Cast) and part.implicit and part.type == ir.LONG)
        for part in ir.walk(expr)
    )


def meeting(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """Convert two offsets to one type that holds both."""
    assert isinstance(a.type, Scalar)
    assert isinstance(b.type, Scalar)
    one, two = types.promote(a.type), types.promote(b.type)
    if types.same(one, two):
        return types.convert(a, one), types.convert(b, two)
    return wide(a), wide(b)


def apart(a: Expr, b: Expr, meant: Mapping[Sym, Expr]) -> tuple[Expr, Expr]:
    """Drop the terms common to two offsets: `r + p_at` and `r + n` become `p_at` and `n`."""
    left, right = terms(a, meant), terms(b, meant)
    count = len(left)
    for term in list(left):
        if term in right:
            left.remove(term)
            right.remove(term)
    if len(left) == count:
        return a, b
    return _total(left), _total(right)


def terms(expr: Expr, meant: Mapping[Sym, Expr]) -> list[Expr]:
    """Return the summands of an offset; a conversion to the 64 bits of a pointer is exact."""
    match expr:
        case Const(value) if value == 0:
            return []
        case Place(sym, ()) if sym in meant:
            return terms(meant[sym], meant)
        case ir.Cast(arg=arg, implicit=True) if expr.type == ir.LONG and arg.type in (ir.INT, ir.LONG):
            return terms(arg, meant)
        case ir.Cast(arg=arg, implicit=True) if expr.type == ir.LONG:
            return [arg]
        case Binary(op="+", left=left, right=right) if expr.type in (ir.INT, ir.LONG):
            return [*terms(left, meant), *terms(right, meant)]
        case _:
            return [expr]


def _total(parts: list[Expr]) -> Expr:
    total: Expr = Const(0, ir.INT)
    for part in parts:
        total = sum_of("+", total, part, far=True)
    return total


def sum_of(op: str, a: Expr, b: Expr, *, far: bool = False) -> Expr:
    """Return the offset `a + b` or `a - b`; with `far`, each of them may need all of 32 bits."""
    match b:
        case ir.Unary("-", positive, Scalar(kind="signed")):
            op, b = "-" if op == "+" else "+", positive
        case Const(value) if value < 0 and not b.named:
            op, b = "-" if op == "+" else "+", _number(-int(value))
        case _:
            pass
    if _is(b, 0):
        return a
    if _is(a, 0):
        return b if op == "+" else ir.Unary("-", wide(b), ir.LONG)
    if isinstance(a, Const) and isinstance(b, Const) and not (a.named or b.named):
        return _number(int(a.value) + int(b.value) if op == "+" else int(a.value) - int(b.value))
    assert isinstance(a.type, Scalar)
    assert isinstance(b.type, Scalar)
    one, two = types.promote(a.type), types.promote(b.type)
    known = [e for e in (a, b) if isinstance(e, Const)]
    if op == "+" and any(t.kind == "unsigned" and t.size == 8 for t in (one, two)):
        meet = types.common(one, two)  # wraps as a pointer does
        return Binary(op, _in(a, meet), _in(b, meet), meet)
    apart = one.kind != two.kind and not (known and known[0].value >= 0 and op == "+")
    if apart or (op == "-" and "unsigned" in (one.kind, two.kind)) or (far and not known):
        return Binary(op, wide(a), wide(b), ir.LONG)
    meet = types.common(one, two)
    if known and one.kind != two.kind:  # the type of the operand that isn't constant
        meet = two if isinstance(a, Const) else one
    return Binary(op, _in(a, meet), _in(b, meet), meet)


def times(count: Expr, size: int) -> Expr:
    """Convert a count of things to a count of their parts, which may need 64 bits."""
    if isinstance(count, Const):
        return Const(int(count.value) * size, ir.INT)
    return count if size == 1 else Binary("*", wide(count), Const(size, ir.LONG), ir.LONG)


def counted(sum_: Expr) -> Expr:
    """Fold `2 - 1`, where a literal was substituted for a name."""
    match sum_:
        case Binary("+" | "-" | "*" as op, left, right, Scalar(kind="signed") as type):
            a, b = _literal(left), _literal(right)
            if a is None or b is None:
                return sum_
            total = a + b if op == "+" else a - b if op == "-" else a * b
            return (
                Const(total, type, sum_.span, origin=sum_.origin)
                if abs(total) < 2 ** (8 * type.size - 1)
                else sum_
            )
        case _:
            return sum_


def _literal(expr: Expr) -> int | None:
    """Return the value of an integer literal; None for anything else, such as a named constant."""
    match expr:
        case Const(bool()):
            return None
        case Const(int(value)) if not expr.named:
            return value
        case ir.Cast(arg=arg, implicit=True):
            return _literal(arg)
        case _:
            return None


def _is(expr: Expr, value: int) -> bool:
    return isinstance(expr, Const) and expr.value == value and not isinstance(expr.value, bool)


def _number(value: int) -> Const:
    return Const(value, ir.INT if -(2**31) <= value < 2**31 else ir.LONG)


def _in(expr: Expr, type: Scalar) -> Expr:
    if isinstance(expr, Const):
        return (
            types.convert(expr, type)
            if expr.named
            else Const(expr.value, type, expr.span, origin=expr.origin)
        )
    return types.convert(expr, type)


def in_struct(base: Place, struct: Struct, path: tuple[str, ...], index: tuple[Expr, ...]) -> Place:
    """Return the element that a number in a struct is; `index` begins with the struct's own index."""
    type = next(leaf.type for leaf in leaves(struct) if leaf.path == path)
    assert isinstance(type, Scalar)
    before, strides = laid(struct, path)
    count, *inside = index
    at = times(count, size(struct) // type.size)
    for part, stride in zip(inside, strides, strict=True):
        if isinstance(part, Const) and not part.named:
            before += int(part.value) * stride
        else:
            at = sum_of("+", at, times(part, stride // type.size))
    at = sum_of("+", at, Const(before // type.size, ir.INT))
    at = sum_of("+", base.index[-1], at, far=True)
    return replace(base, index=(*base.index[:-1], at), spelling=None, macro=None)
