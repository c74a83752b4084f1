"""Arrays with a margin on both sides that shows whether a kernel wrote beyond their ends.

The compiled kernel runs in plain memory, where a store just past an array lands in
something else of this process and is seen by nobody. Here it lands in the margin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .elements import Array

_MARGIN = 4096  # bytes, and the array's own size: room for one that is too short by half
_ALIGNMENT = 16
_PATTERN = 0xA5


class Guarded:
    """`array` is a copy of an array, 16-byte aligned, with margins around it."""

    def __init__(self, array: Array) -> None:
        margin = _MARGIN + array.nbytes
        self._room: NDArray[np.uint8] = np.full(array.nbytes + 2 * margin + _ALIGNMENT, _PATTERN, np.uint8)
        self._start = margin + -(self._room.ctypes.data + margin) % _ALIGNMENT
        self._end = self._start + array.nbytes
        self.array: Array = self._room[self._start : self._end].view(array.dtype).reshape(array.shape)
        self.array[...] = array

    @property
    def whole(self) -> bool:
        """Whether the margins are as they were."""
        before, after = self._room[: self._start], self._room[self._end :]
        return bool((before == _PATTERN).all() and (after == _PATTERN).all())
