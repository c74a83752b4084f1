"""Lower values of struct types; each consists of the values of its leaves.

`float3 d = make_float3(a, b, c)` declares `d.x`, `d.y` and `d.z`; `pos[i] = d` is an
assignment for each field, as if all were simultaneous. An assignment of a whole struct
remains one statement of the source: its parts share its span.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import prod

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code, Rejected, diagnose
from ....fields import DIM3, VECTORS, Leaf, leaves
from ....ir import (
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
    Whole,
)
from ....source import Span
from ...sema import constant_conditions, default_init, dispatch, evaluation, meanings
from ...sema.meanings import SPECIALS, Access, Bound, LeafKey, Poisoned, Value
from ...sema.methods import Made
from ...sema.scope import Context
from ...syntax import ast_utils
from ...syntax.expressions import Nothing
from ...types import types
from . import carrier_words, pointers, struct_variables, vector_views

MOST = 64
"""How many elements of an array in a struct are copied one by one at most."""


def keys(ctx: Context, node: c_ast.Node, struct: Struct) -> Iterator[tuple[LeafKey, Leaf]]:
    """Yield the keys of the leaves of a struct, or of an array of structs, in order."""
    for leaf in leaves(struct):
        if isinstance(leaf.type, Pointer) and struct.extents + leaf.extents:
            raise no_copy(ctx, node, struct)
        extents = struct.extents + leaf.extents
        if prod(extents) > MOST:
            what = f"a copy of `{struct.name}`, with the array `{leaf.name}` of {prod(extents)} elements"
            raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="copy its elements in a loop")
        for k in range(prod(extents)):
            yield (leaf.path, _unravelled(k, extents)), leaf


def no_copy(ctx: Context, node: c_ast.Node, struct: Struct) -> Exception:
    """Return the refusal of a copy that would make a pointer denote another array."""
    held = next(leaf for leaf in leaves(struct) if isinstance(leaf.type, Pointer))
    what = f"a copy of `{struct.name}`, with the pointer `{held.name}`"
    return ctx.reject(
        Code.NOT_SUPPORTED,
        node,
        what=what,
        help="pass the struct itself, or copy it in its declaration",
    )


def _unravelled(k: int, extents: Sequence[int]) -> tuple[int, ...]:
    index: list[int] = []
    for extent in reversed(extents):
        index.insert(0, k % extent)
        k //= extent
    return tuple(index)


def constants_of(index: Iterable[int]) -> tuple[Expr, ...]:
    """Convert numbers to constant indices."""
    return tuple(Const(i, ir.INT) for i in index)


def position_type(ctx: Context, name: str) -> Struct | None:
    """Return the type of `threadIdx` and similar; None for other names."""
    if name not in SPECIALS or ctx.lookup(name) is not None:
        return None
    return VECTORS["uint3"] if name.endswith("Idx") else DIM3


# ---- values --------------------------------------------------------------------


@dispatch.struct_value.when(c_ast.ID)
def _named(ctx: Context, node: c_ast.ID) -> Value:
    if (position := position_type(ctx, node.name)) is not None:
        return Value(position, {((f.name,), ()): ir.Special(node.name, f.name) for f in position.fields})
    if isinstance(bound := ctx.lookup(node.name), Bound):
        assert isinstance(bound.type, Struct)
        return Value(bound.type, bound.values)
    return _read(ctx, node) or _no_struct(ctx, node)


@dispatch.struct_value.when(c_ast.ArrayRef)
def _element(ctx: Context, node: c_ast.ArrayRef) -> Value:
    return _read(ctx, node) or _no_struct(ctx, node)


@dispatch.struct_value.when(c_ast.StructRef)
def _field(ctx: Context, node: c_ast.StructRef) -> Value:
    return _read(ctx, node) or member(ctx, node)


@dispatch.struct_value.when(c_ast.Cast)
def _cast(ctx: Context, node: c_ast.Cast) -> Value:
    target = dispatch.static(ctx, node)
    if target and _constructs(ctx, node, target):
        return dispatch.initialised(ctx, _listed(node.expr), target)
    if target and dispatch.static(ctx, node.expr) == target:
        return dispatch.struct_value(ctx, node.expr)
    return _no_struct(ctx, node)


@dispatch.struct_value.when(Made)
def _made(ctx: Context, node: Made) -> Value:
    return listed(ctx, c_ast.InitList(node.values, node.coord), node.struct)


@dispatch.struct_value.when(c_ast.ExprList)
def _comma(ctx: Context, node: c_ast.ExprList) -> Value:
    for part in node.exprs[:-1]:
        evaluation.discard(ctx, part)
    return dispatch.struct_value(ctx, node.exprs[-1])


@dispatch.struct_value.otherwise
def _no_struct(ctx: Context, node: c_ast.Node) -> Value:
    """Refuse an expression that isn't a struct."""
    if (cast := ast_utils.bottom(node)) is not None:
        raise ctx.reject(Code.BIT_REINTERPRETATION, cast, text=ctx.unit.written.text(cast))
    named = ctx.lookup(node.name) if isinstance(node, c_ast.ID) else None
    if isinstance(named, Poisoned):
        raise Rejected
    if isinstance(named, Sym):
        title = f"{types.spell(named.type)} where a struct is expected"
        raise ctx.type_error(node, title, "not a struct")
    what = f"the struct that `{ctx.unit.written.text(node)}` makes"
    raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="initialise its fields explicitly")


def _read(ctx: Context, node: c_ast.Node) -> Value | None:
    """Return the value of a variable or of a part of one; None if the node names none."""
    return (
        loaded(ctx, node, struct_variables.access(ctx, node))
        if struct_variables.is_access(ctx, node)
        else None
    )


def loaded(ctx: Context, node: c_ast.Node, meant: Access) -> Value:
    """Return the value of a variable or an element."""
    if not isinstance(meant.type, Struct):
        raise ctx.type_error(node, f"{types.spell(meant.type)} where a struct is expected", "not a struct")
    span = ctx.span(node)
    found: dict[LeafKey, Expr] = {}
    for key, leaf in keys(ctx, node, meant.type):
        if isinstance(leaf.type, Pointer) and ctx.unit.emitted:
            continue  # emitted code copies pointers that it doesn't use
        if isinstance(leaf.type, Pointer) and (meant.index or meant.base is not None):
            raise no_copy(ctx, node, meant.type)
        place = struct_variables.part(ctx, meant, key[0], constants_of(key[1]))
        found[key] = replace(place, span=span)
        if isinstance(leaf.type, Pointer):
            found[key] = vector_views.beginning(place.sym, leaf.type)
    return Value(meant.type, found)


def member(ctx: Context, node: c_ast.StructRef) -> Value:
    """Return a field of a value that is itself a struct."""
    whole = dispatch.struct_value(ctx, node.name)
    type = struct_variables.field_type(ctx, node, whole.type)
    if not isinstance(type, Struct):
        raise struct_variables.not_a_number(ctx, node, type)
    name = node.field.name
    return Value(type, {(path[1:], k): e for (path, k), e in whole.leaves.items() if path[0] == name})


def number(ctx: Context, node: c_ast.StructRef) -> Expr:
    """Return a field of a value that is a number: `cross(a, b).x`."""
    whole = dispatch.struct_value(ctx, node.name)
    type = struct_variables.field_type(ctx, node, whole.type)
    if not isinstance(type, Scalar):
        raise struct_variables.not_a_number(ctx, node, type)
    return whole.leaves[(node.field.name,), ()]


@dispatch.struct_value.when(c_ast.TernaryOp)
def _selected(ctx: Context, node: c_ast.TernaryOp) -> Value:
    if (known := constant_conditions.decided(ctx, node.cond)) is not None:
        return dispatch.struct_value(ctx, node.iftrue if known else node.iffalse)
    cond = evaluation.condition(ctx, node.cond)
    if any(_costs(part) for part in ir.walk(cond)):
        cond = ctx.keep(cond, "chosen")
    with ctx.collecting() as then, ctx.arm():
        first = dispatch.struct_value(ctx, node.iftrue)
    with ctx.collecting() as other, ctx.arm():
        second = dispatch.struct_value(ctx, node.iffalse)
    if first.type != second.type and carrier_words.held(first.type) != carrier_words.held(second.type):
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
    whole = Sym(ctx.fresh("chosen"), first.type, span=span, origin="lowering")
    declare(ctx, whole, None, span)
    target = Access(whole, (), (), whole.type)
    with ctx.collecting() as yes:
        store(ctx, target, first, span)
    with ctx.collecting() as no:
        store(ctx, target, second, span)
    ctx.out.append(ir.If(cond, (*then, *yes), (*other, *no), span=span))
    return loaded(ctx, node, target)


def _costs(part: Expr) -> bool:
    """Whether a part of a condition is too expensive to compute again for each field."""
    real = isinstance(part.type, Scalar) and part.type.is_float
    return real or isinstance(part, ir.Call) or (isinstance(part, Place) and bool(part.index))


def kept(ctx: Context, given: Value, wish: str, span: Span | None) -> Value:
    """Save the current value in a variable."""
    whole = Sym(ctx.fresh(wish), given.type, span=span, origin="lowering")
    declare(ctx, whole, given, span)
    target = Access(whole, (), (), whole.type)
    found: dict[LeafKey, Expr] = {}
    for key, expr in given.leaves.items():
        place = struct_variables.part(ctx, target, key[0], constants_of(key[1]))
        found[key] = expr if isinstance(expr, AddressOf) else place
        ctx.function.kept.add(place.sym)
    return Value(given.type, found)


# ---- declarations and assignments -----------------------------------------------


def declare(ctx: Context, whole: Sym, given: Value | None, span: Span | None) -> None:
    """Append the declarations of a variable's leaves."""
    assert isinstance(whole.type, Struct)
    for leaf in leaves(whole.type):
        sym = ctx.part(whole, leaf.path)
        if isinstance(leaf.type, Pointer):
            if given is not None and (leaf.path, ()) in given.leaves:
                struct_variables.aim(ctx, whole, leaf.path, given.leaves[leaf.path, ()], span)
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
    """Whether a value already is the variable's: its function built the result there."""
    return any(isinstance(e, Place) and e.sym.within is whole for e in given.leaves.values())


def _constructs(ctx: Context, node: c_ast.Cast, target: Struct) -> bool:
    """Whether `T(…)` makes an object from values, not from another object of the type."""
    return isinstance(node.expr, c_ast.InitList) or dispatch.static(ctx, node.expr) != target


def _listed(node: c_ast.Node) -> c_ast.InitList:
    """Return the arguments of `T(…)` as a list."""
    if isinstance(node, c_ast.InitList):
        return node
    return c_ast.InitList([] if isinstance(node, Nothing) else [node], node.coord)


def _converts(ctx: Context, type: Struct) -> bool:
    """Whether a constructor makes an object from another type; a copy constructor doesn't count."""
    name = default_init.constructors(ctx, type)
    return bool(name) and any(
        meanings.takes(d, 1) and d.params[:1] != (type,) for d in ctx.unit.functions[name]
    )


@dispatch.initialised.otherwise
def initialised(ctx: Context, node: c_ast.Node, type: Struct) -> Value:
    """Lower an initialiser to a value."""
    if isinstance(node, c_ast.InitList):
        name = default_init.constructors(ctx, type)
        entries = node.exprs or []
        same = len(entries) == 1 and evaluation.static_or_none(ctx, entries[0]) == type
        if (
            name and not same and (entries or default_init.takes_nothing(ctx, name))
        ):  # else it is the implicit constructor: zeros
            result = dispatch.constructed(ctx, node, name, list(entries))
            assert isinstance(result, Value)
            return result
        return listed(ctx, node, type)
    if _converts(ctx, type) and dispatch.static(ctx, node) is None:
        return dispatch.initialised(ctx, c_ast.InitList([node], node.coord), type)
    found = dispatch.struct_value(ctx, node)
    if type == DIM3 and found.type == VECTORS["uint3"]:  # dim3 has a constructor from uint3
        return replace(found, type=type)
    if replace(found.type, spelled=()) != replace(type, spelled=()):
        raise mismatch(ctx, node, found.type, type)
    return found


def mismatch(ctx: Context, node: c_ast.Node, found: Type, wanted: Type) -> Exception:
    """Return the refusal of a struct where one of another type is expected."""
    if carrier_words.held(found) is not None or carrier_words.held(wanted) is not None:
        return ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))
    title = f"{types.spell(found)} does not convert to {types.spell(wanted)}"
    return ctx.type_error(node, title, f"this is {types.spell(found)}")


def listed(ctx: Context, node: c_ast.InitList, type: Struct) -> Value:
    """Lower a brace list; missing entries get C++'s defaults, inner braces may be omitted."""
    found: dict[LeafKey, Expr] = {}
    entries = list(node.exprs or ())
    for entry in entries:
        if isinstance(entry, c_ast.NamedInitializer):
            raise ctx.reject(
                Code.NOT_SUPPORTED, entry, what="a designated initialiser", help="write the values in order"
            )
    if type.extents or len(entries) != 1 or evaluation.static_or_none(ctx, entries[0]) != type:
        _fill(ctx, entries, type, (), (), found)
    else:
        found.update(dispatch.struct_value(ctx, entries.pop()).leaves)
    if entries:
        raise ctx.type_error(
            entries[0], "more values than fields", f"the rest is too many for {types.spell(type)}"
        )
    ordered: dict[LeafKey, Expr] = {}
    absent = default_init.Absent(ctx, node, type)
    for key, leaf in keys(ctx, node, type):
        if isinstance(leaf.type, Pointer):
            if key in found:
                ordered[key] = found[key]
            elif not ctx.unit.emitted:
                raise ctx.reject(Code.POINTER_UNSET, node, **meanings.unset(leaf.name))
            continue
        ordered[key] = found.get(key) or absent.value(key, leaf)
    return Value(type, ordered)


def _fill(
    ctx: Context,
    entries: list[c_ast.Node],
    type: Type,
    path: tuple[str, ...],
    index: tuple[int, ...],
    found: dict[LeafKey, Expr],
) -> None:
    """Consume the entries that initialise an object of the type."""
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
            if evaluation.static_or_none(ctx, first) == type:
                _before(ctx, first, found)
                for (rest, k), e in dispatch.struct_value(ctx, entries.pop(0)).leaves.items():
                    found[(*path, *rest), (*index, *k)] = e
                return
            if (path or index) and default_init.constructors(ctx, type):
                _before(ctx, first, found)
                for (rest, k), e in dispatch.initialised(ctx, entries.pop(0), type).leaves.items():
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
            found[path, index] = evaluation.converted(ctx, entry, type)
        case Pointer(target=Scalar()) if not index and not isinstance(entries[0], c_ast.InitList):
            at = pointers.converted(ctx, entries[0], type)
            if not vector_views.begins(at):
                raise ctx.reject(Code.POINTER_TO_ELEMENT, entries[0], name=ctx.unit.written.text(entries[0]))
            entries.pop(0)
            found[path, index] = vector_views.beginning(at.sym, type)
        case _:
            raise ctx.reject(Code.POINTER_VALUE, entries[0], name=ctx.unit.written.text(entries[0]))


def _before(ctx: Context, entry: c_ast.Node, found: dict[LeafKey, Expr]) -> None:
    """Save the values that an entry of a list will change: C++ evaluates entries from left to right."""
    if entry in ctx.expression.survey:
        written = ctx.touched(entry).writes
        found |= {key: ctx.keep(e) for key, e in found.items() if evaluation.stale(e, written)}


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


def store(ctx: Context, target: Access, given: Value, span: Span | None) -> Access:
    """Emit the assignments; all values are read before the first of them."""
    written: set[Sym] = set()
    values = {key: e for key, e in given.leaves.items() if not isinstance(e, AddressOf)}
    for (path, _), e in given.leaves.items():
        if isinstance(e, AddressOf):
            if target.index or target.base is not None:
                raise Rejected(diagnose(Code.POINTER_VALUE, span, name=e.place.sym.name))
            struct_variables.aim(ctx, target.whole, (*target.path, *path), e, span)
    targets = {key: struct_variables.part(ctx, target, key[0], constants_of(key[1])) for key in values}
    syms = {place.sym for place in targets.values()}
    if any(_reads(i, syms) for i in target.index):
        index = tuple(ctx.keep(i, f"{target.whole.name}_at") if _reads(i, syms) else i for i in target.index)
        target = replace(target, index=index)
        targets = {key: struct_variables.part(ctx, target, key[0], constants_of(key[1])) for key in values}
    for key, expr in values.items():
        if _reads(expr, written):
            values[key] = ctx.keep(expr)
        written.add(targets[key].sym)
    whole = Whole()
    for key, expr in values.items():
        place = replace(targets[key], span=span)
        ctx.out.append(Assign(place, types.convert(expr, place.type), span=span, part_of=whole))
    return target


def _reads(expr: Expr, syms: set[Sym]) -> bool:
    return any(isinstance(part, Place) and part.sym in syms for part in ir.walk(expr))
