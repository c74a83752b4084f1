"""What many texts begin with, read by the compiler once: a third of the time that a small kernel takes.

A unit begins with what it asks of our header and with the header itself (unit.write). A process that
compiles the same beginning with the same flags again and again has it compiled by itself, into the cache;
whoever finds it there uses it. One that compiles a text or two pays nothing for it.

It is GCC's kind: a file NAME.h.gch beside NAME.h, which is read instead where it fits and not read where
it doesn't.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

AFTER = 2
"""So many times a beginning is read as it stands."""

_HEADER = '#include "cuda_on_cpu.h"\n'
_OWN = re.compile(r"^(#define S2SAD_\w+ \w+|#\s*include\s*<[\w/.]+>)$")

_seen: Counter[Path] = Counter()


class Parted(NamedTuple):
    """A unit as the compiler gets it: flags, and the text that it reads after what they name."""

    flags: tuple[str, ...]
    text: str


def parted(unit: str, header: Callable[[str], Path], compiled: Callable[[Path], None]) -> Parted:
    """A unit without its beginning, where that is compiled already or is to be.

    `header` gives a beginning its file, `compiled` writes the compiled form beside it.
    """
    beginning, found, rest = unit.partition(_HEADER)
    lines = beginning.splitlines()
    if not found or not all(_OWN.match(line) for line in lines):
        return Parted((), unit)
    file = header(beginning + found)
    if not form(file).exists():
        _seen[file] += 1
        if _seen[file] <= AFTER:
            return Parted((), unit)
        if not file.exists():
            file.write_text(beginning + found, encoding="utf-8")
        compiled(file)
    return Parted(("-include", str(file)), rest)


def form(header: Path) -> Path:
    """Where a compiled beginning lies."""
    return header.with_name(f"{header.name}.gch")
