"""One realistic fault in an adjoint, as an exercise for a reviewer.

The faults are those that hands make when they write adjoints: a sum that is overwritten, a sign, an adjoint
that isn't cleared after its variable is overwritten, a sum of threads without an atomic, a stale value. Each
is a change of one line of the emitted text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A changed line, numbered from 1, and why it is wrong. A line that is gone is None."""

    line: int
    old: str
    new: str | None
    what: str
    why: str

    def applied(self, text: str) -> str:
        """Return the text with the fault."""
        lines = text.splitlines(keepends=True)
        end = "\n" if lines[self.line - 1].endswith("\n") else ""
        lines[self.line - 1 : self.line] = [] if self.new is None else [f"{self.new}{end}"]
        return "".join(lines)


@dataclass(frozen=True)
class Operator:
    """A kind of fault: its change of a line, None where it has none, and what there is to learn from it."""

    what: str
    why: str
    change: Callable[[str], str | None]
    drops: bool = False  # the line is removed


def _replaced(pattern: str, new: str) -> Callable[[str], str | None]:
    known = re.compile(pattern)

    def change(line: str) -> str | None:
        changed, count = known.subn(new, line, count=1)
        return changed if count else None

    return change


def _matched(pattern: str) -> Callable[[str], str | None]:
    known = re.compile(pattern)
    return lambda line: line if known.fullmatch(line) else None


_ADJOINT = r"\b(?:adj|grad)\d*_\w+"
_PLACE = rf"{_ADJOINT}(?:\[[^=;]*\])?"

OPERATORS = (
    Operator(
        "an adjoint is set where it must be added to",
        "a variable that is read more than once gets a contribution from each read: they add up",
        _replaced(rf"^(\s*{_PLACE}) \+= ", r"\1 = "),
    ),
    Operator(
        "the sign of a contribution",
        "the partial of a - b by b is -1, and so is each derivative that contains it",
        _replaced(rf"^(\s*{_PLACE}) -= ", r"\1 += "),
    ),
    Operator(
        "the sign of a contribution",
        "a contribution has the sign of the partial",
        _replaced(rf"^(\s*{_PLACE}) \+= ", r"\1 -= "),
    ),
    Operator(
        "an adjoint isn't cleared where its variable was overwritten",
        "what was there before an assignment has no influence on what comes after it, so its adjoint is zero",
        _matched(rf"\s*{_PLACE} = 0\.0f?;"),
        drops=True,
    ),
    Operator(
        "a contribution is missing",
        "each operand of a statement that depends on an input gets a contribution",
        _matched(rf"\s*{_PLACE} [+-]= .*;"),
        drops=True,
    ),
    Operator(
        "threads add to one element without an atomic",
        "what many threads read, many threads add to in the adjoint: a plain += loses contributions",
        _replaced(r"atomicAdd\(&([^,]+), (.*)\);", r"\1 += \2;"),
    ),
    Operator(
        "a sum of threads goes to one thread's element",
        "every thread has a part of the derivative by what all threads read",
        _replaced(r"^(\s*)(?:block|warp)_add\(&?([^,]+), (.*)\);", r"\1*(&\2) += \3;"),
    ),
    Operator(
        "the reverse sweep runs forwards",
        "the adjoint of the last iteration comes first: it makes what the iterations before it need",
        _replaced(r"for \(int (\w+) = (.+) - 1; \1 >= 0; --\1\)", r"for (int \1 = 0; \1 < \2; ++\1)"),
    ),
    Operator(
        "the last iteration isn't reversed",
        "an iteration that ran has an adjoint",
        _replaced(r"for \(int (\w+) = (.+) - 1; \1 >= 0; --\1\)", r"for (int \1 = \2 - 2; \1 >= 0; --\1)"),
    ),
    Operator(
        "a value of another iteration",
        "an adjoint uses the values that its own iteration had",
        _replaced(r"= (tape_\w+)\[(\w+)\];", r"= \1[\2 > 0 ? \2 - 1 : 0];"),
    ),
    Operator(
        "a factor of a partial is missing",
        "the partial of x * x is 2 x: x is read twice",
        _replaced(rf"^(\s*(?:const )?(?:float |double )?{_PLACE} (?:[+-]=|=) .*)\b2\.0f? \* ", r"\1"),
    ),
    Operator(
        "sine and cosine are mistaken",
        "the partial of sin(x) is cos(x), that of cos(x) is -sin(x)",
        _replaced(rf"^(\s*(?:const )?(?:float |double )?{_PLACE} .*)\bcos(f?)\(", r"\1sin\2("),
    ),
    Operator(
        "a neighbour's element",
        "a read of x[i - 1] adds to the adjoint of x[i - 1], whoever reads it",
        _replaced(rf"^(\s*{_ADJOINT}\[[^\]]*?) - 1\] \+= ", r"\1] += "),
    ),
    Operator(
        "a barrier is missing",
        "what a thread reads from shared memory another one has written, before a barrier",
        _matched(r"\s*__syncthreads\(\);"),
        drops=True,
    ),
)
"""The kinds of faults, each with its lesson."""

_START = re.compile(r"^(?:extern \"C\" )?(?:static )?__(?:global|device)__ .*\b\w+_adj\w*\(", re.MULTILINE)


def faults(text: str) -> tuple[Fault, ...]:
    """Return all faults that the lines of an emitted adjoint can have, in the order of the text."""
    lines = text.splitlines()
    return tuple(dict.fromkeys(fault for number in _body(lines) for fault in _of_line(number, lines)))


def shuffled(text: str, seed: int) -> list[Fault]:
    """Return the faults in a random order, in which each kind comes once before any comes twice."""
    draw = random.Random(seed)
    kinds: dict[str, list[Fault]] = {}
    for fault in faults(text):
        kinds.setdefault(fault.what, []).append(fault)
    for some in kinds.values():
        draw.shuffle(some)
    order = list(kinds.values())
    draw.shuffle(order)
    longest = max(map(len, order), default=0)
    return [some[turn] for turn in range(longest) for some in order if turn < len(some)]


def planted(right: str, wrong: str) -> Fault | None:
    """Return the fault by which a text differs from the right one; None if it isn't one of ours."""
    return next((fault for fault in faults(right) if fault.applied(right) == wrong), None)


def _body(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines, from 0, of the adjoints: not those of the header and the helpers."""
    inside = False
    for number, line in enumerate(lines):
        if _START.match(line):
            inside = True
        elif line.startswith("}"):
            inside = False
        elif inside and not line.lstrip().startswith("//"):
            yield number


def _of_line(number: int, lines: Sequence[str]) -> Iterator[Fault]:
    line = lines[number]
    # a statement that is the body of an `if` or goes on in the next line can't be removed
    single = line.rstrip().endswith(";") and not _is_part(lines[number - 1])
    for operator in OPERATORS:
        changed = operator.change(line)
        if changed is None or (operator.drops and not single):
            continue
        yield Fault(number + 1, line, None if operator.drops else changed, operator.what, operator.why)


def _is_part(before: str) -> bool:
    """Whether a line goes on in the next one."""
    code = before.split("//")[0].rstrip()
    return bool(code) and not code.endswith((";", "{", "}", ":"))
