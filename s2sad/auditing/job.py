"""Make a job from two files and a case: the kernels, and the meaning of the backward's parameters.

Everything that follows from names is decided here, and all its errors are reported at once. roles.py
decides what only a launch shows: which arrays the forward changes, and which it reads first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .. import emit, pipeline
from ..case_options import options_of_case
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..entries import Place
from ..options import Options
from ..signature import Argument, Signature
from ..source import Source
from ..toml_file import Document
from ..validate import Case, header
from ..validate.recipe import ArraySpec
from . import reading, settings, texts, wrapping
from .matching import Match, match, nearest, spellings
from .reading import File, Kernel
from .settings import Settings
from .wrapping import Entry

_CASTS = re.compile(r"reinterpret_cast|\*\s*\)\s*[\w(&]")  # of pointers, without which no words pack numbers

SEED = "seed of "
"""Prefix of an array's name: the key of a parameter that holds only its seed."""


@dataclass(frozen=True)
class Job:
    """The kernels to judge and their case. `signatures` are those of the backward's kernels."""

    forward: Entry
    primal: Signature
    backward: tuple[Entry, ...]
    signatures: tuple[Signature, ...]
    case: Case
    settings: Settings
    notes: tuple[str, ...] = ()
    records: bool = False  # the first kernel runs the forward again and fills a tape
    own: tuple[Argument, ...] = ()  # parameters of the backward only
    printed: str = ""  # the forward for doubles, if these don't fit into its words (see validate/printed.py)

    @property
    def known(self) -> tuple[Argument, ...]:
        """The parameters for which the case has arguments."""
        return (*self.primal.arguments, *self.own)

    @property
    def places(self) -> dict[str, Place]:
        """The definitions of the kernels in their files, by name, the forward's first."""
        spans = {entry.name: entry.kernel.span for entry in (self.forward, *self.backward)}
        return {name: Place(s.source.name, s.line, s.column) for name, s in spans.items()}

    @property
    def adjoints(self) -> dict[str, tuple[Argument, ...]]:
        """The backward's adjoint parameters for each parameter of the forward."""
        found: dict[str, tuple[Argument, ...]] = {}
        for argument in (a for s in self.signatures for a in s.arguments if a.role == "adjoint"):
            found[argument.of] = (*found.get(argument.of, ()), argument)
        return found


def prepare(
    forward: Source,
    backward: Source,
    case: str | Path,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
) -> Job:
    """Read the files and the case and match them. Raises Rejected."""
    head = header(case)
    asked = options_of_case(head)
    defines = {**dict(asked.defines), **(defines or {})}
    includes = [*includes, *map(Path, asked.includes)]
    said = settings.read(Document.read(case))
    forward = texts.forward(forward, head.kernel, defines, includes)
    backward = texts.backward(backward, forward, said.kernels, defines, includes)
    here = reading.read(forward, defines, includes)
    there = here if backward.text == forward.text else reading.read(backward, defines, includes)
    primal = _forward(here, head.kernel)
    front = wrapping.entry(here, primal, said.template)
    kernels = _backward(there, primal, said)
    entries = tuple(wrapping.entry(there, kernel, said.backward_template) for kernel in kernels)
    signatures, wrong = _matched(front, entries, said)
    own = _own(signatures)
    known = Signature(primal.name, (*wrapping.arguments(front), *own.values()))
    read = _read(case, known, front, wrong)
    notes = [f"{name} was not found" for name in dict.fromkeys((*here.missing, *there.missing))]
    for name in dict.fromkeys((*wrapping.unset([front]), *wrapping.unset(entries))):
        notes.append(f"{name} is zero: the host sets it, and no host code runs")
    job = Job(
        front,
        Signature(primal.name, wrapping.arguments(front), head.of, head.wrt),
        entries,
        signatures,
        read,
        said,
        tuple(notes),
        own=tuple(own.values()),
        records=len(entries) > 1 and entries[0].name == f"{primal.name}_fwd",
        printed=_printed(forward, front, defines or {}, includes),
    )
    lacking = [_no_adjoint(job, name) for name in dict.fromkeys((*head.of, *head.wrt))]
    if found := [diagnostic for diagnostic in lacking if diagnostic is not None]:
        raise Rejected(*found)
    return job


def outline(
    forward: Source,
    backward: Source,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    kernel: str = "",
) -> tuple[Signature, dict[str, tuple[int, ...]]]:
    """Return the signature of a case for these files, and extents of non-plain arrays. Raises Rejected."""
    said = Settings()
    forward = texts.forward(forward, kernel, defines, includes)
    backward = texts.backward(backward, forward, said.kernels, defines, includes)
    here = reading.read(forward, defines, includes)
    there = here if backward.text == forward.text else reading.read(backward, defines, includes)
    primal = _forward(here, kernel)
    front = wrapping.entry(here, primal, {})
    entries = tuple(wrapping.entry(there, each, {}) for each in _backward(there, primal, said))
    signatures, _ = _matched(front, entries, said)
    adjoints = {a.of for s in signatures for a in s.arguments if a.role == "adjoint"}
    arguments = (*wrapping.arguments(front), *_own(signatures).values())
    of = tuple(a.name for a in arguments if a.name in adjoints and not a.const)
    wrt = tuple(a.name for a in arguments if a.name in adjoints and a.const)
    extents: dict[str, tuple[int, ...]] = {}
    for name in front.names:
        held = front.holds(name)
        if held.rank:
            extents[name] = (7, 5, 3, 2, 2, 2)[: held.rank]
        elif held.kind == "object":
            extents[name] = (held.width or 3,)
    return Signature(primal.name, arguments, of, wrt), extents


def _printed(forward: Source, front: Entry, defines: Mapping[str, str], includes: Sequence[Path]) -> str:
    """Print the forward as s2sad parses it, if it packs floats into words and its parameters are plain."""
    if front.template or not _CASTS.search(forward.text):
        return ""
    folders = tuple(map(str, includes))
    asked = Options(kernel=front.name, defines=tuple(defines.items()), includes=folders)
    try:
        program = pipeline.read(forward, asked)
    except Rejected:
        return ""
    own = pipeline.primal_signature(program, asked).leaves.arguments
    entry = [(a.name, a.type, a.pointer) for a in wrapping.arguments(front)]
    alike = [(a.name, a.type, a.pointer) for a in own] == entry
    return emit.primal_text(program) if program.carried and alike else ""


def _forward(file: File, name: str) -> Kernel:
    if not name and len(file.kernels) > 1:
        listed = "\n".join(f'kernel = "{kernel.name}"' for kernel in file.kernels)
        raise Rejected(
            diagnose(
                Code.SEVERAL_KERNELS,
                file.kernels[0].span,
                file=file.source.name,
                count=str(len(file.kernels)),
                commands=listed,
            )
        )
    found = file.kernel(name) if name else next(iter(file.kernels), None)
    if found is None:
        known = ", ".join(kernel.name for kernel in file.kernels) or "no kernel at all"
        raise Rejected(
            diagnose(
                Code.NO_SUCH_KERNEL, None, file=file.source.name, name=name, help=f"the file holds {known}"
            )
        )
    return found


def _backward(file: File, forward: Kernel, said: Settings) -> tuple[Kernel, ...]:
    """Return the kernels that the case names, else all with an adjoint parameter."""
    if said.kernels:
        return tuple(_forward(file, name) for name in said.kernels)
    names = [parameter.name for parameter in forward.parameters]

    def takes_adjoint(kernel: Kernel) -> bool:
        return any(
            match(p.name, names, said.names, said.values).meaning == "adjoint" for p in kernel.parameters
        )

    found = tuple(k for k in file.kernels if k.name != forward.name and takes_adjoint(k))
    recording = file.kernel(f"{forward.name}_fwd")
    if found and recording is not None and _has_tape(file, recording):
        found = (recording, *(kernel for kernel in found if kernel is not recording))
    if not found:
        spelled = ", ".join(spellings(names[0])) if names else ""
        raise Rejected(
            diagnose(
                Code.AUDIT_NO_BACKWARD,
                None,
                file=file.source.name,
                forward=forward.name,
                spellings=spelled,
            )
        )
    return found


def _has_tape(file: File, kernel: Kernel) -> bool:
    """Whether the file has a size function for the kernel's tape; K_fwd uses that of K_adj."""
    names = {name for item in file.items for name in item.names}
    known = (kernel.name, *(other.name for other in file.kernels))
    return any(p.name == "tape" for p in kernel.parameters) and any(
        wrapping.sizes(name)[0] in names for name in known
    )


def _matched(
    front: Entry, entries: Sequence[Entry], said: Settings
) -> tuple[tuple[Signature, ...], list[Diagnostic]]:
    """Return the backward's signatures with the meaning of each parameter, and their errors."""
    wrong: list[Diagnostic] = []
    signatures = []
    for entry in entries:
        arguments = []
        spans = {parameter.name: parameter.span for parameter in entry.kernel.parameters}
        for argument in wrapping.arguments(entry):
            tape = _has_tape(entry.file, entry.kernel)
            matched = match(argument.name, front.names, said.names, said.values, tape)
            if seeded := [of for of, name in said.seeds.items() if name == argument.name]:
                matched = Match("seed", seeded[0])
            if matched.meaning == "adjoint" and not argument.pointer:
                span = spans[argument.name]
                wrong.append(diagnose(Code.AUDIT_BY_VALUE, span, name=argument.name, of=matched.of))
            arguments.append(_role(argument, matched))
        sized = {name for item in entry.file.items for name in item.names}
        tape, shared = (name in sized for name in wrapping.sizes(entry.name))
        signatures.append(Signature(entry.name, tuple(arguments), tape=tape, shared=shared))
    return tuple(signatures), wrong


def _role(argument: Argument, matched: Match) -> Argument:
    match matched.meaning:
        case "adjoint":
            return replace(argument, role="adjoint", of=matched.of)
        case "seed":
            return replace(argument, of=f"{SEED}{matched.of}")
        case "tape":
            return replace(argument, type="char", role="tape", use="tape")
        case _:
            return replace(argument, of=matched.of)


def _own(signatures: Sequence[Signature]) -> dict[str, Argument]:
    """Return parameters of the backward that the forward doesn't have: the case gives them values."""
    return {
        argument.name: argument
        for signature in signatures
        for argument in signature.arguments
        if argument.role == "value" and not argument.of
    }


def _read(case: str | Path, known: Signature, front: Entry, wrong: list[Diagnostic]) -> Case:
    """Read the case, with arrays of vectors as arrays of their numbers. Raises Rejected."""
    args = Document.read(case).values.get("args", {})
    given = args if isinstance(args, dict) else {}
    for argument in known.arguments[len(front.names) :]:
        if argument.name not in given:
            near = nearest(argument.name, front.names)
            help = (
                f"under [args] of the case: {argument.name} = …; if it is a value of the forward: "
                f'[backward.args] {argument.name} = "{near or front.names[0]}"; if it is an adjoint: '
                f'[names] {near or front.names[0]} = "{argument.name}"'
            )
            wrong.append(
                diagnose(
                    Code.AUDIT_UNMATCHED,
                    None,
                    kernel="the backward",
                    name=argument.name,
                    forward=front.name,
                    help=help,
                )
            )
    if wrong:
        raise Rejected(*wrong)
    return with_widths(Case.read(case, known), case, front)


def with_widths(read: Case, case: str | Path, front: Entry) -> Case:
    """Convert arrays of vectors to arrays of their numbers, in all launches. Raises Rejected."""
    specs = dict(read.recipe.args)
    for name in front.names:
        held, spec = front.holds(name), specs[name]
        if held.rank and isinstance(spec, ArraySpec) and len(spec.shape or ()) not in (0, held.rank):
            raise Rejected(_wrong_rank(case, name, held.rank))
        if held.kind == "array" and held.width > 1 and isinstance(spec, ArraySpec) and spec.shape is not None:
            given_all = len(spec.shape) > 1 and spec.shape[-1] == held.width
            if not given_all:
                specs[name] = replace(spec, shape=(*spec.shape, held.width))
    also = tuple(with_widths(one, case, front) for one in read.also)
    return replace(read, recipe=replace(read.recipe, args=specs), also=also)


def _wrong_rank(case: str | Path, name: str, rank: int) -> Diagnostic:
    span = Document.read(case).span("args", name, "shape")
    what = f"args.{name}.shape: the parameter is an accessor of {rank} dimensions"
    return diagnose(Code.CASE_VALUE, span, what=what, label="", help="")


def _no_adjoint(job: Job, name: str) -> Diagnostic | None:
    if name in job.adjoints:
        return None
    parameters = ", ".join(argument for entry in job.backward for argument in entry.names)
    return diagnose(
        Code.AUDIT_NO_ADJOINT,
        job.backward[0].kernel.span,
        name=name,
        kernel=job.backward[0].name,
        parameters=parameters,
        spellings=" or ".join(spellings(name)),
    )
