"""The stages in order; nothing else knows the order.

Each function here maps the user's input, a file and options, to the result that the
user wants. Errors in the input are raised as `Rejected`; an internal error is raised
unchanged, with a note that names the stage.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from . import emit, emitted_header, faults, idle, keeping, parse, project_options, rules, second_order
from .analysis.plan import Plan
from .compile_commands import Build, build, with_build
from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .emit import explain
from .emit import pipelines as emission
from .fields import variables
from .free_names import refuse_taken_names
from .ir import Function, Program
from .options import Options
from .parse import reading, scripts
from .parse.depth import deep
from .parse.source.companion_scope import behind, following
from .parse.source.self_contained_text import extract
from .passes import PLAIN, Runner
from .project_options import Project
from .python_strings import Texts
from .rereading import reread
from .resolve_request import settled, taken_from_build, taken_from_file
from .signature import Signature
from .source import Source
from .transform import kernel as reverse
from .transform import pipelines
from .transform.companion import companion
from .transform.normalise import bitcast_checks
from .transform.plan.accumulation_policy import touched
from .transform.plan.adjoint_signature import argument_of, fields_of
from .transform.seeds import kernel as seeds
from .transform.tangent import kernel as forward
from .transform.unit import Adjoint, FactTable

if TYPE_CHECKING:
    from .validate.launching import Pair

PASSES = (*pipelines.NAMES, forward.BUILD, seeds.BUILD, *emission.NAMES)
"""The names of all passes, in the order of their tables: the passes that can be dumped."""


@dataclass(frozen=True)
class Transformed:
    """An adjoint and its text. `remarks` are warnings and notes; `options` are the settled ones."""

    source: Source
    program: Program
    options: Options
    adjoint: Adjoint
    text: str
    remarks: tuple[Diagnostic, ...]
    kept: tuple[Transformed, ...] = ()  # the instances of an adjoint that stays a template
    parameter: str = ""  # and its parameter
    first: Transformed | None = None  # of a second-order kernel: the adjoint whose tangent it is
    one: Adjoint | None = None  # of an adjoint of several seeds: that of one

    @cached_property
    def of_one_seed(self) -> Transformed:
        """The same adjoint with one seed."""
        if self.kept:
            return self.kept[0].of_one_seed
        if self.one is None:
            return self
        text = emit.render(self.one, self.options.skin or "plain")
        return replace(self, adjoint=self.one, text=text, one=None)

    @property
    def pairs_of_one_seed(self) -> tuple[Pair, ...]:
        """The same with one seed, for each instance of a template; nothing if this one has one."""
        several = self.adjoint.signature.seeds > 1
        return tuple(one.of_one_seed.pair for one in self.kept or (self,)) if several else ()

    @cached_property
    def pair(self) -> Pair:
        """Both texts and their signatures, as needed to run them. The primal's text is the author's own."""
        return self.paired(self.text, "adjoint")

    def paired(self, text: str, name: str) -> Pair:
        """Like `pair`, with another text of the adjoint, of a file of that name."""
        return self.pairs(text, name)[0]

    def pairs(self, text: str, name: str) -> tuple[Pair, ...]:
        """Like `paired`, for each instance of an adjoint that stays a template."""
        if not self.kept:
            return (self._paired(text, name),)
        return tuple(
            one._paired(emit.instance(text, name, self.parameter, value, keeping.entries(one)), name)
            for one in self.kept
            for value in (argument.text for argument in one.program.template)
        )

    def _paired(self, text: str, name: str) -> Pair:
        from .validate.launching import Pair  # on use: it needs numpy, which a transformation doesn't

        primal = primal_text(self.source, self.program, self.options)
        adjoint, forward = self.adjoint.signature, self.adjoint.forward_signature
        measure = self.adjoint.measure_signature
        if self.adjoint.behind is not None:
            kernels = frozenset(s.name for s in (adjoint, forward, measure) if s is not None)
            text = primal + following(text, name, self.adjoint.behind, kernels, _variables(self.program))
            adjoint = self._run(adjoint)
            forward = forward and self._run(forward)
            measure = measure and self._run(measure)
        return Pair(
            primal,
            text,
            primal_signature(self.program, self.options).leaves,
            adjoint.leaves,
            forward.leaves if forward is not None else None,
            measure=measure.leaves if measure is not None else None,
            printed=emit.primal_text(self.program) if self.program.carried else "",
        )

    def _run(self, kernel: Signature) -> Signature:
        """Return a companion's kernel as it is run: the file's variables are its last arguments."""
        return replace(kernel, arguments=(*kernel.arguments, *self.adjoint.there))


@dataclass(frozen=True)
class Candidate:
    """A kernel of a file: how it can be differentiated, or why not."""

    name: str
    choice: str  # the --kernel value that selects it
    line: int
    parameters: str
    options: Options | None
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Decided:
    """The plan of an adjoint before any statement of it exists. `remarks` are warnings and notes."""

    program: Program
    options: Options
    command: str
    plan: Plan
    facts: tuple[FactTable, ...]
    remarks: tuple[Diagnostic, ...]


def selected(source: Source, options: Options) -> Source:
    """Return the text of a script that has the kernel; another file unchanged. Raises Rejected."""
    if not isinstance(source, Texts):
        return source
    options = _for_reading(options, project_options.project(source.name), build(source))
    with stage("parse"):
        return scripts.selected(source, options.kernel, dict(options.defines), _folders(options.includes))


def transform(source: Source, options: Options, runner: Runner = PLAIN) -> Transformed:
    """Transform one kernel into its adjoint; `runner` runs the passes. Raises Rejected."""
    source = selected(source, options)

    def made(source: Source, options: Options) -> Transformed:
        return deep(lambda: _transform(source, options, runner))

    if options.mode == "second-order" or (options.hessian and options.mode is None):
        return deep(lambda: _second_order(source, options, runner))
    one = made(source, replace(options, template=tuple(dict(reversed(options.template)).items())))
    if not one.options.keep_template:
        return one
    kept = keeping.kept(one, options.template, made)
    done = replace(
        kept.instances[0],
        adjoint=kept.adjoint,
        text=kept.text,
        kept=kept.instances,
        parameter=kept.parameter,
    )
    deep(lambda: _reread(done))
    return done


def read(source: Source, options: Options) -> Program:
    """Read the kernel and its closure, typed. Raises Rejected."""
    source = selected(source, options)
    found = project_options.project(source.name)
    return _read(source, _for_reading(options, found, build(source)))


def _read(source: Source, options: Options) -> Program:
    """The same with options that are complete for reading."""
    twice = options.mode == "tangent" and emitted_header.is_ours(source.text)
    with stage("parse"):
        return parse.program(
            source,
            kernel=options.kernel or None,
            defines=dict(options.defines),
            includes=_folders(options.includes),
            template=dict(options.template),
            dialect="adjoint" if twice else "primal",
        )


def _for_reading(options: Options, project: Project | None, found: Build | None) -> Options:
    """Return the options with macros, folders and template arguments of the project, then of its build."""
    more = Options() if project is None else project.options
    part = Options(defines=more.defines, includes=more.includes, template=more.template)
    return with_build(options.with_more(part), found)


def kernels(source: Source, options: Options) -> tuple[Candidate, ...]:
    """List every kernel of a file and how it can be differentiated. Raises Rejected if none can be found."""
    options = _for_reading(options, project_options.project(source.name), build(source))
    found = entries(source, options)
    unread = source.unread if isinstance(source, Texts) else ()
    return (
        *(_candidate(source, options, entry) for entry in found),
        *(Candidate(n, n, one.line, "", None, (one.reason,)) for one in unread for n in sorted(one.names)),
    )


def entries(source: Source, options: Options) -> tuple[reading.KernelEntry, ...]:
    """List every kernel of a file. Raises Rejected if none can be read."""
    options = _for_reading(options, project_options.project(source.name), build(source))
    with stage("parse"):
        return scripts.entries(source, dict(options.defines), _folders(options.includes))


def explained(done: Transformed, more: str = "") -> str:
    """Return the plan as tables with every reason, `more`, and the adjoint with decisions by its lines."""
    adjoint = done.adjoint
    with stage("explain"):
        page = explain.page(adjoint.kernel.name, adjoint.command, adjoint.plan)
        parts = [page, *([more] if more else []), f"```c\n{explain.annotated(adjoint)}```\n"]
        return "\n".join(parts)


def explained_plan(decided: Decided) -> str:
    """Return the plan as tables with every reason, for an adjoint that isn't built."""
    with stage("explain"):
        return explain.page(f"{decided.program.kernel.name}_adj", decided.command, decided.plan)


def facts(found: Sequence[FactTable]) -> str:
    """Return the analyses' findings as tables."""
    with stage("explain"):
        return deep(lambda: explain.fact_tables(found))


def primal_text(source: Source, program: Program, options: Options) -> str:
    """Return the author's text of the kernel, with all that it uses and nothing else."""
    return extract(
        source,
        program.kernel.name,
        dict(options.defines),
        _folders(options.includes),
        {argument.name: argument.text for argument in program.template},
        _variables(program),
        program.instances,
        program.kernel.span,
    )


def _variables(program: Program) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sym.variable for sym in program.variables))


def primal_signature(program: Program, options: Options) -> Signature:
    """Return the primal's parameters, for running it."""
    kernel = program.kernel
    read, written = touched(kernel, program.functions)
    arguments = [
        argument_of(sym, any(part in written for part in parts), parts=fields_of(parts, read, written))
        for sym, parts in variables(kernel.syms).items()
    ]
    return Signature(kernel.name, tuple(arguments), options.of, options.wrt)


@contextmanager
def stage(name: str, kernel: Function | None = None) -> Iterator[None]:
    """Add notes to an internal error: the stage in which it happened, and of which kernel."""
    of = () if kernel is None else (faults.of_kernel(kernel.name, kernel.span),)
    with faults.noting(f"stage: {name}", *of):
        yield


def _transform(source: Source, options: Options, runner: Runner) -> Transformed:
    made = _made(source, options, runner)
    doubtful = [one for one in idle.asked(made.options) if not idle.fulfilled(one, made.adjoint)]
    without_effect = [one for one in doubtful if _is_idle(source, made, one)]
    if without_effect:
        raise Rejected(*(idle.problem(one, made.adjoint) for one in without_effect))
    return made


def _second_order(source: Source, options: Options, runner: Runner) -> Transformed:
    """Transform a kernel into the tangent of its adjoint, from the adjoint's text. Raises Rejected.

    Its tangents are those of the independents and of the seeds: with zeros for the seeds', it multiplies the
    Hessian by the independents' tangents.
    """
    if options.seeds is not None and options.seeds > 1:
        help = "leave it out: launch the kernel once for each seed"
        raise Rejected(diagnose(Code.USAGE, None, what="--seeds with --mode second-order", help=help))
    if options.skin == "lesson":
        help = "leave it out: lessons explain an adjoint, --mode joint or split"
        raise Rejected(diagnose(Code.USAGE, None, what="--skin lesson with --mode second-order", help=help))
    one = _transform(source, replace(options, mode="joint", directions=None, hessian=None, seeds=1), PLAIN)
    if one.options.companion:
        help = "leave --companion out: the emitted file is then self-contained and links with the primal"
        raise Rejected(diagnose(Code.USAGE, None, what="--companion with --mode second-order", help=help))
    signature = one.adjoint.signature
    asked = second_order.request(signature, one.options, options)
    text = Source(f"{Path(source.name).stem}_adj.cu", one.text)
    two = _made(text, asked, runner, complete=True)
    several = len(reading.kernels(source, dict(options.defines), _folders(options.includes))) > 1
    settled_options = replace(
        one.options, mode="second-order", directions=asked.directions, hessian=options.hessian, skin="plain"
    )
    unit = replace(
        two.adjoint,
        command=_command(source, settled_options, several=several),
        origin=one.program.kernel,
        derivative="tangent of the adjoint",
        tape=one.adjoint.tape,
        measure=one.adjoint.measure,
        measured=one.adjoint.measured,
        measure_signature=one.adjoint.measure_signature,
    )
    with stage("emit", one.program.kernel):
        emitted = emit.render(unit, "plain", runner)
    done = replace(two, adjoint=unit, text=emitted, options=settled_options, remarks=one.remarks, first=one)
    _reread(done)
    return done


def _is_idle(source: Source, made: Transformed, one: idle.Asked) -> bool:
    """Whether the file would be the same without an option."""
    try:
        other = _made(source, one.left_out(made.options), PLAIN, complete=True)
    except Rejected:
        return False
    adjoint = replace(other.adjoint, command=made.adjoint.command)
    return emit.render(adjoint, made.options.skin or "plain") == made.text


@dataclass(frozen=True)
class Asked:
    """A program as read, the settled options, and the rules."""

    program: Program
    options: Options
    table: rules.Table
    remarks: tuple[Diagnostic, ...]


def _asked(source: Source, options: Options, *, complete: bool = False) -> Asked:
    """Resolve what to differentiate; `complete`: the options include the source's requests."""
    found = None if complete else build(source)
    project = None if complete else project_options.project(source.name)
    asked, options = options, _for_reading(options, project, found)
    program = _read(source, options)
    more = Options() if project is None else project.options
    options, notes = settled(program, options, more, complete=complete)
    notes = (
        *project_options.taken(asked, project),
        *taken_from_build(asked.with_more(more), options, found),
        *taken_from_file(program),
        *notes,
        *program.remarks,
    )
    with stage("rules"):
        table = rules.load([Path(name) for name in options.rules])
        if wrong := rules.misfits(table, program):
            raise Rejected(*wrong)
    with stage("transform", program.kernel):
        if wrong := list(bitcast_checks.misread(program)):
            raise Rejected(*wrong)
    return Asked(program, options, table, notes)


def decide(source: Source, options: Options, runner: Runner = PLAIN) -> Decided:
    """Return the plan of an adjoint without building it. Raises Rejected."""
    source = selected(source, options)
    return deep(lambda: _decided(source, options, runner))


def _decided(source: Source, options: Options, runner: Runner) -> Decided:
    asked = _asked(source, options)
    with stage("plan", asked.program.kernel):
        plan, facts = reverse.plan_only(asked.program, asked.options, asked.table, runner)
    entries = reading.kernels(source, dict(asked.options.defines), _folders(asked.options.includes))
    command = _command(source, asked.options, several=len(entries) > 1)
    return Decided(asked.program, asked.options, command, plan, facts, asked.remarks)


def _made(source: Source, options: Options, runner: Runner, *, complete: bool = False) -> Transformed:
    """Make the adjoint; `complete`: the options include the source's requests."""
    asked = _asked(source, options, complete=complete)
    program, options = asked.program, asked.options
    with stage("transform", program.kernel):
        derive = forward.build if options.mode == "tangent" else reverse.build
        adjoint, warnings = derive(program, options, asked.table, runner)
        one = adjoint
        adjoint = seeds.several(adjoint, options, runner)
        if options.companion:
            _is_file(source)
            found = behind(source, dict(options.defines), _folders(options.includes))
            one, adjoint = companion(one, found), companion(adjoint, found)
    entries = reading.kernels(source, dict(options.defines), _folders(options.includes))
    refuse_taken_names(program, adjoint, entries)
    adjoint = replace(adjoint, command=_command(source, options, several=len(entries) > 1))
    with stage("emit", program.kernel):
        text = emit.render(adjoint, options.skin or "plain", runner)
        if wrong := [
            diagnose(Code.COMPANION, program.kernel.span, name=name, why=why, kernel=program.kernel.name)
            for name, why in (emit.misfits(adjoint, adjoint.behind, text) if adjoint.behind else ())
        ]:
            raise Rejected(*wrong)
    done = Transformed(source, program, options, adjoint, text, (*asked.remarks, *warnings))
    if (options.seeds or 1) > 1:
        done = replace(done, one=one)
    _reread(done)
    return done


def _reread(done: Transformed) -> None:
    """Reread the text as its compiler will: a companion after its primal, a template's instances."""
    entries = (done.adjoint.forward_signature, done.adjoint.signature)
    every = (done.adjoint.measure_signature, *entries)
    names = [signature.name for signature in every if signature is not None]
    with stage("rereading the emitted file", done.program.kernel):
        if done.adjoint.behind is not None:
            options = done.options
            whole = f"{done.source.text}\n{done.text}"
            reread(whole, done.source.name, names, dict(options.defines), _folders(options.includes))
            return
        stem = Path(done.source.name).stem
        for one in done.kept:
            for value in (argument.text for argument in one.program.template):
                text = emit.instance(done.text, f"{stem}_adj.cu", done.parameter, value, keeping.entries(one))
                reread(text, f"{stem}_adj.cu", names)
        if not done.kept:
            reread(done.text, f"{stem}_adj.cu", names)


def _is_file(source: Source) -> None:
    """Refuse a companion of a text inside a script, which can't be included."""
    if source.inside is not None:
        help = "leave --companion out: the emitted file is then self-contained"
        what = f"--companion: {source.name} isn't a file that a companion can include"
        raise Rejected(diagnose(Code.USAGE, None, what=what, help=help))


def _command(source: Source, options: Options, several: bool) -> str:
    """Return the header's command; the kernel is named only if the file has several."""
    several = several or (source.inside is not None and not source.inside.alone)
    return emitted_header.repeated(source.name, options if several else replace(options, kernel=""))


def _candidate(source: Source, options: Options, entry: reading.KernelEntry) -> Candidate:
    about = (entry.name, entry.choice, entry.span.line, entry.parameters)
    try:
        done = transform(source, replace(options, kernel=entry.choice))
    except Rejected as rejected:
        return Candidate(*about, None, rejected.diagnostics)
    return Candidate(*about, done.options, done.remarks)


def _folders(names: tuple[str, ...]) -> tuple[Path, ...]:
    missing = [name for name in names if not os.path.exists(name)]
    if missing:
        raise Rejected(*(diagnose(Code.UNREADABLE, None, file=n, reason="no such file") for n in missing))
    return tuple(Path(name) for name in names)
