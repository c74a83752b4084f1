"""The input of the templates for C++: parameters, the launch in C++, and the values of the test."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..run.cpu import compiler
from ..run.values import dtype
from ..signature import REALS, Argument, Signature
from ..validate.expressions import Expression
from ..version import VERSION
from .model import Binding, Instance
from .spelling import Names, cpp

_AXES = ("x", "y", "z")
_WIDE = (-(2**62), 2**62)


@dataclass(frozen=True)
class Tested:
    """An array of the test: `start` is the expression of its first values."""

    name: str
    type: str
    wrt: bool = False
    scalar: bool = False
    start: str = ""


class KernelTexts:
    """How kernels are declared and called from a host, in C++."""

    @staticmethod
    def linkage(one: Instance, kernel: Signature) -> str:
        """Return `extern "C" ` for a kernel that the texts define so."""
        defined = re.compile(rf'extern "C" __global__[^;{{}}]*\b{kernel.name}\s*\(')
        texts = (one.primal, one.adjoint, *(further.text for further in one.further))
        return 'extern "C" ' if any(map(defined.search, texts)) else ""

    @staticmethod
    def c_parameters(arguments: Iterable[Argument]) -> list[str]:
        """Return a kernel's parameters as declared."""
        return [declared(a) for a in arguments]

    @staticmethod
    def scalars(one: Instance, trips: bool = True) -> tuple[Argument, ...]:
        """Return the by-value arguments of an instance's size functions."""
        return one.kernels[1].scalars(trips)


class CppView(KernelTexts):
    """A binding of one type in C++."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self.version = VERSION
        self.one = binding.instances[0]
        self.primal, self.adjoint = self.one.kernels[0], self.one.kernels[1]
        self.engine_flags = [f for f in compiler.FLAGS if f not in ("-shared", "-fPIC", "-std=gnu++17")]

    @property
    def space(self) -> str:
        """The namespace: a kernel's name is taken by the kernel."""
        return f"{self.binding.name}_op"

    @property
    def option(self) -> str:
        return f"{self.binding.name.upper()}_CUDA"

    @property
    def tape(self) -> bool:
        return self.adjoint.tape

    @property
    def own_shared(self) -> bool:
        return self.adjoint.shared

    # ---- parameters -----------------------------------------------------------------

    @property
    def primal_parameters(self) -> list[str]:
        return [*map(_passed, self.primal.arguments), *(f"int64_t {name}" for name in self._extra)]

    @property
    def gradient_parameters(self) -> list[str]:
        found = []
        for a in self.adjoint.arguments:
            if a.role == "tape":
                found += ["const Tape &tape"] * self.binding.split
            else:
                found.append(_passed(a))
        tape = [text for text in found if "Tape &" in text]
        return [text for text in found if "Tape &" not in text] + [f"int64_t {n}" for n in self._extra] + tape

    @property
    def primal_words(self) -> list[str]:
        return [_word(a) for a in self.primal.arguments]

    @property
    def adjoint_words(self) -> list[str]:
        tape = "tape.data" if self.binding.split else "tape"
        return [tape if a.role == "tape" else _word(a) for a in self.adjoint.arguments]

    @property
    def size_words(self) -> list[str]:
        return [_word(a) for a in self.adjoint.scalars()]

    @property
    def primal_pointers(self) -> list[str]:
        return [a.name for a in self.primal.arguments if a.pointer]

    @property
    def gradient_pointers(self) -> list[str]:
        """The pointers that the adjoint uses."""
        used = [a for a in self.adjoint.arguments if a.pointer and a.role != "tape" and a.use != "unused"]
        return [a.name for a in used]

    @property
    def contract(self) -> str:
        """Say what the caller passes for adjoints."""
        said = []
        for use, words in (
            ("accumulates", "{} is added to"),
            ("seed", "{} is the seed, dJ/d(value after)"),
            ("replaced", "{} is dJ/d(value after) on entry, dJ/d(value before) on return"),
            ("scratch", "{} is zero on entry"),
        ):
            names = [a.name for a in self.adjoint.arguments if a.use == use and a.role == "adjoint"]
            said += [words.format(", ".join(names))] if names else []
        return "; ".join(said) + "."

    # ---- launch ---------------------------------------------------------------------

    @property
    def _geometry(self) -> tuple[Expression, ...]:
        launch = self.binding.launch
        return (*launch.block, *launch.grid, launch.shared)

    @property
    def _known(self) -> dict[str, str]:
        """Sizes of arrays that an integer parameter is stated to be."""
        return {size.text.strip(): name for name, size in self.binding.launch.sizes.items()}

    @property
    def _extra(self) -> list[str]:
        """Sizes of arrays that the launch depends on, and no parameter tells."""
        arrays = {a.name for a in self.primal.arguments if a.pointer}
        named = dict.fromkeys(n for e in self._geometry for n in e.names if n.partition(".")[0] in arrays)
        return [name.replace(".", "_") for name in named if name not in self._known]

    @property
    def _names(self) -> Names:
        spelled = {}
        for a in self.primal.arguments:
            if a.pointer:
                for part in ("size", *(f"dim{k}" for k in range(8))):
                    spelled[f"{a.name}.{part}"] = f"{a.name}_{part}"
        spelled |= self._known
        spelled["block"] = " * ".join(f"block[{k}]" for k in range(3))
        spelled |= {f"{g}.{axis}": f"{g}[{k}]" for g in ("block", "grid") for k, axis in enumerate(_AXES)}
        return Names(spelled, {})

    def _triple(self, extents: Iterable[Expression]) -> str:
        return ", ".join([*(cpp(e.tree, self._names) for e in extents), "1", "1"][:3])

    @property
    def grid(self) -> str:
        return self._triple(self.binding.launch.grid)

    @property
    def block(self) -> str:
        return self._triple(self.binding.launch.block)

    @property
    def shared(self) -> str:
        return cpp(self.binding.launch.shared.tree, self._names)

    @property
    def _integers(self) -> list[Argument]:
        return [a for a in self.primal.arguments if not a.pointer and a.type not in REALS]

    @property
    def bounds(self) -> list[tuple[str, int, int]]:
        """The integers, each with its bounds: not negative if the launch depends on it."""
        names = {self._known.get(n, n) for e in self._geometry for n in e.names}
        found = []
        for a in self._integers:
            low, high = _limits(a.type)
            found.append((a.name, 0 if a.name in names else low, high))
        return found + [(name, 0, _WIDE[1]) for name in self._extra]

    @property
    def geometry_parameters(self) -> list[str]:
        return [f"int64_t {name}" for name, _, _ in self.bounds]

    @property
    def geometry_words(self) -> str:
        return "".join(f", {name}" for name, _, _ in self.bounds)

    @property
    def most_slots(self) -> int:
        return max(len(k.arguments) for k in self.one.kernels) + 1


def _limits(type: str) -> tuple[int, int]:
    """Return the least and the greatest value of an integer type that a literal can have."""
    kind = dtype(type)
    if kind.kind == "b":
        return 0, 1
    low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    return max(low + (low < 0), _WIDE[0]), min(high, _WIDE[1])


def declared(argument: Argument) -> str:
    """Return a parameter as declared: `const float *x`, `Accessor x`."""
    if argument.view is not None:
        return f"{argument.view.name} {argument.name}"
    return f"{argument.c_type}{'' if argument.pointer else ' '}{argument.name}"


def _passed(argument: Argument) -> str:
    """Return a parameter of the library's functions: integers are wide, to be checked."""
    if argument.pointer or argument.type in REALS:
        return declared(argument)
    return f"int64_t {argument.name}"


def _word(argument: Argument) -> str:
    if argument.pointer or argument.type in REALS:
        return argument.name
    return (
        f"{argument.type}({argument.name})"
        if " " not in argument.type
        else f"({argument.type}){argument.name}"
    )
