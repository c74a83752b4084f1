"""What a parameter holds, as arrays and numbers have it, from the text of its type.

Template parameters and aliases are replaced until nothing changes. What isn't a number
then is a struct, and a struct is passed as the numbers in it: the compiler knows its
layout, and the case says how many there are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..diagnostics import Code, Diagnostic, diagnose
from ..validate.elements import dtype, is_floating
from .reading import Parameter

Kind = Literal["number", "array", "object", "tensor"]
"""number: by value. array: a pointer. object: a struct by value. tensor: an accessor, with its sizes."""

_VECTOR = re.compile(r"(char|uchar|short|ushort|int|uint|long|ulong|longlong|ulonglong|float|double)([1-4])")
_BASE = {"longlong": "long long", "ulonglong": "unsigned long long"}
_TENSOR = re.compile(r"(?:(?:::)?(?:at|torch)::)?(?:Generic)?PackedTensorAccessor(?:32|64)?<(.+?),\s*(\d+)")
_HALF = re.compile(r"\b(__half2?|half2?|Half|__nv_bfloat162?|nv_bfloat162?|BFloat16)\b")


@dataclass(frozen=True)
class Held:
    """A parameter's content: `element` is the C type of its numbers.

    `width` is how many numbers an element has: 1 for numbers themselves, 0 where only
    the compiler knows. `rank`: of a tensor.
    """

    kind: Kind
    element: str
    const: bool
    width: int = 1
    rank: int = 0

    @property
    def floating(self) -> bool:
        return is_floating(self.element)


def replaced(text: str, meanings: Mapping[str, str]) -> str:
    """A type with template parameters and aliases replaced by what they stand for."""
    for _ in range(8):
        after = re.sub(r"(?<!::)\b[A-Za-z_]\w*\b", lambda m: meanings.get(m[0], m[0]), text)
        if after == text:
            break
        text = after
    return text


def held(parameter: Parameter, meanings: Mapping[str, str]) -> Held | Diagnostic:
    """What a parameter holds, or why it can't be passed."""
    text = replaced(parameter.type, meanings)
    text = re.sub(r"\b(?:::)?(?:std|c10|at)::(?=(?:u?int\d+_t|size_t|ptrdiff_t)\b)", "", text)
    words = re.sub(r"\bconst\b", " ", text).split()
    pointers = parameter.pointers + text.count("*") * ("<" not in text)
    text = " ".join(words).replace("*", "").strip() if "<" not in text else text
    if pointers > 1:
        what = f"{parameter.type} {'*' * parameter.pointers}"
        return diagnose(Code.AUDIT_PARAMETER, parameter.span, name=parameter.name, type=what)
    if _HALF.search(text):
        return diagnose(Code.UNSUPPORTED_TYPE, parameter.span, name=parameter.name, type=text)
    if tensor := _TENSOR.match(text):
        element = re.sub(r"\bconst\b", "", tensor[1]).strip()
        if dtype(element) is None:
            return diagnose(Code.UNSUPPORTED_TYPE, parameter.span, name=parameter.name, type=element)
        return Held("tensor", element, "const" in tensor[1], rank=int(tensor[2]))
    if text == "void" or dtype(text) is not None:
        if pointers:
            return Held("array", "unsigned char" if text == "void" else text, parameter.const)
        return Held("number", text, True)
    element, width = _numbers_of(text)
    return Held("array" if pointers else "object", element, parameter.const or not pointers, width)


def _numbers_of(text: str) -> tuple[str, int]:
    """Of a struct the type of its numbers, and how many there are as far as that is known."""
    if vector := _VECTOR.fullmatch(text):
        base = _BASE.get(vector[1], vector[1])
        return ("signed char" if base == "char" else base), int(vector[2])
    if re.search(r"\bdouble\b|\bdvec\d|\bdmat\d", text):
        return "double", 0
    if re.search(r"\b[iu]vec\d|\bint\b", text):
        return "int", 0
    return "float", 0
