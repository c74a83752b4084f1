"""Find the conductivity of a plate from temperatures that were measured on it.

The plate is heated at some spots and left alone. The kernel in diffuse.cu takes one
step in time; the loop over the steps is here, in Python, with two arrays that change
places. The gradient of the misfit with respect to the conductivity of every cell comes
from one loop back over the steps, in which `s2sad.gradient` differentiates each step.
Going back needs the state before each step: every few steps it is kept (a checkpoint),
and the stretch between two checkpoints is run again.

    python recover.py                 half a minute; writes conductivity.png or .pgm
    python recover.py --help
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import s2sad

Array = NDArray[np.float64]

STEP = s2sad.transform(Path(__file__).with_name("diffuse.cu"), of="next", wrt=["u", "k"])
BLOCK = (8, 8)
RATE = 0.2  # time step over cell size squared; stable below 0.25 / the largest conductivity


@dataclass(frozen=True)
class Experiment:
    """A plate, heated as `start` says, whose sensors are read after some of the steps."""

    start: Array  # temperatures at the beginning
    sensors: NDArray[np.bool_]  # cells that have one
    steps: int
    every: int  # a reading, and a checkpoint, after so many steps
    readings: list[Array] = field(default_factory=list)

    def run(self, conductivity: Array) -> list[Array]:
        """The temperatures at the beginning and after every `every` steps."""
        states = [self.start]
        while len(states) <= self.steps // self.every:
            states.append(stretch(states[-1], conductivity, self.every)[-1])
        return states

    def misfit(self, conductivity: Array) -> tuple[float, Array]:
        """Half the squared error of all readings, and its gradient: one loop forwards, one back."""
        checkpoints = self.run(conductivity)
        wrong = [
            np.where(self.sensors, state - reading, 0.0)
            for state, reading in zip(checkpoints[1:], self.readings, strict=True)
        ]
        adj_u = np.zeros_like(self.start)
        adj_k = np.zeros_like(conductivity)
        for before, error in zip(reversed(checkpoints[:-1]), reversed(wrong), strict=True):
            adj_u = adj_u + error
            for u in reversed(stretch(before, conductivity, self.every)[:-1]):
                back = launch(u, conductivity, adj_u).gradients
                adj_u = back["u"]
                adj_k += back["k"]
        return 0.5 * sum(float(np.sum(error**2)) for error in wrong), adj_k


def stretch(u: Array, conductivity: Array, steps: int) -> list[Array]:
    """The states of so many steps, the first one included; nobody reads their gradients."""
    states = [u]
    for _ in range(steps):
        states.append(launch(states[-1], conductivity, np.zeros_like(u)).outputs["next"])
    return states


def launch(u: Array, conductivity: Array, adj_next: Array) -> s2sad.Result:
    """One step of the kernel and of its adjoint, with `adj_next` as the seed."""
    height, width = u.shape
    return s2sad.gradient(
        STEP,
        grid=(-(-width // BLOCK[0]), -(-height // BLOCK[1])),
        block=BLOCK,
        args={
            "u": u,
            "k": conductivity,
            "next": np.zeros_like(u),
            "rate": RATE,
            "width": width,
            "height": height,
        },
        seeds={"next": adj_next},
    )


def plate(size: int) -> Array:
    """The conductivity that is to be found: a good conductor with a badly conducting inlay."""
    row, column = np.mgrid[0:size, 0:size] / (size - 1.0)
    bar = (abs(row - 0.3) < 0.12) & (abs(column - 0.5) < 0.33)
    disc = (row - 0.7) ** 2 + (column - 0.35) ** 2 < 0.17**2
    return np.where(bar | disc, 0.25, 0.8)


def experiment(truth: Array, steps: int, every: int, noise: float = 0.0) -> Experiment:
    """Readings, made up by running the true plate; a sensor in every second cell, as on a chessboard."""
    row, column = np.indices(truth.shape)
    hot = ((row // 3 + column // 3) % 2 == 0).astype(np.float64)
    planned = Experiment(hot, (row + column) % 2 == 0, steps, every)
    random = np.random.default_rng(0)
    readings = [u + noise * random.standard_normal(u.shape) for u in planned.run(truth)[1:]]
    return Experiment(hot, planned.sensors, steps, every, readings)


def lbfgs(
    objective: Callable[[Array], tuple[float, Array]],
    x: Array,
    iterations: int,
    memory: int = 8,
    report: Callable[[int, float], None] = lambda iteration, value: None,
) -> Array:
    """Minimise by L-BFGS: a quasi-Newton direction from the last few steps, and backtracking."""
    value, slope = objective(x)
    moves: list[tuple[Array, Array]] = []
    for iteration in range(iterations):
        report(iteration, value)
        direction = -_curved(slope, moves)
        descent = float(np.vdot(slope, direction))
        if descent >= 0.0:
            break
        length = 1.0 if moves else min(1.0, 0.5 / float(np.max(np.abs(direction))))
        for _ in range(20):
            there, slope_there = objective(x + length * direction)
            if there <= value + 1e-4 * length * descent:
                break
            length *= 0.5
        else:
            break
        moved, turned = length * direction, slope_there - slope
        if np.vdot(moved, turned) > 0.0:
            moves = [*moves, (moved, turned)][-memory:]
        x, value, slope = x + moved, there, slope_there
    report(iterations, value)
    return x


def _curved(slope: Array, moves: list[tuple[Array, Array]]) -> Array:
    """The inverse Hessian that the moves suggest, times the slope."""
    result = slope.copy()
    weights = []
    for moved, turned in reversed(moves):
        weights.append(float(np.vdot(moved, result) / np.vdot(moved, turned)))
        result -= weights[-1] * turned
    if moves:
        moved, turned = moves[-1]
        result *= np.vdot(moved, turned) / np.vdot(turned, turned)
    for (moved, turned), weight in zip(moves, reversed(weights), strict=True):
        result += (weight - float(np.vdot(turned, result) / np.vdot(moved, turned))) * moved
    return result


def recover(
    seen: Experiment, iterations: int, report: Callable[[int, float], None] = lambda iteration, value: None
) -> Array:
    """The conductivity whose readings are closest; its logarithm is what is varied, so it stays positive."""

    def objective(logarithm: Array) -> tuple[float, Array]:
        conductivity = np.exp(logarithm)
        if conductivity.max() * RATE >= 0.25:  # no step of the equation is stable there
            return np.inf, np.zeros_like(logarithm)
        value, slope = seen.misfit(conductivity)
        return value, slope * conductivity

    return np.exp(lbfgs(objective, np.full(seen.start.shape, np.log(0.6)), iterations, report=report))


def picture(truth: Array, found: Array, name: str) -> str:
    """Truth and result beside each other: a PNG if matplotlib is installed, else a PGM. Says which file."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        both = np.hstack([truth, np.full((truth.shape[0], 1), 1.25), found])
        grey = np.kron(np.clip(both * 204.0, 0, 255).astype(np.uint8), np.ones((8, 8), np.uint8))
        path = Path(f"{name}.pgm")
        path.write_bytes(b"P5 %d %d 255\n" % (grey.shape[1], grey.shape[0]) + grey.tobytes())
        return str(path)
    figure = Figure(figsize=(8, 3.5), layout="constrained")
    for axes, title, values in zip(figure.subplots(1, 2), ("true", "found"), (truth, found), strict=True):
        drawn = axes.imshow(values, vmin=0.0, vmax=1.0)
        axes.set_title(f"conductivity, {title}")
    figure.colorbar(drawn, ax=figure.axes)
    figure.savefig(f"{name}.png", dpi=120)
    return f"{name}.png"


def main() -> None:
    options = argparse.ArgumentParser(description="Find the conductivity of a plate from measurements.")
    options.add_argument("--size", type=int, default=24, help="cells along each side")
    options.add_argument("--steps", type=int, default=60, help="steps in time")
    options.add_argument("--every", type=int, default=6, help="a reading and a checkpoint after so many")
    options.add_argument("--iterations", type=int, default=40)
    options.add_argument("--noise", type=float, default=0.0, help="standard deviation of a reading's error")
    options.add_argument("--output", default="conductivity", help="name of the picture, without suffix")
    given = options.parse_args()
    if given.steps % given.every:
        options.error("--steps is a multiple of --every")

    truth = plate(given.size)
    seen = experiment(truth, given.steps, given.every, given.noise)

    def report(iteration: int, value: float) -> None:
        if iteration % 5 == 0:
            print(f"iteration {iteration:3}   misfit {value:.3e}")

    found = recover(seen, given.iterations, report)
    error = float(np.mean(abs(found - truth)))
    print(f"mean error of the conductivity {error:.3f}; picture in {picture(truth, found, given.output)}")


if __name__ == "__main__":
    main()
