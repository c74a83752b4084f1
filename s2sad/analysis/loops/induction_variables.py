"""Find induction variables: those determined by the iteration number alone.

while (b >= 0) { …; b -= 2; }         b is entry - 2 * iteration
while (s > 0) { …; s /= 2; }          s is entry >> iteration
for (…) { …; at = next; }             at is entry + (width + 1) * iteration, for next = at + width + 1
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...ir import (
    INT,
    Assign,
    Binary,
    Call,
    Const,
    Declare,
    Expr,
    For,
    Scalar,
    Sym,
    While,
    scalar_type,
    unconverted,
    walk,
)
from ..constants import FLIPPED
from ..ssa import Loop, Version, Versions, loads, scalars
from .counted_loops import constant, counted, is_variable
from .linear_changes import Stride, change


@dataclass(frozen=True)
class Induction:
    """A variable that every iteration changes by the same amount: entry + (step + strides) · iteration.

    `said` is the step without its sign, if the author gave it a name. With `halved`, every iteration
    divides it by 2^halved: entry >> halved · iteration; a negative `halved` multiplies. `strides` are
    the parts of the amount that aren't literals: `at += width`.
    """

    entry: Version
    step: int
    halved: int = 0
    strides: tuple[Stride, ...] = ()
    said: Const | None = field(default=None, compare=False)


def induction(loop: Loop, sym: Sym, versions: Versions) -> Induction | None:
    """Return how a carried integer depends on the iteration number, if that alone determines it."""
    if not isinstance(sym.type, Scalar) or sym.type.kind not in ("signed", "unsigned"):
        return None
    head = versions.heads[loop].get(sym)
    if head is None or len(head.args) != 2:
        return None
    back = head.args[1]
    if back.stmt is not None and versions.read(back.stmt, sym) is head:
        shifted = _halved(loop, sym, back, head, versions)
        if shifted:
            return Induction(head.args[0], 0, shifted)
    moved = change(loop, head, versions)
    if moved is None:
        return None
    one = moved.literals[0].amount if len(moved.literals) == 1 else None
    said = one if isinstance(one, Const) and one.named and one.value > 0 else None
    return Induction(head.args[0], moved.step, strides=moved.strides, said=said)


def _halved(loop: Loop, sym: Sym, back: Version, head: Version, versions: Versions) -> int:
    """Return the number of bits that an iteration shifts a variable to the right; 0 for anything else.

    A left shift is negative. (s / 2) / 2 is s / 4 and (s >> 1) >> 1 is s >> 2; `/` is `>>` for s >= 0.
    """
    stmt = back.stmt
    if back.kind != "def" or not isinstance(stmt, Assign) or stmt.target.sym is not sym:
        return 0
    if isinstance(stmt.value.type, Scalar) and stmt.value.type.is_float:
        return 0
    amount = constant(unconverted(stmt.value))
    if amount is None or amount <= 0 or head.stmt is not loop:
        return 0
    bits = amount.bit_length() - 1
    assert isinstance(sym.type, Scalar)
    if sym.type.size < INT.size:
        return 0
    unsigned = sym.type.kind == "unsigned"
    least = _least(loop, sym)
    positive = least is not None and least >= 1
    match stmt.op:
        case "/=" if amount == 1 << bits and (unsigned or positive or least == 0):
            pass
        case ">>=" if amount < 8 * sym.type.size - 1:
            bits = amount
        case "*=" if amount == 1 << bits and _from_natural(head):
            bits = -bits
        case "<<=" if amount < 8 * sym.type.size - 1 and _from_natural(head):
            bits = -amount
        case _:
            return 0
    grows = bits < 0 and not unsigned and _from_natural(head, 1)  # it would overflow before all bits are gone
    shrinks = bits > 0 and positive
    return bits if shrinks or grows or _ends(loop, sym, abs(bits), versions) else 0


def _ends(loop: Loop, sym: Sym, bits: int, versions: Versions) -> bool:
    """Whether a loop ends before it has shifted all bits out of a variable.

    After that the variable no longer changes; a loop whose condition reads only it and invariants
    would run forever.
    """
    count = counted(loop, versions)
    if count is not None and count.trips is not None and (count.trips - 1) * bits < 8 * scalar_type(sym).size:
        return True
    if loop.cond is None or versions.breaks[loop]:
        return False
    written = versions.writes[loop]
    return (
        sym in scalars(loop.cond)
        and all(s is sym or s not in written for s in scalars(loop.cond))
        and not any(place.sym in written for place in loads(loop.cond))
        and not any(isinstance(e, Call) for e in walk(loop.cond))
    )


def _least(loop: Loop, sym: Sym) -> int | None:
    """Return the lower bound that the loop's condition gives a variable at the start of an iteration."""
    found = [n for part in _parts(loop.cond) if (n := _bound_below(part, sym)) is not None]
    return max(found, default=None) if isinstance(loop, For | While) else None


def _parts(cond: Expr | None) -> Iterator[Expr]:
    match None if cond is None else unconverted(cond):
        case None:
            return
        case Binary("&&", left, right):
            yield from _parts(left)
            yield from _parts(right)
        case other:
            yield other


def _bound_below(cond: Expr, sym: Sym) -> int | None:
    match cond:
        case Binary(op, left, right, _) if op in FLIPPED:
            compared: str = op
            if not isinstance(left.type, Scalar) or not left.type.is_integer:
                return None
            if is_variable(right, sym):
                left, right, compared = right, left, FLIPPED[op]
            kind, own = left.type, sym.type
            assert isinstance(kind, Scalar)
            assert isinstance(own, Scalar)
            unsigned = kind.kind == "unsigned"
            if not is_variable(left, sym) or kind.size < own.size or (unsigned and own.kind == "signed"):
                return None
            least = constant(unconverted(right))
            if compared == "!=":
                return 1 if unsigned and least == 0 else None
            if compared not in (">", ">=") or (least is None and not unsigned):
                return None
            return (least or 0) + (compared == ">")
        case _:
            return None


def _from_natural(head: Version, least: int = 0) -> bool:
    """Whether a carried variable is unsigned, or starts as a literal of at least `least`."""
    entry = head.args[0]
    if scalar_type(head.sym).kind == "unsigned":
        return True
    match entry.stmt if entry.kind == "def" else None:
        case Declare(_, Const(value)) | Assign(_, Const(value), None):
            return value >= least
        case _:
            return False
