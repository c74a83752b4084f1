"""Bindings in their frameworks: the tests that `s2sad bind` writes, a training, and the cost of a call.

`tests/bindings.sh` runs these, in an environment with PyTorch and JAX. Elsewhere they are left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
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


def test_the_cost_of_a_call_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """This measures, and judges nothing: a shared machine would decide."""
    needs("torch")
    monkeypatch.syspath_prepend(str(FOLDER))
    import torch
    from bias_gelu_torch import bias_gelu, engines

    x, bias, seed = torch.randn(24, 12), torch.randn(12), torch.ones(24, 12)
    inputs = x.clone().requires_grad_(), bias.clone().requires_grad_()
    engine = engines.of(x.device, x.dtype)

    def through_the_operator() -> None:
        torch.autograd.grad(bias_gelu(*inputs), inputs, seed)

    def directly() -> None:
        y, adj_x, adj_bias = torch.zeros(24, 12), torch.zeros(24, 12), torch.zeros(12)
        engine.launch("bias_gelu", (2, 1, 1), (256, 1, 1), 0, x, bias, y, 288, 12)
        words = (x, adj_x, bias, adj_bias, None, seed, 288, 12)
        engine.launch("bias_gelu_adj", (2, 1, 1), (256, 1, 1), 0, *words)

    one, other = least(through_the_operator), least(directly)
    with capsys.disabled():
        print(f"\na gradient: {one:.0f} us through the operator, {other:.0f} us directly")


def least(call: Callable[[], None], times: int = 300) -> float:
    """Return the least time of a call, in microseconds of this process."""
    best = float("inf")
    for _ in range(10):
        start = time.process_time()
        for _ in range(times):
            call()
        best = min(best, (time.process_time() - start) / times)
    return best * 1e6
