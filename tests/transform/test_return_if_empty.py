"""When a block returns at once, since no thread of it has an element."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

HEAD = 'extern "C" __global__ void k(const float *x, const float *w, float *y, float *z, int n, int m)'
AT = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
CASE = """\
[launch]
grid = 3
block = 8
[args]
n = 17
m = 5
x = { shape = 32, fill = "uniform(0.2, 1)" }
w = { shape = 8, fill = "uniform(0.4, 1.2)" }
y = { shape = 64, fill = "zeros" }
z = { shape = 32, fill = "zeros" }
"""
NONE = '{ shape = 0, fill = "zeros" }'
EMPTY = "".join(f"[[also]]\nargs = {{ n = {n}, x = {NONE}, w = {NONE}, y = {NONE} }}\n" for n in (0, -3))
RETURNS = {
    "one guard": "if (i < n) y[i] = w[0] * x[i];",
    "a sum in a loop": "if (i < n) { float s = x[i]; for (int k = 0; k < 5; ++k) s = s * w[k]; y[i] = s; }",
    "several guards": "if (i < n) y[i] = w[0] * x[i]; if (i < n && i > 2) y[i] += w[1] * x[i];",
    "a stride": "for (int j = i; j < n; j += gridDim.x * blockDim.x) y[j] = w[0] * x[j];",
    "a shared tile": "__shared__ float s[8]; s[threadIdx.x] = i < n ? x[i] * w[0] : 0.0f; __syncthreads();"
    " if (i < n) y[i] = s[(threadIdx.x + 1) % 8] * w[1];",
    "another guard within": "if (i < n) if (m > 2) y[i] = w[0] * x[i];",
}
STAYS = {
    "something for all": "if (i < n) y[i] = w[0] * x[i]; z[i] = 2.0f * z[i];",
    "another guard": "if (i < n) y[i] = w[0] * x[i]; if (i < m) z[i] = w[1] * z[i];",
    "no guard by index": "y[i] = w[0] * x[i];",
    "a sum of another guard": "if (i < n) y[i] = w[0] * x[i];"
    " if (i < m) y[i + 24] = x[i] * x[i + 1] * x[i + 2];",
    "a value for two guards": "if (i < n) y[i] = w[0] * x[i]; float s = sinf(x[i]);"
    " if (i < m) y[i + 24] = s; if (i < m - 1) y[i + 36] = s * s;",
    "from above": "if (i >= n) z[i] = w[0] * z[i];",
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated() as one:
        yield one


@pytest.mark.parametrize("name", RETURNS)
def test_a_block_without_elements_returns(name: str, backend: Backend) -> None:
    done = made(f"{HEAD} {{ {AT} {RETURNS[name]} }}", "y", "x,w")
    assert "if (n <= 0)\n        return;" in done.text
    assert "if (n > 0" not in done.text
    right(done, CASE + EMPTY, backend)


@pytest.mark.parametrize("name", STAYS)
def test_a_block_that_has_something_to_do_stays(name: str, backend: Backend) -> None:
    of, wrt = ("y,z", "x,w,z") if "z[i] =" in STAYS[name] else ("y", "x,w")
    done = made(f"{HEAD} {{ {AT} {STAYS[name]} }}", of, wrt)
    assert "return;" not in done.text
    right(done, CASE, backend)
