"""Determine the arguments of a kernel template: as requested, as the file uses it, or by default.

Host code isn't parsed, so this works on tokens. A kernel is named with arguments where it is
launched, `k<float, 4><<<…>>>`, instantiated, or its address taken; an argument there counts if
it has the same meaning at file scope. A parameter on which such uses disagree is open. A type that
one of PyTorch's dispatch macros gives is `float` if that is one of its types, and a type of which
nothing is said is `float` too: both with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...source import Source
from . import pp_tokens
from .mentions import Mention, Parameter, head, mentions
from .pp_tokens import Lexeme
from .template_suggestions import has_members, launched_as, proposed
from .toplevel import Item
from .type_dispatch import Dispatch


@dataclass(frozen=True)
class Argument:
    """The argument for a parameter of the kernel's template, and its origin."""

    name: str
    text: str
    origin: str  # "--template", "its use in line 8", "its default"; "" if nothing says it
    is_type: bool
    choices: tuple[str, ...] = ()  # the types for which a dispatch macro launches the kernel

    @property
    def is_free(self) -> bool:
        """Whether other types are as good: nothing says that it is this one alone."""
        return self.is_type and (not self.origin or bool(self.choices))


def arguments(
    tokens: Sequence[Lexeme], items: Sequence[Item], kernel: Item, asked: Mapping[str, str]
) -> tuple[Argument, ...]:
    """Return the arguments of a kernel template. Raises Rejected if one can't be determined."""
    params = head(tokens, kernel) if kernel.kind == "template" else []
    if function := next((p for p in params if p.is_function), None):
        what = f"the template parameter `{function.name}`, a pointer to a function"
        help = "take a type instead, and call its `operator()`; or call the function by its name"
        raise Rejected(diagnose(Code.NOT_SUPPORTED, function.span, what=what, help=help))
    if unknown := [name for name in asked if name not in {p.name for p in params}]:
        raise Rejected(_no_such(tokens, kernel, params, unknown[0]))
    every = mentions(tokens, items, kernel, params)
    fitting = [m for m in every if all(m.said.get(n, v) == v for n, v in asked.items())]
    found: list[Argument] = []
    missing: list[Parameter] = []
    for p in params:
        used = {m.said[p.name]: m.at for m in reversed(fitting) if p.name in m.said}
        dispatched = [m.dispatched[p.name] for m in fitting if p.name in m.dispatched]
        if p.name in asked:
            found.append(Argument(p.name, asked[p.name], "--template", p.is_type))
        elif len(used) == 1:
            ((text, at),) = used.items()
            found.append(Argument(p.name, text, f"its use in line {at.span.line}", p.is_type))
        elif dispatched and not used:
            found.append(_dispatched(p, dispatched))
        elif p.default and not used:
            found.append(Argument(p.name, p.default, "its default", p.is_type))
        elif p.name:
            missing.append(p)
    if missing and not all(p.is_type and not p.is_pack and not _is_said(p, fitting) for p in missing):
        raise Rejected(_open(tokens, items, kernel, missing, fitting))
    if missing:
        return tuple(sorted((*found, *_free(tokens, items, kernel, missing, fitting)), key=_order(params)))
    return tuple(found)


def _order(params: Sequence[Parameter]) -> Callable[[Argument], int]:
    names = [p.name for p in params]
    return lambda argument: names.index(argument.name)


def _is_said(parameter: Parameter, fitting: Sequence[Mention]) -> bool:
    return any(parameter.name in m.said for m in fitting)


def _free(
    tokens: Sequence[Lexeme],
    items: Sequence[Item],
    kernel: Item,
    missing: Sequence[Parameter],
    fitting: Sequence[Mention],
) -> Iterator[Argument]:
    """Yield `float` for types of which nothing is said. Raises Rejected if one looks like another type."""
    known = proposed(tokens, items, kernel, missing, [m.said for m in fitting])
    through = launched_as(tokens, items, kernel)
    if any(known[p.name] != "float" or p.name in through or has_members(tokens, kernel, p) for p in missing):
        raise Rejected(_open(tokens, items, kernel, missing, fitting))
    for p in missing:
        yield Argument(p.name, "float", "", is_type=True)


def _dispatched(parameter: Parameter, found: Sequence[Dispatch]) -> Argument:
    """Return the first of the types of dispatch macros, preferably `float`."""
    types = tuple(dict.fromkeys(type for one in found for type in one.types))
    text = "float" if "float" in types else types[0]
    origin = next(str(one) for one in found if text in one.types)
    return Argument(parameter.name, text, origin, is_type=True, choices=types)


def _no_such(tokens: Sequence[Lexeme], kernel: Item, params: Sequence[Parameter], name: str) -> Diagnostic:
    known = ", ".join(p.name for p in params) or "none"
    values = {"name": name, "kernel": tokens[kernel.at].value, "parameters": known}
    return Diagnostic(Code.NO_SUCH_TEMPLATE_PARAMETER, tokens[kernel.at].span, values)


def _open(
    tokens: Sequence[Lexeme],
    items: Sequence[Item],
    kernel: Item,
    missing: Sequence[Parameter],
    fitting: Sequence[Mention],
) -> Diagnostic:
    name = tokens[kernel.at].value
    known = proposed(tokens, items, kernel, missing, [m.said for m in fitting])
    option = ",".join(f"{name}={value}" for name, value in known.items())
    seen = {", ".join(m.said.values()): m.at.span.line for m in reversed(fitting) if m.said}
    note = "; ".join(f"line {line} has {name}<{said}>" for said, line in reversed(seen.items()))
    values = {"kernel": name, "names": " and ".join(p.name for p in missing), "option": option, "note": note}
    return Diagnostic(Code.TEMPLATE_ARGUMENT, missing[0].span, values)


def names(found: Sequence[Argument]) -> frozenset[str]:
    """Return the names that the arguments mention."""
    texts = (pp_tokens.scan(Source("--template", a.text)) for a in found)
    return frozenset(token.value for text in texts for token in text if token.type == pp_tokens.ID)
