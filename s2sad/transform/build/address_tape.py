"""Declare the addresses of a thread's words on the global tape."""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Iterable

from ...ir import (
    INT,
    SIZE_T,
    Assign,
    Binary,
    Body,
    Cast,
    Const,
    Declare,
    Expr,
    Place,
    Pointer,
    Special,
    Stmt,
    Sym,
)
from ..common.symbol_uses import uses
from ..common.wide_integers import widened, wraps
from ..plan.storage_layout import Storage


def global_tape(storage: Storage, threads: Sym, dimensions: int = 3) -> list[Stmt]:
    """The declarations of a thread's addresses on the tape; the layout is `emit.tape`'s."""
    regions, tape = storage.regions, storage.parameter

    def special(name: str, axis: str) -> Expr:
        return Cast(Special(name, axis), SIZE_T, implicit=True)  # type: ignore[arg-type]

    def times(a: Expr, b: Expr) -> Expr:
        return Binary("*", a, b, SIZE_T)

    def plus(a: Expr, b: Expr) -> Expr:
        return Binary("+", a, b, SIZE_T)

    def long(name: str) -> Expr:
        return Cast(Special(name, "x"), SIZE_T)  # type: ignore[arg-type]

    def size(name: str) -> Expr:
        return times(times(long(name), special(name, "y")), special(name, "z"))

    thread = Sym("thread", SIZE_T, otherwise=("thread_number",))
    every: Expr = times(size("gridDim"), size("blockDim"))
    linear: Expr = Cast(Special("blockIdx", "z"), SIZE_T)
    further: tuple[tuple[str, str, str], ...] = (
        ("gridDim", "blockIdx", "y"),
        ("gridDim", "blockIdx", "x"),
        ("blockDim", "threadIdx", "z"),
        ("blockDim", "threadIdx", "y"),
        ("blockDim", "threadIdx", "x"),
    )
    if dimensions == 1:
        every = times(long("gridDim"), special("blockDim", "x"))
        linear, further = long("blockIdx"), further[-1:]
    for extent, position, axis in further:
        linear = plus(times(linear, special(extent, axis)), special(position, axis))
    out: list[Stmt] = [
        Declare(threads, every),
        Declare(thread, linear),
    ]
    if storage.limited:
        flag = storage.overrun
        out.append(Declare(flag, Cast(Place(tape, (), tape.type), flag.type)))
    start = Sym("at", SIZE_T, otherwise=("offset",))
    at: Expr = Const(16, INT)
    if len(regions) > 1:
        out.append(Declare(start, Const(16, SIZE_T, spelling="16")))
        at = Place(start, (), SIZE_T)
    for k, region in enumerate(regions):
        pointer = region.sym.type
        assert isinstance(pointer, Pointer)
        base = Cast(Binary("+", Place(tape, (), tape.type), at, tape.type), pointer)
        out.append(Declare(region.sym, Binary("+", base, Place(thread, (), SIZE_T), pointer)))
        if k + 1 < len(regions):
            elements: Expr = Place(threads, (), SIZE_T)
            for count in region.counts:
                if not (isinstance(count, Const) and count.value == 1):
                    wide = widened(count) if wraps(count) else count
                    elements = times(elements, Cast(wide, SIZE_T, implicit=True))
            size_of = Const(region.element.size, SIZE_T, spelling=f"sizeof({region.element.name})")
            fifteen = Const(15, SIZE_T, spelling="15")
            sixteen = Const(16, SIZE_T, spelling="16")
            rounded = times(Binary("/", plus(times(elements, size_of), fifteen), sixteen, SIZE_T), sixteen)
            out.append(Assign(Place(start, (), SIZE_T), rounded, "+="))
    return out


def with_tape(body: Iterable[Stmt], storage: Storage, threads: Sym, dimensions: int) -> Body:
    """The body with a thread's tape addresses declared at its top; unused ones are omitted."""
    addresses = global_tape(storage, threads, dimensions)
    declared = {stmt.sym for stmt in addresses if isinstance(stmt, Declare)}
    whole = [*addresses, *body]
    times = Bag(uses(whole))
    kept: list[Stmt] = []
    for stmt in reversed(whole):
        if isinstance(stmt, Declare) and stmt.sym in declared and not times[stmt.sym]:
            times.subtract(uses((stmt,)))
        else:
            kept.append(stmt)
    return tuple(kept[::-1])
