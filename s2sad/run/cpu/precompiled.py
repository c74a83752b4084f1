"""Precompile the beginning that many units share: it is a third of the compile time of a small kernel.

A unit begins with the macros that configure our header, and the header itself (unit.write). A process
that repeatedly compiles the same beginning with the same flags precompiles it into the cache, where
any process can use it. A process that compiles only one or two texts pays nothing for it.

These are GCC's precompiled headers: a file NAME.h.gch beside NAME.h, which GCC reads instead if it
matches.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

AFTER = 2
"""The number of times that a beginning is compiled before it is precompiled."""

_HEADER = '#include "cuda_on_cpu.h"\n'
_OWN = re.compile(r"^(#define S2SAD_\w+ \w+|#\s*include\s*<[\w/.]+>)$")

_seen: Counter[Path] = Counter()


class Parted(NamedTuple):
    """A unit for the compiler: flags that include the beginning, and the remaining text."""

    flags: tuple[str, ...]
    text: str


def parted(unit: str, header: Callable[[str], Path], compiled: Callable[[Path], None]) -> Parted:
    """Split off a unit's beginning if it is precompiled, or precompile it now if it is used often.

    `header` returns the file for a beginning; `compiled` writes the precompiled form beside it.
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
    """Return the path of a precompiled beginning."""
    return header.with_name(f"{header.name}.gch")
