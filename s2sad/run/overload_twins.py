"""Leave out definitions that become those of others where `float` becomes `double`.

    __device__ float sq(float v) { return v * v; }
    __device__ double sq(double v) { return v * v; }       left out

So do specialisations for both types, and instances of a template. What was written for `float` is kept:
that is what is compiled as `double`. Lines stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_SCOPES = frozenset({"namespace", "struct", "class", "union", "extern"})
_CLOSING = {"(": ")", "{": "}", "[": "]"}


def twins_left_out(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Return the tokens of `after`, those of twins blank; `before` are the same tokens with `float`."""
    out = list(after)
    for begin, end in _twins(before, after):
        out[begin:end] = ["\n" * text.count("\n") for text in after[begin:end]]
    return out


def _twins(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of tokens to be left out."""
    first: dict[tuple[object, ...], tuple[int, int, bool, tuple[str, ...]]] = {}
    for scope, branch, begin, head, end in definitions(after):
        key = (scope, branch, *_without_names(after[begin:head]))
        text = _without_names(before[begin:head])
        widened = any("float" in token for token in before[begin:head])
        if key not in first:
            first[key] = begin, end, widened, text
            continue
        other_begin, other_end, other_widened, other_text = first[key]
        if text == other_text:
            continue  # the author's own mistake: the compiler reports it
        if widened and not other_widened:
            yield other_begin, other_end
            first[key] = begin, end, widened, text
        else:
            yield begin, end


Scopes = tuple[tuple[str | int, ...], ...]


def definitions(
    tokens: Sequence[str], declared: bool = False
) -> Iterator[tuple[Scopes, tuple[int, ...], int, int, int]]:
    """Yield each definition outside functions: its scope, its branch of #if, its begin, body and end.

    A namespace may be opened again, a class isn't. If `declared`, functions without a body are among them.
    """
    scopes: list[tuple[str | int, ...]] = []
    branches: list[int] = []
    begin, at = 0, 0
    head: list[str] = []  # the tokens of the definition so far
    while at < len(tokens):
        token = tokens[at]
        if token == "#":
            end = _end_of_line(tokens, at)
            _branch(branches, [t for t in tokens[at + 1 : end] if t.strip()], at)
            begin, head = (end, []) if not head else (begin, head)
            at = end
            continue
        if not token.strip() or token.startswith(("//", "/*")):
            at += 1
            begin = begin if head else at
            continue
        if token == "{" and "(" not in head and not _SCOPES.isdisjoint(head) and "=" not in head:
            if head[0] == "template":  # a specialisation, whole
                end = _closed(tokens, at)
                yield tuple(scopes), tuple(branches), begin, at, _with_semicolon(tokens, end)
            scopes.append(tuple(head) if head[0] in ("namespace", "extern") else (at,))
            head, begin, at = [], at + 1, at + 1
        elif token == "{":
            end = _closed(tokens, at)
            yield tuple(scopes), tuple(branches), begin, at, end
            head, begin, at = [], end, end
        elif token in (";", "}"):
            if token == "}" and scopes:
                scopes.pop()
            if token == ";" and _is_declaration(head, declared):
                yield tuple(scopes), tuple(branches), begin, at, at + 1
            head, begin, at = [], at + 1, at + 1
        elif token in _CLOSING:
            end = _closed(tokens, at)
            head += tokens[at:end]
            at = end
        else:
            head.append(token)
            at += 1


def _is_declaration(head: Sequence[str], declared: bool) -> bool:
    """Whether an instance of a template ends here, or if `declared`, a declaration of a function."""
    instance = head[:1] == ["template"] and "<" not in head[1:2]
    return instance or (declared and "(" in head and "=" not in head)


def _branch(branches: list[int], words: Sequence[str], at: int) -> None:
    """Enter or leave a branch of #if; code of different branches has no twins there."""
    match words[:1]:
        case ["if" | "ifdef" | "ifndef"]:
            branches.append(at)
        case ["else" | "elif"] if branches:
            branches[-1] = at
        case ["endif"] if branches:
            branches.pop()
        case _:
            pass


def _end_of_line(tokens: Sequence[str], at: int) -> int:
    """Return the token that ends the line of a directive."""
    for k in range(at, len(tokens)):
        if "\n" in tokens[k] and not tokens[k].startswith("/*") and tokens[k - 1] != "\\":
            return k
    return len(tokens)


def _closed(tokens: Sequence[str], at: int) -> int:
    """Return the token behind the bracket that closes the one at `at`."""
    opening, closing = tokens[at], _CLOSING[tokens[at]]
    depth = 0
    for k in range(at, len(tokens)):
        depth += (tokens[k] == opening) - (tokens[k] == closing)
        if not depth:
            return k + 1
    return len(tokens)


def _with_semicolon(tokens: Sequence[str], end: int) -> int:
    at = next((k for k in range(end, len(tokens)) if tokens[k].strip()), end)
    return at + 1 if tokens[at : at + 1] == [";"] else end


def signature(head: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens of a head that decide which function it declares."""
    return _without_names(head)


def _without_names(head: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens that decide which function a head declares, without the names of parameters."""
    words = [t for t in head if t.strip() and not t.startswith(("//", "/*"))]
    lists = (k for k in range(1, len(words)) if words[k - 1] == ")" and words[k] == ":")
    words = words[: next(lists, None)]  # without a constructor's initialisers
    return tuple(
        word
        for k, word in enumerate(words)
        if not (
            word.isidentifier()
            and words[k + 1 : k + 2] in ([","], [")"])
            and k
            and (words[k - 1].isidentifier() or words[k - 1] in "*&>")
        )
    )
