"""An adjoint that stays a template: transform each wanted instance, and merge them to one text.

The texts for float and for double show whether one text serves; explicit instantiations
are for the requested instances, or for the one that the file uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from . import emit
from .diagnostics import Code, Rejected, diagnose
from .ir import Program
from .options import Options
from .signature import Argument, Signature
from .source import Source
from .transform.unit import Adjoint

Template = tuple[tuple[str, str], ...]
_REALS = ("float", "double")


class Instance(Protocol):
    """One instance, transformed."""

    @property
    def source(self) -> Source: ...
    @property
    def program(self) -> Program: ...
    @property
    def options(self) -> Options: ...
    @property
    def adjoint(self) -> Adjoint: ...


One = TypeVar("One", bound=Instance)


@dataclass(frozen=True)
class Kept(Generic[One]):
    """A text that serves all instances; `adjoint` is that of the first."""

    adjoint: Adjoint
    text: str
    instances: tuple[One, ...]
    parameter: str


def kept(first: One, asked: Template, made: Callable[[Source, Options], One]) -> Kept[One]:
    """Merge the instances of an adjoint, of which `first` is one, to a template. Raises Rejected.

    `asked` are the wanted instances, if specified.
    """
    kernel = first.program.kernel

    def refused(why: str, help: str) -> Rejected:
        return Rejected(diagnose(Code.KEPT_TEMPLATE, kernel.span, kernel=kernel.name, why=why, help=help))

    found = first.program.template
    option = ",".join(f"{a.name}={a.text}" for a in found)
    concrete = f"leave --keep-template out: --template {option}"
    if first.options.companion:
        raise refused("a companion is one instance", "leave --companion or --keep-template out")
    if not found:
        raise refused(f"{kernel.name} isn't a template", "leave --keep-template out")
    if odd := [a for a in found if a.text not in _REALS]:
        why = f"its parameter {odd[0].name} is {odd[0].text}, which the text depends on"
        raise refused(why, concrete)
    if len(found) > 1:
        why = f"it has {len(found)} parameters, {' and '.join(a.name for a in found)}"
        raise refused(why, concrete)
    parameter = found[0].name
    wanted = list(dict.fromkeys(text for name, text in asked if name == parameter)) or [found[0].text]
    if odd_ones := [text for text in wanted if text not in _REALS]:
        raise refused(f"--template specifies {parameter} = {odd_ones[0]}", "it can be float, double or both")

    def of(real: str) -> One:
        if real == found[0].text:
            return first
        try:
            return made(first.source, replace(first.options, template=((parameter, real),)))
        except Rejected as rejected:
            why = f"with {parameter} = {real} {rejected.diagnostics[0].title}"
            raise refused(why, concrete) from None

    both = {real: of(real) for real in _REALS}
    names = tuple(f"{parameter} = {real}" for real in wanted)
    listed = ",".join(f"{parameter}={real}" for real in wanted)
    command = re.sub(r"--template \S+", f"--template {listed}", first.adjoint.command)
    adjoints = {real: replace(done.adjoint, kept=names, command=command) for real, done in both.items()}
    texts = {real: emit.render(adjoint, first.options.skin or "plain") for real, adjoint in adjoints.items()}
    try:
        text = emit.kept(texts["float"], texts["double"], texts[wanted[0]], parameter)
    except emit.Differs as differs:
        raise refused(str(differs), concrete) from None
    heads = [head for real in wanted for head in _heads(both[real], text, parameter, real)]
    text = emit.instances(text, heads)
    return Kept(adjoints[wanted[0]], text, tuple(both[real] for real in wanted), parameter)


def entries(done: Instance) -> frozenset[str]:
    """Return the kernels and the size functions of an adjoint."""
    adjoint = done.adjoint
    every = (adjoint.signature, adjoint.forward_signature, adjoint.measure_signature)
    made = [s for s in every if s is not None]
    return frozenset(f"{s.name}{end}" for s in made for end in ("", "_tape_bytes", "_shared_bytes"))


def _heads(done: Instance, text: str, parameter: str, real: str) -> list[str]:
    """Return the declarations of one instance, without names of parameters."""
    found = []
    adjoint = done.adjoint
    every = (adjoint.measure_signature, adjoint.forward_signature, adjoint.signature)
    made = [in_template(s, text, real) for s in every if s is not None]
    for s in made:
        listed = ", ".join(map(_declared, s.arguments))
        found.append(f"__global__ void {s.name}<{real}>({listed})")
    adjoints = in_template(done.adjoint.signature, text, real)
    name = adjoints.name
    for end, first in (("_shared_bytes", ["dim3", "dim3", "size_t"]), ("_tape_bytes", ["dim3", "dim3"])):
        if f"template <class {parameter}>\nsize_t {name}{end}(" in text:
            scalars = map(_declared, adjoints.scalars(trips=end == "_tape_bytes"))
            found.append(f"size_t {name}{end}<{real}>({', '.join([*first, *scalars])})")
    return found


def in_template(signature: Signature, text: str, real: str) -> Signature:
    """Return the signature of an instance, with the structs of which the text has made templates."""

    def named(argument: Argument) -> Argument:
        template = emit.template_of(argument.type, real) if argument.layout is not None else ""
        made = template and f"struct {template} {{" in text
        return replace(argument, type=f"{template}<{real}>") if made else argument

    return replace(signature, arguments=tuple(map(named, signature.arguments)))


def _declared(argument: Argument) -> str:
    return argument.c_type.replace("* ", "*")
