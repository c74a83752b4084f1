"""Lower calls: pick the overload as C++17 does, and refuse calls that aren't supported yet.

The built-ins follow <cmath>: among `float` and `double` overloads of one function an
integer argument counts as `double`, so `pow(x, 2)` of a float x is computed in double.
Compilers for CUDA differ here; the emitted conversions make it explicit.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected, diagnose
from ...ir import AddressOf, Call, Const, Evaluate, Expr, Place, Pointer, Special, Sym
from ..sema import dispatch, evaluation, meanings, null_checks
from ..sema.dispatch import lowers
from ..sema.meanings import Device, Poisoned, Value
from ..sema.scope import Context, nearest
from ..syntax import ast_utils
from ..syntax.lexer import Qualified
from ..syntax.positions import LAUNCHED
from ..syntax.qualified_types import Member
from ..syntax.templates import TemplateId
from ..types import overload_resolution, types
from ..types.builtins import BUILTINS, Builtin
from . import (
    arguments,
    assignments,
    bit_intrinsics,
    builtin_calls,
    callees,
    half_precision,
    inline_calls,
    reductions,
    reference_args,
    struct_types,
)
from .builtin_calls import HOST
from .memory import memcpy, struct_variables

_PREFIXES = (
    ("atomic", Code.ATOMIC),
    ("tex", Code.TEXTURE),
    ("surf", Code.TEXTURE),
    ("curand", Code.RANDOM_NUMBERS),
    ("__sync", Code.BARRIER),
)
_HALF = re.compile(
    r"__\w*(?:half|bfloat16)|__h[a-z]+2?(?:_\w+)?$|h(?:exp|log|sin|cos|sqrt|rsqrt|rcp)$|h2\w+$"
)
_LEFT_OUT = ("printf", "assert", "__assert_fail")


@lowers(c_ast.FuncCall)
def call(ctx: Context, node: c_ast.FuncCall) -> Expr:
    """Lower a call; one with outputs becomes a statement, unless its value is stored directly."""
    if isinstance(node.name, Member) and callees.devices(ctx, node):
        return _number(ctx, node, inline_calls.call(ctx, node))
    if callees.is_functor(ctx, node) or not isinstance(node.name, c_ast.ID | TemplateId):
        return _of_an_object(ctx, node)
    name = node.name.name
    args = list(node.args.exprs) if node.args is not None else []
    if name == LAUNCHED:
        if not ctx.unit.emitted:
            raise ctx.reject(Code.INLINE_ASSEMBLY, node)
        return Special("sharedSize", "")
    if isinstance(ctx.lookup(name), Poisoned):
        raise Rejected
    if ctx.lookup(name) is not None:
        raise _through_a_pointer(ctx, node)
    if reductions.is_reduction(name):
        return reductions.reduced(ctx, node, name, args)
    own = name in ctx.unit.functions or (ctx.unit.instances is not None and ctx.unit.instances.known(name))
    if own and not (name in BUILTINS and not callees.devices(ctx, node)):
        return _device(ctx, node, args)
    if half_precision.known(ctx, name):
        return half_precision.call(ctx, node)
    if name in BUILTINS:
        return builtin_calls.builtin(ctx, node, args, BUILTINS[name])
    return _of_the_library(ctx, node, name, args)


def _through_a_pointer(ctx: Context, node: c_ast.FuncCall) -> Rejected:
    what = "a call through a pointer, or of something that isn't a function"
    return ctx.reject(Code.FUNCTION_POINTER, node, what=what, help="call the function by its name")


def _number(ctx: Context, node: c_ast.FuncCall, result: Value | Expr) -> Expr:
    """Return the result of a function where a number is expected; refuse a struct."""
    if isinstance(result, Value):
        raise struct_variables.not_a_number(ctx, node, result.type)
    return result


def _of_an_object(ctx: Context, node: c_ast.FuncCall) -> Expr:
    """Lower `v.len(w)` or `v(w)`."""
    if not isinstance(node.name, TemplateId | Member) and callees.method(ctx, node) is not None:
        return _number(ctx, node, inline_calls.called(ctx, node))
    owner = ast_utils.root(node.name)
    if owner is not None and isinstance(ctx.lookup(owner.name), Poisoned):
        raise Rejected
    if isinstance(node.name, c_ast.StructRef):
        raise callees.no_struct(ctx, node)
    raise _through_a_pointer(ctx, node)


def _of_the_library(ctx: Context, node: c_ast.FuncCall, name: str, args: list[c_ast.Node]) -> Expr:
    """Lower a call of a function of C++, its library or the compiler."""
    if (
        name in _LEFT_OUT
        and node is ctx.expression.discarded
        and not any(arg in ctx.expression.survey for arg in args)
    ):
        ctx.function.remarks.append(diagnose(Code.LEFT_OUT, ctx.span(node), name=name))
        return Const(0, ir.VOID)
    if bit_intrinsics.known(name):
        return bit_intrinsics.counted(ctx, node, arguments.numbers(ctx, node, args))
    if name in memcpy.NAMES:
        return memcpy.moved(ctx, node, name, args)
    if name == "swap" and len(args) == 2:
        return assignments.swap(ctx, node, args)
    if name == "move" and isinstance(name, Qualified):
        raise ctx.reject(
            Code.NOT_SUPPORTED, node, what="`std::move`", help="leave it out: the value is the same"
        )
    if name == "__builtin_expect" and len(args) == 2:
        arguments.in_any_order(ctx, node, args)
        expected = types.convert(evaluation.arithmetic(ctx, args[0])[0], ir.LONG)
        evaluation.arithmetic(ctx, args[1])
        return expected
    if struct_types.made(ctx, name, node) is not None:
        raise struct_variables.not_a_number(ctx, node, dispatch.struct_value(ctx, node).type)
    raise _unknown(ctx, node, name)


def _unknown(ctx: Context, node: c_ast.FuncCall, name: str) -> Rejected:
    if name in HOST or name in _LEFT_OUT:
        help = HOST.get(name, "write it as a separate statement, without side effects")
        return ctx.reject(Code.HOST_FUNCTION, node, name=name, help=help)
    own = (getattr(f, "function", f) for f in getattr(ctx.unit.written, "functions", ()))
    if len(ctx.scopes) > 1 and any(f.decl.name == name for f in own):
        return Rejected()  # the reason was reported at its definition
    if len(ctx.scopes) == 1 and hasattr(ctx.unit.written, "functions"):
        what = "a global constant computed by a function"
        return ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write its value")
    for prefix, code in _PREFIXES:
        if name.startswith(prefix):
            return ctx.reject(code, node, name=name)
    if _HALF.match(name):
        return ctx.reject(Code.HALF_PRECISION, node.name, name=name)
    known = [*BUILTINS, *ctx.unit.functions]
    return ctx.reject(Code.UNKNOWN_FUNCTION, node.name, name=name, nearest=nearest(name, known))


def _device(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node]) -> Expr:
    choices = list(callees.devices(ctx, node))
    if any(d.atomic for d in choices) and (name := callees.chosen(ctx, node, args, choices).atomic):
        return _of_the_file(ctx, node, args, name)
    if any(d.inline is not None for d in choices):
        if callees.chosen(ctx, node, args, choices).inline is not None:
            return _number(ctx, node, inline_calls.call(ctx, node))
        choices = [d for d in choices if d.inline is None]
    values = arguments.values(ctx, node, args)
    for k, arg in enumerate(args):  # `f(x, 0)`, where every overload takes a pointer
        fits = [d.params[k] for d in choices if k < len(d.params)]
        if (
            not ctx.unit.emitted
            and fits
            and all(isinstance(to, Pointer) for to in fits)
            and ast_utils.is_null(arg)
        ):
            values[k] = null_checks.NULL
    fitting = [d for d in choices if meanings.takes(d, len(args))] or choices
    best = overload_resolution.choose(
        [reference_args.matched(d.params[: len(args)]) for d in fitting], [v.type for v in values]
    )
    best = callees.plainest(fitting, best)
    if len(best) != 1:
        raise arguments.wrong(ctx, node, values, [d.params for d in choices], ambiguous=len(best) > 1)
    device = fitting[best[0]]
    if device.bindings is not None:
        assert ctx.unit.instances is not None
        ctx.unit.instances.lowered(ctx, node, device)
    if not meanings.takes(device, len(args)):
        raise arguments.wrong(ctx, node, values, [d.params for d in choices])
    takes = not ctx.unit.emitted and any(isinstance(p, Pointer) for p in device.params)
    if takes:
        given = tuple(reference_args.passed(ctx, args, values, device))
    else:
        given = tuple(
            evaluation.assignable(ctx, arg, value, to)
            for arg, value, to in zip(args, values, device.params, strict=False)
        )
    given += tuple(_default(ctx, device, k) for k in range(len(args), len(device.params)))
    ctx.function.called.add(device.key)
    made = Call(device.name, given, device.result, callee=device.key, span=ctx.span(node), origin="author")
    return reference_args.called(ctx, node, made) if takes else replace(made, span=None)


def _of_the_file(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], name: str) -> Expr:
    """Lower a call of the file's own `atomicAdd`, or of its `atomicMax`, which CUDA has for integers only."""
    made = c_ast.FuncCall(c_ast.ID(name, node.name.coord), node.args, node.coord)
    ctx.unit.written.stands_for(made, node)
    if node is ctx.expression.discarded:
        ctx.expression.discarded = made
    choices = BUILTINS[name]
    if name == "atomicAdd":
        return builtin_calls.atomic(ctx, made, args, choices)
    rule = choices[0].rule
    reals = [Builtin(name, (Pointer(real), real), real, rule) for real in (ir.FLOAT, ir.DOUBLE)]
    result = builtin_calls.atomic(ctx, made, args, reals)
    match ctx.out[-1]:
        case Evaluate(Call(args=[AddressOf(place=Place(sym=Sym(storage="shared"))), _])):
            raise ctx.reject(Code.ATOMIC, node, name=name)  # the forward sweep would run it again
    return result


def _default(ctx: Context, device: Device, k: int) -> Expr:
    """Lower the default value of a parameter, with names looked up at file scope."""
    default = device.defaults[k]
    assert default is not None
    scopes, typedefs = ctx.scopes, ctx.typedefs
    ctx.scopes, ctx.typedefs = scopes[:1], typedefs[:1]
    try:
        to = device.params[k]
        if isinstance(to, Pointer) and not to.reference and ast_utils.is_null(default):
            return null_checks.null(to)
        with ctx.full(default):
            return evaluation.converted(ctx, default, device.params[k])
    finally:
        ctx.scopes, ctx.typedefs = scopes, typedefs
