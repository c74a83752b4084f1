"""Find a plain store that certainly runs, which implies that a launch is no wider than its kernel looks.

    tile[threadIdx.x] = x[i];            two threads that differ in threadIdx.y alone would race here,
    ...                                  so blockDim.y is 1
    atomicAdd(&out[b], tile[0]);         without the store they would both add, and each would count

Threads that differ only in coordinates that a kernel doesn't read do the same. If one
of them makes a plain store they race, and so there is only one. If a kernel only adds
atomically, that argument has no basis. It holds if some thread certainly stores, or if
every thread that adds atomically stores as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ...ir import (
    Assign,
    Binary,
    Body,
    Break,
    Cast,
    Const,
    Continue,
    Declare,
    DoWhile,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Pointer,
    Return,
    Special,
    Stmt,
    Sym,
    While,
    bodies,
    collective,
    statements,
)
from ..atomics import update
from ..constants import COMPARED, computed
from ..traversal import leaves

Reach = Literal["launch", "block"]
"""Where two threads that store to the same element would race: anywhere, or in one block."""


def witnesses(function: Function) -> frozenset[Reach]:
    """Return the kinds of store that are certain in any launch in which something is added atomically.

    None if two threads with the same coordinates may get different values: from an atomic, or
    from another lane.
    """
    for stmt in statements(function.body):
        added = update(stmt)
        call = collective(stmt)
        if (call is not None and call.rule != "sum") or (added is not None and added.returns):
            return frozenset()
    first = _First(function)
    first.body(function.body)
    found = first.found
    additions = [s for s in statements(function.body) if update(s) is not None]
    beside = [_beside(function.body, s) for s in additions]
    return frozenset(found | set.intersection(*beside)) if beside else frozenset(found)


def _reach(stmt: Stmt) -> Reach | None:
    match stmt:
        case Assign(Place(Sym(storage="shared"), index)) if index and update(stmt) is None:
            return "block"
        case Assign(Place(Sym(type=Pointer()), index)) if index and update(stmt) is None:
            return "launch"
        case _:
            return None


# ---- beside each addition ------------------------------------------------------


def _beside(body: Body, addition: Stmt) -> set[Reach]:
    """Return the stores made by every thread that reaches an addition in this body, or deeper."""
    holder = next(k for k, s in enumerate(body) if addition in statements((s,)))
    inner = next((b for b in bodies(body[holder]) if addition in statements(b)), None)
    found = set() if inner is None else _beside(inner, addition)
    if isinstance(body[holder], For) and inner is not None and inner is not body[holder].body:  # type: ignore[union-attr]
        found = set()
    found |= {r for s in body[:holder] if (r := _reach(s)) is not None}
    for stmt in body[holder:]:
        if leaves(stmt):
            break
        if (reach := _reach(stmt)) is not None:
            found.add(reach)
    return found


# ---- the first thread ------------------------------------------------------------


class _First:
    """The certain stores of thread 0 of block 0, which is in every launch."""

    def __init__(self, function: Function) -> None:
        self.found: set[Reach] = set()
        self.known: dict[Sym, int] = {}
        self.changed = {
            s.target.sym for s in statements(function.body) if isinstance(s, Assign) and not s.target.index
        }

    def body(self, body: Body) -> bool:
        """Follow the thread; False where it may have left."""
        for stmt in body:
            match stmt:
                case Declare(sym, init) if isinstance(init, Expr) and sym not in self.changed:
                    value = number(init, self.known)
                    if value is not None:
                        self.known[sym] = value
                case Assign():
                    if (reach := _reach(stmt)) is not None:
                        self.found.add(reach)
                case If(cond, then, other):
                    truth = number(cond, self.known)
                    if truth is not None:
                        if not self.body(then if truth else other):
                            return False
                    elif leaves(stmt):
                        return False
                case For(init, cond, _, inner):
                    self.loop(init, cond, inner)
                    if any(isinstance(s, Return) for s in statements((stmt,))):
                        return False
                case While() | DoWhile():
                    if any(isinstance(s, Return) for s in statements((stmt,))):
                        return False
                case Return() | Break() | Continue():
                    return False
                case _:
                    for part in bodies(stmt):
                        if any(leaves(s) for s in part):
                            return False
        return True

    def loop(self, init: Body, cond: Expr | None, inner: Body) -> None:
        """Follow the first iteration, if the loop certainly has one."""
        starts = dict(self.known)
        for stmt in init:
            if isinstance(stmt, Declare) and isinstance(stmt.init, Expr):
                value = number(stmt.init, self.known)
                if value is not None:
                    starts[stmt.sym] = value
        if cond is not None and number(cond, starts):
            self.body(inner)


def number(expr: Expr | Initialiser, known: Mapping[Sym, int]) -> int | None:
    """Evaluate an integer or a condition for the first thread, if it is the same in every launch."""
    match expr:
        case Const(value) if isinstance(value, int):
            return int(value)
        case Special("threadIdx" | "blockIdx"):
            return 0
        case Cast(arg) if not isinstance(arg.type, Pointer):
            inner = number(arg, known)
            return inner if inner is not None and 0 <= inner < 128 else None
        case Place(sym, ()):
            return known.get(sym)
        case Binary(op, left, right):
            a, b = number(left, known), number(right, known)
            if op == "*" and 0 in (a, b):
                return 0
            if op == "&&" and (a == 0 or b == 0):
                return 0
            if a is None or b is None:
                return None
            return _combined(op, a, b)
        case _:
            return None


def _combined(op: str, a: int, b: int) -> int | None:
    match op:
        case "&&":
            return int(bool(a and b))
        case "||":
            return int(bool(a or b))
        case "+" | "*":
            return computed(op, a, b)
        case "-" if a >= b:  # else it may be unsigned
            return a - b
        case _:
            return int(COMPARED[op](a, b)) if op in COMPARED else None
