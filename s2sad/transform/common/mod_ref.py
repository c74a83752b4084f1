"""Which symbols a statement changes, and which expressions that can affect."""

from __future__ import annotations

from ...analysis.ssa import outputs
from ...ir import (
    BLOCK_REDUCTIONS,
    Accumulate,
    Assign,
    Barrier,
    Clear,
    Declare,
    Expr,
    Place,
    Pointer,
    Record,
    Restore,
    Scalar,
    Stmt,
    Sym,
    bodies,
    collective,
    expressions,
    remembered,
    statements,
    walk,
)


def removable(sym: Sym) -> bool:
    """Whether it is a scalar variable that the tool introduced."""
    return sym.ours and isinstance(sym.type, Scalar)


@remembered
def written(stmt: Stmt) -> frozenset[Sym]:
    """Symbols changed by a statement or by a statement inside it."""
    out: set[Sym] = set()
    match stmt:
        case Assign(t) | Accumulate(t) | Clear(t) | Record(t) | Restore(t):
            out.add(t.sym)
        case _:
            pass
    for expr in expressions(stmt):
        out.update(place.sym for place in outputs(expr))
    for body in bodies(stmt):
        for inner in body:
            out |= written(inner)
    return frozenset(out)


@remembered
def sets(stmt: Stmt) -> frozenset[Sym]:
    """What a statement sets, including what is declared in it."""
    declared = (s.sym for s in statements((stmt,)) if isinstance(s, Declare))
    return written(stmt) | frozenset(declared)


def changes(stmt: Stmt, value: Expr) -> bool:
    """Whether a statement may change an expression's value, itself or by synchronizing with other threads."""
    changed = written(stmt)
    if changed and any(s in changed for s in value.symbols):
        return True
    return meets(stmt) and any(isinstance(e, Place) and _passes(e) for e in walk(value))


def _passes(place: Place) -> bool:
    """Whether other threads may write the place: an element of non-const memory, or anything shared."""
    array = place.sym.type
    return place.sym.storage == "shared" or (
        bool(place.index) and isinstance(array, Pointer) and not array.const
    )


@remembered
def meets(stmt: Stmt) -> bool:
    """Whether a statement synchronizes threads: a block or warp barrier, or a reduction of the block."""
    own = isinstance(stmt, Barrier) or (isinstance(stmt, Accumulate) and stmt.how == "warp") or _of_all(stmt)
    return own or any(meets(s) for body in bodies(stmt) for s in body)


@remembered
def meets_all(stmt: Stmt) -> bool:
    """Whether a statement synchronizes the whole block; warp barriers don't count."""
    return _of_all(stmt) or any(meets_all(s) for body in bodies(stmt) for s in body)


def _of_all(stmt: Stmt) -> bool:
    return (
        (isinstance(stmt, Barrier) and not stmt.warp)
        or (isinstance(stmt, Accumulate) and stmt.how == "reduce")
        or ((call := collective(stmt)) is not None and call.rule in BLOCK_REDUCTIONS)
    )
