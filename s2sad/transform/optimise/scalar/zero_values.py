"""Which adjoints are zero after some statements, and which statements do nothing then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....analysis.ssa import outputs
from ....ir import (
    Accumulate,
    Assign,
    Banner,
    Binary,
    Body,
    Break,
    Call,
    Cast,
    Clear,
    Comment,
    Const,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Place,
    Quote,
    Scalar,
    Select,
    Stmt,
    Switch,
    Sym,
    Unary,
    expressions,
    is_floating,
)
from ...common.algebra import is_const
from ...common.mod_ref import removable, sets, written

BOUNDED = ("sin", "cos", "tanh", "erf", "atan", "fabs", "fmin", "fmax")


def zero_after(body: Sequence[Stmt], zero: frozenset[Sym]) -> frozenset[Sym]:
    """The adjoints that are zero after some statements, given those that are before."""
    for stmt in body:
        match stmt:
            case Clear(Place(sym, ())) if _is_adjoint(sym):
                zero |= {sym}
            case Declare(sym, Const(value)) if _is_adjoint(sym) and value == 0:
                zero |= {sym}
            case If(_, then, other):
                zero = zero_after(then, zero) & zero_after(other, zero)
            case _:
                zero -= sets(stmt)
    return zero


def _is_adjoint(sym: Sym) -> bool:
    """Whether it is a floating-point scalar of the tool's, in a register."""
    kind = sym.type
    return removable(sym) and sym.storage == "local" and isinstance(kind, Scalar) and kind.is_float


def idle(stmt: Stmt, zero: frozenset[Sym], calls: bool = False) -> frozenset[Sym] | None:
    """What is zero after a statement that does nothing where all of `zero` is zero; None for others.

    A declaration of the tool's that could move along counts, too; with `calls`, those of adjoint functions.
    """
    match stmt:
        case Evaluate(Call(_, (*_, seed), callee=str()) as call) if calls and vanishes(seed, zero):
            return zero if all(place.sym in zero for place in call.outputs) else None
        case _ if any(outputs(e) for e in expressions(stmt)):
            return None
        case Accumulate(_, amount):
            return zero if vanishes(amount, zero) else None
        case Declare(sym, value) if _is_adjoint(sym) and isinstance(value, Expr):
            return zero | {sym} if vanishes(value, zero) else zero - {sym}
        case Clear(Place(sym)) if sym in zero:
            return zero
        case Assign(Place(sym), value, op) if sym in zero:
            return zero if op in ("*=", "/=") or vanishes(value, zero) else None
        case If(_, then, other):
            return zero if all(_all_idle(b, zero, calls) for b in (then, other)) else None
        case Switch(_, cases):
            inner = (tuple(s for s in case.body if not isinstance(s, Break)) for case in cases)
            return zero if all(_all_idle(b, zero, calls) for b in inner) else None
        case For(init, _, step, inner):
            own = {s.sym for s in init if isinstance(s, Declare)}
            if len(own) < len(init) or not frozenset[Sym]().union(*map(written, step)) <= own:
                return None
            return zero if _all_idle(inner, zero, calls) else None
        case _:
            return None


def _all_idle(body: Body, zero: frozenset[Sym], calls: bool) -> bool:
    for stmt in body:
        if not does(stmt):
            continue
        new = idle(stmt, zero, calls)
        if new is None and not (isinstance(stmt, Declare) and not any(map(outputs, expressions(stmt)))):
            return False
        zero = zero if new is None else new
    return True


def vanishes(value: Expr, zero: frozenset[Sym]) -> bool:
    """Whether a value is zero if each variable of `zero` is, and all else is finite."""
    match value:
        case Place(sym):
            return sym in zero
        case Unary("-" | "+", arg) | Cast(arg):
            return vanishes(arg, zero)
        case Binary("*", left, right):
            return vanishes(left, zero) or vanishes(right, zero)
        case Binary("/", left, _):
            return vanishes(left, zero)
        case Call(_, (*_, seed), callee=str()):  # of an adjoint function
            return vanishes(seed, zero)
        case Binary("+" | "-", left, right) | Select(_, left, right):
            return all(is_const(e, 0.0) or vanishes(e, zero) for e in (left, right))
        case _:
            return is_const(value, 0.0)


def may_be_infinite(value: object, values: Mapping[Sym, Expr]) -> bool:
    """Whether a value contains a quotient or a function without bounds, itself or in a variable's value."""
    waiting = [value]
    seen: set[Sym] = set()
    while waiting:
        part = waiting.pop()
        match part:
            case Place(sym, ()) if sym in values and sym not in seen:
                seen.add(sym)
                waiting.append(values[sym])
            case Binary("/", _, divisor) if is_floating(part) and not isinstance(divisor, Const):
                return True
            case Call(rule=rule) if rule not in BOUNDED:
                return True
            case _ if isinstance(part, Expr):
                waiting += part.operands
            case _:
                pass
    return False


def does(stmt: Stmt) -> bool:
    return not isinstance(stmt, Quote | Comment | Banner)


__all__ = ["BOUNDED", "does", "idle", "may_be_infinite", "vanishes", "zero_after"]
