"""The module for CuPy, run on the CPU: a stand-in for cupy has numpy's arrays and the engine's kernels."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bind_kit import FOLDER, run

from s2sad.engine import Kernels


class RawModule:
    """cupy.RawModule, with kernels that the engine compiles."""

    def __init__(self, code: str, options: tuple[str, ...], name_expressions: tuple[str, ...]) -> None:
        assert options == ("--std=c++17",)
        self._file = Path(STAND_IN_FOLDER[0], f"{name_expressions[0]}.cu")
        self._file.write_text(code)
        self._kernels = Kernels(self._file, *name_expressions)

    def get_function(self, name: str) -> Any:
        def launch(grid: Any, block: Any, args: tuple[Any, ...], shared_mem: int) -> None:
            words = [a.ctypes.data if isinstance(a, np.ndarray) else a.item() for a in args]
            self._kernels.launch(name, grid, block, shared_mem, *words)

        return launch


STAND_IN_FOLDER: list[Path] = []


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cupy = types.ModuleType("cupy")
    for name in ("ndarray", "zeros", "asarray", "linspace", "ascontiguousarray"):
        setattr(cupy, name, getattr(np, name))
    cupy.RawModule = RawModule  # type: ignore[attr-defined]
    cupy.cuda = types.SimpleNamespace(is_available=lambda: True)  # type: ignore[attr-defined]
    STAND_IN_FOLDER[:] = [tmp_path]
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    for name in [name for name in sys.modules if name.startswith("on_the_cpu")]:
        del sys.modules[name]


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("kernel", ["histogram", "relax"])
def test_the_module_passes_its_own_test(
    kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / f"on_the_cpu_{kernel}"
    status, said = run(capsys, str(FOLDER / f"{kernel}.cu"), "--cupy", "-o", str(made))
    assert status == 0, said
    module = importlib.import_module(f"on_the_cpu_{kernel}.test_{kernel}")
    module.test_the_gradient_is_that_of_differences()


@pytest.mark.usefixtures("stand_in")
def test_messages_name_the_argument(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _ = run(capsys, str(FOLDER / "relax.cu"), "--cupy", "-o", str(tmp_path / "on_the_cpu"))
    assert status == 0
    relax = importlib.import_module("on_the_cpu").relax
    u = np.zeros(6, np.float32)
    for given, said in (
        ((u, u.astype("f8"), 1), "w has float64, expected float32"),
        ((u[::2], u[:3], 1), "u isn't contiguous"),
        ((u, u[:3], 1), "w has shape"),
        ((u.astype("i4"), u, 1), "no kernel for int32"),
    ):
        with pytest.raises((TypeError, ValueError, NotImplementedError), match=said):
            relax(*given)
