"""Drop sums of the deviations from a mean: they are zero.

    float m = 0.0f;                                      float m = 0.0f;
    for (int c = 0; c < C; ++c)                          for (int c = 0; c < C; ++c)
        m += x[c];                                           m += x[c];
    m /= C;                                              m /= C;
    for (int c = 0; c < C; ++c) {                  ->    for (int c = 0; c < C; ++c)
        var += (x[c] - m) * (x[c] - m);                      var += (x[c] - m) * (x[c] - m);
        sum_x_m += x[c] - m;
    }
    …                                                    …
    adj_m -= 2.0f * adj_var * sum_x_m;                   // the deviations from m sum to zero: …

The sum of x[c] - m is the sum of x[c] less C m, and m is that sum divided by C. So both loops have the
same C iterations, which read the same elements; nothing changes these, or m, from the one to the other.
If the iterations are dealt out to a block's threads, the block's sum is zero, not each thread's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ....analysis.constants import literal
from ....ir import (
    Accumulate,
    Assign,
    Binary,
    Body,
    Call,
    Declare,
    Expr,
    For,
    Place,
    Quote,
    Site,
    Special,
    Stmt,
    Sym,
    bodies,
    rebuilt,
    statements,
    unconverted,
)
from ...common.algebra import factors_of, is_const, rewrite
from ...common.mod_ref import removable, written
from ...common.symbol_uses import begun, own_uses, used
from ...common.thread_ownership import Own
from ...common.thread_rows import counted_range
from ...normalise.tree_sums import SUM
from ..contribution_audit import accounted
from .iteration_spaces import counter, in_common, iterations, only_computes, private


def drop_zero_sums(body: Body, threads: int, dimensions: int) -> Body:
    """The body without such sums, and without what they scale; of blocks of `threads`, if known."""
    finder = Finder(body, threads, dimensions)
    means = {total: mean for total, mean in finder.zero_sums(body) if _only_scales(body, total)}
    if not means:
        return body
    gone: list[Site] = []
    new = _without(body, means, gone)
    return accounted("drop_zero_sums", body, new, gone)


@dataclass(frozen=True)
class _Sum:
    """The last sum of a variable that a loop makes before a statement: its position, and what it adds."""

    position: int
    term: Expr
    of_block: bool


class Finder:
    """Find the sums of deviations in a kernel with blocks of this number of threads and dimensions."""

    def __init__(self, whole: Body, threads: int, dimensions: int) -> None:
        self.own = Own(whole, 1)
        self.threads = threads
        self.dimensions = dimensions
        self.stored = frozenset[Sym]().union(*map(written, whole))
        declared = (s for s in statements(whole) if isinstance(s, Declare) and s.sym not in self.stored)
        self.constants = {s.sym: s.init for s in declared}

    def zero_sums(self, body: Body) -> Iterator[tuple[Sym, Sym]]:
        """Yield the tool's sums that are zero, each with the mean from which it sums the deviations."""
        for position, stmt in enumerate(body):
            if isinstance(stmt, For):
                for add in stmt.body:
                    if not isinstance(add, Accumulate):
                        continue
                    if (mean := self.deviates(body, position, add)) is not None:
                        yield add.target.sym, mean
            for inner in bodies(stmt):
                yield from self.zero_sums(inner)

    def deviates(self, body: Body, position: int, add: Accumulate) -> Sym | None:
        """Return the mean from which a loop's addition sums the deviations, if there is one."""
        loop = body[position]
        head = iterations(loop) if isinstance(loop, For) else None
        if not isinstance(loop, For) or head is None or add.target.index or add.how != "local":
            return None
        parts = _difference(_expanded(add.amount, loop.body))
        if parts is None or not removable(add.target.sym):
            return None
        term, mean = parts
        found = self.mean(body[:position], mean)
        if found is None:
            return None
        made, count = found
        first = body[made.position]
        if not isinstance(first, For) or iterations(first) != head or in_common(loop, term) != made.term:
            return None
        if not self.covers(loop, count, of_block=made.of_block) or mean in written(loop) or not private(mean):
            return None
        reads = term.symbols | head.symbols
        between = frozenset[Sym]().union(*map(written, body[made.position : position + 1]))
        if reads & (between - {counter(loop)}) or any(s in self.stored and not private(s) for s in reads):
            return None
        return mean if _is_whole(body, position, add, made.of_block) else None

    def covers(self, loop: For, count: Expr, *, of_block: bool) -> bool:
        """Whether a loop has `count` iterations; those of all threads together if the block shares them."""
        if not of_block:
            found = counted_range(loop)
            return found is not None and unconverted(found[1]) == count
        match loop.init, loop.cond, loop.step:
            case (
                (Declare(sym, start),),
                Binary("<", Place(tested, ()), end),
                (Assign(Place(moved, ()), by, "+="),),
            ) if tested is sym and moved is sym and isinstance(start, Expr):
                first = self.dimensions == 1 and self.own.named(unconverted(start)) == "x"
                return first and self.is_width(by) and unconverted(end) == count
            case _:
                return False

    def is_width(self, value: Expr) -> bool:
        """Whether a value is the number of threads of a block of one dimension."""
        if self.own.resolved(unconverted(value)) == Special("blockDim", "x"):
            return True
        return self.threads > 0 and literal(value) == self.threads

    def mean(self, before: Sequence[Stmt], mean: Sym) -> tuple[_Sum, Expr] | None:
        """Return the sum and the number that it is divided by in the last value of a variable."""
        position = _last_writer(before, mean)
        quotient = _quotient(before[position]) if position is not None else None
        match quotient:
            case Binary("/", total, count):
                pass
            case Binary("*", total, Place(sym, ())):
                reciprocal = self.constants.get(sym)
                if not isinstance(reciprocal, Binary) or reciprocal.op != "/":
                    return None
                count = reciprocal.right
                if not is_const(unconverted(reciprocal.left), 1.0) or count.symbols & self.stored:
                    return None
            case Place(sym, ()):
                return self.mean(before[:position], sym)
            case _:
                return None
        made = self.sum(before[:position], total)
        return None if made is None else (made, unconverted(count))

    def sum(self, before: Sequence[Stmt], value: Expr) -> _Sum | None:
        """Return the sum that a value is."""
        match value:
            case Call(name, (Place(sym, ()),)) if name == SUM:
                return self.sum_of_loop(before, sym, of_block=True)
            case Place(sym, ()):
                position = _last_writer(before, sym)
                set_to = _set_to(before[position]) if position is not None else None
                if isinstance(set_to, Call | Place):
                    return self.sum(before[:position], set_to)
                return self.sum_of_loop(before, sym, of_block=False)
            case _:
                return None

    def sum_of_loop(self, before: Sequence[Stmt], sym: Sym, *, of_block: bool) -> _Sum | None:
        """Return what the loop adds in which a variable that was zero is last changed."""
        position = _last_writer(before, sym)
        if position is None:
            return None
        loop, start = before[position], _last_writer(before[:position], sym)
        if not isinstance(loop, For) or iterations(loop) is None or not only_computes(loop) or start is None:
            return None
        first = _set_to(before[start])
        match [s for s in loop.body if sym in used(s) | written(s)]:
            case [Assign(Place(_, ()), term, "+=")] if first is not None and is_const(first, 0.0):
                return _Sum(position, in_common(loop, _expanded(term, loop.body)), of_block)
            case _:
                return None


def _difference(value: Expr) -> tuple[Expr, Sym] | None:
    """Return the term and the mean of a deviation, in either direction."""
    match value:
        case Binary("-", term, Place(mean, ())) if mean not in term.symbols:
            return term, mean
        case Binary("-", Place(mean, ()), term) if mean not in term.symbols:
            return term, mean
        case _:
            return None


def _set_to(stmt: Stmt) -> Expr | None:
    """Return what a statement sets a variable to."""
    match stmt:
        case Declare(_, value) | Assign(Place(_, ()), value, None) if isinstance(value, Expr):
            return value
        case _:
            return None


def _quotient(stmt: Stmt) -> Expr | None:
    """Return what a statement sets a variable to, that it divides or multiplies it included."""
    match stmt:
        case Assign(Place(_, ()) as place, value, "/=" | "*=" as op):
            return Binary(op[0], place, value, place.type)
        case _:
            return _set_to(stmt)


def _is_whole(body: Body, position: int, add: Accumulate, of_block: bool) -> bool:
    """Whether a sum consists of what a loop adds, and the same of all other threads of the block."""
    total, loop = add.target.sym, body[position]
    touching = [s for s in body if begun(s) is total or total in used(s) | written(s)]
    inside = [s for s in bodies(loop)[-1] if total in used(s) | written(s)]
    if len(touching) < 2 or touching[1] is not loop or inside != [add]:
        return False
    first = _set_to(touching[0])
    if not isinstance(touching[0], Declare) or first is None or not is_const(first, 0.0):
        return False
    rest = touching[2:]
    if of_block:
        if not rest or not _is_block_sum(rest[0], total):
            return False
        rest = rest[1:]
    return not any(total in written(s) for s in rest)


def _last_writer(before: Sequence[Stmt], sym: Sym) -> int | None:
    """Return the position of the last statement that declares a variable, or may change it."""
    places = (k for k in reversed(range(len(before))) if sym in written(before[k]) or begun(before[k]) is sym)
    return next(places, None)


def _is_block_sum(stmt: Stmt, total: Sym) -> bool:
    """Whether a statement replaces a sum by that over the block."""
    match stmt:
        case Assign(Place(sym, ()), Call(name, (Place(of, ()),)), None):
            return name == SUM and sym is of is total
        case _:
            return False


def _expanded(value: Expr, body: Body) -> Expr:
    """Return an expression with the variables that a loop's body declares replaced by their values."""
    values = {s.sym: s.init for s in body if isinstance(s, Declare) and isinstance(s.init, Expr)}
    set_again = frozenset[Sym]().union(*map(written, (s for s in body if not isinstance(s, Declare))))

    def change(e: Expr) -> Expr | None:
        match e:
            case Place(sym, ()) if sym in values and sym not in set_again and e.type == values[sym].type:
                return rewrite(values[sym], change)
            case _:
                return None

    return rewrite(value, change)


def _only_scales(body: Body, total: Sym) -> bool:
    """Whether a sum is used only as a factor of what is added to something else."""
    for stmt in statements(body):
        match stmt:
            case Accumulate(target, amount) if target.sym is not total:
                if total in amount.symbols and Place(total, (), total.type) not in _numerator(amount):
                    return False
            case Declare(sym) | Assign(Place(sym, ())) | Accumulate(Place(sym, ())) if sym is total:
                pass
            case _:
                if total in own_uses(stmt):
                    return False
    return True


def _numerator(amount: Expr) -> list[Expr]:
    """Return the factors above the line of a product or quotient."""
    while isinstance(amount, Binary) and amount.op == "/":
        amount = amount.left
    return factors_of(amount)


def _without(body: Body, means: Mapping[Sym, Sym], gone: list[Site]) -> Body:
    """Return the body without the sums, and without what is scaled by them; the next quote says why."""
    out: list[Stmt] = []
    why = ""
    for stmt in body:
        match stmt:
            case Declare(sym) | Assign(Place(sym, ())) | Accumulate(Place(sym, ())) if sym in means:
                gone += stmt.sites
            case Accumulate(_, amount) if found := amount.symbols & means.keys():
                gone += stmt.sites
                mean = means[next(iter(found))]
                why = f"the deviations from {mean.name} sum to zero, and add nothing"
                if out and isinstance(out[-1], Quote):
                    del out[-1]
            case Quote(note="") if why:
                out.append(replace(stmt, note=why))
                why = ""
            case _:
                out.append(rebuilt(stmt, partial(_without, means=means, gone=gone)))
    return tuple(out)
