"""Name variables after what they hold: the adjoint of a subexpression, an element, a loop's trip count.

y = gamma * (x - mean) * s      g_gamma_x = gamma * g      the adjoint of x - mean, ...
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ...ir import (
    INT,
    Binary,
    Call,
    Cast,
    Const,
    Declare,
    DoWhile,
    Expr,
    For,
    Place,
    Pointer,
    Select,
    Special,
    Struct,
    Sym,
    Unary,
    While,
    scalar_type,
    unconverted,
    walk,
)
from ...source import Span, joined
from .vector_forms import vector_form

PREFIX = "g"
_ELEMENT = re.compile(r"\*?\(?\s*([A-Za-z_]\w*)\s*(?:\[\s*(\w+)\s*\]$|\[|\)|$)")
_OPERATIONS = {"+": "sum", "-": "diff", "*": "product", "/": "ratio"}


def adjoint_name(expr: Expr, prefix: str = PREFIX) -> str:
    """Return `g_exp` for a call, `g_dot_u_v` for vectors, `g_a_b` for what is made of two variables.

    Anything else is named after its operation and its first word: `g_sum_a`.
    """
    inner = unconverted(expr)
    match inner:
        case Call():
            return f"{prefix}_{called_name(inner)}"
        case Unary(arg=arg):
            return adjoint_name(arg, prefix)
        case _ if form := vector_form(inner):
            return f"{prefix}_{form}"
        case _:
            words = list(dict.fromkeys(_words(inner)))
            if 1 <= len(words) <= 2:
                return "_".join((prefix, *words))
            if stem := _common_stem(words):
                return f"{prefix}_{stem}"
            return "_".join(filter(None, (prefix, _operation(inner), *words[:1])))


def _common_stem(words: Sequence[str]) -> str:
    """Return what several of the words are but for a last digit: `v0` for fx, v00 and v01; or nothing."""
    stems = Counter(word[:-1].rstrip("_") for word in words if word[-1].isdigit())
    several = [stem for stem, times in stems.items() if times > 1 and stem and stem not in words]
    return several[0] if len(several) == 1 else ""


def by_operation(expr: Expr, prefix: str = PREFIX) -> str:
    """Return a longer name with the operation, where the other one is taken: `g_exp_a`, `g_ratio_a_b`."""
    inner = unconverted(expr)
    words = list(dict.fromkeys(_words(inner)))
    if isinstance(inner, Call):
        words = [
            called_name(inner),
            *dict.fromkeys(w for arg in inner.args for w in _words(unconverted(arg))),
        ]
    return "_".join(filter(None, (prefix, _operation(inner), *words[:2])))


def product_name(expr: Expr) -> str:
    """Return a name for a product of few variables: `inv3`, `u_r2_squared`, `twice_s`; or an empty one."""
    match expr:
        case Binary("*", Const(value=2.0 | 0.5 as number), other):
            names = [*_factors(other)]
            word = "twice" if number == 2.0 else "half"
            return f"{word}_{names[0]}" if len(names) == 1 and names[0] else ""
        case Binary("*"):
            counts = Counter(_factors(expr))
        case _:
            return ""
    if "" in counts or counts.total() > 3:
        return ""
    return "_".join(_power(name, times) for name, times in counts.items())


def _factors(expr: Expr) -> Iterator[str]:
    """The names of a product's factors; an empty one for what has none."""
    match unconverted(expr):
        case Binary("*", left, right):
            yield from _factors(left)
            yield from _factors(right)
        case Place() as place:
            yield place_name(place)
        case _:
            yield ""


def place_name(place: Place, sym: Sym | None = None) -> str:
    """Return the short name of a place, or of the same of another variable: `camera6`; or an empty one."""
    pointer, index = as_written(place)
    stem = (sym or place.sym).plain
    if not place.index:
        return stem
    return joined(pointer or stem, index) or ("" if pointer else element_name(stem, place))


def _power(name: str, times: int) -> str:
    if times == 1:
        return name
    return f"{name}_{'squared' if times == 2 else 'cubed'}" if name[-1].isdigit() else f"{name}{times}"


def as_written(place: Place) -> tuple[str, str]:
    """Return the author's name of the pointer through which an element is read, and a short index.

    The name is empty if it is the array's own, and so is what has no short name.
    """
    found = _ELEMENT.match(place.span.text) if place.span is not None else None
    if found is None:
        return "", ""
    name, index = found[1], found[2] or ""
    return ("" if name == place.sym.variable or "." in place.sym.name else name), index


def element_name(stem: str, place: Place) -> str:
    """Return the name of an element: `w2` for w[2], `w1_2` for w1[2], `a_ki` for a[k * n + i]."""
    own = f"{place.sym.plain}_"
    parts = [part.removeprefix(own) for index in place.index for part in _parts(unconverted(index))]
    together = ("" if all(len(part) == 1 for part in parts) else "_").join(parts)
    apart = "" if together.isdigit() and not stem[-1].isdigit() else "_"
    return apart.join((stem, together)) if together else stem


def _parts(index: Expr) -> list[str]:
    """The words of an index: `k`, of k * n; `k1`, of k + 1; `1`."""
    found = (e.sym for term in _terms(index) for e in walk(term) if isinstance(e, Place))
    parts = list(dict.fromkeys(sym.plain for sym in found if sym.storage != "parameter"))
    numbers = [term for term in _terms(index) if isinstance(term, Const)]
    value = sum(int(number.value) for number in numbers)
    if not parts:
        return [str(value)] if numbers and value >= 0 else []
    if 0 < value < 10 and not any(number.named for number in numbers):
        parts[-1] = f"{parts[-1]}{value}"
    return parts


def _terms(index: Expr) -> Iterator[Expr]:
    match index:
        case Binary("+", left, right):
            yield from _terms(unconverted(left))
            yield from _terms(unconverted(right))
        case Binary("%", left, _):
            yield from _terms(unconverted(left))
        case _:
            yield index


def whole_element_name(stem: str, place: Place) -> str:
    """Return the name of an element with its whole index: `u_i_minus_n` for u[i - n]; empty if it is long."""
    words = [word for index in place.index for word in _spoken(unconverted(index))]
    return "_".join((stem, *words)) if words and len(words) <= 3 and all(words) else ""


def _spoken(index: Expr) -> Iterator[str]:
    """The words of an index, with its operators; an empty one for what has no short name."""
    match index:
        case Binary("+" | "-" as op, left, right):
            yield from _spoken(unconverted(left))
            word, last = "plus" if op == "+" else "minus", [*_spoken(unconverted(right))]
            yield from [f"{word}{last[0]}"] if last[0].isdigit() else [word, *last]
        case Place(sym, ()):
            yield sym.plain
        case Const(value=value, spelling=spelled):
            number = str(value) if value >= 0 else f"minus{-value}"
            yield spelled if spelled is not None and spelled.isidentifier() else number
        case Binary("*", left, right):
            factors = [*_spoken(unconverted(left)), *_spoken(unconverted(right))]
            words = [word for word in factors if not word.isdigit()]
            yield words[0] if words and len(factors) == 2 else ""  # a row, by its number
        case _:
            yield ""


def total_of(target: Place, span: Span | None = None) -> Sym:
    """Return a variable in which a thread adds up what it owes to an element.

    What is owed to the components of a vector is added up in one: `adj_x_sum.z`, for `adj_x.z`.
    """
    stem, component = _component(target.sym)
    names = dict.fromkeys((element_name(stem, target), whole_element_name(stem, target)))
    longer = tuple(f"{name}{component}" for name in names if name) if target.index else ()
    name, kind = f"{stem}_sum{component}", scalar_type(target)
    return Sym(name, kind, span=span, of=target.sym.of, otherwise=longer)


def _component(sym: Sym) -> tuple[str, str]:
    """The names of an adjoint's vector and of the component that it is: `adj_x` and `.z`; or its own name."""
    of = sym.of
    type = None if of is None or of.within is None else of.within.type
    struct = type.target if isinstance(type, Pointer) else type
    if of is None or not isinstance(struct, Struct) or not struct.built_in:
        return sym.plain, ""
    component = "".join(f".{name}" for name in of.path)
    stem = sym.name.removesuffix(component)
    return (sym.plain, "") if "." in stem or stem == sym.name else (stem, component)


def loop_word(loop: For | While | DoWhile) -> str:
    """Return the word that says which loop is meant: its counter, or what its condition is about."""
    if isinstance(loop, For):
        for stmt in loop.init:
            if isinstance(stmt, Declare):
                return stmt.sym.plain
    about = (e.sym.plain for e in walk(loop.cond) if isinstance(e, Place)) if loop.cond is not None else ()
    return next(iter(about), "loop")


def trips_of(loop: For | While | DoWhile) -> Sym:
    """Return a variable for the number of a loop's trips."""
    return Sym("trips", INT, span=loop.span, otherwise=(f"trips_{loop_word(loop)}",))


def trip_of(loop: For | While | DoWhile) -> Sym:
    """Return a variable that counts a loop's trips."""
    return Sym("trip", INT, otherwise=(f"trip_{loop_word(loop)}",))


def _operation(expr: Expr) -> str:
    return _OPERATIONS.get(expr.op, "") if isinstance(expr, Binary) else ""


def _words(expr: Expr) -> Iterator[str]:
    """The variables and functions that an expression is made of, in order."""
    match expr:
        case Place(sym):
            yield sym.plain
        case Call():
            yield called_name(expr)
        case Binary(_, left, right):
            yield from _words(left)
            yield from _words(right)
        case Unary(_, arg) | Cast(arg):
            yield from _words(arg)
        case Select(_, then, other):
            yield from _words(then)
            yield from _words(other)
        case Const() | Special():
            pass
        case _:
            pass


def called_name(call: Call) -> str:
    """Return the name of the function that is called: `exp` for expf."""
    name = call.name.strip("_")
    return name[:-1] if len(name) > 2 and name.endswith("f") else name
