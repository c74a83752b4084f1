"""Check which compilers and backends work on this machine, by trying them."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..signature import Argument, Signature
from . import nvrtc
from .backend import BackendUnavailable, LaunchFailed
from .cpu import compiler
from .isolated import Isolated

_SECONDS = 60
_TRIAL = """\
extern "C" __global__ void trial(const float *x, float *y)
{
    __shared__ float s[32];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = 2.0f * s[31 - threadIdx.x];
}
"""

_HALF = '#include <cuda_fp16.h>\nextern "C" __global__ void trial(half *y) { y[0] = hsqrt(y[1]); }\n'
_CAPABILITY = 90  # any that NVRTC supports, or an older one


@dataclass(frozen=True)
class Finding:
    """The result of one check. `hint` says how to get what is missing; `needed`: nothing runs without it."""

    name: str
    ok: bool
    detail: str
    hint: str = ""
    needed: bool = False


class Report(tuple[Finding, ...]):
    """All findings, with their text form."""

    __slots__ = ()

    @property
    def ok(self) -> bool:
        """Whether kernels can be run here, on the CPU at least."""
        return all(finding.ok for finding in self if finding.needed)

    def text(self) -> str:
        """Return a line for each finding, each followed by its hint, if any."""
        lines: list[str] = []
        for finding in self:
            lines.append(f"{'ok' if finding.ok else '--':2}  {finding.name:14}{finding.detail}".rstrip())
            if finding.hint:
                lines.append(f"    {'':14}{finding.hint}")
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, Any]:
        return {"ok": self.ok, "findings": [asdict(finding) for finding in self]}


def examine() -> Report:
    """Check everything that running kernels depends on."""
    return Report(_findings())


def _findings() -> list[Finding]:
    return [
        _python(),
        *_compilers(),
        _cpu(),
        _cache(),
        _package("ziglang", "a C++ compiler from pip, for machines without one: pip install s2sad[compiler]"),
        _nvcc(),
        _nvrtc(),
        _cuda(),
    ]


def _python() -> Finding:
    enough = sys.version_info >= (3, 11)
    detail = f"{platform.python_version()}, {platform.system()} on {platform.machine()}"
    return Finding("Python", enough, detail, "" if enough else "Python 3.11 or newer", needed=True)


def _compilers() -> Iterator[Finding]:
    found = compiler.compilers()
    if not found:
        yield Finding("C++ compiler", False, "none found", compiler.MISSING, needed=True)
    for number, each in enumerate(found):
        used = " (used)" if number == 0 else ""
        yield Finding(
            "C++ compiler", True, f"{' '.join(each.command)}: {each.version}{used}", needed=number == 0
        )


def _cpu() -> Finding:
    """Compile and run a kernel with a barrier."""
    kernel = Signature("trial", (Argument("x", "float", True, const=True), Argument("y", "float", True)))
    x = np.arange(32, dtype=np.float32)
    y = np.zeros_like(x)
    begun = time.perf_counter()
    try:
        with Isolated("cpu", timeout=_SECONDS) as backend:
            module = backend.compile(_TRIAL, [kernel], name="trial.cu")
            module.launch(kernel, (1, 1, 1), (32, 1, 1), {"x": x, "y": y})
    except (BackendUnavailable, LaunchFailed) as error:
        return Finding(
            "cpu backend", False, str(error), "install another C++ compiler, or set CXX", needed=True
        )
    right = bool(np.all(y == 2 * x[::-1]))
    seconds = time.perf_counter() - begun
    detail = (
        f"compiled and ran a kernel in {seconds:.2f} s" if right else "ran a kernel and got a wrong result"
    )
    return Finding("cpu backend", right, detail, "" if right else "set CXX to another compiler", needed=True)


def _cache() -> Finding:
    folder = compiler.cache_folder()
    count = len(list(folder.glob("*.so"))) if folder.is_dir() else 0
    if compiler.writable(folder):
        return Finding("cache", True, f"{folder}, {count} compiled modules")
    hint = "kernels are recompiled in each process; make the folder writable, or set XDG_CACHE_HOME"
    return Finding("cache", False, f"{folder} can't be written", hint)


def _package(name: str, hint: str) -> Finding:
    if find_spec(name) is None:
        return Finding(name, False, "not installed", hint)
    try:
        return Finding(name, True, version(name))
    except PackageNotFoundError:
        return Finding(name, True, "installed")


def _nvcc() -> Finding:
    path = shutil.which("nvcc")
    if path is None:
        return Finding("nvcc", False, "not in PATH", "the CUDA toolkit; only pycuda needs it")
    try:
        told = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("nvcc", False, f"{path}: {error}", "reinstall the CUDA toolkit")
    release = next((line.strip() for line in told.stdout.splitlines() if "release" in line), "")
    return Finding("nvcc", told.returncode == 0, f"{path}: {release}")


def _nvrtc() -> Finding:
    if nvrtc.installed():
        return _compiled()
    try:
        return Finding("NVRTC", True, f"nvidia-cuda-nvrtc {version('nvidia-cuda-nvrtc')}")
    except PackageNotFoundError:
        pass
    folders = [os.environ.get("CUDA_PATH", ""), os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"]
    for folder in filter(None, folders):
        for place in ("lib64", "lib"):
            if os.path.exists(os.path.join(folder, place, "libnvrtc.so")):
                return Finding("NVRTC", True, os.path.join(folder, place))
    hint = "pip install nvidia-cuda-nvrtc; it compiles CUDA without a GPU, which s2sad's own tests use"
    return Finding("NVRTC", False, "not found", hint)


def _compiled() -> Finding:
    """Compile a kernel with half precision, which needs CUDA's headers too."""
    begun = time.perf_counter()
    try:
        nvrtc.compile_text(_HALF, ["trial"], nvrtc.architecture(_CAPABILITY), "float", "trial.cu")
    except (BackendUnavailable, LaunchFailed) as error:
        return Finding("NVRTC", False, " ".join(str(error).split()), f"to install it anew: {nvrtc.INSTALL}")
    major, minor = nvrtc.version()
    seconds = time.perf_counter() - begun
    return Finding("NVRTC", True, f"{major}.{minor} compiled a kernel for a GPU in {seconds:.2f} s")


def _cuda() -> Finding:
    """Look for a device, in a separate process because a context lives as long as its process."""
    try:
        with Isolated("cuda", timeout=_SECONDS) as backend:
            return Finding("cuda backend", True, backend.about)
    except (BackendUnavailable, LaunchFailed) as error:
        hint = "" if nvrtc.INSTALL in str(error) else "only the cuda backend needs a GPU and its driver"
        return Finding("cuda backend", False, str(error), hint)
