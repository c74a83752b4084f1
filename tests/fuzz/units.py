"""Many texts in one library: to run in double and in float, to watch, and with numbers that carry tangents.

Compiling is most of the time that a random kernel takes, and the header most of that, so
a unit of forty takes as long as four of one. Each text stands in a namespace of its own
under a file name of its own: what doesn't compile is known by that name, told, and left
out of the next try.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from s2sad.run.backend import CompileFailed
from s2sad.run.cpu import CpuBackend
from s2sad.run.cpu.compiler import FLAGS, INCLUDE, compiler, first_errors, watched_flags, watcher_object
from s2sad.run.cpu.dual import DualModule
from s2sad.run.cpu.module import CpuModule
from s2sad.run.cpu.sanitizer import WatchedModule
from s2sad.run.cpu.unit import write
from s2sad.run.float_widening import Real
from s2sad.signature import Signature

Use = Literal["run", "float", "watch", "push"]
_REAL: Mapping[Use, Real] = {"run": "double", "float": "float", "watch": "double", "push": "dual"}
# Not optimised, as each text runs for a moment only; nor is what is watched, which takes half as long.
_PLAIN = (*(flag for flag in FLAGS if flag != "-O2"), "-O0")
_INTEGER = "#define S2SAD_DUAL_IS_INTEGER 1\n"


@dataclass(frozen=True)
class Text:
    """A source, and the signatures of its kernels, whose names no other text has."""

    source: str
    signatures: tuple[Signature, ...]


@dataclass
class Libraries:
    """Implements run.backend's Backend, Watcher and Differentiator for texts compiled already."""

    found: Mapping[Use, Mapping[str, Path]]
    failed: Mapping[Use, Mapping[str, str]]
    name: str = field(default="cpu", init=False)

    def _path(self, use: Use, text: str) -> Path:
        if text in self.found[use]:
            return self.found[use][text]
        raise CompileFailed(self.failed[use].get(text, "it wasn't compiled"))

    def compile(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        quick: bool = False,
    ) -> CpuModule:
        assert real != "dual"
        return CpuModule(self._path("float" if real == "float" else "run", text), name, real)

    def watch(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        counted: bool = False,
    ) -> WatchedModule:
        assert real == "double"
        assert not counted, "random kernels are judged, not searched for what their case leaves out"
        return WatchedModule(self._path("watch", text), name, "double", ())

    def differentiate(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        name: str = "kernel.cu",
        rounded: bool = False,
        twice: bool = False,
    ) -> DualModule:
        if rounded or twice:  # for a second look, which few take
            return CpuBackend().differentiate(text, signatures, name=name, rounded=rounded, twice=twice)
        return DualModule(self._path("push", text), name)


def build(primals: Sequence[Text], adjoints: Sequence[Text], folder: Path) -> Libraries:
    """Each text compiled to run and to be watched, the primals also with tangents."""
    with ThreadPoolExecutor(3) as pool:
        running = pool.submit(_build, "run", [*primals, *adjoints], folder)
        floating = pool.submit(_build, "float", [*primals, *adjoints], folder)
        watching = pool.submit(_build, "watch", [*primals, *adjoints], folder)
        pushing = pool.submit(_build, "push", primals, folder)
    made: dict[Use, tuple[dict[str, Path], dict[str, str]]] = {
        "run": running.result(),
        "float": floating.result(),
        "watch": watching.result(),
        "push": pushing.result(),
    }
    again = [text for text in primals if text.source in made["push"][1]]
    for source, path in _build("push", again, folder, _INTEGER)[0].items():
        made["push"][0][source] = path
    return Libraries({use: one[0] for use, one in made.items()}, {use: one[1] for use, one in made.items()})


def _build(
    use: Use, texts: Sequence[Text], folder: Path, before: str = ""
) -> tuple[dict[str, Path], dict[str, str]]:
    """Libraries and errors by text; those that fail are left out until the rest compiles."""
    left, failed = list(texts), dict[str, str]()
    found: dict[str, Path] = {}
    while left:
        place = folder / f"{use}{len(failed)}{'i' if before else ''}.so"
        errors = _compile(use, left, place, before)
        if errors is None:
            found.update((text.source, place) for text in left)
            break
        at_fault = {
            int(n) for n in re.findall(r"^text(\d+)\.cu:\d+:\d+: (?:fatal )?error", errors, flags=re.M)
        }
        at_fault |= {
            int(n) for n in re.findall(r"^text(\d+)\.cu:\d+:\d+:   required from", errors, flags=re.M)
        }
        for number in at_fault or range(len(left)):
            own = "\n".join(line for line in errors.splitlines() if line.startswith(f"text{number}.cu"))
            failed[left[number].source] = first_errors(own or errors)
        left = [text for text in left if text.source not in failed]
    return found, failed


def _compile(use: Use, texts: Sequence[Text], place: Path, before: str) -> str | None:
    """What the compiler says if it fails."""
    parts = []
    for number, text in enumerate(texts):
        names = [signature.name for signature in text.signatures]
        names += [n for n in [f"{name}_tape_bytes" for name in names] if n in text.source]
        names += [n for n in [f"{s.name}_shared_bytes" for s in text.signatures] if n in text.source]
        body = re.sub(r"^\s*#include.*$", "", text.source, flags=re.M)
        used = "".join(f"using space{number}::{name};\n" for name in names)
        parts.append(f'namespace space{number} {{\n#line 1 "text{number}.cu"\n{body}\n}}\n{used}')
    signatures = [signature for text in texts for signature in text.signatures]
    unit = before + write("\n".join(parts), signatures, _REAL[use], "kernels.cu", watched=use == "watch")
    used_compiler = compiler()
    start = [*used_compiler.command, *(FLAGS if use == "watch" else _PLAIN)]
    if use != "watch":
        return _run([*start, f"-I{INCLUDE}", "-x", "c++", "-", "-o", str(place), "-lm"], unit)
    half = str(place.with_suffix(".o"))
    flags = [*(flag for flag in watched_flags(used_compiler) if flag != "-g1"), "-O0"]
    flags.append("-fno-semantic-interposition")  # else specialisations in these namespaces aren't inlined
    errors = _run([*start, *flags, f"-I{INCLUDE}", "-c", "-x", "c++", "-", "-o", half], unit)
    if errors is not None:
        return errors
    watcher = str(watcher_object(used_compiler))
    return _run([*used_compiler.command, "-shared", "-fPIC", half, watcher, "-o", str(place), "-lm"], "")


def _run(command: list[str], unit: str) -> str | None:
    done = subprocess.run(command, input=unit, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else None
