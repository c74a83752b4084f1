"""Loops over the same iterations: which are fused, which sums are made earlier, which updates are merged."""

from __future__ import annotations

import gradient_kit
from loop_bodies import (
    THREAD,
    array,
    block_sum,
    counter,
    declare,
    loop,
    minus,
    number,
    plus,
    text,
    var,
)

from s2sad.ir import BOOL, FLOAT, INT, Assign, Barrier, Binary, Call, Const, If, Stmt, Unary
from s2sad.transform.common.algebra import add, divide, multiply
from s2sad.transform.optimise.loops.fuse_loops import fuse_loops
from s2sad.transform.optimise.loops.guard_loop_sums import guard_loop_sums


def fused(*body: Stmt) -> str:
    return text(fuse_loops(body))


def loops(said: str) -> int:
    return said.count("for (")


def test_two_updates_of_one_array_are_one_pass() -> None:
    c, d = counter(), counter()
    first = loop(c, plus(array("adj_x", c), array("g", c)))
    second = loop(d, plus(array("adj_x", d), array("w", d)))
    assert fused(first, second) == (
        "for (int c = 0; c < C; c += 1) { accumulate adj_x[c] += g[c] + w[c] (owner); }"
    )


def test_other_iterations_stay_apart() -> None:
    c, d = counter(), counter()
    first = loop(c, plus(array("adj_x", c), array("g", c)))
    second = loop(d, plus(array("adj_x", d), array("w", d)), start=Const(1, INT))
    assert loops(fused(first, second)) == 2


def test_a_loop_stays_that_reads_what_the_other_one_adds_to() -> None:
    c, d = counter(), counter()
    first = loop(c, plus(array("adj_x", c), array("g", c)))
    second = loop(d, plus(array("adj_w", d), multiply(array("adj_x", d), array("g", d))))
    assert loops(fused(first, second)) == 2
    c, d = counter(), counter()
    first = loop(c, plus(array("adj_w", c), multiply(array("adj_x", c), array("g", c))))
    second = loop(d, plus(array("adj_x", d), array("g", d)), plus(array("adj_w", d), array("g", d)))
    assert loops(fused(first, second)) == 2


def test_a_loop_stays_if_a_statement_between_changes_what_it_reads() -> None:
    c, d = counter(), counter()
    first = loop(c, plus(array("adj_x", c), multiply(var("m"), array("g", c))))
    between = Assign(var("m"), number(2.0))
    second = loop(d, plus(array("adj_x", d), array("w", d)))
    assert loops(fused(declare("m", number(1.0)), first, between, second)) == 2
    assert loops(fused(declare("m", number(1.0)), first, second, between)) == 1


def test_nothing_that_other_threads_store_is_read_behind_a_barrier() -> None:
    c, d = counter(), counter()
    first = loop(c, plus(array("adj_x", c), array("tile", c, "shared")))
    second = loop(d, plus(array("adj_x", d), array("w", d)))
    stored = Assign(array("tile", Const(0, INT), "shared"), number(1.0))
    assert loops(fused(stored, first, Barrier(), second)) == 2
    assert loops(fused(stored, first, second)) == 1


def test_an_addition_keeps_its_place_if_its_amount_changes_until_the_next_one() -> None:
    c = counter()
    changed = loop(
        c,
        declare("value", array("g", c)),
        plus(array("adj_x", c), multiply(var("value"), array("w", c))),
        Assign(var("value"), number(2.0)),
        plus(array("adj_x", c), multiply(var("value"), array("g", c))),
    )
    assert fused(changed).count("accumulate adj_x[c]") == 2
    read = loop(
        c,
        plus(array("adj_x", c), array("g", c)),
        plus(var("adj_s"), array("adj_x", c)),
        plus(array("adj_x", c), array("w", c)),
    )
    assert fused(declare("adj_s"), read).count("accumulate adj_x[c]") == 2


def test_a_sum_is_made_in_an_earlier_loop_and_scaled_afterwards() -> None:
    c, d, e = counter(), counter(), counter()
    forward = loop(c, Assign(var("s"), array("x", c), "+="))
    first = loop(
        d,
        plus(array("adj_x", d), array("g", d)),
        minus(var("adj_s"), divide(multiply(array("x", d), array("g", d)), var("s"))),
    )
    second = loop(e, plus(array("adj_x", e), var("adj_s")))
    said = fused(declare("s"), forward, declare("adj_s"), first, second)
    assert said == (
        "float s = 0.0f; float sum_x_g = 0.0f; "
        "for (int c = 0; c < C; c += 1) { s += x[c]; // summed here for the reverse sweep "
        "accumulate sum_x_g += x[c] * g[c] (local); } "
        "float adj_s = 0.0f; accumulate adj_s -= sum_x_g / s (local); "
        "for (int c = 0; c < C; c += 1) { accumulate adj_x[c] += g[c] + adj_s (owner); }"
    )


def test_the_sign_of_a_sum_is_that_of_the_addition_and_of_its_amount() -> None:
    c, d = counter(), counter()
    forward = loop(c, Assign(var("s"), array("x", c), "+="))
    for negated, sign in ((False, "-="), (True, "+=")):
        amount = array("x", d)
        added = minus(var("adj_s"), Unary("-", amount, FLOAT) if negated else amount)
        said = fused(declare("s"), forward, declare("adj_s"), loop(d, added))
        assert f"accumulate adj_s {sign} sum_x (local)" in said


def test_a_scale_that_may_be_infinite_has_the_loops_condition_if_the_sum_goes_elsewhere() -> None:
    c, d = counter(), counter()
    forward = loop(c, Assign(var("s"), array("x", c), "+="))
    reverse = loop(d, plus(var("adj_s"), divide(array("g", d), var("s"))))
    elsewhere = plus(array("adj_w", Const(0, INT)), var("adj_s"))
    said = fused(declare("s"), forward, declare("adj_s"), reverse, elsewhere)
    assert "if (C > 0) { accumulate adj_s += sum_g / s (local); }" in said
    said = fused(declare("s"), forward, declare("adj_s"), reverse)
    assert "if (" not in said


def test_a_sum_stays_whose_terms_the_earlier_loop_does_not_have() -> None:
    c, d = counter(), counter()
    forward = loop(c, Assign(var("s"), array("x", c), "+="))
    term = Call("sinf", (multiply(var("s"), array("x", d)),), var("s").sym.type, rule="sin")
    reverse = loop(d, plus(var("adj_s"), term))
    assert loops(fused(declare("s"), forward, declare("adj_s"), reverse)) == 2
    again = loop(d, plus(var("adj_s"), array("g", d)))
    assert loops(fused(declare("s"), forward, declare("adj_s"), again)) == 1


def test_a_name_stands_for_its_value_only_until_that_changes() -> None:
    c, d = counter(), counter()
    difference = add(array("x", c), var("m"))
    first = loop(
        c,
        plus(array("adj_x", c), array("g", c)),
        declare("value", difference),
        plus(array("adj_w", c), multiply(var("value"), var("value"))),
        Assign(var("m"), number(2.0)),
        plus(array("adj_b", c), multiply(difference, array("g", c))),
    )
    second = loop(d, plus(array("adj_x", d), array("w", d)))
    said = fused(declare("m", number(1.0)), first, second)
    assert loops(said) == 1
    assert "adj_b[c] += (x[c] + m) * g[c]" in said


def test_a_sum_that_goes_into_one_over_the_block_is_guarded_unless_its_scale_is_the_blocks() -> None:
    c, d = counter(), counter()
    forward = loop(c, Assign(var("s"), array("x", c), "+="), start=THREAD)
    reverse = loop(d, plus(var("adj_s"), divide(array("g", d), var("s"))), start=THREAD)
    total = Assign(var("adj_s"), block_sum(var("adj_s")))
    common = Assign(var("s"), block_sum(var("s")))
    assert "if ((int)threadIdx.x < C)" in fused(declare("s"), forward, declare("adj_s"), reverse, total)
    assert "if (" not in fused(declare("s"), forward, common, declare("adj_s"), reverse, total)


def guarded(reverse: Stmt) -> str:
    """A sum that is added to memory after the loop that makes it."""
    total = var("adj_w_sum")
    some = Binary("!=", total, number(0.0), BOOL)
    body = (declare("adj_w_sum"), reverse, If(some, (plus(array("adj_w", Const(0, INT)), total),)))
    return text(guard_loop_sums(body))


def test_a_sum_of_every_iteration_has_the_loops_condition() -> None:
    c = counter()
    assert "if (C > 0) { accumulate adj_w[0] += adj_w_sum" in guarded(
        loop(c, plus(var("adj_w_sum"), array("g", c)))
    )
    down = loop(c, plus(var("adj_w_sum"), array("g", c)), end=Const(4, INT))
    assert "if (" not in guarded(down)


def test_a_sum_of_some_iterations_is_added_if_it_is_not_zero() -> None:
    c = counter()
    some = If(Binary("<", c, Const(2, INT), BOOL), (plus(var("adj_w_sum"), array("g", c)),))
    assert "if (adj_w_sum != 0.0f)" in guarded(loop(c, some))


ALL_PAIRS = """\
__global__ void k(const float *x, const float *w, const float *b, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    for (int j = 0; j < n; ++j) {
        float d = x[i] - x[j];
        s += expf(-d * d) * w[j] * b[0];
    }
    y[i] = s * b[1];
}
"""


def test_a_declared_value_of_which_a_part_gets_a_name_is_found_again() -> None:
    """The declaration is another statement then."""
    text_ = gradient_kit.made(ALL_PAIRS, "y", "x,w,b").text
    assert "float exp_x = expf(-d * d);" in text_
