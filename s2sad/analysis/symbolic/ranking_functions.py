"""Bounds on a loop's trip count, from the effect of one iteration on integers.

    while (lo < hi)                        hi - lo is at least 1 here, and each way
        if (v[lo] < key) lo++; else hi--;  through the body makes it smaller by 1

One iteration is executed on polynomials over the variables' values at its start, once for
each path through the body. The facts on a path - the conditions that it passed - are
polynomials that aren't negative; the loop's own conditions are among them. The search
looks for facts that every iteration makes smaller:

L34. If every iteration that isn't the last finds F >= 0 at its start and leaves F less by at
least d >= 1, there are at most max(0, ceil((F0 + 1) / d)) such iterations, F0 being F at the
start of the first. Where the last iteration finds F >= 0 too, it is one of these.

L35. The same holds of a sum of max(0, F + 1) over several F, if each iteration makes none of
them larger, and makes one that isn't negative smaller by at least 1.

L36. If every iteration that isn't the last finds M >= 1 and leaves at most M / 2 of it, there
are at most w such iterations, where M0 < 2**w.

L37. If every iteration that isn't the last finds G >= 1 and leaves at least 2 * G, and G is at
most 2**w - 1 at the start of each iteration, there are at most w iterations.

L38. If every iteration that isn't the last clears bits of a variable of w bits and sets none,
there are at most w such iterations.

Signed integers don't overflow. An unsigned result that may wrap, and everything else that
isn't a polynomial, is a value of which only the type is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from ...ir import DoWhile, Sym, scalar_type
from ..constants import range_of
from ..ssa import Loop, Version, Versions
from .inequalities import Facts, holds
from .integer_states import State, is_tracked, of_type
from .loop_iteration import Iterations
from .polynomials import ONE, ZERO, Atom, Atoms, Monomial, Poly, number, variable

CANDIDATES = 24  # measures that are tried
ROUNDS = 6  # until the facts assumed at the start of an iteration hold at its end


@dataclass(frozen=True)
class Measure:
    """At most max(0, ceil((F + 1) / step)) trips for each F of `parts`, added up, plus `more`.

    The parts are over atoms of the versions at the start of the first iteration.
    """

    parts: tuple[Poly, ...]
    step: int
    more: int


@dataclass(frozen=True)
class Halving:
    """At most as many trips as `of` has bits, at most `bits`, plus `more`."""

    of: Poly | None
    bits: int
    more: int


@dataclass
class TripBounds:
    """The bounds of one function's loops.

    `value` returns the value of a version outside of a loop; it is called for versions the loop doesn't make.
    """

    versions: Versions
    atoms: Atoms
    value: Callable[[Version], Poly | None]
    found: dict[Loop, tuple[Measure | Halving, ...]] = field(default_factory=dict)
    searches: dict[Loop, _Search] = field(default_factory=dict)

    def of(self, loop: Loop) -> tuple[Measure | Halving, ...]:
        """Return bounds on the trips of a loop; each holds on its own."""
        if loop not in self.found:
            self.found[loop] = tuple(self._search(loop).measures())
        return self.found[loop]

    def starts(self, head: Version) -> tuple[list[Poly], list[Poly]]:
        """Bound a variable from below and above at the start of every iteration of its loop.

        As values before the first iteration: its entry value, if no iteration makes it less, or more.
        """
        loop = head.stmt
        assert isinstance(loop, Loop)
        search = self._search(loop)
        atom = search.heads.get(head.sym)
        if atom is None or not search.settled:
            return [], []
        entry, at = search.entries[atom], variable(atom)
        above = [entry, ZERO, ONE]
        return (
            [end for end in above if at - end in search.invariants],
            [entry] if entry - at in search.invariants else [],
        )

    def _search(self, loop: Loop) -> _Search:
        if loop not in self.searches:
            self.searches[loop] = _Search(self, loop)
        return self.searches[loop]


class _Search:
    """The quantities that every iteration of one loop makes smaller."""

    def __init__(self, bounds: TripBounds, loop: Loop) -> None:
        self.loop = loop
        self.atoms = bounds.atoms
        self.iterations = Iterations(bounds.versions, bounds.atoms, bounds.value)
        self.heads: dict[Sym, Atom] = {}
        self.entries: dict[Atom, Poly] = {}
        for sym, head in bounds.versions.heads[loop].items():
            if is_tracked(sym.type):
                atom = of_type(self.atoms, ("head", loop, sym), sym)
                self.heads[sym] = atom
                self.entries[atom] = self.iterations.outside(head.args[0])
        self.syms = {atom: sym for sym, atom in self.heads.items()}
        self.invariants: Facts = ()
        self.starts: list[State] = []
        self.ends: list[State] = []

    def measures(self) -> Iterator[Measure | Halving]:
        """Yield all bounds found; there are none unless iterations change a variable."""
        if not self.heads or not self.settled:
            return
        if not self.ends:
            yield Halving(None, 0, 1)
            return
        candidates = self._candidates()
        more = {f: self._more((f,)) for f in candidates}
        lesser = {f: [self._falls(f, end) for end in self.ends] for f in candidates}
        yield from self._linear(candidates, more, lesser)
        for f in candidates:
            for m in (f + ONE, f):
                if (bits := self._halves(m)) is not None:
                    yield Halving(m.with_values(self.entries), bits, self._more((m - ONE,)))
                    break
        for sym, atom in self.heads.items():
            yield from self._doubles(sym, atom)
            if self._clears(sym, atom):
                yield Halving(None, _bits(sym), self._more((variable(atom) - ONE,)))

    # ---- one iteration -------------------------------------------------------

    @cached_property
    def settled(self) -> bool:
        """Execute an iteration from the invariants; false if none are found.

        Facts of the first iteration are assumed for all, and dropped unless they hold at its end.
        """
        self.invariants = tuple(dict.fromkeys(self._assumed()))
        for _ in range(ROUNDS):
            env = {sym: variable(atom) for sym, atom in self.heads.items()}
            one = self.iterations.run(self.loop, State(env, self.invariants))
            if one is None:
                return False
            self.starts, self.ends = one.starts, one.ends
            left = tuple(f for f in self.invariants if all(self._kept(f, end) for end in self.ends))
            if left == self.invariants:
                return True
            self.invariants = left
        return False

    def _assumed(self) -> Iterator[Poly]:
        """Yield facts about the variables at the start of the first iteration."""
        for atom, entry in self.entries.items():
            at = variable(atom)
            yield from (at - entry, entry - at)
            for low in (ZERO, ONE):
                if holds(entry - low, (), self.atoms):
                    yield at - low

    def _after(self, poly: Poly, end: State) -> Poly:
        """Rewrite a polynomial over the start of an iteration for the start of the next."""
        return poly.with_values({a: end.env[self.syms[a]] for a in poly.atoms if a in self.syms})

    def _kept(self, fact: Poly, end: State) -> bool:
        return holds(self._after(fact, end), end.facts, self.atoms)

    # ---- decreasing quantities -----------------------------------------------------

    def _candidates(self) -> list[Poly]:
        """Return the facts where an iteration continues, about its start and loop invariants."""
        found: dict[Poly, None] = {}
        given = {*self.heads.values(), *self.iterations.shared.fixed}
        for end in self.ends:
            for fact in end.facts:
                if fact.atoms <= given and not fact.atoms.isdisjoint(self.syms):
                    found[fact] = None
        proper = [f for f in found if f not in self.invariants]
        return [*proper, *(f for f in found if f in self.invariants)][:CANDIDATES]

    def _falls(self, f: Poly, end: State) -> bool:
        """Whether a path through the body finds f >= 0 and makes it smaller."""
        return holds(f, end.facts, self.atoms) and holds(f - self._after(f, end) - ONE, end.facts, self.atoms)

    def _stays(self, f: Poly, end: State) -> bool:
        return holds(f - self._after(f, end), end.facts, self.atoms)

    def _more(self, parts: Iterable[Poly]) -> int:
        """1 if the last iteration may find all parts negative, else 0."""
        every = tuple(parts)
        if isinstance(self.loop, DoWhile):
            return 1
        return int(not all(any(holds(f, start.facts, self.atoms) for f in every) for start in self.starts))

    def _linear(
        self, candidates: list[Poly], more: Mapping[Poly, int], lesser: Mapping[Poly, list[bool]]
    ) -> Iterator[Measure]:
        """Apply L34, else L35."""
        alone = [f for f in candidates if all(lesser[f])]
        for f in alone:
            yield Measure((f.with_values(self.entries),), self._step(f), more[f])
        if alone:
            return
        useful = [f for f in candidates if any(lesser[f])]
        for f, g in combinations(useful, 2):
            if all(
                (one and self._stays(g, end)) or (two and self._stays(f, end))
                for one, two, end in zip(lesser[f], lesser[g], self.ends, strict=True)
            ):
                parts = tuple(p.with_values(self.entries) for p in (f, g))
                yield Measure(parts, 1, self._more((f, g)))

    def _step(self, f: Poly) -> int:
        """Return by how much every iteration at least makes f smaller, where that is a number."""
        falls = [(f - self._after(f, end)).constant for end in self.ends]
        known = [d for d in falls if d is not None]
        return max(1, min(known)) if len(known) == len(falls) else 1

    def _halves(self, m: Poly) -> int | None:
        """Return how many bits m has at most, if every iteration finds m >= 1 and halves it."""
        for end in self.ends:
            after = self._after(m, end)
            if not (
                holds(m - ONE, end.facts, self.atoms) and holds(m - after.scaled(2), end.facts, self.atoms)
            ):
                return None
        if any(len(monomial) > 1 for monomial, _ in m.terms):
            return None
        largest = sum(self._largest(monomial, c) for monomial, c in m.terms)
        return largest.bit_length()

    def _largest(self, monomial: Monomial, factor: int) -> int:
        """Return the largest value of a term, given its type."""
        if not monomial:
            return factor
        sym = self.syms.get(monomial[0])
        low, high = (-(1 << 64), 1 << 64) if sym is None else of_integers(sym)
        return max(factor * low, factor * high)

    def _doubles(self, sym: Sym, atom: Atom) -> Iterator[Halving]:
        """By L37, of a variable or one more than it, which of an unsigned one takes a bit more."""
        for more in (ZERO, ONE):
            g = variable(atom) + more
            if all(
                holds(g - ONE, end.facts, self.atoms)
                and holds(self._after(g, end) - g.scaled(2), end.facts, self.atoms)
                for end in self.ends
            ):
                _, highest = of_integers(sym)
                bits = max(_bits(sym), (highest + int(more == ONE)).bit_length())
                yield Halving(self._most(atom, more), bits, 0)
                return

    def _most(self, atom: Atom, more: Poly) -> Poly | None:
        """Return an upper bound of a variable plus `more` at the start of an iteration."""
        found: list[int] = []
        if isinstance(self.loop, DoWhile):
            return None
        for start in self.starts:
            own = [f for f in start.facts if f.atoms == {atom} and all(len(m) <= 1 for m, _ in f.terms)]
            ends = [
                (f.terms[0][1] if not f.terms[0][0] else 0) // -c
                for f in own
                if (c := f.coefficient(atom).constant) is not None and c < 0
            ]
            if not ends:
                return None
            found.append(min(ends))
        return number(max(found) + (more.constant or 0)) if found else None

    def _clears(self, sym: Sym, atom: Atom) -> bool:
        """Apply L38: whether every iteration clears some bits of a variable and sets none."""
        for end in self.ends:
            value = end.env[sym]
            part = next(iter(value.atoms), None)
            if (
                part is None
                or value != variable(part)
                or atom not in self.iterations.shared.parts.get(part, ())
            ):
                return False
            if not holds(variable(atom) - value - ONE, end.facts, self.atoms):
                return False
        return True


def of_integers(sym: Sym) -> tuple[int, int]:
    """Return the least and the largest value of an integer variable."""
    return range_of(scalar_type(sym))


def _bits(sym: Sym) -> int:
    return 8 * scalar_type(sym).size
