"""The coverage of a forward and a user's backward on a case: one watched launch of each, no verdict."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from ..diagnostics import Rejected
from ..run.backend import Backend
from ..run.coverage import Coverage
from ..validate import Case, Pair
from ..validate.check import draw_seeds, sound_setting
from ..validate.elements import Array
from ..validate.race_check import Seen, Watch
from ..validate.reaching import infinite_values, told, usable
from ..validate.recipe import Setting
from .backward import Backward
from .job import SEED, Job, with_widths
from .judging import pair_of
from .roles import Roles, buffers, roles


class _Ran(NamedTuple):
    pair: Pair
    launcher: Backward
    watch: Watch
    setting: Setting
    seen: Seen
    outputs: dict[str, Array]
    roles: Roles


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

    @np.errstate(all="ignore")
    def infinite(self, case: Case) -> int | None:
        """Return the number of the dependents' values that aren't finite; None if the forward fails."""
        try:
            ran = self._ran(replace(self._job, case=with_widths(case, "case", self._job.forward)))
        except Rejected:
            return None
        return None if ran is None else infinite_values([ran.outputs[of] for of in ran.roles.of])

    def _ran(self, job: Job) -> _Ran | None:
        """Run the forward; None if it has a fault."""
        pair, launcher, watch = self._compiled(pair_of(job, job.case.setting("double")))
        setting, seen = sound_setting(watch, job.case)
        if seen is None or not seen.ok:
            return None
        left = launcher.primal(setting.launch, setting.args)
        outputs = {name: array for name, array in left.items() if name in job.forward.names}
        found = roles(job, setting.args, outputs, partial(launcher.primal, setting.launch))
        return _Ran(pair, launcher, watch, setting, seen, outputs, found)

    def _reached(self, job: Job) -> tuple[Coverage, ...] | None:
        ran = self._ran(job)
        if ran is None:
            return None
        pair, launcher, watch, setting, seen, outputs, found = ran
        if not usable({of: outputs[of] for of in found.of}, setting.args):
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
