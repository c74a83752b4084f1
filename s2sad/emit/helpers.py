"""The texts of device functions that partials call and CUDA lacks.

They are emitted in the file, `static`, one for each precision in use. Both
have the terms that double needs, since in a check `float` may mean double.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from ..analysis.constants import WARP
from ..analysis.ssa import Loop
from ..ir import (
    BFLOAT16,
    BLOCK_REDUCTIONS,
    HALF,
    Body,
    Function,
    Scalar,
    Stmt,
    bodies,
    calls,
    statements,
)
from ..rules import HELPERS
from ..transform.build.declare_shared_adjoints import LAUNCHED
from ..transform.build.statements import EXCHANGE
from .batch_block_adds import BlockAdd, batches, block_adds
from .c_printer import CONVERSIONS
from .records import BLOCK_ADD, BLOCK_SUM, TOTALS, WARP_ADD, View
from .skins import environment


def helpers(
    functions: Iterable[Function],
    sums: Mapping[BlockAdd, str],
    totals: Mapping[tuple[str, str], str],
    alone: Collection[tuple[str, str]],
    once: Collection[tuple[str, str, str]],
    tested: Collection[BlockAdd],
    threads: int,
    declared: int,
    whole_warps: bool,
    dimensions: int,
    own: str = "",
    there: Collection[str] = (),
) -> list[View]:
    """Return what the templates need for each helper that the functions call, in a fixed order.

    `sums` name the functions that add up a block's values, by type, `totals` those that reduce them for all
    threads, by rule and type; `alone` are the rules and types of which single values are reduced, `once` the
    functions with a single call, and `tested` those that add no zeros. The block has `threads` threads,
    unless that is zero, in `dimensions` dimensions, and `declared` if that is declared: whole warps;
    `whole_warps`: their number is known to be a multiple of 32. All names begin with `own`. Those
    in `there` are functions of an adjoint's text already.
    """

    def of_blocks(
        key: BlockAdd, text: str, name: str, real: str, f: str, held: str = "", rule: str = "sum"
    ) -> View:
        convert = CONVERSIONS[real, held] if held else ""
        thread, block = ("threadIdx.x", "blockDim.x") if dimensions == 1 else ("thread", "threads")
        block = str(declared) if declared else block
        group = 0 if key.alone else _lanes(key.count)
        return {
            **{"text": text, "name": name, "real": real, "f": f, "held": held, "convert": convert},
            **{"rows": declared // WARP or WARP, "warps": declared // WARP},
            **{"threads": threads, "dimensions": dimensions, "thread": thread, "block": block},
            **{"count": key.count, "number": key.number, "last": key.last, "named": bool(key.extent)},
            **{"once": (TOTALS[rule] if text == BLOCK_SUM else text, held or real, key.number) in once},
            **{"batch": key.batch, "rule": rule},
            **{"tested": key in tested},
            **{"group": group, "whole": whole_warps},
        }

    called = {
        call.callee for function in functions for stmt in statements(function.body) for call in calls(stmt)
    }
    spelled = [(name, real, f) for name in HELPERS for real, f in (("double", ""), ("float", "f"))]
    found: list[View] = [
        {"text": name, "name": own + name + f, "real": real, "f": f}
        for name, real, f in spelled
        if name + f in called and name + f not in there
    ]
    found += [
        {"text": EXCHANGE, "name": own + name, "real": "double", "f": ""}
        for name in sorted(n for n in called if n is not None and n.rstrip("_") == EXCHANGE)
    ]
    found += [
        {"text": LAUNCHED, "name": own + name, "real": "", "f": ""}
        for name in sorted(n for n in called if n is not None and n.rstrip("_") == LAUNCHED)
    ]
    found += [
        of_blocks(BlockAdd(real), BLOCK_SUM, totals[rule, real], real, f, rule=rule)
        for rule in TOTALS
        for real, f in (("double", ""), ("float", "f"))
        if (rule, real) in totals and (rule, real) in alone
    ]
    for kind, real, f in _KINDS:
        held = kind if kind != real else ""
        for key in sorted(key for key in sums if key.kind == kind):
            found.append(of_blocks(key, key.text, sums[key], real, f, held))
    return found


FEWEST = 3
"""From so many values on, a warp sums them in rounds that halve how many sums each lane carries on."""

_KINDS = (
    ("double", "double", ""),
    ("float", "float", "f"),
    *((half.name, "float", "f") for half in (HALF, BFLOAT16)),
)
"""A type in memory, the type in which values are added up, and how functions and literals of that end."""


def _lanes(count: int) -> int:
    """Return over how many lanes so many sums are spread, a power of two; 0 if each is made by itself."""
    return 1 << (count - 1).bit_length() if FEWEST <= count <= WARP else 0


def sum_names(body: Body, taken: Collection[str], own: str = "") -> dict[BlockAdd, str]:
    """Name the functions that add up a block's values: `block_add`, `block_add_8`, `block_add_taps` for TAPS.

    `body`: the kernel as it is written; `taken`: the author's names; `own`: the prefix of ours.
    """
    keys = sorted({key for key, _ in block_adds(body)})
    names: dict[BlockAdd, str] = {}
    for key in keys:
        same = {k.kind for k in keys if (k.warp, k.total) == (key.warp, key.total)}
        stem = WARP_ADD if key.warp else BLOCK_SUM if key.total else BLOCK_ADD
        plain = _names(own + stem, same, taken)
        name = plain[key.kind] if key.count == 1 else f"{plain[key.kind]}_{key.suffix}"
        while key.count > 1 and (name in taken or name in names.values()):
            name += "_"
        names[key] = name
    return names


def total_names(kernel: Function, taken: Collection[str], own: str = "") -> dict[tuple[str, str], str]:
    """The same for the functions that give the reduction to all threads, by rule and type."""
    used = {total for s in statements(kernel.body) for total in _reduced(s)}
    names = {rule: _names(own + TOTALS[rule], {t for r, t in used if r == rule}, taken) for rule in TOTALS}
    return {(rule, real): names[rule][real] for rule, real in used}


def reduced_alone(body: Body) -> frozenset[tuple[str, str]]:
    """Return the rules and types of single values that a body, as it is written, reduces for all threads."""
    return frozenset(total for total, _ in _single_totals(body))


def called_once(body: Body) -> frozenset[tuple[str, str, str]]:
    """Return which of these functions a kernel with this body, as it is written, calls only once."""
    called = Counter[tuple[str, str, str]]()
    for (rule, real), looped in _single_totals(body):
        called[TOTALS[rule], real, "1"] += 2 if looped else 1
    for key, looped in block_adds(body):
        called[key.text, key.kind, key.number] += 2 if looped else 1
    return frozenset(key for key, times in called.items() if times == 1)


def _single_totals(body: Body, looped: bool = False) -> Iterator[tuple[tuple[str, str], bool]]:
    """The rule and type of each reduction for all threads outside batches, and whether a loop makes it."""
    for batch in batches(body):
        inside = looped or isinstance(batch[0], Loop)
        if len(batch) == 1:
            for total in _reduced(batch[0]):
                yield total, inside
        for part in bodies(batch[0]):
            yield from _single_totals(part, inside)


def _reduced(stmt: Stmt) -> Iterator[tuple[str, str]]:
    for call in calls(stmt):
        if call.rule in BLOCK_REDUCTIONS and call.rule is not None and isinstance(call.type, Scalar):
            yield call.rule, call.type.name


def _names(stem: str, types: Collection[str], taken: Collection[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for real in sorted(types, reverse=True):  # float gets the plain name, unless only double is in use
        name = stem if not names else f"{stem}_{real}"
        while name in taken:
            name += "_"
        names[real] = name
    return names


def text(name: str, real: str, f: str) -> str:
    """Return one helper in one precision; `f` ends the names and literals of single precision."""
    return environment().get_template(f"helpers/{name}.cuh.j2").render(real=real, f=f, name=name + f)
