"""Keep the tape of a thread within the user's budget: strip-mine the loops whose records take more.

    plan -> bytes of a loop's iteration -> strips -> plan of the loops in strips -> bytes of a state -> strips

What a loop's state takes is known only once it runs in strips. So they are chosen twice: at first as if the
state took what an iteration records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..analysis.loops.counted_loops import positive
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..ir import For, LoopId, Sym, statements
from ..passes import PLAIN, Runner
from .normalise.strip_mine_loops import Strip, strippable
from .pipelines import CHECKPOINTS
from .plan.tape_budget import Fit, Records, fit, recorded, sizes
from .planned import Planned, decide
from .states import Primal


def within_budget(primal: Primal, stay: frozenset[Sym] | None, runner: Runner) -> Primal:
    """The primal, with loops in strips if their records exceed the budget. Raises Rejected."""
    budget = primal.options.tape_budget
    if budget is None:
        return primal
    planned = decide(primal, stay, PLAIN)
    found = recorded(planned.storage)
    if sum(budget + 1 if r.total is None else r.total for r in found.values()) <= budget:
        return primal
    share = budget // len(found)
    large = {loop: r for loop, r in found.items() if r.total is None or r.total > share}
    _refuse(primal, ((r, why) for r in large.values() if (why := _unfit(primal, planned, r))))

    fits = {loop: fit(share, r.bytes, r.bytes, r.trips) for loop, r in large.items()}
    _refuse(primal, ((large[loop], _SMALL) for loop, found in fits.items() if not found.lengths))
    tried = _stripped(primal, fits, PLAIN)
    measured = sizes(decide(tried, stay, PLAIN).storage, large, tried.strips)
    _refuse(primal, ((r, _DEPENDENT) for loop, r in large.items() if loop not in measured))
    fits = {loop: fit(share, *measured[loop], r.trips) for loop, r in large.items()}
    _refuse(
        primal,
        (
            (r, _SMALL)
            for loop, r in large.items()
            if not fits[loop].lengths or (r.trips is not None and fits[loop].iterations < r.trips)
        ),
    )
    within = {
        (r.loop.span.line, fits[loop].iterations)
        for loop, r in large.items()
        if r.trips is None and r.loop.span is not None
    }
    return replace(_stripped(primal, fits, runner), fits=tuple(sorted(within)))


def _stripped(primal: Primal, fits: Mapping[LoopId, Fit], runner: Runner) -> Primal:
    strips = {loop: [Strip(length) for length in found.lengths] for loop, found in fits.items()}
    return runner.run(CHECKPOINTS, replace(primal, strips=strips))


_SMALL = "the state at the beginning of a strip and the records of an iteration take more"
_DEPENDENT = "its records can't be made again from the state at the beginning of an iteration"


def _unfit(primal: Primal, planned: Planned, records: Records) -> str:
    """Why a loop can't run in strips, if so."""
    own = (s for s in statements(primal.function.body) if isinstance(s, For) and s.id is records.loop.id)
    loop = next(own, None)
    if loop is None or records.loop.id in planned.choices.bounds:
        return "its trip count is given by --bound or measured"
    if strippable(loop, positive(primal.function)) is None:
        return "it isn't a loop over a counter with a literal step, which only its condition ends"
    return ""


def _refuse(primal: Primal, problems: Iterable[tuple[Records, str]]) -> None:
    """Raises Rejected if there are any."""
    budget = str(primal.options.tape_budget)
    found: list[Diagnostic] = [
        diagnose(Code.TAPE_BUDGET, records.loop.span, budget=budget, why=why) for records, why in problems
    ]
    if found:
        raise Rejected(*found)
