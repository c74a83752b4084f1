"""L26, tried on small launches: who adds to which element where blocks share out the iterations of a loop."""

from __future__ import annotations

import random
from itertools import product


def test_l26_each_element_gets_what_is_owed_from_one_thread() -> None:
    draw = random.Random(26)
    for blocks, threads, rounds in product(range(1, 5), range(1, 4), range(6)):
        names = list(range(40))
        draw.shuffle(names)
        f = {(t, q): names.pop() for t, q in product(range(threads), range(max(rounds, blocks)))}
        owed = {
            (b, t, q): draw.randint(-9, 9)
            for b, t, q in product(range(blocks), range(threads), range(rounds))
            if draw.random() < 0.8
        }
        # beside the loop: to elements that are f(t, b) for the block's own position, or to none of the loop's
        own = {
            (b, t): (f[t, b] if draw.random() < 0.7 else 100 + b * threads + t, draw.randint(-9, 9))
            for b, t in product(range(blocks), range(threads))
        }
        scattered: dict[int, int] = {}
        for (_, t, q), amount in owed.items():
            scattered[f[t, q]] = scattered.get(f[t, q], 0) + amount
        for element, amount in own.values():
            scattered[element] = scattered.get(element, 0) + amount
        dealt: dict[int, int] = {}
        who: dict[int, set[tuple[int, int]]] = {}
        for b, t in product(range(blocks), range(threads)):
            for q in range(b, rounds, blocks):
                some = [owed[other, t, q] for other in range(blocks) if (other, t, q) in owed]
                if some:
                    dealt[f[t, q]] = dealt.get(f[t, q], 0) + sum(some)
                    who.setdefault(f[t, q], set()).add((b, t))
            element, amount = own[b, t]
            dealt[element] = dealt.get(element, 0) + amount
            who.setdefault(element, set()).add((b, t))
        assert dealt == scattered
        assert all(len(threads) == 1 for threads in who.values())


def test_l26_needs_that_an_element_says_its_iteration() -> None:
    """Of tiles that overlap, two iterations have an element in common, and two blocks would add to it."""
    blocks, width, step = 2, 3, 2
    who: dict[int, set[int]] = {}
    for q, t in product(range(4), range(width)):
        who.setdefault(step * q + t, set()).add(q % blocks)
    assert any(len(found) > 1 for found in who.values())


def test_l26_needs_the_blocks_own_place_among_the_iterations() -> None:
    """Where the elements beside the loop are those of another iteration, another thread has them."""
    blocks, width = 3, 4
    inside = {width * q + t: (q % blocks, t) for q, t in product(range(4), range(width))}
    beside = {width * (b + 1) + t: (b, t) for b, t in product(range(blocks), range(width))}
    assert any(inside[e] != beside[e] for e in inside.keys() & beside.keys())
