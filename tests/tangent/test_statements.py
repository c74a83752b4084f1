"""What random kernels showed of single statements."""

from __future__ import annotations

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source


def text(body: str) -> str:
    """Return the tangent of a kernel with two device functions; it has been read again."""
    source = (
        "__device__ float f(float a, float b) { return a; }\n"
        "__device__ int g(float *a, float b) { *a = b; return 1; }\n"
        f"__global__ void k(const float *x, float *y, float *z, int n) {{\n{body}\n}}\n"
    )
    return transform(Source("k.cu", source), Options(of=("y",), wrt=("x",), mode="tangent")).text


def test_a_named_argument_is_declared_although_the_result_has_no_tangent() -> None:
    written = text("z[threadIdx.x] = f(x[0], fmaxf(x[1], x[2])); y[threadIdx.x] = x[threadIdx.x];")
    assert "const float fmax_x = fmaxf(x[1], x[2]);" in written


def test_a_named_argument_is_declared_although_the_result_is_a_number() -> None:
    written = text("float a = 0.0f; z[threadIdx.x] = g(&a, fmaxf(x[1], x[2])); y[threadIdx.x] = a;")
    assert "const float fmax_x = fmaxf(x[1], x[2]);" in written
