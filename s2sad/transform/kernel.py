"""A kernel's adjoint, whole: its sweeps, its parameters, its plan and its contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..analysis.activity import survey
from ..analysis.atomics import extreme_problems, flow_problems, only_updated
from ..analysis.plan import Plan
from ..analysis.ssa import targets
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..fields import by_value, is_float, is_held, variables
from ..fixpoint import rounds
from ..ir import (
    SIZE_T,
    UINT,
    Binary,
    Declare,
    Expr,
    Function,
    LoopId,
    Place,
    Pointer,
    Program,
    Special,
    Sym,
)
from ..ir import statements as statements_of
from ..options import Options
from ..passes import PLAIN, Runner
from ..rules import Table
from ..signature import Argument, Signature
from .build.assembly import Assembly, Unbounded
from .build.declare_shared_adjoints import LAUNCHED
from .build.forward_slice import Slice
from .build.frames import Frame
from .build.measure_kernel import Measured, kernel_of, signature_of
from .common.algebra import rewrite
from .common.symbol_uses import symbols
from .common.wording import listed
from .device_functions import Functions
from .normalise.bypass_shared_tiles import Unstaged, bypass_shared_tiles
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
    NORMALISE,
    NORMALISE_MEASURED,
    OPTIMISE,
)
from .plan.accumulation_policy import Ownership, SharedWriters, touched
from .plan.accumulation_verdicts import primals
from .plan.adjoint_signature import Parameters, value_argument
from .plan.facts import Amend, Choices, Facts, examine
from .plan.forward_accumulation import with_tangents
from .plan.loops_by_line import bounds_of, loops_by_line
from .plan.preaccumulation import with_partials
from .plan.shared_layout import refuse_several
from .report.accumulation_rows import order_problems, told_apart, with_sums
from .report.contract import contract
from .report.decisions import plan_of
from .report.fact_tables import tables
from .states import Built, Kernel, Primal
from .unit import Adjoint, SharedRegion, TapeRegion


def build(
    program: Program, options: Options, table: Table, runner: Runner = PLAIN
) -> tuple[Adjoint, tuple[Diagnostic, ...]]:
    """The adjoint of a program's kernel, and warnings about it. Raises Rejected."""
    primal = runner.run(NORMALISE, Primal(program, Trees(program.kernel), options, table))
    program = primal.program
    # where the launch covers what is read, tiles may be in the way of those who collect
    covered = options.mode == "joint" and any(a.kind == "covers" for a in options.assume)
    stay = frozenset[Sym]() if covered else None
    alone, first = frozenset[str](), None
    lines = loops_by_line(program.kernel.body)
    given, measured = bounds_of(program, options.bounds, lines), Measured()
    steps = 2 * len("xyz") + len(lines)
    for _ in rounds(steps, "which coordinates there is one of, and which loops", program.kernel.span):
        try:
            return _build(primal, stay, alone, given, measured, runner)
        except Unbounded as refused:
            new = {loop.id for loop in refused.loops}
            known = {loop for loops in lines.values() for loop in loops}
            if not new <= known - given.keys() - measured.bounds.keys():
                raise
            measured = measured.with_loops(
                {line: loops for line, loops in lines.items() if not new.isdisjoint(loops)}, _names(program)
            )
        except SharedWriters as refused:
            first = first or refused
            if refused.alone <= alone:
                raise first from None
            alone |= refused.alone  # with which other stores may be found to be one thread's
    raise AssertionError(alone)


@dataclass(frozen=True)
class _Asked:
    """What is asked for, in symbols, and which parameters the primal touches.

    `names` are the symbols of each parameter by its name.
    """

    names: Mapping[str, list[Sym]]
    read: set[Sym]
    written: set[Sym]
    of: tuple[Sym, ...]
    wrt: tuple[Sym, ...]


def _asked(program: Program, options: Options) -> _Asked:
    kernel = program.kernel
    names = {whole.name: parts for whole, parts in variables(kernel.syms).items()}
    read, written = ({s for s in syms if is_held(s)} for syms in touched(kernel, program.functions))
    of = tuple(s for n in options.of for s in names[n] if is_float(s) and (not by_value(s) or s in written))
    wrt = tuple(s for n in options.wrt for s in names[n] if is_float(s) and (not is_held(s) or s in read))
    return _Asked(names, read, written, of, wrt)


def _build(
    primal: Primal,
    stay: frozenset[Sym] | None,
    alone: frozenset[str],
    given: Mapping[LoopId, Expr],
    measured: Measured,
    runner: Runner,
) -> tuple[Adjoint, tuple[Diagnostic, ...]]:
    """The same, with elements of shared tiles read where they come from but for those that `stay`, or all.

    `alone`: the coordinates of which there is one in the launch, or threads would race. `given`: the
    bounds of loops that the user promises.
    """
    program, options, sums = primal.program, primal.options, primal.sums
    assert primal.table is not None
    kernel, asked = program.kernel, _asked(program, options)
    of, wrt = asked.of, asked.wrt
    prefix = prefix_for(program, options)
    choices = Choices(
        options.of,
        options.wrt,
        options.mode == "split",
        prefix,
        options.store,
        options.recompute,
        {**given, **measured.bounds},
        frozenset(measured.bounds),
    )
    functions = Functions(program, primal.table, choices, options, runner)
    through = Unstaged(primal.function)
    if stay is not None:
        dimensions = Ownership(program, primal.function, options.assume, alone=alone).access.dimensions
        through = bypass_shared_tiles(primal.function, "xyz"[:dimensions], wrt, stay)
    body = through.function
    problems = flow_problems(body) + extreme_problems(body, of, choices.split)
    if problems:
        raise Rejected(*problems)
    read, written = touched(body)
    ordered = options.accumulate == "deterministic"
    ownership = Ownership(program, body, options.assume, ordered, alone)
    summed = only_updated(body)
    constant_seeds = frozenset(
        s for s in of if s not in wrt and s not in read and (s in summed or ownership.stored_once(s))
    )
    # of a struct, all fields or none: its adjoint is one parameter
    constant_seeds = frozenset(
        s
        for s in constant_seeds
        if options.separate
        or is_held(s)
        or all(p in constant_seeds for p in asked.names[s.variable] if p in of)
    )

    quiet = constant_seeds | (ownership.stored_once_in_shared - ownership.contested)

    def examined(function: Function, amend: Amend | None) -> Facts:
        return examine(
            function,
            wrt,
            of,
            functions.smooth,
            functions.table,
            choices,
            quiet,
            parameter=functions.parameter,
            amend=amend,
            exchanged=ownership.exchanged,
            contested=ownership.contested,
            filled=ownership.filled,
            dimensions=ownership.access.dimensions,
            alike=ownership.alike,
        )

    named = (*choices.store, *choices.recompute)
    facts = with_tangents(body, examined, named)
    if not choices.split:
        facts = with_partials(facts, examined, named)
    _refuse_lost_lanes(facts)
    if facts.function is not body:
        ownership = Ownership(program, facts.function, options.assume, ordered, alone)
    ownership.refuse_shared_writers(
        s
        for s in dict.fromkeys((*kernel.syms, *facts.activity.ever))
        if (s in kernel.syms or s.storage == "shared")
        and s in written
        and (s in of or s in wrt or s in facts.activity.ever)
        and not (s in facts.known.contested and s in ownership.contested)
    )
    verdicts = ownership.judge(facts)
    made = Parameters(
        kernel, of, wrt, asked.read, written, constant_seeds, prefix, facts, choices.split, options.separate
    )
    threads = Sym("threads", SIZE_T)
    assembly = Assembly(
        facts,
        prefix,
        made.adjoints,
        verdicts.how,
        functions.adjoint_of,
        made.constant,
        threads,
        choices.split,
        ownership.access.own_elements,
    )
    while assembly.builder.exchange in _names(program):
        assembly.builder.exchange += "_"
    forward, reverse = assembly.builder.reverse(Frame(facts.versions.root, None))
    helper = LAUNCHED
    while helper in _names(program):
        helper += "_"
    about = Kernel(
        kernel,
        facts,
        ownership,
        assembly,
        made,
        sums,
        options,
        program,
        threads,
        measured,
        1 if sums.rows else ownership.access.block_dimensions,
        alone,
        helper,
        written,
    )
    function = Function(
        kernel.name + "_adj",
        tuple(made.parameters),
        kernel.result,
        (*forward, *reverse),
        True,
        _linkage(program),
        kernel.span,
    )
    state = Built(function, about, verdicts, declared_later=_declared_later(about))
    runner.show(BUILD, state)
    state = runner.run((*ASSEMBLE, *OPTIMISE), state)
    done = set(primals(state.collected))
    if staged := {tile for tile, arrays in through.arrays.items() if not arrays <= done}:
        return _build(primal, (stay or frozenset()) | staged, alone, given, measured, runner)
    state = runner.run(BARRIERS, state)
    if not ownership.even and missed_barrier(state.body) is not None:
        raise AssertionError(f"{kernel.name}: a barrier behind a return of some threads")
    if ordered and (unordered := order_problems(state.body, prefix, state.verdicts.spans)):
        raise Rejected(*unordered)
    asked_for = symbols(state.body)
    unread = frozenset(region.sym for region in assembly.regions if region.sym not in asked_for)
    assembly.regions = [region for region in assembly.regions if region.sym not in unread]
    state = runner.run(FINISH, replace(state, unread=unread))
    return _packed(primal, state, asked, functions, choices, summed, runner)


def _packed(
    primal: Primal,
    state: Built,
    asked: _Asked,
    functions: Functions,
    choices: Choices,
    summed: frozenset[Sym],
    runner: Runner,
) -> tuple[Adjoint, tuple[Diagnostic, ...]]:
    """The adjoint with its signature, plan and contract; K_fwd and K_measure where there are any."""
    about, program, options = state.of_kernel, primal.program, primal.options
    kernel, facts, assembly, made = program.kernel, about.facts, about.assembly, about.parameters
    arguments = list(made.arguments)
    if assembly.regions:
        arguments += [*about.measured.arguments, _TAPE]
    forward, forward_signature = None, None
    if choices.split:
        forward, forward_signature = _forward(state, asked, choices, runner)
    measure, measure_signature = None, None
    if about.measured.trips and assembly.regions:
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
        bool(assembly.regions),
        bool(state.dynamic),
    )
    reached = survey(facts.versions, asked.wrt, asked.of, functions.smooth)  # by what is asked for alone
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
    prefix = choices.prefix
    plan = plan_of(facts, assembly, about.ownership, state.verdicts, prefix, mentioned, about.sums)
    plan = told_apart(with_sums(plan, prefix, made.totals, statements), prefix, made.apart)
    adjoint = Adjoint(
        program,
        function,
        signature,
        _with_variables(plan, program, options),
        contract(
            signature,
            kernel.name,
            stored,
            {name for s in summed for name in (s.variable, s.name)},
            choices.split,
        ),
        command="",
        forward=forward,
        forward_signature=forward_signature,
        measure=measure,
        measure_signature=measure_signature,
        measured=tuple((one.line, one.sym) for one in about.measured.trips) if measure else (),
        functions=functions.emitted([statements, *(f.body for f in (forward, measure) if f is not None)]),
        tape=tuple(
            TapeRegion(t.sym.name, t.element.name, _on_host(_product(t.counts))) for t in assembly.regions
        ),
        shared=tuple(
            SharedRegion(tuple(s.name for s in d.arrays), d.element.name, _on_host(d.extent))
            for d in state.dynamic
        ),
        prefix=prefix,
        threads=about.sums.threads,
        dimensions=1 if about.sums.rows else about.ownership.access.most_dimensions,
        facts=tables(facts, about.ownership),
    )
    return adjoint, warnings


def _declared_later(kernel: Kernel) -> frozenset[Sym]:
    """What passes declare later: addresses on the tape, arrays, a lane's number, measured trips."""
    facts = kernel.facts
    shared = [s.sym for s in facts.versions.order if isinstance(s, Declare) and s.sym.storage == "shared"]
    found = {*kernel.assembly.addresses(kernel.threads), *shared, *kernel.measured.syms}
    found |= {sym for _, sym in kernel.assembly.builder.snapshots}
    found |= {kernel.parameters.adjoints[s] for s in shared if s in kernel.parameters.adjoints}
    if facts.known.ways is not None:
        found.add(facts.known.ways.lane)
    return frozenset(found)


_TAPE = Argument("tape", "char", True, role="tape", use="tape")


def _forward(state: Built, asked: _Asked, choices: Choices, runner: Runner) -> tuple[Function, Signature]:
    """K_fwd: what the primal does, and the records that K_adj reads."""
    about = state.of_kernel
    kernel, assembly, versions = about.primal, about.assembly, about.facts.versions
    refuse_several(versions.order)
    everything = dict.fromkeys(versions.order)
    body = Slice(assembly.builder, Frame(versions.root, None), everything, whole=True).body(
        versions.root.stmts, versions.root
    )
    arguments = [
        value_argument(s, parts, asked.read, about.written) for s, parts in variables(kernel.syms).items()
    ]
    if assembly.regions:
        arguments += [*about.measured.arguments, _TAPE]
    name = kernel.name + "_fwd"
    function = Function(
        name, kernel.params, kernel.result, tuple(body), True, _linkage(about.program), kernel.span
    )
    built = Built(function, about, state.verdicts, unread=state.unread, declared_later=_declared_later(about))
    built = runner.run(FINISH_FORWARD, built)
    return built.function, Signature(name, tuple(arguments), choices.of, choices.wrt, False)


def _measure(state: Built, asked: _Asked, runner: Runner) -> tuple[Function, Signature]:
    """K_measure: the trips of the loops that nothing bounds."""
    about = state.of_kernel
    kernel = about.primal
    primal = runner.run(NORMALISE_MEASURED, Primal(about.program, Trees(kernel), about.options))
    measure, changed = kernel_of(kernel, primal.function.body, about.measured)
    measure = replace(measure, attributes=_linkage(about.program))
    measure = runner.run(FINISH_MEASURED, Built(measure, about)).function
    values = [value_argument(s, p, asked.read, changed) for s, p in variables(kernel.syms).items()]
    return measure, signature_of(measure.name, values, measure.params[-1].sym.name)


def _with_variables(plan: Plan, program: Program, options: Options) -> Plan:
    """The plan, and what stands for variables of the file; a companion has the variables themselves."""
    names = list(dict.fromkeys(sym.variable for sym in program.variables))
    names = [
        f"{program.instances[name]} (as {name})" if name in program.instances else name for name in names
    ]
    if not names or options.companion:
        return plan
    if len(names) == 1:
        said = f"the file's variable {names[0]} is passed with its value"
    else:
        said = f"the file's variables {listed(names)} are passed with their values"
    return replace(plan, assumptions=(*plan.assumptions, said))


def _refuse_lost_lanes(facts: Facts) -> None:
    """Raises Rejected where lanes exchange values and their adjoints couldn't come back."""
    ways = facts.known.ways
    if ways is None:
        return
    problems = ways.problems(lambda stmt: bool(facts.debts.of.get(stmt)))
    if problems:
        raise Rejected(*problems)


def _linkage(program: Program) -> tuple[str, ...]:
    """The words before the name; an instance of a template is the only one, so its name will do."""
    words = program.kernel.attributes
    named = any(w.replace(" ", "") in ('extern"C"', "static") for w in words)
    return words if named or not program.template else ('extern "C"', *words)


def prefix_for(program: Program, options: Options) -> str:
    """`adj_`, or `adj2_` where the primal itself has such names."""
    taken = _names(program)
    stem = options.names or "adj"
    number = 1
    prefix = f"{stem}_"
    while any(name.startswith(prefix) for name in taken):
        number += 1
        prefix = f"{stem}{number}_"
    return prefix


def _names(program: Program) -> set[str]:
    """The author's names that could meet one of the tool's."""
    taken = {*program.macros, *(constant.sym.name for constant in program.constants)}
    for function in (program.kernel, *program.functions.values()):
        taken |= {s.name for s in function.syms}
        taken |= {s.sym.name for s in statements_of(function.body) if isinstance(s, Declare)}
    return taken | {function.name for function in program.functions.values()}


def _used(argument: Argument, names: Mapping[str, list[Sym]], seen: dict[Sym, None]) -> Argument:
    """An array whose values the adjoint doesn't touch says so."""
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


def _on_host(count: Expr) -> Expr:
    """A count as the host's size function says it: `block.x` for `blockDim.x`."""

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
