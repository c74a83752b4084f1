"""The available backends, by name."""

from __future__ import annotations

from typing import Literal

from .backend import Backend


def find(name: Literal["auto", "cpu", "cuda"] = "auto") -> Backend:
    """Return the named backend; `auto` is the CPU. Raises BackendUnavailable."""
    match name:
        case "cuda":
            from .pycuda import CudaBackend

            return CudaBackend()
        case "cpu" | "auto":
            from .cpu import CpuBackend

            return CpuBackend()
