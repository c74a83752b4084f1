"""Find the coordinates of a thread that an affine index and its guards determine; others would race."""

from __future__ import annotations

from collections.abc import Iterable

from ...ir import Assign
from ..access import injectivity as injective
from ..symbolic.polynomials import Atom, Division, Poly, linear, number, variable
from ..threads.uniform_stores import Agreement
from .access_relations import Reference
from .delinearisation import Question
from .index_provenance import Given


def alone(
    stores: Iterable[tuple[Assign, Reference, Question]],
    seen: frozenset[Atom],
    given: Given,
    agreed: Agreement | None,
) -> frozenset[str] | None:
    """Return the coordinates that must have extent one in the launch, or threads would race at these stores.

    None if this doesn't follow: at some store threads may differ in other ways.
    """
    found = frozenset[str]()
    names = frozenset(a.name for a in seen)
    for store, reference, question in stores:
        here = frozenset(a for a in seen if question.key(a))
        if given.tells(store, names & {a.name for a in here}, agreed):
            continue
        left_out = unmentioned(reference, question, here)
        if left_out is None or not given.races(store, frozenset(a.name for a in left_out)):
            return None
        found |= {a.name for a in left_out}
    return found


def mentions(reference: Reference, question: Question, coordinates: frozenset[Atom]) -> bool:
    """Whether an index is affine and determines the thread, with the coordinates that its guards fix."""
    return unmentioned(reference, question, coordinates) == frozenset()


def unmentioned(
    reference: Reference, question: Question, coordinates: frozenset[Atom], by_warp: bool = False
) -> frozenset[Atom] | None:
    """Return the coordinates that neither an affine index nor its guards determine; None if not affine.

    `by_warp`: the lanes of a warp count as one, so the warp's number identifies a thread.
    """
    index = reference.index
    if linear(index, lambda a: not question.fixed(a)) is None:
        return None
    mentioned = set(index.atoms)
    for fact in injective.pinned(reference.facts, question):
        mentioned |= fact.atoms
    for fact in reference.facts:  # the lane: threadIdx.x % 32 == 0
        if -fact in reference.facts and all(isinstance(a.origin, Division) for a in fact.atoms):
            mentioned |= fact.atoms
    divisions = [a.origin for a in mentioned if isinstance(a.origin, Division)]
    rows = {variable(a) for a in coordinates if a.name == "threadIdx.x"}
    # a / b and a % b together mention a; so do (block + a) / b and a % b, by a warp and its lane.
    both = [
        (d.dividend, d.divisor)
        for d in divisions
        if d.op == "/"
        and (
            (by_warp and d.divisor == number(32) and d.dividend in rows)
            or any(
                other.op == "%" and other.divisor == d.divisor and _same_row(d.dividend, other.dividend)
                for other in divisions
            )
        )
    ]
    for dividend, _ in both:
        mentioned |= dividend.atoms
    for atom in index.atoms:
        origin = atom.origin
        split = isinstance(origin, Division) and (origin.dividend, origin.divisor) in both
        if question.free(atom) and not atom.counts and not split:
            return None
    return coordinates - mentioned


def _same_row(whole: Poly, part: Poly) -> bool:
    """Whether two positions differ at most by a term that is the same for a block."""
    return all(a.uniform or a.name.startswith("blockIdx") for a in (whole - part).atoms)
