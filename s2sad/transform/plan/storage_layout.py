"""Lay out the storage of recorded values: a register, a local array or a stretch of the tape for each value.

float s = x[i];                       tape_s[8]          s of each iteration, in registers
for (int k = 0; k < 8; ++k)           tape_t             t, in a register
    s = s * sinf(s);                  ...
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...analysis.constants import has_name
from ...analysis.ssa import Loop, Scope, Version
from ...analysis.tbr.equal_loads import equal_loads
from ...diagnostics import Code, Diagnostic, diagnose
from ...ir import (
    CHAR,
    INT,
    Array,
    Assign,
    Const,
    Declare,
    Expr,
    Place,
    Pointer,
    Scalar,
    Stmt,
    Sym,
    scalar_type,
)
from ..common.adjoint_names import loop_word, trips_of
from ..common.integer_expressions import extents_of
from .facts import Facts
from .tape_names import Wish, chosen, wish_for, with_target
from .tape_storage import SNAPSHOTS, Snapshots, Tape, local_type


@dataclass(frozen=True)
class Storage:
    """Where each recorded value is stored. Fields named `handed…` are what K_fwd passes to K_adj.

    `timed` trip counts and exits are recorded each time their loop has run. `refused` are unbounded
    loops, each with a value that would have to be recorded in it; if there is one, the rest is
    empty. `limited`: a user's bound is in use, and so is the overrun flag.
    """

    tapes: Mapping[Version, Tape] = field(default_factory=dict)
    loads: Mapping[tuple[Stmt, Place], Tape] = field(default_factory=dict)
    snapshots: Mapping[tuple[Loop, Sym], Snapshots] = field(default_factory=dict)
    stored: Mapping[Version, Tape] = field(default_factory=dict)
    trips: Mapping[Loop, Sym] = field(default_factory=dict)
    exits: Mapping[Loop, Sym] = field(default_factory=dict)
    strides: Mapping[Loop, Sym] = field(default_factory=dict)  # of loops that are re-run from snapshots
    handed: Mapping[Version, Tape] = field(default_factory=dict)
    handed_trips: Mapping[Loop, Tape] = field(default_factory=dict)
    handed_exits: Mapping[Loop, Tape] = field(default_factory=dict)
    handed_strides: Mapping[Loop, Tape] = field(default_factory=dict)
    handed_loops: frozenset[Loop] = frozenset()
    # the value that a variable had when the last iteration began, from which it is divided back
    last: Mapping[Version, Sym] = field(default_factory=dict)
    handed_last: Mapping[Version, Tape] = field(default_factory=dict)
    timed_trips: Mapping[Loop, Tape] = field(default_factory=dict)
    timed_exits: Mapping[Loop, Tape] = field(default_factory=dict)
    regions: tuple[Tape, ...] = ()
    parameter: Sym = field(default_factory=lambda: Sym("tape", Pointer(CHAR), "parameter"))
    overrun: Sym = field(default_factory=lambda: Sym("overrun", Pointer(INT)))
    limited: bool = False
    copies: Mapping[Version, str] = field(default_factory=dict)  # the names of values that are copied
    names: frozenset[str] = frozenset()  # in use, but for those of copies
    refused: tuple[tuple[Loop, Sym, Scalar], ...] = ()

    def problems(self) -> list[Diagnostic]:
        """Why values can't be recorded: one diagnostic per refused loop."""
        first = {loop: _unbounded(loop, sym, element) for loop, sym, element in reversed(self.refused)}
        return [first[loop] for loop in dict.fromkeys(loop for loop, _, _ in self.refused)]

    def addresses(self, threads: Sym) -> frozenset[Sym]:
        """The symbols that address a thread's words on the tape, declared once it is known which are read."""
        return frozenset((threads, self.overrun, *(region.sym for region in self.regions)))


def lay_out(facts: Facts, threads: Sym | None = None, split: bool = False) -> Storage:
    """Storage for everything in `facts.recorded`; without `threads` there is no tape in global memory."""
    asked = _Layout(facts, threads, split)
    asked.whole()  # for the names that it asks for: they are chosen together
    names = chosen(asked.wishes, (sym.name for sym in facts.versions.declared))
    return _Layout(facts, threads, split, names).whole()


class _Layout:
    """Builds a Storage; names are given and regions laid out in the order of the requests."""

    def __init__(self, facts: Facts, threads: Sym | None, split: bool, names: Sequence[str] = ()) -> None:
        self.facts = facts
        self.recorded, self.versions = facts.recorded, facts.versions
        self.threads = threads
        self.split = split
        self.names = names
        self.wishes: list[Wish] = []
        self.regions: list[Tape] = []
        self.limited = False
        self.refused: list[tuple[Loop, Sym, Scalar]] = []

    def whole(self) -> Storage:
        recorded, versions = self.recorded, self.versions
        tapes = {version: self.carried(version) for version in recorded.taped}
        loads: dict[tuple[Stmt, Place], Tape] = {}
        same = equal_loads(recorded, versions, self.facts.known.exchanged)
        for read in recorded.loads:
            first = same.get(read, read)
            if first not in loads:
                loads[first] = self.load(*first, recorded.loads[first])
            loads[read] = loads[first]
        snapshots = {
            (loop, sym): self.snapshots(sym, loop) for loop, syms in recorded.arrays.items() for sym in syms
        }
        stored: dict[Version, Tape] = {}
        for version, loop in recorded.stored.items():
            outer = versions.scope_of[loop]
            kind = scalar_type(version.sym)
            stored[version] = self.tape(version.sym, (loop,), outer, kind, self.over(outer), made=version)
        handed = {v: self.region(self.name(_handed(v)), v.sym, scalar_type(v.sym)) for v in recorded.handed}
        timed_trips = self.timed("trips", recorded.timed)
        timed_exits = self.timed("exit", [loop for loop in recorded.timed if loop in recorded.exits])
        if self.refused:
            return Storage(refused=tuple(self.refused))
        handed_loops = frozenset(
            loop for loop in versions.inside if isinstance(loop, Loop) and self.over(versions.scope_of[loop])
        )

        def number(name: str, loops: Iterable[Loop]) -> dict[Loop, Tape]:
            return {
                loop: self.region(self.name(_of_loop(name, loop)), None, INT)
                for loop in loops
                if loop in handed_loops
            }

        handed_trips = number("tape_trips", recorded.trips)
        handed_exits = number("tape_exit", recorded.exits)
        handed_strides = number("tape_stride", recorded.advances)
        last = {v: Sym(f"{v.sym.plain}_last", v.sym.type, of=v.sym) for v in recorded.undone}
        handed_last = {
            v: self.region(self.name(Wish(f"tape_{v.sym.plain}_last")), v.sym, scalar_type(v.sym))
            for v in recorded.undone
            if v.stmt in handed_loops
        }
        copies = {v: self.name(wish_for(v.sym, made=v)) for v in recorded.copies}
        used = {*self.names, *(sym.name for sym in versions.declared)}
        return Storage(
            tapes,
            loads,
            snapshots,
            stored,
            {loop: trips_of(loop) for loop in recorded.trips},
            {loop: Sym("left_by", INT) for loop in recorded.exits},
            {loop: Sym("stride", INT) for loop in recorded.advances},
            handed,
            handed_trips,
            handed_exits,
            handed_strides,
            handed_loops,
            last,
            handed_last,
            timed_trips,
            timed_exits,
            regions=tuple(self.regions),
            limited=self.limited,
            copies=copies,
            names=frozenset(used.difference(copies.values())),
        )

    def name(self, wish: Wish) -> str:
        """Return the name given for the next wish."""
        self.wishes.append(wish)
        return self.names[len(self.wishes) - 1] if self.names else wish.stem

    def over(self, scope: Scope) -> bool:
        """Whether what is recorded once in a scope is passed from K_fwd to K_adj."""
        return self.split and not scope.looped

    def carried(self, version: Version) -> Tape:
        """Storage for what a loop's iterations change: of each iteration, or of snapshots to restart from."""
        loop, outer = version.stmt, version.scope.parent
        assert isinstance(loop, Loop)
        assert outer is not None
        kind, over = scalar_type(version.sym), self.over(outer)
        if loop not in self.recorded.advances:
            return self.tape(version.sym, (loop,), outer, kind, over, stmt=loop)
        name = self.name(wish_for(version.sym, (loop,), stmt=loop, prefix="snapshot"))
        slots = (Const(SNAPSHOTS, INT),)
        if over:
            return self.region(name, version.sym, kind, (loop,), slots, outer)
        return Tape(Sym(name, Array(kind, (SNAPSHOTS,)), "tape"), (loop,), outer, kind, slots)

    def load(self, stmt: Stmt, place: Place, home: Scope) -> Tape:
        """Storage for an element that a statement reads and that is overwritten later."""
        loops = self.versions.loops_between(home, self.versions.scope_of[stmt])
        element = place.type
        assert isinstance(element, Scalar)
        over = self.split and place.sym.storage == "parameter"
        return self.tape(loaded(stmt, place) or place.sym, loops, home, element, over, place, stmt=stmt)

    def timed(self, name: str, loops: Iterable[Loop]) -> dict[Loop, Tape]:
        """Storage for a number that is recorded each time a loop has run.

        What K_fwd records of a loop that runs once has storage already: `handed_trips`.
        """
        found = {}
        for loop in loops:
            timed = self.recorded.timed[loop]
            scope = self.versions.scope_of[loop]
            if timed.over and not scope.looped:
                continue
            around = self.versions.loops_between(timed.home, scope)
            sym = Sym(name, INT, otherwise=(f"{name}_{loop_word(loop)}",))
            found[loop] = self.tape(sym, around, timed.home, INT, timed.over, stmt=loop)
        return found

    def region(
        self,
        name: str,
        of: Sym | None,
        element: Scalar,
        loops: tuple[Loop, ...] = (),
        counts: tuple[Expr, ...] = (Const(1, INT),),
        home: Scope | None = None,
        *,
        limits: Sequence[Expr | None] = (),
        over: bool = False,
    ) -> Tape:
        """A stretch of the global tape."""
        assert self.threads is not None
        pointer = Sym(name, Pointer(element), "tape")
        tape = Tape(
            pointer, loops, home or self.versions.root, element, counts, self.threads, tuple(limits), over
        )
        self.regions.append(tape)
        return tape

    def snapshots(self, sym: Sym, loop: Loop) -> Snapshots:
        """Storage for snapshots of a local array along a loop."""
        assert isinstance(sym.type, Array)
        element, extents = sym.type.element, sym.type.extents
        name = self.name(wish_for(sym, (loop,), stmt=loop, prefix="snapshot"))
        scope = self.versions.scope_of[loop]
        if not self.over(scope):
            spelled = (str(SNAPSHOTS), *(sym.type.spelled or map(str, extents)))
            return Snapshots(Sym(name, Array(element, (SNAPSHOTS, *extents), spelled), "tape"), sym.type)
        each: tuple[Expr, ...] = extents_of(sym.type)
        if not any(has_name(e) for e in each):
            each = (Const(sym.type.elements, INT),)
        counts = (Const(SNAPSHOTS, INT), *each)
        region = self.region(name, sym, element, (), counts, scope)
        return Snapshots(region.sym, sym.type, self.threads)

    def tape(
        self,
        sym: Sym,
        loops: tuple[Loop, ...],
        home: Scope,
        element: Scalar,
        over: bool = False,
        place: Place | None = None,
        *,
        stmt: Stmt | None = None,
        made: Version | None = None,
    ) -> Tape:
        """Storage for a value recorded once per iteration of `loops`; `over`: from K_fwd to K_adj.

        It is the version `made`, or what `stmt` reads or changes.
        """
        name = self.name(wish_for(sym, loops, place=place, made=made, stmt=stmt))
        alone = Tape(Sym(name, element, "tape"), (), home, element)
        if not loops:
            return self.region(name, sym, element, home=home, over=True) if over else alone
        bounds = self.facts.bounds
        counts = [bounds.of(loop) for loop in loops]
        known = tuple(c for c in counts if c is not None)
        if len(known) < len(counts):
            self.refused += [(loop, sym, element) for loop, c in zip(loops, counts, strict=True) if c is None]
            return alone
        limits = [bounds.limit(loop) for loop in loops]
        limited = any(limit is not None for limit in limits)
        array = None if over or limited else local_type(element, known)
        if array is not None:
            return Tape(Sym(name, array, "tape"), loops, home, element, known)
        promised = [loop for loop in loops if bounds.promised(loop)]
        if self.threads is None or (promised and not element.is_float):
            self.refused.append(((promised or loops)[0], sym, element))
            return alone
        self.limited = self.limited or limited
        return self.region(
            name,
            sym,
            element,
            loops,
            known,
            home,
            limits=limits if limited else (),
            over=over or self.over(home),
        )


def _handed(version: Version) -> Wish:
    """Return the names for a value that K_fwd hands over."""
    wish = wish_for(version.sym, made=version)
    return replace(wish, better=(*wish.better, f"{wish.stem}_last"))


def _of_loop(name: str, loop: Loop) -> Wish:
    return Wish(name, (f"{name}_{loop_word(loop)}",), with_target((name,), loop.span))


def loaded(stmt: Stmt, place: Place) -> Sym | None:
    """The local of the same type into which a statement loads an element, if that is all it does."""
    match stmt:
        case Declare(sym, init) | Assign(Place(sym, ()), init, None) if (
            init == place and sym.type == place.type
        ):
            return sym
        case _:
            return None


def _unbounded(loop: Loop, sym: Sym, element: Scalar) -> Diagnostic:
    """The refusal of a value in an unbounded loop that would have to be recorded in memory."""
    if not element.is_float:
        return diagnose(Code.UNBOUNDED_INTEGER, loop.span, value=sym.name)
    line = str(loop.span.line) if loop.span is not None else "LINE"
    return diagnose(Code.UNBOUNDED_RECORD, loop.span, value=sym.name, line=line)
