"""Which types a name stands for inside PyTorch's dispatch macros, in host code that isn't parsed.

    AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "scale", [&] {
        scale<scalar_t><<<blocks, threads>>>(…);
    });

The macro runs its lambda with `scalar_t` as one of float, double and half.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from . import pp_tokens
from .brackets import listed, spell
from .pp_tokens import Lexeme

_PREFIX = "AT_DISPATCH_"
_INTEGERS = ("unsigned char", "signed char", "short", "int", "long")
_GROUPS = (  # the first whose word is in the macro's name
    ("REDUCED_FLOATING", ("__half", "__nv_bfloat16")),
    ("FLOATING", ("float", "double")),
    ("ALL_TYPES", ("float", "double", *_INTEGERS)),
    ("INTEGRAL", _INTEGERS),
    ("INDEX", ("int", "long")),
)
_NAMED = {
    "Float": "float",
    "Double": "double",
    "Half": "__half",
    "BFloat16": "__nv_bfloat16",
    "Int": "int",
    "Long": "long",
}
_AND = re.compile(r"_AND(\d*)$")
_NESTED = 8  # names for names


@dataclass(frozen=True)
class Dispatch:
    """A use of a dispatch macro around a launch, and the types for which it runs."""

    macro: Lexeme
    types: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.macro.value} in line {self.macro.span.line}"


def dispatch(tokens: Sequence[Lexeme], at: int, name: str) -> Dispatch | None:
    """Return the macro around a token that gives a type that name; None if none does."""
    for opening in _around(tokens, at):
        macro = tokens[opening - 1]
        if not macro.value.startswith(_PREFIX):
            continue
        meant = _renamed(tokens[opening:at], name)
        if meant == ("index_t" if "INDEX" in macro.value else "scalar_t"):
            types = _types(tokens, opening)
            return Dispatch(macro, types) if types else None
    return None


def _around(tokens: Sequence[Lexeme], at: int) -> Iterator[int]:
    """Yield the parentheses that are open at a token and follow a name, innermost first."""
    depth = 0
    for i in range(at - 1, 0, -1):
        value = tokens[i].value
        depth += (value in ")]}") - (value in "([{")
        if depth < 0:
            depth = 0
            if value == "(" and tokens[i - 1].type == pp_tokens.ID:
                yield i


def _renamed(tokens: Sequence[Lexeme], name: str) -> str:
    """Follow `using T = scalar_t;` and `typedef scalar_t T;` to the first name."""
    words = [t.value for t in tokens]
    for _ in range(_NESTED):
        for i in range(len(words) - 4):
            if words[i : i + 3] == ["using", name, "="] and words[i + 4] == ";":
                name = words[i + 3]
                break
            if words[i] == "typedef" and words[i + 2 : i + 4] == [name, ";"]:
                name = words[i + 1]
                break
        else:
            break
    return name


def _types(tokens: Sequence[Lexeme], opening: int) -> tuple[str, ...]:
    """Return the types for which a macro runs its lambda, `float` first; complex ones are left out."""
    macro = tokens[opening - 1].value
    given = [spell(part) for part in listed(tokens, opening) or []]
    if macro == f"{_PREFIX}CASE":
        found = [_named(given[0])] if given else []
    else:
        plain = next((types for word, types in _GROUPS if word in macro), ())
        more = _AND.search(macro)
        others = given[: int(more[1] or 1)] if more else []
        found = [*plain, *["__half"] * macro.endswith("_AND_HALF"), *map(_named, others)]
    types = tuple(dict.fromkeys(type for type in found if type))
    return tuple(sorted(types, key=lambda type: type != "float"))


def _named(text: str) -> str:
    """Return the type that `at::kHalf` or `at::ScalarType::Half` names, "" if it isn't known."""
    return _NAMED.get(text.rpartition("::")[2].removeprefix("k"), "")
