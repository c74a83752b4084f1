"""`explain` names the declaration of a launch that saves atomics; following it gives that adjoint."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from s2sad.cli import app
from s2sad.covering import covering
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

GOLDEN = Path(__file__).parent / "golden"
GATHERED = {
    "laplace2d": ("--assume covers:width:height", ["adj_in[..]"]),
    "matmul_tile": ("--assume covers:N:M", ["adj_A[..]", "adj_B[..]"]),
    "diffusion3d": ("--assume covers:nx:ny:nz", ["adj_kappa[..]", "adj_in[..]"]),
}
KERNEL = """extern "C" __global__ void k(const float *x, const int *at, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y;
    if (GUARD)
        y[j * n + i] = USE;
}
"""
STENCIL = "x[j * n + (i > 0 ? i - 1 : i)] * x[j * n + i]"
NOTHING = {
    "no atomics": ("i < n && j < m", "2.0f * x[j * n + i]"),
    "indices of the caller": ("i < n && j < m", "x[at[i]] * x[j]"),
    "an axis that nothing bounds": ("i < n", STENCIL),
    "a bound that isn't a parameter": ("i < at[0] && j < m", STENCIL),
}


def made(text: str) -> object:
    return covering(transform(Source("k.cu", text), Options(of=("y",), wrt=("x",))))


@pytest.mark.parametrize("name", GATHERED)
def test_what_is_named_saves_the_atomics(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    kernel = GOLDEN / f"{name}.cu"
    option, adjoints = GATHERED[name]
    outcome = app.main(["explain", str(kernel)], standalone_mode=False)
    assert f"`{option}`" in outcome.product
    assert all(adjoint in outcome.product for adjoint in adjoints)
    assert outcome.data["covering"] == {"option": option, "adjoints": adjoints}
    again = app.main(["explain", str(kernel), *shlex.split(option)], standalone_mode=False)
    assert "With a declared launch" not in again.product
    assert app.main(["check", str(kernel), *shlex.split(option)], standalone_mode=False).status == 0


@pytest.mark.parametrize("name", NOTHING)
def test_nothing_is_named_that_saves_none(name: str) -> None:
    guard, use = NOTHING[name]
    assert made(KERNEL.replace("GUARD", guard).replace("USE", use)) is None
