"""Which tiles blocks share out, each of them going through all blocks, and which stay atomic."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from s2sad.options import Options, assumption
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

PRODUCT = """extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int m) {
    __shared__ float a[4][4], b[4][4];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 4 + ty, col = blockIdx.x * 4 + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < m; k0 += 4) {
        a[ty][tx] = row < n && k0 + tx < m ? x[row * m + k0 + tx] : 0.0f;
        b[ty][tx] = k0 + ty < m && col < n ? w[(k0 + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int j = 0; j < 4; ++j)
            sum += a[ty][j] * b[j][tx];
        __syncthreads();
    }
    if (row < n && col < n)
        y[row * n + col] = sum;
}
"""
LINE = """extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int m) {
    __shared__ float s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    BODY
}
"""
UNSIGNED = LINE.replace("int t = threadIdx.x, i =", "unsigned t = threadIdx.x, i =")
OWN = "float v = 0.0f, own = i < n ? w[i] : 0.0f; "
FILL = "s[t] = j + t < m ? x[j + t] : 0.0f; __syncthreads(); "
SUM = "for (int d = 0; d < 8; ++d) v += sinf(s[d] * own); "
ROUNDS = "for (int j = 0; j < m; j += 8) { " + FILL + SUM + "__syncthreads(); } "
STORE = "if (i < n) y[i] = v;"
PAIRS = OWN + ROUNDS + STORE
NUMBERED = FILL.replace("j + t", "8 * j + t") + SUM + "__syncthreads(); } "
MADE = {
    "pairs": PAIRS,
    "pairs of one array": PAIRS.replace("w[i]", "x[i]").replace("< m", "< n"),
    "tiles by their number": OWN + "for (int j = 0; j < (m + 7) / 8; ++j) { " + NUMBERED + STORE,
    "as many tiles as blocks": OWN + "for (int j = 0; j < gridDim.x; ++j) { " + NUMBERED + STORE,
    "many tiles": PAIRS.replace("j < m", "j < 256"),
    "what each thread knows, under a guard": "float v = 0.0f, own = 0.0f; if (i < n) own = w[i] * w[i]; "
    + ROUNDS.replace("sinf(s[d] * own)", "s[d] * own")
    + STORE,
    "a tile of squares": PAIRS.replace("x[j + t] :", "x[j + t] * x[j + t] :"),
    "without a tile": OWN
    + "for (int j = 0; j < m; j += 8) if (t < 8 && j + t < m) v += sinf(x[j + t] * own); "
    + STORE,
}
STAYS = {
    "few tiles": PAIRS.replace("j < m", "j < 16").replace("j + t < m", "j + t < 16"),
    "tiles that overlap": PAIRS.replace("j += 8", "j += 4"),
    "tiles larger than blocks": PAIRS.replace("j += 8", "j += 16"),
    "tiles that the block's position moves": PAIRS.replace("x[j + t]", "x[(j + t + blockIdx.x) % m]"),
    "what goes from tile to tile": PAIRS.replace("v += sinf(s[d] * own)", "v += s[d] * sinf(v + own)"),
    "two loops": OWN + ROUNDS + "__syncthreads(); " + ROUNDS + STORE,
    "an array that is added to atomically anyhow": PAIRS.replace("x[j + t] :", "x[j + t] * w[j + t] :"),
    "elements of the next tile beside the loop": PAIRS.replace("i < n ? w[i]", "i + 8 < m ? x[i + 8]"),
}
CASE = """kernel = "k"
of = ["y"]
wrt = ["x", "w"]
[launch]
grid = GRID
block = BLOCK
[args]
n = N
m = M
x = { shape = 700, fill = "normal" }
w = { shape = 700, fill = "normal" }
y = { shape = 700, fill = "zeros" }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(text: str, *words: str, ordered: bool = False) -> Transformed:
    return transform(
        Source("k.cu", text),
        Options(
            of=("y",),
            wrt=("x", "w"),
            assume=tuple(map(assumption, words)),
            accumulate="deterministic" if ordered else "fastest",
        ),
    )


def why(done: Transformed, array: str = "x") -> str:
    (row,) = (row for row in done.adjoint.plan.accumulations if row.target == f"adj_{array}[..]")
    return f"{row.how}: {row.reason}"


def right(done: Transformed, backend: Backend, grid: str, block: str, n: int, m: int) -> None:
    text = CASE.replace("GRID", grid).replace("BLOCK", block).replace("N", str(n)).replace("M", str(m))
    report = check_pair(done.pair, Case.parse(text, done.pair.primal), backend, tolerance=1e-8)
    assert report.ok, report.text()


@pytest.mark.parametrize(("n", "m"), [(10, 21), (19, 5), (16, 16), (9, 1)])
def test_a_product_of_tiles(n: int, m: int, backend: Backend) -> None:
    done = made(PRODUCT, "covers:n:n")
    assert "atomicAdd" not in done.text
    assert why(done, "x").startswith("gathered: the blocks along x divide")
    assert why(done, "w").startswith("gathered: the blocks along y divide")
    right(done, backend, f"[{(n + 3) // 4}, {(n + 3) // 4}]", "[4, 4]", n, m)


@pytest.mark.parametrize("name", MADE)
def test_blocks_share_out_tiles(name: str, backend: Backend) -> None:
    done = made(LINE.replace("BODY", MADE[name]), "covers:n")
    assert why(done).startswith("gathered: the blocks along x divide")
    assert "atomicAdd(&adj_x" not in done.text
    right(done, backend, "3", "8", 19, 21)
    right(done, backend, "2", "8", 9, 16 if name == "as many tiles as blocks" else 60)


@pytest.mark.parametrize("name", STAYS)
def test_what_is_not_proved_stays(name: str) -> None:
    done = made(LINE.replace("BODY", STAYS[name]), "covers:n")
    assert "divide" not in why(done)


def test_positions_that_may_be_larger_than_the_counter_stay() -> None:
    """Of unsigned ones nothing says that a tile's start is an `int` for the last block."""
    assert "divide" not in why(made(UNSIGNED.replace("BODY", PAIRS), "covers:n"))


def test_without_a_declaration_blocks_work_side_by_side() -> None:
    assert why(made(PRODUCT)).startswith("atomic")


def test_sums_that_must_not_depend_on_an_order_are_made_this_way(backend: Backend) -> None:
    done = made(PRODUCT, ordered=True)
    assert "atomicAdd" not in done.text
    right(done, backend, "[3, 3]", "[4, 4]", 10, 21)
    done = made(LINE.replace("BODY", STAYS["few tiles"]), ordered=True)
    right(done, backend, "3", "8", 19, 21)


def test_a_launch_of_fewer_blocks_gets_what_they_owe(backend: Backend) -> None:
    """The sum is over the blocks that there are: nothing is relied upon that isn't so."""
    done = made(PRODUCT, ordered=True)
    right(done, backend, "[2, 1]", "[4, 4]", 10, 21)
