"""Find elements with a thread of their own, if the launch covers the index space.

    if (i > 0 && i < n - 1)
        v[i] = 0.25f * u[i - 1] + 0.5f * u[i] * u[i] + 0.25f * u[i + 1];

Three threads read u[i], and contribute to its adjoint. If the launch is declared to have a thread
for each of the n elements (`--assume covers:n`), thread i can collect the contributions of the
threads i + 1, i and i - 1, instead of each of them adding to three elements.

L19. Let thread p, a point of the index space, contribute a_k(p) to the element at p + d_k, for
each of finitely many shifts d_k, if a guard g_k(p) holds. Let E be the points 0 <= p < extent,
each with one thread, and let g_k(p) imply that p and p + d_k are in E. Then the sum of the
contributions to the element at e is the sum over k of a_k(e - d_k) where e - d_k is in E and
g_k(e - d_k) holds; and no thread but that at e need add to it. In more than one dimension,
x + width * y with 0 <= x < width names one point (L5); so the points p + d_k are distinct.

The implications of g_k are proved here, for the primal's reads; that the launch has a thread
for each point of E is declared by the user, and tested by the adjoint when it starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..symbolic.inequalities import holds
from ..symbolic.polynomials import ONE, ZERO, Atom, Poly, cofactor, divide, linear, poly, variable
from .access_relations import Reference, Survey

AXES = "xyz"


def covered(survey: Survey, references: Iterable[Reference], extents: Sequence[Poly]) -> bool:
    """Whether the launch's threads that read these elements, and the elements, are points of E (L19)."""
    return all(_within(survey, r, extents) for r in references)


def strides(extents: Sequence[Poly]) -> tuple[Poly, ...]:
    """Return the distance between neighbours along each axis: 1, width, width * height."""
    found = [ONE]
    for extent in extents[:-1]:
        found.append(found[-1] * extent)
    return tuple(found)


def shifts(rest: Poly, extents: Sequence[Poly]) -> tuple[Poly, ...]:
    """Return a position's shift along each axis, so that the strides times these sum to `rest`."""
    found: list[Poly] = []
    for stride in reversed(strides(extents)[1:]):
        times = _times(rest, stride)
        found.append(times)
        rest = rest - times * stride
    return (rest, *reversed(found))


def _times(rest: Poly, stride: Poly) -> Poly:
    """Divide a remainder by a stride, rounding the constant to nearest."""
    if len(stride.terms) != 1:
        return ZERO
    ((monomial, by),) = stride.terms
    times: dict[tuple[Atom, ...], int] = {}
    for m, c in rest.terms:
        inner = cofactor(m, monomial)
        if inner is not None:
            times[inner] = c // by if m else (2 * c + by) // (2 * by)  # of 512 * dy - 513, dy - 1
    return poly(times)


def _within(survey: Survey, reference: Reference, extents: Sequence[Poly]) -> bool:
    form = linear(reference.index, lambda a: a.scope == "position")
    if form is None:
        return False
    factors, rest = form
    if any(not a.uniform and not a.counts for a in rest.atoms):
        return False
    if not {a.name[-1] for a in factors} <= set(AXES[: len(extents)]):
        return False
    facts, atoms = reference.facts, survey.atoms
    for axis, extent, stride, shift in zip(
        AXES, extents, strides(extents), shifts(rest, extents), strict=False
    ):
        position = _position(factors, axis, stride)
        if position is None:
            return False
        # along one axis alone, the element's index is its point, and no index is negative
        least = [position + shift] if len(extents) > 1 else []
        most = [extent - ONE - position, extent - ONE - position - shift]
        if not all(holds(goal, facts, atoms) for goal in (*least, *most)):
            return False
    return True


def _position(factors: dict[Atom, Poly], axis: str, stride: Poly) -> Poly | None:
    """Return a thread's position along an axis, if the index has it: blockIdx.x * width + threadIdx.x."""
    named = {a.name: a for a in factors}
    block, thread = named.get(f"blockIdx.{axis}"), named.get(f"threadIdx.{axis}")
    if block is None or thread is None or factors[thread] != stride:
        return None
    width = divide(factors[block], stride)
    if width is None or not (_is_extent(width, axis) or (width.constant or 0) > 0):
        return None
    return width * variable(block) + variable(thread)


def _is_extent(width: Poly, axis: str) -> bool:
    return any(width == variable(a) and a.name == f"blockDim.{axis}" for a in width.atoms)
