"""Upper bounds of trip counts, in terms of what is known before the launch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...analysis.constants import (
    COMPARED,
    FLIPPED,
    constant_of,
    exact,
    has_name,
    literal,
    overflows,
    range_of,
    spelled_out,
    stays_natural,
)
from ...analysis.loops.counted_loops import Counter, constant, scale
from ...analysis.loops.induction_variables import Induction, induction
from ...analysis.loops.wraparound import reaches
from ...analysis.ssa import Loop, Version, Versions, scalars, targets
from ...ir import (
    INT,
    Array,
    Binary,
    Cast,
    Const,
    Expr,
    For,
    LoopId,
    Place,
    Pointer,
    Scalar,
    Select,
    Special,
    Stmt,
    Sym,
    Unary,
    While,
    is_floating,
    scalar_type,
    unconverted,
)
from ..common.algebra import rewrite, shifted
from ..common.integer_expressions import in_names, named_steps, named_trips, number, rounded_up
from ..common.parameter_comparisons import Comparisons
from ..common.replay import conjuncts
from . import subscript_trip_counts
from .host_trip_counts import Farthest, not_negative


class Bounds:
    """Trip counts as the host can compute them: constants, or expressions in by-value parameters."""

    def __init__(
        self,
        versions: Versions,
        counters: Mapping[Loop, Counter | None],
        given: Mapping[LoopId, Expr],
        measured: frozenset[LoopId] = frozenset(),
        requires: Sequence[Binary] = (),
    ) -> None:
        """`requires`: comparisons of integers that the user declares."""
        self.measured = measured
        self.requires = requires
        self.v = versions
        self.counters = counters
        self.given = given
        self.farthest = Farthest(versions, counters, self.closed_version)
        self.known: dict[Loop, Expr | None] = {}

    def limit(self, loop: Loop) -> Expr | None:
        """The user's bound for a loop, if one was given."""
        return self.given.get(loop.id)

    def promised(self, loop: Loop) -> bool:
        """Whether a loop's bound was given by the user and isn't measured."""
        return loop.id in self.given and loop.id not in self.measured

    def of(self, loop: Loop) -> Expr | None:
        """The maximum trip count of a loop, or None if it is unbounded."""
        if loop not in self.known:
            self.known[loop] = self._of(loop)
        return self.known[loop]

    def _of(self, loop: Loop) -> Expr | None:
        count = self.bound(loop)
        if count is not None and constant(count) is None:
            count = self.declared(count) or count
        if count is None or constant(count) is not None or _natural(count):
            return count
        return not_negative(count)

    def declared(self, count: Expr) -> Expr | None:
        """The largest value of a trip count that the user's declarations allow, if that is a number."""
        known = Comparisons(frozenset(t.sym for s in self.v.order for t in targets(s) if not t.index))
        value = known.value(count)
        facts = [fact for one in self.requires if (fact := known.of(one)) is not None]
        most = [end for fact in facts if value is not None and (end := (fact + value).constant) is not None]
        return Const(max(min(most), 0), INT) if most else None

    def bound(self, loop: Loop) -> Expr | None:
        """Like `of`, but may be negative where the loop doesn't run."""
        given = self.limit(loop)
        if given is not None:
            return given
        count = self.counters.get(loop)
        scaled = scale(loop) if count is None else None
        if scaled is not None:
            return Const(len(scaled.values), INT)
        if count is None:
            return self.by_condition(loop) or self.farthest.measured(loop)
        if count.trips is not None:
            plain = isinstance(count.bound, Const) and not count.bound.named
            as_written = count.bound if plain and constant(count.bound) == count.trips else None
            return named_trips(count) or as_written or Const(count.trips, INT)
        assert isinstance(loop, For)
        first = loop.init[0]
        start = self.closed(first, count.start)
        bound = self.closed(loop, count.bound)
        if bound is None and count.ascending:
            bound = self.most(loop, count.bound)
        if start is None and not count.ascending:
            start = self.most(first, count.start)
        step = self.closed(loop, count.step)
        lowest, highest = (start, bound) if count.ascending else (bound, start)
        if highest is None or step is None:
            return self._counted(loop, count)
        if lowest is None:
            if not self.natural(
                first if count.ascending else loop, count.start if count.ascending else count.bound
            ):
                return self._counted(loop, count)
            lowest = Const(0, INT)
        distance: Expr = highest
        if not (isinstance(lowest, Const) and number(lowest) == 0):
            distance = _minus(highest, lowest)
        more = 1 if count.op in ("<=", ">=") else 0
        if count.unit:
            return shifted(distance, more)
        if has_name(step) and constant(step) is not None:
            up = rounded_up(distance, more, step)
        elif (width := number(step)) is not None:
            up = shifted(distance, more + width - 1)
        else:
            up = shifted(Binary("+", shifted(distance, more), step, distance.type), -1)
        return Binary("/", up, step, distance.type)

    def _counted(self, loop: For, count: Counter) -> Expr | None:
        """Like `bound`, for a counter whose start or bound the host doesn't know directly."""
        within = subscript_trip_counts.most(loop, count)
        if within is not None:
            return Const(within, INT)
        return self.farthest.counted(loop, count) or self.farthest.measured(loop)

    def by_condition(self, loop: Loop) -> Expr | None:
        """`while (steps < 16 && …) { …; ++steps; }` runs at most 16 times."""
        if not isinstance(loop, While | For) or loop.cond is None:
            return None
        further: Expr | None = None
        for part in conjuncts(loop.cond):
            if not isinstance(part, Binary) or part.op not in ("<", "<=", ">", ">=", "!="):
                continue
            ways = ((part.left, part.right, part.op), (part.right, part.left, FLIPPED[part.op]))
            for side, other, op in ways:
                compared = self._compared(loop, side, other)
                if compared is None:
                    continue
                found = self._exact(loop, *compared, part, op, other)
                if found is not None:
                    return found
                further = further or self._at_most(loop, *compared, part, op, other)
        return further

    def _compared(self, loop: While | For, side: Expr, other: Expr) -> tuple[Induction, int] | None:
        """The induction variable on one side of a comparison, and its factor; the other side is invariant."""
        place, factor = _times(unconverted(side))
        if not isinstance(place, Place) or place.index or place.sym not in self.v.heads[loop]:
            return None
        fixed = induction(loop, place.sym, self.v)
        if fixed is None or (fixed.halved and factor != 1):
            return None
        varies = not fixed.halved and any(s in self.v.writes[loop] for s in scalars(other))
        return None if varies else (fixed, factor)

    def _exact(
        self, loop: While | For, fixed: Induction, factor: int, part: Binary, op: str, other: Expr
    ) -> Expr | None:
        """The bound from comparing an induction variable with a value known at entry."""
        if fixed.halved:
            return Const(self.halvings(fixed, loop, fixed.entry.sym, other, op), INT)
        rises = fixed.step > 0 and op in ("<", "<=")
        falls = fixed.step < 0 and op in (">", ">=")
        if factor != 1 or not (rises or falls) or not self.reaches(loop, fixed, factor, part, op, other):
            return None
        start, end = self.closed_version(fixed.entry), self.closed(loop, other)
        if start is None or end is None or not isinstance(end.type, Scalar) or not end.type.is_integer:
            return None
        low, high = (start, end) if rises else (end, start)
        extra = 1 if op in ("<=", ">=") else 0
        if isinstance(low, Const) and isinstance(high, Const):
            distance = int(high.value) - int(low.value) + extra
            trips = max(0, -(-distance // abs(fixed.step)))
            return named_steps(high, low, extra, in_names(abs(fixed.step), fixed.said), trips)
        span = high if isinstance(low, Const) and low.value == 0 else _minus(high, low)
        return shifted(span, 1) if extra else span

    def _at_most(
        self, loop: While | For, fixed: Induction, factor: int, part: Binary, op: str, other: Expr
    ) -> Expr | None:
        """A bound from the range of an induction variable, given by its type or its comparison."""
        if not self.reaches(loop, fixed, factor, part, op, other):
            return self.modular(loop, fixed, factor, part, op, other)
        return self.farthest.moved(loop, fixed, factor, part, op, other)

    def reaches(
        self, loop: While | For, fixed: Induction, factor: int, part: Binary, op: str, other: Expr
    ) -> bool:
        """Whether `factor * v op other` fails before v wraps around; other exits may come first."""
        kind = fixed.entry.sym.type
        assert isinstance(kind, Scalar)
        compared = part.left.type
        if not isinstance(compared, Scalar) or not compared.is_integer:
            return overflows(kind)
        if fixed.strides:  # of any size
            return overflows(kind) and overflows(compared)
        if factor != 1:
            return overflows(kind) and overflows(compared)
        start = constant_of(fixed.entry)
        return reaches(kind, compared, start, op, other, fixed.step, exits=True)

    def modular(
        self, loop: While | For, fixed: Induction, factor: int, part: Binary, op: str, other: Expr
    ) -> Expr | None:
        """How often an unsigned counter steps by one until it equals a literal, wrap-around included."""
        kind, begun = fixed.entry.sym.type, constant_of(fixed.entry)
        assert isinstance(kind, Scalar)
        if op != "!=" or factor != 1 or abs(fixed.step) != 1 or overflows(kind) or begun is None:
            return None
        compared = part.left.type
        if not isinstance(compared, Scalar) or not compared.is_integer:
            return None
        low, high = range_of(kind)
        last, first = exact(Cast(other, compared)), exact(Cast(begun, kind))
        if first is None or last is None or not low <= last <= high:
            return None  # or it never is
        return Const((last - first if fixed.step > 0 else first - last) % (high - low + 1), INT)

    def halvings(self, fixed: Induction, loop: Loop, sym: Sym, other: Expr, op: str) -> int:
        """How often a variable can be halved or doubled at most, from its number of bits."""
        most = -(-8 * scalar_type(sym).size // abs(fixed.halved))
        start, end = self.closed_version(fixed.entry), self.closed(loop, other)
        first, last = (None if e is None else literal(e) for e in (start, end))
        if first is None or last is None or first < 0:
            return most
        value, trips = first, 0
        while trips < most and COMPARED[op](value, last):
            value = value >> fixed.halved if fixed.halved > 0 else value << -fixed.halved
            trips += 1
        return max(trips, 1)

    def natural(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether an expression is nonnegative: thread and block positions and sums of them."""
        match expr:
            case Special():
                return True
            case Const(value):
                return 0 <= value < 1 << 31  # as an int, too
            case Cast(arg):
                return stays_natural(expr) and self.natural(stmt, arg)
            case Binary("+" | "*" | "/" | "%" | ">>" | "|", left, right):
                return self.natural(stmt, left) and self.natural(stmt, right)
            case Binary("&", left, right):  # a mask without the sign bit clears it
                return self.natural(stmt, left) or self.natural(stmt, right)
            case Place(sym, ()):
                version = self.v.read(stmt, sym)
                if version is not None and version.kind == "head":
                    return self.counts_up(version)
                made = None if version is None else version.made
                return made is not None and self.natural(*made)
            case _:
                return False

    def most(self, stmt: Stmt, expr: Expr) -> Expr | None:
        """An upper bound of an integer as a closed expression: counters are bounded by their loops."""
        found = self.closed(stmt, expr)
        if found is not None:
            return found
        match expr:
            case Cast(arg, _, True):
                return self.most(stmt, arg)
            case Binary("+" | "-", left, Const()):
                highest = self.most(stmt, left)
                return None if highest is None else Binary(expr.op, highest, expr.right, expr.type)
            case Place(sym, ()):
                version = self.v.read(stmt, sym)
                if version is None or version.kind != "head":
                    return None
                outer = version.stmt
                assert isinstance(outer, Loop)
                count = self.counters.get(outer)
                if count is None or count.sym is not sym:
                    return None
                assert isinstance(outer, For)
                if count.ascending:
                    return self.most(outer, count.bound)
                return self.most(outer.init[0], count.start)
            case _:
                return None

    def counts_up(self, version: Version) -> bool:
        """Whether a variable is a loop counter that stays nonnegative."""
        loop = version.stmt
        assert isinstance(loop, Loop)
        count = self.counters.get(loop)
        if count is None or count.sym is not version.sym:
            return False
        assert isinstance(loop, For)
        if not count.ascending:
            return count.op in (">", ">=") and self.natural(loop, count.bound)
        return self.natural(loop.init[0], count.start)

    def closed(self, stmt: Stmt, expr: Expr) -> Expr | None:
        """An integer expression of `stmt` in by-value parameters and launch sizes; None if it isn't one."""
        reads = self.v.reads.get(stmt, {})
        failed: list[Expr] = []

        def change(e: Expr) -> Expr | None:
            match e:
                case Special(name):
                    if name in ("threadIdx", "blockIdx", "present"):  # unknown to the host
                        failed.append(e)
                case Place(sym, index):
                    if index or isinstance(sym.type, Array | Pointer):
                        failed.append(e)
                        return e
                    version = reads.get(sym)
                    value = self.closed_version(version) if version is not None else None
                    if value is None:
                        failed.append(e)
                        return e
                    return value
                case Const() | Binary() | Unary() | Cast() | Select():
                    pass
                case _:
                    failed.append(e)
            if is_floating(e):
                failed.append(e)
            return None

        out = rewrite(expr, change)
        return None if failed else out

    def closed_version(self, version: Version) -> Expr | None:
        if version.kind == "entry":
            if version.sym.storage == "parameter" and isinstance(version.sym.type, Scalar):
                return Place(version.sym, (), version.sym.type) if version.sym.type.is_integer else None
            return None
        if version.made is None:
            return None
        stmt, value = version.made
        return self.closed(stmt, spelled_out(value))


def _times(expr: Expr) -> tuple[Expr, int]:
    """The operand that a positive literal multiplies, and the literal: 2 * v."""
    match expr:
        case Binary("*", left, right):
            for factor, rest in ((left, right), (right, left)):
                if (value := literal(factor)) is not None and value > 0:
                    return unconverted(rest), value
    return expr, 1


def _minus(high: Expr, low: Expr) -> Expr:
    value = number(low)
    return Binary("-", high, low, high.type) if value is None else shifted(high, -value)


def _natural(expr: Expr) -> bool:
    """Whether a count is nonnegative by its form."""
    match expr:
        case Place(_, _, Scalar(kind="unsigned")):
            return True
        case Select(Binary(">", one, Const(0)), then, Const(0)):
            return one == then
        case Binary("+", left, right):
            return _natural(left) and (_natural(right) or (isinstance(right, Const) and right.value >= 0))
        case _:
            return False
