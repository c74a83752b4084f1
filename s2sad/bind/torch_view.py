"""The input of the templates for PyTorch: operators, what they save, and what they return."""

from __future__ import annotations

from collections.abc import Iterable

from ..run.values import dtype
from ..signature import REALS, Argument, Signature
from . import accessors
from .derivative_view import DerivativeView
from .host_view import spoken, tuple_text
from .model import TYPE, Binding, Instance
from .views import Word

FLOATING = (*REALS, TYPE)


class TorchView(DerivativeView):
    """A binding as PyTorch's operators."""

    def __init__(self, binding: Binding, package: str) -> None:
        super().__init__(binding, package, torch_dtype, ("{}.numel()", "{}.shape[{}]"), "{}.element_size()")

    # ---- signatures ---------------------------------------------------------------

    def declared(self, words: Iterable[Word]) -> list[str]:
        """Return parameters with their annotations."""
        return [f"{w.name}: {self._annotation(w)}" for w in words]

    def _annotation(self, w: Word) -> str:
        if w.tensor:
            return "Tensor"
        return {"real": "float", "integer": "bool" if w.of.type == "bool" else "int"}[w.of.role]

    @staticmethod
    def returning(count: int) -> str:
        """Return the annotation of a result of so many tensors."""
        return ("None", "Tensor")[count] if count < 2 else f"tuple[{', '.join(['Tensor'] * count)}]"

    @property
    def plain(self) -> str:
        """The operator that only computes."""
        return "_compute"

    @property
    def differentiable(self) -> str:
        """The operator that has a gradient."""
        return "_record" if self.binding.split else "_compute"

    @property
    def differentiable_name(self) -> str:
        """Its name in PyTorch's registry."""
        return f"{self.name}_record" if self.binding.split else self.name

    @property
    def functions(self) -> dict[str, str]:
        """The functions that launch kernels for the operators with a formula for autograd."""
        run = {"_record": "_recording_kernel"} if self.binding.split else {"_compute": "_kernel"}
        tangent = {"_tangent": "_tangent_kernel"} if self.forward_mode else {}
        second = {"_second": "_second_kernel"} if self.twice else {}
        return {**run, "_backward": "_adjoint_kernel", **tangent, **second}

    @property
    def operators(self) -> list[str]:
        own = [self.plain, *["_update"] * self.binding.in_place, *["_record"] * self.binding.split]
        return [*own, "_backward", *["_tangent"] * self.forward_mode, *["_second"] * self.twice]

    @property
    def followed_parameters(self) -> list[str]:
        return [f"{name}: Tensor" for name in self.followed]

    @property
    def followed(self) -> list[str]:
        """The arrays through which derivatives may be wanted."""
        return [w.name for w in self.arrays if w.of.type in FLOATING]

    @property
    def cloned(self) -> list[str]:
        """What is passed, with copies of what is updated."""
        return [f"{w.name}.clone()" if w.of.role == "in-out" else w.name for w in self.passed]

    @staticmethod
    def table(words: Iterable[Word]) -> str:
        """Return a dictionary of arrays by name."""
        return "{" + ", ".join(f'"{w.name}": {w.name}' for w in words) + "}"

    # ---- kernels ------------------------------------------------------------------

    @staticmethod
    def host_parameters(arguments: Iterable[Argument]) -> list[str]:
        """Return the parameters of a function that Python calls."""
        return [f"{_host_type(a)} {a.name}" for a in arguments]

    @staticmethod
    def host_words(arguments: Iterable[Argument]) -> list[str]:
        """Return its arguments as a kernel takes them."""
        return [_host_word(a) for a in arguments]

    @property
    def accessors(self) -> list[Word]:
        """What the caller passes of which the kernel takes an accessor."""
        return [w for w in self.arrays if w.of.rank]

    def wide(self, w: Word) -> bool:
        """Whether that accessor has sizes of 64 bits."""
        view = self.binding.instances[0].kernels[0].argument(w.of.name).view
        return view is not None and accessors.wide(view)

    @property
    def accessors_used(self) -> bool:
        return any(p.rank for p in self.binding.parameters)

    @property
    def scalar_type(self) -> str:
        """Annotate what size functions take."""
        return "Argument" if self.accessors_used else "int | float"

    @property
    def tape_parameters(self) -> list[str]:
        launch = ["self", "kernel: str", "grid: Extent", "block: Extent", "device: torch.device"]
        return [*launch, f"*scalars: {self.scalar_type}"]

    @property
    def shared_parameters(self) -> list[str]:
        launch = ["self", "kernel: str", "grid: Extent", "block: Extent", "shared: int"]
        return [*launch, f"*scalars: {self.scalar_type}"]

    @property
    def accessor_places(self) -> dict[str, list[str]]:
        """Spell for each function how its arguments are passed."""
        one, found = self.binding.instances[0], dict[str, list[str]]()
        for kernel in one.every_kernel:
            found[kernel.name] = _places(kernel.arguments)
        for kernel in self.taping(one):
            found[f"{kernel.name}_tape_bytes"] = _places(kernel.scalars())
        for kernel in self.sharing(one):
            found[f"{kernel.name}_shared_bytes"] = _places(kernel.scalars(False))
        return found

    @staticmethod
    def taping(one: Instance) -> list[Signature]:
        """Return the kernels with functions for the size of their tapes."""
        return [k for k in (one.kernels[1], *(f.kernel for f in one.further)) if k.tape]

    @staticmethod
    def sharing(one: Instance) -> list[Signature]:
        """Return the kernels with functions for the size of their shared memory."""
        return [k for k in (one.kernels[1], *(f.kernel for f in one.further)) if k.shared]

    def kernel_files(self, stem: str) -> str:
        """List the files of an instance's kernels in a sentence."""
        endings = ["", "_adj", *(ending for _, ending in self.further_kernels)]
        files = [f"{stem}{ending}.cu" for ending in endings]
        return f"{', '.join(files[:-1])} and {files[-1]}"

    @staticmethod
    def view_definitions(one: Instance) -> list[str]:
        """Return the lines that define the accessors of an instance's kernels."""
        return [line for view in accessors.views(one.every_kernel) for line in accessors.definition(view)]

    @property
    def place_backward(self) -> str:
        """Spell the type that chooses the instance, in the backward."""
        if self.leading_seed is not None:
            return f"grad_{self.leading_seed.name}.dtype"
        return f"{self.leading.name}.dtype" if self.leading is not None else self.files[0][0]

    # ---- allocations ----------------------------------------------------------------

    def zeros_like(self, name: str) -> str:
        return f"torch.zeros_like({name})"

    def zeros(self, w: Word) -> str:
        """Spell zeros for a result, in the shape that the launch states."""
        like = self.like(w)
        return self._zeros(w, like, f"{like}.shape" if like else tuple_text(self.extents(w)))

    def zeros_of(self, w: Word) -> str:
        """Spell zeros for an adjoint, in the backward."""
        shape = self.shape_of(w)
        like = shape.removesuffix(".shape") if shape.endswith(".shape") else ""
        return self._zeros(w, "" if like.startswith("grad_") else like, shape)

    def _zeros(self, w: Word, like: str, shape: str) -> str:
        """Spell zeros: `zeros_like` is faster, and right if that array is contiguous and has the type."""
        if any(other.name == like and other.dtype == w.dtype for other in self.words):
            return f"torch.zeros_like({like})"
        return f"torch.zeros({shape}, dtype={w.dtype}, device=device)"

    # ---- what is saved --------------------------------------------------------------

    @property
    def saved(self) -> list[str]:
        """The tensors that the backward needs."""
        kept = [w.name for w in self.needed if w.tensor]
        return [*kept, *(f"{w.name}_after" for w in self.kept_results), *["tape"] * self._keeps_tape]

    @property
    def _keeps_tape(self) -> bool:
        return self.tape and self.binding.split

    @property
    def geometry_backward(self) -> list[str]:
        """What the launch depends on, in the backward."""
        return [f"grad_{w.name}" if self.replaced(w) else w.name for w in self.geometry]

    @property
    def saves_updated(self) -> bool:
        """Whether the backward needs what an array held that the operator in place overwrites."""
        return any(w.of.role == "in-out" for w in self.needed)

    @property
    def remembered(self) -> list[Word]:
        """The numbers that the backward needs."""
        return [w for w in self.needed if not w.tensor]

    @property
    def recorded(self) -> list[str]:
        """The results of the differentiable operator."""
        return [*(f"{w.name}_after" for w in self.results), *["tape"] * self._keeps_tape]

    @property
    def recorded_here(self) -> list[str]:
        """What the function names of them, which doesn't need the tape."""
        return [*(f"{w.name}_after" for w in self.results), *["_tape"] * self._keeps_tape]

    @property
    def recorded_there(self) -> list[str]:
        """What the context names of them: what is saved or has no gradient."""
        kept = {*self.saved, *self.unseeded, *(f"{w.name}_after" for w in self.several_seeds)}
        return [name if name in kept else f"_{name}" for name in self.recorded]

    @property
    def names_recorded(self) -> bool:
        return bool(self.kept_results or self.unseeded or self._keeps_tape or self.several_seeds)

    @property
    def unseeded(self) -> list[str]:
        """The results without a gradient."""
        return [f"{w.name}_after" for w in self.results if not w.of.of]

    @property
    def backward_parameters(self) -> list[str]:
        seeds = [f"grad_{w.name}: Tensor" for w in self.seeded]
        tensors = [f"{name}: Tensor" for name in self.saved]
        return [*seeds, *tensors, *self.declared((*self.remembered, *self.others))]

    @property
    def backward_names(self) -> list[str]:
        """The same by name."""
        seeds = [f"grad_{w.name}" for w in self.seeded]
        return [*seeds, *self.saved, *(w.name for w in (*self.remembered, *self.others))]

    @property
    def backward_words(self) -> list[str]:
        """The same in the backward, where numbers and other tensors are in the context."""
        seeds = [f"grad_{w.name}" for w in self.seeded]
        return [*seeds, *self.saved, *(f"ctx.{w.name}" for w in (*self.remembered, *self.others))]

    @property
    def _backward_arguments(self) -> list[tuple[str, Word | None]]:
        """The arguments of the backward by name; a result or the tape is no word of the caller's."""
        passed = {w.name: w for w in self.passed}
        return [(name, passed.get(name)) for name in self.backward_names]

    @property
    def backward_unpacked(self) -> list[str]:
        """The same where its derivatives don't need what the kernel recorded."""
        known = {*self.saved_twice, *(w.name for w in self.numbers)}
        return [name if name in known else f"_{name}" for name in self.backward_names]

    @property
    def backward_tangents(self) -> list[str]:
        """What autograd passes as tangents of the backward's arguments."""
        seeds, named = self.seed_names, self._backward_arguments
        lost = self.undifferentiated
        moved = {name for name, w in named if name in seeds or (w is not None and (w.of.wrt or w in lost))}
        return [f"{name}_tangent" if name in moved else f"_{name}" for name, _ in named]

    @property
    def returned_twice(self) -> list[str]:
        """The gradients with respect to the backward's arguments."""
        seeds = dict(zip(self.seed_names, self.seed_gradients, strict=True))
        return [
            seeds.get(name) or (f"adj_{w.of.name}_tangent" if w is not None and w.of.wrt else "None")
            for name, w in self._backward_arguments
        ]

    @property
    def recorded_tangents(self) -> list[str]:
        """What forward mode returns for the results of the differentiable operator."""
        own = [f"{w.name}_tangent" if w.of.of else "None" for w in self.results]
        return [*own, *["None"] * self._keeps_tape]

    def lost(self, w: Word, why: str, indent: int) -> str:
        """Spell the message for an argument whose derivative would be lost."""
        wrt = ",".join((*self.binding.adjoint.independents, w.of.name))
        said = f'"{self.binding.name}: {w.name} {why}, and this binding has none for it: "'
        return f'{said}\n{" " * indent}"pass {w.name}.detach(), or bind again with --wrt {wrt}"'

    @property
    def grad_parameters(self) -> list[str]:
        """A parameter for the gradient of each result of the differentiable operator."""
        named = [f"grad_{w.name}" if w.of.of else f"_{w.name}" for w in self.results]
        return [*named, *["_tape"] * self._keeps_tape]

    @property
    def sole_seed(self) -> bool:
        """Whether one of several results has a gradient: then autograd needn't make zeros for the others."""
        return len(self.seeded) == 1 and (len(self.recorded) > 1 or self._tells_tangents)

    @property
    def _tells_tangents(self) -> bool:
        """Whether zeros must not stand for tangents that aren't there, since others are refused."""
        return self.forward_mode and bool(self.undifferentiated)

    @property
    def several_seeds(self) -> list[Word]:
        """The results for which the backward makes zeros itself, if they have no gradient."""
        return self.seeded if self._tells_tangents and not self.sole_seed else []

    @property
    def no_gradients(self) -> str:
        """What the backward returns if it is called without a seed."""
        return ", ".join(["None"] * len(self.passed))

    @property
    def returned_gradients(self) -> list[str]:
        """What the backward returns for each argument of the operator."""
        return [f"adj_{w.of.name}" if w.of.wrt else "None" for w in self.passed]

    # ---- tests ----------------------------------------------------------------------

    @property
    def seeded_places_in_place(self) -> list[int]:
        """The same of what the operator in place returns."""
        return [k for k, w in enumerate((*self.updated, *self.outs)) if w.of.of]

    @property
    def trained(self) -> Word:
        """The argument that a model has as its parameter: the last that isn't updated, if there is one."""
        plain = [w for w in self.gradients if w.of.role != "in-out"]
        return (plain or self.gradients)[-1]

    @property
    def alias(self) -> tuple[str, str] | None:
        """An array that is updated and another of its type, of as many dimensions if they are counted."""
        every = [(u, w) for u in self.updated for w in self.arrays if w is not u and not w.scalar]
        pairs = (p for p in every if p[0].of.type == p[1].of.type and p[0].of.rank == p[1].of.rank)
        return next(((u.name, w.name) for u, w in pairs), None)

    # ---- words for people ---------------------------------------------------------------

    @property
    def usage_in_place(self) -> str:
        results = ", ".join(w.name for w in (*self.updated, *self.outs))
        return f"{results} = {self.name}_({', '.join(w.name for w in self.passed)})"

    @property
    def contract(self) -> str:
        """Describe arguments and results in a sentence or two."""
        if not self.updated:
            return super().contract
        said = f"{self.name}_ updates {spoken(self.updated)} in place"
        return f"{super().contract} {said}, {self.name} leaves the caller's as it is."


def torch_dtype(type: str) -> str:
    """Spell a C type. Raises KeyError."""
    return "torch.bfloat16" if "bfloat16" in type else f"torch.{dtype(type).name}"


def _host_type(argument: Argument) -> str:
    """Return the type in which Python passes an argument to the extension."""
    if argument.view is not None:
        return "at::Tensor"
    if argument.pointer:
        return "uintptr_t"
    return "double" if argument.type in REALS else "int64_t"


def _host_word(argument: Argument) -> str:
    """Convert such an argument to the kernel's."""
    if argument.view is None:
        return f"({argument.c_type}){argument.name}"
    return accessors.made(argument)


def _places(arguments: Iterable[Argument]) -> list[str]:
    """Spell how arguments are passed: accessors by struct's letter of their sizes."""
    return [f'"{"q" if accessors.wide(a.view) else "i"}"' if a.view else '""' for a in arguments]
