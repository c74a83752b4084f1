"""What the GPU backends share: the text that NVIDIA's compilers get, and launches on arrays of the host.

A backend compiles the text and loads it: the result is a `Loaded`, whose memory and kernels
`GpuModule` uses. No CUDA library is imported here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Protocol, SupportsInt

import numpy as np

from ..signature import Signature
from .backend import BackendUnavailable, CompileFailed, LaunchFailed, Module
from .cpu import CpuBackend, unit
from .doubles import HELPERS, double_name
from .float_widening import Real, to_double, tokens
from .halves import used
from .structs import packed as struct_packed
from .structs import pointing, struct_type
from .values import Array, Extent, Order, Value, dtype

LINES_OF_A_MESSAGE = 12

# Our header for cooperative groups tells barriers the line of the call, which the CPU backend reports.
_BARRIERS = (
    "static __device__ __forceinline__ void __syncthreads(int) { __syncthreads(); } "
    "static __device__ __forceinline__ void __syncwarp(unsigned lanes, int) { __syncwarp(lanes); }"
)


class DeviceFailed(Exception):
    """A call of CUDA's driver failed; the message is the driver's."""


class Address(int):
    """A place in device memory, as an argument of a kernel; 0 for an empty array."""


Word = Address | np.generic
"""An argument as the kernel receives it: an address, or a number or struct of the parameter's size."""


class Loaded(Protocol):
    """A compiled text on a device. Its methods raise DeviceFailed."""

    def allocate(self, size: int) -> SupportsInt:
        """Return so many bytes of device memory, which are freed with the object; int() is the address."""
        ...

    def write(self, place: SupportsInt, array: Array) -> None:
        """Copy an array to the device."""
        ...

    def read(self, array: Array, place: SupportsInt) -> None:
        """Copy an array from the device."""
        ...

    def run(self, kernel: str, grid: Extent, block: Extent, words: Sequence[Word], shared_bytes: int) -> None:
        """Launch the kernel and wait until it has finished."""
        ...


def cuda_text(text: str, real: Real, name: str) -> str:
    """Return the text for NVIDIA's compilers, with `float` as `real`; messages have the text's line numbers.

    Raises CompileFailed for half-precision types that these compilers and numpy arrays don't both have.
    """
    parts = list(tokens(text))
    half = used(parts)
    if half and (real != "float" or any("bfloat16" in t.text for t in parts if t.kind == "name")):
        why = "numpy has no bfloat16" if real == "float" else "nvcc has no half precision that is a double"
        raise CompileFailed(f"{name}: {why}; use the cpu backend")
    if real == "double":
        text = _apart(text, name)
    quoted = name.replace("\\", "/").replace('"', "'").replace("\n", " ")
    head = HELPERS if real == "double" else ""
    if any(token.text == "__builtin_LINE" for token in parts):
        head += f"\n{_BARRIERS}"
    if half:  # the text may be a kernel alone, without its includes
        head += '\nextern "C++" {\n#include <cuda_fp16.h>\n}'
    return f'{head}\n#line 1 "{quoted}"\n{to_double(text, double_name) if real == "double" else text}'


def has_extern_c(text: str) -> bool:
    """Whether the text contains `extern "C"`."""
    solid = [token.text for token in tokens(text) if token.kind not in ("space", "comment")]
    return any(a == "extern" and b == '"C"' for a, b in pairwise(solid))


def shortened(messages: str) -> str:
    """Return the first lines of a compiler's messages."""
    return "\n".join(messages.strip().splitlines()[:LINES_OF_A_MESSAGE])


def _apart(text: str, name: str) -> str:
    """Return the text with overloads that float and double distinguish apart; that needs a C++ compiler."""
    try:
        return unit.apart(text, name)
    except BackendUnavailable as missing:
        raise CompileFailed(f"{name}: float and double have overloads that differ: {missing}") from missing


def pack(kernel: Signature, args: Mapping[str, Value], real: Real) -> list[np.generic | Array]:
    """Return the arguments in order: arrays unchanged, numbers as numpy scalars of the parameter's size."""
    packed: list[np.generic | Array] = []
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


class GpuModule:
    """Implements backend.Module: copies arrays to the device, launches, and copies them back."""

    def __init__(
        self, loaded: Loaded, text: str, signatures: Sequence[Signature], real: Real, name: str
    ) -> None:
        self._loaded = loaded
        self._text = text
        self._signatures = signatures
        self._real: Real = real
        self._name = name
        self._memory: dict[str, tuple[int, SupportsInt]] = {}

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
            places = {
                argument.name: self._upload(argument.name, value)
                for argument, value in zip(kernel.arguments, packed, strict=True)
                if isinstance(value, np.ndarray)
            }
            words = [
                Address(int(places[argument.name])) if isinstance(value, np.ndarray) else value
                for argument, value in zip(kernel.arguments, packed, strict=True)
            ]
            self._loaded.run(kernel.name, grid, block, words, shared_bytes)
            for argument, value in zip(kernel.arguments, packed, strict=True):
                if isinstance(value, np.ndarray) and value.nbytes and not argument.const:
                    self._loaded.read(value, places[argument.name])
            for field, array, place in held:
                if array.nbytes and not field.const:
                    self._loaded.read(array, place)
        except DeviceFailed as error:
            raise LaunchFailed(f"{self._name}: {kernel.name}: {error}") from error
        launch.unpack()

    def _upload(self, name: str, value: Array) -> SupportsInt:
        """Copy the array to device memory, which later launches reuse; return null for an empty array."""
        if not value.size:
            return Address(0)
        size, place = self._memory.get(name, (-1, Address(0)))
        if size < value.nbytes:
            place = self._loaded.allocate(max(value.nbytes, 16))
            self._memory[name] = value.nbytes, place
        if value.nbytes:
            self._loaded.write(place, value)
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
