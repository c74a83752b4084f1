"""The CPU header has every function that device code can call, with the right types."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import s2sad
from s2sad.run.doubles import FLOAT_FUNCTIONS, double_name
from s2sad.run.float_widening import Real
from s2sad.run.registry import find
from s2sad.signature import Argument, Signature

PRELUDE = Path(s2sad.__file__).parent / "parse" / "types" / "builtins.toml"


def prototypes() -> Iterator[tuple[str, str, list[str]]]:
    """Result, name and parameters of each overload."""
    for overloads in tomllib.loads(PRELUDE.read_text()).values():
        for overload in overloads:
            head, _, tail = overload.partition("(")
            result, name = head.rsplit(" ", 1)
            yield result, name, [p.strip() for p in tail.removesuffix(")").split(",") if p.strip()]


@pytest.mark.parametrize("real", ["float", "double"])
def test_every_function_is_there_with_its_types(real: Real) -> None:
    lines = ["template <class T> T any();"]
    for number, (result, name, parameters) in enumerate(prototypes()):
        values = ", ".join(f"any<{p}>()" for p in parameters)
        lines.append(f'static_assert(s2sad_same<decltype({name}({values})), {result}>, "{name}");')
        named = ", ".join(f"{p} a{i}" for i, p in enumerate(parameters))
        given = ", ".join(f"a{i}" for i in range(len(parameters)))
        lines.append(f"__device__ {result} call_{number}({named}) {{ return {name}({given}); }}")
    lines.append('extern "C" __global__ void nothing() {}')
    find("cpu").compile("\n".join(lines), [Signature("nothing", ())], real=real, name="prelude.cu")


def test_every_float_function_has_a_double_name() -> None:
    every = {name: result for result, name, _ in prototypes()}
    by_float_alone = {
        name
        for result, name, parameters in prototypes()
        if any("float" in p for p in [result, *parameters]) and name.endswith("f") and name != "erf"
    }
    renamed = by_float_alone - {"modf", "normcdf", "isinf"}
    assert {double_name(name) for name in renamed} <= set(every) | {"s2sad_divide", "s2sad_saturate"}
    assert {name for name in renamed if double_name(name) == name} == set()
    assert set(every) >= FLOAT_FUNCTIONS


REFERENCES: dict[str, list[list[float]]] = tomllib.loads(
    Path(__file__).with_name("references.toml").read_text()
)
COUNTS = np.array([len(values) for values in REFERENCES.values()], np.int32)


def table(column: int) -> NDArray[np.float64]:
    """The arguments (0) or the values (1) of the references, a row for each function."""
    out = np.full((len(REFERENCES), max(COUNTS)), 1.0)
    for row, values in zip(out, REFERENCES.values(), strict=True):
        row[: len(values)] = [value[column] for value in values]
    return out


def computed(real: Real, arguments: NDArray[Any]) -> NDArray[Any]:
    """What the float functions make of the arguments."""
    width = arguments.shape[1]
    lines = [
        f"    if (i < n[{place}]) y[{place * width} + i] = {name}f(x[{place * width} + i]);"
        for place, name in enumerate(REFERENCES)
    ]
    head = 'extern "C" __global__ void all(const float *x, float *y, const int *n)\n{\n'
    text = head + "    int i = threadIdx.x;\n" + "\n".join(lines) + "\n}\n"
    parameters = (Argument("x", "float", True), Argument("y", "float", True), Argument("n", "int", True))
    kernel = Signature("all", parameters)
    result = np.ones_like(arguments)
    module = find("cpu").compile(text, [kernel], real=real, name="all.cu")
    module.launch(kernel, (1, 1, 1), (width, 1, 1), {"x": arguments, "y": result, "n": COUNTS})
    return result


def wrong(found: NDArray[Any], expected: NDArray[np.float64], tolerance: float) -> dict[str, float]:
    """The functions whose relative error is too large, where the value isn't too large for its type."""
    limit = np.finfo(found.dtype).max
    with np.errstate(all="ignore"):
        error = np.where(
            (np.abs(expected) < limit) & (np.abs(expected) > np.finfo(found.dtype).tiny),
            np.abs(found - expected) / np.abs(expected),
            0,
        )
    worst = dict(zip(REFERENCES, error.max(axis=1).tolist(), strict=True))
    return {name: error for name, error in worst.items() if not error < tolerance}


def test_float_functions_of_text_compiled_as_double_are_as_good_as_double() -> None:
    assert wrong(computed("double", table(0)), table(1), 4e-14) == {}


def test_float_functions_are_good_to_float() -> None:
    arguments = table(0).astype(np.float32)
    exact = computed("double", arguments.astype(np.float64))
    assert wrong(computed("float", arguments), exact, 1e-6) == {}
