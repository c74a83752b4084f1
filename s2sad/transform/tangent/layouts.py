"""Where the tangents along several directions are: one more extent, and it is the innermost one.

    float tan_s            ->    float tan_s[8]              tan_s[d]
    float *tan_x           ->    float (*tan_x)[8]           tan_x[i][d]
    float3 *tan_p          ->    float3 *tan_p               tan_p[8 * (long long)i + d].x

So the tangents of one element are adjacent in memory. A number passed by value has its tangents behind a
pointer, and so has a number that a function returns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ...diagnostics import Code, Rejected, diagnose
from ...fields import is_held, leaves
from ...ir import (
    INT,
    LLONG,
    AddressOf,
    Array,
    Binary,
    Cast,
    Const,
    Expr,
    Place,
    Pointer,
    Scalar,
    Struct,
    Sym,
    Type,
    is_integer,
    scalar_type,
)


@dataclass(frozen=True)
class Several:
    """What a kernel has several of, and what to do where it can't."""

    name: str
    help: str


DIRECTIONS = Several("directions", "launch a kernel of one direction several times")

How = Literal["last", "only", "first", "scaled"]
"""The direction in an index: after all others, instead of a single zero, before all others, or added to
`count` times the index at `at`."""


@dataclass(frozen=True)
class Layout:
    """The array of a variable's tangents along `count` directions."""

    sym: Sym
    count: int
    how: How = "last"
    at: int = 0

    def index(self, index: tuple[Expr, ...], direction: Expr) -> tuple[Expr, ...]:
        """The index of the tangent along a direction."""
        match self.how:
            case "last":
                return (*index, direction)
            case "only":
                return (direction,)
            case "first":
                return (direction, *index)
            case "scaled":
                return (*index[: self.at], self._sum(index[self.at], direction), *index[self.at + 1 :])

    def _sum(self, index: Expr, direction: Expr) -> Expr:
        first = _scaled(index, self.count)
        return direction if first is None else Binary("+", first, _like(direction, first), first.type)

    def place(self, place: Place, direction: Expr) -> Place:
        """The tangent of a place along a direction."""
        index = self.index(place.index, direction)
        return replace(place, sym=self.sym, index=index, spelling=None, macro=None)

    def row(self, place: Place) -> Expr | None:
        """A pointer to the first of a place's tangents; None if they aren't adjacent numbers."""
        if self.how == "only" or (self.how == "last" and not place.index):
            return Place(self.sym, (), self.sym.type)
        if self.how == "last":
            kind = scalar_type(place)
            const = self.sym.type.const if isinstance(self.sym.type, Pointer) else self.sym.const
            first = Place(self.sym, (*place.index, Const(0, INT)), kind)
            return AddressOf(first, Pointer(kind, const=const))
        return None

    def pointer(self, pointer: Expr, to: Layout) -> Expr | None:
        """The same pointer into the tangents, for a parameter laid out as `to`; None if it fits none."""
        if to.how == "only":
            return self.row(pointer.place) if isinstance(pointer, AddressOf) else None
        if (to.how == "last") != (self.how in ("last", "only")) or to.how == "first":
            return None
        match pointer:
            case AddressOf(place) if self.how == "last":
                type = Pointer(Array(scalar_type(place), (self.count,)), pointer.type.const)
                return AddressOf(replace(place, sym=self.sym, type=type.target, spelling=None), type)
            case AddressOf(place) if self.how == "only" and isinstance(self.sym.type, Array):
                whole = Place(self.sym, (), self.sym.type)
                return AddressOf(whole, Pointer(self.sym.type, pointer.type.const))
            case AddressOf(place) if self.how != "only":
                at = self.place(place, Const(0, INT))
                return replace(pointer, place=at, spelling=None)
            case Place() if self.how in ("last", "scaled") and isinstance(pointer.type, Pointer):
                return replace(pointer, sym=self.sym, type=self.sym.type, spelling=None)
            case Binary("+" | "-", left, right):
                moved = self.pointer(left, to)
                many = right if self.how == "last" else _scaled(right, self.count)
                if moved is None or many is None:
                    return moved
                return replace(pointer, left=moved, right=many, type=moved.type, spelling=None)
            case Cast(arg, implicit=True):
                return self.pointer(arg, to)
            case _:
                return None


def laid(sym: Sym, count: int, *, single: bool = False, several: Several = DIRECTIONS) -> Layout:
    """Lay out the tangents of a variable; `single`: it is a pointer to one number. Raises Rejected."""
    if sym.within is not None:
        return _of_field(sym, sym.within, count, several)
    match sym.type:
        case Scalar() as number if sym.storage == "parameter":
            return Layout(replace(sym, type=Pointer(number, const=True)), count, "only")
        case Scalar() as number:  # set in a loop, also where the one number isn't changed
            return Layout(replace(sym, type=Array(number, (count,)), const=False), count)
        case Pointer(Scalar(), reference=True) as pointer:
            return Layout(replace(sym, type=replace(pointer, reference=False)), count, "only")
        case Pointer(Scalar()) if single:
            return Layout(sym, count, "only")
        case Pointer(Scalar() as number) as pointer if sym.storage == "parameter":
            return Layout(replace(sym, type=replace(pointer, target=Array(number, (count,)))), count)
        case Pointer(Array(element, extents)) as pointer:
            rows = Array(element, (*extents, count))
            return Layout(replace(sym, type=replace(pointer, target=rows)), count)
        case Array(element, single=True):
            return Layout(replace(sym, type=Array(element, (count,))), count, "only")
        case Array(element, extents, spelled) as array if not array.open:
            words = (*spelled, str(count)) if len(spelled) == len(extents) else ()
            return Layout(replace(sym, type=Array(element, (*extents, count), words)), count)
        case _:
            raise refused(sym, "memory that the launch gives", several)


def _of_field(sym: Sym, whole: Sym, count: int, several: Several) -> Layout:
    if not sym.path or isinstance(whole.type, Array):
        raise refused(sym, "a struct that is read as numbers", several)
    if isinstance(whole.type, Pointer) or is_held(sym):
        return Layout(sym, count, "scaled")
    struct = whole.type
    assert isinstance(struct, Struct)
    if sym.storage == "parameter" and holds(struct):
        raise refused(sym, "a number beside pointers in a struct passed by value", several)
    if sym.storage == "parameter":
        inner = sym.type.target if isinstance(sym.type, Pointer) else sym.type
        if inner is not sym.type:
            raise refused(sym, "an array in a struct passed by value", several)
        return Layout(replace(sym, type=Pointer(inner, const=True)), count, "first")
    leaf = _leaf(sym.type, len(struct.extents))
    kind = sym.type.element if isinstance(sym.type, Array) else sym.type
    assert isinstance(kind, Scalar)
    if not struct.extents:
        one = isinstance(sym.type, Array) and sym.type.single
        made = Array(kind, (count, *(() if one else leaf)))
        return Layout(replace(sym, type=made), count, "only" if one else "first")
    *outer, last = struct.extents
    made = Array(kind, (*outer, last * count, *leaf))
    return Layout(replace(sym, type=made), count, "scaled", len(outer))


def whole_of(whole: Sym, count: int) -> Sym:
    """The struct variable of which each field's tangents are fields."""
    match whole.type:
        case Struct() as struct if whole.storage == "parameter":
            return whole if holds(struct) else replace(whole, type=Pointer(struct, const=True))
        case Struct(extents=()) as struct:
            return replace(whole, type=replace(struct, extents=(count,)))
        case Struct(extents=(*outer, last)) as struct:
            return replace(whole, type=replace(struct, extents=(*outer, last * count), spelled=()))
        case _:
            return whole


def holds(struct: Struct) -> bool:
    """Whether a struct has pointers: the arrays of their tangents are longer, and there is one struct."""
    return any(isinstance(leaf.type, Pointer) for leaf in leaves(struct))


def refused(sym: Sym, what: str, several: Several = DIRECTIONS) -> Rejected:
    """Say why the tangents of a variable can't be laid out."""
    told = f"several {several.name} for {sym.of.name if sym.of is not None else sym.name}, {what}"
    return Rejected(diagnose(Code.NOT_SUPPORTED, sym.span, what=told, help=several.help))


def _leaf(type: Type, outer: int) -> tuple[int, ...]:
    return type.extents[outer:] if isinstance(type, Array) else ()


def _scaled(index: Expr, count: int) -> Expr | None:
    """An index times the number of directions, without overflow; None for zero."""
    if isinstance(index, Const):
        return Const(int(index.value) * count, INT) if index.value else None
    assert is_integer(index)
    kind = scalar_type(index)
    wide = index if kind.size == LLONG.size else Cast(index, LLONG)
    return Binary("*", Const(count, scalar_type(wide)), wide, scalar_type(wide))


def _like(direction: Expr, index: Expr) -> Expr:
    kind = scalar_type(index)
    return direction if direction.type == kind else Cast(direction, kind, implicit=True)
