"""The language of kernels beyond C: what is taken, as which tree, at which place."""

from __future__ import annotations

from typing import Any

import pytest
from front import kernel, nodes, parsed, refusal, refusals, shape
from pycparser import c_ast

from s2sad.parse.syntax.translation_unit import Syntax


def statement(text: str, before: str = "") -> tuple[Syntax, Any]:
    found = parsed(kernel(text, before))
    return found, found.kernel.body.block_items[0]


# ---- values ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("y[0] = float(n);", "(= ArrayRef(y, 0) Cast(Typename(float), n))"),
        ("y[0] = (float(n));", "(= ArrayRef(y, 0) Cast(Typename(float), n))"),
        ("y[0] = (float)n;", "(= ArrayRef(y, 0) Cast(Typename(float), n))"),
        ("y[0] = (float)(n);", "(= ArrayRef(y, 0) Cast(Typename(float), n))"),
        ("y[0] = (unsigned int)(n);", "(= ArrayRef(y, 0) Cast(Typename(unsigned int), n))"),
        ("y[0] = float{n};", "(= ArrayRef(y, 0) Cast(Typename(float), n))"),
        ("y[0] = float();", "(= ArrayRef(y, 0) Cast(Typename(float), 0))"),
        ("y[0] = size_t(n) + float(n) * 2;",
         "(= ArrayRef(y, 0) (+ Cast(Typename(size_t), n) (* Cast(Typename(float), n) 2)))"),
        ("y[0] = n < float(n);", "(= ArrayRef(y, 0) (< n Cast(Typename(float), n)))"),
        ("y[0] = static_cast<const float>(n + 1);", "(= ArrayRef(y, 0) Cast(Typename(float), (+ n 1)))"),
        ("y[0] = static_cast<unsigned int>(n) >> 1;",
         "(= ArrayRef(y, 0) (>> Cast(Typename(unsigned int), n) 1))"),
        ("y[0] = std::max(n, ::abs(n));",
         "(= ArrayRef(y, 0) FuncCall(max, ExprList(n, FuncCall(abs, ExprList(n)))))"),
        ("y[0] = ({ __typeof__(n) _a = (n); auto _b = (2); _a < _b ? _a : _b; });",
         "(= ArrayRef(y, 0) TernaryOp((< n 2), n, 2))"),
        ("y[0] = ({ const float a = n; float b = a; a * b; });",
         "(= ArrayRef(y, 0) (* Cast(Typename(float), n) Cast(Typename(float), Cast(Typename(float), n))))"),
        ("y[0] = true && !false;", "(= ArrayRef(y, 0) (&& true (! false)))"),
        ("y[0] = not n and n or n;", "(= ArrayRef(y, 0) (|| (&& (! n) n) n))"),
        ("y[0] = threadIdx.x + blockDim.y * warpSize;",
         "(= ArrayRef(y, 0) (+ StructRef(threadIdx, x) (* StructRef(blockDim, y) warpSize)))"),
        ("y[0] = sizeof(float) + sizeof n;", "(= ArrayRef(y, 0) (+ (sizeof Typename(float)) (sizeof n)))"),
        ("y[0] = 1'000 + 0b11 + 0x1p-3f + 017 + 10ull + 1e5 + .5f + 'a';",
         "(= ArrayRef(y, 0) (+ (+ (+ (+ (+ (+ (+ 1'000 0b11) 0x1p-3f) 017) 10ull) 1e5) .5f) 'a'))"),
        ("float a(n), b{2}, c = {3};", None),
        ("y[0] = a->b[1].c++;", "(= ArrayRef(y, 0) (p++ StructRef(ArrayRef(StructRef(a, b), 1), c)))"),
        ("y[0] = n ? 1 : n ? 2 : 3;", "(= ArrayRef(y, 0) TernaryOp(n, 1, TernaryOp(n, 2, 3)))"),
        ("y[0] = y[1] = n, n += 2;", "ExprList((= ArrayRef(y, 0) (= ArrayRef(y, 1) n)), (+= n 2))"),
        ("atomicAdd(&y[n - 1], -n);", "FuncCall(atomicAdd, ExprList((& ArrayRef(y, (- n 1))), (- n)))"),
    ],
)  # fmt: skip
def test_an_expression_has_this_tree(text: str, tree: str | None) -> None:
    found, node = statement("    " + text)
    if tree is not None:
        assert shape(node) == tree
        assert found.text(node) == text.removesuffix(";")
    else:
        assert [shape(d.init) for d in found.kernel.body.block_items[:2]] == ["n", "2"]


# ---- declarations ------------------------------------------------------------


def test_cuda_s_words_reach_the_tree() -> None:
    text = (
        'extern "C" __global__ void __launch_bounds__(256, 2)\n'
        "k(const float *__restrict__ x, float *restrict y)\n"
        "{\n    __shared__ float s[4];\n    static const int i = 1;\n    extern __shared__ float d[];\n}\n"
    )
    syntax = parsed(text)
    decl = syntax.kernel.decl
    assert (decl.storage, decl.funcspec) == (['extern "C"'], ["__global__", "__launch_bounds__(256, 2)"])
    assert [p.type.quals for p in decl.type.args.params] == [["__restrict__"], ["__restrict__"]]
    assert [d.storage for d in syntax.kernel.body.block_items] == [
        ["__shared__"],
        ["static"],
        ["extern", "__shared__"],
    ]


def test_constants_keep_their_words() -> None:
    before = "__constant__ float c[2] = {1, 2};\nstatic constexpr int N = 2;\n__device__ const float d = 1;\n"
    found = parsed(kernel("    y[0] = c[N] + d;", before)).constants
    assert [(c.storage, c.funcspec, c.quals) for c in found] == [
        (["__constant__"], [], []),
        (["static", "constexpr"], [], []),
        ([], ["__device__"], ["const"]),
    ]


def test_pragmas_of_loops_stay_and_others_go() -> None:
    text = "#pragma unroll 4\n    for (;;)\n#pragma diag_suppress 1\n"
    text += '        _Pragma("unroll") for (;;) y[0] = 1;\n#pragma omp'
    found = parsed(kernel(text))
    assert [p.string for p in nodes(found.kernel, c_ast.Pragma)] == ["unroll 4", "unroll"]


def test_types_of_headers_that_are_not_read_are_known() -> None:
    parsed(
        kernel(
            "    size_t a = 1; uint32_t b = 2; unsigned long long c; uint d; int64_t e; float4 *f; dim3 g;"
        )
    )


def test_if_constexpr_is_if() -> None:
    _, node = statement("    if constexpr (sizeof(float) == 4) y[0] = 1;")
    assert isinstance(node, c_ast.If)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("y[0] = a::f(x[0]);", "(= ArrayRef(y, 0) FuncCall(f, ExprList(ArrayRef(x, 0))))"),
        ("y[0] = ::a::b::f(a::C);", "(= ArrayRef(y, 0) FuncCall(f, ExprList(C)))"),
        ("a::real z = b::f(a::b::f(2));", "Decl(real, FuncCall(f, ExprList(FuncCall(f, ExprList(2)))))"),
        ("y[0] = ::std::max(n, 1);", "(= ArrayRef(y, 0) FuncCall(max, ExprList(n, 1)))"),
    ],
)
def test_what_a_namespace_holds_is_read_without_it(text: str, tree: str) -> None:
    before = (
        "namespace a { typedef float real; constexpr float C = 2;\n"
        "namespace b { __device__ float f(float x) { return C * x; } }\nusing b::f; }\n"
    )
    found, node = statement("    " + text, before)
    assert shape(node) == tree
    assert [f.decl.name for f in found.functions] == ["f"] * ("(f," in tree)
    assert found.span(node).text.startswith(text[:9])


def test_a_scoped_enumeration_is_a_namespace_of_its_names() -> None:
    before = "enum class Mode : unsigned char { fast, exact = 3 };\n"
    found, node = statement("    Mode m = n ? Mode::fast : Mode::exact;", before)
    assert shape(node) == "Decl(Mode, TernaryOp(n, fast, exact))"
    assert found.span(node).text == "Mode m = n ? Mode::fast : Mode::exact"
    (enumeration,) = found.types
    assert shape(enumeration.type) == "Enum(EnumeratorList(Enumerator(), Enumerator(3)))"


def test_a_variable_of_a_deduced_type_is_a_declaration() -> None:
    found, node = statement("    const auto a = x[0];\n    auto *p = &y[1];")
    assert shape(node) == "Decl(auto, ArrayRef(x, 0))"
    assert found.text(node) == "const auto a = x[0]"
    assert node.quals == ["const"]


def test_a_default_argument_is_the_initialiser_of_a_parameter() -> None:
    found = parsed(
        kernel("    y[0] = f(1);", "__device__ float f(float a, float b = 1 + 1) { return a * b; }\n")
    )
    assert shape(found.functions[0].decl.type.args.params[1]) == "Decl(float, (+ 1 1))"


def test_a_local_alias_is_a_typedef() -> None:
    _, node = statement("    using real = float;\n    real a = x[0];")
    assert isinstance(node, c_ast.Typedef)


# ---- refusals ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    float &&a = y[0];", (3, 11, "no-references")),
        ("    goto end;\nend: y[0] = 1;", (3, 5, "goto")),
        ("    y[0] = f([&](float a) { return a; });", (3, 14, "no-lambdas")),
        ('    asm volatile("mov.f32 %0, %1;" : "=f"(y[0]) : "f"(x[0]));', (3, 5, "inline-assembly")),
        ("    float *a = new float[3];", (3, 16, "no-heap")),
        ("    delete[] y;", (3, 5, "no-heap")),
        ("    throw 1;", (3, 5, "no-exceptions")),
        ("    try { y[0] = 1; } catch (...) { y[0] = 2; }", (3, 5, "no-exceptions")),
        ("    for (float a : x) y[0] = a;", None),
        ("    for (int i = n ? 1 : 0; i < n; ++i) y[0] = i;", None),
        ("    if (int i = n) y[0] = i;", None),
        ("    switch (int i = n) { case 0: y[0] = i; }", None),
        ("    while (float a = x[n], b = a) --n;", (3, 12, "declaration-in-condition")),
        ("    if (float(n) > 2) y[0] = 1;", None),
        ("    union { float a; int b; } u;", None),
        ("    y[0] = ns::f(x[0]);", (3, 12, "no-namespaces")),
        ("    ns::type a;", (3, 5, "no-namespaces")),
        ("    const ns::type<3> a;", (3, 11, "no-namespaces")),
        ("    other<<<1, 2>>>(y);", (3, 10, "dynamic-parallelism")),
        ("    y[0] = dynamic_cast<int *>(y)[0];", (3, 12, "no-cast")),
        ("    y[0] = reinterpret_cast<int *>(y)[0];", None),
        ("    float (*f)(float) = 0;", (3, 11, "function-pointers")),
        ("    y[0] = f<float>(x[0]);", (3, 12, "no-templates")),
        ("    y[0] = sizeof(typename T::a);", (3, 28, "no-namespaces")),
        ("    this->y = 1;", (3, 5, "no-classes")),
        ("    Thing a(1, 2);", None),
        ("    v = {1, 2};", None),
        ("    y[0] = (float){1};", None),
        ("    using namespace std;\n    namespace a = b;", None),
    ],
)
def test_what_is_not_taken_is_refused_by_name(body: str, expected: tuple[int, int, str] | None) -> None:
    if expected is not None:
        assert refusals(kernel(body)) == [expected]
    elif "Thing" in body:
        assert [r[2] for r in refusals(kernel(body))] == ["unknown-type"]
    else:
        parsed(kernel(body))


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("const float *&x", (1, 32, "no-references")),
        ("float &&x", (1, 25, "not-supported")),
        ("float *x, ...", (1, 29, "no-varargs")),
        ("float (*f)(float)", (1, 25, "function-pointers")),
        ("ns::thread_block b", (1, 19, "no-namespaces")),
        ("cg::thread_block b", (1, 19, "library")),
        ("Box<float> b", (1, 19, "no-templates")),
        ("const Box<float> b", (1, 25, "no-templates")),
    ],
)
def test_a_parameter_that_is_not_taken_is_refused_by_name(
    parameters: str, expected: tuple[int, int, str]
) -> None:
    assert refusals(f"__global__ void k({parameters}) {{ }}") == [expected]


def test_all_that_is_wrong_in_a_kernel_is_said_at_once() -> None:
    body = (
        "    int u;\n    if (n) {\n        float &&r = y[0];\n        goto b;\n    }\n"
        '    for (int i = 0; i < n; ++i)\n        asm("nop");\n    switch (n) { case 1: throw 2; }'
    )
    assert refusals(kernel(body)) == [
        (5, 15, "no-references"),
        (6, 9, "goto"),
        (9, 9, "inline-assembly"),
        (10, 26, "no-exceptions"),
    ]


def test_all_that_is_wrong_in_the_closure_is_said_at_once() -> None:
    before = "__device__ float f(float &&a) { return a; }\n"
    before += "__device__ float g(float a) { goto b; return f(a); }\n"
    assert refusals(kernel("    goto a;\n    y[0] = g(x[0]);", before)) == [
        (1, 26, "not-supported"),
        (2, 31, "goto"),
        (5, 5, "goto"),
    ]


# ---- mistakes ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "line", "column", "title"),
    [
        ("    float a = 1\n    float b = 2;", 4, 5, "expected ';' before 'float'"),
        ("    y[0] = sinf(x[0];", 3, 21, "expected ')' before ';'"),
        ("    y[0] = sinf(x[0]));", 3, 22, "expected ';' before ')'"),
        ("    y[0 = 1;", 3, 12, "expected ']' before ';'"),
        ("    y[0] = ;", 3, 12, "expected an expression before ';'"),
        ("    y[0] = 1 +;", 3, 15, "expected an expression before ';'"),
        ("    else y[0] = 1;", 3, 5, "'else' without an 'if'"),
        ("    if n y[0] = 1;", 3, 8, "expected '(' before 'n'"),
        ("    for (int i = 0, i < n; ++i) ;", 3, 23, "expected ';' before '<'"),
        ("    do y[0] = 1; until (n);", 3, 18, "expected 'while' before 'until'"),
        ("    y[0] = @;", 3, 12, "expected an expression before '@'"),
        ("    y[0] = 09;", 3, 12, "'09' is not a number"),
        ("    y[0] = 1.2.3;", 3, 12, "'1.2.3' is not a number"),
        ("    y[0] = 1uu;", 3, 12, "'1uu' is not a number"),
        ("    y[0] = 8f;", 3, 12, "'8f' is not a number"),
        ("    switch (n) { case 1 y[0] = 1; }", 3, 25, "expected ':' before 'y'"),
        ("    x.3 = 1;", 3, 6, "expected ';' before '.3'"),
        ("    x. = 1;", 3, 8, "expected the name of a field before '='"),
        ("    if (n) float a = 1;", 3, 12, "expected a statement before 'float'"),
        ("    const a = 1;", 3, 11, "expected a type before 'a'"),
        ("    int typedef;", 3, 5, "expected a declaration"),
        ("    float a[2] = {1, 2;", 3, 18, "'{' without a '}'"),
        ("    y[0] = BAD;", 3, 15, None),
    ],
)
def test_a_mistake_is_said_in_our_words(body: str, line: int, column: int, title: str | None) -> None:
    if title is None:
        d = refusal(kernel(body, "#define BAD 1 +\n"))
        assert [(str(s), w) for s, w in d.related] == [("k.cu:1:9", "the macro BAD is defined here")]
        return
    d = refusal(kernel(body))
    assert d.span is not None
    assert (d.code.slug, d.span.line, d.span.column, d.title) == ("syntax-error", line, column, title)


def test_a_kernel_without_a_type_is_a_mistake() -> None:
    assert refusal("__global__ k(float *x) { }").title == "expected a type before 'k'"


def test_after_a_refusal_a_mistake_is_not_reported() -> None:
    assert refusals(kernel("    goto a;\n    y[0] = ;")) == [(3, 5, "goto")]


@pytest.mark.parametrize(
    "value",
    [
        "({ int a = n++; a + a; })",
        "({ float a = sinf(x[0]); a * a; })",
        "({ int a = n; a = 3; a; })",
        "({ int a = n; a++; })",
        "({ int a; n; })",
        "({ static int a = n; a; })",
        "({ int a = n; int a = 2; a; })",
    ],
)
def test_statements_with_an_effect_are_no_value(value: str) -> None:
    (line, _, code), *_ = refusals(kernel(f"    y[0] = {value};"))
    assert (line, code) == (3, "syntax-error")


def test_an_operator_of_the_file_may_have_an_effect() -> None:
    before = "struct P { float a; };\n__device__ float operator+(P &p, float b) { p.a += b; return p.a; }\n"
    value = "({ __typeof__(x[0]) v = x[0] + 1; v * v; })"
    assert [code for _, _, code in refusals(kernel(f"    y[0] = {value};", before))] == ["syntax-error"]
