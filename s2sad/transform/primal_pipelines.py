"""The passes from primal to primal, before the analyses: the first part of the table (`pipelines`)."""

from __future__ import annotations

from dataclasses import replace

from ..ir import Function, Sym
from ..passes import Pass
from .normalise.hoist_loop_bounds import settled
from .normalise.inline_collectives import with_meetings_inline
from .normalise.predicate_early_returns import predicate_early_returns
from .normalise.promote_to_shared import with_block_elements
from .normalise.recognise_block_sums import alike_in_columns, with_exchanged_sums
from .normalise.strip_mine_loops import strip_mine_loops
from .normalise.structure_exits import structure
from .normalise.tree_sums import with_block_sums
from .normalise.widen_tile_masks import has_tile_masks, widen_tile_masks
from .plan.accumulation_policy import Ownership
from .states import Primal


def _inline_collectives(state: Primal) -> Primal:
    assert state.table is not None
    program = with_meetings_inline(state.program, state.table)
    return state if program is state.program else replace(state.becomes(program.kernel), program=program)


def _predicate_early_returns(state: Primal) -> Primal:
    return state.becomes(predicate_early_returns(state.function))


def _promote_to_shared(state: Primal) -> Primal:
    def owned(kernel: Function, array: Sym) -> bool:
        return Ownership(state.program, kernel, state.options.assume).access.store_problem(array) is None

    return state.becomes(with_block_elements(state.function, owned))


def _recognise_block_sums(state: Primal) -> Primal:
    """In split mode nothing is replaced: K_fwd runs the primal's trees."""
    if state.options.mode == "split":
        return state
    body = state.function
    halved = with_block_sums(body)
    sums = with_exchanged_sums(halved)
    if sums.function is body:
        return state
    before, after = (
        Ownership(state.program, settled(structure(f)), state.options.assume).access
        for f in (body, sums.function)
    )
    if before.block_dimensions == 1 and after.dimensions == before.dimensions:
        return replace(state, sums=sums)
    if halved.function is body and alike_in_columns(body):
        return replace(state, sums=replace(sums, rows=True))
    return state


def _structure_exits(state: Primal) -> Primal:
    return state.becomes(structure(state.function, state.result))


def _hoist_loop_bounds(state: Primal) -> Primal:
    return state.becomes(settled(state.function))


def _widen_tile_masks(state: Primal) -> Primal:
    if not has_tile_masks(state.function.body):
        return state
    owned = Ownership(state.program, state.function, state.options.assume)
    return state.becomes(widen_tile_masks(state.function, owned.access.dimensions, owned.alike))


INLINE_COLLECTIVES = Pass("inline_collectives", _inline_collectives)
PREDICATE_EARLY_RETURNS = Pass("predicate_early_returns", _predicate_early_returns)
PROMOTE_TO_SHARED = Pass("promote_to_shared", _promote_to_shared, ("predicate_early_returns",))
RECOGNISE_BLOCK_SUMS = Pass("recognise_block_sums", _recognise_block_sums, ("predicate_early_returns",))
STRUCTURE_EXITS = Pass("structure_exits", _structure_exits)
HOIST_LOOP_BOUNDS = Pass("hoist_loop_bounds", _hoist_loop_bounds, ("structure_exits",))


def _strip_mine_loops(state: Primal) -> Primal:
    return state.becomes(strip_mine_loops(state.function, state.strips))


WIDEN_TILE_MASKS = Pass("widen_tile_masks", _widen_tile_masks, ("structure_exits",))

NORMALISE = (
    INLINE_COLLECTIVES,
    PREDICATE_EARLY_RETURNS,
    PROMOTE_TO_SHARED,
    RECOGNISE_BLOCK_SUMS,
    STRUCTURE_EXITS,
    HOIST_LOOP_BOUNDS,
    WIDEN_TILE_MASKS,
)
CHECKPOINTS = (Pass("strip_mine_loops", _strip_mine_loops, ("hoist_loop_bounds",)),)
"""After a plan, if its tape exceeds the user's budget."""

NORMALISE_FUNCTION = (STRUCTURE_EXITS, HOIST_LOOP_BOUNDS)
NORMALISE_MEASURED = (PREDICATE_EARLY_RETURNS, STRUCTURE_EXITS)
