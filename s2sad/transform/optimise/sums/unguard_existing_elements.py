"""Add a sum without testing it, if the thread accesses the element anyway.

    float a = x[i];                                float a = x[i];
    …                                              …
    if (adj_x_sum != 0.0f)                 ->      atomicAdd(&adj_x[i], adj_x_sum);
        atomicAdd(&adj_x[i], adj_x_sum);

The test is for an element that doesn't exist where the loop that makes the sum runs no iteration. If the
same control flow reads the element of the primal or updates that of the adjoint, it does exist. An addition
that isn't atomic needs an update: a thread may read an element that another one owns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

from ....analysis.load_guards import evaluated
from ....ir import (
    Accumulate,
    Body,
    Expr,
    Place,
    Pointer,
    Stmt,
    Sym,
    bodies,
    expressions,
    rebuilt,
    remembered,
    walk,
)
from ...common.jumps import exits
from ...common.mod_ref import meets, written
from .loop_accumulators import guarded_sum


@dataclass(frozen=True)
class _Element:
    """An element of a primal array in global memory; `owned`: the thread updates its adjoint."""

    array: Sym
    index: tuple[Expr, ...]
    path: tuple[object, ...]
    owned: bool

    @cached_property
    def symbols(self) -> frozenset[Sym]:
        return frozenset[Sym]().union(*(e.symbols for e in self.index))


def unguard_existing_elements(body: Body) -> Body:
    """The body with such tests removed."""
    return _visit(body, frozenset())


@remembered
def _guards(stmt: Stmt) -> bool:
    """Whether there is such a test in a statement."""
    return guarded_sum(stmt) is not None or any(_guards(s) for body in bodies(stmt) for s in body)


def _visit(body: Body, known: Collection[_Element]) -> Body:
    """`known`: elements that the thread accesses whenever it runs the body."""
    if not any(map(_guards, body)):
        return body
    changed = frozenset[Sym]().union(*map(written, body))
    before = {e for e in known if e.symbols.isdisjoint(changed)}
    stretches: list[list[Stmt]] = [[]]
    for stmt in body:
        stretches[-1].append(stmt)
        if exits(stmt) or meets(stmt):
            stretches.append([])
    out: list[Stmt] = []
    for stretch in stretches:
        here = {e for s in stretch for e in _accessed(s) if e.symbols.isdisjoint(changed)}
        always = before | here
        for stmt in stretch:
            new = rebuilt(stmt, partial(_visit, known=always)) if _guards(stmt) else stmt
            add = guarded_sum(new)
            out.append(new if add is None or not _exists(add, always) else add)
        met = any(map(meets, stretch))
        before |= {e for e in here if not (e.owned and met)}
        if met:
            before = {e for e in before if not e.owned}
    return tuple(out)


def _exists(add: Accumulate, known: Collection[_Element]) -> bool:
    element = _element(add.target, True)
    if element is None:
        return False
    return element in known or (add.how == "atomic" and replace(element, owned=False) in known)


def _accessed(stmt: Stmt) -> Iterator[_Element]:
    """Yield the elements that a statement itself always accesses."""
    for expr in expressions(stmt):
        for part in evaluated(expr):
            if isinstance(part, Place):
                ours = isinstance(stmt, Accumulate) and part is stmt.target
                element = _element(part, ours and isinstance(stmt, Accumulate) and stmt.how == "owner")
                if element is not None:
                    yield element


def _element(place: Place, owned: bool) -> _Element | None:
    array = place.sym.of or place.sym
    if not place.index or not isinstance(array.type, Pointer) or any(map(_loads, place.index)):
        return None
    return _Element(array, place.index, place.path, owned)


def _loads(index: Expr) -> bool:
    """Whether an index reads memory that may change."""
    loaded = (e.sym.type for e in walk(index) if isinstance(e, Place) and e.index)
    return not all(isinstance(type_, Pointer) and type_.const for type_ in loaded)
