"""Lower arrays of structs that a kernel also accesses as the numbers in them.

    __global__ void k(const float2 *z, ...)
        const float *part = (const float *)z;       part[j]  is number j of z, and z[i].y is number 2 * i + 1

After the front end and up to the emitter such a parameter is an array of numbers, so that
accesses to an element, as a number or as a field, are known to overlap. That is exact if a
struct consists of floating-point numbers of one type, without padding.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....diagnostics import Rejected
from ....fields import leaves, size
from ....ir import Const, Place, Pointer, Scalar, Struct, Sym
from ...sema import declarators
from ...sema.meanings import Access, Referred
from ...sema.scope import Context
from ...syntax import ast_utils
from ...types import types

_FIRST = Const(0, ir.INT)


def of(struct: Struct) -> Scalar | None:
    """Return the type of the numbers that a struct consists of; None if it holds anything else."""
    held = [leaf.type for leaf in leaves(struct)]
    number = held[0] if held else None
    if not isinstance(number, Scalar) or not all(types.same(number, other) for other in held):
        return None
    return number if size(struct) == _count(struct) * number.size and number.is_float else None


def _count(struct: Struct) -> int:
    return size(struct) // max(size(leaf.type) for leaf in leaves(struct))


def parameter(ctx: Context, sym: Sym, body: c_ast.Node) -> Sym | None:
    """Return the array of numbers that replaces a parameter; None if the kernel casts it to no other type."""
    struct = sym.type.target if isinstance(sym.type, Pointer) else None
    if ctx.unit.emitted or not isinstance(struct, Struct) or not isinstance(sym.type, Pointer):
        return None
    number = of(struct)
    if number is None or not _recast(ctx, sym.name, struct, number, body):
        return None
    numbers = replace(sym, type=replace(sym.type, target=number), within=sym)
    begin = Place(numbers, (_FIRST,), number)
    meant = Access(numbers, (), (_FIRST,), Pointer(struct), "element", begin, struct)
    ctx.rebind(sym.name, Referred(meant, sym.type.const))
    return numbers


def _recast(ctx: Context, name: str, struct: Struct, number: Scalar, body: c_ast.Node) -> bool:
    """Whether a function casts a pointer to a pointer to numbers, or to other structs of them."""
    same: set[str] = {name}  # the pointers that may point into the array
    casts: list[tuple[Pointer, frozenset[str]]] = []

    def visit(node: c_ast.Node) -> None:
        match node:
            case c_ast.Decl(type=c_ast.PtrDecl(), init=c_ast.Node() as init, name=str() as made):
                if ast_utils.names(init) & same:
                    same.add(made)
            case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl() as wanted)):
                to = _pointer(ctx, wanted)
                if to is not None:
                    casts.append((to, frozenset(ast_utils.names(node.expr))))
        for _, child in node.children():
            visit(child)

    visit(body)
    return any(_other(to, struct, number) for to, names in casts if names & same)


def _pointer(ctx: Context, node: c_ast.Node) -> Pointer | None:
    try:
        to, _ = declarators.type_of(ctx, node)
    except Rejected:
        return None
    return to if isinstance(to, Pointer) else None


def _other(to: Pointer, struct: Struct, number: Scalar) -> bool:
    match to.target:
        case Scalar() as target:
            return types.same(target, number)
        case Struct() as target:
            held = of(target)
            other = replace(target, spelled=()) != replace(struct, spelled=())
            return other and held is not None and types.same(held, number)
        case _:
            return False


def emitted(ctx: Context, node: c_ast.Node) -> Place | None:
    """Return the array of structs that emitted code reads as numbers: `(float *)z`."""
    named = ctx.lookup(node.name) if ctx.unit.emitted and isinstance(node, c_ast.ID) else None
    match named:
        case Sym(type=Pointer(target=Struct() as struct)):
            part = ctx.part(named, next(leaves(struct)).path)
            return Place(part, (), part.type)
        case _:
            return None
