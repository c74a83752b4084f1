"""Bindings in their frameworks: the tests that `s2sad bind` writes, and a training.

`tests/bindings.sh` runs these, in an environment with PyTorch and JAX. Elsewhere they are left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from bind_kit import ACC, COMMITTED, FOLDER, SCALED, SETTLED, TWO, bound, run

pytestmark = pytest.mark.bindings

ROOT = FOLDER.parents[1]


def needs(framework: str) -> None:
    """Leave a test out, and say so, if a framework is missing."""
    if find_spec(framework) is None:
        pytest.skip(f"{framework} is missing: pip install 's2sad[{framework}]'")


def own_tests(package: str, folder: Path) -> str:
    """Run the tests in a package, without this repository's settings; return what failed."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-c",
        os.devnull,
        "--rootdir",
        folder,
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        [*words, "--show-capture=no", package],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.parametrize("package", [name for name in COMMITTED if name.endswith(("_torch", "_jax"))])
def test_a_committed_package_passes_its_own_tests(package: str) -> None:
    needs(package.rpartition("_")[2])
    assert own_tests(package, FOLDER) == ""


@pytest.mark.parametrize("kernel", ["histogram", "relax"])
def test_functions_of_jax_pass_their_own_tests(
    kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs("jax")
    status, said = run(capsys, str(FOLDER / f"{kernel}.cu"), "--jax", "-o", str(tmp_path / "made"))
    assert status == 0, said
    assert own_tests("made", tmp_path) == ""


@pytest.mark.parametrize("target", ["torch", "jax"])
@pytest.mark.parametrize(
    ("text", "words"),
    [(TWO, ("--of", "out", "--wrt", "a,scale")), (ACC, ("--of", "p,v,energy", "--wrt", "p,v,dt"))],
    ids=["two", "acc"],
)
def test_kernels_with_every_role_pass_their_own_tests(
    target: str, text: str, words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs(target)
    bound(capsys, text, tmp_path, f"--{target}", *words)
    assert own_tests("made", tmp_path) == ""


@pytest.mark.parametrize("text", [SCALED, SETTLED], ids=["scaled", "settled"])
def test_kernels_with_accessors_pass_their_own_tests(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs("torch")
    bound(capsys, text, tmp_path, "--torch")
    assert own_tests("made", tmp_path) == ""


def test_a_gradient_is_computed_by_the_operator_or_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seed may be missing. What isn't in --wrt may require a gradient only where none is recorded."""
    needs("torch")
    bound(capsys, TWO, tmp_path, "--torch", "--of", "out", "--wrt", "a")
    monkeypatch.syspath_prepend(str(tmp_path))
    import torch
    from made import two

    a, b = torch.randn(3, 4), torch.randn(3, 4)

    class Dropped(torch.autograd.Function):
        """Passes a value on, and no gradient back."""

        @staticmethod
        def forward(ctx: object, value: torch.Tensor) -> torch.Tensor:
            return value.clone()

        @staticmethod
        def backward(ctx: object, grad: torch.Tensor) -> None:
            return None

    a.requires_grad_()
    out, _big = two(a, b, 2.0, 0.5)
    assert torch.autograd.grad(out.sum(), a, retain_graph=True)[0].abs().sum() > 0
    assert torch.autograd.grad(Dropped.apply(out).sum(), a, allow_unused=True)[0] is None
    b.requires_grad_()
    with torch.no_grad():
        assert torch.equal(two(a, b, 2.0, 0.5)[0], out)
    with pytest.raises(RuntimeError, match="b requires a gradient, and this binding has none for it"):
        two(a, b, 2.0, 0.5)


def test_a_network_learns_with_the_operator(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("torch")
    monkeypatch.syspath_prepend(str(FOLDER))
    import train

    losses = train.train()
    assert len(losses) == 200
    assert losses[-1] < losses[0] / 50


def test_cmake_builds_the_library_and_its_test_passes(tmp_path: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cmake is missing")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for words in (
        ["-S", str(FOLDER / "relax_cpp"), "-B", str(tmp_path), f"-DPython3_EXECUTABLE={sys.executable}"],
        ["--build", str(tmp_path)],
    ):
        subprocess.run(["cmake", *words], env=environment, check=True, capture_output=True)
    done = subprocess.run(["ctest", "--test-dir", str(tmp_path)], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
