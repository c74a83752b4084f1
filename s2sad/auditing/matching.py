"""Whose adjoint a parameter of a backward kernel is: by its name.

A parameter that is called as one of the forward's holds its value. One called
`adj_x`, `grad_x`, `dx`, `x_grad` and the like holds the adjoint of `x`. The case file
says what names don't: `[names]` for adjoints, `[backward.args]` for values.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

_FORMS = (
    "adj_{}",
    "adj2_{}",
    "grad_{}",
    "d{}",
    "d_{}",
    "{}_grad",
    "{}_adj",
    "{}_adjoint",
    "{}_gradient",
    "{}_bar",
    "bar_{}",
    "dl_d{}",
    "dloss_d{}",
    "dj_d{}",
    "dout_d{}",
    "grad_of_{}",
    "gradient_{}",
    "gradient_of_{}",
    "diff_{}",
    "{}_diff",
    "g_{}",
    "g{}",
    "{}_b",
    "{}b",
    "d_{}_grad",
    "grad_{}_data",
)
"""How people call the adjoint of `{}`, likeliest first."""

Meaning = Literal["value", "adjoint", "seed", "tape", "own"]
"""value: of a parameter of the forward. seed: beside a gradient of its own. own: nothing of the
forward's, the case says what."""


@dataclass(frozen=True)
class Match:
    """What a parameter means: `of` is the forward's parameter."""

    meaning: Meaning
    of: str = ""


def match(
    name: str,
    forward: Sequence[str],
    names: Mapping[str, str],
    values: Mapping[str, str],
    tape: bool = False,
) -> Match:
    """What a backward's parameter of that name is. `names` and `values` are the case's own words.

    `tape`: the file says how large one is.
    """
    for of, said in names.items():
        if said == name:
            return Match("adjoint", of)
    if name in values:
        return Match("value", values[name])
    if name in forward:
        return Match("value", name)
    for spelled in (str, _plain):
        for form in _FORMS:
            for of in forward:
                if of not in names and spelled(form.format(of)) == spelled(name):
                    return Match("adjoint", of)
    if name == "tape" and tape:
        return Match("tape")
    if same := next((of for of in forward if _plain(of) == _plain(name)), None):
        return Match("value", same)
    return Match("own")


def nearest(name: str, forward: Sequence[str]) -> str:
    """A forward parameter whose name, or whose adjoint's, is nearly that; empty if none is."""
    known = {form.format(of): of for of in forward for form in ("{}", *_FORMS)}
    near = difflib.get_close_matches(name, list(known), 1, 0.75)
    return known[near[0]] if near else ""


def spellings(name: str) -> Iterator[str]:
    """Some names for the adjoint of a parameter, for messages."""
    for form in ("adj_{}", "grad_{}", "d{}", "{}_grad"):
        yield form.format(name)


def _plain(name: str) -> str:
    """A name without what styles differ in."""
    return re.sub(r"_", "", name).lower()
