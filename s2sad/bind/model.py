"""What a binding knows of a kernel: its parameters in roles, its launch, and its texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from ..signature import Argument, Signature
from .launch import Launch, Shape

Role = Literal["in", "out", "in-out", "real", "integer"]
"""How the caller passes a parameter of the primal.

in       an array that is only read
out      an array that the binding allocates, with zeros, and returns
in-out   an array whose values at entry matter: the operator replaces them
real     a floating-point number by value
integer  an integer by value
"""

TYPE = "T"  # stands for the element type that instances differ in


@dataclass(frozen=True)
class Parameter:
    """A parameter of the primal. `type` is the C type of its elements, or `T`.

    `wrt`: it gets a gradient; `of`: it is a dependent; `stated`: the launch says its value; `rank`: it is
    an accessor of a tensor of so many dimensions.
    """

    name: str
    type: str
    role: Role
    wrt: bool = False
    of: bool = False
    stated: bool = False
    rank: int = 0
    adjoint: Argument | None = None  # the adjoint's parameter for its adjoint
    entry: Argument | None = None  # the adjoint's parameter for its value

    @property
    def array(self) -> bool:
        return self.role in ("in", "out", "in-out")

    @property
    def passed(self) -> bool:
        """Whether the caller passes it."""
        return self.role != "out" and not self.stated

    @property
    def returned(self) -> bool:
        return self.role in ("out", "in-out")


@dataclass(frozen=True)
class Further:
    """A kernel of further derivatives and its text; the names of both end in `ending`."""

    ending: str
    text: str
    kernel: Signature


@dataclass(frozen=True)
class Instance:
    """The texts for one element type; `suffix` is empty if the kernel has only one."""

    suffix: str
    element: str  # the C type of T
    primal: str
    adjoint: str
    kernels: tuple[Signature, ...]  # the primal, K_adj and K_fwd, with this instance's types
    further: tuple[Further, ...] = ()  # K_tan and K_adj_tan, if they are bound

    @property
    def every_kernel(self) -> tuple[Signature, ...]:
        return (*self.kernels, *(f.kernel for f in self.further))


@dataclass(frozen=True)
class Binding:
    """A kernel and its adjoint, ready to be called.

    `split`: K_fwd records, K_adj reverses. `command` makes the binding again, without target and
    folder. `limited`: a loop may overrun its tape, which sets a flag.
    """

    name: str
    place: str  # where the primal is: relax.cu:5
    parameters: tuple[Parameter, ...]
    launch: Launch
    instances: tuple[Instance, ...]
    adjoint: Signature
    forward: Signature | None
    limited: bool
    file: str
    options: str  # for the command that repeats it
    minima: Mapping[str, str]  # arrays that need at least as many elements as that integer says
    example: Mapping[str, object]  # arguments to try it on
    tangent: Signature | None = None  # K_tan, if it is bound
    second: Signature | None = None  # K_adj_tan, the tangent of the joint adjoint
    why_not: Mapping[str, str] = field(default_factory=dict)  # the command that says why one isn't, by mode

    @cached_property
    def split(self) -> bool:
        return self.forward is not None

    @property
    def generic(self) -> bool:
        """Whether there is a type for instances to differ in."""
        return any(p.type == TYPE for p in self.parameters)

    def parameter(self, name: str) -> Parameter:
        """Return the parameter of that name. Raises KeyError."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise KeyError(name)

    @property
    def passed(self) -> tuple[Parameter, ...]:
        """What the caller passes, in the primal's order."""
        return tuple(p for p in self.parameters if p.passed)

    @property
    def results(self) -> tuple[Parameter, ...]:
        """The arrays after the kernel: first those that it updates, as the primal's parameters stand."""
        return tuple(p for p in self.parameters if p.returned)

    @property
    def gradients(self) -> tuple[Parameter, ...]:
        """The parameters that get a gradient."""
        return tuple(p for p in self.parameters if p.wrt)

    @property
    def in_place(self) -> bool:
        return any(p.role == "in-out" for p in self.parameters)

    def shape(self, parameter: Parameter) -> Shape | None:
        return self.launch.shapes.get(parameter.name)
