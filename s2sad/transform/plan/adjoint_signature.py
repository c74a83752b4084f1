"""The adjoint kernel's parameters: the primal's, each followed by its adjoint if it has one.

    float *x, View v, Fit f        float *x, float *adj_x, View v, View adj_v, Fit f, Fit *adj_f

The adjoint of a struct passed by value is passed by value, too, where all that has an adjoint is behind
its pointers; where numbers of the struct have one, a pointer to such a struct is passed. For structs that
hold pointers, each field has its own use.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from ...diagnostics import Code, Rejected, diagnose
from ...fields import by_value, element, inner_extents, is_float, is_held, layout_of, rows, variables
from ...ir import (
    INT,
    Array,
    Const,
    Function,
    Parameter,
    Place,
    Pointer,
    Scalar,
    Storage,
    Struct,
    Sym,
    scalar_type,
    wide,
)
from ...signature import Argument, Part, Use
from ...source import Span
from ..common.adjoint_types import summed
from .facts import Facts


class Parameters:
    """The adjoint kernel's parameters, and the symbol of each variable's adjoint.

    `read`: the arrays that structs passed by value point to and that the kernel reads. With
    `separate`, each field's adjoint is a separate parameter: `apart`, by field.
    """

    def __init__(
        self,
        kernel: Function,
        of: tuple[Sym, ...],
        wrt: tuple[Sym, ...],
        read: Container[Sym],
        written: frozenset[Sym],
        constant_seeds: frozenset[Sym],
        prefix: str,
        facts: Facts,
        split: bool,
        separate: bool = False,
    ) -> None:
        self.parameters: list[Parameter] = []
        self.arguments: list[Argument] = []
        self.adjoints: dict[Sym, Sym] = {}
        self.totals: list[tuple[Sym, Sym]] = []
        self.constant = frozenset[Sym]()
        self.apart: dict[Sym, Sym] = {}
        self._asked = frozenset((*of, *wrt))
        self._written, self._seeds, self._prefix = written, constant_seeds, prefix
        self._ever = facts.activity.ever
        taken = {name: s.span for s in variables(kernel.syms) for name in (s.name, prefix + s.name)}
        for whole, parts in variables(kernel.syms).items():
            self.parameters += [Parameter(sym) for sym in parts]
            argument = value_argument(whole, parts, read, written)
            if split and any(sym in written for sym in parts):
                left = tuple(replace(p, use="exit") if p.written else p for p in argument.parts)
                self.arguments.append(replace(argument, use="exit", parts=left))
            else:
                self.arguments.append(argument)
            real = [sym for sym in parts if is_float(sym)]
            name = prefix + whole.name
            out = replace(argument, name=name, role="adjoint", pointer=True, written=False, parts=())
            if separate and isinstance(element(whole.type), Struct):
                self._fields(real, out, taken)
            elif isinstance(whole.type, Pointer):
                self._array(real, out)
            else:
                self._value(whole, real, out, held=any(is_held(s) for s in parts))
        for sym in self._ever:
            if sym not in self.adjoints:
                storage: Storage = "shared" if sym.storage == "shared" else "local"
                own = summed(sym.type)
                if isinstance(own, Array) and own.open:
                    own = Pointer(own.element)  # placed after the array itself, or instead of it
                self.adjoints[sym] = Sym(prefix + sym.name, own, storage, of=sym)

    def _stored(self, sym: Sym) -> bool:
        """Whether the kernel stores to a variable whose adjoint may be nonzero."""
        return sym in self._written and sym in self._ever

    def _fields(self, real: Sequence[Sym], out: Argument, taken: Mapping[str, Span | None]) -> None:
        """The adjoints of a struct's fields, each a separate parameter."""
        for sym in real:
            if sym in self._asked or (self._stored(sym) and _is_array(sym)):
                use = self._use_of(sym)
                seed = use == "seed"
                adj = self._apart(sym, self._prefix, taken, seed)
                if seed:
                    self.constant |= {adj}
                type = element(adj.type).name
                own = replace(out, name=adj.name, type=type, const=seed, of=sym.name, use=use, layout=None)
                self.arguments.append(replace(own, rows=rows(adj.type)))

    def _array(self, real: Sequence[Sym], out: Argument) -> None:
        """The adjoint of an array; for an array of structs, all fields or none have one."""
        asked = any(sym in self._asked for sym in real)
        if not asked and not any(map(self._stored, real)):
            return
        still = any(sym in self._seeds for sym in real)
        for sym in real:
            self._pointer(sym, const=still)
            if still:
                self.constant |= {self.adjoints[sym]}
        use: Use = "accumulates"
        if still:
            use = "seed"
        elif any(sym in self._written for sym in real):
            use = "replaced" if asked else "scratch"
        self.arguments.append(replace(out, const=still, use=use))

    def _value(self, whole: Sym, real: Sequence[Sym], out: Argument, *, held: bool) -> None:
        """The adjoint of a scalar or struct passed by value, to which the sum over all threads is added."""
        given = [sym for sym in real if sym in self._asked or (is_held(sym) and self._stored(sym))]
        if not given:
            return
        struct: Sym | None = None
        if all(map(is_held, given)):  # nothing in the struct itself is added to: the arrays are
            struct = Sym(out.name, whole.type, "parameter", of=whole)
        for sym in given:
            if isinstance(sym.type, Pointer):  # an array inside a struct, or pointed to by one
                self._pointer(sym, const=False, within=struct)
                if sym in self._seeds:
                    self.constant |= {self.adjoints[sym]}
            else:
                self._total(sym, self._prefix + sym.name)
        parts = tuple(Part(sym.path, self._use_of(sym)) for sym in given) if held else ()
        self.arguments.append(
            replace(out, const=False, pointer=struct is None, use="accumulates", parts=parts)
        )

    def _pointer(self, sym: Sym, *, const: bool, within: Sym | None = None) -> None:
        """Add the parameter for the adjoint of an array, or the field of `within` that points to it."""
        assert isinstance(sym.type, Pointer)
        kind = replace(sym.type, const=const, target=summed(sym.type.target))
        path = () if within is None else sym.path
        name = self._prefix + sym.name
        self.adjoints[sym] = Sym(name, kind, "parameter", of=sym, within=within, path=path)
        self.parameters.append(Parameter(self.adjoints[sym]))

    def _total(self, sym: Sym, name: str) -> Sym:
        """Add the parameter for the adjoint of a scalar, and the local for each thread's share."""
        pointer = Sym(name, Pointer(wide(scalar_type(sym))), "parameter", of=sym)
        self.adjoints[sym] = Sym(f"{self._prefix}{sym.plain}_sum", wide(scalar_type(sym)), of=sym)
        self.totals.append((self.adjoints[sym], pointer))
        self.parameters.append(Parameter(pointer))
        return pointer

    def _use_of(self, sym: Sym) -> Use:
        """How the caller uses the adjoint of a struct field."""
        if sym in self._seeds:
            return "seed"
        if sym in self._written:
            return "replaced" if sym in self._asked else "scratch"
        return "accumulates"

    def _apart(self, sym: Sym, prefix: str, taken: Mapping[str, Span | None], still: bool) -> Sym:
        """Add the parameter for the adjoint of a single field."""
        name = prefix + sym.plain
        whole = sym.within
        assert whole is not None
        if not sym.path:
            raise Rejected(diagnose(Code.SEPARATE, whole.span, name=whole.name, adjoint=prefix + whole.name))
        if name in taken:
            raise Rejected(
                diagnose(Code.NAME_TAKEN, taken[name], name=name, what=f"the adjoint of {sym.name}")
            )
        if isinstance(sym.type, Pointer):
            target, inner = summed(sym.type.target), inner_extents(sym)
            if inner:
                assert isinstance(target, Scalar)
                target = Array(target, inner)
            pointer = Sym(name, replace(sym.type, const=still, target=target), "parameter", of=sym)
            self.adjoints[sym] = pointer
            self.parameters.append(Parameter(pointer))
        else:
            pointer = self._total(sym, name)
        self.apart[sym] = pointer
        return pointer

    @property
    def owed(self) -> Iterator[Place]:
        """The first element of each adjoint that the kernel writes."""
        arrays = [adj for adj in self.adjoints.values() if adj.storage == "parameter"]
        for adj in (*arrays, *(pointer for _, pointer in self.totals)):
            assert isinstance(adj.type, Pointer)
            if adj not in self.constant:
                first = Const(0, INT, spelling="0" if adj in arrays else None)
                yield Place(adj, (first, *(first for _ in inner_extents(adj.of or adj))), element(adj.type))


def _is_array(sym: Sym) -> bool:
    """Whether a parameter or field refers to the caller's memory."""
    return not by_value(sym) or is_held(sym)


def value_argument(sym: Sym, parts: list[Sym], read: Container[Sym], written: frozenset[Sym]) -> Argument:
    pointer = isinstance(sym.type, Pointer)
    of_fields = fields_of(parts, read, written)
    return argument_of(sym, pointer and any(p in written for p in parts), of=sym.name, parts=of_fields)


def fields_of(parts: Sequence[Sym], read: Container[Sym], written: Container[Sym]) -> tuple[Part, ...]:
    """The fields of a by-value struct that holds pointers; empty for any other parameter."""
    if not any(is_held(sym) for sym in parts):
        return ()
    return tuple(
        Part(sym.path, "entry", not is_held(sym) or sym in read, is_held(sym) and sym in written)
        for sym in parts
    )


def argument_of(sym: Sym, written: bool, of: str = "", parts: tuple[Part, ...] = ()) -> Argument:
    """A parameter of the primal, as a signature entry."""
    pointer, inner = isinstance(sym.type, Pointer), element(sym.type)
    const = isinstance(sym.type, Pointer) and sym.type.const
    layout = layout_of(inner) if isinstance(inner, Struct) else None
    return Argument(
        sym.name,
        inner.name,
        pointer,
        const,
        of=of,
        written=written,
        layout=layout,
        rows=rows(sym.type),
        parts=parts,
    )
