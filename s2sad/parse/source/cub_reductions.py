"""Replace cub's reductions, and with them cooperative groups, by the operations that they perform.

    typedef cub::BlockReduce<float, 256> Sum;
    __shared__ typename Sum::TempStorage memory;
    float total = Sum(memory).Sum(v);

The names and the memory are removed; cooperative_groups.py describes what the rest becomes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...source import Source
from . import pp_tokens, reduction_operators
from .cooperative_groups import GROUPS, Groups
from .pp_tokens import Lexeme
from .token_rewriting import Rewriter

CUB = "cub"

_ANY, _ANY_IN = "s2sad_reductions", "reductions.h"
"""The namespace and the header that are used for structs, or for some of the threads only."""

_WARP = "32"
_NAMES = {"sum": "sum", "max": "larger", "min": "smaller"}


@dataclass(frozen=True)
class Reducer:
    """`cub::BlockReduce<T, N>` or `cub::WarpReduce<T>`: the number of threads and the type of the values."""

    kind: str
    type: tuple[Lexeme, ...]
    threads: str


def plain(tokens: Sequence[Lexeme]) -> tuple[Lexeme, ...]:
    """Replace groups and reductions in the tokens by the operations that they perform."""
    if not any(token.value in (GROUPS, CUB) for token in tokens):
        return tuple(tokens)
    reader = _Reductions(tokens)
    plainer = reader.read(0, len(tokens))
    return (*_of_any(), *plainer) if reader.any else tuple(plainer)


def _of_any() -> Iterator[Lexeme]:
    """Yield the tokens of the header that reduces by any operation."""
    text = (Path(__file__).parent / _ANY_IN).read_text(encoding="utf-8")
    return (token for token in pp_tokens.scan(Source(_ANY_IN, text)) if token.type not in pp_tokens.BLANK)


class _Reductions(Groups):
    """Also replaces cub's reductions."""

    any = False  # whether the header that reduces by any operation is needed

    def __init__(self, tokens: Sequence[Lexeme]) -> None:
        super().__init__(tokens)
        self.authors = frozenset(_classes_within(tokens, CUB))

    def replaced(self, i: int) -> int | None:
        """Replace what belongs to groups or to cub."""
        return super().replaced(i) or self._storage(i) or self._total(i)

    def _reducer(self, i: int) -> tuple[Reducer, int] | None:
        """Return the reducer `cub::BlockReduce<float, 256>`, or one with a name, and the index after it."""
        if (known := self.known(i, Reducer)) is not None:
            return known, i + 1
        kind = {"BlockReduce": "Block", "WarpReduce": "Warp"}.get(self.value(i + 2))
        if not self.says(i, CUB, "::") or kind is None or self.value(i + 3) != "<":
            return None
        if self.value(i + 2) in self.authors:
            return None
        given, end = self.arguments(i + 3), self.closing(i + 3) + 1
        sizes = [self.text(*part) for part in given[1:]]
        if not given or (kind == "Block" and not sizes):
            return None
        if kind == "Block":
            threads = " * ".join(f"({size})" for size in (sizes[0], *sizes[2:4]))
        else:
            threads = sizes[0] if sizes else _WARP
        return Reducer(kind, tuple(self.tokens[slice(*given[0])]), threads), end

    def _storage(self, i: int) -> int | None:
        """Remove a name for a reduction, or the memory that it works in."""
        word, typename = self.value(i), self.value(i + 1) == "typename"
        begin = {"typedef": i + 1, "using": i + 3, "__shared__": i + 1 + typename}.get(word)
        found = self._reducer(begin) if begin is not None else None
        if found is None:
            return None
        reducer, end = found
        if word == "__shared__":
            if not self.says(end, "::", "TempStorage"):
                return None
            while end < len(self.tokens) and self.value(end) != ";":
                end += 1
        else:
            name = i + 1 if word == "using" else end
            end += word == "typedef"
            if self.value(end) != ";" or (word == "using" and self.value(i + 2) != "="):
                return None
            self.scopes[-1][self.value(name)] = reducer
        self.put(i, end, ";")
        return end + 1

    def _total(self, i: int) -> int | None:
        """Replace `BlockReduce(memory).Sum(v)`, `.Reduce(v, cub::Max())`."""
        found = self._reducer(i)
        if found is None or self.value(found[1]) not in ("(", "{"):
            return None
        reducer, dot = found[0], self.closing(found[1]) + 1
        name, opening = self.value(dot + 1), dot + 2
        if self.value(dot) != "." or self.value(opening) != "(":
            return None
        given, end = self.arguments(opening), self.closing(opening) + 1
        operation = "sum" if name == "Sum" and len(given) == 1 else ""
        if name == "Reduce" and len(given) == 2:
            operation = self.operation(*given[1])
        if operation:
            cast = self.made(i, end, "static_cast<", reducer.type, ">(", self.read(*given[0]), ")")
            self.reduce(i, end, f"{reducer.kind.lower()} {operation}", reducer.threads, cast)
        elif reducer.kind == "Warp" or not self._any(i, end, reducer, name, given):
            self.put(i, opening, f"{CUB}::{reducer.kind}Reduce::{name}")
            return opening
        return end

    def _any(self, i: int, end: int, reducer: Reducer, name: str, given: list[tuple[int, int]]) -> bool:
        """Replace `.Reduce(v, Join())` of structs, field by field, or `.Sum(v, count)` of the first few."""
        operations, counts = (0, 1) if name == "Sum" else (1, 1) if name == "Reduce" else (0, 0)
        first, *others = given or [(i, i)]
        if not operations <= len(others) <= operations + counts:
            return False
        valid = self.read(*others.pop()) if len(others) > operations else []
        known = self.operation(*others[0]) if others else "sum"
        numbers = {token.value for token in reducer.type} <= reduction_operators.NUMBERS
        if known and numbers and valid:
            operation = self.made(i, end, f"{_ANY}::{_NAMES[known]}<", reducer.type, ">()")
        elif others and not known and self._by_field(*others[0]):
            operation = self.read(*others[0])
        else:
            return False
        self.put(i, end, f"{_ANY}::of_block<{reducer.threads},", reducer.type, ">(", self.read(*first), ",")
        self.put(i, end, operation, f", {self.block.rank}, ", valid or reducer.threads, ")")
        self.any = True
        return True

    def _by_field(self, first: int, end: int) -> bool:
        """Whether an expression is `Join()` or `Join{}`, which joins two structs field by field."""
        names = [token.value for token in self.tokens[first:end]]
        plain = len(names) == 3 and names[1:] in (["(", ")"], ["{", "}"])
        return plain and reduction_operators.by_field(self.tokens, names[0])


def _classes_within(tokens: Sequence[Lexeme], space: str) -> Iterator[str]:
    """Yield the classes that the file itself has in a namespace of that name."""
    for i in range(2, len(tokens)):
        if (tokens[i - 2].value, tokens[i - 1].value, tokens[i].value) != ("namespace", space, "{"):
            continue
        words = Rewriter(tokens)
        for k in range(i + 1, words.closing(i)):
            if words.value(k) in ("struct", "class") and words.value(k + 2) in ("{", ":", "final"):
                yield words.value(k + 1)
