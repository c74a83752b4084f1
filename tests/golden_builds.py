"""Compile many golden kernels at a time: compiling each separately would take most of their tests' time.

The cache gets the libraries that `check` looks for, with the same flags and the
same beginning, except that each library has other kernels too. A text that can't be combined
with others, or a unit that doesn't compile, is left to `check`, which compiles it
separately and reports errors.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from s2sad.run.backend import CompileFailed
from s2sad.run.cpu import CARRYING, QUICK, compiler, unit
from s2sad.run.float_widening import Real
from s2sad.signature import Signature
from s2sad.validate import Twice
from s2sad.validate.launching import Pair

Flags = tuple[str, ...]

# The parts of unit.write's output: the head with our header, the text between line markers, the entries.
_PARTS = re.compile(
    r'(.*?#include "cuda_on_cpu\.h"\n)namespace cuda_on_cpu {\n(.*)#line 1 "entries"\n}\n(.*)', re.S
)


@dataclass(frozen=True)
class Text:
    """A source, its kernels, and its file's name in messages."""

    source: str
    kernels: tuple[Signature, ...]
    file: str


@dataclass(frozen=True)
class Use:
    """The purpose that a text is compiled for."""

    real: Real
    build: Callable[[str, str], Path]
    kept: Callable[[str], Path]
    watched: bool = False

    def unit(self, text: Text) -> Unit:
        whole = unit.write(text.source, text.kernels, self.real, text.file, watched=self.watched)
        return Unit(text, whole, *_PARTS.fullmatch(whole).groups())  # type: ignore[union-attr]


@dataclass(frozen=True)
class Unit:
    """The compiler's input for one text, whole and in parts: header configuration, text, kernels."""

    text: Text
    whole: str
    before: str
    body: str
    entries: str

    @property
    def asked(self) -> frozenset[str]:
        """The configuration of our header, which includes every standard header that a text may include."""
        return frozenset(re.findall(r"^#define .*", self.before, flags=re.M))

    def apart(self, number: int) -> str:
        """Return the text in a separate namespace, with kernels and size functions visible outside."""
        names = [kernel.name for kernel in self.text.kernels]
        names += [f"{name}_{size}" for name in names for size in ("tape_bytes", "shared_bytes")]
        seen = "".join(f"using space{number}::{name};\n" for name in names if name in self.text.source)
        macros = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", self.text.source, flags=re.M)
        own = [name for name in dict.fromkeys(macros) if not name.startswith("S2SAD_")]  # except our header's
        forgotten = "".join(f"#undef {name}\n" for name in own)
        inside = f"namespace space{number} {{\n{self.body}}}\n{forgotten}{seen}"
        return f"namespace cuda_on_cpu {{\n{inside}}}\n{self.entries}"


def _plain(real: Real, flags: Flags) -> Use:
    return Use(
        real, lambda text, file: compiler.build(text, file, flags), lambda text: compiler.kept(text, flags)
    )


WATCHED = Use("double", compiler.build_watched, compiler.kept_watched, watched=True)
# As `check` compiles them for small cases.
PRIMAL = (_plain("double", QUICK), _plain("float", QUICK), _plain("dual", CARRYING), WATCHED)
ADJOINT = (_plain("double", QUICK), _plain("float", QUICK), WATCHED)
DOUBLE, DUAL = _plain("double", QUICK), _plain("dual", CARRYING)  # what tangents are checked with
TWICE = _plain("hyper", CARRYING)  # and second derivatives


def build(pairs: Sequence[Pair]) -> None:
    """Build all libraries that `check` needs for these pairs, two adjoints of one primal in two units."""
    primals = {pair.primal_text: Text(pair.primal_text, (pair.primal,), pair.primal_file) for pair in pairs}
    for use in PRIMAL:
        _build(use, primals.values())
    adjoints = [Text(p.adjoint_text, p.kernels, p.adjoint_file) for p in pairs]
    for use in ADJOINT:
        _build(use, adjoints)


def build_tangents(pairs: Sequence[Pair], adjoints: Sequence[Pair] = ()) -> None:
    """Build all libraries that the check of tangent kernels needs, and the adjoints to compare them with."""
    for use in (DOUBLE, DUAL, WATCHED):
        _build(use, _primals(pairs))
    tangents = [Text(p.adjoint_text, p.kernels, p.adjoint_file) for p in pairs]
    for use in (DOUBLE, WATCHED):
        _build(use, tangents)
    _build(DOUBLE, [Text(p.adjoint_text, p.kernels, p.adjoint_file) for p in adjoints])


def build_second_order(every: Sequence[Twice]) -> None:
    """Build all libraries that the check of second-order kernels needs."""
    first, second = [one.first for one in every], [one.second for one in every]
    for use in (DOUBLE, WATCHED):
        _build(use, _primals(first))
        _build(use, [Text(p.adjoint_text, p.kernels, p.adjoint_file) for p in second])
    _build(TWICE, _primals(first))
    _build(DOUBLE, [Text(p.adjoint_text, p.kernels, p.adjoint_file) for p in first])
    for use in (DOUBLE, DUAL):
        _build(use, _primals(second))


def _primals(pairs: Iterable[Pair]) -> Iterable[Text]:
    return {p.wide_text: Text(p.wide_text, (p.primal,), p.primal_file) for p in pairs}.values()


def _build(use: Use, texts: Iterable[Text]) -> None:
    units = [use.unit(text) for text in texts]
    for together in _fitting(one for one in units if not use.kept(one.whole).exists()):
        if len(together) < 2:
            continue
        with suppress(CompileFailed):
            bodies = "".join(one.apart(number) for number, one in enumerate(together))
            made = use.build(together[0].before + bodies, "kernels.cu")
            for one in together:
                with suppress(FileExistsError):
                    os.link(made, use.kept(one.whole))


def _fitting(units: Iterable[Unit]) -> list[list[Unit]]:
    """Group units with the same header configuration and distinct kernel names."""
    groups: list[tuple[frozenset[str], set[str], list[Unit]]] = []
    for one in units:
        own = {kernel.name for kernel in one.text.kernels}
        for asked, names, together in groups:
            if asked == one.asked and not own & names:
                together.append(one)
                names |= own
                break
        else:
            groups.append((one.asked, own, [one]))
    return [together for _, _, together in groups]
