"""`A(r, c)` with an overload for constant objects beside the one that returns a reference."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.diagnostics import Rejected
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
struct V { float a, b; };
template <typename T> struct M { T d[4]; int reads;
    BOTH
    __device__ T &at(int r, int c) { return d[r * 2 + c]; }
    __device__ T at(int r, int c) const { return d[r * 2 + c]; }
};
template <typename T> struct View { T *d; int ld;
    __device__ T &operator()(int r, int c) { return d[r * ld + c]; }
    __device__ T operator()(int r, int c) const { return d[r * ld + c]; }
};
struct W { M<V> m; M<float> f; };
template <typename T> __device__ void fill(M<T> &m, T v) { m(0, 0) = v; m(0, 1) = v * m(0, 0); }
template <typename T> __device__ T trace(const M<T> &m) { return m(0, 0) + m(1, 1); }
extern "C" __global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    BODY
}
"""
CASE = """\
[launch]
grid = 2
block = 8
[args]
n = 13
x = { shape = "n", fill = "uniform(-1, 1)" }
y = { shape = "n", fill = "zeros" }
"""
REFERENCE = "__device__ T &operator()(int r, int c) { return d[r * 2 + c]; }"
COUNTED = "__device__ T &operator()(int r, int c) { ++reads; return d[r * 2 + c]; }"
VALUE = "__device__ T operator()(int r, int c) const { return d[r * 2 + c]; }"
TWICE = "__device__ T operator()(int r, int c) const { return 2.0f * d[r * 2 + c]; }"
CONSTANT = "__device__ const T &operator()(int r, int c) const { return d[r * 2 + c]; }"
OVERLOADS = {
    "a value": REFERENCE + VALUE,
    "a value, first": VALUE + REFERENCE,
    "a reference to const": REFERENCE + CONSTANT,
    "another value": REFERENCE + TWICE,
}
MORE = COUNTED + VALUE
BODIES = {
    "elements": "M<float> A; A(0, 0) = x[i]; A(1, 1) = x[i] * A(0, 0); A(1, 1) += 2.0f * A(0, 0);"
    " y[i] = A(0, 0) * A(1, 1);",
    "const and not": "M<float> A; A(1, 1) = 0.5f; fill(A, x[i]); const M<float> B = A; A(0, 0) *= 3.0f;"
    " y[i] = B(0, 0) * A(0, 0) + trace(A) * A(0, 1);",
}
FORMS = {
    "a view": "float b[4]; View<float> A{b, 2}; A(0, 1) = x[i]; A(1, 0) = x[i] * A(0, 1);"
    " y[i] = A(0, 1) * A(1, 0);",
    "a view of an array": "View<float> A{y, 1}; A(i, 0) = x[i] * x[i]; A(i, 0) *= x[i];",
    "at": "M<float> A; A.at(0, 1) = x[i]; A.at(0, 1) *= A.at(0, 1); y[i] = A.at(0, 1);",
    "elements with fields": "M<V> A; A(0, 0).a = x[i]; A(0, 0).b = 2.0f; A(1, 0) = A(0, 0);"
    " A(1, 0).a *= x[i]; y[i] = A(1, 0).a * A(0, 0).b + A.at(1, 0).a;",
    "a field that is called": "W w; w.m(0, 0).a = x[i]; w.f(1, 1) = x[i] * w.m(0, 0).a;"
    " w.f(1, 1) *= w.f(1, 1); y[i] = w.f(1, 1);",
    "an array of them": "M<float> A[2]; A[0](0, 1) = x[i]; A[1](0, 1) = x[i] * A[0](0, 1);"
    " A[0](0, 1) += A[1](0, 1); y[i] = A[0](0, 1);",
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def text(body: str, both: str = OVERLOADS["a value"]) -> str:
    return KERNEL.replace("BOTH", both).replace("BODY", body)


def refusal(body: str, both: str) -> str:
    with pytest.raises(Rejected) as rejected:
        made(text(body, both), "y", "x")
    return rejected.value.diagnostics[0].title


@pytest.mark.parametrize("both", OVERLOADS)
@pytest.mark.parametrize("body", BODIES)
def test_the_object_decides_which_overload_is_called(body: str, both: str, backend: Backend) -> None:
    right(made(text(BODIES[body], OVERLOADS[both]), "y", "x"), CASE, backend)


@pytest.mark.parametrize("form", FORMS)
def test_what_a_call_refers_to_is_assigned(form: str, backend: Backend) -> None:
    right(made(text(FORMS[form]), "y", "x"), CASE, backend)


def test_a_call_that_does_more_refers_to_an_element_too(backend: Backend) -> None:
    body = "M<float> A; A(0, 0) = x[i]; A(0, 0) *= 2.0f; float p = A(0, 0); y[i] = p * x[i];"
    right(made(text(body, MORE), "y", "x"), CASE, backend)


def test_what_a_call_refers_to_is_changed_beside_a_reading_of_the_object() -> None:
    body = "M<float> A; A(0, 0) = x[i]; y[i] = A(0, 0) + (A(0, 0) += 1.0f);"
    for both in (*OVERLOADS.values(), MORE):
        assert refusal(body, both) == "the side effects on `A` are unsequenced"


def test_a_part_of_what_a_call_that_does_more_refers_to_is_refused_as_such() -> None:
    found = refusal("M<V> A; A(0, 0).a = x[i]; y[i] = A.d[0].a;", MORE)
    assert found == "`A(0, 0).a`, a part of what a call returns a reference to"


def test_a_field_whose_call_changes_it_is_refused_with_a_way_out() -> None:
    head = "struct Sum { float s; __device__ float operator()(float v) { s += v; return s; } };"
    head += "struct Of { Sum sum; };\n"
    body = "Of w; w.sum.s = x[i]; float p = w.sum(x[i]); y[i] = p;"
    with pytest.raises(Rejected) as rejected:
        made(head + text(body), "y", "x")
    assert "`auto &f = w.sum;`" in str(rejected.value.diagnostics[0].help)
    made(head + text(body.replace("float p = w.sum(", "auto &f = w.sum; float p = f(")), "y", "x")
