"""Find the conductivity of a plate by Gauss and Newton's method, from temperatures that sensors measured.

The misfit is half of |r|^2, of r = what a plate with this conductivity would show, minus the readings. A step
solves J^T J d = -J^T r (damped, and with a small penalty) by conjugate gradients, which need only products:
J v is a run of the tangent kernels through all time steps (tangent.toml), J^T w the gradient of the chain
(experiment.toml) with w as its seed. J itself, thousands of rows and hundreds of columns, is never computed.

    python invert.py                some seconds; writes conductivity.svg: truth and result
    python invert.py --help
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

import s2sad

Array = NDArray[np.float64]

EXPERIMENT, TANGENT = (
    s2sad.Chain.from_toml(Path(__file__).with_name(f"{name}.toml")) for name in ("experiment", "tangent")
)


class Experiment:
    """A plate that starts with a pattern of hot cells, and sensors in every second cell.

    Conductivities are given by their logarithms, so every step leaves them positive.
    """

    def __init__(self, size: int, readings: int = 10, every: int = 6) -> None:
        row, column = np.indices((size, size))
        self.size = size
        self._args: dict[str, ArrayLike] = {
            "u": ((row // 3 + column // 3) % 2 == 0).astype(np.float64),
            "sensors": np.flatnonzero((row + column) % 2 == 0).astype(np.int32),
            "count": int(np.sum((row + column) % 2 == 0)),
            "width": size,
            "height": size,
            "readings": readings,
            "every": every,
        }

    def readings(self, log_k: Array) -> Array:
        return np.asarray(EXPERIMENT.run({**self._args, "k": np.exp(log_k)})["seen"], np.float64)

    def jacobian_times(self, log_k: Array, v: Array) -> Array:
        """J v: how the readings change along v."""
        k = np.exp(log_k)
        return np.asarray(TANGENT.run({**self._args, "k": k, "tan_k": k * v})["tan_seen"], np.float64)

    def transposed_times(self, log_k: Array, w: Array) -> Array:
        """J^T w: the gradient of the sum of w times readings."""
        k = np.exp(log_k)
        slope = EXPERIMENT.gradient({**self._args, "k": k}, seeds={"seen": w}).gradients["k"]
        return np.asarray(k * slope, np.float64)


def conjugate_gradients(
    times: Callable[[Array], Array], right: Array, within: float, most: int
) -> tuple[Array, int]:
    """Solve A d = right for a symmetric positive matrix; also return how many products that took."""
    found, left = np.zeros_like(right), right.copy()
    direction = left.copy()
    square = first = float(np.vdot(left, left))
    for product in range(most):
        if square <= within**2 * first:
            return found, product
        turned = times(direction)
        length = square / float(np.vdot(direction, turned))
        found, left = found + length * direction, left - length * turned
        before, square = square, float(np.vdot(left, left))
        direction = left + square / before * direction
    return found, most


def gauss_newton(
    experiment: Experiment, measured: Array, start: Array, steps: int, penalty: float
) -> Iterator[tuple[float, Array, int]]:
    """Yield the objective, the logarithms and the products of each step.

    The objective is the misfit plus a penalty for being far from the start, without which conductivities that
    the readings hardly depend on would follow the readings' errors. Steps are damped (Levenberg), less and
    less.
    """

    def objective(at: Array) -> tuple[float, Array]:
        wrong = experiment.readings(at) - measured
        return 0.5 * (float(np.sum(wrong**2)) + penalty * float(np.sum((at - start) ** 2))), wrong

    log_k, damping, tries = start, 1e-2, 0
    value, wrong = objective(log_k)
    yield value, log_k, 0
    while steps > 0 and tries < 8:

        def times(v: Array, at: Array = log_k, more: float = penalty + damping) -> Array:
            return experiment.transposed_times(at, experiment.jacobian_times(at, v)) + more * v

        slope = experiment.transposed_times(log_k, wrong) + penalty * (log_k - start)
        step, products = conjugate_gradients(times, -slope, within=0.01, most=80)
        there, wrong_there = objective(log_k + step)
        if there >= value:
            damping, tries = 10.0 * damping, tries + 1
            continue
        log_k, value, wrong = log_k + step, there, wrong_there
        damping, tries, steps = 0.1 * damping, 0, steps - 1
        yield value, log_k, products


def plate(size: int) -> Array:
    """The conductivity that is to be found: a good conductor with a badly conducting inlay."""
    row, column = np.mgrid[0:size, 0:size] / (size - 1.0)
    bar = (abs(row - 0.3) < 0.12) & (abs(column - 0.5) < 0.33)
    disc = (row - 0.7) ** 2 + (column - 0.35) ** 2 < 0.17**2
    return np.where(bar | disc, 0.25, 0.8)


def runs(row: NDArray[np.int_]) -> Iterator[tuple[int, int, int]]:
    """Yield where each run of equal numbers starts, its length, and the number."""
    ends = [*np.flatnonzero(np.diff(row)) + 1, len(row)]
    for start, end in itertools.pairwise([0, *ends]):
        yield int(start), int(end - start), int(row[start])


def picture(truth: Array, found: Array, values: list[float]) -> str:
    """Draw truth and result beside each other, and the objective over the steps with a logarithmic scale."""
    side = 200 // len(truth)

    def cells(values: Array, left: int) -> str:
        return "".join(
            f'<rect x="{left + side * j}" y="{30 + side * i}" width="{side * length}" height="{side}" '
            f'fill="hsl(30,60%,{95 - 2 * level}%)"/>'
            for i, row in enumerate(np.rint(40.0 * values.clip(0.0, 1.0)).astype(int))
            for j, length, level in runs(row)
        )

    powers = np.log10(values)
    low, high = int(np.floor(powers.min())), int(np.ceil(powers.max()))
    marks = "".join(
        f'<line x1="500" x2="720" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        f'<text x="494" y="{y + 4:.1f}" text-anchor="end">1e{power}</text>'
        for power in range(low, high + 1, max(1, (high - low) // 6))
        for y in [30 + 200 * (high - power) / (high - low)]
    )
    line = " ".join(
        f"{500 + 220 * k / (len(values) - 1):.1f},{30 + 200 * (high - power) / (high - low):.1f}"
        for k, power in enumerate(powers)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 260" font-family="sans-serif" '
        'font-size="12"><rect width="740" height="260" fill="white"/>'
        f'<g shape-rendering="crispEdges">{cells(truth, 10)}{cells(found, 230)}</g>{marks}'
        f'<polyline points="{line}" fill="none" stroke="#1667b7" stroke-width="2"/>'
        '<text x="110" y="20" text-anchor="middle">conductivity</text>'
        '<text x="330" y="20" text-anchor="middle">found</text>'
        f'<text x="610" y="20" text-anchor="middle">objective, over {len(values) - 1} steps</text></svg>\n'
    )


def main() -> None:
    options = argparse.ArgumentParser(description="Find the conductivity of a plate by Gauss-Newton steps.")
    options.add_argument("--size", type=int, default=20, help="cells along each side")
    options.add_argument("--steps", type=int, default=8)
    options.add_argument("--noise", type=float, default=0.0, help="standard deviation of a reading's error")
    options.add_argument("--output", default="conductivity.svg", help="name of the picture")
    given = options.parse_args()
    truth, experiment = plate(given.size), Experiment(given.size)
    measured = experiment.readings(np.log(truth))
    measured = measured + given.noise * np.random.default_rng(0).standard_normal(measured.shape)
    start = np.full_like(truth, np.log(0.6))
    penalty = max(10.0 * given.noise**2, 1e-9)
    way: list[tuple[float, Array]] = []
    for value, log_k, products in gauss_newton(experiment, measured, start, given.steps, penalty):
        print(f"step {len(way):2}   objective {value:.3e}   products {products:3}")
        way.append((value, log_k))
    result = np.exp(way[-1][1])
    values = [value for value, _ in way]
    Path(given.output).write_text(picture(truth, result, values), encoding="utf-8")
    print(f"mean error of the conductivity {np.mean(abs(result - truth)):.2e}; picture in {given.output}")


if __name__ == "__main__":
    main()
