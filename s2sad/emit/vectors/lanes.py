"""Which component of a vector a symbol is, and whether two expressions differ in the component alone.

The statements of one operation on vectors, one for each component, are what superword-level parallelism
calls a pack, and the components are its lanes.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from ...ir import (
    AddressOf,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Expr,
    How,
    Place,
    Select,
    Special,
    Struct,
    Sym,
    Unary,
    bodies,
)
from ...transform.common.symbol_uses import begun
from ..struct_members import member_of

PLAIN: frozenset[How] = frozenset({"local", "owner", "phase", "atomic"})
"""Additions that a thread makes by itself."""


@dataclass(frozen=True)
class Lane:
    """A component of a vector: which variable's, or which field's of a variable, and its number."""

    of: tuple[object, ...]
    vector: Struct
    number: int


@dataclass(frozen=True)
class Apart:
    """The components in which two expressions differ."""

    vector: Struct
    first: int
    other: int


class Lanes:
    """The components that symbols are: fields of vectors, and variables that are found to be such.

    Two variables of one name, in different bodies, are two vectors. In one body their components can't
    be told apart: they are none, and free to become components of others.
    """

    def __init__(self, vectors: Collection[Struct], body: Body) -> None:
        self.vectors = frozenset(vectors)
        self.found: dict[Sym, Lane | None] = {}
        self.taken: dict[tuple[tuple[object, ...], int], Sym] = {}
        self.places: dict[Sym, int] = {}  # the body that declares each
        self._declared(body, itertools.count())

    def _declared(self, body: Body, numbers: Iterator[int]) -> None:
        """Find the body that declares each component, and those of which it declares several."""
        number = next(numbers)
        rows: dict[tuple[tuple[object, ...], int], list[Sym]] = {}
        for stmt in body:
            sym = begun(stmt)
            if sym is not None:
                self.places[sym] = number
                if (lane := self._field(sym)) is not None:
                    rows.setdefault((lane.of, lane.number), []).append(sym)
            for inner in bodies(stmt):
                self._declared(inner, numbers)
        twice = {of for (of, _), syms in rows.items() if len(syms) > 1}
        self.found |= {sym: None for (of, _), syms in rows.items() if of in twice for sym in syms}

    def of(self, sym: Sym) -> Lane | None:
        """Return the component that a symbol is, if any."""
        if sym not in self.found:
            lane = self._field(sym)
            if lane is not None and self.taken.setdefault((lane.of, lane.number), sym) is not sym:
                lane = None
            self.found[sym] = lane
        return self.found[sym]

    def _field(self, sym: Sym) -> Lane | None:
        member = member_of(sym)
        if member is None or not member.path:
            return None
        struct = member.struct
        for name in member.path[:-1]:
            inner = next(f.type for f in struct.fields if f.name == name)
            if not isinstance(inner, Struct):
                return None
            struct = inner
        struct = replace(struct, extents=(), spelled=())
        if struct not in self.vectors:
            return None
        number = [f.name for f in struct.fields].index(member.path[-1])
        return Lane((member.author, member.name, member.path[:-1], self.places.get(sym)), struct, number)

    def apart(self, first: Expr, other: Expr) -> frozenset[Apart] | None:
        """Return the components in which two expressions differ; None if they differ otherwise."""
        variables = _corresponding(first, other)
        if variables is None:
            return None
        pairs = [self.pair(a, b) for a, b in variables if a is not b]
        found = frozenset(pair for pair in pairs if pair is not None)
        return found if all(pairs) else None

    def turned(self, first: Expr, other: Expr, by: int) -> bool:
        """Whether an expression is another one with every component replaced by the one `by` places on."""
        variables = _corresponding(first, other)
        return variables is not None and all(self._is_turned(a, b, by) for a, b in variables)

    def _is_turned(self, first: Sym, other: Sym, by: int) -> bool:
        one, turned = self.of(first), self.of(other)
        if one is None or turned is None:
            return first is other
        same = (one.of, one.vector) == (turned.of, turned.vector)
        return same and (one.number + by - turned.number) % len(one.vector.fields) == 0

    def pair(self, first: Sym, other: Sym) -> Apart | None:
        """Return the two components of one vector that symbols are."""
        a, b = self.of(first), self.of(other)
        if a is None or b is None or a.of != b.of or a.vector != b.vector or a.number == b.number:
            return None
        return Apart(a.vector, a.number, b.number)


def _corresponding(first: Expr, other: Expr) -> list[tuple[Sym, Sym]] | None:
    """Return the variables at the same places of two expressions; None if these differ in more than those."""
    found: list[tuple[Sym, Sym]] = []
    waiting = [(first, other)]
    while waiting:
        a, b = waiting.pop()
        if isinstance(a, Place) and isinstance(b, Place) and (a.index, a.path) == (b.index, b.path):
            found.append((a.sym, b.sym))
        elif _alike(a, b):
            waiting += zip(a.operands, b.operands, strict=True)
        else:
            return None
    return found


def _alike(a: Expr, b: Expr) -> bool:
    """Whether two expressions are the same but for their operands."""
    match a, b:
        case (Const(), Const()) | (Special(), Special()):
            return a == b
        case (Unary(op=op), Unary(op=other)) | (Binary(op=op), Binary(op=other)):
            return op == other and a.type == b.type
        case (Select(), Select()) | (AddressOf(), AddressOf()):
            return a.type == b.type
        case Cast(), Cast():
            return a.type == b.type and a.implicit == b.implicit
        case Call(), Call():
            same = (a.name, a.callee, a.rule, a.type) == (b.name, b.callee, b.rule, b.type)
            return same and len(a.args) == len(b.args)
        case _:
            return False
