"""Prove that a polynomial isn't negative, from the facts known where it is evaluated.

Facts are polynomials that are >= 0: guards (`n - 1 - i`), bounds of atoms
(`blockDim.x - 1 - threadIdx.x`). A goal follows if it is a sum of facts times
products that can't be negative, and of terms that can't be negative. The search
for that sum is bounded by a number of steps, so its result is deterministic; a goal
that it misses costs an atomic, never a gradient.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush

from .polynomials import ONE, Atom, Atoms, Known, Monomial, Poly, cofactor, less, variable

Facts = tuple[Poly, ...]

STEPS = 60  # goals tried to prove one
DEPTH = 6  # facts in one sum


def facts_of(op: str, a: Poly, b: Poly) -> Facts:
    """Return what a comparison of two integers says, where it holds."""
    match op:
        case "<":
            return (b - a - ONE,)
        case "<=":
            return (b - a,)
        case ">" | ">=":
            return facts_of("<" if op == ">" else "<=", b, a)
        case _:
            assert op == "=="
            return a - b, b - a


def holds(goal: Poly, facts: Sequence[Poly], atoms: Atoms) -> bool:
    """Whether goal >= 0 follows from facts >= 0 and from the atoms' own bounds.

    >>> holds(3 * n - 1 - (3 * k + 2), (n - 1 - k,), atoms)
    True
    """
    facts = tuple(facts)
    known = known_of(facts, atoms)
    if goal not in known.answers:
        search = _Search(facts, known, atoms, _signs(facts, known, atoms), known.products)
        known.answers[goal] = search.proves(goal)
    return known.answers[goal]


def known_of(facts: Facts, atoms: Atoms) -> Known:
    """Return the cache for these facts; looked up by identity first, as hashing them would cost most."""
    same = atoms.same.get(id(facts))
    if same is not None:
        return same[1]
    known = atoms.known.get(facts)
    if known is None:
        known = atoms.known[facts] = Known()
        for position in strongest(facts):
            fact = facts[position]
            for back, (monomial, factor) in enumerate(reversed(fact.terms)):
                known.terms.setdefault(monomial, []).append((position, back, factor))
    atoms.same[id(facts)] = facts, known  # keeps the tuple alive, so that its id isn't reused
    return known


def strongest(facts: Facts) -> list[int]:
    """Return the positions of the facts that no other fact with the same terms but the constant implies.

    A kernel that reads tile[t + 1] and tile[t + 9] gives the facts t + 1 >= 0 and t + 9 >= 0.
    """
    least: dict[tuple[tuple[Monomial, int], ...], tuple[int, int]] = {}
    for position, fact in enumerate(facts):
        terms = fact.terms
        bare = not terms or bool(terms[0][0])
        number, rest = (0, terms) if bare else (terms[0][1], terms[1:])
        if rest not in least or number < least[rest][0]:
            least[rest] = number, position
    return sorted(position for _, position in least.values())


def _signs(facts: Facts, known: Known, atoms: Atoms) -> frozenset[Atom]:
    """Find the parameters that the facts prove non-negative: after 0 <= i < n, n."""
    if known.signs is None:
        unknown = {a for f in facts for a in f.atoms if a.uniform and a.low is None}
        found = frozenset[Atom]()
        for atom in sorted(unknown):
            if _Search(facts, known, atoms, found, {}).proves(variable(atom)):
                found |= {atom}
        known.signs = found
    return known.signs


class _Search:
    """`plus` are atoms without a bound of their own that can't be negative here.

    `products` caches which monomials can't be negative, given these.
    """

    def __init__(
        self,
        facts: Facts,
        known: Known,
        atoms: Atoms,
        plus: frozenset[Atom],
        products: dict[Monomial, bool],
    ) -> None:
        self.facts = facts
        self.known = known
        self.atoms = atoms
        self.plus = plus
        self.products = products

    def proves(self, goal: Poly) -> bool:
        """Subtract facts from the goal until no term can be negative; best-looking goal first."""
        tried = {goal}
        bad = self.bad(goal)
        nearest = [(len(bad), 0, 0, goal, bad)]
        while nearest and len(tried) < STEPS:
            _, used, _, goal, bad = heappop(nearest)
            if not bad:
                return True
            if used == DEPTH or self.hopeless(goal):
                continue
            before = len(tried)
            for term in bad:  # a term that no fact cancels goes with another: n with -c, as c < n
                for fact, factor, d in self.candidates(goal, *term):
                    rest = _cancelled(goal, *term, fact, factor, d)
                    if rest not in tried:
                        tried.add(rest)
                        left = self.bad(rest)
                        heappush(nearest, (len(left), used + 1, len(tried), rest, left))
                if len(tried) > before:
                    break
        return False

    def candidates(self, goal: Poly, bad: Monomial, c: int) -> Iterator[tuple[Poly, Monomial, int]]:
        """Yield facts with a term that divides a bad one and has its sign, with cofactor and coefficient."""
        found: list[tuple[int, int, Monomial, int]] = []
        factors: dict[Monomial, Monomial] = {}
        for monomial in _parts(bad):
            factor = cofactor(bad, monomial)
            if factor is not None and self.non_negative(factor):
                factors[monomial] = factor
                for position, back, d in self.known.terms.get(monomial, ()):
                    if (c < 0) == (d < 0):
                        found.append((position, back, factor, d))
        for position, _, factor, d in sorted(found, key=lambda f: f[:2]):
            yield self.facts[position], factor, d
        for atom in sorted(goal.atoms):
            for fact in self.atoms.bounds.get(atom, ()):
                for monomial, d in reversed(fact.terms):
                    if monomial in factors and (c < 0) == (d < 0):
                        yield fact, factors[monomial], d

    def bad(self, goal: Poly) -> list[tuple[Monomial, int]]:
        """Return the terms that may be negative, the highest first and the constant last."""
        return [(m, c) for m, c in reversed(goal.terms) if c < 0 or not self.non_negative(m)]

    def hopeless(self, goal: Poly) -> bool:
        """Whether no term can be positive, and the constant is negative."""
        if not goal.terms or goal.terms[0][0]:
            return False
        return all(c < 0 and self.non_negative(m) for m, c in goal.terms)

    def non_negative(self, monomial: Monomial) -> bool:
        found = self.products.get(monomial)
        if found is None:
            found = self.products[monomial] = all(
                (a.low is not None and a.low >= 0) or a in self.plus or monomial.count(a) % 2 == 0
                for a in monomial
            )
        return found


def _cancelled(goal: Poly, bad: Monomial, c: int, fact: Poly, factor: Monomial, d: int) -> Poly:
    """Cancel a bad term of the goal by subtracting a multiple of the fact that contains it.

    L1. If q, m, f are integers with m >= 0 and f >= 0, then k * q - m * f >= 0 for
    some k >= 1 implies q >= 0.
    """
    times, by = (c // d, 1) if c % d == 0 else (abs(c), abs(d))
    if not bad and c < 0:
        times, by = -(c // abs(d)), 1  # rounded up: the constant may become positive
    return less(goal, by, fact, factor, times)


@lru_cache(maxsize=1 << 12)
def _parts(monomial: Monomial) -> tuple[Monomial, ...]:
    """Return the divisors of a monomial, itself and 1 included."""
    parts: dict[Monomial, None] = {(): None}
    for atom in monomial:
        parts.update(dict.fromkeys((*part, atom) for part in tuple(parts)))
    return tuple(parts)


def below(p: Poly, limit: Poly, facts: Sequence[Poly], atoms: Atoms) -> bool:
    """Whether 0 <= p < limit."""
    return holds(p, facts, atoms) and holds(limit - ONE - p, facts, atoms)
