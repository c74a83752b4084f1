"""What keeps an addition over the block from waiting for the next one."""

from __future__ import annotations

import pytest

from s2sad.ir import (
    FLOAT,
    INT,
    Accumulate,
    Array,
    Assign,
    Barrier,
    Const,
    Declare,
    Place,
    Stmt,
    Sym,
)
from s2sad.transform.optimise.sums.defer_block_adds import defer_block_adds

ADJ_W = Sym("adj_w", Array(FLOAT, (4,)), storage="shared")
ADJ_C = Sym("adj_c", Array(FLOAT, (4,)), storage="shared")
K, V, G = Sym("k", INT), Sym("v", FLOAT), Sym("g", FLOAT)


def value(sym: Sym) -> Place:
    return Place(sym, (), sym.type)


def element(array: Sym) -> Place:
    return Place(array, (value(K),), FLOAT)


FIRST = Accumulate(element(ADJ_W), value(V), "reduce")
LAST = Accumulate(element(ADJ_C), value(G), "reduce")


@pytest.mark.parametrize(
    "between",
    [
        pytest.param(Declare(Sym("now", FLOAT), element(ADJ_W)), id="reader"),
        pytest.param(Barrier(), id="barrier"),
        pytest.param(Assign(value(K), Const(1, INT)), id="address"),
    ],
)
def test_an_addition_stays_before_a(between: Stmt) -> None:
    body = (FIRST, between, LAST)
    assert defer_block_adds(body) == body


def test_an_addition_waits() -> None:
    between = Assign(value(G), value(V))
    assert defer_block_adds((FIRST, between, LAST)) == (between, FIRST, LAST)


def test_an_amount_that_changes_is_saved() -> None:
    between = Assign(value(V), value(G))
    saved, passed, later, last = defer_block_adds((FIRST, between, LAST))
    assert isinstance(saved, Declare)
    assert saved.init == FIRST.amount
    assert (passed, last) == (between, LAST)
    assert isinstance(later, Accumulate)
    assert later.amount == value(saved.sym)
