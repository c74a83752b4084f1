"""Sums that only go into another sum: added to that directly, where it is there already."""

from __future__ import annotations

from s2sad.ir import FLOAT, Accumulate, Const, Declare, Place, Sym
from s2sad.transform.optimise.sums.coalesce_sums import coalesce_sums

PART, WHOLE, OWED = Sym("adj_s_sum", FLOAT), Sym("adj_s", FLOAT), Sym("g", FLOAT)


def place(sym: Sym) -> Place:
    return Place(sym, (), FLOAT)


NOUGHT = Const(0.0, FLOAT)
ADDED = Accumulate(place(PART), place(OWED), "owner")
TAKEN = Accumulate(place(WHOLE), place(PART), "owner")


def test_a_sum_that_was_begun_before_takes_what_is_owed() -> None:
    first, added = coalesce_sums((Declare(WHOLE, NOUGHT), Declare(PART, NOUGHT), ADDED, TAKEN))
    assert isinstance(first, Declare)
    assert isinstance(added, Accumulate)
    assert first.sym is added.target.sym is WHOLE


def test_a_sum_that_begins_with_a_value_afterwards_stays_apart() -> None:
    body = (Declare(PART, NOUGHT), ADDED, Declare(WHOLE, place(OWED)), TAKEN)
    assert coalesce_sums(body) == body
