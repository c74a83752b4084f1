"""A trace as a value: the kernels that a thread ran, line by line, with float and double."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Literal

from .values import Element

Kind = Literal["", "record", "restore", "add", "clear"]
"""What a line does with the tape or an adjoint."""

Role = Literal["primal", "forward", "adjoint"]
"""forward: K_fwd of the split shape."""

Sweep = Literal["primal", "forward", "reverse", "helper"]
"""helper: a function that the emitted file needs beside the kernel."""


@dataclass(frozen=True)
class Pair:
    """A value with `float` as itself, and as `double`: empty if there is none."""

    float: str
    double: str = ""


@dataclass(frozen=True)
class Shown:
    """A value that a line read or wrote; `element` is the array's element, if the text doesn't say it."""

    text: str
    op: str
    value: Pair
    before: Pair = field(default_factory=lambda: Pair(""))
    added: Pair = field(default_factory=lambda: Pair(""))
    element: str = ""
    name: str = ""
    at: Element | None = None
    is_number: bool = False  # not a pointer
    is_real: bool = False


@dataclass(frozen=True)
class Line:
    """One execution of a line. `of`: the primal's lines that it belongs to; `only`: it ran in one type alone.

    `number` counts the lines of its kernel from 1.
    """

    number: int
    file: str
    line: int
    text: str
    function: str
    depth: int
    trips: tuple[tuple[int, int], ...]
    outcome: Pair
    reads: tuple[Shown, ...]
    writes: tuple[Shown, ...]
    returned: Pair | None
    sweep: Sweep
    kinds: tuple[Kind, ...] = ()
    of: tuple[tuple[str, int], ...] = ()
    only: str = ""
    is_real: bool = False  # what it returns


@dataclass(frozen=True)
class Ran:
    """A kernel's run by the thread. `left`: how the thread left it, if not at its end."""

    name: str
    role: Role
    lines: tuple[Line, ...]
    left: str = ""
    apart: str = ""  # where float and double took different ways
    missed: int = 0  # values that weren't kept,
    gap: int = 0  # after the line of this number
    coarse: bool = False
    differs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Taped:
    """A value on the tape: where it was recorded, and where it was restored; by kernel and line's number."""

    text: str
    value: Pair
    recorded: tuple[str, int]
    restored: tuple[tuple[str, int], ...]
    same: bool = True


@dataclass(frozen=True)
class Went:
    """An element of an adjoint array that the thread changed, or handed to a function that adds to it.

    `added`: what one line adds, if only one does. `final` is the element after the launch.
    """

    text: str
    lines: tuple[int, ...]
    before: str
    left: str
    final: str
    through: str = ""
    added: str = ""
    shared: bool = False  # other threads changed it too


@dataclass(frozen=True)
class Trace:
    """One thread's run through a kernel and its adjoint."""

    kernel: str
    adjoint: str
    file: str
    case: str
    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    grid: tuple[int, int, int]
    threads: tuple[int, int, int]
    kernels: tuple[Ran, ...]
    taped: tuple[Taped, ...]
    went: tuple[Went, ...]
    notes: tuple[str, ...]
    doubles: bool
    adjoints: tuple[str, ...] = ()  # the names of variables that hold adjoints,
    tapes: tuple[str, ...] = ()  # and of those that hold recorded values

    @property
    def ok(self) -> bool:
        """Whether the recorded texts computed what the plain texts compute."""
        return not any(one.differs for one in self.kernels)

    def to_dict(self) -> dict[str, object]:
        """Return the trace as plain values."""
        found = asdict(self)
        for kernel in found["kernels"]:
            for line in kernel["lines"]:
                for one in (*line["reads"], *line["writes"]):
                    one["at"] = None if one["at"] is None else str(Element(*one["at"]))
        return found
