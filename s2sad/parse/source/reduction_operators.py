"""Recognise operators of reductions: those of libraries, and those that a file defines.

    struct Max {
        template <typename T> __device__ T operator()(const T &a, const T &b) const { return a > b ? a : b; }
    };

Only this shape is accepted, with types that imply no conversion. If the file has a type with a
library's name that does something else, the name isn't taken for the library's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .pp_tokens import Lexeme, words

REDUCTION = "s2sad reduction"
"""Prefix of the name of an operation, which no function in C++ can have."""
OPERATIONS = {"plus": "sum", "greater": "max", "less": "min", "Sum": "sum", "Max": "max", "Min": "min"}
OPERATIONS |= {"maximum": "max", "minimum": "min"}
SPACES = "cub", "std", "thrust"
"""The namespaces of libraries that have such names."""
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
_BY_FIELD = re.compile(
    r"(?:public : )?(?:(?:__device__|__host__|__forceinline__|inline|constexpr) )*"
    r"(?P<type>\w+) operator \( \) "
    r"\( (?:const )?(?P=type) (?:& )?(?P<p>\w+) , (?:const )?(?P=type) (?:& )?(?P<q>\w+) \) "
    r"(?:const )?(?:noexcept )?\{ return (?:(?P=type) )?\{ (?P<values>[^{};]*) \} ; \}"
)
_OF_FIELDS = re.compile(r"(\w+) \. (\w+) [+*] (\w+) \. (\w+)")
NUMBERS = words("float double int unsigned long short char")
_CHOICE = re.compile(r"(?:\( )?(\w+) ([<>])=? (\w+)(?: \))? \? (\w+) : (\w+)")


def own(tokens: Sequence[Lexeme]) -> dict[str, str]:
    """Map those of the libraries' names that the file defines itself to their operation, or to ""."""
    found: dict[str, str] = {}
    for name, k in _declared(tokens):
        said = _operation(tokens, k + 1)
        found[name] = said if found.get(name, said) == said else ""
    return found


def by_field(tokens: Sequence[Lexeme], name: str) -> bool:
    """Whether a type of the file adds or multiplies two structs field by field.

    The order in which such an operation joins many structs only affects rounding.
    """
    found = _BY_FIELD.fullmatch(_body(tokens, name))
    if found is None or found["p"] == found["q"]:
        return False
    fields: list[str] = []
    for declaration in _body(tokens, found["type"]).removesuffix(";").split(";"):
        said = declaration.split(" , ")
        type, _, first = said[0].strip().rpartition(" ")
        names = [first, *(each.strip() for each in said[1:])]
        if not type or not set(type.split()) <= NUMBERS or not all(n.isidentifier() for n in names):
            return False
        fields += names
    values = [_OF_FIELDS.fullmatch(value.strip()) for value in found["values"].split(" , ")]
    pair = {found["p"], found["q"]}
    return len(values) == len(fields) and all(
        value is not None and {value[1], value[3]} == pair and value[2] == value[4] == field
        for value, field in zip(values, fields, strict=True)
    )


def _body(tokens: Sequence[Lexeme], name: str) -> str:
    """Return what is between the braces of the struct of that name, if there is exactly one."""
    at = [
        k
        for k in range(1, len(tokens) - 1)
        if tokens[k].value == name and tokens[k - 1].value in ("struct", "class")
    ]
    opening = [k + 1 for k in at if tokens[k + 1].value == "{"]
    hiding = ("typename", "using")
    hidden = any(t.value == name and tokens[k - 1].value in hiding for k, t in enumerate(tokens))
    if len(opening) != 1 or len(at) != 1 or hidden:
        return ""
    return _between(tokens, opening[0])


def _declared(tokens: Sequence[Lexeme]) -> Iterator[tuple[str, int]]:
    head = False
    for k, token in enumerate(tokens):
        if token.value in ("struct", "class", "union", "typedef"):
            head = True
        elif token.value in ("{", "}", ";"):
            head = False
        elif token.origin.name.startswith("thrust/"):  # a stand-in for the library
            continue
        elif token.value in OPERATIONS and k and (head or tokens[k - 1].value == "using"):
            yield token.value, k


def _operation(tokens: Sequence[Lexeme], opening: int) -> str:
    """Return `max`, `min` or `sum` for the body of a type that opens at a token; "" for another."""
    if opening >= len(tokens) or tokens[opening].value != "{":
        return ""
    match = _SHAPE.fullmatch(_between(tokens, opening).removeprefix("public : "))
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


def _between(tokens: Sequence[Lexeme], opening: int) -> str:
    """Return the text between a brace and the one that closes it."""
    depth, end = 0, opening
    while end < len(tokens):
        depth += (tokens[end].value == "{") - (tokens[end].value == "}")
        if depth == 0:
            break
        end += 1
    return " ".join(token.value for token in tokens[opening + 1 : end])
