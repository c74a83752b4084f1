"""Keep an adjoint a template, like its primal, by merging the texts of two of its instances.

    float g = 2.0f * adj_y[i];      double g = 2.0 * adj_y[i];   ->   T g = T(2.0) * adj_y[i];

Analyses and plan are those of an instance. If the texts for float and for double differ only in
the type, in literals of it, in names of functions that C++ overloads and of structs that are instances
(`Row_float_3` becomes `Row_3<T>`), one text serves both; otherwise the template is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..decimals import single
from ..fixpoint import rounds
from ..parse.source import pp_tokens
from ..parse.source.brackets import angle_end
from ..parse.source.preprocess import preprocess
from ..parse.source.toplevel import Item, split
from ..source import Source
from .wrap import folded

_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|[A-Za-z_]\w*|(?:\d|\.\d)(?:[eE][+-]|[\w.])*|\S", re.DOTALL
)
_FUNCTIONS = ("kernel", "device", "host")


class Differs(Exception):
    """One text doesn't serve both instances; the message gives the reason."""


def _differs(text: str, start: int, one: str, other: str) -> Differs:
    line = text.count("\n", 0, start) + 1
    return Differs(f"line {line} of its text has `{one}` for float but `{other}` for double")


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: str


def kept(of_float: str, of_double: str, base: str, parameter: str) -> str:
    """Merge both texts with the template's parameter as the type. Raises Differs.

    The result has the comments and lines of `base`, one of the two.
    """
    floats, doubles = list(_code(of_float)), list(_code(of_double))
    if any(t.text == parameter for t in floats):
        raise Differs(f"its text already uses the name {parameter}")
    structs = _structs(floats, doubles)
    for a, b in zip(floats, doubles, strict=False):
        if _common(a.text, b.text, parameter, structs) is None:
            raise _differs(of_float, a.start, a.text, b.text)
    if len(floats) != len(doubles):
        raise Differs("its texts for float and double differ in length")
    edits: list[_Edit] = []
    before = ""
    for a, b in zip(floats, doubles, strict=True):
        common = _common(a.text, b.text, parameter, structs)
        if before == "struct" and a.text in structs:
            common = structs[a.text]
        place = a if base is of_float else b
        if a.text != b.text and common is not None:
            edits.append(_Edit(place.start, place.end, common))
        before = a.text
    if taken := sorted({*structs.values()} & {t.text for t in floats}):
        raise Differs(f"its text already uses the name {taken[0]}")
    header = base.partition("\n\n")[0]
    real = "float" if base is of_float else "double"
    edits += [
        _Edit(m.start(), m.end(), f"sizeof({parameter})") for m in re.finditer(rf"sizeof\({real}\)", header)
    ]
    return _with_heads(_edited(base, edits), parameter, frozenset(structs.values()))


def _structs(floats: Sequence[_Token], doubles: Sequence[_Token]) -> dict[str, str]:
    """Map the structs that both texts define as instances of a template, by their name for float, to it."""
    found = {}
    for before, a, b in zip(floats, floats[1:], doubles[1:], strict=False):
        name = template_of(a.text, "float")
        if before.text == "struct" and a.text != b.text and name and name == template_of(b.text, "double"):
            found[a.text] = name
    return found


def template_of(name: str, real: str) -> str:
    """Return the template's name, of an instance's: `Row_3`, of `Row_float_3`; empty if it has no type."""
    words = name.split("_")
    return "_".join(word for word in words if word != real) if real in words[1:] else ""


def instances(text: str, heads: Sequence[str]) -> str:
    """Append explicit instantiations to the text; `heads` are their declarations."""
    host = [f"template {head};" for head in heads if "__global__" not in head]
    found = [f"template {head};" for head in heads if "__global__" in head]
    if host:
        found += ["#ifndef __CUDACC_RTC__", *host, "#endif"]
    return text + "\n" + folded("\n".join(found)) + "\n"


def instance(text: str, name: str, parameter: str, value: str, entries: frozenset[str]) -> str:
    """Replace the entries, kernels and size functions, by those of one instance, to be run.

    Functions that they call stay templates; line numbers don't change.
    """
    source = Source(name, text)
    tokens = preprocess(source).tokens
    edits: list[_Edit] = []
    for item in split(tokens):
        start, end = tokens[item.first].start, tokens[item.end - 1].end
        if item.kind == "other" and tokens[item.first].value == "template":
            edits.append(_Edit(start, end, re.sub(r"[^\n]", "", text[start:end])))
        elif item.kind == "template" and not entries.isdisjoint(item.names):
            head = angle_end(tokens, item.first + 1)
            assert head is not None
            edits.append(_Edit(start, tokens[head].end, 'extern "C"'))
            inside = tokens[head + 1 : item.end]
            edits += [_Edit(t.start, t.end, value) for t in inside if t.value == parameter]
    return _edited(text, edits)


@dataclass(frozen=True)
class _Token:
    text: str
    start: int
    end: int


def _code(text: str) -> Iterator[_Token]:
    """Yield the tokens of a text, including directives, without comments."""
    for match in _TOKEN.finditer(text):
        if not match[0].startswith(("//", "/*")):
            yield _Token(match[0], match.start(), match.end())


def _common(of_float: str, of_double: str, parameter: str, structs: Mapping[str, str]) -> str | None:
    """Return the template text for two tokens; None if there is none."""
    if of_float == of_double:
        return of_float
    if (of_float, of_double) == ("float", "double"):
        return parameter
    if of_float in structs and template_of(of_double, "double") == structs[of_float]:
        return f"{structs[of_float]}<{parameter}>"
    if of_float != f"{of_double}f":
        return _literal(of_float, of_double, parameter)
    if of_double[0].isdigit() or of_double[0] == ".":
        return _literal(of_float, of_double, parameter)
    return of_double


def _literal(of_float: str, of_double: str, parameter: str) -> str | None:
    try:
        narrow, wide = float(of_float.removesuffix("f")), float(of_double)
    except ValueError:
        return None
    same = of_float.endswith("f") and single(narrow) == single(wide)
    return f"{parameter}({of_double})" if same else None


def _with_heads(text: str, parameter: str, structs: Collection[str]) -> str:
    """Make each function that names the parameter a template of it, and these structs."""
    tokens = preprocess(Source("text", text)).tokens
    items = split(tokens)
    named = {item for item in items if any(t.value == parameter for t in tokens[item.first : item.end])}
    own = {item for item in named if item.kind == "struct" and not {*item.names}.isdisjoint(structs)}
    if odd := [item for item in named - own if item.kind not in _FUNCTIONS]:
        raise Differs(f"{odd[0].names[0] if odd[0].names else 'a type'} depends on it and isn't a function")
    if any(t.value == "extern" and tokens[i + 1].value == "__shared__" for i, t in enumerate(tokens[:-1])):
        raise Differs("dynamic shared memory has one type in a file")
    names: dict[str, Item] = {}
    for _ in rounds(len(items), "which functions name the parameter"):  # more in each round
        names = {name: item for item in named - own for name in item.names}
        more = {item for item in items if item.kind in _FUNCTIONS and _calls(tokens, item, names)} - named
        if not more:
            break
        named |= more
    edits: list[_Edit] = []
    for item in named:
        first = tokens[item.first]
        second = tokens[item.first + 1]
        end = tokens[item.first + 2].start if second.value == '"C"' else first.start
        edits.append(_Edit(first.start, end, f"template <class {parameter}>\n"))
        indent = "\n" + " " * (end - first.start)
        body = tokens[item.body].start if item not in own else end
        for line in re.finditer(r"\n +", text[end:body]):  # parameters stay aligned
            if end > first.start and line[0].startswith(indent):
                edits.append(_Edit(end + line.start(), end + line.start() + len(indent), "\n"))
        edits += [_Edit(t.end, t.end, f"<{parameter}>") for t in _calls(tokens, item, names)]
    return _edited(text, edits)


def _calls(
    tokens: Sequence[pp_tokens.Lexeme], item: Item, names: Mapping[str, Item]
) -> list[pp_tokens.Lexeme]:
    """Return the places where a function calls one of these."""
    return [
        tokens[i]
        for i in range(item.first, item.end - 1)
        if tokens[i].value in names and i != item.at and tokens[i + 1].value == "("
    ]


def _edited(text: str, edits: Sequence[_Edit]) -> str:
    for edit in sorted(edits, key=lambda e: e.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text
