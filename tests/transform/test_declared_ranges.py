"""`--assume range:A<B`: what it proves, and that the adjoint and `check` test it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.diagnostics import Rejected
from s2sad.options import Assumption, Unclear, assumption
from s2sad.pipeline import Transformed
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.validate import Case, check_pair

ROWS = """\
extern "C" __global__ void k(const float *x, float *y, int rows, int cols, int ld)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float s = 0.0f;
    for (int c = 0; c < cols; ++c) s += x[r * ld + c] * x[r * ld + c];
    y[r] = s;
}
"""
ROWS_CASE = """\
[launch]
grid = 2
block = 8
[args]
rows = 12
cols = 3
ld = LD
x = { shape = 96, fill = "uniform(-1, 1)" }
y = { shape = "rows", fill = "zeros" }
"""
STEPS = """\
extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i], t = x[i];
        for (int q = 0; q < m; ++q) {
            s = sinf(s) * t + w[0];
            t = cosf(s * t);
        }
        y[i] = s;
    }
}
"""
STEPS_CASE = """\
[launch]
grid = 2
block = 32
[args]
n = 50
m = M
x = { shape = "n", fill = "uniform(-1, 1)" }
w = { shape = 1, fill = "uniform(0.4, 1)" }
y = { shape = "n", fill = "zeros" }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def declared(text: str, *ranges: str, wrt: str = "x", mode: str = "joint") -> Transformed:
    return made(text, "y", wrt, mode, assume=tuple(assumption(f"range:{r}") for r in ranges))  # type: ignore[arg-type]


@pytest.mark.parametrize("said", ["cols<=ld", "cols < ld + 1", "cols + 1 <= ld", "2*cols<ld"])
def test_rows_that_don_t_overlap_need_no_atomics(said: str, backend: Backend) -> None:
    assert "atomicAdd" in made(ROWS, "y", "x").text
    done = declared(ROWS, said)
    assert "atomicAdd" not in done.text, done.text
    right(done, ROWS_CASE.replace("LD", "7" if "2" in said else "4"), backend)


@pytest.mark.parametrize("said", ["cols-1<=ld", "ld<cols", "rows<ld"])
def test_what_doesn_t_keep_them_apart_proves_nothing(said: str) -> None:
    assert "atomicAdd" in declared(ROWS, said).text


def test_check_looks_at_the_data(backend: Backend) -> None:
    done = declared(ROWS, "cols<=ld")
    report = check_pair(
        done.pair,
        Case.parse(ROWS_CASE.replace("LD", "2"), done.pair.primal),
        backend,
        assume=["range:cols<=ld"],
    )
    assert not report.ok
    assert "--assume range:cols<=ld: cols is 3, ld is 2" in report.text()


def test_the_adjoint_is_nan_where_it_doesn_t_hold() -> None:
    text = declared(ROWS, "cols<=ld").text
    assert 'if (cols > ld) {\n        adj_x[0] = nanf("");\n        return;' in text
    assert "Requires cols <= ld (--assume range:cols<=ld)" in text


def test_a_literal_bound_of_trips_keeps_the_tape_in_the_thread(backend: Backend) -> None:
    done = declared(STEPS, "m<=12")
    assert "char *tape" not in done.text
    assert "float tape_s[12];" in done.text
    right(done, STEPS_CASE.replace("M", "5"), backend)
    right(done, STEPS_CASE.replace("M", "12"), backend)
    right(done, STEPS_CASE.replace("M", "0"), backend)


def test_the_forward_kernel_of_the_split_shape_has_no_such_tape(backend: Backend) -> None:
    """K_fwd doesn't test what is declared, and would write beyond it."""
    done = declared(STEPS, "m<=12", mode="split")
    assert "tape_s[12]" not in done.text
    right(done, STEPS_CASE.replace("M", "5"), backend)


def test_elements_that_exist_need_no_guard(backend: Backend) -> None:
    assert "no thread has an element" in made(STEPS, "y", "x,w").text
    done = declared(STEPS, "0<n", "0<m", wrt="x,w")
    assert "no thread has an element" not in done.text, done.text
    right(done, STEPS_CASE.replace("M", "5"), backend)


def test_whole_warps_need_no_code_for_a_partial_one(backend: Backend) -> None:
    assert "the last warp may be partial" in made(STEPS, "y", "x,w").text
    done = declared(STEPS, "blockDim.x % 32 < 1", wrt="x,w")
    assert "may be partial" not in done.text
    right(done, STEPS_CASE.replace("M", "5"), backend)


@pytest.mark.parametrize("what", ["n", "<n", "n>0", "0<n<m", "a,b<c", 'n<"x"'])
def test_what_isn_t_a_comparison_is_refused(what: str) -> None:
    with pytest.raises(Unclear):
        assumption(f"range:{what}")


CONVERTED = """\
extern "C" __global__ void k(const float *x, float *y, long long big, int a, int b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 0.5f * x[i];
    if (i < n && GUARD) y[i] = x[i] * x[i];
}
"""
CONVERTED_CASE = """\
[launch]
grid = 2
block = 8
[args]
big = 4294967290
a = 2
b = 5
n = 12
x = { shape = "n", fill = "uniform(0.4, 1)" }
y = { shape = "n", fill = "zeros" }
"""


@pytest.mark.parametrize(
    ("said", "guard"), [("0<big", "(int)big > 0"), ("a<b", "(long long)((unsigned)a - (unsigned)b) < 0")]
)
def test_a_conversion_that_changes_the_value_is_another_value(
    said: str, guard: str, backend: Backend
) -> None:
    """Found from outside: the guard was dropped."""
    right(declared(CONVERTED.replace("GUARD", guard), said), CONVERTED_CASE, backend)


def test_signed_and_unsigned_integers_aren_t_compared() -> None:
    text = ROWS.replace("int cols", "unsigned cols")
    with pytest.raises(Rejected) as refused:
        declared(text, "cols<=ld")
    assert "it compares a signed with an unsigned integer" in refused.value.diagnostics[0].title


def test_unknown_names_are_refused() -> None:
    with pytest.raises(Rejected) as refused:
        declared(ROWS, "columns<ld")
    assert refused.value.diagnostics[0].title.startswith("--assume range:columns<ld: a side isn't")


def test_it_is_written_without_blanks() -> None:
    assert assumption("range: cols <= ld") == Assumption("range", "cols<=ld")
