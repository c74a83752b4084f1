"""Infer a kernel's launch from its text: dimensions, the block it is written for, known extents.

This uses patterns, for a draft that a user adjusts or a search that tries it. If nothing is found,
the draft uses its defaults; a wrong hint shows when the draft runs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from .expressions import ExpressionError, parse

_AXES = "xyz"
_MOST = 1024  # threads of a block
_COORDINATE = re.compile(r"\b(?:threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*([xyz])\b")
_BLOCK = re.compile(r"\b(?:blockIdx|gridDim)\s*\.\s*([xyz])\b")
_THREAD = re.compile(r"\b(?:threadIdx|blockDim)\s*\.\s*([xyz])\b")
_RANK = re.compile(r"\bthread_(?:rank|index)\b|\bthreadIdx\b(?!\s*\.\s*[xyz]\b)")
_NUMBER = r"\(?\s*(\d+)[uU]?\s*\)?"
_TIMES = re.compile(rf"\bblockIdx\s*\.\s*([xyz])\s*\*\s*{_NUMBER}|{_NUMBER}\s*\*\s*blockIdx\s*\.\s*([xyz])\b")
_BOUNDS = re.compile(r"__launch_bounds__\s*\(\s*(\d+)")
_VARIABLE = re.compile(r"\b(\w+)\s*=\s*([^;=]*\bblockIdx\s*\.\s*([xyz])[^;]*);")
_MODULE = re.compile(r"__(?:constant|device)__[^;={}()]*?\b(\w+)\s*((?:\[[^\]]+\]\s*)+)\s*[;=]")
_MEETS = re.compile(r"__syncthreads|__shfl|__syncwarp|__ballot|tiled_partition|__shared__")
_SHARED = re.compile(r"__shared__\s+[\w\s]*?(\w+\s*\[[^;=]*);")
_ONE = re.compile(r"(\w+)\s*((?:\[[^\[\]]+\]\s*)+)(?:,|$)")
_ALIAS = re.compile(r"\b(\w+)\s*=\s*(?:\(\w+\)\s*)?threadIdx\s*\.\s*([xyz])\s*[,;]")
_DEFINED = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<macro>[A-Za-z_]\w*)[ \t]+(?P<text>[^\n]+)$"
    r"|\b(?:const|constexpr)\s+(?:unsigned\s+)?(?:int|unsigned|size_t)\s+(?P<name>\w+)\s*=\s*(?P<value>[^;,]+);",
    re.MULTILINE,
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def sizes_of(block: str) -> tuple[int, ...]:
    """Return the sizes of a block along x, y and z: (16, 16, 1) of `16:16`."""
    return tuple(int(size) for size in [*block.split(":"), "1", "1"][:3])


@dataclass(frozen=True)
class Hints:
    """Hints by axis: `block` has extents, `bounds` the names that coordinates are compared with, `x.dim0`
    for `x.size(0)` of a tensor.

    `room` is the number of threads that have an element each in shared arrays.
    """

    dimensions: int = 1
    block: Mapping[int, int] = field(default_factory=dict)
    bounds: Mapping[int, str] = field(default_factory=dict)
    room: Mapping[int, int] = field(default_factory=dict)
    blocks: frozenset[int] = frozenset()  # axes along which the text distinguishes blocks
    by_block: frozenset[int] = frozenset()  # axes along which a block, not a thread, has an item
    extents: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    single: frozenset[int] = frozenset()  # axes along which blocks are told apart, and threads are not
    meets: bool = False  # threads of a block cooperate
    dynamic: bool = False  # there is dynamic shared memory
    distinct: frozenset[str] = frozenset()  # integer arrays in which no value may occur twice
    earlier: frozenset[str] = frozenset()  # integer arrays in which each value must be below its index
    ascending: frozenset[str] = frozenset()  # integer arrays in which no value may be below the one before

    def under(self, assume: Iterable[str]) -> Hints:
        """Apply the adjoint's assumptions, `launch:1d` or `sorted:ptr`: other launches prove nothing."""
        said = [word.split(":", 1) for word in assume]
        most = [int(what[0]) for kind, what in said if kind == "launch"]
        sizes = next((sizes_of(what) for kind, what in said[::-1] if kind == "block"), ())
        return replace(
            self,
            block={**self.block, **dict(enumerate(sizes))},
            dimensions=min([self.dimensions, *most]),
            distinct=self.distinct | {what for kind, what in said if kind == "injective"},
            earlier=self.earlier | {what for kind, what in said if kind == "earlier"},
            ascending=self.ascending | {what for kind, what in said if kind == "sorted"},
        )

    def extent(self, axis: int) -> int:
        """Return the threads along an axis that the text is written for; 0 if unknown."""
        return self.block.get(axis) or self.room.get(axis, 0)

    @property
    def sized(self) -> bool:
        """Whether the text is written for blocks of one size."""
        return 0 in self.block or 0 in self.room

    @staticmethod
    def of(text: str) -> Hints:
        """Find the hints of a text, preprocessed or not."""
        text = _with_numbers(_COMMENT.sub(" ", text))
        axes = {_AXES.index(axis) for axis in _COORDINATE.findall(text)}
        block: dict[int, int] = {}
        for first, number, other, last in _TIMES.findall(text):
            block.setdefault(_AXES.index(first or last), int(number or other))
        if found := _BOUNDS.search(text):
            block.setdefault(0, int(found[1]))
        bounds = dict(_bounds(text))
        return Hints(
            max(axes, default=0) + 1,
            {axis: size for axis, size in block.items() if 0 < size <= 1024},
            {axis: size for axis, (size, _) in bounds.items()},
            dict(_room(text)),
            frozenset(_AXES.index(axis) for axis in _BLOCK.findall(text)),
            frozenset(axis for axis, (_, whole) in bounds.items() if whole),
            dict(_extents(text)),
            _single(text),
            bool(_MEETS.search(text)),
            bool(re.search(r"\bextern\s+(?:\w+\s+)*__shared__|__shared__[^;]*\bextern\b", text)),
        )


def _single(text: str) -> frozenset[int]:
    """Return the axes whose blocks have one thread each: `int n = blockIdx.y;`, and no threadIdx.y."""
    if _RANK.search(text):
        return frozenset()
    return frozenset(_AXES.index(axis) for axis in {*_BLOCK.findall(text)} - {*_THREAD.findall(text)})


def constants(text: str) -> dict[str, int]:
    """Return the integer constants and macros of a text, without comments."""
    known: dict[str, int] = {}
    for found in _DEFINED.finditer(_COMMENT.sub(" ", text)):
        name = found["macro"] or found["name"]
        try:
            known[name] = parse((found["text"] or found["value"]).strip()).value(known, "float")
        except ExpressionError:
            continue
    return known


def _with_numbers(text: str) -> str:
    """Replace the names of integer constants and macros by their values."""
    known = constants(text)
    return re.sub(rf"\b(?:{'|'.join(known)})\b", lambda m: str(known[m[0]]), text) if known else text


def _room(text: str) -> dict[int, int]:
    """Return the number of threads along each axis that have an element each in shared arrays.

    For `__shared__ float s[16];` and `s[threadIdx.x]` it is 16; `s[threadIdx.x + 1]` gives no hint.
    """
    named = dict(_ALIAS.findall(text)) | {f"threadIdx.{axis}": axis for axis in _AXES}
    found: dict[int, int] = {}
    for declared in _SHARED.findall(text):
        for array, brackets in _ONE.findall(declared):
            extents = _numbers(brackets)
            uses: list[str] = (
                []
                if not extents
                else re.findall(rf"\b{array}\s*((?:\[[^\[\]]*\]\s*){{{len(extents)}}})", text)
            )
            for use in uses:
                for extent, index in zip(extents, re.findall(r"\[([^\[\]]*)\]", use), strict=False):
                    axis = named.get(re.sub(r"\s", "", index))
                    if axis is not None:
                        number = _AXES.index(axis)
                        found[number] = min(_unpadded(extent), found.get(number, extent))
    return found if math.prod(found.values()) <= _MOST else {}


def _unpadded(extent: int) -> int:
    """Return the threads that use a row of so many elements: 32 of 33, which avoids bank conflicts."""
    less = extent - 1
    return less if less > 1 and less & (less - 1) == 0 else extent


def _bounds(text: str) -> Iterator[tuple[int, tuple[str, bool]]]:
    """Yield each axis, the name its coordinate is compared with, and whether it is a block's coordinate."""
    seen: set[int] = set()
    of_thread = "|".join(
        [r"\bthreadIdx\b|\bthread_(?:rank|index)\b", *(rf"\b{n}\b" for n, _ in _ALIAS.findall(text))]
    )
    for variable, value, axis in _VARIABLE.findall(text):
        number = _AXES.index(axis)
        compared = re.search(rf"\b{variable}\s*(?:<|>=)\s*([A-Za-z_][\w.]*)\s*[)|&;?]", text)
        extent = re.search(
            rf"\b{variable}\s*(?:<|>=)\s*([A-Za-z_]\w*)\s*\.\s*size\s*\(\s*(\d)\s*\)\s*[)|&;?]", text
        )
        bound = compared[1] if compared else f"{extent[1]}.dim{extent[2]}" if extent else ""
        if bound and number not in seen and bound not in ("blockDim.x", "gridDim.x"):
            seen.add(number)
            yield number, (bound, not re.search(of_thread, value))


def _extents(text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the declared extents of file-scope variables."""
    for name, brackets in _MODULE.findall(text):
        if sizes := _numbers(brackets):
            yield name, sizes


def _numbers(brackets: str) -> tuple[int, ...]:
    """Return the extents of `[4][8 + 1]`; empty if one of them isn't a number."""
    try:
        return tuple(parse(e.strip()).value({}, "float") for e in re.findall(r"\[([^\]]+)\]", brackets))
    except ExpressionError:
        return ()
