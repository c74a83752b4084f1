"""Find the content of a parameter, as arrays and numbers, from the text of its type.

Template parameters and aliases are replaced until nothing changes. A type that isn't a number
then is a struct, and a struct is passed as its numbers: the compiler knows its
layout, and the case specifies how many there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ..diagnostics import Code, Diagnostic, diagnose
from ..run.cpu.lexemes import between_commas
from ..validate.elements import dtype, is_floating
from . import structs
from .reading import File, Parameter

Kind = Literal["number", "array", "object", "tensor", "nothing"]
"""The form of an argument: a number by value, an array by pointer, a struct by value, an accessor with
its sizes; nothing for a struct without members, such as a functor."""

_VECTOR = re.compile(r"(char|uchar|short|ushort|int|uint|long|ulong|longlong|ulonglong|float|double)([1-4])")
_BASE = {"char": "signed char", "longlong": "long long", "ulonglong": "unsigned long long"}
_TENSOR = re.compile(r"(?:(?:::)?(?:at|torch)::)?(?:Generic)?PackedTensorAccessor(?:32|64)?<(.+?),\s*(\d+)")
_ACCESSOR = re.compile(r"(?:Generic)?PackedTensorAccessor")  # of PyTorch, or what emitted texts have for it
_HALF = re.compile(r"\b(__half2?|half2?|Half|__nv_bfloat162?|nv_bfloat162?|BFloat16)\b")
_STANDARD = re.compile(r"\b(?:::)?(?:std|c10|at)::(?=(?:u?int\d+_t|size_t|ptrdiff_t)\b)")


@dataclass(frozen=True)
class Held:
    """A parameter's content: `element` is the C type of its numbers.

    `width` is the count of numbers in an element: 1 for numbers themselves, 0 if only
    the compiler knows. `rank`: of a tensor; 0 if the case specifies it. `placed`: a tensor's accessor is
    passed by pointer.
    """

    kind: Kind
    element: str
    const: bool
    width: int = 1
    rank: int = 0
    placed: bool = False

    @property
    def floating(self) -> bool:
        return is_floating(self.element)


def replaced(text: str, meanings: Mapping[str, str]) -> str:
    """Replace template parameters and aliases in a type by their meanings."""
    for _ in range(8):
        after = re.sub(r"(?<!::)\b[A-Za-z_]\w*\b", lambda m: meanings.get(m[0], m[0]), text)
        if after == text:
            break
        text = after
    return text


def held(file: File, parameter: Parameter, meanings: Mapping[str, str]) -> Held | Diagnostic:
    """Return the content of a parameter, or why it can't be passed."""
    text = _STANDARD.sub("", replaced(parameter.type, meanings))
    pointers, const = parameter.pointers, parameter.const
    if "<" not in text:  # an alias may contain its own
        pointers, const = pointers + text.count("*"), const or "const" in text.split()
        text = " ".join(re.sub(r"\bconst\b|\*", " ", text).split())
    if pointers > 1:
        return _refused(parameter, "* " * pointers)
    if _HALF.search(text):
        return diagnose(Code.UNSUPPORTED_TYPE, parameter.span, name=parameter.name, type=text)
    if tensor := _TENSOR.match(text):
        element = re.sub(r"\bconst\b", "", tensor[1]).strip()
        if dtype(element) is None:
            return diagnose(Code.UNSUPPORTED_TYPE, parameter.span, name=parameter.name, type=element)
        return Held("tensor", element, "const" in tensor[1].split(), rank=int(tensor[2]), placed=pointers > 0)
    if text == "void" or dtype(text) is not None:
        if pointers:
            return Held("array", "unsigned char" if text == "void" else text, const)
        return Held("number", text, True)
    return _struct(file, parameter, text, pointers, const, meanings)


def _struct(
    file: File, parameter: Parameter, text: str, pointers: int, const: bool, meanings: Mapping[str, str]
) -> Held | Diagnostic:
    kind: Kind = "array" if pointers else "object"
    const = const or not pointers
    if vector := _VECTOR.fullmatch(text):
        return Held(kind, _BASE.get(vector[1], vector[1]), const, int(vector[2]))
    reached = list(_numbers(file, text, meanings))
    if any(pointer for _, pointer in reached):
        inside = {_numeric(each) for each, pointer in reached if pointer}
        alone = len([1 for _, pointer in reached if pointer]) == 1 and None not in inside
        if not alone or (pointers and not _ACCESSOR.match(text)):
            return _refused(parameter, "*" * pointers)
        return Held("tensor", inside.pop() or "float", False, placed=pointers > 0)
    if not reached and not pointers and structs.find(file, text.partition("<")[0].split("::")[-1].strip()):
        return Held("nothing", "char", True)
    found = {_numeric(each) for each, _ in reached}
    if None in found or len(found) > 1:
        return _refused(parameter, "*" * pointers)
    return Held(kind, found.pop() or "float" if found else _by_name(text), const, 0)


def _numbers(file: File, text: str, meanings: Mapping[str, str], deep: int = 0) -> Iterator[tuple[str, bool]]:
    """Yield the types of numbers in a struct and of its pointees; nothing if it isn't in the file."""
    base, _, inside = text.partition("<")
    struct = structs.find(file, base.split("::")[-1].strip())
    if struct is None or deep > 4:
        return
    given = [part.strip() for part in between_commas(inside.rpartition(">")[0])]
    own = {**meanings, **dict(zip(struct.template, given, strict=False))}
    for member in struct.pointers:
        yield replaced(member, own), True
    for member in struct.others:
        kind = _STANDARD.sub("", replaced(member, own))
        if _numeric(kind) is not None:
            yield kind, False
        elif nested := list(_numbers(file, kind, meanings, deep + 1)):
            yield from nested
        elif vector := _VECTOR.fullmatch(kind):
            yield _BASE.get(vector[1], vector[1]), False


def _numeric(text: str) -> str | None:
    text = " ".join(re.sub(r"\bconst\b", " ", text).split())
    return text if dtype(text) is not None else None


def _by_name(text: str) -> str:
    """Guess the type of the numbers in a struct that isn't declared in the file."""
    if re.search(r"\bdouble\b|\bdvec\d|\bdmat\d", text):
        return "double"
    return "int" if re.search(r"\b[iu]vec\d|\bint\b", text) else "float"


def _refused(parameter: Parameter, stars: str) -> Diagnostic:
    kind = f"{parameter.type} {stars}".strip()
    return diagnose(Code.AUDIT_PARAMETER, parameter.span, name=parameter.name, type=kind)
