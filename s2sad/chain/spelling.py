"""The texts of kernels and of integer expressions, as a host program needs them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..run.float_widening import Token, tokens
from ..validate.expressions import Expression
from ..validate.recipe import Size

_LINKAGE = 'extern "C" '
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)


def size(expression: Size, counters: Sequence[str], has_block: bool) -> str:
    """Spell an integer expression; `block` is the number of threads, unless a number has that name."""
    if not isinstance(expression, Expression):
        return str(expression)
    out = []
    parts = list(tokens(expression.text))
    for number, token in enumerate(parts):
        before = parts[number - 1].text if number else ""
        after = parts[number + 1].text if number + 1 < len(parts) else ""
        plain = token.kind != "name" or before == "." or token.text == "sizeof"
        if plain or token.text in counters or _is_type(parts[:number]):
            out.append(token.text)
        elif token.text == "block" and not has_block:
            out.append("block" if after == "." else "(block.x * block.y * block.z)")
        else:
            out.append(f"numbers.{token.text}")
    return "".join(out)


def _is_type(before: Sequence[Token]) -> bool:
    """Whether what follows these tokens is inside of sizeof(…)."""
    for token in reversed(before):
        if token.text == "sizeof":
            return True
        if token.kind not in ("name", "space") and token.text != "(":
            return False
    return False


def own(text: str) -> tuple[list[str], str]:
    """Return a text's includes, and the text for a namespace: without them and without C linkage.

    A kernel may be differentiated in two ways, and C linkage ignores namespaces.
    """
    parts = list(tokens(text))
    includes = [token.text.strip() for token in parts if token.kind == "include"]
    lines: list[str] = []
    shorter = False  # within a declaration that begins with C linkage
    for line in "".join(token.text for token in parts if token.kind != "include").split("\n"):
        if line.startswith(_LINKAGE) and not line.startswith(f"{_LINKAGE}{{"):
            shorter, line = True, line.removeprefix(_LINKAGE)
        elif shorter and line.startswith(" " * len(_LINKAGE)):
            line = line[len(_LINKAGE) :]
        else:
            shorter = False
        lines.append(line)
    return includes, "\n".join(lines)


def macros(text: str) -> list[str]:
    """Return the macros that a text defines."""
    return list(dict.fromkeys(_DEFINE.findall(text)))
