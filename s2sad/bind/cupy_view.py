"""The input of the templates for CuPy: numbers have the kernel's types, which RawModule doesn't know."""

from __future__ import annotations

from ..run.values import dtype
from ..signature import Argument, Signature
from .jax_view import NumpyView


class CupyView(NumpyView):
    """A binding as functions of CuPy."""

    @property
    def usage_gradient(self) -> str:
        found = ", ".join(self.gradient_names)
        tape = ["tape"] * (self.tape and self.binding.split)
        given = [*self.grad_words, *(w.name for w in self.passed), *self.after_words, *tape]
        return f"{found} = {self.name}_gradient({', '.join(given)})"

    @property
    def result_words(self) -> list[str]:
        return [f"{w.name}_after" for w in self.results]

    @property
    def types(self) -> set[str]:
        """The element types of what is differentiated, in the first instance."""
        return {self.files[0][0] if w.dtype == "dtype" else w.dtype for w in (*self.gradients, *self.seeded)}

    @property
    def seeded_words(self) -> list[str]:
        return [f"{w.name}_after" for w in self.seeded]

    def typed_words(self, kernel: Signature) -> list[str]:
        """Return the primal's arguments, numbers with their types."""
        return [self._typed(a, word) for a, word in zip(kernel.arguments, self.primal_words, strict=True)]

    @property
    def typed_adjoint_words(self) -> list[str]:
        """Return the adjoint's arguments, numbers with their types."""
        arguments = self.binding.instances[0].kernels[1].arguments
        return [self._typed(a, word) for a, word in zip(arguments, self.adjoint_words, strict=True)]

    def _typed(self, argument: Argument, word: str) -> str:
        if argument.pointer:
            return word
        own = next(w for w in self.words if w.of.name == argument.name)
        if own.dtype == "dtype":
            return f"dtype.type({word})"
        return f"np.{dtype(argument.type).name}({word})"
