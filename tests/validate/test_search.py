"""Cases that reach the code: drafts with the right launch, and launches that a search adds."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from validate_kit import array, number

from s2sad import checking, drafting, pipeline
from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.run.isolated import Isolated
from s2sad.signature import Signature
from s2sad.source import Source
from s2sad.validate import Case, Report, check_pair, draft, reaching, together, worst
from s2sad.validate.hints import Hints
from s2sad.validate.moves import moves

IMAGE = """
__constant__ float taps[5];
__global__ void blur(const float *in, float *out, int width, int height)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < width && row < height)
        out[row * width + col] = taps[0] * in[row * width + col];
}
"""


def test_a_draft_has_the_dimensions_the_block_and_the_extents_of_the_text() -> None:
    hints = Hints.of(IMAGE)
    assert (hints.dimensions, hints.bounds, hints.extents) == (2, {0: "width", 1: "height"}, {"taps": (5,)})
    arguments = array("in"), array("out", written=True), number("width"), number("height"), array("taps")
    signature = Signature("blur", arguments)
    setting = Case.parse(draft(signature, hints=hints), signature).setting()
    assert setting.args["taps"].shape == (5,)  # type: ignore[union-attr]
    blocks = [
        (setting.launch.grid[0], setting.launch.block[0]),
        (setting.launch.grid[1], setting.launch.block[1]),
    ]
    for (grid, block), name in zip(blocks, ("width", "height"), strict=True):
        assert grid >= 2
        assert int(setting.args[name]) % block != 0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "block", "by_block"),
    [
        ("int i = blockIdx.x * 256 + threadIdx.x; if (i >= n) return;", {0: 256}, False),
        ("int i = threadIdx.x + (128) * blockIdx.x; if (i < n) y[i] = 0;", {0: 128}, False),
        ("void __launch_bounds__(96) k() { int i = threadIdx.x + blockIdx.x; if (i < n) ; }", {0: 96}, False),
        ("int row = blockIdx.x; if (row < n) y[row] = 0;", {}, True),
        ("int t = threadIdx.x; int i = blockIdx.x * 32 + t; if (i < n) y[i] = 0;", {0: 32}, False),
        ("#define B (4 * 8)\nint i = blockIdx.x * B + threadIdx.x; if (i < n) y[i] = 0;", {0: 32}, False),
        ("const int B = 16; int i = blockIdx.x * B + threadIdx.x; if (i < n) y[i] = 0;", {0: 16}, False),
    ],
)  # fmt: skip
def test_the_block_is_that_which_the_text_is_written_for(
    text: str, block: dict[int, int], by_block: bool
) -> None:
    hints = Hints.of(text)
    assert hints.block == block
    assert (0 in hints.by_block) == by_block
    signature = Signature("k", (array("y", written=True), number("n")))
    setting = Case.parse(draft(signature, hints=hints), signature).setting()
    assert setting.launch.block[0] == block.get(0, 64)
    assert setting.launch.grid[0] >= 2


COLUMNS = """
#define W 32
constexpr int H = W / 4;
extern "C" __global__ void k(const float *x, float *y, int rows, int cols)
{
    __shared__ float part[H][W + 1];
    int c = blockIdx.x * W + threadIdx.x;
    float s = 0.0f;
    if (c < cols)
        for (int r = threadIdx.y; r < rows; r += H)
            s += x[r * cols + c] * x[r * cols + c];
    part[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.y == 0 && c < cols) {
        for (int r = 1; r < H; ++r)
            s += part[r][threadIdx.x];
        y[c] = s;
    }
}
"""


def test_an_axis_along_which_the_text_knows_no_blocks_has_one() -> None:
    """Two would both compute every column; the block is that of the named constants."""
    hints = Hints.of(COLUMNS)
    assert (hints.extent(0), hints.extent(1), hints.blocks) == (32, 8, {0})
    signature = Signature("k", (array("x"), array("y", written=True), number("rows"), number("cols")))
    launch = Case.parse(draft(signature, hints=hints), signature).setting().launch
    assert launch.block == (32, 8, 1)
    assert launch.grid[0] >= 2
    assert launch.grid[1] == 1


def searched(text: str, name: str = "k.cu") -> str:
    done = pipeline.transform(Source(name, text), Options())
    return drafting.searched(done, drafting.of_transformed(done))


BRANCHES = """
extern "C" __global__ void k(const float *x, float *y, int n, int m, float limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    for (int j = 0; j < m; ++j) {
        s += x[i] * x[i];
        if (s > 37.5f)
            break;
    }
    if (m == 17)
        s *= 2.0f;
    if (limit > 200.0f)
        s *= 3.0f;
    y[i] = x[i] < -4.0f ? s * x[i] : s;
}
"""


def test_a_search_reaches_thresholds_counts_and_values() -> None:
    """All of an early exit, an integer that is one number, a float beyond a threshold, a rare value."""
    found = searched(BRANCHES)
    assert "not reached" not in found
    assert "[[also]]" in found
    assert searched(BRANCHES) == found


def test_what_cannot_be_reached_is_named() -> None:
    found = searched(BRANCHES.replace("m == 17", "m == 17 && m == 18"))
    assert "# not reached in " in found
    assert '# "m == 18 (true)" = "why"' in found


GATHER = """
extern "C" __global__ void k(const float *x, const int *idx, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[3 * idx[i] + 7];
}
"""


def test_a_draft_that_misses_its_arrays_is_made_to_fit() -> None:
    found = searched(GATHER)
    assert "nothing could be run" not in found
    done = pipeline.transform(Source("k.cu", GATHER), Options())
    assert Case.parse(found, done.pair.primal)


WAVEFRONT = """
extern "C" __global__ void k(const float *x, float *y)
{
    __shared__ float D[17];
    int t = threadIdx.x;
    D[t + 1] = x[blockIdx.x * blockDim.x + t];
    if (t == 0)
        D[0] = 0.5f;
    __syncthreads();
    y[blockIdx.x * blockDim.x + t] = D[t] * D[t + 1];
}
"""
WINDOW = """
extern "C" __global__ void k(const float *x, float *y, int n)
{
    float v[12];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; ++j)
        v[j] = x[i * n + j];
    for (int j = 0; j < n; ++j)
        y[i * n + j] = v[j] * v[n - 1 - j];
}
"""


@pytest.mark.parametrize("text", [GATHER, WAVEFRONT, WINDOW])
def test_of_what_a_draft_is_made_to_fit_by_no_more_is_kept_than_is_needed(text: str) -> None:
    """Most threads have work then, and most gradients aren't zero: there is something to compare."""
    done = pipeline.transform(Source("k.cu", text), Options())
    (job,) = checking.prepare(Source("k.cu", text), None, None, Options())
    report = checking.judge(job, "cpu")
    assert report.ok
    assert not report.zero
    found = Case.parse(searched(text), done.pair.primal).setting()
    threads = found.launch.grid[0] * found.launch.block[0]
    assert threads >= 16
    (row,) = (row for row in report.rows if row.name == "x")
    assert row.nonzero >= (3 if text == GATHER else row.elements // 4)


TABLE = """
extern "C" __global__ void k(const float *w, const float *x, float *y)
{
    float sum = 0.0f;
    for (int j = 0; j < 8; ++j)
        sum += w[threadIdx.x * 1024 + j] * x[j * 8192 + threadIdx.x];
    y[blockIdx.x * 2048 + threadIdx.x * 7] = sum * sum;
}
"""
TILE = """
extern "C" __global__ void k(const float *a, float *y)
{
    __shared__ float s[16][16];
    int t = threadIdx.x;
    for (int i = 0; i < 16; ++i)
        s[i][t] = a[blockIdx.x * 256 + i * 16 + t];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
        y[blockIdx.x * 256 + i * 16 + t] = s[t][i] * s[i][t];
}
"""


@pytest.mark.parametrize("text", [TABLE, TILE])
def test_a_draft_is_made_longer_and_its_block_smaller_until_the_kernel_stays_inside_its_arrays(
    text: str,
) -> None:
    """Of a width that the text has, and of a block that its products with blockIdx don't tell."""
    (job,) = checking.prepare(Source("k.cu", text), None, None, Options())
    report = checking.judge(job, "cpu")
    assert report.ok
    assert not report.zero


def test_a_kernel_that_leaves_its_arrays_on_every_draft_isnt_judged() -> None:
    text = GATHER.replace("3 * idx[i] + 7", "-1 - i")
    (job,) = checking.prepare(Source("k.cu", text), None, None, Options())
    with pytest.raises(Rejected, match="no draft of a case was found on which k stays inside its arrays"):
        checking.judge(job, "cpu")


ZERO = """
extern "C" __global__ void k(const float *x, const float *c, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] > 1e6f ? x[i] * c[i] : 0.0f;
}
"""


def test_a_verdict_over_zeros_only_says_so(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(ZERO)
    (tmp_path / "k.toml").write_text(
        'of = ["y"]\nwrt = ["x", "c"]\n[launch]\ngrid = 1\nblock = 8\n[args]\nn = 8\n'
        + "".join(f'{name} = {{ shape = "n", fill = "normal" }}\n' for name in "xcy")
    )
    done = command("check", "k.cu", folder=tmp_path)
    assert done.returncode == 0
    assert done.stderr.startswith("k_adj: ok, but every gradient is zero on this data: ")
    assert "note: x, c: the gradients are zero on this data" in done.stderr


ENDLESS = """
extern "C" __global__ void k(const float *x, float *y, float limit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (;;) {
        s = 0.7f * s + 0.1f;
        if (s < limit)
            break;
    }
    y[i] = s * s;
}
"""


def test_a_search_gives_up_where_launches_do_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The values approach a third: below that no trip is the last. Two such launches are enough."""
    monkeypatch.setattr(reaching, "QUICK", 0.3)
    done = pipeline.transform(Source("k.cu", ENDLESS), Options())
    case = Case.parse(drafting.of_transformed(done), done.pair.primal, "draft.toml")
    ended = []
    with Isolated("cpu", 30.0) as backend:
        backend.timeout = 0.3
        run = reaching.Reaching(done.pair, backend)
        for limit in (0.7, 0.05, 0.1, 0.7):
            ended.append(run(case.varied(done.pair.primal, {"limit": limit}, {})) is not None)
    assert ended == [True, False, False, False]


def command(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "s2sad", *words], cwd=folder, capture_output=True, text=True, check=False
    )


def test_check_without_a_case_drafts_one_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(BRANCHES)
    done = command("check", "k.cu", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no case file beside k.cu, so a draft was used" in done.stderr
    assert re.search(r"^lines reached of k +\d+ of \d+", done.stderr, re.MULTILINE)
    rare = BRANCHES.replace("m == 17", "m == 17 && m == 18")
    (tmp_path / "k.cu").write_text(rare)
    done = command("check", "k.cu", "--require-coverage", folder=tmp_path)
    assert done.returncode == 1
    assert "ok on what ran" in done.stderr


BACKWARD = """
__global__ void k_backward(const float *x, const float *grad_y, float *grad_x, int n, int m, float limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f, ds = 0.0f;
    for (int j = 0; j < m; ++j) {
        s += x[i] * x[i];
        ds += 2.0f * x[i];
    }
    float factor = (m == 17 ? 2.0f : 1.0f) * (limit > 200.0f ? 3.0f : 1.0f);
    s *= factor;
    ds *= factor;
    grad_x[i] = grad_y[i] * (x[i] < -4.0f ? ds * x[i] + s : ds);
}
"""


def test_an_audit_with_a_searched_case_finds_a_dropped_early_exit(tmp_path: Path) -> None:
    """The backward forgets that the loop is left: no plain case reaches the threshold."""
    (tmp_path / "k.cu").write_text(BRANCHES)
    (tmp_path / "back.cu").write_text(BACKWARD)
    case = command("case", "k.cu", "back.cu", "--search", folder=tmp_path)
    assert case.returncode == 0, case.stderr
    (tmp_path / "k.toml").write_text(case.stdout)
    done = command("audit", "k.cu", "back.cu", folder=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "gradient of x" in done.stderr
    plain = command("case", "k.cu", "back.cu", folder=tmp_path)
    (tmp_path / "k.toml").write_text(plain.stdout)
    done = command("audit", "k.cu", "back.cu", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "ok on what ran" in done.stderr
    assert re.search(r"^lines reached of k .*not: .*\b11\b", done.stderr, re.MULTILINE)


ABSENT = """
extern "C" __global__ void k(const float2 *at, const float *bias, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0.0f;
    for (int j = 0; j < n; ++j)
        s += at[j].x * at[j].y;
    if (bias != nullptr && i < n)
        s *= bias[i];
    if (i < n)
        y[i] = s;
}
"""


def test_a_search_leaves_arrays_out_and_keeps_the_extents_of_arrays_of_structs() -> None:
    """No trip needs n = 0, where `at` keeps the length that it had; a null pointer needs an absent array."""
    found = searched(ABSENT)
    assert "not reached" not in found
    assert "bias = { shape = 0" in found


WARPS = """
extern "C" __global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] * x[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    if (i < n)
        y[i] = v;
}
"""


def test_a_search_adds_no_launch_that_the_adjoint_is_not_made_for() -> None:
    """Its header says that blocks are of whole warps; others are answered with NaN."""
    found = searched(WARPS)
    assert re.findall(r"block = (?!32\b|64\b|96\b|128\b|256\b)\d+", found) == []
    assert "= nanf(" in found  # named as not reached


def test_no_other_block_is_tried_of_a_kernel_that_is_written_for_one() -> None:
    launch = {"grid": 2, "block": 32}
    found = [moves(Signature("k", ()), {}, launch, 32, [], sized) for sized in (False, True)]
    assert [any("block" in move.launch for move in each) for each in found] == [True, False]


# ---- drafted data on which the primal isn't finite -----------------------------------


def reported(text: str, name: str = "k.cu") -> Report:
    """The report of a check without a case file."""
    (job,) = checking.prepare(Source(name, text), None, None, Options())
    return checking.judge(job, "cpu")


def elementwise(value: str, more: str = "", parameters: str = "const float *x", wrt: str = "x") -> str:
    head = f'extern "C" __global__ void k({parameters}, float *y, int n)\n{{\n'
    index = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n)\n        return;\n"
    return f"// s2sad: --of y --wrt {wrt}\n{more}{head}{index}    y[i] = {value};\n}}\n"


MAP = """// s2sad: --of last --wrt first,r
extern "C" __global__ void k(const float *first, float *last, float r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = first[i];
    for (int step = 0; step < 12; step++)
        x = r * x * (1.0f - x);
    last[i] = x;
}
"""


@pytest.mark.parametrize(
    ("text", "fill"),
    [
        (elementwise("logf(x[i]) * sqrtf(x[i])"), "uniform(0.5, 1.5)"),
        (elementwise("acosf(x[i]) / x[i]"), "uniform(0.1, 0.9)"),
        (elementwise("acoshf(x[i])"), "uniform(1.5, 2.5)"),
        (elementwise("sqrtf(-x[i])"), "uniform(-0.9, -0.1)"),
        (elementwise("sqrtf(s.x[i])", "struct S { const float *x; };\n", "S s", "s"), "uniform(0.5, 1.5)"),
        (MAP, "uniform(0.5, 1.5)"),
    ],
)
def test_a_draft_takes_the_first_fill_with_which_the_results_are_finite(text: str, fill: str) -> None:
    report = reported(text)
    assert report.ok, report.text()
    assert all(row.not_finite == () for row in report.rows)
    told = f"the draft's arrays are filled with {fill}: with normal, more results of k are not finite"
    assert told in report.notes
    assert f'fill = "{fill}"' in searched(text)


def test_a_draft_whose_results_are_finite_keeps_its_fill() -> None:
    report = reported(elementwise("sinf(x[i])"))
    assert report.ok
    assert not any("filled with" in note or "no fill" in note for note in report.notes)
    assert 'fill = "normal"' in searched(elementwise("sinf(x[i])"))


def test_a_draft_that_needs_a_longer_array_and_another_fill_gets_both() -> None:
    report = reported(elementwise("sqrtf(x[i + 7])"))
    assert report.ok, report.text()
    assert any("filled with uniform(0.5, 1.5)" in note for note in report.notes)
    found = searched(elementwise("sqrtf(x[i + 7])"))
    assert re.search(r'^x = \{ shape = "n \+ 64", fill = "uniform\(0.5, 1.5\)" \}$', found, re.M), found


def test_where_no_fill_gives_finite_results_nothing_is_wrong_and_the_check_fails(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(elementwise("sqrtf(-1.0f - x[i] * x[i])"))
    done = command("check", "k.cu", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("k_adj: nothing could be compared: choose other data, ")
    assert "with no fill that was tried are all results finite (normal, uniform(0.5, 1.5), " in done.stderr
    assert "WRONG" not in done.stderr
    assert "wrong" not in done.stderr


def test_an_argument_that_nothing_judges_is_named_and_all_else_is_right() -> None:
    report = reported(
        elementwise("x[i] + 1.0f / (1.0f / (a - 0.7))", parameters="const float *x, double a", wrt="x,a")
    )
    assert not report.ok
    assert not report.wrong
    assert report.text().startswith("k_adj: nothing of a could be compared, all else is right: ")
    assert "wrong:" not in report.text()


def test_a_wrong_launch_is_shown_rather_than_one_that_compares_nothing() -> None:
    text = elementwise("sqrtf(x[i])")
    pair = pipeline.transform(Source("k.cu", text), Options()).pair
    wrong = pair.adjoint_text.replace("* adj_y[i]", "* adj_y[i] * 1.5f").replace(
        "= adj_y[i]", "= 1.5f * adj_y[i]"
    )
    assert wrong != pair.adjoint_text
    case = Case.parse(
        drafting.of_transformed(pipeline.transform(Source("k.cu", text), Options())), pair.primal
    )
    lost = case.varied(pair.primal, {"x": {"shape": "n", "fill": "uniform(-2, -1)"}}, {})
    good = case.varied(pair.primal, {"x": {"shape": "n", "fill": "uniform(1, 2)"}}, {})
    with Isolated("cpu", 30.0) as backend:
        judging = replace(pair, adjoint_text=wrong)
        reports = [check_pair(judging, one, backend) for one in (lost, good)]
    assert [report.wrong for report in reports] == [False, True]
    assert "WRONG" in together(case, reports).text()
    assert worst(reports) is reports[1]
