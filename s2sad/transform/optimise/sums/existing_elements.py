"""When the element exists to which a block adds a sum.

    if (i < n)
        adj_w0 = x[i] * adj_y[i];         exists for n > 0: then the first thread of the launch has read w[0]
    block_add(&adj_w[0], adj_w0);

A thread that contributes has read the element of the primal. In a block in which no thread does, the sum is
zero and the element need not exist: the array may be empty. The conditions around a contribution are asked
for the first thread (`common.first_thread`): where they hold, it has reached the element; where they don't,
no thread has. An element of an array of known size, and the adjoint of a variable that isn't an array,
always exist.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from ....analysis.constants import literal
from ....analysis.load_guards import evaluated
from ....analysis.ssa import Loop
from ....ir import (
    Accumulate,
    Array,
    Binary,
    Block,
    Body,
    Const,
    Declare,
    DoWhile,
    Exists,
    Expr,
    For,
    If,
    Place,
    Scalar,
    Stmt,
    Struct,
    Sym,
    Type,
    bodies,
    expressions,
    remembered,
    statements,
)
from ...common.algebra import is_const
from ...common.first_thread import BLOCKS, TRUE, FirstThread, NotFirst
from ...common.jumps import exits, negation
from ...common.loop_entry import runs_once, surely_runs
from ...common.mod_ref import written
from ...common.replay import conjuncts
from .element_ranges import constant_range, loops_around

Path = tuple[Expr, ...]
"""The conditions around a statement, which hold where it runs at least once."""


class ExistingElements:
    """The elements of one kernel's body.

    `in_loops`: additions of what a loop has summed, if anything; `variables`: those of the file, each with
    one element at least.
    """

    def __init__(self, body: Body, in_loops: Container[Accumulate], variables: Container[Sym]) -> None:
        self.first = FirstThread(body)
        self.in_loops = in_loops
        self.variables = variables

    def of(
        self, target: Place, sites: Sequence[Accumulate], body: Body, around: Sequence[Stmt], count: int = 1
    ) -> Exists | None:
        """When the element, and the next ones up to a `count`, exist; None if that isn't known.

        The `sites` in the body are all that contributes; `around` are the branches and loops around the body,
        which the block goes through together.
        """
        begins = target.sym.of in self.variables and all(literal(e) == 0 for e in target.index)
        always = (begins and count == 1) or _within(target, count, around)
        kept = self._kept(target, around)
        found: list[tuple[Path, bool]] = []
        for path in self._paths(sites, body, always):
            if path is None and not always:
                return None
            found.append(self._known(path or (), kept))
        if always:
            least = found[0][0] if found else ()
            return Exists(tuple(c for c in least if all(c in other for other, _ in found)), True)
        if count > 1:
            when = found[0][0]
            same = all(whole and set(other) == set(when) for other, whole in found)
            return Exists(when, not when) if same and not any(_left_early(body, s) for s in sites) else None
        reached = list(found)
        if target.symbols.isdisjoint({sym for stmt in body for sym in written(stmt)} - {target.sym}):
            reached += (self._known(path, kept) for path in _loads(body, target) if path is not None)
        for when, whole in reached:
            if whole and all(set(when) <= set(other) for other, _ in found):
                return Exists(when, not when)
        return None

    def _known(self, path: Path, kept: Container[str]) -> tuple[Path, bool]:
        """What the conditions are for the first thread, and whether that is known of all of them."""
        when: list[Expr] = []
        whole = True
        for cond in (part for outer in path for part in conjuncts(outer)):
            try:
                first = self.first.condition(cond, kept)
            except NotFirst:
                whole = False
                continue
            when += (c for c in conjuncts(first) if c != TRUE and c not in when)
        return tuple(when), whole

    def _kept(self, target: Place, around: Sequence[Stmt]) -> frozenset[str]:
        """The block's coordinates that decide about the element, or whether the block adds to it."""
        kept = frozenset[str]()
        counters: set[Sym] = set()
        for stmt in around:
            heads = (*stmt.init, *stmt.step) if isinstance(stmt, For) else ()
            counters |= {s.sym for s in heads if isinstance(s, Declare)}
            if isinstance(stmt, Loop) and any(counters & written(s) for s in stmt.body):
                return BLOCKS
            asked = [*expressions(stmt), *(e for s in heads for e in expressions(s))]
            kept |= self.first.all_blocks(asked, counters)
        return kept | self.first.all_blocks(target.index, counters)

    # ---- where threads contribute -----------------------------------------------------

    def _paths(self, sites: Sequence[Accumulate], body: Body, always: bool) -> Iterator[Path | None]:
        """The conditions around each contribution; None where they aren't known."""
        for site in sites:
            summed = site.amount.sym if isinstance(site.amount, Place) and not site.amount.index else None
            if site not in self.in_loops and not (always and summed is not None and summed.ours):
                yield path_to(body, site)
            elif summed is None:
                yield None
            else:
                yield from _terms(body, summed)


def _terms(body: Body, total: Sym) -> Iterator[Path | None]:
    """The conditions around each addition to a sum that begins as zero; None for any other store to it."""
    declared = False
    for stmt in statements(body):
        match stmt:
            case Declare(sym, init) if sym is total:
                declared = True
                if not (isinstance(init, Const) and is_const(init, 0.0)):
                    yield None
            case Accumulate(Place(sym, ()), how="local") if sym is total:
                yield path_to(body, stmt)
            case _ if total in written(stmt) and not bodies(stmt):
                yield None
            case _:
                pass
    if not declared:
        yield None


def _left_early(body: Body, site: Accumulate) -> bool:
    """Whether a loop around an addition may end before its last iteration."""
    around = next((found for stmt in body if (found := loops_around(stmt, site)) is not None), ())
    return any(exits(stmt) for loop in around for stmt in loop.body)


def _loads(body: Body, target: Place) -> Iterator[Path | None]:
    """The conditions around each statement that reads the element of the primal."""
    element = None if target.sym.of is None else replace(target, sym=target.sym.of)
    for stmt in statements(body):
        if isinstance(stmt, DoWhile):
            continue  # its condition may never be asked
        if any(part == element for whole in expressions(stmt) for part in evaluated(whole)):
            yield path_to(body, stmt)


def path_to(body: Body, site: Stmt) -> Path | None:
    """The conditions around a statement, which hold where it runs; None where they aren't known."""
    for stmt in body:
        if stmt is site:
            return ()
        if site in (found := _reached(stmt)):
            return found[site]
        if exits(stmt):
            break
    return None


@remembered
def _reached(stmt: Stmt) -> Mapping[Stmt, Path | None]:
    """Under which conditions each statement inside another one runs at least once."""
    found: dict[Stmt, Path | None] = {}

    def look(outer: Stmt, path: Path | None) -> None:
        for part, more in _parts(outer):
            here = None if path is None or more is None else (*path, *more)
            for inner in part:
                found[inner] = here
                look(inner, here)
                here = None if exits(inner) else here

    look(stmt, ())
    return found


def _parts(stmt: Stmt) -> Iterator[tuple[Body, Path | None]]:
    """The bodies in a statement, each with the conditions under which it runs."""
    match stmt:
        case If(cond, then, other):
            yield then, (cond,)
            yield other, (negation(cond),)
        case For((Declare(init=init),), Binary(), body=body) if isinstance(init, Expr):
            yield body, () if surely_runs(stmt) else (runs_once(stmt),)
        case DoWhile(body) | Block(body) if not any(map(exits, body)):
            yield body, ()
        case _:
            yield from ((part, None) for part in bodies(stmt))


# ---- arrays of known size ---------------------------------------------------------------


def _within(target: Place, count: int, around: Sequence[Stmt]) -> bool:
    """Whether an element, and the next ones up to a count, are within an array of known size."""
    primal = target.sym.of
    kind = target.sym.type if target.sym.storage == "shared" else None
    if kind is None and primal is not None and primal.storage in ("parameter", "global"):
        kind = _declared(primal)
    if isinstance(kind, Scalar):
        return count == 1
    if not isinstance(kind, Array) or kind.open or len(kind.extents) != len(target.index):
        return False
    if kind.single:
        return count == 1
    reach = [0] * (len(kind.extents) - 1) + [count - 1]
    ranges = (_range(e, around) for e in target.index)
    return all(
        ends is not None and ends[0] >= 0 and ends[1] + more < extent
        for ends, more, extent in zip(ranges, reach, kind.extents, strict=True)
    )


def _declared(sym: Sym) -> Type:
    """The type of a variable, or of a field of a struct that is passed by value."""
    kind = None if sym.within is None else sym.within.type
    if not isinstance(kind, Struct) or kind.extents:
        return sym.type
    for name in sym.path:
        field = next((f for f in kind.fields if f.name == name), None) if isinstance(kind, Struct) else None
        if field is None:
            return sym.type
        kind = field.type
    return kind


def _range(index: Expr, around: Sequence[Stmt]) -> tuple[int, int] | None:
    """The least and the greatest value of an index: a number, or the counter of a loop around."""
    value = literal(index)
    if value is not None:
        return value, value
    for loop in around:
        found = constant_range(loop) if isinstance(loop, For) else None
        if found is not None and index == Place(found[0].sym, (), found[0].sym.type):
            return found[1]
    return None
