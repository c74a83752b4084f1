"""Operations that a file declares itself, as what they do: `cub::Max` and kin, written out.

    struct Max {
        template <typename T> __device__ T operator()(const T &a, const T &b) const { return a > b ? a : b; }
    };

What is taken is this shape and no other, with types that convert nothing. A type whose name
a library has too, and that does something else, is known to be none of the library's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .scan import Lexeme, words

_HEAD = words(
    "__device__ __host__ __forceinline__ inline constexpr typename class auto const noexcept std type "
    "common_type common_type_t template"
) | {"::", "<", ">", ",", "&", "&&"}
_SHAPE = re.compile(
    r"template < (?P<given>(?:typename|class) \w+(?: , (?:typename|class) \w+)*) > "
    r"(?P<result>[^()]*)operator \( \) "
    r"\( (?P<one>[^(),]*) (?P<p>\w+) , (?P<two>[^(),]*) (?P<q>\w+) \) (?:const )?(?:noexcept )?"
    r"\{ return (?P<value>[^;{}]*) ; \}"
)
_CHOICE = re.compile(r"(?:\( )?(\w+) ([<>])=? (\w+)(?: \))? \? (\w+) : (\w+)")


def own(tokens: Sequence[Lexeme], names: Sequence[str]) -> dict[str, str]:
    """Those of the names that the file gives to types of its own; what each does, or nothing."""
    found: dict[str, str] = {}
    for name, k in _declared(tokens, names):
        said = _operation(tokens, k + 1)
        found[name] = said if found.get(name, said) == said else ""
    return found


def _declared(tokens: Sequence[Lexeme], names: Sequence[str]) -> Iterator[tuple[str, int]]:
    head = False
    for k, token in enumerate(tokens):
        if token.value in ("struct", "class", "union", "typedef"):
            head = True
        elif token.value in ("{", "}", ";"):
            head = False
        elif token.value in names and k and (head or tokens[k - 1].value == "using"):
            yield token.value, k


def _operation(tokens: Sequence[Lexeme], opening: int) -> str:
    """`max`, `min` or `sum` for the body of a type that opens at a token; empty for another."""
    if opening >= len(tokens) or tokens[opening].value != "{":
        return ""
    depth, end = 0, opening
    while end < len(tokens):
        depth += (tokens[end].value == "{") - (tokens[end].value == "}")
        if depth == 0:
            break
        end += 1
    text = " ".join(token.value for token in tokens[opening + 1 : end]).removeprefix("public : ")
    match = _SHAPE.fullmatch(text)
    if match is None:
        return ""
    given = {word for word in match["given"].replace(",", " ").split() if word not in ("typename", "class")}
    heads = " ".join((match["result"], match["one"], match["two"])).split()
    if not set(heads) <= _HEAD | given or not given & set(match["one"].split()) & set(heads):
        return ""
    if not given & set(match["two"].split()) or not ({"auto"} | given) & set(match["result"].split()):
        return ""
    p, q = match["p"], match["q"]
    value = match["value"].replace(f"( {p} )", p).replace(f"( {q} )", q)
    if value in (f"{p} + {q}", f"{q} + {p}"):
        return "sum"
    choice = _CHOICE.fullmatch(value)
    if choice is None or value.count("(") != value.count(")") or p == q:
        return ""
    left, sign, right, yes, no = choice.groups()
    if {left, right} != {p, q} or (yes, no) not in ((left, right), (right, left)):
        return ""
    return "max" if (sign == ">") == (yes == left) else "min"
