"""Adjoints that keep, carry, share and exchange numbers of half precision, each judged by its case."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from nvcc_kit import NVCC, nvcc, together

from s2sad.options import Mode, Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

HEAD = (
    "__global__ void k(const half *x, const half2 *p, half *y, half a, int n)"
    " { int i = blockIdx.x * blockDim.x + threadIdx.x; BODY }"
)
SHARED = "extern __shared__ half part[]; int t = threadIdx.x;"
BODIES = {
    "a state on the tape": "if (i < n) { half s = x[i]; for (int j = 0; j < n; ++j) {"
    " s = hsin(s) * a + s * (half)0.5f; if (j % 3 == 1) s = s - x[j]; } y[i] = s; }",
    "a loop that nothing bounds": "if (i < n) { half s = x[i]; while (s * s > a) s = s * (half)0.75f;"
    " y[i] = s; }",
    "two states": "if (i < n) { half s = x[i], v = a; while (__half2float(s) > 0.01f) { v = v - s * a;"
    " s = s * v * (half)0.5f; } y[i] = v; }",
    "an array": "if (i < n) { half q[3]; q[0] = x[i];"
    " for (int j = 1; j < 3; ++j) q[j] = q[j - 1] * a + hexp(x[i]); y[i] = q[0] * q[2]; }",
    "read and written": "if (i < n) { y[i] = y[i] * x[i]; y[i] += y[i] * a; }",
    "a choice": "if (i < n) y[i] = __hgt(x[i], a) ? x[i] * x[i] : __hmin(a, hexp(x[i]));",
    "converted to double": "if (i < n) { double d = x[i]; y[i] = d * d * __half2float(a); }",
    "pairs between lanes": "half2 v = i < n ? p[i] : __float2half2_rn(0.0f);"
    " half2 b = __shfl_xor_sync(0xffffffffu, v, 1); if (i < n) y[i] = b.x * v.y + __low2half(b * v);",
    "shared pairs": "__shared__ half2 q[32]; int t = threadIdx.x; q[t] = i < n ? p[i] * p[i] : half2(a, a);"
    " __syncthreads(); if (i < n) y[i] = q[31 - t].x * a + q[t].y;",
    "a pair by value": "if (i < n) { half2 v = {x[i], a}; v = __hfma2(v, p[i], v);"
    " y[i] = v.x / (v.y * v.y + half(1)); }",
}
CASE = """
[launch]
grid = "(n + 31) / 32"
block = 32

[args]
n = 40
a = 0.4
x = { shape = "n", fill = "uniform(0.2, 1.5)" }
p = { shape = "n", fill = "normal" }
y = { shape = "n", fill = "normal" }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(body: str, mode: Mode = "joint", bfloat: bool = False) -> Transformed:
    text = HEAD.replace("BODY", body)
    if bfloat:
        for old, new in (("__float2half2", "__float2bfloat162"), ("__half2float", "__bfloat162float")):
            text = text.replace(old, new)
        text = text.replace("half2", "__nv_bfloat162").replace("half ", "__nv_bfloat16 ")
        text = text.replace("(half)", "(__nv_bfloat16)").replace(" half(", " __nv_bfloat16(")
        text = text.replace("__low2half", "__low2bfloat16")
    return transform(Source("k.cu", text), Options(of=("y",), wrt=("x", "p", "a"), mode=mode))


@pytest.mark.parametrize(("mode", "bfloat"), [("joint", False), ("split", True)], ids=["half", "bfloat16"])
@pytest.mark.parametrize("name", BODIES)
def test_its_adjoint_is_right(name: str, mode: Mode, bfloat: bool, backend: Backend) -> None:
    done = made(BODIES[name], mode, bfloat)
    case = Case.parse(CASE, done.pair.primal)
    report = check_pair(done.pair, case, backend, tolerance=1e-6)
    assert report.ok, report.text()


@pytest.mark.skipif(NVCC is None, reason="NO NVCC: the emitted texts weren't compiled with it")
@pytest.mark.parametrize("bfloat", [False, True], ids=["half", "bfloat16"])
def test_nvcc_takes_them_without_operators_and_conversions(bfloat: bool, tmp_path: Path) -> None:
    """As PyTorch builds its extensions."""
    unit = tmp_path / "adjoints.cu"
    texts = [(f"k{i}", made(body, bfloat=bfloat).text) for i, body in enumerate(BODIES.values())]
    unit.write_text(together(texts), encoding="utf-8")
    off = [f"-D__CUDA_NO_{what}__" for what in ("HALF_OPERATORS", "HALF_CONVERSIONS", "HALF2_OPERATORS")]
    off.append("-D__CUDA_NO_BFLOAT16_CONVERSIONS__")
    assert nvcc("-c", *off, "-o", str(tmp_path / "adjoints.o"), str(unit)) == ""


def test_dynamic_shared_memory_holds_floats_where_it_is_the_adjoints_alone(backend: Backend) -> None:
    body = "if (i < n) part[t] = x[i] * x[i]; __syncthreads(); if (i + 1 < n && t < 31) y[i] = part[t + 1];"
    done = made(f"{SHARED} {body}")
    assert "extern __shared__ float adj_part[];" in done.text
    case = Case.parse(
        CASE.replace("block = 32", 'block = 32\nshared_bytes = "32 * sizeof(half)"'), done.pair.primal
    )
    report = check_pair(done.pair, case, backend, tolerance=1e-6)
    assert report.ok, report.text()
