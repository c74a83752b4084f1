"""A kernel's adjoint, whole: its sweeps, its parameters, its plan and its contract."""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Container, Iterable
from dataclasses import replace

from ..analysis.activity import survey
from ..analysis.atomics import extreme_problems, flow_problems, only_updated
from ..analysis.extent import refuse_before
from ..analysis.plan import Plan
from ..analysis.versions import targets
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..fields import by_value, is_float, is_held, variables
from ..fixpoint import rounds
from ..ir import (
    SIZE_T,
    UINT,
    Binary,
    Body,
    Declare,
    DoWhile,
    Expr,
    For,
    Function,
    If,
    Parameter,
    Place,
    Pointer,
    Program,
    Record,
    Scalar,
    Special,
    Stmt,
    Sym,
    While,
    bodies,
    rebuilt,
)
from ..ir import statements as statements_of
from ..options import Options
from ..parse import expression
from ..rules import Table
from ..signature import Argument, Signature
from .adjoint import Amend, Assembly, Choices, Facts, Unbounded, examine, global_tape
from .algebra import rewrite
from .barriers import with_needed_barriers
from .block_elements import with_block_elements
from .blocksums import alike_in_columns, with_exchanged_sums
from .columns import summed_in_columns
from .dealt import with_dealt_tiles
from .distinct import distinct
from .exchange import numbered
from .exits import structure
from .facts import tables
from .forward import Slice
from .frames import Frame
from .functions import Functions
from .heads import headed
from .inline import with_meetings_inline
from .launch import may_be_absent, tested
from .lawful import missed_barrier
from .measure import Measured, kernel_of, lines_of, signature_of
from .meeting import meeting
from .narrow import in_memory, narrowed
from .neighbours import Collected, collected_by_owners
from .ownership import Ownership, SharedWriters, touched
from .parameters import Parameters, value_argument
from .planning import evens, plan_of
from .polish import polished
from .report import contract, listed
from .rims import with_rims
from .separate import separated
from .shared import LAUNCHED, with_shared
from .starts import settled
from .stretches import is_launched, refuse_several
from .sums import added, order_problems, told_apart, with_sums
from .syms import begun, symbols, uses
from .tangents import with_tangents
from .taped_partials import with_partials
from .tidy import without_own_unread, without_unused
from .together import together
from .trees import Trees, with_block_sums
from .turned import turned
from .unit import Adjoint, SharedRegion, TapeRegion
from .unstaged import Unstaged, unstaged


def build(program: Program, options: Options, table: Table) -> tuple[Adjoint, tuple[Diagnostic, ...]]:
    """The adjoint of a program's kernel, and warnings about it. Raises Rejected."""
    program = with_meetings_inline(program, table)
    kernel = with_block_elements(
        meeting(program.kernel),
        lambda made, array: Ownership(program, made, options.assume).access.store_problem(array) is None,
    )
    trees = _with_block_sums(program, kernel, options)
    # where the launch covers what is read, tiles may be in the way of those who collect
    covered = options.mode == "joint" and any(a.kind == "covers" for a in options.assume)
    stay = frozenset[Sym]() if covered else None
    alone, first = frozenset[str](), None
    measured, lines = Measured(), lines_of(trees.function.body)
    steps = 2 * len("xyz") + len(lines)
    for _ in rounds(steps, "which coordinates there is one of, and which loops", program.kernel.span):
        try:
            return _build(program, options, table, trees, stay, alone, measured)
        except Unbounded as refused:
            new = {loop.span.line for loop in refused.loops if loop.span is not None}
            asked = {line for line, _ in options.bounds}
            if not new or not new <= lines - asked - set(measured.lines):
                raise
            measured = measured.with_lines(new, _names(program))
        except SharedWriters as refused:
            first = first or refused
            if refused.alone <= alone:
                raise first from None
            alone |= refused.alone  # with which other stores may be found to be one thread's
    raise AssertionError(alone)


def _build(
    program: Program,
    options: Options,
    table: Table,
    trees: Trees,
    stay: frozenset[Sym] | None,
    alone: frozenset[str],
    measured: Measured,
) -> tuple[Adjoint, tuple[Diagnostic, ...]]:
    """The same, with elements of shared tiles read where they come from but for those that `stay`, or all.

    `alone`: the coordinates of which there is one in the launch, or threads would race.
    """
    kernel = program.kernel
    names = {whole.name: parts for whole, parts in variables(kernel.syms).items()}
    held_read, held_written = ({s for s in syms if is_held(s)} for syms in touched(kernel, program.functions))
    of = tuple(
        s for n in options.of for s in names[n] if is_float(s) and (not by_value(s) or s in held_written)
    )
    wrt = tuple(
        s for n in options.wrt for s in names[n] if is_float(s) and (not is_held(s) or s in held_read)
    )
    prefix = prefix_for(program, options)
    choices = Choices(
        options.of,
        options.wrt,
        options.mode == "split",
        prefix,
        options.store,
        options.recompute,
        {**bounds_of(program, options), **measured.bounds},
        frozenset(measured.lines),
    )
    functions = Functions(program, table, choices)
    through = Unstaged(trees.function)
    if stay is not None:
        dimensions = Ownership(program, trees.function, options.assume, alone=alone).access.dimensions
        through = unstaged(trees.function, "xyz"[:dimensions], wrt, stay)
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
        if options.separate or is_held(s) or all(p in constant_seeds for p in names[s.variable] if p in of)
    )

    quiet = constant_seeds | (ownership.stored_once_in_shared - ownership.contested)

    def examined(function: Function, amend: Amend | None) -> Facts:
        return examine(
            function,
            wrt,
            of,
            functions.smooth,
            table,
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

    asked = (*choices.store, *choices.recompute)
    facts = with_tangents(body, examined, asked)
    if not choices.split:
        facts = with_partials(facts, examined, asked)
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
    ownership.judge(facts)

    block_dimensions = 1 if trees.rows else ownership.access.block_dimensions
    made = Parameters(
        kernel, of, wrt, held_read, written, constant_seeds, prefix, facts, choices.split, options.separate
    )
    threads = Sym("threads", SIZE_T)
    assembly = Assembly(
        facts,
        prefix,
        made.adjoints,
        ownership.how,
        functions.adjoint_of,
        made.constant,
        threads,
        choices.split,
        ownership.access.own_elements,
    )
    while assembly.builder.exchange in _names(program):
        assembly.builder.exchange += "_"
    forward, reverse = assembly.builder.reverse(Frame(facts.versions.root, None))
    statements = _with_restored([*forward, *reverse], [sym for _, sym in assembly.builder.snapshots])
    for total, pointer in made.totals:
        statements = added(statements, total, pointer)
    if facts.known.ways is not None:
        statements = numbered(statements, facts.known.ways.lane, ownership.access.dimensions)
    for stmt in facts.versions.order:
        if isinstance(stmt, Declare) and is_launched(stmt.sym) and stmt.sym.name in program.begun:
            refuse_before(ownership.access, stmt.sym)
    helper = LAUNCHED
    while helper in _names(program):
        helper += "_"
    statements, dynamic = with_shared(
        statements, facts.versions, made.adjoints, block_dimensions, ownership.extent, helper
    )

    collected = Collected(())

    def turn(body: Body) -> Body:
        new, gathered = turned(body, block_dimensions, ownership.rows)
        ownership.make_gathered(adjoint.of for adjoint in gathered if adjoint.of is not None)
        nonlocal collected
        collected = collected_by_owners(new, ownership.covered, ownership.extents)
        ownership.make_collected(adjoint.of for adjoint in collected.adjoints if adjoint.of is not None)
        left = {a: dealt for a, dealt in ownership.dealt.items() if ownership.reasons[a].how == "atomic"}
        atoms = ownership.access.facts_.atoms
        new, shared_out = with_dealt_tiles(collected.body, left, atoms, block_dimensions, ordered)
        ownership.make_dealt(adjoint.of for adjoint in shared_out if adjoint.of is not None)
        new, rims = with_rims(new, ownership.edges)
        ownership.make_rims(adjoint.of for adjoint in rims if adjoint.of is not None)
        if ownership.access.block_dimensions == 2:
            new, columns = summed_in_columns(new)
            ownership.make_columns(adjoint.of for adjoint in columns if adjoint.of is not None)
        return new

    statements = list(polished(tuple(statements), block_dimensions, turn))
    done = {adjoint.of for adjoint in collected.adjoints}
    if staged := {tile for tile, arrays in through.arrays.items() if not arrays <= done}:
        return _build(program, options, table, trees, (stay or frozenset()) | staged, alone, measured)
    whole, stuck = separated(
        tuple(statements), lambda b: with_needed_barriers(b, ownership.exchanged, block_dimensions)
    )
    ownership.make_atomic(adjoint.of for adjoint in stuck if adjoint.of is not None)
    statements = list(together(without_unused(whole)))
    if not ownership.even and missed_barrier(tuple(statements)) is not None:
        raise AssertionError(f"{kernel.name}: a barrier behind a return of some threads")
    if ordered:
        unordered = order_problems(statements, prefix, ownership.spans)
        if unordered:
            raise Rejected(*unordered)
    asked_for = symbols(statements)
    unread = {region.sym for region in assembly.regions if region.sym not in asked_for}
    assembly.regions = [region for region in assembly.regions if region.sym not in unread]
    parameters, arguments = list(made.parameters), list(made.arguments)
    if assembly.regions:
        parameters += [*measured.parameters, Parameter(assembly.tape_parameter)]
        arguments += [*measured.arguments, Argument("tape", "char", True, role="tape", use="tape")]
        statements = [*global_tape(assembly, threads, ownership.access.dimensions), *statements]
        statements = _needed(statements)
    forward_kernel = None
    forward_signature = None
    if choices.split:
        forward_kernel, forward_signature = _forward(
            kernel,
            assembly,
            threads,
            options,
            held_read,
            written,
            ownership.access.dimensions,
            unread,
            measured,
        )
        forward_kernel = replace(forward_kernel, attributes=_linkage(program))
    measure, measure_signature = None, None
    if measured.lines and assembly.regions:
        measure, changed = kernel_of(kernel, structure(meeting(program.kernel)).body, measured)
        measure = replace(measure, attributes=_linkage(program), body=distinct(measure.body))
        values = [value_argument(s, p, held_read, changed) for s, p in variables(kernel.syms).items()]
        measure_signature = signature_of(measure.name, values, measure.params[-1].sym.name)
    ways = facts.known.ways
    relies = "each warp has elements of its own" if ownership.whole_warps else ""
    if trees.whole_warps or (ways is not None and ways.warps.aligned):
        relies = "the primal exchanges values among them"
    absent = may_be_absent(kernel.body)
    covers = ownership.extents, dict(collected.widths)
    statements = [
        *tested(ownership.assumed, relies, trees, made.owed, absent, *covers, alone, evens(ownership, ways)),
        *statements,
    ]
    seen = symbols(statements)
    arguments = [_used(a, names, seen) for a in arguments]
    name = kernel.name + "_adj"
    memory = in_memory(p.sym for p in parameters)
    parameters = [replace(p, sym=memory.get(p.sym, p.sym)) for p in parameters]
    whole = narrowed(tuple(statements), memory)
    function = Function(name, tuple(parameters), kernel.result, whole, True, _linkage(program), kernel.span)
    signature = Signature(
        name, tuple(arguments), options.of, options.wrt, bool(assembly.regions), bool(dynamic)
    )
    reached = survey(facts.versions, wrt, of, functions.smooth)  # by what is asked for alone
    warnings = tuple(
        diagnose(Code.NO_DEPENDENCE, kernel.span, dependent=n)
        for n in options.of
        if not any(reached.active(s) for s in names[n])
    )
    stored = {
        name
        for s in _every(statements)
        for t in targets(s)
        if isinstance(t.sym.type, Pointer)
        for name in (t.sym.variable, t.sym.name)
    }
    mentioned = {**seen, **symbols(forward_kernel.body if forward_kernel else ())}
    plan = plan_of(facts, assembly, ownership, prefix, mentioned, trees)
    plan = told_apart(with_sums(plan, prefix, made.totals, statements), prefix, made.apart)
    made_adjoint = Adjoint(
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
        forward=forward_kernel,
        forward_signature=forward_signature,
        measure=measure,
        measure_signature=measure_signature,
        measured=tuple(measured.lines.items()) if measure else (),
        functions=functions.emitted(
            [statements, *(f.body for f in (forward_kernel, measure) if f is not None)]
        ),
        tape=tuple(
            TapeRegion(t.sym.name, t.element.name, _on_host(_product(t.counts))) for t in assembly.regions
        ),
        shared=tuple(
            SharedRegion(tuple(s.name for s in d.arrays), d.element.name, _on_host(d.extent)) for d in dynamic
        ),
        prefix=prefix,
        threads=trees.threads,
        dimensions=1 if trees.rows else ownership.access.most_dimensions,
        facts=tables(facts, ownership),
    )
    return made_adjoint, warnings


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


def _with_block_sums(program: Program, body: Function, options: Options) -> Trees:
    """The body with a sum for each tree that is one; K_fwd does what the primal does, tree by tree."""
    halved = with_block_sums(body)
    plain, trees = Trees(settled(structure(body))), with_exchanged_sums(halved)
    if trees.function is body or options.mode == "split":
        return plain
    found = replace(trees, function=settled(structure(trees.function)))
    before, after = (Ownership(program, t.function, options.assume).access for t in (plain, found))
    if before.block_dimensions == 1 and after.dimensions == before.dimensions:
        return found
    return replace(found, rows=True) if halved.function is body and alike_in_columns(body) else plain


def _refuse_lost_lanes(facts: Facts) -> None:
    """Raises Rejected where lanes exchange values and their adjoints couldn't come back."""
    ways = facts.known.ways
    if ways is None:
        return
    problems = ways.problems(lambda stmt: bool(facts.debts.of.get(stmt)))
    if problems:
        raise Rejected(*problems)


def _forward(
    kernel: Function,
    assembly: Assembly,
    threads: Sym,
    options: Options,
    read: Container[Sym],
    written: frozenset[Sym],
    dimensions: int,
    unread: set[Sym],
    measured: Measured,
) -> tuple[Function, Signature]:
    """K_fwd: what the primal does, and the records that K_adj reads; `unread` are the tapes it doesn't."""
    versions = assembly.facts.versions
    refuse_several(versions.order)
    everything = dict.fromkeys(versions.order)
    body = Slice(assembly.builder, Frame(versions.root, None), everything, whole=True).body(
        versions.root.stmts, versions.root
    )
    body = list(without_own_unread(_without_records(tuple(body), unread))) if unread else body
    parameters = list(kernel.params)
    arguments = [value_argument(s, parts, read, written) for s, parts in variables(kernel.syms).items()]
    if assembly.regions:
        parameters += [*measured.parameters, Parameter(assembly.tape_parameter)]
        arguments += [*measured.arguments, Argument("tape", "char", True, role="tape", use="tape")]
        body = _needed([*global_tape(assembly, threads, dimensions), *body])
    name = kernel.name + "_fwd"
    whole = together(headed(distinct(tuple(body))))
    function = Function(name, tuple(parameters), kernel.result, whole, True, kernel.attributes, kernel.span)
    return function, Signature(name, tuple(arguments), options.of, options.wrt, False)


def _linkage(program: Program) -> tuple[str, ...]:
    """The words before the name; an instance of a template is the only one, so its name will do."""
    words = program.kernel.attributes
    named = any(w.replace(" ", "") in ('extern"C"', "static") for w in words)
    return words if named or not program.template else ('extern "C"', *words)


def _without_records(body: Body, unread: set[Sym]) -> Body:
    """The body without what writes to some tapes, the tests of their bounds included."""
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Record(Place(sym)) | If(_, (Record(Place(sym)),)) if sym in unread:
                continue
            case _:
                out.append(rebuilt(stmt, lambda b: _without_records(b, unread)))
    return tuple(out)


def bounds_of(program: Program, options: Options) -> dict[int, Expr]:
    """The user's bounds of trip counts, by line, over the kernel's scalar parameters."""
    kernel = program.kernel
    names = {s.name: s for s in kernel.syms if isinstance(s.type, Scalar) and s.type.is_integer}
    lines = {
        s.span.line for s in statements_of(kernel.body) if isinstance(s, For | While | DoWhile) and s.span
    }
    found: dict[int, Expr] = {}
    wrong: list[Diagnostic] = []
    for line, text in options.bounds:
        if line not in lines:
            near = sorted(lines, key=lambda n: abs(n - line))[:1]
            help = f"did you mean --bound {near[0]}={text}" if near else "the kernel has no loop"
            wrong.append(diagnose(Code.BOUND_NOT_USED, kernel.span, line=str(line), text=text, help=help))
            continue
        try:
            bound = expression(text, names)
        except Rejected:
            bound = None
        if bound is None or not isinstance(bound.type, Scalar) or not bound.type.is_integer:
            known = ", ".join(names) or "literals"
            wrong.append(diagnose(Code.BOUND_UNCLEAR, kernel.span, line=str(line), text=text, names=known))
            continue
        found[line] = bound
    if wrong:
        raise Rejected(*wrong)
    return found


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


def _every(body: Iterable[Stmt]) -> Iterable[Stmt]:
    for stmt in body:
        yield stmt
        for inner in bodies(stmt):
            yield from _every(inner)


def _names(program: Program) -> set[str]:
    """The author's names that could meet one of the tool's."""
    taken = {*program.macros, *(constant.sym.name for constant in program.constants)}
    for function in (program.kernel, *program.functions.values()):
        taken |= {s.name for s in function.syms}
        taken |= {s.sym.name for s in statements_of(function.body) if isinstance(s, Declare)}
    return taken | {function.name for function in program.functions.values()}


def _with_restored(body: list[Stmt], arrays: Iterable[Sym]) -> list[Stmt]:
    """The body with the local arrays declared that snapshots restore and no forward sweep in it makes."""
    known = {begun(stmt) for stmt in statements_of(tuple(body))}
    missing = [s for s in dict.fromkeys(arrays) if s.storage == "local" and s not in known]
    return [*(Declare(sym) for sym in missing if sym in symbols(body)), *body]


def _needed(statements: list[Stmt]) -> list[Stmt]:
    """Without the tape's pointers and sizes that nobody uses."""
    times = Bag(uses(statements))
    kept: list[Stmt] = []
    for stmt in reversed(statements):
        if isinstance(stmt, Declare) and _of_tape(stmt.sym) and not times[stmt.sym]:
            times.subtract(uses((stmt,)))
        else:
            kept.append(stmt)
    return kept[::-1]


def _of_tape(sym: Sym) -> bool:
    """Whether a variable finds a thread's words on the tape."""
    return sym.span is None and (isinstance(sym.type, Pointer) or sym.name in ("threads", "thread", "at"))


def _used(argument: Argument, names: dict[str, list[Sym]], seen: dict[Sym, None]) -> Argument:
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
