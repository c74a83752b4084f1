"""Draft a case file from a kernel's signature.

The signature doesn't tell the length of an array, so every array gets as many elements as the
product of all sizes, and every index is below that. The draft runs for most kernels
unchanged, and its comments say what to adjust.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..signature import Argument, Layout, Signature, fields, told
from .elements import is_floating
from .hints import Hints

_SIZE = re.compile(
    r"^(n|m|k|w|h|len|length|size|count|total|dim|depth|rows?|cols?|columns?|width|height|batch|channels?"
    r"|n_?[a-z]\w*|num_?\w*|\w+_?(n|len|length|size|count|dim|rows|cols|width|height))$",
    re.IGNORECASE,
)
# Primes, so that no size is a multiple of a block or of another size.
_SIZES: Sequence[Sequence[int]] = ((), (150,), (13, 11), (7, 5, 3), (5, 3, 3, 2))
_BLOCK = 64
_EXTENTS = (100, 20, 20, 8, 4, 3, 3, 2)  # of all tensors, by the most dimensions that one has
_OTHER = 3  # an integer that doesn't look like a size: a step count, an offset


def draft(signature: Signature, name: str = "", kernel: str = "", hints: Hints | None = None) -> str:
    """Draft a case file for a primal of that signature, in the .cu file `name`, requested as `kernel`.

    `hints` come from its text.
    """
    said = hints or Hints()
    every = list(told(signature.arguments))  # with the fields of structs that hold pointers
    integers = [a for a in every if not (a.pointer or a.layout or is_floating(a.type))]
    sizes = [a.name for a in integers if a.type != "bool" and _SIZE.match(a.name.rpartition(".")[2])]
    sizes = sizes or [a.name for a in integers if a.type != "bool"]
    values = _values(sizes, said)
    said = replace(said, extents={**_views(signature, values), **said.extents})
    shape = " * ".join(sizes)
    arrays = [a for a in every if a.pointer]
    of = signature.dependents or tuple(a.within or a.name for a in arrays if a.written and _real(a))
    wrt = signature.independents or tuple(
        a.within or a.name for a in arrays if _real(a) and (a.const or not a.written)
    )
    of, wrt = tuple(dict.fromkeys(of)), tuple(dict.fromkeys(wrt or of))  # `of` alone: arrays updated in place
    lines = [
        f"# What to run {signature.name} on{f' ({name})' if name else ''}: a draft. Adjust the marked lines."
    ]
    lines += ["", f'kernel = "{kernel or signature.name}"']
    lines += [f"of  = {_list(of)}"] if of else []
    lines += [f"wrt = {_list(wrt)}"] if wrt else []
    lines += _launch(said, values, shape)
    lines += [_argument(a, values, shape, said) for a in signature.arguments if a.role == "value"]
    return "\n".join(lines) + "\n"


def _values(sizes: Sequence[str], said: Hints) -> dict[str, int]:
    """Choose sizes that need several blocks, the last of them not full."""
    chosen = _SIZES[len(sizes)] if len(sizes) < len(_SIZES) else (2,) * len(sizes)
    values = dict(zip(sizes, chosen, strict=True))
    for axis, name in said.bounds.items():
        block = said.extent(axis)
        if name in values and axis not in said.by_block and values[name] <= block:
            values[name] = 2 * block + block // 3 + 1
    if len(sizes) == 1 and not said.bounds and values[sizes[0]] <= said.extent(0):
        values[sizes[0]] = 2 * said.extent(0) + said.extent(0) // 3 + 1
    return values


def _views(signature: Signature, values: dict[str, int]) -> dict[str, tuple[int, ...]]:
    """Choose extents for views of tensors: all are equal, as nothing tells which have to be."""
    ranks = {a.name: a.layout.rank for a in signature.arguments if a.layout is not None and a.layout.rank}
    extent = max(values.values(), default=(_EXTENTS[: max(ranks.values(), default=0)] or (1,))[-1])
    return {name: (extent,) * rank for name, rank in ranks.items()}


def _launch(said: Hints, values: dict[str, int], shape: str) -> list[str]:
    """Return the launch table: a thread for each item of an axis that the text bounds, else for all items."""
    blocks, grids, reasons = [], [], []
    for axis in range(said.dimensions):
        bound = said.bounds.get(axis)
        bound = bound if bound in values else None
        block = _block(axis, said, values.get(bound or "", 0))
        blocks.append(block)
        if axis in said.by_block and bound:
            grids.append(f'"{bound}"')
            reasons.append(f"one block for each of {bound}")
            continue
        if axis and axis not in said.blocks:
            grids.append("1")
            continue
        items = bound or (shape if said.dimensions == 1 else "")
        grids.append(f'"({items} + {block - 1}) / {block}"' if items else "2")
        reasons.append(f"one thread for each of {items}" if items else "number of blocks")
    grid = grids[0] if len(grids) == 1 else f"[{', '.join(grids)}]"
    size = str(blocks[0]) if len(blocks) == 1 else f"[{', '.join(map(str, blocks))}]"
    reason = "; ".join(dict.fromkeys(reasons))
    shared = '"4 * block * sizeof(float)"' if said.dynamic else "0"
    note = "" if said.dynamic else '# or "2 * block * sizeof(float)"'
    return [
        "",
        "[launch]",
        f"grid  = {grid}".ljust(32) + f"  # adjust: {reason}",
        f"block = {size}".ljust(34) + "# adjust: threads per block",
        f"shared_bytes = {shared}".ljust(34) + note,
        "",
        "[args]",
    ]


def _block(axis: int, said: Hints, items: int) -> int:
    """Return the threads along an axis: from the text, or few enough for two blocks if none cooperate."""
    if said.extent(axis):
        return said.extent(axis)
    if axis and axis in said.single:
        return 1
    usual = {1: (_BLOCK,), 2: (16, 4), 3: (8, 4, 2)}[said.dimensions][axis]
    if said.meets and axis == 0:
        return usual
    while 0 < items <= usual and usual > 2:
        usual //= 2
    return usual


def _argument(argument: Argument, values: dict[str, int], shape: str, said: Hints) -> str:
    name, kind = argument.name, argument.type
    if argument.layout is not None:
        return _struct(argument, argument.layout, values, shape, said)
    if not argument.pointer and is_floating(kind):
        return f"{name} = 0.7"
    if not argument.pointer and kind == "bool":
        return f"{name} = 1"
    if not argument.pointer:
        note = "a size" if name in values else f"adjust: {kind}"
        return f"{name} = {values.get(name, _OTHER)}".ljust(34) + f"# {note}"
    extent = f'"{shape}"' if shape else str(2 * _BLOCK)
    if name in said.ascending and shape:
        extent = f'"{shape} + 1"'  # the start of each row, and the end of the last
    if argument.rows:
        extent = f"[{', '.join([extent, *map(str, argument.rows)])}]"
    if name in said.extents:
        extents = ", ".join(map(str, said.extents[name]))
        extent = extents if len(said.extents[name]) == 1 else f"[{extents}]"
    if is_floating(kind):
        fill, note = "normal", "written" if argument.written else "read"
    elif kind == "bool":
        fill, note = "randint(0, 2)", "truth values"
    elif re.search(r"char|int8", kind):
        fill, note = "randint(0, 8)", f"adjust: values of {kind}"
    elif name in said.earlier:
        fill, note = "randint(-1, 0)", "below their indices, as assumed: adjust"
    elif name in said.distinct:
        fill, note = "permutation", "distinct values, as assumed"
    else:
        bound = shape or str(2 * _BLOCK)
        kind = "sorted" if name in said.ascending else "randint"
        fill = f"{kind}(0, {bound})"
        note = "ascending, as assumed" if kind == "sorted" else "adjust: indices into an array?"
    return f'{name} = {{ shape = {extent}, fill = "{fill}" }}  # {note}'


def _real(argument: Argument) -> bool:
    """Whether an argument has floating values."""
    if argument.layout is None:
        return is_floating(argument.type)
    return any(is_floating(type) for _, type, _ in fields(argument.layout))


def _struct(argument: Argument, layout: Layout, values: dict[str, int], shape: str, said: Hints) -> str:
    """Return the entry of a struct: floating fields are drawn, integer fields have entries to adjust."""
    if layout.rank:
        extents = said.extents[argument.name]
        ((_, type, _),) = (field for field in fields(layout) if field[0] == ("data_",))
        element = type.removeprefix("const ").removesuffix(" *")
        fill = "normal" if is_floating(element) else f"randint(0, {2 if element == 'bool' else min(extents)})"
        note = f"adjust: a tensor of {element}"
        return f'{argument.name} = {{ shape = {list(extents)}, fill = "{fill}" }}  # {note}'
    if not argument.pointer:
        value = _value(layout, argument.name, values, shape)
        return f"{argument.name} = {value}  # adjust: one {layout.name}"
    bound = shape or str(2 * _BLOCK)
    extent = f'"{shape}"' if shape else bound
    of_fields = ""
    if any(not is_floating(type) for _, type, _ in fields(layout)):
        of_fields = f", fields = {_integers(layout, bound)}"
    note = "written" if argument.written else "read"
    return f'{argument.name} = {{ shape = {extent}, fill = "normal"{of_fields} }}  # {note}'


def _integers(layout: Layout, bound: str) -> str:
    parts = []
    for name, type, _ in layout.fields:
        if isinstance(type, Layout) and any(not is_floating(t) for _, t, _ in fields(type)):
            parts.append(f"{name} = {_integers(type, bound)}")
        elif isinstance(type, str) and not is_floating(type):
            parts.append(f'{name} = "randint(0, {2 if type == "bool" else bound})"')
    return f"{{ {', '.join(parts)} }}"


def _value(layout: Layout, of: str, values: dict[str, int], shape: str) -> str:
    """Return the value of one struct, called `of`, with all its fields."""
    parts = []
    for name, type, extents in layout.fields:
        if isinstance(type, Layout):
            parts.append(f"{name} = {_value(type, f'{of}.{name}', values, shape)}")
        elif type.endswith("*"):
            target = type.removeprefix("const ").removesuffix(" *")
            bound = shape or str(2 * _BLOCK)
            fill = "normal" if is_floating(target) else f"randint(0, {2 if target == 'bool' else bound})"
            extent = f'"{shape}"' if shape else bound
            parts.append(f'{name} = {{ shape = {extent}, fill = "{fill}" }}')
        elif extents:
            fill = "normal" if is_floating(type) else "ones"
            parts.append(f'{name} = {{ fill = "{fill}" }}')
        else:
            number = values.get(f"{of}.{name}", _OTHER)
            parts.append(f"{name} = {'0.7' if is_floating(type) else number}")
    return f"{{ {', '.join(parts)} }}"


def _list(names: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
