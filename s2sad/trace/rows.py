"""The rows of a trace: each execution of a statement, with what it read, wrote and decided.

The events of a recording are put in order here: a value belongs to the execution of its statement that is
going on, also if functions with statements of their own run meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..run.recording import Event, Operand, Program, Recording, Statement, Value
from .values import Element, element


@dataclass
class Seen:
    """A value read, or written: `before` and `value` are those around the statement.

    `added`: what a compound assignment or an atomic operation combines with the value.
    """

    text: str
    name: str
    op: str
    value: Value | None = None
    before: Value | None = None
    added: Value | None = None
    element: Element | None = None


@dataclass
class Row:
    """One execution of a statement. `trips`: the trips of the loops around it, by line, from 1.

    `outcome`: of a condition, or of a loop's test.
    """

    statement: Statement
    function: str
    depth: int
    trips: tuple[tuple[int, int], ...]
    outcome: str = ""
    reads: list[Seen] = field(default_factory=list)
    writes: list[Seen] = field(default_factory=list)
    returned: Value | None = None
    decides: bool | None = None

    @property
    def key(self) -> tuple[int, int]:
        """What tells executions of different statements apart."""
        return self.statement.number, self.depth


@dataclass
class _Frame:
    """A call of a function: the current execution of each of its statements, and the trips of its loops."""

    now: dict[int, Row] = field(default_factory=dict)
    trips: dict[int, int] = field(default_factory=dict)
    subscripts: dict[int, dict[int, int]] = field(default_factory=dict)
    added: dict[int, Value] = field(default_factory=dict)
    open: dict[int, Seen] = field(default_factory=dict)  # what is written, until its statement ends


def rows(recording: Recording) -> tuple[Row, ...]:
    """Return the rows of a recording, in the order in which they ran."""
    return tuple(_Reader(recording).rows)


def before_gap(recording: Recording) -> int:
    """Return the number of rows before the events that are missing; 0 if none are."""
    return _Reader(recording).gap if recording.missed else 0


class _Reader:
    def __init__(self, recording: Recording) -> None:
        self.program: Program = recording.program
        self.arrays = recording.arrays
        self.rows: list[Row] = []
        self.frames: list[_Frame] = [_Frame()]
        self.gap = 0  # the rows before the events that are missing
        for number, event in enumerate(recording.events):
            if recording.missed and number == recording.gap:
                self.gap = len(self.rows)
                self.frames = [_Frame() for _ in range(event.depth + (event.what != "enter"))]
            self._read(event)

    def _read(self, event: Event) -> None:
        match event.what:
            case "enter":
                self.frames.append(_Frame())
            case "leave":
                self.frames.pop()
            case "hit":
                self._hit(self.program.statements[event.id], event.depth)
            case "side" | "trip":
                self._decided(event)
            case "index":
                self.frames[-1].subscripts.setdefault(event.id, {})[event.detail] = int(event.value.number)
            case _:
                self._valued(event, self.program.operands[event.id])

    def _hit(self, statement: Statement, depth: int) -> None:
        frame = self.frames[-1]
        if statement.side:
            if row := frame.now.get(statement.within):
                row.outcome = statement.side
            return
        frame.now[statement.number] = row = self._row(statement, depth)
        frame.trips.pop(statement.number, None)
        self.rows.append(row)
        if statement.text == "do":
            row.outcome, frame.trips[statement.number] = "trip 1", 1
            frame.now.pop(statement.number)  # what it reads next belongs to its test

    def _row(self, statement: Statement, depth: int) -> Row:
        frame = self.frames[-1]
        around = (self.program.statements[number] for number in statement.loops)
        trips = tuple((s.line, frame.trips[s.number]) for s in around if s.number in frame.trips)
        return Row(statement, self.program.functions[statement.function], depth, trips)

    def _decided(self, event: Event) -> None:
        """Note the outcome of a condition; each test of a loop but the first begins a row."""
        frame, point = self.frames[-1], self.program.statements[event.id]
        owner, yes = self.program.statements[point.within], bool(event.value.number)
        row = frame.now.get(owner.number)
        if event.what == "side":
            if row is not None:
                row.outcome, row.decides = "true" if yes else "false", yes
            return
        if event.detail or row is None:
            row = row or self._row(owner, event.depth)
            self.rows.append(row)
        trip = event.detail + 1
        if not yes:
            row.outcome = f"ends after {event.detail} {'trip' if event.detail == 1 else 'trips'}"
        else:
            row.outcome, frame.trips[owner.number] = f"trip {trip}", trip
        row.decides = yes
        frame.now.pop(owner.number, None)  # what it reads next belongs to its next test

    def _valued(self, event: Event, operand: Operand) -> None:
        frame = self.frames[-1]
        row = frame.now.get(operand.statement)
        if row is None:
            statement = self.program.statements[operand.statement]
            frame.now[operand.statement] = row = self._row(statement, event.depth)
        if event.what == "value":
            if operand.op == "return":
                row.returned = event.value
            else:
                frame.added[event.id] = event.value
            return
        if event.what == "after" and event.id in frame.open:
            frame.open.pop(event.id).value = event.value
            return
        text = operand.spelled(frame.subscripts.pop(event.id, {}))
        at = element(self.arrays, event.address, event.value.size) if event.address else None
        seen = Seen(text, operand.name, operand.op, element=at)
        if event.what == "read":
            seen.value = event.value
            if all(one.text != text or one.value != event.value for one in row.reads):
                row.reads.append(seen)
        elif event.what == "before":
            seen.before = event.value
            seen.added = frame.added.pop(event.id, None)
            frame.open[event.id] = seen
            row.writes.append(seen)
        else:
            seen.value = event.value
            row.writes.append(seen)
