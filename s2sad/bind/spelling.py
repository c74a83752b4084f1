"""Integer expressions of a launch in Python and in C++.

Both have C's values: the variables are not negative, which a binding checks at a call, so `//` serves
for `/` wherever the dividend can't be negative; elsewhere it is `quotient(a, b)`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..validate.elements import dtype
from ..validate.expressions import PRECEDENCE, Binary, Choice, Name, Number, SizeOf, Tree, Unary

# Python's order, loosest first: a conditional expression, or, and, not, comparisons, the operators.
_PYTHON: Mapping[str, int] = {
    "||": 2,
    "&&": 3,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), 5),
    "|": 6,
    "^": 7,
    "&": 8,
    **dict.fromkeys(("<<", ">>"), 9),
    **dict.fromkeys(("+", "-"), 10),
    **dict.fromkeys(("*", "/", "%"), 11),
}
_SPELLED = {"||": "or", "&&": "and", "/": "//"}
_UNARY, _PRIMARY = 12, 13
_LOGICAL = ("&&", "||")


@dataclass(frozen=True)
class Names:
    """How the variables are spelled, and the size of the type that instances differ in."""

    spelled: Mapping[str, str]
    sizes: Mapping[str, str]

    def size(self, type: str) -> str:
        if type in self.sizes:
            return self.sizes[type]
        kind = dtype(type)
        return str(kind.itemsize) if kind is not None else f"sizeof({type})"


def python(tree: Tree, names: Names) -> str:
    """Spell an expression in Python."""
    return _python(tree, names)[0]


def divides(tree: Tree) -> bool:
    """Whether its Python needs `quotient` or `remainder`."""
    match tree:
        case Binary(op, left, right):
            own = op in ("/", "%") and (_low(left) < 0 or _low(right) < 0)
            return own or divides(left) or divides(right)
        case Unary(_, arg):
            return divides(arg)
        case Choice(condition, then, other):
            return any(divides(part) for part in (condition, then, other))
        case _:
            return False


def _python(tree: Tree, names: Names) -> tuple[str, int]:
    """Return the text and its precedence."""
    match tree:
        case Number(number):
            return str(number), _PRIMARY
        case Name(name):
            return names.spelled.get(name, name), _PRIMARY
        case SizeOf(type):
            return names.size(type), _PRIMARY
        case Unary("!", arg):
            return f"int(not {_within(arg, names, 4)})", _PRIMARY
        case Unary(op, arg):
            return f"{op}{_within(arg, names, _UNARY)}", _UNARY
        case Choice(condition, then, other):
            return (
                f"{_within(then, names, 2)} if {_truth(condition, names)} else {_within(other, names, 1)}",
                1,
            )
        case Binary(op) if op in _LOGICAL:
            return f"int({_truth(tree, names)})", _PRIMARY
        case Binary(op, left, right) if op in ("/", "%") and (_low(left) < 0 or _low(right) < 0):
            called = "quotient" if op == "/" else "remainder"
            return f"{called}({_python(left, names)[0]}, {_python(right, names)[0]})", _PRIMARY
        case Binary(op, left, right):
            mine = _PYTHON[op]
            # comparisons chain in Python
            first = _within(left, names, mine + (mine == _PYTHON["=="]))
            return f"{first} {_SPELLED.get(op, op)} {_within(right, names, mine + 1)}", mine


def _truth(tree: Tree, names: Names) -> str:
    """Spell an expression of which only its truth matters."""
    if isinstance(tree, Binary) and tree.op in _LOGICAL:
        parts = [_truth(part, names) for part in (tree.left, tree.right)]
        loose = [
            isinstance(p, Binary) and p.op in _LOGICAL and p.op != tree.op for p in (tree.left, tree.right)
        ]
        texts = [f"({text})" if wrap else text for text, wrap in zip(parts, loose, strict=True)]
        return f" {_SPELLED[tree.op]} ".join(texts)
    return f"{_within(tree, names, 5)} != 0" if not _is_comparison(tree) else _within(tree, names, 5)


def _is_comparison(tree: Tree) -> bool:
    return isinstance(tree, Binary) and _PYTHON[tree.op] == _PYTHON["=="]


def _within(tree: Tree, names: Names, least: int) -> str:
    text, precedence = _python(tree, names)
    return text if precedence >= least else f"({text})"


def _low(tree: Tree) -> float:
    """Return a lower bound of an expression whose variables aren't negative."""
    match tree:
        case Number(number):
            return number
        case Name() | SizeOf():
            return 0
        case Unary("!", _):
            return 0
        case Unary("+", arg):
            return _low(arg)
        case Choice(_, then, other):
            return min(_low(then), _low(other))
        case Binary("+", left, right):
            return _low(left) + _low(right)
        case Binary("-", left, right):
            return _low(left) - _high(right)
        case Binary("*", left, right) if min(_low(left), _low(right)) >= 0:
            return _low(left) * _low(right)
        case Binary(op, left, right) if op in ("/", "%", "<<", ">>", "&", "|", "^"):
            return 0 if min(_low(left), _low(right)) >= 0 else -math.inf
        case Binary(op) if op in _LOGICAL or _PYTHON[op] == _PYTHON["=="]:
            return 0
        case _:
            return -math.inf


def _high(tree: Tree) -> float:
    return tree.number if isinstance(tree, Number) else math.inf


def cpp(tree: Tree, names: Names) -> str:
    """Spell an expression in C++, for variables of type int64_t."""
    return _cpp(tree, names, 0)


def _cpp(tree: Tree, names: Names, least: int) -> str:
    match tree:
        case Number(number):
            return str(number)
        case Name(name):
            return names.spelled.get(name, name)
        case SizeOf(type):
            return f"int64_t(sizeof({type}))"
        case Unary(op, arg):
            return f"{op}{_cpp(arg, names, 11)}"
        case Choice(condition, then, other):
            text = f"{_cpp(condition, names, 1)} ? {_cpp(then, names, 0)} : {_cpp(other, names, 0)}"
            return f"({text})" if least > 0 else text
        case Binary(op, left, right):
            mine = PRECEDENCE[op]
            text = f"{_cpp(left, names, mine)} {op} {_cpp(right, names, mine + 1)}"
            return f"({text})" if mine < least else text
