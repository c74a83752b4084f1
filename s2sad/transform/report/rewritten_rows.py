"""Decisions on loops of which one iteration is reversed, and the cost of those that are run again."""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.plan import Decision, Recovery
from ...analysis.ssa import Loop
from ...ir import Declare, For
from ..build.builder import Builder
from ..build.nested_snapshots import of_loop
from ..plan.facts import Facts


def rewritten(facts: Facts) -> Iterator[Decision]:
    """Yield a decision for each loop that was rewritten before the analyses."""
    for one in facts.rewritten:
        line = one.loop.span.line if one.loop.span else 0
        if one.sets:
            yield Decision(
                ", ".join(one.sets),
                line,
                Recovery.SELECT,
                "one iteration sets it, and comparisons have no derivative",
                (line,),
                "a register",
                ", ".join(one.winner),
                "the winning iteration runs again",
                "reverse all iterations: a record of each",
            )
        else:
            yield Decision(
                f"iterations{_of(one.loop)}",
                line,
                Recovery.SELECT,
                "each does the same as the first",
                (line,),
                cost="one iteration",
                other="reverse all iterations",
            )


def _of(loop: Loop) -> str:
    first = loop.init[0] if isinstance(loop, For) and loop.init else None
    return f" of {first.sym.name}" if isinstance(first, Declare) else ""


def runs(builder: Builder, loop: Loop) -> str:
    """Return the cost of a loop that is rerun from snapshots."""
    kept = of_loop(builder, loop)
    if kept is not None:
        return f"two more runs of each iteration, up to {kept.twice:,} of them: snapshots at three distances"
    return "rerun from the nearest snapshot, per iteration"
