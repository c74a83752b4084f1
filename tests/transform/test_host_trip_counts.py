"""How often a loop runs at most, over what the host knows: against all small launches, one by one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from s2sad import parse
from s2sad.analysis.loops.counted_loops import counted
from s2sad.analysis.ssa_construction import survey
from s2sad.ir import Binary, Cast, Const, DoWhile, Expr, For, Place, Select, Special, Unary, While
from s2sad.source import Source
from s2sad.transform.normalise.structure_exits import structure
from s2sad.transform.plan.trip_bounds import Bounds

HEAD = "__global__ void k(const float *x, const int *idx, float *y, int n, int m, unsigned u)"
AT = "int t = threadIdx.x, b = blockIdx.x; float v = 0.0f;"
LOOPS = (For, While, DoWhile)


def bound(body: str) -> Expr | None:
    """Of the innermost loop."""
    kernel = structure(parse.program(Source("k.cu", f"{HEAD}\n{{\n{AT}\n{body}\ny[t] = v;\n}}\n")).kernel)
    versions = survey(kernel)
    loops = [s for s in versions.order if isinstance(s, LOOPS)]
    return Bounds(versions, {loop: counted(loop, versions) for loop in loops}, {}).of(loops[-1])


def value(expr: Expr, known: dict[str, int]) -> int:
    match expr:
        case Const(number):
            return int(number)
        case Place(sym, ()):
            return known[sym.name]
        case Special(name):
            return known[name]
        case Cast(arg):
            return value(arg, known)
        case Unary("-", arg):
            return -value(arg, known)
        case Select(cond, then, other):
            return value(then if value(cond, known) else other, known)
        case Binary(op, left, right):
            a, b = value(left, known), value(right, known)
            if op == "/":
                return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return {"+": a + b, "-": a - b, "*": a * b, ">": int(a > b), "<": int(a < b)}[op]
        case _:
            raise AssertionError(expr)


Trips = Callable[[int, int, int, int, int, int], int]  # of t, b, n, m and the sizes of block and grid


def steps(start: int, end: int, step: int, last: int = 0) -> int:
    return len(range(start, end + last, step)) if step > 0 else 0


@pytest.mark.parametrize(
    ("body", "trips"),
    [
        (
            "int last = n * (m - 1) + t; if (n > 0) for (int i = t + n; i < last; i += n) v += x[i];",
            lambda t, b, n, m, block, grid: steps(t + n, n * (m - 1) + t, n),
        ),
        (
            "if (n > 0) for (int i = 4 * b; i <= 4 * b + (m - 1) * n; i += 3 * n) v += x[i];",
            lambda t, b, n, m, block, grid: steps(4 * b, 4 * b + (m - 1) * n, 3 * n, 1),
        ),
        (
            "if (n > 0) for (int i = t + n * m; i > t; i -= n) v += x[i];",
            lambda t, b, n, m, block, grid: steps(-t - n * m, -t, n),
        ),
        (
            "int c = min(5, n - b); for (int i = 0; i < c; ++i) v += x[i];",
            lambda t, b, n, m, block, grid: max(0, min(5, n - b)),
        ),
        (
            "int c = n - t > 5 ? 5 : n - t; for (int i = 0; i < c; ++i) v += x[i];",
            lambda t, b, n, m, block, grid: max(0, min(5, n - t)),
        ),
        (
            "int c = max(m, n - b); for (int i = 0; i < c; ++i) v += x[i];",
            lambda t, b, n, m, block, grid: max(0, m, n - b),
        ),
        (
            "int c = min(t, n); for (int i = c - (c & 3); i < c; ++i) v += x[i];",
            lambda t, b, n, m, block, grid: min(t, n) & 3,
        ),
        (
            "int e = m; if (b == gridDim.x - 1) e = n - 2 * b; for (int i = 1; i < e; ++i) v += x[i];",
            lambda t, b, n, m, block, grid: max(0, (n - 2 * b if b == grid - 1 else m) - 1),
        ),
        (
            "int e = m; if (t > 2) e -= n; for (int i = t; i < e; i += 2) v += x[i];",
            lambda t, b, n, m, block, grid: steps(t, m - n if t > 2 else m, 2),
        ),
        (
            "for (int i = b; i <= n - 3 * t; ++i) v += x[i];",
            lambda t, b, n, m, block, grid: steps(b, n - 3 * t, 1, 1),
        ),
        (
            "for (int i = n - b; i > 2 * t; --i) v += x[i];",
            lambda t, b, n, m, block, grid: max(0, n - b - 2 * t),
        ),
        (
            "for (int i = 0; i < n * (int)blockDim.x - t; i += blockDim.x) v += x[i];",
            lambda t, b, n, m, block, grid: steps(0, n * block - t, block),
        ),
    ],
)
def test_no_launch_runs_a_loop_more_often(body: str, trips: Trips) -> None:
    found = bound(body)
    assert found is not None
    for block, grid, n, m in product((1, 2, 5), (1, 3), range(-3, 9), range(-2, 6)):
        known = {"n": n, "m": m, "u": 3, "blockDim": block, "gridDim": grid}
        most = value(found, known)
        for t, b in product(range(block), range(grid)):
            assert trips(t, b, n, m, block, grid) <= most, (known, t, b)


def test_a_loop_inside_another_runs_as_often_as_the_counter_outside_allows() -> None:
    found = bound("for (int j = 1; j < n; ++j) for (int k = 0; 2 * k < j; ++k) v += x[k];")
    assert found is not None
    for n in range(-3, 12):
        runs = [len(range(0, j, 2)) for j in range(1, n)]
        assert max(runs, default=0) <= value(found, {"n": n})
    found = bound("for (int j = n; j > m; --j) for (int k = t - j; k < t - m; ++k) v += x[k];")
    assert found is not None
    for n, m in product(range(-3, 6), range(-3, 6)):
        assert max((j - m for j in range(m + 1, n + 1)), default=0) <= value(found, {"n": n, "m": m})


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < idx[t]; ++i) v += x[i];",
        "int e = idx[t]; for (int i = e; i < e * 2; ++i) v += x[i];",
        "int e = n; if (t > 2) e = idx[t]; for (int i = 0; i < e; ++i) v += x[i];",
        "int e = max(n, idx[t]); for (int i = 0; i < e; ++i) v += x[i];",
        "int e = n; for (int j = 0; j < m; ++j) e *= 2; for (int i = 0; i < e; ++i) v += x[i];",
        "for (int i = -n * t; i < n * t; ++i) v += x[i];",  # n may be negative, and is the largest at t == 0
        "for (unsigned i = u - t; i < u + 5 - t; ++i) v += x[i];",  # wraps
        "for (int i = 0; i < n - u + t; ++i) v += x[i];",  # compares what wraps
        "int s = m; for (int i = t; i < n; i += s) { if (v > 1.0f) break; v += x[i]; }",  # m may be zero
        "for (long i = 0; i < u - 5 + t; ++i) v += x[i];",  # widens what has wrapped
    ],
)
def test_where_nothing_bounds_it_nothing_is_said(body: str) -> None:
    assert bound(body) is None


STORED = "float g[9][5]; g[0][0] = v; for (int a = {start}; a < idx[t]; {step}) {{ {body} }} v = g[t][0];"


@pytest.mark.parametrize(
    ("start", "step", "body", "most"),
    [
        (2, "++a", "g[a][0] = g[a - 1][0] * v;", 7),
        (1, "a += 3", "g[a][0] = v;", 3),  # 1, 4, 7
        (1, "++a", "g[0][a - 1] = v;", 5),
        (0, "++a", "g[2 + a][a] = v;", 5),
        (0, "++a", "g[2 + a][0] = v; if (v > 1.0f) break;", 7),
        (0, "++a", "float w = v * v; g[a + 1][0] += w;", 8),
        (20, "++a", "g[a][0] = v;", 0),
    ],
)
def test_a_counter_that_each_iteration_stores_at_stays_within_the_array(
    start: int, step: str, body: str, most: int
) -> None:
    found = bound(STORED.format(start=start, step=step, body=body))
    assert found is not None
    assert value(found, {}) == most


@pytest.mark.parametrize(
    ("start", "step", "body"),
    [
        ("0", "++a", "if (a < 9) g[a][0] = v;"),  # not in each iteration
        ("0", "++a", "if (v > 3.0f) continue; g[a][0] = v;"),
        ("0", "++a", "if (v > 3.0f) break; g[a][0] = v;"),
        ("0", "++a", "v += a < 9 ? g[a][0] : 0.0f;"),  # it may not be read
        ("0", "++a", "y[a] = v;"),  # of no known extent
        ("0", "++a", "g[8 - a * 0][0] = v;"),
        ("0", "++a", "g[a / 2][0] = v;"),
        ("idx[b]", "++a", "g[a][0] = v;"),  # nothing says where it starts
        ("0", "a += idx[b]", "g[a][0] = v;"),
    ],
)
def test_a_store_that_some_iteration_leaves_out_bounds_nothing(start: str, step: str, body: str) -> None:
    assert bound(STORED.format(start=start, step=step, body=body)) is None
