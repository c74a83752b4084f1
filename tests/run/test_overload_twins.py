"""Of definitions for `float` and for `double`, one is left where both are compiled as one type."""

from __future__ import annotations

import pytest

from s2sad.run.float_widening import to_double, to_dual

TWINS = {
    "overloads": (
        "__device__ float sq(float v) { return v * v; }\n__device__ double sq(double w)\n{ return w * w; }\n",
        "__device__ double sq(double v) { return v * v; }\n\n\n",
    ),
    "the double one first": (
        "double eps(double) { return 1e-12; } float eps(float v) { return 1e-6f; }",
        " double eps(double v) { return 1e-6; }",
    ),
    "specialisations": (
        "template <> struct Acc<float> { using t = float; };\n"
        "template <> struct Acc<double> {\nusing t = double; };",
        "template <> struct Acc<double> { using t = double; };\n\n",
    ),
    "in a namespace": (
        "namespace m { float f(const float *p, int n) { return n; } "
        "double f(const double *q, int m) { return m; } }",
        "namespace m { double f(const double *p, int n) { return n; } }",
    ),
    "constructors": (
        "struct V { V(float a) : x(a) {} V(double b) : x(b) {} double x; };",
        "struct V { V(double a) : x(a) {} double x; };",
    ),
    "instances": (
        "template void k<float>(float *);\ntemplate void k<double>(double *);\n",
        "template void k<double>(double *);\n\n",
    ),
}
KEPT = (
    "double f(double a) { return a; } double f(double a, int n) { return a; }",
    "#if A\ndouble f(double a) { return a; }\n#else\nfloat f(float a) { return a; }\n#endif\n",
    "struct A { float f(float v) { return v; } }; struct B { double f(double v) { return v; } };",
    "float f(float a) { return a; } float f(float b) { return b; }",  # an error of the author's
    "template <typename T> void k(T *p) { *p = 0; } template void k<float>(float *);",
)


@pytest.mark.parametrize("name", TWINS)
def test_the_one_for_float_is_kept(name: str) -> None:
    text, wanted = TWINS[name]
    found = to_double(text)
    assert found.split() == wanted.split()
    assert found.count("\n") == text.count("\n")
    assert to_dual(text).split() == wanted.replace("double", "s2sad_real").split()


@pytest.mark.parametrize("text", KEPT)
def test_what_differs_stays(text: str) -> None:
    assert len(to_double(text).split()) == len(text.split())
