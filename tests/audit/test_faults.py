"""Backward kernels with one fault each: every one is reported, with its place where it has one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from audit_kit import HERE, Pair, audit, pair_of
from tiers import half_thorough

FAULTS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "faults.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", half_thorough(FAULTS))
def test_a_seeded_fault_is_reported(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fault = FAULTS[name]
    pair = pair_of(fault["file"])
    text = pair.backward.read_text(encoding="utf-8")
    assert text.count(fault["old"]) == fault.get("times", 1)
    faulty = tmp_path / fault["file"]
    faulty.write_text(text.replace(fault["old"], fault["new"]), encoding="utf-8")
    status, said = audit(Pair(pair.forward, faulty, pair.case), capsys, "--timeout", "2")
    assert status == 1, said
    assert fault["told"] in said
    if "at" in fault:
        lines = faulty.read_text(encoding="utf-8").splitlines()
        numbers = [i for i, line in enumerate(lines, 1) if fault["at"] in line]
        assert any(f"in line {number}" in said for number in numbers), said
