"""Names, types and roles of an adjoint kernel's parameters, as needed to run it.

Pure data, without IR, so that backends and checks depend on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

Role = Literal["value", "adjoint", "tangent", "tape"]
"""value: a parameter of the primal, as it was at entry. adjoint: an `adj_` array. tangent: a `tan_` one,
or a number. tape: storage."""

Use = Literal[
    "entry",
    "exit",
    "unused",
    "seed",
    "accumulates",
    "replaced",
    "scratch",
    "tangent",
    "tape",
    "trips",
    "measured",
]
"""What the caller passes, and what it holds afterwards.

entry / exit   the value at entry of the primal / as K_fwd left it
unused         neither read nor written by the adjoint
seed           dJ/d(value at exit); not modified (`const`)
accumulates    dJ/d(value at entry) is added to it
replaced       on entry the adjoint of the exit value, on exit that of the entry value
scratch        as replaced, of a written array that is neither dependent nor independent: zero on entry
tangent        the tangent of the entry value, and afterwards that of the exit value
tape           uninitialised, of K_adj_tape_bytes bytes
trips          the largest trip count of a loop, measured by K_measure
measured       an int for each of these, zero before K_measure
"""

ROLES: Mapping[Use, str] = {
    "entry": "entry value",
    "exit": "exit value",
    "unused": "unused",
    "seed": "seed",
    "accumulates": "accumulates",
    "replaced": "replaced",
    "scratch": "scratch",
    "tangent": "tangent",
    "tape": "tape",
    "trips": "largest number of trips",
    "measured": "numbers of trips",
}
"""The user-visible words for them."""


HALVES = ("__half", "__nv_bfloat16")
REALS = ("float", "double", *HALVES)
"""The C types whose values carry derivatives."""


@dataclass(frozen=True)
class Layout:
    """The fields of a struct in order, each with its name and its C type, or its own layout, and extents.

    `align` is the definition's alignment beyond its fields' own, in bytes.
    """

    name: str
    fields: tuple[tuple[str, str | Layout, tuple[int, ...]], ...]
    align: int = 0
    vector: bool = False  # a CUDA vector type, aligned like its numbers

    @property
    def rank(self) -> int:
        """The dimensions of a view of a tensor, laid out like PyTorch's accessors; 0 of other structs."""
        match self.fields:
            case (("data_", str(data), ()), ("sizes_", str(), (rank,)), ("strides_", str(), (other,))):
                return rank if data.endswith("*") and rank == other else 0
            case _:
                return 0


@dataclass(frozen=True)
class Part:
    """A field of a struct that is passed by value and contains pointers: what the caller passes in it.

    `read` and `written` refer to the pointer's target.
    """

    path: tuple[str, ...]
    use: Use
    read: bool = False
    written: bool = False


@dataclass(frozen=True)
class Argument:
    """One parameter, of the primal or of its adjoint.

    `type` is the C name of the element's type ("float", "int"), of a struct with its
    `layout`; `of` names the primal parameter that an adjoint belongs to. `written`: the
    kernel may write it. `parts` are the fields of a struct by value that contains pointers, or
    of its adjoint: they differ in use.
    """

    name: str
    type: str
    pointer: bool
    const: bool = False
    role: Role = "value"
    use: Use = "entry"
    of: str = ""
    written: bool = False
    layout: Layout | None = None
    within: str = ""  # for a field of a struct: the parameter that contains it,
    path: tuple[str, ...] = ()  # and the names that lead to it
    rows: tuple[int, ...] = ()  # for a pointer to arrays: their extents
    parts: tuple[Part, ...] = ()
    held: bool = False  # for a field: it is a pointer in a struct passed by value
    view: Layout | None = None  # for an array of a binding: the accessor that the kernel takes for it

    @property
    def c_type(self) -> str:
        """The parameter's C type: `const float *`."""
        rows = "".join(f"[{n}]" for n in self.rows)
        star = f" (*){rows}" if rows else " *" if self.pointer else ""
        return f"{'const ' if self.const else ''}{self.type}{star}"

    @property
    def declared(self) -> str:
        """The parameter as C declares it: `const float *x`, `const float (*m)[4]`."""
        before, star, after = self.c_type.partition("(*")
        if star:
            return f"{before}{star}{self.name}{after}"
        return f"{self.c_type} {self.name}".replace("* ", "*")


def fields(layout: Layout) -> Iterator[tuple[tuple[str, ...], str, tuple[int, ...]]]:
    """Yield path, C type and extents of each number in a struct."""
    for name, type, extents in layout.fields:
        if isinstance(type, str):
            yield (name,), type, extents
        else:
            for path, inner, more in fields(type):
                yield (name, *path), inner, extents + more


def _split(argument: Argument) -> Iterator[Argument]:
    """Yield the fields of an argument of a struct type."""
    if argument.layout is None:
        yield argument
        return
    parts = {part.path: part for part in argument.parts}
    for path, type, extents in fields(argument.layout):
        held = bool(parts) and type.endswith("*")
        target = type.removeprefix("const ").removesuffix(" *") if held else type
        if argument.role in ("adjoint", "tangent") and (target not in REALS or (parts and path not in parts)):
            continue
        dotted = ".".join(path)
        part = parts.get(path)
        left = argument.const or (held and argument.role == "value" and type.startswith("const "))
        left = left and not (part is not None and part.written)  # through a cast, as in an adjoint's text
        yield replace(
            argument,
            name=f"{argument.name}.{dotted}",
            type=target,
            pointer=argument.pointer or bool(extents) or held,
            const=left or (part is not None and part.use == "seed"),
            of=f"{argument.of}.{dotted}" if argument.of else "",
            layout=None,
            within=argument.name,
            path=path,
            use=part.use if part is not None else argument.use,
            written=part.written if held and part is not None else argument.written,
            parts=(),
            held=held,
        )


def told(arguments: Iterable[Argument]) -> Iterator[Argument]:
    """Yield the parameters as shown to users: for a struct by value with pointers, its fields."""
    for argument in arguments:
        yield from _split(argument) if argument.parts else (argument,)


@dataclass(frozen=True)
class Signature:
    """A kernel's name and its parameters in order."""

    name: str
    arguments: tuple[Argument, ...]
    dependents: tuple[str, ...] = ()
    independents: tuple[str, ...] = ()
    tape: bool = False  # K_adj_tape_bytes exists
    shared: bool = False  # K_adj_shared_bytes exists
    wholes: tuple[Argument, ...] = ()  # the parameters in the text, where `arguments` are fields
    directions: int = 1  # of a tangent kernel: how many tangents each number has, adjacent in memory
    seeds: int = 1  # of an adjoint: how many adjoints each number has, adjacent in memory

    @cached_property
    def leaves(self) -> Signature:
        """The same kernel with an argument for each field of a struct, down to numbers.

        For adjoints of structs only the floating fields are arguments.
        """
        if self.wholes or not any(a.layout for a in self.arguments):
            return self
        arguments = tuple(leaf for a in self.arguments for leaf in _split(a))
        floating: dict[str, list[str]] = {a.within: [] for a in arguments if a.within}
        floating |= {a.name: [a.name] for a in arguments if not a.within}
        parts = {f"{a.name}.{'.'.join(p.path)}": p for a in self.arguments for p in a.parts}
        for a in arguments:
            if a.role == "value" and a.within and a.type in REALS:
                floating[a.within].append(a.name)

        def output(leaf: str) -> bool:
            return leaf not in parts or parts[leaf].written

        def input(leaf: str) -> bool:
            return leaf not in parts or parts[leaf].read

        return replace(
            self,
            arguments=arguments,
            dependents=tuple(leaf for name in self.dependents for leaf in floating[name] if output(leaf)),
            independents=tuple(leaf for name in self.independents for leaf in floating[name] if input(leaf)),
            wholes=self.arguments,
        )

    def argument(self, name: str) -> Argument:
        """Return the parameter of that name. Raises KeyError."""
        for argument in self.arguments:
            if argument.name == name:
                return argument
        raise KeyError(name)

    def adjoint_of(self, name: str) -> Argument | None:
        """Return the parameter that holds the adjoint of a primal parameter, if there is one."""
        for argument in self.arguments:
            if argument.role == "adjoint" and argument.of == name:
                return argument
        return None

    def parameter(self, name: str) -> str:
        """Return the parameter that an argument is, or is a field of."""
        return next((a.within or a.name for a in self.arguments if a.name == name), name)

    def scalars(self, trips: bool = True) -> tuple[Argument, ...]:
        """Return the arguments of a size function: those passed by value, `trips` of loops optionally."""
        again = any(a.role == "tangent" for a in self.arguments)  # an adjoint's own adjoints are values
        roles = ("value", "adjoint") if again else ("value",)
        values = (a for a in self.arguments if a.role in roles and (a.view is not None or not a.pointer))
        return tuple(a for a in values if trips or a.use != "trips")

    def size(self, argument: Argument) -> str:
        """Describe the required size of the argument for a parameter."""
        if argument.role == "tape":
            scalars = [a.name for a in self.scalars()]
            return f"{self.name}_tape_bytes({', '.join(['grid', 'block', *scalars])}) bytes"
        if not argument.pointer:
            return f"one {argument.type}"
        if argument.role == "adjoint":
            pointer = any(a.pointer for a in self.arguments if a.role == "value" and a.name == argument.of)
            return f"as {argument.of}" if pointer else f"one {argument.type}"
        return "as for the primal"

    def to_dict(self) -> dict[str, object]:
        """Return the signature as plain data, for `--json`."""
        return {
            "name": self.name,
            "dependents": list(self.dependents),
            "independents": list(self.independents),
            "parameters": [
                {
                    "name": a.name,
                    "type": a.c_type,
                    "role": ROLES[a.use],
                    "size": self.size(a),
                    "of": a.of if a.role == "adjoint" else None,
                    **({"fields": {".".join(p.path): ROLES[p.use] for p in a.parts}} if a.parts else {}),
                }
                for a in self.arguments
            ],
        }
