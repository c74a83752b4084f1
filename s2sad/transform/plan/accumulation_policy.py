"""How adjoints of arrays are accumulated: the access analysis, queried for this kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from ...analysis.access import global_access
from ...analysis.access.assumptions import Assumptions
from ...analysis.access.global_access import Site, Verdict
from ...analysis.access.halos import Edge
from ...analysis.access.index_provenance import Given
from ...analysis.access.shared_access import Sharing
from ...analysis.access.shared_extents import extent
from ...analysis.access.store_order import StoreOrder
from ...analysis.access.tile_distribution import Dealt
from ...analysis.activity import is_real
from ...analysis.function_attributes import alike
from ...analysis.ssa import Loop, Scope, Versions, loads, operands, targets
from ...analysis.ssa_construction import survey
from ...analysis.symbolic.inequalities import holds
from ...analysis.symbolic.polynomials import number, variable
from ...analysis.threads import warp_uniformity as lanes
from ...analysis.threads.block_uniformity import uniform
from ...analysis.threads.uniform_guards import Even
from ...diagnostics import Diagnostic
from ...ir import (
    INT,
    AddressOf,
    Array,
    Assign,
    Barrier,
    Call,
    Const,
    Declare,
    Expr,
    Function,
    If,
    LoopId,
    Place,
    Pointer,
    Program,
    Scalar,
    Stmt,
    Sym,
    collective,
    statements,
    walk,
)
from ...options import Assumption
from ..common.first_thread import BLOCKS, FirstThread, NotFirst
from ..common.thread_ownership import Own
from ..common.thread_rows import Rows
from .accumulation_verdicts import Verdicts, of_many
from .check_launch import extents
from .facts import Facts
from .partials import Add
from .shuffles import Ways


@dataclass(frozen=True)
class SharedWriters:
    """Two threads might store to one element; some stores race unless each of `alone` has one value only."""

    alone: frozenset[str]
    problems: tuple[Diagnostic, ...]


def touched(
    function: Function, functions: Mapping[str, Function] = {}
) -> tuple[frozenset[Sym], frozenset[Sym]]:
    """The arrays and parameters that a kernel reads, and those that it writes.

    `functions` are the device functions that it calls; accesses through their arguments count too.
    """
    read: set[Sym] = set()
    written: set[Sym] = set()
    for stmt in statements(function.body):
        passed: list[Place] = []
        for expr in operands(stmt):
            read.update(place.sym for place in loads(expr))
            for call in walk(expr):
                if not isinstance(call, Call) or call.callee is None or call.callee not in functions:
                    continue
                callee = functions[call.callee]
                reads, writes = touched(callee, functions)
                read |= _of_the_file(callee, reads)
                written |= _of_the_file(callee, writes)
                for param, arg in zip(callee.syms, call.args, strict=False):
                    if isinstance(arg, AddressOf):
                        passed.append(arg.place)
                        read.update({arg.place.sym} if param in reads else ())
                        written.update({arg.place.sym} if param in writes else ())
        written.update(t.sym for t in targets(stmt) if not any(t is p for p in passed))
        if isinstance(stmt, Declare) and stmt.sym.storage == "tape":  # of an adjoint that is a primal now
            tapes = {s for s in function.syms if isinstance(s.type, Pointer) and not is_real(s.type)}
            written.update(sym for e in operands(stmt) for sym in e.symbols if sym in tapes)
    return frozenset(read), frozenset(written)


def _of_the_file(function: Function, found: Iterable[Sym]) -> set[Sym]:
    """Those that aren't the function's own parameters: file-scope variables."""
    return {s for s in found if s.storage == "parameter" and s not in function.syms}


class Ownership:
    """Which sites may accumulate without atomics; `judge` first collects the sites."""

    def __init__(
        self,
        program: Program,
        body: Function,
        assume: Iterable[Assumption],
        ordered: bool = False,
        alone: frozenset[str] = frozenset(),
    ) -> None:
        """`ordered`: results may not depend on thread order, so adjoints may not be exchanged.

        `alone`: coordinates that must be zero in the launch, or threads would race; the adjoint checks it.
        """
        self.assumed = tuple(assume)
        self.ordered = ordered
        self.alone = alone
        self.given = Given(body, program.functions)
        self.alike = alike(program.functions)
        assumed = Assumptions.of(map(str, self.assumed))
        self._orders: dict[Versions, StoreOrder] = {}
        self._surveyed = partial(
            global_access.survey, assumptions=assumed, functions=program.functions, alone=alone
        )
        self.access = self._surveyed(body)
        if (
            any(map(_meets, body.body))
            and lanes.survey(survey(body), self.access.dimensions, self.alike).aligned
        ):
            self.access = global_access.survey(body, assumed, program.functions, True, alone)
        self.whole_warps = False  # whether a proof needs the rows of a block to be whole warps
        self._of_rows = partial(global_access.survey, body, assumed, program.functions, True, alone)
        self.extents = extents(self.assumed, body.syms)
        self.sharing: Sharing | None = None
        if any(_shares(s) for s in body.body):
            versions = survey(body)
            self.sharing = Sharing(self.access, versions, uniform(versions, self.alike))
            self.sharing.refuse_divergent_barriers()

    @property
    def even(self) -> tuple[Even, ...]:
        """What the launch must satisfy for all threads of a block to reach the same barriers."""
        found = () if self.sharing is None else self.sharing.uniform.even.values()
        return tuple(dict.fromkeys(e for evens in found for e in evens))

    @property
    def in_step(self) -> frozenset[LoopId]:
        """The loops that all threads of a block run as often only since the launch satisfies `even`."""
        blocks = () if self.sharing is None else self.sharing.uniform.even
        return frozenset(stmt.id for stmt in blocks if isinstance(stmt, Loop))

    def stored_once(self, sym: Sym) -> bool:
        return self.access.stored_once(sym)

    @cached_property
    def exchanged(self) -> frozenset[Sym]:
        """The arrays through which threads may exchange values."""
        return frozenset() if self.sharing is None else self.sharing.exchanged

    def filled(self, loop: Loop, array: Sym) -> bool:
        """Whether what an iteration of a loop reads of a shared array was stored in that iteration.

        At least if all stores come before all reads. The loop may have been rewritten since the survey.
        """
        sharing = self.sharing
        surveyed = None if sharing is None else sharing.loop(loop.id)
        if sharing is None or surveyed is None:
            return False
        return sharing.filled(surveyed, array) or sharing.refills(surveyed, array)

    def final(
        self, versions: Versions, store: Stmt, target: Place, stmt: Stmt, place: Place, home: Scope
    ) -> bool:
        """Whether a store, by any thread, leaves the element that a statement has read before it.

        In one iteration of the loops around `home`. The kernel may have been rewritten since the survey.
        """
        if versions not in self._orders:
            self._orders[versions] = StoreOrder(self._surveyed(versions.function).facts_, versions)
        return self._orders[versions].final(store, target, stmt, place, home)

    @cached_property
    def stored_once_in_shared(self) -> frozenset[Sym]:
        """The shared arrays each of whose elements is stored at most once."""
        if self.sharing is None:
            return frozenset()
        shared = [s for s in self.sharing.exchanged if s.storage == "shared"]
        return frozenset(s for s in shared if self.sharing.stored_once(s))

    @cached_property
    def contested(self) -> frozenset[Sym]:
        """The arrays whose adjoints are exchanged at their stores: the launch determines the indices.

        No two threads store one element, since the primal has no race, but no lemma proves it.
        Nothing else relies on it: if two threads store the same value, one of them takes the
        adjoint, and every contribution to it is atomic.
        """
        if self.ordered:
            return frozenset()
        body = self.access.kernel.body
        stored = dict.fromkeys(s.target.sym for s in statements(body) if isinstance(s, Assign))
        found = set[Sym]()
        for sym in stored:
            if not (of_many(sym) and _exchangeable(sym)):
                continue
            if sym.storage == "shared" and self.sharing:
                contested = self.sharing.contested(sym, self.given)
            else:
                agreed = None if self.sharing is None else self.sharing.agreed
                contested = self.access.contested(sym, self.given, agreed)
            if contested:
                found.add(sym)
        return frozenset(found)

    def extent(self, array: Sym) -> Expr:
        """The number of elements of a shared array in use, where the launch sets its size."""
        return extent(self.access, array)

    def shared_writers(self, arrays: Iterable[Sym]) -> SharedWriters | None:
        """Which of these arrays with an adjoint may have an element stored by two threads; None if none has.

        For a 1-D launch, the proof may require blocks of whole warps (`whole_warps`).
        """
        arrays = list(arrays)
        problems, alone = self._shared_writers(arrays)
        if problems and self.sharing is None and self.access.dimensions == 1:
            before, self.access = self.access, self._of_rows()
            proved, _ = self._shared_writers(arrays)
            self.whole_warps = not proved
            if proved:
                self.access = before
                ordered = [p for p in proved if str(p.values.get("assumption")).startswith("sorted:")]
                problems = ordered if len(ordered) == len(proved) else problems
            else:
                problems = []
        return SharedWriters(alone, tuple(problems)) if problems else None

    def _shared_writers(self, arrays: Iterable[Sym]) -> tuple[list[Diagnostic], frozenset[str]]:
        """The refusals, and the coordinates that must have one value only where they don't hold."""
        problems: list[Diagnostic] = []
        alone: list[frozenset[str] | None] = []
        for sym in arrays:
            judged = self.sharing if sym.storage == "shared" and self.sharing else self.access
            problem = judged.store_problem(sym)
            if problem is None:
                continue
            problems.append(problem)
            if sym.storage == "shared" and self.sharing:
                alone.append(self.sharing.alone(sym, self.given))
            else:
                agreed = None if self.sharing is None else self.sharing.agreed
                alone.append(self.access.alone(sym, self.given, agreed))
        return problems, frozenset[str]().union(*(n for n in alone if n is not None))

    def judge(self, facts: Facts) -> Verdicts:
        """How each array's adjoint is accumulated, judged from all sites in the reverse sweep."""
        sites: dict[Sym, list[Site]] = {}
        places: dict[Sym, dict[Stmt, Place]] = {}
        taken: dict[Sym, list[Place]] = {}
        for stmt, debts in facts.debts.of.items():
            for owed in debts:
                for item in (*owed.items, *owed.own):
                    if isinstance(item, Add) and of_many(item.place.sym):
                        if item in owed.own:
                            continue
                        sites.setdefault(item.place.sym, []).append(Site(stmt, item.place, "read"))
                        places.setdefault(item.place.sym, {}).setdefault(stmt, item.place)
                if owed.exchanged:
                    taken.setdefault(owed.target.sym, []).append(owed.target)
                if of_many(owed.target.sym):
                    sites.setdefault(owed.target.sym, []).append(Site(stmt, owed.target, "store"))
        plain: dict[Sym, Verdict] = {}
        phased: dict[Sym, Mapping[tuple[Stmt, Place], Verdict]] = {}
        once: dict[Sym, list[Place]] = {}
        dealt: dict[Sym, Dealt] = {}
        edges: dict[Sym, tuple[Edge, ...]] = {}
        covered: list[Sym] = []
        for sym, found in sites.items():
            if sym in facts.known.contested:
                atomic = Verdict("atomic", "several threads may store the same element")
                phased[sym] = {(s.stmt, s.place): atomic for s in found if s.kind == "read"}
                once[sym] = [s.place for s in found if s.kind == "store"]
            elif sym.storage == "shared":
                assert self.sharing is not None
                phased[sym] = self.sharing.ownership(sym, found)
            elif any(s.kind == "read" for s in found):
                plain[sym] = self.access.ownership(sym, found)
                if plain[sym].how != "atomic":
                    continue
                if self.access.covered(sym, found, self.sizes):
                    covered.append(sym)
                if self.sizes or self.ordered:
                    shared_out = self.access.dealt(sym, found)
                    dealt |= {} if shared_out is None else {sym: shared_out}
                if shared := self.access.edges(sym, found):
                    edges[sym] = shared
        reads = {sym: [(s.stmt, s.place) for s in found if s.kind == "read"] for sym, found in sites.items()}
        return Verdicts(plain, phased, places, once, taken, tuple(covered), dealt, edges, self.sizes, reads)

    @property
    def sizes(self) -> tuple[str, ...]:
        """The sizes that the launch is declared to cover, by name."""
        return next((tuple(a.what.split(":")) for a in self.assumed[::-1] if a.kind == "covers"), ())

    # ---- rows of threads ----------------------------------------------------

    def rows(self, array: Sym, places: Mapping[Stmt, Place]) -> Rows | None:
        """How threads map to a shared array that those of a row read equally often; None if unknown.

        Considers only the reads that all threads of the block reach, or the first one if any does.
        """
        if self.sharing is None:
            return None
        sites = {s: p for s, p in places.items() if self._by_rows(s)}
        if not sites:
            return None
        stores: list[Place] = []
        for stmt in statements(self.access.kernel.body):
            for expr in operands(stmt):
                for part in walk(expr):
                    if isinstance(part, AddressOf) and part.place.sym is array:
                        return None
                    if isinstance(part, Place) and part.sym is array and not part.index:
                        return None
            stores += [t for t in targets(stmt) if t.sym is array]
        if not stores or not isinstance(array.type, Array):
            return None
        axes = []
        for k in range(len(array.type.extents)):
            named = {self._own.named(t.index[k]) for t in stores}
            axes.append(named.pop() if len(named) == 1 else "")
        widths = {axis: width for axis in "xyz" if (width := self._width(axis, sites)) is not None}
        return Rows(tuple(axes), widths, frozenset(sites))

    @cached_property
    def _own(self) -> Own:
        return Own(self.access.kernel.body, self.access.block_dimensions)

    @cached_property
    def _first(self) -> FirstThread:
        return FirstThread(self.access.kernel.body)

    def _by_rows(self, stmt: Stmt) -> bool:
        """Whether all threads of the block reach a statement, or the first one if any does."""
        assert self.sharing is not None
        parting = self.sharing.uniform.parting
        for scope in self.sharing.v.scope_of[stmt].outwards():
            if isinstance(scope.owner, If):
                if scope.role != "then" or not self._by_first(scope.owner.cond):
                    return False
            elif scope.owner is not None and (scope.loop is None or scope.loop in parting):
                return False
        return True

    def _by_first(self, cond: Expr) -> bool:
        """Whether a condition that holds for a thread of a block holds for the first one, too."""
        try:
            self._first.condition(cond, BLOCKS)
        except NotFirst:
            return False
        return True

    def _width(self, axis: str, sites: Mapping[Stmt, Place]) -> Const | None:
        """An upper bound of a coordinate of the threads that reach these places.

        The smallest extent of a shared array that is indexed by the coordinate and bounds it (L18).
        """
        found = [a for a in self.access.coordinates if a.name == f"threadIdx.{axis}"]
        known = [r.facts for stmt, place in sites.items() for r in self.access.references(stmt, place)]
        extents: dict[int, Const] = {}
        for stmt in statements(self.access.kernel.body):
            for target in targets(stmt):
                kind = target.sym.type
                if target.sym.storage != "shared" or not isinstance(kind, Array) or kind.open:
                    continue
                for k, (e, size) in enumerate(zip(target.index, kind.extents, strict=False)):
                    if self._own.named(e) == axis:
                        said = kind.spelled[k] if kind.spelled else ""
                        extents.setdefault(size, Const(size, INT, spelling=said or None))
        for size in sorted(extents):
            inside = [number(size - 1) - variable(atom) for atom in found]
            if inside and all(holds(inside[0], facts, self.access.facts_.atoms) for facts in known):
                return extents[size]
        return None


def _exchangeable(sym: Sym) -> bool:
    """Whether an element's adjoint can be exchanged atomically: not for half precision."""
    held = sym.type.target if isinstance(sym.type, Pointer) else sym.type
    element = held.element if isinstance(held, Array) else held
    return isinstance(element, Scalar) and element.name in ("float", "double")


def _meets(stmt: Stmt) -> bool:
    """Whether a statement synchronizes the lanes of a warp."""
    return any(collective(s) or (isinstance(s, Barrier) and s.warp) for s in statements((stmt,)))


def _shares(stmt: Stmt) -> bool:
    """Whether threads exchange values through memory."""
    return any(
        isinstance(s, Barrier) or (isinstance(s, Declare) and s.sym.storage == "shared")
        for s in statements((stmt,))
    )


def evens(ownership: Ownership, ways: Ways | None) -> tuple[Even, ...]:
    """What the launch must satisfy for guards not to split a block or warp that synchronizes."""
    lanes = () if ways is None else ways.warps.even.values()
    return tuple(dict.fromkeys((*ownership.even, *(e for found in lanes for e in found))))
