"""Check a tangent kernel: its tangents against exact ones and against differences, and its contract.

Everything runs in double precision on the data of a case, along random directions: through each argument
with a tangent alone, and through all of them. The exact tangents are those of the primal's own text with
dual numbers; differences are central ones, extrapolated from two steps. A tangent that agrees with the exact
one but not with the difference crosses a branch of the primal. The primal's results must be its own, bit for
bit up to rounding, nothing else may be written, and another order of threads must give the same result.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..diagnostics import Code, Rejected, diagnose
from ..run.backend import Backend, LaunchFailed, Watcher
from ..run.values import Order
from ..signature import Argument
from .assumptions import verify
from .beside import inside, one_of, side_by_side
from .case import Case
from .check import ORDERS, TOLERANCE, Progress, first_launch, sound_setting
from .differences import STEPS, Entry
from .elements import Array, Real, Reals, close, dtype, is_floating
from .findings import Finding, Row
from .launching import Launcher, Pair, compiled
from .margins import Guarded
from .race_check import Watch
from .recipe import Launch, Setting, Value
from .report import Report
from .tangent_check import TOLERANCE as EXACT
from .tangent_check import Exact, ExactVerdict, Oracle, drawn
from .tangents import Pushed

_SHAKES, _SPREADS = 6, 4.0  # runs that round at random, and the error allowed relative to their spread
_BLURRED = 1e-9  # a larger error isn't rounding
_RESOLVED = 64 * np.finfo("f8").eps  # times an output over the step: what differences resolve

Direction = Mapping[str, Array]


@dataclass(frozen=True)
class TangentRun:
    """The results of a launch: the primal's arrays and their tangents, by names of the primal.

    `tangents` are those along the first direction, `further` those along the others.
    """

    values: Mapping[str, Array]
    tangents: Mapping[str, Array]
    outside: tuple[str, ...]  # arrays that it wrote out of bounds
    written: tuple[str, ...]  # arrays that it wrote although they are inputs
    further: tuple[Mapping[str, Array], ...] = ()

    @property
    def every(self) -> tuple[Mapping[str, Array], ...]:
        """The tangents along each direction."""
        return (self.tangents, *self.further)


class Runner:
    """A tangent kernel compiled, in double precision or as it is."""

    def __init__(self, pair: Pair, backend: Backend, real: Real = "double") -> None:
        self.kernel, self._real = pair.adjoint, real
        quick = real == "double"
        self._module = compiled(backend, pair.adjoint_text, [pair.adjoint], real, pair.adjoint_file, quick)
        self.moved = tuple(a for a in pair.adjoint.arguments if a.role == "tangent")
        arguments = tuple(replace(a, const=False) for a in self.kernel.arguments)
        self._returning = replace(self.kernel, arguments=arguments)

    @property
    def directions(self) -> int:
        """How many tangents each number has."""
        return self.kernel.directions

    def given(
        self, args: Mapping[str, Value], along: Direction, further: Sequence[Direction] = ()
    ) -> dict[str, Value]:
        """Return the arguments of a launch along directions, the others zero; arrays aren't copied."""
        found: dict[str, Value] = {}
        for argument in self.kernel.arguments:
            value = args[argument.of or argument.name]
            if argument.role != "tangent":
                found[argument.name] = value
                continue
            every = [self._tangent(argument, value, one) for one in (along, *further)]
            if self.directions > 1:
                every += [np.zeros_like(every[0])] * (self.directions - len(every))
                found[argument.name] = side_by_side(every, inside(self.kernel, argument))
            else:
                found[argument.name] = every[0] if isinstance(value, np.ndarray) else float(every[0])
        return found

    def _tangent(self, argument: Argument, value: Value, along: Direction) -> Array:
        """Return the tangent of an argument along a direction, of the value's shape."""
        kind = dtype(argument.type, self._real)
        if isinstance(value, np.ndarray) and not is_floating(argument.type):
            kind = value.dtype
        given = np.asarray(along.get(argument.of, 0.0), kind)
        if not isinstance(value, np.ndarray):
            given = given.reshape(-1)[:1].reshape(())
        return np.broadcast_to(given, np.shape(value)).copy()

    def launch(self, launch: Launch, args: Mapping[str, Value]) -> Launch:
        """Return the launch with the dynamic shared memory that the kernel's file computes."""
        if not self.kernel.shared:
            return launch
        needed = self._module.shared_bytes(self.kernel, launch.grid, launch.block, args, launch.shared_bytes)
        return Launch(launch.grid, launch.block, needed)

    def run(
        self,
        launch: Launch,
        args: Mapping[str, Value],
        along: Direction,
        order: Order = "forward",
        *,
        further: Sequence[Direction] = (),
    ) -> TangentRun:
        """Launch on copies, along one direction and further ones. Raises Rejected: `launch-failed`."""
        given = self.given(args, along, further)
        guards = {name: Guarded(value) for name, value in given.items() if isinstance(value, np.ndarray)}
        passed = {name: guards[name].array if name in guards else given[name] for name in given}
        launch = self.launch(launch, args)
        try:
            self._module.launch(
                self._returning, launch.grid, launch.block, passed, launch.shared_bytes, order=order
            )
        except LaunchFailed as error:
            kernel = self.kernel.name
            raise Rejected(diagnose(Code.LAUNCH_FAILED, None, kernel=kernel, reason=str(error))) from error
        changed = (
            a.name
            for a in self.kernel.arguments
            if a.name in guards and not _is_output(a) and not _same(guards[a.name].array, given[a.name])
        )
        after = {name: guard.array for name, guard in guards.items()}
        moved = [a for a in self.moved if isinstance(args[a.of], np.ndarray)]
        apart = [
            {
                a.of: one_of(after[a.name], self.directions, inside(self.kernel, a), k, np.shape(args[a.of]))
                for a in moved
            }
            for k in range(self.directions)
        ]
        return TangentRun(
            {
                a.of or a.name: after[a.name]
                for a in self.kernel.arguments
                if a.role == "value" and a.name in after
            },
            apart[0],
            tuple(name for name, guard in guards.items() if not guard.whole),
            tuple(changed),
            tuple(apart[1:]),
        )


@np.errstate(all="ignore")
def check_tangent(
    pair: Pair,
    case: Case,
    backend: Backend,
    *,
    progress: Progress | None = None,
    tolerance: float | None = None,
    assume: Sequence[str] = (),
    counted: bool = False,
) -> Report:
    """Judge a tangent kernel on a case. Raises Rejected if a text can't be compiled or run."""
    within = tolerance or case.tolerance or TOLERANCE
    if progress is not None:
        progress(0, 1, "compiling")
    launcher = Launcher(pair, backend, "double", few="all")
    watch = Watch(pair, backend, counted=counted)
    setting, seen = sound_setting(watch, case)
    if seen is not None and seen.ended:
        return Report(pair.adjoint.name, backend.name, within, (), (), tuple(setting.notes), watched=(seen,))
    setting, outputs = first_launch(launcher, case, setting)
    promises, notes = verify(assume, setting.args, setting.launch)
    report = judged(Compared(pair, backend, launcher, watch, setting, outputs), within)
    return replace(
        report,
        findings=(*promises, *report.findings),
        notes=(*notes, *report.notes),
        watched=report.watched if seen is None else (seen, *report.watched),
    )


@dataclass(frozen=True)
class Compared:
    """A tangent kernel on given data: the pair, its launches, and the primal's results.

    `tapes`: arrays whose bytes are no results, as numbers with tangents are larger.
    """

    pair: Pair
    backend: Backend
    launcher: Launcher
    watch: Watch
    setting: Setting
    outputs: Mapping[str, Array]
    tapes: frozenset[str] = frozenset()


def judged(on: Compared, within: float) -> Report:
    """Judge a tangent kernel on data on which the primal runs. Raises Rejected."""
    pair, setting, watch = on.pair, on.setting, on.watch
    runner = Runner(pair, on.backend)
    report = partial(Report, pair.adjoint.name, on.backend.name, within)
    random = np.random.default_rng(1)
    free = [a.of for a in runner.moved if is_floating(a.type)]
    every, *further = (
        {name: drawn(setting.args[name], random) for name in free} for _ in range(runner.directions)
    )
    module = watch.module(pair.adjoint_text, (pair.adjoint,), pair.adjoint_file)
    given = _copies(runner.given(setting.args, every, further))
    own = runner.launch(setting.launch, setting.args)
    looked = watch.look(module, pair.adjoint, own, given, ours=False)
    watched = () if looked is None else (looked,)
    if looked is not None and looked.ended:
        return report((), (), tuple(setting.notes), watched=watched)
    run = runner.run(setting.launch, setting.args, every, further=further)
    again = runner.run(setting.launch, setting.args, every, ORDERS[1], further=further)
    findings = [*_contract(pair, run, on.outputs)]
    primal = on.launcher.primal(setting.launch, setting.args, ORDERS[1])
    findings += _other_order(pair, run, again, primal)
    tapes = on.tapes | {a.of for a in runner.moved if not is_floating(a.type)}
    values = {name: array for name, array in on.outputs.items() if name not in tapes}
    oracle = Oracle.of(pair, on.backend, setting, values, {})
    exact: list[Exact] = []
    if oracle.tangents is not None:
        for k, name in enumerate(free):  # in one place of the directions after the other
            along = {name: every[name]}
            others = [*further[: k % runner.directions], along]
            moved = runner.run(setting.launch, setting.args, others[0], further=others[1:])
            exact.append(_compared(oracle, name, along, moved.every[len(others) - 1], random))
        for along, tangents in zip((*further, every), (*run.further, run.tangents), strict=True):
            exact.append(_compared(oracle, "", along, tangents, random))
    agree = bool(exact) and exact[-1].verdict != "wrong"  # along the first direction
    known = oracle.push(every).tangents if oracle.tangents is not None else {}
    return report(
        tuple(_rows(pair, on.launcher, setting, every, run, within, agree, known)),
        tuple(findings),
        (*setting.notes, *oracle.remarks(exact)),
        watched=watched,
        exact=tuple(exact),
        unwatched=watch.why_not if isinstance(on.backend, Watcher) else "",
    )


def _contract(pair: Pair, run: TangentRun, outputs: Mapping[str, Array]) -> Iterator[Finding]:
    """Check what the header promises besides the tangents."""
    name = pair.adjoint.name
    for array in run.outside:
        yield Finding(False, f"{name} writes beyond the ends of {array}")
    for array in run.written:
        yield Finding(False, f"{array} is not written")
    for argument in pair.primal.arguments:
        if argument.pointer and argument.written:
            own, expected = run.values[argument.name], outputs[argument.name]
            what = f"{name} computes the same {argument.name} as {pair.primal.name}"
            yield Finding(close(own, expected, expected), what)


def _other_order(
    pair: Pair, run: TangentRun, again: TangentRun, primal: Mapping[str, Array]
) -> Iterator[Finding]:
    """Check that another order of threads gives the same tangents, where it gives the same values."""
    for array in again.outside:
        yield Finding(False, f"{pair.adjoint.name} writes beyond the ends of {array}")
    for of in run.tangents:
        if close(primal[of], run.values[of], run.values[of]):
            what = f"the tangent of {of} is the same in another order of threads"
            pairs = zip(again.every, run.every, strict=True)
            yield Finding(all(close(one[of], two[of], two[of]) for one, two in pairs), what)


def _compared(
    oracle: Oracle,
    name: str,
    along: Direction,
    tangents: Mapping[str, Array],
    random: np.random.Generator,
) -> Exact:
    """Compare the tangents along a direction with exact ones, element by element."""
    pushed = oracle.push(along)
    worst = pushed_sum = pulled_sum = moved = 0.0
    finite = False  # whether there is anything to compare
    for of, tangent in tangents.items():
        expected = pushed.tangents.get(of)
        if expected is None:
            continue
        own, true = tangent.reshape(-1).astype(np.float64), expected.reshape(-1)
        weights = random.uniform(-1.0, 1.0, true.shape)
        usable = np.isfinite(true) & np.isfinite(_flat(pushed.outputs[of]))
        finite = finite or bool(usable.any()) or not usable.size
        scale = max(float(np.max(np.abs(true[usable]), initial=0.0)), 1e-300)
        gap = np.where(usable, np.abs(own - true), 0.0)
        error = float(np.max(gap, initial=0.0)) / scale if np.isfinite(gap).all() else math.inf
        tiny = _RESOLVED * float(np.max(np.abs(_flat(pushed.outputs[of])[usable]), initial=0.0))
        if error > EXACT and (error <= _BLURRED or float(np.max(gap)) <= tiny):  # terms may cancel
            spread = _spread(oracle, along, pushed, of)
            moved = max(moved, float(np.max(spread, initial=0.0)))
            error = 0.0 if bool(np.all(gap <= np.maximum(_SPREADS * spread, EXACT * scale))) else error
        worst = max(worst, error)
        pushed_sum += float(np.sum(weights[usable] * true[usable]))
        pulled_sum += float(np.sum(weights[usable] * own[usable]))
    ties = pushed.decisions.ties
    verdict: ExactVerdict = "ok" if worst <= EXACT else "tied" if ties else "wrong"
    if verdict == "ok" and not finite:
        verdict = "not finite"
    return Exact(name, pushed_sum, pulled_sum, worst, verdict, ties, moved=moved, what="tangent kernel")


def _spread(oracle: Oracle, along: Direction, pushed: Pushed, of: str) -> Reals:
    """Return by how much rounding alone changes each exact tangent of an array."""
    true = pushed.tangents[of].reshape(-1)
    found: Reals = np.zeros(true.shape)
    for run in oracle.shakes(along, pushed):
        found = np.maximum(found, np.abs(run.tangents[of].reshape(-1) - true))
    return found


def _rows(
    pair: Pair,
    launcher: Launcher,
    setting: Setting,
    along: Direction,
    run: TangentRun,
    within: float,
    agree: bool,
    known: Mapping[str, Reals],
) -> Iterator[Row]:
    """Compare each array's tangent with central differences.

    `agree`: it agrees with the exact ones, `known`; where these aren't finite, nothing is compared.
    """
    slopes = [_slopes(launcher, setting, along, step) for step in STEPS[:3]]
    for argument in pair.adjoint.arguments:
        if argument.role != "tangent" or argument.of not in run.tangents:
            continue
        if not _is_output(argument) or not is_floating(argument.type) or not run.tangents[argument.of].size:
            continue
        own = run.tangents[argument.of].reshape(-1).astype(np.float64)
        found = [slope[argument.of] for slope in slopes]
        exact = known[argument.of].reshape(-1) if argument.of in known else np.zeros(own.shape)
        best = np.stack([value for value, _ in found])
        spread = np.stack([spread for _, spread in found])
        chosen = np.argmin(np.where(np.isfinite(spread), spread, np.inf), axis=0)
        value = np.take_along_axis(best, chosen[None], 0)[0] + np.where(np.isfinite(exact), 0.0, np.nan)
        doubt = np.take_along_axis(spread, chosen[None], 0)[0]
        scale = max(float(np.max(np.abs(value[np.isfinite(value)]), initial=0.0)), 1e-300)
        entries = [
            _entry(i, float(own[i]), float(value[i]), float(doubt[i]), scale, within, agree)
            for i in range(own.size)
        ]
        yield replace(Row.of(argument.of, run.tangents[argument.of], entries), kind="tangent")


def _entry(
    element: int, own: float, value: float, doubt: float, scale: float, within: float, agree: bool
) -> Entry:
    if not math.isfinite(value):
        return Entry(element, own, value, 0.0, "not finite")
    error = abs(own - value) / scale if math.isfinite(own) else math.inf
    if error <= within:
        return Entry(element, own, value, error, "ok")
    if agree and abs(own - value) <= doubt:  # differences resolve no more, and the exact tangent agrees
        return Entry(element, own, value, min(error, within), "ok")
    if agree or abs(own - value) <= 10 * doubt:
        return Entry(element, own, value, error, "kink")
    return Entry(element, own, value, error, "wrong")


def _slopes(
    launcher: Launcher, setting: Setting, along: Direction, step: float
) -> dict[str, tuple[Reals, Reals]]:
    """Return each array's slope along the direction, and by how much that may be off."""
    several = [_moved(setting.args, along, h) for h in (step, -step, step / 2, -step / 2)]
    up, down, high, low = launcher.primals(setting.launch, several)
    found: dict[str, tuple[Reals, Reals]] = {}
    for name, array in up.items():
        if array.dtype.kind != "f":
            continue
        wide = (_flat(array) - _flat(down[name])) / (2 * step)
        narrow = (_flat(high[name]) - _flat(low[name])) / step
        noise = _RESOLVED * np.abs(_flat(array)) / step
        found[name] = (4 * narrow - wide) / 3, np.abs(wide - narrow) + noise
    return found


def _moved(args: Mapping[str, Value], along: Direction, step: float) -> dict[str, Value]:
    moved = dict(args)
    for name, direction in along.items():
        value, by = args[name], step * _flat(direction)
        whole = isinstance(value, np.ndarray)
        moved[name] = (
            _flat(value).reshape(np.shape(value)) + by.reshape(np.shape(value)) if whole else value + by[0]
        )
    return moved


def _copies(given: Mapping[str, Value]) -> dict[str, Value]:
    return {name: v.copy() if isinstance(v, np.ndarray) else v for name, v in given.items()}


def _flat(array: Value) -> Reals:
    found: Reals = np.asarray(array, np.float64).reshape(-1)
    return found


def _is_output(argument: Argument) -> bool:
    return argument.written and argument.pointer


def _same(after: Array, before: Value) -> bool:
    return isinstance(before, np.ndarray) and after.tobytes() == before.tobytes()
