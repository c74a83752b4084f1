"""`enable_if`: conditions that choose among templates are judged, never passed over."""

from __future__ import annotations

import pytest
from front import source

from s2sad import irtext, parse
from s2sad.diagnostics import Rejected

KERNEL = "__global__ void k(const float *x, float *y, int n) { y[0] = f(x[0]); y[1] = f(n); }\n"
FORMS = [
    ("template <typename T, std::enable_if_t<{}> * = nullptr>", "T"),
    ("template <typename T, typename = std::enable_if_t<{}>>", "T"),
    ("template <typename T, typename std::enable_if<{}, int>::type = 0>", "T"),
    ("template <typename T>", "std::enable_if_t<{}, T>"),
    ("template <typename T>", "typename std::enable_if<{}, T>::type"),
]


def of(head: str, result: str, condition: str, body: str) -> str:
    return f"{head.format(condition)} __device__ {result.format(condition)} f(T a) {{ {body} }}\n"


@pytest.mark.parametrize(("head", "result"), FORMS)
def test_the_template_whose_condition_holds_is_called(head: str, result: str) -> None:
    text = of(head, result, "std::is_integral<T>::value", "return a / 2;")
    text += of(head, result, "!std::is_integral<T>::value", "return a * 3;")
    functions = parse.program(source(text + KERNEL)).functions.values()
    assert [irtext.show(f).split("\n")[0].partition("(")[2] for f in functions] == ["float a)", "int a)"]
    assert ["* <float>3" in irtext.show(f) for f in functions] == [True, False]


@pytest.mark.parametrize(("head", "result"), FORMS)
def test_a_call_for_which_no_condition_holds_is_refused(head: str, result: str) -> None:
    text = of(head, result, "std::is_integral<T>::value", "return a / 2;")
    with pytest.raises(Rejected) as caught:
        parse.program(source(text + KERNEL))
    (only,) = caught.value.diagnostics
    assert (only.title, only.label) == ("no `f` is enabled for these types", "its `enable_if` is false")


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("Missing<T>::value", "no-templates"),
        ("Open<T>::value", "not-defined"),
        ("Late<T>::value", "type-error"),
        ("std::is_class<T>::value", "no-templates"),
    ],
)
def test_a_condition_that_cannot_be_judged_is_refused(condition: str, code: str) -> None:
    text = "template <typename T> struct Open;\n"
    text += "template <typename T> struct Late { static const bool value; };\n"
    text += of(*FORMS[0], condition, "return a;")
    text += of(*FORMS[0], "true", "return a * 2;")
    with pytest.raises(Rejected) as caught:
        parse.program(source(text + KERNEL))
    assert code in [d.code.slug for d in caught.value.diagnostics]


def test_a_parameter_behind_a_condition_is_refused() -> None:
    head = "template <typename T, std::enable_if_t<true> * = nullptr, int N = 3>"
    text = head + " __device__ T f(T a) { return a; }\n"
    with pytest.raises(Rejected) as caught:
        parse.program(source(text + KERNEL))
    assert [d.code.slug for d in caught.value.diagnostics] == ["no-templates"]


def test_a_kernel_is_there_only_for_arguments_for_which_its_condition_holds() -> None:
    text = (
        "template <typename T, typename std::enable_if<std::is_same<T, float>::value, int>::type = 0>\n"
        "__global__ void k(const T *x, T *y) { y[0] = x[0]; }\n"
    )
    parse.program(source(text), template={"T": "float"})
    with pytest.raises(Rejected) as caught:
        parse.program(source(text), template={"T": "double"})
    (only,) = caught.value.diagnostics
    assert only.title == "k is not enabled for T = double"
    (unsaid,) = parse.program(source(text)).template
    assert (unsaid.text, unsaid.origin) == ("float", "")  # of which nothing is said
