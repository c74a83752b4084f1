"""Integers of a loop's body as polynomials in the number of the iteration.

    for (int k = 8; k < n; k += 8) {           with iteration j: k = 8 + 8 j
        const int now = k / 8 & 1;             now = (j + 1) mod 2
        s[now ^ 1][..] = x[k + 8 + i];         now ^ 1 = 1 - (j + 1) mod 2 = j mod 2

So a value of one iteration can be compared to another one's. A residue is an atom of its own, by the
modulus and the dividend with its coefficients reduced: (j + 3) mod 2 and (j + 1) mod 2 are one. Names stand
for their definitions, as long as these never change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd

from ...ir import (
    COLLECTIVE,
    INT,
    AddressOf,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    Place,
    Scalar,
    Special,
    Sym,
    Unary,
    is_integer,
    scalar_type,
    statements,
    walk,
)
from ..atomics import is_drawn
from ..constants import FLIPPED, exact, overflows
from ..loops.counted_loops import Counter
from ..ssa import targets
from .integers import polynomial
from .polynomials import Atom, Atoms, Poly, number, poly, variable

Renamed = Mapping[Sym, Sym]
"""Counters of a loop inside the body, and those of its copy before the loop."""

NONE: Renamed = {}


class Names:
    """The variables of a function: which never change once they have a value, and their definitions.

    `stored` are arrays that the launch writes.
    """

    def __init__(self, body: Body, stored: Iterable[Sym]) -> None:
        every = tuple(statements(body))
        stores = [t.sym for s in every if not isinstance(s, Declare) for t in targets(s)]
        counts = [d.sym for s in every if isinstance(s, For) for d in s.init if isinstance(d, Declare)]
        steps = [t.sym for s in every if isinstance(s, For) for step in s.step for t in targets(step)]
        self.changed = {*stores, *stored}
        self._moving = {sym for sym in stores if sym not in counts or stores.count(sym) > steps.count(sym)}
        self._moving |= set(stored)
        self.values: dict[Sym, Expr] = {
            s.sym: s.init
            for s in every
            if isinstance(s, Declare) and isinstance(s.init, Expr) and s.sym not in self.changed
        }

    def definition(self, sym: Sym) -> Expr | None:
        """The value of a variable as an expression that has it wherever the variable exists.

        A loop's counter may occur in it: it keeps its value as long as what is declared in the body exists.
        """
        value = self.values.get(sym)
        return value if value is not None and self.is_lasting(value) else None

    def is_lasting(self, expr: Expr) -> bool:
        """Whether an expression has one value wherever its variables exist, and no effect."""
        calls = [e for e in walk(expr) if isinstance(e, Call)]
        return (
            not expr.symbols & self._moving
            and not any(isinstance(e, AddressOf) for e in walk(expr))
            and not any(c.rule is None or c.rule in COLLECTIVE or is_drawn(c) for c in calls)
        )


class Iteration:
    """The values of one loop's body in its iteration `j`."""

    def __init__(self, names: Names, loop: For, count: Counter) -> None:
        self.names = names
        self.loop = loop
        self.count = count
        self.inside = {s.sym for s in statements(loop.body) if isinstance(s, Declare)}
        self._atoms = Atoms()
        self._residues: dict[Atom, tuple[int, Poly]] = {}
        self._inner: dict[Atom, Poly] = {}  # what the value of an atom is computed from
        self.j = self._atoms.named("j", "j", "uniform", 0)
        start, step = self.value(count.start, number(0)), self.value(count.step, number(0))
        self._known = start is not None and step is not None and start.atoms.isdisjoint({self.j})
        self._start, self._step = start or number(0), step or number(0)

    def value(self, expr: Expr, at: Poly, renamed: Renamed = NONE) -> Poly | None:
        """An integer in the iteration of number `at`; None if it may depend on anything else."""
        return polynomial(expr, lambda part: self._named(part, at, renamed))

    def varies(self, p: Poly) -> bool:
        """Whether a value may differ between iterations."""
        return any(a == self.j or (a in self._inner and self.varies(self._inner[a])) for a in p.atoms)

    def is_of_block(self, p: Poly) -> bool:
        """Whether a value depends on the number of the iteration alone."""
        return all(a == self.j or (a in self._inner and self.is_of_block(self._inner[a])) for a in p.atoms)

    def differ(self, a: Poly, b: Poly) -> bool:
        """Whether two values are certainly different."""
        apart = a - b
        rest = apart.only(lambda m: m == ())
        factor = gcd(*(c for m, c in apart.terms if m != ()))
        fixed = rest.constant or 0
        if fixed % factor if factor else fixed:
            return True
        one, two = (
            self._residues.get(next(iter(p.atoms), self.j)) if p.terms[1:] == () else None for p in (a, b)
        )
        if one is None or two is None or one[0] != two[0] or not (_lone(a) and _lone(b)):
            return False
        between = _reduced(one[1] - two[1], one[0]).constant
        return between is not None and between != 0

    def alike(self, mine: Expr, at: Poly, other: Expr, then: Poly, renamed: Renamed = NONE) -> bool:
        """Whether `mine` in one iteration has the value of `other` in another one.

        What they read of memory is assumed not to change.
        """
        if is_integer(mine) and is_integer(other):
            one, two = self.value(mine, at, renamed), self.value(other, then, renamed)
            if one is not None and two is not None:
                return one == two
        match mine, other:
            case Place(sym, ()), _ if (
                known := self.names.definition(sym)
            ) is not None and known.type == mine.type:
                return self.alike(known, at, other, then, renamed)
            case _, Place(sym, ()) if (
                known := self.names.definition(sym)
            ) is not None and known.type == other.type:
                return self.alike(mine, at, known, then, renamed)
            case Place(a, first), Place(b, second):
                if a is not b or mine.path != other.path or len(first) != len(second):
                    return False
                if not first and (a in self.names.changed or a in self.inside):
                    return False
            case _:
                if type(mine) is not type(other) or _head(mine) != _head(other):
                    return False
        parts = mine.operands, other.operands
        return len(parts[0]) == len(parts[1]) and all(
            self.alike(a, at, b, then, renamed) for a, b in zip(*parts, strict=True)
        )

    def continues(self, cond: Expr, by: int) -> bool:
        """Whether a condition in the loop's body holds exactly if there is an iteration `by` later."""
        return self._decides(cond, variable(self.j), variable(self.j) + number(by))

    def begins(self, cond: Expr, at: int) -> bool:
        """Whether a condition before the loop holds exactly if there is an iteration of number `at`."""
        return self._decides(cond, number(at), number(at))

    def _decides(self, cond: Expr, at: Poly, then: Poly) -> bool:
        while (
            isinstance(cond, Place)
            and not cond.index
            and (known := self.names.definition(cond.sym)) is not None
        ):
            cond = known
        whole = self.loop.cond
        if not isinstance(cond, Binary) or not isinstance(whole, Binary) or whole.op not in FLIPPED:
            return False
        for left, op, right in (
            (cond.left, cond.op, cond.right),
            (cond.right, FLIPPED.get(cond.op), cond.left),
        ):
            if op != whole.op:
                continue
            a, b = self.value(left, at), self.value(right, at)
            c, d = self.value(whole.left, then), self.value(whole.right, then)
            if a is None or b is None or c is None or d is None:
                continue
            signed = all(overflows(scalar_type(e)) for e in (left, whole.left))
            if (a == c and b == d) or (signed and a - b == c - d):
                return True
        return False

    # ---- polynomials ----------------------------------------------------------------

    def _named(self, expr: Expr, at: Poly, renamed: Renamed) -> Poly | None:
        match expr:
            case Place(sym, ()) if sym is self.count.sym:
                return self._start + self._step * at if self._known else None
            case Place(sym, (), Scalar() as kind) if kind.is_integer:
                return self._of(sym, at, renamed)
            case Special("threadIdx" | "blockIdx" | "blockDim" | "gridDim" | "warpSize" as name, axis):
                return variable(self._atoms.named((name, axis), f"{name}.{axis}", "position"))
            case Binary("&", left, right) if (mask := exact(right)) is not None and mask & (
                mask + 1
            ) == 0 <= mask:
                return self._residue(self.value(left, at, renamed), mask + 1)
            case Binary("%", left, right) if (by := exact(right)) is not None and by > 0:
                inner = self.value(left, at, renamed)
                return self._residue(inner, by) if self._is_natural(left) else self._truncated("%", inner, by)
            case Binary("/", left, right) if (by := exact(right)) is not None and by > 0:
                return self._truncated("/", self.value(left, at, renamed), by)
            case Binary("^", left, right) if exact(right) == 1:
                inner = self.value(left, at, renamed)
                return None if inner is None or not self._is_bit(inner) else number(1) - inner
            case _:
                return None

    def _of(self, sym: Sym, at: Poly, renamed: Renamed) -> Poly | None:
        if sym in renamed:
            return variable(self._atoms.named(renamed[sym], sym.name, "position"))
        if sym in renamed.values():
            return variable(self._atoms.named(sym, sym.name, "position"))
        definition = self.names.definition(sym)
        found = None if definition is None else self.value(definition, at, renamed)
        if found is not None and scalar_type(sym).size >= INT.size:
            return found
        if sym in self.names.changed or sym in self.inside:
            return None
        return variable(self._atoms.named(sym, sym.name, "position"))

    def _residue(self, p: Poly | None, by: int) -> Poly | None:
        if p is None:
            return None
        reduced = _reduced(p, by)
        value = reduced.constant
        if value is not None:
            return number(value)
        if by == 2 and reduced.only(lambda m: m == ()).terms:
            return number(1) - self._residue_of(reduced - number(1), 2)
        return self._residue_of(reduced, by)

    def _residue_of(self, p: Poly, by: int) -> Poly:
        atom = self._atoms.named((by, p), f"({p}) mod {by}", "position", 0)
        self._residues[atom] = by, p
        self._inner[atom] = p
        return variable(atom)

    def _truncated(self, op: str, p: Poly | None, by: int) -> Poly | None:
        """A quotient or remainder as C++ computes it: some function of the dividend."""
        if p is None:
            return None
        if op == "/" and all(c % by == 0 for _, c in p.terms):
            return poly({m: c // by for m, c in p.terms})
        atom = self._atoms.named((op, by, p), f"({p}) {op} {by}", "position")
        self._inner[atom] = p
        return variable(atom)

    def _is_bit(self, p: Poly) -> bool:
        """Whether a value is zero or one."""
        if p.constant is not None:
            return p.constant in (0, 1)
        negated = number(1) - p
        return any(_lone(q) and self._residues.get(next(iter(q.atoms)), (0, q))[0] == 2 for q in (p, negated))

    def _is_natural(self, expr: Expr) -> bool:
        """Whether an integer of the body is never negative, whatever the number of the iteration."""
        found = self.value(expr, variable(self.j))
        return found is not None and found.atoms <= {self.j} and all(c >= 0 for _, c in found.terms)


def _reduced(p: Poly, by: int) -> Poly:
    return poly({m: c % by for m, c in p.terms})


def _lone(p: Poly) -> bool:
    """Whether a polynomial is one atom."""
    return len(p.terms) == 1 and p.terms[0][1] == 1 and len(p.terms[0][0]) == 1


def _head(expr: Expr) -> tuple[object, ...]:
    """What makes two expressions of the same operands the same."""
    kind = expr.type
    match expr:
        case Const(value):
            return value, kind
        case Special(name, axis):
            return name, axis
        case Unary(op) | Binary(op):
            return op, kind
        case Cast():
            return (kind,)
        case Call(name):
            return name, expr.rule, expr.callee, kind
        case _:
            return (kind,)
