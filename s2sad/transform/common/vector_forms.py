"""Recognise what is done to the components of vectors, which has a name of its own.

u.x * v.x + u.y * v.y + u.z * v.z     dot_u_v          x * x + y * y + e     squares
v.x * v.x + v.y * v.y                 v_squared        a.y * b.z - a.z * b.y   cross_a_b_x
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import Binary, Const, Expr, Place, unconverted

_THIRD = {frozenset("yz"): "x", frozenset("xz"): "y", frozenset("xy"): "z"}


def vector_form(expr: Expr) -> str:
    """Return the name of a scalar product, a sum of squares or a part of a cross product; or an empty one."""
    if isinstance(expr, Binary) and expr.op == "-":
        return _cross(unconverted(expr.left), unconverted(expr.right))
    products = []
    for term in _terms(expr):
        match term:
            case Binary("*", left, right):
                products.append((unconverted(left), unconverted(right)))
            case Const() | Place():
                pass  # what is added changes neither the adjoint nor the name
            case _:
                return ""
    return _sum_of(products) if len(products) > 1 else ""


def _sum_of(products: list[tuple[Expr, Expr]]) -> str:
    """The name of a sum of products, if all are squares or products of like components."""
    if not all(isinstance(left, Place) and isinstance(right, Place) for left, right in products):
        return ""
    parts = [(_component(left), _component(right)) for left, right in products]
    like = all(one[1] == other[1] != "" for one, other in parts) and len({one[1] for one, _ in parts}) == len(
        parts
    )
    vectors = {(one[0], other[0]) for one, other in parts}
    if like and len(vectors) == 1:
        ((u, v),) = vectors
        return f"{u}_squared" if u == v else f"dot_{u}_{v}"
    several = len(set(products)) > 1
    return "squares" if several and all(left == right for left, right in products) else ""


def _cross(left: Expr, right: Expr) -> str:
    """The name of a component of a cross product: `u.x * v.y - u.y * v.x`."""
    match left, right:
        case Binary("*", a, b), Binary("*", c, d):
            (u, i), (v, j), *swapped = (_component(unconverted(e)) for e in (a, b, c, d))
            third = _THIRD.get(frozenset((i, j)), "")
            same = swapped in ([(u, j), (v, i)], [(v, i), (u, j)])
            return f"cross_{u}_{v}_{third}" if third and same and u != v else ""
        case _:
            return ""


def _terms(expr: Expr) -> Iterator[Expr]:
    match unconverted(expr):
        case Binary("+", left, right):
            yield from _terms(left)
            yield from _terms(right)
        case other:
            yield other


def _component(expr: Expr) -> tuple[str, str]:
    """The name of a vector and which of its components an expression is; two empty ones for anything else."""
    match expr:
        case Place(sym, (Const(value=int(number)),)) if sym.within is None:
            return sym.plain, str(number)
        case Place(sym) if sym.within is not None and sym.path:
            return sym.plain.removesuffix(f"_{sym.path[-1]}"), sym.path[-1]
        case _:
            return "", ""
