# ruff: noqa: E501
"""Runs a kernel's integers as C has them, counting how often each loop runs; and writes loops at random."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from s2sad.ir import (
    Assign,
    Binary,
    Body,
    Break,
    Call,
    Cast,
    Const,
    Declare,
    DoWhile,
    Expr,
    For,
    Function,
    If,
    Place,
    Return,
    Scalar,
    Select,
    Special,
    Stmt,
    Sym,
    Type,
    Unary,
    While,
)

HEAD = "__global__ void k(const float *x, const int *idx, float *y, int n, int m, unsigned u)"
AT = "int t = threadIdx.x, b = blockIdx.x; float v = 0.0f;"
STEPS = 600  # statements; a program that runs longer isn't looked at


def source(body: str) -> str:
    return f"{HEAD}\n{{\n{AT}\n{body}\ny[t] = v;\n}}\n"


class Undefined(Exception):
    """The program overflows, divides by zero, or doesn't end."""


class _Break(Exception):
    pass


class _Return(Exception):
    pass


def held(value: int, type: Type) -> int:
    """A value as a type holds it."""
    assert isinstance(type, Scalar)
    bits = 8 * type.size
    if type.kind == "bool":
        return int(value != 0)
    if type.kind == "unsigned":
        return value % (1 << bits)
    return (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


@dataclass
class Run:
    """One thread's run. An element of an array, which nothing stores to, is drawn when it is first read."""

    known: Mapping[str, int]
    chance: random.Random
    values: dict[Sym, int] = field(default_factory=dict)
    trips: dict[Stmt, int] = field(default_factory=dict)
    memory: dict[tuple[Sym, tuple[int, ...]], int] = field(default_factory=dict)
    steps: int = 0

    def body(self, body: Body) -> None:
        for stmt in body:
            self.steps += 1
            if self.steps > STEPS:
                raise Undefined
            self.stmt(stmt)

    def stmt(self, stmt: Stmt) -> None:
        match stmt:
            case Declare(sym, init):
                if isinstance(init, Expr) and isinstance(sym.type, Scalar):
                    self.values[sym] = self.of(init)
            case Assign(Place(sym, ()), value, op) if isinstance(sym.type, Scalar):
                if sym.type.is_float:
                    return
                if op is not None:
                    old = Cast(stmt.target, value.type)
                    value = Binary(op.removesuffix("="), old, value, value.type)
                self.values[sym] = held(self.of(value), sym.type)
            case If(cond, then, other):
                self.body(then if self.of(cond) else other)
            case For(init, cond, step, body):
                self.body(init)
                self.loop(stmt, cond, (*body,), step)
            case While(cond, body):
                self.loop(stmt, cond, body, ())
            case DoWhile(body, cond):
                self.loop(stmt, cond, body, (), False)
            case Break():
                raise _Break
            case Return():
                raise _Return
            case _:
                pass

    def loop(self, stmt: Stmt, cond: Expr | None, body: Body, step: Body, first: bool = True) -> None:
        trips = 0
        try:
            while not first or cond is None or self.of(cond):
                trips += 1
                self.body(body)
                self.body(step)
                if not first and cond is not None and not self.of(cond):
                    break
                self.steps += 1
                if self.steps > STEPS:
                    raise Undefined
        except _Break:
            pass
        finally:
            self.trips[stmt] = max(trips, self.trips.get(stmt, 0))

    def of(self, expr: Expr) -> int:
        type = expr.type
        assert isinstance(type, Scalar)
        if type.is_float:
            return self.chance.randint(-3, 3)
        match expr:
            case Const(value):
                return int(value)
            case Place(sym, ()):
                return self.values[sym] if sym in self.values else self.known[sym.name]
            case Place(sym, index):
                at = sym, tuple(map(self.of, index))
                if at not in self.memory:  # small more often than not
                    far = self.chance.randint(-(2**31), 2**31 - 1)
                    self.memory[at] = self.chance.choice((0, 1, 2, 3, 4, 7, -1, -5, 100, far))
                return self.memory[at]
            case Special(name):
                return self.chance.randrange(2) if name in ("threadIdx", "blockIdx") else self.known[name]
            case Cast(arg):
                return held(self.of(arg), type)
            case Unary(op, arg):
                value = self.of(arg)
                return self.kept(
                    -value if op == "-" else ~value if op == "~" else int(not value) if op == "!" else value,
                    type,
                )
            case Select(cond, then, other):
                return self.of(then if self.of(cond) else other)
            case Call(name, (left, right)):
                return (min if "min" in name else max)(self.of(left), self.of(right))
            case Binary("&&" | "||" as op, left, right):
                one = self.of(left)
                return int(bool(one and self.of(right)) if op == "&&" else bool(one or self.of(right)))
            case Binary(op, left, right):
                return self.kept(_operation(op, self.of(left), self.of(right)), type)
            case _:
                raise AssertionError(expr)

    def kept(self, value: int, type: Scalar) -> int:
        if type.kind == "signed" and held(value, type) != value:
            raise Undefined
        return held(value, type)


def _operation(op: str, a: int, b: int) -> int:
    if op in ("/", "%"):
        if b == 0:
            raise Undefined
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if op == "/" else a - b * quotient
    if op in ("<<", ">>"):
        if not 0 <= b < 32 or (a < 0 and op == "<<"):
            raise Undefined
        return a << b if op == "<<" else a >> b
    compared = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}
    if op in compared:
        return int(compared[op])
    return {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}[op]


def run(function: Function, known: Mapping[str, int], chance: random.Random) -> dict[Stmt, int]:
    """How often each loop of one thread runs, at most at a time. Raises Undefined."""
    one = Run(known, chance)
    with suppress(_Return):
        one.body(function.body)
    return one.trips


def value_of(expr: Expr, known: Mapping[str, int]) -> int:
    """A bound, as a host computes it that has more bits than it needs."""
    match expr:
        case Const(number):
            return int(number)
        case Place(sym, ()):
            return known[sym.name]
        case Special(name):
            return known[name]
        case Cast(arg, type):
            return held(value_of(arg, known), type)
        case Unary("-", arg):
            return -value_of(arg, known)
        case Select(cond, then, other):
            return value_of(then if value_of(cond, known) else other, known)
        case Binary(op, left, right):
            return _operation(op, value_of(left, known), value_of(right, known))
        case _:
            raise AssertionError(expr)


@dataclass
class Author:
    """Writes loops over a few integers."""

    chance: random.Random
    depth: int = 0
    made: list[str] = field(default_factory=list)

    def text(self) -> str:
        out = []
        for name in ("a", "c", "e"):
            kind = self.chance.choice(
                ("int", "int", "int", "unsigned", "unsigned char", "short", "long long")
            )
            start = self.chance.choice(
                (
                    "0",
                    "1",
                    "n",
                    "m",
                    "m - 1",
                    "n + m",
                    "idx[t] & 7",
                    "7",
                    "250",
                    "min(idx[t], 9)",
                    "t",
                    "u",
                    "idx[t]",
                    "idx[t] % 6",
                    "n / 2",
                )
            )
            out.append(f"{kind} {name} = {start};")
        if self.chance.random() < 0.3:
            name = self.chance.choice("ace")
            out.append(f"if ({name} > {self.amount()}) {name} = {self.amount()};")
        out += [self.loop() for _ in range(self.chance.randint(1, 2))]
        return " ".join(out)

    def name(self) -> str:
        return self.chance.choice("aacce")

    def amount(self) -> str:
        return str(self.chance.choice((0, 1, 1, 2, 3, 4, 8, 200)))

    def side(self) -> str:
        return self.chance.choice(
            (
                self.name(),
                self.name(),
                "n",
                "m",
                self.amount(),
                f"{self.name()} + {self.amount()}",
                f"2 * {self.name()} + 1",
                f"{self.name()} - {self.name()}",
                "idx[0]",
                "-1",
            )
        )

    def test(self) -> str:
        kind = self.chance.random()
        if kind < 0.1:
            return self.name()
        if kind < 0.2:
            return "x[0] > 0.0f"
        op = self.chance.choice(("<", "<", "<", "<=", ">", ">", ">=", "!=", "=="))
        if kind < 0.6:
            end = self.chance.choice(("n", "m", self.amount(), self.amount(), self.name()))
            return f"{self.name()} {op} {end}"
        return f"{self.side()} {op} {self.side()}"

    def cond(self) -> str:
        kind = self.chance.random()
        if kind < 0.6:
            return self.test()
        return f"{self.test()} {'&&' if kind < 0.85 else '||'} {self.test()}"

    def change(self) -> str:
        a, c = self.name(), self.name()
        if self.chance.random() < 0.4:
            return self.chance.choice(
                (f"++{a};", f"--{a};", f"{a} += {self.amount()};", f"{a} -= {self.amount()};")
            )
        return self.chance.choice((
            f"++{a};", f"{a}++;", f"--{a};", f"{a} += {self.amount()};", f"{a} -= {self.amount()};", f"{a} /= 2;",
            f"{a} >>= 1;", f"{a} *= 2;", f"{a} = 2 * {a} + 1;", f"{a} = ({a} + {c}) / 2;", f"{a} = {c};",
            f"{a} = {a} + ({c} - {a}) / 2;", f"{a} = ({a} + {c}) / 2 + 1;", f"{a} &= {a} - 1;", f"{a} %= {c};",
            f"{a} = {c} % {self.amount()};", f"{a} += idx[0] & 3;", f"{a} = min((int){a}, {self.amount()});", f"{a} += 1 + (idx[1] & 1);",
            f"{a} = {a} > {self.amount()} ? {a} - 1 : {a} + 1;", f"int d = {a}; {a} = {c}; {c} = d;", f"{a} = ~{a};",
            f"{a} = {a} | 1;", f"{a} ^= {c};", f"{a} -= {c};", f"{a} = ({a} + 1) % {self.amount()};",
        ))  # fmt: skip

    def body(self) -> str:
        out = ["v += 1.0f;"]
        for _ in range(self.chance.randint(1, 3)):
            kind = self.chance.random()
            if kind < 0.45:
                out.append("{ " + self.change() + " }")
            elif kind < 0.7:
                out.append(f"if ({self.cond()}) {{ {self.change()} }} else {{ {self.change()} }}")
            elif kind < 0.78:
                out.append(
                    f"if ({self.cond()}) {{ {self.change()} {self.chance.choice(('break;', 'continue;', 'break;', 'return;'))} }}"
                )
            elif kind < 0.86:
                out.append(f"if ({self.cond()}) break;")
            elif kind < 0.92 and self.depth < 2:
                out.append(self.loop())
            else:
                out.append(
                    f"switch ({self.name()} & 3) {{ case 0: {{ {self.change()} }} break; case 1: {{ {self.change()} }} break; default: break; }}"
                )
        return " ".join(out)

    def loop(self) -> str:
        self.depth += 1
        kind, body = self.chance.random(), self.body()
        self.depth -= 1
        if kind < 0.4:
            return f"while ({self.cond()}) {{ {body} }}"
        if kind < 0.6:
            return f"do {{ {body} }} while ({self.cond()});"
        if kind < 0.7:
            return f"for (;;) {{ {body} }}"
        step = self.change().split(";")[0]
        return f"for (; {self.cond()}; {step if 'int ' not in step else '++a'}) {{ {body} }}"
