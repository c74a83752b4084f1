"""The examples that use tangents and second derivatives: their texts are up to date and right, and of use.

`--update-golden` writes the texts again. `tests/bind` compares one program with PyTorch.
"""

from __future__ import annotations

import itertools
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from conftest import Golden
from example_kit import EXAMPLES, PROGRAMS, header_command, program
from numpy.typing import NDArray

import s2sad
from s2sad.cli import app

TEXTS = [
    path
    for name in PROGRAMS
    for path in sorted((EXAMPLES / name).glob("*.cu"))
    if path.stem.endswith(("_tan", "_adj"))
]


def given(text: Path) -> list[str]:
    """Return the kernel and the options of the command that wrote a text."""
    words = shlex.split(header_command(text.read_text(encoding="utf-8")))
    assert words[:2] == ["s2sad", "transform"]
    return words[2:]


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_the_command_in_its_header_writes_it(
    text: Path, golden: Golden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(text.parent)
    out = tmp_path / text.name
    assert app.main(["transform", *given(text), "-o", str(out)], standalone_mode=False).status == 0
    golden(text, out.read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_it_is_right(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(text.parent)
    kernel, *words = given(text)
    options = dict(zip(words[::2], words[1::2], strict=True))
    of, wrt = (options[key].split(",") for key in ("--of", "--wrt"))
    report = s2sad.check(
        kernel,
        text.name,
        of=of,
        wrt=wrt,
        mode=options.get("--mode", "joint"),
        directions=int(options.get("--directions", "1")) if "tangent" in words else None,
        tolerance=1e-8,
        backend="cpu",
    )
    assert report.ok, report.text()


# ---- a network that solves Poisson's equation ------------------------------------------


def test_the_network_has_the_laplacian_that_differences_have() -> None:
    train = program("physics_informed/train.py")
    problem, weights = train.Problem(4), train.start()
    inner = problem.x[:16], problem.y[:16]

    def values(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        u = np.zeros_like(x)
        train.network(len(u), x, y, weights, u, len(u))
        return u

    h, (x, y) = 1e-3, inner
    around = values(x + h, y) + values(x - h, y) + values(x, y + h) + values(x, y - h)
    np.testing.assert_allclose(
        problem.laplacian(weights), (around - 4.0 * values(x, y)) / h**2, rtol=1e-3, atol=1e-3
    )


def test_the_loss_on_second_derivatives_has_the_right_gradient() -> None:
    train = program("physics_informed/train.py")
    problem, weights = train.Problem(4), train.start()
    value, slope = problem.loss(weights)
    direction = np.random.default_rng(1).standard_normal(weights.shape)
    h = 1e-5
    there, back = (problem.loss(weights + side * h * direction)[0] for side in (1.0, -1.0))
    assert value > 1.0
    assert slope @ direction == pytest.approx((there - back) / (2 * h), rel=1e-6)


def test_the_network_is_trained() -> None:
    train = program("physics_informed/train.py")
    way = list(train.train(train.Problem(8), train.start(), 150))
    (first, before), (last, after) = way[0], way[-1]
    assert last < 0.05 * first
    assert train.error(after) < 0.15 < train.error(before)
    ElementTree.fromstring(train.picture(after, [(0, 1.0), (150, 0.1)]))


# ---- k-means ---------------------------------------------------------------------------


def test_the_hessian_of_k_means_is_diagonal_and_its_newton_step_is_the_mean() -> None:
    cluster = program("kmeans_newton/cluster.py")
    points = cluster.blobs(60, 3)
    centres, dense = points[:3].copy(), cluster.Dense(points)
    _, slope, diagonal = dense(centres)
    direction = np.random.default_rng(1).standard_normal(centres.shape)
    np.testing.assert_allclose(dense.along(centres, direction)[2], diagonal * direction, rtol=1e-13)
    nearest = np.argmin(((points[:, None] - centres[None]) ** 2).sum(axis=2), axis=1)
    means = np.stack([points[nearest == c].mean(axis=0) for c in range(3)])
    np.testing.assert_allclose(centres - slope / diagonal, means, rtol=1e-12)


def test_sparse_points_have_the_derivatives_that_they_have_as_a_dense_matrix() -> None:
    cluster = program("kmeans_newton/cluster.py")
    start, column, value = cluster.documents(20, 3, 30)
    matrix = np.zeros((20, 30))
    matrix[np.repeat(np.arange(20), np.diff(start)), column] = value
    random = np.random.default_rng(2)
    centres, direction = random.uniform(0.0, 1.0, (3, 30)), random.standard_normal((3, 30))
    dense = cluster.Dense(matrix).along(centres, direction)
    sparse = cluster.Sparse(start, column, value).along(centres, direction)
    for one, other in zip(dense, sparse, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-11)


def test_newton_finds_clusters() -> None:
    cluster = program("kmeans_newton/cluster.py")
    points = cluster.blobs(200, 4)
    values, path = zip(*cluster.newton(cluster.Dense(points), points[:4].copy()), strict=True)
    assert len(values) < 30  # it stops by itself
    assert all(after <= before for before, after in itertools.pairwise(values))
    assert np.max(np.abs(cluster.Dense(points)(path[-1])[1])) < 1e-6
    ElementTree.fromstring(cluster.picture(points, list(path)))


# ---- bundle adjustment -----------------------------------------------------------------


def test_the_blocks_are_the_whole_jacobian() -> None:
    adjust = program("bundle_adjustment/adjust.py")
    scene, truth = adjust.scene(2, 3)
    at = adjust.disturbed(truth, 0.1)
    found = s2sad.jacobian(
        EXAMPLES / "bundle_adjustment" / "reproject.cu",
        of=["error", "weight_error"],
        wrt=["cameras", "points", "weights"],
        grid=1,
        block=8,
        args={
            "cameras": at.cameras,
            "points": at.points,
            "weights": at.weights,
            "camera_of": scene.camera_of,
            "point_of": scene.point_of,
            "seen": scene.seen,
            "error": np.zeros((6, 2)),
            "weight_error": np.zeros(6),
            "observations": 6,
        },
    )
    sizes = {"error": 12, "weight_error": 6}
    rows = [
        np.hstack([found[of, wrt].reshape(size, -1) for wrt in ("cameras", "points", "weights")])
        for of, size in sizes.items()
    ]
    np.testing.assert_allclose(scene.jacobian(at), np.vstack(rows), rtol=1e-12, atol=1e-13)


def test_cameras_and_points_are_adjusted() -> None:
    adjust = program("bundle_adjustment/adjust.py")
    scene, truth = adjust.scene(3, 12)
    costs = [cost for cost, _ in adjust.adjust(scene, adjust.disturbed(truth, 0.03), 20)]
    assert costs[-1] < 1e-8 * costs[0]
    ElementTree.fromstring(adjust.picture(costs))


# ---- Gauss-Newton ----------------------------------------------------------------------


def test_products_with_the_jacobian_and_its_transpose_agree_with_each_other_and_with_differences() -> None:
    invert = program("diffusion_newton/invert.py")
    experiment = invert.Experiment(9, readings=4, every=3)
    random = np.random.default_rng(1)
    log_k, v = random.uniform(-1.0, 0.0, (9, 9)), random.standard_normal((9, 9))
    w = random.standard_normal((4, 41))
    forward, back = experiment.jacobian_times(log_k, v), experiment.transposed_times(log_k, w)
    assert np.vdot(w, forward) == pytest.approx(np.vdot(back, v), rel=1e-12)
    h = 1e-6
    difference = experiment.readings(log_k + h * v) - experiment.readings(log_k - h * v)
    np.testing.assert_allclose(forward, difference / (2 * h), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("chain", ["experiment", "tangent"])
def test_the_chain_and_its_tangent_have_the_right_gradients(chain: str) -> None:
    path = EXAMPLES / "diffusion_newton" / f"{chain}.toml"
    assert app.main(["chain", str(path), "--check"], standalone_mode=False).status == 0


def test_the_conductivity_is_found() -> None:
    invert = program("diffusion_newton/invert.py")
    truth, experiment = invert.plate(9), invert.Experiment(9)
    start = np.full_like(truth, np.log(0.6))
    way = list(invert.gauss_newton(experiment, experiment.readings(np.log(truth)), start, 6, 1e-9))
    values = [value for value, _, _ in way]
    found = np.exp(way[-1][1])
    assert values[-1] < 1e-4 * values[0]
    assert np.mean(abs(found - truth)) < 0.2 * np.mean(abs(0.6 - truth))
    ElementTree.fromstring(invert.picture(truth, found, values))


# ---- as programs -----------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "told", "within"),
    [
        ("physics_informed/train", "error ", 3.0),  # percent
        ("kmeans_newton/cluster", "J ", 2e4),
        ("bundle_adjustment/adjust", "-> ", 1e-15),
        ("diffusion_newton/invert", "conductivity ", 0.02),
    ],
)
def test_the_program_gets_there_and_draws_it(name: str, told: str, within: float, tmp_path: Path) -> None:
    words = [sys.executable, str(EXAMPLES / f"{name}.py"), "--output", "picture.svg"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    number = done.stdout.rpartition(told)[2].split()[0].rstrip("%;")
    assert float(number) < within, done.stdout
    ElementTree.parse(tmp_path / "picture.svg")
