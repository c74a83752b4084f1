"""Sums of deviations from a mean: dropped where they are zero, kept where the text only looks alike."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.ir import Binary, For
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.transform.optimise.loops.drop_zero_sums import Finder

SERIAL = """\
extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    SET
    float s = 0.0f;
    for (int c = 0; c < d; ++c)
        s += x[i * d + c];
    MEAN
    float v = 0.0f;
    for (int c = 0; c < d; ++c) {
        ADD
    }
    float r = rsqrtf(v / d + 0.1f);
    for (int c = 0; c < d; ++c)
        y[i * d + c] = (x[i * d + c] - m) * r * w[c];
}
"""
SQUARES = "v += (x[i * d + c] - m) * (x[i * d + c] - m);"
DEVIATION = "float e = x[i * d + c] - m; v += e * e;"

ZERO = {
    "a quotient": ("", "float m = s / d;", SQUARES),
    "divided in place": ("", "float m = s; m /= d;", SQUARES),
    "a named deviation": ("", "float m = s / d;", DEVIATION),
    "the other way round": ("", "float m = s / d;", "float e = m - x[i * d + c]; v += e * e;"),
    "a reciprocal": ("float inv = 1.0f / d;", "float m = s * inv;", SQUARES),
    "the sum divided in place": ("", "s /= d; float m = s;", SQUARES),
}
LEFT = {
    "another divisor": ("", "float m = s / (d + 1);", SQUARES),
    "more than a sum": ("", "float m = (s + 0.5f) / d;", SQUARES),
    "changed afterwards": ("", "float m = s / d; m += 0.25f;", SQUARES),
    "the sum changed before": ("", "s += 0.5f; float m = s / d;", SQUARES),
    "the sum set anew": ("", "s = 0.5f; float m = s / d;", SQUARES),
    "only some": ("", "float m = s / d;", "if (x[i * d + c] > 0.0f) { " + SQUARES + " }"),
    "of another array": ("", "float m = s / d;", "v += (w[c] - m) * (w[c] - m);"),
    "the mean moves": ("", "float m = s / d;", SQUARES + " m += 0.125f * w[c];"),
    "weighted": ("", "float m = s / d;", "v += w[c] * (x[i * d + c] - m) * (x[i * d + c] - m);"),
    "another element": (
        "",
        "float m = s / d;",
        "v += 5.0f + (x[i * d + d - 1] - m) * (x[i * d + c] - 2.0f * m);",
    ),
}
"""What precedes, the mean, and what is added to v."""

BLOCK = """\
#define THREADS 32
extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int d)
{
    __shared__ float part[THREADS];
    int t = threadIdx.x, i = blockIdx.x;
    float s = 0.0f;
    for (int c = t; c < d; c += STRIDE)
        s += x[i * d + c];
    part[t] = s;
    __syncthreads();
    for (int h = FIRST / 2; h > 0; h /= 2) {
        if (t < h)
            part[t] += part[t + h];
        __syncthreads();
    }
    float m = part[0] / d;
    __syncthreads();
    float v = 0.0f;
    for (int c = t; c < d; c += OTHER)
        v += (x[i * d + c] - m) * (x[i * d + c] - m);
    part[t] = v;
    __syncthreads();
    for (int h = FIRST / 2; h > 0; h /= 2) {
        if (t < h)
            part[t] += part[t + h];
        __syncthreads();
    }
    float r = rsqrtf(part[0] / d + 0.1f);
    for (int c = t; c < d; c += LAST)
        y[i * d + c] = (x[i * d + c] - m) * r * w[c];
}
"""
SHARED = {
    "a stride of all threads": (("THREADS", "THREADS", "THREADS"), "THREADS", True),
    "of the block's size": (("blockDim.x", "blockDim.x", "blockDim.x"), "blockDim.x", True),
    "another stride": (("THREADS", "2 * THREADS", "THREADS"), "THREADS", False),
}
"""The strides of the three loops, the block's size, and whether the deviations sum to zero."""

CASE = """\
[launch]
grid = 3
block = 32
[args]
n = 3
d = 70
x = { shape = [3, 70], fill = "uniform(-1, 2)" }
w = { shape = 70, fill = "uniform(0.5, 1.5)" }
y = { shape = [3, 70], fill = "zeros" }
"""
SAID = "sum to zero"


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated() as one:
        yield one


def serial(set_: str, mean: str, add: str) -> str:
    return SERIAL.replace("SET", set_).replace("MEAN", mean).replace("ADD", add)


@pytest.mark.parametrize("name", ZERO)
def test_deviations_from_a_mean_add_nothing(name: str, backend: Backend) -> None:
    done = made(serial(*ZERO[name]), "y", "x,w")
    assert SAID in done.text, done.text
    right(done, CASE, backend)


@pytest.mark.parametrize("name", LEFT)
def test_what_only_looks_like_a_mean_adds_something(name: str, backend: Backend) -> None:
    done = made(serial(*LEFT[name]), "y", "x,w")
    assert SAID not in done.text
    right(done, CASE, backend)


def test_a_sum_that_begins_with_something_has_another_mean(backend: Backend) -> None:
    text = serial("", "float m = s / d;", SQUARES).replace("float s = 0.0f", "float s = 0.5f")
    done = made(text, "y", "x,w")
    assert SAID not in done.text
    right(done, CASE, backend)


@pytest.mark.parametrize("name", SHARED)
def test_the_deviations_of_all_threads_are_zero_not_each_one_s(name: str, backend: Backend) -> None:
    (sum_, squares, last), first, zero = SHARED[name]
    text = BLOCK.replace("STRIDE", sum_).replace("OTHER", squares)
    text = text.replace("LAST", last).replace("FIRST", first)
    done = made(text, "y", "x,w")
    assert (SAID in done.text) == zero, done.text
    right(done, CASE, backend)


@pytest.mark.parametrize(
    ("stride", "threads", "dimensions", "each_once"),
    [
        ("THREADS", 32, 1, True),
        ("THREADS", 64, 1, False),
        ("THREADS", 0, 1, False),
        ("THREADS", 32, 2, False),
        ("blockDim.x", 0, 1, True),
    ],
)
def test_the_threads_of_a_block_have_each_element_once(
    stride: str, threads: int, dimensions: int, each_once: bool
) -> None:
    text = BLOCK.replace("STRIDE", stride).replace("OTHER", stride)
    body = made(text.replace("LAST", stride).replace("FIRST", "THREADS"), "y", "x").program.kernel.body
    loop = next(stmt for stmt in body if isinstance(stmt, For))
    assert isinstance(loop.cond, Binary)
    assert Finder(body, threads, dimensions).covers(loop, loop.cond.right, of_block=True) == each_once
