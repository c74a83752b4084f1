"""Merge a tool-made sum into the only sum that it is added to.

float adj_mean_sum_2 = 0.0f;
for (…)                                  for (…)
    adj_mean_sum_2 -= adj_d;      ->         adj_mean_sum -= adj_d;
adj_mean_sum += adj_mean_sum_2;
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ....ir import (
    Accumulate,
    Body,
    Const,
    Declare,
    Place,
    Scalar,
    Stmt,
    Sym,
    expressions,
    rebuilt,
    statements,
)
from ...common.def_use import positions
from ...common.guard_splitting import with_declared, with_names
from ...common.jumps import exits
from ...common.mod_ref import changes, meets, removable
from ...common.symbol_uses import begun, used, uses
from ..scalar.simplify import merged


def coalesce_sums(body: Body) -> Body:
    """Merge a tool-made sum into the only local sum that it is added to.

    float adj_mean_sum_2 = 0.0f;
    for (…)                                  for (…)
        adj_mean_sum_2 -= adj_d;      ->         adj_mean_sum -= adj_d;
    adj_mean_sum += adj_mean_sum_2;
    """
    out = tuple(rebuilt(stmt, coalesce_sums) for stmt in body)
    vectors: dict[str, Sym] = {}  # those whose components were joined with another one's
    position = 0
    while position < len(out):
        joined = _joined(out, position)
        if joined is None and (found := _of_one_element(out, position)) is not None:
            joined, part, whole = found
            if (one := _component(part)) is not None and _component(whole) is not None:
                vectors[one[0]] = whole
        if joined is None:
            position += 1
        else:
            out = joined
    return _with_components(out, vectors) if vectors else out


def _component(sym: Sym) -> tuple[str, str] | None:
    """A vector's name and the component that a sum is: `adj_p` and `x` of adj_p.x."""
    vector, apart, component = sym.name.rpartition(".")
    return (vector, component) if apart else None


def _renamed(name: str, component: str) -> str:
    return f"{name.rpartition('.')[0]}.{component}"


def _with_components(body: Body, vectors: Mapping[str, Sym]) -> Body:
    """The body with the components that are left of these vectors in those that have the others."""
    sums = [sym for s in body if (sym := _nought(s)) is not None]
    names = {sym.name for sym in sums}
    renamed: dict[Sym, Sym] = {}
    for sym in sums:
        vector, component = _component(sym) or ("", "")
        other = vectors.get(vector)
        if other is None:
            continue
        name = _renamed(other.name, component)
        if name not in names:
            of = other.of and replace(other.of, name=_renamed(other.of.name, component), path=(component,))
            renamed[sym] = replace(sym, name=name, otherwise=(), of=of)
            names.add(name)
    return with_declared(body, renamed)


def _joined(body: Body, position: int) -> Body | None:
    """The body without the sum declared at a position, or without the one that it is added to."""
    if (part := _nought(body[position])) is None:
        return None
    *adding, end = positions(body, part, position + 1) or (position,)
    if not _goes_into(body[end], part) or not all(_adds(body[k], part) for k in adding):
        return None
    last = body[end]
    assert isinstance(last, Accumulate)
    whole = last.target.sym
    between, rest = body[position + 1 : end], body[end + 1 :]
    start = next((k for k, s in enumerate(between) if _nought(s) is whole), None)
    if whole in set(uses(between)) or (start is None and whole in map(begun, statements(between))):
        return None
    if start is not None:
        between = (*between[:start], *between[start + 1 :])
        return (*body[: position + 1], *between, *with_names(rest, {whole: part}))
    return (*body[:position], *with_names(between, {part: whole}), *rest)


def _of_one_element(body: Body, position: int) -> tuple[Body, Sym, Sym] | None:
    """The body with the sum declared at a position in one with a later one, if both go to one element.

    With it: the sum that is gone, and the one that is left.
    """
    if (part := _nought(body[position])) is None:
        return None
    *adding, end = positions(body, part, position + 1) or (position,)
    first = body[end]
    if not _is_owned(first, part) or not all(_adds(body[k], part) for k in adding):
        return None
    assert isinstance(first, Accumulate)
    sums = {sym for s in body[:end] if (sym := _nought(s)) is not None and sym is not part}
    for k in range(end + 1, len(body)):
        stmt = body[k]
        if isinstance(stmt, Accumulate) and stmt.target == first.target:
            whole = next((sym for sym in sums if _is_owned(stmt, sym)), None)
            if whole is None or whole.type != part.type:
                return None
            *others, last = positions(body, whole, 0) or (k,)
            if last != k or not all(_adds(body[j], whole) or _nought(body[j]) is whole for j in others):
                return None
            start = next(j for j, s in enumerate(body) if _nought(s) is whole)
            at = min(start, position)
            rest = [s for j, s in enumerate(body) if j not in (start, position, end)]
            told = with_names((*rest[:at], body[start], *rest[at:]), {part: whole})
            return tuple(_told(s, first, whole) for s in told), part, whole
        if first.target.sym in used(stmt) or meets(stmt) or exits(stmt):
            return None
        if any(changes(stmt, e) for e in first.target.index):
            return None
    return None


def _is_owned(stmt: Stmt, part: Sym) -> bool:
    """Whether a statement adds a sum to a thread's own element."""
    match stmt:
        case Accumulate(Place(_, (_, *_)), Place(sym, ()), "owner", False) if sym is part:
            return stmt.exists is None
        case _:
            return False


def _told(stmt: Stmt, first: Accumulate, whole: Sym) -> Stmt:
    """The addition that is left, which stands for both."""
    if not _is_owned(stmt, whole):
        return stmt
    assert isinstance(stmt, Accumulate)
    return replace(stmt, sites=merged(stmt.sites, first.sites), told=merged(stmt.told, first.told))


def _nought(stmt: Stmt) -> Sym | None:
    """The tool-made sum that a statement declares as zero."""
    match stmt:
        case Declare(sym, Const(value)) if (
            removable(sym) and isinstance(sym.type, Scalar) and sym.storage == "local" and value == 0.0
        ):
            return sym if sym.type.is_float else None
        case _:
            return None


def _goes_into(stmt: Stmt, part: Sym) -> bool:
    match stmt:
        case Accumulate(Place(whole, ()), Place(sym, ()), _, False) if sym is part:
            return whole.type == part.type and whole.storage == "local" and removable(whole)
        case _:
            return False


def _adds(stmt: Stmt, part: Sym) -> bool:
    """Whether a statement neither reads nor sets a sum; it may add to it."""
    for inner in statements((stmt,)):
        match inner:
            case Accumulate(Place(sym, ()), amount) if sym is part:
                if part in amount.symbols:
                    return False
            case Declare(sym) if sym is part:
                return False
            case _:
                if part in {s for e in expressions(inner) for s in e.symbols}:
                    return False
    return True
