"""The CPU backend: kernels compiled as C++ against `include/cuda_on_cpu.h`, with the local compiler."""

from __future__ import annotations

from collections.abc import Sequence

from ...signature import Signature
from ..backend import CompileFailed, Fill
from ..float_widening import Real
from . import compiler, reach, record, unit
from .dual import DualModule
from .module import CpuModule
from .record import RecordedModule
from .sanitizer import WatchedModule

# A check launches these a few times only: compiling takes most of the time. Near-ties need line numbers.
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
        """Like `compile` in doubles; initialise local variables to `fill`. Raises CompileFailed."""
        whole = unit.write(text, signatures, "double", name)
        return CpuModule(
            compiler.build(whole, name, (*QUICK, f"-ftrivial-auto-var-init={fill}")), name, "double"
        )

    def differentiate(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        name: str = "kernel.cu",
        rounded: bool = False,
        twice: bool = False,
    ) -> DualModule:
        """Like `compile`, for `push`. Raises CompileFailed."""
        # Implicit conversions to integers make `?:` of a real and an integer ambiguous: try both forms.
        real: Real = "hyper" if twice else "dual"
        whole = unit.write(text, signatures, real, name)
        if rounded:
            whole = f"#define S2SAD_DUAL_ROUNDS 1\n{whole}"
        try:
            library = compiler.build(whole, name, CARRYING)
        except CompileFailed as failed:
            try:
                library = compiler.build(f"#define S2SAD_DUAL_IS_INTEGER 1\n{whole}", name, CARRYING)
            except CompileFailed:
                raise failed from None
        return DualModule(library, name, real)

    def watch(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        counted: bool = False,
    ) -> WatchedModule:
        """Like `compile`, for `inspect`. Raises CompileFailed, WatchUnavailable."""
        if counted:
            library, told = reach.build(text, signatures, real, name)
            return WatchedModule(library, name, real, unit.dynamic_shared(text), told)
        library = compiler.build_watched(unit.write(text, signatures, real, name, watched=True), name)
        return WatchedModule(library, name, real, unit.dynamic_shared(text))

    def record(
        self, text: str, signatures: Sequence[Signature], *, real: Real = "float", name: str = "kernel.cu"
    ) -> RecordedModule:
        """Like `compile`, for `record`. Raises CompileFailed, WatchUnavailable."""
        library, program = record.build(text, signatures, real, name)
        return RecordedModule(library, name, real, program)
