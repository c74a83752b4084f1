"""The tangent of one launch: the directional derivative of the arrays after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..run.backend import BackendUnavailable, CompileFailed, Differentiator, WatchUnavailable
from ..signature import Signature
from .arguments import dimensions, prepare
from .elements import Array, is_floating
from .launching import Pair
from .recipe import Launch, Value
from .spread import gathered, spread
from .tangents import Tangents


@dataclass(frozen=True)
class Tangent:
    """Arrays after the primal and their tangents; `notes` report near-ties of branches."""

    outputs: Mapping[str, Array]
    tangents: Mapping[str, Array]
    notes: tuple[str, ...] = ()


def jvp(
    pair: Pair,
    backend: Differentiator,
    *,
    grid: int | tuple[int, ...],
    block: int | tuple[int, ...],
    args: Mapping[str, ArrayLike],
    tangents: Mapping[str, ArrayLike],
    shared_bytes: int = 0,
) -> Tangent:
    """Run the primal once along `tangents`, in double precision.

    Arguments that aren't named have zero tangents. Results have the type and shape of the caller's
    arguments; there is a tangent for each floating array that the kernel may write.
    Raises Rejected; BackendUnavailable if the backend can't propagate tangents.
    """
    kernel = pair.primal
    launch = Launch(dimensions("grid", grid), dimensions("block", block), 2 * shared_bytes)
    whole, args = args, spread(args, kernel)
    values = prepare(args, kernel, "double")
    along = prepared_tangents(tangents, kernel, values)
    try:
        compiled = Tangents(pair.wide_text, kernel, backend, pair.primal_file)
    except CompileFailed as error:
        code = Code.COMPILE_FAILED
        raise Rejected(diagnose(code, None, file=pair.primal_file, reason=str(error))) from error
    except WatchUnavailable as error:
        raise BackendUnavailable(str(error)) from error
    pushed = compiled.push(launch, values, along)
    given = {name: np.asarray(value) for name, value in args.items()}
    moved = [a.name for a in kernel.arguments if a.pointer and not a.const and is_floating(a.type)]
    after = {name: array.astype(given[name].dtype) for name, array in pushed.outputs.items()}
    along = {name: pushed.tangents[name].astype(_real(given[name].dtype)) for name in moved}
    return Tangent(
        gathered(after, whole, kernel, adjoint=False),
        gathered(along, whole, kernel, adjoint=True),
        tuple(tie.text(pair.primal_file) for tie in pushed.decisions.ties),
    )


def _of_fields(tangents: Mapping[str, ArrayLike], kernel: Signature) -> dict[str, ArrayLike]:
    """Drop tangents of integer fields of structs."""
    fixed = {a.name for a in kernel.arguments if a.within and not is_floating(a.type)}
    return {name: tangent for name, tangent in tangents.items() if name not in fixed}


def prepared_tangents(
    tangents: Mapping[str, ArrayLike], kernel: Signature, values: Mapping[str, Value]
) -> dict[str, Array]:
    """Return the tangents of fields, broadcast to the shapes of their arguments.

    Raises Rejected with all that don't fit.
    """
    tangents = _of_fields(spread(tangents, kernel), kernel)
    found: list[Diagnostic] = []
    ready: dict[str, Array] = {}
    floating = {a.name for a in kernel.arguments if a.role == "value" and is_floating(a.type)}
    for name, tangent in tangents.items():
        for what, help in _misfits(name, np.asarray(tangent), floating, values):
            found.append(diagnose(Code.ARGUMENT_VALUE, None, name=str(name), what=what, help=help))
            break
        else:
            ready[name] = np.broadcast_to(np.asarray(tangent, np.float64), np.shape(values[name]))
    if found:
        raise Rejected(*found)
    return ready


def _misfits(
    name: str, tangent: Array, floating: set[str], values: Mapping[str, Value]
) -> Iterator[tuple[str, str]]:
    if name not in floating:
        yield "has a tangent but no derivative", f"valid: {', '.join(sorted(floating))}"
    elif tangent.dtype.kind not in "fiub":
        yield f"a tangent of {tangent.dtype}", "a tangent must be numeric"
    elif tangent.shape not in ((), np.shape(values[name])):
        yield (
            f"a tangent of shape {tangent.shape} for an argument of shape {np.shape(values[name])}",
            "a tangent must have the shape of its argument",
        )


def _real(kind: np.dtype[np.generic]) -> np.dtype[np.generic]:
    """Return the type of a tangent: float64 if the argument is an integer."""
    return kind if kind.kind == "f" else np.dtype(np.float64)
