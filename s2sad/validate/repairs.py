"""Repair a draft that can't be run: change its likely mistakes, then undo as many changes as possible.

A draft guesses extents, indices, sizes and the block from a signature. `repairs` coarsely change likely
mistakes; `refinements` restore the draft's own guess for each argument as far as the primal
still runs, so that most threads have work and most elements are reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from ..signature import Signature
from .case import Case
from .elements import is_floating
from .moves import Move, resized

Table = Mapping[str, object]

_BLOCKS: Mapping[int, Sequence[Sequence[int]]] = {
    1: ((32,), (16,), (8,), (4,)),
    2: ((16, 16), (8, 8), (32, 8), (8, 32), (32, 32), (4, 4), (2, 2)),
    3: ((4, 4, 4), (2, 2, 2)),
}
_SMALL = 2  # a size that works for nearly every kernel
_SIZES = (33, 16, 8, 5, 3)  # sizes to try between that and the draft's own
_MOST = 1 << 22  # elements that an array may grow to
_INDICES = ("randint(0, 64)", "randint(0, 16)", "randint(0, 8)", "randint(0, 3)")


def repairs(case: Case, sized: bool = False) -> Iterator[Move]:
    """Yield larger extents, lower indices, other blocks, smaller sizes: one by one, then together.

    `sized`: the kernel is written for one block size; others are tried last.
    """
    args, launch = _tables(case)
    arrays = _arrays(args)
    integers = [n for n, value in arrays.items() if str(value.get("fill", "")).startswith("randint")]
    larger = {name: {**value, "shape": _larger(value["shape"])} for name, value in arrays.items()}
    low = {name: {**arrays[name], "fill": "randint(0, 3)"} for name in integers}
    none = {name: {**arrays[name], "fill": "zeros"} for name in integers}
    all_low = {**larger, **{n: {**larger[n], "fill": "randint(0, 3)"} for n in integers}}
    all_none = {**larger, **{n: {**larger[n], "fill": "zeros"} for n in integers}}
    for changed in (low, larger, all_low, all_none, none):
        if changed:
            yield Move(changed)
    small = {name: _SMALL for name, value in args.items() if _is_size(value)}
    smaller = [Move({**all_none, **small}, {"grid": 2})] if small else []
    others = list(_blocks(launch))
    if sized:
        yield from smaller
    for block in others:
        yield block
        yield Move(all_low).then(block)
    for each in smaller:
        for block in others if sized else [Move(), *others]:
            yield each.then(block)


def _arrays(args: Table) -> dict[str, Mapping[str, object]]:
    return {name: value for name, value in args.items() if isinstance(value, Mapping) and "shape" in value}


def grown(case: Case, base: Move, needed: Mapping[str, int]) -> Move | None:
    """Return a change with longer arrays, at least as long as `needed`; None if one would be too long."""
    args, _ = _tables(case)
    held = {name: value for name, value in _arrays({**args, **base.args}).items() if name in needed}
    held = {name: value for name, value in held.items() if not isinstance(value["shape"], list)}
    if not held or max(needed[name] for name in held) > _MOST:
        return None
    return base.then(Move({name: {**value, "shape": _rounded(needed[name])} for name, value in held.items()}))


def _rounded(length: int) -> int:
    """Round up to a power of two: the next thread may need a little more."""
    return 1 << max(length - 1, 1).bit_length()


def refinements(case: Case, signature: Signature, base: Move) -> Iterator[Sequence[Move]]:
    """Yield alternatives for each guess that a repair changed, the draft's own first."""
    args, launch = _tables(case)
    small = [name for name, value in base.args.items() if isinstance(value, int)]
    if "grid" in base.launch and "block" not in base.launch:
        yield [Move(launch={"grid": launch["grid"]})]
    if small:
        own = Move({name: args[name] for name in small})
        yield [own, *(Move(dict.fromkeys(small, size)) for size in _SIZES)]
    kinds = {argument.name: argument for argument in signature.arguments}
    for name, changed in base.args.items():
        draft = args.get(name)
        if not isinstance(changed, Mapping) or not isinstance(draft, Mapping) or "shape" not in draft:
            continue
        shapes = list(_shapes(draft["shape"], changed["shape"]))
        if name in kinds and is_floating(kinds[name].type):
            fills = [changed.get("fill")]  # the draft's, or one with which the results are finite
        else:
            fills = [draft.get("fill")]
        if name in kinds and not is_floating(kinds[name].type) and changed.get("fill") != draft.get("fill"):
            fills += [fill for fill in _INDICES if fill != draft.get("fill")]
            fills += [changed.get("fill")]
        tried = [{**draft, "shape": shape, "fill": fill} for fill, shape in product(fills, shapes)]
        yield [Move({name: value}) for value in tried if value != changed]


def _tables(case: Case) -> tuple[dict[str, object], dict[str, object]]:
    """Return the tables of arguments and launch, as written in the case."""
    values = case.document.values if case.document else {}
    args, launch = values.get("args", {}), values.get("launch", {})
    assert isinstance(args, dict)
    assert isinstance(launch, dict)
    return args, launch


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > _SMALL


def _blocks(launch: Table) -> Iterator[Move]:
    """Yield launches with blocks of other extents, and grids to match."""
    grid, block = launch.get("grid"), launch.get("block")
    own = block if isinstance(block, list) else [block] if isinstance(block, int) else []
    for sizes in _BLOCKS.get(len(own), ()):
        if list(sizes) == own:
            continue
        if not isinstance(block, list):
            yield Move(launch={"block": sizes[0], **resized(grid, own[0], sizes[0])})
            continue
        grids = grid if isinstance(grid, list) else [grid]
        fitting = [
            resized(g, old, new).get("grid", g) for g, old, new in zip(grids, own, sizes, strict=False)
        ]
        yield Move(launch={"block": list(sizes), "grid": fitting})


def _larger(shape: object) -> object:
    """Enlarge a shape several times along the first axis."""
    return _with_first(shape, lambda first: f"4 * ({first}) + 1024")


def _shapes(draft: object, changed: object) -> Iterator[object]:
    """Yield shapes from the draft's to the repair's."""
    yield draft
    if changed != draft:
        for more in ("{} + 1", "{} + 64", "2 * ({})", "4 * ({})", "8 * ({}) + 64"):
            yield _with_first(draft, more.format)
        yield changed


def _with_first(shape: object, change: object) -> object:
    assert callable(change)
    first, *rest = shape if isinstance(shape, list) else [shape]
    more = change(first)
    return [more, *rest] if rest else more
