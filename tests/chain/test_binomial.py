"""The binomial schedule costs what the formula says, and nothing costs less."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from s2sad.chain.binomial import default_slots, forward_steps, least_steps, repetitions, schedule


@cache
def cheapest(steps: int, slots: int) -> int:
    """Find the fewest steps by trying every place of the next checkpoint."""
    if steps <= 1:
        return 0
    if slots == 1:
        return steps * (steps - 1) // 2
    return min(
        first + cheapest(steps - first, slots - 1) + cheapest(first, slots) for first in range(1, steps)
    )


@pytest.mark.parametrize("slots", range(1, 12))
def test_no_schedule_costs_less(slots: int) -> None:
    for steps in range(60):
        assert least_steps(steps, slots) == cheapest(steps, slots)


def followed(steps: int, slots: int) -> tuple[int, Counter[int]]:
    """Follow a schedule; return the most states kept at a time, and how often each step ran."""
    kept: list[int] = []
    most, current, ran = 0, 0, Counter[int]()
    turned = False
    left = list(reversed(range(steps)))
    for action, step in schedule(steps, slots):
        match action:
            case "keep":
                assert step == current
                kept.append(step)
                most = max(most, len(kept))
            case "advance":
                assert step == current
                current += 1
                ran[step] += 1
            case "turn":
                assert not turned
                assert current == steps
                turned = True
            case "restore":
                current = kept[-1]
                assert step == current
            case "reverse":
                assert turned
                assert step == current == left.pop(0)
            case "drop":
                assert kept.pop() == step
    assert turned
    assert not kept
    assert not left
    return most, ran


@pytest.mark.parametrize("slots", range(1, 12))
def test_every_step_is_reversed_once_from_the_state_before_it(slots: int) -> None:
    for steps in range(60):
        most, ran = followed(steps, slots)
        assert most <= slots
        assert sum(ran.values()) == forward_steps(steps, slots)
        assert max(ran.values(), default=0) <= repetitions(steps + 1, slots)


@pytest.mark.parametrize(("slots", "forward"), [(5, 6292), (20, 2750), (100, 1900), (1000, 1000)])
def test_a_thousand_steps_cost_what_the_formula_says(slots: int, forward: int) -> None:
    most, ran = followed(1000, slots)
    assert sum(ran.values()) == forward_steps(1000, slots) == forward
    assert most == slots


def test_without_a_number_no_step_runs_four_times() -> None:
    for steps in (1, 2, 10, 1000, 10**6):
        assert repetitions(steps + 1, default_slots(steps)) <= 3
