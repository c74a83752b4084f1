"""What a shared tile holds, if it copies memory that nothing changes: the value of each element.

    tile[threadIdx.x] = i < n ? x[i] : 0.0f;         element e holds e + i0 < n ? x[e + i0] : 0.0f,
                                                     i0 being the position of the block's first thread

L25. Let one statement store everything that a shared array holds, F(e) in element e, where F
depends only on e, on block-uniform values, and on memory that the launch doesn't write.
Then every read of an element e that has a value, at any time, yields F(e). If the store is
under a guard G(e), an element without a value is assumed to be zero: no result depends on
it, but a thread may read it without using it.

In a loop whose iterations all threads run together, a tile may be stored anew in each. F and G then depend
on the loop's counter, too, and an element without a value may have one from an iteration before: where
G(e) is false, the value is unknown, and is read as `STALE`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from math import nan, prod

from ...analysis.atomics import is_drawn
from ...analysis.constants import is_wide, literal
from ...ir import (
    COLLECTIVE,
    AddressOf,
    Array,
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Place,
    Pointer,
    Return,
    Select,
    Special,
    Stmt,
    Sym,
    all_parts,
    bodies,
    expressions,
    is_integer,
    rebuilt,
    scalar_type,
    statements,
    walk,
)
from .algebra import converted, real, rewrite, shifted
from .jumps import exits, negation
from .mod_ref import written
from .replay import conjuncts
from .symbol_uses import mapped
from .thread_coordinates import Points, both

STALE = "stale"  # the spelling of a value that no read may have


class Unknown(Exception):
    """The contents of a tile are unknown."""


@dataclass(frozen=True)
class _Key:
    """An integer of the storing thread that the element's index determines, as a function of the index."""

    expr: Expr
    of: Callable[[tuple[Expr, ...]], Expr]


def stores_to(whole: Body, tile: Sym, sized: bool = True) -> list[Assign]:
    """Return what stores to a tile, if that is all that changes it. Raises Unknown.

    `sized`: whether the tile's size must be known.
    """
    changing = [s for s in statements(whole) if not bodies(s) and tile in written(s)]
    stores = [s for s in changing if isinstance(s, Assign) and s.op is None]
    whole_array = any(
        (isinstance(e, AddressOf) and e.place.sym is tile)
        or (isinstance(e, Place) and e.sym is tile and not e.index)
        for e in all_parts(*whole)
    )
    if whole_array or len(stores) < len(changing) or not isinstance(tile.type, Array):
        raise Unknown
    if sized and tile.type.open:
        raise Unknown
    if any(s.target.sym is not tile or s.target.path for s in stores):
        raise Unknown
    return stores


class TileContents:
    """One tile and the value of its elements, of which `store` is the only store. Raises Unknown.

    `counters` are those of the loops around the store and the reads, the same for all threads.
    """

    def __init__(
        self, whole: Body, points: Points, store: Assign, counters: frozenset[Sym] = frozenset()
    ) -> None:
        self.counters = counters
        self.store = store
        self.tile = store.target.sym
        self.points = points
        self.values = points.values
        self.changed = points.changed
        self.moving = _moving(whole)
        assert isinstance(self.tile.type, Array)
        self.extents = self.tile.type.extents
        self.linear: Expr | None = None  # the element's linear index, if the indices are computed from it
        self.keys = list(self._keys(self.store.target.index))
        self.guards = [cond for cond in guards_of(whole, self.store) if not self.always(cond)]
        asked = (*self.guards, self.store.value)
        self.arrays = {e.sym for top in asked for e in self._everything(top) if e.index}

    def _keys(self, index: tuple[Expr, ...]) -> Iterator[_Key]:
        plain = [self.resolved(e) for e in index]
        match plain:
            case [Binary("/", p, by), Binary("%", q, width)] if p == q and by == width and literal(by):
                if literal(by) == self.extents[1]:
                    self.linear = p
                yield _Key(p, lambda at: both("+", both("*", at[0], by), at[1]))
            case _:
                pass
        for k, e in enumerate(plain):
            match e:
                case Binary("+" | "-" as op, key, Const(int() as c)):
                    yield _Key(key, _moved(k, key, -c if op == "+" else c))
                case _ if not isinstance(e, Const):
                    yield _Key(e, _moved(k, e, 0))

    def always(self, cond: Expr) -> bool:
        """Whether a guard only bounds the element by the tile's size."""
        match cond:
            case Binary("<", left, right) if self.linear is not None and (end := literal(right)) is not None:
                return self.resolved(left) == self.linear and end >= prod(self.extents)
            case _:
                return False

    def _everything(self, expr: Expr) -> Iterator[Place]:
        """All places that an expression depends on, through names."""
        for part in walk(expr):
            if isinstance(part, Place):
                yield part
                if part.sym in self.values and not part.index:
                    yield from self._everything(self.values[part.sym])

    def resolved(self, expr: Expr) -> Expr:
        """An integer with conversions resolved, and those names whose definitions still hold."""
        match expr:
            case Cast(arg, kind) if is_wide(kind) and is_wide(arg.type):
                return self.resolved(arg)
            case Place(sym, ()) if sym in self.values and not self.values[sym].symbols & self.moving:
                return self.resolved(self.values[sym]) if is_integer(expr) else expr
            case Binary(op, left, right) if is_integer(expr):
                return Binary(op, self.resolved(left), self.resolved(right), expr.type)
            case _:
                return expr

    # ---- readers -------------------------------------------------------------------

    def body(self, body: Body, known: frozenset[Sym]) -> Body:
        """The body with the tile's reads replaced; `known` are the names declared before it."""
        out: list[Stmt] = []
        for stmt in body:
            reads = [e for top in expressions(stmt) for e in walk(top) if isinstance(e, Place)]
            if stmt is not self.store and any(e.sym is self.tile for e in reads):
                if not isinstance(stmt, Assign | Declare | Evaluate):
                    raise Unknown
                out += self.read(stmt, known)
            else:
                out.append(rebuilt(stmt, partial(self.body, known=known)))
            if isinstance(stmt, Declare):
                known |= {stmt.sym}
        return tuple(out)

    def read(self, stmt: Stmt, known: frozenset[Sym]) -> list[Stmt]:
        """A statement with its tile reads replaced, preceded by the declarations that they need."""
        before: list[Stmt] = []
        places: dict[Place, Expr] = {}

        def change(e: Expr) -> Expr | None:
            if not isinstance(e, Place) or e.sym is not self.tile:
                return None
            if any(isinstance(p, Place) and p.index for i in e.index for p in walk(i)):
                raise Unknown
            if e not in places:
                places[e] = ElementValue(self, e.index, known, before).value()
            return places[e]

        new = mapped(stmt, change)
        return [*before, new]


@dataclass
class ElementValue:
    """An element's value, as the reading thread computes it."""

    tile: TileContents
    index: tuple[Expr, ...]
    known: frozenset[Sym]
    before: list[Stmt]
    names: dict[Sym, Sym] = field(default_factory=dict)

    def value(self) -> Expr:
        store = self.tile.store
        element = store.target.type
        found = converted(self.there(store.value), element)
        guards = [self.there(g) for g in self.tile.guards]
        for guard in reversed(guards):
            other = replace(real(nan, element), spelling=STALE) if self.tile.counters else real(0.0, element)
            found = Select(guard, found, other, element)
        return found

    def there(self, expr: Expr) -> Expr:
        """An expression of the thread that stored the element, in terms of the element's index."""
        return rewrite(expr, self.change)

    def change(self, e: Expr) -> Expr | None:
        tile = self.tile
        if is_integer(e):
            plain = tile.resolved(e)
            for key in tile.keys:
                if plain == key.expr:
                    return converted(key.of(self.index), e.type)
        match e:
            case Place(sym, ()) if sym in self.names:
                return replace(e, sym=self.names[sym])
            case Place(sym, ()) if tile.points.given(sym) or sym in tile.counters:
                return e
            case Place(sym, ()) if sym in self.known and self.alike(sym):
                return e
            case Place(sym, ()) if sym in tile.values and is_integer(e):
                return replace(e, sym=self.named(sym))
            case Place(sym, index) if index and sym not in tile.changed and isinstance(sym.type, Pointer):
                return None
            case Special("blockIdx" | "blockDim" | "gridDim" | "warpSize") | Const():
                return None
            case Binary("/" | "%", _, right) if is_integer(e) and not literal(right):
                raise Unknown
            case Call() if e.callee is not None or e.rule in COLLECTIVE or is_drawn(e):
                raise Unknown
            case Place() | Special() | AddressOf():
                raise Unknown
            case _:
                return None

    def alike(self, sym: Sym) -> bool:
        """Whether a name's value is block-uniform and never changes."""
        tile = self.tile
        if sym not in tile.values:
            return False
        for part in walk(tile.values[sym]):
            match part:
                case Special("threadIdx") | Call() | AddressOf():
                    return False
                case Place(inner, index):
                    if index or not (tile.points.given(inner) or self.alike(inner)):
                        return False
                case _:
                    pass
        return True

    def named(self, sym: Sym) -> Sym:
        """A name for the value that another name has for the element."""
        tile = self.tile
        if tile.values[sym].symbols & tile.moving:
            raise Unknown
        value = self.there(tile.values[sym])
        if any(isinstance(e, Place) and e.index for e in walk(value)):
            raise Unknown  # it may be out of bounds where the guards don't hold
        form = tile.points.poly(value)
        if form is not None and (written := tile.points.written(form, self.known)) is not None:
            value = converted(written, sym.type)
            if isinstance(value, Place) and not value.index:
                self.names[sym] = value.sym
                return value.sym
        new = Sym(f"{tile.tile.plain}_{sym.plain}", sym.type, of=sym)
        self.names[sym] = new
        self.before.append(Declare(new, value, tile.store.span))
        return new


def _moving(body: Body) -> set[Sym]:
    """Symbols changed other than by the step of the loop whose counter they are."""
    found: set[Sym] = set()
    for stmt in body:
        if isinstance(stmt, For):
            own = {s.sym for s in stmt.init if isinstance(s, Declare)}
            found |= {sym for s in stmt.step for sym in written(s)} - own
            found |= _moving((*stmt.init, *stmt.body))
        elif inner := bodies(stmt):
            found |= set[Sym]().union(*map(_moving, inner))
        else:
            found |= written(stmt)
    return found


def guards_of(body: Body, wanted: Stmt) -> list[Expr]:
    """The conditions under which a statement runs. Raises Unknown."""
    for stmt in body:
        if stmt is wanted:
            return []
        inside = any(s is wanted for s in statements((stmt,)))
        match stmt:
            case If(cond, then, other) if inside:
                there = any(s is wanted for s in statements(then))
                first = list(conjuncts(cond)) if there else [negation(cond)]
                return [*first, *guards_of(then if there else other, wanted)]
            case For() if inside:
                return guards_of(stmt.body, wanted)
            case _ if inside or exits(stmt) or any(isinstance(s, Return) for s in statements((stmt,))):
                raise Unknown
            case _:
                pass
    raise Unknown


def _moved(k: int, key: Expr, by: int) -> Callable[[tuple[Expr, ...]], Expr]:
    return lambda at: shifted(converted(at[k], scalar_type(key)), by)
