"""What both kernels of a pair reach on a case: one watched launch of each, and no judgement."""

from __future__ import annotations

import numpy as np

from ..diagnostics import Rejected
from ..run.backend import Backend
from ..run.coverage import Coverage
from .case import Case
from .check import draw_seeds, sound_setting
from .launching import Launcher, Pair
from .watching import Seen, Watch

SECONDS = 5.0  # for a launch of a search


class Reaching:
    """A pair, compiled to be counted; called with a case it tells what ran, None where nothing can."""

    def __init__(self, pair: Pair, backend: Backend) -> None:
        self._pair = pair
        self._watch = Watch(pair, backend, counted=True)
        self._launcher = Launcher(pair, backend, "double", few="all")

    def __call__(self, case: Case) -> tuple[Coverage, ...] | None:
        try:
            setting, seen = sound_setting(self._watch, case)
            if seen is None or not seen.ok:
                return None
            outputs = self._launcher.primal(setting.launch, setting.args)
            if not usable([outputs[name] for name in self._pair.dependents]):
                return None
            seeds = {name: draw_seeds(name, outputs[name]) for name in self._pair.dependents}
            buffers = self._launcher.buffers(setting.args, seeds)
            return told([seen, *self._watch.adjoint(self._launcher, setting, buffers)])
        except Rejected:
            return None


def usable(outputs: list[np.ndarray]) -> bool:
    """Whether most of the outputs are numbers: others take no part in a check."""
    sizes = sum(array.size for array in outputs)
    return not sizes or 2 * sum(int(np.isfinite(array).sum()) for array in outputs) > sizes


def told(seen: list[Seen]) -> tuple[Coverage, ...]:
    return tuple(one.coverage for one in seen if one.coverage is not None)
