"""Shared memory in the adjoint: arrays beside the primal's, zeroed by the block before they are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..analysis.versions import Versions
from ..ir import (
    BOOL,
    INT,
    UINT,
    Array,
    Assign,
    Barrier,
    Binary,
    Clear,
    Const,
    Declare,
    Expr,
    For,
    Place,
    Special,
    Stmt,
    Sym,
)
from .algebra import converted
from .syms import uses


def with_shared(
    body: Sequence[Stmt], versions: Versions, adjoints: Mapping[Sym, Sym], dimensions: int
) -> list[Stmt]:
    """The body with the shared arrays that it uses declared at its top, and their adjoints zeroed."""
    used = set(uses(body))
    declared: list[Stmt] = []
    zeroed: list[Stmt] = []
    for stmt in versions.order:
        if not isinstance(stmt, Declare) or stmt.sym.storage != "shared":
            continue
        if stmt.sym in used:
            declared.append(Declare(stmt.sym, span=stmt.span))
        adjoint = adjoints.get(stmt.sym)
        if adjoint is not None and adjoint in used:
            declared.append(Declare(adjoint))
            zeroed.append(_zeroed(adjoint, dimensions))
    if zeroed:
        zeroed.append(Barrier())
    return [*declared, *zeroed, *body]


def _zeroed(sym: Sym, dimensions: int) -> Stmt:
    """Every element set to zero, by all threads of the block together."""
    assert isinstance(sym.type, Array)
    q = Sym("q", INT)
    at: Expr = Place(q, (), INT)
    first, step = converted(linear_thread(dimensions), INT), block_size(dimensions)
    test = Binary("<", at, Const(sym.type.elements, INT, spelling=_count(sym.type)), BOOL)
    more = Assign(Place(q, (), INT), step, "+=")
    clear = Clear(Place(sym, _indices(at, sym.type), sym.type.element))
    return For((Declare(q, first),), test, (more,), (clear,))


def _count(array: Array) -> str:
    """How many elements, in the author's words."""
    texts = [_spelled(array, position) for position in range(len(array.extents))]
    return " * ".join(texts) if len(texts) > 1 else (array.spelled or texts)[0] or texts[0]


def _indices(at: Expr, array: Array) -> tuple[Expr, ...]:
    """The element that is the so-many-th."""
    found: list[Expr] = []
    for position in range(len(array.extents) - 1, 0, -1):
        extent = Const(array.extents[position], INT, spelling=_spelled(array, position))
        found.insert(0, Binary("%", at, extent, INT))
        at = Binary("/", at, extent, INT)
    return (at, *found)


def _spelled(array: Array, position: int) -> str:
    """One extent, in brackets where it is more than a name or a number."""
    text = (array.spelled[position] if array.spelled else "") or str(array.extents[position])
    return text if text.replace("_", "").isalnum() else f"({text})"


def linear_thread(dimensions: int) -> Expr:
    """A thread's number in its block, over as many dimensions as matter."""
    found: Expr = Special("threadIdx", "xyz"[dimensions - 1])
    for axis in reversed("xyz"[: dimensions - 1]):
        found = Binary("*", found, Special("blockDim", axis), UINT)
        found = Binary("+", found, Special("threadIdx", axis), UINT)
    return found


def block_size(dimensions: int) -> Expr:
    """How many threads a block has, over as many dimensions as matter."""
    found: Expr = Special("blockDim", "x")
    for axis in "xyz"[1:dimensions]:
        found = Binary("*", found, Special("blockDim", axis), UINT)
    return found
