"""A tape that doesn't fit into its budget is refused with a budget that is enough."""

from __future__ import annotations

import re

import pytest

from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """\
__global__ void k(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    BODY
    y[i] = s;
}
"""
LOOPS = {
    "by a counter": "for (int k = 0; k < m; ++k) s = s * sinf(s) + x[i];",
    "several values": "float a = 1.0f, b = 2.0f; for (int k = 0; k < m; ++k) {"
    " s = s * sinf(s) + a * b; a = cosf(a * s); b = b * a; }",
    "left in the middle": "for (int k = 0; k < m; ++k) { s = s * sinf(s) + x[i]; if (s > 9.0f) break; }",
    "one in the other": "for (int k = 0; k < m; ++k) for (int j = 0; j < 4; ++j) s = s * sinf(s) + x[i];",
}


def said(body: str, budget: int) -> list[str]:
    """Return the help of the messages with which a budget is refused."""
    source = Source("k.cu", KERNEL.replace("BODY", body))
    try:
        transform(source, Options(of=("y",), wrt=("x",), tape_budget=budget))
    except Rejected as rejected:
        return [d.help for d in rejected.diagnostics]
    return []


@pytest.mark.parametrize("name", LOOPS)
def test_what_is_said_to_be_enough_is_enough(name: str) -> None:
    (help_,) = said(LOOPS[name], 4)
    found = re.fullmatch(r"--tape-budget (\d+) is enough, or leave it out", help_)
    assert found is not None, help_
    enough = int(found[1])
    assert said(LOOPS[name], enough) == []
    assert said(LOOPS[name], enough // 2) == [help_]


def test_no_budget_is_named_where_none_helps() -> None:
    body = (
        "__shared__ float t[32]; for (int k = 0; k < m; ++k) { t[threadIdx.x] = s; __syncthreads();"
        " s = sinf(s) * t[31 - threadIdx.x]; __syncthreads(); }"
    )
    assert said(body, 4) == ["leave --tape-budget out"]
