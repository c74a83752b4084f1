"""Kernels on the CPU: compiled as C++ against `include/cuda_on_cpu.h`, with the compiler found here."""

from __future__ import annotations

from collections.abc import Sequence

from ...signature import Signature
from ..reals import Real
from . import compiler, unit
from .module import CpuModule
from .watched import WatchedModule


class CpuBackend:
    """Implements backend.Backend. Raises BackendUnavailable when there is no C++ compiler."""

    name = "cpu"

    def __init__(self) -> None:
        compiler.compiler()

    def compile(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
    ) -> CpuModule:
        library = compiler.build(unit.write(text, signatures, real, name), name)
        return CpuModule(library, name, real)

    def watch(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
    ) -> WatchedModule:
        """As `compile`, for launches that are inspected. Raises CompileFailed, WatchUnavailable."""
        library = compiler.build_watched(unit.write(text, signatures, real, name, watched=True), name)
        return WatchedModule(library, name, real, unit.dynamic_shared(text))
