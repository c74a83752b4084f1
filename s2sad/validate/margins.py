"""Arrays with margins on both sides, which show whether a kernel wrote out of bounds.

The compiled kernel runs in plain memory, where a store just past an array would modify
other data of this process unnoticed. Here it modifies the margin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .elements import Array

_MARGIN = 4096  # bytes, in addition to the array's own size: the array may be too short by half
_ALIGNMENT = 16
_PATTERN = 0xA5


class Guarded:
    """A copy of an array, 16-byte aligned, with margins around it."""

    def __init__(self, array: Array) -> None:
        margin = _MARGIN + array.nbytes
        self._room: NDArray[np.uint8] = np.full(array.nbytes + 2 * margin + _ALIGNMENT, _PATTERN, np.uint8)
        self._start = margin + -(self._room.ctypes.data + margin) % _ALIGNMENT
        self._end = self._start + array.nbytes
        self.array: Array = self._room[self._start : self._end].view(array.dtype).reshape(array.shape)
        self.array[...] = array

    @property
    def whole(self) -> bool:
        """Whether the margins are unmodified."""
        before, after = self._room[: self._start], self._room[self._end :]
        return bool((before == _PATTERN).all() and (after == _PATTERN).all())
