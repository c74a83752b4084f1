"""One record for one value: equal reads, and values that the iteration has stored itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from kernel_variants import entries, judged

from s2sad.options import Mode
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

ARRAY = "float a[4] = {x[i], 0.5f, c[0], 1.0f};\n"
# Each after the number of tapes that it takes.
CASES = entries(
    """
1 cell:
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 4; ++l) {
            a[l] = a[l] * c[t] + x[i];
            y_ += tanhf(a[l]) * a[l];
        }
1 read_twice:
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 4; ++l) {
            float f = sinf(a[l] * c[t]);
            float g = tanhf(a[l] + x[i]);
            a[l] = f * g;
        }
    y_ = a[0] + a[3];
1 update:
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 4; ++l) {
            a[l] *= sinf(c[t] * x[i]);
            y_ += a[l] * a[l];
        }
2 in_a_condition:
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 4; ++l) {
            a[l] = a[l] * c[t] + x[i];
            if (a[l] > 0.3f)
                y_ += a[l] * x[i];
        }
5 in_a_switch:
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 4; ++l) {
            a[l] = a[l] * c[t] + x[i];
            switch ((int)fabsf(a[l]) % 3) {
            case 0: a[(l + 1) % 4] *= a[l]; break;
            case 1: a[l] = sinf(a[l]); break;
            default: a[l] = a[l] * 0.5f;
            }
            y_ += a[l] * a[l];
        }
2 another_store_between:
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 3; ++l) {
            a[l] = a[l] * c[t] + x[i];
            a[(l + t) % 4] *= 0.5f;
            y_ += a[l] * a[l];
        }
2 read_in_a_choice_first:
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 4; ++l) {
            float f = c[t] > 0.2f ? sinf(a[l]) : 0.5f;
            float g = tanhf(a[l] + x[i]);
            a[l] = f * g;
        }
    y_ = a[0] + a[3];
3 another_index:
    for (int t = 0; t < K; ++t) {
        int l = t % 3;
        a[l] = a[l] * c[t] + x[i];
        l = (l + 1) % 3;
        y_ += a[l] * a[l];
    }
4 index_that_is_loaded:
    int p[4] = {0, 1, 2, 3};
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 4; ++l) {
            y_ += sinf(a[p[l]] * c[t]);
            p[l] ^= 1;
            y_ += cosf(a[p[l]] + x[i]);
            a[l] *= 0.9f;
        }
2 read_on_two_paths:
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 4; ++l) {
            if (c[t] > 0.0f)
                y_ += sinf(a[l]) * x[i];
            else
                y_ += a[l] * cosf(a[l] * c[t]);
            a[l] = a[l] * 0.5f + x[i];
        }
4 stored_through_an_index_that_is_loaded:
    int p[4] = {0, 1, 2, 3};
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 4; ++l) {
            a[p[l]] = a[p[l]] * c[t] + x[i];
            p[l] ^= 1;
            y_ += a[p[l]] * a[p[l]];
        }
2 stored_on_one_path:
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 4; ++l) {
            if (c[t] > 0.0f)
                a[l] = a[l] * c[t] + x[i];
            y_ += a[l] * a[l];
        }
1 overwritten_by_its_own_statement:
    for (int t = 0; t < K; ++t)
        for (int l = 0; l < 4; ++l) {
            float f = sinf(a[l]);
            a[l] = f * x[i];
            a[l] = a[l] * cosf(a[l] * c[t]);
        }
    y_ = a[0] + a[3];
"""
)


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def kernel(name: str) -> str:
    return f"{ARRAY}    float y_ = 0.0f;\n{CASES[name]}    y[i] = y_;"


def tapes(text: str) -> set[str]:
    """Return the names of the tapes in a text."""
    return set(re.findall(r"\btape_\w+", text)) - {"tape_bytes"}


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", CASES)
def test_the_gradient_is_right(name: str, mode: Mode, backend: Backend) -> None:
    judged(kernel(name), backend, mode)


@pytest.mark.parametrize("name", CASES)
def test_equal_values_are_recorded_once(name: str, backend: Backend) -> None:
    assert len(tapes(judged(kernel(name), backend, empty=False))) == int(name.split()[0])
