"""A variable is declared where it is first stored, if nothing mentions it before."""

from __future__ import annotations

import re

import pytest

from s2sad.ir import (
    BOOL,
    FLOAT,
    Accumulate,
    Assign,
    Binary,
    Declare,
    If,
    Place,
    Stmt,
    Sym,
)
from s2sad.irtext import show
from s2sad.transform.common.algebra import real
from s2sad.transform.optimise.scalar.declare_at_once import declare_at_once

RESULT = Sym("result", FLOAT)
VALUE = Place(RESULT, (), FLOAT)
OTHER = Sym("ball", FLOAT)
BALL = Declare(OTHER, real(2.0, FLOAT))
GUARD = Place(Sym("inside", BOOL), (), BOOL)
STORED = Assign(VALUE, real(3.0, FLOAT))


def made(*body: Stmt, sym: Sym = RESULT) -> str:
    return re.sub(r"\s+", " ", show(declare_at_once((Declare(sym), *body))))


def test_a_variable_is_declared_where_it_is_stored() -> None:
    assert made(BALL, STORED) == "float ball = 2.0f; float result = 3.0f;"


def test_each_body_is_rewritten() -> None:
    inner = If(GUARD, (Declare(RESULT), BALL, STORED))
    assert re.sub(r"\s+", " ", show(declare_at_once((inner,)))) == (
        "if (inside) { float ball = 2.0f; float result = 3.0f; }"
    )


@pytest.mark.parametrize(
    "earlier",
    [
        If(GUARD, (STORED,)),
        Accumulate(VALUE, real(1.0, FLOAT), "local"),
        Declare(Sym("copy", FLOAT), VALUE),
    ],
    ids=["stored in a branch", "added to", "read"],
)
def test_a_variable_that_was_mentioned_before_stays(earlier: Stmt) -> None:
    assert made(earlier, STORED).startswith("float result; ")


def test_a_variable_that_its_value_mentions_stays() -> None:
    own = Assign(VALUE, Binary("+", VALUE, real(1.0, FLOAT), FLOAT))
    assert made(BALL, own).startswith("float result; ")


def test_the_authors_variables_and_fields_stay() -> None:
    author = Sym("v", FLOAT, origin="author")
    field = Sym("adj_word.number", FLOAT, of=Sym("word.number", FLOAT, within=Sym("word", FLOAT)))
    for sym in (author, field):
        stored = Assign(Place(sym, (), FLOAT), real(3.0, FLOAT))
        assert made(BALL, stored, sym=sym).startswith(f"float {sym.name}; ")
