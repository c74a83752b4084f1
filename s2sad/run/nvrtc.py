"""A GPU backend through cuda-bindings and NVRTC: two libraries from PyPI, without the CUDA toolkit.

Compiling (`compile_text`) and launching (`Driver`) are separate: only launching needs a GPU
and its driver. cuda-bindings is imported only here.
"""

from __future__ import annotations

import atexit
import importlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, SupportsInt

import numpy as np

from ..signature import Signature
from .backend import BackendUnavailable, CompileFailed
from .float_widening import Real
from .gpu import Address, DeviceFailed, GpuModule, Word, cuda_text, shortened
from .values import Array, Extent

INSTALL = "pip install 's2sad[cuda]'"
INSTALL_12 = "pip install 's2sad[cuda12]'"  # for drivers of CUDA 12

NONE_INSTALLED = f"no GPU backend is installed: {INSTALL}"

# Without an attribute of the kernel, a launch with more dynamic shared memory than that fails.
_SHARED_BYTES = 48 * 1024
_VERSION = re.compile(r"^#define CUDART_VERSION\s+(\d+)", re.MULTILINE)


# ---- compiling: without a GPU ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Image:
    """Compiled text: a cubin, or PTX that the driver compiles, and the kernels' names in it."""

    code: bytes
    symbols: Mapping[str, str]


def installed() -> bool:
    """Whether cuda-bindings is installed."""
    try:
        return find_spec("cuda.bindings") is not None
    except ModuleNotFoundError:  # no package `cuda` at all
        return False


@cache
def compiler() -> ModuleType:
    """Return cuda-bindings' NVRTC, whose library could be loaded. Raises BackendUnavailable."""
    if not installed():
        raise BackendUnavailable(f"cuda-bindings is not installed: {INSTALL}")
    try:
        found = importlib.import_module("cuda.bindings.nvrtc")
        found.nvrtcVersion()  # loads the library
    except Exception as error:  # its type depends on the version of cuda-bindings
        first = next(iter(str(error).splitlines()), type(error).__name__)
        raise BackendUnavailable(f"cuda-bindings can't load NVRTC ({first}): {INSTALL}") from error
    return found


def version() -> tuple[int, int]:
    """Return NVRTC's version. Raises BackendUnavailable."""
    _, major, minor = compiler().nvrtcVersion()
    return int(major), int(minor)


@cache
def headers() -> Path | None:
    """Return the folder of CUDA's headers that fit this NVRTC: a package's, or the toolkit's."""
    spec = find_spec("nvidia")
    packages = [Path(place) for place in spec.submodule_search_locations or ()] if spec else []
    found = [path for place in packages for path in sorted(place.glob("*/include"))]
    roots = [os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    found += [Path(root) / "include" for root in roots if root]
    return next((path for path in found if _version_of(path) == version()[0]), None)


def _version_of(folder: Path) -> int | None:
    """Return the major version of CUDA that headers belong to; None if the folder doesn't have them."""
    try:
        text = (folder / "cuda_runtime_api.h").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    stated = _VERSION.search(text)
    return int(stated[1]) // 1000 if stated and (folder / "cuda_fp16.h").is_file() else None


def architecture(capability: int) -> str:
    """Return the architecture to compile for, a device's own if NVRTC supports it: 90 for 9.0.

    For a newer device it is the highest that NVRTC supports, as PTX. Raises BackendUnavailable.
    """
    nvrtc = compiler()
    supported = sorted(int(number) for number in nvrtc.nvrtcGetSupportedArchs()[1])
    if capability in supported:
        return f"sm_{capability}"
    lower = [number for number in supported if number < capability]
    if not lower:
        major, minor = version()
        raise BackendUnavailable(
            f"the GPU has compute capability {capability / 10}, and the lowest that NVRTC {major}.{minor} "
            f"supports is {supported[0] / 10}{f': {INSTALL_12}' if major > 12 else ''}"
        )
    return f"compute_{lower[-1]}"


def compile_text(text: str, kernels: Sequence[str], target: str, real: Real, name: str) -> Image:
    """Compile a text for an architecture: `sm_90`, or `compute_90` for PTX.

    Raises CompileFailed, BackendUnavailable.
    """
    nvrtc = compiler()
    source = f"{_prelude()}\n{cuda_text(text, real, name)}"
    options = [f"--gpu-architecture={target}", "--std=c++17", "-default-device", "--disable-warnings"]
    if "#include" in source:
        if headers() is None:
            raise BackendUnavailable(f"{name} includes headers of CUDA, which aren't installed: {INSTALL}")
        options.append(f"--include-path={headers()}")
    program = _made(nvrtc, nvrtc.nvrtcCreateProgram(source.encode(), name.encode(), 0, [], []))
    try:
        for kernel in kernels:
            _made(nvrtc, nvrtc.nvrtcAddNameExpression(program, kernel.encode()))
        (status,) = nvrtc.nvrtcCompileProgram(program, len(options), [o.encode() for o in options])
        if int(status):
            log = _bytes(nvrtc, program, "ProgramLog").rstrip(b"\0").decode(errors="replace")
            shown = shortened(log) or _meaning(nvrtc, status)
            raise CompileFailed(f"{name} doesn't compile with NVRTC:\n{shown}")
        symbols = {
            kernel: _made(nvrtc, nvrtc.nvrtcGetLoweredName(program, kernel.encode())).decode()
            for kernel in kernels
        }
        return Image(_bytes(nvrtc, program, "CUBIN" if target.startswith("sm_") else "PTX"), symbols)
    finally:
        nvrtc.nvrtcDestroyProgram(program)


@cache
def _prelude() -> str:
    return Path(__file__).with_name("nvrtc_prelude.h").read_text(encoding="utf-8")


def _bytes(nvrtc: ModuleType, program: Any, what: str) -> bytes:
    """Return a text or code of a compiled program."""
    size = int(_made(nvrtc, getattr(nvrtc, f"nvrtcGet{what}Size")(program)))
    # a new object: NVRTC writes into it, and Python may share a bytes object with other code
    room = bytearray(size)
    if size:
        _made(nvrtc, getattr(nvrtc, f"nvrtcGet{what}")(program, room))
    return bytes(room)


def _made(nvrtc: ModuleType, answer: tuple[Any, ...]) -> Any:
    """Return the result of a call of NVRTC. Raises CompileFailed."""
    status, *results = answer
    if int(status):
        raise CompileFailed(f"NVRTC: {_meaning(nvrtc, status)}")
    return results[0] if results else None


def _meaning(nvrtc: ModuleType, status: Any) -> str:
    _, text = nvrtc.nvrtcGetErrorString(status)
    return text.decode() if isinstance(text, bytes) else str(text)


# ---- launching ------------------------------------------------------------------------------------------


class Driver:
    """CUDA's driver, with the primary context of the first device."""

    def __init__(self, cuda: ModuleType) -> None:
        """Raises DeviceFailed."""
        self._cuda = cuda
        self.call("cuInit", 0)
        self._device = self.call("cuDeviceGet", 0)
        self._context = self.call("cuDevicePrimaryCtxRetain", self._device)

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a function of the driver and return its result. Raises DeviceFailed."""
        status, *results = getattr(self._cuda, function)(*arguments)
        if int(status):
            _, text = self._cuda.cuGetErrorString(status)
            said = text.decode() if isinstance(text, bytes) else f"error {int(status)}"
            raise DeviceFailed(f"{function}: {said}")
        return results[0] if results else None

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make the context current in this thread, and afterwards again the caller's."""
        self.call("cuCtxPushCurrent", self._context)
        try:
            yield
        finally:
            self.call("cuCtxPopCurrent")

    def release(self) -> None:
        with suppress(DeviceFailed):
            self.call("cuDevicePrimaryCtxRelease", self._device)

    @property
    def version(self) -> tuple[int, int]:
        """The version of CUDA that the driver supports."""
        number = int(self.call("cuDriverGetVersion"))
        return number // 1000, number % 1000 // 10

    @property
    def device(self) -> str:
        return bytes(self.call("cuDeviceGetName", 256, self._device)).split(b"\0")[0].decode(errors="replace")

    @property
    def capability(self) -> int:
        """The device's compute capability: 90 for 9.0."""
        kinds = self._cuda.CUdevice_attribute
        major = self.call(
            "cuDeviceGetAttribute",
            kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
            self._device,
        )
        minor = self.call(
            "cuDeviceGetAttribute",
            kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
            self._device,
        )
        return 10 * int(major) + int(minor)

    def load(self, image: Image) -> NvrtcLoaded:
        """Load compiled text onto the device. Raises DeviceFailed."""
        with self.current():
            return NvrtcLoaded(self, self.call("cuModuleLoadData", image.code + b"\0"), image.symbols)

    def launch(
        self, function: Any, grid: Extent, block: Extent, words: Sequence[Word], shared_bytes: int
    ) -> None:
        """Launch a function in the current context and wait. Raises DeviceFailed."""
        if shared_bytes > _SHARED_BYTES:
            kind = self._cuda.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self.call("cuFuncSetAttribute", function, kind, shared_bytes)
        # the driver copies each argument, of the parameter's size, from where a pointer points to
        held = [in_memory(word) for word in words]
        pointers = np.array([word.ctypes.data for word in held], np.uint64)
        where = pointers.ctypes.data if held else 0
        self.call("cuLaunchKernel", function, *grid, *block, shared_bytes, 0, where, 0)
        self.call("cuCtxSynchronize")


def in_memory(word: Word) -> Array:
    """Return an argument as an array of one element, whose address the driver gets."""
    if isinstance(word, Address):
        return np.array([int(word)], np.uint64)
    return np.array([word], word.dtype)


@cache
def driver() -> Driver:
    """Return the driver with a device. Raises BackendUnavailable."""
    try:
        cuda = importlib.import_module("cuda.bindings.driver")
        found = Driver(cuda)
    except DeviceFailed as error:
        raise BackendUnavailable(f"cuda-bindings finds no CUDA device: {error}") from error
    except Exception as error:  # its type depends on the version of cuda-bindings
        first = next(iter(str(error).splitlines()), type(error).__name__)
        raise BackendUnavailable(f"cuda-bindings can't load the CUDA driver (libcuda): {first}") from error
    atexit.register(found.release)
    if found.version[0] < version()[0]:
        theirs, ours = (".".join(map(str, v)) for v in (found.version, version()))
        raise BackendUnavailable(
            f"the GPU's driver supports CUDA {theirs}, and NVRTC is {ours}: update it, or {INSTALL_12}"
        )
    return found


class _Memory:
    """Device memory, freed with this object."""

    def __init__(self, driver: Driver, size: int) -> None:
        self._driver = driver
        self._address = int(driver.call("cuMemAlloc", size))

    def __int__(self) -> int:
        return self._address

    def __del__(self) -> None:
        with suppress(Exception), self._driver.current():  # the interpreter may be ending
            self._driver.call("cuMemFree", self._address)


class NvrtcLoaded:
    """Implements gpu.Loaded."""

    def __init__(self, driver: Driver, module: Any, symbols: Mapping[str, str]) -> None:
        self._driver = driver
        self._module = module
        self._symbols = symbols

    def __del__(self) -> None:
        with suppress(Exception), self._driver.current():
            self._driver.call("cuModuleUnload", self._module)

    def allocate(self, size: int) -> SupportsInt:
        with self._driver.current():
            return _Memory(self._driver, size)

    def write(self, place: SupportsInt, array: Array) -> None:
        with self._driver.current():
            self._driver.call("cuMemcpyHtoD", int(place), array.ctypes.data, array.nbytes)

    def read(self, array: Array, place: SupportsInt) -> None:
        with self._driver.current():
            self._driver.call("cuMemcpyDtoH", array.ctypes.data, int(place), array.nbytes)

    def run(self, kernel: str, grid: Extent, block: Extent, words: Sequence[Word], shared_bytes: int) -> None:
        with self._driver.current():
            symbol = self._symbols.get(kernel, kernel)
            function = self._driver.call("cuModuleGetFunction", self._module, symbol.encode())
            self._driver.launch(function, grid, block, words, shared_bytes)


class NvrtcBackend:
    """Implements backend.Backend."""

    name = "cuda"

    def __init__(self) -> None:
        """Raises BackendUnavailable."""
        compiler()
        self._driver = driver()
        self._target = architecture(self._driver.capability)

    @property
    def about(self) -> str:
        major, minor = version()
        return f"cuda-bindings with NVRTC {major}.{minor}: {self._driver.device}"

    def compile(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        quick: bool = False,
    ) -> GpuModule:
        image = compile_text(text, [s.name for s in signatures], self._target, real, name)
        try:
            loaded = self._driver.load(image)
        except DeviceFailed as error:
            raise CompileFailed(f"{name} can't be loaded onto the GPU: {error}") from error
        return GpuModule(loaded, text, signatures, real, name)
