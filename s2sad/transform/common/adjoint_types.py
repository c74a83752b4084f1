"""The types of adjoints while they are computed with."""

from __future__ import annotations

from dataclasses import replace

from ...ir import Array, Pointer, Scalar, Type, wide


def summed(type: Type) -> Type:
    """The type of the adjoint of a variable while it is computed with."""
    match type:
        case Scalar():
            return wide(type)
        case Array():
            return replace(type, element=wide(type.element))
        case Pointer():
            return replace(type, target=summed(type.target))
        case _:
            return type
