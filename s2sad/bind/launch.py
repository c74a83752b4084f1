"""The launch of a kernel as its author states it, and a draft from its text.

    // s2sad: launch grid=(n+255)/256 block=256 n=x.size y=x

`grid`, `block` and `shared` are expressions, or up to three of them. A name of a parameter
says what its caller needn't: the value of an integer, or the extents of an array, `y=rows,cols`;
`y=x` is the shape of x. Expressions are those of case files, with `x.size` for the number of
elements of an array and `x.dim0`, `x.dim1`, … for its extents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..validate.expressions import Expression, ExpressionError, parse
from ..validate.hints import Hints

_WORD = re.compile(r"(?:^|(?<=[\s\])]))([A-Za-z_]\w*)\s*=(?!=)")
_GEOMETRY = {"grid": "grid", "block": "block", "shared": "shared", "shared_bytes": "shared"}
_ARRAY = re.compile(r"([A-Za-z_]\w*)\.(size|dim\d)")
_AXES = ("x", "y", "z")
_USUAL = {1: (256,), 2: (16, 16)}
_COORDINATE = re.compile(
    r"\b(\w+)\s*=\s*blockIdx\s*\.\s*([xyz])\s*\*\s*blockDim\s*\.\s*\2\s*\+\s*threadIdx\s*\.\s*\2\s*;"
)
_TRIED = (1, 2, 31, 100, 255, 256, 257, 1000, 4097)  # sizes that a launch must cover
_ELSE = 7  # the value of other integers meanwhile
EXAMPLE = "// s2sad: launch grid=(n+255)/256 block=256"


class Unclear(Exception):
    """A launch can't be understood: why, what would be valid, and the place in its text."""

    def __init__(self, why: str, help: str = "", start: int = 0, end: int = 0) -> None:
        super().__init__(why)
        self.why, self.help, self.start, self.end = why, help, start, end


@dataclass(frozen=True)
class Shape:
    """The extents of an array, or the array whose shape it has; one extent is a number of elements."""

    extents: tuple[Expression, ...] = ()
    like: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables of the extents."""
        return tuple(name for extent in self.extents for name in extent.names)


@dataclass(frozen=True)
class Launch:
    """Grid, block and bytes of dynamic shared memory; what else follows from the arguments.

    `sizes` are integers that the caller needn't pass, `shapes` are those of arrays.
    """

    grid: tuple[Expression, ...]
    block: tuple[Expression, ...]
    shared: Expression
    sizes: Mapping[str, Expression] = field(default_factory=dict)
    shapes: Mapping[str, Shape] = field(default_factory=dict)

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """All expressions, in the order of evaluation."""
        extents = (extent for shape in self.shapes.values() for extent in shape.extents)
        return (*self.sizes.values(), *extents, *self.block, *self.grid, self.shared)

    @property
    def names(self) -> frozenset[str]:
        """The variables of all expressions."""
        return frozenset(name for expression in self.expressions for name in expression.names)

    def text(self) -> str:
        """Return it as an author would write it."""
        parts = [f"grid={_listed(self.grid)}", f"block={_listed(self.block)}"]
        parts += [f"shared={self.shared.text}"] * (self.shared.text != "0")
        parts += [f"{name}={size.text}" for name, size in self.sizes.items()]
        parts += [f"{name}={shape.like or _listed(shape.extents)}" for name, shape in self.shapes.items()]
        return " ".join(parts)


@dataclass(frozen=True)
class Known:
    """What a launch may name: the kernel's integers passed by value and its arrays, and constants."""

    integers: tuple[str, ...]
    arrays: tuple[str, ...]
    constants: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Stated:
    """The words of a launch: a key, its value, and where that begins in the text."""

    words: tuple[tuple[str, str, int], ...]

    @staticmethod
    def read(text: str) -> Stated:
        """Split a text at its keys. Raises Unclear."""
        found = list(_WORD.finditer(text))
        before = text[: found[0].start()] if found else text
        if before.strip():
            at = text.index(before.strip())
            raise Unclear(f"`{before.strip()}` isn't KEY=VALUE", EXAMPLE, at, at + len(before.strip()))
        ends = [*(match.start() for match in found[1:]), len(text)][: len(found)]
        return Stated(
            tuple((m[1], text[m.end() : end].rstrip(), m.end()) for m, end in zip(found, ends, strict=True))
        )


def stated(text: str, known: Known) -> Launch:
    """Read a launch; grid and block are empty if it has neither, and drafted then. Raises Unclear."""
    geometry: dict[str, tuple[Expression, ...]] = {}
    sizes: dict[str, Expression] = {}
    shapes: dict[str, Shape] = {}
    for key, value, start in Stated.read(text).words:
        if _GEOMETRY.get(key) in geometry or key in sizes or key in shapes:
            raise Unclear(f"{key} is given twice", "", start, start + len(value))
        if key in _GEOMETRY:
            most = 1 if _GEOMETRY[key] == "shared" else 3
            geometry[_GEOMETRY[key]] = _extents(key, value, start, known, most)
        elif key in known.integers:
            (sizes[key],) = _extents(key, value, start, known, 1)
        elif key in known.arrays:
            shapes[key] = _shape(key, value, start, known)
        else:
            names = ", ".join((*known.integers, *known.arrays))
            raise Unclear(
                f"the kernel has no integer or array {key}",
                f"a launch says grid, block, shared, and what its parameters are: {names}",
                start,
                start + len(value),
            )
    sizes = dict(_in_order(sizes))
    if ("block" in geometry) != ("grid" in geometry):
        missing = "grid" if "block" in geometry else "block"
        raise Unclear(f"{missing} is missing", EXAMPLE)
    zero = (parse("0"),)
    grid, block = geometry.get("grid", ()), geometry.get("block", ())
    return Launch(grid, block, geometry.get("shared", zero)[0], sizes, shapes)


def drafted(hints: Hints, known: Known, integers: Sequence[str]) -> tuple[tuple[Expression, ...], ...]:
    """Draft grid and block from the text: a thread for each item that its guards bound. Raises Unclear."""
    axes = range(hints.dimensions)
    bounds = [hints.bounds.get(axis, "") for axis in axes]
    if hints.dynamic:
        raise Unclear("the kernel has dynamic shared memory, of a size that its text doesn't tell", EXAMPLE)
    if hints.dimensions > 2 or not all(bound in integers or _is_extent(bound, known) for bound in bounds):
        raise Unclear("its text doesn't tell how many threads it needs", EXAMPLE)
    grid, block = [], []
    for axis, bound in zip(axes, bounds, strict=True):
        extent = hints.extent(axis) or _USUAL[hints.dimensions][axis]
        block.append(parse(str(extent)))
        grid.append(parse(bound if axis in hints.by_block else f"({bound} + {extent - 1}) / {extent}"))
    return tuple(grid), tuple(block)


def _is_extent(bound: str, known: Known) -> bool:
    """Whether a bound is an extent of an array: `x.dim0`."""
    array = _ARRAY.fullmatch(bound)
    return array is not None and array[1] in known.arrays


def uncovered(launch: Launch, text: str, integers: Sequence[str]) -> tuple[str, int, int] | None:
    """Find a size for which the launch has fewer threads than the kernel's guard allows.

    Returns the size's name, its value and the number of threads. Guards are `i < n` and `i >= n` for
    `i = blockIdx.x * blockDim.x + threadIdx.x`. A loop over a grid's stride covers everything, so a kernel
    that names gridDim is left out.
    """
    if "gridDim" in text:
        return None
    for variable, axis in _COORDINATE.findall(text):
        guards = re.findall(rf"\bif \( {variable} (?:<|>=) (\w+) \)", _spaced(text))
        for bound in guards if len(guards) == 1 and guards[0] in integers else ():
            for value in _TRIED:
                threads = _threads(launch, _AXES.index(axis), {bound: value})
                if threads is not None and threads < value:
                    return bound, value, threads
    return None


def _spaced(text: str) -> str:
    """Put one space between the tokens of a text."""
    return " ".join(re.findall(r"\w+|<=|>=|==|!=|[^\w\s]", text))


def _threads(launch: Launch, axis: int, known: Mapping[str, int]) -> int | None:
    """Evaluate the number of threads along an axis; None if it depends on more than integers."""
    (bound, value), *_ = known.items()
    names = {name: _ELSE for name in launch.names if "." not in name} | dict(known)
    names |= _same(launch, bound, value)
    if axis >= len(launch.grid):
        return None
    try:
        blocks = launch.grid[axis].value(_with_block(launch, names))
        size = launch.block[axis].value(names) if axis < len(launch.block) else 1
    except ExpressionError:
        return None
    return blocks * size


def _same(launch: Launch, bound: str, value: int) -> dict[str, int]:
    """Return the array's size that an integer is stated to be: of `n=x.size`, x.size."""
    size = launch.sizes.get(bound)
    return {size.text.strip(): value} if size is not None and _ARRAY.fullmatch(size.text.strip()) else {}


def _with_block(launch: Launch, names: Mapping[str, int]) -> dict[str, int]:
    extents = [extent.value(names) for extent in launch.block]
    whole = 1
    for extent in extents:
        whole *= extent
    return {**names, "block": whole, **{f"block.{a}": e for a, e in zip(_AXES, extents, strict=False)}}


def _extents(key: str, value: str, start: int, known: Known, most: int) -> tuple[Expression, ...]:
    """Read up to `most` expressions, with commas between, in brackets or not."""
    parts = list(_parts(value, start))
    if len(parts) > most or not parts:
        wanted = "an expression" if most == 1 else f"one to {most} expressions"
        raise Unclear(f"{key}: {wanted} expected", EXAMPLE, start, start + len(value))
    return tuple(_expression(key, text, at, known) for text, at in parts)


def _shape(key: str, value: str, start: int, known: Known) -> Shape:
    if value.strip() in known.arrays and value.strip() != key:
        return Shape(like=value.strip())
    return Shape(_extents(key, value, start, known, 8))


def _expression(key: str, text: str, at: int, known: Known) -> Expression:
    try:
        found = parse(text.strip())
    except ExpressionError as error:
        skipped = at + len(text) - len(text.lstrip())
        raise Unclear(f"{key}: {error}", "", skipped + error.start, skipped + error.end) from None
    for name in found.names:
        array = _ARRAY.fullmatch(name)
        if array and array[1] in known.arrays:
            continue
        own = ("block", "grid", *(f"{g}.{a}" for g in ("block", "grid") for a in _AXES))
        if name not in (*known.integers, *known.constants, *own):
            names = ", ".join((*known.integers, *(f"{array}.size" for array in known.arrays)))
            place = re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", text)
            at += place.start() if place else 0
            raise Unclear(
                f"{key}: '{name}' isn't an integer of the kernel", f"known: {names}", at, at + len(name)
            )
    constants = {name: value for name, value in known.constants.items() if name in found.names}
    return _with_numbers(found, {n: v for n, v in constants.items() if n not in known.integers})


def _with_numbers(expression: Expression, constants: Mapping[str, int]) -> Expression:
    """Replace the names of constants by their values: a binding doesn't have the file's macros."""
    if not constants:
        return expression
    names = "|".join(re.escape(name) for name in constants)
    return parse(re.sub(rf"(?<![\w.])(?:{names})(?![\w.])", lambda m: str(constants[m[0]]), expression.text))


def _parts(value: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield the texts between commas outside parentheses, and where each begins."""
    inner, at = value, start
    stripped = value.strip()
    if (stripped[:1] == "[" and stripped[-1:] == "]") or _is_list(stripped):
        at += value.index(stripped) + 1
        inner = stripped[1:-1]
    depth, begin = 0, 0
    for place, c in enumerate(inner):
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == "," and depth == 0:
            yield inner[begin:place], at + begin
            begin = place + 1
    if inner[begin:].strip():
        yield inner[begin:], at + begin


def _is_list(text: str) -> bool:
    """Whether parentheses enclose a list, as in `(w, h)`."""
    if text[:1] != "(" or text[-1:] != ")":
        return False
    depth, commas = 0, False
    for place, c in enumerate(text):
        depth += {"(": 1, ")": -1}.get(c, 0)
        commas = commas or (c == "," and depth == 1)
        if depth == 0 and place + 1 < len(text):
            return False
    return commas


def _in_order(sizes: Mapping[str, Expression]) -> Iterator[tuple[str, Expression]]:
    """Yield sizes so that each comes after those that it names. Raises Unclear."""
    waiting = dict(sizes)
    while waiting:
        ready = [name for name, size in waiting.items() if not waiting.keys() & set(size.names)]
        if not ready:
            raise Unclear(
                f"{', '.join(waiting)}: each is stated by the other", "name an array's size: n=x.size"
            )
        for name in ready:
            yield name, waiting.pop(name)


def _listed(expressions: Iterable[Expression]) -> str:
    texts = [expression.text for expression in expressions]
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
