"""Convert preprocessed tokens to pycparser's, with CUDA's words in C's token classes.

`__global__`, `__device__`, `__forceinline__` are function specifiers to the parser,
`__shared__` and `__constant__` storage classes, all spellings of `restrict` one
qualifier. So they reach the tree as words instead of being blanked. The parentheses
after `__launch_bounds__` and similar are merged into one token with it.

The parser's coordinates hold the index of a token in the list, from which translation_unit.py
finds the exact position.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pycparser import c_lexer
from pycparser.c_lexer import CLexer, Token
from pycparser.c_parser import _TokenStream

from ..source import keywords, pp_tokens
from ..source.keywords import ALTERNATIVES, STD, WORDS
from ..source.pp_tokens import Lexeme, words

WITH_PARENTHESES = words(
    "__launch_bounds__ __attribute__ __align__ alignas __maxnreg__ __cluster_dims__ __block_size__ __declspec"
)
PRAGMAS = ("unroll", "nounroll")  # the others don't affect how a loop is written
_PUNCTUATION: dict[str, str] = {token.literal: token.tok_type for token in c_lexer._fixed_tokens}


class Fed(Token):  # type: ignore[misc]  # pycparser is untyped to us
    """A token with its index in the list that it comes from, and the index of its last part."""

    __slots__ = ("first", "last")

    def __init__(self, type: str, value: str, first: int, last: int) -> None:
        super().__init__(type, value, first, 0, "")
        self.first = first
        self.last = last


class Qualified(str):
    """A name with `::` before it, which is no local variable, whatever its name."""

    __slots__ = ()


class NoLexer(CLexer):  # type: ignore[misc]  # pycparser is untyped to us
    """A lexer that the parser creates and never reads: its tokens are made in advance."""


class Stream(_TokenStream):  # type: ignore[misc]  # pycparser is untyped to us
    """Tokens that are all available from the start."""

    def __init__(self, tokens: Sequence[Fed]) -> None:
        super().__init__(lambda: None)
        self._buffer: list[Fed | None] = [*tokens, None]

    def peek(self, k: int = 1) -> Fed | None:
        at: int = self._index + k - 1
        return self._buffer[at] if at < len(self._buffer) else None

    def next(self) -> Fed | None:
        token = self.peek()
        if token is not None:
            self._index += 1
        return token


def classify(tokens: Sequence[Lexeme], first: int, end: int, namespaces: Collection[str] = STD) -> list[Fed]:
    """Convert tokens `first` to `end` (exclusive) to the parser's classes; `a::f` becomes `f`."""
    result: list[Fed] = []
    i = start = first
    while i < end:
        text = tokens[i].value
        if text == "enum" and i > first:  # local to a function
            named = i + 1 + (tokens[i + 1].value in ("class", "struct"))
            namespaces = {*namespaces, tokens[named].value} - {"{"}
        if text in ("class", "struct") and i > first and tokens[i - 1].value == "enum":
            i = start = i + 1  # `enum class Mode`: its names are qualified by `Mode::`
            continue
        if text == ":" and _is_underlying(tokens, i, first):
            i = start = next((k for k in range(i, end) if tokens[k].value in ("{", ";")), end)
            continue
        if skipped := _is_qualifier(tokens, i, end, namespaces, within=start < i):
            i += skipped
            start = start if tokens[i - 1].value == "::" else i
            continue
        if text == "using" and (equals := _alias(tokens, i, end)):  # `using T = float[3];`
            semicolon = _semicolon(tokens, equals, end)  # is `typedef float T[3];`
            extents = _behind_name(tokens, equals, semicolon)
            result.append(Fed("TYPEDEF", "typedef", i, i))
            result.extend(classify(tokens, equals + 1, extents, namespaces))
            result.append(Fed("ID", tokens[i + 1].value, i + 1, i + 1))
            result.extend(classify(tokens, extents, semicolon, namespaces))
            i = start = semicolon
            continue
        kind, text, last = _classified(tokens, i, end)
        if kind == "ID" and text == tokens[i].value and start < i:
            text = Qualified(text)
        if kind != "PRAGMA":
            result.append(Fed(kind, text, start, last))
        elif text.lstrip().startswith(PRAGMAS):
            result.append(Fed("PPPRAGMA", "pragma", i, last))
            result.append(Fed("PPPRAGMASTR", text.strip(), i, last))
        i = start = last + 1
    return result


def _classified(tokens: Sequence[Lexeme], i: int, end: int) -> tuple[str, str, int]:
    """Return the class and the text of the token that begins here, and the index of its last part."""
    text = tokens[i].value
    match tokens[i].type:
        case pp_tokens.ID if text in WITH_PARENTHESES and i + 1 < end and tokens[i + 1].value == "(":
            last = _closing(tokens, i + 1, end)
            return "INLINE", text + "".join(_spaced(tokens[i + 1 : last + 1])), last
        case pp_tokens.ID if text == "_Pragma" and i + 3 < end:
            return "PRAGMA", tokens[i + 2].value.strip('"'), i + 3
        case pp_tokens.ID if text == "operator" and (behind := _operator(tokens, i, end)):
            return "ID", "".join(t.value for t in tokens[i:behind]), behind - 1
        case pp_tokens.ID if text == "extern" and i + 1 < end and tokens[i + 1].type == pp_tokens.STRING:
            return "STATIC", f"extern {tokens[i + 1].value}", i + 1
        case pp_tokens.ID if text in ALTERNATIVES:
            return _PUNCTUATION[ALTERNATIVES[text]], ALTERNATIVES[text], i
        case pp_tokens.ID:
            kind = WORDS.get(text, "ID")
            return kind, "__restrict__" if kind == "RESTRICT" else text, i
        case pp_tokens.NUMBER | pp_tokens.REAL:
            return _number(text), text, i
        case pp_tokens.CHAR:
            return "CHAR_CONST", text, i
        case pp_tokens.STRING:
            return "STRING_LITERAL", text, i
        case pp_tokens.PRAGMA:
            return "PRAGMA", text, i
        case _:
            return _PUNCTUATION.get(text, "UNKNOWN"), text, i


def _operator(tokens: Sequence[Lexeme], i: int, end: int) -> int:
    """Return the index after the name `operator+` that begins here; 0 for a conversion to a type."""
    k = i + 1
    if k + 1 < end and tokens[k].value + tokens[k + 1].value in ("()", "[]"):
        return k + 2
    while k < end and tokens[k].type != pp_tokens.ID and tokens[k].value != "(":
        k += 1
    return k if k > i + 1 else 0


def _is_qualifier(
    tokens: Sequence[Lexeme], i: int, end: int, namespaces: Collection[str], *, within: bool
) -> int:
    """Return the number of redundant tokens here: `std::`, `a::` or a leading `::` before a name.

    namespaces.py resolves which of several functions of one name is meant. Also redundant are `noexcept`,
    and `typename` before what can only be a type.
    """
    text = tokens[i].value
    before = tokens[i - 1].value if i > 0 else ""
    if text in namespaces and i + 2 < end and tokens[i + 1].value == "::":
        # in a class, `P::Kind::A`, it is an enumeration
        in_class = before == "::" and i > 1 and keywords.is_name(tokens[i - 2])
        return 2 * ((within or in_class or before != "::") and tokens[i + 2].type == pp_tokens.ID)
    if text == "::":
        return int(
            i + 1 < end
            and tokens[i + 1].type == pp_tokens.ID
            and not keywords.is_name(tokens[i - 1] if i else None)
        )
    if text == "typename":  # before a type that depends on a parameter; in a template's head it declares one
        return int(i + 2 < end and tokens[i + 1].type == pp_tokens.ID and tokens[i + 2].value in ("::", "<"))
    return int(text == "noexcept")


def _is_underlying(tokens: Sequence[Lexeme], i: int, first: int) -> bool:
    """Whether a colon is that of `enum Mode : int {`."""
    return any(tokens[k].value == "enum" for k in range(max(first, i - 3), i))


def _alias(tokens: Sequence[Lexeme], i: int, end: int) -> int:
    """Return the index of the `=` in `using T = …`, or 0."""
    return i + 2 if i + 2 < end and tokens[i + 2].value == "=" else 0


def _semicolon(tokens: Sequence[Lexeme], start: int, end: int) -> int:
    """Return the index of the `;` that ends a declaration, ignoring those in braces."""
    depth = 0
    for k in range(start, end):
        depth += {"{": 1, "}": -1}.get(tokens[k].value, 0)
        if depth == 0 and tokens[k].value == ";":
            return k
    return end


def _behind_name(tokens: Sequence[Lexeme], start: int, end: int) -> int:
    """Return where an abstract declarator lacks its name: in `float (*)(int)`, `float (&)[4]`, `float[4]`."""
    opening = next((k for k in range(start, end) if tokens[k].value in ("(", "<")), end)
    if opening == end or tokens[opening].value == "<" or tokens[opening - 1].value == "decltype":
        return _extents(tokens, start, end)
    k = opening + 1
    while k < end and tokens[k].value in ("*", "&", "const", "volatile"):
        k += 1
    return k if k > opening + 1 and tokens[k].value == ")" else opening


def _extents(tokens: Sequence[Lexeme], start: int, end: int) -> int:
    """Return the index where the extents of an array type ending at `end` begin; `end` if it is no array."""
    depth, begin = 0, end
    for k in reversed(range(start, end)):
        if depth == 0 and tokens[k].value != "]":
            break
        depth += {"]": 1, "[": -1}.get(tokens[k].value, 0)
        begin = k if depth == 0 else begin
    return begin


def _closing(tokens: Sequence[Lexeme], start: int, end: int) -> int:
    depth = 0
    for i in range(start, end):
        depth += {"(": 1, ")": -1}.get(tokens[i].value, 0)
        if depth == 0:
            return i
    return end - 1


def _spaced(tokens: Sequence[Lexeme]) -> list[str]:
    """Return the texts, with a space after each comma."""
    return [t.value + " " if t.value == "," else t.value for t in tokens]


_NUMBERS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("HEX_FLOAT_CONST", r"0[xX][0-9a-fA-F']*\.?[0-9a-fA-F']*[pP][+-]?[0-9']+[fFlL]?"),
        ("INT_CONST_HEX", r"0[xX][0-9a-fA-F][0-9a-fA-F']*(?:[uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?"),
        ("INT_CONST_BIN", r"0[bB][01][01']*(?:[uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?"),
        ("INT_CONST_OCT", r"0[0-7']*(?:[uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?"),
        ("INT_CONST_DEC", r"[1-9][0-9']*(?:[uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?"),
        ("FLOAT_CONST", r"(?:[0-9][0-9']*\.?[0-9']*|\.[0-9][0-9']*)(?:[eE][+-]?[0-9']+)?[fFlL]?"),
    )
)


def _number(text: str) -> str:
    for kind, pattern in _NUMBERS:
        if pattern.fullmatch(text):
            if kind == "FLOAT_CONST" and not re.search(r"[.eE]", text):
                break  # `8f`, `09`
            return kind
    return "BAD_NUMBER"
