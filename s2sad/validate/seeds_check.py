"""Check an adjoint of several seeds: the first seed as that of any adjoint, each one by the adjoint of one.

The gradient from the first seed is compared with differences and exact tangents, beside other seeds that are
drawn; accesses are watched and the contract is tested for all of them. Then each seed is drawn anew, with
arrays that hold something already, and must give what the adjoint of one seed gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..run.backend import Backend
from .case import Case
from .check import ORDERS, Progress, check_pair, draw_seeds, first_launch, sound_setting
from .elements import Array, close, magnitude
from .findings import Finding
from .launching import AdjointRun, Launcher, Pair
from .race_check import Watch
from .recipe import Value
from .report import Report

_SAME = 1e-12  # of each number, and of the largest of its array: an inverse may stand for a quotient
_CANCELLED = 1e-13  # of the largest gradient: if all terms cancel, the rest is rounding


@dataclass(frozen=True)
class Seeded:
    """An adjoint of several seeds, and that of one."""

    several: Pair
    one: Pair


def check_seeds(
    both: Seeded,
    case: Case,
    backend: Backend,
    *,
    progress: Progress | None = None,
    tolerance: float | None = None,
    assume: Sequence[str] = (),
    counted: bool = False,
) -> Report:
    """Judge an adjoint of several seeds on a case. Raises Rejected if a text can't be compiled or run."""
    several = both.several
    report = check_pair(
        several, case, backend, progress=progress, tolerance=tolerance, assume=assume, counted=counted
    )
    if not report.rows or any(seen.ended for seen in report.watched):
        return report
    findings = tuple(_each(both, case, backend))
    return replace(report, findings=(*report.findings, *findings))


@np.errstate(all="ignore")
def _each(both: Seeded, case: Case, backend: Backend) -> Iterator[Finding]:
    """Compare the gradients from each seed with those of the adjoint of one seed."""
    several, one = (Launcher(pair, backend, "double", few="adjoint") for pair in (both.several, both.one))
    setting, _ = sound_setting(Watch(both.one, backend), case)
    setting, outputs = first_launch(one, case, setting)
    given = [_drawn(one, setting.args, outputs, k) for k in range(both.several.adjoint.seeds)]
    geometry = setting.launch, setting.backward, setting.args
    ran = several.adjoint(*geometry, given[0], order=ORDERS[0], further=given[1:])
    for k, (buffers, after) in enumerate(zip(given, ran.every, strict=True)):
        alone = one.adjoint(*geometry, buffers, order=ORDERS[0])
        same = all(_same(after, alone, a.of) for a in one.pair.adjoints if a.use != "scratch")
        yield Finding(same, f"seed {k} gives what the adjoint of one seed gives")


def _drawn(
    launcher: Launcher, args: Mapping[str, Value], outputs: Mapping[str, Array], number: int
) -> dict[str, Array]:
    """Draw a seed, and what the arrays hold to which gradients are added."""
    random = np.random.default_rng(number)
    dependents = launcher.pair.dependents
    seeds: dict[str, Array] = {}
    for name in dependents:
        drawn = draw_seeds(name, outputs[name]).astype(np.float64)
        seeds[name] = drawn * random.choice((-1.5, -1.0, -0.5, 0.5, 1.0, 1.5), drawn.shape)
    buffers = launcher.buffers(args, seeds)
    for argument in launcher.pair.adjoints:
        if argument.use == "accumulates" and argument.of not in seeds:
            array = buffers[argument.of]
            buffers[argument.of] = random.uniform(-1.0, 1.0, array.shape).astype(array.dtype)
    return buffers


def _same(found: Mapping[str, Array], alone: AdjointRun, of: str) -> bool:
    largest = max(map(magnitude, alone.buffers.values()))
    expected = alone.buffers[of]
    return close(found[of], expected, expected, _SAME, _CANCELLED * largest)
