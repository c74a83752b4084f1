"""Which reversed loops are unrolled for the sake of a local array, and which are left to the compiler."""

from __future__ import annotations

import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """\
#define ROWS 4
extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int m)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float r[ROWS][8] = {{}};
{loop}    y[i] = {used};
}}
"""
NEST = """\
{pragma}    for (int k = 0; k < ROWS; ++k) {{
        float sum = 0.0f;
        for (int s = 0; s < ROWS; ++s)
            for (int c = 0; c < {columns}; ++c)
                {inner} x[(s * 8 + c) * n + i] * sinf(x[(s * 8 + c) * n + i]) * w[k * 8 + c] * w[s];
        {after}
    }}
"""


def emitted(loop: str, used: str = "r[0][1] * r[1][2] + r[2][3] * r[3][4]") -> str:
    source = Source("k.cu", KERNEL.format(loop=loop, used=used))
    return transform(source, Options(of=("y",), wrt=("x",))).text


def nest(columns: str = "8", inner: str = "r[k][c] +=", after: str = "", pragma: str = "") -> str:
    return NEST.format(columns=columns, inner=inner, after=after, pragma=pragma)


def reversed_head(text: str) -> str:
    """The line before the reversed nest."""
    lines = [line.strip() for line in text.partition("---- reverse sweep")[2].splitlines()]
    return lines[next(at for at, line in enumerate(lines) if line.startswith("for (int k = ")) - 1]


def test_a_large_reversed_nest_is_unrolled() -> None:
    text = emitted(nest())
    assert reversed_head(text) == "#pragma unroll"
    assert text.count("#pragma unroll") == 1


@pytest.mark.parametrize("pragma", ["#pragma unroll", "#pragma unroll 1", "#pragma unroll 2"])
def test_the_author_has_said_how(pragma: str) -> None:
    text = emitted(nest(pragma=f"{pragma}\n"))
    assert reversed_head(text) == pragma
    assert text.count("#pragma unroll") == 2


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(nest(columns="2"), id="small: the compiler unrolls it"),
        pytest.param(nest(inner="sum +=", after="r[k][1] = sum;"), id="a small part of the work"),
        pytest.param(nest(inner="r[(k + i) % 4][c] +="), id="a subscript that no unrolling makes a number"),
        pytest.param(nest(inner="if (k == m) r[k][c] +="), id="most iterations don't access it"),
    ],
)
def test_others_are_left_to_the_compiler(loop: str) -> None:
    assert "#pragma unroll" not in emitted(loop)


def test_an_array_with_a_subscript_elsewhere_is_in_memory_anyway() -> None:
    assert "#pragma unroll" not in emitted(nest(), "r[0][1] * r[m][2]")


def test_the_pragma_of_a_loop_with_a_stride_is_kept() -> None:
    step = "r[0][1] = sinf(r[0][1]) * x[i + k * n];"
    loop = f"#pragma unroll 1\n    for (int k = 0; k < m; k += 2)\n        {step}\n"
    assert emitted(loop, "r[0][1] + w[i]").count("#pragma unroll 1\n") == 2  # in each sweep
