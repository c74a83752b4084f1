"""Declare the author's pointers into arrays again, and beside each one into the adjoint array.

    adj_x[r * n + c] += w[c] * adj_y[r * m + j];          const float *out = …
                                                          float *adj_row = adj_x + r * n;
                                                   ->     …
                                                          adj_row[c] += w[c] * adj_out[j];

The front end puts `x[r * n + c]` for `row[c]`, which all passes understand. A pointer is declared in the
outermost body in which its offset is known and doesn't change, before the first statement that uses it.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import is_

from ..ir import (
    INT,
    AddressOf,
    Banner,
    Binary,
    Body,
    Cast,
    Const,
    Declare,
    Expr,
    Function,
    Place,
    Pointer,
    Row,
    Scalar,
    Stmt,
    Sym,
    Unary,
    expressions,
    is_integer,
    rebuilt,
    scalar_type,
    statements,
    walk,
)
from ..irtext import show
from ..transform.common.jumps import exits
from ..transform.common.mod_ref import written
from ..transform.common.symbol_uses import mapped, symbols
from .author_comments import uncommented

FEWEST = 2
"""A pointer that is used once is a line more for nothing."""


@dataclass(frozen=True)
class _Pointer:
    """A pointer to declare: into an array of the kernel, primal or adjoint, at an offset."""

    array: Sym
    offset: Expr


def declare_rows(function: Function, rows: Iterable[Row]) -> Function:
    """The function with pointers for those `rows` that it uses."""
    known = {(row.array, _text(row.offset)): row for row in reversed(tuple(rows)) if _plain(row.offset)}
    several = {name for name, count in Bag(row.name for row in known.values()).items() if count > 1}
    known = {place: row for place, row in known.items() if row.name not in several}
    if not known:
        return function
    adjoints = {sym.of: sym for sym in function.syms if sym.of is not None}
    made = _Rows(
        known, {array: array for array, _ in known} | {adjoints[a]: a for a, _ in known if a in adjoints}
    )
    body = made.body(function.body)
    return function if body is function.body else replace(function, body=body)


def _plain(offset: Expr) -> bool:
    """Whether an offset is worth a name, and reads no memory, which might change."""
    if isinstance(offset, Const) or (isinstance(offset, Place) and offset.sym.origin == "author"):
        return False
    return not any(isinstance(e, Place) and e.index for e in walk(offset))


def _text(offset: Expr) -> str:
    """An offset with names for variables: a loop and its reverse have one counter each, of one name."""
    return show(offset)


class _Rows:
    """`rows` by array and offset; `primal` arrays by themselves and by their adjoints."""

    def __init__(self, rows: Mapping[tuple[Sym, str], Row], primal: Mapping[Sym, Sym]) -> None:
        self.rows = rows
        self.primal = primal

    def body(self, body: Body) -> Body:
        out = list(body)
        for pointer in self._worthwhile(body):
            at = self._home(out, pointer)
            if at is not None:
                out = self._declared(out, at, pointer)
        out = [rebuilt(stmt, self.body) for stmt in _without_offsets(out)]
        return body if len(out) == len(body) and all(map(is_, out, body)) else tuple(out)

    def _worthwhile(self, body: Body) -> list[_Pointer]:
        """The pointers that are used often, or beside such a one into the other array; primal ones first."""
        times = Bag(pointer for stmt in statements(body) for pointer in self._uses(stmt))
        often = {self._place(p) for p, count in times.items() if count >= FEWEST}
        found = [p for p in times if self._place(p) in often]
        order = {self._place(p): k for k, p in reversed(list(enumerate(found)))}
        return sorted(found, key=lambda p: (order[self._place(p)], p.array not in self.primal.values()))

    def _place(self, pointer: _Pointer) -> tuple[Sym, Expr]:
        return self.primal[pointer.array], pointer.offset

    def _uses(self, stmt: Stmt) -> Iterator[_Pointer]:
        """Yield the pointers that a statement's own expressions could use, once for each use."""
        for expr in expressions(stmt):
            for part in walk(expr):
                if isinstance(part, Place) and part.sym in self.primal and len(part.index) == 1:
                    array = self.primal[part.sym]
                    for offset in _prefixes(part.index[0]):
                        if (array, _text(offset)) in self.rows:
                            yield _Pointer(part.sym, offset)
                            break

    def _home(self, body: Sequence[Stmt], pointer: _Pointer) -> int | None:
        """Where to declare a pointer in a body, if its offset is known there and doesn't change."""
        read = pointer.offset.symbols
        own = {stmt.sym for stmt in body if isinstance(stmt, Declare)}
        for stmt in body:
            nested = {s.sym for s in statements((stmt,)) if isinstance(s, Declare)} - own
            if not read.isdisjoint(nested | written(stmt)):
                return None
        at = next((k for k, stmt in enumerate(body) if pointer in self._all_uses(stmt)), None)
        if at is None:
            return None  # another pointer, declared before, serves its uses
        while at > 0 and not (_declares(body[at - 1], read) or exits(body[at - 1])):
            if isinstance(body[at - 1], Banner):
                break  # the start of a sweep
            at -= 1
        while _is_pointer(body[at]):
            at += 1  # those that stand there already come first
        return at

    def _all_uses(self, stmt: Stmt) -> set[_Pointer]:
        return {pointer for s in statements((stmt,)) for pointer in self._uses(s)}

    def _declared(self, body: list[Stmt], at: int, pointer: _Pointer) -> list[Stmt]:
        array, offset = pointer.array, pointer.offset
        primal = self.primal[array]
        row = self.rows[primal, _text(offset)]
        prefix = array.name.removesuffix(primal.name)
        assert isinstance(array.type, Pointer)
        own = Pointer(array.type.target, const=array.type.const)
        sym = Sym(prefix + row.name, own, origin="author" if array is primal else "tool")

        def change(e: Expr) -> Expr | None:
            if not isinstance(e, Place) or e.sym is not array or len(e.index) != 1:
                return None
            rest = _rest(e.index[0], offset)
            return None if rest is None else replace(e, sym=sym, index=(_narrow(rest),), spelling=None)

        start = AddressOf(Place(array, (offset,), own.target), own)
        span = row.span if array is primal else uncommented(row.span)
        return [*body[:at], Declare(sym, start, span=span), *(mapped(stmt, change) for stmt in body[at:])]


def _is_pointer(stmt: Stmt) -> bool:
    return isinstance(stmt, Declare) and isinstance(stmt.init, AddressOf)


def _declares(stmt: Stmt, read: frozenset[Sym]) -> bool:
    return isinstance(stmt, Declare) and stmt.sym in read


def _prefixes(index: Expr) -> Iterator[Expr]:
    """Yield a sum, and what is left of it without the last terms."""
    yield index
    while isinstance(index, Binary) and index.op in ("+", "-"):
        index = index.left
        yield index


def _rest(index: Expr, offset: Expr) -> Expr | None:
    """The terms of a sum after those of an offset: `c + 1` of `r * n + c + 1`; None for another sum.

    None too if the sum is of an unsigned type, which an address is wider than.
    """
    if index == offset:
        return Const(0, INT, spelling="0")
    match index:
        case Binary("+" | "-" as op, left, right, Scalar() as type_):
            wraps = type_.kind != "signed" and (type_.size < 8 or op == "-")
            rest = None if wraps else _rest(left, offset)
            if rest is None:
                return None
            if isinstance(rest, Const) and rest.value == 0 and rest.spelling == "0":
                right = _narrow(right)
                return right if op == "+" else Unary("-", right, scalar_type(right))
            return replace(index, left=rest)
        case _:
            return None


def _narrow(index: Expr) -> Expr:
    """An index without the conversion to a wider type that its sum with an offset needs."""
    match index:
        case Cast(arg, Scalar() as type_) if is_integer(arg) and type_.size >= scalar_type(arg).size:
            return _narrow(arg)
        case Const(int() as value, Scalar(kind="signed"), spelling=None) if abs(value) < 2**31:
            return Const(value, INT)
        case _:
            return index


def _without_offsets(body: Sequence[Stmt]) -> list[Stmt]:
    """The body without offsets of the front end's that a single pointer is left to use."""
    out = list(body)
    for stmt in body:
        if not isinstance(stmt, Declare) or stmt.sym.origin != "lowering" or not isinstance(stmt.init, Expr):
            continue
        used = [s for s in out if stmt.sym in symbols((s,)) and s is not stmt]
        match used:
            case [Declare(_, AddressOf(Place(_, (Place(sym, ()),)) as start, kind)) as only] if (
                sym is stmt.sym
            ):
                whole = replace(only, init=AddressOf(replace(start, index=(stmt.init,)), kind))
                out = [whole if s is only else s for s in out if s is not stmt]
            case _:
                pass
    return out
