"""What a random kernel may name at a place, and what is known of it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

REALS = ("float", "double")
Role = Literal["read", "index", "state", "out", "inout", "scratch", "local", "alias"]


@dataclass(frozen=True)
class Own:
    """A scalar and the range of its values; `fixed`: it must not be assigned to."""

    name: str
    type: str
    low: float
    high: float
    fixed: bool = False

    @property
    def real(self) -> bool:
        return self.type in REALS


@dataclass(frozen=True)
class Array:
    """An array of so many elements.

    `high`: the largest value of an integer one; `second`: the inner extent of two.
    """

    name: str
    type: str
    role: Role
    size: int
    high: int = 2
    second: int = 0

    @property
    def written(self) -> bool:
        return self.role in ("out", "inout", "scratch")


class Scope:
    """Nested scopes. An inner declaration hides an outer one, arrays too."""

    def __init__(self, rng: random.Random, reals: list[str], wholes: list[str]) -> None:
        self.rng = rng
        self.pools = {"real": reals, "int": wholes}
        self.names: list[dict[str, Own | Array]] = [{}]
        self.arrays: dict[str, Array] = {}  # parameters
        self.functions: dict[str, tuple[str, ...]] = {}
        self.own = ""  # the index of a thread's own element; a hole for a column
        self.columns = 0
        self.renamed: list[str] = []  # what has another name besides, and may change under that

    def push(self) -> None:
        self.names.append({})

    def pop(self) -> dict[str, Own | Array]:
        return self.names.pop()

    def declare(self, name: str, kind: str, low: float, high: float, fixed: bool = False) -> Own:
        own = Own(name, kind, low, high, fixed)
        self.names[-1][name] = own
        return own

    def fresh(self, kind: str, avoid: str = "") -> str:
        """A name that the innermost scope hasn't; it may hide an outer one that isn't needed."""
        pool = self.pools["real" if kind in REALS else "int"]
        words = set(re.findall(r"\w+", avoid))
        kept = {"n", "m", "i", "j0", "perm", *self.functions}
        visible = {name for layer in self.names for name in layer} | set(self.arrays)
        hidden = self.rng.random() < 0.15
        for _ in range(20):
            name = self.rng.choice(pool)
            if name in words or name in kept or name in self.names[-1]:
                continue
            if name not in visible or (hidden and len(self.names) > 2):
                return name
        number = 1
        while (name := f"{self.rng.choice(pool)}{number}") in visible or name in words or name in kept:
            number += 1
        return name

    def visible(self) -> Iterator[Own | Array]:
        """All that can be named here."""
        found: dict[str, Own | Array] = dict(self.arrays)
        for layer in self.names:
            found.update(layer)
        return iter(found.values())

    def scalars(self, real: bool) -> list[Own]:
        return [own for own in self.visible() if isinstance(own, Own) and own.real == real]

    def all_arrays(self) -> list[Array]:
        return [own for own in self.visible() if isinstance(own, Array)]
