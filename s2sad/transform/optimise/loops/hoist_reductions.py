"""Compute a loop's sums in an earlier loop over the same iterations; what is constant scales them after it.

    for (int c = 0; c < C; ++c)                  float adj_m_sum = 0.0f;
        var += (x[c] - m) * (x[c] - m);          for (int c = 0; c < C; ++c) {
    float s = rsqrtf(var / C + eps);                 var += (x[c] - m) * (x[c] - m);
    …                                                adj_m_sum += w[c] * adj_y[c];
    for (int c = 0; c < C; ++c)            ->    }
        adj_m -= s * w[c] * adj_y[c];            float s = rsqrtf(var / C + eps);
                                                 …
                                                 adj_m -= s * adj_m_sum;

The factors that change from one iteration to the next must have the same values in the earlier loop:
no statement from it to the end of the later loop changes what they read.

If the loop runs no iteration, the scale is evaluated all the same, and `0 * (1 / 0)` is NaN. Unless
the loop runs, or what the sum reaches is only read in loops that don't run either, the addition is
guarded by the loop's own condition: `if (0 < C) adj_m -= …`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ....analysis.constants import literal
from ....ir import (
    COLLECTIVE,
    Accumulate,
    Assign,
    Binary,
    Call,
    Comment,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Quote,
    Scalar,
    Site,
    Stmt,
    Sym,
    Unary,
    all_parts,
    is_floating,
    scalar_type,
    statements,
)
from ...common.adjoint_names import adjoint_name
from ...common.algebra import divide, multiply, real, rewrite
from ...common.jumps import exits
from ...common.loop_entry import runs_once, surely_runs
from ...common.mod_ref import written
from ...common.symbol_uses import renaming, used
from ..contribution_audit import sum_of_sites
from ..uniformity import Alike, uniform_after
from .iteration_spaces import (
    changed,
    computed,
    counter,
    iterations,
    private,
    read,
)
from .known_values import with_known_values


@dataclass(frozen=True)
class Kernel:
    """What is asked of the whole kernel: the arrays that it stores to, and its uniform values."""

    stored: frozenset[Sym]
    alike: Alike


@dataclass(frozen=True)
class Hoisted:
    """The statements with a loop's sums computed earlier, and the loop's new position; None if it is gone."""

    body: list[Stmt]
    position: int | None


def hoisted(body: Sequence[Stmt], position: int, kernel: Kernel) -> Hoisted | None:
    """Compute all sums of the loop at a position in earlier loops; None if one of them can't be."""
    loop = body[position]
    assert isinstance(loop, For)
    inside = frozenset(s.sym for s in statements(loop.body) if isinstance(s, Declare))
    homes: dict[Accumulate, _Home] = {}
    for stmt in statements(loop.body):
        if isinstance(stmt, Accumulate) and not stmt.target.index and stmt.target.sym not in inside:
            made = _Sum.of(stmt, loop)
            home = None if made is None else _home(body, position, made, kernel.stored)
            if made is None or home is None:
                return None
            guard = None if _right_if_empty(body, position, made, kernel.alike) else runs_once(loop)
            homes[stmt] = _Home(home, made, guard)
    return _built(body, position, homes) if homes else None


@dataclass(frozen=True)
class _Sum:
    """A sum over a loop's iterations: ±factors · Σ term / divisors, with the loop's counter in `term`."""

    target: Place
    term: Expr
    factors: tuple[Expr, ...]
    divisors: tuple[Expr, ...]
    negative: bool
    counter: Sym

    @property
    def scale(self) -> tuple[Expr, ...]:
        return *self.factors, *self.divisors

    def scaled(self, total: Place) -> Expr:
        """The amount to add, with Σ term in a variable; without the sign."""
        return quotient((*self.factors, total), self.divisors)

    @classmethod
    def of(cls, add: Accumulate, loop: For) -> _Sum | None:
        """The sum that an addition makes; None if it isn't made once in each iteration."""
        kind, sym = add.target.type, add.target.sym
        touching = [s for s in statements(loop.body) if sym in {*read(s), *written(s)}]
        if add not in loop.body or touching != [add] or not isinstance(kind, Scalar):
            return None
        varying = changed(loop)
        set_again = frozenset[Sym]().union(*map(written, loop.body))
        values = {
            s.sym: s.init
            for s in loop.body
            if isinstance(s, Declare) and isinstance(s.init, Expr) and s.init.type == s.sym.type
        }
        known = {sym: value for sym, value in values.items() if sym not in set_again}
        negative, factors, divisors = _product(_replayed(add.amount, known))
        if any(part.type != kind for part in (*factors, *divisors)):
            return None
        term = [[e for e in some if e.symbols & varying] for some in (factors, divisors)]
        scale = [[e for e in some if not e.symbols & varying] for some in (factors, divisors)]
        if not any(term):
            return None
        return cls(
            add.target,
            quotient(term[0] or [real(1.0, kind)], term[1]),
            tuple(scale[0]),
            tuple(scale[1]),
            negative != add.negative,
            counter(loop),
        )


@dataclass(frozen=True)
class _Home:
    """The position of the loop in which a sum is made, and what its addition afterwards needs."""

    position: int
    sum: _Sum
    guard: Expr | None


def _replayed(expr: Expr, values: Mapping[Sym, Expr]) -> Expr:
    """An expression with the names of a loop's body replaced by their values."""

    def change(e: Expr) -> Expr | None:
        match e:
            case Place(sym, ()) if sym in values:
                return _replayed(values[sym], values)
            case _:
                return None

    return rewrite(expr, change)


def _product(expr: Expr) -> tuple[bool, list[Expr], list[Expr]]:
    """An expression as ±factors / divisors."""
    match expr:
        case Unary("-", arg) if is_floating(expr):
            negative, factors, divisors = _product(arg)
            return not negative, factors, divisors
        case Binary("*" | "/" as op, left, right) if is_floating(expr):
            negative, factors, divisors = _product(left)
            other, more, below = _product(right)
            if op == "/":
                more, below = below, more
            return negative != other, factors + more, divisors + below
        case _:
            return False, [expr], []


def quotient(factors: Sequence[Expr], divisors: Sequence[Expr]) -> Expr:
    """A product, with literals first, as a person writes it, divided by each divisor."""
    value, *others = sorted(factors, key=lambda e: not isinstance(e, Const))
    for factor in others:
        value = multiply(value, factor)
    for divisor in divisors:
        value = divide(value, divisor)
    return value


def _home(body: Sequence[Stmt], position: int, made: _Sum, stored: Collection[Sym]) -> int | None:
    """The position of the last earlier loop in which the sum can be made."""
    loop = body[position]
    assert isinstance(loop, For)
    wanted = iterations(loop)
    assert wanted is not None
    needed = (made.term.symbols | wanted.symbols) - {made.counter}
    if any(sym in stored and not private(sym) for sym in needed):
        return None  # another thread may store to it in between
    later = changed(loop)
    for k in range(position - 1, -1, -1):
        stmt = body[k]
        later |= changed(stmt)
        if later & needed or exits(stmt):
            return None
        if isinstance(stmt, For) and iterations(stmt) == wanted:
            return k
    return None


# ---- loops without an iteration ---------------------------------------------------------


def _right_if_empty(body: Sequence[Stmt], position: int, made: _Sum, alike: Alike) -> bool:
    """Whether the sum's scale does no harm if the loop runs no iteration."""
    loop = body[position]
    assert isinstance(loop, For)
    if all(literal(e) is not None for e in made.scale) or surely_runs(loop):
        return True
    uniform = all(uniform_after(body[:position], e, alike) for e in made.scale)
    return _read_in_loops(body, position, made.target.sym, uniform)


def _read_in_loops(body: Sequence[Stmt], position: int, sum_: Sym, uniform: bool) -> bool:
    """Whether what a sum reaches is only read in loops with the iterations of the loop at a position.

    A sum over the block counts as the thread's own if its threads have the scale in common: if it isn't
    finite, it does no more harm in the threads that run no iteration than in the others.
    """
    loop = body[position]
    assert isinstance(loop, For)
    if not any(isinstance(s, Declare) and s.sym is sum_ for s in body):
        return False
    reached = {sum_}
    for stmt in body[position + 1 :]:
        if not reached & used(stmt):
            continue
        match stmt:
            case For() if iterations(stmt) == iterations(loop):
                continue
            case _ if any(rule != "sum" or not uniform for rule in _collectives(stmt)):
                return False
            case _:
                pass
        match stmt:
            case Declare(sym) if sym.storage == "local" and isinstance(sym.type, Scalar):
                reached.add(sym)
            case Assign(Place(sym, ())) | Accumulate(Place(sym, ()), how="local") if sym.storage == "local":
                if not any(isinstance(s, Declare) and s.sym is sym for s in body):
                    return False
                reached.add(sym)
            case _:
                return False
    return True


def _collectives(stmt: Stmt) -> Iterator[str | None]:
    """The rules of the calls in a statement that threads make together."""
    for part in all_parts(stmt):
        if isinstance(part, Call) and part.rule in COLLECTIVE:
            yield part.rule


# ---- construction -----------------------------------------------------------------------


@dataclass
class _Total:
    """A sum that is made in an earlier loop; several may use it."""

    sym: Sym
    term: Expr
    sites: tuple[Site, ...]


def _built(body: Sequence[Stmt], position: int, homes: Mapping[Accumulate, _Home]) -> Hoisted:
    loop = body[position]
    assert isinstance(loop, For)
    totals: dict[int, dict[Expr, _Total]] = {}
    scaled: list[Stmt] = []
    for add, found in homes.items():
        home, made = found.position, found.sum
        first, kind = body[home], scalar_type(made.target)
        assert isinstance(first, For)
        term = rewrite(made.term, renaming({made.counter: counter(first)}))
        name = Sym(adjoint_name(made.term, "sum"), kind)
        total = totals.setdefault(home, {}).setdefault(term, _Total(name, term, ()))
        total.sites += add.sites
        place = Place(total.sym, (), kind)
        sites = sum_of_sites(made.target)
        quote = _quote(loop, add)
        scaled += [] if quote is None else [replace(quote)]
        once = replace(add, amount=made.scaled(place), negative=made.negative, sites=sites)
        scaled.append(once if found.guard is None else If(found.guard, (once,)))
    rest = replace(loop, body=tuple(s for s in loop.body if s not in homes))
    left = scaled if all(isinstance(s, Declare) for s in computed(rest.body)) else [*scaled, rest]
    out: list[Stmt] = []
    at = None
    for k, stmt in enumerate(body):
        if k == position:
            out += left
            at = None if rest not in left else len(out) - 1
        elif k in totals:
            assert isinstance(stmt, For)
            more: list[Stmt] = []
            for total in totals[k].values():
                place = Place(total.sym, (), total.sym.type)
                out.append(Declare(total.sym, real(0.0, total.sym.type)))
                more.append(Accumulate(place, total.term, "local", sites=total.sites))
            said = [] if any(map(_says, stmt.body)) else [Comment(EARLY)]
            out.append(replace(stmt, body=with_known_values((*stmt.body, *said, *more))))
        else:
            out.append(stmt)
    return Hoisted(out, at)


EARLY = "summed here for the reverse sweep"


def _says(stmt: Stmt) -> bool:
    return isinstance(stmt, Comment) and stmt.text == EARLY


def _quote(loop: For, add: Accumulate) -> Quote | None:
    """The primal line that an addition belongs to."""
    said: Quote | None = None
    for stmt in loop.body:
        if isinstance(stmt, Quote):
            said = stmt
        if stmt is add:
            break
    return said
