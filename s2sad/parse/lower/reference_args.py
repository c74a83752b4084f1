"""Lower arguments of device functions that are lvalues: pointers, references, arrays.

Such a call is the whole value of a statement. Each lvalue is passed as its address, with index
expressions that nothing changes during the call. So the function's statements can be inlined
into the caller unchanged (transform/normalise/inline_collectives.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected
from ...ir import AddressOf, Call, Const, Declare, Evaluate, Expr, Place, Pointer, Scalar, Sym, Type
from ..desugar import readonly_params
from ..desugar.side_effects import OBJECT
from ..sema import evaluation, null_checks
from ..sema.meanings import Device
from ..sema.scope import Context
from ..syntax.classes import Class
from ..types import types
from . import callees
from .memory import glvalues, kept_places, pointer_forms


def through(
    functions: Sequence[c_ast.Node],
    classes: Iterable[Class] = (),
    reading: readonly_params.Known | None = None,
) -> dict[str, frozenset[int]]:
    """Map functions with pointer, reference or array parameters to the positions that they may write.

    For a function that `reading` knows, only the positions that it found written. Methods are listed
    as `.name`, whatever their class; their object is `OBJECT`, unless they don't change it.
    """
    found: dict[str, frozenset[int]] = {}

    def add(name: str, function: c_ast.Node, more: frozenset[int] = frozenset()) -> None:
        args = function.decl.type.args
        declarators = [getattr(p, "type", None) for p in (args.params if args is not None else ())]
        places = [k for k, d in enumerate(declarators) if isinstance(d, c_ast.PtrDecl | c_ast.ArrayDecl)]
        if places or more:
            fixed = {k for k in places if _of_constants(declarators[k])}
            found[name] = found.get(name, frozenset()) | (frozenset(places) - fixed) | more

    for function in functions:
        add(function.decl.name, function)
    written = reading.written if reading is not None else {}
    for name in found.keys() & written.keys():
        found[name] &= written[name]
    for node in classes:
        for method in node.friends:
            add(method.decl.name, method)
        acting = readonly_params.acting(node.methods, reading) if reading is not None else None
        for method in node.methods:
            fixed = id(method) in node.constant or id(method) in node.static
            fixed = fixed or (acting is not None and id(method) not in acting)
            add(f".{method.decl.name}", method, frozenset() if fixed else frozenset({OBJECT}))
    return found


def _of_constants(declarator: c_ast.Node) -> bool:
    while not isinstance(declarator, c_ast.TypeDecl) and hasattr(declarator, "type"):
        declarator = declarator.type
    return "const" in (getattr(declarator, "quals", None) or ())


def is_place(type: Pointer) -> bool:
    """Whether a parameter of the type may denote elements of one array."""
    target = type.target
    return isinstance(target, ir.Array) or (isinstance(target, Scalar) and target != ir.VOID)


def matched(params: Sequence[Type]) -> list[Type]:
    """Return the types that arguments are matched against: for a reference, the type of its referent."""
    return [p.target if isinstance(p, Pointer) and p.reference else p for p in params]


def passed(ctx: Context, nodes: Sequence[c_ast.Node], values: Sequence[Expr], device: Device) -> list[Expr]:
    """Convert the arguments to the types of the parameters."""
    for node in nodes:
        if null_checks.doubted(ctx, node) is not None:
            what = f"`{ctx.unit.written.text(node)}`, which may be a null pointer, passed to `{device.name}`"
            help = "pass the array, and a flag for whether it exists"
            raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)
    values = [
        null_checks.null(to)
        if value is null_checks.NULL and isinstance(to, Pointer) and is_place(to)
        else value
        for value, to in zip(values, device.params, strict=False)
    ]
    triples = list(zip(nodes, values, device.params, strict=False))
    given = [
        _reference(ctx, node, value, to)
        if isinstance(to, Pointer) and to.reference
        else value
        if isinstance(value, AddressOf)
        else evaluation.assignable(ctx, node, value, to)
        for node, value, to in triples
    ]
    _refuse_changing(ctx, triples, given)
    changed = frozenset(
        value.place.sym.variable
        for value, to in zip(given, device.params, strict=False)
        if isinstance(value, AddressOf) and isinstance(to, Pointer) and not to.const and not value.place.index
    )
    for k, (node, value) in enumerate(zip(nodes, given, strict=False)):
        if isinstance(value, AddressOf):
            at = kept_places.kept(ctx, node, value.place.sym.plain, value.place, changed)
            given[k] = AddressOf(at, value.type, span=value.span)
    return given


def _refuse_changing(
    ctx: Context, passed: Sequence[tuple[c_ast.Node, Expr, Type]], given: Sequence[Expr]
) -> None:
    """Refuse a `const` reference to one of two objects that the call may change: a copy would be stale."""
    open_ = [
        value.place
        for value, (_, _, to) in zip(given, passed, strict=True)
        if isinstance(value, AddressOf) and isinstance(to, Pointer) and not to.const
    ]
    changed = [at.sym.within or at.sym for at in open_]
    for node, value, to in passed:
        fixed = isinstance(to, Pointer) and to.reference and to.const and glvalues.is_choice(ctx, node)
        if fixed and glvalues.may_change([value], changed, writes=False):
            raise glvalues.refused(ctx, node)


def _reference(ctx: Context, node: c_ast.Node, value: Expr, to: Pointer) -> AddressOf:
    """Bind a reference parameter to an lvalue, or a `const` one to a value."""
    if (
        isinstance(value, Place)
        and pointer_forms.is_place(ctx, glvalues.named(node))
        and types.same(value.type, to.target)
    ):
        if pointer_forms.is_const(ctx, node) and not to.const:
            raise ctx.type_error(node, "a constant is passed by reference", "needs a `const` reference")
        return AddressOf(value, to, span=ctx.span(node))
    if not to.const and callees.refers(ctx, node):
        what = f"`{ctx.unit.written.text(node)}` passed by reference"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="bind it to a name first")
    if not to.const and glvalues.is_choice(ctx, node):
        what = f"`{ctx.unit.written.text(node)}`, one of two lvalues, passed by reference"
        help = "make the call in both branches of an `if`"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)
    if not to.const:
        raise ctx.type_error(node, "an rvalue is passed by reference", "needs a variable of the same type")
    assert isinstance(to.target, Scalar)
    sym = Sym(ctx.fresh("passed"), to.target, span=ctx.span(node), origin="lowering")
    ctx.out.append(Declare(sym, evaluation.assignable(ctx, node, value, to.target), span=ctx.span(node)))
    return AddressOf(Place(sym, (), to.target), to, span=ctx.span(node))


def called(ctx: Context, node: c_ast.FuncCall, call: Call) -> Expr:
    """Lower a call that takes lvalues."""
    for value in call.args:
        if not isinstance(value, AddressOf) and not isinstance(value.type, Scalar):
            raise ctx.reject(Code.POINTER_VALUE, node, name=ctx.unit.written.text(node))
    if call.type == ir.VOID or node is ctx.expression.discarded:
        ctx.out.append(Evaluate(call, span=ctx.span(node)))
        return Const(0, ir.VOID)
    if ctx.stores(node, call.type):
        return call
    if not isinstance(call.type, Scalar):
        raise Rejected
    return ctx.keep(call, f"{call.name}_value", ours=True)
