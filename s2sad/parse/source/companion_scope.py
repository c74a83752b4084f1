"""Describe what a file defines at its end: a companion included after it sees that and mustn't redefine it.

#include "k.cu"
#include "k_adj.cu"      of the companion's names some are k.cu's, the others must be free there
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ...source import Source, Span
from . import pp_tokens, self_contained_text
from .preprocess import preprocess
from .toplevel import Item, split

_DEFINE = re.compile(r"#define\s+([A-Za-z_]\w*(?:\([^)]*\))?)\s*(.*)", re.DOTALL)
_TYPES = ("typedef", "alias", "enum", "struct")


@dataclass(frozen=True)
class Behind:
    """The names of a file and of what it includes, as they are at its end.

    `names` are all those of its top level, in any namespace; `types` and `variables` those that
    need no qualification, `apart` those that do, `hiding` the classes with non-public members,
    `making` those with a constructor or an assignment of their own, where emitted code sets the
    fields. `enumerated` are fields that are enumerations, by their structs, and whether these are
    scoped. `macros` are the definitions in force, `dynamic` the types with which functions declare
    dynamic shared memory, by its names.
    """

    names: frozenset[str]
    types: frozenset[str]
    variables: frozenset[str]
    apart: frozenset[str]
    hiding: frozenset[str]
    making: frozenset[str]
    enumerated: Mapping[str, Mapping[str, bool]]
    macros: Mapping[str, str]
    dynamic: Mapping[str, str]
    _functions: frozenset[tuple[str, str, int]]

    @property
    def defines(self) -> dict[str, str]:
        """Return the macros as definitions for reading another file."""
        return dict(map(_definition, self.macros.values()))

    def has(self, function: str, at: Span | None) -> bool:
        """Whether a device function of that name at that position is the file's, outside namespaces."""
        return at is not None and any(
            (name, file) == (function, at.source.name) and at.start <= start < at.end
            for name, file, start in self._functions
        )

    def misfits(self, text: str, needed: Collection[str], own: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield names that would mean something else after the file, or be defined twice, with the reason.

        The text is a companion's; it needs these names from the file and defines its own.
        """
        for name in sorted({*needed} & self.apart):
            yield name, "is in a namespace"
        for name in sorted({*needed} & self.hiding):
            yield name, "has members that aren't public"
        for name in sorted({*needed} & self.making):
            yield name, "has a user-defined constructor or assignment"
        for name in sorted({*own} & (self.names | self.macros.keys())):
            yield name, "would be defined twice"
        code = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
        for name in sorted({*needed} & self.enumerated.keys()):
            every = self.enumerated[name].items()  # an integer doesn't convert to any, a scoped one to none
            if any(
                re.search(rf"\.{field}\b" + ("" if scoped else r"\s*=[^=]"), code) for field, scoped in every
            ):
                yield name, "has a field of an enumeration, which isn't an integer there"
        defined = dict(_DEFINE.findall(code))
        for name, definition in sorted(self.macros.items()):
            meets = rf"\b{name}\b" + (r"\s*\(" if _has_parameters(definition) else "")
            if name not in needed and name not in defined and re.search(meets, code):
                yield name, "is a macro at the end of the file"


def behind(source: Source, defines: Mapping[str, str], includes: Sequence[Path]) -> Behind:
    """Return what is defined after a file. Raises Rejected."""
    unit = preprocess(source, defines, includes)
    items = split(unit.tokens)

    def names(kinds: Collection[str]) -> frozenset[str]:
        return frozenset(
            name for item in items if item.kind in kinds and not item.scope for name in item.names
        )

    plain = [item for item in items if item.kind == "device" and not item.scope]
    at = [(item, unit.tokens[item.at].span) for item in plain]
    return Behind(
        frozenset(name for item in items for name in item.names),
        names(_TYPES),
        names(("variable",)),
        frozenset(name for item in items if item.scope for name in item.names),
        frozenset(name for item in items if _hides(item, unit.tokens) for name in item.names),
        frozenset(name for item in items if _makes(item, unit.tokens) for name in item.names),
        _enumerated(items, unit.tokens),
        {name: found.text for name, found in unit.left.items()},
        dict(_dynamic([token.value for token in unit.tokens])),
        frozenset((name, span.source.name, span.start) for item, span in at for name in item.names),
    )


def defined_by(text: str) -> tuple[str, ...]:
    """Return the names that a text defines: of types, including enumerators, and of functions."""
    return tuple(name for item in split(preprocess(Source("text", text)).tokens) for name in item.names)


def following(text: str, name: str, found: Behind, kernels: frozenset[str], variables: Sequence[str]) -> str:
    """Return a companion's text in the form that follows what `extract` makes of the primal's file.

    No macros are defined there, and the file's variables are what the kernels' last arguments point to.
    """
    tokens = preprocess(Source(name, text), found.defines).tokens
    parts = []
    for item in split(tokens):
        part = list(tokens[item.first : item.end])
        entered = item.kind == "kernel" and not kernels.isdisjoint(item.names)
        if variables and item.kind != "host":
            part = self_contained_text.given(part, variables, {}, entered=entered)
        parts.append("".join(self_contained_text.lines(part)))
    return "\n".join(parts) + "\n"


def _dynamic(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the type of each declaration such as `extern __shared__ float part[];`."""
    for i, word in enumerate(words):
        if word == "__shared__" and "extern" in words[max(i - 2, 0) : i + 2]:
            end = next((k for k in range(i, len(words)) if words[k] in ("[", ";", "{")), i)
            kind = " ".join(w for w in words[i + 1 : end - 1] if w != "extern")
            yield words[end - 1], kind


def _definition(text: str) -> tuple[str, str]:
    match = _DEFINE.fullmatch(text)
    assert match is not None, text
    return match[1], match[2]


def _has_parameters(definition: str) -> bool:
    return _definition(definition)[0].endswith(")")


def _hides(item: Item, tokens: Sequence[pp_tokens.Lexeme]) -> bool:
    """Whether a class has non-public members."""
    words = [token.value for token in tokens[item.first : item.end]]
    if item.kind != "struct" or "{" not in words:
        return False
    opened = "class" not in words or words[words.index("{") + 1 :][:1] == ["public"]
    return not opened or "private" in words or "protected" in words


def _enumerated(items: Sequence[Item], tokens: Sequence[pp_tokens.Lexeme]) -> dict[str, dict[str, bool]]:
    """Map structs to those of their fields whose types are enumerations of the file, and whether scoped."""
    every = [item for item in items if item.kind == "enum" or "enum" in item.words]
    enums = {name: not item.words.isdisjoint(("class", "struct")) for item in every for name in item.types}
    found: dict[str, dict[str, bool]] = {}
    for item in items:
        if item.kind != "struct":
            continue
        words = [token.value for token in tokens[item.first : item.end]]
        heads = [(k, words[k + 1] in ("class", "struct")) for k in _all(words, "enum")]
        own = enums | {words[k + 1 + scoped]: scoped for k, scoped in heads}
        fields: dict[str, bool] = {}
        for name, scoped in own.items():
            for k in _all(words, name):
                fields |= dict.fromkeys(_declared(words, k), scoped)
        if fields:
            found |= dict.fromkeys(item.names, fields)
    return found


def _declared(words: Sequence[str], at: int) -> list[str]:
    """Return the fields that are declared with the type at that index."""
    if words[at + 1] in ("{", ":"):  # defined there: `enum Kind { A, B } kind;`
        at = next((i for i in range(at, len(words)) if words[i] == "}"), at)
    end = next((i for i in range(at + 1, len(words)) if words[i] in ("(", ")", "{", "}", ";")), at)
    return [word for word in words[at + 1 : end] if words[end] == ";" and word.isidentifier()]


def _all(words: Sequence[str], name: str) -> list[int]:
    return [k for k, word in enumerate(words[:-2]) if word == name]


def _makes(item: Item, tokens: Sequence[pp_tokens.Lexeme]) -> bool:
    """Whether a class has a constructor or an assignment operator."""
    if item.kind != "struct":
        return False
    words = [token.value for token in tokens[item.first : item.end]]
    pairs = set(pairwise(words))
    return ("operator", "=") in pairs or any((name, "(") in pairs for name in item.types)
