"""The coverage of both kernels of a pair on a case: one watched launch of each, without a verdict."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from ..diagnostics import Rejected
from ..run.backend import Backend
from ..run.coverage import Coverage
from ..run.sanitizer_report import Fault
from .assumptions import verify
from .case import Case
from .check import draw_seeds, sound_setting
from .elements import Array
from .launching import Launcher, Pair
from .race_check import Seen, Watch
from .recipe import Launch, Setting, Value

T = TypeVar("T")

SECONDS = 5.0  # for a launch of a search
QUICK = 2.0  # for a launch of a check, which searches if there is no case
_LATE = 2  # after so many launches that don't end, run no more: others won't end either
_MULTIPLE = re.compile(r"\bblockDim\.([xyz]) is a multiple of (\d+)")
_NOT_FOR_IT = re.compile(
    r'[\w\[\].>-]+ = [\w(]*nanf? *\( *"" *\)[\w(), "]*$'
)  # a whole element, not one from a tape


class Reaching:
    """A pair compiled for coverage; called with a case, it returns the coverage or None.

    It returns None for launches that fail, for data that violates `assume`, with which the adjoint was made,
    and for launches that the adjoint rejects.
    """

    def __init__(self, pair: Pair, backend: Backend, assume: Sequence[str] = ()) -> None:
        self._pair = pair
        self._assume = assume
        self._watch = Watch(pair, backend, counted=True)
        self._launcher = Launcher(pair, backend, "double", few="all")
        self._late = 0

    def __call__(self, case: Case) -> tuple[Coverage, ...] | None:
        return self._in_time(self._reached, case)

    def infinite(self, case: Case) -> int | None:
        """Return the number of the dependents' values that aren't finite; None if the primal fails."""
        return self._in_time(self._infinite, case)

    def needs(self, case: Case) -> dict[str, int]:
        """Return the lengths that the arrays had to have, at least, for the primal to stay inside them."""
        return self._in_time(self._needed, case) or {}

    def leaves(self, case: Case) -> Fault | None:
        """Return where the primal leaves an array on a case; None if it doesn't, or can't be run."""
        return next(iter(self._outside(case)), None)

    @np.errstate(all="ignore")
    def _in_time(self, ask: Callable[[Case], T | None], case: Case) -> T | None:
        if self._late >= _LATE:
            return None
        start = time.monotonic()
        found = ask(case)
        self._late += found is None and time.monotonic() - start >= QUICK
        return found

    def _ran(self, case: Case) -> tuple[Setting, Seen, dict[str, Array]] | None:
        """Run the primal; None if it has a fault, or the adjoint wasn't made for such a launch."""
        setting, seen = sound_setting(self._watch, case)
        if seen is None or not seen.ok:
            return None
        findings, _ = verify(self._assume, setting.args, setting.launch)
        if not all(finding.ok for finding in findings) or not self._made_for(setting.launch):
            return None
        return setting, seen, dict(self._launcher.primal(setting.launch, setting.args))

    def _outside(self, case: Case) -> list[Fault]:
        try:
            _, seen = sound_setting(self._watch, case)
        except Rejected:
            return []
        return [f for f in ([] if seen is None else seen.faults) if f.kind == "out-of-bounds"]

    def _needed(self, case: Case) -> dict[str, int]:
        found: dict[str, int] = {}
        for fault in self._outside(case):
            name = fault.array.partition(".")[0]  # `bodies`, of the field `bodies.x`
            if name and fault.element is not None and fault.element >= 0:
                found[name] = max(fault.element + 1, found.get(name, 0))
        return found

    def _infinite(self, case: Case) -> int | None:
        try:
            ran = self._ran(case)
        except Rejected:
            return None
        return None if ran is None else infinite_values([ran[2][name] for name in self._pair.dependents])

    def _reached(self, case: Case) -> tuple[Coverage, ...] | None:
        try:
            ran = self._ran(case)
            if ran is None:
                return None
            setting, seen, outputs = ran
            if not usable({name: outputs[name] for name in self._pair.dependents}, setting.args):
                return None
            seeds = {name: draw_seeds(name, outputs[name]) for name in self._pair.dependents}
            buffers = self._launcher.buffers(setting.args, seeds)
            found = told([seen, *self._watch.adjoint(self._launcher, setting, buffers)])
            return None if any(map(refuses, found)) else found
        except Rejected:
            return None

    def _made_for(self, launch: Launch) -> bool:
        """Whether a launch's block satisfies the assumptions in the adjoint's header."""
        head = re.sub(r"\n// *", " ", self._pair.adjoint_text.partition("\n\n")[0])
        sizes = dict(zip("xyz", launch.block, strict=True))
        return all(sizes[axis] % int(size) == 0 for axis, size in _MULTIPLE.findall(head))


def refuses(coverage: Coverage) -> bool:
    """Whether a kernel rejected the launch by returning NaN, as its header documents."""
    return any(
        point.number in coverage.reached and _NOT_FOR_IT.match(point.text) for point in coverage.points
    )


def usable(outputs: Mapping[str, Array], before: Mapping[str, Value]) -> bool:
    """Whether most of the outputs are finite that the primal changed: others are excluded from a check."""
    lost = infinite_values(list(outputs.values()))
    changed = sum(int(np.sum(array != before.get(name, np.nan))) for name, array in outputs.items())
    return not lost or 2 * lost < changed


def infinite_values(outputs: Sequence[Array]) -> int:
    """Return the number of values that aren't finite."""
    return sum(int((~np.isfinite(array)).sum()) for array in outputs)


def told(seen: list[Seen]) -> tuple[Coverage, ...]:
    return tuple(one.coverage for one in seen if one.coverage is not None)
