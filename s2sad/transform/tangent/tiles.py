"""Refuse tangents where the lanes of a tile may meet without the rest of their warp.

    tile.shfl_up(a, 1)     is read as     __shfl_up_sync(0xffffffffu, a, 1, 16)

The mask names all lanes of the warp, which is only right where all of them come: the primal's own text waits
for the tile alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis import ssa_construction
from ...analysis.constants import FULL, WARP
from ...analysis.ssa import Versions
from ...analysis.threads import warp_uniformity
from ...analysis.threads.warp_uniformity import mask_of, meetings, width_of
from ...diagnostics import Code, Diagnostic, diagnose
from ...ir import Barrier, Function, Program, Stmt, collective, statements
from ...options import Options
from ...passes import PLAIN
from ...rules import Table
from ..normalise.tree_sums import Trees
from ..pipelines import NORMALISE
from ..plan.accumulation_policy import Ownership
from ..plan.shuffles import advice
from ..states import Primal


def problems(program: Program, options: Options, table: Table) -> list[Diagnostic]:
    """Shuffles and barriers of a tile that the lanes of a warp may not reach together."""
    functions = (program.kernel, *program.functions.values())
    if program.adjoint or not any(_meets(function) for function in functions):
        return []
    normalised = PLAIN.run(NORMALISE, Primal(program, Trees(program.kernel), options, table)).function
    owned = Ownership(program, normalised, options.assume)
    versions = ssa_construction.survey(normalised)
    warps = warp_uniformity.survey(versions, owned.access.dimensions, owned.alike)
    found = []
    for stmt in _of_tiles(versions, meetings(versions)):
        parting = warps.parting(stmt) or next(iter(warps.even), None)
        if parting is not None:
            call = collective(stmt)
            span = (call.span if call is not None else None) or getattr(stmt, "span", None)
            name = "__syncwarp" if call is None else call.name
            found.append(diagnose(Code.DIVERGENT_WARP, span, name=name, **advice(parting)))
    return found


def _meets(function: Function) -> bool:
    return any(
        (isinstance(s, Barrier) and s.warp and s.mask is None) or collective(s) is not None
        for s in statements(function.body)
    )


def _of_tiles(versions: Versions, met: Sequence[Stmt]) -> Iterator[Stmt]:
    """Yield barriers of a warp without a mask, and shuffles of all lanes in segments, as tiles are read."""
    for stmt in met:
        call = collective(stmt)
        if call is None:
            narrow = isinstance(stmt, Barrier) and stmt.mask is None
        else:
            within = (width_of(versions, stmt, call) or 0) < WARP
            narrow = call.rule == "shuffle" and within and mask_of(versions, stmt, call) == FULL
        if narrow:
            yield stmt
