"""Where a derivative divides by a root, and where the author does."""

from __future__ import annotations

import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """
extern "C" __global__ void k(const {real} *x, {real} *y, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{
        {body}
    }}
}}
"""


def emitted(body: str, real: str = "float") -> str:
    text = KERNEL.format(real=real, body=body)
    return transform(Source("k.cu", text), Options(of=("y",), wrt=("x",))).text


@pytest.mark.parametrize(
    ("real", "root", "reciprocal"), [("float", "sqrtf", "rsqrtf"), ("double", "sqrt", "rsqrt")]
)
def test_a_derivative_is_multiplied_by_the_reciprocal(real: str, root: str, reciprocal: str) -> None:
    text = emitted(f"y[i] = {root}(x[i] * x[i] + 1);", real)
    assert f"* {reciprocal}(x[i] * x[i] + 1" in text
    assert f"/ {root}(" not in text


def test_what_the_author_computes_stays_as_it_is() -> None:
    text = emitted("float r = x[i] / sqrtf(x[i] + 2.0f); y[i] = r * r;")
    assert "float r = x[i] / sqrtf(x[i] + 2.0f);" in text


def test_a_root_that_is_known_is_divided_by() -> None:
    text = emitted("float r = sqrtf(x[i] + 2.0f); y[i] = r * expf(r);")
    assert "float r = sqrtf(x[i] + 2.0f);" in text
    assert "/ r" in text
    assert "rsqrtf" not in text
