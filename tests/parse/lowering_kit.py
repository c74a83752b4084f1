"""Kernels around a few lines of code, lowered, as text."""

from __future__ import annotations

from s2sad import ir, ircheck, irtext, parse
from s2sad.diagnostics import Rejected
from s2sad.parse.lower.program import Dialect
from s2sad.source import Source

HEAD = (
    "__global__ void k(float *x, const float *c, double *d, int *m,\n"
    "                  int n, int i, int j, float a, float b, unsigned u)\n"
    "{\n"
)
FIRST = HEAD.count("\n") + 1
"""The line of the file on which the body's first line stands."""


def program(body: str, *, before: str = "", dialect: Dialect = "primal") -> ir.Program:
    """The program of a kernel with this body, checked."""
    result = parse.program(Source("k.cu", before + HEAD + body + "\n}\n"), dialect=dialect)
    for function in (*result.functions.values(), result.kernel):
        ircheck.check(function)
    return result


def lowered(body: str, *, before: str = "", dialect: Dialect = "primal") -> str:
    """What a body becomes, as text."""
    return irtext.show(program(body, before=before, dialect=dialect).kernel.body)


def refusals(body: str, *, before: str = "") -> list[tuple[str, int, str]]:
    """Code, column in its line, and text of everything that is refused in a body."""
    try:
        program(body, before=before)
    except Rejected as rejected:
        spans = [(d.code.slug, d.span) for d in rejected.diagnostics]
        return [(slug, span.column, span.text) for slug, span in spans if span is not None]
    return []
