"""Sum atomic additions to one element in a local first.

    atomicAdd(&adj_v[c], g);                 float adj_v_c = g;
    ...                                      ...
    if (p)                             ->    if (p)
        atomicAdd(&adj_v[c], 2.0f * h);          adj_v_c += 2.0f * h;
    ...                                      ...
    atomicAdd(&adj_v[c], k);                 atomicAdd(&adj_v[c], adj_v_c + k);

Only for arrays that the kernel never writes: their adjoints are only added to, so the time
of an addition isn't observable. One of the additions is unconditional, so the element's index
is valid.
"""

from __future__ import annotations

from dataclasses import replace

from ....analysis.traversal import leaves
from ....ir import (
    Accumulate,
    Body,
    Declare,
    DoWhile,
    For,
    If,
    Place,
    Scalar,
    Special,
    Stmt,
    Switch,
    While,
    rebuilt,
    remembered,
    unconverted,
    walk,
)
from ...common.adjoint_names import total_of
from ...common.algebra import converted, real
from ...common.mod_ref import written
from ..scalar.simplify import signed, sum_of
from .loop_accumulators import only_read


def merge_atomics(body: Body) -> Body:
    """The body with such additions merged, inner bodies first."""
    out = [rebuilt(stmt, merge_atomics) for stmt in body]
    done: set[Place] = set()
    position = 0
    while position < len(out):
        stmt = out[position]
        for target in _targets(stmt):
            if target in done or not _steady(target):
                continue
            last = _last(out, position, target)
            if last is not None:
                done.add(target)
                _collect(out, position, last, target)
        position += 1
    return tuple(out)


@remembered
def _targets(stmt: Stmt) -> tuple[Place, ...]:
    """Elements that a statement adds to atomically; none for a loop."""
    match stmt:
        case Accumulate(how="atomic") if only_read(stmt.target.sym):
            return (stmt.target,)
        case If():
            return tuple(t for s in (*stmt.then, *stmt.other) for t in _targets(s))
        case _:
            return ()


def _steady(target: Place) -> bool:
    """Whether an element's index reads no memory, which may change."""
    return not any(isinstance(part, Place) and part.index for e in target.index for part in walk(e))


def _last(body: list[Stmt], first: int, target: Place) -> int | None:
    """Where to add the sum: the last unconditional addition, if there is another one; else None."""
    names = {sym for e in target.index for sym in e.symbols}
    found: int | None = None
    adding = int(target in _targets(body[first]))
    open_ = first
    for position in range(first, len(body)):
        stmt = body[position]
        if leaves(stmt) or isinstance(stmt, Switch) or names & written(stmt):
            break
        if position > first:
            adding += target in _targets(stmt)
        if isinstance(stmt, Accumulate) and stmt.how == "atomic" and stmt.target == target:
            found, open_ = position, adding
    return found if found is not None and open_ > 1 else None


def _collect(body: list[Stmt], first: int, last: int, target: Place) -> None:
    assert isinstance(target.type, Scalar)
    total = replace(total_of(target), name=_name(target))
    local = Place(total, (), target.type)
    final = body[last]
    assert isinstance(final, Accumulate)
    body[last] = sum_of(replace(final, amount=local, negative=False), final)
    for position in range(first + 1, last):
        body[position] = _local(body[position], target, local)
    stmt = body[first]
    if isinstance(stmt, Accumulate):
        amount = signed(stmt)
        body[first] = Declare(total, converted(amount, target.type), sites=stmt.sites, told=stmt.told)
    else:
        body[first] = _local(stmt, target, local)
        body.insert(first, Declare(total, real(0.0, target.type)))


def _local(stmt: Stmt, target: Place, local: Place) -> Stmt:
    """The statement with its additions to the element redirected to the local."""
    match stmt:
        case Accumulate(how="atomic") if stmt.target == target:
            return replace(stmt, target=local, how="local", why="")
        case For() | While() | DoWhile():
            return stmt
        case _:
            return rebuilt(stmt, lambda b: tuple(_local(s, target, local) for s in b))


def _name(target: Place) -> str:
    index = unconverted(target.index[-1])
    match index:
        case Place(sym, ()) if len(target.index) == 1:
            return f"{target.sym.plain}_{sym.plain}"
        case Special(axis=axis) if len(target.index) == 1:
            return f"{target.sym.plain}_{axis}"
        case _:
            return f"{target.sym.plain}_sum"
