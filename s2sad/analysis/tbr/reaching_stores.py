"""Find which stores of an array may reach a read, and which may overwrite it later.

An array has a home: the body whose slice runs its stores. Reaching definitions are computed within it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ...ir import Array, Declare, Place, Pointer, Stmt, Sym
from ..atomics import is_update
from ..constants import exact
from ..loops.invariant_stores import fixed_in
from ..loops.unclobbered_reads import Final
from ..ssa import Loop, Scope, Versions, loads, operands, targets

Filled = Callable[[Loop, Sym], bool]
"""Whether an iteration of a loop, whose stores to a shared array all come before its reads, reads only
what it stored itself."""

Order = Callable[[Versions, Stmt, Place, Stmt, Place, Scope], bool]
"""Whether a store to a place, by any thread, leaves the element that a statement has read at another before
it: in one iteration of the loops around a body."""

CARRIED_ELEMENTS = 64
"""Larger local arrays aren't kept in snapshots."""


_Index = tuple[int, ...]


def _loop(body: Scope) -> Loop:
    assert isinstance(body.owner, Loop)
    return body.owner


class ReachingStores:
    """The stores and the homes of a function's arrays.

    Threads exchange values through the `exchanged` arrays. `homes` are further out than
    the homes found here, and override them.
    """

    def __init__(
        self,
        versions: Versions,
        bounded: Callable[[Loop], bool],
        exchanged: frozenset[Sym],
        homes: Mapping[Sym, Scope],
        filled: Filled,
        order: Order,
        earlier: frozenset[str] = frozenset(),
    ) -> None:
        self.v = versions
        self.bounded = bounded
        self.exchanged = exchanged
        self.filled = filled
        self.order = order
        self.final = Final(versions, earlier)
        self.stores: dict[Sym, list[Stmt]] = {}
        self._stores_in: dict[tuple[Sym, Scope], list[Stmt]] = {}
        self._by_index: dict[Sym, dict[_Index | None, list[Stmt]]] = {}  # None: of no known index
        self.homes: dict[Sym, Scope] = {}
        self.carriers: dict[Sym, list[Scope]] = {}
        self._find_arrays()
        self.homes |= homes
        self._find_carriers()

    def _find_arrays(self) -> None:
        """Find where each array is written, and its home: the body whose slice runs its stores.

        The home is the innermost body around all accesses, but outside every loop
        that the array outlives: part of such a loop, when rerun, would need the array
        as it was then.
        """
        used: dict[Sym, Scope] = {}
        for stmt, scope in self.v.scope_of.items():
            for target in targets(stmt):
                if target.index or isinstance(target.sym.type, Array):
                    self.stores.setdefault(target.sym, []).append(stmt)
                    used[target.sym] = _common(used.get(target.sym, scope), scope)
            for expr in operands(stmt):
                for place in loads(expr):
                    used[place.sym] = _common(used.get(place.sym, scope), scope)
        for sym, scope in used.items():
            declared = self.v.declared.get(sym, self.v.root)
            if sym.storage == "shared":
                declared = self.v.root
            home: Scope = scope
            for around in scope.outwards():
                if around is declared:
                    break
                if around.loop is not None and around.parent is not None and not self.refills(sym, around):
                    home = around.parent
            self.homes[sym] = home
        for sym, stores in self.stores.items():
            stores.sort(key=lambda s: self.v.order[s])
            for store in stores:
                indices = {_known(target) for target in targets(store) if target.sym is sym}
                index = indices.pop() if len(indices) == 1 else None
                self._by_index.setdefault(sym, {}).setdefault(index, []).append(store)

    def _find_carriers(self) -> None:
        """Find the loop bodies through which snapshots carry small local arrays.

        In an unbounded loop, the elements read can't be recorded for every iteration.
        Its body is then a home of the array too: an iteration finds the array as the
        snapshot and the stretch rerun after it leave it.
        """
        for loop in self.v.loops:
            if self.bounded(loop):
                continue
            (body,) = self.v.inside[loop]
            for sym, stores in self.stores.items():
                if not isinstance(sym.type, Array) or sym.type.elements > CARRIED_ELEMENTS:
                    continue
                if sym.storage == "shared":
                    continue
                outlives = not self.v.declared.get(sym, self.v.root).within(body)
                stored = any(self.v.scope_of[s].within(body) for s in stores)
                if outlives and stored and self.home(sym, loop) is self.v.scope_of[loop]:
                    self.carriers.setdefault(sym, []).append(body)

    def refills(self, sym: Sym, body: Scope) -> bool:
        """Whether each iteration refills an array before it reads it.

        All accesses are inside the body. If every store comes before every read, and all iterations
        store to the same elements, then an element that was ever stored is stored in this iteration
        too, and any other is never read. Otherwise `filled` may know that each iteration reads only
        what it stored. Atomic additions go to such elements, after their stores.
        """
        if sym.storage not in ("shared", "local") or sym not in self.stores:
            return False
        added = [s for s in self.stores[sym] if is_update(s)]
        stores = [s for s in self.stores[sym] if not isinstance(s, Declare) and s not in added]
        if not stores:
            return False
        reads = [
            stmt
            for stmt in self.v.scope_of
            if stmt in added or any(place.sym is sym for e in operands(stmt) for place in loads(e))
        ]
        last = max((self.v.last[s] for s in stores), default=-1)
        return (
            all(self.v.order[r] > last for r in reads)
            and {self.outermost(s, body) for s in stores}.isdisjoint(
                loop for r in reads if (loop := self.outermost(r, body)) is not None
            )
            and (all(fixed_in(self.v, s, body) for s in stores) or self.filled(_loop(body), sym))
        )

    def home(self, sym: Sym, stmt: Stmt) -> Scope:
        """Return the body whose slice has the array as `stmt` finds it."""
        scope = self.v.scope_of[stmt]
        for body in reversed(self.carriers.get(sym, [])):
            if scope.within(body):
                return body
        return self.homes.get(sym, self.v.root)

    def stores_in(self, sym: Sym, home: Scope) -> Sequence[Stmt]:
        """Return the stores of an array in `home`, in program order."""
        if (sym, home) not in self._stores_in:
            stores = [s for s in self.stores[sym] if self.v.scope_of[s].within(home)]
            self._stores_in[sym, home] = stores
        return self._stores_in[sym, home]

    def outermost(self, stmt: Stmt, home: Scope) -> Loop | None:
        """Return the outermost loop inside `home` around a statement."""
        loops = self.v.loops_between(home, self.v.scope_of[stmt])
        # A loop's condition is evaluated in every iteration, so a loop is inside itself.
        return loops[0] if loops else stmt if isinstance(stmt, Loop) else None

    def reaching(self, sym: Sym, stmt: Stmt, home: Scope) -> int:
        """Return how many of the stores in `home` may reach the read of an array in `stmt`: the first ones.

        They come before it, or are in a loop with it.
        """
        loop = self.outermost(stmt, home)
        end = self.v.order[stmt] if loop is None else self.v.last[loop] + 1
        return bisect_left(self.stores_in(sym, home), end, key=self.v.order.__getitem__)

    def following(self, place: Place, stmt: Stmt, home: Scope) -> Iterator[Stmt]:
        """Yield the stores in `home` that run after `stmt` reads a place.

        They come after it, or are in a loop with it. Those to an element of another known index are left
        out, if no slice reruns a store.
        """
        loop, start = self.outermost(stmt, home), self.v.order[stmt]
        if loop is not None and loop is not stmt:
            start = self.v.order[self.v.inside[loop][0].stmts[0]]
        anywhere = stmt is loop or place.sym in self.exchanged or place.sym in self.carriers
        index = None if anywhere else _known(place)
        for stores in (
            (self.stores_in(place.sym, home),)
            if index is None
            else (self._by_index[place.sym].get(known, ()) for known in (index, None))
        ):
            for store in stores[bisect_left(stores, start, key=self.v.order.__getitem__) :]:
                if not isinstance(store, Declare) and self.v.scope_of[store].within(home):
                    yield store

    def overwrites(self, store: Stmt, stmt: Stmt, place: Place, home: Scope) -> bool:
        """Whether a store that comes after a read may write to the same element."""
        exchanged = place.sym in self.exchanged  # another thread may store it
        return not all(
            self.order(self.v, store, target, stmt, place, home)
            if exchanged
            else self.final.leaves(store, target, stmt, place, home)
            for target in targets(store)
            if target.sym is place.sym
        )

    def region(self, sym: Sym, stmt: Stmt, base: Scope) -> Scope | None:
        """Return the array's outermost home around `stmt` that lies within a slice's body."""
        around = (b for b in self.carriers.get(sym, ()) if self.v.scope_of[stmt].within(b))
        homes = (self.homes.get(sym, self.v.root), *around)
        return next((home for home in homes if home.within(base)), None)

    def stored_twice(self, slices: Mapping[Scope, Iterable[Stmt]]) -> dict[Sym, Scope]:
        """Find homes further out, for arrays to which two of the slices would store.

            if (c) {
                u[i] += cosf(u[i]);      the slice of the branch finds u as it was before it,
                v = u[i];                and so does the slice of the kernel that makes v
            }
            y[i] = v * v;

        The caller's array exists only once: the outer slice stores to it, and the inner one
        finds recorded what it needs.
        """
        found: dict[Sym, Scope] = {}
        for scope, done in slices.items():
            for sym in {t.sym for stmt in done for t in targets(stmt) if isinstance(t.sym.type, Pointer)}:
                found[sym] = _common(found.get(sym, scope), scope)
        return {
            sym: scope
            for sym, scope in found.items()
            if (home := self.homes.get(sym, scope)) is not scope and home.within(scope)
        }


def _known(place: Place) -> _Index | None:
    """The index of an element, if it is constant."""
    dimensions = len(place.sym.type.extents) if isinstance(place.sym.type, Array) else 1
    index = tuple(value for e in place.index if (value := exact(e)) is not None)
    return index if len(index) == len(place.index) == dimensions else None


def _common(a: Scope, b: Scope) -> Scope:
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            a = a.parent
        else:
            assert b.parent is not None
            b = b.parent
    return a
