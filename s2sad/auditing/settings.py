"""Read the entries of a case file that only audits of backward kernels use.

    [names]                    the backward's name for the adjoint of x
    x = "dx"                   or ["its seed", "its gradient"], of an array that is changed in place
    [template]                 template arguments, of both files
    scalar_t = "float"
    [backward]
    kernels = ["rows", "sums"] which kernels, in the order of their launches
    exit = ["u"]               arrays changed in place that the backward gets as the forward left them
    gradients = "added"        or "stored": what it does with what the arrays hold; either by default
    [backward.args]            the backward's name for a value of the forward
    input = "x"
    [backward.launch]          its launch, and those of single kernels
    [backward.launch.sums]
    [backward.template]        template arguments of the backward alone

Launches, arguments and `[names]` are read by validate/case.py; this reads the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..toml_file import Document

Gradients = Literal["added", "stored", "either"]


@dataclass(frozen=True)
class Settings:
    """The case file's settings for what can't be inferred from the text."""

    kernels: tuple[str, ...] = ()
    exit: tuple[str, ...] = ()
    gradients: Gradients = "either"
    names: Mapping[str, str] = field(default_factory=dict)
    seeds: Mapping[str, str] = field(default_factory=dict)  # if seed and gradient are two parameters
    values: Mapping[str, str] = field(default_factory=dict)
    template: Mapping[str, str] = field(default_factory=dict)
    backward_template: Mapping[str, str] = field(default_factory=dict)


def read(document: Document) -> Settings:
    """Read the settings of a case file. Raises Rejected with all errors."""
    wrong: list[Diagnostic] = []
    backward = _table(document, wrong, "backward")
    template = dict(_texts(document, wrong, "template"))
    gradients: Gradients = "either"
    match backward.get("gradients", "either"):
        case "added" | "stored" | "either" as said:
            gradients = said
        case _:
            what = 'expected "added", "stored" or "either"'
            wrong.append(_wrong(document, "backward", "gradients", what=what))
    names, seeds = dict[str, str](), dict[str, str]()
    for of, value in _table(document, wrong, "names").items():
        match value:
            case str():
                names[of] = value
            case [str() as seed, str() as gradient]:
                seeds[of], names[of] = seed, gradient
            case _:
                wrong.append(_wrong(document, "names", of, what="expected a name or a list of two names"))
    found = Settings(
        _names(document, wrong, "kernels"),
        _names(document, wrong, "exit"),
        gradients,
        names,
        seeds,
        dict(_texts(document, wrong, "backward", "args")),
        template,
        {**template, **dict(_texts(document, wrong, "backward", "template"))},
    )
    if wrong:
        raise Rejected(*wrong)
    return found


def _wrong(document: Document, *path: str, what: str) -> Diagnostic:
    return diagnose(
        Code.CASE_VALUE, document.span(*path), what=f"{'.'.join(path)}: {what}", label="", help=""
    )


def _table(document: Document, wrong: list[Diagnostic], *path: str) -> Mapping[str, object]:
    value: object = document.values
    for key in path:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    if isinstance(value, dict):
        return value
    wrong.append(_wrong(document, *path, what="expected a table"))
    return {}


def _names(document: Document, wrong: list[Diagnostic], key: str) -> tuple[str, ...]:
    value = _table(document, [], "backward").get(key, [])
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return tuple(value)
    wrong.append(_wrong(document, "backward", key, what="expected a list of names"))
    return ()


def _texts(document: Document, wrong: list[Diagnostic], *path: str) -> Iterator[tuple[str, str]]:
    """Yield keys and values spelled as in C++."""
    for key, value in _table(document, wrong, *path).items():
        match value:
            case bool():
                yield key, "true" if value else "false"
            case int() | str():
                yield key, str(value)
            case _:
                wrong.append(_wrong(document, *path, key, what="expected a name or an integer"))
