"""Bundle adjustment by Levenberg and Marquardt: cameras, points and weights from where points were seen.

Each observation is an error of two numbers that depends on 15: its camera's eleven, its point's three and
its weight. So the Jacobian is a block of 2 x 15 for each, and one launch of the tangent kernel gives all
blocks. It carries 15 directions; one along a parameter of *all* cameras gives that column of every block.

    python adjust.py                a few seconds; writes adjustment.svg
    python adjust.py --help
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from s2sad.engine import Kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int32]

HERE = Path(__file__).parent
CAMERA = 11
DIRECTIONS = CAMERA + 3 + 1  # of reproject_tan.cu
BLOCK = 64


@dataclass(frozen=True)
class Unknowns:
    """What is adjusted."""

    cameras: Array  # eleven numbers each
    points: Array
    weights: Array  # of observations

    def moved(self, step: Array) -> Unknowns:
        """Add a step, which has all numbers in a row."""
        parts = np.split(step, np.cumsum([self.cameras.size, self.points.size]))
        new = [
            old + part.reshape(old.shape)
            for old, part in zip((self.cameras, self.points, self.weights), parts, strict=True)
        ]
        return Unknowns(*new)


class Scene:
    """Which camera saw which point, and where."""

    def __init__(self, camera_of: Integers, point_of: Integers, seen: Array) -> None:
        self.camera_of, self.point_of, self.seen = camera_of, point_of, seen
        self.count = len(camera_of)
        self._primal = Kernels(HERE / "reproject.cu", "reproject")
        self._tangent = Kernels(HERE / "reproject_tan.cu", "reproject_tan")

    def errors(self, at: Unknowns) -> tuple[Array, Array]:
        """The two errors of each observation, and that of its weight."""
        error, weight_error = np.zeros((self.count, 2)), np.zeros(self.count)
        fixed = self.camera_of, self.point_of, self.seen
        args = (at.cameras, at.points, at.weights, *fixed, error, weight_error)
        self._launch(self._primal, "reproject", *args)
        return error, weight_error

    def blocks(self, at: Unknowns) -> tuple[Array, Array]:
        """The Jacobian: a block of 2 x 15 for each observation; and the slope of its weight's error."""
        along_cameras = np.zeros((*at.cameras.shape, DIRECTIONS))
        along_points = np.zeros((*at.points.shape, DIRECTIONS))
        along_weights = np.zeros((*at.weights.shape, DIRECTIONS))
        along_cameras[:, np.arange(CAMERA), np.arange(CAMERA)] = 1.0
        along_points[:, np.arange(3), CAMERA + np.arange(3)] = 1.0
        along_weights[:, -1] = 1.0
        error, blocks = np.zeros((self.count, 2)), np.zeros((self.count, 2, DIRECTIONS))
        weight_error, slopes = np.zeros(self.count), np.zeros((self.count, DIRECTIONS))
        moved = at.cameras, along_cameras, at.points, along_points, at.weights, along_weights
        fixed = self.camera_of, self.point_of, self.seen
        self._launch(self._tangent, "reproject_tan", *moved, *fixed, error, blocks, weight_error, slopes)
        return blocks, slopes[:, -1]

    def _launch(self, kernels: Kernels, name: str, *arrays: Array | Integers) -> None:
        grid = (-(-self.count // BLOCK), 1, 1)
        addresses = [array.ctypes.data for array in arrays]
        kernels.launch(name, grid, (BLOCK, 1, 1), 0, *addresses, self.count)

    def jacobian(self, at: Unknowns) -> Array:
        """All errors by all unknowns; the blocks are where they belong. Small scenes only: it is dense."""
        blocks, slopes = self.blocks(at)
        rows = np.arange(2 * self.count).reshape(-1, 2, 1)
        points, weights = at.cameras.size, at.cameras.size + at.points.size
        columns = np.concatenate(
            [
                CAMERA * self.camera_of[:, None] + np.arange(CAMERA),
                points + 3 * self.point_of[:, None] + np.arange(3),
                weights + np.arange(self.count)[:, None],
            ],
            axis=1,
        )[:, None, :]
        dense = np.zeros((3 * self.count, weights + self.count))
        dense[rows, columns] = blocks
        own = np.arange(self.count)
        dense[2 * self.count + own, weights + own] = slopes
        return dense

    def residuals(self, at: Unknowns) -> Array:
        error, weight_error = self.errors(at)
        return np.concatenate([error.ravel(), weight_error])


def adjust(scene: Scene, at: Unknowns, steps: int) -> Iterator[tuple[float, Unknowns]]:
    """Yield half the squared errors, and the unknowns, of each step of Levenberg's and Marquardt's method."""
    damping = 1e-3
    left = scene.residuals(at)
    cost = 0.5 * float(left @ left)
    yield cost, at
    for _ in range(steps):
        jacobian = scene.jacobian(at)
        normal, slope = jacobian.T @ jacobian, jacobian.T @ left
        for _ in range(12):
            damped = normal + damping * np.diag(np.diag(normal) + 1e-9)
            tried = at.moved(np.asarray(-np.linalg.solve(damped, slope), np.float64))
            left_there = scene.residuals(tried)
            cost_there = 0.5 * float(left_there @ left_there)
            if cost_there < cost:
                break
            damping *= 4.0
        else:
            return
        at, left, cost, damping = tried, left_there, cost_there, damping / 5.0
        yield cost, at
        if cost < 1e-20 * len(left):  # the errors are rounding errors
            return


def scene(cameras: int, points: int, seed: int = 1) -> tuple[Scene, Unknowns]:
    """Cameras around a cloud of points that all of them see, and the unknowns that explain it."""
    random = np.random.default_rng(seed)
    cloud = random.uniform(-1.0, 1.0, (points, 3))
    true = np.zeros((cameras, CAMERA))
    for camera, angle in zip(true, np.linspace(-0.8, 0.8, cameras), strict=True):
        camera[:3] = 0.1 * random.normal(size=3) + [0.0, angle, 0.0]
        camera[3:6] = 5.0 * np.array([np.sin(angle), 0.0, -np.cos(angle)])
        camera[6:] = 1.0 + 0.1 * random.normal(), *(0.05 * random.normal(size=2)), 0.05, -0.02
    camera_of, point_of = (a.ravel().astype(np.int32) for a in np.indices((cameras, points)))
    explained = Unknowns(true, cloud, np.ones(cameras * points))
    blank = Scene(camera_of, point_of, np.zeros((cameras * points, 2)))
    seen, _ = blank.errors(explained)
    return Scene(camera_of, point_of, seen), explained


def disturbed(truth: Unknowns, by: float, seed: int = 2) -> Unknowns:
    random = np.random.default_rng(seed)
    cameras, points = (a + by * random.normal(size=a.shape) for a in (truth.cameras, truth.points))
    return Unknowns(cameras, points, truth.weights)


def picture(costs: list[float]) -> str:
    """Draw the cost over the steps, with a logarithmic scale."""
    powers = np.log10(np.maximum(costs, 1e-30))
    low, high = int(np.floor(powers.min())), int(np.ceil(powers.max()))
    marks = "".join(
        f'<line x1="60" x2="580" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        f'<text x="52" y="{y + 4:.1f}" text-anchor="end">1e{power}</text>'
        for power in range(low, high + 1, max(1, (high - low) // 8))
        for y in [20 + 240 * (high - power) / (high - low)]
    )
    places = [
        (60 + 520 * k / (len(costs) - 1), 20 + 240 * (high - power) / (high - low))
        for k, power in enumerate(powers)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 300" font-family="sans-serif" '
        f'font-size="12"><rect width="600" height="300" fill="white"/>{marks}'
        f'<polyline points="{line}" fill="none" stroke="#1667b7" stroke-width="2"/>'
        f'<text x="320" y="286" text-anchor="middle">cost, over {len(costs) - 1} steps</text></svg>\n'
    )


def main() -> None:
    options = argparse.ArgumentParser(description="Adjust cameras and points to where points were seen.")
    options.add_argument("--cameras", type=int, default=5)
    options.add_argument("--points", type=int, default=30)
    options.add_argument("--steps", type=int, default=25)
    options.add_argument("--disturbed", type=float, default=0.03, help="how far off the start is")
    options.add_argument("--output", default="adjustment.svg", help="name of the picture")
    given = options.parse_args()
    saw, truth = scene(given.cameras, given.points)
    costs = []
    for step, (cost, _) in enumerate(adjust(saw, disturbed(truth, given.disturbed), given.steps)):
        costs.append(cost)
        print(f"step {step:2}   cost {cost:.3e}")
    Path(given.output).write_text(picture(costs), encoding="utf-8")
    print(f"cost {costs[0]:.3e} -> {costs[-1]:.3e}; picture in {given.output}")


if __name__ == "__main__":
    main()
