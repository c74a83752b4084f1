"""Sums of products in adjoints: what all terms share stands once, and no sign is left inside."""

from __future__ import annotations

import pytest

import s2sad


def adjoint(statement: str, before: str = "") -> str:
    """The emitted adjoint of a kernel of one statement on x[i], p[i] and q[i]."""
    text = (
        "__global__ void k(const float *x, const float *p, const float *q, float *y, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (i >= n) return;\n    float v = x[i];\n    {before}\n    {statement}\n}}\n"
    )
    return s2sad.transform(text, name="k.cu", of=["y"], wrt=["x"]).source


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("y[i] = p[i] * v - v * q[i];", "adj_x[i] += (p[i] - q[i]) * adj_y[i];"),
        ("y[i] = -(p[i] * v) - v * q[i];", "adj_x[i] -= (p[i] + q[i]) * adj_y[i];"),
        ("y[i] = v * v * p[i] + v * v * p[i];", "adj_x[i] += 4.0f * v * p[i] * adj_y[i];"),
        ("y[i] = 0.3f * -v;", "adj_x[i] -= 0.3f * adj_y[i];"),
    ],
)
def test_what_all_terms_share_stands_once(statement: str, expected: str) -> None:
    assert expected in adjoint(statement)


@pytest.mark.parametrize("statement", ["y[i] = v + v * p[i];", "y[i] = 3.0f * v - v * p[i];"])
def test_one_multiply_add_stays_one(statement: str) -> None:
    assert "(" not in adjoint(statement).rsplit("adj_x[i] +=", 1)[1].split(";")[0]


def test_integers_are_added_as_floats() -> None:
    """`(j + k) * g` would add integers, which wrap."""
    out = adjoint("y[i] = j * v + k * v;", "int j = n + 1; int k = n + 2;")
    assert "((float)j + k) * adj_y[i]" in out


def test_values_of_the_primal_are_left_alone() -> None:
    """What the forward sweep runs keeps the author's order of operations."""
    out = adjoint("y[i] = v * v;", "v = p[i] * v - v * q[i];")
    assert "v = p[i] * v - v * q[i];" in out


def test_what_is_multiplied_by_zero_is_left_out() -> None:
    out = adjoint("y[i] = 12.0f * v - 0.0f * (v * q[i]);")
    assert "adj_x[i] += 12.0f * adj_y[i];" in out


def test_a_macro_may_be_given_another_value_than_zero() -> None:
    text = (
        "#define SLOPE 0.0f\n"
        "__global__ void k(const float *x, const float *q, float *y, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i >= n) return;\n    float v = x[i];\n    y[i] = q[i] * v + SLOPE * v * v;\n}\n"
    )
    assert "SLOPE" in s2sad.transform(text, name="k.cu", of=["y"], wrt=["x"]).source.split("__global__")[1]
