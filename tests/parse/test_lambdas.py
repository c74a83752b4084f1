"""Lambdas that are only called where they stand: which functions they become, and which can't."""

from __future__ import annotations

import pytest
from front import HEAD, source

from s2sad import irtext, parse
from s2sad.diagnostics import Rejected

OTHERS = "__device__ float half(float v) { return 0.5f * v; }\n__device__ void turn(float &v) { v = -v; }\n"


def shown(body: str, before: str = OTHERS, head: str = HEAD, **template: str) -> str:
    program = parse.program(source(f"{before}{head}{body}\n}}\n"), template=template)
    return "\n".join(irtext.show(f) for f in (*program.functions.values(), program.kernel))


def why(body: str, before: str = OTHERS, head: str = HEAD, **template: str) -> str:
    with pytest.raises(Rejected) as caught:
        shown(body, before, head, **template)
    (only,) = caught.value.diagnostics
    return f"{only.code.slug}: {only.label}"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("auto f = [](float v) { return v * v; }; y[0] = f(x[0]);", "y[0] = v * v;"),
        ("float s = x[1]; auto f = [&](float v) { return s * v; }; y[0] = f(2.0f);", "y[0] = s * 2.0f;"),
        # by reference it is the value at the call
        (
            "float s = x[1]; auto f = [&](float v) { return s * v; }; s = x[2]; y[0] = f(2.0f);",
            "s = x[2];\n    y[0] = s * 2.0f;",
        ),
        # what it changes, changes outside
        (
            "float s = 0.0f; auto add = [&](float v) { s += v; }; add(x[0]); add(x[1]); y[0] = s;",
            "void add(float v, float *s)",
        ),
        ("auto f = [&] { y[0] = x[0]; }; f();", "void f(const float *x, float *y)"),
        ("const float r = [&] { float t = x[0]; return t * t; }(); y[0] = r;", "float inner(const float *x)"),
        (
            "auto f = [=](auto v, int k) -> double { return v + k; }; y[0] = f(x[0], n);",
            "<double>(x[0] + <float>n)",
        ),
        ("auto half = [&](float v) { float t = v; return t; }; y[0] = half(x[0]);", "half_2("),
        # a name of its own is none that it captures
        (
            "for (int v = 0; v < n; ++v) y[v] = 0; auto f = [=](float v) { return -v; }; y[0] = f(x[0]);",
            "y[0] = -x[0];",
        ),
        (
            "auto f = [=](int k) { return k + n; }; auto g = [=](int k) { return f(2 * k); };"
            " y[g(1)] = x[f(0)];",
            "y[2 + n] = x[0 + n];",
        ),
        (
            "if (n > 1) { auto f = [] { return 1; }; y[0] = f(); }"
            " else { auto f = [] { return 2; }; y[1] = f(); }",
            "y[1] = <float>2;",
        ),
    ],
)
def test_a_lambda_is_a_function_of_what_it_captures(body: str, expected: str) -> None:
    assert expected in shown(body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "float s = x[1]; auto f = [=](float v) { return s * v; }; s = x[2]; y[0] = f(2.0f);",
            "`s` is captured by value and may change afterwards",
        ),
        (
            "float s = x[1]; auto f = [s](float v) { return s * v; }; turn(s); y[0] = f(2.0f);",
            "`s` is captured by value and may change afterwards",
        ),
        (
            "float a[2] = {}; auto f = [=](int k) { return a[k]; }; a[0] = x[0]; y[0] = f(0);",
            "`a` is captured by value and may change afterwards",
        ),
        (
            "float s = x[1]; auto t = [&] { s = x[2]; }; auto f = [=] { return s; }; t(); y[0] = f();",
            "`s` is captured by value and may change afterwards",
        ),
        (
            "float s = x[1]; float &r = s; auto f = [=] { return s; }; r = 2.0f; y[0] = f();",
            "`s` is captured by value and may change afterwards",
        ),
        (
            "float a[2] = {}; float *p = a; auto f = [=](int k) { return a[k]; }; p[0] = x[0]; y[0] = f(0);",
            "`a` is captured by value and may change afterwards",
        ),
        ("float s = x[1]; auto f = [](float v) { return s * v; }; y[0] = f(2.0f);", "`s` isn't captured"),
        (
            "float s = x[1]; auto f = [&](float v) { return s * v; }; { float s = 3; y[0] = f(s); }",
            "another variable is also named `s`",
        ),
        (
            "float s = x[1]; auto f = [&](float &v) { v = 2 * s; v += s; }; f(s); y[0] = s;",
            "`s` is both captured and passed to it",
        ),
        (
            "float s = x[1]; float &r = s; auto f = [&] { s += 1; return r; }; y[0] = f();",
            "it captures the reference `r` and may modify captures",
        ),
        (
            "const float *p = x; auto f = [&] { p++; return p[0]; }; y[0] = f();",
            "it may modify the pointer `p`",
        ),
        ("int k = 0; auto f = [k]() mutable { return k++; }; y[f()] = x[0];", "it is `mutable`"),
        ("auto f = [] { return 1.0f; }; auto g = f; y[0] = g();", "it is used other than by a call"),
        ("y[0] = half([] { return 1.0f; });", "it is used other than by a call"),
        (
            "auto f = [] { return 1.0f; }; { int f = 2; y[f] = x[0]; }",
            "another variable is also named `f`",
        ),
        ("auto f = [k = n + 1] { return k; }; y[f()] = x[0];", "the capture `=` is not supported"),
        (
            "typedef float real; auto f = [](float v) { real r = v; return r; }; y[0] = f(x[0]);",
            "it uses the type `real` of the enclosing function",
        ),
        (
            "auto p = x + 1; auto f = [&](int k) { return p[k]; }; y[0] = f(0);",
            "it takes a pointer for `f_p_t`, declared with `auto`",
        ),
    ],
)
def test_one_that_may_mean_something_else_then_is_refused(body: str, expected: str) -> None:
    assert why(body) == f"no-lambdas: {expected}"


def test_what_it_returns_is_one_type() -> None:
    body = "auto f = [=](int k) { if (k) return 1; return 2.0f; }; y[0] = f(n);"
    with pytest.raises(Rejected) as caught:
        shown(body)
    assert [d.title for d in caught.value.diagnostics] == ["`f` returns int and float"]


def test_parameters_of_the_template_around_it_are_its_own() -> None:
    head = "template <typename T, int N> __global__ void k(const T *x, T *y)\n{\n"
    body = (
        "auto f = [=](int k) { T s = 0; for (int j = 0; j < N; ++j) s += x[k + j]; return s; }; y[0] = f(1);"
    )
    found = shown(body, head=head, T="float", N="3")
    assert "float f_3(int k, const float *x)" in found
    assert "y[0] = f_3(1, &x[0]);" in found


def test_one_in_a_device_function_is_lifted_too() -> None:
    before = (
        "__device__ float f(float a) { auto g = [&](float v) { float t = a; return t * v; }; return g(a); }\n"
    )
    assert "float g(float v, float a)" in shown("y[0] = f(x[0]);", before)


def test_one_inside_another_is_lifted_too() -> None:
    body = (
        "auto f = [=](int k) { auto g = [=](int j) { int t = j + k; return t + n; };"
        " int u = g(1); return u; };\n"
        "y[f(0)] = x[0];"
    )
    found = shown(body)
    assert "int g(int j, int k, int n)" in found
    assert "int f(int k, int n)" in found


def test_its_places_are_the_authors() -> None:
    with pytest.raises(Rejected) as caught:
        shown("    auto f = [&](float v) { return missing * v; };\n    y[0] = f(x[0]);", "")
    (only,) = caught.value.diagnostics
    assert only.span is not None
    assert (only.code.slug, only.span.line, only.span.column) == ("unknown-name", 3, 36)
