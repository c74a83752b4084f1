"""Stores in rows of pitched memory: bytes that make whole elements give each thread a row of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import s2sad
from s2sad.diagnostics import Rejected

FILTERED = """
// s2sad: --of image --wrt image,pole
__global__ void filtered(double *image, double pole, unsigned int pitch, unsigned int width,
                         unsigned int height)
{
    unsigned int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height)
        return;
    double *row = (double *)((char *)image + y * pitch);
    double *c = row;
    double before = *c * *c;
    for (unsigned int n = 1; n < width; n++) {
        c = (double *)((char *)c + sizeof(double));
        *c = before = *c + pole * before;
    }
    row[0] = before * pole;
}
"""
CASE = """
kernel = "filtered"
[launch]
grid = "(height + 3) / 4"
block = 4
[args]
image = { shape = "pitch / 8 * height", fill = "normal" }
pole = 0.3
pitch = 80
width = 9
height = 6
"""


def test_a_pointer_that_walks_along_a_row_in_bytes(tmp_path: Path) -> None:
    kernel, case = tmp_path / "filtered.cu", tmp_path / "filtered.toml"
    kernel.write_text(FILTERED)
    case.write_text(CASE)
    report = s2sad.check(kernel, case=case, backend="cpu")
    assert report.ok, report.text()
    assert report.exact == ()  # numbers that carry tangents have other sizes
    text = s2sad.transform(kernel).source
    assert "c_at + 1" in text  # sizeof(double) bytes are one element
    assert "exchange(&adj_image[c_at]" in text


@pytest.mark.parametrize("row", ["y / 2 * pitch", "min(y, 3u) * pitch", "starts[y] * pitch"])
def test_a_row_of_several_threads_or_of_datas_choice_stays_refused(row: str, tmp_path: Path) -> None:
    kernel = tmp_path / "filtered.cu"
    of = FILTERED.replace("y * pitch", row).replace("(double *image", "(const int *starts, double *image")
    kernel.write_text(of)
    with pytest.raises(Rejected, match="only one thread writes"):
        s2sad.transform(kernel)
