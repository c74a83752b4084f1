"""Values of struct types: made, copied, passed on; each is the values of its leaves.

`float3 d = make_float3(a, b, c)` declares `d.x`, `d.y` and `d.z`; `pos[i] = d` is an
assignment for each field, as if all were made at once. What is written for a whole
struct stays one statement of the author's: its parts have its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code, Rejected, diagnose
from ..fields import DIM3, VECTORS, Leaf, leaves
from ..ir import (
    AddressOf,
    Array,
    Assign,
    Const,
    Declare,
    Expr,
    Initialiser,
    Place,
    Pointer,
    Scalar,
    Select,
    Struct,
    Sym,
    Type,
)
from ..source import Span
from . import (
    calls,
    decided,
    defaults,
    halves,
    inlining,
    lower_effects,
    lower_expr,
    pointers,
    types,
    views,
    wholes,
    words,
)
from .angles import TemplateId
from .classids import Member
from .context import Bound, Context, LeafKey, Poisoned
from .methods import Made
from .values import Nothing

MOST = 64
"""How many numbers of arrays in structs are copied one by one."""


@dataclass(frozen=True)
class Value:
    """A value of a struct type: one expression for each leaf and, of arrays in it, for each element."""

    type: Struct
    leaves: Mapping[LeafKey, Expr]


def keys(ctx: Context, node: c_ast.Node, struct: Struct) -> Iterator[tuple[LeafKey, Leaf]]:
    """The keys of the leaves of a struct or an array of such, in order."""
    for leaf in leaves(struct):
        if isinstance(leaf.type, Pointer) and struct.extents + leaf.extents:
            raise no_copy(ctx, node, struct)
        extents = struct.extents + leaf.extents
        if prod(extents) > MOST:
            what = (
                f"a copy of `{struct.name}`, which holds the array `{leaf.name}` of {prod(extents)} elements"
            )
            raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="copy its elements in a loop")
        for k in range(prod(extents)):
            yield (leaf.path, _unravelled(k, extents)), leaf


def no_copy(ctx: Context, node: c_ast.Node, struct: Struct) -> Exception:
    """The refusal of a copy that would let a pointer mean another array."""
    held = next(leaf for leaf in leaves(struct) if isinstance(leaf.type, Pointer))
    what = f"a copy of `{struct.name}`, which holds the pointer `{held.name}`"
    return ctx.reject(
        Code.NOT_SUPPORTED,
        node,
        what=what,
        help="pass the struct on as it is, or copy it where it is declared",
    )


def _unravelled(k: int, extents: Sequence[int]) -> tuple[int, ...]:
    index: list[int] = []
    for extent in reversed(extents):
        index.insert(0, k % extent)
        k //= extent
    return tuple(index)


def _constants(index: Iterable[int]) -> tuple[Expr, ...]:
    return tuple(Const(i, ir.INT) for i in index)


# ---- of what type --------------------------------------------------------------


def static(ctx: Context, node: c_ast.Node) -> Struct | None:
    """The struct type of an expression, with nothing evaluated; None if it is of another type."""
    match node:
        case c_ast.ID(name=name) if (position := _position(ctx, name)) is not None:
            type: Type | None = position
        case c_ast.ID() | c_ast.ArrayRef() | c_ast.UnaryOp(op="*") | c_ast.StructRef() if wholes.named(
            ctx, node
        ):
            type = wholes.static_access(ctx, node)
        case c_ast.StructRef(type="."):
            inner = static(ctx, node.name)
            type = wholes.field_type(ctx, node, inner) if inner is not None else None
        case c_ast.FuncCall() if inlining.is_functor(ctx, node) and (found := inlining.method(ctx, node)):
            type = inlining.chosen(ctx, node, *found).result
        case c_ast.FuncCall(name=c_ast.ID(name=name) | TemplateId(name=name)):
            type = _made(ctx, name, node) or halves.static(ctx, node) or _result(ctx, node)
        case c_ast.FuncCall(name=Member()):
            type = _result(ctx, node)
        case c_ast.FuncCall(name=c_ast.StructRef()) if (found := inlining.method(ctx, node)) is not None:
            type = inlining.chosen(ctx, node, *found).result
        case Made(struct=struct):
            type = struct
        case c_ast.TernaryOp():
            type = static(ctx, node.iftrue)
        case c_ast.Assignment():
            type = static(ctx, node.lvalue)
        case c_ast.ExprList():
            type = static(ctx, node.exprs[-1])
        case c_ast.BinaryOp() | c_ast.UnaryOp():
            device = inlining.operator(ctx, node)
            type = device.result if device is not None else halves.operated(ctx, node)
        case c_ast.Cast():
            type = _cast_type(ctx, node)
        case _:
            type = None
    return type if isinstance(type, Struct) else None


def _position(ctx: Context, name: str) -> Struct | None:
    """The type of `threadIdx` and kin."""
    if name not in lower_expr.SPECIALS or ctx.lookup(name) is not None:
        return None
    return VECTORS["uint3"] if name.endswith("Idx") else DIM3


def _made(ctx: Context, name: str, node: c_ast.FuncCall) -> Struct | None:
    """What `make_float3` makes; the file may have overloads of it for other numbers of arguments."""
    made = VECTORS.get(name.removeprefix("make_")) if name.startswith("make_") else None
    if made is None or name not in ctx.functions:
        return made
    count = len(node.args.exprs) if node.args is not None else 0
    own = any(len(device.params) == count for device in ctx.functions[name])
    return None if own or count != len(made.fields) else made


def _result(ctx: Context, node: c_ast.FuncCall) -> Type | None:
    name = getattr(node.name, "name", "")
    if name in ("__ldg", "__ldcs", "__ldca", "__ldcg", "__ldlu", "__ldcv") and node.args is not None:
        return _loaded(ctx, node.args.exprs[0])
    choices = inlining.devices(ctx, node)
    if not any(isinstance(d.result, Struct) for d in choices):
        return None
    if len({d.result for d in choices}) == 1:
        return choices[0].result
    device = inlining.chosen(ctx, node, list(node.args.exprs) if node.args is not None else [], choices)
    return device.result


def _loaded(ctx: Context, node: c_ast.Node) -> Type | None:
    """The type of what `__ldg(p)` reads."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        return static(ctx, node.expr)
    if not wholes.named(ctx, node):
        return None
    type = wholes.static_access(ctx, node)
    return type.target if isinstance(type, Pointer) else None


def _cast_type(ctx: Context, node: c_ast.Cast) -> Type | None:
    names = getattr(getattr(node.to_type.type, "type", None), "names", None)
    if not isinstance(node.to_type.type, c_ast.TypeDecl) or names is None or len(names) != 1:
        return None
    known = ctx.typedef(names[0])
    return known[0] if known is not None else VECTORS.get(names[0])


# ---- values --------------------------------------------------------------------


def value(ctx: Context, node: c_ast.Node) -> Value:
    """The value of an expression of a struct type; its effects are appended to `ctx.out`."""
    match node:
        case c_ast.ID(name=name) if (position := _position(ctx, name)) is not None:
            return Value(position, {((f.name,), ()): ir.Special(name, f.name) for f in position.fields})
        case c_ast.ID(name=name) if isinstance(bound := ctx.lookup(name), Bound):
            assert isinstance(bound.type, Struct)
            return Value(bound.type, bound.values)
        case c_ast.ID() | c_ast.ArrayRef() | c_ast.UnaryOp(op="*") | c_ast.StructRef() if is_access(
            ctx, node
        ):
            return loaded(ctx, node, wholes.access(ctx, node))
        case c_ast.StructRef():
            return member(ctx, node)
        case c_ast.FuncCall() if inlining.is_functor(ctx, node):
            return _a_struct(ctx, node, inlining.called(ctx, node))
        case c_ast.FuncCall(name=c_ast.ID(name=name)) if made := _made(ctx, name, node):
            return _vector(ctx, node, made)
        case c_ast.FuncCall(name=c_ast.ID()) if halves.static(ctx, node) is not None:
            return halves.value(ctx, node)
        case c_ast.FuncCall(name=c_ast.ID() | TemplateId() | Member()) if inlining.devices(ctx, node):
            return _a_struct(ctx, node, inlining.call(ctx, node))
        case c_ast.FuncCall(name=c_ast.StructRef()):
            return _a_struct(ctx, node, inlining.called(ctx, node))
        case c_ast.FuncCall():
            return loaded(ctx, node, _load(ctx, node.args.exprs[0]))
        case Made(struct=struct, values=values):
            return listed(ctx, c_ast.InitList(values, node.coord), struct)
        case c_ast.Cast() if (target := static(ctx, node)) and _constructs(ctx, node, target):
            return initialised(ctx, _listed(node.expr), target)
        case c_ast.TernaryOp():
            return _selected(ctx, node)
        case c_ast.Assignment():
            return loaded(ctx, node.lvalue, assign(ctx, node))
        case c_ast.ExprList():
            for part in node.exprs[:-1]:
                lower_effects.discard(ctx, part)
            return value(ctx, node.exprs[-1])
        case c_ast.Cast() if (target := static(ctx, node)) and static(ctx, node.expr) == target:
            return value(ctx, node.expr)
        case c_ast.BinaryOp() | c_ast.UnaryOp() if (
            inlining.operator(ctx, node) is None and halves.operated(ctx, node) is not None
        ):
            return halves.operation(ctx, node)
        case c_ast.BinaryOp() | c_ast.UnaryOp():
            result = inlining.operation(ctx, node)
            assert isinstance(result, Value)
            return result
        case _ if (cast := views.bottom(node)) is not None:
            raise ctx.reject(Code.BIT_REINTERPRETATION, cast, text=ctx.written.text(cast))
        case c_ast.ID(name=name) if isinstance(ctx.lookup(name), Poisoned):
            raise Rejected
        case _:
            if isinstance(node, c_ast.ID) and isinstance(named := ctx.lookup(node.name), Sym):
                title = f"{types.spell(named.type)} where a struct is meant"
                raise ctx.type_error(node, title, "this is no struct")
            what = f"the struct that `{ctx.written.text(node)}` makes"
            raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write it with its fields")


def is_access(ctx: Context, node: c_ast.Node) -> bool:
    """Whether a node names a variable or a part of one, and no value of a function's parameter."""
    found = wholes.root(node)
    if found is None:
        return views.at_bottom(ctx, node) is not None
    return wholes.named(ctx, node) and not isinstance(ctx.lookup(found.name), Bound)


def _load(ctx: Context, node: c_ast.Node) -> wholes.Access:
    return wholes.access(ctx, node.expr) if isinstance(node, c_ast.UnaryOp) else wholes.pointed(ctx, node)


def loaded(ctx: Context, node: c_ast.Node, meant: wholes.Access) -> Value:
    """What a variable or an element holds."""
    if not isinstance(meant.type, Struct):
        raise ctx.type_error(node, f"{types.spell(meant.type)} where a struct is meant", "this is no struct")
    span = ctx.span(node)
    found: dict[LeafKey, Expr] = {}
    for key, leaf in keys(ctx, node, meant.type):
        if isinstance(leaf.type, Pointer) and ctx.emitted:
            continue  # what is emitted copies pointers that it doesn't use
        if isinstance(leaf.type, Pointer) and (meant.index or meant.base is not None):
            raise no_copy(ctx, node, meant.type)
        place = wholes.part(ctx, meant, key[0], _constants(key[1]))
        found[key] = replace(place, span=span)
        if isinstance(leaf.type, Pointer):
            found[key] = views.beginning(place.sym, leaf.type)
    return Value(meant.type, found)


def member(ctx: Context, node: c_ast.StructRef) -> Value:
    """A field of a value that is itself a struct."""
    whole = value(ctx, node.name)
    type = wholes.field_type(ctx, node, whole.type)
    if not isinstance(type, Struct):
        raise wholes.not_a_number(ctx, node, type)
    name = node.field.name
    return Value(type, {(path[1:], k): e for (path, k), e in whole.leaves.items() if path[0] == name})


def number(ctx: Context, node: c_ast.StructRef) -> Expr:
    """A field, which is a number, of a value: `cross(a, b).x`."""
    whole = value(ctx, node.name)
    type = wholes.field_type(ctx, node, whole.type)
    if not isinstance(type, Scalar):
        raise wholes.not_a_number(ctx, node, type)
    return whole.leaves[(node.field.name,), ()]


def _vector(ctx: Context, node: c_ast.FuncCall, made: Struct) -> Value:
    args = list(node.args.exprs) if node.args is not None else []
    if len(args) != len(made.fields):
        params = ", ".join(types.spell(f.type) for f in made.fields)
        raise ctx.reject(
            Code.WRONG_ARGUMENTS,
            node,
            name=node.name.name,
            given=f"{len(args)} values",
            known=f"{node.name.name}({params})",
        )
    values = calls.numbers(ctx, node, args)
    return Value(
        made,
        {
            ((field.name,), ()): lower_expr.assignable(ctx, arg, expr, field.type)
            for field, arg, expr in zip(made.fields, args, values, strict=True)
        },
    )


def _selected(ctx: Context, node: c_ast.TernaryOp) -> Value:
    if (known := decided.decided(ctx, node.cond)) is not None:
        return value(ctx, node.iftrue if known else node.iffalse)
    cond = lower_expr.condition(ctx, node.cond)
    if any(_costs(part) for part in ir.walk(cond)):
        cond = ctx.keep(cond, "chosen")
    with ctx.collecting() as then, ctx.arm():
        first = value(ctx, node.iftrue)
    with ctx.collecting() as other, ctx.arm():
        second = value(ctx, node.iffalse)
    if first.type != second.type and words.held(first.type) != words.held(second.type):
        raise mismatch(ctx, node, first.type, second.type)
    if first.type != second.type:
        title = f"`?:` between {types.spell(first.type)} and {types.spell(second.type)}"
        raise ctx.type_error(node, title, "both branches must be of one type")
    span = ctx.span(node)
    if any(isinstance(e, AddressOf) for e in first.leaves.values()):
        raise no_copy(ctx, node, first.type)
    if not then and not other:
        chosen: dict[LeafKey, Expr] = {
            key: Select(cond, e, second.leaves[key], e.type, span=span) for key, e in first.leaves.items()
        }
        return Value(first.type, chosen)
    whole = Sym(ctx.fresh("chosen"), first.type, span=span)
    declare(ctx, whole, None, span)
    target = wholes.Access(whole, (), (), whole.type)
    with ctx.collecting() as yes:
        store(ctx, target, first, span)
    with ctx.collecting() as no:
        store(ctx, target, second, span)
    ctx.out.append(ir.If(cond, (*then, *yes), (*other, *no), span=span))
    return loaded(ctx, node, target)


def _costs(part: Expr) -> bool:
    """Whether a part of a condition isn't to be computed for each field again."""
    real = isinstance(part.type, Scalar) and part.type.is_float
    return real or isinstance(part, ir.Call) or (isinstance(part, Place) and bool(part.index))


def kept(ctx: Context, given: Value, wish: str, span: Span | None) -> Value:
    """The value as it is now, in a variable."""
    whole = Sym(ctx.fresh(wish), given.type, span=span)
    declare(ctx, whole, given, span)
    target = wholes.Access(whole, (), (), whole.type)
    found: dict[LeafKey, Expr] = {}
    for key, expr in given.leaves.items():
        place = wholes.part(ctx, target, key[0], _constants(key[1]))
        found[key] = expr if isinstance(expr, AddressOf) else place
        ctx.kept.add(place.sym)
    return Value(given.type, found)


# ---- declarations and assignments -----------------------------------------------


def declare(ctx: Context, whole: Sym, given: Value | None, span: Span | None) -> None:
    """Append the declarations of a variable's leaves."""
    assert isinstance(whole.type, Struct)
    for leaf in leaves(whole.type):
        sym = ctx.part(whole, leaf.path)
        if isinstance(leaf.type, Pointer):
            if given is not None and (leaf.path, ()) in given.leaves:
                _point(ctx, whole, leaf.path, given.leaves[leaf.path, ()], span)
            continue
        if given is None:
            ctx.out.append(Declare(sym, span=span))
            continue
        values = [e for (path, _), e in given.leaves.items() if path == leaf.path]
        element = sym.type.element if isinstance(sym.type, Array) else sym.type
        converted = [types.convert(e, element) for e in values]
        init = Initialiser(tuple(converted)) if isinstance(sym.type, Array) else converted[0]
        ctx.out.append(Declare(sym, init, span=span))


def is_all_of(given: Value, whole: Sym) -> bool:
    """Whether a value is that of a variable: what its function returned was built there."""
    return any(isinstance(e, Place) and e.sym.within is whole for e in given.leaves.values())


def _point(ctx: Context, whole: Sym, path: tuple[str, ...], to: Expr, span: Span | None) -> None:
    """Let a pointer in a local struct mean an array, for good: another one is refused."""
    assert isinstance(to, AddressOf)
    known = ctx.part(whole, path)
    if known is to.place.sym:
        return
    if whole.storage != "local" or known.within is not whole:
        one, two = f"`{known.name}`", f"`{to.place.sym.name}`"
        name = ".".join((whole.name, *path))
        help = f"keep the offset in an int, and index {one} or {two} in an `if`"
        raise Rejected(diagnose(Code.POINTS_TO_TWO, span, name=name, one=one, two=two, help=help))
    ctx.parts[whole][path] = to.place.sym
    ctx.aliases.add(whole.name)


def aimed(ctx: Context, node: c_ast.Assignment) -> Place:
    """`w.p = buf;`: the pointer in a local struct means that array, from its declaration on and for good."""
    meant = wholes.access(ctx, node.lvalue)
    if meant.index or meant.base is not None or not isinstance(meant.type, Pointer):
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node.lvalue))
    if not isinstance(meant.type.target, Scalar):
        raise ctx.reject(Code.POINTER_VALUE, node.rvalue, name=ctx.written.text(node.rvalue))
    at = pointers.converted(ctx, node.rvalue, meant.type)
    if not views.begins(at):
        raise ctx.reject(Code.POINTER_VALUE, node.rvalue, name=ctx.written.text(node.rvalue))
    _point(ctx, meant.whole, meant.path, views.beginning(at.sym, meant.type), ctx.span(node))
    return at


def _constructs(ctx: Context, node: c_ast.Cast, target: Struct) -> bool:
    """Whether `T(…)` makes an object from values, not from another one."""
    return isinstance(node.expr, c_ast.InitList) or static(ctx, node.expr) != target


def _listed(node: c_ast.Node) -> c_ast.InitList:
    """What stands between the parentheses of `T(…)`."""
    if isinstance(node, c_ast.InitList):
        return node
    return c_ast.InitList([] if isinstance(node, Nothing) else [node], node.coord)


def constructors(ctx: Context, type: Struct) -> str:
    """The name of a class's constructors, "" if it has none."""
    name = f"{type.name}::{type.name}"
    return name if name in ctx.functions and not type.extents else ""


def takes_nothing(ctx: Context, name: str) -> bool:
    """Whether one of these constructors can be called without arguments."""
    return any(inlining.takes(d, 0) for d in ctx.functions[name])


def _converts(ctx: Context, type: Struct) -> bool:
    """Whether a constructor makes an object of something else; one that copies would need one first."""
    name = constructors(ctx, type)
    return bool(name) and any(inlining.takes(d, 1) and d.params[:1] != (type,) for d in ctx.functions[name])


def _a_struct(ctx: Context, node: c_ast.Node, result: Value | Expr) -> Value:
    if isinstance(result, Value):
        return result
    spelled = types.spell(result.type)
    raise ctx.type_error(node, f"{spelled} does not convert to a struct", f"this is {spelled}")


def initialised(ctx: Context, node: c_ast.Node, type: Struct) -> Value:
    """The value of an initialiser."""
    if isinstance(node, c_ast.InitList):
        name = constructors(ctx, type)
        entries = node.exprs or []
        same = len(entries) == 1 and static_or_none(ctx, entries[0]) == type
        if name and not same and (entries or takes_nothing(ctx, name)):  # else that is the compiler's: zeros
            result = inlining.constructed(ctx, node, name, list(entries))
            assert isinstance(result, Value)
            return result
        return listed(ctx, node, type)
    if _converts(ctx, type) and static(ctx, node) is None:
        return initialised(ctx, c_ast.InitList([node], node.coord), type)
    found = value(ctx, node)
    if type == DIM3 and found.type == VECTORS["uint3"]:  # its constructor takes one
        return replace(found, type=type)
    if replace(found.type, spelled=()) != replace(type, spelled=()):
        raise mismatch(ctx, node, found.type, type)
    return found


def mismatch(ctx: Context, node: c_ast.Node, found: Type, wanted: Type) -> Exception:
    if words.held(found) is not None or words.held(wanted) is not None:
        return ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.written.text(node))
    title = f"{types.spell(found)} does not convert to {types.spell(wanted)}"
    return ctx.type_error(node, title, f"this is {types.spell(found)}")


def listed(ctx: Context, node: c_ast.InitList, type: Struct) -> Value:
    """The value of a brace list: what it doesn't mention is as C++ has it, inner braces may be left out."""
    found: dict[LeafKey, Expr] = {}
    entries = list(node.exprs or ())
    for entry in entries:
        if isinstance(entry, c_ast.NamedInitializer):
            raise ctx.reject(
                Code.NOT_SUPPORTED, entry, what="a designated initialiser", help="write the values in order"
            )
    if type.extents or len(entries) != 1 or static_or_none(ctx, entries[0]) != type:
        _fill(ctx, entries, type, (), (), found)
    else:
        found.update(value(ctx, entries.pop()).leaves)
    if entries:
        raise ctx.type_error(
            entries[0], "more values than fields", f"the rest is too many for {types.spell(type)}"
        )
    ordered: dict[LeafKey, Expr] = {}
    absent = defaults.Absent(ctx, node, type)
    for key, leaf in keys(ctx, node, type):
        if isinstance(leaf.type, Pointer):
            if key in found:
                ordered[key] = found[key]
            elif not ctx.emitted:
                raise ctx.reject(Code.POINTER_UNSET, node, name=leaf.name)
            continue
        ordered[key] = found.get(key) or absent.value(key, leaf)
    return Value(type, ordered)


def static_or_none(ctx: Context, node: c_ast.Node) -> Struct | None:
    return None if isinstance(node, c_ast.InitList) else static(ctx, node)


def _fill(
    ctx: Context,
    entries: list[c_ast.Node],
    type: Type,
    path: tuple[str, ...],
    index: tuple[int, ...],
    found: dict[LeafKey, Expr],
) -> None:
    """Take from the entries what an object of the type needs."""
    if not entries:
        return
    match type:
        case Struct(extents=(count, *more)):
            inner: Type = replace(type, extents=tuple(more), spelled=type.spelled[1:])
            _each(ctx, entries, inner, count, path, index, found)
        case Array(element, (count, *more)):
            inner = Array(element, tuple(more)) if more else element
            _each(ctx, entries, inner, count, path, index, found)
        case Struct():
            first = entries[0]
            if static_or_none(ctx, first) == type:
                _before(ctx, first, found)
                for (rest, k), e in value(ctx, entries.pop(0)).leaves.items():
                    found[(*path, *rest), (*index, *k)] = e
                return
            if (path or index) and constructors(ctx, type):
                _before(ctx, first, found)
                for (rest, k), e in initialised(ctx, entries.pop(0), type).leaves.items():
                    found[(*path, *rest), (*index, *k)] = e
                return
            own = entries
            if path or index:
                own = list(first.exprs or ()) if isinstance(first, c_ast.InitList) else entries
                if own is not entries:
                    entries.pop(0)
            for field in type.fields:
                _fill(ctx, own, field.type, (*path, field.name), index, found)
            if own is not entries and own:
                raise ctx.type_error(own[0], "more values than fields", f"too many for {types.spell(type)}")
        case Scalar():
            entry = entries.pop(0)
            if isinstance(entry, c_ast.InitList):
                if not entry.exprs:
                    found[path, index] = Const(types.wrap(0, type), type)
                    return
                if len(entry.exprs) != 1:
                    raise ctx.type_error(entry, "a brace list for one number", "braces don't fit the fields")
                entry = entry.exprs[0]
            _before(ctx, entry, found)
            found[path, index] = lower_expr.converted(ctx, entry, type)
        case Pointer(target=Scalar()) if not index and not isinstance(entries[0], c_ast.InitList):
            at = pointers.converted(ctx, entries[0], type)
            if not views.begins(at):
                raise ctx.reject(Code.POINTER_VALUE, entries[0], name=ctx.written.text(entries[0]))
            entries.pop(0)
            found[path, index] = views.beginning(at.sym, type)
        case _:
            raise ctx.reject(Code.POINTER_VALUE, entries[0], name=ctx.written.text(entries[0]))


def _before(ctx: Context, entry: c_ast.Node, found: dict[LeafKey, Expr]) -> None:
    """Keep what an entry of a list is about to change: C++ runs them from left to right."""
    if entry in ctx.survey:
        written = ctx.touched(entry).writes
        found |= {key: ctx.keep(e) for key, e in found.items() if lower_expr.stale(e, written)}


def _each(
    ctx: Context,
    entries: list[c_ast.Node],
    inner: Type,
    count: int,
    path: tuple[str, ...],
    index: tuple[int, ...],
    found: dict[LeafKey, Expr],
) -> None:
    own = entries
    if (path or index) and isinstance(entries[0], c_ast.InitList):
        own = list(entries.pop(0).exprs or ())
    for k in range(count):
        _fill(ctx, own, inner, path, (*index, k), found)


def assign(ctx: Context, node: c_ast.Assignment) -> wholes.Access:
    """`a = b` of structs: emit an assignment for each leaf; what was assigned to."""
    type = static(ctx, node.lvalue)
    assert type is not None
    if words.is_word(type) and static(ctx, node.rvalue) is None:
        raise wholes.not_a_number(ctx, node.lvalue, type)
    if node.op != "=" and (inlining.operator(ctx, node) is not None or halves.operated(ctx, node) is None):
        return inlining.compound(ctx, node)
    given = halves.operation(ctx, node) if node.op != "=" else initialised(ctx, node.rvalue, type)
    if node.lvalue in ctx.survey:  # the right side runs first
        written = ctx.touched(node.lvalue).writes
        leaves = {k: ctx.keep(e) if lower_expr.stale(e, written) else e for k, e in given.leaves.items()}
        given = Value(given.type, leaves)
    target = wholes.access(ctx, node.lvalue)
    paths = [(*target.path, *path) for path, _ in given.leaves]
    if target.base is not None and target.struct is not None and not _has(target.struct, paths):
        raise ctx.type_error(node, "a struct where another is meant", f"this is {given.type.name}")
    for key in list(given.leaves)[:1]:
        lower_effects.writable(ctx, node.lvalue, wholes.part(ctx, target, key[0], _constants(key[1])))
    return store(ctx, target, given, ctx.span(node))


def _has(struct: Struct, paths: Iterable[tuple[str, ...]]) -> bool:
    return {leaf.path for leaf in leaves(struct)}.issuperset(paths)


def store(ctx: Context, target: wholes.Access, given: Value, span: Span | None) -> wholes.Access:
    """Emit the assignments; the values are those before the first of them."""
    written: set[Sym] = set()
    values = {key: e for key, e in given.leaves.items() if not isinstance(e, AddressOf)}
    for (path, _), e in given.leaves.items():
        if isinstance(e, AddressOf):
            if target.index or target.base is not None:
                raise Rejected(diagnose(Code.POINTER_VALUE, span, name=e.place.sym.name))
            _point(ctx, target.whole, (*target.path, *path), e, span)
    targets = {key: wholes.part(ctx, target, key[0], _constants(key[1])) for key in values}
    syms = {place.sym for place in targets.values()}
    if any(_reads(i, syms) for i in target.index):
        index = tuple(ctx.keep(i, f"{target.whole.name}_at") if _reads(i, syms) else i for i in target.index)
        target = replace(target, index=index)
        targets = {key: wholes.part(ctx, target, key[0], _constants(key[1])) for key in values}
    for key, expr in values.items():
        if _reads(expr, written):
            values[key] = ctx.keep(expr)
        written.add(targets[key].sym)
    for key, expr in values.items():
        place = replace(targets[key], span=span)
        ctx.out.append(Assign(place, types.convert(expr, place.type), span=span))
    return target


def _reads(expr: Expr, syms: set[Sym]) -> bool:
    return any(isinstance(part, Place) and part.sym in syms for part in ir.walk(expr))
