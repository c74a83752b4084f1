"""Names, types and roles of an adjoint kernel's parameters: all that running it needs.

Pure data, without IR, so that backends and checks depend on nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Role = Literal["value", "adjoint", "tape"]
"""value: a parameter of the primal, as it was at entry. adjoint: an `adj_` array. tape: storage."""

Use = Literal["entry", "exit", "unused", "seed", "accumulates", "replaced", "scratch", "tape"]
"""What the caller puts in and finds afterwards.

entry / exit   the value at entry of the primal / as K_fwd left it
unused         neither read nor written by the adjoint
seed           dJ/d(value at exit); left alone (`const`)
accumulates    dJ/d(value at entry) is added to it
replaced       comes in as the adjoint of the exit value, goes out as that of the entry value
scratch        as replaced, of a written array that is neither dependent nor independent: must come in zero
tape           uninitialised, of K_adj_tape_bytes bytes
"""

ROLES: Mapping[Use, str] = {
    "entry": "entry value",
    "exit": "exit value",
    "unused": "unused",
    "seed": "seed",
    "accumulates": "accumulates",
    "replaced": "replaced",
    "scratch": "scratch",
    "tape": "tape",
}
"""The words for them in what users read."""


@dataclass(frozen=True)
class Argument:
    """One parameter, of the primal or of its adjoint.

    `type` is the C name of the element's type ("float", "int"); `of` names the
    primal parameter that an adjoint belongs to. `written`: the kernel may write it.
    """

    name: str
    type: str
    pointer: bool
    const: bool = False
    role: Role = "value"
    use: Use = "entry"
    of: str = ""
    written: bool = False

    @property
    def c_type(self) -> str:
        """The parameter's type as C has it: `const float *`."""
        return f"{'const ' if self.const else ''}{self.type}{' *' if self.pointer else ''}"


@dataclass(frozen=True)
class Signature:
    """A kernel's name and its parameters in order."""

    name: str
    arguments: tuple[Argument, ...]
    dependents: tuple[str, ...] = ()
    independents: tuple[str, ...] = ()
    tape: bool = False  # K_adj_tape_bytes exists
    shared: bool = False  # K_adj_shared_bytes exists

    def argument(self, name: str) -> Argument:
        """The parameter of that name. Raises KeyError."""
        for argument in self.arguments:
            if argument.name == name:
                return argument
        raise KeyError(name)

    def adjoint_of(self, name: str) -> Argument | None:
        """The parameter that holds the adjoint of a primal parameter, if there is one."""
        for argument in self.arguments:
            if argument.role == "adjoint" and argument.of == name:
                return argument
        return None

    def size(self, argument: Argument) -> str:
        """How large what is passed for a parameter must be, in words."""
        if argument.role == "tape":
            scalars = [a.name for a in self.arguments if a.role == "value" and not a.pointer]
            return f"{self.name}_tape_bytes({', '.join(['grid', 'block', *scalars])}) bytes"
        if not argument.pointer:
            return f"one {argument.type}"
        if argument.role == "adjoint":
            pointer = any(a.pointer for a in self.arguments if a.role == "value" and a.name == argument.of)
            return f"as {argument.of}" if pointer else f"one {argument.type}"
        return "as for the primal"

    def to_dict(self) -> dict[str, object]:
        """The signature as plain data, for `--json`."""
        return {
            "name": self.name,
            "dependents": list(self.dependents),
            "independents": list(self.independents),
            "parameters": [
                {
                    "name": a.name,
                    "type": a.c_type,
                    "role": ROLES[a.use],
                    "size": self.size(a),
                    "of": a.of if a.role == "adjoint" else None,
                }
                for a in self.arguments
            ],
        }
