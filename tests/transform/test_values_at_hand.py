"""Partials that read the author's variables: where `c = cosf(t)`, the partial of `sinf(t)` is `c`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from kernel_variants import entries, judged

from s2sad.options import Mode
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

NAMED = entries("""
before:
    float t = x[i] * 0.7f;
    float a = cosf(t);
    float b = sinf(t);
    y[i] = a * b * b;
after:
    float t = x[i] * 0.7f;
    float b = sinf(t);
    float a = cosf(t);
    y[i] = a * b * b;
in an outer body:
    float t = x[i] * 0.7f, r = 0.0f;
    float a = cosf(t);
    for (int k = 0; k < K; ++k)
        r += c[k] * sinf(t);
    y[i] = r * a;
""")
NOT_NAMED = entries("""
the argument changes between:
    float t = x[i] * 0.7f;
    float a = cosf(t);
    t = t * 1.3f;
    float b = sinf(t);
    y[i] = a * b * b;
the name changes:
    float t = x[i] * 0.7f;
    float a = cosf(t);
    float b = sinf(t);
    a = a * 2.0f;
    y[i] = a * b * b;
another branch:
    float t = x[i] * 0.7f, r = 1.0f;
    if (t > 0.1f) {
        float a = cosf(t);
        r = a * a;
    }
    y[i] = sinf(t) * r;
each iteration has another:
    float t = x[i] * 0.7f, r = 0.0f;
    for (int k = 0; k < K; ++k) {
        float a = cosf(t);
        t = t + 0.1f * a;
        r += sinf(t) * c[k];
    }
    y[i] = r;
""")


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", NAMED)
def test_the_variable_is_read(name: str, mode: Mode, backend: Backend) -> None:
    text = judged(NAMED[name], backend, mode)
    adjoint = re.sub("//.*", "", text.rsplit("__global__", 1)[1])
    assert adjoint.count("cosf(") <= 1


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", NOT_NAMED)
def test_another_value_is_computed(name: str, mode: Mode, backend: Backend) -> None:
    judged(NOT_NAMED[name], backend, mode)
