"""Loops as users name them, by the line on which they begin: `--bound 12=n`, `trips_12`.

An option for a line applies to every loop that begins there: to several on one line, and to all
copies of a loop in an inlined function. Nothing else finds a loop by its line.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...analysis.ssa import Loop
from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...ir import Body, Expr, LoopId, Program, Scalar, statements
from ...parse import expression

Lines = Mapping[int, frozenset[LoopId]]
"""The loops that begin on each line."""


def loops_by_line(body: Body) -> Lines:
    """The loops of a body, by line."""
    found: dict[int, set[LoopId]] = {}
    for stmt in statements(body):
        if isinstance(stmt, Loop) and stmt.span is not None:
            found.setdefault(stmt.span.line, set()).add(stmt.id)
    return {line: frozenset(loops) for line, loops in found.items()}


def loops_of(program: Program, option: str, asked: tuple[int, ...], lines: Lines) -> frozenset[LoopId]:
    """The loops that begin on some lines. Raises Rejected."""
    wrong: list[Diagnostic] = []
    for line in asked:
        if line not in lines:
            near = sorted(lines, key=lambda n: abs(n - line))[:1]
            help = f"did you mean {option} {near[0]}" if near else "the kernel has no loop"
            what = f"{option} {line}: no loop starts in line {line}"
            wrong.append(diagnose(Code.USAGE, program.kernel.span, what=what, help=help))
    if wrong:
        raise Rejected(*wrong)
    return frozenset(loop for line in asked for loop in lines[line])


def bounds_of(program: Program, asked: tuple[tuple[int, str], ...], lines: Lines) -> dict[LoopId, Expr]:
    """The user's bounds of trip counts, in the kernel's integer parameters. Raises Rejected."""
    kernel = program.kernel
    names = {s.name: s for s in kernel.syms if isinstance(s.type, Scalar) and s.type.is_integer}
    found: dict[LoopId, Expr] = {}
    wrong: list[Diagnostic] = []
    for line, text in asked:
        if line not in lines:
            near = sorted(lines, key=lambda n: abs(n - line))[:1]
            help = f"did you mean --bound {near[0]}={text}" if near else "the kernel has no loop"
            wrong.append(diagnose(Code.BOUND_NOT_USED, kernel.span, line=str(line), text=text, help=help))
            continue
        try:
            bound = expression(text, names)
        except Rejected:
            bound = None
        if bound is None or not isinstance(bound.type, Scalar) or not bound.type.is_integer:
            known = ", ".join(names) or "literals"
            wrong.append(diagnose(Code.BOUND_UNCLEAR, kernel.span, line=str(line), text=text, names=known))
            continue
        found.update(dict.fromkeys(lines[line], bound))
    if wrong:
        raise Rejected(*wrong)
    return found
