"""Tangents carried forward: a loop with one state and few inputs needs no tape.

    float dx_dv = 1.0f;
    while (…) {
        dx_dv += …;                  the tangent of the next line
        x = x - f(x, v) / g(x);      one state, one input
    }
    …
    adj_x *= dx_dv;                  the pullback of the whole loop

Reverse mode records the state of every iteration to multiply partials from last to
first. The product is the same from first to last, and then nothing is recorded: the
derivative of the state by each input is propagated with it, a few operations per
iteration. It pays off for few inputs (Griewank and Walther, Evaluating Derivatives,
section 3.2: a tangent costs a small multiple of the function, whatever its length).

The tangents are statements of the primal that is then analysed, and passive in all
later analyses: where they are stored, and whether K_fwd passes them to K_adj, is
decided as for any other value.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby

from ...analysis.activity import is_real
from ...analysis.ssa import Loop, Version, Versions, targets
from ...fixpoint import rounds
from ...ir import (
    Assign,
    Binary,
    Body,
    Break,
    Declare,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    LoopId,
    Place,
    Pointer,
    Scalar,
    Stmt,
    Switch,
    Sym,
    Unary,
    rebuilt,
    statements,
    walk,
)
from ...source import Span
from ..common.algebra import Amount, add, converted, divide, multiply, real, signed_sum, subtract
from ..common.symbol_uses import symbols
from .facts import Amend, Facts
from .local_jacobians import Carried, Direction
from .partials import Add, Bind, Item, contributions
from .pullbacks import Debts, Known, Owed, assigned
from .scalar_promotion import promoted

DIRECTIONS = 2
"""More tangents than this cost more than a tape."""


def with_tangents(
    function: Function,
    examine: Callable[[Function, Amend | None], Facts],
    kept: Container[str],
    forward: Container[LoopId] = (),
    reverse: Container[LoopId] = (),
) -> Facts:
    """Examine a function, with tangents carried through the loops where that saves a tape.

    The user has chosen storage for the values `kept`, and the way for the loops `forward` and `reverse`.
    """
    facts = examine(function, None)
    body = promoted(facts)
    if body is not None:
        function = replace(function, body=body)
        facts = examine(function, None)
    able = choose(facts, kept, reverse)
    chosen = [c for c in able if c.loop.id in forward or len(c.directions) <= DIRECTIONS]
    facts.offers = {c.loop.id: len(c.directions) for c in able if c not in chosen}
    for _ in rounds(len(chosen), "which loops carry tangents", function.span):  # each round drops some
        if not chosen:
            break
        body, moved = _inserted(function.body, chosen, facts.known)
        idle = [c.loop for c in chosen if not _moves(moved[c.loop])]
        if idle:  # no iteration changes a tangent
            chosen = [c for c in chosen if c.loop not in idle]
            continue
        carried: dict[Stmt, Carried] = {c.loop: c for c in moved.values()}
        again = examine(replace(function, body=body), partial(pay, carried.values()))
        again.carried, again.offers = tuple(carried.values()), facts.offers
        failed = {h.stmt for h in again.recorded.taped if h.stmt in carried and is_real(h.sym.type)}
        if not failed:
            return again
        chosen = [c for c in chosen if moved[c.loop].loop not in failed]
    return facts


def _moves(carried: Carried) -> bool:
    """Whether the loop changes each of the tangents."""
    changed = {t.sym for stmt in statements((carried.loop,)) for t in targets(stmt)}
    return all(d.tangent in changed for d in carried.directions)


# ---- which loops ---------------------------------------------------------------


def choose(facts: Facts, kept: Container[str], reverse: Container[LoopId] = ()) -> list[Carried]:
    """The loops that can carry tangents, whatever it costs."""
    found: dict[Stmt, Carried] = {}
    for version in facts.recorded.taped:
        loop = version.stmt
        assert isinstance(loop, Loop)
        if loop in found or not is_real(version.sym.type) or version.sym.name in kept:
            continue
        if loop.id in reverse:
            continue
        carried = _carried(facts, loop, version)
        if carried is not None:
            found[loop] = carried
    return list(found.values())


def _carried(facts: Facts, loop: Loop, head: Version) -> Carried | None:
    v, debts, state = facts.versions, facts.debts.of, head.sym
    inside = list(v.body_of(loop))
    step = loop.step if isinstance(loop, For) else ()
    active: list[Declare | Assign] = []
    for stmt in inside:
        if not isinstance(stmt, Declare | Assign | Evaluate | If | Switch | Break):
            return None
        if stmt not in debts:
            if any(t.sym is state for t in targets(stmt)):
                return None
            continue
        if not isinstance(stmt, Declare | Assign) or stmt in step or not _simple(debts[stmt]):
            return None
        active.append(stmt)
    written = [t.sym for s in inside for t in targets(s)]
    for stmt in active:
        (target,) = (owed.target.sym for owed in debts[stmt])
        if target is not state and not (isinstance(stmt, Declare) and written.count(target) == 1):
            return None
    inner = {state, *(debts[s][0].target.sym for s in active)}
    inputs: dict[Sym, bool] = {}  # whether a partial by it needs the state
    elements = chained = False
    items = [_items(stmt, facts.known) for stmt in active]
    if not all(isinstance(item, Add | Bind) for own in items for item in own):
        return None  # what is owed for a statement may be a recorded partial, its own items a call
    for place, amount in (term for own in items for term in terms(own)):
        stateful = _reads(amount, inner)
        if place.index:
            elements, chained = True, chained or stateful
        elif place.sym in inner:
            chained = chained or stateful
        elif place.sym in written or isinstance(place.sym.type, Pointer):
            return None
        else:
            inputs[place.sym] = inputs.get(place.sym, False) or stateful
    if elements:
        asked = [sym for sym, stateful in inputs.items() if stateful]
        if chained or not asked or len(active) > 1:
            return None
        directions = [Direction(_tangent(state, u.name, loop.span), u) for u in asked]
        return Carried(loop, state, tuple(directions), tuple(active), False)
    directions = _directions(facts, head, loop, inputs)
    if not directions or (len(directions) > 1 and len(active) > 1):
        return None
    return Carried(loop, state, tuple(directions), tuple(active), True)


def _simple(debts: list[Owed]) -> bool:
    """Whether a statement sets one scalar, with unconditional partials."""
    if len(debts) != 1 or debts[0].target.index or isinstance(debts[0].target.sym.type, Pointer):
        return False
    return all(isinstance(i, Add | Bind) and not i.guards for i in (*debts[0].items, *debts[0].own))


def _directions(facts: Facts, head: Version, loop: Loop, inputs: Mapping[Sym, bool]) -> list[Direction]:
    """The tangents of a loop that is carried as a whole."""
    state, entry = head.sym, head.args[0]
    source = _copied(entry)
    found: list[Direction] = []
    also: Sym | None = None
    if entry in facts.activity.varied:
        name = f"{state.plain}0"
        if source is not None:
            name = source.sym.name
            if (
                not source.index
                and source.sym in inputs
                and _same_value(facts.versions, entry, loop, source.sym)
            ):
                also = source.sym
        found.append(Direction(_tangent(state, name, loop.span), None, also))
    return [*(Direction(_tangent(state, u.name, loop.span), u) for u in inputs if u is not also), *found]


def _copied(entry: Version) -> Place | None:
    """The variable or element that a variable is copied from at the loop's entry, if it is."""
    match entry.stmt:
        case Declare(_, Place() as source) | Assign(_, Place() as source, None) if entry.kind == "def":
            return source
        case _:
            return None


def _same_value(v: Versions, entry: Version, loop: Loop, sym: Sym) -> bool:
    """Whether a variable has the same value in the loop as when the state was set to it."""
    assert entry.stmt is not None
    copied = v.reads[entry.stmt][sym]
    return all(v.reads[s].get(sym, copied) is copied for s in v.body_of(loop) if s in v.reads)


def _tangent(state: Sym, by: str, span: Span | None) -> Sym:
    return Sym(f"d{state.plain}_d{by}", state.type, span=span)


def _reads(amount: Amount, syms: Container[Sym]) -> bool:
    return any(
        isinstance(e, Place) and e.sym in syms for f in (*amount.factors, *amount.divisors) for e in walk(f)
    )


# ---- a statement's partials ------------------------------------------------------


def _items(stmt: Declare | Assign, known: Known) -> list[Item]:
    """A statement's partials, in terms of the values it reads and, for a declaration, its result."""
    target, value = assigned(stmt)
    seed = Place(Sym("seed", target.type), (), target.type)
    after = stmt.sym if isinstance(stmt, Declare) else None
    return contributions(value, seed, known.context(stmt, after, value))


def named(items: list[Item]) -> list[Stmt]:
    """Declare the primal values that partials refer to by name: `float r = tanhf(x);`."""
    return [
        Declare(item.sym, converted(item.amount.expr(), item.sym.type))
        for item in items
        if isinstance(item, Bind) and item.amount.seed is None
    ]


def terms(items: list[Item]) -> list[tuple[Place, Amount]]:
    """The operands with their partials, each as a separate product."""
    names: dict[Sym, Amount] = {}

    def whole(amount: Amount) -> Amount:
        seed = amount.seed
        if not isinstance(seed, Place):
            return amount
        outer = names.get(seed.sym)
        if outer is None:
            return replace(amount, seed=None)
        return replace(
            amount,
            seed=None,
            factors=(*outer.factors, *amount.factors),
            divisors=(*outer.divisors, *amount.divisors),
            negative=outer.negative != amount.negative,
        )

    out: list[tuple[Place, Amount]] = []
    for item in items:
        match item:
            case Bind(sym, amount):
                if amount.seed is not None:
                    names[sym] = whole(amount)
            case Add(place, amount):
                out.append((place, whole(amount)))
            case _:
                raise AssertionError(item)
    return out


def _by_tangent(parts: list[Amount]) -> list[tuple[Expr, bool]]:
    """Products as terms of a sum; the factors of each tangent are summed first."""
    out: list[tuple[Expr, bool]] = []
    for seed in {p.seed: None for p in parts}:
        mine = [p for p in parts if p.seed == seed]
        if seed is None or len(mine) == 1:
            out += [(p.magnitude(), p.negative) for p in mine]
            continue
        total, negative = signed_sum([(replace(p, seed=None).magnitude(), p.negative) for p in mine])
        out.append((multiply(total, seed), negative))
    return out


def _total(parts: list[Amount], type_: Scalar) -> tuple[Expr, bool] | None:
    """The sum of amounts over common divisors, and whether the whole sum is negative."""
    if not parts:
        return None
    summed: list[tuple[Expr, bool]] = []
    ordered = sorted(parts, key=lambda a: [p.divisors for p in parts].index(a.divisors))
    for divisors, group in groupby(ordered, key=lambda a: a.divisors):
        top, negative = signed_sum(_by_tangent([replace(a, divisors=()) for a in group]))
        for divisor in divisors:
            top = divide(top, divisor)
        summed.append((top, negative))
    total, negative = signed_sum(summed)
    return converted(total, type_), negative


# ---- inserting the tangents ------------------------------------------------------


def _inserted(body: Body, chosen: list[Carried], known: Known) -> tuple[Body, dict[Stmt, Carried]]:
    """Insert tangents into the chosen loops; returns the body and the updated record of each loop."""
    by_loop: dict[Stmt, Carried] = {c.loop: c for c in chosen}
    moved: dict[Stmt, Carried] = {}

    def visit(inner: Body) -> Body:
        out: list[Stmt] = []
        for stmt in inner:
            carried = by_loop.get(stmt)
            if carried is None:
                out.append(rebuilt(stmt, visit))
                continue
            for d in carried.directions:
                out.append(Declare(d.tangent, real(1.0 if d.input is None else 0.0, d.tangent.type)))
            insertion = _Insertion(carried, known)
            new = insertion.loop()
            moved[stmt] = replace(carried, loop=new, added=tuple(insertion.added))
            out.append(new)
        return tuple(out)

    return visit(body), moved


class _Insertion:
    """Inserts the tangent of each active statement of a loop next to it."""

    def __init__(self, carried: Carried, known: Known) -> None:
        self.c = carried
        self.known = known
        self.added: list[Stmt] = []
        self.tangents: dict[Direction, dict[Sym, Sym]] = {
            d: {carried.state: d.tangent} for d in carried.directions
        }

    def loop(self) -> Loop:
        loop = rebuilt(self.c.loop, self.body)
        assert isinstance(loop, Loop)
        return loop

    def body(self, body: Body) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if stmt in self.c.statements:
                assert isinstance(stmt, Declare | Assign)
                added = self.tangent(stmt)
                self.added += added
                # A new variable's tangent follows it and uses its value; the state's precedes its update.
                out += [stmt, *added] if isinstance(stmt, Declare) else [*added, stmt]
            else:
                out.append(rebuilt(stmt, self.body))
        return tuple(out)

    def tangent(self, stmt: Declare | Assign) -> list[Stmt]:
        items = _items(stmt, self.known)
        found = terms(items)
        carried = self.by_slope(found) if len(self.c.directions) > 1 else self.along(stmt, found)
        read = symbols(carried)
        values = [d for d in named(items) if isinstance(d, Declare) and d.sym in read]
        return [*values, *carried]

    def along(self, stmt: Declare | Assign, found: list[tuple[Place, Amount]]) -> list[Stmt]:
        """A statement's tangent in the only direction: a sum over its operands."""
        (direction,) = self.c.directions
        target, _ = assigned(stmt)
        tangents = self.tangents[direction]
        kind = target.type
        assert isinstance(kind, Scalar)
        kept = False
        parts: list[Amount] = []
        for place, amount in found:
            mine = tangents.get(place.sym) if not place.index else None
            if mine is not None and place.sym is target.sym and amount.plain and not kept:
                kept = True
            elif mine is not None:
                parts.append(replace(amount, seed=Place(mine, (), mine.type)))
            elif not place.index and direction.starts_at_one(place.sym):
                parts.append(amount)
        alone = not kept and bool(parts) and all(p.seed == parts[0].seed for p in parts)
        if alone and parts[0].seed == Place(tangents.get(target.sym, target.sym), (), kind):
            factor = _total([replace(p, seed=None) for p in parts], kind)
            assert factor is not None
            return [Assign(Place(tangents[target.sym], (), kind), _signed(*factor), "*=")]
        total = _total(parts, kind)
        if isinstance(stmt, Declare):
            if total is None:
                return []
            tangents[stmt.sym] = _tangent(stmt.sym, direction.tangent.name.split("_d", 1)[1], stmt.span)
            return [Declare(tangents[stmt.sym], _signed(*total))]
        into = Place(tangents[target.sym], (), kind)
        if kept:
            return [] if total is None else [Assign(into, total[0], "-=" if total[1] else "+=")]
        return [Assign(into, real(0.0, kind) if total is None else _signed(*total))]

    def by_slope(self, found: list[tuple[Place, Amount]]) -> list[Stmt]:
        """The tangents of a statement in several directions; they share the partial by the state."""
        state = self.c.state
        kind = state.type
        assert isinstance(kind, Scalar)
        slope = _total([a for p, a in found if p.sym is state and not p.index], kind)
        if slope is None:
            return [
                Assign(Place(d.tangent, (), kind), self.partial(found, d) or real(0.0, kind))
                for d in self.c.directions
            ]
        name = Sym("slope", kind)
        out: list[Stmt] = [Declare(name, _signed(*slope))]
        by = Place(name, (), kind)
        for d in self.c.directions:
            place = Place(d.tangent, (), kind)
            partial = self.partial(found, d)
            grown = Binary("*", by, place, kind)
            match partial:
                case None:
                    out.append(Assign(place, by, "*="))
                case Unary("-", less):
                    out.append(Assign(place, subtract(grown, less)))
                case _:
                    out.append(Assign(place, add(grown, partial)))
        return out

    def partial(self, found: list[tuple[Place, Amount]], d: Direction) -> Expr | None:
        kind = self.c.state.type
        assert isinstance(kind, Scalar)
        total = _total([a for p, a in found if not p.index and d.starts_at_one(p.sym)], kind)
        return None if total is None else _signed(*total)


def _signed(total: Expr, negative: bool) -> Expr:
    return Unary("-", total, total.type) if negative else total


# ---- the loop's pullback ---------------------------------------------------------


def pay(carried: Iterable[Carried], debts: Debts, v: Versions) -> Iterable[Version]:
    """Replace the pullbacks of the loops' statements by those of the loops, with carried tangents."""
    for c in carried:
        loop = c.loop
        inputs = {d.input for d in c.directions}
        for stmt in c.statements:
            if c.whole:
                debts.of.pop(stmt, None)
                continue
            for owed in debts.of[stmt]:
                owed.items = [i for i in owed.items if not (isinstance(i, Add) and i.place.sym in inputs)]
        kind = c.state.type
        assert isinstance(kind, Scalar)
        seed = Sym("seed", kind)
        owed = Owed(loop, Place(c.state, (), kind), seed, [], stays=not c.whole)
        for d in c.directions:
            after = Sym(d.tangent.name, kind)
            owed.afters[after] = v.makes[loop][d.tangent]
            amount = Amount(Place(seed, (), kind), kind, (Place(after, (), kind),))
            if d.input is None:
                owed.own.append(Add(owed.target, amount, ()))
            else:
                owed.items.append(Add(Place(d.input, (), d.input.type), amount, ()))
        debts.of[loop] = [owed]
    return ()
