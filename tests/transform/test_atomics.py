"""Atomic additions of the primal: what they owe, and what the plain stores beside them prove."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad.diagnostics import Rejected
from s2sad.options import Assumption, Options
from s2sad.pipeline import Transformed, transform
from s2sad.run import registry
from s2sad.run.values import Order
from s2sad.source import Source
from s2sad.validate.launching import Launcher
from s2sad.validate.recipe import Launch

SLOTS = """
extern "C" __global__ void slots(const float *x, int *count, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 2; ++k) {
        float v = x[2 * i + k];
        int slot = atomicAdd(count, 1);
        y[slot] = v * v;
    }
    if (x[i] > 0.0f) {
        int slot = atomicAdd(count, 1);
        y[slot] = x[i];
    }
}
"""


def made(text: str, mode: str = "joint", *assume: Assumption) -> Transformed:
    options = Options(of=("y",), wrt=("x",), mode="split" if mode == "split" else "joint", assume=assume)
    return transform(Source("k.cu", text), options)


def kernel(body: str) -> str:
    head = 'extern "C" __global__ void k(const float *x, const int *idx, float *y, int n)'
    return f"{head}\n{{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n{body}\n}}\n"


def refused(text: str, mode: str = "joint", *assume: Assumption) -> list[str]:
    with pytest.raises(Rejected) as rejected:
        made(text, mode, *assume)
    return [d.code.slug for d in rejected.value.diagnostics]


def adds_plainly(text: str) -> bool:
    return "adj_x[i] += " in made(text).text


def test_nothing_but_additions_says_nothing_of_the_launch() -> None:
    assert not adds_plainly(kernel("    if (i < n) atomicAdd(&y[idx[i]], x[i]);"))


def test_a_certain_store_proves_the_launch_narrow() -> None:
    guarded = "if (i < n) { z[i] = x[i]; atomicAdd(&y[idx[i]], x[i] * x[i]); }"
    text = kernel(f"    {guarded}").replace("float *y", "float *z, float *y")
    assert adds_plainly(text)


def test_a_store_that_other_threads_may_make_proves_nothing() -> None:
    beside = "if (i < n) z[i] = x[i]; if (i < n + 1) atomicAdd(&y[idx[i]], x[i] * x[i]);"
    text = kernel(f"    {beside}").replace("float *y", "float *z, float *y")
    assert not adds_plainly(text)


def test_the_first_thread_stores_if_nobody_else_does() -> None:
    first = "if (threadIdx.x == 0) z[blockIdx.x] = 1.0f; if (i < n) atomicAdd(&y[idx[i]], x[i]);"
    text = kernel(f"    {first}").replace("float *y", "float *z, float *y")
    assert adds_plainly(text)


def test_shared_memory_says_nothing_of_the_grid() -> None:
    shared = "__shared__ float s[64]; s[threadIdx.x] = x[i]; atomicAdd(&y[idx[i]], s[threadIdx.x] * x[i]);"
    assert "atomicAdd(&adj_x[i]" in made(kernel(f"    {shared}")).text


def test_the_joint_adjoint_never_adds_to_what_the_primal_adds_to() -> None:
    text = kernel("    if (i < n) atomicAdd(&y[idx[i]], x[i] * x[i]);")
    adjoint = made(text).text.split("__global__")[1]
    assert adjoint.count("&y[") == 1  # the quoted line
    assert "const float *adj_y" in adjoint


def test_a_sum_that_is_read_in_the_same_launch_is_refused() -> None:
    assert refused(kernel("    atomicAdd(&y[0], x[i]);\n    y[i + 1] = y[0];")) == ["cross-block-flow"]


def test_counts_that_nobody_asks_for_are_not_counted_again() -> None:
    text = kernel("    y[i] = x[i] * x[i]; atomicAdd(&hits[idx[i]], 1);").replace(
        "int n", "unsigned int *hits"
    )
    assert "hits[" not in made(text).text.split("__global__")[1]


@pytest.mark.parametrize("order", ["forward", "reverse"])
def test_slots_are_those_of_the_launch_that_made_the_outputs(order: Order) -> None:
    done = made(SLOTS, "split", Assumption("injective", "y"))
    n = 24
    x = np.random.default_rng(4).normal(size=2 * n)
    y, seed = np.zeros(3 * n), np.arange(1.0, 3 * n + 1)
    args = {"x": x, "count": np.zeros(1, np.int32), "y": y, "n": n}
    launch = Launch((2, 1, 1), (n // 2, 1, 1))
    launcher = Launcher(done.pair, registry.find("cpu"), "double")
    buffers = launcher.buffers(args, {"y": seed})
    run = launcher.adjoint(launch, launch, args, buffers, order=order)
    assert run.outputs is not None

    def weight(value: float) -> float:
        """The seed of the slot that holds a value."""
        assert run.outputs is not None
        return float(seed[int(np.argmin(np.abs(run.outputs["y"] - value)))])

    expected = np.array([2 * v * weight(v * v) for v in x])
    expected += np.array([weight(v) if k < n and v > 0 else 0.0 for k, v in enumerate(x)])
    assert np.allclose(run.buffers["x"], expected)


def test_slots_cant_be_drawn_again() -> None:
    assert refused(SLOTS, "joint", Assumption("injective", "y")) == ["order-dependent"]
