"""The adjoint of a program: facts, decisions, statements, in this order.

parse's Program -> tail form -> versions, activity -> what each statement owes
-> what must be recorded -> where it lies -> forward and reverse sweep -> tidy
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..analysis import activity as activity_
from ..analysis import lanes
from ..analysis import versions as versions_
from ..analysis.activity import Activity, Node, is_real
from ..analysis.loops import counted, induction
from ..analysis.shifts import shifts as cancelling
from ..analysis.tbr import Analysis, Filled, Recorded, Timed
from ..analysis.versions import Loop, Scope, Version, Versions, operands
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..fixpoint import rounds
from ..ir import (
    CHAR,
    INT,
    Array,
    Barrier,
    Call,
    Const,
    DoWhile,
    Expr,
    For,
    Function,
    How,
    If,
    Place,
    Pointer,
    Scalar,
    Stmt,
    Switch,
    Sym,
    While,
    children,
    walk,
)
from ..rules import Table
from .branches import leaving
from .builder import Builder
from .carried import Carried
from .exchange import Ways
from .forward import loaded
from .frames import AdjointFunction
from .owed import Debts, Known, gather
from .storage import SNAPSHOTS, Bounds, Snapshots, Tape, local_type, numbered

if TYPE_CHECKING:
    from .taped_partials import TapedPartial


@dataclass(eq=False)
class Facts:
    """What the analyses found out about one function."""

    function: Function
    versions: Versions
    activity: Activity
    debts: Debts
    recorded: Recorded
    bounds: Bounds
    known: Known
    bounded: Callable[[Loop], bool]
    carried: tuple[Carried, ...] = ()
    partials: tuple[TapedPartial, ...] = ()  # recorded instead of what they are made of
    shifts: frozenset[Node] = frozenset()  # they cancel out of every result


Amend = Callable[[Debts, Versions], Iterable[Version]]
"""Changes what statements owe; gives the values that are to be recorded when they are made."""


def rounded_twice(versions: Versions, recorded: Recorded) -> list[Version]:
    """Integers made from floating values that both sweeps would compute."""
    found = []
    for scope, done in recorded.slices.items():
        if scope.role != "loop" or scope.owner is None or scope not in versions.inside[scope.owner]:
            continue
        outer = recorded.slices.get(versions.scope_of[scope.owner], {})
        for stmt in done:
            # (A loop's own head is run with the loop, not as a statement of the body.)
            if (
                stmt in outer
                and stmt in versions.position
                and versions.scope_of[stmt] is scope
                and stmt not in recorded.timed
                and any(map(_rounds, operands(stmt)))
            ):
                found += [v for v in versions.makes.get(stmt, {}).values() if not is_real(v.sym.type)]
    return found


def counted_twice(
    versions: Versions, recorded: Recorded, bounded: Callable[[Loop], bool]
) -> dict[Loop, Timed]:
    """Loops inside loops whose trips depend on floating values, and that both sweeps would count.

    A compiler may contract the same text differently in two places, so the first count is recorded,
    by the outermost slice that runs the loop.
    """
    found: dict[Loop, Timed] = {}
    for scope, done in recorded.slices.items():
        if scope.owner is not None and scope not in versions.inside[scope.owner]:
            continue  # a stretch that is run again from a snapshot
        for stmt in done:
            if not isinstance(stmt, For | While | DoWhile) or stmt in recorded.timed:
                continue
            own = versions.scope_of[stmt]
            if not own.looped or not any(map(_rounds, operands(stmt))) or own is not scope:
                continue
            outer = [s for s in _around(scope) if stmt in recorded.slices.get(s, {})]
            if outer and all(map(bounded, versions.loops_between(outer[-1], scope))):
                found[stmt] = Timed(outer[-1], rounds=True)
    return found


def _around(scope: Scope) -> Iterator[Scope]:
    """The bodies around a body, innermost first."""
    parent = scope.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def _rounds(expr: Expr) -> bool:
    """Whether an expression turns floating values into integers or truth."""
    return any(
        isinstance(e.type, Scalar)
        and not e.type.is_float
        and any(isinstance(c.type, Scalar) and c.type.is_float for c in children(e))
        for e in walk(expr)
    )


def _stored(sym: Sym, versions: Versions) -> bool:
    return isinstance(sym.type, Pointer) and any(
        target.sym is sym for stmt in versions.order for target in versions_.targets(stmt)
    )


def demand_all(analysis: Analysis, versions: Versions, debts: Debts) -> None:
    """The reverse sweep's needs, statement by statement."""
    holds: dict[Scope, bool] = {}

    def reverses(scope: Scope) -> bool:
        if scope not in holds:
            holds[scope] = any(
                s in debts.of or any(reverses(i) for i in versions.inside.get(s, ())) for s in scope.stmts
            )
        return holds[scope]

    for stmt in versions.order:
        for owed in debts.of.get(stmt, ()):
            for expr in owed.expressions():
                analysis.demand_expr(stmt, expr, owed.afters)
        if isinstance(stmt, Barrier) and stmt in debts.of and stmt.mask is not None:
            analysis.demand_expr(stmt, stmt.mask)
        scopes = versions.inside.get(stmt, ())
        if not any(reverses(s) for s in scopes):
            continue
        match stmt:
            case If():
                loop = leaving(stmt, versions)
                if loop is not None:
                    analysis.demand_exit(loop)
                else:
                    analysis.demand_expr(stmt, stmt.cond)
            case Switch():
                analysis.demand_expr(stmt, stmt.selector)
            case For() | While() | DoWhile():
                analysis.demand_loop(stmt)
            case _:
                pass


@dataclass(frozen=True)
class Choices:
    """What the user asked for, in the transformer's own words."""

    of: tuple[str, ...]
    wrt: tuple[str, ...]
    split: bool = False
    prefix: str = "adj_"
    store: tuple[str, ...] = ()
    recompute: tuple[str, ...] = ()
    bounds: Mapping[int, Expr] = field(default_factory=dict)
    measured: frozenset[int] = frozenset()  # the lines of `bounds` that a kernel of their own measures


def examine(
    function: Function,
    wrt: tuple[Sym, ...],
    of: tuple[Sym, ...],
    smooth: activity_.Smooth,
    table: Table,
    choices: Choices,
    quiet: frozenset[Sym],
    tape: bool = True,
    parameter: Callable[[Call, int], str] = lambda call, k: f"argument{k + 1}",
    amend: Amend | None = None,
    exchanged: frozenset[Sym] = frozenset(),
    contested: frozenset[Sym] = frozenset(),
    dimensions: int = 1,
    filled: Filled = lambda loop, array: False,
    alike: frozenset[str] = frozenset(),
) -> Facts:
    """Everything that is known of a function in tail form before a statement is built.

    `amend` may change what statements owe before it is asked what must be recorded for it.
    """
    versions = versions_.survey(function)
    entering = [s for s in of if isinstance(s.type, Pointer) and s not in wrt]
    activity = activity_.survey(versions, (*wrt, *entering), of, smooth)
    scratch = [s for s in activity.ever if s.storage == "parameter" and s not in wrt and _stored(s, versions)]
    if any(s not in entering for s in scratch):
        # What a caller's array held at entry flows on, whoever the array belongs to.
        entering = [*entering, *scratch]
        activity = activity_.survey(versions, (*wrt, *entering), of, smooth)
    shifts = cancelling(versions, activity, dimensions, of)
    if shifts:
        activity = activity_.survey(versions, (*wrt, *entering), of, smooth, shifts)
    ways = Ways(lanes.survey(versions, dimensions, alike)) if lanes.meetings(versions) else None
    known = Known(versions, activity, smooth, table, quiet, parameter, exchanged, contested, ways)
    debts = gather(known)
    made = () if amend is None else tuple(amend(debts, versions))
    counters = {s: counted(s, versions) for s in versions.order if isinstance(s, For | While | DoWhile)}
    bounds = Bounds(versions, counters, choices.bounds, choices.measured)

    def bounded(loop: Loop) -> bool:
        count = bounds.of(loop)
        if bounds.promised(loop) and any(not is_real(s.type) for s in heads_of(loop)):
            return False  # past the bound a number that isn't one can stand in, an integer can't
        return count is not None and (tape or local_type(CHAR, (count,)) is not None)

    def heads_of(loop: Loop) -> list[Sym]:
        count = counters.get(loop)
        return [
            sym
            for sym in versions.heads[loop]
            if not (count is not None and count.sym is sym) and induction(loop, sym, versions) is None
        ]

    def recorded(kept: Iterable[Version] = ()) -> Recorded:
        homes: dict[Sym, Scope] = {}
        timed: dict[Loop, Timed] = {}
        # Homes only move outwards, and each loop is timed once or further out.
        for _ in rounds(versions.size**2, "where stores run again", function.span):
            analysis = Analysis(
                versions,
                choices.split,
                choices.store,
                bounded,
                choices.recompute,
                kept,
                exchanged,
                homes,
                filled,
                timed,
            )
            for loop in counters:
                analysis.breaks(loop)
            demand_all(analysis, versions, debts)
            found = analysis.finish()
            twice, undecidable = analysis.stored_twice(), analysis.undecidable()
            counting = {} if twice or undecidable else counted_twice(versions, found, bounded)
            if not twice and not undecidable and not counting:
                return found
            homes |= twice
            timed |= undecidable | counting
        raise AssertionError(homes)

    found = recorded(made)
    kept = rounded_twice(versions, found)
    if kept:
        found = recorded((*made, *kept))
    return Facts(function, versions, activity, debts, found, bounds, known, bounded, shifts=shifts)


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
            kind = _scalar(version.sym)
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
            stored[version] = self.tape(version.sym, (loop,), outer, _scalar(version.sym), over)
        handed = {
            v: self.region(
                numbered(f"tape_{v.sym.plain}", self.names),
                v.sym,
                _scalar(v.sym),
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


def _scalar(sym: Sym) -> Scalar:
    assert isinstance(sym.type, Scalar)
    return sym.type
