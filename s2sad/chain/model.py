"""A chain as data: launches, swaps and loops over named arrays and numbers, and what to differentiate.

A chain is written like the loop of a host program. Its arrays have names; a launch binds each
parameter of its kernel to one of them, or to a part of one, or to a number:

    Repeat("steps", counter="t", checkpoints=20, do=[
        Launch("diffuse.cu", grid=["(width + 7) / 8", "(height + 7) / 8"], block=[8, 8],
               args={"next": "v"}),            # the other parameters are named like their arrays
        Swap("u", "v"),
    ])
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..validate.expressions import Expression, ExpressionError, parse
from ..validate.recipe import Size

Path = tuple[str, ...]
Binding = str | int | float

_SLICE = re.compile(r"\s*([A-Za-z_]\w*)\s*\[(.*?)(?<!:):(?!:)(.*)\]\s*", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")


class Unreadable(ValueError):
    """A part of a chain doesn't make sense; where, by keys, and in which part of the text."""

    def __init__(self, what: str, path: Path = (), text: str = "", start: int = 0, end: int = 0) -> None:
        super().__init__(what)
        self.what, self.path = what, path
        self.text, self.start, self.end = text, start, end


@dataclass(frozen=True)
class Part:
    """Elements `begin` to `end`, excluded, of an array: `x[t * n : (t + 1) * n]`."""

    array: str
    begin: Size
    end: Size


@dataclass(frozen=True)
class Bound:
    """What a parameter is bound to: an array or a part of one, a scalar by its name, or a number."""

    text: str
    name: str = ""  # of an array, or of a scalar
    part: Part | None = None
    size: Size | None = None  # an integer expression
    number: float | None = None


def bound(value: Binding) -> Bound:
    """Read what a parameter is bound to. Raises ExpressionError."""
    if isinstance(value, bool):
        return Bound(str(value), size=int(value))
    if isinstance(value, int):
        return Bound(str(value), size=value)
    if isinstance(value, float):
        return Bound(repr(value), number=value)
    if _NAME.fullmatch(value.strip()):
        return Bound(value, name=value.strip())
    if cut := _SLICE.fullmatch(value):
        begin, end = (_within(value, cut, group) for group in (2, 3))
        return Bound(value, part=Part(cut[1], begin, end))
    if re.fullmatch(r"\s*[A-Za-z_]\w*\s*\[.*", value, re.DOTALL):
        raise ExpressionError("a part of an array is written NAME[BEGIN : END]", 0, len(value))
    return Bound(value, size=parse(value))


def _within(text: str, cut: re.Match[str], group: int) -> Expression:
    try:
        return parse(cut[group])
    except ExpressionError as error:
        start = cut.start(group)
        raise ExpressionError(str(error), start + error.start, start + error.end) from None


@dataclass(frozen=True)
class Launch:
    """A launch of a kernel of FILE.cu.

    `args` binds parameters by name; one without an entry is bound to the array or the number of
    its own name. Sizes are numbers or expressions over the chain's integers.
    """

    file: str | os.PathLike[str]
    kernel: str = ""
    grid: Sequence[int | str] | int | str = 1
    block: Sequence[int | str] | int | str = 1
    shared_bytes: int | str = 0
    args: Mapping[str, Binding] = field(default_factory=dict)
    define: Mapping[str, str | int | float] = field(default_factory=dict)
    include: Sequence[str | os.PathLike[str]] = ()
    template: Mapping[str, str | int | bool] = field(default_factory=dict)
    assume: Sequence[str] = ()


@dataclass(frozen=True)
class Swap:
    """Two arrays of one type and size change their names, as by std::swap of pointers."""

    first: str
    second: str


@dataclass(frozen=True)
class Repeat:
    """A loop: `count` times what is in `do`; `counter` counts from 0 and may be used in expressions.

    To go back, the state before some of its steps is kept: of `checkpoints` of them, or of as
    many as fit `bytes`. With neither, it is the square root of the count. Arrays in `scratch` aren't kept:
    their values before a step don't matter, because the step overwrites them before it reads them.
    """

    count: int | str
    do: Sequence[Step]
    counter: str = ""
    checkpoints: int | str | None = None
    bytes: int | str | None = None
    scratch: Sequence[str] = ()


Step = Launch | Swap | Repeat


def walk(steps: Sequence[Step], path: Path = ("step",)) -> Iterator[tuple[Path, Step]]:
    """Yield all steps, outer ones first, each with its path."""
    for number, step in enumerate(steps):
        here = (*path, str(number))
        yield here, step
        if isinstance(step, Repeat):
            yield from walk(step.do, (*here, "do"))


_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_UNITS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}


def byte_count(value: int | str) -> int:
    """Read a number of bytes: 65536, "64 MB", "1.5 GiB". Raises ValueError."""
    if isinstance(value, int):
        return value
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*", value)
    if found is None or found[2].lower() not in _UNITS:
        raise ValueError(f"{value!r} isn't a number of bytes")
    return int(float(found[1]) * _UNITS[found[2].lower()])
