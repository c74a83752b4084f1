"""Suggest arguments for the open parameters of a kernel template, as an example for the refusal.

An example should compile. So it consists of the arguments of the file's launches where they are
given, also in templates of host code, followed to where these are named with arguments; next of
what the kernel does with values of the type; last of a guess by the parameter's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...source import Source
from . import pp_tokens
from .brackets import spell, within
from .mentions import Parameter, has_meaning, head, known_names, local_constant
from .pp_tokens import Lexeme
from .reduction_operators import REDUCTION
from .toplevel import Item

_DEPTH = 4  # how many nested templates of host code are followed
_BEST = ("float", "double", "half", "__half", "nv_bfloat16", "__nv_bfloat16")


def proposed(
    tokens: Sequence[Lexeme],
    items: Sequence[Item],
    kernel: Item,
    missing: Sequence[Parameter],
    mentions: Sequence[Mapping[str, str]],
) -> dict[str, str]:
    """Suggest an argument for each missing parameter; `mentions` are the arguments that are written out."""
    params = head(tokens, kernel)
    first: Mapping[str, str] = _best(mentions)
    if not all(p.name in first for p in missing):
        through = _through(tokens, items, kernel, params, known_names(tokens, items), _DEPTH)
        agreeing = [said for said in through if all(said.get(n, v) == v for n, v in first.items())]
        first = {**_best(agreeing), **first}
    threads = _threads(tokens, kernel)
    known = {
        p.name: first.get(p.name)
        or _called(tokens, items, kernel, p)
        or _vector(tokens, kernel, p)
        or _guess(items, p, p.name in threads)
        for p in missing
    }
    for p in params:  # known only from another use of the kernel
        uses = [said.get(p.name, "") for said in mentions]
        if p.name not in known and "" in uses and any(uses):
            known[p.name] = max(uses)
    return known


def launched_as(tokens: Sequence[Lexeme], items: Sequence[Item], kernel: Item) -> frozenset[str]:
    """Return the parameters that templates of host code give a meaning where they launch a kernel."""
    params = head(tokens, kernel)
    through = _through(tokens, items, kernel, params, known_names(tokens, items), _DEPTH)
    return frozenset(name for said in through for name in said)


def _best(said: Sequence[Mapping[str, str]]) -> Mapping[str, str]:
    """Return the first of them with a floating-point type, preferably `float`; else the first."""
    for type in _BEST:
        for one in said:
            if type in one.values():
                return one
    return said[0] if said else {}


def _through(
    tokens: Sequence[Lexeme],
    items: Sequence[Item],
    template: Item,
    params: Sequence[Parameter],
    known: frozenset[str],
    depth: int,
) -> Iterator[dict[str, str]]:
    """Yield a template's arguments where others name it: `k<T, N>` in a function that is named
    elsewhere as `run<float>`."""
    name = tokens[template.at].value
    own = {item.at for item in items if name in item.names}
    for i in range(len(tokens) - 2):
        if (
            tokens[i].value != name
            or tokens[i + 1].value != "<"
            or tokens[i].type != pp_tokens.ID
            or i in own
        ):
            continue
        given = within(tokens, i + 1)
        around = next((item for item in items if item.first <= i < item.end), None)
        if given is None or around is template or around is None:
            continue
        outer = head(tokens, around) if around.kind == "template" else []
        every: Iterator[dict[str, str]] = iter([{}])
        if outer and depth:
            every = _through(tokens, items, around, outer, known, depth - 1)
        for meant in every:
            parts = [_replaced(tokens, part, meant, known) for part in given]
            yield {
                p.name: spell(part)
                for p, part in zip(params, parts, strict=False)
                if all(has_meaning(t, known, p.is_type) for t in part)
            }


def _replaced(
    tokens: Sequence[Lexeme], part: Sequence[Lexeme], meant: Mapping[str, str], known: frozenset[str]
) -> list[Lexeme]:
    """Substitute the meanings of parameters and of local constants in an argument."""
    found: list[Lexeme] = []
    for token in part:
        if token.value in meant:
            said = pp_tokens.scan(Source("--template", meant[token.value]))
            found += [t for t in said if t.type not in pp_tokens.BLANK]
        elif token.type == pp_tokens.ID and token.value not in known:
            value = local_constant(tokens, token.value)
            found += _replaced(tokens, value, meant, known | {token.value}) if value else [token]
        else:
            found.append(token)
    return found


def _vector(tokens: Sequence[Lexeme], kernel: Item, parameter: Parameter) -> str:
    """Return the vector of floats with the fields that the kernel accesses in values of that type."""
    fields = {field for field, is_called in _members(tokens, kernel, parameter) if not is_called}
    most = max(fields, default="")
    return f"float{2 + 'yzw'.index(most)}" if fields <= {*"xyzw"} and most in ("y", "z", "w") else ""


def has_members(tokens: Sequence[Lexeme], kernel: Item, parameter: Parameter) -> bool:
    """Whether the kernel uses values of a type as those of a class, or names something in it."""
    inside = any(
        tokens[i].value == parameter.name and tokens[i + 1].value == "::"
        for i in range(kernel.first, kernel.end - 1)
    )
    return inside or any(True for _ in _members(tokens, kernel, parameter))


def _members(tokens: Sequence[Lexeme], kernel: Item, parameter: Parameter) -> Iterator[tuple[str, bool]]:
    """Yield the members that the kernel accesses in values of that type, and whether it calls them."""
    names: set[str] = set()
    for i in range(kernel.first, kernel.end - 1):
        if tokens[i].value == parameter.name and parameter.is_type:
            after = (t for t in tokens[i + 1 : kernel.end] if t.value not in _BETWEEN)
            names.update(t.value for t in [next(after, None)] if t and t.type == pp_tokens.ID)
    for i in range(kernel.body, kernel.end - 3):
        if tokens[i].value in names:
            after_index = i + 1
            if tokens[i + 1].value == "[":
                after_index = next((k for k in range(i, kernel.end) if tokens[k].value == "]"), i) + 1
            if tokens[after_index].value == ".":
                yield tokens[after_index + 1].value, tokens[after_index + 2].value == "("


_BETWEEN = ("const", "*", "&", "__restrict__", "__restrict")


def _called(tokens: Sequence[Lexeme], items: Sequence[Item], kernel: Item, parameter: Parameter) -> str:
    """Return a class of the file with what the kernel names in the parameter or calls on its values."""
    body = range(kernel.body, kernel.end - 3)
    before = range(kernel.first, kernel.body)
    named = (i + 1 for i in before if tokens[i].value == parameter.name)
    of = {tokens[i].value for i in named if tokens[i].type == pp_tokens.ID}
    inner = {
        tokens[i + 2].value
        for i in range(kernel.first, kernel.end - 3)
        if tokens[i].value == parameter.name and tokens[i + 1].value == "::"
    }
    wanted: set[str] = set()
    for i in body:
        if tokens[i].value not in of:
            continue
        if tokens[i + 1].value == "(":
            wanted.add("operator")
        elif tokens[i + 1].value == "." and tokens[i + 3].value == "(":
            wanted.add(tokens[i + 2].value)
    own_first = sorted(items, key=lambda item: item.scope[:1] == ("thrust",))
    for item in own_first if (wanted or inner) and parameter.is_type else ():
        if item.kind != "struct" and (item.kind != "template" or item.inner != "struct"):
            continue
        inside = range(item.first, item.end - 1)
        has = {tokens[i].value for i in inside if tokens[i + 1].value == "("}
        if wanted <= has and inner <= {tokens[i].value for i in inside} and item.names:
            params = head(tokens, item) if item.kind == "template" else []
            args = ", ".join(_guess(items, p) for p in params)
            name = "::".join((*item.scope, item.names[0]))
            return f"{name}<{args}>" if args else name
    return ""


def _threads(tokens: Sequence[Lexeme], kernel: Item) -> set[str]:
    """Return the names in the numbers of threads of block reductions."""
    found: set[str] = set()
    for i in range(kernel.first, kernel.end - 1):
        if tokens[i].value.startswith(f"{REDUCTION} block"):
            end = next((k for k in range(i, kernel.end) if tokens[k].value == ","), i)
            found |= {token.value for token in tokens[i + 1 : end] if token.type == pp_tokens.ID}
    return found


def _guess(items: Sequence[Item], parameter: Parameter, threads: bool = False) -> str:
    """Guess an argument for a parameter, for an example of the option."""
    if not parameter.is_type:
        enum = next((i for i in items if i.kind == "enum" and parameter.type in i.types), None)
        if enum is not None:
            return "::".join((*enum.scope, next(n for n in enum.names if n not in enum.types)))
        return "true" if parameter.type == "bool" else "128" if threads else "4"
    if found := re.search(r"vec(?:tor)?_?([234])?(?![a-z])", parameter.name, re.I):
        return f"float{found[1] or 3}"
    integer = re.search(r"idx|index|int|itype|size|stride|offset|key", parameter.name, re.I)
    return "int" if integer else "float"
