"""Adjoint variables have a value from their declaration on; a clear stays where the value was used."""

from __future__ import annotations

import re

from s2sad.ir import (
    BOOL,
    FLOAT,
    Accumulate,
    Assign,
    Banner,
    Clear,
    Declare,
    If,
    Place,
    Stmt,
    Sym,
)
from s2sad.irtext import show
from s2sad.transform.common.algebra import real
from s2sad.transform.optimise.scalar.initialise_adjoints import initialise_adjoints

S = Sym("s", FLOAT, origin="author")
ADJ = Sym("adj_s", FLOAT, of=S, origin="tool")
VALUE = Place(ADJ, (), FLOAT)
GUARD = Place(Sym("inside", BOOL), (), BOOL)


ZERO = Assign(VALUE, real(0.0, FLOAT))


def made(*body: Stmt) -> str:
    return re.sub(r"\s+", " ", show(initialise_adjoints((Declare(ADJ), *body))))


def added() -> Stmt:
    return Accumulate(VALUE, real(2.0, FLOAT), "local")


def test_a_clear_in_a_guard_becomes_the_initial_value() -> None:
    assert (
        made(If(GUARD, (ZERO, added())))
        == "float adj_s = 0.0f; if (inside) { accumulate adj_s += 2.0f (local); }"
    )
    assert made(If(GUARD, (Clear(VALUE), added()))).startswith("float adj_s = 0.0f; if (inside) { accumulate")


def test_a_clear_stays_where_the_variable_was_used_before() -> None:
    assert made(added(), If(GUARD, (ZERO,))).endswith("if (inside) { adj_s = 0.0f; }")
    assert "adj_s = 0.0f; accumulate" in made(added(), If(GUARD, (ZERO, added()))).partition("if")[2]
    assert made(If(GUARD, (added(), ZERO))).endswith("{ accumulate adj_s += 2.0f (local); adj_s = 0.0f; }")


def test_another_value_stays_and_the_variable_has_one_before() -> None:
    stored = Assign(VALUE, real(3.0, FLOAT))
    assert made(If(GUARD, (stored,))) == "float adj_s = 0.0f; if (inside) { adj_s = 3.0f; }"


def test_the_banner_at_the_end_of_a_guard_follows_it() -> None:
    text = made(If(GUARD, (ZERO, added(), Banner("reverse sweep"))))
    assert text.index("}") < text.index("reverse sweep")


def test_a_primal_variable_stays_without_a_value() -> None:
    left = initialise_adjoints((Declare(S),))
    assert show(left) == show((Declare(S),))


def test_a_variable_with_a_value_on_every_path_stays_without_one_before() -> None:
    stored = If(GUARD, (Assign(VALUE, real(3.0, FLOAT)),), (Assign(VALUE, real(4.0, FLOAT)),))
    assert made(stored).startswith("float adj_s; if (inside)")
