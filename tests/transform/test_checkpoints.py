"""Loops whose length nothing bounds: nested snapshots give back every iteration's state."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import s2sad
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.validate import Case, check_pair

SCALARS = """\
extern "C" __global__ void relax(const double *x, const double *w, double *y, double until, double dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double u = x[i], v = 0.0, t = 0.0;
    while (t < until) {
        double a = w[0] * (1.0 - u * u) * v - u;
        u += dt * v;
        v += dt * a;
        t += dt;
    }
    y[i] = u + v;
}
"""
ARRAY = """\
extern "C" __global__ void relax(const double *x, const double *w, double *y, double until, double dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s[3] = {x[i], 0.5, 0.0}, t = 0.0;
    while (t < until) {
        s[2] = s[2] + dt * s[0] * s[1];
        s[1] = s[1] - dt * w[0] * s[2];
        s[0] = s[0] + dt * sin(s[1]);
        t += dt;
    }
    y[i] = s[0] + s[1] * s[2];
}
"""
TWICE = SCALARS.replace(
    "double u = x[i], v = 0.0, t = 0.0;",
    "double u = x[i], v = 0.0, t;\n    for (int r = 0; r < 2; ++r) {\n    t = 0.1 * r;",
).replace("y[i] = u + v;", "}\n    y[i] = u + v;")
# The state has no derivative: the adjoints of the iterations commute, the runs from snapshots don't.
STEERED = """\
extern "C" __global__ void relax(const double *x, const double *w, double *y, double until, double dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int state = 7 * i;
    double sum = 0.0;
    for (int k = 0; k < (int)(until / dt); ++k) {
        state = (state * 1103 + 12345) & 4095;
        sum += w[0] * state * dt * x[i] * x[i];
    }
    y[i] = sum;
}
"""
CASE = """\
[launch]
grid = "(n + 31) / 32"
block = 32
[args]
n = 40
until = 3.0
dt = 0.01
x = { shape = "n", fill = "normal" }
w = { shape = 1, fill = "uniform(0.5, 1.0)" }
y = { shape = "n", fill = "zeros" }
"""
EDGES = (0, 1, 15, 16, 17, 31, 32, 33, 255, 256, 257, 511, 513, 4096, 4097, 8192, 8193, 9000)


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(text: str, mode: str = "joint", recompute: tuple[str, ...] = ()) -> s2sad.Adjoint:
    return s2sad.transform(
        text,
        name="relax.cu",
        of="y",
        wrt=["x", "w"],
        mode=mode,  # type: ignore[arg-type]
        recompute=recompute,
    )


def right(adjoint: s2sad.Adjoint, backend: Backend) -> bool:
    """Whether all of `check` is content with an adjoint."""
    report = check_pair(adjoint._pair, Case.parse(CASE, adjoint._pair.primal), backend, tolerance=1e-7)
    assert report.ok, report.text()
    return report.ok


@pytest.fixture(scope="module")
def nested() -> s2sad.Adjoint:
    return made(SCALARS)


@pytest.mark.parametrize("trips", EDGES)
def test_the_gradient_is_that_of_a_whole_tape(nested: s2sad.Adjoint, trips: int) -> None:
    x, w, dt = np.array([0.7, -0.3]), np.array([0.8]), 1.0 / 1024
    args = {"x": x, "w": w, "y": np.zeros(2), "until": (trips - 0.5) * dt, "dt": dt, "n": 2}
    found = s2sad.gradient(nested, grid=1, block=32, args=args, backend="cpu").gradients
    by_w, by_x = 0.0, []
    for start in x:
        u, v, tape = start, 0.0, []
        for _ in range(trips):
            tape.append((u, v))
            u, v = u + dt * v, v + dt * (w[0] * (1.0 - u * u) * v - u)
        bar_u = bar_v = 1.0
        for u, v in reversed(tape):
            bar_a = dt * bar_v
            bar_v += dt * bar_u + w[0] * (1.0 - u * u) * bar_a
            bar_u -= (2.0 * w[0] * u * v + 1.0) * bar_a
            by_w += (1.0 - u * u) * v * bar_a
        by_x.append(bar_u)
    np.testing.assert_allclose(found["x"], by_x, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found["w"], [by_w], rtol=1e-12, atol=1e-14)


def test_three_distances_are_kept(nested: s2sad.Adjoint) -> None:
    for array in ("snapshot_u[16]", "middle_u[16]", "recent_u[32]"):
        assert array in nested.source


@pytest.mark.parametrize("text", [ARRAY, TWICE], ids=["array", "twice"])
@pytest.mark.parametrize("mode", ["joint", "split"])
def test_arrays_and_loops_that_run_again(text: str, mode: str, backend: Backend) -> None:
    adjoint = made(text, mode)
    assert right(adjoint, backend)
    assert "middle_" in adjoint.source


LARGER = ARRAY.replace("double s[3] = {x[i], 0.5, 0.0}", "double s[12] = {x[i], 0.5, 0.0}")


@pytest.fixture(scope="module")
def larger() -> s2sad.Adjoint:
    return made(LARGER)


def test_of_a_larger_state_fewer_iterations_are_kept(larger: s2sad.Adjoint, backend: Backend) -> None:
    assert "recent_s[16][12]" in larger.source
    assert right(larger, backend)


@pytest.mark.parametrize("trips", EDGES)
def test_the_gradient_of_a_larger_state(larger: s2sad.Adjoint, trips: int) -> None:
    x, w, dt = np.array([0.7, -0.3]), 0.8, 1.0 / 1024
    args = {"x": x, "w": np.array([w]), "y": np.zeros(2), "until": (trips - 0.5) * dt, "dt": dt, "n": 2}
    found = s2sad.gradient(larger, grid=1, block=32, args=args, backend="cpu").gradients
    by_w, by_x = 0.0, []
    for start in x:
        s, tape = (start, 0.5, 0.0), []
        for _ in range(trips):
            third = s[2] + dt * s[0] * s[1]
            second = s[1] - dt * w * third
            tape.append((s, second, third))
            s = (s[0] + dt * np.sin(second), second, third)
        bar = [1.0, s[2], s[1]]
        for s, second, third in reversed(tape):
            bar[1] += dt * np.cos(second) * bar[0]
            by_w -= dt * third * bar[1]
            bar[2] -= dt * w * bar[1]
            bar[0] += dt * s[1] * bar[2]
            bar[1] += dt * s[0] * bar[2]
        by_x.append(bar[0])
    np.testing.assert_allclose(found["x"], by_x, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(found["w"], [by_w], rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("mode", ["joint", "split"])
def test_a_large_state_is_kept_at_one_distance(mode: str, backend: Backend) -> None:
    text = ARRAY.replace("double s[3] = {x[i], 0.5, 0.0}", "double s[40] = {x[i], 0.5, 0.0}")
    adjoint = made(text, mode)
    assert "middle_" not in adjoint.source
    assert right(adjoint, backend)


@pytest.mark.parametrize("mode", ["joint", "split"])
def test_iterations_that_commute_go_backwards_all_the_same(mode: str, backend: Backend) -> None:
    adjoint = made(STEERED, mode, ("state",))
    assert "middle_state" in adjoint.source
    assert right(adjoint, backend)
