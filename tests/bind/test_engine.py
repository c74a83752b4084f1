"""The engine for bindings: launches on the caller's memory, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from s2sad.engine import CompileFailed, Kernels, LaunchFailed

TEXT = """\
extern "C" __global__ void scale(const float *x, float *y, float a, int n, bool twice)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (twice ? 2.0f : 1.0f) * a * x[i];
}
extern "C" size_t scale_tape_bytes(dim3 grid, dim3 block, float a, int n, bool twice)
{
    return 16 + grid.x * block.x * n;
}
"""


@pytest.fixture
def kernels(tmp_path: Path) -> Kernels:
    file = tmp_path / "scale.cu"
    file.write_text(TEXT)
    return Kernels(file, "scale")


def test_a_launch_works_on_the_callers_memory(kernels: Kernels) -> None:
    x, y = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
    kernels.launch("scale", (1, 1, 1), (8, 1, 1), 0, x.ctypes.data, y.ctypes.data, 1.5, 5, True)
    assert y.tolist() == [0, 3, 6, 9, 12]
    kernels.launch("scale", (0, 1, 1), (8, 1, 1), 0, 0, 0, 1.5, 5, True)


def test_sizes_are_those_of_the_text_for_at_least_one_block(kernels: Kernels) -> None:
    assert kernels.tape_bytes("scale", (2, 1, 1), (8, 1, 1), 1.5, 3, False) == 16 + 2 * 8 * 3
    assert kernels.tape_bytes("scale", (0, 1, 1), (8, 1, 1), 1.5, 3, False) == 16 + 8 * 3


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("scale", (1, 1, 1), (8, 1, 1), 0, 0, 0, 1.5, 2**40, True), "1099511627776 doesn't fit parameter 4"),
        (("scale", (1, 1, 1), (8, 1, 1), 0, 0, 0, 1.5), "takes 5 arguments, not 3"),
        (("other", (1, 1, 1), (8, 1, 1), 0), "no function other"),
        (("scale", (1, 1, 1), (2048, 1, 1), 0, 0, 0, 1.5, 0, True), "at most 1024"),
    ],
)
def test_what_the_engine_cannot_launch_is_refused(
    kernels: Kernels, call: tuple[object, ...], said: str
) -> None:
    with pytest.raises(LaunchFailed, match=said):
        kernels.launch(*call)  # type: ignore[arg-type]


def test_a_text_that_does_not_compile_is_said(tmp_path: Path) -> None:
    file = tmp_path / "wrong.cu"
    file.write_text("__global__ void k(float *x) { x[0] = missing(); }")
    with pytest.raises(CompileFailed, match="missing"):
        Kernels(file, "k").launch("k", (1, 1, 1), (1, 1, 1), 0, 0)
