"""Select one of the texts of a Python script by its kernel. Other files have one text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..python_strings import Texts
from ..source import Source, Span
from . import reading
from .reading import File, KernelEntry
from .source import kernel_selection


@dataclass(frozen=True)
class _Found:
    """The kernels of the texts that can be split into declarations, and why others can't be."""

    kernels: tuple[tuple[Source, KernelEntry], ...]
    refused: tuple[Diagnostic, ...]


def selected(
    source: Source,
    kernel: str = "",
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
) -> Source:
    """Return a script's text with the kernel, or its only one; another file unchanged. Raises Rejected."""
    if not isinstance(source, Texts):
        return source
    every = _every(source, defines, includes)
    wanted = kernel_selection.Wanted.read(kernel)
    found = {
        id(part): part
        for part, _ in every.kernels
        if not kernel or _has(File.read(part, defines, includes), wanted)
    }
    unread = [one for one in source.unread if not kernel or wanted.name in one.names]
    if not found and (unread or every.refused):
        raise Rejected(*(one.reason for one in unread), *every.refused)
    if len(found) == 1 and (kernel or not unread):
        return next(iter(found.values()))
    raise Rejected(_open(source, every.kernels, kernel, wanted.name, len(unread) if not kernel else 0))


def entries(
    source: Source, defines: Mapping[str, str] | None = None, includes: Sequence[Path] = ()
) -> tuple[KernelEntry, ...]:
    """Return the kernels of a file, of all texts of a script. Raises Rejected if no text can be read."""
    if not isinstance(source, Texts):
        return reading.kernels(source, defines, includes)
    found = _every(source, defines, includes)
    if not found.kernels and found.refused:
        raise Rejected(*found.refused)
    return tuple(entry for _, entry in found.kernels)


def _every(source: Texts, defines: Mapping[str, str] | None, includes: Sequence[Path]) -> _Found:
    found: list[tuple[Source, KernelEntry]] = []
    refused: list[Diagnostic] = []
    for part in source.parts:
        try:
            found += [(part, entry) for entry in reading.kernels(part, defines, includes)]
        except Rejected as rejected:
            refused += rejected.diagnostics
    names = [entry.name for _, entry in found]
    spelled = tuple((part, _unique(entry, names)) for part, entry in found)
    return _Found(spelled, tuple(refused))


def _unique(entry: KernelEntry, names: Sequence[str]) -> KernelEntry:
    """Add the line to the choice of a kernel whose name others have in other texts."""
    if names.count(entry.name) == 1 or "@" in entry.choice:
        return entry
    return replace(entry, choice=f"{entry.choice}@{entry.span.line}")


def _has(file: File, wanted: kernel_selection.Wanted) -> bool:
    kernels = kernel_selection.entries(file.unit.tokens, file.items)
    return any(wanted.fits(file.unit.tokens, item) for item in kernels)


def _open(
    source: Texts, every: Sequence[tuple[Source, KernelEntry]], kernel: str, name: str, unread: int
) -> Diagnostic:
    """Return the diagnostic for a kernel that no text or several have."""
    among = [entry for _, entry in every if not kernel or entry.name == name]
    place = Span(source, 0, 0)
    if not every:
        help = "a kernel is a __global__ function with a body"
        return diagnose(Code.NO_KERNEL, place, file=source.name, help=help)
    if not among:
        help = "it has " + ", ".join(entry.choice for _, entry in every)
        return diagnose(Code.NO_SUCH_KERNEL, place, file=source.name, name=kernel, help=help)
    commands = "\n".join(f"s2sad transform {source.name} --kernel {entry.choice}" for entry in among)
    values = {"file": source.name, "count": str(len(among) + unread), "commands": commands}
    if kernel:
        return Diagnostic(Code.OVERLOADED_KERNEL, among[0].span, {"name": name, **values})
    return Diagnostic(Code.SEVERAL_KERNELS, among[0].span, values)
