"""Integer values as polynomials over quantities fixed for a thread: the basis of access proofs.

An `Atom` is a number that is fixed for one execution of a statement by one
thread: a coordinate of the thread, an extent of the launch, a parameter, the
number of an iteration, or a value with only its bounds known. A `Poly` is a
polynomial over atoms with integer coefficients, in normal form, so that `==`
decides whether two indices are the same expression. Nothing here knows about
kernels; all arithmetic is that of the integers, without wrapping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from ...ir import Sym

LONGEST = 100  # characters of an atom's name: names may nest other names

Scope = Literal["uniform", "position", "free"]
"""uniform: the same for all threads of the launch. position: threadIdx, blockIdx.
free: of one thread and one execution; unrelated between threads."""


@dataclass(frozen=True)
class Load:
    """An element of an integer array that the launch never writes."""

    array: Sym
    index: Poly


@dataclass(frozen=True)
class Choice:
    """One of several values, each with the facts (polynomials >= 0) that hold where it is chosen."""

    cases: tuple[tuple[Poly, tuple[Poly, ...]], ...]


@dataclass(frozen=True)
class Division:
    """The truncated quotient or the remainder of two polynomials."""

    op: Literal["/", "%"]
    dividend: Poly
    divisor: Poly


@dataclass(frozen=True)
class Rank:
    """The number of lanes before the thread's own that voted as `vote` says.

    `position` is the thread's in its row, `block` are the coordinates of its block.
    """

    position: Poly
    vote: Atom
    block: tuple[Atom, ...]


Origin = Load | Choice | Division | Rank | None


class Atom(int):
    """A number known by its creation order in one survey, which is its `int` value for fast comparison."""

    name: str
    scope: Scope
    low: int | None
    origin: Origin
    counts: bool  # a loop's trip count, from 0

    def __new__(
        cls,
        rank: int,
        name: str,
        scope: Scope,
        low: int | None = None,
        origin: Origin = None,
        counts: bool = False,
    ) -> Atom:
        made = super().__new__(cls, rank)
        made.name, made.scope, made.low, made.origin, made.counts = name, scope, low, origin, counts
        return made

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"Atom({int(self)}, {self.name!r}, {self.scope!r})"

    @property
    def uniform(self) -> bool:
        return self.scope == "uniform"


Monomial = tuple[Atom, ...]


@dataclass(frozen=True)
class Poly:
    """A sum of monomials in graded order, none with coefficient zero."""

    terms: tuple[tuple[Monomial, int], ...] = ()

    @cached_property
    def _hash(self) -> int:
        return hash(self.terms)

    def __hash__(self) -> int:
        return self._hash

    def __add__(self, other: Poly) -> Poly:
        sums = dict(self.terms)
        for monomial, factor in other.terms:
            sums[monomial] = sums.get(monomial, 0) + factor
        return poly(sums)

    def __neg__(self) -> Poly:
        return Poly(tuple((m, -c) for m, c in self.terms))

    def __sub__(self, other: Poly) -> Poly:
        return self + -other

    def __mul__(self, other: Poly) -> Poly:
        sums: dict[Monomial, int] = {}
        for m, c in self.terms:
            for n, d in other.terms:
                product = tuple(sorted(m + n))
                sums[product] = sums.get(product, 0) + c * d
        return poly(sums)

    def scaled(self, factor: int) -> Poly:
        return Poly(tuple((m, c * factor) for m, c in self.terms)) if factor else ZERO

    @property
    def constant(self) -> int | None:
        """The polynomial's value, if it is a number."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and not self.terms[0][0]:
            return self.terms[0][1]
        return None

    @cached_property
    def atoms(self) -> frozenset[Atom]:
        return frozenset(a for m, _ in self.terms for a in m)

    @property
    def is_uniform(self) -> bool:
        return all(a.uniform for a in self.atoms)

    def coefficient(self, atom: Atom) -> Poly:
        """Return the cofactor of `atom` in the terms that contain it once."""
        return poly({tuple(a for a in m if a != atom): c for m, c in self.terms if m.count(atom) == 1})

    def only(self, wanted: Callable[[Monomial], bool]) -> Poly:
        """Return the terms whose monomial is wanted."""
        return Poly(tuple((m, c) for m, c in self.terms if wanted(m)))

    def with_values(self, values: Mapping[Atom, Poly]) -> Poly:
        """Substitute polynomials for some atoms."""
        if self.atoms.isdisjoint(values):
            return self
        names = {atom: value.terms[0][0][0] for atom, value in values.items() if _is_variable(value)}
        if len(names) == len(values):
            sums: dict[Monomial, int] = {}
            for monomial, factor in self.terms:
                renamed = tuple(sorted(names.get(atom, atom) for atom in monomial))
                sums[renamed] = sums.get(renamed, 0) + factor
            return poly(sums)
        total = ZERO
        for monomial, factor in self.terms:
            product = number(factor)
            for atom in monomial:
                product = product * values.get(atom, variable(atom))
            total = total + product
        return total

    def __str__(self) -> str:
        return spelled(self)


def poly(sums: Mapping[Monomial, int]) -> Poly:
    return Poly(tuple(sorted([term for term in sums.items() if term[1]], key=_order)))


def _order(term: tuple[Monomial, int]) -> tuple[int, Monomial]:
    return len(term[0]), term[0]


def _is_variable(p: Poly) -> bool:
    return len(p.terms) == 1 and len(p.terms[0][0]) == 1 and p.terms[0][1] == 1


def less(p: Poly, by: int, q: Poly, factor: Monomial, times: int) -> Poly:
    """Return by * p - times * factor * q, in one pass."""
    sums = {m: c * by for m, c in p.terms}
    for m, c in q.terms:
        product = tuple(sorted(m + factor)) if factor else m
        sums[product] = sums.get(product, 0) - c * times
    return poly(sums)


def number(value: int) -> Poly:
    return Poly((((), value),)) if value else ZERO


def variable(atom: Atom) -> Poly:
    return Poly((((atom,), 1),))


ZERO = Poly()
ONE = Poly((((), 1),))


def linear(p: Poly, varying: Callable[[Atom], bool]) -> tuple[dict[Atom, Poly], Poly] | None:
    """Return `p` as a linear form: the cofactor of each varying atom, and the rest.

    None if some term has two varying atoms.
    """
    factors: dict[Atom, dict[Monomial, int]] = {}
    rest: dict[Monomial, int] = {}
    for monomial, c in p.terms:
        inside = [a for a in monomial if varying(a)]
        match inside:
            case []:
                rest[monomial] = c
            case [atom]:
                factors.setdefault(atom, {})[tuple(a for a in monomial if a != atom)] = c
            case _:
                return None
    return {a: poly(c) for a, c in sorted(factors.items())}, poly(rest)


def divide(p: Poly, q: Poly) -> Poly | None:
    """Return the polynomial r with p == q * r, if there is one of few terms."""
    if not q.terms:
        return None  # a division by zero that is never reached
    head, by = q.terms[-1]
    quotient = ZERO
    for _ in range(32):
        if not p.terms:
            return quotient
        monomial, c = p.terms[-1]
        rest = cofactor(monomial, head)
        if rest is None or c % by:
            return None
        step = Poly(((rest, c // by),))
        quotient = quotient + step
        p = p - q * step
    return None


def cofactor(monomial: Monomial, part: Monomial) -> Monomial | None:
    """Return the quotient of two monomials, if it is one."""
    left = list(monomial)
    for atom in part:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)


def spelled(p: Poly) -> str:
    """Return the polynomial in the usual notation, for facts and tests."""
    if not p.terms:
        return "0"
    parts: list[str] = []
    for monomial, c in sorted(p.terms, key=lambda t: (-len(t[0]), t[0])):
        names = [a.name for a in monomial]
        product = " * ".join(names if names and abs(c) == 1 else [str(abs(c)), *names])
        minus, plus = (" - ", " + ") if parts else ("-", "")
        parts.append((minus if c < 0 else plus) + product)
    return "".join(parts)


@dataclass(eq=False)
class Known:
    """A cache of results for one tuple of facts.

    Equal tuples share one, and it replaces them as a key to avoid hashing them again and again.
    """

    answers: dict[Poly, bool] = field(default_factory=dict)
    signs: frozenset[Atom] | None = None
    products: dict[Monomial, bool] = field(default_factory=dict)  # whether one can't be negative, by `signs`
    # for each monomial, the facts that contain it: the fact's position, the term's from the end, its factor
    terms: dict[Monomial, list[tuple[int, int, int]]] = field(default_factory=dict)


@dataclass
class Atoms:
    """The atoms of one survey, and the facts known of each: polynomials that are >= 0."""

    made: list[Atom] = field(default_factory=list)
    bounds: dict[Atom, tuple[Poly, ...]] = field(default_factory=dict)
    known: dict[tuple[Poly, ...], Known] = field(default_factory=dict)  # see inequalities
    same: dict[int, tuple[tuple[Poly, ...], Known]] = field(default_factory=dict)  # by identity of the tuple
    _known: dict[object, Atom] = field(default_factory=dict)

    def fresh(
        self,
        name: str,
        scope: Scope,
        low: int | None = None,
        origin: Origin = None,
        counts: bool = False,
    ) -> Atom:
        if len(name) > LONGEST:
            name = f"value{len(self.made)}"
        atom = Atom(len(self.made), name, scope, low, origin, counts)
        self.made.append(atom)
        if low is not None and low > 0:
            self.bound(atom, variable(atom) - number(low))
        return atom

    def named(
        self, key: object, name: str, scope: Scope, low: int | None = None, origin: Origin = None
    ) -> Atom:
        """Return the atom for a key, made on first use."""
        if key not in self._known:
            self._known[key] = self.fresh(name, scope, low, origin)
        return self._known[key]

    def bound(self, atom: Atom, *facts: Poly) -> None:
        self.bounds[atom] = (*self.bounds.get(atom, ()), *facts)

    def twin(self, atom: Atom) -> Atom:
        """Return the atom of the same quantity in another thread."""
        if atom.uniform:
            return atom
        key = ("twin", atom)
        if key not in self._known:
            twin = self.named(key, atom.name + "'", atom.scope, atom.low)
            self.bound(twin, *(self.twinned(f) for f in self.bounds.get(atom, ())))
        return self._known[key]

    def twinned(self, p: Poly) -> Poly:
        return p.with_values({a: variable(self.twin(a)) for a in p.atoms if not a.uniform})


def joined(scopes: Iterable[Atom]) -> Scope:
    """Return the scope of a value computed from these atoms alone, as an atom of its own."""
    return "uniform" if all(a.uniform for a in scopes) else "free"
