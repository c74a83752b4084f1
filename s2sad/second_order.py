"""What is asked of an adjoint's tangent for products with a Hessian, its columns or its diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from .diagnostics import Code, Rejected, diagnose
from .options import MOST_DIRECTIONS, Options
from .signature import Signature, fields


def request(signature: Signature, first: Options, asked: Options) -> Options:
    """Return the options of the tangent of an adjoint, which was made with `first`. Raises Rejected.

    It has tangents of the independents, and of the seeds, unless a Hessian of fixed weights is asked for.
    """
    adjoints = [a for a in signature.arguments if a.role == "adjoint"]
    if mixed := [a.name for a in adjoints if a.pointer and a.parts]:
        what = f"second derivatives with {mixed[0]}, a pointer to a struct of numbers and pointers"
        help = "add --separate: then the adjoint of each field is a parameter of its own"
        raise Rejected(diagnose(Code.NOT_SUPPORTED, None, what=what, help=help))
    seeds = [a.name for a in adjoints if a.use == "seed" or a.of in first.of]
    found = [a for a in adjoints if a.use in ("accumulates", "replaced")]
    directions = asked.directions
    if asked.hessian is not None:
        seeds, found = [], [a for a in found if a.of in first.wrt]
    if asked.hessian == "dense" and directions is None:
        directions = _columns(signature, first.wrt)
    if asked.hessian == "diag" and directions not in (None, 1):
        help = "leave --directions out: one launch with tangents of 1 has the whole diagonal"
        raise Rejected(diagnose(Code.USAGE, None, what="--hessian diag along several directions", help=help))
    return Options(
        kernel=signature.name,
        of=tuple(a.name for a in found),
        wrt=tuple(dict.fromkeys((*first.wrt, *seeds))),
        mode="tangent",
        directions=directions,
        hessian=asked.hessian,
    )


def _columns(signature: Signature, independents: Sequence[str]) -> int:
    """Return the number of all elements of some parameters, which are numbers or structs. Raises Rejected."""
    count = 0
    for argument in signature.arguments:
        if (argument.of or argument.name) not in independents or argument.role != "value":
            continue
        if argument.pointer or argument.parts:
            what = f"--hessian dense: how many elements {argument.name} has isn't known"
            help = f"--directions N gives N columns in a launch (1 to {MOST_DIRECTIONS})"
            raise Rejected(diagnose(Code.USAGE, None, what=what, help=help))
        layout = argument.layout
        count += 1 if layout is None else sum(prod(extents) for _, _, extents in fields(layout))
    if count > MOST_DIRECTIONS:
        what = f"--hessian dense: {count} columns are more than one launch can have"
        help = f"--directions N gives N columns in a launch (1 to {MOST_DIRECTIONS})"
        raise Rejected(diagnose(Code.USAGE, None, what=what, help=help))
    return count
