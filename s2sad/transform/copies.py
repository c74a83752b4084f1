"""Names that say nothing new: a copy before it departs, a value that has a name already.

    float spot_2 = spot;                     held = keep_up * tape_value[level];
    held = keep_up * tape_value[level];  ->  float spot_2 = spot * up;
    spot_2 *= up;

    float r = 1.0f / up;                     float r = 1.0f / up;
    adj_up += r * r * g;                 ->  adj_up += r * r * g;
    float r_2 = 1.0f / up;                   adj_up += r * r * g_2;
    adj_up += r_2 * r_2 * g_2;

These are of the tool's making: the first comes from computing again, into a name of its
own, what the author changes in place; the second from two partials that need the same value.
So is a sum that only goes into another.
"""

from __future__ import annotations

from collections import Counter
from weakref import WeakKeyDictionary

from ..analysis.versions import outputs
from ..ir import (
    Accumulate,
    Assign,
    Binary,
    Block,
    Body,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Scalar,
    Stmt,
    Sym,
    Unary,
    rebuilt,
    statements,
)
from .algebra import rewrite
from .changes import changes, removable, written
from .guards import with_names
from .syms import begun, expressions, renaming, uses
from .together import made_together

ARITHMETIC = {"+=": "+", "-=": "-", "*=": "*", "/=": "/"}


def departed(body: Body) -> Body:
    """Each copy of a local variable begins where it gets a value that isn't the variable's."""
    out = [rebuilt(stmt, departed) for stmt in body]
    position = 0
    while position < len(out):
        match out[position]:
            case Declare(sym, Place(source, ())) if _copies(sym, source) and (
                later := _from(out[position + 1 :], sym, source)
            ):
                out[position:] = later
            case _:
                position += 1
    return tuple(out)


def _copies(sym: Sym, source: Sym) -> bool:
    return (
        removable(sym)
        and isinstance(sym.type, Scalar)
        and sym.type == source.type
        and {sym.storage, source.storage} == {"local"}
    )


def _from(body: list[Stmt], sym: Sym, source: Sym) -> list[Stmt] | None:
    """What follows a copy, without it; None where it can't be had."""
    assert isinstance(sym.type, Scalar)
    for k, stmt in enumerate(body):
        if isinstance(stmt, Assign) and stmt.target == Place(sym, (), sym.type):
            value = _whole(stmt, sym.type)
            if value is None or outputs(value):
                return None
            start = Declare(sym, rewrite(value, renaming({sym: source})), stmt.span)
            return [*with_names(tuple(body[:k]), {sym: source}), start, *body[k + 1 :]]
        if sym in written(stmt) or source in written(stmt):
            return None
    return None


def _whole(stmt: Assign, type_: Scalar) -> Expr | None:
    """All of what is assigned: `a * e` for `a *= e`, where that is done in the type of `a`."""
    if stmt.op is None:
        return stmt.value if stmt.value.type == type_ else None
    if stmt.op not in ARITHMETIC or stmt.value.type != type_:
        return None
    match ARITHMETIC[stmt.op], stmt.value:
        case "+" | "-" as op, Unary("-", value):
            return Binary("-" if op == "+" else "+", stmt.target, value, type_)
        case op, value:
            return Binary(op, stmt.target, value, type_)


def named_once(body: Body) -> Body:
    """A name of the tool's for a value that another name of the tool's still has goes."""
    out = list(body)
    changed = frozenset[Sym]().union(*map(written, out))
    said: dict[Stmt, _Said] = {}
    times = _times(out, said)
    for position, stmt in enumerate(out):
        if (made := _named(stmt)) is None:
            continue
        sym, value = made
        if sym not in changed and times[said[stmt]] > 1:
            later = out[position + 1 :]
            shared = _shared(later, sym, value)
            if len(shared) != len(later) or any(a is not b for a, b in zip(shared, later, strict=True)):
                out[position + 1 :] = shared
                times = _times(out, said)  # what goes makes other values equal
    return tuple(rebuilt(stmt, named_once) for stmt in out)


class _Said:
    """What a name says, and the value that it has; hashed once, as values are long."""

    def __init__(self, sym: Sym, value: Expr) -> None:
        self.all = sym.name, sym.type, sym.of, value
        self.hash = hash(self.all)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Said) and self.hash == other.hash and self.all == other.all


def _times(body: list[Stmt], said: dict[Stmt, _Said]) -> Counter[_Said]:
    """How often the same is said of the same value; `said` remembers it of each statement."""
    found: Counter[_Said] = Counter()
    for stmt in statements(tuple(body)):
        if (made := _named(stmt)) is not None:
            if stmt not in said:
                said[stmt] = _Said(*made)
            found[said[stmt]] += 1
    return found


_NAMED: WeakKeyDictionary[Stmt, tuple[Sym, Expr] | None] = WeakKeyDictionary()


def _named(stmt: Stmt) -> tuple[Sym, Expr] | None:
    """The name of the tool's that a statement gives a value, and the value; asked often, so remembered."""
    if stmt not in _NAMED:
        _NAMED[stmt] = _names(stmt)
    return _NAMED[stmt]


def _names(stmt: Stmt) -> tuple[Sym, Expr] | None:
    match stmt:
        case Declare(sym, init) if (
            removable(sym)
            and sym.storage == "local"
            and isinstance(init, Expr)
            and not isinstance(init, Place | Const)
            and not outputs(init)
            and not made_together(init)
        ):
            return sym, init
        case _:
            return None


def _alike(a: Sym, b: Sym) -> bool:
    """Whether one name says as much as the other: not the adjoints of two variables that are equal."""
    return (a.name, a.type, a.of) == (b.name, b.type, b.of)


def _shared(body: list[Stmt], sym: Sym, value: Expr) -> list[Stmt]:
    """What follows, with `sym` for each name of the same value, as far as nothing changes it."""
    out: list[Stmt] = []
    for k, stmt in enumerate(body):
        other = _named(stmt)
        if other is not None and _alike(other[0], sym) and other[1] == value:
            rest = body[k + 1 :]
            if not any(other[0] in written(s) for s in rest):
                return out + _shared([*with_names(tuple(rest), {other[0]: sym})], sym, value)
        changed = changes(stmt, value)
        if not changed or isinstance(stmt, If | Block):
            stmt = rebuilt(stmt, lambda inner: tuple(_shared(list(inner), sym, value)))
        out.append(stmt)
        if changed:
            return out + body[k + 1 :]
    return out


def summed_in_one(body: Body) -> Body:
    """A sum of the tool's that only goes into another one of a variable's is added to that directly.

    float adj_mean_sum_2 = 0.0f;
    for (…)                                  for (…)
        adj_mean_sum_2 -= adj_d;      ->         adj_mean_sum -= adj_d;
    adj_mean_sum += adj_mean_sum_2;
    """
    out = [rebuilt(stmt, summed_in_one) for stmt in body]
    position = 0
    while position < len(out):
        joined = _joined(out, position)
        if joined is None:
            position += 1
        else:
            out = joined
    return tuple(out)


def _joined(body: list[Stmt], position: int) -> list[Stmt] | None:
    """The body without the sum that is declared at a position, or without the one that it goes into."""
    if (part := _nought(body[position])) is None:
        return None
    later = body[position + 1 :]
    end = next((k for k, s in enumerate(later) if _goes_into(s, part)), None)
    if end is None or part in set(uses(later[end + 1 :])) or not all(_adds(s, part) for s in later[:end]):
        return None
    last = later[end]
    assert isinstance(last, Accumulate)
    whole = last.target.sym
    between, rest = later[:end], later[end + 1 :]
    start = next((k for k, s in enumerate(between) if _nought(s) is whole), None)
    if whole in set(uses(between)) or (start is None and whole in map(begun, statements(tuple(between)))):
        return None
    if start is not None:
        between = [*between[:start], *between[start + 1 :]]
        return [*body[: position + 1], *between, *with_names(tuple(rest), {whole: part})]
    return [*body[:position], *with_names(tuple(between), {part: whole}), *rest]


def _nought(stmt: Stmt) -> Sym | None:
    """The sum of the tool's that a statement begins."""
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
    """Whether nothing in a statement reads a sum, or sets it; it may be added to."""
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
