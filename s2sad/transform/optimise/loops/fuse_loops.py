"""Fuse loops of the reverse sweep over the same iterations, so that an adjoint is updated in one pass.

    for (int c = 0; c < C; ++c)                  …
        adj_x[c] += s * adj_y[c];                adj_m -= …;
    adj_m -= …;                            ->    for (int c = 0; c < C; ++c) {
    for (int c = 0; c < C; ++c)                      adj_x[c] += s * adj_y[c];
        adj_x[c] += adj_m / C;                       adj_x[c] += adj_m / C;
                                                 }

Only if both update one array or read one. A sum of the first loop that the second one needs is
computed in an earlier loop, often one of the forward sweep (`hoist_reductions`); a loop of which
nothing else is left goes.
"""

from __future__ import annotations

from dataclasses import replace

from ....ir import (
    Accumulate,
    Assign,
    Body,
    Declare,
    For,
    Place,
    Quote,
    Stmt,
    Sym,
    all_parts,
    bodies,
    expressions,
    rebuilt,
    statements,
    walk,
)
from ...common.algebra import converted
from ...common.guard_splitting import with_names
from ...common.jumps import exits
from ...common.mod_ref import changes, meets, removable, written
from ...common.symbol_uses import mapped, renaming, used
from ..contribution_audit import accounted
from ..scalar.simplify import sum_of
from ..uniformity import Alike
from .hoist_reductions import Kernel, hoisted
from .iteration_spaces import changed, counter, declared, iterations, only_computes, private, read
from .known_values import with_known_values


def fuse_loops(body: Body) -> Body:
    """The body with such loops fused."""
    updated = _updated(body)
    if not _several(updated):
        return accounted("fuse_loops", body, updated)
    kernel = Kernel(frozenset[Sym]().union(*map(written, body)), Alike(body))
    reads = frozenset[Sym]().union(*map(read, statements(body)))
    return accounted("fuse_loops", body, _fused(updated, kernel, reads))


def _updated(body: Body) -> Body:
    """The body with one update of each element in an iteration of a loop."""
    out: list[Stmt] = []
    for stmt in body:
        new = rebuilt(stmt, _updated)
        if isinstance(new, For) and (once := _updated_once(new.body)) is not new.body:
            new = replace(new, body=once)
        out.append(new)
    return tuple(out)


def _several(body: Body) -> bool:
    """Whether one of the nested bodies has two loops over the same iterations that may be fused."""
    loops = [s for s in body if isinstance(s, For)]
    heads = [head for loop in loops if (head := iterations(loop)) is not None]
    return len(set(heads)) < len(heads) or any(_several(b) for s in body for b in bodies(s))


def _fused(body: Body, kernel: Kernel, reads: frozenset[Sym]) -> Body:
    out: list[Stmt] = [rebuilt(s, lambda b: _fused(b, kernel, reads)) for s in body]
    position = 0
    while position < len(out):
        new = _from(out, position, kernel, reads)
        if new is None:
            position += 1
        else:
            out = new
    return tuple(out)


def _from(body: list[Stmt], position: int, kernel: Kernel, reads: frozenset[Sym]) -> list[Stmt] | None:
    """The body with the loop at a position fused with the next one over its iterations, or without it."""
    loop = body[position]
    if not isinstance(loop, For) or not _adds(loop) or (head := iterations(loop)) is None:
        return None
    if not only_computes(loop) or any(s in kernel.stored and not private(s) for s in head.symbols):
        return None
    following = (k for k in range(position + 1, len(body)) if _is(body[k], head))
    other = next(following, None)
    if other is not None and (new := _together(body, position, other, kernel, reads)) is not None:
        return new
    made = hoisted(body, position, kernel)
    if made is None:
        return None
    if made.position is None:
        return made.body
    if other is None:
        return None
    other += len(made.body) - len(body)
    return _together(made.body, made.position, other, kernel, reads)


def _together(
    body: list[Stmt], first: int, second: int, kernel: Kernel, reads: frozenset[Sym]
) -> list[Stmt] | None:
    """The body with two loops fused at the place of the second; None if that isn't right, or not worth it."""
    a, b = body[first], body[second]
    assert isinstance(a, For)
    assert isinstance(b, For)
    if not _adds(b) or not only_computes(b):
        return None
    between, rest = _with_own_names(body, first, second)
    b = rest[0]
    assert isinstance(b, For)
    mine = _renamed(a, counter(b))
    if any(exits(s) or changed(s) & used(mine) or written(mine) & used(s) for s in between):
        return None
    own = frozenset(declared(mine, b))
    both = ((written(mine) & used(b)) | (written(b) & used(mine))) - own
    if any(both & read(s) for s in statements((mine, b))) or not _share(mine, b):
        return None
    if any(map(meets, between)) and not all(_at_any_time(s, b, kernel, reads) for s in statements(mine.body)):
        return None
    return [
        *body[:first],
        *between,
        replace(b, body=with_known_values(_updated_once((*mine.body, *b.body)))),
        *rest[1:],
    ]


def _renamed(loop: For, sym: Sym) -> For:
    """The loop with another counter."""
    new = mapped(loop, renaming({counter(loop): sym}))
    assert isinstance(new, For)
    return new


def _with_own_names(body: list[Stmt], first: int, second: int) -> tuple[list[Stmt], list[Stmt]]:
    """The statements between two loops, and those from the second on.

    What they set again of the tool's values in the first loop has a new name.
    """
    loop = body[first]
    mine = {s.sym for s in body[:first] if isinstance(s, Declare) and removable(s.sym)}
    mine &= used(loop) - written(loop)
    between: list[Stmt] = []
    rest = body[first + 1 :]
    for _ in range(first + 1, second):
        stmt, *rest = rest
        match stmt:
            case Assign(Place(sym, ()), value, None) if sym in mine and sym not in value.symbols:
                new = replace(sym)
                between.append(Declare(new, converted(value, sym.type), stmt.span, stmt.sites, stmt.told))
                rest = list(with_names(tuple(rest), {sym: new}))
            case _:
                between.append(stmt)
    return between, rest


def _share(a: For, b: For) -> bool:
    """Whether two loops add to one array, or read one element."""
    added = [
        {s.target.sym for s in statements(loop.body) if isinstance(s, Accumulate) and s.target.index}
        for loop in (a, b)
    ]
    loaded = [
        {e for e in all_parts(loop) if isinstance(e, Place) and e.index and counter(b) in e.symbols}
        for loop in (a, b)
    ]
    return bool(added[0] & added[1] or loaded[0] & loaded[1])


def _at_any_time(stmt: Stmt, other: For, kernel: Kernel, reads: frozenset[Sym]) -> bool:
    """Whether a statement does the same after a barrier, in a loop fused with another one."""
    for part in (part for expr in expressions(stmt) for part in walk(expr)):
        match part:
            case Place(sym) if isinstance(stmt, Accumulate) and part is stmt.target and part.index:
                adds = [s for s in other.body if isinstance(s, Accumulate) and s.target == part]
                same = stmt.how == "atomic" or any(s.how == stmt.how == "owner" for s in adds)
                if not private(sym) and (sym in reads or not same):
                    return False
            case Place(sym) if sym in kernel.stored and not private(sym):
                return False
            case _:
                pass
    return True


def _updated_once(body: Body) -> Body:
    """The body with a thread's additions to one element merged into the last of them."""
    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, Accumulate) and stmt.target.index and stmt.how in ("owner", "local", "atomic"):
            before = _earlier(out, stmt)
            if before is not None:
                k = out.index(before)
                out[:] = [*_merged_quote(out[:k]), *out[k + 1 :]]
                stmt = sum_of(before, stmt)
        out.append(stmt)
    return body if len(out) == len(body) else tuple(out)


def _merged_quote(before: list[Stmt]) -> list[Stmt]:
    """The statements before an addition that is made later, whose primal line is still quoted."""
    for k in range(len(before) - 1, -1, -1):
        quote = before[k]
        if isinstance(quote, Quote):
            return [*before[:k], replace(quote, merged=True), *before[k + 1 :]]
    return before


def _earlier(body: list[Stmt], add: Accumulate) -> Accumulate | None:
    """An earlier addition to the same element that may as well be made with this one."""
    between: list[Stmt] = []
    for stmt in reversed(body):
        if isinstance(stmt, Accumulate) and stmt.target == add.target and stmt.how == add.how:
            parts = (stmt.amount, *stmt.target.index)
            alone = add.target.sym not in stmt.amount.symbols | add.amount.symbols
            return None if not alone or any(changes(s, e) for s in between for e in parts) else stmt
        if add.target.sym in used(stmt) or exits(stmt):
            return None
        between.append(stmt)
    return None


def _is(stmt: Stmt, head: object) -> bool:
    return isinstance(stmt, For) and iterations(stmt) == head


def _adds(loop: For) -> bool:
    """Whether a loop adds to adjoints, so that it belongs to the reverse sweep."""
    return any(isinstance(s, Accumulate) for s in statements(loop.body))
