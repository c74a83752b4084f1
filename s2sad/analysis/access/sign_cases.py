"""Indices divided by parameters of either sign.

    int row = i / width, col = i % width;

Nothing ensures that `width` is positive, and the facts about quotients and remainders
(0 <= col < width) need it. So the goal is proved twice, for a positive and for a
negative width: with a positive atom p in its place, `a / -p` is `-(a / p)`, and
`a % -p` is `a % p`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from ..symbolic.inequalities import holds
from ..symbolic.machine_arithmetic import Arithmetic
from ..symbolic.polynomials import ONE, Atom, Atoms, Division, Poly, variable
from .access_relations import Reference
from .delinearisation import Question
from .injectivity import apart

PARAMETERS = 3  # of unknown sign; beyond it there are too many cases


def apart_by_sign(references: Sequence[Reference], question: Question) -> tuple[Reference, Reference] | None:
    """Like `apart`, by cases for divisors that are parameters of unknown sign.

    L10. For b >= 1: a / -b == -(a / b) and a % -b == a % b, both truncated.
    """
    meeting = apart(references, question)
    if meeting is None:
        return None
    unknown = sorted({d for r in references for d in _divisors(r.index) if d.low is None})
    if not 0 < len(unknown) <= PARAMETERS or question.required is None:
        return meeting
    for signs in product(*(_signs(d, references, question) for d in unknown)):
        case = _Case(question.atoms, dict(zip(unknown, signs, strict=True)))
        required = tuple(case.poly(p) for p in question.required)
        if apart([case.reference(r) for r in references], replace(question, required=required)) is not None:
            return meeting
    return None


def _divisors(p: Poly) -> Iterator[Atom]:
    """Yield the parameters by which something in `p` is divided."""
    for atom in p.atoms:
        if isinstance(atom.origin, Division):
            yield from (a for a in atom.origin.divisor.atoms if a.uniform)
            yield from _divisors(atom.origin.dividend)


def _signs(atom: Atom, references: Iterable[Reference], question: Question) -> tuple[int, ...]:
    known = all(holds(variable(atom) - ONE, r.facts, question.atoms) for r in references)
    return (1,) if known else (1, -1)


class _Case:
    """Polynomials with each parameter replaced by a positive atom, or minus one."""

    def __init__(self, atoms: Atoms, signs: dict[Atom, int]) -> None:
        self.arithmetic = Arithmetic(atoms, lambda p: None)
        self.values: dict[Atom, Poly] = {}
        for atom, sign in signs.items():
            positive = atoms.named(("size of", atom), atom.name, "uniform", 1)
            self.values[atom] = variable(positive).scaled(sign)

    def reference(self, reference: Reference) -> Reference:
        self.arithmetic.facts = ()
        self.arithmetic.facts = tuple(
            self.poly(f) for f in reference.facts if not any(isinstance(a.origin, Division) for a in f.atoms)
        )
        index = self.poly(reference.index)
        more = tuple(self.poly(f) for f in reference.facts)
        return Reference(index, (*self.arithmetic.facts, *more))

    def poly(self, p: Poly) -> Poly:
        return p.with_values({a: self.atom(a) for a in p.atoms})

    def atom(self, atom: Atom) -> Poly:
        if atom in self.values:
            return self.values[atom]
        if not isinstance(atom.origin, Division):
            return variable(atom)
        dividend, divisor = self.poly(atom.origin.dividend), self.poly(atom.origin.divisor)
        negative = bool(divisor.terms) and divisor.terms[-1][1] < 0
        size = -divisor if negative else divisor
        if atom.origin.op == "%":
            return self.arithmetic.remainder(dividend, size)
        quotient = self.arithmetic.quotient(dividend, size)
        return -quotient if negative else quotient
