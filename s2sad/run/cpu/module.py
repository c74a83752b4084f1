"""A loaded library: arguments are packed into bytes, and a failed launch raises an exception.

A finite-difference check launches a small kernel thousands of times, so everything that
depends only on the signature is computed once.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import gcd
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from ...signature import Argument, Signature
from ..backend import CompileFailed, LaunchFailed
from ..float_widening import Real
from ..structs import packed, packed_scalars, struct_type
from ..values import Extent, Order, Value, dtype

_MESSAGE = 2048
_SIGNATURES = 256  # the most to remember, if a caller makes a new one for each launch
_HEADER = struct.Struct("=6I6Q")
_CODES = {
    "f": {2: "e", 4: "f", 8: "d"},
    "i": {1: "b", 2: "h", 4: "i", 8: "q"},
    "u": {1: "B", 2: "H", 4: "I", 8: "Q"},
}


@dataclass(frozen=True)
class _Parameter:
    """The conversion of one argument for its slot."""

    name: str
    pointer: bool
    type: np.dtype[np.generic]
    low: int = 0
    modulus: int = 0  # for integers: values wrap around as in C

    def word(self, value: Value) -> Any:
        """Return the value for struct.pack: an address, or a number of the parameter's type."""
        if self.pointer:
            return self._address(value)
        if self.type.kind == "V":
            return np.asarray(value, self.type).tobytes()
        if isinstance(value, np.ndarray):
            if value.ndim != 0:
                raise LaunchFailed(f"argument {self.name}: a number is expected, not an array")
            value = value[()]
        if self.modulus:
            return (int(value) - self.low) % self.modulus + self.low
        if self.type.kind == "c":
            return complex(value)
        return bool(value) if self.type.kind == "b" else float(value)

    def _address(self, value: Value) -> int:
        if not isinstance(value, np.ndarray):
            raise LaunchFailed(f"argument {self.name}: an array of {self.type} is expected")
        if value.dtype != self.type:
            raise LaunchFailed(
                f"argument {self.name}: an array of {self.type} is expected, not of {value.dtype}"
            )
        if not value.flags.c_contiguous:
            raise LaunchFailed(f"argument {self.name}: the array isn't contiguous")
        return value.ctypes.data if value.size else 0  # an empty array is absent


@dataclass(frozen=True)
class _Packer:
    parameters: tuple[_Parameter, ...]
    layout: struct.Struct
    dual: bool = False

    def pack(self, header: bytes, args: Mapping[str, Value], kernel: str) -> bytes:
        try:
            words = [parameter.word(args[parameter.name]) for parameter in self.parameters]
        except KeyError as missing:
            raise LaunchFailed(f"{kernel}: no argument {missing.args[0]}") from None
        if self.dual:
            words = [part for word in words for part in _parts(word)]
        return header + self.layout.pack(*words)


def _parts(word: int | float | bool | complex) -> tuple[int | float | bool, ...]:
    """Split a dual number in two for struct."""
    return (word.real, word.imag) if isinstance(word, complex) else (word,)


def _parameter(argument: Argument, real: Real) -> _Parameter:
    try:
        if argument.layout is not None:
            kind = struct_type(argument.layout, real)
        else:
            kind = np.dtype(np.uint8) if argument.type == "void" else dtype(argument.type, real)
    except KeyError:
        raise LaunchFailed(f"parameter {argument.name}: type {argument.type} can't be passed yet") from None
    if not argument.pointer and kind.kind in "iu":
        return _Parameter(argument.name, False, kind, int(np.iinfo(kind).min), 1 << 8 * kind.itemsize)
    return _Parameter(argument.name, argument.pointer, kind)


def _packer(arguments: tuple[Argument, ...], real: Real, before: str = "") -> _Packer:
    """Return a packer of these arguments, in slots of a multiple of eight bytes."""
    parameters = tuple(_parameter(argument, real) for argument in arguments)
    layout = "=" + before
    for p in parameters:
        if p.pointer:
            layout += "Q"
        elif p.type.kind == "b":
            layout += "?7x"
        elif p.type.kind == "c":
            layout += "dd"
        elif p.type.kind == "V":
            layout += f"{p.type.itemsize}s{-p.type.itemsize % 8}x"
        else:
            layout += f"{_CODES[p.type.kind][p.type.itemsize]}{8 - p.type.itemsize}x"
    dual = any(p.type.kind == "c" and not p.pointer for p in parameters)
    return _Packer(parameters, struct.Struct(layout), dual)


def _expected(p: _Parameter) -> str:
    kind = {"f": "f", "c": "S", "V": "S"}.get(p.type.kind, "i")
    return f"P8{kind}{p.type.itemsize}" if p.pointer else f"{kind}{p.type.itemsize}-0"


def coprime(count: int, seed: int) -> int:
    """Return a factor for which (factor * i + first) % count visits every i once, out of order."""
    factor = (seed * 2654435761 + count // 3) % count | 1
    while gcd(factor, count) != 1:
        factor = (factor + 2) % count or 1
    return factor


@cache
def _walk(count: int, order: Order) -> tuple[int, int]:
    """Return `factor` and `first` of the order of `count` things."""
    match order:
        case "forward":
            return 1, 0
        case "reverse":
            return max(count - 1, 1), count - 1
        case seed:
            return coprime(count, seed), seed * 7919 % count


@cache
def header_bytes(grid: Extent, block: Extent, shared_bytes: int, order: Order, strict: bool) -> bytes:
    for extent, what in ((grid, "grid"), (block, "block")):
        if len(extent) != 3 or min(extent) < 1:
            raise LaunchFailed(f"{what} {extent}: three sizes of at least 1 are expected")
    blocks, threads = grid[0] * grid[1] * grid[2], block[0] * block[1] * block[2]
    if threads > 1024:
        raise LaunchFailed(f"block {block}: {threads} threads; a block has at most 1024")
    return _HEADER.pack(
        *grid, *block, shared_bytes, *_walk(blocks, order), *_walk(threads, order), int(strict)
    )


def quoted(name: str) -> str:
    """Return a file's name as spelled in a translation unit."""
    return name.replace("\\", "/").replace('"', "'").replace("\n", " ")


class _Library:
    """One loaded file. Its state is static, so launches are serialised."""

    def __init__(self, path: Path) -> None:
        self.handle = ctypes.CDLL(str(path))
        self.lock = Lock()
        self.message = ctypes.create_string_buffer(_MESSAGE)


@cache
def _load(path: Path) -> _Library:
    try:
        return _Library(path)
    except OSError as error:
        # the text compiles, but declares a symbol that isn't defined
        raise CompileFailed(f"the compiled kernel can't be loaded: {error}") from error


class CpuModule:
    """Implements backend.Module."""

    def __init__(self, path: Path, name: str, real: Real) -> None:
        self._library = _load(path)
        self._name = name
        self._real: Real = real
        # by id, because hashing a signature costs as much as a launch; kept alive, so that ids stay unique
        self._entries: dict[int, tuple[Callable[..., int], _Packer, Signature]] = {}
        self._sizes: dict[tuple[Signature, str], tuple[Callable[..., int], _Packer]] = {}

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
        launch = packed(kernel, args, self._real)
        kernel, args = launch.kernel, launch.args
        entry, packer, _ = self._entries.get(id(kernel)) or self._find(kernel)
        request = packer.pack(header_bytes(grid, block, shared_bytes, order, strict), args, kernel.name)
        with self._library.lock:
            message = self._run(entry, request)
        if message is not None:
            raise LaunchFailed(f"{self._name}: {kernel.name}: {message}")
        launch.unpack()

    def _run(self, entry: Callable[..., int], request: bytes) -> str | None:
        """Launch and return the error, None if there is none. The caller holds the library's lock."""
        message = self._library.message
        return message.value.decode("utf-8", "replace") if entry(request, message) else None

    def tape_bytes(self, kernel: Signature, grid: Extent, block: Extent, args: Mapping[str, Value]) -> int:
        launch = packed_scalars(kernel, args, self._real)
        size, packer = self._size(launch.kernel, "tape_bytes")
        header = header_bytes(grid, block, 0, "forward", False)
        return self._ask(size, packer.pack(header, launch.args, kernel.name))

    def shared_bytes(
        self, kernel: Signature, grid: Extent, block: Extent, args: Mapping[str, Value], shared_bytes: int = 0
    ) -> int:
        launch = packed_scalars(kernel, args, self._real)
        size, packer = self._size(launch.kernel, "shared_bytes")
        header = header_bytes(grid, block, 0, "forward", False) + struct.pack("=Q", shared_bytes)
        return self._ask(size, packer.pack(header, launch.args, kernel.name))

    def _ask(self, size: Callable[..., int], request: bytes) -> int:
        with self._library.lock:
            return size(request)

    def _find(self, kernel: Signature) -> tuple[Callable[..., int], _Packer, Signature]:
        packer = _packer(kernel.arguments, self._real)
        self._compare(kernel.name, [_expected(p) for p in packer.parameters], kernel.arguments)
        entry = getattr(self._library.handle, f"s2sad_launch_{kernel.name}")
        entry.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        entry.restype = ctypes.c_int
        if len(self._entries) >= _SIGNATURES:
            self._entries.clear()
        self._entries[id(kernel)] = entry, packer, kernel
        return self._entries[id(kernel)]

    def _size(self, kernel: Signature, suffix: str) -> tuple[Callable[..., int], _Packer]:
        known = self._sizes.get((kernel, suffix))
        if known is not None:
            return known
        scalars = kernel.scalars(trips=suffix == "tape_bytes")  # shared memory needs no trips
        packer = _packer(scalars, self._real)
        function = f"{kernel.name}_{suffix}"
        first = ["S12-0", "S12-0", *(["i8-0"] if suffix == "shared_bytes" else [])]
        self._compare(function, [*first, *(_expected(p) for p in packer.parameters)], scalars)
        size = getattr(self._library.handle, f"s2sad_call_{function}")
        size.argtypes = [ctypes.c_char_p]
        size.restype = ctypes.c_size_t
        self._sizes[kernel, suffix] = size, packer
        return size, packer

    def _compare(self, function: str, expected: list[str], arguments: tuple[Argument, ...]) -> None:
        """Check the compiled function's parameters against the signature. Raises LaunchFailed."""
        try:
            describe = getattr(self._library.handle, f"s2sad_parameters_{function}")
        except AttributeError:
            raise LaunchFailed(f"{self._name}: no function {function} was compiled") from None
        describe.restype = ctypes.c_char_p
        found = describe().decode().split()
        if len(found) != len(expected):
            raise LaunchFailed(
                f"{self._name}: {function} has {len(found)} parameters; the signature says {len(expected)}"
            )
        skipped = len(expected) - len(arguments)
        for argument, has, wants in zip(arguments, found[skipped:], expected[skipped:], strict=True):
            if has != wants and not (argument.type == "void" and argument.pointer):
                raise LaunchFailed(
                    f"{self._name}: parameter {argument.name} of {function} isn't "
                    f"{argument.type}{' *' if argument.pointer else ''}, as the signature says"
                )
