"""What random kernels showed of single statements."""

from __future__ import annotations

import re

import gradient_kit
import numpy as np
import pytest
from numpy.testing import assert_allclose
from tangent_kit import isolated

from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.source import Source
from s2sad.validate import Case, check_tangent
from s2sad.validate.forward_check import Runner
from s2sad.validate.recipe import Launch

backend = pytest.fixture(scope="session")(isolated)


def made(body: str) -> Transformed:
    """Return the tangent of a kernel with device functions; it has been read again."""
    source = (
        "__device__ float f(float a, float b) { return a; }\n"
        "__device__ int g(float *a, float b) { *a = b; return 1; }\n"
        "__device__ float h(float a, float b) { a = a * b; return a * a; }\n"
        "__device__ float l(float a, float b) { for (int c = 0; c < 2; ++c) b = cosf(b); return h(a, b); }\n"
        f"__global__ void k(const float *x, float *y, float *z, int n) {{\n{body}\n}}\n"
    )
    return transform(Source("k.cu", source), Options(of=("y",), wrt=("x",), mode="tangent"))


def text(body: str) -> str:
    return made(body).text


def test_a_named_argument_is_declared_although_the_result_has_no_tangent() -> None:
    written = text("z[threadIdx.x] = f(x[0], fmaxf(x[1], x[2])); y[threadIdx.x] = x[threadIdx.x];")
    assert "const float fmax_x = fmaxf(x[1], x[2]);" in written


def test_a_named_argument_is_declared_although_the_result_is_a_number() -> None:
    written = text("float a = 0.0f; z[threadIdx.x] = g(&a, fmaxf(x[1], x[2])); y[threadIdx.x] = a;")
    assert "const float fmax_x = fmaxf(x[1], x[2]);" in written


def tangents_of(functions: str, value: str) -> set[str]:
    """Return the names of the tangents of device functions that are emitted."""
    kernel = f"__global__ void k(const float *x, float *y) {{ int i = threadIdx.x; y[i] = {value}; }}"
    asked = Options(of=("y",), wrt=("x",), mode="tangent")
    made = transform(Source("k.cu", f"{functions}\n{kernel}\n"), asked)  # it has been read again
    return set(re.findall(r"__device__ float (\w+_tan\w*)\(", made.text))


def test_the_only_tangent_of_a_function_has_its_name_alone() -> None:
    product = "__device__ float f(float a, float b) { return a * cosf(b); }"
    assert tangents_of(product, "f(x[i], 2.0f) + f(x[i + 1], 3.0f)") == {"f_tan"}
    assert tangents_of(product, "f(x[i], 2.0f) + f(2.0f, x[i])") == {"f_tan_a", "f_tan_b"}
    assert tangents_of(product, "f(x[i], 2.0f) + f(x[i], x[i + 1])") == {"f_tan_a", "f_tan"}


def test_the_tangent_of_an_adjoint_of_a_function_is_named_after_that_alone() -> None:
    product = "__device__ float f(float a, float b) { return cosf(a) * cosf(a * b); }"
    kernel = "__global__ void k(const float *x, float *y) { int i = threadIdx.x; y[i] = f(x[i], 2.0f); }"
    made = transform(
        Source("k.cu", f"{product} {kernel}"), Options(of=("y",), wrt=("x",), mode="second-order")
    )
    assert set(re.findall(r"\b(f_adj\w*)\(", made.text)) == {"f_adj_a_tan"}


def test_an_authors_function_that_is_named_like_a_tangent_is_kept() -> None:
    one, other = "float f(float a) { return a * a; }", "float f_tan(float a) { return a + 3.0f; }"
    own = f"__device__ {one}\n__device__ {other}"
    assert tangents_of(own, "f(x[i]) + f_tan(x[i]) + f_tan(2.0f)") == {"f_tan", "f_tan_2", "f_tan_tan"}


@pytest.mark.parametrize(
    ("value", "tangent"),
    [
        ("u * u + v * v", "2.0f * (u * tan_u + v * tan_v)"),
        ("u * u - v * v", "2.0f * (u * tan_u - v * tan_v)"),
        ("u * u + v * v + u * u * u", "2.0f * (u * tan_u + v * tan_v) + 3.0f * u * u * tan_u"),
        ("sqrtf(1.0f + u * u + v * v)", "(u * tan_u + v * tan_v) / s"),
        ("2.0f * u + 2.0f * v", "2.0f * tan_u + 2.0f * tan_v"),
    ],
)
def test_a_number_that_partials_bring_is_written_once(value: str, tangent: str) -> None:
    written = text(f"int i = threadIdx.x; float u = x[i], v = x[i + 1]; float s = {value}; y[i] = s;")
    assert f"float tan_s = {tangent};" in written


@pytest.mark.parametrize(
    "body",
    [
        "float s = x[i]; s = 2.0f / s; y[i] = s;",
        "float s = x[i]; s = x[i + 1] / s; y[i] = s;",
        "float s = x[i]; s = powf(s, 1.5f) * s; y[i] = s;",
        "float s = x[i]; s = hypotf(s, x[i + 1]); s = atan2f(s, x[i]); y[i] = s;",
        "float s = x[i], t = x[i + 1]; s = s * t; t = s / t; s -= t * t; s *= s; s /= t; y[i] = s;",
        "float2 p = make_float2(x[i], x[i + 1]); p = make_float2(p.y * p.x, p.x); y[i] = p.x / p.y * p.y;",
        "y[i] = h(2.0f, x[i]) + h(x[i], x[i + 1]);",
        "y[i] = l(x[i], x[i + 1]);",
        "float s[2] = {x[i], x[i + 1]}; s[i % 2] = 1.0f / s[0]; y[i] = s[0] * s[1];",
    ],
)
def test_a_tangent_reads_what_its_statement_reads(body: str, backend: Backend) -> None:
    done = made(f"int i = threadIdx.x; if (i >= n) return; {body}")
    args = 'x = { shape = 10, fill = "uniform(0.5, 2)" }\ny = { shape = 9, fill = "zeros" }\n'
    text = f'[launch]\ngrid = 1\nblock = 32\n[args]\nn = 9\n{args}z = {{ shape = 9, fill = "zeros" }}\n'
    report = check_tangent(done.pair, Case.parse(text, done.pair.primal), backend)
    assert report.ok, report.text()
    assert {exact.verdict for exact in report.exact} == {"ok"}, report.text()


@pytest.mark.parametrize("value", ["sqrtf(x[i])", "hypotf(x[i], x[i])", "powf(x[i], 0.5f)", "cbrtf(x[i])"])
def test_where_a_partial_is_infinite_a_zero_tangent_contributes_zero(value: str, backend: Backend) -> None:
    done = made(f"int i = threadIdx.x; if (i >= n) return; y[i] = {value};")
    args = {"x": np.array([0.0, 1.0]), "y": np.zeros(2), "z": np.zeros(2), "n": 2}
    run = Runner(done.pair, backend).run(Launch((1, 1, 1), (32, 1, 1), 0), args, {"x": np.array([0.0, 1.0])})
    assert run.tangents["y"][0] == 0.0
    assert run.tangents["y"][1] > 0.3


TILES = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const float *x, float *y, int n)
{{
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    float s = x[threadIdx.x];
    for (int r = {first}; r < n; r += 2)
        s += 0.5f * tile.shfl_up(s * s, 1);
    y[threadIdx.x] = s;
}}
"""


def test_the_lanes_of_a_tile_meet_without_the_rest_of_their_warp(backend: Backend) -> None:
    options = Options(of=("y",), wrt=("x",), mode="tangent")
    done = transform(Source("k.cu", TILES.format(first="tile.meta_group_rank()")), options)
    assert "__shfl_up_sync(0xffffu << (threadIdx.x % 32 / 16 * 16)" in done.text
    x, tangent = np.linspace(0.1, 1.0, 32), np.linspace(1.0, -1.0, 32)
    run = Runner(done.pair, backend).run(
        Launch((1, 1, 1), (32, 1, 1), 0), {"x": x, "y": np.zeros(32), "n": 3}, {"x": tangent}
    )

    def expected(v: complex) -> complex:
        """By complex steps: the first tile goes round twice, the second once."""
        s = x + v * tangent
        for tile, rounds in ((slice(0, 16), 2), (slice(16, 32), 1)):
            for _ in range(rounds):
                above = np.concatenate(([s[tile][0]], s[tile][:-1]))
                s[tile] = s[tile] + 0.5 * above**2
        return s

    assert_allclose(run.tangents["y"], expected(1e-30j).imag / 1e-30, rtol=1e-12)


def test_a_condition_says_nothing_of_what_its_branch_sets() -> None:
    body = "float d = x[0]; if (d > 0.0f) { d *= z[0]; d = sqrtf(d); } y[0] = d;"
    assert "tan_d == 0.0f ? 0.0f" in text(body), "sqrtf(d) may be zero"
    assert "== 0.0f" not in text(body.replace("d *= z[0];", ""))
    assert "== 0.0f" in text(body.replace("d *= z[0];", "if (z[0] > 0.0f) d = 0.0f;"))


def test_a_struct_is_copied_before_all_of_its_fields_are_set() -> None:
    source = (
        "struct P { int tag; float v; };\n"
        "__global__ void k(const float *x, float *y) {\n"
        "    P p; p.v = x[threadIdx.x]; (p = p).v = p.v * p.v; y[threadIdx.x] = p.v;\n}\n"
    )
    options = Options(of=("y",), wrt=("x",), mode="tangent")
    assert "tan_p.v" in transform(Source("k.cu", source), options).text


def test_what_a_reference_refers_to_is_stepped() -> None:
    text = (
        "__device__ void next(int &k) { k++; }\n"
        "__global__ void k(const float *x, float *y, int n)\n"
        "{\n    int i = threadIdx.x, j = i;\n    next(j);\n    if (i < n) y[i] = x[i] * x[j % n];\n}\n"
    )
    assert "(*k)++;" in gradient_kit.made(text, "y", "x", "tangent").text
