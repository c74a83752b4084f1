"""Structs in Python: arrays of shape (n, 3) or of a structured type, and back as they came."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import s2sad

GOLDEN = Path(__file__).parents[1] / "golden"
POINT = [("x", "f4"), ("y", "f4"), ("z", "f4")]
BODY = np.dtype([("at", POINT), ("speed", POINT), ("mass", "f4"), ("species", "i4")])


def bodies(n: int) -> np.ndarray:
    random = np.random.default_rng(3)
    made = np.zeros(n, BODY)
    for part in ("at", "speed"):
        for axis in "xyz":
            made[part][axis] = random.standard_normal(n)
    made["mass"] = 1.5
    made["species"] = np.arange(n) % 5
    return made


def test_vectors_are_arrays_with_one_more_extent() -> None:
    random = np.random.default_rng(1)
    pos = random.standard_normal((20, 4)).astype(np.float32)
    acc = np.zeros((20, 3), np.float32)
    args = {"bodies": pos, "acc": acc, "n": 20, "soft": 0.1}
    kernel = GOLDEN / "nbody_vectors.cu"
    result = s2sad.gradient(kernel, grid=2, block=16, args=args)
    assert result.outputs["acc"].shape == (20, 3)
    assert result.gradients["bodies"].shape == (20, 4)
    assert result.gradients["bodies"].dtype == np.float32
    along = random.standard_normal((20, 4)).astype(np.float32)
    moved = s2sad.jvp(kernel, grid=2, block=16, args=args, tangents={"bodies": along}).tangents["acc"]
    assert np.sum(moved) == pytest.approx(np.sum(result.gradients["bodies"] * along), rel=1e-3)


def test_structs_are_of_a_structured_type_and_stay_so() -> None:
    made = bodies(9)
    args = {"particles": made, "drag": np.full(5, 0.5, np.float32), "dt": 0.1, "n": 9}
    result = s2sad.gradient(GOLDEN / "particles.cu", of="particles", grid=1, block=16, args=args)
    assert result.outputs["particles"].dtype == BODY
    assert result.gradients["particles"].dtype == BODY
    assert not result.gradients["particles"]["species"].any()
    assert np.array_equal(made, bodies(9))
    assert (result.gradients["particles"]["at"]["x"] == 1).all()


def test_a_struct_by_value_is_a_dictionary() -> None:
    args = {"x": np.ones(20, np.float32), "y": np.zeros(20, np.float32), "n": 20,
            "filter": {"w": [0.1, 0.2, 0.3, 0.2, 0.1], "bias": 0.5, "stride": 1}}  # fmt: skip
    result = s2sad.gradient(GOLDEN / "struct_weights.cu", wrt=["filter"], grid=1, block=32, args=args)
    assert result.gradients["filter"]["w"].shape == (5,)
    assert result.gradients["filter"]["bias"] > 0


def test_what_is_no_struct_is_refused_with_its_fields() -> None:
    args = {"bodies": np.ones((4, 3)), "acc": np.zeros((4, 3)), "n": 4, "soft": 0.1}
    with pytest.raises(s2sad.Rejected, match="bodies"):
        s2sad.gradient(GOLDEN / "nbody_vectors.cu", grid=1, block=16, args=args)
