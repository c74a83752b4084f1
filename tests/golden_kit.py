"""The golden kernels and their adjoints, made once for each process.

tests/golden/NAME.cu is a kernel whose first line has the options, and NAME.toml is
its case. NAME_adj.cu and NAME.plan.md, and for some NAME_split.cu, are
s2sad's output. Kernels aren't registered anywhere: a new pair of files is a new test.
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
    """Return the batch of a kernel: kernels of a batch are tested in one process, and compiled together."""
    return KERNELS.index(name) * _BATCHES // len(KERNELS)


def file(name: str) -> Path:
    return FOLDER / f"{name}.cu"


def text(name: str) -> str:
    return file(name).read_text(encoding="utf-8")


def emitted(name: str) -> str:
    """Read the golden adjoint, in the shape that the kernel specifies; test_golden.py keeps it up to date."""
    return (FOLDER / f"{name}_adj.cu").read_text(encoding="utf-8")


def compilable(name: str, adjoint: str) -> str:
    """Return a compilable text: the adjoint's, after its primal's for a companion."""
    return f"{text(name)}\n{adjoint}" if "--companion" in text(name).partition("\n")[0] else adjoint


def asked(name: str) -> Mode:
    """Return the shape that the kernel specifies, in its first line or in a pragma."""
    return "split" if re.search(r"--mode split|\bmode\(split\)", text(name)) else "joint"


@cache
def other(name: str) -> Mode:
    """Return the other shape; the same one, if the other is refused for an allowed reason.

    Joint, if threads draw slots in any order; split, if its shared memory holds several types.
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
    """Transform a kernel in that shape, with the options of its first line. Raises Rejected."""
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
    """Like `fresh`, cached."""
    return _both(name, mode)[0]


def read_again(name: str, mode: Mode) -> Program:
    """Return the adjoint kernel of the emitted text, as the transformer parsed it before writing it."""
    done, programs = _both(name, mode)
    return programs[done.adjoint.kernel.name]


def modes(name: str) -> tuple[Mode, ...]:
    """Return the shapes that exist, the specified one first."""
    return tuple(dict.fromkeys((asked(name), other(name))))


def shapes(name: str) -> tuple[Transformed, Transformed]:
    """Return the adjoint in both shapes, the specified one first."""
    return made(name, asked(name)), made(name, other(name))
