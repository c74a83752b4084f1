"""Let whole warps exchange values where a tile's lanes meet together with the rest of their warp.

    tile.shfl_down(v, d)
      ->  __shfl_down_sync(0xffu << (threadIdx.x % 32 / 8 * 8), v, d, 8)      as it is read
      ->  __shfl_down_sync(0xffffffffu, v, d, 8)                              where all lanes come

A mask that stays gets a name, `tile_mask`: where tiles of one warp part, and that of a vote, whose
result it decides.
"""

from __future__ import annotations

from dataclasses import replace

from ...analysis import ssa_construction
from ...analysis.constants import FULL
from ...analysis.threads.warp_uniformity import Warps, meetings, named_lanes
from ...ir import (
    UINT,
    Barrier,
    Binary,
    Body,
    Call,
    Const,
    Declare,
    Expr,
    Function,
    Place,
    Stmt,
    Sym,
    collective,
    statements,
    substituted,
    walk,
)
from ..common.symbol_uses import mapped

_ALL = Const(FULL, UINT, spelling="0xffffffffu")


def has_tile_masks(body: Body) -> bool:
    """Whether a collective names the lanes of its tile."""
    return any(_mask(s) is not None for s in statements(body))


def widen_tile_masks(function: Function, dimensions: int, alike: frozenset[str]) -> Function:
    """The function, in tail form, with such masks; its block has so many dimensions."""
    versions = ssa_construction.survey(function)
    warps = Warps(versions, dimensions, True, alike)
    new: dict[Stmt, Expr | None] = {}
    names: dict[Expr, Sym] = {}
    for stmt in meetings(versions):
        mask = _mask(stmt)
        if mask is None or warps.segment(stmt, mask) is None:
            continue
        if not _decides(stmt) and warps.of().apart(versions.scope_of[stmt]) is None:
            new[stmt] = None if isinstance(stmt, Barrier) else _ALL
        else:
            name = names.setdefault(mask, Sym("tile_mask", UINT))
            new[stmt] = Place(name, (), UINT)
    if not new:
        return function
    body = substituted(function.body, lambda s: (_with(s, new[s]),) if s in new else None)
    return replace(function, body=(*(Declare(sym, mask) for mask, sym in names.items()), *body))


def _mask(stmt: Stmt) -> Expr | None:
    """The mask of a collective that is computed from the thread's position where it is used."""
    mask = named_lanes(stmt)
    plain = isinstance(mask, Binary) and not any(isinstance(e, Place | Call) for e in walk(mask))
    return mask if plain else None


def _decides(stmt: Stmt) -> bool:
    """Whether the mask decides the result: a vote asks the lanes that it names; a shuffle has its width."""
    call = collective(stmt)
    return call is not None and call.rule != "shuffle"


def _with(stmt: Stmt, mask: Expr | None) -> Stmt:
    if mask is None:
        assert isinstance(stmt, Barrier)
        return replace(stmt, mask=None)
    old = _mask(stmt)
    return mapped(stmt, lambda e: mask if e is old else None)
