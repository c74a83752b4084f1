"""Check an adjoint: its gradient against finite differences, and the rest of its contract.

Everything runs in double precision on the data of a case, on the texts as they are.
Every adjoint that the kernel returns is compared, including those of arrays that are only
dependents or scratch: it is dJ/d(value at entry), so an element that the
primal doesn't write must keep its seed. The contract besides the values: accumulating adjoints
are added to, seeds and arrays that aren't written keep their values, arrays declared
unused aren't read, and another order of threads gives the same result.

If the backend can do it, every access of both kernels is watched (race_check.py),
and the gradient is compared with exact tangents (tangent_check.py). The latter
distinguish a wrong adjoint from a difference across a branch of the primal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod

import numpy as np

from ..diagnostics import Code, Rejected, diagnose
from ..run.backend import Backend, Watcher
from ..run.values import Order
from ..signature import Signature
from .assumptions import verify
from .case import Case
from .case_args import default_seed
from .differences import Objective, compare, probes
from .elements import Array, close, magnitude
from .findings import Finding, Row, with_writers
from .float_check import Runs, Single, Tangent, has_floats, judge
from .float_inputs import UNITS, Given
from .launching import AdjointRun, Launcher, Pair
from .locating import located
from .printed import agrees
from .race_check import Seen, Watch
from .recipe import Setting, Value
from .report import Report
from .tangent_check import Oracle
from .undetermined import reasons

TOLERANCE = 1e-6
Progress = Callable[[int, int, str], None]  # done, of how many, what

# Below this number of threads times elements, differences cost less than compiling an optimised primal.
_QUICKLY = 200_000

# Relative to the largest gradient: if all terms cancel, the rest is rounding, which depends on the order.
_CANCELLED = 1e-13

# The primal runs forward, its adjoint in other orders: this reveals results that are right by accident.
ORDERS: tuple[Order, Order] = ("reverse", 20)


def check(
    primal_text: str,
    adjoint_text: str,
    primal: Signature,
    adjoint: Signature,
    forward: Signature | None,
    case: Case,
    backend: Backend,
    *,
    progress: Progress | None = None,
    tolerance: float | None = None,
    assume: Sequence[str] = (),
) -> Report:
    """Judge an adjoint on a case. Raises Rejected if a text can't be compiled or run.

    The tolerance is the given one, else the case's, else 1e-6.
    """
    pair = Pair(primal_text, adjoint_text, primal, adjoint, forward)
    return check_pair(pair, case, backend, progress=progress, tolerance=tolerance, assume=assume)


@np.errstate(all="ignore")  # infinities and NaN are detected and reported, without warnings
def check_pair(
    pair: Pair,
    case: Case,
    backend: Backend,
    *,
    progress: Progress | None = None,
    tolerance: float | None = None,
    assume: Sequence[str] = (),
    counted: bool = False,
) -> Report:
    """Like `check`, for texts and signatures in one value; with `counted`, report coverage too."""
    within = tolerance or case.tolerance or TOLERANCE
    told = progress or (lambda done, total, what: None)
    told(0, 1, "compiling")
    launcher = Launcher(pair, backend, "double", few="all" if _quickly_run(case) else "adjoint")
    watch = Watch(pair, backend, counted=counted)
    setting, seen = sound_setting(watch, case)
    report = partial(Report, pair.adjoint.name, backend.name, within)
    if seen is not None and seen.ended:
        return report((), (), tuple(setting.notes), watched=(seen,))
    try:
        setting, outputs = first_launch(launcher, case, setting)
    except Rejected:
        if seen is None or seen.ok:
            raise
        return report((), (), tuple(setting.notes), watched=(seen,))  # `seen` has the lines
    seeds = {name: draw_seeds(name, outputs[name]) for name in pair.dependents}
    findings, notes = verify(assume, setting.args, setting.launch)
    findings += agrees(pair, case, backend)
    notes = [*setting.notes, *notes]
    ordered = list(_other_order(launcher, setting, outputs))
    timed = [] if all(f.ok for f in ordered) else _timed(launcher, setting, outputs)
    if timed:
        notes += [f"{pair.primal.name} gives a different {name} in each run, as clocks do" for name in timed]
        ordered = list(_other_order(launcher, setting, outputs, timed))
    if pair.forward is not None and seen is not None and seen.ok and not all(f.ok for f in ordered):
        # Threads draw slots atomically: no race, but the tape must be recorded in the order of the outputs.
        launcher.recording = "forward"
        drawn = [f.what.replace("gives the same", "gives a different") for f in ordered if not f.ok]
        notes += [f"{what}; {pair.forward.name} is run in the order of the outputs" for what in drawn]
        ordered = [f for f in ordered if f.ok]
    findings += ordered
    watched = [seen] if seen is not None else []
    try:
        watched += watch.adjoint(launcher, setting, launcher.buffers(setting.args, seeds))
        if watched and watched[-1].ended:
            return report((), tuple(findings), tuple(notes), watched=tuple(watched))
        run, again = _adjoint_runs(launcher, setting, seeds)
    except Rejected as error:
        if any(d.code is not Code.LAUNCH_FAILED for d in error.diagnostics):
            raise
        findings += [Finding(False, diagnostic.title) for diagnostic in error.diagnostics]
        return report((), tuple(findings), tuple(notes), watched=tuple(watched))
    if refused := [*_launch_taken(pair, run)]:
        return report((), (*findings, *refused), tuple(notes), watched=tuple(watched))
    findings += _contract(pair, run, again)
    if run.outputs is not None:
        findings += _forward(pair, outputs, run.outputs, timed)
    objective = Objective(partial(launcher.primals, setting.launch), setting.args, seeds)
    notes += [
        f"{name}: {count} of {outputs[name].size} values are not finite after {pair.primal.name}; excluded"
        for name, count in objective.excluded.items()
        if count
    ]
    oracle = Oracle.of(pair, backend, setting, outputs, seeds)
    rows = compared_rows(pair, setting, run, objective, oracle, within, told)
    clean = launcher.buffers(setting.args, seeds)
    rows = with_writers(rows, partial(watch.last, launcher, setting, clean))
    exact = oracle.compare(run) if oracle.tangents else []
    notes += remarks(rows)
    notes += oracle.remarks(exact)
    floats, told_of = float_as_float(pair, launcher, backend, setting, seeds, oracle)
    notes += told_of
    done = report(
        rows,
        tuple(findings),
        tuple(notes),
        watched=tuple(watched),
        exact=tuple(exact),
        floats=tuple(floats),
        unwatched=watch.why_not if isinstance(backend, Watcher) else "",
    )
    if done.ok:
        return done
    return replace(done, undetermined=tuple(reasons(pair, backend, case, setting, outputs)))


def float_as_float(
    pair: Pair,
    launcher: Launcher,
    backend: Backend,
    setting: Setting,
    seeds: Mapping[str, Array],
    oracle: Oracle,
) -> tuple[list[Single], list[str]]:
    """Compare the adjoint in float with itself in double precision; nothing if it has no `float`."""
    if not has_floats(pair.adjoint_text):
        return [], []
    halves = {a.name: a.type for a in pair.primal.arguments if a.type in UNITS}
    floats = frozenset(a.name for a in pair.primal.arguments if a.type == "float" or a.name in halves)
    entry = Given(setting.args, seeds, floats, floats, halves)
    given = replace(entry, buffers=launcher.buffers(setting.args, seeds))
    geometry = setting.launch, setting.backward
    try:
        narrow = Launcher(pair, backend, "float", few="all")
        narrow.recording = launcher.recording
    except Rejected as error:
        return [], [f"float as float was not run: {error.diagnostics[0].title}"]

    def single(values: Mapping[str, Value], buffers: Mapping[str, Array]) -> AdjointRun:
        run = narrow.adjoint(*geometry, values, buffers, order=ORDERS[0])
        if run.overrun:
            raise Rejected(diagnose(Code.TAPE_OVERRUN, None, kernel=pair.adjoint.name))
        return run

    doubles = {a.of for a in pair.adjoints if a.type == "double"}
    runs = Runs(
        partial(launcher.adjoint, *geometry, order=ORDERS[0]),
        single,
        partial(launcher.primal, setting.launch),
        partial(narrow.primal, setting.launch),
        Tangent(pair, backend, setting.launch, entry.rounded()),
        frozenset(doubles & set(pair.dependents)),
        frozenset(a.of for a in pair.adjoints if a.use == "accumulates" and a.type == "double"),
        *([oracle.moved_by_rounding] if has_floats(pair.primal_text) else []),
    )
    return judge(runs, given, {a.of: setting.args[a.of] for a in pair.adjoints if a.use != "seed"})


def draw_seeds(name: str, like: Array) -> Array:
    """Draw seeds in ±[0.5, 1.5], reproducible for a name; zero where the output isn't finite."""
    random = np.random.default_rng(default_seed(f"seed of {name}"))
    size = random.uniform(0.5, 1.5, like.shape)
    sign = random.choice((-1.0, 1.0), like.shape)
    return np.where(np.isfinite(like), size * sign, 0.0)


def sound_setting(watch: Watch, case: Case) -> tuple[Setting, Seen | None]:
    """Return a setting of at least two blocks, or the case's own grid if the kernel only works with that."""
    setting = case.setting("double", least_blocks=2)
    seen = watch.primal(setting)
    plain = case.setting("double")
    if seen is None or seen.ok or plain.launch == setting.launch:
        return setting, seen
    alone = watch.primal(plain)
    return (_one_block(plain), alone) if alone is not None and alone.ok else (setting, seen)


def _quickly_run(case: Case) -> bool:
    """Whether the differences' launches of the primal cost less than compiling it with optimisation."""
    setting = case.setting("double")
    threads = prod(setting.launch.grid) * prod(setting.launch.block)
    arrays = [value for value in setting.args.values() if isinstance(value, np.ndarray)]
    return threads * sum(array.size for array in arrays) < _QUICKLY


def _one_block(plain: Setting) -> Setting:
    note = "only one block runs, as the kernel can't be launched with two"
    return Setting(plain.launch, plain.backward, plain.args, (*plain.notes, note))


def first_launch(launcher: Launcher, case: Case, setting: Setting) -> tuple[Setting, dict[str, Array]]:
    """Return the setting and the primal's outputs; use the case's own grid if a larger one can't run."""
    try:
        return setting, launcher.first(setting.launch, setting.args)
    except Rejected:
        plain = case.setting("double")
        if plain.launch == setting.launch:
            raise
        return _one_block(plain), launcher.first(plain.launch, plain.args)


def _adjoint_runs(
    launcher: Launcher, setting: Setting, seeds: Mapping[str, Array]
) -> tuple[AdjointRun, AdjointRun]:
    """Run the adjoint on zeros, then on nonzero adjoints and with NaN in arrays that it mustn't read."""
    buffers = launcher.buffers(setting.args, seeds)
    run = launcher.adjoint(setting.launch, setting.backward, setting.args, buffers, order=ORDERS[0])
    random = np.random.default_rng(0)
    for argument in launcher.pair.adjoints:
        if argument.use == "accumulates":
            array = buffers[argument.of].astype(np.float64)
            size = magnitude(run.buffers[argument.of])
            buffers[argument.of] = (array + size * random.uniform(-1, 1, array.shape)).astype(array.dtype)
    again = launcher.adjoint(
        setting.launch, setting.backward, setting.args, buffers, order=ORDERS[1], poison=True
    )
    return run, again


def _timed(launcher: Launcher, setting: Setting, outputs: Mapping[str, Array]) -> list[str]:
    """Name integer arrays that differ between two runs in the same order: they hold clock values."""
    again = launcher.primal(setting.launch, setting.args)
    return [
        argument.name
        for argument in launcher.pair.primal.arguments
        if argument.pointer
        and not argument.const
        and np.issubdtype(outputs[argument.name].dtype, np.integer)
        and not np.array_equal(again[argument.name], outputs[argument.name])
    ]


def _other_order(
    launcher: Launcher, setting: Setting, outputs: Mapping[str, Array], timed: Container[str] = ()
) -> Iterator[Finding]:
    """Check the primal in another order of threads: if outputs depend on it, there is no derivative."""
    other = launcher.primal(setting.launch, setting.args, ORDERS[1])
    for argument in launcher.pair.primal.arguments:
        if argument.pointer and not argument.const and argument.name not in timed:
            name, kernel = argument.name, launcher.pair.primal.name
            what = f"{kernel} gives the same {name} in another order of threads"
            yield Finding(close(other[name], outputs[name], outputs[name]), what)


_REQUIRES = re.compile(r" Requires ([^{}]*?)\. Otherwise element 0 ")


def _launch_taken(pair: Pair, run: AdjointRun) -> Iterator[Finding]:
    """Find that an adjoint refused the launch: it has set the first element of each gradient to NaN."""
    added = [a.of for a in pair.adjoints if a.use == "accumulates" and np.size(run.buffers[a.of])]
    required = _REQUIRES.search(re.sub(r"\s*\n\s*//\s*", " ", pair.adjoint_text))
    if required is None or not added:
        return
    for name in added:
        before, after = np.ravel(run.before[name]), np.ravel(run.buffers[name])
        if not np.isnan(after[0]) or not np.array_equal(before[1:], after[1:]):
            return
    yield Finding(False, f"the launch is one that {pair.adjoint.name} takes: it requires {required[1]}")


def _contract(pair: Pair, run: AdjointRun, again: AdjointRun) -> Iterator[Finding]:
    """Check the contract that the header states, except for the values of the gradient."""
    for name in dict.fromkeys((*run.outside, *again.outside)):
        yield Finding(False, f"{pair.adjoint.name} writes beyond the ends of {name}")
    if pair.adjoint.tape:
        yield Finding(not run.overrun, f"the tape of {run.tape_bytes} bytes is long enough")
    rounding = _CANCELLED * max((magnitude(run.buffers[a.of]) for a in pair.adjoints), default=0.0)
    for argument in pair.adjoints:
        before, after, name = run.before[argument.of], run.buffers[argument.of], argument.name
        other = again.buffers[argument.of]
        match argument.use:
            case "seed":
                same = np.array_equal(before, after) and np.array_equal(again.before[argument.of], other)
                yield Finding(same, f"{name} is not modified")
            case "accumulates":
                added = after.astype(np.float64) - before.astype(np.float64)
                expected = again.before[argument.of].astype(np.float64) + added
                yield Finding(
                    close(other, expected, after, least=rounding), f"the gradient is added to {name}"
                )
            case _:
                yield Finding(close(other, after, after), f"{name} is the same if the adjoint runs again")
    written = {argument.name for argument in pair.primal.arguments if argument.written}
    for argument in pair.adjoint.arguments:
        value = run.values.get(argument.name)
        if not isinstance(value, np.ndarray) or (argument.name in written and argument.use != "unused"):
            continue
        left = run.left[argument.name]
        assert isinstance(left, np.ndarray)
        yield Finding(value.tobytes() == left.tobytes(), f"{argument.name} is not written")


def _forward(
    pair: Pair, outputs: Mapping[str, Array], found: Mapping[str, Array], timed: Container[str]
) -> Iterator[Finding]:
    assert pair.forward is not None
    for argument in pair.primal.arguments:
        if argument.pointer and argument.written and argument.name not in timed:
            expected, array = outputs[argument.name], found[argument.name]
            what = f"{pair.forward.name} computes the same {argument.name} as {pair.primal.name}"
            yield Finding(close(array, expected, expected), what)


def compared_rows(
    pair: Pair,
    setting: Setting,
    run: AdjointRun,
    objective: Objective,
    oracle: Oracle,
    within: float,
    told: Progress,
) -> tuple[Row, ...]:
    random = np.random.default_rng(0)
    wanted = {}
    for argument in pair.adjoints:
        if argument.use != "seed":
            value, found = setting.args[argument.of], run.buffers[argument.of]
            if isinstance(value, np.ndarray) and not value.size:
                continue  # absent: the kernel gets nullptr
            wanted[argument.of] = probes(argument.of, value, found, random)
    total = sum(len(probe) for probe in wanted.values())
    done = 0

    def tick(what: str) -> None:
        nonlocal done
        done += 1
        told(done, total, what)

    sizes = [float(np.max(np.abs(run.buffers[name]), initial=0.0)) for name in wanted]
    largest = max((size for size in sizes if np.isfinite(size)), default=0.0)
    rows = []
    for name, probing in wanted.items():
        gradient = run.buffers[name]
        entries = compare(objective, probing, gradient, within, partial(tick, name))
        entries = oracle.judge_again(probing, entries, largest, within)
        entries += located(objective, probing, entries, gradient, within)
        if objective.empty:
            entries = [replace(e, verdict="not finite") if e.verdict == "ok" else e for e in entries]
        rows.append(Row.of(name, gradient, entries))
    return tuple(rows)


def remarks(rows: Sequence[Row]) -> Iterator[str]:
    zero = [row.name for row in rows if row.zero and row.verdict == "ok"]
    if len(zero) == 1:
        yield f"{zero[0]}: the gradient is zero on this data, which says little about the adjoint"
    elif zero:
        yield f"{', '.join(zero)}: the gradients are zero on this data, which says little about the adjoint"
    for row in rows:
        if row.kinks:
            yield f"{row.name}: {_some(row.kinks)} are at a kink of the primal; not compared"
        if row.not_finite:
            yield f"{row.name}: {_some(row.not_finite)} give values that are not finite; not compared"
        if row.unresolved:
            yield f"{row.name}: {_some(row.unresolved)} are below what a difference resolves; not compared"
        if row.verdict == "not compared":
            yield f"{row.name}: nothing could be compared; choose other data"
        if row.directions:
            yield (
                f"{row.name}: {row.checked} of {row.elements} elements and {row.directions} random "
                "directions through all of them were compared"
            )


def _some(elements: Sequence[int]) -> str:
    named = ", ".join("a direction" if i < 0 else f"[{i}]" for i in elements[:5])
    return named + (f" and {len(elements) - 5} more" if len(elements) > 5 else "")
