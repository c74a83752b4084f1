"""Resolve accesses to variables of struct types and to their fields.

In lowering a struct is a set of variables: `float3 v` declares `v.x`, `v.y` and `v.z`, and
`pos[i].x` of a `float3 *pos` is element i of the array `pos.x`. So two fields never alias,
and nothing after the front end needs to know structs. What a node names is an `Access`
until it is resolved to a number.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code, Rejected, diagnose
from ....fields import field_of, is_nowhere
from ....ir import AddressOf, Array, Const, Expr, Place, Pointer, Struct, Sym, Type
from ....source import Span
from ...sema import dispatch, evaluation, meanings
from ...sema.meanings import Access, Bound, Poisoned, Referred
from ...sema.scope import Context
from ...syntax import ast_utils
from ...types import types
from . import carrier_words, pointer_offsets

_ZERO = Const(0, ir.INT)


def _sum(ctx: Context, node: c_ast.Node) -> bool:
    """Whether a node is `a + b` of structs, an operator call, and no pointer."""
    while isinstance(node, c_ast.UnaryOp) and node.op == "*":
        node = node.expr
    return isinstance(node, c_ast.BinaryOp) and static_access(ctx, node) is None


def named(ctx: Context, node: c_ast.Node) -> bool:
    """Whether a node names a variable of a struct type, or a part of one."""
    if at_bottom(ctx, node) is not None:
        return True
    found = ast_utils.root(node)
    if found is None or _sum(ctx, node):
        return False
    match ctx.lookup(found.name):
        case Sym(type=type):
            return meanings.is_struct(type)
        case Referred() | Bound():
            return True
        case _:
            return False


def access(ctx: Context, node: c_ast.Node) -> Access:
    """Resolve a node for which `named` holds; its indices are evaluated from left to right."""
    match node:
        case c_ast.ID():
            return _variable(ctx, node)
        case c_ast.Cast() if (struct := dispatch.viewed(ctx, node)) is not None:
            first = dispatch.begun(ctx, node, struct)
            first = replace(first, index=tuple(ctx.keep(i) if _loads(i) else i for i in first.index))
            return Access(first.sym, (), (_ZERO,), Pointer(struct), "element", first, struct)
        case c_ast.ArrayRef():
            base = _steady(ctx, access(ctx, node.name), node.subscript)
            return element(ctx, node, base, evaluation.index(ctx, node.subscript))
        case c_ast.StructRef():
            base = access(ctx, node.name)
            if node.type == "->":
                base = element(ctx, node, base, _ZERO)
            return field(ctx, node, base)
        case c_ast.UnaryOp(op="*"):
            return pointed(ctx, node.expr)
        case c_ast.UnaryOp(op="&") | c_ast.BinaryOp(op="+" | "-"):
            return pointer(ctx, node)
        case _:
            raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))


def pointed(ctx: Context, node: c_ast.Node) -> Access:
    """Return what a pointer to a struct points to: `*p`, `*(p + i)`, `*&v`."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        return access(ctx, node.expr)
    return element(ctx, node, access(ctx, node), _ZERO)


def pointer(ctx: Context, node: c_ast.Node) -> Access:
    """Resolve a pointer to a struct: `&v`, `bodies + i`, an array."""
    match node:
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=array, subscript=subscript)):
            base = _steady(ctx, pointer(ctx, array), subscript)
            return shifted(ctx, node, base, "+", evaluation.index(ctx, subscript))
        case c_ast.UnaryOp(op="&", expr=c_ast.UnaryOp(op="*", expr=inner)):
            return pointer(ctx, inner)
        case c_ast.UnaryOp(op="&", expr=inner):
            base = access(ctx, inner)
            if not isinstance(base.type, Struct) or base.type.extents:
                raise ctx.reject(Code.ADDRESS_OF, node, name=ctx.unit.written.text(inner))
            return replace(base, type=Pointer(base.type), points="single")
        case c_ast.BinaryOp(op="+" | "-" as op, left=left, right=right) if named(ctx, left):
            if clash := ctx.touched(left).clashes(ctx.touched(right)):
                raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=min(clash))
            base = pointer(ctx, left)
            return shifted(ctx, node, base, op, evaluation.index(ctx, right), far=isinstance(left, c_ast.ID))
        case _ if named(ctx, node):
            base = access(ctx, node)
            if base.points:
                return base
            first = element(ctx, node, base, _ZERO)
            if not isinstance(first.type, Struct) or first.type.extents:
                raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
            return replace(first, type=Pointer(first.type), points="element")
        case _:
            raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))


def shifted(ctx: Context, node: c_ast.Node, at: Access, op: str, by: Expr, *, far: bool = False) -> Access:
    """Return the pointer `by` structs away."""
    if at.points == "single":
        if isinstance(by, Const) and by.value == 0:
            return at
        raise ctx.reject(Code.POINTER_BEYOND, node, name=at.whole.name)
    return replace(at, index=(*at.index[:-1], pointer_offsets.sum_of(op, at.index[-1], by, far=far)))


def _variable(ctx: Context, node: c_ast.ID) -> Access:
    match ctx.lookup(node.name):
        case Sym() as sym:
            return Access(sym, (), (), sym.type)
        case Referred(access=meant):
            return meant
        case Poisoned():
            raise Rejected
        case Bound(type=type):
            raise ctx.type_error(
                node, f"`{node.name}` is not a variable here", f"it is a value of type {types.spell(type)}"
            )
        case _:
            raise AssertionError(node.name)


def _steady(ctx: Context, base: Access, later: c_ast.Node) -> Access:
    """Save the indices of an access that evaluating what comes later changes."""
    if later not in ctx.expression.survey:
        return base
    written = ctx.touched(later).writes

    def steady(index: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(ctx.keep(i) if evaluation.stale(i, written) else i for i in index)

    first = base.base
    if first is not None:
        first = replace(first, index=steady(first.index))
    return replace(base, index=steady(base.index), base=first)


def _loads(index: Expr) -> bool:
    """Whether an index reads memory."""
    return any(isinstance(part, Place) and part.index for part in ir.walk(index))


def element(ctx: Context, node: c_ast.Node, base: Access, index: Expr) -> Access:
    """Return an element of what an access names."""
    if is_nowhere(base.whole):
        raise ctx.reject(Code.POINTER_VALUE, node, name="nullptr")
    indices = (*base.index, index)
    match base.type:
        case Pointer(target=target) if base.points:
            return replace(shifted(ctx, node, base, "+", index), type=target, points="")
        case Pointer(target=target):
            return replace(base, index=indices, type=target)
        case Struct(extents=(_, *more)) as struct:
            rest = replace(struct, extents=tuple(more), spelled=struct.spelled[1:])
            return replace(base, index=indices, type=rest)
        case Array(inner, (_, *more)) as array:
            left: Type = inner
            if more:
                left = Array(inner, tuple(more), array.spelled[1:])
            return replace(base, index=indices, type=left)
        case type:
            raise ctx.type_error(
                node,
                f"`{ctx.unit.written.text(node)}` is indexed but isn't an array",
                f"it is {types.spell(type)}",
            )


def field(ctx: Context, node: c_ast.StructRef, base: Access) -> Access:
    """Return a field of what an access names."""
    return replace(base, path=(*base.path, node.field.name), type=field_type(ctx, node, base.type))


def field_type(ctx: Context, node: c_ast.StructRef, type: Type) -> Type:
    """Return the type of the field that a node names in a value of that type. Refused if there is none."""
    name = node.field.name
    if isinstance(type, Struct) and not type.extents:
        found = field_of(type, name)
        if found is not None:
            return found
        if _refused(ctx, type):
            raise Rejected
        if name in ctx.unit.overlaid.get(Struct(type.name, type.fields), ()):
            raise ctx.reject(Code.UNION, node)
        known = ", ".join(f.name for f in type.fields) or "none"
        raise ctx.type_error(node, f"`{type.name}` has no field `{name}`", f"it has {known}")
    hint = "; use `->`" if isinstance(type, Pointer) and node.type == "." else ""
    raise ctx.type_error(node, f"`.{name}` of a non-struct", f"this is {types.spell(type)}{hint}")


def _refused(ctx: Context, type: Struct) -> bool:
    """Whether the definition of a struct was refused, which has been reported."""
    instance = ctx.unit.generic is not None and type.name in ctx.unit.generic.arguments
    return not type.fields and type.name not in ctx.unit.classes and not instance


def part(ctx: Context, meant: Access, path: tuple[str, ...] = (), index: tuple[Expr, ...] = ()) -> Place:
    """Return the lvalue of one leaf in what an access names."""
    if meant.base is not None:
        assert meant.struct is not None
        return pointer_offsets.in_struct(
            meant.base, meant.struct, (*meant.path, *path), (*meant.index, *index)
        )
    sym = ctx.part(meant.whole, (*meant.path, *path))
    return _place(sym, (*meant.index, *index))


def _place(sym: Sym, index: tuple[Expr, ...]) -> Place:
    match sym.type:
        case Array() as array:
            return Place(sym, (_ZERO,) if array.single else index, array.element)
        case Pointer(target=Pointer(target=target)) if len(index) > 1:  # `adj_p->w[k]`
            return Place(sym, index, target)
        case Pointer(target=target):
            if sym.storage == "local":  # in a struct that has no value yet
                raise Rejected(diagnose(Code.POINTER_UNSET, sym.span, **meanings.unset(sym.name)))
            return Place(sym, index, target)
        case type:
            return Place(sym, index, type)


def place(ctx: Context, node: c_ast.Node) -> Place:
    """Return the lvalue of the number that a node names."""
    meant = access(ctx, node)
    if isinstance(meant.type, ir.Scalar):
        return part(ctx, meant)
    raise not_a_number(ctx, node, meant.type)


def row(ctx: Context, node: c_ast.Node) -> Place | None:
    """Return the row of an array in a struct that a node names; None if it names no row."""
    if not isinstance(static_access(ctx, node), ir.Array):
        return None
    meant = access(ctx, node)
    if meant.base is not None or not isinstance(meant.type, ir.Array):
        raise not_a_number(ctx, node, meant.type)
    return Place(ctx.part(meant.whole, meant.path), meant.index, meant.type)


def not_a_number(ctx: Context, node: c_ast.Node, type: Type) -> Rejected:
    """Return the refusal of a struct or an array where a number is expected."""
    if isinstance(type, Pointer):
        return ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
    if carrier_words.is_word(type):
        return ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))
    return ctx.type_error(node, f"{types.spell(type)} where a number is expected", "select one of its fields")


def moved(ctx: Context, node: c_ast.Node, name: str, help: str | None = None) -> Rejected:
    """Return the refusal of a pointer to structs that is modified in a way that isn't followed."""
    what = f"the pointer `{name}` to structs, which is modified"
    help = help or "use an index, and point to its element"
    return ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)


def static_access(ctx: Context, node: c_ast.Node) -> Type | None:
    """Return the type of what a node names, without evaluating it; None if it isn't a struct's."""
    match node:
        case c_ast.Cast():
            view = dispatch.viewed(ctx, node)
            return Pointer(view) if view is not None else None
        case c_ast.ID():
            match ctx.lookup(node.name):
                case Sym(type=type) if meanings.is_struct(type):
                    return type
                case Referred(access=meant):
                    return meant.type
                case Bound(type=type):
                    return type
                case _:
                    return None
        case c_ast.ArrayRef():
            return _inner(static_access(ctx, node.name))
        case c_ast.UnaryOp(op="*"):
            return _inner(static_access(ctx, node.expr))
        case c_ast.UnaryOp(op="&"):
            base = static_access(ctx, node.expr)
            return Pointer(base) if isinstance(base, Struct) else None
        case c_ast.BinaryOp(op="+" | "-", left=left):
            base = static_access(ctx, left)
            if isinstance(base, Struct) and base.extents:
                first = _inner(base)
                return Pointer(first) if first is not None else None
            return base if isinstance(base, Pointer) else None
        case c_ast.StructRef():
            outer = static_access(ctx, node.name)
            inner = _inner(outer) if node.type == "->" else outer
            return field_of(inner, node.field.name) if isinstance(inner, Struct) else None
        case _:
            return None


def _inner(type: Type | None) -> Type | None:
    match type:
        case Pointer(target=target):
            return target
        case Struct(extents=(_, *more)) as struct:
            return replace(struct, extents=tuple(more), spelled=struct.spelled[1:])
        case Array(element, (_, *more)):
            return Array(element, tuple(more)) if more else element
        case _:
            return None


def is_access(ctx: Context, node: c_ast.Node) -> bool:
    """Whether a node names a variable or a part of one, rather than the value of a parameter."""
    found = ast_utils.root(node)
    if found is None:
        return at_bottom(ctx, node) is not None
    return named(ctx, node) and not isinstance(ctx.lookup(found.name), Bound)


def at_bottom(ctx: Context, node: c_ast.Node) -> c_ast.Cast | None:
    """Return the cast at the bottom of `((float4 *)x)[i].y`, if it views numbers as vectors."""
    found = ast_utils.bottom(node)
    return found if found is not None and dispatch.viewed(ctx, found) is not None else None


def aim(ctx: Context, whole: Sym, path: tuple[str, ...], to: Expr, span: Span | None) -> None:
    """Bind a pointer in a local struct to an array for good; refuse to rebind it."""
    assert isinstance(to, AddressOf)
    known = ctx.part(whole, path)
    if known is to.place.sym:
        return
    if whole.storage != "local" or known.within is not whole:
        one, two = f"`{known.name}`", f"`{to.place.sym.name}`"
        name = ".".join((whole.name, *path))
        help = f"keep the offset in an int, and index {one} or {two} in an `if`"
        raise Rejected(diagnose(Code.POINTS_TO_TWO, span, name=name, one=one, two=two, help=help))
    ctx.function.parts[whole][path] = to.place.sym
    ctx.aliases.add(whole.name)
