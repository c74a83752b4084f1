"""Namespaces: which ones there are, and texts without them.

What a kernel reaches is emitted without namespaces: the parser reads `a::f` as `f`, and
the emitted file has neither. The meaning is the same as long as a name has one meaning
within a closure; name_lookup.py finds which it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from .keywords import STD
from .pp_tokens import ID, Lexeme
from .toplevel import Item


def names(items: Sequence[Item], tokens: Sequence[Lexeme] = ()) -> frozenset[str]:
    """Return every name that qualifies another name without changing what the parser reads.

    With the tokens, those of enumerations in classes are among them: `P::Kind::A` is then `P::A`.
    """
    inner = _enumerations(items, tokens) if tokens else set[str]()
    return STD.union(inner, *((*item.scope, *(item.types if item.kind == "enum" else ())) for item in items))


def _enumerations(items: Iterable[Item], tokens: Sequence[Lexeme]) -> set[str]:
    """Return the enumerations in the file's classes whose names are no class's and no function's."""
    found: set[str] = set()
    taken: set[str] = set()
    for item in items:
        taken.update(item.names if item.kind != "enum" else ())
        within = item.kind == "struct" or item.is_generic
        for k in range(item.first + 1, item.end - 1) if within else ():
            if tokens[k].value == "enum":
                named = tokens[k + 1 + (tokens[k + 1].value in ("class", "struct"))]
                found |= {named.value} if named.type == ID else set()
    return found - taken


def aliased(tokens: Sequence[Lexeme], item: Item) -> str:
    """Return the target of an alias, without namespaces; the item's position if it is no alias.

    Two aliases of one name with the same target are the same, whatever their namespaces.
    """
    words = [t.value for t in tokens[item.first : item.end] if t.value != ";"]
    if item.kind == "alias" and words[0] == "using" and words[2:3] == ["="]:
        words = words[3:]
    elif item.kind == "typedef" and words[0] == "typedef" and words[-1:] == list(item.names[:1]):
        words = words[1:-1]
    else:
        return f"{item.first}"
    kept = [w for k, w in enumerate(words) if w != "::" and words[k + 1 : k + 2] != ["::"]]
    return " ".join(kept)


def unqualified(text: str, namespaces: Collection[str]) -> str:
    """Remove the file's own namespaces before names in a text; `std::` stays."""
    own = sorted(set(namespaces) - STD)
    if not own or "::" not in text:
        return text
    qualifier = "|".join(re.escape(name) for name in own)
    return re.sub(rf"(?<![\w:.])(?:::\s*)?(?:(?:{qualifier})\s*::\s*)+(?=[A-Za-z_])", "", text)
