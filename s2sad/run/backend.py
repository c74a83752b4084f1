"""The protocols of backends, which compile and run kernels.

Two backends implement them: `cpu`, the default, compiles the text as C++ against
our own header; `cuda` needs a GPU, and cuda-bindings or pycuda. Both take a text and
signatures and don't depend on how the text was made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from ..signature import Signature
from .float_widening import Real
from .recording import Recording
from .sanitizer_report import Inspection
from .values import Extent, Order, Value


class BackendUnavailable(Exception):
    """The backend can't work on this machine; the message says what to install."""


class LaunchFailed(Exception):
    """A launch failed or couldn't start; the message says how."""


class WatchUnavailable(Exception):
    """The backend runs kernels, but can't instrument them here; the message says why."""


class CompileFailed(LaunchFailed):
    """The compiler rejected the text; the message has its first errors, with the text's line numbers."""


class Tie(NamedTuple):
    """A line that compares two numbers which are nearly equal and have different tangents."""

    line: int | None
    left: float
    right: float

    def text(self, file: str) -> str:
        where = f"line {self.line} of {file}" if self.line is not None else file
        return (
            f"{where}: {self.left:.9g} and {self.right:.9g} are compared, a near-tie: "
            "another compiler or nearby data may branch differently"
        )


class Decisions(NamedTuple):
    """The decisions of a launch: near-ties, which a nearby input may decide otherwise, and a hash of all."""

    ties: tuple[Tie, ...]
    mark: int


class Module(Protocol):
    """Compiled text."""

    def launch(
        self,
        kernel: Signature,
        grid: Extent,
        block: Extent,
        args: Mapping[str, Value],
        shared_bytes: int = 0,
        *,
        order: Order = "forward",
        strict: bool = False,
    ) -> None:
        """Run the kernel and modify arrays in place. Raises LaunchFailed.

        Arrays are contiguous and have the element types as compiled: float64 for
        a `float` parameter where `real` was "double". With `strict`, a barrier that
        threads reach after others of their block have returned is an error:
        hardware allows it, but an adjoint emitted by s2sad never does it.
        """
        ...

    def tape_bytes(self, kernel: Signature, grid: Extent, block: Extent, args: Mapping[str, Value]) -> int:
        """Return the size of the tape, computed by the text's own NAME_tape_bytes."""
        ...

    def shared_bytes(
        self, kernel: Signature, grid: Extent, block: Extent, args: Mapping[str, Value], shared_bytes: int = 0
    ) -> int:
        """Return the dynamic shared memory that NAME needs if the primal needs `shared_bytes`."""
        ...


@runtime_checkable
class Several(Protocol):
    """A module that can batch launches, which is cheaper than launching one by one."""

    def launch_each(
        self,
        kernel: Signature,
        grid: Extent,
        block: Extent,
        several: Sequence[Mapping[str, Value]],
        shared_bytes: int = 0,
        *,
        order: Order = "forward",
    ) -> None:
        """Call `launch` with each set of arguments in turn. Raises LaunchFailed at the first failure."""
        ...


class Backend(Protocol):
    """Compiles text."""

    @property
    def name(self) -> str: ...

    def compile(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        quick: bool = False,
    ) -> Module:
        """Compile a module with the kernels of the signatures. Raises CompileFailed.

        `name` is the file's name in messages. `quick`: the module is launched only a few
        times, so optimise for compile time. With `real="double"` the text is
        compiled with every `float` a `double`.
        """
        ...


class Dual(Protocol):
    """Compiled text whose numbers carry tangents."""

    def push(
        self,
        kernel: Signature,
        grid: Extent,
        block: Extent,
        args: Mapping[str, Value],
        shared_bytes: int = 0,
        *,
        order: Order = "forward",
        shake: int = 0,
    ) -> Decisions:
        """Run the kernel; floating arguments are complex, tangents are their imaginary parts.

        Of text that is differentiated twice they are of the type values.HYPER.
        A nonzero `shake` is the seed for rounding inexact results up or down at random.
        Arrays are modified in place. Raises LaunchFailed.
        """
        ...


@runtime_checkable
class Differentiator(Protocol):
    """A backend that can propagate tangents; the GPU backend can't."""

    def differentiate(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        name: str = "kernel.cu",
        rounded: bool = False,
        twice: bool = False,
    ) -> Dual:
        """Like `Backend.compile`. Raises CompileFailed, also for texts that read the bits of reals.

        `rounded`: round values to float at each step, but not tangents. `twice`: numbers have tangents along
        two directions, and the second derivative along both.
        """
        ...


Fill = Literal["zero", "pattern"]


@runtime_checkable
class Initialiser(Protocol):
    """A backend that can choose the values of uninitialised local variables."""

    def initialise(
        self, text: str, signatures: Sequence[Signature], fill: Fill, *, name: str = "kernel.cu"
    ) -> Module:
        """Like `Backend.compile` in doubles; initialise local variables to zero or the compiler's pattern.

        Raises CompileFailed, also if the compiler can't do it.
        """
        ...


class Watched(Protocol):
    """Compiled text with instrumented accesses."""

    def inspect(
        self,
        kernel: Signature,
        grid: Extent,
        block: Extent,
        args: Mapping[str, Value],
        shared_bytes: int = 0,
        *,
        order: Order = "forward",
        strict: bool = False,
        asked: Sequence[tuple[str, int]] = (),
    ) -> Inspection:
        """Launch the kernel on copies of the arrays and return its faults. Raises LaunchFailed.

        `asked`: elements, as parameter and index, whose last write is reported.
        """
        ...


@runtime_checkable
class Watcher(Protocol):
    """A backend that can instrument accesses. The GPU backend can't; use compute-sanitizer instead."""

    def watch(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        counted: bool = False,
    ) -> Watched:
        """Like `Backend.compile`. Raises CompileFailed, WatchUnavailable.

        `counted`: inspections also report coverage, the lines and sides that ran.
        """
        ...


class Recorded(Protocol):
    """Compiled text that records what one thread does."""

    def record(
        self,
        kernel: Signature,
        grid: Extent,
        block: Extent,
        args: Mapping[str, Value],
        shared_bytes: int = 0,
        *,
        at: tuple[Extent, Extent],
        order: Order = "forward",
    ) -> Recording:
        """Run the kernel as `Module.launch` does; record the thread `at` a block and a thread in it.

        Arrays are modified in place. Raises LaunchFailed.
        """
        ...


@runtime_checkable
class Recorder(Protocol):
    """A backend that can record what a thread does. The GPU backend can't."""

    def record(
        self, text: str, signatures: Sequence[Signature], *, real: Real = "float", name: str = "kernel.cu"
    ) -> Recorded:
        """Like `Backend.compile`. Raises CompileFailed, WatchUnavailable."""
        ...
