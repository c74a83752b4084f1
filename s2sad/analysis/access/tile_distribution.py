"""Loops whose iterations blocks can divide: all blocks of a row add to the same elements.

    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[ty][tx] = A[row * K + k0 + tx];      the same for all blocks along x
        ...

L26. Let b be a block's position along one axis, of G blocks, and t the rest of a thread's position.
In iteration q of a loop let the thread (b, t) contribute a(b, t, q) to the element f(t, q), which
doesn't depend on b, with f(t, q) == f(t', q') only if t == t' and q == q'. Then the total for the
element is the sum of a(b, t, q) over all b < G. The thread (q % G, t) can add that up and be the
only one that adds to the element. If threads (b, t) also contribute to g(b, t), that is the same
thread if f(t, q) == g(b, t') only for t == t' and q == b.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...ir import For, Stmt
from ..ssa import Loop
from ..symbolic.polynomials import ZERO, Atom, Poly, variable
from .access_relations import Reference, Survey, Where
from .delinearisation import Question
from .injectivity import apart


@dataclass(frozen=True)
class Dealt:
    """A loop whose iterations the blocks along an axis can divide, and the elements that it adds to.

    The elements are polynomials in `iteration`, the loop's; `outside` are those that threads add to
    outside the loop.
    """

    loop: For
    axis: str
    iteration: Atom
    inside: frozenset[Poly]
    outside: frozenset[Poly]


def dealt(
    survey: Survey,
    reads: Iterable[tuple[Stmt, Reference]],
    coordinates: Iterable[Atom],
    threads: Question,
) -> Dealt | None:
    """Return the loop in which an array's elements are added to; None if blocks can't divide it (L26)."""
    inside: list[Reference] = []
    outside: list[Reference] = []
    found: set[Loop] = set()
    for stmt, reference in reads:
        loops = _around(survey, stmt)
        if len(loops) > 1:
            return None
        found.update(loops)
        (inside if loops else outside).append(reference)
    if len(found) != 1 or threads.required is None:
        return None
    (loop,) = found
    iteration = survey.iterations.get(loop)
    touched = {a for r in inside for a in r.index.atoms}
    blocks = [a for a in sorted(coordinates) if a.name.startswith("blockIdx") and a not in touched]
    if not isinstance(loop, For) or iteration is None or len(blocks) != 1:
        return None
    (block,) = blocks
    put = {block: variable(iteration)}
    forms = (form.with_values({block: ZERO}) for form in threads.required)
    question = replace(
        threads,
        key=lambda a: a is not block and (a.scope == "position" or a is iteration),
        required=(*(form for form in forms if form.terms), variable(iteration)),
        written={},
        zero={},
    )
    moved = [Reference(r.index.with_values(put), tuple(f.with_values(put) for f in r.facts)) for r in outside]
    if apart([*inside, *moved], question) is not None:
        return None
    return Dealt(loop, block.name[-1], iteration, _indices(inside), _indices(outside))


def _indices(references: Sequence[Reference]) -> frozenset[Poly]:
    return frozenset(r.index for r in references)


def _around(survey: Survey, stmt: Stmt) -> list[Loop]:
    """Return the loops around a statement, innermost first."""
    found: list[Loop] = []
    where: Where | None = survey.where[stmt]
    while where is not None:
        if where.loop is not None:
            found.append(where.loop)
        where = where.up
    return found
