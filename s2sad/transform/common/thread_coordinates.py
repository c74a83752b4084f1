"""Points: the author's names for a thread's position in the grid, and integers as polynomials in them.

int i = blockIdx.x * blockDim.x + threadIdx.x;        along x: i, of blocks as wide as blockDim.x
int y = blockIdx.y * BY + threadIdx.y;                along y: y, of blocks as wide as BY
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from ...analysis.symbolic.integers import polynomial
from ...analysis.symbolic.polynomials import Atom, Atoms, Poly, linear, number, variable
from ...ir import (
    BOOL,
    INT,
    Binary,
    Body,
    Const,
    Declare,
    Expr,
    Place,
    Scalar,
    Special,
    Sym,
    statements,
)
from .algebra import converted, shifted
from .mod_ref import written
from .thread_ownership import Own


@dataclass(frozen=True)
class Point:
    """A thread's position along an axis, with the author's names for it; `width` is the block's size."""

    axis: str
    names: tuple[Sym, ...]
    width: Expr

    @property
    def place(self) -> Place:
        return Place(self.names[0], (), self.names[0].type)

    @property
    def kind(self) -> Scalar:
        assert isinstance(self.names[0].type, Scalar)
        return self.names[0].type


class Points:
    """The points of a body along some axes; `all` has None where the kernel has no name for one."""

    def __init__(self, whole: Body, axes: Sequence[str]) -> None:
        own = Own(whole, len(axes))
        self.all = [_point(own, axis) for axis in axes]
        self.known = [p for p in self.all if p is not None]
        self.axis_of = {sym: k for k, p in enumerate(self.known) for sym in p.names}
        self.changed = {s for stmt in whole for s in written(stmt)}
        self.values: dict[Sym, Expr] = {
            s.sym: s.init
            for s in statements(whole)
            if isinstance(s, Declare) and isinstance(s.init, Expr) and s.sym not in self.changed
        }
        self.atoms = Atoms()
        self.syms: dict[Atom, Sym] = {}

    @property
    def complete(self) -> bool:
        return len(self.known) == len(self.all)

    def split(self, index: Expr) -> tuple[tuple[Poly, ...], Poly] | None:
        """An index as a linear form in the points: the coefficient of each, and the rest."""
        found = self.poly(index)
        mine = [self.atom(p.names[0]) for p in self.known]
        form = None if found is None else linear(found, lambda a: a in mine)
        if form is None or not set(form[0]) >= set(mine):
            return None
        return tuple(form[0][a] for a in mine), form[1]

    def poly(self, expr: Expr) -> Poly | None:
        """An integer as a polynomial in names that aren't defined by others."""
        found = self.in_launch(expr)
        return found if found is not None and found.atoms <= set(self.syms) else None

    def in_launch(self, expr: Expr) -> Poly | None:
        """The same; blockIdx and blockDim may occur in it."""
        return polynomial(expr, self._named)

    def bounds(self, point: Point) -> tuple[Poly, ...]:
        """What is known of a point: polynomials that aren't negative.

        A block may be larger than a width that is a literal.
        """
        thread, width = self.thread(point), self._width(point)
        at, block = variable(self.atom(point.names[0])), self._special("blockIdx", point.axis)
        below = (width - number(1) - thread,) if isinstance(point.width, Special) else ()
        return at, block, width - number(1), thread, *below

    def thread(self, point: Point) -> Poly:
        """The point's coordinate in its block."""
        block = self._special("blockIdx", point.axis)
        return variable(self.atom(point.names[0])) - self._width(point) * block

    def _width(self, point: Point) -> Poly:
        width = self.in_launch(point.width)
        assert width is not None  # blockDim or a literal
        return width

    def _named(self, expr: Expr) -> Poly | None:
        match expr:
            case Place(sym, ()) if sym in self.axis_of:
                return variable(self.atom(self.known[self.axis_of[sym]].names[0]))
            case Place(sym, ()) if sym in self.values:
                return self.in_launch(self.values[sym])
            case Place(sym, (), Scalar() as kind) if kind.is_integer:
                return variable(self.atom(sym))
            case Special("threadIdx", axis):
                # the position minus the offset of the block
                point = next((p for p in self.known if p.axis == axis), None)
                width = None if point is None else self.in_launch(point.width)
                if point is None or width is None:
                    return None
                return variable(self.atom(point.names[0])) - width * self._special("blockIdx", axis)
            case Special("blockIdx" | "blockDim" as name, axis):
                return self._special(name, axis)
            case _:
                return None

    def _special(self, name: str, axis: str) -> Poly:
        return variable(self.atoms.named((name, axis), f"{name}.{axis}", "uniform"))

    def written(self, p: Poly, known: Container[Sym]) -> Expr | None:
        """A polynomial as a position's name plus an offset, if that name is in `known`; else None."""
        for point in self.known:
            for name in point.names:
                rest = p - variable(self.atom(point.names[0]))
                if name in known and self.atom(point.names[0]) not in rest.atoms:
                    return self.expression(rest, Place(name, (), name.type))
        return None

    def expression(self, p: Poly, start: Expr) -> Expr:
        """`start` plus a polynomial, as an expression."""
        for monomial, c in reversed(p.terms):
            if not monomial:
                start = shifted(start, c)
                continue
            syms = [self.syms[a] for a in monomial]
            part: Expr = Place(syms[0], (), syms[0].type)
            for sym in syms[1:]:
                part = both("*", part, Place(sym, (), sym.type))
            if abs(c) != 1:
                part = both("*", Const(abs(c), INT), part)
            start = both("+" if c > 0 else "-", start, part)
        return start

    def given(self, sym: Sym) -> bool:
        """Whether it is a number that the launch receives and doesn't change."""
        outer = isinstance(sym.type, Scalar) and sym.storage in ("parameter", "global")
        return outer and sym not in self.changed

    def atom(self, sym: Sym) -> Atom:
        atom = self.atoms.named(sym, sym.name, "uniform")
        self.syms[atom] = sym
        return atom


def _point(own: Own, axis: str) -> Point | None:
    """The top-level names of a thread's position along an axis."""
    found: list[tuple[Sym, Expr]] = []
    for sym, value in own.values.items():
        if not (isinstance(sym.type, Scalar) and sym.type.is_integer and sym.type.size >= INT.size):
            continue
        match own.resolved(value):
            case Binary("+", Binary("*", Special("blockIdx", a), width), Special("threadIdx", b)):
                pass
            case Binary("+", Binary("*", width, Special("blockIdx", a)), Special("threadIdx", b)):
                pass
            case Binary("+", Special("threadIdx", b), Binary("*", Special("blockIdx", a), width)):
                pass
            case Binary("+", Special("threadIdx", b), Binary("*", width, Special("blockIdx", a))):
                pass
            case _:
                continue
        of_block = width == Special("blockDim", axis) or (isinstance(width, Const) and width.value > 0)
        if a == b == axis and of_block:
            found.append((sym, width))
    # keep only the names with the same width and type
    same = [s for s, width in found if width == found[0][1] and s.type == found[0][0].type]
    return Point(axis, tuple(same), found[0][1]) if found else None


def both(op: str, left: Expr, right: Expr) -> Expr:
    """An operation on two integers, in the wider of their types."""
    a, b = left.type, right.type
    assert isinstance(a, Scalar)
    assert isinstance(b, Scalar)
    kind = max(a, b, INT, key=lambda t: (t.size, t.kind == "unsigned"))
    return Binary(op, converted(left, kind), converted(right, kind), BOOL if op == "<" else kind)
