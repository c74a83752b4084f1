"""What a clock says: it may be stored; where a derivative needs it, it is recorded, or refused."""

from __future__ import annotations

import re

import pytest

from s2sad.diagnostics import Code, Rejected
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """
__device__ long long now() {{ return clock64(); }}
__global__ void k(const float *x, float *y, clock_t *when, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{
        {body}
    }}
}}
"""
NEEDED = [
    "y[i] = x[i] * (float)clock();",
    "int late = now() % 3 == 0; y[i] = late ? x[i] * x[i] : x[i];",
    "if (clock() % 2 == 0) y[i] = x[i] * x[i];",
    "int a = clock() % 5, b = clock() % 5; if (a == b) y[i] = x[i] * x[i]; else y[i] = x[i];",
    "when[i] = clock(); y[i] = when[i] > 100 ? x[i] * x[i] : x[i];",
    "y[i] = x[(i + clock64()) % n] * x[i];",
]


def made(body: str, **options: object) -> str:
    source = Source("k.cu", KERNEL.format(body=body))
    return transform(source, Options(**options)).text  # type: ignore[arg-type]


def test_a_time_that_is_stored_takes_no_part_in_the_adjoint() -> None:
    text = made("clock_t t = clock(); y[i] = x[i] * x[i]; when[i] = clock() - t;")
    assert "clock" not in text[text.index("__global__") :].replace("clock_t", "")


@pytest.mark.parametrize("body", NEEDED)
def test_a_time_that_the_reverse_sweep_needs_is_refused(body: str) -> None:
    with pytest.raises(Rejected) as refused:
        made(body)
    assert [d.code for d in refused.value.diagnostics] == [Code.ORDER_DEPENDENT]


@pytest.mark.parametrize("body", NEEDED)
def test_the_launch_that_made_the_outputs_hands_it_over(body: str) -> None:
    text = made(body, mode="split")
    adjoint = re.sub(r"//.*", "", text[text.index("__global__ void k_adj") :])
    assert "clock64" not in adjoint
    assert "clock()" not in adjoint
