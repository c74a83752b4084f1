"""Bits of integers that are read as a floating number.

    scratch[i] = __uint_as_float(behind ? 1u : 0u);

Such a number is made of integers and has no derivative, like one that is converted from an
integer. But an integer may itself be a floating number in disguise,

    y[i] = __int_as_float((int)(a * x[i] + b));      // an exponential function, roughly

and then the slope is what the author means. So where any integer in the closure is made of
a floating number, it may be that one, and the call is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Code, Diagnostic, diagnose
from ..ir import BOOL, Call, Cast, Expr, Program, Scalar, statements, walk
from .syms import expressions


def misread(program: Program) -> Iterator[Diagnostic]:
    """The calls that may read such an integer."""
    functions = (program.kernel, *program.functions.values())
    found = [e for f in functions for s in statements(f.body) for top in expressions(s) for e in walk(top)]
    if not any(map(_is_rounded, found)):
        return
    for e in found:
        if isinstance(e, Call) and e.rule == "bits":
            yield diagnose(Code.BIT_REINTERPRETATION, e.span, text=e.span.text if e.span else e.name)


def _is_rounded(e: Expr) -> bool:
    """Whether a floating number becomes an integer that holds more of it than one bit."""
    match e:
        case Cast(arg=arg, type=Scalar(is_integer=True) as type):
            args: tuple[Expr, ...] = (arg,)
        case Call(args=args, type=Scalar(is_integer=True) as type):
            pass
        case _:
            return False
    return type != BOOL and any(isinstance(a.type, Scalar) and a.type.is_float for a in args)
