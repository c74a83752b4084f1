"""How many elements of `extern __shared__` memory a kernel uses, as far as its text says."""

from __future__ import annotations

import re

import pytest

from s2sad.diagnostics import Rejected
from s2sad.options import Assumption, Options
from s2sad.pipeline import transform
from s2sad.source import Source


def count(body: str, element: str = "float") -> str:
    """What the size function says for a kernel that stores to `s`."""
    text = f"""
#include <cuda_fp16.h>
extern "C" __global__ void k(const float *x, const int *at, float *y, int n, int m)
{{
    extern __shared__ {element} s[];
    int t = threadIdx.x;
    float v = x[blockIdx.x * blockDim.x + t];
    {body}
    __syncthreads();
    y[blockIdx.x * blockDim.x + t] = (float)s[0] * v;
}}
"""
    done = transform(Source("k.cu", text), Options(of=("y",), wrt=("x",)))
    found = re.search(r"long long count = (.*);", done.text)
    assert found, done.text
    assert done.adjoint.signature.shared
    return found[1]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("s[t] = v;", "block.x"),
        ("s[t + 1] = v;", "(long long)block.x + 1"),
        ("s[blockDim.x - 1 - t] = v;", "block.x"),
        ("s[2 * t] = v; s[2 * t + 1] = -v;", "2LL * block.x"),
        ("if (t < n) s[t] = v;", "n < block.x ? n : block.x"),
        ("if (t == 0) s[3] = v;", "4"),
        ("for (int b = t; b < n; b += blockDim.x) s[b] = v;", "n"),
        ("int o[3] = {9, 4, 30}; for (int k = 0; k < 3; ++k) s[o[k] + t] = v;", "(long long)block.x + 30"),
        ("int back[3] = {-2, -5}; if (t < 3) s[7 - 2 * back[t]] = v;", "18"),
        ("int up[3] = {-2, -5}; if (t < 3) s[7 + up[t]] = v;", "8"),  # what isn't written out is zero
        ("for (int r = 0; r < m; ++r) s[r * blockDim.x + t] = v;", "(long long)block.x * m"),
    ],
)
def test_stores_say_how_long_it_is(body: str, expected: str) -> None:
    assert count(body).replace("(int)", "") == expected


def test_one_extent_that_serves_all_stores_is_enough() -> None:
    assert count("if (t < n) s[t] = v; if (t < m) s[t] = 2.0f * v;") == "block.x"


def test_else_the_longest_of_several_stores_counts() -> None:
    stores = "if (t == 0) s[n] = v; if (t == 1) s[m] = 2.0f * v;"
    assert count(stores) == "(long long)n + 1 > (long long)m + 1 ? (long long)n + 1 : (long long)m + 1"


@pytest.mark.parametrize(
    "body",
    [
        "if (t == 0) s[at[0]] = v;",
        "int table[2] = {1, 2}; table[t % 2] = n; s[table[n] + t] = v;",
        "int table[2] = {1, n}; s[table[t % 2] + t] = v;",
        "unsigned char table[2] = {1, 2}; table[0] += 200; s[table[t % 2] + t] = v;",
        "int table[2] = {1, 2}; table[0]++; s[table[t % 2] + t] = v;",
        "int table[2]; for (int k = 0; k < 2; ++k) table[k] = k + n; s[table[t % 2] + t] = v;",
    ],
)
def test_an_index_from_memory_that_may_change_has_no_bound_and_the_launch_says(body: str) -> None:
    assert count(body) == "shared_bytes / sizeof(float)"


def test_where_its_adjoint_is_of_another_type_the_launch_does_not_say() -> None:
    with pytest.raises(Rejected, match="how many elements of `s`"):
        count("if (t == 0) s[at[0]] = v;", element="half")


def test_what_the_size_function_is_given_never_meets_a_name_of_the_author() -> None:
    done = transform(
        Source(
            "k.cu",
            """
extern "C" __global__ void k(const float *x, const int *at, float *y, int shared_bytes, int block)
{
    extern __shared__ float s[];
    float *dynamic_shared_bytes = s;
    dynamic_shared_bytes[at[threadIdx.x] + block] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[shared_bytes] * x[threadIdx.x];
}
""",
        ),
        Options(of=("y",), wrt=("x",), assume=(Assumption("injective", "at"),)),
    )
    assert "long long count = shared_bytes_ / sizeof(float);" in done.text
    assert "dim3 block_, size_t shared_bytes_," in done.text
