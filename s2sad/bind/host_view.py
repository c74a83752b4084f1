"""What the templates of all Python targets share: the arguments of kernels, and words for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..signature import Argument
from .cpp_view import KernelTexts
from .views import PythonView, Word


class HostView(KernelTexts, PythonView):
    """A binding called from Python."""

    @property
    def named(self) -> list[str]:
        """The grid, and the arrays by name."""
        return ["grid", *(f"{w.name}={w.name}" for w in self.arrays)]

    @property
    def stated_names(self) -> str:
        """The integers that follow from the arguments, after others: `, n`."""
        return "".join(f", {w.name}" for w, _ in self.stated)

    @property
    def launch_type(self) -> str:
        return ", ".join(["Extent", "Extent", "int", *["int"] * len(self.stated)])

    @staticmethod
    def _number(w: Word) -> str:
        return f"{w.name}.item()" if w.scalar else w.name

    @property
    def primal_words(self) -> list[str]:
        """The arguments of the primal."""
        return [w.name if w.of.array else self._number(w) for w in self.words]

    @property
    def forward_words(self) -> list[str]:
        """The arguments of K_fwd."""
        return [*self.primal_words, *["tape"] * self.tape]

    @property
    def adjoint_words(self) -> list[str]:
        """The arguments of K_adj."""
        words = []
        for p in self.adjoint_arguments:
            word = p.word
            number = p.kind == "number" and word is not None
            words.append("None" if p.kind == "none" else self._number(word) if number and word else p.name)
        return words

    @property
    def size_words(self) -> list[str]:
        """The arguments of the adjoint's size functions after the launch."""
        return [self._word_of_size(a) for a in self.binding.adjoint.scalars()]

    def _word_of_size(self, argument: Argument) -> str:
        word = self.word(argument.name)
        return word.name if word.of.array else self._number(word)

    @property
    def size_words_backward(self) -> list[str]:
        """The same in the backward, where results aren't at hand."""
        passed = zip(self.binding.adjoint.arguments, self.adjoint_words, strict=True)
        words = {a.name: word for a, word in passed}
        return [words[a.name] for a in self.binding.adjoint.scalars()]

    @property
    def kernels(self) -> list[str]:
        forward = self.binding.forward
        return [self.binding.name, self.binding.adjoint.name, *([forward.name] if forward else [])]

    @property
    def gradient_names(self) -> list[str]:
        return [f"adj_{w.of.name}" for w in self.gradients]

    @property
    def usage(self) -> str:
        results = ", ".join(f"{w.name}_after" if w.of.role == "in-out" else w.name for w in self.results)
        return f"{results} = {self.name}({', '.join(w.name for w in self.passed)})"

    @property
    def contract(self) -> str:
        """Describe arguments and results in a sentence or two."""
        said = [f"The gradient is that of {spoken(self.seeded)} with respect to {spoken(self.gradients)}."]
        if zeros := self.outs:
            verb = "begins" if len(zeros) == 1 else "begin"
            said.append(f"{spoken(zeros)} {verb} with zeros.")
        return " ".join(said)

    def shape_of(self, w: Word) -> str:
        """Return an expression for the shape of an array in the backward."""
        if w.of.role == "in-out" and w.of.of:
            return f"grad_{w.name}.shape"
        if w.of.passed:
            return f"{w.name}.shape"
        if w.of.of:
            return f"grad_{w.name}.shape"
        return f"{self.like(w)}.shape" if self.like(w) else tuple_text(self.extents(w))

    @property
    def without_adjoint(self) -> list[Word]:
        """The independents that the adjoint has no parameter for: nothing depends on them."""
        return [w for w in self.gradients if w.of.adjoint is None]

    @property
    def seeded_places(self) -> list[int]:
        """Which of the results have gradients."""
        return [k for k, w in enumerate(self.results) if w.of.of]

    @staticmethod
    def drawn(w: Word, e: Mapping[str, object]) -> str:
        """Return an expression for the values of an array of the tests: those of the kernel's case."""
        if w.scalar:
            return str(e["value"])
        shape, low, high, random = e["shape"], e.get("low"), e.get("high"), f"random({e['seed']})"
        return {
            "normal": f"{random}.standard_normal({shape})",
            "uniform": f"{random}.uniform({low}, {high}, {shape})",
            "zeros": f"np.zeros({shape})",
            "ones": f"np.ones({shape})",
            "arange": f"np.arange(np.prod({shape})).reshape({shape})",
            "permutation": f"{random}.permutation(int(np.prod({shape}))).reshape({shape})",
            "randint": f"{random}.integers({low}, {high}, {shape})",
            "sorted": f"np.sort({random}.integers({low}, {high}, {shape}))",
            "values": f"np.array({e.get('values')}).reshape({shape})",
        }[str(e["fill"])]


def spoken(words: Sequence[Word]) -> str:
    """List names in a sentence."""
    names = [w.name for w in words]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def tuple_text(parts: Sequence[str]) -> str:
    """Spell a tuple."""
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
