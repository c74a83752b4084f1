"""The golden kernels: what they are, and their adjoints, made once for each process.

tests/golden/NAME.cu is a kernel whose first line says what is asked of it, NAME.toml
what it is run on. NAME_adj.cu and NAME.plan.md, and for some NAME_split.cu, are what
s2sad makes of it. Nothing is registered anywhere: a new pair of files is a new test.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from s2sad import pipeline
from s2sad.diagnostics import Code, Rejected
from s2sad.ir import Program
from s2sad.options import Mode, Options
from s2sad.pipeline import Transformed, transform
from s2sad.rereading import reread
from s2sad.source import Source

FOLDER = Path(__file__).with_name("golden")
KERNELS = tuple(sorted(case.stem for case in FOLDER.glob("*.toml")))

_BATCHES = 6  # three for each of two processes


def batch(name: str) -> int:
    """Which kernels are looked at in one process, and compiled together."""
    return KERNELS.index(name) * _BATCHES // len(KERNELS)


def file(name: str) -> Path:
    return FOLDER / f"{name}.cu"


def text(name: str) -> str:
    return file(name).read_text(encoding="utf-8")


def emitted(name: str) -> str:
    """The adjoint as it is kept, in the shape that the kernel asks for; test_golden.py says that it is so."""
    return (FOLDER / f"{name}_adj.cu").read_text(encoding="utf-8")


def compilable(name: str, adjoint: str) -> str:
    """What a compiler takes: the adjoint's text, of a companion behind that of its primal."""
    return f"{text(name)}\n{adjoint}" if "--companion" in text(name).partition("\n")[0] else adjoint


def asked(name: str) -> Mode:
    """The shape that the kernel asks for, in its first line or in a pragma."""
    return "split" if re.search(r"--mode split|\bmode\(split\)", text(name)) else "joint"


@cache
def other(name: str) -> Mode:
    """The other shape; the same, if the other is refused for the one reason that it may be.

    Joint, where the launch draws slots in any order; split, where its shared memory holds several types.
    """
    own = asked(name)
    another: Mode = "split" if own == "joint" else "joint"
    try:
        made(name, another)
    except Rejected as rejected:
        allowed = Code.ORDER_DEPENDENT if another == "joint" else Code.SEVERAL_SHARED_TYPES
        if {d.code for d in rejected.diagnostics} == {allowed}:
            return own
    return another


def fresh(name: str, mode: Mode) -> Transformed:
    """The adjoint of a kernel in that shape, as the first line says. Raises Rejected."""
    return transform(Source(file(name).name, text(name)), Options(mode=mode))


@cache
def _both(name: str, mode: Mode) -> tuple[Transformed, dict[str, Program]]:
    found: dict[str, Program] = {}

    def keep(*arguments: Any) -> list[Program]:
        programs = reread(*arguments)
        for program in programs:
            found.setdefault(program.kernel.name, program)
        return programs

    with patch.object(pipeline, "reread", keep):
        return fresh(name, mode), found


def made(name: str, mode: Mode) -> Transformed:
    """The same, made once."""
    return _both(name, mode)[0]


def read_again(name: str, mode: Mode) -> Program:
    """The adjoint kernel of the emitted text, as the transformer itself read it before it wrote it."""
    done, programs = _both(name, mode)
    return programs[done.adjoint.kernel.name]


def modes(name: str) -> tuple[Mode, ...]:
    """The shapes that there are, the one that is asked for first."""
    return tuple(dict.fromkeys((asked(name), other(name))))


def shapes(name: str) -> tuple[Transformed, Transformed]:
    """Both shapes, the one that is asked for first."""
    return made(name, asked(name)), made(name, other(name))
