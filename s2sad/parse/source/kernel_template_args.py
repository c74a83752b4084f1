"""Determine the arguments of a kernel template: as requested, as the file uses it, or by default.

Host code isn't parsed, so this works on tokens. A kernel is named with arguments where it is
launched, `k<float, 4><<<…>>>`, instantiated, or its address taken; an argument there counts if
it has the same meaning at file scope. A parameter on which such uses disagree is open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...diagnostics import Code, Diagnostic, Rejected
from ...source import Source
from . import pp_tokens
from .mentions import Parameter, head, mentions
from .pp_tokens import Lexeme
from .template_suggestions import proposed
from .toplevel import Item


@dataclass(frozen=True)
class Argument:
    """The argument for a parameter of the kernel's template, and its origin."""

    name: str
    text: str
    origin: str  # "--template", "its use in line 8", "its default"
    is_type: bool


def arguments(
    tokens: Sequence[Lexeme], items: Sequence[Item], kernel: Item, asked: Mapping[str, str]
) -> tuple[Argument, ...]:
    """Return the arguments of a kernel template. Raises Rejected if one can't be determined."""
    params = head(tokens, kernel) if kernel.kind == "template" else []
    if unknown := [name for name in asked if name not in {p.name for p in params}]:
        raise Rejected(_no_such(tokens, kernel, params, unknown[0]))
    every = mentions(tokens, items, kernel, params)
    fitting = [(at, said) for at, said in every if all(said.get(n, v) == v for n, v in asked.items())]
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
    fitting: Sequence[tuple[Lexeme, Mapping[str, str]]],
) -> Diagnostic:
    name = tokens[kernel.at].value
    known = proposed(tokens, items, kernel, missing, [said for _, said in fitting])
    option = ",".join(f"{name}={value}" for name, value in known.items())
    seen = {", ".join(said.values()): token.span.line for token, said in reversed(fitting)}
    note = "; ".join(f"line {line} has {name}<{said}>" for said, line in reversed(seen.items()))
    values = {"kernel": name, "names": " and ".join(p.name for p in missing), "option": option, "note": note}
    return Diagnostic(Code.TEMPLATE_ARGUMENT, missing[0].span, values)


def names(found: Sequence[Argument]) -> frozenset[str]:
    """Return the names that the arguments mention."""
    texts = (pp_tokens.scan(Source("--template", a.text)) for a in found)
    return frozenset(token.value for text in texts for token in text if token.type == pp_tokens.ID)
