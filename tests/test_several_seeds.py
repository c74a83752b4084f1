"""Adjoints of several seeds in one launch: each is that of one seed; and texts that a reviewer has read."""

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
from s2sad.validate import Case, Seeded, check_seeds, given
from s2sad.validate.launching import Launcher
from s2sad.validate.recipe import Launch

TEXTS = Path(__file__).with_name("several_seeds")
READ = ("attention_row", "device_functions", "particles", "singular_points", "warp_scan")
CHECKED = (
    *READ,
    *("accessors", "activations", "atomic_dot", "batched_lu", "bilinear", "biquad", "block_layer_norm"),
    *("block_norm", "body_pointers", "carried_arrays", "companion", "complex_product", "effects_inside"),
    *("fields_apart", "file_variables", "forever", "grad_names", "half_gain", "hodgkin_huxley"),
    *("julia_class", "kept_template", "lane_weights", "lbm_d2q9", "local_structs", "matmul_tile"),
    *("mixed_precision", "nbody", "null_arguments", "packed_accessors_kept", "pointer_walk", "ray_sphere"),
    *("running_product", "shared_structs", "stencil", "two_level_tape", "union_bits", "whole_warps"),
)


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(name: str, seeds: int | None, **more: Any) -> Transformed:
    return transform(Source(file(name).name, text(name)), Options(seeds=seeds, **more))


KERNEL = """{before}
__global__ void k(const float *x, const float *w, float *y, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
{body}
}}
"""
GUARD = "    if (i >= n) return;\n"
SCALED = """__global__ void k(const float *x, float a, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}
"""


def checked(done: Transformed, name: str, backend: Backend) -> None:
    pairs = Seeded(done.pair, done.of_one_seed.pair)
    case = Case.read(FOLDER / f"{name}.toml", done.pair.primal)
    report = check_seeds(pairs, case, backend, assume=[str(a) for a in done.options.assume])
    assert report.ok, report.text()


@pytest.mark.parametrize("name", READ)
def test_the_text_is_this(name: str, golden: Golden) -> None:
    golden(TEXTS / f"{name}_adj.cu", made(name, 3).text)


def test_every_text_belongs_to_a_kernel() -> None:
    assert sorted(path.name for path in TEXTS.iterdir()) == sorted(f"{name}_adj.cu" for name in READ)


@pytest.mark.parametrize("name", half_thorough(CHECKED))
def test_each_seed_gives_its_gradient(name: str, backend: Backend) -> None:
    checked(made(name, 3), name, backend)


@pytest.mark.parametrize("name", ["biquad", "heat_inplace", "warp_scan"])
def test_each_seed_gives_its_gradient_in_the_split_shape(name: str, backend: Backend) -> None:
    done = made(name, 5, mode="split")
    assert done.adjoint.forward is not None
    checked(done, name, backend)


@pytest.mark.parametrize("name", READ)
def test_one_seed_is_none(name: str) -> None:
    assert made(name, 1).text == made(name, None).text


def test_sums_of_many_numbers_take_a_round_for_each_element(backend: Backend) -> None:
    done = made("attention_row", 64)
    assert "block_add_64(&adj_v[j * DIM + 3][0], " in done.text
    checked(done, "attention_row", backend)


WRONG = {
    "the first seed for all": ("adj_y[i][seed]", "adj_y[i][0]"),
    "two seeds exchanged": ("adj_x[i][seed] +=", "adj_x[i][2 - seed] +="),
    "a seed left out": ("seed < 3; ++seed) {", "seed < 2; ++seed) {"),
    "a sum by each thread's own": ("block_add_3(adj_a, adj_a_sum)", "adj_a[2] += adj_a_sum[2]"),
    "a seed that is changed": ("adj_x[i][seed] +=", "((float *)adj_y[i])[2] *= 2.0f, adj_x[i][seed] +="),
}


@pytest.mark.parametrize("how", WRONG)
def test_a_wrong_seed_is_found(how: str, backend: Backend) -> None:
    done = transform(Source("k.cu", SCALED), Options(wrt=("x", "a"), seeds=3))
    old, new = WRONG[how]
    assert old in done.text
    pair = done.paired(done.text.replace(old, new), "adjoint")
    args: dict[str, Any] = {
        "x": np.linspace(0.5, 1.5, 29, dtype=np.float32),
        "a": 1.5,
        "y": np.zeros(29, np.float32),
        "n": 29,
    }
    case = given(pair.primal, args, 2, 16, 0)
    report = check_seeds(Seeded(pair, done.of_one_seed.pair), case, backend)
    assert report.wrong
    right = check_seeds(Seeded(done.pair, done.of_one_seed.pair), case, backend)
    assert right.ok, right.text()


# ---- near misses: what one loop may hold, and what must stay apart -----------------------------------------

NEAR = {
    "a factor that the next statement changes": (
        "",
        GUARD + "float s = x[i]; float t = s * w[i]; s = s * t; t = sinf(s) * t; y[i] = s * t;",
    ),
    "an array of the thread's that is restored": (
        "",
        GUARD + "float a[3] = {x[i], w[i], 1.0f}; for (int j = 0; j < 3; ++j)"
        " for (int k = 0; k < 3; ++k) a[k] = a[k] * a[(k + j) % 3] + 0.1f; y[i] = a[0] + a[1] * a[2];",
    ),
    "a partial that is infinite for a seed of zero": (
        "",
        GUARD + "float s = sqrtf(x[i] - x[0]); y[i] = i == 0 ? w[i] : s * w[i];",
    ),
    "a value that a branch on an adjoint declares": (
        "",
        GUARD + "float h = hypotf(x[i], x[i] * w[i]); y[i] = h > 0.5f ? h * h + 1.0f / h : h;",
    ),
    "a function that changes what it takes by value": (
        "__device__ float f(float s, int m) { for (int j = 0; j < m; ++j) s *= s + 0.1f; return s; }",
        GUARD + "float s = f(x[i], 2); s = f(s * w[i], 1); y[i] = s * f(s, 2);",
    ),
    "a function of a function": (
        "__device__ float g(float a, float b) { return a * sinf(b); }\n"
        "__device__ float f(float a, float b) { float c = g(a, b); c = g(c, c); return g(b, c) + a; }",
        GUARD + "float s = x[i]; s = f(s, s); y[i] = f(s, w[i]) * s;",
    ),
    "a function that is called in an operand that may not be evaluated": (
        "__device__ float f(float a, float b) { return a > b ? a * a * b : expf(a) * b; }",
        GUARD + "y[i] = i > 0 ? f(x[i], w[i - 1]) : x[i];",
    ),
    "a sum over a block with its sign": ("", "y[i] = x[i] * x[i] - w[0];"),
    "sums over a block in a loop": (
        "",
        "float s = i < n ? x[i] : 0.0f; for (int j = 0; j < 4; ++j) s = s * w[j] + w[j + 4];"
        " if (i < n) y[i] = s;",
    ),
    "a shared tile between barriers": (
        "",
        "__shared__ float t[16]; t[threadIdx.x] = i < n ? x[i] * w[i] : 0.0f; __syncthreads();"
        " float s = t[(threadIdx.x + 3) % 16]; __syncthreads(); t[threadIdx.x] = s * s; __syncthreads();"
        " if (i < n) y[i] = t[15 - threadIdx.x] * s;",
    ),
    "a sum over the block that all threads get": (
        "",
        "__shared__ float t[16]; t[threadIdx.x] = i < n ? x[i] * w[i] : 0.0f; __syncthreads();"
        " for (int d = 8; d > 0; d /= 2) { if (threadIdx.x < d) t[threadIdx.x] += t[threadIdx.x + d];"
        " __syncthreads(); } if (i < n) y[i] = x[i] / (t[0] + 2.0f);",
    ),
}


@pytest.mark.parametrize("wrt", ["x", "x,w"])
@pytest.mark.parametrize("name", NEAR)
def test_each_seed_stays_apart(name: str, wrt: str) -> None:
    before, body = NEAR[name]
    random = np.random.default_rng(1)
    args: dict[str, Any] = {
        "x": np.sort(random.uniform(0.5, 1.5, 32)).astype(np.float32),
        "w": random.uniform(0.5, 1.0, 32).astype(np.float32),
        "y": np.zeros(32, np.float32),
        "n": 29,
    }
    report = s2sad.check(
        KERNEL.format(before=before, body=body),
        seeds=3,
        args=args,
        grid=2,
        block=16,
        of="y",
        wrt=wrt,
        backend="cpu",
    )
    assert report.ok, report.text()
    each = [finding for finding in report.findings if "adjoint of one seed" in finding.what]
    assert len(each) == 3


def test_a_seed_of_zero_has_a_gradient_of_zero_where_a_partial_is_infinite(backend: Backend) -> None:
    source = KERNEL.format(before="", body=GUARD + "y[i] = sqrtf(x[i]) * w[i];")
    launcher = Launcher(transform(Source("k.cu", source), Options(wrt=("x",), seeds=2)).pair, backend)
    args: dict[str, Any] = {
        "x": np.zeros(3, np.float32),
        "w": np.ones(3, np.float32),
        "y": np.zeros(3, np.float32),
        "n": 3,
    }
    launch = Launch((1, 1, 1), (3, 1, 1), 0)
    one, two = (launcher.buffers(args, {"y": np.array(seed, np.float32)}) for seed in ([0, 1, 0], [0, 0, 2]))
    run = launcher.adjoint(launch, launch, args, one, further=[two])
    ((_, other),) = run.further
    assert run.buffers["x"].tolist() == [0, np.inf, 0]
    assert other["x"].tolist() == [0, 0, np.inf]


# ---- the rows of a Jacobian ------------------------------------------------------------------------------

ROWS = """__global__ void k(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = sinf(x[2 * i]) * w[0] + x[2 * i + 1] * x[2 * i + 1] * w[1];
}
"""


def rows_of(n: int, **more: Any) -> dict[tuple[str, str], Any]:
    random = np.random.default_rng(3)
    args = {
        "x": random.uniform(0.5, 1.5, 2 * n).astype(np.float32),
        "w": np.array([0.5, 2.0], np.float32),
        "y": np.zeros(n, np.float32),
        "n": n,
    }
    return s2sad.jacobian(ROWS, of="y", wrt="x,w", grid=1, block=16, args=args, backend="cpu", **more)


@pytest.mark.parametrize("seeds", [2, 8, 64])
def test_rows_of_a_jacobian_are_the_same_with_any_number_of_seeds(seeds: int) -> None:
    one, several = rows_of(5, seeds=1), rows_of(5, seeds=seeds)
    assert one.keys() == several.keys() == {("y", "x"), ("y", "w")}
    for key, rows in one.items():
        np.testing.assert_allclose(several[key], rows, rtol=1e-6)


def test_rows_of_one_colour_share_a_seed() -> None:
    whole = rows_of(5)
    colours = np.array([0, 2, 1, 0, 2])
    found = rows_of(5, colours={"y": colours})
    for key, rows in whole.items():
        assert found[key].shape == (3, *rows.shape[1:])
        for colour in range(3):
            np.testing.assert_allclose(found[key][colour], rows[colours == colour].sum(axis=0), rtol=1e-6)


@pytest.mark.parametrize("colours", [[0, 1], [0, 1, 2, 0, -1], [0.5] * 5])
def test_each_output_has_a_colour(colours: list[float]) -> None:
    with pytest.raises(Rejected, match="colours"):
        rows_of(5, colours={"y": colours})


# ---- what is asked for ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["0", "65", "-1", "x", "", "1.5", "٣"])
def test_only_one_to_sixty_four(text: str) -> None:
    with pytest.raises(Unclear, match="number of seeds"):
        options.seeds(text)


@pytest.mark.parametrize("mode", ["tangent", "second-order"])
def test_only_adjoints_have_seeds(mode: options.Mode) -> None:
    with pytest.raises(Rejected) as caught:
        made("saxpy", 4, mode=mode)
    assert [d.code for d in caught.value.diagnostics] == [Code.USAGE]


def test_the_file_may_say_how_many_its_adjoint_has() -> None:
    body = GUARD + "y[i] = x[i] * w[i];"
    said = f"// s2sad: --of y --wrt x --seeds 4\n{KERNEL.format(before='', body=body)}"
    adjoint = transform(Source("k.cu", said), Options())
    assert adjoint.adjoint.signature.seeds == 4
    assert "--seeds 4" in adjoint.adjoint.command
    for mode in ("tangent", "second-order"):
        assert "seeds" not in transform(Source("k.cu", said), Options(mode=mode)).text


def test_the_signature_says_where_the_seeds_are() -> None:
    arguments = {a.name: a.declared for a in made("saxpy", 4).adjoint.signature.arguments}
    assert arguments["adj_x"] == "float (*adj_x)[4]"
    assert arguments["adj_a"] == "float *adj_a"
    structs = {a.name: a.declared for a in made("particles", 4).adjoint.signature.arguments}
    assert structs["adj_particles"] == "Particle *adj_particles"


REFUSED = ("carved_shared", "held_arrays", "numbers_in_vectors", "struct_weights")


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_laid_out_is_refused(name: str) -> None:
    with pytest.raises(Rejected) as caught:
        made(name, 2)
    (found,) = caught.value.diagnostics
    assert found.code is Code.NOT_SUPPORTED
    assert "several seeds" in found.title


def test_more_shared_memory_than_a_block_has_is_refused() -> None:
    with pytest.raises(Rejected) as caught:
        made("matmul_tile", 64)
    (found,) = caught.value.diagnostics
    assert found.code is Code.NOT_SUPPORTED
    assert "64 seeds" in found.title
    assert "at most 46 seeds" in (found.help or "")


def test_a_text_for_other_seeds_is_refused(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(SCALED)
    written = s2sad.transform(tmp_path / "k.cu", wrt="x,a", seeds=3)
    (tmp_path / "k_adj.cu").write_text(written.source)
    case = {"args": {"x": np.ones(4, np.float32), "a": 2.0, "y": np.zeros(4, np.float32), "n": 4}}
    how: dict[str, Any] = {**case, "grid": 1, "block": 4, "wrt": "x,a", "backend": "cpu"}
    assert s2sad.check(tmp_path / "k.cu", tmp_path / "k_adj.cu", **how).ok  # its header says how many
    with pytest.raises(Rejected) as caught:
        s2sad.check(tmp_path / "k.cu", tmp_path / "k_adj.cu", seeds=2, **how)
    assert [d.code for d in caught.value.diagnostics] == [Code.OTHER_PARAMETERS]
