"""Evaluate expressions and conditions symbolically, for one thread at one place.

`Reader` evaluates with the variables and the facts of the current place, and visits
every array element on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import TypeVar, assert_never

from ...fields import inner_extents
from ...ir import (
    COLLECTIVE,
    AddressOf,
    Array,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Function,
    Place,
    Pointer,
    Return,
    Scalar,
    Select,
    Special,
    Stmt,
    Sym,
    Unary,
    children,
    is_floating,
    is_integer,
    scalar_type,
    walk,
)
from ..atomics import is_drawn
from ..constants import FLIPPED
from ..threads.ballot_ranks import Ballots
from .inequalities import Facts, holds
from .machine_arithmetic import OPAQUE, Arithmetic, Truth, Value, Wrapped
from .polynomials import ONE, ZERO, Atom, Atoms, Load, Poly, Rank, Scope, joined, number, variable

T = TypeVar("T")


def initial(atoms: Atoms, sym: Sym) -> Atom:
    """Return the atom for an integer's value when the kernel starts."""
    scope: Scope = "free" if sym.storage == "local" else "uniform"
    low = 0 if isinstance(sym.type, Scalar) and sym.type.kind == "unsigned" else None
    return atoms.named(("initial", sym), sym.name, scope, low)


def _flat(indices: Sequence[Poly], extents: Sequence[int]) -> tuple[Poly, Facts]:
    """Return the offset in an array of constant extents; each index lies within its own extent."""
    at = ZERO
    facts: list[Poly] = []
    if tuple(extents) == (0,):  # the launch gives the extent
        (index,) = indices
        return index, () if index.constant is not None else (index,)
    for index, extent in zip(indices, extents, strict=True):
        at = at.scaled(extent) + index
        facts += [index, number(extent - 1) - index]
    return at, tuple(f for f in facts if f.constant is None)


EXTREMES = ("min", "max", "umin", "umax", "llmin", "llmax", "ullmin", "ullmax")


_COORDINATE = {"blockDim": "threadIdx", "gridDim": "blockIdx"}


class Reader(Arithmetic):
    """Calls `seen` for each element of a global or shared array that is accessed, with its index,
    in the context of the access."""

    def __init__(
        self,
        atoms: Atoms,
        constant: frozenset[Sym],
        one: frozenset[str],
        seen: Callable[[Place, Poly, Facts], None],
        heard: Callable[[Poly], None],
        aligned: bool = False,
        tables: Mapping[Sym, tuple[int, int]] = MappingProxyType({}),
        functions: Mapping[str, Function] = MappingProxyType({}),
    ) -> None:
        super().__init__(atoms, heard)
        self.functions = functions
        self.aligned = aligned  # the rows of a block are whole warps
        self.tables = tables  # local arrays of constant numbers: the least and the largest
        self.constant = constant  # integer arrays that the launch never writes
        self.one = one  # the coordinates that are zero in the launch
        self.variables: dict[Sym, Value] = {}
        self.seen = seen
        self.ballots = Ballots()
        self.at: Stmt | None = None  # the statement being evaluated

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
                if isinstance(expr.type, Pointer):  # an address as a number
                    self.sink(self.value(expr.left))
                    self.sink(self.value(expr.right))
                    return None
                if is_floating(expr):
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
        """Visit everything in a floating expression, however long its chains are."""
        left: list[Expr] = [expr]
        while left:
            e = left.pop()
            if isinstance(e, Binary | Unary) and is_floating(e):
                left.extend(reversed(children(e)))
            else:
                self.sink(self.value(e))

    def integer(self, expr: Expr) -> Poly:
        return self.exact(self.value(expr))

    def truth(self, expr: Expr) -> Truth:
        return self.as_truth(self.value(expr))

    # ---- leaves -------------------------------------------------------------

    def special(self, expr: Special) -> Value:
        if expr.name == "warpSize":
            return number(32)
        if expr.name == "present":
            return Truth(uniform=True)
        extent = expr.name in ("blockDim", "gridDim")
        if f"{_COORDINATE.get(expr.name, expr.name)}.{expr.axis}" in self.one:
            return ONE if extent else ZERO
        if extent:
            return self.extent(expr.name, expr.axis)
        return variable(self.coordinate(expr.name, expr.axis))

    def extent(self, name: str, axis: str) -> Poly:
        """Return the number of threads or blocks: at least one, or a multiple of the warp size."""
        if self.aligned and (name, axis) == ("blockDim", "x"):
            return variable(self.atoms.named("warps", "(blockDim.x / 32)", "uniform", 1)).scaled(32)
        return variable(self.atoms.named((name, axis), f"{name}.{axis}", "uniform", 1))

    def coordinate(self, name: str, axis: str) -> Atom:
        """Return the atom of `threadIdx.x` and similar: at least 0, less than the extent."""
        size = self.extent("blockDim" if name == "threadIdx" else "gridDim", axis)
        atom = self.atoms.named((name, axis), f"{name}.{axis}", "position", 0)
        if atom not in self.atoms.bounds:
            self.atoms.bound(atom, size - ONE - variable(atom))
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
        """Return the initial value: uniform for a parameter or a file constant, unknown for a local."""
        if type.kind == "bool":
            return Truth(uniform=sym.storage in ("parameter", "global"))
        return variable(initial(self.atoms, sym))

    def element(self, place: Place) -> Value:
        indices = [self.address_of(i) for i in place.index]
        for index in indices:
            self.heard(index)
        if isinstance(place.sym.type, Pointer) and len(indices) == 1:
            self.seen(place, indices[0], ())
        elif isinstance(place.sym.type, Pointer) and len(inner_extents(place.sym)) < len(indices) - 1:
            self.seen(place, variable(self.atoms.fresh(place.sym.name, "free")), ())  # where a pointer points
        elif isinstance(place.sym.type, Pointer):  # an array in a struct
            first, rest = indices[0], _flat(indices[1:], inner_extents(place.sym))
            self.seen(place, first.scaled(prod(inner_extents(place.sym))) + rest[0], rest[1])
        if isinstance(place.sym.type, Array) and place.sym.storage == "shared":
            self.seen(place, *_flat(indices, place.sym.type.extents))
        if not isinstance(place.type, Scalar) or place.type.is_float:
            return None
        if place.type.kind == "bool":
            return OPAQUE
        if place.sym in self.tables:
            least, most = self.tables[place.sym]
            atom = self.atoms.fresh(place.sym.name, "free", least)
            self.atoms.bound(atom, number(most) - variable(atom))
            return variable(atom)
        low = 0 if place.type.kind == "unsigned" else None
        if place.sym not in self.constant or len(indices) != 1:
            return self.unknown(place.sym.name, low)
        load = Load(place.sym, indices[0])
        name = f"{place.sym.name}[{indices[0]}]"
        return variable(self.atoms.named(load, name, joined(indices[0].atoms), low, load))

    def address_of(self, index: Expr) -> Poly:
        """Evaluate an index: addresses have 64 bits, and none is out of bounds."""
        value = self.value(index)
        if isinstance(value, Wrapped) and value.bits == 64:
            return self.folded(value.value)
        return self.exact(value)

    def address(self, place: Place) -> None:
        """Evaluate `&v`: the callee may write there."""
        if place.index:
            self.element(place)
        elif isinstance(place.type, Scalar):
            self.sink(self.variables.get(place.sym))
            self.variables[place.sym] = self.anything(place.type)

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

    def binary(self, expr: Binary) -> Value:
        match expr.op:
            case "&&":
                return self.conjunction(expr.left, expr.right)
            case "||":
                return self.disjunction(expr.left, expr.right)
            case "<" | "<=" | ">" | ">=" | "==" | "!=":
                left, right = self.value(expr.left), self.value(expr.right)
                inside = self.between(expr, left, right)
                return self.comparison(expr.op, left, right) if inside is None else inside
            case _:
                return self.operation(
                    expr.op, self.value(expr.left), self.value(expr.right), scalar_type(expr)
                )

    def between(self, expr: Binary, left: Value, right: Value) -> Truth | None:
        """Evaluate `(unsigned)x < W`, one comparison for two bounds; None if it isn't that.

        L24. For signed a and b of no more bits than the unsigned type has, and b >= 0,
        (unsigned)a < (unsigned)b where 0 <= a < b, and nowhere else.
        """
        op, one, two = expr.op, expr.left, expr.right
        if op in ("==", "!="):
            return None
        if isinstance(right, Wrapped):
            op, one, two, left, right = FLIPPED[op], two, one, right, left
        if not (isinstance(left, Wrapped) and isinstance(right, Poly) and _made_unsigned(one)):
            return None
        small = right.constant is not None and right.constant < 1 << (left.bits - 1)
        if not (small or _made_unsigned(two)) or not holds(right, self.facts, self.atoms):
            return None
        self.heard(left.value)
        self.heard(right)
        above = right - left.value - (ONE if op in ("<", ">=") else ZERO)
        uniform = left.value.is_uniform and right.is_uniform
        inside = Truth((left.value, above), (), True, False, uniform)
        return inside if op in ("<", "<=") else inside.negation

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

    def call(self, expr: Call) -> Value:
        values = [self.value(a) for a in expr.args]
        for value in values:
            self.sink(value)
        name = expr.name
        function = self.functions.get(expr.callee) if expr.callee is not None else None
        if function is not None and (said := returned(function)) is not None:
            return self.within(function, said, expr, values)
        if expr.callee is None and name in EXTREMES and len(values) == 2:
            a, b = values
            if isinstance(a, Poly) and isinstance(b, Poly):
                less, more = (b - a,), (a - b - ONE,)  # if equal, either is both minimum and maximum
                return self.choice(((a, less), (b, more)) if "min" in name else ((b, less), (a, more)))
        if (ballot := self.ballots.ranks.get((self.at, expr))) is not None:
            return self.rank(ballot)
        if name in ("__mul24", "__umul24") and isinstance(expr.type, Scalar):
            return self.operation("*", values[0], values[1], expr.type)
        return self.anything(expr.type)

    def rank(self, ballot: Stmt) -> Poly:
        """Return the thread's rank among the lanes of its warp that voted for a condition."""
        blocks = tuple(self.coordinate("blockIdx", a) for a in "xyz" if f"blockIdx.{a}" not in self.one)
        origin = Rank(variable(self.coordinate("threadIdx", "x")), self.vote(ballot), blocks)
        atom = self.atoms.named(("rank", ballot), "rank", "free", 0, origin)
        if atom not in self.atoms.bounds:
            self.atoms.bound(atom, number(31) - variable(atom))
        return variable(atom)

    def vote(self, ballot: Stmt) -> Atom:
        """Return the atom that is 1 where a thread voted for the ballot's condition, which still holds."""
        return self.atoms.named(("vote", ballot), "vote", "free", 0)

    def within(self, function: Function, said: Expr, call: Call, values: Sequence[Value]) -> Value:
        """Evaluate a call of a function that returns the expression `said`."""
        outer = {sym: self.variables.pop(sym) for sym in function.syms if sym in self.variables}
        for sym, arg, value in zip(function.syms, call.args, values, strict=True):
            self.variables[sym] = self.convert(value, arg.type, sym.type)
        found = self.convert(self.value(said), said.type, call.type)
        for sym in function.syms:
            self.variables.pop(sym, None)
        self.variables.update(outer)
        return found


def _made_unsigned(expr: Expr) -> bool:
    """Whether an expression is a signed value converted to an unsigned type of at least its size."""
    match expr:
        case Cast(arg, Scalar(kind="unsigned", size=size)):
            kind = arg.type
            return isinstance(kind, Scalar) and kind.kind == "signed" and kind.size <= size
        case _:
            return False


def returned(function: Function) -> Expr | None:
    """Return the integer expression of a function of numbers with one `return`: `return r * w + c;`."""
    match function.body:
        case (
            Return(Const() | Place() | Special() | Unary() | Binary() | Cast() | Select() | Call() as said),
        ):
            pass
        case _:
            return None
    numbers = all(isinstance(s.type, Scalar) for s in function.syms)
    integer = is_integer(said)
    return said if numbers and integer and all(map(_plain, walk(said))) else None


def _plain(part: Expr) -> bool:
    """Whether evaluation has no side effects, reads no memory, and needs no other threads."""
    match part:
        case Call(callee=None):
            return not is_drawn(part) and part.rule not in COLLECTIVE
        case Place(_, index):
            return not index
        case AddressOf():
            return False
        case _:
            return True
