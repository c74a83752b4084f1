"""Describe a tape in the plan: where it lies, how it is declared, and the size of an element."""

from __future__ import annotations

from collections.abc import Container, Iterable

from ...analysis.loops.counted_loops import constant
from ...analysis.ssa import Loop
from ...ir import (
    Array,
    Binary,
    Call,
    Declare,
    Expr,
    For,
    Place,
    Pointer,
    Scalar,
    Select,
    Special,
    Sym,
    walk,
)
from ...irtext import show
from ..common.algebra import without_conversions
from ..plan.tape_storage import Tape


def kind_of_memory(tape: Tape) -> str:
    """Return the kind of memory."""
    if tape.is_global:
        return "global memory"
    if tape.register:
        return "a register"
    return "registers" if tape.elements <= 16 and _can_be_unrolled(tape.loops) else "local memory"


def _can_be_unrolled(loops: Iterable[Loop]) -> bool:
    """Whether loops, each in the one before, begin and end at numbers or at counters of those around them."""
    known: set[Sym] = set()
    for loop in loops:
        match loop:
            case For((Declare(counter, init), *_), Binary(_, left, right)) if isinstance(init, Expr):
                pass
            case _:
                return False
        if not _is_known(init, known) or not (_is_known(left, known) or _is_known(right, known)):
            return False
        known.add(counter)
    return True


def _is_known(expr: Expr, known: Container[Sym]) -> bool:
    return all(
        not isinstance(e, Place | Special | Call) or (isinstance(e, Place) and e.sym in known)
        for e in walk(expr)
    )


def spelled(tape: Tape) -> str:
    """Return the name with the extents, as the author spells them: `tape_s[STEPS]`."""
    if isinstance(tape.sym.type, Array) and not tape.is_global:
        return tape.sym.name + "".join(f"[{extent}]" for extent in tape.sym.type.spelled)
    counts = [c.then if isinstance(c, Select) else c for c in tape.counts]
    return tape.sym.name + "".join(
        f"[{show(without_conversions(c)) if c.spelling is None else c.spelling}]" for c in counts
    )


def size_of(type_: object) -> int:
    """Return the bytes of an element; 0 for what has none."""
    match type_:
        case Scalar():
            return type_.size
        case Array():
            return type_.element.size
        case Pointer(target):
            return size_of(target)
        case _:
            return 0


def fixed_size(tape: Tape) -> bool:
    """Whether the number of elements is a constant."""
    return all(constant(c) is not None for c in tape.counts)
