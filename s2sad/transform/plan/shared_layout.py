"""The layout of dynamic shared memory that holds numbers of several types.

    extern __shared__ float values[];               extern __shared__ float values[];
    int *order = (int *)&values[n];         ->      float *adj_values = values + n;
    order[t], values[t]                             int *values_int = (int *)(adj_values + n);

The primal may reuse a byte for numbers of different types. Here each type has a separate
array, as long as its indices need, so that neither overwrites what the reverse sweep
reads. Floating-point arrays come first, the largest type first: then each is aligned to
its size, also where a check replaces floats by doubles.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...diagnostics import Code, Rejected, diagnose
from ...ir import (
    BOOL,
    INT,
    Array,
    Assign,
    Binary,
    Cast,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Pointer,
    Scalar,
    Select,
    Stmt,
    Sym,
    unconverted,
    walk,
)
from ..common.adjoint_types import summed
from ..common.algebra import converted, rewrite


@dataclass(frozen=True)
class Stretch:
    """The same number of elements of one type for each of some arrays, one after the other."""

    arrays: tuple[Sym, ...]
    element: Scalar
    extent: Expr


def launched(order: Iterable[Stmt], adjoints: Mapping[Sym, Sym], used: Container[Sym]) -> list[Sym]:
    """The arrays in such memory that are in use: the primal's, each followed by its adjoint."""
    found: list[Sym] = []
    for stmt in order:
        if isinstance(stmt, Declare) and is_launched(stmt.sym):
            found += [s for s in (stmt.sym, adjoints.get(stmt.sym)) if s is not None and s in used]
    return found


def is_launched(sym: Sym) -> bool:
    """Whether an array is in dynamic shared memory, whose size the launch sets."""
    return sym.storage == "shared" and isinstance(sym.type, Array) and sym.type.open


def several(arrays: Iterable[Sym]) -> bool:
    """Whether there is more than one primal array or more than one element type."""
    held = list(arrays)
    return len({sym.of or sym for sym in held}) > 1 or len({element(sym) for sym in held}) > 1


def laid(arrays: Iterable[Sym], extent: Callable[[Sym], Expr]) -> list[Stretch]:
    """The stretches in memory order; `extent` gives the number of elements of an array."""
    ordered = sorted(arrays, key=lambda sym: (not element(sym).is_float, -element(sym).size))
    counts: dict[Sym, Expr] = {}
    for sym in dict.fromkeys(sym.of or sym for sym in ordered):
        counts[sym] = converted(extent(sym), INT)
    for k, sym in enumerate(ordered):
        own, times = sym.of or sym, max(element(s).size for s in ordered[k:]) // element(sym).size
        if times > 1:
            counts[own] = _rounded(counts[own], times)
    found: list[Stretch] = []
    for sym in ordered:
        own = sym.of or sym
        last = found[-1] if found else None
        if last is not None and own in last.arrays and last.element == element(sym):
            found[-1] = replace(last, arrays=(*last.arrays, sym))
        else:
            found.append(Stretch((sym,), element(sym), counts[own]))
    return found


def _rounded(count: Expr, to: int) -> Expr:
    """A count rounded up, so that what follows is aligned to its size."""
    if isinstance(count, Const) and not count.named:
        return Const(-(-int(count.value) // to) * to, INT)
    up = Binary("+", count, Const(to - 1, INT), INT)
    return Binary("*", Binary("/", up, Const(to, INT), INT), Const(to, INT), INT)


def laid_out(stretches: Sequence[Stretch]) -> tuple[list[Stmt], dict[Sym, Sym], dict[Sym, Expr]]:
    """The arrays' declarations, the symbols that replace them, and the number of elements of each."""
    made: list[Stmt] = []
    names: dict[Sym, Sym] = {}
    counts: dict[Sym, Expr] = {}  # of the primal's arrays
    before: Expr | None = None  # where the next array begins
    for stretch in stretches:
        for sym in stretch.arrays:
            own = sym.of or sym
            if before is None:
                first = Sym(
                    sym.name, Array(stretch.element, (0,)), "shared", sym.span, of=sym.of, origin=sym.origin
                )
                names[sym] = first if sym.of is not None else sym
                made.append(Declare(names[sym], span=sym.span))
            else:
                pointer = Pointer(stretch.element)
                names[sym] = replace(sym, type=pointer)
                made.append(Declare(names[sym], before if before.type == pointer else Cast(before, pointer)))
            if own not in counts:
                sized, counts[own] = _sized(own, stretch.extent)
                made += sized
            base = Place(names[sym], (), Pointer(stretch.element))
            before = Binary("+", base, unconverted(counts[own]), base.type)
    return made, {old: new for old, new in names.items() if old is not new}, counts


def _sized(array: Sym, count: Expr) -> tuple[list[Stmt], Expr]:
    """A variable for an array's number of elements, clamped to zero where it might be negative."""
    if not isinstance(count, Select | Binary | Place):
        return [], count
    size = Sym(f"{array.name}_size", INT)
    place, zero = Place(size, (), INT), Const(0, INT)
    made: list[Stmt] = [Declare(size, count)]
    if any(isinstance(part, Place) or (isinstance(part, Binary) and part.op == "-") for part in walk(count)):
        made.append(If(Binary("<", place, zero, BOOL), (Assign(place, zero),)))
    return made, place


def refuse_several(order: Iterable[Stmt]) -> None:
    """Refuse dynamic shared memory of several types for K_fwd, which is launched with the primal's size."""
    for stmt in order:
        if not isinstance(stmt, Declare) or not is_launched(stmt.sym):
            continue
        whole = stmt.sym.within
        if whole is not None and isinstance(whole.type, Array):
            raise Rejected(diagnose(Code.SEVERAL_SHARED_TYPES, stmt.span, name=whole.name))


def renamed(names: Mapping[Sym, Sym]) -> Callable[[Expr], Expr | None]:
    """A `change` for `rewrite` that replaces symbols, also inside indices."""

    def change(e: Expr) -> Expr | None:
        if not isinstance(e, Place) or e.sym not in names:
            return None
        return replace(e, sym=names[e.sym], index=tuple(rewrite(i, change) for i in e.index))

    return change


def element(sym: Sym) -> Scalar:
    """The type of an array's elements; for an adjoint, the type in which it is accumulated."""
    kind = summed(sym.type) if sym.of is not None else sym.type
    held = kind.element if isinstance(kind, Array) else kind.target if isinstance(kind, Pointer) else kind
    assert isinstance(held, Scalar)
    return held
