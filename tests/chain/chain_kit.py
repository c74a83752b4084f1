"""Random chains of small kernels, and gradients compared with exact tangents."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from s2sad.chain.chain import Chain
from s2sad.chain.engine import Machine
from s2sad.chain.model import Launch, Repeat, Step, Swap
from s2sad.chain.tangents import DualMachine
from s2sad.run.backend import Backend
from s2sad.validate.elements import Array
from s2sad.validate.recipe import Value

FOLDER = Path(__file__).parent
N, STEPS = 40, 4
ARRAYS = ("a", "b", "c", "d")
POINTERS = {
    "overwrite": "x y",
    "interior": "x y",
    "add": "x y",
    "scatter": "x y",
    "in_place": "x w",
    "own_output": "x y",
    "workspace": "x temporary y",
    "block_sums": "x sums",
    "two": "x y ramp",
    "fill": "y",
    "rotate": "x y",
    "newton": "x y",
    "iterate": "x w",
}


def launch(kernel: str, **args: str | int | float) -> Launch:
    """Return a launch of a kernel of kernels.cu."""
    numbers = {"two": {"t": 2}, "fill": {"t": 2}, "iterate": {"trips": 3}}.get(kernel, {})
    return Launch(
        "kernels.cu",
        kernel,
        grid="(n + block - 1) / block" if kernel != "reset" else 1,
        block=16 if kernel != "reset" else 1,
        args={**numbers, **args},
        assume=["injective:y"] if kernel == "compact" else [],
    )


def values(random: np.random.Generator, steps: int = STEPS) -> dict[str, Value]:
    """Return values of all arrays and numbers that a chain may use."""
    found: dict[str, Value] = {name: random.uniform(-0.9, 0.9, N) for name in ARRAYS}
    found["h"] = random.uniform(-0.9, 0.9, N * (steps + 2))
    found["to"] = random.integers(0, N, N, dtype=np.int32)
    return {**found, "n": N, "steps": steps, "r": 0.4}


def random_chain(random: np.random.Generator) -> Chain:
    """Return a chain of three to six launches, with swaps and loops between them."""
    body = [_step(random, "") for _ in range(random.integers(1, 3))]
    inside = [_step(random, "t") for _ in range(random.integers(1, 4))]
    if random.random() < 0.3:
        deeper = [_step(random, "s") for _ in range(random.integers(1, 3))]
        inner = Repeat(int(random.integers(1, 4)), deeper, "s", checkpoints=int(random.integers(1, 4)))
        inside.insert(int(random.integers(0, len(inside) + 1)), inner)
    for steps in (body, inside):
        if random.random() < 0.7:
            first, second = random.choice(ARRAYS, 2, replace=False)
            steps.insert(int(random.integers(0, len(steps) + 1)), Swap(str(first), str(second)))
    loop = Repeat("steps", inside, "t", checkpoints=int(random.integers(1, 5)))
    if not any(isinstance(step, Launch) for step in inside):
        inside.append(_step(random, "t"))
    body.insert(int(random.integers(0, len(body) + 1)), loop)
    used = _used(body)  # those of launches, not of swaps
    of = random.choice(used, int(random.integers(1, len(used) + 1)), replace=False)
    wrt = random.choice(used, int(random.integers(1, len(used) + 1)), replace=False)
    more = ["r"] if any(s.kernel in ("interior", "two") for s in _launches(body)) else []
    return Chain(body, of=[str(n) for n in of], wrt=[*(str(n) for n in wrt), *more], folder=FOLDER)


def _step(random: np.random.Generator, counter: str) -> Step:
    kernel = str(random.choice(sorted(POINTERS)))
    names = POINTERS[kernel].split()
    chosen = random.choice(ARRAYS, len(names), replace=False)
    args = {name: str(array) for name, array in zip(names, chosen, strict=True)}
    if counter == "t" and random.random() < 0.4:  # a part of a longer array, which moves with the loop
        where = str(random.choice(names))
        args[where] = str(random.choice(["h[t * n : (t + 1) * n]", "h[(t + 1) * n : (t + 2) * n]"]))
    return launch(kernel, **args)


def _launches(steps: list[Step]) -> list[Launch]:
    found = []
    for step in steps:
        if isinstance(step, Launch):
            found.append(step)
        elif isinstance(step, Repeat):
            found += _launches(list(step.do))
    return found


def _used(steps: list[Step]) -> list[str]:
    names = [str(v).partition("[")[0] for step in _launches(steps) for v in step.args.values()]
    return sorted({name for name in names if name in (*ARRAYS, "h")})


def used_values(chain: Chain, given: dict[str, Value]) -> dict[str, Value]:
    """Return the values that the chain takes."""
    known = {*chain.linked.arrays, *chain.linked.scalars}
    return {name: value for name, value in given.items() if name in known}


def mismatch(chain: Chain, backend: Backend, given: dict[str, Value], random: np.random.Generator) -> float:
    """Return the relative difference of a gradient and of exact tangents along a random direction."""
    ready = chain.values(used_values(chain, given), "double")
    seeds: dict[str, Array] = {n: random.uniform(0.5, 1.5, np.shape(ready[n])) for n in chain.of}
    along: dict[str, Array] = {n: np.asarray(random.standard_normal(np.shape(ready[n]))) for n in chain.wrt}
    machine = Machine(chain.linked, chain.kernels, chain.plan, backend, "double", quick=True)
    result = chain.differentiate(machine, ready, seeds)
    tangents = DualMachine(chain.linked, chain.kernels, chain.plan, backend).push(ready, along)
    forward = sum(float(np.sum(seeds[n] * tangents[n])) for n in chain.of)
    terms = [float(np.sum(result.gradients[n] * along[n])) for n in chain.wrt]
    scale = max(1e-3, *(float(np.sum(np.abs(result.gradients[n] * along[n]))) for n in chain.wrt))
    return abs(sum(terms) - forward) / scale
