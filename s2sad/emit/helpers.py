"""The texts of device functions that partials call and CUDA lacks.

They stand in the emitted file, `static`, one for each precision in use. Both
have the terms that double needs, since in a check `float` may mean double.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ..ir import (
    BFLOAT16,
    HALF,
    Accumulate,
    Assign,
    Barrier,
    Call,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Record,
    Restore,
    Return,
    Scalar,
    Stmt,
    Switch,
    While,
    statements,
    walk,
)
from ..rules import HELPERS
from ..transform.statements import EXCHANGE
from .text import CONVERSIONS
from .view import BLOCK_ADD, BLOCK_SUM, View


def helpers(
    functions: Iterable[Function], sums: Mapping[str, str], totals: Mapping[str, str], threads: int
) -> list[View]:
    """What the templates need for each helper that the functions call, in a fixed order.

    `sums` and `totals` name the functions that add up a block's values, by type; of so many
    `threads`, if that isn't zero.
    """
    called = {
        e.callee
        for function in functions
        for stmt in statements(function.body)
        for expr in _expressions(stmt)
        for e in walk(expr)
        if isinstance(e, Call)
    }
    spelled = [(name, real, f) for name in HELPERS for real, f in (("double", ""), ("float", "f"))]
    found: list[View] = [
        {"text": name, "name": name + f, "real": real, "f": f}
        for name, real, f in spelled
        if name + f in called
    ]
    found += [
        {"text": EXCHANGE, "name": name, "real": "double", "f": ""}
        for name in sorted(n for n in called if n is not None and n.rstrip("_") == EXCHANGE)
    ]
    found += [
        {"text": text, "name": names[real], "real": real, "f": f, "threads": threads}
        for text, names in ((BLOCK_SUM, totals), (BLOCK_ADD, sums))
        for real, f in (("double", ""), ("float", "f"))
        if real in names
    ]
    return found + [
        {
            "text": BLOCK_ADD,
            "name": sums[half.name],
            "real": "float",
            "f": "f",
            "held": half.name,
            "convert": CONVERSIONS["float", half.name],
        }
        for half in (HALF, BFLOAT16)
        if half.name in sums
    ]


def sum_names(kernel: Function, taken: Collection[str]) -> dict[str, str]:
    """What the functions are called that add up a block's values, by type; `taken` are the author's names."""
    adds = (s for s in statements(kernel.body) if isinstance(s, Accumulate) and s.how == "reduce")
    return _names(BLOCK_ADD, {s.target.type.name for s in adds if isinstance(s.target.type, Scalar)}, taken)


def total_names(kernel: Function, taken: Collection[str]) -> dict[str, str]:
    """The same of the functions that leave the sum with all threads."""
    calls = (e for s in statements(kernel.body) for top in _expressions(s) for e in walk(top))
    types = {
        e.type.name for e in calls if isinstance(e, Call) and e.rule == "sum" and isinstance(e.type, Scalar)
    }
    return _names(BLOCK_SUM, types, taken)


def _names(stem: str, types: Collection[str], taken: Collection[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for real in sorted(types, reverse=True):  # float has the name, unless only double is in use
        name = stem if not names else f"{stem}_{real}"
        while name in taken:
            name += "_"
        names[real] = name
    return names


def text(name: str, real: str, f: str) -> str:
    """One helper in one precision; `f` ends the names and literals of single precision."""
    from .render import environment

    spelled = name if name in (BLOCK_ADD, BLOCK_SUM) else name + f
    return environment().get_template(f"helpers/{name}.cuh.j2").render(real=real, f=f, name=spelled, held="")


def _expressions(stmt: Stmt) -> Iterator[Expr]:
    """The expressions of a statement itself, not those of its bodies."""
    match stmt:
        case Declare(_, Initialiser(values)):
            yield from values
        case Declare(_, init) if init is not None and not isinstance(init, Initialiser):
            yield init
        case Assign(target, value) | Record(target, value) | Restore(target, value):
            yield from (target, value)
        case Accumulate(target, amount):
            yield from (target, amount)
        case Evaluate(call):
            yield call
        case If(cond) | While(cond) | DoWhile(_, cond) | Switch(cond):
            yield cond
        case For(_, cond) if cond is not None:
            yield cond
        case Return(value) | Barrier(_, value) if value is not None:
            yield value
        case _:
            pass
