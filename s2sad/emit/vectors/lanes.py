"""Which component of a vector a symbol is, and whether two expressions differ in the component alone.

The statements of one operation on vectors, one for each component, are what superword-level parallelism
calls a pack, and the components are its lanes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from ...ir import AddressOf, Binary, Call, Cast, Const, Expr, How, Place, Select, Special, Struct, Sym, Unary
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
    """The components that symbols are: fields of vectors, and variables that are found to be such."""

    def __init__(self, vectors: Collection[Struct]) -> None:
        self.vectors = frozenset(vectors)
        self.found: dict[Sym, Lane | None] = {}

    def of(self, sym: Sym) -> Lane | None:
        """Return the component that a symbol is, if any."""
        if sym not in self.found:
            self.found[sym] = self._field(sym)
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
        return Lane((member.author, member.name, member.path[:-1]), struct, number)

    def apart(self, first: Expr, other: Expr) -> frozenset[Apart] | None:
        """Return the components in which two expressions differ; None if they differ otherwise."""
        found: set[Apart] = set()
        waiting = [(first, other)]
        while waiting:
            a, b = waiting.pop()
            if a is b:
                continue
            if isinstance(a, Place) and isinstance(b, Place):
                if a.index != b.index or a.path != b.path:
                    return None
                if a.sym is b.sym:
                    continue
                pair = self.pair(a.sym, b.sym)
                if pair is None:
                    return None
                found.add(pair)
            elif _alike(a, b):
                waiting += zip(a.operands, b.operands, strict=True)
            else:
                return None
        return frozenset(found)

    def turned(self, first: Expr, other: Expr, by: int) -> bool:
        """Whether an expression is another one with every component replaced by the one `by` places on."""
        waiting = [(first, other)]
        while waiting:
            a, b = waiting.pop()
            if isinstance(a, Place) and isinstance(b, Place):
                if a.index != b.index or a.path != b.path:
                    return False
                one, turned = self.of(a.sym), self.of(b.sym)
                if one is None or turned is None:
                    if a.sym is not b.sym:
                        return False
                elif (one.of, one.vector) != (turned.of, turned.vector) or (
                    one.number + by - turned.number
                ) % len(one.vector.fields):
                    return False
            elif _alike(a, b):
                waiting += zip(a.operands, b.operands, strict=True)
            else:
                return False
        return True

    def pair(self, first: Sym, other: Sym) -> Apart | None:
        """Return the two components of one vector that symbols are."""
        a, b = self.of(first), self.of(other)
        if a is None or b is None or a.of != b.of or a.vector != b.vector or a.number == b.number:
            return None
        return Apart(a.vector, a.number, b.number)


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
