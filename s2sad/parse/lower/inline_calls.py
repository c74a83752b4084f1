"""Inline device functions that take or return structs into their callers.

    __device__ float3 operator-(float3 a, float3 b)
    {                                                      d.x = p.x - q.x;
        return make_float3(a.x - b.x, …);          ->      d.y = p.y - q.y;
    }                                                      d.z = p.z - q.z;
    ...
    float3 d = p - q;

A function of numbers has an adjoint function beside it. One of structs would need one
for each set of fields that matter; most of them are a line long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected, diagnose
from ...fields import as_vector, has_coordinates, leaves
from ...ir import Assign, Const, Declare, Expr, Place, Struct, Type
from ..desugar import readonly_params, side_effects
from ..sema import dispatch, meanings
from ..sema.meanings import Device, Value
from ..sema.scope import Context
from ..syntax import ast_utils
from ..syntax.templates import TemplateId
from . import arguments, assignments, callees, inline_returns, parameter_binding
from .memory import glvalues

_ARITHMETIC = frozenset(f"operator{op}{end}" for op in "+-*/" for end in ("", "="))


def operation(ctx: Context, node: c_ast.Node) -> Value | Expr:
    """Lower an operator that has a struct among its operands."""
    device = callees.operator(ctx, node)
    if device is None:
        raise callees.no_operator(ctx, node)
    result = written(ctx, node, device, ast_utils.operands(node))
    if result is None:
        return Const(0, ir.VOID)
    return result


def call(ctx: Context, node: c_ast.FuncCall) -> Value | Expr:
    """Lower a call of a function that is inlined."""
    args = list(node.args.exprs) if node.args is not None else []
    device = callees.chosen(ctx, node, args, callees.devices(ctx, node))
    if not meanings.takes(device, len(args)):
        raise callees.wrong(ctx, node, device.name, [callees.type_of(ctx, a) for a in args], [device.params])
    result = written(ctx, node, device, args)
    return Const(0, ir.VOID) if result is None else result


def called(ctx: Context, node: c_ast.FuncCall) -> Value | Expr:
    """Lower a call of a method."""
    found = callees.method(ctx, node)
    if found is None:
        raise callees.no_struct(ctx, node)
    target = node.name.name if isinstance(node.name, c_ast.StructRef) else node.name
    if (choice := glvalues.chosen(target)) is not None and glvalues.is_lvalue(ctx, choice):
        return _of_chosen(ctx, node, choice)
    device = callees.chosen(ctx, node, *found)
    result = written(ctx, node, device, found[0])
    return Const(0, ir.VOID) if result is None else result


def _of_chosen(ctx: Context, node: c_ast.FuncCall, choice: c_ast.TernaryOp) -> Value | Expr:
    """Lower `(c ? a : b).f(x)` as `c ? a.f(x) : b.f(x)`; a struct that it returns must be unused."""
    struct = dispatch.static(ctx, node)
    if struct is not None and node is not ctx.expression.discarded:
        what = f"the value of `{ctx.unit.written.text(node)}` of one of two objects"
        help = "make the call in both branches of an `if`"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)

    def of(side: c_ast.Node) -> c_ast.Node:
        called = side
        if isinstance(node.name, c_ast.StructRef):
            called = c_ast.StructRef(side, node.name.type, node.name.field, node.name.coord)
        return c_ast.FuncCall(called, node.args, node.coord)

    result = assignments.in_both_branches(ctx, node, choice, of)
    return result if struct is None else Value(struct, {})


@dispatch.constructed.otherwise
def constructed(ctx: Context, node: c_ast.Node, name: str, args: list[c_ast.Node]) -> Value | Expr | None:
    """Lower a call of a constructor with these arguments."""
    return written(ctx, node, callees.chosen(ctx, node, args, ctx.unit.functions[name]), args)


def written(
    ctx: Context, node: c_ast.Node, device: Device, args: Sequence[c_ast.Node], *, place: bool = False
) -> Value | Expr | None:
    """Inline a function for these arguments; return its value, or with `place` the lvalue it refers to."""
    assert device.inline is not None
    if device.key in ctx.inside:
        raise Rejected(diagnose(Code.RECURSION, ctx.span(node), name=device.name))
    _compute_on_vectors(ctx, device)
    facts = parameter_binding.Facts.of(device.inline.body, ctx.function.through)
    decls = device.inline.decl.type.args.params if device.inline.decl.type.args is not None else []
    args = [*args, *(default for default in device.defaults[len(args) :] if default is not None)]
    inner = Context(
        ctx.unit,
        ctx.function,
        taken=ctx.taken,
        result=device.result,
        out=ctx.out,
        root=device.inline.body,
        inside=(*ctx.inside, device.key),
        callee=name if (name := device.name.rpartition("::")[2]).isidentifier() else ctx.callee,
        called=ctx.called or ctx.span(node),
    )
    inner.bind(device.bindings or {})
    inner.scopes.append({})
    inner.typedefs.append({})
    open_ = device.references - device.fixed
    pointers_ = {k for k, p in enumerate(device.params) if isinstance(p, ir.Pointer) and not p.const}
    open_ |= pointers_ & readonly_params.writes(device.inline, ctx.function.reading) if pointers_ else set()
    changed = {
        k for k, d in enumerate(decls) if k in open_ and facts.mentions[(d.name,)] + (d.name in facts.written)
    }
    whole = (
        ctx.expression.discarded,
        ctx.alone,
        ctx.expression.direct[0] if ctx.expression.direct is not None else None,
        _stored(ctx),
    )
    if changed and node not in whole and not changed <= _seen(ctx, node, device):
        what = f"`{ctx.unit.written.text(node)}`, which modifies an argument, inside an expression"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="assign its value to a variable first")
    bundles = (d.name for d, t in zip(decls, device.params, strict=False) if not isinstance(t, ir.Scalar))
    views = {k for k, p in enumerate(device.params) if _holds_places(p)}
    stores = bool(views and views & readonly_params.writes(device.inline, ctx.function.reading))
    writes = bool(changed) or stores or not facts.written.isdisjoint(bundles)
    binding = parameter_binding.Binding(
        ctx, inner, facts, bool(changed) or stores, writes, ast_utils.moved(device.inline.body)
    )
    places = [k for k in device.references if isinstance(device.params[k], Struct)]
    method = isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.StructRef)
    arguments.in_any_order(ctx, node, args, places, object_first=method and 0 in open_)
    order = sorted(range(len(args)), key=lambda k: k not in open_)  # bind what the call changes first
    for k in order:
        named = getattr(decls[k], "name", None) or f"unused{k}"
        binding.bind(decls[k], named, device.params[k], args[k], k in device.references, k in open_)
    begin = len(ctx.out)
    items = device.inline.body.block_items or []
    result: Value | Expr | None
    if place:
        result = inline_returns.referred(inner, device, items, node)
    else:
        result = inline_returns.body(inner, device, items, ctx.function.begun.pop(node, None))
    if device.name.startswith("operator"):  # show the operator's use, not the lines of its body
        for k, stmt in enumerate(ctx.out[begin:], begin):
            if isinstance(stmt, Assign | Declare):
                ctx.out[k] = replace(stmt, span=ctx.span(node))
    if inner.problems:
        raise Rejected(*inner.problems)
    if device.name.rpartition("::")[2] == "operator*" and isinstance(result, Value):
        _multiply_components(ctx, device, result)
    return result


def _multiply_components(ctx: Context, device: Device, result: Value) -> None:
    """Record the vectors that the author's `*` multiplies component by component, as colours."""
    found = [as_vector(type) for type in device.params]
    products = [isinstance(value, ir.Binary) and value.op == "*" for value in result.leaves.values()]
    if len(found) > 1 and found[0] is not None and found.count(found[0]) == len(found) and all(products):
        ctx.unit.multiplied.add(found[0])


def _compute_on_vectors(ctx: Context, device: Device) -> None:
    """Record the vectors on which the author's operators work, or functions of two with coordinates."""
    found = [vector for type in device.params if (vector := as_vector(type)) is not None]
    if device.name.rpartition("::")[2] not in _ARITHMETIC:
        found = [vector for vector in found if found.count(vector) > 1 and has_coordinates(vector)]
    ctx.unit.vectors |= dict.fromkeys(found)


def _holds_places(type: Type) -> bool:
    """Whether a struct holds pointers to writable memory, whatever its own constness: `view.at[i] = x`."""
    match type:
        case Struct():
            return any(isinstance(leaf.type, ir.Pointer) and not leaf.type.const for leaf in leaves(type))
        case ir.Pointer(target=Struct() as struct):
            return _holds_places(struct)
        case _:
            return False


@dispatch.referred.when(c_ast.FuncCall)
def referred(ctx: Context, node: c_ast.FuncCall) -> Place | None:
    """Return the lvalue that a call refers to; None if the function returns a value."""
    found = callees.reference(ctx, node)
    if found is None:
        return None
    result = written(ctx, node, *found, place=True)
    assert isinstance(result, Place)
    index = tuple(i if parameter_binding.steady(i) else ctx.keep(i, "at") for i in result.index)
    return replace(result, index=index, spelling=None, macro=None)


def _stored(ctx: Context) -> c_ast.Node | None:
    """Return the value that a statement stores, `r = st.pop();`, or a call that it stores to."""
    match ctx.expression.discarded:
        case c_ast.Assignment(lvalue=c_ast.FuncCall() as target):
            return target
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(), rvalue=value):
            return value
        case _:
            return None


def _seen(ctx: Context, node: c_ast.Node, device: Device) -> frozenset[int]:
    """Return the arguments that the ordering of side effects already knows to be changed by a call."""
    match node:
        case c_ast.FuncCall(name=c_ast.ID(name=name) | TemplateId(name=name)) if name in ctx.function.through:
            return ctx.function.through[name]
        case c_ast.FuncCall(name=c_ast.StructRef(type=".", field=c_ast.ID(name=name))):
            known = ctx.function.through.get(f".{name}", frozenset())
            if (
                side_effects.OBJECT not in known
                or node not in ctx.expression.survey
                or _holds_places(device.params[0])
            ):
                return frozenset()
            return frozenset({0, *(k + 1 for k in known if k >= 0)})
        case _:
            return frozenset()
