"""Several kernels of one name: which is meant, and what is said where that can't be told."""

from __future__ import annotations

from pathlib import Path

import pytest
from front import source

from s2sad import irtext, parse
from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.parse import reading
from s2sad.pipeline import transform

OVERLOADS = """__global__ void step(float *x, const float *g, int n)
{ x[0] -= 1.0f * g[0]; }
__global__ void step(float *x, const float *g, float a, int n = 4)
{ x[0] -= 2.0f * g[0]; }
"""
SPACES = """__global__ void f(const float *x, float *y) { y[0] = 1.0f * x[0]; }
namespace a { __global__ void f(const float *x, float *y) { y[0] = 2.0f * x[0]; } }
namespace b { namespace a { __global__ void f(const float *x, float *y) { y[0] = 3.0f * x[0]; } } }
"""
SPECIAL = """typedef float real;
struct Pair { float a, b; };
template <typename T, int N> __global__ void f(const T *x, T *y) { y[0] = T(1) * x[0]; }
template <> __global__ void f<float, 2>(const float *x, float *y) { y[0] = 2.0f * x[0]; }
template <> __global__ void f<real, 0x3>(const real *x, real *y) { y[0] = 3.0f * x[0]; }
template <> __global__ void f<double, 2>(const double *x, double *y) { y[0] = 4.0 * x[0]; }
"""


def factor(text: str, kernel: str | None, **template: str) -> str:
    """What the kernel multiplies by: each of a name has another."""
    program = parse.program(source(text), kernel=kernel, template=template)
    body = irtext.show(program.kernel)
    return next(word for word in ("1.0", "2.0", "3.0", "4.0", "1 ", "(T") if word in body)


def said(text: str, kernel: str | None, **template: str) -> str:
    with pytest.raises(Rejected) as caught:
        parse.program(source(text), kernel=kernel, template=template)
    (only,) = caught.value.diagnostics
    return f"{only.code.slug}: {only.help}"


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [("step@1", "1.0"), ("step@2", "1.0"), ("step@3", "2.0"), ("step@k.cu:4", "2.0")],
)
def test_a_place_says_which_of_two_overloads(kernel: str, expected: str) -> None:
    assert factor(OVERLOADS, kernel) == expected


@pytest.mark.parametrize(
    ("kernel", "expected"), [("::f", "1.0"), ("b::a::f", "3.0"), ("f@2", "2.0"), ("::a::f", "2.0")]
)
def test_a_namespace_says_which_of_several(kernel: str, expected: str) -> None:
    assert factor(SPACES, kernel) == expected


@pytest.mark.parametrize("kernel", ["f", "a::f"])
def test_a_name_that_several_namespaces_have_is_refused(kernel: str) -> None:
    assert said(SPACES, kernel).startswith("overloaded-kernel: choose one:\ns2sad transform k.cu --kernel ")


@pytest.mark.parametrize("kernel", ["step@5", "step@other.cu:1", "c::f", "step@", "st ep"])
def test_a_place_where_no_kernel_of_the_name_is_is_refused(kernel: str) -> None:
    assert said(OVERLOADS + SPACES, kernel).startswith("no-such-kernel: it has step@1, step@3, ")


def test_overloads_without_a_choice_are_listed_each_with_its_command() -> None:
    assert said(OVERLOADS, None) == (
        "overloaded-kernel: choose one:\n"
        "s2sad transform k.cu --kernel step@1  # (float *x, const float *g, int n)\n"
        "s2sad transform k.cu --kernel step@3  # (float *x, const float *g, float a, int n = 4)"
    )


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("step<<<n / (2 + 1), 32>>>(x, f(a, b), n);", "1.0"),
        ("step<<<1, 32>>>(x, g, 1.0f, n); step<<<dim3(1, 2), 32, 0, s>>>(x, g, 2.0f, n);", "2.0"),
    ],
)
def test_the_only_one_that_the_launches_can_mean_is_taken_and_that_is_said(host: str, expected: str) -> None:
    text = OVERLOADS.replace("int n = 4", "int n") + "void run() { " + host + " }\n"
    assert factor(text, "step") == expected
    (note,) = parse.program(source(text), kernel="step").remarks
    assert note.code.slug == "kernel-taken"


@pytest.mark.parametrize(
    "host",
    [
        "step<<<1, 32>>>(x, g, n); step<<<1, 32>>>(x, g, a, n);",  # both are launched
        "step<<<1, 32>>>(x, g, k);",  # with `int n = 4` it may be either
        "step<<<1, 32>>>(x, f<a, b>(g), n);",  # how many these are takes a parser
        "step<<<1, 32>>>(x, g, a, n); launch((void *)step, 1, 32);",  # a use that is no launch
        "step<<<1, 32>>>(x, n);",  # none fits
    ],
)
def test_launches_that_leave_it_open_choose_nothing(host: str) -> None:
    assert said(OVERLOADS + "void run() { " + host + " }\n", "step").startswith("overloaded-kernel")


def test_a_parameter_of_the_template_says_which_overload() -> None:
    text = (
        "template <typename K> __global__ void f(K *x) { x[0] = 1.0f * x[0]; }\n"
        "template <typename K, typename V> __global__ void f(K *x, V *y) { y[0] = 2.0f * x[0]; }\n"
    )
    assert factor(text, "f", K="float", V="float") == "2.0"
    assert said(text, "f", K="float").startswith("overloaded-kernel")


def test_template_arguments_are_taken_from_launches_of_this_overload_alone() -> None:
    text = (
        "template <typename K> __global__ void f(K *x) { x[0] = 1.0f * x[0]; }\n"
        "template <typename K> __global__ void f(K *x, int n) { x[0] = 2.0f * x[0]; }\n"
        "void run() { f<double><<<1, 1>>>(x); f<float><<<1, 1>>>(x, 3); }\n"
    )
    assert [a.text for a in parse.program(source(text), kernel="f@2").template] == ["float"]
    assert [a.text for a in parse.program(source(text), kernel="f@1").template] == ["double"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"T": "float", "N": "2"}, "2.0"),
        ({"T": "real", "N": "0x2"}, "2.0"),
        ({"T": "float", "N": "3u"}, "3.0"),
        ({"T": "double", "N": "2"}, "4.0"),
    ],
)
def test_the_specialisation_for_the_arguments_is_the_kernel(arguments: dict[str, str], expected: str) -> None:
    assert factor(SPECIAL, "f", **arguments) == expected


@pytest.mark.parametrize("arguments", [{"T": "float", "N": "4"}, {"T": "double", "N": "3"}])
def test_for_other_arguments_the_template_is(arguments: dict[str, str]) -> None:
    program = parse.program(source(SPECIAL), kernel="f", template=arguments)
    assert program.kernel.span is not None
    assert program.kernel.span.line == 3


def test_a_specialisation_that_may_fit_is_refused() -> None:
    text = SPECIAL + "enum { two = 2 };\n"
    found = said(text, "f", T="float", N="two")
    assert found.startswith("specialisation-open: write each argument as a plain type or number")
    assert found.endswith("--kernel f@4")


def test_a_specialisation_in_another_namespace_is_of_another_template() -> None:
    text = (
        "template <typename T> __global__ void f(T *x) { x[0] = 1.0f * x[0]; }\n"
        "namespace a { template <typename T> __global__ void f(T *x);\n"
        "template <> __global__ void f<float>(float *x) { x[0] = 2.0f * x[0]; } }\n"
    )
    assert factor(text, "::f", T="float") == "1.0"
    assert factor(text, "a::f") == "2.0"


def test_a_specialisation_that_is_named_by_its_place_says_what_the_parameters_are() -> None:
    program = parse.program(source(SPECIAL), kernel="f@6")
    assert [(a.name, a.text, a.origin) for a in program.template] == [
        ("T", "double", "its specialisation in line 6"),
        ("N", "2", "its specialisation in line 6"),
    ]


def test_a_header_and_the_file_may_have_the_same_line(tmp_path: Path) -> None:
    (tmp_path / "h.cuh").write_text("__global__ void f(float *x, int n) { x[0] = 1.0f * x[0]; }\n")
    text = '\n#include "h.cuh"\n__global__ void f(float *x) { x[0] = 2.0f * x[0]; }\n'
    entries = reading.kernels(source(text, str(tmp_path / "k.cu")), {}, [tmp_path])
    assert [e.choice for e in entries] == ["f@h.cuh:1", "f@3"]


@pytest.mark.parametrize(
    ("text", "options", "line"),
    [
        (OVERLOADS, Options(kernel="step@1"), 2),
        (OVERLOADS, Options(kernel="step@3"), 4),
        (SPECIAL, Options(kernel="f", template=(("T", "float"), ("N", "2"))), 4),
        (SPECIAL, Options(kernel="f", template=(("T", "float"), ("N", "9"))), 3),
        (SPACES, Options(kernel="b::a::f"), 3),
    ],
)
def test_what_is_run_is_the_kernel_that_was_differentiated(text: str, options: Options, line: int) -> None:
    done = transform(source(text), options)
    body = text.split("\n")[line - 1].rpartition("{ ")[2].partition(";")[0].replace("T(1)", "float (1)")
    squeezed = "".join(done.pair.primal_text.split())
    assert "".join(body.split()) in squeezed.replace("(float)(1)", "float(1)")
    assert squeezed.count("__global__") == 1
