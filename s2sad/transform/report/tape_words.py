"""Describe a tape in the plan: where it lies, how it is declared, and the size of an element."""

from __future__ import annotations

from ...analysis.loops.counted_loops import constant
from ...ir import Array, Cast, Expr, Pointer, Scalar, Select
from ...irtext import show
from ..common.algebra import rewrite
from ..plan.tape_storage import Tape


def kind_of_memory(tape: Tape) -> str:
    """Return the kind of memory."""
    if tape.is_global:
        return "global memory"
    if tape.register:
        return "a register"
    return "registers" if tape.elements <= 16 else "local memory"


def spelled(tape: Tape) -> str:
    """Return the name with the extents, as the author spells them: `tape_s[STEPS]`."""
    if isinstance(tape.sym.type, Array) and not tape.is_global:
        return tape.sym.name + "".join(f"[{extent}]" for extent in tape.sym.type.spelled)
    counts = [c.then if isinstance(c, Select) else c for c in tape.counts]
    return tape.sym.name + "".join(
        f"[{show(plain(c)) if c.spelling is None else c.spelling}]" for c in counts
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


def plain(count: Expr) -> Expr:
    """Return a count without implicit conversions."""
    return rewrite(count, lambda e: plain(e.arg) if isinstance(e, Cast) and e.implicit else None)
