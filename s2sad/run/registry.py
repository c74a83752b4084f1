"""The available backends, by name."""

from __future__ import annotations

from typing import Literal

from .backend import Backend, BackendUnavailable


def find(name: Literal["auto", "cpu", "cuda"] = "auto") -> Backend:
    """Return the named backend; `auto` is the CPU. Raises BackendUnavailable."""
    match name:
        case "cuda":
            return _gpu()
        case "cpu" | "auto":
            from .cpu import CpuBackend

            return CpuBackend()


def _gpu() -> Backend:
    """Return the GPU backend whose libraries are installed; the one that needs no toolkit, if both are.

    Raises BackendUnavailable with the reason of each that is installed.
    """
    from . import nvrtc, pycuda

    reasons = []
    if nvrtc.installed():
        try:
            return nvrtc.NvrtcBackend()
        except BackendUnavailable as error:
            reasons.append(str(error))
    if pycuda.installed():
        try:
            return pycuda.PycudaBackend()
        except BackendUnavailable as error:
            reasons.append(str(error))
    raise BackendUnavailable("; ".join(reasons) or nvrtc.NONE_INSTALLED)
