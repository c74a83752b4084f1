"""The contributions to the components of a vector as contributions to the vector.

adj_d.x += s * g.x - c.z * h.y;            adj_d += s * g + cross(c, h);
adj_d.y += s * g.y + c.z * h.x;
adj_d.x += c.y * h.z;                ->    s * g.x + (c.y * h.z - c.z * h.y)
adj_d.y -= c.x * h.z;                      s * g.y + (c.z * h.x - c.x * h.z)
adj_d.z += s * g.z - c.y * h.x;            s * g.z + (c.x * h.y - c.y * h.x)
adj_d.z += c.x * h.y;

The terms of each component are put in the same order: those that differ in the component alone, and
the pairs that make a cross product, whose components follow from each other by turning x, y and z.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ...ir import Binary, Expr, Place, Struct, Type, Unary, walk
from ...transform.common.algebra import factors_of, signed_terms
from .lanes import Lanes

_CROSS = 3
"""The components of vectors that have a cross product."""


@dataclass(frozen=True)
class Term:
    """One term of a sum, and whether it is subtracted."""

    value: Expr
    negative: bool


def terms_of(expr: Expr, negative: bool = False) -> Iterator[Term]:
    """Yield the terms of a sum that the tool made, in order."""
    for value, subtracted in signed_terms(expr, negative):
        yield Term(value, subtracted)


def aligned(lanes: Lanes, vector: Struct, sums: Sequence[Sequence[Term]]) -> list[Expr] | None:
    """Return the sums of the components, their terms in one order; None if some have no counterpart."""
    count = len(vector.fields)
    if len(sums) < count or len({len(terms) for terms in sums}) > 1:
        return None
    left = [list(terms) for terms in sums]
    rows: list[tuple[bool, list[Expr]]] = []
    type = vector.fields[0].type
    while left[0]:
        row = _of_all(lanes, left)
        if row is None and count == _CROSS:
            row = _of_cross(lanes, left, type) or _of_turned(lanes, left)
        if row is None:
            return None
        rows.append(row)
    rows.sort(key=lambda row: row[0])
    return [total([Term(parts[k], negative) for negative, parts in rows], type) for k in range(count)]


def grouped(lanes: Lanes, terms: Sequence[Term]) -> list[Term] | None:
    """Return the terms of one sum, those of each scalar product together; None if there is none."""
    left = list(terms)
    products: list[Term] = []
    while product := next((found for term in left if (found := _of_dot(lanes, term, left))), None):
        for term in product:
            left.remove(term)
        products += product
    if not products:
        return None
    return sorted(products, key=lambda term: term.negative) + sorted(left, key=lambda term: term.negative)


def _of_dot(lanes: Lanes, first: Term, terms: Sequence[Term]) -> list[Term] | None:
    """Return the terms of the scalar product whose first component a term is; None if there is none."""
    moving = [f for f in factors_of(first.value) if any(map(lanes.of, f.symbols))]
    if len(moving) != 2 or any(_kind(lanes, factor) != "component" for factor in moving):
        return None
    vector = next(lane.vector for sym in moving[0].symbols if (lane := lanes.of(sym)) is not None)
    found = [first]
    for k in range(1, len(vector.fields)):
        others = (t for t in terms if t.negative == first.negative and t is not first)
        match = next((t for t in others if _follows(lanes, first, t, k)), None)
        if match is None:
            return None
        found.append(match)
    return found


def _follows(lanes: Lanes, first: Term, other: Term, number: int) -> bool:
    """Whether a term is the first component's for another component."""
    return _differs(lanes, first, other, number) or lanes.turned(first.value, other.value, number)


def total(terms: Sequence[Term], type: Type) -> Expr:
    """Return the sum of terms, in their order."""
    first = terms[0]
    made: Expr = Unary("-", first.value, type) if first.negative else first.value
    for term in terms[1:]:
        made = Binary("-" if term.negative else "+", made, term.value, type)
    return made


def _of_all(lanes: Lanes, left: list[list[Term]]) -> tuple[bool, list[Expr]] | None:
    """Take the first component's first term, and those of the others that differ in the component alone."""
    return _taken(left, lambda first, term, k: _differs(lanes, first, term, k))


def _of_turned(lanes: Lanes, left: list[list[Term]]) -> tuple[bool, list[Expr]] | None:
    """Take the first component's first term, and those that follow from it by turning x, y and z."""
    if _kind(lanes, left[0][0].value) != "component":
        return None
    return _taken(left, lambda first, term, k: lanes.turned(first.value, term.value, k))


def _taken(left: list[list[Term]], fits: Callable[[Term, Term, int], bool]) -> tuple[bool, list[Expr]] | None:
    """Take the first component's first term, and the first that fits of each other component."""
    first = left[0][0]
    found = [first]
    for k, terms in enumerate(left[1:], 1):
        match = next((t for t in terms if t.negative == first.negative and fits(first, t, k)), None)
        if match is None:
            return None
        found.append(match)
    for terms, term in zip(left, found, strict=True):
        terms.remove(term)
    return first.negative, [term.value for term in found]


def _kind(lanes: Lanes, expr: Expr) -> Literal["number", "component"] | None:
    """Whether an expression is a number, or the first component of one on vectors; None if it is neither."""
    if all(lanes.of(sym) is None for sym in expr.symbols):
        return "number"
    match expr:
        case Place(sym) if (lane := lanes.of(sym)) is not None:
            return "component" if lane.number == 0 else None
        case Unary("-", arg):
            return _kind(lanes, arg)
        case Binary("-", left, right) if _is_cross(lanes, _product(lanes, left), _product(lanes, right)):
            factors_ = _product(lanes, left)
            return "component" if factors_ is not None and _component(lanes, factors_[0]) == 1 else None
        case Binary("+" | "-", left, right):
            both = _kind(lanes, left), _kind(lanes, right)
            return "component" if both == ("component", "component") else None
        case Binary("*", left, right):
            both = _kind(lanes, left), _kind(lanes, right)
            return "component" if both in (("number", "component"), ("component", "number")) else None
        case Binary("/", left, right):
            both = _kind(lanes, left), _kind(lanes, right)
            return "component" if both == ("component", "number") else None
        case _:
            return None


def _is_cross(lanes: Lanes, plus: tuple[Expr, Expr] | None, minus: tuple[Expr, Expr] | None) -> bool:
    """Whether the difference of two products is a component of a cross product."""
    if plus is None or minus is None:
        return False
    return lanes.turned(plus[0], minus[1], 1) and lanes.turned(plus[1], minus[0], 2)


def _differs(lanes: Lanes, first: Term, other: Term, number: int) -> bool:
    apart = lanes.apart(first.value, other.value)
    return apart is not None and {(pair.first, pair.other) for pair in apart} == {(0, number)}


def _of_cross(lanes: Lanes, left: list[list[Term]], type: Type) -> tuple[bool, list[Expr]] | None:
    """Take the terms that make a cross product: two of each component, with opposite signs."""
    for term in left[0]:
        plus = _product(lanes, term.value)
        if term.negative or plus is None:
            continue
        for other in left[0]:
            minus = _product(lanes, other.value)
            if not other.negative or minus is None or not _is_cross(lanes, plus, minus):
                continue
            taken = [(term, other)]
            for k in range(1, _CROSS):
                one = next((t for t in left[k] if not t.negative and _is_turned(lanes, plus, t, k)), None)
                two = next((t for t in left[k] if t.negative and _is_turned(lanes, minus, t, k)), None)
                if one is None or two is None:
                    break
                taken.append((one, two))
            else:
                parts: list[Expr] = []
                for terms, (one, two) in zip(left, taken, strict=True):
                    terms.remove(one)
                    terms.remove(two)
                    a, b = _product(lanes, one.value), _product(lanes, two.value)
                    assert a is not None
                    assert b is not None
                    parts.append(Binary("-", Binary("*", *a, type), Binary("*", *b, type), type))
                return False, parts
    return None


def _is_turned(lanes: Lanes, product: tuple[Expr, Expr], term: Term, by: int) -> bool:
    other = _product(lanes, term.value)
    return other is not None and all(lanes.turned(a, b, by) for a, b in zip(product, other, strict=True))


def _product(lanes: Lanes, value: Expr) -> tuple[Expr, Expr] | None:
    """Return two factors of different components, first the one whose component comes before the other's."""
    match value:
        case Binary("*", left, right) if value.spelling is None:
            first, second = _component(lanes, left), _component(lanes, right)
            if first is None or second is None or first == second:
                return None
            return (left, right) if (first + 1) % _CROSS == second else (right, left)
        case _:
            return None


def _component(lanes: Lanes, expr: Expr) -> int | None:
    """Return the one component of which an expression is made."""
    found = {
        lane.number for e in walk(expr) if isinstance(e, Place) and (lane := lanes.of(e.sym)) is not None
    }
    return found.pop() if len(found) == 1 else None
