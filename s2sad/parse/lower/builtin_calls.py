"""Lower calls of CUDA's built-ins: mathematics, atomics, barriers, loads and stores with a cache operator."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected
from ...ir import (
    COLLECTIVE,
    AddressOf,
    Array,
    Assign,
    Barrier,
    Call,
    Const,
    Declare,
    Evaluate,
    Expr,
    Place,
    Pointer,
    Scalar,
    Sym,
)
from ..sema import declarators, evaluation
from ..sema.scope import Context
from ..syntax.templates import TemplateId
from ..types import overload_resolution, types
from ..types.builtins import BUILTINS, Builtin
from . import arguments, assignments, callees, half_precision, thread_calls
from .memory import lvalues

COMMUTATIVE = ("atomicMax", "atomicMin", "atomicAnd", "atomicOr", "atomicXor")
"""Integer atomics whose final value doesn't depend on the order of the threads."""


TURNING = ("atomicInc", "atomicDec")
"""Counters that wrap at a bound: which counter a thread names matters where something reads it."""


# These built-ins are refused: what their rules need isn't there yet.
_FENCED = {
    "barrier": Code.BARRIER,
    "cluster": Code.BARRIER,
    "fence": Code.BARRIER,
    "machine": Code.RANDOM_NUMBERS,
}


_SYNCHRONISED = re.compile(r"__syncthreads_\w+|__\w+_sync|__fns")


HOST = {
    "malloc": "use a local array of constant size",
    "free": "use a local array of constant size",
    "__trap": "return from the kernel",
}


def builtin(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], choices: Sequence[Builtin]) -> Expr:
    """Lower a call of a CUDA built-in; one with side effects becomes a statement."""
    name, rule = node.name.name, choices[0].rule
    if rule == "nan" and len(args) == 1 and isinstance(args[0], c_ast.Constant):
        text = f"{name}({args[0].value})"
        return Const(math.nan, ir.FLOAT if name == "nanf" else ir.DOUBLE, spelling=text)
    if rule == "cache":
        return _cached(ctx, node, args)
    if name in ("__syncthreads", "__syncwarp") and node is ctx.expression.discarded:
        return _barrier(ctx, node, args, choices)
    if not ctx.unit.emitted:
        if name in HOST:
            raise ctx.reject(Code.HOST_FUNCTION, node, name=name, help=HOST[name])
        if rule.startswith("atomic"):
            return atomic(ctx, node, args, choices)
        if rule in _FENCED:
            raise ctx.reject(_FENCED[rule], node, name=name)
        if rule in COLLECTIVE and not _SYNCHRONISED.fullmatch(name):
            raise _unsynchronised(ctx, node, name)
    if any(isinstance(p, Pointer) for b in choices for p in b.params):
        return _with_outputs(ctx, node, args, choices)
    given_ = _explicitly(ctx, node, arguments.numbers(ctx, node, args))
    values = [types.widened(value) for value in given_]
    params = [b.params for b in choices]
    picked = overload_resolution.mathematical(params, [v.type for v in values])
    best = choices[picked if picked is not None else arguments.choose(ctx, node, params, values)]
    given = tuple(types.convert(v, to) for v, to in zip(values, best.params, strict=True))
    made = Call(name, given, best.result, rule=best.rule)
    found = (
        made
        if ctx.unit.emitted or rule not in (*COLLECTIVE, "clock")
        else thread_calls.together(ctx, node, made)
    )
    if rule == "shuffle" and types.is_half(given_[1].type):
        return types.convert(found, given_[1].type)
    return found


def _explicitly(ctx: Context, node: c_ast.FuncCall, values: list[Expr]) -> list[Expr]:
    """Return the arguments of a built-in; those of `max<float>(a, b)` converted to that type."""
    if not isinstance(node.name, TemplateId):
        return values
    to = node.name.args[0] if len(node.name.args) == 1 else None
    if not isinstance(to, c_ast.Typename):
        raise ctx.reject(Code.NO_TEMPLATES, node.name, name=node.name.name)
    type, _ = declarators.type_of(ctx, to)
    return [types.convert(value, type) for value in values]


def _unsynchronised(ctx: Context, node: c_ast.FuncCall, name: str) -> Rejected:
    """Return the refusal of a warp function that doesn't specify which lanes take part."""
    if name == "__activemask":
        return ctx.reject(Code.ACTIVE_MASK, node)
    return ctx.reject(Code.UNSYNCHRONISED, node, name=name)


def _cached(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node]) -> Expr:
    """Lower `__ldg(&x[i])` and `__stcs(&y[i], v)` to the accesses `x[i]` and `y[i] = v`."""
    name = node.name.name
    if len(args) != (1 if name.startswith("__ld") else 2):
        raise arguments.wrong(ctx, node, [], [b.params for b in BUILTINS[name]])
    target = lvalues.pointed(ctx, args[0])
    if name.startswith("__ld"):
        return target
    assignments.writable(ctx, args[0], target)
    value = evaluation.converted(ctx, args[1], target.type)
    ctx.out.append(Assign(target, value, span=ctx.span(node)))
    return Const(0, ir.VOID)


def _barrier(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], choices: Sequence[Builtin]) -> Expr:
    """Lower a barrier to a statement of its own."""
    values = arguments.values(ctx, node, args)
    best = choices[arguments.choose(ctx, node, [b.params for b in choices], values)]
    given = [types.convert(v, to) for v, to in zip(values, best.params, strict=True)]
    mask = given[0] if given else None
    ctx.out.append(Barrier(best.name == "__syncwarp", mask, span=ctx.span(node)))
    return Const(0, ir.VOID)


def atomic(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], choices: Sequence[Builtin]) -> Expr:
    """Lower an atomic addition, as a statement unless its value is used, or another commutative atomic."""
    name = node.name.name
    adds = name.startswith(("atomicAdd", "atomicSub"))
    taken = ctx.unit.adjoint and name == "atomicExch" and ctx.expression.discarded is not node
    if (
        not adds
        and not taken
        and not (name.startswith((*COMMUTATIVE, *TURNING)) and node is ctx.expression.discarded)
    ):
        raise ctx.reject(Code.ATOMIC, node, name=name)
    if len(args) != 2:
        raise arguments.wrong(ctx, node, [], [b.params for b in choices])
    if name == "atomicAdd" and half_precision.added(ctx, node):
        return Const(0, ir.VOID)
    (value,) = arguments.values(ctx, node, args[1:])
    address = _address_argument(ctx, args[0])
    if address.place.sym.storage not in ("parameter", "shared") or not address.place.index:
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=f"`{name}` on a local variable", help="write `+=`")
    if name.startswith(TURNING) and address.place.sym.storage == "shared":
        raise ctx.reject(Code.ATOMIC, node, name=name)
    best = choices[arguments.choose(ctx, node, [b.params for b in choices], [address, value])]
    given = (address, types.convert(value, best.params[1]))
    made = Call(name, given, best.result, rule=best.rule, span=ctx.span(node), origin="author")
    if node is ctx.expression.discarded:
        ctx.out.append(Evaluate(made, span=ctx.span(node)))
        return Const(0, ir.VOID)
    if isinstance(best.result, Scalar) and best.result.is_float and not taken:
        raise ctx.reject(Code.ATOMIC_VALUE, node, name=name)
    if ctx.stores(node, made.type):
        return made
    return ctx.keep(made, "slot")


def _with_outputs(
    ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], choices: Sequence[Builtin]
) -> Expr:
    name = node.name.name
    fitting = [b for b in choices if len(b.params) == len(args)]
    if not fitting:
        raise arguments.wrong(ctx, node, [], [b.params for b in choices])
    positions = [k for k, p in enumerate(fitting[0].params) if isinstance(p, Pointer)]
    for p in (fitting[0].params[k] for k in positions):
        if isinstance(p, Pointer) and p.const:
            raise ctx.reject(
                Code.NOT_SUPPORTED,
                node,
                what=f"`{name}`, which reads an array through a pointer",
                help="write the sum in a loop",
            )
    inputs = [arg for k, arg in enumerate(args) if k not in positions]
    values = arguments.values(ctx, node, inputs)
    addresses = [_address_argument(ctx, args[k]) for k in positions]
    merged: list[Expr] = list(values)
    for k, address in zip(positions, addresses, strict=True):
        merged.insert(k, address)
    best = fitting[arguments.choose(ctx, node, [b.params for b in fitting], merged)]
    given: list[Expr] = []
    targets: list[tuple[Place, Place]] = []
    for to, value in zip(best.params, merged, strict=True):
        if isinstance(value, AddressOf):
            local, target = _localised(ctx, value)
            given.append(local)
            if target is not None:
                targets.append((target, local.place))
        else:
            given.append(types.convert(value, to))
    made = Call(name, tuple(given), best.result, rule=best.rule, span=ctx.span(node), origin="author")
    direct = ctx.stores(node, made.type)
    if made.type == ir.VOID or node is ctx.expression.discarded:
        result: Expr = Const(0, ir.VOID)
        ctx.out.append(Evaluate(made, span=ctx.span(node)))
    elif direct and not targets:
        return made
    else:
        result = ctx.keep(made, "result")
    for target, local_place in targets:
        ctx.out.append(Assign(target, local_place, span=ctx.span(node)))
    return result


def _address_argument(ctx: Context, node: c_ast.Node) -> AddressOf:
    """Lower `&v`, or an array or `array + k` to the address of its first or k-th element."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        return arguments.address(ctx, node.expr)
    if (counted := _counted_as(ctx, node)) is not None:
        return counted
    target = lvalues.pointed(ctx, node)
    type = target.sym.type
    const = type.const if isinstance(type, Pointer) else target.sym.const
    return AddressOf(target, Pointer(target.type, const=const), span=ctx.span(node))


def _counted_as(ctx: Context, node: c_ast.Node) -> AddressOf | None:
    """Lower `(unsigned *)&count[k]`: an integer atomic of the same size but other signedness."""
    if not isinstance(node, c_ast.Cast):
        return None
    to, _ = declarators.type_of(ctx, node.to_type.type)
    if not (isinstance(to, Pointer) and isinstance(to.target, Scalar) and to.target.is_integer):
        return None
    try:
        given = callees.type_of(ctx, node.expr)
    except Rejected:
        return None  # reported where it is evaluated
    element = (
        given.target if isinstance(given, Pointer) else given.element if isinstance(given, Array) else None
    )
    if not (isinstance(element, Scalar) and element.is_integer and to.target.size == element.size):
        return None
    if types.same(to.target, element) or ir.BOOL in (to.target, element):
        return None
    address = _address_argument(ctx, node.expr)
    return replace(address, type=Pointer(to.target, const=address.type.const))


def _localised(ctx: Context, address: AddressOf) -> tuple[AddressOf, Place | None]:
    """Return the address of a local scalar; for any other lvalue, of a temporary to be copied to it."""
    place = address.place
    if ctx.unit.emitted or (not place.index and place.sym.storage in ("local", "parameter")):
        return address, None
    assert isinstance(place.type, Scalar)
    sym = Sym(ctx.fresh(f"{place.sym.plain}_out"), place.type, span=address.span, origin="lowering")
    ctx.out.append(Declare(sym, span=address.span))
    local = Place(sym, (), place.type, span=address.span)
    return AddressOf(local, address.type, span=address.span), place
