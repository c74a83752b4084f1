"""The Python interface: transform, gradient, check, and their results.

Everything that user code needs is here and exported by `s2sad`; the rest of the
package may change. Arguments are never modified.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from . import api_arguments, auditing, checking, files, options, pipeline, validate
from .analysis import plan as planning
from .api_arguments import Template, assumption, chosen, instances, sequence, template_arguments, which
from .chain import Chain, ChainResult, Launch, Repeat, Swap
from .checking import BackendName
from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .emit import explain
from .options import Hessian, Mode, Names, Options, Skin, Sums
from .run.backend import Backend, BackendUnavailable, Differentiator
from .run.isolated import Isolated
from .run.registry import find
from .signature import Argument, Signature
from .tracing import Trace, trace
from .validate import Pair, Report, Result, Tangent, derivatives, worst
from .validate.derivatives import Products
from .validate.elements import Array

__all__ = [
    "Adjoint",
    "Argument",
    "BackendUnavailable",
    "Chain",
    "ChainResult",
    "Diagnostic",
    "Launch",
    "Plan",
    "Products",
    "Rejected",
    "Repeat",
    "Report",
    "Result",
    "Signature",
    "Swap",
    "Tangent",
    "Trace",
    "audit",
    "check",
    "gradient",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "trace",
    "transform",
    "vjp",
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

    `warnings` are diagnostics that didn't prevent it. `forward` is the signature of `K_fwd` in the split
    shape, `measure` that of `K_measure` where nothing in the kernel bounds a loop.
    """

    source: str
    plan: Plan
    kernel_name: str
    signature: Signature
    forward: Signature | None
    measure: Signature | None
    warnings: tuple[Diagnostic, ...]
    _pairs: tuple[Pair, ...]  # for each instance of an adjoint that stays a template
    _assume: tuple[str, ...] = ()
    _first: Pair | None = None  # of a second-order kernel: the adjoint whose tangent it is
    _diagonal: bool = False  # the second-order kernel says that its Hessian is diagonal
    _ones: tuple[Pair, ...] = ()  # for each instance of an adjoint of several seeds: that of one

    def __str__(self) -> str:
        return self.source

    @property
    def _pair(self) -> Pair:
        return self._pairs[0]


def transform(
    source: str | os.PathLike[str],
    *,
    kernel: str | None = None,
    of: str | Sequence[str] = (),
    wrt: str | Sequence[str] = (),
    name: str | None = None,
    mode: Mode | None = None,
    directions: int | None = None,
    hessian: Hessian | None = None,
    seeds: int | None = None,
    names: Names | None = None,
    skin: Skin | None = None,
    accumulate: Sums | None = None,
    define: Mapping[str, str | int | float] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
    template: Template | None = None,
    rules: Sequence[str | os.PathLike[str]] = (),
    store: str | Sequence[str] = (),
    recompute: str | Sequence[str] = (),
    bound: Mapping[int, str] | None = None,
    assume: str | Sequence[str] = (),
    companion: bool = False,
    keep_template: bool = False,
    separate: bool = False,
    tape_budget: int | None = None,
) -> Adjoint:
    """Transform a kernel into its adjoint. Raises Rejected with everything that prevents it.

    `source` is a path or a text: a string is a text if it has several lines or a kernel in it, or if `name`
    gives it a name for messages. The other arguments are the command line's options."""
    asked = Options(
        kernel=kernel or "",
        of=sequence(of),
        wrt=sequence(wrt),
        mode=chosen("mode", mode, options.MODES),
        directions=api_arguments.several(directions),
        hessian=chosen("hessian", hessian, options.HESSIANS),
        seeds=api_arguments.several_seeds(seeds),
        names=chosen("names", names, options.NAMES),
        skin=chosen("skin", skin, options.SKINS),
        accumulate=chosen("accumulate", accumulate, options.SUMS),
        defines=tuple((key, str(value)) for key, value in (define or {}).items()),
        includes=tuple(os.fspath(folder) for folder in include),
        template=template_arguments(template, keep_template),
        rules=tuple(os.fspath(table) for table in rules),
        store=sequence(store),
        recompute=sequence(recompute),
        bounds=tuple((bound or {}).items()),
        assume=tuple(assumption(text) for text in sequence(assume)),
        companion=companion,
        keep_template=keep_template,
        separate=separate,
        tape_budget=api_arguments.budget(tape_budget),
    )
    done = pipeline.transform(files.given(source, name), asked)
    plan = done.adjoint.plan
    return Adjoint(
        done.text,
        Plan(*(getattr(plan, field.name) for field in fields(planning.Plan))),
        done.adjoint.kernel.name,
        done.adjoint.signature,
        done.adjoint.forward_signature,
        done.adjoint.measure_signature,
        tuple(d for d in done.remarks if d.severity == "warning"),
        done.pairs(done.text, "adjoint"),
        tuple(str(a) for a in done.options.assume),
        None if done.first is None else done.first.pair,
        done.options.hessian == "diag",
        done.pairs_of_one_seed,
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
    template: Template | None = None,
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
    source: str | os.PathLike[str] | Adjoint,
    adjoint: str | os.PathLike[str] | None = None,
    *,
    case: str | os.PathLike[str] | None = None,
    args: Mapping[str, ArrayLike] | None = None,
    grid: int | tuple[int, ...] | None = None,
    block: int | tuple[int, ...] | None = None,
    shared_bytes: int = 0,
    tolerance: float | None = None,
    backend: BackendName = "auto",
    timeout: float = checking.TIMEOUT,
    kernel: str | None = None,
    of: str | Sequence[str] = (),
    wrt: str | Sequence[str] = (),
    name: str | None = None,
    mode: Mode | None = None,
    directions: int | None = None,
    seeds: int | None = None,
    define: Mapping[str, str | int | float] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
    template: Template | None = None,
    assume: str | Sequence[str] = (),
) -> Report:
    """Check an adjoint, a fresh one or one from a file, on a launch. Raises Rejected, BackendUnavailable.

    The launch is given by `args`, `grid` and `block`, as for `gradient`, or by a case file. Without either,
    NAME.toml beside NAME.cu is used; if there is none, one is drafted. Of several template instances, the
    report is that of the first that fails.
    """
    made = isinstance(source, Adjoint)
    if wrong := api_arguments.misused(made, adjoint, case, args, grid, block, shared_bytes, tolerance):
        raise Rejected(wrong)

    def given(kernel: Signature) -> validate.Case:
        assert args is not None
        assert grid is not None
        assert block is not None
        return validate.given(kernel, args, grid, block, shared_bytes)

    if isinstance(source, Adjoint):
        first, ones = source._first, source._ones or (None,) * len(source._pairs)
        assumed, diagonal = source._assume, source._diagonal
        jobs = [
            checking.Job(p, given((first or p).primal), assumed, (), first=first, diagonal=diagonal, one=one)
            for p, one in zip(source._pairs, ones, strict=True)
        ]
        return worst([checking.judge(job, backend, timeout, tolerance=tolerance) for job in jobs])
    original = files.given(source, name)
    edited = files.given(adjoint) if adjoint is not None else None
    path = os.fspath(case) if case is not None else None
    if case is None and args is None:
        path = checking.case_beside(original.name)
    reports = []
    for instance in instances(template):
        asked = Options(
            kernel=kernel or "",
            of=sequence(of),
            wrt=sequence(wrt),
            mode=chosen("mode", mode, options.MODES),
            directions=api_arguments.several(directions),
            seeds=api_arguments.several_seeds(seeds),
            defines=tuple((key, str(value)) for key, value in (define or {}).items()),
            includes=tuple(os.fspath(folder) for folder in include),
            template=instance,
            assume=tuple(assumption(text) for text in sequence(assume)),
        )
        for job in checking.prepare(original, edited, path, asked, given if args is not None else None):
            report = checking.judge(job, backend, timeout, tolerance=tolerance)
            reports.append(replace(report, notes=(*report.notes, *which(template, instance))))
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

    Both kernels may be in one file, or be texts. Without `case`, NAME.toml beside NAME.cu is used.
    """
    texts = files.given(forward), files.given(backward)
    file, other = (text.name for text in texts)
    path = os.fspath(case) if case is not None else auditing.case_beside(file)
    if path is None:
        raise Rejected(diagnose(Code.NO_CASE, None, file=file, command=f"s2sad case {file} {other}"))
    defines = {key: str(value) for key, value in (define or {}).items()}
    includes = [Path(folder) for folder in include]
    job = auditing.prepare(*texts, path, defines, includes)
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
    template: Template | None = None,
) -> Tangent:
    """Run a kernel once along `tangents`: return the arrays after it, and their tangents.

    The tangent kernel runs, in the kernel's own precision (`transform` with `mode="tangent"`). Arguments
    not in `tangents` have zero tangents. Of an `Adjoint` of another mode, the primal's text runs in double
    precision with numbers that carry their tangents, on the CPU.
    Raises Rejected, BackendUnavailable.
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
            mode="tangent",
            define=define,
            include=include,
            template=template,
        )
    )

    def run(backend: Backend) -> Tangent:
        if adjoint._pair.is_tangent:
            call = derivatives.Call(grid, block, args, shared_bytes)
            return derivatives.tangents(adjoint._pair, backend, call, tangents)
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


def hvp(
    source: str | os.PathLike[str] | Adjoint,
    *,
    grid: int | tuple[int, ...],
    block: int | tuple[int, ...],
    args: Mapping[str, ArrayLike],
    tangents: Mapping[str, ArrayLike],
    seeds: Mapping[str, ArrayLike] | None = None,
    of: str | Sequence[str] = (),
    wrt: str | Sequence[str] = (),
    backend: BackendName = "auto",
    shared_bytes: int = 0,
    **how: Any,
) -> Products:
    """Run a second-order kernel once: the gradient of J, and its Hessian times `tangents`.

    J is the sum over the dependents of seed times value at exit; missing seeds are ones. `how` are further
    arguments of `transform`. Raises Rejected, BackendUnavailable.
    """
    adjoint = _second_order(source, of, wrt or list(tangents), how)
    call = derivatives.Call(grid, block, args, shared_bytes)
    return derivatives.products(_twice(adjoint), find(backend), call, tangents, seeds)


def hessian(
    source: str | os.PathLike[str] | Adjoint,
    *,
    grid: int | tuple[int, ...],
    block: int | tuple[int, ...],
    args: Mapping[str, ArrayLike],
    seeds: Mapping[str, ArrayLike] | None = None,
    of: str | Sequence[str] = (),
    wrt: str | Sequence[str] = (),
    backend: BackendName = "auto",
    shared_bytes: int = 0,
    **how: Any,
) -> dict[tuple[str, str], Array]:
    """Return the Hessian of J, by pairs of independents: `h["x", "w"]` has the shapes of x and of w.

    It is dense, from one launch for each element of the independents, or for each N of them with
    `directions=N`. J and `how` are as for `hvp`.
    Raises Rejected, BackendUnavailable.
    """
    adjoint = _second_order(source, of, wrt, how)
    call = derivatives.Call(grid, block, args, shared_bytes)
    return derivatives.hessian(_twice(adjoint), find(backend), call, seeds)


def jacobian(
    source: str | os.PathLike[str],
    *,
    grid: int | tuple[int, ...],
    block: int | tuple[int, ...],
    args: Mapping[str, ArrayLike],
    of: str | Sequence[str] = (),
    wrt: str | Sequence[str] = (),
    backend: BackendName = "auto",
    shared_bytes: int = 0,
    seeds: int = 8,
    colours: Mapping[str, ArrayLike] | None = None,
    **how: Any,
) -> dict[tuple[str, str], Array]:
    """Return the Jacobian, by dependent and independent: `j["y", "x"]` has the shapes of y and of x.

    It is dense: forward, from one launch for each element of the independents, or reverse, for each element
    of the dependents, whichever are fewer. Up to `seeds` of the latter share one, if the adjoint can take
    several. With `colours` of the dependents' elements, `j["y", "x"][c]` is the sum of the rows of colour c,
    always reverse. `how` are further arguments of `transform`. Raises Rejected, BackendUnavailable.
    """
    call = derivatives.Call(grid, block, args, shared_bytes)
    if colours is None:
        forward = transform(source, of=of, wrt=wrt, mode="tangent", **how)
        inputs, outputs = derivatives.sizes(forward._pair, call)
        if inputs <= outputs:
            return derivatives.columns(forward._pair, find(backend), call)
        seeds = max(1, min(seeds, outputs))

    def backward(seeds: int) -> Adjoint:
        return transform(source, of=of, wrt=wrt, mode="joint", seeds=seeds, **how)

    try:
        adjoint = backward(seeds)
    except Rejected as rejected:
        if seeds == 1 or any(d.code is not Code.NOT_SUPPORTED for d in rejected.diagnostics):
            raise
        adjoint = backward(1)
    return derivatives.rows(adjoint._pair, find(backend), call, colours)


vjp = gradient
"""The gradient under its name in `jax` and `torch.func`: `seeds` are the cotangents."""


def _second_order(
    source: str | os.PathLike[str] | Adjoint,
    of: str | Sequence[str],
    wrt: str | Sequence[str],
    how: Mapping[str, Any],
) -> Adjoint:
    if isinstance(source, Adjoint):
        return source
    return transform(source, of=of, wrt=wrt, mode="second-order", **how)


def _twice(adjoint: Adjoint) -> validate.Twice:
    """Return both pairs of a second-order kernel. Raises Rejected for an adjoint of another mode."""
    if adjoint._first is None:
        help = 'transform it with mode="second-order"'
        raise Rejected(diagnose(Code.USAGE, None, what=f"{adjoint.kernel_name} is of first order", help=help))
    return validate.Twice(adjoint._first, adjoint._pair)
