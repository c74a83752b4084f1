"""Find breaks, continues and returns inside statements, and replace them by flags.

A jump that can't be moved to the tail of its body sets a flag, and the statements that it
would have skipped are guarded by it:

    if (c) { a; break; }        if (c) { a; left = true; }
    b                     ->    if (!left) { b }

Inside a switch, the jump sets the flag and leaves the switch; a return inside a loop sets
the flag and leaves the loop. The flag is tested after the switch or loop.
"""

from __future__ import annotations

from dataclasses import replace

from ...analysis.constants import OPPOSITE
from ...analysis.ssa import Loop
from ...analysis.traversal import ends
from ...ir import (
    BOOL,
    Assign,
    Binary,
    Block,
    Body,
    Break,
    Const,
    Continue,
    DoWhile,
    Expr,
    For,
    If,
    Place,
    Return,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    is_integer,
    remembered,
)

TRUE = Const(True, BOOL)
FALSE = Const(False, BOOL)


Exit = Break | Continue | Return


def once(body: Body) -> bool:
    """Whether a loop's body (in tail form or not) leaves the loop on every path."""
    return ends(body) and not any_has(body, Continue)


def exits(stmt: Stmt) -> bool:
    """Whether control may leave the enclosing body from inside a statement."""
    return bool(_kinds(stmt))


def has(stmt: Stmt, kind: type[Exit]) -> bool:
    """Whether an exit of this kind inside the statement leaves the enclosing body."""
    return kind in _kinds(stmt)


@remembered
def _kinds(stmt: Stmt) -> frozenset[type[Exit]]:
    """The kinds of exits inside a statement that leave the enclosing body."""
    match stmt:
        case Break() | Continue() | Return():
            return frozenset({type(stmt)})
        case If(_, then, other):
            return _all_kinds(then) | _all_kinds(other)
        case Block(body):
            return _all_kinds(body)
        case Switch(_, cases):
            return frozenset[type[Exit]]().union(*(_all_kinds(c.body) for c in cases)) - {Break}
        case For() | While() | DoWhile():
            return _all_kinds(stmt.body) & {Return}
        case _:
            return frozenset()


def _all_kinds(body: Body) -> frozenset[type[Exit]]:
    return frozenset[type[Exit]]().union(*map(_kinds, body))


def any_has(body: Body, kind: type[Exit]) -> bool:
    return any(has(s, kind) for s in body)


def flagged(body: Body, kind: type[Exit], flag: Sym, result: Sym | None) -> Body:
    """Replace each exit of a kind by setting the flag; guard what follows it in enclosing bodies."""
    out: list[Stmt] = []
    for position, stmt in enumerate(body):
        rest = body[position + 1 :]
        if not has(stmt, kind):
            out.append(stmt)
            continue
        match stmt:
            case Break() | Continue() | Return():
                return (*out, *_set(stmt, flag, result))
            case If():
                then = flagged(stmt.then, kind, flag, result)
                out.append(replace(stmt, then=then, other=flagged(stmt.other, kind, flag, result)))
            case Block(inner):
                return (*out, *flagged((*inner, *rest), kind, flag, result))
            case Switch() | For() | While() | DoWhile():
                out.append(_around(stmt, kind, flag, result))
        if rest:
            test = Unary("!", Place(flag, (), BOOL), BOOL)
            out.append(If(test, flagged(rest, kind, flag, result)))
        return tuple(out)
    return tuple(out)


def replaced(body: Body, kind: type[Exit], flag: Sym, result: Sym | None) -> Body:
    """Replace each exit of a kind by setting the flag and leaving the enclosing loop or switch."""
    out: list[Stmt] = []
    for stmt in body:
        if not has(stmt, kind):
            out.append(stmt)
            continue
        match stmt:
            case Break() | Continue() | Return():
                return (*out, *_set(stmt, flag, result), Break(span=stmt.span))
            case If():
                then = replaced(stmt.then, kind, flag, result)
                out.append(replace(stmt, then=then, other=replaced(stmt.other, kind, flag, result)))
            case Block(inner):
                out.append(Block(replaced(inner, kind, flag, result)))
            case Switch() | For() | While() | DoWhile():
                out.append(_around(stmt, kind, flag, result))
                out.append(If(Place(flag, (), BOOL), (Break(),)))
    return tuple(out)


def _around(stmt: Switch | Loop, kind: type[Exit], flag: Sym, result: Sym | None) -> Stmt:
    """A switch or loop whose inner exits of a kind set the flag and leave it."""
    if isinstance(stmt, Switch):
        cases = tuple(replace(c, body=replaced(c.body, kind, flag, result)) for c in stmt.cases)
        return replace(stmt, cases=cases)
    return replace(stmt, body=replaced(stmt.body, kind, flag, result))


def _set(stmt: Exit, flag: Sym, result: Sym | None) -> Body:
    """Store the returned value, if any, and set the flag."""
    out: list[Stmt] = []
    if isinstance(stmt, Return) and stmt.value is not None and result is not None:
        out.append(Assign(Place(result, (), result.type), stmt.value, span=stmt.span))
    return (*out, Assign(Place(flag, (), BOOL), TRUE))


def ended(body: Body, *kinds: type[Exit]) -> Body:
    """A body in tail form without exits of these kinds, where they only mark its end."""
    if not body:
        return body
    last = body[-1]
    match last:
        case Break() | Continue() | Return() if isinstance(last, kinds):
            return body[:-1]
        case If():
            then, other = ended(last.then, *kinds), ended(last.other, *kinds)
            if not then and not other:
                return body[:-1]
            return (*body[:-1], replace(last, then=then, other=other))
        case _:
            return body


def negation(cond: Expr) -> Expr:
    """`!(x < 0)`, never `x >= 0`: these differ for NaN. For integers, `i >= n` for `i < n`.

    `x != 0` for `x == 0` is exact for all numbers: NaN compares unequal to everything.
    """
    match cond:
        case Binary("==" | "!=" as op, left, right):
            return Binary(OPPOSITE[op], left, right, BOOL)
        case Binary(op, left, right) if op in OPPOSITE and is_integer(left) and is_integer(right):
            return Binary(OPPOSITE[op], left, right, BOOL)
        case Unary("!", arg):
            return arg
        case Const(value):
            return Const(not value, BOOL)
        case _:
            return Unary("!", cond, BOOL)


def stays(cond: Expr) -> Expr:
    """The negation of an early return's condition: `r < h && c < w` for `r >= h || c >= w`."""
    match cond:
        case Binary("||", left, right):
            return Binary("&&", stays(left), stays(right), BOOL)
        case _:
            return negation(cond)
