"""Check a second-order kernel: the tangent of an adjoint, on the data of the primal's case.

The adjoint runs as a primal: its arrays are those of the case, its seeds are drawn, its gradients begin at
zero, and its tape is long enough for numbers with tangents. So the products with second derivatives are
compared with exact tangents of the adjoint's own text and with differences of gradients, and with second
derivatives of the primal's text, which don't depend on the adjoint (hyper_dual.py). The Hessian is
symmetric: u · (H v) = v · (H u) for the tangents along two directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from ..run.backend import Backend
from ..signature import Argument, Signature, fields
from . import hyper_dual
from .case import Case
from .check import TOLERANCE, Progress, draw_seeds, first_launch, sound_setting
from .elements import Array, Real, Reals, dtype, is_floating
from .findings import Finding
from .forward_check import Compared, Direction, Runner, TangentRun, judged
from .launching import GARBAGE, Launcher, Pair
from .race_check import Watch
from .recipe import Setting, Value
from .report import Report
from .tangent_check import drawn

_SYMMETRIC = 1e-9  # of two products, relative to the sum of the magnitudes of their terms
_WIDE = 4  # times as much tape: numbers with tangents are twice as large, and it ends with a guard


@dataclass(frozen=True)
class Twice:
    """An adjoint with its primal, and the tangent of the adjoint with the adjoint as its primal."""

    first: Pair
    second: Pair
    diagonal: bool = False  # the kernel says that its Hessian is diagonal


@np.errstate(all="ignore")
def check_second_order(
    twice: Twice,
    case: Case,
    backend: Backend,
    *,
    progress: Progress | None = None,
    tolerance: float | None = None,
    assume: Sequence[str] = (),
    counted: bool = False,
) -> Report:
    """Judge a second-order kernel on a case of the primal. Raises Rejected if a text can't be run."""
    within = tolerance or case.tolerance or TOLERANCE
    if progress is not None:
        progress(0, 1, "compiling")
    launcher = Launcher(twice.first, backend, "double", few="all")
    watch = Watch(twice.second, backend, counted=counted)
    setting, seen = sound_setting(Watch(twice.first, backend), case)
    if seen is not None and seen.ended:
        kernel = twice.second.adjoint.name
        return Report(kernel, backend.name, within, (), (), tuple(setting.notes), watched=(seen,))
    setting, outputs = first_launch(launcher, case, setting)
    whole = of_adjoint(launcher, twice.second.primal, setting, outputs)
    again = Launcher(twice.second, backend, "double", few="all")
    after = again.first(whole.launch, whole.args)
    tapes = frozenset(a.name for a in twice.first.adjoint.arguments if a.role == "tape")
    report = judged(Compared(twice.second, backend, again, watch, whole, after, tapes), within)
    watched = report.watched if seen is None else (seen, *report.watched)
    if report.watched and report.watched[-1].ended:
        return replace(report, watched=watched)
    runner = Runner(twice.second, backend)
    seeds = {of: draw_seeds(of, outputs[of]) for of in twice.first.dependents}
    oracle = hyper_dual.Oracle.of(twice.first, backend, setting, outputs, seeds)
    exact = oracle.compare(runner, whole)
    return replace(
        report,
        findings=(
            *report.findings,
            *_symmetric(twice, runner, whole),
            *(_diagonal(twice, runner, whole) if twice.diagonal else ()),
        ),
        exact=(*report.exact, *exact),
        notes=(*report.notes, *hyper_dual.notes(oracle, exact)),
        watched=watched,
    )


def of_adjoint(
    launcher: Launcher, kernel: Signature, setting: Setting, outputs: Mapping[str, Array]
) -> Setting:
    """Return the setting in which the adjoint is launched as a primal."""
    pair = launcher.pair
    seeds = {name: draw_seeds(name, outputs[name]) for name in pair.dependents}
    buffers = launcher.buffers(setting.args, seeds)
    ready = launcher.ready(setting.launch, setting.backward, setting.args, buffers)
    args: dict[str, Value] = {}
    for argument in pair.adjoint.arguments:
        value = ready.passed[argument.name]
        if argument.role == "tape":
            assert isinstance(value, np.ndarray)
            value = np.full(_WIDE * value.size, GARBAGE, np.uint8).view(value.dtype)
        args[argument.name] = value.copy() if isinstance(value, np.ndarray) else value
    args |= integers_of_adjoints(kernel, args, "double")
    return Setting(ready.launch, ready.launch, args, setting.notes)


def integers_of_adjoints(kernel: Signature, args: Mapping[str, Value], real: Real) -> dict[str, Value]:
    """Return zeros for the integer fields of structs of adjoints, which an adjoint's arguments leave out."""
    left = (argument for argument in kernel.arguments if argument.name not in args)
    return {argument.name: _zeros_beside(argument, kernel, args, real) for argument in left}


def _zeros_beside(argument: Argument, kernel: Signature, args: Mapping[str, Value], real: Real) -> Array:
    """Return zeros for a field: of a struct by value, or of as many as another field is given for."""
    whole = next(a for a in kernel.wholes if a.name == argument.within)
    assert whole.layout is not None
    extents = {path: prod(numbers) for path, _, numbers in fields(whole.layout)}
    if not whole.pointer:
        return np.zeros(extents[argument.path], dtype(argument.type, real))
    given, path = next(
        (args[name], path) for path in extents if (name := f"{whole.name}.{'.'.join(path)}") in args
    )
    structs = np.size(given) // extents[path]
    return np.zeros(structs * extents[argument.path], dtype(argument.type, real))


def _diagonal(twice: Twice, runner: Runner, setting: Setting) -> Iterator[Finding]:
    """Compare H v with v times H 1, element by element."""
    moved = {a.of for a in runner.moved}
    gradients = {a.of: a.name for a in twice.first.adjoints if {a.of, a.name} <= moved}
    random = np.random.default_rng(4)
    ones: dict[str, Array] = {name: np.ones(np.shape(setting.args[name]) or (1,)) for name in gradients}
    along = {name: drawn(setting.args[name], random) for name in gradients}
    diagonal, products = (runner.run(setting.launch, setting.args, way).tangents for way in (ones, along))
    for name, gradient in gradients.items():
        expected = np.ravel(diagonal[gradient]).astype(np.float64) * np.ravel(along[name])
        found = np.ravel(products[gradient]).astype(np.float64)
        known = np.isfinite(expected) & np.isfinite(found)
        largest = float(np.max(np.abs(expected[known]), initial=1e-300))
        apart = float(np.max(np.abs(expected[known] - found[known]), initial=0.0))
        yield Finding(
            apart <= _SYMMETRIC * largest, f"the Hessian by {name} is diagonal (off by {apart:.1e})"
        )


def _symmetric(twice: Twice, runner: Runner, setting: Setting) -> Iterator[Finding]:
    """Compare u · (H v) with v · (H u), if the kernel has the gradients by all its independents."""
    gradients = {a.of: a.name for a in twice.first.adjoints if a.use != "seed"}
    free = [a.of for a in runner.moved if a.of in gradients and is_floating(a.type)]
    if not free or any(gradients[name] not in {a.of for a in runner.moved} for name in free):
        return
    random = np.random.default_rng(2)
    one, two = ({name: drawn(setting.args[name], random) for name in free} for _ in range(2))
    along_one, along_two = (runner.run(setting.launch, setting.args, along) for along in (one, two))

    def products(run: TangentRun, along: Direction) -> Reals:
        pairs = ((run.tangents[gradients[name]], along[name]) for name in free)
        every: Reals = np.concatenate([np.ravel(a).astype(np.float64) * np.ravel(b) for a, b in pairs])
        return every

    both = products(along_one, two), products(along_two, one)
    if not all(np.all(np.isfinite(each)) for each in both):
        return  # the sums of the other elements needn't agree
    left, right = (float(np.sum(each)) for each in both)
    size = max(float(np.sum(np.abs(each))) for each in both)
    what = f"the second derivatives are symmetric: {left:.12g} and {right:.12g}"
    yield Finding(abs(left - right) <= _SYMMETRIC * max(size, 1e-300), what)
