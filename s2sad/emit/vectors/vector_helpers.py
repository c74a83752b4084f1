"""The operators, `dot` and `cross` on vectors that the emitted functions use, for the file's definitions."""

from __future__ import annotations

from collections.abc import Iterable

from ...fields import maker
from ...ir import (
    Accumulate,
    Assign,
    Binary,
    Call,
    Function,
    Scalar,
    Struct,
    Unary,
    all_parts,
    statements,
)
from ..records import View
from .vector_operators import ATOMIC_ADD, CROSS, DOT

_ORDER = ("negative", "+", "-", "*", "scalar *", "* scalar", "/", "+=", "-=", DOT, CROSS, ATOMIC_ADD)


def vector_helpers(functions: Iterable[Function]) -> list[View]:
    """Return what the template needs for each operation on vectors in the functions, in a fixed order."""
    used: dict[tuple[str, Struct], None] = {}
    for function in functions:
        for part in all_parts(*function.body):
            match part:
                case Unary("-", type=Struct() as vector):
                    used["negative", vector] = None
                case Binary("*", left, right, Struct() as vector):
                    scaled = "scalar *" if isinstance(left.type, Scalar) else "* scalar"
                    used["*" if left.type == right.type else scaled, vector] = None
                case Binary(op, _, _, Struct() as vector):
                    used[op, vector] = None
                case Call(args=args, callee="dot" | "cross" as name) if isinstance(args[0].type, Struct):
                    used[name, args[0].type] = None
                case _:
                    pass
        for stmt in statements(function.body):
            match stmt:
                case Accumulate(target) if isinstance(target.type, Struct):
                    op = ATOMIC_ADD if stmt.how == "atomic" else "-=" if stmt.negative else "+="
                    used[op, target.type] = None
                    if op == ATOMIC_ADD and stmt.negative:
                        used["negative", target.type] = None
                case Assign(target, _, "+=" | "-=" as op) if isinstance(target.type, Struct):
                    used[op, target.type] = None
                case _:
                    pass
    found = sorted(used, key=lambda one: (one[1].name, _ORDER.index(one[0])))
    return [_view(kind, vector) for kind, vector in found]


def _view(kind: str, vector: Struct) -> View:
    element = vector.fields[0].type
    assert isinstance(element, Scalar)
    return {
        **{"kind": kind, "vector": vector.name, "real": element.spelled},
        **{"maker": maker(vector) if vector.built_in else "", "fields": [f.name for f in vector.fields]},
    }
