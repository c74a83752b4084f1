"""Lower declarations of local variables, their initialisers, typedefs and enumerations."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected
from ...ir import Const, Declare, Expr, Initialiser, Scalar, Struct, Sym, Type
from ..sema import auto_types, declarators, default_init, dispatch, evaluation, headers
from ..sema.dispatch import runs
from ..sema.meanings import Alias, Poisoned
from ..sema.scope import Context
from ..syntax import ast_utils
from ..syntax.ast_utils import Unpacked, Whole
from ..syntax.classes import Class, titled
from ..types import types
from .memory import (
    aliases,
    shared_bytes,
    shared_partitions,
    struct_values,
    struct_variables,
    tape_regions,
    word_variables,
)

_SHARED = ("__shared__",)


@runs(c_ast.Decl)
def local(ctx: Context, node: c_ast.Decl) -> None:
    """Declare a local variable and append its declaration statement."""
    if isinstance(node.type, c_ast.FuncDecl):
        raise ctx.reject(
            Code.NOT_SUPPORTED, node, what="a function declared in a function", help="declare it outside"
        )
    if node.name is None:
        declarators.type_of(ctx, node.type)  # an enumeration, or a struct
        return
    if tape_regions.declare(ctx, node):
        return
    try:
        names_a_place = aliases.declares(ctx, node)
    except Rejected:
        ctx.poison(node.name)
        raise
    if names_a_place:
        aliases.declare(ctx, node)
        return
    begun = ctx.function.begun.pop(node, None)
    node = _thread_s_own(ctx, node)
    try:
        if _of_structs(ctx, node) or word_variables.declare(ctx, node):
            return
        sym = _symbol(ctx, node)
    except Rejected:
        ctx.poison(node.name)
        raise
    if begun is not None and begun.type == sym.type and sym.storage == "local" and not sym.const:
        sym = begun
    ctx.declare(sym, node, node.name)
    if isinstance(sym.type, Struct):
        try:
            _struct(ctx, node, sym)
        except Rejected:
            ctx.poison(node.name)
            raise
    else:
        initialise(ctx, node, sym)
        ctx.out += [Declare(other, span=ctx.span(node)) for other in shared_partitions.divided(ctx, sym)]


@runs(c_ast.DeclList)
def _several(ctx: Context, node: c_ast.DeclList) -> None:
    for k, declaration in enumerate(node.decls):
        try:
            dispatch.statement(ctx, declaration)
        except Rejected:
            for later in node.decls[k:]:
                ctx.poison(later.name)
            raise


@runs(Whole)
def _whole(ctx: Context, node: Whole) -> None:
    """Lower `auto name = e;` of `auto [a, b] = e;`; for an array each name gets a copy of its element."""
    extent = _elements(ctx, node.init)
    if node.forwarded and (not ast_utils.is_value(node.init) or dispatch.refers(ctx, node.init)):
        ctx.poison(node.name)
        what, help = "`auto &&` bound to the result of a call or an operator", "bind it to a name first"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)
    ctx.function.copied.pop(node.name, None)
    if extent is None or declarators.is_reference(node):
        local(ctx, node)
        return
    if ast_utils.names(node.init) & {*node.names}:
        ctx.poison(node.name)
        what = "a structured binding named like its array"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="give it another name")
    ctx.function.copied[node.name] = node.init


def _elements(ctx: Context, node: c_ast.Node) -> int | None:
    """Return how many elements a name or an lvalue has if it is an array, else None."""
    if not isinstance(node, c_ast.ID | c_ast.StructRef):
        return None
    if struct_variables.named(ctx, node):
        type: Type | None = struct_variables.static_access(ctx, node)
    else:
        named = ctx.lookup(node.name) if isinstance(node, c_ast.ID) else None
        if isinstance(named, Alias) and named.reference and named.at is not None:
            type = named.at.type
        else:
            type = named.type if isinstance(named, Sym) else None
    if isinstance(type, ir.Array | Struct) and type.extents and not getattr(type, "single", False):
        return type.extents[0]
    return None


@runs(Unpacked)
def _unpacked(ctx: Context, node: Unpacked) -> None:
    """Lower `auto &a = name.first;`, a field of a struct or an element of an array."""
    made, whole = copy.copy(node), node.init.name
    if isinstance(ctx.lookup(whole.name), Poisoned):
        ctx.poison(node.name)
        raise Rejected
    source = ctx.function.copied.get(whole.name)
    if source is not None:  # `auto a = q[0];`
        made.init = copy.copy(node.init)
        made.init.name = source
        made.type = node.type.type
        extent = _elements(ctx, source)
    else:
        extent = _elements(ctx, whole)
        struct = dispatch.static(ctx, whole) if extent is None else None
        if extent is None and struct is not None:
            extent = len(struct.fields)
            if node.at < extent:
                field = c_ast.ID(struct.fields[node.at].name, node.coord)
                made.init = c_ast.StructRef(whole, ".", field, node.coord)
    if extent is None:
        ctx.poison(node.name)
        if node.at:
            raise Rejected
        what = "a structured binding to something other than a struct or an array of known length"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="declare a variable for each part")
    if extent != node.count:
        ctx.poison(node.name)
        if node.at:
            raise Rejected
        title = f"{node.count} names for {extent} parts"
        raise ctx.type_error(node, title, "the numbers must be equal")
    for part, origin in ((made, node), (made.init, node.init)):
        ctx.unit.written.stands_for(part, origin)
    local(ctx, made)


def _of_structs(ctx: Context, node: c_ast.Decl) -> bool:
    """Declare a shared array of structs as an array of the numbers in them, where that is necessary."""
    words = [*(node.storage or []), *(node.funcspec or []), *(node.quals or [])]
    if (
        ctx.unit.emitted
        or "volatile" in words
        or not any(w in _SHARED for w in words)
        or node.init is not None
    ):
        return False
    type, _ = declarators.type_of(ctx, node.type)
    if not isinstance(type, Struct) or ("extern" in words) != (0 in type.extents):
        return False
    if "extern" in words:
        _only(ctx, node)
    return shared_partitions.of_structs(ctx, node, type)


def _thread_s_own(ctx: Context, node: c_ast.Decl) -> c_ast.Decl:
    """Drop `volatile` from the declaration of a thread's own variable: no other thread can change it."""
    if node.storage or "volatile" not in (node.quals or ()) or not isinstance(node.type, c_ast.TypeDecl):
        return node
    made = copy.copy(node)
    made.type = copy.copy(node.type)
    for part in (made, made.type):
        part.quals = [word for word in part.quals or () if word != "volatile"]
    ctx.unit.written.stands_for(made, node)
    return made


def _struct(ctx: Context, node: c_ast.Decl, sym: Sym) -> None:
    """Append the declarations of a variable of a struct type."""
    assert isinstance(sym.type, Struct)
    span = ctx.span(node)
    span = headers.through_semicolon(span) if span is not None else None
    if node.init is None:
        if default_init.begins(ctx, sym.type) and sym.storage == "local":
            with ctx.full(node):
                given = dispatch.initialised(ctx, c_ast.InitList([], node.coord), sym.type)
                struct_values.declare(ctx, sym, given, span)
            return
        if sym.const and sym.storage == "local" and sym.type.fields:  # a functor has no value
            raise ctx.type_error(node, f"`{sym.name}` is const and has no value", "needs an initialiser")
        struct_values.declare(ctx, sym, None, span)
        return
    with ctx.full(node.init):
        ctx.alone = node.init
        with ctx.beginning(node.init, None if sym.const else sym):
            given = dispatch.initialised(ctx, node.init, sym.type)
        if not struct_values.is_all_of(given, sym):
            struct_values.declare(ctx, sym, given, span)


def _symbol(ctx: Context, node: c_ast.Decl) -> Sym:
    type, const = auto_types.auto(ctx, node) or declarators.type_of(ctx, node.type)
    words = [*(node.storage or []), *(node.funcspec or []), *(node.quals or [])]
    const = const or "constexpr" in words
    storage = _storage(ctx, node, words, fixed=const and node.init is not None)
    written = type.element if isinstance(type, ir.Array) else type
    if storage == "shared" and "extern" in words:
        type = _dynamic(ctx, node, type)
    else:
        type = complete(ctx, node, type)
    if isinstance(type, ir.Pointer) and (not ctx.unit.emitted or isinstance(type.target, Struct)):
        raise ctx.reject(Code.POINTER_VARIABLE, node, name=node.name)
    if type == ir.VOID:
        raise ctx.type_error(node, f"`{node.name}` is void", "a variable can't be void")
    if storage == "shared" and isinstance(type, Scalar):
        type = ir.Array(type, (1,), ("",))  # one for all threads: it is accessed as an element
    owner = ctx.unit.classes.get(type.name) if isinstance(type, Struct) else None
    if isinstance(owner, Class) and owner.mutable:
        const = False  # the emitted struct has no mutable fields
    sym = Sym(
        node.name,
        type,
        storage,
        span=ctx.span(node),
        const=const,
        origin="author",
        otherwise=ctx.otherwise(node.name),
    )
    if isinstance(type, ir.Array) and type.open and type.element != written:
        ctx.bytes.add(sym)
    return sym


def _storage(ctx: Context, node: c_ast.Decl, words: Sequence[str], *, fixed: bool) -> ir.Storage:
    if "volatile" in words:
        raise ctx.reject(Code.VOLATILE, node, name=node.name)
    if any(w in _SHARED for w in words):
        if node.init is not None:
            raise ctx.type_error(node, f"`{node.name}` has an initialiser", "shared memory can't have one")
        return "shared"
    if "static" in words and not fixed:
        raise ctx.reject(Code.STATIC_LOCAL, node, name=node.name)
    if "extern" in words or any(w in ("__device__", "__managed__", "__constant__") for w in words):
        raise ctx.reject(
            Code.FILE_VARIABLE, node, name=node.name, why="declared in a function, defined elsewhere"
        )
    return "local"


def _dynamic(ctx: Context, node: c_ast.Decl, type: Type) -> Type:
    """Return the type of an array sized at launch; a kernel has one name for that memory."""
    if isinstance(type, Struct):
        raise ctx.reject(Code.DYNAMIC_SHARED, node, name=node.name, why=f"its elements are {type.name}")
    if not isinstance(type, ir.Array) or type.extents != (0,):
        why = "it isn't an array"
        if isinstance(type, ir.Array):
            why = "it has several dimensions" if len(type.extents) > 1 else "it has an extent"
        raise ctx.reject(Code.DYNAMIC_SHARED, node, name=node.name, why=why)
    _only(ctx, node)
    ctx.dynamic = node.name
    return replace(shared_bytes.used_as(ctx, node, type), spelled=())


def _only(ctx: Context, node: c_ast.Decl) -> None:
    """Refuse a second name for the memory that is sized at launch."""
    if ctx.dynamic is not None and not ctx.unit.emitted:
        why = f"it is the same memory as `{ctx.dynamic}`"
        raise ctx.reject(Code.DYNAMIC_SHARED, node, name=node.name, why=why)


def complete(ctx: Context, node: c_ast.Decl, type: Type) -> Type:
    """Take the first extent of an array type from its initialiser, where it has none."""
    if isinstance(type, Struct) and 0 in type.extents:
        what = f"the array `{node.name}` of structs without an extent"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write its extent")
    if not isinstance(type, ir.Array) or 0 not in type.extents:
        return type
    init = node.init
    if 0 in type.extents[1:] or not isinstance(init, c_ast.InitList) or not init.exprs:
        raise ctx.type_error(node, f"`{node.name}` has an unknown extent", "needs an extent or initialiser")
    inner = 1
    for n in type.extents[1:]:
        inner *= n
    braced = isinstance(init.exprs[0], c_ast.InitList)
    count = len(init.exprs) if braced else -(-len(init.exprs) // inner)
    return replace(type, extents=(count, *type.extents[1:]), spelled=(str(count), *type.spelled[1:]))


def initialise(ctx: Context, node: c_ast.Decl, sym: Sym) -> None:
    """Append the declaration with its initialiser."""
    span = ctx.span(node)
    span = headers.through_semicolon(span) if span is not None else None
    if node.init is None:
        if sym.const and sym.storage == "local":
            raise ctx.type_error(node, f"`{sym.name}` is const and has no value", "needs an initialiser")
        ctx.out.append(Declare(sym, span=span))
        return
    if isinstance(sym.type, ir.Array):
        with ctx.full(node.init):
            ctx.out.append(Declare(sym, _list(ctx, node.init, sym.type), span=span))
        return
    init = node.init
    if isinstance(init, c_ast.InitList):
        if len(init.exprs or ()) > 1:
            raise ctx.type_error(init, f"`{sym.name}` is one value", "the list has several")
        if not init.exprs:
            ctx.out.append(Declare(sym, _zero(sym.type), span=span))
            return
        init = init.exprs[0]
    with ctx.full(init, delay=True):
        ctx.expression.direct = (init, sym.type)
        value = evaluation.converted(ctx, init, sym.type)
        if any(isinstance(e, ir.Place) and e.sym is sym for e in ir.walk(value)):
            raise ctx.reject(Code.NEVER_SET, init, name=sym.name)  # the name already means the new variable
        ctx.out.append(Declare(sym, value, span=span))
    constant = isinstance(sym.type, Scalar) and (sym.type.is_integer or "constexpr" in (node.storage or ()))
    if sym.const and constant:
        known = evaluation.constant(ctx, value)
        if known is not None:
            ctx.function.values[sym] = known


def _zero(type: Type) -> Const:
    assert isinstance(type, Scalar)
    return Const(types.wrap(0, type), type)


def _list(ctx: Context, node: c_ast.Node, type: ir.Array) -> Initialiser:
    """Lower a brace list, flattened; missing elements between others are written as zeros."""
    if not isinstance(node, c_ast.InitList):
        raise ctx.type_error(node, "an array is initialised by a value", "needs a brace list")
    values = _flatten(ctx, node, type.element, type.extents)
    return Initialiser(tuple(values))


def _flatten(ctx: Context, node: c_ast.InitList, element: Scalar, extents: tuple[int, ...]) -> list[Expr]:
    values: list[Expr] = []
    size = 1
    for n in extents[1:]:
        size *= n
    for entry in node.exprs or ():
        if isinstance(entry, c_ast.NamedInitializer):
            raise ctx.reject(
                Code.NOT_SUPPORTED, entry, what="a designated initialiser", help="write the values in order"
            )
        if isinstance(entry, c_ast.InitList):
            if len(values) % size:
                raise ctx.type_error(
                    entry, "a brace list in the middle of a row", "braces don't fit the extents"
                )
            _before(ctx, entry, values)
            row = (
                _flatten(ctx, entry, element, extents[1:])
                if len(extents) > 1
                else [_scalar_entry(ctx, entry, element)]
            )
            values.extend(row)
            if entry is not node.exprs[-1]:
                values.extend(_zero(element) for _ in range(size - len(row)))
        else:
            _before(ctx, entry, values)
            values.append(evaluation.converted(ctx, entry, element))
    if len(values) > size * extents[0]:
        raise ctx.type_error(node, "more values than elements", f"the array has {size * extents[0]}")
    return values


def _before(ctx: Context, entry: c_ast.Node, values: list[Expr]) -> None:
    """Save the values that an entry of a list will change: C++ evaluates entries from left to right."""
    if entry in ctx.expression.survey:
        written = ctx.touched(entry).writes
        values[:] = [ctx.keep(e) if evaluation.stale(e, written) else e for e in values]


def _scalar_entry(ctx: Context, node: c_ast.InitList, element: Scalar) -> Expr:
    if len(node.exprs or ()) != 1 or isinstance(node.exprs[0], c_ast.InitList):
        raise ctx.type_error(node, "a brace list for one number", "braces don't fit the extents")
    return evaluation.converted(ctx, node.exprs[0], element)


@runs(c_ast.Typedef)
def typedef(ctx: Context, node: c_ast.Typedef) -> None:
    """Record the type of a typedef's name."""
    kind = node.type
    if isinstance(kind, c_ast.TypeDecl) and isinstance(kind.type, Class) and kind.type.name is None:
        kind = copy.copy(kind)
        kind.type = titled(node.type.type, node.name)  # an unnamed class gets the typedef's name
    type, const = declarators.type_of(ctx, kind)
    if len(ctx.typedefs) == 1 and _arithmetic(ctx, node.type):
        type = replace(type, alias=node.name)
    ctx.typedefs[-1][node.name] = type, const


def _arithmetic(ctx: Context, node: c_ast.Node) -> bool:
    """Whether a typedef names an arithmetic type directly: an enumeration isn't an int in C++."""
    match node:
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=names)):
            known = ctx.typedef(names[0]) if len(names) == 1 else None
            if known is not None:
                return isinstance(known[0], Scalar) and bool(known[0].alias)
            named = types.scalar(names)
            return named is not None and named != ir.VOID
        case _:
            return False
