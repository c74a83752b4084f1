"""Make a case's launch and arrays. Sizes may be expressions, so a case is a recipe.

A recipe is evaluated anew for every use, because two things change between uses:
whether `float` is compiled as `double`, which changes `sizeof(float)`, and the minimum
number of blocks. Expressions are evaluated in a fixed order: the block
from the integer arguments, the grid from those and the block, then everything else
from all of them. `block` alone is the number of threads of a block, `block.x` an extent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .elements import Array, Real, dtype
from .expressions import Expression, ExpressionError
from .fills import Fill, draw

Size = int | Expression
Dim3 = tuple[int, int, int]
Number = int | float
Value = Array | Number

_MOST_ELEMENTS = 2**28
_MOST_THREADS = 1024
_MOST_BLOCKS = (2**31 - 1, 65535, 65535)


@dataclass(frozen=True)
class ArraySpec:
    """The recipe of an array; without a shape it has that of its file or its explicit values."""

    type: str
    shape: tuple[Size, ...] | None
    fill: Fill
    seed: int


@dataclass(frozen=True)
class LaunchSpec:
    """A launch as written in the file."""

    grid: tuple[Size, ...]
    block: tuple[Size, ...]
    shared_bytes: Size = 0


@dataclass(frozen=True)
class Launch:
    """An evaluated launch."""

    grid: Dim3
    block: Dim3
    shared_bytes: int = 0


@dataclass(frozen=True)
class Setting:
    """The inputs of a launch of the primal; `notes` report departures from the file."""

    launch: Launch
    backward: Launch
    args: Mapping[str, Value]
    notes: tuple[str, ...] = ()
    launches: Mapping[str, Launch] = field(default_factory=dict)  # by kernel of the backward


@dataclass(frozen=True)
class Recipe:
    """A launch and the arguments of a primal, in the order of its parameters."""

    launch: LaunchSpec
    args: Mapping[str, Number | ArraySpec]
    backward: LaunchSpec | None = None  # if the adjoint's launch isn't the primal's
    launches: Mapping[str, LaunchSpec] = field(default_factory=dict)  # of its kernels that have their own


@dataclass(frozen=True)
class Problem:
    """An error: its message, its key, and its place in the text of the key's value."""

    path: tuple[str, ...]
    what: str
    text: str = ""
    start: int = 0
    end: int = 0
    help: str = ""


class Evaluation:
    """One evaluation of a recipe: after `run`, `problems` has its errors."""

    def __init__(self, recipe: Recipe, real: Real, least_blocks: int = 1) -> None:
        self.recipe = recipe
        self.real = real
        self.least_blocks = least_blocks
        self.problems: list[Problem] = []
        self.notes: list[str] = []

    def run(self) -> Setting | None:
        """Return the setting; None if there are problems."""
        args = self.recipe.args
        scalars = _with_fields({name: int(value) for name, value in args.items() if isinstance(value, int)})
        launch, names = self._launch(self.recipe.launch, scalars, ("launch",), self.least_blocks)
        backward = launch
        # Don't report errors twice that it inherits from the primal's launch.
        if self.recipe.backward is not None and not self.problems:
            backward, _ = self._launch(self.recipe.backward, scalars, ("backward", "launch"), 1)
        launches: dict[str, Launch] = {}
        for kernel, spec in self.recipe.launches.items() if not self.problems else ():
            found, _ = self._launch(spec, scalars, ("backward", "launch", kernel), 1)
            if found is not None:
                launches[kernel] = found
        values: dict[str, Value] = {}
        for name, arg in args.items():
            if not isinstance(arg, ArraySpec):
                values[name] = arg
            elif (array := self._array(name, arg, names)) is not None:
                values[name] = array
        if self.problems or launch is None or backward is None:
            return None
        return Setting(launch, backward, values, tuple(dict.fromkeys(self.notes)), launches)

    def _launch(
        self, spec: LaunchSpec, scalars: Mapping[str, int], path: tuple[str, ...], least: int
    ) -> tuple[Launch | None, dict[str, int]]:
        names = dict(scalars)
        block = self._dimensions(spec.block, names, (*path, "block"))
        _name(names, scalars, "block", block)
        grid = self._dimensions(spec.grid, names, (*path, "grid"))
        grid = self._at_least(grid, spec, least)
        _name(names, scalars, "grid", grid)
        shared = self._size(spec.shared_bytes, names, (*path, "shared_bytes"))
        if grid is None or block is None or shared is None:
            return None, names
        if math.prod(block) > _MOST_THREADS:
            self._problem(
                (*path, "block"), f"{math.prod(block)} threads in a block; the limit is {_MOST_THREADS}"
            )
        if any(extent > most for extent, most in zip(grid, _MOST_BLOCKS, strict=True)):
            self._problem((*path, "grid"), f"the grid {grid} exceeds the limits of a device")
        if shared < 0:
            self._problem((*path, "shared_bytes"), f"shared_bytes is negative: {shared}")
        follows = isinstance(spec.shared_bytes, Expression) and spec.shared_bytes.sized
        if self.real == "double" and shared > 0 and not follows:
            self.notes.append(
                f"{shared} bytes of dynamic shared memory are doubled, as float is compiled as double; "
                "an expression with sizeof(float) would adapt"
            )
            shared *= 2
        return Launch(grid, block, shared), names

    def _at_least(self, grid: Dim3 | None, spec: LaunchSpec, least: int) -> Dim3 | None:
        """Return the grid, with at least so many blocks if it is an expression: one block hides errors."""
        if grid is None or math.prod(grid) >= least:
            return grid
        for i, size in enumerate(spec.grid):
            if isinstance(size, Expression) and size.names:
                forced = [*grid]
                forced[i] = least
                self.notes.append(f"grid {size.text} is 1; run with {least} blocks, so that blocks interact")
                return forced[0], forced[1], forced[2]
        self.notes.append("only one block runs: errors between blocks are not detected")
        return grid

    def _array(self, name: str, spec: ArraySpec, names: Mapping[str, int]) -> Array | None:
        shape: tuple[int, ...] | None = None
        if spec.shape is not None:
            extents = [self._size(size, names, ("args", name, "shape")) for size in spec.shape]
            shape = tuple(extent for extent in extents if extent is not None)
            if len(shape) < len(extents):
                return None
            absent = spec.shape[:1] == (0,)  # written explicitly in the case, not the value of an expression
            if any(extent < 1 for extent in shape) and not absent:
                self._problem(("args", name, "shape"), f"shape {_tuple(shape)} has no elements")
                return None
            if math.prod(shape) > _MOST_ELEMENTS:
                self._problem(("args", name, "shape"), f"shape {_tuple(shape)} is too large for a check")
                return None
        kind = dtype(spec.type, self.real)
        assert kind is not None, "reading refuses types that can't be run"
        try:
            return draw(spec.fill, shape, kind, spec.seed, names)
        except ExpressionError as error:
            self._problem(("args", name, "fill"), str(error))
            return None

    def _dimensions(
        self, sizes: Sequence[Size], names: Mapping[str, int], path: tuple[str, ...]
    ) -> Dim3 | None:
        extents = [self._size(size, names, path) for size in sizes]
        known = [extent for extent in extents if extent is not None]
        if len(known) < len(extents):
            return None
        if any(extent < 1 for extent in known):
            self._problem(path, f"{path[-1]} is {_tuple(known)}; each must be at least 1")
            return None
        x, y, z = [*known, 1, 1][:3]
        return x, y, z

    def _size(self, size: Size, names: Mapping[str, int], path: tuple[str, ...]) -> int | None:
        if isinstance(size, int):
            return size
        try:
            return size.value(names, self.real)
        except ExpressionError as error:
            self.problems.append(Problem(path, str(error), size.text, error.start, error.end))
            return None

    def _problem(self, path: tuple[str, ...], what: str) -> None:
        self.problems.append(Problem(path, what))


def _with_fields(scalars: Mapping[str, int]) -> dict[str, int]:
    """Add a name for each number in a struct, its field's own name, if that is unique."""
    fields = [name.rpartition(".")[2] for name in scalars]
    own = {
        field: value
        for field, value in zip(fields, scalars.values(), strict=True)
        if fields.count(field) == 1
    }
    return {**own, **scalars}


def _name(names: dict[str, int], scalars: Mapping[str, int], name: str, extents: Dim3 | None) -> None:
    """Define `block.x` … and, unless an argument has that name, `block` (the number of threads)."""
    for part, extent in zip("xyz", extents or (1, 1, 1), strict=True):
        names[f"{name}.{part}"] = extent
    if name not in scalars:
        names[name] = math.prod(extents or (1,))


def _tuple(extents: Sequence[int]) -> str:
    return str(extents[0]) if len(extents) == 1 else f"({', '.join(map(str, extents))})"
