"""Propose arguments that may reach points a case doesn't: numbers, fills and launches, likely ones first.

A move is the change of a further launch relative to the case. Numbers come from conditions
that weren't decided both ways, from the block's size, and from values that make loops run zero times, once
and often; fills come from the same, with negative, large, tiny and constant values.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from ..run.coverage import Point
from ..signature import Argument, Signature
from .elements import is_floating

Table = Mapping[str, object]
_LITERAL = re.compile(r"(?<![\w.])(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)[fFuUlL]*(?![\w.])")
_FILLS = (
    "uniform(-1, 1)",
    "uniform(0, 1)",
    "uniform(-10, 10)",
    "uniform(0.5, 20)",
    "uniform(-20, -0.5)",
    "uniform(-1000, 1000)",
    "uniform(-0.001, 0.001)",
    "ones",
    "zeros",
)
_MOST_LITERALS = 6
# Words in conditions that depend on the launch.
_OF_LAUNCHES = frozenset({"blockDim", "gridDim", "threads", "warp"})


@dataclass(frozen=True)
class Move:
    """The changes of a further launch, as in `[[also]]`."""

    args: Table = field(default_factory=dict)
    launch: Table = field(default_factory=dict)

    def then(self, other: Move) -> Move:
        return Move({**self.args, **other.args}, {**self.launch, **other.launch})

    @property
    def degenerate(self) -> bool:
        """Whether values are zero or one, which may hide a wrong factor or a missing term."""
        arrays = [value for value in self.args.values() if isinstance(value, Mapping)]
        fills = [array.get("fill") for array in arrays if array.get("shape") != 0]
        numbers = [value for value in self.args.values() if isinstance(value, int | float)]
        return any(fill in ("zeros", "ones") for fill in fills) or any(n in (0, 1) for n in numbers)

    @property
    def key(self) -> str:
        return repr((sorted(self.args.items(), key=str), sorted(self.launch.items(), key=str)))


def literals(points: Sequence[Point]) -> list[float]:
    """Return the numbers in conditions, the most frequent first."""
    found: dict[float, int] = {}
    for point in points:
        for text in _LITERAL.findall(point.text):
            value = float(text)
            found[value] = found.get(value, 0) + 1
    return sorted(found, key=lambda value: (-found[value], value))[:_MOST_LITERALS]


def moves(
    signature: Signature,
    args: Table,
    launch: Table,
    threads: int,
    wanted: Sequence[Point],
    sized: bool = False,
) -> list[Move]:
    """Return all single moves from these arguments. `wanted` are points that weren't reached.

    `sized`: the kernel is written for one block size, so other sizes would prove nothing.
    """
    numbers = literals(wanted)
    words = set(re.findall(r"\w+", " ".join(point.text for point in wanted)))
    ranked: list[tuple[bool, Iterator[Move]]] = []
    for argument in signature.arguments:
        value = args.get(argument.name)
        if argument.within or value is None:
            continue
        if not argument.pointer:
            each = _scalars(argument, value, threads, numbers)
        elif isinstance(value, dict):
            each = _fills(argument, value, numbers, threads)
            if any(_asks_for(argument.name, point.text) for point in wanted):
                each = chain([Move({argument.name: {"shape": 0, "fill": "zeros"}})], each)
        else:
            continue
        ranked.append((argument.name not in words, each))
    ranked.sort(key=lambda pair: pair[0])
    launches = [each for each in _launches(launch, threads) if not (sized and "block" in each.launch)]
    room = _room(args)
    launches += [Move(room, each.launch) for each in launches if room and "block" in each.launch]
    found = [*_interleaved([each for _, each in ranked]), *launches]
    if words & _OF_LAUNCHES:
        found = [*launches, *found]
    return list({move.key: move for move in found}.values())


def _asks_for(name: str, condition: str) -> bool:
    """Whether a condition tests an array of that name for null: `p != nullptr`, `!p`, `p`."""
    null = r"(?:nullptr|NULL|0)"
    asked = rf"\b{name} *[!=]= *{null}\b|\b{null} *[!=]= *{name}\b|! *{name}\b(?! *[\[(])"
    return condition.strip() == name or re.search(asked, condition) is not None


def _interleaved(several: Sequence[Iterator[Move]]) -> Iterator[Move]:
    """Yield the first of each, then the second of each, and so on."""
    left = list(several)
    while left:
        still = []
        for each in left:
            move = next(each, None)
            if move is not None:
                yield move
                still.append(each)
        left = still


def _scalars(argument: Argument, value: object, threads: int, numbers: Sequence[float]) -> Iterator[Move]:
    own = float(value) if isinstance(value, int | float) else 0.0
    tried: list[float]
    if argument.type == "bool":
        tried = [0, 1]
    elif is_floating(argument.type):
        near = [literal + step for literal in numbers for step in (-0.25, 0.25)]
        tried = [-own, 0.0, 10 * own, 0.05, *near, 100.0, -100.0, 1.0]
    else:
        near = list(chain(*((n - 1, n, n + 1, -n) for n in numbers if n == int(n) and abs(n) < 4096)))
        tried = [0, 1, 2, own + 1, *near, 5, 9, threads - 1, threads + 1, 2 * threads + 3, -1]
    for new in dict.fromkeys(tried):
        if new != own:
            yield Move({argument.name: new if is_floating(argument.type) else int(new)})


def _fills(argument: Argument, value: Table, numbers: Sequence[float], threads: int) -> Iterator[Move]:
    if is_floating(argument.type):
        near = [
            f"uniform({low:g}, {high:g})"
            for n in numbers
            for low, high in ((n - 0.5, n + 0.5), (-n - 0.5, 0.5 - n))
        ]
        tried = [*near[:4], *_FILLS, *near[4:]]
    else:
        whole = [int(n) for n in numbers if n == int(n) and abs(n) < 4096]
        ascending = str(value.get("fill", "")).startswith("sorted")
        tried = ["sorted(0, 5)", "sorted(0, 64)"] if ascending else []
        tried += ["zeros", "ones", "randint(0, 2)", "randint(0, 5)", "arange"]
        tried += [f"randint({n - 1}, {n + 2})" for n in whole] + [
            "randint(-2, 3)",
            "permutation",
            "randint(0, 64)",
        ]
    for fill in dict.fromkeys(tried):
        if fill != value.get("fill"):
            yield Move({argument.name: {**{k: v for k, v in value.items() if k == "shape"}, "fill": fill}})
    for seed in (1, 2):
        yield Move({argument.name: {**value, "seed": seed}})


def _launches(launch: Table, threads: int) -> Iterator[Move]:
    """Yield launches with other numbers of blocks, and with other block sizes along the first axis."""
    grid, block = launch.get("grid"), launch.get("block")
    if isinstance(grid, str):
        yield Move(launch={"grid": f"{grid} + 1"})
        yield Move(launch={"grid": 1})
        yield Move(launch={"grid": 2})
    elif isinstance(grid, list) and all(isinstance(size, str) for size in grid):
        yield Move(launch={"grid": [f"{size} + 1" for size in grid]})
    elif isinstance(grid, int):
        yield Move(launch={"grid": grid + 1})
    if isinstance(block, int):
        for size in (32, 2 * block, 96, 33, 16, 256):
            if size != block and size <= 1024:
                yield Move(launch={"block": size, **resized(grid, block, size)})
    elif isinstance(block, list) and math.prod(block) <= 256:
        yield Move(launch={"block": [4 * block[0], *block[1:]]})


def _room(args: Table) -> Table:
    """Enlarge arrays of explicit length four times, because more threads may need more elements."""
    numbered = {
        name: value
        for name, value in args.items()
        if isinstance(value, dict) and isinstance(value.get("shape"), int) and value["shape"] > 0
    }
    filled = {n: v for n, v in numbered.items() if not str(v.get("fill", "")).endswith(".npy")}
    return {name: {**value, "shape": 4 * value["shape"]} for name, value in filled.items()}


def resized(grid: object, block: int, size: int) -> Table:
    """Return the grid for blocks of another size, if its expression divides by the block size."""
    if not isinstance(grid, str) or f"/ {block}" not in grid:
        return {}
    return {"grid": grid.replace(f"+ {block - 1}", f"+ {size - 1}").replace(f"/ {block}", f"/ {size}")}
