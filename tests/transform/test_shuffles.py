"""Adjoints of shuffles against the transposed map, for every kind, and who may meet where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import s2sad
from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source as File

Source = Callable[[int], int]
TURN = 11


def segment(lane: int, width: int) -> int:
    return lane // width * width


def down(d: int, w: int) -> Source:
    return lambda lane: lane + d if lane + d < segment(lane, w) + w else lane


def up(d: int, w: int) -> Source:
    return lambda lane: lane - d if lane - d >= segment(lane, w) else lane


def across(x: int, w: int) -> Source:
    return lambda lane: lane ^ x if lane ^ x < segment(lane, w) + w else lane


def from_lane(s: Source, w: int) -> Source:
    return lambda lane: segment(lane, w) + s(lane) % w


# The text of each shuffle, and the lane that a lane reads from by CUDA's definition.
SHUFFLES: list[tuple[str, Source]] = [
    *((f"__shfl_down_sync(FULL, v, {d}, {w})", down(d, w)) for w in (1, 4, 16, 32) for d in (0, 1, 3, 31)),
    *((f"__shfl_up_sync(FULL, v, {d}, {w})", up(d, w)) for w in (2, 8, 32) for d in (0, 1, 5, 32)),
    *((f"__shfl_xor_sync(FULL, v, {x}, {w})", across(x, w)) for w, x in ((2, 1), (8, 6), (32, 0), (32, 21))),
    *(
        (f"__shfl_sync(FULL, v, {text}, {w})", from_lane(source, w))
        for w in (4, 8, 32)
        for text, source in (
            ("3", lambda lane: 3),
            ("37", lambda lane: 37),
            ("-1", lambda lane: -1),
            ("turn", lambda lane: TURN),
            ("lane + 3", lambda lane: lane + 3),
            ("(lane + 5) % 32", lambda lane: lane + 5),
            ("lane - turn", lambda lane: lane - TURN),
            ("turn - lane", lambda lane: TURN - lane),
            ("lane ^ 2", lambda lane: lane ^ 2),
            ("lane ^ 24", lambda lane: lane ^ 24),
            ("(lane + turn) & 31", lambda lane: lane + TURN),
            ("(lane + 3) % 8", lambda lane: (lane + 3) % 8),
            ("lane * lane", lambda lane: lane * lane),
            ("lane / 2", lambda lane: lane // 2),
        )
    ),
]
THREADS = 64


def test_what_lanes_read_comes_back_to_them() -> None:
    lines = [f"    y[{k} * {THREADS} + i] = {text};" for k, (text, _) in enumerate(SHUFFLES)]
    text = "\n".join(
        [
            "#define FULL 0xffffffffu",
            "__global__ void k(const double *x, double *y, int turn) {",
            "    int i = threadIdx.x;",
            "    int lane = threadIdx.x % 32;",
            "    double v = x[i];",
            *lines,
            "}",
        ]
    )
    rng = np.random.default_rng(7)
    x, seed = rng.normal(size=THREADS), rng.normal(size=len(SHUFFLES) * THREADS)
    result = s2sad.gradient(
        text,
        name="k.cu",
        of="y",
        wrt="x",
        grid=1,
        block=THREADS,
        args={"x": x, "y": np.zeros(len(SHUFFLES) * THREADS), "turn": TURN},
        seeds={"y": seed},
        backend="cpu",
    )
    expected = np.zeros(THREADS)
    for k, (shown, source) in enumerate(SHUFFLES):
        for i in range(THREADS):
            at = i // 32 * 32 + source(i % 32)
            assert result.outputs["y"][k * THREADS + i] == x[at], shown
            expected[at] += seed[k * THREADS + i]
    assert np.allclose(result.gradients["x"], expected, rtol=1e-12, atol=1e-12)


def emitted(body: str, *, block: str = "") -> str:
    """The adjoint of a kernel with this body between loading v and storing it."""
    text = (
        f"{block}\n"
        "__global__ void k(const float *x, float *y, int n, int rows) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    float v = i < n ? x[i] : 0.0f;\n"
        f"    {body}\n"
        "    if (i < n)\n        y[i] = v;\n}\n"
    )
    return s2sad.transform(text, name="k.cu", of=["y"], wrt=["x"]).source


def codes(body: str) -> list[str]:
    with pytest.raises(Rejected) as refused:
        emitted(body)
    return [d.code.slug for d in refused.value.diagnostics]


EXCHANGE = "v += __shfl_xor_sync(0xffffffffu, v, 1);"


@pytest.mark.parametrize(
    "where",
    [
        "if (threadIdx.x < 64)",
        "if (threadIdx.x <= 31)",
        "if (threadIdx.x / 32 == 1)",
        "if (threadIdx.x >> 5 > n)",
        "if ((threadIdx.x & ~31) == 32)",
        "if (i / 32 < rows)",
        "if (blockIdx.x * blockDim.x + 32 * (threadIdx.x / 32) < n)",
        "if (__any_sync(0xffffffffu, v > 1.0f))",
        "for (int r = i / 32; r < rows; r += gridDim.x)",
        "if (__shfl_sync(0xffffffffu, i, 0) < n)",
        "if (x[i / 32] > 0.0f)",
    ],
)
def test_a_whole_warp_comes_by_or_none_of_it(where: str) -> None:
    assert "__shfl_xor_sync(0xffffffffu, adj_v, 1)" in emitted(f"{where} {EXCHANGE}")


@pytest.mark.parametrize(
    "where",
    [
        "if (i + 1 < n)",
        "if (threadIdx.x < 40)",
        "if (threadIdx.x % 32 == 0)",
        "if (threadIdx.x > 32)",
        "if (threadIdx.x / 16 == 1)",
        "if (v > 0.0f)",
        "for (int k = threadIdx.x; k < n / 2; k += 32)",
        "if (__shfl_up_sync(0xffffffffu, i, 1) < n)",
        "if (__any_sync(0x0000ffffu, v > 1.0f))",
        "if (x[i] > 0.0f)",
        "if (3 * threadIdx.x < 64)",
        "if (32 <= (int)x[i])",
    ],
)
def test_lanes_that_may_part_before_they_meet_are_refused(where: str) -> None:
    assert codes(f"{where} {EXCHANGE}") == ["divergent-warp"]


def test_a_group_of_lanes_may_meet_by_itself() -> None:
    out = emitted("if (threadIdx.x < 16) v += __shfl_xor_sync(0x0000ffffu, v, 8, 16);")
    assert "__shfl_xor_sync(0x0000ffffu, adj_v, 8, 16)" in out


def test_the_amounts_are_exchanged_outside_the_guard_that_they_are_made_under() -> None:
    out = emitted("float t = __shfl_down_sync(0xffffffffu, v, 1); if (v > 0.0f) v = t * t;")
    assert "\n    float from_below = __shfl_up_sync(0xffffffffu, adj_t, 1);\n" in out


def test_no_thread_returns_before_an_exchange() -> None:
    out = emitted("float t = __shfl_up_sync(0xffffffffu, v, 1); if (i >= n) return; v = t * t;")
    assert "return;" not in out[out.index("int lane") :]  # before it, one for launches of another shape


def test_a_rule_for_a_function_in_which_threads_meet_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "rules.toml"
    table.write_text('[both]\ndx = "2"\n')
    text = (
        "__device__ float both(float v) { return v + __shfl_xor_sync(0xffffffffu, v, 1); }\n"
        "__global__ void k(const float *x, float *y) { y[threadIdx.x] = both(x[threadIdx.x]); }\n"
    )
    with pytest.raises(Rejected) as refused:
        transform(File("k.cu", text), Options(of=("y",), wrt=("x",), rules=(str(table),)))
    assert [d.code.slug for d in refused.value.diagnostics] == ["rule-meeting"]


TREE = "for (int d = {half}; d > 0; d /= 2) s += __shfl_down_sync(FULL, s, d, {width});"


def tree(width: int, use: str) -> str:
    return "\n".join(
        [
            "#define FULL 0xffffffffu",
            "__global__ void k(const double *x, double *y, int n) {",
            "    int i = threadIdx.x;",
            "    double s = x[i] * x[i];",
            f"    {TREE.format(half=width // 2, width=width)}",
            f"    {use}",
            "}",
        ]
    )


@pytest.mark.parametrize("width", [2, 8, 32])
def test_what_the_first_lane_owes_for_a_sum_all_lanes_owe(width: int) -> None:
    text = tree(width, f"if (threadIdx.x % {width} == 0) {{ double r = s * s; y[i / {width}] = r; }}")
    adjoint = s2sad.transform(text, name="k.cu", of="y", wrt="x")
    assert f"adj_s = __shfl_sync(FULL, adj_s, 0, {width});" in adjoint.source
    rng = np.random.default_rng(3)
    x, seed = rng.normal(size=THREADS), rng.normal(size=THREADS // width)
    args = {"x": x, "y": np.zeros(THREADS // width), "n": 1}
    result = s2sad.gradient(adjoint, grid=1, block=THREADS, args=args, seeds={"y": seed}, backend="cpu")
    sums = np.repeat((x * x).reshape(-1, width).sum(axis=1), width)
    assert np.allclose(result.gradients["x"], 4 * sums * x * np.repeat(seed, width), rtol=1e-12)


@pytest.mark.parametrize(
    "use",
    [
        "y[i] = s;",
        "if (threadIdx.x % 4 == 0) y[i] = s;",
        "if (threadIdx.x % 8 == 1) y[i] = s;",
        "double r = __shfl_up_sync(FULL, s, 1); if (threadIdx.x % 8 == 0) y[i] = r + s;",
        "if (n > 3) s = s * s; y[i] = s;",
    ],
)
def test_a_sum_of_which_other_lanes_use_their_part_goes_back_step_by_step(use: str) -> None:
    source = s2sad.transform(tree(8, use), name="k.cu", of="y", wrt="x").source
    assert "__shfl_sync(FULL, adj_s" not in source
    assert "from_below = __shfl_up_sync(FULL, adj_s, d, 8);" in source
