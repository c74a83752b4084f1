"""Which elements are known to be final when they are read, and that the gradients are right either way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from s2sad.options import Options, assumption
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KERNEL = """\
extern "C" __global__ void k(const double *x, %sint *parent, double *all, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *y = all + 16 * i;
    %s
    z[i] = y[1] + y[2] * y[5] + y[7] * y[7];
}
"""
CASE = """\
[launch]
grid = 2
block = 2
[args]
n = 3
x = { shape = 8, fill = "uniform(0.5, 1.5)" }
parent = [-1, 0, 0, 2, 1, 4, 2, 6]
all = { shape = 48, fill = "uniform(0.5, 1.5)" }
z = { shape = 3, fill = "zeros" }
"""
FINAL = {
    "of the parent": "for (int j = 1; j < 8; ++j) y[j] = x[j] * sin(y[parent[j]]);",
    "by a name": "for (int j = 1; j < 8; ++j) { int p = parent[j]; y[j] = x[j] * sin(y[p]); }",
    "of a row": "for (int j = 1; j < 8; ++j)"
    " for (int k = 0; k < 2; ++k) y[2 * j + k] = x[j] * sin(y[2 * parent[j]] + y[2 * parent[j] + 1]);",
    "of the parent's parent": "for (int j = 3; j < 8; ++j) y[j] = x[j] * sin(y[parent[parent[j]] + 1]);",
    "from the end": "for (int j = 1; j < 8; ++j) y[8 - j] = x[j] * sin(y[8 - parent[j]]);",
    "of a triangle": "for (int j = 0; j < 7; ++j) for (int k = j + 1; k < 8; ++k) y[k] = x[k] * sin(y[j]);",
}
OVERWRITTEN = {
    "of the parent's neighbour": "for (int j = 1; j < 8; ++j) y[j] = x[j] * sin(y[parent[j] + 1]);",
    "of a child": "for (int j = 7; j > 0; --j) y[j] = x[j] * sin(y[parent[j]]);",
    "of the row after the parent's": "for (int j = 1; j < 8; ++j)"
    " for (int k = 0; k < 2; ++k) y[2 * j + k] = x[j] * sin(y[2 * parent[j] + 2]);",
    "and changed later": "for (int j = 1; j < 8; ++j) y[j] = x[j] * sin(y[parent[j]]);"
    " for (int j = 0; j < 8; ++j) y[j] = x[j] * cos(y[j]);",
    "of the negative": "for (int j = 4; j < 8; ++j) y[j + 1] = x[j] * sin(y[7 - parent[j]]);",
    "of a triangle with its diagonal": "for (int j = 0; j < 8; ++j)"
    " for (int k = j; k < 8; ++k) y[k] = x[k] * sin(y[j]);",
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def taped(body: str, backend: Backend, *assumed: str, const: str = "const ") -> bool:
    """Whether the adjoint has a tape, after checking its gradients."""
    options = Options(of=("z",), wrt=("x", "all"), assume=tuple(map(assumption, assumed)))
    done = transform(Source("k.cu", KERNEL % (const, body)), options)
    report = check_pair(done.pair, Case.parse(CASE, done.pair.primal), backend, tolerance=1e-7)
    assert report.ok, report.text()
    return "tape_" in done.text


@pytest.mark.parametrize("name", FINAL)
def test_an_element_of_an_earlier_one_is_final(name: str, backend: Backend) -> None:
    assert not taped(FINAL[name], backend, "earlier:parent")
    if "parent" in FINAL[name]:
        assert taped(FINAL[name], backend)


@pytest.mark.parametrize("name", OVERWRITTEN)
def test_an_element_that_may_be_stored_again_is_recorded(name: str, backend: Backend) -> None:
    assert taped(OVERWRITTEN[name], backend, "earlier:parent")


def test_nothing_is_known_of_parents_that_the_kernel_changes(backend: Backend) -> None:
    body = "for (int j = 1; j < 8; ++j) { parent[j] = j % 2 ? j : 0; y[j] = x[j] * sin(y[parent[j]]); }"
    body = body.replace("parent[j] =", "if (n < 0) parent[j] =")
    assert taped(body, backend, "earlier:parent", const="")
