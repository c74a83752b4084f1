"""The texts of device functions that partials call and CUDA lacks.

They stand in the emitted file, `static`, one for each precision in use. Both
have the terms that double needs, since in a check `float` may mean double.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir import (
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
    Stmt,
    Switch,
    While,
    statements,
    walk,
)
from ..rules import HELPERS
from .view import View


def helpers(functions: Iterable[Function]) -> list[View]:
    """What the templates need for each helper that the functions call, in a fixed order."""
    called = {
        e.callee
        for function in functions
        for stmt in statements(function.body)
        for expr in _expressions(stmt)
        for e in walk(expr)
        if isinstance(e, Call)
    }
    spelled = [(name, real, f) for name in HELPERS for real, f in (("double", ""), ("float", "f"))]
    return [{"name": name, "real": real, "f": f} for name, real, f in spelled if name + f in called]


def text(name: str, real: str, f: str) -> str:
    """One helper in one precision; `f` ends the names and literals of single precision."""
    from .render import environment

    return environment().get_template(f"helpers/{name}.cuh.j2").render(real=real, f=f)


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
