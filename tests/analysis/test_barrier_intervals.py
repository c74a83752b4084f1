"""What runs between the same barriers, what a block agrees on, and what a loop fills anew."""

from __future__ import annotations

import pytest

from s2sad import parse
from s2sad.analysis import ssa_construction
from s2sad.analysis.function_attributes import alike
from s2sad.analysis.ssa import Versions
from s2sad.analysis.tbr.required_values import Analysis
from s2sad.analysis.threads.barrier_intervals import Phases
from s2sad.analysis.threads.block_uniformity import Uniform, meetings
from s2sad.analysis.threads.warp_uniformity import Lanes
from s2sad.ir import Assign, Declare, For, Stmt, While
from s2sad.irtext import show
from s2sad.source import Source
from s2sad.transform.normalise.structure_exits import structure

HEAD = """\
__global__ void k(const float *x, const int *c, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
"""


def survey(body: str) -> Versions:
    program = parse.program(Source("k.cu", f"{HEAD}{body}\n}}\n"))
    return ssa_construction.survey(structure(program.kernel))


def at(v: Versions, text: str) -> Stmt:
    """The one statement that reads so."""
    (found,) = [s for s in v.order if isinstance(s, Assign | Declare) and text in show(s)]
    return found


def loop(v: Versions) -> Stmt:
    return next(s for s in v.order if isinstance(s, For | While))


SYNC = "__syncthreads();"


def together(body: str) -> tuple[bool, bool]:
    """Whether the statements `A` and `B` may meet, and if so whether in one iteration of the loop."""
    v = survey(body)
    same = Phases(v).together(at(v, "s[1]"), at(v, "s[2]"))
    return same is not None, same is not None and loop(v) in same


ONE, TWO = "s[1] = x[t];", "s[2] = x[t];"


@pytest.mark.parametrize(
    ("body", "meet", "in_one"),
    [
        (f"for (int k = 0; k < n; ++k) {{ {ONE} {TWO} {SYNC} }}", True, True),
        (f"for (int k = 0; k < n; ++k) {{ {ONE} {SYNC} {TWO} {SYNC} }}", False, False),
        # the end of one iteration and the start of the next
        (f"for (int k = 0; k < n; ++k) {{ {ONE} {SYNC} {TWO} }}", True, False),
        # a barrier that an iteration may pass by
        (f"for (int k = 0; k < n; ++k) {{ {ONE} if (k > 2) {{ {SYNC} }} {TWO} }}", True, False),
        (f"for (int k = 0; k < n; ++k) {{ {SYNC} {ONE} }} {TWO}", True, False),
        (f"for (int k = 0; k < n; ++k) {{ {ONE} {SYNC} }} {TWO}", False, False),
        (f"{ONE} for (int k = 0; k < n; ++k) {{ {SYNC} {TWO} }}", False, False),
        # the loop may not run at all
        (f"{ONE} for (int k = 0; k < n; ++k) {{ {SYNC} }} {TWO}", True, False),
        (f"{ONE} {SYNC} for (int k = 0; k < n; ++k) {{ {SYNC} }} {TWO}", False, False),
        (f"for (int k = 0; k < n; ++k) {{ if (k < 2) {{ {ONE} {SYNC} }} else {{ {TWO} }} }}", True, False),
        # a warp's barrier orders its lanes only
        (f"for (int k = 0; k < n; ++k) {{ {ONE} __syncwarp(); {TWO} {SYNC} }}", True, True),
        (f"while (c[0] > n) {{ {ONE} if (c[1] > 2) break; {SYNC} }} {TWO}", True, False),
    ],
)
def test_statements_meet_unless_a_barrier_always_lies_between(body: str, meet: bool, in_one: bool) -> None:
    assert together(body) == (meet, in_one)


def reached(body: str) -> bool:
    """Whether all threads of a block reach the barrier together."""
    v = survey(body)
    uniform = Uniform(v)
    return all(uniform.apart(v.scope_of[b]) is None for b in meetings(v))


@pytest.mark.parametrize(
    ("body", "all_come"),
    [
        (f"if (n > 3) {{ {SYNC} }}", True),
        (f"if (blockIdx.x > 3) {{ {SYNC} }}", True),
        (f"if (t > 3) {{ {SYNC} }}", False),
        (f"if (x[t] > 0.0f) {{ {SYNC} }}", False),
        (f"if (x[n] > 0.0f) {{ {SYNC} }}", True),
        (f"for (int k = 0; k < c[blockIdx.x]; ++k) {{ {SYNC} }}", True),
        (f"for (int k = t; k < n; k += 32) {{ {SYNC} }}", False),
        (f"for (int k = 0; k < n; ++k) {{ if (x[k] > t) break; {SYNC} }}", False),
        (f"for (int k = 0; k < n; ++k) {{ if (x[k] > 1.0f) break; {SYNC} }}", True),
        (f"int m = n; if (t > 1) m = 2; for (int k = 0; k < m; ++k) {{ {SYNC} }}", False),
        (f"int m = n; if (n > 1) m = 2; for (int k = 0; k < m; ++k) {{ {SYNC} }}", True),
        (f"int m = 0; for (int k = 0; k < t; ++k) ++m; if (m > 2) {{ {SYNC} }}", False),
        (f"int m = n; for (int k = 0; k < 3; ++k) {{ if (m > 2) {{ {SYNC} }} m = t; }}", False),
        (f"float q[2]; q[0] = x[t]; q[1] = 0.0f; if (q[1] > 0.0f) {{ {SYNC} }}", False),
        (f"s[t] = x[t]; {SYNC} if (s[0] > 0.0f) {{ {SYNC} }}", True),
    ],
)
def test_who_reaches_a_barrier(body: str, all_come: bool) -> None:
    assert reached(body) == all_come


FUNCTIONS = """\
__device__ int over(int a, int b) { return (a + b - 1) / b; }
__device__ int half(int a) { return over(a, 2); }
__device__ int mine(int a) { return a + (int)threadIdx.x; }
__device__ int hidden(int a) { return mine(a) + 1; }
__device__ int looked(const int *c, int a) { return c[a]; }
"""


@pytest.mark.parametrize(
    ("count", "all_come"),
    [
        ("over(n, 32)", True),
        ("half(n)", True),
        ("half(c[blockIdx.x])", True),
        ("over(t, 32)", False),
        ("mine(n)", False),
        ("hidden(n)", False),
        ("looked(c, n)", False),
    ],
)
def test_a_function_of_the_same_arguments_gives_all_threads_the_same(count: str, all_come: bool) -> None:
    body = f"{FUNCTIONS}{HEAD}int m = {count}; for (int k = 0; k < m; ++k) {{ {SYNC} }}\n}}\n"
    program = parse.program(Source("k.cu", body))
    v = ssa_construction.survey(structure(program.kernel))
    uniform, lanes = Uniform(v, alike(program.functions)), Lanes(v, 1, True, alike=alike(program.functions))
    assert all((uniform.apart(v.scope_of[b]) is None) == all_come for b in meetings(v))
    assert all((lanes.apart(v.scope_of[b]) is None) == all_come for b in meetings(v))


def refilled(body: str) -> bool:
    """Whether the loop's iterations fill the tile anew."""
    v = survey(body)
    (sym,) = [s.sym for s in v.order if isinstance(s, Declare) and s.sym.storage == "shared"]
    return Analysis(v, exchanged=frozenset({sym})).arrays.refills(sym, v.inside[loop(v)][0])


USE = "y[t] += s[(t + 1) % 64];"


@pytest.mark.parametrize(
    ("fill", "anew"),
    [
        (f"s[t] = x[k]; {SYNC} {USE} {SYNC}", True),
        (f"for (int q = t; q < 64; q += blockDim.x) s[q] = x[k + q]; {SYNC} {USE} {SYNC}", True),
        (f"int at = t + n; s[at - n] = x[k]; {SYNC} {USE} {SYNC}", True),
        (f"if (t < n) s[t] = x[k]; {SYNC} {USE} {SYNC}", True),
        # other elements in another iteration
        (f"s[(t + k) % 64] = x[k]; {SYNC} {USE} {SYNC}", False),
        (f"if (k == 0) s[t] = x[k]; {SYNC} {USE} {SYNC}", False),
        (f"if (x[k] > 0.0f) s[t] = x[k]; {SYNC} {USE} {SYNC}", False),
        (f"for (int q = k; q < 64; ++q) s[q] = x[t]; {SYNC} {USE} {SYNC}", False),
        # what the iteration before has left is read
        (f"{USE} {SYNC} s[t] = x[k]; {SYNC}", False),
        (f"s[t] = x[k]; {SYNC} {USE} {SYNC} s[t] = 0.0f; {SYNC}", False),
        (f"s[t] += x[k]; {SYNC} {USE} {SYNC}", False),
        (f"s[c[t]] = x[k]; {SYNC} {USE} {SYNC}", False),
        (f"if (c[k] > n) break; s[t] = x[k]; {SYNC} {USE} {SYNC}", False),
    ],
)
def test_a_tile_is_filled_anew_if_each_iteration_stores_the_same_elements_first(
    fill: str, anew: bool
) -> None:
    assert refilled(f"for (int k = 0; k < n; ++k) {{ {fill} }}") == anew
