"""In which interval a floating-point value is: through its operations, variables and conditions.

    float d = x[i] - x[j];
    float r2 = d * d + 0.01f;       r2 is at least 0.01f
    float s = 0.0f;
    for (int k = 0; k < n; ++k)
        s += a[k] * a[k];           s is at least 0 in each iteration, and after the loop
    if (r > 1e-6f)
        y = sqrtf(r);               r is more than 1e-6f here, if it is that r

A condition says something of the values that its variables had when it was asked: of versions, not
of names. What a loop keeps is found by trying: an end that the value before the loop has, and that
each iteration leaves as it is if it finds it so. Where nothing is known, the interval is unbounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from ..ir import (
    Assign,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    For,
    If,
    Place,
    Scalar,
    Select,
    Stmt,
    Type,
    Unary,
    While,
    scalar_type,
    unconverted,
    walk,
)
from .constants import COMPARED, FLIPPED, OPPOSITE, natural, range_of, values
from .float_bounds import (
    INFINITY,
    UNKNOWN,
    Bounds,
    Operation,
    added,
    beyond,
    converted,
    divided,
    exactly,
    greatest,
    integers,
    inwards,
    joined,
    least,
    least_positive,
    length,
    magnitude,
    met,
    multiplied,
    negated,
    outwards,
    root,
    squared,
    subtracted,
)
from .ssa import Version, Versions

Condition = tuple[Expr, bool]
"""A condition and its value."""
Key = Version | Place
Fact = tuple[Key, Bounds]
_STEPS = 400
"""Variables that one question may follow: an answer is found soon or not at all."""


@dataclass(frozen=True)
class _Point:
    """Where an expression is evaluated: its statement, and what is known there of values."""

    stmt: Stmt | None = None
    facts: Mapping[Key, Bounds] = field(default_factory=dict)

    def knowing(self, facts: Sequence[Fact]) -> _Point:
        if not facts:
            return self
        known = dict(self.facts)
        for key, bounds in facts:
            known[key] = met(known[key], bounds) if key in known else bounds
        return replace(self, facts=known)

    def at(self, stmt: Stmt) -> _Point:
        """Return another statement: of elements, nothing is known there."""
        return _Point(stmt, {key: known for key, known in self.facts.items() if isinstance(key, Version)})


@dataclass
class FloatRanges:
    """Answers for the statements of one function; without versions, for single expressions."""

    versions: Versions | None = None
    _around: dict[Stmt, _Point] = field(default_factory=dict)
    _assumed: dict[Version, Bounds] = field(default_factory=dict)
    _steps: int = 0

    def holds(self, stmt: Stmt | None, cond: Expr, given: Sequence[Condition]) -> bool | None:
        """Return a condition's value in a statement, if the intervals decide it, also if something is NaN."""
        self._steps = _STEPS
        return self._decided(cond, self._given(self._point(stmt), given))

    def bounds(self, stmt: Stmt | None, expr: Expr, given: Sequence[Condition] = ()) -> Bounds:
        """Return the interval of an expression's value in a statement, where some conditions hold."""
        self._steps = _STEPS
        return self._of(expr, self._given(self._point(stmt), given))

    # ---- conditions ------------------------------------------------------------

    def _point(self, stmt: Stmt | None) -> _Point:
        """Return what the branches and loops around a statement say."""
        if stmt is None or self.versions is None:
            return _Point(stmt)
        if stmt in self._around:
            return self._around[stmt]
        point = _Point(stmt)
        for scope in self.versions.scope_of[stmt].outwards():
            owner = scope.owner
            if isinstance(owner, If):
                cond, taken = owner.cond, scope is self.versions.inside[owner][0]
            elif isinstance(owner, For | While) and owner.cond is not None:
                cond, taken = owner.cond, True
            else:
                continue
            said = self._facts(cond, taken, _Point(owner))
            point = point.knowing([fact for fact in said if isinstance(fact[0], Version)])
        if not self._assumed:
            self._around[stmt] = point
        return point

    def _given(self, point: _Point, given: Sequence[Condition]) -> _Point:
        for cond, true in given:
            point = point.knowing(list(self._facts(cond, true, point)))
        return point

    def _facts(self, cond: Expr, true: bool, point: _Point) -> Iterator[Fact]:
        """Yield what a condition says of variables and elements.

        Not of expressions: computed again, they may round differently.
        """
        match unconverted(cond):
            case Unary("!", arg):
                yield from self._facts(arg, not true, point)
            case Binary("&&" | "||" as op, left, right) if (op == "&&") == true:
                yield from self._facts(left, true, point)
                yield from self._facts(right, true, point)
            case Binary(op, left, right) if op in OPPOSITE:
                number = true == (op != "!=")  # with NaN, only `!=` is true
                op = op if true else OPPOSITE[op]
                for sign, one, other in ((op, left, right), (FLIPPED.get(op, op), right, left)):
                    place = unconverted(one)
                    key = self._key(place, point) if isinstance(place, Place) else None
                    if key is None or not isinstance(place, Place) or not _as_it_is(place, one):
                        continue
                    than = self._of(other, point)
                    if number or than.number:
                        yield key, replace(_compared(sign, than, scalar_type(place)), number=number)
            case _:
                pass

    def _key(self, place: Place, point: _Point) -> Key | None:
        if place.index or point.stmt is None or self.versions is None:
            return place
        return self.versions.read(point.stmt, place.sym)

    def _decided(self, cond: Expr, point: _Point) -> bool | None:
        match unconverted(cond):
            case Unary("!", arg):
                value = self._decided(arg, point)
                return None if value is None else not value
            case Binary("&&" | "||" as op, left, right):
                sides = self._decided(left, point), self._decided(right, point)
                if (op == "||") in sides:
                    return op == "||"
                return None if None in sides else op == "&&"
            case Binary(op, left, right) if op in COMPARED:
                return _comparison(op, self._of(left, point), self._of(right, point))
            case _:
                return None

    # ---- values ----------------------------------------------------------------

    def _of(self, expr: Expr, point: _Point) -> Bounds:
        kind = expr.type
        if not isinstance(kind, Scalar):
            return UNKNOWN
        match expr:
            case Const(value):
                return exactly(float(value), kind)
            case Place():
                return self._place(expr, kind, point)
            case _ if not kind.is_float:
                return _integer(expr, kind)
            case Unary("-", arg):
                return negated(self._of(arg, point))
            case Unary("+", arg):
                return self._of(arg, point)
            case Cast(arg):
                inner = self._of(arg, point)
                return converted(inner, kind) if arg.type != kind else inner
            case Binary("*", left, right) if left == right and repeatable(left):
                return squared(self._of(left, point), kind)
            case Binary("*", left, right) if self._paired(expr, point):
                return met(multiplied(self._of(left, point), self._of(right, point), kind), Bounds(low=0.0))
            case Binary(op, left, right) if op in _OPERATIONS:
                return _OPERATIONS[op](self._of(left, point), self._of(right, point), kind)
            case Select(cond, then, other):
                return joined(
                    self._of(then, self._given(point, ((cond, True),))),
                    self._of(other, self._given(point, ((cond, False),))),
                )
            case Call():
                return self._call(expr, kind, point)
            case _:
                return UNKNOWN

    def _paired(self, product: Expr, point: _Point) -> bool:
        """Whether a product has factors twice and none of the others is negative: `c * c * x * x`."""
        single: list[Expr] = []
        factors = list(_factors(product))
        for factor in factors:
            if factor in single and repeatable(factor):
                single.remove(factor)
            else:
                single.append(factor)
        return len(single) < len(factors) and all(self._of(f, point).low >= 0.0 for f in single)

    def _call(self, call: Call, kind: Scalar, point: _Point) -> Bounds:
        if call.rule == "fma" and len(call.args) == 3:
            left, right, more = call.args
            product = Binary("*", left, right, kind)
            return added(self._of(product, point), self._of(more, point), kind)
        args = [self._of(arg, point) for arg in call.args]
        if call.rule in ("fmax", "fmin") and len(args) == 2:
            found = (greatest if call.rule == "fmax" else least)(args[0], args[1], kind)
            own = call.name.startswith(("fm", "__hm"))  # std::max of NaN and a number may be NaN
            return found if own else replace(found, number=False)
        if call.rule in ("hypot", "norm3d", "norm4d"):
            return length(args, kind)
        if call.rule in _FUNCTIONS and args:
            return _FUNCTIONS[call.rule](args[0], kind)
        return UNKNOWN

    def _place(self, place: Place, kind: Scalar, point: _Point) -> Bounds:
        key = self._key(place, point)
        bounds = UNKNOWN if kind.is_float else integers(*range_of(kind))
        if isinstance(key, Version):
            bounds = met(bounds, self._version(key, point))
        known = None if key is None else point.facts.get(key)
        return bounds if known is None else _with(bounds, known, kind)

    def _version(self, version: Version, point: _Point) -> Bounds:
        """Return the interval of a variable's version; `point`: where it is asked."""
        if version in self._assumed:
            return self._assumed[version]
        if self._steps <= 0:
            return UNKNOWN
        self._steps -= 1
        match version.kind:
            case "def":
                return self._defined(version, point)
            case "join":
                return self._joined(version, point)
            case "head":
                return self._kept(version, point)
            case "exit":
                return self._any(version.args, point)
            case _:
                return UNKNOWN

    def _known(self, version: Version, point: _Point) -> Bounds:
        bounds = self._version(version, point)
        known = point.facts.get(version)
        kind = version.sym.type
        return bounds if known is None or not isinstance(kind, Scalar) else _with(bounds, known, kind)

    def _any(self, versions: Sequence[Version], point: _Point) -> Bounds:
        each = [self._known(version, point) for version in versions]
        return reduce(joined, each) if each else UNKNOWN

    def _defined(self, version: Version, point: _Point) -> Bounds:
        stmt, kind = version.stmt, version.sym.type
        if stmt is None or not isinstance(kind, Scalar):
            return UNKNOWN
        there = point.at(stmt).knowing(list(self._point(stmt).facts.items()))
        if version.made is not None:
            return _stored(self._of(version.made[1], there), version.made[1], kind)
        match stmt:
            case Assign(Place(sym, ()) as target, value, op) if op and sym is version.sym:
                wide = value.type if _is_wider(value, target) else target.type
                result = Binary(op[:-1], _as(target, wide), _as(value, wide), wide)
                return _stored(self._of(result, there), result, kind)
            case _:
                return UNKNOWN  # set by a call

    def _joined(self, version: Version, point: _Point) -> Bounds:
        """Return the interval after a branch: of either side what its condition says, too."""
        branch = version.stmt
        if not isinstance(branch, If) or len(version.args) != 2:
            return self._any(version.args, point)
        sides = [
            self._known(arg, point.knowing(list(self._facts(branch.cond, taken, point.at(branch)))))
            for arg, taken in zip(version.args, (True, False), strict=True)
        ]
        return joined(*sides)

    def _kept(self, head: Version, point: _Point) -> Bounds:
        """Return the interval at the start of an iteration: ends that hold before the loop and through it."""
        before = self._known(head.args[0], point)
        if len(head.args) == 1:
            return before
        lows = [before.low, 0.0] if before.low > 0.0 else [before.low]
        highs = [before.high, 0.0] if before.high < 0.0 else [before.high]
        tried = [Bounds(low=low) for low in lows if low > -INFINITY]
        tried += [Bounds(high=high) for high in highs if high < INFINITY]
        kept = UNKNOWN
        for claim in tried:
            if met(kept, claim) != kept and self._stays(head, claim):
                kept = met(kept, claim)
        return kept

    def _stays(self, head: Version, claim: Bounds) -> bool:
        """Whether an iteration that finds a claim true leaves it true."""
        self._assumed[head] = claim
        after = self._any(head.args[1:], _Point())  # what is known of this iteration isn't of the last
        del self._assumed[head]
        return claim.low <= after.low and after.high <= claim.high


# ---- conditions' numbers -----------------------------------------------------


def _compared(op: str, other: Bounds, kind: Scalar) -> Bounds:
    """Return the interval of a value that compares so with another."""
    match op:
        case ">":
            return Bounds(low=_after(other.low, kind))
        case ">=":
            return Bounds(low=other.low)
        case "<":
            return Bounds(high=-_after(-other.high, kind))
        case "<=":
            return Bounds(high=other.high)
        case "==":
            return Bounds(other.low, other.high)
        case _:
            return Bounds(nonzero=other.low == other.high == 0.0)


def _after(value: float, kind: Scalar) -> float:
    """Return a bound of the values greater than a number."""
    if kind.is_float or math.isinf(value):
        return beyond(value, kind)
    return math.floor(value) + 1.0


def _with(bounds: Bounds, known: Bounds, kind: Scalar) -> Bounds:
    """Return an interval within another; without zero, a nonnegative value is positive."""
    both = met(bounds, known)
    if both.nonzero and both.low == 0.0:
        return replace(both, low=least_positive(kind))
    if both.nonzero and both.high == 0.0:
        return replace(both, high=-least_positive(kind))
    return both


def _comparison(op: str, one: Bounds, other: Bounds) -> bool | None:
    """Return the value of a comparison; if an operand may be NaN, only what that leaves as it is."""
    if op in (">", ">="):
        return _comparison(FLIPPED[op], other, one)
    below, above = one.high < other.low, one.low > other.high
    if op in ("<", "<="):
        if below or (op == "<=" and one.high <= other.low):
            return True if one.number and other.number else None
        return False if above or (op == "<" and one.low >= other.high) else None
    zero = other.low == other.high == 0.0
    apart = below or above or (zero and one.nonzero)
    return op == "!=" if apart else None


def _as_it_is(place: Place, operand: Expr) -> bool:
    """Whether an operand has a variable's value: converted, if at all, to a wider type of its kind."""
    kind, to = scalar_type(place), operand.type
    return kind == to or (isinstance(to, Scalar) and kind.kind == to.kind and kind.size <= to.size)


# ---- operations --------------------------------------------------------------


def _integer(expr: Expr, kind: Scalar) -> Bounds:
    low, high = values(expr, kind)
    return integers(max(low, 0) if natural(expr) else low, high)


def _stored(value: Bounds, expr: Expr, kind: Scalar) -> Bounds:
    """Return the interval of a value stored to a variable of a type."""
    if expr.type == kind:
        return value
    return converted(value, kind) if kind.is_float else UNKNOWN


def _is_wider(value: Expr, target: Place) -> bool:
    kind, own = value.type, target.type
    return isinstance(kind, Scalar) and isinstance(own, Scalar) and kind.is_float and kind.size > own.size


def _as(expr: Expr, kind: Type) -> Expr:
    return expr if expr.type == kind else Cast(expr, kind, implicit=True)


def _factors(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Binary("*", left, right):
            yield from _factors(left)
            yield from _factors(right)
        case _:
            yield expr


def repeatable(expr: Expr) -> bool:
    """Whether an expression has the same value where it stands twice: it calls no unknown function."""
    return all(not isinstance(e, Call) or e.rule in _PURE for e in walk(expr))


def _exponential(base: float) -> Callable[[Bounds, Scalar], Bounds]:
    """Return the function of a power of a base, which underflows to zero."""

    def bounds(arg: Bounds, kind: Scalar) -> Bounds:
        low, high = 0.0, INFINITY
        if abs(arg.low) < _MODERATE:
            low = inwards(0.99 * base**arg.low, kind)
        if abs(arg.high) < _MODERATE:
            high = 1.01 * base**arg.high
        return Bounds(low, high, arg.number)

    return bounds


_MODERATE = 30.0
"""An exponent for which the approximate functions are accurate, too."""


def _between(low: float, high: float) -> Callable[[Bounds, Scalar], Bounds]:
    """Return a function whose values are in an interval, up to rounding."""
    return lambda arg, kind: Bounds(-outwards(-low, kind), outwards(high, kind))


def _of_one_sign(arg: Bounds, kind: Scalar) -> Bounds:
    """Return the interval of an odd, increasing function's value."""
    return Bounds(low=0.0 if arg.low >= 0.0 else -INFINITY, high=0.0 if arg.high <= 0.0 else INFINITY)


def _power(base: Bounds, kind: Scalar) -> Bounds:
    return Bounds(low=0.0) if base.low >= 0.0 else UNKNOWN


def _reciprocal_root(arg: Bounds, kind: Scalar) -> Bounds:
    high = max(arg.high, 0.0)
    return Bounds(low=inwards(1.0 / math.sqrt(high), kind) if 0.0 < high < INFINITY else 0.0)


def _not_negative(arg: Bounds, kind: Scalar) -> Bounds:
    return Bounds(low=0.0)


_OPERATIONS: dict[str, Operation] = {"+": added, "-": subtracted, "*": multiplied, "/": divided}
_FUNCTIONS: dict[str, Callable[[Bounds, Scalar], Bounds]] = {
    "fabs": lambda arg, kind: magnitude(arg),
    "convert": converted,
    "sqrt": root,
    "rsqrt": _reciprocal_root,
    "exp": _exponential(math.e),
    "exp2": _exponential(2.0),
    "exp10": _exponential(10.0),
    "pow": _power,
    "fdim": _not_negative,
    "erfc": _not_negative,
    "normcdf": _not_negative,
    "saturate": lambda arg, kind: Bounds(0.0, 1.0, True),
    "cosh": lambda arg, kind: Bounds(low=inwards(1.0, kind)),
    **dict.fromkeys(("sin", "cos", "sinpi", "cospi", "tanh", "erf"), _between(-1.0, 1.0)),
    **dict.fromkeys(("cbrt", "log1p", "expm1", "sinh", "asinh", "atan"), _of_one_sign),
}
_PURE = frozenset({*_FUNCTIONS, "fmax", "fmin", "fma", "hypot", "norm3d", "norm4d", "neg", "rcp", "log"})
