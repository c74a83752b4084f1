"""Halo elements: those of a block's loads that neighbouring blocks load too, at the block's edges.

    tile[t] = x[i];                                    i = blockIdx.x * BLOCK + threadIdx.x
    if (threadIdx.x == 0)
        tile[0] = x[i - 1];                            a multiple of BLOCK, less 1
    if (threadIdx.x == BLOCK - 1)
        tile[BLOCK + 1] = x[i + 1];                    a multiple of BLOCK

L20. Let the threads p of some reads each have an element of its own, e(p) = p. For every other
read let the element be q + d with q % B == c, along some axis. Then e(p) is such an element
only if p % B == (c + d) % B: any other element that thread p adds to gets additions from no other
thread. With two axes the element is x + width * y with 0 <= x < width, which names one point (L5).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..symbolic.inequalities import holds
from ..symbolic.polynomials import ONE, ZERO, Atom, Poly, divide, linear, variable
from .access_relations import Reference, Survey
from .launch_coverage import shifts


@dataclass(frozen=True)
class Edge:
    """The points whose position along an axis, modulo a block's width, is `at`; None: the width less 1."""

    axis: str
    at: int | None


def edges(survey: Survey, reads: Iterable[Reference]) -> tuple[list[Reference], tuple[Edge, ...]] | None:
    """Return the reads of own elements, and the block edges where the other reads have theirs (L20)."""
    own: list[Reference] = []
    found: dict[Edge, None] = {}
    rows: set[Poly] = set()
    widths: dict[str, Poly] = {}
    for read in reads:
        form = linear(read.index, lambda a: a.scope == "position")
        if form is None or not form[1].is_uniform:
            return None
        factors, rest = form
        named = {a.name: a for a in factors}
        axes = [axis for axis in "xy" if f"threadIdx.{axis}" in named]
        if len(named) != 2 * len(axes) or axes[:1] != ["x"]:
            return None
        strides = [factors[named[f"threadIdx.{axis}"]] for axis in axes]
        rows.add(strides[-1])
        for axis, stride in zip(axes, strides, strict=True):
            block = named.get(f"blockIdx.{axis}")
            width = None if block is None else divide(factors[block], stride)
            if width is None or (width.constant or 1) < 1 or widths.setdefault(axis, width) != width:
                return None
        if strides[0] != ONE or len(rows) > 1:
            return None
        by = shifts(rest, (strides[-1], ONE)) if len(axes) > 1 else (rest,)
        if len(axes) > 1:
            column = widths["x"] * variable(named["blockIdx.x"]) + variable(named["threadIdx.x"]) + by[0]
            if not all(holds(g, read.facts, survey.atoms) for g in (column, strides[-1] - ONE - column)):
                return None
        if not any(shift.terms for shift in by):
            own.append(read)
            continue
        threads = [named[f"threadIdx.{axis}"] for axis in axes]
        edge = _edge(read, zip(axes, threads, map(widths.__getitem__, axes), by, strict=True))
        if edge is None:
            return None
        found[edge] = None
    return (own, tuple(found)) if own and found else None


def _edge(read: Reference, axes: Iterable[tuple[str, Atom, Poly, Poly]]) -> Edge | None:
    """Return an edge that contains all elements of a read."""
    facts = set(read.facts)
    for axis, thread, width, shift in axes:
        for fact in read.facts:
            # thread - c >= 0 and c - thread >= 0
            at = variable(thread) - fact
            if -fact not in facts or not at.is_uniform:
                continue
            element = at + shift
            if width.constant is not None and element.constant is not None:
                return _named(axis, element.constant % width.constant, width.constant)
            if element in (ZERO, width):
                return Edge(axis, 0)
            if element in (-ONE, width - ONE):
                return Edge(axis, None)
    return None


def _named(axis: str, at: int, width: int) -> Edge:
    return Edge(axis, None if at == width - 1 else at)
