"""Objects that are called: those of thrust, and those of the file."""

from __future__ import annotations

import pytest

from s2sad.diagnostics import Rejected
from s2sad.options import Options, template
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """#include <thrust/functional.h>
%s
template <typename F, typename T> __global__ void kernel(const T *x, const T *v, T *y, F f)
{
    y[threadIdx.x] = f(x[threadIdx.x], v[threadIdx.x]);
}
"""
OWN = "template <typename T> struct Damped { __device__ T operator()(T a, T b) const { return a * a - b; } };"


def made(given: str, own: str = "") -> str:
    options = Options(of=("y",), wrt=("x", "v"), template=template(given))
    return transform(Source("kernel.cu", KERNEL % own), options).text


@pytest.mark.parametrize(
    ("functor", "said"),
    [
        ("plus", "adj_v[threadIdx.x] += g"),
        ("minus", "adj_v[threadIdx.x] -= g"),
        ("multiplies", "adj_v[threadIdx.x] += x[threadIdx.x] * g"),
    ],
)
def test_what_thrust_calls_is_known(functor: str, said: str) -> None:
    assert said in made(f"F=thrust::{functor}<float>,T=float")


def test_an_example_names_a_functor_of_the_file_before_one_of_thrust() -> None:
    for own, proposed in (("", "F=thrust::plus<float>,T=float"), (OWN, "F=Damped<float>,T=float")):
        with pytest.raises(Rejected) as refused:
            transform(Source("kernel.cu", KERNEL % own), Options())
        assert refused.value.diagnostics[0].help == f"specify it: --template {proposed}"
        made(proposed, own)
