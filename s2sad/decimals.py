"""Floating-point numbers as short decimals, for those who print them and those who multiply literals."""

from __future__ import annotations

import math
import struct


def single(value: float) -> float:
    """The value rounded to `float`; beyond its range, infinity."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def decimal(value: float, size: int) -> str:
    """The shortest decimal that reads back as `value` in a floating type of `size` bytes."""
    if size == 4:
        value = single(value)
        text = next(t for p in range(1, 18) if single(float(t := f"{value:.{p}g}")) == value)
        text = repr(float(text))
    else:
        text = repr(value)
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return mantissa
    return f"{mantissa}e{int(exponent)}"
