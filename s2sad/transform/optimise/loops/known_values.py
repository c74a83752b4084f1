"""Compute a value once where statements of several loops have come together.

s += expf(x[c] - m);                         float exp_x = expf(x[c] - m);
sum_exp += expf(x[c] - m) * adj_p[c];   ->   s += exp_x;
                                             sum_exp += exp_x * adj_p[c];
"""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.atomics import is_drawn
from ....analysis.load_guards import evaluates
from ....ir import (
    COLLECTIVE,
    Accumulate,
    Assign,
    Binary,
    Body,
    Call,
    Comment,
    Declare,
    Expr,
    Place,
    Quote,
    Stmt,
    Sym,
    all_parts,
    expressions,
    is_floating,
    walk,
)
from ...common.adjoint_names import adjoint_name
from ...common.mod_ref import changes, written
from ...common.symbol_uses import mapped, used


def with_known_values(body: Body) -> Body:
    """The body with equal calls made once, and with the names of values instead of the values."""
    return _with_declared(_with_named_calls(body))


def _with_named_calls(body: Body) -> Body:
    out = list(body)
    for call in dict.fromkeys(_calls(body)):
        uses = [k for k, stmt in enumerate(out) if any(part == call for part in all_parts(stmt))]
        if not uses or sum(part == call for k in uses for part in all_parts(out[k])) < 2:
            continue
        first, last = uses[0], uses[-1]
        plain = all(isinstance(out[k], Declare | Assign | Accumulate) for k in uses)
        if not plain or any(changes(stmt, call) for stmt in out[first:last]) or _is_name(out[first], call):
            continue
        if not any(evaluates(top, call) for top in expressions(out[first])):
            continue  # its arguments may not exist
        words = [part.sym.plain for part in walk(call) if isinstance(part, Place)]
        name = Sym("_".join((adjoint_name(call, "").strip("_"), *words[:1])), call.type)
        at = first
        while at > 0 and isinstance(out[at - 1], Quote | Comment):
            at -= 1  # a comment stays with its statement
        named = [_replaced(stmt, call, name) for stmt in out[at:]]
        out[at:] = [Declare(name, call), *named]
    return tuple(out)


def _calls(body: Body) -> Iterator[Call]:
    """The calls of functions that only compute."""
    for part in all_parts(*body):
        if not isinstance(part, Call) or part.rule is None or part.rule in COLLECTIVE:
            continue
        if not part.outputs and not is_drawn(part):
            yield part


def _is_name(stmt: Stmt, call: Call) -> bool:
    return isinstance(stmt, Declare) and stmt.init == call


def _with_declared(body: Body) -> Body:
    """The body with declared names for the values that they have; declared before the first use."""
    out = list(body)
    set_again = frozenset[Sym]().union(*map(written, body))
    for stmt in body:
        if not isinstance(stmt, Declare) or stmt.sym in set_again or stmt.init is None:
            continue
        sym = stmt.sym
        at = next(k for k, s in enumerate(out) if isinstance(s, Declare) and s.sym is sym)
        stmt = out[at]  # with the names of values before it
        assert isinstance(stmt, Declare)
        value = stmt.init
        if not isinstance(value, Call | Binary) or not is_floating(value) or value.type != sym.type:
            continue
        first = at
        while first > 0 and _passes(out[first - 1], value):
            first -= 1
        holds = [k for k in range(first, len(out)) if k != at and _has(out[k], value)]
        stays = next((k for k in range(at, len(out)) if changes(out[k], value)), len(out))
        if any(k > stays for k in holds) or not holds:
            continue
        to = min(at, *holds)
        while to > first and isinstance(out[to - 1], Quote | Comment):
            to -= 1
        rest = [_replaced(s, value, sym) for k, s in enumerate(out) if k >= to and k != at]
        out[to:] = [stmt, *rest]
    return tuple(out)


def _passes(stmt: Stmt, value: Expr) -> bool:
    """Whether a declaration of a value may as well stand before a statement."""
    own = stmt.sym in value.symbols if isinstance(stmt, Declare) else False
    return not own and not changes(stmt, value) and (not value.symbols & written(stmt))


def _has(stmt: Stmt, value: Expr) -> bool:
    return value.symbols <= used(stmt) and any(part == value for part in all_parts(stmt))


def _replaced(stmt: Stmt, value: Expr, name: Sym) -> Stmt:
    return mapped(stmt, lambda e: Place(name, (), name.type) if e == value else None)
