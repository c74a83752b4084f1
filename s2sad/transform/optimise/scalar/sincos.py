"""Compute the sine and cosine of one argument in one call.

    tape_s[k] = sinf(s);                       float sine, cosine;
    adj_s += w[k] * cosf(s) * adj_s;    ->     sincosf(s, &sine, &cosine);
                                               tape_s[k] = sine; …

A derivative of one function adds the other, and each would repeat the argument reduction.
Only in loops, where that is worth three more lines, if a derivative uses one of the two,
within one body, and only for calls that are evaluated unconditionally.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ....analysis.ssa import Loop
from ....ir import (
    VOID,
    AddressOf,
    Binary,
    Body,
    Call,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Place,
    Pointer,
    Restore,
    Scalar,
    Select,
    Stmt,
    Sym,
    While,
    bodies,
    children,
    expressions,
    rebuilt,
)
from ...common.mod_ref import changes, written
from ...common.symbol_uses import in_expr, mapped, uses

NAMES = {"sin": ("sinf", "sin"), "cos": ("cosf", "cos")}


def with_sincos(body: Body, looped: bool = False) -> Body:
    """The body with such pairs computed together; `looped`: it is inside a loop."""
    body = tuple(_inside(stmt, looped) for stmt in body)
    while looped and (pair := _first_pair(body)) is not None:
        body = _joined(body, pair)
    return body


def _inside(stmt: Stmt, looped: bool) -> Stmt:
    looped = looped or isinstance(stmt, Loop)
    new = rebuilt(stmt, lambda body: with_sincos(body, looped))
    same = zip(bodies(stmt), bodies(new), strict=True)
    return stmt if all(a is b for a, b in same) else new


@dataclass
class _Pair:
    """Calls of both functions with one argument, from statement `first` to `last` of a body."""

    arg: Expr
    first: int
    last: int
    rules: set[str] = field(default_factory=set)
    ours: bool = False


def _first_pair(body: Body) -> _Pair | None:
    """The first argument of which both are computed before it changes."""
    open_: dict[Expr, _Pair] = {}
    done: list[_Pair] = []
    for k, stmt in enumerate(body):
        for expr in expressions(stmt) if not isinstance(stmt, While | DoWhile | For) else ():
            for call in _always(expr):
                if bodies(stmt) and changes(stmt, call):
                    continue  # the argument changes inside
                pair = open_.setdefault(call.args[0], _Pair(call.args[0], k, k))
                pair.last = k
                pair.rules.add(call.rule or "")
                pair.ours = pair.ours or call.origin == "tool"
        for arg in [a for a in open_ if changes(stmt, a)]:
            done.append(open_.pop(arg))
    complete = [p for p in (*done, *open_.values()) if p.ours and len(p.rules) == 2]
    return min(complete, key=lambda p: p.first, default=None)


def _always(expr: Expr) -> Iterator[Call]:
    """Sines and cosines that are evaluated whenever the expression is."""
    match expr:
        case Call(name, (arg,), Scalar(), rule) if rule in NAMES and name in NAMES[rule]:
            if arg.type == expr.type:
                yield expr
        case _:
            pass
    match expr:
        case Select(cond):
            yield from _always(cond)
        case Binary("&&" | "||", left):
            yield from _always(left)
        case _:
            for child in children(expr):
                yield from _always(child)


def _joined(body: Body, pair: _Pair) -> Body:
    type_ = pair.arg.type
    assert isinstance(type_, Scalar)
    names = {"sin": Sym("sine", type_), "cos": Sym("cosine", type_)}
    outs = [AddressOf(Place(s, (), type_), Pointer(type_)) for s in names.values()]
    name = "sincosf" if type_.size == 4 else "sincos"

    def change(e: Expr) -> Expr | None:
        match e:
            case Call(called, (arg,), _, rule) if rule in NAMES and called in NAMES[rule] and arg == pair.arg:
                return Place(names[rule], (), type_)
            case _:
                return None

    before = list(body[: pair.first])
    after = [mapped(s, change) for s in body[pair.first : pair.last + 1]] + list(body[pair.last + 1 :])
    arg = _restored(before, after, pair.arg)
    together = Evaluate(Call(name, (arg, *outs), VOID, rule="sincos"))
    return (*before, *map(Declare, names.values()), together, *after)


def _restored(before: list[Stmt], after: list[Stmt], arg: Expr) -> Expr:
    """The argument; a recorded value that was named for its two uses is read directly."""
    if not isinstance(arg, Place) or arg.index or arg.sym in set(uses(after)):
        return arg
    for k, stmt in enumerate(before):
        match stmt:
            case Restore(Place(sym, ()), tape, True) if sym is arg.sym and tape.type == arg.type:
                later = before[k + 1 :]
                read = {*in_expr(tape), sym}
                still = all(read.isdisjoint(written(s)) and not changes(s, tape) for s in later)
                if sym not in set(uses(later)) and still:
                    del before[k]
                    return tape
            case _:
                pass
    return arg
