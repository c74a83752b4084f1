"""Which loops have nested snapshots, and of which state."""

from __future__ import annotations

from collections.abc import Mapping

from ...analysis.ssa import Loop
from ...ir import Sym
from .checkpoints import Checkpoints, State
from .sweep import Sweep


def of_loop(b: Sweep, loop: Loop, restored: Mapping[Sym, Sym] | None = None) -> Checkpoints | None:
    """The inner levels of a loop's snapshots, if it has any.

    `restored` are the names of its state in an iteration.
    """
    if loop not in b.recorded.advances:
        return None
    states: list[State] = []
    for head in b.versions.heads[loop].values():
        if head in b.recorded.taped and (restored is None or head.sym in restored):
            sym, tape = head.sym if restored is None else restored[head.sym], b.storage.tapes[head]
            states.append(State(sym, lambda slot, t=tape: t.value((slot,))))  # type: ignore[misc]
    states += [State(sym, b.storage.snapshots[loop, sym]) for sym in b.recorded.arrays.get(loop, ())]
    return Checkpoints.of(b.storage.strides[loop], states)
