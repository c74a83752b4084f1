"""Tangents along several directions in one launch: right along each; and texts that a reviewer has read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Golden
from golden_kit import FOLDER, file, text
from tiers import half_thorough

import s2sad
from s2sad import options
from s2sad.diagnostics import Code, Rejected
from s2sad.options import Options, Unclear
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, Twice, check_second_order, check_tangent
from s2sad.validate.forward_check import Runner
from s2sad.validate.recipe import Launch

TEXTS = Path(__file__).with_name("directions")
READ = ("black_scholes", "kepler", "nbody_vectors", "pointer_to_local")
CHECKED = (
    *READ,
    *("accessors", "activations", "atomic_dot", "attention_row", "batched_lu", "bilinear"),
    *("block_norm", "body_pointers", "carried_arrays", "cell_references", "changed_arguments"),
    *("cloth", "complex_references", "device_functions", "effects_inside", "forever", "half_lanes"),
    *("hodgkin_huxley", "inverse3x3", "lbm_d2q9", "local_structs", "math_outputs", "matmul_tile"),
    *(
        "mixed_precision",
        "nbody",
        "null_arguments",
        "only_read",
        "packed_accessors",
        "particles",
        "pointer_walk",
    ),
    *("raymarch", "rk4", "rows_in_views", "shared_structs", "singular_points", "switch_fallthrough"),
    *("vector_views", "warp_scan", "whole_warps"),
)


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(name: str, directions: int | None) -> Transformed:
    return transform(Source(file(name).name, text(name)), Options(mode="tangent", directions=directions))


@pytest.mark.parametrize("name", READ)
def test_the_text_is_this(name: str, golden: Golden) -> None:
    golden(TEXTS / f"{name}_tan.cu", made(name, 3).text)


def test_every_text_belongs_to_a_kernel() -> None:
    assert sorted(path.name for path in TEXTS.iterdir()) == sorted(f"{name}_tan.cu" for name in READ)


@pytest.mark.parametrize("name", half_thorough(CHECKED))
def test_it_is_right_along_each_direction(name: str, backend: Backend) -> None:
    done = made(name, 3)
    case = Case.read(FOLDER / f"{name}.toml", done.pair.primal)
    assumed = [str(a) for a in done.options.assume]
    report = check_tangent(done.pair, case, backend, assume=assumed)
    assert report.ok, report.text()
    assert [exact.verdict for exact in report.exact if not exact.name] == ["ok"] * 3, report.text()


SECOND = (
    "absent_bias",
    "atomic_dot",
    "block_norm",
    "cholesky",
    "device_functions",
    "newton",
    "overloads",
    "saxpy",
    "shared_structs",
)


@pytest.mark.parametrize("name", half_thorough(SECOND))
def test_second_order_is_right_along_each_direction(name: str, backend: Backend) -> None:
    done = transform(Source(file(name).name, text(name)), Options(mode="second-order", directions=3))
    assert done.first is not None
    both = Twice(done.first.pair, done.pair)
    report = check_second_order(both, Case.read(FOLDER / f"{name}.toml", both.first.primal), backend)
    assert report.ok, report.text()
    for order in (1, 2):
        every = [exact.verdict for exact in report.exact if exact.order == order]
        assert set(every) == {"ok"}, report.text()


# What is skipped where it contributes nothing: a gradient may be zero, or the tangents along most directions.
SKIPS = (
    "if (i < n) y[i] = x[i] * x[i] * x[i] * w[i];",
    "if (i < n && w[i] > 1.0f) { float s = x[i] * w[i]; y[i] = s > 0.9f ? s * s : w[i]; }",
    "if (i < n) for (int k = 0; k < 4; ++k) atomicAdd(&y[k], x[i] * x[i] * w[k]);",
)


@pytest.mark.parametrize("body", SKIPS)
def test_what_one_direction_needs_is_not_skipped(body: str) -> None:
    random = np.random.default_rng(3)
    n = 29
    kernel = (
        "__global__ void k(const float *x, const float *w, float *y, int n)\n"
        f"{{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    {body}\n}}\n"
    )
    args: dict[str, Any] = {
        "x": random.uniform(0.5, 1.5, n).astype(np.float32),
        "w": random.uniform(0.5, 1.5, n).astype(np.float32),
        "y": np.zeros(n, np.float32),
        "n": n,
    }
    how: dict[str, Any] = {"of": "y", "wrt": "x,w", "args": args, "grid": 2, "block": 16, "backend": "cpu"}
    one = s2sad.hessian(kernel, **how)
    several = s2sad.hessian(kernel, directions=5, **how)
    assert any(matrix.any() for matrix in one.values())
    for pair, matrix in one.items():
        assert np.allclose(several[pair], matrix, rtol=1e-5, atol=1e-6), pair


@pytest.mark.parametrize("name", READ)
def test_one_direction_is_none(name: str) -> None:
    assert made(name, 1).text == made(name, None).text


# ---- what a tangent must not wait for, and what must not be computed before the loop ----------------------

KERNEL = """{before}
__global__ void k(const float *x, const float *w, float *y, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
{body}
}}
"""
NEAR = {
    "a factor that the next statement changes": (
        "",
        "float s = x[i]; float t = s * w[i]; s = s * s; float u = t * s; s = 2.0f; y[i] = u * s + t;",
    ),
    "an array of the thread's that changes": (
        "",
        "float a[2] = {x[i], w[i]}; float t = a[0] * a[1]; a[0] = t * t; a[1] = a[0] * t;"
        " y[i] = a[0] * a[1];",
    ),
    "a number that a function takes and changes": (
        "__device__ void f(float s, float *p) { *p = s * s; p[0] += s; }",
        "float s = x[i]; f(s, &s); f(s, &s); y[i] = s;",
    ),
    "what two references refer to": (
        "__device__ void f(float &p, float &q, float v) { p = q * v; q = p * v + sinf(q); }",
        "float s = x[i]; f(s, s, w[i]); y[i] = s;",
    ),
    "a parameter that the function changes": (
        "__device__ float f(float s, int m) { for (int j = 0; j < m; ++j) s *= s; return s; }",
        "float s = x[i]; float t = f(s, 2); y[i] = s * t;",
    ),
    "a load behind a condition": (
        "",
        "y[i] = i > 0 ? x[i] * (0.5f * w[i - 1]) : x[i];",
    ),
    "a named value of what has changed": (
        "",
        "float s = x[i]; const float c = cosf(s); s = s + 0.5f; y[i] = c * sinf(s);",
    ),
    "a quotient behind a condition": (
        "",
        "float d = i % 3; y[i] = d > 0.5f ? x[i] * x[i] / d : w[i];",
    ),
    "a step with a tangent": (
        "",
        "float s = 0.0f, t = 1.0f; for (float u = x[i]; u < 4.0f; u = u * 1.5f + 0.5f) {"
        " s += u * w[i]; t *= s; } y[i] = s + t;",
    ),
    "words of shared memory": (
        "",
        "__shared__ float part[16]; part[threadIdx.x] = x[i] * w[i];"
        " float s = part[threadIdx.x] * x[i]; part[threadIdx.x] = s * s; y[i] = part[threadIdx.x] * s;",
    ),
}


@pytest.mark.parametrize("wrt", ["x", "x,w"])
@pytest.mark.parametrize("name", NEAR)
def test_what_changes_between_is_not_read_later(name: str, wrt: str) -> None:
    before, body = NEAR[name]
    random = np.random.default_rng(1)
    n = 29
    args: dict[str, Any] = {
        "x": random.uniform(0.5, 1.5, n).astype(np.float32),
        "w": random.uniform(0.5, 1.5, n).astype(np.float32),
        "y": np.zeros(n, np.float32),
        "n": n,
    }
    report = s2sad.check(
        KERNEL.format(before=before, body=body),
        mode="tangent",
        directions=3,
        args=args,
        grid=2,
        block=16,
        of="y",
        wrt=wrt,
        backend="cpu",
    )
    assert report.ok, report.text()
    # through each argument, and along each direction
    assert len(report.exact) == len(("y", *wrt.split(","))) + 3


def test_three_directions_give_the_whole_jacobian_of_a_stencil(backend: Backend) -> None:
    done = transform(
        Source("stencil.cu", text("stencil")),
        Options(of=("out",), wrt=("in",), mode="tangent", directions=3),
    )
    n = 21
    weights = np.array([0.5, -1.0, 2.0])
    args: dict[str, Any] = {"in": np.linspace(0.0, 1.0, n), "c": weights, "out": np.zeros(n), "n": n}
    seeds = [{"in": (np.arange(n) % 3 == colour).astype(float)} for colour in range(3)]
    ran = Runner(done.pair, backend).run(Launch((1, 1, 1), (32, 1, 1), 0), args, seeds[0], further=seeds[1:])
    columns = np.stack([tangents["out"] for tangents in ran.every], axis=1)
    for i in range(1, n - 1):
        assert np.array_equal(columns[i, [(i - 1) % 3, i % 3, (i + 1) % 3]], weights)


# ---- what is asked for ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["0", "65", "-1", "x", "", "1.5", "٣"])
def test_only_one_to_sixty_four(text: str) -> None:
    with pytest.raises(Unclear, match="number of directions"):
        options.directions(text)


def test_an_adjoint_has_no_directions() -> None:
    with pytest.raises(Rejected) as caught:
        transform(Source("saxpy.cu", text("saxpy")), Options(directions=4))
    assert [d.code for d in caught.value.diagnostics] == [Code.USAGE]


def test_the_file_may_say_how_many_its_tangents_have() -> None:
    said = f"// s2sad: --of y --wrt x --directions 4\n{KERNEL.format(before='', body='y[i] = x[i] * w[i];')}"
    tangent = transform(Source("k.cu", said), Options(mode="tangent"))
    assert tangent.adjoint.signature.directions == 4
    assert "--directions 4" in tangent.adjoint.command
    assert "directions" not in transform(Source("k.cu", said), Options()).text


def test_the_tape_of_an_adjoint_has_one_direction() -> None:
    with pytest.raises(Rejected) as caught:
        transform(
            Source(file("heat_inplace").name, text("heat_inplace")),
            Options(mode="second-order", directions=2),
        )
    assert "several directions for tape_" in caught.value.diagnostics[0].title


@pytest.mark.parametrize("name", ["block_sum_dynamic", "held_arrays", "numbers_in_vectors", "struct_weights"])
def test_what_cannot_be_laid_out_is_refused(name: str) -> None:
    with pytest.raises(Rejected) as caught:
        made(name, 2)
    (found,) = caught.value.diagnostics
    assert found.code is Code.NOT_SUPPORTED
    assert "several directions" in found.title
