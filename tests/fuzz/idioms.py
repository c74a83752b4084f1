"""Kernels as people write them, and near misses: softmax, products by tiles, scans … with a thing changed.

s2sad's analyses know such kernels by their conditions, which kernels made of random statements
seldom come near. A file in idiom_kernels is one idiom: the kernel, a line `//--`, its case. Of
`{{usual ~ slip ~ slip}}` the first is drawn most often, of `{{?one ~ other}}` each as often. That the
gradient is right is asked of slips, too: they are kernels as good as any.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from pathlib import Path

from s2sad.options import Options, assumption

from .batch import Verdict

_IDIOMS = sorted((Path(__file__).parent / "idiom_kernels").glob("*.cu.in"))
_CHOICE = re.compile(r"\{\{((?:(?!\{\{|\}\}).)*)\}\}")
_SLIP = 0.12


@dataclass(frozen=True)
class Idiom:
    """A kernel, its case, and what is asked."""

    label: str
    source: str
    arguments: str
    request: Options

    def case(self) -> str:
        return self.arguments


def program(label: str, name: str) -> Idiom:
    """The kernel of a label, under a name."""
    rng = random.Random(label)
    text = rng.choice(_IDIOMS).read_text()
    if rng.random() < 0.5:
        text = re.sub(r"float \*(?=\w+[,)])", "float *__restrict__ ", text)
    while found := _CHOICE.search(text):
        text = text[: found.start()] + _drawn(rng, found[1]) + text[found.end() :]
    source, _, rest = text.partition("//--\n")
    case = re.sub(r"^// ?", "", rest, flags=re.M)
    assumed = re.findall(r"^assume (\w+:\S+)$", case, flags=re.M)
    case = re.sub(r"^assume .*\n", "", case, flags=re.M)
    names = {
        key: tuple(re.findall(r'"(\w+)"', case.split(f"{key} = ")[1].split("\n")[0])) for key in ("of", "wrt")
    }
    asked = Options(
        of=names["of"],
        wrt=names["wrt"],
        mode="split" if rng.random() < 0.5 else "joint",
        accumulate="deterministic" if rng.random() < 0.15 else None,
        assume=tuple(map(assumption, assumed)),
    )
    return Idiom(label, source.replace("void k(", f"void {name}("), f'kernel = "{name}"\n{case}', asked)


def _drawn(rng: random.Random, forms: str) -> str:
    usual, *slips = [form.strip() for form in forms.removeprefix("?").split("~")]
    if forms.startswith("?"):
        return rng.choice([usual, *slips])
    return rng.choice(slips) if rng.random() < _SLIP else usual


def accepted(verdict: Verdict) -> Verdict:
    """A slip may be refused, for whatever reason, or make the primal race: that is no failure."""
    excused = verdict.kind.startswith("refused") or verdict.kind.endswith(" in the primal")
    return replace(verdict, kind=f"uncheckable: {verdict.kind}") if excused else verdict
