"""Accesses of global arrays by threads: when `+=` on an adjoint is safe.

In the reverse sweep every read of the primal becomes an increment. `accumulation_policy`
decides whether the increments of one array may be plain, by pairs of the sites that read it,
over all threads and all iterations. Stores need no proof against reads: if two threads
access one element and one of them makes a plain store, the primal has a race, and it is
assumed to have none. For the same reason a store at an index that is affine in the
thread's position is its thread's own; a store at any other index needs a proof or
an assumption, and is refused without.

Proofs hold for launches in which some thread stores something; if none does, there are
no contributions. They rely on increments being executed by the threads and in the
iterations that executed the read, at the same index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

from ...diagnostics import Diagnostic
from ...ir import Assign, Function, How, Place, Pointer, Stmt, Sym, statements, walk
from ..atomics import update, updated
from ..ssa import Loop, operands
from ..ssa import loads as element_reads
from ..symbolic.inequalities import holds
from ..symbolic.polynomials import ONE, Atom, Poly, divide, number, variable
from ..threads.barrier_intervals import holds_barrier
from ..threads.uniform_stores import Agreement
from . import accumulation_reasons
from . import injectivity as injective
from .access_relations import Reference, Survey, Where
from .accumulation_reasons import shared_writer, text_of
from .assumptions import NOTHING, Assumptions
from .delinearisation import Question, decided
from .determined_coordinates import alone, mentions
from .dominance import aligned, apart, follows, once
from .halos import Edge, edges
from .index_provenance import Given
from .launch_coverage import covered
from .sign_cases import apart_by_sign
from .symbolic_execution import survey as _survey
from .tile_distribution import Dealt, dealt

QUESTIONS = 2000  # pairs of stores that are compared; beyond it, nothing is claimed


@dataclass(frozen=True)
class Site:
    """One operand or target of a statement: `place.sym` is the array."""

    stmt: Stmt
    place: Place
    kind: Literal["read", "store"]


@dataclass(frozen=True)
class Verdict:
    """How increments of one adjoint array are added, and a sentence giving the reason."""

    how: How
    reason: str


@dataclass(frozen=True)
class Row:
    """One line of `explain --facts`: an element as the author wrote it, and its reference."""

    line: int | None
    place: str
    index: str
    known: tuple[str, ...]


def survey(
    kernel: Function,
    assumptions: Assumptions = NOTHING,
    functions: Mapping[str, Function] | None = None,
    aligned: bool = False,
    alone: frozenset[str] = frozenset(),
) -> Access:
    """Analyse a kernel's accesses. `functions` are the device functions that it may call.

    `aligned`: the rows of a block are whole warps, as the kernel's exchanges need it. `alone` are
    coordinates that are zero in the launch.
    """
    axes = "xyz"[assumptions.dimensions :]
    one = alone | {f"{name}.{axis}" for name in ("threadIdx", "blockIdx") for axis in axes}
    return Access(kernel, assumptions, _surveyed(kernel, tuple((functions or {}).items()), one, aligned))


@lru_cache(maxsize=4)  # of one kernel during its transformation
def _surveyed(
    kernel: Function, functions: tuple[tuple[str, Function], ...], one: frozenset[str], aligned: bool
) -> Survey:
    """Execute a kernel symbolically; cached, as the same kernel is analysed again and again."""
    return _survey(kernel, dict(functions), one, aligned)


@dataclass(frozen=True, eq=False)
class Access:
    kernel: Function
    assumptions: Assumptions
    facts_: Survey = field(repr=False)
    _verdicts: dict[Reference, Literal["proved", "race"] | None] = field(default_factory=dict, repr=False)

    # ---- answers ------------------------------------------------------------

    def ownership(self, array: Sym, sites: Sequence[Site]) -> Verdict:
        """Decide whether the increments at the reading sites of an array may be plain `+=`."""
        reads = [s for s in sites if s.kind == "read" and s.place.sym is array]
        if not reads:
            return Verdict("owner", "one thread stores each element")
        found = [(s, r) for s in reads for r in self.references(s.stmt, s.place)]
        references = [Reference(r.index, (*r.facts, *self.sizes)) for _, r in found]
        meeting = apart_by_sign(references, self.threads)
        if meeting is None:
            return Verdict("owner", accumulation_reasons.owned(references))
        mirror = self.mirrored([(s.stmt, r) for s, r in found])
        if mirror is not None:
            return Verdict("owner", f"one thread per element: the one that stores {text_of(mirror)}")
        texts = [(text_of(s.place), r) for s, r in found]
        return Verdict("atomic", accumulation_reasons.shared(texts, *meeting, self.coordinates))

    def covered(self, array: Sym, sites: Sequence[Site], extents: Sequence[str]) -> bool:
        """Whether each element that is read has a thread of its own, if the launch covers these extents."""
        if not extents or self.dimensions > len(extents):
            return False
        sizes = {s.name: s for s in self.kernel.syms}
        found = [number(int(e)) if e.isdigit() else self.facts_.parameter(sizes[e]) for e in extents]
        reads = [s for s in sites if s.kind == "read" and s.place.sym is array]
        references = [r for s in reads for r in self.references(s.stmt, s.place)]
        return covered(self.facts_, references, found)

    def dealt(self, array: Sym, sites: Sequence[Site]) -> Dealt | None:
        """Return the loop whose iterations blocks can divide, so that each element has one thread (L26)."""
        reads = [s for s in sites if s.kind == "read" and s.place.sym is array]
        found = [(s.stmt, r) for s in reads for r in self.references(s.stmt, s.place)]
        known = [(stmt, Reference(r.index, (*r.facts, *self.sizes))) for stmt, r in found]
        return dealt(self.facts_, known, self.coordinates, self.threads)

    def edges(self, array: Sym, sites: Sequence[Site]) -> tuple[Edge, ...]:
        """Return the block edges where other threads than the owner read elements; none if unknown."""
        reads = [s for s in sites if s.kind == "read" and s.place.sym is array]
        of = [(s, r) for s in reads for r in self.references(s.stmt, s.place)]
        found = edges(self.facts_, [r for _, r in of])
        if found is None:
            return ()
        own = [s for s in reads if all(r in found[0] for t, r in of if t is s)]
        if any(r in found[0] for s, r in of if s not in own):
            return ()
        return found[1] if self.ownership(array, own).how == "owner" else ()

    def stored_once(self, array: Sym) -> bool:
        """Whether each element is stored at most once in the launch, and never read."""
        return array not in self._read and self.written_once(array)

    def own_elements(self, loop: Loop, array: Sym) -> bool:
        """Whether each iteration of a loop accesses elements that no other iteration does.

        Either it only stores, to elements that the whole launch stores at most once; or no barrier is
        inside, and the indices show it.
        """
        inside = set(statements(loop.body))
        touched = [(s, p) for s, p in self.facts_.order if p.sym is array and s in inside]
        loaded = any(p.sym is array for s in inside for e in operands(s) for p in element_reads(e))
        if not loaded and self.written_once(array):
            return True
        if holds_barrier(loop, warps=True) or array in self._added:
            return False
        events = [(stmt, reference) for stmt, p in touched for reference in self.references(stmt, p)]
        if len(events) ** 2 > QUESTIONS:
            return False
        return all(
            apart(self.facts_, loop, stmt, one, other, two)
            for k, (stmt, one) in enumerate(events)
            for other, two in events[k:]
        )

    def written_once(self, array: Sym) -> bool:
        """Whether each element is stored at most once in the launch, by any statement."""
        if array in self._added or not self.one_each(array):
            return False
        if self._phased and not self._races(array):
            return False
        # Stores that differ by a constant only, as y[3 * i] and y[3 * i + 1], needn't be compared.
        groups: dict[Poly, dict[Poly, list[tuple[Stmt, Reference]]]] = {}
        for store, place in self._stores(array):
            for reference in self.references(store, place):
                constant = reference.index.only(lambda m: not m)
                free = any(a.scope == "free" for a in reference.index.atoms)
                base = reference.index if free else reference.index - constant
                groups.setdefault(base, {}).setdefault(constant, []).append((store, reference))
        asked = 0
        seen: list[tuple[Stmt, Reference]] = []
        for group in groups.values():
            for events in group.values():
                for position, (stmt, one) in enumerate(events):
                    for other, two in (*seen, *events[position:]):
                        asked += 1
                        if asked > QUESTIONS or not once(self.facts_, stmt, one, other, two):
                            return False
            seen += [event for events in group.values() for event in events]
        return True

    def one_each(self, array: Sym) -> bool:
        """Whether one thread stores each element, by a proof or because two would race."""
        return next(self._unproved(array), None) is None

    def store_problem(self, array: Sym) -> Diagnostic | None:
        """Report why two threads might store one element of the array, if nothing excludes it."""
        unproved = [(*found, self.threads) for found in self._unproved(array)]
        return shared_writer(array, unproved) if unproved else None

    def contested(self, array: Sym, given: Given, agreed: Agreement | None = None) -> bool:
        """Whether at some store only the launch ensures that no two threads store to one element.

        Some store isn't covered by a proof, and the launch determines the index of every such store.
        """
        threads = frozenset(a.name for a in self.seen)
        found = dict.fromkeys(store for store, _, _ in self._unproved(array))
        return bool(found) and all(given.tells(store, threads, agreed) for store in found)

    def alone(self, array: Sym, given: Given, agreed: Agreement | None = None) -> frozenset[str] | None:
        """Return the coordinates that must have extent one, or threads race at stores without a proof."""
        unproved = [(store, r, self.threads) for store, _, r in self._unproved(array)]
        return alone(unproved, self.seen, given, agreed)

    def _unproved(self, array: Sym) -> Iterator[tuple[Assign, Place, Reference]]:
        """Yield stores to an array for which neither a proof nor a race excludes overlap of two threads."""
        if self.assumptions.distinct(array):
            return
        for stmt, place in self._stores(array):
            for reference in self.references(stmt, place):
                if self._exclusive(reference) is None:
                    yield stmt, place, reference

    @property
    def dimensions(self) -> int:
        """An upper bound on the dimensions of the launch that matter: 1, 2 or 3.

        The kernel reads no other coordinate, so threads that differ only in others do
        the same, and would race if they stored anything.
        """
        return _dimensions(self.coordinates)

    @property
    def block_dimensions(self) -> int:
        """The same for a block."""
        return _dimensions(a for a in self.coordinates if a.name.startswith("threadIdx"))

    @property
    def most_dimensions(self) -> int:
        """An upper bound on a block's dimensions, as assumed or declared of the launch."""
        return self.block_dimensions if self.assumes_dimensions else self.assumptions.dimensions

    @property
    def assumes_dimensions(self) -> bool:
        """Whether the launch has no other dimensions, or the primal would race."""
        return self._stores_anything and self.dimensions < 3

    def assumed(self) -> tuple[str, ...]:
        """Return the launch properties implied by the absence of races and wrapping, for the header."""
        indices = [r.index for at in self.facts_.references.values() for rs in at.values() for r in rs]
        used = frozenset[Atom]().union(*(index.atoms for index in indices))
        found = [f"{p} >= 0" for p in self.facts_.sizes if p.atoms & used]
        if self.assumes_dimensions:
            found.append(f"the launch is {self.dimensions}-D")
        for stmt, place in self.stores:
            for reference in self.references(stmt, place):
                if self._exclusive(reference) == "race" and not self.assumptions.distinct(place.sym):
                    found.append(f"no two threads store to the same {text_of(place)}")
        return tuple(dict.fromkeys(found))

    def facts(self) -> tuple[Row, ...]:
        """Return every element that is accessed: its index in normal form, and the facts known there."""
        rows = []
        for stmt, place in self.facts_.order:
            for reference in dict.fromkeys(self.facts_.references[stmt][place]):
                span = place.span
                rows.append(
                    Row(
                        span.line if span else None,
                        text_of(place),
                        str(reference.index),
                        tuple(f"{f} >= 0" for f in reference.facts),
                    )
                )
        return tuple(dict.fromkeys(rows))

    # ---- threads ------------------------------------------------------------

    @cached_property
    def forms(self) -> tuple[Poly, ...]:
        """The combinations of coordinates that the kernel reads: they identify a thread."""
        forms: dict[Poly, None] = {}
        for p in self.facts_.heard:
            together: dict[tuple[Atom, ...], int] = {}
            for monomial, c in p.terms:
                keys = [a for a in monomial if a.scope == "position"]
                if len(keys) == 1 and all(a.uniform for a in monomial if a.scope != "position"):
                    together[monomial] = c
                else:
                    forms.update((variable(a), None) for a in keys)
            form = Poly(tuple(sorted(together.items(), key=lambda t: (len(t[0]), t[0]))))
            if form.terms and -form not in forms:
                forms[form] = None
        return tuple(forms)

    @cached_property
    def coordinates(self) -> frozenset[Atom]:
        return frozenset(a for form in self.forms for a in form.atoms if a.scope == "position")

    @property
    def seen(self) -> frozenset[Atom]:
        """The coordinates that the kernel reads: threads that differ in others store the same, and race."""
        return self.coordinates - self.facts_.unseen

    @cached_property
    def threads(self) -> Question:
        """The question whether two threads that the kernel distinguishes may access one element."""
        loads = frozenset(s for s in self.kernel.syms if s.name in self.assumptions.injective)
        starts = frozenset(s for s in self.kernel.syms if s.name in self.assumptions.ordered)
        return Question(
            self.facts_.atoms,
            lambda a: a.scope == "position",
            lambda a: a.scope == "uniform",
            self.forms,
            loads,
            starts,
        )

    def references(self, stmt: Stmt, place: Place) -> tuple[Reference, ...]:
        found = self.facts_.references.get(stmt, {}).get(place)
        if found is None:
            raise KeyError(f"{text_of(place)} isn't an element that this statement accesses")
        return found

    # ---- stores -------------------------------------------------------------

    @cached_property
    def _phased(self) -> bool:
        """Whether barriers divide the kernel into phases: races are within one."""
        return any(holds_barrier(s, warps=True) for s in self.kernel.body)

    def _races(self, array: Sym) -> bool:
        """Whether two threads that store to one element would race, although barriers divide the kernel.

        One statement outside loops with barriers runs in one phase. Of others, any two must be disjoint,
        and a statement in a loop with barriers must be disjoint from itself.
        """
        stores = self._stores(array)
        return all(
            injective.different(one, two, self.threads)
            for k, (s, p) in enumerate(stores)
            for t, q in stores[: k + self._again(s)]
            for one in self.references(s, p)
            for two in self.references(t, q)
        )

    def _again(self, stmt: Stmt) -> bool:
        """Whether a statement runs in several phases, in a loop with a barrier."""
        where: Where | None = self.facts_.where[stmt]
        while where is not None:
            if where.loop is not None and holds_barrier(where.loop, warps=True):
                return True
            where = where.up
        return False

    @cached_property
    def _added(self) -> frozenset[Sym]:
        """The arrays with atomic additions."""
        return updated(self.kernel.body)

    @cached_property
    def stores(self) -> list[tuple[Assign, Place]]:
        """All plain stores to arrays in global memory."""
        return [
            (s, s.target)
            for s in statements(self.kernel.body)
            if isinstance(s, Assign) and s.target.index and isinstance(s.target.sym.type, Pointer)
        ]

    def _stores(self, array: Sym) -> list[tuple[Assign, Place]]:
        return [(s, p) for s, p in self.stores if p.sym is array]

    @cached_property
    def _stores_anything(self) -> bool:
        return bool(self.stores)

    @cached_property
    def _read(self) -> frozenset[Sym]:
        """The arrays with an element that is read."""
        read = set[Sym]()
        for stmt, place in self.facts_.order:
            stored = isinstance(stmt, Assign) and stmt.op is None and place == stmt.target
            if not stored or (isinstance(stmt, Assign) and place in walk(stmt.value)):
                read.add(place.sym)
        return frozenset(read)

    def _exclusive(self, reference: Reference) -> Literal["proved", "race"] | None:
        """Return why no two threads store this element: a lemma, or because they would race."""
        if not self._verdicts:
            # All stores of an array together: if that succeeds it is one proof, not many.
            for array in dict.fromkeys(p.sym for _, p in self.stores):
                stores = [r for s, p in self._stores(array) for r in self.references(s, p)]
                if injective.apart(stores, self.threads) is None:
                    self._verdicts.update(dict.fromkeys(stores, "proved"))
        if reference not in self._verdicts:
            self._verdicts[reference] = self._judged(reference)
        return self._verdicts[reference]

    def _judged(self, reference: Reference) -> Literal["proved", "race"] | None:
        """A race is the reason for indices that are affine in the thread's position and in
        loop counters, if they or a guard around them determine each coordinate that the
        kernel reads.
        """
        if apart_by_sign([reference], self.threads) is None:
            return "proved"
        reference = decided(reference, self.facts_.atoms)
        return "race" if mentions(reference, self.threads, self.seen) else None

    @cached_property
    def sizes(self) -> tuple[Poly, ...]:
        """The lower bounds of parameters that every store implies: cols >= 1 if p[row * cols + c] is stored.

        In a launch in which they don't hold, no thread stores anything, and there are no contributions.
        """
        implied: list[set[Poly]] = []
        added = [(s, u.place) for s in statements(self.kernel.body) if (u := update(s)) is not None]
        for stmt, place in (*self.stores, *added):
            if not place.index:
                continue
            for reference in self.references(stmt, place):
                implied.append(set(self._positive(reference)))
        common = set[Poly]().union(*implied[:1]).intersection(*implied)
        return tuple(sorted(common, key=lambda p: p.terms[-1][0]))

    def _positive(self, store: Reference) -> Iterator[Poly]:
        """Yield the facts `parameter - 1 >= 0` that hold where an element is stored.

        L9. For a >= 0, a * b >= 1 implies b >= 1. An index that is executed isn't negative.
        """
        facts = (*store.facts, store.index)
        for atom in {a for f in facts for a in f.atoms if a.uniform and a.low is None}:
            size = variable(atom)
            products = (divide(f + ONE, size) for f in facts)
            if holds(size - ONE, facts, self.facts_.atoms) or any(
                p is not None and holds(p, facts, self.facts_.atoms) for p in products
            ):
                yield size - ONE

    # ---- elements that a store makes its thread's own ------------------------

    def mirrored(self, reads: Sequence[tuple[Stmt, Reference]]) -> Place | None:
        """Find a store at the same index that every thread executing one of the reads executes.

        Two threads that overlap in x[e] and store y[e] too would race on y[e]. Iterations of loops
        around only one of them are matched with each other: each d in x[4 * i + d] has its
        y[4 * i + d].
        """
        begin, first = reads[0][0], reads[0][1].index
        for array in dict.fromkeys(p.sym for _, p in self.stores):
            if not self.one_each(array):
                continue
            places = [(s, p) for s, p in self._stores(array) if not self._again(s)]
            if self._phased and len({s for s, _ in places}) > 1:
                continue  # a barrier may lie between them
            stores = [(s, p, r) for s, p in places for r in self.references(s, p)]
            for stored, place, store in stores:
                put = aligned(self.facts_, stored, begin)
                shift = store.index.with_values(put) - first
                if shift.is_uniform and all(
                    any(self._stores_beside(s, r, stmt, read, shift) for s, _, r in stores)
                    for stmt, read in reads
                ):
                    return place
        return None

    def _stores_beside(self, stored: Stmt, store: Reference, stmt: Stmt, read: Reference, by: Poly) -> bool:
        """Whether a thread that reads an element stores the one at this distance from it."""
        put = aligned(self.facts_, stored, stmt)
        return store.index.with_values(put) == read.index + by and follows(
            self.facts_, stored, stmt, read, self.threads, put
        )


def _dimensions(coordinates: Iterable[Atom]) -> int:
    axes = {a.name[-1] for a in coordinates}
    return 3 if "z" in axes else 2 if "y" in axes else 1
