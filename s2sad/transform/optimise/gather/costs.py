"""What it costs to compute contributions for another thread, in statements or operations."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ....ir import (
    Accumulate,
    Banner,
    Body,
    Call,
    Cast,
    Comment,
    Const,
    Expr,
    For,
    Place,
    Quote,
    Special,
    Stmt,
    all_parts,
    bodies,
    expressions,
    statements,
    walk,
)
from ...common.mod_ref import written
from ...common.thread_rows import counted_range, declared_in
from .contributions import needed
from .slicing import sliced

TRIPS = 8  # of a loop within an iteration whose count isn't known
CALL = 20  # operations of a function
WARP = 32
OF_WARP = 15  # operations of a sum over the warp


def pays(count: Expr, terms: Body, again: bool, saved: int) -> bool:
    """Whether to deal a loop's iterations to the threads, each of which then sums the terms of the block.

    `again`: the terms are computed in the loop, too; if not, only the lanes that idle where the iterations
    don't fill a warp are lost. `saved`: the operations of the exchanges in an iteration.
    """
    if not isinstance(count, Const) or int(count.value) < 1:
        return False
    trips = int(count.value)
    lanes = WARP * -(-trips // WARP)
    return (lanes if again else lanes - trips) * operations(terms) < saved * trips


def operations(body: Body) -> int:
    """Roughly the number of a body's operations."""
    found = 0
    for stmt in body:
        found += sum(cost(e) for expr in expressions(stmt) for e in walk(expr))
        trips = 1
        if isinstance(stmt, For):
            counted = counted_range(stmt)
            count = None if counted is None else counted[1]
            trips = int(count.value) if isinstance(count, Const) else TRIPS
        found += trips * sum(map(operations, bodies(stmt)))
    return found


def cost(e: Expr) -> int:
    """Roughly the instructions of one operation."""
    match e:
        case Call():
            return CALL
        case Place(_, index):
            return 1 if index else 0
        case Const() | Special() | Cast():
            return 0
        case _:
            return 1


def repeated(body: Body, adds: Collection[Accumulate]) -> int:
    """Roughly how many statements a replay of these additions would repeat; a call is several.

    Raises NotKnown.
    """
    inside = declared_in(body)
    effects = [s for s in leaves(body) if s not in adds and written(s) - inside]
    left = set(leaves(sliced(body, effects))) if effects else set()
    part = needed(body, adds)
    again = left & set(leaves(part)) - set(adds)
    looped = {s for loop in statements(part) if isinstance(loop, For) for s in leaves(loop.body)}
    calls = sum(isinstance(e, Call) for s in again for e in all_parts(s))
    return len(again) + (TRIPS - 1) * (len(again & looped) + calls)


def leaves(body: Body) -> Iterator[Stmt]:
    """The statements of a body without statements in them, but comments."""
    for stmt in statements(body):
        if not bodies(stmt) and not isinstance(stmt, Quote | Comment | Banner):
            yield stmt
