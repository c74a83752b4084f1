"""The binomial schedule: which states a loop keeps, so that going back costs the fewest steps.

With room for `slots` states, the fewest steps that must be run to reverse `n` of them are

    t(n, slots) = r n - C(slots + r, r - 1)     where C(slots + r - 1, r - 1) < n <= C(slots + r, r)

A. Griewank, A. Walther: Algorithm 799: revolve. ACM TOMS 26 (2000), 19-45, equation (3) and theorem 6.
The state before the first step is one of those kept, and a step is reversed from the state before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, isqrt
from typing import Literal

Action = tuple[Literal["keep", "advance", "turn", "restore", "reverse", "drop"], int]
"""One thing to do, and a step's number.

keep S       keep the state before step S, which is the current one
advance S    run step S
turn N       all N steps have run: what comes after the loop runs, forwards and backwards
restore S    make the state before step S current; it was kept last
reverse S    reverse step S; the state before it is current
drop S       forget the state before step S, which was kept last
"""


def repetitions(steps: int, slots: int) -> int:
    """Return r: no step is run more than r times."""
    r = 0
    while comb(slots + r, r) < steps:
        r += 1
    return r


def least_steps(steps: int, slots: int) -> int:
    """Return t(steps, slots), the fewest steps that must be run to reverse `steps` of them."""
    if steps <= 1:
        return 0
    r = repetitions(steps, slots)
    return r * steps - comb(slots + r, r - 1)


def forward_steps(steps: int, slots: int) -> int:
    """Return how often a step is run in the whole schedule.

    What comes after the loop takes the place of a last step: its values are needed before any
    step is reversed.
    """
    return least_steps(steps + 1, slots)


def default_slots(steps: int) -> int:
    """Return the number of states to keep if nobody says: the square root, so no step runs four times."""
    return max(1, isqrt(steps - 1) + 1) if steps > 0 else 1


def split(steps: int, slots: int) -> int:
    """Return after how many of `steps` the next state is kept; one of the `slots` has the current one."""
    r = repetitions(steps, slots)
    return min(comb(slots + r - 1, slots), steps - comb(slots + r - 2, slots - 1))


def schedule(steps: int, slots: int) -> Iterator[Action]:
    """Yield what to do to run a loop of `steps` and to reverse it, with room for `slots` states."""
    kept = [0]
    yield "keep", 0
    for end in range(steps, -1, -1):
        here = kept[-1]
        if end < steps:
            yield "restore", here
        while here < end:
            free = slots - len(kept)
            there = here + split(end + 1 - here, free + 1) if free and end + 1 - here > 2 else end
            for step in range(here, there):
                yield "advance", step
            here = there
            if here < end:
                kept.append(here)
                yield "keep", here
        yield ("turn", steps) if end == steps else ("reverse", end)
        if kept[-1] == end or end == 0:
            kept.pop()
            yield "drop", here
