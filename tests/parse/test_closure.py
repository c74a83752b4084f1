"""What a kernel reaches by name is parsed, and nothing else."""

from __future__ import annotations

import pytest
from front import kernel, parsed, place, refusal, refusals

BEFORE = """\
typedef float real;
using real2 = double;
enum Mode { LOW, HIGH = LOW + 2 };
enum { UNUSED };
#define W 3
const float weights[W] = {1.f, 2.f, 3.f}, scale = 2.0f, other = 1.0f;
constexpr int K = W + 1;
__constant__ float table[2] = {1, 2};
float *host;
__device__ real half(real x) { return x * 0.5f; }
__device__ real2 both(real x) { return half(x) + half(weights[0]); }
__device__ float unused(float x) { return nothing(x); }
"""


def test_functions_come_callees_first() -> None:
    syntax = parsed(kernel("    y[0] = both(x[0]);", BEFORE))
    assert [f.decl.name for f in syntax.functions] == ["half", "both"]


def test_constants_are_those_that_are_named() -> None:
    syntax = parsed(kernel("    y[K] = both(scale) * table[1];", BEFORE))
    assert [c.name for c in syntax.constants] == ["weights", "scale", "K", "table"]


def test_types_come_with_their_text() -> None:
    syntax = parsed(kernel("    real2 z = x[HIGH];\n    enum Mode m = LOW;\n    y[0] = z;", BEFORE))
    assert syntax.texts == ("using real2 = double;", "enum Mode { LOW, HIGH = LOW + 2 };")
    assert len(syntax.types) == 2


def test_a_local_name_reaches_nothing() -> None:
    body = "    float host = x[0], scale = 1;\n    for (int K = 0; K < n; ++K) y[K] = host * scale;"
    syntax = parsed(kernel(body, BEFORE))
    assert syntax.constants == ()


def test_a_name_is_local_only_in_its_block() -> None:
    syntax = parsed(kernel("    { float scale = 1; y[1] = scale; }\n    y[0] = scale;", BEFORE))
    assert [c.name for c in syntax.constants] == ["scale"]


def test_overloads_are_reached_together() -> None:
    text = (
        "__device__ float f(float x) { return x; }\n__device__ double f(double x) { return f((float)x); }\n"
    )
    assert len(parsed(kernel("    y[0] = f(x[0]);", text)).functions) == 2


def test_a_function_of_the_file_goes_before_a_built_in() -> None:
    text = "__device__ float lerp(float a, float b, float t) { return a; }\n"
    text += "__device__ float sinf(float x) { return x; }\n"
    syntax = parsed(kernel("    y[0] = lerp(x[0], sinf(x[1]), 0.5f);", text))
    assert [f.decl.name for f in syntax.functions] == ["lerp", "sinf"]


def test_a_host_function_of_a_built_in_s_name_doesn_t_matter() -> None:
    parsed(kernel("    y[0] = max(x[0], x[1]);", "float max(float a, float b) { return a; }\n"))


@pytest.mark.parametrize(
    ("before", "body", "expected"),
    [
        ("float f(float x) { return x; }", "y[0] = f(x[0]);", (4, 8, "not-on-the-device")),
        ("float *g;", "y[0] = g[0];", (4, 8, "file-variable")),
        ("float g;", "y[0] = g;", (4, 8, "file-variable")),
        ("extern const float c;", "y[0] = c;", (4, 8, "file-variable")),
        ("template <class T> T f(T x) { return x; }", "y[0] = f(x[0]);", (4, 8, "not-on-the-device")),
        ("template <class T> __device__ T f(T x);", "y[0] = f<int>(x[0]);", (1, 33, "not-defined")),
        ("template <class T> __device__ T p = 1;", "y[0] = p<int>;", (4, 8, "no-templates")),
        ("__device__ float f(float x);", "y[0] = f(x[0]);", (1, 18, "not-defined")),
        ("__global__ void other(float *x) { }", "other(y);", (4, 1, "dynamic-parallelism")),
        ("__device__ float f(float x) { return f(x); }", "y[0] = f(x[0]);", (1, 18, "recursion")),
        ("", "Foo f;", (4, 1, "unknown-type")),
        ("", "const Foo *f = 0;", (4, 7, "unknown-type")),
        ("", "y[0] = (Foo)x[0];", (4, 9, "unknown-type")),
    ],
)
def test_what_a_name_leads_to_is_refused_where_it_is_used(
    before: str, body: str, expected: tuple[int, int, str]
) -> None:
    assert refusals(kernel(body, before + "\n"), "k") == [expected]


def test_recursion_through_another_function_shows_the_way() -> None:
    text = "__device__ float g(float);\n__device__ float f(float x) { return g(x); }\n"
    text += "__device__ float g(float x) { return f(x); }\n"
    d = refusal(kernel("    y[0] = f(x[0]);", text))
    assert place(d) == (2, 18, "recursion")
    assert [(s.line, w) for s, w in d.related] == [(3, "through `g`")]


def test_an_unknown_type_is_said_once() -> None:
    assert refusals("__global__ void k(const Foo p, Foo *q, Bar r)\n{\n    Foo f = p;\n}") == [
        (1, 25, "unknown-type"),
        (1, 40, "unknown-type"),
    ]


# ---- macros ------------------------------------------------------------------


def test_macros_of_the_closure_are_given_with_what_they_need() -> None:
    text = "#define N 4 // four\n#define M (N * 2)\n#define F(x) (x)\n#define G F(1)\n#define UNUSED 1\n"
    macros = parsed(kernel("    y[M] = F(N) * G;", text)).macros
    assert {m.name: (m.text, m.needs) for m in macros.values()} == {
        "N": ("#define N 4", ()),
        "M": ("#define M (N * 2)", ("N",)),
    }


def test_a_macro_that_changes_is_not_given() -> None:
    text = "#define N 4\n__device__ int f() { return N; }\n#undef N\n#define N 5\n"
    assert parsed(kernel("    y[N] = f();", text)).macros == {}


def test_a_macro_that_is_defined_twice_alike_is_given() -> None:
    assert set(parsed(kernel("    y[N] = 1;", "#define N 4\n#undef N\n#define N 4\n")).macros) == {"N"}


def test_a_command_line_definition_is_given() -> None:
    assert parsed(kernel("    y[N] = 1;"), N="4").macros["N"].text == "#define N 4"


def test_many_macros_that_need_each_other_take_no_time() -> None:
    lines = ["#define A0 1", "#define A1 1"]
    lines += [f"#define A{i} (A{i - 1} * 0 + A{i - 2} * 0)" for i in range(2, 14)]
    assert len(parsed(kernel("    y[A13] = 1;", "\n".join(lines) + "\n")).macros) == 14
