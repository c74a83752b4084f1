"""Launches that share arrays compose, whatever the contract of each adjoint is.

Chains of the kernels in kernels.cu are drawn at random, with swaps, nested loops and parts of
arrays; each gradient is compared with exact tangents.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from chain_kit import FOLDER, launch, mismatch, random_chain, values

from s2sad import pipeline
from s2sad.chain import Chain, Repeat, Swap, kernels
from s2sad.chain.model import Step
from s2sad.run.backend import Backend
from s2sad.run.registry import find


@pytest.fixture(autouse=True)
def transformed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels.pipeline, "transform", _transform)


_transform = cache(pipeline.transform)


@pytest.fixture(scope="module")
def cpu() -> Backend:
    return find("cpu")


@pytest.mark.parametrize("seed", range(24))
def test_a_random_chain_has_the_right_gradient(seed: int, cpu: Backend) -> None:
    random = np.random.default_rng(seed)
    chain = random_chain(random)
    assert mismatch(chain, cpu, values(random), random) < 1e-9


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_many_random_chains_have_the_right_gradient(seed: int, cpu: Backend) -> None:
    random = np.random.default_rng(seed)
    chain = random_chain(random)
    assert mismatch(chain, cpu, values(random), random) < 1e-9


def loop(*steps: Step, checkpoints: int = 2, count: int | str = "steps", counter: str = "t") -> Repeat:
    return Repeat(count, steps, counter, checkpoints=checkpoints)


CHAINS: dict[str, tuple[list[Step], str, str]] = {
    "no loop": ([launch("own_output", x="a", y="b"), launch("in_place", x="b", w="a")], "b", "a"),
    "seeded and independent": ([launch("add", x="a", y="b")], "a, b", "a, b"),
    "the border keeps its adjoint": (
        [loop(launch("interior", x="a", y="b"), Swap("a", "b"))],
        "a",
        "a, b, r",
    ),
    "overwritten between two readers": (
        [
            launch("overwrite", x="a", y="b"),
            launch("add", x="b", y="c"),
            launch("fill", y="b"),
            launch("add", x="b", y="c"),
        ],
        "b, c",
        "a, b, c",
    ),
    "a dependent that a constant overwrites": (
        [launch("add", x="a", y="b"), launch("two", x="b", y="c", ramp="d")],
        "c, d",
        "a, b, d, r",
    ),
    "swapped in a loop without derivatives": (
        [
            launch("overwrite", x="a", y="b"),
            loop(Swap("b", "c"), launch("fill", y="d"), Swap("c", "d"), count=5),
            launch("add", x="b", y="a"),
            launch("add", x="c", y="a"),
        ],
        "a, d",
        "a, b, c, d",
    ),
    "one kernel, differentiated in two ways": (
        [launch("rotate", x="a", y="b"), launch("rotate", x="c", y="a"), launch("add", x="a", y="b")],
        "b",
        "a",
    ),
    "a tape as long as the counter says": (
        [loop(launch("iterate", x="a", w="b", trips="t + 2"), Swap("a", "c"))],
        "a, c",
        "a, b, c",
    ),
    "only the split shape": (
        [
            loop(
                launch("reset", count="to"),
                launch("compact", x="a", y="b", count="to"),
                launch("overwrite", x="b", y="c"),
                Swap("a", "c"),
            )
        ],
        "a",
        "a, b, c",
    ),
    "constant memory": (
        [loop(launch("filter", x="a", y="b", taps="c"), Swap("a", "b"))],
        "a",
        "a, c",
    ),
    "loops in loops": (
        [
            loop(
                launch("scatter", x="a", y="b", to="to"),
                loop(
                    launch("in_place", x="b", w="a"),
                    Swap("a", "b"),
                    launch("fill", y="d", t="s"),
                    count="t + 1",
                    counter="s",
                    checkpoints=1,
                ),
                launch("workspace", x="b", temporary="c", y="a"),
            ),
            launch("block_sums", x="a", sums="d"),
        ],
        "a, d",
        "a, b, c, d",
    ),
    "parts that move": (
        [loop(launch("add", x="h[t * n : (t + 1) * n]", y="h[(t + 1) * n : (t + 2) * n]"))],
        "h",
        "h",
    ),
    "no steps": ([loop(launch("in_place", x="a", w="b"), count=0)], "a", "a, b"),
    "an adjoint that overwrites what an earlier one reads": (
        [loop(launch("own_output", x="a", y="b"), launch("workspace", x="b", temporary="a", y="c"))],
        "c",
        "a, b, c",
    ),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_has_the_right_gradient(name: str, cpu: Backend) -> None:
    steps, of, wrt = CHAINS[name]
    random = np.random.default_rng(7)
    chain = Chain(steps, of=of, wrt=wrt, folder=FOLDER)
    assert mismatch(chain, cpu, values(random), random) < 1e-9
