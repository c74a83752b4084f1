"""Arguments to try a binding on: those of the kernel's case, or of a draft."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from .. import drafting
from ..validate import Case
from ..validate.elements import Array
from ..validate.expressions import ExpressionError
from ..validate.recipe import ArraySpec

if TYPE_CHECKING:
    from ..pipeline import Transformed
    from .model import Binding, Parameter


def trial(binding: Binding, done: Transformed, case: Case | None) -> Mapping[str, object]:
    """Return a value for each parameter that the caller passes: a number, or shape and fill of an array."""
    read = case or Case.parse(drafting.of_transformed(done), done.pair.primal)
    values = read.setting().args
    integers = [p.name for p in binding.parameters if p.role == "integer"]
    numbers = {name: value for name in integers if isinstance(value := values[name], int)}
    found: dict[str, object] = {}
    for parameter in binding.passed:
        held = f"{parameter.name}.data_" if parameter.rank else parameter.name
        value, spec = values[held], read.recipe.args[held]
        if not parameter.array:
            found[parameter.name] = value
            continue
        assert isinstance(spec, ArraySpec)
        assert isinstance(value, np.ndarray)
        shape = _shape(binding, parameter, numbers) or value.shape
        found[parameter.name] = {"shape": tuple(int(n) for n in shape), **_fill(spec, value)}
    return found


def _shape(binding: Binding, parameter: Parameter, numbers: Mapping[str, int]) -> tuple[int, ...] | None:
    """Return the extents that the launch states, or implies by naming them; None if it does neither."""
    shape = binding.shape(parameter)
    if shape is not None and shape.like:
        return _shape(binding, binding.parameter(shape.like), numbers)
    if shape is not None:
        passed = {name: n for name, n in numbers.items() if name not in binding.launch.sizes}
        try:
            return tuple(extent.value(passed) for extent in shape.extents)
        except ExpressionError:
            return None
    extents: dict[int, int] = {}
    for name, size in binding.launch.sizes.items():
        array, _, part = size.text.strip().partition(".dim")
        if array == parameter.name and part.isdigit():
            extents[int(part)] = numbers[name]
    return tuple(extents[k] for k in sorted(extents)) if extents.keys() == {*range(len(extents))} else None


def _fill(spec: ArraySpec, value: Array) -> dict[str, object]:
    return {"seed": spec.seed, **_kind(spec, value)}


def _kind(spec: ArraySpec, value: Array) -> dict[str, object]:
    fill = spec.fill
    match fill.kind:
        case "uniform":
            return {"fill": "uniform", "low": fill.low, "high": fill.high}
        case "zeros" | "ones" | "arange" | "permutation" | "normal":
            return {"fill": fill.kind}
        case "randint" | "sorted":
            return {"fill": fill.kind, "low": int(value.min()), "high": int(value.max()) + 1}
        case _:
            return {"fill": "values", "values": value.ravel().tolist()}
