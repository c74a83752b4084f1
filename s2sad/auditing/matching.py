"""Match parameters of a backward kernel with the forward's by name.

A parameter with the name of one of the forward's holds its value. One called
`adj_x`, `grad_x`, `dx`, `x_grad` and the like holds the adjoint of `x`. The case file
specifies other names: `[names]` for adjoints, `[backward.args]` for values.
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
"""Common names of the adjoint of `{}`, likeliest first."""

Meaning = Literal["value", "adjoint", "seed", "tape", "own"]
"""value: of a parameter of the forward. seed: separate from the gradient. own: not a parameter of the
forward; the case gives its value."""


@dataclass(frozen=True)
class Match:
    """The meaning of a parameter: `of` is the forward's parameter."""

    meaning: Meaning
    of: str = ""


def match(
    name: str,
    forward: Sequence[str],
    names: Mapping[str, str],
    values: Mapping[str, str],
    tape: bool = False,
) -> Match:
    """Return the meaning of a backward's parameter. `names` and `values` come from the case.

    `tape`: the file has a size function for a tape.
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
    """Return a forward parameter with a similar name or adjoint name; empty if there is none."""
    known = {form.format(of): of for of in forward for form in ("{}", *_FORMS)}
    near = difflib.get_close_matches(name, list(known), 1, 0.75)
    return known[near[0]] if near else ""


def spellings(name: str) -> Iterator[str]:
    """Yield some names for the adjoint of a parameter, for messages."""
    for form in ("adj_{}", "grad_{}", "d{}", "{}_grad"):
        yield form.format(name)


def _plain(name: str) -> str:
    """Normalise a name: drop underscores and case."""
    return re.sub(r"_", "", name).lower()
