"""Multiply the literals of one product.

    *adj_x += 0.1f * 2.0f * cosf(z) * cosf(2.0f * x) * g;    ->    *adj_x += 0.2f * cosf(z) * ...
    return 0.5 * 1.1283791670955126 * 0.7071 * expf(-u);     ->    return 0.398934... * expf(-u);

A chain of partials brings together literals of several expressions, and inlining those of several
statements. Only the factors of a product that the tool wrote are multiplied: what the author wrote
as a product stays, in parentheses if need be. A literal with a name stays.

Two literals stay apart if a reader would no longer see where the number is from: `2.0f *
6.2831853f`. A long constant of a rule, like 2 / sqrt(pi), means as little as its product.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from ....ir import (
    FLOAT,
    Accumulate,
    Assign,
    Binary,
    Body,
    Const,
    Declare,
    Evaluate,
    Expr,
    Return,
    Scalar,
    Stmt,
    Type,
    Unary,
    rebuilt,
)
from ...common.algebra import SHORT, digits, is_const, real, rewrite, written
from ...common.symbol_uses import mapped, own_values

_LEAST, _MOST = Decimal("1e-30"), Decimal("1e30")


def fold_literals(body: Body) -> Body:
    """The body with one literal instead of several in the tool's products."""
    return tuple(_in_stmt(stmt) for stmt in body)


def _in_stmt(stmt: Stmt) -> Stmt:
    match stmt:
        case Accumulate() | Declare() | Assign():
            return own_values(stmt, _change)
        case Evaluate() | Return():
            return mapped(stmt, _change)
        case _:
            return rebuilt(stmt, fold_literals)


def _change(expr: Expr) -> Expr | None:
    """A product with its literals multiplied; None if that changes nothing."""
    if not is_product(expr):
        return None
    factors = list(own_factors(expr))
    kept: list[Expr] = []
    for factor in factors:
        for k, other in enumerate(kept):
            if (product := _product(other, factor, expr.type)) is not None:
                kept[k] = product
                break
        else:
            kept.append(factor)
    if len(kept) == len(factors):
        return None
    kept = [f for f in kept if not is_const(f, 1.0)] or kept[:1]
    whole = rewrite(kept[0], _change)
    for factor in kept[1:]:
        whole = Binary("*", whole, rewrite(factor, _change), expr.type)
    return whole


def is_product(expr: Expr) -> bool:
    """Whether it is a product that the tool wrote."""
    match expr:
        case Binary("*", origin="tool", spelling=None, macro=None, type=Scalar(is_float=True)):
            return True
        case _:
            return False


def own_factors(expr: Expr) -> Iterator[Expr]:
    """Yield the factors of a product that the tool wrote; what the author multiplied is one."""
    if isinstance(expr, Binary) and is_product(expr):
        yield from own_factors(expr.left)
        yield from own_factors(expr.right)
    else:
        yield expr


def _product(one: Expr, other: Expr, type_: Type) -> Expr | None:
    """The product of two literals, with signs, if it is as readable as they are."""
    (one, minus), (other, more) = _unsigned(one), _unsigned(other)
    if not (isinstance(one, Const) and isinstance(other, Const)) or one.named or other.named:
        return None
    if one.type != type_ or other.type != type_:
        return None
    a, b = written(one), written(other)
    product = a * b
    if not _LEAST < abs(product) < _MOST:
        return None
    authors = one.origin != "tool" and other.origin != "tool"
    most = min(SHORT, max(digits(a), digits(b)) + 1) if authors else SHORT
    opaque = any(c.origin == "tool" and digits(d) > SHORT for c, d in ((one, a), (other, b)))
    if digits(product) > most and not opaque:
        return None
    value = real(float(product), type_)
    if digits(product) > SHORT:  # as precise as the rule's constant, also if the text is read as double
        value = replace(value, spelling=repr(value.value) + ("f" if type_ == FLOAT else ""))
    return Unary("-", value, type_) if minus != more else value


def _unsigned(expr: Expr) -> tuple[Expr, bool]:
    match expr:
        case Unary("-", arg):
            return arg, True
        case _:
            return expr, False
