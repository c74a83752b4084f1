"""Read the file's variables in a companion directly, instead of passing them.

const float *gain, …  *gain * x[i]      ->      gain * x[i]
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Array, Const, Expr, Function, Place, Pointer, Program, Scalar, Sym
from ..transform.common.algebra import rewrite
from ..transform.common.symbol_uses import mapped


def read_file_variables(function: Function, program: Program) -> Function:
    """Remove the parameters for the file's variables from a function with reassembled structs."""
    names = {sym.variable for sym in program.variables}
    passed = [sym for sym in function.syms if sym.name in names]
    lone = {sym: _itself(sym) for sym in passed if sym.name in program.lone}

    def change(e: Expr) -> Expr | None:
        match e:
            case Place(sym, (Const(0) as first, *rest)) if sym in lone:
                index = [rewrite(i, change) for i in rest]
                return replace(e, sym=lone[sym], index=tuple(index if e.path else (first, *index)))
            case _:
                return None

    params = tuple(p for p in function.params if p.sym not in passed)
    return replace(function, params=params, body=tuple(mapped(s, change) for s in function.body))


def _itself(sym: Sym) -> Sym:
    """Return the variable that is passed as an array of one: a struct, or a number without an index."""
    assert isinstance(sym.type, Pointer)
    kind = sym.type.target
    type = Array(kind, (1,), ("",)) if isinstance(kind, Scalar) else kind
    return Sym(sym.name, type, "global", sym.span, origin=sym.origin)
