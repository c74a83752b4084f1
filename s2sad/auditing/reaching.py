"""The coverage of a forward and a user's backward on a case: one watched launch of each, no verdict."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from ..diagnostics import Rejected
from ..run.backend import Backend
from ..run.coverage import Coverage
from ..validate import Case, Pair
from ..validate.check import draw_seeds, sound_setting
from ..validate.race_check import Watch
from ..validate.reaching import told, usable
from .backward import Backward
from .job import SEED, Job, with_widths
from .judging import pair_of
from .roles import buffers, roles


class Reaching:
    """Like validate.reaching.Reaching, for a job. Texts that depend on shapes are compiled for each."""

    def __init__(self, job: Job, backend: Backend) -> None:
        self._job = job
        self._backend = backend
        self._made: dict[tuple[str, str], tuple[Pair, Backward, Watch]] = {}

    @np.errstate(all="ignore")
    def __call__(self, case: Case) -> tuple[Coverage, ...] | None:
        try:
            whole = with_widths(case, "case", self._job.forward)
            return self._reached(replace(self._job, case=whole))
        except Rejected:
            return None

    def _reached(self, job: Job) -> tuple[Coverage, ...] | None:
        pair = pair_of(job, job.case.setting("double"))
        pair, launcher, watch = self._compiled(pair)
        setting, seen = sound_setting(watch, job.case)
        if seen is None or not seen.ok:
            return None
        left = launcher.primal(setting.launch, setting.args)
        outputs = {name: array for name, array in left.items() if name in job.forward.names}
        found = roles(job, setting.args, outputs, partial(launcher.primal, setting.launch))
        if not usable([outputs[of] for of in found.of]):
            return None
        launcher.pair = replace(pair, adjoint=found.signature)
        seeds = {of: draw_seeds(of, outputs[of]) for of in found.of}
        values = {**found.values, **{f"{SEED}{of}": seed for of, seed in seeds.items()}}
        clean = buffers(found, setting.args, seeds)
        return told([seen, *launcher.watched(watch, setting, values, clean)])

    def _compiled(self, pair: Pair) -> tuple[Pair, Backward, Watch]:
        key = pair.primal_text, pair.adjoint_text
        if key not in self._made:
            launcher = Backward(pair, self._job.signatures, self._backend)
            self._made[key] = pair, launcher, Watch(pair, self._backend, counted=True)
        return self._made[key]
