"""Arrays whose numbers are side by side: the tangents of several directions, the adjoints of several seeds.

x[0] x[1] x[2]  and  y[0] y[1] y[2]      ->      x[0] y[0] x[1] y[1] x[2] y[2]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..signature import Argument, Signature, fields
from .elements import Array


def inside(kernel: Signature, argument: Argument) -> tuple[int, ...]:
    """Return the extents of a field in its struct."""
    whole = next((a for a in kernel.wholes if a.name == argument.within), None)
    if whole is None or whole.layout is None:
        return ()
    return next(extents for path, _, extents in fields(whole.layout) if path == argument.path)


def side_by_side(every: Sequence[Array], inside: tuple[int, ...]) -> Array:
    """Return arrays as one, with the numbers or structs at one place side by side."""
    return np.stack([one.reshape(-1, *inside) for one in every], axis=1).reshape(-1, *inside)


def one_of(array: Array, count: int, inside: tuple[int, ...], number: int, shape: tuple[int, ...]) -> Array:
    """Return one of the arrays that are side by side."""
    return array if count == 1 else array.reshape(-1, count, *inside)[:, number].reshape(shape)
