"""Turn the first addition to a zero adjoint into a store.

    float adj_sum = 0.0f;                    float adj_sum = 0.0f;
    if (lane == 0)                     ->    if (lane == 0)
        adj_sum += adj_y[row];                   adj_sum = adj_y[row];

    for (int q = threadIdx.x; q < BINS; q += blockDim.x)
        adj_mine[q] = 0.0f;
    __syncthreads();                         __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        adj_mine[b] += adj_hist[b];    ->    … adj_mine[b] = adj_hist[b];

Elements of a thread's own array likewise (`first_element_stores`). The second form requires that the loop
visits the elements like the clearing loop, and that they aren't accessed in between. The barrier is left to
`eliminate_barriers`. A compiler can't do this: zero plus a number is that number except for the sign of zero.
"""

from __future__ import annotations

from dataclasses import replace

from ....ir import (
    INT,
    UINT,
    Accumulate,
    Assign,
    Body,
    Cast,
    Clear,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Stmt,
    Sym,
    expressions,
    rebuilt,
    remembered,
    statements,
)
from ...common.algebra import converted, is_const, rewrite
from ...common.def_use import chains, positions
from ...common.jumps import exits
from ...common.mod_ref import removable, written
from ...common.symbol_uses import used
from ..scalar.simplify import at_declaration, merged, signed
from .first_element_stores import with_first_elements


def with_firsts(body: Body) -> Body:
    """The body with such stores."""
    out: list[Stmt] = []
    begun: set[Sym] = set()
    for stmt in (rebuilt(s, with_firsts) for s in body):
        declared = None
        if isinstance(stmt, Declare):
            begun.add(stmt.sym)
        elif isinstance(stmt, Accumulate) and stmt.target.sym in begun:
            declared = at_declaration(out, stmt, copies=True)
        out.append(declared or stmt)
    _store_firsts(out)
    out = with_first_elements(out)
    return _set_at_once(out)


# ---- sums of one thread --------------------------------------------------------


def _store_firsts(body: list[Stmt]) -> None:
    """For each sum declared as zero, make the only branch that adds to it store its first contribution."""
    before = tuple(body)
    sums: dict[int, list[tuple[int, Sym]]] = {}  # by the branch's position
    for position, stmt in enumerate(body):
        match stmt:
            case Declare(sym, Const() as init) if removable(sym) and is_const(init, 0.0):
                first, *later = positions(before, sym, position + 1) or (position,)
                if isinstance(body[first], If) and not any(
                    isinstance(body[k], If) and sym in _added(body[k]) for k in later
                ):
                    sums.setdefault(first, []).append((position, sym))
            case _:
                pass
    for first, found in sums.items():
        branch = body[first]
        assert isinstance(branch, If)
        body[first] = stored = _stored(branch, frozenset(sym for _, sym in found))
        for position, sym in found:
            if _sets(stored.then, sym) and _sets(stored.other, sym):
                body[position] = Declare(sym, None, getattr(body[position], "span", None))


@remembered
def _added(stmt: Stmt) -> frozenset[Sym]:
    """What a statement and those in it add to."""
    return frozenset(s.target.sym for s in statements((stmt,)) if isinstance(s, Accumulate))


def _sets(body: Body, sym: Sym) -> bool:
    """Whether the first use of a variable in a body stores it, on every path."""
    users = positions(body, sym)
    match body[users[0]] if users else None:
        case Assign(Place(target, ()), value, None):
            return target is sym and sym not in value.symbols
        case If(cond, then, other):
            return sym not in cond.symbols and _sets(then, sym) and _sets(other, sym)
        case _:
            return False


def _stored(branch: If, syms: frozenset[Sym]) -> If:
    """The branch with the first addition to each zero sum, on either path, turned into a store."""
    syms -= branch.cond.symbols

    def firsts(body: Body) -> Body:
        uses = chains(body)
        at: dict[int, set[Sym]] = {}
        for sym in syms & uses.keys():
            at.setdefault(uses[sym][0], set()).add(sym)
        out = list(body)
        for position, mine in at.items():
            match body[position]:
                case Accumulate(target, amount, "local") as added if target.sym in mine - amount.symbols:
                    new = converted(signed(added), target.type)
                    out[position] = Assign(target, new, sites=added.sites, told=added.told)
                case If() as inner:
                    out[position] = _stored(inner, frozenset(mine))
                case _:
                    pass
        return tuple(out)

    return replace(branch, then=firsts(branch.then), other=firsts(branch.other)) if syms else branch


# ---- arrays of a block ---------------------------------------------------------


def _set_at_once(body: list[Stmt]) -> Body:
    """Remove clears of shared arrays if the first access is a loop that adds to all elements."""
    out = list(body)
    for clearing in body:
        match clearing:
            case For(_, _, _, (Clear(Place(array)),)) if array.storage == "shared":
                pass
            case _:
                continue
        position = out.index(clearing)
        for k in range(position + 1, len(out)):
            stmt = out[k]
            if array in used(stmt):
                if isinstance(stmt, For) and (setting := _setting(stmt, clearing, array, body)) is not None:
                    out[k] = setting
                    del out[position]
                break
            if exits(stmt):
                break
    return tuple(out)


def _setting(loop: For, clearing: For, array: Sym, body: list[Stmt]) -> For | None:
    """A loop that stores what it adds, if it visits the elements like the clearing loop; else None."""
    match loop.init, clearing.init:
        case (Declare(counter),), (Declare(other),) if counter.type in (INT, UINT):
            pass
        case _:
            return None
    asked, made = _head(loop, {counter: other}), _head(clearing, {})
    changed = {sym for stmt in body for sym in written(stmt)} - {other}
    inside = {sym for stmt in loop.body for sym in written(stmt)}
    if asked != made or changed & {s for e in made for s in e.symbols} or counter in inside:
        return None
    touching = [k for k, stmt in enumerate(loop.body) if array in used(stmt)]
    if len(touching) != 1 or any(map(exits, loop.body)):
        return None
    (at,) = touching
    match loop.body[at], clearing.body:
        case Accumulate(target, amount, "owner" | "phase") as added, (Clear(element) as clear,) if (
            _plain(target, {counter: other}) == _plain(element, {}) and array not in amount.symbols
        ):
            sites, told = merged(clear.sites, added.sites), merged(clear.told, added.told)
            new = Assign(target, converted(signed(added), target.type), sites=sites, told=told)
            return replace(loop, body=(*loop.body[:at], new, *loop.body[at + 1 :]))
        case _:
            return None


def _head(loop: For, names: dict[Sym, Sym]) -> list[Expr]:
    """The expressions of a loop's header, with names replaced: start, step and end."""
    found = [e for s in (*loop.init, *loop.step) for e in expressions(s)]
    return [_plain(e, names) for e in (*found, *([] if loop.cond is None else [loop.cond]))]


def _plain(expr: Expr, names: dict[Sym, Sym]) -> Expr:
    """An integer without implicit conversions, with names replaced."""

    def change(e: Expr) -> Expr | None:
        match e:
            case Cast(arg, implicit=True):
                return _plain(arg, names)
            case Place(sym, ()):
                return Place(names.get(sym, sym), (), INT)
            case Const(int() as value):
                return Const(value, INT)
            case _:
                return None

    return rewrite(expr, change)


__all__ = ["with_firsts"]
