"""Put the text of an item into its namespaces, and make a kernel's name visible and known to a linker."""

from __future__ import annotations

import re
from collections.abc import Collection

from .name_lookup import Lookup, namespaces_around
from .toplevel import Inline, Item

UNNAMED = ("std", "glm")
"""Namespaces that aren't named in the text: what is in them is visible everywhere."""


def placed(item: Item, text: str, is_kernel: bool, has_variables: bool) -> str:
    """Return the text in the item's namespaces; a kernel, and variables that it sets, are visible outside."""
    shown = is_kernel or (has_variables and "variable" in (item.kind, item.inner))
    shown = shown or (bool(item.scope) and item.scope[0] in UNNAMED)
    return _within(item, _linked(text) if is_kernel else text, shown)


def spaces(lookup: Lookup, used: Collection[str]) -> list[str]:
    """Declare all namespaces: a block may have a directive for one of which nothing is needed."""
    if "using" not in used:
        return []
    return [f"namespace {'::'.join(scope)} {{}}" for scope in sorted(lookup.scopes) if scope]


def _within(item: Item, text: str, shown: bool) -> str:
    """Put the text into the item's namespaces; a kernel, which is called unqualified, is `shown` outside."""
    scope = namespaces_around(item)
    if not scope:
        return text
    words = ("inline namespace" if isinstance(name, Inline) else "namespace" for name in scope)
    opening = "".join(f"{word} {name} {{ " for word, name in zip(words, scope, strict=True))
    using = "".join(f" using namespace {'::'.join(scope[: k + 1])};" for k in range(len(scope)))
    return f"{opening}\n{text}\n{'}' * len(scope)}{using if shown else ''}"


def _linked(text: str) -> str:
    """Give a kernel C linkage, so that its name can be looked up in a module."""
    place, _, rest = text.partition("\n")
    if "extern" in rest.partition("(")[0].split():
        return text
    rest = re.sub(r"^((?:\w+\s+)*?)static\s", r"\1", rest)
    return f'{place}\nextern "C" {rest}'
