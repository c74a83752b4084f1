"""Guards of adjoints in second order: what contributes nothing may have a tangent that does.

An adjoint skips what is multiplied by zero: a sum over a block, a partial that may be infinite. Here those
zeros are exact, and the second derivatives aren't zero.
"""

from __future__ import annotations

import numpy as np
import pytest
from tangent_kit import isolated

from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.source import Source
from s2sad.validate import Case, Twice, check_second_order
from s2sad.validate.forward_check import Runner
from s2sad.validate.recipe import Launch

backend = pytest.fixture(scope="session")(isolated)

HEAD = "__global__ void k(const float *x, const float *w, float *y, int n) {{\n"
HEAD += "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n{}}}\n"
INSIDE = "    if (i >= n) return;\n    y[i] = {};\n"

# The body, what is zero (the other array is not), and an expected part of the text. Whether the elements
# that sums go to exist depends on data.
KERNELS = {
    "sum over a block": (
        "    if (i < n && x[i] > -1.0f) y[i] = w[0] * x[i];\n",
        "x",
        "value != 0.0f || tan_value != 0.0f",
    ),
    "sums over a block": (
        "    if (i < n && x[i] > -1.0f) y[i] = w[0] * x[i] + w[1] * x[i] * x[i];\n",
        "x",
        "value[0] != 0.0f || tan_value[0] != 0.0f",
    ),
    "sum over a warp": (
        "    float s = i < n && x[i] > -1.0f ? w[blockIdx.x] * x[i] : 0.0f;\n"
        "    for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);\n"
        "    if (i < n) y[i] = s;\n",
        "x",
        "!= 0.0f || tan_",
    ),
    "square root": (INSIDE.format("w[i] * sqrtf(x[i])"), "w", "g_sqrt != 0.0f || tan_g_sqrt != 0.0f"),
    "arc sine": (INSIDE.format("w[i] * asinf(0.1f * x[i])"), "w", "!= 0.0f || tan_"),
    "length": (INSIDE.format("w[i] * hypotf(x[i], 0.1f * x[i])"), "w", "!= 0.0f || tan_"),
    "power": (INSIDE.format("w[i] * powf(x[i], 0.5f * (n % 3))"), "w", "!= 0.0f || tan_"),
}


def made(body: str) -> Transformed:
    return transform(
        Source("k.cu", HEAD.format(body)), Options(of=("y",), wrt=("x", "w"), mode="second-order")
    )


def check(done: Transformed, backend: Backend, zero: str) -> None:
    assert done.first is not None
    fills = {name: '"zeros"' if name == zero else '"uniform(0.5, 2)"' for name in ("x", "w")}
    args = "".join(f"{name} = {{ shape = 37, fill = {fill} }}\n" for name, fill in fills.items())
    text = f'[launch]\ngrid = 3\nblock = 32\n[args]\nn = 37\n{args}y = {{ shape = 96, fill = "zeros" }}\n'
    case = Case.parse(text, done.first.pair.primal)
    report = check_second_order(Twice(done.first.pair, done.pair), case, backend)
    assert report.ok, report.text()
    # the adjoint's text skips zeros, and so does its exact tangent: differences decide
    assert {exact.verdict for exact in report.exact} == {"ok", "tied"}, report.text()
    assert not any(row.zero or row.kinks for row in report.rows), report.text()


@pytest.mark.parametrize("name", KERNELS)
def test_a_zero_with_a_tangent_is_not_skipped(name: str, backend: Backend) -> None:
    body, zero, guard = KERNELS[name]
    done = made(body)
    check(done, backend, zero)
    assert guard in done.text.replace("\n", " "), done.text


@pytest.mark.parametrize(
    "body", ["w[i] * sqrtf(x[i])", "w[i] * powf(x[i], 0.5f)", "w[i] * cbrtf(x[i]) * x[i]"]
)
def test_the_adjoint_stays_zero_where_only_its_tangent_is_infinite(body: str, backend: Backend) -> None:
    """Under the widened guard, what is added to the adjoint is under its own: 0 * inf is not added."""
    done = made(INSIDE.format(body))
    zeros = np.zeros(4)
    args = {name: zeros.copy() for name in ("x", "adj_x", "w", "adj_w", "y")} | {"adj_y": zeros + 1, "n": 4}
    along = {"x": zeros + 1, "w": zeros + 1}
    run = Runner(done.pair, backend).run(Launch((1, 1, 1), (32, 1, 1), 0), args, along)
    assert run.values["adj_x"].tolist() == [0.0] * 4
    assert run.values["adj_w"].tolist() == [0.0] * 4


def test_a_sum_with_zero_itself_needs_no_second_guard() -> None:
    text = made(KERNELS["sum over a block"][0]).text
    assert text.count("!= 0.0f") == 2  # `value` and `tan_value`


def test_a_launch_that_is_refused_marks_the_tangents_too() -> None:
    body = (
        "    float s = i < n && x[i] > -1.0f ? w[blockIdx.x] * x[i] : 0.0f;\n"
        "    for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);\n"
        "    if (i < n) y[i] = s * s;\n"
    )
    source = Source("k.cu", HEAD.format(body))
    text = transform(source, Options(of=("y",), wrt=("x", "w"), mode="second-order")).text
    assert 'adj_x[0] = nanf("");' in text
    marks = [line.strip() for line in text.splitlines() if line.strip().startswith("tan_adj_x[0] =")]
    assert marks == ['tan_adj_x[0] = nanf("");']
