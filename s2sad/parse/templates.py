"""What a kernel template's parameters are: as asked, as the file uses it, or by default.

Host code isn't parsed, so this works on tokens. A kernel is named with arguments where it
is launched, `k<float, 4><<<…>>>`, instantiated, or its address taken; an argument there counts
if it means the same at file scope. A parameter on which such mentions disagree is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..diagnostics import Code, Diagnostic, Rejected
from ..source import Source, Span
from . import scan, types
from .brackets import angle_end, count, launch, separated, spell
from .items import Item
from .libraries import REDUCTION
from .scan import Lexeme

_QUALIFIERS = (
    "const",
    "std",
    "::",
    "unsigned",
    "signed",
    "long",
    "short",
    "int",
    "char",
    "float",
    "double",
    "bool",
)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a template, as written: `int N = 4`."""

    name: str
    type: str  # of a number: `int`, `Mode`
    default: str
    span: Span

    @property
    def is_type(self) -> bool:
        return not self.type


@dataclass(frozen=True)
class Argument:
    """What a parameter of the kernel's template stands for, and who says so."""

    name: str
    text: str
    origin: str  # "--template", "its use in line 8", "its default"
    is_type: bool


def head(tokens: Sequence[Lexeme], item: Item) -> list[Parameter]:
    """The parameters of a template."""
    found = []
    end = angle_end(tokens, item.first + 1)
    for part in separated(tokens[item.first + 2 : end or item.first + 2]):
        equals = next((k for k, t in enumerate(part) if t.value == "="), len(part))
        name = part[equals - 1]
        if any(t.value in ("enable_if", "enable_if_t") for t in part):
            continue  # a condition, and no parameter that anyone gives
        is_type = part[0].value in ("typename", "class")
        type = "" if is_type else spell(part[: max(equals - 1, 1)])
        found.append(Parameter(name.value, type, spell(part[equals + 1 :]), name.span))
    return found


def arguments(
    tokens: Sequence[Lexeme], items: Sequence[Item], kernel: Item, asked: Mapping[str, str]
) -> tuple[Argument, ...]:
    """What the parameters of a kernel template stand for. Raises Rejected where nothing says so."""
    params = head(tokens, kernel) if kernel.kind == "template" else []
    if unknown := [name for name in asked if name not in {p.name for p in params}]:
        raise Rejected(_no_such(tokens, kernel, params, unknown[0]))
    mentions = list(_mentions(tokens, items, kernel, params))
    fitting = [(at, said) for at, said in mentions if all(said.get(n, v) == v for n, v in asked.items())]
    found: list[Argument] = []
    missing: list[Parameter] = []
    for p in params:
        used = {said[p.name]: at for at, said in reversed(fitting) if p.name in said}
        if p.name in asked:
            found.append(Argument(p.name, asked[p.name], "--template", p.is_type))
        elif len(used) == 1:
            ((text, at),) = used.items()
            found.append(Argument(p.name, text, f"its use in line {at.span.line}", p.is_type))
        elif p.default and not used:
            found.append(Argument(p.name, p.default, "its default", p.is_type))
        elif p.name:
            missing.append(p)
    if missing:
        raise Rejected(_open(tokens, items, kernel, missing, fitting))
    return tuple(found)


def _no_such(tokens: Sequence[Lexeme], kernel: Item, params: Sequence[Parameter], name: str) -> Diagnostic:
    known = ", ".join(p.name for p in params) or "none"
    values = {"name": name, "kernel": tokens[kernel.at].value, "parameters": known}
    return Diagnostic(Code.NO_SUCH_TEMPLATE_PARAMETER, tokens[kernel.at].span, values)


def _open(
    tokens: Sequence[Lexeme],
    items: Sequence[Item],
    kernel: Item,
    missing: Sequence[Parameter],
    mentions: Sequence[tuple[Lexeme, Mapping[str, str]]],
) -> Diagnostic:
    name = tokens[kernel.at].value
    first: Mapping[str, str] = mentions[0][1] if mentions else {}
    threads = _threads(tokens, kernel)
    known = {
        p.name: first.get(p.name) or _called(tokens, items, kernel, p) or _guess(items, p, p.name in threads)
        for p in missing
    }
    for p in head(tokens, kernel):  # what only another use of the kernel says
        uses = [said.get(p.name, "") for _, said in mentions]
        if p.name not in known and "" in uses and any(uses):
            known[p.name] = max(uses)
    option = ",".join(f"{name}={value}" for name, value in known.items())
    seen = {", ".join(said.values()): token.span.line for token, said in reversed(mentions)}
    note = "; ".join(f"line {line} has {name}<{said}>" for said, line in reversed(seen.items()))
    values = {"kernel": name, "names": " and ".join(p.name for p in missing), "option": option, "note": note}
    return Diagnostic(Code.TEMPLATE_ARGUMENT, missing[0].span, values)


def _called(tokens: Sequence[Lexeme], items: Sequence[Item], kernel: Item, parameter: Parameter) -> str:
    """A class of the file that has what the kernel names in the parameter or calls on one of that type."""
    body = range(kernel.body, kernel.end - 3)
    before = range(kernel.first, kernel.body)
    named = (i + 1 for i in before if tokens[i].value == parameter.name)
    of = {tokens[i].value for i in named if tokens[i].type == scan.ID}
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
    for item in items if (wanted or inner) and parameter.is_type else ():
        if item.kind != "struct" and (item.kind != "template" or item.inner != "struct"):
            continue
        inside = range(item.first, item.end - 1)
        has = {tokens[i].value for i in inside if tokens[i + 1].value == "("}
        if wanted <= has and inner <= {tokens[i].value for i in inside} and item.names:
            params = head(tokens, item) if item.kind == "template" else []
            args = ", ".join(_guess(items, p) for p in params)
            return f"{item.names[0]}<{args}>" if args else item.names[0]
    return ""


def _threads(tokens: Sequence[Lexeme], kernel: Item) -> set[str]:
    """The names in what a reduction of a block is told to be its number of threads."""
    found: set[str] = set()
    for i in range(kernel.first, kernel.end - 1):
        if tokens[i].value.startswith(f"{REDUCTION} block"):
            end = next((k for k in range(i, kernel.end) if tokens[k].value == ","), i)
            found |= {token.value for token in tokens[i + 1 : end] if token.type == scan.ID}
    return found


def _guess(items: Sequence[Item], parameter: Parameter, threads: bool = False) -> str:
    """What a parameter may be, for an example of the option."""
    if not parameter.is_type:
        enum = next((i for i in items if i.kind == "enum" and parameter.type in i.types), None)
        if enum is not None:
            return "::".join((*enum.scope, next(n for n in enum.names if n not in enum.types)))
        return "true" if parameter.type == "bool" else "128" if threads else "4"
    if found := re.search(r"vec(?:tor)?_?([234])?(?![a-z])", parameter.name, re.I):
        return f"float{found[1] or 3}"
    integer = re.search(r"idx|index|int|itype|size|stride|offset|key", parameter.name, re.I)
    return "int" if integer else "float"


def names(found: Sequence[Argument]) -> frozenset[str]:
    """The names that the arguments mention."""
    texts = (scan.scan(Source("--template", a.text)) for a in found)
    return frozenset(token.value for text in texts for token in text if token.type == scan.ID)


# ---- where the file names the kernel with arguments --------------------------


def _mentions(
    tokens: Sequence[Lexeme], items: Sequence[Item], kernel: Item, params: Sequence[Parameter]
) -> Iterator[tuple[Lexeme, dict[str, str]]]:
    """Where the kernel stands with arguments that have a meaning here, and what they are."""
    name = tokens[kernel.at].value
    known = _known(tokens, items)
    own = {item.at for item in items if name in item.names}  # specialisations among them
    others = [item for item in items if item.at in own and item is not kernel and "__global__" in item.words]
    overloaded = any(count(tokens, item) != count(tokens, kernel) for item in others)
    least, most = count(tokens, kernel)
    counted = range(least, most + 1)
    for i in range(len(tokens) - 2):
        if tokens[i].value != name or tokens[i + 1].value != "<" or tokens[i].type != scan.ID or i in own:
            continue
        end = angle_end(tokens, i + 1)
        if end is None:
            continue
        given = separated(tokens[i + 2 : end])
        if len(given) > len(params) or (overloaded and launch(tokens, i) not in counted):
            continue
        said = {}
        for p, part in zip(params, given, strict=False):
            if len(part) == 1 and part[0].value not in known:
                part = _local_constant(tokens, part[0].value) or part
            if all(_has_meaning(t, known, p.is_type) for t in part):
                said[p.name] = spell(part)
        if said:
            yield tokens[i], said


def _known(tokens: Sequence[Lexeme], items: Sequence[Item]) -> frozenset[str]:
    """The names of the file that a template's argument may be made of."""
    found: set[str] = set(_QUALIFIERS)
    for item in items:
        found.update(item.scope)
        constant = item.kind == "variable" and item.words & {"const", "constexpr"}
        generic = item.kind == "template" and item.inner in ("struct", "alias")
        if item.kind in ("typedef", "alias", "enum", "struct") or constant or generic:
            found.update(item.names)
    return frozenset(found)


def _local_constant(tokens: Sequence[Lexeme], name: str) -> list[Lexeme] | None:
    """The value of `const int name = 256;` in some function, if all that the file has agree."""
    found: dict[str, list[Lexeme]] = {}
    for i, token in enumerate(tokens):
        if token.value != name or i + 2 >= len(tokens) or tokens[i + 1].value != "=" or i < 2:
            continue
        words = {t.value for t in tokens[max(i - 4, 0) : i]}
        end = next((k for k in range(i + 2, len(tokens)) if tokens[k].value in (";", ",")), len(tokens))
        if words & {"const", "constexpr"}:
            found[spell(tokens[i + 2 : end])] = list(tokens[i + 2 : end])
    return next(iter(found.values())) if len(found) == 1 else None


def _has_meaning(token: Lexeme, known: frozenset[str], is_type: bool) -> bool:
    if token.type != scan.ID:
        return (
            token.value in ("::", "<", ">", ",") or token.value.isdigit()
            if is_type
            else token.value not in ("[", "{", "...")
        )
    word = token.value
    return word in known or word in ("true", "false") or types.scalar([word]) is not None or word in _HEADERS


_HEADERS = scan.words("half __half half2 __half2 nv_bfloat16 __nv_bfloat16 float2 float3 float4 double2")
