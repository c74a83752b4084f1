"""Find the bodies of a text's functions, and those that a kernel may reach.

Only tokens are used: a body follows a parameter list, and isn't an initialiser, a class
or a namespace. A function that mentions another's name may call it; operators are called
by their signs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .lexemes import Words

_ATTRIBUTES = frozenset(
    [
        *("__launch_bounds__", "__align__", "__builtin_align__", "__attribute__", "__block_size__"),
        *("__cluster_dims__", "__maxnreg__", "__declspec", "alignas", "decltype", "noexcept", "explicit"),
    ]
)
_CLASSES = ("struct", "class", "union")


@dataclass(frozen=True)
class Function:
    """A function with a body: the words from `low` up to `high`, between its braces."""

    name: str
    low: int
    high: int
    names: frozenset[str]  # mentioned in the body
    within: str = ""  # the class


def find(words: Words) -> list[Function]:
    """Return every function that the text defines, in order."""
    return list(_scope(words, 0, len(words.words), ""))


def reached_from(kernel: str, functions: Sequence[Function]) -> frozenset[int]:
    """Return the functions that a kernel, or its copy called by an entry, may reach by name."""
    named: dict[str, list[int]] = {}
    for number, function in enumerate(functions):
        named.setdefault(function.name, []).append(number)
    todo = [*named.get(kernel, ()), *named.get(f"s2sad_{kernel}", ())]
    found: set[int] = set()
    while todo:
        number = todo.pop()
        if number not in found:
            found.add(number)
            todo += [other for name in functions[number].names for other in named.get(name, ())]
    return frozenset(found)


def _scope(words: Words, low: int, high: int, within: str) -> Iterator[Function]:
    """Yield the functions of a namespace or a class."""
    start = low
    at = low
    while at < high:
        text = words.words[at].text if words.words[at].kind == "other" else ""
        if text == ";":
            start = at + 1
        elif text in ("(", "["):
            at = words.ends[at]
        elif text == "{":
            end = words.ends[at]
            kind, name = _begun(words, start, at)
            if kind in ("namespace", "class"):
                yield from _scope(words, at + 1, end, name if kind == "class" else within)
            elif kind == "function":
                names = frozenset(_mentioned(words, start, end))
                yield Function(name, at + 1, end, names, within)
            if kind != "initialiser":
                start = end + 1
            at = end
        at += 1


def _mentioned(words: Words, low: int, high: int) -> Iterator[str]:
    """Yield what a function may call: names, and operators spelled as in their definitions."""
    for at in range(low, high):
        word = words.words[at]
        if word.kind == "name":
            yield word.text
        elif word.kind == "other":
            yield f"operator{word.text}"
            if word.text in ("(", "["):
                yield f"operator{word.text}{')' if word.text == '(' else ']'}"


def _begun(words: Words, low: int, brace: int) -> tuple[str, str]:
    """Return the kind of construct that a brace begins, and its name."""
    low = _after_template(words, low, brace)
    top = list(_top(words, low, brace))
    texts = [words.words[at].text for at in top]
    if "namespace" in texts or (texts[:1] == ["extern"] and len(texts) == 2):
        return "namespace", ""
    if "enum" in texts:
        return "initialiser", ""
    parens = [
        n for n, at in enumerate(top) if words.words[at].text == "(" and words.words[at].kind == "other"
    ]
    if "operator" in texts:
        sign = texts.index("operator")
        after = [n for n in parens if n > sign]
        if after and after[0] == sign + 1 and len(after) > 1:
            after = after[1:]  # of operator()
        if after:
            name = "".join(t for t in texts[sign : after[0]] if t != ")")
            return "function", "operator()" if name == "operator(" else name
    if "=" in texts:
        return "initialiser", ""
    if parens and not _is_member_initialiser(words, top, brace):
        return "function", texts[parens[0] - 1] if parens[0] else ""
    if parens:
        return "initialiser", ""
    for key in _CLASSES:
        if key in texts:
            names = [t for at, t in zip(top, texts, strict=True) if words.words[at].kind == "name"]
            later = names[names.index(key) + 1 :]
            return "class", later[0] if later else ""
    return "initialiser", ""


def _is_member_initialiser(words: Words, top: Sequence[int], brace: int) -> bool:
    """Whether the brace is like that of `y{a}` in `S(float a) : x(a), y{a} {`."""
    before = words.words[brace - 1]
    return any(words.words[at].text == ":" for at in top) and (
        (before.kind == "name" and before.text not in ("const", "override", "final", "noexcept"))
        or before.text == ">"
    )


def _top(words: Words, low: int, high: int) -> Iterator[int]:
    """Yield the words outside of all brackets, and the opening brackets; skip attributes."""
    at = low
    while at < high:
        word = words.words[at]
        if word.kind == "name" and word.text in _ATTRIBUTES:
            at += 1
            if at < high and words.words[at].text == "(":
                at = words.ends[at] + 1
            continue
        yield at
        at = words.ends.get(at, at)
        at += 1


def _after_template(words: Words, low: int, high: int) -> int:
    """Return the index after `template <…>`, access specifiers and attributes in brackets."""
    at = low
    while at < high:
        word = words.words[at].text
        if word == "template" and at + 1 < high and words.words[at + 1].text == "<":
            at = _angle_end(words, at + 1, high)
        elif word in ("public", "private", "protected") and words.words[at + 1].text == ":":
            at += 2
        elif word == "[":
            at = words.ends[at] + 1
        else:
            return at
    return at


def _angle_end(words: Words, at: int, high: int) -> int:
    depth = 0
    while at < high:
        text = words.words[at].text
        depth += text.count("<") if text in ("<", "<<") else 0
        depth -= 1 if text == ">" else 0
        at = (words.ends.get(at, at)) + 1
        if depth == 0:
            return at
    return at


def kernels_reach(kernels: Sequence[str], functions: Sequence[Function]) -> Mapping[str, frozenset[int]]:
    """Return the functions that each kernel may reach."""
    return {kernel: reached_from(kernel, functions) for kernel in kernels}
