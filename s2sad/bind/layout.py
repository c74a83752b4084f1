"""Filters of the templates: calls and signatures in lines of bounded width, prose in comments."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable

WIDTH = 100


def call(parts: Iterable[str], head: str, tail: str = ")", indent: int = 0, python: bool = True) -> str:
    """Lay out `head`, parts with commas between, and `tail`: in one line, or the parts in one of their own.

    With parts too long for one line, each has its own. `indent` is that of the statement. C++ has no comma
    after the last part, and the tail behind it.
    """
    items = list(parts)
    pad = " " * indent
    one = f"{head}{', '.join(items)}{tail}"
    if len(one) <= WIDTH:
        return one
    if not python:
        filled = [f"{pad}    {items[0]}"]
        for item in items[1:]:
            longer = f"{filled[-1]}, {item}"
            if len(longer) + len(tail) <= WIDTH:
                filled[-1] = longer
            else:
                filled += [f"{pad}    {item}"]
        return head + "\n" + ",\n".join(filled) + tail
    inner = f"{pad}    {', '.join(items)}"
    if len(inner) <= WIDTH:
        return f"{head}\n{inner}\n{pad}{tail}"
    lines = "\n".join(f"{pad}    {item}," for item in items)
    return f"{head}\n{lines}\n{pad}{tail}"


def returned(parts: Iterable[str], indent: int) -> str:
    """Lay out a statement that returns parts: in one line if they fit, else each in its own."""
    items = list(parts)
    one = f"{' ' * indent}return {', '.join(items)}"
    return one if len(one) <= WIDTH else call(items, f"{' ' * indent}return (", ")", indent)


def prose(text: str, indent: int = 0, prefix: str = "") -> str:
    """Fill a text to lines of bounded width, each after `indent` and `prefix`."""
    before = " " * indent + prefix
    return textwrap.fill(" ".join(text.split()), WIDTH, initial_indent=before, subsequent_indent=before)


def string_lines(text: str, indent: int) -> str:
    """Spell a text as a Python string, in lines of bounded width."""
    lines = textwrap.wrap(text, WIDTH - indent - 3, drop_whitespace=False, break_on_hyphens=False)
    return ("\n" + " " * indent).join(json.dumps(line, ensure_ascii=False) for line in lines)
