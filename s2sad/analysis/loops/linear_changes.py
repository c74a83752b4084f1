"""What one iteration of a loop adds to an integer, where that is the same in all iterations.

    at = at + width - 1;                        adds width - 1
    i += 2; …; i += n / parts;                  adds n / parts + 2
    next = i + stride; …; i = next;             adds stride
    if (c) { i += s; } else { …; i += s; }      adds s

The variable then is its value at entry plus that amount times the iteration number, whichever sign the
amount has. Nothing has to be known about wrap-around: additions and conversions that keep at least the
variable's bits are exact modulo 2^bits, for unsigned and narrow types too.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    For,
    Place,
    Pointer,
    Scalar,
    Select,
    Special,
    Stmt,
    Unary,
    is_integer,
    scalar_type,
    unconverted,
    walk,
)
from ..constants import has_name, literal, natural, wrapped
from ..ssa import Loop, Version, Versions
from .counted_loops import counted

POSITIONS = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"})
PURE = frozenset({"integer", "fmin", "fmax", "fabs"})  # here of integers


@dataclass(frozen=True)
class Stride:
    """An amount that is no literal, as `stmt` evaluates it; `falls`: it is subtracted."""

    stmt: Stmt
    amount: Expr
    falls: bool = False


@dataclass(frozen=True)
class Change:
    """A value as `carried` times the variable at the start of the iteration, plus step and strides."""

    carried: int = 0
    step: int = 0
    strides: tuple[Stride, ...] = ()
    literals: tuple[Stride, ...] = ()  # those that `step` is the sum of

    def plus(self, other: Change) -> Change:
        return Change(
            self.carried + other.carried,
            self.step + other.step,
            (*self.strides, *other.strides),
            (*self.literals, *other.literals),
        )

    @property
    def negative(self) -> Change:
        return Change(-self.carried, -self.step, *map(_negated, (self.strides, self.literals)))

    def equals(self, other: Change) -> bool:
        """Whether both are the same value: what the strides name doesn't change in the loop."""
        one, two = ([(s.amount, s.falls) for s in c.strides] for c in (self, other))
        return (self.carried, self.step, one) == (other.carried, other.step, two)


def _negated(strides: tuple[Stride, ...]) -> tuple[Stride, ...]:
    return tuple(Stride(s.stmt, s.amount, not s.falls) for s in strides)


def change(loop: Loop, head: Version, versions: Versions) -> Change | None:
    """Return what each iteration adds to a carried integer, if that is the same amount in all of them."""
    if len(head.args) != 2:
        return None
    found = _Iteration(loop, head, versions).version(head.args[1])
    if found is None or found.carried != 1:
        return None
    step, strides = found.step, found.strides
    if strides:  # a sum with the author's names in it
        for one in found.literals:
            if has_name(one.amount):
                value = literal(one.amount) or 0
                step, strides = step + (value if one.falls else -value), (*strides, one)
    kind = Scalar("", "signed", scalar_type(head.sym).size)
    return Change(1, wrapped(step, kind), strides, found.literals)


@dataclass(frozen=True)
class _Iteration:
    """The values of one iteration as sums."""

    loop: Loop
    head: Version
    versions: Versions

    def version(self, version: Version) -> Change | None:
        if version is self.head:
            return Change(1)
        if not self._keeps(version.sym.type) or version.stmt is None:
            return None
        if version.kind == "join":
            found = [self.version(arg) for arg in version.args]
            first = found[0]
            same = first is not None and all(f is not None and f.equals(first) for f in found)
            return first if same else None
        if version.kind == "exit":
            return self.left(version)
        if version.kind != "def":
            return None
        match version.stmt:
            case Assign(Place(sym, ()), amount, "+=" | "-=" as op) if sym is version.sym:
                before = self.versions.read(version.stmt, sym)
                old = None if before is None else self.version(before)
                new = self.sum(version.stmt, amount)
                if old is None or new is None:
                    return None
                return old.plus(new if op == "+=" else new.negative)
        return None if version.made is None else self.sum(*version.made)

    def left(self, version: Version) -> Change | None:
        """A variable after an inner loop that changes it by one amount, and runs equally often each time.

        for (j = 0; j < m; ++j) { …; ++k; }         adds m, or 0 if that is negative
        """
        inner = version.stmt
        if not isinstance(inner, For) or len(version.args) != 1 or version.args[0].stmt is not inner:
            return None
        count, head = counted(inner, self.versions), version.args[0]
        moved = None if count is None else change(inner, head, self.versions)
        before = None if moved is None else self.version(head.args[0])
        if count is None or moved is None or before is None or moved.strides:
            return None
        plain = literal(count.start) == 0 and count.unit and count.ascending and count.op in ("<", "!=")
        if count.trips is not None and not (plain and has_name(count.bound)):
            return before.plus(Change(0, count.trips * moved.step))
        kind, trips = scalar_type(count.bound), count.bound
        if not plain or kind.size < INT.size or not stays(trips, self.loop, self.versions):
            return None
        if not natural(trips):
            trips = Select(Binary(">", trips, Const(0, kind), BOOL), trips, Const(0, kind), kind)
        if abs(moved.step) != 1:
            wide = max((scalar_type(version.sym), INT), key=lambda each: each.size)
            trips = Binary("*", Cast(trips, wide, implicit=True), Const(abs(moved.step), wide), wide)
        more = Stride(inner, trips, moved.step < 0)
        if count.trips is not None:
            return before.plus(Change(0, count.trips * moved.step, (), (more,)))
        return before.plus(Change(0, 0, (more,)))

    def sum(self, stmt: Stmt, expr: Expr) -> Change | None:
        """An integer expression that a statement of the iteration evaluates."""
        value = literal(expr)
        if value is not None:
            return Change(0, value, (), (Stride(stmt, unconverted(expr)),))
        if stays(expr, self.loop, self.versions):
            return Change(0, 0, (Stride(stmt, unconverted(expr)),))
        match expr:
            case Place(sym, ()):
                version = self.versions.read(stmt, sym)
                return None if version is None else self.version(version)
            case Cast(arg) if self._keeps(expr.type) and self._keeps(arg.type):
                return self.sum(stmt, arg)
            case Binary("+" | "-" as op, left, right) if self._keeps(expr.type):
                one, other = self.sum(stmt, left), self.sum(stmt, right)
                if one is None or other is None:
                    return None
                return one.plus(other if op == "+" else other.negative)
            case _:
                return None

    def _keeps(self, kind: object) -> bool:
        """Whether a type keeps all bits of the variable."""
        return (
            isinstance(kind, Scalar)
            and kind.kind in ("signed", "unsigned")
            and kind.size >= scalar_type(self.head.sym).size
        )


def stays(expr: Expr, loop: Loop, versions: Versions) -> bool:
    """Whether an integer is the same in all iterations, and can be evaluated at the start of any.

    A loop that may be left before it has evaluated a quotient or a load may be left because of it.
    """
    return all(_fixed(e, loop, versions) for e in walk(expr))


def _fixed(expr: Expr, loop: Loop, versions: Versions) -> bool:
    if not is_integer(expr):
        return False
    left = bool(versions.breaks[loop])
    match expr:
        case Const() | Cast() | Unary() | Select():
            return True
        case Special(name):
            return name in POSITIONS
        case Binary("/" | "%", _, right):
            by = literal(right)
            return not left if by is None else by != 0
        case Binary():
            return True
        case Call():
            return expr.callee is None and expr.rule in PURE
        case Place(sym, ()):
            return sym not in versions.writes[loop]
        case Place(sym):
            kept = sym not in versions.writers and isinstance(sym.type, Pointer)
            return kept and sym.storage == "parameter" and not left
        case _:
            return False
