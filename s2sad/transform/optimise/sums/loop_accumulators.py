"""Sum over a loop's iterations in a local, and add it to memory once.

    for (k …)                              float adj_w_sum = 0.0f;
        atomicAdd(&adj_w[j], p * q[k]);    for (k …)
                                     ->        adj_w_sum += p * q[k];
                                           if (adj_w_sum != 0.0f)
                                               atomicAdd(&adj_w[j], adj_w_sum);

Only if the element is the same in all iterations and the loop at most adds to the
array's other elements. The test keeps a loop that runs no iteration from accessing an
element whose index may be out of range.
"""

from __future__ import annotations

from dataclasses import replace

from ....analysis.ssa import Loop
from ....ir import (
    BOOL,
    Accumulate,
    Binary,
    Body,
    Comment,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Pointer,
    Scalar,
    Stmt,
    Sym,
    bodies,
    rebuilt,
    walk,
)
from ...common.adjoint_names import total_of
from ...common.algebra import real
from ...common.mod_ref import meets, written
from ...common.symbol_uses import uses
from ..contribution_audit import sum_of_sites


def loop_accumulators(body: Body) -> Body:
    """The body with such sums taken out of their loops, inner loops first."""
    out: list[Stmt] = []
    for stmt in body:
        inner = rebuilt(stmt, loop_accumulators)
        out += _loop(inner) if isinstance(inner, Loop) else [inner]
    return tuple(out)


def _loop(loop: Loop) -> list[Stmt]:
    changed = written(loop) | _declared(loop)
    sums: dict[Place, tuple[Sym, Accumulate]] = {}
    inner: list[Stmt] = []
    for stmt in loop.body:
        add = _addition(stmt)
        if add is None or not _fits(add, loop, changed):
            inner.append(stmt)
            continue
        if isinstance(stmt, If) and inner and isinstance(inner[-1], Comment):
            inner.pop()
        carried = isinstance(stmt, If) and isinstance(add.amount, Place) and add.target not in sums
        if carried:
            # An inner loop's sum: the same local continues through this loop.
            assert isinstance(add.amount, Place)
            sums[add.target] = add.amount.sym, add
            continue
        if add.target not in sums:
            sums[add.target] = total_of(add.target, loop.span), add
        total = sums[add.target][0]
        local = Place(total, (), add.target.type)
        inner.append(replace(add, target=local, how="local", why=""))
    if not sums:
        return [loop]
    own = {total for total, _ in sums.values()}
    inner = [s for s in inner if not (isinstance(s, Declare) and s.sym in own)]
    before: list[Stmt] = []
    after: list[Stmt] = []
    for target, (total, add) in sums.items():
        assert isinstance(total.type, Scalar)
        value = Place(total, (), total.type)
        before.append(Declare(total, real(0.0, total.type)))
        some = Binary("!=", value, real(0.0, total.type), BOOL)
        moved = add.amount == value  # the addition itself; otherwise the inner addition keeps its site
        sites = add.sites if moved else sum_of_sites(target)
        once = replace(add, target=target, amount=value, negative=False, sites=sites)
        after += [] if after else [Comment("sum over the iterations, added once")]
        after.append(If(some, (once,)))
    return [*before, replace(loop, body=tuple(inner)), *after]


def _addition(stmt: Stmt) -> Accumulate | None:
    """An addition to memory, or one that was taken out of an inner loop."""
    match stmt:
        case Accumulate(how="owner" | "atomic"):
            return stmt
        case _:
            add = guarded_sum(stmt)
            return add if add is not None and add.how != "local" else None


def guarded_sum(stmt: Stmt) -> Accumulate | None:
    """The addition of a sum that is made unless the sum is zero."""
    match stmt:
        case If(Binary("!=", Place(sym, ())), (Accumulate(_, Place(added, ())) as add,), ()) if sym is added:
            return add
        case _:
            return None


def _fits(add: Accumulate, loop: Loop, changed: frozenset[Sym]) -> bool:
    index: list[Expr] = list(add.target.index)
    if not index or any(sym in changed for e in index for sym in e.symbols):
        return False
    if any(isinstance(part, Place) and part.index for e in index for part in walk(e)):
        return False
    array = add.target.sym
    if meets(loop) and not only_read(array):
        return False  # after the loop's barriers, another thread may own the element
    if only_read(array) and not all(isinstance(e, Const) for e in index):
        return True  # it is only added to, and the order of additions doesn't matter
    others = 0
    for stmt in loop.body:
        same = _addition(stmt)
        if same is not None and same.target == add.target and array not in same.amount.symbols:
            continue
        others += array in set(uses([stmt]))
    return others == 0


def only_read(adjoint: Sym) -> bool:
    """Whether it is the adjoint of an array that the kernel never writes: it is only added to."""
    return adjoint.of is not None and isinstance(adjoint.of.type, Pointer) and adjoint.of.type.const


def _declared(stmt: Stmt) -> set[Sym]:
    out: set[Sym] = set()
    for body in bodies(stmt):
        for inner in body:
            if isinstance(inner, Declare):
                out.add(inner.sym)
            out |= _declared(inner)
    return out
