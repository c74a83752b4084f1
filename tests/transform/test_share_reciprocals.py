"""What the primal and its derivative divide by: where it is inverted once, and what is divided as written."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from kernel_variants import emitted, entries, judged
from loop_bodies import array, counter, declare, loop, number, plus, text, var

from s2sad.ir import BOOL, FLOAT, INT, Assign, Barrier, Binary, Const, Declare, Select
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.transform.common.algebra import add, divide
from s2sad.transform.optimise.scalar.share_reciprocals import share_reciprocals

SHARED = entries("""
a quotient and its derivative:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w;
    y[i] = q * expf(q);
a difference of elements in a loop:
    float s = 0.0f;
    for (int k = 0; k + 1 < K; ++k) {
        float f = (c[k + 1] - x[i]) / (c[k + 1] * c[k + 1] + x[i] * x[i] + 1.0f);
        s += f * f * c[k];
    }
    y[i] = s;
two components by one norm:
    float w = 0.5f + x[i] * x[i] + c[0] * c[0];
    float p = x[i] / w, q = c[0] / w;
    y[i] = p * sinf(q) + q * q;
a vector scaled in place:
    float a = x[i], b = c[0], w = 1.0f + a * a;
    a /= w;
    b /= w;
    y[i] = a * b * b;
a quotient that goes through an array of the thread's:
    float v[2], w = 2.0f + sinf(x[i]);
    v[0] = x[i] / w;
    v[1] = expf(v[0]);
    y[i] = v[0] * v[1] * v[1];
a value that is compared beside it:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w;
    y[i] = x[i] > 0.1f ? q * q : q * expf(q);
""")

AS_WRITTEN = entries("""
it decides which branch runs:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w;
    if (q > 0.1f)
        y[i] = q * expf(q);
    else
        y[i] = q * q;
what is made of it decides:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w;
    float v = expf(q) - 1.0f;
    float r = v * v;
    y[i] = r < 0.3f ? r * r : q * r;
it is rounded to an index:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w;
    int k = (int)(q * q * 20.0f);
    y[i] = q * q * c[k];
it is converted to an integer:
    float w = 0.1f + x[i] * x[i];
    float q = x[i] / w;
    y[i] = q * q * (float)(int)(q * 4.0f);
it is rounded to a number:
    float w = 0.1f + x[i] * x[i];
    float q = x[i] / w;
    float part = q - floorf(q);
    y[i] = part * part * q;
it ends a loop:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w, s = 1.0f;
    for (int k = 0; k < K && s < 1.5f + q; ++k)
        s = s * (1.05f + 0.1f * c[0] * c[0]);
    y[i] = s * q * q;
the larger of two:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w;
    y[i] = q * fmaxf(q, 0.2f * x[i]);
""")

ONCE = entries("""
the divisor changes in between:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w;
    w = w * q + 2.0f;
    y[i] = sinf(q) / w;
another divisor:
    float w = 1.5f + x[i] * x[i];
    float v = 1.5f + c[0] * c[0];
    y[i] = x[i] / w + c[0] / v;
an element that may not exist:
    y[i] = i > 0 ? x[i] / (2.0f + x[i - 1] * x[i - 1]) : x[i];
a number:
    y[i] = x[i] / 3.0f + expf(x[i] / 3.0f);
of integers:
    y[i] = x[i] * (float)((i + 7) / (n - i + 1) + K / (n - i + 1));
""")

DIVISION = re.compile(r"(?<!1\.0f) / \(?\w")


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated() as made:
        yield made


def code(text: str) -> str:
    """The adjoint's body without its comments."""
    return re.sub(r"//[^\n]*", "", text.split("k_adj(", 1)[1])


@pytest.mark.parametrize("name", SHARED)
def test_one_reciprocal_serves_the_primal_and_its_derivative(name: str, backend: Backend) -> None:
    body = code(judged(SHARED[name], backend, empty="c[0]" not in SHARED[name]))
    assert re.search(r"float per_\w+ = 1\.0f / ", body)
    assert "* per_" in body


@pytest.mark.parametrize("name", AS_WRITTEN)
def test_what_decides_is_divided_as_written(name: str, backend: Backend) -> None:
    body = code(judged(AS_WRITTEN[name], backend, empty=False))
    assert re.search(r"float q = x\[i\] / w;", body)


@pytest.mark.parametrize("name", ONCE)
def test_different_divisors_stay_apart(name: str, backend: Backend) -> None:
    judged(ONCE[name], backend, empty=False)


def test_a_reciprocal_of_the_authors_is_used() -> None:
    body = code(
        emitted("float w = 2.0f + x[i] * x[i]; float inverse = 1.0f / w; y[i] = inverse * sinf(x[i] / w);")
    )
    assert "per_" not in body
    assert "x[i] * inverse" in body


def test_a_reciprocal_that_decides_keeps_its_divisor() -> None:
    """Found from outside: of 1 / (x / w), x / w became a product, and a condition took the other side."""
    body = code(
        emitted(
            "float w = 1.5f + x[i] * x[i]; float q = x[i] / w; float r = 1.0f / (x[i] / w); "
            "y[i] = r > 1.0f ? q * expf(q) : sinf(q);"
        )
    )
    assert "1.0f / (x[i] / w)" in body


def test_a_reciprocal_that_changes_is_not_used() -> None:
    body = code(
        emitted(
            "float w = 2.0f + x[i] * x[i]; float inverse = 1.0f / w; float q = x[i] / w; "
            "y[i] = inverse * sinf(q); inverse += q; y[i] += expf(inverse);"
        )
    )
    assert "* inverse" not in body.split("reverse sweep")[-1] or "per_w" in body


def test_the_forward_sweep_is_as_written_where_the_caller_reads_it() -> None:
    text = emitted("float w = 1.5f + x[i] * x[i]; float q = x[i] / w; y[i] = q * expf(q);", "split")
    forward = text.split("k_fwd(", 1)[1].split("k_adj(")[0]
    assert "x[i] / w" in forward


def test_a_change_of_the_divisor_ends_what_a_reciprocal_serves() -> None:
    w, v = var("w"), var("v")
    first, second = plus(var("adj_a"), divide(var("a"), w)), plus(var("adj_b"), divide(var("b"), w))
    third = plus(var("adj_c"), divide(var("c"), w))
    kept = text(share_reciprocals((first, Assign(w, v), second)))
    assert "per_" not in kept
    made = text(share_reciprocals((first, third, Assign(w, v), second)))
    assert made.count("* per_w") == 2
    assert "b / w" in made


def test_a_change_of_the_element_too() -> None:
    zero, one = Const(0, INT), Const(1, INT)
    first = plus(var("adj_a"), divide(var("a"), array("t", zero, "local")))
    second = plus(var("adj_b"), divide(var("b"), array("t", zero, "local")))
    changed = Assign(array("t", one, "local"), number(2.0))
    assert "per_" not in text(share_reciprocals((first, changed, second)))
    assert text(share_reciprocals((first, second, changed))).count("* per_t") == 2


def test_nothing_is_inverted_that_may_not_be_evaluated() -> None:
    element = array("x", Const(7, INT))
    inside = Binary("<", var("a"), number(1.0), BOOL)
    chosen = Select(inside, divide(var("b"), element), divide(var("c"), element), FLOAT)
    assert "per_" not in text(share_reciprocals((plus(var("adj_a"), chosen),)))
    always = plus(var("adj_b"), add(divide(var("a"), element), divide(var("b"), element)))
    assert text(share_reciprocals((always,))).count("* per_x") == 2
    made = text(share_reciprocals((plus(var("adj_c"), chosen), always)))
    assert made.index("b / x[7]") < made.index("per_x = 1.0f / x[7]")


def test_declared_values_that_nothing_derives_stay() -> None:
    w = var("w")
    both = (declare("p", divide(var("a"), w)), declare("q", divide(var("b"), w)))
    assert "per_" not in text(share_reciprocals(both))
    assert text(share_reciprocals((*both, plus(var("adj_a"), divide(var("p"), w))))).count("* per_w") == 3


AT_HAND = entries("""
a loop behind it:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w, s = q * q;
    for (int k = 0; k < K; ++k)
        s += c[k] * expf(q) / w;
    y[i] = s;
a branch behind it:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w, s = q * q;
    if (i % 2 == 0)
        s += expf(x[i]) / w;
    y[i] = s;
a loop that changes the divisor:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w, s = q * q;
    for (int k = 0; k < K; ++k) {
        s += c[k] * sinf(s) / w;
        w = w * (1.1f + 0.1f * sinf(w));
    }
    y[i] = s;
a branch that changes the divisor:
    float w = 1.5f + x[i] * x[i];
    float q = x[i] / w, s = q * q;
    if (i % 2 == 0) {
        w = w * w + 1.0f;
        s += expf(x[i]) / w;
    }
    y[i] = s / w;
""")


@pytest.mark.parametrize("name", AT_HAND)
def test_a_reciprocal_serves_what_is_inside_a_later_statement(name: str, backend: Backend) -> None:
    judged(AT_HAND[name], backend, empty=False)


def test_a_loop_uses_the_reciprocal_before_it_until_it_changes_the_divisor() -> None:
    c, w, v = counter(), var("w"), var("v")
    before = (plus(var("adj_a"), divide(var("a"), w)), plus(var("adj_b"), divide(var("b"), w)))
    inside = plus(var("adj_c"), divide(var("c"), w))
    assert text(share_reciprocals((*before, loop(c, inside)))).count("* per_w") == 3
    assert text(share_reciprocals((*before, loop(c, inside, Assign(w, v))))).count("* per_w") == 2
    again = Declare(w.sym, number(2.0))
    assert text(share_reciprocals((*before, loop(c, again, inside)))).count("* per_w") == 2
    changed = (*before, Assign(w, v), loop(c, inside))
    assert text(share_reciprocals(changed)).count("* per_w") == 2


def test_a_reciprocal_that_is_declared_in_a_loop_is_not_used_after_it() -> None:
    c, w = counter(), var("w")
    both = (plus(var("adj_a"), divide(var("a"), w)), plus(var("adj_b"), divide(var("b"), w)))
    made = text(share_reciprocals((loop(c, *both), plus(var("adj_c"), divide(var("c"), w)))))
    assert made.count("* per_w") == 2


def test_a_reciprocal_is_made_once_for_a_loop_and_what_is_before_it() -> None:
    c, w = counter(), var("w")
    inverse = Declare(var("per_v").sym, divide(number(1.0), w))
    inside = plus(var("adj_c"), divide(var("c"), w))
    made = text(share_reciprocals((inverse, loop(c, inside, inside))))
    assert made.count("* per_v") == 2


def test_in_a_loop_the_author_divides_as_written() -> None:
    c, w = counter(), var("w")
    before = (plus(var("adj_a"), divide(var("a"), w)), plus(var("adj_b"), divide(var("b"), w)))
    made = text(share_reciprocals((*before, loop(c, declare("q", divide(var("c"), w))))))
    assert "q = c / w" in made


def test_a_loop_in_which_threads_meet_divides_by_what_they_exchange() -> None:
    c, element = counter(), array("u", Const(0, INT), "shared")
    before = (plus(var("adj_a"), divide(var("a"), element)), plus(var("adj_b"), divide(var("b"), element)))
    inside = plus(var("adj_c"), divide(var("c"), element))
    assert text(share_reciprocals((*before, loop(c, inside)))).count("* per_u") == 3
    assert text(share_reciprocals((*before, loop(c, inside, Barrier())))).count("* per_u") == 2
