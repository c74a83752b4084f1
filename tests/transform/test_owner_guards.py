"""The guard of a gathered sum holds for exactly the positions to which some thread contributes."""

from __future__ import annotations

import itertools
import random
from functools import cache
from types import CodeType

import pytest
from tiers import half_thorough

from s2sad.ir import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Accumulate,
    Assign,
    Binary,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Stmt,
    Sym,
)
from s2sad.irtext import show
from s2sad.transform.optimise.gather.moved_conditions import shorter
from s2sad.transform.optimise.gather.owner_guards import by_index

X, Y, N, M, T = Sym("i", INT), Sym("j", INT), Sym("n", INT), Sym("m", INT), Sym("t", FLOAT)


def var(sym: Sym) -> Place:
    return Place(sym, (), sym.type)


def whole(number: int) -> Const:
    return Const(number, INT)


ADD = Accumulate(var(T), Const(1.0, FLOAT), "local")


def where(*conds: Expr) -> Stmt:
    """An addition under some conditions, the first outermost."""
    stmt: Stmt = ADD
    for cond in reversed(conds):
        stmt = If(cond, (stmt,))
    return stmt


def compared(sign: str, left: Expr, right: Expr) -> Binary:
    return Binary(sign, left, right, BOOL)


def moved(by: int) -> Expr:
    return var(X) if by == 0 else Binary("+" if by > 0 else "-", var(X), whole(abs(by)), INT)


@cache
def compiled(expr: Expr) -> CodeType:
    return compile(show(expr).replace("&&", " and "), "condition", "eval")


def value(expr: Expr, i: int, n: int, **more: int) -> int:
    return int(eval(compiled(expr), {"i": i, "n": n, **more}))


def contributes(terms: list[Stmt], i: int, n: int) -> bool:
    def runs(stmt: Stmt) -> bool:
        return not isinstance(stmt, If) or (bool(value(stmt.cond, i, n)) and all(map(runs, stmt.then)))

    return any(map(runs, terms))


def test_a_stencil_reaches_all_elements_if_it_has_an_inner_point() -> None:
    inner = Binary("-", var(N), whole(1), INT)
    terms = shorter(
        tuple(where(compared(">", moved(d), whole(0)), compared("<", moved(d), inner)) for d in (1, 0, -1)),
        {X},
    )
    told = by_index(terms, [var(X)])
    assert told is not None
    assert show(told) == "i < n && n > 2"


@pytest.mark.parametrize("seed", half_thorough(range(4)))
def test_the_guard_holds_where_some_thread_contributes(seed: int) -> None:
    rng = random.Random(seed)
    found = 0
    for _ in range(750):
        terms = []
        shift = rng.random() < 0.6
        low, high = rng.randrange(4), rng.randrange(4)
        for _ in range(rng.randrange(1, 5)):
            if not shift:
                low, high = rng.randrange(5), rng.randrange(5)
            by = rng.randrange(-3, 4)
            lower = compared(*rng.choice(((">=", moved(by), whole(low)), ("<", whole(low - 1), moved(by)))))
            upper = compared(
                *rng.choice((("<", moved(by + high), var(N)), ("<=", moved(by + high + 1), var(N))))
            )
            terms.append(where(*rng.sample((lower, upper), 2)))
        short = shorter(tuple(terms), {X})
        told = by_index(short, [var(X)])
        for n in range(12):
            for i in range(14):
                reached = contributes(terms, i, n)
                assert contributes(list(short), i, n) == reached
                if told is not None:
                    assert bool(value(told, i, n)) == reached, (list(map(show, terms)), show(told), i, n)
        found += told is not None
    assert found > 250


def test_what_the_index_does_not_tell_keeps_its_guard() -> None:
    below = compared("<", var(X), var(N))
    data = compared(">", var(T), Const(0.5, FLOAT))
    other = compared("<", var(X), var(M))
    assert by_index((where(below, data),), [var(X)]) is None  # decided by data
    assert by_index((where(below), where(other)), [var(X)]) is None  # two bounds
    assert by_index((where(compared(">", var(X), whole(2))),), [var(X)]) is None  # no bound
    gap = where(compared(">=", var(X), whole(4)), compared("<", moved(-4), var(N)))
    assert by_index((where(below), gap), [var(X)]) is None  # a gap where n < 4
    assert by_index((Declare(M, whole(3)), where(other)), [var(X)]) is None  # a bound that is declared here
    u, k = Sym("u", UINT), Sym("k", UINT)
    assert by_index((where(compared("<", var(u), var(k))),), [var(u)]) is None  # what is moved may wrap


def window(across: str, low: int, high: int, shift: int) -> Stmt:
    """Additions of a window's loops: where `i - d + shift` is in [0, n), and the like of j and m."""
    d, e = Sym("d", INT), Sym("e", INT)
    conds = []
    for at, by, bound in ((var(X), d, N), (var(Y), e, M)):
        there = Binary("+", Binary("-", at, var(by), INT), whole(shift), INT)
        conds += [compared(">=", there, whole(0)), compared("<", there, var(bound))]
        conds.append(compared(across, at, var(bound)))
    inner: Stmt = where(*conds)
    for by in (d, e):
        step = Assign(var(by), whole(1), "+=")
        inner = For((Declare(by, whole(low)),), compared("<=", var(by), whole(high)), (step,), (inner,))
    return inner


def test_a_window_reaches_all_elements_if_it_has_its_own() -> None:
    told = by_index((window("<", 0, 2, 1),), [var(X), var(Y)])
    assert told is not None
    assert show(told) == "i < n && j < m"
    for i, j, n, m in itertools.product(range(5), range(5), range(4), range(4)):
        steps = (-1, 0, 1)
        reached = any(0 <= i + d < n and 0 <= j + e < m for d in steps for e in steps) and i < n and j < m
        assert bool(value(told, i, n, j=j, m=m)) == reached
    beyond = by_index((window("<", 0, 1, 2),), [var(X), var(Y)])
    assert beyond is not None
    assert show(beyond) == "i + 1 < n && j + 1 < m"
    assert by_index((window("<=", 0, 2, 1),), [var(X), var(Y)]) is None  # two windows together
    assert by_index((window("<", 0, 99, 1),), [var(X), var(Y)]) is None  # too long to follow


def test_two_boxes_are_none() -> None:
    right, below = compared("<", var(X), var(N)), compared("<", var(Y), var(M))
    inner = where(compared(">=", var(X), whole(1)), right, compared(">=", var(Y), whole(1)), below)
    outer = where(compared("<", moved(1), var(N)), below)
    assert by_index((outer, inner), [var(X), var(Y)]) is None  # the last one of the first row is in neither
    both = where(right, below, compared("<", Binary("+", var(X), var(Y), INT), var(N)))
    assert by_index((both,), [var(X), var(Y)]) is None
