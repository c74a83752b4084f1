"""What is wrong in an element that no sample holds is found, and the element is named."""

from __future__ import annotations

from pathlib import Path

import pytest

import s2sad

FORWARD = """
__global__ void square(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}
"""
BACKWARD = """
__global__ void square_backward(int n, const float *x, const float *dy, float *dx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        dx[i] = WRONG ? 0.5f : 2.0f * x[i] * dy[i];
}
"""
CASE = """
of = ["y"]
wrt = ["x"]
[launch]
grid = "(n + 127) / 128"
block = 128
[args]
n = 3000
x = { shape = [60, 50], fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""


@pytest.mark.parametrize("wrong", ["i == 1337", "i > 1000 && i % 97 == 53", "i == 2971 || i == 2"])
def test_a_wrong_element_is_named(wrong: str, tmp_path: Path) -> None:
    for name, text in (("f.cu", FORWARD), ("b.cu", BACKWARD.replace("WRONG", wrong)), ("c.toml", CASE)):
        (tmp_path / name).write_text(text)
    report = s2sad.audit(tmp_path / "f.cu", tmp_path / "b.cu", case=tmp_path / "c.toml")
    (row,) = report.rows
    assert not report.ok
    assert row.element is not None
    condition = wrong.replace("&&", "and").replace("||", "or")
    assert eval(condition, {"i": row.element})
    assert row.writer is not None
