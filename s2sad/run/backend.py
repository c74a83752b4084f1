"""What running a kernel needs, whatever runs it.

Two backends are behind this protocol: `cpu`, the default, which compiles the
text as C++ against our own header, and `cuda`, which needs a GPU and pycuda.
Both take text and a signature and know nothing of how the text was made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from ..signature import Signature
from .float_widening import Real
from .sanitizer_report import Inspection
from .values import Extent, Order, Value


class BackendUnavailable(Exception):
    """The backend can't work on this machine; the message says what to install."""


class LaunchFailed(Exception):
    """A launch that didn't end well, or couldn't begin; the message says how."""


class WatchUnavailable(Exception):
    """The backend runs kernels, but can't look into them here; the message says why."""


class CompileFailed(LaunchFailed):
    """The compiler refused the text; the message holds its first lines, with the text's line numbers."""


class Tie(NamedTuple):
    """A line where two numbers were compared that are nearly the same, and move apart."""

    line: int | None
    left: float
    right: float

    def text(self, file: str) -> str:
        where = f"line {self.line} of {file}" if self.line is not None else file
        return (
            f"{where}: {self.left:.9g} and {self.right:.9g} are compared, a near-tie: "
            "another compiler, or data nearby, may decide otherwise"
        )


class Decisions(NamedTuple):
    """How a launch chose: where another input nearby is treated otherwise, and a mark of all its choices."""

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
        """Runs the kernel; arrays are modified in place. Raises LaunchFailed.

        Arrays are contiguous and have the element types as compiled: float64 for
        a `float` parameter where `real` was "double". `strict` makes it an error
        that threads meet at a barrier after others of their block have returned:
        hardware allows it, and an adjoint that s2sad emits never does it.
        """
        ...

    def tape_bytes(self, kernel: Signature, grid: Extent, block: Extent, args: Mapping[str, Value]) -> int:
        """The size of the tape, by the text's own NAME_tape_bytes."""
        ...

    def shared_bytes(
        self, kernel: Signature, grid: Extent, block: Extent, args: Mapping[str, Value], shared_bytes: int = 0
    ) -> int:
        """Dynamic shared memory that NAME needs where the primal needs `shared_bytes`."""
        ...


@runtime_checkable
class Several(Protocol):
    """A module for which many launches at once are cheaper than one by one."""

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
        """As `launch` with each of the arguments, one after the other. Raises LaunchFailed at the first."""
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
        """A module whose kernels are those of the signatures. Raises CompileFailed.

        `name` is the file's name in messages. `quick`: it is launched a few times only, so
        that compiling is what takes time. With `real="double"` the text is
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
        """Runs the kernel; floating arguments are complex, tangents are their imaginary parts.

        With `shake` other than zero, what isn't exact is rounded up or down at random: it is the seed.
        Arrays are modified in place. Raises LaunchFailed.
        """
        ...


@runtime_checkable
class Differentiator(Protocol):
    """A backend that can carry tangents; the one for GPUs can't."""

    def differentiate(
        self, text: str, signatures: Sequence[Signature], *, name: str = "kernel.cu", rounded: bool = False
    ) -> Dual:
        """As `Backend.compile`. Raises CompileFailed, also for texts that look at the bits of reals.

        `rounded`: values are rounded to float at each step, tangents aren't.
        """
        ...


Fill = Literal["zero", "pattern"]


@runtime_checkable
class Initialiser(Protocol):
    """A backend that can say what local variables hold before they are set."""

    def initialise(
        self, text: str, signatures: Sequence[Signature], fill: Fill, *, name: str = "kernel.cu"
    ) -> Module:
        """As `Backend.compile` in doubles: local variables hold zeros, or the compiler's pattern, at first.

        Raises CompileFailed, also where the compiler can't do it.
        """
        ...


class Watched(Protocol):
    """Compiled text whose accesses are watched."""

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
        """Launches the kernel on copies of the arrays; what is wrong with it. Raises LaunchFailed.

        `asked`: parameters and elements of which to tell who wrote them last.
        """
        ...


@runtime_checkable
class Watcher(Protocol):
    """A backend that can watch. The one for GPUs can't; compute-sanitizer is there for that."""

    def watch(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        counted: bool = False,
    ) -> Watched:
        """As `Backend.compile`. Raises CompileFailed, WatchUnavailable.

        `counted`: what inspections find has the lines and sides that ran, too.
        """
        ...
