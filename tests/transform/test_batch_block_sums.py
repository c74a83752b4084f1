"""Block-wide sums that are made together with an earlier one, and those that stay."""

from __future__ import annotations

from loop_bodies import (
    THREAD,
    array,
    block_sum,
    by_thread_0,
    declare,
    minus,
    number,
    plus,
    text,
    var,
)

from s2sad.ir import FLOAT, INT, Assign, Cast, Const, Declare, Stmt
from s2sad.transform.common.algebra import divide, multiply
from s2sad.transform.optimise.sums.batch_block_sums import batch_block_sums

PART = declare("part", array("x", THREAD))
FIRST = Assign(var("s"), block_sum(var("s")))
OWN = declare("s", array("w", THREAD))
TOGETHER = "s = __syncthreads_sum(s); part = __syncthreads_sum(part);"


def batched(*body: Stmt) -> str:
    return text(batch_block_sums(body))


def reverse(*between: Stmt) -> tuple[Stmt, ...]:
    """A second sum of what the statements before it make adj_s."""
    return (OWN, PART, FIRST, *between, Assign(var("adj_s"), block_sum(var("adj_s"))))


def test_factors_in_common_multiply_the_sum() -> None:
    said = batched(*reverse(declare("adj_s", divide(multiply(number(2.0), var("part")), var("s")))))
    assert TOGETHER in said
    assert said.endswith("float adj_s = 2.0f * part / s; __syncthreads();")


def test_a_factor_of_the_threads_own_stays_inside() -> None:
    own = Declare(var("own").sym, Cast(THREAD, FLOAT))
    said = batched(own, *reverse(declare("adj_s", multiply(var("own"), var("part")))))
    assert TOGETHER not in said
    assert said.endswith("adj_s = __syncthreads_sum(adj_s);")


def test_a_part_that_is_needed_later_stays() -> None:
    scaled = declare("adj_s", multiply(number(2.0), var("part")))
    needed = plus(array("adj_w", THREAD), var("part"))
    assert TOGETHER in batched(*reverse(scaled))
    assert TOGETHER not in batched(*reverse(scaled), needed)
    assert TOGETHER not in batched(*reverse(scaled, needed))


def test_the_earlier_sums_part_stays_if_it_is_needed() -> None:
    total = declare("total", block_sum(var("s")))
    second = Assign(var("adj_s"), block_sum(var("adj_s")))
    scaled = declare("adj_s", divide(var("part"), var("total")))
    assert TOGETHER in batched(OWN, PART, total, scaled, second)
    needed = plus(array("adj_w", THREAD), var("s"))
    assert TOGETHER not in batched(OWN, PART, total, scaled, second, needed)


def test_a_part_that_is_not_complete_stays() -> None:
    late = plus(var("part"), array("g", THREAD))
    scaled = declare("adj_s", multiply(number(2.0), var("part")))
    assert TOGETHER not in batched(*reverse(late, scaled))


def test_what_thread_0_adds_alone_is_added_by_every_thread() -> None:
    total = array("g", Const(0, INT))
    led = by_thread_0(plus(var("adj_s"), total))
    said = batched(*reverse(declare("adj_s"), led, minus(var("adj_s"), var("part"))))
    assert TOGETHER in said
    assert "if (" not in said
    own = by_thread_0(plus(var("adj_s"), array("g", THREAD)))
    assert TOGETHER not in batched(*reverse(declare("adj_s"), own, minus(var("adj_s"), var("part"))))


def test_sums_that_share_a_value_move_together() -> None:
    shared = declare("g_s", divide(var("part"), var("s")))
    first = declare("adj_a", block_sum(var("g_s")))
    second = declare("adj_b", block_sum(multiply(var("s"), var("g_s"))))
    said = batched(OWN, PART, FIRST, shared, first, second)
    assert TOGETHER in said
    assert said.count("__syncthreads_sum") == 2
