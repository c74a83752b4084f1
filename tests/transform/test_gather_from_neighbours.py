"""Which additions around a thread's own element are collected by the elements' owners, and which stay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from s2sad.options import Options, assumption
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

LINE = (
    'extern "C" __global__ void k(const float *x, const float *w, const int *idx, float *y, int n, int m) {'
    " int i = blockIdx.x * blockDim.x + threadIdx.x; BODY }"
)
IMAGE = (
    'extern "C" __global__ void k(const float *x, float *y, int n, int m) {'
    " int i = blockIdx.x * 8 + threadIdx.x; unsigned j = blockIdx.y * blockDim.y + threadIdx.y; BODY }"
)
COLLECTED = {
    "three points": "if (i > 0 && i + 1 < n) y[i] = x[i - 1] * x[i + 1] + x[i] * x[i];",
    "a guard from above only": "if (i < n - 2) y[i] = x[i + 1] * sinf(x[i + 2]);",
    "a loop": "if (i + 4 < n) { float s = 0.0f;"
    " for (int k = 0; k < 5; ++k) s += w[k] * x[i + k]; y[i] = s; }",
    "a loop downwards": "if (i >= 4 && i < n) { float s = 0.0f;"
    " for (int k = 4; k >= 1; --k) s += w[k] * x[i - k] * x[i]; y[i] = s; }",
    "a way that the caller says": "if (i < n && m >= 0 && i + m < n) y[i] = x[i + m] * x[i];",
    "names": "if (i >= n) return; float c = x[i]; float d = 0.0f; int r = i + 1;"
    " if (r < n) { d = x[r] - c; } y[i] = i + 1 < n ? x[i + 1] * c : c;",
    "a condition on data": "if (i + 1 < n && idx[i] > 0) y[i] = x[i + 1] * x[i];",
    "a thread that stays behind": "if (i < 1 || i >= n) return; y[i] = x[i - 1] * x[i];",
    "a quotient": "if (n / (i + 1) > 1 && i >= 0 && i + 1 < n) y[i] = x[i + 1] * x[i + 1] + x[i];",
    "a branch": "if (i < n) { float b; if (i + 1 < n) b = x[i + 1]; else b = x[i]; y[i] = b * x[i]; }",
    "what only the owner has": "if (i + 1 >= n) return; float c = x[i]; float s = 0.0f;"
    " for (int k = 0; k < n; ++k) { s += c * w[k]; c = sinf(c); } y[i] = s * 0.1f + x[i + 1] * x[i + 1];",
}
LEFT = {
    "no guard": "y[i] = x[i] * x[i + 1];",
    "a guard that says something else": "if (i > 0 && i < m) y[i] = x[i - 1] * x[i];",
    "elements beyond what is covered": "if (i < n) y[i] = x[i] + x[i + 1];",
    "every second element": "if (2 * i + 2 < n) y[i] = x[2 * i] * x[2 * i + 2];",
    "a mirrored one": "if (i < n) y[i] = x[i] * x[n - 1 - i];",
    "one that is held at the rim": "if (i < n) y[i] = x[i] * x[max(i - 1, 0)];",
    "one that data say": "if (i + 1 < n) y[i] = x[idx[i]] * x[i + 1];",
    "as many as the thread says": "if (i + 4 < n) { float s = 0.0f;"
    " for (int k = 0; k < 1 + i % 4; ++k) s += x[i + k]; y[i] = s; }",
    "a value that is made step by step": "if (i + 1 >= n) return; float c = x[i];"
    " for (int k = 0; k < 3; ++k) c = sinf(c * c); y[i] = c * x[i + 1];",
    "a grid of strides": "for (int q = i; q + 1 < n; q += gridDim.x * blockDim.x) y[q] = x[q] * x[q + 1];",
    "another thread's share of a shared array": "__shared__ float s[8]; s[threadIdx.x] = i < n ? w[i] : 0.0f;"
    " __syncthreads(); if (i + 1 < n) y[i] = s[threadIdx.x] * x[i + 1] * x[i];",
    "a sum of all threads, in a launch of any shape": "if (i + 1 < n) atomicAdd(&y[0], x[i] * x[i + 1]);",
    "rows around which threads go": "for (int c = 0; c < m; ++c)"
    " if (i > 0 && i < n) y[c * n + i] = x[c * n + i] * x[c * n + i - 1];",
    "a position without a name": "int q = blockIdx.x * blockDim.x + threadIdx.x + 1;"
    " if (q < n) y[q] = x[q] * x[q - 1] * threadIdx.x;",
}
CASE = """kernel = "k"
of = ["y"]
wrt = ["x"]
[launch]
grid = "(n + 7) / 8 + 1"
block = 8
[args]
n = 21
m = 2
x = { shape = "n", fill = "normal" }
w = { shape = "n", fill = "normal" }
idx = { shape = "n", fill = "randint(0, 2)" }
y = { shape = "n", fill = "zeros" }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(text: str, body: str, covers: str = "n", wrt: tuple[str, ...] = ("x",)) -> Transformed:
    source = Source("k.cu", text.replace("BODY", body))
    return transform(source, Options(of=("y",), wrt=wrt, assume=(assumption(f"covers:{covers}"),)))


def how(done: Transformed) -> set[str]:
    return {row.how for row in done.adjoint.plan.accumulations if row.target == "adj_x[..]"}


@pytest.mark.parametrize("name", COLLECTED)
def test_each_owner_collects(name: str, backend: Backend) -> None:
    done = made(LINE, COLLECTED[name])
    assert how(done) == {"gathered"}
    assert "atomicAdd" not in done.text
    report = check_pair(done.pair, Case.parse(CASE, done.pair.primal), backend, tolerance=1e-8)
    assert report.ok, report.text()


@pytest.mark.parametrize("name", LEFT)
def test_what_is_not_proved_stays(name: str) -> None:
    assert how(made(LINE, LEFT[name])) == {"atomic"}


def test_without_a_declaration_all_stays() -> None:
    source = Source("k.cu", LINE.replace("BODY", COLLECTED["three points"]))
    assert how(transform(source, Options(of=("y",), wrt=("x",)))) == {"atomic"}


def test_a_seed_that_the_adjoint_overwrites_is_not_read_by_others() -> None:
    body = "if (i > 0 && i < n) y[i] = x[i - 1] * x[i] * y[i];"
    assert how(made(LINE, body, wrt=("x", "y"))) == {"atomic"}


def test_a_position_that_may_wrap_is_tested_before_it_is_moved() -> None:
    """Of an unsigned position, i - 1 is no less than 0 ever."""
    body = "unsigned u = i; unsigned q = blockIdx.x * blockDim.x + threadIdx.x;"
    text = LINE.replace(" int i = blockIdx.x * blockDim.x + threadIdx.x;", "")
    body = "unsigned q = blockIdx.x * blockDim.x + threadIdx.x; if (q + 1 < n) y[q] = x[q] * x[q + 1];"
    done = made(text, body.replace("< n", "< (unsigned)n"))
    assert how(done) == {"gathered"}
    assert "q >= 1" in done.text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (i > 0 && i < n && j < m) y[j * n + i] = x[j * n + i - 1] * x[j * n + i];", "gathered"),
        ("if (i < n && j + 1 < m) y[j * n + i] = x[(j + 1) * n + i] * x[j * n + i];", "gathered"),
        # the first element of the next row
        ("if (i < n && j + 1 < m) y[j * n + i] = x[j * n + i + 1] * x[j * n + i];", "atomic"),
        # rows of another length
        ("if (i + 1 < n && j < m) y[j * n + i] = x[j * m + i + 1] * x[j * m + i];", "atomic"),
        # all rows read one
        ("if (i + 1 < n && j < m) y[j * n + i] = x[i + 1] * x[i];", "atomic"),
    ],
)
def test_two_axes(body: str, expected: str) -> None:
    done = made(IMAGE, body, "n:m")
    assert how(done) == {expected}
    if expected == "gathered":
        assert "blockDim.x != 8 || gridDim.x * 8 < n || gridDim.y * blockDim.y < m" in done.text


def test_a_kernel_of_two_axes_needs_both_declared() -> None:
    assert how(made(IMAGE, "if (i > 0 && i < n && j < 1) y[i] = x[i - 1] * x[i];", "n")) == {"atomic"}


def test_check_refutes_a_launch_that_does_not_cover(backend: Backend) -> None:
    done = made(LINE, COLLECTED["three points"])
    case = Case.parse(CASE.replace('"(n + 7) / 8 + 1"', "2"), done.pair.primal)
    report = check_pair(done.pair, case, backend, assume=("covers:n",))
    assert not report.ok
    assert "--assume covers:n: 16 threads along x, but n is 21" in report.text()
