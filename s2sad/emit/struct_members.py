"""Symbols as fields of the author's variables, and the values of fields as one place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ..fields import Leaf, leaves, maker, written_through
from ..ir import (
    INT,
    Array,
    Assign,
    Call,
    Const,
    Expr,
    Initialiser,
    Place,
    Pointer,
    Scalar,
    Select,
    Struct,
    Sym,
    Type,
)


@dataclass(frozen=True)
class Member:
    """A symbol as a field: the variable's type and name, and the author's variable it belongs to."""

    author: Sym
    name: str
    type: Type
    path: tuple[str, ...]

    @property
    def struct(self) -> Struct:
        found = self.type.target if isinstance(self.type, Pointer) else self.type
        assert isinstance(found, Struct)
        return found


def member_of(sym: Sym) -> Member | None:
    """Return the field that a symbol is; None if it isn't one."""
    if sym.within is not None and isinstance(sym.within.type, Array):
        return None  # shared memory as numbers of another type
    if sym.within is not None:
        return Member(sym.within, sym.within.name, sym.within.type, sym.path)
    root = sym.of
    if root is None or root.within is None or isinstance(root.within.type, Array):
        return None
    stem = sym.name.removesuffix("".join(f".{name}" for name in root.path))
    if (stem == sym.name and root.path) or "." in stem or (not root.path and sym.storage != "parameter"):
        return None
    type = _adjoint_type(sym.type, root, root.within.type)
    return None if type is None else Member(root.within, stem, type, root.path)


def _adjoint_type(type: Type, root: Sym, whole: Type) -> Type | None:
    """Return the type of the variable one of whose fields, of type `type`, belongs to the author's field."""
    match type, root.type, whole:
        case Pointer(target, const) as own, Pointer(element), Pointer(struct) if target == element:
            return Pointer(struct, const, restrict=own.restrict)
        case Pointer(target, const), Pointer(element), Struct() if target == element:
            return Pointer(whole, const)
        case Pointer(target, const), Scalar(), Struct() if target == root.type:
            return Pointer(whole, const)
        case ((Scalar() | Array()), _, Struct()) if type == root.type:
            return whole
        case Scalar(), Pointer(element), Pointer(Struct() as struct) if type == element:
            return struct
        case Scalar(), Array(element), Struct() if type == element:
            return replace(whole, extents=(), spelled=())
        case _:
            return None


def paths_written(syms: Iterable[Sym]) -> dict[tuple[Sym, str], set[tuple[str, ...]]]:
    """Find the fields that point to const in the struct, and to what is written in the kernel."""
    found: dict[tuple[Sym, str], set[tuple[str, ...]]] = {}
    for sym in syms:
        member = member_of(sym)
        if member is not None and member.path and isinstance(sym.type, Pointer) and not sym.type.const:
            leaf = next(leaf for leaf in leaves(member.struct) if leaf.path == member.path)
            if isinstance(leaf.type, Pointer) and leaf.type.const:
                found.setdefault((member.author, member.name), set()).add(member.path)
    return found


def parameter_of(member: Member, part: Sym, written: Collection[tuple[str, ...]]) -> Sym:
    """Make the parameter of struct type of a field's symbol; `written`: fields whose const is cast away."""
    whole = member.author
    if part.within is None:
        whole = Sym(member.name, member.type, "parameter", of=member.author)
    if not written:
        return whole
    struct = written_through(member.struct, written)
    type = whole.type
    return replace(whole, type=replace(type, target=struct) if isinstance(type, Pointer) else struct)


def number_in_struct(sym: Sym) -> int:
    """Return the position of a field among those of its struct."""
    member = member_of(sym)
    assert member is not None
    return [leaf.path for leaf in leaves(member.struct)].index(member.path)


def whole_of(member: Member, part: Sym, of: Sym | None) -> Sym:
    """Make the variable of struct type of a field's symbol, the author's or one that belongs to it."""
    author = member.author
    longer = author.otherwise if member.name == author.name else ()
    if part.within is None:
        ending = "".join(f".{name}" for name in member.path)
        longer = tuple(n.removesuffix(ending) for n in part.otherwise if n.endswith(ending)) or longer
    made = Sym(member.name, member.type, part.storage, of=of, otherwise=longer)
    return made if part.within is None else replace(made, span=author.span, origin=author.origin)


def without_dot(sym: Sym) -> Sym:
    """Rename a symbol that was a field to its plain name."""
    if "." not in sym.name:
        return sym
    return replace(sym, name=sym.plain, otherwise=tuple(name.replace(".", "_") for name in sym.otherwise))


def containers(target: Place) -> Iterator[tuple[Struct, tuple[str, ...], tuple[Expr, ...]]]:
    """Yield the structs around a target, the outermost first, each with its path and the indices."""
    type: Type = target.sym.type.target if isinstance(target.sym.type, Pointer) else target.sym.type
    for depth, name in enumerate(target.path):
        if not isinstance(type, Struct):
            return
        yield replace(type, extents=(), spelled=()), target.path[:depth], target.index
        if name:
            type = next(f.type for f in type.fields if f.name == name)


def of_one_assignment(first: Assign, other: Assign) -> bool:
    """Whether two assignments are parts of one of the author's, or both are the tool's."""
    if other is first:
        return True
    if first.part_of is None:
        return first.target.sym.ours and other.target.sym.ours
    return other.part_of is first.part_of


def elements(leaf: Leaf) -> list[tuple[Expr, ...]]:
    """Return the indices of a field's elements; one empty index for a number."""
    return [tuple(Const(k, INT) for k in index) for index in product(*(range(n) for n in leaf.extents))]


def copied_place(struct: Struct, wanted: Sequence[Leaf], values: Sequence[Expr]) -> Place | None:
    """Return the place whose leaves the values are, if there is one."""
    first = values[0]
    if not isinstance(first, Place) or not first.path:
        return None
    parts = [(leaf, k) for leaf in wanted for k in elements(leaf)]
    index = first.index[: len(first.index) - len(parts[0][1])]
    count = len(wanted[0].path)
    path = first.path[:-count]
    around = containers(replace(first, path=(*path, "")))
    inner = next((found for found, to, _ in around if to == path), None)
    if inner is None or inner != replace(struct, extents=(), spelled=()):
        return None
    for (leaf, k), value in zip(parts, values, strict=True):
        same = (
            isinstance(value, Place)
            and value.sym is first.sym
            and value.index == (*index, *k)
            and value.path == (*path, *leaf.path)
        )
        if not same:
            return None
    return replace(first, path=path, index=index, type=inner, spelling=None, macro=None)


def as_one_value(struct: Struct, wanted: Sequence[Leaf], values: Sequence[Expr]) -> Expr | Initialiser | None:
    """Combine the values of all leaves into one value; None if that can't be written."""
    copied = copied_place(struct, wanted, values)
    if copied is not None:
        return copied
    chosen = _chosen(struct, wanted, values)
    if chosen is not None:
        return chosen
    if struct.built_in:
        return Call(maker(struct), tuple(values), struct)
    if all(not leaf.extents and len(leaf.path) == 1 for leaf in wanted):
        return Initialiser(tuple(values))
    return None


def _chosen(struct: Struct, wanted: Sequence[Leaf], values: Sequence[Expr]) -> Select | None:
    """Return one choice between two values of a struct for the same choice of each leaf."""
    chosen = [value for value in values if isinstance(value, Select) and value.spelling is None]
    if len(chosen) < max(len(values), 2) or any(value.cond != chosen[0].cond for value in chosen):
        return None
    then = as_one_value(struct, wanted, [value.then for value in chosen])
    other = as_one_value(struct, wanted, [value.other for value in chosen])
    if isinstance(then, Initialiser | None) or isinstance(other, Initialiser | None):
        return None
    return Select(chosen[0].cond, then, other, replace(struct, extents=(), spelled=()))


def copied_with_more(struct: Struct, given: Sequence[Leaf], values: Sequence[Expr]) -> Expr | None:
    """Return the place some of whose leaves the values are, possibly chosen instead of one number in all.

    Nothing needs the other fields.
    """
    copied = copied_place(struct, given, values)
    if copied is not None or not struct.built_in:
        return copied
    chosen = [value for value in values if isinstance(value, Select)]
    first = chosen[0] if len(chosen) == len(values) else None
    if first is None or any((v.cond, v.other) != (first.cond, first.other) for v in chosen):
        return None
    place = copied_place(struct, given, [value.then for value in chosen])
    if place is None or not isinstance(first.other, Const):
        return None
    whole = replace(struct, extents=(), spelled=())
    others = Call(maker(struct), (first.other,) * len(list(leaves(struct))), whole)
    return Select(first.cond, place, others, whole)


def makes_zeros(init: Expr | Initialiser | None) -> bool:
    """Whether an initialiser makes zeros."""
    match init:
        case Initialiser(values):
            return not values
        case Const(value=value, macro=macro):
            return value == 0 and macro is None
        case _:
            return False
