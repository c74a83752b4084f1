"""What is inverted before a loop, and what isn't. In a loop: test_share_reciprocals.py."""

from __future__ import annotations

import re

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """
extern "C" __global__ void k(const float *x, const float *z, float *y, int n, int m)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i] + 3.0f;
    for (int k = 0; k < m; ++k) {{
        {body}
    }}
}}
"""


def emitted(body: str) -> str:
    text = KERNEL.format(body=body)
    return transform(Source("k.cu", text), Options(of=("y",), wrt=("x", "z"))).text


def before_a_loop(text: str) -> bool:
    """Whether something is inverted just before a loop."""
    return re.search(r"per_\w+ = 1\.0f / \w+;\s*for \(", text) is not None


def test_what_a_loop_divides_by_is_inverted_before_it() -> None:
    text = emitted("y[i * m + k] = z[i * m + k] / s;")
    assert text.count("1.0f / s") == 1
    assert text.index("per_s = 1.0f / s") < text.index("for (int k")
    assert before_a_loop(text)
    assert "* per_s" in text
    assert text.split("per_s = 1.0f / s;")[1].count("/ s") == 1  # what is quoted


def test_what_the_loop_changes_is_divided_by() -> None:
    text = emitted("s = s + z[i * m + k]; y[i * m + k] = z[i * m + k] / s;")
    assert not before_a_loop(text)


def test_what_the_author_divides_stays_as_it_is() -> None:
    text = emitted("float q = z[i * m + k] / s; y[i * m + k] = q > 0.5f ? q * q : q * expf(q);")
    assert "float q = z[i * m + k] / s;" in text
    assert "per_s" not in text  # what is owed is divided once
    text = emitted("float q = z[i * m + k] / s; y[i * m + k] = q * expf(q);")
    assert not before_a_loop(text)


def test_one_division_is_none_too_many() -> None:
    text = emitted("y[i * m + k] = z[k] * z[i * m + k] + x[i] / s;")
    assert text.count("per_s = ") <= 1
    alone = emitted("y[i * m + k] = expf(z[i * m + k] / 3.0f);")
    assert "per_" not in alone
