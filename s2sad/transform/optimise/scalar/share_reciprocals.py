"""Invert once what the primal divided by and its derivative divides by again.

    float f = (high - x) / (high - low);              float per_high_low = 1.0f / (high - low);
    …                                           ->    float f = (high - x) * per_high_low;
    adj_high += (1.0f - f) * g / (high - low);        …
                                                      adj_high += (1.0f - f) * g * per_high_low;

A division takes ten times as long as a product, and more instructions and registers. The product adds an
error of one ulp. So a division of the author's is changed only where nothing but the value of a
derivative depends on it: what a condition, an index, a conversion to an integer, a jump, a tape or
memory of the author's may depend on is recomputed as written. A reciprocal that the author computed is
used as it is. A branch or loop also uses the tool's reciprocals that are declared before it; there only
what the derivative divides becomes a product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ....ir import (
    COMPARISONS,
    LOGICAL,
    Accumulate,
    AddressOf,
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Clear,
    Declare,
    Expr,
    If,
    Initialiser,
    Place,
    Restore,
    Scalar,
    Select,
    Stmt,
    Sym,
    expressions,
    rebuilt,
    statements,
    walk,
)
from ...common.adjoint_names import adjoint_name, by_operation
from ...common.algebra import is_const, real, rewrite
from ...common.mod_ref import changes, sets, written

SMOOTH = frozenset(
    {
        *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf"),
        *("erfc", "exp", "exp10", "exp2", "expm1", "fma", "hypot", "log", "log10", "log1p"),
        *("log2", "neg", "pow", "rcp", "rsqrt", "sin", "sinh", "sqrt", "sum", "tan", "tanh"),
    }
)
"""Functions whose value changes by little where an argument does."""


def share_reciprocals(body: Body) -> Body:
    """The body with such divisions replaced by products."""
    deciding = deciding_values(body)
    stored = frozenset[Sym]().union(*map(written, body))
    return _Sharing(deciding, stored).shared(body, {})


@dataclass(frozen=True)
class _Sharing:
    """What may not change in the whole body: `deciding` values, and reciprocals that are stored to."""

    deciding: frozenset[Sym]
    stored: frozenset[Sym]

    def shared(self, body: Body, known: Mapping[Expr, Sym]) -> Body:
        """The body with products; `known` has the reciprocals of the enclosing bodies, by divisor."""
        at_hand = known
        served: list[Stmt] = []
        for stmt in body:
            served.append(self.served(stmt, at_hand))
            at_hand = _untouched(at_hand, stmt)
        at_hand = dict(known)
        out: list[Stmt] = []
        for stmt in self.grouped(served):
            at_hand = _untouched(at_hand, stmt)
            out.append(rebuilt(stmt, partial(self.shared, known=at_hand)))
            match stmt:
                case Declare(sym, Binary(_, _, right) as init) if sym.ours and self.inverts(sym, init):
                    at_hand.setdefault(right, sym)
                case _:
                    pass
        return tuple(out)

    def served(self, stmt: Stmt, at_hand: Mapping[Expr, Sym]) -> Stmt:
        """A statement of the derivative with products by the reciprocals at hand."""
        value, own = _value(stmt, self.deciding)
        if own and value is not None:
            for divisor in dict.fromkeys(_served(stmt, value, self.deciding)):
                if divisor in at_hand:
                    stmt = _multiplied(stmt, divisor, at_hand[divisor])
        return stmt

    def grouped(self, body: Sequence[Stmt]) -> Body:
        """The body with a reciprocal for each value that its own statements divide by more than once."""
        out = list(body)
        groups = [g for g in _groups(out, self.deciding) if g.worth]
        before: dict[int, list[Stmt]] = {}
        for group in groups:
            inverse = self.at_first(out, group)
            members = group.members[1:] if inverse is not None else group.members
            if inverse is None:
                inverse, value = _inverse(group.divisor)
                before.setdefault(members[0], []).append(Declare(inverse, value))
            for k in members:
                out[k] = _multiplied(out[k], group.divisor, inverse)
        return tuple(s for k, stmt in enumerate(out) for s in (*before.get(k, ()), stmt))

    def at_first(self, body: Sequence[Stmt], group: _Group) -> Sym | None:
        """The variable in which the first of the statements has the reciprocal, if it stays there."""
        match body[group.members[0]]:
            case Declare(sym, Binary(_, _, group.divisor) as init) if self.inverts(sym, init):
                return sym
            case _:
                return None

    def inverts(self, sym: Sym, value: Expr) -> bool:
        """Whether a variable that is declared with a value is a reciprocal, and stays it."""
        return _inverts(value) and sym.type == value.type and sym not in self.stored


def _untouched(at_hand: Mapping[Expr, Sym], stmt: Stmt) -> dict[Expr, Sym]:
    """The reciprocals of values that are the same before, inside and after a statement."""
    return {
        divisor: sym
        for divisor, sym in at_hand.items()
        if not changes(stmt, divisor) and sets(stmt).isdisjoint(divisor.symbols)
    }


@dataclass
class _Group:
    """Statements of one body, by position, that divide by the same value, and how often the tool's do."""

    divisor: Expr
    members: list[int] = field(default_factory=list)
    divisions: int = 0
    derived: int = 0

    @property
    def worth(self) -> bool:
        """Whether a derivative divides by the value, and something else or another one does."""
        return self.derived > 0 and self.divisions > 1


def _groups(body: Sequence[Stmt], deciding: frozenset[Sym]) -> Iterator[_Group]:
    """The divisions by equal values, with the value unchanged from the first to the last."""
    open_: dict[Expr, _Group] = {}
    for k, stmt in enumerate(body):
        value, own = _value(stmt, deciding)
        found = _served(stmt, value, deciding) if value is not None else []
        for divisor in found:
            group = open_.setdefault(divisor, _Group(divisor))
            if group.members[-1:] != [k]:
                group.members.append(k)
            group.divisions += 1
            group.derived += own
        for divisor in [d for d in open_ if changes(stmt, d)]:
            yield open_.pop(divisor)
    yield from open_.values()


def free_value(stmt: Stmt, deciding: frozenset[Sym]) -> Expr | None:
    """The value of a statement that may change by little, as no more than a derivative depends on it."""
    return None if _decides(stmt, deciding) else _value(stmt, deciding)[0]


def _decides(stmt: Stmt, deciding: frozenset[Sym]) -> bool:
    """Whether a statement declares a reciprocal on whose exact value more may depend."""
    return isinstance(stmt, Declare) and not _free(stmt.sym, deciding)


def _served(stmt: Stmt, value: Expr, deciding: frozenset[Sym]) -> list[Expr]:
    """What a statement may be served the reciprocals of: one that decides, of its whole divisor only."""
    found = list(_divisors(value))
    if not _decides(stmt, deciding):
        return found
    return found[:1] if isinstance(value, Binary) and found[:1] == [value.right] else []


def _value(stmt: Stmt, deciding: frozenset[Sym]) -> tuple[Expr | None, bool]:
    """The value whose divisions may be changed, if any, and whether it is a derivative's."""
    match stmt:
        case Accumulate(_, amount):
            return amount, True
        case Declare(sym, init) if isinstance(init, Expr) and (_free(sym, deciding) or _inverts(init)):
            return init, sym.ours
        case Assign(Place(sym), value, None) if _free(sym, deciding):
            return value, sym.ours
        case Assign(Place(sym) as target, value, "/=") if _free(sym, deciding) and target.type == value.type:
            return Binary("/", target, value, target.type), sym.ours
        case _:
            return None, False


def _divisors(expr: Expr) -> Iterator[Expr]:
    """What an expression divides by whenever it is evaluated: values that are made of variables."""
    match expr:
        case Binary("/", _, right, Scalar(is_float=True)) if right.symbols and right.type == expr.type:
            if not any(isinstance(e, Call | Select) for e in walk(right)):
                yield right
        case Select(cond):
            yield from _divisors(cond)
            return
        case Binary(op, left) if op in LOGICAL:
            yield from _divisors(left)
            return
        case _:
            pass
    for operand in expr.operands:
        yield from _divisors(operand)


def _free(sym: Sym, deciding: frozenset[Sym]) -> bool:
    return sym.storage == "local" and sym not in deciding


def _inverts(value: Expr) -> bool:
    return isinstance(value, Binary) and value.op == "/" and is_const(value.left, 1.0)


def _inverse(divisor: Expr) -> tuple[Sym, Expr]:
    assert isinstance(divisor.type, Scalar)
    name, longer = adjoint_name(divisor, "per"), by_operation(divisor, "per")
    of = divisor.sym if isinstance(divisor, Place) and not divisor.index else None
    sym = Sym(name, divisor.type, span=divisor.span, of=of, otherwise=(longer,) if longer != name else ())
    return sym, Binary("/", real(1.0, divisor.type), divisor, divisor.type)


def _multiplied(stmt: Stmt, divisor: Expr, inverse: Sym) -> Stmt:
    """The statement with products instead of its divisions by a value."""
    factor = Place(inverse, (), divisor.type)

    def change(e: Expr) -> Expr | None:
        match e:
            case Binary("/", left, right, Scalar(is_float=True)) if right == divisor and right.type == e.type:
                if is_const(left, 1.0):
                    return factor
                return Binary("*", rewrite(left, change), factor, e.type)
            case Select(cond, then, other):
                return replace(e, cond=rewrite(cond, change), then=then, other=other)
            case _:
                return None

    match stmt:
        case Accumulate(_, amount):
            return replace(stmt, amount=rewrite(amount, change))
        case Declare(_, init) if isinstance(init, Expr):
            return replace(stmt, init=rewrite(init, change))
        case Assign(_, value, "/=") if value == divisor:
            return replace(stmt, value=factor, op="*=")
        case Assign(_, value):
            return replace(stmt, value=rewrite(value, change))
        case _:
            raise AssertionError(stmt)


# ---- what must not change -------------------------------------------------------


def deciding_values(body: Body) -> frozenset[Sym]:
    """The variables on whose exact values more than the value of a derivative may depend."""
    found: set[Sym] = set()
    sources: dict[Sym, set[Sym]] = {}
    for stmt in statements(body):
        match stmt:
            case Accumulate(target, value) | Assign(target, value) | Restore(target, value):
                _flow(target, (value,), sources, found)
            case Declare(sym, init) if init is not None:
                values = init.values if isinstance(init, Initialiser) else (init,)
                sources.setdefault(sym, set()).update(*(v.symbols for v in values))
            case Declare() | Clear():
                pass
            case If():
                pass  # what its condition compares is in the condition
            case _:
                found.update(*(e.symbols for e in expressions(stmt)))
        for whole in expressions(stmt):
            for part in walk(whole):
                found |= _exact(part)
    found -= _derivatives(body, sources)
    waiting = list(found)
    while waiting:
        new = sources.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return frozenset(found)


def _derivatives(body: Body, sources: Mapping[Sym, set[Sym]]) -> set[Sym]:
    """The adjoints, and what is made of them: no value of the primal is, and they decide nothing."""
    made_of: dict[Sym, set[Sym]] = {}
    for sym, values in sources.items():
        for value in values:
            made_of.setdefault(value, set()).add(sym)
    found = {s.target.sym for s in statements(body) if isinstance(s, Accumulate)}
    waiting = list(found)
    while waiting:
        new = made_of.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _flow(target: Place, values: Iterable[Expr], sources: dict[Sym, set[Sym]], found: set[Sym]) -> None:
    sym = target.sym
    into = found if sym.storage != "local" and not sym.ours else sources.setdefault(sym, set())
    into.update(*(v.symbols for v in values))


def _exact(part: Expr) -> frozenset[Sym]:
    """The variables whose values an expression uses other than in smooth arithmetic."""
    match part:
        case Place():
            return frozenset[Sym]().union(*(e.symbols for e in part.index))
        case Binary("!=", Place(sym), zero) if sym.ours and is_const(zero, 0.0):
            return frozenset()  # a product is zero where the quotient is
        case Binary(op) if op in COMPARISONS:
            return part.symbols
        case Cast(arg, Scalar(is_float=False)):
            return arg.symbols
        case Call(rule=rule) if rule not in SMOOTH:
            return part.symbols
        case AddressOf():
            return part.symbols
        case _:
            return frozenset()
