"""What an adjoint would be if the launch were declared to have a thread for each point.

Where owners can gather what other threads contribute, `--assume covers:N` saves the atomics. The
declaration isn't made for the user: the adjoint refuses smaller launches, which the primal allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from . import pipeline
from .analysis.access.launch_coverage import AXES
from .diagnostics import Rejected
from .ir import (
    Binary,
    Declare,
    Expr,
    Function,
    If,
    Initialiser,
    Place,
    Scalar,
    Special,
    Sym,
    expressions,
    statements,
    unconverted,
    walk,
)
from .options import Assumption
from .pipeline import Transformed
from .transform.common.wording import listed

_ATOMIC = ("atomic", "rims")


@dataclass(frozen=True)
class Covering:
    """The option, and the adjoints that need no atomics with it."""

    option: str
    adjoints: list[str]

    def text(self) -> str:
        """Return a section of the page that explains an adjoint."""
        need = "needs" if len(self.adjoints) == 1 else "need"
        return (
            "## With a declared launch\n\n"
            f"`{self.option}` declares that the launch has a thread for each point, which the adjoint\n"
            f"tests. Then {listed(self.adjoints)} {need} no atomicAdd.\n"
        )


def covering(done: Transformed) -> Covering | None:
    """Return what the declaration would save; None if nothing, or if it is made already."""
    options = done.options
    atomic = _atomic(done)
    if not atomic or options.mode not in (None, "joint") or any(a.kind == "covers" for a in options.assume):
        return None
    extents = _extents(done.program.kernel)
    if not extents:
        return None
    declared = Assumption("covers", ":".join(extents))
    try:
        other = pipeline.transform(done.source, replace(options, assume=(*options.assume, declared)))
    except Rejected:
        return None
    left = _atomic(other)
    saved = [name for name in atomic if name not in left]
    return Covering(f"--assume covers:{declared.what}", saved) if saved else None


def _atomic(done: Transformed) -> tuple[str, ...]:
    return tuple(a.target for a in done.adjoint.plan.accumulations if a.how in _ATOMIC)


def _extents(kernel: Function) -> tuple[str, ...]:
    """Return what branches compare the coordinates of a thread with, by axis; empty if unknown."""
    values = {s.sym: s.init for s in statements(kernel.body) if isinstance(s, Declare)}
    used: set[str] = set()
    found: dict[str, str] = {}
    for stmt in statements(kernel.body):
        for expr in expressions(stmt):
            used |= _axes(expr, {})
        for part in walk(stmt.cond) if isinstance(stmt, If) else ():
            match part:
                case Binary("<" | ">=", left, right) if (name := _parameter(right)) is not None:
                    axes = _axes(left, values)
                    if len(axes) == 1:
                        found.setdefault(axes.pop(), name)
                case _:
                    pass
    wanted = [axis for axis in AXES if axis in used]
    known = "".join(wanted) == AXES[: len(wanted)] and found.keys() == set(wanted)
    return tuple(found[axis] for axis in wanted) if known else ()


def _axes(expr: Expr, values: Mapping[Sym, Expr | Initialiser | None]) -> set[str]:
    """Return the axes of the launch that a value depends on, through the variables that are set once."""
    out: set[str] = set()
    seen: set[Sym] = set()
    todo: list[Expr] = [expr]
    while todo:
        for part in walk(todo.pop()):
            if isinstance(part, Special) and part.axis in tuple(AXES):
                out.add(part.axis)
            elif isinstance(part, Place) and part.sym not in seen:
                seen.add(part.sym)
                value = values.get(part.sym)
                todo += [value] if value is not None and not isinstance(value, Initialiser) else []
    return out


def _parameter(expr: Expr) -> str | None:
    match unconverted(expr):
        case Place(sym, (), Scalar(is_float=False)) if sym.storage == "parameter" and "." not in sym.name:
            return sym.name
        case _:
            return None
