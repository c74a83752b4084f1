"""Cluster points by Newton's method, with a gradient and a Hessian's diagonal from second-order kernels.

J is the sum of the squared distances of points from their nearest centres. A Newton step needs its gradient
and its Hessian, and one launch gives both: the tangent of the adjoint returns the gradient and the Hessian
times a direction. This Hessian is diagonal, so the direction of ones gives all of it.

    python cluster.py               a few seconds; writes clusters.svg, and clusters sparse points too
    python cluster.py --help
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from s2sad.engine import Kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int32]
Parts = tuple[float, Array, Array]  # a value, its gradient, and its Hessian's diagonal

BLOCK = 64


class Kernel:
    """A kernel from a file, launched on the CPU with one thread for each of so many points."""

    def __init__(self, file: str, name: str = "") -> None:
        self._name = name or file
        self._kernels = Kernels(Path(__file__).with_name(f"{file}.cu"), self._name)

    def __call__(self, threads: int, *args: Array | Integers | int) -> None:
        words = [arg.ctypes.data if isinstance(arg, np.ndarray) else arg for arg in args]
        self._kernels.launch(self._name, (-(-threads // BLOCK), 1, 1), (BLOCK, 1, 1), 0, *words)


kmeans_dense, kmeans_dense_adj_tan = Kernel("kmeans_dense"), Kernel("kmeans_dense_adj_tan")
kmeans_sparse, kmeans_sparse_adj_tan = Kernel("kmeans_sparse"), Kernel("kmeans_sparse_adj_tan")
centre_norms_tan, centre_norms_adj_tan = Kernel("centre_norms_tan"), Kernel("centre_norms_adj_tan")


class Dense:
    """Points as a matrix."""

    def __init__(self, points: Array) -> None:
        self.points = np.ascontiguousarray(points)

    def __call__(self, centres: Array) -> Parts:
        return self.along(centres, np.ones_like(centres))

    def along(self, centres: Array, direction: Array) -> Parts:
        """J, its gradient, and its Hessian times a direction."""
        (n, dims), k = self.points.shape, len(centres)
        cost, slope, product = np.zeros(n), np.zeros_like(centres), np.zeros_like(centres)
        seed, fixed = np.ones(n), np.zeros(n)  # J is the sum of all costs, whatever the centres are
        kmeans_dense(n, self.points, centres, cost, n, k, dims)
        kmeans_dense_adj_tan(
            n, self.points, centres, direction, slope, product, np.zeros(n), seed, fixed, n, k, dims
        )
        return float(cost.sum()), slope, product


class Sparse:
    """Points as rows of a sparse matrix (CSR): where each starts, and the columns and values of its entries.

    Two kernels: one for the norms of the centres, one for the distances. Adjoints and their tangents go back
    through both together.
    """

    def __init__(self, start: Integers, column: Integers, value: Array) -> None:
        self.rows = start, column, value

    def __call__(self, centres: Array) -> Parts:
        return self.along(centres, np.ones_like(centres))

    def along(self, centres: Array, direction: Array) -> Parts:
        """J, its gradient, and its Hessian times a direction."""
        n, (k, dims) = len(self.rows[0]) - 1, centres.shape
        norm, tan_norm = np.zeros(k), np.zeros(k)
        centre_norms_tan(k, centres, direction, norm, tan_norm, k, dims)
        cost, slope, product = np.zeros(n), np.zeros_like(centres), np.zeros_like(centres)
        kmeans_sparse(n, *self.rows, centres, norm, cost, n, k, dims)
        adj_norm, tan_adj_norm = np.zeros(k), np.zeros(k)
        of_centres = centres, direction, slope, product
        of_norm = norm, tan_norm, adj_norm, tan_adj_norm
        seed, fixed = np.ones(n), np.zeros(n)
        kmeans_sparse_adj_tan(n, *self.rows, *of_centres, *of_norm, np.zeros(n), seed, fixed, n, k, dims)
        centre_norms_adj_tan(k, *of_centres, np.zeros(k), adj_norm, tan_adj_norm, k, dims)
        return float(cost.sum()), slope, product


def newton(parts: Callable[[Array], Parts], centres: Array, most: int = 50) -> Iterator[tuple[float, Array]]:
    """Yield J and the centres of each step, until the gradient is zero.

    A centre that is nearest to no point has no curvature, and stays.
    """
    for _ in range(most):
        value, slope, curvature = parts(centres)
        yield value, centres
        if np.max(np.abs(slope)) <= 1e-9 * np.max(curvature):
            return
        centres = centres - np.divide(slope, curvature, out=np.zeros_like(slope), where=curvature > 0.0)


def blobs(n: int, k: int, seed: int = 3) -> Array:
    """Points in the plane around k places."""
    random = np.random.default_rng(seed)
    places = random.uniform(0.0, 10.0, (k, 2))
    return places[random.integers(k, size=n)] + random.normal(0.0, 0.6, (n, 2))


def documents(n: int, k: int, words: int, seed: int = 4) -> tuple[Integers, Integers, Array]:
    """Rows of word counts: those of a topic share words that others hardly have."""
    random = np.random.default_rng(seed)
    topics = random.dirichlet(np.full(words, 0.03), size=k)
    rows = np.stack([random.multinomial(40, topics[random.integers(k)]) for _ in range(n)])
    start = np.concatenate([[0], np.cumsum((rows > 0).sum(axis=1))]).astype(np.int32)
    return start, np.nonzero(rows)[1].astype(np.int32), rows[rows > 0].astype(np.float64)


def picture(points: Array, path: list[Array]) -> str:
    """Draw the points, and the way of each centre from where it started."""

    def at(place: Array) -> tuple[float, float]:
        return round(40 + 40 * float(place[0]), 1), round(440 - 40 * float(place[1]), 1)

    last = path[-1]
    nearest = np.argmin(((points[:, None] - last[None]) ** 2).sum(axis=2), axis=1)
    dots = "".join(
        f'<circle cx="{x}" cy="{y}" r="2" fill="hsl({360 * own // len(last)},60%,65%)"/>'
        for (x, y), own in zip(map(at, points), nearest, strict=True)
    )
    lines = ""
    for c in range(len(last)):
        way = [at(centres[c]) for centres in path]
        line = " ".join(f"{x},{y}" for x, y in way)
        lines += (
            f'<polyline points="{line}" fill="none" stroke="black" stroke-width="1.5"/>'
            f'<circle cx="{way[-1][0]}" cy="{way[-1][1]}" r="4"/>'
        )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480">'
        f'<rect width="480" height="480" fill="white"/>{dots}{lines}</svg>\n'
    )


def main() -> None:
    options = argparse.ArgumentParser(description="Cluster points by Newton's method.")
    options.add_argument("--points", type=int, default=500)
    options.add_argument("--clusters", type=int, default=6)
    options.add_argument("--output", default="clusters.svg", help="name of the picture")
    given = options.parse_args()
    points = blobs(given.points, given.clusters)
    path = []
    for step, (value, centres) in enumerate(newton(Dense(points), points[: given.clusters].copy())):
        path.append(centres)
        print(f"dense: step {step:2}   J {value:.6e}")
    Path(given.output).write_text(picture(points, path), encoding="utf-8")

    words = 200
    rows = documents(given.points, given.clusters, words)
    random = np.random.default_rng(0)
    for step, (value, _) in enumerate(newton(Sparse(*rows), random.uniform(0, 1, (given.clusters, words)))):
        print(f"sparse: step {step:2}   J {value:.6e}")
    print(f"picture in {given.output}")


if __name__ == "__main__":
    main()
