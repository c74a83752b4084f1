"""Link other files of the project that define what a file only declares: `--include sine.cu`.

    // main.cu                                  // sine.cu
    __device__ double sine(double x);           __device__ double sine(double x) { … }

Each is preprocessed alone, with macros of its own, as a compiler does; its tokens then follow
those of the file. A header that both include appears once. If a name could mean something else
in the files together than in each of them alone, they are refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from ... import files
from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ..types.builtins import BUILTINS
from .pp_tokens import Lexeme
from .preprocess import Preprocessed, preprocess
from .toplevel import DEVICE, Item

_ELSEWHERE = ("prototype", "kernel", "host", "other")


def together(
    unit: Preprocessed, defines: Mapping[str, str] | None, includes: Sequence[Path], *, facades: bool = True
) -> Preprocessed:
    """Return the file, followed by those of the `includes` that are files. Raises Rejected."""
    for path in includes:
        if not path.is_file():
            continue
        source = files.read(str(path))
        other = preprocess(source, defines, includes, facades=facades)
        here, there = _by_origin(unit.tokens), _by_origin(other.tokens)
        for name in here.keys() & there.keys():
            if here[name] != there[name]:
                values = {"name": os.path.basename(name), "one": unit.source.name, "other": source.name}
                at = next(t.span for t in unit.tokens if _origin(t) == name)
                raise Rejected(diagnose(Code.FILES_DIFFER, at, **values))
        definitions = {name: tuple(found) for name, found in unit.definitions.items()}
        for name, found in other.definitions.items():
            definitions[name] = (*definitions.get(name, ()), *found)
        unit = replace(
            unit,
            tokens=(*unit.tokens, *(t for t in other.tokens if _origin(t) not in here)),
            choices=(*unit.choices, *other.choices),
            missing=(*unit.missing, *other.missing),
            definitions=definitions,
            beside=(*unit.beside, frozenset(there.keys() - here.keys())),
        )
    return unit


def meant(unit: Preprocessed, items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items without the other files' kernels and repeated definitions. Raises Rejected."""
    if not unit.beside:
        return tuple(items)
    tokens = unit.tokens
    side = {item: _side(unit, tokens[item.first]) for item in items}
    kept = [item for item in items if not (side[item] and "__global__" in item.words)]
    named: dict[str, list[Item]] = {}
    for item in kept:
        for name in item.names:
            named.setdefault(name, []).append(item)
    again: set[Item] = set()
    problems: list[Diagnostic] = []
    for name, found in named.items():
        defined = [item for item in found if _is_defined(item)]
        sides = {side[item] for item in defined}
        if sides == {0} and {side[item] for item in found} == {0} and name not in BUILTINS:
            continue
        if len(sides) > 1:
            texts = {_text(tokens, item) for item in defined}
            first = next(item for item in defined if side[item] == min(sides))
            others = [item for item in defined if item is not first]
            if len(texts) == 1 and len({side[item] for item in defined}) == len(defined):
                again |= {*others}
                continue
            problems.append(_ambiguous(tokens, name, first, others[0]))
        elif len(defined) > 1 and {side[item] for item in found} - sides:
            problems.append(_ambiguous(tokens, name, defined[0], defined[1]))
        elif defined and name in BUILTINS and name in _mentioned(unit, sides, found, side):
            problems.append(_ambiguous(tokens, name, defined[0], None))
    if problems:
        raise Rejected(*problems)
    return tuple(item for item in kept if item not in again)


def _mentioned(
    unit: Preprocessed, sides: set[int], found: Sequence[Item], side: Mapping[Item, int]
) -> Iterator[str]:
    """Yield the names in those files that don't declare what these items declare."""
    declared = {side[item] for item in found} | sides
    return (t.value for t in unit.tokens if _side(unit, t) not in declared)


def _ambiguous(tokens: Sequence[Lexeme], name: str, first: Item, second: Item | None) -> Diagnostic:
    at = (second or first).at
    related = () if second is None else ((tokens[first.at].span, "defined here too"),)
    found = diagnose(Code.MEANS_TWO_THINGS, tokens[at].span, name=name)
    return replace(found, related=related)


def _is_defined(item: Item) -> bool:
    """Whether an item defines a name for the device."""
    if item.kind == "variable":
        return bool(item.words & (DEVICE | {"const", "constexpr"}))
    return item.kind not in _ELSEWHERE and item.inner not in ("prototype", "host")


def _side(unit: Preprocessed, token: Lexeme) -> int:
    """Return which of the files a token belongs to: 0 for the first."""
    origin = _origin(token)
    return next((k for k, origins in enumerate(unit.beside, 1) if origin in origins), 0)


def _text(tokens: Sequence[Lexeme], item: Item) -> tuple[str, ...]:
    return tuple(token.value for token in tokens[item.first : item.end])


def _by_origin(tokens: Sequence[Lexeme]) -> dict[str, list[str]]:
    """Map each file to the texts of its tokens."""
    found: dict[str, list[str]] = {}
    for token in tokens:
        found.setdefault(_origin(token), []).append(token.value)
    return found


def _origin(token: Lexeme) -> str:
    return _real(token.origin.name)


@cache
def _real(name: str) -> str:
    return os.path.realpath(name)
