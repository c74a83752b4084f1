"""Exchanges among the lanes of a warp after which all of them have the same value.

for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, d);
"""

from __future__ import annotations

from ...ir import Assign, Binary, Call, Declare, Expr, For, Place, Sym, unconverted
from ..constants import FULL, WARP, uncast
from ..loops.counted_loops import scale
from ..ssa import Version, Versions
from .warp_uniformity import mask_of, width_of


def butterfly(versions: Versions, version: Version, sums: bool = False) -> bool:
    """Whether a loop makes a version the maximum or minimum of all lanes' values; or their sum.

    L27. Let each of the 32 lanes set v(L) = f(v(L), v(L ^ d)), f symmetric, for d = 1, 2, 4, 8, 16 in
    any order. After the step of d, v(L) = v(L ^ d) for all L, and later steps keep it so; after the
    last one all lanes have one value. (Floating sums may differ in rounding, since a compiler may
    contract the first addition: so no decision may depend on them.)
    """
    loop = version.stmt
    scaled = scale(loop) if isinstance(loop, For) and version.kind == "exit" else None
    match loop:
        case For(_, _, _, (Declare(part, Call() as call) as made, Assign(Place(into, ()), chosen, op))):
            pass
        case _:
            return False
    match call.args:
        case (_, Place(passed, ()), by) if passed is into is version.sym:
            pass
        case _:
            return False
    if not _symmetric(chosen, op, into, part, sums):
        return False
    by = uncast(by)
    counts = scaled is not None and isinstance(by, Place) and by.sym is scaled.sym
    whole = scaled is not None and sorted(scaled.values) == [1 << k for k in range(WARP.bit_length() - 1)]
    full = mask_of(versions, made, call) == FULL and width_of(versions, made, call) == WARP
    return counts and whole and full and call.name == "__shfl_xor_sync"


def _symmetric(chosen: Expr, op: str | None, into: Sym, part: Sym, sums: bool) -> bool:
    """Whether the assigned value is one of the two, or their sum, symmetrically in both."""
    match unconverted(chosen):
        case Call(args=(Place(a, ()), Place(b, ())), rule="fmax" | "fmin") if op is None:
            return {a, b} == {into, part}
        case Binary("+", Place(a, ()), Place(b, ())) if op is None:
            return sums and {a, b} == {into, part}
        case Place(a, ()) if op == "+=":
            return sums and a is part
        case _:
            return False
