"""The faults that a watched launch finds: races, out-of-bounds accesses, divergent barriers.

They are picklable, to be passed between processes, and can be formatted as
sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .coverage import Coverage
from .values import Extent

Kind = Literal[
    "race",
    "same-value",
    "out-of-bounds",
    "unwritten-shared",
    "misaligned",
    "division-by-zero",
    "missing-return",
    "divergent-barrier",
    "missed-barrier",
    "endless",
    "crash",
    "failed",
]
"""same-value: unordered stores of one value to one element. missed-barrier: a barrier that opens although
threads of the block have returned. failed: any other failure of a launch."""

AccessKind = Literal["read", "write", "atomic"]
_DOES = {"read": "reads", "write": "writes", "atomic": "atomically updates"}


@dataclass(frozen=True)
class Access:
    """An access and its thread; `line` is None if the library has no line table."""

    what: AccessKind
    block: Extent
    thread: Extent
    line: int | None

    @property
    def who(self) -> str:
        return f"block {self.block}, thread {self.thread}"

    @property
    def where(self) -> str:
        return "" if self.line is None else f" in line {self.line}"


@dataclass(frozen=True)
class Fault:
    """One fault of a launch.

    `array` and `element` name the place: a parameter or a shared variable and a flat
    index, if there is one. `accesses` are the accesses at fault, the later one first.
    `times`: how often the same lines did the same. `detail` holds anything that has no
    field. `allowed`: whether the hardware allows it and the text isn't ours, which makes it
    a warning.
    """

    kind: Kind
    kernel: str
    array: str = ""
    element: int | None = None
    accesses: tuple[Access, ...] = ()
    detail: str = ""
    times: int = 1
    allowed: bool = False

    @property
    def harmless(self) -> bool:
        """Whether the verdict ignores it: any order of threads gives the same values, or it is allowed."""
        return self.kind == "same-value" or self.allowed

    @property
    def place(self) -> str:
        return f"{self.array}[{self.element}]" if self.element is not None else self.array

    def text(self) -> str:
        """Return the fault as a clause, in lower case, without a full stop."""
        return f"{self.kernel}: {self._text()}"

    def _text(self) -> str:
        first = self.accesses[0] if self.accesses else None
        match self.kind:
            case "race" | "same-value":
                assert first is not None
                second = self.accesses[1]
                head = f"race on {self.place}"
                if self.kind == "same-value":
                    head = f"unordered stores of the same value to {self.place}"
                return (
                    f"{head}: {_DOES[first.what]}{first.where} by {first.who}; "
                    f"{_DOES[second.what]}{second.where} by {second.who}"
                )
            case "out-of-bounds" | "unwritten-shared" | "misaligned" if self.array:
                assert first is not None
                return f"{first.who} {_DOES[first.what]} {self.place}{first.where}: {self.detail}"
            case _ if first is not None:
                return f"{self.detail}{first.where}, {first.who}"
            case _:
                return self.detail

    def to_dict(self) -> dict[str, object]:
        """Return the fault as plain values.

        kind      one of the words of `Kind`
        kernel    its name
        array, element   the place, null if there is none
        accesses  what (read, write, atomic), block, thread, line; the later one first
        times     how often these lines did it
        warning   whether the verdict ignores it
        text      the sentence
        """
        return {
            "kind": self.kind,
            "kernel": self.kernel,
            "array": self.array or None,
            "element": self.element,
            "accesses": [
                {"what": a.what, "block": list(a.block), "thread": list(a.thread), "line": a.line}
                for a in self.accesses
            ],
            "times": self.times,
            "warning": self.harmless,
            "text": self.text(),
        }


@dataclass(frozen=True)
class Traffic:
    """The accesses of a launch to one kind of memory; an atomic counts as neither a read nor a write."""

    reads: int = 0
    writes: int = 0
    atomics: int = 0
    bytes: int = 0  # of all three


@dataclass(frozen=True)
class Tally:
    """Counts of a launch: accesses to arrays, except local ones, and barriers, each once per block."""

    global_memory: Traffic = Traffic()
    shared_memory: Traffic = Traffic()
    barriers: int = 0
    active: int = 0  # threads that store something

    @property
    def accesses(self) -> int:
        return sum(m.reads + m.writes + m.atomics for m in (self.global_memory, self.shared_memory))


@dataclass(frozen=True)
class Inspection:
    """The result of a watched launch: its faults and the counts of its accesses.

    `last`: for each requested element, the last store or atomic; None if there was none.
    """

    faults: tuple[Fault, ...]
    tally: Tally = Tally()
    last: tuple[Access | None, ...] = ()
    coverage: Coverage | None = None  # if requested

    @property
    def accesses(self) -> int:
        return self.tally.accesses

    @property
    def ok(self) -> bool:
        return all(fault.harmless for fault in self.faults)


def worst_first(faults: Sequence[Fault]) -> list[Fault]:
    """Sort harmless faults last; the order is otherwise kept."""
    return sorted(faults, key=lambda fault: fault.harmless)
