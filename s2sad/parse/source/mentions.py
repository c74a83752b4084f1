"""Find where host code names a template with arguments, and which of these mean the same at file scope.

Host code isn't parsed, so this works on tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...source import Span
from ..types import types
from . import pp_tokens
from .brackets import angle_end, count, launch, separated, spell, within
from .pp_tokens import Lexeme
from .toplevel import Item
from .type_dispatch import Dispatch, dispatch

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
    type: str  # for a number: `int`, `Mode`
    default: str
    span: Span
    is_pack: bool = False

    @property
    def is_type(self) -> bool:
        return not self.type

    @property
    def is_function(self) -> bool:
        """Whether it is a pointer or a reference to a function: `T (*act)(T)`."""
        return self.type == FUNCTION


FUNCTION = "a function"


def head(tokens: Sequence[Lexeme], item: Item) -> list[Parameter]:
    """Return the parameters of a template."""
    found = []
    end = angle_end(tokens, item.first + 1)
    for part in separated(tokens[item.first + 2 : end or item.first + 2]):
        equals = next((k for k, t in enumerate(part) if t.value == "="), len(part))
        name = part[equals - 1]
        pointed = [
            t for a, b, t in zip(part, part[1:], part[2:], strict=False) if a.value == "(" and b.value in "*&"
        ]
        if any(t.value in ("enable_if", "enable_if_t") for t in part):
            continue  # a condition, for which no argument is given
        is_type = part[0].value in ("typename", "class")
        type = "" if is_type else spell(part[: max(equals - 1, 1)])
        if not is_type and name.value == ")" and pointed:
            name, type = pointed[0], FUNCTION
        is_pack = any(t.value == "..." for t in part)
        found.append(Parameter(name.value, type, spell(part[equals + 1 :]), name.span, is_pack))
    return found


@dataclass(frozen=True)
class Mention:
    """A use of a kernel with template arguments: those with a meaning here, and those that a macro gives."""

    at: Lexeme
    said: Mapping[str, str]
    dispatched: Mapping[str, Dispatch]


def mentions(
    tokens: Sequence[Lexeme], items: Sequence[Item], kernel: Item, params: Sequence[Parameter]
) -> Iterator[Mention]:
    """Yield uses of the kernel with arguments that have a meaning here, or are types of a dispatch macro."""
    name = tokens[kernel.at].value
    known = known_names(tokens, items)
    own = {item.at for item in items if name in item.names}  # including specialisations
    others = [item for item in items if item.at in own and item is not kernel and "__global__" in item.words]
    overloaded = any(count(tokens, item) != count(tokens, kernel) for item in others)
    least, most = count(tokens, kernel)
    counted = range(least, most + 1)
    for i in range(len(tokens) - 2):
        if (
            tokens[i].value != name
            or tokens[i + 1].value != "<"
            or tokens[i].type != pp_tokens.ID
            or i in own
        ):
            continue
        given = within(tokens, i + 1)
        if given is None or len(given) > len(params) or (overloaded and launch(tokens, i) not in counted):
            continue
        said, dispatched = {}, {}
        for p, part in zip(params, given, strict=False):
            if len(part) == 1 and part[0].value not in known:
                part = local_constant(tokens, part[0].value) or part
            if all(has_meaning(t, known, p.is_type) for t in part):
                said[p.name] = spell(part)
            elif len(part) == 1 and p.is_type and (found := dispatch(tokens, i, part[0].value)):
                dispatched[p.name] = found
        if said or dispatched:
            yield Mention(tokens[i], said, dispatched)


def known_names(tokens: Sequence[Lexeme], items: Sequence[Item]) -> frozenset[str]:
    """Return the names of the file that may occur in a template argument."""
    found: set[str] = set(_QUALIFIERS)
    for item in items:
        found.update(item.scope)
        constant = item.kind == "variable" and item.words & {"const", "constexpr"}
        generic = item.kind == "template" and item.inner in ("struct", "alias")
        if item.kind in ("typedef", "alias", "enum", "struct") or constant or generic:
            found.update(item.names)
    return frozenset(found)


def local_constant(tokens: Sequence[Lexeme], name: str) -> list[Lexeme] | None:
    """Return the value of `const int name = 256;` in some function, if all such definitions agree."""
    found: dict[str, list[Lexeme]] = {}
    for i, token in enumerate(tokens):
        if token.value != name or i + 2 >= len(tokens) or tokens[i + 1].value != "=" or i < 2:
            continue
        words = {t.value for t in tokens[max(i - 4, 0) : i]}
        end = next((k for k in range(i + 2, len(tokens)) if tokens[k].value in (";", ",")), len(tokens))
        if words & {"const", "constexpr"}:
            found[spell(tokens[i + 2 : end])] = list(tokens[i + 2 : end])
    return next(iter(found.values())) if len(found) == 1 else None


def has_meaning(token: Lexeme, known: frozenset[str], is_type: bool) -> bool:
    if token.type != pp_tokens.ID:
        return (
            token.value in ("::", "<", ">", ",") or token.value.isdigit()
            if is_type
            else token.value not in ("[", "{", "...")
        )
    word = token.value
    if word in known or word in ("true", "false") or word in _HEADERS:
        return True
    return types.scalar([word]) is not None or (word == "sizeof" and not is_type)


_HEADERS = pp_tokens.words("half __half half2 __half2 nv_bfloat16 __nv_bfloat16 float2 float3 float4 double2")
