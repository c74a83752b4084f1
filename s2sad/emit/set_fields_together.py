"""Move the statements that set an adjoint's fields to the last of them, or the first, if they set all fields.

float adj_k.x = g_x;              float g_y = h * adj_s_y;
float g_y = h * adj_s_y;    ->    float adj_k.x = g_x;        (-> float2 adj_k = make_float2(g_x, 2.0f * g_y))
float adj_k.y = 2.0f * g_y;       float adj_k.y = 2.0f * g_y;

It runs before structs are reassembled, which makes one statement of consecutive ones; of others it
makes `float2 adj_k = {};` and an assignment for each field. All stay where they are if a statement on
the way reads one of the variables or changes one of the values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..fields import leaves
from ..ir import Assign, Body, Declare, Expr, Initialiser, Place, Scalar, Stmt, Sym, rebuilt
from ..transform.common.mod_ref import changes, meets, sets
from ..transform.common.symbol_uses import used
from ..transform.states import same
from .struct_members import Member, member_of


def set_fields_together(body: Body) -> Body:
    """Bring the statements together that set the fields of an adjoint, in a body and those inside it."""
    stmts = [rebuilt(stmt, set_fields_together) for stmt in body]
    for run in _scattered(stmts):
        places = [next(k for k, s in enumerate(stmts) if s is stmt) for stmt in run]
        first, last = places[0], places[-1]
        between = [stmt for k, stmt in enumerate(stmts) if first < k < last and k not in places]
        if all(_falls(stmts[k], stmts[k + 1 : last + 1]) for k in places[:-1]):
            stmts = [*stmts[:first], *between, *run, *stmts[last + 1 :]]
        elif all(_rises(stmts[k], stmts[first:k]) for k in places[1:]):
            stmts = [*stmts[:first], *run, *between, *stmts[last + 1 :]]
    new = tuple(stmts)
    return body if same(new, body) else new


def _scattered(stmts: list[Stmt]) -> Iterator[list[Stmt]]:
    """Yield the statements that set all fields of a variable once, where they aren't consecutive."""
    found: dict[tuple[Sym, str, bool], dict[tuple[str, ...], int]] = {}
    complete: list[list[int]] = []
    for k, stmt in enumerate(stmts):
        member = _field(stmt)
        if member is None:
            continue
        run = found.setdefault((member.author, member.name, isinstance(stmt, Declare)), {})
        if member.path in run:
            run.clear()
        run[member.path] = k
        if set(run) == {leaf.path for leaf in leaves(member.struct)}:
            complete.append(list(run.values()))
            run.clear()
    for places in complete:
        if places[-1] - places[0] >= len(places):
            yield [stmts[k] for k in places]


def _field(stmt: Stmt) -> Member | None:
    """Return the field of an adjoint that a statement gives a value."""
    if _value(stmt) is None:
        return None
    match stmt:
        case Declare(sym) | Assign(Place(sym, ()), _, None):
            return member_of(sym) if sym.ours and isinstance(sym.type, Scalar) else None
        case _:
            return None


def _value(stmt: Stmt) -> Expr | None:
    """Return the value that a statement gives to a variable."""
    match stmt:
        case Declare(_, init) if init is not None and not isinstance(init, Initialiser):
            return init
        case Assign(_, value, None):
            return value
        case _:
            return None


def _falls(stmt: Stmt, over: Sequence[Stmt]) -> bool:
    """Whether a statement that sets a variable may move behind others."""
    sym, value = _set(stmt)
    return not meets(stmt) and not any(sym in used(s) or sym in sets(s) or changes(s, value) for s in over)


def _rises(stmt: Stmt, over: Sequence[Stmt]) -> bool:
    """Whether it may move before others."""
    _, value = _set(stmt)
    return _falls(stmt, over) and value.symbols.isdisjoint({s for other in over for s in sets(other)})


def _set(stmt: Stmt) -> tuple[Sym, Expr]:
    value = _value(stmt)
    assert isinstance(stmt, Declare | Assign)
    assert value is not None
    return (stmt.sym if isinstance(stmt, Declare) else stmt.target.sym), value
