"""The fields of an adjoint are set together, unless something on the way needs or changes one of them."""

from __future__ import annotations

import pytest
from emit_kit import num

from s2sad.emit.set_fields_together import set_fields_together
from s2sad.emit.zero_at_declaration import zero_at_declaration
from s2sad.ir import (
    BOOL,
    FLOAT,
    Accumulate,
    Assign,
    Declare,
    Field,
    If,
    Initialiser,
    Place,
    Stmt,
    Struct,
    Sym,
)
from s2sad.irtext import show

PAIR = Struct("Pair", (Field("x", FLOAT), Field("y", FLOAT)))
P = Sym("p", PAIR, origin="author")
P_X, P_Y = (Sym(f"p.{name}", FLOAT, origin="author", within=P, path=(name,)) for name in "xy")
ADJ_X, ADJ_Y = (Sym(f"adj_{of.name}", FLOAT, of=of) for of in (P_X, P_Y))
ADJ_P = Sym("adj_p", PAIR, of=P)
G, S = Sym("g", FLOAT), Sym("adj_s", FLOAT)


def value(sym: Sym) -> Place:
    return Place(sym, (), FLOAT)


SET_X, SET_Y = Declare(ADJ_X, value(G)), Declare(ADJ_Y, num(1.0))
H = Sym("h", FLOAT)
NEW, LATE = Declare(H, num(3.0)), Declare(ADJ_Y, value(H))  # can't be set before there is h
ZEROS = Declare(ADJ_P, Initialiser(()))


def field(name: str) -> Place:
    return Place(ADJ_P, (), FLOAT, path=(name,))


def test_a_field_waits_for_the_other() -> None:
    between = Accumulate(value(S), value(G), "local")
    assert set_fields_together((SET_X, between, SET_Y)) == (between, SET_X, SET_Y)


READ = Accumulate(value(S), value(ADJ_X), "local")
CHANGED = Assign(value(G), num(2.0))
ADDED = Accumulate(value(ADJ_X), num(2.0), "local")


@pytest.mark.parametrize("between", [READ, CHANGED, ADDED], ids=["read", "changed", "added"])
def test_a_field_waits_for_nothing_that_needs_or_changes_it(between: Stmt) -> None:
    body = (SET_X, NEW, between, LATE)
    assert set_fields_together(body) is body
    assert set_fields_together((SET_X, between, SET_Y)) == (SET_X, SET_Y, between)


def test_a_field_is_not_set_before_what_changes_it() -> None:
    body = (SET_X, READ, Accumulate(value(ADJ_Y), num(2.0), "local"), Assign(value(ADJ_Y), value(G)))
    assert set_fields_together(body) is body


def test_one_field_stays_where_it_is() -> None:
    body = (SET_X, Assign(value(G), num(2.0)))
    assert set_fields_together(body) is body


def zeroed(*body: Stmt) -> str:
    return show(zero_at_declaration((ZEROS, *body)))


def test_a_zero_field_is_not_set_to_zero() -> None:
    assert zeroed(Assign(field("x"), num(0.0))).count("=") == 1


def test_a_zero_field_is_not_set_to_zero_after_stores_to_the_other() -> None:
    other = If(Place(Sym("c", BOOL), (), BOOL), (Assign(field("y"), value(G)),))
    assert "adj_p.x" not in zeroed(other, Assign(field("x"), num(0.0)))


def test_a_field_that_may_have_been_set_is_set_to_zero() -> None:
    stored = Assign(field("x"), value(G))
    for before in (stored, If(Place(Sym("c", BOOL), (), BOOL), (stored,))):
        assert "adj_p.x = 0.0f" in zeroed(before, Assign(field("x"), num(0.0)))
