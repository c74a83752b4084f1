"""What a device function makes its value of: its arguments alone, or its thread's position too."""

from __future__ import annotations

from collections.abc import Mapping

from ..fixpoint import fixpoint
from ..ir import COLLECTIVE, AddressOf, Call, Function, Place, Special, all_parts
from .atomics import is_drawn


def alike(functions: Mapping[str, Function]) -> frozenset[str]:
    """The device functions that give all threads of a block the same for the same arguments.

    They look at no memory, and neither they nor those that they call ask for their thread.
    Each round takes functions away until none is.
    """
    start = {name for name, f in functions.items() if of_arguments(f, calls=True) and not _asks(f)}

    def kept(found: frozenset[str]) -> frozenset[str]:
        return frozenset(name for name in found if _called(functions[name]) <= found)

    return fixpoint(kept, frozenset(start), len(start), "which functions are the same for a block")


def of_arguments(function: Function, calls: bool = False) -> bool:
    """Whether a device function's value follows from its arguments and the thread's position.

    `calls`: it may call others.
    """
    for part in all_parts(*function.body):
        match part:
            case Place(_, index) if index:
                return False
            case Place(sym) if sym.storage == "shared":
                return False
            case AddressOf():
                return False
            case Call() if part.callee is not None and not calls:
                return False
            case Call() if is_drawn(part) or part.rule in COLLECTIVE:
                return False
            case _:
                pass
    return True


def looked_at(function: Function) -> set[str]:
    """The coordinates that a device function looks at by itself."""
    parts = (p for p in all_parts(*function.body) if isinstance(p, Special))
    return {f"{p.name}.{p.axis}" for p in parts if p.name in ("threadIdx", "blockIdx")}


def _asks(function: Function) -> bool:
    return any(name.startswith("threadIdx") for name in looked_at(function))


def _called(function: Function) -> set[str]:
    parts = all_parts(*function.body)
    return {p.callee for p in parts if isinstance(p, Call) and p.callee is not None}
