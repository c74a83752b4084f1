"""Kernels with PyTorch's accessors as parameters: the caller passes tensors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bind_kit import FOLDER, SCALED, SETTLED, bound, run

from s2sad.cli import main
from s2sad.engine import Kernels, LaunchFailed


def test_the_cell_of_the_tutorial_has_the_right_gradient(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["check", str(FOLDER / "lltm.cu")])
    assert left.value.code == 0, capsys.readouterr().err


def test_the_caller_passes_tensors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = bound(capsys, SCALED, tmp_path, "--torch")
    operators = (made / "operators.py").read_text()
    assert "def _kernel(x: Tensor, w: Tensor) -> Tensor:" in operators
    assert 'checks.accessor("x", x, 2, 2**31)' in operators
    assert 'checks.accessor("w", w, 1, 2**63)' in operators
    assert "y = torch.zeros_like(x)" in operators  # read at the same indices, by its own strides
    engines = (made / "engines.py").read_text()
    assert '"scaled": ("i", "q", "i"),' in engines
    assert '"scaled_adj": ("i", "i", "q", "q", "i", "i"),' in engines
    host = (made / "scaled_float_host.cu").read_text()
    assert "view<PackedTensorAccessor32_float_2, float, 2>(x)" in host
    assert "view<PackedTensorAccessor64_float_1, float, 1>(adj_w)" in host
    assert "PackedTensorAccessor64_float_1 w, PackedTensorAccessor64_float_1 adj_w" in host
    assert '"scaled_adj_tan": ("i", "i", "i", "i", "q", "q", "q", "q", "i", "i", "i"),' in engines
    assert sorted(path.name for path in made.glob("*_adj.cu")) == [
        "scaled_double_adj.cu",
        "scaled_float_adj.cu",
        "scaled_half_adj.cu",
    ]


def test_the_size_of_a_tape_may_depend_on_a_tensor_s_sizes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = bound(capsys, SETTLED, tmp_path, "--torch")
    assert '.tape("settle_adj", grid, block, device, u, rate)' in (made / "operators.py").read_text()
    assert '"settle_adj_tape_bytes": ("i", "i"),' in (made / "engines.py").read_text()
    host = (made / "settle_host.cu").read_text()
    assert "at::Tensor u, at::Tensor rate" in host.partition('m.def("settle_adj_tape_bytes"')[2]


def test_a_launch_is_drafted_from_a_tensor_s_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unstated = SETTLED.replace("// s2sad: launch grid=(u.dim0+31)/32 block=32\n", "")
    made = bound(capsys, unstated, tmp_path, "--torch")
    assert "grid = ((u.shape[0] + 255) // 256, 1, 1)" in (made / "operators.py").read_text()


@pytest.mark.parametrize(
    ("target", "launch", "code", "said"),
    [
        ("--jax", "", "cannot-bind", "x yet: it is an accessor of PyTorch's, which only --torch can make"),
        ("--cupy", "", "cannot-bind", "w yet: it is an accessor"),
        ("--torch", "grid=1 block=32 y=7", "bad-launch", "y is an accessor and needs 2 extents"),
        ("--torch", "grid=1 block=32 y=w", "bad-launch", "y is an accessor and needs 2 extents"),
        ("--torch", "grid=1 block=32 n=3", "bad-launch", "the kernel has no integer or array n"),
    ],
)
def test_what_cannot_be_passed_is_refused_by_name(
    target: str, launch: str, code: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "scaled.cu"
    source.write_text(SCALED)
    words = ["--launch", launch] if launch else []
    one = ["--template", "scalar_t=float"]
    status, found = run(capsys, str(source), target, *words, *one, "-o", str(tmp_path / "made"))
    assert (status, f"error[{code}]" in found, said in found) == (2, True, True), found
    assert not (tmp_path / "made").exists()


VIEW = """\
struct View {
    float *data_;
    int sizes_[2];
    int strides_[2];
};
extern "C" __global__ void twice(const View x, View *y)
{
    int c = threadIdx.x, r = blockIdx.x;
    if (c < x.sizes_[1])
        y->data_[r * y->strides_[0] + c * y->strides_[1]]
            = 2.0f * x.data_[r * x.strides_[0] + c * x.strides_[1]];
}
"""


def test_the_engine_takes_the_bytes_of_a_struct(tmp_path: Path) -> None:
    file = tmp_path / "twice.cu"
    file.write_text(VIEW)
    kind = np.dtype([("data", np.uint64), ("sizes", np.int32, 2), ("strides", np.int32, 2)])
    x, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.zeros((3, 2), np.float32)
    view = np.array([(x.ctypes.data, x.shape, (3, 1))], kind)
    into = np.array([(y.ctypes.data, (2, 3), (1, 2))], kind)
    kernels = Kernels(file, "twice")
    kernels.launch("twice", (2, 1, 1), (4, 1, 1), 0, view.tobytes(), into.ctypes.data)
    assert y.T.tolist() == (2 * x).tolist()
    with pytest.raises(LaunchFailed, match="parameter 1 is a struct of 24 bytes"):
        kernels.launch("twice", (2, 1, 1), (4, 1, 1), 0, view.tobytes()[:-1], into.ctypes.data)
    with pytest.raises(LaunchFailed, match="parameter 1 is a struct of 24 bytes"):
        kernels.launch("twice", (2, 1, 1), (4, 1, 1), 0, view.ctypes.data, into.ctypes.data)
