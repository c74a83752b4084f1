"""A primal whose words carry other numbers is differentiated as printed, which is held against the file's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import s2sad
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate.case import Case
from s2sad.validate.check import check_pair

FOLDER = Path(__file__).parents[1] / "golden"


def test_what_s2sad_has_read_must_do_what_the_file_does() -> None:
    path = FOLDER / "wide_words.cu"
    pair = transform(Source(path.name, path.read_text()), Options()).pair
    case = Case.read(path.with_suffix(".toml"), pair.primal)
    assert "weights[k]" in pair.printed
    assert "float4" not in pair.printed
    other = replace(pair, printed=pair.printed.replace("weights[k]", "weights[0]"))
    with Isolated("cpu", timeout=60.0) as isolated:
        report = check_pair(other, case, isolated)
    wrong = [finding.what for finding in report.findings if not finding.ok]
    assert "the primal as parsed by s2sad gives other values of y than the file" in wrong


def test_a_primal_without_such_words_is_compiled_as_it_is() -> None:
    path = FOLDER / "rows_in_views.cu"
    assert transform(Source(path.name, path.read_text()), Options()).pair.printed == ""


LATER = """
// s2sad: --of y --wrt x,w
#include <cuda_fp16.h>
extern "C" __global__ void later(const __half *x, const __half *w, __half *y, int n)
{
    int i = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    uint4 words[2];
    float4 next;
    for (int k = 0; k < 2; ++k) {
        words[k] = *reinterpret_cast<const uint4 *>(x + i + 8 * k);
        next = reinterpret_cast<const float4 *>(w)[i / 8 + k];
        const __half *held = (const __half *)&words[k];
        reinterpret_cast<float4 *>(y)[i / 8 + k] = next;
        for (int j = 0; j < 8; ++j)
            y[i + 8 * k + j] = held[j] * held[7 - j] * y[i + 8 * k + j];
    }
}
"""
CASE = """
[launch]
grid = 3
block = 2
[args]
n = 80
x = { shape = "n", fill = "normal" }
w = { shape = "n", fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""


def test_words_in_arrays_and_words_that_are_set_later_carry_numbers_too(tmp_path: Path) -> None:
    kernel, case = tmp_path / "later.cu", tmp_path / "later.toml"
    kernel.write_text(LATER)
    case.write_text(CASE)
    report = s2sad.check(kernel, case=case, backend="cpu")
    assert report.ok, report
    assert {exact.verdict for exact in report.exact} == {"ok"}
