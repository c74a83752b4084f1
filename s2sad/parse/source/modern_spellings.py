"""Normalise spellings of C++ for the parser: attributes, trailing return types, aliases.

    [[nodiscard]] auto __device__ f(float v) noexcept(true) -> float;      float __device__ f(float v);
    namespace ab = a::b;  ab::f(x)                                         a::b::f(x)
    using P = Q;  P::real v;                                               Q::real v;

This works on tokens, before anything is parsed; what is replaced keeps its position in the file.
What isn't known here stays as it is, and is refused by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from . import pp_tokens
from .keywords import WORDS
from .pp_tokens import ID, Lexeme, words

_SILENT = words(
    "fallthrough maybe_unused nodiscard likely unlikely deprecated noreturn carries_dependency "
    "unused used always_inline noinline hot cold pure const flatten artificial nothrow warn_unused_result "
    "warning error returns_nonnull nonnull leaf no_instrument_function device global host assume_aligned"
)
"""Attributes that don't change what a program computes."""

_DEFINES = words("struct class union enum namespace typename")
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_OPENING.values())
_BEHIND_PARAMETERS = words("const volatile override final noexcept") | {"&", "&&", ")"}


def plain(tokens: Sequence[Lexeme]) -> tuple[Lexeme, ...]:
    """Replace these spellings in the tokens of a file."""
    found = _returns(_silent(_attributes(list(tokens))))
    return tuple(_aliases(found))


def _is(tokens: Sequence[Lexeme], i: int, *values: str) -> bool:
    """Whether the tokens from index i on have these values."""
    return [token.value for token in tokens[i : i + len(values)]] == list(values)


def _behind(tokens: Sequence[Lexeme], i: int) -> int:
    """Return the index after the bracket that closes the one at i; the end, if none does."""
    depth = 0
    for k in range(i, len(tokens)):
        depth += (tokens[k].value in _OPENING) - (tokens[k].value in _CLOSING)
        if depth == 0:
            return k + 1
    return len(tokens)


def _made(value: str, at: Lexeme, kind: str = "") -> Lexeme:
    """Make a token of this value at the position of another."""
    made = at.__copy__()
    made.value, made.type = value, kind or pp_tokens.OPERATORS.get(value, ID)
    return made


# ---- attributes ---------------------------------------------------------------


def _attributes(tokens: list[Lexeme]) -> list[Lexeme]:
    """Remove `[[…]]`; attributes that may change what is computed become `__attribute__((…))`."""
    result: list[Lexeme] = []
    i = 0
    while i < len(tokens):
        end = _behind(tokens, i) if tokens[i].value == "[" and _is(tokens, i + 1, "[") else i
        if end == i or not _is(tokens, end - 2, "]", "]"):
            result.append(tokens[i])
            i += 1
            continue
        parts = [part for part in _parts(tokens[i + 2 : end - 2]) if _name(part) not in _SILENT]
        if parts:
            first = tokens[i]
            result += [_made("__attribute__", first, ID), _made("(", first), _made("(", first)]
            for k, part in enumerate(parts):
                result += [_made(",", part[0])] * (k > 0) + part
            result += [_made(")", tokens[end - 1]), _made(")", tokens[end - 1])]
        i = end
    return result


def _parts(tokens: Sequence[Lexeme]) -> Iterator[list[Lexeme]]:
    """Yield the attributes of a list, without the compiler's name before each."""
    if _is(tokens, 0, "using") and _is(tokens, 2, ":"):
        tokens = tokens[3:]
    part: list[Lexeme] = []
    i = 0
    while i < len(tokens):
        end = _behind(tokens, i) if tokens[i].value in _OPENING else i + 1
        if tokens[i].value == ",":
            if part:
                yield part
            part = []
        elif not (part == [] and _is(tokens, i + 1, "::")) and not (part == [] and tokens[i].value == "::"):
            part += tokens[i:end]
        i = end
    if part:
        yield part


def _name(part: Sequence[Lexeme]) -> str:
    return part[0].value.strip("_")


# ---- functions ----------------------------------------------------------------


def _silent(tokens: list[Lexeme]) -> list[Lexeme]:
    """Remove the parentheses after `noexcept`, which is itself removed later."""
    result: list[Lexeme] = []
    i = 0
    while i < len(tokens):
        result.append(tokens[i])
        i += 1
        if result[-1].value == "noexcept" and len(result) > 1 and result[-2].value in _BEHIND_PARAMETERS:
            i = _behind(tokens, i) if _is(tokens, i, "(") else i
    return result


def _returns(tokens: list[Lexeme]) -> list[Lexeme]:
    """Move the trailing return type of a function to the position of `auto`."""
    arrows = [i for i in range(1, len(tokens)) if tokens[i].value == "->" and _ends_parameters(tokens[i - 1])]
    for arrow in reversed(arrows):
        head = _auto(tokens, arrow)
        if head is None:
            continue
        end = arrow + 1
        while end < len(tokens) and tokens[end].value not in ("{", ";", "}"):
            end = _behind(tokens, end) if tokens[end].value in ("(", "[") else end + 1
        kind = tokens[arrow + 1 : end]
        if kind and not any(token.value in ("decltype", "auto", "=") for token in kind):
            placed = [_placed(part, tokens[head]) for part in kind]
            tokens = [*tokens[:head], *placed, *tokens[head + 1 : arrow], *tokens[end:]]
    return tokens


def _ends_parameters(token: Lexeme) -> bool:
    return token.value in _BEHIND_PARAMETERS


def _auto(tokens: Sequence[Lexeme], arrow: int) -> int | None:
    """Return the index of the `auto` of a function whose type follows at `arrow`; None if there is none."""
    i = arrow - 1
    while i > 0 and tokens[i].value in _BEHIND_PARAMETERS and tokens[i].value != ")":
        i -= 1
    if tokens[i].value != ")":
        return None
    depth = 0
    while i > 0:
        depth += (tokens[i].value in _CLOSING) - (tokens[i].value in _OPENING)
        if depth == 0:
            break
        i -= 1
    i -= 1
    while i >= 0 and (tokens[i].type == ID or tokens[i].value in ("::",)):
        if tokens[i].value == "auto":
            return i
        i -= 1
    return None


# ---- aliases --------------------------------------------------------------------


def _aliases(tokens: list[Lexeme]) -> list[Lexeme]:
    """Replace aliases of namespaces, and of classes before `::`, by what they denote."""
    result: list[Lexeme] = []
    known: list[dict[str, list[Lexeme]]] = [{}]
    hidden: list[tuple[int, str]] = []  # by parameters of templates, up to that index
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.value == "{":
            known.append({})
        elif token.value == "}" and len(known) > 1:
            known.pop()
        if token.value == "namespace" and _is(tokens, i + 2, "=") and tokens[i + 1].type == ID:
            end = _semicolon(tokens, i)
            known[-1][tokens[i + 1].value] = _meant(tokens[i + 3 : end], known)
            i = end + 1
            continue
        names = token.value in _DEFINES and not (i and tokens[i - 1].value == "using")
        if names and i + 2 < len(tokens) and tokens[i + 2].value != "::":
            name = tokens[i + 1].value
            if tokens[i + 2].value in (",", ">", "="):  # a parameter of a template
                hidden.append((_end_of_template(tokens, i), name))
            else:
                known[-1][name] = []
        if token.value in ("using", "typedef") and (found := _named_class(tokens, i)) is not None:
            name, kind = found
            known[-1][name] = _meant(kind, known)
        directive = [t.value for t in result[-2:]] == ["using", "namespace"]
        if token.type == ID and (directive or _is(tokens, i + 1, "::")) and not _is_member(result):
            meant = next((scope[token.value] for scope in reversed(known) if token.value in scope), None)
            hidden = [(end, name) for end, name in hidden if i < end]
            if meant and all(name != token.value for _, name in hidden):
                result += [_placed(part, token) for part in meant]
                i += 1
                continue
        result.append(token)
        i += 1
    return result


def _end_of_template(tokens: Sequence[Lexeme], i: int) -> int:
    """Return the index after the declaration whose head contains a parameter."""
    while i < len(tokens) and tokens[i].value not in (";", "{"):
        i = _behind(tokens, i) if tokens[i].value == "(" else i + 1
    return _behind(tokens, i) if i < len(tokens) and tokens[i].value == "{" else i + 1


def _placed(part: Lexeme, at: Lexeme) -> Lexeme:
    made = at.__copy__()
    made.value, made.type = part.value, part.type
    return made


def _is_member(before: Sequence[Lexeme]) -> bool:
    """Whether the following name is qualified by a scope or an object."""
    return bool(before) and before[-1].value in ("::", ".", "->")


def _semicolon(tokens: Sequence[Lexeme], i: int) -> int:
    while i < len(tokens) and tokens[i].value != ";":
        i += 1
    return i


def _meant(tokens: Sequence[Lexeme], known: Sequence[dict[str, list[Lexeme]]]) -> list[Lexeme]:
    """Resolve the target of an alias, if it begins with another alias."""
    if tokens and (len(tokens) == 1 or tokens[1].value == "::"):
        for scope in reversed(known):
            if scope.get(tokens[0].value):
                return [*scope[tokens[0].value], *tokens[1:]]
    return list(tokens)


def _named_class(tokens: Sequence[Lexeme], i: int) -> tuple[str, list[Lexeme]] | None:
    """Return the alias and its target in `using P = a::Q;`, `using B = Box<T>;` and `typedef Q P;`."""
    if i > 0 and tokens[i - 1].value == ">":  # an alias template
        return None
    end = _semicolon(tokens, i)
    if tokens[i].value == "typedef":
        name, kind = tokens[end - 1], list(tokens[i + 1 : end - 1])
    elif _is(tokens, i + 2, "="):
        name, kind = tokens[i + 1], list(tokens[i + 3 : end])
    else:
        return None
    return (name.value, kind) if name.type == ID and _is_class_name(kind) else None


def _is_class_name(tokens: Sequence[Lexeme]) -> bool:
    """Whether tokens have the form `a::Q` or `a::Q<…>`."""
    k, expects = 0, True
    while k < len(tokens):
        token = tokens[k]
        if expects and token.value == "::":
            k += 1
            continue
        if expects and (token.type != ID or token.value in WORDS):
            return False
        if not expects and token.value == "<":
            return tokens[-1].value == ">" and k > 0
        if not expects and token.value != "::":
            return False
        expects = not expects
        k += 1
    return bool(tokens) and not expects
