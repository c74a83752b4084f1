"""Lower dynamic shared memory that is declared as bytes and used as numbers.

    extern __shared__ unsigned char memory[];           extern __shared__ float memory[];
    float *a = (float *)memory;                   ->    a is memory
    float *b = (float *)(memory + n * sizeof(float));   b is memory + n

That is exact if the form of every offset shows a multiple of the type's size. Numbers of other
types in these bytes get arrays of their own beside this one (see `regions`).
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code, Rejected
from ....ir import Binary, Cast, Const, Expr, Place, Pointer, Scalar, Struct
from ...sema import declarators
from ...sema.scope import Context
from ...syntax import ast_utils
from ...types import types
from . import numbers


def used_as(ctx: Context, node: c_ast.Decl, type: ir.Array) -> ir.Array:
    """Return the array with the first type that its bytes are used as, or unchanged if there is none."""
    if ctx.unit.emitted or ctx.root is None or type.element not in (ir.CHAR, ir.SCHAR, ir.UCHAR):
        return type
    found = [t for t in pointed_at(ctx, node.name) if t not in (ir.CHAR, ir.SCHAR, ir.UCHAR)]
    return replace(type, element=found[0]) if found else type


def pointed_at(ctx: Context, name: str) -> list[Scalar]:
    """Return the types of numbers that pointers into a variable are cast to, in order."""
    found: list[Scalar] = []
    for type, _ in casts(ctx, name):
        held = numbers.of(type) if isinstance(type, Struct) else type
        if isinstance(held, Scalar) and not any(types.same(held, f) for f in found):
            found.append(held)
    return found


def casts(ctx: Context, name: str) -> list[tuple[ir.Type, str]]:
    """Return what pointers into a variable are cast to, each with the pointer that the cast initialises."""
    found: list[tuple[ir.Type, str]] = []
    same: set[str] = {name}

    def visit(node: c_ast.Node, made: str = "") -> None:
        match node:
            case c_ast.Decl(type=c_ast.PtrDecl(), init=c_ast.Node() as init, name=str() as made):
                visit(init, made)
                if ast_utils.names(init) & same:
                    same.add(made)
                return
        for _, child in node.children():
            visit(child)
        match node:
            case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl() as wanted)):
                to = _target(ctx, wanted) if ast_utils.names(node.expr) & same else None
                if to is not None:
                    found.append((to, made))

    if ctx.root is not None:
        visit(ctx.root)
    return found


def is_cast_to(ctx: Context, name: str, type: Scalar) -> bool:
    """Whether an expression that names a variable is cast to a pointer to the type."""

    def found(node: c_ast.Node) -> bool:
        match node:
            case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl() as wanted), expr=inner):
                if name in ast_utils.names(inner) and _target(ctx, wanted) == type:
                    return True
        return any(found(child) for _, child in node.children())

    return ctx.root is not None and found(ctx.root)


def _target(ctx: Context, node: c_ast.Node) -> ir.Type | None:
    try:
        to, _ = declarators.type_of(ctx, node)
    except Rejected:
        return None
    return to.target if isinstance(to, Pointer) else None


def counted(ctx: Context, node: c_ast.Node) -> bool:
    """Whether a pointer counts bytes; after a cast to another type it counts elements."""
    match node:
        case c_ast.ID(name=name):
            named = ctx.lookup(name)
            return isinstance(named, ir.Sym) and named in ctx.bytes
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=inner)):
            return counted(ctx, inner)
        case c_ast.BinaryOp(op="+" | "-", left=left, right=right):
            return counted(ctx, left) or counted(ctx, right)
        case _:
            return False


def elements(ctx: Context, node: c_ast.Cast, at: Place) -> Place:
    """Convert a byte offset to an offset in elements of the array's type."""
    assert isinstance(at.type, Scalar)
    offset = divided(at.index[-1], at.type.size)
    if offset is None or any(isinstance(e, Place) and e.sym in ctx.bytes for e in ir.walk(offset)):
        why = f"`{ctx.unit.written.text(node)}` is not written as a multiple of the element size"
        raise ctx.reject(Code.DYNAMIC_SHARED, node, name=at.sym.variable, why=why)
    return replace(at, index=(offset,), spelling=None, macro=None)


def divided(expr: Expr, size: int) -> Expr | None:
    """Return the offset in elements, if its form shows that it is a whole number of them."""
    match expr:
        case Const(value):
            return Const(int(value) // size, ir.INT) if int(value) % size == 0 else None
        case Binary() if isinstance(whole := _number(expr), Const):
            return divided(whole, size)
        case Cast(arg, implicit=True):
            return divided(arg, size)
        case Binary("+" | "-" as op, left, right, type):
            a, b = divided(left, size), divided(right, size)
            if a is None or b is None or not isinstance(type, Scalar):
                return None
            meet = types.common(_scalar(a), _scalar(b))
            return Binary(op, types.convert(a, meet), types.convert(b, meet), meet)
        case Binary("*", left, right):
            for one, two in ((left, right), (right, left)):
                factor = _number(two)
                part = divided(factor, size) if isinstance(_bare(factor), Const) else None
                if isinstance(part, Const):
                    count = _bare(one)
                    return count if part.value == 1 else _times(count, part)
            return None
        case _:
            return None


def _number(expr: Expr) -> Expr:
    """Fold a sum or a product of constants: `sizeof(float) + sizeof(int)`."""
    match _bare(expr):
        case Binary("+" | "*" as op, left, right):
            a, b = _bare(_number(left)), _bare(_number(right))
            if isinstance(a, Const) and isinstance(b, Const):
                one, two = int(a.value), int(b.value)
                return Const(one + two if op == "+" else one * two, _scalar(expr))
    return expr


def _times(count: Expr, factor: Const) -> Expr:
    meet = types.common(_scalar(count), ir.INT)
    return Binary("*", types.convert(count, meet), Const(factor.value, meet), meet)


def _bare(expr: Expr) -> Expr:
    return expr.arg if isinstance(expr, Cast) and expr.implicit else expr


def _scalar(expr: Expr) -> Scalar:
    assert isinstance(expr.type, Scalar)
    return types.promote(expr.type)
