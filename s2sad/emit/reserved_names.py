"""The names of the emitted file that nothing else in it may have."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..ir import Program
from ..parse.source.companion_scope import Behind
from .words import identifiers

_TAG = re.compile(r"(?:struct|class|union)\s+(?:__align__\(\d+\)\s+)?(\w+)\s*\{")


def reserved(program: Program, behind: Behind | None = None) -> Iterable[str]:
    """Yield the file's names that no local may have: macros, and types that are aliases."""
    types = [text for text in program.typedefs if text.startswith(("typedef", "using"))]
    macros = [*program.macros]
    if behind is not None:
        macros += [*behind.macros, *(sym.variable for sym in program.variables)]
    structs = [found[1] for text in program.typedefs if (found := _TAG.match(text))]
    return (*macros, *structs, *(name for text in types for name in identifiers(text)))
