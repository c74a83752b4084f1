"""The types in which adjoints are accumulated."""

from __future__ import annotations

from dataclasses import replace

from ...ir import Array, Pointer, Scalar, Type, wide


def summed(type: Type) -> Type:
    """The type in which the adjoint of a variable of this type is accumulated (`wide` of its scalar)."""
    match type:
        case Scalar():
            return wide(type)
        case Array():
            return replace(type, element=wide(type.element))
        case Pointer():
            return replace(type, target=summed(type.target))
        case _:
            return type
