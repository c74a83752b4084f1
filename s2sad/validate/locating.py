"""Find an element that causes the error of a wrong direction, by bisection.

Only a sample of a large argument is compared element by element. An error in an
element outside of the sample shows in the random directions through all elements, which
don't tell the place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .differences import STEPS, Entry, Objective, Probe, compare
from .elements import Array, Reals


def located(
    objective: Objective, probes: Sequence[Probe], entries: Sequence[Entry], gradient: Array, within: float
) -> list[Entry]:
    """Return the comparison of a wrong element, if directions are wrong and no element is; else nothing."""
    if any(entry.verdict == "wrong" and entry.element is not None for entry in entries):
        return []
    wrong = [p for p, entry in zip(probes, entries, strict=True) if entry.verdict == "wrong"]
    flat = gradient.reshape(-1).astype(np.float64)
    if not wrong or not np.isfinite(flat).all():
        return []
    element = _halved(objective, wrong[0], flat)
    # include the largest adjoint, because errors are relative to it
    known = Probe(wrong[0].name, int(np.argmax(np.abs(flat))))
    found = compare(objective, [known, Probe(wrong[0].name, element)], gradient, within)
    return [entry for entry in found if entry.element == element and entry.verdict == "wrong"][:1]


def _halved(objective: Objective, probe: Probe, flat: Reals) -> int:
    """Return the element left after repeatedly keeping the half with the larger error."""
    assert probe.direction is not None
    first, end = 0, flat.size
    while end - first > 1:
        middle = (first + end) // 2
        halves = [(first, middle), (middle, end)]
        parts = [_part(probe.direction, *half) for half in halves]
        estimates = objective.estimates([Probe(probe.name, None, part) for part in parts], STEPS[0])
        gaps = [
            abs(float(np.sum(flat * part)) - estimate.value)
            for part, estimate in zip(parts, estimates, strict=True)
        ]
        first, end = halves[int(np.argmax(np.nan_to_num(gaps, nan=np.inf)))]
    return first


def _part(direction: Reals, first: int, end: int) -> Reals:
    part: Reals = np.zeros_like(direction)
    part[first:end] = direction[first:end]
    return part
