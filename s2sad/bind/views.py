"""The input of the templates: a binding's parts as they are named and spelled in the target.

Python decides, templates spell: what is passed in which order is here, the text around it isn't.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..diagnostics import Code, Rejected, diagnose
from ..run.values import dtype
from ..signature import REALS, Argument
from ..validate.expressions import Expression
from ..version import VERSION
from .launch import Shape
from .model import TYPE, Binding, Instance, Parameter
from .spelling import Names, divides, python

_AXES = ("x", "y", "z")
# What the templates name.
_RESERVED = frozenset({"torch", "Tensor", "engines", "checks", "Extent", "jax", "jnp", "np", "cupy"}) | {
    *("quotient", "remainder", "grid", "block", "shared", "dtype", "device", "tape", "ctx"),
    *("inputs", "output", "tuple", "forward_ad", "zip", "type"),
}


@dataclass(frozen=True)
class Word:
    """A parameter as the target's text names it."""

    of: Parameter
    name: str
    dtype: str  # the element type, in the target's words

    @property
    def scalar(self) -> bool:
        """Whether it is a number that gets a gradient: passed as an array without dimensions."""
        return self.of.role == "real" and self.of.wrt

    @property
    def tensor(self) -> bool:
        return self.of.array or self.scalar


@dataclass(frozen=True)
class Passed:
    """An argument of the adjoint kernel: `kind` says what the caller makes for it."""

    kind: str
    name: str
    word: Word | None = None


class PythonView:
    """A binding in Python's names; `sizes` spells an array's number of elements and extents."""

    _ENDINGS: tuple[str, ...] = ("_after",)  # of names that the templates make

    def __init__(
        self,
        binding: Binding,
        package: str,
        spell: Callable[[str], str],
        sizes: tuple[str, str],
        element: str,
    ) -> None:
        self.binding = binding
        self.package = package
        self.version = VERSION
        self._sizes = sizes
        self._spell = spell
        self._element = element
        self.words = tuple(Word(p, self._name(p.name), self._dtype(p)) for p in binding.parameters)

    # ---- names ------------------------------------------------------------------

    def _name(self, name: str) -> str:
        ours = name in _RESERVED or name.startswith(("grad_", "adj_")) or name.endswith(self._ENDINGS)
        return f"{name}_" if ours or keyword.iskeyword(name) else name

    def word(self, name: str) -> Word:
        return next(w for w in self.words if w.of.name == name)

    @property
    def name(self) -> str:
        return self._name(self.binding.name)

    @property
    def command(self) -> str:
        return self.binding.options

    # ---- element types ----------------------------------------------------------

    @cached_property
    def leading(self) -> Word | None:
        """The parameter whose type chooses the instance: the first passed one of the type that varies."""
        passed = [w for w in self.words if w.of.passed and w.tensor]
        kinds = [TYPE] if self.binding.generic else ["float"]
        return next((w for w in passed if w.of.type in kinds), None)

    @property
    def first(self) -> Word:
        """The first array that the caller passes: it says where the kernel runs."""
        return next(w for w in self.words if w.of.passed and w.tensor)

    @property
    def widens(self) -> bool:
        """Whether the CPU engine also takes double arrays for the kernel's floats."""
        types = {one.element for one in self.binding.instances} if self.binding.generic else {"float"}
        return self.leading is not None and "double" not in types and "float" in types

    def _dtype(self, parameter: Parameter) -> str:
        """Spell an element type; `dtype` is the one that chooses the instance."""
        if parameter.type == TYPE:
            return "dtype"
        passed = [p for p in self.binding.parameters if p.passed and (p.array or p.wrt)]
        if parameter.type == "float" and not self.binding.generic and any(p.type == "float" for p in passed):
            return "dtype"
        return self._spelled_type(parameter.name, parameter.type)

    def _spelled_type(self, name: str, type: str) -> str:
        """Spell an element type in the target's words. Raises Rejected."""
        try:
            return self._spell(type)
        except KeyError:
            what = f"of {type}, a type that the target doesn't have"
            raise Rejected(diagnose(Code.CANNOT_BIND, None, name=name, what=what)) from None

    @property
    def files(self) -> list[tuple[str, str, str]]:
        """The dtype, file and element type of each instance, in the order of the request."""
        found = []
        for one in self.binding.instances:
            element = one.element if self.binding.generic else self.element
            found.append((self._spelled_type("T", element), stem(self.binding, one), element))
        return found

    @property
    def element(self) -> str:
        """The C type of the leading parameter, of a kernel with one instance."""
        reals = [p.type for p in self.binding.parameters if p.type in REALS and (p.array or p.wrt)]
        return "float" if "float" in reals else reals[0]

    # ---- launch -----------------------------------------------------------------

    @cached_property
    def _spelled(self) -> Names:
        numel, extent = self._sizes
        names = {w.of.name: w.name for w in self.words}
        for w in self.words:
            names[f"{w.of.name}.size"] = numel.format(w.name)
            names |= {f"{w.of.name}.dim{k}": extent.format(w.name, k) for k in range(8)}
        block = self.binding.launch.block
        names["block"] = " * ".join(f"block[{k}]" for k in range(len(block)))
        names |= {f"{g}.{a}": f"{g}[{k}]" for g in ("block", "grid") for k, a in enumerate(_AXES)}
        return Names(names, self._by_type)

    def spelled(self, expression: Expression) -> str:
        return python(expression.tree, self._spelled)

    @property
    def divides(self) -> bool:
        """Whether the launch divides numbers that may be negative."""
        return any(divides(e.tree) for e in self.binding.launch.expressions)

    @property
    def grid(self) -> str:
        return self._triple(self.binding.launch.grid)

    @property
    def block(self) -> str:
        return self._triple(self.binding.launch.block)

    @property
    def shared(self) -> str:
        return self.spelled(self.binding.launch.shared)

    def _triple(self, extents: Sequence[Expression]) -> str:
        return f"({', '.join([*map(self.spelled, extents), '1', '1'][:3])})"

    @property
    def stated(self) -> list[tuple[Word, str]]:
        """The integers that follow from the arguments, and how."""
        return [(self.word(name), self.spelled(size)) for name, size in self.binding.launch.sizes.items()]

    @property
    def geometry(self) -> list[Word]:
        """What the launch depends on, of what the caller passes."""
        return [w for w in self.words if w.of.passed and w.of.name in self._launch_names]

    @property
    def _launch_names(self) -> set[str]:
        launch = self.binding.launch
        expressions = (*launch.sizes.values(), *launch.block, *launch.grid, launch.shared)
        named = {name.partition(".")[0] for e in expressions for name in e.names}
        if self.leading is not None and self._by_type and any(e.sized for e in expressions):
            named.add(self.leading.of.name)
        return named

    @property
    def _by_type(self) -> dict[str, str]:
        """Types whose size is that of the leading array's elements."""
        if self.leading is None:
            return {}
        size = self._element.format(self.leading.name)
        return {TYPE: size, **({"float": size} if self.widens else {})}

    @property
    def limits(self) -> list[tuple[Word, str, str]]:
        """The passed integers, each with its bounds: not negative if the launch depends on it."""
        named = {n.partition(".")[0] for n in self.binding.launch.names} | self._launch_names
        found = []
        for w in self.words:
            if w.of.role == "integer" and w.of.passed:
                bits, signed = bits_of(w.of.type)
                low = "0" if w.of.name in named or not signed else f"-(2**{bits - 1})"
                found.append((w, low, f"2**{bits - signed}"))
        return found

    def limit(self, w: Word) -> str:
        bits, signed = bits_of(w.of.type)
        return f"2**{bits - signed}"

    def like(self, w: Word) -> str:
        """Return the array whose shape a result has, if the launch says so."""
        shape = self.binding.shape(w.of)
        if w.of.role == "in-out":
            return w.name
        return self.word(shape.like).name if shape is not None and shape.like else ""

    def stated_for(self, words: Sequence[Word]) -> list[tuple[Word, str]]:
        """Return the stated integers that the extents of these arrays depend on."""
        shapes = filter(None, (self.binding.shape(w.of) for w in words))
        named = {name for shape in shapes for name in shape.names}
        sizes = self.binding.launch.sizes
        named |= {inner for name in named & sizes.keys() for inner in sizes[name].names}
        return [(w, text) for w, text in self.stated if w.of.name in named]

    def extents(self, w: Word) -> list[str]:
        shape = self.binding.shape(w.of)
        return [self.spelled(e) for e in shape.extents] if shape is not None else []

    @property
    def conditions(self) -> list[tuple[Word, list[str], str]]:
        """The passed arrays whose extents the launch states: extents, or the array that is alike."""
        passed = [w for w in self.words if w.of.array and w.of.passed and self.binding.shape(w.of)]
        return [(w, self.extents(w), self._alike(w)) for w in passed]

    @property
    def minima(self) -> list[tuple[Word, str]]:
        """The passed arrays that need at least as many elements as an integer says."""
        sizes = {name: size.text for name, size in self.binding.launch.sizes.items()}
        return [
            (self.word(array), self.word(n).name)
            for array, n in self.binding.minima.items()
            if self.word(array).of.passed and sizes.get(n) != f"{array}.size"
            if self.binding.launch.shapes.get(array, Shape()).like not in _sized(sizes.get(n, ""))
        ]

    def _alike(self, w: Word) -> str:
        shape = self.binding.shape(w.of)
        return self.word(shape.like).name if shape is not None and shape.like else ""

    # ---- what is passed ---------------------------------------------------------

    @property
    def passed(self) -> list[Word]:
        return [w for w in self.words if w.of.passed]

    @property
    def arrays(self) -> list[Word]:
        """The arrays that the caller passes, and the numbers that get gradients."""
        return [w for w in self.passed if w.tensor]

    @property
    def numbers(self) -> list[Word]:
        return [w for w in self.passed if not w.tensor]

    @property
    def results(self) -> list[Word]:
        return [w for w in self.words if w.of.returned]

    @property
    def outs(self) -> list[Word]:
        return [w for w in self.words if w.of.role == "out"]

    @property
    def updated(self) -> list[Word]:
        return [w for w in self.words if w.of.role == "in-out"]

    @property
    def seeded(self) -> list[Word]:
        """The results whose adjoints the caller has."""
        return [w for w in self.results if w.of.of]

    @property
    def gradients(self) -> list[Word]:
        return [w for w in self.passed if w.of.wrt]

    @property
    def undifferentiated(self) -> list[Word]:
        """The floating arrays that get no gradient."""
        reals = (*REALS, TYPE)
        return [w for w in self.arrays if not w.of.wrt and w.of.type in reals]

    # ---- the adjoint's launch ----------------------------------------------------

    @property
    def adjoint_arguments(self) -> list[Passed]:
        """The arguments of K_adj in order."""
        return [self._passed(a) for a in self.binding.adjoint.arguments]

    def _passed(self, argument: Argument) -> Passed:
        return self._of_adjoint(argument, self.binding.split)

    def _of_adjoint(self, argument: Argument, split: bool) -> Passed:
        if argument.role == "tape":
            return Passed("tape", "tape")
        word = self.word(argument.of or argument.name)
        if argument.role == "adjoint":
            kind = {"seed": "seed", "replaced": "replaced", "scratch": "scratch"}.get(argument.use, "added")
            return Passed(kind, f"adj_{word.of.name}", word)
        if not word.of.array:
            return Passed("number", word.name, word)
        if argument.use == "unused" and argument.view is not None and word.of.adjoint is not None:
            return Passed("sizes", f"adj_{word.of.name}", word)  # only its sizes and strides are used
        if argument.use == "unused" and argument.view is not None:
            return Passed("array" if word.of.role == "in" else "zeros", word.name, word)
        if argument.use == "unused":
            return Passed("none", word.name, word)
        if word.of.role == "in":
            return Passed("array", word.name, word)
        if argument.use == "exit" or split:
            return Passed("after", f"{word.name}_after", word)
        return Passed("before" if word.of.role == "in-out" else "zeros", word.name, word)

    @property
    def needed(self) -> list[Word]:
        """What the backward needs of what the caller passed."""
        kept = {p.word.of.name for p in self.adjoint_arguments if p.word and p.kind in _KEEPING}
        kept |= {w.of.name for w in self.geometry if not self.replaced(w)}
        kept |= {name for w in self.outs for name in self._shape_names(w)}
        kept |= {w.of.name for w in self.gradients if not self.replaced(w)}
        if self.leading is not None and self.leading_seed is None:
            kept.add(self.leading.of.name)
        return [w for w in self.passed if w.of.name in kept]

    @staticmethod
    def replaced(w: Word) -> bool:
        """Whether the adjoint of an array that is updated has its place and its shape."""
        return w.of.role == "in-out" and w.of.of

    def _shape_names(self, w: Word) -> Iterator[str]:
        """Yield what the shape of an array that the backward allocates depends on."""
        if not any(p.word is w and p.kind in ("zeros", "scratch") for p in self.adjoint_arguments):
            return
        shape = self.binding.shape(w.of)
        if shape is not None:
            yield from (name.partition(".")[0] for name in shape.names)
            yield from filter(None, [shape.like])

    @property
    def leading_seed(self) -> Word | None:
        """The result whose adjoint has the type that chooses the instance."""
        return next((w for w in self.seeded if w.dtype == "dtype"), None)

    @property
    def kept_results(self) -> list[Word]:
        """The results that the backward needs."""
        return [p.word for p in self.adjoint_arguments if p.kind == "after" and p.word is not None]

    @property
    def tape(self) -> bool:
        return self.binding.adjoint.tape

    @property
    def own_shared(self) -> bool:
        return self.binding.adjoint.shared

    # ---- an example ---------------------------------------------------------------

    @property
    def example(self) -> list[tuple[Word, Mapping[str, object]]]:
        """Arguments to try it on: shape and fill of an array, `value` of a number."""
        found: list[tuple[Word, Mapping[str, object]]] = []
        for w in self.passed:
            given = self.binding.example[w.of.name]
            entry: Mapping[str, object] = dict(given) if isinstance(given, Mapping) else {"value": given}
            found.append((w, entry))
        return found


def _sized(text: str) -> tuple[str, ...]:
    """Return the array whose size an expression is."""
    return (text.removesuffix(".size"),) if text.endswith(".size") else ()


_KEEPING = frozenset({"number", "array", "before"})


def bits_of(type: str) -> tuple[int, bool]:
    """Return the bits of an integer type, and whether it is signed."""
    kind = dtype(type)
    return (1 if kind.kind == "b" else 8 * kind.itemsize), kind.kind == "i"


def stem(binding: Binding, instance: Instance) -> str:
    """Return the name of an instance's files."""
    return f"{binding.name}_{instance.suffix}" if instance.suffix else binding.name
