"""Small helpers on integer expressions, shared by both sweeps."""

from __future__ import annotations

from dataclasses import replace

from ...analysis.constants import has_name, literal
from ...analysis.loops.counted_loops import Counter
from ...ir import (
    INT,
    Array,
    Binary,
    Cast,
    Const,
    Expr,
    Place,
    Scalar,
    Sym,
    Unary,
    is_floating,
    scalar_type,
    unconverted,
    walk,
)
from ...irtext import show
from .algebra import converted, rewrite, shifted


def over(expr: Expr, stride: Sym) -> Expr:
    return Binary("/", converted(expr, INT), Place(stride, (), INT), INT)


def minus_one(sym: Sym) -> Expr:
    return Binary("-", Place(sym, (), INT), Const(1, INT), INT)


def less(expr: Expr, by: int) -> Expr:
    return plus(expr, -by)


def plus(expr: Expr, by: int) -> Expr:
    """The sum, in the type that C++ integer promotion gives it."""
    return shifted(converted(expr, INT) if scalar_type(expr).size < INT.size else expr, by)


def integer_sum(a: Expr, b: Expr) -> Expr:
    return Binary("+", a, converted(b, a.type), a.type)


def number(expr: Expr) -> int | None:
    """The value of an integer of literals that may be folded into others: one without a name."""
    return None if has_name(expr) else literal(expr)


def in_names(value: int, said: Expr | None) -> Expr:
    """A number, as the author says it if that is by name."""
    named = said is not None and has_name(said) and literal(said) == value
    return converted(unconverted(said), INT) if said is not None and named else Const(value, INT)


def half(expr: Expr) -> Expr:
    value = number(expr)
    return Binary("/", expr, Const(2, INT), INT) if value is None else Const(value // 2, INT)


def difference(high: Expr, low: Expr, more: int = 0) -> Expr:
    """`high - low + more`, with what has no name folded: `n - 1`, `N - FIRST`, and `n + R` for `n - -R`."""
    kind, value = scalar_type(high), number(low)
    if value is not None:
        return plus(high, more - value)
    if isinstance(high, Binary) and high.macro is None and number(high.right) is not None:
        high, more = plus(high, more), 0
    match low:
        case Unary("-", arg, Scalar(kind="signed")) if low.macro is None and show(arg) == show(high):
            return plus(Binary("*", Const(2, kind), high, kind), more)
        case Unary("-", arg, Scalar(kind="signed")) if low.macro is None:
            return plus(Binary("+", high, converted(arg, kind), kind), more)
        case _:
            return plus(Binary("-", high, converted(low, kind), kind), more)


def rounded_up(distance: Expr, more: int, step: Expr) -> Expr:
    """What divided by `step` is the number of steps in `distance + more`: `n + 15`, `n + TILE - 1`."""
    width = number(step)
    if width is not None:
        return plus(distance, more + width - 1)
    return plus(integer_sum(distance, step), more - 1)


def before_rounding(expr: Expr, width: int) -> Expr | None:
    """The distance that `rounded_up` has made this of."""
    match expr:
        case Binary("-", Binary("+", distance, step), Const(1)) if literal(step) == width:
            return distance
        case Binary("+", distance, more) if literal(more) == width - 1:
            return distance
        case _:
            return None


def named_trips(count: Counter) -> Expr | None:
    """The trip count of a loop of literals in the author's names: `TERMS - 1`, `(LENGTH + R - 1) / R`."""
    low, high = (count.start, count.bound) if count.ascending else (count.bound, count.start)
    if not count.trips:
        return None
    found = named_steps(high, low, 1 if count.op in ("<=", ">=") else 0, count.step, count.trips)
    return found if has_name(found) else None


def named_steps(high: Expr, low: Expr, more: int, step: Expr, trips: int) -> Expr:
    """The number of steps in `high - low + more`, which is `trips`, in the author's names if it has any."""
    if not (isinstance(low.type, Scalar) and isinstance(high.type, Scalar)):
        return Const(trips, INT)
    found = difference(high, low, more)
    if number(step) != 1:
        found = rounded_up(difference(high, low), more, step)
        found = Binary("/", found, converted(step, found.type), found.type)
    return found if has_name(found) and literal(found) == trips > 0 else Const(trips, INT)


def extents_of(array: Array) -> tuple[Const, ...]:
    """The extents of an array, as they are spelled."""
    spelled = array.spelled if len(array.spelled) == len(array.extents) else ("",) * len(array.extents)
    return tuple(Const(n, INT, spelling=said or None) for n, said in zip(array.extents, spelled, strict=True))


def text_of(count: Expr) -> str:
    """An integer of literals as an array's extent: in the author's names, or as a number."""
    spelled = count.spelling if isinstance(count, Const) else None
    if spelled is not None or not has_name(count):
        return spelled or str(literal(count))
    return show(rewrite(count, _operand))


def _operand(expr: Expr) -> Expr | None:
    """A part of an expression for `show`, which puts no parentheses around the author's text."""
    if expr.macro is not None:
        return expr
    match expr:
        case Cast(arg, implicit=True):
            return rewrite(arg, _operand)
        case Const(spelling=str(text)) if not text.isalnum() and not text.isidentifier():
            return replace(expr, spelling=f"({text})")
        case _:
            return None


def spelled_step(op: str, sym: Sym, unit: bool) -> str | None:
    if not unit:
        return None
    return f"{'++' if op == '+=' else '--'}{sym.name}"


def integral(cond: Expr) -> bool:
    """Whether a condition contains no floating-point operand."""
    return all(not is_floating(e) for e in walk(cond))
