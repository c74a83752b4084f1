"""The input of the templates for JAX: functions, their callbacks, and XLA's handlers for GPUs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..run.values import dtype
from ..signature import REALS, Argument, Signature
from .host_view import HostView
from .model import Binding, Instance
from .views import Passed, Word


@dataclass(frozen=True)
class Handler:
    """A handler: its parameters, what it does before the launch, the kernel's arguments, XLA's bindings."""

    kernel: Signature
    parameters: list[str]
    before: list[str]
    words: list[str]
    bound: list[str]


class NumpyView(HostView):
    """A binding on arrays like numpy's."""

    array = "Array"

    def __init__(self, binding: Binding, package: str) -> None:
        super().__init__(binding, package, numpy_dtype, ("{}.size", "{}.shape[{}]"), "{}.dtype.itemsize")

    def declared(self, words: Iterable[Word]) -> list[str]:
        """Return parameters with their annotations."""
        return [f"{w.name}: {self._annotation(w)}" for w in words]

    def _annotation(self, w: Word) -> str:
        if w.tensor:
            return self.array
        return {"real": "float", "integer": "bool" if w.of.type == "bool" else "int"}[w.of.role]

    @property
    def grad_words(self) -> list[str]:
        return [f"grad_{w.name}" for w in self.seeded]

    @property
    def declared_grads(self) -> list[str]:
        return [f"{name}: {self.array}" for name in self.grad_words]

    @property
    def after_words(self) -> list[str]:
        """The results that the gradient needs."""
        return [f"{w.name}_after" for w in self.kept_results]

    @property
    def declared_after(self) -> list[str]:
        return [f"{name}: {self.array}" for name in self.after_words]

    @property
    def kept_places(self) -> list[int]:
        return [k for k, w in enumerate(self.results) if w in self.kept_results]

    @property
    def number_places(self) -> tuple[int, ...]:
        """Which of the arguments are numbers."""
        return tuple(self.passed.index(w) for w in self.numbers)

    @property
    def found_words(self) -> list[str]:
        """The results that the gradient needs, of a tuple of all."""
        return [f"found[{k}]" for k in self.kept_places]

    @property
    def value_words(self) -> list[str]:
        return [f"{w.name}.value" for w in self.arrays]

    @property
    def returned_gradients(self) -> list[str]:
        """What the backward returns for each array."""
        return [f"adj_{w.of.name}" if w.of.wrt else "None" for w in self.arrays]

    @staticmethod
    def tuple_of(parts: Iterable[str]) -> str:
        """Return a tuple."""
        names = list(parts)
        return f"({names[0]},)" if len(names) == 1 else f"({', '.join(names)})"

    @property
    def result_type(self) -> str:
        return self.array if len(self.results) == 1 else f"tuple[{self.array}, ...]"


class JaxView(NumpyView):
    """A binding as a function of JAX, in the joint shape."""

    # ---- handlers for GPUs -----------------------------------------------------------

    @property
    def handlers(self) -> bool:
        """Whether handlers can launch it: not if they had to read the GPU's memory, a number or a flag."""
        return not any(w.scalar for w in self.words) and not self.binding.limited

    @property
    def handler_numbers(self) -> list[Word]:
        """The numbers that a kernel takes by value."""
        return [w for w in self.words if not w.of.array]

    @property
    def handler_results(self) -> list[Passed]:
        """The buffers that the gradient's handler fills: gradients, and what only the sweeps need."""
        kinds = ("added", "scratch", "replaced", "before", "zeros", "after", "tape")
        return [p for p in self.adjoint_arguments if p.kind in kinds]

    @property
    def made_words(self) -> list[str]:
        """The gradients, of the buffers that the handler fills; zeros if the adjoint has none."""
        places = {p.name: k for k, p in enumerate(self.handler_results)}
        return [
            f"made[{places[name]}]" if name in places else f"jnp.zeros_like(args[{self._place(w)}])"
            for w, name in zip(self.gradients, self.gradient_names, strict=True)
        ]

    def _place(self, w: Word) -> int:
        """Return which argument of the gradient's functions an array is."""
        return len(self.grad_words) + self.arrays.index(w)

    def buffer_shape(self, p: Passed) -> str:
        word = p.word
        assert word is not None
        return f"{p.name}.shape" if p.kind in ("before", "after") else self.shape_of(word)

    def handlers_of(self, one: Instance) -> list[Handler]:
        return [self._primal_handler(one.kernels[0]), self._adjoint_handler(one.kernels[1])]

    def _primal_handler(self, kernel: Signature) -> Handler:
        given = [(w.name, "") for w in self.arrays]
        made, before, pointers = [], [], {w.of.name: w.name for w in self.arrays}
        for w in self.results:
            name = f"{w.name}_after"
            made.append(name)
            pointers[w.of.name] = f"{name}->"
            updated = w.of.role == "in-out"
            before.append(f"copy(stream, {name}, {w.name});" if updated else f"clear(stream, {name});")
        words = [_pointer(a, pointers[a.name]) if a.pointer else _number(a) for a in kernel.arguments]
        return self._handler(kernel, [name for name, _ in given], made, before, words)

    def _adjoint_handler(self, kernel: Signature) -> Handler:
        given = [*self.grad_words, *(w.name for w in self.arrays), *self.after_words]
        made, before, words = [], [], []
        for a, p in zip(kernel.arguments, self.adjoint_arguments, strict=True):
            if not a.pointer:
                words.append(_number(a))
            elif p.kind == "none":
                words.append("nullptr")
            elif p.kind in ("array", "seed"):
                source = p.name if p.kind == "array" or p.word is None else f"grad_{p.word.name}"
                words.append(_pointer(a, source))
            else:
                name = f"made_{p.name}"
                made.append(name)
                words.append(_pointer(a, f"{name}->"))
                seeded = p.kind == "replaced" and p.word is not None and p.word.of.of
                source = f"grad_{p.word.name}" if seeded and p.word else p.name
                copied = seeded or p.kind in ("before", "after")
                before.append(f"copy(stream, {name}, {source});" if copied else f"clear(stream, {name});")
        return self._handler(kernel, given, made, before, words)

    def _handler(
        self, kernel: Signature, given: list[str], made: list[str], before: list[str], words: list[str]
    ) -> Handler:
        numbers = [a for a in self.binding.instances[0].kernels[0].arguments if not a.pointer]
        kinds = {a.name: "double" if a.type in REALS else "int64_t" for a in numbers}
        return Handler(
            kernel,
            [
                *(f"Given {name}" for name in given),
                *(f"Made {name}" for name in made),
                "Launch launch",
                *(f"{kind} {name}" for name, kind in kinds.items()),
            ],
            before,
            words,
            [
                *(".Arg<ffi::AnyBuffer>()" for _ in given),
                *(".Ret<ffi::AnyBuffer>()" for _ in made),
                '.Attr<Launch>("launch")',
                *(f'.Attr<{kind}>("{self.word(name).name}")' for name, kind in kinds.items()),
            ],
        )


def numpy_dtype(type: str) -> str:
    """Spell a C type. Raises KeyError."""
    if "bfloat16" in type:
        raise KeyError(type)
    kind = dtype(type)
    return "np.bool_" if kind.kind == "b" else f"np.{kind.name}"


def _pointer(argument: Argument, name: str) -> str:
    access = f"{name}untyped_data()" if name.endswith("->") else f"{name}.untyped_data()"
    return f"({argument.c_type}){access}"


def _number(argument: Argument) -> str:
    return f"({argument.type}){argument.name}"
