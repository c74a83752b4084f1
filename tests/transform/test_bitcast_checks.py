"""Integers that hold floating numbers: what they may become."""

from __future__ import annotations

from pathlib import Path

import pytest

import s2sad
from s2sad.diagnostics import Rejected

KERNEL = """
__device__ int halved(int v) { return v / 2; }
__device__ void get(float v, int *out) { *out = __float_as_int(v); }
__global__ void k(const float *x, const int *m, float *y)
{
    int t = threadIdx.x;
    float v = x[t];
    %s
}
"""

DISGUISED = [
    "y[t] = __float_as_int(v) * 1.19e-7f;",
    "int i = 0x5f3759df - (__float_as_int(v) >> 1);\ny[t] = __int_as_float(i);",
    "__shared__ int s[32];\ns[t] = __float_as_int(v);\n__syncthreads();\ny[t] = __int_as_float(s[31 - t]);",
    "int i = (int)(v * 4.0f);\ny[t] = __int_as_float(halved(i));",
    "int i = 2;\ni += v;\ny[t] = __int_as_float(i);",
    "int i = __shfl_xor_sync(0xffffffffu, __float_as_int(v), 1);\ny[t] = __int_as_float(i);",
    "int i;\nget(v, &i);\nfloat f = i;\ny[t] = f;",
    "int i = 0;\nfor (int k = 0; k < 3; ++k) {\n y[t] = __int_as_float(i);\n i = __float2int_rn(v);\n}",
]

PLAIN = [
    "y[t] = (__float_as_uint(v) & 1u) != 0u ? v * v : v;",
    "y[t] = v * (int)v * __int_as_float(0x3f800000);",
    "int i = __float_as_int(x[t + 1]) < 0 ? 1 : 2;\ny[t] = v * i;",
    "y[t] = v * __int_as_float(m[t]) + x[m[(__float_as_uint(v) >> 23) & 7u]];",
    "int i = (int)v;\nfloat w = __int_as_float(0x3f000000 + (t << 16));\ny[t] = v * w * i;",
]


@pytest.mark.parametrize("body", DISGUISED)
def test_an_integer_that_holds_a_floating_number_becomes_none(body: str) -> None:
    with pytest.raises(Rejected, match="bit-reinterpretation"):
        s2sad.transform(KERNEL % body, name="k.cu", of=["y"], wrt=["x"])


@pytest.mark.parametrize("body", PLAIN)
def test_what_decides_and_what_is_made_of_integers_has_no_derivative(body: str) -> None:
    assert s2sad.transform(KERNEL % body, name="k.cu", of=["y"], wrt=["x"]).source


FLAGS = """
// s2sad: --of y --wrt x
__device__ void unpacked(float packed, bool &behind, bool &clamped)
{
    unsigned bits = __float_as_uint(packed);
    behind = (bits & 1u) != 0u;
    clamped = (bits & 2u) != 0u;
}

__global__ void flags_read_back(const float *x, const float *flags, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool behind, clamped;
    unpacked(flags[i], behind, clamped);
    y[i] = behind ? -x[i] : clamped ? 1.0f : x[i] * x[i];
}
"""
CASE = """
kernel = "flags_read_back"
[launch]
grid = "(n + 7) / 8"
block = 8
[args]
n = 29
x = { shape = "n", fill = "normal" }
flags = { shape = "n", fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""


def test_flags_that_were_kept_as_bits_decide_again(tmp_path: Path) -> None:
    kernel, case = tmp_path / "flags.cu", tmp_path / "flags.toml"
    kernel.write_text(FLAGS)
    case.write_text(CASE)
    report = s2sad.check(kernel, case=case, backend="cpu")
    assert report.ok
    assert report.exact == ()  # numbers that carry tangents have no bits


POINTERS = """
// s2sad: --of y --wrt x
__device__ unsigned as_unsigned(int i)
{
    return *reinterpret_cast<unsigned *>(&i);
}

__global__ void behind_pointers(const float *x, const int *order, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    int negative = *(int *)&v >> 31;
    unsigned odd = *(const unsigned *)&x[i] & 0u;
    y[i] = (negative ? -3.0f * v : v * v) * (1.0f + (as_unsigned(-order[i]) & 3u)) + odd;
}
"""


def test_bits_that_are_read_through_a_pointer_are_those_of_the_intrinsic(tmp_path: Path) -> None:
    kernel, case = tmp_path / "behind.cu", tmp_path / "behind.toml"
    kernel.write_text(POINTERS.replace("+ odd", "* (odd ? 2.0f : 1.0f)"))
    order = 'order = { shape = "n", fill = "randint(0, 9)" }'
    of_flags = 'flags = { shape = "n", fill = "normal" }'
    case.write_text(CASE.replace("flags_read_back", "behind_pointers").replace(of_flags, order))
    report = s2sad.check(kernel, case=case, backend="cpu")
    assert report.ok, report
    assert "__float_as_int(v) >> 31" in s2sad.transform(kernel).source
    with pytest.raises(Rejected, match="bit-reinterpretation"):
        s2sad.transform(POINTERS, name="k.cu", of=["y"], wrt=["x"])
