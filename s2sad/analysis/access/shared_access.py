"""Accesses of shared memory by threads, in each barrier interval.

The reverse sweep has the primal's barriers in opposite order, so the statements that may run
at the same time there are those that may do so in the primal. Within one such phase a
store and any other access of one element are one thread's, since the primal has no
races. Pairs of reads remain: their increments are plain if no two threads of a block
overlap in one element, through either site, in any iteration that the phase
contains; else both are atomic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...ir import (
    Array,
    Assign,
    Barrier,
    Binary,
    Cast,
    Const,
    Declare,
    Expr,
    LoopId,
    Place,
    Pointer,
    Stmt,
    Sym,
    walk,
)
from ..atomics import updated
from ..loops.invariant_stores import fixed_in
from ..ssa import Loop, Scope, Version, Versions, loads, operands, scalars, targets
from ..symbolic.polynomials import ZERO, Atom, Division, Load, Poly, linear, number
from ..threads import warp_uniformity
from ..threads.barrier_intervals import Loops, Phases
from ..threads.block_uniformity import Uniform, meetings
from ..threads.uniform_stores import Agreement
from . import accumulation_reasons, injectivity
from .access_relations import Reference
from .accumulation_reasons import text_of
from .delinearisation import Question, decided
from .determined_coordinates import alone, mentions, unmentioned
from .dominance import follows, once, within
from .global_access import Access, Site, Verdict
from .index_provenance import Given
from .injectivity import different, implied

Key = tuple[Stmt, Place]

APART = 6
"""The number of overlapping places beyond which barriers between them cost more than atomics."""


class Sharing:
    """The access analysis of one kernel in tail form."""

    def __init__(self, access: Access, versions: Versions, uniform: Uniform) -> None:
        self.access = access
        self.facts = access.facts_
        self.v = versions
        self.phases = Phases(versions)
        self._ordered = Phases(versions, warps=True)
        self.uniform = uniform
        self.agreed = Agreement(uniform, self.phases, self._lanes)
        self._questions: dict[Loops, Question] = {}
        self._verdicts: dict[tuple[Reference, int], bool] = {}
        self._loops = {loop.id: loop for loop in versions.loops}

    def _lanes(self) -> warp_uniformity.Lanes | None:
        if not warp_uniformity.meetings(self.v):
            return None
        return warp_uniformity.survey(self.v, self.access.dimensions, self.uniform.alike).of()

    def refuse_divergent_barriers(self) -> None:
        """Raise Rejected if threads of a block may not reach a barrier together."""
        wrong = []
        for barrier in meetings(self.v):
            parting = self.uniform.apart(self.v.scope_of[barrier])
            if parting is not None:
                span = getattr(parting, "span", None)
                where = f"`{span.words}` on line {span.line}" if span else "the condition"
                why = f"threads may diverge at {where}"
                wrong.append(diagnose(Code.DIVERGENT_BARRIER, getattr(barrier, "span", None), why=why))
        if wrong:
            raise Rejected(*wrong)

    @property
    def exchanged(self) -> frozenset[Sym]:
        """Arrays through which threads of a block may exchange values.

        Shared ones; and with barriers, those in global memory that the kernel stores to, unless one
        thread alone accesses each element.
        """
        found = {s.sym for s in self.v.order if isinstance(s, Declare) and s.sym.storage == "shared"}
        if any(isinstance(s, Barrier) for s in self.v.order):
            stored = {t.sym for s in self.v.order for t in targets(s) if isinstance(t.sym.type, Pointer)}
            added = updated(self.v.function.body)  # no thread in the launch reads their values
            found |= {sym for sym in stored - added if not self._alone(sym)}
        return frozenset(found)

    def _alone(self, array: Sym) -> bool:
        """Whether one thread alone accesses each element, in the whole launch."""
        places = [(s, p) for s, p in self.facts.order if p.sym is array]
        references = [r for s, p in places for r in self.access.references(s, p)]
        return injectivity.apart(references, self.access.threads) is None

    # ---- increments --------------------------------------------------------

    def ownership(self, array: Sym, sites: Sequence[Site]) -> dict[Key, Verdict]:
        """Decide how the increments at each place where an array is read are added."""
        reads = [s for s in sites if s.kind == "read" and s.place.sym is array]
        meeting: dict[Key, list[tuple[Key, str]]] = {(s.stmt, s.place): [] for s in reads}
        together: dict[Key, set[Key]] = {key: {key} for key in meeting}
        for k, one in enumerate(reads):
            for two in reads[k:]:
                here, there = (one.stmt, one.place), (two.stmt, two.place)
                if together[here] is together[there] and len(together[here]) > APART:
                    continue  # nothing more depends on it: both are atomic, with a known reason
                if (why := self.meet(one, two)) is not None:
                    meeting[here].append((there, why))
                    meeting[there].append((here, why))
                    both = together[here] | together[there]
                    together.update(dict.fromkeys(both, both))
        found = {key: self._decided(key, meeting) for key in meeting}
        if all(one.how == "owner" for one in found.values()) or not self.private(array):
            return found
        return dict.fromkeys(found, Verdict("owner", "one thread per element: no barrier between accesses"))

    def private(self, array: Sym) -> bool:
        """Whether each element of a shared array is one thread's own: no barrier divides its accesses.

        L41. An element that a thread reads was stored by a thread of its block. If no barrier of the
        block or of a warp lies between any two accesses of the array, on any path, these two are the
        same thread, or the primal would race; and so are any two that store it. Indices don't matter.
        """
        touching = [s for s in self.v.order if any(array in e.symbols for e in (*operands(s), *targets(s)))]
        segments = {self._ordered.segment.get(stmt) for stmt in touching}
        return len(segments) == 1 and None not in segments and not self._ordered.loops(touching[0])

    def _decided(self, key: Key, meeting: Mapping[Key, Sequence[tuple[Key, str]]]) -> Verdict:
        """Return plain, if the place overlaps nothing; in phases, if it overlaps only few other places.

        L17. Of the threads of a block, all in one iteration of each loop around s[f], no two are at one
        element. With a barrier between any two iterations, in loops that all threads run together, and
        between any two such places, only threads between the same two barriers could overlap.
        """
        if not meeting[key]:
            return Verdict("owner", "one thread per element between two barriers")
        together, todo = {key}, [key]
        while todo:
            for other, _ in meeting[todo.pop()]:
                if other not in together:
                    together.add(other)
                    todo.append(other)
        again = [place for place in together if any(other == place for other, _ in meeting[place])]
        if len(together) <= APART and all(map(self._once_an_iteration, again)):
            if not again:
                why = "one thread per element in each access; barriers separate the accesses"
            elif len(together) == 1:
                why = "one thread per element in each iteration; barriers separate the iterations"
            else:
                why = "one thread per element in each access and iteration; barriers separate them"
            return Verdict("phase", why)
        return Verdict("atomic", meeting[key][0][1])

    def _once_an_iteration(self, key: Key) -> bool:
        """Whether no two threads overlap at a place, if all are in one iteration of each loop around it.

        All threads must run these loops equally often, as the barriers will be inside them.
        """
        stmt, place = key
        loops = self.v.loops_between(self.v.root, self.v.scope_of[stmt])
        if not loops or any(loop in self.uniform.parting for loop in loops):
            return False
        site = Site(stmt, place, "read")
        return self.meet(site, site, frozenset(loops)) is None

    def meet(self, one: Site, two: Site, fixed: Loops | None = None) -> str | None:
        """Return how two threads may add to one element at these two sites, or None if they don't.

        `fixed`: the loops in whose same iteration both are, if not those given by the barriers.
        """
        fixed = self.phases.together(one.stmt, two.stmt) if fixed is None else fixed
        if fixed is None:
            return None
        question = self.question(fixed)
        for a in self.access.references(one.stmt, one.place):
            for b in self.access.references(two.stmt, two.place):
                if not different(a, b, question) and not self.would_race(one, a, two, b, question):
                    found = [(text_of(one.place), a), (text_of(two.place), b)]
                    here = frozenset(c for c in self.access.coordinates if question.key(c))
                    return accumulation_reasons.shared(found, a, b, here)
        return None

    def would_race(self, one: Site, a: Reference, two: Site, b: Reference, question: Question) -> bool:
        """Whether two threads that overlap at these sites would also store to one element, unordered.

        L13. Where each thread that reads s[f] stores s[f + c] as well, with no barrier between and
        c the same for all of them, two threads that met in s[f] would meet in s[f + c].
        """
        segment = self._ordered.segment
        if segment[one.stmt] != segment[two.stmt]:
            return False
        for store, place in self.facts.order:
            if not isinstance(store, Assign) or store.target != place or segment[store] != segment[one.stmt]:
                continue
            stored = tuple(dict.fromkeys(self.access.references(store, place)))
            if len(stored) != 1 or not self._exclusive(stored[0], question):
                continue  # several threads may store the same value, which is no race
            shift = stored[0].index - a.index
            if (
                shift == stored[0].index - b.index
                and all(question.fixed(atom) for atom in shift.atoms)
                and follows(self.facts, store, one.stmt, a, question)
                and follows(self.facts, store, two.stmt, b, question)
            ):
                return True
        return False

    # ---- stores ------------------------------------------------------------

    def store_problem(self, array: Sym) -> Diagnostic | None:
        """Report why two threads might store to one element at the same time, if nothing excludes it.

        Two threads that store to one element between two barriers are a race, unless they store the
        same value: if the index doesn't depend on the thread.
        """
        unproved = [
            (store, place, reference, self.question(frozenset(self.phases.loops(store))))
            for store, place, reference in self._unproved(array)
        ]
        return accumulation_reasons.shared_writer(array, unproved) if unproved else None

    def contested(self, array: Sym, given: Given) -> bool:
        """Whether only the launch ensures that no two threads of a block store to one element."""
        threads = frozenset(a.name for a in self.access.seen if a.name.startswith("threadIdx"))
        found = dict.fromkeys(store for store, _, _ in self._unproved(array))
        return bool(found) and all(
            given.tells(store, threads, self.agreed) or self._by_warps(store) for store in found
        )

    def _by_warps(self, store: Assign) -> bool:
        """Whether the lanes of a warp make the same store, and other warps would race with them."""
        question = self.question(frozenset(self.phases.loops(store)))
        here = frozenset(a for a in self.access.seen if question.key(a))
        return self.agreed.in_warp(store) and all(
            unmentioned(r, question, here, by_warp=True) == frozenset()
            for r in self.access.references(store, store.target)
        )

    def alone(self, array: Sym, given: Given) -> frozenset[str] | None:
        """Return the coordinates that must have extent one, or threads race at stores without a proof."""
        unproved = [
            (store, reference, self.question(frozenset(self.phases.loops(store))))
            for store, _, reference in self._unproved(array)
        ]
        return alone(unproved, self.access.seen, given, self.agreed)

    def _unproved(self, array: Sym) -> Iterator[tuple[Assign, Place, Reference]]:
        """Yield stores to an array for which neither a proof nor a race excludes overlap of two threads."""
        if self.access.assumptions.distinct(array):
            return
        for store, place in self.facts.order:
            if not isinstance(store, Assign) or store.target != place or place.sym is not array:
                continue
            question = self.question(frozenset(self.phases.loops(store)))
            for reference in self.access.references(store, place):
                if not self._exclusive(reference, question):
                    yield store, place, reference

    def stored_once(self, array: Sym) -> bool:
        """Whether each element of a shared array is stored once at most, so that nothing needs a clear."""
        stores = [
            (s, p) for s, p in self.facts.order if isinstance(s, Assign) and s.target == p and p.sym is array
        ]
        for k, (store, place) in enumerate(stores):
            if self._ordered.loops(store):
                return False
            for other, two in stores[: k + 1]:
                here, there = self.access.references(store, place), self.access.references(other, two)
                question = self.question(self.phases.together(store, other) or frozenset())
                alone = other is store or self._ordered.together(store, other) is not None
                for a in here:
                    for b in there:
                        if not once(self.facts, store, a, other, b):
                            return False  # one thread may store it twice
                        if not alone and not different(a, b, question):
                            return False  # after a barrier, another thread may
        return bool(stores)

    def _exclusive(self, reference: Reference, question: Question) -> bool:
        """Whether one thread stores an element: by a lemma, or because two would race."""
        key = reference, id(question)
        if key not in self._verdicts:
            here = frozenset(a for a in self.access.seen if question.key(a))
            settled = decided(reference, self.facts.atoms)
            alone = different(reference, reference, question) or mentions(settled, question, here)
            self._verdicts[key] = alone
        return self._verdicts[key]

    def loop(self, known_as: LoopId) -> Loop | None:
        """Return a loop of the kernel; None if it is of another function."""
        return self._loops.get(known_as)

    def filled(self, loop: Loop, array: Sym) -> bool:
        """Whether each element that an iteration of a loop reads was stored in that iteration.

        L15. All stores go to s[f(t) + c], under G(f(t)), f and c the same in all iterations, c for all
        threads; s[e] is read only where G(e - c) holds. Then e is stored by threads with f(t) = e - c
        alone. There is one, since e was stored at all; and it stores e in each iteration in which e is
        read. A block of two dimensions fills a tile by f(t) = threadIdx.y * 16 + threadIdx.x. Of several
        stores, G is that of any that may have stored e.
        """
        places = [(s, p) for s, p in self.facts.order if p.sym is array]
        stores = [(s, p) for s, p in places if isinstance(s, Assign) and s.target == p]
        if not stores or any(isinstance(s, Assign) and s.op is not None for s, _ in stores):
            return False
        reads = [r for s, p in places if (s, p) not in stores for r in self.access.references(s, p)]
        for store, place in stores:
            if loop not in self.phases.loops(store) or len(set(self.access.references(store, place))) != 1:
                return False
            question = self.question(frozenset(self.phases.loops(store)))
            needs = within(self.facts, store, loop)
            (index,) = {r.index for r in self.access.references(store, place)}
            put = self._put(index, question)
            if needs is None or put is None:
                return False
            met = [r for r in reads if not _never_alike(index, r.index)]
            for need in needs:
                of = put.condition(need)
                if of is None or not all(implied(of(r.index), r.facts, question) for r in met):
                    return False
        return True

    def _put(self, index: Poly, question: Question) -> _Put | None:
        """Return where a store goes, if each thread stores to the same element in all iterations."""
        stored = linear(index, question.key)
        if stored is None or not stored[0]:
            return None
        keys, rest = stored
        of_block = all(a.name.startswith("threadIdx") for a in keys)
        steady = all(map(self.question(frozenset()).fixed, rest.atoms))
        found = {a: p.constant for a, p in keys.items()}
        factors = {a: c for a, c in found.items() if c is not None}
        if not of_block or not steady or len(factors) < len(found):
            return None
        return _Put(factors, rest, question)

    def refills(self, loop: Loop, array: Sym) -> bool:
        """Whether each iteration of a loop stores every element of one slot that it can read, and only that.

        L42. All accesses of an array are in the loop's body, at s[q][e] with one q for all threads and
        accesses of an iteration. If a store's e, and whether it runs, are the same in all iterations, then
        the iterations of one q store the same elements. So if all stores come before all reads, an element
        of slot q that was ever stored is stored in each iteration that reads slot q.
        """
        (body,) = self.v.inside[loop]
        places = [(s, p) for s, p in self.facts.order if p.sym is array]
        if not all(self.v.scope_of[stmt].within(body) for stmt, _ in places):
            return False
        dimensions = len(array.type.extents) if isinstance(array.type, Array) else 0
        slot = [d for d in range(dimensions) if self._one_in(body, [(s, p, d) for s, p in places])]
        stores = [s for s, p in places if isinstance(s, Assign) and s.target == p]
        return bool(slot) and all(fixed_in(self.v, store, body, slot) for store in stores)

    def _one_in(self, body: Scope, indices: Sequence[tuple[Stmt, Place, int]]) -> bool:
        """Whether an index is one number in each iteration: for all threads and at all these places."""
        found: set[tuple[Expr, tuple[Version | None, ...]]] = set()
        for stmt, place, d in indices:
            if d >= len(place.index):
                return False
            index = place.index[d]
            read = tuple(self.v.read(stmt, sym) for sym in scalars(index))
            if not all(isinstance(e, Const | Place | Binary | Cast) for e in walk(index)) or any(
                loads(index)
            ):
                return False
            for version in read:
                if version is None or self.uniform.of(version) == "apart":
                    return False
                if version.scope.within(body) and version.scope is not body:
                    return False
            found.add((index, read))
        return len(found) == 1

    # ---- the block's threads -----------------------------------------------

    def question(self, loops: Loops) -> Question:
        """Ask whether two threads of a block, in the same iterations of `loops`, may access one element."""
        if loops not in self._questions:
            alike = self._alike(loops)

            def fixed(atom: Atom) -> bool:
                match atom.origin:
                    case Load(_, index):
                        return atom.uniform or all(fixed(a) for a in index.atoms)
                    case Division(_, dividend, divisor):
                        return all(fixed(a) for p in (dividend, divisor) for a in p.atoms)
                    case _:
                        return atom.uniform or atom in alike or atom.name.startswith("blockIdx")

            def key(atom: Atom) -> bool:
                return atom.scope == "position" and not fixed(atom)

            required = tuple(
                dict.fromkeys(
                    part
                    for form in self.access.forms
                    if (part := form.only(lambda m: any(key(a) for a in m))) != Poly()
                )
            )
            known = frozenset(
                s for s in self.access.kernel.syms if s.name in self.access.assumptions.injective
            )
            self._questions[loops] = Question(self.facts.atoms, key, fixed, required, known)
        return self._questions[loops]

    def _alike(self, loops: Loops) -> frozenset[Atom]:
        """Return the atoms uniform across a block in one iteration of these loops."""
        found: set[Atom] = set()
        for loop in loops:
            heads = self.v.heads[loop]
            for atom, sym in self.facts.heads.get(loop, {}).items():
                if sym is None or (sym in heads and self.uniform.of(heads[sym]) != "apart"):
                    found.add(atom)
        return frozenset(found)


@dataclass(frozen=True)
class _Put:
    """A store to the element `rest` + the sum of `factors[a] * a` over coordinates a of the thread."""

    factors: Mapping[Atom, int]
    rest: Poly
    question: Question

    def condition(self, need: Poly) -> Callable[[Poly], Poly] | None:
        """Return a condition of the store as one on the element; None if it says more of the thread."""
        if not all(a in self.factors or self.question.fixed(a) for a in need.atoms):
            return None
        (first, one), *others = self.factors.items()
        if one == 1 and not others:
            return lambda element: need.with_values({first: element - self.rest})
        given = linear(need, self.question.key)
        part = None if given is None else given[0].get(first, ZERO).constant
        if given is None or part is None:
            return None
        by, times = abs(one) // gcd(one, part), part * (1 if one > 0 else -1) // gcd(one, part)
        if any(given[0].get(a, ZERO).scaled(by) != number(c * times) for a, c in self.factors.items()):
            return None
        return lambda element: given[1].scaled(by) + (element - self.rest).scaled(times)


def _never_alike(one: Poly, two: Poly) -> bool:
    """Whether two indices differ whatever their variables are, as even and odd numbers do."""
    step = gcd(*(c for p in (one, two) for monomial, c in p.terms if monomial))
    apart = (one - two).only(lambda monomial: not monomial).constant or 0
    return step > 0 and apart % step != 0
