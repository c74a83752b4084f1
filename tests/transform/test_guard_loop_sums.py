"""A loop's sum is added under the loop's condition, also where both are in branches of one condition."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kernel_variants import entries, judged
from loop_bodies import C, array, counter, declare, loop, number, plus, text, var

from s2sad.ir import BOOL, INT, Assign, Binary, Cast, Const, Declare, Expr, If, Place, Special, Stmt, Sym
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.transform.optimise.loops.guard_loop_sums import guard_loop_sums

BY_THE_LOOP = entries(
    """
a polynomial:
    float p = 1.0f;
    for (int k = 0; k < K; ++k)
        p = p * x[i] + c[k];
    y[i] = p;
a polynomial from a given term on:
    float p = 1.0f;
    for (int k = K - 1; k >= 2; --k)
        p = p * x[i] + c[k];
    y[i] = p;
"""
)
BY_VALUE = entries(
    """
an inner loop that may be empty:
    float p = 1.0f;
    int m = i % 3;
    for (int k = 0; k < K; ++k) {
        for (int q = 0; q < m; ++q)
            p *= x[i];
        p += c[k];
    }
    y[i] = p;
"""
)
EVERY_ONE = """\
    float s = 0.0f;
    for (int k = 0; k < n; ++k)
        s += x[i] * k * c[0];
    y[i] = s;
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def condition(emitted: str) -> str:
    """The condition of the addition of x's sum to memory, without the branch's own."""
    lines = [line.strip() for line in emitted.splitlines()]
    (at,) = [
        k for k, line in enumerate(lines) if "adj_x[" in line and line.endswith(("adj_x_sum;", "adj_x_i);"))
    ]
    return lines[at - 1].replace("i < n && ", "")


@pytest.mark.parametrize("name", BY_THE_LOOP)
def test_the_loop_of_a_branch_has_the_condition(name: str, backend: Backend) -> None:
    assert condition(judged(BY_THE_LOOP[name], backend)).startswith("if (K > ")


@pytest.mark.parametrize("name", BY_VALUE)
def test_a_sum_of_some_iterations_keeps_its_test(name: str, backend: Backend) -> None:
    assert condition(judged(BY_VALUE[name], backend)) == "if (adj_x_sum != 0.0f)"


def test_a_loop_that_runs_for_each_thread_of_the_branch_needs_no_condition(backend: Backend) -> None:
    assert not condition(judged(EVERY_ONE, backend)).startswith("if")


# ---- on the IR ---------------------------------------------------------------------------------------

INDEX = Place(Sym("i", INT, origin="author"), (), INT)
INSIDE = Binary("<", INDEX, Place(C, (), INT), BOOL)
POSITION: Expr = Cast(Special("threadIdx", "x"), INT)


def branches(
    *inner: Stmt, first: Expr = POSITION, given: Expr = INSIDE, between: tuple[Stmt, ...] = ()
) -> str:
    """`int i = first; for (…) if (given) { inner } between if (given) { the addition }`."""
    total = var("adj_w_sum")
    add = If(Binary("!=", total, number(0.0), BOOL), (plus(array("adj_w", Const(0, INT)), total),))
    many = loop(counter(), If(given, inner or (plus(total, array("g", INDEX)),)))
    body = (Declare(INDEX.sym, first), declare("adj_w_sum"), many, *between, If(given, (add,)))
    return text(guard_loop_sums(body)).rpartition("for (")[2]


def test_the_condition_follows_only_for_an_index_that_is_not_negative() -> None:
    assert "!= 0.0f" not in branches()
    assert "C > 0" not in branches()
    assert "if (C > 0)" in branches(first=Place(Sym("first", INT, "parameter"), (), INT))
    other = Place(Sym("n", INT, "parameter"), (), INT)
    assert "if (C > 0)" in branches(given=Binary("<", INDEX, other, BOOL))


def test_a_condition_that_changes_says_nothing_of_the_iterations() -> None:
    moved = Assign(INDEX, Const(1, INT), "-=")
    assert "!= 0.0f" in branches(between=(moved,))
    assert "!= 0.0f" in branches(plus(var("adj_w_sum"), array("g", INDEX)), moved)


def test_a_condition_that_reads_memory_is_no_proof() -> None:
    flag = Binary(">", array("flag", INDEX), number(0.0), BOOL)
    assert "!= 0.0f" in branches(given=flag)
