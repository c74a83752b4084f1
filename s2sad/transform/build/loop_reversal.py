"""Loops in the reverse sweep: last iteration to first, or any order if the iterations commute."""

from __future__ import annotations

from dataclasses import replace

from ...analysis.constants import constant_of, has_name, literal, overflows
from ...analysis.loops.counted_loops import Counter, Scale, constant
from ...analysis.ssa import Loop
from ...ir import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Const,
    Declare,
    Expr,
    For,
    Place,
    Restore,
    Scalar,
    Select,
    Stmt,
    Sym,
    Unary,
    scalar_type,
    walk,
)
from ..common.adjoint_names import trip_of
from ..common.algebra import converted
from ..common.integer_expressions import (
    difference,
    integer_sum,
    less,
    minus_one,
    number,
    plus,
    rounded_up,
    spelled_step,
)
from .divided_back import before_loop
from .frames import Frame
from .iteration_order import commutes
from .sweep import Sweep


def reversed_loop(b: Sweep, stmt: Loop, frame: Frame) -> list[Stmt]:
    scope = b.versions.inside[stmt][0]
    if not b.reverses(scope):
        return []
    count = b.recorded.counters.get(stmt)
    inner = Frame(scope, frame)
    out: list[Stmt] = []
    for tapes, names in (
        (b.storage.handed_trips, b.storage.trips),
        (b.storage.handed_exits, b.storage.exits),
    ):
        if stmt in tapes:
            out.append(Restore(Place(names[stmt], (), INT), tapes[stmt].place(()), True))
    out += b.told(stmt, frame)
    if stmt in b.storage.handed_strides:
        out.append(
            Restore(Place(b.storage.strides[stmt], (), INT), b.storage.handed_strides[stmt].place(()), True)
        )
    if count is None and stmt in b.recorded.scales:
        assert isinstance(stmt, For)
        return [scaled(b, stmt, b.recorded.scales[stmt], inner)]
    if count is None:
        trip = trip_of(stmt)
        inner.iteration[stmt] = Place(trip, (), INT)
        out += before_loop(b, stmt, inner)
        body = whole_body(b, inner)
        return [*out, *kept(b, stmt, inner), countdown(b, trip, b.storage.trips[stmt], body, stmt)]
    assert isinstance(stmt, For)
    out += before_loop(b, stmt, inner)
    loop = counted(b, stmt, count, inner, frame)
    return [*out, *kept(b, stmt, inner), *loop]


def kept(b: Sweep, stmt: Loop, inner: Frame) -> list[Stmt]:
    """What a loop that is run again from nested snapshots needs before it."""
    if inner.checkpoints is None:
        return []
    trips = b.storage.trips.get(stmt)
    return inner.checkpoints.declared(Const(2**31 - 1, INT) if trips is None else Place(trips, (), INT))


def whole_body(b: Sweep, frame: Frame) -> list[Stmt]:
    forward, adjoints = b.reverse(frame)
    return [*forward, *adjoints]


def scaled(b: Sweep, stmt: For, scale: Scale, inner: Frame) -> Stmt:
    """`for (d = 16; d > 0; d /= 2)` reversed: `for (d = 1; d <= 16; d *= 2)`, and vice versa."""
    k = scale.sym.anew()
    place = Place(k, (), k.type)
    assert isinstance(k.type, Scalar)
    head = b.versions.heads[stmt].get(scale.sym)
    if head is not None:
        inner.bound[head] = place
    body = whole_body(b, inner)
    cond = Binary("<=" if scale.falls else ">=", place, scale.start, BOOL)
    if not scale.falls and scale.values[0] == 1:
        cond = Binary(">", place, Const(0, k.type, spelling="0"), BOOL)
    step = Assign(place, Const(scale.ratio, k.type, spelling=str(scale.ratio)), "*=" if scale.falls else "/=")
    return For(
        (Declare(k, converted(scale.last, k.type)),),
        cond,
        (step,),
        tuple(body),
        stmt.span,
        stmt.pragmas,
        stmt,
    )


def countdown(b: Sweep, trip: Sym, trips: Sym, body: list[Stmt], stmt: Loop) -> Stmt:
    place = Place(trip, (), INT)
    return For(
        (Declare(trip, minus_one(trips)),),
        Binary(">=", place, Const(0, INT), BOOL),
        (Assign(place, Const(1, INT), "-=", spelling=f"--{trip.name}"),),
        tuple(body),
        stmt.span,
        reverses=stmt,
    )


def counted(b: Sweep, stmt: For, count: Counter, inner: Frame, frame: Frame) -> list[Stmt]:
    """A counting loop's values in opposite order; in the same order if the iterations commute."""
    entry = b.recorded.presumed.get(stmt)
    k = count.sym.anew()
    place = Place(k, (), k.type)
    head = b.versions.heads[stmt].get(count.sym)
    if head is not None:
        inner.bound[head] = place
    if entry is None:
        start = b.value(stmt.init[0], count.start, frame)
    else:
        start = constant_of(entry) or b.resolve(entry, frame)
    bound = b.value(stmt, count.bound, frame)
    step = b.value(stmt, count.step, frame)
    if entry is None:
        ordinal = b.numbers(stmt)
        inner.iteration[stmt] = tape_index(b, replace(count, step=step), place, start, bound, ordinal)
    assert isinstance(k.type, Scalar)
    unsigned = k.type.kind == "unsigned"
    body = whole_body(b, inner)
    if stmt in b.storage.trips:
        trips = b.storage.trips[stmt]
        return [from_trips(b, stmt, count, k, start, step, trips, body)]
    if inner.checkpoints is None and commutes(b, stmt):  # the inner snapshots are kept on the way back
        cond = Binary(count.op, place, bound, BOOL)
        op = "+=" if count.ascending else "-="
        spelling = spelled_step(op, k, count.unit)
        return [
            For(
                (Declare(k, start),),
                cond,
                (Assign(place, step, op, spelling=spelling),),
                tuple(body),
                stmt.span,
                stmt.pragmas,
                reverses=stmt,
            )
        ]
    if unsigned and rises(count, bound):
        return [from_past_the_end(stmt, count, k, start, bound, step, body)]
    if unsigned:
        return [by_ordinal(b, stmt, count, k, start, bound, step, body)]
    if entry is not None or operations(step) > 1:
        return guarded(b, stmt, count, k, start, bound, step, body)
    if not count.unit:
        return [by_step(stmt, count, k, start, bound, step, body)]
    one = Const(1, INT)
    spelled = spelled_step("-=" if count.ascending else "+=", k, True)
    if count.ascending:
        top = bound if count.op == "<=" else less(_signed(bound, k.type), 1)
        header = Declare(k, converted(top, k.type))
        cond = Binary(">=", place, converted(start, k.type), BOOL)
        back = Assign(place, one, "-=", spelling=spelled)
    else:
        low = bound if count.op == ">=" else plus(bound, 1)
        header = Declare(k, converted(low, k.type))
        cond = up_to(place, start)
        back = Assign(place, one, "+=", spelling=spelled)
    return [For((header,), cond, (back,), tuple(body), stmt.span, stmt.pragmas, stmt)]


def operations(expr: Expr) -> int:
    return sum(isinstance(e, Binary | Call | Select | Unary) for e in walk(expr))


def may_fail(expr: Expr) -> bool:
    """Whether an expression must not be evaluated where the loop doesn't run."""
    return any(
        (isinstance(e, Binary) and e.op in ("/", "%") and literal(e.right) is None)
        or (isinstance(e, Place) and bool(e.index))
        for e in walk(expr)
    )


def up_to(place: Place, last: Expr) -> Binary:
    """`k <= last`, or the usual `k < n` if last is `n - 1`."""
    assert isinstance(place.type, Scalar)
    match last:
        case Binary("-", bound, Const(1)) if last.type == place.type and place.type.kind == "signed":
            return Binary("<", place, converted(bound, place.type), BOOL)
    return Binary("<=", place, converted(last, place.type), BOOL)


def _signed(bound: Expr, kind: Scalar) -> Expr:
    """The bound in the counter's type, if it is unsigned and narrower: `bound - 1` would wrap unnoticed."""
    wraps = scalar_type(bound).kind == "unsigned" and INT.size <= scalar_type(bound).size < kind.size
    return converted(bound, kind) if wraps else bound


def tape_index(b: Sweep, count: Counter, k: Place, start: Expr, bound: Expr, ordinal: bool = False) -> Expr:
    """The iteration's index on the tape: from zero, different for each iteration.

    `ordinal`: the number of iterations before it, which snapshots need.
    """
    if ordinal and not count.ascending:
        fallen: Expr = Binary("-", converted(start, k.type), k, k.type)
        return fallen if count.unit else Binary("/", fallen, converted(count.step, k.type), k.type)
    low = start if count.ascending else bound
    offset: Expr = k
    extra = 1 if (not count.ascending and count.op in (">", "!=")) else 0
    least = number(low)
    if least is not None and least < 0:
        offset = plus(k, -least)
    elif has_name(low):
        offset = difference(k, low)
    elif least != 0:
        offset = Binary("-", k, converted(low, k.type), k.type)
    if extra:
        offset = less(offset, 1)
    if not count.unit:
        offset = Binary("/", offset, converted(count.step, k.type), k.type)
    return offset


def from_trips(
    b: Sweep, stmt: For, count: Counter, k: Sym, start: Expr, step: Expr, trips: Sym, body: list[Stmt]
) -> Stmt:
    """From the iteration that left the loop down to the first."""
    place = Place(k, (), k.type)
    if count.unit and count.ascending and isinstance(start, Const):
        top: Expr = minus_one(trips)
        if start.value != 0 and not has_name(start) and start.type == INT:
            top = plus(Place(trips, (), INT), int(start.value) - 1)
        elif start.value != 0:
            top = less(integer_sum(start, Place(trips, (), INT)), 1)
        kind = k.type
        assert isinstance(kind, Scalar)
        if overflows(kind):  # a narrow one may have wrapped around
            return For(
                (Declare(k, converted(top, k.type)),),
                Binary(">=", place, converted(start, k.type), BOOL),
                (Assign(place, Const(1, INT), "-=", spelling=f"--{k.name}"),),
                tuple(body),
                stmt.span,
                reverses=stmt,
            )
    trip = trip_of(stmt)
    t = Place(trip, (), INT)
    value = counter_at(b, count, t, start, step, k)
    return countdown(b, trip, trips, [Declare(k, value), *body], stmt)


def counter_at(b: Sweep, count: Counter, ordinal: Expr, start: Expr, step: Expr, k: Sym) -> Expr:
    """The counter's value in the iteration with this ordinal."""
    amount: Expr = ordinal
    if not (isinstance(step, Const) and step.value == 1):
        amount = Binary("*", converted(ordinal, k.type), converted(step, k.type), k.type)
    if number(start) == 0 and count.ascending:
        return converted(amount, k.type)
    return Binary(
        "+" if count.ascending else "-", converted(start, k.type), converted(amount, k.type), k.type
    )


def strides(count: Counter, kind: Scalar, start: Expr, bound: Expr, step: Expr) -> Expr:
    """The trip count times the step: the distance that the counter covers.

    If the loop doesn't run, it is zero or has the other sign, as `/` rounds towards zero.
    """
    low, high = (start, bound) if count.ascending else (bound, start)
    extra = 0 if count.op in ("<", ">", "!=") else 1
    distance = converted(high, kind)
    least, width = number(low), number(step)
    if least is None:
        named = has_name(low)
        distance = difference(distance, low) if named else Binary("-", distance, converted(low, kind), kind)
    else:
        extra -= least
    if width == 1:
        return plus(distance, extra)
    distance = rounded_up(distance, extra, step)
    return Binary("*", Binary("/", distance, converted(step, kind), kind), converted(step, kind), kind)


def by_step(
    stmt: For, count: Counter, k: Sym, start: Expr, bound: Expr, step: Expr, body: list[Stmt]
) -> Stmt:
    """`for (k = last; k >= start; k -= step)`; if the loop doesn't run, `last` is beyond start.

    `last` is one step before the counter's first value past the end.
    """
    assert isinstance(k.type, Scalar)
    kind = compared(k.type, bound)
    far, width = strides(count, kind, start, bound, step), number(step)
    first, place, up = converted(start, kind), Place(k, (), k.type), count.ascending
    least = number(start)
    if up and least is not None and width is not None:
        last = plus(far, least - width)
    else:
        end = far if up and least == 0 else Binary("+" if up else "-", first, far, kind)
        back = converted(step, kind)
        last = Binary("-" if up else "+", end, back, kind)
    at = number(last)
    if at is not None:
        last = Const(at, kind)
    return For(
        (Declare(k, converted(last, k.type)),),
        Binary(">=", place, converted(start, k.type), BOOL) if up else up_to(place, start),
        (Assign(place, step, "-=" if up else "+="),),
        tuple(body),
        stmt.span,
        stmt.pragmas,
        stmt,
    )


def compared(kind: Scalar, bound: Expr) -> Scalar:
    """The type in which a counter is compared with its bound."""
    return max((kind, scalar_type(bound), INT), key=lambda each: each.size)


def rises(count: Counter, bound: Expr) -> bool:
    """Whether an unsigned counter ascends to a bound and is compared with it in its own type."""
    kind, limit = count.sym.type, bound.type
    assert isinstance(kind, Scalar)
    assert isinstance(limit, Scalar)
    return count.ascending and INT.size <= kind.size and limit.size <= kind.size


def from_past_the_end(
    stmt: For, count: Counter, k: Sym, start: Expr, bound: Expr, step: Expr, body: list[Stmt]
) -> Stmt:
    """`for (k = end; k > start;) { k -= step; … }`: no value is below zero."""
    kind = k.type
    assert isinstance(kind, Scalar)
    place = Place(k, (), kind)
    least, width = constant(start), constant(step)
    strict = count.op in ("<", "!=")
    if count.unit:
        end = plus(converted(bound, kind), 0 if strict else 1)
    else:
        far, begin = strides(count, kind, start, bound, step), number(start)
        end = integer_sum(converted(start, kind), far) if begin is None else plus(far, begin)
        # An unsigned difference below zero wraps to a large value: guard against it.
        if least is None or width is None or least > width - (1 if strict else 0):
            some = Binary("<" if strict else "<=", converted(start, kind), converted(bound, kind), BOOL)
            end = Select(some, end, converted(start, kind), kind)
    spelling = f"--{k.name}" if count.unit else None
    return For(
        (Declare(k, end),),
        Binary(">", place, converted(start, kind), BOOL),
        (),
        (Assign(place, step, "-=", spelling=spelling), *body),
        stmt.span,
        stmt.pragmas,
        stmt,
    )


def by_ordinal(
    b: Sweep, stmt: For, count: Counter, k: Sym, start: Expr, bound: Expr, step: Expr, body: list[Stmt]
) -> Stmt:
    """`for (trip = N - 1; trip >= 0; --trip) { k = start + trip * step; … }`."""
    trip = trip_of(stmt)
    low, high = (start, bound) if count.ascending else (bound, start)
    kind = compared(scalar_type(k), bound)
    strict = count.op in ("<", ">", "!=")
    extra = 0 if strict else 1
    least, most, width = constant(low), constant(high), constant(step)
    known: int | None = None
    if least is not None and most is not None and width is not None:
        known = max(0, -(-(most - least + extra) // width))
    trips: Expr
    if known is not None and (known == 0 or not any(has_name(e) for e in (low, high, step))):
        trips = Const(known, INT)
    else:
        distance: Expr = converted(high, kind)
        if least is None or has_name(low):
            distance = Binary("-", distance, converted(low, kind), kind)
        else:
            extra -= least
        distance = rounded_up(distance, extra, step)
        if not count.unit:
            distance = Binary("/", distance, converted(step, kind), kind)
        nonempty = Binary("<" if strict else "<=", converted(low, kind), converted(high, kind), BOOL)
        trips = converted(distance, INT)
        if known is None:
            trips = Select(nonempty, trips, Const(0, INT), INT)
    t = Place(trip, (), INT)
    return For(
        (Declare(trip, less(trips, 1)),),
        Binary(">=", t, Const(0, INT), BOOL),
        (Assign(t, Const(1, INT), "-=", spelling="--trip"),),
        (Declare(k, counter_at(b, count, t, start, step, k)), *body),
        stmt.span,
        stmt.pragmas,
        stmt,
    )


def guarded(
    b: Sweep, stmt: For, count: Counter, k: Sym, start: Expr, bound: Expr, step: Expr, body: list[Stmt]
) -> list[Stmt]:
    """`for (trip = k < n ? (n - k - 1) / step : -1; trip >= 0; --trip) { k = start + trip * step; … }`.

    A step whose sign isn't known divides only where the loop runs, which makes it positive. It may be as
    large as its type allows: a sum with it could overflow.
    """
    out: list[Stmt] = []

    def named(value: Expr, role: str) -> Expr:
        if operations(value) <= 1 or (role == "step" and may_fail(value)):
            return value
        sym = Sym(f"{k.name}_{role}", scalar_type(value))
        out.append(Declare(sym, value))
        return Place(sym, (), sym.type)

    kind, trip = compared(scalar_type(k), bound), trip_of(stmt)
    start, step = named(converted(start, k.type), "start"), named(converted(step, k.type), "step")
    low, high = (converted(e, kind) for e in ((start, bound) if count.ascending else (bound, start)))
    strict = count.op in ("<", ">", "!=")
    distance = difference(high, low, -1 if strict else 0)
    last = Binary("/", distance, converted(step, kind), kind)
    some = Binary("<" if strict else "<=", low, high, BOOL)
    t = Place(trip, (), INT)
    loop = For(
        (Declare(trip, converted(Select(some, last, Const(-1, kind, spelling="-1"), kind), INT)),),
        Binary(">=", t, Const(0, INT), BOOL),
        (Assign(t, Const(1, INT), "-=", spelling=f"--{trip.name}"),),
        (Declare(k, counter_at(b, count, t, start, step, k)), *body),
        stmt.span,
        stmt.pragmas,
        stmt,
    )
    return [*out, loop]
