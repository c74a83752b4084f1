"""Read the kernels of a file as declarations: scan for names, parameters and template heads.

Only a kernel's parameter list and template head are parsed.
Bodies, classes, operators and everything else in the file stay the author's tokens, for
the C++ compiler; so this reads files that the transformer can't.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..parse.source import pp_tokens
from ..parse.source.brackets import separated
from ..parse.source.pp_tokens import Lexeme
from ..parse.source.preprocess import Preprocessed, preprocess
from ..parse.source.toplevel import Item, split
from ..source import Source, Span

_QUALIFIERS = pp_tokens.words(
    "const volatile struct class typename register __restrict__ __restrict restrict __grid_constant__"
)
_TYPES = pp_tokens.words("char short int long float double bool signed unsigned void")
_OPENS, _CLOSES = "([{", ")]}"


@dataclass(frozen=True)
class Parameter:
    """One parameter: `type` without qualifiers, the number of pointers, `const` of the pointee."""

    name: str
    type: str
    pointers: int
    const: bool
    span: Span


@dataclass(frozen=True)
class TemplateParameter:
    """One parameter of a template head; `kind` is "typename" or the type of a value."""

    name: str
    kind: str
    default: str

    @property
    def is_type(self) -> bool:
        return self.kind == "typename"


@dataclass(frozen=True)
class Kernel:
    """A kernel's declaration. `scope` are its namespaces, as in `a::b::`."""

    name: str
    scope: str
    parameters: tuple[Parameter, ...]
    template: tuple[TemplateParameter, ...]
    span: Span
    item: Item


@dataclass(frozen=True)
class File:
    """A file after preprocessing, split into declarations."""

    source: Source
    tokens: Sequence[Lexeme]
    items: tuple[Item, ...]
    kernels: tuple[Kernel, ...]
    aliases: Mapping[str, str]
    launches: Mapping[str, tuple[str, ...]]
    """Template arguments of a kernel's launch in the host code, as written there."""
    missing: tuple[str, ...]
    """Headers that weren't found."""

    def kernel(self, name: str) -> Kernel | None:
        return next((kernel for kernel in self.kernels if kernel.name == name), None)


def read(source: Source, defines: Mapping[str, str] | None = None, includes: Sequence[Path] = ()) -> File:
    """Scan a file. Raises Rejected if directives or brackets don't match."""
    done = preprocess(source, defines, includes, facades=False)  # it is compiled
    tokens = done.tokens
    items = split(tokens)
    scopes = dict(_scopes(tokens, items))
    kernels = tuple(
        _kernel(tokens, item, scopes[item.first]) for item in items if item.body and _is_kernel(tokens, item)
    )
    return File(
        source, tokens, items, kernels, dict(_aliases(tokens, items)), dict(_launches(tokens)), _missing(done)
    )


def spell(tokens: Sequence[Lexeme]) -> str:
    """Return tokens as text on one line, with spaces between words only."""
    text = ""
    for token in tokens:
        if text and re.match(r"\w", token.value) and re.search(r"[\w>,]$", text):
            text += " "
        text += token.value
    return text


def _missing(done: Preprocessed) -> tuple[str, ...]:
    return tuple(dict.fromkeys(missing.name for missing in done.missing))


def _is_kernel(tokens: Sequence[Lexeme], item: Item) -> bool:
    return any(token.value == "__global__" for token in tokens[item.first : item.at])


def _scopes(tokens: Sequence[Lexeme], items: Sequence[Item]) -> Iterator[tuple[int, str]]:
    """Yield each item's first token and its namespaces."""
    names: list[str] = []
    at = 0
    for item in (*items, None):
        end = item.first if item is not None else len(tokens)
        words: list[str] = []
        for token in tokens[at:end]:
            match token.value:
                case "{":
                    named = "namespace" in words
                    words = [word for word in words if word not in ("namespace", "inline", "extern")]
                    names.append("".join(f"{word}::" for word in words if word.isidentifier()) * named)
                    words = []
                case "}":
                    if names:
                        names.pop()
                case ";":
                    words = []
                case value:
                    words.append(value)
        if item is not None:
            yield item.first, "".join(names)
            at = item.end


def _kernel(tokens: Sequence[Lexeme], item: Item, scope: str) -> Kernel:
    name = tokens[item.at]
    close = _closing(tokens, item.at + 1)
    inside = separated(tokens[item.at + 2 : close])
    if len(inside) == 1 and spell(inside[0]) == "void":
        inside = []
    parameters = tuple(_parameter(part, i) for i, part in enumerate(inside))
    return Kernel(name.value, scope, parameters, tuple(template_head(tokens, item)), name.span, item)


def _parameter(tokens: Sequence[Lexeme], number: int) -> Parameter:
    whole = tokens[0].span.to(tokens[-1].span)
    depth = 0
    for i, token in enumerate(tokens):
        depth += (token.value in ("<", *_OPENS)) - (token.value in (">", *_CLOSES))
        if token.value == "=" and depth == 0:
            tokens = tokens[:i]
            break
    pointers = 0
    while tokens and tokens[-1].value == "]":  # float x[], float x[3]
        start = next(i for i in reversed(range(len(tokens))) if tokens[i].value == "[")
        tokens, pointers = tokens[:start], pointers + 1
    name = f"argument{number}"
    if _is_named(tokens):
        name, tokens = tokens[-1].value, tokens[:-1]
    first_star = next((i for i, t in enumerate(tokens) if t.value == "*"), len(tokens))
    const = any(t.value == "const" for t in _outside(tokens[:first_star]))
    depth = 0
    kept = []
    for token in tokens:
        depth += (token.value == "<") - token.value.count(">") * (token.value in (">", ">>"))
        if depth == 0 and token.value == "*":
            pointers += 1
        elif depth > 0 or token.value not in ("&", *_QUALIFIERS):
            kept.append(token)
    return Parameter(name, spell(kept), pointers, const, whole)


def _is_named(tokens: Sequence[Lexeme]) -> bool:
    """Whether the last word is the parameter's name rather than its type's."""
    words = [token for token in tokens if token.value not in _QUALIFIERS]
    return (
        len(words) > 1
        and words[-1] is tokens[-1]
        and tokens[-1].type == pp_tokens.ID
        and tokens[-1].value not in _TYPES
        and words[-2].value != "::"
    )


def _outside(tokens: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """Yield the tokens outside angle brackets."""
    depth = 0
    for token in tokens:
        depth += (token.value == "<") - token.value.count(">") * (token.value in (">", ">>"))
        if depth == 0:
            yield token


def template_head(tokens: Sequence[Lexeme], item: Item) -> Iterator[TemplateParameter]:
    """Yield the parameters in the head of a template; none if the item isn't a template."""
    if tokens[item.first].value != "template":
        return
    end, _ = _angle_end(tokens, item.first + 1, item.at)
    for part in separated(tokens[item.first + 2 : end]):
        words = [token.value for token in part]
        default = ""
        if "=" in words:
            default = spell(part[words.index("=") + 1 :])
            words = words[: words.index("=")]
        kind = " ".join(words[:-1])
        yield TemplateParameter(words[-1], "typename" if kind in ("typename", "class") else kind, default)


def _angle_end(
    tokens: Sequence[Lexeme], start: int, high: int, until: tuple[str, ...] = ()
) -> tuple[int, int]:
    """Return the index that closes the `<` at `start`, or where to give up; and the depth there."""
    depth, end = 0, start
    while end < high and tokens[end].value not in until:
        value = tokens[end].value
        depth += (value == "<") - value.count(">") * (value in (">", ">>"))
        if depth <= 0:
            break
        end += 1
    return end, depth


def _closing(tokens: Sequence[Lexeme], start: int) -> int:
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i].value in _OPENS) - (tokens[i].value in _CLOSES)
        if depth == 0:
            return i
    return len(tokens)


def _aliases(tokens: Sequence[Lexeme], items: Sequence[Item]) -> Iterator[tuple[str, str]]:
    """Yield names of other types: `typedef float real;`, `using real = float;`."""
    for item in items:
        inside = tokens[item.first : item.end - 1]
        if item.kind == "alias" and len(inside) > 3:
            yield inside[1].value, spell(inside[3:])
        elif item.kind == "typedef" and "(" not in {token.value for token in inside}:
            yield inside[-1].value, spell(inside[1:-1])


def _launches(tokens: Sequence[Lexeme]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Find `name<a, b><<<` anywhere; yield the first launch of each kernel."""
    found: dict[str, tuple[str, ...]] = {}
    for i, token in enumerate(tokens):
        if token.type != pp_tokens.ID or i + 2 >= len(tokens) or tokens[i + 1].value != "<":
            continue
        end, depth = _angle_end(tokens, i + 1, len(tokens), until=(";", "{", "}"))
        after = "".join(t.value for t in tokens[end + 1 : end + 3])
        if depth == 0 and after.startswith("<<<"):
            found.setdefault(token.value, tuple(spell(part) for part in separated(tokens[i + 2 : end])))
    yield from found.items()
