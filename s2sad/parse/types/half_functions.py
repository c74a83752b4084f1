"""CUDA's functions of half precision, as operations on floats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ... import ir
from ...fields import BFLOAT162, HALF2
from ...ir import Binary, Call, Const, Expr, Select, Unary
from .builtins import BUILTINS

FAMILIES = {HALF2: ir.HALF, BFLOAT162: ir.BFLOAT16}
"""The pair types, with the types of their numbers."""


_ONE, _ZERO = Const(1.0, ir.FLOAT), Const(0.0, ir.FLOAT)


_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


_TESTS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


_FUNCTIONS = (
    "exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tanh", "sqrt", "rsqrt", "ceil", "floor",
    "trunc", "rint",
)  # fmt: skip
"""Functions of floats with the suffix `f`, named `hexp` for half precision and `h2exp` for pairs."""


@dataclass(frozen=True)
class Function:
    """A function of half precision as an operation on floats, for one number or both of a pair."""

    count: int
    make: Callable[[Sequence[Expr]], Expr]
    pairs: bool


def _called(name: str, *args: Expr) -> Call:
    (builtin, *_) = BUILTINS[name]
    return Call(name, args, ir.FLOAT, rule=builtin.rule)


def of_operator(op: str, saturated: bool = False) -> Callable[[Sequence[Expr]], Expr]:
    """Return a builder of an operator's result as a float; with `saturated`, clamped to [0, 1]."""

    def make(args: Sequence[Expr]) -> Expr:
        made = Binary(op, args[0], args[1], ir.BOOL if op in ir.COMPARISONS else ir.FLOAT)
        return _called("__saturatef", made) if saturated else made

    return make


def _number(op: str) -> Callable[[Sequence[Expr]], Expr]:
    """Return a builder of a test on the numbers of a pair, with a number as its result."""
    return lambda args: Select(Binary(op, args[0], args[1], ir.BOOL), _ONE, _ZERO, ir.FLOAT)


def _function(name: str) -> Callable[[Sequence[Expr]], Expr]:
    return lambda args: _called(name, *args)


def _functions() -> dict[str, Function]:
    found: dict[str, Function] = {}
    for pairs, end in ((False, ""), (True, "2")):
        for name in ("add", "sub", "mul"):
            for spelled in (f"__h{name}{end}", f"__h{name}{end}_rn"):
                found[spelled] = Function(2, of_operator(_OPERATORS[name]), pairs)
            found[f"__h{name}{end}_sat"] = Function(2, of_operator(_OPERATORS[name], saturated=True), pairs)
        found["__h2div" if pairs else "__hdiv"] = Function(2, of_operator("/"), pairs)
        for name, op in _TESTS.items():
            found[f"__h{name}{end}"] = Function(2, _number(op) if pairs else of_operator(op), pairs)
        for name in _FUNCTIONS:
            found[f"h{end}{name}"] = Function(1, _function(f"{name}f"), pairs)
        found[f"h{end}rcp"] = Function(1, lambda args: Binary("/", _ONE, args[0], ir.FLOAT), pairs)
        found[f"__hneg{end}"] = Function(1, lambda args: Unary("-", args[0], ir.FLOAT), pairs)
        found[f"__habs{end}"] = Function(1, _function("fabsf"), pairs)
        found[f"__hfma{end}"] = Function(3, _function("fmaf"), pairs)
        for name in ("max", "min"):
            found[f"__h{name}{end}"] = Function(2, _function(f"f{name}f"), pairs)
    return found


FUNCTIONS: Mapping[str, Function] = _functions()


SPELLED: Mapping[str, str] = (
    {op: f"__h{name}" for name, op in _OPERATORS.items()}
    | {f"{name}f": f"h{name}" for name in _FUNCTIONS}
    | {"neg": "__hneg", "fabsf": "__habs", "fmaf": "__hfma", "fmaxf": "__hmax", "fminf": "__hmin"}
)
"""The functions of half precision on numbers, by the operation on floats that they perform."""
