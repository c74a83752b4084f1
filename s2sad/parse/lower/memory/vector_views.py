"""Lower arrays of numbers that are accessed as vectors.

    float4 v = reinterpret_cast<const float4 *>(x)[i];

reads `x[i * 4L]` to `x[i * 4L + 3]`: the numbers are laid out as the vector's fields are, so an
access to a field is an access to the array. So it is known to overlap other accesses to the
array. Casts between pointers that no module here supports are refused.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from pycparser import c_ast

from .... import ir
from ....diagnostics import Rejected
from ....fields import leaves, size
from ....ir import AddressOf, Const, Place, Pointer, Scalar, Struct, Sym
from ...sema import declarators, dispatch
from ...sema.meanings import Access, Alias, Referred
from ...sema.scope import Context
from ...syntax import ast_utils
from ...types import types
from . import carrier_words, pointer_forms, shared_partitions, struct_variables


@dispatch.viewed.when(c_ast.Cast)
def viewed(ctx: Context, node: c_ast.Cast) -> Struct | None:
    """Return the struct of numbers as which a cast reads an array of numbers; None for other casts."""
    if ctx.unit.emitted or not isinstance(node.to_type.type, c_ast.PtrDecl):
        return None
    try:
        to, _ = declarators.type_of(ctx, node.to_type.type)
    except Rejected:
        return None
    if not isinstance(to, Pointer) or not isinstance(to.target, Struct | Scalar):
        return None
    number = _number(ctx, node.expr)
    if number is None:
        return None
    if isinstance(to.target, Scalar):
        copied = not types.same(to.target, number) and carrier_words.copied(ctx, node)
        return carrier_words.noted(ctx, carrier_words.word(to.target, number)) if copied else None
    held = {leaf.type for leaf in leaves(to.target)}
    if to.target.extents:
        return None
    one = next(iter(held)) if len(held) == 1 else None
    if isinstance(one, Scalar) and (types.same(one, number) or apart(ctx, node.expr, one)):
        return to.target if _size(to.target) * one.size == size(to.target) else None
    return carrier_words.noted(ctx, carrier_words.carrying(replace(to.target, spelled=()), number))


def _size(struct: Struct) -> int:
    return sum(prod(leaf.extents) for leaf in leaves(struct))


def _number(ctx: Context, node: c_ast.Node) -> Scalar | None:
    """Return the type of the numbers that a pointer points to, by its form."""
    held = inside(ctx, node)
    if held is not None:
        return held
    if not pointer_forms.is_pointer(ctx, node):
        return None
    while not isinstance(node, c_ast.ID):
        match node:
            case c_ast.ArrayRef(name=inner) | c_ast.UnaryOp(op="*" | "&", expr=inner):
                node = inner
            case c_ast.BinaryOp(left=left, right=right):
                node = left if pointer_forms.is_pointer(ctx, left) else right
            case c_ast.Cast(expr=inner):
                node = inner
            case _:
                return None
    match ctx.lookup(node.name):
        case Sym(type=ir.Array(element=element)):
            return element
        case Sym(type=Pointer(target=target)) | Alias(type=Pointer(target=target)):
            inner = target.element if isinstance(target, ir.Array) else target
            return inner if isinstance(inner, Scalar) else None
        case _:
            return None


def apart(ctx: Context, node: c_ast.Node, number: Scalar) -> bool:
    """Whether a pointer points into memory where numbers of this type have an array of their own."""
    while not isinstance(node, c_ast.ID):
        match node:
            case c_ast.ArrayRef(name=inner) | c_ast.UnaryOp(op="*" | "&", expr=inner):
                node = inner
            case c_ast.BinaryOp(op="+" | "-", left=left, right=right):
                node = right if pointer_forms.is_pointer(ctx, right) else left
            case c_ast.Cast(expr=inner):
                node = inner
            case _:
                return False
    match ctx.lookup(node.name):
        case Sym() as named:
            sym = named
        case Alias(at=Place(sym=named)) | Referred(access=Access(base=Place(sym=named))):
            sym = named
        case _:
            return False
    return any(
        types.same(shared_partitions.element(one), number) for one in ctx.function.regions.get(sym, ())
    )


def inside(ctx: Context, node: c_ast.Node) -> Scalar | None:
    """Return the type of the numbers that a pointer to structs points to, if they are lowered as numbers."""
    if not struct_variables.named(ctx, node) or not isinstance(
        struct_variables.static_access(ctx, node), Pointer
    ):
        return None
    cast = ast_utils.bottom(node)
    if cast is not None:
        struct = dispatch.viewed(ctx, cast)
        return next(leaves(struct)).type if struct is not None else None  # type: ignore[return-value]
    found = ast_utils.root(node)
    match ctx.lookup(found.name) if found is not None else None:
        case Referred(access=Access(base=Place(type=Scalar() as number))):
            return number
        case _:
            return None


def first(ctx: Context, node: c_ast.Node) -> Place:
    """Return the first number that a pointer points to, also one to structs lowered as numbers."""
    if inside(ctx, node) is None:
        return dispatch.pointer(ctx, node)
    meant = struct_variables.pointer(ctx, node)
    assert isinstance(meant.type, Pointer)
    assert isinstance(meant.type.target, Struct)
    leaf = next(leaves(meant.type.target))
    return struct_variables.part(ctx, meant, leaf.path, tuple(Const(0, ir.INT) for _ in leaf.extents))


def begins(at: Place) -> bool:
    """Whether an lvalue is the first number of an array that a pointer in a struct may denote."""
    if not all(isinstance(i, Const) and i.value == 0 for i in at.index) or len(at.index) != 1:
        return False
    match at.sym.type:
        case Pointer(target=Scalar()):
            return at.sym.storage == "parameter"
        case ir.Array(extents=(_,)) as array:
            return not array.single
        case _:
            return False


def beginning(sym: Sym, type: Pointer) -> AddressOf:
    """Return the value of a pointer in a struct: the address of the array's first element."""
    assert isinstance(type.target, Scalar)
    return AddressOf(Place(sym, (Const(0, ir.INT),), type.target), type)
