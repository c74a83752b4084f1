"""The author's pointers into arrays stand in the adjoint too, where their offsets have the same value."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kernel_variants import entries, judged

from s2sad.options import Mode
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

NAMED = entries(
    """
of a thread:
    const float *p = c + 2 * (i % 3);
    y[i] = x[i] * p[0] * p[1];
of an iteration:
    float s = 0.0f;
    for (int k = 0; k + 2 < K; ++k) {
        const float *p = c + (k + 1) % K;
        s += x[i] * sinf(p[0]) * p[1];
    }
    y[i] = s;
stored to:
    float *p = y + (n - 1 - i);
    p[0] = x[i];
    p[0] = p[0] * p[0] * x[i];
before the element:
    const float *p = c + (1 + i % 3);
    y[i] = x[i] * p[-1] * p[1];
"""
)
OTHERS = entries(
    """
another value since:
    int a = i % 3;
    float s;
    {
        const float *p = c + 2 * a;
        s = p[0] * p[1];
    }
    a = a + 1;
    y[i] = x[i] * s * c[2 * a] * c[2 * a - 1];
an unsigned sum that wraps:
    unsigned a = 2u * (i % 3) + 1u;
    unsigned back = 0u - 1u;
    const float *p = c + 2u * (i % 3);
    y[i] = x[i] * p[0] * c[a + back] * c[2u * (i % 3) + (back + 1u)];
moved:
    const float *p = c + 2 * (i % 3);
    float s = p[0];
    p += 1;
    s *= p[0];
    y[i] = x[i] * s * p[-1];
two of one name:
    float s = 0.0f;
    if (i % 2) {
        const float *p = c + 2 * (i % 3);
        s = p[0] * p[1];
    } else {
        const float *p = c + 3 * (i % 2) + 1;
        s = p[0] + p[1];
    }
    y[i] = x[i] * s;
"""
)


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", NAMED)
def test_a_pointer_is_declared_where_it_is_used(name: str, mode: Mode, backend: Backend) -> None:
    text = judged(NAMED[name], backend, mode, empty=False)
    assert "*p = " in text
    assert "*adj_p = " in text


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", OTHERS)
def test_the_gradient_is_right_where_an_offset_changes(name: str, mode: Mode, backend: Backend) -> None:
    judged(OTHERS[name], backend, mode, empty=False)
