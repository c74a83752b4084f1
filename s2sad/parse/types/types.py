"""Arithmetic types of C++17 on 64-bit Linux, where nvcc compiles.

`char` is signed, `long` has eight bytes, `long double` is `double` in device code.
Everything else follows from three tables: names, ranks, and the types a literal
may take.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import replace

from ... import ir
from ...fields import size as struct_size
from ...ir import Expr, Scalar, Type

_NAMES: dict[tuple[str, ...], Scalar] = {
    tuple(sorted(words.split())): scalar
    for words, scalar in {
        "void": ir.VOID,
        "bool": ir.BOOL,
        "_Bool": ir.BOOL,
        "char": ir.CHAR,
        "signed char": ir.SCHAR,
        "unsigned char": ir.UCHAR,
        "short": ir.SHORT,
        "signed short": ir.SHORT,
        "unsigned short": ir.USHORT,
        "signed": ir.INT,
        "": ir.INT,
        "unsigned": ir.UINT,
        "long": ir.LONG,
        "signed long": ir.LONG,
        "unsigned long": ir.ULONG,
        "long long": ir.LLONG,
        "signed long long": ir.LLONG,
        "unsigned long long": ir.ULLONG,
        "float": ir.FLOAT,
        "double": ir.DOUBLE,
        "long double": ir.DOUBLE,
        "half": replace(ir.HALF, alias="half"),
        "__half": ir.HALF,
        "nv_bfloat16": replace(ir.BFLOAT16, alias="nv_bfloat16"),
        "__nv_bfloat16": ir.BFLOAT16,
        "size_t": ir.SIZE_T,
        "ptrdiff_t": ir.LONG,
        "wchar_t": ir.INT,
        "char16_t": ir.USHORT,
        "char32_t": ir.UINT,
        "ssize_t": ir.LONG,
        "clock_t": ir.LONG,
        "int8_t": ir.SCHAR,
        "int16_t": ir.SHORT,
        "int32_t": ir.INT,
        "int64_t": ir.LONG,
        "intptr_t": ir.LONG,
        "uint8_t": ir.UCHAR,
        "uint16_t": ir.USHORT,
        "uint32_t": ir.UINT,
        "uint64_t": ir.ULONG,
        "uintptr_t": ir.ULONG,
        "uchar": ir.UCHAR,
        "ushort": ir.USHORT,
        "uint": ir.UINT,
        "ulong": ir.ULONG,
    }.items()
}

# Integers of lower rank than `int` are promoted before arithmetic.
_RANK = {
    "bool": 0,
    "char": 1,
    "signed char": 1,
    "unsigned char": 1,
    "short": 2,
    "unsigned short": 2,
    "int": 3,
    "unsigned int": 3,
    "long": 4,
    "unsigned long": 4,
    "size_t": 4,
    "long long": 5,
    "unsigned long long": 5,
}

_UNSIGNED = {"int": ir.UINT, "long": ir.ULONG, "long long": ir.ULLONG}


def of_sign(type: Scalar, signed: bool) -> Scalar | None:
    """Return the integer type of that size and rank with or without a sign; None for other types."""
    if not type.is_integer or type.kind == "bool":
        return None
    words = type.name.replace("size_t", "unsigned long").split()
    plain = [word for word in words if word not in ("signed", "unsigned")]
    return scalar(["signed" if signed else "unsigned", *plain])


def scalar(words: Sequence[str]) -> Scalar | None:
    """Return the arithmetic type, or void, that these type specifiers name; None if they name none."""
    key = sorted(w for w in words if w not in ("int", "std::size_t"))
    if "std::size_t" in words:
        key.append("size_t")
    if "int" in words and key and key[-1] not in ("long", "short", "signed", "unsigned"):
        return None
    return _NAMES.get(tuple(key)) if words else None


def same(a: Type, b: Type) -> bool:
    """Whether two types are the same to C++ (`size_t` is `unsigned long`), ignoring pointers' qualifiers."""
    match a, b:
        case Scalar(), Scalar():
            return a == b or {a.name, b.name} == {"size_t", "unsigned long"}
        case ir.Pointer(), ir.Pointer():
            return same(a.target, b.target)
        case _:
            return a == b


def promote(type: Scalar) -> Scalar:
    """Return the type after integer promotion."""
    return ir.INT if type.is_integer and _RANK[type.name] < 3 else type


def common(a: Scalar, b: Scalar) -> Scalar:
    """Return the common type of two operands, by the usual arithmetic conversions."""
    if a.is_float or b.is_float:
        return ir.DOUBLE if ir.DOUBLE in (a, b) else ir.FLOAT
    a, b = promote(a), promote(b)
    rank_a, rank_b = _RANK[a.name], _RANK[b.name]
    if a.kind == b.kind:
        return a if rank_a >= rank_b else b
    unsigned, signed = (a, b) if a.kind == "unsigned" else (b, a)
    if _RANK[unsigned.name] >= _RANK[signed.name]:
        return unsigned
    return signed if signed.size > unsigned.size else _UNSIGNED[signed.name]


def convert(expr: Expr, type: Type) -> Expr:
    """Convert the expression implicitly, where C++ does."""
    if same(expr.type, type):
        return expr
    if is_half(expr.type) or is_half(type):
        return _by_float(expr, type)
    if isinstance(type, Scalar) and (kept := narrowed(expr, type)) is not expr:
        return convert(kept, type)
    return ir.Cast(expr, type, implicit=True, span=expr.span)


def narrowed(expr: Expr, type: Scalar) -> Expr:
    """Drop the widening of an integer that is narrowed again, which has no effect on the result."""
    if isinstance(expr, ir.Cast) and _there_and_back(expr.arg.type, expr.type, type):
        return expr.arg
    return expr


def _there_and_back(first: Type, wide: Type, type: Type) -> bool:
    """Whether an integer is widened and then narrowed to no less than its own size, which loses nothing."""
    if not (isinstance(first, Scalar) and isinstance(wide, Scalar) and isinstance(type, Scalar)):
        return False
    integers = all(t.is_integer and t != ir.BOOL for t in (first, wide, type))
    return integers and first.size <= type.size < wide.size


def is_half(type: Type) -> bool:
    """Whether a type is a number of half precision."""
    return isinstance(type, Scalar) and type.is_half


def widened(expr: Expr) -> Expr:
    """Convert a number of half precision to a float; leave any other as it is."""
    return convert(expr, ir.FLOAT) if is_half(expr.type) else expr


def _by_float(expr: Expr, type: Type) -> Expr:
    """Convert from or to half precision. This is a call of a CUDA function, so it is always explicit."""
    if is_half(expr.type):
        match expr:
            case ir.Cast(arg=ir.Const(value, ir.FLOAT) as exact, type=Scalar() as half) if (
                wrap(value, half) == value
            ):
                return convert(exact, type)  # the number is exact in both types
        return convert(ir.Cast(expr, ir.FLOAT, span=expr.span), type)
    if isinstance(expr.type, Scalar) and not expr.type.is_float:
        small = isinstance(expr, ir.Const) and abs(expr.value) < 1 << 24
        real = ir.FLOAT if small or expr.type.size < 4 else ir.DOUBLE
        expr = ir.Const(float(expr.value), real) if isinstance(expr, ir.Const) else convert(expr, real)
    return ir.Cast(expr, type, span=expr.span)


def truth(expr: Expr) -> Expr:
    """Convert the expression to a condition."""
    return convert(expr, ir.BOOL)


def rounded(value: float) -> float:
    """Return the nearest float."""
    return float(wrap(value, ir.FLOAT))


def wrap(value: int | float, type: Scalar) -> int | float | bool:
    """Return the value as the type stores it. Raises OverflowError for an integer from inf or nan."""
    match type.kind:
        case "bool":
            return bool(value)
        case "float":
            if type.size == 8:
                return float(value)
            if type.name == ir.BFLOAT16.name:
                return _bfloat16(float(value))
            form = "e" if type.size == 2 else "f"
            try:
                rounded: float = struct.unpack(form, struct.pack(form, float(value)))[0]
            except OverflowError:
                return float("inf") if value > 0 else float("-inf")
            return rounded
        case "signed" | "unsigned":
            if isinstance(value, float) and value != value:
                raise OverflowError("nan")
            bits = 8 * type.size
            whole = int(value) & ((1 << bits) - 1)
            return whole - (1 << bits) if type.kind == "signed" and whole >> (bits - 1) else whole
        case "void":
            raise OverflowError("void")


def _bfloat16(value: float) -> float:
    """Return the nearest number of eight significant bits, ties to even."""
    if value != value or value in (float("inf"), float("-inf")):
        return value
    (bits,) = struct.unpack("I", struct.pack("f", rounded(value)))
    bits = bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000
    whole: float = struct.unpack("f", struct.pack("I", bits))[0]
    return whole


def _fits(value: int, type: Scalar) -> bool:
    bits = 8 * type.size - (type.kind == "signed")
    return 0 <= value < 1 << bits


_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11}


def spelled(value: int | float | bool, type: Type) -> str:
    """Spell a number as the initialiser of a constant of the type."""
    match type:
        case Scalar(kind="bool"):
            return "true" if value else "false"
        case Scalar() if type.is_float:
            return f"{float(value)!r}{'f' if type == ir.FLOAT else ''}"
        case _:
            return str(int(value))


def literal(text: str) -> tuple[int | float | bool, Scalar] | None:
    """Return the value and the type of a literal in C++17; None if it isn't supported."""
    if text in ("true", "false"):
        return text == "true", ir.BOOL
    if text.startswith("'"):
        return _character(text[1:-1])
    plain = text.replace("'", "").lower()
    hexadecimal = plain.startswith("0x")
    if ("p" in plain) if hexadecimal else ("." in plain or "e" in plain):
        return _floating(plain, hexadecimal)
    return _integer(plain)


def _character(body: str) -> tuple[int, Scalar] | None:
    if body.startswith("\\"):
        rest = body[1:]
        if rest.startswith("x"):
            value = int(rest[1:], 16)
        elif rest.isdigit():
            value = int(rest, 8)
        elif rest in _ESCAPES:
            value = _ESCAPES[rest]
        else:
            value = ord(rest[:1] or "\0")
    elif len(body) == 1:
        value = ord(body)
    else:
        return None
    return int(wrap(value, ir.CHAR)), ir.CHAR


def _floating(plain: str, hexadecimal: bool) -> tuple[float, Scalar] | None:
    type = ir.DOUBLE
    if plain[-1] in "fl":
        type = ir.FLOAT if plain[-1] == "f" else ir.DOUBLE
        plain = plain[:-1]
    try:
        value = float.fromhex(plain) if hexadecimal else float(plain)
    except (ValueError, OverflowError):
        return None
    return float(wrap(value, type)), type


def _integer(plain: str) -> tuple[int, Scalar] | None:
    digits = plain.rstrip("ulz")
    suffix = plain[len(digits) :]
    try:
        if digits.startswith(("0x", "0b")):
            value = int(digits, 0)
        elif digits.startswith("0") and len(digits) > 1:
            value = int(digits, 8)
        else:
            value = int(digits, 10)
    except ValueError:
        return None
    decimal = not digits.startswith("0") or digits == "0"
    longs = 2 if "ll" in suffix else 1 if "l" in suffix or "z" in suffix else 0
    signed = (ir.INT, ir.LONG, ir.LLONG)[longs:]
    unsigned = (ir.UINT, ir.ULONG, ir.ULLONG)[longs:]
    if "u" in suffix:
        choices: Sequence[Scalar] = unsigned
    elif decimal:
        choices = signed
    else:
        choices = [t for pair in zip(signed, unsigned, strict=True) for t in pair]
    for type in choices:
        if _fits(value, type):
            return value, type
    return None


def spell(type: Type) -> str:
    """Return the type in C, for messages."""
    match type:
        case Scalar():
            return type.name
        case ir.Pointer():
            return f"{'const ' if type.const else ''}{spell(type.target)} {'&' if type.reference else '*'}"
        case ir.Array():
            extents = "".join(f"[{n}]" for n in type.extents)
            return f"{type.element.name}{extents}"
        case ir.Struct():
            return type.name + "".join(f"[{n}]" for n in type.extents)


def mangled(type: Type) -> str:
    """Return the type as part of a name."""
    return re.sub(r"\W+", "_", spell(type).replace(" *", "_p").replace(" &", "_r")).strip("_")


def size(type: Type) -> int:
    """Return the size of an object of the type, in bytes."""
    match type:
        case Scalar():
            return max(type.size, 1)
        case ir.Pointer():
            return 8
        case ir.Array():
            count = 1
            for extent in type.extents:
                count *= extent
            return count * type.element.size
        case ir.Struct():
            return struct_size(type)
