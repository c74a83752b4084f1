"""A forward whose integers carry floats: it is judged by its numbers, as s2sad reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
from audit_kit import Pair, audit

FORWARD = """\
__global__ void scale(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i < n) {
        float own[4];
        *(int4 *)own = *(const int4 *)(x + 4 * i);
        own[1] *= own[0];
        *(int4 *)(y + 4 * i) = *(int4 *)own;
    }
}
"""
BACKWARD = """\
__global__ void scale_backward(const float *x, const float *grad_y, float *grad_x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i < n) {
        grad_x[4 * i] = grad_y[4 * i] + x[4 * i + 1] * grad_y[4 * i + 1];
        grad_x[4 * i + 1] = x[4 * i] * grad_y[4 * i + 1];
        grad_x[4 * i + 2] = grad_y[4 * i + 2];
        grad_x[4 * i + 3] = grad_y[4 * i + 3];
    }
}
"""
CASE = """\
kernel = "scale"
of = ["y"]
wrt = ["x"]
[launch]
grid = 2
block = 3
[args]
n = 20
x = { shape = "n", fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""


@pytest.mark.parametrize(("wrong", "status"), [("", 0), ("0.5f * ", 1)])
def test_words_that_carry_floats_are_no_mistake_of_the_backward(
    wrong: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / name for name in ("scale.cu", "scale_backward.cu", "scale.toml")]
    backward = BACKWARD.replace("= x[4 * i] *", f"= {wrong}x[4 * i] *")
    for path, text in zip(files, (FORWARD, backward, CASE), strict=True):
        path.write_text(text)
    found, said = audit(Pair(*files), capsys)
    assert found == status, said
