"""Select the text of a Python script that has a kernel; another file has one text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..diagnostics import Code, Rejected, diagnose
from ..python_strings import Texts
from ..source import Source, Span
from . import reading

Defines = Mapping[str, str] | None


def forward(source: Source, kernel: str, defines: Defines, includes: Sequence[Path]) -> Source:
    """Return the text with a kernel, or the only one with kernels. Raises Rejected."""
    return _selected(source, kernel, defines, includes)


def backward(
    source: Source, other: Source, kernels: Sequence[str], defines: Defines, includes: Sequence[Path]
) -> Source:
    """Return the text with the named kernels, or the only one but the forward's. Raises Rejected."""
    if isinstance(source, Texts) and not kernels:
        others = [part for part in source.parts if part.text != other.text]
        if len(others) == 1 and not source.unread:
            return others[0]
    return _selected(source, next(iter(kernels), ""), defines, includes)


def _selected(source: Source, kernel: str, defines: Defines, includes: Sequence[Path]) -> Source:
    if not isinstance(source, Texts):
        return source
    every = [(part, k) for part in source.parts for k in reading.read(part, defines, includes).kernels]
    found = {id(part): part for part, k in every if kernel in ("", k.name)}
    if len(found) == 1 and (kernel or not source.unread):
        return next(iter(found.values()))
    if unread := [one.reason for one in source.unread if not found and (not kernel or kernel in one.names)]:
        raise Rejected(*unread)
    place = Span(source, 0, 0)
    if not found:
        help = "its strings have " + (", ".join(k.name for _, k in every) or "no kernel at all")
        raise Rejected(diagnose(Code.NO_SUCH_KERNEL, place, file=source.name, name=kernel, help=help))
    named = [k for _, k in every if kernel in ("", k.name)]
    commands = "\n".join(f'kernel = "{k.name}"  # line {k.span.line}' for k in named)
    values = {"file": source.name, "count": str(len(named)), "commands": commands}
    raise Rejected(diagnose(Code.SEVERAL_KERNELS, named[0].span, **values))
