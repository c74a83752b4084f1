"""Which loops of block-wide sums are dealt to the threads, which aren't, and that all gradients are right."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KERNEL = """\
extern "C" __global__ void k(const float *m, const float *c, const int *order, const float *x, float *y,
                             int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = 1, j = at + threadIdx.x;
    at += 3;
    if (i >= n)
        return;
    float s = 0.0f;
    %s
    y[i] = s * s;
}
"""
CASE = """\
[launch]
grid = "(n + BLOCK - 1) / BLOCK"
block = BLOCK
[args]
n = 300
m = { shape = 420, fill = "normal" }
c = { shape = 420, fill = "normal" }
order = { shape = 420, fill = "permutation" }
x = { shape = "n", fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""
DEALT = {
    "a product": "for (int b = 0; b < 64; ++b) s += m[b] * x[i];",
    "two arrays": "for (int b = 0; b < 64; ++b) s += m[b] * x[i] + c[b];",
    "several elements": "for (int b = 0; b < 20; ++b)"
    " for (int r = 0; r < 3; ++r) s += m[12 * b + 4 * r] * x[i] + m[12 * b + 4 * r + 1];",
    "backwards": "for (int b = 63; b >= 0; --b) s += m[b] * x[i];",
    "a row of each": "for (int b = 0; b < 64; ++b) {"
    " const float *row = m + 2 * b; s += row[0] * x[i] + row[1]; }",
    "a branch": "for (int b = 0; b < 64; ++b) if (x[i] > 0.1f * b) s += m[b] * x[i]; else s -= m[b];",
    "a local array": "float p[3] = {x[i], 2.0f * x[i], sinf(x[i])};"
    " for (int b = 0; b < 64; ++b) for (int r = 0; r < 3; ++r) s += m[3 * b + r] * p[r];",
    "a name that changed": "for (int b = 0; b < 64; ++b) s += m[b] * x[i] * (j + at);",
    "a name that changed, and several elements": "for (int b = 0; b < 20; ++b)"
    " for (int r = 0; r < 3; ++r) s += m[12 * b + 4 * r] * x[i] * (j + at);",
    "in a loop of all threads": "for (int t = 0; t < 2; ++t)"
    " for (int b = 0; b < 64; ++b) s += m[b + 64 * t] * x[i] * c[t];",
}
STAYS = {
    "few iterations": "for (int b = 0; b < 3; ++b) s += m[b] * x[i];",
    "a number that isn't known": "for (int b = 0; b < n / 4; ++b) s += m[b] * x[i];",
    "a state": "for (int b = 0; b < 64; ++b) s = sinf(s) + m[b] * x[i];",
    "a state that decays": "for (int b = 0; b < 64; ++b)"
    " s = 0.5f * s + m[4 * b] * x[i] + m[4 * b + 1] * c[0] + m[4 * b + 2] * c[1];",
    "an element of the thread's": "for (int b = 0; b < 64; ++b) s += m[b + threadIdx.x] * x[i];",
    "a loop that a thread ends": "for (int b = 0; b < 64 && b < i; ++b) s += m[b] * x[i];",
    "an element that an iteration moves": "for (int b = 0; b < 64; ++b) { at += 2; s += m[at] * x[i]; }",
    "an index from memory": "for (int b = 0; b < 64; ++b) s += m[order[b]] * x[i];",
    "a function that would be called again": "for (int b = 0; b < 64; ++b) s += sinf(m[b] * x[i]);",
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(body: str, wrt: str = "m,c,x") -> Transformed:
    return transform(Source("k.cu", KERNEL % body), Options(of=("y",), wrt=tuple(wrt.split(","))))


def dealt(text: str) -> bool:
    return "+= (int)blockDim.x" in text


def right(done: Transformed, backend: Backend, block: int, elements: int = 420) -> None:
    text = CASE.replace("BLOCK", str(block)).replace("420", str(elements))
    case = Case.parse(text, done.pair.primal)
    report = check_pair(done.pair, case, backend, tolerance=1e-7)
    assert report.ok, report.text()


@pytest.mark.parametrize("name", DEALT)
def test_an_iteration_is_one_threads(name: str, backend: Backend) -> None:
    done = made(DEALT[name])
    assert dealt(done.text)
    for block in (16, 150):  # fewer threads than iterations; more than are in shared memory at a time
        right(done, backend, block)


@pytest.mark.parametrize("name", STAYS)
def test_what_is_not_known_or_not_cheaper_stays(name: str, backend: Backend) -> None:
    done = made(STAYS[name])
    assert not dealt(done.text)
    right(done, backend, 16)


def test_a_function_is_called_as_often_as_before(backend: Backend) -> None:
    done = made(STAYS["a function that would be called again"], "m")
    assert dealt(done.text)
    right(done, backend, 16)


def test_an_element_that_no_thread_uses_may_not_exist(backend: Backend) -> None:
    inner = "for (int b = 0; b < 64; ++b) if (b < n - 260) s += m[b] * x[i] + c[b];"
    done = made("for (int t = 0; t < 2; ++t) " + inner)
    assert dealt(done.text)
    right(done, backend, 16, elements=40)


def test_l44_every_term_is_summed_once() -> None:
    for threads, trips in product(range(1, 8), range(10)):
        for part in range(1, 5):
            owed = sorted(product(range(threads), range(trips)))
            summed = sorted(
                (t, b)
                for first in range(0, threads, part)
                for own in range(threads)
                for b in range(own, trips, threads)
                for t in range(first, min(first + part, threads))
            )
            assert summed == owed
