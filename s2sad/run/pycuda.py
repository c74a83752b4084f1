"""A GPU backend through pycuda and nvcc, for machines with the CUDA toolkit; pycuda is imported only here."""

from __future__ import annotations

import atexit
import importlib
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any, SupportsInt

import numpy as np

from ..signature import Signature
from .backend import BackendUnavailable, CompileFailed
from .float_widening import Real
from .gpu import Address, DeviceFailed, GpuModule, Word, cuda_text, has_extern_c, shortened
from .values import Array, Extent


def installed() -> bool:
    """Whether pycuda is installed."""
    return find_spec("pycuda") is not None


@cache
def driver() -> ModuleType:
    """Return pycuda's driver with a device and a current context. Raises BackendUnavailable."""
    if not installed():
        raise BackendUnavailable("pycuda is not installed: pip install 's2sad[pycuda]', which needs nvcc")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pycuda guesses a cause, usually the wrong one
            found = importlib.import_module("pycuda.driver")
    except ImportError as error:
        raise BackendUnavailable(f"pycuda can't load the CUDA driver (libcuda): {error}") from error
    try:
        found.init()
        found.Device(0).retain_primary_context().push()
        atexit.register(found.Context.pop)
    except found.Error as error:
        raise BackendUnavailable(f"pycuda finds no CUDA device: {error}") from error
    return found


class PycudaBackend:
    """Implements backend.Backend."""

    name = "cuda"

    def __init__(self) -> None:
        self._driver = driver()

    @property
    def about(self) -> str:
        return f"pycuda with nvcc: {self._driver.Device(0).name()}"

    def compile(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        quick: bool = False,
    ) -> GpuModule:
        compiler = importlib.import_module("pycuda.compiler")
        source = cuda_text(text, real, name)
        try:
            module = compiler.SourceModule(source, no_extern_c=has_extern_c(text), options=["-std=c++17"])
        except self._driver.CompileError as error:
            shown = shortened(str(error.stderr or error))
            raise CompileFailed(f"{name} doesn't compile with nvcc:\n{shown}") from error
        except self._driver.Error as error:
            raise CompileFailed(f"{name} can't be loaded onto the GPU: {error}") from error
        except Exception as error:
            if type(error).__name__ == "ExecError" or isinstance(error, OSError):
                raise BackendUnavailable("pycuda needs nvcc in PATH: install the CUDA toolkit") from error
            raise
        return GpuModule(PycudaLoaded(self._driver, module), text, signatures, real, name)


class PycudaLoaded:
    """Implements gpu.Loaded."""

    def __init__(self, driver: ModuleType, module: Any) -> None:
        self._driver = driver
        self._module = module

    def allocate(self, size: int) -> SupportsInt:
        with self._failing():
            place: SupportsInt = self._driver.mem_alloc(size)
        return place

    def write(self, place: SupportsInt, array: Array) -> None:
        with self._failing():
            self._driver.memcpy_htod(place, array)

    def read(self, array: Array, place: SupportsInt) -> None:
        with self._failing():
            self._driver.memcpy_dtoh(array, place)

    def run(self, kernel: str, grid: Extent, block: Extent, words: Sequence[Word], shared_bytes: int) -> None:
        with self._failing():
            function = self._module.get_function(kernel)
            # prepared, because pycuda's plain call confuses int32(2) with float32(2)
            function.prepare([_format(word) for word in words])
            given = [word.tobytes() if isinstance(word, np.void) else word for word in words]
            function.prepared_call(grid, block, *given, shared_size=shared_bytes)
            self._driver.Context.synchronize()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except self._driver.Error as error:
            raise DeviceFailed(str(error)) from error


def _format(word: Word) -> str:
    """Return the format character of a prepared call's argument, as in the module struct."""
    if isinstance(word, Address):
        return "P"
    return f"{word.itemsize}s" if isinstance(word, np.void) else str(word.dtype.char)
