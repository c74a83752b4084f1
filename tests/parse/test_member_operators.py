"""Operators that are templates in their class: which of them become functions outside it."""

from __future__ import annotations

import pytest

from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """%s
__global__ void kernel(const float *x, float *y)
{
    %s
}
"""
MATRIX = """template <int N> struct Row { float v[N];
    template <typename S> __device__ Row operator*(S s) const { Row r; r.v[0] = s * v[0]; return r; } };
"""
USED = "Row<1> a = {{x[0]}}; a = a * x[1]; y[0] = a.v[0];"


def made(own: str, body: str) -> str:
    return transform(Source("kernel.cu", KERNEL % (own, body)), Options(of=("y",), wrt=("x",))).text


def refused(own: str, body: str) -> str:
    with pytest.raises(Rejected) as rejected:
        made(own, body)
    return rejected.value.diagnostics[0].title


def test_the_name_of_a_class_template_means_its_own_instance() -> None:
    assert "adj_x[1] += a.v[0] * g_r_v;" in made(MATRIX, USED)


@pytest.mark.parametrize(
    "operator",
    [
        "using S = float; template <typename T> __device__ V operator*(T s) const { return V{a * S(s)}; }",
        "template <typename... T> __device__ V operator*(T... s) const { return *this; }",
        "template <typename T> V operator*(T s) const { return *this; }",
    ],
)
def test_what_only_the_class_can_mean_is_refused_where_it_is_used(operator: str) -> None:
    own = f"struct V {{ float a; {operator} }};"
    assert refused(own, "V a = {x[0]}; a = a * x[1]; y[0] = a.a;") == "the operator `*` of `V`, a template"
    assert "adj_x[0] += adj_y[0]" in made(own, "V a = {x[0]}; y[0] = a.a;")


def test_a_specialisation_of_the_class_may_have_another_operator() -> None:
    special = "template <> struct Row<2> { float v[2]; };"
    assert refused(MATRIX + special, USED) == "the operator `*` of `Row_1`, a template"


def test_a_parameter_hides_a_field() -> None:
    operator = "template <typename T> __device__ V operator*(T a) const { return V{a * this->a}; }"
    body = "V v = {x[0]}; v = v * x[1]; y[0] = v.a;"
    assert "adj_x[1] += v.a * adj_v.a;" in made(f"struct V {{ float a; {operator} }};", body)
