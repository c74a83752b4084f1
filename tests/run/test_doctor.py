"""What `s2sad doctor` finds."""

from __future__ import annotations

import pytest

from s2sad.run.cpu import compiler
from s2sad.run.doctor import examine


def test_it_names_everything_and_tries_the_cpu() -> None:
    report = examine()
    names = [finding.name for finding in report]
    assert names[0] == "Python"
    assert {"C++ compiler", "cpu backend", "cache", "ziglang", "nvcc", "NVRTC", "cuda backend"} <= set(names)
    assert report.ok
    assert "compiled and ran a kernel" in report.text()
    assert report.to_dict()["ok"] is True


def test_without_a_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "candidates", lambda: iter(()))
    report = examine()
    assert not report.ok
    assert "apt install g++" in report.text()
