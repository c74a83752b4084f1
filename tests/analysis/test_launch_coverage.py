"""L19, tried on small launches; and which reads are proved to keep to the points that a launch covers."""

from __future__ import annotations

import random
from itertools import product

import pytest

from s2sad.analysis.access.launch_coverage import shifts, strides
from s2sad.analysis.symbolic.polynomials import Atoms, Poly, number, variable


def test_l19_what_is_owed_to_an_element_is_owed_by_the_points_around_it() -> None:
    """Whatever the guards, if they imply that the thread and its elements are points of E."""
    draw = random.Random(19)
    for width, height, more in product(range(1, 5), range(1, 4), range(3)):
        inside = set(product(range(width), range(height)))
        threads = set(product(range(width + more), range(height + more)))
        for _ in range(10):
            terms = []
            for _ in range(3):
                dx, dy = draw.randint(-2, 2), draw.randint(-2, 2)
                allowed = {(x, y) for x, y in threads & inside if (x + dx, y + dy) in inside}
                guard = {p for p in sorted(allowed) if draw.random() < 0.8}
                terms.append(((dx, dy), guard, {p: draw.randint(1, 9) for p in threads}))
            scattered = dict.fromkeys(range(width * height), 0)
            for (dx, dy), guard, amount in terms:
                for x, y in guard:
                    scattered[x + dx + width * (y + dy)] += amount[x, y]
            collected = dict.fromkeys(range(width * height), 0)
            touched = []
            for x, y in threads:
                sources = [((x - dx, y - dy), guard, amount) for (dx, dy), guard, amount in terms]
                owed = [amount[p] for p, guard, amount in sources if p in inside and p in guard]
                if owed:
                    touched.append(x + width * y)
                    collected[x + width * y] += sum(owed)
            assert collected == scattered
            assert len(touched) == len(set(touched))


def test_l19_needs_that_elements_are_points() -> None:
    """Of a row of 3, x + 1 == 3 is the first element of the next row, which has a thread of its own."""
    width, guard = 3, [(2, 0), (0, 1)]
    owners = {x + 1 + width * y for x, y in guard}
    assert 3 in owners
    assert {(e % width, e // width) for e in owners} & set(guard)


ATOMS = Atoms()
W, H, DX, DY = (variable(ATOMS.named(name, name, "uniform")) for name in ("w", "h", "dx", "dy"))
ONE = number(1)


@pytest.mark.parametrize(
    ("extents", "expected"),
    [
        ((W, H), (DX - ONE, DY + ONE)),
        ((W, H), (ONE, -DY)),
        ((number(512), H), (DX - ONE, DY - ONE)),
        ((number(512), number(64)), (-ONE, ONE)),
        ((W, H, number(9)), (DX, DY - ONE, ONE)),
        ((H,), (W * DX - ONE,)),
    ],
)
def test_an_offset_is_a_shift_along_each_axis(extents: tuple[Poly, ...], expected: tuple[Poly, ...]) -> None:
    rest = number(0)
    for stride, shift in zip(strides(extents), expected, strict=True):
        rest = rest + stride * shift
    assert shifts(rest, extents) == expected
