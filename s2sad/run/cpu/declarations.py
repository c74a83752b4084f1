"""Find the variables that a text declares, from its words alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .lexemes import Words

_NOT_TYPES = frozenset(
    {"return", "break", "continue", "goto", "throw", "delete", "new", "else", "case", "default", "using"}
    | {"typedef", "static_assert", "asm", "__asm__", "if", "for", "while", "do", "switch", "operator"}
)
_PREFIXES = frozenset({"__constant__", "__device__", "__shared__", "__managed__"})


@dataclass(frozen=True)
class Declared:
    """A variable, and the words of its initial value, from `low` up to `high`."""

    name: str
    low: int
    high: int


def find(words: Words, low: int, high: int) -> list[Declared]:
    """Return what a declaration declares; nothing if the words are no declaration."""
    if high - low < 2 or words.words[low].kind != "name" or words.words[low].text in _NOT_TYPES:
        return []
    at, last, names = low, -1, 0
    while at < high:
        word = words.words[at]
        if word.kind == "name":
            last, names = at, names + 1
        elif word.text == "<" and at > low and words.words[at - 1].kind == "name":
            end = _angle_end(words, at, high)
            if end < 0:
                return []
            at = end
        elif word.text not in ("*", "&", "&&", "::"):
            break
        at += 1
    ends = at == high or words.words[at].text in ("=", "(", "[", "{", ",", ";", ":")
    if names < 2 or last != at - 1 or not ends or words.words[last - 1].text == "::":
        return []
    return list(_declarators(words, last, high))


def _declarators(words: Words, at: int, high: int) -> Iterator[Declared]:
    """Yield the declarators from the first one's name."""
    while at < high:
        while at < high and words.words[at].kind != "name":
            at += 1
        if at >= high:
            return
        name, at = words.words[at].text, at + 1
        while at < high and words.words[at].text == "[":
            at = words.ends[at] + 1
        low = high_ = at
        if at < high and words.words[at].text == "=":
            low = at + 1
        end = at
        while end < high and words.words[end].text != ",":
            end = words.ends.get(end, end) + 1
        if low > at or (at < high and words.words[at].text in ("(", "{")):
            high_ = end
        yield Declared(name, low, high_)
        at = end + 1


def _angle_end(words: Words, at: int, high: int) -> int:
    """Return the index of the sign that closes template arguments; -1 if it is a comparison."""
    depth = 0
    for k in range(at, high):
        word = words.words[k]
        if word.text == "<":
            depth += 1
        elif word.text in (">", ">>"):
            depth -= len(word.text)
            if depth <= 0:
                return k
        elif word.kind not in ("name", "number") and word.text not in (",", "::", "*", "&"):
            return -1
    return -1


def template_end(words: Words, at: int, high: int) -> int:
    """Return the index after template arguments of the function or the type named there; 0 if none."""
    if at + 1 >= high or words.words[at + 1].text != "<":
        return 0
    end = _angle_end(words, at + 1, high)
    called = end > 0 and end + 1 < high and words.words[end + 1].text in ("(", "::", "{")
    return end + 1 if called else 0


def parameters(words: Words, brace: int) -> Iterator[str]:
    """Yield the names of the parameters of the function whose body begins there."""
    opens = {end: start for start, end in words.ends.items()}
    at = brace - 1
    while at >= 0 and words.words[at].text != ")":
        if words.words[at].text in (";", "}"):
            return
        at -= 1
    if at not in opens:
        return
    for k in range(opens[at] + 1, at):
        word = words.words[k]
        after = words.words[k + 1].text
        if (
            word.kind == "name"
            and after in (",", ")", "[", "=")
            and words.words[k - 1].text not in ("(", ",")
        ):
            yield word.text


def of_file(words: Words, bodies: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield the variables of the device at file scope, templates aside."""
    inside = {k for low, high in bodies for k in range(low, high)}
    start = 0
    for at, word in enumerate(words.words):
        if word.text in (";", "}") and at not in inside:
            start = at + 1
        if at in inside or word.kind != "name" or word.text not in _PREFIXES:
            continue
        if "template" in words.texts(start, at):
            continue
        end = at
        while end < len(words.words) and words.words[end].text not in (";", "=", "(", "[", "{"):
            end += 1
        if end < len(words.words) and words.words[end].text != "(" and words.words[end - 1].kind == "name":
            yield words.words[end - 1].text
