"""Find counted loops: those whose iterations can be enumerated again without a record.

A loop is counted if it is a `for` over an integer that only its step changes, by a
constant or a loop-invariant amount, against a loop-invariant bound, and if that
integer doesn't wrap around on its way (see `wraparound`). Its reverse loop takes the
same values in opposite order. A `Scale` loop is reversed by its own rule. For any
other loop the forward sweep counts the trips.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from ...ir import (
    INT,
    Assign,
    Binary,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    Function,
    Place,
    Return,
    Scalar,
    Select,
    Special,
    Stmt,
    Sym,
    collective,
    is_integer,
    remembered,
    statements,
    unconverted,
)
from ..constants import (
    COMPARED,
    FLIPPED,
    WARP,
    exact,
    has_name,
    is_wide,
    literal,
    natural,
    range_of,
    spelled_out,
)
from ..ssa import Loop, Versions, loads, own_breaks, scalars, targets
from .wraparound import reaches


@dataclass(frozen=True)
class Counter:
    """`for (sym = start; sym op bound; sym += step)`, op with sym on its left."""

    sym: Sym
    start: Expr
    op: str
    bound: Expr
    step: Expr
    ascending: bool

    @property
    def unit(self) -> bool:
        return isinstance(self.step, Const) and self.step.value == 1 and not has_name(self.step)

    @property
    def trips(self) -> int | None:
        """The trip count, where start, bound and step are constants."""
        start, bound, step = constant(self.start), constant(self.bound), constant(self.step)
        if start is None or bound is None or step is None:
            return None
        distance = bound - start if self.ascending else start - bound
        if self.op in ("<=", ">="):
            distance += 1
        return max(0, -(-distance // step))


def constant(expr: Expr) -> int | None:
    """Evaluate an integer expression of literals: `TERMS - 2`. None if only wrapping made it so large."""
    value = exact(expr)
    return None if value is None or value > range_of(INT)[1] else value


@dataclass(frozen=True)
class Positive:
    """What is known to be at least one in a function.

    `locals`: variables that are, wherever they are read. `warps`: since all 32 lanes take part
    in an exchange, a block's rows are whole warps, so `blockDim.x / 32` is at least one.
    """

    locals: frozenset[Sym] = frozenset()
    warps: bool = False

    def holds(self, expr: Expr) -> bool:
        """Whether an expression is at least one: sizes of the launch, and what is computed from them.

        (blockDim.x + 31) / 32      the sum is at least 32
        max(1, n / 4)               one operand is
        """
        return self.least(expr) >= 1

    def least(self, expr: Expr) -> int:
        """Return a lower bound of a size, -1 if it may be negative. No index wraps, as the header states."""
        value = literal(expr)
        if value is not None:
            return max(value, -1) if is_integer(expr) else -1
        if not is_wide(expr.type):
            return -1
        match expr:
            case Special(name):
                return int(name in ("blockDim", "gridDim", "warpSize")) if name != "present" else -1
            case Cast(arg):
                return self.least(arg)
            case Place(sym, ()) if sym in self.locals:
                return 1
            case Select(_, then, other):
                return min(self.least(then), self.least(other))
            case Call("max" | "min" as name, (left, right), callee=None):
                return (max if name == "max" else min)(self.least(left), self.least(right))
            case Binary("&", left, right):
                return min(max(self.least(left), self.least(right)), 0)
            case Binary(op, left, right) if (low := self.least(left)) >= 0:
                return self._combined(op, left, low, right)
            case _:
                return -1

    def _combined(self, op: str, left: Expr, low: int, right: Expr) -> int:
        """A lower bound of an operation on something that is at least `low`."""
        by, other = literal(right), self.least(right)
        match op:
            case "+" if other >= 0:
                return low + other
            case "*" if other >= 0:
                return low * other
            case "-" if by is not None and 0 <= by <= low:
                return low - by
            case "/" | ">>" if by is not None and by >= (op == "/"):
                by = by if op == "/" else 1 << min(by, WARP)
                row = isinstance(left, Special) and (left.name, left.axis) == ("blockDim", "x")
                return max(low // by, 1 if self.warps and row and by <= WARP else 0)
            case "|" if other >= 0:
                return max(low, other)
            case _:
                return -1


def counter(loop: Loop, written: Container[Sym], positive: Positive) -> Counter | None:
    """Return the loop's counter, if it is counted; `written` is what its body and step may write."""
    if not isinstance(loop, For) or loop.cond is None or len(loop.init) != 1 or len(loop.step) != 1:
        return None
    match loop.init[0]:
        case Declare(sym, init) if isinstance(init, Expr):
            start = spelled_out(init)
        case Assign(Place(sym, ()), value, None):
            start = spelled_out(value)
        case _:
            return None
    if not isinstance(sym.type, Scalar) or not sym.type.is_integer or sym.type.kind == "bool":
        return None
    stepped = _stepped(loop.step[0], sym)
    if stepped is None:
        return None
    ascending, amount = stepped
    compared = _comparison(loop.cond, sym)
    if compared is None:
        return None
    op, bound = compared
    if not _compares_values(loop.cond, sym.type, start, ascending):
        return None
    if any(t.sym is sym for s in statements(loop.body) for t in targets(s)):
        return None
    for expr in (bound, amount):
        if any(s in written or s is sym for s in scalars(expr)):
            return None
        if any(place.sym in written for place in loads(expr)):
            return None
    other_way = op in ((">", ">=") if ascending else ("<", "<="))
    if other_way or (op == "!=" and not (isinstance(amount, Const) and amount.value == 1)):
        return None
    if not isinstance(amount, Const) and not positive.holds(amount):
        return None
    sign = 1 if ascending else -1
    by = sign * int(amount.value) if isinstance(amount, Const) else None
    if not _reaches(loop, sym.type, start, op, bound, by, sign):
        return None
    return Counter(sym, start, op, bound, amount, ascending)


def _stepped(step: Stmt, sym: Sym) -> tuple[bool, Expr] | None:
    """Return whether a step increases its variable, and by how much; None if it steps another one."""
    match step:
        case Assign(Place(stepped, ()), amount, "+=" | "-=" as change) if stepped is sym:
            ascending = change == "+="
        case Assign(Place(stepped, ()), Binary("+", left, right), None) if (
            stepped is sym and is_variable(right, sym) and not is_variable(left, sym)  # `i = 4 + i`
        ):
            ascending, amount = True, left
        case Assign(Place(stepped, ()), Binary("+" | "-" as way, left, right), None) if (
            stepped is sym and is_variable(left, sym)
        ):
            ascending, amount = way == "+", right
        case _:
            return None
    amount = unconverted(amount)
    if not isinstance(amount, Const):
        return ascending, amount
    if not isinstance(amount.value, int) or amount.value == 0:
        return None
    return (ascending, amount) if amount.value > 0 else (not ascending, Const(-amount.value, amount.type))


def _reaches(loop: For, kind: Scalar, start: Expr, op: str, bound: Expr, step: int | None, sign: int) -> bool:
    """Whether the counter never wraps around; a non-literal step is accepted for wide types only."""
    if step is None:
        step = sign * 2
        if kind.size < INT.size:
            return False
    compared = comparison_type(loop.cond, kind)
    return reaches(kind, compared, start, op, bound, step, leaves_early(loop.body))


def comparison_type(cond: Expr | None, kind: Scalar) -> Scalar:
    """Return the type in which a condition compares a counter of type `kind`."""
    side = None if cond is None else unconverted(cond)
    found = side.left.type if isinstance(side, Binary) else kind
    return found if isinstance(found, Scalar) else kind


def leaves_early(body: Iterable[Stmt]) -> bool:
    """Whether a loop with this body may end other than by its condition."""
    whole = tuple(body)
    return bool(own_breaks(whole)) or any(isinstance(s, Return) for s in statements(whole))


def own_counter(loop: For, positive: Positive) -> Counter | None:
    """Return a loop's counter, if it is counted; for a body that has no versions yet."""
    written = {t.sym for s in statements((*loop.body, *loop.step)) for t in targets(s)}
    return counter(loop, written, positive)


def counted(loop: Loop, versions: Versions) -> Counter | None:
    """Return the counter of a function's loop, if it is counted."""
    return counter(loop, versions.writes[loop], positive(versions.function))


@remembered
def positive(function: Function) -> Positive:
    """Find integer locals whose only write is a declaration with a value of at least one; and `warps`."""
    every = tuple(statements(function.body))
    times = Bag(t.sym for s in every for t in targets(s))
    found = Positive(warps=any(_of_a_whole_warp(collective(s)) for s in every))
    for stmt in every:
        match stmt:
            case Declare(sym, init) if isinstance(init, Expr):
                if times[sym] == 1 and is_wide(sym.type) and found.holds(init):
                    found = replace(found, locals=found.locals | {sym})
            case _:
                pass
    return found


def _of_a_whole_warp(call: Call | None) -> bool:
    mask = literal(call.args[0]) if call is not None and call.name.endswith("_sync") else None
    return mask is not None and mask % (1 << WARP) == (1 << WARP) - 1


def _comparison(cond: Expr, sym: Sym) -> tuple[str, Expr] | None:
    cond = unconverted(cond)
    if is_variable(cond, sym) and isinstance(sym.type, Scalar):  # `for (...; d; d /= 2)`
        return "!=", Const(0, sym.type)
    if not isinstance(cond, Binary) or cond.op not in FLIPPED:
        return None
    for side, other, op in (
        (cond.left, cond.right, cond.op),
        (cond.right, cond.left, FLIPPED[cond.op]),
    ):
        if is_variable(side, sym):
            return op, _unwidened(other)
        moved = _moved(side, sym)
        if moved is not None:
            sign, amount = moved
            bound = _unwidened(other)
            return op, Binary(sign, bound, amount, bound.type)
    return None


def _compares_values(cond: Expr, counter_type: Scalar, start: Expr, ascending: bool) -> bool:
    """Whether the comparison is of the integers themselves.

    A floating bound may lie between the counter's values. If a signed counter is converted to
    unsigned, a negative one becomes a large number, and the loop doesn't run.
    """
    side = unconverted(cond)
    kind = side.left.type if isinstance(side, Binary) else counter_type
    if not isinstance(kind, Scalar) or not kind.is_integer:
        return False
    if kind.kind == "unsigned" and counter_type.kind == "signed":
        return ascending and natural(start)
    return True


def _moved(side: Expr, sym: Sym) -> tuple[str, Expr] | None:
    """Rewrite `k + 1 < n` as `k < n - 1`: the sign and the amount to add. Signed counters only."""
    match side:
        case Binary("+" | "-" as sign, left, Const() as amount, Scalar(kind="signed")) if is_variable(
            left, sym
        ):
            return "-" if sign == "+" else "+", amount
        case _:
            return None


def is_variable(expr: Expr, sym: Sym) -> bool:
    """Whether an expression is a variable alone, perhaps converted."""
    expr = unconverted(expr)
    return isinstance(expr, Place) and expr.sym is sym and not expr.index


def _unwidened(expr: Expr) -> Expr:
    """Return the bound as the author wrote it."""
    if isinstance(expr, Cast) and expr.implicit and is_integer(expr):
        return expr.arg
    return expr


@dataclass(frozen=True)
class Scale:
    """`for (int d = 16; d > 0; d /= 2)`: a counter with literal values, each a fixed ratio from the next.

    Its reverse loop doubles: `for (int d = 1; d <= 16; d *= 2)`.
    """

    sym: Sym
    start: Expr
    values: tuple[int, ...]
    op: str
    bound: Expr

    @property
    def last(self) -> Expr:
        """The last value, in the author's names: `BLOCK / 2` for a counter that doubles below BLOCK."""
        last, bound, kind = self.values[-1], self.bound, self.sym.type
        assert isinstance(kind, Scalar)
        if not isinstance(bound, Const) or has_name(bound):
            if self.op in ("<=", ">=") and literal(bound) == last:
                return bound
            ratio = Const(self.ratio, bound.type if isinstance(bound.type, Scalar) else kind)
            if self.op == "<" and literal(bound) == last * self.ratio:
                return Binary("/", bound, ratio, bound.type)
            if self.op == ">" and literal(Binary("*", bound, ratio, bound.type)) == last:
                return Binary("*", bound, ratio, bound.type)
        return Const(last, kind, spelling=str(last))

    @property
    def falls(self) -> bool:
        return self.values[0] > self.values[-1]

    @property
    def ratio(self) -> int:
        return max(self.values[:2]) // min(self.values[:2]) if len(self.values) > 1 else 2


def scale(loop: Loop) -> Scale | None:
    """Return the loop's counter, if it is scaled by a power of two and literals decide its trip count."""
    if not isinstance(loop, For) or len(loop.init) != 1 or len(loop.step) != 1 or loop.cond is None:
        return None
    (first,), (step,) = loop.init, loop.step
    match first, step:
        case Declare(sym, init), Assign(Place(stepped, ()), by, "/=" | ">>=" | "*=" | "<<=" as op) if (
            stepped is sym and isinstance(init, Expr)
        ):
            pass
        case _:
            return None
    kind = sym.type
    if not isinstance(kind, Scalar) or kind.kind not in ("signed", "unsigned") or kind.size < INT.size:
        return None
    if own_breaks(loop.body) or any(t.sym is sym for s in statements(loop.body) for t in targets(s)):
        return None
    compared, start, amount = _comparison(loop.cond, sym), literal(init), literal(by)
    if compared is None or start is None or amount is None or start < 1:
        return None
    end = literal(compared[1])
    shifted = amount if op in (">>=", "<<=") else amount.bit_length() - 1
    if end is None or shifted < 1 or (op in ("/=", "*=") and amount != 1 << shifted):
        return None
    values: list[int] = []
    value = start
    while len(values) <= SCALED and COMPARED[compared[0]](value, end):
        values.append(value)
        value = value >> shifted if op in ("/=", ">>=") else value << shifted
    if not values or len(values) > SCALED or max(values) >> 30:
        return None
    exact = all(max(a, b) == min(a, b) << shifted for a, b in pairwise(values))
    return Scale(sym, init, tuple(values), *compared) if exact else None


SCALED = 31
