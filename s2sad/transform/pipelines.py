"""The passes of the transformation, in order: one table, and the pipelines of kernels and functions.

    source → Program → NORMALISE → Facts → verdicts → build → ASSEMBLE → … → FINISH → text

A pass's name is that of its dump (`s2sad transform --dump-after NAME`) and of its test
(`tests/passes/NAME.test`). The rewrite of a pass is in the module of the same name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..analysis.access.shared_extents import refuse_before
from ..analysis.function_attributes import most_threads
from ..ir import Body, Declare, Function, Parameter, Sym
from ..passes import Pass
from .build.add_scalar_totals import added
from .build.address_tape import with_tape
from .build.declare_restored import with_restored
from .build.declare_shared_adjoints import with_shared
from .build.explain_strips import with_strips_explained
from .build.number_lanes import numbered
from .build.store_half_precision import in_memory, narrowed
from .normalise.hoist_loop_bounds import settled
from .normalise.inline_collectives import with_meetings_inline
from .normalise.loop_headers import headed
from .normalise.predicate_early_returns import predicate_early_returns
from .normalise.promote_to_shared import with_block_elements
from .normalise.recognise_block_sums import alike_in_columns, with_exchanged_sums
from .normalise.strip_mine_loops import strip_mine_loops
from .normalise.structure_exits import structure
from .normalise.tree_sums import with_block_sums
from .normalise.unique_declarations import unique_declarations
from .normalise.widen_tile_masks import has_tile_masks, widen_tile_masks
from .optimise.assign_sites import assign_sites
from .optimise.barriers.eliminate_barriers import with_needed_barriers
from .optimise.barriers.phase_barriers import separated
from .optimise.contribution_audit import accounted, stored
from .optimise.gather.deal_block_sums import deal_block_sums
from .optimise.gather.distribute_tiles import with_dealt_tiles
from .optimise.gather.gather_from_neighbours import collected_by_owners
from .optimise.gather.gather_in_rows import gather_in_rows
from .optimise.gather.gather_in_tiles import gather_in_tiles
from .optimise.gather.interchange_sums import Launch, interchange_sums
from .optimise.gather.split_halos import with_rims
from .optimise.gather.unstage_tiles import unstage_tiles
from .optimise.loops.drop_zero_sums import drop_zero_sums
from .optimise.loops.fuse_loops import fuse_loops
from .optimise.loops.fuse_sweeps import fuse_sweeps
from .optimise.loops.guard_loop_sums import guard_loop_sums
from .optimise.loops.restore_continues import restore_continues
from .optimise.loops.unroll_reversed_loops import unroll_reversed_loops
from .optimise.scalar.call_cse import call_cse
from .optimise.scalar.copy_propagation import copy_propagation
from .optimise.scalar.dead_clears import without_dead_clears
from .optimise.scalar.dead_code import without_own_unread, without_unused
from .optimise.scalar.dead_records import without_records
from .optimise.scalar.declare_at_once import declare_at_once
from .optimise.scalar.drop_declared_conditions import drop_declared_conditions
from .optimise.scalar.fold_known_factors import fold_known_factors
from .optimise.scalar.fold_literals import fold_literals
from .optimise.scalar.guard_zero_adjoints import guard_zero_adjoints
from .optimise.scalar.initialise_adjoints import initialise_adjoints
from .optimise.scalar.invariant_factors import invariant_factors
from .optimise.scalar.loop_reciprocals import with_reciprocals
from .optimise.scalar.restore_collectives import restore_collectives
from .optimise.scalar.reuse_products import reuse_products
from .optimise.scalar.rsqrt import with_reciprocal_roots
from .optimise.scalar.share_reciprocals import share_reciprocals
from .optimise.scalar.simplify import simplify, with_whole_structs
from .optimise.scalar.sincos import with_sincos
from .optimise.scalar.value_numbering import value_numbering
from .optimise.sums.batch_block_sums import batch_block_sums
from .optimise.sums.block_reduce import reduced
from .optimise.sums.coalesce_sums import coalesce_sums
from .optimise.sums.defer_block_adds import defer_block_adds
from .optimise.sums.first_add_as_store import with_firsts
from .optimise.sums.hoist_owner_sums import hoist_owner_sums
from .optimise.sums.loop_accumulators import loop_accumulators
from .optimise.sums.merge_atomics import merge_atomics
from .optimise.sums.recognise_block_maxima import recognise_block_maxima
from .optimise.sums.unguard_existing_elements import unguard_existing_elements
from .optimise.sums.unguard_uniform_sums import unguarded
from .plan.accumulation_policy import Ownership, evens
from .plan.accumulation_verdicts import primals
from .plan.check_launch import may_be_absent, tested
from .plan.shared_layout import is_launched
from .states import Built, Primal, same

# ---- primal to primal ----------------------------------------------------------


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

# ---- built to built -------------------------------------------------------------


def _rewriting(
    name: str,
    rewrite: Callable[[Body], Body],
    account: Callable[[str, Body, Body], Body] | None = None,
    requires: tuple[str, ...] = (),
) -> Pass[Built]:
    """A pass that needs only the body; `account` checks its contributions against those before."""

    def run(state: Built) -> Built:
        new = rewrite(state.body)
        return state.becomes(new if account is None else account(name, state.body, new))

    return Pass(name, run, requires)


def _declare_restored(state: Built) -> Built:
    arrays = [sym for _, sym in state.of_kernel.storage.snapshots]
    return state.becomes(with_restored(list(state.body), arrays))


def _explain_strips(state: Built) -> Built:
    outermost = {levels[0].loop for levels in state.of_kernel.strips.values()}
    return state.becomes(with_strips_explained(state.body, outermost)) if outermost else state


def _add_scalar_totals(state: Built) -> Built:
    body = list(state.body)
    for total, pointer in state.of_kernel.parameters.totals:
        body = added(body, total, pointer)
    return state.becomes(body)


def _number_lanes(state: Built) -> Built:
    kernel = state.of_kernel
    ways = kernel.facts.known.ways
    if ways is None:
        return state
    return state.becomes(numbered(list(state.body), ways.lane, kernel.ownership.access.dimensions))


def _declare_shared_adjoints(state: Built) -> Built:
    kernel = state.of_kernel
    versions = kernel.facts.versions
    for stmt in versions.order:
        if isinstance(stmt, Declare) and is_launched(stmt.sym) and stmt.sym.name in kernel.program.begun:
            refuse_before(kernel.ownership.access, stmt.sym)
    body, dynamic = with_shared(
        state.body,
        versions.order,
        kernel.parameters.adjoints,
        kernel.block_dimensions,
        kernel.ownership.extent,
        kernel.helper,
    )
    new = state.becomes(body)
    return replace(new, dynamic=tuple(dynamic)) if dynamic else new


def _simplify(state: Built) -> Built:
    """Skipped if nothing has changed since the last time."""
    if state.simple is not None and same(state.simple, state.body):
        return state
    new = state.becomes(stored("simplify", state.body, tuple(simplify(list(state.body)))))
    return replace(new, simple=new.body)


def _gather_in_rows(state: Built) -> Built:
    kernel = state.of_kernel
    places = state.verdicts.places
    body, found = gather_in_rows(
        state.body, kernel.block_dimensions, lambda array: kernel.ownership.rows(array, places.get(array, {}))
    )
    return state.becomes(body, state.verdicts.gathered_in_rows(primals(found)) if found else None)


def _gather_in_tiles(state: Built) -> Built:
    kernel = state.of_kernel
    body, found = gather_in_tiles(state.body, kernel.primal.body, kernel.block_dimensions)
    return state.becomes(body, state.verdicts.gathered_in_tiles(primals(found)) if found else None)


def _gather_from_neighbours(state: Built) -> Built:
    made = collected_by_owners(state.body, state.verdicts.covered, state.of_kernel.ownership.extents)
    new = state.becomes(made.body, state.verdicts.gathered(primals(made.adjoints)))
    return replace(new, collected=made.adjoints, widths=dict(made.widths)) if made.adjoints else new


def _distribute_tiles(state: Built) -> Built:
    kernel = state.of_kernel
    left, atoms = state.verdicts.atomic_still(), kernel.ownership.access.facts_.atoms
    body, found = with_dealt_tiles(state.body, left, atoms, kernel.block_dimensions, kernel.ordered)
    return state.becomes(body, state.verdicts.dealt_out(primals(found)))


def _split_halos(state: Built) -> Built:
    body, found = with_rims(state.body, state.verdicts.edges)
    return state.becomes(body, state.verdicts.rims_alone(primals(found)))


def _interchange_sums(state: Built) -> Built:
    ownership = state.of_kernel.ownership
    access = ownership.access
    launch = Launch(
        access.dimensions,
        access.block_dimensions,
        most_threads(state.function),
        access.assumes_dimensions,
        ownership.extents,
    )
    made = interchange_sums(state.body, launch)
    verdicts = state.verdicts.in_columns(primals(made.summed)).by_owners(primals(made.gathered))
    return state.becomes(made.body, verdicts if made.summed or made.gathered else None)


def _unguard_uniform_sums(state: Built) -> Built:
    new = unguarded(state.body, state.of_kernel.block_dimensions)
    return state.becomes(accounted("unguard_uniform_sums", state.body, new))


def _batch_block_sums(state: Built) -> Built:
    new = batch_block_sums(state.body, state.of_kernel.block_dimensions)
    return state.becomes(stored("batch_block_sums", state.body, new))


def _recognise_block_maxima(state: Built) -> Built:
    kernel = state.of_kernel
    new = recognise_block_maxima(state.body, kernel.sums)
    if new is state.body:
        return state
    return state.becomes(with_needed_barriers(new, kernel.ownership.exchanged, kernel.block_dimensions))


def _drop_zero_sums(state: Built) -> Built:
    kernel = state.of_kernel
    return state.becomes(drop_zero_sums(state.body, kernel.sums.threads, kernel.block_dimensions))


def _block_reduce(state: Built) -> Built:
    kernel = state.of_kernel
    return state.becomes(reduced(state.body, kernel.block_dimensions, kernel.program.variables))


def _deal_block_sums(state: Built) -> Built:
    body, found = deal_block_sums(state.body, state.of_kernel.block_dimensions)
    arrays = [sym for sym in primals(found) if sym in state.verdicts.plain]
    return state.becomes(body, state.verdicts.in_columns(arrays))


def _drop_declared_conditions(state: Built) -> Built:
    return state.becomes(drop_declared_conditions(state.body, state.of_kernel.primal.requires))


def _unstage_tiles(state: Built) -> Built:
    body, gone = unstage_tiles(state.body, state.of_kernel.block_dimensions)
    return state.becomes(accounted("unstage_tiles", state.body, body, gone))


def _phase_barriers(state: Built) -> Built:
    kernel = state.of_kernel
    exchanged, dimensions = kernel.ownership.exchanged, kernel.block_dimensions
    body, stuck = separated(state.body, lambda b: with_needed_barriers(b, exchanged, dimensions))
    return state.becomes(body, state.verdicts.atomic(primals(stuck)) if stuck else None)


def _address_tape(state: Built) -> Built:
    kernel = state.of_kernel
    storage = kernel.storage
    if not storage.regions:
        return state
    body = with_tape(state.body, storage, kernel.threads, kernel.ownership.access.dimensions)
    more = (*kernel.measured.parameters, Parameter(storage.parameter))
    function = replace(state.function, body=body, params=(*state.function.params, *more))
    return replace(state, function=function)


def _check_launch(state: Built) -> Built:
    """Insert the check of what the adjoint assumes about its launch."""
    kernel = state.of_kernel
    ownership, ways = kernel.ownership, kernel.facts.known.ways
    relies = "warps then have disjoint elements" if ownership.whole_warps else ""
    if kernel.sums.whole_warps or (ways is not None and ways.warps.aligned):
        relies = "the primal communicates within warps"
    test = tested(
        ownership.assumed,
        relies,
        kernel.sums,
        kernel.parameters.owed,
        may_be_absent(kernel.primal.body),
        ownership.extents,
        ownership.access.most_dimensions,
        state.widths,
        kernel.alone,
        evens(ownership, ways),
        kernel.primal.requires,
    )
    return state.becomes((*test, *state.body))


def _store_half_precision(state: Built) -> Built:
    memory = in_memory(p.sym for p in state.function.params)
    if not memory:
        return state
    params = tuple(replace(p, sym=memory.get(p.sym, p.sym)) for p in state.function.params)
    function = replace(state.function, params=params, body=narrowed(state.body, memory))
    return replace(state, function=function)


def _dead_records(state: Built) -> Built:
    body = without_records(state.body, state.unread) if state.unread else state.body
    return state.becomes(without_own_unread(body))


DECLARE_RESTORED = Pass("declare_restored", _declare_restored)
EXPLAIN_STRIPS = Pass("explain_strips", _explain_strips)
ADD_SCALAR_TOTALS = Pass("add_scalar_totals", _add_scalar_totals)
NUMBER_LANES = Pass("number_lanes", _number_lanes)
DECLARE_SHARED_ADJOINTS = Pass("declare_shared_adjoints", _declare_shared_adjoints)
ASSIGN_SITES = _rewriting("assign_sites", assign_sites)
UNIQUE_DECLARATIONS = _rewriting("unique_declarations", unique_declarations)
DECLARE_AT_ONCE = _rewriting("declare_at_once", declare_at_once)
FOLD_LITERALS = _rewriting("fold_literals", fold_literals, stored)
FOLD_KNOWN_FACTORS = _rewriting("fold_known_factors", fold_known_factors, stored)
INVARIANT_FACTORS = _rewriting("invariant_factors", invariant_factors, stored)
SIMPLIFY = Pass("simplify", _simplify, ("assign_sites", "unique_declarations"))
SIMPLIFY_AT_LAST = _rewriting("simplify", with_whole_structs, stored, ("assign_sites", "unique_declarations"))
LOOP_ACCUMULATORS = _rewriting("loop_accumulators", loop_accumulators, accounted, ("simplify",))
GATHER_IN_ROWS = Pass("gather_in_rows", _gather_in_rows, ("assign_sites",))
GATHER_IN_TILES = Pass("gather_in_tiles", _gather_in_tiles, ("assign_sites",))
GATHER_FROM_NEIGHBOURS = Pass("gather_from_neighbours", _gather_from_neighbours, ("assign_sites",))
DISTRIBUTE_TILES = Pass("distribute_tiles", _distribute_tiles, ("assign_sites",))
SPLIT_HALOS = Pass("split_halos", _split_halos, ("assign_sites",))
INTERCHANGE_SUMS = Pass("interchange_sums", _interchange_sums, ("assign_sites",))
FUSE_LOOPS = _rewriting("fuse_loops", fuse_loops, None, ("assign_sites",))
FUSE_SWEEPS = _rewriting("fuse_sweeps", fuse_sweeps, None, ("assign_sites",))
RECOGNISE_BLOCK_MAXIMA = Pass("recognise_block_maxima", _recognise_block_maxima)
BATCH_BLOCK_SUMS = Pass("batch_block_sums", _batch_block_sums, ("assign_sites",))
DROP_ZERO_SUMS = Pass("drop_zero_sums", _drop_zero_sums, ("assign_sites",))
UNGUARD_UNIFORM_SUMS = Pass("unguard_uniform_sums", _unguard_uniform_sums, ("assign_sites",))
BLOCK_REDUCE = Pass("block_reduce", _block_reduce, ("assign_sites", "loop_accumulators"))
DEAL_BLOCK_SUMS = Pass("deal_block_sums", _deal_block_sums, ("block_reduce",))
RSQRT = _rewriting("rsqrt", with_reciprocal_roots, stored)
LOOP_RECIPROCALS = _rewriting("loop_reciprocals", with_reciprocals, stored)
COPY_PROPAGATION = _rewriting("copy_propagation", copy_propagation, stored)
VALUE_NUMBERING = _rewriting("value_numbering", value_numbering, stored)
REUSE_PRODUCTS = _rewriting("reuse_products", reuse_products, stored)
CALL_CSE = _rewriting("call_cse", call_cse, stored)
SHARE_RECIPROCALS = _rewriting("share_reciprocals", share_reciprocals, stored)
UNGUARD_EXISTING_ELEMENTS = _rewriting("unguard_existing_elements", unguard_existing_elements, accounted)
COALESCE_SUMS = _rewriting("coalesce_sums", coalesce_sums, stored)
HOIST_OWNER_SUMS = _rewriting("hoist_owner_sums", hoist_owner_sums, stored)
SINCOS = _rewriting("sincos", with_sincos, stored)
DEAD_CLEARS = _rewriting("dead_clears", without_dead_clears)
GUARD_ZERO_ADJOINTS = _rewriting("guard_zero_adjoints", guard_zero_adjoints, stored)
MERGE_ATOMICS = _rewriting("merge_atomics", merge_atomics, accounted)
DEFER_BLOCK_ADDS = _rewriting("defer_block_adds", defer_block_adds, stored)
GUARD_LOOP_SUMS = _rewriting("guard_loop_sums", guard_loop_sums, accounted, ("initialise_adjoints",))
FIRST_ADD_AS_STORE = _rewriting("first_add_as_store", with_firsts, accounted)
INITIALISE_ADJOINTS = _rewriting("initialise_adjoints", initialise_adjoints)
LOOP_HEADERS = _rewriting("loop_headers", headed, None, ("unique_declarations",))
UNROLL_REVERSED_LOOPS = _rewriting("unroll_reversed_loops", unroll_reversed_loops)
DROP_DECLARED_CONDITIONS = Pass("drop_declared_conditions", _drop_declared_conditions)
UNSTAGE_TILES = Pass("unstage_tiles", _unstage_tiles)
PHASE_BARRIERS = Pass("phase_barriers", _phase_barriers, ("assign_sites",))
DEAD_CODE = _rewriting("dead_code", without_unused)
RESTORE_COLLECTIVES = _rewriting("restore_collectives", restore_collectives)
RESTORE_CONTINUES = _rewriting("restore_continues", restore_continues)
ADDRESS_TAPE = Pass("address_tape", _address_tape)
CHECK_LAUNCH = Pass("check_launch", _check_launch)
STORE_HALF_PRECISION = Pass("store_half_precision", _store_half_precision)
DEAD_RECORDS = Pass("dead_records", _dead_records)


def _simplified(*passes: Pass[Built]) -> tuple[Pass[Built], ...]:
    """Each pass followed by `simplify`, which removes what became redundant."""
    return tuple(one for each in passes for one in (each, SIMPLIFY))


_BUILT = (ASSIGN_SITES, UNIQUE_DECLARATIONS, DECLARE_AT_ONCE, SIMPLIFY, *_simplified(LOOP_ACCUMULATORS))
_GATHER = (
    GATHER_IN_ROWS,
    GATHER_FROM_NEIGHBOURS,
    DISTRIBUTE_TILES,
    SPLIT_HALOS,
    INTERCHANGE_SUMS,
    GATHER_IN_TILES,
)
_SCALAR = (
    *_simplified(FUSE_SWEEPS),
    *_simplified(FOLD_KNOWN_FACTORS, RSQRT, LOOP_RECIPROCALS, COPY_PROPAGATION, VALUE_NUMBERING, CALL_CSE),
    *_simplified(SHARE_RECIPROCALS, UNGUARD_EXISTING_ELEMENTS, GUARD_ZERO_ADJOINTS, COALESCE_SUMS),
    *_simplified(HOIST_OWNER_SUMS, SINCOS, DEAD_CLEARS, REUSE_PRODUCTS),
    MERGE_ATOMICS,
    DEFER_BLOCK_ADDS,
    FIRST_ADD_AS_STORE,
    INITIALISE_ADJOINTS,
    GUARD_LOOP_SUMS,
    FOLD_LITERALS,
    INVARIANT_FACTORS,
    LOOP_HEADERS,
    UNROLL_REVERSED_LOOPS,
)

ASSEMBLE = (DECLARE_RESTORED, ADD_SCALAR_TOTALS, NUMBER_LANES, DECLARE_SHARED_ADJOINTS)
OPTIMISE = (
    *_BUILT,
    *_GATHER,
    *_simplified(LOOP_ACCUMULATORS),
    *_simplified(
        FUSE_LOOPS, BATCH_BLOCK_SUMS, DROP_ZERO_SUMS, UNGUARD_UNIFORM_SUMS, BLOCK_REDUCE, DEAL_BLOCK_SUMS
    ),
    *_SCALAR,
    DROP_DECLARED_CONDITIONS,
    UNSTAGE_TILES,
)
BARRIERS = (
    PHASE_BARRIERS,
    DEAD_CODE,
    RECOGNISE_BLOCK_MAXIMA,
    COPY_PROPAGATION,
    SIMPLIFY_AT_LAST,
    DEAD_CODE,
    RESTORE_COLLECTIVES,
    RESTORE_CONTINUES,
)
FINISH = (ADDRESS_TAPE, EXPLAIN_STRIPS, CHECK_LAUNCH)
IN_MEMORY = (STORE_HALF_PRECISION,)

OPTIMISE_FUNCTION = (*_BUILT, *_SCALAR, RESTORE_CONTINUES)
OPTIMISE_TANGENT = (VALUE_NUMBERING, CALL_CSE, SINCOS)
FINISH_FORWARD = (
    DEAD_RECORDS,
    ADDRESS_TAPE,
    EXPLAIN_STRIPS,
    UNIQUE_DECLARATIONS,
    LOOP_HEADERS,
    RESTORE_COLLECTIVES,
    RESTORE_CONTINUES,
)
FINISH_MEASURED = (UNIQUE_DECLARATIONS,)

BUILD = "build"
"""The step between NORMALISE and ASSEMBLE that builds the adjoint from the primal."""

NAMES = tuple(
    dict.fromkeys(
        (
            *(one.name for one in (*NORMALISE, *CHECKPOINTS)),
            BUILD,
            *(one.name for one in (*ASSEMBLE, *OPTIMISE, *BARRIERS, *FINISH_FORWARD, *FINISH, *IN_MEMORY)),
        )
    )
)
"""What can be dumped, in the order of the table."""
