"""The layout of the global tape and of the launch's shared memory, as the host needs it.

Byte 0 is the overrun flag. Region 0 starts at byte 16, each further region where
the one before ends, rounded up to 16 bytes. In a region, element `e` of thread `t`
is at index `e * threads + t`, so that a warp writes contiguous words. The
transformer builds the kernel's side of this (pointers into `tape`), this module
the host's: `K_adj_tape_bytes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..ir import LLONG, Binary, Expr, Place, Select, Sym, unconverted
from ..transform.build.declare_shared_adjoints import HANDED
from ..transform.common.algebra import rewrite
from ..transform.common.wide_integers import widened
from ..transform.common.wording import listed
from ..transform.unit import Adjoint, TapeRegion
from .c_printer import LEVEL, Printer
from .records import View, laid_out, scalars
from .wrap import PROSE_WIDTH, prose, table

WIDTH = PROSE_WIDTH - 5  # of lines in the header


def _free(wanted: str, taken: frozenset[str]) -> str:
    """Return a name for one of our variables that differs from the author's parameters."""
    while wanted in taken:
        wanted += "_"
    return wanted


def _count(printer: Printer, region: TapeRegion, names: Mapping[str, str]) -> str:
    return printer.converted(widened(_on_host(region.count, names)), LLONG, LEVEL["*"] + 1)


def _on_host(count: Expr, names: Mapping[str, str]) -> Expr:
    """Rename variables in a count to the size function's own parameters."""

    def change(e: Expr) -> Expr | None:
        match e:
            case Place(sym, ()) if sym == HANDED:
                return Place(Sym(names["shared_bytes"], sym.type), (), e.type)
            case Place(sym, ()) if sym.within is None and sym.name.count(".") == 1:
                first, _, axis = sym.name.partition(".")
                return Place(Sym(f"{names[first]}.{axis}", sym.type), (), e.type)
            case _:
                return None

    return rewrite(count, change)


def _sizes(adjoint: Adjoint) -> list[Sym]:
    """The parameters of the size function: in second order, trip counts are the adjoint's own already."""
    own = scalars(adjoint.program.kernel)
    known = {sym.name for sym in own}
    return [*own, *(sym for _, sym in adjoint.measured if sym.name not in known)]


def host_view(adjoint: Adjoint) -> View | None:
    """Return the input of `tape.cu.j2`: the size function, if there is a global tape."""
    if not adjoint.tape:
        return None
    printer = Printer()
    params = _sizes(adjoint)
    taken = frozenset(sym.name for sym in params)
    names = {name: _free(name, taken) for name in ("grid", "block", "threads", "bytes")}
    head = f'extern "C" size_t {adjoint.kernel.name}_tape_bytes'
    declared = [f"dim3 {names['grid']}", f"dim3 {names['block']}", *map(printer.declared, params)]
    return {
        "head": head,
        "parameters": laid_out(len(head) + 1, [[text] for text in declared]),
        "regions": [
            {"name": region.name, "type": region.type, "count": _count(printer, region, names)}
            for region in adjoint.tape
        ],
        **names,
    }


def shared_view(adjoint: Adjoint) -> View | None:
    """Return the input of `shared.cu.j2`: the size function, if the adjoint needs more than the primal."""
    if not adjoint.shared:
        return None
    printer = Printer()
    params: list[Sym] = scalars(adjoint.program.kernel)
    taken = frozenset(sym.name for sym in params)
    names = {name: _free(name, taken) for name in ("grid", "block", "shared_bytes", "count")}
    head = f'extern "C" size_t {adjoint.kernel.name}_shared_bytes'
    declared = [f"dim3 {names['grid']}", f"dim3 {names['block']}", f"size_t {names['shared_bytes']}"]
    return {
        "head": head,
        "parameters": laid_out(len(head) + 1, [[t] for t in (*declared, *map(printer.declared, params))]),
        "stretches": [
            {
                "name": names["count"] if k == 0 else _free(f"{names['count']}_{k + 1}", taken),
                "elements": printer.converted(widened(_on_host(unconverted(region.count), names)), LLONG, 0),
                "type": region.type,
                "times": "" if len(region.arrays) == 1 else f"{len(region.arrays)} * ",
            }
            for k, region in enumerate(adjoint.shared)
        ],
        "arrays": listed([name for region in adjoint.shared for name in region.arrays]),
        **names,
    }


def _times(count: str) -> str:
    return "" if count == "1" else f"{count} * "


def _unclamped(count: Expr) -> Expr:
    """Simplify a count for the reader: the size function ensures that it isn't negative."""
    match count:
        case Select():
            return count.then
        case Binary(op="*"):
            return replace(count, left=_unclamped(count.left), right=_unclamped(count.right))
        case _:
            return count


def memory(adjoint: Adjoint) -> list[str]:
    """Return the header's lines on extra memory, none if none is used."""
    lines = _wrapped(_dynamic(adjoint))
    if adjoint.tape:
        lines += [*_wrapped(_total(adjoint)), *table(_per_thread(adjoint), WIDTH, gap=3)]
    return [*lines, *_wrapped(_fits(adjoint)), *_wrapped(_trips(adjoint))]


def _wrapped(text: str) -> list[str]:
    return prose(text, "", "", WIDTH).split("\n") if text else []


def _fits(adjoint: Adjoint) -> str:
    """Describe up to how many iterations of loops the tape is within the user's budget."""
    if not adjoint.fits:
        return ""
    counts = listed([f"{count} iterations of the loop in line {line}" for line, count in adjoint.fits])
    return f"The tape is within its budget up to {counts}."


def _trips(adjoint: Adjoint) -> str:
    """Describe how to measure the trip counts for which the kernel gives no bound."""
    called = adjoint.measure_signature
    if called is None:
        return ""
    lines = [str(line) for line, _ in adjoint.measured]
    which = f"the loop in line {lines[0]}" if len(lines) == 1 else f"the loops in lines {listed(lines)}"
    last = called.arguments[-1].name
    found = listed([f"{sym.name} = {last}[{k}]" for k, (_, sym) in enumerate(adjoint.measured)])
    copies = [a.name for a in called.arguments[:-1] if a.written]
    copied = f"copies of {listed(copies)} (overwritten) and " if copies else ""
    count = "an int that is 0" if len(lines) == 1 else f"{len(lines)} ints that are 0"
    return (
        f"No trip bound is known for {which}. First launch "
        f"{called.name}({', '.join(a.name for a in called.arguments)}) with the same grid and block, "
        f"{copied}{last} pointing to {count}; then pass {found}."
    )


def _dynamic(adjoint: Adjoint) -> str:
    if not adjoint.shared:
        return ""
    arguments = ", ".join(
        ["grid", "block", "shared_bytes", *(s.name for s in scalars(adjoint.program.kernel))]
    )
    names = [name for region in adjoint.shared for name in region.arrays]
    what = f"{names[0]} only" if len(names) == 1 else f"{listed(names)}, in this order"
    return (
        f"Dynamic shared memory ({what}): launch with {adjoint.kernel.name}_shared_bytes({arguments}) bytes."
    )


def _total(adjoint: Adjoint) -> str:
    arguments = ", ".join(["grid", "block", *(sym.name for sym in _sizes(adjoint))])
    return f"Tape: {adjoint.kernel.name}_tape_bytes({arguments}) bytes of global memory; per thread:"


def _per_thread(adjoint: Adjoint) -> list[tuple[str, str]]:
    """Return the size of each region of the tape."""
    printer, own = Printer(), {"grid": "grid", "block": "block"}
    return [
        (f"  {region.name}", f"{_times(_count(printer, region, own))}sizeof({region.type}) bytes")
        for region in (replace(r, count=_unclamped(r.count)) for r in adjoint.tape)
    ]
