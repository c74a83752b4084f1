"""Make a binding: transform the kernel for each element type, and find each parameter's role.

What the author doesn't state is drafted from the kernel's text, and said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from .. import emit, pipeline
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..emitted_header import repeated
from ..options import Options
from ..pipeline import Transformed
from ..signature import REALS, Argument, Signature
from ..source import Source, Span
from ..validate import Case, header
from .accessors import ELEMENTS, as_arrays
from .further import with_derivatives
from .launch import Launch, Shape
from .model import TYPE, Binding, Instance, Parameter, Role
from .shapes import alike, guarded
from .stating import launch_of, shape_in_case
from .trial import trial

_TYPES = ("float", "double", "__half")
SUFFIXES: Mapping[str, str] = {"float": "float", "double": "double", "__half": "half", "half": "half"}
Template = tuple[tuple[str, str], ...]


def read(
    source: Source,
    options: Options,
    launch: str = "",
    case: str = "",
    *,
    beside: str = "",
    updates: bool = True,
    derivatives: bool = False,
) -> tuple[Binding, tuple[Diagnostic, ...]]:
    """Make the binding of a kernel, and remarks for the user. Raises Rejected with all problems.

    `launch` overrides the source's; `case` is the path of a case file whose arguments the tests use,
    `beside` of one that is used if it is for this kernel. Without a stated launch, it is the case's.
    `updates`: the target can update arrays in place, so a kernel that does it is bound in the split shape.
    `derivatives`: the target has forward mode and second derivatives.
    """
    options = replace(options, seeds=1)  # the source may say how many its adjoint has
    asked = options
    instances, remarks = _instances(source, options)
    first = instances[0]
    if updates and first.options.mode != "split" and options.mode is None and _updates(first):
        options = replace(options, mode="split")
        instances, remarks = _instances(source, options)
        first = instances[0]
    source = first.source
    primal = _primal(first)
    if problems := list(_unfit(first, primal)):
        raise Rejected(*problems)
    read_case = _case(first, case, beside)
    found, notes = launch_of(source, first, primal, launch, read_case)
    parameters, found, more = _parameters(instances, primal, found, read_case)
    forward = first.adjoint.forward_signature
    binding = Binding(
        name=primal.name,
        place=_place(source, first.program.kernel.span),
        parameters=parameters,
        launch=found,
        instances=tuple(_instance(one, len(instances) > 1) for one in instances),
        adjoint=as_arrays(first.adjoint.signature),
        forward=forward and as_arrays(forward),
        limited=bool(first.options.bounds),
        file=Path(source.name).name,
        options=_command(source, instances, asked.template),
        minima=guarded(first.program),
        example={},
    )
    binding = replace(binding, example=trial(binding, first, read_case))
    return with_derivatives(binding, instances) if derivatives else binding, (*remarks, *notes, *more)


def _instances(source: Source, options: Options) -> tuple[tuple[Transformed, ...], tuple[Diagnostic, ...]]:
    """Transform the kernel for each wanted type of its template; without one, for those that it takes."""
    wanted: dict[str, list[str]] = {}
    for name, text in options.template:
        wanted.setdefault(name, []).append(text)
    several = [name for name, texts in wanted.items() if len(texts) > 1]
    if len(several) > 1:
        help = f"give one value for {several[1]}"
        what = f"--template: {' and '.join(several)} have several values"
        raise Rejected(diagnose(Code.USAGE, None, what=what, help=help))
    if several:
        one = several[0]
        made = [_with(source, options, one, text) for text in dict.fromkeys(wanted[one])]
        return tuple(made), _remarks(made)
    program = pipeline.read(source, options)
    free = [argument for argument in program.template if argument.is_free]
    types = [type for type in _TYPES if free and type in (free[0].choices or _TYPES)]
    if len(free) == 1 and types:
        return _for_all_types(source, options, free[0].name, types, program.kernel.span)
    done = pipeline.transform(source, options)
    return (done,), done.remarks


def _for_all_types(
    source: Source, options: Options, name: str, types: Sequence[str], span: Span | None
) -> tuple[tuple[Transformed, ...], tuple[Diagnostic, ...]]:
    """Transform a template that no launch instantiates with one type, for each real type that it can be."""
    made: dict[str, Transformed] = {}
    refused: list[Rejected] = []
    for text in types:
        try:
            made[text] = _with(source, options, name, text)
        except Rejected as rejected:
            refused.append(rejected)
    if not made:
        raise refused[0]
    chosen = " ".join(f"--template {name}={text}" for text in made)
    note = diagnose(Code.TYPES_TAKEN, span, name=name, options=chosen)
    return tuple(made.values()), (*_remarks(list(made.values())), note)


def _with(source: Source, options: Options, name: str, text: str) -> Transformed:
    others = tuple(pair for pair in options.template if pair[0] != name)
    return pipeline.transform(source, replace(options, template=(*others, (name, text))))


def _remarks(made: Sequence[Transformed]) -> tuple[Diagnostic, ...]:
    said = {(d.code, d.title): d for one in reversed(made) for d in one.remarks}
    return tuple(d for d in made[0].remarks if said.pop((d.code, d.title), None)) + tuple(said.values())


def _updates(done: Transformed) -> bool:
    """Whether the kernel replaces an array that is differentiated by: its values at entry get lost."""
    return any(a.written and a.name in done.options.wrt for a in _primal(done).arguments)


def _primal(done: Transformed) -> Signature:
    """Return the primal's parameters, with an array for each accessor."""
    return as_arrays(pipeline.primal_signature(done.program, done.options))


def _unfit(done: Transformed, primal: Signature) -> Iterator[Diagnostic]:
    """Report what no binding can pass yet."""
    span = done.program.kernel.span
    for argument in primal.arguments:
        what = ""
        if any(sym.name == argument.name for sym in done.program.variables):
            what = "a variable of the file, which a host has to set"
        elif argument.view is not None and argument.type not in ELEMENTS:
            what = f"an accessor of {argument.type}"
        elif argument.layout is not None:
            what = f"of the struct type {argument.type}"
        elif argument.rows:
            what = f"a pointer to arrays, {argument.c_type}"
        if what:
            yield diagnose(Code.CANNOT_BIND, span, name=argument.name, what=what)
    if done.adjoint.measure_signature is not None:
        line = str(done.adjoint.measured[0][0])
        what = f"needed to be launched twice: no trip bound is known for the loop in line {line}"
        yield diagnose(Code.CANNOT_BIND_LOOP, span, line=line, kernel=primal.name, what=what)


def _parameters(
    instances: Sequence[Transformed], primal: Signature, launch: Launch, case: Case | None
) -> tuple[tuple[Parameter, ...], Launch, tuple[Diagnostic, ...]]:
    """Return the parameters in their roles, and the launch with shapes that are drafted."""
    first = instances[0]
    span, options = first.program.kernel.span, first.options
    others = [_primal(one) for one in instances[1:]]
    adjoint = as_arrays(first.adjoint.signature)
    found, problems, notes = [], [], []
    shapes = dict(launch.shapes)
    alone = first.program
    passed = [a.name for a in primal.arguments if a.pointer and _role(a, options.wrt) != "out"]
    for place, argument in enumerate(primal.arguments):
        role = _role(argument, options.wrt)
        types = [argument.type, *(other.arguments[place].type for other in others)]
        if len(set(types)) > 1 and tuple(types) != tuple(one.program.template[0].text for one in instances):
            problems.append(diagnose(Code.CANNOT_BIND, span, name=argument.name, what="of several types"))
        if role == "out" and argument.name not in shapes:
            like = alike(alone, argument.name, passed)
            if like and _rank(primal, like) == _rank(primal, argument.name):
                shapes[argument.name] = Shape(like=like)
                notes.append(diagnose(Code.SHAPE_DRAFTED, span, name=argument.name, like=like))
            elif shape := shape_in_case(case, argument.name):
                shapes[argument.name] = shape
            else:
                problems.append(diagnose(Code.SHAPE_UNKNOWN, span, name=argument.name, kernel=primal.name))
        if wrong := _wrong_rank(primal, argument, shapes.get(argument.name)):
            problems.append(diagnose(Code.BAD_LAUNCH, span, what=wrong, help=""))
        found.append(
            Parameter(
                argument.name,
                TYPE if len(set(types)) > 1 else argument.type,
                role,
                wrt=argument.name in options.wrt,
                of=argument.name in options.of,
                stated=argument.name in launch.sizes,
                rank=argument.view.rank if argument.view is not None else 0,
                adjoint=adjoint.adjoint_of(argument.name),
                entry=next((a for a in adjoint.arguments if a.name == argument.name), None),
            )
        )
    if problems:
        raise Rejected(*problems)
    return tuple(found), replace(launch, shapes=shapes), tuple(notes)


def _rank(primal: Signature, name: str) -> int:
    """Return the dimensions of an accessor; 0 of an array, whose text says nothing of them."""
    view = primal.argument(name).view
    return view.rank if view is not None else 0


def _wrong_rank(primal: Signature, argument: Argument, shape: Shape | None) -> str:
    """Say why an accessor can't have a shape; empty if it can."""
    rank = _rank(primal, argument.name)
    if not rank or shape is None:
        return ""
    stated = _rank(primal, shape.like) if shape.like else len(shape.extents)
    return f"{argument.name} is an accessor and needs {rank} extents" if stated != rank else ""


def _case(done: Transformed, case: str, beside: str) -> Case | None:
    """Read the case that the user names, or the one beside the file if it is for this kernel."""
    if case:
        return Case.read(case, done.pair.primal)
    if not beside or header(beside).kernel.rpartition("::")[2] not in ("", done.program.kernel.name):
        return None
    return Case.read(beside, done.pair.primal)


def _role(argument: Argument, wrt: tuple[str, ...]) -> Role:
    if not argument.pointer:
        return "real" if argument.type in REALS else "integer"
    if not argument.written:
        return "in"
    return "in-out" if argument.name in wrt else "out"


def _instance(done: Transformed, several: bool) -> Instance:
    element = done.program.template[0].text if done.program.template else ""
    suffix = (SUFFIXES.get(element) or re.sub(r"\W+", "_", element).strip("_")) if several else ""
    adjoint = done.adjoint
    signatures = (adjoint.signature, *filter(None, [adjoint.forward_signature]))
    kernels = (_primal(done), *map(as_arrays, signatures))
    return Instance(suffix, element, emit.primal_text(done.program).strip("\n"), done.text, kernels)


def _command(source: Source, instances: Sequence[Transformed], template: Template) -> str:
    """Return the command that repeats the request; `template` is as the user gave it."""
    first = instances[0].options
    several = len(instances) > 1
    plain = replace(first, template=() if several else first.template, mode=first.mode)
    words = repeated(source.name, plain, "bind")
    for name, text in template if several else ():
        words += f" --template {name}={text}"
    return words


def _place(source: Source, span: Span | None) -> str:
    """Return where the primal is: relax.cu:5."""
    name = Path(source.name).name
    return f"{name}:{span.line}" if span is not None else name
