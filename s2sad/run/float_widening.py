"""Rewrite `float` to `double`, token by token.

A finite difference of a float kernel has three good digits; the same text
with every `float` a `double` gives nine. The rewrite changes types and literals
only: comments, strings, layout and line numbers are kept, so compiler messages
still point to the author's lines. Literals matter: `1.0f / 6.0f`
would otherwise remain a constant with an error of 3e-8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from .overload_twins import twins_left_out

Real = Literal["float", "double", "dual", "hyper"]
"""The type that `float` is compiled as. "dual" is a double with its tangent, for `double` as well; "hyper"
is a dual number with a dual tangent: two tangents and the second derivative along both.
"""

_TOKENS = re.compile(
    r"""
      (?P<comment>  //(?:[^\n\\]|\\.|\\\n)* | /\*.*?\*/ )
    | (?P<raw>      (?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)" )
    | (?P<string>   (?:u8|[uUL])?"(?:[^"\\\n]|\\.|\\\n)*" | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)+' )
    | (?P<include>  ^[ \t]*\#[ \t]*include\b[^\n]* )
    | (?P<number>   \.?[0-9](?:'(?=[0-9a-zA-Z])|[eEpP][+-]|[0-9a-zA-Z_.])* )
    | (?P<name>     [A-Za-z_$][A-Za-z0-9_$]* )
    | (?P<space>    \s+ )
    | (?P<other>    . )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)

Kind = Literal["comment", "raw", "string", "include", "number", "name", "space", "other"]


class Token(NamedTuple):
    kind: str
    text: str


TEXTS = 16
"""A check compiles the same few texts in several ways; so many are remembered."""


def tokens(text: str) -> Iterator[Token]:
    """Yield the text's tokens, which concatenate to the text."""
    yield from _tokens(text)


@lru_cache(TEXTS)
def _tokens(text: str) -> tuple[Token, ...]:
    found = []
    for match in _TOKENS.finditer(text):
        kind = match.lastgroup or "other"
        found.append(Token("raw" if kind == "fence" else kind, match.group()))
    return tuple(found)


_FLOAT_LITERAL = re.compile(
    r"(?:[0-9']*\.[0-9']*(?:[eE][+-]?[0-9]+)?|[0-9']+[eE][+-]?[0-9]+|0[xX].*[pP].*)[fF]"
)
_TYPES = {"float": "double"} | {
    f"{prefix}float{n}": f"{prefix}double{n}" for n in "1234" for prefix in ("", "make_")
}


@lru_cache(TEXTS)
def to_double(text: str, function: Callable[[str], str] | None = None) -> str:
    """Rewrite `float` to `double` in the text.

    `function` maps the names of functions, for a compiler whose `sinf` can't be
    redefined. Without it names are kept, and the CPU backend's header
    defines them for doubles.
    """
    return _rewritten(text, lambda token: _as_double(token, function))


@lru_cache(TEXTS)
def to_dual(text: str) -> str:
    """Rewrite `float` and `double` to the type of numbers with tangents, and remove `volatile`."""
    return _rewritten(text, _as_dual)


def _rewritten(text: str, made: Callable[[Token], str]) -> str:
    found = list(_unasserted(tokens(text)))
    return "".join(twins_left_out([token.text for token in found], [made(token) for token in found]))


def _unasserted(found: Iterator[Token]) -> Iterator[Token]:
    """Make static assertions trivially true: `sizeof(float) == 4` may hold only before the rewrite."""
    for token in found:
        yield token
        if token.text not in ("static_assert", "_Static_assert"):
            continue
        depth = 0
        for inner in found:
            depth += (inner.text == "(") - (inner.text == ")")
            if depth == 0 and inner.kind != "space":
                yield Token("other", "(true)") if inner.text == ")" else inner
                break
            if "\n" in inner.text:
                yield Token("space", "\n" * inner.text.count("\n"))


_DUAL = {"double": "s2sad_real", "volatile": ""} | {
    f"{prefix}double{n}": f"{prefix}s2sad_real{n}" for n in "1234" for prefix in ("", "make_")
}


def _as_dual(token: Token) -> str:
    text = _as_double(token, None)
    return _DUAL.get(text, text) if token.kind == "name" else text


def doubled(token: Token) -> str:
    """Return a token with `float` as `double`."""
    return _as_double(token, None)


def _as_double(token: Token, function: Callable[[str], str] | None) -> str:
    match token.kind:
        case "name":
            name = _TYPES.get(token.text, token.text)
            return function(name) if function else name
        case "number" if _FLOAT_LITERAL.fullmatch(token.text):
            return token.text[:-1]
        case _:
            return token.text
