"""The adjoint of one statement: its pullback, turned into statements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from ...ir import (
    BOOL,
    INT,
    Accumulate,
    AddressOf,
    Assign,
    Banner,
    Barrier,
    Binary,
    Block,
    Break,
    Call,
    Clear,
    Comment,
    Const,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    If,
    Place,
    Pointer,
    Quote,
    Record,
    Restore,
    Return,
    Scalar,
    Share,
    Site,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    bodies,
    collective,
    expressions,
    scalar_type,
    walk,
    wide,
)
from ..common.adjoint_names import PREFIX, as_written, element_name, whole_element_name
from ..common.algebra import Amount, converted, real, rewrite, signed_sum
from ..common.jumps import negation
from ..common.symbol_uses import mapped
from ..normalise.tree_sums import summed
from ..plan.partials import Add, Bind, Exchange, Invoke, Item
from ..plan.pullbacks import Owed, assigned, starts
from ..plan.shuffles import Gathered, exchanged, gathered
from ..plan.singular_points import Guard
from .branch_reversal import reversed_branch, reversed_switch
from .frames import Frame
from .loop_reversal import reversed_loop
from .sweep import Sweep

EXCHANGE = "exchange"
"""A helper of the emitted file: CUDA has an atomicExch for float, but none for double."""


AT_ONCE = "all iterations at once, with the derivatives from the forward sweep"


def adjoint_of(b: Sweep, stmt: Stmt, frame: Frame) -> list[Stmt]:
    match stmt:
        case Declare() | Assign() | Evaluate():
            taken: list[Stmt] = []
            paid: list[Stmt] = []
            for owed in reversed(b.debts[stmt]):
                take, pay = settle(b, owed, frame)
                taken += take
                paid += pay
            return [Quote(author_of(b, stmt)), *taken, *paid] if taken or paid else []
        case Barrier(_, mask):
            return [replace(stmt, mask=None if mask is None else b.value(stmt, mask, frame))]
        case If():
            return reversed_branch(b, stmt, frame)
        case Switch():
            return reversed_switch(b, stmt, frame)
        case For() | While() | DoWhile():
            out: list[Stmt] = []
            for owed in b.debts.get(stmt, ()):  # by the tangents carried through it
                take, pay = settle(b, owed, frame)
                out += [Quote(stmt, AT_ONCE), *take, *pay]
            found = None if b.ways is None else gathered(b.ways, stmt, b.owes)
            if found is not None:
                return [*out, *spread(b, stmt, found, frame)]
            return [*out, *reversed_loop(b, stmt, frame)]
        case Break() | Continue() | Return() | Block():
            raise AssertionError("reversed by what holds it")
        case Record() | Restore() | Accumulate() | Clear() | Quote() | Banner() | Comment():
            raise AssertionError("not in a primal")
        case _:
            assert_never(stmt)


def spread(b: Sweep, stmt: Stmt, found: Gathered, frame: Frame) -> list[Stmt]:
    """Broadcast the adjoint of a segment's sum from the first lane to all lanes."""
    adj = b.adjoints[found.sum]
    mine = Place(adj, (), adj.type)
    mask, *_, width = (b.value(found.stmt, e, frame) for e in (*found.call.args, *found.call.args[3:]))
    more = (width,) if found.way.spelled is not None else ()
    value = Call("__shfl_sync", (mask, mine, Const(0, INT), *more), adj.type, rule="shuffle")
    note = "only the first lane's sum is used; it contains every lane's value once"
    return [Quote(stmt, note), Assign(mine, value)]


def author_of(b: Sweep, stmt: Stmt) -> Stmt:
    """The author's statement; a call that was hoisted out of it is in a variable before it."""
    if collective(stmt) is None or not isinstance(stmt, Declare) or stmt.sym.origin != "lowering":
        return stmt
    for after in b.versions.scope_of[stmt].stmts[b.versions.position[stmt] + 1 :]:
        if any(stmt.sym in e.symbols for e in expressions(after)):
            return after
    return stmt


def settle(b: Sweep, owed: Owed, frame: Frame) -> tuple[list[Stmt], list[Stmt]]:
    """The statements for a pullback: copying its adjoint, if that must come first, and the contributions."""
    stmt = owed.stmt

    adj = b.adjoints[owed.target.sym]
    index = tuple(b.value(stmt, e, frame, owed.afters) for e in owed.target.index)
    mine = Place(adj, index, wide(scalar_type(owed.target)))

    def val(expr: Expr) -> Expr:
        return b.value(stmt, expr, frame, owed.afters, mine)

    seed: Expr = mine
    taken: list[Stmt] = []
    out: list[Stmt] = []
    uses = sum(_uses(item, owed.seed) for item in [*owed.items, *owed.own])
    if owed.temporary or (index and uses > 1):
        stem = f"{PREFIX}_{as_written(owed.target)[0] or owed.target.sym.plain}"
        longer = element_name(stem, owed.target), whole_element_name(stem, owed.target)
        others = tuple(name for name in dict.fromkeys(longer) if name not in ("", stem))
        kind, span = wide(scalar_type(owed.target)), getattr(stmt, "span", None)
        name = Sym(stem, kind, span=span, otherwise=others)
        taken.append(Declare(name, _exchange(mine, b.exchange) if owed.exchanged else mine))
        seed = Place(name, (), name.type)
        if owed.temporary and not owed.stays and not owed.exchanged:
            taken.append(Clear(mine, told=own_sites(b, owed, mine)))

    def amount(a: Amount) -> Expr:
        return val(_seeded(a, owed.seed, seed).magnitude())

    grouped: list[tuple[tuple[Guard, ...], list[Stmt]]] = []
    for item in owed.items:
        guards = tuple((val(_with_seed(c, owed.seed, seed)), sign) for c, sign in item.guards)
        statements = paid(b, item, owed, frame, amount, val)
        if grouped and grouped[-1][0] == guards:
            grouped[-1][1].extend(statements)
        else:
            grouped.append((guards, statements))
    out += _nested(grouped)
    if not owed.temporary and not owed.stays:
        out += own_adjoint(b, owed, mine, amount)
    return taken, restored_once(b, stmt, out, frame)


def _exchange(mine: Place, helper: str) -> Call:
    """Read an element's adjoint and set it to zero atomically: only one of several threads gets it."""
    assert isinstance(mine.type, Scalar)
    arguments = AddressOf(mine, Pointer(mine.type)), real(0.0, mine.type)
    if mine.type.size == 4:
        return Call("atomicExch", arguments, mine.type)
    return Call(helper, arguments, mine.type, callee=helper)


def restored_once(b: Sweep, stmt: Stmt, out: list[Stmt], frame: Frame) -> list[Stmt]:
    """Name an element's recorded value if the adjoint reads it more than once."""
    for place, tape in b.tapes_of.get(stmt, ()):
        value = tape.value(b.indices(tape.loops, frame))
        count = sum(_occurrences(s, value) for s in out)
        if count > 1:
            name = Sym(f"{place.sym.plain}_was", tape.element)
            was = Place(name, (), tape.element)
            out = [mapped(s, lambda e, v=value, w=was: w if e == v else None) for s in out]  # type: ignore[misc]
            out.insert(0, Declare(name, value))
    return out


def own_adjoint(b: Sweep, owed: Owed, mine: Place, amount: Callable[[Amount], Expr]) -> list[Stmt]:
    """The target's own adjoint after the reverse of the statement."""
    if not owed.own:
        return [Clear(mine, told=own_sites(b, owed, mine))]
    told = own_sites(b, owed, mine)
    plain = [a for a in owed.own if a.amount.plain and starts(a.amount, owed.seed)]
    rest = [a for a in owed.own if a not in plain]
    if len(plain) == 1:
        if not rest:
            return []
        total, negative = signed_sum([(amount(a.amount), a.amount.negative) for a in rest])
        sites = tuple(Site(owed.stmt, owed.target, share(b, owed, a)) for a in rest)
        return [Accumulate(mine, total, "local", negative, sites=sites)]
    rest = list(owed.own)
    total, negative = signed_sum([(amount(a.amount), a.amount.negative) for a in rest])
    if negative:
        total = Unary("-", total, total.type)
    first = rest[0].amount
    if len(rest) == 1 and starts(first, owed.seed) and not negative:
        if not first.divisors:
            return [Assign(mine, amount(replace(first, seed=None)), "*=", told=told)]
        if not first.factors and len(first.divisors) == 1:
            divisor = replace(first, seed=None, divisors=(), factors=first.divisors)
            return [Assign(mine, amount(divisor), "/=", told=told)]
    return [Assign(mine, converted(total, mine.type), told=told)]


def paid(
    b: Sweep,
    item: Item,
    owed: Owed,
    frame: Frame,
    amount: Callable[[Amount], Expr],
    val: Callable[[Expr], Expr],
) -> list[Stmt]:
    match item:
        case Bind(sym, a):
            total = amount(a)
            if a.negative:
                total = Unary("-", total, total.type)
            return [Declare(sym, converted(total, sym.type))]
        case Add(place, a):
            target = b.adjoint_place(place, tuple(val(e) for e in place.index))
            how, why = b.how(owed.stmt, place) if place.index else ("local", "")
            site = Site(owed.stmt, place, share(b, owed, item))
            return [Accumulate(target, amount(a), how, a.negative, why, sites=(site,))]
        case Invoke(call, active, seed, outs):
            total = amount(seed)
            if seed.negative:
                total = Unary("-", total, total.type)
            return adjoint_call(b, call, active, total, outs, val)
        case Exchange(_, seed, out, way):
            total = amount(seed)
            if seed.negative:
                total = Unary("-", total, total.type)
            if way is None:
                return [Declare(out, summed(total))]
            return exchanged(way, scalar_type(out), total, out, val)
        case _:
            assert_never(item)


def adjoint_call(
    b: Sweep,
    call: Call,
    active: tuple[int, ...],
    seed: Expr,
    outs: tuple[Sym | Place, ...],
    val: Callable[[Expr], Expr],
) -> list[Stmt]:
    function = b.invoke(call, active)
    args = [val(a) for a in call.args]
    if len(active) == 1:
        (out,) = outs
        assert isinstance(out, Sym)
        value = Call(function.name, (*args, seed), out.type, callee=function.name)
        return [Declare(out, value)]
    statements: list[Stmt] = []
    passed: list[Expr] = []
    for k, arg in enumerate(args):
        passed.append(arg)
        if k in active:
            out = outs[active.index(k)]
            if isinstance(out, Sym):
                statements.append(Declare(out, real(0.0, out.type)))
                place = Place(out, (), out.type)
            else:
                place = b.adjoint_place(out, ())
            passed.append(AddressOf(place, Pointer(place.type)))
    from ...ir import VOID

    statements.append(Evaluate(Call(function.name, (*passed, seed), VOID, callee=function.name)))
    return statements


# ---- what each contribution is, as a formula ----------------------------------


def own_sites(b: Sweep, owed: Owed, mine: Place) -> tuple[Site, ...]:
    """The sites of a statement that replaces its target's own adjoint."""
    primal = author_of(b, owed.stmt)
    shares = [share(b, owed, item) for item in owed.own]
    if not owed.own:
        shares = [Share(owed.target, owed.target, real(0.0, mine.type), adjoints=(mine.sym, mine.sym))]
    first, *more = shares
    first = replace(first, sets=True, copied=owed.temporary)
    return tuple(Site(primal, mine, s) for s in (first, *more))


def share(b: Sweep, owed: Owed, item: Add) -> Share:
    """A contribution in the primal's terms, with the names of amounts resolved."""
    binds = {i.sym: i.amount for i in owed.items if isinstance(i, Bind)}
    amount = item.amount
    while isinstance(amount.seed, Place) and amount.seed.sym in binds:
        outer = binds[amount.seed.sym]
        amount = Amount(
            outer.seed,
            amount.type,
            (*outer.factors, *amount.factors),
            (*outer.divisors, *amount.divisors),
            outer.negative != amount.negative,
        )

    stored = _stored_over(owed)

    def resolved(expr: Expr) -> Expr | None:
        if not isinstance(expr, Place):
            return None
        if expr.sym in binds:
            return binds[expr.sym].magnitude()
        return stored if expr.sym in owed.afters else None

    partial = rewrite(replace(amount, seed=None).magnitude(), resolved)
    if amount.negative:
        partial = Unary("-", partial, partial.type)
    partial = item.partial or partial
    through = None if starts(amount, owed.seed) else _through(owed, amount)
    adjoints = b.adjoints.get(owed.target.sym), b.adjoints.get(item.place.sym)
    return Share(owed.target, item.place, partial, item.rules, through, adjoints=adjoints)


def _stored_over(owed: Owed) -> Expr | None:
    """The value that a statement stores, if it reads its target, whose name would mean two values."""
    stmt = owed.stmt
    if not isinstance(stmt, Assign) and not (isinstance(stmt, Declare) and isinstance(stmt.init, Expr)):
        return None
    target, value = assigned(stmt)
    return value if target.sym in value.symbols else None


def _through(owed: Owed, amount: Amount) -> Call | None:
    """The call by whose adjoint an amount gets here."""
    sym = amount.seed.sym if isinstance(amount.seed, Place) else None
    for item in owed.items:
        if isinstance(item, Exchange) and item.out is sym:
            return item.call
        if isinstance(item, Invoke) and sym in item.outs:
            return item.call
    return None


# ---- helpers -----------------------------------------------------------------


def _occurrences(stmt: Stmt, value: Expr) -> int:
    own = sum(e == value for expr in expressions(stmt) for e in walk(expr))
    return own + sum(_occurrences(s, value) for body in bodies(stmt) for s in body)


def _seeded(amount: Amount, seed: Sym, value: Expr) -> Amount:
    """The amount with its seed replaced by its value."""
    return replace(amount, seed=value) if starts(amount, seed) else amount


def _with_seed(expr: Expr, seed: Sym, value: Expr) -> Expr:
    def change(e: Expr) -> Expr | None:
        return value if isinstance(e, Place) and e.sym is seed else None

    return rewrite(expr, change)


def _uses(item: Item, seed: Sym) -> int:
    def of(amount: Amount) -> int:
        return int(starts(amount, seed))

    guards = sum(seed in c.symbols for c, _ in item.guards)
    match item:
        case Bind() | Add():
            return of(item.amount) + guards
        case Invoke() | Exchange():
            return of(item.seed) + guards
        case _:
            assert_never(item)


def _nested(groups: list[tuple[tuple[Guard, ...], list[Stmt]]]) -> list[Stmt]:
    """Statements under their guards; consecutive ones with the same outer guard are merged."""
    out: list[Stmt] = []
    k = 0
    while k < len(groups):
        guards, stmts = groups[k]
        if not guards:
            out += stmts
            k += 1
            continue
        first, sign = guards[0]
        same: list[tuple[tuple[Guard, ...], list[Stmt]]] = []
        while k < len(groups) and groups[k][0] and groups[k][0][0] == (first, sign):
            same.append((groups[k][0][1:], groups[k][1]))
            k += 1
        inner = _nested(same)
        if out and isinstance(out[-1], If) and not out[-1].other and _opposite(out[-1].cond, first, sign):
            out[-1] = replace(out[-1], other=tuple(inner))
            continue
        out.append(If(first if sign else negation(first), tuple(inner)))
    return [_joined(stmt) for stmt in out]


def _joined(stmt: Stmt) -> Stmt:
    """`if (a && b)` for an `if (b)` that is the only statement of an `if (a)`."""
    match stmt:
        case If(cond, (If(inner, then, ()),), ()):
            return If(Binary("&&", cond, inner, BOOL), then)
        case _:
            return stmt


def _opposite(cond: Expr, first: Expr, sign: bool) -> bool:
    return not sign and cond == first
