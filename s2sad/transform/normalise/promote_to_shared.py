"""Promote a global element that belongs to one block, and that its threads add to, to shared memory.

    if (threadIdx.x == 0)                          __shared__ float norm_block;
        norm[blockIdx.x] = 0.0f;                   if (threadIdx.x == 0)
    __syncthreads();                                   norm_block = 0.0f;
    atomicAdd(&norm[blockIdx.x], x[i] * x[i]);     __syncthreads();
    __syncthreads();                          ->   atomicAdd(&norm_block, x[i] * x[i]);
    y[i] = x[i] / norm[blockIdx.x];                __syncthreads();
                                                   y[i] = x[i] / norm_block;
                                                   __syncthreads();
                                                   if (threadIdx.x == 0)
                                                       norm[blockIdx.x] = norm_block;

The order of such additions between blocks is undefined, so an array that a launch adds to atomically
can't be read in it (semantics.md, section 2). But if each block has one element, with the same index
in every access, no other block sees it: block barriers order all its accesses, as in shared memory.
After the promotion, everything known about shared memory applies. That no two blocks use the same
element is proved as for any other store.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from ...analysis.atomics import flow_problems, updated
from ...ir import (
    BOOL,
    INT,
    UINT,
    Array,
    Assign,
    Barrier,
    Binary,
    Const,
    Declare,
    Expr,
    Function,
    If,
    Place,
    Pointer,
    Return,
    Scalar,
    Special,
    Stmt,
    Sym,
    Unary,
    all_parts,
    statements,
)
from ...source import Span
from ..common.symbol_uses import mapped, symbols, uses
from ..common.thread_ownership import Own


def with_block_elements(kernel: Function, alone: Callable[[Function, Sym], bool]) -> Function:
    """The kernel with such elements promoted to shared memory.

    `alone`: whether no two threads of a kernel store to the same element of an array.
    """
    if not flow_problems(kernel):
        return kernel
    for array in sorted(updated(kernel.body), key=lambda sym: sym.name):
        if isinstance(array.type, Pointer) and array in kernel.syms:
            made = _moved(kernel, array)
            if made is not None and alone(made, array):
                kernel = made
    return kernel


def _moved(kernel: Function, array: Sym) -> Function | None:
    """The kernel with the block's element of an array in shared memory; None if it has no such element."""
    own = Own(kernel.body, 1)
    places = [e for e in all_parts(*kernel.body) if isinstance(e, Place) and e.sym is array]
    indices = {tuple(own.resolved(e) for e in place.index) for place in places}
    (index, *others), element = indices, places[0].type
    if others or len(index) != 1 or own.axis(index[0]) != "" or not isinstance(element, Scalar):
        return None
    taken = {sym.name for sym in symbols(kernel.body)} | {sym.name for sym in kernel.syms}
    name = f"{array.plain}_block"
    while name in taken:
        name += "_"
    shared = Sym(name, Array(element, (1,), ("",)), "shared")

    def here(span: Span | None) -> Place:
        return Place(shared, (Const(0, INT),), element, span=span)

    def change(expr: Expr) -> Expr | None:
        return here(expr.span) if isinstance(expr, Place) and expr.sym is array else None

    at = next(k for k, s in enumerate(kernel.body) if array in symbols((s,)))
    before, first, body = kernel.body[:at], kernel.body[at], [mapped(s, change) for s in kernel.body[at:]]
    if array in uses(body) or any(isinstance(s, Return) for s in statements(kernel.body[at:])):
        return None  # its address is used otherwise, or a thread may return before the end
    there = Place(array, index, element, span=places[0].span)
    span = places[0].span
    begin: list[Stmt] = [Declare(shared, None)]
    if not _sets(first, array, own):
        begin += [_by_one(kernel, Assign(here(span), there)), Barrier()]
    end = [Barrier(), _by_one(kernel, Assign(there, here(span)))]
    return replace(kernel, body=(*before, *begin, *body, *end))


def _by_one(kernel: Function, stmt: Stmt) -> Stmt:
    """Run a statement in one thread of the block, over all axes that the kernel uses."""
    named = {
        e.axis
        for e in all_parts(*kernel.body)
        if isinstance(e, Special) and e.name in ("threadIdx", "blockDim")
    }
    tests = [Binary("==", Special("threadIdx", axis), Const(0, UINT), BOOL) for axis in sorted(named | {"x"})]
    return If(reduce(lambda left, right: Binary("&&", left, right, BOOL), tests), (stmt,))


def _sets(stmt: Stmt, array: Sym, own: Own) -> bool:
    """Whether a thread of each block sets the array's element before any other access."""
    if isinstance(stmt, If):
        if not _holds_in_first(stmt.cond, own):
            return False
        inner = next((s for s in stmt.then if array in symbols((s,))), None)
        return inner is not None and array not in symbols(stmt.other) and _sets(inner, array, own)
    if not isinstance(stmt, Assign) or stmt.op is not None or stmt.target.sym is not array:
        return False
    return array not in stmt.value.symbols


def _holds_in_first(cond: Expr, own: Own) -> bool:
    """Whether a condition is exactly `threadIdx.x == 0`, for one axis or several."""
    match own.resolved(cond):
        case Binary("&&", left, right):
            return _holds_in_first(left, own) and _holds_in_first(right, own)
        case Binary("==", left, right):
            return bool(own.named(left)) and own.resolved(right) in (Const(0, INT), Const(0, UINT))
        case Unary("!", arg):
            return bool(own.named(arg))
        case _:
            return False


__all__ = ["with_block_elements"]
