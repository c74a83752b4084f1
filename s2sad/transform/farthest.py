"""How far one integer can be above another at most, over what the host knows.

    int last = n * (m - 1) + t;             last - t - n: t cancels, n * m - 2 * n is left
    for (int i = t + n; i < last; i += n)

    int count = min(TILE, n - base);        no more than TILE, whatever base is
    int end = width;                        one or the other, so no more than the larger of them
    if (blockIdx.x == gridDim.x - 1) end = rest;

Both are written as polynomials over by-value parameters, sizes of the launch and what no host
knows: positions of threads, counters, minima, branches. Where the latter don't cancel, they are
replaced, from the last that was made down, by the largest that they can be; by the smallest if
they are subtracted. Only where a number stands before them: of `n * t` nothing is known.

Integers of four bytes and more are taken as they are: no index wraps. But a value that may be
negative isn't followed through a conversion to an unsigned type that is wider.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..analysis.affine import ONE, ZERO, Atom, Atoms, Poly, divide, number, variable
from ..analysis.lanes import literal
from ..analysis.loops import Counter, Induction
from ..analysis.values import EXTREMES
from ..analysis.versions import Loop, Version, Versions
from ..ir import (
    BOOL,
    INT,
    LLONG,
    Assign,
    Binary,
    Break,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Return,
    Scalar,
    Select,
    Special,
    Stmt,
    Switch,
    Unary,
    While,
    statements,
)
from .algebra import converted

WAYS = 4  # values of which the largest is taken
STEPS = 64  # values that are replaced by what bounds them

Ends = tuple[Literal["any", "all"], tuple[Poly, ...]]
"""What bounds a value from one side: each of these, or only all of them together."""


@dataclass
class Farthest:
    """The answers for one function in tail form; `closed` are the versions that the host knows."""

    v: Versions
    counters: Mapping[Loop, Counter | None]
    closed: Callable[[Version], Expr | None]
    atoms: Atoms = field(default_factory=Atoms)
    known: dict[Atom, Expr] = field(default_factory=dict)  # what the host knows
    above: dict[Atom, Ends] = field(default_factory=dict)
    below: dict[Atom, Ends] = field(default_factory=dict)
    open: set[Version] = field(default_factory=set)

    # ---- loops ---------------------------------------------------------------

    def counted(self, loop: For, count: Counter) -> Expr | None:
        """How often a counter goes from its start to its bound."""
        if not _compared(loop, count):
            return None
        start, bound = self.form(loop.init[0], count.start), self.form(loop, count.bound)
        high, low = (bound, start) if count.ascending else (start, bound)
        distances = self._distances(high, low, 1 if count.op in ("<=", ">=") else 0)
        step = self._known(loop, count.step)
        return None if distances is None or step is None else self._trips(distances, step, True)

    def moved(
        self, loop: While | For, fixed: Induction, factor: int, part: Binary, op: str, other: Expr
    ) -> Expr | None:
        """How often `factor * v op other`, a part of the condition, holds if each iteration moves v alike.

        By an amount that isn't a number: only where nothing else ends the loop, which then ends because
        the amount moves v towards the other side.
        """
        if not _signed(part.left, part.right) or op == "!=":
            return None
        up, stride = op in ("<", "<="), fixed.stride
        if stride is None:
            towards, step = fixed.step > 0, number(abs(fixed.step))
        else:
            ends = any(isinstance(s, Break | Return) for s in statements(loop.body))
            amount = self._known(stride, stride.value)
            if ends or part is not loop.cond or amount is None:
                return None
            towards, step = stride.op == "+=", amount
        start, end = self._version(fixed.entry), self.form(loop, other)
        if start is None or towards is not up or step == ZERO:
            return None
        high, low = (end, start.scaled(factor)) if up else (start.scaled(factor), end)
        distances = self._distances(high, low, 1 if op in ("<=", ">=") else 0)
        return None if distances is None else self._trips(distances, step.scaled(factor), stride is None)

    def _distances(self, high: Poly | None, low: Poly | None, more: int) -> list[Poly] | None:
        """Values over what the host knows of which one is at least high - low + more."""
        if high is None or low is None:
            return None
        return self._highest(high - low + number(more), STEPS)

    def _known(self, stmt: Stmt, expr: Expr) -> Poly | None:
        """A value, if the host knows it."""
        found = self.form(stmt, expr)
        return found if found is not None and all(a in self.known for a in found.atoms) else None

    # ---- what a value is -----------------------------------------------------

    def form(self, stmt: Stmt, expr: Expr) -> Poly | None:
        """An integer of a statement as a polynomial."""
        if not _whole(expr.type):
            return None
        value = literal(expr)
        if value is not None:
            return number(value)
        match expr:
            case Special(name, axis):
                return self._special(expr, name, axis)
            case Place(sym, ()):
                version = self.v.reads.get(stmt, {}).get(sym)
                return None if version is None else self._version(version)
            case Cast(arg, Scalar() as to):
                return self.form(stmt, arg) if _kept(arg, to) else None
            case Unary("-" | "+" as op, arg):
                inner = self.form(stmt, arg)
                return None if inner is None else -inner if op == "-" else inner
            case Binary("+" | "-" | "*" as op, left, right):
                one, two = self.form(stmt, left), self.form(stmt, right)
                if one is None or two is None:
                    return None
                return one + two if op == "+" else one - two if op == "-" else one * two
            case Binary("&", left, right):
                return self._masked(stmt, left, right)
            case Select(cond, then, other):
                return self._selected(stmt, cond, then, other)
            case Call(name, (left, right), callee=None) if name in EXTREMES and _signed(left, right):
                return self._extreme("min" in name, self.form(stmt, left), self.form(stmt, right))
            case _:
                return None

    def _special(self, expr: Special, name: str, axis: str) -> Poly | None:
        if name in ("blockDim", "gridDim"):
            return self._host(expr, f"{name}.{axis}")
        if name in ("threadIdx", "blockIdx"):
            size = "blockDim" if name == "threadIdx" else "gridDim"
            extent = self._host(Special(size, axis), f"{size}.{axis}")  # type: ignore[arg-type]
            atom = self.atoms.named((name, axis), f"{name}.{axis}", "position")
            self.above[atom], self.below[atom] = ("any", (extent - ONE,)), ("any", (ZERO,))
            return variable(atom)
        return None

    def _host(self, expr: Expr, name: str) -> Poly:
        atom = self.atoms.named(name, name, "uniform")
        self.known[atom] = expr
        return variable(atom)

    def _version(self, version: Version) -> Poly | None:
        """A variable's value."""
        match version.kind, version.stmt:
            case "entry", _:
                value = self.closed(version)
                return None if value is None else self._host(value, version.sym.name)
            case "def", Declare(_, init) if isinstance(init, Expr):
                return self._through(version, init)
            case "def", Assign(target, value, op) if not target.index and op in (None, "+=", "-="):
                if op is None:
                    return self._through(version, value)
                old, by = self.form(version.stmt, target), self._through(version, value)
                return None if old is None or by is None else old + by if op == "+=" else old - by
            case "join", If() | Switch():
                ends = [self._version(arg) for arg in version.args]
                whole = [e for e in ends if e is not None]
                if not whole or len(whole) < len(ends) or not _whole(version.sym.type):
                    return None
                if all(e == whole[0] for e in whole):
                    return whole[0]
                atom = self.atoms.named(version, version.sym.name, "free")
                self.above[atom] = self.below[atom] = ("all", tuple(dict.fromkeys(whole)))
                return variable(atom)
            case "head", For() as loop if version not in self.open:
                self.open.add(version)
                found = self._counter(version, loop)
                self.open.discard(version)
                return found
            case _:
                return None

    def _through(self, version: Version, value: Expr) -> Poly | None:
        """What a variable of its type is after a value was stored in it."""
        assert version.stmt is not None
        kind = version.sym.type
        return self.form(version.stmt, value) if isinstance(kind, Scalar) and _kept(value, kind) else None

    def _counter(self, version: Version, loop: For) -> Poly | None:
        """A counter in an iteration: between where it starts and where the loop ends."""
        count = self.counters.get(loop)
        if count is None or count.sym is not version.sym or count.op == "!=" or not _compared(loop, count):
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

    def _masked(self, stmt: Stmt, left: Expr, right: Expr) -> Poly | None:
        """x & 3 is between 0 and 3, whatever x is."""
        mask, value = literal(right), self.form(stmt, left)
        if mask is None or mask < 0 or value is None:
            return None
        atom = self.atoms.named(("&", value, mask), "masked", "free")
        self.above[atom], self.below[atom] = ("any", (number(mask),)), ("any", (ZERO,))
        return variable(atom)

    def _selected(self, stmt: Stmt, cond: Expr, then: Expr, other: Expr) -> Poly | None:
        one, two = self.form(stmt, then), self.form(stmt, other)
        if one is None or two is None:
            return None
        if isinstance(cond, Binary) and cond.op in ("<", "<=", ">", ">=") and _signed(cond.left, cond.right):
            sides = self.form(stmt, cond.left), self.form(stmt, cond.right)
            if sides in ((one, two), (two, one)):
                return self._extreme((sides == (one, two)) is (cond.op in ("<", "<=")), one, two)
        atom = self.atoms.named(("?", one, two), "selected", "free")
        self.above[atom] = self.below[atom] = ("all", (one, two))
        return variable(atom)

    def _extreme(self, least: bool, one: Poly | None, two: Poly | None) -> Poly | None:
        """The lesser of two, or the larger; where nothing is known of one, it is bounded on one side."""
        known = tuple(p for p in (one, two) if p is not None)
        if not known:
            return None
        if len(known) < 2:
            atom = self.atoms.fresh("extreme", "free")
            (self.above if least else self.below)[atom] = "any", known
            return variable(atom)
        atom = self.atoms.named((least, *known), "extreme", "free")
        self.above[atom] = ("any" if least else "all", known)
        self.below[atom] = ("all" if least else "any", known)
        return variable(atom)

    # ---- the largest that it can be ------------------------------------------

    def _highest(self, value: Poly, steps: int) -> list[Poly] | None:
        """Values that the host knows, of which the largest isn't exceeded.

        L22. With f <= g, c * f + r <= c * g + r for c >= 0; with f >= g, for c <= 0.
        """
        unknown = [a for a in value.atoms if a not in self.known]
        if not unknown:
            return [value]
        atom = max(unknown)
        factor = value.coefficient(atom).constant
        rest = value - variable(atom).scaled(factor or 0)
        if factor is None or atom in rest.atoms or steps == 0:
            return None
        ends = (self.above if factor > 0 else self.below).get(atom)
        if ends is None:
            return None
        how, values = ends
        found = [self._highest(rest + end.scaled(factor), steps - 1) for end in values]
        if how == "any":
            could = [f for f in found if f is not None]
            return min(could, key=lambda f: (any(p.constant is None for p in f), len(f)), default=None)
        together: dict[Poly, None] = {}
        for each in found:
            if each is None:
                return None
            together.update(dict.fromkeys(each))
        return list(together) if len(together) <= WAYS else None

    # ---- as the author would write it ----------------------------------------

    def _trips(self, distances: list[Poly], step: Poly, positive: bool) -> Expr:
        """How many steps the largest of the distances takes; none if the step isn't `positive` after all."""
        every = [self._steps(d, step, positive) for d in distances]
        numbers = [e for e in every if isinstance(e, Const)]
        rest: list[Expr] = [e for e in every if not isinstance(e, Const)]
        if numbers:
            rest.append(max(numbers, key=lambda e: e.value))
        out = rest[0]
        for other in rest[1:]:
            out = Select(Binary(">", out, other, BOOL), out, other, _wider(out, other))
        return out

    def _steps(self, distance: Poly, step: Poly, positive: bool) -> Expr:
        by, length = step.constant, distance.constant
        if by is not None and length is not None:
            return Const(max(0, -(-length // by)), INT)
        up, divisor = self._written(distance + step - ONE), self._written(step)
        for whole in (distance, distance + step - ONE):  # q * step, rounded up or down
            if (exact := divide(whole, step)) is not None:
                return self._written(exact)
        count = Binary("/", up, divisor, _wider(up, divisor))
        if positive:
            return count
        zero = Const(0, INT)
        return Select(Binary(">", divisor, zero, BOOL), count, zero, count.type)

    def _written(self, value: Poly) -> Expr:
        """A value that the host knows, as an expression."""
        out: Expr | None = None
        for monomial, factor in sorted(value.terms, key=lambda t: (not t[0], t[1] < 0)):
            factors: list[Expr] = [] if monomial and abs(factor) == 1 else [Const(abs(factor), INT)]
            for atom in monomial:
                expr = self.known[atom]
                assert isinstance(expr.type, Scalar)
                factors.append(converted(expr, INT if expr.type.size == INT.size else LLONG))
            term = factors[0]
            for each in factors[1:]:
                term = Binary("*", term, each, _wider(term, each))
            if out is not None:
                out = Binary("-" if factor < 0 else "+", out, term, _wider(out, term))
            else:
                out = Unary("-", term, term.type) if factor < 0 else term
        return Const(0, INT) if out is None else out


def _wider(one: Expr, two: Expr) -> Scalar:
    return LLONG if LLONG in (one.type, two.type) else INT


def _whole(kind: object) -> bool:
    return isinstance(kind, Scalar) and kind.is_integer and kind.size >= INT.size


def _signed(*exprs: Expr) -> bool:
    return all(isinstance(e.type, Scalar) and e.type.kind == "signed" for e in exprs)


def _compared(loop: For, count: Counter) -> bool:
    """Whether a loop's condition compares, as signed integers, what its counter and its bound are."""
    cond = loop.cond
    if not isinstance(cond, Binary) or not _signed(cond.left, cond.right):
        return False
    assert isinstance(cond.left.type, Scalar)
    assert isinstance(count.sym.type, Scalar)
    return _kept(count.bound, cond.left.type) and _kept(count.start, count.sym.type)


def _kept(value: Expr, to: Scalar) -> bool:
    """Whether a conversion between integers leaves the value what it is, as long as nothing wraps."""
    if not (_whole(value.type) and _whole(to)):
        return False
    assert isinstance(value.type, Scalar)
    return value.type.size == to.size or (value.type.kind == "signed" and value.type.size < to.size)
