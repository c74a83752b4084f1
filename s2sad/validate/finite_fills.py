"""Choose other contents for a draft's arrays if the primal's results aren't finite with normal ones.

A draft doesn't know the domain of a kernel: the logarithm of a price, the root of a time, a map that grows
outside of (0, 1). All its arrays of reals get the same other fill, the first with which all results
are finite; or the one with the fewest results that aren't.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..diagnostics import Rejected
from ..signature import Signature
from .case import Case
from .moves import Move

Infinite = Callable[[Case], int | None]
"""Returns the number of results that aren't finite on a case; None if the primal can't be run on it."""

DRAFTED = "normal"
OTHERS = ("uniform(0.5, 1.5)", "uniform(0.1, 0.9)", "uniform(1.5, 2.5)", "uniform(-0.9, -0.1)")


def chosen(case: Case, signature: Signature, infinite: Infinite) -> tuple[Move, Case, int]:
    """Return the change of the case's fills, the case with it, and the number of results not finite."""
    least = infinite(case)
    best = Move(), case, least or 0
    if not least:
        return best
    for move, other in filled(case, signature):
        count = infinite(other)
        if count is not None and count < best[2]:
            best = move, other, count
        if count == 0:
            break
    return best


def filled(case: Case, signature: Signature) -> Iterator[tuple[Move, Case]]:
    """Yield the case with each other fill, and the change."""
    args = case.document.values.get("args", {}) if case.document else {}
    assert isinstance(args, dict)
    for fill in OTHERS:
        changed = {name: _with(value, fill) for name, value in args.items()}
        move = Move({name: value for name, value in changed.items() if value != args[name]})
        if not move.args:
            return
        try:
            yield move, case.varied(signature, move.args, move.launch)
        except Rejected:
            continue


def taken(move: Move) -> str:
    """Return the fill that a change puts in place of the drafted one; empty if it doesn't."""
    text = repr(move.args)
    return next((fill for fill in OTHERS if repr(fill) in text), "")


def _with(value: object, fill: str) -> object:
    """Replace the drafted fill in an argument, or in the fields of one."""
    if not isinstance(value, Mapping):
        return value
    changed = {key: _with(each, fill) for key, each in value.items()}
    return {**changed, "fill": fill} if value.get("fill") == DRAFTED else changed
