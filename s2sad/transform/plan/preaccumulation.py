"""Record partials instead of the values that they are computed from.

    s = s + w[k] * sinf(s);    ->    float ds_dw = sinf(s);
                                     float ds_ds = 1.0f + w[k] * cosf(s);
                                     s = s + w[k] * sinf(s);

The reverse sweep of a loop that carries a value needs that value in each iteration to
evaluate partials. Where a partial costs much more than a load (a sine reduces its
argument), the forward sweep, which evaluates the same sine, records the partial. If
nothing else needs the carried value, it is no longer recorded. The primal gets a
statement for each such partial, read by no other statement; its value is recorded like
one named by `--store`, and the pullback of the author's statement is the recorded
number times the adjoint.

Only where everything recorded of the loop fits into registers. `--store` and
`--recompute` of the carried variable disable it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import is_

from ...analysis.loops.counted_loops import constant
from ...analysis.ssa import Loop, Scope, Version, Versions, operands, scalars
from ...ir import (
    Assign,
    Body,
    Call,
    Declare,
    Expr,
    For,
    Function,
    Place,
    Scalar,
    Stmt,
    Sym,
    Unary,
    bodies,
    rebuilt,
    scalar_type,
    walk,
)
from ..common.algebra import Amount, add, converted, rewrite, subtract
from .facts import Amend, Facts
from .forward_accumulation import pay
from .local_jacobians import Carried, TapedPartial
from .partials import Add, Bind
from .pullbacks import Debts, Owed

IN_REGISTERS = 64
"""The limit in bytes for what a loop records over all iterations: beyond, registers run short."""

REDUCED = frozenset({"sin", "cos", "tan", "pow"})
ONE_BY_ONE = 4
"""Up to this many loops are tried one by one."""

LONG = REDUCED | {"erf", "erfc", "erfinv", "erfcinv", "erfcx", "tgamma", "lgamma", "normcdf", "normcdfinv"}
LONG_IN_DOUBLE = frozenset({"exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "cbrt"}) | {
    "tanh", "sinh", "cosh", "asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh"
}  # fmt: skip


def long_calls(value: Expr) -> list[Call]:
    """The calls of functions that cost many times as much as a load."""
    return [e for e in walk(value) if isinstance(e, Call) and _long(e)]


def _long(call: Call) -> bool:
    double = isinstance(call.type, Scalar) and call.type.size == 8
    return call.rule is not None and (call.rule in LONG or (double and call.rule in LONG_IN_DOUBLE))


def with_partials(
    facts: Facts, examine: Callable[[Function, Amend | None], Facts], asked: Container[str]
) -> Facts:
    """Examine a function, with partials recorded where that pays off.

    `asked`: variables for which the user has chosen storage.
    """
    carried = [c.loop for c in facts.carried]
    eligible: list[tuple[TapedPartial, ...]] = []
    for loop in facts.versions.order:
        if not isinstance(loop, For) or loop in carried:
            continue  # (a loop with tangents may still record; its statements have no complete pullbacks)
        if any(s.name in asked for s in facts.versions.heads[loop]):
            continue
        taken = _of_loop(facts, loop)
        if taken:
            eligible.append(taken)

    def tried(before: Facts, taken: tuple[TapedPartial, ...]) -> Facts:
        made = (*before.partials, *taken)
        again = examine(_inserted(before.function, taken), partial(_pay, made, before.carried))
        again.carried, again.partials = before.carried, made
        return again

    if len(eligible) > ONE_BY_ONE:
        # All at once, then all that fit: examining once per loop would take quadratic time.
        again = tried(facts, tuple(p for taken in eligible for p in taken))
        eligible = [taken for taken in eligible if _fits(again, taken)]
        everything = tuple(p for taken in eligible for p in taken)
        eligible = [everything] if everything else []
    for taken in eligible:
        again = tried(facts, taken)
        if all(_fits(again, (p,)) for p in taken) and saves(facts, again):
            facts = again
    return facts


def _pay(
    made: Sequence[TapedPartial], carried: Sequence[Carried], debts: Debts, versions: Versions
) -> Iterable[Version]:
    """Rewrite the pullbacks of statements in terms of the recorded partials."""
    pay(carried, debts, versions)
    values = {one.sym: one.made.init for one in made}

    def in_full(e: Expr) -> Expr | None:
        value = values.get(e.sym) if isinstance(e, Place) else None
        return value if isinstance(value, Expr) else None

    of: dict[Stmt, list[TapedPartial]] = {}
    for one in made:
        of.setdefault(one.stmt, []).append(one)
    for stmt, partials in of.items():
        (owed,) = debts.of[stmt]
        groups = _groups(owed)
        assert groups is not None
        kept: dict[bool, list[Add]] = {False: [], True: []}
        for group in groups:
            taped = next((p for p in partials if p.place == group.place and p.own == group.own), None)
            if taped is None:
                kept[group.own] += group.adds
                continue
            owed.afters[taped.sym] = versions.makes[taped.made][taped.sym]
            factor = Place(taped.sym, (), taped.sym.type)
            first = group.adds[0]
            amount = Amount(Place(owed.seed, (), owed.seed.type), first.amount.type, (factor,))
            rules = tuple(dict.fromkeys(rule for one in group.adds for rule in one.rules))
            partial = rewrite(_sum(owed, group.adds), in_full)
            kept[group.own].append(replace(first, amount=amount, rules=rules, partial=partial))
        names = [i for i in owed.items if isinstance(i, Bind)]
        owed.items = [*_asked_for(names, [*kept[False], *kept[True]]), *kept[False]]
        owed.own = kept[True]
    return [versions.makes[p.made][p.sym] for p in made]


def _fits(after: Facts, taken: Sequence[TapedPartial]) -> bool:
    """Whether everything recorded of the loop around these partials fits into registers."""
    loop = after.versions.scope_of[taken[0].stmt].owner
    assert isinstance(loop, For)
    trips = _trips(after, loop)
    return trips is not None and trips * recorded_bytes(after, loop) <= IN_REGISTERS


def recorded_bytes(facts: Facts, loop: Loop) -> int:
    """The size of what a loop records in an iteration."""
    recorded = [v.sym for v in facts.recorded.taped if v.stmt is loop]
    recorded += [p.sym for p in facts.partials if facts.versions.scope_of[p.stmt].owner is loop]
    return sum(map(_size, recorded))


def made_versions(facts: Facts, debts: Debts, versions: Versions) -> Iterable[Version]:
    """The versions that hold a function's recorded partials; the pullbacks are rewritten in terms of them."""
    return _pay(facts.partials, facts.carried, debts, versions)


def saves(before: Facts, after: Facts) -> bool:
    """Whether no more is recorded than before, but for values that were chosen."""
    return (
        len(after.recorded.taped) <= len(before.recorded.taped)
        and len(after.recorded.loads) <= len(before.recorded.loads)
        and len(after.recorded.trips) <= len(before.recorded.trips)
        and len(after.recorded.copies) <= len(before.recorded.copies)
    )


def _trips(facts: Facts, loop: For) -> int | None:
    count = facts.bounds.of(loop)
    return None if count is None else constant(count)


def _size(sym: Sym) -> int:
    return scalar_type(sym).size


def _of_loop(facts: Facts, loop: For) -> tuple[TapedPartial, ...]:
    recorded, versions = facts.recorded, facts.versions
    state = [v for v in recorded.taped if v.stmt is loop]
    if not state or _trips(facts, loop) is None or loop in recorded.trips or loop in recorded.advances:
        return ()
    body = versions.inside[loop][0]
    carried = _Carried(versions, body, state)
    return tuple(
        partial
        for stmt in body.stmts
        for partial in _of_statement(stmt, facts.debts.of.get(stmt, []), carried)
    )


def _of_statement(stmt: Stmt, debts: list[Owed], carried: _Carried) -> Iterator[TapedPartial]:
    if len(debts) != 1 or not isinstance(stmt, Assign | Declare):
        return
    (owed,) = debts
    stored = stmt.init if isinstance(stmt, Declare) else stmt.value
    groups = _groups(owed)
    if groups is None or not isinstance(stored, Expr):
        return
    for group in groups:
        value = _sum(owed, group.adds)
        if long_calls(value) and carried.reads(stmt, value, owed.afters):
            value = _before(value, owed, stored)
            name = f"d{owed.target.sym.plain}_d{group.place.sym.plain}"
            made = Declare(Sym(name, scalar_type(value)), value)
            yield TapedPartial(stmt, owed.target, group.place, group.own, made, carried.name)


@dataclass(frozen=True)
class _Group:
    """A statement's contributions to one place; `own`: to its target."""

    place: Place
    own: bool
    adds: list[Add]


def _groups(owed: Owed) -> list[_Group] | None:
    """The contributions, by place; None if one isn't a number times the adjoint."""
    groups: list[_Group] = []
    for own, items in ((False, owed.items), (True, owed.own)):
        for item in items:
            if isinstance(item, Bind) and not item.guards:
                continue
            if not isinstance(item, Add) or item.guards:
                return None
            for group in groups:
                if group.place == item.place and group.own == own:
                    group.adds.append(item)
                    break
            else:
                groups.append(_Group(item.place, own, [item]))
    return groups


def _sum(owed: Owed, adds: Sequence[Add]) -> Expr:
    """The partial: the sum of the amounts without their common seed."""
    named = {i.sym: i.amount for i in owed.items if isinstance(i, Bind)}

    def plain(e: Expr) -> Expr | None:
        if isinstance(e, Place) and e.sym in named:
            return rewrite(_coefficient(named[e.sym], named).expr(), plain)
        return None

    total: Expr | None = None
    for one in adds:
        amount = _coefficient(one.amount, named)
        term = rewrite(amount.magnitude(), plain)
        if total is None:
            total = Unary("-", term, term.type) if amount.negative else term
        else:
            total = subtract(total, term) if amount.negative else add(total, term)
    assert total is not None
    return total


def _coefficient(amount: Amount, named: Mapping[Sym, Amount]) -> Amount:
    """An amount without its seed, with names resolved."""
    while isinstance(amount.seed, Place) and amount.seed.sym in named:
        outer = named[amount.seed.sym]
        factors, divisors = (*outer.factors, *amount.factors), (*outer.divisors, *amount.divisors)
        amount = Amount(outer.seed, amount.type, factors, divisors, outer.negative != amount.negative)
    return replace(amount, seed=None)


def _before(value: Expr, owed: Owed, stored: Expr) -> Expr:
    """A partial that reads the statement's result, rewritten for evaluation before the statement."""

    def change(e: Expr) -> Expr | None:
        if isinstance(e, Place) and e.sym in owed.afters:
            return converted(stored, e.type)
        return None

    return rewrite(value, change)


class _Carried:
    """Which expressions of a loop's body depend on the state that its iterations change."""

    def __init__(self, versions: Versions, body: Scope, state: list[Version]) -> None:
        self.versions = versions
        self.body = body
        self.name = state[0].sym.name
        self.known: dict[Version, bool] = dict.fromkeys(state, True)

    def reads(self, stmt: Stmt, expr: Expr, afters: Mapping[Sym, Version]) -> bool:
        read = self.versions.reads.get(stmt, {})
        made = [afters.get(sym) or read.get(sym) for sym in scalars(expr)]
        return any(v is not None and self.depends(v) for v in made)

    def depends(self, version: Version) -> bool:
        if version not in self.known:
            self.known[version] = False  # in case a loop's own head leads back here
            self.known[version] = self._depends(version)
        return self.known[version]

    def _depends(self, version: Version) -> bool:
        if not version.scope.within(self.body) or version.kind in ("entry", "head"):
            return False
        if version.kind != "def":
            return True
        stmt = version.stmt
        assert stmt is not None
        return any(self.reads(stmt, e, {}) for e in operands(stmt))


# ---- insertion -------------------------------------------------------------------


def _inserted(function: Function, taken: Sequence[TapedPartial]) -> Function:
    """Insert a statement for each partial before the author's; unchanged statements keep their identity."""
    made: dict[Stmt, list[Declare]] = {}
    for one in taken:
        made.setdefault(one.stmt, []).append(one.made)

    def body(stmts: Body) -> Body:
        out: list[Stmt] = []
        for stmt in stmts:
            new = rebuilt(stmt, body)
            same = all(a is b for a, b in zip(bodies(stmt), bodies(new), strict=True))
            out += [*made.get(stmt, []), stmt if same else new]
        return stmts if len(out) == len(stmts) and all(map(is_, out, stmts)) else tuple(out)

    return replace(function, body=body(function.body))


def _asked_for(names: list[Bind], adds: list[Add]) -> list[Bind]:
    """The names that amounts still refer to."""
    out: list[Bind] = []
    asked = {e.sym for a in adds for e in _places(a.amount)}
    for name in reversed(names):
        if name.sym in asked:
            out.insert(0, name)
            asked |= {e.sym for e in _places(name.amount)}
    return out


def _places(amount: Amount) -> Iterator[Place]:
    for part in (*([amount.seed] if amount.seed is not None else []), *amount.factors, *amount.divisors):
        yield from (e for e in walk(part) if isinstance(e, Place))
