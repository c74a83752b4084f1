"""Rewrite parts of a token sequence before anything is parsed, keeping their positions in the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ...source import Source
from . import pp_tokens
from .pp_tokens import ID, Lexeme

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_Known = TypeVar("_Known")


class Rank(Lexeme):
    """A token of a rank or of a size that is only right for a launch of one dimension."""

    __slots__ = ()


class Rewriter:
    """Reads tokens from left to right; `replaced` rewrites some of them."""

    ranks: tuple[str, ...] = ()
    """The texts that are only right for a launch of one dimension."""

    def __init__(self, tokens: Sequence[Lexeme]) -> None:
        self.tokens = tokens
        self.out: list[Lexeme] = []
        self.scopes: list[dict[str, object]] = [{}]  # the meanings of the names declared so far
        self.parameters: dict[str, object] = {}  # of the function whose body comes next

    def replaced(self, i: int) -> int | None:
        """Replace what begins at a name; return the index after it, None if nothing is known of it."""
        raise NotImplementedError

    def read(self, first: int, end: int) -> list[Lexeme]:
        """Return a part of the tokens with replacements made."""
        outer, self.out = self.out, []
        i = first
        while i < end:
            match self.value(i):
                case "{":
                    self.scopes.append(self.parameters)
                    self.parameters = {}
                case "}" if len(self.scopes) > 1:
                    self.scopes.pop()
            named = self.tokens[i].type == ID or self.value(i) == "::"
            after = self.replaced(i) if named and self.value(i - 1) not in (".", "->") else None
            if after is None:
                self.out.append(self.tokens[i])
            i = after or i + 1
        found, self.out = self.out, outer
        return found

    def put(self, first: int, end: int, *parts: str | Sequence[Lexeme]) -> None:
        """Replace tokens by others."""
        self.out += self.made(first, end, *parts)

    def made(self, first: int, end: int, *parts: str | Sequence[Lexeme]) -> list[Lexeme]:
        """Build tokens; those of a text get the position of what they replace."""
        a, b = self.tokens[first], self.tokens[end - 1]
        last = b.end if a.origin is b.origin else a.end
        found: list[Lexeme] = []
        for part in parts:
            if isinstance(part, str):
                kind = Rank if any(word in part for word in self.ranks) else Lexeme
                for token in pp_tokens.scan(Source("<replaced>", part)):
                    if token.type not in pp_tokens.BLANK:
                        found.append(kind(token.type, token.value, a.origin, a.start, last, a.uses))
            else:
                found += part
        return found

    # ---- tokens --------------------------------------------------------------

    def value(self, i: int) -> str:
        """Return the text of a token; empty outside the file."""
        return self.tokens[i].value if 0 <= i < len(self.tokens) else ""

    def says(self, i: int, *words: str) -> bool:
        """Whether the tokens from index i on have these texts."""
        return all(self.value(i + k) == word for k, word in enumerate(words))

    def text(self, first: int, end: int) -> str:
        """Return tokens as text, with a space between each two."""
        return " ".join(token.value for token in self.tokens[first:end])

    def known(self, i: int, kind: type[_Known]) -> _Known | None:
        """Return the meaning of a name that was declared before, if it is of that kind."""
        found = next((scope[self.value(i)] for scope in self.scopes[::-1] if self.value(i) in scope), None)
        return found if isinstance(found, kind) else None

    def opening(self, i: int) -> int:
        """Return the index of the bracket around a token."""
        depth = 0
        while i > 0 and depth >= 0:
            i -= 1
            depth += (self.value(i) in ")]}") - (self.value(i) in "([{")
        return i

    def closing(self, i: int) -> int:
        """Return where the bracket that opens at a token closes; for `<` its `>`. The end if it doesn't."""
        opening, depth = self.value(i), 0
        closing = ">" if opening == "<" else _BRACKETS[opening]
        while i < len(self.tokens):
            value = self.value(i)
            depth += (value == opening) - (value == closing) - 2 * (closing == ">" and value == ">>")
            if depth <= 0 or (opening == "<" and value in ";{"):
                return i
            i += 1
        return i

    def arguments(self, i: int) -> list[tuple[int, int]]:
        """Return the first and the end index of each argument in the brackets that open at a token."""
        last, parts, start, k = self.closing(i), [], i + 1, i + 1
        while k < last:
            value = self.value(k)
            if value in _BRACKETS:
                k = self.closing(k)
            elif value == "<" and self.tokens[k - 1].type == ID:
                after = self.closing(k)
                k = after if self.value(after) == ">" and after < last else k
            elif value == ",":
                parts.append((start, k))
                start = k + 1
            k += 1
        return [*parts, (start, last)] if last > i + 1 else parts
