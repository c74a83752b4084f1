"""Read the original instead of a copy, until the copy gets a value of its own.

    float spot_2 = spot;                     held = keep_up * tape_value[level];
    held = keep_up * tape_value[level];  ->  float spot_2 = spot * up;
    spot_2 *= up;

The tool creates such copies where it recomputes, into a new name, what the author changes
in place.
"""

from __future__ import annotations

from ....analysis.ssa import outputs
from ....ir import (
    Assign,
    Binary,
    Body,
    Declare,
    Expr,
    Place,
    Scalar,
    Site,
    Stmt,
    Sym,
    Unary,
    rebuilt,
    scalar_type,
)
from ...common.algebra import rewrite
from ...common.guard_splitting import with_names
from ...common.mod_ref import removable, written
from ...common.symbol_uses import renaming

ARITHMETIC = {"+=": "+", "-=": "-", "*=": "*", "/=": "/"}


def copy_propagation(body: Body) -> Body:
    """Move the declaration of each copy of a local variable to its first change."""
    out = [rebuilt(stmt, copy_propagation) for stmt in body]
    position = 0
    while position < len(out):
        match out[position]:
            case Declare(sym, Place(source, ())) as copy if _copies(sym, source) and (
                later := _from(out[position + 1 :], sym, source, (*copy.sites, *copy.told))
            ):
                out[position:] = later
            case _:
                position += 1
    return tuple(out)


def _copies(sym: Sym, source: Sym) -> bool:
    return (
        removable(sym)
        and isinstance(sym.type, Scalar)
        and sym.type == source.type
        and {sym.storage, source.storage} == {"local"}
    )


def _from(body: list[Stmt], sym: Sym, source: Sym, sites: tuple[Site, ...]) -> list[Stmt] | None:
    """The statements after a copy, without it; None if impossible."""
    for k, stmt in enumerate(body):
        if isinstance(stmt, Assign) and stmt.target == Place(sym, (), scalar_type(sym)):
            value = _whole(stmt, scalar_type(sym))
            if value is None or outputs(value):
                return None
            told = (*sites, *stmt.sites, *stmt.told)
            start = Declare(sym, rewrite(value, renaming({sym: source})), stmt.span, told=told)
            return [*with_names(tuple(body[:k]), {sym: source}), start, *body[k + 1 :]]
        if sym in written(stmt) or source in written(stmt):
            return None
    return None


def _whole(stmt: Assign, type_: Scalar) -> Expr | None:
    """The whole assigned value: `a * e` for `a *= e`, if that is computed in the type of `a`."""
    if stmt.op is None:
        return stmt.value if stmt.value.type == type_ else None
    if stmt.op not in ARITHMETIC or stmt.value.type != type_:
        return None
    match ARITHMETIC[stmt.op], stmt.value:
        case "+" | "-" as op, Unary("-", value):
            return Binary("-" if op == "+" else "+", stmt.target, value, type_)
        case op, value:
            return Binary(op, stmt.target, value, type_)
