"""Integer arithmetic in one symbolic state: results as polynomials, or atoms with bounds.

Integers are polynomials over atoms. A quotient, a mask or a minimum becomes a fresh atom, and the
state learns the bounds that C guarantees. Unsigned results that may have wrapped are unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...ir import Scalar, Sym, Type, scalar_type
from ..constants import computed, range_of, wrapped
from .inequalities import Facts, holds
from .polynomials import ONE, Atom, Atoms, Poly, number, variable

Env = dict[Sym, Poly]


@dataclass(frozen=True)
class State:
    """The values of integers at one place on one path, and the facts known there (polynomials >= 0)."""

    env: Env
    facts: Facts

    def knowing(self, facts: Facts) -> State:
        return State(self.env, (*self.facts, *facts)) if facts else self

    def where(self, sym: Sym, value: Poly) -> State:
        return State({**self.env, sym: value}, self.facts)


def is_whole(type: Type) -> bool:
    """Whether values of a type are integers."""
    return isinstance(type, Scalar) and type.is_integer and type.kind != "bool"


def is_tracked(type: Type) -> bool:
    """Whether values of a type are integers or truth values, which are 0 or 1."""
    return isinstance(type, Scalar) and type.is_integer


def of_type(atoms: Atoms, key: object, sym: Sym) -> Atom:
    """Return the atom for a key: an integer of which only the type is known."""
    low = 0 if scalar_type(sym).kind != "signed" else None
    atom = atoms.named(key, sym.name, "free", low)
    if atom not in atoms.bounds:
        within_type(atoms, atom, scalar_type(sym))
    return atom


def within_type(atoms: Atoms, atom: Atom, type: Scalar) -> None:
    """Bound an atom by its type if that is narrow; bounds of wide types would only cost time."""
    if type.size < 4:
        low, high = range_of(type)
        atoms.bound(atom, number(high) - variable(atom), variable(atom) - number(low))


@dataclass
class Surroundings:
    """The context that the states of one analysis share.

    `fixed` are the atoms of values from outside the loops being executed; `parts` maps a value made
    by `&` to atoms that have all of its bits.
    """

    atoms: Atoms
    fixed: set[Atom] = field(default_factory=set)
    parts: dict[Atom, frozenset[Atom]] = field(default_factory=dict)


class Arithmetic:
    """Operations on integers in one state, which learns the bounds of their results."""

    def __init__(self, shared: Surroundings, state: State) -> None:
        self.shared = shared
        self.atoms = shared.atoms
        self.state = state

    def holds(self, goal: Poly) -> bool:
        return holds(goal, self.state.facts, self.atoms)

    def know(self, *facts: Poly) -> None:
        self.state = self.state.knowing(tuple(f for f in facts if f.atoms))

    def fresh(self, type: Type) -> Poly:
        """Return a value of which only the type is known."""
        low = 0 if isinstance(type, Scalar) and type.kind != "signed" else None
        atom = self.atoms.fresh("value", "free", low)
        if isinstance(type, Scalar) and type.is_integer:
            within_type(self.atoms, atom, type)
        return variable(atom)

    def converted(self, value: Poly | None, source: Type, target: Scalar) -> Poly:
        """Convert a value. A signed type is assumed to hold the values of an equally wide unsigned one."""
        if value is None or not isinstance(source, Scalar):
            return self.fresh(target)
        if target.kind == "bool":
            return self.fresh(target)
        if value.constant is not None:
            return number(wrapped(value.constant, target))
        low, high = range_of(target)
        least, most = range_of(source)
        if source.kind == "unsigned" and target.kind == "signed" and source.size == target.size >= 4:
            return value
        if (low <= least or self.holds(value - number(low))) and (
            most <= high or self.holds(number(high) - value)
        ):
            return value
        return self.fresh(target)

    def fitting(self, value: Poly, type: Scalar) -> Poly:
        """Return the result of an operation in a type. Signed ones don't overflow, unsigned ones wrap."""
        if type.kind == "signed":
            return value
        if value.constant is not None:
            return number(wrapped(value.constant, type))
        if self.holds(value) and self.below_top(value, type):
            return value
        return self.fresh(type)

    def below_top(self, value: Poly, type: Scalar) -> bool:
        """Whether a value fits its unsigned type, e.g. because it isn't larger than another current value."""
        top = number(range_of(type)[1])
        if self.holds(top - value):
            return True
        there = {*self.shared.fixed, *(a for v in self.state.env.values() for a in v.atoms)}
        others = [variable(a) for f in self.state.facts for a in sorted(f.atoms) if a in there]
        return any(self.holds(other - value) for other in dict.fromkeys(others))

    def operation(self, op: str, a: Poly, b: Poly, type: Scalar) -> Poly:
        if a.constant is not None and b.constant is not None:
            known = computed(op, a.constant, b.constant)
            return self.fresh(type) if known is None else self.fitting(number(known), type)
        match op:
            case "+":
                return self.fitting(a + b, type)
            case "-":
                return self.fitting(a - b, type)
            case "*":
                return self.fitting(a * b, type)
            case "/" | "%":
                return self.divided(op, a, b, type)
            case "<<" if (by := b.constant) is not None and 0 <= by < 31:
                return self.fitting(a.scaled(1 << by), type)
            case ">>" if (by := b.constant) is not None and 0 <= by < 63:
                q = self.fresh(type)
                self.know(a - q.scaled(1 << by), q.scaled(1 << by) + number((1 << by) - 1) - a)
                if self.holds(a):
                    self.know(q)
                return q
            case "&":
                return self.masked(a, b, type)
            case "|" | "^":
                out = self.fresh(type)
                if self.holds(a) and self.holds(b):
                    self.know(*((out - a, out - b) if op == "|" else (out, a + b - out)))
                return out
            case _:
                return self.fresh(type)

    def divided(self, op: str, a: Poly, b: Poly, type: Scalar) -> Poly:
        """Divide, learning the bounds that C guarantees; nothing is divided by zero."""
        out = self.fresh(type)
        if type.kind == "unsigned":
            self.know(b - ONE)
        positive, by = self.holds(a), b.constant
        if not self.holds(b - ONE):
            return out
        if op == "%":
            self.know(b - ONE - out)
            self.know(*((out, a - out) if positive else (out + b - ONE,)))
        elif by is not None:
            rest = a - out.scaled(by)
            self.know(*((rest, out) if positive else (rest + number(by - 1),)), number(by - 1) - rest)
        elif positive:
            self.know(out, a - out)
            if self.holds(b - ONE - ONE):
                self.know(a - out.scaled(2))
        return out

    def masked(self, a: Poly, b: Poly, type: Scalar) -> Poly:
        """L39. For a >= 0, a & b is between 0 and a; it has no bit that a hasn't."""
        out = self.fresh(type)
        for side in (a, b):
            if self.holds(side):
                self.know(out, side - out)
        (atom,) = out.atoms
        parts: frozenset[Atom] = frozenset()
        for side in (a, b):
            for one in side.atoms:
                if side == variable(one):
                    parts |= {one} | self.shared.parts.get(one, frozenset())
        self.shared.parts[atom] = parts
        return out

    def extreme(self, least: bool, a: Poly, b: Poly, type: Scalar) -> Poly:
        sign = 1 if least else -1
        for one, other in ((a, b), (b, a)):
            if self.holds((other - one).scaled(sign)):
                return one
        out = self.fresh(type)
        self.know((a - out).scaled(sign), (b - out).scaled(sign))
        if least and self.holds(a) and self.holds(b):
            self.know(out)
        return out
