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
