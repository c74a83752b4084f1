"""Run both kernels with every access watched: races, out-of-bounds accesses, divergent barriers.

Values don't show these: the engine runs threads one after the other, so an increment
without an atomic gives the right sum in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from ..run.backend import Backend, CompileFailed, LaunchFailed, Watched, Watcher, WatchUnavailable
from ..run.coverage import Coverage
from ..run.sanitizer_report import Access, Fault, Inspection
from ..signature import Signature
from .elements import Array
from .launching import Launcher, Pair
from .recipe import Launch, Setting, Value

# After these faults the kernel isn't launched again: it would fail in the same way, or not end.
ENDED = ("divergent-barrier", "endless", "crash", "failed", "division-by-zero", "missing-return")


@dataclass(frozen=True)
class Seen:
    """The result of watching one kernel."""

    kernel: str
    accesses: int
    faults: tuple[Fault, ...]
    last: tuple[Access | None, ...] = ()  # the last write of each requested element
    threads: int = 0  # of the launch
    active: int = 0  # threads that store something
    coverage: Coverage | None = None

    @property
    def ok(self) -> bool:
        return all(fault.harmless for fault in self.faults)

    @property
    def ended(self) -> bool:
        """Whether the launch failed, so that its results are meaningless."""
        return any(fault.kind in ENDED or not fault.accesses for fault in self.faults)

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain values: an entry of `watched` in `Report.to_dict`."""
        return {
            "kernel": self.kernel,
            "accesses": self.accesses,
            "threads": self.threads,
            "active": self.active,
            "ok": self.ok,
        }


@dataclass(frozen=True)
class Writer:
    """The last store or atomic to an element of an array; `access` is None if there was none."""

    kernel: str
    array: str
    element: int
    file: str
    access: Access | None

    def text(self) -> str:
        place = f"{self.array}[{self.element}]"
        if self.access is None:
            return f"no thread of {self.kernel} writes {place}"
        line = "" if self.access.line is None else f" at {self.file}:{self.access.line}"
        how = "added to" if self.access.what == "atomic" else "written"
        return f"{place} was last {how} by {self.access.who} of {self.kernel}{line}"

    def to_dict(self) -> dict[str, object]:
        who = self.access
        return {
            "kernel": self.kernel,
            "array": self.array,
            "access": {
                "what": who.what,
                "block": list(who.block),
                "thread": list(who.thread),
                "line": who.line,
            }
            if who
            else None,
        }


class Watch:
    """A pair compiled to be watched, each text on demand."""

    def __init__(self, pair: Pair, backend: Backend, *, counted: bool = False) -> None:
        self._pair = pair
        self._counted = counted
        self._backend = backend
        self._compiled: dict[str, Watched] = {}
        self.why_not = "" if isinstance(backend, Watcher) else f"the {backend.name} backend can't"

    def primal(self, setting: Setting) -> Seen | None:
        """Watch the primal; None if accesses can't be watched, and then `why_not` says why."""
        pair = self._pair
        module = self.module(pair.wide_text, (pair.primal,), pair.primal_file)
        return self.look(module, pair.primal, setting.launch, setting.args, ours=False)

    def last(
        self,
        launcher: Launcher,
        setting: Setting,
        buffers: Mapping[str, Array],
        asked: Sequence[tuple[str, int]],
    ) -> list[Writer]:
        """Return the last writes of elements of adjoint arrays; nothing if they can't be watched."""
        kernel, file = self._pair.adjoint, self._pair.adjoint_file
        names = {a.of: a.name for a in self._pair.adjoints}
        many = self._pair.adjoint.seeds  # the numbers of the first seed are compared
        places = [(names[of], many * element) for of, element in asked]
        seen = [s for s in self.adjoint(launcher, setting, buffers, places) if s.kernel == kernel.name]
        last = seen[0].last if seen else ()
        return [Writer(kernel.name, *at, file, who) for at, who in zip(places, last, strict=False)]

    def adjoint(
        self,
        launcher: Launcher,
        setting: Setting,
        buffers: Mapping[str, Array],
        asked: Sequence[tuple[str, int]] = (),
    ) -> Iterator[Seen]:
        """Watch K_measure and K_fwd, if there are any, and the adjoint. Raises Rejected if they can't run."""
        pair = self._pair
        module = self.module(pair.adjoint_text, pair.kernels, pair.adjoint_file)
        if pair.measure is not None:
            seen = self.look(module, pair.measure, setting.launch, launcher.ready_measure(setting.args))
            if seen is not None:
                yield seen
                if seen.ended:
                    return
        if pair.forward is not None:
            given = launcher.ready_forward(setting.launch, setting.args)
            seen = self.look(module, pair.forward, setting.launch, given)
            if seen is not None:
                yield seen
                if seen.ended:
                    return
        ready = launcher.ready(setting.launch, setting.backward, setting.args, buffers)
        seen = self.look(module, pair.adjoint, ready.launch, ready.passed, asked)
        if seen is not None:
            yield seen

    def module(self, text: str, kernels: tuple[Signature, ...], file: str) -> Watched | None:
        if self.why_not or not isinstance(self._backend, Watcher):
            return None
        if text not in self._compiled:
            try:
                self._compiled[text] = self._backend.watch(
                    text, kernels, real="double", name=file, counted=self._counted
                )
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
        asked: Sequence[tuple[str, int]] = (),
        ours: bool = True,
    ) -> Seen | None:
        """Watch a launch of a kernel; in a text that isn't `ours`, some faults are warnings."""
        if module is None:
            return None
        geometry = launch.grid, launch.block
        try:
            found = module.inspect(kernel, *geometry, args, launch.shared_bytes, order="reverse", asked=asked)
        except LaunchFailed as error:
            found = Inspection((Fault("failed", kernel.name, detail=str(error)),))
        faults = tuple(found.faults if ours else map(_allowed, found.faults))
        threads = prod(launch.grid) * prod(launch.block)
        active = found.tally.active
        return Seen(kernel.name, found.accesses, faults, found.last, threads, active, found.coverage)


def _allowed(fault: Fault) -> Fault:
    """Make a fault a warning if the hardware allows it: a barrier doesn't wait for threads that returned."""
    return replace(fault, allowed=True) if fault.kind == "missed-barrier" else fault
