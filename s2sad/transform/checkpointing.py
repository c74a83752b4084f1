"""Keep the tape of a thread within the user's budget: checkpoint the loops whose records take more.

    plan -> bytes of a loop's iteration -> strips -> plan of the loops in strips -> bytes of a state -> strips

A loop over a counter runs in strips. What its state takes is known only then, so the strips are chosen twice:
at first as if a state took what an iteration records. Any other loop is restarted from a constant number of
snapshots, as if no bound of its trip count were known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..analysis.loops.counted_loops import positive
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..ir import Barrier, For, LoopId, Stmt, Sym, collective, statements
from ..passes import PLAIN, Runner
from .build.checkpoints import RECENT
from .normalise.strip_mine_loops import Strip, strippable
from .plan.tape_budget import Fit, Records, fit, recorded, sizes, snapshot
from .plan.tape_storage import SNAPSHOTS
from .planned import Planned, decide
from .primal_pipelines import CHECKPOINTS
from .states import Primal

MOST_BITS = 20
"""Budgets up to a mebibyte are tried to tell which is enough."""


def within_budget(primal: Primal, stay: frozenset[Sym] | None, runner: Runner) -> Primal:
    """The primal, with the loops to be checkpointed such that the tape is within the budget.

    Raises Rejected, for each loop that can't be, with a budget that is enough.
    """
    budget = primal.options.tape_budget
    if budget is None:
        return primal
    try:
        return _within(primal, budget, stay, runner)
    except Rejected as rejected:
        enough = _enough(primal, budget, stay)
        raise Rejected(*(_with_help(d, enough) for d in rejected.diagnostics)) from None


def _enough(primal: Primal, budget: int, stay: frozenset[Sym] | None) -> int | None:
    """The least power of two above a budget that is one; None if none of a reasonable size is."""
    for more in (1 << k for k in range(budget.bit_length(), MOST_BITS)):
        try:
            _within(primal, more, stay, PLAIN)
        except Rejected:
            continue
        return more
    return None


def _with_help(found: Diagnostic, enough: int | None) -> Diagnostic:
    """The same message; on a budget, with the one that is enough."""
    if found.code is not Code.TAPE_BUDGET:
        return found
    say = (
        "leave --tape-budget out" if enough is None else f"--tape-budget {enough} is enough, or leave it out"
    )
    return replace(found, values={**found.values, "help": say})


def _within(primal: Primal, budget: int, stay: frozenset[Sym] | None, runner: Runner) -> Primal:
    planned = decide(primal, stay, PLAIN)
    found = recorded(planned.storage)
    if sum(budget + 1 if r.total is None else r.total for r in found.values()) <= budget:
        return primal
    share = budget // len(found)
    large = {loop: r for loop, r in found.items() if r.total is None or r.total > share}
    fits = _fits(primal, stay, {loop: r for loop, r in large.items() if _counts(primal, planned, r)}, share)
    others = {loop: r for loop, r in large.items() if loop not in fits}
    if others:
        primal = _with_snapshots(primal, stay, others, share, budget)
    within = {loop: found.iterations for loop, found in fits.items() if large[loop].trips is None}
    return replace(_stripped(primal, fits, runner), fits=within)


def _counts(primal: Primal, planned: Planned, records: Records) -> bool:
    """Whether a loop can run in strips.

    Its trip count is neither measured nor given by the user, nor does it follow from the launch alone that
    all threads run it as often.
    """
    own = (s for s in statements(primal.function.body) if isinstance(s, For) and s.id is records.loop.id)
    loop = next(own, None)
    if loop is None or loop.id in planned.choices.bounds or loop.id in planned.ownership.in_step:
        return False
    return strippable(loop, positive(primal.function)) is not None


def _fits(
    primal: Primal, stay: frozenset[Sym] | None, loops: Mapping[LoopId, Records], share: int
) -> dict[LoopId, Fit]:
    """The strips of loops, each for its share of the budget, except of those that can't have any."""

    def fitting(found: Mapping[LoopId, tuple[int, int]]) -> dict[LoopId, Fit]:
        fits = {loop: fit(share, *bytes, loops[loop].trips) for loop, bytes in found.items()}
        return {loop: strips for loop, strips in fits.items() if strips.fits(loops[loop])}

    guessed = fitting({loop: (r.bytes, r.bytes) for loop, r in loops.items()})
    if not guessed:
        return {}
    tried = _stripped(primal, guessed, PLAIN)
    return fitting(sizes(decide(tried, stay, PLAIN).storage, guessed, tried.strips))


def _stripped(primal: Primal, fits: Mapping[LoopId, Fit], runner: Runner) -> Primal:
    strips = {loop: [Strip(length) for length in found.lengths] for loop, found in fits.items()}
    return runner.run(CHECKPOINTS, replace(primal, strips=strips)) if strips else primal


def _with_snapshots(
    primal: Primal, stay: frozenset[Sym] | None, loops: Mapping[LoopId, Records], share: int, budget: int
) -> Primal:
    """The primal, with those loops restarted from snapshots. Raises Rejected."""
    meeting = [r for r in loops.values() if any(map(_meets, statements(r.loop.body)))]
    _refuse(budget, ((records, _MEETINGS) for records in meeting))
    again = replace(primal, snapshots=frozenset(loops))
    storage = decide(again, stay, PLAIN).storage
    # K_fwd hands its snapshots over in global memory: 16, whatever the trip count.
    recording = {loop for loop, r in recorded(storage).items() if loop in loops and r.trips != SNAPSHOTS}
    slots = 2 * SNAPSHOTS + RECENT[0]
    large = {k: r for k, r in loops.items() if k in recording or slots * snapshot(storage, k) > share}
    _refuse(budget, ((r, _ELEMENTS if loop in recording else _SMALL) for loop, r in large.items()))
    return again


_SMALL = "64 states at the beginning of an iteration, or one strip of records and states, take more"
_MEETINGS = "threads meet in this loop, so that its iterations can't run again one by one"
_ELEMENTS = "an iteration can't run again, since elements that it reads are overwritten later"


def _refuse(budget: int, problems: Iterable[tuple[Records, str]]) -> None:
    """Raises Rejected if there are any."""
    found: list[Diagnostic] = [
        diagnose(Code.TAPE_BUDGET, records.loop.span, budget=str(budget), why=why)
        for records, why in problems
    ]
    if found:
        raise Rejected(*found)


def _meets(stmt: Stmt) -> bool:
    return isinstance(stmt, Barrier) or collective(stmt) is not None
