"""Atomic additions of the primal: what they update, and which of them have no adjoint.

    atomicAdd(&out[idx[i]], w * x[i]);       adj_x[i] += w * adj_out[idx[i]]

The sum that an element ends with doesn't depend on the order of the additions, so the
adjoint of each reads the element's adjoint and leaves it alone. Three rules make this
whole (semantics.md, section 2):

* An array in global memory that is added to atomically isn't touched in any other way
  in the launch. A read would see what other blocks have added so far (`cross-block-flow`).
  So nothing in the launch depends on what such an array holds, and no slice ever runs
  an atomic on it again: the joint adjoint leaves the array as it was at entry.
* In shared memory a barrier stands between the additions and whatever else touches the
  element, else the primal has a race. There the forward sweep runs the additions again,
  after the stores that they add to, and an element is recorded where it is read.
* What an atomic returns differs from run to run. Where the reverse sweep needs it, only
  the launch that made the outputs can hand it over: `order-dependent` in the joint shape.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ..diagnostics import Code, Diagnostic, diagnose
from ..ir import (
    AddressOf,
    Assign,
    Call,
    Declare,
    Evaluate,
    Expr,
    Function,
    Initialiser,
    Place,
    Pointer,
    Scalar,
    Stmt,
    Sym,
    statements,
    walk,
)
from .ssa import loads, operands, targets

_IN_ANY_ORDER = (
    *("atomicAdd", "atomicSub", "atomicMax", "atomicMin", "atomicAnd", "atomicOr", "atomicXor"),
    *("atomicInc", "atomicDec"),
)


@dataclass(frozen=True)
class Update:
    """`atomicAdd(&place, amount)`, or `atomicSub` if `negative`; `returns`: its value is used.

    Of integers it may be `atomicMax`, `atomicOr` and kin as well: for them, too, it doesn't
    matter which thread comes first, and there is no adjoint. (Of `atomicInc` it may, where threads
    name several bounds: those are taken of arrays alone that nothing in the launch reads.) Of floats
    it may be `atomicMax` or `atomicMin` where `extreme_problems` finds nothing: nobody asks for what
    they leave.
    """

    place: Place
    amount: Expr
    negative: bool
    returns: bool
    extreme: str = ""  # the name of another one than these two


def is_atomic(expr: Expr | Initialiser | None) -> bool:
    """Whether an expression is the call of an atomic function."""
    return isinstance(expr, Call) and expr.callee is None and expr.name.startswith("atomic")


def is_drawn(expr: Expr | Initialiser | None) -> bool:
    """Whether an expression is a call that gives something else each time: of an atomic, or of a clock."""
    return is_atomic(expr) or (isinstance(expr, Call) and expr.callee is None and expr.rule == "clock")


def draws(stmt: Stmt) -> bool:
    """Whether a statement sets a variable to what another run finds otherwise."""
    added = update(stmt)
    if added is not None:
        return added.returns
    return any(is_drawn(part) for expr in operands(stmt) for part in walk(expr))


def update(stmt: Stmt) -> Update | None:
    """What a statement adds atomically, if that is what it does."""
    match stmt:
        case Evaluate(call) if is_atomic(call):
            returns = False
        case Declare(_, Call() as call) | Assign(_, Call() as call) if is_atomic(call):
            returns = True
        case _:
            return None
    if not call.name.startswith(_IN_ANY_ORDER):
        return None
    address, amount = call.args
    assert isinstance(address, AddressOf)
    extreme = "" if call.name.startswith(("atomicAdd", "atomicSub")) else call.name
    return Update(address.place, amount, call.name.startswith("atomicSub"), returns, extreme)


def updated(body: Iterable[Stmt]) -> frozenset[Sym]:
    """The arrays that statements, nested ones included, add to atomically."""
    found = (update(stmt) for stmt in statements(tuple(body)))
    return frozenset(u.place.sym for u in found if u is not None)


def only_updated(function: Function) -> frozenset[Sym]:
    """The parameters of which the function does nothing but add to elements atomically."""
    arrays = {s for s in updated(function.body) if isinstance(s.type, Pointer)}
    return frozenset(arrays - {sym for sym, _, _ in _plain(function, arrays)})


def flow_problems(function: Function) -> list[Diagnostic]:
    """Arrays in global memory that are added to atomically and touched in another way as well."""
    arrays = {s for s in updated(function.body) if isinstance(s.type, Pointer)}
    found: dict[Sym, Diagnostic] = {}
    for sym, place, stmt in _plain(function, arrays):
        if sym not in found:
            span = place.span or getattr(stmt, "span", None)
            found[sym] = diagnose(Code.CROSS_BLOCK_FLOW, span, array=sym.name)
    return list(found.values())


def extreme_problems(function: Function, of: Collection[Sym], split: bool) -> list[Diagnostic]:
    """Atomics of floats that are no additions, in an array that has an adjoint.

    No other statement of the launch reads such an array (`flow_problems`), so that what they leave
    there can change a result only if the array is one. The joint adjoint doesn't run them.
    """
    found: list[Diagnostic] = []
    for stmt in statements(function.body):
        added = update(stmt)
        type = added.place.type if added is not None else None
        if added is None or not added.extreme or not (isinstance(type, Scalar) and type.is_float):
            continue
        span = getattr(stmt, "span", None)
        if added.place.sym in of:
            found.append(diagnose(Code.ATOMIC, span, name=added.extreme))
        elif split or added.place.sym.storage == "shared":
            what, help = f"`{added.extreme}` of floats in a launch that is made again", "--mode joint"
            found.append(diagnose(Code.NOT_SUPPORTED, span, what=what, help=help))
    return found


def order_dependent(stmt: Stmt, split: bool) -> Diagnostic:
    """That the reverse sweep needs what an atomic returned."""
    help = (
        "draw the slots in a kernel of their own, which stores them in an array"
        if split
        else "record it in the launch that makes the outputs: --mode split"
    )
    return diagnose(Code.ORDER_DEPENDENT, getattr(stmt, "span", None), help=help)


def _plain(function: Function, arrays: set[Sym]) -> Iterable[tuple[Sym, Place, Stmt]]:
    """Reads and plain stores of arrays."""
    for stmt in statements(function.body):
        added = update(stmt)
        for place in targets(stmt):
            if place.sym in arrays and not (added is not None and place == added.place):
                yield place.sym, place, stmt
        for expr in operands(stmt):
            for place in loads(expr):
                if place.sym in arrays:
                    yield place.sym, place, stmt


def is_update(stmt: Stmt) -> bool:
    """Whether a statement is an atomic addition whose value nobody uses."""
    found = update(stmt)
    return found is not None and not found.returns


__all__ = [
    "Update",
    "draws",
    "extreme_problems",
    "flow_problems",
    "is_atomic",
    "is_drawn",
    "is_update",
    "only_updated",
    "order_dependent",
    "update",
    "updated",
]
