"""What determines the value of a device function: its arguments alone, or the thread's position too.

And what a kernel says of its launches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..fixpoint import fixpoint
from ..ir import COLLECTIVE, AddressOf, Call, Function, Place, Special, all_parts
from .atomics import is_drawn

LARGEST = 1024  # threads of a block, on every device

_BOUNDS = re.compile(r"__launch_bounds__\s*\(\s*(\d+)\s*[,)]")


def most_threads(kernel: Function) -> int:
    """The number of threads that a block can have: a launch with more than the kernel's bound fails."""
    bounds = [int(found[1]) for word in kernel.attributes if (found := _BOUNDS.search(word))]
    return min(LARGEST, *bounds) if bounds else LARGEST


def alike(functions: Mapping[str, Function]) -> frozenset[str]:
    """Find device functions that return the same value to all threads of a block for the same arguments.

    They access no memory, and neither they nor the functions they call read the thread's index.
    Each round removes functions that call one outside the set, until a fixed point.
    """
    start = {name for name, f in functions.items() if of_arguments(f, calls=True) and not _asks(f)}

    def kept(found: frozenset[str]) -> frozenset[str]:
        return frozenset(name for name in found if _called(functions[name]) <= found)

    return fixpoint(kept, frozenset(start), len(start), "which functions are the same for a block")


def of_arguments(function: Function, calls: bool = False) -> bool:
    """Whether a device function's value is determined by its arguments and the thread's position.

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
    """Return the coordinates that a device function reads itself, not through calls."""
    parts = (p for p in all_parts(*function.body) if isinstance(p, Special))
    return {f"{p.name}.{p.axis}" for p in parts if p.name in ("threadIdx", "blockIdx")}


def _asks(function: Function) -> bool:
    return any(name.startswith("threadIdx") for name in looked_at(function))


def _called(function: Function) -> set[str]:
    parts = all_parts(*function.body)
    return {p.callee for p in parts if isinstance(p, Call) and p.callee is not None}
