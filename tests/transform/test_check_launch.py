"""A launch that isn't as declared gets NaN for every adjoint, never a plausible number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case
from s2sad.validate.launching import Launcher
from s2sad.validate.recipe import Launch

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def adjoints(name: str, backend: Backend, **other: tuple[int, int, int]) -> dict[str, np.ndarray]:
    """What the adjoints of what isn't seeded hold after a launch of another grid or block."""
    pair = transform(Source(f"{name}.cu", (GOLDEN / f"{name}.cu").read_text()), Options()).pair
    setting = Case.read(GOLDEN / f"{name}.toml", pair.primal).setting("double", least_blocks=2)
    launcher = Launcher(pair, backend, "double")
    outputs = launcher.primal(setting.launch, setting.args)
    seeds = {of: np.ones_like(outputs[of]) for of in pair.dependents}
    buffers = launcher.buffers(setting.args, seeds)
    launch = Launch(other.get("grid", setting.backward.grid), other.get("block", setting.backward.block))
    run = launcher.adjoint(setting.launch, launch, setting.args, buffers)
    return {a.of: run.buffers[a.of] for a in pair.adjoints if a.use != "seed"}


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("atomic_dot", {"grid": (4, 2, 1)}),
        ("splat_points", {"block": (16, 2, 1)}),
        ("block_sum", {"block": (48, 1, 1)}),
        ("diffuse_covered", {"grid": (2, 1, 1)}),
        ("blur_covered", {"block": (8, 2, 1)}),
        ("rows_of_one", {"block": (4, 2, 1)}),
        ("whole_blocks", {"grid": (4, 4, 1), "block": (7, 1, 1)}),
        ("rows_of_one", {"grid": (2, 3, 1)}),
    ],
)
def test_a_launch_that_is_not_as_declared_gets_nan(
    name: str, other: dict[str, tuple[int, int, int]], backend: Backend
) -> None:
    found = adjoints(name, backend, **other)
    assert found
    assert all(np.isnan(values.flat[0]) for values in found.values())


def test_the_launch_that_was_declared_gets_numbers(backend: Backend) -> None:
    found = adjoints("atomic_dot", backend)
    assert all(np.isfinite(values).all() for values in found.values())


def test_two_dimensions_may_be_declared() -> None:
    text = 'extern "C" __global__ void k(const float *x, float *y) { atomicAdd(y, x[threadIdx.x]); }'
    for words in ("launch:1d", "launch:2d"):
        source = Source("k.cu", f"// s2sad: --of y --wrt x --assume {words}\n{text}")
        asked = f"// Requires a {words[-2]}-D launch (--assume {words})"
        assert asked in transform(source, Options()).text
