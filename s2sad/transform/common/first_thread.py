"""What a condition on a thread's position is for the first thread: the one whose coordinates are zero.

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    i < n                         n > 0                                    for the first thread of the launch
                                  (int)(blockIdx.x * blockDim.x) < n       for the first one of the block

If it holds for any thread, it does for the first: `i < n` bounds the position from above, and no position is
smaller. A condition of which that isn't known, as of `i > 0` or of `x[i] > 0.0f`, is refused, unless it holds
for the first thread by its literals, as `threadIdx.x % 32 == 0` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from itertools import islice

from ...analysis.constants import FLIPPED, is_wide, natural, stays_natural
from ...ir import (
    BOOL,
    Binary,
    Body,
    Cast,
    Const,
    Declare,
    Expr,
    Place,
    Pointer,
    Scalar,
    Special,
    Sym,
    Unary,
    children,
    is_integer,
    statements,
    walk,
)
from .algebra import converted, rewrite
from .jumps import negation
from .mod_ref import written

BLOCKS = frozenset(f"blockIdx.{axis}" for axis in "xyz")
_LAUNCH = ("threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "present")
_LONG = 60  # parts of a condition that nobody would read
SMALL = 128  # every integer type holds it
TRUE = Const(True, BOOL)


class NotFirst(Exception):
    """A condition may hold for other threads only."""


class FirstThread:
    """Conditions of one kernel's body, by names that are set once."""

    def __init__(self, body: Body) -> None:
        self.changed = {sym for stmt in body for sym in written(stmt)}
        declared = [s for s in statements(body) if isinstance(s, Declare)]
        times = Counter(s.sym for s in declared)
        self.values: dict[Sym, Expr] = {
            s.sym: s.init
            for s in declared
            if isinstance(s.init, Expr) and s.sym not in self.changed and times[s.sym] == 1
        }

    def condition(self, cond: Expr, kept: Container[str]) -> Expr:
        """The condition for the first thread, if it holds for that whenever for any. Raises NotFirst.

        The coordinates of blocks that are `kept` stay as they are; the others, and all of threads, are zero.
        """
        match cond:
            case Binary("&&" | "||" as op, left, right):
                return _joined(op, self.condition(left, kept), self.condition(right, kept))
            case Unary("!", Binary("&&" | "||" as op, left, right)):
                other = "&&" if op == "||" else "||"
                return self.condition(Binary(other, negation(left), negation(right), BOOL), kept)
            case Unary("!", arg) if not isinstance(turned := negation(arg), Unary):
                return self.condition(turned, kept)
            case Place(sym, ()) if sym in self.values:
                return self.condition(self.values[sym], kept)
            case Unary("!", Place(sym, ())) if sym in self.values:
                return self.condition(Unary("!", self.values[sym], BOOL), kept)
            case _:
                return self._compared(cond, kept)

    def _compared(self, cond: Expr, kept: Container[str]) -> Expr:
        whole = self._resolved(cond)
        if sum(1 for _ in islice(walk(whole), _LONG)) == _LONG:
            raise NotFirst
        first = _folded(rewrite(whole, lambda e: _zero(e) if _moves(e, kept) else None))
        if isinstance(first, Const):
            if first.value:
                return TRUE
            raise NotFirst
        if not _moving(whole, kept):
            return _turned(whole)
        match whole:
            case Binary("<" | "<=", low, high) | Binary(">" | ">=", high, low):
                if is_integer(low) and _least(low, kept) and not _moving(high, kept):
                    return _turned(first)
            case _:
                pass
        raise NotFirst

    def _resolved(self, expr: Expr) -> Expr:
        """An expression of the launch's own values. Raises NotFirst."""

        def change(e: Expr) -> Expr | None:
            match e:
                case Place(sym, ()) if sym in self.values:
                    return converted(self._resolved(self.values[sym]), e.type)
                case Place(sym, ()) if self.given(sym):
                    return e
                case Const() | Cast() | Unary() | Binary():
                    if not is_integer(e):
                        raise NotFirst  # floating arithmetic may be contracted in one place only
                    return None
                case Special(name) if name in _LAUNCH:
                    return e
                case _:
                    raise NotFirst

        return rewrite(expr, change)

    def given(self, sym: Sym) -> bool:
        """Whether it is an integer that the launch receives and doesn't change."""
        kind = sym.type
        outer = isinstance(kind, Scalar) and kind.is_integer and sym.storage in ("parameter", "global")
        return outer and sym not in self.changed

    def blocks(self, expr: Expr, known: Container[Sym]) -> frozenset[str]:
        """The block's coordinates that a value follows from, beside `known` variables; all if not known."""
        match expr:
            case Special("blockIdx", axis):
                return frozenset({f"blockIdx.{axis}"})
            case Const() | Special("blockDim" | "gridDim" | "warpSize" | "present"):
                return frozenset()
            case Place(sym, ()) if sym in known or self.given(sym):
                return frozenset()
            case Place(sym, ()) if sym in self.values:
                return self.blocks(self.values[sym], known)
            case Place(Sym(type=Pointer(const=True)) as sym, index) if index and sym not in self.changed:
                return self.all_blocks(index, known)
            case Binary() | Unary() | Cast():
                return self.all_blocks(children(expr), known)
            case _:
                return BLOCKS

    def all_blocks(self, exprs: Iterable[Expr], known: Container[Sym]) -> frozenset[str]:
        """The same for several values."""
        return frozenset[str]().union(*(self.blocks(e, known) for e in exprs))


def _moves(expr: Expr, kept: Container[str]) -> bool:
    """Whether it is a coordinate that is zero for the first thread."""
    match expr:
        case Special("threadIdx"):
            return True
        case Special("blockIdx", axis):
            return f"blockIdx.{axis}" not in kept
        case _:
            return False


def _moving(expr: Expr, kept: Container[str]) -> bool:
    return any(_moves(part, kept) for part in walk(expr))


def _least(expr: Expr, kept: Container[str]) -> bool:
    """Whether an integer is least where the coordinates that it depends on are zero.

    No position wraps. A difference is one of signed numbers: an unsigned one would wrap at the start.
    """
    if _moves(expr, kept) or not _moving(expr, kept):
        return True
    match expr:
        case Cast(arg):
            wide = is_wide(expr.type) and is_wide(arg.type)
            return wide and stays_natural(expr) and natural(arg) and _least(arg, kept)
        case Binary("+" | "-" as op, left, right, Scalar(kind=kind)):
            if kind != "signed" and (op == "-" or not (natural(left) and natural(right)) or _differs(expr)):
                return False
            return _least(left, kept) and (_least(right, kept) if op == "+" else not _moving(right, kept))
        case Binary("*", left, right):
            return natural(left) and natural(right) and _least(left, kept) and _least(right, kept)
        case Binary("/", left, right):
            return natural(left) and natural(right) and _least(left, kept) and not _moving(right, kept)
        case _:
            return False


def _differs(expr: Expr) -> bool:
    """Whether a difference is part of an expression: an unsigned one may be huge."""
    return any(isinstance(e, Binary | Unary) and e.op == "-" for e in walk(expr))


def _joined(op: str, left: Expr, right: Expr) -> Expr:
    for one, other in ((left, right), (right, left)):
        if one == TRUE:
            return other if op == "&&" else TRUE
    return Binary(op, left, right, BOOL)


def _zero(expr: Expr) -> Const:
    assert isinstance(expr.type, Scalar)
    return Const(0, expr.type, spelling="0")


def _folded(expr: Expr) -> Expr:
    """An integer expression without the zeros that are now in it."""

    def change(e: Expr) -> Expr | None:
        match e:
            case Cast(arg, Scalar() as kind):
                inner = _folded(arg)
                if isinstance(inner, Const) and kind.is_integer and 0 <= inner.value < SMALL:
                    return Const(
                        inner.value if kind is not BOOL else bool(inner.value), kind, spelling=inner.spelling
                    )
                return e if inner is arg else Cast(inner, kind, implicit=e.implicit)
            case Binary(op, left, right, Scalar() as kind):
                return _operation(e, op, _folded(left), _folded(right), kind)
            case Unary("!", arg):
                inner = _folded(arg)
                return Const(not inner.value, BOOL) if isinstance(inner, Const) else None
            case _:
                return None

    return rewrite(expr, change)


def _operation(old: Binary, op: str, left: Expr, right: Expr, kind: Scalar) -> Expr:
    match op, left, right:
        case "+" | "-", Const(int() as one), Const(int() as two) if kind.kind == "signed" or op == "+":
            total = one + two if op == "+" else one - two
            if abs(total) < SMALL and not (left.named or right.named):
                return Const(total, kind)
            return Binary(op, left, right, kind)
        case "+", Const(0), other if other.type == kind:
            return other
        case "+" | "-", other, Const(0) if other.type == kind:
            return other
        case "*", Const(0), _:
            return Const(0, kind, spelling="0")
        case "*", _, Const(0):
            return Const(0, kind, spelling="0")
        case "/" | "%" | "&" | "<<" | ">>", Const(0), _:
            return Const(0, kind, spelling="0")
        case "<" | "<=" | ">" | ">=" | "==" | "!=", Const(one), Const(two):
            order = {"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two, "==": one == two}
            return Const(one != two if op == "!=" else order[op], BOOL)
        case _:
            return old if left is old.left and right is old.right else Binary(op, left, right, kind)


def _turned(cond: Expr) -> Expr:
    """`n > 0` for `0 < n`."""
    match cond:
        case Binary(op, Const() as left, right) if op in FLIPPED and not isinstance(right, Const):
            return Binary(FLIPPED[op], right, left, BOOL)
        case _:
            return cond
