"""What the user asks of a transformation, as values; and the command that asks it again.

The command line, the Python API and a line in the source file all fill the same
`Options`. Nothing here looks at a file: what is wrong with an option by itself is
the command line's to refuse, what is wrong with it for this kernel the pipeline's.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass, replace
from typing import Literal

Mode = Literal["joint", "split"]
Names = Literal["adj", "grad"]


@dataclass(frozen=True)
class Assumption:
    """`injective:idx`, `launch:1d`: what the author knows and no analysis can."""

    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.what}"


@dataclass(frozen=True)
class Options:
    """One request. Empty `of` and `wrt` mean: look into the source, then at the signature.

    `kernel` may be empty where the file holds one kernel. `bounds` are pairs of a
    line of the primal and a C expression for the trip count of its loop.
    """

    kernel: str = ""
    of: tuple[str, ...] = ()
    wrt: tuple[str, ...] = ()
    mode: Mode = "joint"
    names: Names = "adj"
    skin: str = "plain"
    defines: tuple[tuple[str, str], ...] = ()
    includes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    store: tuple[str, ...] = ()
    recompute: tuple[str, ...] = ()
    bounds: tuple[tuple[int, str], ...] = ()
    assume: tuple[Assumption, ...] = ()

    def with_defaults(self, pragma: dict[str, tuple[str, ...]]) -> Options:
        """These options, and where they say nothing of `of` and `wrt`, the source's words."""
        return replace(
            self,
            of=self.of or pragma.get("of", ()),
            wrt=self.wrt or pragma.get("wrt", ()),
        )


def command(verb: str, file: str, options: Options, *more: str) -> str:
    """The shell command for a request: base names, options in a fixed order, defaults left out.

    `command("transform", "src/relax.cu", Options(of=("y",), wrt=("x", "w")))` is
    `s2sad transform relax.cu --of y --wrt x,w`.
    """
    words = ["s2sad", verb, os.path.basename(file) or file]
    if options.kernel:
        words += ["--kernel", options.kernel]
    for flag, names in (("--of", options.of), ("--wrt", options.wrt)):
        if names:
            words += [flag, ",".join(names)]
    plain = Options()
    for flag, value, default in (
        ("--mode", options.mode, plain.mode),
        ("--names", options.names, plain.names),
        ("--skin", options.skin, plain.skin),
    ):
        if value != default:
            words += [flag, value]
    for name, text in options.defines:
        words += ["--define", f"{name}={text}"]
    for folder in options.includes:
        words += ["--include", os.path.basename(os.path.normpath(folder))]
    for table in options.rules:
        words += ["--rules", os.path.basename(table)]
    for flag, names in (("--store", options.store), ("--recompute", options.recompute)):
        if names:
            words += [flag, ",".join(names)]
    for line, bound in options.bounds:
        words += ["--bound", f"{line}={bound}"]
    for assumption in options.assume:
        words += ["--assume", str(assumption)]
    return shlex.join([*words, *more])
