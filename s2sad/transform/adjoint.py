"""The adjoint of a program: facts, decisions, statements, in this order.

    parse's Program -> tail form -> versions, activity -> what each statement owes
    -> what must be recorded -> where it lies -> forward and reverse sweep -> tidy
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ..analysis import activity as activity_
from ..analysis import versions as versions_
from ..analysis.activity import Activity, is_real
from ..analysis.loops import counter
from ..analysis.tbr import Analysis, Recorded
from ..analysis.versions import Loop, Scope, Version, Versions
from ..ir import (
    CHAR,
    INT,
    SIZE_T,
    Accumulate,
    Array,
    Banner,
    Binary,
    Call,
    Cast,
    Const,
    Declare,
    DoWhile,
    Expr,
    For,
    Function,
    How,
    If,
    Parameter,
    Place,
    Pointer,
    Program,
    Return,
    Scalar,
    Special,
    Stmt,
    Switch,
    Sym,
    While,
)
from ..rules import Table
from .algebra import real
from .builder import AdjointFunction, Builder, Frame, integral
from .exits import leaves, structure
from .owed import Debts, gather
from .partials import Add
from .storage import Bounds, Tape, local_type
from .tidy import tidy


@dataclass(eq=False)
class Facts:
    """What the analyses found out about one function."""

    function: Function
    versions: Versions
    activity: Activity
    debts: Debts
    recorded: Recorded
    bounds: Bounds


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
        scopes = versions.inside.get(stmt, ())
        if not any(reverses(s) for s in scopes):
            continue
        match stmt:
            case If():
                loop = _left_loop(stmt, versions)
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


def _left_loop(stmt: If, versions: Versions) -> Loop | None:
    """The loop that exactly one branch leaves by a break decided with floating values."""
    from .builder import _has_break

    if leaves(stmt.then) == leaves(stmt.other):
        return None
    branch = stmt.then if leaves(stmt.then) else stmt.other
    if not _has_break(branch) or integral(stmt.cond):
        return None
    scope: Scope | None = versions.scope_of[stmt]
    while scope is not None:
        if scope.role == "loop":
            assert isinstance(scope.owner, For | While | DoWhile)
            return scope.owner
        scope = scope.parent
    return None


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


def examine(
    function: Function,
    wrt: tuple[Sym, ...],
    of: tuple[Sym, ...],
    smooth: activity_.Smooth,
    table: Table,
    choices: Choices,
    quiet: frozenset[Sym],
    tape: bool = True,
) -> Facts:
    """Everything that is known of a function in tail form before a statement is built."""
    versions = versions_.survey(function)
    activity = activity_.survey(versions, wrt, of, smooth)
    debts = gather(versions, activity, smooth, table, quiet)
    counters = {s: counter(s, versions) for s in versions.order if isinstance(s, For | While | DoWhile)}
    bounds = Bounds(versions, counters, choices.bounds)

    def bounded(loop: Loop) -> bool:
        count = bounds.of(loop)
        return count is not None and (tape or local_type(CHAR, (count,)) is not None)

    analysis = Analysis(versions, choices.split, choices.store, bounded)
    demand_all(analysis, versions, debts)
    recorded = analysis.finish()
    return Facts(function, versions, activity, debts, recorded, bounds)


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
    ) -> None:
        self.facts = facts
        self.prefix = prefix
        self.threads = threads
        self.tape_parameter = Sym("tape", Pointer(CHAR), "parameter")
        self.regions: list[Tape] = []
        self.unbounded: list[Version] = []
        recorded, versions = facts.recorded, facts.versions
        tapes: dict[Version, Tape] = {}
        for version in recorded.taped:
            loop = version.stmt
            assert isinstance(loop, For | While | DoWhile)
            outer = version.scope.parent
            assert outer is not None
            if loop in recorded.advances:
                slots = Array(_scalar(version.sym), (SNAPSHOTS,))
                name = Sym(f"snapshot_{version.sym.name}", slots, "tape", of=version.sym)
                tapes[version] = Tape(name, (loop,), outer, _scalar(version.sym))
            else:
                tapes[version] = self.tape(version.sym, (loop,), outer, _scalar(version.sym))
        load_tapes: dict[tuple[Stmt, Place], Tape] = {}
        homes = _homes(recorded, versions)
        for (stmt, place), home in homes.items():
            loops = versions.loops_between(home, versions.scope_of[stmt])
            element = place.type
            assert isinstance(element, Scalar)
            load_tapes[stmt, place] = self.tape(place.sym, loops, home, element)
        self.builder = Builder(
            versions,
            recorded,
            facts.debts.of,
            adjoints,
            how,
            tapes,
            load_tapes,
            {loop: Sym("trips", INT) for loop in recorded.trips},
            {loop: Sym("exit", INT) for loop in recorded.exits},
            invoke,
            constant_seeds,
            strides={loop: Sym("stride", INT) for loop in recorded.advances},
        )

    def tape(self, sym: Sym, loops: tuple[Loop, ...], home: Scope, element: Scalar) -> Tape:
        """Storage for a value recorded once for each iteration of `loops`."""
        name = f"tape_{sym.name}"
        if not loops:
            return Tape(Sym(name, element, "tape", of=sym), (), home, element)
        counts = [self.facts.bounds.of(loop) for loop in loops]
        known = [c for c in counts if c is not None]
        if len(known) < len(counts):
            raise Unbounded(loops[counts.index(None)])
        array = local_type(element, tuple(known))
        if array is not None:
            return Tape(Sym(name, array, "tape", of=sym), loops, home, element, tuple(known))
        if self.threads is None:
            raise Unbounded(loops[0])
        pointer = Sym(name, Pointer(element), "tape", of=sym)
        tape = Tape(pointer, loops, home, element, tuple(known), self.threads)
        self.regions.append(tape)
        return tape


SNAPSHOTS = 16
"""States kept of a loop whose trip count nothing bounds; an even number."""


class Unbounded(Exception):
    """A trip count that nothing known at launch determines."""

    def __init__(self, loop: Loop) -> None:
        super().__init__(loop)
        self.loop = loop


def _scalar(sym: Sym) -> Scalar:
    assert isinstance(sym.type, Scalar)
    return sym.type


def _homes(recorded: Recorded, versions: Versions) -> dict[tuple[Stmt, Place], Scope]:
    """For each recorded read, the body whose slice comes past it."""
    analysis = Analysis(versions)
    return {load: analysis.home(load[1].sym) for load in recorded.loads}


def global_tape(regions: list[Tape], threads: Sym, tape: Sym) -> list[Stmt]:
    """The declarations that find a thread's words on the tape; the layout is `emit.tape`'s."""

    def special(name: str, axis: str) -> Expr:
        return Cast(Special(name, axis), SIZE_T, implicit=True)  # type: ignore[arg-type]

    def times(a: Expr, b: Expr) -> Expr:
        return Binary("*", a, b, SIZE_T)

    def plus(a: Expr, b: Expr) -> Expr:
        return Binary("+", a, b, SIZE_T)

    def wide(name: str) -> Expr:
        return Cast(Special(name, "x"), SIZE_T)  # type: ignore[arg-type]

    def size(name: str) -> Expr:
        return times(times(wide(name), special(name, "y")), special(name, "z"))

    thread = Sym("thread", SIZE_T)
    linear: Expr = Cast(Special("blockIdx", "z"), SIZE_T)
    for extent, position, axis in (
        ("gridDim", "blockIdx", "y"),
        ("gridDim", "blockIdx", "x"),
        ("blockDim", "threadIdx", "z"),
        ("blockDim", "threadIdx", "y"),
        ("blockDim", "threadIdx", "x"),
    ):
        linear = plus(times(linear, special(extent, axis)), special(position, axis))
    out: list[Stmt] = [
        Declare(threads, times(size("gridDim"), size("blockDim"))),
        Declare(thread, linear),
    ]
    offset: Expr = Const(16, INT)
    for region in regions:
        pointer = region.sym.type
        assert isinstance(pointer, Pointer)
        at = Binary("+", Place(tape, (), tape.type), offset, tape.type)
        base = Cast(at, pointer)
        out.append(Declare(region.sym, Binary("+", base, Place(thread, (), SIZE_T), pointer)))
        elements: Expr = Place(threads, (), SIZE_T)
        for count in region.counts:
            elements = times(elements, Cast(count, SIZE_T, implicit=True))
        bytes_ = times(elements, Const(region.element.size, SIZE_T, spelling=f"sizeof({region.element.name})"))
        rounded = times(
            Binary("/", plus(bytes_, Const(15, SIZE_T, spelling="15")), Const(16, SIZE_T, spelling="16"), SIZE_T),
            Const(16, SIZE_T, spelling="16"),
        )
        offset = plus(Cast(offset, SIZE_T, implicit=True) if offset.type != SIZE_T else offset, rounded)
    return out

