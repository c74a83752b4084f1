"""The functions that device code can call without declaring them: names, types, rule.

They are listed in builtins.toml, written by tools/list_cuda_math.py from CUDA's
headers. A name has all of its C++ overloads. What C++ adds to them, an integer
argument of `sin` or a `float` beside a `double`, is left to overload resolution:
such a call uses the `double` overload.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from ... import ir
from ...ir import Pointer, Scalar, Type

_SCALARS: dict[str, Scalar] = {
    t.name: t
    for t in (
        ir.HALF,
        ir.BFLOAT16,
        ir.FLOAT,
        ir.DOUBLE,
        ir.BOOL,
        ir.CHAR,
        ir.SCHAR,
        ir.UCHAR,
        ir.SHORT,
        ir.USHORT,
        ir.INT,
        ir.UINT,
        ir.LONG,
        ir.ULONG,
        ir.LLONG,
        ir.ULLONG,
        ir.SIZE_T,
        ir.VOID,
    )
}


_ELSEWHERE = {
    "atomicAdd": [
        "__half atomicAdd(__half *, __half)",
        "__nv_bfloat16 atomicAdd(__nv_bfloat16 *, __nv_bfloat16)",
    ],
    "clock": ["long clock()"],
}
"""Declarations of other headers: C's, and overloads of half precision (for the rest: half_functions.py)."""


@dataclass(frozen=True)
class Builtin:
    """One overload. `rule` is the key of its entry in the rule table.

    A non-const pointer parameter of a math function is an output (`sincos`, `modf`).
    """

    name: str
    params: tuple[Type, ...]
    result: Type
    rule: str


class _Builtins(Mapping[str, tuple[Builtin, ...]]):
    """The built-ins, read on first use; an overload's types are built when it is looked up."""

    @cached_property
    def _declared(self) -> dict[str, list[tuple[str, str]]]:
        """Map each name to its declarations, each with its rule."""
        names: dict[str, list[tuple[str, str]]] = {}
        text = (Path(__file__).parent / "builtins.toml").read_text(encoding="utf-8")
        for rule, declarations in (*tomllib.loads(text).items(), *_ELSEWHERE.items()):
            for declaration in declarations:
                name = declaration[: declaration.index("(")].rpartition(" ")[2].lstrip("*")
                names.setdefault(name, []).append((declaration, rule))
        return names

    def __getitem__(self, name: str) -> tuple[Builtin, ...]:
        return _overloads(name, tuple(self._declared[name]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    def __len__(self) -> int:
        return len(self._declared)

    def __contains__(self, name: object) -> bool:
        return name in self._declared


BUILTINS: Mapping[str, tuple[Builtin, ...]] = _Builtins()


@cache
def _overloads(name: str, declared: tuple[tuple[str, str], ...]) -> tuple[Builtin, ...]:
    return tuple(_builtin(name, declaration, rule) for declaration, rule in declared)


def _builtin(name: str, declaration: str, rule: str) -> Builtin:
    match = re.fullmatch(r"(.*?)\w+\((.*)\)", declaration)
    assert match, declaration
    params = tuple(_type(p) for p in match[2].split(", ")) if match[2] else ()
    return Builtin(name, params, _type(match[1]), rule)


def _type(text: str) -> Type:
    """Parse `const float *` to a type."""
    const = text.startswith("const ")
    bare = text.removeprefix("const ").strip()
    if bare.endswith("*"):
        return Pointer(_SCALARS[bare[:-1].strip()], const=const)
    return _SCALARS[bare]
