"""The input of the templates for forward mode and second derivatives, of PyTorch and of JAX."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

from ..signature import Argument, Signature
from .host_view import HostView
from .views import Passed, Word


@dataclass(frozen=True)
class Made:
    """A tensor that a launch of a further kernel takes.

    kind   `contiguous` of `source`, or a `clone` of it; `zeros` as `source` spells them; a second `tape`
    """

    name: str
    kind: str
    source: str = ""


class DerivativeView(HostView):
    """K_tan and K_adj_tan: their arguments, and what the operators around them pass."""

    _ENDINGS = ("_after", "_before", "_kind", "_tangent", "_version")

    @property
    def forward_mode(self) -> bool:
        return self.binding.tangent is not None

    @property
    def twice(self) -> bool:
        """Whether there are second derivatives."""
        return self.binding.second is not None

    @property
    def further_kernels(self) -> list[tuple[str, str]]:
        """The name of each further kernel, and what the name of its file ends in."""
        return [(f.kernel.name, f.ending) for f in self.binding.instances[0].further]

    # ---- names --------------------------------------------------------------------------

    @property
    def tangent_names(self) -> list[str]:
        """The tangents of the independents."""
        return [f"{w.name}_tangent" for w in self.gradients]

    @property
    def result_tangents(self) -> list[str]:
        """The tangents of the dependents, which K_tan computes."""
        return [f"{w.name}_tangent" for w in self.seeded]

    @property
    def gradient_tangents(self) -> list[str]:
        """The tangents of the gradients, which K_adj_tan computes."""
        return [f"{name}_tangent" for name in self.gradient_names]

    @property
    def gradient_blanks(self) -> str:
        """What stands for the gradients where they aren't needed."""
        return "_, " * len(self.gradients)

    @property
    def seed_names(self) -> list[str]:
        return [f"grad_{w.name}" for w in self.seeded]

    @property
    def seed_tangents(self) -> list[str]:
        return [f"{name}_tangent" for name in self.seed_names]

    @property
    def seed_gradients(self) -> list[str]:
        """The gradients with respect to the seeds, in the backward of the backward."""
        return [f"adj_{name}" for name in self.seed_names]

    @property
    def zeros_like_seeds(self) -> list[str]:
        return [self.zeros_like(name) for name in self.seed_names]

    @property
    def tangents_of_gradients(self) -> list[tuple[str, str]]:
        """The tangents of the independents, and what each is that of."""
        return [(f"{w.name}_tangent", w.name) for w in self.gradients]

    @property
    def tangents_of_seeds(self) -> list[tuple[str, str]]:
        return list(zip(self.seed_tangents, self.seed_names, strict=True))

    # ---- what is passed -----------------------------------------------------------------

    @property
    def tangent_parameters(self) -> list[str]:
        """The parameters of K_tan's operator."""
        return [*self.declared(self.passed), *map(_tensor, self.tangent_names)]

    @property
    def second_parameters(self) -> list[str]:
        """The parameters of K_adj_tan's operator."""
        seeds, after = map(_tensor, self.seed_names), (*self.tangent_names, *self.seed_tangents)
        return [*seeds, *self.declared(self.passed), *map(_tensor, after)]

    @abstractmethod
    def declared(self, words: Iterable[Word]) -> list[str]:
        """Return parameters with their annotations."""

    @staticmethod
    def words_in_context(words: Iterable[Word]) -> list[str]:
        """Return arguments: tensors are saved, numbers are in the context."""
        return [w.name if w.tensor else f"ctx.{w.name}" for w in words]

    @property
    def others(self) -> list[Word]:
        """What the caller passed that the adjoint doesn't need, but its derivatives do."""
        needed = {w.of.name for w in self.needed}
        return [w for w in self.passed if w.of.name not in needed] if self.twice else []

    @property
    def other_tensors(self) -> list[Word]:
        return [w for w in self.others if w.tensor]

    @property
    def updated_others(self) -> list[Word]:
        """Those that the operator in place overwrites."""
        return [w for w in self.other_tensors if w.of.role == "in-out"]

    @property
    def before(self) -> list[str]:
        """What is passed, with what those held before."""
        return [f"{w.name}_before" if w in self.updated_others else w.name for w in self.passed]

    @property
    def kept_numbers(self) -> list[Word]:
        """The numbers that the derivatives need."""
        kept = self.numbers if self.forward_mode else self.needed
        return [w for w in kept if not w.tensor]

    @property
    def argument_tangents(self) -> list[str]:
        """What autograd passes as tangents of the operator's arguments."""
        lost = self.undifferentiated
        return [f"{w.name}_tangent" if w.of.wrt or w in lost else f"_{w.name}" for w in self.passed]

    @property
    def saved_twice(self) -> list[str]:
        """The tensors that the derivatives of the backward need."""
        return [*self.seed_names, *(w.name for w in self.arrays)]

    @property
    def derivative_functions(self) -> list[tuple[str, str, str]]:
        """The functions of derivatives: for torch.func, for autograd, and of which operator."""
        found = [("_TwiceForFunc", "_Twice", "_backward")]
        found += [("_TangentForFunc", "_Tangent", "_tangent")] * self.forward_mode
        return [*found, *[("_SecondForFunc", "_Third", "_second")] * self.twice]

    @property
    def derivative_operators(self) -> list[str]:
        return [op for _, _, op in self.derivative_functions]

    @property
    def returned_second(self) -> list[str]:
        """The gradients with respect to what the operator of K_tan takes, without those of its tangents."""
        return [f"adj_{w.of.name}_tangent" if w.of.wrt else "None" for w in self.passed]

    # ---- launches -----------------------------------------------------------------------

    @property
    def tangent_words(self) -> list[str]:
        """The arguments of K_tan."""
        assert self.binding.tangent is not None
        return [self._word_in(a) for a in self.binding.tangent.arguments]

    def _word_in(self, a: Argument) -> str:
        word = self.word(a.of or a.name)
        if a.role == "tangent":
            return f"{word.name}_tangent" if word.of.array else f"{word.name}_tangent.item()"
        return word.name if word.of.array else self._number(word)

    @property
    def tangent_made(self) -> list[Made]:
        """The tensors that K_tan takes, in order."""
        assert self.binding.tangent is not None
        arguments = self.binding.tangent.arguments
        return [made for a in arguments if (made := self._made_in(a)) is not None]

    def _made_in(self, a: Argument) -> Made | None:
        w, tangent = self.word(a.of or a.name), a.role == "tangent"
        name = f"{w.name}_tangent" if tangent else w.name
        if not w.of.array:
            return None
        if w.of.role == "out" or (tangent and not w.of.wrt):
            return Made(name, "zeros", self.zeros_for(w))
        if w.of.role == "in-out":
            return Made(name, "clone", name)
        return Made(name, "contiguous", name) if tangent else None

    @property
    def second_words(self) -> list[str]:
        """The arguments of K_adj_tan."""
        assert self.binding.second is not None
        return [self._second_word(a) for a in self.binding.second.arguments]

    def _second_word(self, a: Argument) -> str:
        p = self._joint(a)
        if a.role == "tangent":
            unread = p.kind == "none" and p.word is not None and not p.word.of.wrt
            return "None" if unread else f"{p.name}_tangent{'' if a.pointer else '.item()'}"
        if p.kind == "none":
            return "None"
        return self._number(p.word) if p.kind == "number" and p.word is not None else p.name

    def _joint(self, a: Argument) -> Passed:
        """Return what the joint adjoint gets for this argument, or for the one that it is a tangent of."""
        assert self.binding.second is not None
        return self._of_adjoint(self.binding.second.argument(a.of) if a.role == "tangent" else a, False)

    @property
    def second_made(self) -> list[Made]:
        """The tensors that are made for K_adj_tan, in order."""
        assert self.binding.second is not None
        made = (self._second_made(a) for a in self.binding.second.arguments)
        return list({one.name: one for one in made if one is not None}.values())

    def _second_made(self, a: Argument) -> Made | None:
        p, tangent = self._joint(a), a.role == "tangent"
        name = f"{p.name}_tangent" if tangent else p.name
        w = p.word
        if p.kind == "tape":
            return Made(name, "tape") if tangent else None
        if w is None or p.kind in ("none", "number"):
            return None
        if p.kind in ("seed", "replaced") and w.of.of:
            source = f"grad_{w.name}{'_tangent' if tangent else ''}"
            return Made(name, "contiguous" if p.kind == "seed" else "clone", source)
        if p.kind in ("scratch", "replaced", "added", "zeros") or (tangent and not w.of.wrt):
            return Made(name, "zeros", self.zeros_for(w))
        if p.kind == "before":
            return Made(name, "clone", name)
        return Made(name, "contiguous", name) if tangent else None

    # ---- sizes --------------------------------------------------------------------------

    @property
    def any_tape(self) -> bool:
        """Whether one of the kernels has a tape."""
        return self.tape or (self.binding.second is not None and self.binding.second.tape)

    @property
    def any_shared(self) -> bool:
        """Whether one of the kernels has a function for the size of its shared memory."""
        further = (self.binding.tangent, self.binding.second)
        return self.own_shared or any(kernel is not None and kernel.shared for kernel in further)

    def further_sizes(self, kernel: Signature) -> str:
        """Return the arguments of its size functions after the launch."""
        if kernel is self.binding.second:
            passed = zip(kernel.arguments, self.second_words, strict=True)
            words = {a.name: word for a, word in passed}
        else:
            words = {a.name: self._word_of_size(a) for a in kernel.scalars()}
        return "".join(f", {words[a.name]}" for a in kernel.scalars())

    def zeros_for(self, w: Word) -> str:
        """Spell zeros of an array's shape, where everything that the caller passes is at hand."""
        return self.zeros_like(w.name) if w.of.passed else self.zeros(w)

    @abstractmethod
    def zeros_like(self, name: str) -> str:
        """Spell zeros of an array's shape and type."""

    @abstractmethod
    def zeros(self, w: Word) -> str:
        """Spell zeros for a result, in the shape that the launch states."""

    # ---- words for people ---------------------------------------------------------------

    def why_not(self, mode: str) -> str:
        """Say what to do without a further kernel, in a message."""
        return self.binding.why_not.get(mode, "this binding is of first order")

    @property
    def instead_of_forward_twice(self) -> str:
        return "use reverse mode for one of them, as torch.func.hessian does"


def _tensor(name: str) -> str:
    return f"{name}: Tensor"
