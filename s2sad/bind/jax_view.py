"""The input of the templates for JAX: functions, their callbacks, and XLA's handlers for GPUs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..run.values import dtype
from ..signature import REALS, Argument, Signature
from .derivative_view import DerivativeView
from .host_view import HostView, tuple_text
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

    @staticmethod
    def tuple_of(parts: Iterable[str]) -> str:
        """Return a tuple."""
        names = list(parts)
        return f"({names[0]},)" if len(names) == 1 else f"({', '.join(names)})"

    @property
    def result_type(self) -> str:
        return self.array if len(self.results) == 1 else f"tuple[{self.array}, ...]"


class JaxView(NumpyView, DerivativeView):
    """A binding as a function of JAX, in the joint shape."""

    # ---- primitives --------------------------------------------------------------------

    @property
    def works(self) -> str:
        """Say what can be done with it, and where it runs."""
        modes = ["grad", *["jvp"] * self.forward_mode]
        said = f"Works under jit, {', '.join(modes)} and vmap (one launch after another)"
        said += ", and can be differentiated twice." if self.twice else "."
        where = "On the CPU a callback runs the kernels with s2sad's engine; on a GPU too, with copies"
        if not self.handlers:
            return f"{said} {where}."
        if not self.forward_mode:
            return f"{said} {where}, unless `engines.load_gpu` has loaded the handlers."
        return f"{said} {where}; `engines.load_gpu` loads handlers for the kernel and its gradient."

    @property
    def declared_tangents(self) -> list[str]:
        return [f"{name}: {self.array}" for name in self.tangent_names]

    @property
    def declared_seed_tangents(self) -> list[str]:
        return [f"{name}: {self.array}" for name in self.seed_tangents]

    @property
    def array_texts(self) -> list[str]:
        """The names of the arrays, as strings."""
        return [f'"{w.name}"' for w in self.arrays]

    @property
    def wrt_places(self) -> str:
        """Which of the arrays get a gradient."""
        return self._places(self.gradients)

    @property
    def lost_places(self) -> str:
        """Which of them can't have the gradient that they should have."""
        return self._places(self.undifferentiated)

    def _places(self, words: Iterable[Word]) -> str:
        return tuple_text([str(self.arrays.index(w)) for w in words])

    @property
    def of_places(self) -> str:
        """Which of the results are differentiated."""
        return tuple_text([str(k) for k in self.seeded_places])

    @property
    def seeded_results(self) -> list[str]:
        """Their types, of a tuple of all."""
        return [f"every[{k}]" for k in self.seeded_places]

    @property
    def static_numbers(self) -> list[str]:
        """The numbers as parameters of a primitive: a value that is traced is refused with JAX's words."""
        spelled = {"real": "float({})", "integer": "operator.index({})"}
        flag = "bool({})"
        return [(flag if w.of.type == "bool" else spelled[w.of.role]).format(w.name) for w in self.numbers]

    @property
    def integer_numbers(self) -> bool:
        """Whether an integer is among them."""
        return any("operator" in text for text in self.static_numbers)

    @property
    def imports_jnp(self) -> bool:
        """Whether a gradient is made without a buffer of the handler's."""
        return self.handlers and any(text.startswith("jnp.") for text in self.made_words)

    def zeros_like(self, name: str) -> str:
        return f"np.zeros_like({name})"

    def zeros(self, w: Word) -> str:
        """Spell zeros for a result, in the shape that the launch states."""
        like = self.like(w)
        return f"np.zeros({f'{like}.shape' if like else tuple_text(self.extents(w))}, {w.dtype})"

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
        kinds = ("added", "scratch", "replaced", "before", "zeros", "tape")
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
        return f"{p.name}.shape" if p.kind == "before" else self.shape_of(word)

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
        given = [*self.grad_words, *(w.name for w in self.arrays)]
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
                copied = seeded or p.kind == "before"
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
