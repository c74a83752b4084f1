"""`--companion`: an adjoint that is included after its primal, in one translation unit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from golden_kit import file
from nvcc_kit import NVCC, nvcc

import s2sad
from s2sad.cli import main
from s2sad.options import Mode

PRIMAL = """\
#define SCALE 2
struct Body { float x, mass; };
__constant__ float weights[4];
__device__ float gain;
__device__ double drawn;

static __device__ float soft(float v) { return v / (1 + fabsf(v)); }

template <class T>
__device__ T square(T v) { return v * v; }

extern "C" __global__ void pull(const Body *b, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = soft(square(b[i].x) * weights[i % 4]) * gain * b[i].mass * SCALE;
}

extern "C" __global__ void push(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = soft(square(x[i]) * gain) * drawn;
}

int main() { return 0; }
"""
CASE = """\
kernel = "pull"
of = ["y"]
wrt = ["b", "weights", "gain"]
[launch]
grid = "(n + 31) / 32"
block = 32
[args]
n = 40
b = { shape = "n", fill = "normal" }
y = { shape = "n", fill = "zeros" }
weights = { shape = 4, fill = "normal" }
gain = { shape = 1, fill = "normal" }
"""


def companion(kernel: str, wrt: str, mode: Mode = "joint") -> s2sad.Adjoint:
    return s2sad.transform(PRIMAL, name="k.cu", kernel=kernel, of="y", wrt=wrt, companion=True, mode=mode)


def test_the_header_says_how_it_is_included() -> None:
    header = companion("pull", "b").source.partition("\n\n")[0]
    assert "// Include after k.cu in the same translation unit" in header
    assert "s2sad transform k.cu --kernel pull --of y --wrt b --companion" in header


def test_nothing_of_the_file_is_defined_again() -> None:
    text = companion("pull", "b,weights,gain").source
    assert not any(word in text for word in ("#define", "struct", "__constant__", "float soft(float"))
    assert "soft(" in text
    assert "SCALE" in text


def test_a_variable_of_the_file_is_no_parameter_but_its_adjoint_is() -> None:
    adjoint = companion("pull", "b,weights,gain")
    assert [a.name for a in adjoint.signature.arguments] == [
        "b", "adj_b", "y", "adj_y", "n", "adj_weights", "adj_gain"
    ]  # fmt: skip
    assert "weights[i % 4]" in adjoint.source
    assert "* gain *" in adjoint.source


@pytest.mark.parametrize("mode", ["joint", "split"])
def test_a_gradient_is_that_of_the_adjoint_that_stands_alone(mode: Mode) -> None:
    rng = np.random.default_rng(7)
    bodies = np.zeros(40, [("x", np.float32), ("mass", np.float32)])
    bodies["x"], bodies["mass"] = rng.normal(size=(2, 40))
    args = {
        "b": bodies,
        "y": np.zeros(40, np.float32),
        "n": 40,
        "weights": rng.normal(size=4).astype(np.float32),
        "gain": np.float32([0.7]),
    }
    behind, alone = (
        s2sad.gradient(
            s2sad.transform(
                PRIMAL, name="k.cu", kernel="pull", of="y", wrt="b,weights,gain", mode=mode, companion=on
            ),
            grid=2, block=32, args=args, backend="cpu",
        )
        for on in (True, False)
    )  # fmt: skip
    for name, found in alone.gradients.items():
        for field in found.dtype.names or (...,):
            assert np.any(found[field] != 0)
            assert np.allclose(behind.gradients[name][field], found[field], rtol=1e-6), name


@pytest.mark.skipif(NVCC is None, reason="NO NVCC: the pair wasn't compiled with it")
def test_two_companions_are_included_behind_one_primal(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(PRIMAL)
    for kernel, wrt in (("pull", "b,weights,gain"), ("push", "x,gain,drawn")):
        (tmp_path / f"{kernel}_adj.cu").write_text(companion(kernel, wrt, mode="split").source)
    unit = tmp_path / "unit.cu"
    unit.write_text('#include "k.cu"\n#include "pull_adj.cu"\n#include "push_adj.cu"\n')
    assert nvcc("-o", str(tmp_path / "program"), str(unit)) == ""


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("", "", 0),
        ("2.0f * v * adj_square", "(v + v) * adj_square", 0),
        ("SCALE * adj_y[i]", "adj_y[i]", 1),
        ("weights[i % 4]", "weights[(i + 1) % 4]", 1),
        ("return 2.0f * v * adj_square;", "return v * adj_square;", 1),
    ],
)
def test_a_companion_on_disk_is_judged_behind_its_primal(
    old: str, new: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "k.cu"
    source.write_text(PRIMAL)
    source.with_suffix(".toml").write_text(CASE)
    text = companion("pull", "b,weights,gain").source
    assert old in text
    (tmp_path / "k_adj.cu").write_text(text.replace(old, new) if old else text)
    with pytest.raises(SystemExit) as left:
        main(["check", str(source), str(tmp_path / "k_adj.cu"), "--backend", "cpu"])
    assert left.value.code == status, capsys.readouterr().err


def test_a_flag_of_the_source_takes_nothing() -> None:
    first = file("companion").read_text().replace("--companion", "--companion yes", 1)
    with pytest.raises(s2sad.Rejected) as refused:
        s2sad.transform(first, name="k.cu")
    assert "`companion` takes no argument" in refused.value.diagnostics[0].title


@pytest.mark.skipif(NVCC is None, reason="NO NVCC: the pair wasn't compiled with it")
def test_shared_memory_that_the_primal_has_as_bytes_has_another_name(tmp_path: Path) -> None:
    primal = file("carved_shared").read_text()
    assert "extern __shared__ unsigned char memory[]" in primal
    adjoint = s2sad.transform(primal, name="k.cu", companion=True)
    assert "extern __shared__ float carved_shared_memory[];" in adjoint.source
    unit = tmp_path / "unit.cu"
    unit.write_text(f"{primal}\n{adjoint.source}")
    assert nvcc("-c", "-o", str(tmp_path / "unit.o"), str(unit)) == ""
