"""Which branches and loops are reversed where they are computed again, and which are run twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from kernel_variants import entries, judged
from loop_bodies import array, counter, declare, loop, number, plus, text, var

from s2sad.ir import BOOL, Assign, Barrier, Binary, Body, Expr, If, Stmt
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.transform.common.algebra import add, multiply
from s2sad.transform.optimise.loops.fuse_sweeps import fuse_sweeps

ONE_BODY = entries("""
a branch:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = x[i] + 0.1f * c[k], r;
        if (t > 0.2f) {
            float e = t * t + 1.0f;
            r = e * e + t;
        } else {
            float e = t * 0.5f - t * t;
            r = e * e;
        }
        s += c[k] * r;
    }
    y[i] = s;
a branch without a second one:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = x[i] + 0.3f, r = c[k];
        if (c[k] > 0.0f) {
            float e = t * t - 0.5f;
            r = e * e * t;
        }
        s += r * c[k];
    }
    y[i] = s;
a loop:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = c[k] + x[i], r = 0.0f;
        for (int j = 0; j < 5; ++j) {
            float e = t * t + j;
            r += e * e;
        }
        s += c[k] * r;
    }
    y[i] = s;
a loop in a branch:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = c[k] + x[i], r;
        if (t < 0.4f) {
            float u = t * t + 1.0f, v = 0.0f;
            for (int j = 0; j < 4; ++j) {
                float e = u * (1.5f + u * j);
                v += e * e;
            }
            r = v + t;
        } else {
            r = t * t * t;
        }
        s += c[k] * r;
    }
    y[i] = s;
""")

APART = entries("""
an adjoint that the results and the reversal add to:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = c[k] + x[i], r = 0.0f;
        for (int j = 0; j < 5; ++j) {
            float e = sinf(t * j), p;
            if (c[k] > 0.0f) {
                float q = e * t;
                p = q * q;
            } else {
                float q = e + t;
                p = q * q * q;
            }
            r += p * e;
        }
        s += c[k] * r;
    }
    y[i] = s;
the seed needs the result of the branch:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = x[i] + 0.1f * c[k], r = t;
        if (t > 0.2f) {
            float e = expf(t);
            r = e * e + t;
        }
        s += c[k] * r * r;
    }
    y[i] = s;
another condition:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = x[i] + 0.1f * c[k], r = t;
        if (t > 0.2f) {
            float e = expf(t);
            r = e * e + t;
        }
        float v = r;
        if (t > 0.3f)
            v = r * t;
        s += c[k] * v;
    }
    y[i] = s;
the seed needs the result of the loop:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = c[k] + x[i], r = 0.0f;
        for (int j = 0; j < 5; ++j) {
            float e = sinf(t * j);
            r += e * e;
        }
        s += c[k] * r * r;
    }
    y[i] = s;
an iteration needs the one before:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = 0.3f * c[k] + 0.2f * x[i], r = t;
        for (int j = 0; j < 4; ++j) {
            float e = sinf(r);
            r = e * e + t;
        }
        s += c[k] * r;
    }
    y[i] = s;
elements of an array of the thread's:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = c[k] + x[i], v[3], r = 0.0f;
        for (int j = 0; j < 3; ++j)
            v[j] = sinf(t * (j + 1));
        for (int j = 0; j < 3; ++j)
            r += v[j] * v[2 - j];
        s += c[k] * r;
    }
    y[i] = s;
what follows changes what the reversal reads:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = c[k] + x[i], r = t;
        if (c[k] > 0.0f) {
            float e = expf(t);
            r = e * t;
        }
        t = t * t + r;
        s += t * r;
    }
    y[i] = s;
a loop in a branch that needs its own result:
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        float t = c[k] + x[i], r;
        if (t < 0.4f) {
            float v = 0.5f;
            for (int j = 0; j < 4; ++j) {
                float e = v * t;
                v = sinf(e) + t;
            }
            r = v * t;
        } else {
            r = t * t * t;
        }
        s += c[k] * r;
    }
    y[i] = s;
""")


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def heads(made: str) -> list[str]:
    """The branches on a value of the primal and the inner loops, without comments."""
    body = re.sub(r"//[^\n]*", "", made.split("k_adj(", 1)[1])
    return re.findall(r"if \(t [^)]*\)|if \(c\[k\][^)]*\)|if \(taken\)|for \(int j", body)


def wanted(body: str) -> int:
    return len(re.findall(r"if \(|for \(int j", body))


@pytest.mark.parametrize("name", ONE_BODY)
def test_both_sweeps_have_one_body(name: str, backend: Backend) -> None:
    made = judged(ONE_BODY[name], backend)
    assert len(heads(made)) == wanted(ONE_BODY[name]), made


@pytest.mark.parametrize("name", APART)
def test_what_needs_results_comes_after_them(name: str, backend: Backend) -> None:
    judged(APART[name], backend)


# ---- single statements ----------------------------------------------------------------------------


def two(cond: Expr, other: Expr, *between: Stmt, first: Body, second: Body) -> str:
    return text(fuse_sweeps((If(cond, first), *between, If(other, second))))


def branches(said: str) -> int:
    return said.count("if (")


def loops(said: str) -> int:
    return said.count("for (")


ASKED = Binary(">", var("t"), number(0.5), BOOL)
FIRST = (declare("e", multiply(var("t"), var("t"))), Assign(var("r"), multiply(var("e"), var("e"))))
SECOND = (declare("e", multiply(var("t"), var("t"))), plus(var("adj_t"), multiply(var("e"), var("adj_r"))))


def test_what_reads_results_follows_unless_the_reversal_reads_it() -> None:
    seed = Assign(var("adj_r"), multiply(var("c"), var("adj_s")))
    reads = plus(var("adj_c"), multiply(var("r"), var("adj_s")))
    made = two(ASKED, ASKED, reads, seed, first=FIRST, second=SECOND)
    assert branches(made) == 1
    assert made.index("adj_r = ") < made.index("if (") < made.index("adj_t +=") < made.index("adj_c +=")
    assert made.count("float e = ") == 1
    needs = Assign(var("adj_r"), multiply(var("r"), var("adj_s")))
    assert branches(two(ASKED, ASKED, needs, first=FIRST, second=SECOND)) == 2


def test_another_condition_is_another_branch() -> None:
    other = Binary(">", var("t"), number(0.6), BOOL)
    assert branches(two(ASKED, other, first=FIRST, second=SECOND)) == 2
    assert branches(two(ASKED, ASKED, Assign(var("t"), number(1.0)), first=FIRST, second=SECOND)) == 2


def test_threads_that_meet_in_between_keep_both_branches() -> None:
    assert branches(two(ASKED, ASKED, Barrier(), first=FIRST, second=SECOND)) == 2


def test_a_value_that_changed_is_computed_again() -> None:
    asked = Binary(">", var("b"), number(0.5), BOOL)
    same = declare("d", multiply(var("b"), var("b")))
    first = (same, *FIRST, Assign(var("t"), var("r")))
    made = two(asked, asked, first=first, second=(replace(same), *SECOND))
    assert made.count("float d = ") == 1
    assert made.count("float e = ") == 2


def both_loops(first: Stmt, second: Stmt, *between: Stmt) -> str:
    c, d = counter(), counter()
    one = loop(c, declare("e", multiply(var("t"), array("w", c))), first)
    two = loop(d, declare("e", multiply(var("t"), array("w", d))), second)
    return text(fuse_sweeps((one, *between, two)))


def test_a_reversal_that_only_adds_joins_its_loop() -> None:
    summed = Assign(var("r"), add(var("r"), var("e")))
    adds = plus(var("adj_t"), multiply(var("e"), var("adj_r")))
    made = both_loops(summed, adds)
    assert loops(made) == 1
    assert made.count("float e = ") == 1
    assert loops(both_loops(summed, plus(var("adj_t"), multiply(var("e"), var("r"))))) == 2
    assert loops(both_loops(summed, plus(var("adj_t"), multiply(var("e"), var("adj_t"))))) == 2
    assert loops(both_loops(summed, Assign(var("adj_t"), multiply(var("e"), var("adj_r"))))) == 2
    assert loops(both_loops(summed, adds, Assign(var("t"), number(1.0)))) == 2
    assert loops(both_loops(summed, adds, Assign(var("adj_r"), var("r")))) == 2
    assert loops(both_loops(summed, adds, Assign(var("adj_r"), var("s")))) == 1
