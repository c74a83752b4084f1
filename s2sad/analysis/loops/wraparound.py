"""Whether a loop's counter wraps around before the loop ends.

Unsigned integers wrap, and so do narrow signed ones, whose sums are computed as `int` and
converted back. A loop over such a counter has the trips and the direction that its head
suggests only if the counter never steps across an end of its type:

    for (unsigned j = 3; j != -1; --j)         3, 2, 1, 0
    for (unsigned char j = 250; j != 3; ++j)   250 ... 255, 0, 1, 2
    for (unsigned j = 5; j >= 0; --j) { ...; if (j == 0) break; }

Overflow of `int` and wider signed types is undefined, so these count on to their bound.
For types of 32 bits and more, a bound that isn't a literal is assumed to be more than one
step from the end of the type, as the header states: a loop that passes it runs 2^32 times.
"""

from __future__ import annotations

from ...ir import INT, Expr, Scalar, Special
from ..constants import Range, overflows, range_of, values


def reaches(
    kind: Scalar, compared: Scalar, start: Expr | None, op: str, bound: Expr, step: int, exits: bool
) -> bool:
    """Whether a counter reaches the end that `counter op bound` gives without wrapping around.

    `kind` is the counter's type, `compared` the type in which it is compared; `step` is the amount
    added each time, negative downwards. `exits`: the loop may end otherwise, so it may never reach
    that end; a loop without exits that doesn't reach it would run forever.
    """
    if compared.kind == "unsigned" and kind.kind == "signed":
        kind = compared  # a negative counter is a large one
    low, high = range_of(kind)
    first = (low, high) if start is None else values(start, kind)
    last = values(bound, compared)
    if op == "!=":
        return _meets(kind, start, bound, first, last, step, exits)
    if overflows(kind):
        return True
    up = step > 0
    if op not in (("<", "<=") if up else (">", ">=")):
        return False
    if abs(step) == 1 and not exits:
        return True  # past the end of the type it would start over, forever
    if first[0] == first[1] and last[0] == last[1]:
        return _stays(first[0], op, last[0], step, low, high)
    strict = op in ("<", ">")
    if up:
        if kind.size >= INT.size and last[0] != last[1]:
            return True
        return last[1] - strict + step <= high
    if kind.size >= INT.size and not exits:
        return True
    return last[0] + strict + step >= low


def _stays(value: int, op: str, bound: int, step: int, low: int, high: int) -> bool:
    """Like `reaches`, for literals: whether the first value beyond the bound is in the type's range."""
    distance = (bound - value if step > 0 else value - bound) + (op in ("<=", ">="))
    trips = max(0, -(-distance // abs(step)))
    return low <= value + trips * step <= high


def _meets(
    kind: Scalar, start: Expr | None, bound: Expr, first: Range, last: Range, step: int, exits: bool
) -> bool:
    """Whether a counter with the step 1 or -1 equals its bound before it passes the end of its type."""
    if abs(step) != 1:
        return False
    if overflows(kind) and not exits:
        return True
    match start, bound:
        case Special("threadIdx", a), Special("blockDim", b) if a == b and step > 0:
            return True
    return first[1] <= last[0] if step > 0 else first[0] >= last[1]
