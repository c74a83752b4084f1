"""Taking out what a careful author would not have written.

    adj_left = 0.25f * adj_s;                    if (i > 0)
    if (i > 0)                             ->        atomicAdd(&adj_x[i - 1], 0.25f * adj_s);
        atomicAdd(&adj_x[i - 1], adj_left);

An intermediate adjoint has a name if it is used twice. A store to an adjoint that
nobody reads afterwards goes, and a declaration that nobody uses. Only names that
the tool made are touched (symbols without a span), and a value is moved only past
statements that change nothing it reads.
"""

from __future__ import annotations

from collections import Counter as Bag
from dataclasses import replace

from ..analysis.versions import outputs
from ..ir import (
    Accumulate,
    AddressOf,
    Array,
    Assign,
    Banner,
    Barrier,
    Binary,
    Body,
    Break,
    Call,
    Cast,
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
    Initialiser,
    Place,
    Pointer,
    Quote,
    Record,
    Restore,
    Scalar,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    bodies,
    collective,
    statements,
    walk,
)
from .algebra import add, converted, is_const, multiply, rewrite, subtract
from .factor import factored
from .syms import expressions, in_expr, mapped, symbols, uses
from .together import made_together, reaches_all


def tidy(body: list[Stmt]) -> list[Stmt]:
    """The same computation without needless stores and names."""
    previous = -1
    while previous != (size := _size(body)):
        previous = size
        body = _without_dead_stores(_without_unread(body))
        body = _inlined(body)
        body = list(_gathered(tuple(body)))
        body = without_empty(body)
        whole = tuple(body)
        body = list(new := factored(whole))
        if new is not whole:
            previous = -1  # a name may stand only once now
    return body


def without_own_unread(body: Body) -> Body:
    """The body without variables of the tool's that nothing reads: a count that no tape takes any more."""
    own = {s.sym for s in statements(body) if isinstance(s, Declare) and removable(s.sym)}
    return _dropped(body, own - _read_in(body))


def without_unused(body: Body) -> Body:
    """The body without names that nothing reads, now that barriers and loops around them went."""
    previous, stmts = -1, list(body)
    while previous != (size := _size(stmts)):
        previous = size
        stmts = without_empty(_without_dead_stores(_without_unread(stmts)))
    return tuple(stmts)


def _size(body: list[Stmt] | Body) -> int:
    total = 0
    for stmt in body:
        total += 1 + sum(_size(inner) for inner in bodies(stmt))
    return total


def removable(sym: Sym) -> bool:
    """A local variable of the tool's."""
    return sym.span is None and not isinstance(sym.type, Array | Pointer)


# ---- what nobody reads --------------------------------------------------------


def _without_unread(body: list[Stmt]) -> list[Stmt]:
    """Without local arrays and sums that are only stored to, and the stores."""
    declared = {s.sym for s in statements(tuple(body)) if isinstance(s, Declare)}
    local = {s for s in declared if not isinstance(s.type, Pointer)}
    unread = local - _read_in(tuple(body))
    return list(_dropped(tuple(body), unread)) if unread else body


def _read_in(body: Body) -> set[Sym]:
    found: set[Sym] = set()
    for stmt in statements(body):
        match stmt:
            case Assign(target, value) | Record(target, value):
                found.update(s for e in (*target.index, value) for s in in_expr(e))
                if outputs(value):
                    found.add(target.sym)  # the statement stays for what else it writes
            case Clear(target):
                found.update(s for e in target.index for s in in_expr(e))
            case Accumulate(target, amount):
                found.update(s for e in (*target.index, amount) for s in in_expr(e))
            case _:
                found.update(s for e in expressions(stmt) for s in in_expr(e))
    return found


def _dropped(body: Body, unread: set[Sym]) -> Body:
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Declare(sym) if sym in unread and not any(map(outputs, expressions(stmt))):
                continue
            case Assign(Place(sym)) | Record(Place(sym)) | Clear(Place(sym)) | Accumulate(Place(sym)) if (
                sym in unread and not any(map(outputs, expressions(stmt)))
            ):
                continue
            case If():
                then, other = _dropped(stmt.then, unread), _dropped(stmt.other, unread)
                out.append(replace(stmt, then=then, other=other))
            case For() | While() | DoWhile():
                out.append(replace(stmt, body=_dropped(stmt.body, unread)))
            case Switch():
                cases = tuple(replace(c, body=_dropped(c.body, unread)) for c in stmt.cases)
                out.append(replace(stmt, cases=cases))
            case _:
                out.append(stmt)
    return tuple(out)


# ---- dead stores -------------------------------------------------------------


def _without_dead_stores(body: list[Stmt]) -> list[Stmt]:
    kept, _ = _live(tuple(body), frozenset(), frozenset())
    return list(kept)


def _live(body: Body, after: frozenset[Sym], left: frozenset[Sym]) -> tuple[Body, frozenset[Sym]]:
    """The body without stores to variables not read later; what is live before it.

    `left` is live where a break or a continue inside the body leads to.
    """
    live = set(after)
    out: list[Stmt] = []
    for stmt in reversed(body):
        match stmt:
            case Declare(sym, init) if _variable(sym):
                if sym not in live and init is not None and not isinstance(init, Initialiser):
                    if isinstance(init, Call) and _effects(init):
                        # Only what the call writes through its arguments is wanted.
                        live.update(in_expr(init))
                        out.append(Evaluate(init, stmt.span))
                    if not _effects(init) or isinstance(init, Call):
                        out.append(Declare(sym, None, stmt.span))
                        continue
                live.discard(sym)
                live.update(_reads(stmt))
                out.append(stmt)
            case Restore(Place(sym, ())) if _variable(sym):
                if sym not in live:
                    continue
                live.discard(sym)
                live.update(_reads(stmt))
                out.append(stmt)
            case Record(Place(sym, ()), _, True):
                if sym not in live:
                    continue
                live.discard(sym)
                live.update(_reads(stmt))
                out.append(stmt)
            case Assign(Place(sym, ()), Place(same, ()), None) if same is sym and _variable(sym):
                continue
            case Clear(Place(sym, ())) | Assign(Place(sym, ()), _, None) if _variable(sym):
                if sym not in live and not _writes_more(stmt):
                    continue
                live.discard(sym)
                live.update(in_value(stmt))
                out.append(stmt)
            case Accumulate(Place(sym, ())) | Assign(Place(sym, ())) if _variable(sym):
                if sym not in live and not _writes_more(stmt):
                    continue
                live.update(_reads(stmt))
                out.append(stmt)
            case Break() | Continue():
                live |= left
                out.append(stmt)
            case If():
                then, a = _live(stmt.then, frozenset(live), left)
                other, b = _live(stmt.other, frozenset(live), left)
                live = set(a | b) | set(in_expr(stmt.cond))
                out.append(replace(stmt, then=then, other=other))
            case Switch():
                every = set(live)
                cases = []
                for case in stmt.cases:
                    inner, before = _live(case.body, frozenset(live), left | live)
                    every |= before
                    cases.append(replace(case, body=inner))
                live = every | set(in_expr(stmt.selector))
                out.append(replace(stmt, cases=tuple(cases)))
            case For() | While() | DoWhile():
                # What any iteration reads may be read by the next one.
                live |= set(uses([stmt]))
                around = frozenset(live - _own(stmt.body))
                inner, _ = _live(stmt.body, around, around)
                live |= set(uses([stmt]))
                out.append(replace(stmt, body=inner))
            case _:
                live.update(_reads(stmt))
                out.append(stmt)
    return tuple(reversed(out)), frozenset(live)


def _own(body: Body) -> set[Sym]:
    """Variables that an iteration declares: what they hold at its end, the next doesn't see."""
    return {s.sym for s in statements(body) if isinstance(s, Declare)}


def _variable(sym: Sym) -> bool:
    """A scalar of the thread's own, the author's ones too: what it held last needn't be stored."""
    return not isinstance(sym.type, Array | Pointer)


def _writes_more(stmt: Stmt) -> bool:
    """Whether an assignment's value writes through a call's arguments as well."""
    return isinstance(stmt, Assign) and bool(outputs(stmt.value))


def in_value(stmt: Stmt) -> set[Sym]:
    match stmt:
        case Assign(_, value):
            return set(in_expr(value))
        case _:
            return set()


def _reads(stmt: Stmt) -> set[Sym]:
    return {s for e in expressions(stmt) for s in in_expr(e)}


def _effects(init: Expr | Initialiser) -> bool:
    """Whether evaluating an initial value writes something."""
    return not isinstance(init, Initialiser) and bool(outputs(init))


# ---- names used once ---------------------------------------------------------


def _inlined(body: list[Stmt]) -> list[Stmt]:
    counts = Bag(uses(body))
    return list(_inline_body(tuple(body), counts))


def _inline_body(body: Body, counts: Bag[Sym]) -> Body:
    out: list[Stmt] = list(body)
    position = 0
    while position < len(out):
        stmt = out[position]
        made = _value_of(stmt)
        if made is not None:
            sym, value = made
            if counts[sym] == 0 and not isinstance(stmt, Record):
                del out[position]
                for used in in_expr(value):
                    counts[used] -= 1
                continue
            if counts[sym] == 1 or _trivial(value):
                moved = _move(out, position, sym, value)
                if moved is not None:
                    delta = counts[sym]
                    counts[sym] = 0
                    for used in in_expr(value):
                        counts[used] += delta - 1
                    out = moved
                    continue
        elif isinstance(stmt, Declare) and not counts[stmt.sym] and _droppable(stmt):
            for used in _reads(stmt):
                counts[used] -= 1
            del out[position]
            continue
        out[position] = _with_bodies(stmt, counts)
        position += 1
    return tuple(out)


def _droppable(stmt: Declare) -> bool:
    """A declaration that nobody would miss: without a value, or of an array nobody touches."""
    if isinstance(stmt.sym.type, Array):
        return True
    return stmt.init is None and not isinstance(stmt.sym.type, Pointer)


def _value_of(stmt: Stmt) -> tuple[Sym, Expr] | None:
    """A tool-made variable and the value it gets where it is declared."""
    match stmt:
        case Declare(sym, init) if (
            removable(sym)
            and sym.storage != "tape"
            and init is not None
            and not isinstance(init, Initialiser)
            and not outputs(init)
        ):
            return sym, _typed(init, sym)
        case Restore(Place(sym, ()), tape, True) if removable(sym):
            return sym, tape
        case _:
            return None


def _typed(value: Expr, sym: Sym) -> Expr:
    return value if value.type == sym.type else Cast(value, sym.type)


def _trivial(value: Expr) -> bool:
    """A name for a name; constants too."""
    return (isinstance(value, Place) and not value.index) or isinstance(value, Const)


def _move(body: list[Stmt], position: int, sym: Sym, value: Expr) -> list[Stmt] | None:
    """The body with the value in place of its only use, if nothing on the way changes what it reads."""
    if _assigned_later(body[position + 1 :], sym):
        return None
    if made_together(value) and not reaches_all(body[position + 1 :], sym):
        return None
    out = body[:position]
    found = False
    for k in range(position + 1, len(body)):
        stmt = body[k]
        if sym in set(uses([stmt])):
            if _in_loop(stmt, sym) and (not _trivial(value) or changes(stmt, value)):
                return None
            if _address_taken(stmt, sym):
                return None
            if found or not _reaches(stmt, sym, value):
                return None
            found = True
            out.append(_substituted(stmt, sym, value))
            if not _trivial(value):
                out += body[k + 1 :]
                return out
            found = False
            if changes(stmt, value):
                if sym in set(uses(body[k + 1 :])):
                    return None
                out += body[k + 1 :]
                return out
            continue
        if changes(stmt, value):
            if _trivial(value) and sym not in set(uses(body[k:])):
                out += body[k:]
                return out
            return None
        out.append(stmt)
    return out if _trivial(value) else None


def _assigned_later(body: list[Stmt], sym: Sym) -> bool:
    for stmt in body:
        match stmt:
            case (
                Assign(Place(s, ()))
                | Accumulate(Place(s, ()))
                | Clear(Place(s, ()))
                | Restore(Place(s, ()))
                | Record(Place(s, ()))
            ) if s is sym:
                return True
            case _:
                if any(_assigned_later(list(b), sym) for b in bodies(stmt)):
                    return True
    return False


def _in_loop(stmt: Stmt, sym: Sym) -> bool:
    match stmt:
        case For():
            return sym in set(uses((*stmt.body, *stmt.step))) or (
                stmt.cond is not None and sym in set(in_expr(stmt.cond))
            )
        case While() | DoWhile():
            return True
        case _:
            return any(_in_loop(s, sym) for b in bodies(stmt) for s in b)


def _address_taken(stmt: Stmt, sym: Sym) -> bool:
    for expr in expressions(stmt):
        for e in walk(expr):
            if isinstance(e, AddressOf) and e.place.sym is sym:
                return True
    return any(_address_taken(s, sym) for b in bodies(stmt) for s in b)


def _reaches(stmt: Stmt, sym: Sym, value: Expr) -> bool:
    """Whether the value is still the same where `stmt` uses the name, however deep inside."""
    for body in bodies(stmt):
        for k, inner in enumerate(body):
            if sym in set(uses([inner])):
                if any(changes(s, value) for s in body[:k]):
                    return False
                if not _reaches(inner, sym, value):
                    return False
    return True


def written(stmt: Stmt) -> set[Sym]:
    """Symbols that a statement, or anything in it, changes."""
    out: set[Sym] = set()
    match stmt:
        case Assign(t) | Accumulate(t) | Clear(t) | Record(t) | Restore(t):
            out.add(t.sym)
        case _:
            pass
    for expr in expressions(stmt):
        out.update(place.sym for place in outputs(expr))
    for body in bodies(stmt):
        for inner in body:
            out |= written(inner)
    return out


def changes(stmt: Stmt, value: Expr) -> bool:
    """Whether a statement may change what an expression reads; behind a barrier other threads have."""
    changed = written(stmt)
    if changed and any(s in changed for s in in_expr(value)):
        return True
    return meets(stmt) and any(isinstance(e, Place) and _passes(e) for e in walk(value))


def _passes(place: Place) -> bool:
    """Whether other threads may write an element, or a shared scalar."""
    array = place.sym.type
    return place.sym.storage == "shared" or (
        bool(place.index) and isinstance(array, Pointer) and not array.const
    )


def meets(stmt: Stmt) -> bool:
    """Whether threads meet in a statement: at a barrier of the block or of a warp, or to add up."""
    return any(
        isinstance(s, Barrier)
        or (isinstance(s, Accumulate) and s.how == "reduce")
        or ((call := collective(s)) is not None and call.rule == "sum")
        for s in statements((stmt,))
    )


def _substituted(stmt: Stmt, sym: Sym, value: Expr) -> Stmt:
    def change(e: Expr) -> Expr | None:
        match e:
            case Place(s, ()) if s is sym:
                return value
            case Binary("*", left, Place(s, ())) if s is sym:
                return _product(rewrite(left, change), value)
            case _:
                return None

    return mapped(stmt, change)


def _product(left: Expr, value: Expr) -> Expr:
    """`a * (b * c)` as the author would write it: `a * b * c`. Adjoint arithmetic is ours to order."""
    match value:
        case Binary("*", a, b) if _float(value) and value.spelling is None:
            return _product(_product(left, a), b)
        case Binary("/", a, b) if _float(value) and value.spelling is None:
            return _quotient(_product(left, a), b)
        case _:
            return multiply(left, value)


def _quotient(top: Expr, bottom: Expr) -> Expr:
    from .algebra import divide

    return divide(top, bottom)


def _float(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.is_float


def _with_bodies(stmt: Stmt, counts: Bag[Sym]) -> Stmt:
    match stmt:
        case If():
            return replace(stmt, then=_inline_body(stmt.then, counts), other=_inline_body(stmt.other, counts))
        case For() | While() | DoWhile():
            return replace(stmt, body=_inline_body(stmt.body, counts))
        case Switch():
            cases = tuple(replace(c, body=_inline_body(c.body, counts)) for c in stmt.cases)
            return replace(stmt, cases=cases)
        case _:
            return stmt


# ---- additions to one place --------------------------------------------------


def _gathered(body: Body) -> Body:
    """Two additions to one adjoint in a row are one: one atomic, one load and store."""
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case If():
                stmt = replace(stmt, then=_gathered(stmt.then), other=_gathered(stmt.other))
            case For() | While() | DoWhile():
                stmt = replace(stmt, body=_gathered(stmt.body))
            case Switch():
                cases = tuple(replace(c, body=_gathered(c.body)) for c in stmt.cases)
                stmt = replace(stmt, cases=cases)
            case Accumulate():
                if _merged(out, stmt):
                    continue
                stmt = _after_clear(out, stmt)
            case _:
                pass
        out.append(stmt)
    return tuple(out)


def _merged(out: list[Stmt], stmt: Accumulate) -> bool:
    """Whether an earlier addition of the same primal statement took this one in."""
    for k in range(len(out) - 1, -1, -1):
        before = out[k]
        match before:
            case Accumulate(target) if target == stmt.target and before.how == stmt.how:
                if not _short(before.amount) or not _short(stmt.amount):
                    return False
                out[k] = sum_of(before, stmt)
                return True
            case Declare(sym, init) if (
                stmt.target == Place(sym, (), sym.type)
                and removable(sym)
                and init is not None
                and not isinstance(init, Initialiser)
            ):
                if not _short(init) or not _short(stmt.amount) or is_const(init, 0.0):
                    return False
                first = Accumulate(stmt.target, init, "local")
                both = sum_of(first, stmt)
                value = signed(both)
                out[k] = Declare(sym, converted(value, sym.type), before.span)
                return True
            case Accumulate() if not _touch(before, stmt):
                continue
            case Declare(sym) if removable(sym) and sym not in set(in_expr(stmt.amount)):
                if stmt.target.sym in set(uses([before])):
                    return False
                continue
            case _:
                return False
    return False


def _after_clear(out: list[Stmt], stmt: Accumulate) -> Stmt:
    """What is added to an adjoint that was just cleared is stored; the clear goes."""
    if stmt.how in ("atomic", "reduce"):
        return stmt
    for k in range(len(out) - 1, -1, -1):
        before = out[k]
        match before:
            case Clear(target) if target == stmt.target:
                if stmt.target.sym in set(in_expr(stmt.amount)):
                    return stmt
                del out[k]
                amount = signed(stmt)
                return Assign(stmt.target, converted(amount, stmt.target.type))
            case Quote() | Comment():
                continue
            case _ if meets(before):
                return stmt
            case _ if stmt.target.sym in symbols([before]) or written(before) & _index_syms(stmt):
                return stmt
            case _:
                continue
    return stmt


def _index_syms(stmt: Accumulate) -> set[Sym]:
    return {sym for e in stmt.target.index for sym in in_expr(e)}


def _touch(before: Accumulate, stmt: Accumulate) -> bool:
    """Whether an addition can't move above another one."""
    target = before.target.sym
    return target in set(in_expr(stmt.amount)) or stmt.target.sym in set(in_expr(before.amount))


SHORT = 24
"""Nodes of an expression beyond which a sum of two would be hard to read."""


def _short(expr: Expr) -> bool:
    return sum(1 for _ in walk(expr)) <= SHORT


def signed(addition: Accumulate) -> Expr:
    """What is added, with its sign."""
    amount = addition.amount
    return Unary("-", amount, amount.type) if addition.negative else amount


def sum_of(a: Accumulate, b: Accumulate) -> Accumulate:
    """±a ± b as one addition; negative only if both are."""
    if isinstance(a.amount, Unary) and a.amount.op == "-":
        a = replace(a, amount=a.amount.arg, negative=not a.negative)
    if a.negative == b.negative:
        return replace(a, amount=add(a.amount, b.amount))
    if a.negative:
        a, b = b, a
    return replace(a, amount=subtract(a.amount, b.amount))


# ---- what is left empty ------------------------------------------------------


def without_empty(body: list[Stmt] | Body) -> list[Stmt]:
    """Without branches and loops that do nothing, and quotes of nothing."""
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case If():
                then, other = without_empty(stmt.then), without_empty(stmt.other)
                if not _does(then) and not _does(other):
                    continue
                if not _does(then):
                    from .jumps import negation

                    out.append(If(negation(stmt.cond), tuple(other), (), stmt.span))
                    continue
                if not _does(other):
                    other = []
                out.append(replace(stmt, then=tuple(then), other=tuple(other)))
            case For() | While() | DoWhile():
                inner = without_empty(stmt.body)
                if not _does(inner) and isinstance(stmt, For) and _counts_only(stmt):
                    continue
                out.append(replace(stmt, body=tuple(inner)))
            case Switch():
                kept = [replace(c, body=tuple(without_empty(c.body))) for c in stmt.cases]
                if kept and kept[-1].labels == (None,) and not _does(_unbroken(kept[-1].body)):
                    kept.pop()
                if any(_does(_unbroken(c.body)) for c in kept):
                    out.append(replace(stmt, cases=tuple(kept)))
            case _:
                out.append(stmt)
    return _quoted(out)


def _counts_only(stmt: For) -> bool:
    return bool(stmt.init) and all(isinstance(s, Declare) for s in stmt.init)


def _does(body: list[Stmt] | Body) -> bool:
    return any(not isinstance(s, Quote | Comment | Banner) for s in body)


def _unbroken(body: Body) -> Body:
    return body[:-1] if body and isinstance(body[-1], Break) else body


def _same_line(a: Quote, b: Quote) -> bool:
    """Whether two quotes show the same text: a call's arguments, where its function is written in."""
    here, there = getattr(a.primal, "span", None), getattr(b.primal, "span", None)
    return here is not None and here == there and not a.note


def _quoted(body: list[Stmt]) -> list[Stmt]:
    """Without quotes that nothing follows before the next quote, unless they explain it."""
    out: list[Stmt] = []
    last: Quote | None = None
    for k, stmt in enumerate(body):
        if isinstance(stmt, Quote):
            again = last is not None and (last.primal is stmt.primal or _same_line(last, stmt))
            if again and not stmt.note and out[-1] is not last:
                continue  # a line's second part, right after its first
            following = body[k + 1] if k + 1 < len(body) else None
            owing = isinstance(following, Quote) and bool(stmt.note)
            if following is None or (isinstance(following, Quote | Banner | Break) and not owing):
                continue
            last = stmt
        out.append(stmt)
    return out
