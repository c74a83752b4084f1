"""Record what one thread does: of the primal, of K_fwd if there is one, and of the adjoint.

The recorded texts run as the plain ones do, with the same arguments, and their results are compared with
those of the plain texts, bit by bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..diagnostics import Code, Rejected, diagnose
from ..run.backend import CompileFailed, LaunchFailed, Recorder, WatchUnavailable
from ..run.isolated import Isolated
from ..run.recording import Recording
from ..run.values import Extent
from ..signature import Signature
from .case import Case
from .check import draw_seeds
from .elements import Array, Real, nearest
from .float_check import has_floats
from .launching import Launcher, Pair
from .recipe import Launch, Setting, Value

At = tuple[Extent, Extent]


@dataclass(frozen=True)
class Kernel:
    """What a thread did in one kernel: its recording, the launch, and the arrays before and after it."""

    name: str
    recording: Recording
    launch: Launch
    before: Mapping[str, Array]
    after: Mapping[str, Array]
    differs: tuple[str, ...] = ()  # the arrays that the plain text leaves with other values


@dataclass(frozen=True)
class Run:
    """The kernels of a pair with `float` as itself, or as `double`."""

    real: Real
    kernels: tuple[Kernel, ...]


@np.errstate(all="ignore")
def recorded(pair: Pair, case: Case, backend: Isolated, at: At, ones: bool) -> tuple[Run, ...]:
    """Run the kernels and record the thread `at` a block and a thread in it: once, or in float and in double.

    The double run starts from the values that the floats have. `ones`: seeds of 1, not those of `check`.
    Raises Rejected: no such thread, a text that can't be recorded or run.
    """
    setting = case.setting("float")
    refuse_outside(pair.primal.name, setting.launch, at)
    runs = [_run(pair, setting, backend, "float", at, ones)]
    if has_floats(pair.adjoint_text) or has_floats(pair.primal_text):
        wide = case.setting("double")
        args = {name: _widened(pair, name, value, wide.args[name]) for name, value in setting.args.items()}
        runs.append(_run(pair, replace(wide, args=args), backend, "double", at, ones))
    return tuple(runs)


def refuse_outside(kernel: str, launch: Launch, at: At) -> None:
    """Raise Rejected if the launch doesn't have the thread."""
    for what, extents, place in (("block", launch.grid, at[0]), ("thread", launch.block, at[1])):
        if any(p >= extent for p, extent in zip(place, extents, strict=True)):
            there, count = _place(place), _extent(extents)
            help = f"the launch has {count} {what}s: {what} {_last(extents)} is the last one"
            raise Rejected(
                diagnose(Code.NO_SUCH_THREAD, None, what=what, there=there, kernel=kernel, help=help)
            )


def _place(place: Extent) -> str:
    x, y, z = place
    return f"{x}.{y}.{z}" if z else f"{x}.{y}" if y else str(x)


def _extent(extents: Extent) -> str:
    return " × ".join(map(str, _short(extents)))


def _last(extents: Extent) -> str:
    return ".".join(str(n - 1) for n in _short(extents))


def _short(extents: Extent) -> tuple[int, ...]:
    x, y, z = extents
    return (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)


def _widened(pair: Pair, name: str, value: Value, wide: Value) -> Value:
    """Return the value of an argument, as the kernel with floats has it, in the type of the wider kernel."""
    if isinstance(value, np.ndarray):
        assert isinstance(wide, np.ndarray)
        type = pair.primal.argument(name).type
        return nearest(value, type).astype(wide.dtype) if value.dtype.kind == "f" else value
    if isinstance(value, float) and pair.primal.argument(name).type == "float":
        return float(np.float32(value))
    return value


def _run(pair: Pair, setting: Setting, backend: Isolated, real: Real, at: At, ones: bool) -> Run:
    launcher = Launcher(pair, backend, real, few="all")
    launch, backward, args = setting.launch, setting.backward, setting.args
    outputs = launcher.primal(launch, args)
    seeds = {name: _seed(name, outputs[name], ones) for name in pair.dependents}
    text = pair.primal_text if real == "float" else pair.wide_text
    primal = _Text(text, (pair.primal,), pair.primal_file, backend, real)
    given = {name: _keep(value) for name, value in args.items()}
    found = primal.recorded(pair.primal, at, launch, given)
    kernels = [_kernel(found, pair.primal, launch, args, given, outputs)]
    ready = launcher.ready(launch, backward, args, launcher.buffers(args, seeds))
    adjoint = _Text(pair.adjoint_text, pair.kernels, pair.adjoint_file, backend, real)
    if pair.forward is not None:
        given = launcher.ready_forward(launch, args)
        found = adjoint.recorded(pair.forward, at, launch, given)
        kernels.append(_kernel(found, pair.forward, launch, args, given, ready.outputs or {}))
    plain = launcher.adjoint(launch, backward, args, launcher.buffers(args, seeds))
    before = {name: _keep(value) for name, value in ready.passed.items()}
    # not const: arrays must come back, as a cast may have written to them
    arguments = tuple(replace(a, const=False) for a in pair.adjoint.arguments)
    found = adjoint.recorded(replace(pair.adjoint, arguments=arguments), at, ready.launch, ready.passed)
    one = pair.adjoint.seeds == 1
    expected = {a.name: plain.buffers[a.of] for a in pair.adjoints if one}
    kernels.append(_kernel(found, pair.adjoint, ready.launch, before, ready.passed, expected))
    return Run(real, tuple(kernels))


def _seed(name: str, like: Array, ones: bool) -> Array:
    """Return the seed of a dependent, with values that a float has."""
    seed = np.ones_like(like) if ones else draw_seeds(name, like)
    return seed.astype(np.float32).astype(like.dtype)


@dataclass(frozen=True)
class _Text:
    """A text that is compiled to record."""

    text: str
    kernels: tuple[Signature, ...]
    file: str
    backend: Recorder
    real: Real

    def recorded(self, kernel: Signature, at: At, launch: Launch, args: Mapping[str, Value]) -> Recording:
        """Launch a kernel; arrays are modified in place. Raises Rejected."""
        try:
            module = self.backend.record(self.text, self.kernels, real=self.real, name=self.file)
            return module.record(kernel, launch.grid, launch.block, args, launch.shared_bytes, at=at)
        except CompileFailed as error:
            raise Rejected(diagnose(Code.COMPILE_FAILED, None, file=self.file, reason=str(error))) from error
        except (LaunchFailed, WatchUnavailable) as error:
            raise Rejected(
                diagnose(Code.LAUNCH_FAILED, None, kernel=kernel.name, reason=str(error))
            ) from error


def _kernel(
    recording: Recording,
    kernel: Signature,
    launch: Launch,
    before: Mapping[str, Value],
    after: Mapping[str, Value],
    expected: Mapping[str, Array],
) -> Kernel:
    left = dict(_arrays(after))
    differs = tuple(
        name
        for name, array in expected.items()
        if name in left and left[name].tobytes() != np.asarray(array).astype(left[name].dtype).tobytes()
    )
    return Kernel(kernel.name, recording, launch, dict(_arrays(before)), left, differs)


def _arrays(values: Mapping[str, Value]) -> Iterator[tuple[str, Array]]:
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            yield name, value


def _keep(value: Value) -> Value:
    return value.copy() if isinstance(value, np.ndarray) else value
