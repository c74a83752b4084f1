"""The top level of a file: what is recognised, and host code that nobody parses."""

from __future__ import annotations

import pytest
from front import kernel, parsed, place, refusal, refusals, source, unit

from s2sad.diagnostics import Rejected
from s2sad.parse import reading
from s2sad.parse.source.toplevel import split

HOST = r"""
#include <vector>
using namespace std;
template <typename T, int N = (3 > 2)> struct Box { T t[N]; Box() : t{} {} ~Box() {} };
template <class T> T twice(T t) { return t + t; }
class A : public B<int> { public: A(int i) : a(i), b{2} {} int operator()(int x) const { return x; }
    static constexpr int c = 3; private: int a, b; };
A::A(int i) try : a(i) { } catch (...) { }
bool operator<(const A &a, const A &b) { return true; }
int A::f() const noexcept(true) { return 1'000; }
auto g(int x) -> decltype(x + 1) { auto l = [=](int y) mutable { return y > x; }; return l(3) >> 2; }
std::map<std::string, std::vector<int>> table = {{"a", {1, 2}}, {"}", {3}}};
const char *text = R"x(
    __global__ void not_a_kernel(float *x) { } )" }}} )x";
int array[] = {1, 2, 3}, *pointer = &array[0];
enum class Scoped : unsigned char { A, B };
static_assert(sizeof(int) == 4, "}");
int main(int argc, char **argv)
{
    float *x; cudaMalloc((void **)&x, 4);
    k<<<dim3(1, 2), (n + 255) / 256, 0, stream>>>(x, x, 3);
    for (auto &[a, b] : table) std::cout << a << "{" << '{' << b.size() << std::endl;
    if (argc < 2) throw std::runtime_error("no");
    return 0;
}
"""


def test_host_code_may_be_any_cpp() -> None:
    syntax = parsed(HOST + kernel("    y[0] = x[0];") + HOST)
    assert syntax.kernel.decl.name == "k"
    assert syntax.functions == syntax.constants == syntax.types == ()


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("__global__ void k(float *x) { }", "kernel", ("k",)),
        ('extern "C" __global__ void __launch_bounds__(32 * 4, 2) k(float *x) { }', "kernel", ("k",)),
        ("__global__ __attribute__((used)) void k(float *x) { }", "kernel", ("k",)),
        ("static __device__ __forceinline__ float f(float x) { return x; }", "device", ("f",)),
        ("__host__ __device__ inline float f(float x) noexcept { return x; }", "device", ("f",)),
        ("float f(float x) { return x; }", "host", ("f",)),
        ("__device__ float f(float x);", "prototype", ("f",)),
        ("template <typename T> __global__ void k(T *x) { }", "template", ("k",)),
        ("template <> __device__ float f<3>(float x) { return x; }", "template", ("f",)),
        (
            "template <int N, bool B = N <= 4, int M = 1 << N> __global__ void k(float *x) { }",
            "template",
            ("k",),
        ),
        ("template __global__ void k<float, 3>(float *x);", "other", ()),
        ("typedef float real, *realp;", "typedef", ("real", "realp")),
        ("typedef float row[4];", "typedef", ("row",)),
        ("typedef Pair<T, Other<int, N> > Both;", "typedef", ("Both",)),
        ("std::map<int, Pair<T, U>> table = {}, other;", "variable", ("table", "other")),
        ("typedef float (*f)(float);", "typedef", ("f",)),
        ("typedef enum { A, B = 2 } Mode;", "typedef", ("Mode", "A", "B")),
        ("typedef struct { float x; } P;", "struct", ("P",)),
        ("using real = float;", "alias", ("real",)),
        ("enum Mode { A, B = A + 1, C };", "enum", ("Mode", "A", "B", "C")),
        ("enum { A };", "enum", ("A",)),
        ("enum class Mode : int { A };", "enum", ("Mode", "A")),
        ("struct __align__(8) P { float x, y; } p, q;", "struct", ("P", "p", "q")),
        ("struct P;", "struct", ("P",)),
        ("static const float w[2] = {1, 2}, v = 3;", "variable", ("w", "v")),
        ("__constant__ float c[N];", "variable", ("c",)),
        ("constexpr float c{1.0f};", "variable", ("c",)),
        ("constexpr unsigned int N(1024);", "variable", ("N",)),
        ("static const int M((N - 1) / 2);", "variable", ("M",)),
        ("constexpr unsigned int N(M + 1);", "variable", ("N",)),
        ("constexpr float f(float x);", "prototype", ("f",)),
        ("constexpr float f();", "prototype", ("f",)),
        ("bool operator<(A a, A b) { return true; }", "host", ("operator<",)),
        ("int A::f() { return 1; }", "other", ()),
        ("static_assert(true);", "prototype", ("static_assert",)),
    ],
)
def test_an_item_has_a_kind_and_names(text: str, kind: str, names: tuple[str, ...]) -> None:
    (item,) = split(unit(text).tokens)
    assert (item.kind, item.names) == (kind, names) or kind == "prototype"


def test_namespaces_and_linkage_blocks_are_looked_into() -> None:
    text = 'namespace { namespace a::b { inline namespace c { extern "C" {\n'
    text += "__device__ float f(float x) { return x; } } } } }\n"
    assert [f.decl.name for f in parsed(text + kernel("    y[0] = f(x[0]);")).functions] == ["f"]


def test_kernels_are_listed_with_their_parameters() -> None:
    text = "template <int N> __global__ void a(float *x) {}\n" + kernel("", "\n") + "__global__ void b();\n"
    found = reading.kernels(source(text))
    assert [(k.name, k.span.line, k.parameters, k.is_template) for k in found] == [
        ("a", 1, "float *x", True),
        ("k", 3, "const float *x, float *y, int n", False),
    ]


# ---- which kernel ------------------------------------------------------------


def test_several_kernels_need_a_choice() -> None:
    text = kernel("") + kernel("").replace("k(", "other(")
    d = refusal(text)
    assert place(d) == (1, 17, "several-kernels")
    assert "s2sad transform k.cu --kernel other" in d.help
    assert parsed(text, "other").kernel.decl.name == "other"


def test_a_constant_in_parentheses_may_be_a_product() -> None:
    text = "constexpr unsigned rows(4);\nconst int cells(rows * rows);\nconst float *row(Rows *rows);\n"
    kinds = [(item.kind, item.names) for item in split(unit(text).tokens)]
    assert kinds == [("variable", ("rows",)), ("variable", ("cells",)), ("prototype", ("row",))]


def test_a_name_that_isn_t_there_lists_those_that_are() -> None:
    d = refusal(kernel(""), "kk")
    assert d.code.slug == "no-such-kernel"
    assert "k" in d.help.split()


@pytest.mark.parametrize("text", ["", "\n\n", "int main() { }", "__global__ void k(float *x);", "// nothing"])
def test_a_file_without_a_kernel_is_refused(text: str) -> None:
    with pytest.raises(Rejected) as caught:
        reading.parse(source(text))
    assert [d.code.slug for d in caught.value.diagnostics] == ["no-kernel"]


def test_a_kernel_template_needs_its_arguments() -> None:
    assert refusals("template <int N>\n__global__ void k(float *x) { }") == [(1, 15, "template-argument")]
    for pack in ("class... T", "class Index", "template <class> class T"):
        assert refusals(f"template <{pack}>\n__global__ void k(float *x) {{ }}")[0][2] == "template-argument"


def test_two_kernels_of_one_name_are_refused() -> None:
    assert refusals(kernel("") + kernel("")) == [(1, 17, "overloaded-kernel")]


# ---- truncated files ---------------------------------------------------------


def test_a_missing_brace_is_said_where_the_open_one_is() -> None:
    d = refusal("int main() {\n    if (1) {\n}\n" + kernel(""))
    assert place(d) == (1, 12, "syntax-error")
    assert "line 4" in d.help


@pytest.mark.parametrize("text", ["}", "int x; }\n", "namespace a {", 'extern "C" {', "int f(", "int x[3"])
def test_an_unbalanced_file_is_refused(text: str) -> None:
    with pytest.raises(Rejected) as caught:
        reading.parse(source(text + "\n"))
    assert [d.code.slug for d in caught.value.diagnostics] == ["syntax-error"]
