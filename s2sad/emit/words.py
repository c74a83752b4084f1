"""The names in C text."""

from __future__ import annotations

import re

SUM = re.compile(r"[\w\s()*/%+-]+")
"""An expression whose operators bind at least as tightly as `+`."""

_NAME = re.compile(r"[A-Za-z_]\w*")
_IN_EXPRESSION = re.compile(r"'(?:\\.|[^'\\])*'|\.?\d[\w.']*|([A-Za-z_]\w*)")


def identifiers(text: str) -> list[str]:
    """Return every name in C text, in order of first appearance, without comments and strings."""
    bare_text = re.sub(r"//[^\n]*|/\*.*?\*/|\"(\\.|[^\"\\])*\"", " ", text, flags=re.S)
    return list(dict.fromkeys(_NAME.findall(bare_text)))


def named(text: str) -> list[str]:
    """Return every name in an expression as the author spelled it, without literals."""
    return [name for name in _IN_EXPRESSION.findall(text) if name]
