"""A complete adjoint kernel: its sweeps, parameters, plan and contract."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from ..analysis.activity import survey
from ..analysis.constants import WARP, literal
from ..analysis.plan import Plan
from ..analysis.ssa import targets
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..fields import variables
from ..fixpoint import rounds
from ..ir import UINT, Binary, Declare, Expr, Function, Place, Pointer, Program, Special, Sym, unconverted
from ..ir import statements as statements_of
from ..options import Options, block_size
from ..passes import PLAIN, Runner
from ..rules import Table
from ..signature import Argument, Signature
from .build.builder import Builder
from .build.declare_shared_adjoints import LAUNCHED
from .build.forward_slice import Slice
from .build.frames import Frame
from .build.measure_kernel import kernel_of, signature_of
from .build.statements import EXCHANGE
from .checkpointing import within_budget
from .common.algebra import rewrite
from .common.symbol_uses import symbols
from .common.wording import listed
from .normalise.tree_sums import Trees
from .optimise.barriers.barrier_divergence import missed_barrier
from .pipelines import (
    ASSEMBLE,
    BARRIERS,
    BUILD,
    FINISH,
    FINISH_FORWARD,
    FINISH_MEASURED,
    IN_MEMORY,
    OPTIMISE,
)
from .plan.accumulation_verdicts import primals
from .plan.adjoint_signature import value_argument
from .plan.declared_ranges import declared_ranges
from .plan.facts import Choices
from .plan.loops_by_line import loops_by_line
from .plan.shared_layout import refuse_several
from .planned import Asked, Planned, decide, first_try, unlike
from .primal_pipelines import NORMALISE, NORMALISE_MEASURED
from .report.accumulation_rows import order_problems, told_apart, with_shares, with_sums
from .report.contract import contract
from .report.decisions import Everything, plan_of, whole_warps
from .report.fact_tables import tables
from .states import Built, Kernel, Primal
from .unit import Adjoint, FactTable, SharedRegion, TapeRegion


def build(
    program: Program, options: Options, table: Table, runner: Runner = PLAIN
) -> tuple[Adjoint, tuple[Diagnostic, ...]]:
    """The adjoint of a program's kernel, and warnings about it. Raises Rejected."""
    primal = _primal(program, options, table, runner)
    stay = first_try(primal)
    primal = within_budget(primal, stay, runner)
    declared = (s for s in statements_of(primal.function.body) if isinstance(s, Declare))
    tiles = sum(s.sym.storage == "shared" for s in declared)
    for _ in rounds(tiles, "which shared tiles are bypassed", program.kernel.span):
        planned = decide(primal, stay, runner)
        state = _optimised(planned, runner)
        done = set(primals(state.collected))
        kept = {tile for tile, arrays in planned.bypassed.items() if not arrays <= done}
        if not kept:  # otherwise, reading those tiles is cheaper
            return _packed(planned, _finished(planned, state, runner), runner)
        stay = (stay or frozenset()) | kept
    raise AssertionError(stay)


def _primal(program: Program, options: Options, table: Table, runner: Runner) -> Primal:
    """The kernel before the analyses, with what the user declares of it. Raises Rejected."""
    ranges = declared_ranges(program.kernel, options.assume)
    if ranges:
        program = replace(program, kernel=replace(program.kernel, requires=ranges))
    return runner.run(NORMALISE, Primal(program, Trees(program.kernel), options, table))


def plan_only(
    program: Program, options: Options, table: Table, runner: Runner = PLAIN
) -> tuple[Plan, tuple[FactTable, ...]]:
    """The plan of a kernel's adjoint and the facts behind it, without building any statement.

    Raises Rejected.
    """
    primal = _primal(program, options, table, runner)
    stay = first_try(primal)
    primal = within_budget(primal, stay, runner)
    planned = decide(primal, stay, runner)
    about = _about(planned)
    plan = plan_of(about, planned.verdicts, Everything())
    plan = with_shares(plan, planned.parameters.totals)
    plan = told_apart(plan, planned.prefix, planned.parameters.apart)
    found = tables(about.facts, about.ownership, planned.verdicts, planned.prefix)
    return _with_variables(plan, primal.program, options), found


def _about(planned: Planned) -> Kernel:
    """The kernel's record that passes query."""
    primal, facts = planned.primal, planned.facts
    kernel, ownership = primal.program.kernel, planned.ownership
    builder = Builder.of(
        facts,
        planned.storage,
        planned.parameters.adjoints,
        planned.verdicts.how,
        planned.functions.adjoint_of,
        planned.parameters.constant,
        planned.choices.split,
        ownership.access.own_elements,
        unlike(EXCHANGE, primal.program),
    )
    return Kernel(
        kernel,
        facts,
        ownership,
        planned.storage,
        builder,
        planned.parameters,
        primal.sums,
        primal.options,
        primal.program,
        planned.threads,
        planned.measured,
        1 if primal.sums.rows else ownership.access.block_dimensions,
        ownership.alone,
        unlike(LAUNCHED, primal.program),
        planned.written,
        planned.prefix,
        primal.strips,
    )


def _optimised(planned: Planned, runner: Runner) -> Built:
    """The adjoint as planned, built and optimised."""
    about = _about(planned)
    kernel, program = about.primal, about.program
    forward, reverse = about.builder.reverse(Frame(about.facts.versions.root, None))
    function = Function(
        kernel.name + "_adj",
        tuple(planned.parameters.parameters),
        kernel.result,
        (*forward, *reverse),
        True,
        linkage(program),
        kernel.span,
    )
    state = Built(function, about, planned.verdicts, declared_later=_declared_later(about))
    runner.show(BUILD, state)
    return runner.run((*ASSEMBLE, *OPTIMISE), state)


def _finished(planned: Planned, state: Built, runner: Runner) -> Built:
    """The adjoint with the barriers that it needs, and without unread records."""
    ownership, about = planned.ownership, state.of_kernel
    state = runner.run(BARRIERS, state)
    if not ownership.even and missed_barrier(state.body) is not None:
        raise AssertionError(f"{about.primal.name}: a barrier behind a return of some threads")
    unordered = order_problems(state.body, planned.prefix, state.verdicts.spans) if about.ordered else []
    if unordered:
        raise Rejected(*unordered)
    asked_for = symbols(state.body)
    regions = about.storage.regions
    unread = frozenset(region.sym for region in regions if region.sym not in asked_for)
    storage = replace(about.storage, regions=tuple(r for r in regions if r.sym not in unread))
    return runner.run(FINISH, replace(state, kernel=replace(about, storage=storage), unread=unread))


def _packed(planned: Planned, state: Built, runner: Runner) -> tuple[Adjoint, tuple[Diagnostic, ...]]:
    """The adjoint with its signature, plan and contract; with K_fwd and K_measure if there are any."""
    about, asked, functions = state.of_kernel, planned.asked, planned.functions
    program, options, choices, prefix = about.program, about.options, planned.choices, planned.prefix
    kernel, facts, regions, made = program.kernel, about.facts, about.storage.regions, about.parameters
    arguments = list(made.arguments)
    if regions:
        arguments += [*about.measured.arguments, _TAPE]
    forward, forward_signature = None, None
    if choices.split:
        forward, forward_signature = _forward(state, asked, choices, runner)
    measure, measure_signature = None, None
    if about.measured.trips and regions:
        measure, measure_signature = _measure(state, asked, runner)
    statements = state.body
    seen = symbols(statements)
    arguments = [_used(a, asked.names, seen) for a in arguments]
    function = runner.run(IN_MEMORY, state).function
    signature = Signature(
        function.name,
        tuple(arguments),
        options.of,
        options.wrt,
        bool(regions),
        bool(state.dynamic),
    )
    reached = survey(facts.versions, asked.wrt, asked.of, functions.smooth)  # for the requested symbols only
    warnings = tuple(
        diagnose(Code.NO_DEPENDENCE, kernel.span, dependent=n)
        for n in options.of
        if not any(reached.active(s) for s in asked.names[n])
    )
    stored = {
        name
        for s in statements_of(statements)
        for t in targets(s)
        if isinstance(t.sym.type, Pointer)
        for name in (t.sym.variable, t.sym.name)
    }
    mentioned = {**seen, **symbols(forward.body if forward else ())}
    plan = plan_of(about, state.verdicts, mentioned)
    plan = told_apart(with_sums(plan, prefix, made.totals, statements), prefix, made.apart)
    dimensions = 1 if about.sums.rows else about.ownership.access.most_dimensions
    declared = _whole_warps_declared(options, dimensions) or _whole_warps_required(state.widths, dimensions)
    threads = about.sums.threads or declared
    adjoint = Adjoint(
        program,
        function,
        signature,
        _with_variables(plan, program, options),
        contract(
            signature,
            kernel.name,
            stored,
            {name for s in planned.summed for name in (s.variable, s.name)},
            choices.split,
        ),
        command="",
        forward=forward,
        forward_signature=forward_signature,
        measure=measure,
        measure_signature=measure_signature,
        measured=tuple((one.line, one.sym) for one in about.measured.trips) if measure else (),
        functions=functions.emitted([statements, *(f.body for f in (forward, measure) if f is not None)]),
        seeded=functions.seeded,
        tape=tuple(TapeRegion(t.sym.name, t.element.name, on_host(_product(t.counts))) for t in regions),
        shared=tuple(
            SharedRegion(tuple(s.name for s in d.arrays), d.element.name, on_host(d.extent))
            for d in state.dynamic
        ),
        prefix=prefix,
        threads=threads,
        declared_threads=declared,
        whole_warps=whole_warps(about) or (threads > 0 and threads % WARP == 0) or _asks_for_warps(kernel),
        dimensions=dimensions,
        facts=tables(facts, about.ownership, planned.verdicts, prefix),
        fits=_fits(planned.primal),
    )
    return adjoint, warnings


def _whole_warps_required(widths: Mapping[str, Expr], dimensions: int) -> int:
    """The threads of a block, whole warps, if the check of the launch asks for literal widths of all axes."""
    asked = [widths.get(axis) for axis in "xyz"[:dimensions]]
    sizes = [literal(width) for width in asked if width is not None]
    threads = math.prod(size or 0 for size in sizes) if len(sizes) == dimensions else 0
    return threads if threads % WARP == 0 else 0


def _asks_for_warps(kernel: Function) -> bool:
    """Whether `blockDim.x % 32 < 1` is declared."""
    for one in kernel.requires:
        match one:
            case Binary("<" | "<=" as op, Binary("%", Special("blockDim", "x"), size), limit) if literal(
                unconverted(limit)
            ) == (op == "<"):
                number = literal(unconverted(size))
                if number and number % WARP == 0:
                    return True
            case _:
                pass
    return False


def _whole_warps_declared(options: Options, dimensions: int) -> int:
    """Return the declared threads of a block, if they are whole warps in so many dimensions; else 0."""
    sizes = block_size(options.assume)
    threads = math.prod(sizes or (0,))
    known = threads % WARP == 0 and all(size == 1 for size in sizes[dimensions:])
    return threads if known else 0


def _fits(primal: Primal) -> tuple[tuple[int, int], ...]:
    """The lines of strip-mined loops, and up to how many iterations the tape is within its budget."""
    lines = loops_by_line(primal.program.kernel.body).items()
    return tuple((line, count) for loop, count in primal.fits.items() for line, here in lines if loop in here)


def _declared_later(kernel: Kernel) -> frozenset[Sym]:
    """What passes declare later: tape addresses, arrays, the lane's index, measured trip counts."""
    facts = kernel.facts
    shared = [s.sym for s in facts.versions.order if isinstance(s, Declare) and s.sym.storage == "shared"]
    found = {*kernel.storage.addresses(kernel.threads), *shared, *kernel.measured.syms}
    found |= {sym for _, sym in kernel.storage.snapshots}
    found |= {kernel.parameters.adjoints[s] for s in shared if s in kernel.parameters.adjoints}
    if facts.known.ways is not None:
        found.add(facts.known.ways.lane)
    return frozenset(found)


_TAPE = Argument("tape", "char", True, role="tape", use="tape")


def _forward(state: Built, asked: Asked, choices: Choices, runner: Runner) -> tuple[Function, Signature]:
    """K_fwd: the primal, with the records that K_adj reads."""
    about = state.of_kernel
    kernel, versions = about.primal, about.facts.versions
    refuse_several(versions.order)
    everything = dict.fromkeys(versions.order)
    body = Slice(about.builder, Frame(versions.root, None), everything, whole=True).body(
        versions.root.stmts, versions.root
    )
    arguments = [
        value_argument(s, parts, asked.read, about.written) for s, parts in variables(kernel.syms).items()
    ]
    if about.storage.regions:
        arguments += [*about.measured.arguments, _TAPE]
    name = kernel.name + "_fwd"
    function = Function(
        name, kernel.params, kernel.result, tuple(body), True, linkage(about.program), kernel.span
    )
    built = Built(function, about, state.verdicts, unread=state.unread, declared_later=_declared_later(about))
    built = runner.run(FINISH_FORWARD, built)
    return built.function, Signature(name, tuple(arguments), choices.of, choices.wrt, False)


def _measure(state: Built, asked: Asked, runner: Runner) -> tuple[Function, Signature]:
    """K_measure: the trip counts of unbounded loops."""
    about = state.of_kernel
    kernel = about.primal
    primal = runner.run(NORMALISE_MEASURED, Primal(about.program, Trees(kernel), about.options))
    measure, changed = kernel_of(kernel, primal.function.body, about.measured)
    measure = replace(measure, attributes=linkage(about.program))
    measure = runner.run(FINISH_MEASURED, Built(measure, about)).function
    values = [value_argument(s, p, asked.read, changed) for s, p in variables(kernel.syms).items()]
    return measure, signature_of(measure.name, values, measure.params[-1].sym.name)


def _with_variables(plan: Plan, program: Program, options: Options) -> Plan:
    """The plan, with notes on file-scope variables; a companion uses the variables themselves."""
    names = list(dict.fromkeys(sym.variable for sym in program.variables))
    names = [
        f"{program.instances[name]} (as {name})" if name in program.instances else name for name in names
    ]
    if not names or options.companion:
        return plan
    if len(names) == 1:
        said = f"the value of the file's variable {names[0]} is passed as a parameter"
    else:
        said = f"the values of the file's variables {listed(names)} are passed as parameters"
    return replace(plan, assumptions=(*plan.assumptions, said))


def linkage(program: Program) -> tuple[str, ...]:
    """The words before the name; a template instance gets `extern "C"`, as it is the only one."""
    words = program.kernel.attributes
    named = any(w.replace(" ", "") in ('extern"C"', "static") for w in words)
    return words if named or not program.template else ('extern "C"', *words)


def _used(argument: Argument, names: Mapping[str, list[Sym]], seen: dict[Sym, None]) -> Argument:
    """Mark an array whose values the adjoint doesn't use as unused."""
    if argument.role == "value" and argument.parts:
        used = {sym.path for sym in names[argument.name] if sym in seen}
        left = tuple(p if p.path in used else replace(p, use="unused") for p in argument.parts)
        return replace(argument, parts=left)
    if argument.use == "trips":
        return argument
    untouched = argument.role == "value" and not any(sym in seen for sym in names[argument.name])
    if untouched and argument.pointer:
        return replace(argument, use="unused")
    return argument


def on_host(count: Expr) -> Expr:
    """A count as the host's size function writes it: `block.x` for `blockDim.x`."""

    def change(e: Expr) -> Expr | None:
        match e:
            case Special("blockDim" | "gridDim" as name, axis):
                return Place(Sym(f"{name.removesuffix('Dim')}.{axis}", UINT), (), UINT)
            case _:
                return None

    return rewrite(count, change)


def _product(counts: tuple[Expr, ...]) -> Expr:
    value = counts[0]
    for count in counts[1:]:
        value = Binary("*", value, count, value.type)
    return value
