"""Bound the trip count of a loop whose counter indexes an array of known extent.

    float g[9][5];
    for (int a = 2; a < n + 1; ++a)         whatever n is, 9 - 2 times at most:
        g[a][0] = g[a - 1][0] * c;          each iteration stores to g[a][0]

The contract assumes that the primal stays within its arrays, each index within its own extent.
Only stores that every iteration makes count: at the top level of the body, with no exit before
them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.constants import literal
from ...analysis.loops.counted_loops import Counter, constant
from ...analysis.traversal import leaves
from ...ir import Array, Assign, Binary, Expr, For, Place, Scalar, Sym, unconverted


def most(loop: For, count: Counter) -> int | None:
    """The maximum trip count of an upward loop, from the stores of each iteration; None if unknown.

    L30. With start + k * step + c <= extent - 1 for each k that is run, k < (extent - c - start) / step,
    rounded up.
    """
    start, step = constant(count.start), constant(count.step)
    if start is None or step is None or not count.ascending or step < 1:
        return None
    rooms = [extent - beyond - start for beyond, extent in _reached(loop, count.sym)]
    return max(0, -(-min(rooms) // step)) if rooms else None


def _reached(loop: For, counter: Sym) -> Iterator[tuple[int, int]]:
    """The offset from the counter of each index that every iteration stores at, and the index's extent."""
    for stmt in loop.body:
        if isinstance(stmt, Assign) and isinstance(stmt.target.sym.type, Array):
            kind = stmt.target.sym.type
            if not kind.open and len(kind.extents) == len(stmt.target.index):
                for index, extent in zip(stmt.target.index, kind.extents, strict=True):
                    beyond = _beyond(index, counter)
                    if beyond is not None:
                        yield beyond, extent
        if leaves(stmt):
            return


def _beyond(index: Expr, counter: Sym) -> int | None:
    """The number c of an index counter + c."""
    if not (isinstance(index.type, Scalar) and index.type.size >= 4):
        return None
    match unconverted(index):
        case Place(sym, ()):
            return 0 if sym is counter else None
        case Binary("+" | "-" as op, left, right):
            more = literal(right)
            inner = _beyond(left, counter)
            if inner is None and op == "+":
                more, inner = literal(left), _beyond(right, counter)
            return None if more is None or inner is None else inner + more if op == "+" else inner - more
        case _:
            return None
