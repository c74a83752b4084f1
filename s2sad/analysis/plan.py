"""The plan: every decision about a value or an accumulation, with its reason and both costs.

A value, made once. The file's header, `s2sad explain` and the golden tests are
views of it; code generation queries it and never decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ..ir import How


class Recovery(Enum):
    """How the reverse sweep gets back a value that it needs."""

    RELOAD = "reload"  # still in the variable or the array: not overwritten
    RECOMPUTE = "recompute"  # by the primal's own statements, from available values
    INVERT = "invert"  # from the value after it, exactly
    TAPE = "tape"  # recorded in the forward sweep
    CHECKPOINT = "checkpoint"  # rerun from a snapshot
    CARRY = "carry"  # not needed: its tangents are carried forward
    SELECT = "select"  # not needed: only one iteration of the loop has an adjoint


@dataclass(frozen=True)
class Decision:
    """How one value gets to the reverse sweep.

    `value` is the author's text (`s`, `x[i - 1]`), `line` where the value is defined,
    `needed` the lines of the primal whose adjoints read it. `where` is "a register", "registers",
    "local memory" or "global memory" for a recorded value, "tangents carried forward", or "". `tape`
    shows the storage: `tape_s[STEPS]`. `cost` and `other` are the costs of this way and the alternative.
    """

    value: str
    line: int
    how: Recovery
    reason: str
    needed: tuple[int, ...] = ()
    where: str = ""
    tape: str = ""
    cost: str = ""
    other: str = ""
    integer: bool = False  # an index or a condition: in the plan, but not in the file's header


@dataclass(frozen=True)
class Accumulation:
    """How contributions to one adjoint are added up, and why that is safe; `lines` are the primal's."""

    target: str
    how: How
    reason: str
    lines: tuple[int, ...] = ()


_PRINTED: dict[How, str] = {"phase": "by phase", "total": "sum per block"}


@dataclass(frozen=True)
class Plan:
    decisions: tuple[Decision, ...]
    accumulations: tuple[Accumulation, ...]
    assumptions: tuple[str, ...] = ()
    kinks: tuple[str, ...] = ()  # the rules used at kinks and singular points

    def to_dict(self) -> dict[str, object]:
        """Return the plan as plain data, for `--json`."""
        return {
            "decisions": [
                {
                    "value": d.value,
                    "line": d.line,
                    "how": d.how.value,
                    "where": d.where,
                    "tape": d.tape,
                    "reason": d.reason,
                    "needed": list(d.needed),
                    "cost": d.cost,
                    "other": d.other,
                }
                for d in self.decisions
            ],
            "accumulations": [
                {
                    "target": a.target,
                    "how": _PRINTED.get(a.how, a.how),
                    "reason": a.reason,
                    "lines": list(a.lines),
                }
                for a in self.accumulations
            ],
            "assumptions": list(self.assumptions),
            "kinks": list(self.kinks),
        }
