"""Assemble the sweeps of a function: storage for what is recorded, and the builder that reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...analysis.ssa import Loop, Scope, Version
from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...ir import (
    CHAR,
    INT,
    Array,
    Call,
    Const,
    DoWhile,
    Expr,
    For,
    How,
    Place,
    Pointer,
    Scalar,
    Stmt,
    Sym,
    While,
    scalar_type,
)
from ..plan.facts import Facts
from ..plan.tape_storage import SNAPSHOTS, Snapshots, Tape, local_type, numbered
from .builder import Builder
from .forward_slice import loaded
from .frames import AdjointFunction


class Assembly:
    """Storage and builder for one function's sweeps."""

    def __init__(
        self,
        facts: Facts,
        prefix: str,
        adjoints: dict[Sym, Sym],
        how: Callable[[Stmt, Place], tuple[How, str]],
        invoke: Callable[[Call, tuple[int, ...]], AdjointFunction],
        constant_seeds: frozenset[Sym],
        threads: Sym | None,
        split: bool = False,
        own_elements: Callable[[Loop, Sym], bool] = lambda loop, array: False,
    ) -> None:
        self.facts = facts
        self.split = split
        self.prefix = prefix
        self.threads = threads
        self.tape_parameter = Sym("tape", Pointer(CHAR), "parameter")
        self.names: dict[str, int] = {s.name: 1 for s in facts.versions.declared}
        self.regions: list[Tape] = []
        self.limited = False  # a user's bound is in use: the overrun flag too
        self.overrun = Sym("overrun", Pointer(INT))
        self.refused: list[tuple[Loop, Sym, Scalar]] = []
        recorded, versions = facts.recorded, facts.versions
        tapes: dict[Version, Tape] = {}
        for version in recorded.taped:
            loop = version.stmt
            assert isinstance(loop, For | While | DoWhile)
            outer = version.scope.parent
            assert outer is not None
            kind = scalar_type(version.sym)
            over = split and not outer.looped
            if loop in recorded.advances:
                name = numbered(f"snapshot_{version.sym.plain}", self.names)
                slots = (Const(SNAPSHOTS, INT),)
                if over:
                    tapes[version] = self.region(name, version.sym, kind, (loop,), slots, outer)
                else:
                    array = Sym(name, Array(kind, (SNAPSHOTS,)), "tape")
                    tapes[version] = Tape(array, (loop,), outer, kind, slots)
            else:
                tapes[version] = self.tape(version.sym, (loop,), outer, kind, over)
        load_tapes: dict[tuple[Stmt, Place], Tape] = {}
        for (stmt, place), home in recorded.loads.items():
            loops = versions.loops_between(home, versions.scope_of[stmt])
            element = place.type
            assert isinstance(element, Scalar)
            over = split and place.sym.storage == "parameter"
            named = loaded(stmt, place) or place.sym
            load_tapes[stmt, place] = self.tape(named, loops, home, element, over)
        snapshots = {
            (loop, sym): self.snapshots(sym, loop, split and not versions.scope_of[loop].looped)
            for loop, syms in recorded.arrays.items()
            for sym in syms
        }
        stored: dict[Version, Tape] = {}
        for version, loop in recorded.stored.items():
            outer = versions.scope_of[loop]
            over = split and not outer.looped
            stored[version] = self.tape(version.sym, (loop,), outer, scalar_type(version.sym), over)
        handed = {
            v: self.region(
                numbered(f"tape_{v.sym.plain}", self.names),
                v.sym,
                scalar_type(v.sym),
                (),
                (Const(1, INT),),
                versions.root,
            )
            for v in recorded.handed
        }
        over_loops = [
            loop
            for loop in versions.inside
            if split and isinstance(loop, For | While | DoWhile) and not versions.scope_of[loop].looped
        ]

        timed_trips = self.timed("trips", recorded.timed)
        timed_exits = self.timed("exit", [loop for loop in recorded.timed if loop in recorded.exits])
        if self.refused:
            raise Unbounded(self.refused)

        def number(name: str, loops: Iterable[Loop]) -> dict[Loop, Tape]:
            return {
                loop: self.region(numbered(name, self.names), None, INT, (), (Const(1, INT),), versions.root)
                for loop in loops
                if loop in over_loops
            }

        self.builder = Builder(
            versions,
            recorded,
            facts.debts.of,
            adjoints,
            how,
            tapes,
            load_tapes,
            {loop: Sym("trips", INT) for loop in recorded.trips},
            {loop: Sym("left_by", INT) for loop in recorded.exits},
            invoke,
            constant_seeds,
            strides={loop: Sym("stride", INT) for loop in recorded.advances},
            stored=stored,
            snapshots=snapshots,
            partials=frozenset(p.sym for p in facts.partials),
            handed=handed,
            handed_trips=number("tape_trips", recorded.trips),
            handed_exits=number("tape_exit", recorded.exits),
            handed_strides=number("tape_stride", recorded.advances),
            timed_trips=timed_trips,
            timed_exits=timed_exits,
            handed_loops=frozenset(over_loops),
            split=split,
            own_elements=own_elements,
            overrun=self.overrun,
            names=self.names,
            ways=facts.known.ways,
        )

    def timed(self, name: str, loops: Iterable[Loop]) -> dict[Loop, Tape]:
        """Storage for a number that is recorded each time a loop has run.

        What K_fwd records of a loop that runs once has storage already: `handed_trips`.
        """
        versions, found = self.facts.versions, {}
        for loop in loops:
            timed = self.facts.recorded.timed[loop]
            scope = versions.scope_of[loop]
            if timed.over and not scope.looped:
                continue
            around = versions.loops_between(timed.home, scope)
            found[loop] = self.tape(Sym(name, INT), around, timed.home, INT, timed.over)
        return found

    def region(
        self,
        name: str,
        of: Sym | None,
        element: Scalar,
        loops: tuple[Loop, ...],
        counts: tuple[Expr, ...],
        home: Scope,
    ) -> Tape:
        """A stretch of the global tape."""
        assert self.threads is not None
        pointer = Sym(name, Pointer(element), "tape")
        tape = Tape(pointer, loops, home, element, counts, self.threads)
        self.regions.append(tape)
        return tape

    def snapshots(self, sym: Sym, loop: Loop, over: bool) -> Snapshots:
        """Storage for a local array's states along a loop."""
        assert isinstance(sym.type, Array)
        element, extents = sym.type.element, sym.type.extents
        name = numbered(f"snapshot_{sym.plain}", self.names)
        if not over:
            spelled = (str(SNAPSHOTS), *(sym.type.spelled or map(str, extents)))
            return Snapshots(Sym(name, Array(element, (SNAPSHOTS, *extents), spelled), "tape"), sym.type)
        counts = (Const(SNAPSHOTS, INT), Const(sym.type.elements, INT))
        region = self.region(name, sym, element, (), counts, self.facts.versions.scope_of[loop])
        return Snapshots(region.sym, sym.type, self.threads)

    def tape(
        self, sym: Sym, loops: tuple[Loop, ...], home: Scope, element: Scalar, over: bool = False
    ) -> Tape:
        """Storage for a value recorded once for each iteration of `loops`; `over`: from K_fwd to K_adj."""
        name = numbered(f"tape_{sym.plain}", self.names)
        if not loops:
            if over:
                tape = self.region(name, sym, element, (), (Const(1, INT),), home)
                tape.over = True
                return tape
            return Tape(Sym(name, element, "tape"), (), home, element)
        counts = [self.facts.bounds.of(loop) for loop in loops]
        known = tuple(c for c in counts if c is not None)
        if len(known) < len(counts):
            self.refused += [(loop, sym, element) for loop, c in zip(loops, counts, strict=True) if c is None]
            return Tape(Sym(name, element, "tape"), (), home, element)
        limits = [self.facts.bounds.limit(loop) for loop in loops]
        limited = any(limit is not None for limit in limits)
        array = None if over or limited else local_type(element, known)
        if array is not None:
            return Tape(Sym(name, array, "tape"), loops, home, element, known)
        promised = [loop for loop in loops if self.facts.bounds.promised(loop)]
        if self.threads is None or (promised and not element.is_float):
            self.refused.append(((promised or loops)[0], sym, element))
            return Tape(Sym(name, element, "tape"), (), home, element)
        tape = self.region(name, sym, element, loops, known, home)
        tape.over = over or (self.split and not home.looped)
        if limited:
            tape.limits = tuple(limits)
            self.limited = True
        return tape

    def addresses(self, threads: Sym) -> frozenset[Sym]:
        """What finds a thread's words on the tape, declared once it is known which of them are read."""
        return frozenset((threads, self.overrun, *(region.sym for region in self.regions)))


class Unbounded(Rejected):
    """Loops that nothing bounds, and what would have to be recorded in each iteration."""

    def __init__(self, refused: Sequence[tuple[Loop, Sym, Scalar]]) -> None:
        first = {loop: unbounded(loop, sym, element) for loop, sym, element in reversed(refused)}
        super().__init__(*(first[loop] for loop in dict.fromkeys(loop for loop, _, _ in refused)))
        self.loops = tuple(first)


def unbounded(loop: Loop, sym: Sym, element: Scalar) -> Diagnostic:
    """A value that only memory holds, in a loop whose trips nothing known at launch determines."""
    if not element.is_float:
        return diagnose(Code.UNBOUNDED_INTEGER, loop.span, value=sym.name)
    line = str(loop.span.line) if loop.span is not None else "LINE"
    return diagnose(Code.UNBOUNDED_RECORD, loop.span, value=sym.name, line=line)
