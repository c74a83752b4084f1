"""The author's files as shown: the kernel's own file first, then headers whose lines have partners.

Of a long file, what the kernel doesn't use is folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..ir import Function, Program, statements
from ..source import Source, Span
from .partners import At, covered, home

_SHORT = 120  # lines of a file that is shown whole
_NEAR = 3  # lines shown around what is used
_FOLDED = 6  # fewer lines than these aren't folded


@dataclass(frozen=True)
class File:
    """A file, and the ranges of its lines in order, each with whether it is shown."""

    source: Source
    ranges: tuple[tuple[int, int, bool], ...]


def files(program: Program, partners: Iterable[At]) -> tuple[File, ...]:
    """Return the files of a program; `partners` are the lines that the adjoint belongs to."""
    functions = (program.kernel, *program.functions.values())
    spans = [span for function in functions for span in _spans(function)]
    sources = {home(span.source).name: home(span.source) for span in spans}
    used: dict[str, set[int]] = {name: set() for name in sources}
    for at in (*partners, *(at for span in spans for at in covered(span))):
        if at.file in used:
            used[at.file].add(at.line)
    own = home(program.kernel.span.source).name if program.kernel.span is not None else ""
    order = sorted((name for name in sources if used[name]), key=lambda name: (name != own, name))
    return tuple(File(sources[name], _ranges(sources[name], used[name])) for name in order)


def _spans(function: Function) -> Iterator[Span]:
    if function.span is not None:
        yield function.span
    yield from (p.span for p in function.params if p.span is not None)
    for stmt in statements(function.body):
        span: Span | None = getattr(stmt, "span", None)
        if span is not None:
            yield span


def _ranges(source: Source, used: set[int]) -> tuple[tuple[int, int, bool], ...]:
    """Return ranges of lines, first and last, that are shown or folded."""
    count = len(source.text.removesuffix("\n").split("\n"))
    if count <= _SHORT:
        return ((1, count, True),)
    shown = [any(line + k in used for k in range(-_NEAR, _NEAR + 1)) for line in range(1, count + 1)]
    found: list[tuple[int, int, bool]] = []
    for line, is_shown in enumerate(shown, 1):
        if found and found[-1][2] == is_shown:
            found[-1] = found[-1][0], line, is_shown
        else:
            found.append((line, line, is_shown))
    joined: list[tuple[int, int, bool]] = []
    for first, last, is_shown in found:
        is_shown = is_shown or last - first + 1 < _FOLDED
        if joined and joined[-1][2] and is_shown:
            joined[-1] = joined[-1][0], last, True
        else:
            joined.append((first, last, is_shown))
    return tuple(joined)
