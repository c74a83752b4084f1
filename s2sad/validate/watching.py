"""Both kernels once more, with every access watched: races, missed arrays, divergent barriers.

Values can't show these: the engine runs threads one after the other, so an increment
without an atomic gives the right sum in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..run.backend import Backend, CompileFailed, LaunchFailed, Watched, Watcher, WatchUnavailable
from ..run.faults import Fault, Inspection
from ..signature import Signature
from .elements import Array
from .launching import Launcher, Pair
from .recipe import Launch, Setting, Value

# After these the kernel isn't launched again: it would end in the same way, or not at all.
ENDED = ("divergent-barrier", "endless", "crash", "failed", "division-by-zero", "missing-return")


@dataclass(frozen=True)
class Seen:
    """What watching one kernel found."""

    kernel: str
    accesses: int
    faults: tuple[Fault, ...]

    @property
    def ok(self) -> bool:
        return all(fault.harmless for fault in self.faults)

    @property
    def ended(self) -> bool:
        """Whether a launch of it comes to nothing."""
        return any(fault.kind in ENDED or not fault.accesses for fault in self.faults)


class Watch:
    """A pair compiled to be watched, each text when it is asked for."""

    def __init__(self, pair: Pair, backend: Backend) -> None:
        self._pair = pair
        self._backend = backend
        self._compiled: dict[str, Watched] = {}
        self.why_not = "" if isinstance(backend, Watcher) else f"the {backend.name} backend can't"

    def primal(self, setting: Setting) -> Seen | None:
        """None where accesses can't be watched; `why_not` says why."""
        pair = self._pair
        module = self.module(pair.primal_text, (pair.primal,), pair.primal_file)
        return self.look(module, pair.primal, setting.launch, setting.args)

    def adjoint(self, launcher: Launcher, setting: Setting, buffers: Mapping[str, Array]) -> Iterator[Seen]:
        """K_fwd, if there is one, and the adjoint. Raises Rejected where K_fwd can't be run."""
        pair = self._pair
        kernels = (pair.adjoint, *((pair.forward,) if pair.forward else ()))
        module = self.module(pair.adjoint_text, kernels, pair.adjoint_file)
        if pair.forward is not None:
            given = launcher.ready_forward(setting.launch, setting.args)
            seen = self.look(module, pair.forward, setting.launch, given)
            if seen is not None:
                yield seen
                if seen.ended:
                    return
        ready = launcher.ready(setting.launch, setting.backward, setting.args, buffers)
        seen = self.look(module, pair.adjoint, ready.launch, ready.passed)
        if seen is not None:
            yield seen

    def module(self, text: str, kernels: tuple[Signature, ...], file: str) -> Watched | None:
        if self.why_not or not isinstance(self._backend, Watcher):
            return None
        if text not in self._compiled:
            try:
                self._compiled[text] = self._backend.watch(text, kernels, real="double", name=file)
            except (WatchUnavailable, CompileFailed) as error:
                self.why_not = str(error).splitlines()[0].rstrip(":")
                return None
        return self._compiled[text]

    def look(
        self,
        module: Watched | None,
        kernel: Signature,
        launch: Launch,
        args: Mapping[str, Value],
    ) -> Seen | None:
        if module is None:
            return None
        try:
            found = module.inspect(
                kernel, launch.grid, launch.block, args, launch.shared_bytes, order="reverse"
            )
        except LaunchFailed as error:
            found = Inspection((Fault("failed", kernel.name, detail=str(error)),))
        return Seen(kernel.name, found.accesses, found.faults)
