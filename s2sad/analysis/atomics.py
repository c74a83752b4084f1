"""Atomic additions of the primal: which elements they update, and which of them have no adjoint.

    atomicAdd(&out[idx[i]], w * x[i]);       adj_x[i] += w * adj_out[idx[i]]

The final sum in an element doesn't depend on the order of the additions, so the
adjoint of each addition reads the element's adjoint and leaves it unchanged. Three rules
make this sound:

* An array in global memory with atomic additions isn't accessed in any other way in the
  launch. A read would see what other blocks have added so far (`cross-block-flow`).
  So nothing in the launch depends on the contents of such an array, and no slice ever
  reruns an atomic on it: the joint adjoint leaves the array as it was at entry.
* In shared memory a barrier separates the additions from all other accesses to the
  element, else the primal has a race. There the forward sweep reruns the additions,
  after the stores that they add to, and an element is recorded where it is read.
* The value returned by an atomic differs from run to run. If the reverse sweep needs it, only
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

    Integer `atomicMax`, `atomicOr` and similar are accepted too: their result doesn't depend on the
    order of the threads, and they have no adjoint. (For `atomicInc` it may, if threads pass several
    bounds: then only arrays that nothing in the launch reads are accepted.) Float `atomicMax` and
    `atomicMin` are accepted where `extreme_problems` finds nothing: no derivative needs their result.
    """

    place: Place
    amount: Expr
    negative: bool
    returns: bool
    extreme: str = ""  # the function's name, if neither of these two


def is_atomic(expr: Expr | Initialiser | None) -> bool:
    """Whether an expression is a call of an atomic function."""
    return isinstance(expr, Call) and expr.callee is None and expr.name.startswith("atomic")


def is_drawn(expr: Expr | Initialiser | None) -> bool:
    """Whether an expression is a call whose value differs from run to run: an atomic, or a clock."""
    return is_atomic(expr) or (isinstance(expr, Call) and expr.callee is None and expr.rule == "clock")


def draws(stmt: Stmt) -> bool:
    """Whether a statement sets a variable to a value that differs from run to run."""
    added = update(stmt)
    if added is not None:
        return added.returns
    return any(is_drawn(part) for expr in operands(stmt) for part in walk(expr))


def update(stmt: Stmt) -> Update | None:
    """Return the atomic update that a statement makes, or None."""
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
    """Return the arrays that statements, nested ones included, add to atomically."""
    found = (update(stmt) for stmt in statements(tuple(body)))
    return frozenset(u.place.sym for u in found if u is not None)


def only_updated(function: Function) -> frozenset[Sym]:
    """Return the parameters that the function accesses only by atomic additions."""
    arrays = {s for s in updated(function.body) if isinstance(s.type, Pointer)}
    return frozenset(arrays - {sym for sym, _, _ in _plain(function, arrays)})


def flow_problems(function: Function) -> list[Diagnostic]:
    """Report arrays in global memory that have both atomic additions and other accesses."""
    arrays = {s for s in updated(function.body) if isinstance(s.type, Pointer)}
    found: dict[Sym, Diagnostic] = {}
    for sym, place, stmt in _plain(function, arrays):
        if sym not in found:
            span = place.span or getattr(stmt, "span", None)
            found[sym] = diagnose(Code.CROSS_BLOCK_FLOW, span, array=sym.name)
    return list(found.values())


def extreme_problems(function: Function, of: Collection[Sym], split: bool) -> list[Diagnostic]:
    """Report atomics on floats that aren't additions, in arrays that have an adjoint.

    No other statement of the launch reads such an array (`flow_problems`), so these atomics can
    change a result only if the array is one. The joint adjoint doesn't run them.
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
            what, help = f"`{added.extreme}` of floats in a launch that is repeated", "--mode joint"
            found.append(diagnose(Code.NOT_SUPPORTED, span, what=what, help=help))
    return found


def order_dependent(stmt: Stmt, split: bool) -> Diagnostic:
    """Report that the reverse sweep needs the value returned by an atomic."""
    help = (
        "compute the slots in a separate kernel that stores them in an array"
        if split
        else "record it in the launch that computes the outputs: --mode split"
    )
    return diagnose(Code.ORDER_DEPENDENT, getattr(stmt, "span", None), help=help)


def _plain(function: Function, arrays: set[Sym]) -> Iterable[tuple[Sym, Place, Stmt]]:
    """Yield reads and plain stores of arrays."""
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
    """Whether a statement is an atomic addition whose value is unused."""
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
