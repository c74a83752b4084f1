"""Lower aliases of structs that other variables own: pointers and references to them.

    const Body *b = &bodies[j];     b->pos.x  is  bodies[j].pos.x
    float3 &f = force[i];           f.x += …  is  force[i].x += …

Like a pointer to numbers, such a name has no value. It denotes an lvalue, and an index in it
that may change is saved in a constant. It denotes the same lvalue as long as it is in scope;
one that is moved along its array has a variable in its last index.
"""

from __future__ import annotations

import copy
from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code
from ....ir import Place, Struct, Sym, Type
from ...sema import declarators, dispatch, evaluation, meanings
from ...sema.meanings import Access, Bound, Referred
from ...sema.scope import Context
from ...syntax import ast_utils
from ...types import types
from . import carrier_words, glvalues, kept_places, pointer_forms, struct_variables


def type_of(ctx: Context, node: c_ast.Decl, init: c_ast.Node | None) -> ir.Type | None:
    """Return the type of `auto *p = &bodies[j]`; None if it is declared, or points to numbers."""
    declarator = node.type.type if isinstance(node.type, c_ast.PtrDecl) else node.type
    if getattr(getattr(declarator, "type", None), "names", None) != ["auto"]:
        return None
    if init is None or not struct_variables.named(ctx, init):
        return None
    static = _decayed(struct_variables.static_access(ctx, init))
    if not isinstance(static, ir.Pointer) or not isinstance(static.target, Struct):
        return None
    const = pointer_forms.is_const(ctx, init) or "const" in (declarator.quals or ())
    return ir.Pointer(static.target, const=const)


def _decayed(type: Type | None) -> Type | None:
    """Convert an array of structs to a pointer to its first element."""
    if isinstance(type, Struct) and len(type.extents) == 1:
        return ir.Pointer(replace(type, extents=(), spelled=()))
    return type


def pointer(ctx: Context, node: c_ast.Decl, init: c_ast.Node | None, type: ir.Pointer) -> None:
    """Lower `const Body *b = &bodies[j];`: the name denotes what it points to."""
    if init is None:
        raise ctx.reject(Code.POINTER_UNSET, node, **meanings.unset(node.name))
    with ctx.full(init, delay=True):
        const = pointer_forms.is_const(ctx, init)
        # a cast may drop `const` for reading: the object remains const
        if const and not type.const and not pointer_forms.is_cast(ctx, init):
            title = "a pointer to const becomes a pointer to non-const"
            raise ctx.type_error(init, title, f"needs `const {types.spell(type)}`")
        meant = _kept(ctx, node, pointer_of(ctx, init, type))
    named = Referred(meant, type.const or const, span=ctx.span(node))
    if any(node.name in ast_utils.moved(later) for later in ctx.later):
        named = _movable(ctx, node, node.name, named)
    ctx.scopes[-1][node.name] = named


def parameter(ctx: Context, sym: Sym, node: c_ast.Node) -> None:
    """Make an alias of a pointer parameter that the function moves."""
    assert isinstance(sym.type, ir.Pointer)
    meant = struct_variables.pointer(ctx, c_ast.ID(sym.name, node.coord))
    ctx.rebind(sym.name, _movable(ctx, node, sym.name, Referred(meant, sym.type.const, span=sym.span)))


def _movable(ctx: Context, node: c_ast.Node, name: str, named: Referred) -> Referred:
    if named.access.points != "element" or named.access.base is not None:
        raise struct_variables.moved(ctx, node, name)
    return replace(named, lazy=True)


def pointer_of(ctx: Context, node: c_ast.Node, type: ir.Pointer) -> Access:
    """Return what an expression points to, checked against the pointer type."""
    if isinstance(node, c_ast.Cast) and not ast_utils.is_null(node) and not struct_variables.named(ctx, node):
        to, _ = declarators.type_of(ctx, node.to_type.type)
        given = _decayed(struct_variables.static_access(ctx, node.expr))
        if isinstance(to, ir.Pointer) and isinstance(given, ir.Pointer) and _same(to.target, given.target):
            return pointer_of(ctx, node.expr, type)
    elif struct_variables.named(ctx, node):
        meant = struct_variables.pointer(ctx, node)
        assert isinstance(meant.type, ir.Pointer)
        if _same(meant.type.target, type.target) or carrier_words.carries(meant.type.target, type.target):
            return meant
        title = f"`{ctx.unit.written.text(node)}` is not a {types.spell(type)}"
        raise ctx.type_error(node, title, f"this is {types.spell(meant.type)}")
    elif ast_utils.is_null(node):
        raise ctx.reject(Code.POINTER_VALUE, node, name="nullptr")
    elif isinstance(node, c_ast.TernaryOp):
        what = f"the choice between pointers to structs `{ctx.unit.written.text(node)}`"
        raise ctx.reject(
            Code.NOT_SUPPORTED, node, what=what, help="choose an index, and point to its element"
        )
    elif not pointer_forms.is_pointer(ctx, node):
        dispatch.pointer(ctx, node)  # raises the diagnostic
    else:
        title = f"`{ctx.unit.written.text(node)}` is not a {types.spell(type)}"
        raise ctx.type_error(node, title, "has another target type")
    raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))


def refers(ctx: Context, init: c_ast.Node) -> bool:
    """Whether a reference initialised with this refers to a struct that a variable holds."""
    match init:
        case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
            found = ast_utils.root(init)
            viewed = struct_variables.at_bottom(ctx, init) is not None  # `*(float4 *)&x[i]`
            held = viewed or (found is not None and not isinstance(ctx.lookup(found.name), Bound))
            return (
                held
                and struct_variables.named(ctx, init)
                and isinstance(struct_variables.static_access(ctx, init), Struct)
            )
        case _:
            return False


def copied(ctx: Context, node: c_ast.Decl, init: c_ast.Node) -> bool:
    """Declare `const T &q = c ? a : b;` as a copy, where nothing writes to a or b while q is in scope."""
    fixed = "const" in (getattr(node.type.type, "quals", None) or ())
    if not fixed and "&&" in (node.type.quals or ()) and isinstance(init, c_ast.FuncCall | c_ast.Cast):
        fixed = not dispatch.refers(ctx, init)
    if not fixed or evaluation.static_or_none(ctx, init) is None:
        return False
    if glvalues.is_choice(ctx, init) and glvalues.changes_later(ctx, init):
        raise glvalues.refused(ctx, node, name=node.name)
    made = copy.copy(node)
    made.type = copy.copy(node.type.type)
    ctx.unit.written.stands_for(made, node)
    del ctx.scopes[-1][node.name]
    dispatch.statement(ctx, made)
    return True


def reference(ctx: Context, node: c_ast.Decl, init: c_ast.Node) -> None:
    """Lower `float3 &f = force[i];`: the name denotes what it refers to."""
    declarator = node.type.type
    const = "const" in (getattr(declarator, "quals", None) or ())
    auto = getattr(getattr(declarator, "type", None), "names", None) == ["auto"]
    with ctx.full(init):
        if pointer_forms.is_const(ctx, init) and not const:
            if not auto:
                raise ctx.type_error(init, "a reference to a constant", "needs `const`")
            const = True
        meant = struct_variables.access(ctx, init)
        if not auto:
            type, _ = declarators.type_of(ctx, node.type)
            assert isinstance(type, ir.Pointer)
            if not _same(meant.type, type.target) and not carrier_words.carries(meant.type, type.target):
                title = f"{types.spell(meant.type)} is not a {types.spell(type.target)}"
                raise ctx.type_error(init, title, "a reference needs a struct of its own type")
        meant = _kept(ctx, node, meant)
    ctx.scopes[-1][node.name] = Referred(meant, const)


def _same(a: Type, b: Type) -> bool:
    if isinstance(a, Struct) and isinstance(b, Struct):
        return replace(a, spelled=()) == replace(b, spelled=())
    return False


def _kept(ctx: Context, node: c_ast.Decl, meant: Access) -> Access:
    """Return the access with its indices saved; its variable has an alias from here on."""
    if isinstance(meant.whole.type, Struct):
        ctx.referenced.update(ctx.parts_of(meant.whole).values())
    at = kept_places.kept(ctx, node, node.name, Place(meant.whole, meant.index, ir.INT))
    base = kept_places.kept(ctx, node, node.name, meant.base) if meant.base is not None else None
    return replace(meant, index=at.index, base=base)
