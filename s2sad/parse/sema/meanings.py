"""What names can mean while a function is lowered: variables, places, functions, values of structs."""

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
"""What says where a thread is."""


@dataclass(frozen=True)
class Jumped:
    """A name declared in an earlier case of a switch: in scope, but maybe never initialised."""

    sym: Sym | Alias


@dataclass(frozen=True)
class Poisoned:
    """A name whose declaration was refused: its uses are left out without another word."""


@dataclass(frozen=True)
class Alias:
    """A name for a place of another variable: a reference to it, or a pointer to it.

    The indices of `at` don't change as long as the name means this place; it is None
    until a pointer is assigned. `offset` is the variable in the last index of a pointer
    that moves. One that is `lazy` has been given new places by statements beside its
    declaration alone, and so means one place from each of them to the next.
    """

    name: str
    type: ir.Pointer
    at: Place | None
    reference: bool = False
    offset: Sym | None = None
    lazy: bool = False
    span: Span | None = None
    given: Expr | None = None  # of a parameter that may be a null pointer: whether it isn't
    flag: Sym | None = None  # of a pointer that is null at first and asked for: says whether it isn't now


@dataclass(frozen=True)
class Device:
    """A `__device__` function as its callers see it."""

    key: str
    name: str
    params: tuple[Type, ...]
    result: Type
    defaults: tuple[c_ast.Node | None, ...] = ()  # of its parameters, from the first
    inline: c_ast.FuncDef | None = None  # of a function that is written into its callers
    references: frozenset[int] = frozenset()  # the positions of its reference parameters,
    fixed: frozenset[int] = frozenset()  # and of those that it can't write through
    bindings: Mapping[str, Type | Const] | None = None  # of an instance of a template
    patterns: tuple[tuple[c_ast.Node, ...], frozenset[str]] | None = None  # of an instance: what it was
    refused: tuple[Diagnostic, ...] = ()  # why nobody may call it; its types aren't known then
    atomic: str = ""  # `atomicAdd`, `atomicMax` or `atomicMin`, if it is that under another name


@dataclass(frozen=True)
class Bound:
    """A parameter of a function that is written into its caller: the values of its leaves there.

    The keys are a leaf's path and its indices; of a number the one key is empty.
    """

    type: Type
    values: Mapping[LeafKey, Expr]


@dataclass(frozen=True)
class Access:
    """What an expression names: the variable, the fields on the way, the indices on the way, its type.

    Of a pointer into an array the last index is the element that it points to; one to a
    `single` struct points to nothing else. Where numbers are read as structs of such, as in
    `(float4 *)x`, they begin at `base`, and `whole` is what that is an element of.
    """

    whole: Sym
    path: tuple[str, ...]
    index: tuple[Expr, ...]
    type: Type
    points: Literal["", "element", "single"] = ""
    base: Place | None = None
    struct: Struct | None = None  # what the numbers at `base` are read as


@dataclass(frozen=True)
class Referred:
    """A pointer or a reference to a struct of another variable: what it points or refers to."""

    access: Access
    const: bool = False
    given: Expr | None = None  # of a parameter that may be a null pointer: whether it isn't


@dataclass
class Leaving:
    """What a `return` in a loop or a switch does, in a function that is written into its caller."""

    returned: Place  # whether there was one
    store: Callable[[c_ast.Return], None]
    count: int = 0  # of the returns


@dataclass(frozen=True)
class Value:
    """A value of a struct type: one expression for each leaf and, of arrays in it, for each element."""

    type: Struct
    leaves: Mapping[LeafKey, Expr]


Bindings = dict[str, Type | Const]
"""What the parameters of a template stand for, in their order."""


LeafKey = tuple[tuple[str, ...], tuple[int, ...]]


Named = Sym | Const | Jumped | Poisoned | Alias | Bound | Referred


def is_struct(type: Type | None) -> bool:
    """Whether the type is a struct, an array of such, or a pointer to one."""
    match type:
        case Struct():
            return True
        case Pointer(target):
            return is_struct(target)
        case _:
            return False


def unset(name: str) -> dict[str, str]:
    """What is said of a pointer that has no place yet, which may be one in a struct."""
    owner, _, field = name.partition(".")
    how = f"`{owner} = {{array, …}}`, with an array for `{field}`" if field else f"`float *{name} = array;`"
    return {"name": name, "how": how}


def takes(device: Device, count: int) -> bool:
    """Whether a function can be called with so many arguments."""
    return count <= len(device.params) and all(d is not None for d in device.defaults[count:])
