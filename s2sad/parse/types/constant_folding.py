"""Evaluate constant expressions as C++ does."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from ... import ir
from ...ir import (
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    Function,
    Place,
    Scalar,
    Select,
    Sym,
    Unary,
)
from . import types

Number = int | float | bool
Functions = Mapping[str, Function]

STEPS = 100_000
"""How many statements the functions in one expression may run; compilers have such a limit, too."""

_OPERATIONS: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_BITS: dict[str, Callable[[int, int], int]] = {
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


def evaluate(expr: Expr, known: Mapping[Sym, Number], functions: Functions | None = None) -> Number | None:
    """Return the value of an expression over constants; None if it isn't known.

    A call of one of the functions is run, as a compiler runs a `constexpr` one.
    """
    try:
        return _Evaluator(functions or {}).value(expr, known)
    except (OverflowError, ZeroDivisionError, ValueError):
        return None


def integer(expr: Expr, known: Mapping[Sym, Number], functions: Functions | None = None) -> int | None:
    """Return the value of an integer constant expression, else None."""
    if not isinstance(expr.type, Scalar) or not expr.type.is_integer:
        return None
    value = evaluate(expr, known, functions)
    return None if value is None else int(value)


class _NotConstant(ValueError):
    """Raised by a statement that can't be run at compile time."""


class _Jump(Exception):
    """Raised where control leaves a statement; by `return` with the value."""

    def __init__(self, value: Number | None = None) -> None:
        super().__init__()
        self.value = value


class _Break(_Jump):
    """Raised where control leaves a loop."""


class _Continue(_Jump):
    """Raised where control leaves an iteration."""


class _Evaluator:
    """Evaluates an expression, and runs the functions that it calls."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self._steps = 0

    def value(self, expr: Expr, known: Mapping[Sym, Number]) -> Number | None:
        match expr:
            case Const():
                return expr.value
            case Place(sym=sym, index=()):
                return known.get(sym)
            case Cast(arg=arg, type=Scalar() as type):
                value = self.value(arg, known)
                return None if value is None else types.wrap(value, type)
            case Unary(op=op, arg=arg, type=Scalar() as type):
                value = self.value(arg, known)
                return None if value is None else types.wrap(_unary(op, value), type)
            case Binary(op="&&" | "||"):
                left = self.value(expr.left, known)
                if left is None or bool(left) == (expr.op == "||"):
                    return left
                return self.value(expr.right, known)
            case Binary(op=op, type=Scalar() as type):
                left, right = self.value(expr.left, known), self.value(expr.right, known)
                if left is None or right is None:
                    return None
                return types.wrap(_binary(op, left, right), type)
            case Select():
                cond = self.value(expr.cond, known)
                if cond is None:
                    return None
                return self.value(expr.then if cond else expr.other, known)
            case Call(callee=str() as key) if key in self._functions:
                return self._called(self._functions[key], [self.value(arg, known) for arg in expr.args])
            case _:
                return None

    def _called(self, function: Function, args: list[Number | None]) -> Number | None:
        if "constexpr" not in function.attributes:
            return None
        local = {sym: arg for sym, arg in zip(function.syms, args, strict=True) if arg is not None}
        if len(local) < len(args):
            return None
        try:
            self._body(function.body, local)
        except _Jump as jump:
            return jump.value
        return None

    def _body(self, body: Body, local: dict[Sym, Number]) -> None:
        for stmt in body:
            self._statement(stmt, local)

    def _statement(self, stmt: ir.Stmt, local: dict[Sym, Number]) -> None:
        self._count()
        match stmt:
            case Declare(sym, None):
                local.pop(sym, None)
            case Declare(sym, init) if isinstance(init, Expr):
                local[sym] = self._known(init, local)
            case Assign(Place(sym=sym, index=(), type=Scalar() as type), value, op):
                result = self._known(value, local)
                if op is not None:
                    assert isinstance(value.type, Scalar)
                    before = types.wrap(self._known(stmt.target, local), value.type)
                    result = types.wrap(_binary(op.removesuffix("="), before, result), value.type)
                local[sym] = types.wrap(result, type)
            case ir.If(cond, then, other):
                self._body(then if self._known(cond, local) else other, local)
            case ir.For(init, cond, step, body):
                self._body(init, local)
                self._loop(cond, body, step, local)
            case ir.While(cond, body):
                self._loop(cond, body, (), local)
            case ir.DoWhile(body, cond):
                self._loop(None, body, (), local, again=cond)
            case ir.Block(body):
                self._body(body, local)
            case ir.Return(value) if value is not None:
                raise _Jump(self._known(value, local))
            case ir.Break():
                raise _Break
            case ir.Continue():
                raise _Continue
            case _:
                raise _NotConstant

    def _loop(
        self,
        cond: Expr | None,
        body: Body,
        step: Body,
        local: dict[Sym, Number],
        again: Expr | None = None,
    ) -> None:
        """Run a loop whose condition `cond` is tested before each iteration, or `again` after it."""
        while cond is None or self._known(cond, local):
            try:
                self._body(body, local)
            except _Continue:
                pass
            except _Break:
                return
            self._body(step, local)
            if again is not None and not self._known(again, local):
                return
            self._count()

    def _count(self) -> None:
        self._steps += 1
        if self._steps > STEPS:
            raise _NotConstant

    def _known(self, expr: Expr, local: Mapping[Sym, Number]) -> Number:
        value = self.value(expr, local)
        if value is None:
            raise _NotConstant
        return value


def _unary(op: ir.UnaryOp, value: Number) -> Number:
    match op:
        case "-":
            return -value
        case "+":
            return value
        case "!":
            return not value
        case "~":
            return ~int(value)


def _binary(op: str, left: Number, right: Number) -> Number:
    if op in _OPERATIONS:
        return _OPERATIONS[op](left, right)
    if op in ("/", "%"):
        if isinstance(left, float) or isinstance(right, float):
            return left / right
        quotient = abs(left) // abs(right)
        quotient = quotient if (left < 0) == (right < 0) else -quotient
        return quotient if op == "/" else left - quotient * right
    if op in ("<<", ">>") and not 0 <= right < 64:
        raise OverflowError
    return _BITS[op](int(left), int(right))
