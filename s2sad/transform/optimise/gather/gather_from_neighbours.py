"""Gather the contributions of neighbouring threads in the thread that owns the element.

    if (i > 0 && i < n - 1) {                      float adj_u_sum = 0.0f;
        atomicAdd(&adj_u[i - 1], a * adj_v[i]);    if (i + 2 < n)
        atomicAdd(&adj_u[i + 1], b * adj_v[i]);        adj_u_sum += a * adj_v[i + 1];
    }                                         ->   if (i > 1 && i < n)
                                                       adj_u_sum += b * adj_v[i - 1];
                                                   if (adj_u_sum != 0.0f)
                                                       adj_u[i] += adj_u_sum;

Lemma L19 (see `analysis.access.launch_coverage`), where the launch is declared to have a thread for each
point. The contribution of the thread at i - d is recomputed here (see `contributions`), with its guards
(see `common.replay`). Where that is impossible, the additions stay atomic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ....analysis.access.launch_coverage import AXES, shifts, strides
from ....analysis.constants import uncast
from ....analysis.symbolic.integers import polynomial
from ....analysis.symbolic.polynomials import Atoms, Poly, number, variable
from ....ir import (
    BOOL,
    Accumulate,
    Binary,
    Body,
    Comment,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Return,
    Scalar,
    Special,
    Stmt,
    Sym,
    expressions,
    scalar_type,
    statements,
    substituted,
    walk,
)
from ...common.adjoint_names import total_of
from ...common.algebra import converted, is_const, real, rewrite, shifted
from ...common.replay import NoRoute, Route, Routes, Way, all_of, conjuncts
from ...common.symbol_uses import renaming
from ...common.thread_coordinates import Points, both
from ..contribution_audit import accounted, sum_of_sites
from .contributions import NotKnown, Other
from .moved_conditions import shorter, signed
from .owner_guards import by_index, valued


@dataclass(frozen=True)
class Collected:
    """The body, the adjoints gathered in it, and the block widths that this requires, by axis."""

    body: Body
    adjoints: frozenset[Sym] = frozenset()
    widths: tuple[tuple[str, Expr], ...] = ()


def collected_by_owners(body: Body, arrays: Iterable[Sym], extents: Sequence[Expr]) -> Collected:
    """Gather the adjoints of these arrays, in a launch that covers the extents."""
    made = _Collecting(body, extents)
    given = all(made.routes.given(e.sym) for e in extents if isinstance(e, Place))
    if not given or not made.names.complete:
        return Collected(body)
    wanted = set(arrays)
    ways: dict[Sym, list[tuple[Accumulate, Way]]] = {}
    for add, way in made.routes.of(body):
        if add.target.sym.of in wanted:
            ways.setdefault(add.target.sym, []).append((add, way))
    done = set[Sym]()
    for adjoint, found in ways.items():
        try:
            body = accounted("collected_by_owners", body, made.collected(body, adjoint, found))
            done.add(adjoint)
        except (NoRoute, NotKnown):
            pass
    widths = [(p.axis, p.width) for p in made.points if isinstance(p.width, Const)] if done else []
    return Collected(body, frozenset(done), tuple(widths))


class _Neighbour(Other):
    """The thread at an offset from this one, along a route on which all is known for any thread."""

    def outer(self, e: Place) -> Expr | None:
        return None

    def lasts(self, sym: Sym) -> bool:
        return True

    def change(self, e: Expr) -> Expr | None:
        """As for any other thread; `i - 1` at `i + 1` is `i`."""
        match e:
            case Binary("+" | "-" as op, left, Const(int() as value) as right) if not right.named:
                moved = self.expression(left)
                return None if moved is left else shifted(moved, value if op == "+" else -value)
            case _:
                return super().change(e)


class _Collecting:
    def __init__(self, whole: Body, extents: Sequence[Expr]) -> None:
        self.extents = tuple(extents)
        self.names = Points(whole, AXES[: len(extents)])
        self.points = self.names.known
        self.routes = Routes(whole, self.names)

    def collected(self, body: Body, adjoint: Sym, ways: list[tuple[Accumulate, Way]]) -> Body:
        """The body with all additions to one adjoint gathered. Raises NoRoute.

        A contribution to the thread's own element that can't be recomputed is added where it is computed.
        """
        adds = {add for add, _ in ways}
        for stmt in statements(body):
            for expr in expressions(stmt):
                here = isinstance(stmt, Accumulate) and stmt in adds and expr is stmt.target
                if not here and adjoint in expr.symbols:
                    raise NoRoute
        routes: list[Route] = []
        stay: set[Accumulate] = set()
        for add, way in ways:
            try:
                routes.append(self.routes.route(add, way))
            except NoRoute:
                if any(by.terms for by in self.shift(add.target)):
                    raise
                stay.add(add)
        if not routes:
            raise NoRoute
        first = routes[0].add
        element = first.target
        assert isinstance(element.type, Scalar)
        total = total_of(element)
        place = Place(total, (), element.type)
        terms: list[Stmt] = []
        said: Stmt | None = None
        for route in routes:
            if route.quote is not None and route.quote.primal is not said:
                said = route.quote.primal
                terms.append(replace(route.quote))
            terms += self.term(route, place)
        mine = replace(element, index=(self.index(),), spelling=None)
        name = "its arrays" if adjoint.of is None else adjoint.of.name
        block: list[Stmt] = [
            Comment(f"contributions of neighbouring threads to this thread's element of {name}"),
            *self.guarded(
                Declare(total, real(0.0, element.type)),
                tuple(terms),
                Accumulate(mine, place, "owner", why=first.why, sites=sum_of_sites(mine)),
            ),
        ]
        rest = _without(body, adds - stay, stay)
        at = _start(rest, block)
        return (*rest[:at], *block, *rest[at:])

    def guarded(self, zero: Declare, terms: Body, add: Accumulate) -> Body:
        """Sum the terms, and add to the thread's own element where it exists: some thread contributes to it.

        What the terms ask as well is asked once, around them.
        """
        told = by_index(terms, [point.place for point in self.points])
        if told is not None:
            asked = list(conjuncts(told))
            inner = _without_conditions(terms, asked)
            if inner != terms:
                return (If(told, (zero, *inner, add)),)
            return (zero, *terms, If(told, (add,)))
        total = add.amount
        some = Binary("!=", total, real(0.0, scalar_type(total)), BOOL)
        return zero, *terms, Comment("zero sum: skip, the index may be out of range"), If(some, (add,))

    def index(self) -> Expr:
        """The index of the thread's own element."""
        index: Expr = self.points[-1].place
        for point, extent in reversed(list(zip(self.points[:-1], self.extents, strict=False))):
            index = both("+", both("*", index, extent), point.place)
        return index

    # ---- one term ------------------------------------------------------------------

    def term(self, route: Route, total: Place) -> Body:
        """Another thread's contribution to this thread's element. Raises NoRoute, NotKnown."""
        shift = self.shift(route.add.target)
        used = {self.names.syms[a] for p in shift for a in p.atoms}
        if not all(s in route.counters or self.routes.given(s) for s in used):
            raise NoRoute
        declared = {item.sym for item in route.items if isinstance(item, Declare)}
        names = {sym: replace(sym) for sym in declared.union(route.counters)}
        there: list[Expr] = []
        out: list[Stmt] = []
        checks: list[Expr] = []
        for k, (point, extent, by) in enumerate(zip(self.points, self.extents, shift, strict=True)):
            if by.constant is None and point.kind.kind != "signed":
                raise NoRoute  # it may wrap before it is tested
            if by.constant is not None:
                there.append(shifted(point.place, -by.constant))
                below, beyond = by.constant > 0, by.constant < 0
                low = Binary(">=", point.place, Const(by.constant, point.kind), BOOL)
            else:
                name = Sym(f"{point.names[0].plain}_there", point.kind)
                value = rewrite(self.names.expression(-by, point.place), renaming(names))
                out.append(Declare(name, converted(value, point.kind)))
                there.append(Place(name, (), point.kind))
                below = beyond = True
                low = Binary(">=", there[-1], Const(0, point.kind), BOOL)
            if below and not self.implied(route, k, low=True):
                checks.append(low)
            if beyond and not self.implied(route, k, low=False):
                checks.append(both("<", there[-1], extent))
        exchanged: dict[Special | Sym, Expr | None] = {s: there[k] for s, k in self.names.axis_of.items()}
        other = _Neighbour(exchanged, {**names, total.sym: total.sym})
        inner: Body = (replace(route.add, target=total, how="local", why=""),)
        conds: list[Expr] = []
        for item in reversed(route.items):
            if isinstance(item, Declare):
                inner, conds = (replace(item), *_if(conds, inner)), []
            else:
                conds = [*conjuncts(item), *conds]
        checks += map(other.expression, conds)
        away = {s.sym: s.init for s in out if isinstance(s, Declare) and isinstance(s.init, Expr)}
        guarded = self.in_own_names(_if(checks, tuple(map(other.statement, inner))), away, [])
        again = shorter((*out, *guarded), self.names.axis_of)
        for loop in reversed(route.loops):
            head = other.statement(replace(loop, body=()))
            assert isinstance(head, For)
            again = (replace(head, body=again),)
        return again

    def in_own_names(self, body: Body, away: Mapping[Sym, Expr], held: Sequence[Expr]) -> Body:
        """The body with tests of where this thread's own element is, in the names of this thread.

        `x_there + dx - 1 < W` is `x < W` for x_there = x - dx + 1, and `x_there + dx - 1 >= 0` always holds.
        `away`: the positions of the other thread; `held`: the conditions around the body.
        """

        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, If) and not stmt.other:
                conds: list[Expr] = []
                for cond in conjuncts(stmt.cond):
                    conds += self.own(cond, away, [*held, *conds])
                out += _if(conds, self.in_own_names(stmt.then, away, [*held, *conds]))
            else:
                out.append(stmt)
            if isinstance(stmt, Declare) and isinstance(stmt.init, Expr):
                away = {**away, stmt.sym: valued(stmt.init, away)}
        return tuple(out)

    def own(self, cond: Expr, away: Mapping[Sym, Expr], held: Sequence[Expr]) -> list[Expr]:
        """A condition in this thread's names; none if it always holds.

        Unsigned, it is the same if the extent isn't negative, as another condition requires.
        """
        match cond:
            case Binary("<" | ">=" as op, left, right):
                value = uncast(left)
            case _:
                return [cond]
        axis = self.axis(value, away)
        if axis is None or not isinstance(value.type, Scalar) or value.type.kind != "signed":
            return [cond]
        if op == ">=":
            return [] if is_const(right, 0) and signed(left) else [cond]
        extent, place = self.extents[axis], self.points[axis].place
        if uncast(right) != uncast(extent) or not (signed(left) or any(map(self.bounds(extent), held))):
            return [cond]
        test = both("<", place, extent)
        return [] if test in held else [test]

    def bounds(self, extent: Expr) -> Callable[[Expr], bool]:
        """Whether a condition is that some position is less than the extent, which so is positive."""
        names = {point.place.sym for point in self.points}

        def is_bound(cond: Expr) -> bool:
            match cond:
                case Binary("<", Place(sym, ()) as left, right) if right == extent and signed(left):
                    return sym in names or sym.name.endswith("_there")
                case _:
                    return False

        return is_bound

    def axis(self, value: Expr, away: Mapping[Sym, Expr]) -> int | None:
        """The axis along which a value is this thread's position."""
        here = valued(value, away)
        atoms = Atoms()

        def named(e: Expr) -> Poly | None:
            match e:
                case Place(sym, ()):
                    at = self.names.axis_of.get(sym)
                    sym = sym if at is None else self.points[at].names[0]
                    return variable(atoms.named(sym, sym.name, "uniform"))
                case _:
                    return None

        if (p := polynomial(here, named)) is None:
            return None
        found = (k for k, point in enumerate(self.points) if p == polynomial(point.place, named))
        return next(found, None)

    def implied(self, route: Route, axis: int, low: bool) -> bool:
        """Whether the conditions imply that the other thread is in range, before anything requires it."""
        position = variable(self.names.atom(self.points[axis].names[0]))
        extent = self.names.poly(self.extents[axis])
        for item in route.items:
            values = [item.init] if isinstance(item, Declare) else list(conjuncts(item))
            for cond in values:
                assert isinstance(cond, Expr)
                if any(map(_needs_range, walk(cond))):
                    return False
                fact = self.fact(cond)
                if fact is None or extent is None:
                    continue
                room = (position if low else extent - number(1) - position) - fact
                if room.constant is not None and room.constant >= 0:
                    return True
        return False

    def fact(self, cond: Expr) -> Poly | None:
        """A nonnegative polynomial implied by a comparison of signed integers."""
        match cond:
            case Binary("<" | "<=" | ">" | ">=" as op, left, right):
                if not (signed(left) and signed(right)):
                    return None
                one, two = self.names.poly(left), self.names.poly(right)
                if one is None or two is None:
                    return None
                return (two - one if op[0] == "<" else one - two) - number(len(op) == 1)
            case _:
                return None

    # ---- indices -------------------------------------------------------------------

    def shift(self, target: Place) -> tuple[Poly, ...]:
        """The offset of an element from the thread's own, along each axis. Raises NoRoute."""
        form = self.names.split(target.index[0]) if len(target.index) == 1 else None
        polys = [self.names.poly(e) for e in self.extents]
        extents = [p for p in polys if p is not None]
        if form is None or len(extents) < len(polys) or form[0] != strides(extents):
            raise NoRoute
        return shifts(form[1], extents)


def _if(conds: Sequence[Expr], body: Body) -> Body:
    return (If(all_of(conds), body),) if conds else body


def _without_conditions(body: Body, known: Sequence[Expr]) -> Body:
    """A body in which no branch asks what is known to hold; the same one if none does."""

    def change(stmt: Stmt) -> Body | None:
        if not isinstance(stmt, If) or stmt.other:
            return None
        conds = list(conjuncts(stmt.cond))
        kept = [cond for cond in conds if cond not in known]
        return None if len(kept) == len(conds) else _if(kept, substituted(stmt.then, change))

    return substituted(body, change)


def _needs_range(part: Expr) -> bool:
    """Whether only a thread in range may evaluate it: a load, or a division by a non-literal."""
    match part:
        case Place(_, index):
            return bool(index)
        case Binary("/" | "%", _, right):
            return not isinstance(right, Const)
        case _:
            return False


def _without(body: Body, gone: set[Accumulate], plain: set[Accumulate]) -> Body:
    """The body without some additions, and with others made non-atomic."""

    def change(stmt: Stmt) -> Body | None:
        if not isinstance(stmt, Accumulate):
            return None
        return (replace(stmt, how="owner"),) if stmt in plain else () if stmt in gone else None

    return substituted(body, change)


def _start(body: Body, block: list[Stmt]) -> int:
    """Where to insert a sum: after what it uses, and before any thread returns. Raises NoRoute."""
    used = {s for stmt in statements(tuple(block)) for e in expressions(stmt) for s in e.symbols}
    at = max((k + 1 for k, s in enumerate(body) if isinstance(s, Declare) and s.sym in used), default=0)
    if any(isinstance(s, Return) for s in statements(body[:at])):
        raise NoRoute
    return at
