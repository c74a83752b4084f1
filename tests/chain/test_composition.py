"""Launches that share arrays compose, whatever the contract of each adjoint is.

Chains of the kernels in kernels.cu are drawn at random, with swaps, nested loops and parts of
arrays; each gradient is compared with exact tangents.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from chain_kit import mismatch, random_chain, values

from s2sad import pipeline
from s2sad.chain import kernels
from s2sad.run.backend import Backend
from s2sad.run.registry import find


@pytest.fixture(autouse=True)
def transformed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels.pipeline, "transform", _transform)


_transform = cache(pipeline.transform)


@pytest.fixture(scope="module")
def cpu() -> Backend:
    return find("cpu")


@pytest.mark.parametrize("seed", range(40))
def test_a_random_chain_has_the_right_gradient(seed: int, cpu: Backend) -> None:
    random = np.random.default_rng(seed)
    chain = random_chain(random)
    assert mismatch(chain, cpu, values(random), random) < 1e-9
