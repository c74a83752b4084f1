"""Libraries of texts that record what a thread does, and the recordings of their launches.

A text that doesn't compile with every value recorded is tried without the values that are only read.
"""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from ...signature import Signature
from ..backend import CompileFailed, LaunchFailed, WatchUnavailable
from ..float_widening import Real
from ..recording import WHATS, Event, Placed, Program, Recording, Value
from ..structs import packed
from ..values import Extent, Order
from ..values import Value as Argument
from . import compiler, unit
from .instrument import instrument
from .lexemes import Unbalanced
from .module import CpuModule, header_bytes

_FLAGS = ("-O0",)
_EVENT = struct.Struct("=IBBHQQIIQ")
_FORMS = ("nothing", "truth", "integer", "unsigned", "real", "pointer", "bytes")
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?!line\b|pragma\b|\d)\w", re.MULTILINE)


def build(text: str, signatures: Sequence[Signature], real: Real, name: str) -> tuple[Path, Program]:
    """Build a library that records as much as compiles. Raises CompileFailed, WatchUnavailable."""
    whole = unit.write(text, signatures, real, name)
    compiler.build(whole, name, _FLAGS)  # for the text's own errors
    head, _, rest = whole.partition(unit.HEADER)
    kernels = [signature.name for signature in signatures]
    why = ""
    for marked, program in _marked(rest, kernels, name):
        try:
            recorded = f"#define S2SAD_RECORDED 1\n{head}{unit.HEADER}{marked}"
            return compiler.build(recorded, name, _FLAGS), program
        except CompileFailed as failed:
            why = why or str(failed)
    reason = re.search(r"error:\s*(.*)", why)
    told = reason[1] if reason else "its statements can't be distinguished"
    raise WatchUnavailable(f"{name} can't be recorded: {told}")


def _marked(rest: str, kernels: Sequence[str], name: str) -> Iterator[tuple[str, Program]]:
    """Yield the text with every value recorded, then with fewer; nothing if it can't be parsed."""
    try:
        if _DIRECTIVE.search(rest):
            rest = compiler.preprocessed(rest, name)
        for reads in (True, False):
            yield instrument(rest, kernels, reads=reads)
    except (CompileFailed, Unbalanced, IndexError, RecursionError):
        return


class RecordedModule(CpuModule):
    """Implements backend.Recorded."""

    def __init__(self, path: Path, name: str, real: Real, program: Program) -> None:
        super().__init__(path, name, real)
        self._program = program
        handle = self._library.handle
        handle.s2sad_record_thread.argtypes = [ctypes.POINTER(ctypes.c_uint * 6)]
        address, number = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_uint64)
        handle.s2sad_recorded.argtypes = [address, number, address, number]
        handle.s2sad_recorded.restype = ctypes.c_uint64

    def record(
        self,
        kernel: Signature,
        grid: Extent,
        block: Extent,
        args: Mapping[str, Argument],
        shared_bytes: int = 0,
        *,
        at: tuple[Extent, Extent],
        order: Order = "forward",
    ) -> Recording:
        launch = packed(kernel, args, self._real)
        entry, packer, _ = self._entries.get(id(launch.kernel)) or self._find(launch.kernel)
        request = packer.pack(header_bytes(grid, block, shared_bytes, order, False), launch.args, kernel.name)
        arrays = [
            Placed.of(name, value) for name, value in launch.args.items() if isinstance(value, np.ndarray)
        ]
        arrays += [Placed.of(field.name, array) for field, array in launch.held]
        with self._library.lock:
            where = (ctypes.c_uint * 6)(*at[0], *at[1])
            if not self._library.handle.s2sad_record_thread(ctypes.byref(where)):
                raise LaunchFailed(f"{self._name}: {kernel.name}: no memory to record in")
            message = self._run(entry, request)
            events, gap, missed = self._events()
        if message is not None:
            raise LaunchFailed(f"{self._name}: {kernel.name}: {message}")
        launch.unpack()
        return Recording(self._program, events, tuple(arrays), gap, missed)

    def _events(self) -> tuple[tuple[Event, ...], int, int]:
        """Return the events of the last launch that are kept, the place of the others, and their number."""
        start, objects = ctypes.c_void_p(), ctypes.c_void_p()
        room, size = ctypes.c_uint64(), ctypes.c_uint64()
        count = self._library.handle.s2sad_recorded(
            ctypes.byref(start), ctypes.byref(room), ctypes.byref(objects), ctypes.byref(size)
        )
        kept, half = min(count, room.value), room.value // 2
        raw = ctypes.string_at(start.value or 0, kept * _EVENT.size)
        if count > kept:  # the second half begins with its oldest event
            first, last = raw[: half * _EVENT.size], raw[half * _EVENT.size :]
            oldest = (count - half) % half * _EVENT.size
            raw = first + last[oldest:] + last[:oldest]
        blob = ctypes.string_at(objects.value or 0, size.value)
        return tuple(_decoded(raw, blob)), half, count - kept


def _decoded(raw: bytes, blob: bytes) -> Iterator[Event]:
    """Yield the events in a library's memory; `blob` has the bytes of objects."""
    types: dict[int, str] = {}
    for id, what, form, depth, address, bits, size, detail, type in _EVENT.iter_unpack(raw):
        if type and type not in types:
            types[type] = _type(ctypes.string_at(type).decode())
        value = _value(_FORMS[form], bits, size, blob, types.get(type, ""))
        yield Event(WHATS[what], id, depth, value, address, detail)


def _value(form: str, bits: int, size: int, kept: bytes, type: str) -> Value:
    signed = bits - (1 << 64) if bits >> 63 else bits
    match form:
        case "truth":
            return Value("truth", bool(bits), size)
        case "integer":
            return Value("integer", signed, size)
        case "unsigned":
            return Value("integer", bits & ((1 << 8 * max(size, 1)) - 1), size)
        case "real":
            return Value("real", struct.unpack("=d", struct.pack("=Q", bits))[0], size)
        case "pointer":
            return Value("pointer", bits, size)
        case "bytes":
            return Value("bytes", 0, size, kept[bits : bits + size], type)
        case _:
            return Value("nothing", signed, size)


def _type(signature: str) -> str:
    """Return the type that the compiler names in a function's signature: `… [with T = cuda_on_cpu::P]`."""
    name = signature.partition("T = ")[2].removesuffix("]")
    return re.sub(r"\bcuda_on_cpu::", "", name).strip()
