"""Partials: from the table's text to trees, and from there into a kernel.

A formula is a C expression over placeholders, read in double precision. In a
kernel its placeholders become the author's arguments and every literal and function
gets the precision and the spelling of the author's call: beside `sinf(s)` stands
`cosf(s)`, beside `__sinf(s)` stands `__cosf(s)`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, assert_never

from .ir import (
    ARITHMETIC,
    BOOL,
    COMPARISONS,
    DOUBLE,
    FLOAT,
    INT,
    LOGICAL,
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
from .parse.prelude import BUILTINS

Style = Literal["float", "double", "fast", "overload"]
"""How the author names functions: `sinf`, `sin` of a double, `__sinf`, `sin` of a float."""

HELPERS: Mapping[str, int] = {"digamma": 1, "erfcx_slope": 2}
"""Device functions that partials call and CUDA lacks, with their number of arguments.

Their text is in templates/helpers; that of single precision has an `f` at the end of its name.
"""


class Malformed(Exception):
    """A formula that can't be read: where in it, and why."""

    def __init__(self, offset: int, why: str, name: str = "") -> None:
        super().__init__(why)
        self.offset, self.why, self.name = offset, why, name


@cache
def placeholder(name: str, type_: Scalar) -> Sym:
    """The symbol that stands for an argument in all formulas."""
    return Sym(name, type_)


def names(expr: Expr) -> frozenset[str]:
    """The placeholders of a formula: what must be known to evaluate it."""
    return frozenset(e.sym.name for e in walk(expr) if isinstance(e, Place))


def helpers(expr: Expr) -> tuple[str, ...]:
    """The helper functions that an expression calls, each once, by the name it calls."""
    called = (e.name for e in walk(expr) if isinstance(e, Call) and e.callee is not None)
    return tuple(dict.fromkeys(n for n in called if n in HELPERS or n.removesuffix("f") in HELPERS))


# ---- reading ----------------------------------------------------------------

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op>&&|\|\||[<>=!]=|[-+*/<>!?:(),]))"
)
_LEVEL = {
    "||": 1, "&&": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "/": 6,
}  # fmt: skip


def parse(text: str, types: Mapping[str, Scalar]) -> Expr:
    """A formula over placeholders of the given types, as an expression of type double."""
    return real(_Reader(text, types).whole(), DOUBLE)


def parse_condition(text: str, types: Mapping[str, Scalar]) -> Expr:
    """A formula that is a condition."""
    expr = _Reader(text, types).whole()
    if expr.type != BOOL:
        raise Malformed(0, "it is no condition")
    return expr


@dataclass
class _Reader:
    """Precedence climbing over the tokens of one formula."""

    text: str
    types: Mapping[str, Scalar]
    tokens: list[tuple[str, str, int]] = field(default_factory=list)
    at: int = 0

    def __post_init__(self) -> None:
        offset, end = 0, len(self.text.rstrip())
        while offset < end:
            match = _TOKEN.match(self.text, offset)
            if match is None or match.lastgroup is None:
                offset += len(self.text[offset:]) - len(self.text[offset:].lstrip())
                raise Malformed(offset, f"`{self.text[offset]}` isn't understood")
            self.tokens.append((match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
            offset = match.end()
        self.tokens.append(("end", "", end))

    def whole(self) -> Expr:
        expr = self.choice()
        if self.tokens[self.at][0] != "end":
            raise Malformed(self.tokens[self.at][2], f"`{self.tokens[self.at][1]}` isn't expected here")
        return expr

    def take(self, op: str) -> bool:
        if self.tokens[self.at][:2] == ("op", op):
            self.at += 1
            return True
        return False

    def expect(self, op: str) -> None:
        if not self.take(op):
            raise Malformed(self.tokens[self.at][2], f"`{op}` is missing")

    def choice(self) -> Expr:
        start = self.tokens[self.at][2]
        cond = self.binary(1)
        if not self.take("?"):
            return cond
        if cond.type != BOOL:
            raise Malformed(start, "what stands before `?` is no condition")
        then = self.choice()
        self.expect(":")
        other = self.choice()
        then, other, type_ = _alike(then, other)
        return Select(cond, then, other, type_)

    def binary(self, level: int) -> Expr:
        left = self.unary()
        while self.tokens[self.at][0] == "op" and _LEVEL.get(self.tokens[self.at][1], 0) >= level:
            _, op, offset = self.tokens[self.at]
            self.at += 1
            left = self.joined(op, left, self.binary(_LEVEL[op] + 1), offset)
        return left

    def joined(self, op: str, left: Expr, right: Expr, offset: int) -> Expr:
        if op in LOGICAL:
            if left.type != BOOL or right.type != BOOL:
                raise Malformed(offset, f"`{op}` joins conditions only")
            return Binary(op, left, right, BOOL)
        if BOOL in (left.type, right.type):
            raise Malformed(offset, f"`{op}` of a condition")
        left, right, type_ = _alike(left, right)
        if op == "/" and type_ == INT:
            raise Malformed(offset, "a division of integers; write 1.0 for 1")
        return Binary(op, left, right, BOOL if op in COMPARISONS else type_)

    def unary(self) -> Expr:
        offset = self.tokens[self.at][2]
        for op in ("-", "!"):
            if not self.take(op):
                continue
            arg = self.unary()
            if (arg.type == BOOL) != (op == "!"):
                raise Malformed(offset, f"`{op}` doesn't go with what follows it")
            return Unary("-" if op == "-" else "!", arg, arg.type)
        return self.primary()

    def primary(self) -> Expr:
        kind, text, offset = self.tokens[self.at]
        if kind == "end":
            raise Malformed(offset, "it ends too early")
        self.at += 1
        match kind:
            case "number" if text.isdigit():
                return Const(int(text), INT)
            case "number":
                return Const(float(text), DOUBLE, spelling=text)
            case "name" if self.take("("):
                return self.call(text, offset)
            case "name" if text in self.types:
                type_ = self.types[text]
                return Place(placeholder(text, type_), (), type_)
            case "name":
                known = ", ".join(self.types)
                raise Malformed(offset, f"`{text}` isn't one of {known}", text)
        if text != "(":
            raise Malformed(offset, f"`{text}` isn't expected here")
        inner = self.choice()
        self.expect(")")
        return inner

    def call(self, name: str, offset: int) -> Expr:
        args: list[Expr] = []
        while not self.take(")"):
            if args:
                self.expect(",")
            args.append(self.choice())
        if name in HELPERS:
            wanted: tuple[Type, ...] = (DOUBLE,) * HELPERS[name]
            rule = None
        else:
            overload = next((b for b in BUILTINS.get(name, ()) if b.result == DOUBLE), None)
            if overload is None:
                raise Malformed(offset, f"there is no function `{name}` of a double", name)
            wanted, rule = overload.params, overload.rule
        if len(args) != len(wanted):
            raise Malformed(offset, f"`{name}` takes {len(wanted)} arguments", name)
        converted = tuple(real(a, t) for a, t in zip(args, wanted, strict=True))
        return Call(name, converted, DOUBLE, rule=rule, callee=None if rule else name)


def _alike(left: Expr, right: Expr) -> tuple[Expr, Expr, Type]:
    """Both in one type: double, unless both are integers or both conditions."""
    if left.type == right.type:
        return left, right, left.type
    return real(left, DOUBLE), real(right, DOUBLE), DOUBLE


def real(expr: Expr, type_: Type) -> Expr:
    """The expression in another arithmetic type; a literal becomes one of that type."""
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
    """How the functions of a partial are named beside an author's call."""
    if type_ != FLOAT:
        return "double"
    if call is None:
        return "float"
    if call.name.startswith("__"):
        return "fast"
    single = call.name.endswith("f") and call.name[:-1] in BUILTINS
    return "float" if single or call.name not in BUILTINS else "overload"


def spelled(name: str, style: Style) -> str:
    """The function of that double-precision name in a style; the nearest there is."""
    if style == "double":
        return name
    if name in HELPERS:
        return f"{name}f"
    if style == "fast" and f"__{name}f" in BUILTINS:
        return f"__{name}f"
    single = any(b.result == FLOAT for b in BUILTINS[name])
    return name if style == "overload" and single else f"{name}f"


def write(expr: Expr, known: Mapping[str, Expr], type_: Scalar, style: Style) -> Expr:
    """A formula in a kernel: precision `type_`, placeholders replaced by what is `known`.

    Operations on constants are carried out, so that the partial of `pow(x, 2.0f)`
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
    """A literal with the table's digits, all of them: in a check `float` may mean double."""
    text = text or repr(value)
    return Const(value, type_, spelling=f"{text}f" if type_ == FLOAT else text)


def _argument(arg: Expr, sym: Sym, type_: Scalar) -> Expr:
    constant = _constant(arg)
    if sym.type != DOUBLE:  # an integer
        return constant or arg
    if constant is not None and constant.type != type_:
        return Const(float(constant.value), type_)
    return constant or real(arg, type_)


def _constant(expr: Expr) -> Const | None:
    """The literal that an expression is, behind conversions and signs."""
    match expr:
        case Const():
            return expr
        case Cast(arg, Scalar(kind="float") as type_):
            inner = _constant(arg)
            return None if inner is None else Const(float(inner.value), type_)
        case Unary("-", arg, Scalar() as type_):
            inner = _constant(arg)
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


def _binary(op: str, left: Expr, right: Expr, type_: Type) -> Expr:
    match op, left, right:
        case _, Const(a), Const(b) if op in _FOLD and isinstance(type_, Scalar):
            if (op in ARITHMETIC) == (type_ != BOOL):
                return Const(_FOLD[op](a, b), type_)
        case ("&&", Const(value=a), other) | ("&&", other, Const(value=a)):
            return other if a else Const(False, BOOL)
        case ("||", Const(value=a), other) | ("||", other, Const(value=a)):
            return Const(True, BOOL) if a else other
    return Binary(op, left, right, type_)


def _call(call: Call, args: tuple[Expr, ...], type_: Scalar, style: Style) -> Expr:
    match call.name, args:
        case "pow", (base, Const(1)):
            return base
        case "pow", (_, Const(0)):
            return Const(1.0, type_)
        case "pow", (Place() as base, Const(2)):
            return Binary("*", base, base, type_)
    name = spelled(call.name, style)
    return Call(name, args, type_, rule=call.rule, callee=name if call.callee else None)
