"""Structs in case files: by field, or the numbers in order."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad
from s2sad.diagnostics import Rejected
from s2sad.validate.case import Case

KERNEL = """struct Ray { float from[3]; float length; };
__global__ void k(const float2 *p, const int2 *range, float3 centre, Ray ray, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = p[i].x * centre.x + p[i].y * centre.z * range[i].y + ray.length * ray.from[0];
}
"""
CASE = """kernel = "k"
of = "y"
wrt = "p"
[launch]
grid = 1
block = 4
[args]
n = 3
y = { shape = "n", fill = "zeros" }
ray = { from = [1.0, 2.0, 3.0], length = 2.0 }
"""


def setting(more: str) -> dict[str, object]:
    pair = s2sad.transform(KERNEL, name="k.cu", of=["y"], wrt=["p"])._pair
    return dict(Case.parse(CASE + more, pair.primal).setting("float").args)


@pytest.mark.parametrize("ranges", ["[[0, 4], [4, 5], [5, 9]]", "[0, 4, 4, 5, 5, 9]"])
def test_numbers_in_order_are_the_fields(ranges: str) -> None:
    args = setting(f"p = [[1, 2], [3, 4], [5, 6]]\nrange = {ranges}\ncentre = [0.5, 0.25, 2.0]\n")
    assert np.array_equal(args["p.x"], [1.0, 3.0, 5.0])  # type: ignore[arg-type]
    assert np.array_equal(args["p.y"], [2.0, 4.0, 6.0])  # type: ignore[arg-type]
    assert np.array_equal(args["range.y"], [4, 5, 9])  # type: ignore[arg-type]
    assert (args["centre.x"], args["centre.y"], args["centre.z"]) == (0.5, 0.25, 2.0)


@pytest.mark.parametrize(
    ("entry", "help"),
    [
        ("centre = [1.0, 2.0]", "centre = { x = …, y = …, z = … }"),
        ("centre = 1.0", "centre = { x = …, y = …, z = … }"),
        ("range = [[0, 4], [4]]", 'range = { shape = "n", fill = "normal" }'),
        ("range = [0, 4, 4]", 'range = { shape = "n", fill = "normal" }'),
        ("range = 3", 'range = { shape = "n", fill = "normal" }'),
        ("ray = [1.0, 2.0]", "ray = { from = …, length = … }"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_form(entry: str, help: str) -> None:
    name = entry.split()[0]
    good = {
        "p": "p = [[1, 2], [3, 4], [5, 6]]",
        "range": "range = [[0, 4], [4, 5], [5, 9]]",
        "centre": "centre = [0.5, 0.25, 2.0]",
    }
    more = "\n".join([entry, *(line for key, line in good.items() if key != name)])
    base = CASE.replace("ray = { from = [1.0, 2.0, 3.0], length = 2.0 }\n", "") if name == "ray" else CASE
    pair = s2sad.transform(KERNEL, name="k.cu", of=["y"], wrt=["p"])._pair
    with pytest.raises(Rejected) as caught:
        Case.parse(base + more, pair.primal)
    assert help in caught.value.diagnostics[0].help
