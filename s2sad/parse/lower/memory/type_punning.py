"""Lower a number that is read as another type of its size through a pointer: `*(int *)&x`.

Such a read is `__float_as_int(x)`, or between integers a conversion. A write through such a
pointer is refused, and so is shared memory: it may hold values of both types.
"""

from __future__ import annotations

from pycparser import c_ast

from .... import ir
from ....diagnostics import Rejected
from ....ir import Call, Cast, Expr, Pointer, Scalar
from ...sema import declarators, dispatch, evaluation
from ...sema.meanings import Alias
from ...sema.scope import Context
from ...syntax import ast_utils
from ...types import types
from ...types.builtins import BUILTINS

_READ = {
    (ir.FLOAT, ir.INT): "__float_as_int",
    (ir.FLOAT, ir.UINT): "__float_as_uint",
    (ir.INT, ir.FLOAT): "__int_as_float",
    (ir.UINT, ir.FLOAT): "__uint_as_float",
    (ir.DOUBLE, ir.LLONG): "__double_as_longlong",
    (ir.LLONG, ir.DOUBLE): "__longlong_as_double",
}


def value(ctx: Context, node: c_ast.Node) -> Expr | None:
    """Return the number that such an expression reads; None if it is no such expression."""
    match node:
        case c_ast.UnaryOp(
            op="*",
            expr=c_ast.Cast(
                to_type=c_ast.Typename(type=c_ast.PtrDecl() as wanted),
                expr=c_ast.UnaryOp(op="&", expr=(c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef()) as inner),
            ),
        ) if not ctx.unit.emitted and not _shared(ctx, inner):
            pass
        case _:
            return None
    try:
        to, _ = declarators.type_of(ctx, wanted)
        of = dispatch.type_of(ctx, inner)
    except Rejected:
        return None
    if not isinstance(to, Pointer) or not isinstance(to.target, Scalar) or not isinstance(of, Scalar):
        return None
    target = to.target
    if of.kind in _INTEGERS and target.kind in _INTEGERS and of.size == target.size:
        return Cast(evaluation.value(ctx, inner), target, span=ctx.span(node))
    name = next((name for (a, b), name in _READ.items() if _alike(of, a) and _alike(target, b)), None)
    if name is None or types.same(of, target):
        return None
    ctx.unit.carried.add(of.name)  # its bits differ where it is compiled as another type
    (builtin,) = BUILTINS[name]
    (param,) = builtin.params
    assert isinstance(param, Scalar)
    given = types.convert(evaluation.value(ctx, inner), param)
    read = Call(name, (given,), builtin.result, rule=builtin.rule, span=ctx.span(node), origin="author")
    return types.convert(read, target)


_INTEGERS = ("signed", "unsigned")


def _alike(a: Scalar, b: Scalar) -> bool:
    """Whether two types have the same bits; all integers of 8 bytes count as the same."""
    if a.size == 8 and a.kind in _INTEGERS:
        return b.size == 8 and b.kind in _INTEGERS
    return types.same(a, b)


def _shared(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an lvalue is in shared memory, or may be."""
    found = ast_utils.root(node)
    match ctx.lookup(found.name) if found is not None else None:
        case ir.Sym(storage=storage):
            return storage == "shared"
        case Alias(at=at):
            return at is None or at.sym.storage == "shared"
        case _:
            return found is None
