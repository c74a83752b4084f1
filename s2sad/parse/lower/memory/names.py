"""Lower names: variables, constants, enumerators, and names from headers that aren't read."""

from __future__ import annotations

import math

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code, Rejected
from ....ir import Const, Expr, Place, Scalar, Special, Sym
from ...sema import meanings
from ...sema.dispatch import lowers
from ...sema.meanings import Alias, Bound, Jumped, Poisoned, Referred
from ...sema.scope import Context, nearest
from ...types import types
from ...types.builtins import BUILTINS
from . import struct_variables

# Names from headers that aren't read. They have no spelling, since NVRTC doesn't know them.
_NUMBERS = {
    "INFINITY": Const(math.inf, ir.FLOAT),
    "HUGE_VALF": Const(math.inf, ir.FLOAT),
    "HUGE_VAL": Const(math.inf, ir.DOUBLE),
    "NAN": Const(math.nan, ir.FLOAT),
    "CUDART_INF_F": Const(math.inf, ir.FLOAT),
    "CUDART_INF": Const(math.inf, ir.DOUBLE),
    "CUDART_NAN_F": Const(math.nan, ir.FLOAT),
    "CUDART_NAN": Const(math.nan, ir.DOUBLE),
    "CUDART_MAX_NORMAL_F": Const(types.rounded(3.402823466e38), ir.FLOAT),
    "CUDART_NORM_HUGE_F": Const(types.rounded(3.402823466e38), ir.FLOAT),
    "CUDART_MIN_DENORM_F": Const(types.rounded(1.401298464e-45), ir.FLOAT),
    "CUDART_ZERO_F": Const(0.0, ir.FLOAT),
    "CUDART_ONE_F": Const(1.0, ir.FLOAT),
    "CUDART_PIO2_F": Const(types.rounded(math.pi / 2), ir.FLOAT),
    "CUDART_SQRT_TWO_F": Const(types.rounded(math.sqrt(2.0)), ir.FLOAT),
    "CUDART_PI_F": Const(types.rounded(math.pi), ir.FLOAT),
    "CUDART_PI": Const(math.pi, ir.DOUBLE),
}


@lowers(c_ast.ID)
def name(ctx: Context, node: c_ast.ID) -> Expr:
    """Lower a name to its value."""
    if node.name in ("true", "false"):
        return Const(node.name == "true", ir.BOOL, spelling=node.name)
    match ctx.lookup(node.name):
        case Alias(reference=True, at=at) if at is not None:
            return at
        case Alias():
            raise ctx.reject(Code.POINTER_VALUE, node, name=node.name)
        case Sym() as sym if sym in ctx.bytes and not ctx.raw:
            why = "its raw bytes are also used"
            raise ctx.reject(Code.DYNAMIC_SHARED, node, name=node.name, why=why)
        case Sym(type=ir.Array(element) as array) as sym if array.single:
            return Place(sym, (Const(0, ir.INT),), element)
        case Sym() as sym if meanings.is_struct(sym.type):
            raise struct_variables.not_a_number(ctx, node, sym.type)
        case Sym() as sym:
            return Place(sym, (), sym.type)
        case Bound(Scalar(), values):
            return values[(), ()]
        case Bound(type=type):
            raise struct_variables.not_a_number(ctx, node, type)
        case Referred():
            return struct_variables.place(ctx, node)
        case Const() as const:
            return const
        case Jumped():
            raise ctx.reject(Code.CASE_SCOPE, node, name=node.name)
        case Poisoned():
            raise Rejected
        case None:
            if node.name in _NUMBERS:
                return _NUMBERS[node.name]
            if node.name == "warpSize":
                return Special("warpSize", "", ir.INT)
            if node.name in ctx.unit.functions or node.name in BUILTINS:
                what = f"`{node.name}`, a function, where a value is expected"
                help = "call it, or pass an object whose `operator()` calls it"
                raise ctx.reject(Code.FUNCTION_POINTER, node, what=what, help=help)
            raise ctx.reject(
                Code.UNKNOWN_NAME, node, name=node.name, nearest=nearest(node.name, ctx.visible())
            )
