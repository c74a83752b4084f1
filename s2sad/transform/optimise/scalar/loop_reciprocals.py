"""Invert a repeated divisor of derivatives in a loop once, before the loop.

    for (c …) {                                        float per_s = 1.0f / s;
        float g = adj_p[c] / s;                        for (c …) {
        adj_s -= expf(x[c] - m) / s * g;      ->           float g = adj_p[c] * per_s;
    }                                                      adj_s -= expf(x[c] - m) * per_s * g;
                                                       }

A division costs as much as ten multiplications, and a call if its operands are tiny or large. The
product adds an error of one ulp. So only the tool's own expressions are changed, not
what the author wrote or what is recomputed.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from ....analysis.ssa import Loop
from ....ir import (
    Accumulate,
    Assign,
    Binary,
    Body,
    Cast,
    Declare,
    Expr,
    For,
    Place,
    Scalar,
    Stmt,
    Sym,
    rebuilt,
    statements,
    walk,
)
from ...common.algebra import real, rewrite
from ...common.mod_ref import written
from ...common.symbol_uses import own_values

OFTEN = 2
"""The number of divisions by one value in a loop from which it is inverted."""


def with_reciprocals(body: Body, known: frozenset[Sym] = frozenset()) -> Body:
    """The body with such divisors inverted before the outermost loop that doesn't change them.

    `known`: variables of the enclosing bodies that have a value.
    """
    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, Loop):
            own = {s.sym for s in statements((stmt,)) if isinstance(s, Declare)}
            found = Bag(d for s in statements((stmt,)) for e in derived(s) for d in divisors(e))
            for divisor, times in found.items():
                sym = _variable(divisor).sym
                there = sym in known or sym.storage == "parameter"
                if times >= OFTEN and there and sym not in own and sym not in written(stmt):
                    inverse = Sym(f"per_{sym.plain}", divisor.type)
                    out.append(Declare(inverse, Binary("/", real(1.0, divisor.type), divisor, divisor.type)))
                    stmt = own_values(stmt, _Inverse(divisor, Place(inverse, (), divisor.type)))
        inside = known
        if isinstance(stmt, For):
            inside |= {s.sym for s in stmt.init if isinstance(s, Declare)}
        out.append(rebuilt(stmt, partial(with_reciprocals, known=inside)))
        if isinstance(stmt, Declare) and stmt.init is not None:
            known |= {stmt.sym}
    return tuple(out)


def derived(stmt: Stmt) -> Iterator[Expr]:
    """The expressions that a statement of the tool computes."""
    match stmt:
        case Accumulate(_, amount):
            yield amount
        case Declare(sym, init) if sym.ours and isinstance(init, Expr):
            yield init
        case Assign(target, value, None) if target.sym.ours:
            yield value
        case _:
            pass


def divisors(expr: Expr) -> Iterator[Expr]:
    """The variables that an expression divides by, in floating-point arithmetic."""
    for e in walk(expr):
        match e:
            case Binary("/", _, right, Scalar(is_float=True)) if _is_variable(right):
                yield right
            case _:
                pass


def _is_variable(expr: Expr) -> bool:
    inner = expr.arg if isinstance(expr, Cast) else expr
    return isinstance(inner, Place) and not inner.index and isinstance(inner.type, Scalar)


def _variable(expr: Expr) -> Place:
    inner = expr.arg if isinstance(expr, Cast) else expr
    assert isinstance(inner, Place)
    return inner


@dataclass(frozen=True)
class _Inverse:
    divisor: Expr
    value: Place

    def __call__(self, e: Expr) -> Expr | None:
        match e:
            case Binary("/", left, right) if right == self.divisor:
                return Binary("*", rewrite(left, self), self.value, e.type)
            case _:
                return None
