"""Integer expressions of case files, with C's arithmetic.

`parse("(n + 63) / 64").value({"n": 150})` is 3. Division and remainder truncate
towards zero, comparisons give 0 or 1, `&&`, `||` and `?:` evaluate only the operands that C
evaluates, and `sizeof(float)` is looked up at evaluation, because a check
may compile `float` as `double`. A result of a binary operator that doesn't fit 64 bits is an
error and doesn't wrap: an overflowing size is always a mistake in the case.

A wrong expression raises `ExpressionError`, which has its place in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .elements import Real, dtype

_Value = Callable[[Mapping[str, int], Real], int]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)(?![\w.])"
    r"|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"
    r"|(?P<op><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>()?:~!&|^]))"
)

_PRECEDENCE: Mapping[str, int] = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    **dict.fromkeys(("==", "!="), 6),
    **dict.fromkeys(("<", "<=", ">", ">="), 7),
    **dict.fromkeys(("<<", ">>"), 8),
    **dict.fromkeys(("+", "-"), 9),
    **dict.fromkeys(("*", "/", "%"), 10),
}

# Far more than a size needs, and within Python's recursion limit.
_DEPTH = 200
_LENGTH = 400


class ExpressionError(ValueError):
    """An error in an expression, and its place in the text."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.start = start
        self.end = max(end, start + 1)


@dataclass(frozen=True)
class Expression:
    """A parsed expression; `names` are its variables."""

    text: str
    names: tuple[str, ...]
    sized: bool  # it has a sizeof, so it adapts if `float` is compiled as `double`
    _value: _Value = field(repr=False, compare=False)

    def __reduce__(self) -> tuple[Callable[[str], Expression], tuple[str]]:
        return parse, (self.text,)  # a case is judged in a separate process

    def value(self, names: Mapping[str, int], real: Real = "float") -> int:
        """Evaluate. Raises ExpressionError for an unknown name, a division by zero or an overflow."""
        return self._value(names, real)


def parse(text: str) -> Expression:
    """Parse an expression. Raises ExpressionError."""
    if len(text) > _LENGTH:
        raise ExpressionError(f"longer than {_LENGTH} characters", _LENGTH, len(text))
    parser = _Parser(text)
    value = parser.conditional(0)
    if parser.kind != "end":
        raise parser.error(f"unexpected '{parser.token}'")
    return Expression(text, tuple(dict.fromkeys(parser.names)), parser.sized, value)


def quotient(a: int, b: int) -> int:
    """Return a / b truncated towards zero, as in C."""
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


class _Parser:
    """A precedence-climbing parser of one text; each method returns an evaluator of what it parsed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.names: list[str] = []
        self.sized = False
        self.at = 0
        self.kind, self.token, self.start, self.end = "", "", 0, 0
        self.advance()

    def error(self, message: str) -> ExpressionError:
        return ExpressionError(message, self.start, self.end)

    def advance(self) -> None:
        rest = self.text[self.at :]
        if not rest.strip():
            self.kind, self.token, self.start, self.end = "end", "the end", len(self.text), len(self.text)
            return
        match = _TOKEN.match(self.text, self.at)
        if not match:
            self.start = self.at + len(rest) - len(rest.lstrip())
            self.end = self.start + 1
            if self.text[self.start].isdigit():
                raise self.error("only integers are allowed here")
            raise self.error(f"'{self.text[self.start]}' is not part of an integer expression")
        self.kind = match.lastgroup or ""
        self.token = match.group(self.kind)
        self.start, self.end = match.span(self.kind)
        self.at = match.end()

    def expect(self, token: str) -> None:
        if self.token != token or self.kind == "end":
            raise self.error(f"expected '{token}', found '{self.token}'")
        self.advance()

    def conditional(self, depth: int) -> _Value:
        condition = self.binary(1, depth + 1)
        if self.kind != "op" or self.token != "?":
            return condition
        self.advance()
        then = self.conditional(depth + 1)
        self.expect(":")
        other = self.conditional(depth + 1)
        return lambda n, r: then(n, r) if condition(n, r) else other(n, r)

    def binary(self, least: int, depth: int) -> _Value:
        left = self.unary(depth + 1)
        while self.kind == "op" and _PRECEDENCE.get(self.token, 0) >= least:
            op, start, end = self.token, self.start, self.end
            self.advance()
            right = self.binary(_PRECEDENCE[op] + 1, depth + 1)
            left = _operation(op, left, right, start, end)
        return left

    def unary(self, depth: int) -> _Value:
        if depth > _DEPTH:
            raise self.error("nested too deeply")
        if self.kind == "op" and self.token in ("-", "+", "~", "!"):
            op = self.token
            self.advance()
            arg = self.unary(depth + 1)
            match op:
                case "-":
                    return lambda n, r: -arg(n, r)
                case "~":
                    return lambda n, r: ~arg(n, r)
                case "!":
                    return lambda n, r: int(not arg(n, r))
                case _:
                    return arg
        return self.primary(depth)

    def primary(self, depth: int) -> _Value:
        if self.kind == "number":
            digits = self.token.rstrip("uUlL")
            octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
            if octal and not set(digits) <= set("01234567"):
                raise self.error("an octal number has digits 0 to 7")
            number = int(digits, 8 if octal else 0)
            self.advance()
            return lambda n, r: number
        if self.kind == "name" and self.token == "sizeof":
            return self.sizeof()
        if self.kind == "name":
            return self.name()
        if self.kind == "op" and self.token == "(":
            self.advance()
            inner = self.conditional(depth + 1)
            self.expect(")")
            return inner
        raise self.error(f"expected a number or a name, found '{self.token}'")

    def name(self) -> _Value:
        name, start, end = self.token, self.start, self.end
        self.names.append(name)
        self.advance()

        def value(names: Mapping[str, int], real: Real) -> int:
            if name not in names:
                known = ", ".join(names) or "none here"
                raise ExpressionError(f"'{name}' is not an integer argument (known: {known})", start, end)
            return names[name]

        return value

    def sizeof(self) -> _Value:
        start = self.start
        self.sized = True
        self.advance()
        self.expect("(")
        words = []
        while self.kind == "name":
            words.append(self.token)
            self.advance()
        end = self.end
        self.expect(")")
        name = " ".join(words)

        def value(names: Mapping[str, int], real: Real) -> int:
            kind = dtype(name, real)
            if kind is None:
                raise ExpressionError(f"the size of '{name}' is not known here", start, end)
            return kind.itemsize

        return value


def _operation(op: str, left: _Value, right: _Value, start: int, end: int) -> _Value:
    if op == "&&":
        return lambda n, r: int(bool(left(n, r)) and bool(right(n, r)))
    if op == "||":
        return lambda n, r: int(bool(left(n, r)) or bool(right(n, r)))

    def value(names: Mapping[str, int], real: Real) -> int:
        a, b = left(names, real), right(names, real)
        if op in ("/", "%") and b == 0:
            raise ExpressionError("division by zero", start, end)
        if op in ("<<", ">>") and not 0 <= b < 64:
            raise ExpressionError(f"cannot shift by {b}", start, end)
        result = _ARITHMETIC[op](a, b)
        if not -(2**63) <= result < 2**64:
            raise ExpressionError(f"{result} does not fit 64 bits", start, end)
        return result

    return value


_ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": quotient,
    "%": lambda a, b: a - b * quotient(a, b),
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}
