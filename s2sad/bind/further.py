"""The kernels behind further derivatives of an operator: the tangent, and the tangent of the adjoint.

A kernel may have neither: the binding then has first derivatives in reverse mode alone, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .. import pipeline
from ..diagnostics import Rejected
from ..emitted_header import repeated
from ..options import Mode, Options
from ..pipeline import Transformed
from ..signature import Signature
from .accessors import as_arrays
from .model import Binding, Further, Instance

TANGENT, SECOND = "_tan", "_adj_tan"
"""What the names of their kernels, and of their files, end in."""


def with_derivatives(binding: Binding, made: Sequence[Transformed]) -> Binding:
    """Return the binding with the kernels of further derivatives, of those that all instances have."""
    commands = {mode: repeated(made[0].source.name, _asked(made[0], mode)) for mode in _MODES}
    whys: dict[str, str] = {mode: f"`{command}` says why" for mode, command in commands.items()}
    binding = replace(binding, why_not=whys)
    tangents = _every(made, "tangent")
    if not tangents:
        return binding
    instances = _with(binding.instances, TANGENT, tangents)
    first = as_arrays(tangents[0].adjoint.signature)
    binding = replace(binding, instances=instances, tangent=first)
    if any(one.options.rules for one in made):
        why = "with a table of --rules its gradient's Jacobian needn't be symmetric, which they rely on"
        return replace(binding, why_not={**whys, "second-order": why})
    twice = _every(made, "second-order")
    if not twice:
        return binding
    if not _fits(binding, twice[0]):
        why = "bind it with --mode joint: its adjoint sizes shared memory, of each shape another size"
        return replace(binding, why_not={**whys, "second-order": why})
    instances = _with(binding.instances, SECOND, twice)
    return replace(binding, instances=instances, second=instances[0].further[1].kernel)


_MODES: tuple[Mode, ...] = ("tangent", "second-order")


def _asked(done: Transformed, mode: Mode) -> Options:
    """Return the request for a kernel like this adjoint's; a tangent has no options of a reverse sweep."""
    if mode == "tangent":
        none = Options()
        reverse = {name: getattr(none, name) for name in ("store", "recompute", "bounds", "accumulate")}
        return replace(done.options, mode=mode, seeds=None, **reverse)
    return replace(done.options, mode=mode)


def _every(made: Sequence[Transformed], mode: Mode) -> list[Transformed]:
    """Return the kernel of each instance in that mode; nothing if one of them has none."""
    try:
        return [pipeline.transform(one.source, _asked(one, mode)) for one in made]
    except Rejected:
        return []


def _fits(binding: Binding, twice: Transformed) -> bool:
    """Whether the binding can launch it: it sizes shared memory like its adjoint, which is the joint one."""
    assert twice.first is not None
    return not (twice.first.adjoint.signature.shared and binding.split)


def _with(instances: Sequence[Instance], ending: str, made: Sequence[Transformed]) -> tuple[Instance, ...]:
    return tuple(
        replace(one, further=(*one.further, Further(ending, done.text, _kernel(done))))
        for one, done in zip(instances, made, strict=True)
    )


def _kernel(done: Transformed) -> Signature:
    """Return a kernel's parameters; those of a tangent of an adjoint have their roles in the adjoint."""
    kernel = as_arrays(done.adjoint.signature)
    if done.first is None:
        return kernel
    adjoint = as_arrays(done.first.adjoint.signature)
    own = {a.name: a for a in adjoint.arguments}
    arguments = (
        a if a.role == "tangent" else replace(a, role=o.role, use=o.use, of=o.of)
        for a in kernel.arguments
        for o in (own.get(a.name, a),)
    )
    return replace(kernel, arguments=tuple(arguments), tape=adjoint.tape)
