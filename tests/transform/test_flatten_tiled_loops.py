"""Which loops over tiles become one loop, so that one thread gathers what pairs add to an element."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.irtext import show
from s2sad.options import assumption
from s2sad.pipeline import Transformed
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
#define T 8
extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int m)
{
    __shared__ float xs[T], ws[T];
    int i = blockIdx.x * T + threadIdx.x;
    float here = i < n ? x[i] : 0.0f;
    float sum = 0.0f;
    for (int first = 0; first < n; first += T) {
        int j = first + threadIdx.x;
        STORES
        __syncthreads();
        LOOP
        __syncthreads();
    }
    if (i < n)
        y[i] = sum;
}
"""
CASE = """\
[launch]
grid = 4
block = 8
[args]
n = 21
m = 17
x = { shape = 32, fill = "uniform(0.2, 1)" }
w = { shape = 32, fill = "uniform(0.4, 1.2)" }
y = { shape = 32, fill = "zeros" }
"""
X = "xs[threadIdx.x] = j < n ? x[j] : 0.0f;"
W = "ws[threadIdx.x] = j < n ? w[j] : 0.0f;"
GUARDED = "if (j < n) { xs[threadIdx.x] = x[j]; ws[threadIdx.x] = w[j]; }"
ALL = "for (int q = 0; q < T; ++q) "
ADD = "sum += ws[q] * sinf(xs[q] - here);"
ONE = "for (int j = 0; j < n; ++j)"
FORMS = {
    "a padded tile": (X + W, ALL + ADD, ONE),
    "elements that the array has": (GUARDED, ALL + "if (first + q < n) " + ADD, ONE),
    "a limit": (GUARDED, "int last = min(T, n - first); for (int q = 0; q < last; ++q) " + ADD, ONE),
    "a limit in the condition": (GUARDED, "for (int q = 0; q < T && n > first + q; ++q) " + ADD, ONE),
    "not itself": (X + W, ALL + "if (first + q != i) " + ADD, ONE),
    "a continue": (X + W, ALL + "{ if (first + q >= n) continue; " + ADD + " }", ONE),
    "padded by another value": (X.replace("0.0f", "0.5f") + W, ALL + ADD, ONE),
    "other additions": (X + W, ALL + "sum += ws[q] * sinf(xs[q] - here) - (xs[q] - xs[q]) * ws[q];", ONE),
    "what pads it counts": (X + W, ALL + "sum += sinf(xs[q] - here);", None),
    "weights that aren't padded by zero": (X + W.replace("0.0f", "0.5f"), ALL + ADD, None),
    "stale elements": (X + "if (j < n) ws[threadIdx.x] = w[j];", ALL + ADD, None),
    "a stale element in an index": (GUARDED, ALL + "if (first + q <= n) " + ADD, None),
    "another limit": (X + W, "int last = min(T, m - first); for (int q = 0; q < last; ++q) " + ADD, None),
    "another bound of a tile": (X + W.replace("j < n", "j < m"), ALL + ADD, None),
    "some of a tile": (X + W, "for (int q = 0; q < T - 1; ++q) " + ADD, None),
    "without the first": (X + W, "for (int q = 1; q < T; ++q) " + ADD, None),
    "a break": (X + W, ALL + "{ if (xs[q] > 0.9f) break; " + ADD + " }", None),
    "a break before the limit": (
        GUARDED,
        "int last = min(T, n - first); for (int q = 0; q < last; ++q) { if (xs[q] > 0.9f) break; "
        + ADD
        + " }",
        None,
    ),
    "by the tile": (X + W, ALL + "if (first != 8) " + ADD, None),
    "by the place in a tile": (X + W, ALL + "if (q != 3) " + ADD, None),
    "sums of a tile": (
        X + W,
        "float part = 0.0f; " + ALL + "part += ws[q] * xs[q]; sum += part * here;",
        None,
    ),
    "read before it is stored": ("float old = ws[threadIdx.x] * 0.0f + here; " + X + W, ALL + ADD, None),
    "computed once for a tile": ("xs[threadIdx.x] = j < n ? expf(x[j]) : 0.0f;" + W, ALL + ADD, None),
    "a scan of the sum": (X + W, ALL + "sum = sum * 0.9f + ws[q] * sinf(xs[q] - here);", None),
    "a step of the outer loop": (X + W, ALL + ADD + " sum *= 0.5f;", None),
    "an iteration's step": (X + W, ALL + ADD + "if (xs[0] > 2.0f) sum *= 0.5f;", None),
    "exchanged in a warp": (
        X + W,
        ALL + ADD + "sum += 0.1f * __shfl_xor_sync(0xffu, sum, 1);",
        None,
    ),
}
UNRACED = {"read before it is stored"}  # of memory that nobody stored


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated() as one:
        yield one


def gathered(text: str) -> Transformed:
    return made(text, "y", "x,w", assume=(assumption("covers:n"),))


@pytest.fixture
def flattened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The flattened primal of each trial; nothing if its loops weren't."""
    planned, tried = importlib.import_module("s2sad.transform.planned"), list[str]()
    flatten = planned.flatten_tiled_loops

    def watched(*asked: object) -> object:
        flat = flatten(*asked)
        tried.append("" if flat is None else show(flat.function.body))
        return flat

    monkeypatch.setattr(planned, "flatten_tiled_loops", watched)
    return tried


@pytest.mark.parametrize("name", FORMS)
def test_forms(name: str, backend: Backend, flattened: list[str]) -> None:
    stores, loop, head = FORMS[name]
    done = gathered(KERNEL.replace("STORES", stores).replace("LOOP", loop))
    assert any(flattened) == (head is not None)
    assert ("__shared__" in done.text) == (head is None)
    assert head is None or head in done.text
    if name not in UNRACED:
        right(done, CASE, backend)


LAST = "if (i < n)\n        y[i] = sum;"


def test_stores_under_two_guards(backend: Backend, flattened: list[str]) -> None:
    text = KERNEL.replace("STORES", X + W).replace("LOOP", ALL + ADD)
    text = text.replace("float *y", "float *y, float *z")
    text = text.replace(LAST, LAST + " if (i >= 3 && i < n + 3) z[i] = 0.25f * sum;")
    done = made(text, "y,z", "x,w", assume=(assumption("covers:n"),))
    assert "float here = i < n ? x[i] : 0.0f" in flattened[0]
    right(done, CASE + 'z = { shape = 32, fill = "zeros" }\n', backend)


def test_an_exchange_under_no_guard(backend: Backend) -> None:
    text = KERNEL.replace("STORES", X + W).replace("LOOP", ALL + ADD)
    text = text.replace(LAST, "sum += 0.1f * __shfl_xor_sync(0xffu, sum, 1); " + LAST)
    right(gathered(text), CASE, backend)


def test_blocks_of_any_width(backend: Backend) -> None:
    text = KERNEL.replace("STORES", X + W).replace("LOOP", ALL + ADD)
    text = text.replace("float xs[T], ws[T]", "float xs[64], ws[64]").replace("#define T 8\n", "")
    done = gathered(text.replace("T", "blockDim.x"))
    assert ONE in done.text
    right(done, CASE, backend)


@pytest.mark.parametrize(
    ("count", "fits"),
    [
        ("(n + T - 1) / T", True),
        ("(n + 7) / T", True),
        ("(n - 1) / T + 1", False),
        ("(n + T) / T", False),
        ("gridDim.x", False),
        ("(m + T - 1) / T", False),
    ],
)
def test_tiles_by_their_number(count: str, fits: bool, backend: Backend) -> None:
    text = KERNEL.replace("STORES", X + W).replace("LOOP", ALL + ADD)
    head = f"for (int b = 0; b < {count}; ++b) {{\n        int first = b * T;"
    text = text.replace("for (int first = 0; first < n; first += T) {", head)
    done = gathered(text)
    assert (ONE in done.text) == fits
    right(done, CASE, backend)
