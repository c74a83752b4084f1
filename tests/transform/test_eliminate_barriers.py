"""A barrier stays where threads exchange values across it; at the end, a block sum takes its place."""

from __future__ import annotations

from dataclasses import replace

from loop_bodies import declare, number, plus, var

from s2sad.ir import (
    BOOL,
    FLOAT,
    UINT,
    Array,
    Assign,
    Barrier,
    Binary,
    Body,
    Const,
    Exists,
    If,
    Place,
    Special,
    Stmt,
    Sym,
)
from s2sad.irtext import show
from s2sad.transform.optimise.barriers.eliminate_barriers import with_needed_barriers

TILE = Sym("t", Array(FLOAT, (Const(64, UINT),)), "shared", origin="author")
HERE = Special("threadIdx", "x")
NEXT = Binary("+", HERE, Const(1, UINT), UINT)
TOTAL = Place(Sym("adj_s", FLOAT, "parameter", origin="tool"), (), FLOAT)


def tile(index: Special | Binary | Const) -> Place:
    return Place(TILE, (index,), FLOAT)


def kept(*body: Stmt, sums: bool = False) -> int:
    """How many barriers are left; `sums`: where block sums count as barriers."""
    made: Body = with_needed_barriers(body, frozenset({TILE}), 1, sums=sums)
    return show(made).count("__syncthreads();")


def test_a_barrier_between_a_store_and_another_threads_load_stays() -> None:
    assert kept(Assign(tile(HERE), number(1.0)), Barrier(), declare("a", tile(NEXT))) == 1


def test_a_barrier_before_a_load_of_the_threads_own_element_goes() -> None:
    assert kept(Assign(tile(HERE), number(1.0)), Barrier(), declare("a", tile(HERE))) == 0


def test_a_block_sum_takes_no_barriers_place() -> None:
    total = plus(TOTAL, var("a"), "reduce")
    store, load = Assign(tile(HERE), number(1.0)), declare("b", tile(NEXT))
    assert kept(store, Barrier(), total, load) == 1
    assert kept(store, total, Barrier(), load) == 1


def test_a_block_sum_of_what_another_thread_stored_needs_a_barrier() -> None:
    total = plus(TOTAL, tile(NEXT), "reduce")
    assert kept(Assign(tile(HERE), number(1.0)), Barrier(), total) == 1
    assert kept(total, Barrier(), Assign(tile(HERE), number(1.0))) == 1


def test_a_block_sum_of_the_threads_own_value_needs_none() -> None:
    total = plus(TOTAL, tile(HERE), "reduce")
    assert kept(Assign(tile(HERE), number(1.0)), Barrier(), total) == 0


def test_a_sum_that_is_read_by_others_needs_a_barrier() -> None:
    shared = Place(TILE, (Const(0, UINT),), FLOAT)
    total = plus(shared, var("a"), "reduce")
    assert kept(Assign(shared, number(0.0)), Barrier(), total) == 1
    assert kept(total, Barrier(), declare("b", shared)) == 1


def test_at_the_end_a_block_sum_takes_a_barriers_place() -> None:
    total = plus(TOTAL, var("a"), "reduce")
    store, load = Assign(tile(HERE), number(1.0)), declare("b", tile(NEXT))
    assert kept(store, Barrier(), total, load, sums=True) == 0
    assert kept(store, total, Barrier(), load, sums=True) == 0
    assert kept(store, Barrier(), load, total, sums=True) == 1


def test_a_block_sum_that_blocks_skip_takes_none() -> None:
    total = replace(plus(TOTAL, var("a"), "reduce"), exists=Exists((number(1.0),), False))
    assert kept(Assign(tile(HERE), number(1.0)), Barrier(), total, declare("b", tile(NEXT)), sums=True) == 1


def test_a_block_sum_under_a_condition_takes_none() -> None:
    total = If(Place(Sym("c", BOOL), (), BOOL), (plus(TOTAL, var("a"), "reduce"),))
    assert kept(Assign(tile(HERE), number(1.0)), Barrier(), total, declare("b", tile(NEXT)), sums=True) == 1


def test_the_total_is_added_behind_the_barrier_of_its_sum() -> None:
    shared = Place(TILE, (Const(0, UINT),), FLOAT)
    total, other = plus(shared, var("a"), "reduce"), plus(TOTAL, var("a"), "reduce")
    assert kept(total, Barrier(), declare("b", shared), sums=True) == 1
    assert kept(total, other, Barrier(), declare("b", shared), sums=True) == 1  # in one call
    assert kept(Assign(tile(NEXT), number(0.0)), Barrier(), total, sums=True) == 0


def test_an_amount_that_others_stored_needs_a_barrier_before_the_sum() -> None:
    total = plus(TOTAL, tile(NEXT), "reduce")
    assert kept(Assign(tile(HERE), number(1.0)), Barrier(), total, sums=True) == 1


def test_sums_that_share_a_call_read_their_amounts_before_its_barrier() -> None:
    store = Assign(tile(HERE), number(1.0))
    own, others = plus(TOTAL, var("a"), "reduce"), plus(TOTAL, tile(NEXT), "reduce")
    assert kept(store, Barrier(), own, others, sums=True) == 1
    assert kept(store, own, Barrier(), others, sums=True) == 1


def test_a_total_and_its_amount_in_one_array() -> None:
    total = plus(tile(Const(0, UINT)), tile(NEXT), "reduce")
    assert kept(Assign(tile(HERE), number(1.0)), Barrier(), total, sums=True) == 1
