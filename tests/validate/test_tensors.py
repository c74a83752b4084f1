"""Accessors of tensors, end to end: cases and arguments as for arrays, checks and audits."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import s2sad
from s2sad import drafting, pipeline
from s2sad.cli import main
from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.pipeline import Transformed
from s2sad.signature import Signature
from s2sad.source import Source
from s2sad.validate import Case

KERNEL = """\
#include <torch/extension.h>
// s2sad: --of y --wrt x,w
template <typename scalar_t>
__global__ void scaled(const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x,
                       const at::PackedTensorAccessor64<scalar_t, 1> w,
                       torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> y)
{
    const int r = blockIdx.y;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < x.size(1))
        y[r][c] = x[r][c] * x[r][c] * w[c];
}
"""
CASE = """\
kernel = "scaled"
of = ["y"]
wrt = ["x", "w"]
[launch]
grid = [2, 3]
block = 8
[args]
x = { shape = [3, 11], fill = "normal" }
w = { shape = 11, fill = "normal" }
y = { shape = [3, 11], fill = "zeros" }
"""


@pytest.fixture(scope="module")
def done() -> Transformed:
    return pipeline.transform(Source("scaled.cu", KERNEL), Options(of=("y",), wrt=("x", "w")))


@pytest.fixture(scope="module")
def primal(done: Transformed) -> Signature:
    return done.pair.primal


def command(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main([str(word) for word in words])
    return int(left.value.code or 0), capsys.readouterr().err


def written(folder: Path, case: str = CASE) -> Path:
    (folder / "scaled.toml").write_text(case, encoding="utf-8")
    source = folder / "scaled.cu"
    source.write_text(KERNEL, encoding="utf-8")
    return source


def test_a_tensor_has_a_shape_and_a_fill_like_an_array(primal: Signature) -> None:
    args = Case.parse(CASE, primal).setting().args
    assert np.shape(args["x.data_"]) == (3, 11)
    assert np.asarray(args["x.sizes_"]).tolist() == [3, 11]
    assert np.asarray(args["x.strides_"]).tolist() == [11, 1]
    assert np.asarray(args["w.strides_"]).tolist() == [1]


def test_its_memory_may_have_gaps(primal: Signature) -> None:
    args = Case.parse(CASE.replace("shape = [3, 11],", "shape = [3, 11], strides = [1, 5],"), primal)
    x = args.setting().args
    assert np.shape(x["x.data_"]) == (1 + 2 * 1 + 10 * 5,)
    assert np.asarray(x["x.strides_"]).tolist() == [1, 5]


def test_its_values_may_be_written_out(primal: Signature) -> None:
    rows = [[k + 11 * r for k in range(11)] for r in range(3)]
    text = re.sub(r"^x = .*", f"x = {rows}", CASE, flags=re.MULTILINE)
    x = Case.parse(text, primal).setting().args
    assert np.asarray(x["x.data_"]).tolist() == rows
    assert np.asarray(x["x.sizes_"]).tolist() == [3, 11]


def test_a_tensor_may_be_given_by_its_fields(primal: Signature) -> None:
    fields = 'data_ = { shape = 33, fill = "normal" }, sizes_ = [3, 11], strides_ = [11, 1]'
    text = re.sub(r"^x = .*", f"x = {{ {fields} }}", CASE, flags=re.MULTILINE)
    assert np.shape(Case.parse(text, primal).setting().args["x.data_"]) == (33,)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("x = { shape = [3, 11],", "x = { shape = [3, 11, 1],", "args.x.shape: .* of 2 dimensions"),
        ("x = { shape = [3, 11],", "x = { shape = 33,", "args.x.shape: .* of 2 dimensions"),
        ("w = { shape = 11,", "w = { shape = [11, 1],", "args.w.shape: .* of 1 dimension$"),
        ("x = { shape = [3, 11],", "x = {", "the shape of x"),
        ("x = { shape = [3, 11],", "x = { shape = [3, 11], stride = 2,", "unknown key stride in x"),
        ('x = { shape = [3, 11], fill = "normal" }', "x = 3", "x is a tensor: expected a shape and a fill"),
    ],
)
def test_what_does_not_fit_a_tensor_is_refused(primal: Signature, old: str, new: str, said: str) -> None:
    with pytest.raises(Rejected) as refused:
        Case.parse(CASE.replace(old, new), primal)
    assert any(re.search(said, d.title, re.MULTILINE) for d in refused.value.diagnostics), refused.value


def test_a_draft_has_tensors_whose_extents_are_equal(done: Transformed) -> None:
    args = Case.parse(drafting.of_transformed(done), done.pair.primal).setting().args
    assert np.asarray(args["x.sizes_"]).tolist() == [20, 20]
    assert np.asarray(args["w.sizes_"]).tolist() == [20]


@pytest.mark.parametrize("words", [(), ("--mode", "split"), ("--keep-template",), ("--companion",)])
def test_the_gradient_of_a_drafted_case_is_right(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "scaled.cu"
    source.write_text(KERNEL.replace("x[r][c] * x[r][c]", "x[r][c] * x[r][c] * scalar_t(0.5)"))
    status, said = command(capsys, "check", source, *words)
    assert status == 0, said
    assert "--template scalar_t=float inferred for scaled" in said


@pytest.mark.parametrize("words", [(), ("--keep-template",), ("--mode", "split")])
def test_the_emitted_adjoint_passes_an_audit(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its adjoints are accessors by value; a backward kernel may also take them by pointer."""
    source, adjoint = written(tmp_path), tmp_path / "scaled_adj.cu"
    assert command(capsys, "transform", source, "-o", adjoint, *words)[0] == 0
    status, said = command(capsys, "audit", source, adjoint)
    assert status == 0, said
    by_pointer = re.sub(r"(Accessor\S*) (adj_\w+)", r"\1 *\2", adjoint.read_text())
    adjoint.write_text(re.sub(r"(adj_\w+)\.data_\[", r"\1->data_[", by_pointer))
    status, said = command(capsys, "audit", source, adjoint)
    assert status == 0, said
    adjoint.write_text(adjoint.read_text().replace("y.strides_[1]", "y.strides_[0]"))
    assert command(capsys, "audit", source, adjoint)[0] == 1


def test_gaps_don_t_change_the_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path, CASE.replace("w = { shape = 11,", "w = { shape = 11, strides = 3,"))
    status, said = command(capsys, "check", source)
    assert status == 0, said
    adjoint = tmp_path / "scaled_adj.cu"
    assert command(capsys, "transform", source, "-o", adjoint)[0] == 0
    adjoint.write_text(adjoint.read_text().replace("(long)c * w.strides_[0]", "(long)c"))
    assert command(capsys, "check", source, adjoint)[0] == 1


def test_in_python_a_tensor_is_an_array() -> None:
    random = np.random.default_rng(0)
    x, w = random.normal(size=(3, 11)).astype(np.float32), random.normal(size=11).astype(np.float32)
    given = {"x": np.asfortranarray(x), "w": w, "y": np.zeros((3, 11), np.float32)}
    found = s2sad.gradient(KERNEL, grid=(2, 3), block=8, args=given, backend="cpu")
    assert found.outputs.keys() == {"x", "w", "y"}
    np.testing.assert_allclose(found.outputs["y"], x * x * w, rtol=1e-5)
    np.testing.assert_allclose(found.gradients["x"], 2 * x * w, rtol=1e-5)
    np.testing.assert_allclose(found.gradients["w"], (x * x).sum(0), rtol=1e-5)
    pushed = s2sad.jvp(KERNEL, grid=(2, 3), block=8, args=given, tangents={"x": x}, backend="cpu")
    np.testing.assert_allclose(pushed.tangents["y"], 2 * x * x * w, rtol=1e-5)
    with pytest.raises(Rejected, match="x"):
        s2sad.gradient(KERNEL, grid=(2, 3), block=8, args=given | {"x": x.ravel()}, backend="cpu")
