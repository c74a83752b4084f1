"""Chains of launches, reversed launch by launch: the adjoint arrays after one are the input of the next.

A launch's adjoint turns the adjoints of all arrays at its exit into those at its entry
(docs: what the arguments hold). Two swapped buffers are the hard case: each
launch reads one and overwrites some of the other, and elements that it doesn't overwrite keep
their values. The sum over both buffers at the end is compared with central differences.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

import s2sad
from s2sad.options import Mode
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.validate.elements import Array, Reals
from s2sad.validate.launching import Launcher
from s2sad.validate.recipe import Launch, Value

# The borders of a buffer aren't stored: they keep their values from two launches ago.
STEP = """
#define BLOCK 16
extern "C" __global__ void step(const float *__restrict__ from, float *__restrict__ to, float rate, int n)
{
    __shared__ float tile[BLOCK + 2];
    int t = threadIdx.x + 1;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    tile[t] = i < n ? from[i] : 0.0f;
    if (threadIdx.x == 0)
        tile[0] = i > 0 ? from[i - 1] : 0.0f;
    if (threadIdx.x == BLOCK - 1)
        tile[BLOCK + 1] = i + 1 < n ? from[i + 1] : 0.0f;
    __syncthreads();
    if (i > 0 && i + 1 < n)
        to[i] = tile[t] + rate * (tile[t - 1] - 2.0f * tile[t] + tile[t + 1]) + 0.1f * sinf(tile[t]);
}
"""

# In place: the next launch of it reads the values that this one left.
DECAY = """
extern "C" __global__ void decay(float *u, const float *k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 1 && i < n)
        u[i] *= 1.0f - k[i % 4] * u[i];
}
"""

# The sum of squares of each block, and atomically the total.
ENERGY = """
#define BLOCK 16
extern "C" __global__ void energy(const float *u, float *sum, int n)
{
    __shared__ float part[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    part[t] = i < n ? u[i] * u[i] : 0.0f;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(sum, part[0]);
}
"""

N = 40
LAUNCH = Launch((3, 1, 1), (16, 1, 1))
Arrays = dict[str, Reals]


class Call(NamedTuple):
    """One launch: its kernel, and the buffer for each of its arrays."""

    kernel: str
    buffers: dict[str, str]
    scalars: dict[str, float | int]


CHAINS: dict[str, tuple[Call, ...]] = {
    "two buffers change places": (
        Call("step", {"from": "u", "to": "v"}, {"rate": 0.2, "n": N}),
        Call("step", {"from": "v", "to": "u"}, {"rate": 0.3, "n": N}),
    ),
    "in place, twice": (
        Call("decay", {"u": "u", "k": "k"}, {"n": N}),
        Call("decay", {"u": "u", "k": "k"}, {"n": N}),
    ),
    "there, in place, back, and summed": (
        Call("step", {"from": "u", "to": "v"}, {"rate": 0.2, "n": N}),
        Call("decay", {"u": "v", "k": "k"}, {"n": N}),
        Call("step", {"from": "v", "to": "u"}, {"rate": 0.25, "n": N}),
        Call("energy", {"u": "u", "sum": "sum"}, {"n": N}),
    ),
}
TEXTS = {"step": STEP, "decay": DECAY, "energy": ENERGY}
ASKED = {
    "step": (["to"], ["from", "to"]),
    "decay": (["u"], ["u", "k"]),
    "energy": (["sum"], ["u", "sum"]),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def start() -> Arrays:
    random = np.random.default_rng(11)
    return {
        "u": random.uniform(0.2, 1.0, N),
        "v": random.uniform(0.2, 1.0, N),
        "k": random.uniform(0.1, 0.5, 4),
        "sum": random.uniform(0.2, 1.0, 1),
    }


def weights() -> Arrays:
    """Return the weight of each element at the end; none for `k`, which is never written."""
    random = np.random.default_rng(12)
    return {name: random.uniform(0.5, 1.5, a.shape) * (name != "k") for name, a in start().items()}


def real(array: Array) -> Reals:
    return array.astype(np.float64)


def made(kernel: str, mode: Mode) -> s2sad.Adjoint:
    of, wrt = ASKED[kernel]
    return s2sad.transform(TEXTS[kernel], name=f"{kernel}.cu", of=of, wrt=wrt, mode=mode)


def arguments(call: Call, state: Arrays) -> dict[str, Value]:
    return {**{name: state[buffer] for name, buffer in call.buffers.items()}, **call.scalars}


class Chain:
    """The launches of a chain in one shape, compiled once each."""

    def __init__(self, calls: tuple[Call, ...], mode: Mode, backend: Backend) -> None:
        self.calls = calls
        self.launchers = {
            kernel: Launcher(made(kernel, mode)._pair, backend, "double")
            for kernel in dict.fromkeys(call.kernel for call in calls)
        }

    def forward(self, state: Arrays) -> list[Arrays]:
        """Return the buffers before each launch, and after the last."""
        states = [state]
        for call in self.calls:
            after = self.launchers[call.kernel].primal(LAUNCH, arguments(call, states[-1]))
            states.append({**states[-1], **{b: real(after[name]) for name, b in call.buffers.items()}})
        return states

    def back(self, states: list[Arrays], adjoints: Arrays) -> Arrays:
        """Return the adjoints before the first launch; all adjoint launches share the buffers."""
        for call, before in reversed(list(zip(self.calls, states, strict=False))):
            given = {name: adjoints[buffer] for name, buffer in call.buffers.items()}
            run = self.launchers[call.kernel].adjoint(LAUNCH, LAUNCH, arguments(call, before), given)
            adjoints = {**adjoints, **{b: real(run.buffers[name]) for name, b in call.buffers.items()}}
        return adjoints


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", CHAINS)
def test_adjoints_of_launches_in_opposite_order(name: str, mode: Mode, backend: Backend) -> None:
    chain = Chain(CHAINS[name], mode, backend)
    states = chain.forward(start())
    found = chain.back(states, weights())
    assert not np.array_equal(states[-1]["u"], states[0]["u"])
    same_as_differences(chain, found)


def same_as_differences(chain: Chain, found: Arrays) -> None:
    """Compare along random directions through all buffers at once, and through each buffer alone."""
    random = np.random.default_rng(13)
    whole = {name: random.standard_normal(a.shape) for name, a in start().items()}
    for moved in (*({n} for n in whole), set(whole)):
        along = {name: whole[name] * (name in moved) for name in whole}
        expected = difference(chain, along)
        gradient = sum(float(np.sum(found[name] * along[name])) for name in along)
        assert gradient == pytest.approx(expected, rel=1e-8, abs=1e-8), sorted(moved)


def difference(chain: Chain, along: Arrays, step: float = 1e-5) -> float:
    up, down = (
        chain.forward({name: a + sign * step * along[name] for name, a in start().items()})[-1]
        for sign in (1.0, -1.0)
    )
    weight = weights()
    return float(sum(np.sum(weight[name] * (up[name] - down[name])) for name in up) / (2.0 * step))


def test_a_chain_through_the_public_api() -> None:
    """`gradient` returns dJ/d(value at entry) of one launch; the caller adds contributions around it."""
    first, second = CHAINS["two buffers change places"]
    state = start()
    double = STEP.replace("float", "double").replace("sinf", "sin")
    adjoint = s2sad.transform(double, name="step.cu", of=["to"], wrt=["from", "to"])

    def run(call: Call, state: Arrays, seed: Reals) -> s2sad.Result:
        return s2sad.gradient(
            adjoint, grid=3, block=16, args=arguments(call, state), seeds={"to": seed}, backend="cpu"
        )

    middle = {**state, "v": real(run(first, state, weights()["v"]).outputs["to"])}
    back = run(second, middle, weights()["u"])
    adj_u, adj_v = real(back.gradients["to"]), weights()["v"] + real(back.gradients["from"])
    back = run(first, state, adj_v)
    adj_u, adj_v = adj_u + real(back.gradients["from"]), real(back.gradients["to"])

    with Isolated("cpu", timeout=60.0) as backend:
        chain = Chain((first, second), "joint", backend)
        found = chain.back(chain.forward(start()), weights())
    # The text's literals are floats there, and doubles here.
    assert np.allclose(adj_u, found["u"], rtol=1e-6)
    assert np.allclose(adj_v, found["v"], rtol=1e-6)
