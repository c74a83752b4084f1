"""Let one block compute, for all blocks of a row or column, what each does in an iteration.

    for (int k0 = blockIdx.x * TILE; k0 < K; k0 += gridDim.x * TILE) {
        what doesn't depend on the block, once
        for (unsigned block = 0; block < gridDim.x; ++block) {
            what it does when the kernel starts, with `block` for blockIdx.x
            what it does in the iteration
        }
        the sum added
    }

A block's results depend only on its position, on parameters and on memory that doesn't change. So
the same statements, run in the same order by the same threads of another block, give the same
values if they start where the kernel starts, or if no value is carried between iterations:
locals are declared in the iteration, and each block fills a tile in the same way before reading it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ....analysis.atomics import is_drawn
from ....analysis.constants import literal
from ....fixpoint import rounds
from ....ir import (
    BOOL,
    COLLECTIVE,
    INT,
    UINT,
    Accumulate,
    Assign,
    Banner,
    Barrier,
    Binary,
    Body,
    Break,
    Call,
    Clear,
    Comment,
    Const,
    Continue,
    Declare,
    Expr,
    For,
    If,
    Place,
    Quote,
    Return,
    Scalar,
    Special,
    Stmt,
    Sym,
    all_parts,
    bodies,
    expressions,
    statements,
    unconverted,
    walk,
)
from ...common.adjoint_names import total_of
from ...common.algebra import converted, is_const, real, rewrite, shifted
from ...common.integer_expressions import before_rounding
from ...common.mod_ref import sets, written
from ...common.symbol_uses import mapped, renaming
from ...common.thread_ownership import Own
from ..contribution_audit import sum_of_sites
from ..scalar.simplify import signed
from .contributions import NotKnown, Other, declared_as
from .slicing import sliced, used

SHARED_OUT = "the blocks divide the tiles"
PLAIN = (Declare, Assign, Accumulate, Clear, If, For, Barrier, Quote, Comment, Banner)


@dataclass(frozen=True)
class Add:
    """An addition in the loop: its guards, from the loop's body inwards, and its primal line."""

    stmt: Accumulate
    guards: tuple[If, ...]
    quote: Quote | None


@dataclass(frozen=True)
class Tiles:
    """The iterations of a loop in either direction: 0, step, 2 * step, … below the end."""

    counter: Sym
    end: Expr
    step: Expr

    @property
    def by(self) -> int:
        value = literal(self.step)
        assert value is not None
        return value


def tiles(loop: For) -> Tiles:
    """Raises NotKnown."""
    match loop.init, loop.cond, loop.step:
        case (
            (Declare(sym, first),),
            Binary(op, left, right),
            (Assign(Place(moved, ()), step, by),),
        ) if moved is sym and isinstance(first, Expr) and unconverted(left) == Place(sym, (), sym.type):
            width, start = literal(step), unconverted(first)
        case _:
            raise NotKnown
    if sym.type != INT or width is None or width < 1 or any(sym in written(s) for s in loop.body):
        raise NotKnown
    if op == "<" and by == "+=" and literal(start) == 0:
        return Tiles(sym, right, step)
    if op != ">=" or by != "-=" or literal(right) != 0:
        raise NotKnown
    last = literal(start)
    match start:
        case Binary("-", end, Const(1)) if width == 1:
            return Tiles(sym, end, step)
        case Binary("-", Binary("*", Binary("/", top, divisor), factor), back) if all(
            literal(e) == width for e in (divisor, factor, back)
        ):
            distance = before_rounding(top, width)
            if distance is None:
                raise NotKnown
            return Tiles(sym, distance, step)
        case _ if last is not None and last % width == 0:
            return Tiles(sym, shifted(start, 1), step)
        case _:
            raise NotKnown


@dataclass(kw_only=True)
class _OtherBlock(Other):
    """The thread at this one's place in another block, `here`, which does all that this one does."""

    here: Place
    changed: set[Sym]

    def outer(self, e: Place) -> Expr | None:
        if e.index and e.sym.storage == "tape":  # private to each thread
            raise NotKnown
        return None

    def lasts(self, sym: Sym) -> bool:
        """Shared memory is filled again."""
        return sym.storage == "shared" or sym not in self.changed

    def again(self, stmt: Stmt) -> Stmt:
        return declared_as(mapped(stmt, self.change), self.names)


@dataclass
class Nest:
    """The loops that replace the additions of one loop, along one axis."""

    whole: Body
    loop: For
    tiles: Tiles
    axis: str
    adds: Sequence[Add]
    dimensions: int
    totals: dict[Accumulate, Sym] = field(default_factory=dict)
    sums: set[Sym] = field(default_factory=set)  # totals that are sums in the loop already
    wholes: dict[Sym, Sym] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.own = Own(self.whole, self.dimensions)
        here = Place(Sym("block", UINT), (), UINT)
        changed = {sym for s in self.whole for sym in written(s)}
        self.other = _OtherBlock({Special("blockIdx", self.axis): here}, here=here, changed=changed)
        at = self.whole.index(self.loop)
        self.start, self.behind = self.whole[:at], self.whole[at + 1 :]

    def built(self, arrays: str) -> list[Stmt]:
        """The loops that compute the sums for the tiles of some arrays. Raises NotKnown, NotTogether."""
        moved: dict[Stmt, Stmt] = {}  # additions, by the local sums that replace them
        roots: list[Stmt] = []
        wanted: set[Sym] = set()
        for add in self.adds:
            wanted |= {s for e in add.stmt.target.index for s in e.symbols}
            total = self.total_of(add)
            if total is not None:
                self.sums.add(total)
                wanted |= {s for g in add.guards for s in g.cond.symbols}
                roots += [s for s in statements(self.loop.body) if total in written(s) and not bodies(s)]
            else:
                kind = add.stmt.target.type
                assert isinstance(kind, Scalar)
                total = total_of(add.stmt.target)
                amount = converted(signed(add.stmt), kind)
                moved[add.stmt] = Accumulate(Place(total, (), kind), amount, "local", sites=add.stmt.sites)
                roots.append(moved[add.stmt])
            self.totals[add.stmt] = total
        gone = {a.stmt for a in self.adds if a.stmt not in moved}
        loop = replace(self.loop, body=replaced(self.loop.body, moved, gone))
        part = sliced((*self.start, loop), roots, wanted - {self.tiles.counter})
        again = part[-1] if part else None
        if not isinstance(again, For) or again.init != loop.init:
            raise NotKnown  # no contribution is left
        before = [s for s in part[:-1] if not shared(s)]
        inside = [s for s in again.body if not (isinstance(s, Declare) and s.sym in self.sums)]
        self.check(before, inside)
        return self.made(before, inside, self.of_block(before, inside), arrays)

    def total_of(self, add: Add) -> Sym | None:
        """The local that holds a thread's contribution in an iteration, if it is used only as a sum."""
        amount = add.stmt.amount
        if not isinstance(amount, Place) or amount.index or add.stmt.negative:
            return None
        sym = amount.sym
        if sym.storage != "local" or sym.type != add.stmt.target.type:
            return None
        mine = {a.stmt for a in self.adds}
        starts = 0
        for stmt in statements(self.whole):
            match stmt:
                case Declare(declared, init) if declared is sym:
                    zero = isinstance(init, Const) and is_const(init, 0.0)
                    if not zero or stmt not in self.loop.body:
                        return None
                    starts += 1
                case Accumulate(Place(target, ()), value, "local") if target is sym:
                    if sym in value.symbols:
                        return None
                case _ if sym in set(used(stmt)) and stmt not in mine:
                    return None
                case _:
                    pass
        return sym if starts == 1 else None

    # ---- what can be repeated -----------------------------------------------------------

    def check(self, before: Sequence[Stmt], inside: Sequence[Stmt]) -> None:
        """Check that the statements do the same for another block, in any iteration. Raises NotKnown."""
        for stmt in statements((*before, *inside)):
            if not isinstance(stmt, PLAIN) or acts(stmt) or (isinstance(stmt, Barrier) and stmt.warp):
                raise NotKnown
            for expr in expressions(stmt):
                self.other.expression(expr)
        fresh = {s.sym for s in statements(tuple(inside)) if isinstance(s, Declare)}
        read: set[Sym] = set()
        for stmt in inside:
            for sym in written(stmt) - fresh - set(self.totals.values()):
                plain = isinstance(stmt, Assign) and stmt.op is None and sym.storage == "shared"
                if not plain or sym in read or not self.fixed(stmt):
                    raise NotKnown
            read |= set(_read(stmt))

    def fixed(self, stmt: Stmt) -> bool:
        """Whether a store's element is the same in each iteration: indexed by the thread's coordinates."""
        assert isinstance(stmt, Assign)
        return all(self.own.axis(self.own.resolved(e)) is not None for e in stmt.target.index)

    def of_block(self, before: Sequence[Stmt], inside: Sequence[Stmt]) -> set[Stmt]:
        """The statements that depend on which block runs them, or that fill its shared memory.

        Also those whose results change by the end of the loop.
        """
        later = {sym for s in (*self.loop.body, *self.behind) for sym in written(s)}
        syms = {sym for s in before for sym in sets(s) if sym.storage == "shared" or sym in later}
        found: set[Stmt] = set()
        for _ in rounds(len(before) + len(inside), "what depends on the block"):  # the set only grows
            grown = len(found)
            for stmt in (*before, *inside):
                if stmt in found or isinstance(stmt, Barrier | Quote | Comment | Banner):
                    continue
                mine = sets(stmt) | {s for t in statements((stmt,)) for s in used(t)}
                if mine & syms or Special("blockIdx", self.axis) in all_parts(stmt):
                    found.add(stmt)
                    syms |= sets(stmt)
            if grown == len(found):
                break
        if any(isinstance(s, For) for t in before if t in found for s in statements((t,))):
            raise NotKnown  # repeating it for each block would cost too much
        return found

    # ---- the loops ---------------------------------------------------------------------

    def made(
        self, before: Sequence[Stmt], inside: Sequence[Stmt], apart: set[Stmt], arrays: str
    ) -> list[Stmt]:
        here, names = self.other.here, self.other.names
        names |= {sym: replace(sym) for sym in (self.tiles.counter, *self.totals.values())}
        for sym in (sym for stmt in before if stmt in apart for sym in sets(stmt)):
            if sym.storage == "local":
                names[sym] = self.there(sym)
        for stmt in statements(tuple(inside)):
            if isinstance(stmt, Declare):
                names[stmt.sym] = replace(stmt.sym)

        once: list[Stmt] = []
        each: list[Stmt] = []
        said: list[Stmt] = []
        for stmt in (*before, *inside):
            if isinstance(stmt, Quote | Comment | Banner):
                said = [stmt] if isinstance(stmt, Quote) else []
            elif isinstance(stmt, Barrier):
                each.append(stmt)
                once += [stmt] if stmt in inside else []
            elif stmt in apart or stmt in inside:
                (each if stmt in apart else once).extend((*said, stmt))
                said = []
        starts = [Declare(names[t], real(0.0, t.type)) for t in dict.fromkeys(self.totals.values())]
        through = For(
            (Declare(here.sym, Const(0, UINT, spelling="0")),),
            Binary("<", here, Special("gridDim", self.axis), BOOL),
            (Assign(here, Const(1, UINT), "+=", spelling="++block"),),
            (*map(self.other.again, each), Barrier()),
        )
        differ = {sym for s in apart for sym in sets(s)}
        after: list[Stmt] = []
        for add in self.adds:
            total = self.totals[add.stmt]
            place = Place(names[total], (), total.type)
            for e in (*add.stmt.target.index, *(g.cond for g in add.guards if total in self.sums)):
                if Special("blockIdx", self.axis) in walk(e) or differ & e.symbols:
                    raise NotKnown
            target = rewrite(add.stmt.target, renaming(names))
            assert isinstance(target, Place)
            sites = add.stmt.sites if total in self.sums else sum_of_sites(target)
            mine = replace(add.stmt, target=target, amount=place, negative=False, sites=sites)
            plain: Stmt = replace(mine, how="owner", why=SHARED_OUT)
            conds = [rewrite(g.cond, renaming(names)) for g in add.guards]
            if total not in self.sums:  # zero sum: the index may be out of range
                conds = [Binary("!=", place, real(0.0, total.type), BOOL)]
            for cond in reversed(conds):
                plain = If(cond, (plain,))
            after += [*([] if add.quote is None else [replace(add.quote)]), plain]
        along = self.axis
        say = f"the blocks along {along} divide the tiles of {arrays}; each adds all blocks' contributions"
        head, cond, step = self.shares(names[self.tiles.counter])
        body = (*map(self.other.again, once), *starts, through, *after)
        return [Barrier(), Comment(say), For((head,), cond, (step,), body)]

    def shares(self, counter: Sym) -> tuple[Declare, Expr, Assign]:
        """The header of the loop over a block's share of the tiles."""
        kind, step = counter.type, converted(self.tiles.step, UINT)
        assert isinstance(kind, Scalar)
        start: Expr = Special("blockIdx", self.axis)
        stride: Expr = Special("gridDim", self.axis)
        if self.tiles.by != 1:
            start, stride = Binary("*", start, step, UINT), Binary("*", stride, step, UINT)
        place, end = Place(counter, (), kind), self.tiles.end
        test = Binary("<", converted(place, end.type), end, BOOL)
        return Declare(counter, converted(start, kind)), test, Assign(place, stride, "+=")

    def there(self, sym: Sym) -> Sym:
        """The name of a variable for the block being processed."""
        if sym.within is None:
            return replace(sym, name=f"{sym.name}_there", span=None, origin="tool")
        whole = self.wholes.setdefault(sym.within, replace(sym.within, name=f"{sym.within.name}_there"))
        return replace(sym, name=".".join((whole.name, *sym.path)), within=whole, span=None, origin="tool")


def acts(stmt: Stmt) -> bool:
    """Whether a statement has an effect visible to other threads or the caller, or is an exit."""
    if bodies(stmt):
        return False
    if isinstance(stmt, Break | Continue | Return):
        return True
    calls = (e for top in expressions(stmt) for e in walk(top) if isinstance(e, Call))
    if any(is_drawn(e) or e.rule in COLLECTIVE for e in calls):
        return True
    if isinstance(stmt, Declare | Barrier | Quote | Comment | Banner):
        return False
    plain = isinstance(stmt, Assign | Accumulate | Clear)
    return not plain or any(sym.storage not in ("local", "shared") for sym in written(stmt))


def shared(stmt: Stmt) -> bool:
    """Whether it declares shared memory."""
    return isinstance(stmt, Declare) and stmt.sym.storage == "shared"


def replaced(body: Body, new: Mapping[Stmt, Stmt], gone: set[Accumulate]) -> Body:
    """The body with some statements replaced and others removed, and emptied branches dropped."""
    out: list[Stmt] = []
    for stmt in body:
        if stmt in new:
            out.append(new[stmt])
        elif stmt in gone:
            continue
        elif isinstance(stmt, If):
            then, other = replaced(stmt.then, new, gone), replaced(stmt.other, new, gone)
            if then or other or not (stmt.then or stmt.other):
                out.append(replace(stmt, then=then, other=other))
        elif isinstance(stmt, For):
            out.append(replace(stmt, body=replaced(stmt.body, new, gone)))
        else:
            out.append(stmt)
    return tuple(out)


def _read(stmt: Stmt) -> Iterable[Sym]:
    """The arrays that a statement reads."""
    for inner in statements((stmt,)):
        target = inner.target if isinstance(inner, Assign) and inner.op is None else None
        for expr in expressions(inner):
            for part in walk(expr):
                if isinstance(part, Place) and part.index and part is not target:
                    yield part.sym
