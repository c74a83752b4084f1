"""Conditions that skip what contributes nothing along any direction.

                                          bool any_g = false;
                                          for (int d = 0; d < 8; ++d)
if (g != 0.0f || tan_g != 0.0f)    ->         any_g |= tan_g[d] != 0.0f;
                                          if (g != 0.0f || any_g)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...ir import BOOL, INT, Assign, Binary, Const, Declare, Expr, Place, Stmt, Sym, walk
from ..common.algebra import is_const, rewrite
from .direction_loops import over
from .layouts import Layout
from .linear_forms import moves


class Tests:
    """The tests of tangents in one condition. `before` is what computes them."""

    def __init__(self, layouts: Mapping[Sym, Layout], count: int) -> None:
        self.layouts, self.count = layouts, count
        self.before: list[Stmt] = []

    def of(self, cond: Expr, sure: bool = True) -> Expr | None:
        """The condition for all directions; None if it has a test of another form.

        `sure`: it is evaluated in any case, so that its loads may come before it.
        """
        if not moves(cond, self.layouts):
            return cond
        match cond:
            case Binary("!=" | "==", left, right) if is_const(right, 0.0):
                return self._test(cond, left, sure)
            case Binary("&&" | "||", left, right):
                one, two = self.of(left, sure), self.of(right, sure and self._beside(left, right))
                if one is None or two is None:
                    return None
                return replace(cond, left=one, right=two, spelling=None)
            case _:
                return None

    def _beside(self, left: Expr, right: Expr) -> bool:
        """Whether these test a value and its tangent: where one can be read, so can the other."""
        match left:
            case Binary("!=" | "==", Place(index=index)):
                return all(place.index == index for place in self._tangents(right))
            case _:
                return False

    def _tangents(self, expr: Expr) -> list[Place]:
        return [part for part in walk(expr) if isinstance(part, Place) and part.sym in self.layouts]

    def _test(self, test: Binary, slope: Expr, sure: bool) -> Expr | None:
        """Whether a tangent is zero along all directions, or not along one."""
        places = self._tangents(slope)
        if not sure and any(place.index for place in places):
            return None
        d = Sym("d", INT)
        by = Place(d, (), INT)

        def one(expr: Expr) -> Expr | None:
            if isinstance(expr, Place) and expr.sym in self.layouts:
                return self.layouts[expr.sym].place(expr, by)
            return None

        found = Sym(f"any_{places[0].sym.name.removeprefix('tan_')}", BOOL)
        at = Place(found, (), BOOL)
        nonzero = Binary("!=", rewrite(slope, one), test.right, BOOL)
        self.before += [
            Declare(found, Const(False, BOOL)),
            over(d, self.count, (Assign(at, nonzero, "|="),)),
        ]
        return at if test.op == "!=" else Binary("==", at, Const(False, BOOL), BOOL)
