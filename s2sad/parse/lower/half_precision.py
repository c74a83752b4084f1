"""Lower numbers of half precision, with the functions of cuda_fp16.h and cuda_bf16.h.

    __hfma(a, x[i], b)   ->   __float2half(fmaf(__half2float(a), __half2float(x[i]), __half2float(b)))

Such a number is stored in half precision and computed with as a float, which holds the sum,
product and quotient of two of them to more than twice their digits: rounded, the result is the
hardware's (for a fused multiply-add except in a near-tie). So nothing after the front end needs
to know these functions, and adjoints are floats from the start. A pair (`__half2`) is a struct
of two numbers; an operation on it applies to each.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...fields import BFLOAT162, HALF2, VECTORS
from ...ir import Binary, Call, Cast, Const, Expr, Scalar, Struct
from ..sema import dispatch, evaluation
from ..sema.meanings import Value
from ..sema.scope import Context
from ..syntax import ast_utils
from ..types import half_functions, types
from ..types.builtins import BUILTINS
from ..types.half_functions import FAMILIES, FUNCTIONS, Function
from . import arguments, callees, thread_calls
from .memory import struct_variables

_PAIRS = {scalar: pair for pair, scalar in FAMILIES.items()}

_CONVERSIONS = {
    "__half2float": (ir.HALF, ir.FLOAT),
    "__bfloat162float": (ir.BFLOAT16, ir.FLOAT),
    "__float2half": (ir.FLOAT, ir.HALF),
    "__float2half_rn": (ir.FLOAT, ir.HALF),
    "__double2half": (ir.DOUBLE, ir.HALF),
    "__float2bfloat16": (ir.FLOAT, ir.BFLOAT16),
    "__float2bfloat16_rn": (ir.FLOAT, ir.BFLOAT16),
    "__double2bfloat16": (ir.DOUBLE, ir.BFLOAT16),
} | {
    f"__{name}2{half}_rn": (source, target)
    for half, target in (("half", ir.HALF), ("bfloat16", ir.BFLOAT16))
    for name, source in (("int", ir.INT), ("uint", ir.UINT), ("short", ir.SHORT), ("ushort", ir.USHORT))
}
"""The source and target type of each conversion; to half precision they round to nearest."""

_FROM_BITS = {
    f"__{sign}short_as_{half}": of
    for sign in ("", "u")
    for half, of in (("half", ir.HALF), ("bfloat16", ir.BFLOAT16))
}
"""Functions that make a number from its bits; accepted for constants only."""

_FROM_NUMBERS = {
    "__float2half2_rn": (ir.FLOAT, "00", HALF2),
    "__floats2half2_rn": (ir.FLOAT, "01", HALF2),
    "__half2half2": (ir.HALF, "00", HALF2),
    "__halves2half2": (ir.HALF, "01", HALF2),
    "__float2bfloat162_rn": (ir.FLOAT, "00", BFLOAT162),
    "__floats2bfloat162_rn": (ir.FLOAT, "01", BFLOAT162),
    "__bfloat162bfloat162": (ir.BFLOAT16, "00", BFLOAT162),
    "__halves2bfloat162": (ir.BFLOAT16, "01", BFLOAT162),
}
"""Functions that make a pair of numbers: the numbers' type, which of them become x and y, the pair's type."""

_FROM_PAIRS = {
    "__half22float2": ("x", "y"),
    "__bfloat1622float2": ("x", "y"),
    "__float22half2_rn": ("x", "y"),
    "__float22bfloat162_rn": ("x", "y"),
    "__lowhigh2highlow": ("y", "x"),
    "__low2half2": ("x", "x"),
    "__low2bfloat162": ("x", "x"),
    "__high2half2": ("y", "y"),
    "__high2bfloat162": ("y", "y"),
}
"""Functions that make a pair from a pair: which of its numbers become x and y."""

_MADE = {
    "__float22half2_rn": HALF2,
    "__float22bfloat162_rn": BFLOAT162,
    "__half22float2": VECTORS["float2"],
    "__bfloat1622float2": VECTORS["float2"],
}
_OF_TWO = {"__lows2half2": "x", "__lows2bfloat162": "x", "__highs2half2": "y", "__highs2bfloat162": "y"}
_PARTS = {
    "__low2float": ("x", True),
    "__high2float": ("y", True),
    "__low2half": ("x", False),
    "__high2half": ("y", False),
    "__low2bfloat16": ("x", False),
    "__high2bfloat16": ("y", False),
}
"""Functions that extract a number from a pair: which one, and whether it is converted to float."""

_BOTH = re.compile(r"__hb(eq|ne|lt|le|gt|ge)2")
_TO_INTEGER = re.compile(r"__(half|bfloat16)2(u?int|u?ll)_(r[nzud])")
_SHUFFLE = re.compile(r"__shfl_(?:\w+_)?sync")


# ---- numbers -------------------------------------------------------------------


def known(ctx: Context, name: str) -> bool:
    """Whether a name is a half-precision function that the file doesn't define."""
    if name in ctx.unit.functions or (ctx.unit.instances is not None and ctx.unit.instances.known(name)):
        return False
    mine = (
        name in FUNCTIONS
        or name in _CONVERSIONS
        or name in _FROM_BITS
        or name in _PARTS
        or made(name) is not None
    )
    return mine or _BOTH.fullmatch(name) is not None or _TO_INTEGER.fullmatch(name) is not None


def call(ctx: Context, node: c_ast.FuncCall) -> Expr:
    """Lower a call of such a function that returns a number."""
    name, args = node.name.name, _arguments(node)
    if name in _CONVERSIONS:
        source, target = _CONVERSIONS[name]
        (value,) = _numbers(ctx, node, args, [source])
        return types.convert(types.convert(value, source), target)
    if name in _FROM_BITS:
        return _of_bits(ctx, node, args)
    if name in _PARTS:
        field, wide = _PARTS[name]
        (pair,) = _pairs(ctx, node, args, 1)
        value = pair.leaves[(field,), ()]
        return types.convert(value, ir.FLOAT) if wide else value
    if whole := _TO_INTEGER.fullmatch(name):
        (value,) = _numbers(ctx, node, args, [ir.HALF])
        half = ir.HALF if whole[1] == "half" else ir.BFLOAT16
        (builtin,) = BUILTINS[f"__float2{whole[2]}_{whole[3]}"]
        given = types.widened(types.convert(value, half))
        return Call(builtin.name, (given,), builtin.result, rule=builtin.rule)
    if both := _BOTH.fullmatch(name):
        one, two = _pairs(ctx, node, args, 2)
        test = FUNCTIONS[f"__h{both[1]}"]
        x, y = (test.make([types.widened(v.leaves[(f,), ()]) for v in (one, two)]) for f in "xy")
        return Binary("&&", x, y, ir.BOOL)
    function = FUNCTIONS.get(name)
    if function is None or function.pairs:
        raise wrong(ctx, node)
    values = arguments.numbers(ctx, node, args)
    halves = [v.type for v in values if types.is_half(v.type)]
    if len(values) != function.count or not halves or any(h != halves[0] for h in halves):
        raise _unfit(ctx, node, [v.type for v in values])
    return _made(function, values, halves[0])


def _of_bits(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node]) -> Expr:
    """Lower `__ushort_as_half(0x3c00)` to the constant with these bits, 1."""
    name = node.name.name
    (given,) = _numbers(ctx, node, args, [ir.USHORT])
    bits = evaluation.constant_integer(ctx, types.convert(given, ir.USHORT))
    if bits is None:
        raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))
    half = _FROM_BITS[name]
    packed = struct.pack("<H", bits % 2**16)
    (number,) = struct.unpack("<e", packed) if half == ir.HALF else struct.unpack("<f", b"\0\0" + packed)
    if not math.isfinite(number):
        raise ctx.reject(Code.HALF_PRECISION, node.name, name=name)
    return types.convert(Const(number, ir.FLOAT), half)


def _made(function: Function, values: Sequence[Expr], half: ir.Type) -> Expr:
    result = function.make([types.widened(types.convert(v, half)) for v in values])
    return result if result.type == ir.BOOL else Cast(result, half, implicit=True)


def _numbers(
    ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], params: Sequence[Scalar]
) -> list[Expr]:
    values = arguments.numbers(ctx, node, args)
    if len(values) != len(params):
        raise _unfit(ctx, node, [v.type for v in values])
    return values


def _arguments(node: c_ast.FuncCall) -> list[c_ast.Node]:
    return list(node.args.exprs) if node.args is not None else []


def _unfit(ctx: Context, node: c_ast.FuncCall, given: Sequence[ir.Type]) -> Exception:
    name = node.name.name
    wanted = "numbers of one type of half precision"
    if (name in FUNCTIONS and FUNCTIONS[name].pairs) or name in (*_FROM_PAIRS, *_OF_TWO, *_PARTS):
        wanted = "pairs of half precision"
    elif name in _CONVERSIONS:
        wanted = f"{name}({types.spell(_CONVERSIONS[name][0])})"
    return callees.wrong(ctx, node, name, given, [], wanted=wanted)


def wrong(ctx: Context, node: c_ast.FuncCall) -> Exception:
    """Return the refusal of a pair where a number is expected."""
    title = f"`{node.name.name}` gives a pair where a number is expected"
    return ctx.type_error(node, title, "select one of its fields")


# ---- pairs ---------------------------------------------------------------------


def made(name: str) -> Struct | None:
    """Return the pair type that a function makes, by its name; HALF2 for functions of either type."""
    if name in _FROM_NUMBERS:
        return _FROM_NUMBERS[name][2]
    if name in _MADE:
        return _MADE[name]
    if name in _FROM_PAIRS or name in _OF_TWO:
        return BFLOAT162 if "bfloat" in name else HALF2
    if name in FUNCTIONS and FUNCTIONS[name].pairs:
        return HALF2
    return None


def static(ctx: Context, node: c_ast.FuncCall) -> Struct | None:
    """Return the type of the pair that a call makes, without evaluating it; None if it makes none."""
    name = node.name.name
    if _SHUFFLE.fullmatch(name) and ctx.unit.pairs and len(_arguments(node)) > 1:
        moved = dispatch.static(ctx, _arguments(node)[1])
        return moved if moved in FAMILIES else None
    found = made(name) if known(ctx, name) else None
    if found is HALF2 and (name in FUNCTIONS or name in ("__lowhigh2highlow",)):
        given = [dispatch.static(ctx, arg) for arg in _arguments(node)[:1]]
        return given[0] if given and given[0] in FAMILIES else found
    return found


def value(ctx: Context, node: c_ast.FuncCall) -> Value:
    """Lower a call that makes a pair."""
    name, args = node.name.name, _arguments(node)
    if _SHUFFLE.fullmatch(name):
        return _shuffled(ctx, node, args)
    if name in _FROM_NUMBERS:
        source, which, pair = _FROM_NUMBERS[name]
        count = len(set(which))
        values = [types.convert(v, source) for v in _numbers(ctx, node, args, [source] * count)]
        if count == 1:
            values = [_kept(ctx, values[0])]
        return _pair(pair, [types.convert(values[int(k)], FAMILIES[pair]) for k in which])
    if name in _FROM_PAIRS:
        (given,) = _pairs(ctx, node, args, 1)
        result = static(ctx, node)
        assert result is not None
        leaves = [given.leaves[(f,), ()] for f in _FROM_PAIRS[name]]
        if _FROM_PAIRS[name][0] == _FROM_PAIRS[name][1]:
            leaves = [_kept(ctx, leaves[0])] * 2
        return _pair(result, [types.convert(e, _of(result)) for e in leaves])
    if name in _OF_TWO:
        one, two = _pairs(ctx, node, args, 2)
        return _pair(one.type, [v.leaves[(_OF_TWO[name],), ()] for v in (one, two)])
    function = FUNCTIONS[name]
    return _each(function, _pairs(ctx, node, args, function.count))


def _shuffled(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node]) -> Value:
    """Shuffle both numbers of a pair from the same lane."""
    if args[1] in ctx.expression.survey:
        raise _acts(ctx, args[1], node.name.name)
    given = dispatch.struct_value(ctx, args[1])
    mask, *more = arguments.numbers(ctx, node, [args[0], *args[2:]])
    moved = [thread_calls.shuffled(ctx, node, [mask, given.leaves[(f,), ()], *more]) for f in "xy"]
    return _pair(given.type, moved)


def added(ctx: Context, node: c_ast.FuncCall) -> bool:
    """Emit an atomic addition for each number if a call adds a pair; return whether it does."""
    name, args = node.name.name, _arguments(node)
    if len(args) != 2 or dispatch.static(ctx, args[1]) not in FAMILIES:
        return False
    if node is not ctx.expression.discarded:
        raise ctx.reject(Code.ATOMIC_VALUE, node, name=name)
    for arg in args:
        if arg in ctx.expression.survey:
            raise _acts(ctx, arg, name)
    given = dispatch.struct_value(ctx, args[1])
    match args[0]:
        case c_ast.UnaryOp(op="&", expr=inner):
            meant = struct_variables.access(ctx, inner)
        case pointer:
            meant = struct_variables.pointed(ctx, pointer)
    if meant.type != given.type:
        raise _unfit(ctx, node, [callees.type_of(ctx, arg) for arg in args])
    for (path, _), value in given.leaves.items():
        thread_calls.added(ctx, node, struct_variables.part(ctx, meant, path), value)
    return True


def _acts(ctx: Context, node: c_ast.Node, name: str) -> Exception:
    what = f"an argument of `{name}` with side effects"
    return ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="assign it to a variable before the call")


def _of(pair: Struct) -> Scalar:
    scalar = pair.fields[0].type
    assert isinstance(scalar, Scalar)
    return scalar


def _pair(type: Struct, values: Sequence[Expr]) -> Value:
    return Value(type, {((f,), ()): e for f, e in zip("xy", values, strict=True)})


def _each(function: Function, given: Sequence[Value]) -> Value:
    half = _of(given[0].type)
    parts = [[v.leaves[(f,), ()] for v in given] for f in "xy"]
    return _pair(given[0].type, [_made(function, part, half) for part in parts])


def _kept(ctx: Context, expr: Expr) -> Expr:
    """Return an expression that can be used twice, saved in a temporary if necessary."""
    plain = expr.arg if isinstance(expr, Cast) else expr
    return expr if isinstance(plain, Const | ir.Place) else ctx.keep(expr, "both")


def _pairs(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], count: int) -> list[Value]:
    """Lower the arguments, which must be pairs of one type."""
    found = [dispatch.static(ctx, arg) for arg in args]
    if len(args) != count or found[0] is None or any(type != found[0] for type in found):
        raise _unfit(ctx, node, [callees.type_of(ctx, arg) for arg in args])
    wanted = (
        {VECTORS["float2"]} if node.name.name in _MADE and _MADE[node.name.name] in FAMILIES else FAMILIES
    )
    if found[0] not in wanted:
        raise _unfit(ctx, node, [callees.type_of(ctx, arg) for arg in args])
    values = []
    for arg in args:
        if arg in ctx.expression.survey:
            raise _acts(ctx, arg, node.name.name)
        values.append(dispatch.struct_value(ctx, arg))
    return values


# ---- operators of pairs ----------------------------------------------------------


def operated(ctx: Context, node: c_ast.Node) -> Struct | None:
    """Return the result type of one of CUDA's operators on pairs; None for any other operator."""
    if not ctx.unit.pairs or node.op.removesuffix("=") not in ("+", "-", "*", "/"):
        return None
    types_ = [evaluation.static_or_none(ctx, part) for part in ast_utils.operands(node)]
    first = types_[0]
    return first if first in FAMILIES and all(t == first for t in types_) else None


def operation(ctx: Context, node: c_ast.Node) -> Value:
    """Lower an operator on pairs to the pair that it makes, or that `a += b` stores."""
    parts = ast_utils.operands(node)
    if any(part in ctx.expression.survey for part in parts):
        what = f"an operand of `{node.op}` on pairs with side effects"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="assign it to a variable before")
    values = [dispatch.struct_value(ctx, part) for part in parts]
    if len(values) == 1:
        return values[0] if node.op == "+" else _each(FUNCTIONS["__hneg2"], values)
    return _each(Function(2, half_functions.of_operator(node.op[0]), True), values)
