"""Directional derivatives of a primal, from its own text and without a step size.

The text is compiled with dual numbers. The result is exact to
rounding, whatever the function; at a kink it is the derivative of the executed branch, as
in an adjoint. This shares no code with the transformation, nor with the differences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Code, Rejected, diagnose
from ..run.backend import Decisions, Differentiator, LaunchFailed
from ..signature import Signature
from .elements import Array, Reals, is_floating
from .recipe import Launch, Value

Direction = Mapping[str, Array | float]
"""By parameter; zero if there is no entry."""


@dataclass(frozen=True)
class Pushed:
    """Arrays after the primal, their tangents, and its decisions."""

    outputs: Mapping[str, Array]
    tangents: Mapping[str, Reals]
    decisions: Decisions


class Tangents:
    """A primal compiled with tangents. Raises run.backend's CompileFailed, WatchUnavailable."""

    def __init__(
        self, text: str, kernel: Signature, backend: Differentiator, file: str, *, rounded: bool = False
    ) -> None:
        self._kernel = kernel
        self._module = backend.differentiate(text, [kernel], name=file, rounded=rounded)

    def push(self, launch: Launch, args: Mapping[str, Value], direction: Direction, shake: int = 0) -> Pushed:
        """Launch along a direction, in double precision. Raises Rejected: `launch-failed`.

        `shake`: a seed, to round at random, which shows the accuracy of the result.
        """
        given: dict[str, Value | np.generic] = {}
        for argument in self._kernel.arguments:
            if argument.role == "value":
                value = args[argument.name]
                given[argument.name] = (
                    _with_tangent(value, direction.get(argument.name, 0.0))
                    if is_floating(argument.type)
                    else np.array(value, copy=True)
                    if isinstance(value, np.ndarray)
                    else value
                )
        try:
            # a dual number is twice as large as a double
            decisions = self._module.push(
                self._kernel, launch.grid, launch.block, given, 2 * launch.shared_bytes, shake=shake
            )
        except LaunchFailed as error:
            raise Rejected(
                diagnose(Code.LAUNCH_FAILED, None, kernel=self._kernel.name, reason=str(error))
            ) from error
        arrays = {name: value for name, value in given.items() if isinstance(value, np.ndarray)}
        return Pushed(
            {name: _real(array) for name, array in arrays.items() if array.ndim},
            {name: array.imag.copy() for name, array in arrays.items() if array.dtype.kind == "c"},
            decisions,
        )


def _with_tangent(value: Value, tangent: Array | float) -> Value | np.generic:
    if not isinstance(value, np.ndarray):
        number: np.generic = np.complex128(complex(float(value), float(np.asarray(tangent).reshape(()))))
        return number
    whole: NDArray[np.complex128] = np.empty(value.shape, np.complex128)
    whole.real = value
    whole.imag = tangent
    return whole


def _real(array: Array) -> Array:
    return array.real.copy() if array.dtype.kind == "c" else array
