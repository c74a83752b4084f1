"""Read global memory instead of a shared tile that copies it, where the tile is read only a few times.

    tile[t] = i < n ? x[i] : 0.0f;
    if (threadIdx.x == 0)
        tile[0] = i > 0 ? x[i - 1] : 0.0f;
    __syncthreads();
    if (i < n)                                    if (i < n)
        s = tile[t - 1] + 2.0f * tile[t];    ->       s = (i > 0 ? x[i - 1] : 0.0f) + 2.0f * x[i];

The adjoint needs no copy that the primal made so that it is read by many threads, or that transposes what
each block adds to an array: the seed of a block's histogram. A barrier and the tile's memory are saved.

What the tile holds is lemma L25 (`common.tile_contents`). Threads at the edges of a block may store its rims.

L48. Let one statement store F(X) in the element of position X, X being the storing thread's, and let others
store, under conditions on threadIdx, the same load at positions around them, all of them `c ? load : 0`.
Then the element of position X holds `c1 && c2 && … ? load : 0` if, whichever statement stored it, the
conditions of the others hold where its own does. That is proved for the elements that a thread reads, where
it reads them. All threads of an edge's condition are in the block, or the primal reads what nobody stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ....analysis.symbolic.inequalities import facts_of, holds
from ....analysis.symbolic.polynomials import ONE, Atom, Poly, linear, number, variable
from ....ir import (
    BOOL,
    Assign,
    Binary,
    Body,
    Cast,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Return,
    Scalar,
    Select,
    Site,
    Special,
    Stmt,
    Sym,
    Unary,
    bodies,
    expressions,
    holding,
    is_integer,
    rebuilt,
    scalar_type,
    statements,
    unconverted,
    walk,
    without,
)
from ...common.algebra import converted, real, shifted
from ...common.jumps import negation
from ...common.replay import all_of, conjuncts
from ...common.symbol_uses import mapped, own_uses
from ...common.thread_coordinates import Points, both
from ...common.tile_contents import ElementValue, TileContents, Unknown, guards_of, stores_to
from .owner_guards import valued

READS = 3
"""Up to how often a tile may be read: so many loads of cached memory are as cheap as the barrier."""


def unstage_tiles(body: Body, dimensions: int) -> tuple[Body, tuple[Site, ...]]:
    """The body without such tiles, and the sites of their stores."""
    gone: list[Site] = []
    for tile in [s.sym for s in statements(body) if isinstance(s, Declare) and s.sym.storage == "shared"]:
        try:
            stores = stores_to(body, tile)
            if not stores or not _is_read_seldom(body, tile, stores):
                continue
            body = _Tile(body, Points(body, "xyz"[:dimensions]), stores).bypassed()
        except Unknown:
            continue
        gone += [site for store in stores for site in store.sites]
    return body, tuple(gone)


def _is_read_seldom(body: Body, tile: Sym, stores: Sequence[Assign]) -> bool:
    """Whether loads are as good: few reads, in loops only those of a seed's copy at places that data give."""
    reads = [s for s in statements(body) if tile in own_uses(s) and s not in stores]
    found = [e for s in reads for top in expressions(s) for e in walk(top) if isinstance(e, Place)]
    if len([e for e in found if e.sym is tile]) > READS or not all(map(_is_copy, (s.value for s in stores))):
        return False
    if tile.of is not None:
        return True
    looped = (inner for s in statements(body) if bodies(s) and not isinstance(s, If) for inner in _inside(s))
    return set(reads).isdisjoint(looped)


def _inside(stmt: Stmt) -> Iterator[Stmt]:
    for body in bodies(stmt):
        yield from statements(body)


def _is_copy(value: Expr) -> bool:
    """Whether a value is loaded, perhaps under a condition on integers, and not computed."""
    match value:
        case Place(_, index):
            return bool(index)
        case Cast(arg):
            return _is_copy(arg)
        case Select(cond, then, Const()):
            return _is_copy(then) and not any(isinstance(e, Place) and e.index for e in walk(cond))
        case _:
            return False


@dataclass(frozen=True)
class _Form:
    """A store in terms of its element's position, for which the points' atoms stand.

    `where` are what is known of the storing thread, `conditions` those under which the element is loaded:
    polynomials that aren't negative. `load` has the polynomials of its index.
    """

    where: tuple[Poly, ...]
    conditions: tuple[Poly, ...]
    array: Place
    load: tuple[Poly, ...]


class _Tile:
    """A tile, and what its elements hold. Raises Unknown."""

    def __init__(self, whole: Body, points: Points, stores: Sequence[Assign]) -> None:
        self.whole = whole
        self.points = points
        self.stores = stores
        self.tile = stores[0].target.sym
        self.bounds = tuple(p for point in points.known for p in points.bounds(point))
        main = min(stores, key=lambda s: len(guards_of(whole, s)))
        self.contents = TileContents(whole, points, main)
        self.forms: list[_Form] = []
        try:
            self.rest = [self.origin(e) for e in main.target.index]
            self.forms.append(self.form(main, {}))
        except Unknown:
            if self.tile.of is None or len(stores) > 1:
                raise
        self.forms += [self.form(s, self.shift(s)) for s in stores if s is not main]
        for one in self.forms:
            if one.array.sym is not self.forms[0].array.sym or one.load != self.forms[0].load:
                raise Unknown

    # ---- stores --------------------------------------------------------------------

    def origin(self, index: Expr) -> tuple[Atom, Poly]:
        """The point that an index of the main store is, plus what."""
        mine = {self.points.atom(p.names[0]) for p in self.points.known}
        found = self.poly(index)
        form = linear(found, lambda a: a in mine)
        if form is None or len(form[0]) != 1:
            raise Unknown
        ((atom, factor),) = form[0].items()
        if factor != ONE:
            raise Unknown
        return atom, form[1]

    def positions(self, index: Sequence[Expr]) -> dict[Atom, Poly]:
        """The position of an element."""
        return {a: self.poly(e) - rest for e, (a, rest) in zip(index, self.rest, strict=True)}

    def shift(self, store: Assign) -> dict[Atom, Poly]:
        """The storing thread's point, in terms of the element's position."""
        chosen = [p for g in guards_of(self.whole, store) if self.chooses(g) for p in self.compared(g)]
        fixed: dict[Atom, Poly] = {}
        for point in self.points.known:
            atom, thread = self.points.atom(point.names[0]), self.points.thread(point)
            for p in chosen:
                by = (p - thread).constant
                if by is not None and -p in chosen:
                    fixed[atom] = variable(atom) - p
        at = self.positions(store.target.index)
        found: dict[Atom, Poly] = {}
        for atom, position in at.items():
            by = (variable(atom) - position).with_values(fixed).constant
            if by is None:
                raise Unknown
            found[atom] = variable(atom) + number(by)
        return found

    def form(self, store: Assign, shift: dict[Atom, Poly]) -> _Form:
        guards = [g for g in guards_of(self.whole, store) if not self.contents.always(g)]
        choosing = [p for g in guards if self.chooses(g) for p in self.compared(g)]
        conds = [g for g in guards if not self.chooses(g)]
        value = unconverted(store.value)
        while isinstance(value, Select):
            if not (isinstance(value.other, Const) and value.other.value == 0):
                raise Unknown
            conds += conjuncts(value.cond)
            value = unconverted(value.then)
        if not isinstance(value, Place):
            raise Unknown
        known = [p for cond in conds for part in self.parts(cond) for p in self.compared(part)]
        where, conditions, load = (
            tuple(p.with_values(shift) for p in each)
            for each in ((*self.bounds, *choosing), known, map(self.poly, value.index))
        )
        return _Form(where, conditions, value, load)

    def chooses(self, cond: Expr) -> bool:
        """Whether a condition is on threadIdx alone."""
        return all(
            isinstance(part, Const | Binary | Cast)
            or (isinstance(part, Special) and part.name == "threadIdx")
            or (isinstance(part, Place) and part.sym in self.points.values and self.is_of_thread(part.sym))
            for part in walk(cond)
        )

    def is_of_thread(self, sym: Sym) -> bool:
        return self.chooses(self.points.values[sym])

    def poly(self, expr: Expr) -> Poly:
        found = self.points.in_launch(expr)
        changing = self.points.changed
        if found is None or any(self.points.syms.get(a) in changing for a in found.atoms):
            raise Unknown
        if not self.keeps_values(expr):
            raise Unknown
        return found

    def parts(self, cond: Expr) -> Iterator[Expr]:
        """The comparisons of a condition, which may have names."""
        for part in conjuncts(cond):
            if isinstance(part, Place) and part.sym in self.points.values:
                yield from self.parts(self.points.values[part.sym])
            else:
                yield part

    def keeps_values(self, expr: Expr) -> bool:
        """Whether conversions keep an integer's value: none narrows it, or widens an unsigned difference."""
        for part in walk(expr):
            match part:
                case Place(sym, ()) if sym in self.points.values and not self.keeps_values(
                    self.points.values[sym]
                ):
                    return False
                case Cast(arg, Scalar() as target) if isinstance(arg.type, Scalar):
                    source = arg.type
                    wraps = any(isinstance(e, Binary | Unary) and e.op == "-" for e in walk(arg))
                    if target.size < source.size:
                        return False
                    if target.size > source.size and source.kind == "unsigned" and wraps:
                        return False
                case _:
                    pass
        return True

    def compared(self, cond: Expr) -> tuple[Poly, ...]:
        """A comparison of integers as polynomials that aren't negative where it holds."""
        match cond:
            case Binary("<" | "<=" | ">" | ">=" | "==" as op, left, right) if is_integer(left):
                a, b = self.poly(left), self.poly(right)
            case _:
                raise Unknown
        unsigned = any(scalar_type(e).kind == "unsigned" for e in (left, right))
        if unsigned and not all(holds(p, self.bounds, self.points.atoms) for p in (a, b)):
            raise Unknown  # a negative number is a large unsigned one
        return facts_of(op, a, b)

    # ---- readers -------------------------------------------------------------------

    def bypassed(self) -> Body:
        """The kernel's body with the tile's reads replaced, and without its stores."""
        return without(self.body(self.whole, frozenset(), self.bounds), self.stores)

    def body(self, body: Body, known: frozenset[Sym], facts: tuple[Poly, ...]) -> Body:
        """A body with the tile's reads replaced; `known` are the names declared before it."""
        out: list[Stmt] = []
        for stmt in body:
            if stmt in self.stores:
                out.append(stmt)
                continue
            if self.tile in own_uses(stmt):
                if bodies(stmt):
                    raise Unknown
                out.append(mapped(stmt, self.reading(known, facts)))
            elif isinstance(stmt, If):
                then = self.body(stmt.then, known, (*facts, *self.learnt(stmt.cond)))
                other = self.body(stmt.other, known, (*facts, *self.learnt(negation(stmt.cond))))
                out.append(holding(stmt, then, other))
                if stmt.then and isinstance(stmt.then[-1], Return):
                    facts = (*facts, *self.learnt(negation(stmt.cond)))
            else:
                out.append(rebuilt(stmt, partial(self.body, known=known, facts=facts)))
            if isinstance(stmt, Declare):
                known |= {stmt.sym}
        return tuple(out)

    def learnt(self, cond: Expr) -> Iterator[Poly]:
        """What holds where a condition does."""
        for part in self.parts(cond):
            try:
                yield from self.compared(part)
            except Unknown:
                continue

    def reading(self, known: frozenset[Sym], facts: tuple[Poly, ...]) -> Callable[[Expr], Expr | None]:
        def change(e: Expr) -> Expr | None:
            return self.value(e.index, known, facts) if isinstance(e, Place) and e.sym is self.tile else None

        return change

    def value(self, index: tuple[Expr, ...], known: frozenset[Sym], facts: tuple[Poly, ...]) -> Expr:
        """The value of an element, as the reading thread computes it."""
        before: list[Stmt] = []
        element = ElementValue(self.contents, index, known, before)
        value = element.value() if not self.forms else element.there(self.forms[0].array)
        named: dict[Sym, Expr] = {}
        for s in before:
            assert isinstance(s, Declare)
            assert isinstance(s.init, Expr)
            named[s.sym] = valued(s.init, named)
        value = valued(value, named)
        if any(isinstance(e, Binary) and e.op in ("/", "%") for e in walk(value)):
            raise Unknown
        if not self.forms:
            return value
        conds = [self.condition(p, known) for p in self.needed(self.positions(index), facts)]
        held = scalar_type(self.contents.store.target)
        value = converted(value, held)
        return Select(all_of(conds), value, real(0.0, held), held) if conds else value

    def needed(self, at: dict[Atom, Poly], facts: tuple[Poly, ...]) -> list[Poly]:
        """The conditions under which an element at a position is loaded, but those that hold anyway."""
        atoms = self.points.atoms
        found: dict[Poly, None] = {}
        for k, form in enumerate(self.forms):
            conditions = [p.with_values(at) for p in form.conditions]
            others = [p.with_values(at) for j, one in enumerate(self.forms) if j != k for p in one.conditions]
            here = (*facts, *(p.with_values(at) for p in form.where), *conditions)
            if not holds(number(-1), here, atoms) and not all(holds(p, here, atoms) for p in others):
                raise Unknown
            found |= dict.fromkeys(conditions)
        return [p for p in found if not holds(p, facts, atoms)]

    def condition(self, p: Poly, known: frozenset[Sym]) -> Expr:
        """A polynomial's not being negative as a comparison of a thread's position."""
        for point in self.points.known:
            atom, name = self.points.atom(point.names[0]), next((n for n in point.names if n in known), None)
            factor = p.coefficient(atom)
            rest = p - factor * variable(atom)
            if name is None or atom in rest.atoms or factor not in (ONE, -ONE):
                continue
            place = Place(name, (), name.type)
            constant = dict(rest.terms).get((), 0)
            if factor == ONE and rest.constant is not None:  # i + c >= 0
                op, bound = (">", 0) if constant == -1 else (">=", -constant)
                return Binary(op, place, Const(bound, scalar_type(place)), BOOL)
            if not set(rest.atoms) <= set(self.points.syms):
                continue
            if factor == -ONE:  # i - c < n, for n + c - 1 - i >= 0
                return both("<", shifted(place, -1 - constant), self.limit(rest - number(constant)))
        raise Unknown

    def limit(self, p: Poly) -> Expr:
        """A sum of terms as an expression that begins with one that isn't subtracted."""
        first = next((term for term in p.terms if term[1] == 1), None)
        if first is None:
            raise Unknown
        product = Poly((first,))
        factor, *others = (Place(sym, (), sym.type) for sym in (self.points.syms[a] for a in first[0]))
        start: Expr = factor
        for other in others:
            start = both("*", start, other)
        return self.points.expression(p - product, start)
