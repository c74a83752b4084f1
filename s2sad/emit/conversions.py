"""Implicit conversions of C++, which the text can omit.

The IR writes every conversion as a `Cast`. Printed text should have only those
that the author wrote and those without which it would mean something else.
`bare` lists the forms in which an operand can be printed, from the barest to
the one with every cast; the printer uses the first form that gives the IR's
value in its context.
"""

from __future__ import annotations

from ..ir import BOOL, DOUBLE, FLOAT, INT, Binary, Cast, Const, Expr, Scalar, Type, walk
from ..transform.common.wide_integers import exact, same

Form = tuple[Expr, Type]
"""An expression to print, and the type that its text has in C++."""


def promoted(t: Scalar) -> Scalar:
    """Return the type after integral promotion."""
    return INT if t.is_integer and t.size < INT.size else t


def usual(a: Type, b: Type) -> Type | None:
    """Return the type in which `a op b` is computed; None if there is none."""
    if not (isinstance(a, Scalar) and isinstance(b, Scalar)):
        return a if a == b else None
    if a.is_float or b.is_float:
        return a if not b.is_float or (a.is_float and a.size >= b.size) else b
    a, b = promoted(a), promoted(b)
    if a.kind == b.kind:
        return a if a.size >= b.size else b
    signed, unsigned = (a, b) if a.kind == "signed" else (b, a)
    return unsigned if unsigned.size >= signed.size else signed


_INTS = range(2**31)
WHOLE = 1 << 24
"""float represents integers up to this exactly."""


def bare(expr: Expr) -> list[Form]:
    """List the ways to print a value, barest first; the last has the value's own type.

    Converting the text's type to `expr.type` gives the value of `expr`.
    """
    match expr:
        case Cast(implicit=True, type=Scalar()) if not of_half(expr):
            said = Cast(expr.arg, expr.type, False, expr.span)
            if expr.spelling is not None:
                return [(expr, expr.arg.type), (said, expr.type)]
            to_float = expr.arg.type in (FLOAT, DOUBLE)
            inner = [
                (e, t) for e, t in bare(expr.arg) if exact(t, expr.arg.type) or (to_float and _is_whole(e))
            ]
            last = (expr.arg if same(expr.arg.type, expr.type) else said, expr.type)
            return [*inner, last]
        case Const(spelling=None, type=t) if t.is_integer and t not in (INT, BOOL) and expr.value in _INTS:
            return [(Const(expr.value, INT), INT), (expr, t)]
        case _:
            return [(expr, expr.type)]


def _is_whole(expr: Expr) -> bool:
    """Whether a constant is exact as a float, too: `2` in `2 * x`."""
    return isinstance(expr, Const) and type(expr.value) is int and 0 <= expr.value <= WHOLE


def of_half(cast: Cast) -> bool:
    """Whether a conversion is from or to half precision: a call, which can't be left out."""
    return any(isinstance(t, Scalar) and t.is_half for t in (cast.type, cast.arg.type))


def to(expr: Expr, target: Type) -> Expr:
    """Return the form to print where the context converts to `target`: an initialiser, an argument."""
    for form, t in bare(expr):
        if same(expr.type, target) or exact(t, expr.type):
            return form
    return bare(expr)[-1][0]


def exactly(expr: Expr) -> Expr:
    """Return the form to print where nothing is converted and the type selects: an overload's argument."""
    return next(form for form, t in bare(expr) if same(t, expr.type))


def pair(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """Return the forms of two operands with a common type, by the usual arithmetic conversions."""
    lefts, rights = bare(left), bare(right)
    for total in range(len(lefts) + len(rights) - 1):
        # At equal cost the right operand keeps its bare form: `(float)a / b`.
        for j in range(len(rights)):
            i = total - j
            if 0 <= i < len(lefts):
                (l_form, l_type), (r_form, r_type) = lefts[i], rights[j]
                met = usual(l_type, r_type)
                if met is not None and same(met, left.type) and same(met, right.type):
                    return l_form, r_form
    return lefts[-1][0], rights[-1][0]


def alone(expr: Expr) -> Expr:
    """Return the form of an operand that is only promoted: of unary operators, shifts, `switch`."""
    for form, t in bare(expr):
        if isinstance(t, Scalar) and same(promoted(t), expr.type):
            return form
    return bare(expr)[-1][0]


def is_signed_sum(expr: Expr) -> bool:
    """Whether no part of a sum wraps, so that its terms can be added to a pointer one by one."""
    sums = (e.type for e in walk(expr) if isinstance(e, Binary) or e is expr)
    return all(isinstance(type_, Scalar) and type_.kind == "signed" for type_ in sums)
