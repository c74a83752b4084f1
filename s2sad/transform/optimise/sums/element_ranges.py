"""Find the few consecutive elements that a statement adds to, whichever thread runs it.

    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
            atomicAdd(&adj_k[3 * dy + dx], g);     elements 0 to 8 of adj_k

The index is affine in the counters of loops with constant trip counts, with integer coefficients;
what is left of it, the base, is known before the statement. A thread can then keep its sums for
these elements in an array of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ....analysis.constants import has_name
from ....analysis.loops.counted_loops import Counter, Positive, constant, counter
from ....analysis.ssa import Loop
from ....analysis.symbolic.integers import polynomial
from ....analysis.symbolic.polynomials import Atom, Atoms, Poly, linear, number, variable
from ....ir import (
    INT,
    Accumulate,
    Array,
    Binary,
    Body,
    Const,
    Declare,
    Expr,
    For,
    Initialiser,
    Place,
    Pointer,
    Scalar,
    Stmt,
    Sym,
    Unary,
    bodies,
    is_integer,
    remembered,
    scalar_type,
    statements,
    walk,
)
from ....irtext import show
from ...common.algebra import converted, real, rewrite, shifted
from ...common.integer_expressions import difference, in_names, named_trips, plus, text_of
from ...common.integer_expressions import number as unnamed
from ...common.mod_ref import written
from ...common.thread_coordinates import both
from ..contribution_audit import sum_of_sites

LIMIT = 32  # elements of a local array
SCALARS = 4  # so many elements, each added to by name, have a variable each


@dataclass(frozen=True)
class Elements:
    """The elements `base + low` to `base + high` of an array, or of one row of it."""

    array: Sym
    base: Poly
    low: int
    high: int
    row: tuple[Expr, ...] = ()
    extent: Expr | None = field(default=None, compare=False)  # the count in the author's names

    @property
    def count(self) -> int:
        return self.high - self.low + 1


@dataclass(frozen=True)
class Site:
    """An addition in the statement at a position: its element, and the range that it belongs to, if known."""

    position: int
    add: Accumulate
    element: Place | None
    range: Elements | None


def grouped(sites: Iterable[Site]) -> Iterator[tuple[Site, Place | Elements]]:
    """Yield each addition with what its sum is of: one element, or a range that several additions fill."""
    whole: dict[tuple[Sym, Poly, tuple[Expr, ...]], list[Elements]] = {}
    known = list(sites)
    for site in known:
        if site.range is not None and site.range.count <= LIMIT:
            whole.setdefault(_of_row(site.range), []).append(site.range)
    unions: dict[Elements | None, tuple[Elements | None, bool]] = {
        part: (union_of(run), any(r.count > 1 for r in run))
        for group in whole.values()
        for run in _without_gaps(group)
        for part in run
    }
    for site in known:
        union, looped = unions.get(site.range, (None, False))
        for elements in (union, site.range):
            if elements is not None and (1 if looped else SCALARS) < elements.count <= LIMIT:
                yield site, elements
                break
        else:
            if site.element is not None:
                yield site, site.element


def _of_row(range: Elements) -> tuple[Sym, Poly, tuple[Expr, ...]]:
    return range.array, range.base, range.row


def _without_gaps(ranges: Sequence[Elements]) -> list[list[Elements]]:
    """The ranges of one array and base in runs, each of which leaves no element out."""
    runs: list[list[Elements]] = []
    end = 0
    for r in sorted(ranges, key=lambda r: r.low):
        if not runs or r.low > end + 1:
            runs.append([])
            end = r.high
        runs[-1].append(r)
        end = max(end, r.high)
    return runs


def union_of(ranges: Sequence[Elements]) -> Elements | None:
    """Return the range that ranges of one array and base make together; None if they leave gaps."""
    if not ranges:
        return None
    ordered = sorted(ranges, key=lambda r: r.low)
    low, high = ordered[0].low, ordered[0].high
    for r in ordered[1:]:
        if r.low > high + 1:
            return None
        high = max(high, r.high)
    extents = (r.extent for r in ordered if (r.low, r.high) == (low, high) and r.extent is not None)
    return replace(ordered[0], high=high, extent=next(extents, None))


class ElementRanges:
    """The elements that each addition of one kernel's body may reach."""

    def __init__(self) -> None:
        self._atoms = Atoms()
        self._syms: dict[Atom, Sym] = {}
        self._forms: dict[Accumulate, Poly] = {}
        self._low: dict[Accumulate, int] = {}
        self._lowest: dict[Accumulate, dict[Sym, Expr]] = {}  # the counters where the index is least

    def of(self, site: Accumulate, stmt: Stmt) -> Elements | None:
        """Return what an addition in a statement reaches, if that is a range known before the statement."""
        target = site.target
        if not (_plain(target) or _in_shared_row(target, stmt)):
            return None
        if any(sym is not None and sym.within is not None for sym in (target.sym, target.sym.of)):
            return None  # a field: the next element isn't the next number in memory
        loops = loops_around(stmt, site)
        if loops is None:
            return None
        counters: dict[Sym, tuple[int, int]] = {}
        counts: dict[Sym, Counter] = {}
        for loop in loops:
            if (found := constant_range(loop)) is not None:
                count, ends = found
                counters[count.sym], counts[count.sym] = ends, count
        form = self._form(target.index[-1], stmt, counters)
        split = None if form is None else linear(form, lambda a: self._syms.get(a) in counters)
        if form is None or split is None:
            return None
        factors, rest = split
        low = high = _number(rest)
        lowest: dict[Sym, Expr] = {}
        for atom, factor in factors.items():
            if factor.constant is None:
                return None
            sym, by = self._syms[atom], factor.constant
            values = {by * end: end for end in counters[sym]}
            low, high = low + min(values), high + max(values)
            lowest[sym] = _named_end(counts[sym], values[min(values)], by > 0)
        self._forms[site], self._low[site], self._lowest[site] = form, low, lowest
        extent: Expr | None = named_trips(counts[next(iter(lowest))]) if len(lowest) == 1 else None
        if extent is not None and constant(extent) != high - low + 1:
            extent = None  # not every element between the ends
        base = rest - number(_number(rest))
        return Elements(target.sym, base, low, high, target.index[:-1], extent)

    def offset(self, site: Accumulate, elements: Elements) -> Expr:
        """Return which of the elements an addition is made to, as an index that starts at zero."""
        form = self._forms[site]
        if elements.base == number(0) and elements.low == 0:
            return site.target.index[-1]
        rest = form - elements.base - number(elements.low)
        for sym, least in self._lowest[site].items():
            moved = variable(self._atom(sym)) - number(constant(least) or 0)
            if has_name(least) and rest == moved:
                return difference(Place(sym, (), sym.type), least)
            if has_name(least) and rest == -moved:
                return difference(least, Place(sym, (), sym.type))
        return self._expression(rest)

    def first(self, elements: Elements, sites: Iterable[Accumulate]) -> Expr:
        """Return the index of the first element: the author's index with its counters' values, if it can."""
        for site in sites:
            index, lowest = site.target.index[-1], self._lowest[site]
            known = self.symbols(elements) | lowest.keys()
            parts = [part for part in walk(index) if isinstance(part, Place)]
            if self._low[site] == elements.low and all(p.sym in known for p in parts):
                return rewrite(index, partial(_at, lowest))
        return self._expression(elements.base + number(elements.low))

    def symbols(self, elements: Elements) -> frozenset[Sym]:
        """Return the variables that the base and the row are made of."""
        of_row = frozenset(sym for e in elements.row for sym in e.symbols)
        return frozenset(self._syms[a] for a in elements.base.atoms) | of_row

    def privatised(
        self, elements: Elements, sites: Sequence[Accumulate], new: dict[Stmt, Body]
    ) -> tuple[list[Stmt], Accumulate]:
        """Replace a range of elements by a local array in `new`: return its declaration, and its addition."""
        first = sites[0]
        kind = first.target.type
        assert isinstance(kind, Scalar)
        offsets = {site: self.offset(site, elements) for site in sites}
        extent = elements.extent if self._follow(elements, offsets) else None
        spelled = () if extent is None else (text_of(extent),)
        shape = Array(kind, (elements.count,), spelled)
        total = Sym(f"{elements.array.plain}_sum", shape, of=elements.array.of)
        for site, offset in offsets.items():
            new[site] = (replace(site, target=Place(total, (offset,), kind), how="local", why=""),)
        target = Place(elements.array, (*elements.row, self.first(elements, sites)), kind)
        value = Place(total, (), total.type)
        added = Accumulate(target, value, "reduce", why=first.why, sites=sum_of_sites(first.target))
        return [Declare(total, Initialiser((real(0.0, kind),)))], added

    def _follow(self, elements: Elements, offsets: Mapping[Accumulate, Expr]) -> bool:
        """Whether the extent may have a name: no offset is a number where the first element has one."""
        return elements.extent is not None and all(
            offset is site.target.index[-1]
            or has_name(offset)
            or not any(map(has_name, self._lowest[site].values()))
            for site, offset in offsets.items()
        )

    def _form(self, index: Expr, stmt: Stmt, counters: Mapping[Sym, tuple[int, int]]) -> Poly | None:
        """An index as a polynomial of counters and of what is known before the statement."""
        declared = declarations(stmt)
        changed = written(stmt)

        def named(e: Expr) -> Poly | None:
            match e:
                case Place(sym, ()) if sym in counters:
                    return variable(self._atom(sym))
                case Place(sym, ()) if sym in changed or not is_integer(e):
                    return None
                case Place(sym, ()) if sym in declared:
                    init = declared[sym].init
                    return polynomial(init, named) if isinstance(init, Expr) else None
                case Place(sym, (), Scalar()):
                    return variable(self._atom(sym))
                case _:
                    value = constant(e) if is_integer(e) else None
                    return None if value is None else number(value)

        return polynomial(index, named)

    def _atom(self, sym: Sym) -> Atom:
        atom = self._atoms.named(sym, sym.name, "uniform")
        self._syms[atom] = sym
        return atom

    def _expression(self, p: Poly) -> Expr:
        found: Expr | None = None
        for monomial, factor in p.terms:
            if not monomial:
                continue
            part: Expr | None = None
            for atom in monomial:
                place = Place(self._syms[atom], (), self._syms[atom].type)
                part = place if part is None else both("*", part, place)
            assert part is not None
            if abs(factor) != 1:
                part = both("*", Const(abs(factor), INT), part)
            if found is None:
                found = part if factor > 0 else both("-", Const(0, INT), part)
            else:
                found = both("+" if factor > 0 else "-", found, part)
        rest = _number(p)
        return Const(rest, INT) if found is None else shifted(found, rest)


def _plain(target: Place) -> bool:
    """Whether a place is in memory that is indexed by one number."""
    return len(target.index) == 1 and isinstance(target.sym.type, Pointer)


def _in_shared_row(target: Place, stmt: Stmt) -> bool:
    """Whether a place is in a shared array, in a row that is known before the statement."""
    kind = target.sym.type
    if (
        not isinstance(kind, Array)
        or target.sym.storage != "shared"
        or len(target.index) != len(kind.extents)
    ):
        return False
    changed = written(stmt) | declarations(stmt).keys()
    return not any(e.symbols & changed for e in target.index[:-1])


def _named_end(count: Counter, value: int, least: bool) -> Expr:
    """The least or greatest value of a counter, in the author's names if it has any."""
    end = count.start
    if least is not count.ascending:
        strict = 0 if count.op in ("<=", ">=") else -1 if count.ascending else 1
        end = plus(count.bound, strict) if count.unit else Const(value, INT)
    assert isinstance(count.sym.type, Scalar)
    return converted(in_names(value, end), count.sym.type) if has_name(end) else Const(value, count.sym.type)


def _at(values: Mapping[Sym, Expr], expr: Expr) -> Expr | None:
    """A counter's value for the counter, in sums without the zeros that this makes."""
    match expr:
        case Place(sym, ()) if sym in values:
            return values[sym]
        case Binary("+" | "-" | "*" as op, left, right, Scalar() as kind):
            one, two = (rewrite(e, partial(_at, values)) for e in (left, right))
            if one is left and two is right:
                return None
            a, b = unnamed(one), unnamed(two)
            if a is not None and b is not None:
                return Const({"+": a + b, "-": a - b, "*": a * b}[op], kind)
            if op != "*" and b is not None and one.type == kind:
                return shifted(one, b if op == "+" else -b)
            if op == "*" and 0 in (a, b):
                return Const(0, kind)
            if a == (0 if op == "+" else 1) and op != "-" and two.type == kind:
                return two
            if op == "*" and b == 1 and one.type == kind:
                return one
            whole = replace(expr, left=one, right=two, spelling=None, macro=None)
            return whole if op == "*" else _cancelled(whole)
        case _:
            return None


def _cancelled(total: Binary) -> Expr:
    """A sum without a named constant that is added and taken away: `-R + R`, `row * W - R + R`."""
    op, one, two = total.op, total.left, total.right
    match two:
        case Unary("-", arg, Scalar(kind="signed")) if has_name(two) and two.macro is None:
            op, two = "-" if op == "+" else "+", arg
            total = replace(total, op=op, right=two)
        case _:
            pass
    if not has_name(two) or total.type != one.type:
        return total
    if op == "-" and show(one) == show(two):
        return Const(0, scalar_type(total))
    if one.macro is not None:
        return total
    match one:
        case Unary("-", arg) if op == "+" and show(arg) == show(two):
            return Const(0, scalar_type(total))
        case Binary("-" | "+" as way, rest, arg) if way != op and show(arg) == show(two):
            return rest if rest.type == total.type else total
        case _:
            return total


def _number(p: Poly) -> int:
    """The constant term of a polynomial."""
    return next((factor for monomial, factor in p.terms if not monomial), 0)


@remembered
def declarations(stmt: Stmt) -> Mapping[Sym, Declare]:
    """The declarations in a statement, itself included."""
    return {s.sym: s for s in statements((stmt,)) if isinstance(s, Declare)}


@remembered
def enclosing(stmt: Stmt) -> Mapping[Stmt, tuple[Body, int, tuple[Loop, ...]]]:
    """For each statement inside a statement: its body, its position in that, and the loops around it."""
    found: dict[Stmt, tuple[Body, int, tuple[Loop, ...]]] = {}

    def look(outer: Stmt, loops: tuple[Loop, ...]) -> None:
        within = (*loops, outer) if isinstance(outer, Loop) else loops
        for body in bodies(outer):
            for k, inner in enumerate(body):
                found[inner] = body, k, within
                look(inner, within)

    look(stmt, ())
    return found


def loops_around(stmt: Stmt, site: Accumulate) -> Sequence[Loop] | None:
    """The loops around a site in a statement, the statement itself included; None if it isn't there."""
    if stmt is site:
        return ()
    place = enclosing(stmt).get(site)
    return None if place is None else place[2]


def constant_range(loop: Loop) -> tuple[Counter, tuple[int, int]] | None:
    """The counter of a loop with a constant trip count, and its least and greatest value."""
    if not isinstance(loop, For):
        return None
    changed = {s for inner in (*loop.body, *loop.step) for s in written(inner)}
    found = counter(loop, changed, Positive())
    if found is None or not found.trips:
        return None
    start, step = constant(found.start), constant(found.step)
    if start is None or step is None:
        return None
    last = start + (step if found.ascending else -step) * (found.trips - 1)
    return found, (min(start, last), max(start, last))
