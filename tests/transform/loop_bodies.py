"""Short forms of IR for tests of passes over loops: names are variables and arrays."""

from __future__ import annotations

import re

from s2sad.ir import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Accumulate,
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Pointer,
    Special,
    Stmt,
    Sym,
)
from s2sad.irtext import show

_KNOWN: dict[str, Sym] = {}

THREAD = Cast(Special("threadIdx", "x"), INT)
C = Sym("C", INT, "parameter", origin="author")


def var(name: str) -> Place:
    """A variable: the author's if it has one letter."""
    origin = "author" if len(name) == 1 else "tool"
    return Place(_KNOWN.setdefault(name, Sym(name, FLOAT, origin=origin)), (), FLOAT)  # type: ignore[arg-type]


def array(name: str, index: Expr, storage: str = "parameter") -> Place:
    kind = Pointer(FLOAT, name in ("x", "w", "g"))
    sym = _KNOWN.setdefault(name, Sym(name, kind, storage, origin="author"))  # type: ignore[arg-type]
    return Place(sym, (index,), FLOAT)


def number(value: float) -> Const:
    return Const(value, FLOAT)


def declare(name: str, value: Expr | None = None) -> Declare:
    return Declare(var(name).sym, number(0.0) if value is None else value)


def plus(target: Place, amount: Expr, how: str = "") -> Accumulate:
    return Accumulate(target, amount, how or ("owner" if target.index else "local"))  # type: ignore[arg-type]


def minus(target: Place, amount: Expr) -> Accumulate:
    return Accumulate(target, amount, "local", negative=True)


def counter() -> Place:
    return Place(Sym("c", INT, origin="author"), (), INT)


def loop(c: Place, *body: Stmt, start: Expr | None = None, end: Expr | None = None) -> For:
    """`for (int c = 0; c < C; ++c)`."""
    head = Declare(c.sym, Const(0, INT) if start is None else start)
    cond = Binary("<", c, Place(C, (), INT) if end is None else end, BOOL)
    return For((head,), cond, (Assign(c, Const(1, INT), "+="),), body)


def block_sum(of: Expr) -> Call:
    return Call("__syncthreads_sum", (of,), FLOAT, rule="sum")


def by_thread_0(*body: Stmt) -> If:
    return If(Binary("==", Special("threadIdx", "x"), Const(0, UINT), BOOL), body)


def text(body: Body) -> str:
    return re.sub(r"\s+", " ", show(body))
