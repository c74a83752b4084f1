"""One addition per block, if all its threads would add to the same element.

    if (i < n) {                                       if (i < n)
        float adj_s = adj_y[i];                            adj_s = adj_y[i];
        for (int k = 3; k >= 0; --k)                   for (int k = 3; k >= 0; --k) {
            atomicAdd(&adj_w[k], p[k] * adj_s);   ->       float adj_w_sum = 0.0f;
    }                                                      if (i < n)
                                                               adj_w_sum = p[k] * adj_s;
                                                           block_add(&adj_w[k], adj_w_sum);
                                                       }

`block_add` synchronizes the block, so all threads must reach it: outside every guard, in loops
with a uniform trip count. A thread's contribution is a local that is zero before the guard. The
sum is placed as far out as the element stays the same: after the loop whose counter is in the
index, or at the end of the additions. A guard around such a loop is moved into it;
loops that threads leave at different times sum locally inside, or stay atomic. The
additions of a single thread, or of one lane of each warp, stay atomic too: they are few, and
synchronizing would cost more.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ....analysis.ssa import Loop
from ....ir import (
    ATOMICS,
    BOOL,
    Accumulate,
    Assign,
    Banner,
    Barrier,
    Binary,
    Body,
    Comment,
    Const,
    Declare,
    Expr,
    For,
    How,
    If,
    Place,
    Pointer,
    Quote,
    Scalar,
    Stmt,
    Sym,
    bodies,
    expressions,
    rebuilt,
    remembered,
    statements,
    substituted,
    walk,
)
from ...common.adjoint_names import element_name, total_of
from ...common.algebra import converted, is_const, real, rewrite
from ...common.def_use import initialised, positions, times
from ...common.guard_splitting import outwards, with_names, without_returns
from ...common.jumps import exits
from ...common.mod_ref import meets, written
from ...common.symbol_uses import uses
from ...common.thread_ownership import Own
from ..contribution_audit import accounted, sum_of_sites
from ..scalar.simplify import signed
from ..uniformity import Alike
from .element_ranges import ElementRanges, Elements, Site, declarations, enclosing, grouped, loops_around
from .existing_elements import ExistingElements
from .loop_accumulators import guarded_sum


def reduced(body: Body, dimensions: int, variables: Container[Sym] = ()) -> Body:
    """The body with such sums, for so many block dimensions in use; `variables`: those of the file."""
    opened = without_returns(body)
    if opened is None:
        return body
    alike = Alike(opened)
    in_loops: set[Accumulate] = set()
    asked = _asked(opened, alike, in_loops)
    made = _Reducing(alike, Own(opened, dimensions), ExistingElements(asked, in_loops, variables))
    new = made.body(asked)
    return accounted("reduced", body, new) if made.found else body


def _asked(body: Body, alike: Alike, found: set[Accumulate]) -> Body:
    """The body without zero tests around such additions, as the block adds for all its threads."""
    out: list[Stmt] = []
    for stmt in body:
        add = guarded_sum(stmt)
        if add is None or add.how != "atomic" or not alike.same(*add.target.index):
            out.append(rebuilt(stmt, lambda b: _asked(b, alike, found)))
            continue
        if out and isinstance(out[-1], Comment):
            out.pop()
        found.add(add)
        out.append(add)
    return tuple(out)


@dataclass
class _Sum:
    """The additions of a body's statements to one element."""

    first: int
    last: int
    sites: list[Accumulate] = field(default_factory=list)


class _Reducing:
    def __init__(self, alike: Alike, own: Own, existing: ExistingElements) -> None:
        self.alike = alike
        self.own = own
        self.existing = existing
        self.ranges = ElementRanges()
        self.found = False
        # the enclosing branches and loops that all threads go through together
        self.together: list[Stmt] = []
        self.behind: list[Body] = []  # what follows the enclosing bodies

    def body(self, body: Body) -> Body:
        """A body that all threads of the block reach together."""
        todo = list(self.summed(body))
        out: list[Stmt] = []
        while todo:
            stmt = todo.pop(0)
            if not any(self.adds(s) or _phased(s) for s in statements((stmt,))):
                out.append(stmt)
            elif isinstance(stmt, Loop | If) and self.alike.together(stmt):
                self.behind.append((*(() if isinstance(stmt, If) else (stmt,)), *todo))
                self.together.append(stmt)
                out.append(rebuilt(stmt, self.body))
                self.together.pop()
                self.behind.pop()
            elif isinstance(stmt, If) and (pieces := self.around(stmt)) is not None:
                self.found = self.found or any(map(_phased, statements((stmt,))))
                todo[:0] = pieces
            else:
                out.append(stmt)
        return tuple(out)

    def adds(self, stmt: Stmt) -> bool:
        """Whether a statement is an addition that all threads may make to the same element."""
        return isinstance(stmt, Accumulate) and stmt.how == "atomic" and self.alike.same(*stmt.target.index)

    # ---- sums at the end of the additions to an element -----------------------------

    def summed(self, body: Body) -> Body:
        """The body with a sum for each element that stays the same during its additions."""
        runs: dict[Place | Elements, list[_Sum]] = {}
        for site, sum in grouped(self.known_sites(body)):
            base = self.ranges.symbols(sum) if isinstance(sum, Elements) else sum.symbols
            array = site.add.target.sym
            found = runs.setdefault(sum, [])
            between = body[found[-1].last + 1 : site.position] if found else ()
            if not found or any(written(s) & base or self.meanwhile(s, array) for s in between):
                found.append(_Sum(site.position, site.position))
            found[-1].last = site.position
            found[-1].sites.append(site.add)
        after: dict[int, list[Stmt]] = {}
        before: dict[int, list[Stmt]] = {}
        new: dict[Stmt, Body] = {}  # what the additions, and the declarations of sums, are replaced by
        for sum, found in runs.items():
            for run in found:
                self.found = True
                if isinstance(sum, Elements):
                    array = sum.array
                    declared, add = self.ranges.privatised(sum, run.sites, new)
                    exists = self.existing.of(add.target, run.sites, body, self.together, sum.count)
                    added: list[Stmt] = [replace(add, exists=exists)]
                else:
                    array = sum.sym
                    declared, added = self.replaced(body, sum, run, new)
                met = array.storage == "shared" and any(map(meets, body[run.first : run.last + 1]))
                if met or self.had(array, body[run.last + 1 :]):
                    added.append(Barrier())  # other threads may use the element, after barriers in it or now
                before.setdefault(_start(body, run.first), []).extend(declared)
                after.setdefault(run.last, []).extend(added)
        out: list[Stmt] = []
        for k, stmt in enumerate(body):
            out += (*before.get(k, ()), *substituted((stmt,), new.get), *after.get(k, ()))
        return tuple(out)

    def known_sites(self, body: Body) -> Iterator[Site]:
        """The additions whose element, or range of few elements, is known before their statement."""
        for position, stmt in enumerate(body):
            if exits(stmt) or (isinstance(stmt, If) and self.alike.together(stmt)):
                continue  # a uniform branch has its own sums
            for add in self.sites(stmt, False):
                element = self.element(add.target, stmt)
                elements = self.ranges.of(add, stmt)
                if (element or elements) and not self.meanwhile(stmt, add.target.sym):
                    yield Site(position, add, element, elements)

    def had(self, array: Sym, after: Body) -> bool:
        """Whether an array is otherwise accessed before the block's next barrier.

        Without the sum, each adding thread ordered its own accesses; now one thread adds for all.
        """
        for body in (after, *reversed(self.behind)):
            for stmt in body:
                if isinstance(stmt, Barrier) and not stmt.warp:
                    return False
                if self.meanwhile(stmt, array):
                    return True
        return False

    def sites(self, stmt: Stmt, alone: bool) -> Iterator[Accumulate]:
        """Such additions in a statement, except those made by a single thread."""
        if isinstance(stmt, Accumulate):
            if self.adds(stmt) and not alone:
                yield stmt
            return
        for part in bodies(stmt):
            one = alone or (isinstance(stmt, If) and part is stmt.then and self.singles(stmt.cond))
            for inner in part:
                yield from self.sites(inner, one)

    def singles(self, cond: Expr) -> bool:
        """Whether a condition holds for one thread of a block, or for one lane of each warp."""
        match cond:
            case Binary("&&", left, right):
                return self.singles(left) or self.singles(right)
            case Binary("==", left, right):
                return any(self.own.chosen(e) for e in (left, right))
            case _:
                return False

    def element(self, target: Place, stmt: Stmt) -> Place | None:
        """The element that a statement adds to, in terms of what is known before it; None if not one."""
        declared = declarations(stmt)
        changed = written(stmt)
        index: list[Expr] = []
        for e in target.index:
            known = self.known(e, declared, changed)
            if known is None:
                return None
            index.append(known)
        return replace(target, index=tuple(index))

    def known(self, expr: Expr, declared: Mapping[Sym, Declare], changed: frozenset[Sym]) -> Expr | None:
        """An integer with the names that a statement declares resolved; None if impossible."""
        failed = False

        def change(e: Expr) -> Expr | None:
            nonlocal failed
            if not isinstance(e, Place):
                return None
            if e.index or e.sym in changed:
                failed = True
            elif e.sym in declared:
                init = declared[e.sym].init
                inner = None
                if isinstance(init, Expr) and _plain(init):
                    inner = self.known(init, declared, changed)
                failed = failed or inner is None
                return None if inner is None else converted(inner, e.type)
            return None

        made = rewrite(expr, change)
        return None if failed else made

    def meanwhile(self, stmt: Stmt, array: Sym) -> bool:
        """Whether a statement uses an array other than to add to it atomically or by phase.

        Additions by phase go to other elements between the same two barriers.
        """
        return array in _used_otherwise(stmt)

    def replaced(
        self, body: Body, element: Place, run: _Sum, new: dict[Stmt, Body]
    ) -> tuple[list[Stmt], list[Stmt]]:
        """Replace the element by a local in `new`; returns its declaration and its addition."""
        assert isinstance(element.type, Scalar)
        first = run.sites[0]
        # In a loop two barriers per iteration cost more than an atomic addition of each warp.
        looped = any(isinstance(s, Loop) for s in self.together)
        how: How = "warp" if looped and element.sym.storage != "shared" else "reduce"
        exists = self.existing.of(element, run.sites, body, self.together)
        if len(run.sites) == 1 and body[run.first] is first:
            new[first] = (replace(first, how=how, target=element, exists=exists),)
            return [], []
        stmt = body[run.first]
        carried = _carried(body, run.first, first) if len(run.sites) == 1 else None
        declared: list[Stmt] = []
        if carried is not None:
            total = carried
            new[first] = ()
            inside = declarations(stmt).get(total)
            if inside is not None:
                new[inside] = _begun(inside)
                declared.append(Declare(total, real(0.0, element.type)))
        else:
            total = _total(element)
            place = Place(total, (), element.type)
            once = len(run.sites) == 1 and not loops_around(stmt, first)
            for site in run.sites:
                if once:
                    amount = signed(site)
                    new[site] = (Assign(place, converted(amount, element.type), sites=site.sites),)
                else:
                    new[site] = (replace(site, target=place, how="local", why=""),)
            declared.append(Declare(total, real(0.0, element.type)))
        place = Place(total, (), element.type)
        sites = first.sites if carried is not None else sum_of_sites(element)
        added = Accumulate(element, place, how, why=first.why, sites=sites, exists=exists)
        return declared, [added]

    # ---- guards around loops ------------------------------------------------------

    def around(self, stmt: If) -> list[Stmt] | None:
        """Split a guard: loops that all threads can run get the guard inside."""
        if stmt.other or self.singles(stmt.cond) or not any(self.holds(s, stmt) for s in stmt.then):
            return None
        out: list[Stmt] = []
        cond = stmt.cond
        changed = {s for inner in stmt.then for s in written(inner)}
        if any(isinstance(e, Place) and (e.index or e.sym in changed) for e in walk(cond)):
            here = self.flag()
            out.append(Declare(here, cond))
            cond = Place(here, (), BOOL)
        pending: list[Stmt] = []
        work = list(stmt.then)

        def trailing() -> list[Stmt]:
            said: list[Stmt] = []
            while pending and isinstance(pending[-1], Quote | Comment | Banner):
                said.insert(0, pending.pop())
            return said

        def flush() -> None:
            nonlocal work
            said = trailing()
            if pending:
                inside, moved, renamed = outwards(tuple(pending), set(uses(work)))
                # threads outside the guard don't set them
                self.alike.different |= {s.sym for s in moved if isinstance(s, Declare)}
                pending[:] = inside
                said = [*trailing(), *said]  # quotes between them and a declaration
                out.extend([*moved, If(cond, tuple(pending), (), stmt.span)])
                work = list(with_names(tuple(work), renamed))
            out.extend(said)
            pending.clear()

        while work:
            held = self.holds(work[0], stmt)
            if not held:
                pending.append(work.pop(0))
                continue
            flush()
            inner = work.pop(0)
            if isinstance(inner, For):
                out.append(replace(inner, body=(If(cond, inner.body, (), stmt.span),)))
            else:
                assert isinstance(inner, If)
                there = self.flag()
                out.append(Declare(there, Binary("&&", cond, inner.cond, BOOL)))
                out.append(If(Place(there, (), BOOL), inner.then, (), inner.span))
        flush()
        return out

    def flag(self) -> Sym:
        """A variable for whether a thread passes a guard."""
        here = Sym("here", BOOL)
        self.alike.different.add(here)
        return here

    def holds(self, stmt: Stmt, guard: If) -> bool:
        """Whether a loop, or one in a nested guard, should and can be moved out of a guard."""
        match stmt:
            case For():
                counters = {s.sym for s in stmt.init if isinstance(s, Declare)}
                heads = [e for s in (*stmt.init, *stmt.step) for e in expressions(s)]
                heads += [] if stmt.cond is None else [stmt.cond]
                inside = {s.sym for s in statements(guard.then) if isinstance(s, Declare)}
                changed = {s for inner in guard.then for s in written(inner)}
                return (
                    bool(counters)
                    and stmt.cond is not None
                    and len(counters) == len(stmt.init)
                    and self.alike.together(stmt)
                    and all(map(_plain, heads))
                    and not ((inside | changed) - counters) & {s for e in heads for s in e.symbols}
                    and not any(counters & written(s) for s in stmt.body)
                    and self.worth(stmt)
                )
            case If(cond, then, ()) if not self.singles(cond):
                return any(self.holds(s, guard) for s in then)
            case _:
                return False

    def worth(self, loop: For) -> bool:
        """Whether a loop contains such an addition, to an element known per iteration, at any depth.

        Or one that needs barriers between the iterations.
        """
        if any(map(_phased, statements(loop.body))):
            return True
        for stmt in loop.body:
            for site in self.sites(stmt, False):
                if self.element(site.target, stmt) is not None:
                    return True
            if any(isinstance(s, For) and self.worth(s) for s in statements((stmt,))):
                return True
        return False


def _phased(stmt: Stmt) -> bool:
    """Whether a statement is an addition by phase: see `phase_barriers`."""
    return isinstance(stmt, Accumulate) and stmt.how == "phase"


def _total(element: Place) -> Sym:
    """The sum of what a thread owes to an element: `adj_w2` for adj_w[2], `adj_w_sum` for any other."""
    total = total_of(element)
    match element.index:
        case (Const(int() as value),) if value >= 0 and _array(element.sym):
            return replace(total, name=element_name(element.sym.plain, element))
        case _:
            return total


def _array(adjoint: Sym) -> bool:
    """Whether it is the adjoint of an array, not of a by-value scalar."""
    return adjoint.of is None or not isinstance(adjoint.of.type, Scalar)


def _start(body: Body, position: int) -> int:
    """The position before a statement's quotes."""
    while position and isinstance(body[position - 1], Quote | Comment):
        position -= 1
    return position


def _plain(expr: Expr) -> bool:
    """Whether any thread may evaluate an expression: no loads, no division by unknowns."""
    for e in walk(expr):
        match e:
            case Place(_, index) if index:
                return False
            case Place(sym) if isinstance(sym.type, Pointer):
                return False
            case Binary("/" | "%", _, right) if not isinstance(right, Const):
                return False
            case _:
                pass
    return True


def _carried(body: Body, position: int, site: Accumulate) -> Sym | None:
    """A tool-made local sum that is only added to the element, if the amount is one.

    It is zero wherever the element isn't added to: declared as zero before the statement or inside it,
    and changed only in the body that contains the addition.
    """
    match site.amount:
        case Place(sym, ()) if sym.ours and not site.negative and sym.type == site.target.type:
            pass
        case _:
            return None
    stmt = body[position]
    if loops_around(stmt, site):
        return None
    around, at, _ = enclosing(stmt)[site]
    if sum(times(around[k])[sym] for k in positions(around, sym) if k <= at) != sum(
        times(body[k])[sym] for k in positions(body, sym)
    ):
        return None
    for part, end in ((body, position), (around, at)):
        k = initialised(part).get(sym, end)
        if k < end:
            init = getattr(part[k], "init", None)
            own = part is around
            return sym if own or (isinstance(init, Const) and is_const(init, 0.0)) else None
    return None


def _begun(declared: Declare) -> Body:
    """What is left of a sum's declaration if it is declared earlier, as zero."""
    init, sym = declared.init, declared.sym
    assert isinstance(init, Expr)
    if is_const(init, 0.0):
        return ()
    return (Assign(Place(sym, (), sym.type), init, sites=declared.sites),)


@remembered
def _used_otherwise(stmt: Stmt) -> frozenset[Sym]:
    """What a statement uses other than to add to it atomically or by phase."""
    found: set[Sym] = set()
    for inner in statements((stmt,)):
        added = isinstance(inner, Accumulate) and inner.how in (*ATOMICS, "phase")
        for expr in expressions(inner):
            if added and isinstance(inner, Accumulate) and expr is inner.target:
                found.update(sym for e in inner.target.index for sym in e.symbols)
            else:
                found |= expr.symbols
    return frozenset(found)
