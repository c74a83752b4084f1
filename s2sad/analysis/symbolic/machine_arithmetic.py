"""Integer arithmetic of the machine's types, on polynomials.

Values are exact integers: the primal's indices are assumed not to wrap around. An
unsigned difference that may go below zero is different: it wraps in correct programs
too (`i - 1u`), so it is only known modulo a power of two, and values computed from
it prove nothing until it is converted to signed. Narrowing conversions, truncating
division and everything else that isn't a polynomial become atoms of their own, with
only bounds known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, assert_never

from ...ir import Scalar, Type
from .inequalities import Facts, below, holds
from .polynomials import (
    ONE,
    ZERO,
    Atom,
    Atoms,
    Choice,
    Division,
    Poly,
    divide,
    joined,
    number,
    variable,
)

LARGEST = 24  # terms of a polynomial; beyond it the value is treated as unknown
HASH = 1 << 16  # an unsigned product with so large a factor is meant to wrap


@dataclass(frozen=True)
class Wrapped:
    """An unsigned value that equals `value` modulo 2**bits."""

    value: Poly
    bits: int


@dataclass(frozen=True)
class Truth:
    """The facts (polynomials >= 0) that follow if a condition is true, and if it is false.

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


class Arithmetic:
    """Operations under some facts. `heard` is called for each polynomial on which the
    thread's behaviour may depend."""

    def __init__(self, atoms: Atoms, heard: Callable[[Poly], None]) -> None:
        self.atoms = atoms
        self.heard = heard
        self.facts: Facts = ()
        self.assumed: dict[Poly, None] = {}  # sizes assumed not to be negative

    # ---- values -------------------------------------------------------------

    def exact(self, value: Value) -> Poly:
        """Return the value as a polynomial, if need be of an atom about which nothing is known."""
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

    def anything(self, type: Type) -> Value:
        if not isinstance(type, Scalar) or type.is_float:
            return None
        if type.kind == "bool":
            return OPAQUE
        return self.unknown("value", 0 if type.kind == "unsigned" else None)

    def sink(self, value: Value) -> None:
        """Report that the thread's behaviour may depend on the value from here on."""
        if isinstance(value, Poly):
            self.heard(value)
        elif isinstance(value, Wrapped):
            self.heard(value.value)

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

    # ---- operators ----------------------------------------------------------

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
        return self.function(op, (a, b), 0 if type.kind == "unsigned" else None, bits)

    def modular(self, value: Value, bits: int) -> Poly:
        match value:
            case Wrapped(inner):
                return inner
            case Poly() if value.constant is not None and value.constant >= 1 << (bits - 1):
                return value - number(1 << bits)
            case _:
                return self.exact(value)

    def ranged(self, p: Poly, type: Type) -> Value:
        """Return the result of an operation in `type`, where it may fall below zero."""
        assert isinstance(type, Scalar)
        if type.kind != "unsigned" or holds(p, self.facts, self.atoms):
            return p
        return Wrapped(p, 8 * type.size)

    def small(self, value: Value) -> Value:
        p = value.value if isinstance(value, Wrapped) else value
        if isinstance(p, Poly) and len(p.terms) > LARGEST:
            self.heard(p)
            return self.unknown("value", uniform=p.is_uniform)
        return value

    def function(self, name: str, args: tuple[Poly, ...], low: int | None, bits: int = 0) -> Poly:
        """Return the atom of a value that isn't a polynomial but is a function of its operands.

        `bits` is the width, if the result may depend on it.
        """
        for arg in args:
            self.heard(arg)
        scope = joined(a for arg in args for a in arg.atoms)
        text = f" {name} ".join(f"({arg})" for arg in args)
        return variable(self.atoms.named((name, args, low, bits), text, scope, low))

    # ---- division -----------------------------------------------------------

    def quotient(self, a: Poly, b: Poly) -> Poly:
        """`a / b`, truncated; (a / b) / c is a / (b * c)."""
        if b == ONE:
            return a
        a = next(self.without_remainder(a, b), a)
        if a.constant is not None and b.constant:
            return number(abs(a.constant) // abs(b.constant) * (1 if a.constant * b.constant >= 0 else -1))
        inner = _lone(a)
        if inner is not None and isinstance(inner.origin, Division) and inner.origin.op == "/":
            a, b = inner.origin.dividend, inner.origin.divisor * b
        whole, rest = self.split(a, b)
        if whole.terms:
            return whole + self.quotient(rest, b)
        q = self.division("/", a, b)
        self.know(holds(a, (), self.atoms), q, a, b, holds(a, self.facts, self.atoms))
        return variable(q)

    def without_remainder(self, a: Poly, b: Poly) -> Iterator[Poly]:
        """Yield the dividend if `a` subtracts its remainder: `(t - t % w) / w` is t / w.

        L32. For b != 0 and whatever sign, (a - a % b) / b == a / b, since a == b * (a / b) + a % b.
        """
        for atom in sorted(a.atoms):
            match atom.origin:
                case Division("%", dividend, divisor) if divisor == b and a == dividend - variable(atom):
                    yield dividend

    def remainder(self, a: Poly, b: Poly) -> Poly:
        """`a % b`, with the sign of a; `a` itself where 0 <= a < b."""
        if a.constant is not None and b.constant:
            return number(abs(a.constant) % abs(b.constant) * (1 if a.constant >= 0 else -1))
        if below(a, b, self.facts, self.atoms):
            return a
        if below(a, b.scaled(2), self.facts, self.atoms):
            # L2. 0 <= a < 2b implies a % b == a if a < b, else a - b.
            return self.choice(((a, (b - ONE - a,)), (a - b, (a - b,))))
        whole, rest = self.split(a, b)
        if whole.terms:
            return self.remainder(rest, b)
        m = self.division("%", a, b)
        self.know(holds(a, (), self.atoms), m, a, b, holds(a, self.facts, self.atoms))
        return variable(m)

    def split(self, a: Poly, b: Poly) -> tuple[Poly, Poly]:
        """Split `a` into b * c + r with 0 <= r, where that is no longer than `a`; c is 0 if it can't.

        L12. For b >= 1, r >= 0 and b * c + r >= 0: (b * c + r) / b == c + r / b, and both have one remainder.
        """
        if b.constant and b != ONE:
            whole = Poly(tuple((m, c // b.constant) for m, c in a.terms if m and c % b.constant == 0))
            rest = a - b * whole
            if whole.terms and all(holds(p, self.facts, self.atoms) for p in (b - ONE, rest, a)):
                return whole, rest
        return ZERO, a

    def division(self, op: Literal["/", "%"], a: Poly, b: Poly) -> Atom:
        self.heard(a)
        self.heard(b)
        scope = joined(a.atoms | b.atoms)
        positive = holds(a, (), self.atoms) and (op == "%" or holds(b - ONE, (), self.atoms))
        origin = Division(op, a, b)
        return self.atoms.named(origin, f"({a}) {op} ({b})", scope, 0 if positive else None, origin)

    def know(self, always: bool, atom: Atom, a: Poly, b: Poly, here: bool) -> None:
        """Learn the definition of a quotient or remainder, if the dividend isn't negative.

        L3. For a >= 0 and b >= 1: b * (a / b) <= a <= b * (a / b) + b - 1,
        0 <= a % b <= b - 1, and a % b <= a.
        """
        assert isinstance(atom.origin, Division)
        v = variable(atom)
        if not here or not holds(b, self.facts, self.atoms):
            return
        if not holds(b - ONE, self.facts, self.atoms):
            self.learn(b - ONE)  # nothing is divided by zero
        facts = (a - b * v, b * v + b - ONE - a, v) if atom.origin.op == "/" else (b - ONE - v, a - v, v)
        if always and holds(b - ONE, (), self.atoms):
            if atom not in self.atoms.bounds:
                self.atoms.bound(atom, *facts)
        else:
            self.learn(*facts)
        if atom.origin.op == "/":
            self.learn(*self.below_quotients(v, a, b))

    def learn(self, *facts: Poly) -> None:
        """Add facts without duplicates: every read of a quotient derives new ones from known limits."""
        known = set(self.facts)
        self.facts = (*self.facts, *(f for f in dict.fromkeys(facts) if f not in known))

    def below_quotients(self, quotient: Poly, a: Poly, b: Poly) -> Facts:
        """L11. For a >= 0 and b >= 1, a < b * c implies a / b < c."""
        own = (f for atom in sorted(a.atoms) for f in self.atoms.bounds.get(atom, ()))
        limits = (divide(f + ONE + a, b) for f in (*self.facts, *own))
        return tuple(c - ONE - quotient for c in limits if c is not None and c.terms)

    def folded(self, p: Poly) -> Poly:
        """Rewrite b * (a / b) + a % b as a, which holds for every b but 0."""
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

    # ---- conditions and conversions -----------------------------------------

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

    def either(self, truth: Truth, then: Value, other: Value) -> Value:
        """Return one of two values, as the condition chooses."""
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
        """Return one of several values, with the bounds that hold for all: `min(i + 1, n)` exceeds neither.

        L33. If no case exceeds a limit where it is chosen, the choice doesn't exceed it; the same holds
        for lower limits.
        """
        same = uniform and all(v.is_uniform for v, _ in cases)
        origin = None if same else Choice(cases)
        name = f"({' or '.join(str(v) for v, _ in cases)})"
        atom = self.atoms.fresh(name, "uniform" if same else "free", None, origin)
        for limit in dict.fromkeys(value for value, _ in cases):
            for sign in (1, -1):
                if all(holds((limit - value).scaled(sign), facts, self.atoms) for value, facts in cases):
                    self.atoms.bound(atom, (limit - variable(atom)).scaled(sign))
        return variable(atom)

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
            return self.unsigned(value, target)
        return value

    def unsigned(self, value: Poly, target: Scalar) -> Value:
        """Convert a signed value to unsigned. A uniform one is assumed not to be negative:
        as a bound or a factor of an index it would wrap."""
        if value.is_uniform and not holds(value, self.facts, self.atoms):
            self.learn(value)
            self.assumed[value] = None
        return self.ranged(value, target)


def _combined(op: str, a: Poly, b: Poly) -> Poly:
    return a + b if op == "+" else a - b if op == "-" else a * b


def _lone(p: Poly) -> Atom | None:
    """Return the atom that the polynomial consists of, if it does."""
    if len(p.terms) == 1 and p.terms[0][1] == 1 and len(p.terms[0][0]) == 1:
        return p.terms[0][0][0]
    return None


def _as_type(value: int, type: Scalar) -> int:
    """Return the value of a constant after conversion."""
    bits = 8 * type.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if type.kind == "signed" and value >> (bits - 1) else value
