"""Kernels on the CPU: compiled as C++ against `include/cuda_on_cpu.h`, with the compiler found here."""

from __future__ import annotations

from collections.abc import Sequence

from ...signature import Signature
from ..backend import CompileFailed, Fill
from ..float_widening import Real
from . import compiler, reach, unit
from .dual import DualModule
from .module import CpuModule
from .sanitizer import WatchedModule

# A check launches it a few times only: compiling is most of the time. The lines are for near-ties.
QUICK = ("-O0",)
CARRYING = ("-O0", "-g1")


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
        quick: bool = False,
    ) -> CpuModule:
        whole = unit.write(text, signatures, real, name)
        return CpuModule(compiler.build(whole, name, QUICK if quick else ()), name, real)

    def initialise(
        self, text: str, signatures: Sequence[Signature], fill: Fill, *, name: str = "kernel.cu"
    ) -> CpuModule:
        """As `compile` in doubles; local variables hold that before they are set. Raises CompileFailed."""
        whole = unit.write(text, signatures, "double", name)
        return CpuModule(
            compiler.build(whole, name, (*QUICK, f"-ftrivial-auto-var-init={fill}")), name, "double"
        )

    def differentiate(
        self, text: str, signatures: Sequence[Signature], *, name: str = "kernel.cu", rounded: bool = False
    ) -> DualModule:
        """As `compile`, for launches that carry tangents. Raises CompileFailed."""
        # either reals that become integers silently, or choices between a real and an integer can be had
        whole = unit.write(text, signatures, "dual", name)
        if rounded:
            whole = f"#define S2SAD_DUAL_ROUNDS 1\n{whole}"
        try:
            library = compiler.build(whole, name, CARRYING)
        except CompileFailed as failed:
            try:
                library = compiler.build(f"#define S2SAD_DUAL_IS_INTEGER 1\n{whole}", name, CARRYING)
            except CompileFailed:
                raise failed from None
        return DualModule(library, name)

    def watch(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        counted: bool = False,
    ) -> WatchedModule:
        """As `compile`, for launches that are inspected. Raises CompileFailed, WatchUnavailable."""
        if counted:
            library, told = reach.build(text, signatures, real, name)
            return WatchedModule(library, name, real, unit.dynamic_shared(text), told)
        library = compiler.build_watched(unit.write(text, signatures, real, name, watched=True), name)
        return WatchedModule(library, name, real, unit.dynamic_shared(text))
