"""Lower one function: its parameters, its body, its attributes."""

from __future__ import annotations

import copy
import re
from dataclasses import replace

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Diagnostic, Rejected
from ...fields import leaves, split
from ...ir import Function, Parameter, Pointer, Scalar, Struct, Sym, Type
from ...source import Span
from ..sema import declarators, dispatch, meanings, union_types
from ..sema.meanings import Alias, Bindings
from ..sema.scope import Context
from ..syntax import ast_utils
from ..types import types
from . import reference_args, statements
from .memory import aliases, numbers, shared_partitions


@dispatch.function.when(c_ast.FuncDef)
def function(
    ctx: Context,
    node: c_ast.FuncDef,
    problems: list[Diagnostic],
    *,
    is_kernel: bool,
    bound: Bindings | None = None,
    name: str = "",
    result: Type | None = None,
    returned: list[Type] | None = None,
) -> tuple[Function, set[str]]:
    """Lower one function in a context of its own; also return the keys of the functions it calls.

    `bound` are its template arguments, `name` its emitted name if that differs from the source,
    `result` its return type where that is `auto`; with `returned`, the types it returns are collected.
    """
    inner = Context(
        ctx.unit,
        replace(
            ctx.function,
            called=set(),
            kept=set(),
            values=dict(ctx.function.values),
            parts=dict(ctx.function.parts),
            begun={},
            regions={},
            origins={},
            recast={},
        ),
        aliases={name for name, named in ctx.unit.names.items() if isinstance(named, Alias)},
        variables=ctx.variables,
        taken=_identifiers(ctx.unit.written.text(node)) | set(ctx.unit.names) | set(ctx.unit.functions),
    )
    inner.bind(bound or {})
    inner.returned = returned
    name = name or node.decl.name
    params: list[Parameter] = []
    body: ir.Body = ()
    with inner.scope():
        try:
            if result is None:
                result, _ = declarators.type_of(inner, node.decl.type.type)
            if isinstance(result, Pointer) and not inner.unit.emitted:
                raise inner.reject(Code.POINTER_PARAMETER, node.decl, function=name, does="returns a pointer")
        except Rejected as rejected:
            inner.note(rejected)
        result = result or ir.VOID
        inner.result = result
        for decl in declarators.parameters(node):
            try:
                params.extend(_parameter(inner, decl, name, node.body, is_kernel=is_kernel))
            except Rejected as rejected:
                inner.note(rejected)
        if is_kernel and result != ir.VOID:
            inner.note(
                inner.type_error(node.decl, f"the kernel `{name}` returns a value", "a kernel is void")
            )
        inner.root = node.body
        inner.moved = ast_utils.moved(node.body)
        inner.later = ast_utils.Rest(node.body.block_items or ())
        with inner.collecting() as out:  # parameters have the scope of the body
            for decl in declarators.parameters(node):
                named = inner.lookup(decl.name) if decl.name is not None else None
                if isinstance(named, ir.Sym):
                    aliases.parameter(inner, named, decl)
            statements.statements(inner, node.body.block_items or ())
        body = tuple(out)
        for unwritten in shared_partitions.unwritten(inner, body):
            inner.note(unwritten)
        if result != ir.VOID and not statements.ends(body) and not inner.problems:
            inner.note(inner.reject(Code.MISSING_RETURN, node.decl, name=name, type=types.spell(result)))
    problems.extend(d for d in inner.problems if d not in problems)
    attributes = tuple(inner.substituted(word) for word in _attributes(ctx, node))
    span = _name_span(ctx, node)
    return Function(name, tuple(params), result, body, is_kernel, attributes, span), inner.function.called


def _parameter(
    ctx: Context, node: c_ast.Node, function: str, body: c_ast.Node, *, is_kernel: bool
) -> list[Parameter]:
    """Lower a parameter; one of a struct type becomes several."""
    span = ctx.span(node)
    name = getattr(node, "name", None)
    if name is None:
        raise ctx.reject(Code.NOT_SUPPORTED, node, what="a parameter without a name", help="name it")
    written = node
    if is_kernel and _restricted(node):
        node = _steady(node)
    try:
        type, const = declarators.parameter_type(ctx, node)
        flag = isinstance(type, Pointer) and isinstance(type.target, Scalar) and not type.target.is_float
        if "volatile" in (written.quals or () if flag else node.quals or ()):  # threads may wait on flags
            raise ctx.reject(Code.VOLATILE, node, name=name)
        if isinstance(type, Pointer) and not ctx.unit.emitted:
            _refuse_pointer(ctx, node, type, function, is_kernel=is_kernel)
        if is_kernel:
            union_types.refuse_inside(ctx, node, type)
            _refuse_pointers_inside(ctx, node, type)
    except Rejected:
        ctx.poison(name)
        raise
    sym = Sym(name, type, "parameter", span=span, const=const, origin="author")
    ctx.declare(sym, node)
    if is_kernel and isinstance(type, Struct) and (ctx.unit.emitted or ctx.unit.adjoint):
        ctx.function.parts[sym] = _written_through(sym, body)
    if is_kernel and (counted := numbers.parameter(ctx, sym, body)) is not None:
        return [Parameter(counted, span=span)]
    if is_kernel and isinstance(type, Struct) and not type.fields:  # a functor without state
        if ctx.unit.generic is not None:
            ctx.unit.generic.kept(type)
    elif meanings.is_struct(type):
        return [Parameter(part, span=span) for part in ctx.parts_of(sym).values()]
    return [Parameter(sym, span=span)]


def _written_through(whole: Sym, body: c_ast.Node) -> dict[tuple[str, ...], Sym]:
    """Return the fields of a struct in a text that s2sad wrote: `((float *)adj_v.x)[i]` may be written."""
    cast = {
        _path(node.expr)
        for node in ast_utils.walk(body)
        if isinstance(node, c_ast.Cast) and isinstance(node.expr, c_ast.StructRef)
    }
    return {
        path: replace(part, type=replace(part.type, const=False))
        if isinstance(part.type, Pointer) and (whole.name, *path) in cast
        else part
        for path, part in split(whole).items()
    }


def _path(field: c_ast.Node) -> tuple[str, ...]:
    """Return the names in `v.inner.x`; none if it is anything else."""
    match field:
        case c_ast.ID(name=name):
            return (name,)
        case c_ast.StructRef(name=outer, field=c_ast.ID(name=name)) if path := _path(outer):
            return (*path, name)
        case _:
            return ()


def _refuse_pointer(ctx: Context, node: c_ast.Node, type: Pointer, function: str, *, is_kernel: bool) -> None:
    """Refuse a pointer or reference type that a function or a kernel may not take."""
    target, name = type.target, node.name
    if not is_kernel:
        if not reference_args.is_place(type):
            raise ctx.reject(
                Code.POINTER_PARAMETER, node, function=function, does=f"takes the pointer `{name}`"
            )
        return
    if type.reference:
        raise ctx.reject(Code.NO_REFERENCES, node, name=f": `{name}`")
    if isinstance(target, Struct) and target.extents:
        what = f"`{name}`, a pointer to {types.spell(target)}"
        help = f"pass a pointer to {target.name} and compute the index"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)
    if not isinstance(target, Scalar | Struct | ir.Array) or target == ir.VOID:
        what = f"`{name}`, a pointer to {types.spell(target)}"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="pass one pointer to numbers")
    if isinstance(target, Struct) and not target.fields:
        of = target.name
        if any(known.startswith(f"{of}::") for known in ctx.unit.functions):  # else reported elsewhere
            what = f"`{name}`, a pointer to an empty class"
            raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=f"construct a {of} in the kernel")


def _refuse_pointers_inside(ctx: Context, node: c_ast.Node, type: Type) -> None:
    """Refuse a struct with a pointer to anything but numbers: to vectors, other structs, or pointers."""
    struct = type.target if isinstance(type, Pointer) else type
    for leaf in leaves(struct) if isinstance(struct, Struct) else ():
        target = leaf.type.target if isinstance(leaf.type, Pointer) else ir.VOID
        if isinstance(target, Scalar):
            continue
        what = f"`{node.name}.{leaf.name}`, a pointer to {types.spell(target)} in a struct"
        help = "let the field be a pointer to numbers, and compute the index"
        if isinstance(target, Struct):
            help = f"pass it as a parameter of the kernel, beside the struct; or {help}"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)


def _restricted(node: c_ast.Node) -> bool:
    """Whether a parameter is `volatile float *__restrict__ x`, whose memory nothing but x changes.

    `volatile` then only affects the compiler: accesses by other threads are no race, as for any array.
    """
    return (
        isinstance(node.type, c_ast.PtrDecl)
        and "__restrict__" in (node.type.quals or ())
        and isinstance(node.type.type, c_ast.TypeDecl)
    )


def _steady(node: c_ast.Decl) -> c_ast.Decl:
    """Return the declaration of such a parameter without `volatile`."""
    made, pointer, target = copy.copy(node), copy.copy(node.type), copy.copy(node.type.type)
    for part in (made, target):
        part.quals = [word for word in part.quals or () if word != "volatile"]
    made.type, pointer.type = pointer, target
    return made


def _identifiers(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))


def _attributes(ctx: Context, node: c_ast.FuncDef) -> tuple[str, ...]:
    return tuple(str(word) for word in (*(node.decl.storage or ()), *(node.decl.funcspec or ())))


def _name_span(ctx: Context, node: c_ast.FuncDef) -> Span | None:
    """Return the span of the function's name."""
    whole = ctx.span(node)
    if whole is None:
        return None
    match = re.compile(rf"\b{re.escape(node.decl.name)}\b\s*[(<]").search(
        whole.source.text, whole.start, whole.end
    )
    if match is None:
        return ctx.span(node.decl)
    return Span(whole.source, match.start(), match.start() + len(node.decl.name))
