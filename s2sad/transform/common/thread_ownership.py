"""Which elements and branches belong to one thread alone, judged by their index or condition."""

from __future__ import annotations

from itertools import islice

from ...analysis.constants import WARP, is_wide
from ...ir import (
    Accumulate,
    Assign,
    Binary,
    Body,
    Cast,
    Const,
    Declare,
    Expr,
    Place,
    Restore,
    Special,
    Sym,
    Unary,
    expressions,
    statements,
    walk,
)

_LONG = 200  # parts of an expression that is no index any more


class Own:
    """Which elements only one thread of the block can address: `a[threadIdx.x]`, under any name."""

    def __init__(self, body: Body, dimensions: int) -> None:
        self.axes = frozenset("xyz"[:dimensions])
        self.values: dict[Sym, Expr] = {}
        written: dict[Sym, int] = {}
        for stmt in statements(body):
            match stmt:
                case Declare(sym, init) if init is not None:
                    written[sym] = written.get(sym, 0) + 1
                case Assign(Place(sym, ())) | Restore(Place(sym, ())) | Accumulate(Place(sym, ())):
                    written[sym] = written.get(sym, 0) + 2
                case _:
                    pass
            for expr in expressions(stmt):
                for place in expr.outputs:
                    written[place.sym] = written.get(place.sym, 0) + 2
        self.written = written
        for stmt in body:  # set once, at the top level of the kernel
            if isinstance(stmt, Declare) and isinstance(stmt.init, Expr) and written[stmt.sym] == 1:
                self.values[stmt.sym] = stmt.init
        self._found: dict[Sym, Expr] = {}

    def owner(self, place: Place) -> tuple[Expr, ...] | None:
        """The element's index in terms of the thread's position, if it determines the thread; else None."""
        index = tuple(self.resolved(e) for e in place.index)
        found: set[str] = set()
        for e in index:
            axis = self.axis(e)
            if axis is None:
                return None
            found.add(axis)
        return index if self.axes <= found else None

    def resolved(self, expr: Expr) -> Expr:
        """An index with conversions and names resolved."""
        match expr:
            case Cast(arg, kind) if is_wide(kind) and is_wide(arg.type):
                return self.resolved(arg)
            case Place(sym, ()) if sym in self.values:
                return self._value(sym, expr)
            case Binary("+" | "-" | "*", left, right):
                return Binary(expr.op, self.resolved(left), self.resolved(right), expr.type)
            case _:
                return expr

    def _value(self, sym: Sym, name: Expr) -> Expr:
        """A name's value; the name itself if the value is long: a hash doubles in each line."""
        if sym not in self._found:
            value = self.resolved(self.values[sym])
            self._found[sym] = value if sum(1 for _ in islice(walk(value), _LONG)) < _LONG else name
        return self._found[sym]

    def axis(self, expr: Expr) -> str | None:
        """The axis whose coordinate an index is, plus or minus a block-uniform value.

        "" if it is the same for all threads; None if neither.
        """
        match expr:
            case Special("threadIdx", axis):
                return axis
            case Const() | Special():
                return ""
            case Place(Sym(storage="parameter") as sym, ()):
                return None if self.written.get(sym) else ""
            case Unary("-", arg):
                return self.axis(arg)
            case Binary("+" | "-", left, right):
                one, two = self.axis(left), self.axis(right)
                return one or two if one is not None and two is not None and not (one and two) else None
            case Binary("*", left, right):
                return "" if self.axis(left) == self.axis(right) == "" else None
            case _:
                return None

    def named(self, expr: Expr) -> str:
        """The axis whose coordinate an index is exactly; "" if none."""
        match self.resolved(expr):
            case Special("threadIdx", axis):
                return axis
            case _:
                return ""

    def chosen(self, expr: Expr) -> bool:
        """Whether `expr == c` selects one thread of the block, or one lane of each warp.

        A heuristic: a block of unknown shape is assumed to be a row.
        """
        match self.resolved(expr):
            case Binary("%" | "&" as op, _, right) if isinstance(number := self.resolved(right), Const):
                return number.value >= (WARP if op == "%" else WARP - 1)
            case resolved:
                mixed = {e.axis for e in walk(resolved) if isinstance(e, Special) and e.name == "threadIdx"}
                if len(self.axes) > 1 and mixed >= self.axes and isinstance(resolved, Binary):
                    return True  # threadIdx.y * WIDTH + threadIdx.x
                axis = self.axis(resolved)
                return bool(axis) and (self.axes <= {axis} or (axis == "x" and len(self.axes) == 3))
