"""Launches of small kernels, thread by thread: what each thread touches, in fact.

`touches` runs the integer part of a kernel for every thread of a launch with the
machine's arithmetic. Floating values are arbitrary but reproducible. A launch in
which some index is negative or beyond any array has no meaning and gives None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product

from s2sad.ir import (
    Assign,
    Binary,
    Block,
    Body,
    Break,
    Call,
    Cast,
    Const,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Place,
    Pointer,
    Return,
    Scalar,
    Select,
    Special,
    Stmt,
    Switch,
    Sym,
    Type,
    Unary,
    While,
)

Thread = tuple[int, ...]  # block x, y, z, thread x, y, z
Touch = tuple[str, str, int]  # "read" or "store", array, element
LARGEST = 1 << 24
STEPS = 4000


@dataclass(frozen=True)
class Launch:
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    values: Mapping[str, int]
    arrays: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def threads(self) -> Iterator[Thread]:
        yield from product(*map(range, (*self.grid, *self.block)))


class Meaningless(Exception):
    """The launch does something that the primal is assumed not to do."""


def touches(kernel: Function, launch: Launch) -> dict[Thread, list[Touch]] | None:
    """What each thread touches, in order; None if some thread leaves the language."""
    try:
        return {t: _Run(kernel, launch, t).run() for t in launch.threads()}
    except Meaningless:
        return None


class _Exit(Exception):
    pass


class _Break(_Exit):
    pass


class _Continue(_Exit):
    pass


class _Return(_Exit):
    pass


class _Run:
    def __init__(self, kernel: Function, launch: Launch, thread: Thread) -> None:
        self.kernel, self.launch, self.thread = kernel, launch, thread
        self.variables: dict[Sym, float] = {}
        self.touched: list[Touch] = []
        self.steps = 0
        for sym in kernel.syms:
            if isinstance(sym.type, Scalar):
                self.variables[sym] = launch.values.get(sym.name, 1)

    def run(self) -> list[Touch]:
        with suppress(_Return):
            self.body(self.kernel.body)
        return self.touched

    def body(self, body: Body) -> None:
        for stmt in body:
            self.statement(stmt)

    def statement(self, stmt: Stmt) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise Meaningless
        match stmt:
            case Declare(sym, init):
                assert not hasattr(init, "values")
                self.variables[sym] = 0 if init is None else self.value(init)  # type: ignore[arg-type]
            case Assign(target, value, op):
                new = self.value(value)
                if op is not None:
                    old = _converted(self.value(target), value.type)
                    new = _converted(_operation(op.removesuffix("="), old, new, value.type), target.type)
                if target.index:
                    self.touched.append(("store", target.sym.name, self.element(target)))
                else:
                    self.variables[target.sym] = new
            case Evaluate():
                pass
            case If(cond, then, other):
                self.body(then if self.value(cond) else other)
            case For():
                self.body(stmt.init)
                while stmt.cond is None or self.value(stmt.cond):
                    try:
                        self.body(stmt.body)
                    except _Break:
                        break
                    except _Continue:
                        pass
                    self.body(stmt.step)
            case While(cond, body):
                while self.value(cond):
                    try:
                        self.body(body)
                    except _Break:
                        break
                    except _Continue:
                        pass
            case DoWhile(body, cond):
                while True:
                    try:
                        self.body(body)
                    except _Break:
                        break
                    except _Continue:
                        pass
                    if not self.value(cond):
                        break
            case Block(body):
                self.body(body)
            case Break():
                raise _Break
            case Continue():
                raise _Continue
            case Return():
                raise _Return
            case Switch(selector, cases):
                chosen = self.value(selector)
                start = next((i for i, c in enumerate(cases) if chosen in c.labels), None)
                if start is None:
                    start = next((i for i, c in enumerate(cases) if None in c.labels), len(cases))
                try:
                    for case in cases[start:]:
                        self.body(case.body)
                except _Break:
                    pass
            case _:
                raise AssertionError(stmt)

    def element(self, place: Place) -> int:
        (index,) = place.index
        at = int(self.value(index))
        if not 0 <= at < LARGEST:
            raise Meaningless
        return at

    def value(self, expr: Expr) -> float:
        self.steps += 1
        match expr:
            case Const(value):
                return value
            case Special(name, axis):
                at = "xyz".find(axis)
                match name:
                    case "threadIdx":
                        return self.thread[3 + at]
                    case "blockIdx":
                        return self.thread[at]
                    case "blockDim":
                        return self.launch.block[at]
                    case "gridDim":
                        return self.launch.grid[at]
                    case _:
                        return 32
            case Place(sym, index):
                if not index:
                    return self.variables[sym]
                at = self.element(expr)
                self.touched.append(("read", sym.name, at))
                if isinstance(expr.type, Scalar) and expr.type.is_float:
                    return (hash((sym.name, at)) % 1000) / 1000
                array = self.launch.arrays[sym.name]
                if at >= len(array):
                    raise Meaningless
                return array[at]
            case Unary(op, arg):
                value = self.value(arg)
                return _converted(not value if op == "!" else ~int(value) if op == "~" else -value, expr.type)
            case Binary("&&", left, right):
                return bool(self.value(left)) and bool(self.value(right))
            case Binary("||", left, right):
                return bool(self.value(left)) or bool(self.value(right))
            case Binary(op, left, right):
                return _operation(op, self.value(left), self.value(right), expr.type)
            case Select(cond, then, other):
                return self.value(then if self.value(cond) else other)
            case Cast(arg):
                return _converted(self.value(arg), expr.type)
            case Call(name, args):
                values = [self.value(a) for a in args]
                return {"min": min, "max": max}[name](values) if name in ("min", "max") else sum(values)
            case _:
                raise AssertionError(expr)


def _converted(value: float, type: Type) -> float:
    assert isinstance(type, Scalar | Pointer)
    if isinstance(type, Pointer) or type.is_float:
        return value
    if type.kind == "bool":
        return bool(value)
    bits = 8 * type.size
    whole = int(value) & ((1 << bits) - 1)
    return whole - (1 << bits) if type.kind == "signed" and whole >> (bits - 1) else whole


def _operation(op: str, a: float, b: float, type: Type) -> float:
    match op:
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
        case ">=":
            return a >= b
        case "==":
            return a == b
        case "!=":
            return a != b
    assert isinstance(type, Scalar)
    if type.is_float:
        return {"+": a + b, "-": a - b, "*": a * b, "/": a / (b or 1)}[op]
    i, j = int(a), int(b)
    match op:
        case "+":
            exact = i + j
        case "-":
            exact = i - j
        case "*":
            exact = i * j
        case "/" | "%":
            if j == 0:
                raise Meaningless
            quotient = abs(i) // abs(j) * (1 if (i < 0) == (j < 0) else -1)
            exact = quotient if op == "/" else i - quotient * j
        case "<<":
            exact = i << j
        case ">>":
            exact = i >> j
        case "&":
            exact = i & j
        case "|":
            exact = i | j
        case "^":
            exact = i ^ j
        case _:
            raise AssertionError(op)
    wrapped = _converted(exact, type)
    if type.kind == "signed" and wrapped != exact:
        raise Meaningless  # signed overflow
    return wrapped


__all__ = ["Launch", "Thread", "Touch", "touches"]
