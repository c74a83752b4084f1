"""Use the name of a product that is a part of another product.

float s = q.w * inv * inv * inv;              float s = q.w * inv * inv * inv;
…                                       ->    …
adj_inv += 3.0f * q.w * inv * inv * g;        adj_inv += 3.0f * q.w * inv * inv * g;
adj_r2 -= inv * inv * inv * q.w * inv * g;    adj_r2 -= s * inv * g;

A derivative multiplies the factors of the author's products in another order, so value numbering doesn't
find them. Only products of what keeps its value are used, where they are declared or in a branch there: not
in a loop, through which their names would have to be kept.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial, reduce

from ....ir import (
    Accumulate,
    Assign,
    Binary,
    Body,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Scalar,
    Stmt,
    Sym,
    is_floating,
    rebuilt,
)
from ...common.algebra import factors_of, multiply, rewrite
from ...common.mod_ref import written


def reuse_products(body: Body) -> Body:
    """The body with the names of products in what the tool computes."""
    return _named(body, frozenset[Sym]().union(*map(written, body)), {})


@dataclass(frozen=True)
class _Product:
    name: Place
    factors: Counter[Expr]


_Known = dict[Expr, tuple[_Product, ...]]
"""The products at hand, by one of their factors: a body of thousands of statements has as many."""


def _named(body: Body, changing: frozenset[Sym], around: _Known) -> Body:
    """The same for a part of a body, `around` which products are known."""
    out: list[Stmt] = []
    known = dict(around)
    for stmt in body:
        inside = known if isinstance(stmt, If) else {}
        new = rebuilt(_with_names(stmt, known), partial(_named, changing=changing, around=inside))
        out.append(new)
        if (product := _product(new, changing)) is not None:
            factor = next(f for f in product.factors if not isinstance(f, Const))
            known[factor] = (*known.get(factor, ()), product)
    return tuple(out)


def _product(stmt: Stmt, changing: frozenset[Sym]) -> _Product | None:
    """The product that a statement declares, if its factors, and so itself, keep their values."""
    match stmt:
        case Declare(Sym(type=Scalar()) as sym, Binary("*") as value) if sym.type == value.type:
            factors = factors_of(value)
        case _:
            return None
    if value.macro is not None or not is_floating(value) or (value.symbols | {sym}) & changing:
        return None
    if sum(not isinstance(f, Const) for f in factors) < 2 or any(f.type != value.type for f in factors):
        return None
    return _Product(Place(sym, (), sym.type), Counter(factors)) if all(map(_is_plain, factors)) else None


def _is_plain(factor: Expr) -> bool:
    return isinstance(factor, Place | Const)


def _with_names(stmt: Stmt, known: _Known) -> Stmt:
    """A statement of the tool's with the names of known products; the same one if it has none."""
    change = partial(_shorter, known)
    match stmt:
        case Accumulate(_, amount):
            new = rewrite(amount, change)
            return stmt if new is amount else replace(stmt, amount=new)
        case Declare(sym, value) if sym.ours and isinstance(sym.type, Scalar) and isinstance(value, Expr):
            new = rewrite(value, change)
            return stmt if new is value else replace(stmt, init=new)
        case Assign(Place(Sym(origin="tool")), value):
            new = rewrite(value, change)
            return stmt if new is value else replace(stmt, value=new)
        case _:
            return stmt


def _shorter(known: _Known, expr: Expr) -> Expr | None:
    """A product with the names of those that it contains, the longest first; None if it has none."""
    if not isinstance(expr, Binary) or expr.op != "*" or expr.macro is not None or not is_floating(expr):
        return None
    factors = factors_of(expr)
    times = Counter(factors)
    candidates = (product for factor in times for product in known.get(factor, ()))
    fits = [p for p in candidates if p.name.type == expr.type and p.factors <= times]
    if not fits:
        return None
    product = max(fits, key=lambda p: p.factors.total())
    left = product.factors.copy()
    rest: list[Expr] = []
    for factor in factors:
        if left[factor] == 0:
            rest.append(rewrite(factor, partial(_shorter, known)))
        else:
            if left == product.factors:
                rest.append(product.name)
            left[factor] -= 1
    made = reduce(multiply, rest)
    return _shorter(known, made) or made
