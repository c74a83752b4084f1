"""Tangents as sums of products: each operand once, with a coefficient that is the same along each direction.

    c * (a * tan_x + b * tan_y) + e * tan_x + tan_z     ->    tan_z + (c * a + e) * tan_x + c * b * tan_y

A sum that begins with an operand as it is stays together where it is scaled: `c * (tan_x - tan_y)` costs no
more than two products. What an expression costs is counted as a GPU executes it: a product and the addition
of it are one instruction.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

from ...analysis.activity import is_real
from ...ir import Binary, Call, Cast, Const, Expr, Place, Scalar, Select, Unary, scalar_type, walk
from ..common.algebra import Amount, add, is_const, signed_sum, subtract

Form = list[Amount]


def moves(expr: Expr, tangents: Container[object]) -> bool:
    """Whether an expression has tangents in it."""
    return any(sym in tangents for sym in expr.symbols)


class Forms:
    """Rewrites expressions in `tangents`. `coefficients` are those that it made and that deserve a name."""

    def __init__(self, tangents: Container[object]) -> None:
        self.tangents = tangents
        self.coefficients: set[Expr] = set()

    def moves(self, expr: Expr) -> bool:
        return moves(expr, self.tangents)

    def form(self, expr: Expr) -> Form | None:
        """The terms of an expression, in the order that costs least; None if it isn't such a sum."""
        kind = expr.type
        if not isinstance(kind, Scalar) or not kind.is_float or kind.is_half or not self.moves(expr):
            return None
        try:
            return self._merged(self._terms(expr, Amount(None, kind)))
        except _NotLinear:
            return None

    # ---- terms -------------------------------------------------------------------

    def _terms(self, expr: Expr, outer: Amount) -> Form:
        """The terms of an expression, times a coefficient."""
        if not self.moves(expr):
            raise _NotLinear
        match expr:
            case Unary("-", arg):
                return self._terms(arg, outer.negated())
            case Unary("+", arg):
                return self._terms(arg, outer)
            case Binary("*", left, right) if not self.moves(left):
                return self._terms(right, outer.times(left))
            case Binary("*", left, right) if not self.moves(right):
                return self._terms(left, outer.times(right))
            case Binary("/", left, right) if not self.moves(right):
                return self._terms(left, outer.over(right))
            case Binary("+" | "-" as op, left, right) if outer.bare:
                other = outer.negated() if op == "-" else outer
                return [*self._terms(left, outer), *self._terms(right, other)]
            case Binary("+" | "-"):
                return self._scaled(self._merged(self._terms(expr, Amount(None, outer.type))), outer)
            case _:
                return [_seeded(outer, expr)]

    def _scaled(self, inner: Form, outer: Amount) -> Form:
        """A sum times a coefficient: together, if one of its operands has no coefficient of its own."""
        if len(inner) == 1:
            return [_product(outer, inner[0])]
        if any(term.bare for term in inner):
            total, negative = sum_of(inner)
            return [replace(outer, seed=total, negative=outer.negative != negative)]
        shared = _shared_literal(inner)
        if shared is not None:
            outer = outer.times(shared)
            inner = [replace(t, factors=tuple(f for f in t.factors if f is not _literal(t))) for t in inner]
        return [_product(self._as_one(outer), term) for term in inner]

    def _as_one(self, outer: Amount) -> Amount:
        """A coefficient of several factors as one of a single factor, which gets a name."""
        if len(outer.factors) + len(outer.divisors) < 2:
            return outer
        whole = outer.magnitude()
        self.coefficients.add(whole)
        return Amount(None, outer.type, (whole,), negative=outer.negative)

    def _merged(self, form: Form) -> Form:
        """The terms, each operand once."""
        found: dict[Expr, Form] = {}
        for term in form:
            assert term.seed is not None
            found.setdefault(term.seed, []).append(term)
        out: Form = []
        for seed, terms in found.items():
            if len(terms) == 1 or not isinstance(seed, Place) or all(term.bare for term in terms):
                out += terms
                continue
            total, negative = signed_sum([(replace(t, seed=None).magnitude(), t.negative) for t in terms])
            self.coefficients.add(total)
            out.append(Amount(seed, terms[0].type, (total,), negative=negative))
        return out

    # ---- costs -------------------------------------------------------------------

    def cost(self, expr: Expr) -> int:
        """The instructions of an expression along one direction."""
        if not self.moves(expr):
            return 0
        match expr:
            case Place():
                return 0
            case Unary("-" | "+", arg):
                return self.cost(arg)
            case Binary("+" | "-", left, right):
                fused = self.is_product(left) or self.is_product(right)
                return self.cost(left) + self.cost(right) + (0 if fused else 1)
            case Binary() | Cast() | Select() | Call():
                return 1 + sum(self.cost(part) for part in expr.operands)
            case _:
                return sum(self.cost(part) for part in expr.operands)

    def is_product(self, expr: Expr) -> bool:
        """Whether an expression is a product, whose addition costs nothing more."""
        match expr:
            case Unary("-" | "+", arg):
                return self.is_product(arg)
            case Binary("*"):
                return self.moves(expr)
            case Binary("/", _, right):
                return self.moves(expr) and not self.moves(right) and not isinstance(right, Const)
            case _:
                return False

    def coefficients_of(self, expr: Expr) -> Iterator[Expr]:
        """Yield the operations of an expression that are done once for all directions."""
        if self.moves(expr):
            for part in expr.operands:
                yield from self.coefficients_of(part)
        else:
            yield from (e for e in walk(expr) if isinstance(e, Binary | Call) and is_real(e.type))


class _NotLinear(Exception):
    """A term without a tangent."""


def sum_of(form: Form) -> tuple[Expr, bool]:
    """The sum of the terms, and whether it is to be negated: operands as they are come early.

    Each product that follows is added by the instruction that computes it.
    """
    positive = [term for term in form if not term.negative]
    if not positive:
        total, _ = sum_of([term.negated() for term in form])
        return total, True
    first = next((term for term in positive if term.bare), positive[0])
    rest = [term for term in form if term is not first]
    total = first.magnitude()
    for term in (*(t for t in rest if t.bare), *(t for t in rest if not t.bare)):
        total = subtract(total, term.magnitude()) if term.negative else add(total, term.magnitude())
    return total, False


def _seeded(outer: Amount, seed: Expr) -> Amount:
    return replace(outer, seed=seed, type=scalar_type(seed))


def _product(outer: Amount, term: Amount) -> Amount:
    """A coefficient times a term."""
    for factor in term.factors:
        outer = outer.times(factor)
    for divisor in term.divisors:
        outer = outer.over(divisor)
    return replace(outer, seed=term.seed, negative=outer.negative != term.negative)


def _literal(term: Amount) -> Const | None:
    return next((f for f in term.factors if isinstance(f, Const) and not f.named), None)


def _shared_literal(form: Iterable[Amount]) -> Const | None:
    """The number that is a factor of each term."""
    found = [_literal(term) for term in form]
    first = found[0]
    if first is None or any(other is None or not is_const(other, float(first.value)) for other in found):
        return None
    return first
