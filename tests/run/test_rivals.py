"""Functions that do one thing for float and another for double, where float is compiled as double."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.run.backend import Backend, CompileFailed
from s2sad.run.cpu.unit import apart
from s2sad.run.isolated import Isolated

KERNEL = """\
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
x = { shape = "n", fill = "uniform(0.5, 1.5)" }
y = { shape = "n", fill = "zeros" }
"""
PAIR = """\
__device__ float f(float v) { return v * v; }
__device__ double f(double v) { return v * v * v; }
"""
FORMS = {
    "only the one for float": (PAIR, "y[i] = f(x[i]);"),
    "only the one for double": (PAIR, "y[i] = f(2.0 * x[i]);"),
    "both": (PAIR, "y[i] = f(2.0 * x[i]) + f(x[i]) + f(f(x[i]) * 0.5 + f(3.0f));"),
    "declared before": ("__device__ double f(double v);\n" + PAIR, "y[i] = f(2.0 * x[i]) + f(x[i]);"),
    "one calls the other": (
        "__device__ float f(float v) { return v * v; }\n"
        "__device__ double f(double v) { return v * f((float)v); }",
        "y[i] = f(2.0 * x[i]) + f(x[i]);",
    ),
    "in a namespace": ("namespace a { " + PAIR + " }", "y[i] = a::f(2.0 * x[i]) + a::f(x[i]);"),
    "in two namespaces": (
        "namespace a { __device__ float f(float v) { return v * v; } }"
        " __device__ double f(double v) { return v * v * v; }",
        "using namespace a; y[i] = f(x[i]);",
    ),
    "two parameters": (
        "__device__ float f(float v, double w) { return v * v * w; }\n"
        "__device__ float f(double v, float w) { return v * w * w * w; }",
        "double d = 3.0; y[i] = f(d, x[i]) + f(x[i], d);",
    ),
    "methods": (
        "struct S { float a; " + PAIR + " };",
        "S s{2.0f}; y[i] = s.f(x[i]) + s.f(2.0 * x[i]) * s.a;",
    ),
    "a template beside one for float": (
        "__device__ float f(float v) { return v * v; }\n"
        "template <typename T> __device__ T f(T v) { return v * v * v; }",
        "y[i] = f(2.0 * x[i]) + f(x[i]);",
    ),
    "a caller that is a template": (
        PAIR + "template <typename T> __device__ T g(T v) { return f(v); }",
        "y[i] = g(2.0 * x[i]);",
    ),
}
GAIN = """\
template <typename T> struct Gain { static __device__ T of(T v) { return v; } };
template <> struct Gain<float> { static __device__ float of(float v) { return v * v; } };
"""
FOR_DOUBLE = """\
template <> struct Gain<double> { static __device__ double of(double v) { return v * v * v; } };
"""
FORMS |= {
    "a specialisation for float": (GAIN + FOR_DOUBLE, "y[i] = Gain<float>::of(x[i]);"),
    "a specialisation for double": (GAIN + FOR_DOUBLE, "y[i] = Gain<double>::of(x[i]);"),
    "none for double": (GAIN, "y[i] = Gain<double>::of(x[i]);"),
    "in a template": (
        GAIN + FOR_DOUBLE + "template <typename T> __device__ T g(T v) { return Gain<T>::of(v); }",
        "y[i] = g(2.0 * x[i]);",
    ),
    "of a function for another type": (
        "struct P { float a; }; template <typename T> __device__ T f(float v);\n"
        "template <> __device__ P f(float v) { return P{v * v}; }",
        "y[i] = f<P>(x[i]).a;",
    ),
    "of a function": (
        "template <typename T> __device__ T f(T v) { return v; }\n"
        "template <> __device__ float f<float>(float v) { return v * v; }",
        "y[i] = f<double>(x[i]);",
    ),
}
UNCLEAR = {
    "a template's place": PAIR + "template <typename T> __device__ T g(T v) { return f(v); }\n"
    "__device__ float h(float v) { return g(v) + g(2.0 * v); }",
    "specialisations": GAIN + "float h(float v) { return Gain<float>::of(v) + Gain<double>::of(v); }",
    "operators": "struct S { __device__ float operator()(float v) { return v * v; }"
    " __device__ double operator()(double v) { return v; } };\n"
    "__device__ float h(S s, float v) { return s(v) + s(2.0 * v); }",
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("form", FORMS)
def test_differences_run_the_overload_that_the_kernel_calls(form: str, backend: Backend) -> None:
    head, body = FORMS[form]
    right(made(head + "\n" + KERNEL.replace("BODY", body), "y", "x"), CASE, backend)


@pytest.mark.parametrize("form", UNCLEAR)
def test_a_place_that_means_both_is_refused_with_a_way_out(form: str) -> None:
    with pytest.raises(CompileFailed, match="can't be compiled with float as double; ") as failed:
        apart(UNCLEAR[form], "k.cu")
    assert str(failed.value).endswith(
        ("give one of them another name", "use a type of its own for one of them")
    )


def test_what_does_the_same_for_both_needs_no_names() -> None:
    text = "__device__ float f(float v) { return v * v; }\n__device__ double f(double w) { return w * w; }\n"
    same = text.replace("w", "v")
    assert apart(same, "k.cu") == same


def test_lines_stay_where_they_are() -> None:
    text = PAIR + "\n__device__ float g(float v)\n{\n    return f(v)\n        + f(2.0 * v);\n}\n"
    found = apart(text, "k.cu")
    assert found.count("\n") == text.count("\n")
    assert "+ s2sad_f_1(2.0 * v)" in found
    assert "double s2sad_f_1(double v)" in found
    assert "return f(v)" in found


def test_a_specialisation_with_a_base_is_asked_for_without_it() -> None:
    text = (
        "struct Yes { static constexpr int v = 1; };\n"
        "template <typename T> struct Is { static constexpr int v = 0; };\n"
        "template <> struct Is<float> : Yes {};\n"
        "__device__ float f(float x) { return Is<float>::v * x; }\n"
    )
    assert apart(text, "k.cu") == text
    assert "Yes {}" not in apart(text.replace("Is<float>::", "Is<double>::"), "k.cu")
