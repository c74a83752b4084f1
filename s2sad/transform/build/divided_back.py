"""Divide a variable back in a reversed loop: `T_then /= 1.0f - alpha` undoes `T *= 1.0f - alpha`.

T_last is T when the last iteration began, T_then what it was in the iteration that is reversed.
"""

from __future__ import annotations

from ...analysis.ssa import Loop, Version
from ...ir import BOOL, Assign, Binary, Comment, Declare, Expr, If, Place, Restore, Stmt, Sym
from ...irtext import show
from ..common.integer_expressions import minus_one
from .frames import Frame
from .sweep import Sweep


def before_loop(b: Sweep, loop: Loop, inner: Frame) -> list[Stmt]:
    """Declare the variables that a reversed loop divides back, with their values in its last iteration."""
    out: list[Stmt] = []
    for head in b.versions.heads[loop].values():
        if head not in b.recorded.undone:
            continue
        then = inner.divided[head] = Sym(head.sym.then.replace(".", "_"), head.sym.type, of=head.sym)
        place = Place(then, (), then.type)
        if head in b.storage.handed_last:
            out.append(Restore(place, b.storage.handed_last[head].place(()), True))
        else:
            last = b.storage.last[head]
            out.append(Declare(then, Place(last, (), last.type)))
    return out


def enter(frame: Frame, head: Version, writes: bool) -> None:
    """Let what a body reads at its start be the variable; `writes`: the body changes it, and has its own."""
    then = frame.divided[head]
    frame.bound[head] = Place(then, (), then.type)
    if writes:
        frame.rename[head.sym] = head.sym.anew()


def divided(b: Sweep, head: Version, frame: Frame, factor: Expr) -> list[Stmt]:
    """Divide, but in the last iteration, and declare the body's own variable, if it has one."""
    loop = head.stmt
    assert isinstance(loop, Loop)
    then = frame.divided[head]
    place, trips = Place(then, (), then.type), b.storage.trips[loop]
    earlier = Binary("<", frame.iteration[loop], minus_one(trips), BOOL)
    limit = show(b.recorded.undone[head].limit)
    words = (
        f"{head.sym.name} as this iteration began; no divisor is zero, since the loop is left below {limit}"
    )
    out: list[Stmt] = [Comment(words), If(earlier, (Assign(place, factor, "/="),))]
    own = frame.rename.get(head.sym)
    if own is not None:
        out.append(Declare(own, place))
    return out
