"""Expressions as formulas: the author's names, without conversions, suffixes and precisions of C.

0.25f * (float)n * sinf(s)     ->     0.25 * n * sin(s)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from ..ir import (
    AddressOf,
    Array,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Place,
    Pointer,
    Scalar,
    Select,
    Share,
    Special,
    Struct,
    Sym,
    Unary,
)
from .c_printer import ANY, CONDITIONAL, LEVEL, PRIMARY, UNARY, Printer, literal, points_to_one

Term = tuple[bool, str]
"""A term of a sum: whether it is negative, and its text without the sign."""


class Formulas:
    """Prints expressions of one function as `printer` names its variables; `prefix` is that of adjoints."""

    def __init__(self, printer: Printer, prefix: str) -> None:
        self._printer = printer
        self._prefix = prefix

    def knows(self, share: Share) -> bool:
        """Whether the reader finds every name: the author's, and the tool's that are still in the code."""
        found = {sym for e in (*share.of.index, *share.operand.index, share.partial) for sym in e.symbols}
        ends = zip((share.of.sym, share.operand.sym), share.adjoints, strict=True)
        return all(map(self._is_known, found)) and all(
            self._is_known(sym) or adjoint in self._printer.names for sym, adjoint in ends
        )

    def _is_known(self, sym: Sym) -> bool:
        return sym.origin == "author" or sym in self._printer.names

    def source(self, share: Share) -> str:
        """Print the adjoint that is passed on: `adj_s`."""
        return self._adjoint(share.of, share.adjoints[0])

    def target(self, share: Share) -> str:
        """Print the adjoint that is added to: `adj_x[i]`, `adj_body.x`."""
        return self._adjoint(share.operand, share.adjoints[1])

    def _adjoint(self, place: Place, adjoint: Sym | None) -> str:
        """Print the adjoint of a place: with the author's name, or that of the tool's variable."""
        sym = place.sym
        if sym.origin != "author" and adjoint is not None and adjoint in self._printer.names:
            return self._place(replace(place, sym=adjoint))
        text = self._place(place)
        return text if sym.of is not None else self._prefix + text

    def text(self, expr: Expr, level: int = ANY) -> str:
        """Print an expression, in parentheses if it binds less tightly than `level`."""
        text, own = self._spelled(expr)
        return text if own >= level else f"({text})"

    def product(self, factor: Expr, adjoint: str) -> Term:
        """Print a partial times an adjoint, without a factor of one; return its sign and the rest."""
        match _bare(factor):
            case Const(value) if abs(value) == 1:
                return value < 0, adjoint
            case Unary("-", arg):
                negative, text = self.product(arg, adjoint)
                return not negative, text
            case inner:
                return False, f"{self.text(inner, LEVEL['*'])} * {adjoint}"

    def factor(self, partial: Expr) -> Term:
        """Print a partial as a term of a sum of partials."""
        match _bare(partial):
            case Unary("-", arg):
                negative, text = self.factor(arg)
                return not negative, text
            case inner:
                return False, self.text(inner, LEVEL["+"] + 1)

    def _spelled(self, expr: Expr) -> tuple[str, int]:
        match expr:
            case Const() if expr.named:
                return expr.spelling or expr.macro or "", PRIMARY
            case Const(value, type):
                text, own = literal(value, type)
                text = text.removesuffix("f").removesuffix(".0") if type.is_float else text.rstrip("uUlL")
                return text, own
            case Place():
                return self._place(expr), PRIMARY
            case Special(name, axis):
                if name == "present":
                    return axis, PRIMARY
                return (f"{name}.{axis}" if axis else name), PRIMARY
            case Unary(op, arg):
                text = self.text(arg, UNARY)
                return (f"{op}({text})" if text.startswith(op) else op + text), UNARY
            case Binary(op, left, right):
                own = LEVEL[op]
                return f"{self.text(left, own)} {op} {self.text(right, own + 1)}", own
            case Select(cond, then, other):
                parts = (self.text(e, CONDITIONAL + 1) for e in (cond, then, other))
                return "{} ? {} : {}".format(*parts), CONDITIONAL
            case Cast(arg):
                return self._spelled(arg)
            case Call(args=args):
                return f"{_function(expr)}({', '.join(map(self.text, args))})", PRIMARY
            case AddressOf(place):
                return f"&{self._place(place)}", UNARY
            case _:
                assert_never(expr)

    def _place(self, place: Place) -> str:
        """Print a variable, an element or a field, with each index behind what it indexes."""
        sym = place.sym
        if place.path:
            return self._printer.place(place)
        index = "".join(f"[{self.text(i)}]" for i in place.index)
        if points_to_one(place):
            return self._printer.name(sym)
        if isinstance(sym.type, Array) and sym.type.single:
            index = ""
        whole = sym.within
        if whole is None or not sym.path:
            return self._printer.name(sym) + index
        outside = 1 if isinstance(whole.type, Pointer) else 0
        if isinstance(whole.type, Struct):
            outside = len(whole.type.extents)
        before = "".join(f"[{self.text(i)}]" for i in place.index[:outside])
        after = "".join(f"[{self.text(i)}]" for i in place.index[outside:])
        return f"{whole.name}{before}.{'.'.join(sym.path)}{after}"


def signed_sum(terms: Iterable[Term]) -> str:
    """Print a sum of terms with their signs; `0` without any."""
    text = ""
    for negative, term in terms:
        sign = ("-" if negative else "") if not text else (" - " if negative else " + ")
        text += sign + term
    return text or "0"


def _bare(expr: Expr) -> Expr:
    while isinstance(expr, Cast) and isinstance(expr.type, Scalar) and expr.type.is_float:
        expr = expr.arg
    return expr


def _function(call: Call) -> str:
    """Return the function's name in mathematics: `sin` for `sinf` and `__sinf`."""
    if call.callee is None and call.rule is not None and call.rule.isidentifier():
        return call.rule
    return call.name
