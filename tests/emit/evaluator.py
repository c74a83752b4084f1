"""Random typed expressions and what they are worth, by the rules of the IR alone.

The evaluator knows nothing of C's implicit conversions: each `Cast` converts and
nothing else does. So it tells whether printed text, which leaves casts out, still
means the tree.
"""

from __future__ import annotations

import random
import struct

from s2sad.emit.conversions import promoted, usual
from s2sad.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    SHORT,
    UCHAR,
    UINT,
    ULLONG,
    Binary,
    Cast,
    Const,
    Expr,
    Place,
    Scalar,
    Select,
    Sym,
    Unary,
)

TYPES = (INT, UINT, FLOAT, DOUBLE, LLONG, ULLONG, CHAR, UCHAR, SHORT, BOOL)
VALUES: dict[Scalar, int | float | bool] = {
    INT: -7, UINT: 3000000001, FLOAT: 0.1, DOUBLE: -2.7, LLONG: -5000000000, ULLONG: 2**63 + 5, CHAR: -3,
    UCHAR: 200, SHORT: -300, BOOL: True,
}  # fmt: skip
OPERATORS = ("+", "-", "*", "/", "%", "<<", ">>", "<", "<=", "==", "!=", "&", "|", "^", "&&", "||", "?")
SYMS = {t: Sym("v_" + t.name.replace(" ", "_"), t) for t in TYPES}

Value = int | float | bool


class Undefined(Exception):
    """The expression has no value in C++."""


def converted(value: Value, t: Scalar) -> Value:
    if t.kind == "bool":
        return value != 0
    if t.is_float:
        value = float(value)
        return struct.unpack("f", struct.pack("f", value))[0] if t.size == 4 else value
    bits = 8 * t.size
    if isinstance(value, float):
        value = int(value)
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if t.kind == "signed" else (0, 2**bits - 1)
        if not low <= value <= high:
            raise Undefined
        return value
    value = int(value) % 2**bits
    return value - 2**bits if t.kind == "signed" and value >= 2 ** (bits - 1) else value


def evaluate(expr: Expr) -> Value:
    match expr:
        case Const():
            return converted(expr.value, expr.type)
        case Place():
            return converted(VALUES[expr.sym.type], expr.sym.type)  # type: ignore[index]
        case Cast():
            return converted(evaluate(expr.arg), expr.type)  # type: ignore[arg-type]
        case Unary():
            value = evaluate(expr.arg)
            result: Value = {"-": lambda: -value, "+": lambda: value, "!": lambda: not value,
                             "~": lambda: ~int(value)}[expr.op]()  # fmt: skip
            return converted(result, expr.type)  # type: ignore[arg-type]
        case Select():
            return evaluate(expr.then) if evaluate(expr.cond) else evaluate(expr.other)
        case Binary():
            return converted(_binary(expr), expr.type)  # type: ignore[arg-type]
        case _:
            raise AssertionError(expr)


def _binary(expr: Binary) -> Value:
    a, b = evaluate(expr.left), evaluate(expr.right)
    floating = isinstance(a, float)
    match expr.op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" | "%":
            if b == 0:
                raise Undefined
            if floating:
                return a / b
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if expr.op == "/" else a - b * quotient
        case "<<" | ">>":
            if not 0 <= b < 32 or (a < 0 and expr.op == "<<"):
                raise Undefined
            return int(a) << int(b) if expr.op == "<<" else int(a) >> int(b)
        case "&&":
            return bool(a) and bool(b)
        case "||":
            return bool(a) or bool(b)
        case "&":
            return int(a) & int(b)
        case "|":
            return int(a) | int(b)
        case "^":
            return int(a) ^ int(b)
        case _:
            return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}[expr.op]


# ---- random trees ------------------------------------------------------------


def implicit(expr: Expr, t: Scalar) -> Expr:
    return expr if expr.type == t else Cast(expr, t, implicit=True)


def tree(rng: random.Random, depth: int) -> Expr:
    """A random expression of any type, with conversions that C++ would make and others."""
    if depth == 0 or rng.random() < 0.1:
        t = rng.choice(TYPES)
        if rng.random() < 0.3:
            return Const(rng.choice((0, 1, 2, 100, -1) if t.kind == "signed" else (0, 1, 100)), t)
        return Place(SYMS[t], (), t)
    kind = rng.random()
    if kind < 0.2:
        return Cast(tree(rng, depth - 1), rng.choice(TYPES), implicit=rng.random() < 0.6)
    if kind < 0.35:
        op = rng.choice("-+!~")
        arg = tree(rng, depth - 1)
        if op == "!":
            return Unary("!", implicit(arg, BOOL), BOOL)
        t = promoted(arg.type)  # type: ignore[arg-type]
        if op == "~" and t.is_float:
            t = INT
        return Unary(op, implicit(arg, t), t)  # type: ignore[arg-type]
    left, right = tree(rng, depth - 1), tree(rng, depth - 1)
    met = usual(left.type, right.type)
    if rng.random() < 0.25:
        met = rng.choice([t for t in TYPES if t.is_float or t.size >= 4])  # as after a substitution
    assert isinstance(met, Scalar)
    op = rng.choice(OPERATORS)
    if op in ("%", "&", "|", "^", "<<", ">>") and met.is_float:
        met = LLONG
    if op == "?":
        cond = implicit(tree(rng, depth - 1), BOOL)
        return Select(cond, implicit(left, met), implicit(right, met), met)
    if op in ("&&", "||"):
        return Binary(op, implicit(left, BOOL), implicit(right, BOOL), BOOL)
    if op in ("<<", ">>"):
        return Binary(op, implicit(left, met), implicit(right, INT), met)
    result = BOOL if op in ("<", "<=", "==", "!=") else met
    return Binary(op, implicit(left, met), implicit(right, met), result)
