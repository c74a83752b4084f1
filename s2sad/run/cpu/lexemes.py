"""Split a preprocessed text into words with their places, to find its statements.

The input is the output of a compiler's preprocessor: it has no macros, but line markers that
name the file of the following lines. White space, comments and markers belong to the word after
them, so that the words concatenate to the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_WORDS = re.compile(
    r"""
      (?P<before>  (?: (?<![^\n])[ \t]*\#(?:[^\n\\]|\\.|\\\n)* | \s | //[^\n]* | /\*.*?\*/ )+ )
    | (?P<raw>     (?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)" )
    | (?P<string>  (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*" | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)+' )
    | (?P<number>  \.?[0-9](?:'(?=[0-9a-zA-Z])|[eEpP][+-]|[0-9a-zA-Z_.])* )
    | (?P<name>    [A-Za-z_$][A-Za-z0-9_$]* )
    | (?P<other>   <<=|>>=|\.\.\.|->\*?|::|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|\#\#|. )
    """,
    re.VERBOSE | re.DOTALL,
)
_MARK = re.compile(r'#\s*(?:line\s+)?(\d+)(?:\s+"((?:[^"\\]|\\.)*)")?')
_INSIDE = re.compile(r"(?<=[\[(]) | (?=[\])\[,;])| ?(?:->|\.(?!\d)) ?(?=[A-Za-z_])")
_CALL = re.compile(r"\b(?!if\b|for\b|while\b|switch\b|return\b)(\w+) \(")
_SIGN = re.compile(r"[(,=<>?:] ?[-&!] (?=[\w.(])")
_OPENING = {"(": ")", "[": "]", "{": "}"}


class Word(NamedTuple):
    """A word, the space before it, and its place."""

    kind: str
    text: str
    before: str
    file: str
    line: int


@dataclass(frozen=True)
class Words:
    """The words of a text; `ends` maps each opening bracket to the index of its closing one."""

    words: Sequence[Word]
    ends: dict[int, int]
    rest: str  # the space after the last word

    def texts(self, low: int, high: int) -> list[str]:
        return [word.text for word in self.words[low:high]]

    def plain(self, low: int, high: int) -> str:
        """Return the words on one line, with usual spacing."""
        parts: list[str] = []
        for at in range(low, high):
            word = self.words[at]
            parts.append(" " + word.text if word.before and at > low else word.text)
        line = _INSIDE.sub(lambda match: match[0].strip(), "".join(parts))
        line = _CALL.sub(r"\1(", line)
        return _SIGN.sub(_unary, line)

    def written(self, low: int, high: int) -> str:
        """Return the words as in the text."""
        return "".join(word.before + word.text for word in self.words[low:high])


def _unary(match: re.Match[str]) -> str:
    """Join a unary sign to its operand."""
    return match[0].rstrip()


class Unbalanced(ValueError):
    """Brackets don't match: the text isn't C++."""


def read(text: str) -> Words:
    """Split a text into words. Raises Unbalanced."""
    words = list(_split(text))
    rest = words.pop().before
    ends: dict[int, int] = {}
    open_: list[int] = []
    for at, word in enumerate(words):
        if word.kind != "other":
            continue
        if word.text in _OPENING:
            open_.append(at)
        elif word.text in _OPENING.values():
            if not open_ or _OPENING[words[open_[-1]].text] != word.text:
                raise Unbalanced(f"line {word.line}: {word.text}")
            ends[open_.pop()] = at
    if open_:
        raise Unbalanced(f"line {words[open_[-1]].line}: {words[open_[-1]].text}")
    return Words(words, ends, rest)


def _split(text: str) -> Iterator[Word]:
    """Yield the words, then one without text."""
    file, line, before = "", 1, ""
    for match in _WORDS.finditer(text):
        kind, found = match.lastgroup or "other", match.group()
        if kind == "before":
            before += found
            file, line = _moved(found, file, line)
            continue
        yield Word("raw" if kind == "fence" else kind, found, before, file, line)
        line += found.count("\n")
        before = ""
    yield Word("end", "", before, file, line)


def _moved(space: str, file: str, line: int) -> tuple[str, int]:
    """Return the file and line of the text after white space and directives."""
    if "#" not in space:
        return file, line + space.count("\n")
    parts = space.split("\n")
    for number, part in enumerate(parts):
        mark = _MARK.match(part.strip())
        last = number == len(parts) - 1
        if mark is not None and not last:
            line = int(mark[1])
            file = mark[2] if mark[2] is not None else file
        elif not last:
            line += 1
    return file, line


def between_commas(text: str) -> list[str]:
    """Split a text at the commas outside of brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts
