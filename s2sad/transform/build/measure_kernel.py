"""K_measure: measure the maximum trip counts of loops that nothing in the kernel bounds.

    while (y[2 * i] > 1.0f) {       ->      int count = 0;
        ...                                 while (y[2 * i] > 1.0f) {
    }                                           ++count;
                                                ...
                                            }
                                            atomicMax(&trips[0], count);

It runs the part of the primal that determines when loops end; arrays that no condition
depends on aren't stored to. The arrays that it stores to are the caller's copies.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace

from ...analysis.ssa import Loop, operands, targets
from ...analysis.traversal import ends
from ...fixpoint import rounds
from ...ir import (
    INT,
    AddressOf,
    Assign,
    Barrier,
    Body,
    Break,
    Call,
    Const,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    LoopId,
    Parameter,
    Place,
    Pointer,
    Return,
    Stmt,
    Switch,
    Sym,
    While,
    bodies,
    rebuilt,
    statements,
)
from ...signature import Argument, Signature
from ..common.symbol_uses import symbols
from ..normalise.fallthrough import thinned
from ..plan.loops_by_line import Lines

TRIPS = "trips"


@dataclass(frozen=True)
class Trips:
    """The maximum trip count of the loops that begin on one line, and the adjoint's parameter for it."""

    line: int  # for its name and messages
    loops: frozenset[LoopId]
    sym: Sym


@dataclass(frozen=True)
class Measured:
    """The measured loops of a kernel, ordered by line."""

    trips: tuple[Trips, ...] = ()

    def with_loops(self, lines: Lines, taken: Container[str]) -> Measured:
        """These and others; names that are `taken` get an underscore."""
        found = list(self.trips)
        for line, loops in lines.items():
            name = f"{TRIPS}_{line}"
            while name in taken:
                name += "_"
            found.append(Trips(line, loops, Sym(name, INT, "parameter")))
        return Measured(tuple(sorted(found, key=lambda one: one.line)))

    @property
    def bounds(self) -> dict[LoopId, Expr]:
        """The bounds of the measured loops, as expressions."""
        return {loop: Place(one.sym, (), INT) for one in self.trips for loop in one.loops}

    @property
    def numbers(self) -> dict[LoopId, int]:
        """The index of each loop's parameter."""
        return {loop: k for k, one in enumerate(self.trips) for loop in one.loops}

    @property
    def syms(self) -> list[Sym]:
        return [one.sym for one in self.trips]

    @property
    def parameters(self) -> list[Parameter]:
        return [Parameter(sym) for sym in self.syms]

    @property
    def arguments(self) -> list[Argument]:
        return [Argument(sym.name, "int", False, use="trips") for sym in self.syms]


def kernel_of(kernel: Function, body: Body, measured: Measured) -> tuple[Function, frozenset[Sym]]:
    """K_measure, and the arrays that it stores to; `body` is the kernel's in tail form."""
    taken = {s.name for s in kernel.syms} | {s.sym.name for s in statements(body) if isinstance(s, Declare)}
    name = TRIPS
    while name in taken:
        name += "_"
    trips = Sym(name, Pointer(INT), "parameter")
    numbers = measured.numbers
    slicer = _Slice(body, frozenset(numbers))
    whole = _flat(_counting(slicer.kept(body), trips, numbers, ()))
    function = Function(
        kernel.name + "_measure",
        (*kernel.params, Parameter(trips)),
        kernel.result,
        whole,
        True,
        kernel.attributes,
        kernel.span,
    )
    stored = frozenset(t.sym for s in statements(whole) for t in targets(s) if t.index and t.sym is not trips)
    return function, stored


def _flat(body: Body) -> Body:
    """Rewrite `if (c) return; else { s }` as `if (c) return; s`."""
    out: list[Stmt] = []
    for stmt in body:
        new = rebuilt(stmt, _flat)
        if isinstance(new, If) and new.other and ends(new.then):
            out += [replace(new, other=()), *new.other]
        else:
            out.append(new)
    return tuple(out)


def signature_of(name: str, arguments: Iterable[Argument], trips: str) -> Signature:
    """The signature of K_measure."""
    last = Argument(trips, "int", True, use="measured", written=True)
    return Signature(name, (*arguments, last))


class _Slice:
    """The slice that determines when some loops end; variables and arrays count as a whole."""

    def __init__(self, body: Body, loops: frozenset[LoopId]) -> None:
        self.loops = loops
        self.asked: set[Sym] = set()
        self.alive: set[Stmt] = set()
        every = list(statements(body))
        height = len(every) + len(symbols(every))
        for _ in rounds(height, "what decides when loops end"):  # the sets only grow
            grown = len(self.asked) + len(self.alive)
            self.mark(body)
            if grown == len(self.asked) + len(self.alive):
                break

    def mark(self, body: Body) -> bool:
        """Whether a statement of a body is kept."""
        marked = [self.marks(stmt) for stmt in body]
        return any(marked)

    def marks(self, stmt: Stmt) -> bool:
        inner = [self.mark(part) for part in bodies(stmt)]
        keep = any(inner) or stmt in self.alive
        match stmt:
            case For() | While() | DoWhile():
                keep = keep or self.counted(stmt)
            case Return() | Break() | Continue():
                keep = True
            case Barrier():
                keep = any(s.storage == "shared" or isinstance(s.type, Pointer) for s in self.asked)
            case Declare(sym):
                keep = keep or sym in self.asked
            case _:
                keep = keep or any(t.sym in self.asked for t in targets(stmt))
        if keep:
            self.alive.add(stmt)
            for expr in operands(stmt):
                self.asked |= expr.symbols
            for target in targets(stmt):
                self.asked |= target.symbols
            if isinstance(stmt, For):
                self.alive |= {s for s in stmt.init if isinstance(s, Declare) and s.sym in self.asked}
        return keep

    def counted(self, loop: Loop) -> bool:
        return loop.id in self.loops

    def kept(self, body: Body) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if stmt not in self.alive:
                continue
            if isinstance(stmt, For):
                stmt = replace(stmt, init=self.kept(stmt.init), step=self.kept(stmt.step))
            stmt = rebuilt(stmt, self.kept)
            out.append(replace(stmt, cases=thinned(stmt.cases)) if isinstance(stmt, Switch) else stmt)
        return tuple(out)


def _counting(body: Body, trips: Sym, numbers: Mapping[LoopId, int], open_: tuple[Stmt, ...]) -> Body:
    """The body with its loops counted; `open_` reports the counts of the loops that a return leaves."""
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case For() | While() | DoWhile() if stmt.id in numbers:
                count = Sym("count", INT)
                place = Place(count, (), INT)
                tell = Evaluate(_largest(trips, numbers[stmt.id], place))
                inner = _counting(stmt.body, trips, numbers, (*open_, tell))
                step = Assign(place, Const(1, INT), "+=", spelling="++count")
                out += [Declare(count, Const(0, INT)), replace(stmt, body=(step, *inner)), tell]
            case Return():
                out += [*(replace(one) for one in open_), stmt]
            case _:
                out.append(rebuilt(stmt, lambda b: _counting(b, trips, numbers, open_)))
    return tuple(out)


def _largest(trips: Sym, number: int, count: Expr) -> Call:
    place = Place(trips, (Const(number, INT),), INT)
    return Call("atomicMax", (AddressOf(place, Pointer(INT)), count), INT, rule="atomicMax")
