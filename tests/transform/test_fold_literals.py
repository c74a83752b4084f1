"""The literals of a product are multiplied where the result is as readable; the author's products stay."""

from __future__ import annotations

import pytest

from s2sad.ir import FLOAT, Accumulate, Binary, Const, Expr, Origin, Place, Sym, Unary
from s2sad.irtext import show
from s2sad.transform.optimise.scalar.fold_literals import fold_literals

ADJ = Place(Sym("adj_x", FLOAT), (), FLOAT)
X = Place(Sym("x", FLOAT), (), FLOAT)


def lit(value: float, *, origin: Origin = "author", spelling: str | None = None) -> Const:
    return Const(value, FLOAT, spelling=spelling, origin=origin)


def times(*factors: Expr, origin: Origin = "tool") -> Expr:
    whole = factors[0]
    for factor in factors[1:]:
        whole = Binary("*", whole, factor, FLOAT, origin=origin)
    return whole


def folded(expr: Expr) -> str:
    text = show(fold_literals((Accumulate(ADJ, expr, "local"),))).strip()
    return text.removeprefix("accumulate adj_x += ").removesuffix("  (local);")


TWO_OVER_ROOT_PI = lit(1.1283791670955126, origin="tool")


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (times(lit(0.1), X, lit(2.0), X), "0.2f * x * x"),
        (times(lit(0.5), lit(2.0), X), "x"),
        (times(Unary("-", lit(0.5), FLOAT), X, lit(3.0)), "-1.5f * x"),
        (times(lit(4.0), times(lit(2.0), X)), "8.0f * x"),
    ],
)
def test_literals_of_a_product_become_one(expr: Expr, text: str) -> None:
    assert folded(expr) == text


def test_a_long_constant_of_a_rule_is_multiplied_before_it_is_rounded() -> None:
    text = folded(times(lit(0.5), TWO_OVER_ROOT_PI, lit(0.70710678), X))
    assert text.endswith("f * x")
    assert float(text.partition("f")[0]) == pytest.approx(0.5 * 1.1283791670955126 * 0.70710678, rel=3e-8)


@pytest.mark.parametrize(
    "expr",
    [
        times(lit(2.0, origin="tool"), lit(6.2831853), X),
        times(lit(0.731), lit(0.947), X),
        times(lit(4.0, spelling="SCALE"), lit(2.0), X),
        times(lit(4.0), lit(2.0), X, origin="author"),
        times(lit(4.0), times(lit(2.0), X, origin="author")),
        times(lit(1e-30), lit(1e-20), X),
    ],
    ids=["long", "of two long", "named", "the author's", "in the author's", "beyond the range"],
)
def test_literals_stay_where_their_origin_would_be_lost(expr: Expr) -> None:
    assert fold_literals(body := (Accumulate(ADJ, expr, "local"),)) == body
