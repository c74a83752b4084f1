"""Values that cancel: their effects on every result add up to zero, so they have no adjoint.

    m = max over k of x[k];                     whatever m is, y is the same
    for (k …) s += expf(x[k] - m);              ds/dm = -s
    for (k …) y[k] = expf(x[k] - m) / s;        dy/dm = -y + y s / s = 0

A shift is a variable c for which every stored result has the derivative 0. The proof
gives each value v of the kernel its *law*: `Power(k)` if dv/dc = k v, `Line(k)` if
dv/dc = k, with k a rational number. exp turns lines into powers and log turns them back;
products of powers add up exponents and sums of lines slopes; powers need the same law to be
added. If a value has no law, or the law of a result isn't "free of c", there is no proof,
and c keeps its adjoint.
The laws of one thread hold for that thread's c. Where values that aren't free of c go to
other threads, c must be the same value in all of them: then it is the same function of the
inputs, and it is enough that the sum of all threads' adjoints of c is zero.

A word of shared memory that one statement stores, once, is such a value of the block:
`if (threadIdx.x == 0) top = m;`. Every thread that reads it gets that value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ..fixpoint import rounds
from ..ir import (
    COLLECTIVE,
    AddressOf,
    Array,
    Assign,
    Binary,
    Call,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    Initialiser,
    Place,
    Pointer,
    Return,
    Scalar,
    Select,
    Special,
    Stmt,
    Sym,
    Unary,
    unconverted,
    walk,
)
from .activity import Activity, Node, is_real
from .activity import node as node_of
from .atomics import is_drawn, update
from .ssa import Version, Versions, operands, outputs, targets
from .threads.block_uniformity import Uniform
from .threads.butterfly_shuffles import butterfly
from .threads.warp_uniformity import survey as lanes_of

# ---- laws --------------------------------------------------------------------


@dataclass(frozen=True)
class Power:
    """dv/dc = k · ln(base) · v."""

    k: Fraction
    base: str = "exp"


@dataclass(frozen=True)
class Line:
    """dv/dc = k."""

    k: Fraction


@dataclass(frozen=True)
class Free:
    """dv/dc = 0."""


@dataclass(frozen=True)
class Zero:
    """The number 0, which has every power's law."""


@dataclass(frozen=True)
class Lawless:
    """Nothing is known."""


Law = Power | Line | Free | Zero | Lawless
FREE, ZERO, LAWLESS = Free(), Zero(), Lawless()

_EXPONENTIALS = frozenset({"exp", "exp2", "exp10"})
_LOGARITHMS = {"log": "exp", "log2": "exp2", "log10": "exp10"}
_ROOTS = {"sqrt": Fraction(1, 2), "rsqrt": Fraction(-1, 2), "rcp": Fraction(-1), "fabs": Fraction(1)}
_CHOICES = frozenset({"fmax", "fmin"})


def power(k: Fraction, base: str) -> Law:
    return Power(k, base) if k else FREE


def line(k: Fraction) -> Law:
    return Line(k) if k else FREE


def joined(a: Law | None, b: Law | None) -> Law | None:
    """Return the law of a value that is one or the other; None while nothing is known of a value yet."""
    match a, b:
        case (None, law) | (law, None):
            return law
        case _ if a == b:
            return a
        case (Zero(), Power() | Free() as law) | (Power() | Free() as law, Zero()):
            return law
        case _:
            return LAWLESS


def summed(a: Law, b: Law, sign: int) -> Law:
    """Return the law of a + b, or a - b."""
    match a, b:
        case (Zero(), Zero()):
            return ZERO
        case (Lawless(), _) | (_, Lawless()):
            return LAWLESS
        case (Zero(), law):
            return line(sign * law.k) if isinstance(law, Line) else law
        case (law, Zero()):
            return law
        case (Power(), _) | (_, Power()):
            return a if a == b else LAWLESS
        case _:
            return line(_slope(a) + sign * _slope(b))


def multiplied(a: Law, b: Law, sign: int) -> Law:
    """Return the law of a · b, or a / b, where neither is a line."""
    match a, b:
        case (Zero(), _):
            return ZERO
        case (_, Zero()):
            return ZERO if sign > 0 else FREE
        case (Free(), Free()):
            return FREE
        case (Power(k, base), Free()):
            return Power(k, base)
        case (Free(), Power(k, base)):
            return Power(sign * k, base)
        case (Power(k, base), Power(m, other)) if base == other:
            return power(k + sign * m, base)
        case _:
            return LAWLESS


def _slope(law: Law) -> Fraction:
    return law.k if isinstance(law, Line) else Fraction(0)


# ---- the laws of one function's values, for one shift --------------------------


class _Laws:
    """The laws of all values with respect to one shift: a version, or a word in shared memory."""

    def __init__(self, versions: Versions, activity: Activity, shift: Node, settled: frozenset[Node]):
        self.v = versions
        self.shift = shift
        self.fixed: Mapping[Node, Law] = {**dict.fromkeys(settled, FREE), shift: Line(Fraction(1))}
        self.of: dict[Version, Law] = {v: law for v, law in self.fixed.items() if isinstance(v, Version)}
        self.arrays: dict[Sym, Law] = {s: law for s, law in self.fixed.items() if isinstance(s, Sym)}
        self.useful = activity.useful
        self.sound = True  # no result depends on the shift, as far as known
        self.warp = False  # values that aren't free of the shift go to other lanes
        self.block = False  # to other threads
        # loops with a shift of their own in each iteration
        self.again = frozenset(shift.scope.loops()) if isinstance(shift, Version) else frozenset()
        self.last = False
        self.settle()
        # Values still unknown now are made of zeros.
        self.last = True
        self.settle()

    def settle(self) -> None:
        """Visit every statement until no law changes.

        A law is joined with the one known, so it changes three times at most: none, zero, one, lawless.
        """
        for _ in rounds(3 * self.v.size, "what shifts of a value do", self.v.function.span):
            before = (dict(self.of), dict(self.arrays))
            for stmt in self.v.order:
                self.look(stmt)
            if before == (self.of, self.arrays):
                break

    def set(self, version: Version, law: Law | None) -> None:
        if version in self.fixed or law is None:
            return
        found = joined(self.of.get(version), law)
        assert found is not None
        self.of[version] = found

    def look(self, stmt: Stmt) -> None:
        made = self.v.makes.get(stmt, {})
        for head in self.v.heads.get(stmt, {}).values():
            self.join(head, stmt in self.again)
        if stmt in self.v.inside:
            for version in made.values():
                self.join(version, stmt in self.again)
            return
        match stmt:
            case Declare(sym, Initialiser(values)):
                for value in values:
                    self.store(Place(sym, (), sym.type), self.law(stmt, value), stmt)
                if isinstance(sym.type, Array) and len(values) < sym.type.elements:
                    self.store(Place(sym, (), sym.type), ZERO, stmt)
            case Declare(sym, init) if init is not None:
                assert not isinstance(init, Initialiser)
                self.put(stmt, Place(sym, (), sym.type), self.law(stmt, init))
                self.others(stmt, init)
            case Assign(target, value, op):
                law = self.law(stmt, value)
                if op is not None:
                    law = self.binary(op[:-1], (target, self.law(stmt, target)), (value, law))
                self.put(stmt, target, law)
                self.others(stmt, value)
            case Evaluate(call):
                added = update(stmt)
                if added is not None:
                    self.put(stmt, added.place, self.law(stmt, added.amount))
                else:
                    self.others(stmt, call)
            case Return(value) if value is not None:
                self.sound = self.sound and self.law(stmt, value) in (None, FREE, ZERO)
            case _:
                pass

    def join(self, version: Version, across: bool) -> None:
        for arg in version.args:
            law = self.known(arg)
            # A value from another iteration follows that iteration's shift.
            self.set(version, LAWLESS if across and law not in (None, FREE, ZERO) else law)

    def put(self, stmt: Stmt, target: Place, law: Law | None) -> None:
        if not is_real(target.type):
            law = FREE
        version = self.v.makes.get(stmt, {}).get(target.sym)
        if version is not None:
            self.set(version, law)
        else:
            self.store(target, law, stmt)

    def store(self, target: Place, law: Law | None, stmt: Stmt) -> None:
        """Record the law of a stored element; a store that outlives the shift must be free of it."""
        sym = target.sym
        if law is None or sym in self.fixed:
            return
        if law not in (FREE, ZERO):
            if not _fresh(sym) or self.again:
                law = LAWLESS
                self.sound = self.sound and sym not in self.useful
            self.block = self.block or sym.storage == "shared"
        found = joined(self.array(sym), law)
        assert found is not None
        self.arrays[sym] = found

    def array(self, sym: Sym) -> Law | None:
        """Return the law of an array's elements; the elements at entry are free."""
        return self.arrays.get(sym, None if _fresh(sym) and not self.last else FREE)

    def others(self, stmt: Stmt, value: Expr) -> None:
        """Values written through a call's arguments have no law, unless all inputs of the call are free."""
        places = outputs(value)
        if not places:
            return
        passed = [a for e in walk(value) if isinstance(e, Call) for a in e.args]
        laws = [self.law(stmt, a) for a in passed if not isinstance(a, AddressOf)]
        law = None if None in laws else FREE if all(f in (FREE, ZERO) for f in laws) else LAWLESS
        for place in places:
            self.put(stmt, place, law)

    # ---- expressions ---------------------------------------------------------

    def known(self, version: Version) -> Law | None:
        return self.of.get(version, FREE if self.last or version.kind == "entry" else None)

    def law(self, stmt: Stmt, expr: Expr) -> Law | None:
        """Return the law of an expression of a statement; None while it isn't known."""
        if not is_real(expr.type):
            return ZERO if isinstance(expr, Const) and expr.value == 0 else FREE
        match expr:
            case Const(value):
                return ZERO if value == 0 else FREE
            case Place(sym, index):
                if index or isinstance(sym.type, Array | Pointer):
                    return self.array(sym)
                version = self.v.read(stmt, sym)
                return FREE if version is None else self.known(version)
            case Cast(arg, kind):
                whole = isinstance(kind, Scalar) and kind.is_integer
                law = self.law(stmt, arg)
                return FREE if whole and law != ZERO else law  # rounded, or wrapped
            case Unary(op, arg):
                law = self.law(stmt, arg)
                return line(-law.k) if op == "-" and isinstance(law, Line) else law
            case Binary(op, left, right):
                return self.binary(op, (left, self.law(stmt, left)), (right, self.law(stmt, right)))
            case Select(_, then, other):
                return joined(self.law(stmt, then), self.law(stmt, other))
            case Call():
                return self.call(stmt, expr)
            case Special() | AddressOf():
                return FREE

    def binary(self, op: str, left: tuple[Expr, Law | None], right: tuple[Expr, Law | None]) -> Law | None:
        (x, a), (y, b) = left, right
        if a is None or b is None:
            return None
        match op:
            case "+" | "-":
                return summed(a, b, 1 if op == "+" else -1)
            case "/" if b == ZERO and not self.last:
                return None
            case "*" | "/":
                if isinstance(a, Line):
                    times = _number(y)
                    if times is None or (op == "/" and not times):
                        return LAWLESS
                    return line(a.k * times if op == "*" else a.k / times)
                if isinstance(b, Line):
                    times = _number(x)
                    return LAWLESS if times is None or op == "/" else line(b.k * times)
                return multiplied(a, b, 1 if op == "*" else -1)
            case _:
                return FREE if a in (FREE, ZERO) and b in (FREE, ZERO) else LAWLESS

    def call(self, stmt: Stmt, call: Call) -> Law | None:
        if call.rule in COLLECTIVE:
            return self.collective(stmt, call)
        laws = [self.law(stmt, a) for a in call.args if not isinstance(a, AddressOf)]
        known = [law for law in laws if law is not None]
        if len(known) < len(laws):
            return None
        if is_drawn(call):
            return LAWLESS  # the element's previous value
        if call.rule == "fma":
            product = self.binary("*", (call.args[0], known[0]), (call.args[1], known[1]))
            return None if product is None else summed(product, known[2], 1)
        if call.rule in _CHOICES:
            return joined(known[0], known[1])
        if ZERO in known and not self.last:
            return None
        if all(law in (FREE, ZERO) for law in known):
            return FREE
        rule, first = call.rule or "", known[0]
        match first:
            case Line(k) if rule in _EXPONENTIALS:
                return power(k, rule)
            case Power(k, base) if _LOGARITHMS.get(rule) == base:
                return line(k)
            case Power(k, base) if rule in _ROOTS:
                return power(_ROOTS[rule] * k, base)
            case _:
                return LAWLESS

    def collective(self, stmt: Stmt, call: Call) -> Law | None:
        if call.rule == "vote" or not is_real(call.type):
            return FREE
        everyone = call.rule == "sum"
        law = self.law(stmt, call.args[0 if everyone else 1])
        if law not in (None, FREE, ZERO):
            self.block = self.block or everyone
            self.warp = True
        return law


def _fresh(sym: Sym) -> bool:
    """Whether an array has no contents at entry."""
    return isinstance(sym.type, Array) and sym.storage in ("local", "shared")


def _number(expr: Expr) -> Fraction | None:
    """Return the value of an expression of literals."""
    match expr:
        case Const(int() | float() as value):
            return Fraction(value)
        case Cast(arg):
            return _number(arg)
        case Unary("-", arg):
            inner = _number(arg)
            return None if inner is None else -inner
        case _:
            return None


# ---- finding the shifts --------------------------------------------------------


class _Same:
    """Whether a value is the same in all threads of a block, or lanes of a warp."""

    def __init__(self, versions: Versions, dimensions: int) -> None:
        self.v = versions
        self.dimensions = dimensions

    @cached_property
    def uniform(self) -> Uniform:
        return Uniform(self.v)

    def block(self, version: Version) -> bool:
        return self.uniform.of(version) != "apart"

    @cached_property
    def lanes(self) -> Callable[[Version], bool]:
        found = lanes_of(self.v, self.dimensions).certain
        return lambda version: found.of(version) in ("uniform", "multiple")

    def warp(self, version: Version) -> bool:
        return self.lanes(version) or self.block(version) or butterfly(self.v, version)


def shifts(
    versions: Versions, activity: Activity, dimensions: int, of: Iterable[Sym] = ()
) -> frozenset[Node]:
    """Find the active values that cancel out of every result: arrays, and a function's final `of`."""
    same = _Same(versions, dimensions)
    left = [versions.final[sym] for sym in of if sym in versions.final]
    # a join of several exits belongs to no statement
    returned = [v for end in left for v in (end.args if end.kind == "join" and end.stmt is None else (end,))]
    found: set[Node] = set()
    for node in _candidates(versions, activity):
        laws = _Laws(versions, activity, node, frozenset(found))
        if not laws.sound or any(laws.known(version) not in (FREE, ZERO) for version in returned):
            continue
        if isinstance(node, Version) and (laws.block and not same.block(node)):
            continue
        if isinstance(node, Version) and (laws.warp and not same.warp(node)):
            continue
        found.add(node)
    return frozenset(found)


def _candidates(versions: Versions, activity: Activity) -> list[Node]:
    """Find active values that an exponential's argument subtracts, in order."""
    found: dict[Node, None] = {}
    for stmt in versions.order:
        read = versions.reads.get(stmt, {})
        for top in operands(stmt):
            for e in walk(top):
                if not (isinstance(e, Call) and e.rule in _EXPONENTIALS):
                    continue
                for part in walk(e.args[0]):
                    if not (isinstance(part, Binary) and part.op == "-"):
                        continue
                    taken = unconverted(part.right)
                    if not isinstance(taken, Place) or not activity.active(node_of(taken, read)):
                        continue
                    node = node_of(taken, read)
                    if node.kind != "head" if isinstance(node, Version) else _stored_once(node, versions):
                        found[node] = None
    return list(found)


def _stored_once(sym: Sym, versions: Versions) -> bool:
    """Whether one statement outside all loops stores to an array of one word in shared memory."""
    stores = [stmt for stmt in versions.order if any(place.sym is sym for place in targets(stmt))]
    match stores:
        case [Assign(op=None) as store]:
            one = isinstance(sym.type, Array) and sym.type.elements == 1
            return one and sym.storage == "shared" and not versions.scope_of[store].looped
        case _:
            return False
