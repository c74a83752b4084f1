"""Find the data members of a file's structs, as far as passing them needs it.

A struct of numbers of one type is passed as those numbers. One with a pointer is
a user-defined accessor: it is made from the array and its sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..parse.source import pp_tokens
from ..parse.source.brackets import separated
from ..parse.source.pp_tokens import Lexeme
from ..parse.source.toplevel import Item
from .reading import File, spell, template_head

_SKIPPED = pp_tokens.words(
    "using typedef static friend template operator enum public private protected constexpr"
)
_QUALIFIERS = pp_tokens.words("const volatile mutable struct __restrict__ __restrict restrict")
_TYPES = pp_tokens.words("unsigned signed long short int char float double bool")


@dataclass(frozen=True)
class Struct:
    """Types of members as written: the pointees of pointers, and all others."""

    template: tuple[str, ...]
    pointers: tuple[str, ...]
    others: tuple[str, ...]


def find(file: File, name: str) -> Struct | None:
    """Return the struct or class of that name; for a template, the first with a body."""
    for item in file.items:
        if name in item.names and item.kind in ("struct", "template"):
            body = _body(file, item, name)
            if body:
                head = tuple(parameter.name for parameter in template_head(file.tokens, item))
                members = list(_members(body))
                pointers = tuple(kind for kind, pointer in members if pointer)
                return Struct(head, pointers, tuple(kind for kind, pointer in members if not pointer))
    return None


def _body(file: File, item: Item, name: str) -> Sequence[Lexeme]:
    tokens = file.tokens
    for i in range(item.first, item.end - 1):
        if tokens[i].value in ("struct", "class") and any(
            token.value == name for token in tokens[i + 1 : i + 6]
        ):
            brace = next((j for j in range(i, item.end) if tokens[j].value in "{;"), item.end)
            if brace < item.end and tokens[brace].value == "{":
                return tokens[brace + 1 : _closing(tokens, brace)]
    return ()


def _members(body: Sequence[Lexeme]) -> Iterator[tuple[str, bool]]:
    """Yield the type of each data member, and whether it is a pointer."""
    statement: list[Lexeme] = []
    i = 0
    while i < len(body):
        token = body[i]
        if token.value in "({[" and token.value:
            statement.append(token)
            i = _closing(body, i)
            if token.value == "{" and any(t.value == "(" for t in statement):
                statement = []  # a function
        elif token.value == ";" or (token.value == ":" and len(statement) == 1):
            yield from _declared(statement)
            statement = []
        else:
            statement.append(token)
        i += 1


def _declared(statement: list[Lexeme]) -> Iterator[tuple[str, bool]]:
    words = [token for token in statement if token.value not in _QUALIFIERS]
    if len(words) < 2 or words[0].value in _SKIPPED or any(token.value == "(" for token in words):
        return
    first, *more = separated([token for token in words if token.value not in "[{="])
    kind = [token for token in first if token.value != "*"]
    if kind[-1].type == pp_tokens.ID and kind[-1].value not in _TYPES:
        kind = kind[:-1]
    for part in (first, *more):
        yield spell(kind), any(token.value == "*" for token in part)


def _closing(tokens: Sequence[Lexeme], start: int) -> int:
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i].value in ("(", "[", "{")) - (tokens[i].value in (")", "]", "}"))
        if depth == 0:
            return i
    return len(tokens)
