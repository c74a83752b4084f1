"""Translate CUDA-C text to typed IR: preprocessing, parsing, lowering.

`program` reads a kernel and what it reaches; `expression` reads one expression over
given symbols, for rules, case files and options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..ir import Expr, Program, Sym
from ..source import Source
from . import reading as _reading
from .depth import deep
from .lower import program as _program
from .lower.program import Dialect
from .sema.free import expression as _expression

__all__ = ["expression", "program"]


def program(
    source: Source,
    *,
    kernel: str | None = None,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    template: Mapping[str, str] | None = None,
    dialect: Dialect = "primal",
) -> Program:
    """Return the kernel of that name, or the only one, and what it reaches, typed.

    `template` gives the kernel's template arguments, where the file doesn't.
    With `dialect="emitted"` the code that s2sad writes is accepted: atomics, barriers and
    local pointers too. Raises Rejected with everything that is wrong.
    """
    parsed = _reading.parse(source, kernel, defines, includes, template)
    return deep(lambda: _program.lower(parsed, dialect))


def expression(text: str, names: Mapping[str, Sym]) -> Expr:
    """Return a C expression over the given symbols, typed as in a kernel. Raises Rejected."""
    return _expression(text, names)
