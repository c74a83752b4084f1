"""Fit text to a width: long statements, comments, tables.

Breaking a line changes no token. Code breaks where the fewest parentheses are
open, before the operator that binds least, and continues under the text inside
the innermost open one.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from itertools import zip_longest

from .c_printer import LEVEL

CODE_WIDTH = 100
PROSE_WIDTH = 88
QUOTE_WIDTH = 80  # of a line of a statement of the primal in a comment

_QUOTE = re.compile(r"( *//(?: (?:[\w.-]+:)?\d+:)? +)")
_ASSIGNS = re.compile(r" [-+*/%&|^<>]*= ")
_OPERATORS = {"?": 3, ":": 3, **LEVEL}


def folded(text: str, width: int = CODE_WIDTH) -> str:
    """Break every line that is too long; directives stay whole."""
    out: list[str] = []
    for line in text.split("\n"):
        stripped = line.lstrip()
        if len(line) <= width or stripped.startswith("#"):
            out.append(line)
        elif stripped.startswith("//") and line.endswith(_CUT):
            out.append(line[: line.rfind(" ", 0, width - len(_CUT) + 1)] + _CUT)
        elif stripped.startswith("//"):
            out.extend(_comment(line, width))
        else:
            code, mark, remark = line.partition("  // ")
            if mark:  # a remark that doesn't fit goes above its line
                indent = line[: len(line) - len(stripped)]
                out.append(prose(remark, indent + "// ", indent + "// ", width))
            out.extend(_code(code, width))
    return "\n".join(out)


_CUT = " ..."
_HANGING = "    "


def prose(text: str, first: str = "// ", rest: str = "// ", width: int = PROSE_WIDTH) -> str:
    """Wrap sentences as comment lines: `first` before the first, `rest` before the others."""
    lines = textwrap.wrap(
        " ".join(text.split()),
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines) or first.rstrip()


def cut(text: str, width: int = QUOTE_WIDTH) -> str:
    """Return a statement as the text of one or two comment lines: what doesn't fit is an ellipsis."""
    first, *more = _code(text, width)
    if not more:
        return first
    second = " ".join(line.strip() for line in more)
    room = width - len(_HANGING)
    if len(second) > room:
        second = second[: second.rfind(" ", 0, room - len(_CUT) + 1)] + _CUT
    return f"{first}\n// {_HANGING}{second}"


def table(rows: Sequence[tuple[str, ...]], width: int, gap: int = 2) -> list[str]:
    """Align columns; the last one gets the rest of `width` and wraps. A cell may have several lines."""
    if not rows:
        return []
    cells = [[cell.split("\n") for cell in row[:-1]] for row in rows]
    lefts = [max(len(line) for row in cells for line in row[i]) + gap for i in range(len(rows[0]) - 1)]
    room = max(width - sum(lefts), 24)
    lines: list[str] = []
    for row, left in zip(rows, cells, strict=True):
        last = textwrap.wrap(row[-1], room, break_long_words=False, break_on_hyphens=False)
        columns = [*left, last or [""]]
        for parts in zip_longest(*columns, fillvalue=""):
            head = "".join(part.ljust(n) for part, n in zip(parts, lefts, strict=False))
            lines.append((head + parts[-1]).rstrip())
    return lines


def _comment(line: str, width: int) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    mark = _QUOTE.match(line)
    first = mark.group(1) if mark else indent + "// "
    rest = indent + "//" + " " * (len(first) - len(indent) - 2)
    body = line[len(first) :]
    return prose(body, first, rest, width).split("\n")


def _code(line: str, width: int) -> list[str]:
    indent = len(line) - len(line.lstrip())
    opened: list[int] = []  # column after each parenthesis that is open at the start of the line
    home = _home(line, indent)
    lines: list[str] = []
    while len(line) > width:
        found = _best(line, width, opened, min_column=len(line) - len(line.lstrip()) + 8)
        if found is None:
            break
        at, stack = found
        if not lines and at < (equals := _equals(line)) <= width:
            at, stack = equals, []  # before `+=` rather than within the element on its left
        column = stack[-1] if stack else home
        lines.append(line[:at].rstrip())
        line = " " * column + line[at:].lstrip()
        opened = stack
    return [*lines, line]


def _home(line: str, indent: int) -> int:
    """Return the column where a statement continues outside parentheses: after its `=`, or four in."""
    equals = _ASSIGNS.search(line)
    if equals and _equals(line) >= 0:
        return equals.end() if equals.end() < indent + 40 else indent + 4
    return indent + 4


def _equals(line: str) -> int:
    """Return the position of an assignment's operator, with the space before it; -1 if there is none."""
    equals = _ASSIGNS.search(line)
    opened = equals is None or line.count("(", 0, equals.start()) != line.count(")", 0, equals.start())
    return -1 if equals is None or opened else equals.start()


def _best(line: str, width: int, opened: list[int], min_column: int) -> tuple[int, list[int]] | None:
    """Return the best place to break at or before `width`, and the parentheses open there."""
    stack = list(opened)
    best: tuple[tuple[int, int], int, list[int]] | None = None
    for i, c in enumerate(line[: width + 1]):
        if c in "([{":
            stack.append(i + 1)
        elif c in ")]}" and stack:
            stack.pop()
        elif c == " " and i >= min_column:
            rank = _rank(line, i)
            if rank is not None and (best is None or (len(stack), rank) <= best[0]):
                best = ((len(stack), rank), i, list(stack))
    return None if best is None else best[1:]


def _rank(line: str, space: int) -> int | None:
    """Rank a break at this space, 0 best; None if it isn't allowed."""
    if line[space - 1] == ";":
        return 0
    if line[space - 1] == ",":
        return 1
    operator = re.match(r" (\S+) ", line[space:])
    return _OPERATORS.get(operator.group(1)) if operator else None
