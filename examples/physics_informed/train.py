"""Solve Poisson's equation with a network: -(u_xx + u_yy) = f on the unit square, u = 0 on its border.

The loss has second derivatives of the network with respect to its inputs, and training needs the gradient of
that with respect to its weights. All of them come from texts that s2sad wrote: the tangent of the tangent
of the network, and the adjoint of it.

    python train.py                 some seconds; writes poisson.svg: the solution, and how the error falls
    python train.py --help
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from s2sad.engine import Kernels

Array = NDArray[np.float64]

HIDDEN = 8  # as in network.cu
WEIGHTS = HIDDEN * (3 + HIDDEN + 1) + HIDDEN + 1
BORDER = 100.0  # what an error on the border costs, relative to one of the equation
BLOCK = 32


class Kernel:
    """A kernel from the file of its name, launched on the CPU with one thread for each point."""

    def __init__(self, name: str) -> None:
        self._name, self._kernels = name, Kernels(Path(__file__).with_name(f"{name}.cu"), name)

    def __call__(self, points: int, *args: Array | int) -> None:
        words = [arg.ctypes.data if isinstance(arg, np.ndarray) else arg for arg in args]
        self._kernels.launch(self._name, (-(-points // BLOCK), 1, 1), (BLOCK, 1, 1), 0, *words)


network, network_adj = Kernel("network"), Kernel("network_adj")
network_tan_tan, network_tan_tan_adj = Kernel("network_tan_tan"), Kernel("network_tan_tan_adj")


def solution(x: Array, y: Array) -> Array:
    return np.sin(np.pi * x) * np.sin(np.pi * y)


class Problem:
    """The equation at the points of a grid, and the border at points along it."""

    def __init__(self, size: int) -> None:
        inner = (np.arange(size) + 0.5) / size
        x, y = (axis.ravel() for axis in np.meshgrid(inner, inner))
        self.force = 2.0 * np.pi**2 * solution(x, y)
        # Each point twice: a launch goes along x at the first copies, and along y at the second.
        self.x, self.y = np.tile(x, 2), np.tile(y, 2)
        self.along_x = np.repeat([1.0, 0.0], len(x))
        self.along_y = 1.0 - self.along_x
        ends = np.linspace(0.0, 1.0, size)
        zero, one = np.zeros(size), np.ones(size)
        self.border_x = np.concatenate([ends, ends, zero, one])
        self.border_y = np.concatenate([zero, one, ends, ends])

    def laplacian(self, weights: Array) -> Array:
        """u_xx + u_yy of the network: the tangent of its tangent, twice in the same direction."""
        u, tan_u, second = (np.zeros_like(self.x) for _ in range(3))
        along = (self.x, self.along_x, self.along_x, self.y, self.along_y, self.along_y)
        network_tan_tan(len(u), *along, weights, u, tan_u, second, len(u))
        along_x, along_y = second.reshape(2, -1)
        return along_x + along_y

    def loss(self, weights: Array) -> tuple[float, Array]:
        """The mean squared errors in the equation and on the border, and their gradient."""
        slope = np.zeros_like(weights)

        wrong = self.laplacian(weights) + self.force
        u, tan_u, second = (np.zeros_like(self.x) for _ in range(3))
        seed = np.tile(2.0 * wrong / len(wrong), 2)
        along = (self.x, self.along_x, self.along_x, self.y, self.along_y, self.along_y)
        network_tan_tan_adj(len(u), *along, weights, slope, u, tan_u, second, seed, len(u))

        edge = np.zeros_like(self.border_x)
        network(len(edge), self.border_x, self.border_y, weights, edge, len(edge))
        seed = 2.0 * BORDER * edge / len(edge)
        network_adj(
            len(edge), self.border_x, self.border_y, weights, slope, np.zeros_like(edge), seed, len(edge)
        )
        return float(np.mean(wrong**2) + BORDER * np.mean(edge**2)), slope


def start(seed: int = 0) -> Array:
    """Random weights."""
    random = np.random.default_rng(seed)
    weights = random.normal(0.0, 1.0 / np.sqrt(HIDDEN), WEIGHTS)
    weights[: 3 * HIDDEN] = random.uniform(-3.0, 3.0, 3 * HIDDEN)
    return weights


def train(problem: Problem, weights: Array, steps: int) -> Iterator[tuple[float, Array]]:
    """Descend by Adam, and yield the loss and the weights of each step."""
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        value, slope = problem.loss(weights)
        yield value, weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        rate = 0.02 * (1.0 - (step - 1) / steps)
        weights = weights - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    yield problem.loss(weights)[0], weights


def field(weights: Array, size: int = 40) -> tuple[Array, Array]:
    """The network and the solution on a grid with the border."""
    ends = np.linspace(0.0, 1.0, size)
    x, y = (axis.ravel() for axis in np.meshgrid(ends, ends))
    u = np.zeros_like(x)
    network(len(u), x, y, weights, u, len(u))
    return u.reshape(size, size), solution(x, y).reshape(size, size)


def error(weights: Array) -> float:
    """The error relative to the solution, both in the mean square."""
    u, truth = field(weights)
    return float(np.sqrt(np.mean((u - truth) ** 2) / np.mean(truth**2)))


def runs(row: NDArray[np.int_]) -> Iterator[tuple[int, int, int]]:
    """Yield where each run of equal numbers starts, its length, and the number."""
    ends = [*np.flatnonzero(np.diff(row)) + 1, len(row)]
    for start, end in itertools.pairwise([0, *ends]):
        yield int(start), int(end - start), int(row[start])


def picture(weights: Array, errors: list[tuple[int, float]]) -> str:
    """Draw the network's values as a map, and its error over the steps with a logarithmic scale."""
    u, _ = field(weights, 24)
    cells = "".join(
        f'<rect x="{30 + 10 * j}" y="{250 - 10 * i}" width="{10 * length}" height="10" '
        f'fill="hsl({240 - 10 * level},70%,55%)"/>'
        for i, row in enumerate(np.rint(20.0 * u.clip(0.0, 1.0)).astype(int))
        for j, length, level in runs(row)
    )
    low, high = -4, 1
    marks = "".join(
        f'<line x1="340" x2="640" y1="{y}" y2="{y}" stroke="#ddd"/>'
        f'<text x="332" y="{y + 4}" text-anchor="end">1e{power}</text>'
        for power in range(low, high + 1)
        for y in [20 + 48 * (high - power)]
    )
    last = errors[-1][0]
    line = " ".join(f"{340 + 300 * k / last:.1f},{20 + 48 * (high - np.log10(e)):.1f}" for k, e in errors)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 300" font-family="sans-serif" '
        'font-size="12"><rect width="660" height="300" fill="white"/>'
        f'<g shape-rendering="crispEdges">{cells}</g>{marks}'
        f'<polyline points="{line}" fill="none" stroke="#1667b7" stroke-width="2"/>'
        '<text x="150" y="288" text-anchor="middle">u(x, y) of the network</text>'
        f'<text x="490" y="288" text-anchor="middle">relative error, over {last} steps</text></svg>\n'
    )


def main() -> None:
    options = argparse.ArgumentParser(description="Solve Poisson's equation with a network.")
    options.add_argument("--steps", type=int, default=1500)
    options.add_argument("--size", type=int, default=12, help="points along each side")
    options.add_argument("--output", default="poisson.svg", help="name of the picture")
    given = options.parse_args()
    errors: list[tuple[int, float]] = []
    for step, (value, weights) in enumerate(train(Problem(given.size), start(), given.steps)):
        if step % 20 == 0 or step == given.steps:
            errors.append((step, error(weights)))
        if step % 250 == 0:
            print(f"step {step:5}   loss {value:.3e}   error {errors[-1][1]:.2%}")
    Path(given.output).write_text(picture(weights, errors), encoding="utf-8")
    print(f"error {errors[-1][1]:.2%}; picture in {given.output}")


if __name__ == "__main__":
    main()
