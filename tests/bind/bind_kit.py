"""The kernels whose bindings are committed, and the command line as a function."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2sad.cli import main

FOLDER = Path(__file__).parents[2] / "examples" / "bindings"
TARGETS = ("torch", "jax", "cupy", "cpp")
COMMITTED = sorted(p.name for p in FOLDER.iterdir() if p.is_dir() and p.name.rpartition("_")[2] in TARGETS)

SCALE = """\
// s2sad: launch grid=(n+63)/64 block=64 n=x.size y=x
extern "C" __global__ void scale(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] * x[i];
}
"""

# A launch in two dimensions, two results of different shapes, a number that is differentiated by.
TWO = """\
// s2sad: launch grid=(w+15)/16,(h+15)/16 block=16,16 w=a.dim1 h=a.dim0 b=a out=a big=h
extern "C" __global__ void two(const float *a, const float *b, float *out, float *big, float scale,
                               float power, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float v = scale * a[y * w + x] + b[y * w + x] * power;
    out[y * w + x] = v * v;
    if (x == 0)
        big[y] = v;
}
"""

# Two arrays updated, a third is a result, an integer array is read.
ACC = """\
// s2sad: launch grid=(n+63)/64 block=64 n=p.size
extern "C" __global__ void acc(float *p, float *v, const int *kind, float *energy, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float f = kind[i] == 0 ? -p[i] : -sinf(p[i]);
    v[i] += dt * f;
    p[i] += dt * v[i];
    energy[i] = 0.5f * v[i] * v[i];
}
"""

# Accessors of two kinds, of a template.
SCALED = """\
#include <torch/extension.h>
// s2sad: launch grid=(x.dim1+31)/32,x.dim0 block=32 w=x.dim1
template <typename scalar_t>
__global__ void scaled(const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x,
                       const at::PackedTensorAccessor64<scalar_t, 1> w,
                       torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> y)
{
    const int r = blockIdx.y;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < x.size(1))
        y[r][c] = x[r][c] * x[r][c] * w[c];
}
"""

# A tensor that is updated, with a tape whose size depends on another one.
SETTLED = """\
#include <torch/extension.h>
// s2sad: --of u --wrt u,rate
// s2sad: launch grid=(u.dim0+31)/32 block=32
__global__ void settle(torch::PackedTensorAccessor32<float, 1, torch::RestrictPtrTraits> u,
                       const torch::PackedTensorAccessor32<float, 1, torch::RestrictPtrTraits> rate)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= u.size(0))
        return;
    float s = u[i];
    for (int k = 0; k < rate.size(0); ++k)
        s += 0.01f * rate[k] * cosf(s);
    u[i] = s;
}
"""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Return the exit status of a command line, and what it said; standard output must be empty."""
    with pytest.raises(SystemExit) as left:
        main(["bind", *words])
    said = capsys.readouterr()
    assert said.out == ""
    return int(left.value.code or 0), said.err


def bound(capsys: pytest.CaptureFixture[str], text: str, folder: Path, *words: str) -> Path:
    """Bind a kernel, given as text, and return the folder."""
    source = folder / "kernel.cu"
    source.write_text(text, encoding="utf-8")
    target = folder / "made"
    status, said = run(capsys, str(source), "-o", str(target), *words)
    assert status == 0, said
    return target
