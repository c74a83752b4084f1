"""The factors of a product that a loop doesn't change come first; the value and its type stay."""

from __future__ import annotations

import pytest

from s2sad.ir import (
    DOUBLE,
    FLOAT,
    INT,
    Accumulate,
    Assign,
    Binary,
    Body,
    Cast,
    Const,
    Expr,
    Origin,
    Place,
    Scalar,
    Stmt,
    Sym,
    Unary,
    While,
)
from s2sad.irtext import show
from s2sad.transform.optimise.scalar.invariant_factors import invariant_factors

ADJ = Place(Sym("adj_x", FLOAT), (), FLOAT)
X = Place(Sym("x", FLOAT), (), FLOAT)
G, H = (Place(Sym(name, FLOAT), (), FLOAT) for name in "gh")
K, N = (Place(Sym(name, INT), (), INT) for name in "kn")
TWO = Const(2.0, FLOAT)


def times(*factors: Expr, type_: Scalar = FLOAT, origin: Origin = "tool") -> Expr:
    whole = factors[0]
    for factor in factors[1:]:
        whole = Binary("*", whole, factor, type_, origin=origin)
    return whole


def as_(expr: Expr, type_: Scalar) -> Expr:
    return Cast(expr, type_, implicit=True)


def loop(*body: Stmt) -> Body:
    """A loop that changes x."""
    return (While(Binary("<", X, G, INT), (Assign(X, times(X, X), None), *body)),)


def reordered(expr: Expr) -> str:
    body = invariant_factors(loop(Accumulate(ADJ, expr, "local")))
    return show(body).splitlines()[2].strip().removeprefix("accumulate adj_x += ").removesuffix("  (local);")


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (times(TWO, X, G), "2.0f * g * x"),
        (times(X, G, X, H), "g * h * x * x"),
        (times(X, G, TWO), "2.0f * g * x"),
        (times(Unary("-", X, FLOAT), TWO, G), "-2.0f * g * x"),
        (times(as_(N, FLOAT), X, G), "g * <float>n * x"),
    ],
    ids=["a literal and a variable", "two variables", "a literal last", "a sign", "a converted one"],
)
def test_what_the_loop_does_not_change_comes_first(expr: Expr, text: str) -> None:
    assert reordered(expr) == text


@pytest.mark.parametrize(
    "expr",
    [
        times(X, G),
        times(TWO, G, X),
        times(TWO, X, Const(3.0, FLOAT)),
        times(X, as_(N, FLOAT), as_(K, FLOAT)),
        times(TWO, times(X, G, origin="author"), X),
        times(G, H),
    ],
    ids=["one", "already first", "literals", "integers", "the author's", "nothing changes"],
)
def test_other_products_stay(expr: Expr) -> None:
    body = loop(Accumulate(ADJ, expr, "local"))
    assert invariant_factors(body) == body


def test_two_numbers_of_a_narrower_type_are_not_multiplied_by_each_other() -> None:
    wide = Place(Sym("w", DOUBLE), (), DOUBLE)
    change = Assign(wide, times(wide, wide, type_=DOUBLE), None)
    amount = times(wide, as_(G, DOUBLE), as_(H, DOUBLE), type_=DOUBLE)
    body = (While(Binary("<", X, G, INT), (change, Accumulate(ADJ, amount, "local"))),)
    assert invariant_factors(body) == body


def test_a_statement_outside_of_loops_stays() -> None:
    body = (Accumulate(ADJ, times(TWO, X, G), "local"),)
    assert invariant_factors(body) == body


def test_an_inner_loop_decides_for_its_own_statements() -> None:
    adds = Accumulate(ADJ, times(H, G, X), "local")
    inner = While(Binary("<", X, H, INT), (Assign(H, times(H, H), None), adds))
    assert "adj_x += g * x * h" in show(invariant_factors(loop(inner)))
