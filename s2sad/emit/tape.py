"""The layout of the global tape, and what the host must know of it.

Byte 0 is the overrun flag. Region 0 starts at byte 16, each further region where
the one before ends, rounded up to 16 bytes. In a region, element `e` of thread `t`
stands at index `e * threads + t`, so that a warp writes contiguous words. The
transformer builds the kernel's side of this (pointers into `tape`), this module
the host's: `K_adj_tape_bytes`.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import LLONG, Binary, Expr, Select, Sym
from ..transform.unit import Adjoint, TapeRegion
from ..transform.widened import widened
from .text import LEVEL, Printer
from .view import View, laid_out, scalars


def _free(wanted: str, taken: frozenset[str]) -> str:
    """A name for something of ours beside the author's parameters."""
    while wanted in taken:
        wanted += "_"
    return wanted


def _count(printer: Printer, region: TapeRegion) -> str:
    return printer.converted(widened(region.count), LLONG, LEVEL["*"] + 1)


def host_view(adjoint: Adjoint) -> View | None:
    """What `tape.cu.j2` spells: the size function, if there is a global tape."""
    if not adjoint.tape:
        return None
    printer = Printer()
    params: list[Sym] = scalars(adjoint.program.kernel)
    taken = frozenset(sym.name for sym in params)
    names = {name: _free(name, taken) for name in ("grid", "block", "threads", "bytes")}
    head = f'extern "C" size_t {adjoint.kernel.name}_tape_bytes'
    declared = [f"dim3 {names['grid']}", f"dim3 {names['block']}", *map(printer.declared, params)]
    return {
        "head": head,
        "parameters": laid_out(len(head) + 1, [[text] for text in declared]),
        "regions": [
            {"name": region.name, "type": region.type, "count": _count(printer, region)}
            for region in adjoint.tape
        ],
        **names,
    }


def _times(count: str) -> str:
    return "" if count == "1" else f"{count} * "


def _unclamped(count: Expr) -> Expr:
    """A count as a reader wants it: that it may not be negative is the size function's business."""
    match count:
        case Select():
            return count.then
        case Binary(op="*"):
            return replace(count, left=_unclamped(count.left), right=_unclamped(count.right))
        case _:
            return count


def memory(adjoint: Adjoint) -> str:
    """The sentence on extra global memory, "" if none is used."""
    if not adjoint.tape:
        return ""
    printer = Printer()
    parts = [
        f"{_times(_count(printer, region))}sizeof({region.type}) bytes ({region.name})"
        for region in (replace(r, count=_unclamped(r.count)) for r in adjoint.tape)
    ]
    arguments = ", ".join(["grid", "block", *(sym.name for sym in scalars(adjoint.program.kernel))])
    return (
        f"a tape of {' and '.join(parts)} per thread, in global memory; "
        f"{adjoint.kernel.name}_tape_bytes({arguments}) says how many in all."
    )
