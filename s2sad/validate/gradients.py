"""The gradient of one launch, from a primal and its adjoint.

The gradient is the contract's: dJ/d(value at entry) of each
independent, where J is the sum over the dependents of seed times value at exit. It
has the type and the shape of the caller's arguments, which aren't modified.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..diagnostics import Code, Rejected, diagnose
from ..run.backend import Backend
from .arguments import dimensions, prepare, prepare_seeds
from .elements import Array, Real, is_floating
from .launching import AdjointRun, Launcher, Pair
from .recipe import Launch, Value
from .spread import gathered, spread


@dataclass(frozen=True)
class Result:
    """Arrays after the primal, and the gradient; `notes` report values that aren't finite."""

    outputs: Mapping[str, Array]
    gradients: Mapping[str, Array]
    notes: tuple[str, ...] = ()


def gradient(
    pair: Pair,
    backend: Backend,
    *,
    grid: int | tuple[int, ...],
    block: int | tuple[int, ...],
    args: Mapping[str, ArrayLike],
    seeds: Mapping[str, ArrayLike] | None = None,
    shared_bytes: int = 0,
    real: Real = "float",
) -> Result:
    """Run primal and adjoint once. Raises Rejected: wrong arguments, `tape-overrun`."""
    launch = Launch(dimensions("grid", grid), dimensions("block", block), shared_bytes)
    whole, args = args, spread(args, pair.primal)
    values = prepare(args, pair.primal, real)
    ready = prepare_seeds(None if seeds is None else spread_seeds(seeds, pair), pair.dependents, values)
    launcher = Launcher(pair, backend, real)
    run = launcher.adjoint(launch, launch, values, launcher.buffers(values, ready))
    if run.overrun:
        raise Rejected(diagnose(Code.TAPE_OVERRUN, None, kernel=pair.adjoint.name))
    if run.outside:
        reason = f"it writes beyond the ends of {', '.join(run.outside)}"
        raise Rejected(diagnose(Code.LAUNCH_FAILED, None, kernel=pair.adjoint.name, reason=reason))
    outputs = run.outputs if run.outputs is not None else launcher.primal(launch, values)
    given = {name: np.asarray(value) for name, value in args.items()}
    after = {name: array.astype(given[name].dtype) for name, array in outputs.items()}
    found = {name: like(given[name], gradient_of(run, name, values)) for name in pair.independents}
    return Result(
        gathered(after, whole, pair.primal, adjoint=False),
        gathered(found, whole, pair.primal, adjoint=True),
        tuple(_notes(run, outputs, values, pair)),
    )


def spread_seeds(seeds: Mapping[str, ArrayLike], pair: Pair) -> dict[str, ArrayLike]:
    """Distribute seeds to fields; a number for a struct applies to all its fields."""
    plain = {name: seed for name, seed in seeds.items() if np.ndim(seed) == 0 and not _is_struct(seed)}
    spread_ = spread({name: seed for name, seed in seeds.items() if name not in plain}, pair.primal)
    held = {a.name for a in pair.primal.wholes if a.parts}  # their seeds are for arrays that they point to
    fields = [
        a
        for a in pair.primal.arguments
        if a.within in plain and (a.within not in held or a.name in pair.dependents)
    ]
    known = {a.within for a in fields}
    integers = {a.name for a in pair.primal.arguments if a.within and not is_floating(a.type)}
    alone = {name: seed for name, seed in plain.items() if name not in known}
    each = {a.name: plain[a.within] for a in fields}
    return {name: seed for name, seed in {**alone, **each, **spread_}.items() if name not in integers}


def _is_struct(seed: ArrayLike) -> bool:
    return isinstance(seed, Mapping) or np.asarray(seed).dtype.names is not None


def gradient_of(run: AdjointRun, name: str, values: Mapping[str, Value]) -> Array:
    """Return the gradient of an independent; zeros if the adjoint has no parameter for it."""
    if name in run.buffers:
        return run.buffers[name]
    value = values[name]
    return np.zeros_like(value) if isinstance(value, np.ndarray) else np.zeros(1)


def like(given: Array, found: Array) -> Array:
    """Convert values to the type and shape of the caller's argument; floating if that is an integer."""
    kind = given.dtype if given.dtype.kind == "f" else found.dtype
    return found.reshape(given.shape).astype(kind)


def _notes(
    run: AdjointRun, outputs: Mapping[str, Array], values: Mapping[str, Value], pair: Pair
) -> list[str]:
    notes = []
    for name, array in outputs.items():
        if array.dtype.kind == "f" and (count := int((~np.isfinite(array)).sum())):
            notes.append(f"{name}: {count} of {array.size} values are not finite after {pair.primal.name}")
    lost = []
    for name in pair.independents:
        array = gradient_of(run, name, values)
        if count := int((~np.isfinite(array)).sum()):
            notes.append(f"{name}: {count} of {array.size} values of the gradient are not finite")
            lost.append(bool(np.isnan(array.flat[0])) and count <= 1)
    if lost and len(lost) == len(pair.independents) and all(lost):
        notes.append(
            f"element 0 of every gradient is NaN: {pair.adjoint.name} reports that the launch "
            "violates an assumption in its header"
        )
    return notes
