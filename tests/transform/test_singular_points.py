"""Where sqrt's argument is known to be positive, its derivative needs no test of the adjoint."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from kernel_variants import entries, judged

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

CLEAR = entries(
    """
not zero:
    float d = x[i] * x[i] * (x[i] > -0.3f ? 1.0f : 0.0f);
    float r = 0.0f;
    if (d != 0.0f)
        r = sqrtf(d) * c[0];
    y[i] = r;
above:
    float d = x[i] + 0.4f;
    float r = 0.0f;
    if (d > 0.1f)
        r = sqrtf(d) * c[0];
    y[i] = r;
mirrored:
    float d = x[i] + 0.4f;
    float r = 0.0f;
    if (0.0f < d && c[0] < 9.0f)
        r = sqrtf(d) * c[0];
    y[i] = r;
other branch:
    float d = x[i] + 0.4f;
    float r = 0.0f;
    if (d <= 0.0f || c[0] > 9.0f)
        r = c[0];
    else
        r = sqrtf(d) * c[0];
    y[i] = r;
returned:
    float d = x[i] + 0.4f;
    if (d < c[0] * c[0] || d == 0.0f)
        return;
    y[i] = sqrtf(d) * c[0];
a choice:
    y[i] = x[i] > 0.0f ? sqrtf(x[i]) * c[0] : 0.0f;
a sum:
    float d = x[i] + 0.4f;
    float r = 0.0f;
    if (d > 0.0f)
        r = sqrtf(d + c[0] * c[0]);
    y[i] = r;
"""
)
AT_ZERO = entries(
    """
set to zero since:
    float d = x[i] * x[i];
    float r = 0.0f;
    if (d > 0.0f) {
        d *= x[i] > 0.0f ? 1.0f : 0.0f;
        r = sqrtf(d) * sqrtf(d) * c[0];
    }
    y[i] = r;
the branch that holds zero:
    float d = x[i] * x[i] * (x[i] > 0.0f ? 1.0f : 0.0f);
    float r = 0.0f;
    if (d > 0.0f)
        r = c[0];
    else
        r = sqrtf(d) * 0.0f + x[i];
    y[i] = r;
either:
    float d = x[i] > 0.0f ? x[i] : 0.0f;
    float r = 0.0f;
    if (d > 0.0f || c[0] < 9.0f)
        r = sqrtf(d) * (d > 0.0f ? c[0] : 0.0f);
    y[i] = r;
zero allowed:
    float d = x[i] > 0.0f ? x[i] : 0.0f;
    float r = 0.0f;
    if (d >= 0.0f)
        r = sqrtf(d) * (d > 0.0f ? c[0] : 0.0f);
    y[i] = r;
above a negative number:
    float d = x[i] > 0.0f ? x[i] : 0.0f;
    float r = 0.0f;
    if (d > -1.0f)
        r = sqrtf(d) * (d > 0.0f ? c[0] : 0.0f);
    y[i] = r;
"""
)


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def guarded(text: str) -> bool:
    return re.search(r"if \((adj|g)_\w+ != 0\.0f", text) is not None


@pytest.mark.parametrize("name", CLEAR)
def test_a_positive_argument_needs_no_test(name: str, backend: Backend) -> None:
    text = judged(CLEAR[name], backend, empty=False)
    assert not guarded(text)


@pytest.mark.parametrize("name", AT_ZERO)
def test_where_it_may_be_zero_a_zero_adjoint_contributes_zero(name: str, backend: Backend) -> None:
    assert guarded(judged(AT_ZERO[name], backend, empty=False))
