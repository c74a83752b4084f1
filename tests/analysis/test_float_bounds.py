"""Intervals contain what single and double precision compute, whatever of it a compiler flushes to zero."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from s2sad.analysis.float_bounds import (
    Bounds,
    Operation,
    added,
    beyond,
    divided,
    exactly,
    greatest,
    joined,
    least,
    magnitude,
    multiplied,
    negated,
    root,
    squared,
    subtracted,
)
from s2sad.ir import DOUBLE, FLOAT, Scalar

NUMBERS = (0.0, 1e-45, 3e-39, 1e-30, 1e-3, 0.1, 0.5, 1.0, 1.5, 3.0, 1e19, 3e38, math.inf)
VALUES = (*NUMBERS, *(-v for v in NUMBERS), math.nan)
OPERATIONS: dict[str, tuple[Operation, np.ufunc]] = {
    "+": (added, np.add),
    "-": (subtracted, np.subtract),
    "*": (multiplied, np.multiply),
    "/": (divided, np.divide),
    "fmax": (greatest, np.fmax),
    "fmin": (least, np.fmin),
}
TYPES: dict[str, tuple[Scalar, type[np.floating]]] = {
    "float": (FLOAT, np.float32),
    "double": (DOUBLE, np.float64),
}


def contains(bounds: Bounds, value: float, why: object) -> None:
    if math.isnan(value):
        assert not bounds.number, why
    else:
        assert bounds.low <= value <= bounds.high, (why, value)


def flushed(value: float, real: type[np.floating]) -> float:
    return 0.0 if abs(value) < np.finfo(real).tiny else value


def around(value: float, other: float) -> Bounds:
    """The interval between two values; NaN is in each that isn't of numbers."""
    ends = [v for v in (value, other) if not math.isnan(v)] or [0.0]
    return Bounds(min(ends), max(ends), len(ends) == 2 and value == value and other == other)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("op", OPERATIONS)
def test_results_are_inside(op: str, type_: str) -> None:
    made, real_op = OPERATIONS[op]
    kind, real = TYPES[type_]
    values = [float(real(v)) for v in VALUES]
    chosen = random.Random(0)
    with np.errstate(all="ignore"):
        for a, b in itertools.product(values, values):
            for _ in range(6):
                one, two = around(a, chosen.choice(values)), around(b, chosen.choice(values))
                value = float(real_op(real(a), real(b)))
                bounds = made(one, two, kind)
                contains(bounds, value, (op, one, two))
                if op in ("*", "/"):  # what is subnormal otherwise was so before
                    contains(bounds, flushed(value, real), (op, one, two))


@pytest.mark.parametrize("type_", TYPES)
def test_functions_of_one_value_are_inside(type_: str) -> None:
    kind, real = TYPES[type_]
    values = [float(real(v)) for v in VALUES]
    with np.errstate(all="ignore"):
        for a, b in itertools.product(values, values):
            inside = around(a, b)
            one = real(a)
            contains(squared(inside, kind), float(one * one), inside)
            contains(squared(inside, kind), flushed(float(one * one), real), inside)
            contains(root(inside, kind), float(np.sqrt(one)), inside)
            contains(magnitude(inside), abs(a), inside)
            contains(negated(inside), -a, inside)
            contains(joined(inside, exactly(7.0, kind)), a, inside)


@pytest.mark.parametrize("value", [v for v in VALUES if math.isfinite(v)])
def test_the_next_number_is_the_next(value: float) -> None:
    own = float(np.float32(value))
    assert beyond(own, FLOAT) == float(np.nextafter(np.float32(own), np.float32(np.inf)))
    assert beyond(value, DOUBLE) == math.nextafter(value, math.inf)


def test_a_literal_below_the_least_number_may_be_zero() -> None:
    assert exactly(1e-46, FLOAT).low == 0.0
    assert exactly(1e-39, FLOAT).low == 0.0, "a flushed subnormal"
    assert exactly(0.01, FLOAT).low > 0.009999
    assert exactly(0.01, FLOAT).low <= float(np.float32(0.01)) <= exactly(0.01, FLOAT).high
    assert exactly(0.5, FLOAT) == Bounds(0.5, 0.5, True)


def test_contracted_sums_are_inside() -> None:
    chosen = random.Random(1)
    for _ in range(2000):
        a, b, c = (float(np.float32(chosen.uniform(-2, 2))) for _ in range(3))
        product = multiplied(exactly(a, FLOAT), exactly(b, FLOAT), FLOAT)
        contains(added(product, exactly(c, FLOAT), FLOAT), float(np.float32(a * b + c)), (a, b, c))
