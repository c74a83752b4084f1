"""Lower pointers, which are names for lvalues that other variables own.

A pointer has no value here. It denotes an lvalue: the array that it points into and an index.
So later passes need not support pointers.

    const float *row = A + i * n;       row[j]  is  A[i * n + j]

    const float *p = x + i;             long p_at = i;
    while (p < end)                     while (p_at < n) {
        s += *p++;                          s += x[p_at]; p_at += 1; }

An offset that may change while the pointer is in use is saved in a constant; the offset of a
pointer that moves is a 64-bit variable, as wide as the pointer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code, Rejected
from ....fields import is_row, leaves
from ....ir import Const, Expr, Place, Scalar, Select, Struct, Sym
from ...sema import declarators, dispatch, evaluation, meanings
from ...sema.meanings import Alias, Poisoned
from ...sema.scope import Context
from ...syntax import ast_utils
from ...syntax.ast_utils import STEPS
from ...types import types
from . import (
    names,
    pitched_rows,
    pointer_forms,
    pointer_offsets,
    shared_bytes,
    shared_partitions,
    struct_variables,
    vector_views,
)


def _field(ctx: Context, node: c_ast.Node) -> Place:
    """Return what a pointer in a struct points to, or the first number or row of an array in it."""
    meant = struct_variables.access(ctx, node)
    first = struct_variables.part(ctx, meant, (), (Const(0, ir.INT),))
    if not isinstance(meant.type, ir.Array) or len(meant.type.extents) == 1:
        return first
    if meant.base is not None:
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
    _, *rows = meant.type.extents
    return replace(first, type=ir.Array(meant.type.element, tuple(rows), meant.type.spelled[1:]))


def converted(ctx: Context, node: c_ast.Node, to: ir.Pointer) -> Place:
    """Return what a pointer points to, checked against the pointer type."""
    at = dispatch.pointer(ctx, node)
    if not pointer_forms.alike(at.type, to.target):
        if isinstance(at.type, ir.Array) or isinstance(to.target, ir.Array):
            raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
        raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))
    # a cast may drop `const` for reading: the object remains const
    if pointer_forms.is_const(ctx, node) and not to.const and not pointer_forms.is_cast(ctx, node):
        raise ctx.type_error(
            node, "a pointer to const becomes a pointer to non-const", f"needs `const {types.spell(to)}`"
        )
    return at


@dispatch.pointer.otherwise
def pointer(ctx: Context, node: c_ast.Node) -> Place:
    """Return the lvalue that a pointer points to; a row, if it points to rows."""
    match node:
        case c_ast.ID(name=name):
            return _named(ctx, node, name)
        case c_ast.UnaryOp(op="&", expr=inner):
            return dispatch.place(ctx, inner, rows=True)
        case c_ast.UnaryOp(op=op) if op in STEPS:
            return dispatch.moved(ctx, node)
        case c_ast.BinaryOp(op="+" | "-", left=left, right=right) if pointer_forms.is_pointer(ctx, node):
            return _moved_by(ctx, node, left, right)
        case c_ast.ArrayRef() | c_ast.UnaryOp(op="*") if pointer_forms.is_row(ctx, node):
            return _first(dispatch.place(ctx, node, rows=True))
        case c_ast.StructRef() | c_ast.ArrayRef() | c_ast.UnaryOp(op="*") if pointer_forms.is_field(
            ctx, node
        ):
            return _field(ctx, node)
        case c_ast.Cast():
            return _cast(ctx, node)
        case c_ast.TernaryOp():
            return _either(ctx, node)
        case c_ast.Assignment():
            return dispatch.moved(ctx, node)
        case c_ast.ExprList():
            for part in node.exprs[:-1]:
                evaluation.discard(ctx, part)
            return dispatch.pointer(ctx, node.exprs[-1])
        case c_ast.FuncCall():
            evaluation.value(ctx, node)  # raises the diagnostic
    if any(isinstance(ctx.lookup(name), Poisoned) for name in ast_utils.names(node)):
        raise Rejected
    if isinstance(node, c_ast.Constant) and node.type == "string":
        raise ctx.reject(Code.NOT_SUPPORTED, node, what="a string in a variable", help="leave it out")
    raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))


def _named(ctx: Context, node: c_ast.ID, name: str) -> Place:
    match ctx.lookup(name):
        case Alias(at=None):
            raise ctx.reject(Code.POINTER_UNSET, node, **meanings.unset(name))
        case Alias(at=at, reference=False) if at is not None:
            return at
        case Alias(at=at) if at is not None and isinstance(at.type, ir.Array):
            return _first(at)
        case Sym(type=ir.Pointer()) as sym:
            return pointer_offsets.element(sym, (Const(0, ir.INT),))
        case Sym(type=ir.Array() as array) as sym if not array.single and (ctx.raw or sym not in ctx.bytes):
            return _first(Place(sym, (), array))
    expr = names.name(ctx, node)
    raise ctx.type_error(
        node, f"`{name}` is used as a pointer but isn't one", f"this is {types.spell(expr.type)}"
    )


def _first(row: Place) -> Place:
    """Convert an array to a pointer: its first element."""
    return pointer_offsets.element(row.sym, (*row.index, Const(0, ir.INT)))


def _moved_by(ctx: Context, node: c_ast.BinaryOp, left: c_ast.Node, right: c_ast.Node) -> Place:
    base, amount = (left, right) if pointer_forms.is_pointer(ctx, left) else (right, left)
    if node.op == "-" and base is right:
        raise ctx.type_error(node, "a number minus a pointer", "not defined")
    clash = ctx.touched(left).clashes(ctx.touched(right))
    if clash:
        raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=min(clash))
    at = dispatch.pointer(ctx, base)
    by = evaluation.index(ctx, amount)
    far = isinstance(base, c_ast.ID) and isinstance(ctx.lookup(base.name), Alias)
    return shifted(ctx, node, at, node.op, by, far=far)


def shifted(ctx: Context, node: c_ast.Node, at: Place, op: str, by: Expr, *, far: bool = False) -> Place:
    """Return the lvalue `by` elements away; with `far`, the sum of the offsets may exceed 32 bits."""
    of_struct = at.sym.within is not None and not is_row(at.sym)  # the next float is another field
    if not at.index or of_struct:
        if isinstance(by, Const) and by.value == 0:
            return at
        raise ctx.reject(Code.POINTER_BEYOND, node, name=at.sym.name)
    at = replace(at, index=(*at.index[:-1], pointer_offsets.sum_of(op, at.index[-1], by, far=far)))
    return replace(at, spelling=None, macro=None)


def _cast(ctx: Context, node: c_ast.Cast) -> Place:
    """Lower `(float *)p`, where p has that type or points to bytes of shared memory used as it."""
    to, _ = declarators.type_of(ctx, node.to_type.type)
    if not isinstance(to, ir.Pointer):
        raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))
    if (held := vector_views.inside(ctx, node.expr)) is not None and types.same(held, to.target):
        return vector_views.first(ctx, node.expr)
    named = ctx.lookup(node.expr.name) if isinstance(node.expr, c_ast.ID) else None
    if isinstance(named, Sym) and isinstance(named.type, ir.Struct):  # reads structs as numbers
        raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))
    if (moved := pitched_rows.moved(ctx, node, to)) is not None:
        return moved
    apart = isinstance(to.target, Scalar) and vector_views.apart(ctx, node.expr, to.target)
    return cast(ctx, node, to.target, vector_views.first if apart else dispatch.pointer)


def cast(ctx: Context, node: c_ast.Cast, to: ir.Type, first: Callable[[Context, c_ast.Node], Place]) -> Place:
    """Return what a cast points to as a number of type `to`, perhaps in another array of split memory."""
    bytes = shared_bytes.counted(ctx, node.expr)
    outer, ctx.raw = ctx.raw, bytes
    try:
        at = first(ctx, node.expr)
    finally:
        ctx.raw = outer
    if bytes or not pointer_forms.alike(at.type, to):
        moved_to = shared_partitions.of_bytes if bytes else shared_partitions.as_type
        other = moved_to(ctx, node, at, to) if isinstance(to, Scalar) else None
        if other is None and isinstance(to, ir.Array) and types.same(to.element, at.type):
            index, *inner = (name for name in "ijklmnqr" if name not in ast_utils.names(node.expr))
            for extent, counter in zip(to.extents, inner, strict=False):
                index = f"{f'({index})' if ' ' in index else index} * {extent} + {counter}"
            index = f"`({ctx.unit.written.text(node.expr)})[{index}]`"
            raise ctx.reject(Code.ROWS_OF_NUMBERS, node, one=types.spell(at.type), index=index)
        if other is None:
            raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))
        return other
    return at


def _either(ctx: Context, node: c_ast.TernaryOp) -> Place:
    """Lower `c ? p : q`, where both point into one array."""
    if node.iftrue in ctx.expression.survey or node.iffalse in ctx.expression.survey:
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
    cond = evaluation.condition(ctx, node.cond)
    one, two = dispatch.pointer(ctx, node.iftrue), dispatch.pointer(ctx, node.iffalse)
    one_array(ctx, node, ctx.unit.written.text(node), one, two)
    if not one.index:
        return one
    a, b = pointer_offsets.meeting(one.index[-1], two.index[-1])
    chosen = Select(cond, a, b, a.type, span=ctx.span(node))
    return replace(one, index=(*one.index[:-1], chosen), spelling=None, macro=None)


def one_array(ctx: Context, node: c_ast.Node, name: str, one: Place, two: Place) -> None:
    """Refuse a pointer into one of two arrays, or into one of two rows of an array."""
    if one.sym is not two.sym:
        raise points_to_two(ctx, node, name, one, two)
    if one.index[:-1] != two.index[:-1] or len(one.index) != len(two.index):
        rows = f"a row of `{one.sym.name}`"
        values = {"name": name, "one": rows, "two": "another row"}
        raise ctx.reject(
            Code.POINTS_TO_TWO, node, help="index the array, and keep the row index in a variable", **values
        )


def points_to_two(ctx: Context, node: c_ast.Node, name: str, one: Place, two: Place) -> Rejected:
    """Return the refusal of a pointer to one of two variables or arrays."""
    a, b = one.sym, two.sym
    if isinstance(a.type, Scalar) and isinstance(b.type, Scalar):
        help = f"use `{a.name}` in one branch of an `if` and `{b.name}` in the other"
    elif isinstance(a.type, ir.Array) and types.same(a.type, b.type) and not a.type.open:
        shared = "__shared__ " if a.storage == "shared" else ""
        extents = "".join(f"[{n}]" for n in a.type.spelled or a.type.extents)
        rows = f"{shared}{a.type.element.spelled} rows[2]{extents}"
        help = f"make them one array, `{rows};`, and keep the row index in an int"
    else:
        help = f"keep the offset in an int, and index `{a.name}` or `{b.name}` in an `if`"
    values = {"name": name, "one": f"`{a.name}`", "two": f"`{b.name}`"}
    return ctx.reject(Code.POINTS_TO_TWO, node, help=help, **values)


@dispatch.begun.when(c_ast.Cast)
def begun(ctx: Context, node: c_ast.Cast, struct: Struct) -> Place:
    """Return the first number of what a cast reads as structs of numbers."""
    number = next(leaves(struct)).type
    assert isinstance(number, Scalar)
    return cast(ctx, node, number, vector_views.first)
