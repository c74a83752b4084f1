"""Integers in terms of values known to the host: as polynomials, with lower and upper bounds.

Integers of four bytes or more are assumed not to wrap. But a value that may be negative isn't
followed through a conversion to a wider unsigned type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from ...analysis.constants import exact, is_wide, literal, range_of
from ...analysis.loops.counted_loops import Counter
from ...analysis.ssa import Loop, Version, Versions
from ...analysis.symbolic.evaluation import EXTREMES
from ...analysis.symbolic.inequalities import Facts
from ...analysis.symbolic.integer_states import State, is_tracked, is_whole
from ...analysis.symbolic.integers import arithmetic
from ...analysis.symbolic.loop_iteration import Iterations
from ...analysis.symbolic.polynomials import ONE, ZERO, Atom, Atoms, Poly, number, variable
from ...analysis.symbolic.ranking_functions import TripBounds
from ...ir import (
    INT,
    Assign,
    Binary,
    Call,
    Cast,
    Const,
    DoWhile,
    Expr,
    For,
    If,
    Place,
    Scalar,
    Select,
    Special,
    Stmt,
    Switch,
    Unary,
    While,
    scalar_type,
    unconverted,
)

WAYS = 4  # the number of values whose maximum is taken
STEPS = 64  # the number of substitutions of a value by its bound

Ends = tuple[Literal["any", "all"], tuple[Poly, ...]]
"""Bounds of a value from one side: each is one, or only their maximum (minimum) is."""


@dataclass
class Magnitudes:
    """The ranges for one function in tail form; `closed` gives the host expression of a version."""

    v: Versions
    counters: Mapping[Loop, Counter | None]
    closed: Callable[[Version], Expr | None]
    atoms: Atoms = field(default_factory=Atoms)
    known: dict[Atom, Expr] = field(default_factory=dict)  # host expressions
    above: dict[Atom, Ends] = field(default_factory=dict)
    below: dict[Atom, Ends] = field(default_factory=dict)
    narrow: dict[Atom, Scalar] = field(default_factory=dict)  # with the type that bounds it otherwise
    open: set[Version] = field(default_factory=set)
    made: dict[Version, Poly | None] = field(default_factory=dict)  # the values of versions
    context: Facts = ()  # what holds where the loop in question is

    def __post_init__(self) -> None:
        self.iterations = Iterations(self.v, self.atoms, self._version)
        self.trips = TripBounds(self.v, self.atoms, self._version)

    # ---- values -------------------------------------------------------------

    def form(self, stmt: Stmt, expr: Expr) -> Poly | None:
        """An integer of a statement as a polynomial."""
        if not is_wide(expr.type):
            return None
        value = literal(expr)
        if value is not None:
            return number(value)
        match expr:
            case Special(name, axis):
                return self._special(expr, name, axis)
            case Place(sym, ()):
                version = self.v.read(stmt, sym)
                return None if version is None else self._version(version)
            case Cast(arg, Scalar() as to):
                if is_whole(arg.type) and not is_wide(arg.type) and to.kind == "signed":
                    return self._narrow(stmt, arg)
                return self.form(stmt, arg) if _kept(arg, to) else None
            case Unary("+", arg):
                return self.form(stmt, arg)
            case Unary("-", _) | Binary("+" | "-" | "*"):
                return arithmetic(expr, lambda part: self.form(stmt, part))
            case Binary("&", left, right):
                return self._masked(stmt, left, right)
            case Binary("/" | "%" | ">>" as op, left, right, Scalar(kind="signed")):
                return self._divided(stmt, op, left, right)
            case Select(cond, then, other):
                return self._selected(stmt, cond, then, other)
            case Call(name, (left, right), callee=None) if name in EXTREMES and is_signed(left, right):
                return self._extreme("min" in name, self.form(stmt, left), self.form(stmt, right))
            case _:
                return None

    def _special(self, expr: Special, name: str, axis: str) -> Poly | None:
        if name in ("blockDim", "gridDim"):
            return self._host(expr, f"{name}.{axis}")
        if name in ("threadIdx", "blockIdx"):
            size = "blockDim" if name == "threadIdx" else "gridDim"
            extent = self._host(Special(size, axis), f"{size}.{axis}")  # type: ignore[arg-type]
            return self._between((name, axis), f"{name}.{axis}", ZERO, extent - ONE)
        return None

    def _host(self, expr: Expr, name: str, key: object = None) -> Poly:
        """A value that the host knows; launch sizes and unsigned values are nonnegative."""
        natural = isinstance(expr.type, Scalar) and expr.type.kind == "unsigned" and _lone(expr)
        atom = self.atoms.named(key or name, name, "uniform", 0 if natural else None)
        self.known[atom] = expr
        return variable(atom)

    def _version(self, version: Version) -> Poly | None:
        """A variable's value."""
        if version not in self.made:
            found = self._made(version)
            if found is None and is_tracked(version.sym.type):
                found = self._as_host(version)
            if self.open:
                return found
            self.made[version] = found
        return self.made[version]

    def _as_host(self, version: Version) -> Poly | None:
        """A value that is no polynomial but known to the host; otherwise what its type says."""
        known = self.closed(version) if is_wide(version.sym.type) else None
        if known is not None:
            return self._host(known, version.sym.name, version)
        assert isinstance(version.sym.type, Scalar)
        match version.made:
            case _, Const(value) if version.sym.type.kind == "bool":
                return number(int(bool(value)))
            case _, init if (
                not isinstance(init, Const) and (begun := exact(Cast(init, version.sym.type))) is not None
            ):
                return number(begun)
            case _:
                pass
        if version.kind == "def" and version.sym.type.size < INT.size:
            return self._typed(version, version.sym.type)
        return None

    def _typed(self, key: object, kind: Scalar) -> Poly:
        """A value bounded by its type."""
        low, high = map(number, range_of(kind))
        if kind.size == 1:
            return self._between(key, kind.name, low, high)
        atom = self.atoms.named(key, kind.name, "free")  # a short's range is too large for the size of a tape
        self.atoms.bound(atom, variable(atom) - low, high - variable(atom))
        return variable(atom)

    def _between(self, key: object, name: str, low: Poly | None, high: Poly | None) -> Poly:
        """A value with a known lower bound, upper bound, or both."""
        atom = self.atoms.named(key, name, "free")
        if low is not None and atom not in self.below:
            self.below[atom] = "any", (low,)
            self.atoms.bound(atom, variable(atom) - low)
        if high is not None and atom not in self.above:
            self.above[atom] = "any", (high,)
            self.atoms.bound(atom, high - variable(atom))
        return variable(atom)

    def _made(self, version: Version) -> Poly | None:
        match version.kind, version.stmt:
            case "entry", _:
                value = self.closed(version)
                return None if value is None else self._host(value, version.sym.name)
            case "def", _ if version.made is not None:
                return self._through(version, version.made[1])
            case "def", Assign(target, value, "+=" | "-=" as op) if not target.index:
                old, by = self.form(version.stmt, target), self._through(version, value)
                if old is None or by is None or not is_wide(version.sym.type):
                    return None
                return old + by if op == "+=" else old - by
            case "join", If(cond) as branch if len(version.args) == 2 and is_wide(version.sym.type):
                then, other = (self.iterations.outside(arg) for arg in version.args)
                return self._one_of(version, branch, cond, then, other)
            case "join", If() | Switch():
                ends = [self._version(arg) for arg in version.args]
                whole = [e for e in ends if e is not None]
                if not whole or len(whole) < len(ends) or not is_wide(version.sym.type):
                    return None
                if all(e == whole[0] for e in whole):
                    return whole[0]
                atom = self.atoms.named(version, version.sym.name, "free")
                self.above[atom] = self.below[atom] = ("all", tuple(dict.fromkeys(whole)))
                return variable(atom)
            case "head", For() | While() | DoWhile() as loop if version not in self.open:
                self.open.add(version)
                found = self._counter(version, loop) if isinstance(loop, For) else None
                if found is None and is_tracked(version.sym.type):
                    found = self._from_start(version)
                self.open.discard(version)
                return found
            case _:
                return None

    def _through(self, version: Version, value: Expr) -> Poly | None:
        """A variable's value after a value was stored in it."""
        assert version.stmt is not None
        kind = version.sym.type
        if not isinstance(kind, Scalar):
            return None
        if _kept(value, kind):
            return self.form(version.stmt, value)
        if kind.size >= INT.size or not is_whole(kind):
            return None
        before = unconverted(value)
        found = self.form(version.stmt, before) if is_signed(before) else None
        return found if found is not None and self._holds(version.stmt, kind, found) else None

    def _holds(self, stmt: Stmt, kind: Scalar, value: Poly) -> bool:
        """Whether a narrow type holds a value, under the conditions at the store."""
        low, high = range_of(kind)
        with self.around(stmt):
            most, least = self._number(value), self._number(-value)
        return most is not None and least is not None and low <= -least and most <= high

    @contextmanager
    def around(self, stmt: Stmt) -> Iterator[None]:
        """Context in which the conditions of the branches and loops around a statement are known."""
        before = self.context
        found: list[Poly] = []
        for scope in self.v.scope_of[stmt].outwards():
            match scope.role, scope.owner:
                case "then" | "else" as side, If(cond) as owner:
                    found += self._known_if(owner, cond, side == "then")
                case "loop", While(cond) | For(cond=cond) as owner if cond is not None:
                    found += self._known_if(owner, cond, True)
                case _:
                    pass
        self.context = tuple(found)
        try:
            yield
        finally:
            self.context = before

    def _counter(self, version: Version, loop: For) -> Poly | None:
        """A counter inside an iteration: between the loop's start and end."""
        count = self.counters.get(loop)
        if count is None or count.sym is not version.sym or count.op == "!=" or not is_compared(loop, count):
            return None
        first, last = self.form(loop.init[0], count.start), self.form(loop, count.bound)
        atom = self.atoms.named(version, version.sym.name, "free")
        inside = number(0 if count.op in ("<=", ">=") else 1)
        low, high = (first, last) if count.ascending else (last, first)
        if low is not None:
            self.below[atom] = "any", (low if count.ascending else low + inside,)
        if high is not None:
            self.above[atom] = "any", (high - inside if count.ascending else high,)
        return variable(atom)

    def _from_start(self, version: Version) -> Poly | None:
        """A variable that iterations change, bounded by its start if all change it in the same direction."""
        kind = version.sym.type
        assert isinstance(kind, Scalar)
        if kind.kind != "signed":
            return None  # it may wrap around
        lows, highs = self.trips.starts(version)
        if not lows and not highs and kind.size >= INT.size:
            return None
        atom = self.atoms.named(version, version.sym.name, "free")
        if kind.size < INT.size:
            self.narrow[atom] = kind
        for ends, side in ((lows, self.below), (highs, self.above)):
            if ends:
                side[atom] = "any", tuple(dict.fromkeys(ends))
        self.atoms.bound(
            atom, *(variable(atom) - low for low in lows), *(high - variable(atom) for high in highs)
        )
        return variable(atom)

    def _narrow(self, stmt: Stmt, expr: Expr) -> Poly:
        """A value of fewer than four bytes, in a wider type."""
        match expr:
            case Place(sym, ()) if (version := self.v.read(stmt, sym)) is not None:
                known = self._version(version) if version.kind == "head" else None
                return self._typed(version, scalar_type(expr)) if known is None else known
            case _:
                return self._typed(object(), scalar_type(expr))

    def _masked(self, stmt: Stmt, left: Expr, right: Expr) -> Poly | None:
        """x & 3 is between 0 and 3, whatever x is."""
        for side, by in ((left, right), (right, left)):
            mask, value = literal(by), self.form(stmt, side)
            if mask is not None and mask >= 0:
                key = object() if value is None else ("&", value, mask)
                return self._between(key, "masked", ZERO, number(mask))
        return None

    def _divided(self, stmt: Stmt, op: str, left: Expr, right: Expr) -> Poly | None:
        """Bounds of a signed quotient or remainder by a literal."""
        value, by = self.form(stmt, left), literal(right)
        if by is None or by < 0 or (by == 0 and op != ">>"):
            return None
        key = object() if value is None else (op, value, by)
        low, high = (None, None) if value is None else (self._number(-value), self._number(value))
        natural = low is not None and low <= 0
        if op == "%":
            return self._between(key, "remainder", number(0 if natural else 1 - by), number(by - 1))
        if op == ">>":
            by = 1 << by
        if low is None and high is None:
            return None

        def part(of: int) -> int:
            return of // by if op == ">>" else abs(of) // by * (1 if of >= 0 else -1)

        ends = (None if e is None else number(part(e)) for e in (None if low is None else -low, high))
        return self._between(key, "quotient", *ends)

    def _number(self, value: Poly) -> int | None:
        """A numeric upper bound of a value."""
        found = self._highest(value, STEPS)
        numbers = [p.constant for p in found or ()]
        known = [n for n in numbers if n is not None]
        return max(known) if known and len(known) == len(numbers) else None

    def _selected(self, stmt: Stmt, cond: Expr, then: Expr, other: Expr) -> Poly | None:
        one, two = self.form(stmt, then), self.form(stmt, other)
        if one is None and two is None:
            return None
        both = tuple(self._unknown(stmt, e) if f is None else f for f, e in ((one, then), (two, other)))
        if (
            isinstance(cond, Binary)
            and cond.op in ("<", "<=", ">", ">=")
            and is_signed(cond.left, cond.right)
        ):
            sides = self.form(stmt, cond.left), self.form(stmt, cond.right)
            if None not in sides and sides in (both, both[::-1]):
                return self._extreme((sides == both) is (cond.op in ("<", "<=")), one, two)
        return self._one_of(None, stmt, cond, both[0], both[1])

    def _unknown(self, stmt: Stmt, expr: Expr) -> Poly:
        """An unknown value; a variable's is the same at every read of the same version."""
        match expr:
            case Place(sym, ()) if (version := self.v.read(stmt, sym)) is not None:
                return self.iterations.outside(version)
            case _:
                return variable(self.atoms.fresh("value", "free"))

    def _one_of(self, key: Version | None, stmt: Stmt, cond: Expr, then: Poly, other: Poly) -> Poly:
        """One of two values, chosen by a condition."""
        sides = tuple(
            self._where(value, self._known_if(stmt, cond, yes))
            for yes, value in ((True, then), (False, other))
        )
        if sides[0] == sides[1]:
            return sides[0]
        atom = self.atoms.named(key or ("?", *sides), "selected", "free")
        self.above[atom] = self.below[atom] = ("all", sides)
        for sign in (1, -1):
            if (most := self._number(variable(atom).scaled(sign))) is not None:
                self.atoms.bound(atom, number(most) - variable(atom).scaled(sign))
        return variable(atom)

    def _known_if(self, stmt: Stmt, cond: Expr, yes: bool) -> Facts:
        """What follows from a condition that holds, or doesn't."""
        ways = list(self.iterations.truth(cond, stmt, State({}, ()), yes))
        return ways[0].facts if len(ways) == 1 else ()

    def _where(self, value: Poly, facts: Facts) -> Poly:
        """A value where facts hold that may bound it."""
        unknown = {a for a in value.atoms if a not in self.known}
        above = tuple(f + value for f in facts if unknown.isdisjoint((f + value).atoms))
        below = tuple(value - f for f in facts if unknown.isdisjoint((value - f).atoms))
        if not unknown or not (above or below):
            return value
        atom = self.atoms.named(("where", value, above, below), "bounded", "free")
        self.above[atom], self.below[atom] = ("any", (value, *above)), ("any", (value, *below))
        return variable(atom)

    def _extreme(self, least: bool, one: Poly | None, two: Poly | None) -> Poly | None:
        """The minimum or maximum of two values; if one is unknown, it is bounded on one side."""
        known = tuple(p for p in (one, two) if p is not None)
        if not known:
            return None
        if len(known) < 2:
            (end,) = known
            return self._between(object(), "extreme", None if least else end, end if least else None)
        atom = self.atoms.named((least, *known), "extreme", "free")
        if atom not in self.above:
            sign = 1 if least else -1
            self.atoms.bound(atom, *((end - variable(atom)).scaled(sign) for end in known))
        self.above[atom] = ("any" if least else "all", known)
        self.below[atom] = ("all" if least else "any", known)
        return variable(atom)

    # ---- upper bounds ---------------------------------------------------------

    def _highest(self, value: Poly, steps: int) -> list[Poly] | None:
        """Values known to the host whose maximum isn't exceeded.

        L22. With f <= g, c * f + r <= c * g + r for c >= 0; with f >= g, for c <= 0.

        A factor that isn't a number is one of sizes: `t * blockDim.x` is only bounded from below, as above
        it is the size of the launch.
        """
        unknown = [a for a in value.atoms if a not in self.known]
        if not unknown:
            return [value]
        atom = max(unknown)
        factor = value.coefficient(atom)
        number_of = factor.constant
        rest = value - variable(atom) * factor
        if atom in rest.atoms or steps == 0 or (number_of is None and not _subtracts(factor)):
            return None
        rises = number_of is not None and number_of > 0
        ends = (self.above if rises else self.below).get(atom) or self._said(atom, rises)
        if ends is None:
            return None
        how, values = ends
        found = [self._highest(rest + end * factor, steps - 1) for end in values]
        if how == "any":
            could = [f for f in found if f is not None]
            return min(could, key=_size, default=None)
        together: dict[Poly, None] = {}
        for each in found:
            if each is None:
                return None
            together.update(dict.fromkeys(each))
        return list(together) if len(together) <= WAYS else None

    def _said(self, atom: Atom, above: bool) -> Ends | None:
        """The upper or lower bounds of a value from the enclosing branches and loops, else from its type."""
        sign = 1 if above else -1
        at = variable(atom)
        ends = (f.scaled(sign) + at for f in self.context if f.coefficient(atom) == number(-sign))
        found = tuple(e for e in ends if all(a in self.known or a < atom for a in e.atoms))
        if not found and atom in self.narrow and self.narrow[atom].size == 1:
            found = (number(range_of(self.narrow[atom])[int(above)]),)
        return ("any", found) if found else None


def _subtracts(factor: Poly) -> bool:
    """Whether a factor is made of nonnegative values, all with a minus."""
    return all(
        number < 0 and all(atom.low is not None and atom.low >= 0 for atom in monomial)
        for monomial, number in factor.terms
    )


def _size(values: Sequence[Poly]) -> tuple[bool, int, int]:
    """Order of preference: all numbers first, then fewer values, then the smaller maximum."""
    numbers = [p.constant for p in values if p.constant is not None]
    return len(numbers) < len(values), len(values), max(numbers, default=0)


def _lone(expr: Expr) -> bool:
    return isinstance(expr, Place | Special)


def is_signed(*exprs: Expr) -> bool:
    return all(isinstance(e.type, Scalar) and e.type.kind == "signed" for e in exprs)


def is_compared(loop: For, count: Counter) -> bool:
    """Whether a loop's condition compares its counter with its bound as signed integers."""
    cond = loop.cond
    if not isinstance(cond, Binary) or not is_signed(cond.left, cond.right):
        return False
    return _kept(count.bound, scalar_type(cond.left)) and _kept(count.start, scalar_type(count.sym))


def _kept(value: Expr, to: Scalar) -> bool:
    """Whether a conversion between integers preserves the value, assuming that nothing wraps."""
    if not (is_wide(value.type) and is_wide(to)):
        return False
    assert isinstance(value.type, Scalar)
    return value.type.size == to.size or (value.type.kind == "signed" and value.type.size < to.size)
