"""The preamble of an adjoint: macros, types and constants that it names, and those that these need.

A companion only needs the macros that the primal's file no longer has at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..fields import layout_of
from ..ir import Constant, Program, Struct
from ..parse.source.companion_scope import Behind, defined_by
from ..transform.unit import Adjoint
from .declaration_order import Named, in_order
from .names import KEYWORDS
from .words import identifiers

# Names in a type's text that don't make it needed.
_COMMON = KEYWORDS | {"__device__", "__constant__", "__shared__", "__managed__", "std"}

_STRUCT = re.compile(r"struct\s+(?:__align__\(\d+\)\s+)?(\w+)\s*\{[^{}]*\};\s*\Z")
"""A definition without other names that can be used from outside."""


def preamble(adjoint: Adjoint, used: Iterable[str]) -> list[list[str]]:
    """Return macros, types and constants that the names in use need, transitively, in source order."""
    program = adjoint.program
    taken = _needed(program, used)
    if adjoint.behind is not None:
        lost = [m.text for m in program.macros.values() if m.name in undone(adjoint, used)]
        accessors = _accessors(program)
        own = [text for text in program.typedefs if text in taken and accessors & {*defined_by(text)}]
        return [part for part in (lost, list(map(_once, own))) if part]
    parts = [[m.text for m in program.macros.values() if m.text in taken]]
    parts += in_order(
        [text for text in program.typedefs if text in taken],
        [Named(c.sym.name, _own(c)) for c in program.constants if c.text in taken],
    )
    return [list(dict.fromkeys(part)) for part in parts if part]


def undone(adjoint: Adjoint, used: Iterable[str]) -> list[str]:
    """Return the macros that the primal's file undefines before its end; its companion does so too."""
    if adjoint.behind is None:
        return []
    taken, there = _needed(adjoint.program, used), adjoint.behind.macros
    return [m.name for m in adjoint.program.macros.values() if m.text in taken and m.name not in there]


def misfits(adjoint: Adjoint, behind: Behind, text: str) -> Iterator[tuple[str, str]]:
    """Yield names that prevent an adjoint with this text from following its primal, with reasons."""
    program = adjoint.program
    used = identifiers(text)
    taken = _needed(program, used)
    types = {name for text in program.typedefs if text in taken for name in defined_by(text)}
    types -= _accessors(program)
    constants = {c.sym.name for c in program.constants if c.text in taken}
    variables = {sym.variable for sym in program.variables} & {*used}
    functions = {f.name for f in program.functions.values() if behind.has(f.name, f.span)}
    known = behind.apart | behind.hiding | behind.making
    for name in sorted({*(types - behind.types), *((constants | variables) - behind.variables)} - known):
        yield name, "is made from a template or a class"
    macros = {m.name for m in program.macros.values() if m.text in taken}
    yield from behind.misfits(
        text,
        {*types, *constants, *macros, *variables, *(functions & {*used})},
        defined_by(text),
    )


def _accessors(program: Program) -> set[str]:
    """Return the kinds of tensor accessors that the kernel takes: a companion defines them, too.

    Those of PyTorch's headers hide their members.
    """
    types = (sym.within.type for sym in program.kernel.syms if sym.within is not None and sym.path)
    return {type.name for type in types if isinstance(type, Struct) and layout_of(type).rank}


def _once(text: str) -> str:
    """Guard a definition, as a file may have several companions."""
    (name,) = defined_by(text)
    return f"#ifndef S2SAD_{name}\n#define S2SAD_{name}\n{text}\n#endif"


def _needed(program: Program, used: Iterable[str]) -> set[str]:
    """Return the texts that the names in use need, transitively."""
    needs: dict[str, frozenset[str]] = {}
    defines: dict[str, frozenset[str]] = {}
    for name, macro in program.macros.items():
        needs[macro.text] = frozenset((*identifiers(macro.text), *macro.needs))
        defines[macro.text] = frozenset({name})
    for text in program.typedefs:
        needs[text] = frozenset(identifiers(text))
        plain = _STRUCT.match(text)
        defines[text] = frozenset({plain[1]}) if plain else needs[text] - _COMMON
    for constant in program.constants:
        needs[constant.text] = frozenset(identifiers(constant.text))
        defines[constant.text] = frozenset({constant.sym.name})
    known = set(used)
    taken: set[str] = set()
    while new := [text for text in defines if text not in taken and defines[text] & known]:
        taken.update(new)
        known.update(name for text in new for name in needs[text])
    return taken


def _own(constant: Constant) -> str:
    """Return the constant's text with internal linkage, as this file is linked with the primal's."""
    text = constant.text.strip()
    head = text.split("=")[0]
    if re.search(r"\b(static|const|constexpr|enum)\b", head) and "__constant__" not in head:
        return text
    return text if "static" in head else f"static {text}"
