"""Checks of the lesson skin's formulas by numbers: against the primal's statement, and the code below.

Every variable and every element has a number, found by its text. A formula is evaluated as it is
printed, through a C parser. The primal's statement is evaluated from its IR and differentiated by
differences; the code below the formula is evaluated from the IR of the adjoint, with the values
that the tool's own variables and tapes hold.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from pycparser import c_ast, c_generator, c_parser

from s2sad import ir
from s2sad.emit.formulas import Formulas
from s2sad.emit.lessons import Lessons
from s2sad.ir import (
    Accumulate,
    Assign,
    Binary,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    Function,
    Place,
    Record,
    Select,
    Share,
    Stmt,
    Sym,
    Unary,
    statements,
)
from s2sad.irtext import show
from s2sad.transform.plan.pullbacks import assigned

FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "exp": math.exp, "log": math.log, "sqrt": math.sqrt,
    "rsqrt": lambda x: 1 / math.sqrt(x), "tanh": math.tanh, "fabs": abs, "fmax": max, "fmin": min,
    "pow": math.pow, "erf": math.erf, "sinh": math.sinh, "cosh": math.cosh, "atan": math.atan,
    "fma": lambda x, y, z: x * y + z, "exp2": lambda x: 2.0**x, "log1p": math.log1p, "expm1": math.expm1,
    "hypot": math.hypot, "rcp": lambda x: 1 / x, "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
    "sqrtf": math.sqrt,
}  # fmt: skip


class Unknown(Exception):
    """An expression that this kit doesn't evaluate."""


def number(text: str) -> float:
    """Return the number of a variable or an element, between a half and one and a half."""
    return 0.5 + int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32


# ---- printed formulas ----------------------------------------------------------


def parsed(text: str) -> c_ast.Node:
    """Parse a formula's right side."""
    unit = c_parser.CParser().parse(f"void f(void) {{ {text}; }}")
    (stmt,) = unit.ext[0].body.block_items
    return stmt


def names(node: c_ast.Node) -> Iterator[str]:
    """Yield the variables of a formula, without the fields and functions."""
    if isinstance(node, c_ast.ID):
        yield node.name
    elif isinstance(node, c_ast.StructRef):
        yield from names(node.name)
    elif isinstance(node, c_ast.FuncCall):
        yield from names(node.args) if node.args else ()
    else:
        for _, child in node.children():
            yield from names(child)


def leaves(node: c_ast.Node) -> Iterator[str]:
    """Yield the variables and elements of a formula, as they are written."""
    match node:
        case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef():
            yield c_generator.CGenerator().visit(node)
        case c_ast.FuncCall():
            yield from leaves(node.args) if node.args else ()
        case _:
            for _, child in node.children():
                yield from leaves(child)


_BINARY: Mapping[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "<": lambda a, b: float(a < b), ">": lambda a, b: float(a > b), "<=": lambda a, b: float(a <= b),
    ">=": lambda a, b: float(a >= b), "==": lambda a, b: float(a == b), "!=": lambda a, b: float(a != b),
    "&&": lambda a, b: float(bool(a) and bool(b)), "||": lambda a, b: float(bool(a) or bool(b)),
}  # fmt: skip


def value_of(node: c_ast.Node, known: Mapping[str, float]) -> float:
    """Evaluate a formula; `known` has the numbers of some variables, the others have their own."""
    match node:
        case c_ast.Constant():
            return float(int(node.value, 16) if node.value.startswith("0x") else node.value)
        case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef():
            text = c_generator.CGenerator().visit(node)
            return known.get(text, number(text))
        case c_ast.UnaryOp(op="-"):
            return -value_of(node.expr, known)
        case c_ast.BinaryOp() if node.op in _BINARY:
            return _BINARY[node.op](value_of(node.left, known), value_of(node.right, known))
        case c_ast.TernaryOp():
            return value_of(node.iftrue if value_of(node.cond, known) else node.iffalse, known)
        case c_ast.FuncCall() if node.name.name in FUNCTIONS:
            return FUNCTIONS[node.name.name](*(value_of(a, known) for a in node.args.exprs))
        case _:
            raise Unknown(type(node).__name__)


# ---- expressions of the IR -------------------------------------------------------


@dataclass
class Evaluator:
    """Evaluates expressions; `held` are the values of the tool's variables and tapes, as expressions."""

    formulas: Formulas
    held: Mapping[Sym, Expr] = field(default_factory=dict)
    known: dict[str, float] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)

    def text(self, place: Place) -> str:
        """The text by which a place has its number: in the form of the C parser."""
        return c_generator.CGenerator().visit(parsed(self.formulas.text(place)))

    def value(self, expr: Expr) -> float:
        match expr:
            case Const():
                if expr.named and (expr.spelling or "").isidentifier():
                    return number(expr.spelling or "")
                return float(expr.value)
            case Place(sym) if sym in self.held:
                return self.value(self.held[sym])
            case Place():
                text = self.text(expr)
                self.read.add(text)
                return self.known.get(text, number(text))
            case Unary("-", arg):
                return -self.value(arg)
            case Cast(arg):
                return self.value(arg)
            case Binary(op, left, right) if op in _BINARY and ir.is_floating(expr):
                return _BINARY[op](self.value(left), self.value(right))
            case Binary(op, left, right) if op in _BINARY:
                return _BINARY[op](self.value(left), self.value(right))
            case Select(cond, then, other):
                return self.value(then if self.value(cond) else other)
            case Call(rule=rule, args=args) if rule in FUNCTIONS:
                return FUNCTIONS[rule](*map(self.value, args))
            case _:
                raise Unknown(type(expr).__name__)


def difference(stmt: Declare | Assign, share: Share, formulas: Formulas) -> float:
    """d(the statement's value)/d(operand), by a central difference in double precision."""
    _, value = assigned(stmt)
    at = Evaluator(formulas)
    place = at.text(share.operand)
    here, step = number(place), 1e-5
    after: list[float] = []
    for moved in (here + step, here - step):
        at.known[place] = moved
        after.append(at.value(value))
    return (after[0] - after[1]) / (2 * step)


def decides(value: Expr) -> bool:
    """Whether an expression has sides, of which only one has a derivative."""
    kinked = ("fmax", "fmin", "fabs")
    return any(isinstance(e, Select) or (isinstance(e, Call) and e.rule in kinked) for e in ir.walk(value))


def subsets(terms: Sequence[float]) -> Iterator[tuple[float, ...]]:
    for size in range(len(terms) + 1):
        yield from combinations(terms, size)


def _same(share: Share) -> bool:
    return share.of.sym is share.operand.sym and share.of.index == share.operand.index


def _names_differ(stmt: Declare | Assign, share: Share, formulas: Formulas) -> bool:
    """Whether each name of the statement stands for one variable; copies of a struct share theirs."""
    named: dict[str, Sym] = {}
    for place in (share.of, *(e for expr in ir.expressions(stmt) for e in ir.walk(expr))):
        if isinstance(place, Place):
            name = formulas.text(Place(place.sym, (), place.type))
            if named.setdefault(name, place.sym) is not place.sym:
                return False
    return True


def partials(function: Function, formulas: Formulas) -> Iterator[tuple[str, float, float]]:
    """Yield the partials of a function's formulas, summed by statement and operand, and the differences."""
    found: dict[tuple[Stmt, str, str], list[Share]] = {}
    for stmt in statements(function.body):
        for site in (*getattr(stmt, "sites", ()), *getattr(stmt, "told", ())):
            share = site.share
            if isinstance(site.stmt, Declare | Assign) and share is not None and share.through is None:
                key = site.stmt, formulas.text(share.of), formulas.text(share.operand)
                shares = found.setdefault(key, [])
                if not any(share is other for other in shares):
                    shares.append(share)
    for (stmt, of, operand), shares in found.items():
        assert isinstance(stmt, Declare | Assign)
        if isinstance(stmt, Declare) and not isinstance(stmt.init, Expr):
            continue
        if isinstance(stmt, Assign) and stmt.op in ("+=", "-=") and of == operand:
            continue  # the share of the old value stays where it is
        if not _names_differ(stmt, shares[0], formulas):
            continue
        try:
            target, value = assigned(stmt)
            at = Evaluator(formulas)
            if target.sym not in value.symbols:
                at.known[at.text(target)] = at.value(value)
            known = dict(at.known)
            terms = [value_of(parsed(formulas.text(share.partial)), known) for share in shares]
            if _same(shares[0]) and not any(share.sets for share in shares):
                terms[0] += 1  # the adjoint is added to
            sums = {sum(terms)} if not decides(value) else {sum(some) for some in subsets(terms)}
            exact = difference(stmt, shares[0], formulas)
            yield f"{show(stmt)}: d{of}/d{operand}", min(sums, key=lambda s: abs(s - exact)), exact
        except (Unknown, ValueError, OverflowError, ZeroDivisionError):
            continue


# ---- the code below a formula ------------------------------------------------------


def held(function: Function) -> dict[Sym, Expr]:
    """The values of variables of the tool that are set once, and of tapes that are written in one place."""
    values: dict[Sym, list[Expr | None]] = {}
    for stmt in statements(function.body):
        match stmt:
            case Declare(sym, init) if sym.ours and sym.of is None:
                if init is not None:
                    values.setdefault(sym, []).append(init if isinstance(init, Expr) else None)
            case Record(tape, value):
                values.setdefault(tape.sym, []).append(value)
            case Assign(target) | Accumulate(target):
                values.setdefault(target.sym, []).append(None)
            case _:
                for e in ir.expressions(stmt):
                    for part in ir.walk(e):
                        if isinstance(part, ir.AddressOf):
                            values.setdefault(part.place.sym, []).append(None)
    return {sym: found[0] for sym, found in values.items() if len(found) == 1 and found[0] is not None}


def amounts(function: Function, lessons: Lessons, formulas: Formulas) -> Iterator[tuple[str, float, float]]:
    """Yield what the last formula above an addition adds, and what the code below it adds."""
    at = Evaluator(formulas, held(function))
    for stmt in statements(function.body):
        if not isinstance(stmt, Accumulate) or isinstance(stmt.amount.type, ir.Array):
            continue
        said = [line.formula for line in lessons.of((stmt,)) if line.formula]
        if not said or any(s.share is None or s.share.through is not None for s in (*stmt.told, *stmt.sites)):
            continue
        known: dict[str, float] = {}
        try:
            for text in said:
                target, op, right = re.fullmatch(r"(.*?) ([-+]?=) (.*)", text).groups()
                value = value_of(parsed(right), known)
                value = -value if op == "-=" else value
                known[c_generator.CGenerator().visit(parsed(target))] = value
            at.read.clear()
            below = at.value(stmt.amount)
            wanted = {leaf for text in said for leaf in leaves(parsed(text.partition("= ")[2]))} - set(known)
            if wanted != at.read - set(known):
                continue
            yield f"{said} / {show(stmt)}", value, -below if stmt.negative else below
        except (Unknown, ValueError, OverflowError, ZeroDivisionError):
            continue
