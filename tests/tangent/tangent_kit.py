"""The golden kernels in forward mode and in second order: which are tested by default, and their libraries.

The others are for `pytest -m derivatives`, which tests/derivatives.sh runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache

import golden_builds
import pytest
from golden_kit import KERNELS, asked, batch, made

from s2sad.diagnostics import Rejected
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.validate import Pair, Twice

FEW = 4  # up to so many are compiled one by one


def isolated() -> Iterator[Backend]:
    """The CPU backend in a separate process: a crash of a kernel only fails its test."""
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def building(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """compiled(file, name): compile the kernels of a batch that a file tests, together with that kernel."""
    asked_for: dict[str, set[str]] = {}
    for item in request.session.items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            name = item.callspec.params.get("name")
            if name in KERNELS:
                asked_for.setdefault(item.path.stem, set()).add(name)

    @cache
    def build(file: str, number: int) -> None:
        pairs: list[Pair] = []
        adjoints: list[Pair] = []
        twice: list[Twice] = []
        for name in (n for n in KERNELS if n in asked_for[file] and batch(n) == number):
            with suppress(Rejected):  # reported by the kernel's own test
                if file == "test_second_order":
                    done = made(name, "second-order")
                    assert done.first is not None
                    twice.append(Twice(done.first.pair, done.pair))
                else:
                    pairs.append(made(name, "tangent").pair)
                    adjoints.append(made(name, asked(name)).pair)
        if len(pairs) > FEW:
            golden_builds.build_tangents(pairs, adjoints)
        if len(twice) > FEW:
            golden_builds.build_second_order(twice)

    return lambda file, name: build(file, batch(name))
