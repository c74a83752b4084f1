"""Names in several namespaces: a kernel uses the one that C++ finds, and check runs the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.diagnostics import Code, Rejected
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

SPACES = """\
namespace a { __device__ float f(float v) { return v * v; }
              struct P { float v; }; __device__ float g(P p) { return p.v * p.v; }
              __device__ float sqrtf(float v) { return v * v; }
              __device__ float fabsf(P p) { return 3.0f * p.v; }
              const float SCALE = 3.0f; }
namespace b { __device__ float f(float v) { return v * v * v; }
              namespace inner { __device__ float f(float v) { return 5.0f * v; } } }
namespace c { using a::f; namespace d { using namespace b::inner; } }
namespace unused { __device__ float h(float v) { return v; } }
__device__ float own(float v) { return 2.0f * v; }
"""
KERNEL = """\
extern "C" __global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    BODY
}
"""
CASE = """\
[launch]
grid = 2
block = 8
[args]
n = 13
x = { shape = "n", fill = "uniform(0.5, 1.5)" }
y = { shape = "n", fill = "zeros" }
"""
# what stands before the kernel, and its body
FORMS = {
    "a directive in the body": ("", "using namespace a; y[i] = f(x[i]) + ::own(x[i]);"),
    "a directive in a block": ("", "{ using namespace b; y[i] = f(x[i]) * ::a::SCALE; }"),
    "a directive for nothing": ("", "using namespace unused; y[i] = a::f(x[i]);"),
    "a declaration in a block": ("", "{ using b::inner::f; y[i] = f(x[i]); }"),
    "a declaration hides a directive": ("using namespace a;", "using b::f; y[i] = f(x[i]);"),
    "a directive at the top": ("using namespace b::inner;", "y[i] = f(x[i]);"),
    "a directive after the use": (
        "using namespace a; __device__ float late(float v) { return f(v); } using namespace b;",
        "y[i] = late(x[i]);",
    ),
    "a declaration at the top": ("using a::f;", "y[i] = f(x[i]) + ::f(x[i]);"),
    "an alias in a directive": ("namespace q = b;", "using namespace q; y[i] = f(x[i]);"),
    "an alias in a block": ("", "namespace q = b::inner; using namespace q; y[i] = f(x[i]);"),
    "what a namespace declares": ("", "y[i] = c::f(x[i]);"),
    "what a namespace's directive names": ("", "y[i] = c::d::f(x[i]);"),
    "the namespace of the user first": (
        "using namespace a; namespace b { __device__ float of(float v) { return f(v); } }",
        "y[i] = b::of(x[i]);",
    ),
    "an outer namespace": (
        "namespace b { namespace more { __device__ float of(float v) { return f(v); } } }",
        "y[i] = b::more::of(x[i]);",
    ),
    "the namespace of an argument": ("", "a::P p{x[i]}; y[i] = g(p);"),
    "a built-in that a namespace has too": ("", "y[i] = sqrtf(x[i]) * own(x[i]);"),
    "a namespace's instead of the built-in": ("", "y[i] = a::sqrtf(x[i]);"),
    "a built-in and one for a class": ("", "a::P p{x[i]}; y[i] = fabsf(p) * fabsf(x[i]);"),
    "a type and a constant": ("", "{ using namespace a; P p{x[i]}; y[i] = p.v * p.v * SCALE; }"),
    "a scoped enumeration beside a directive": (
        "namespace a { enum class Kind { A, B }; } using namespace a;",
        "y[i] = i % 2 == (int)Kind::A ? f(x[i]) : x[i];",
    ),
    "overloads of two namespaces": (
        "namespace e { __device__ float f(float v, float w) { return v * w; } }",
        "using namespace a; using namespace e; y[i] = f(x[i]) + f(x[i], 2.0f);",
    ),
    "a better overload that isn't visible": (
        "__device__ float m(int v) { return 2.0f * v; }"
        " namespace e { __device__ float m(float v) { return v; } }",
        "y[i] = m((int)(4.0f * x[i])) * x[i];",
    ),
}
REFUSED = {
    "two functions": "{ using namespace a; y[i] = f(x[i]); } { using namespace b; y[i] += f(x[i]); }",
    "one qualified": "using namespace a; y[i] = f(x[i]) + b::f(x[i]);",
    "one of CUDA": "y[i] = sqrtf(x[i]) + a::sqrtf(x[i]);",
    "one of CUDA, qualified": "y[i] = a::sqrtf(x[i]) + ::sqrtf(x[i]);",
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def text(before: str, body: str) -> str:
    return SPACES + before + "\n" + KERNEL.replace("BODY", body)


@pytest.mark.parametrize("form", FORMS)
def test_a_name_is_what_cpp_finds(form: str, backend: Backend) -> None:
    right(made(text(*FORMS[form]), "y", "x"), CASE, backend)


@pytest.mark.parametrize("form", REFUSED)
def test_a_name_with_two_meanings_is_refused(form: str) -> None:
    with pytest.raises(Rejected) as rejected:
        made(text("", REFUSED[form]), "y", "x")
    assert [d.code for d in rejected.value.diagnostics] == [Code.SEVERAL_NAMESPACES]
    assert ("CUDA" in form) == ("CUDA" in rejected.value.diagnostics[0].values["scopes"])
