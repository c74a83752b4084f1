"""A sum is added without a test where the thread accesses the element anyway."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kernel_variants import entries, judged

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

EXISTS = entries(
    """
owned:
    float s = x[i];
    for (int k = 0; k < K - 1; ++k)
        s += x[i] * c[k];
    y[i] = s;
read by several threads:
    float s = (x[i % 7] > 0.0f ? 1.0f : 2.0f) * c[0];
    for (int k = 0; k < K - 1; ++k)
        s += x[i % 7] * c[k];
    y[i] = s;
"""
)
MAY_NOT = entries(
    """
read in the loop alone:
    float s = 0.0f;
    for (int k = 0; k < K - 1; ++k)
        s += x[i] * c[k];
    y[i] = s;
read in a branch:
    float s = 0.0f;
    if (i < 5)
        s = x[i];
    for (int k = 0; k < K - 1; ++k)
        s += x[i] * c[k];
    y[i] = s;
read in a choice:
    float s = i < 5 ? x[i] : 0.0f;
    for (int k = 0; k < K - 1; ++k)
        s += x[i] * c[k];
    y[i] = s;
read by threads that don't own it:
    float s = 0.25f * (x[i % 4] > 0.0f ? 1.0f : 2.0f);
    int m = i < 4 ? K - 1 : 0;
    for (int k = 0; k < m; ++k)
        s += x[i % 4] * c[k];
    y[i] = s;
another element:
    int j = i;
    float s = x[j];
    j = n - 1 - i;
    for (int k = 0; k < K - 1; ++k)
        s += x[j] * c[k];
    y[i] = s;
"""
)


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def under_a_condition(text: str) -> bool:
    """Whether a text adds the sum of x's adjoint under a condition of its own."""
    lines = [line.strip() for line in text.splitlines()]
    adds = [k for k, line in enumerate(lines) if "adj_x_sum" in line and "adj_x[" in line]
    assert adds
    before = [lines[k - 1].replace("i < n && ", "") for k in adds]
    return any(line.startswith("if (") and "n" not in line.split() for line in before)


@pytest.mark.parametrize("name", EXISTS)
def test_an_element_that_is_accessed_anyway_exists(name: str, backend: Backend) -> None:
    assert not under_a_condition(judged(EXISTS[name], backend))


@pytest.mark.parametrize("name", MAY_NOT)
def test_otherwise_the_sum_is_tested(name: str, backend: Backend) -> None:
    assert under_a_condition(judged(MAY_NOT[name], backend))
