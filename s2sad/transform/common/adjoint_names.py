"""Name the adjoint of a subexpression after what it is the adjoint of.

y = gamma * (x - mean) * s      g_gamma_x = gamma * g      the adjoint of x - mean, ...
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import Binary, Call, Cast, Const, Expr, Place, Select, Special, Unary, unconverted

PREFIX = "g"
_OPERATIONS = {"+": "sum", "-": "diff", "*": "product", "/": "ratio"}


def adjoint_name(expr: Expr, prefix: str = PREFIX) -> str:
    """Return `g_exp` for a call, `g_a_b` for what is made of two variables, else `g_sum_a` and the like."""
    inner = unconverted(expr)
    match inner:
        case Call():
            return f"{prefix}_{_function(inner)}"
        case Unary(arg=arg):
            return adjoint_name(arg, prefix)
        case _:
            words = list(dict.fromkeys(_words(inner)))
            if 1 <= len(words) <= 2:
                return "_".join((prefix, *words))
            operation = _OPERATIONS.get(inner.op, "") if isinstance(inner, Binary) else ""
            return "_".join(filter(None, (prefix, operation, *words[:1])))


def _words(expr: Expr) -> Iterator[str]:
    """The variables and functions that an expression is made of, in order."""
    match expr:
        case Place(sym):
            yield sym.plain
        case Call():
            yield _function(expr)
        case Binary(_, left, right):
            yield from _words(left)
            yield from _words(right)
        case Unary(_, arg) | Cast(arg):
            yield from _words(arg)
        case Select(_, then, other):
            yield from _words(then)
            yield from _words(other)
        case Const() | Special():
            pass
        case _:
            pass


def _function(call: Call) -> str:
    name = call.name.strip("_")
    return name[:-1] if len(name) > 2 and name.endswith("f") else name
