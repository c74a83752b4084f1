"""An array of no elements is passed as nullptr: what a kernel does without it is checked too."""

from __future__ import annotations

from pathlib import Path

import s2sad

KERNEL = Path(__file__).parents[1] / "golden" / "absent_bias.cu"


def test_arrays_may_be_absent_in_a_case(tmp_path: Path) -> None:
    text = KERNEL.with_suffix(".toml").read_text()
    for name, shape in (("bias", '"n"'), ("scale", "1"), ("sums", "64")):
        assert f"{name} = {{ shape = {shape}," in text
        text = text.replace(f"{name} = {{ shape = {shape},", f"{name} = {{ shape = 0,")
    case = tmp_path / "absent.toml"
    case.write_text(text)
    report = s2sad.check(KERNEL, case=case, backend="cpu")
    assert report.ok, report
    assert report.worst < 1e-8


def test_an_array_of_structs_with_arrays_may_be_absent(tmp_path: Path) -> None:
    kernel, case = tmp_path / "k.cu", tmp_path / "k.toml"
    kernel.write_text(
        "struct Row { float k[2]; float scale; };\n"
        "__global__ void k(const float *x, const Row *w, float *y, int n, int rows)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n)\n        y[i] = rows ? x[i] * w->k[1] * w->scale : x[i];\n}\n"
    )
    case.write_text(
        'of = ["y"]\nwrt = ["x", "w"]\n[launch]\ngrid = 2\nblock = 4\n[args]\nn = 7\nrows = 1\n'
        'x = { shape = "n", fill = "normal" }\nw = { shape = 1, fill = "normal" }\n'
        'y = { shape = "n", fill = "zeros" }\n'
        '[[also]]\nargs = { rows = 0, w = { shape = 0, fill = "zeros" } }\n'
    )
    assert s2sad.check(kernel, case=case, backend="cpu").ok
