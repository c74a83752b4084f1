"""The coverage of both kernels of a pair on a case: one watched launch of each, without a verdict."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

import numpy as np

from ..diagnostics import Rejected
from ..run.backend import Backend
from ..run.coverage import Coverage
from .assumptions import verify
from .case import Case
from .check import draw_seeds, sound_setting
from .launching import Launcher, Pair
from .race_check import Seen, Watch
from .recipe import Launch

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

    @np.errstate(all="ignore")
    def __call__(self, case: Case) -> tuple[Coverage, ...] | None:
        if self._late >= _LATE:
            return None
        start = time.monotonic()
        found = self._reached(case)
        self._late += found is None and time.monotonic() - start >= QUICK
        return found

    def _reached(self, case: Case) -> tuple[Coverage, ...] | None:
        try:
            setting, seen = sound_setting(self._watch, case)
            if seen is None or not seen.ok:
                return None
            findings, _ = verify(self._assume, setting.args, setting.launch)
            if not all(finding.ok for finding in findings) or not self._made_for(setting.launch):
                return None
            outputs = self._launcher.primal(setting.launch, setting.args)
            if not usable([outputs[name] for name in self._pair.dependents]):
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


def usable(outputs: list[np.ndarray]) -> bool:
    """Whether most of the outputs are finite: others are excluded from a check."""
    sizes = sum(array.size for array in outputs)
    return not sizes or 2 * sum(int(np.isfinite(array).sum()) for array in outputs) > sizes


def told(seen: list[Seen]) -> tuple[Coverage, ...]:
    return tuple(one.coverage for one in seen if one.coverage is not None)
