"""Distribute tile iterations over blocks; each sums over all blocks, without atomics.

    for (int k0 = …; k0 >= 0; k0 -= TILE) {        for (int k0 = blockIdx.x * TILE; k0 < K;
        b[ty][tx] = B[(k0 + ty) * N + col];             k0 += gridDim.x * TILE) {
        …                                              float adj_a_sum = 0.0f;
        float adj_a_sum = 0.0f;                        for (unsigned block = 0; block < gridDim.x; ++block) {
        for (int j = 0; j < TILE; ++j)          ->         int col_there = block * TILE + tx;
            adj_a_sum += …;                                b[ty][tx] = B[(k0 + ty) * N + col_there];
        atomicAdd(&adj_A[row * K + k0 + tx],               …
                  adj_a_sum);                          }
    }                                                  adj_A[row * K + k0 + tx] += adj_a_sum;
                                                   }

Lemma L26 (see `analysis.access.tile_distribution`), for any launch: it uses the number of blocks
launched. But with few tiles, few blocks have work, so it is done only if the launch is declared to cover
its output, or if no sum may depend on thread order. `tile_nests` recomputes the work of the other
blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ....analysis.access.tile_distribution import Dealt
from ....analysis.constants import literal
from ....analysis.symbolic.evaluation import initial
from ....analysis.symbolic.integers import polynomial
from ....analysis.symbolic.polynomials import Atom, Atoms, Poly, variable
from ....ir import (
    INT,
    Accumulate,
    Binary,
    Body,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Quote,
    Return,
    Special,
    Stmt,
    Sym,
    Unary,
    expressions,
    statements,
    walk,
)
from ...common.thread_coordinates import Points
from ..contribution_audit import accounted
from ..sums.loop_accumulators import only_read
from .contributions import NotKnown
from .slicing import NotTogether, sliced, used
from .tile_nests import SHARED_OUT, Add, Nest, acts, replaced, shared, tiles

FEW = 16  # fewer tiles than this wouldn't keep the blocks busy


def with_dealt_tiles(
    body: Body, arrays: Mapping[Sym, Dealt], atoms: Atoms, dimensions: int, always: bool
) -> tuple[Body, frozenset[Sym]]:
    """The body with iterations distributed, and the adjoints that are no longer added to atomically.

    `always`: even if tiles are few, or the loop keeps other atomic additions.
    """
    if not arrays or any(isinstance(s, Return) for s in statements(body)):
        return body, frozenset()
    groups: dict[tuple[For, str], dict[Sym, Dealt]] = {}
    for array, dealt in arrays.items():
        groups.setdefault((dealt.loop, dealt.axis), {})[array] = dealt
    made: list[tuple[_Dealing, list[Stmt]]] = []
    for mine in groups.values():
        try:
            dealing = _Dealing(body, mine, atoms)
            if always or not dealing.few():
                made.append((dealing, dealing.nest(dimensions)))
        except (NotKnown, NotTogether):
            pass
    if not always:
        gone = {a.stmt for dealing, _ in made for a in dealing.adds}
        made = [(d, nest) for d, nest in made if not any(_atomic(s, gone) for s in statements(d.loop.body))]
    nests = [stmt for _, nest in made for stmt in nest]
    if not nests:
        return body, frozenset()
    rest = body
    for dealing, _ in made:
        rest = dealing.without(rest)
    tops = tuple(s for s in body if shared(s))
    names = {s.sym for s in body if isinstance(s, Declare) and s not in tops}
    names &= {sym for s in statements(tuple(nests)) for sym in used(s)}
    try:
        rest = sliced(rest, [s for s in statements(rest) if acts(s)], names)
    except NotTogether:
        return body, frozenset()
    adjoints = frozenset(a for dealing, _ in made for a in dealing.adjoints)
    new = (*tops, *(s for s in rest if s not in tops), *nests)
    return accounted("with_dealt_tiles", body, new, again=True), adjoints


def _atomic(stmt: Stmt, gone: set[Accumulate]) -> bool:
    """Whether it is an addition to global memory that stays atomic."""
    adds = isinstance(stmt, Accumulate) and stmt.how == "atomic" and stmt not in gone
    return isinstance(stmt, Accumulate) and adds and stmt.target.sym.storage == "parameter"


@dataclass
class _Dealing:
    """The additions to some arrays in one loop, for the blocks along one axis. Raises NotKnown."""

    whole: Body
    arrays: Mapping[Sym, Dealt]
    atoms: Atoms
    adds: list[Add] = field(default_factory=list)
    others: set[Accumulate] = field(default_factory=set)

    def __post_init__(self) -> None:
        dealt = next(iter(self.arrays.values()))
        self.axis = dealt.axis
        points = Points(self.whole, self.axis)
        self.point, self.changed, self.values = points.all[0], points.changed, points.values
        self.adjoints = {
            s.target.sym
            for s in statements(self.whole)
            if isinstance(s, Accumulate) and s.target.sym.of in self.arrays
        }
        loops = [
            s
            for s in self.whole
            if isinstance(s, For) and s.reverses is dealt.loop and any(map(self.wanted, statements(s.body)))
        ]
        if len(loops) != 1 or not all(map(only_read, self.adjoints)):
            raise NotKnown
        (self.loop,) = loops
        self.tiles = tiles(self.loop)
        if not self.given(self.tiles.end) or not self.small():
            raise NotKnown
        self.adds = list(self.additions(self.loop.body, ()))
        inside = {a.stmt for a in self.adds}
        for stmt in statements(self.whole):
            if isinstance(stmt, Accumulate) and self.wanted(stmt) and stmt not in inside:
                # made by the same thread, if the element is one that was analysed
                self.element(stmt, inside=False)
                self.others.add(stmt)
            for expr in expressions(stmt):
                mine = isinstance(stmt, Accumulate) and expr is stmt.target
                if not mine and expr.symbols & self.adjoints:
                    raise NotKnown

    def few(self) -> bool:
        end = literal(self.tiles.end)
        return end is not None and end < FEW * self.tiles.by

    def small(self) -> bool:
        """Whether a tile's start fits into `int` for each block, as the kernel's own positions do."""
        if self.point is None or self.point.kind != INT:
            return False
        width = literal(self.point.width)
        return self.tiles.by == 1 or (width is not None and self.tiles.by <= width)

    def wanted(self, stmt: Stmt) -> bool:
        return isinstance(stmt, Accumulate) and stmt.target.sym in self.adjoints

    def given(self, expr: Expr) -> bool:
        """Whether it depends only on parameters and launch sizes, so it is the same for all blocks."""
        for part in walk(expr):
            match part:
                case Place(sym, ()) if sym.storage == "parameter" and sym not in self.changed:
                    pass
                case Const() | Cast() | Unary() | Special("blockDim" | "gridDim"):
                    pass
                case Binary(op, _, right) if op not in "/%" or literal(right):
                    pass
                case _:
                    return False
        return True

    # ---- elements ---------------------------------------------------------------------

    def additions(self, body: Body, guards: tuple[If, ...]) -> Iterator[Add]:
        """The additions in the loop. Raises NotKnown."""
        said: Quote | None = None
        for stmt in body:
            if isinstance(stmt, Quote):
                said = stmt
            elif isinstance(stmt, Accumulate) and self.wanted(stmt):
                self.element(stmt, inside=True)
                yield Add(stmt, guards, said)
            elif isinstance(stmt, If) and not any(map(self.wanted, statements(stmt.other))):
                for add in self.additions(stmt.then, (*guards, stmt)):
                    yield add if add.quote is not None else replace(add, quote=said)
            elif any(map(self.wanted, statements((stmt,)))):
                raise NotKnown

    def element(self, stmt: Accumulate, inside: bool) -> None:
        """Check that it is known which threads add to an element. Raises NotKnown."""
        assert stmt.target.sym.of is not None
        dealt = self.arrays[stmt.target.sym.of]
        known = dealt.inside if inside else dealt.outside
        if stmt.how != "atomic" or len(stmt.target.index) != 1:
            raise NotKnown
        if self.poly(stmt.target.index[0], dealt.iteration) not in known:
            raise NotKnown

    def poly(self, expr: Expr, iteration: Atom) -> Poly | None:
        """An index as a polynomial, as in the primal's analysis."""
        return polynomial(expr, lambda part: self.named(part, iteration))

    def named(self, expr: Expr, iteration: Atom) -> Poly | None:
        match expr:
            case Special("threadIdx" | "blockIdx" as name, axis):
                return variable(self.atoms.named((name, axis), f"{name}.{axis}", "position", 0))
            case Special("blockDim" | "gridDim" as name, axis):
                return variable(self.atoms.named((name, axis), f"{name}.{axis}", "uniform", 1))
            case Place(sym, ()) if sym is self.tiles.counter:
                return variable(iteration).scaled(self.tiles.by)
            case Place(sym, ()) if sym in self.values:
                return self.poly(self.values[sym], iteration)
            case Place(sym, ()) if sym.storage == "parameter" and sym not in self.changed:
                return variable(initial(self.atoms, sym))
            case _:
                return None

    # ---- construction -----------------------------------------------------------------

    def nest(self, dimensions: int) -> list[Stmt]:
        """The loops that compute the sums. Raises NotKnown, NotTogether."""
        names = dict.fromkeys(a.variable for a in self.arrays)
        made = Nest(self.whole, self.loop, self.tiles, self.axis, self.adds, dimensions)
        return made.built(" and ".join(names))

    def without(self, body: Body) -> Body:
        """The body without the additions in the loop; those outside it become non-atomic."""
        plain: dict[Stmt, Stmt] = {s: replace(s, how="owner", why=SHARED_OUT) for s in self.others}
        return replaced(body, plain, {a.stmt for a in self.adds})
