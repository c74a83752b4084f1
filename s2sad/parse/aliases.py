"""Declarations of names for places: pointers, references, and parameters of both kinds.

What a name means is kept for as long as it may mean that: an index that something may
change before the block ends goes into a constant, that of a pointer which moves into a
variable of 64 bits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code, Rejected, diagnose
from ..ir import Binary, Cast, Const, Declare, Expr, Place, Scalar, Select, Special, Sym, Unary
from . import (
    declared,
    effects,
    headers,
    inlining,
    lower_expr,
    offsets,
    places,
    pointers,
    presence,
    referring,
    wholes,
)
from .context import Alias, Context, Named

_STEPS = ("++", "--", "p++", "p--")


# ---- declarations -----------------------------------------------------------


def declares(ctx: Context, node: c_ast.Decl) -> bool:
    """Whether a declaration is of a pointer or a reference, which only mean a place."""
    if ctx.emitted:
        return False
    match node.type:
        case c_ast.PtrDecl():
            return True
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=["auto"])) if node.init is not None:
            return pointers.is_pointer(ctx, node.init)
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[name])):
            known = ctx.typedef(name)
            return known is not None and isinstance(known[0], ir.Pointer)
        case _:
            return False


def declare(ctx: Context, node: c_ast.Decl) -> None:
    """Let the name mean a place from here on."""
    ctx.poison(node.name)
    ctx.aliases.add(node.name)
    if is_reference(node):
        _reference(ctx, node)
        return
    words = [*(node.storage or []), *(node.funcspec or []), *(node.quals or [])]
    if "volatile" in words:
        raise ctx.reject(Code.VOLATILE, node, name=node.name)
    type = referring.type_of(ctx, node, _initialiser(node)) or _type(ctx, node)
    if not isinstance(type, ir.Pointer) or isinstance(type.target, ir.Pointer):
        raise ctx.reject(Code.POINTER_VARIABLE, node, name=node.name)
    if any(w in words for w in ("static", "extern", "__shared__", "__device__", "__constant__")):
        raise ctx.reject(Code.POINTER_VARIABLE, node, name=node.name)
    init = _initialiser(node)
    if wholes.is_struct(type.target):
        referring.pointer(ctx, node, init, type)
        return
    del ctx.scopes[-1][node.name]
    at: Place | None = None
    given: Expr | None = None
    if init is not None:
        try:
            with ctx.full(init, delay=True):
                init = presence.followed(ctx, node, init)
                given, init = presence.given(ctx, node, init, type)
                given = given or presence.of_another(ctx, init)
                at = kept(ctx, node, node.name, pointers.converted(ctx, init, type))
        except Rejected:
            ctx.poison(node.name)
            raise
    ctx.declare(Alias(node.name, type, at, lazy=True, span=ctx.span(node), given=given), node)


def _type(ctx: Context, node: c_ast.Decl) -> ir.Type:
    """The type of a pointer variable; that of `auto` is what the initialiser points to."""
    declarator = node.type.type if isinstance(node.type, c_ast.PtrDecl) else node.type
    if getattr(getattr(declarator, "type", None), "names", None) != ["auto"]:
        return declared.type_of(ctx, node.type)[0]
    init = _initialiser(node)
    if init is None:
        raise ctx.reject(Code.NO_AUTO, node)
    taken = set(ctx.taken)
    with ctx.collecting(), ctx.full(init), ctx.arm():
        target = pointers.pointer(ctx, init).type
    ctx.taken = taken
    return ir.Pointer(target, const=pointers.is_const(ctx, init) or "const" in (declarator.quals or ()))


def _initialiser(node: c_ast.Decl) -> c_ast.Node | None:
    """What a pointer points to at first; None if that is nothing."""
    init = node.init
    if isinstance(init, c_ast.InitList):
        init = init.exprs[0] if len(init.exprs or ()) == 1 else None
    return None if init is None or is_null(init) else init


def is_null(node: c_ast.Node) -> bool:
    match node:
        case c_ast.Constant(value="nullptr" | "0") | c_ast.ID(name="NULL"):
            return True
        case c_ast.Cast(expr=inner):
            return is_null(inner)
        case _:
            return False


# ---- references -------------------------------------------------------------


def is_reference(node: c_ast.Node) -> bool:
    return isinstance(node.type, c_ast.PtrDecl) and "&" in (node.type.quals or ())


def _reference(ctx: Context, node: c_ast.Decl) -> None:
    """`T &r = place;`, and `const T &r = value;`, which is a constant of its own."""
    words = [*(node.storage or []), *(node.funcspec or []), *(node.quals or [])]
    if node.init is None or any(w in words for w in ("static", "extern", "volatile", "__shared__")):
        raise ctx.reject(Code.NO_REFERENCES, node, name=f": `{node.name}`")
    init = node.init
    if isinstance(init, c_ast.InitList) and len(init.exprs or ()) == 1:
        init = init.exprs[0]
    if referring.refers(ctx, init):
        referring.reference(ctx, node, init)
        return
    if referring.copied(ctx, node, init):
        return
    del ctx.scopes[-1][node.name]
    try:
        named = _referred(ctx, node, init)
    except Rejected:
        ctx.poison(node.name)
        raise
    ctx.declare(named, node)


def _referred(ctx: Context, node: c_ast.Decl, init: c_ast.Node) -> Alias | Sym:
    auto = getattr(getattr(node.type.type, "type", None), "names", None) == ["auto"]
    type: ir.Type | None = None
    const = "const" in (getattr(node.type.type, "quals", None) or ())
    if not auto:
        type, _ = declared.type_of(ctx, node.type)
        assert isinstance(type, ir.Pointer)
        const = type.const
        type = type.target
    with ctx.full(init):
        if is_place(ctx, init) or inlining.refers(ctx, init):
            ctx.alone = init
            at = places.place(ctx, init, rows=True)
            const = const or (auto and pointers.is_const(ctx, init))
            if pointers.is_const(ctx, init) and not const:
                raise ctx.type_error(init, "a reference to a constant", "needs `const`")
            if type is None or pointers.alike(at.type, type):
                if not at.index:
                    ctx.referenced.add(at.sym)
                at = kept(ctx, node, node.name, replace(at, spelling=None, macro=None))
                return Alias(
                    node.name, ir.Pointer(at.type, const, reference=True), at, True, span=ctx.span(node)
                )
        if not const:
            raise ctx.type_error(init, "a reference to a value", "only a reference to `const` takes one")
        return _constant(ctx, node, init, type)


def _constant(ctx: Context, node: c_ast.Decl, init: c_ast.Node, type: ir.Type | None) -> Sym:
    """The variable that a reference to a value is."""
    value = lower_expr.value(ctx, init)
    type = value.type if type is None else type
    value = lower_expr.assignable(ctx, init, value, type)
    span = headers.through_semicolon(span) if (span := ctx.span(node)) is not None else None
    sym = Sym(node.name, type, span=span, const=True)
    ctx.out.append(Declare(sym, value, span=span))
    return sym


def is_place(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an expression names a variable or an element by its form."""
    match node:
        case c_ast.ID(name=name):
            return isinstance(ctx.lookup(name), Sym | Alias)
        case c_ast.ArrayRef() | c_ast.UnaryOp(op="*"):
            return True
        case c_ast.StructRef():
            return wholes.named(ctx, node)
        case _:
            return False


# ---- parameters -------------------------------------------------------------


def parameter(ctx: Context, sym: Sym, node: c_ast.Node) -> None:
    """A reference parameter, or a pointer parameter that the function moves."""
    if ctx.emitted or not isinstance(sym.type, ir.Pointer):
        return
    if sym.type.reference:
        ctx.aliases.add(sym.name)
        at = Place(sym, (Const(0, ir.INT),), sym.type.target)
        ctx.rebind(sym.name, Alias(sym.name, sym.type, at, True, span=sym.span))
        return
    if sym.name not in ctx.moved:
        return
    ctx.aliases.add(sym.name)
    start = offsets.element(sym, (Const(0, ir.INT),))
    ctx.rebind(sym.name, Alias(sym.name, sym.type, start, lazy=True, span=sym.span))


# ---- pointers that move -----------------------------------------------------


def move(ctx: Context, node: c_ast.Node) -> None:
    """Give variables to the pointers of this block that a statement moves somewhere inside it.

    Of a `for`, that is its first part; `moved_by_loop` does the rest once that has been lowered.
    """
    if isinstance(node, c_ast.For):
        _move(ctx, ctx.scopes[-1], moved(node.init), (node, *ctx.later))
    else:
        _move(ctx, ctx.scopes[-1], moved(node) - {_given(node)}, (node, *ctx.later))


def moved_by_loop(ctx: Context, node: c_ast.For, out: int) -> None:
    """The same for the pointers of the head, and of the block `out` of it."""
    _move(ctx, ctx.scopes[-1 - out], moved(node), (node, *ctx.later))


def _move(ctx: Context, scope: dict[str, Named], names: Collection[str], rest: Sequence[c_ast.Node]) -> None:
    for name, named in list(scope.items()):
        if isinstance(named, Alias) and named.lazy and not named.reference and name in names:
            scope[name] = _moving(ctx, named, rest)


def _moving(ctx: Context, alias: Alias, rest: Sequence[c_ast.Node]) -> Alias:
    """A pointer that moves from here on: its offset is a variable.

    If it is only moved along, that is how far it has come, and where it began stays what it is.
    """
    at = alias.at
    if at is not None and not at.index:
        return replace(alias, lazy=False)
    if (
        at is not None and at.sym.path and not _in_array(at.sym)
    ):  # the next float of a struct is another field
        raise Rejected(diagnose(Code.POINTER_BEYOND, alias.span, name=at.sym.name))
    span = headers.through_semicolon(alias.span) if alias.span is not None else None
    offset = Sym(ctx.fresh(f"{alias.name}_at"), ir.LONG, span=span)
    ctx.offsets.add(offset)
    place = Place(offset, (), ir.LONG)
    init: Expr | None = None
    if at is not None:
        last: Expr = place
        if any(alias.name in _sent(node) for node in rest):
            init = offsets.wide(at.index[-1])
        else:
            init, last = Const(0, ir.LONG), offsets.sum_of("+", at.index[-1], place)
        at = replace(at, index=(*at.index[:-1], last), spelling=None, macro=None)
    ctx.out.append(Declare(offset, init, span=span))
    return replace(alias, at=at, offset=offset, lazy=False)


def _in_array(leaf: Sym) -> bool:
    """Whether a field of a struct is an array itself, whose elements a pointer may go along."""
    kind: ir.Type | None = leaf.within.type if leaf.within is not None else None
    for name in leaf.path:
        while isinstance(kind, ir.Pointer | ir.Array):
            kind = kind.target if isinstance(kind, ir.Pointer) else kind.element
        fields = kind.fields if isinstance(kind, ir.Struct) else ()
        kind = next((f.type for f in fields if f.name == name), None)
    return isinstance(kind, ir.Array)


def _sent(root: c_ast.Node) -> set[str]:
    """The names to which something else is assigned, not only added."""
    found = {root.lvalue.name} if _is_sent(root) else set()
    return found.union(*(_sent(child) for _, child in root.children()))


def _is_sent(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Assignment) and node.op == "=" and isinstance(node.lvalue, c_ast.ID)


def _given(node: c_ast.Node) -> str | None:
    """The name that a statement does nothing but assign to."""
    match node:
        case c_ast.Assignment(lvalue=c_ast.ID(name=name), rvalue=value) if name not in moved(value):
            return str(name)
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--", expr=c_ast.ID(name=name)):
            return str(name)
        case _:
            return None


def moved(root: c_ast.Node | None) -> frozenset[str]:
    """The names that are assigned to as a whole."""
    found: set[str] = set()
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        match node:
            case c_ast.Assignment(lvalue=c_ast.ID(name=name)):
                found.add(name)
            case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=name)) if op in _STEPS:
                found.add(name)
        waiting.extend(child for _, child in node.children())
    return frozenset(found)


# ---- what is kept -----------------------------------------------------------


def kept(
    ctx: Context, node: c_ast.Node, name: str, at: Place, changing: frozenset[str] | None = None
) -> Place:
    """The place with indices that stay what they are as long as the name means it.

    `changing` are the variables that are changed meanwhile, by default in the rest of the block.
    """
    changing = _changing(ctx) if changing is None else changing
    span = ctx.span(node)
    span = headers.through_semicolon(span) if span is not None else None
    index: list[Expr] = []
    for expr in at.index:
        if _stays(ctx, expr, changing) and not offsets.awkward(expr):
            index.append(expr)
            continue
        value = offsets.wide(expr) if offsets.unsigned(expr) else expr
        assert isinstance(value.type, Scalar)
        sym = Sym(ctx.fresh(f"{name}_at"), value.type, span=span, const=True)
        ctx.out.append(Declare(sym, replace(value, spelling=None, macro=None), span=span))
        if _stays(ctx, expr, changing):
            ctx.meant[sym] = value
        index.append(Place(sym, (), sym.type))
    return replace(at, index=tuple(index))


def _changing(ctx: Context) -> frozenset[str]:
    """Names of variables that the rest of the block may change."""
    found: set[str] = set()
    for node in ctx.later:
        found |= ctx.touched(node).writes | _exposed(node)
    return frozenset(found)


def _exposed(root: c_ast.Node) -> set[str]:
    """Variables that may be changed under another name: those whose address or reference is taken."""
    found: set[str] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        match node:
            case c_ast.UnaryOp(op="&", expr=inner):
                found |= _owner(inner)
            case c_ast.Decl(type=c_ast.PtrDecl(quals=quals), init=init) if init and "&" in (quals or ()):
                found |= _owner(init)
        waiting.extend(child for _, child in node.children())
    return found


def _owner(place: c_ast.Node) -> set[str]:
    """The variable that a place is part of."""
    while isinstance(place, c_ast.ArrayRef):
        place = place.name
    return effects.names(place)


def _stays(ctx: Context, expr: Expr, changing: frozenset[str]) -> bool:
    """Whether an index is made of numbers that nothing changes while the pointer is in use."""
    for part in ir.walk(expr):
        match part:
            case Const() | Special() | Unary() | Binary() | Cast() | Select():
                pass
            case Place(sym, ()) if sym.variable not in changing and sym not in ctx.referenced:
                pass
            case _:
                return False
    return True
