"""What `s2sad doctor` finds."""

from __future__ import annotations

import pytest

from s2sad.run import doctor, nvrtc
from s2sad.run.backend import BackendUnavailable, CompileFailed
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


def test_it_says_how_to_get_a_gpu_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*arguments: object, **keywords: object) -> None:
        raise BackendUnavailable(nvrtc.NONE_INSTALLED)

    monkeypatch.setattr(doctor, "Isolated", none)
    finding = doctor._cuda()
    assert (finding.ok, finding.detail) == (False, "no GPU backend is installed: pip install 's2sad[cuda]'")
    assert finding.hint == ""  # the command is there already


def test_it_compiles_for_a_gpu_where_nvrtc_is(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[tuple[object, ...]] = []
    monkeypatch.setattr(nvrtc, "installed", lambda: True)
    monkeypatch.setattr(nvrtc, "architecture", lambda capability: f"sm_{capability}")
    monkeypatch.setattr(nvrtc, "compile_text", lambda *arguments: compiled.append(arguments))
    monkeypatch.setattr(nvrtc, "version", lambda: (13, 2))
    finding = doctor._nvrtc()
    assert finding.ok
    assert finding.detail.startswith("13.2 compiled a kernel for a GPU in ")
    assert [arguments[1:3] for arguments in compiled] == [(["trial"], "sm_90")]

    def fails(*arguments: object) -> None:
        raise CompileFailed("trial.cu doesn't compile with NVRTC:\nno cuda_fp16.h")

    monkeypatch.setattr(nvrtc, "compile_text", fails)
    finding = doctor._nvrtc()
    assert (finding.ok, finding.hint) == (False, "to install it anew: pip install 's2sad[cuda]'")
