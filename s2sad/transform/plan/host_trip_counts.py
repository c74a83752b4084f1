"""An upper bound of the distance between two integers, in terms of values known to the host.

    int last = n * (m - 1) + t;             last - t - n: t cancels, n * m - 2 * n is left
    for (int i = t + n; i < last; i += n)

    int count = min(TILE, n - base);        no more than TILE, whatever base is
    int end = width;                        one or the other, so no more than the larger of them
    if (blockIdx.x == gridDim.x - 1) end = rest;

Both are written as polynomials in by-value parameters, launch sizes, and values that the host
doesn't know: thread positions, counters, minima, branches. Unknowns that don't cancel are
replaced, latest first, by their upper bound, or by their lower bound if they are subtracted.
Only unknowns with a numeric coefficient are bounded: `n * t` isn't.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...analysis.loops.counted_loops import Counter
from ...analysis.loops.induction_variables import Induction
from ...analysis.ssa import Loop
from ...analysis.symbolic.polynomials import ONE, ZERO, Poly, divide, number
from ...analysis.symbolic.ranking_functions import Halving, Measure
from ...ir import (
    BOOL,
    INT,
    LLONG,
    Binary,
    Break,
    Const,
    Expr,
    For,
    Return,
    Scalar,
    Select,
    Stmt,
    Unary,
    While,
    scalar_type,
    statements,
    walk,
)
from ..common.algebra import converted
from .host_value_ranges import STEPS, Magnitudes, is_compared, is_signed

MOST = 4096
"""A larger bound only reflects the range of a short integer; measuring gives a shorter tape."""


@dataclass
class Farthest(Magnitudes):
    """The bounds for one function in tail form."""

    # ---- loops ---------------------------------------------------------------

    def counted(self, loop: For, count: Counter) -> Expr | None:
        """The number of steps of a counter from its start to its bound."""
        if not is_compared(loop, count):
            return None
        start, bound = self.form(loop.init[0], count.start), self.form(loop, count.bound)
        high, low = (bound, start) if count.ascending else (start, bound)
        distances = self._distances(high, low, 1 if count.op in ("<=", ">=") else 0)
        step = self._known(loop, count.step)
        return None if distances is None or step is None else _of_use(self._trips(distances, step, True))

    def moved(
        self, loop: While | For, fixed: Induction, factor: int, part: Binary, op: str, other: Expr
    ) -> Expr | None:
        """How often `factor * v op other`, part of the condition, holds if each iteration changes v equally.

        If the amount isn't a literal, only where nothing else ends the loop; then the loop ends only
        if the amount moves v towards the other side.
        """
        if not is_signed(part.left, part.right) or op == "!=":
            return None
        up = op in ("<", "<=")
        if not fixed.strides:
            towards, step = fixed.step > 0, number(abs(fixed.step))
        else:
            ends = any(isinstance(s, Break | Return) for s in statements(loop.body))
            amount = self._amount(fixed)
            if ends or part is not loop.cond or amount is None:
                return None
            towards, step = up, amount if up else -amount
        start, end = self._version(fixed.entry), self.form(loop, other)
        if start is None or towards is not up or step == ZERO:
            return None
        high, low = (end, start.scaled(factor)) if up else (start.scaled(factor), end)
        distances = self._distances(high, low, 1 if op in ("<=", ">=") else 0)
        return None if distances is None else self._trips(distances, step.scaled(factor), not fixed.strides)

    def measured(self, loop: Loop) -> Expr | None:
        """The maximum trip count of a loop, from a measure that each iteration decreases."""
        with self.around(loop):
            found = [e for m in self.trips.of(loop) if (e := self._measured(m)) is not None]
        numbers = [e for e in found if isinstance(e, Const)]
        if numbers:
            return _of_use(min(numbers, key=lambda e: e.value))
        return min(found, key=lambda e: len(list(walk(e))), default=None)

    def _measured(self, measure: Measure | Halving) -> Expr | None:
        if isinstance(measure, Halving):
            known = None if measure.of is None else self._highest(measure.of, STEPS)
            bits = measure.bits
            if known is not None and all(p.constant is not None for p in known):
                bits = min(bits, max(0, *(p.constant or 0 for p in known)).bit_length())
            return Const(bits + measure.more, INT)
        parts: list[Expr] = []
        for part in measure.parts:
            distances = self._highest(part + ONE, STEPS)
            if distances is None:
                return None
            parts.append(self._trips(distances, number(measure.step), True))
        if len(parts) == 1 and not measure.more:
            return parts[0]
        numbers = sum(max(0, int(p.value)) for p in parts if isinstance(p, Const)) + measure.more
        rest = [not_negative(p) for p in parts if not isinstance(p, Const)]
        if not rest:
            return Const(numbers, INT)
        total = rest[0]
        for other in rest[1:]:
            total = Binary("+", total, other, _wider(total, other))
        return total if not numbers else Binary("+", total, Const(numbers, _wider(total, total)), total.type)

    def _distances(self, high: Poly | None, low: Poly | None, more: int) -> list[Poly] | None:
        """Values in terms of what the host knows, at least one of which is >= high - low + more."""
        if high is None or low is None:
            return None
        return self._highest(high - low + number(more), STEPS)

    def _amount(self, fixed: Induction) -> Poly | None:
        """What each iteration adds to an induction variable, if the host knows it."""
        total = number(fixed.step)
        for stride in fixed.strides:
            amount = self._known(stride.stmt, stride.amount)
            if amount is None:
                return None
            total = total - amount if stride.falls else total + amount
        return total

    def _known(self, stmt: Stmt, expr: Expr) -> Poly | None:
        """A value, if the host knows it."""
        found = self.form(stmt, expr)
        return found if found is not None and all(a in self.known for a in found.atoms) else None

    # ---- as an expression ----------------------------------------------------

    def _trips(self, distances: list[Poly], step: Poly, positive: bool) -> Expr:
        """The number of steps for the largest of the distances; 0 if a step not known `positive` is <= 0."""
        every = [self._steps(d, step, positive) for d in distances]
        numbers = [e for e in every if isinstance(e, Const)]
        rest: list[Expr] = [e for e in every if not isinstance(e, Const)]
        if numbers:
            rest.append(max(numbers, key=lambda e: e.value))
        out = rest[0]
        for other in rest[1:]:
            out = Select(Binary(">", out, other, BOOL), out, other, _wider(out, other))
        return out

    def _steps(self, distance: Poly, step: Poly, positive: bool) -> Expr:
        by, length = step.constant, distance.constant
        if by is not None and length is not None:
            return Const(max(0, -(-length // by)), INT)
        up, divisor = self._written(distance + step - ONE), self._written(step)
        for whole in (distance, distance + step - ONE):  # q * step, rounded up or down
            if (exact := divide(whole, step)) is not None:
                return self._written(exact)
        count = Binary("/", up, divisor, _wider(up, divisor))
        if positive:
            return count
        zero = Const(0, INT)
        return Select(Binary(">", divisor, zero, BOOL), count, zero, count.type)

    def _written(self, value: Poly) -> Expr:
        """A value that the host knows, as an expression."""
        out: Expr | None = None
        for monomial, factor in sorted(value.terms, key=lambda t: (not t[0], t[1] < 0)):
            factors: list[Expr] = [] if monomial and abs(factor) == 1 else [Const(abs(factor), INT)]
            for atom in monomial:
                expr = self.known[atom]
                factors.append(converted(expr, INT if scalar_type(expr).size == INT.size else LLONG))
            term = factors[0]
            for each in factors[1:]:
                term = Binary("*", term, each, _wider(term, each))
            if out is not None:
                out = Binary("-" if factor < 0 else "+", out, term, _wider(out, term))
            else:
                out = Unary("-", term, term.type) if factor < 0 else term
        return Const(0, INT) if out is None else out


def _of_use(trips: Expr) -> Expr | None:
    """A trip count, unless it only reflects the range of the counter's type."""
    return None if isinstance(trips, Const) and int(trips.value) > MOST else trips


def not_negative(count: Expr) -> Expr:
    """A count, or 0 where it is negative."""
    zero = Const(0, scalar_type(count), spelling="0")
    return Select(Binary(">", count, zero, BOOL), count, zero, scalar_type(count))


def _wider(one: Expr, two: Expr) -> Scalar:
    return LLONG if LLONG in (one.type, two.type) else INT
