"""Decide how a kernel is differentiated, before any statement of its adjoint is built.

    primal -> facts -> ownership and verdicts -> storage of recorded values -> Planned

Two things are found by trial: which coordinates must have one value in the launch to avoid a race, and
which loops are unbounded, so that a separate kernel measures them. A trial only makes decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..analysis.atomics import extreme_problems, flow_problems, only_updated
from ..analysis.ssa import Loop
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..fields import by_value, is_float, is_held, variables
from ..fixpoint import rounds
from ..ir import SIZE_T, Declare, Expr, Function, LoopId, Pointer, Program, Sym
from ..ir import statements as statements_of
from ..options import Options
from ..passes import Runner
from .build.measure_kernel import Measured
from .device_functions import Functions
from .normalise.bypass_shared_tiles import Unstaged, bypass_shared_tiles
from .normalise.flatten_tiled_loops import flatten_tiled_loops
from .normalise.load_tiles_in_turn import load_tiles_in_turn
from .normalise.repeated_iterations import once
from .plan.accumulation_policy import Ownership, touched
from .plan.accumulation_verdicts import Verdicts
from .plan.adjoint_signature import Parameters
from .plan.expensive_results import with_expensive_results
from .plan.facts import Amend, Choices, Facts, examine
from .plan.forward_accumulation import with_tangents
from .plan.forward_stores import records, with_forwarded_stores
from .plan.loops_by_line import bounds_of, loops_by_line, loops_of
from .plan.preaccumulation import with_partials
from .plan.rewritten_loops import Rewritten
from .plan.selection_loops import with_winners
from .plan.storage_layout import Storage, lay_out
from .states import Primal


@dataclass(frozen=True)
class Asked:
    """The requested dependents and independents as symbols, and the parameters that the primal accesses.

    `names` are the symbols of each parameter, by name.
    """

    names: Mapping[str, list[Sym]]
    read: set[Sym]
    written: set[Sym]
    of: tuple[Sym, ...]
    wrt: tuple[Sym, ...]


def _asked(program: Program, options: Options) -> Asked:
    kernel = program.kernel
    names = {whole.name: parts for whole, parts in variables(kernel.syms).items()}
    read, written = ({s for s in syms if is_held(s)} for syms in touched(kernel, program.functions))
    of = tuple(s for n in options.of for s in names[n] if is_float(s) and (not by_value(s) or s in written))
    wrt = tuple(s for n in options.wrt for s in names[n] if is_float(s) and (not is_held(s) or s in read))
    return Asked(names, read, written, of, wrt)


@dataclass(frozen=True)
class Planned:
    """All decisions on a kernel's adjoint.

    `bypassed` are the shared tiles whose reads are replaced by reads of global memory, with the arrays
    that each held. `summed` are the arrays that the primal only adds to, `written` those that it stores to.
    """

    primal: Primal
    asked: Asked
    choices: Choices
    functions: Functions
    bypassed: Mapping[Sym, frozenset[Sym]]
    facts: Facts
    ownership: Ownership
    verdicts: Verdicts
    parameters: Parameters
    storage: Storage
    threads: Sym
    measured: Measured
    summed: frozenset[Sym]
    written: frozenset[Sym]

    @property
    def prefix(self) -> str:
        return self.choices.prefix


@dataclass(frozen=True)
class _Failed:
    """A failed trial: why, and what to assume or measure in the next one."""

    problems: Sequence[Diagnostic]
    alone: frozenset[str] = frozenset()
    loops: Sequence[Loop] = ()


def first_try(primal: Primal) -> frozenset[Sym] | None:
    """The shared tiles kept in the first trial; None keeps all.

    None are kept in joint mode if the launch is declared to cover, as tiles may prevent gathering.
    """
    covers = any(a.kind == "covers" for a in primal.options.assume)
    return frozenset() if covers and primal.options.mode == "joint" else None


def decide(primal: Primal, stay: frozenset[Sym] | None, runner: Runner) -> Planned:
    """The decisions on a kernel's adjoint. Raises Rejected.

    Reads of shared tiles are replaced by reads of global memory, except for those in `stay`; None keeps all.
    """
    program, options = primal.program, primal.options
    alone, first = frozenset[str](), None
    lines = loops_by_line(program.kernel.body)
    given, measured = bounds_of(program, options.bounds, lines), Measured()
    steps = 2 * len("xyz") + len(lines)
    for _ in rounds(steps, "which coordinates there is one of, and which loops", program.kernel.span):
        tried = _tried(primal, stay, alone, given, measured, runner)
        if isinstance(tried, Planned):
            return tried
        if tried.loops:
            new = {loop.id for loop in tried.loops}
            known = {loop for loops in lines.values() for loop in loops}
            if not new <= known - given.keys() - measured.bounds.keys():
                raise Rejected(*tried.problems)
            found = {line: loops for line, loops in lines.items() if not new.isdisjoint(loops)}
            measured = measured.with_loops(found, names_of(program))
        else:
            first = first or tried
            if tried.alone <= alone:
                raise Rejected(*first.problems)
            alone |= tried.alone  # under which other stores may be proved single-threaded
    raise AssertionError(alone)


def _tried(
    primal: Primal,
    stay: frozenset[Sym] | None,
    alone: frozenset[str],
    given: Mapping[LoopId, Expr],
    measured: Measured,
    runner: Runner,
) -> Planned | _Failed:
    """The decisions if the coordinates `alone` have one value in the launch.

    `given` are the user's bounds of loops.
    """
    program, options = primal.program, primal.options
    assert primal.table is not None
    kernel, asked = program.kernel, _asked(program, options)
    of, wrt = asked.of, asked.wrt
    choices = _choices(primal, given, measured)
    functions = Functions(program, primal.table, choices, options, runner)
    through = Unstaged(primal.function)
    if stay is not None:
        dimensions = Ownership(program, primal.function, options.assume, alone=alone).access.dimensions
        axes = "xyz"[:dimensions]
        flat = flatten_tiled_loops(primal.function, axes, wrt, stay)
        through = bypass_shared_tiles(primal.function, axes, wrt, stay) if flat is None else flat
    body = through.function
    problems = flow_problems(body) + extreme_problems(body, of, choices.split)
    if problems:
        raise Rejected(*problems)
    ordered = options.accumulate == "deterministic"
    read, written = touched(body)
    summed = only_updated(body)

    def examined(body: Function) -> _Examined:
        ownership = Ownership(program, body, options.assume, ordered, alone)
        seeds = _constant_seeds(asked, read, summed, ownership, options)
        facts = _examined(body, asked, functions, ownership, seeds)
        if facts.function is not body:
            ownership = Ownership(program, facts.function, options.assume, ordered, alone)
        return _Examined(seeds, ownership, facts)

    found = _with_tiles_in_turn(body, program, examined)
    seeds, ownership, facts = found.seeds, found.ownership, found.facts
    _refuse_behind_pointers(facts)
    shared = ownership.shared_writers(_owned(asked, kernel, facts, ownership, written))
    if shared is not None:
        return _Failed(shared.problems, shared.alone)
    verdicts = ownership.judge(facts)
    parameters = Parameters(
        kernel,
        of,
        wrt,
        asked.read,
        written,
        seeds,
        choices.prefix,
        facts,
        choices.split,
        options.separate,
    )
    threads = Sym("threads", SIZE_T)
    storage = lay_out(facts, threads, choices.split)
    if storage.refused:
        return _Failed(storage.problems(), loops=[loop for loop, _, _ in storage.refused])
    return Planned(
        primal,
        asked,
        choices,
        functions,
        through.arrays,
        facts,
        ownership,
        verdicts,
        parameters,
        storage,
        threads,
        measured,
        summed,
        written,
    )


def _refuse_behind_pointers(facts: Facts) -> None:
    """Raises Rejected if a derivative flows through an array that a struct behind a pointer points to.

    The adjoint has no parameter for its adjoint.
    """
    for sym in facts.activity.ever:
        if isinstance(sym.type, Pointer) and isinstance(sym.type.target, Pointer):
            what = f"`{sym.name}`, which carries a derivative in a struct behind a pointer"
            whole = sym.within.name if sym.within is not None else sym.name
            help = f"pass the struct by value, without the `*` of `{whole}`"
            raise Rejected(diagnose(Code.NOT_SUPPORTED, sym.span, what=what, help=help))


@dataclass(frozen=True)
class _Examined:
    """The facts of a body, its constant seeds, and how its adjoints may be accumulated."""

    seeds: frozenset[Sym]
    ownership: Ownership
    facts: Facts


def _with_tiles_in_turn(
    body: Function, program: Program, examined: Callable[[Function], _Examined]
) -> _Examined:
    """The facts of a body; of one that loads its tiles in turn, where that saves a record."""
    found = examined(body)
    outside = [s for s in touched(body, program.functions)[1] if s.storage not in ("local", "shared")]
    in_turn = load_tiles_in_turn(body, outside)
    if in_turn is body:
        return found
    other = examined(in_turn)
    return other if records(other.facts) < records(found.facts) else found


def _choices(primal: Primal, given: Mapping[LoopId, Expr], measured: Measured) -> Choices:
    """The user's options, with the trip bounds that are given or measured."""
    program, options = primal.program, primal.options
    lines = loops_by_line(program.kernel.body)
    return Choices(
        options.of,
        options.wrt,
        options.mode == "split",
        prefix_for(program, options),
        options.store,
        options.recompute,
        {**given, **measured.bounds},
        frozenset(measured.bounds),
        loops_of(program, "--forward", options.forward, lines),
        loops_of(program, "--reverse", options.reverse, lines),
        primal.snapshots,
    )


def _owned(
    asked: Asked, kernel: Function, facts: Facts, ownership: Ownership, written: frozenset[Sym]
) -> list[Sym]:
    """The arrays with an adjoint that the primal stores to, and whose elements each need an owner."""
    ever = facts.activity.ever
    return [
        s
        for s in dict.fromkeys((*kernel.syms, *ever))
        if (s in kernel.syms or s.storage == "shared")
        and s in written
        and (s in asked.of or s in asked.wrt or s in ever)
        and not (s in facts.known.contested and s in ownership.contested)
    ]


def _constant_seeds(
    asked: Asked, read: frozenset[Sym], summed: frozenset[Sym], ownership: Ownership, options: Options
) -> frozenset[Sym]:
    """The dependents whose seeds aren't modified: each element is stored at most once and not read."""
    seeds = frozenset(
        s
        for s in asked.of
        if s not in asked.wrt and s not in read and (s in summed or ownership.stored_once(s))
    )
    # of a struct, all fields or none: its adjoint is one parameter
    return frozenset(
        s
        for s in seeds
        if options.separate or is_held(s) or all(p in seeds for p in asked.names[s.variable] if p in asked.of)
    )


def _examined(
    body: Function, asked: Asked, functions: Functions, ownership: Ownership, seeds: frozenset[Sym]
) -> Facts:
    """The facts of a kernel, with tangents carried and partials recorded."""
    choices = functions.choices
    quiet = seeds | (ownership.stored_once_in_shared - ownership.contested)

    latest: list[Facts] = []

    def examined(function: Function, amend: Amend | None) -> Facts:
        if amend is None and latest and latest[-1].function is function:
            return latest[-1]
        latest[:] = [fresh(function, amend)]
        return latest[-1]

    def fresh(function: Function, amend: Amend | None) -> Facts:
        return examine(
            function,
            asked.wrt,
            asked.of,
            functions.smooth,
            functions.table,
            choices,
            quiet,
            parameter=functions.parameter,
            by_result=functions.by_result,
            amend=amend,
            exchanged=ownership.exchanged,
            contested=ownership.contested,
            filled=ownership.filled,
            order=ownership.final,
            dimensions=ownership.access.dimensions,
            alike=ownership.alike,
            earlier=ownership.access.assumptions.earlier,
        )

    named = (*choices.store, *choices.recompute)
    body, repeated = once(body)
    body, selected = with_winners(body, examined)
    body = with_forwarded_stores(body, examined)
    facts = with_tangents(body, examined, named, *choices.ways)
    offers = facts.offers
    if not choices.split:
        facts = with_partials(facts, examined, named)
        facts = with_expensive_results(facts, examined, named, functions.expensive)
    _refuse_lost_lanes(facts)
    facts.rewritten, facts.offers = (*map(Rewritten, repeated), *selected), offers
    return facts


def _refuse_lost_lanes(facts: Facts) -> None:
    """Raises Rejected if the adjoints of a shuffle couldn't be returned to their lanes."""
    ways = facts.known.ways
    if ways is None:
        return
    problems = ways.problems(lambda stmt: bool(facts.debts.of.get(stmt)))
    if problems:
        raise Rejected(*problems)


def prefix_for(program: Program, options: Options) -> str:
    """`adj_`, or `adj2_` if the primal uses such names."""
    taken = names_of(program)
    stem = options.names or "adj"
    number = 1
    prefix = f"{stem}_"
    while any(name.startswith(prefix) for name in taken):
        number += 1
        prefix = f"{stem}{number}_"
    return prefix


def names_of(program: Program) -> set[str]:
    """The author's names that might clash with the tool's."""
    taken = {*program.macros, *(constant.sym.name for constant in program.constants)}
    for function in (program.kernel, *program.functions.values()):
        taken |= {s.name for s in function.syms}
        taken |= {s.sym.name for s in statements_of(function.body) if isinstance(s, Declare)}
    return taken | {function.name for function in program.functions.values()}


def unlike(wanted: str, program: Program) -> str:
    """A name that the author doesn't use."""
    name, taken = wanted, names_of(program)
    while name in taken:
        name += "_"
    return name
