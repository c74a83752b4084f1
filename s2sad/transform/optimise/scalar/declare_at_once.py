"""Declare a variable where it first gets its value.

float result;                           float ball = sphere(x, y, z, r);
float ball = sphere(x, y, z, r);   ->   float result = fminf(ball, floor_);
result = fminf(ball, floor_);

Nothing between the two mentions the variable, so every use follows the store. The author's own
declarations and the fields of structs stay where they are, unless the store is the next statement.
"""

from __future__ import annotations

from ....analysis.ssa import outputs
from ....ir import Array, Assign, Body, Declare, Place, Stmt, Sym, rebuilt
from ...common.symbol_uses import used


def declare_at_once(body: Body) -> Body:
    """Rewrite `float s; ... s = e;` as `... float s = e;`."""
    out: list[Stmt | None] = []
    bare: dict[Sym, int] = {}
    """Where the variables are declared that no statement has mentioned since."""
    for stmt in body:
        here = rebuilt(stmt, declare_at_once)
        match here:
            case Assign(Place(sym, ()), value, None) if (
                sym in bare and _stored_alone(sym, here) and (_movable(sym) or bare[sym] == len(out) - 1)
            ):
                declared = out[bare[sym]]
                assert isinstance(declared, Declare)
                out[bare[sym]] = None
                told = (*declared.told, *here.sites, *here.told)
                here = Declare(sym, value, declared.span, told=told)
            case Declare(sym, None) if sym.storage == "local" and not isinstance(sym.type, Array):
                bare[sym] = len(out)
            case _:
                pass
        for mentioned in used(here):
            bare.pop(mentioned, None)
        out.append(here)
    return tuple(stmt for stmt in out if stmt is not None)


def _movable(sym: Sym) -> bool:
    """Whether it is a variable of the tool's own, and no field nor the adjoint of one."""
    in_struct = any(one is not None and one.within is not None for one in (sym, sym.of))
    return sym.ours and not in_struct


def _stored_alone(sym: Sym, stmt: Assign) -> bool:
    """Whether the value neither mentions the variable nor has side effects."""
    return sym not in stmt.value.symbols and not outputs(stmt.value)
