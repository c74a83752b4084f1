"""The pullback of each statement, collected before any decision is made.

    a[i] = a[i] * x;     contributes: adj_x += a[i] · g, and to its own target: x · g

`Owed` is symbolic: a seed stands for the adjoint of the statement's target, `after`
for the value it stores. The analyses derive from it what the reverse sweep needs;
the builder turns it into statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from ...analysis.activity import Activity, Smooth, is_real, node
from ...analysis.atomics import is_atomic, update
from ...analysis.constants import real_literal
from ...analysis.float_ranges import FloatRanges
from ...analysis.ssa import Version, Versions, operands, targets
from ...ir import (
    AddressOf,
    Array,
    Assign,
    Barrier,
    Binary,
    Call,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    Initialiser,
    Place,
    Scalar,
    Stmt,
    Sym,
    scalar_type,
    walk,
    wide,
)
from ...rules import Table
from ..common.algebra import Amount
from .partials import (
    Add,
    ByResult,
    Context,
    Exchange,
    Invoke,
    Item,
    contributions,
    output_contributions,
    reads,
)
from .shuffles import Way, Ways


@dataclass(eq=False)
class Owed:
    """The pullback of one statement. `seed` stands for the adjoint of `target`.

    `stays`: the target's adjoint is not cleared (`v += e`, a declaration).
    `afters` maps the symbols that stand for stored values to their versions.
    """

    stmt: Stmt
    target: Place
    seed: Sym
    items: list[Item]
    own: list[Add] = field(default_factory=list)  # contributions to the target's own adjoint
    stays: bool = False
    temporary: bool = False  # the seed must be copied before the target's adjoint is cleared
    exchanged: bool = False  # read and cleared atomically: other threads may store the element
    afters: dict[Sym, Version] = field(default_factory=dict)

    def expressions(self) -> list[Expr]:
        """The primal expressions that the statement's reverse evaluates."""
        return [*reads([*self.items, *self.own]), *self.target.index]


@dataclass
class Debts:
    """The pullbacks of all statements, and the rules at kinks that were used."""

    of: dict[Stmt, list[Owed]]
    kinks: list[str]


@dataclass(frozen=True)
class Known:
    """What is known before the pullbacks are. The seeds of `quiet` arrays are never cleared."""

    versions: Versions
    activity: Activity
    smooth: Smooth
    table: Table
    quiet: frozenset[Sym]
    parameter: Callable[[Call, int], str]
    by_result: ByResult
    exchanged: frozenset[Sym] = frozenset()
    contested: frozenset[Sym] = frozenset()  # whose adjoints are exchanged at their stores
    ways: Ways | None = None  # of the shuffles, if there are any
    kinks: dict[Stmt, list[str]] = field(default_factory=dict)
    divided_by: set[Version] = field(default_factory=set)  # whose adjoints aren't finite where they are zero

    @cached_property
    def ranges(self) -> FloatRanges:
        return FloatRanges(self.versions)

    def context(self, stmt: Stmt, after: Sym | None = None, root: Expr | None = None) -> Context:
        read = self.versions.reads[stmt]

        def active(place: Place) -> bool:
            where = node(place, read) if place.index or place.sym in read else place.sym
            return place.sym in self.activity.ever and where in self.activity.varied

        def way(call: Call) -> Way:
            assert self.ways is not None
            return self.ways.of(stmt, call)

        return Context(
            self.table,
            active,
            self.smooth,
            after,
            root,
            self.kinks.setdefault(stmt, []),
            self.parameter,
            way,
            self.by_result,
            lambda cond, given: self.ranges.holds(stmt, cond, given),
            lambda factor: real_literal(self.versions, stmt, factor),
            any(version in self.divided_by for version in self.versions.makes.get(stmt, {}).values()),
            next((place.sym.plain for place in targets(stmt)), ""),
        )


def gather(known: Known) -> Debts:
    """The pullback of every statement; a barrier's is empty, and is mirrored if threads exchange values.

    What divides by a value comes before the value's own statement: it decides what that one tests.
    """
    found: dict[Stmt, list[Owed]] = {}
    order = list(known.versions.order)
    for stmt in reversed(order):
        owed = _statement(stmt, known)
        if isinstance(stmt, Declare | Assign | Evaluate):
            for call in _writing(stmt):
                owed = [*owed, *_outputs(stmt, call, known)]
        if len(owed) > 1 and not isinstance(stmt, Declare):
            _all_at_once(owed)
        for debt in owed:
            if debt.target.sym in known.contested:
                _exchange(debt)
        if owed or (isinstance(stmt, Barrier) and (known.exchanged or stmt.warp)):
            found[stmt] = owed
        known.divided_by.update(_divided_by(stmt, owed, known.versions))
    kinks = {text: None for stmt in order for text in known.kinks.get(stmt, [])}
    return Debts({stmt: found[stmt] for stmt in order if stmt in found}, list(kinks))


def _divided_by(stmt: Stmt, owed: list[Owed], versions: Versions) -> Iterator[Version]:
    """Yield what a statement divides by, if it runs whenever that is computed.

    float root = sqrtf(s);
    y = v / root;             at root = 0 this adds infinity or NaN to adj_root, whatever adj_y is
    """
    for debt in owed:
        for item in (*debt.items, *debt.own):
            if not isinstance(item, Add) or not item.infinite or item.guards or item.place.index:
                continue
            version = versions.read(stmt, item.place.sym)
            if version is None or version.kind != "def":
                continue
            if version.scope is versions.scope_of[stmt]:
                yield version


def _exchange(debt: Owed) -> None:
    """Read and clear the target's adjoint in one step, before any contribution is made from it."""
    if debt.stays or not (debt.items or debt.own):
        return  # it is only read or only cleared, no matter by which thread
    debt.items = [*debt.items, *debt.own]
    debt.own = []
    debt.temporary = debt.exchanged = True


def _statement(stmt: Stmt, known: Known) -> list[Owed]:
    match stmt:
        case Declare(sym, Initialiser(values)):
            if sym not in known.activity.ever:
                return []
            return [
                owed
                for position, value in enumerate(values)
                for owed in _assign(stmt, _element(sym, position), value, True, known)
            ]
        case Declare(sym, init) if init is not None:
            assert not isinstance(init, Initialiser)
            return _assign(stmt, Place(sym, (), sym.type), init, True, known)
        case Assign(target, value, None):
            return _assign(stmt, target, value, False, known)
        case Assign(target, value, op):
            assert op is not None
            simple = op in ("+=", "-=") and target.sym not in value.symbols
            if not simple or not is_real(target.type):
                return _assign(stmt, *assigned(stmt), False, known)
            owed = _assign(stmt, target, value, True, known)
            if op == "-=":
                for debt in owed:
                    debt.items = [_negated(item, debt.seed) for item in debt.items]
            return owed
        case Evaluate() if (added := update(stmt)) is not None:
            owed = _assign(stmt, added.place, added.amount, True, known)
            if added.negative:
                for debt in owed:
                    debt.items = [_negated(item, debt.seed) for item in debt.items]
            return owed
        case _:
            return []


def assigned(stmt: Declare | Assign) -> tuple[Place, Expr]:
    """The target of a statement and the whole expression of its value: `v + e` for `v += e`."""
    match stmt:
        case Declare(sym, init):
            assert init is not None
            assert not isinstance(init, Initialiser)
            return Place(sym, (), sym.type), init
        case Assign(target, value, None):
            return target, value
        case Assign(target, value, op):
            assert op is not None
            return target, _converted(Binary(op[:-1], _converted(target, value), value, value.type), target)


def _element(sym: Sym, position: int) -> Place:
    from ...ir import INT

    assert isinstance(sym.type, Array)
    index: list[Expr] = []
    for extent in reversed(sym.type.extents):
        index.append(Const(position % extent, INT))
        position //= extent
    return Place(sym, tuple(reversed(index)), sym.type.element)


def _converted(expr: Expr, like: Expr) -> Expr:
    return expr if expr.type == like.type else Cast(expr, like.type, implicit=True)


def _negated(item: Item, seed: Sym) -> Item:
    """For `v -= e`: negate every amount that starts at the seed."""

    def flip(amount: Amount) -> Amount:
        starts = isinstance(amount.seed, Place) and amount.seed.sym is seed
        return amount.negated() if starts else amount

    match item:
        case Add():
            return replace(item, amount=flip(item.amount))
        case Invoke() | Exchange():
            return replace(item, seed=flip(item.seed))
        case _:
            return replace(item, amount=flip(item.amount))


def _assign(stmt: Stmt, target: Place, value: Expr, stays: bool, known: Known) -> list[Owed]:
    versions, activity = known.versions, known.activity
    if target.sym not in activity.ever or not isinstance(target.type, Scalar):
        return []
    made = versions.makes.get(stmt, {}).get(target.sym)
    seed = Sym("seed", wide(target.type))
    owed = Owed(stmt, target, seed, [], stays=stays or target.sym in known.quiet)
    useful = (target.sym if made is None else made) in activity.useful
    if useful:
        after = None
        if made is not None and not target.index and not (isinstance(stmt, Assign) and stmt.op):
            after = Sym(target.sym.name, target.type)
            owed.afters[after] = made

        context = known.context(stmt, after, value)
        items = contributions(value, Place(seed, (), wide(target.type)), context)
        for item in items:
            if isinstance(item, Exchange) and item.way is not None:
                owed.afters |= item.way.known
        same = [i for i in items if isinstance(i, Add) and _same_place(i.place, target)]
        aliases = [
            i
            for i in items
            if isinstance(i, Add)
            and target.index
            and i.place.sym is target.sym
            and not _same_place(i.place, target)
        ]
        through = any(
            isinstance(i, Invoke) and any(isinstance(o, Place) and o.sym is target.sym for o in i.outs)
            for i in items
        )
        owed.temporary = not owed.stays and bool(
            aliases or through or (any(i.guards for i in same)) or (same and target.sym in known.quiet)
        )
        kept = [i for i in same if i.amount.plain and not i.guards and starts(i.amount, seed)]
        if owed.temporary and len(kept) == 1 and not through:
            # a[i] = a[i] + …: the element's contribution to itself needs no statement.
            owed.items = [i for i in items if i is not kept[0]]
            owed.stays = True
        elif owed.temporary or owed.stays:
            owed.items = items
        else:
            own = {id(i) for i in same}
            owed.items = [i for i in items if id(i) not in own]
            owed.own = same
    if not owed.items and not owed.own and owed.stays:
        return []
    return [owed]


def starts(amount: Amount, seed: Sym) -> bool:
    return isinstance(amount.seed, Place) and amount.seed.sym is seed


def _same_place(a: Place, b: Place) -> bool:
    return a.sym is b.sym and a.index == b.index


def _all_at_once(debts: list[Owed]) -> None:
    """Several results of one statement: if one is also an operand, copy all adjoints first."""
    results = {owed.target.sym for owed in debts}
    added = {i.place.sym for owed in debts for i in (*owed.items, *owed.own) if isinstance(i, Add)}
    if results & added:
        for owed in debts:
            owed.items = [*owed.items, *owed.own]
            owed.own = []
            owed.temporary = True


def _writing(stmt: Declare | Assign | Evaluate) -> list[Call]:
    """Calls in a statement that write through their arguments."""
    return [
        e
        for expr in operands(stmt)
        for e in walk(expr)
        if isinstance(e, Call) and not is_atomic(e) and any(isinstance(a, AddressOf) for a in e.args)
    ]


def _outputs(stmt: Stmt, call: Call, known: Known) -> list[Owed]:
    """A function that writes through `&local`: each output has its partials."""
    rule = known.table.of(call)
    if rule is None:
        return []
    made = known.versions.makes.get(stmt, {})
    args = dict(zip(rule.parameters, call.args, strict=False))
    out: list[Owed] = []
    afters: dict[Sym, Version] = {}
    values: dict[str, Expr] = {}
    for name, arg in args.items():
        if isinstance(arg, AddressOf) and arg.place.sym in made:
            after = Sym(arg.place.sym.name, arg.place.type)
            afters[after] = made[arg.place.sym]
            values[name] = Place(after, (), arg.place.type)
        elif not isinstance(arg, AddressOf):
            values[name] = arg
    for name, arg in args.items():
        if not isinstance(arg, AddressOf) or arg.place.sym not in known.activity.ever:
            continue
        target = arg.place
        seed = Sym("seed", wide(scalar_type(target)))
        place = Place(seed, (), wide(scalar_type(target)))
        items = output_contributions(call, rule, name, values, place, known.context(stmt))
        out.append(Owed(stmt, target, seed, items, afters=dict(afters)))
    return out
