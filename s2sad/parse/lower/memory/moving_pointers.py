"""Lower moves and comparisons of pointers to arithmetic on their offsets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code, Rejected
from ....ir import Assign, Binary, Const, Expr, Place, Pointer, Scalar, Sym
from ...sema import dispatch, evaluation, meanings, null_checks
from ...sema.meanings import Alias, Jumped, Poisoned, Referred
from ...sema.scope import Context
from ...syntax import ast_utils
from . import kept_places, pointer_forms, pointer_offsets, pointers, struct_variables, vector_views


@dispatch.moved.when(c_ast.Assignment)
def assign(ctx: Context, node: c_ast.Assignment) -> Place:
    """Lower `p = q`, `p += n`, `p -= n`; return what the pointer points to afterwards."""
    if (structs := _structs(ctx, node, node.lvalue)) is not None:
        return _along(ctx, node, node.lvalue.name, structs, evaluation.index(ctx, node.rvalue))
    if node.op == "=" and isinstance(node.lvalue, c_ast.StructRef) and not ast_utils.is_null(node.rvalue):
        return aimed(ctx, node)
    alias = _moving(ctx, node.lvalue)
    if node.op == "=":
        if ast_utils.is_null(node.rvalue) and alias.flag is not None:
            _flag(ctx, node, alias.flag, there=False)
            return alias.at or null_checks.null(alias.type).place
        if ast_utils.is_null(node.rvalue):
            raise ctx.reject(Code.POINTER_VALUE, node.rvalue, name="nullptr")
        null_checks.sure(ctx, node.rvalue)
        at = _move(ctx, node, alias, pointers.converted(ctx, node.rvalue, alias.type))
        if alias.flag is not None:
            _flag(ctx, node, alias.flag, there=True)
        return at
    if node.op not in ("+=", "-=") or alias.at is None:
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
    by = evaluation.index(ctx, node.rvalue)
    if alias.offset is None or alias.lazy:
        return _move(ctx, node, alias, pointers.shifted(ctx, node, alias.at, node.op[0], by, far=True))
    target = Place(alias.offset, (), ir.LONG, span=ctx.span(node.lvalue))
    ctx.out.append(Assign(target, pointer_offsets.wide(by), node.op, span=ctx.span(node)))
    return alias.at


def _flag(ctx: Context, node: c_ast.Node, flag: Sym, *, there: bool) -> None:
    """Record whether a pointer that may be null points to something from here on."""
    value = Const(there, ir.BOOL, spelling="true" if there else "false")
    ctx.out.append(Assign(Place(flag, (), ir.BOOL), value, span=ctx.span(node)))


def _moving(ctx: Context, node: c_ast.Node) -> Alias:
    named = ctx.lookup(node.name) if isinstance(node, c_ast.ID) else None
    match named:
        case Alias(reference=False, given=given):
            if given is not None:
                null_checks.sure(ctx, node)
            return named
        case Poisoned():
            raise Rejected
        case Jumped():
            raise ctx.reject(Code.CASE_SCOPE, node, name=named.sym.name)
        case Sym(type=ir.Array(), name=name):
            raise ctx.type_error(node, f"the array `{name}` is assigned to", "assign its elements")
        case _:
            if isinstance(node, c_ast.ID) and _to_structs(struct_variables.static_access(ctx, node)):
                raise struct_variables.moved(ctx, node, node.name)
            raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))


def _to_structs(type: ir.Type | None) -> bool:
    return isinstance(type, Pointer) and isinstance(type.target, ir.Struct)


def _structs(ctx: Context, node: c_ast.Node, target: c_ast.Node) -> Referred | None:
    """Return the pointer to structs that an operator moves; None for any other lvalue."""
    named = ctx.lookup(target.name) if isinstance(target, c_ast.ID) else None
    if not isinstance(named, Referred) or (named.offset is None and not named.lazy):
        return None
    if node.op == "=":
        raise struct_variables.moved(ctx, node, target.name)
    if node is not ctx.expression.discarded:  # what it points to is no lvalue of a number
        raise struct_variables.moved(ctx, node, target.name, "move it in a statement of its own")
    return named


def _along(
    ctx: Context, node: c_ast.Node, name: str, named: Referred, by: Expr, spelling: str | None = None
) -> Place:
    """Lower the move of a pointer to structs; return what its fields begin at."""
    op = "+" if "+" in node.op else "-"
    meant = named.access
    if named.offset is not None:
        target = Place(named.offset, (), ir.LONG, span=ctx.span(node))
        value = pointer_offsets.wide(by)
        ctx.out.append(Assign(target, value, f"{op}=", span=ctx.span(node), spelling=spelling))
    else:
        meant = struct_variables.shifted(ctx, node, meant, op, by, far=True)
        index = kept_places.kept(ctx, node, name, Place(meant.whole, meant.index, ir.INT)).index
        meant = replace(meant, index=index)
        ctx.rebind(name, replace(named, access=meant))
    return Place(meant.whole, meant.index, ir.VOID)


def _move(ctx: Context, node: c_ast.Node, alias: Alias, to: Place) -> Place:
    if alias.lazy:
        to = kept_places.kept(ctx, node, alias.name, to)
        ctx.rebind(alias.name, replace(alias, at=to))
        return to
    at = alias.at
    if at is None:
        at = to if not to.index else _bound(ctx, node, alias, to)
        ctx.rebind(alias.name, replace(alias, at=at))
    pointers.one_array(ctx, node, alias.name, at, to)
    if at.index:
        assert alias.offset is not None
        target = Place(alias.offset, (), ir.LONG, span=ctx.span(node))
        ctx.out.append(Assign(target, pointer_offsets.wide(to.index[-1]), span=ctx.span(node)))
    elif at != to:
        raise pointers.points_to_two(ctx, node, alias.name, at, to)
    return at


def _bound(ctx: Context, node: c_ast.Node, alias: Alias, to: Place) -> Place:
    """Bind a pointer that was declared without a value to what it points into."""
    assert alias.offset is not None
    if not all(isinstance(i, Const) for i in to.index[:-1]):
        raise ctx.reject(Code.POINTER_UNSET, node, **meanings.unset(alias.name))
    return replace(
        to, index=(*to.index[:-1], Place(alias.offset, (), ir.LONG)), span=None, spelling=None, macro=None
    )


@dispatch.moved.when(c_ast.UnaryOp)
def step(ctx: Context, node: c_ast.UnaryOp) -> Place:
    """Lower `p++` and similar; return what the value of the expression points to."""
    if (structs := _structs(ctx, node, node.expr)) is not None:
        offset = structs.offset
        spelling = f"{node.op[-2:]}{offset.name}" if offset is not None else None
        return _along(ctx, node, node.expr.name, structs, Const(1, ir.INT), spelling)
    alias = _moving(ctx, node.expr)
    if alias.at is None:
        raise ctx.reject(Code.POINTER_UNSET, node, **meanings.unset(alias.name))
    op = "+" if "+" in node.op else "-"
    if alias.offset is None or alias.lazy:
        return _move(ctx, node, alias, pointers.shifted(ctx, node, alias.at, op, Const(1, ir.INT)))
    span = ctx.span(node)
    target = Place(alias.offset, (), ir.LONG, span=span)
    spelling = f"{alias.offset.name}{2 * op}" if node.op.startswith("p") else f"{2 * op}{alias.offset.name}"
    change = Assign(target, Const(1, ir.LONG), f"{op}=", span=span, spelling=spelling)
    if not node.op.startswith("p") or node is ctx.expression.discarded:
        ctx.out.append(change)
        return alias.at
    if (
        ctx.expression.after is not None
        and ctx.expression.survey.mentions[alias.name] == 1
        and alias.offset not in ctx.referenced
    ):
        ctx.expression.after.append(change)
        return alias.at
    was = ctx.keep(Place(alias.offset, (), ir.LONG, span=span))
    ctx.out.append(change)
    return replace(alias.at, index=(*alias.at.index[:-1], _at(alias.at.index[-1], alias.offset, was)))


def _at(index: Expr, offset: Sym, was: Place) -> Expr:
    """Return the index with the offset's previous value."""
    match index:
        case Place(sym, ()) if sym is offset:
            return was
        case Binary(left=left, right=right):
            return replace(index, left=_at(left, offset, was), right=_at(right, offset, was))
        case _:
            return index


def compares(ctx: Context, node: c_ast.BinaryOp) -> bool:
    """Whether two pointers are compared or subtracted."""
    if ctx.unit.emitted or (node.op not in ir.COMPARISONS and node.op != "-"):
        return False
    either: Callable[[Iterable[bool]], bool] = all if node.op == "-" else any
    return either(pointer_forms.is_pointer(ctx, n) for n in (node.left, node.right))


def compared(ctx: Context, node: c_ast.BinaryOp) -> Expr:
    """Lower `p < end` and `end - p` to their offsets, if both point into one array."""
    for side in (node.left, node.right):
        if ast_utils.is_null(side) or not pointer_forms.is_pointer(ctx, side):
            raise ctx.reject(Code.POINTER_VALUE, node, name=ctx.unit.written.text(node))
    clash = ctx.touched(node.left).clashes(ctx.touched(node.right))
    if clash:
        raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=min(clash))
    one, two = _begun(ctx, node.left), _begun(ctx, node.right)
    if one is None or two is None:
        raise ctx.reject(Code.POINTER_VALUE, node, name=ctx.unit.written.text(node))
    if one.sym is not two.sym or one.sym.path or not one.index or one.index[:-1] != two.index[:-1]:
        raise ctx.reject(Code.POINTER_VALUE, node, name=ctx.unit.written.text(node))
    a, b = pointer_offsets.apart(one.index[-1], two.index[-1], ctx.meant)
    if node.op == "-":
        return pointer_offsets.sum_of("-", pointer_offsets.wide(a), pointer_offsets.wide(b))
    a, b = pointer_offsets.meeting(a, b)
    return Binary(node.op, a, b, ir.BOOL)


def _begun(ctx: Context, node: c_ast.Node) -> Place | None:
    """Return what a pointer points to, as the array and an index if that is a struct; None for another."""
    if not struct_variables.named(ctx, node):
        return dispatch.pointer(ctx, node)
    meant = struct_variables.pointer(ctx, node)
    if meant.points == "element" and meant.base is None and not meant.path:
        return Place(meant.whole, meant.index, ir.VOID)
    return None


def aimed(ctx: Context, node: c_ast.Assignment) -> Place:
    """Lower `w.p = buf;`: the pointer in a local struct denotes that array for its whole lifetime."""
    meant = struct_variables.access(ctx, node.lvalue)
    if meant.index or meant.base is not None or not isinstance(meant.type, Pointer):
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node.lvalue))
    if not isinstance(meant.type.target, Scalar):
        raise ctx.reject(Code.POINTER_VALUE, node.rvalue, name=ctx.unit.written.text(node.rvalue))
    at = pointers.converted(ctx, node.rvalue, meant.type)
    if not vector_views.begins(at):
        owner = ast_utils.root(node.lvalue)
        if owner is not None:
            ctx.rebind(owner.name, Poisoned())
        raise ctx.reject(Code.POINTER_TO_ELEMENT, node.rvalue, name=ctx.unit.written.text(node.rvalue))
    struct_variables.aim(
        ctx, meant.whole, meant.path, vector_views.beginning(at.sym, meant.type), ctx.span(node)
    )
    return at
