"""From files to a verdict: check an adjoint, fresh or read from disk, on a case.

The pipeline transforms, `validate` checks; this module connects them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from . import drafting, emitted_header, keeping, pipeline
from .case_options import options_of_case
from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .entries import Place
from .files import TEXT
from .options import Mode, Options
from .parse import reading
from .run.isolated import Isolated
from .signature import Argument, Signature
from .source import Source
from .validate import (
    Case,
    Header,
    Pair,
    Report,
    Seeded,
    Twice,
    check_pair,
    check_second_order,
    check_seeds,
    check_tangent,
    find,
    finite_fills,
    header,
    together,
)

BackendName = Literal["auto", "cpu", "cuda"]
Progress = Callable[[int, int, str], None]
GivenCase = Callable[[Signature], Case]
TRIES, LAUNCHES = 60, 3  # limits of a search for a drafted case: runs, and launches to add
_EXTENT = re.compile(r"\[([^\]]*)\]")
TIMEOUT = 60.0  # seconds for a launch; one of a small case takes milliseconds


@dataclass(frozen=True)
class Job:
    """The pair to check, and the case to check it on."""

    pair: Pair
    case: Case
    assume: tuple[str, ...]
    remarks: tuple[Diagnostic, ...]
    drafted: str = ""  # the file's name, if the case is drafted
    first: Pair | None = None  # of a second-order kernel: the adjoint that it is the tangent of
    places: Mapping[str, Place] = field(default_factory=dict)  # of the definitions of kernels in files
    diagonal: bool = False  # it says that its Hessian is diagonal
    one: Pair | None = None  # of an adjoint of several seeds: that of one


def case_beside(file: str) -> str | None:
    """Return NAME.toml beside NAME.cu, if it exists."""
    found = find(file)
    return str(found) if found else None


def prepare(
    source: Source,
    edited: Source | None,
    case: str | Path | None,
    options: Options,
    given: GivenCase | None = None,
) -> tuple[Job, ...]:
    """Read and match everything that a check needs; for a template, per instance. Raises Rejected.

    Without a case one is drafted, unless `given` makes one.

    Values missing in the options come from the case, then from the source. The text of an adjoint
    from disk is used unchanged; its parameters must be those of a fresh one.
    """
    head = header(case) if case is not None else Header()
    asked = options.with_more(options_of_case(head))
    if edited is not None:
        asked = asked.over(_made_with(edited, source.name))
    return jobs(pipeline.transform(source, asked), case, edited, given, quiet=bool(head.of))


def jobs(
    done: pipeline.Transformed,
    case: str | Path | None,
    edited: Source | None = None,
    given: GivenCase | None = None,
    *,
    quiet: bool = True,
) -> tuple[Job, ...]:
    """Return what checks an adjoint that is made, or an edited text of it; `quiet`: without notes."""
    primal_file = Path(done.source.name).name
    adjoint_file = Path(edited.name).name if edited else f"{Path(primal_file).stem}_adj.cu"
    pairs = done.pairs(edited.text if edited else done.text, adjoint_file)
    if edited is not None:
        behind = done.adjoint.behind
        defines = behind.defines if behind is not None else None
        for one, pair in zip(done.kept or (done,), pairs, strict=True):
            text = Source(edited.name, pair.adjoint_text) if done.kept else edited
            entries, types = reading.kernels(text, defines), _named_types(pair.adjoint_text)
            for made in (
                one.adjoint.signature,
                one.adjoint.forward_signature,
                one.adjoint.measure_signature,
            ):
                if made is None:
                    continue
                if done.kept:
                    made = keeping.in_template(made, edited.text, one.program.template[0].text)
                _same_parameters(edited, entries, types, made, done.adjoint.command)
    pairs = tuple(replace(p, primal_file=primal_file, adjoint_file=adjoint_file) for p in pairs)
    remarks = tuple(d for d in done.remarks if d.severity != "note" or not quiet)
    there = places(done, edited)
    if done.first is not None:
        found = _second_order(done.first, pairs[0], case, given, remarks, there)
        return tuple(replace(job, diagonal=done.options.hessian == "diag") for job in found)
    assume = tuple(str(a) for a in done.options.assume)
    file = primal_file if given is None and case is None else ""
    drafted = drafting.of_transformed(done) if file else ""

    def of(primal: Signature) -> Case:
        if given is not None:
            return given(primal)
        return Case.parse(drafted, primal, f"draft for {file}") if case is None else Case.read(case, primal)

    ones = done.pairs_of_one_seed or (None,) * len(pairs)
    return tuple(
        Job(pair, of(pair.primal), assume, remarks, file, places=there, one=one)
        for pair, one in zip(pairs, ones, strict=True)
    )


def places(done: pipeline.Transformed, edited: Source | None = None) -> dict[str, Place]:
    """Return the definitions of the kernel and, if that is a file, of its adjoint, by name."""
    primal = (done.first or done).program.kernel
    found = {primal.name: primal.span}
    if edited is not None:
        found |= {entry.name: entry.span for entry in reading.kernels(edited)}
    return {
        name: Place(span.source.name, span.line, span.column)
        for name, span in found.items()
        if span is not None
    }


def _second_order(
    one: pipeline.Transformed,
    pair: Pair,
    case: str | Path | None,
    given: GivenCase | None,
    remarks: tuple[Diagnostic, ...],
    places: Mapping[str, Place],
) -> tuple[Job, ...]:
    """The job of a second-order kernel: its case is the primal's."""
    first, file = one.pair, ""
    if given is not None:
        found = given(first.primal)
    elif case is not None:
        found = Case.read(case, first.primal)
    else:
        file = Path(one.source.name).name
        found = Case.parse(drafting.of_transformed(one), first.primal, f"draft for {file}")
    return (Job(pair, found, (), remarks, file, first, places),)


def judge(
    job: Job,
    name: BackendName = "auto",
    timeout: float = TIMEOUT,
    progress: Progress | None = None,
    tolerance: float | None = None,
) -> Report:
    """Return the verdict; kernels run in a separate process. Raises Rejected, BackendUnavailable.

    The tolerance is the given one, else the case's, else the default.
    """
    with Isolated(name, timeout) as backend:
        case, notes = job.case, tuple[str, ...]()
        if job.drafted:
            case, notes = _completed(job, backend)
        check = _check_of(job)
        report = together(
            case,
            [
                check(
                    job.pair,
                    case,
                    backend,
                    progress=progress,
                    tolerance=tolerance,
                    assume=job.assume,
                    counted=True,
                )
                for case in case.launches
            ],
        )
        return replace(report, notes=(*notes, *report.notes))


def _check_of(job: Job) -> Callable[..., Report]:
    """What checks a kernel of this kind."""
    if job.one is not None:
        seeded = Seeded(job.pair, job.one)
        return lambda pair, case, backend, **how: check_seeds(seeded, case, backend, **how)
    if job.first is None:
        return check_tangent if job.pair.is_tangent else check_pair
    first, diagonal = job.first, job.diagonal
    return lambda pair, case, backend, **how: check_second_order(
        Twice(first, pair, diagonal), case, backend, **how
    )


def _completed(job: Job, backend: Isolated) -> tuple[Case, tuple[str, ...]]:
    """Complete a drafted case with launches that reach more, and return the notes on that."""
    note = (
        "no case and no arguments were given, so a draft was used"
        if job.drafted == TEXT
        else f"no case file beside {job.drafted}, so a draft was used; "
        f"to keep one and adjust it: s2sad case {job.drafted} --search"
    )
    found = drafting.quickly(job.case, job.first or job.pair, backend, TRIES, job.assume)
    case, notes = found.case or job.case, [note]
    if found.fill:
        notes.append(
            f"the draft's arrays are filled with {found.fill}: "
            f"with normal, more results of {job.pair.primal.name} are not finite"
        )
    if found.infinite:
        tried = ", ".join(finite_fills.OTHERS)
        notes.append(
            f"with no fill that was tried are all results finite (normal, {tried}): adjust the draft"
        )
    return case.with_also(case.also[:LAUNCHES]), tuple(notes)


def _made_with(edited: Source, primal: str) -> Options:
    """Return the options by which a file was made: its header's, but its own shape and prefix."""
    entries = reading.kernels(edited)
    grad = any(re.search(r"\bgrad\d*_", entry.parameters) for entry in entries)
    said = emitted_header.options_of(edited.text, primal)
    return replace(said, mode=_shape(said, [entry.name for entry in entries]), names="grad" if grad else None)


def _shape(said: Options, kernels: Iterable[str]) -> Mode | None:
    """Return what kernels of these names are; tangents are what the header says, if it says what they are."""
    for name in kernels:
        if name.endswith("_fwd"):
            return "split"
        if name.endswith("_tan"):
            told = said.mode if said.mode in ("tangent", "second-order") else None
            return told or ("second-order" if name.endswith(("_adj_tan", "_grad_tan")) else "tangent")
    return None


def _same_parameters(
    edited: Source,
    entries: Sequence[reading.KernelEntry],
    types: Mapping[str, str],
    wanted: Signature,
    command: str,
) -> None:
    for entry in entries:
        if entry.name == wanted.name:
            found = [part for part in entry.parameters.split(",") if part.strip()]
            arguments = wanted.arguments
            if len(found) != len(arguments) or not all(
                _declares(part, argument, types) for part, argument in zip(found, arguments, strict=True)
            ):
                spelled = ", ".join(argument.declared for argument in arguments)
                raise Rejected(
                    diagnose(
                        Code.OTHER_PARAMETERS, entry.span, kernel=entry.name, wanted=spelled, command=command
                    )
                )
            return
    raise Rejected(
        diagnose(
            Code.NO_SUCH_KERNEL,
            None,
            file=edited.name,
            name=wanted.name,
            help=f"to write it: {command}",
        )
    )


def _named_types(text: str) -> dict[str, str]:
    """Return the primal's types for which an emitted file has a name: `typedef float real;`."""
    found = re.findall(r"^typedef\s+([\w ]+?)\s+(\w+)\s*;", text, re.MULTILINE)
    found += [(t, n) for n, t in re.findall(r"^using\s+(\w+)\s*=\s*([\w ]+?)\s*;", text, re.MULTILINE)]
    return {name: type for type, name in found}


def _declares(parameter: str, wanted: Argument, types: Mapping[str, str]) -> bool:
    """Whether a parameter as written is the wanted one.

    An extent of the arrays that it points to may be an expression over macros, which isn't evaluated: the
    check compares values anyway.
    """
    extents = [extent.strip() for extent in _EXTENT.findall(parameter)]
    return (
        _plain(_EXTENT.sub("", parameter), types) == _plain(_EXTENT.sub("", wanted.declared), types)
        and len(extents) == len(wanted.rows)
        and all(not e.isdigit() or int(e) == n for e, n in zip(extents, wanted.rows, strict=True))
    )


def _plain(parameter: str, types: Mapping[str, str]) -> str:
    """Return a parameter without what may differ: qualifiers, white space and names for a type."""
    words = re.findall(r"\w+|\*", re.sub(r"\b(?:const|__restrict__|restrict|__restrict)\b", " ", parameter))
    return " ".join([*(types.get(word, word) for word in words[:-1]), *words[-1:]])
