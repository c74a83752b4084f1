"""What the access analysis says of random kernels, against launches that count.

Never may an increment be plain where two threads meet in an element and one of
them has something to add. Launches in which the primal races, leaves an array or
has a negative size that was made unsigned are outside what is promised.
"""

from __future__ import annotations

import os

import pytest
from launches import Launch, Thread, Touch, touches
from small_kernels import small_kernel, small_launches, small_triangle
from test_global_access import sites, symbol
from tiers import half_thorough

from s2sad import parse
from s2sad.analysis.access import global_access
from s2sad.analysis.access.assumptions import Assumptions
from s2sad.analysis.access.global_access import Access
from s2sad.source import Source
from s2sad.transform.normalise.structure_exits import structure

KERNELS = int(os.environ.get("S2SAD_FUZZ", "120"))


@pytest.mark.parametrize("first", half_thorough(range(0, KERNELS, 20)))
def test_a_plain_increment_has_one_thread(first: int) -> None:
    for seed in range(first, first + 20):
        judge(seed, small_kernel(seed))


@pytest.mark.parametrize("first", half_thorough(range(0, KERNELS, 20)))
def test_so_it_has_where_triangles_are_packed(first: int) -> None:
    for seed in range(first, first + 20):
        judge(seed, small_triangle(seed))


def judge(seed: int, text: str) -> None:
    program = parse.program(Source("k.cu", text))
    repeats = seed % 3 != 0
    assumptions = Assumptions.of(() if repeats else ("injective:idx",))
    kernel = structure(program.kernel) if seed % 2 else program.kernel
    found = global_access.survey(kernel, assumptions, program.functions)
    owned = {
        name: found.ownership(symbol(found, name), sites(found, name)).how == "owner" for name in ("x", "y")
    }
    once = found.stored_once(symbol(found, "y"))
    if not once and not any(owned.values()):
        return
    for launch in small_launches(seed, 12, repeats):
        happened = touches(program.kernel, launch)
        if happened is None or races(happened) or not sizes_fit(found, launch):
            continue
        for name, plain in owned.items():
            assert not (plain and meet(happened, name)), f"{name}, seed {seed}, {launch}\n{text}"
        assert not (once and stores_twice(happened)), f"seed {seed}, {launch}\n{text}"


def races(happened: dict[Thread, list[Touch]]) -> bool:
    """Whether two threads touch one element of y and one of them stores it."""
    by: dict[int, set[Thread]] = {}
    stored: set[int] = set()
    for thread, events in happened.items():
        for kind, array, element in events:
            if array == "y":
                by.setdefault(element, set()).add(thread)
                if kind == "store":
                    stored.add(element)
    return any(len(by[e]) > 1 for e in stored)


def sizes_fit(found: Access, launch: Launch) -> bool:
    for size in found.facts_.sizes:
        total = 0
        for monomial, c in size.terms:
            for atom in monomial:
                c *= launch.values.get(atom.name, 1)
            total += c
        if total < 0:
            return False
    return True


def meet(happened: dict[Thread, list[Touch]], name: str) -> bool:
    """Whether two threads read one element and one of them stores anything."""
    readers: dict[int, set[Thread]] = {}
    storing = {t for t, events in happened.items() if any(kind == "store" for kind, _, _ in events)}
    for thread, events in happened.items():
        for kind, array, element in events:
            if kind == "read" and array == name:
                readers.setdefault(element, set()).add(thread)
    return any(len(threads) > 1 and threads & storing for threads in readers.values())


def stores_twice(happened: dict[Thread, list[Touch]]) -> bool:
    for events in happened.values():
        stored = [element for kind, _, element in events if kind == "store"]
        if len(stored) != len(set(stored)):
            return True
    return False
