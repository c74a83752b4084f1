"""A block adds its sum where the primal has read the element, and unconditionally if it exists anyway.

Each kernel runs with arrays that hold no more than it reads, in launches of which some blocks, or all, are
beyond the end; memory is watched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KERNEL = """\
// s2sad: --of y --wrt x,w
extern "C" __global__ void k(const float *x, const float *w, float *y, int m, int n)
{
%s}
"""
AT = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
ACROSS = (
    "    int c = blockIdx.x * blockDim.x + threadIdx.x;\n    int r = blockIdx.y * blockDim.y + threadIdx.y;\n"
)
BOTH = "    int i = r * m + c;\n"
CASE = """\
[launch]
grid = {grid}
block = {block}
[args]
m = {m}
n = {n}
x = {{ shape = {x}, fill = "normal" }}
w = {{ shape = {w}, fill = "normal" }}
y = {{ shape = {x}, fill = "zeros" }}
"""
ALSO = """\
[[also]]
args.m = {m}
args.n = {n}
args.x = {{ shape = {x}, fill = "normal" }}
args.w = {{ shape = {w}, fill = "normal" }}
args.y = {{ shape = {x}, fill = "zeros" }}
"""

Sizes = list[tuple[int, int, int, int]]
"""Values of m and n, and the sizes of x (and y) and of w."""
Kernels = dict[str, tuple[str, str, Sizes]]
"""The body of each kernel, the condition of the call ("" for none), and sizes."""

GUARDED: Kernels = {
    "one element for the launch": (
        AT + "    if (i < n)\n        y[i] = x[i] * w[0];\n",
        "n > 0",
        [(1, 19, 19, 1), (1, 3, 3, 1), (1, 0, 0, 0)],
    ),
    "after an early return": (
        AT + "    if (i >= n)\n        return;\n    y[i] = x[i] * sinf(w[3]);\n",
        "n > 0",
        [(1, 19, 19, 4), (1, 3, 3, 4), (1, 0, 0, 0)],
    ),
    "one element for each block": (
        AT + "    if (i < n)\n        y[i] = x[i] * w[blockIdx.x];\n",
        "(int)(blockIdx.x * blockDim.x) < n",
        [(1, 19, 19, 3), (1, 9, 9, 2), (1, 8, 8, 1), (1, 1, 1, 1), (1, 0, 0, 0)],
    ),
    "an offset": (
        AT + "    if (i + 2 < n)\n        y[i] = x[i + 2] * w[0];\n",
        "n > 2",
        [(1, 19, 19, 1), (1, 3, 3, 1), (1, 2, 2, 0), (1, 0, 0, 0)],
    ),
    "a signed difference": (
        AT + "    if (i - 2 < n)\n        y[i] = x[i] * w[0];\n",
        "n > -2",
        [(1, 19, 21, 1), (1, 0, 2, 1), (1, -1, 1, 1), (1, -2, 0, 0)],
    ),
    "a product": (
        AT + "    int all = n * m;\n    if (i < all)\n        y[i] = x[i] * w[1];\n",
        "n * m > 0",
        [(2, 9, 18, 2), (2, 0, 0, 0), (-1, -3, 3, 2)],
    ),
    "unsigned": (
        "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < (unsigned)n)\n        y[i] = x[i] * w[0];\n",
        "(unsigned int)n > 0",
        [(1, 19, 19, 1), (1, 0, 0, 0)],
    ),
    "made unsigned": (
        "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n)\n        y[i] = x[i] * w[0];\n",
        "(unsigned int)n > 0",
        [(1, 19, 19, 1), (1, -1, 24, 1), (1, 0, 0, 0)],
    ),
    "nested conditions of the launch": (
        AT + "    if (i < n) {\n        float s = x[i];\n        if (m > 2)\n            s *= w[2];\n"
        "        y[i] = s;\n    }\n",
        "n > 0 && m > 2",
        [(3, 19, 19, 3), (2, 19, 19, 0), (3, 0, 0, 0)],
    ),
    "a stride over the grid": (
        "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n"
        "        y[i] = x[i] * w[0];\n",
        "n > 0",
        [(1, 60, 60, 1), (1, 3, 3, 1), (1, 0, 0, 0)],
    ),
    "a loop in the thread": (
        AT + "    if (i < n) {\n        float s = x[i];\n        for (int k = 0; k < m; ++k)\n"
        "            s *= 0.5f + w[1];\n        y[i] = s;\n    }\n",
        "n > 0 && m > 0",
        [(3, 19, 19, 2), (0, 19, 19, 0), (3, 0, 0, 0)],
    ),
    "read in any case, used in some": (
        AT + "    if (i < n) {\n        float s = x[i];\n        if (w[0] * s > 0.1f)\n"
        "            s *= w[0];\n        y[i] = s;\n    }\n",
        "n > 0",
        [(1, 19, 19, 1), (1, 0, 0, 0)],
    ),
    "several elements side by side": (
        AT + "    if (i < n) {\n        float s = 0.0f;\n        for (int k = 0; k < 7; ++k)\n"
        "            s += w[k] * sinf(k * x[i]);\n        y[i] = s;\n    }\n",
        "n > 0",
        [(1, 19, 19, 7), (1, 3, 3, 7), (1, 0, 0, 0)],
    ),
    "every warp of a loop": (
        AT + "    if (i < n) {\n        float s = x[i];\n        for (int k = 0; k < m; ++k)\n"
        "            s = s * w[k] + x[i];\n        y[i] = s;\n    }\n",
        "n > 0",
        [(3, 19, 19, 3), (0, 19, 19, 0), (3, 3, 3, 3), (3, 0, 0, 0)],
    ),
    "a branch of some blocks": (
        AT + "    if (blockIdx.x > 0) {\n        if (i < n)\n            y[i] = x[i] * w[0];\n    }\n",
        "(int)(blockIdx.x * blockDim.x) < n",
        [(1, 19, 19, 1), (1, 8, 8, 0), (1, 0, 0, 0)],
    ),
    "a row of blocks": (
        ACROSS + "    if (c < m && r < n) {\n" + BOTH + "        y[i] = x[i] * w[blockIdx.y];\n    }\n",
        "m > 0 && (int)(blockIdx.y * blockDim.y) < n",
        [(9, 7, 63, 2), (9, 3, 27, 1), (0, 7, 0, 0), (9, 0, 0, 0)],
    ),
}  # fmt: skip
EXISTING: Kernels = {
    "the first threads of each block": (
        AT + "    if (threadIdx.x < 5)\n        y[i] = x[i] * w[blockIdx.x];\n",
        "",
        [(1, 24, 24, 3)],
    ),
    "one lane in two": (
        AT + "    if (threadIdx.x % 2 == 0)\n        y[i] = x[i] * w[0];\n",
        "",
        [(1, 24, 24, 1)],
    ),
    "all threads": (AT + "    y[i] = x[i] * w[0];\n", "", [(1, 24, 24, 1)]),
    "an array in shared memory": (
        "    __shared__ float s[4];\n" + AT + "    if (threadIdx.x < 4)\n"
        "        s[threadIdx.x] = w[threadIdx.x];\n"
        "    __syncthreads();\n    if (i < n && x[i] > 0.0f)\n        y[i] = x[i] * s[1];\n",
        "",
        [(1, 19, 19, 4), (1, 3, 3, 4), (1, 0, 0, 4)],
    ),
}  # fmt: skip
UNKNOWN: Kernels = {
    "bounded from below": (
        AT + "    if (i > 0 && i < n)\n        y[i] = x[i] * w[0];\n",
        "",
        [(1, 19, 19, 1), (1, 1, 1, 0), (1, 0, 0, 0)],
    ),
    "bounded by an unsigned difference": (
        AT + "    if ((unsigned)(i - 3) < (unsigned)n)\n        y[i] = x[i] * w[0];\n",
        "",
        [(1, 9, 12, 1), (1, 0, 0, 0)],
    ),
    "wrapped": (
        AT + "    if ((unsigned char)(i + 250) < n)\n        y[i] = x[i] * w[0];\n",
        "",
        [(1, 4, 12, 1), (1, 0, 0, 0)],
    ),
    "odd positions": (
        AT + "    if (i % 2 == 1 && i < n)\n        y[i] = x[i] * w[0];\n",
        "",
        [(1, 19, 19, 1), (1, 1, 1, 0)],
    ),
    "data": (
        AT + "    if (i < n && x[i] > 9.0f)\n        y[i] = x[i] * w[0];\n"
        "    else if (i < n)\n        y[i] = x[i];\n",
        "",
        [(1, 19, 19, 0), (1, 0, 0, 0)],
    ),
    "the other branch": (
        AT + "    if (i < n)\n        y[i] = sinf(x[i]);\n"
        "    else if (i < n + m)\n        y[i] = x[i] * w[0];\n",
        "",
        [(7, 11, 18, 1), (9, 0, 9, 1), (0, 19, 19, 0)],
    ),
    "some of several elements": (
        AT + "    if (i < n) {\n        float s = x[i];\n        for (int k = 0; k < 7; ++k)\n"
        "            if (i + k < n)\n                s += w[k] * x[i + k];\n        y[i] = s;\n    }\n",
        "",
        [(1, 19, 19, 7), (1, 2, 2, 2), (1, 0, 0, 0)],
    ),
    "a remainder": (
        AT + "    if ((i + 3) % 4 < n)\n        y[i] = x[i] * w[0];\n",
        "",
        [(1, 2, 24, 1), (1, 9, 24, 1), (1, 0, 24, 0)],
    ),
    "either of two conditions": (
        AT + "    float s = 0.0f;\n    if (i < n)\n        s = x[i] * w[0];\n"
        "    if (i < m)\n        s += x[i] * w[0];\n    y[i] = s;\n",
        "",
        [(9, 19, 24, 1), (9, 0, 24, 1), (0, 19, 24, 1), (0, 0, 24, 0)],
    ),
    "two conditions in one call": (
        AT + "    if (i < n)\n        y[i] = x[i] * w[0] + (i + 9 < n ? x[i] * w[5] : 0.0f);\n",
        "n > 0",
        [(1, 19, 19, 6), (1, 9, 9, 1), (1, 0, 0, 0)],
    ),
    "a bound that moves": (
        AT + "    if (i < n - (int)threadIdx.x)\n        y[i] = x[i] * w[0];\n",
        "",
        [(1, 19, 19, 1), (1, 0, 0, 0)],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def judged(body: str, sizes: Sizes, backend: Backend) -> str:
    """Return the adjoint, after checking it with arrays of these sizes."""
    done = transform(Source("k.cu", KERNEL % body), Options())
    across = "blockIdx.y" in body
    launch = {"grid": "[3, 3]" if across else 3, "block": "[4, 4]" if across else 8}
    first, *more = ({"m": m, "n": n, "x": x, "w": w} for m, n, x, w in sizes)
    text = CASE.format(**launch, **first) + "".join(
        ALSO.format(**each).replace(",\n        ", ",") for each in more
    )
    report = check_pair(done.pair, Case.parse(text, done.pair.primal), backend, tolerance=1e-7)
    assert report.ok, report.text()
    return done.text


def guard(text: str) -> str:
    """The condition for what the block doesn't return at once, and that of the branch with the call."""
    calls = list(re.finditer(r"(?:if \((.*)\)( \{)?\n)?\s*(?:block|warp)_add\w*\(&?adj_\w", text))
    assert calls
    returns = re.findall(r"// no thread has an element\n\s*if \((.*)\)\n\s*return;", text)
    goes_on = [re.sub(r" (<=|>=|==) ", lambda m: OTHERWISE[m[1]], cond) for cond in returns]
    return " && ".join([*goes_on, *([calls[-1][1]] if calls[-1][1] else [])])


OTHERWISE = {"<=": " > ", ">=": " < ", "==": " != "}


def values_are_tested(text: str) -> bool:
    return re.search(r"(value|sum|total)(\[\d\])? != 0\.0f", text) is not None


@pytest.mark.parametrize("name", GUARDED)
def test_the_first_thread_decides_for_its_block(name: str, backend: Backend) -> None:
    body, expected, sizes = GUARDED[name]
    text = judged(body, sizes, backend)
    assert guard(text) == expected
    assert not values_are_tested(text)


@pytest.mark.parametrize("name", EXISTING)
def test_what_some_thread_of_each_block_reads_needs_no_condition(name: str, backend: Backend) -> None:
    body, expected, sizes = EXISTING[name]
    text = judged(body, sizes, backend)
    assert guard(text) == expected
    assert not values_are_tested(text)


@pytest.mark.parametrize("name", UNKNOWN)
def test_otherwise_zeros_are_not_added(name: str, backend: Backend) -> None:
    body, expected, sizes = UNKNOWN[name]
    text = judged(body, sizes, backend)
    assert guard(text) == expected
    assert values_are_tested(text)
