"""Whether a polynomial can't be negative, from what is known where it is evaluated.

Facts are polynomials that are >= 0: guards (`n - 1 - i`), bounds of atoms
(`blockDim.x - 1 - threadIdx.x`). A goal follows if it is a sum of facts times
products that can't be negative, and of terms that can't be negative. The search
for that sum is bounded by a number of steps, so that it always ends alike; a goal
that it misses costs an atomic, never a gradient.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from .affine import ONE, Atom, Atoms, Monomial, Poly, cofactor, poly, variable

Facts = tuple[Poly, ...]

STEPS = 60  # goals tried for one
DEPTH = 6  # facts in one sum


def holds(goal: Poly, facts: Sequence[Poly], atoms: Atoms) -> bool:
    """Whether goal >= 0 follows from facts >= 0 and from the atoms' own bounds.

    >>> holds(3 * n - 1 - (3 * k + 2), (n - 1 - k,), atoms)
    True
    """
    question = (goal, tuple(facts))
    if question not in atoms.answers:
        search = _Search(question[1], atoms, _signs(question[1], atoms))
        atoms.answers[question] = search.proves(goal)
    return atoms.answers[question]


def _signs(facts: Facts, atoms: Atoms) -> frozenset[Atom]:
    """The parameters that the facts show not to be negative: after 0 <= i < n, n."""
    if facts not in atoms.signs:
        unknown = {a for f in facts for a in f.atoms if a.uniform and a.low is None}
        found = frozenset[Atom]()
        for atom in sorted(unknown):
            if _Search(facts, atoms, found).proves(variable(atom)):
                found |= {atom}
        atoms.signs[facts] = found
    return atoms.signs[facts]


class _Search:
    """`plus` are atoms without a bound of their own that can't be negative here."""

    def __init__(self, facts: Facts, atoms: Atoms, plus: frozenset[Atom]) -> None:
        self.facts = facts
        self.atoms = atoms
        self.plus = plus

    def proves(self, goal: Poly) -> bool:
        """Takes facts off the goal until no term can be negative; what looks nearest first."""
        tried = {goal}
        nearest = [(len(self.bad(goal)), 0, 0, goal)]
        while nearest and len(tried) < STEPS:
            _, used, _, goal = heappop(nearest)
            bad = self.bad(goal)
            if not bad:
                return True
            if used == DEPTH or self.hopeless(goal):
                continue
            for fact in self.candidates(goal):
                for rest in self.cancelled(goal, *bad[0], fact):
                    if rest not in tried:
                        tried.add(rest)
                        heappush(nearest, (len(self.bad(rest)), used + 1, len(tried), rest))
        return False

    def candidates(self, goal: Poly) -> Facts:
        own = [f for a in sorted(goal.atoms) for f in self.atoms.bounds.get(a, ())]
        return (*self.facts, *own)

    def bad(self, goal: Poly) -> list[tuple[Monomial, int]]:
        """The terms that may be negative, the highest first and the constant last."""
        return [(m, c) for m, c in reversed(goal.terms) if c < 0 or not self.non_negative(m)]

    def hopeless(self, goal: Poly) -> bool:
        """Whether no term can be positive, and the constant is negative."""
        if not goal.terms or goal.terms[0][0]:
            return False
        return all(c < 0 and self.non_negative(m) for m, c in goal.terms)

    def non_negative(self, monomial: Monomial) -> bool:
        return all(
            (a.low is not None and a.low >= 0) or a in self.plus or monomial.count(a) % 2 == 0
            for a in monomial
        )

    def cancelled(self, goal: Poly, bad: Monomial, c: int, fact: Poly) -> Iterator[Poly]:
        """The goal without its bad term, and without a multiple of the fact that holds it.

        L1. If q, m, f are integers with m >= 0 and f >= 0, then k * q - m * f >= 0 for
        some k >= 1 implies q >= 0.
        """
        for monomial, d in reversed(fact.terms):
            if (c < 0) != (d < 0):
                continue
            factor = cofactor(bad, monomial)
            if factor is None or not self.non_negative(factor):
                continue
            times, by = (c // d, 1) if c % d == 0 else (abs(c), abs(d))
            if not bad and c < 0:
                times, by = -(c // abs(d)), 1  # rounded up: it may end positive
            yield goal.scaled(by) - fact * poly({factor: times})


def below(p: Poly, limit: Poly, facts: Sequence[Poly], atoms: Atoms) -> bool:
    """Whether 0 <= p < limit."""
    return holds(p, facts, atoms) and holds(limit - ONE - p, facts, atoms)


def twin_facts(facts: Sequence[Poly], atoms: Atoms) -> Facts:
    """The same facts about another thread."""
    return tuple(atoms.twinned(f) for f in facts)
