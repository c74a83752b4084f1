"""Pointers: names for places that other variables own.

A pointer has no value here, it means a place: the array it points into and the index
there. So nothing later has to know about pointers.

    const float *row = A + i * n;       row[j]  is  A[i * n + j]

    const float *p = x + i;             long p_at = i;
    while (p < end)                     while (p_at < n) {
        s += *p++;                          s += x[p_at]; p_at += 1; }

An offset that something may change while the pointer still points there is kept in a
constant, and that of a pointer which moves in a variable of 64 bits, like the pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code, Rejected
from ..fields import is_row
from ..ir import Assign, Binary, Const, Expr, Place, Scalar, Select, Sym
from . import (
    aliases,
    bytewise,
    declared,
    effects,
    lower_effects,
    lower_expr,
    offsets,
    places,
    presence,
    regions,
    strides,
    types,
    views,
    wholes,
)
from .context import Alias, Context, Jumped, Poisoned, Referred

_STEPS = ("++", "--", "p++", "p--")


# ---- what a pointer points to -----------------------------------------------


def is_pointer(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an expression is a pointer by its form."""
    if ctx.emitted:
        return False
    match node:
        case c_ast.ID(name=name):
            match ctx.lookup(name):
                case Alias(reference=False):
                    return True
                case Alias(at=Place(type=ir.Array() as type)) | Sym(type=ir.Pointer() | ir.Array() as type):
                    return not _single(type)
                case _:
                    return False
        case c_ast.UnaryOp(op="&"):
            return True
        case c_ast.UnaryOp(op=op, expr=inner) if op in _STEPS:
            return is_pointer(ctx, inner)
        case c_ast.BinaryOp(op="+" | "-", left=left, right=right):
            return is_pointer(ctx, left) != is_pointer(ctx, right)
        case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl())):
            return True
        case c_ast.TernaryOp(iftrue=one, iffalse=two):
            return is_pointer(ctx, one) or is_pointer(ctx, two)
        case c_ast.Assignment(lvalue=target):
            return is_pointer(ctx, target)
        case c_ast.ExprList(exprs=parts):
            return is_pointer(ctx, parts[-1])
        case c_ast.ArrayRef() | c_ast.UnaryOp(op="*"):
            return _is_row(ctx, node) or _is_field(ctx, node)
        case c_ast.StructRef():
            return _is_field(ctx, node)
        case _:
            return False


def _is_field(ctx: Context, node: c_ast.Node) -> bool:
    """Whether a part of a struct is a pointer to numbers, or an array of such."""
    if not wholes.named(ctx, node):
        return False
    match wholes.static_access(ctx, node):
        case ir.Pointer(target=Scalar()) | ir.Array(extents=(_,)):
            return True
        case _:
            return False


def _field(ctx: Context, node: c_ast.Node) -> Place:
    """What a pointer in a struct points to, or the first number of an array in it."""
    meant = wholes.access(ctx, node)
    return wholes.part(ctx, meant, (), (Const(0, ir.INT),))


def _single(type: ir.Type) -> bool:
    return isinstance(type, ir.Array) and type.single


def _is_row(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an element is itself an array: a row of a local array, or what a pointer to rows points to."""
    depth = 0
    while True:
        match node:
            case c_ast.ArrayRef(name=inner):
                node, depth = inner, depth + 1
            case c_ast.UnaryOp(op="*", expr=inner):
                node, depth = inner, depth + 1
            case c_ast.BinaryOp(op="+" | "-", left=left, right=right):
                node = left if is_pointer(ctx, left) else right
            case c_ast.UnaryOp(op=op, expr=inner) if op in _STEPS:
                node = inner
            case c_ast.ID(name=name):
                break
            case _:
                return False
    match ctx.lookup(name):
        case Sym(type=ir.Array(extents=extents)):
            return depth < len(extents)
        case Sym(type=ir.Pointer(target=ir.Array(extents=extents))):
            return depth < len(extents) + 1
        case Alias(type=ir.Pointer(target=ir.Array(extents=extents)), reference=False):
            return depth < len(extents) + 1
        case Alias(at=Place(type=ir.Array(extents=extents)), reference=True):
            return depth < len(extents)
        case _:
            return False


def converted(ctx: Context, node: c_ast.Node, to: ir.Pointer) -> Place:
    """What a pointer points to, as a pointer of the type."""
    at = pointer(ctx, node)
    if not alike(at.type, to.target):
        if isinstance(at.type, ir.Array) or isinstance(to.target, ir.Array):
            raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))
        raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.written.text(node))
    # a cast may take the `const` away, for reading: what it points to stays what it is
    if is_const(ctx, node) and not to.const and not is_cast(ctx, node):
        raise ctx.type_error(
            node, "a pointer to constants becomes a pointer to variables", f"needs `const {types.spell(to)}`"
        )
    return at


def alike(a: ir.Type, b: ir.Type) -> bool:
    """Whether two pointers may point to these, as far as the types go."""
    match a, b:
        case ir.Array(one, m), ir.Array(two, n):
            return types.same(one, two) and m == n
        case _:
            return types.same(a, b)


def is_cast(ctx: Context, node: c_ast.Node) -> bool:
    """Whether a pointer is made by a cast, and moved by numbers at most."""
    while isinstance(node, c_ast.BinaryOp):
        node = node.left if is_pointer(ctx, node.left) else node.right
    return isinstance(node, c_ast.Cast)


def _of_constants(sym: Sym) -> bool:
    """Whether nothing writes to what a variable holds or points to."""
    return sym.type.const if isinstance(sym.type, ir.Pointer) else sym.const


def is_const(ctx: Context, node: c_ast.Node) -> bool:
    """Whether what an expression names or points to can't be written through it."""
    match node:
        case c_ast.ID(name=name):
            match ctx.lookup(name):
                case Alias(type=type, at=at):
                    return type.const or (at is not None and _of_constants(at.sym))
                case Referred(const=const):
                    return const
                case Sym(type=ir.Pointer(const=const)):
                    return const
                case Sym(const=const):
                    return const
                case _:
                    return False
        case c_ast.UnaryOp(op="&" | "*" | "++" | "--" | "p++" | "p--", expr=inner):
            return is_const(ctx, inner)
        case c_ast.ArrayRef(name=inner) | c_ast.StructRef(name=inner) | c_ast.Assignment(lvalue=inner):
            return is_const(ctx, inner)
        case c_ast.BinaryOp(left=left, right=right):
            return is_const(ctx, left if is_pointer(ctx, left) else right)
        case c_ast.TernaryOp(iftrue=one, iffalse=two):
            return is_const(ctx, one) or is_const(ctx, two)
        case c_ast.ExprList(exprs=parts):
            return is_const(ctx, parts[-1])
        case c_ast.Cast(expr=inner):  # what a cast makes of it stays what it was
            return is_const(ctx, inner)
        case _:
            return False


def pointer(ctx: Context, node: c_ast.Node) -> Place:
    """The place that a pointer points to; a row where it points to rows."""
    match node:
        case c_ast.ID(name=name):
            return _named(ctx, node, name)
        case c_ast.UnaryOp(op="&", expr=inner):
            return places.place(ctx, inner, rows=True)
        case c_ast.UnaryOp(op=op) if op in _STEPS:
            return step(ctx, node)
        case c_ast.BinaryOp(op="+" | "-", left=left, right=right) if is_pointer(ctx, node):
            return _moved_by(ctx, node, left, right)
        case c_ast.ArrayRef() | c_ast.UnaryOp(op="*") if _is_row(ctx, node):
            return _first(places.place(ctx, node, rows=True))
        case c_ast.StructRef() | c_ast.ArrayRef() | c_ast.UnaryOp(op="*") if _is_field(ctx, node):
            return _field(ctx, node)
        case c_ast.Cast():
            return _cast(ctx, node)
        case c_ast.TernaryOp():
            return _either(ctx, node)
        case c_ast.Assignment():
            return assign(ctx, node)
        case c_ast.ExprList():
            for part in node.exprs[:-1]:
                lower_effects.discard(ctx, part)
            return pointer(ctx, node.exprs[-1])
        case c_ast.FuncCall():
            lower_expr.value(ctx, node)  # says what is wrong with it
    if any(isinstance(ctx.lookup(name), Poisoned) for name in effects.names(node)):
        raise Rejected
    raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))


def _named(ctx: Context, node: c_ast.ID, name: str) -> Place:
    match ctx.lookup(name):
        case Alias(at=None):
            raise ctx.reject(Code.POINTER_UNSET, node, name=name)
        case Alias(at=at, reference=False) if at is not None:
            return at
        case Alias(at=at) if at is not None and isinstance(at.type, ir.Array):
            return _first(at)
        case Sym(type=ir.Pointer()) as sym:
            return offsets.element(sym, (Const(0, ir.INT),))
        case Sym(type=ir.Array() as array) as sym if not array.single and (ctx.raw or sym not in ctx.bytes):
            return _first(Place(sym, (), array))
    expr = lower_expr.name(ctx, node)
    raise ctx.type_error(
        node, f"`{name}` is used as a pointer but is none", f"this is {types.spell(expr.type)}"
    )


def _first(row: Place) -> Place:
    """An array as a pointer: its first element."""
    return offsets.element(row.sym, (*row.index, Const(0, ir.INT)))


def _moved_by(ctx: Context, node: c_ast.BinaryOp, left: c_ast.Node, right: c_ast.Node) -> Place:
    base, amount = (left, right) if is_pointer(ctx, left) else (right, left)
    if node.op == "-" and base is right:
        raise ctx.type_error(node, "a number minus a pointer", "this has no meaning")
    clash = ctx.touched(left).clashes(ctx.touched(right))
    if clash:
        raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=min(clash))
    at = pointer(ctx, base)
    by = places.index(ctx, amount)
    far = isinstance(base, c_ast.ID) and isinstance(ctx.lookup(base.name), Alias)
    return shifted(ctx, node, at, node.op, by, far=far)


def shifted(ctx: Context, node: c_ast.Node, at: Place, op: str, by: Expr, *, far: bool = False) -> Place:
    """The place so many elements further on; `far`: their offsets may be beyond 32 bits together."""
    of_struct = at.sym.within is not None and not is_row(at.sym)  # the next float is another field
    if not at.index or of_struct:
        if isinstance(by, Const) and by.value == 0:
            return at
        raise ctx.reject(Code.POINTER_BEYOND, node, name=at.sym.name)
    at = replace(at, index=(*at.index[:-1], offsets.sum_of(op, at.index[-1], by, far=far)))
    return replace(at, spelling=None, macro=None)


def _cast(ctx: Context, node: c_ast.Cast) -> Place:
    """`(float *)p`: of its own type, or of bytes of shared memory that are used as nothing else."""
    to, _ = declared.type_of(ctx, node.to_type.type)
    if not isinstance(to, ir.Pointer):
        raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.written.text(node))
    if (held := views.inside(ctx, node.expr)) is not None and types.same(held, to.target):
        return views.first(ctx, node.expr)
    named = ctx.lookup(node.expr.name) if isinstance(node.expr, c_ast.ID) else None
    if isinstance(named, Sym) and isinstance(named.type, ir.Struct):  # an array of structs as numbers
        raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.written.text(node))
    if (moved := strides.moved(ctx, node, to)) is not None:
        return moved
    apart = isinstance(to.target, Scalar) and views.apart(ctx, node.expr, to.target)
    return cast(ctx, node, to.target, views.first if apart else pointer)


def cast(ctx: Context, node: c_ast.Cast, to: ir.Type, first: Callable[[Context, c_ast.Node], Place]) -> Place:
    """What a cast points to as a number of a type; in memory of several types that is in another array."""
    bytes = bytewise.counted(ctx, node.expr)
    outer, ctx.raw = ctx.raw, bytes
    try:
        at = first(ctx, node.expr)
    finally:
        ctx.raw = outer
    if bytes or not alike(at.type, to):
        moved_to = regions.of_bytes if bytes else regions.as_type
        other = moved_to(ctx, node, at, to) if isinstance(to, Scalar) else None
        if other is None and isinstance(to, ir.Array) and types.same(to.element, at.type):
            index, *inner = (name for name in "ijklmnqr" if name not in effects.names(node.expr))
            for extent, counter in zip(to.extents, inner, strict=False):
                index = f"{f'({index})' if ' ' in index else index} * {extent} + {counter}"
            index = f"`({ctx.written.text(node.expr)})[{index}]`"
            raise ctx.reject(Code.ROWS_OF_NUMBERS, node, one=types.spell(at.type), index=index)
        if other is None:
            raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.written.text(node))
        return other
    return at


def _either(ctx: Context, node: c_ast.TernaryOp) -> Place:
    """`c ? p : q`, where both point into one array."""
    if node.iftrue in ctx.survey or node.iffalse in ctx.survey:
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))
    cond = lower_expr.condition(ctx, node.cond)
    one, two = pointer(ctx, node.iftrue), pointer(ctx, node.iffalse)
    _one_array(ctx, node, ctx.written.text(node), one, two)
    if not one.index:
        return one
    a, b = offsets.meeting(one.index[-1], two.index[-1])
    chosen = Select(cond, a, b, a.type, span=ctx.span(node))
    return replace(one, index=(*one.index[:-1], chosen), spelling=None, macro=None)


def _one_array(ctx: Context, node: c_ast.Node, name: str, one: Place, two: Place) -> None:
    if one.sym is not two.sym:
        raise _points_to_two(ctx, node, name, one, two)
    if one.index[:-1] != two.index[:-1] or len(one.index) != len(two.index):
        rows = f"a row of `{one.sym.name}`"
        values = {"name": name, "one": rows, "two": "another row"}
        raise ctx.reject(
            Code.POINTS_TO_TWO, node, help="index the array, and keep the row's number", **values
        )


def _points_to_two(ctx: Context, node: c_ast.Node, name: str, one: Place, two: Place) -> Rejected:
    """A pointer that would mean two variables, or two arrays."""
    a, b = one.sym, two.sym
    if isinstance(a.type, Scalar) and isinstance(b.type, Scalar):
        help = f"use `{a.name}` in one branch of an `if` and `{b.name}` in the other"
    elif isinstance(a.type, ir.Array) and types.same(a.type, b.type) and not a.type.open:
        shared = "__shared__ " if a.storage == "shared" else ""
        extents = "".join(f"[{n}]" for n in a.type.spelled or a.type.extents)
        rows = f"{shared}{a.type.element.spelled} rows[2]{extents}"
        help = f"make them one array, `{rows};`, and keep the row's number in an int"
    else:
        help = f"keep the offset in an int, and index `{a.name}` or `{b.name}` in an `if`"
    values = {"name": name, "one": f"`{a.name}`", "two": f"`{b.name}`"}
    return ctx.reject(Code.POINTS_TO_TWO, node, help=help, **values)


# ---- pointers that move -----------------------------------------------------


def assign(ctx: Context, node: c_ast.Assignment) -> Place:
    """`p = q`, `p += n`, `p -= n`; what it points to then."""
    if node.op == "=" and isinstance(node.lvalue, c_ast.StructRef) and not aliases.is_null(node.rvalue):
        from . import structs

        return structs.aimed(ctx, node)
    alias = _moving(ctx, node.lvalue)
    if node.op == "=":
        if aliases.is_null(node.rvalue):
            raise ctx.reject(Code.POINTER_VALUE, node.rvalue, name="nullptr")
        presence.sure(ctx, node.rvalue)
        return _move(ctx, node, alias, converted(ctx, node.rvalue, alias.type))
    if node.op not in ("+=", "-=") or alias.at is None:
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))
    by = places.index(ctx, node.rvalue)
    if alias.offset is None or alias.lazy:
        return _move(ctx, node, alias, shifted(ctx, node, alias.at, node.op[0], by, far=True))
    target = Place(alias.offset, (), ir.LONG, span=ctx.span(node.lvalue))
    ctx.out.append(Assign(target, offsets.wide(by), node.op, span=ctx.span(node)))
    return alias.at


def _moving(ctx: Context, node: c_ast.Node) -> Alias:
    named = ctx.lookup(node.name) if isinstance(node, c_ast.ID) else None
    match named:
        case Alias(reference=False, given=given):
            if given is not None:
                presence.sure(ctx, node)
            return named
        case Poisoned():
            raise Rejected
        case Jumped():
            raise ctx.reject(Code.CASE_SCOPE, node, name=named.sym.name)
        case Sym(type=ir.Array(), name=name):
            raise ctx.type_error(node, f"the array `{name}` is assigned to", "assign its elements")
        case _:
            raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))


def _move(ctx: Context, node: c_ast.Node, alias: Alias, to: Place) -> Place:
    if alias.lazy:
        to = aliases.kept(ctx, node, alias.name, to)
        ctx.rebind(alias.name, replace(alias, at=to))
        return to
    at = alias.at
    if at is None:
        at = to if not to.index else _bound(ctx, node, alias, to)
        ctx.rebind(alias.name, replace(alias, at=at))
    _one_array(ctx, node, alias.name, at, to)
    if at.index:
        assert alias.offset is not None
        target = Place(alias.offset, (), ir.LONG, span=ctx.span(node))
        ctx.out.append(Assign(target, offsets.wide(to.index[-1]), span=ctx.span(node)))
    elif at != to:
        raise _points_to_two(ctx, node, alias.name, at, to)
    return at


def _bound(ctx: Context, node: c_ast.Node, alias: Alias, to: Place) -> Place:
    """What a pointer points into that got no place where it was declared."""
    assert alias.offset is not None
    if not all(isinstance(i, Const) for i in to.index[:-1]):
        raise ctx.reject(Code.POINTER_UNSET, node, name=alias.name)
    return replace(
        to, index=(*to.index[:-1], Place(alias.offset, (), ir.LONG)), span=None, spelling=None, macro=None
    )


def step(ctx: Context, node: c_ast.UnaryOp) -> Place:
    """`p++` and kin; what it points to for who uses it."""
    alias = _moving(ctx, node.expr)
    if alias.at is None:
        raise ctx.reject(Code.POINTER_UNSET, node, name=alias.name)
    op = "+" if "+" in node.op else "-"
    if alias.offset is None or alias.lazy:
        return _move(ctx, node, alias, shifted(ctx, node, alias.at, op, Const(1, ir.INT)))
    span = ctx.span(node)
    target = Place(alias.offset, (), ir.LONG, span=span)
    spelling = f"{alias.offset.name}{2 * op}" if node.op.startswith("p") else f"{2 * op}{alias.offset.name}"
    change = Assign(target, Const(1, ir.LONG), f"{op}=", span=span, spelling=spelling)
    if not node.op.startswith("p") or node is ctx.discarded:
        ctx.out.append(change)
        return alias.at
    if ctx.after is not None and ctx.survey.mentions[alias.name] == 1 and alias.offset not in ctx.referenced:
        ctx.after.append(change)
        return alias.at
    was = ctx.keep(Place(alias.offset, (), ir.LONG, span=span))
    ctx.out.append(change)
    return replace(alias.at, index=(*alias.at.index[:-1], _at(alias.at.index[-1], alias.offset, was)))


def _at(index: Expr, offset: Sym, was: Place) -> Expr:
    """The index with what the offset was before."""
    match index:
        case Place(sym, ()) if sym is offset:
            return was
        case Binary(left=left, right=right):
            return replace(index, left=_at(left, offset, was), right=_at(right, offset, was))
        case _:
            return index


# ---- values -----------------------------------------------------------------


def compares(ctx: Context, node: c_ast.BinaryOp) -> bool:
    """Whether two pointers are compared, or subtracted."""
    if ctx.emitted or (node.op not in ir.COMPARISONS and node.op != "-"):
        return False
    either: Callable[[Iterable[bool]], bool] = all if node.op == "-" else any
    return either(is_pointer(ctx, n) for n in (node.left, node.right))


def compared(ctx: Context, node: c_ast.BinaryOp) -> Expr:
    """`p < end` and `end - p`: of the offsets, if both point into one array."""
    for side in (node.left, node.right):
        if aliases.is_null(side) or not is_pointer(ctx, side):
            raise ctx.reject(Code.POINTER_VALUE, node, name=ctx.written.text(node))
    clash = ctx.touched(node.left).clashes(ctx.touched(node.right))
    if clash:
        raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=min(clash))
    one, two = pointer(ctx, node.left), pointer(ctx, node.right)
    if one.sym is not two.sym or one.sym.path or not one.index or one.index[:-1] != two.index[:-1]:
        raise ctx.reject(Code.POINTER_VALUE, node, name=ctx.written.text(node))
    a, b = offsets.apart(one.index[-1], two.index[-1], ctx.meant)
    if node.op == "-":
        return offsets.sum_of("-", offsets.wide(a), offsets.wide(b))
    a, b = offsets.meeting(a, b)
    return Binary(node.op, a, b, ir.BOOL)
