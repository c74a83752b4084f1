"""Prove that an element that threads exchange is final when it is read: no store to it comes after.

    for (int p = 0; p < 2 * w - 1; ++p) {
        int j = p - t;                       anti-diagonal p, one row for each thread
        if (j >= 1 && j < w) r[t][j] = f(r[t - 1][j], r[t - 1][j - 1], r[t][j - 1]);
        __syncthreads();
    }

L44. In a launch without races, a store by any thread that comes after a read of the element, in time, comes
after it in the order of the text as well: of the loops around both, the first whose iterations differ is
further on, or no iterations differ and the statement isn't before the read's. For the barrier that orders
two threads is in loops that all threads of the block run together, so they are in the same iteration there.
Threads without a barrier to order them would race, and so would those of two blocks.

L45. If both write their indices in digits to the same bases (L6), the digits are equal where they meet. If no
values satisfy these equations together with what is known at both places, they never meet. The equation
e == 0 with a unit coefficient gives one variable by the others; what is left is to refute one inequality.
Above, t' == t - 1 and p' - t' == p - t, so p' == p - 1: the thread that stores r[t - 1][j] is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from ...ir import Assign, Barrier, Place, Pointer, Stmt, Sym
from ..atomics import draws
from ..ssa import Loop, Scope, Versions
from ..symbolic.inequalities import Facts, holds
from ..symbolic.polynomials import ONE, Atom, Atoms, Division, Load, Poly, variable
from .access_relations import Reference, Survey
from .delinearisation import Question, alternatives
from .injectivity import ways_of

EQUATIONS = 12
"""The maximum number of variables eliminated for one pair of accesses."""


class StoreOrder:
    """The stores and reads of one kernel in tail form, over all its threads and iterations."""

    def __init__(self, survey: Survey, versions: Versions) -> None:
        self.facts = survey
        self.v = versions
        self._by_warps = any(isinstance(s, Barrier) and s.warp for s in versions.order)
        self._drawn = any(map(draws, versions.order))
        self._questions: dict[frozenset[Loop], Question] = {}

    def final(self, store: Stmt, target: Place, stmt: Stmt, place: Place, home: Scope) -> bool:
        """Whether no thread stores to an element, wherever `store` comes after `stmt` has read it.

        In the same iteration of the loops around `home`.
        """
        if not self._by_barriers(place.sym) or not isinstance(store, Assign) or isinstance(stmt, Loop):
            return False
        if not self.facts.repeated.isdisjoint((store, stmt)):
            return False
        reads = self.facts.references.get(stmt, {}).get(place)
        stores = self.facts.references.get(store, {}).get(target)
        if not reads or not stores:
            return False
        theirs = self.v.loops_between(home, self.v.scope_of[store])
        mine = self.v.loops_between(home, self.v.scope_of[stmt])
        both = [a for a, b in zip(theirs, mine, strict=False) if a is b]
        around = tuple(home.loops())
        further: list[Loop | None] = [*both]
        if self.v.order[store] >= self.v.order[stmt]:
            further.append(None)
        return all(
            self._apart(read, written, frozenset((*around, *both[:depth])), loop)
            for depth, loop in enumerate(further)
            for read in dict.fromkeys(reads)
            for written in dict.fromkeys(stores)
        )

    def _by_barriers(self, array: Sym) -> bool:
        """Whether barriers of the block alone order the accesses of its threads.

        Lanes may come to a barrier of their warp from different iterations, and blocks may wait for each
        other by atomics.
        """
        return not self._by_warps and not (self._drawn and isinstance(array.type, Pointer))

    def _apart(self, read: Reference, store: Reference, same: frozenset[Loop], further: Loop | None) -> bool:
        """Whether two elements differ, in the `same` iterations of some loops and with one further on."""
        question = self._question(same)
        atoms = self.facts.atoms
        order: Facts = ()
        if further is not None:
            iteration = self.facts.iterations[further]
            order = (variable(atoms.twin(iteration)) - variable(iteration) - ONE,)
        return all(
            any(
                impossible(equations, (*order, *one.facts, *(_twin(f, question) for f in two.facts)), atoms)
                for equations in self._equations(one, two, question)
            )
            for one in alternatives(read, atoms)
            for two in alternatives(store, atoms)
        )

    def _equations(self, one: Reference, two: Reference, question: Question) -> Iterator[list[Poly]]:
        """Yield what is zero where two indices are equal, for each way to write them in digits."""
        seen: set[tuple[Poly, ...]] = set()
        for first, second in ways_of((one, two), question):
            if first is None or second is None:
                continue
            equations = [d - _twin(e, question) for d, e in zip(first, second, strict=True)]
            if (key := tuple(equations)) not in seen:
                seen.add(key)
                yield equations

    def _question(self, same: frozenset[Loop]) -> Question:
        if same not in self._questions:
            alike = {self.facts.iterations[loop] for loop in same}

            def fixed(atom: Atom) -> bool:
                match atom.origin:
                    case Load(_, index):
                        return atom.uniform or all(fixed(a) for a in index.atoms)
                    case Division(_, dividend, divisor):
                        return all(fixed(a) for p in (dividend, divisor) for a in p.atoms)
                    case _:
                        # blocks are never ordered
                        return atom.uniform or atom in alike or atom.name.startswith("blockIdx")

            self._questions[same] = Question(
                self.facts.atoms,
                lambda a: a.scope == "position" and not fixed(a),
                fixed,
                None,
            )
        return self._questions[same]


def _twin(p: Poly, question: Question) -> Poly:
    """Return the value as it is at the store."""
    return p.with_values({a: variable(question.atoms.twin(a)) for a in p.atoms if not question.fixed(a)})


def impossible(equations: Sequence[Poly], facts: Facts, atoms: Atoms) -> bool:
    """Whether no integers satisfy p == 0 for all equations and f >= 0 for all facts (L45)."""
    todo, known = list(equations), list(dict.fromkeys(facts))
    changed: dict[Poly, None] = {}
    for _ in range(EQUATIONS):
        if any(_never_zero(p) for p in todo):
            return True
        unit = next(((k, a) for k, p in enumerate(todo) for a in _units(p)), None)
        if unit is None:
            break
        k, atom = unit
        equation = todo.pop(k)
        sign = equation.coefficient(atom).constant
        value = variable(atom) - equation.scaled(sign or 0)
        put = {atom: value}
        todo = [p.with_values(put) for p in todo]
        # The bounds of an atom that is gone are facts of what it is equal to.
        known += atoms.bounds.get(atom, ())
        if atom.low is not None:
            known.append(variable(atom) - ONE.scaled(atom.low))
        moved = [f.with_values(put) for f in known]
        changed = {f.with_values(put): None for f in changed}
        changed |= {new: None for old, new in zip(known, moved, strict=True) if new != old}
        known = list(dict.fromkeys(moved))
    given = (*known, *todo, *(-p for p in todo))
    return any(holds(-f - ONE, given, atoms) for f in dict.fromkeys((*changed, *facts[:1])) if f.terms)


def _units(p: Poly) -> Iterator[Atom]:
    """Yield the atoms that an equation determines by the others, those of the launch last."""
    for atom in sorted(p.atoms, key=lambda a: (a.uniform, -int(a))):
        if p.coefficient(atom).constant in (1, -1) and sum(atom in m for m, _ in p.terms) == 1:
            yield atom


def _never_zero(p: Poly) -> bool:
    """Whether a sum differs from zero whatever its variables are: 2 * i - 2 * j + 1."""
    constant = p.only(lambda monomial: not monomial).constant or 0
    step = gcd(*(c for monomial, c in p.terms if monomial))
    return constant != 0 and (step == 0 or constant % step != 0)
