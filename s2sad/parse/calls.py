"""Calls: which overload C++17 picks, and which calls a kernel may not contain yet.

The built-ins follow <cmath>: among `float` and `double` overloads of one function an
integer argument counts as `double`, so `pow(x, 2)` of a float x is done in double.
Compilers for CUDA differ here; the conversions that are emitted make it explicit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code, Rejected, diagnose
from ..ir import (
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
    Special,
    Sym,
    Type,
)
from . import (
    bits,
    declared,
    halves,
    inlining,
    lower_effects,
    lower_expr,
    memory,
    overloads,
    passing,
    places,
    reductions,
    structs,
    types,
    wholes,
)
from .angles import TemplateId
from .classids import Member
from .context import Context, Device, Poisoned, all_of, listed, nearest
from .noting import LAUNCHED
from .prelude import BUILTINS, Builtin

COMMUTATIVE = ("atomicMax", "atomicMin", "atomicAnd", "atomicOr", "atomicXor")
"""Atomics of integers after which an element is what it is whichever thread came first."""

TURNING = ("atomicInc", "atomicDec")
"""Counters that start again at a bound: which one a thread names matters where something reads them."""

# What the rules of these built-ins need isn't there yet.
_FENCED = {
    "barrier": Code.BARRIER,
    "cluster": Code.BARRIER,
    "fence": Code.BARRIER,
    "machine": Code.RANDOM_NUMBERS,
}
_SYNCHRONISED = re.compile(r"__syncthreads_\w+|__\w+_sync|__fns")
_KINDS = {
    "shfl_down": "down",
    "shfl_up": "up",
    "shfl_xor": "across",
    "shfl": "there",
    "any": "any",
    "all": "all",
    "uni": "alike",
    "ballot": "ballot",
    "count": "count",
    "_or": "any",
    "_and": "all",
    "reduce": "reduced",
    "match": "matching",
}
_PREFIXES = (
    ("atomic", Code.ATOMIC),
    ("tex", Code.TEXTURE),
    ("surf", Code.TEXTURE),
    ("curand", Code.RANDOM_NUMBERS),
    ("__sync", Code.BARRIER),
)
_HOST = {
    "malloc": "use a local array of constant size",
    "free": "use a local array of constant size",
    "__trap": "return from the kernel",
}
_HALF = re.compile(
    r"__\w*(?:half|bfloat16)|__h[a-z]+2?(?:_\w+)?$|h(?:exp|log|sin|cos|sqrt|rsqrt|rcp)$|h2\w+$"
)
_LEFT_OUT = ("printf", "assert", "__assert_fail")


def call(ctx: Context, node: c_ast.FuncCall) -> Expr:
    """The value of a call; one with outputs becomes a statement, unless its value is stored as it is."""
    if isinstance(node.name, Member) and inlining.devices(ctx, node):
        result = inlining.call(ctx, node)
        if isinstance(result, structs.Value):
            raise wholes.not_a_number(ctx, node, result.type)
        return result
    if inlining.is_functor(ctx, node) or not isinstance(node.name, c_ast.ID | TemplateId):
        if (
            isinstance(node.name, c_ast.StructRef | c_ast.ID | c_ast.Cast)
            and inlining.method(ctx, node) is not None
        ):
            result = inlining.called(ctx, node)
            if isinstance(result, structs.Value):
                raise wholes.not_a_number(ctx, node, result.type)
            return result
        owner = wholes.root(node.name)
        if owner is not None and isinstance(ctx.lookup(owner.name), Poisoned):
            raise Rejected
        if isinstance(node.name, c_ast.StructRef):
            raise inlining.no_struct(ctx, node)
        raise ctx.reject(Code.FUNCTION_POINTER, node)
    name = node.name.name
    args = list(node.args.exprs) if node.args is not None else []
    if name == LAUNCHED:
        if not ctx.emitted:
            raise ctx.reject(Code.INLINE_ASSEMBLY, node)
        return Special("sharedSize", "")
    if isinstance(ctx.lookup(name), Poisoned):
        raise Rejected
    if ctx.lookup(name) is not None:
        raise ctx.reject(Code.FUNCTION_POINTER, node)
    if reductions.is_reduction(name):
        return reductions.reduced(ctx, node, name, args)
    own = name in ctx.functions or (ctx.instances is not None and ctx.instances.known(name))
    if own and not (name in BUILTINS and not inlining.devices(ctx, node)):
        return _device(ctx, node, args)
    if halves.known(ctx, name):
        return halves.call(ctx, node)
    if name in BUILTINS:
        return _builtin(ctx, node, args, BUILTINS[name])
    if name in _LEFT_OUT and node is ctx.discarded and not any(arg in ctx.survey for arg in args):
        ctx.remarks.append(diagnose(Code.LEFT_OUT, ctx.span(node), name=name))
        return Const(0, ir.VOID)
    if bits.known(name):
        return bits.counted(ctx, node, numbers(ctx, node, args))
    if name in memory.NAMES:
        return memory.moved(ctx, node, name, args)
    if name == "swap" and len(args) == 2:
        return lower_effects.swap(ctx, node, args)
    raise _unknown(ctx, node, name)


def _unknown(ctx: Context, node: c_ast.FuncCall, name: str) -> Rejected:
    if name in _HOST or name in _LEFT_OUT:
        help = _HOST.get(name, "write it as a statement of its own, without effects in it")
        return ctx.reject(Code.HOST_FUNCTION, node, name=name, help=help)
    for prefix, code in _PREFIXES:
        if name.startswith(prefix):
            return ctx.reject(code, node, name=name)
    if _HALF.match(name):
        return ctx.reject(Code.HALF_PRECISION, node.name, name=name)
    known = [*BUILTINS, *ctx.functions]
    return ctx.reject(Code.UNKNOWN_FUNCTION, node.name, name=name, nearest=nearest(name, known))


# ---- device functions -------------------------------------------------------


def _explicitly(ctx: Context, node: c_ast.FuncCall, values: list[Expr]) -> list[Expr]:
    """The arguments of a built-in; those of `max<float>(a, b)` converted to that type."""
    if not isinstance(node.name, TemplateId):
        return values
    to = node.name.args[0] if len(node.name.args) == 1 else None
    if not isinstance(to, c_ast.Typename):
        raise ctx.reject(Code.NO_TEMPLATES, node.name, name=node.name.name)
    type, _ = declared.type_of(ctx, to)
    return [types.convert(value, type) for value in values]


def _device(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node]) -> Expr:
    choices = list(inlining.devices(ctx, node))
    if any(d.atomic for d in choices) and (name := inlining.chosen(ctx, node, args, choices).atomic):
        return _of_the_file(ctx, node, args, name)
    if any(d.inline is not None for d in choices):
        if inlining.chosen(ctx, node, args, choices).inline is not None:
            result = inlining.call(ctx, node)
            if isinstance(result, structs.Value):
                raise wholes.not_a_number(ctx, node, result.type)
            return result
        choices = [d for d in choices if d.inline is None]
    values = _values(ctx, node, args)
    fitting = [d for d in choices if _takes(d, len(args))] or choices
    best = overloads.choose(
        [passing.matched(d.params[: len(args)]) for d in fitting], [v.type for v in values]
    )
    best = inlining.plainest(fitting, best)
    if len(best) != 1:
        raise _wrong(ctx, node, values, [d.params for d in choices], ambiguous=len(best) > 1)
    device = fitting[best[0]]
    if device.bindings is not None:
        assert ctx.instances is not None
        ctx.instances.lowered(ctx, node, device)
    if not _takes(device, len(args)):
        raise _wrong(ctx, node, values, [d.params for d in choices])
    takes = not ctx.emitted and any(isinstance(p, Pointer) for p in device.params)
    if takes:
        given = tuple(passing.passed(ctx, args, values, device))
    else:
        given = tuple(
            lower_expr.assignable(ctx, arg, value, to)
            for arg, value, to in zip(args, values, device.params, strict=False)
        )
    given += tuple(_default(ctx, device, k) for k in range(len(args), len(device.params)))
    ctx.called.add(device.key)
    made = Call(device.name, given, device.result, callee=device.key, span=ctx.span(node))
    return passing.called(ctx, node, made) if takes else replace(made, span=None)


def _of_the_file(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], name: str) -> Expr:
    """A call of the file's own `atomicAdd`, or of its `atomicMax`, which CUDA has of integers alone."""
    made = c_ast.FuncCall(c_ast.ID(name, node.name.coord), node.args, node.coord)
    ctx.written.stands_for(made, node)
    if node is ctx.discarded:
        ctx.discarded = made
    choices = BUILTINS[name]
    if name == "atomicAdd":
        return _atomic(ctx, made, args, choices)
    rule = choices[0].rule
    reals = [Builtin(name, (Pointer(real), real), real, rule) for real in (ir.FLOAT, ir.DOUBLE)]
    result = _atomic(ctx, made, args, reals)
    match ctx.out[-1]:
        case Evaluate(Call(args=[AddressOf(place=Place(sym=Sym(storage="shared"))), _])):
            raise ctx.reject(Code.ATOMIC, node, name=name)  # the forward sweep would run it again
    return result


def _takes(device: Device, count: int) -> bool:
    """Whether a function can be called with so many arguments."""
    return count <= len(device.params) and all(default is not None for default in device.defaults[count:])


def _default(ctx: Context, device: Device, k: int) -> Expr:
    """The default of a parameter, whose names are those of the file."""
    default = device.defaults[k]
    assert default is not None
    scopes, typedefs = ctx.scopes, ctx.typedefs
    ctx.scopes, ctx.typedefs = scopes[:1], typedefs[:1]
    try:
        with ctx.full(default):
            return lower_expr.converted(ctx, default, device.params[k])
    finally:
        ctx.scopes, ctx.typedefs = scopes, typedefs


def _values(ctx: Context, node: c_ast.Node, args: list[c_ast.Node]) -> list[Expr]:
    """The arguments, in no order."""
    in_any_order(ctx, node, args)
    takes = passing.argument if node.name.name in ctx.through else _argument
    return all_of(lambda arg: takes(ctx, arg), args)


def in_any_order(ctx: Context, node: c_ast.Node, args: Sequence[c_ast.Node]) -> None:
    """Refuse arguments whose effects meet: C++ runs them in no order."""
    if any(arg in ctx.survey for arg in args):
        touched = [ctx.touched(arg) for arg in args]
        for k, one in enumerate(touched):
            for two in touched[:k]:
                clash = one.clashes(two)
                if clash:
                    raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=min(clash))


def numbers(ctx: Context, node: c_ast.Node, args: list[c_ast.Node]) -> list[Expr]:
    """The arguments of what takes numbers alone."""
    return all_of(lambda pair: _number(ctx, *pair), list(zip(args, _values(ctx, node, args), strict=True)))


def _argument(ctx: Context, node: c_ast.Node) -> Expr:
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        if not ctx.emitted:
            raise ctx.reject(Code.ADDRESS_OF, node, name=ctx.written.text(node.expr))
        return places.address(ctx, node.expr)
    expr = lower_expr.value(ctx, node)
    if not isinstance(expr.type, Scalar) and not ctx.emitted:
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))
    return expr


def _choose(
    ctx: Context, node: c_ast.FuncCall, choices: Sequence[Sequence[Type]], values: Sequence[Expr]
) -> int:
    best = overloads.choose(choices, [v.type for v in values])
    if not best:
        raise _wrong(ctx, node, values, choices)
    if len(best) > 1:
        picked = overloads.mathematical(choices, [v.type for v in values])
        if picked is not None:
            return picked
        raise _wrong(ctx, node, values, choices, ambiguous=True)
    return best[0]


def _wrong(
    ctx: Context,
    node: c_ast.FuncCall,
    values: Sequence[Expr],
    choices: Sequence[Sequence[Type]],
    ambiguous: bool = False,
) -> Rejected:
    return wrong(ctx, node, node.name.name, [v.type for v in values], choices, ambiguous=ambiguous)


def wrong(
    ctx: Context,
    node: c_ast.Node,
    name: str,
    given: Sequence[Type],
    choices: Sequence[Sequence[Type]],
    *,
    ambiguous: bool = False,
    wanted: str = "",
) -> Rejected:
    """The refusal of a call that fits none of the functions of its name or several, or isn't as `wanted`."""
    shown = [f"{name}({listed([types.spell(p) for p in params])})" for params in choices]
    more = f" and {len(shown) - 4} more" if len(shown) > 4 else ""
    return ctx.reject(
        Code.AMBIGUOUS_CALL if ambiguous else Code.WRONG_ARGUMENTS,
        node,
        name=name,
        given=listed([types.spell(t) for t in given]),
        known=wanted or listed(shown[:4]) + more,
    )


# ---- built-ins --------------------------------------------------------------


def _builtin(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], choices: Sequence[Builtin]) -> Expr:
    name, rule = node.name.name, choices[0].rule
    if rule == "nan" and len(args) == 1 and isinstance(args[0], c_ast.Constant):
        text = f"{name}({args[0].value})"
        return Const(math.nan, ir.FLOAT if name == "nanf" else ir.DOUBLE, spelling=text)
    if rule == "cache":
        return _cached(ctx, node, args)
    if name in ("__syncthreads", "__syncwarp") and node is ctx.discarded:
        return _barrier(ctx, node, args, choices)
    if not ctx.emitted:
        if name in _HOST:
            raise ctx.reject(Code.HOST_FUNCTION, node, name=name, help=_HOST[name])
        if rule.startswith("atomic"):
            return _atomic(ctx, node, args, choices)
        if rule in _FENCED:
            raise ctx.reject(_FENCED[rule], node, name=name)
        if rule in COLLECTIVE and not _SYNCHRONISED.fullmatch(name):
            raise _unsynchronised(ctx, node, name)
    if any(isinstance(p, Pointer) for b in choices for p in b.params):
        return _with_outputs(ctx, node, args, choices)
    given_ = _explicitly(ctx, node, numbers(ctx, node, args))
    values = [types.widened(value) for value in given_]
    params = [b.params for b in choices]
    picked = overloads.mathematical(params, [v.type for v in values])
    best = choices[picked if picked is not None else _choose(ctx, node, params, values)]
    given = tuple(types.convert(v, to) for v, to in zip(values, best.params, strict=True))
    made = Call(name, given, best.result, rule=best.rule)
    found = made if ctx.emitted or rule not in (*COLLECTIVE, "clock") else _together(ctx, node, made)
    if rule == "shuffle" and types.is_half(given_[1].type):
        return types.convert(found, given_[1].type)
    return found


def _unsynchronised(ctx: Context, node: c_ast.FuncCall, name: str) -> Rejected:
    """Functions of a warp that don't say which lanes take part."""
    if name == "__activemask":
        return ctx.reject(Code.ACTIVE_MASK, node)
    return ctx.reject(Code.UNSYNCHRONISED, node, name=name)


def _together(ctx: Context, node: c_ast.FuncCall, call: Call) -> Expr:
    """What threads compute together is the whole value of a statement, so that it stays where it is.

    `__syncthreads_or(p)` and kin are a barrier too, right after their value is there.
    """
    barrier = call.name.startswith("__syncthreads")
    direct = ctx.direct is not None and ctx.direct[0] is node and types.same(ctx.direct[1], call.type)
    if direct and not barrier:
        return replace(call, span=ctx.span(node))
    if node is ctx.discarded:
        result: Expr = Const(0, ir.VOID)
    else:
        result = ctx.keep(replace(call, span=ctx.span(node)), _wish(call))
    if barrier:
        ctx.out.append(Barrier(span=ctx.span(node)))
    return result


def _wish(call: Call) -> str:
    """A name for what other threads have to say."""
    end = next((end for part, end in _KINDS.items() if part in call.name), "result")
    if call.rule == "shuffle":
        read = next((e.sym.name for e in ir.walk(call.args[1]) if isinstance(e, Place)), "value")
        return f"{read}_{end}"
    return end


def _number(ctx: Context, node: c_ast.Node, expr: Expr) -> Expr:
    if expr.type == ir.VOID:
        raise ctx.type_error(node, "a void value is used", "this has no value")
    return expr


def _cached(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node]) -> Expr:
    """`__ldg(&x[i])` and `__stcs(&y[i], v)` access memory as `x[i]` and `y[i] = v` do."""
    name = node.name.name
    if len(args) != (1 if name.startswith("__ld") else 2):
        raise _wrong(ctx, node, [], [b.params for b in BUILTINS[name]])
    target = places.pointed(ctx, args[0])
    if name.startswith("__ld"):
        return target
    lower_effects.writable(ctx, args[0], target)
    value = lower_expr.converted(ctx, args[1], target.type)
    ctx.out.append(Assign(target, value, span=ctx.span(node)))
    return Const(0, ir.VOID)


def _barrier(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], choices: Sequence[Builtin]) -> Expr:
    """A barrier is a statement of its own."""
    values = _values(ctx, node, args)
    best = choices[_choose(ctx, node, [b.params for b in choices], values)]
    given = [types.convert(v, to) for v, to in zip(values, best.params, strict=True)]
    mask = given[0] if given else None
    ctx.out.append(Barrier(best.name == "__syncwarp", mask, span=ctx.span(node)))
    return Const(0, ir.VOID)


def _atomic(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], choices: Sequence[Builtin]) -> Expr:
    """An atomic addition, a statement of its own unless its value is used, and others in any order."""
    name = node.name.name
    adds = name.startswith(("atomicAdd", "atomicSub"))
    if not adds and not (name.startswith((*COMMUTATIVE, *TURNING)) and node is ctx.discarded):
        raise ctx.reject(Code.ATOMIC, node, name=name)
    if len(args) != 2:
        raise _wrong(ctx, node, [], [b.params for b in choices])
    if name == "atomicAdd" and halves.added(ctx, node):
        return Const(0, ir.VOID)
    (value,) = _values(ctx, node, args[1:])
    address = _address_argument(ctx, args[0])
    if address.place.sym.storage not in ("parameter", "shared") or not address.place.index:
        raise ctx.reject(
            Code.NOT_SUPPORTED, node, what=f"`{name}` on a variable of one thread", help="write `+=`"
        )
    if name.startswith(TURNING) and address.place.sym.storage == "shared":
        raise ctx.reject(Code.ATOMIC, node, name=name)
    best = choices[_choose(ctx, node, [b.params for b in choices], [address, value])]
    given = (address, types.convert(value, best.params[1]))
    made = Call(name, given, best.result, rule=best.rule, span=ctx.span(node))
    if node is ctx.discarded:
        ctx.out.append(Evaluate(made, span=ctx.span(node)))
        return Const(0, ir.VOID)
    if isinstance(best.result, Scalar) and best.result.is_float:
        raise ctx.reject(Code.ATOMIC_VALUE, node, name=name)
    if ctx.direct is not None and ctx.direct[0] is node and types.same(ctx.direct[1], made.type):
        return made
    return ctx.keep(made, "slot")


def added(ctx: Context, node: c_ast.FuncCall, target: Place, value: Expr) -> None:
    """Emit an atomic addition to one number."""
    if target.sym.storage not in ("parameter", "shared") or not target.index:
        what = f"`{node.name.name}` on a variable of one thread"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write `+=`")
    choices = BUILTINS[node.name.name]
    address = AddressOf(target, Pointer(target.type), span=ctx.span(node))
    best = choices[_choose(ctx, node, [b.params for b in choices], [address, value])]
    made = Call(best.name, (address, value), best.result, rule=best.rule, span=ctx.span(node))
    ctx.out.append(Evaluate(made, span=ctx.span(node)))


def shuffled(ctx: Context, node: c_ast.FuncCall, values: Sequence[Expr]) -> Expr:
    """What a shuffle gives of a number of half precision, which it moves as a float."""
    choices = BUILTINS[node.name.name]
    moved = [types.widened(value) for value in values]
    best = choices[_choose(ctx, node, [b.params for b in choices], moved)]
    given = tuple(types.convert(v, to) for v, to in zip(moved, best.params, strict=True))
    made = Call(best.name, given, best.result, rule=best.rule)
    return types.convert(_together(ctx, node, made), values[1].type)


def _with_outputs(
    ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node], choices: Sequence[Builtin]
) -> Expr:
    name = node.name.name
    fitting = [b for b in choices if len(b.params) == len(args)]
    if not fitting:
        raise _wrong(ctx, node, [], [b.params for b in choices])
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
    values = _values(ctx, node, inputs)
    addresses = [_address_argument(ctx, args[k]) for k in positions]
    merged: list[Expr] = list(values)
    for k, address in zip(positions, addresses, strict=True):
        merged.insert(k, address)
    best = fitting[_choose(ctx, node, [b.params for b in fitting], merged)]
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
    made = Call(name, tuple(given), best.result, rule=best.rule, span=ctx.span(node))
    direct = ctx.direct is not None and ctx.direct[0] is node and types.same(ctx.direct[1], made.type)
    if made.type == ir.VOID or node is ctx.discarded:
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
    """`&v`, or an array or `array + k` for its first or k-th element."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        return places.address(ctx, node.expr)
    if (counted := _counted_as(ctx, node)) is not None:
        return counted
    target = places.pointed(ctx, node)
    type = target.sym.type
    const = type.const if isinstance(type, Pointer) else target.sym.const
    return AddressOf(target, Pointer(target.type, const=const), span=ctx.span(node))


def _counted_as(ctx: Context, node: c_ast.Node) -> AddressOf | None:
    """`(unsigned *)&count[k]`: an atomic on an integer as one of the same size, with a sign or without."""
    if not isinstance(node, c_ast.Cast):
        return None
    to, _ = declared.type_of(ctx, node.to_type.type)
    if not (isinstance(to, Pointer) and isinstance(to.target, Scalar) and to.target.is_integer):
        return None
    try:
        given = inlining.type_of(ctx, node.expr)
    except Rejected:
        return None  # which says so where it is read
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
    """The address of a local scalar; any other place gets its value from a temporary afterwards."""
    place = address.place
    if ctx.emitted or (not place.index and place.sym.storage in ("local", "parameter")):
        return address, None
    assert isinstance(place.type, Scalar)
    sym = Sym(ctx.fresh(f"{place.sym.plain}_out"), place.type, span=address.span)
    ctx.out.append(Declare(sym, span=address.span))
    local = Place(sym, (), place.type, span=address.span)
    return AddressOf(local, address.type, span=address.span), place


def stray_address(ctx: Context, node: c_ast.UnaryOp) -> Expr:
    """`&v` where it is no argument."""
    if ctx.emitted:
        return places.address(ctx, node.expr)
    raise ctx.reject(Code.ADDRESS_OF, node, name=ctx.written.text(node.expr))
