"""Lower declarations of aliases: pointers, references, and parameters of both kinds.

An alias keeps its meaning for as long as it is in use: an index that may change before the
block ends is saved in a constant, and the offset of a pointer that moves in a 64-bit
variable.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code, Rejected
from ....ir import Const, Declare, Expr, Place, Pointer, Special, Sym, Unary
from ...sema import declarators, dispatch, evaluation, headers, meanings, null_checks
from ...sema.meanings import Alias
from ...sema.scope import Context
from ...syntax import ast_utils
from . import glvalues, kept_places, pointer_forms, pointer_offsets, pointers, struct_references

# ---- declarations -----------------------------------------------------------


def declares(ctx: Context, node: c_ast.Decl) -> bool:
    """Whether a declaration is of a pointer or a reference, which is an alias."""
    if ctx.unit.emitted:
        return False
    match node.type:
        case c_ast.PtrDecl():
            return True
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=["auto"])) if node.init is not None:
            return pointer_forms.is_pointer(ctx, node.init)
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[name])):
            known = ctx.typedef(name)
            return known is not None and isinstance(known[0], ir.Pointer)
        case _:
            return False


def declare(ctx: Context, node: c_ast.Decl) -> None:
    """Declare the name as an alias of an lvalue."""
    ctx.poison(node.name)
    ctx.aliases.add(node.name)
    if declarators.is_reference(node):
        _reference(ctx, node)
        return
    words = [*(node.storage or []), *(node.funcspec or []), *(node.quals or [])]
    if "volatile" in words:
        raise ctx.reject(Code.VOLATILE, node, name=node.name)
    type = struct_references.type_of(ctx, node, _initialiser(node)) or _type(ctx, node)
    if not isinstance(type, ir.Pointer) or isinstance(type.target, ir.Pointer):
        raise ctx.reject(Code.POINTER_VARIABLE, node, name=node.name)
    if any(w in words for w in ("static", "extern", "__shared__", "__device__", "__constant__")):
        raise ctx.reject(Code.POINTER_VARIABLE, node, name=node.name)
    init = _initialiser(node)
    if meanings.is_struct(type.target):
        struct_references.pointer(ctx, node, init, type)
        return
    del ctx.scopes[-1][node.name]
    at: Place | None = None
    given: Expr | None = None
    if init is not None:
        try:
            with ctx.full(init, delay=True):
                init = null_checks.followed(ctx, node, init)
                given, init = _unless_null(ctx, node, init, type)
                given = given or null_checks.of_another(ctx, init)
                at = kept_places.kept(ctx, node, node.name, pointers.converted(ctx, init, type))
        except Rejected:
            ctx.poison(node.name)
            raise
    if at is not None and isinstance(at.sym.type, ir.Pointer) and len(at.index) == 1 and not at.path:
        ctx.unit.rows.append(ir.Row(node.name, at.sym, at.index[0], ctx.span(node)))
    flag: Sym | None = None
    null = node.init is not None and init is None
    if null and any(null_checks.asked(node.name, later) for later in ctx.later):
        flag = Sym(ctx.fresh(f"has_{node.name}"), ir.BOOL, span=ctx.span(node), origin="lowering")
        ctx.out.append(Declare(flag, Const(False, ir.BOOL, spelling="false"), span=ctx.span(node)))
    ctx.declare(Alias(node.name, type, at, lazy=True, span=ctx.span(node), given=given, flag=flag), node)


def _type(ctx: Context, node: c_ast.Decl) -> ir.Type:
    """Return the type of a pointer variable; for `auto`, from what the initialiser points to."""
    declarator = node.type.type if isinstance(node.type, c_ast.PtrDecl) else node.type
    if getattr(getattr(declarator, "type", None), "names", None) != ["auto"]:
        return declarators.type_of(ctx, node.type)[0]
    init = _initialiser(node)
    if init is None:
        raise ctx.reject(Code.NO_AUTO, node)
    taken = set(ctx.taken)
    with ctx.collecting(), ctx.full(init), ctx.arm():
        target = dispatch.pointer(ctx, init).type
    ctx.taken = taken
    return ir.Pointer(target, const=pointer_forms.is_const(ctx, init) or "const" in (declarator.quals or ()))


def _initialiser(node: c_ast.Decl) -> c_ast.Node | None:
    """Return the initialiser of a pointer; None if there is none or it is null."""
    init = node.init
    if isinstance(init, c_ast.InitList):
        init = init.exprs[0] if len(init.exprs or ()) == 1 else None
    return None if init is None or ast_utils.is_null(init) else init


def _reference(ctx: Context, node: c_ast.Decl) -> None:
    """Lower `T &r = place;`, and `const T &r = value;`, which declares a constant."""
    words = [*(node.storage or []), *(node.funcspec or []), *(node.quals or [])]
    if node.init is None or any(w in words for w in ("static", "extern", "volatile", "__shared__")):
        raise ctx.reject(Code.NO_REFERENCES, node, name=f": `{node.name}`")
    init = node.init
    if isinstance(init, c_ast.InitList) and len(init.exprs or ()) == 1:
        init = init.exprs[0]
    if init is not glvalues.named(init) and glvalues.is_lvalue(ctx, init):
        with ctx.full(init):
            init = glvalues.settled(ctx, init)
    if struct_references.refers(ctx, init):
        struct_references.reference(ctx, node, init)
        return
    if struct_references.copied(ctx, node, init):
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
        type, _ = declarators.type_of(ctx, node.type)
        assert isinstance(type, ir.Pointer)
        const = type.const
        type = type.target
    with ctx.full(init):
        if pointer_forms.is_place(ctx, init) or dispatch.refers(ctx, init):
            ctx.alone = init
            at = dispatch.place(ctx, init, rows=True)
            const = const or (auto and pointer_forms.is_const(ctx, init))
            if pointer_forms.is_const(ctx, init) and not const:
                raise ctx.type_error(init, "a reference to a constant", "needs `const`")
            if type is None or pointer_forms.alike(at.type, type):
                if not at.index:
                    ctx.referenced.add(at.sym)
                at = kept_places.kept(ctx, node, node.name, replace(at, spelling=None, macro=None))
                return Alias(
                    node.name, ir.Pointer(at.type, const, reference=True), at, True, span=ctx.span(node)
                )
        if not const and isinstance(init, c_ast.TernaryOp):
            help = "write its uses in both branches of an `if`"
            raise ctx.reject(Code.NOT_SUPPORTED, init, what="a reference to one of two lvalues", help=help)
        if not const and "&&" in (node.type.quals or ()) and ast_utils.is_value(init):
            return _constant(ctx, node, init, type, const=False)
        if not const and "&&" in (node.type.quals or ()):
            what, help = "`auto &&` bound to the result of an operator", "bind it to a name first"
            raise ctx.reject(Code.NOT_SUPPORTED, init, what=what, help=help)
        if not const:
            raise ctx.type_error(init, "a reference to an rvalue", "only a `const` reference can bind to it")
        if glvalues.is_choice(ctx, init) and glvalues.changes_later(ctx, init):
            raise glvalues.refused(ctx, init, name=node.name)
        return _constant(ctx, node, init, type)


def _constant(
    ctx: Context, node: c_ast.Decl, init: c_ast.Node, type: ir.Type | None, *, const: bool = True
) -> Sym:
    """Declare the variable that a reference to an rvalue is bound to."""
    value = evaluation.value(ctx, init)
    type = value.type if type is None else type
    value = evaluation.assignable(ctx, init, value, type)
    span = headers.through_semicolon(span) if (span := ctx.span(node)) is not None else None
    sym = Sym(node.name, type, span=span, const=const, origin="author")
    ctx.out.append(Declare(sym, value, span=span))
    return sym


# ---- parameters -------------------------------------------------------------


def parameter(ctx: Context, sym: Sym, node: c_ast.Node) -> None:
    """Make an alias of a reference parameter, or of a pointer parameter that the function moves."""
    if ctx.unit.emitted or not isinstance(sym.type, ir.Pointer):
        return
    if sym.type.reference:
        ctx.aliases.add(sym.name)
        at = Place(sym, (Const(0, ir.INT),), sym.type.target)
        ctx.rebind(sym.name, Alias(sym.name, sym.type, at, True, span=sym.span))
        return
    if sym.name not in ctx.moved:
        return
    ctx.aliases.add(sym.name)
    if meanings.is_struct(sym.type.target):
        struct_references.parameter(ctx, sym, node)
        return
    start = pointer_offsets.element(sym, (Const(0, ir.INT),))
    ctx.rebind(sym.name, Alias(sym.name, sym.type, start, lazy=True, span=sym.span))


def _unless_null(
    ctx: Context, node: c_ast.Decl, init: c_ast.Node, type: Pointer
) -> tuple[Expr | None, c_ast.Node]:
    """Return when `float *p = c ? x + i : nullptr;` isn't null, and what it points to then.

    The address must be known without the condition: no index is read from an array that may not exist.
    """
    match init:
        case c_ast.TernaryOp(cond=cond, iftrue=one, iffalse=two) if cond not in ctx.expression.survey:
            if ast_utils.is_null(one) == ast_utils.is_null(two):
                return None, init
            there = two if ast_utils.is_null(one) else one
            taken = set(ctx.taken)
            with ctx.collecting() as out, ctx.arm():
                at = pointers.converted(ctx, there, type)
            ctx.taken.intersection_update(taken)
            if out or any(isinstance(e, Place) and e.index for i in at.index for e in ir.walk(i)):
                return None, init
            found = evaluation.condition(ctx, cond)
            if not all(isinstance(e, Special | Const | Unary) for e in ir.walk(found)):
                found = ctx.keep(found, f"has_{node.name}" if there is one else f"no_{node.name}")
            if there is one:
                return found, there
            double = isinstance(found, Unary) and found.op == "!"
            return found.arg if double else Unary("!", found, ir.BOOL), there  # type: ignore[union-attr]
        case _:
            return None, init
