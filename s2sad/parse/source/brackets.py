"""Read bracketed parts of token sequences: lists, template arguments, arguments of a launch.

Host code isn't parsed; this is how much of it is examined.
"""

from __future__ import annotations

from collections.abc import Sequence

from .pp_tokens import Lexeme
from .toplevel import Item

_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


def spell(tokens: Sequence[Lexeme]) -> str:
    """Join tokens to text on one line, with spaces between words only."""
    text = ""
    for token in tokens:
        words = text[-1:].isalnum() and (token.value[:1].isalnum() or token.value[:1] == "_")
        text += f" {token.value}" if words else token.value
    return text


def angle_end(tokens: Sequence[Lexeme], opening: int) -> int | None:
    """Return the index of the `>` that closes a `<`; None if the statement ends before it."""
    depth = brackets = 0
    for i in range(opening, len(tokens)):
        value = tokens[i].value
        if value in _OPENING:
            brackets += 1
        elif value in _CLOSING:
            brackets -= 1
        elif brackets == 0:
            depth += (value == "<") - value.count(">") * (value in (">", ">>", ">>>"))
            if value in (";", "&&", "||"):
                return None
        if brackets < 0:
            return None
        if depth <= 0:
            return i
    return None


def within(tokens: Sequence[Lexeme], opening: int) -> list[list[Lexeme]] | None:
    """Return the arguments between a `<` and its closing bracket, perhaps with the first `>` of a `>>`."""
    end = angle_end(tokens, opening)
    if end is None:
        return None
    inside = list(tokens[opening + 1 : end])
    depth = sum((t.value == "<") - t.value.count(">") * (t.value in (">", ">>")) for t in inside)
    if tokens[end].value == ">>" and depth == 1:
        last = tokens[end]
        inside.append(Lexeme(last.type, ">", last.origin, last.start, last.start + 1, last.uses))
    return separated(inside)


def separated(tokens: Sequence[Lexeme]) -> list[list[Lexeme]]:
    """Split tokens at the commas outside brackets."""
    parts: list[list[Lexeme]] = [[]]
    depth = 0
    for token in tokens:
        value = token.value
        depth += (value in ("<", *_OPENING)) - (value in (">", *_CLOSING)) - 2 * (value == ">>")
        if value == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def listed(tokens: Sequence[Lexeme], opening: int) -> list[list[Lexeme]] | None:
    """Return the parts of a list in parentheses; None if there is no such list."""
    if tokens[opening].value != "(":
        return None
    depth = 0
    for end in range(opening, len(tokens)):
        depth += (tokens[end].value in "([{") - (tokens[end].value in ")]}")
        if depth == 0:
            return separated(tokens[opening + 1 : end])
    return None


def count(tokens: Sequence[Lexeme], item: Item) -> tuple[int, int]:
    """Return the least and the greatest number of arguments that a kernel takes."""
    opening = item.at + 1
    if tokens[opening].value == "<":
        opening = (angle_end(tokens, opening) or opening) + 1
    parts = listed(tokens, opening)
    if parts is None or [[t.value for t in part] for part in parts] == [["void"]]:
        return (0, 0)
    return sum(all(t.value != "=" for t in part) for part in parts), len(parts)


def launch(tokens: Sequence[Lexeme], at: int) -> int | None:
    """Return how many arguments `k<float><<<…>>>(…)` gives; None if it is no launch or that is unknown."""
    after = at + 1
    if after < len(tokens) and tokens[after].value == "<":
        after = (angle_end(tokens, after) or at) + 1
    if [t.value for t in tokens[after : after + 2]] != ["<<", "<"]:
        return None
    depth = 0
    for k in range(after + 2, len(tokens) - 2):
        depth += (tokens[k].value in "([{") - (tokens[k].value in ")]}")
        if depth < 0 or tokens[k].value == ";":
            return None
        if depth == 0 and [t.value for t in tokens[k : k + 2]] == [">>", ">"]:
            parts = listed(tokens, k + 2)
            if parts is None or any(t.value in ("<", "...") for part in parts for t in part):
                return None
            return len(parts)
    return None
