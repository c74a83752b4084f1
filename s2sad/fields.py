"""The fields of structs, down to numbers: a struct variable becomes one symbol for each leaf.

    struct Body { float3 at; float w[2]; int id; }   ->   at.x, at.y, at.z, w[2], id

CUDA's vector types are predefined structs.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from math import prod

from . import ir
from .ir import Array, Field, Pointer, Scalar, Struct, Sym, Type
from .signature import Layout

_BASES = {
    "char": ir.SCHAR,
    "uchar": ir.UCHAR,
    "short": ir.SHORT,
    "ushort": ir.USHORT,
    "int": ir.INT,
    "uint": ir.UINT,
    "long": ir.LONG,
    "ulong": ir.ULONG,
    "longlong": ir.LLONG,
    "ulonglong": ir.ULLONG,
    "float": ir.FLOAT,
    "double": ir.DOUBLE,
}


def _vector(base: str, scalar: Scalar, width: int) -> Struct:
    align = {2: 2 * scalar.size, 4: min(4 * scalar.size, 16)}.get(width, 0)
    return Struct(f"{base}{width}", tuple(Field(n, scalar) for n in "xyzw"[:width]), True, align)


def _pair(name: str, scalar: Scalar) -> Struct:
    return Struct(name, tuple(Field(n, scalar) for n in "xy"), True, 4)


DIM3 = Struct("dim3", tuple(Field(n, ir.UINT) for n in "xyz"), True)
"""The only vector type with a constructor: components missing in `dim3 block(32, 4)` are 1."""

HALF2, BFLOAT162 = _pair("__half2", ir.HALF), _pair("__nv_bfloat162", ir.BFLOAT16)
VECTORS = {
    f"{base}{width}": _vector(base, scalar, width)
    for base, scalar in _BASES.items()
    for width in (1, 2, 3, 4)
} | {
    "half2": HALF2,
    "__half2": HALF2,
    "nv_bfloat162": BFLOAT162,
    "bfloat162": BFLOAT162,
    "__nv_bfloat162": BFLOAT162,
    "dim3": DIM3,
}
"""CUDA's vector types by name; `make_NAME` makes one, and for `dim3` its constructor."""


def maker(vector: Struct) -> str:
    """Return the name of the function that makes a vector."""
    if vector.name == DIM3.name:
        return DIM3.name
    return "make_" + vector.name.removeprefix("__").removeprefix("nv_")


@dataclass(frozen=True)
class Leaf:
    """A field that is a number, a pointer, or an array of these; the extents include enclosing ones."""

    path: tuple[str, ...]
    type: Scalar | Pointer
    extents: tuple[int, ...] = ()
    spelled: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return ".".join(self.path)


def leaves(struct: Struct) -> Iterator[Leaf]:
    """Yield the leaves of a struct, in order; without the struct's own extents."""
    for field in struct.fields:
        match field.type:
            case Struct(extents=extents, spelled=spelled) as inner:
                for leaf in leaves(inner):
                    path = (field.name, *leaf.path)
                    yield Leaf(path, leaf.type, extents + leaf.extents, spelled + leaf.spelled)
            case Array(element, extents, spelled):
                yield Leaf((field.name,), element, extents, spelled)
            case Scalar() | Pointer() as type:
                yield Leaf((field.name,), type)


_COMPONENTS = range(2, 5)


def as_vector(type: Type) -> Struct | None:
    """Return the struct of two to four floating numbers of one type that a type is, or points to."""
    struct = type.target if isinstance(type, Pointer) else type
    if not isinstance(struct, Struct) or len(struct.fields) not in _COMPONENTS:
        return None
    types = {field.type for field in struct.fields}
    if not types <= {ir.FLOAT, ir.DOUBLE} or len(types) > 1:
        return None
    return replace(struct, extents=(), spelled=())


_COORDINATES = frozenset("xyzw")


def has_coordinates(vector: Struct) -> bool:
    """Whether a vector's components have the names of coordinates, so that scalar products are meant."""
    return all(field.name in _COORDINATES for field in vector.fields)


def field_of(struct: Struct, name: str) -> Type | None:
    """Return the type of a field, None if there is none of that name."""
    return next((f.type for f in struct.fields if f.name == name), None)


def split(whole: Sym) -> dict[tuple[str, ...], Sym]:
    """Return the symbols of a variable of a struct type, or a pointer to such, by their paths."""
    struct = whole.type.target if isinstance(whole.type, Pointer) else whole.type
    assert isinstance(struct, Struct)
    return {leaf.path: _part(whole, struct, leaf) for leaf in leaves(struct)}


def _part(whole: Sym, struct: Struct, leaf: Leaf) -> Sym:
    type: Type
    extents = struct.extents + leaf.extents
    if isinstance(whole.type, Pointer):
        type = replace(whole.type, target=leaf.type)
    elif whole.storage == "parameter":
        # an array that is only read is like any other; `writable` ensures that it isn't written
        type = Pointer(leaf.type, const=True) if extents else leaf.type
    elif isinstance(leaf.type, Pointer):
        type = leaf.type
    elif extents:
        type = Array(leaf.type, extents, struct.spelled + leaf.spelled)
    elif whole.storage == "shared":
        type = Array(leaf.type, (1,), ("",))
    else:
        type = leaf.type
    name = f"{whole.name}.{leaf.name}"
    return Sym(
        name,
        type,
        whole.storage,
        whole.span,
        whole.const,
        within=whole,
        path=leaf.path,
        origin=whole.origin,
        otherwise=tuple(f"{other}.{leaf.name}" for other in whole.otherwise),
    )


def written_through(struct: Struct, paths: Container[tuple[str, ...]]) -> Struct:
    """Return the struct of a variable in which what the pointers at these paths point to is written."""

    def changed(field: Field, path: tuple[str, ...]) -> Field:
        if isinstance(field.type, Struct):
            inner = tuple(changed(f, (*path, f.name)) for f in field.type.fields)
            return replace(field, type=replace(field.type, fields=inner))
        return replace(field, written=True) if path in paths else field

    return replace(struct, fields=tuple(changed(f, (f.name,)) for f in struct.fields))


def inner_extents(sym: Sym) -> tuple[int, ...]:
    """Return the extents after the first index: (2,) for `cells[i].side[s]`; for row pointers, a row's."""
    whole = sym.within
    if whole is None or not sym.path:
        return rows(sym.type)
    struct = element(whole.type)
    assert isinstance(struct, Struct)
    extents = next(leaf.extents for leaf in leaves(struct) if leaf.path == sym.path)
    return extents if isinstance(whole.type, Pointer) else (struct.extents + extents)[1:]


def rows(type: Type) -> tuple[int, ...]:
    """Return the extents of the arrays that a pointer points to: (4, 3) for `float (*a)[4][3]`."""
    match type:
        case Pointer(Array(extents=extents)):
            return extents
        case _:
            return ()


def by_value(sym: Sym) -> bool:
    """Whether a symbol is a field of a struct passed by value."""
    return sym.within is not None and isinstance(sym.within.type, Struct)


def is_held(sym: Sym) -> bool:
    """Whether a symbol is a pointer in a struct passed by value: an array of the caller's."""
    whole = sym.within.type if sym.within is not None else None
    if not isinstance(whole, Struct):
        return False
    return any(leaf.path == sym.path and isinstance(leaf.type, Pointer) for leaf in leaves(whole))


def is_row(sym: Sym) -> bool:
    """Whether the last index of a field counts adjacent numbers."""
    if sym.within is not None and not sym.path:
        return True
    type: Type | None = sym.within.type if sym.within is not None else None
    type = type.target if isinstance(type, Pointer) else type
    for name in sym.path:
        type = field_of(type, name) if isinstance(type, Struct) else None
    return isinstance(type, Array | Pointer)


_NULL = "nullptr"


def nowhere(type: Pointer) -> Sym:
    """Return the target symbol of a null pointer passed to a function: it is never read or written."""
    return Sym(_NULL, type, "global")


def is_nowhere(sym: Sym) -> bool:
    """Whether a symbol is the target of a null pointer; no variable has its name."""
    return sym.name == _NULL


def variables(syms: Iterable[Sym]) -> dict[Sym, list[Sym]]:
    """Group symbols by the author's variable that they are, or are fields of."""
    found: dict[Sym, list[Sym]] = {}
    for sym in syms:
        found.setdefault(sym.within or sym, []).append(sym)
    return found


def element(type: Type) -> Scalar | Struct:
    """Return the element type of a parameter's type: the scalar or struct it contains or points to."""
    inner = type.target if isinstance(type, Pointer) else type
    inner = inner.element if isinstance(inner, Array) else inner
    assert isinstance(inner, Scalar | Struct)
    return inner


def is_float(sym: Sym) -> bool:
    """Whether a symbol is a floating number, or an array of these, or a pointer to some."""
    match sym.type:
        case Scalar() as scalar:
            return scalar.is_float
        case Pointer(Array(target)) | Pointer(target) | Array(target):
            return isinstance(target, Scalar) and target.is_float
        case _:
            return False


def layout_of(struct: Struct) -> Layout:
    """Return the struct's layout for running a kernel."""
    return Layout(struct.name, tuple(map(_laid, struct.fields)), struct.align, struct.built_in)


def _laid(field: Field) -> tuple[str, str | Layout, tuple[int, ...]]:
    match field.type:
        case Struct(extents=extents) as inner:
            return field.name, layout_of(inner), extents
        case Array(element, extents):
            return field.name, element.name, extents
        case Scalar(name):
            return field.name, name, ()
        case Pointer(target, const):
            assert isinstance(target, Scalar)
            return field.name, f"{'const ' if const else ''}{target.name} *", ()


def size(type: Type) -> int:
    """Return the size in bytes of an object of the type in C."""
    return _layout(type)[0]


def laid(struct: Struct, path: tuple[str, ...]) -> tuple[int, tuple[int, ...]]:
    """Return a leaf's byte offset in a struct, and the stride in bytes for each of its extents."""
    end = 0
    for field in struct.fields:
        bytes, align = _layout(field.type)
        start = _up(end, align)
        end = start + bytes
        if field.name != path[0]:
            continue
        match field.type:
            case Struct(extents=extents) as inner:
                one = replace(inner, extents=())
                inside, more = laid(one, path[1:])
                return start + inside, (*_strides(extents, size(one)), *more)
            case Array(element, extents):
                return start, _strides(extents, size(element))
            case _:
                return start, ()
    raise AssertionError(path)


def _strides(extents: tuple[int, ...], each: int) -> tuple[int, ...]:
    return tuple(each * prod(extents[k + 1 :]) for k in range(len(extents)))


def alignment(type: Type) -> int:
    """Return the alignment of the type in bytes."""
    return _layout(type)[1]


def _layout(type: Type) -> tuple[int, int]:
    """Return size and alignment."""
    match type:
        case Scalar(size=bytes):
            return max(bytes, 1), max(bytes, 1)
        case Pointer():
            return 8, 8
        case Array(element, extents):
            bytes, align = _layout(element)
            return bytes * prod(extents), align
        case Struct():
            end, align = 0, max(type.align, 1)
            for field in type.fields:
                bytes, own = _layout(field.type)
                end, align = _up(end, own) + bytes, max(align, own)
            return max(_up(end, align), 1) * prod(type.extents), align


def _up(offset: int, align: int) -> int:
    return -(-offset // align) * align
