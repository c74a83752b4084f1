"""Meanings of names while a function is lowered: variables, lvalues, functions, values of structs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from pycparser import c_ast

from ... import ir
from ...diagnostics import Diagnostic
from ...ir import Const, Expr, Place, Pointer, Struct, Sym, Type
from ...source import Span

SPECIALS = ("threadIdx", "blockIdx", "blockDim", "gridDim")
"""The built-in variables that give a thread's position."""


@dataclass(frozen=True)
class Jumped:
    """A name declared in an earlier case of a switch: in scope, but maybe never initialised."""

    sym: Sym | Alias


@dataclass(frozen=True)
class Poisoned:
    """A name whose declaration was refused: its uses are dropped without another diagnostic."""


@dataclass(frozen=True)
class Alias:
    """A name for an lvalue of another variable: a reference to it, or a pointer to it.

    The indices of `at` don't change as long as the name denotes this lvalue; it is None
    until a pointer is assigned. `offset` is the variable in the last index of a pointer
    that moves. A `lazy` pointer has been assigned only by statements of the block that
    declares it, so it denotes one lvalue from each of them to the next.
    """

    name: str
    type: ir.Pointer
    at: Place | None
    reference: bool = False
    offset: Sym | None = None
    lazy: bool = False
    span: Span | None = None
    given: Expr | None = None  # for a parameter that may be null: whether it isn't
    flag: Sym | None = None  # for a pointer that is null at first and tested: whether it is non-null now


@dataclass(frozen=True)
class Device:
    """A `__device__` function as its callers see it."""

    key: str
    name: str
    params: tuple[Type, ...]
    result: Type
    defaults: tuple[c_ast.Node | None, ...] = ()  # of its parameters, from the first
    inline: c_ast.FuncDef | None = None  # the definition, of a function that is inlined
    references: frozenset[int] = frozenset()  # the positions of its reference parameters,
    fixed: frozenset[int] = frozenset()  # and of those that it can't write through
    bindings: Mapping[str, Type | Const] | None = None  # of an instance of a template
    patterns: tuple[tuple[c_ast.Node, ...], frozenset[str]] | None = None  # the template's types and names
    refused: tuple[Diagnostic, ...] = ()  # why it can't be called; its types are unknown then
    atomic: str = ""  # `atomicAdd`, `atomicMax` or `atomicMin`, if it implements that


@dataclass(frozen=True)
class Bound:
    """A parameter of an inlined function: the values of its leaves in the caller.

    The keys are a leaf's path and its indices; for a number the only key is empty.
    """

    type: Type
    values: Mapping[LeafKey, Expr]


@dataclass(frozen=True)
class Access:
    """What an expression names: the variable, the path of fields, the indices along it, the type.

    For a pointer into an array the last index is the element that it points to; one to a
    `single` struct points to nothing else. Where numbers are read as structs of numbers, as in
    `(float4 *)x`, they begin at `base`, and `whole` is the variable that contains it.
    """

    whole: Sym
    path: tuple[str, ...]
    index: tuple[Expr, ...]
    type: Type
    points: Literal["", "element", "single"] = ""
    base: Place | None = None
    struct: Struct | None = None  # the type as which the numbers at `base` are read


@dataclass(frozen=True)
class Referred:
    """A pointer or a reference to a struct of another variable: what it points or refers to."""

    access: Access
    const: bool = False
    given: Expr | None = None  # for a parameter that may be null: whether it isn't
    offset: Sym | None = None  # for a pointer that moves: how far it has moved, a term of its last index
    lazy: bool = False  # for a pointer that moves: it has moved only in the block that declares it
    span: Span | None = None


@dataclass
class Leaving:
    """How a `return` in a loop or a switch of an inlined function is lowered."""

    returned: Place  # the flag that is set
    store: Callable[[c_ast.Return], None]
    count: int = 0  # the number of returns lowered


@dataclass(frozen=True)
class Value:
    """A value of a struct type: one expression for each leaf and, for arrays in it, for each element."""

    type: Struct
    leaves: Mapping[LeafKey, Expr]


Bindings = dict[str, Type | Const]
"""The arguments of a template by parameter name, in order."""


LeafKey = tuple[tuple[str, ...], tuple[int, ...]]


Named = Sym | Const | Jumped | Poisoned | Alias | Bound | Referred


def is_struct(type: Type | None) -> bool:
    """Whether the type is a struct, an array of structs, or a pointer to one."""
    match type:
        case Struct():
            return True
        case Pointer(target):
            return is_struct(target)
        case _:
            return False


def unset(name: str) -> dict[str, str]:
    """Return the message values for a pointer that is unset, perhaps one in a struct."""
    owner, _, field = name.partition(".")
    how = f"`{owner} = {{array, …}}`, with an array for `{field}`" if field else f"`float *{name} = array;`"
    return {"name": name, "how": how}


def takes(device: Device, count: int) -> bool:
    """Whether a function can be called with this number of arguments."""
    return count <= len(device.params) and all(d is not None for d in device.defaults[count:])
