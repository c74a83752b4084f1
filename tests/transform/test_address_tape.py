"""Where a thread's words are on the tape: the kernel computes it as the host computed the size."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

import s2sad

KERNEL = """__global__ void twice_down(const float *x, float *y, int n, int step)
{
    float s = x[threadIdx.x];
    int i = n - 1;
    for (; i >= 0; i -= step)
        s = s * x[i] + 0.3f * s * s;
    int j = n - 1;
    for (; j >= 0; j -= step)
        s = sinf(s) * x[j];
    y[threadIdx.x] = s;
}
"""
CASE = """of = ["y"]
wrt = ["x"]
[launch]
grid = 1
block = 9
[args]
n = 9
step = 2
x = { shape = "n", fill = "normal" }
y = { shape = "n", fill = "zeros" }
[[also]]
args = { step = 2147483647 }
"""


@pytest.mark.parametrize("mode", ["joint", "split"])
def test_a_loop_that_a_huge_step_ends_at_once_has_a_tape_of_its_own(
    tmp_path: Path, mode: Literal["joint", "split"]
) -> None:
    kernel, case = tmp_path / "twice_down.cu", tmp_path / "twice_down.toml"
    kernel.write_text(KERNEL)
    case.write_text(CASE)
    assert s2sad.check(kernel, case=case, mode=mode, backend="cpu").ok
