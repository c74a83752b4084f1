"""The CPU engine for generated bindings: the kernels of one file, launched on memory of the caller.

A binding that `s2sad bind` writes calls this for arrays in CPU memory. It checks its
arguments itself; here they are addresses and numbers, in the order of the kernel's
parameters, so that a launch costs a few microseconds.

    kernels = Kernels("relax.cu", "relax")
    kernels.launch("relax", (3, 1, 1), (128, 1, 1), 0, x.ctypes.data, w.ctypes.data, y.ctypes.data, 300)
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from .run.backend import BackendUnavailable, CompileFailed, LaunchFailed
from .run.cpu import compiler, unit
from .run.cpu.module import header_bytes
from .run.float_widening import Real
from .signature import Signature

__all__ = ["INCLUDE", "BackendUnavailable", "CompileFailed", "Extent", "Kernels", "LaunchFailed"]

INCLUDE = compiler.INCLUDE
"""The folder of the engine's headers, for programs that compile a kernel themselves."""

Extent = tuple[int, int, int]
Word = int | float | bytes

_MESSAGE = 2048
_NUMBERS = {
    "f": {2: "e", 4: "f", 8: "d"},
    "i": {1: "B", 2: "H", 4: "I", 8: "Q"},
}


class Kernels:
    """The kernels of one `.cu` file, compiled at the first launch and then kept.

    With `real="double"` every `float` of the text is a `double`, as in `s2sad check`.
    Raises BackendUnavailable if there is no C++ compiler, CompileFailed.
    """

    def __init__(self, file: str | os.PathLike[str], *names: str, real: Real = "float") -> None:
        self._file = Path(file)
        self._names = names
        self._real: Real = real
        self._entries: dict[str, tuple[Callable[..., int], _Packer]] = {}
        self._sizes: dict[str, tuple[Callable[..., int], _Packer]] = {}
        self._message = ctypes.create_string_buffer(_MESSAGE)
        self._lock = Lock()
        self._library: ctypes.CDLL | None = None

    def launch(self, kernel: str, grid: Extent, block: Extent, shared_bytes: int, *args: Word) -> None:
        """Run a kernel to its end; a grid without blocks does nothing. Raises LaunchFailed.

        A pointer is an address, 0 for none; a struct its bytes.
        """
        if 0 in grid:
            return
        entry, packer = self._entries.get(kernel) or self._entry(kernel)
        request = packer.pack(header_bytes(grid, block, shared_bytes, "forward", False), args)
        with self._lock:  # the engine's state is static
            message = self._message.value if entry(request, self._message) else None
        if message is not None:
            raise LaunchFailed(f"{kernel}: {message.decode('utf-8', 'replace')}")

    def tape_bytes(self, kernel: str, grid: Extent, block: Extent, *scalars: Word) -> int:
        """Return the size of a launch's tape: what KERNEL_tape_bytes computes, at least for one block."""
        return self._size(f"{kernel}_tape_bytes", _some(grid), block, b"", scalars)

    def shared_bytes(
        self, kernel: str, grid: Extent, block: Extent, shared_bytes: int, *scalars: Word
    ) -> int:
        """Return the dynamic shared memory of a launch: what KERNEL_shared_bytes computes."""
        before = struct.pack("=Q", shared_bytes)
        return self._size(f"{kernel}_shared_bytes", _some(grid), block, before, scalars)

    def _size(self, name: str, grid: Extent, block: Extent, before: bytes, scalars: tuple[Word, ...]) -> int:
        function, packer = self._sizes.get(name) or self._size_function(name, skipped=2 + bool(before))
        request = packer.pack(header_bytes(grid, block, 0, "forward", False) + before, scalars)
        with self._lock:
            return function(request)

    def _entry(self, kernel: str) -> tuple[Callable[..., int], _Packer]:
        function = self._function("launch", kernel)
        function.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        function.restype = ctypes.c_int
        self._entries[kernel] = function, _Packer(kernel, self._parameters(kernel))
        return self._entries[kernel]

    def _size_function(self, name: str, skipped: int) -> tuple[Callable[..., int], _Packer]:
        function = self._function("call", name)
        function.argtypes = [ctypes.c_char_p]
        function.restype = ctypes.c_size_t
        self._sizes[name] = function, _Packer(name, self._parameters(name)[skipped:])
        return self._sizes[name]

    def _parameters(self, name: str) -> list[str]:
        describe = self._function("parameters", name)
        describe.restype = ctypes.c_char_p
        described: bytes = describe()
        return described.decode().split()

    def _function(self, what: str, name: str) -> Any:
        if self._library is None:
            self._library = self._load()
        try:
            return getattr(self._library, f"s2sad_{what}_{name}")
        except AttributeError:
            raise LaunchFailed(f"{self._file.name} has no function {name}") from None

    def _load(self) -> ctypes.CDLL:
        text = self._file.read_text(encoding="utf-8")
        signatures = [Signature(name, ()) for name in self._names]
        library = compiler.build(unit.write(text, signatures, self._real, self._file.name), self._file.name)
        return ctypes.CDLL(str(library))


class _Packer:
    """Packs arguments as the compiled function describes its parameters: `P8f4`, `i4-0`, `S16-0`."""

    def __init__(self, name: str, parameters: list[str]) -> None:
        self._name = name
        self._wraps = []
        self._structs = []
        layout = "="
        for place, (letter, size) in enumerate(map(_described, parameters)):
            if letter == "P":
                layout += "Q"
                continue
            if letter == "S":
                layout += f"{size}s{-size % 8}x"
                self._structs.append((place, size))
                continue
            if letter not in _NUMBERS or size not in _NUMBERS[letter]:
                raise LaunchFailed(f"{name}: parameter {place + 1} can't be passed")
            layout += f"{_NUMBERS[letter][size]}{8 - size}x"
            if letter == "i":
                self._wraps.append((place, 1 << 8 * size))
        self._layout = struct.Struct(layout)
        self._count = len(parameters)

    def pack(self, header: bytes, args: tuple[Word, ...]) -> bytes:
        if len(args) != self._count:
            raise LaunchFailed(f"{self._name} takes {self._count} arguments, not {len(args)}")
        words = list(args)
        for place, modulus in self._wraps:  # two's complement, whatever the sign of the parameter
            word = int(words[place])
            if not -(modulus >> 1) <= word < modulus:
                raise LaunchFailed(f"{self._name}: {word} doesn't fit parameter {place + 1}")
            words[place] = word % modulus
        for place, size in self._structs:
            given = words[place]
            if not isinstance(given, bytes) or len(given) != size:
                raise LaunchFailed(f"{self._name}: parameter {place + 1} is a struct of {size} bytes")
        return header + self._layout.pack(*words)


def _described(parameter: str) -> tuple[str, int]:
    """Return the letter and the size of a parameter: of `S16-0`, S and 16."""
    return parameter[0], int(re.split(r"\D", parameter[1:])[0])


def _some(grid: Extent) -> Extent:
    """Return a grid of at least one block, for a size."""
    x, y, z = (max(extent, 1) for extent in grid)
    return x, y, z
