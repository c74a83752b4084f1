"""The directional derivative of a whole chain, from its kernels' own texts and without a step size.

All arrays are of dual numbers: the real part is the value, the imaginary part the tangent. This
shares the order of launches with the gradient, and nothing of the adjoints.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..diagnostics import Code, Rejected, diagnose
from ..run.backend import (
    Backend,
    BackendUnavailable,
    CompileFailed,
    Differentiator,
    Dual,
    LaunchFailed,
    WatchUnavailable,
)
from ..validate.elements import Array, Reals, is_floating
from ..validate.recipe import Value
from .engine import Machine, State
from .flow import Plan
from .kernels import Kernels
from .linking import Call, Linked


class DualMachine(Machine):
    """A chain compiled with dual numbers; it only runs forwards. Raises BackendUnavailable."""

    def __init__(self, chain: Linked, kernels: Kernels, plan: Plan, backend: Backend) -> None:
        self._dual: dict[Call, Dual] = {}
        super().__init__(chain, kernels, plan, backend, "double")

    def _compile(self, backend: Backend) -> None:
        if not isinstance(backend, Differentiator):
            raise BackendUnavailable(f"the {backend.name} backend doesn't support tangents; cpu does")
        for call in self.chain.calls:
            name = call.source.name
            reverse = self.kernels.reverse.get(call)
            text = reverse.pair.wide_text if reverse is not None else self.kernels.primal[call]
            try:
                self._dual[call] = backend.differentiate(text, [call.kernel], name=name)
            except CompileFailed as error:
                raise Rejected(diagnose(Code.COMPILE_FAILED, None, file=name, reason=str(error))) from error
            except WatchUnavailable as error:
                raise BackendUnavailable(str(error)) from error

    def push(self, values: Mapping[str, Value], along: Mapping[str, Array]) -> dict[str, Reals]:
        """Run along a direction in double precision; return the tangents of the arrays at the end."""
        dual = {name: self._with_tangent(name, value, along) for name, value in values.items()}
        state = self.forward(dual)
        return {name: array.imag.copy() for name, array in state.items() if array.dtype.kind == "c"}

    def _with_tangent(self, name: str, value: Value, along: Mapping[str, Array]) -> Value:
        kind = {**self.chain.arrays, **self.chain.scalars}[name]
        if not is_floating(kind):
            return value
        tangent = along.get(name, np.zeros(np.shape(value)))
        whole = np.asarray(value, np.complex128) + 1j * np.asarray(tangent, np.float64)
        if isinstance(value, np.ndarray):
            return whole
        number: np.generic = np.complex128(whole)
        return number  # type: ignore[return-value]

    def _launch(self, call: Call, state: State, at: dict[str, int]) -> None:
        geometry = self._geometry(call, at)
        values = self._values(call, state, at)
        for argument in call.kernel.arguments:
            if not argument.pointer and is_floating(argument.type):
                values[argument.name] = np.complex128(values[argument.name])  # type: ignore[assignment]
        try:
            self._dual[call].push(
                call.kernel, geometry.grid, geometry.block, values, 2 * geometry.shared_bytes
            )
        except LaunchFailed as error:
            name = call.kernel.name
            raise Rejected(diagnose(Code.LAUNCH_FAILED, None, kernel=name, reason=str(error))) from error
