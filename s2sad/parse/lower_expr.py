"""Expressions: from pycparser's tree to typed values, with every conversion that C++17 makes.

What an expression does besides having a value is appended to `ctx.out` as
statements, in the order in which C++17 does it; where C++17 leaves the order open
and it matters, the expression is refused. So `a[i++] = b` becomes

    a[i] = b;
    i += 1;
"""

from __future__ import annotations

import math
from dataclasses import replace

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code, Rejected
from ..fields import VECTORS
from ..fields import size as struct_size
from ..ir import Binary, Cast, Const, Expr, Place, Scalar, Select, Special, Sym, Type, Unary
from . import (
    calls,
    decided,
    declared,
    halves,
    inlining,
    lower_effects,
    numbers,
    offsets,
    overlaid,
    places,
    pointers,
    presence,
    punned,
    structs,
    traits,
    types,
    wholes,
)
from .angles import Trait
from .classids import Member
from .context import Alias, Bound, Context, Jumped, Poisoned, Referred, all_of, nearest
from .prelude import BUILTINS

SPECIALS = ("threadIdx", "blockIdx", "blockDim", "gridDim")
"""What says where a thread is."""

# Names from headers that aren't read. They have no spelling: NVRTC doesn't know them.
_NUMBERS = {
    "INFINITY": Const(math.inf, ir.FLOAT),
    "HUGE_VALF": Const(math.inf, ir.FLOAT),
    "HUGE_VAL": Const(math.inf, ir.DOUBLE),
    "NAN": Const(math.nan, ir.FLOAT),
    "CUDART_INF_F": Const(math.inf, ir.FLOAT),
    "CUDART_INF": Const(math.inf, ir.DOUBLE),
    "CUDART_NAN_F": Const(math.nan, ir.FLOAT),
    "CUDART_NAN": Const(math.nan, ir.DOUBLE),
    "CUDART_MAX_NORMAL_F": Const(types.rounded(3.402823466e38), ir.FLOAT),
    "CUDART_NORM_HUGE_F": Const(types.rounded(3.402823466e38), ir.FLOAT),
    "CUDART_MIN_DENORM_F": Const(types.rounded(1.401298464e-45), ir.FLOAT),
    "CUDART_ZERO_F": Const(0.0, ir.FLOAT),
    "CUDART_ONE_F": Const(1.0, ir.FLOAT),
    "CUDART_PIO2_F": Const(types.rounded(math.pi / 2), ir.FLOAT),
    "CUDART_SQRT_TWO_F": Const(types.rounded(math.sqrt(2.0)), ir.FLOAT),
    "CUDART_PI_F": Const(types.rounded(math.pi), ir.FLOAT),
    "CUDART_PI": Const(math.pi, ir.DOUBLE),
}


def value(ctx: Context, node: c_ast.Node) -> Expr:
    """The value of an expression, pure; its effects are appended to `ctx.out`."""
    expr = _value(ctx, node)
    own = expr.spelling if isinstance(expr, Const) else None
    span = ctx.span(node)
    if ctx.inside and expr.span is not None and isinstance(node, c_ast.ID | c_ast.StructRef):
        found = wholes.root(node)
        if found is not None and isinstance(ctx.lookup(found.name), Bound):
            return expr  # what the parameter stands for, where the caller wrote it
    if node in ctx.survey:
        return expr if expr.span is not None else replace(expr, span=span)
    spelled = ctx.spelling(node)
    if spelled is None:
        spelled = (own, None) if own is not None else None
    if spelled is None:
        return replace(expr, span=span)
    return replace(expr, span=span, spelling=spelled[0], macro=spelled[1])


def condition(ctx: Context, node: c_ast.Node) -> Expr:
    """The value of an expression as a `bool`."""
    if (found := presence.present(ctx, node)) is not None:
        return found
    expr, _ = arithmetic(ctx, node)
    return types.truth(expr)


def scalar(ctx: Context, node: c_ast.Node) -> Expr:
    """The value of an expression that must be arithmetic."""
    expr = value(ctx, node)
    match expr.type:
        case Scalar(kind="void"):
            raise ctx.type_error(node, "a void value is used", "this has no value")
        case Scalar():
            return expr
        case _:
            if ctx.emitted:
                return expr
            raise _pointer_value(ctx, node, expr)


def arithmetic(ctx: Context, node: c_ast.Node) -> tuple[Expr, Scalar]:
    """The value of an expression that must be arithmetic also in what s2sad emits, and its type."""
    expr = scalar(ctx, node)
    if not isinstance(expr.type, Scalar):
        raise _pointer_value(ctx, node, expr)
    return expr, expr.type


def _pointer_value(ctx: Context, node: c_ast.Node, expr: Expr) -> Rejected:
    if isinstance(expr, Place) and not expr.index:
        return ctx.reject(Code.POINTER_VALUE, node, name=expr.sym.name)
    return ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))


def converted(ctx: Context, node: c_ast.Node, to: Type) -> Expr:
    """The value of an expression, converted as by an assignment to the type."""
    expr = value(ctx, node)
    return assignable(ctx, node, expr, to)


def assignable(ctx: Context, node: c_ast.Node, expr: Expr, to: Type) -> Expr:
    """The expression converted to a type, if C++ converts so by itself."""
    match expr.type, to:
        case (_, Scalar(kind="void")) | (Scalar(kind="void"), _):
            raise ctx.type_error(node, "a void value is used", "this has no value")
        case Scalar(), Scalar():
            return types.convert(expr, to)
        case ir.Array(element, extents), ir.Pointer(target) if ctx.emitted:
            const = isinstance(expr, Place) and expr.sym.const
            if len(extents) == 1 and types.same(element, target) and (to.const or not const):
                return expr
        case ir.Pointer(), ir.Pointer() if ctx.emitted and types.same(expr.type, to):
            if to.const or not expr.type.const:
                return expr
    if not ctx.emitted and not isinstance(expr.type, Scalar):
        raise _pointer_value(ctx, node, expr)
    raise ctx.type_error(
        node,
        f"{types.spell(expr.type)} does not convert to {types.spell(to)}",
        f"this is {types.spell(expr.type)}",
    )


def _value(ctx: Context, node: c_ast.Node) -> Expr:
    match node:
        case c_ast.Constant():
            return _constant(ctx, node)
        case c_ast.ID():
            return name(ctx, node)
        case c_ast.ArrayRef():
            return places.place(ctx, node)
        case c_ast.StructRef() if (bits := overlaid.read(ctx, node)) is not None:
            return value(ctx, bits)
        case c_ast.StructRef():
            return _field(ctx, node)
        case c_ast.UnaryOp(op="*") if (read := punned.value(ctx, node)) is not None:
            return read
        case c_ast.UnaryOp() | c_ast.BinaryOp() if halves.operated(ctx, node) is not None:
            raise wholes.not_a_number(ctx, node, structs.value(ctx, node).type)
        case c_ast.UnaryOp() | c_ast.BinaryOp() if ctx.overloaded and _of_structs(ctx, node):
            result = inlining.operation(ctx, node)
            if isinstance(result, structs.Value):
                raise wholes.not_a_number(ctx, node, result.type)
            return result
        case c_ast.UnaryOp():
            return _unary(ctx, node)
        case c_ast.BinaryOp(op="&&" | "||"):
            return _logical(ctx, node)
        case c_ast.BinaryOp() if (found := presence.tested(ctx, node)) is not None:
            return found
        case c_ast.BinaryOp() if pointers.compares(ctx, node):
            return pointers.compared(ctx, node)
        case c_ast.BinaryOp():
            return _binary(ctx, node)
        case c_ast.TernaryOp():
            return _select(ctx, node)
        case c_ast.Cast():
            return _cast(ctx, node)
        case c_ast.Assignment() if pointers.is_pointer(ctx, node.lvalue):
            pointers.assign(ctx, node)
            return _unused(ctx, node)
        case c_ast.Assignment() if structs.static(ctx, node.lvalue) is not None:
            structs.assign(ctx, node)
            return Const(0, ir.VOID)
        case c_ast.Assignment():
            return lower_effects.assign(ctx, node)
        case c_ast.FuncCall():
            return calls.call(ctx, node)
        case c_ast.ExprList():
            return lower_effects.comma(ctx, node)
        case Trait():
            return traits.value(ctx, node)
        case Member():
            return _member(ctx, node)
        case c_ast.InitList(exprs=[c_ast.Node() as only]) if not isinstance(only, c_ast.NamedInitializer):
            return value(ctx, only)  # `f({x})`, where f takes a number
        case c_ast.InitList():
            what = "a list in braces where a value is expected"
            raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write the values one by one")
        case _:
            raise ctx.reject(
                Code.NOT_SUPPORTED,
                node,
                what=f"an expression of the kind {type(node).__name__}",
                help="write it with operators and calls",
            )


def _unused(ctx: Context, node: c_ast.Node) -> Expr:
    """What a pointer that is moved points to is no value."""
    if node is not ctx.discarded:
        raise ctx.reject(Code.POINTER_VALUE, node, name=ctx.written.text(node))
    return Const(0, ir.VOID)


def _constant(ctx: Context, node: c_ast.Constant) -> Expr:
    if node.value == "nullptr":
        raise ctx.reject(Code.POINTER_VALUE, node, name="nullptr")
    read = types.literal(node.value)
    if read is None:
        what = "a string" if node.value.startswith(('"', "L", "u")) else f"the literal {node.value}"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="kernels compute with numbers only")
    number, type = read
    return Const(number, type, spelling=node.value)


def name(ctx: Context, node: c_ast.ID) -> Expr:
    if node.name in ("true", "false"):
        return Const(node.name == "true", ir.BOOL, spelling=node.name)
    match ctx.lookup(node.name):
        case Alias(reference=True, at=at) if at is not None:
            return at
        case Alias():
            raise ctx.reject(Code.POINTER_VALUE, node, name=node.name)
        case Sym() as sym if sym in ctx.bytes and not ctx.raw:
            why = "its bytes are used as they are, too"
            raise ctx.reject(Code.DYNAMIC_SHARED, node, name=node.name, why=why)
        case Sym(type=ir.Array(element) as array) as sym if array.single:
            return Place(sym, (Const(0, ir.INT),), element)
        case Sym() as sym if wholes.is_struct(sym.type):
            raise wholes.not_a_number(ctx, node, sym.type)
        case Sym() as sym:
            return Place(sym, (), sym.type)
        case Bound(Scalar(), values):
            return values[(), ()]
        case Bound(type=type):
            raise wholes.not_a_number(ctx, node, type)
        case Referred():
            return wholes.place(ctx, node)
        case Const() as const:
            return const
        case Jumped():
            raise ctx.reject(Code.CASE_SCOPE, node, name=node.name)
        case Poisoned():
            raise Rejected
        case None:
            if node.name in _NUMBERS:
                return _NUMBERS[node.name]
            if node.name == "warpSize":
                return Special("warpSize", "", ir.INT)
            if node.name in ctx.functions or node.name in BUILTINS:
                raise ctx.reject(Code.FUNCTION_POINTER, node)
            raise ctx.reject(
                Code.UNKNOWN_NAME, node, name=node.name, nearest=nearest(node.name, ctx.visible())
            )


def _member(ctx: Context, node: Member) -> Const:
    """`Config::width`, a constant in a class."""
    assert ctx.generic is not None
    type, found = ctx.generic.member(ctx, node)
    if isinstance(found, Const):
        return found
    title = f"`{types.spell(type)}` has no constant `{node.of.member}`"
    raise ctx.type_error(node, title, "not found, or its value isn't known here")


def _of_structs(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an operator has a struct among its operands."""
    if isinstance(node, c_ast.UnaryOp) and node.op in ("*", "&", "sizeof"):
        return False
    return any(structs.static(ctx, part) is not None for part in inlining.operands(node))


def _field(ctx: Context, node: c_ast.StructRef) -> Expr:
    """`threadIdx.x`, `pos[i].x`, `cross(a, b).x`."""
    if structs.is_access(ctx, node):
        return places.place(ctx, node)
    value = not isinstance(node.name, c_ast.ID) or isinstance(ctx.lookup(node.name.name), Bound)
    if value and structs.static(ctx, node.name) is not None:
        return structs.number(ctx, node)
    return _special(ctx, node)


def _special(ctx: Context, node: c_ast.StructRef) -> Expr:
    match node:
        case c_ast.StructRef(name=c_ast.ID(name=name), type=".") if (
            name in SPECIALS and node.field.name in ("x", "y", "z") and ctx.lookup(name) is None
        ):
            return Special(name, node.field.name)
        case c_ast.StructRef(name=c_ast.ID(name=name)) if isinstance(ctx.lookup(name), Poisoned):
            raise Rejected
        case _:
            if isinstance(node.name, c_ast.ID) and node.name.name in SPECIALS:
                title = f"`{node.name.name}` has no field `{node.field.name}`"
                raise ctx.type_error(node, title, "it has x, y, z")
            spelled = types.spell(scalar(ctx, node.name).type)
            title = f"`{ctx.written.text(node.name)}` is {spelled}"
            raise ctx.type_error(node, title, "it has no fields")


# ---- operators --------------------------------------------------------------


def pair(
    ctx: Context, node: c_ast.Node, first: c_ast.Node, second: c_ast.Node, *, ordered: bool
) -> tuple[Expr, Expr]:
    """The values of two operands; if C++ doesn't order them, their effects must not meet."""
    if first not in ctx.survey and second not in ctx.survey:
        one, two = all_of(lambda n: scalar(ctx, n), (first, second))
        return one, two
    clash = ctx.touched(first).clashes(ctx.touched(second))
    if clash and not ordered:
        raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=min(clash))
    one = scalar(ctx, first)
    if stale(one, ctx.touched(second).writes):
        one = ctx.keep(one)
    return one, scalar(ctx, second)


def stale(expr: Expr, written: frozenset[str]) -> bool:
    """Whether writing these variables changes the value of an expression that is computed later."""
    return any(isinstance(part, Place) and part.sym.variable in written for part in ir.walk(expr))


def _unary(ctx: Context, node: c_ast.UnaryOp) -> Expr:
    match node.op:
        case "++" | "--" | "p++" | "p--":
            if pointers.is_pointer(ctx, node.expr):
                pointers.step(ctx, node)
                return _unused(ctx, node)
            return lower_effects.step(ctx, node)
        case "*":
            return places.place(ctx, node)
        case "&":
            return calls.stray_address(ctx, node)
        case "!":
            return Unary("!", condition(ctx, node.expr), ir.BOOL)
        case "sizeof":
            return _sizeof(ctx, node)
        case "-" | "+" | "~":
            operand, type = arithmetic(ctx, node.expr)
            if node.op == "~" and type.is_float:
                raise ctx.type_error(node, f"`~` of {type.name}", "needs an integer")
            if type.is_half:
                return Cast(Unary(node.op, types.widened(operand), ir.FLOAT), type, implicit=True)
            type = types.promote(type)
            return Unary(node.op, types.convert(operand, type), type)
        case _:
            raise ctx.reject(
                Code.NOT_SUPPORTED,
                node,
                what=f"the operator `{node.op}`",
                help="write it with other operators",
            )


def _sizeof(ctx: Context, node: c_ast.UnaryOp) -> Expr:
    if isinstance(node.expr, c_ast.Typename):
        type, _ = declared.type_of(ctx, node.expr.type)
        local = any(name in scope for scope in ctx.typedefs[1:] for name in _type_names(node.expr))
        return Const(size(type), ir.SIZE_T, spelling=None if local else ctx.written.text(node))
    named = ctx.lookup(node.expr.name) if isinstance(node.expr, c_ast.ID) else None
    if isinstance(named, Sym) and named in ctx.variables:
        what = f"the size of `{named.name}`, which is a parameter in what is emitted"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write the number of its elements")
    if (whole := structs.static(ctx, node.expr)) is not None:
        return _size_of(ctx, whole)
    if (part := _part(ctx, node.expr)) is not None:
        return _size_of(ctx, part)
    with ctx.collecting(), ctx.arm():  # an unevaluated operand
        return _size_of(ctx, value(ctx, node.expr).type)


def _part(ctx: Context, node: c_ast.Node) -> Type | None:
    """The type of a local array or of what its first extents leave, as `m[0]`; None of anything else."""
    match node:
        case c_ast.ID(name=name):
            found = ctx.lookup(name)
            return found.type if isinstance(found, Sym) and isinstance(found.type, ir.Array) else None
        case c_ast.ArrayRef(name=inner) | c_ast.UnaryOp(op="*", expr=inner):
            match _part(ctx, inner):
                case ir.Array(element, (_, *rest)):
                    return ir.Array(element, tuple(rest)) if rest else element
    return None


def _size_of(ctx: Context, type: Type) -> Const:
    """The size of a variable, spelt by its type: the variable may not exist where the value is used."""
    element = type.element if isinstance(type, ir.Array) else type
    extents = "".join(f"[{n}]" for n in type.extents) if isinstance(type, ir.Array) else ""
    # A name that what is emitted has, too, where a check's `double` may take the place of `float`.
    name = getattr(element, "name", "")
    match element:
        case Scalar():
            named = True
        case ir.Struct(extents=()):
            named = VECTORS.get(element.name) == element or ctx.typedefs[0].get(element.name) == (
                element,
                False,
            )
        case _:
            named = False
    spelling = f"sizeof({name}{extents})" if named else None
    return Const(size(type), ir.SIZE_T, spelling=spelling)


def _type_names(node: c_ast.Node) -> list[str]:
    own = list(node.names) if isinstance(node, c_ast.IdentifierType) else []
    return [*own, *(name for _, child in node.children() for name in _type_names(child))]


def size(type: Type) -> int:
    """The size of an object of the type, in bytes."""
    match type:
        case Scalar():
            return max(type.size, 1)
        case ir.Pointer():
            return 8
        case ir.Array():
            count = 1
            for extent in type.extents:
                count *= extent
            return count * type.element.size
        case ir.Struct():
            return struct_size(type)


def _binary(ctx: Context, node: c_ast.BinaryOp) -> Expr:
    left, right = pair(ctx, node, node.left, node.right, ordered=node.op in ("<<", ">>"))
    found = binary(ctx, node, node.op, left, right)
    written = all(isinstance(operand, c_ast.Constant) for operand in (node.left, node.right))
    return found if written else offsets.counted(found)  # a literal was put in


def binary(ctx: Context, node: c_ast.Node, op: str, left: Expr, right: Expr) -> Expr:
    """The operation on two values, which convert to their common type first."""
    a, b = left.type, right.type
    if not isinstance(a, Scalar) or not isinstance(b, Scalar):
        return _pointer_sum(ctx, node, op, left, right)
    if op in ir.BITWISE and (a.is_float or b.is_float):
        raise ctx.type_error(node, f"`{op}` of {a.name} and {b.name}", "needs integers")
    if a.is_half or b.is_half:
        return halves.binary(ctx, node, op, left, right)
    if op in ("<<", ">>"):
        a, b = types.promote(a), types.promote(b)
        return Binary(op, types.convert(left, a), types.convert(right, b), a)
    meet = types.common(a, b)
    result = ir.BOOL if op in ir.COMPARISONS else meet
    return Binary(op, types.convert(left, meet), types.convert(right, meet), result)


def _pointer_sum(ctx: Context, node: c_ast.Node, op: str, left: Expr, right: Expr) -> Expr:
    """`pointer + integer`: only in what s2sad itself emits."""
    if isinstance(left, Place) and isinstance(left.type, ir.Array) and len(left.type.extents) == 1:
        left = replace(left, type=ir.Pointer(left.type.element, const=left.sym.const))
    a, b = left.type, right.type
    if isinstance(a, ir.Pointer) and isinstance(b, Scalar) and b.is_integer and op in ("+", "-"):
        return Binary(op, left, right, a)
    raise ctx.type_error(node, f"`{op}` of {types.spell(a)} and {types.spell(b)}", "this has no meaning")


def _logical(ctx: Context, node: c_ast.BinaryOp) -> Expr:
    if node.right not in ctx.survey:
        taken = set(ctx.taken)
        with ctx.collecting() as extra:
            left, right = all_of(
                lambda n: condition(ctx, n) if n is node.left else _second(ctx, n, extra),
                (node.left, node.right),
            )
        if right is not None:
            ctx.out.extend(extra)
            assert left is not None
            return Binary(node.op, left, right, ir.BOOL)
        ctx.taken.intersection_update(taken)
    return lower_effects.logical(ctx, node)


def _second(ctx: Context, node: c_ast.Node, before: list[ir.Stmt]) -> Expr | None:
    """The right operand of `&&`; None if what it takes are statements, which may not always run."""
    count = len(before)
    with ctx.arm():
        found = condition(ctx, node)
    return found if len(before) == count else None


def _select(ctx: Context, node: c_ast.TernaryOp) -> Expr:
    if node.iftrue in ctx.survey or node.iffalse in ctx.survey:
        return lower_effects.branches(ctx, node)
    if (known := decided.decided(ctx, node.cond)) is not None:
        return _decided(ctx, node, known)
    nodes = (node.cond, node.iftrue, node.iffalse)
    taken = set(ctx.taken)
    with ctx.collecting() as extra:
        cond, then, other = all_of(
            lambda n: condition(ctx, n) if n is node.cond else _chosen(ctx, n, extra), nodes
        )
    if then is None or other is None:
        ctx.taken.intersection_update(taken)
        return lower_effects.branches(ctx, node)
    ctx.out.extend(extra)
    assert cond is not None
    type = selected(ctx, node, then.type, other.type)
    return Select(cond, types.convert(then, type), types.convert(other, type), type)


def _decided(ctx: Context, node: c_ast.TernaryOp, known: bool) -> Expr:
    """What a condition that is known chooses, as the type that both have together."""
    taken, other = (node.iftrue, node.iffalse) if known else (node.iffalse, node.iftrue)
    found = value(ctx, taken)
    names = set(ctx.taken)
    with ctx.collecting(), ctx.arm():
        type = selected(ctx, node, found.type, value(ctx, other).type)
    ctx.taken.intersection_update(names)
    return types.convert(found, type)


def _chosen(ctx: Context, node: c_ast.Node, before: list[ir.Stmt]) -> Expr | None:
    """One branch of `?:`; None if what it takes are statements, which don't always run."""
    count = len(before)
    with ctx.arm():
        found = value(ctx, node)
    return found if len(before) == count else None


def selected(ctx: Context, node: c_ast.Node, a: Type, b: Type) -> Type:
    match a, b:
        case Scalar(kind="void"), Scalar(kind="void"):
            return ir.VOID
        case Scalar(kind=one), Scalar(kind=two) if "void" not in (one, two):
            return a if types.same(a, b) else types.common(a, b)
        case ir.Pointer(), ir.Pointer() if ctx.emitted and types.same(a, b):
            return a
        case _:
            raise ctx.type_error(
                node,
                f"`?:` between {types.spell(a)} and {types.spell(b)}",
                "both branches must be numbers",
            )


def _cast(ctx: Context, node: c_ast.Cast) -> Expr:
    to, _ = declared.type_of(ctx, node.to_type.type)
    if to == ir.VOID:
        lower_effects.discard(ctx, node.expr)
        return Const(0, ir.VOID)
    expr = numbers.emitted(ctx, node.expr) or value(ctx, node.expr)
    match expr.type, to:
        case Scalar(kind="void"), _:
            raise ctx.type_error(node, "a void value is used", "this has no value")
        case Scalar(), Scalar() if types.is_half(expr.type) or types.is_half(to):
            return types.convert(expr, to)
        case Scalar(), Scalar():
            return Cast(expr, to)
        case (ir.Pointer(), ir.Pointer()) | (ir.Array(), ir.Pointer()) if ctx.emitted:
            return Cast(expr, to)
        case _:
            raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.written.text(node))
