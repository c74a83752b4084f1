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
from ..ir import Body, Declare, Parameter
from ..passes import Pass
from .build.add_scalar_totals import added
from .build.address_tape import with_tape
from .build.declare_restored import with_restored
from .build.declare_shared_adjoints import with_shared
from .build.explain_strips import with_strips_explained
from .build.number_lanes import numbered
from .build.store_half_precision import in_memory, narrowed
from .normalise.loop_headers import headed
from .normalise.unique_declarations import unique_declarations
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
from .optimise.loops.guard_idle_threads import guard_idle_threads
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
from .optimise.scalar.name_repeated_calls import name_repeated_calls
from .optimise.scalar.restore_collectives import restore_collectives
from .optimise.scalar.reuse_products import reuse_products
from .optimise.scalar.reuse_symmetric_values import reuse_symmetric_values
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
from .optimise.sums.return_if_empty import return_if_empty
from .optimise.sums.unguard_existing_elements import unguard_existing_elements
from .optimise.sums.unguard_uniform_sums import unguarded
from .plan.accumulation_policy import evens
from .plan.accumulation_verdicts import primals
from .plan.check_launch import may_be_absent, tested
from .plan.shared_layout import is_launched
from .primal_pipelines import CHECKPOINTS, NORMALISE
from .states import Built, Kernel, same

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


def _of_kernel(
    name: str,
    rewrite: Callable[[Body, Kernel], Body],
    account: Callable[[str, Body, Body], Body] | None = None,
    requires: tuple[str, ...] = ("assign_sites",),
) -> Pass[Built]:
    """The same, for one that also needs what is known of the kernel."""

    def run(state: Built) -> Built:
        new = rewrite(state.body, state.of_kernel)
        return state.becomes(new if account is None else account(name, state.body, new))

    return Pass(name, run, requires)


def _strips_explained(body: Body, kernel: Kernel) -> Body:
    outermost = {levels[0].loop for levels in kernel.strips.values()}
    return tuple(with_strips_explained(body, outermost)) if outermost else body


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
    new = state.becomes(made.body, verdicts if made.summed or made.gathered else None)
    widths = state.widths if made.width is None else {**state.widths, "x": made.width}
    covered = made.gathered if ownership.extents else frozenset()
    return replace(new, collected=state.collected | covered, widths=widths)


def _with_block_maxima(body: Body, kernel: Kernel) -> Body:
    new = recognise_block_maxima(body, kernel.sums)
    if new is body:
        return body
    return with_needed_barriers(new, kernel.ownership.exchanged, kernel.block_dimensions)


def _deal_block_sums(state: Built) -> Built:
    body, found = deal_block_sums(state.body, state.of_kernel.block_dimensions)
    arrays = [sym for sym in primals(found) if sym in state.verdicts.plain]
    return state.becomes(body, state.verdicts.in_columns(arrays))


def _unstage_tiles(state: Built) -> Built:
    body, gone = unstage_tiles(state.body, state.of_kernel.block_dimensions)
    return state.becomes(accounted("unstage_tiles", state.body, body, gone))


def _phase_barriers(state: Built) -> Built:
    kernel = state.of_kernel
    exchanged, dimensions = kernel.ownership.exchanged, kernel.block_dimensions
    body, stuck = separated(state.body, lambda b: with_needed_barriers(b, exchanged, dimensions))
    return state.becomes(body, state.verdicts.atomic(primals(stuck)) if stuck else None)


def _count_sums_as_barriers(state: Built) -> Built:
    kernel = state.of_kernel
    exchanged, dimensions = kernel.ownership.exchanged, kernel.block_dimensions
    return state.becomes(with_needed_barriers(state.body, exchanged, dimensions, sums=True))


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


DECLARE_RESTORED = _of_kernel(
    "declare_restored",
    lambda body, of: tuple(with_restored(list(body), [sym for _, sym in of.storage.snapshots])),
    requires=(),
)
EXPLAIN_STRIPS = _of_kernel("explain_strips", _strips_explained, requires=())
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
RECOGNISE_BLOCK_MAXIMA = _of_kernel("recognise_block_maxima", _with_block_maxima)
BATCH_BLOCK_SUMS = _of_kernel(
    "batch_block_sums", lambda body, of: batch_block_sums(body, of.block_dimensions), stored
)
DROP_ZERO_SUMS = _of_kernel(
    "drop_zero_sums", lambda body, of: drop_zero_sums(body, of.sums.threads, of.block_dimensions)
)
UNGUARD_UNIFORM_SUMS = _of_kernel(
    "unguard_uniform_sums", lambda body, of: unguarded(body, of.block_dimensions), accounted
)
BLOCK_REDUCE = _of_kernel(
    "block_reduce", lambda body, of: reduced(body, of.block_dimensions, of.program.variables)
)
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
REUSE_SYMMETRIC_VALUES = _rewriting("reuse_symmetric_values", reuse_symmetric_values, stored)
NAME_REPEATED_CALLS = _rewriting("name_repeated_calls", name_repeated_calls, stored)
SINCOS = _rewriting("sincos", with_sincos, stored)
DEAD_CLEARS = _rewriting("dead_clears", without_dead_clears)
GUARD_ZERO_ADJOINTS = _rewriting("guard_zero_adjoints", guard_zero_adjoints, stored)
GUARD_IDLE_THREADS = _of_kernel(
    "guard_idle_threads",
    lambda body, of: guard_idle_threads(body, [f.body for f in of.program.functions.values()]),
    stored,
    ("simplify",),
)
MERGE_ATOMICS = _rewriting("merge_atomics", merge_atomics, accounted)
DEFER_BLOCK_ADDS = _rewriting("defer_block_adds", defer_block_adds, stored)
GUARD_LOOP_SUMS = _rewriting("guard_loop_sums", guard_loop_sums, accounted, ("initialise_adjoints",))
FIRST_ADD_AS_STORE = _rewriting("first_add_as_store", with_firsts, accounted)
INITIALISE_ADJOINTS = _rewriting("initialise_adjoints", initialise_adjoints)
LOOP_HEADERS = _rewriting("loop_headers", headed, None, ("unique_declarations",))
UNROLL_REVERSED_LOOPS = _rewriting("unroll_reversed_loops", unroll_reversed_loops)
DROP_DECLARED_CONDITIONS = _of_kernel(
    "drop_declared_conditions", lambda body, of: drop_declared_conditions(body, of.primal.requires)
)
RETURN_IF_EMPTY = _rewriting("return_if_empty", return_if_empty)
UNSTAGE_TILES = Pass("unstage_tiles", _unstage_tiles)
PHASE_BARRIERS = Pass("phase_barriers", _phase_barriers, ("assign_sites",))
ELIMINATE_BARRIERS = Pass("eliminate_barriers", _count_sums_as_barriers, ("phase_barriers",))
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
    GUARD_IDLE_THREADS,
    GATHER_IN_ROWS,
    GATHER_FROM_NEIGHBOURS,
    DISTRIBUTE_TILES,
    SPLIT_HALOS,
    INTERCHANGE_SUMS,
    GATHER_IN_TILES,
)
_SCALAR = (
    *_simplified(FUSE_SWEEPS, REUSE_SYMMETRIC_VALUES),
    *_simplified(FOLD_KNOWN_FACTORS, RSQRT, LOOP_RECIPROCALS, COPY_PROPAGATION, VALUE_NUMBERING, CALL_CSE),
    *_simplified(SHARE_RECIPROCALS, UNGUARD_EXISTING_ELEMENTS, GUARD_ZERO_ADJOINTS, COALESCE_SUMS),
    *_simplified(HOIST_OWNER_SUMS, SINCOS, NAME_REPEATED_CALLS, DEAD_CLEARS, REUSE_PRODUCTS),
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
    SIMPLIFY_AT_LAST,
    DEAD_CODE,
    RESTORE_COLLECTIVES,
    RESTORE_CONTINUES,
    RETURN_IF_EMPTY,
    ELIMINATE_BARRIERS,
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
