"""Tests around an addition to an adjoint become one condition; other nested tests stay."""

from __future__ import annotations

from emit_kit import local, num

from s2sad.emit.merge_conditions import merge_conditions
from s2sad.ir import BOOL, FLOAT, Accumulate, Assign, Comment, If, Place, Stmt, Sym
from s2sad.irtext import show

A, B, C = (Place(Sym(name, BOOL, origin="author"), (), BOOL) for name in "abc")
ADD = Accumulate(Place(local("adj_s"), (), FLOAT), num(1.0), "local")
AUTHORS = Assign(Place(Sym("s", FLOAT, origin="author"), (), FLOAT), num(1.0))


def merged(*body: Stmt) -> str:
    return show(merge_conditions(body))


def test_two_tests_around_an_addition_become_one() -> None:
    text = merged(If(A, (If(B, (ADD,)),)))
    assert text.startswith("if (a && b) {")
    assert text.count("if") == 1


def test_three_too() -> None:
    assert merged(If(A, (If(B, (If(C, (ADD,)),)),))).startswith("if (a && b && c) {")


def test_what_is_said_of_the_addition_goes_before_the_condition() -> None:
    text = merged(If(A, (Comment("why"), If(B, (ADD,)))))
    assert text.index("why") < text.index("if (a && b)")


def test_an_else_keeps_the_tests_apart() -> None:
    assert "&&" not in merged(If(A, (If(B, (ADD,)),), (ADD,)))
    assert "&&" not in merged(If(A, (If(B, (ADD,), (ADD,)),)))


def test_another_statement_keeps_the_tests_apart() -> None:
    assert "&&" not in merged(If(A, (If(B, (ADD,)), ADD)))
    assert "&&" not in merged(If(A, (ADD, If(B, (ADD,)))))


def test_the_authors_tests_stay_as_written() -> None:
    assert "&&" not in merged(If(A, (If(B, (AUTHORS,)),)))
    assert "&&" not in merged(If(A, (If(B, (ADD, AUTHORS)),)))
