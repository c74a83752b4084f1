"""The Python interface: transform, gradient, check, and their results.

Everything that user code needs is here and exported by `s2sad`; the rest of the
package may change. Arguments are never modified.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from numpy.typing import ArrayLike

from . import auditing, checking, files, options, pipeline, validate
from .analysis import plan as planning
from .chain import Chain, ChainResult, Launch, Repeat, Swap
from .checking import BackendName
from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .emit import explain
from .options import Mode, Names, Options, Skin, Sums
from .run.backend import Backend, BackendUnavailable, Differentiator
from .run.isolated import Isolated
from .run.registry import find
from .signature import Argument, Signature
from .source import Source
from .validate import Pair, Report, Result, Tangent, worst

__all__ = [
    "Adjoint",
    "Argument",
    "BackendUnavailable",
    "Chain",
    "ChainResult",
    "Diagnostic",
    "Launch",
    "Plan",
    "Rejected",
    "Repeat",
    "Report",
    "Result",
    "Signature",
    "Swap",
    "Tangent",
    "audit",
    "check",
    "gradient",
    "jvp",
    "transform",
]

_SECONDS = 600.0  # for one isolated launch


@dataclass(frozen=True)
class Plan(planning.Plan):
    """What is recorded, recomputed and accumulated, each with its reason and its cost."""

    def table(self) -> str:
        """The decisions as tables in Markdown."""
        return explain.table(self)


@dataclass(frozen=True)
class Adjoint:
    """An adjoint kernel: its text, its plan, and how to call it.

    `warnings` are diagnostics that didn't prevent it. `forward` is the signature of `K_fwd`
    in the split shape, `measure` that of `K_measure` where nothing in the kernel bounds
    a loop.
    """

    source: str
    plan: Plan
    kernel_name: str
    signature: Signature
    forward: Signature | None
    measure: Signature | None
    warnings: tuple[Diagnostic, ...]
    _pair: Pair

    def __str__(self) -> str:
        return self.source


def transform(
    source: str | os.PathLike[str],
    *,
    kernel: str | None = None,
    of: str | Sequence[str] = (),
    wrt: str | Sequence[str] = (),
    name: str | None = None,
    mode: Mode | None = None,
    names: Names | None = None,
    skin: Skin | None = None,
    accumulate: Sums | None = None,
    define: Mapping[str, str | int | float] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
    template: Mapping[str, str | int | bool] | None = None,
    rules: Sequence[str | os.PathLike[str]] = (),
    store: str | Sequence[str] = (),
    recompute: str | Sequence[str] = (),
    bound: Mapping[int, str] | None = None,
    assume: str | Sequence[str] = (),
    companion: bool = False,
    keep_template: bool = False,
    separate: bool = False,
) -> Adjoint:
    """Transform a kernel into its adjoint. Raises Rejected with everything that prevents it.

    `source` is a path, or with `name` the text of a file of that name. The other
    arguments are the command line's options.
    """
    asked = Options(
        kernel=kernel or "",
        of=_sequence(of),
        wrt=_sequence(wrt),
        mode=_known("mode", mode, options.MODES),
        names=_known("names", names, options.NAMES),
        skin=_known("skin", skin, options.SKINS),
        accumulate=_known("accumulate", accumulate, options.SUMS),
        defines=tuple((key, str(value)) for key, value in (define or {}).items()),
        includes=tuple(os.fspath(folder) for folder in include),
        template=_template(template),
        rules=tuple(os.fspath(table) for table in rules),
        store=_sequence(store),
        recompute=_sequence(recompute),
        bounds=tuple((bound or {}).items()),
        assume=tuple(_assumption(text) for text in _sequence(assume)),
        companion=companion,
        keep_template=keep_template,
        separate=separate,
    )
    done = pipeline.transform(_source(source, name), asked)
    plan = done.adjoint.plan
    return Adjoint(
        done.text,
        Plan(*(getattr(plan, field.name) for field in fields(planning.Plan))),
        done.adjoint.kernel.name,
        done.adjoint.signature,
        done.adjoint.forward_signature,
        done.adjoint.measure_signature,
        tuple(d for d in done.remarks if d.severity == "warning"),
        done.pair,
    )


def gradient(
    source: str | os.PathLike[str] | Adjoint,
    *,
    grid: int | tuple[int, ...],
    block: int | tuple[int, ...],
    args: Mapping[str, ArrayLike],
    kernel: str | None = None,
    of: str | Sequence[str] = (),
    wrt: str | Sequence[str] = (),
    seeds: Mapping[str, ArrayLike] | None = None,
    backend: BackendName = "auto",
    shared_bytes: int = 0,
    isolated: bool = False,
    name: str | None = None,
    mode: Mode | None = None,
    define: Mapping[str, str | int | float] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
    template: Mapping[str, str | int | bool] | None = None,
) -> Result:
    """Run a kernel and its adjoint once: outputs, and dJ/d(value at entry) of each independent.

    J is the sum over the dependents of seed times value at exit; missing seeds are ones.
    An `Adjoint` isn't transformed again. `isolated` keeps the caller's process alive
    whatever the kernel does. Raises Rejected, BackendUnavailable.
    """
    adjoint = (
        source
        if isinstance(source, Adjoint)
        else transform(
            source,
            kernel=kernel,
            of=of,
            wrt=wrt,
            name=name,
            mode=mode,
            define=define,
            include=include,
            template=template,
        )
    )

    def run(backend: Backend) -> Result:
        return validate.gradient(
            adjoint._pair, backend, grid=grid, block=block, args=args, seeds=seeds, shared_bytes=shared_bytes
        )

    if not isolated:
        return run(find(backend))
    with Isolated(backend, _SECONDS) as apart:
        return run(apart)


def check(
    source: str | os.PathLike[str],
    adjoint: str | os.PathLike[str] | None = None,
    *,
    case: str | os.PathLike[str] | None = None,
    backend: BackendName = "auto",
    timeout: float = checking.TIMEOUT,
    kernel: str | None = None,
    of: str | Sequence[str] = (),
    wrt: str | Sequence[str] = (),
    define: Mapping[str, str | int | float] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
    template: Mapping[str, str | int | bool] | None = None,
) -> Report:
    """Check an adjoint on a case: a fresh one, or one from a file. Raises Rejected, BackendUnavailable.

    Without `case`, NAME.toml beside NAME.cu is used; if there is none, one is drafted.
    """
    file = os.fspath(source)
    path = os.fspath(case) if case is not None else checking.case_beside(file)
    asked = Options(
        kernel=kernel or "",
        of=_sequence(of),
        wrt=_sequence(wrt),
        defines=tuple((key, str(value)) for key, value in (define or {}).items()),
        includes=tuple(os.fspath(folder) for folder in include),
        template=_template(template),
    )
    edited = files.read(os.fspath(adjoint)) if adjoint is not None else None
    jobs = checking.prepare(files.read(file), edited, path, asked)
    reports = [checking.judge(job, backend, timeout) for job in jobs]
    return worst(reports)


def audit(
    forward: str | os.PathLike[str],
    backward: str | os.PathLike[str],
    *,
    case: str | os.PathLike[str] | None = None,
    backend: BackendName = "auto",
    timeout: float = auditing.TIMEOUT,
    define: Mapping[str, str | int | float] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
) -> Report:
    """Check a backward kernel of any origin. Raises Rejected, BackendUnavailable.

    Both kernels may be in one file. Without `case`, NAME.toml beside NAME.cu is used.
    """
    file = os.fspath(forward)
    path = os.fspath(case) if case is not None else auditing.case_beside(file)
    if path is None:
        raise Rejected(
            diagnose(Code.NO_CASE, None, file=file, command=f"s2sad case {file} {os.fspath(backward)}")
        )
    defines = {key: str(value) for key, value in (define or {}).items()}
    includes = [Path(folder) for folder in include]
    job = auditing.prepare(files.read(file), files.read(os.fspath(backward)), path, defines, includes)
    return auditing.judge(job, backend, timeout)


def jvp(
    source: str | os.PathLike[str] | Adjoint,
    *,
    grid: int | tuple[int, ...],
    block: int | tuple[int, ...],
    args: Mapping[str, ArrayLike],
    tangents: Mapping[str, ArrayLike],
    kernel: str | None = None,
    of: str | Sequence[str] = (),
    wrt: str | Sequence[str] = (),
    backend: BackendName = "auto",
    shared_bytes: int = 0,
    isolated: bool = False,
    name: str | None = None,
    define: Mapping[str, str | int | float] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
    template: Mapping[str, str | int | bool] | None = None,
) -> Tangent:
    """Run a kernel once along `tangents`: return the arrays after it, and their tangents.

    Exact to rounding, in double precision, from the kernel's own text: its numbers carry
    their tangents, without finite differences. Arguments not in `tangents` have zero tangents.
    Raises Rejected, BackendUnavailable; a GPU doesn't support tangents yet.
    """
    adjoint = (
        source
        if isinstance(source, Adjoint)
        else transform(
            source,
            kernel=kernel,
            of=of,
            wrt=wrt or list(tangents),
            name=name,
            define=define,
            include=include,
            template=template,
        )
    )

    def run(backend: Backend) -> Tangent:
        if not isinstance(backend, Differentiator):
            raise BackendUnavailable(f"the {backend.name} backend doesn't support tangents; cpu does")
        return validate.jvp(
            adjoint._pair,
            backend,
            grid=grid,
            block=block,
            args=args,
            tangents=tangents,
            shared_bytes=shared_bytes,
        )

    if not isolated:
        return run(find(backend))
    with Isolated(backend, _SECONDS) as apart:
        return run(apart)


def _source(source: str | os.PathLike[str], name: str | None) -> Source:
    if name is None:
        return files.read(os.fspath(source))
    if not isinstance(source, str):
        return Source(name, files.read(os.fspath(source)).text)
    return Source(name, source.replace("\r\n", "\n").replace("\r", "\n"))


def _template(given: Mapping[str, str | int | bool] | None) -> tuple[tuple[str, str], ...]:
    """Return template arguments in C spelling."""
    return tuple(
        (key, str(value).lower() if isinstance(value, bool) else str(value))
        for key, value in (given or {}).items()
    )


def _sequence(names: str | Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str):
        return tuple(part.strip() for part in names.split(",") if part.strip())
    return tuple(names)


def _known(what: str, value: object, known: Mapping[str, options.Choice]) -> options.Choice | None:
    if value is None:
        return None
    if str(value) not in known:
        help = f"valid: {', '.join(known)}"
        code = Code.NOT_BUILT if value in ("tangent", "second-order") else Code.USAGE
        raise Rejected(diagnose(code, None, what=f"{what} {value!r}", help=help))
    return known[str(value)]


def _assumption(text: str) -> options.Assumption:
    try:
        return options.assumption(text)
    except options.Unclear as unclear:
        raise Rejected(diagnose(Code.USAGE, None, what=f"assume: {unclear.why}", help=unclear.help)) from None
