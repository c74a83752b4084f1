"""Loops whose start and end are shifted alike in every thread, so that all run equally often.

    for (int t = base + i; t < base + length + i; t += pitch)    length / pitch times, whatever i is

The trips of such a loop are a matter of the distance from start to end. Terms that differ between
threads and stand in both with the same sign cancel; counters don't wrap, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import Binary, Const, Expr, For, Place, Scalar, Special, Stmt, Unary
from ..loops.counted_loops import comparison_type, counted
from ..loops.presumed_counters import presumed
from ..ssa import Versions
from .uniform_guards import Differs, followed

_Term = tuple[int, Stmt, Expr]


def even(versions: Versions, loop: For, differs: Differs) -> bool:
    """Whether threads that begin a loop together run it equally often, though they count differently."""
    count = counted(loop, versions) or presumed(loop, versions)
    if count is None or not isinstance(count.sym.type, Scalar) or differs(loop, count.step):
        return False
    if comparison_type(loop.cond, count.sym.type).kind != "signed":
        return False
    begun: tuple[Stmt, Expr] | None = (loop.init[0], count.start) if loop.init else None
    if begun is None:
        before = versions.before[loop].get(count.sym)
        begun = before.made if before is not None else None
    if begun is None:
        return False
    ends = list(_apart(versions, loop, count.bound, differs))
    for sign, at, term in _apart(versions, *begun, differs):
        same = (k for k, (s, a, e) in enumerate(ends) if s == sign and _alike(versions, at, term, a, e))
        found = next(same, None)
        if found is None:
            return False
        del ends[found]
    return not ends


def _apart(versions: Versions, stmt: Stmt, expr: Expr, differs: Differs, sign: int = 1) -> Iterator[_Term]:
    """Yield the terms of a sum that may differ between threads, each with its sign and where it is read."""
    if not differs(stmt, expr):
        return
    at, sum_ = followed(versions, stmt, expr)
    match sum_:
        case Binary("+" | "-" as op, left, right) if _signed(sum_):
            yield from _apart(versions, at, left, differs, sign)
            yield from _apart(versions, at, right, differs, sign if op == "+" else -sign)
        case Unary("-", arg) if _signed(sum_):
            yield from _apart(versions, at, arg, differs, -sign)
        case _:
            yield sign, at, sum_


def _signed(expr: Expr) -> bool:
    """Whether a sum can't wrap: what cancels in it cancels exactly."""
    return isinstance(expr.type, Scalar) and expr.type.kind == "signed"


def _alike(versions: Versions, one: Stmt, a: Expr, two: Stmt, b: Expr) -> bool:
    """Whether two expressions, read at two statements, have the same value in each thread."""
    (one, a), (two, b) = followed(versions, one, a), followed(versions, two, b)
    if one is two and a is b:
        return True  # one definition, perhaps of a value that was loaded
    if a.type != b.type:
        return False
    match a, b:
        case Const(), Const():
            return a.value == b.value
        case Special(), Special():
            return a == b
        case Place(sym, ()), Place(other, ()):
            return sym is other and versions.read(one, sym) == versions.read(two, other)
        case Binary(), Binary():
            return (
                a.op == b.op
                and _alike(versions, one, a.left, two, b.left)
                and _alike(versions, one, a.right, two, b.right)
            )
        case _:
            return False
