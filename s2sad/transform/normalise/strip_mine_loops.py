"""Strip-mine counted loops: run them in strips of a constant number of iterations.

    for (int t = 0; t < n; ++t)     ->     for (int t_begin = 0; t_begin < n; t_begin += 128) {
        s = step(s);                           int t_end = min(t_begin + 128, n);
                                               for (int t = t_begin; t < t_end; ++t)
                                                   s = step(s);
                                           }

The adjoint of such a nest keeps the state at the beginning of each strip, and records one strip at a time,
which it runs again. That is checkpointing on two levels (A. Griewank and A. Walther, "Evaluating
Derivatives" (2008), chapter 12); a strip may be strip-mined again, for more levels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...analysis.loops.counted_loops import Counter, Positive, leaves_early, own_counter, positive
from ...ir import (
    BOOL,
    INT,
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    Function,
    LoopId,
    Place,
    Scalar,
    Stmt,
    Sym,
    rebuilt,
    unconverted,
)


@dataclass(frozen=True)
class Strip:
    """Its number of iterations, and the loop over such strips."""

    length: int
    loop: LoopId = field(default_factory=LoopId)


Strips = Mapping[LoopId, Sequence[Strip]]
"""The strips of a loop; with several levels, the longest first."""


def strip_mine_loops(function: Function, strips: Strips) -> Function:
    """The function with those loops in strips. Each must be `strippable`."""
    known = positive(function)

    def body(stmts: Body) -> Body:
        out: list[Stmt] = []
        for stmt in stmts:
            inner = rebuilt(stmt, body)
            if isinstance(inner, For) and (levels := strips.get(inner.id)):
                count = strippable(inner, known)
                assert count is not None
                inner = _stripped(inner, count, levels)
            out.append(inner)
        return tuple(out)

    return replace(function, body=body(function.body)) if strips else function


def strippable(loop: For, known: Positive) -> Counter | None:
    """The counter of a loop that can run in strips.

    Its step is a literal, its condition alone ends it, and its counter, which it declares, is a signed
    integer like its bound. (The end of a strip of an unsigned one might wrap around.)
    """
    count = own_counter(loop, known)
    if count is None or count.op == "!=" or leaves_early(loop.body):
        return None
    kind, bound = count.sym.type, unconverted(count.bound)
    if not isinstance(loop.init[0], Declare) or not isinstance(count.step, Const):
        return None
    signed = isinstance(kind, Scalar) and kind.kind == "signed"
    return count if signed and (isinstance(bound, Const) or bound.type == kind) else None


def _stripped(loop: For, count: Counter, levels: Sequence[Strip]) -> For:
    """The nest of a loop and its strips."""
    kind = count.sym.type
    assert isinstance(kind, Scalar)
    assert isinstance(count.step, Const)
    names = [("begin", "end"), ("middle", "middle_end"), ("inner", "inner_end")][: len(levels)]
    begins, ends = ([Sym(f"{count.sym.name}_{pair[k]}", kind) for pair in names] for k in (0, 1))
    starts = [count.start, *(Place(begin, (), kind) for begin in begins)]
    bounds = [unconverted(count.bound), *(Place(end, (), kind) for end in ends)]
    inner: For = _with_bounds(loop, count, starts[-1], bounds[-1])
    for k in reversed(range(len(levels))):
        here, distance = Place(begins[k], (), kind), levels[k].length * int(count.step.value)
        inner = For(
            (Declare(begins[k], starts[k]),),
            Binary(count.op, here, bounds[k], BOOL),
            (Assign(here, _of(distance, kind), "+=" if count.ascending else "-="),),
            (Declare(ends[k], _last(count, here, bounds[k], distance, kind)), inner),
            span=loop.span,
            id=levels[k].loop,
        )
    return inner


def _with_bounds(loop: For, count: Counter, start: Expr, bound: Expr) -> For:
    first = loop.init[0]
    assert isinstance(first, Declare)
    here = Place(count.sym, (), count.sym.type)
    return replace(loop, init=(replace(first, init=start),), cond=Binary(count.op, here, bound, BOOL))


def _last(count: Counter, begin: Expr, bound: Expr, distance: int, kind: Scalar) -> Expr:
    """The bound of a strip: the loop's own, or that of a whole strip."""
    assert isinstance(count.step, Const)
    by = distance - (int(count.step.value) if count.op in ("<=", ">=") else 0)
    whole = Binary("+" if count.ascending else "-", begin, _of(by, kind), kind)
    return Call("min" if count.ascending else "max", (whole, bound), kind)


def _of(number: int, kind: Scalar) -> Expr:
    """A literal, of an `int` that is converted."""
    return Const(number, INT) if kind == INT else Cast(Const(number, INT), kind, implicit=True)


__all__ = ["Strip", "Strips", "strip_mine_loops", "strippable"]
