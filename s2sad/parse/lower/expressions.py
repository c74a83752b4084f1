"""Lower expressions from pycparser's tree to typed values, with every conversion that C++17 makes.

The side effects of an expression are appended to `ctx.out` as statements, in C++17's
evaluation order. Where C++17 leaves the order unspecified and it matters, the expression
is refused. So `a[i++] = b` becomes

    a[i] = b;
    i += 1;
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from ... import ir
from ...decimals import decimal, single
from ...diagnostics import Code
from ...fields import VECTORS
from ...ir import Binary, Cast, Const, Expr, Place, Scalar, Sym, Type, Unary, scalar_type
from ..sema import declarators, dispatch, evaluation
from ..sema.dispatch import lowers
from ..sema.scope import Context, all_of
from ..types import types
from .memory import numbers, pointer_offsets


@lowers(c_ast.Constant)
def _constant(ctx: Context, node: c_ast.Constant) -> Expr:
    if node.value == "nullptr":
        raise ctx.reject(Code.POINTER_VALUE, node, name="nullptr")
    read = types.literal(node.value)
    if read is None:
        what = "a string" if node.value.startswith(('"', "L", "u")) else f"the literal {node.value}"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="kernels can only compute with numbers")
    number, type = read
    return Const(number, type, spelling=node.value)


# ---- operators --------------------------------------------------------------


def pair(
    ctx: Context, node: c_ast.Node, first: c_ast.Node, second: c_ast.Node, *, ordered: bool
) -> tuple[Expr, Expr]:
    """Lower two operands; if C++ doesn't order them, their side effects must not conflict."""
    if first not in ctx.expression.survey and second not in ctx.expression.survey:
        one, two = all_of(lambda n: evaluation.scalar(ctx, n), (first, second))
        return one, two
    clash = ctx.touched(first).clashes(ctx.touched(second))
    if clash and not ordered:
        raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=min(clash))
    one = evaluation.scalar(ctx, first)
    if evaluation.stale(one, ctx.touched(second).writes):
        one = ctx.keep(one)
    return one, evaluation.scalar(ctx, second)


def size_of(ctx: Context, node: c_ast.UnaryOp) -> Expr:
    """Lower `sizeof` to a constant, spelled by its type."""
    if isinstance(node.expr, c_ast.Typename):
        type, _ = declarators.type_of(ctx, node.expr.type)
        local = any(name in scope for scope in ctx.typedefs[1:] for name in _type_names(node.expr))
        return Const(types.size(type), ir.SIZE_T, spelling=None if local else ctx.unit.written.text(node))
    named = ctx.lookup(node.expr.name) if isinstance(node.expr, c_ast.ID) else None
    if isinstance(named, Sym) and named in ctx.variables:
        what = f"the size of `{named.name}`, which is a parameter in the emitted code"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write its extent")
    if (whole := dispatch.static(ctx, node.expr)) is not None:
        return _size(ctx, whole)
    if (part := _part(ctx, node.expr)) is not None:
        return _size(ctx, part)
    with ctx.collecting(), ctx.arm():  # an unevaluated operand
        return _size(ctx, evaluation.value(ctx, node.expr).type)


def _part(ctx: Context, node: c_ast.Node) -> Type | None:
    """Return the type of a local array or of a row of it, as `m[0]`; None for anything else."""
    match node:
        case c_ast.ID(name=name):
            found = ctx.lookup(name)
            return found.type if isinstance(found, Sym) and isinstance(found.type, ir.Array) else None
        case c_ast.ArrayRef(name=inner) | c_ast.UnaryOp(op="*", expr=inner):
            match _part(ctx, inner):
                case ir.Array(element, (_, *rest)):
                    return ir.Array(element, tuple(rest)) if rest else element
    return None


def _size(ctx: Context, type: Type) -> Const:
    """Return a variable's size, spelt by its type: the variable may not exist where the value is used."""
    element = type.element if isinstance(type, ir.Array) else type
    extents = "".join(f"[{n}]" for n in type.extents) if isinstance(type, ir.Array) else ""
    # The name must exist in the emitted text too, where a check may replace `float` by `double`.
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
    return Const(types.size(type), ir.SIZE_T, spelling=spelling)


def _type_names(node: c_ast.Node) -> list[str]:
    own = list(node.names) if isinstance(node, c_ast.IdentifierType) else []
    return [*own, *(name for _, child in node.children() for name in _type_names(child))]


def binary_operation(ctx: Context, node: c_ast.BinaryOp) -> Expr:
    """Lower a binary operation on two numbers."""
    left, right = pair(ctx, node, node.left, node.right, ordered=node.op in ("<<", ">>"))
    found = binary(ctx, node, node.op, left, right)
    written = all(isinstance(operand, c_ast.Constant) for operand in (node.left, node.right))
    return found if written else pointer_offsets.counted(found)  # a literal was substituted


def binary(ctx: Context, node: c_ast.Node, op: str, left: Expr, right: Expr) -> Expr:
    """Build the operation on two values, converted to their common type first."""
    a, b = left.type, right.type
    if not isinstance(a, Scalar) or not isinstance(b, Scalar):
        return _pointer_sum(ctx, node, op, left, right)
    if op in ir.BITWISE and (a.is_float or b.is_float):
        raise ctx.type_error(node, f"`{op}` of {a.name} and {b.name}", "needs integers")
    if a.is_half or b.is_half:
        return _of_halves(ctx, node, op, left, right)
    if op in ("<<", ">>"):
        a, b = types.promote(a), types.promote(b)
        return Binary(op, types.convert(left, a), types.convert(right, b), a)
    meet = types.common(a, b)
    result = ir.BOOL if op in ir.COMPARISONS else meet
    return Binary(op, types.convert(left, meet), types.convert(right, meet), result)


def _pointer_sum(ctx: Context, node: c_ast.Node, op: str, left: Expr, right: Expr) -> Expr:
    """Build `pointer + integer`, allowed only in the code that s2sad itself emits."""
    if isinstance(left, Place) and isinstance(left.type, ir.Array) and len(left.type.extents) == 1:
        left = replace(left, type=ir.Pointer(left.type.element, const=left.sym.const))
    a, b = left.type, right.type
    if isinstance(a, ir.Pointer) and isinstance(b, Scalar) and b.is_integer and op in ("+", "-"):
        return Binary(op, left, right, a)
    raise ctx.type_error(node, f"`{op}` of {types.spell(a)} and {types.spell(b)}", "not defined")


def selected(ctx: Context, node: c_ast.Node, a: Type, b: Type) -> Type:
    """Return the type of `?:` between two types. Refuse if they have no common type."""
    match a, b:
        case Scalar(kind="void"), Scalar(kind="void"):
            return ir.VOID
        case Scalar(kind=one), Scalar(kind=two) if "void" not in (one, two):
            return a if types.same(a, b) else types.common(a, b)
        case ir.Pointer(), ir.Pointer() if ctx.unit.emitted and types.same(a, b):
            return a
        case _:
            raise ctx.type_error(
                node,
                f"`?:` between {types.spell(a)} and {types.spell(b)}",
                "both branches must be numbers",
            )


@lowers(c_ast.Cast)
def _cast(ctx: Context, node: c_ast.Cast) -> Expr:
    to, _ = declarators.type_of(ctx, node.to_type.type)
    if to == ir.VOID:
        evaluation.discard(ctx, node.expr)
        return Const(0, ir.VOID)
    expr = numbers.emitted(ctx, node.expr) or evaluation.value(ctx, node.expr)
    if isinstance(to, ir.Pointer) and to.reference and types.same(to.target, expr.type):
        return expr  # reads the referent
    match expr.type, to:
        case Scalar(kind="void"), _:
            raise ctx.type_error(node, "a void value is used", "this has no value")
        case Scalar(), Scalar() if types.is_half(expr.type) or types.is_half(to):
            return types.convert(expr, to)
        case Scalar(), Scalar():
            return _real_literal(expr, to) or Cast(expr, to)
        case (ir.Pointer(), ir.Pointer()) | (ir.Array(), ir.Pointer()) if ctx.unit.emitted:
            return Cast(expr, to)
        case _:
            raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))


_LARGEST = 2.0**127


def _real_literal(expr: Expr, to: Scalar) -> Const | Unary | None:
    """Return a literal as one of a real type, if that is the same number: `scalar_t(1)` is 1.0f.

    In templates it has no other spelling, and the algebra knows literals only. The number and its
    decimal are the same in both real types, so that all instances of a template have the literal, and
    that it is the primal's also where `float` is read as `double`: 0.10000000149011612 isn't, for
    `(double)0.1f`.
    """
    if isinstance(expr, Unary) and expr.op == "-" and scalar_type(expr).kind != "unsigned":
        number = _real_literal(expr.arg, to)
        return None if number is None else replace(expr, arg=number, type=to)
    if not isinstance(expr, Const) or expr.named or to not in (ir.FLOAT, ir.DOUBLE):
        return None
    if not abs(expr.value) <= _LARGEST or single(expr.value) != expr.value:
        return None
    if float(decimal(expr.value, ir.FLOAT.size)) != expr.value:
        return None
    return Const(float(expr.value), to, expr.span)


def _of_halves(ctx: Context, node: c_ast.Node, op: str, left: Expr, right: Expr) -> Expr:
    """Build the operation on two numbers, one of half precision: the other must be, too."""
    if not types.same(left.type, right.type):
        title = f"`{op}` of {types.spell(left.type)} and {types.spell(right.type)}"
        raise ctx.type_error(node, title, "ambiguous in C++: convert one of them")
    made = Binary(
        op, types.widened(left), types.widened(right), ir.BOOL if op in ir.COMPARISONS else ir.FLOAT
    )
    return made if op in ir.COMPARISONS else Cast(made, left.type, implicit=True)


@lowers(c_ast.InitList)
def _listed(ctx: Context, node: c_ast.InitList) -> Expr:
    """Lower `f({x})`, where f takes a number."""
    match node.exprs:
        case [c_ast.Node() as only] if not isinstance(only, c_ast.NamedInitializer):
            return evaluation.value(ctx, only)
        case _:
            what = "a brace list where a value is expected"
            raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write the values one by one")


@dispatch.expression.otherwise
def _refused(ctx: Context, node: c_ast.Node) -> Expr:
    """Refuse an expression that no kernel may contain."""
    raise ctx.reject(
        Code.NOT_SUPPORTED,
        node,
        what=f"an expression of the kind {type(node).__name__}",
        help="write it with operators and calls",
    )
