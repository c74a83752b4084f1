"""The author's own functions, classes, variables and namespaces that are called like a library."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
HEAD
extern "C" __global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    BODY
}
"""
CASE = """\
[launch]
grid = 2
block = 32
[args]
n = 40
x = { shape = "n", fill = "uniform(0.5, 1.5)" }
y = { shape = "n", fill = "zeros" }
"""
FORMS = {
    "a function": ("__device__ float NAME(float v) { return v * v; }", "if (i < n) y[i] = NAME(x[i]);"),
    "a function in a namespace": (
        "namespace own { __device__ float NAME(float v) { return v * v; } }",
        "if (i < n) y[i] = own::NAME(x[i]);",
    ),
    "a class": (
        "struct NAME { float a; static __device__ float sq(float v) { return v * v; } };",
        "if (i < n) { NAME c{x[i]}; y[i] = c.a + NAME::sq(x[i]); }",
    ),
    "an enumeration": (
        "enum class NAME { A, B };",
        "NAME c = i % 2 ? NAME::A : NAME::B; if (i < n) y[i] = c == NAME::A ? x[i] * x[i] : x[i];",
    ),
    "a class template": (
        "template <typename T> struct NAME { T a; };",
        "if (i < n) { NAME<float> c{x[i]}; y[i] = c.a * c.a; }",
    ),
    "a variable": ("", "if (i < n) { float NAME = x[i]; y[i] = NAME * NAME; }"),
    "a constant": ("__device__ const float NAME = 3.0f;", "if (i < n) y[i] = NAME * x[i] * x[i];"),
    "a field": ("struct P { float NAME; };", "if (i < n) { P p{x[i]}; y[i] = p.NAME * p.NAME; }"),
    "a namespace": (
        "namespace NAME { __device__ float sq(float v) { return v * v; } struct Max { float a; }; }",
        "if (i < n) { NAME::Max m{x[i]}; y[i] = NAME::sq(m.a); }",
    ),
}
OWN_REDUCTION = """\
namespace cub {
template <typename T, int N> struct BlockReduce {
    T first;
    __device__ float Sum(T v) { return v * v * N + first; }
};
}
"""
WITH_CUB = """\
#include <cub/cub.cuh>
__device__ float sq(float cub) { return cub * cub; }
struct P { float cub; };
"""
SUM = """\
typedef cub::BlockReduce<float, 32> Reduce;
    __shared__ typename Reduce::TempStorage memory;
    P p{i < n ? x[i] : 0.0f};
    float sum = Reduce(memory).Sum(sq(p.cub));
    if (threadIdx.x == 0) y[blockIdx.x] = sum;"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def is_right(head: str, body: str, backend: Backend) -> None:
    right(made(KERNEL.replace("HEAD", head).replace("BODY", body), "y", "x"), CASE, backend)


@pytest.mark.parametrize("name", ["cub", "cooperative_groups", "thrust"])
@pytest.mark.parametrize("form", FORMS)
def test_what_the_author_calls_like_a_library_is_the_authors(form: str, name: str, backend: Backend) -> None:
    head, body = (part.replace("NAME", name) for part in FORMS[form])
    is_right(head, body, backend)


def test_a_reduction_in_the_authors_own_namespace_isn_t_the_library_s(backend: Backend) -> None:
    body = "cub::BlockReduce<float, 3> own{x[0]}; if (i < n) y[i] = own.Sum(x[i]);"
    is_right(OWN_REDUCTION, body, backend)


def test_the_library_is_known_beside_variables_of_its_name(backend: Backend) -> None:
    is_right(WITH_CUB, SUM, backend)
