"""Sums of a row of shared memory are completed in a loop and added up together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from golden_kit import FOLDER
from kernel_variants import entries

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

SEEDS = Path(__file__).parents[2] / "benchmarks" / "seeds"
KERNEL = """\
// s2sad: --of y --wrt x,w
extern "C" __global__ void k(const float *x, const float *w, float *y, int K, int n)
{
    __shared__ float s[8][4];
    int t = threadIdx.x;
    int i = blockIdx.x * 16 + t;
    for (int q = t; q < 32; q += 16)
        s[q / 4][q % 4] = w[q];
    __syncthreads();
    float a = i < n ? x[i] : 0.0f;
    float sum = 0.0f;
    @
    if (i < n)
        y[i] = sum;
}
"""
CASE = """\
[launch]
grid = "(n + 15) / 16"
block = 16
[args]
n = 37
K = 7
x = { shape = "n", fill = "normal" }
w = { shape = 32, fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""
# Each after the sums that it makes of several elements, and of one.
LOOPS = entries(
    """
1 0 row:
    for (int j = 0; j < K; ++j)
        for (int d = 0; d < 4; ++d) sum += sinf(a * d) * s[j][d];
1 0 end_of_a_row_backwards:
    for (int j = K - 1; j >= 0; --j)
        for (int d = 3; d > 0; --d) sum += sinf(a * d) * s[j][d];
2 0 two_rows:
    for (int j = 0; j < K; ++j)
        for (int d = 0; d < 4; ++d) sum += sinf(a * d) * s[j][d] * s[(j + 1) % 8][3 - d];
1 0 row_in_two_parts:
    for (int j = 0; j < K; ++j) {
        for (int d = 0; d < 2; ++d) sum += sinf(a * d) * s[j][d];
        for (int d = 2; d < 4; ++d) sum += cosf(a * d) * s[j][d];
    }
2 0 another_row_for_each_part:
    for (int j = 0; j < K; ++j) {
        int r = j;
        for (int d = 0; d < 2; ++d) sum += sinf(a * d) * s[r][d];
        r = 7 - j;
        for (int d = 2; d < 4; ++d) sum += cosf(a * d) * s[r][d];
    }
0 0 row_that_changes:
    int r = 0;
    for (int j = 0; j < K; ++j)
        for (int d = 0; d < 4; ++d) {
            sum += sinf(a * d) * s[r][d];
            r = (r + 1) % 8;
        }
0 1 row_of_the_counter:
    for (int j = 0; j < K; ++j)
        for (int d = 0; d < 4; ++d) {
            int r = (j + d) % 8;
            sum += sinf(a * d) * s[r][d];
        }
0 1 column:
    for (int j = 0; j < 4; ++j)
        for (int d = 0; d < 8; ++d) sum += sinf(a * d) * s[d][j];
"""
)


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def in_loops(said: str) -> int:
    """Return how many block-wide sums of one value a text makes."""
    return said.count(" block_add(&")


def of_rows(said: str) -> int:
    """Return how many block-wide sums of several values a text makes."""
    return sum(said.count(f" block_add_{n}(&") for n in range(2, 9))


@pytest.mark.parametrize("name", LOOPS)
def test_which_sums_are_of_a_row(name: str, backend: Backend) -> None:
    source = Source("k.cu", KERNEL.replace("@", LOOPS[name].strip()))
    done = transform(source, Options())
    report = check_pair(done.pair, Case.parse(CASE, done.pair.primal), backend, tolerance=1e-7)
    assert report.ok, report.text()
    assert f"{of_rows(done.text)} {in_loops(done.text)}" == " ".join(name.split()[:2])


@pytest.mark.parametrize("folder", [FOLDER, SEEDS], ids=["golden", "seeds"])
def test_a_row_is_summed_at_once(folder: Path, backend: Backend) -> None:
    name, call = ("attention_head", "block_add_d(&adj_vs[trip][0], adj_vs_sum);")
    if folder is SEEDS:
        name, call = ("volumerhs", "block_add_nq(&adj_s_D[k][0], adj_s_D_sum);")
    source = Source(f"{name}.cu", (folder / f"{name}.cu").read_text(encoding="utf-8"))
    done = transform(source, Options())
    assert call in done.text
    assert in_loops(done.text) == 0
    case = Case.read(folder / f"{name}.toml", done.pair.primal)
    report = check_pair(done.pair, case, backend, tolerance=1e-7)
    assert report.ok, report.text()
