"""Leave out products with zero or one, and sums with zero, where only a derivative depends on them.

    const Complex one = {1.0, 0.0};
    Complex scale = {144.0, 0.0};
    Complex a = {scale.r * b.r - scale.i * b.i,           Complex a = {144.0 * b.r, 144.0 * b.i};
                 scale.r * b.i + scale.i * b.r};    ->

Complex numbers, matrices and vectors with literal parts make such terms, and no compiler may drop them: zero
times infinity isn't zero. An infinite or undefined value of the primal has no derivative, though. What a
condition, an index, a jump, a tape or memory of the author's may depend on is recomputed as written, as in
`share_reciprocals`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field, replace

from ....ir import (
    Accumulate,
    Assign,
    Binary,
    Body,
    Const,
    Declare,
    Expr,
    Place,
    Stmt,
    Struct,
    Sym,
    Type,
    Unary,
    is_floating,
    rebuilt,
    walk,
)
from ...common.algebra import is_const, real, rewrite
from ...common.mod_ref import changes, written
from ...common.symbol_uses import mapped, standing
from .dead_stores import read_in
from .share_reciprocals import deciding_values, free_value

_KNOWN = (0.0, 1.0)


def fold_known_factors(body: Body) -> Body:
    """The body without such terms."""
    changed = frozenset[Sym]().union(*map(written, body))
    new = _Folding(deciding_values(body), changed).body(body)
    return _without_halves(new, changed, read_in(new))


def _without_halves(body: Body, changed: frozenset[Sym], read: Container[Sym]) -> Body:
    """The body without fields that are copies, in structs of which another field isn't read any more."""
    out: list[Stmt] = []
    rest = list(body)
    fields = Counter(
        s.sym.within for s in body if isinstance(s, Declare) and s.sym.within is not None and s.sym in read
    )
    halves = {whole for whole, number in fields.items() if number < _fields(whole.type)}
    for k, stmt in enumerate(body):
        stmt = rest[k]
        match stmt:
            case Declare(sym, Place() | Const() as value) if (
                sym.within in halves
                and sym not in changed
                and is_floating(value)
                and _is_constant(value, changed)
                and not any(changes(s, value) for s in rest[k + 1 :])
            ):
                rest[k + 1 :] = [mapped(s, standing(sym, value)) for s in rest[k + 1 :]]
                continue
            case _:
                pass
        out.append(rebuilt(stmt, lambda b: _without_halves(b, changed, read)))
    return tuple(out)


def _fields(type: Type) -> int:
    """The number of a struct's fields that are numbers."""
    return sum(_fields(f.type) for f in type.fields) if isinstance(type, Struct) else 1


def _is_constant(value: Place | Const, changed: Container[Sym]) -> bool:
    """Whether a value is a number without a name, or an element of a local array that never changes."""
    if isinstance(value, Const):
        return not value.named
    return bool(value.index) and value.sym.storage == "local" and value.sym not in changed


@dataclass
class _Folding:
    """`known` are variables that hold zero or one, and never change."""

    deciding: frozenset[Sym]
    changed: frozenset[Sym]
    known: dict[Sym, float] = field(default_factory=dict)

    def body(self, body: Body) -> Body:
        return tuple(map(self.stmt, body))

    def stmt(self, stmt: Stmt) -> Stmt:
        stmt = rebuilt(stmt, self.body)
        value = free_value(stmt, self.deciding)
        new = None if value is None else self.folded(value)
        match stmt:
            case Accumulate(_, amount) if new is not None and new != amount and self.number(new) != 0.0:
                stmt = replace(stmt, amount=new)
            case Declare(_, init) if new is not None and new != init:
                stmt = replace(stmt, init=new)
            case Assign(_, old, None) if new is not None and new != old:
                stmt = replace(stmt, value=new)
            case _:
                pass
        if isinstance(stmt, Declare) and stmt.sym not in self.changed and isinstance(stmt.init, Expr):
            number = self.number(stmt.init) if is_floating(stmt.init) else None
            if number is None:
                self.known.pop(stmt.sym, None)  # another declaration of the same name
            else:
                self.known[stmt.sym] = number
        return stmt

    def folded(self, expr: Expr) -> Expr:
        """An expression without operands that are known, operands first."""
        match expr:
            case Binary(macro=str()):
                return expr  # what a macro says may change
            case Binary("*" | "+" | "-" | "/", left, right) if is_floating(expr):
                return self.operation(expr, self.folded(left), self.folded(right))
            case _:
                return rewrite(expr, lambda part: None if part is expr else self.folded(part))

    def operation(self, expr: Binary, a: Expr, b: Expr) -> Expr:
        one, two = self.number(a), self.number(b)
        op, a, b = expr.op, self.written(a, one), self.written(b, two)
        if op == "*" and 0.0 in (one, two):
            return real(0.0, expr.type)
        if ((op in "*/" and two == 1.0) or (op in "+-" and two == 0.0)) and a.type == expr.type:
            return a
        if ((op == "*" and one == 1.0) or (op == "+" and one == 0.0)) and b.type == expr.type:
            return b
        if op == "-" and one == 0.0 and b.type == expr.type:
            return Unary("-", b, expr.type)
        if op == "+" and isinstance(b, Unary) and b.op == "-" and not isinstance(expr.right, Unary):
            return replace(expr, op="-", left=a, right=b.arg, spelling=None, macro=None)
        if a is expr.left and b is expr.right:
            return expr
        return replace(expr, left=a, right=b, spelling=None, macro=None)

    def written(self, expr: Expr, number: float | None) -> Expr:
        """A variable that is known as its number."""
        return real(number, expr.type) if isinstance(expr, Place) and number is not None else expr

    def number(self, expr: Expr) -> float | None:
        """Zero or one, if an expression is known to be that."""
        if isinstance(expr, Place) and not expr.index and not expr.path:
            return self.known.get(expr.sym)
        if any(isinstance(e, Const) and e.named for e in walk(expr)) or expr.macro is not None:
            return None
        return next((value for value in _KNOWN if is_const(expr, value)), None)
