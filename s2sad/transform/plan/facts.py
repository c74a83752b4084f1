"""Facts about a function before anything is built: versions, activity, pullbacks, recorded values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from ...analysis import activity as activity_
from ...analysis import ssa_construction
from ...analysis.activity import Activity, Node, is_real
from ...analysis.loops.counted_loops import Counter, counted
from ...analysis.loops.induction_variables import induction
from ...analysis.loops.presumed_counters import presumed
from ...analysis.shift_invariance import shifts as cancelling
from ...analysis.ssa import Loop, Scope, Version, Versions, operands, own_breaks, targets
from ...analysis.tbr.reaching_stores import Filled, Order
from ...analysis.tbr.recorded import Recorded, Timed
from ...analysis.tbr.required_values import Analysis
from ...analysis.threads import warp_uniformity
from ...analysis.traversal import ends
from ...fixpoint import rounds
from ...ir import (
    CHAR,
    Barrier,
    Binary,
    Call,
    DoWhile,
    Expr,
    For,
    Function,
    If,
    LoopId,
    Pointer,
    Scalar,
    Stmt,
    Switch,
    Sym,
    While,
    children,
    walk,
)
from ...rules import Table
from ..common.integer_expressions import integral
from .branch_values import branch_values
from .local_jacobians import Carried, TapedPartial
from .partials import ByResult
from .pullbacks import Debts, Known, gather
from .rewritten_loops import Rewritten
from .shuffles import Ways
from .tape_storage import local_type
from .trip_bounds import Bounds
from .values_at_hand import name_results


def leaving(stmt: If, versions: Versions) -> Loop | None:
    """The loop that exactly one branch always leaves by a break, unless the condition is integer-only."""
    if ends(stmt.then) == ends(stmt.other):
        return None
    branch = stmt.then if ends(stmt.then) else stmt.other
    if not own_breaks(branch) or integral(stmt.cond):
        return None
    return next(versions.scope_of[stmt].loops(), None)


@dataclass(eq=False)
class Facts:
    """The results of the analyses of one function."""

    function: Function
    versions: Versions
    activity: Activity
    debts: Debts
    recorded: Recorded
    bounds: Bounds
    known: Known
    bounded: Callable[[Loop], bool]
    carried: tuple[Carried, ...] = ()
    offers: Mapping[LoopId, int] = field(default_factory=dict)  # loops that could carry so many tangents
    partials: tuple[TapedPartial, ...] = ()  # recorded instead of their operands
    expensive: frozenset[Sym] = frozenset()  # results recorded since both sweeps would call for them
    shifts: frozenset[Node] = frozenset()  # they cancel out of every result
    snapshots: frozenset[LoopId] = frozenset()  # loops restarted from snapshots for the tape's budget
    rewritten: tuple[Rewritten, ...] = ()  # loops of which one iteration is reversed


Amend = Callable[[Debts, Versions], Iterable[Version]]
"""Changes the pullbacks; returns the versions to be recorded where they are computed."""


def computed_twice(versions: Versions, recorded: Recorded) -> Iterator[tuple[Loop, Stmt]]:
    """Yield statements of loops that run forward with the loop and again in its reversed iterations."""
    for scope, done in recorded.slices.items():
        loop = scope.loop
        if loop is None or scope not in versions.inside[loop]:
            continue
        outer = recorded.slices.get(versions.scope_of[loop], {})
        for stmt in done:
            # (A loop's own head is run with the loop, not as a statement of the body.)
            if stmt in outer and stmt in versions.position and versions.scope_of[stmt] is scope:
                yield loop, stmt


def rounded_twice(versions: Versions, recorded: Recorded) -> list[Version]:
    """Integers computed from floating-point values in both sweeps."""
    return [
        version
        for _, stmt in computed_twice(versions, recorded)
        if stmt not in recorded.timed and any(map(_rounds, operands(stmt)))
        for version in versions.makes.get(stmt, {}).values()
        if not is_real(version.sym.type)
    ]


def counted_twice(
    versions: Versions, recorded: Recorded, bounded: Callable[[Loop], bool]
) -> dict[Loop, Timed]:
    """Inner loops whose trip counts depend on floating-point values, and that both sweeps would count.

    A compiler may contract the same text differently in two places, so the first count is recorded,
    by the outermost slice that runs the loop.
    """
    found: dict[Loop, Timed] = {}
    for scope, done in recorded.slices.items():
        if scope.owner is not None and scope not in versions.inside[scope.owner]:
            continue  # a stretch re-run from a snapshot
        for stmt in done:
            if not isinstance(stmt, Loop) or stmt in recorded.timed:
                continue
            own = versions.scope_of[stmt]
            if not own.looped or not any(map(_rounds, operands(stmt))) or own is not scope:
                continue
            outer = [s for s in islice(scope.outwards(), 1, None) if stmt in recorded.slices.get(s, {})]
            if outer and all(map(bounded, versions.loops_between(outer[-1], scope))):
                found[stmt] = Timed(outer[-1], rounds=True)
    return found


def _rounds(expr: Expr) -> bool:
    """Whether an expression converts floating-point values to integers or booleans."""
    return any(
        isinstance(e.type, Scalar)
        and not e.type.is_float
        and any(isinstance(c.type, Scalar) and c.type.is_float for c in children(e))
        for e in walk(expr)
    )


def _stored(sym: Sym, versions: Versions) -> bool:
    return isinstance(sym.type, Pointer) and any(
        target.sym is sym for stmt in versions.order for target in targets(stmt)
    )


def demand_all(analysis: Analysis, versions: Versions, debts: Debts) -> None:
    """Demand the values that the reverse sweep needs, statement by statement."""
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
    """The user's options, in the transformer's terms."""

    of: tuple[str, ...]
    wrt: tuple[str, ...]
    split: bool = False
    prefix: str = "adj_"
    store: tuple[str, ...] = ()
    recompute: tuple[str, ...] = ()
    bounds: Mapping[LoopId, Expr] = field(default_factory=dict)
    measured: frozenset[LoopId] = frozenset()  # those of `bounds` that a separate kernel measures
    forward: frozenset[LoopId] = frozenset()  # loops through which as many tangents are carried as it takes
    reverse: frozenset[LoopId] = frozenset()  # loops through which none are carried
    snapshots: frozenset[LoopId] = (
        frozenset()
    )  # loops that are restarted from snapshots, for the tape's budget

    @property
    def ways(self) -> tuple[frozenset[LoopId], frozenset[LoopId]]:
        """The loops whose way is chosen by hand: forward, and reverse."""
        return self.forward, self.reverse


def _active(
    versions: Versions, wrt: tuple[Sym, ...], of: tuple[Sym, ...], smooth: activity_.Smooth, dimensions: int
) -> tuple[Activity, frozenset[Node]]:
    """What is active, and what cancels out of every result."""
    entering = [s for s in of if isinstance(s.type, Pointer) and s not in wrt]
    activity = activity_.survey(versions, (*wrt, *entering), of, smooth)
    scratch = [s for s in activity.ever if s.storage == "parameter" and s not in wrt and _stored(s, versions)]
    if any(s not in entering for s in scratch):
        # The entry value of a caller's array is varied, whether the array was requested or not.
        entering = [*entering, *scratch]
        activity = activity_.survey(versions, (*wrt, *entering), of, smooth)
    shifts = cancelling(versions, activity, dimensions, of)
    if shifts:
        activity = activity_.survey(versions, (*wrt, *entering), of, smooth, shifts)
    return activity, shifts


def _carried(loop: Loop, count: Counter | None, versions: Versions) -> Iterator[Sym]:
    """Yield the variables whose values only the iterations before one give."""
    for sym in versions.heads[loop]:
        if not (count is not None and count.sym is sym) and induction(loop, sym, versions) is None:
            yield sym


def _tested(function: Function, choices: Choices) -> tuple[Binary, ...]:
    """What is declared and tested before anything is recorded: not by K_fwd."""
    return () if choices.split else function.requires


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
    by_result: ByResult = lambda call, k: None,
    amend: Amend | None = None,
    exchanged: frozenset[Sym] = frozenset(),
    contested: frozenset[Sym] = frozenset(),
    dimensions: int = 1,
    filled: Filled = lambda loop, array: False,
    order: Order = lambda *store_and_read: False,
    alike: frozenset[str] = frozenset(),
    earlier: frozenset[str] = frozenset(),
) -> Facts:
    """Run all analyses on a function in tail form, before any statement is built.

    `amend` may change the pullbacks before the values to be recorded are determined.
    """
    versions = ssa_construction.survey(function)
    activity, shifts = _active(versions, wrt, of, smooth, dimensions)
    exchanges = warp_uniformity.meetings(versions)
    ways = Ways(warp_uniformity.survey(versions, dimensions, alike)) if exchanges else None
    known = Known(versions, activity, smooth, table, quiet, parameter, by_result, exchanged, contested, ways)
    debts = gather(known)
    name_results(debts, versions)
    made = () if amend is None else tuple(amend(debts, versions))
    counters = {loop: counted(loop, versions) for loop in versions.loops}
    bounds = Bounds(versions, counters, choices.bounds, choices.measured, _tested(function, choices))

    def bounded(loop: Loop) -> bool:
        count = bounds.of(loop) if loop.id not in choices.snapshots else None
        if bounds.promised(loop) and any(
            not is_real(s.type) for s in _carried(loop, counters.get(loop), versions)
        ):
            return False  # past the bound, a float can be replaced by NaN, an integer can't
        return count is not None and (tape or local_type(CHAR, (count,)) is not None)

    asked = (versions, choices.split, choices.store, bounded, choices.recompute)
    analysed = partial(Analysis, *asked, counters=counters, exchanged=exchanged, filled=filled)
    analysed = partial(analysed, order=order, earlier=earlier)

    def recorded(kept: Iterable[Version] = (), over: Mapping[Version, Scope] | None = None) -> Recorded:
        homes: dict[Sym, Scope] = {}
        timed: dict[Loop, Timed] = {}
        presuming = {
            loop: count
            for loop in versions.loops
            if counters[loop] is None and (count := presumed(loop, versions)) is not None
        }
        # Homes only move outwards, each loop is timed once or further out, and counts are presumed no longer.
        for _ in rounds(versions.size**2, "where stores run again", function.span):
            analysis = analysed(kept=kept, homes=homes, timed=timed, held_over=over, presumed=presuming)
            demand_all(analysis, versions, debts)
            found = analysis.finish()
            unbounded = {loop for loop in presuming if loop in analysis.numbered or loop in timed}
            if unbounded:
                presuming = {loop: c for loop, c in presuming.items() if loop not in unbounded}
                continue
            whole = {s: done for s, done in found.slices.items() if s not in analysis.bases}
            twice, undecidable = analysis.arrays.stored_twice(whole), analysis.undecidable()
            counting = {} if twice or undecidable else counted_twice(versions, found, bounded)
            if not twice and not undecidable and not counting:
                return found
            homes |= twice
            timed |= undecidable | counting
        raise AssertionError(homes)

    found = recorded(made)
    kept = (*made, *rounded_twice(versions, found))
    over = branch_values(versions, found, choices.split, choices.store, choices.recompute)
    if over or len(kept) > len(made):
        found = recorded(kept, over)
    whole = (function, versions, activity, debts, found, bounds, known, bounded)
    return Facts(*whole, shifts=shifts, snapshots=choices.snapshots)
