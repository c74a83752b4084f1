"""The device functions that add up a block's values, for each size of a block and each number of values."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from run_kit import signature
from tiers import half_thorough

from s2sad.emit.batch_block_adds import BlockAdd
from s2sad.emit.helpers import helpers
from s2sad.emit.skins import environment
from s2sad.run.cpu import CpuBackend
from s2sad.run.float_widening import Real
from s2sad.run.values import dtype

CPU = CpuBackend()


def written(
    key: BlockAdd, whole_warps: bool = False, dimensions: int = 1, calls: int = 1, declared: int = 0
) -> str:
    """The text of the function `add`."""
    once = [(key.text, key.kind, key.number)] if calls == 1 else []
    (view,) = helpers([], {key: "add"}, {}, [], once, [key], 0, declared, whole_warps, dimensions)
    template = environment().get_template(f"helpers/{view['text']}.cuh.j2")
    return template.render(h=view, real=view["real"], f=view["f"], name=view["name"])


def kernel(key: BlockAdd, text: str) -> str:
    """A kernel in which each thread has so many values, and adds them twice, the second time negative."""
    n, real = key.count, key.kind
    given = ", ".join(f"&out[{k} + at], value[{k}]" for k in range(n))
    arguments = given if key.batch else "&out[at], value"
    return f"""{text}
extern "C" __global__ void k(const {real} *x, {real} *out)
{{
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    {real} value[{n}];
    for (int at = 0; at <= {n}; at += {n}) {{
        for (int k = 0; k < {n}; ++k)
            value[k] = at ? -2 * x[{n} * thread + k] : x[{n} * thread + k];
        add({arguments});
    }}
}}
"""


def check(key: BlockAdd, text: str, blocks: Iterable[tuple[int, int, int]]) -> None:
    takes = signature(f"k(const {key.kind} *x, {key.kind} *out)")
    source = kernel(key, text)
    real: Real = "double" if key.kind == "double" else "float"
    plain, watched = CPU.compile(source, [takes], real=real), CPU.watch(source, [takes], real=real)
    for nth, block in enumerate(blocks):
        threads = int(np.prod(block))
        x = np.random.default_rng(threads).integers(1, 50, (threads, key.count)).astype(dtype(key.kind))
        out = np.zeros(2 * key.count, dtype(key.kind))
        if nth % 40 == 0:
            found = watched.inspect(takes, (1, 1, 1), block, {"x": x.ravel().copy(), "out": out.copy()}, 0)
            assert found.ok, (block, found.faults[0].text())
        plain.launch(takes, (1, 1, 1), block, {"x": x.ravel(), "out": out}, order=nth % 5)
        sums = x.sum(0)
        assert np.array_equal(out, np.concatenate([sums, -2 * sums])), block


ARRAYS = (2, 4, 5, 7, 8, 9, 12, 16, 17, 31, 32, 33)
ROWS = [(threads, 1, 1) for threads in range(1, 1025)]
FEW = [*ROWS[:100], *ROWS[123:133], *ROWS[250:1024:111], *ROWS[980:]]
PLANES = [(x, y, z) for x in (1, 2, 3, 5, 8, 13, 31, 32, 33) for y in (1, 2, 3, 4, 7, 11) for z in (1, 2)]


@pytest.mark.parametrize("count", half_thorough(ARRAYS))
def test_the_elements_of_an_array_in_blocks_of_any_size(count: int) -> None:
    key = BlockAdd("float", count)
    check(key, written(key, calls=2), FEW)


@pytest.mark.parametrize("count", half_thorough((2, 3, 4, 5, 6, 7, 8)))
def test_values_with_an_address_each_in_blocks_of_any_size(count: int) -> None:
    key = BlockAdd("double", count, batch=True)
    check(key, written(key, calls=2), FEW)


@pytest.mark.thorough
@pytest.mark.parametrize("count", range(4, 33))
def test_arrays_in_blocks_of_every_size(count: int) -> None:
    key = BlockAdd("double", count)
    check(key, written(key, calls=2), ROWS)


@pytest.mark.parametrize("key", [BlockAdd("float", 5), BlockAdd("double", 6, batch=True)])
def test_blocks_of_several_dimensions(key: BlockAdd) -> None:
    check(key, written(key, calls=2, dimensions=3), PLANES)


@pytest.mark.parametrize("count", half_thorough((3, 2, 5, 8, 13, 32)))
def test_blocks_known_to_be_whole_warps(count: int) -> None:
    key = BlockAdd("float", count)
    check(key, written(key, True, calls=2), ROWS[31::32])
    check(key, written(key, True, 3, calls=2), [(8, 4, 1), (32, 3, 2), (16, 2, 32), (96, 1, 1)])


@pytest.mark.parametrize(
    "key", [BlockAdd("float", 2, batch=True), BlockAdd("float", 5), BlockAdd("float", 33)]
)
def test_blocks_of_a_declared_size(key: BlockAdd) -> None:
    for threads in (32, 128, 1024):
        check(key, written(key, True, 1, 2, threads), [(threads, 1, 1)])
    check(key, written(key, True, 3, 2, 192), [(8, 4, 6), (192, 1, 1), (2, 32, 3)])


def test_values_that_are_stored_in_half_precision() -> None:
    key = BlockAdd("__half", 5)
    text = written(key)
    assert "static __device__ void add(__half *where, const float *value)" in text
    assert "atomicAdd(&where[k], __float2half(total));" in text


def test_two_values_and_very_many_are_summed_one_by_one() -> None:
    counts = (2, 3, 32, 33)
    assert ["__shfl_xor_sync" in written(BlockAdd("float", n)) for n in counts] == [False, True, True, False]


def test_a_block_of_whole_warps_has_no_partial_one() -> None:
    assert ["partial" in written(BlockAdd("float", 4), whole) for whole in (False, True)] == [True, False]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("if (threadIdx.x / 32 == warps)", "if (threadIdx.x / 32 > warps)"),
        ("if (threadIdx.x % 32 < 5)", "if (threadIdx.x % 32 < 4)"),
        ("int warps = blockDim.x / 32;", "int warps = (blockDim.x + 31) / 32;"),
        ("if (k < 5)", "if (k < 4)"),
        ("for (int d = 8; d < 32; d *= 2)", "for (int d = 16; d < 32; d *= 2)"),
        ("sums[32]", "sums[31]"),
    ],
)
def test_near_misses_are_seen(right: str, wrong: str) -> None:
    key = BlockAdd("float", 5)
    text = written(key, calls=2)
    assert text.count(right) == 1
    with pytest.raises(AssertionError):
        check(key, text.replace(right, wrong), [*FEW[:70], *([(1024, 1, 1)] * 41)])
