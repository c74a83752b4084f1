"""A case made of a caller's arrays, instead of a file."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from ..signature import Signature
from .arguments import dimensions, prepare
from .case import Case
from .fills import Fill
from .recipe import ArraySpec, LaunchSpec, Number, Recipe
from .spread import spread


def given(
    kernel: Signature,
    args: Mapping[str, ArrayLike],
    grid: int | tuple[int, ...],
    block: int | tuple[int, ...],
    shared_bytes: int = 0,
) -> Case:
    """Return the case of that launch, for the primal's signature. Raises Rejected.

    Values aren't rounded to the parameters' types: a check runs in doubles.
    """
    launch = LaunchSpec(dimensions("grid", grid), dimensions("block", block), shared_bytes)
    args = spread(args, kernel)
    fitting = prepare(args, kernel)
    values: dict[str, Number | ArraySpec] = {}
    for argument in kernel.arguments:
        value = fitting[argument.name]
        if isinstance(value, np.ndarray):
            array = np.asarray(args[argument.name])
            fill = Fill("values", values=tuple(array.ravel().tolist()), extents=array.shape)
            values[argument.name] = ArraySpec(argument.type, None, fill, 0)
        else:
            values[argument.name] = value
    return Case(kernel.name, kernel.dependents, kernel.independents, Recipe(launch, values))
