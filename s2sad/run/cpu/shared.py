"""Rewrite shared variables of templates and functions as references into the engine's memory.

Compilers ignore section and label attributes of declarations in templates, and don't put a
function's variables into the section of a kernel's, which are inline. So in a text with
templates `extern __shared__ T name[];` becomes a pointer to the engine's buffer. In a text
with either, `__shared__ T name[N];` becomes a reference into a room that all such variables share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..float_widening import Token
from .lexemes import between_commas

ROOM_BYTES = 64 * 1024

_ALIGNED = re.compile(
    r"\b(?:__align__|__attribute__|alignas|__builtin_align__)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
)
_DYNAMIC = re.compile(r"\s*(?P<type>.*?)(?P<name>\w+)\s*\[\s*\]\s*;", re.DOTALL)
_DECLARATOR = re.compile(r"(?P<type>.*?)(?P<name>\w+)\s*(?P<extents>(?:\[.*\])?)\s*", re.DOTALL)


def in_templates(parts: Sequence[Token]) -> bool:
    return any(token.kind == "name" and token.text == "template" for token in parts)


def outside_of_kernels(statements: Sequence[Sequence[Token]]) -> bool:
    """Whether shared variables are declared in a function that isn't a kernel, or at file scope."""
    kernel, depth, around = False, 0, 0
    for statement in statements:
        names = {token.text for token in statement if token.kind == "name"}
        if names & {"__global__", "__device__"}:
            kernel, around = "__global__" in names, depth
        if not kernel and "__shared__" in names and "extern" not in names:
            return True
        braces = [token.text for token in statement if token.kind == "other" and token.text in "{}"]
        depth += braces.count("{") - braces.count("}")
        kernel = kernel and (depth > around or "}" not in braces)
    return False


def directives(statement: Sequence[Token]) -> int:
    """Count the tokens of preprocessor lines before a statement, and of the space around them."""
    at = 0
    for k, token in enumerate(statement):
        if k >= at and token.kind == "other" and token.text == "#":
            ends = (j for j in range(k, len(statement)) if "\n" in statement[j].text)
            at = next(ends, len(statement) - 1) + 1
        elif k >= at and token.kind not in ("space", "comment"):
            break
    return at


def dynamic(statement: Sequence[Token]) -> list[Token]:
    """Return `T *name = (T *)` the engine's buffer; empty if the array has more dimensions."""
    match = _DYNAMIC.fullmatch(_plain(statement, "extern", "__shared__"))
    if match is None or "," in match["type"]:
        return []
    kind = " ".join(match["type"].split())
    return [*blank(statement), Token("other", f"{kind} *{match['name']} = ({kind} *)s2sad_dynamic();")]


def fixed(statement: Sequence[Token], number: int) -> list[Token]:
    """Return a reference for each variable; empty if the statement has another form."""
    braces = [k for k, token in enumerate(statement) if token.kind == "other" and token.text in "{}"]
    if braces:
        return _with_its_type(statement, number, braces[0], braces[-1])
    text = _plain(statement, "static", "__shared__").strip()
    if not text.endswith(";"):
        return []
    kind = ""
    out = []
    for i, declared in enumerate(between_commas(text[:-1])):
        match = _DECLARATOR.fullmatch(declared)
        if match is None:
            return []
        kind = " ".join(match["type"].split()) or kind
        place = f"s2sad_place_{number}_{i}"
        out.append(
            f"static size_t {place}; "
            f'auto &{match["name"]} = s2sad_lodged<{kind}{match["extents"]}>({place}, "{match["name"]}");'
        )
    return [*blank(statement), Token("other", " ".join(out))]


def _with_its_type(statement: Sequence[Token], number: int, opening: int, closing: int) -> list[Token]:
    """Like `fixed`, for variables whose type is defined in the statement: the type, then the variables."""
    head = [token for token in statement[:opening] if token.text not in ("static", "__shared__")]
    names = [token.text for token in head if token.kind == "name"]
    kind = names[-1] if names[-1] not in ("struct", "class", "union") else f"s2sad_type_{number}"
    named = [] if kind in names else [Token("name", f" {kind} ")]
    behind = [Token("name", kind), Token("space", " "), *statement[closing + 1 :]]
    definition = [*head, *named, *statement[opening : closing + 1], Token("other", ";")]
    return [*definition, *fixed(behind, number)]


def _plain(statement: Sequence[Token], *without: str) -> str:
    """Return the statement without comments, those words and alignment specifiers."""
    words = (token.text for token in statement if token.text not in without and token.kind != "comment")
    return _ALIGNED.sub(" ", "".join(words))


def blank(statement: Sequence[Token]) -> Iterator[Token]:
    """Yield the statement's newlines."""
    yield Token("space", "\n" * sum(token.text.count("\n") for token in statement))
