"""What one thread of a launch executed, as picklable values.

A recording is a list of events in the order in which they happened: a statement begins, a condition has an
outcome, a value is read or written. `Program` says what the numbers in them mean: the statements of the text,
and the operands of each, by the places where they are written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from .values import Array

What = Literal["hit", "side", "trip", "enter", "leave", "index", "read", "before", "after", "value"]
"""hit: a statement begins. side: a condition's outcome. trip: the test of a loop. enter, leave: a function of
the text. index: a subscript of an operand that follows. before, after: an operand that is written.
value: of a right side, of what an atomic operation combines, or what a function returns."""

WHATS: tuple[What, ...] = (
    "hit",
    "side",
    "trip",
    "enter",
    "leave",
    "index",
    "read",
    "before",
    "after",
    "value",
)

Number = int | float | bool


@dataclass(frozen=True)
class Statement:
    """A statement of the text: where it is, from `line` to `end`, and its words without macros, on one line.

    `side` isn't empty for a label in a switch, which is a point of the statement `within`.
    """

    number: int
    file: str
    line: int
    end: int
    text: str
    function: int
    side: str = ""
    within: int = -1
    loops: tuple[int, ...] = ()  # around it, outermost first


@dataclass(frozen=True)
class Operand:
    """A place in a statement where a value is read or written, or a value that has no name.

    `parts` is its text around subscripts: ("x[", "]"). `op` is what a write does: "=", "+=", "atomicAdd".
    """

    statement: int
    parts: tuple[str, ...]
    op: str = ""
    name: str = ""  # the variable's

    def spelled(self, subscripts: Mapping[int, int]) -> str:
        """Return the text with the subscripts' values: x[3]."""
        text = self.parts[0]
        for number, part in enumerate(self.parts[1:]):
            text += f"{subscripts.get(number, '?')}{part}"
        return text


class Value(NamedTuple):
    """A recorded value: a number, the address that a pointer has, or an object's bytes with its C++ type.

    `size` is that of its type in bytes.
    """

    form: Literal["nothing", "truth", "integer", "real", "pointer", "bytes"]
    number: Number = 0
    size: int = 0
    bytes: bytes = b""
    type: str = ""


class Event(NamedTuple):
    """`id` is a statement's number, a function's, or an operand's; `address` is where the value is."""

    what: What
    id: int
    depth: int
    value: Value
    address: int = 0
    detail: int = 0


@dataclass(frozen=True)
class Program:
    """The meaning of a recorded text's numbers. `coarse`: without the values that are only read."""

    statements: tuple[Statement, ...]
    operands: tuple[Operand, ...]
    functions: tuple[str, ...]
    coarse: bool = False


@dataclass(frozen=True)
class Placed:
    """Where an array of the launch was: its name, address, element type and number of elements."""

    name: str
    address: int
    type: Any  # numpy's
    count: int

    @staticmethod
    def of(name: str, array: Array) -> Placed:
        return Placed(name, array.ctypes.data, array.dtype, array.size)


@dataclass(frozen=True)
class Recording:
    """The events of one thread: the first and the last ones, if there were too many.

    `missed` events were at the place `gap`.
    """

    program: Program
    events: tuple[Event, ...]
    arrays: tuple[Placed, ...]
    gap: int = 0
    missed: int = 0
