"""Faults of backward kernels that public issue threads describe: each is found, with its place.

A folder of tests/audit/public holds a forward, a backward with the fault, the same backward
without it, and a case. All are written for these tests; the thread that the fault is known
from stands in the first lines of backward.cu.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from audit_kit import HERE, Pair, audit
from tiers import half_thorough

PUBLIC = HERE / "public"
FINDINGS: dict[str, dict[str, Any]] = tomllib.loads((PUBLIC / "findings.toml").read_text(encoding="utf-8"))


def pair(name: str, backward: str) -> Pair:
    folder = PUBLIC / name
    return Pair(folder / "forward.cu", folder / backward, folder / "case.toml")


def lines_named(said: str) -> set[int]:
    """The lines of backward.cu that a finding names."""
    wrong = [line for line in said.splitlines() if line.startswith(("wrong: ", "warning: "))]
    return {
        int(number)
        for line in wrong
        for number in re.findall(r"(?<=in line )\d+|(?<=backward\.cu:)\d+", line)
    }


def test_there_are_sixteen_faults_at_least_and_each_names_its_thread() -> None:
    folders = sorted(path.name for path in PUBLIC.iterdir() if path.is_dir())
    assert folders == sorted(FINDINGS)
    assert len(folders) >= 16
    for name in folders:
        comment = re.match(r"(//.*\n)+", (PUBLIC / name / "backward.cu").read_text(encoding="utf-8"))
        assert comment, name
        assert re.search(r"[\w-]+/[\w.-]+#\d+ describes", comment[0].replace("\n// ", " ")), name


@pytest.mark.parametrize("name", half_thorough(FINDINGS))
def test_a_fault_of_a_public_thread_is_found_with_its_place(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    finding = FINDINGS[name]
    status, said = audit(pair(name, "backward.cu"), capsys)
    assert status == finding.get("status", 1), said
    assert finding["told"] in said
    if "at" in finding:
        lines = (PUBLIC / name / "backward.cu").read_text(encoding="utf-8").splitlines()
        (number,) = (i for i, line in enumerate(lines, 1) if finding["at"] in line)
        assert number in lines_named(said), said


@pytest.mark.parametrize("name", half_thorough(FINDINGS))
def test_the_same_kernel_without_the_fault_is_called_right(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = audit(pair(name, "fixed.cu"), capsys)
    assert status == 0, said
    assert "no exact tangents" not in said
    assert "not watched" not in said
