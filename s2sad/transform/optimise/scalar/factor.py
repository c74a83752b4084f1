"""Factor sums of products as one would by hand: common factors are written once.

    v01 * g - v00 * g           ->  (v01 - v00) * g
    v * g + v * g               ->  2.0f * v * g
    adj_x -= 0.3f * -g;         ->  adj_x += 0.3f * g;
    12.0f * g + 0.0f * h        ->  12.0f * g

Only adjoints are rewritten, where the tool chooses the order of the arithmetic, and only nodes
that the tool made: what the author wrote is an opaque factor. The result has fewer operations and
rounding errors; a sum never grows.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from ....ir import (
    Accumulate,
    Assign,
    Binary,
    Body,
    Const,
    Declare,
    DoWhile,
    Expr,
    For,
    If,
    Place,
    Scalar,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    bodies,
    is_floating,
    rebuilt,
    statements,
    walk,
)
from ...common.algebra import add, divide, is_const, multiply, real, signed_terms, subtract


def factored(body: Body) -> Body:
    """The body with each adjoint's amount factored; the same statements if nothing changes."""
    return _body(body, adjoints_in(body))


def adjoints_in(body: Body) -> frozenset[Sym]:
    """The variables that hold adjoints: accumulation targets, and the tool's names for amounts of them."""
    found: set[Sym] = set()
    declared: list[tuple[Sym, frozenset[Sym]]] = []
    for stmt in statements(body):
        match stmt:
            case Accumulate(Place(sym)):
                found.add(sym)
            case Declare(sym, init):
                if sym.of is not None:
                    found.add(sym)
                if sym.ours and isinstance(init, Expr):
                    declared.append((sym, init.symbols))
            case _:
                pass
    for sym, read in declared:
        if any(s in found or s.of is not None for s in read):
            found.add(sym)
    return frozenset(found)


def _body(body: Body, adjoints: frozenset[Sym]) -> Body:
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Accumulate():
                stmt = _accumulated(stmt)
            case Declare(sym, init) if sym.ours and isinstance(init, Expr):
                new = _value(init, adjoints)
                stmt = stmt if new is None else replace(stmt, init=new)
            case Assign(Place(sym), value, None) if sym.ours:
                new = _value(value, adjoints)
                stmt = stmt if new is None else replace(stmt, value=new)
            case If() | For() | While() | DoWhile() | Switch():
                new_bodies = rebuilt(stmt, lambda b: _body(b, adjoints))
                pairs = zip(bodies(stmt), bodies(new_bodies), strict=True)
                stmt = stmt if all(a is b for a, b in pairs) else new_bodies
            case _:
                pass
        out.append(stmt)
    same = all(a is b for a, b in zip(out, body, strict=True))
    return body if same else tuple(out)


def _accumulated(stmt: Accumulate) -> Accumulate:
    every = list(_terms(stmt.amount, stmt.negative))
    terms = _nonzero(every)
    total = _total(terms, stmt.amount.type)
    if total is None:
        if len(terms) == len(every):
            return stmt
        total = _sum(terms)
    amount = total.magnitude()
    if amount == stmt.amount and total.negative == stmt.negative:
        return stmt
    return replace(stmt, amount=amount, negative=total.negative)


def _value(value: Expr, adjoints: frozenset[Sym]) -> Expr | None:
    """The factored form of an adjoint's value; None if it doesn't change or isn't an adjoint's."""
    every = list(_terms(value, False))
    if not all(any(s in adjoints or s.of is not None for s in t.symbols()) for t in every):
        return None
    terms = _nonzero(every)
    total = _total(terms, value.type)
    if total is None:
        if len(terms) == len(every):
            return None
        total = _sum(terms)
    new = total.expr()
    return None if new == value else new


@dataclass(frozen=True)
class _Term:
    """±number · factors / divisors; the number is a literal or None."""

    factors: tuple[Expr, ...]
    divisors: tuple[Expr, ...] = ()
    negative: bool = False
    number: Const | None = None
    turned: bool = False  # a sign was found inside

    def symbols(self) -> Iterator[Sym]:
        for part in (*self.factors, *self.divisors):
            yield from part.symbols

    def magnitude(self) -> Expr:
        parts = self.factors if self.number is None else (self.number, *self.factors)
        value = parts[0]
        for part in parts[1:]:
            value = multiply(value, part)
        for divisor in self.divisors:
            value = divide(value, divisor)
        return value

    def expr(self) -> Expr:
        if not self.negative:
            return self.magnitude()
        factors = self.factors if self.number is None else (self.number, *self.factors)
        first = Unary("-", factors[0], factors[0].type)
        return _Term((first, *factors[1:]), self.divisors).magnitude()


def _ours(expr: Expr) -> bool:
    return expr.origin == "tool" and expr.spelling is None and expr.macro is None


def _terms(expr: Expr, negative: bool) -> Iterator[_Term]:
    """The terms of a sum, as far as the tool made it."""
    for value, subtracted in signed_terms(expr, negative):
        yield _term(value, subtracted)


def _term(expr: Expr, negative: bool) -> _Term:
    factors: list[Expr] = []
    divisors: list[Expr] = []
    signs = [negative]

    def part(e: Expr) -> None:
        match e:
            case Binary("*", left, right) if _ours(e) and is_floating(e):
                part(left)
                part(right)
            case Binary("/", left, right) if _ours(e) and is_floating(e):
                part(left)
                divisors.append(right)
            case Unary("-", arg) if (
                is_floating(e) and e.macro is None and (_ours(e) or isinstance(arg, Const))
            ):
                signs.append(True)
                part(arg)
            case Const(value) if not e.named and is_floating(e) and value < 0:
                signs.append(True)
                factors.append(real(-value, e.type))
            case _:
                factors.append(e)

    if divided_inside(expr):
        return _Term((expr,), (), negative)
    part(expr)
    turned = len(signs) > 1
    first = factors[0]
    number = first if isinstance(first, Const) and not first.named and len(factors) > 1 else None
    rest = factors if number is None else factors[1:]
    return _Term(tuple(rest), tuple(divisors), sum(signs) % 2 == 1, number, turned)


def divided_inside(expr: Expr) -> bool:
    """Whether one of the tool's quotients is a factor: rounding would change, so it is kept."""
    match expr:
        case Binary("*", left, right) if _ours(expr):
            return any(_quotient(side) or divided_inside(side) for side in (left, right))
        case Binary("/", left, _) | Unary("-", left) if _ours(expr):
            return divided_inside(left)
        case _:
            return False


def _quotient(expr: Expr) -> bool:
    match expr:
        case Binary("/"):
            return _ours(expr)
        case Unary("-", arg):
            return _ours(expr) and _quotient(arg)
        case Binary("*", left, right):
            return _ours(expr) and (_quotient(left) or _quotient(right))
        case _:
            return False


def _nonzero(terms: list[_Term]) -> list[_Term]:
    """The terms without those that are multiplied by a literal zero, unless all are.

    A name stands for whatever number its definition will have.
    """

    def zero(e: Expr) -> bool:
        return is_const(e, 0.0) and not any(isinstance(part, Const) and part.named for part in walk(e))

    left = [t for t in terms if not any(zero(e) for e in (*t.factors, t.number) if e is not None)]
    return left or terms


def _sum(terms: list[_Term]) -> _Term:
    """A sum of terms, with a positive one first where there is one."""
    positive = [t for t in terms if not t.negative]
    negative = [t for t in terms if t.negative]
    turned = not positive
    if turned:
        positive, negative = negative, []
    total = positive[0].magnitude()
    for t in positive[1:]:
        total = add(total, t.magnitude())
    for t in negative:
        total = subtract(total, t.magnitude())
    return _Term((total,), (), turned)


def _total(terms: list[_Term], type_: object) -> _Term | None:
    """A sum as one term, or None if it should be kept as it is."""
    if len(terms) == 1:
        return terms[0] if terms[0].turned or (terms[0].negative and terms[0].number) else None
    terms = _merged(terms)
    if len(terms) == 1:
        return terms[0]
    divided = all(t.divisors == terms[0].divisors for t in terms)  # the whole sum, by the same
    shared = Bag(terms[0].factors)
    for term in terms[1:]:
        shared &= Bag(term.factors)
    if not shared:
        return None
    common = _kept(terms[0].factors, shared)
    below = terms[0].divisors if divided else ()
    rests = [
        replace(t, factors=_left(t.factors, shared), divisors=() if divided else t.divisors) for t in terms
    ]
    if len(terms) == 2 and not _saves(*rests):
        return None
    assert isinstance(type_, Scalar)
    filled = [
        t if t.factors else replace(t, factors=(t.number or real(1.0, type_),), number=None) for t in rests
    ]
    if any(t.magnitude().type != type_ for t in filled):
        return None
    filled = [part for t in filled for part in _terms(t.magnitude(), t.negative)]
    inner = _sum(filled)
    return _Term((*inner.factors, *common), below, inner.negative)


def _saves(one: _Term, other: _Term) -> bool:
    """Whether what is left of two terms without their common factor is worth a sum of its own.

    Not of `a * g + g` or `a * g + 3.0f * g`, a multiply-add; (a * b + 3.0f) * g is one, and a product.
    """
    if one.factors and other.factors:
        return True
    bare, rest = (other, one) if one.factors else (one, other)
    return bare.number is not None and len(rest.factors) + (rest.number is not None) > 1


def _kept(factors: tuple[Expr, ...], shared: Bag[Expr]) -> tuple[Expr, ...]:
    left = Bag(shared)
    out: list[Expr] = []
    for factor in factors:
        if left[factor] > 0:
            left[factor] -= 1
            out.append(factor)
    return tuple(out)


def _left(factors: tuple[Expr, ...], shared: Bag[Expr]) -> tuple[Expr, ...]:
    left = Bag(shared)
    out: list[Expr] = []
    for factor in factors:
        if left[factor] > 0:
            left[factor] -= 1
        else:
            out.append(factor)
    return tuple(out)


def _merged(terms: list[_Term]) -> list[_Term]:
    """Merge terms with the same factors if their coefficients add up exactly."""
    out: list[_Term] = []
    for term in terms:
        for k, other in enumerate(out):
            if Bag(other.factors) != Bag(term.factors) or other.divisors != term.divisors:
                continue
            both = _number(other, term)
            if both is not None:
                out[k] = both
                break
        else:
            out.append(term)
    return out


def _number(a: _Term, b: _Term) -> _Term | None:
    if a.negative != b.negative:
        return None
    authored = [t.number for t in (a, b) if t.number is not None and t.number.origin != "tool"]
    if len(authored) == 2:
        return None  # the author's literals stay
    one, two = (float(t.number.value) if t.number is not None else 1.0 for t in (a, b))
    value = _exact_sum(one, two)
    if value is None:
        return None
    type_ = a.magnitude().type
    if b.magnitude().type != type_:
        return None
    return replace(a, number=real(value, type_))


def _exact_sum(a: float, b: float) -> float | None:
    """The sum of two literals if it has at most six digits, so that float and double agree; else None."""
    total = Decimal(repr(a)) + Decimal(repr(b))
    return float(total) if len(total.normalize().as_tuple().digits) <= 6 else None
