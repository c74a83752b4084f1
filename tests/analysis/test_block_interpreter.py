"""A block acted out: what lanes hold after shuffles, and what numbers are."""

from __future__ import annotations

import ctypes
import random

import pytest

from s2sad import parse
from s2sad.analysis.threads import interpreter_values
from s2sad.analysis.threads.block_interpreter import Enacted, Meaningless, Stuck, enactable, positions, stored
from s2sad.analysis.threads.interpreter_values import Holds, Nothing, Unknown, converted
from s2sad.ir import CHAR, DOUBLE, FLOAT, INT, SHORT, UCHAR, UINT, Declare, Scalar, Sym, statements
from s2sad.source import Source

KERNEL = """
#define FULL 0xffffffffu
extern "C" __global__ void k(const float *x, float *y, int n)
{{
    __shared__ float part[4];
    int t = threadIdx.x;
    float v = x[t];
    {body}
    y[t] = r;
}}
"""


def acted(body: str, threads: int) -> tuple[Enacted, list[object]]:
    """The block after the statements, and what each thread has in r."""
    kernel = parse.program(Source("k.cu", KERNEL.format(body=body))).kernel
    inside = list(kernel.body[3:-1])
    assert all(map(enactable, inside))
    known = positions(kernel.body)
    arrays = {s.sym for s in statements(kernel.body) if isinstance(s, Declare) and s.sym.storage == "shared"}
    block = Enacted(threads, known, stored(kernel.body, list(arrays), threads, known))
    block.run(inside)
    r = next(s.sym for s in inside if isinstance(s, Declare) and s.sym.name == "r")
    found = block.read(r, block.everyone)
    return block, list(found) if isinstance(found, list) else [found] * threads


def sets(values: list[object]) -> list[set[int] | None]:
    return [{k for k in range(64) if v.bits >> k & 1} if isinstance(v, Holds) else None for v in values]


# ---- shuffles, as the manual has them ----------------------------------------------

SOURCES = {
    "__shfl_down_sync": lambda lane, d, w: lane + d if lane % w + d < w else lane,
    "__shfl_up_sync": lambda lane, d, w: lane - d if lane % w >= d else lane,
    "__shfl_xor_sync": lambda lane, d, w: lane ^ d if (lane ^ d) // w <= lane // w else lane,
    "__shfl_sync": lambda lane, d, w: lane // w * w + d % w,
}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("width", [8, 32])
def test_a_shuffle_brings_the_value_of_one_lane(name: str, width: int) -> None:
    for d in (0, 1, 3, 7, 16, 31):
        _, found = acted(f"float r = {name}(FULL, v, {d}, {width});", 64)
        expected = [t - t % 32 + SOURCES[name](t % 32, d, width) for t in range(64)]
        assert sets(found) == [{t} for t in expected]


def test_lanes_that_the_mask_names_must_be_there() -> None:
    body = "float r = v; if (t < 16) r = __shfl_xor_sync({mask}, v, 8);"
    _, found = acted(body.format(mask="0xffffu"), 32)
    assert sets(found) == [{t ^ 8} if t < 16 else {t} for t in range(32)]
    with pytest.raises(Stuck):
        acted(body.format(mask="FULL"), 32)
    with pytest.raises(Stuck):
        acted(body.format(mask="0xffu"), 32)


# ---- sums ----------------------------------------------------------------------------


def test_a_thread_counts_once() -> None:
    block, found = acted("float r = v; for (int d = 16; d > 0; d /= 2) r += __shfl_xor_sync(FULL, r, d);", 32)
    assert {block.sum_of(v).name for v in found} == {"v"}  # type: ignore[union-attr,arg-type]
    _, found = acted("float r = v; r += v;", 32)
    assert set(found) == {Unknown}
    _, found = acted("float r = v; r = r - v;", 32)
    assert set(found) == {Unknown}
    _, found = acted("float r = v; r = r * 1.0f;", 32)
    assert set(found) == {Unknown}
    _, found = acted("float r = v + 0.0f;", 32)
    assert sets(found) == [{t} for t in range(32)]


@pytest.mark.parametrize("seed", range(8))
def test_a_random_network_of_additions_holds_what_it_adds_up(seed: int) -> None:
    """Against numbers: thread t brings 1000^t, so the digits of a sum say how often it holds whose."""
    draw = random.Random(seed)
    values = [1000**t for t in range(32)]
    body = "float r = v;"
    for _ in range(6):
        kind, d, keep = draw.choice(("xor", "down")), draw.choice((1, 2, 4, 8, 16)), draw.randrange(1, 33)
        body += f" if (true) {{ float o = __shfl_{kind}_sync(FULL, r, {d}); if (t < {keep}) r += o; }}"
        source = SOURCES[f"__shfl_{kind}_sync"]
        values = [v + values[source(t, d, 32)] if t < keep else v for t, v in enumerate(values)]
    _, found = acted(body, 32)
    for exact, got in zip(values, sets(found), strict=True):
        digits = [exact // 1000**t % 1000 for t in range(32)]
        assert got == (None if max(digits) > 1 else {t for t in range(32) if digits[t]})


# ---- memory ----------------------------------------------------------------------------


def test_what_nobody_stores_is_nothing() -> None:
    body = "if (t % 32 == 0) part[t / 32] = v; __syncthreads(); float r = part[{at}];"
    _, found = acted(body.format(at="1"), 64)
    assert sets(found) == [{32}] * 64
    _, found = acted(body.format(at="2"), 64)
    assert set(found) == {Nothing}
    _, found = acted(body.format(at="n"), 64)
    assert set(found) == {Unknown}
    with pytest.raises(Meaningless):
        acted(body.format(at="0"), 160)  # the fifth warp has no element


def test_what_others_store_to_isnt_known() -> None:
    body = "float r = part[3]; if (r > 0.0f) { }"
    with pytest.raises(Stuck):
        acted(body, 64)
    _, found = acted("float r = 0.0f; for (int k = 0; k < 4; ++k) part[k] = 0.0f; r = part[3];", 32)
    assert set(found) == {0.0}


def test_a_barrier_is_for_all_threads() -> None:
    with pytest.raises(Stuck):
        acted("float r = v; if (t < 32) __syncthreads();", 64)
    acted("float r = v; if (t < 64) __syncthreads();", 64)


# ---- numbers ---------------------------------------------------------------------------

C = {
    INT: ctypes.c_int32,
    UINT: ctypes.c_uint32,
    CHAR: ctypes.c_int8,
    UCHAR: ctypes.c_uint8,
    SHORT: ctypes.c_int16,
}


@pytest.mark.parametrize("type_", C, ids=lambda t: t.name)
def test_integers_are_as_the_machine_has_them(type_: Scalar) -> None:
    for number in (0, 1, -1, 127, 128, 255, 256, -129, 2**31 - 1, 2**31, 2**32 + 5):
        found, exact = converted(number, type_), C[type_](number).value
        assert found == exact or (found is Unknown and exact != number and type_.kind == "signed")


def test_floats_are_rounded() -> None:
    assert converted(0.1, FLOAT) == ctypes.c_float(0.1).value
    assert converted(7.9, INT) == 7


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("threadIdx.x - 1 > 40000u", lambda t: t == 0),
        ("threadIdx.x < blockDim.x / 32.f", lambda t: t < 3),
        ("(t + 1) % 32 == 0 && t > 31", lambda t: t in (63, 95)),
        ("(t & 0x1f) == 0 || t >> 5 == 2", lambda t: t % 32 == 0 or t >= 64),
        ("!(t < 10)", lambda t: t >= 10),
        ("-t / 32 == -1", lambda t: 32 <= t < 64),
    ],
)
def test_conditions_on_positions(text: str, value: object) -> None:
    _, found = acted(f"float r = {text} ? v : 0.0f;", 96)
    assert callable(value)
    assert [isinstance(v, Holds) for v in found] == [value(t) for t in range(96)]


def test_a_position_has_one_value() -> None:
    kernel = parse.program(
        Source(
            "k.cu", KERNEL.format(body="int a = t % 32, b = a + n, c = t; c += 1; int e = a; float r = v;")
        )
    ).kernel
    names = {sym.name for sym in positions(kernel.body)}
    assert names == {"t", "a", "e"}
    assert all(isinstance(sym, Sym) for sym in positions(kernel.body))


def told(value: interpreter_values.Value) -> object:
    return value.bits if isinstance(value, interpreter_values.Holds) else value


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!="])
def test_what_all_threads_do_at_once_is_what_each_does(op: str) -> None:
    draw = random.Random(op)
    kinds: list[list[interpreter_values.Value]] = [
        [0, 1, 2, 31, 63],
        [-5, 0, 3, 70],
        [2**31 - 1, -(2**31), 2**32 - 1, 2**40, 2**24 + 1],
        [
            interpreter_values.Holds(1),
            interpreter_values.Holds(2),
            interpreter_values.Holds(4),
            interpreter_values.Unknown,
            interpreter_values.Nothing,
        ],
        [interpreter_values.Holds(1), interpreter_values.Holds(6), 0.0, 1.5, 3, interpreter_values.Unknown],
    ]
    types = [INT, UINT, Scalar("bool", "bool", 1), FLOAT, DOUBLE, None]
    for left in kinds:
        for right in kinds:
            a, b = draw.choices(left, k=12), draw.choices(right, k=12)
            for kind in types:
                expected = [
                    told(interpreter_values.binary(op, v, w, kind)) for v, w in zip(a, b, strict=True)
                ]
                assert [
                    told(v) for v in interpreter_values.spread(interpreter_values.paired(op, a, b, kind), a)
                ] == expected
                one = [told(interpreter_values.binary(op, v, b[0], kind)) for v in a]
                assert [
                    told(v)
                    for v in interpreter_values.spread(interpreter_values.paired(op, a, b[0], kind), a)
                ] == one
                for before in (None, FLOAT):
                    each = [told(interpreter_values.converted(v, kind, before)) for v in a]
                    assert [
                        told(v)
                        for v in interpreter_values.spread(interpreter_values.cast(a, kind, before), a)
                    ] == each
