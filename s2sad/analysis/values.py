"""What an integer expression is, as a polynomial, and what a condition says.

`Reader` evaluates expressions for one thread at one place. Values are exact integers:
that no index wraps around is assumed of the primal. An unsigned difference that may
go below zero is different: it wraps in correct programs too (`i - 1u`), so it is only
known modulo a power of two, and what is computed from it proves nothing until it is
signed again. Narrowing conversions, truncating division and whatever else isn't a
polynomial become atoms of their own, about which only bounds are known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar, assert_never

from ..ir import (
    AddressOf,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Place,
    Pointer,
    Scalar,
    Select,
    Special,
    Sym,
    Type,
    Unary,
    children,
)
from .affine import (
    ONE,
    ZERO,
    Atom,
    Atoms,
    Choice,
    Division,
    Load,
    Poly,
    joined,
    number,
    variable,
)
from .ranges import Facts, below, holds

T = TypeVar("T")

EXTREMES = ("min", "max", "umin", "umax", "llmin", "llmax", "ullmin", "ullmax")
LARGEST = 24  # terms of a polynomial; beyond it the value is taken for unknown
HASH = 1 << 16  # an unsigned product with so large a factor is meant to wrap


@dataclass(frozen=True)
class Wrapped:
    """An unsigned value that equals `value` modulo 2**bits."""

    value: Poly
    bits: int


@dataclass(frozen=True)
class Truth:
    """What follows (polynomials >= 0) if a condition is true, and if it is false.

    `yes_whole`: the condition is true wherever `yes` holds; `no_whole` likewise.
    """

    yes: Facts = ()
    no: Facts = ()
    yes_whole: bool = False
    no_whole: bool = False
    uniform: bool = False

    @property
    def negation(self) -> Truth:
        return Truth(self.no, self.yes, self.no_whole, self.yes_whole, self.uniform)


Value = Poly | Wrapped | Truth | None
"""None: a floating value, or an address."""

OPAQUE = Truth()


class Reader:
    """Evaluates expressions with the variables and facts of the current place.

    `seen` is told each element of an array that is read, with its index, in the
    context of the place where it stands; `heard` each polynomial on which the
    thread's behaviour may depend.
    """

    def __init__(
        self,
        atoms: Atoms,
        constant: frozenset[Sym],
        one: frozenset[str],
        seen: Callable[[Place, Poly], None],
        heard: Callable[[Poly], None],
    ) -> None:
        self.atoms = atoms
        self.constant = constant  # integer arrays that the launch never writes
        self.one = one  # the axes in which the launch is declared to be one thread wide
        self.variables: dict[Sym, Value] = {}
        self.facts: Facts = ()
        self.seen = seen
        self.heard = heard

    # ---- values -------------------------------------------------------------

    def value(self, expr: Expr) -> Value:
        match expr:
            case Const(value, Scalar(kind=kind)):
                if kind == "float":
                    return None
                if kind == "bool":
                    return Truth(yes_whole=bool(value), no_whole=not value, uniform=True)
                return number(int(value))
            case Special():
                return self.special(expr)
            case Place():
                return self.place(expr)
            case AddressOf():
                self.address(expr.place)
                return None
            case Cast():
                return self.convert(self.value(expr.arg), expr.arg.type, expr.type)
            case Unary():
                return self.unary(expr)
            case Binary():
                if isinstance(expr.type, Scalar) and expr.type.is_float:
                    self.scan(expr)
                    return None
                return self.binary(expr)
            case Select():
                return self.select(expr)
            case Call():
                return self.call(expr)
            case _:
                assert_never(expr)

    def scan(self, expr: Expr) -> None:
        """Comes past everything in a floating expression, however long its chains are."""
        left: list[Expr] = [expr]
        while left:
            e = left.pop()
            if isinstance(e, Binary | Unary) and isinstance(e.type, Scalar) and e.type.is_float:
                left.extend(reversed(children(e)))
            else:
                self.sink(self.value(e))

    def integer(self, expr: Expr) -> Poly:
        return self.exact(self.value(expr))

    def exact(self, value: Value) -> Poly:
        """The value as a polynomial, if need be of an atom about which nothing is known."""
        match value:
            case Poly():
                return self.folded(value)
            case Wrapped(inner):
                self.heard(inner)
                return self.unknown("wraps", low=0, uniform=inner.is_uniform)
            case Truth():
                atom = self.atoms.fresh("truth", "uniform" if value.uniform else "free", 0)
                self.atoms.bound(atom, ONE - variable(atom))
                return variable(atom)
            case None:
                return self.unknown("value")
            case _:
                assert_never(value)

    def unknown(self, name: str, low: int | None = None, uniform: bool = False) -> Poly:
        return variable(self.atoms.fresh(name, "uniform" if uniform else "free", low))

    def sink(self, value: Value) -> None:
        """The thread's behaviour may depend on the value from here on."""
        if isinstance(value, Poly):
            self.heard(value)
        elif isinstance(value, Wrapped):
            self.heard(value.value)

    def truth(self, expr: Expr) -> Truth:
        return self.as_truth(self.value(expr))

    def as_truth(self, value: Value) -> Truth:
        match value:
            case Truth():
                return value
            case Poly():
                self.heard(value)
                yes = (value - ONE,) if holds(value, self.facts, self.atoms) else ()
                return Truth(yes, (value, -value), bool(yes), True, value.is_uniform)
            case _:
                self.sink(value)
                return OPAQUE

    # ---- leaves -------------------------------------------------------------

    def special(self, expr: Special) -> Value:
        if expr.name == "warpSize":
            return number(32)
        extent = expr.name in ("blockDim", "gridDim")
        if expr.axis in self.one:
            return ONE if extent else ZERO
        find = self.extent if extent else self.coordinate
        return variable(find(expr.name, expr.axis))

    def extent(self, name: str, axis: str) -> Atom:
        return self.atoms.named((name, axis), f"{name}.{axis}", "uniform", 1)

    def coordinate(self, name: str, axis: str) -> Atom:
        """`threadIdx.x` and kin: at least 0, less than the extent."""
        size = self.extent("blockDim" if name == "threadIdx" else "gridDim", axis)
        atom = self.atoms.named((name, axis), f"{name}.{axis}", "position", 0)
        if atom not in self.atoms.bounds:
            self.atoms.bound(atom, variable(size) - ONE - variable(atom))
        return atom

    def place(self, place: Place) -> Value:
        if place.index:
            return self.element(place)
        if isinstance(place.type, Pointer) or not isinstance(place.type, Scalar):
            return None
        if place.type.is_float:
            return None
        if place.sym not in self.variables:
            self.variables[place.sym] = self.initial(place.sym, place.type)
        return self.variables[place.sym]

    def initial(self, sym: Sym, type: Scalar) -> Value:
        """A parameter or a constant of the file: the same for all threads. A local: anything."""
        if type.kind == "bool":
            return Truth(uniform=sym.storage in ("parameter", "global"))
        scope: Literal["uniform", "free"] = "free" if sym.storage == "local" else "uniform"
        low = 0 if type.kind == "unsigned" else None
        return variable(self.atoms.named(("initial", sym), sym.name, scope, low))

    def element(self, place: Place) -> Value:
        indices = [self.address_of(i) for i in place.index]
        for index in indices:
            self.heard(index)
        if isinstance(place.sym.type, Pointer) and len(indices) == 1:
            self.seen(place, indices[0])
        if not isinstance(place.type, Scalar) or place.type.is_float:
            return None
        if place.type.kind == "bool":
            return OPAQUE
        low = 0 if place.type.kind == "unsigned" else None
        if place.sym not in self.constant or len(indices) != 1:
            return self.unknown(place.sym.name, low)
        load = Load(place.sym, indices[0])
        name = f"{place.sym.name}[{indices[0]}]"
        return variable(self.atoms.named(load, name, joined(indices[0].atoms), low, load))

    def address_of(self, index: Expr) -> Poly:
        """An index: addresses have 64 bits, and none is out of bounds."""
        value = self.value(index)
        if isinstance(value, Wrapped) and value.bits == 64:
            return self.folded(value.value)
        return self.exact(value)

    def address(self, place: Place) -> None:
        """`&v`: whoever gets it may write there."""
        if place.index:
            self.element(place)
        elif isinstance(place.type, Scalar):
            self.sink(self.variables.get(place.sym))
            self.variables[place.sym] = self.anything(place.type)

    def anything(self, type: Type) -> Value:
        if not isinstance(type, Scalar) or type.is_float:
            return None
        if type.kind == "bool":
            return OPAQUE
        return self.unknown("value", 0 if type.kind == "unsigned" else None)

    # ---- operators ----------------------------------------------------------

    def unary(self, expr: Unary) -> Value:
        value = self.value(expr.arg)
        if expr.op == "!":
            return self.as_truth(value).negation
        if value is None:
            return None
        p = self.exact(value)
        match expr.op:
            case "+":
                return p
            case "-":
                return self.ranged(-p, expr.type)
            case "~":
                return self.ranged(-p - ONE, expr.type)
            case _:
                assert_never(expr.op)

    def ranged(self, p: Poly, type: Type) -> Value:
        """The result of an operation done in `type`, where it may fall below zero."""
        assert isinstance(type, Scalar)
        if type.kind != "unsigned" or holds(p, self.facts, self.atoms):
            return p
        return Wrapped(p, 8 * type.size)

    def binary(self, expr: Binary) -> Value:
        match expr.op:
            case "&&":
                return self.conjunction(expr.left, expr.right)
            case "||":
                return self.disjunction(expr.left, expr.right)
            case "<" | "<=" | ">" | ">=" | "==" | "!=":
                return self.comparison(expr.op, self.value(expr.left), self.value(expr.right))
            case _:
                assert isinstance(expr.type, Scalar)
                return self.operation(expr.op, self.value(expr.left), self.value(expr.right), expr.type)

    def operation(self, op: str, left: Value, right: Value, type: Scalar) -> Value:
        if left is None or right is None:
            return self.anything(type)
        bits = 8 * type.size
        if op in ("+", "-", "*") and type.kind == "unsigned":
            big = [v for v in (left, right) if isinstance(v, Poly) and (v.constant or 0) >= 1 << (bits - 1)]
            if big or isinstance(left, Wrapped) or isinstance(right, Wrapped):
                a, b = self.modular(left, bits), self.modular(right, bits)
                return self.small(Wrapped(_combined(op, a, b), bits))
        a, b = self.exact(left), self.exact(right)
        match op:
            case "+" | "-":
                return self.small(self.ranged(_combined(op, a, b), type))
            case "*":
                product = a * b
                if type.kind == "unsigned" and any(abs(c) >= HASH for _, c in product.terms):
                    return product if product.constant is not None else self.small(Wrapped(product, bits))
                return self.small(product)
            case "/":
                return self.quotient(a, b)
            case "%":
                return self.remainder(a, b)
            case "<<" if b.constant is not None and 0 <= b.constant < 31:
                return self.small(self.ranged(a.scaled(1 << b.constant), type))
            case ">>" if b.constant is not None and 0 <= b.constant < 63:
                if holds(a, self.facts, self.atoms):
                    return self.quotient(a, number(1 << b.constant))
            case "&":
                mask = next((m for m in (b.constant, a.constant) if m is not None and m >= 0), None)
                if mask is not None:
                    masked = a if b.constant is not None else b
                    if mask & (mask + 1) == 0 and holds(masked, self.facts, self.atoms):
                        return self.remainder(masked, number(mask + 1))
                    result = self.function(op, (a, b), 0)
                    (atom,) = result.atoms
                    if atom not in self.atoms.bounds:
                        self.atoms.bound(atom, number(mask) - result)
                    return result
            case _:
                pass
        return self.function(op, (a, b), 0 if type.kind == "unsigned" else None)

    def modular(self, value: Value, bits: int) -> Poly:
        match value:
            case Wrapped(inner):
                return inner
            case Poly() if value.constant is not None and value.constant >= 1 << (bits - 1):
                return value - number(1 << bits)
            case _:
                return self.exact(value)

    def small(self, value: Value) -> Value:
        p = value.value if isinstance(value, Wrapped) else value
        if isinstance(p, Poly) and len(p.terms) > LARGEST:
            self.heard(p)
            return self.unknown("value", uniform=p.is_uniform)
        return value

    def function(self, name: str, args: tuple[Poly, ...], low: int | None) -> Poly:
        """The value of something that is no polynomial: a function of its operands all the same."""
        for arg in args:
            self.heard(arg)
        scope = joined(a for arg in args for a in arg.atoms)
        text = f" {name} ".join(f"({arg})" for arg in args)
        return variable(self.atoms.named((name, args, low), text, scope, low))

    # ---- division -----------------------------------------------------------

    def quotient(self, a: Poly, b: Poly) -> Poly:
        """`a / b`, truncated; (a / b) / c is a / (b * c)."""
        if b == ONE:
            return a
        if a.constant is not None and b.constant:
            return number(abs(a.constant) // abs(b.constant) * (1 if a.constant * b.constant >= 0 else -1))
        inner = _lone(a)
        if inner is not None and isinstance(inner.origin, Division) and inner.origin.op == "/":
            a, b = inner.origin.dividend, inner.origin.divisor * b
        q = self.division("/", a, b)
        self.know(holds(a, (), self.atoms), q, a, b, holds(a, self.facts, self.atoms))
        return variable(q)

    def remainder(self, a: Poly, b: Poly) -> Poly:
        """`a % b`, with the sign of a; `a` itself where 0 <= a < b."""
        if a.constant is not None and b.constant:
            return number(abs(a.constant) % abs(b.constant) * (1 if a.constant >= 0 else -1))
        if below(a, b, self.facts, self.atoms):
            return a
        if below(a, b.scaled(2), self.facts, self.atoms):
            # L2. 0 <= a < 2b implies a % b == a if a < b, else a - b.
            return self.choice(((a, (b - ONE - a,)), (a - b, (a - b,))))
        m = self.division("%", a, b)
        self.know(holds(a, (), self.atoms), m, a, b, holds(a, self.facts, self.atoms))
        return variable(m)

    def division(self, op: Literal["/", "%"], a: Poly, b: Poly) -> Atom:
        self.heard(a)
        self.heard(b)
        scope = joined(a.atoms | b.atoms)
        positive = holds(a, (), self.atoms) and (op == "%" or holds(b - ONE, (), self.atoms))
        origin = Division(op, a, b)
        return self.atoms.named(origin, f"({a}) {op} ({b})", scope, 0 if positive else None, origin)

    def know(self, always: bool, atom: Atom, a: Poly, b: Poly, here: bool) -> None:
        """What the definition of a quotient or remainder says, if the dividend isn't negative.

        L3. For a >= 0 and b >= 1: b * (a / b) <= a <= b * (a / b) + b - 1,
        0 <= a % b <= b - 1, and a % b <= a.
        """
        assert isinstance(atom.origin, Division)
        v = variable(atom)
        if not here or not holds(b - ONE, self.facts, self.atoms):
            return
        facts = (a - b * v, b * v + b - ONE - a, v) if atom.origin.op == "/" else (b - ONE - v, a - v, v)
        if always and holds(b - ONE, (), self.atoms):
            if atom not in self.atoms.bounds:
                self.atoms.bound(atom, *facts)
        else:
            self.facts = (*self.facts, *facts)

    def folded(self, p: Poly) -> Poly:
        """The polynomial with b * (a / b) + a % b written as a, which it is for every b but 0."""
        for atom in sorted(p.atoms):
            if not isinstance(atom.origin, Division) or atom.origin.op != "%":
                continue
            a, b = atom.origin.dividend, atom.origin.divisor
            factor = p.coefficient(atom)
            quotient = self.quotient(a, b)
            other = _lone(quotient)
            if other is not None and factor.terms and p.coefficient(other) == factor * b:
                return self.folded(p + factor * (a - b * quotient - variable(atom)))
        return p

    # ---- conditions ---------------------------------------------------------

    def comparison(self, op: str, left: Value, right: Value) -> Value:
        if not isinstance(left, Poly) or not isinstance(right, Poly):
            self.sink(left)
            self.sink(right)
            return OPAQUE
        if op in (">", ">="):
            left, right, op = right, left, {">": "<", ">=": "<="}[op]
        gap = self.folded(right) - self.folded(left)
        self.heard(gap)
        uniform = gap.is_uniform
        match op:
            case "<":
                return Truth((gap - ONE,), (-gap,), True, True, uniform)
            case "<=":
                return Truth((gap,), (-gap - ONE,), True, True, uniform)
            case _:
                other: Facts = ()
                if holds(gap, self.facts, self.atoms):
                    other = (gap - ONE,)
                elif holds(-gap, self.facts, self.atoms):
                    other = (-gap - ONE,)
                equal = Truth((gap, -gap), other, True, bool(other), uniform)
                return equal if op == "==" else equal.negation

    def conjunction(self, left: Expr, right: Expr) -> Truth:
        first = self.truth(left)
        second = self.under(first.yes, lambda: self.truth(right))
        return Truth(
            (*first.yes, *second.yes),
            (),
            first.yes_whole and second.yes_whole,
            False,
            first.uniform and second.uniform,
        )

    def disjunction(self, left: Expr, right: Expr) -> Truth:
        first = self.truth(left)
        second = self.under(first.no, lambda: self.truth(right))
        return Truth(
            (),
            (*first.no, *second.no),
            False,
            first.no_whole and second.no_whole,
            first.uniform and second.uniform,
        )

    def under(self, facts: Facts, read: Callable[[], T]) -> T:
        before = self.facts
        self.facts = (*before, *facts)
        result = read()
        self.facts = before
        return result

    def select(self, expr: Select) -> Value:
        truth = self.truth(expr.cond)
        then = self.under(truth.yes, lambda: self.value(expr.then))
        other = self.under(truth.no, lambda: self.value(expr.other))
        return self.either(truth, then, other)

    def either(self, truth: Truth, then: Value, other: Value) -> Value:
        """One of two values, whichever the condition chose."""
        if then == other:
            return then
        self.sink(then)
        self.sink(other)
        match then, other:
            case Poly(), Poly():
                return self.choice(((then, truth.yes), (other, truth.no)), truth.uniform)
            case (None, _) | (_, None):
                return None
            case (Truth(), _) | (_, Truth()):
                return OPAQUE
            case _:
                return self.unknown("value")

    def choice(self, cases: tuple[tuple[Poly, Facts], ...], uniform: bool = False) -> Poly:
        same = uniform and all(v.is_uniform for v, _ in cases)
        origin = None if same else Choice(cases)
        return variable(self.atoms.fresh("choice", "uniform" if same else "free", None, origin))

    # ---- conversions and calls ----------------------------------------------

    def convert(self, value: Value, source: Type, target: Type) -> Value:
        if not isinstance(target, Scalar) or not isinstance(source, Scalar):
            return None
        if target.is_float:
            self.sink(value)
            return None
        if target.kind == "bool":
            return self.as_truth(value)
        if value is None:
            return self.unknown("value", 0 if target.kind == "unsigned" else None)
        if isinstance(value, Truth):
            return self.exact(value)
        if isinstance(value, Wrapped):
            if 8 * target.size != value.bits:
                return self.exact(Wrapped(value.value, 0))
            return value if target.kind == "unsigned" else value.value
        if value.constant is not None:
            return number(_as_type(value.constant, target))
        if target.size < source.size:
            return self.function(f"({target.name})", (value,), 0 if target.kind == "unsigned" else None)
        if source.kind == "signed" and target.kind == "unsigned":
            return self.ranged(value, target)
        return value

    def call(self, expr: Call) -> Value:
        values = [self.value(a) for a in expr.args]
        for value in values:
            self.sink(value)
        name = expr.rule or expr.name
        if expr.callee is None and name in EXTREMES and len(values) == 2:
            a, b = values
            if isinstance(a, Poly) and isinstance(b, Poly):
                less, more = (b - a,), (a - b,)
                return self.choice(((a, less), (b, more)) if "min" in name else ((b, less), (a, more)))
        return self.anything(expr.type)


def _combined(op: str, a: Poly, b: Poly) -> Poly:
    return a + b if op == "+" else a - b if op == "-" else a * b


def _lone(p: Poly) -> Atom | None:
    """The atom that the polynomial is, if it is one."""
    if len(p.terms) == 1 and p.terms[0][1] == 1 and len(p.terms[0][0]) == 1:
        return p.terms[0][0][0]
    return None


def _as_type(value: int, type: Scalar) -> int:
    """The value that a constant has after conversion."""
    bits = 8 * type.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if type.kind == "signed" and value >> (bits - 1) else value
