"""Points: the author's names of a thread's position in the grid, and integers as polynomials of them.

int i = blockIdx.x * blockDim.x + threadIdx.x;        along x: i, of blocks as wide as blockDim.x
int y = blockIdx.y * BY + threadIdx.y;                along y: y, of blocks as wide as BY
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..analysis.affine import Atom, Atoms, Poly, linear, number, variable
from ..ir import (
    INT,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    Place,
    Scalar,
    Select,
    Special,
    Sym,
    Unary,
    statements,
)
from .changes import written
from .owner import Own


@dataclass(frozen=True)
class Point:
    """A thread's position along an axis, by the author's names for it; `width` is a block's."""

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
    """The points of a body along some axes; None where the kernel has no name for one."""

    def __init__(self, whole: Body, axes: Sequence[str]) -> None:
        own = Own(whole, len(axes))
        self.all = [_point(own, axis) for axis in axes]
        self.known = [p for p in self.all if p is not None]
        self.axis_of = {sym: k for k, p in enumerate(self.known) for sym in p.names}
        self.changed = {s for stmt in whole for s in written(stmt)}
        self.values: dict[Sym, Expr] = {
            s.sym: s.init
            for s in statements(whole)
            if isinstance(s, Declare) and isinstance(s.init, EXPR) and s.sym not in self.changed
        }
        self.atoms = Atoms()
        self.syms: dict[Atom, Sym] = {}

    @property
    def complete(self) -> bool:
        return len(self.known) == len(self.all)

    def split(self, index: Expr) -> tuple[tuple[Poly, ...], Poly] | None:
        """An index as a linear form of the points: the factor of each, and the rest."""
        found = self.poly(index)
        mine = [self.atom(p.names[0]) for p in self.known]
        form = None if found is None else linear(found, lambda a: a in mine)
        if form is None or not set(form[0]) >= set(mine):
            return None
        return tuple(form[0][a] for a in mine), form[1]

    def poly(self, expr: Expr) -> Poly | None:
        """An integer as a polynomial of names that aren't made of others."""
        match expr:
            case Const(int() as value) if not isinstance(value, bool):
                return number(value)
            case Cast(arg, Scalar(size=size) as to) if to.is_integer and size >= INT.size:
                return self.poly(arg) if isinstance(arg.type, Scalar) and arg.type.is_integer else None
            case Place(sym, ()) if sym in self.axis_of:
                return variable(self.atom(self.known[self.axis_of[sym]].names[0]))
            case Place(sym, ()) if sym in self.values:
                return self.poly(self.values[sym])
            case Place(sym, (), Scalar() as kind) if kind.is_integer:
                return variable(self.atom(sym))
            case Unary("-", arg):
                inner = self.poly(arg)
                return None if inner is None else -inner
            case Binary("+" | "-" | "*" as op, left, right):
                one, two = self.poly(left), self.poly(right)
                if one is None or two is None:
                    return None
                return one + two if op == "+" else one - two if op == "-" else one * two
            case _:
                return None

    def atom(self, sym: Sym) -> Atom:
        atom = self.atoms.named(sym, sym.name, "uniform")
        self.syms[atom] = sym
        return atom


def _point(own: Own, axis: str) -> Point | None:
    """The names of a thread's position along an axis that the kernel starts with."""
    found: list[tuple[Sym, Expr]] = []
    for sym, value in own.values.items():
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
        whole = isinstance(sym.type, Scalar) and sym.type.is_integer and sym.type.size >= INT.size
        of_block = width == Special("blockDim", axis) or (isinstance(width, Const) and width.value > 0)
        if a == b == axis and whole and of_block:
            found.append((sym, width))
    # of several names, those of the same block and type
    same = [s for s, width in found if width == found[0][1] and s.type == found[0][0].type]
    return Point(axis, tuple(same), found[0][1]) if found else None


EXPR = (Const, Place, Special, Unary, Binary, Select, Cast, Call)
