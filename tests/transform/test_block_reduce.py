"""Where a block's threads add up what they owe to one element, and where each adds for itself."""

from __future__ import annotations

import re

import pytest

from s2sad.diagnostics import Rejected
from s2sad.options import Assumption, Options
from s2sad.pipeline import Transformed, transform
from s2sad.source import Source

HEAD = 'extern "C" __global__ void k(const float *x, const float *w, const int *at, float a, float *y, int n)'
AT = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def adjoint(body: str, wrt: str = "x,w,a", before: str = "") -> Transformed:
    return transform(
        Source("k.cu", f"{before}\n{HEAD} {{ {body} }}"), Options(of=("y",), wrt=tuple(wrt.split(",")))
    )


def kernel(done: Transformed) -> str:
    return done.text[done.text.index("__global__ void k_adj") :]


def sums(done: Transformed) -> list[str]:
    return re.findall(r"block_add\w*\((.*?), ", kernel(done))


def warp_sums(done: Transformed) -> list[str]:
    return re.findall(r"warp_add\((.*?), ", kernel(done))


def atomics(done: Transformed) -> list[str]:
    return re.findall(r"atomicAdd\((.*?), ", kernel(done))


def test_a_scalars_sum_stands_behind_the_guard() -> None:
    done = adjoint(f"{AT} if (i >= n) return; y[i] = a * x[i];", "x,a")
    assert (sums(done), atomics(done)) == (["adj_a"], [])
    assert "float adj_a_sum = 0.0f;\n    if (i < n) {" in kernel(done)
    assert kernel(done).rstrip().endswith("}\n    block_add(adj_a, adj_a_sum);\n}")
    rows = {row.target: (row.how, row.reason) for row in done.adjoint.plan.accumulations}
    assert rows["adj_a"] == ("reduce", "every thread contributes")
    assert "adj_a       reduced per block   every thread contributes" in done.text


def test_a_guard_goes_into_a_loop_that_all_threads_go_through() -> None:
    done = adjoint(
        f"{AT} if (i < n) {{ float s = x[i]; for (int k = 0; k < at[0]; ++k) s += w[k] * x[k]; y[i] = s; }}",
        "w",
    )
    assert (sums(done), atomics(done)) == ([], ["&adj_w[k]"])  # at[0] is read behind the guard
    loop = "for (int k = 0; k < 2 * n; ++k) s += w[k] * x[k];"
    done = adjoint(f"{AT} if (i < n) {{ float s = x[i]; {loop} y[i] = s; }}", "w")
    assert (warp_sums(done), atomics(done)) == (["&adj_w[k]"], [])
    assert re.search(
        r"for \(int k = 0; k < 2 \* n; \+\+k\) \{\n        float adj_w_sum = 0.0f;\n        if \(i < n\)",
        kernel(done),
    )


LOOPS = {
    "one counter": ("for (int k = 0; k < 5; ++k) s += w[k] * x[i + k];", "w", 5, "k"),
    "two counters": (
        "for (int r = 0; r < 3; ++r) for (int c = 0; c < 3; ++c) s += w[3 * r + c] * x[i + r + c];",
        "w", 9, "3 * r + c",
    ),
    "a base": ("for (int k = 2; k <= 6; k += 2) s += w[n + k] * x[i + k];", "&adj_w[n + 2]", 5, "k - 2"),
    "from the end": ("for (int k = 4; k >= 1; --k) s += w[k] * x[i + k];", "&adj_w[1]", 4, "k - 1"),
    "a loop around it": (
        "for (int j = 0; j < n; ++j) for (int k = 0; k < 5; ++k) s += w[k] * x[j + k];", "w", 5, "k"
    ),
    "one more element": ("for (int k = 0; k < 4; ++k) s += w[k] * x[i + k]; s += w[4];", "w", 5, "k"),
    "a name for the index": (
        "for (int k = 0; k < 5; ++k) { int at = 4 - k; s += w[at] * x[i + k]; }", "w", 5, "at"
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", LOOPS)
def test_few_consecutive_elements_are_summed_in_an_array_and_added_together(why: str) -> None:
    loop, target, count, index = LOOPS[why]
    done = adjoint(f"{AT} if (i < n) {{ float s = 0.0f; {loop} y[i] = s; }}", "w")
    text = kernel(done)
    where = target if target.startswith("&") else f"adj_{target}"
    assert atomics(done) == []
    assert f"float adj_w_sum[{count}] = {{0.0f}};" in text
    assert f"adj_w_sum[{index}]" in text
    added = re.escape(f"block_add_{count}({where}, adj_w_sum);")
    assert re.search(rf"}}\n    {added}\n}}$", text.rstrip()), text
    assert RETURNS in text
    assert text.count("if (i < n)") == 1  # the guard stays whole


FAR = {
    "more than a warp's lanes": "for (int k = 0; k < 33; ++k) s += w[k] * x[i + k];",
    "a factor that the launch gives": "for (int k = 0; k < 5; ++k) s += w[k * n] * x[i + k];",
    "an index from memory": "for (int k = 0; k < 5; ++k) s += w[at[k]] * x[i + k];",
}


@pytest.mark.parametrize("why", FAR)
def test_other_elements_are_not_kept_in_an_array(why: str) -> None:
    done = adjoint(f"{AT} if (i < n) {{ float s = 0.0f; {FAR[why]} y[i] = s; }}", "w")
    assert "adj_w_sum[" not in kernel(done), why


def test_a_base_that_a_loop_changes_has_its_sums_in_that_loop() -> None:
    loops = "for (int j = 0; j < n; ++j) for (int k = 0; k < 5; ++k) s += w[j + k] * x[j];"
    done = adjoint(f"{AT} if (i < n) {{ float s = 0.0f; {loops} y[i] = s; }}", "w")
    assert re.search(r"for \(int j = .*?\{\n        float adj_w_sum\[5\] = \{0.0f\};", kernel(done))
    assert "        block_add_5(&adj_w[j], adj_w_sum);" in kernel(done)


def test_elements_that_leave_a_gap_have_arrays_of_their_own() -> None:
    loops = "for (int k = 0; k < 3; ++k) s += w[k]; for (int k = 20; k < 23; ++k) s += w[k] * x[i];"
    done = adjoint(f"{AT} if (i < n) {{ float s = 0.0f; {loops} y[i] = s; }}", "w")
    assert sorted(sums(done)) == ["&adj_w[20]", "adj_w"]


def test_sums_that_follow_each_other_are_one_call() -> None:
    loop = "for (int k = 0; k < 2 * n; ++k) s += w[k] * x[i];"
    done = adjoint(f"{AT} float s = 0.0f; {loop} y[i] = s + a;", "w,a")
    assert "warp_add(&adj_w[k], " in kernel(done)  # in a loop each warp adds its sum
    body = (
        f"{AT} if (i < n) {{ float s = 0.0f; for (int k = 0; k < n; ++k) s += w[0] * w[n + 9]; y[i] = s; }}"
    )
    text = kernel(adjoint(body, "w"))
    assert len(re.findall(r"block_add_2\(&adj_w\[.*?\], \w+, &adj_w\[.*?\], \w+\);", text)) == 1
    assert "block_add(" not in text


def test_several_places_of_one_element_have_one_sum() -> None:
    done = adjoint(
        f"{AT} if (i >= n) return; y[i] = x[i] > 0.0f ? w[1] * x[i] : sinf(w[1]); y[i] += w[2];", "w"
    )
    assert re.findall(r"block_add_2\((.*)\);", kernel(done)) == ["&adj_w[2], adj_w2, &adj_w[1], adj_w1"]
    assert len(re.findall(r"float adj_w1", kernel(done))) == 1


def test_a_name_for_the_index_inside_the_guard_is_no_obstacle() -> None:
    done = adjoint(f"{AT} if (i >= n) return; int c = blockIdx.x + 1; y[i] = w[c] * x[i];", "w")
    assert (sums(done), atomics(done)) == (["&adj_w[(int)(blockIdx.x + 1)]"], [])


def test_a_branch_that_all_threads_take_has_its_own_sum() -> None:
    done = adjoint(f"{AT} if (n > 7) y[i] = w[0] * x[i]; else y[i] = w[1] * x[i];", "w")
    assert re.findall(r"if \(n > 7\)|else|block_add\(.w?.*?\]", kernel(done)) == [
        "if (n > 7)", "block_add(&adj_w[0]", "else", "block_add(&adj_w[1]",
    ]  # fmt: skip


LEFT = "for (int k = 0; k < i; ++k) y[i] += w[k] * x[i];"
BROKEN = "for (int k = 0; k < 9; ++k) { if (x[i] > k) break; y[i] += w[k] * x[i]; }"
READ = "if (i < n) for (int k = 0; k < at[0]; ++k) y[i] += w[at[k]] * x[i];"
UNDER_TWO = "if (i < n) if (threadIdx.x == 3) y[blockIdx.x] = w[1] * x[i];"
LANE = "int lane = threadIdx.x % 32; if (lane == 0) y[i / 32] = w[0] * x[i];"
APART = {
    "threads go through the loop as often as they please": LEFT,
    "threads leave the loop": BROKEN,
    "the index is read from memory behind a guard": READ,
    "threads add to different elements": "y[i] = w[i / 2] * x[i];",
    "one thread adds alone": "if (threadIdx.x == 0) y[blockIdx.x] = w[0] * x[i];",
    "one thread adds alone, under two guards": UNDER_TWO,
    "one lane of each warp adds": LANE,
}


@pytest.mark.parametrize("why", APART)
def test_elsewhere_each_thread_adds_for_itself(why: str) -> None:
    done = adjoint(f"{AT} {APART[why]}", "w")
    assert sums(done) == [], why
    assert atomics(done), why


def test_a_loop_that_threads_leave_at_different_times_adds_up_locally_to_one_element() -> None:
    done = adjoint(f"{AT} float s = 1.0f; for (int k = 0; k < i; ++k) s = s * w[0] + x[i]; y[i] = s;", "w")
    assert (sums(done), atomics(done)) == (["&adj_w[0]"], [])


def test_an_element_of_shared_memory_has_its_sum_before_the_barrier_that_its_reader_waits_for() -> None:
    body = (
        f"{AT} __shared__ float s[2]; if (threadIdx.x < 2) s[threadIdx.x] = x[threadIdx.x] * 2.0f;"
        " __syncthreads(); if (i < n) y[i] = s[0] * s[1];"
    )
    text = kernel(adjoint(body, "x"))
    first, last = text.index("block_add_2(&adj_s[0]"), text.index("&adj_s[1]")
    assert first < last < text.index("adj_s[threadIdx.x])")
    assert "__syncthreads();" in text[last : text.index("adj_s[threadIdx.x])")]


def test_the_authors_names_stay_and_the_sum_gets_another() -> None:
    before = "static __device__ float block_add(float v) { return v * v; }"
    done = adjoint(f"{AT} if (i < n) y[i] = a * block_add(x[i]);", "a", before)
    assert sums(done) == ["adj_a"]
    assert "static __device__ void block_add_(float *where, float value)" in done.text


def test_float_and_double_have_a_function_each() -> None:
    text = (
        'extern "C" __global__ void k(const float *x, float a, double b, double *y, int n)'
        f"{{ {AT} if (i < n) y[i] = a * x[i] + b * x[i]; }}"
    )
    done = transform(Source("k.cu", text), Options(of=("y",), wrt=("a", "b")))
    assert re.findall(r"block_add\w*\(adj_.", kernel(done)) == ["block_add(adj_a", "block_add_double(adj_b"]
    alone = transform(Source("k.cu", text), Options(of=("y",), wrt=("b",)))
    assert "block_add(double *where, double value)" in alone.text


def test_sums_that_no_order_of_threads_decides_are_made_when_asked_for() -> None:
    """An owner adds to x, and a block's own sum goes to shared memory; neither is in any other order."""
    text = (
        'extern "C" __global__ void k(const float *x, float *y) {'
        " int t = threadIdx.x; int i = blockIdx.x * blockDim.x + t; __shared__ float s[64];"
        " if (t < 64) s[t] = x[i] * x[i]; __syncthreads(); y[i] = s[0] * 2.0f; }"
    )
    asked = Options(of=("y",), wrt=("x",), accumulate="deterministic")
    done = transform(Source("k.cu", text), asked)
    assert (sums(done), atomics(done)) == (["&adj_s[0]"], [])
    assert "--accumulate deterministic" in done.text


def test_sums_of_several_blocks_are_refused_when_no_order_may_decide() -> None:
    with pytest.raises(Rejected) as refused:
        transform(
            Source("k.cu", f"{HEAD} {{ {AT} if (i < n) y[i] = a * x[i]; }}"),
            Options(of=("y",), wrt=("x", "a"), accumulate="deterministic"),
        )
    assert [(d.code.slug, d.title) for d in refused.value.diagnostics] == [
        ("order-of-sums", "the sum in `adj_a` depends on the order of the threads")
    ]


NUMBER = "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x"


@pytest.mark.parametrize(
    ("body", "assumed", "thread"),
    [
        (f"{AT} if (i < n) y[i] = a * x[i];", (), "threadIdx.x % 32"),
        (
            f"{AT} int j = blockIdx.y * blockDim.y + threadIdx.y; if (i < n) y[j * n + i] = a * x[i];",
            (),
            "int thread = threadIdx.y * blockDim.x + threadIdx.x;",
        ),
        (f"{AT} if (i < n) atomicAdd(&y[at[i]], a * x[i]);", (), f"int thread = {NUMBER};"),
        (f"{AT} if (i < n) atomicAdd(&y[at[i]], a * x[i]);", ("1d",), "threadIdx.x % 32"),
    ],
    ids=["one dimension", "two", "nothing is stored", "declared"],
)
def test_a_thread_is_numbered_over_the_dimensions_that_a_block_may_have(
    body: str, assumed: tuple[str, ...], thread: str
) -> None:
    options = Options(of=("y",), wrt=("a",), assume=tuple(Assumption("launch", what) for what in assumed))
    done = transform(Source("k.cu", f"{HEAD} {{ {body} }}"), options)
    assert thread in done.text
    assert ("int thread =" in done.text) == ("int thread =" in thread)


def test_only_a_sum_that_is_made_again_waits_for_the_last_one() -> None:
    wait = "the previous call has read its sums"
    once = adjoint(f"{AT} if (i < n) y[i] = a * x[i];", "a")
    assert (wait in once.text, "must call it exactly once." in once.text) == (False, True)
    twice = adjoint(f"{AT} if (i < n) y[i] = a * w[0];", "a,w")
    assert (wait in twice.text, "must call it exactly once." in twice.text) == (False, True)
    loops = "for (int j = 0; j < n; ++j) for (int k = 0; k < 5; ++k) y[i] += w[j + k] * x[i];"
    looped = adjoint(f"{AT} if (i < n) {loops}", "w")
    assert (sums(looped), wait in looped.text) == (["&adj_w[j]"], True)


RETURNS = "if (n <= 0)\n        return;"


def test_a_zero_is_added_only_where_the_element_exists_in_any_case() -> None:
    done = adjoint(f"{AT} if (i < n) y[i] = a * x[i];", "x,a")
    assert "!= 0.0f" not in done.text  # a scalar's adjoint always exists
    done = adjoint(f"{AT} if (i < n) y[i] = w[n] * x[i];", "w")
    assert RETURNS in done.text  # if n is 0, w may have no element
    assert "    block_add(&adj_w[n]" in done.text
    done = adjoint(f"{AT} if (i < n && x[i] > 0.0f) y[i] = w[n] * x[i];", "w")
    assert "if (value != 0.0f)  // zero sum: skip" in done.text  # if no x[i] is positive either
    done = adjoint(f"{AT} if (i < n) y[i] = a * w[n] * x[i];", "w,a")
    assert RETURNS in kernel(done)
    assert "    block_add_2(" in kernel(done)
    done = adjoint(f"{AT} if (i < n && x[i] > 0.0f) y[i] = a * w[n] * x[i];", "w,a")
    assert "block_add_2(" in kernel(done)
    assert done.text.count("!= 0.0f") == 2


def test_elements_in_turn_are_one_array_whatever_else_of_it_lies_apart() -> None:
    """Weights in rows of two, then biases far behind them: two arrays of sums, not one for each column."""
    done = adjoint(
        f"{AT} if (i >= n) return; float s = w[90];"
        "for (int k = 0; k < 4; ++k) s += sinf(w[2 * k] * x[i] + w[2 * k + 1]) * w[60 + k]; y[i] = s;",
        wrt="w",
    )
    declared = re.findall(r"float (adj_w_sum\w*)\[(\d+)\] = ", kernel(done))
    assert [int(count) for _, count in declared] == [8, 4]
