"""What is written through a struct that holds pointers, beside what reads the same: there is no order."""

from __future__ import annotations

import pytest
from lowering_kit import refusals

BEFORE = """\
struct View {
    float *at;
    __device__ float &operator[](int i) const { return at[i]; }
    __device__ float read(int i) const { return at[i]; }
    __device__ float halved(int i) const { return at[i] *= 0.5f; }
};
struct Held { View view; float own; };
__device__ void set(View v, int i) { v[i] = 0.0f; }
"""

WRITES = [
    "float f(View v, int i) { v.at[i] = 1.0f; return v.at[i + 1]; }",
    "float f(const View &v, int i) { v[i] = 1.0f; return v.at[i + 1]; }",
    "float f(View v, int i) { float *p = v.at + i; *p = 1.0f; return p[1]; }",
    "float f(View v, int i) { View w = v; w[i] += 1.0f; return v[i + 1]; }",
    "float f(View v, int i) { set(v, i); return v[i + 1]; }",
    "float f(View v, int i) { return v.halved(i); }",
]
OF_ANY = [
    "float f(T v, int i) { T w = v; w[i] = 1.0f; return v[i + 1]; }",
    "float f(T v, int i) { T w = v; set(w, i); return v[i + 1]; }",
    "float f(const T &v, int i) { auto w = v; w[i] = 1.0f; return v[i + 1]; }",
]
EVERY = [f"__device__ {text}\n" for text in WRITES] + [
    f"template <typename T> __device__ {text}\n" for text in OF_ANY
]


def _codes(before: str, body: str) -> list[str]:
    return [code for code, _, _ in refusals(f"View v = {{x}}; {body}", before=BEFORE + before)]


@pytest.mark.parametrize("function", EVERY)
def test_what_is_written_through_a_struct_may_not_be_read_beside_it(function: str) -> None:
    assert _codes(function, "x[n] = x[0] + f(v, 0);") == ["unsequenced-effects"]
    assert not _codes(function, "x[n] = f(v, 0); x[n] = 2.0f * f(v, 1);")


def test_nor_what_a_constant_method_writes() -> None:
    assert _codes("", "x[n] = v.halved(0) * v.halved(1);") == ["unsequenced-effects"]
    assert not _codes("", "x[n] = v.read(0) * v.read(1) + x[2];")


def test_a_struct_of_numbers_is_a_copy() -> None:
    function = "struct P { float a; }; __device__ float f(P p, float b) { p.a *= b; return p.a; }\n"
    assert not _codes(function, "P p = {x[0]}; x[n] = f(p, p.a) + p.a + x[0];")
