"""Templates: their trees, their arguments, and the functions that are made of them."""

from __future__ import annotations

from typing import Any

import pytest
from front import kernel, nodes, parsed, refusal, shape, source
from pycparser import c_ast

from s2sad import ir, ircheck, irtext, parse
from s2sad.diagnostics import Rejected
from s2sad.parse.source.self_contained_text import extract
from s2sad.parse.syntax.templates import ConstantIf, Template, TemplateId
from s2sad.parse.types import constant_folding

SQUARE = "template <typename T> __device__ T square(T v) { return v * v; }\n"
POWER = (
    "template <int N, typename T> __device__ T power(T v)\n"
    "{ T r = 1; for (int k = 0; k < N; ++k) r *= v; return r; }\n"
)


# ---- trees -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("y[0] = f<float>(x[0]);", ["Typename(float)"]),
        ("y[0] = f<const float, 2 + n>(x[0]);", ["Typename(float)", "(+ 2 n)"]),
        ("y[0] = n < f<unsigned long, (n > 2)>(x[0]);", ["Typename(unsigned long)", "(> n 2)"]),
        ("y[0] = f<n == 2>(x[0]) < 3;", ["(== n 2)"]),
        (
            "y[0] = f<float *, sizeof(float)>(x[0]) >> 1;",
            ["Typename(PtrDecl(float))", "(sizeof Typename(float))"],
        ),
        ("y[0] = f<n ? 1 : 2>(f<3>(x[0]));", ["TernaryOp(n, 1, 2)"]),
        ("y[0] = f<>(x[0]);", []),
    ],
)
def test_a_call_with_template_arguments_has_this_tree(text: str, arguments: list[str]) -> None:
    before = "template <typename T, int N = 0> __device__ T f(T x) { return x; }\n"
    found = parsed(kernel("    " + text, before))
    node = nodes(found.kernel, TemplateId)[0]
    assert node.name == "f"
    assert [shape(arg) for arg in node.args] == arguments
    call = nodes(found.kernel, c_ast.FuncCall)[0]
    assert text.startswith(found.text(call), text.index("f<"))
    assert found.span(node).column == 5 + text.index("f<")


def test_a_less_than_is_one_where_a_variable_hides_the_template() -> None:
    found = parsed(
        kernel(
            "    int f = n;\n    y[0] = f < n;", "template <int N> __device__ int f(int x) { return x; }\n"
        )
    )
    assert not nodes(found.kernel, TemplateId)


def test_a_head_has_its_parameters_in_the_tree() -> None:
    head = "template <typename T, class U = float, unsigned int N = (3 > 2), bool B = true>"
    found = parsed(kernel("    y[0] = f<float>(x[0]);", f"{head} __device__ T f(T x) {{ return x; }}\n"))
    (template,) = found.functions
    assert isinstance(template, Template)
    assert [(p.name, p.type and shape(p.type), p.default and shape(p.default)) for p in template.params] == [
        ("T", None, None),
        ("U", None, "Typename(float)"),
        ("N", "unsigned int", "(> 3 2)"),
        ("B", "bool", "true"),
    ]
    assert found.span(template.params[1]).text == "class U = float"


def test_if_constexpr_has_a_node_of_its_own() -> None:
    found = parsed(kernel("    if constexpr (2 > 1) y[0] = 1; else y[0] = 2;"))
    (node,) = nodes(found.kernel, ConstantIf)
    assert found.text(node).startswith("if constexpr (2 > 1)")


@pytest.mark.parametrize(
    ("text", "type", "value"),
    [
        ("std::numeric_limits<float>::max()", "float", 3.4028234663852886e38),
        ("std::numeric_limits<double>::lowest()", "double", -1.7976931348623157e308),
        ("std::numeric_limits<int>::min()", "int", -(2**31)),
        ("std::numeric_limits<unsigned char>::max()", "unsigned char", 255),
        ("std::numeric_limits<float>::epsilon()", "float", 2.0**-23),
        ("std::is_same<float, double>::value", "bool", False),
        ("std::is_same_v<unsigned, unsigned int>", "bool", True),
        ("std::is_floating_point<float>::value && std::is_integral_v<int>", "bool", True),
    ],
)
def test_what_the_library_says_of_a_type_is_a_constant(text: str, type: str, value: float) -> None:
    found = parsed(kernel(f"    auto v = {text};"))
    node = found.kernel.body.block_items[0].init
    assert found.text(node) == text
    (declare, *_) = program(f"    auto v = {text};", "").kernel.body
    assert isinstance(declare, ir.Declare)
    assert isinstance(declare.init, ir.Expr)
    assert (declare.sym.type.name, constant_folding.evaluate(declare.init, {})) == (type, value)  # type: ignore[union-attr]


def test_a_limit_that_isn_t_known_is_refused() -> None:
    with pytest.raises(Rejected) as caught:
        program("    y[0] = std::numeric_limits<float>::digits;", "")
    assert [d.code.slug for d in caught.value.diagnostics] == ["not-supported"]


# ---- instances ---------------------------------------------------------------


def program(body: str, before: str, **template: str) -> ir.Program:
    result = parse.program(source(kernel(body, before)), kernel="k", template=template)
    for function in (*result.functions.values(), result.kernel):
        ircheck.check(function)
    return result


def made(body: str, before: str) -> dict[str, str]:
    """The functions made for a kernel's body: name and types of the parameters, by key."""
    found = program(body, before).functions
    return {
        key: f"{f.name}({', '.join(s.type.name for s in f.syms if isinstance(s.type, ir.Scalar))})"
        for key, f in found.items()
    }


@pytest.mark.parametrize(
    ("body", "before", "functions"),
    [
        ("y[0] = square(x[0]) + square(2.0) + square(x[1]);", SQUARE, ["square(float)", "square(double)"]),
        ("y[0] = square<double>(x[0]);", SQUARE, ["square(double)"]),
        (
            "y[0] = power<2>(x[0]) + power<3>(x[0]) + power<2>(x[1]);",
            POWER,
            ["power_2(float)", "power_3(float)"],
        ),
        ("const int N = 1; y[0] = power<N + 1, double>(x[0]);", POWER, ["power_2(double)"]),
        (
            "y[0] = f<true>(x[0]) + f<false>(x[0]);",
            "template <bool B> __device__ float f(float x)\n"
            "{ if constexpr (B) return x; else return f<true>(2 * x); }\n",
            ["f_true(float)", "f_false(float)"],
        ),
        (
            "y[0] = f<3>(x[0]);",
            "template <int N> __device__ float f(float x)\n"
            "{ if constexpr (N == 0) return 1; else return x * f<N - 1>(x); }\n",
            ["f_0(float)", "f_1(float)", "f_2(float)", "f_3(float)"],
        ),
        (
            "y[0] = f<2>(x[0]) + f<0>(x[0]);",
            "template <int N> __device__ float f(float x) { return x * f<N - 1>(x); }\n"
            "template <> __device__ float f<0>(float x) { return 1; }\n",
            ["f_0(float)", "f_1(float)", "f_2(float)"],
        ),
        (
            "y[0] = f<2>(x[0]) + f<3>(x[0]);",
            "template <int N> constexpr float f(float x);\n"
            "template <> __device__ constexpr float f<2>(float x) { return 2 * x; }\n"
            "template <> __device__ constexpr float f<3>(float x) { return 3 * x; }\n",
            ["f_2(float)", "f_3(float)"],
        ),
        (  # a specialisation is told by what it returns, too
            "y[0] = f<float>(x[0]) + f<double>(x[0]);",
            "template <class T> __device__ T f(float x);\n"
            "template <> __device__ double f(float x) { return 2 * x; }\n"
            "template <> __device__ float f(float x) { return 3 * x; }\n",
            ["f_float(float)", "f_double(float)"],
        ),
        (  # one that has too few parameters isn't meant
            "y[0] = f<1, 2>(x[0]) + f<1>(x[0]);",
            "template <int N> __device__ float f(float x) { return x; }\n"
            "template <int N, int M> __device__ float f(float x) { return 2 * x; }\n",
            ["f_1_2(float)", "f_1(float)"],
        ),
        (
            "y[0] = square(x[0]);",
            SQUARE + "__device__ float square(float v) { return 3 * v; }\n",
            ["square(float)"],
        ),
        (
            "y[0] = power<2>(x[0]) + power_2(x[0]);",
            POWER + "__device__ float power_2(float v) { return 3 * v; }\n",
            ["power_2(float)", "power_2_(float)"],
        ),
        (
            "y[0] = f<float>(n);",
            "template <typename R, typename T = int> __device__ R f(T x) { return R(x); }\n",
            ["f_float(int)"],
        ),
        (
            "y[0] = f<float>();",
            "template <typename R, typename T = R> __device__ T f() { return T(2); }\n",
            ["f_float_float()"],
        ),
        (
            "y[0] = twice(x[0]);",
            SQUARE + "template <class T> __device__ auto_t twice(T v) { return square(v) + square<T>(v); }\n",
            ["square(float)", "twice(float)"],
        ),
    ],
)
def test_each_set_of_arguments_makes_a_function(body: str, before: str, functions: list[str]) -> None:
    before = before.replace("auto_t", "T")
    assert list(made("    " + body, before).values()) == functions


def test_the_body_of_an_instance_has_the_arguments_in_it() -> None:
    (function,) = program("    y[0] = power<3>(x[0]);", POWER).functions.values()
    assert irtext.show(function.body).split("\n")[1] == "for (int k = 0; k < 3; k += 1) {"


@pytest.mark.parametrize(
    ("body", "before", "code"),
    [
        ("y[0] = f(x[0], 2);", "template <class T> __device__ T f(T a, T b) { return a; }\n", "not-deduced"),
        ("y[0] = f();", "template <class T> __device__ T f() { return 1; }\n", "not-deduced"),
        ("y[0] = f<3>(x[0]);", SQUARE.replace("square", "f"), "type-error"),
        ("y[0] = power<n>(x[0]);", POWER, "not-constant"),
        ("if constexpr (n > 2) y[0] = 1;", "", "not-constant"),
        (
            "y[0] = f<1>(x[0]);",
            "template <int N> __device__ float f(float x) { return f<N>(x); }\n",
            "recursion",
        ),
        (
            "y[0] = f<1>(x[0]);",
            "template <int N> __device__ float f(float x) { return f<N + 1>(x); }\n",
            "too-deep",
        ),
        ("y[0] = f(x[0]);", "template <class... T> __device__ float f(T... x) { return 1; }\n", "no-varargs"),
    ],
)
def test_what_can_t_be_made_is_refused_at_the_call(body: str, before: str, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        program("    " + body, before)
    assert [d.code.slug for d in caught.value.diagnostics] == [code]
    assert all(d.span is not None for d in caught.value.diagnostics)


# ---- kernel templates --------------------------------------------------------

KERNEL = (
    "template <typename T, int N, bool B = true>\n"
    "__global__ void k(const T *x, T *y)\n{\n    y[0] = N * x[B];\n}\n"
)


def instance(text: str, **template: str) -> list[tuple[str, str, str]]:
    found = parse.program(source(text), kernel="k", template=template)
    return [(a.name, a.text, a.origin) for a in found.template]


@pytest.mark.parametrize(
    ("host", "template", "expected"),
    [
        ("void f() { k<float, 4><<<1, 2>>>(x, y); }", {}, ["float", "4", "true"]),
        ("void f() { k<double, 4, false><<<dim3(1), (n > 3), 0, s>>>(x, y); }", {}, ["double", "4", "false"]),
        ("template __global__ void k<float, 3>(const float *, float *);", {}, ["float", "3", "true"]),
        ("template <class T> void f() { k<T, 3><<<1, 2>>>(); }", {"T": "double"}, ["double", "3", "true"]),
        ("void f() { auto g = k<float, 3 + 1>; k<float, 3 + 1><<<1, 2>>>(); }", {}, ["float", "3+1", "true"]),
        ("void f() { k<float, 3><<<1, 2>>>(x, y); k<double, 3><<<1, 2>>>(x, y); }", {"T": "float"},
         ["float", "3", "true"]),
        ("void f() { k<float, 3><<<1, 2>>>(x, y); k<double, 5><<<1, 2>>>(x, y); }", {"T": "double"},
         ["double", "5", "true"]),
        ("typedef float real; const int M = 2; void f() { k<real, 2 * M><<<1, 2>>>(x, y); }", {},
         ["real", "2*M", "true"]),
        ("void f() { const int M = 256 / 2; k<float, M><<<1, 2>>>(x, y); }", {}, ["float", "256/2", "true"]),
        ("", {"T": "unsigned int", "N": "7", "B": "false"}, ["unsigned int", "7", "false"]),
    ],
)  # fmt: skip
def test_a_kernel_template_s_arguments_come_from(
    host: str, template: dict[str, str], expected: list[str]
) -> None:
    assert [text for _, text, _ in instance(KERNEL + host, **template)] == expected


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("k<Of<float>><<<1, 2>>>(x, y);", "Of<float>"),
        ("auto f = k<Of<double>>;", "Of<double>"),
        ("start<k<Of<float> >>(x, y);", "Of<float>"),
    ],
)
def test_an_argument_may_be_closed_by_a_bracket_that_closes_two(host: str, expected: str) -> None:
    text = "template <class U> struct Of { typedef U T; };\n"
    text += "template <class M> __global__ void k(const typename M::T *x, float *y) { y[0] = x[0]; }\n"
    assert [said for _, said, _ in instance(f"{text}void f() {{ {host} }}")] == [expected]


def test_it_is_said_where_an_argument_comes_from() -> None:
    found = instance(KERNEL + "\nvoid f() { k<T, 4><<<1, 2>>>(x, y); }", T="float")
    assert [origin for _, _, origin in found] == ["--template", "its use in line 7", "its default"]


@pytest.mark.parametrize(
    ("host", "note", "help"),
    [
        ("", "", "--template T=float,N=4"),
        ("void f() { k<T, 3><<<1, 2>>>(x, y); k<U, 5><<<1, 2>>>(x, y); }", "line 6 has k<3>; line 6 has k<5>",
         "--template T=float,N=3"),
        ("void f() { k<float, 3><<<1, 2>>>(x, y); k<float, 5><<<1, 2>>>(x, y); }",
         "line 6 has k<float, 3>; line 6 has k<float, 5>", "--template N=3"),
    ],
)  # fmt: skip
def test_an_open_argument_is_refused_with_the_option(host: str, note: str, help: str) -> None:
    found = refusal(KERNEL + host)
    assert found.code.slug == "template-argument"
    assert (found.note, found.help) == (note, f"specify it: {help}")


@pytest.mark.parametrize(
    "host",
    ["void f() { k<<<1, 2>>>(x, y); }", "void f() { k<T, 3><<<1, 2>>>(x, y); }",
     "template <class U> void f() { k<U, 3><<<1, 2>>>(x, y); f<U *>(); }"],
)  # fmt: skip
def test_a_type_of_which_nothing_is_said_is_float(host: str) -> None:
    assert instance(KERNEL.replace("int N", "int N = 2") + host)[0] == ("T", "float", "")


@pytest.mark.parametrize(
    ("template", "special"),
    [
        ("float f(const T *x)", "float f(const float *__restrict__ x)"),
        ("T f(const T *x)", "real f(const real *x)"),
        ("float f(const float *x, size_t n)", "float f<float>(const float *x, unsigned long n)"),
    ],
)
def test_a_specialisation_is_taken_whatever_its_types_are_called(template: str, special: str) -> None:
    before = f"typedef float real;\ntemplate <class T> __device__ {template};\n"
    before += f"template <> __device__ {special} {{ return x[1]; }}\n"
    call = "f(x)" if "(const T" in template else "f<float>(x, 3)"
    found = parse.program(source(kernel(f"    y[0] = {call};", before)))
    assert [irtext.show(f.body).strip() for f in found.functions.values()] == ["return x[1];"]


def test_a_specialisation_of_an_overload_with_fewer_parameters_isn_t_taken() -> None:
    before = (
        "template <class T> __device__ T f(T x, T y) { return x - y; }\n"
        "template <> __device__ float f(float x, float y) { return x + y; }\n"
        "template <class T> __device__ T f(T x, T y, T z) { return x * y * z; }\n"
        "template <> __device__ double f(double x, double y, double z) { return x; }\n"
    )
    found = parse.program(source(kernel("    y[0] = f(x[0], x[1]) + f(x[0], x[1], x[2]);", before)))
    bodies = [irtext.show(f.body).strip() for f in found.functions.values()]
    assert bodies == ["return x + y;", "return x * y * z;"]


def test_a_specialisation_for_another_result_isn_t_taken() -> None:
    before = (
        "template <class T> __device__ T f(float x) { return x + x; }\n"
        "template <> __device__ double f(float x) { return x * x; }\n"
    )
    found = parse.program(source(kernel("    y[0] = f<float>(x[0]);", before)))
    assert [irtext.show(f.body).strip() for f in found.functions.values()] == ["return x + x;"]


@pytest.mark.parametrize(
    ("host", "help"),
    [
        ("template <class U> void f() { k<U, 3><<<1, 2>>>(x, y); }\nvoid g() { f<double>(); }", "T=double"),
        ("template <class U> void f() { k<U, 3><<<1, 2>>>(x, y); }\nvoid g() { f<int>(); f<float>(); }",
         "T=float"),
        ("template <class U> void f() { k<U, sizeof(U) / 4><<<1, 2>>>(x, y); }\n"
         "template <class V> void g() { f<V>(); }\nvoid h() { g<double>(); }", "T=double,N=sizeof(double)/4"),
        ("template <class U> void f() { const int M = sizeof(U) / 4; k<U, M><<<1, 2>>>(x, y); }\n"
         "void g() { f<double>(); }", "T=double,N=sizeof(double)/4"),
        ("template <class U> void f() { k<U, 3><<<1, 2>>>(x, y); f<U *>(); }\nvoid g() { f<float>(); }",
         "T=float"),
    ],
)  # fmt: skip
def test_the_option_names_what_launches_in_host_templates_say(host: str, help: str) -> None:
    assert refusal(KERNEL + host).help == f"specify it: --template {help}"


@pytest.mark.parametrize(
    ("body", "type"),
    [("y[0].y = x[0].x;", "float2"), ("T v = x[i + 1];\n y[0] = v.z;", "float3"), ("y[0].w = 1;", "float4"),
     ("y[0] = x[0].real();", "float"), ("y[0].x = x[0].re;", "float")],
)  # fmt: skip
def test_the_option_names_a_vector_where_the_fields_of_one_are_used(body: str, type: str) -> None:
    kernel = f"template <class T>\n__global__ void k(const T *__restrict__ x, T *y) {{ {body} }}"
    assert refusal(kernel).help == f"specify it: --template T={type}"


@pytest.mark.parametrize(
    ("template", "code"),
    [
        ({"T": "float", "N": "n"}, "unknown-name"),
        ({"T": "float", "N": "1.5 +"}, "syntax-error"),
        ({"T": "strange", "N": "1"}, "unknown-type"),
        ({"U": "float"}, "no-such-template-parameter"),
    ],
)
def test_an_argument_without_a_meaning_is_refused(template: dict[str, str], code: str) -> None:
    with pytest.raises(Rejected) as caught:
        instance(KERNEL, **template)
    assert [d.code.slug for d in caught.value.diagnostics] == [code]


def test_the_primal_that_is_run_is_the_instance() -> None:
    text = extract(source(KERNEL), "k", template={"T": "unsigned int", "N": "2 + 1", "B": "true"})
    said = " ".join(line for line in text.split("\n") if not line.startswith("#line"))
    assert " ".join(said.split()) == (
        'extern "C" __global__ void k ( const unsigned int * x , unsigned int * y ) '
        "{ y [ 0 ] = (2 + 1) * x [ true ] ; }"
    )


def test_a_parameter_s_default_may_need_another_one() -> None:
    text = "template <typename T = float, int N = 2, int M = 2 * N + 1>\n"
    text += "__global__ void k(T *y) { y[0] = M * y[1]; }"
    body: Any = parse.program(source(text), kernel="k", template={"N": "4"}).kernel.body
    assert irtext.show(body) == "y[0] = <float>9 * y[1];"


@pytest.mark.parametrize(
    ("said", "number"),
    [("sizeof(float4) / sizeof(float)", 4), ("2*sizeof( Cell )", 16), ("sizeof(double)", 8)],
)
def test_an_argument_may_be_made_of_sizes_of_types(said: str, number: int) -> None:
    text = "struct Cell { float a; int b; };\ntemplate <int N>\n"
    text += "__global__ void k(float *y, const Cell *c) { y[0] = N * c[0].a; }"
    body: Any = parse.program(source(text), kernel="k", template={"N": said}).kernel.body
    assert irtext.show(body) == f"y[0] = <float>{number} * c[0].a;"


# ---- what a parameter has inside -----------------------------------------------

POLICY = (
    "struct Law { typedef float scalar; static constexpr int order = 3;"
    " static __device__ float of(float a) { return a * order; } };\n"
    "template <typename L> __device__ float twice(float a)"
    " { typename L::scalar b = L::of(a); return b + b; }\n"
)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("y[0] = L::order;", "y[0] = <float>3;"),
        ("typename L::scalar a = x[0]; y[0] = a;", "float a = x[0];\n    y[0] = a;"),
        ("using M = L; y[0] = M::of(x[0]);", "y[0] = x[0] * <float>3;"),
        ("y[0] = twice<L>(x[0]);", "y[0] = twice_Law(x[0])"),
    ],
)
def test_types_constants_and_functions_of_a_parameter_are_those_of_its_class(
    statement: str, expected: str
) -> None:
    text = f"{POLICY}template <typename L> __global__ void k(const float *x, float *y) {{ {statement} }}\n"
    found = parse.program(source(text), kernel="k", template={"L": "Law"})
    assert expected in irtext.show(found.kernel)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("y[0] = L::missing;", "type-error"),
        ("typename L::missing a = x[0];", "unknown-type"),
        ("y[0] = L::missing(x[0]);", "function-pointer"),
        ("int L = 3; y[0] = L::order;", "no-namespaces"),
    ],
)
def test_what_its_class_does_not_have_is_refused(statement: str, code: str) -> None:
    text = f"{POLICY}template <typename L> __global__ void k(const float *x, float *y) {{ {statement} }}\n"
    with pytest.raises(Rejected) as caught:
        parse.program(source(text), kernel="k", template={"L": "Law"})
    assert caught.value.diagnostics[0].code.slug == code


def test_a_class_that_has_what_the_kernel_names_is_the_advice() -> None:
    text = "struct Other { };\n" + POLICY
    text += "template <typename L> __global__ void k(const float *x, float *y) { y[0] = L::order * x[0]; }\n"
    with pytest.raises(Rejected) as caught:
        parse.program(source(text), kernel="k")
    assert caught.value.diagnostics[0].help == "specify it: --template L=Law"


BETWEEN = "template <class K> __device__ K between(K *a, K *b) { K p = a[0]; return p * b[1]; }\n"


def test_a_parameter_of_a_template_may_stand_for_constants() -> None:
    text = BETWEEN + "__global__ void k(const float *x, float *y) { y[0] = between(x, x); }\n"
    (made,) = parse.program(source(text)).functions.values()
    assert "between(const float *a, const float *b)" in irtext.show(made)


@pytest.mark.parametrize("call", ["between(x, y)", "between<float>(x, x)", "between(y, x)"])
def test_a_parameter_of_a_template_stands_for_one_type(call: str) -> None:
    text = BETWEEN + f"__global__ void k(const float *x, float *y) {{ y[0] = {call}; }}\n"
    with pytest.raises(Rejected) as caught:
        parse.program(source(text))
    assert [d.code.slug for d in caught.value.diagnostics] == ["wrong-arguments"]


def test_an_example_of_the_option_has_as_many_threads_as_a_reduction_takes() -> None:
    text = (
        "template <int BLOCK, int N> __global__ void k(const float *x, float *y)\n"
        "{ __shared__ typename cub::BlockReduce<float, BLOCK>::TempStorage s;\n"
        "float sum = cub::BlockReduce<float, BLOCK>(s).Sum(x[threadIdx.x * N]);\n"
        "if (threadIdx.x == 0) y[blockIdx.x] = sum; }"
    )
    with pytest.raises(Rejected) as caught:
        parsed(text, "k")
    (diagnostic,) = caught.value.diagnostics
    assert "--template BLOCK=128,N=4" in diagnostic.help


def test_what_a_specialisation_returns_says_too_for_which_arguments_it_is() -> None:
    before = (
        "template <typename T> __device__ T made(float2 a) { return a; }\n"
        "template <> __device__ float made(float2 a) { return a.x; }\n"
    )
    body = "float2 v = make_float2(x[0], 1.0f); y[0] = made<float2>(v).y + made<float>(v);"
    assert "y[0] = v.y + v.x;" in irtext.show(program(body, before).kernel)


def test_an_example_of_the_option_names_enumerators_and_what_another_use_says() -> None:
    text = (
        "enum class Kind { SUM, MEAN };\n"
        "template <typename T, Kind KIND, int N, bool FAST> __global__ void k(const T *x, T *y)\n"
        "{ y[threadIdx.x] = x[threadIdx.x]; }\n"
        "void run() { k<float, KIND, 4, true><<<1, 1>>>(x, y); k<double, KIND, 4><<<1, 1>>>(x, y); }"
    )
    with pytest.raises(Rejected) as caught:
        parsed(text, "k")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.help.endswith("--template T=float,KIND=Kind::SUM,FAST=true")


# ---- what arguments decide ---------------------------------------------------

DECIDES = """enum Kind {{ SUM, LEAST }};
template <Kind KIND> __global__ void k(const float *x, float *y, int n)
{{
    {body}
}}"""


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("if (KIND == SUM) y[0] = x[0]; else atomicCAS((int *)y, 0, 1);", "y[0] = x[0];"),
        ("if (KIND == LEAST) atomicCAS((int *)y, 0, 1); y[0] = x[0];", "y[0] = x[0];"),
        ("if (!(KIND == LEAST) && n > 2) y[0] = x[0];", "if (n > 2) {"),
        ("if (n > 2 && KIND == LEAST) atomicCAS((int *)y, 0, 1); else y[0] = x[0];", "y[0] = x[0];"),
        ("if (n > 2 || KIND == LEAST) y[0] = x[0];", "if (n > 2) {"),
        ("y[0] = KIND == SUM ? n : x[0];", "y[0] = <float>n;"),
        ("if (KIND != LEAST) { float t = x[0]; y[0] = t; }", "float t = x[0];"),
        ("{ int q = n; if (q == SUM) y[0] = x[0]; }", "if (q == SUM) {"),
    ],
)
def test_what_the_arguments_of_a_template_decide_leaves_one_branch(body: str, left: str) -> None:
    program = parse.program(source(DECIDES.format(body=body)), kernel="k", template={"KIND": "SUM"})
    shown = irtext.show(program.kernel)
    assert left in shown
    assert "LEAST" not in shown


def test_an_effect_before_what_a_template_decides_stays() -> None:
    body = "if (n++ > 2 && KIND == LEAST) y[1] = x[1]; y[n] = x[0];"
    program = parse.program(source(DECIDES.format(body=body)), kernel="k", template={"KIND": "SUM"})
    assert "n" in irtext.show(program.kernel).partition("y[")[0].partition("{")[2]


TYPES = [
    ("std::remove_cv_t<const int> v = 1;", "int"),
    ("std::remove_reference_t<decltype(n)> v = 1;", "int"),
    ("typename std::conditional<(sizeof(double) > 4), double, float>::type v = 1;", "double"),
    ("std::conditional_t<false, double, float> v = 1;", "float"),
    ("std::make_unsigned_t<long> v = 1;", "unsigned long"),
    ("std::make_signed<unsigned char>::type v = 1;", "signed char"),
    ("const float &r = x[0]; std::decay_t<decltype(r)> v = 1;", "float"),
    ("using real = double; std::remove_const_t<real> v = 1;", "double"),
    ("float s = 0; decltype(s) v = 1;", "float"),
]


@pytest.mark.parametrize(("text", "type"), TYPES)
def test_the_standard_library_makes_types_of_types(text: str, type: str) -> None:
    program = parse.program(source(kernel(text)))
    (sym,) = (s.sym for s in program.kernel.body if isinstance(s, ir.Declare) and s.sym.name == "v")
    assert isinstance(sym.type, ir.Scalar)
    assert sym.type.name == type


@pytest.mark.parametrize(
    "text",
    [
        "std::make_unsigned_t<float> v = 1;",
        "std::conditional<true, int, float> v = 1;",
        "std::remove_cv_t<3> v = 1;",
        "decltype(x[0]) v = 1;",
        "decltype(x) v = 1;",
        "std::conditional_t<(n > 2), int, float> v = 1;",
    ],
)
def test_what_is_no_such_type_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        parse.program(source(kernel(text)))
