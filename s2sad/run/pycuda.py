"""The GPU backend, through pycuda, which is imported only here and only if the backend is requested."""

from __future__ import annotations

import atexit
import importlib
import warnings
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np

from ..signature import Signature
from .backend import BackendUnavailable, CompileFailed, LaunchFailed, Module
from .cpu import CpuBackend
from .doubles import HELPERS, double_name
from .float_widening import Real, to_double, tokens
from .halves import used
from .structs import packed as struct_packed
from .structs import pointing, struct_type
from .values import Extent, Order, Value, dtype

NOT_INSTALLED = "pycuda is not installed: pip install s2sad[cuda]"
_LINES_OF_A_MESSAGE = 12


@cache
def driver() -> ModuleType:
    """Return pycuda's driver with a device and a current context. Raises BackendUnavailable."""
    if find_spec("pycuda") is None:
        raise BackendUnavailable(NOT_INSTALLED)
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


def cuda_text(text: str, real: Real, name: str) -> str:
    """Return the text for nvcc, with `float` as `real`; messages have the text's own line numbers.

    Raises CompileFailed for half-precision types that nvcc and numpy arrays don't both have.
    """
    parts = list(tokens(text))
    half = used(parts)
    if half and (real != "float" or any("bfloat16" in t.text for t in parts if t.kind == "name")):
        why = "numpy has no bfloat16" if real == "float" else "nvcc has no half precision that is a double"
        raise CompileFailed(f"{name}: {why}; use the cpu backend")
    quoted = name.replace("\\", "/").replace('"', "'").replace("\n", " ")
    head = HELPERS if real == "double" else ""
    if half:  # the text may be a kernel alone, without its includes
        head += '\nextern "C++" {\n#include <cuda_fp16.h>\n}'
    return f'{head}\n#line 1 "{quoted}"\n{to_double(text, double_name) if real == "double" else text}'


def has_extern_c(text: str) -> bool:
    """Whether the text contains `extern "C"`; else pycuda has to add it."""
    solid = [token.text for token in tokens(text) if token.kind not in ("space", "comment")]
    return any(a == "extern" and b == '"C"' for a, b in pairwise(solid))


def pack(kernel: Signature, args: Mapping[str, Value], real: Real) -> list[np.generic | np.ndarray[Any, Any]]:
    """Return the arguments in order: arrays unchanged, numbers as numpy scalars of the parameter's size."""
    packed: list[np.generic | np.ndarray[Any, Any]] = []
    for argument in kernel.arguments:
        if argument.name not in args:
            raise LaunchFailed(f"{kernel.name}: no argument {argument.name}")
        value = args[argument.name]
        try:
            if argument.layout is not None:
                kind = struct_type(argument.layout, real)
            else:
                kind = np.dtype(np.uint8) if argument.type == "void" else dtype(argument.type, real)
        except KeyError:
            raise LaunchFailed(
                f"parameter {argument.name}: type {argument.type} can't be passed yet"
            ) from None
        if not argument.pointer and kind.kind == "V":
            packed.append(np.asarray(value, kind)[()])
            continue
        if not argument.pointer:
            # pycuda has no bool; pass one byte
            number = np.asarray(value).reshape(()).astype(kind)
            packed.append(number.astype(np.uint8)[()] if kind.kind == "b" else number[()])
            continue
        if not isinstance(value, np.ndarray) or value.dtype != kind or not value.flags.c_contiguous:
            has = f"{value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
            raise LaunchFailed(
                f"argument {argument.name}: a contiguous array of {kind} is expected, not {has}"
            )
        packed.append(value)
    return packed


def _code(value: np.generic | np.ndarray[Any, Any]) -> str:
    """Return the format character of a prepared call's argument, as in the module struct."""
    if isinstance(value, np.ndarray):
        return "P"
    return f"{value.itemsize}s" if isinstance(value, np.void) else str(value.dtype.char)


class CudaBackend:
    """Implements backend.Backend."""

    name = "cuda"

    def __init__(self) -> None:
        self._driver = driver()

    def compile(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        quick: bool = False,
    ) -> CudaModule:
        compiler = importlib.import_module("pycuda.compiler")
        source = cuda_text(text, real, name)
        try:
            module = compiler.SourceModule(source, no_extern_c=has_extern_c(text), options=["-std=c++17"])
        except self._driver.CompileError as error:
            lines = str(error.stderr or error).strip().splitlines()
            shown = "\n".join(lines[:_LINES_OF_A_MESSAGE])
            raise CompileFailed(f"{name} doesn't compile with nvcc:\n{shown}") from error
        except self._driver.Error as error:
            raise CompileFailed(f"{name} can't be loaded onto the GPU: {error}") from error
        except Exception as error:
            if type(error).__name__ == "ExecError" or isinstance(error, OSError):
                raise BackendUnavailable("pycuda needs nvcc in PATH: install the CUDA toolkit") from error
            raise
        return CudaModule(self._driver, module, text, signatures, real, name)


class CudaModule:
    """Implements backend.Module."""

    def __init__(
        self,
        driver: ModuleType,
        module: Any,
        text: str,
        signatures: Sequence[Signature],
        real: Real,
        name: str,
    ) -> None:
        self._driver = driver
        self._module = module
        self._text = text
        self._signatures = signatures
        self._real: Real = real
        self._name = name
        self._memory: dict[str, tuple[int, Any]] = {}

    def launch(
        self,
        kernel: Signature,
        grid: Extent,
        block: Extent,
        args: Mapping[str, Value],
        shared_bytes: int = 0,
        *,
        order: Order = "forward",
        strict: bool = False,
    ) -> None:
        launch = struct_packed(kernel, args, self._real)
        kernel = launch.kernel
        try:
            held = [(field, array, self._upload(field.name, array)) for field, array in launch.held]
            given = dict(launch.args)
            for field, _, place in held:
                given[field.within] = pointing(given[field.within], field, int(place))
            packed = pack(kernel, given, self._real)
            function = self._module.get_function(kernel.name)
            places = {
                argument.name: self._upload(argument.name, value)
                for argument, value in zip(kernel.arguments, packed, strict=True)
                if isinstance(value, np.ndarray)
            }
            # prepared, because pycuda's plain call confuses int32(2) with float32(2)
            function.prepare([_code(v) for v in packed])
            words = [
                int(places[argument.name])
                if argument.name in places
                else value.tobytes()
                if isinstance(value, np.void)
                else value
                for argument, value in zip(kernel.arguments, packed, strict=True)
            ]
            function.prepared_call(grid, block, *words, shared_size=shared_bytes)
            self._driver.Context.synchronize()
            for argument, value in zip(kernel.arguments, packed, strict=True):
                if isinstance(value, np.ndarray) and value.nbytes and not argument.const:
                    self._driver.memcpy_dtoh(value, places[argument.name])
            for field, array, place in held:
                if array.nbytes and not field.const:
                    self._driver.memcpy_dtoh(array, place)
        except self._driver.Error as error:
            raise LaunchFailed(f"{self._name}: {kernel.name}: {error}") from error
        launch.unpack()

    def _upload(self, name: str, value: np.ndarray[Any, Any]) -> Any:
        """Copy the array to device memory, which later launches reuse; return null for an empty array."""
        if not value.size:
            return np.uintp(0)
        size, place = self._memory.get(name, (-1, None))
        if size < value.nbytes:
            place = self._driver.mem_alloc(max(value.nbytes, 16))
            self._memory[name] = value.nbytes, place
        if value.nbytes:
            self._driver.memcpy_htod(place, value)
        return place

    @cached_property
    def _host(self) -> Module:
        """The text's host functions, compiled by the CPU backend because they run on the CPU anyway."""
        return CpuBackend().compile(self._text, self._signatures, real=self._real, name=self._name)

    def tape_bytes(self, kernel: Signature, grid: Extent, block: Extent, args: Mapping[str, Value]) -> int:
        return self._host.tape_bytes(kernel, grid, block, args)

    def shared_bytes(
        self, kernel: Signature, grid: Extent, block: Extent, args: Mapping[str, Value], shared_bytes: int = 0
    ) -> int:
        return self._host.shared_bytes(kernel, grid, block, args, shared_bytes)
