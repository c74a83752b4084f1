"""Partials: from the table's text to trees, and from there into a kernel.

A formula is a C expression over placeholders, read in double precision. In a
kernel its placeholders become the author's arguments and every literal and function
gets the precision and the spelling of the author's call: with `sinf(s)` goes
`cosf(s)`, with `__sinf(s)` goes `__cosf(s)`.
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from typing import Literal, assert_never

from .diagnostics import Rejected
from .ir import (
    ARITHMETIC,
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    AddressOf,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Place,
    Scalar,
    Select,
    Special,
    Sym,
    Type,
    Unary,
    walk,
)
from .parse.sema.free import expression
from .parse.sema.meanings import Device
from .parse.types.builtins import BUILTINS

Style = Literal["float", "double", "fast", "overload"]
"""How the author names functions: `sinf`, `sin` of a double, `__sinf`, `sin` of a float."""

HELPERS: Mapping[str, int] = {"lgamma_slope": 1, "erfcx_slope": 2}
"""Device functions that partials call and CUDA lacks, with their number of arguments.

Their text is in templates/helpers; names in single precision end in `f`.
"""


class Malformed(Exception):
    """A formula that can't be read: the reason, and the wrong word, if it is one word."""

    def __init__(self, why: str, word: str = "") -> None:
        super().__init__(why)
        self.why, self.word = why, word


@cache
def placeholder(name: str, type_: Scalar) -> Sym:
    """Return the symbol that stands for an argument in all formulas."""
    return Sym(name, type_)


def names(expr: Expr) -> frozenset[str]:
    """Return the placeholders of a formula: the values needed to evaluate it."""
    return frozenset(e.sym.name for e in walk(expr) if isinstance(e, Place))


def helpers(expr: Expr) -> tuple[str, ...]:
    """Return the helper functions that an expression calls, each once, by the called name."""
    called = (e.name for e in walk(expr) if isinstance(e, Call) and e.callee is not None)
    return tuple(dict.fromkeys(n for n in called if n in HELPERS or n.removesuffix("f") in HELPERS))


# ---- reading ----------------------------------------------------------------

_HELPERS = {
    name: (Device(key=name, name=name, params=(DOUBLE,) * count, result=DOUBLE),)
    for name, count in HELPERS.items()
}


def parse(text: str, types: Mapping[str, Scalar]) -> Expr:
    """Parse a formula over placeholders of the given types, as an expression of type double."""
    return real(_read(text, types), DOUBLE)


def parse_condition(text: str, types: Mapping[str, Scalar]) -> Expr:
    """Parse a formula that is a condition."""
    expr = _read(text, types)
    if expr.type != BOOL:
        raise Malformed("it isn't a condition")
    return expr


def _read(text: str, types: Mapping[str, Scalar]) -> Expr:
    symbols = {name: placeholder(name, type_) for name, type_ in types.items()}
    try:
        return _plain(expression(text, symbols, functions=_HELPERS))
    except Rejected as error:
        found = error.diagnostics[0]
        raise Malformed(found.title, str(found.values.get("name", ""))) from None


def _plain(expr: Expr) -> Expr:
    """Convert the tree to double precision: convert literals, drop spans."""
    match expr:
        case Const(value, Scalar(kind="float")):
            return Const(float(value), DOUBLE, spelling=(expr.spelling or repr(value)).rstrip("fF"))
        case Const(value, type_):
            return Const(value, type_)
        case Place(sym, _, type_):
            return Place(sym, (), type_)
        case Unary("+", arg):
            return _plain(arg)
        case Unary(op, arg):
            inner = _plain(arg)
            return Unary(op, inner, inner.type)
        case Cast(arg, type_, True):
            return real(_plain(arg), DOUBLE if type_ == FLOAT else type_)
        case Cast():
            raise Malformed("a cast isn't allowed: the precision is that of the call")
        case Binary("/", _, _, Scalar(kind=kind)) if kind != "float":
            raise Malformed("an integer division; write 1.0 for 1")
        case Binary(op, left, right, type_):
            return Binary(op, _plain(left), _plain(right), DOUBLE if type_ == FLOAT else type_)
        case Select(cond, then, other, type_):
            wanted = DOUBLE if type_ == FLOAT else type_
            return Select(_plain(cond), real(_plain(then), wanted), real(_plain(other), wanted), wanted)
        case Call(name, args, type_):
            if type_ == FLOAT:
                raise Malformed(f"`{name}` is a single-precision function; use the one for double", name)
            return Call(name, tuple(_plain(a) for a in args), type_, rule=expr.rule, callee=expr.callee)
        case Special(name):
            raise Malformed(f"`{name}` isn't one of its arguments", name)
        case AddressOf():
            raise Malformed("it takes an address")
        case _:
            assert_never(expr)


def real(expr: Expr, type_: Type) -> Expr:
    """Convert an expression to another arithmetic type; a literal becomes one of that type."""
    if expr.type == type_:
        return expr
    match expr, type_:
        case Const(value), Scalar(kind="float"):
            return Const(float(value), type_)
        case Unary("-", arg), Scalar(kind="float") if arg.type == INT:
            return Unary("-", real(arg, type_), type_)
        case Select(cond, then, other), Scalar(kind="float"):
            return Select(cond, real(then, type_), real(other, type_), type_)
        case _:
            return Cast(expr, type_, implicit=True)


# ---- writing into a kernel --------------------------------------------------


def style(call: Call | None, type_: Scalar) -> Style:
    """Return how functions of a partial are named next to an author's call."""
    if type_ != FLOAT:
        return "double"
    if call is None:
        return "float"
    if call.name.startswith("__"):
        return "fast"
    single = call.name.endswith("f") and call.name[:-1] in BUILTINS
    return "float" if single or call.name not in BUILTINS else "overload"


def spelled(name: str, style: Style) -> str:
    """Return the function of that double-precision name in a style, or the nearest one."""
    if style == "double":
        return name
    if name in HELPERS:
        return f"{name}f"
    if style == "fast" and f"__{name}f" in BUILTINS:
        return f"__{name}f"
    if style == "overload" and any(b.result == FLOAT for b in BUILTINS[name]):
        return name
    return f"{name}f" if f"{name}f" in BUILTINS else name


def write(expr: Expr, known: Mapping[str, Expr], type_: Scalar, style: Style) -> Expr:
    """Write a formula for a kernel: precision `type_`, placeholders replaced by what is `known`.

    Operations on constants are folded, so that the partial of `pow(x, 2.0f)`
    is `2.0f * x`.
    """

    def visit(e: Expr) -> Expr:
        match e:
            case Const(value, Scalar(kind="float")):
                return _literal(float(value), e.spelling, type_)
            case Const():
                return e
            case Place(sym):
                return _argument(known[sym.name], sym, type_)
            case Unary(op, arg):
                inner = visit(arg)
                return Unary(op, inner, inner.type)
            case Cast(arg, Scalar(kind="float")):
                return real(visit(arg), type_)
            case Cast(arg, to):
                return real(visit(arg), to)
            case Binary(op, left, right):
                return _binary(op, visit(left), visit(right), e.type if e.type != DOUBLE else type_)
            case Select(cond, then, other):
                test = visit(cond)
                if isinstance(test, Const):
                    return visit(then if test.value else other)
                return Select(test, visit(then), visit(other), type_ if e.type == DOUBLE else e.type)
            case Call():
                return _call(e, tuple(visit(a) for a in e.args), type_, style)
            case Special() | AddressOf():
                raise AssertionError(e)
            case _:
                assert_never(e)

    return visit(expr)


def _literal(value: float, text: str | None, type_: Scalar) -> Const:
    """Return a literal with all of the table's digits: in a check `float` may mean double."""
    text = text or repr(value)
    return Const(value, type_, spelling=f"{text}f" if type_ == FLOAT else text)


def _argument(arg: Expr, sym: Sym, type_: Scalar) -> Expr:
    known = constant(arg)
    if sym.type != DOUBLE:  # an integer
        return known or arg
    if known is not None and known.type != type_:
        return Const(float(known.value), type_)
    return known or real(arg, type_)


def constant(expr: Expr | None) -> Const | None:
    """Return the literal inside conversions and signs, if the expression is one."""
    match expr:
        case Const():
            return expr
        case Cast(arg, Scalar(kind="float") as type_):
            inner = constant(arg)
            return None if inner is None else Const(float(inner.value), type_)
        case Unary("-", arg, Scalar() as type_):
            inner = constant(arg)
            return None if inner is None else Const(-inner.value, type_)
        case _:
            return None


_FOLD: dict[str, Callable[[float, float], float | bool]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_ROUNDED: dict[str, Callable[[float, float], float]] = {"*": operator.mul, "/": operator.truediv}


def _binary(op: str, left: Expr, right: Expr, type_: Type) -> Expr:
    match op, left, right:
        case _, Const(a), Const(b) if op in _FOLD and isinstance(type_, Scalar):
            if (op in ARITHMETIC) == (type_ != BOOL):
                folded = Const(_FOLD[op](a, b), type_)
                if type_ != FLOAT or _same_digits(op, a, b, folded.value):
                    return folded
        case ("&&", Const(value=a), other) | ("&&", other, Const(value=a)):
            return other if a else Const(False, BOOL)
        case ("||", Const(value=a), other) | ("||", other, Const(value=a)):
            return Const(True, BOOL) if a else other
    if type_ == BOOL and (decided := _compared(op, left, right)) is not None:
        return Const(decided, BOOL)
    return Binary(op, left, right, type_)


def _compared(op: str, left: Expr, right: Expr) -> bool | None:
    """Decide `4.0f / 3.0f == 0.0f` in any precision; None if rounding might decide, or no literals."""
    one, two = _about(left), _about(right)
    if one is None or two is None or op not in _FOLD or op in ARITHMETIC:
        return None
    far = abs(one - two) > 1e-4 * max(abs(one), abs(two))
    return bool(_FOLD[op](one, two)) if far else None


def _about(expr: Expr) -> float | None:
    """Evaluate floating arithmetic on literals, up to rounding."""
    match expr:
        case Const(value):
            return float(value)
        case Cast(arg, Scalar(kind="float")):
            return _about(arg)
        case Unary("-", arg, Scalar(kind="float")):
            inner = _about(arg)
            return None if inner is None else -inner
        case Binary(op, left, right, Scalar(kind="float")) if op in _ROUNDED:
            one, two = _about(left), _about(right)
            if one is None or two is None or (op == "/" and two == 0.0):
                return None
            return _ROUNDED[op](one, two)
        case _:
            return None


def _same_digits(op: str, a: float, b: float, result: float) -> bool:
    """Whether a sum or product of floats equals that of their decimals: 1.5f - 1 does, 1.7f - 1 doesn't.

    The printed result then means the same where `float` is read as `double`.
    """
    one, two = Decimal(_shortest(a)), Decimal(_shortest(b))
    exact = one + two if op == "+" else one - two if op == "-" else one * two
    return exact == Decimal(_shortest(result))


def _shortest(value: float) -> str:
    """Return the shortest decimal that is this value as a float."""
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if struct.pack("f", float(text)) == struct.pack("f", value):
            return text
    return repr(value)


def _call(call: Call, args: tuple[Expr, ...], type_: Scalar, style: Style) -> Expr:
    if call.type != DOUBLE:  # `isnan`, `lrint`, `max` of integers
        return Call(call.name, args, call.type, rule=call.rule)
    match call.name, args:
        case "pow", (base, Const(1)):
            return base
        case "pow", (_, Const(0)):
            return Const(1.0, type_)
        case "pow", (Place() as base, Const(2)):
            return Binary("*", base, base, type_)
    name = spelled(call.name, style)
    return Call(name, args, type_, rule=call.rule, callee=name if call.callee else None)
