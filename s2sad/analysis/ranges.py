"""Whether a polynomial can't be negative, from what is known where it is evaluated.

Facts are polynomials that are >= 0: guards (`n - 1 - i`), bounds of atoms
(`blockDim.x - 1 - threadIdx.x`). A goal follows if it is a sum of facts times
products that can't be negative, and of terms that can't be negative. The search
for that sum is bounded by a number of steps, so that it always ends alike; a goal
that it misses costs an atomic, never a gradient.
"""

from __future__ import annotations

from collections.abc import Sequence

from .affine import ONE, Atoms, Monomial, Poly, cofactor, poly

Facts = tuple[Poly, ...]

STEPS = 160  # facts tried for one goal
DEPTH = 7  # facts in one sum


def holds(goal: Poly, facts: Sequence[Poly], atoms: Atoms) -> bool:
    """Whether goal >= 0 follows from facts >= 0 and from the atoms' own bounds.

    >>> holds(3 * n - 1 - (3 * k + 2), (n - 1 - k,), atoms)
    True
    """
    return _Search(tuple(facts), atoms).proves(goal, DEPTH)


class _Search:
    def __init__(self, facts: Facts, atoms: Atoms) -> None:
        self.facts = facts
        self.atoms = atoms
        self.steps = STEPS

    def proves(self, goal: Poly, depth: int) -> bool:
        bad = _first_bad(goal)
        if bad is None:
            return True
        if depth == 0:
            return False
        for fact in self.candidates(goal):
            rest = _cancelled(goal, *bad, fact)
            if rest is None:
                continue
            self.steps -= 1
            if self.steps < 0:
                return False
            if self.proves(rest, depth - 1):
                return True
        return False

    def candidates(self, goal: Poly) -> Facts:
        own = [f for a in sorted(goal.atoms) for f in self.atoms.bounds.get(a, ())]
        return (*self.facts, *own)


def _first_bad(goal: Poly) -> tuple[Monomial, int] | None:
    """The highest term that may be negative; the constant last."""
    for monomial, c in reversed(goal.terms):
        if c < 0 or not _non_negative(monomial):
            return monomial, c
    return None


def _non_negative(monomial: Monomial) -> bool:
    odd = [a for a in monomial if monomial.count(a) % 2]
    return all(a.low is not None and a.low >= 0 for a in odd)


def _cancelled(goal: Poly, bad: Monomial, c: int, fact: Poly) -> Poly | None:
    """The goal without its bad term, and without the multiple of the fact that holds it.

    L1. If q, m, f are integers with m >= 0 and f >= 0, then k * q - m * f >= 0 for
    some k >= 1 implies q >= 0.
    """
    for monomial, d in fact.terms:
        if (c < 0) != (d < 0):
            continue
        factor = cofactor(bad, monomial)
        if factor is None or not _non_negative(factor):
            continue
        times, by = (c // d, 1) if c % d == 0 else (abs(c), abs(d))
        if not bad and c < 0:
            times, by = -(c // abs(d)), 1  # rounded up: it may end positive
        return goal.scaled(by) - fact * poly({factor: times})
    return None


def below(p: Poly, limit: Poly, facts: Sequence[Poly], atoms: Atoms) -> bool:
    """Whether 0 <= p < limit."""
    return holds(p, facts, atoms) and holds(limit - ONE - p, facts, atoms)


def twin_facts(facts: Sequence[Poly], atoms: Atoms) -> Facts:
    """The same facts about another thread."""
    return tuple(atoms.twinned(f) for f in facts)
