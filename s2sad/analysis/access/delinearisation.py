"""Write an index as digits: delinearisation over sizes that only the launch knows.

x[3 * (ray * samples + k) + 1] has the digits ray, k, 1 to the bases 3 * samples, 3, 1, because
0 <= k < samples and 0 <= 1 < 3 (L6). A `Question` defines which atoms are the same on both sides
of a comparison (`fixed`), which must be determined (`key`), and the `required` forms; so one module
serves two threads and two iterations of one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import lcm, prod

from ...ir import Sym
from ..symbolic.inequalities import below, holds, known_of
from ..symbolic.polynomials import (
    ONE,
    ZERO,
    Atom,
    Atoms,
    Choice,
    Division,
    Known,
    Monomial,
    Poly,
    cofactor,
    divide,
    linear,
    number,
    poly,
    variable,
)
from .access_relations import Reference

RESIDUES = 512  # combinations of remainders that are tried
ALTERNATIVES = 8  # combinations of the choices in one index


Digits = tuple[Poly, ...] | None


@dataclass(frozen=True)
class Question:
    """The question whether two executions that differ in what is `required` may access one element."""

    atoms: Atoms
    key: Callable[[Atom], bool]
    fixed: Callable[[Atom], bool]
    required: tuple[Poly, ...] | None  # None: the executions aren't known to differ
    injective: frozenset[Sym] = frozenset()  # arrays in which no value occurs twice
    ordered: frozenset[Sym] = frozenset()  # arrays in which no value is below the one before it
    # digits of indices, by index, facts and bases
    written: dict[tuple[Poly, Known, tuple[Poly, ...]], Digits] = field(
        default_factory=dict, compare=False, repr=False
    )

    # chains of bases, by the strides that they are made of
    chained: dict[tuple[tuple[Poly, ...], tuple[Poly, ...]], tuple[Poly, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )

    # forms that two sets of facts pin
    zero: dict[tuple[Known, Known], list[Poly]] = field(default_factory=dict, compare=False, repr=False)
    met: dict[tuple[Known, Known], list[Poly]] = field(default_factory=dict, compare=False, repr=False)

    def free(self, atom: Atom) -> bool:
        return not self.key(atom) and not self.fixed(atom)

    def settled(self, p: Poly) -> bool:
        """Whether the value depends on the keys and fixed atoms only."""
        return not any(self.free(a) for a in p.atoms)


def alternatives(reference: Reference, atoms: Atoms) -> tuple[Reference, ...]:
    """Return the index once for each combination of its choices, with the facts known then.

    L29. A case whose fact f >= 0 can't hold where -f - 1 >= 0 follows is dropped: after a guard
    i < n, min(i, n - 1) is i.
    """
    done: list[Reference] = []
    todo = [reference]
    while todo:
        ref = todo.pop()
        choice = next((a for a in sorted(ref.index.atoms) if isinstance(a.origin, Choice)), None)
        if choice is None or len(done) + len(todo) >= ALTERNATIVES:
            done.append(ref)
            continue
        assert isinstance(choice.origin, Choice)
        possible: list[Reference] = []
        for value, facts in choice.origin.cases:
            put = {choice: value}
            before = tuple(f.with_values(put) for f in ref.facts)
            more = tuple(f.with_values(put) for f in facts)
            case = Reference(ref.index.with_values(put), (*before, *more))
            never = any((f.constant or 0) < 0 for f in before)
            if not never and not any(holds(-f - ONE, before, atoms) for f in more):
                possible.append(case)
        todo += reversed(possible or [case])
    return tuple(done)


def decided(reference: Reference, atoms: Atoms) -> Reference:
    """Return the index without its choices, if the facts leave only one case of each."""
    found = alternatives(reference, atoms)
    return found[0] if len(found) == 1 else reference


def merged(references: Iterable[Reference]) -> tuple[Reference, ...]:
    """Return one reference for each index, with the facts that all its references share."""
    facts: dict[Poly, dict[Poly, None]] = {}
    for ref in references:
        known = facts.setdefault(ref.index, dict.fromkeys(ref.facts))
        for fact in set(known).difference(ref.facts):
            del known[fact]
    return tuple(Reference(index, tuple(known)) for index, known in facts.items())


def without_quotients(references: Sequence[Reference]) -> Sequence[Reference]:
    """Multiply the indices by the divisors of their quotients, if these leave no remainder.

    L46. If p == m * q for all integers in p, m * (p / m) == p; and i == j exactly if m * i == m * j.

    Of r * (r + 1) / 2 + c, an element of a packed triangle, the double is r * r + r + 2 * c.
    """
    quotients = {a: a.origin for r in references for a in r.index.atoms if isinstance(a.origin, Division)}
    if not quotients:
        return references
    exact = {a: q for a, q in quotients.items() if _leaves_nothing(q)}
    times = lcm(*(q.divisor.constant or 1 for q in exact.values()))
    if any(sum(a in exact for a in m) > 1 for r in references for m, _ in r.index.terms):
        return references  # a product of quotients would need a multiple of each
    parts = {a: q.dividend.scaled(times // (q.divisor.constant or 1)) for a, q in exact.items()}

    def multiple(index: Poly) -> Poly:
        total = ZERO
        for monomial, c in index.terms:
            whole = [parts[a] for a in monomial if a in exact] or [number(times)]
            total = total + whole[0] * Poly(((tuple(a for a in monomial if a not in exact), c),))
        return total

    return [replace(r, index=multiple(r.index)) for r in references] if exact else references


def _leaves_nothing(quotient: Division) -> bool:
    """Whether a polynomial is a multiple of a small number, whatever integers its atoms are."""
    by, dividend = quotient.divisor.constant, quotient.dividend
    atoms = sorted(dividend.atoms)
    if quotient.op != "/" or by is None or by < 2 or by ** len(atoms) > RESIDUES:
        return False
    if any(isinstance(a.origin, Division) for a in atoms):
        return False
    for values in product(range(by), repeat=len(atoms)):
        put = dict(zip(atoms, values, strict=True))
        if sum(c * prod(put[a] for a in m) for m, c in dividend.terms) % by:
            return False
    return True


def _linear(index: Poly, question: Question) -> tuple[dict[Atom, Poly], Poly, Poly]:
    """Return a linear form in what isn't fixed, its fixed rest, and the terms of a higher degree."""

    def low(monomial: Monomial) -> bool:
        return sum(not question.fixed(a) for a in monomial) < 2

    form = linear(index.only(low), lambda a: not question.fixed(a))
    assert form is not None
    return *form, index.only(lambda m: not low(m))


def chains(indices: Sequence[Poly], question: Question) -> tuple[tuple[Poly, ...], ...]:
    """Yield chains of bases in which the indices may be written, each dividing the next, coarsest first."""
    near: list[Poly] = []
    far: list[Poly] = []
    inner: list[Poly] = []
    fixed: list[Poly] = []
    stepped = False  # whether a counter has stride 1
    for index in indices:
        factors, rest, _ = _linear(index, question)
        for atom, factor in factors.items():
            stride = -factor if factor.terms[-1][1] < 0 else factor
            # In bx * blockDim.x + tx, the coordinate's stride is that of tx.
            partner = atom.name.startswith("blockIdx") and any(
                a.name == "threadIdx" + atom.name[8:] for a in factors
            )
            into = inner if not question.key(atom) else far if partner else near
            into.append(stride)
        # x[plane * width * height + ...]: the plane is a digit, though a fixed one.
        fixed += [Poly(((m, 1),)) for m, _ in rest.terms if m]
        stepped = stepped or any(abs(c) == 1 and len(m) == 1 and m[0].counts for m, c in rest.terms)
    attempts = [
        (ONE,),
        _chain(near, inner, question),
        _chain(near, (), question),
        _chain(near, (*inner, *fixed), question),
        _chain((*near, *far), inner, question),
    ]
    # For plane * pixels + index with index in strides of the grid, neither stride divides the other.
    attempts += [_chain((base,), (), question) for base in dict.fromkeys((*near, *inner))]
    # For t * width + (step - t), an anti-diagonal's, the stride of t is next to that of the rows.
    if stepped or ONE in inner:
        rows = [stride + by for stride in dict.fromkeys(near) if stride != ONE for by in (ONE, -ONE)]
        attempts += [_chain((row, *near), (), question) for row in rows]
    return tuple(dict.fromkeys(attempts))


def _chain(first: Iterable[Poly], second: Iterable[Poly], question: Question) -> tuple[Poly, ...]:
    """Return as many of the bases as divide one another, from 1; cached, as an array has few strides."""
    strides = tuple(dict.fromkeys(first)), tuple(dict.fromkeys(second))
    if strides not in question.chained:
        question.chained[strides] = _dividing(*strides)
    return question.chained[strides]


def _dividing(first: Iterable[Poly], second: Iterable[Poly]) -> tuple[Poly, ...]:
    chain: list[Poly] = [ONE]
    for base in dict.fromkeys((*first, *second)):
        if base not in chain and all(divide(base, c) or divide(c, base) for c in chain):
            chain.append(base)
    return tuple(sorted(chain, key=lambda b: sum(divide(b, c) is not None for c in chain)))


def digits(ref: Reference, bases: tuple[Poly, ...], question: Question) -> tuple[Poly, ...] | None:
    """Write the index as a sum of bases times digits, lowest first; None if a digit may leave its range.

    L5. 0 <= r, r' < b and b * d + r == b * d' + r' imply d == d' and r == r'.
    L6. With 1 = b_0 | b_1 | ... | b_k and 0 <= d_i < b_{i+1} / b_i below the top, the sum of
    b_i * d_i determines every d_i (by L5 from the top down; the top digit is any integer).
    """
    key = ref.index, known_of(ref.facts, question.atoms), bases
    if key not in question.written:
        question.written[key] = _digits(ref, bases, question)
    return question.written[key]


def _digits(ref: Reference, bases: tuple[Poly, ...], question: Question) -> Digits:
    factors, rest, higher = _linear(ref.index, question)
    parts = [higher, *[ZERO] * (len(bases) - 1)]
    for atom, factor in factors.items():
        for i in reversed(range(len(bases))):
            times = divide(factor, bases[i])
            if times is not None:
                parts[i] = parts[i] + times * variable(atom)
                break
    for i in reversed(range(len(bases))):
        times = _multiples(rest, bases[i])
        parts[i] = parts[i] + times
        rest = rest - times * bases[i]
    for i in range(len(bases) - 1):
        limit = divide(bases[i + 1], bases[i])
        assert limit is not None
        # For width * row + (width - 1), the digit below width is width - 1, with one borrowed; for
        # (width - 1) * t + step it is step - t, with t borrowed.
        skewed = [by + more for by in _skewed(parts[i], limit, question) for more in (ZERO, ONE, -ONE)]
        for borrowed in (ZERO, ONE, -ONE, *skewed):
            if below(parts[i] + borrowed * limit, limit, ref.facts, question.atoms):
                parts[i] = parts[i] + borrowed * limit
                parts[i + 1] = parts[i + 1] - borrowed
                break
        else:
            return None
    return tuple(parts)


def _skewed(digit: Poly, limit: Poly, question: Question) -> Iterator[Poly]:
    """Yield what to borrow where coordinates have a stride next to the limit."""
    form = linear(digit, lambda a: not question.fixed(a))
    if form is not None:
        found = ZERO
        for atom, factor in form[0].items():
            if (factor - limit).constant in (1, -1):
                found = found - variable(atom)
            elif (factor + limit).constant in (1, -1):
                found = found + variable(atom)
        if found != ZERO:
            yield found


def _multiples(p: Poly, base: Poly) -> Poly:
    """Divide the terms of `p` by the base; the remainder stays non-negative if possible."""
    if base == ONE:
        return p
    if len(base.terms) > 1:
        return divide(p, base) or ZERO
    ((monomial, by),) = base.terms
    times = {}
    for m, c in p.terms:
        rest = cofactor(m, monomial)
        if rest is not None:
            times[rest] = c // by
    return poly(times)
