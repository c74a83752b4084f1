"""An argument that is known to stay clear of a function's singular point needs no test of the adjoint."""

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
through variables:
    float d = x[i] - 0.1f;
    float r2 = d * d + 0.01f;
    y[i] = sqrtf(r2) * x[i];
squares summed in a loop:
    float s = 0.0f;
    for (int k = 0; k < K; ++k)
        s += x[i] * c[k] * (x[i] * c[k]);
    y[i] = sqrtf(s + 0.1f) * x[i];
shrunk in a loop:
    float s = 1.0f;
    for (int k = 0; k < K; ++k)
        s = 0.9f * s + c[k] * c[k] * x[i] * x[i];
    y[i] = sqrtf(s + 0.1f) * x[i];
clamped:
    y[i] = sqrtf(fminf(fmaxf(x[i], 0.001f), 0.7f)) * c[0];
clamped by a branch:
    float d = x[i];
    if (d < 0.01f)
        d = 0.01f;
    y[i] = sqrtf(d) * c[0];
clamped by a choice:
    float d = x[i] > 0.01f ? x[i] : 0.01f;
    y[i] = sqrtf(d) * c[0];
above in each iteration:
    float d = x[i];
    float s = 0.0f;
    while (d > 0.5f) {
        s += sqrtf(d) * c[0];
        d *= 0.5f;
    }
    y[i] = s;
a bounded function:
    y[i] = sqrtf(1.5f + sinf(x[i])) * c[0] + asinf(0.5f * cosf(x[i]));
a length with a part that isn't zero:
    y[i] = hypotf(x[i], 1.0f) * c[0] + norm3df(x[i], c[0], 0.5f);
the base of a power:
    y[i] = powf(x[i] * x[i] + 0.1f, c[0] * c[0]);
divided by the root:
    y[i] = c[0] * x[i] / sqrtf(x[i] * x[i] + c[0] * c[0]);
divided by more than the root:
    float r2 = x[i] * x[i] + c[0] * c[0];
    y[i] = c[0] / (r2 * sqrtf(r2));
divided by a root with a name:
    float r = sqrtf(x[i] * x[i] + c[0] * c[0]);
    float q = x[i] / r;
    y[i] = q + r;
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
        r = sqrtf(d) * d + x[i];
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
a product that underflows:
    float d = fmaxf(x[i], 1e-30f);
    y[i] = sqrtf(d * d) * (x[i] > 0.0f ? c[0] : 0.0f);
a literal below the least number:
    float d = x[i] > 0.0f ? x[i] : 0.0f;
    y[i] = sqrtf(d + 1e-46f) * (x[i] > 0.0f ? c[0] : 0.0f);
an exponential that underflows:
    y[i] = sqrtf(expf(x[i] > 0.0f ? x[i] : 500.0f * x[i] - 500.0f)) * (x[i] > 0.0f ? c[0] : 0.0f);
no longer positive in the next iteration:
    float d = 1.0f;
    float s = x[i];
    for (int k = 0; k < K; ++k) {
        s += sqrtf(d) * (d > 0.0f ? c[k] : 0.0f);
        d = x[i] > 0.0f ? d * x[i] : 0.0f;
    }
    y[i] = s;
positive before another iteration's change:
    float d = x[i] > 0.0f ? x[i] : 0.0f;
    float s = x[i];
    for (int k = 0; k < 3; ++k) {
        float e = d;
        d = k == 1 && x[i] > 0.0f ? 1.0f : d;
        if (d > 0.5f)
            s += c[0];
        s += sqrtf(e) * (e > 0.0f ? c[0] : 0.0f);
    }
    y[i] = s;
divided where the root isn't zero:
    float d = x[i] > 0.0f ? x[i] : 0.0f;
    float r = sqrtf(d);
    float q = c[0];
    if (r > 0.0f)
        q = c[0] / r;
    y[i] = q;
divided in a choice:
    float d = x[i] > 0.0f ? x[i] : 0.0f;
    float r = sqrtf(d);
    y[i] = r > 0.0f ? c[0] / r : c[0];
divided by a sum with the root:
    float d = x[i] > 0.0f ? x[i] : 0.0f;
    y[i] = (x[i] > 0.0f ? c[0] : 0.0f) / (1.0f + sqrtf(d));
divided by a later value:
    float d = x[i] > 0.0f ? x[i] : 0.0f;
    float r = sqrtf(d);
    float q = r * (x[i] > 0.0f ? c[0] : 0.0f);
    r = x[i] * x[i] + 1.0f;
    y[i] = q / r;
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
