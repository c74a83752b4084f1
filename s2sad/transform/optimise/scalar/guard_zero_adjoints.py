"""Move what only a zero adjoint is multiplied into under the condition on which it isn't zero.

    float adj_r = g;                                  if (z[i] != 0.0f) {
    if (z[i] == 0.0f)                                     float adj_r = g;
        adj_r = 0.0f;                 ->                  adj_x[i] += adj_r / z[i];
    adj_x[i] += adj_r / z[i];                         }

The primal discards a value there: it overwrites it under a condition, reads it under one, or takes the
other operand of a maximum. Nothing flows back through what was discarded, and it may not even be finite:
zero times infinity would be NaN. What is left out adds zero otherwise, so the gradient stays as it was.

Statements move up to the branch that sets the adjoint, if those that they pass neither set what they read
nor read what they set; sums into the same adjoint commute. No statement passes a barrier.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ....fixpoint import rounds
from ....ir import (
    BOOL,
    Accumulate,
    Assign,
    Banner,
    Binary,
    Block,
    Body,
    Clear,
    Comment,
    Declare,
    Expr,
    If,
    Place,
    Quote,
    Scalar,
    Stmt,
    Sym,
    rebuilt,
    statements,
)
from ...common.adjoint_names import total_of
from ...common.algebra import is_const, real
from ...common.jumps import exits, negation
from ...common.mod_ref import meets, sets, written
from ...common.symbol_uses import used
from ..contribution_audit import sum_of_sites
from .simplify import at_declaration, struct_of
from .zero_values import does, idle, may_be_infinite, vanishes, zero_after


def guard_zero_adjoints(body: Body) -> Body:
    """The body with each contribution of an adjoint that is zero otherwise under the adjoint's condition."""
    return _guarded(body, frozenset())


def _guarded(body: Body, zero: frozenset[Sym]) -> Body:
    """`zero`: the variables of enclosing bodies that are zero where this one begins."""
    out: list[Stmt] = []
    rest = list(body)
    values: dict[Sym, Expr] = {}
    while rest:
        stmt, *rest = rest
        if isinstance(stmt, If) and not _leaves(stmt):
            stmt, out, rest = _absorbing(stmt, out, rest, zero, values)
        if isinstance(stmt, Declare) and isinstance(stmt.init, Expr):
            values[stmt.sym] = stmt.init
        inside = zero - _declared(stmt) if isinstance(stmt, If | Block) else zero - sets(stmt)
        out.append(_without_empty_then(rebuilt(stmt, partial(_guarded, zero=inside))))
        zero = zero_after((stmt,), zero)
    return tuple(out)


def _declared(stmt: Stmt) -> frozenset[Sym]:
    return frozenset(s.sym for s in statements((stmt,)) if isinstance(s, Declare))


def _without_empty_then(stmt: Stmt) -> Stmt:
    match stmt:
        case If(cond, (), (If(inner, then, ()),)) if then:
            return If(Binary("&&", negation(cond), inner, BOOL), then, (), stmt.span)
        case If(cond, (), other):
            return If(negation(cond), other, (), stmt.span)
        case _:
            return stmt


def _leaves(stmt: Stmt) -> bool:
    return exits(stmt) or meets(stmt)


# ---- one branch ---------------------------------------------------------------


def _absorbing(
    stmt: If, out: list[Stmt], rest: list[Stmt], zero: frozenset[Sym], values: Mapping[Sym, Expr]
) -> tuple[If, list[Stmt], list[Stmt]]:
    """A branch with what of the statements after it only one of its alternatives needs.

    `out`: the statements before it, which declare variables with these `values`.
    """
    if any(map(_tests_value, _conditions(stmt))):
        return stmt, out, rest
    bodies = list(_alternatives(stmt))
    for k in range(len(bodies)):
        after = [zero_after(body, zero) for body in bodies]
        elsewhere = frozenset.intersection(*(after[:k] + after[k + 1 :]))
        sparse = elsewhere - after[k]
        if not sparse:
            continue
        end = _end(rest, sparse)
        split, whole = _moved(rest[:end], sparse, elsewhere & after[k], values, sets(stmt))
        if not whole:
            continue
        moved, left = split.quoted()
        local = whole & {s.sym for s in out if isinstance(s, Declare)}
        bodies[k] = (*bodies[k], *(moved if k else _under(stmt.cond, bodies[k], moved)))
        bodies = [b if j == k else _without_last_clears(b, local) for j, b in enumerate(bodies)]
        others = tuple(s for j, body in enumerate(bodies) if j != k for s in body)
        out, rest = [*out, *split.outside], [*left, *rest[end:]]
        for sym in sorted(local, key=lambda s: s.name):
            bodies[k] = _declared_inside(sym, bodies[k], others, out)
    return _with_alternatives(stmt, bodies), out, rest


def _under(cond: Expr, before: Body, moved: Sequence[Stmt]) -> Iterator[Stmt]:
    """Yield statements that move under a condition, without asking it again."""
    changed = frozenset[Sym]().union(*map(sets, (*before, *moved)))
    for stmt in moved:
        if isinstance(stmt, If) and stmt.cond == cond and changed.isdisjoint(cond.symbols):
            yield from stmt.then
        else:
            yield stmt


def _alternatives(stmt: If) -> Iterator[Body]:
    """Yield the bodies of a branch, of which `else if` has more than two; the last one may be empty."""
    yield stmt.then
    match stmt.other:
        case (If() as next_,):
            yield from _alternatives(next_)
        case other:
            yield other


def _with_alternatives(stmt: If, bodies: Sequence[Body]) -> If:
    then, *others = bodies
    match stmt.other:
        case (If() as next_,):
            return replace(stmt, then=then, other=(_with_alternatives(next_, others),))
        case _:
            return replace(stmt, then=then, other=others[0])


def _conditions(stmt: If) -> Iterator[Expr]:
    yield stmt.cond
    match stmt.other:
        case (If() as next_,):
            yield from _conditions(next_)
        case _:
            pass


def _tests_value(cond: Expr) -> bool:
    """Whether it asks if an adjoint is zero: a guard of one partial that is infinite."""
    match cond:
        case Binary("!=", Place(sym), zero):
            return sym.ours and is_const(zero, 0.0)
        case _:
            return False


def _without_last_clears(body: Body, dead: frozenset[Sym]) -> Body:
    """A branch without the clears at its end that nothing reads, and their quotes."""
    left = list(body)
    while left:
        last = left[-1]
        if isinstance(last, Quote | Comment) or (isinstance(last, Clear) and last.target.sym in dead):
            left.pop()
        else:
            break
    return tuple(left) if any(map(does, left)) else ()


def _declared_inside(sym: Sym, own: Body, opposite: Body, out: list[Stmt]) -> Body:
    """The branch `own` with the declaration of a variable that only it uses; removes that from `out`."""
    at = next((k for k, s in enumerate(out) if isinstance(s, Declare) and s.sym is sym), None)
    if at is None or any(sym in used(s) for s in (*opposite, *out[at + 1 :])):
        return own
    outside = out[at]
    assert isinstance(outside, Declare)
    if outside.init is not None and not (isinstance(outside.init, Expr) and is_const(outside.init, 0.0)):
        return own
    del out[at]
    assert isinstance(sym.type, Scalar)
    k = next((k for k, s in enumerate(own) if sym in used(s)), None)
    if k is None:
        return own
    first, before = own[k], [*own[:k], Declare(sym, real(0.0, sym.type))]
    match first:
        case Assign(Place(target, ()), value, None) if target is sym and sym not in value.symbols:
            assigned = Declare(sym, value, first.span, sites=first.sites, told=first.told)
            return (*own[:k], assigned, *own[k + 1 :])
        case Accumulate() if (set_ := at_declaration(before, first, copies=True)) is not None:
            return (*before, set_, *own[k + 1 :])
        case _:
            return (*before, *own[k:])


# ---- what can move -------------------------------------------------------------


@dataclass
class _Group:
    """Quotes or comments, and the statements under them that stay or move."""

    labels: list[Stmt] = field(default_factory=list)
    moved: list[Stmt] = field(default_factory=list)
    left: list[Stmt] = field(default_factory=list)


@dataclass
class _Split:
    """The statements after a branch, by what can move into it; `after` are those beyond its reach.

    `zero`: what is zero where the branch isn't taken; `vanishing`: variables that are declared with such a
    value; `outside`: those that statements of both kinds add to, declared as zero before the branch.
    """

    groups: list[_Group]
    after: Sequence[Stmt]
    zero: frozenset[Sym]
    vanishing: set[Sym] = field(default_factory=set)
    outside: list[Stmt] = field(default_factory=list)

    def moved(self) -> list[Stmt]:
        return [s for g in self.groups for s in g.moved]

    def left(self) -> list[Stmt]:
        return [*(s for g in self.groups for s in g.left), *self.after]

    def quoted(self) -> tuple[list[Stmt], list[Stmt]]:
        """Both kinds, each under their quotes."""
        moved: list[Stmt] = []
        left: list[Stmt] = []
        for g in self.groups:
            if g.moved:  # two statements mustn't be the same object
                moved += [replace(label) for label in g.labels] if g.left else g.labels
                moved += g.moved
            if g.left or not g.moved:
                left += [*g.labels, *g.left]
        return moved, [*left, *self.after]


def _end(rest: Sequence[Stmt], sparse: frozenset[Sym]) -> int:
    """Where nothing more uses these variables, or the tool's declared up to there: before the next quote."""
    end = 0
    for _ in rounds(len(rest), "how far what a branch takes is used"):
        uses = (k for k in range(len(rest) - 1, end - 1, -1) if not sparse.isdisjoint(used(rest[k])))
        last = next(uses, None)
        if last is None:
            break
        sparse |= {s.sym for s in rest[end : last + 1] if isinstance(s, Declare) and s.sym.ours}
        end = last + 1
    return next((k for k in range(end, len(rest)) if not does(rest[k])), len(rest))


class _Passed:
    """The statements that stay, which others would go before: what they read, set, and set but by adding."""

    def __init__(self) -> None:
        self.read: set[Sym] = set()
        self.set: set[Sym] = set()
        self.stored: set[Sym] = set()

    def add(self, stmt: Stmt) -> None:
        added = _only_added(stmt)
        self.set |= sets(stmt)
        self.stored |= sets(stmt) - added
        self.read |= used(stmt) - added

    def by(self, stmt: Stmt) -> bool:
        """Whether a statement can go before them: sums into the same adjoint commute."""
        changed, added = sets(stmt), _only_added(stmt)
        if changed & self.read or (used(stmt) - added) & self.set:
            return False
        return not changed & self.stored and not (changed - added) & self.set


def _moved(
    rest: Sequence[Stmt],
    sparse: frozenset[Sym],
    zero: frozenset[Sym],
    values: Mapping[Sym, Expr],
    set_: frozenset[Sym],
) -> tuple[_Split, frozenset[Sym]]:
    """The statements that do nothing where `sparse` is zero, and which of its variables only they use.

    Only variables of which every use can move count: a part of them would be under the condition to no end.
    `zero` are variables that are zero in any case. A sum of what moves and of what stays is declared outside;
    only a first value that may be infinite moves. A value for both, such as a reciprocal, goes before the
    branch, unless that, which sets the variables `set_`, or what moves changes what it is made of.
    """
    sparse = _with_all_fields(sparse, rest)
    zero &= frozenset[Sym]().union(*map(used, rest))
    end = next((k for k, stmt in enumerate(rest) if _leaves(stmt) or isinstance(stmt, Banner)), len(rest))
    named, after = _named_sums(rest[end:], sparse | zero, values)
    reach = [*rest[:end], *named]
    changed = frozenset[Sym]().union(*map(written, reach))
    kept = apart = frozenset[Sym]()
    for _ in rounds((len(reach) + 1) * (len(sparse) + 1), "which statements a branch takes"):
        if not sparse:
            break
        split = _sorted(reach, after, sparse | zero, kept, apart)
        needed = frozenset[Sym]().union(*map(used, split.moved()))
        read = frozenset[Sym]().union(*map(used, split.left()))
        declared = {
            s.sym: s.init for s in split.moved() if isinstance(s, Declare) and isinstance(s.init, Expr)
        }
        again = frozenset(declared) & read | frozenset(declared) - needed
        here = again & read & split.vanishing
        here = frozenset(sym for sym in here if may_be_infinite(declared[sym], {**values, **declared}))
        both = (again & read & needed) - split.vanishing - changed
        made = set_.union(*map(sets, split.moved()))
        here |= frozenset(sym for sym in both if made.isdisjoint(declared[sym].symbols))
        again -= here
        if here or again:
            apart |= here
            kept |= again
            continue
        whole = _with_all_fields((sparse & needed) - read, rest)
        if whole and whole == sparse & needed:
            return split, whole
        sparse, kept, apart = whole, frozenset(), frozenset()
    return _Split([], rest, frozenset()), frozenset()


def _named_sums(
    rest: Sequence[Stmt], zero: frozenset[Sym], values: Mapping[Sym, Expr]
) -> tuple[list[Stmt], list[Stmt]]:
    """What each thread owes to sums of the block, by a name: this can move, the sums can't."""
    named: list[Stmt] = []
    after: list[Stmt] = list(rest)
    for k, stmt in enumerate(rest):
        if not isinstance(stmt, Accumulate | Quote) or (does(stmt) and not meets(stmt)):
            break
        if not isinstance(stmt, Accumulate) or not vanishes(stmt.amount, zero):
            continue
        if not isinstance(stmt.amount, Place) and may_be_infinite(stmt.amount, values):
            owed = total_of(stmt.target)
            named.append(Declare(owed, stmt.amount, sites=stmt.sites, told=stmt.told))
            value, sites = Place(owed, (), owed.type), sum_of_sites(stmt.target)
            after[k] = replace(stmt, amount=value, sites=sites, told=())
    return named, after


def _with_all_fields(sparse: frozenset[Sym], rest: Sequence[Stmt]) -> frozenset[Sym]:
    """Those variables that aren't a part of a struct of which another part is used as well."""
    others = frozenset[Sym]().union(*map(used, rest)) - sparse
    split = {struct_of(sym) for sym in others} - {None}
    return frozenset(sym for sym in sparse if struct_of(sym) not in split)


def _sorted(
    reach: Sequence[Stmt],
    after: Sequence[Stmt],
    zero: frozenset[Sym],
    kept: frozenset[Sym],
    apart: frozenset[Sym],
) -> _Split:
    """The statements by what can move: no declaration of `kept`, and of `apart` only a vanishing value."""
    split = _Split([_Group()], after, zero)
    passed = _Passed()
    for stmt in reach:
        group = split.groups[-1]
        if not does(stmt):
            if group.moved or group.left:
                split.groups.append(group := _Group())
            group.labels.append(stmt)
            continue
        if group.labels and any(isinstance(s, Quote) for s in statements((stmt,))):
            split.groups.append(group := _Group())  # it has quotes of its own
        new = None if isinstance(stmt, Declare) and stmt.sym in kept else idle(stmt, split.zero)
        if new is None or not passed.by(stmt):
            group.left.append(stmt)
            passed.add(stmt)
            split.zero -= sets(stmt)
            continue
        if isinstance(stmt, Declare) and stmt.sym in new:
            split.vanishing.add(stmt.sym)
        split.zero = new
        if isinstance(stmt, Declare) and stmt.sym in apart and stmt.sym not in split.vanishing:
            split.outside.append(stmt)
            continue
        if isinstance(stmt, Declare) and stmt.sym in apart:
            assert isinstance(stmt.sym.type, Scalar)
            assert isinstance(stmt.init, Expr)
            place = Place(stmt.sym, (), stmt.sym.type)
            split.outside.append(Declare(stmt.sym, real(0.0, stmt.sym.type), stmt.span))
            if is_const(stmt.init, 0.0):
                continue
            stmt = Accumulate(place, stmt.init, "local", sites=stmt.sites, told=stmt.told)
        group.moved.append(stmt)
    return split


def _only_added(stmt: Stmt) -> frozenset[Sym]:
    match stmt:
        case Accumulate(target, amount):
            own = amount.symbols.union(*(e.symbols for e in target.index))
            return frozenset({target.sym}) - own
        case _:
            return frozenset()


__all__ = ["guard_zero_adjoints"]
