"""The second derivatives of every rule: the tangents of the emitted partials against differences of these.

All rules are in one kernel, each with a column of its arguments. A partial that is a choice may lose a
second derivative at its special point, as `x == 0 ? 1 : …` would: so the points that the rules state are
tested, too, where the first derivative has the same slope on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from tangent_kit import isolated
from test_rules import DIFFERENTIATED, ENTRIES, TABLE, inputs, samples

from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.source import Source
from s2sad.validate.elements import Reals
from s2sad.validate.forward_check import Runner
from s2sad.validate.launching import Launcher
from s2sad.validate.recipe import Launch, Value

backend = pytest.fixture(scope="session")(isolated)

OPERATORS = {
    "operator+": "{x} + {y}",
    "operator-": "{x} - {y}",
    "operator*": "{x} * {y}",
    "operator/": "{x} / {y}",
    "neg": "-{x}",
    "convert": "(double)(float){x}",
    "rcp": "__drcp_rn({x})",
    "saturate": "__saturatef({x})",
}
# What a call writes through its arguments, summed up with weights: its second derivatives add up, too.
OUTPUTS = {
    "sincos": "double s{k}, c{k}; sincos({x}, &s{k}, &c{k}); {y_k} = 2.0 * s{k} + 3.0 * c{k};",
    "sincospi": "double s{k}, c{k}; sincospi({x}, &s{k}, &c{k}); {y_k} = 2.0 * s{k} + 3.0 * c{k};",
    "modf": "double w{k}; double p{k} = modf({x}, &w{k}); {y_k} = p{k} * p{k};",
    "frexp": "int e{k}; double m{k} = frexp({x}, &e{k}); {y_k} = m{k} * m{k};",
    "remquo": "int q{k}; double r{k} = remquo({x}, {y}, &q{k}); {y_k} = r{k} * r{k};",
}
LETTERS = "abcd"


@dataclass(frozen=True)
class Case:
    """All rules: the names in the order of columns, and each one's points, drawn and stated."""

    names: tuple[str, ...]
    points: tuple[tuple[tuple[float, ...], ...], ...]

    @property
    def rows(self) -> int:
        return max(map(len, self.points))


@cache
def case() -> Case:
    points = []
    for name in DIFFERENTIATED:
        at = [tuple(float(p[arg]) for arg in inputs(TABLE[name])) for p in ENTRIES[name].get("at", ())]
        points.append((*map(tuple, samples(name)), *at))
    return Case(tuple(DIFFERENTIATED), tuple(points))


def line(k: int, name: str) -> str:
    rule = TABLE[name]
    reals = iter(LETTERS)
    args = {
        p: f"m[i * K + {k}]" if p in rule.integers else f"{next(reals)}[i * K + {k}]" for p in inputs(rule)
    }
    place = f"y[i * K + {k}]"
    if name in OUTPUTS:
        return OUTPUTS[name].format(**args, k=k, y_k=place)
    value = OPERATORS.get(name, f"{name}({', '.join(f'{{{p}}}' for p in args)})")
    return f"{place} = {value.format(**args)};"


@cache
def made() -> Transformed:
    names = case().names
    body = "\n".join(f"    {line(k, name)}" for k, name in enumerate(names))
    params = ", ".join(f"const double *{letter}" for letter in LETTERS)
    text = (
        f"#define K {len(names)}\n__global__ void k({params}, const int *m, double *y, int n) {{\n"
        f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n{body}\n}}\n"
    )
    return transform(Source("k.cu", text), Options(of=("y",), wrt=tuple(LETTERS), mode="second-order"))


@dataclass(frozen=True)
class Slopes:
    """Second derivatives by a pair of arguments: ours, by differences of two steps, and to one side."""

    own: Reals
    wide: Reals
    narrow: Reals
    aside: Reals


@cache
def given() -> dict[str, Value]:
    every = case()
    shape = (every.rows, len(every.names))
    args: dict[str, Value] = {letter: np.ones(shape) for letter in LETTERS}
    args |= {"m": np.zeros(shape, "i4"), "y": np.zeros(shape), "n": every.rows}
    for k, (name, points) in enumerate(zip(every.names, every.points, strict=True)):
        for row in range(every.rows):
            reals = iter(LETTERS)
            for arg, number in zip(inputs(TABLE[name]), points[row % len(points)], strict=True):
                args["m" if arg in TABLE[name].integers else next(reals)][row, k] = number  # type: ignore[index]
    return args


@pytest.fixture(scope="session")
def slopes(backend: Backend) -> dict[tuple[str, str], Slopes]:
    """The second derivatives by each pair of arguments, of all rules at all points."""
    done = made()
    assert done.first is not None
    launch = Launch((2, 1, 1), (32, 1, 1), 0)
    launcher = Launcher(done.first.pair, backend, "double", few="all")
    runner = Runner(done.pair, backend)
    ones = np.ones_like(given()["y"])

    def gradients(by: str, step: float) -> dict[str, Reals]:
        args = {**given(), by: given()[by] + step}
        buffers = launcher.buffers(args, {"y": ones})
        return dict(launcher.adjoint(launch, launch, args, buffers).buffers)

    adjoints = {f"adj_{letter}": np.zeros_like(ones) for letter in LETTERS} | {"adj_y": ones}
    found = {}
    h = 1e-4
    here = gradients("a", 0.0)
    for by in LETTERS:
        up, down, high, low = (gradients(by, step) for step in (h, -h, h / 2, -h / 2))
        run = runner.run(launch, {**given(), **adjoints}, {by: ones})
        for of in LETTERS:
            wide, narrow = (up[of] - down[of]) / (2 * h), (high[of] - low[of]) / h
            aside = (high[of] - here[of]) / (h / 2)
            found[of, by] = Slopes(run.tangents[f"adj_{of}"], wide, narrow, aside)
    return found


@pytest.mark.xdist_group("rules_second")
@pytest.mark.parametrize("name", DIFFERENTIATED)
def test_second_derivatives_agree_with_differences(name: str, slopes: dict[tuple[str, str], Slopes]) -> None:
    k, compared = DIFFERENTIATED.index(name), 0
    points = case().points[k]
    drawn = len(samples(name))
    reals = [arg for arg in inputs(TABLE[name]) if arg not in TABLE[name].integers]
    for of, by in ((o, b) for o in LETTERS[: len(reals)] for b in LETTERS[: len(reals)]):
        found = slopes[of, by]
        for row, point in enumerate(points):
            own, wide, narrow, aside = (
                float(s[row, k]) for s in (found.own, found.wide, found.narrow, found.aside)
            )
            central, scale = (4 * narrow - wide) / 3, 1 + abs(narrow)
            doubt = 0.0
            if row >= drawn:
                doubt = float(np.max(np.abs([wide - narrow, aside - narrow])))
                if not doubt < 0.05 * scale:
                    continue  # the first derivative has a kink or a jump, or none
            assert abs(own - central) < 1e-5 * scale + doubt, (of, by, point, own, wide, narrow, aside)
            compared += 1
    assert compared >= drawn
