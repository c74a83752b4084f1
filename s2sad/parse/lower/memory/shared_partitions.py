"""Split shared memory that holds numbers of several types into one array for each type.

    __shared__ float part[128];                            __shared__ float part[128];
    int *where = (int *)&part[64];              ->         __shared__ int part_int[128];
    where[t]                                               part_int[64 + t]

C++ requires that a number is read as the type that it was written as, and the emitted file
states it. Then accesses of different types never overlap, so each type may have an array of its
own. What looks like reinterpreting bits is refused: two types that begin at the same offset, an
offset that differs between threads, and a type that nothing is written as.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code, Rejected
from ....fields import size
from ....ir import Array, Binary, Const, Declare, Expr, Place, Pointer, Scalar, Special, Struct, Sym
from ...sema.meanings import Access, Referred
from ...sema.scope import Context
from ...types import types
from . import numbers, pointer_offsets, shared_bytes

_FIRST = Const(0, ir.INT)
_BYTES = (ir.CHAR, ir.SCHAR, ir.UCHAR)


def divided(ctx: Context, sym: Sym) -> list[Sym]:
    """Return the arrays that hold the numbers of other types in the memory of a shared array."""
    if ctx.unit.emitted or sym.storage != "shared" or not isinstance(sym.type, Array):
        return []
    if sym.type.single or len(sym.type.extents) > 1:
        return []
    if sym in ctx.bytes:
        return _beside(ctx, sym, shared_bytes.pointed_at(ctx, sym.name), plain=False)
    plain = not _cast_only(ctx, sym.name)
    if plain and sym.type.element in _BYTES:
        return []
    return _beside(ctx, sym, shared_bytes.pointed_at(ctx, sym.name), plain=plain)


def _cast_only(ctx: Context, name: str) -> bool:
    """Whether a variable is used for nothing but pointers of another type."""

    def used(node: c_ast.Node) -> bool:
        if isinstance(node, c_ast.Cast) and isinstance(node.to_type.type, c_ast.PtrDecl):
            return False
        return (isinstance(node, c_ast.ID) and node.name == name) or any(used(c) for _, c in node.children())

    return ctx.root is not None and not used(ctx.root)


def _beside(ctx: Context, sym: Sym, types_: list[Scalar], *, plain: bool) -> list[Sym]:
    """Make an array for each other type in an array's memory; `plain` if its own type is used, too."""
    assert isinstance(sym.type, Array)
    made: list[Sym] = []
    for other in types_:
        if types.same(other, sym.type.element):
            continue
        count = sym.type.elements * sym.type.element.size // other.size
        author = _begun_once(ctx, sym, other)
        name = author or ctx.fresh(f"{sym.name}_{other.name.strip('_').replace(' ', '_')}")
        type = Array(other, (count,), (str(count),) if count else ())
        one = Sym(name, type, "shared", span=sym.span, within=sym, origin=sym.origin)
        made.append(one)
        if author:
            ctx.function.begun_by[one] = None
    if made:
        ctx.function.regions |= dict.fromkeys((sym, *made), (sym, *made))
        plain = plain or (sym not in ctx.bytes and shared_bytes.is_cast_to(ctx, sym.name, sym.type.element))
        ctx.function.origins[sym] = [(sym, _FIRST)] if plain else []
    return made


def _begun_once(ctx: Context, sym: Sym, other: Scalar) -> str:
    """Return the only pointer that is initialised with a type in dynamic shared memory, else ""."""
    assert isinstance(sym.type, Array)
    begun = [made for type, made in shared_bytes.casts(ctx, sym.name) if type == other]
    held = [
        t for t, _ in shared_bytes.casts(ctx, sym.name) if isinstance(t, Struct) and numbers.of(t) == other
    ]
    return begun[0] if sym.type.extents == (0,) and len(begun) == 1 and not held else ""


def as_type(ctx: Context, node: c_ast.Node, at: Place, to: Scalar) -> Place | None:
    """Return an lvalue in such memory as a number of another type; None if it is in no such memory."""
    other = next((s for s in ctx.function.regions.get(at.sym, ()) if types.same(element(s), to)), None)
    if other is None or len(at.index) != 1:
        return None
    old = element(at.sym).size
    _begins(ctx, node, other, scaled(at.index[-1], old, 1))
    offset = _FIRST if other in ctx.function.begun_by else scaled(at.index[-1], old, to.size)
    return Place(other, (offset,), element(other))


def of_bytes(ctx: Context, node: c_ast.Node, at: Place, to: Scalar) -> Place | None:
    """Return the number at a byte offset into memory declared as bytes; None if it isn't used as the type."""
    if types.same(at.type, to) and at.sym not in ctx.function.regions:
        return shared_bytes.elements(ctx, node, at)
    other = next((s for s in ctx.function.regions.get(at.sym, ()) if types.same(element(s), to)), None)
    if other is None or len(at.index) != 1:
        return None
    found = shared_bytes.elements(ctx, node, Place(other, at.index, element(other)))
    _begins(ctx, node, other, at.index[-1])
    return replace(found, index=(_FIRST,)) if other in ctx.function.begun_by else found


def _begins(ctx: Context, node: c_ast.Node, other: Sym, bytes: Expr) -> None:
    """Record that a type begins at a byte offset; refused if that looks like reinterpreting bits."""
    begun = ctx.function.origins[ctx.function.regions[other][0]]
    clash = any(
        known == bytes if sym is not other else sym in ctx.function.begun_by and known != bytes
        for sym, known in begun
    )
    first = ctx.function.regions[other][0]
    if clash and first not in ctx.bytes and other is not first and _only_cast(ctx, first.name):
        one, two = element(first).spelled, element(other).spelled
        raise ctx.reject(Code.SHARED_AS_ANOTHER_TYPE, node, name=first.name, one=one, two=two)
    if not _agreed(ctx, bytes) or clash:
        raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))
    begun.append((other, bytes))
    ctx.function.recast.setdefault(other, node)


def _only_cast(ctx: Context, name: str) -> bool:
    """Whether the function names a variable in casts alone, so that it could be declared as bytes."""
    todo: list[c_ast.Node] = [ctx.root] if ctx.root is not None else []
    while todo:
        node = todo.pop()
        if isinstance(node, c_ast.ID) and node.name == name:
            return False
        todo += [n for _, n in node.children() if not (isinstance(node, c_ast.Cast) and n is node.expr)]
        if isinstance(node, c_ast.Cast) and not isinstance(node.expr, c_ast.ID):
            todo.append(node.expr)
    return ctx.root is not None


def _agreed(ctx: Context, bytes: Expr) -> bool:
    """Whether an offset is uniform over the launch, by its form."""
    for part in ir.walk(bytes):
        match part:
            case Special(name="threadIdx" | "blockIdx"):
                return False
            case Place(index=index, sym=sym) if index or sym.storage != "parameter":
                meant = None if index else _meaning(ctx, sym)
                if meant is None or not _agreed(ctx, meant):
                    return False
            case _:
                pass
    return True


def _meaning(ctx: Context, sym: Sym) -> Expr | None:
    """Return the value of a variable of this block; None if anything else may write to it."""
    if sym in ctx.meant:
        return ctx.meant[sym]
    before = ir.statements(tuple(ctx.out))
    made = [s for s in before if isinstance(s, Declare | ir.Assign) and _target(s) is sym]
    if len(made) != 1 or sym in ctx.referenced or any(sym.name in ctx.touched(n).writes for n in ctx.later):
        return None
    (only,) = made
    init = only.init if isinstance(only, Declare) else None
    return None if isinstance(init, ir.Initialiser) else init


def _target(stmt: Declare | ir.Assign) -> Sym:
    return stmt.sym if isinstance(stmt, Declare) else stmt.target.sym


def unwritten(ctx: Context, body: ir.Body) -> Iterator[Rejected]:
    """Yield refusals of casts to types that nothing in the memory is written as."""
    written: set[Sym] = set()
    for stmt in ir.statements(body):
        held: list[Expr] = []
        match stmt:
            case ir.Assign(target, value):
                written.add(target.sym)
                held = [value]
            case ir.Declare(_, value) if not isinstance(value, ir.Initialiser | None):
                held = [value]
            case ir.Evaluate(call):
                held = [call]
        written |= {e.place.sym for top in held for e in ir.walk(top) if isinstance(e, ir.AddressOf)}
    for sym, node in ctx.function.recast.items():
        if sym not in written:
            yield ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))


def element(sym: Sym) -> Scalar:
    assert isinstance(sym.type, Array)
    return sym.type.element


def scaled(offset: Expr, old: int, new: int) -> Expr:
    """Convert an offset in numbers of one size to numbers of another size, where that is exact."""
    if old == new:
        return offset
    if old % new == 0:
        return pointer_offsets.times(offset, old // new)
    whole = shared_bytes.divided(offset, new // old)
    if whole is not None:
        return whole
    # a number is aligned to its size, so the division is exact
    wide = pointer_offsets.wide(offset)
    return Binary("/", wide, Const(new // old, ir.LONG), ir.LONG)


# ---- arrays of structs -------------------------------------------------------------


def of_structs(ctx: Context, node: c_ast.Decl, struct: Struct) -> bool:
    """Declare a shared array of structs as an array of the numbers in them; return whether it does.

    Dynamic shared memory always needs it; a static array, if pointers into it are cast.
    """
    one = replace(struct, extents=(), spelled=())
    number = numbers.of(one)
    if ctx.unit.emitted or number is None or len(struct.extents) != 1:
        return False
    casts = shared_bytes.pointed_at(ctx, node.name)
    if struct.extents == (0,):
        array = Array(number, (0,))
    elif casts:
        count = struct.extents[0] * (size(one) // number.size)
        array = Array(number, (count,), (str(count),))
    else:
        return False
    sym = Sym(node.name, array, "shared", span=ctx.span(node), origin="author")
    others = _beside(ctx, sym, casts, plain=True)
    ctx.declare(sym, node)
    ctx.out += [Declare(part, span=ctx.span(node)) for part in (sym, *others)]
    begin = Place(sym, (_FIRST,), number)
    meant = Access(sym, (), (_FIRST,), Pointer(one), "element", begin, one)
    ctx.rebind(node.name, Referred(meant))
    return True
