"""Find which stores of an array may reach a read, and which may overwrite it later.

An array has a home: the body whose slice runs its stores. Reaching definitions are computed within it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ...ir import Array, Declare, Place, Pointer, Stmt, Sym
from ..atomics import is_update
from ..loops.invariant_stores import fixed_in
from ..loops.unclobbered_reads import Final
from ..ssa import Loop, Scope, Versions, loads, operands, targets

Filled = Callable[[Loop, Sym], bool]
"""Whether an iteration of a loop reads of a shared array only what it stored itself."""

CARRIED_ELEMENTS = 64
"""Larger local arrays aren't kept in snapshots."""


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
    ) -> None:
        self.v = versions
        self.bounded = bounded
        self.exchanged = exchanged
        self.filled = filled
        self.final = Final(versions)
        self.stores: dict[Sym, list[Stmt]] = {}
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
        for stores in self.stores.values():
            stores.sort(key=lambda s: self.v.order[s])

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
            and not any(self.sharing_loop(s, r, body) for s in stores for r in reads)
            and (all(fixed_in(self.v, s, body) for s in stores) or self.filled(_loop(body), sym))
        )

    def home(self, sym: Sym, stmt: Stmt) -> Scope:
        """Return the body whose slice has the array as `stmt` finds it."""
        scope = self.v.scope_of[stmt]
        for body in reversed(self.carriers.get(sym, [])):
            if scope.within(body):
                return body
        return self.homes.get(sym, self.v.root)

    def stores_in(self, sym: Sym, home: Scope) -> list[Stmt]:
        return [s for s in self.stores[sym] if self.v.scope_of[s].within(home)]

    def sharing_loop(self, a: Stmt, b: Stmt, home: Scope) -> bool:
        """Whether a loop inside `home` contains both statements."""
        # A loop's condition is evaluated in every iteration, so a loop is inside itself.
        loops = (*self.v.loops_between(home, self.v.scope_of[a]), a)
        others = (*self.v.loops_between(home, self.v.scope_of[b]), b)
        return any(x is y for x in loops for y in others if isinstance(x, Loop))

    def precedes(self, store: Stmt, stmt: Stmt, home: Scope) -> bool:
        return self.v.order[store] < self.v.order[stmt] or self.sharing_loop(store, stmt, home)

    def follows(self, store: Stmt, stmt: Stmt, home: Scope) -> bool:
        if isinstance(store, Declare):
            return False
        return self.v.order[store] >= self.v.order[stmt] or self.sharing_loop(store, stmt, home)

    def reaching(self, sym: Sym, stmt: Stmt, home: Scope) -> list[Stmt]:
        """Return the stores in `home` that may reach the read of an array in `stmt`."""
        return [store for store in self.stores_in(sym, home) if self.precedes(store, stmt, home)]

    def overwrites(self, store: Stmt, stmt: Stmt, place: Place, home: Scope) -> bool:
        """Whether a store that comes after a read may write to the same element."""
        if place.sym in self.exchanged:
            return True  # another thread may have stored it
        return not all(
            self.final.leaves(store, target, stmt, place, home)
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


def _common(a: Scope, b: Scope) -> Scope:
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            a = a.parent
        else:
            assert b.parent is not None
            b = b.parent
    return a
