"""The inputs of an adjoint: as doubles that floats can hold, as floats, or perturbed by some units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .elements import Array, Reals, nearest
from .recipe import Value

UNIT = 2.0**-23
UNITS = {"__half": 2.0**-10, "__nv_bfloat16": 2.0**-7}

# An adjoint may lose ten of float's 24 bits more than its problem does: three digits of seven. Correct
# ones lose five and a half in practice (n-body forces, one of them on the body itself), eight if a
# factor 1 - r * r is small; 1 - cos(x) for a small x loses all. From thirteen, exact tangents detect it.
MOST = 1024.0


@dataclass(frozen=True)
class Given:
    """The inputs of the adjoint, and which of them are `float` in the text."""

    values: Mapping[str, Value]
    buffers: Mapping[str, Array]
    float_values: frozenset[str]
    float_buffers: frozenset[str]
    halves: Mapping[str, str] = field(default_factory=dict)  # half-precision ones, and their types

    @property
    def unit(self) -> float:
        """The accuracy of the least accurate type."""
        return max((UNITS[type] for type in self.halves.values()), default=UNIT)

    @property
    def most(self) -> float:
        """The units that may be lost; for half precision, which has few, up to half of a value."""
        return min(MOST, 0.5 / self.unit)

    def rounded(self) -> Given:
        """Round to values that are representable as float, still stored as doubles."""
        return self.holding(
            {n: self._rounded(n, v) if n in self.float_values else v for n, v in self.values.items()},
            {
                n: self._to_float(n, v).astype(np.float64) if n in self.float_buffers else v
                for n, v in self.buffers.items()
            },
        )

    def _to_float(self, name: str, array: Array) -> Array:
        return nearest(array, self.halves.get(name, "float"))

    def _rounded(self, name: str, value: Value) -> Value:
        if isinstance(value, np.ndarray):
            return self._to_float(name, value).astype(np.float64)
        return float(self._to_float(name, np.asarray(value))[()])

    def narrow(self) -> Given:
        """Convert to arrays of floats."""
        return self.holding(
            {
                n: self._to_float(n, v) if n in self.float_values and isinstance(v, np.ndarray) else v
                for n, v in self.values.items()
            },
            {n: self._to_float(n, v) if n in self.float_buffers else v for n, v in self.buffers.items()},
        )

    def moved(self, units: float, random: np.random.Generator) -> Given:
        """Perturb everything except integers; doubles too, because the text may convert them to float."""
        return self.holding(
            {n: _moved(v, units * self.unit, random) for n, v in self.values.items()},
            {n: _moved_array(v, units * self.unit, random) for n, v in self.buffers.items()},
        )

    def holding(self, values: Mapping[str, Value], buffers: Mapping[str, Array]) -> Given:
        return Given(values, buffers, self.float_values, self.float_buffers, self.halves)


def _moved(value: Value, share: float, random: np.random.Generator) -> Value:
    if isinstance(value, np.ndarray):
        return _moved_array(value, share, random)
    if isinstance(value, float):
        return value * (1 + share * _drawn((), random).item())
    return value


def _moved_array(array: Array, share: float, random: np.random.Generator) -> Array:
    if array.dtype.kind != "f":
        return array
    moved: Array = array.astype(np.float64) * (1 + share * _drawn(array.shape, random))
    return moved


def _drawn(shape: tuple[int, ...], random: np.random.Generator) -> Reals:
    """Draw from ±[0.5, 1.5]: never zero, and no two cancel exactly."""
    size: Reals = random.uniform(0.5, 1.5, shape) * random.choice((-1.0, 1.0), shape)
    return size
