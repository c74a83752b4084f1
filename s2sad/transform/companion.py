"""An adjoint to be included after its primal, without what that file already defines.

    #include "k.cu"
    #include "k_adj.cu"

It calls the author's device functions directly, and file-scope variables are not
parameters. The remaining functions of the tool are prefixed with the kernel's name, so that
the companions of two kernels can follow one file.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Call, Expr, Function
from ..parse.source.companion_scope import Behind
from ..rules import HELPERS
from ..signature import Signature
from .build.declare_shared_adjoints import LAUNCHED
from .build.statements import EXCHANGE
from .common.algebra import rewrite
from .common.symbol_uses import mapped
from .unit import Adjoint


def companion(adjoint: Adjoint, found: Behind) -> Adjoint:
    """The adjoint as a companion of a file in which these names are defined."""
    program = adjoint.program
    names = frozenset(sym.variable for sym in program.variables)
    own = f"{program.kernel.name}_"
    kept = [f for f in adjoint.functions if not found.has(f.name, f.span)]
    keys = {**program.functions, **{f.name: f for f in kept}}
    renamed = {key: own + f.name for key, f in keys.items() if f in kept}

    def is_helper(name: str) -> bool:
        ours = name.rstrip("_") in (EXCHANGE, LAUNCHED)
        known = ours or not {name, name.removesuffix("f")}.isdisjoint(HELPERS)
        return known and name not in program.functions

    def change(e: Expr) -> Expr | None:
        match e:
            case Call(args=args, callee=str(key)) if key in renamed or is_helper(key):
                args = tuple(rewrite(a, change) for a in args)
                return replace(e, name=renamed.get(key, own + key), args=args)
            case _:
                return None

    def changed(function: Function) -> Function:
        return replace(function, body=tuple(mapped(s, change) for s in function.body))

    def without(signature: Signature) -> Signature:
        left = tuple(a for a in signature.arguments if a.role != "value" or a.name not in names)
        return replace(signature, arguments=left)

    return replace(
        adjoint,
        kernel=changed(adjoint.kernel),
        signature=without(adjoint.signature),
        forward=adjoint.forward and changed(adjoint.forward),
        forward_signature=adjoint.forward_signature and without(adjoint.forward_signature),
        measure=adjoint.measure and changed(adjoint.measure),
        measure_signature=adjoint.measure_signature and without(adjoint.measure_signature),
        functions=tuple(replace(changed(f), name=own + f.name) for f in kept),
        behind=found,
        own=own,
        there=tuple(a for a in adjoint.signature.arguments if a.role == "value" and a.name in names),
    )
