"""Loops that all threads of a block run equally often, though each counts from a place of its own."""

from __future__ import annotations

import pytest

from s2sad import parse
from s2sad.analysis import ssa_construction
from s2sad.analysis.threads.block_uniformity import meetings, uniform
from s2sad.source import Source
from s2sad.transform.normalise.structure_exits import structure

SIZES = "int n, int pitch, unsigned m, long big"


def together(body: str) -> bool:
    """Whether all threads of a block reach the barriers together, whatever the launch is."""
    head = f"__global__ void k(const float *x, const int *idx, float *y, {SIZES})"
    program = parse.program(Source("k.cu", f"{head}\n{{\nint i = threadIdx.x;\n{body}\n}}\n"))
    v = ssa_construction.survey(structure(program.kernel))
    found = uniform(v)
    return not found.even and not any(found.apart(v.scope_of[b]) for b in meetings(v))


@pytest.mark.parametrize(
    "loop",
    [
        "for (int t = i; t < n + i; t += 4) { S }",
        "for (int t = i; t < i + n * pitch; t += pitch) { S }",
        "for (int t = n * pitch + 3 * i - 1; t < (n + 1) * pitch + 3 * i; t += pitch) { S }",
        "int at = n * i, end = at + n; for (; at < end; at += pitch) { S }",
        "for (int t = n - i; t >= pitch - i; t -= 3) { S }",
        "int own = idx[i]; for (int t = own; t < own + 4; ++t) { S }",
        "for (long t = i; t < big + i; t += 2) { S }",
        "for (int q = 0; q < n; ++q) { int own = q * i; for (int t = own; t < own + n; t += 2) { S } }",
    ],
)
def test_what_differs_between_threads_cancels(loop: str) -> None:
    assert together(loop.replace("S", "y[i] += x[i]; __syncthreads();"))


@pytest.mark.parametrize(
    "loop",
    [
        "for (int t = i; t < n; t += 4) { S }",
        "for (int t = i; t < n - i; t += 4) { S }",
        "for (int t = i; t < n + 2 * i; t += 4) { S }",
        "for (int t = i; t < n + i; t += i + 1) { S }",
        "for (int t = i; t < n + i + i; t += 4) { S }",
        "int own = i; if (idx[i]) own = 2 * i; for (int t = i; t < own + n; t += 4) { S }",
        "int own = i; if (idx[i]) own = 2; int t = own; if (idx[n]) own = 3; for (; t < own; t += 2) { S }",
        "int own = idx[i]; for (int t = own; t < idx[i] + n; t += 4) { own = 3; S }",
        "int own = i; for (int t = own; t < own + n; t += 4) { S own += idx[i]; }",
        "for (unsigned t = i; t < m + i; t += 4) { S }",
        "for (int t = i; t < n + i; t += 4) { if (x[t] > 0.0f) break; S }",
    ],
)
def test_what_does_not_cancel_parts_them(loop: str) -> None:
    assert not together(loop.replace("S", "y[t] = x[t]; __syncthreads();"))
