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
from ..ir import Assign, Binary, Cast, Const, Declare, Expr, Place, Scalar, Select, Special, Sym, Unary
from . import bytewise, declared, effects, headers, lower_effects, lower_expr, offsets, places, types
from .context import Alias, Context, Jumped, Poisoned

_STEPS = ("++", "--", "p++", "p--")


# ---- declarations -----------------------------------------------------------


def declares(ctx: Context, node: c_ast.Decl) -> bool:
    """Whether a declaration is of a pointer that only means a place."""
    if ctx.emitted:
        return False
    match node.type:
        case c_ast.PtrDecl():
            return True
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=["auto"])) if node.init is not None:
            return is_pointer(ctx, node.init)
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[name])):
            known = ctx.typedef(name)
            return known is not None and isinstance(known[0], ir.Pointer)
        case _:
            return False


def declare(ctx: Context, node: c_ast.Decl) -> None:
    """Let the name mean a place from here on."""
    ctx.poison(node.name)
    ctx.aliases.add(node.name)
    type = _type(ctx, node)
    words = [*(node.storage or []), *(node.funcspec or []), *(node.quals or [])]
    if "volatile" in words:
        raise ctx.reject(Code.VOLATILE, node, name=node.name)
    if not isinstance(type, ir.Pointer) or isinstance(type.target, ir.Pointer):
        raise ctx.reject(Code.POINTER_VARIABLE, node, name=node.name)
    if any(w in words for w in ("static", "extern", "__shared__", "__device__", "__constant__")):
        raise ctx.reject(Code.POINTER_VARIABLE, node, name=node.name)
    del ctx.scopes[-1][node.name]
    moves = _moves(ctx, node.name)
    alias = Alias(node.name, type, None, straight=moves == "straight", span=ctx.span(node))
    init = _initialiser(node)
    at: Place | None = None
    if init is not None:
        try:
            with ctx.full(init, delay=True):
                at = converted(ctx, init, type)
                if moves != "walks":
                    at = kept(ctx, node, node.name, at)
                else:
                    alias = _walking(ctx, node, alias, at)
        except Rejected:
            ctx.poison(node.name)
            raise
    elif moves == "walks":
        alias = _walking(ctx, node, alias, None)
    if moves != "walks":
        alias = replace(alias, at=at)
    ctx.declare(alias, node)


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
        target = pointer(ctx, init).type
    ctx.taken = taken
    return ir.Pointer(target, const=is_const(ctx, init) or "const" in (declarator.quals or ()))


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


def parameter(ctx: Context, sym: Sym, node: c_ast.Node) -> None:
    """A pointer parameter that the function moves."""
    if ctx.emitted or not isinstance(sym.type, ir.Pointer) or sym.name not in ctx.moved:
        return
    ctx.aliases.add(sym.name)
    moves = _moves(ctx, sym.name)
    start = Place(sym, (Const(0, ir.INT),), sym.type.target)
    alias = Alias(sym.name, sym.type, start, straight=moves == "straight", span=sym.span)
    if moves == "walks":
        alias = _walking(ctx, node, replace(alias, at=None), start)
    ctx.rebind(sym.name, alias)


def _walking(ctx: Context, node: c_ast.Node, alias: Alias, at: Place | None) -> Alias:
    """A pointer that moves: its offset is a variable."""
    span = headers.through_semicolon(span) if (span := ctx.span(node)) is not None else None
    if at is not None and not at.index:
        return replace(alias, at=at)
    offset = Sym(ctx.fresh(f"{alias.name}_at"), ir.LONG, span=span)
    init: Expr | None = None
    if at is not None:
        init = offsets.wide(at.index[-1])
        at = kept(ctx, node, alias.name, replace(at, index=at.index[:-1]))
        at = replace(at, index=(*at.index, Place(offset, (), ir.LONG)))
    ctx.out.append(Declare(offset, init, span=span))
    return replace(alias, at=at, offset=offset)


def _moves(ctx: Context, name: str) -> str:
    """Whether a pointer is assigned to never, straight on after its declaration, or anywhere."""
    if name not in ctx.moved:
        return "never"
    straight = False
    for node in ctx.later:
        if _given(node) == name:
            straight = True
        elif name in moved(node):
            return "walks"
    return "straight" if straight else "never"


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


def kept(ctx: Context, node: c_ast.Node, name: str, at: Place) -> Place:
    """The place with indices that stay what they are as long as the name means it."""
    changing = _changing(ctx)
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


# ---- what a pointer points to -----------------------------------------------


def is_pointer(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an expression is a pointer by its form."""
    if ctx.emitted:
        return False
    match node:
        case c_ast.ID(name=name):
            match ctx.lookup(name):
                case Alias(reference=reference):
                    return not reference
                case Sym(type=type):
                    return isinstance(type, ir.Pointer | ir.Array) and not _single(type)
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
            return _is_row(ctx, node)
        case _:
            return False


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
        case Alias(type=ir.Pointer(target=ir.Array(extents=extents)), reference=False):
            return depth < len(extents) + 1
        case Alias(at=Place(type=ir.Array(extents=extents)), reference=True):
            return depth < len(extents)
        case _:
            return False


def converted(ctx: Context, node: c_ast.Node, to: ir.Pointer) -> Place:
    """What a pointer points to, as a pointer of the type."""
    at = pointer(ctx, node)
    if not _alike(at.type, to.target):
        if isinstance(at.type, ir.Array) or isinstance(to.target, ir.Array):
            raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))
        raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.written.text(node))
    if is_const(ctx, node) and not to.const:
        raise ctx.type_error(
            node, "a pointer to constants becomes a pointer to variables", f"needs `const {types.spell(to)}`"
        )
    return at


def _alike(a: ir.Type, b: ir.Type) -> bool:
    match a, b:
        case ir.Array(one, m), ir.Array(two, n):
            return types.same(one, two) and m == n
        case _:
            return types.same(a, b)


def is_const(ctx: Context, node: c_ast.Node) -> bool:
    """Whether what an expression names or points to can't be written through it."""
    match node:
        case c_ast.ID(name=name):
            match ctx.lookup(name):
                case Alias(type=type):
                    return type.const
                case Sym(type=ir.Pointer(const=const)):
                    return const
                case Sym(const=const):
                    return const
                case _:
                    return False
        case c_ast.UnaryOp(op="&" | "*" | "++" | "--" | "p++" | "p--", expr=inner):
            return is_const(ctx, inner)
        case c_ast.ArrayRef(name=inner) | c_ast.Assignment(lvalue=inner):
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
        case Sym(type=ir.Pointer(target=target)) as sym:
            return Place(sym, (Const(0, ir.INT),), target)
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
    if not at.index:
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
    outer, ctx.raw = ctx.raw, True
    try:
        at = pointer(ctx, node.expr)
    finally:
        ctx.raw = outer
    if at.sym in ctx.bytes and types.same(at.type, to.target) and not outer:
        return bytewise.elements(ctx, node, at)
    if not _alike(at.type, to.target):
        raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.written.text(node))
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
        raise ctx.reject(
            Code.POINTS_TO_TWO, node, name=name, one=f"`{one.sym.name}`", two=f"`{two.sym.name}`"
        )
    if one.index[:-1] != two.index[:-1] or len(one.index) != len(two.index):
        rows = f"a row of `{one.sym.name}`"
        raise ctx.reject(Code.POINTS_TO_TWO, node, name=name, one=rows, two="another row")


# ---- pointers that move -----------------------------------------------------


def assign(ctx: Context, node: c_ast.Assignment) -> Place:
    """`p = q`, `p += n`, `p -= n`; what it points to then."""
    alias = _moving(ctx, node.lvalue)
    if node.op == "=":
        if is_null(node.rvalue):
            raise ctx.reject(Code.POINTER_VALUE, node.rvalue, name="nullptr")
        return _move(ctx, node, alias, converted(ctx, node.rvalue, alias.type))
    if node.op not in ("+=", "-=") or alias.at is None:
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))
    by = places.index(ctx, node.rvalue)
    if alias.offset is None or alias.straight:
        return _move(ctx, node, alias, shifted(ctx, node, alias.at, node.op[0], by, far=True))
    target = Place(alias.offset, (), ir.LONG, span=ctx.span(node.lvalue))
    ctx.out.append(Assign(target, offsets.wide(by), node.op, span=ctx.span(node)))
    return alias.at


def _moving(ctx: Context, node: c_ast.Node) -> Alias:
    named = ctx.lookup(node.name) if isinstance(node, c_ast.ID) else None
    match named:
        case Alias(reference=False):
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
    if alias.straight:
        to = kept(ctx, node, alias.name, to)
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
        raise ctx.reject(
            Code.POINTS_TO_TWO, node, name=alias.name, one=f"`{at.sym.name}`", two=f"`{to.sym.name}`"
        )
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
    if alias.offset is None or alias.straight:
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
    return replace(alias.at, index=(*alias.at.index[:-1], was))


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
        if is_null(side) or not is_pointer(ctx, side):
            raise ctx.reject(Code.POINTER_VALUE, node, name=ctx.written.text(node))
    clash = ctx.touched(node.left).clashes(ctx.touched(node.right))
    if clash:
        raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=min(clash))
    one, two = pointer(ctx, node.left), pointer(ctx, node.right)
    if one.sym is not two.sym or not one.index or one.index[:-1] != two.index[:-1]:
        raise ctx.reject(Code.POINTER_VALUE, node, name=ctx.written.text(node))
    a, b = one.index[-1], two.index[-1]
    if node.op == "-":
        return offsets.sum_of("-", offsets.wide(a), offsets.wide(b))
    a, b = offsets.meeting(a, b)
    return Binary(node.op, a, b, ir.BOOL)
