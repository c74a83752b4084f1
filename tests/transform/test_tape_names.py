"""Names of tapes: what tells the values of one variable apart, as the header and the code name them."""

from __future__ import annotations

import re

import pytest

from s2sad.options import Mode, Options
from s2sad.pipeline import transform
from s2sad.source import Source
from s2sad.transform.plan.tape_names import Wish, chosen

HEAD = """__global__ void f(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
"""


def tapes(body: str, before: str = "", mode: Mode = "joint") -> list[str]:
    """Return the names of the tapes in the adjoint of these statements, in order."""
    text = f"// s2sad: --of y --wrt x\n{before}{HEAD}{body}}}\n"
    made = transform(Source("f.cu", text), Options(mode=mode)).text
    return list(dict.fromkeys(re.findall(r"\btape_\w+", made[made.rindex("__global__") :])))


@pytest.mark.parametrize(
    ("body", "names"),
    [
        # one tape needs no more than the variable's name
        ("double v = x[i]; v = v * v; y[i] = v * v;", ["tape_v"]),
        # made by different functions
        ("double v = exp(x[i]); v = tanh(v); v = v * v; y[i] = v * v;", ["tape_v_exp", "tape_v_tanh"]),
        # else numbered, in the order of the values
        (
            "double v = x[i];\n v += v * v;\n v *= sin(v);\n v *= v + 1.0;\n y[i] = v * v;",
            ["tape_v_1", "tape_v_2"],
        ),
        # one in a loop and one outside
        (
            "double v = x[i]; v *= sin(v); for (int k = 0; k < 3; ++k) v *= v + x[k]; y[i] = v;",
            ["tape_v", "tape_v_k"],
        ),
    ],
)
def test_values_of_a_variable_are_told_apart(body: str, names: list[str]) -> None:
    assert [name for name in tapes(body) if name in names] == names


def test_elements_are_named_by_their_index() -> None:
    body = "double a[3] = {x[i], 2.0, x[i]}; a[i % 3] = a[i % 3] * a[0] * a[1]; y[i] = a[i % 3] * a[2];"
    assert {"tape_a0", "tape_a1"} < set(tapes(body))


def test_pointers_give_their_names() -> None:
    order = """__device__ void order(double *a, double *b)
{
    if (*a > *b) { double t = *a; *a = *b; *b = t; }
}
"""
    calls = "    order(v, v + 1);\n    order(v + 1, v + 2);\n"
    body = f"    double v[3] = {{x[i], 2.0, -x[i]}};\n{calls}    y[i] = v[0] * v[2];\n"
    assert tapes(body, order) == ["tape_a_1", "tape_b_1", "tape_a_2", "tape_b_2"]


def test_names_are_chosen_together() -> None:
    one, other = Wish("tape_v", ("tape_v_k",), ("tape_v_a",)), Wish("tape_v", (), ("tape_v_b",))
    assert chosen([one], ()) == ["tape_v"]
    assert chosen([one, other], ()) == ["tape_v_k", "tape_v"]
    assert chosen([one, other, other], ()) == ["tape_v_k", "tape_v_1", "tape_v_2"]
    assert chosen([one, other], {"tape_v", "tape_v_k"}) == ["tape_v_a", "tape_v_b"]
    assert len(set(chosen([one] * 5, ()))) == 5
    assert chosen([Wish("tape_v_k"), one, other], ()) == ["tape_v_k", "tape_v_a", "tape_v"]
