"""A loaded library with dual numbers, and the near-ties of its last launch."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from pathlib import Path

from ...signature import Signature
from ..backend import Decisions, Tie
from ..float_widening import Real
from ..values import Extent, Order, Value
from . import lines
from .module import CpuModule, quoted


class _Found(ctypes.Structure):
    _fields_ = [("place", ctypes.c_void_p), ("left", ctypes.c_double), ("right", ctypes.c_double)]


class DualModule(CpuModule):
    """Implements backend.Dual."""

    def __init__(self, path: Path, name: str, real: Real = "dual") -> None:
        super().__init__(path, name, real)
        self._path = path

    def push(
        self,
        kernel: Signature,
        grid: Extent,
        block: Extent,
        args: Mapping[str, Value],
        shared_bytes: int = 0,
        *,
        order: Order = "forward",
        shake: int = 0,
    ) -> Decisions:
        set_shake = self._library.handle.s2sad_shake_launches
        set_shake.argtypes = [ctypes.c_uint64]
        set_shake.restype = None
        # with a small seed, the generator's first numbers would be small
        set_shake(shake * 0x9E3779B97F4A7C15 % (1 << 64))
        self.launch(kernel, grid, block, args, shared_bytes, order=order)
        return self._decisions()

    def _decisions(self) -> Decisions:
        """Return the decisions of the last launch."""
        ask = self._library.handle.s2sad_ties_found
        ask.argtypes = [
            ctypes.POINTER(ctypes.POINTER(_Found)),
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(ctypes.c_uint64),
        ]
        ask.restype = ctypes.c_uint
        found, image, decisions = ctypes.POINTER(_Found)(), ctypes.c_void_p(), ctypes.c_uint64()
        count = ask(ctypes.byref(found), ctypes.byref(image), ctypes.byref(decisions))
        name = quoted(self._name)
        told: dict[int | None, Tie] = {}
        for tie in found[:count]:
            line = lines.read(self._path).line((tie.place or 0) - (image.value or 0), name)
            told.setdefault(line, Tie(line, tie.left, tie.right))
        ties = tuple(told[line] for line in sorted(told, key=lambda line: line or 0))
        return Decisions(ties, decisions.value)
