"""Declarations in the heads of `if` and `while`."""

from __future__ import annotations

import re

import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """
__global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x, m = 7;
    float v = x[i];
    %s
    y[i] = v * m;
}
"""


def made(body: str) -> str:
    text = transform(Source("kernel.cu", KERNEL % body), Options(of=("y",), wrt=("x",))).text
    code = re.sub(r"//.*", "", text.partition("__global__ void kernel_adj")[2])
    names = {name: f"v{k}" for k, name in enumerate(dict.fromkeys(re.findall(r"\b[mkq](?:_\w+)?\b", code)))}
    return re.sub(r"\b[mkq](?:_\w+)?\b", lambda found: names[found[0]], code)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("if (int k = n % 2) v *= k * v;", "{ int k = n % 2; if (k) v *= k * v; }"),
        ("if (int m = n % 2) v *= m * v;", "{ int k = n % 2; if (k) v *= k * v; }"),
        (
            "if (int k = n % 2; k > 3) v *= k * v; else v = sinf(k * v);",
            "{ int k = n % 2; if (k > 3) v *= k * v; else v = sinf(k * v); }",
        ),
        (
            "int q = 5; while (int k = q / 2) { --q; if (k == 1) continue; v *= k * v; }",
            "int q = 5; while (1) { int k = q / 2; if (!k) break; --q; if (k == 1) continue; v *= k * v; }",
        ),
    ],
)
def test_what_is_declared_in_a_head_is_declared_before_what_it_decides(short: str, long: str) -> None:
    assert made(short).split() == made(long).split()
