"""The values of the C++ test: those of the kernel's case, spelled in C++."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ..validate.expressions import ExpressionError
from .cpp_view import CppView, Tested
from .model import Binding, Parameter

_SEVERAL_LINES = 24  # values that are written out


class CppTestView(CppView):
    """A binding in C++, and the arguments of its test."""

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding)
        self._numbers = self._evaluated()

    def _given(self, name: str) -> object:
        return self.binding.example.get(name)

    def _evaluated(self) -> dict[str, int]:
        """Evaluate every integer that a launch names: parameters, sizes and extents of arrays."""
        found: dict[str, int] = {}
        for p in self.binding.passed:
            given = self._given(p.name)
            if isinstance(given, Mapping):
                shape: Sequence[int] = given["shape"]
                found[f"{p.name}.size"] = math.prod(shape)
                found |= {f"{p.name}.dim{k}": n for k, n in enumerate(shape)}
            elif p.role == "integer":
                found[p.name] = int(given)  # type: ignore[call-overload]
        for name, size in self.binding.launch.sizes.items():
            found[name] = size.value(found)
        return found

    def _size(self, p: Parameter) -> int:
        given = self._given(p.name)
        if isinstance(given, Mapping):
            return math.prod(given["shape"])
        shape = self.binding.shape(p)
        if shape is not None and shape.like:
            return self._numbers[f"{shape.like}.size"]
        try:
            return math.prod(e.value(self._numbers) for e in shape.extents) if shape is not None else 1
        except ExpressionError:
            return 1

    def _type(self, p: Parameter) -> str:
        return self.primal.argument(p.name).type

    @property
    def test_values(self) -> list[str]:
        """The declarations of arguments, directions and seeds."""
        lines = []
        for p in self.binding.parameters:
            kind, given = self._type(p), self._given(p.name)
            if p.array:
                lines.append(f"const std::vector<{kind}> {p.name} = {self._first(p, kind, given)};")
            elif p.role == "real":
                lines.append(f"const {kind} {p.name} = {kind}({given});")
            else:
                lines.append(f"const int64_t {p.name} = {self._numbers[p.name]};")
        for p in self.binding.parameters:
            if p.wrt and p.array:
                lines.append(f"const auto along_{p.name} = drawn<{self._type(p)}>({p.name}.size(), -1, 1);")
            if p.of:
                lines.append(f"const auto seed_{p.name} = drawn<{self._type(p)}>({p.name}.size(), 0.5, 1.5);")
        return lines + [
            f"const int64_t {name} = {self._numbers[name.replace('_', '.', 1)]};" for name in self._extra
        ]

    def _first(self, p: Parameter, kind: str, given: object) -> str:
        size = self._size(p)
        if not isinstance(given, Mapping):
            return f"std::vector<{kind}>({size})"
        match given["fill"]:
            case "zeros":
                return f"std::vector<{kind}>({size})"
            case "ones":
                return f"std::vector<{kind}>({size}, {kind}(1))"
            case "normal":
                return f"drawn<{kind}>({size}, -1.5, 1.5)"
            case "uniform" | "randint":
                return f"drawn<{kind}>({size}, {given['low']}, {given['high']})"
            case "values":
                return f"{{{', '.join(map(str, given['values']))}}}"
            case other:
                return f"{other}<{kind}>({size}{self._bounds(given)})"

    @staticmethod
    def _bounds(given: Mapping[str, object]) -> str:
        return f", {given['low']}, {given['high']}" if "low" in given else ""

    @property
    def helpers(self) -> set[object]:
        """The fills that need a function of their own."""
        fills = {given["fill"] for given in self.binding.example.values() if isinstance(given, Mapping)}
        return fills & {"sorted", "arange", "permutation"}

    @property
    def test_arrays(self) -> list[Tested]:
        return [Tested(p.name, self._type(p), p.wrt) for p in self.binding.parameters if p.array]

    @property
    def test_seeded(self) -> list[Tested]:
        return [Tested(p.name, self._type(p)) for p in self.binding.parameters if p.of]

    @property
    def test_adjoints(self) -> list[Tested]:
        """The adjoint arrays, each with what it holds first."""
        found = []
        for a in self.adjoint.arguments:
            if a.role == "adjoint":
                p = self.binding.parameter(a.of)
                seeded = p.of and a.use != "scratch"
                size = self._size(p) if p.array else 1
                start = f"seed_{p.name}" if seeded else f"std::vector<{a.type}>({size})"
                found.append(Tested(p.name, a.type, start=start))
        return found

    @property
    def test_directions(self) -> list[Tested]:
        arrays = [p for p in self.binding.gradients if p.array and p.adjoint is not None]
        return [Tested(p.name, self._type(p)) for p in arrays]

    @property
    def test_primal_words(self) -> list[str]:
        return [*(self._word(a.name, a.pointer) for a in self.primal.arguments), *self._extra]

    def _word(self, name: str, pointer: bool) -> str:
        return f"device_{name}.data()" if pointer else name

    @property
    def test_gradient_words(self) -> list[str]:
        words = []
        for a in self.adjoint.arguments:
            if a.role == "adjoint":
                words.append(f"adj_{a.of}.data()")
            elif a.role != "tape":
                words.append(self._word(a.name, a.pointer))
        return [*words, *self._extra, *["tape"] * (self.binding.split and self.tape)]
