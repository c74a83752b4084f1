"""The assertion for users' own tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import s2sad
from s2sad.testing import assert_adjoint

SCALE = """\
extern "C" __global__ void scale(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] * x[i];
}
"""
X = np.linspace(-1, 1, 20, dtype=np.float32)
ARGS = {"x": X, "y": np.zeros_like(X), "a": 1.5, "n": 20}


def test_a_right_adjoint_returns_its_report() -> None:
    report = assert_adjoint(SCALE, of="y", wrt="x,a", args=ARGS, grid=2, block=16)
    assert report.ok
    assert {row.name for row in report.rows} >= {"x", "a"}


def test_a_wrong_adjoint_raises_the_reports_text(tmp_path: Path) -> None:
    adjoint = s2sad.transform(SCALE, of="y", wrt="x,a")
    wrong = adjoint.source.replace("2.0f", "3.0f")
    assert wrong != adjoint.source
    with pytest.raises(AssertionError) as caught:
        assert_adjoint(SCALE, wrong, of="y", wrt="x,a", args=ARGS, grid=2, block=16)
    said = str(caught.value)
    assert said.startswith("scale_adj: WRONG")
    assert "adj_x" in said


def test_coverage_can_be_required() -> None:
    halved = SCALE.replace("y[i] =", "y[i] = x[i] > 2.0f ? x[i] :")
    assert_adjoint(halved, of="y", wrt="x", args=ARGS, grid=2, block=16)
    with pytest.raises(AssertionError, match=r"^not everything ran on this launch"):
        assert_adjoint(halved, of="y", wrt="x", args=ARGS, grid=2, block=16, require_coverage=True)
    reached = ARGS | {"x": 4 * X}
    assert_adjoint(halved, of="y", wrt="x", args=reached, grid=2, block=16, require_coverage=True)


def test_a_refusal_is_not_an_assertion() -> None:
    with pytest.raises(s2sad.Rejected, match="no parameter of that name"):
        assert_adjoint(SCALE, of="z", wrt="x", args=ARGS, grid=2, block=16)


def test_it_needs_no_pytest() -> None:
    code = "import sys, s2sad.testing; print('pytest' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
