"""Lower tests for null pointers: `bias != nullptr`, `if (bias)`.

A pointer has no value here, but one property is constant for the whole launch: whether the
caller passes an array at all. A pointer into an array is non-null if the array is, as
arithmetic on a null pointer is undefined. What a kernel declares is never null.
"""

from __future__ import annotations

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...fields import is_nowhere, nowhere
from ...ir import AddressOf, Const, Expr, Place, Pointer, Special, Sym, Unary
from ..syntax import ast_utils
from .meanings import Access, Alias, Referred
from .scope import Context


def tested(ctx: Context, node: c_ast.BinaryOp) -> Expr | None:
    """Return the value of `p == nullptr` or `p != nullptr`; None for anything else."""
    if node.op not in ("==", "!="):
        return None
    for pointer, null in ((node.left, node.right), (node.right, node.left)):
        if ast_utils.is_null(null) and (found := present(ctx, pointer)) is not None:
            return found if node.op == "!=" else Unary("!", found, ir.BOOL)
    return None


def present(ctx: Context, node: c_ast.Node) -> Expr | None:
    """Return whether a pointer is non-null; None for what is no pointer or has an unknown target."""
    while isinstance(node, c_ast.Cast) and isinstance(node.to_type.type, c_ast.PtrDecl):
        node = node.expr
    if isinstance(node, c_ast.StructRef):
        field = _field(ctx, node)
        return _of(field) if field is not None and isinstance(field.type, ir.Pointer | ir.Array) else None
    named = ctx.lookup(node.name) if isinstance(node, c_ast.ID) else None
    match named:
        case Sym(type=ir.Array(single=True)):  # one number in shared memory
            return None
        case Sym() as sym:
            return _of(sym)
        case Alias(flag=flag) if flag is not None:
            return Place(flag, (), ir.BOOL)
        case Alias(given=given) | Referred(given=given) if given is not None:
            return given
        case Alias(at=Place(sym), reference=False) if isinstance(sym.type, ir.Scalar) and not is_nowhere(sym):
            return Const(True, ir.BOOL)  # the address of a variable
        case Alias(at=Place(sym), reference=False):
            return _of(sym)
        case Referred(access=meant) if meant.points == "single" and not is_nowhere(meant.whole):
            return Const(True, ir.BOOL)
        case Referred(access=meant) if isinstance(meant.type, Pointer) and meant.base is None:
            return _of(meant.whole)
        case _:
            return None


def _field(ctx: Context, node: c_ast.StructRef) -> Sym | None:
    """Return what `v.p` means, with `v` a struct by value or a copy: an array, or a parameter's field."""
    path: list[str] = []
    inner: c_ast.Node = node
    while isinstance(inner, c_ast.StructRef) and inner.type == ".":
        path.insert(0, inner.field.name)
        inner = inner.name
    match ctx.lookup(inner.name) if isinstance(inner, c_ast.ID) else None:
        case Sym(type=ir.Struct()) as whole:
            pass
        case Referred(access=Access(whole=whole, index=(), type=ir.Struct(), base=None) as meant):
            path = [*meant.path, *path]
        case _:
            return None
    parts = ctx.function.parts.get(whole, {})
    return parts.get(tuple(path))


def doubted(ctx: Context, node: c_ast.Node | None) -> Expr | None:
    """Return whether the pointer in an argument is non-null, if that isn't known; else None."""
    match node:
        case c_ast.ID(name=name):
            named = ctx.lookup(name)
            if isinstance(named, Alias) and named.flag is not None:
                return Place(named.flag, (), ir.BOOL)
            return named.given if isinstance(named, Alias | Referred) else None
        case c_ast.BinaryOp(op="+" | "-", left=inner) | c_ast.Cast(expr=inner):
            return doubted(ctx, inner)
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=inner)):
            return doubted(ctx, inner)
        case _:
            return None


def of_another(ctx: Context, node: c_ast.Node) -> Expr | None:
    """Return whether a pointer made from another one is non-null, if that isn't known; else None."""
    found = doubted(ctx, node)
    if found is None:
        sure(ctx, node)
    return ctx.keep(found) if isinstance(found, Place) and not found.sym.const else found


def asked(name: str, node: c_ast.Node) -> bool:
    """Whether a pointer of that name is tested, or passed on to what may test it."""
    match node:
        case c_ast.If(cond=cond) | c_ast.While(cond=cond) | c_ast.DoWhile(cond=cond) | c_ast.For(cond=cond):
            found = [cond]
        case c_ast.TernaryOp():
            found = [node.cond, node.iftrue, node.iffalse]
        case c_ast.BinaryOp(op="&&" | "||" | "==" | "!=", left=left, right=right):
            found = [left, right]
        case c_ast.UnaryOp(op="!", expr=inner) | c_ast.Decl(init=inner) | c_ast.Assignment(rvalue=inner):
            found = [inner]
        case c_ast.FuncCall(args=c_ast.ExprList(exprs=args)):
            found = list(args)
        case c_ast.Return(expr=inner) | c_ast.Cast(expr=inner):
            found = [inner]
        case _:
            found = []
    if any(isinstance(part, c_ast.ID) and part.name == name for part in found):
        return True
    return any(asked(name, child) for _, child in node.children())


def sure(ctx: Context, node: c_ast.Node) -> None:
    """Refuse a pointer made from one that may be null, as the result couldn't be tested."""
    if isinstance(node, c_ast.TernaryOp):
        sure(ctx, node.iftrue)
        sure(ctx, node.iffalse)
    elif doubted(ctx, node) is not None:
        what = f"`{ctx.unit.written.text(node)}`, which may be a null pointer, assigned to another pointer"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="test it where it is used")


def followed(ctx: Context, node: c_ast.Decl, init: c_ast.Node) -> c_ast.Node:
    """Return the target of `float *p = c ? x : nullptr;` if p is only dereferenced or indexed later.

    A null pointer can't be dereferenced, so each such use has the other pointer.
    """
    match init:
        case c_ast.TernaryOp(cond=cond, iftrue=one, iffalse=two) if cond not in ctx.expression.survey:
            only = all(_only_through(node.name, later) for later in ctx.later)
            if only and ast_utils.is_null(one) != ast_utils.is_null(two):
                return two if ast_utils.is_null(one) else one
    return init


def _only_through(name: str, node: c_ast.Node) -> bool:
    """Whether a pointer is dereferenced or indexed wherever it is named."""
    match node:
        case c_ast.ID(name=found):
            return bool(found != name)
        case c_ast.ArrayRef(name=c_ast.ID(), subscript=index):
            return _only_through(name, index)
        case c_ast.UnaryOp(op="*", expr=c_ast.ID()):
            return True
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=c_ast.ID(name=found))) if found == name:
            return False
        case _:
            return all(_only_through(name, child) for _, child in node.children())


def _of(sym: Sym) -> Expr | None:
    if isinstance(sym.type, ir.Array):
        return Const(True, ir.BOOL)
    if is_nowhere(sym):
        return Const(False, ir.BOOL)
    alone = sym.within is None or isinstance(sym.within.type, ir.Struct)  # no field of an array of structs
    known = isinstance(sym.type, Pointer) and sym.storage == "parameter" and alone
    return Special("present", sym.name, ir.BOOL) if known else None


NULL = AddressOf(Place(nowhere(Pointer(ir.VOID)), (Const(0, ir.INT),), ir.VOID), Pointer(ir.VOID))
"""A null pointer as an argument; the parameter determines its type."""


def null(type: Pointer) -> AddressOf:
    """Return a null pointer as an argument for a parameter of the type."""
    assert isinstance(type.target, ir.Scalar | ir.Array)
    return AddressOf(Place(nowhere(type), (Const(0, ir.INT),), type.target), type)


def no_struct(type: Pointer) -> Referred:
    """Return a null pointer as a parameter that points to a struct."""
    return Referred(Access(nowhere(type), (), (Const(0, ir.INT),), type, "single"), type.const)


def absent(ctx: Context, node: c_ast.Node) -> bool | None:
    """Return the value of a condition that tests a pointer that is null in this call; else None."""
    match node:
        case c_ast.BinaryOp(op="==" | "!="):
            found = tested(ctx, node)
            value = found.arg if isinstance(found, Unary) else found
            return isinstance(found, Unary) if isinstance(value, Const) and not value.value else None
        case _:
            found = present(ctx, node)
            return False if isinstance(found, Const) and not found.value else None
