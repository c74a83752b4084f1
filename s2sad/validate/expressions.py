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

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)(?![\w.])"
    r"|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"
    r"|(?P<op><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>()?:~!&|^]))"
)

PRECEDENCE: Mapping[str, int] = {
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
class Number:
    number: int

    def value(self, names: Mapping[str, int], real: Real) -> int:
        return self.number


@dataclass(frozen=True)
class Name:
    name: str
    start: int
    end: int

    def value(self, names: Mapping[str, int], real: Real) -> int:
        if self.name not in names:
            known = ", ".join(names) or "none here"
            what = f"'{self.name}' is not an integer argument (known: {known})"
            raise ExpressionError(what, self.start, self.end)
        return names[self.name]


@dataclass(frozen=True)
class SizeOf:
    type: str
    start: int
    end: int

    def value(self, names: Mapping[str, int], real: Real) -> int:
        kind = dtype(self.type, real)
        if kind is None:
            raise ExpressionError(f"the size of '{self.type}' is not known here", self.start, self.end)
        return kind.itemsize


@dataclass(frozen=True)
class Unary:
    op: str
    arg: Tree

    def value(self, names: Mapping[str, int], real: Real) -> int:
        arg = self.arg.value(names, real)
        match self.op:
            case "-":
                return -arg
            case "~":
                return ~arg
            case "!":
                return int(not arg)
            case _:
                return arg


@dataclass(frozen=True)
class Binary:
    """An operation; `start` and `end` are its operator's place."""

    op: str
    left: Tree
    right: Tree
    start: int
    end: int

    def value(self, names: Mapping[str, int], real: Real) -> int:
        op = self.op
        if op == "&&":
            return int(bool(self.left.value(names, real)) and bool(self.right.value(names, real)))
        if op == "||":
            return int(bool(self.left.value(names, real)) or bool(self.right.value(names, real)))
        a, b = self.left.value(names, real), self.right.value(names, real)
        if op in ("/", "%") and b == 0:
            raise ExpressionError("division by zero", self.start, self.end)
        if op in ("<<", ">>") and not 0 <= b < 64:
            raise ExpressionError(f"cannot shift by {b}", self.start, self.end)
        result = _ARITHMETIC[op](a, b)
        if not -(2**63) <= result < 2**64:
            raise ExpressionError(f"{result} does not fit 64 bits", self.start, self.end)
        return result


@dataclass(frozen=True)
class Choice:
    condition: Tree
    then: Tree
    other: Tree

    def value(self, names: Mapping[str, int], real: Real) -> int:
        chosen = self.then if self.condition.value(names, real) else self.other
        return chosen.value(names, real)


Tree = Number | Name | SizeOf | Unary | Binary | Choice


@dataclass(frozen=True)
class Expression:
    """A parsed expression; `names` are its variables."""

    text: str
    names: tuple[str, ...]
    sized: bool  # it has a sizeof, so it adapts if `float` is compiled as `double`
    tree: Tree = field(repr=False, compare=False)

    def __reduce__(self) -> tuple[Callable[[str], Expression], tuple[str]]:
        return parse, (self.text,)  # a case is judged in a separate process

    def value(self, names: Mapping[str, int], real: Real = "float") -> int:
        """Evaluate. Raises ExpressionError for an unknown name, a division by zero or an overflow."""
        return self.tree.value(names, real)


def parse(text: str) -> Expression:
    """Parse an expression. Raises ExpressionError."""
    if len(text) > _LENGTH:
        raise ExpressionError(f"longer than {_LENGTH} characters", _LENGTH, len(text))
    parser = _Parser(text)
    tree = parser.conditional(0)
    if parser.kind != "end":
        raise parser.error(f"unexpected '{parser.token}'")
    return Expression(text, tuple(dict.fromkeys(parser.names)), parser.sized, tree)


def quotient(a: int, b: int) -> int:
    """Return a / b truncated towards zero, as in C."""
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


class _Parser:
    """A precedence-climbing parser of one text; each method returns the tree of what it parsed."""

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

    def conditional(self, depth: int) -> Tree:
        condition = self.binary(1, depth + 1)
        if self.kind != "op" or self.token != "?":
            return condition
        self.advance()
        then = self.conditional(depth + 1)
        self.expect(":")
        return Choice(condition, then, self.conditional(depth + 1))

    def binary(self, least: int, depth: int) -> Tree:
        left = self.unary(depth + 1)
        while self.kind == "op" and PRECEDENCE.get(self.token, 0) >= least:
            op, start, end = self.token, self.start, self.end
            self.advance()
            left = Binary(op, left, self.binary(PRECEDENCE[op] + 1, depth + 1), start, end)
        return left

    def unary(self, depth: int) -> Tree:
        if depth > _DEPTH:
            raise self.error("nested too deeply")
        if self.kind == "op" and self.token in ("-", "+", "~", "!"):
            op = self.token
            self.advance()
            return Unary(op, self.unary(depth + 1))
        return self.primary(depth)

    def primary(self, depth: int) -> Tree:
        if self.kind == "number":
            digits = self.token.rstrip("uUlL")
            octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
            if octal and not set(digits) <= set("01234567"):
                raise self.error("an octal number has digits 0 to 7")
            self.advance()
            return Number(int(digits, 8 if octal else 0))
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

    def name(self) -> Tree:
        found = Name(self.token, self.start, self.end)
        self.names.append(self.token)
        self.advance()
        return found

    def sizeof(self) -> Tree:
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
        return SizeOf(" ".join(words), start, end)


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
