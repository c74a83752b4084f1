"""Recognise pointers by their form and the meaning of their names, without evaluating anything."""

from __future__ import annotations

from pycparser import c_ast

from .... import ir
from ....ir import Place, Scalar, Sym
from ...sema.meanings import Access, Alias, Referred
from ...sema.scope import Context
from ...syntax.ast_utils import STEPS
from ...types import types
from . import struct_variables


def is_pointer(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an expression is a pointer by its form."""
    if ctx.unit.emitted:
        return False
    match node:
        case c_ast.ID(name=name):
            match ctx.lookup(name):
                case Alias(reference=False) | Referred(access=Access(type=ir.Pointer())):
                    return True
                case Alias(at=Place(type=ir.Array() as type)) | Sym(type=ir.Pointer() | ir.Array() as type):
                    return not _single(type)
                case _:
                    return False
        case c_ast.UnaryOp(op="&"):
            return True
        case c_ast.UnaryOp(op=op, expr=inner) if op in STEPS:
            return is_pointer(ctx, inner)
        case c_ast.BinaryOp(op="+" | "-", left=left, right=right):
            return is_pointer(ctx, left) != is_pointer(ctx, right)
        case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl())):
            return True
        case c_ast.TernaryOp(iftrue=one, iffalse=two):
            return is_pointer(ctx, one) or is_pointer(ctx, two)
        case c_ast.Assignment(lvalue=target):
            return is_pointer(ctx, target)
        case c_ast.ExprList(exprs=parts):
            return is_pointer(ctx, parts[-1])
        case c_ast.ArrayRef() | c_ast.UnaryOp(op="*"):
            return is_row(ctx, node) or is_field(ctx, node)
        case c_ast.StructRef():
            return is_field(ctx, node)
        case _:
            return False


def is_field(ctx: Context, node: c_ast.Node) -> bool:
    """Whether a part of a struct is a pointer to numbers, or an array of numbers or rows."""
    if not struct_variables.named(ctx, node):
        return False
    match struct_variables.static_access(ctx, node):
        case ir.Pointer(target=Scalar()) | ir.Array():
            return True
        case _:
            return False


def is_row(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an element is itself an array: a row of a local array, or what a pointer to rows points to."""
    depth = 0
    while True:
        match node:
            case c_ast.ArrayRef(name=inner):
                node, depth = inner, depth + 1
            case c_ast.UnaryOp(op="*", expr=inner):
                node, depth = inner, depth + 1
            case c_ast.BinaryOp(op="+" | "-", left=left, right=right):
                node = left if is_pointer(ctx, left) else right
            case c_ast.UnaryOp(op=op, expr=inner) if op in STEPS:
                node = inner
            case c_ast.ID(name=name):
                break
            case _:
                return False
    match ctx.lookup(name):
        case Sym(type=ir.Array(extents=extents)):
            return depth < len(extents)
        case Sym(type=ir.Pointer(target=ir.Array(extents=extents))):
            return depth < len(extents) + 1
        case Alias(type=ir.Pointer(target=ir.Array(extents=extents)), reference=False):
            return depth < len(extents) + 1
        case Alias(at=Place(type=ir.Array(extents=extents)), reference=True):
            return depth < len(extents)
        case _:
            return False


def _single(type: ir.Type) -> bool:
    return isinstance(type, ir.Array) and type.single


def alike(a: ir.Type, b: ir.Type) -> bool:
    """Whether two pointer targets have compatible types."""
    match a, b:
        case ir.Array(one, m), ir.Array(two, n):
            return types.same(one, two) and m == n
        case _:
            return types.same(a, b)


def is_cast(ctx: Context, node: c_ast.Node) -> bool:
    """Whether a pointer is the result of a cast, perhaps moved by a number."""
    while isinstance(node, c_ast.BinaryOp):
        node = node.left if is_pointer(ctx, node.left) else node.right
    return isinstance(node, c_ast.Cast)


def _of_constants(sym: Sym) -> bool:
    """Whether a variable, or what it points to, is const."""
    return sym.type.const if isinstance(sym.type, ir.Pointer) else sym.const


def is_const(ctx: Context, node: c_ast.Node) -> bool:
    """Whether what an expression names or points to can't be written through it."""
    match node:
        case c_ast.ID(name=name):
            match ctx.lookup(name):
                case Alias(type=type, at=at):
                    return type.const or (at is not None and _of_constants(at.sym))
                case Referred(const=const):
                    return const
                case Sym(type=ir.Pointer(const=const)):
                    return const
                case Sym(const=const):
                    return const
                case _:
                    return False
        case c_ast.UnaryOp(op="&" | "*" | "++" | "--" | "p++" | "p--", expr=inner):
            return is_const(ctx, inner)
        case c_ast.StructRef() if struct_variables.named(ctx, node) and isinstance(
            pointer := struct_variables.static_access(ctx, node), ir.Pointer
        ):
            # What a const struct points to may be changed; and an adjoint's struct has pointers to const
            # where the primal's has, which are cast.
            return pointer.const and is_const(ctx, node.name)
        case c_ast.ArrayRef(name=inner) | c_ast.StructRef(name=inner) | c_ast.Assignment(lvalue=inner):
            return is_const(ctx, inner)
        case c_ast.BinaryOp(left=left, right=right):
            return is_const(ctx, left if is_pointer(ctx, left) else right)
        case c_ast.TernaryOp(iftrue=one, iffalse=two):
            return is_const(ctx, one) or is_const(ctx, two)
        case c_ast.ExprList(exprs=parts):
            return is_const(ctx, parts[-1])
        case c_ast.Cast(expr=inner):  # a cast doesn't change the constness of the object
            return is_const(ctx, inner)
        case _:
            return False


def is_place(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an expression names a variable or an element by its form."""
    match node:
        case c_ast.ID(name=name):
            return isinstance(ctx.lookup(name), Sym | Alias)
        case c_ast.ArrayRef() | c_ast.UnaryOp(op="*"):
            return True
        case c_ast.StructRef():
            return struct_variables.named(ctx, node)
        case _:
            return False
