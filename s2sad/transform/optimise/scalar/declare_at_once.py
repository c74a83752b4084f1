"""Declare a variable where it first gets its value.

float s;         ->     float s = e;
s = e;
"""

from __future__ import annotations

from ....analysis.ssa import outputs
from ....ir import Array, Assign, Body, Declare, Place, Stmt, rebuilt


def declare_at_once(body: Body) -> Body:
    """Rewrite `float s; s = e;` as `float s = e;`."""
    out: list[Stmt] = []
    for stmt in body:
        here = rebuilt(stmt, declare_at_once)
        match out[-1] if out else None, here:
            case Declare(sym, None) as bare, Assign(Place(target, ()), value, None) as here if (
                sym is target
                and sym.storage == "local"
                and not isinstance(sym.type, Array)
                and not outputs(value)
                and sym not in value.symbols
            ):
                told = (*bare.told, *here.sites, *here.told)
                out[-1] = Declare(sym, value, bare.span, told=told)
            case _:
                out.append(here)
    return tuple(out)
