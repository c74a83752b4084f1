"""A barrier stays where threads exchange values across it; the one in a block sum takes no one's place."""

from __future__ import annotations

from loop_bodies import declare, number, plus, var

from s2sad.ir import FLOAT, UINT, Array, Assign, Barrier, Binary, Body, Const, Place, Special, Stmt, Sym
from s2sad.irtext import show
from s2sad.transform.optimise.barriers.eliminate_barriers import with_needed_barriers

TILE = Sym("t", Array(FLOAT, (Const(64, UINT),)), "shared", origin="author")
HERE = Special("threadIdx", "x")
NEXT = Binary("+", HERE, Const(1, UINT), UINT)
TOTAL = Place(Sym("adj_s", FLOAT, "parameter", origin="tool"), (), FLOAT)


def tile(index: Special | Binary) -> Place:
    return Place(TILE, (index,), FLOAT)


def kept(*body: Stmt) -> int:
    """How many barriers are left."""
    made: Body = with_needed_barriers(body, frozenset({TILE}), 1)
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
