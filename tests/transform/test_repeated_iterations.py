"""Loops whose iterations all do the same run once; others don't."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kernel_variants import entries, judged

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

ONCE = entries(
    """
from_the_same_start:
    float s = 0.0f, e = x[i];
    for (int r = 0; r < K; ++r) {
        e = x[i];
        e = e * e + c[0];
        if (e < 0.5f) e = 0.5f;
        s = sinf(e);
    }
    y[i] = s + e;
with_branches:
    float s = x[i];
    for (int r = 0; r < K; ++r) {
        float t;
        if (x[i] > 0.0f) t = x[i] * c[0];
        else t = x[i];
        s = t * t;
    }
    y[i] = s;
set_on_one_side:
    float s = x[i];
    for (int r = K; r > 0; --r) if (x[i] > 0.0f) s = x[i] * c[0];
    y[i] = s;
stores:
    for (int r = 0; r < K; ++r) y[i] = x[i] * x[i];
"""
)
EACH = entries(
    """
carried:
    float s = x[i];
    for (int r = 0; r < K; ++r) s = s * 0.5f + c[0];
    y[i] = s;
carried_through_a_branch:
    float s = x[i], t = 1.0f;
    for (int r = 0; r < K; ++r) {
        if (t > 0.0f) t = x[i] * s;
        s = t;
    }
    y[i] = s;
carried_on_one_path:
    float s = x[i], t = 1.0f;
    for (int r = 0; r < K; ++r) {
        if (x[i] > 0.0f) t = x[i];
        s = t * x[i];
        t = s * 0.5f;
    }
    y[i] = s;
by_the_counter:
    float s = 0.0f;
    for (int r = 0; r < K; ++r) s = x[i] * c[r];
    y[i] = s;
added:
    float s = 0.0f;
    for (int r = 0; r < K; ++r) s += x[i];
    y[i] = s;
reads_what_it_stores:
    for (int r = 0; r < K; ++r) y[i] = y[i] * 0.5f + x[i];
a_condition_that_changes:
    float s = x[i];
    int m = K;
    for (int r = 0; r < m; ++r) {
        s = x[i] * x[i];
        m = K - 1;
    }
    y[i] = s * m;
"""
)


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def loops(text: str) -> bool:
    return "for (int r" in text or "for (int trip" in text


@pytest.mark.parametrize("name", ONCE)
def test_equal_iterations_run_once(name: str, backend: Backend) -> None:
    text = judged(ONCE[name], backend)
    assert not loops(text)
    assert "0 < K" in text or "K > 0" in text


@pytest.mark.parametrize("name", EACH)
def test_other_iterations_all_run(name: str, backend: Backend) -> None:
    text = judged(EACH[name], backend)
    assert "if (0 < K) {" not in text


def test_the_forward_kernel_runs_it_once_too(backend: Backend) -> None:
    assert not loops(judged(ONCE["from_the_same_start"], backend, "split"))
