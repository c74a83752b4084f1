"""Replace reads of a shared tile that copies global memory by reads of the global memory itself.

    tile[threadIdx.x] = i < n ? x[i] : 0.0f;         tile[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();                                 __syncthreads();
    if (i < n)                                  ->   if (i < n) {
        v[i] = a * tile[threadIdx.x + d];                int tile_i = i + d;
                                                         v[i] = a * (tile_i < n ? x[tile_i] : 0.0f);
                                                     }

The contribution of such a read then goes directly to adj_x, so one thread can gather all of
x[i]'s, if the launch is declared to cover x (see `gather_from_neighbours`). Where no thread
gathers, the tile should stay: its adjoint is added to x's once per block.
What the tile holds is lemma L25 (`common.tile_contents`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from ...ir import Declare, Function, Sym, statements
from ..common.thread_coordinates import Points
from ..common.tile_contents import TileContents, Unknown, stores_to


@dataclass(frozen=True)
class Unstaged:
    """A function with the reads of some tiles replaced, and for each tile the arrays read instead."""

    function: Function
    arrays: dict[Sym, frozenset[Sym]] = field(default_factory=dict)


def bypass_shared_tiles(
    function: Function, axes: str, wanted: Collection[Sym], stay: Collection[Sym]
) -> Unstaged:
    """Replace the reads of tiles that hold copies of the `wanted` arrays."""
    found: dict[Sym, frozenset[Sym]] = {}
    body = function.body
    for tile in [s.sym for s in statements(body) if isinstance(s, Declare) and s.sym.storage == "shared"]:
        if tile in stay:
            continue
        try:
            stores = stores_to(body, tile)
            if len(stores) != 1:
                continue
            made = TileContents(body, Points(body, axes), stores[0])
            arrays = frozenset(made.arrays & set(wanted))
            if arrays:
                body = made.body(body, frozenset())
                found[tile] = arrays
        except Unknown:
            pass
    return Unstaged(replace(function, body=body), found)
