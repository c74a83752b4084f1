"""The names that an adjoint adds to a file: none may be one of the author's."""

from __future__ import annotations

from collections.abc import Sequence

from .diagnostics import Code, Rejected, diagnose
from .ir import Program
from .parse.reading import KernelEntry
from .transform.unit import Adjoint


def refuse_taken_names(program: Program, adjoint: Adjoint, entries: Sequence[KernelEntry]) -> None:
    """Refuse added kernels and parameters that have the name of one of the author's."""
    every = (adjoint.signature, adjoint.forward_signature, adjoint.measure_signature)
    made = [s for s in every if s is not None]
    added = {a.name: f"a parameter of {s.name}" for s in made for a in s.arguments if a.role != "value"}
    kernels = {s.name: f"the adjoint of {program.kernel.name}" for s in made}
    kernels |= {f"{s.name}_tape_bytes": f"the size of {s.name}'s tape" for s in made if s.tape}
    taken = [(p.sym.name, p.span or p.sym.span, added) for p in program.kernel.params]
    taken += [(entry.name, entry.span, kernels) for entry in entries]
    taken += [(function.name, function.span, kernels) for function in program.functions.values()]
    wrong = [
        diagnose(Code.NAME_TAKEN, span, name=name, what=wanted[name])
        for name, span, wanted in taken
        if name in wanted
    ]
    if wrong:
        raise Rejected(*wrong)
