"""A loaded watched library: its launches report races and out-of-bounds accesses.

Arrays are copied into an arena, far apart, so that an out-of-bounds index doesn't
access another array; the caller's arrays aren't modified.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...signature import Argument, Signature
from ..backend import LaunchFailed
from ..float_widening import Real
from ..sanitizer_report import Access, AccessKind, Fault, Inspection, Kind, Tally, Traffic
from ..structs import packed, place, pointing
from ..values import Array, Extent, Order, Value
from . import lines
from .module import CpuModule, header_bytes, quoted
from .reach import Reach

_KINDS: tuple[Kind, ...] = (
    "race",
    "out-of-bounds",
    "out-of-bounds",
    "unwritten-shared",
    "out-of-bounds",
    "division-by-zero",
    "missing-return",
    "endless",
    "misaligned",
    "missed-barrier",
)
_NOWHERE, _PAST_END = 2, 4
_LEAVES = ("division-by-zero", "missing-return", "misaligned")  # the thread stops
_ACCESSES: tuple[AccessKind, ...] = ("read", "write", "atomic")
_FIXED, _DYNAMIC, _MODULE = 1000, 1001, 1003
_PAST_SHARED, _ALIGNED = "past_shared", 128  # a variable of the watcher, after the text's own
_SMALLEST_SLOT = 20  # bits


class _Side(ctypes.Structure):
    _fields_ = [
        ("block", ctypes.c_uint64),
        ("place", ctypes.c_uint64),
        ("thread", ctypes.c_uint32),
        ("access", ctypes.c_uint32),
    ]


class _Found(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_uint32),
        ("array", ctypes.c_uint32),
        ("size", ctypes.c_uint32),
        ("same", ctypes.c_uint32),
        ("offset", ctypes.c_int64),
        ("here", _Side),
        ("there", _Side),
        ("count", ctypes.c_uint32),
        ("line", ctypes.c_uint32),
        ("text", ctypes.c_char * 64),
    ]


class _Tally(ctypes.Structure):
    _fields_ = [
        ("times", ctypes.c_uint64 * 6),
        ("bytes", ctypes.c_uint64 * 6),
        ("barriers", ctypes.c_uint64),
        ("active", ctypes.c_uint64),
    ]

    def told(self) -> Tally:
        return Tally(self._of(0), self._of(3), self.barriers, self.active)

    def _of(self, first: int) -> Traffic:
        reads, writes, atomics = self.times[first : first + 3]
        return Traffic(reads, writes, atomics, sum(self.bytes[first : first + 3]))


@dataclass(frozen=True)
class _Launched:
    """The data of a launch that reports of its faults need."""

    kernel: Signature
    block: Extent
    grid: Extent
    arrays: tuple[tuple[Argument, Array], ...]
    message: str
    limit: float


class WatchedModule(CpuModule):
    """Compiled text with instrumented accesses."""

    def __init__(
        self, path: Path, name: str, real: Real, dynamic: Sequence[str], reach: Reach | None = None
    ) -> None:
        super().__init__(path, name, real)
        self._reach = reach
        self._path = path
        self._dynamic = dynamic[0] if dynamic else "dynamic shared memory"
        handle = self._library.handle
        handle.s2sad_watch_arena.argtypes = [ctypes.c_uint32, ctypes.c_uint32]
        handle.s2sad_watch_arena.restype = ctypes.c_void_p
        handle.s2sad_watch_array.argtypes = [
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_uint32,
            ctypes.c_uint32,
        ]
        handle.s2sad_watch_array.restype = None
        handle.s2sad_watch_limit.argtypes = [ctypes.c_double]
        handle.s2sad_watch_limit.restype = None
        handle.s2sad_watch_faults.argtypes = [ctypes.POINTER(ctypes.POINTER(_Found))]
        handle.s2sad_watch_faults.restype = ctypes.c_uint32
        handle.s2sad_watch_last.argtypes = [
            ctypes.c_uint32,
            ctypes.c_uint64,
            ctypes.c_uint32,
            ctypes.POINTER(_Side),
        ]
        handle.s2sad_watch_last.restype = ctypes.c_uint32
        handle.s2sad_watch_tally.argtypes = [ctypes.POINTER(_Tally)]
        handle.s2sad_watch_tally.restype = None
        handle.s2sad_watch_fixed.restype = ctypes.c_uint64

    def inspect(
        self,
        kernel: Signature,
        grid: Extent,
        block: Extent,
        args: Mapping[str, Value],
        shared_bytes: int = 0,
        *,
        order: Order = "forward",
        strict: bool = False,
        limit: float = 0.0,
        asked: Sequence[tuple[str, int]] = (),
    ) -> Inspection:
        """Launch the kernel on copies of the arrays. Raises LaunchFailed if the launch can't start.

        `limit`: seconds after which the launch is ended and reported as endless; 0 for none.
        It uses the process's alarm, so only a worker's main thread may set it.
        """
        places = [place(kernel, name, element, self._real) for name, element in asked]
        launch = packed(kernel, args, self._real)
        kernel, args = launch.kernel, launch.args
        entry, packer, _ = self._entries.get(id(kernel)) or self._find(kernel)
        header = header_bytes(grid, block, shared_bytes, order, strict)
        passed_on = [
            (argument, value)
            for argument in kernel.arguments
            if argument.pointer and isinstance(value := args.get(argument.name), np.ndarray)
        ]
        arrays = (*passed_on, *launch.held)
        packer.pack(header, args, kernel.name)  # report type errors for the caller's own arrays
        with self._library.lock:
            passed = self._place_arrays(kernel, arrays, args)
            self._library.handle.s2sad_watch_limit(limit)
            if self._reach is not None:
                self._reach.begin(self._library.handle)
            message = self._run(entry, packer.pack(header, passed, kernel.name))
            launched = _Launched(kernel, block, grid, arrays, message or "", limit)
            last = tuple(
                self._last(launched, name, element, at)
                for (name, element), at in zip(asked, places, strict=True)
            )
            faults = tuple(self._faults(launched))
            tally = _Tally()
            self._library.handle.s2sad_watch_tally(ctypes.byref(tally))
            coverage = self._reach.end(self._library.handle, kernel.name) if self._reach else None
            return Inspection(faults, tally.told(), last, coverage)

    def _place_arrays(
        self,
        kernel: Signature,
        arrays: Sequence[tuple[Argument, Array]],
        args: Mapping[str, Value],
    ) -> dict[str, Value]:
        """Return the arguments with arrays copied into a new arena."""
        handle = self._library.handle
        largest = max((array.nbytes for _, array in arrays), default=0)
        bits = max(_SMALLEST_SLOT, (4 * largest).bit_length())
        start = handle.s2sad_watch_arena(len(arrays), bits)
        if not start:
            raise LaunchFailed(f"{self._name}: {kernel.name}: no memory to watch {len(arrays)} arrays in")
        passed = dict(args)
        for number, (argument, array) in enumerate(arrays):
            address = start + (number << bits) + (1 << (bits - 2))
            room: Any = (ctypes.c_char * max(array.nbytes, 1)).from_address(address)
            view: Array = np.ndarray(array.shape, array.dtype, room)
            view[...] = array
            if argument.held:
                place = address if array.size else 0  # an empty array is absent
                passed[argument.within] = pointing(passed[argument.within], argument, place)
            else:
                passed[argument.name] = view
            grain = _grain(array.itemsize)
            handle.s2sad_watch_array(number, address, array.nbytes, grain, int(argument.const))
        return passed

    def _faults(self, launched: _Launched) -> Iterator[Fault]:
        found = ctypes.POINTER(_Found)()
        count = self._library.handle.s2sad_watch_faults(ctypes.byref(found))
        own = [one for one in found[:count] if not self._of_a_guard(one)]
        told = [self._fault(one, launched) for one in own]
        yield from told
        ended = any(one.kind in (_NOWHERE, _PAST_END) for one in own)
        ended = ended or any(fault.kind in ("endless", *_LEAVES) for fault in told)
        if launched.message and not ended:
            divergent = launched.message.startswith("divergent barrier")
            kind: Kind = "divergent-barrier" if divergent else "failed"
            yield Fault(kind, launched.kernel.name, detail=launched.message)

    def _last(
        self, launched: _Launched, name: str, element: int, at: tuple[str, int, int] | None
    ) -> Access | None:
        """Return the last write of an element; None if there is none. `at`: place of a field's element."""
        for number, (argument, array) in enumerate(launched.arrays):
            whole, start, size = at or (name, element * array.itemsize, array.itemsize)
            if argument.name == whole:
                who = _Side()
                if self._library.handle.s2sad_watch_last(number, start, size, ctypes.byref(who)):
                    return self._access(who, launched)
        return None

    def _of_a_guard(self, found: _Found) -> bool:
        """Whether the access is to a guard variable of the compiler, which isn't in the text."""
        if found.array != _MODULE:
            return False
        variable = lines.read(self._path).variable(found.offset)
        return variable is not None and variable.guard

    def _fault(self, found: _Found, launched: _Launched) -> Fault:
        kind = _KINDS[found.kind]
        here = self._access(found.here, launched)
        if found.line:
            here = Access(here.what, here.block, here.thread, found.line)
        accesses: tuple[Access, ...] = (here,)
        array, element, detail = self._place(found, launched)
        text = found.text.decode("utf-8", "replace").strip("'")
        match kind:
            case "race":
                kind = "same-value" if found.same else "race"
                accesses = (here, self._access(found.there, launched))
            case "out-of-bounds" if found.kind == _PAST_END:
                detail = f"index {found.offset} of an array {text}"
            case "unwritten-shared":
                detail = "no thread of the block has written it"
            case "misaligned":
                detail = f"an address that isn't a multiple of {found.size}"
            case "division-by-zero":
                detail = f"division of {text} by zero"
                if found.offset:
                    detail = f"division of {text} whose result doesn't fit"
            case "missing-return":
                detail = "a function ends without returning its value"
            case "missed-barrier":
                first = _position(found.there.thread, launched.block)
                others = f" and {found.size - 1} more" if found.size > 1 else ""
                detail = f"thread {first}{others} of the block returned before the barrier"
            case "endless":
                there = self._access(found.there, launched)
                if there.line is not None:
                    accesses = (Access(here.what, here.block, here.thread, there.line),)
                detail = f"still running after {launched.limit:g} s (--timeout gives it longer)"
            case _:
                pass
        return Fault(kind, launched.kernel.name, array, element, accesses, detail, found.count)

    def _access(self, side: _Side, launched: _Launched) -> Access:
        line = lines.read(self._path).line(side.place, quoted(self._name)) if side.place else None
        return Access(
            _ACCESSES[side.access],
            _position(side.block, launched.grid),
            _position(side.thread, launched.block),
            line,
        )

    def _place(self, found: _Found, launched: _Launched) -> tuple[str, int | None, str]:
        """Return the name and element of the accessed variable, and why the access is out of bounds."""
        if found.array < len(launched.arrays):
            argument, array = launched.arrays[found.array]
            size = array.itemsize
            return argument.name, found.offset // size, f"{argument.name} has {array.size} elements"
        size = max(found.size, 1)
        if found.array == _DYNAMIC:
            return self._dynamic, found.offset // size, "beyond the bytes that the launch asks for"
        if found.array in (_FIXED, _MODULE):
            start = found.offset
            if found.array == _FIXED:
                start += self._library.handle.s2sad_watch_fixed()
            known = lines.read(self._path)
            variable = known.variable(start)
            if variable is not None and variable.name == _PAST_SHARED:
                before = (known.variable(variable.start - back) for back in range(1, _ALIGNED))
                variable = next((one for one in before if one is not None), None)
            if variable is None:
                return "shared memory" if found.array == _FIXED else "a variable", None, ""
            if variable.name == "s2sad_lodgings":
                return self._lodger(start - variable.start, size)
            return variable.name, (start - variable.start) // size, "beyond its end"
        if found.kind == _NOWHERE:
            near = "a null pointer" if 0 <= found.offset < 1 << 16 else "an address in no array"
            return "memory", None, near
        return "", None, ""

    def _lodger(self, place: int, size: int) -> tuple[str, int | None, str]:
        """Like `_place`, for a shared variable in the engine's room (shared.py)."""
        ask, start = self._library.handle.s2sad_lodger_at, ctypes.c_size_t()
        ask.argtypes, ask.restype = [ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)], ctypes.c_char_p
        name = ask(place, ctypes.byref(start))
        if name is None:
            return "shared memory", None, ""
        return name.decode(), (place - start.value) // size, "beyond its end"


def _grain(size: int) -> int:
    """Return the initial granularity of shadow cells; a smaller access refines it."""
    return min(size & -size, 16) if size > 1 else 8


def _position(number: int, extent: Extent) -> Extent:
    x, y, _ = extent
    return number % x, number // x % y, number // x // y
