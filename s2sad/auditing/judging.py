"""Judge a backward kernel: its gradient, its races and barriers, and its effects on arrays.

The forward's text is the only reference: its differences, and its tangents if they
compile. The backward runs in other orders of threads than the forward, first on cleared
arrays and then on nonzero arrays.

Backward kernels add to a gradient, or store it regardless of its old value. Both are right if
done throughout: the check finds and reports which one it is. An array called `adj_x` must be
added to, because that is the contract of that name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from ..diagnostics import Code, Rejected
from ..run.backend import Backend, Watcher
from ..validate.check import (
    ORDERS,
    TOLERANCE,
    Progress,
    compared_rows,
    draw_seeds,
    first_launch,
    remarks,
    sound_setting,
)
from ..validate.differences import Objective
from ..validate.elements import ROUNDING, Array, Reals, close, magnitude
from ..validate.findings import Finding, with_writers
from ..validate.float_check import Runs, Single, Tangent, has_floats
from ..validate.float_check import judge as judge_floats
from ..validate.float_inputs import Given
from ..validate.launching import AdjointRun, Pair
from ..validate.printed import agrees
from ..validate.race_check import Seen, Watch
from ..validate.recipe import Setting
from ..validate.report import Report
from ..validate.tangent_check import Oracle
from . import wrapping
from .backward import Backward, place
from .job import SEED, Job
from .roles import Roles, buffers, roles


@np.errstate(all="ignore")  # infinities and NaN are detected and reported, without warnings
def judge(
    job: Job,
    backend: Backend,
    *,
    progress: Progress | None = None,
    tolerance: float | None = None,
    shown: Roles | None = None,
) -> tuple[Report, Roles | None]:
    """Judge a job; return the report and the roles of its arrays, None if the forward itself fails.

    `shown` are the roles from another launch: a launch in which no loop runs may change no array.
    Raises Rejected if a text can't be compiled or the forward can't be run.
    """
    within = tolerance or job.case.tolerance or TOLERANCE
    told = progress or (lambda done, total, what: None)
    told(0, 1, "compiling")
    plain = job.case.setting("double")
    pair = pair_of(job, plain)
    launcher = Backward(pair, job.signatures, backend)
    watch = Watch(pair, backend, counted=True)
    setting, seen = sound_setting(watch, job.case)
    name = ", ".join(signature.name for signature in job.signatures)
    report = partial(Report, name, backend.name, within)
    watched = [seen] if seen is not None else []
    if seen is not None and seen.ended:
        return report((), (), tuple(setting.notes), watched=tuple(watched)), None
    try:
        setting, outputs = first_launch(launcher, job.case, setting)
    except Rejected:
        if seen is None or seen.ok:
            raise
        return report((), (), tuple(setting.notes), watched=tuple(watched)), None
    outputs = {name: array for name, array in outputs.items() if name in job.forward.names}
    found = roles(job, setting.args, outputs, partial(launcher.primal, setting.launch), shown)
    pair = replace(pair, adjoint=found.signature)
    launcher.pair = pair
    seeds = {of: draw_seeds(of, outputs[of]) for of in found.of}
    findings = agrees(pair, job.case, backend, lambda one: Backward(one, job.signatures, backend, "float"))
    notes = [*job.notes, *setting.notes, *found.notes, *_other_order(launcher, setting, outputs, seen)]
    clean = buffers(found, setting.args, seeds)
    found = replace(found, values={**found.values, **{f"{SEED}{of}": seed for of, seed in seeds.items()}})
    try:
        watched += launcher.watched(watch, setting, found.values, clean)
        if watched and watched[-1].ended:
            return report((), tuple(findings), tuple(notes), watched=tuple(watched)), found
        run = launcher.run(setting, found.values, clean, ORDERS[0])
        filled = _filled(found, clean, run)
        again = launcher.run(setting, found.values, filled, ORDERS[1])
    except Rejected as error:
        if any(diagnostic.code is not Code.LAUNCH_FAILED for diagnostic in error.diagnostics):
            raise
        findings += [Finding(False, diagnostic.title) for diagnostic in error.diagnostics]
        return report((), tuple(findings), tuple(notes), watched=tuple(watched)), found
    pair = replace(pair, adjoint=_settled(found, run).signature)
    kept, told_of = _kept(job, found, run, again)
    findings += kept
    notes += told_of
    findings += _untouched(job, found, run)
    objective = Objective(partial(launcher.primals, setting.launch), setting.args, seeds)
    notes += [
        f"{of}: {count} of {outputs[of].size} values are not finite after the forward; excluded"
        for of, count in objective.excluded.items()
        if count
    ]
    oracle = Oracle.of(pair, backend, setting, outputs, seeds)
    rows = compared_rows(pair, setting, run, objective, oracle, within, told)
    rows = with_writers(rows, partial(launcher.last, watch, setting, found.values, clean))
    exact = oracle.compare(run) if oracle.tangents else []
    notes += [*remarks(rows), *oracle.remarks(exact)]
    floats, told_of = _float_as_float(launcher, backend, setting, found, clean)
    notes += told_of
    whole = report(
        rows,
        tuple(findings),
        tuple(notes),
        watched=tuple(watched),
        exact=tuple(exact),
        floats=tuple(floats),
        unwatched=watch.why_not if isinstance(backend, Watcher) else "",
    )
    return whole, found


def _float_as_float(
    launcher: Backward, backend: Backend, setting: Setting, found: Roles, clean: Mapping[str, Array]
) -> tuple[list[Single], list[str]]:
    """Compare the backward in float with itself in double precision; nothing if it has no `float`."""
    if not has_floats(launcher.pair.adjoint_text):
        return [], []
    try:
        narrow = Backward(launcher.pair, launcher.kernels, backend, "float")
    except Rejected as error:
        return [], [f"float as float was not run: {error.diagnostics[0].title}"]
    arguments = [a for kernel in launcher.kernels for a in kernel.arguments if a.type == "float"]
    given = Given(
        found.values,
        clean,
        frozenset(place(a) for a in arguments if a.role == "value"),
        frozenset(a.of for a in arguments if a.role == "adjoint"),
    )
    floats = frozenset(a.name for a in launcher.pair.primal.arguments if a.type == "float")
    seeds = {of: np.asarray(found.values[f"{SEED}{of}"]) for of in found.of}
    entry = Given(setting.args, seeds, floats, floats)
    runs = Runs(
        partial(launcher.run, setting, order=ORDERS[0]),
        partial(narrow.run, setting, order=ORDERS[0]),
        lambda _: launcher.primal(setting.launch, entry.rounded().values),
        lambda _: narrow.primal(setting.launch, entry.narrow().values),
        Tangent(launcher.pair, backend, setting.launch, entry.rounded()),
    )
    return judge_floats(runs, given, {of: setting.args[of] for of in found.asked})


def pair_of(job: Job, setting: Setting) -> Pair:
    """Return both texts, with the shapes of this case's tensors in their entries."""
    shapes = {name: value.shape for name, value in setting.args.items() if isinstance(value, np.ndarray)} | {
        name: (1,) for name, value in setting.args.items() if not isinstance(value, np.ndarray)
    }
    there = {
        signature.name: {
            a.name: shapes[of]
            for a in signature.arguments
            if (of := (a.of or a.name).removeprefix(SEED)) in shapes
        }
        for signature in job.signatures
    }
    return Pair(
        wrapping.text([job.forward], {job.forward.name: shapes}),
        wrapping.text(job.backward, there),
        job.primal,
        job.signatures[0],
        primal_file=job.forward.file.source.name,
        adjoint_file=job.backward[0].file.source.name,
        printed=job.printed,
    )


def _other_order(
    launcher: Backward, setting: Setting, outputs: Mapping[str, Array], seen: Seen | None
) -> Iterator[str]:
    """Report arrays that depend on the order of threads: a forward without a race may still fill slots so."""
    other = launcher.primal(setting.launch, setting.args, ORDERS[1])
    for name, array in outputs.items():
        if not close(other[name], array, array):
            yield (
                f"{launcher.pair.primal.name} gives a different {name} in another order of threads; "
                "the backward is checked against one of them"
            )


def _filled(found: Roles, clean: Mapping[str, Array], run: AdjointRun) -> dict[str, Array]:
    """Return adjoint arrays with random values in those that gradients are added to."""
    random = np.random.default_rng(0)
    filled = {}
    for name, array in clean.items():
        if found.adjoints[name].use == "accumulates":
            size = magnitude(run.buffers[name])
            array = (size * random.uniform(0.5, 1.5, array.shape)).astype(array.dtype)
        filled[name] = array
    return filled


def _settled(found: Roles, run: AdjointRun) -> Roles:
    """Treat a seed that isn't const and was changed as the adjoint of the value at entry."""
    adjoints = dict(found.adjoints)
    for name in found.lenient:
        if not np.array_equal(run.before[name], run.buffers[name]):
            adjoints[name] = replace(adjoints[name], use="replaced")
    return replace(found, adjoints=adjoints)


def _kept(job: Job, found: Roles, run: AdjointRun, again: AdjointRun) -> tuple[list[Finding], list[str]]:
    """Check the adjoint arrays after the launch, except for the values of the gradient."""
    findings = [
        Finding(False, f"the backward writes beyond the ends of {name}")
        for name in dict.fromkeys((*run.outside, *again.outside))
    ]
    notes = []
    for name, argument in found.adjoints.items():
        before, after = run.before[name], run.buffers[name]
        match argument.use:
            case "seed" if name not in found.lenient:
                same = np.array_equal(before, after)
                findings.append(Finding(same, f"{argument.name} is not modified", argument.name))
            case "accumulates":
                finding, note = _added(job, argument.name, after, again.before[name], again.buffers[name])
                findings.append(finding)
                notes += note
            case _:
                same = close(again.buffers[name], after, after)
                what = f"{argument.name} has the same values in another order of threads"
                findings.append(Finding(same, what, argument.name))
    return findings, notes


def _added(job: Job, name: str, gradient: Array, before: Array, after: Array) -> tuple[Finding, list[str]]:
    """Check that a gradient is either added to the array's old values throughout, or stored throughout."""
    g, b, a = (array.astype(np.float64).reshape(-1) for array in (gradient, before, after))
    size = ROUNDING * (magnitude(g) + magnitude(b))
    added, stored, left = _near(a, b + g, size), _near(a, g, size), _near(a, b, size)
    strict = name.startswith("adj") and job.settings.gradients == "either"
    wish = "added" if strict else job.settings.gradients
    if bool(added.all()) and wish != "stored":
        return Finding(True, f"the gradient is added to {name}"), []
    some = g != 0
    if bool((stored | (left & ~some)).all()) and wish != "added":
        note = f"{name} is stored, not added to: its previous value is lost"
        if not bool(stored.all()):
            note = f"{name} is stored where the gradient is nonzero, and must hold zero elsewhere"
        return Finding(True, f"the gradient is stored in {name}"), [note]
    at = int(np.argmin(stored | (left & ~some) if wish == "stored" else added))
    how = "stored in" if wish == "stored" else "added to"
    if wish == "either":
        mostly_added = np.count_nonzero(added & some) > np.count_nonzero(stored & some)
        at = int(np.argmin(added if mostly_added else stored))
        how = "added to, or stored in,"
    what = (
        f"the gradient is {how} {name} throughout: [{at}] held {b[at]:.6g}, the gradient is {g[at]:.6g}, "
        f"and it holds {a[at]:.6g} afterwards"
    )
    if wish == "added" and bool(stored.all()):
        what += '; if storing is intended: [backward] gradients = "stored"'
    return Finding(False, what, name, at), []


def _near(found: Reals, expected: Reals, size: float) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return (np.abs(found - expected) <= size) | (np.isnan(found) & np.isnan(expected))


def _untouched(job: Job, found: Roles, run: AdjointRun) -> Iterator[Finding]:
    """Check that arrays that the forward only reads aren't written."""
    changed = {argument.name for argument in job.primal.arguments if not argument.const}
    given = [a for s in job.signatures for a in s.arguments if a.role == "value" and a.of and a.pointer]
    for key in dict.fromkeys(place(argument) for argument in given if argument.of not in changed):
        value, left = np.asarray(found.values[key]), np.asarray(run.left[key])
        yield Finding(value.tobytes() == left.tobytes(), f"{key} is not written")
