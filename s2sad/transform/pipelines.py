"""The passes of the transformation, in order: one table, and the lists that kernels and functions take.

    source → Program → NORMALISE → Facts → verdicts → build → KERNEL → text

A pass's name is that of its dump (`s2sad transform --dump-after NAME`) and of its test
(`tests/passes/NAME.test`). What a pass makes of a body is in the module that it calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..analysis.extent import refuse_before
from ..analysis.versions import outputs
from ..ir import Array, Assign, Body, Declare, Function, Parameter, Place, Stmt, Sym, rebuilt
from ..passes import Pass
from .addressing import with_restored, with_tape, without_records
from .alone import unguarded
from .barriers import with_needed_barriers
from .block_elements import with_block_elements
from .blocksums import alike_in_columns, with_exchanged_sums
from .called_once import called_once
from .clears import without_dead_clears
from .collected import collected
from .columns import summed_in_columns
from .contributions import accounted, sited, stored
from .copies import departed, named_once, summed_in_one
from .dealt import with_dealt_tiles
from .distinct import distinct
from .divisors import with_reciprocals
from .early import early
from .exchange import numbered
from .exits import structure
from .firsts import with_firsts
from .heads import headed
from .hoist import hoist
from .inline import with_meetings_inline
from .launch import may_be_absent, tested
from .meeting import meeting
from .narrow import in_memory, narrowed
from .neighbours import collected_by_owners
from .ownership import Ownership
from .planning import evens
from .reduce import reduced
from .rims import with_rims
from .roots import with_reciprocal_roots
from .separate import separated
from .shared import with_shared
from .sincos import with_sincos
from .starts import settled
from .states import Built, Primal, same
from .stretches import is_launched
from .sums import added
from .tidy import tidy, without_own_unread, without_unused
from .together import together
from .trees import with_block_sums
from .turned import turned
from .verdicts import primals

# ---- primal to primal ----------------------------------------------------------


def _inline_collectives(state: Primal) -> Primal:
    assert state.table is not None
    program = with_meetings_inline(state.program, state.table)
    return state if program is state.program else replace(state.becomes(program.kernel), program=program)


def _predicate_early_returns(state: Primal) -> Primal:
    return state.becomes(meeting(state.function))


def _keep_block_elements(state: Primal) -> Primal:
    def owned(kernel: Function, array: Sym) -> bool:
        return Ownership(state.program, kernel, state.options.assume).access.store_problem(array) is None

    return state.becomes(with_block_elements(state.function, owned))


def _recognise_block_sums(state: Primal) -> Primal:
    """K_fwd does what the primal does, tree by tree."""
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


INLINE_COLLECTIVES = Pass("inline_collectives", _inline_collectives)
PREDICATE_EARLY_RETURNS = Pass("predicate_early_returns", _predicate_early_returns)
KEEP_BLOCK_ELEMENTS = Pass("keep_block_elements", _keep_block_elements, ("predicate_early_returns",))
RECOGNISE_BLOCK_SUMS = Pass("recognise_block_sums", _recognise_block_sums, ("predicate_early_returns",))
STRUCTURE_EXITS = Pass("structure_exits", _structure_exits)
HOIST_LOOP_BOUNDS = Pass("hoist_loop_bounds", _hoist_loop_bounds, ("structure_exits",))

NORMALISE = (
    INLINE_COLLECTIVES,
    PREDICATE_EARLY_RETURNS,
    KEEP_BLOCK_ELEMENTS,
    RECOGNISE_BLOCK_SUMS,
    STRUCTURE_EXITS,
    HOIST_LOOP_BOUNDS,
)
NORMALISE_FUNCTION = (STRUCTURE_EXITS, HOIST_LOOP_BOUNDS)
NORMALISE_MEASURED = (PREDICATE_EARLY_RETURNS, STRUCTURE_EXITS)

# ---- built to built -------------------------------------------------------------


def _rewriting(
    name: str,
    rewrite: Callable[[Body], Body],
    account: Callable[[str, Body, Body], Body] | None = None,
    requires: tuple[str, ...] = (),
) -> Pass[Built]:
    """A pass that needs nothing but the body; `account` holds its contributions against those before."""

    def run(state: Built) -> Built:
        new = rewrite(state.body)
        return state.becomes(new if account is None else account(name, state.body, new))

    return Pass(name, run, requires)


def _declare_restored(state: Built) -> Built:
    arrays = [sym for _, sym in state.of_kernel.assembly.builder.snapshots]
    return state.becomes(with_restored(list(state.body), arrays))


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
        versions,
        kernel.parameters.adjoints,
        kernel.block_dimensions,
        kernel.ownership.extent,
        kernel.helper,
    )
    new = state.becomes(body)
    return replace(new, dynamic=tuple(dynamic)) if dynamic else new


def _declare_at_once(body: Body) -> Body:
    """`float s; s = e;` as `float s = e;`."""
    out: list[Stmt] = []
    for stmt in body:
        here = rebuilt(stmt, _declare_at_once)
        match out[-1] if out else None, here:
            case Declare(sym, None) as bare, Assign(Place(target, ()), value, None) if (
                sym is target
                and sym.storage == "local"
                and not isinstance(sym.type, Array)
                and not outputs(value)
                and sym not in value.symbols
            ):
                out[-1] = Declare(sym, value, bare.span)
            case _:
                out.append(here)
    return tuple(out)


def _simplify(state: Built) -> Built:
    """Nothing is left to do where nothing changed since the last time."""
    if state.simple is not None and same(state.simple, state.body):
        return state
    new = state.becomes(stored("simplify", state.body, tuple(tidy(list(state.body)))))
    return replace(new, simple=new.body)


def _gather_in_rows(state: Built) -> Built:
    kernel = state.of_kernel
    places = state.verdicts.places
    body, found = turned(
        state.body, kernel.block_dimensions, lambda array: kernel.ownership.rows(array, places.get(array, {}))
    )
    return state.becomes(body, state.verdicts.gathered_in_rows(primals(found)) if found else None)


def _gather_from_neighbours(state: Built) -> Built:
    made = collected_by_owners(state.body, state.verdicts.covered, state.of_kernel.ownership.extents)
    new = state.becomes(made.body, state.verdicts.gathered(primals(made.adjoints)))
    return replace(new, collected=made.adjoints, widths=dict(made.widths)) if made.adjoints else new


def _deal_out_tiles(state: Built) -> Built:
    kernel = state.of_kernel
    left, atoms = state.verdicts.atomic_still(), kernel.ownership.access.facts_.atoms
    body, found = with_dealt_tiles(state.body, left, atoms, kernel.block_dimensions, kernel.ordered)
    return state.becomes(body, state.verdicts.dealt_out(primals(found)))


def _split_rims(state: Built) -> Built:
    body, found = with_rims(state.body, state.verdicts.edges)
    return state.becomes(body, state.verdicts.rims_alone(primals(found)))


def _sum_columns(state: Built) -> Built:
    if state.of_kernel.ownership.access.block_dimensions != 2:
        return state
    body, found = summed_in_columns(state.body)
    return state.becomes(body, state.verdicts.in_columns(primals(found)))


def _add_alone(state: Built) -> Built:
    new = unguarded(state.body, state.of_kernel.block_dimensions)
    return state.becomes(accounted("add_alone", state.body, new))


def _block_reduce(state: Built) -> Built:
    return state.becomes(reduced(state.body, state.of_kernel.block_dimensions))


def _phase_barriers(state: Built) -> Built:
    kernel = state.of_kernel
    exchanged, dimensions = kernel.ownership.exchanged, kernel.block_dimensions
    body, stuck = separated(state.body, lambda b: with_needed_barriers(b, exchanged, dimensions))
    return state.becomes(body, state.verdicts.atomic(primals(stuck)) if stuck else None)


def _address_tape(state: Built) -> Built:
    kernel = state.of_kernel
    assembly = kernel.assembly
    if not assembly.regions:
        return state
    body = with_tape(state.body, assembly, kernel.threads, kernel.ownership.access.dimensions)
    more = (*kernel.measured.parameters, Parameter(assembly.tape_parameter))
    function = replace(state.function, body=body, params=(*state.function.params, *more))
    return replace(state, function=function)


def _check_launch(state: Built) -> Built:
    """What the adjoint relies on of its launch is asked when it starts."""
    kernel = state.of_kernel
    ownership, ways = kernel.ownership, kernel.facts.known.ways
    relies = "each warp has elements of its own" if ownership.whole_warps else ""
    if kernel.sums.whole_warps or (ways is not None and ways.warps.aligned):
        relies = "the primal exchanges values among them"
    test = tested(
        ownership.assumed,
        relies,
        kernel.sums,
        kernel.parameters.owed,
        may_be_absent(kernel.primal.body),
        ownership.extents,
        state.widths,
        kernel.alone,
        evens(ownership, ways),
    )
    return state.becomes((*test, *state.body))


def _store_half_precision(state: Built) -> Built:
    memory = in_memory(p.sym for p in state.function.params)
    if not memory:
        return state
    params = tuple(replace(p, sym=memory.get(p.sym, p.sym)) for p in state.function.params)
    function = replace(state.function, params=params, body=narrowed(state.body, memory))
    return replace(state, function=function)


def _drop_unread_records(state: Built) -> Built:
    if not state.unread:
        return state
    return state.becomes(without_own_unread(without_records(state.body, state.unread)))


DECLARE_RESTORED = Pass("declare_restored", _declare_restored)
ADD_SCALAR_TOTALS = Pass("add_scalar_totals", _add_scalar_totals)
NUMBER_LANES = Pass("number_lanes", _number_lanes)
DECLARE_SHARED_ADJOINTS = Pass("declare_shared_adjoints", _declare_shared_adjoints)
NAME_CONTRIBUTIONS = _rewriting("name_contributions", sited)
UNIQUE_DECLARATIONS = _rewriting("unique_declarations", distinct)
DECLARE_AT_ONCE = _rewriting("declare_at_once", _declare_at_once)
SIMPLIFY = Pass("simplify", _simplify, ("name_contributions", "unique_declarations"))
LOOP_ACCUMULATORS = _rewriting("loop_accumulators", hoist, accounted, ("simplify",))
GATHER_IN_ROWS = Pass("gather_in_rows", _gather_in_rows, ("name_contributions",))
GATHER_FROM_NEIGHBOURS = Pass("gather_from_neighbours", _gather_from_neighbours, ("name_contributions",))
DEAL_OUT_TILES = Pass("deal_out_tiles", _deal_out_tiles, ("name_contributions",))
SPLIT_RIMS = Pass("split_rims", _split_rims, ("name_contributions",))
SUM_COLUMNS = Pass("sum_columns", _sum_columns, ("name_contributions",))
ADD_ALONE = Pass("add_alone", _add_alone, ("name_contributions",))
BLOCK_REDUCE = Pass("block_reduce", _block_reduce, ("name_contributions", "loop_accumulators"))
RSQRT = _rewriting("rsqrt", with_reciprocal_roots, stored)
LOOP_RECIPROCALS = _rewriting("loop_reciprocals", with_reciprocals, stored)
COPY_PROPAGATION = _rewriting("copy_propagation", departed, stored)
REUSE_NAMES = _rewriting("reuse_names", named_once, stored)
CALL_CSE = _rewriting("call_cse", called_once, stored)
SUM_IN_ONE = _rewriting("sum_in_one", summed_in_one, stored)
HOIST_OWNER_SUMS = _rewriting("hoist_owner_sums", early, stored)
SINCOS = _rewriting("sincos", with_sincos, stored)
DEAD_CLEARS = _rewriting("dead_clears", without_dead_clears)
MERGE_ATOMICS = _rewriting("merge_atomics", collected, accounted)
STORE_FIRST_SUMS = _rewriting("store_first_sums", with_firsts, accounted)
LOOP_HEADERS = _rewriting("loop_headers", headed, None, ("unique_declarations",))
PHASE_BARRIERS = Pass("phase_barriers", _phase_barriers, ("name_contributions",))
DEAD_CODE = _rewriting("dead_code", without_unused)
RESTORE_COLLECTIVES = _rewriting("restore_collectives", together)
ADDRESS_TAPE = Pass("address_tape", _address_tape)
CHECK_LAUNCH = Pass("check_launch", _check_launch)
STORE_HALF_PRECISION = Pass("store_half_precision", _store_half_precision)
DROP_UNREAD_RECORDS = Pass("drop_unread_records", _drop_unread_records)


def _simplified(*passes: Pass[Built]) -> tuple[Pass[Built], ...]:
    """Passes that each leave to `simplify` what they made superfluous."""
    return tuple(one for each in passes for one in (each, SIMPLIFY))


_BUILT = (NAME_CONTRIBUTIONS, UNIQUE_DECLARATIONS, DECLARE_AT_ONCE, SIMPLIFY, *_simplified(LOOP_ACCUMULATORS))
_GATHER = (GATHER_IN_ROWS, GATHER_FROM_NEIGHBOURS, DEAL_OUT_TILES, SPLIT_RIMS, SUM_COLUMNS)
_SCALAR = (
    *_simplified(RSQRT, LOOP_RECIPROCALS, COPY_PROPAGATION, REUSE_NAMES, CALL_CSE, SUM_IN_ONE),
    *_simplified(HOIST_OWNER_SUMS, SINCOS, DEAD_CLEARS),
    MERGE_ATOMICS,
    STORE_FIRST_SUMS,
    LOOP_HEADERS,
)

ASSEMBLE = (DECLARE_RESTORED, ADD_SCALAR_TOTALS, NUMBER_LANES, DECLARE_SHARED_ADJOINTS)
OPTIMISE = (
    *_BUILT,
    *_GATHER,
    *_simplified(LOOP_ACCUMULATORS),
    *_simplified(ADD_ALONE, BLOCK_REDUCE),
    *_SCALAR,
)
BARRIERS = (PHASE_BARRIERS, DEAD_CODE, RESTORE_COLLECTIVES)
FINISH = (ADDRESS_TAPE, CHECK_LAUNCH)
IN_MEMORY = (STORE_HALF_PRECISION,)

OPTIMISE_FUNCTION = (*_BUILT, *_SCALAR)
FINISH_FORWARD = (
    DROP_UNREAD_RECORDS,
    ADDRESS_TAPE,
    UNIQUE_DECLARATIONS,
    LOOP_HEADERS,
    RESTORE_COLLECTIVES,
)
FINISH_MEASURED = (UNIQUE_DECLARATIONS,)

BUILD = "build"
"""The step between NORMALISE and ASSEMBLE, which makes an adjoint of a primal."""

NAMES = tuple(
    dict.fromkeys(
        (
            *(one.name for one in NORMALISE),
            BUILD,
            *(one.name for one in (*ASSEMBLE, *OPTIMISE, *BARRIERS, *FINISH_FORWARD, *FINISH, *IN_MEMORY)),
        )
    )
)
"""What can be dumped, in the order of the table."""
