"""Loops that search: which of them are split, and that both sides stay right."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from kernel_variants import CASE, emitted, entries, judged

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

SPLIT = entries(
    """
if:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        float e = d * d;
        if (e < best) best = e;
    }
    y[i] = best;
else:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        if (d * d >= best) {
        } else best = d * d;
    }
    y[i] = best;
conditional:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        best = d * d < best ? d * d : best;
    }
    y[i] = best;
fminf:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) best = fminf(best, x[i] * c[k] + c[k]);
    y[i] = best;
fminf_of_the_new_value:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        float v = x[i] * c[k];
        best = fminf(v * v, best);
    }
    y[i] = best;
fmaxf:
    float top = -INFINITY;
    for (int k = K - 1; k >= 0; --k) top = fmaxf(top, x[i] * c[k]);
    y[i] = top;
downwards:
    float best = 1e30f;
    for (int k = K - 1; k > 0; k -= 2) {
        float d = x[i] - c[k];
        if (d * d < best) best = d * d;
    }
    y[i] = best;
from_a_negative_number:
    float best = 1e30f;
    for (int k = -3; k < K; ++k) {
        float d = x[i] - (k < 0 ? 0.3f * k : c[k]);
        if (d * d < best) best = d * d;
    }
    y[i] = best * x[i];
from_what_a_branch_sets:
    float best = 1e30f;
    if (x[i] > 0.0f) best = 0.05f;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        if (d * d < best) best = d * d;
    }
    y[i] = best * x[i];
unsigned_counter:
    float best = 1e30f;
    for (unsigned k = 0; k < (unsigned)K; ++k) {
        float d = x[i] - c[k];
        if (d * d < best) best = d * d;
    }
    y[i] = best;
while_not_near:
    float best = 1e30f;
    int k = 0;
    while (k < K && best > 0.01f) {
        float d = x[i] - c[k];
        if (d * d < best) best = d * d;
        ++k;
    }
    y[i] = best + 0.1f * k;
more_values:
    float best = 1e30f, w = 0.0f;
    int arg = -1;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        if (d * d < best) {
            best = d * d;
            arg = k;
            w = sinf(d) * c[k];
        }
    }
    y[i] = best + 0.5f * w + arg;
set_before_what_is_compared:
    float a = 1e30f, b = 0.0f;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        if (d * d < a) {
            b = d * c[k];
            a = d * d;
        }
    }
    y[i] = b;
two_counters:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        float s = sinf(c[k]);
        for (int j = k; j < K; ++j) {
            float d = x[i] * s - c[j];
            if (d * d < best) best = d * d;
        }
    }
    y[i] = best;
several_conditions:
    float best = x[i] * 3.0f;
    for (int k = 0; k < K; ++k) if (k % 3 != 0) {
        float d = x[i] - c[k];
        if (d > 0.0f) {
            float e = d * c[k];
            if (e < best) best = e;
        }
    }
    y[i] = best;
index_of_the_last_winner:
    float best = 1e30f;
    int arg = 0;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k] + 0.1f * c[arg];
        if (d * d < best) {
            best = d * d;
            arg = k;
        }
    }
    y[i] = best;
index_set_before_the_value:
    float best = 1e30f;
    int arg = 0;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k] + 0.1f * c[arg];
        if (d * d < best) {
            arg = k;
            best = d * d;
        }
    }
    y[i] = best;
index_set_in_a_branch_before_the_value:
    float best = 1e30f;
    int arg = 0;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k] + 0.1f * c[arg];
        if (d * d < best) {
            if (k % 2 == 0) arg = k;
            best = d * d;
        }
    }
    y[i] = best;
integer_changed_after_a_choice:
    float best = 1e30f;
    int m = 1;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[m];
        best = fminf(d * d, best);
        if (k & 1) m = (m * 3 + k) % K;
    }
    y[i] = best;
counter_without_a_head:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        int j = 0;
        while (j * j < K) {
            float d = x[i] * c[k] - c[j];
            if (d * d < best) best = d * d;
            j += 1 + (k & 1);
        }
    }
    y[i] = best;
integer_of_an_inner_loop:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        int m = k;
        if (c[k] > 0.0f) m = 0;
        for (int j = 0; j < K; ++j) {
            float d = x[i] * c[k] - c[m];
            if (d * d < best) best = d * d;
            m = (m * 3 + j + 1) % K;
        }
    }
    y[i] = best;
integer_changed_after:
    float best = 1e30f;
    int m = 1;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[m];
        if (d * d < best) best = d * d;
        m = (m * 3 + k) % K;
    }
    y[i] = best;
integer_that_the_winner_does_not_need:
    float best = 1e30f;
    int seen = 0;
    for (int k = 0; k < K; ++k) {
        if (c[k] > 0.0f) ++seen;
        float d = x[i] - c[k];
        if (d * d < best) best = d * d;
    }
    y[i] = best * seen;
one_after_the_other:
    float best = 1e30f;
    for (int k = 0; k < K / 2; ++k) {
        float d = x[i] - c[k];
        if (d * d < best) best = d * d;
    }
    for (int k = K / 2; k < K; ++k) {
        float d = x[i] + c[k];
        if (d * d < best) best = d * d;
    }
    y[i] = best;
loops_and_arrays_inside:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        float v[3];
        for (int j = 0; j < 3; ++j) v[j] = x[i] * c[(k + j) % K];
        float e = v[0] * v[1] + v[2];
        if (e < best) best = e;
    }
    y[i] = best;
inside_a_loop_that_adds:
    float sum = 0.0f;
    for (int r = 0; r < 3; ++r) {
        float best = 1e30f;
        for (int k = 0; k < K; ++k) {
            float d = x[i] * (r + 1) - c[k];
            if (d * d < best) best = d * d;
        }
        sum += best * x[i];
    }
    y[i] = sum;
"""
)

WHOLE = entries(
    """
a_value_that_is_read:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k] + 1e-3f * best;
        if (d * d < best) best = d * d;
    }
    y[i] = best;
a_value_that_is_set_twice:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        if (k == 3) best = 5.0f;
        if (d * d < best) best = d * d;
    }
    y[i] = best;
the_second_best:
    float a = 1e30f, b = 1e30f;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        d = d * d;
        if (d < a) {
            b = a;
            a = d;
        } else if (d < b) b = d;
    }
    y[i] = a + 2.0f * b;
a_float_that_is_carried:
    float best = 1e30f, t = 0.0f;
    for (int k = 0; k < K; ++k) {
        t += 0.3f * x[i];
        float d = t - c[k];
        if (d * d < best) best = d * d;
    }
    y[i] = best;
a_float_that_an_inner_loop_carries:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        float t = x[i] * c[k];
        for (int j = 0; j < K; ++j) {
            float d = t - c[j];
            if (d * d < best) best = d * d;
            t *= 0.5f;
        }
    }
    y[i] = best;
an_array_that_an_inner_loop_stores_to:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        float t[2] = {x[i] * c[k], 0.5f};
        for (int j = 0; j < K; ++j) {
            float d = t[0] - t[1] * c[j];
            if (d * d < best) best = d * d;
            t[j % 2] *= x[i];
        }
    }
    y[i] = best;
the_best_prefix:
    float best = -1e30f, s = 0.0f;
    for (int k = 0; k < K; ++k) {
        s += x[i] * c[k];
        if (s > best) best = s;
    }
    y[i] = best;
an_integer_changed_before:
    float best = 1e30f;
    int m = 0;
    for (int k = 0; k < K; ++k) {
        m = (m * 3 + k) % K;
        float d = x[i] - c[m];
        if (d * d < best) best = d * d;
    }
    y[i] = best;
an_integer_set_and_read_by_the_winner:
    float best = 1e30f;
    int arg = 0;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        if (d * d < best) {
            arg = k / 2;
            best = d * d + 0.5f * c[arg];
        }
    }
    y[i] = best;
an_integer_set_in_a_branch_and_read_by_the_winner:
    float best = 1e30f;
    int m = 0;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        if (d * d < best) {
            if (k % 2 == 0) m = k;
            best = d * d + 0.1f * c[m];
        }
    }
    y[i] = best;
an_integer_changed_before_a_choice:
    float best = 1e30f;
    int m = 0;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[m];
        if (k & 1) m = (m * 3 + k + 1) % K;
        best = fminf(d * d, best);
    }
    y[i] = best;
an_integer_that_a_call_sets:
    float best = 1e30f;
    int e = 0;
    for (int k = 0; k < K; ++k) {
        float f = frexpf(c[k] * 100.0f, &e);
        float d = x[i] - f;
        if (d * d < best) best = d * d;
    }
    y[i] = best * e;
a_call_that_sets_two:
    float best = 1e30f, w = 0.0f;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        if (d * d < best) best = modff(d * d * 5.0f, &w);
    }
    y[i] = best * (w + 1.0f);
a_store:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        float d = x[i] - c[k];
        if (d * d < best) {
            best = d * d;
            y[i] = best;
        }
    }
    y[i] = best;
fmaxf_of_what_may_be_nan:
    float top = x[i];
    for (int k = 0; k < K; ++k) top = fmaxf(top, x[i] * c[k]);
    y[i] = top;
"""
)
# The inner loop is split, the outer one isn't.
INNER = entries(
    """
an_integer_read_before_an_inner_loop:
    float best = 1e30f;
    int m = 0;
    for (int k = 0; k < K; ++k) {
        float e = c[m];
        for (int j = 0; j < K; ++j) {
            float d = x[i] * c[k] - e * c[m];
            if (d * d < best) best = d * d;
            m = (m * 3 + j + 1) % K;
        }
    }
    y[i] = best;
an_integer_of_the_outer_loop_read_before_the_inner_one:
    float best = 1e30f;
    for (int k = 0; k < K; ++k) {
        int m = k;
        float e = c[m];
        for (int j = 0; j < K; ++j) {
            float d = x[i] * c[k] - e * c[m];
            if (d * d < best) best = d * d;
            m = (m * 3 + j + 1) % K;
        }
    }
    y[i] = best;
a_value_updated_after_a_search:
    float best = 1e30f;
    for (int r = 0; r < 3; ++r) {
        for (int k = 0; k < K; ++k) {
            float d = x[i] - c[k] * r;
            if (d * d < best) best = d * d;
        }
        best = best * 0.9f + 0.1f * x[i];
    }
    y[i] = best;
"""
)
NEEDS_AN_ELEMENT = {"index_of_the_last_winner", "integer_changed_after", "an_integer_changed_before"}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def splits(text: str) -> bool:
    return "_so_far" in text


@pytest.mark.parametrize("name", SPLIT)
def test_a_search_is_reversed_in_the_iteration_that_won(name: str, backend: Backend) -> None:
    text = judged(SPLIT[name], backend, empty=name not in NEEDS_AN_ELEMENT)
    assert splits(text)
    assert "tape_" not in text


@pytest.mark.parametrize("name", WHOLE)
def test_another_loop_is_reversed_as_a_whole(name: str, backend: Backend) -> None:
    assert not splits(judged(WHOLE[name], backend, empty=name not in NEEDS_AN_ELEMENT))


@pytest.mark.parametrize("name", INNER)
def test_only_the_inner_loop_is_a_search(name: str, backend: Backend) -> None:
    text = judged(INNER[name], backend)
    assert splits(text)
    assert "tape_" in text


@pytest.mark.parametrize("name", ["if", "two_counters", "more_values"])
def test_the_forward_kernel_records_the_iteration_that_won(name: str, backend: Backend) -> None:
    assert splits(judged(SPLIT[name], backend, "split"))


def test_the_first_of_equals_wins_as_in_the_primal(backend: Backend) -> None:
    """At a tie `fminf(best, v)` keeps its first argument, `fminf(v, best)` takes the new one."""
    assert "if (best_rival < best_so_far)" in emitted(SPLIT["fminf"])
    assert "if (best_rival <= best_so_far)" in emitted(SPLIT["fminf_of_the_new_value"])


def test_a_passive_search_is_left_alone() -> None:
    text = emitted(
        "float best = 1e30f; int k0 = 0; for (int k = 0; k < K; ++k) "
        "if (c[k] < best) { best = c[k]; k0 = k; } y[i] = x[i] * k0;"
    )
    assert not splits(text)


def test_the_plan_says_what_is_reversed() -> None:
    text = emitted(SPLIT["if"])
    assert re.search(r"//   best +best_k, a register +one iteration sets it", text)


OWN = """\
extern "C" __global__ void k(const float *x, float *y, int K, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = -1e30f;
    %s
    y[i] = best * best;
}
"""
PLAIN = {
    "row": "for (int k = 0; k < K; ++k) if (x[i * K + k] > best) best = x[i * K + k];",
    "row_by_fmaxf": "for (int k = 0; k < K; ++k) best = fmaxf(best, x[i * K + k]);",
    "row_from_the_end": "for (int k = K - 1; k >= 0; --k) best = fmaxf(best, x[i * K + k]);",
    "plane": "for (int k = 0; k < K; ++k) for (int j = 0; j < 3; ++j) "
    "best = fmaxf(best, x[(i * K + k) * 3 + j]);",
}
ATOMIC = {
    "overlapping": "for (int k = 0; k < K; ++k) best = fmaxf(best, x[i + k]);",
    "longer_rows": "for (int k = 0; k <= K; ++k) best = fmaxf(best, x[i * K + k]);",
    "by_data": "for (int k = 0; k < K; ++k) best = fmaxf(best, x[i * K + (int)fabsf(x[k])]);",
}


ROWS = CASE.replace('c = { shape = "K", fill = "normal" }\n', "").replace(
    'x = { shape = "n"', 'x = { shape = "4 * n * K"'
)


def owned(loop: str, backend: Backend) -> bool:
    """Whether a kernel's adjoint has no atomics; it must be right."""
    done = transform(Source("k.cu", OWN % loop), Options(of=("y",), wrt=("x",)))
    case = Case.parse(ROWS, done.pair.primal)
    report = check_pair(done.pair, case, backend, tolerance=1e-7)
    assert report.ok, report.text()
    assert splits(done.text)
    return "atomicAdd" not in done.text


@pytest.mark.parametrize("name", PLAIN)
def test_the_winner_of_a_thread_s_own_row_needs_no_atomic(name: str, backend: Backend) -> None:
    assert owned(PLAIN[name], backend)


@pytest.mark.parametrize("name", ATOMIC)
def test_the_winner_of_a_shared_row_does(name: str, backend: Backend) -> None:
    assert not owned(ATOMIC[name], backend)
