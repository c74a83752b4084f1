"""Load an element once for a value and its tangent, where the store between them could change it.

tan_y[i] = 2.0f * x[i] * tan_x[i];         const float x_i = x[i];
y[i] = x[i] * x[i];                   ->   tan_y[i] = 2.0f * x_i * tan_x[i];
                                           y[i] = x_i * x_i;

The author's pointers may point into one array, so that a compiler reads x[i] again after the first
store. Through `__restrict__`, or of another type, it knows better.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from ...ir import (
    AddressOf,
    Assign,
    Binary,
    Const,
    Declare,
    Expr,
    Place,
    Pointer,
    Scalar,
    Select,
    Stmt,
    Sym,
    walk,
)
from ..common.adjoint_names import by_operation, element_name
from ..common.algebra import rewrite


def shared_loads(slope: Assign, value: Assign) -> tuple[list[Stmt], Assign, Assign]:
    """Names for what a store of a tangent and the next of its value both read, and the two stores."""
    into = slope.target
    if not isinstance(into.sym.type, Pointer) or into.sym.type.restrict:
        return [], slope, value
    read = frozenset(walk(slope.value))
    names: dict[Expr, Expr] = {}
    before: list[Stmt] = []
    for part in sorted(dict.fromkeys(_certain(value.value, read)), key=_size):
        if isinstance(part.type, Scalar) and any(_may_alias(inner, into) for inner in walk(part)):
            stem = element_name(part.sym.plain, part) if isinstance(part, Place) else by_operation(part, "")
            sym = Sym(stem or "value", part.type, const=True)
            before.append(Declare(sym, rewrite(part, names.get), value.span))
            names[part] = Place(sym, (), sym.type)
    if not before:
        return [], slope, value
    new = replace(value, value=rewrite(value.value, names.get), spelling=None)
    return before, replace(slope, value=rewrite(slope.value, names.get)), new


def _size(expr: Expr) -> int:
    return sum(1 for _ in walk(expr))


def _may_alias(part: Expr, stored: Place) -> bool:
    """Whether a compiler must assume that a store changes what an expression reads."""
    if not isinstance(part, Place) or not part.index:
        return False
    kind = part.sym.type
    return isinstance(kind, Pointer) and not kind.restrict and part.type == stored.type


def _certain(expr: Expr, wanted: Container[Expr]) -> Iterator[Expr]:
    """The largest wanted parts of an expression that it evaluates whatever its conditions are."""
    if expr in wanted and not isinstance(expr, Const):
        yield expr
        return
    match expr:
        case Select(cond):
            yield from _certain(cond, wanted)
        case Binary("&&" | "||", left):
            yield from _certain(left, wanted)
        case AddressOf() | Place():
            pass
        case _:
            for part in expr.operands:
                yield from _certain(part, wanted)
