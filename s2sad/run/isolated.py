"""A backend in a separate process: the caller survives compiled code that crashes, hangs or overruns.

`Isolated` is a backend like any other; its modules send launches to a worker. If
a worker dies or doesn't answer in time, LaunchFailed is raised, and the next
launch starts a new one. Arrays are passed in memory that both processes map, between
guard bytes that reveal writes beyond an array's end.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NoReturn

import numpy as np

from ..signature import Signature
from . import worker
from .backend import BackendUnavailable, CompileFailed, Decisions, Fill, LaunchFailed, WatchUnavailable
from .float_widening import Real
from .recording import Recording
from .registry import find
from .sanitizer_report import Fault, Inspection
from .shared_mmap import alike, bring_back, fill, lay
from .structs import by_value
from .values import Extent, Order, Value

_SMALLEST = 1 << 20
_GRACE = 5.0  # seconds: a watched launch ends itself at the timeout, and reports the line
_SIGNATURES = 256  # the most to remember, if a caller makes a new one for each launch
_ROOM = 1 << 22  # the most bytes for batched launches in one message
_MOMENT = 200  # a batch may grow while it takes less than this fraction of the timeout
_CAUSES = {
    signal.SIGSEGV: "it accessed memory outside of its arrays, or overran its stack",
    signal.SIGBUS: "it accessed memory outside of its arrays",
    signal.SIGFPE: "integer division by zero",
    signal.SIGILL: "it reached unreachable code, such as a missing return",
    signal.SIGABRT: "memory corruption was detected",
    signal.SIGKILL: "the system killed it, perhaps for lack of memory",
}


_How = Literal["compile", "quick", "zero", "pattern", "watch", "count", "differentiate", "round", "recorder"]
_Source = tuple[str, tuple[Signature, ...], Real, str]  # text, kernels, the type of floats, file name


class Crashed(LaunchFailed):
    """The kernel's process died."""


class Hung(LaunchFailed):
    """The kernel didn't finish in time, and its process was killed."""


@dataclass
class _Worker:
    """The worker process and the connection to it."""

    connection: Connection
    pid: int
    process: subprocess.Popen[bytes] | None  # None: forked

    def end(self) -> str:
        """Kill the process if it is still alive; return its cause of death."""
        self.connection.close()
        if self.process is not None:
            self.process.kill()
            status = -self.process.wait()
        else:
            try:
                os.kill(self.pid, signal.SIGKILL)
                _, raw = os.waitpid(self.pid, 0)
            except (ProcessLookupError, ChildProcessError):
                return "its process is gone"  # other code waited for it
            status = os.WTERMSIG(raw) if os.WIFSIGNALED(raw) else -os.WEXITSTATUS(raw)
        if status <= 0:
            return f"its process ended with status {-status}"
        name = signal.Signals(status).name
        return f"{_CAUSES.get(signal.Signals(status), 'its process died')} ({name})"


def _start() -> _Worker:
    """Start a worker: fork if that is safe (milliseconds), else start a new interpreter."""
    here, there = Pipe()
    if sys.platform == "linux" and threading.active_count() == 1:
        pid = os.fork()
        if pid == 0:
            here.close()
            worker.main(there)
        there.close()
        return _Worker(here, pid, None)
    start = f"from s2sad.run.worker import begin; begin({there.fileno()})"
    command = [sys.executable, "-c", start]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    process = subprocess.Popen(command, pass_fds=[there.fileno()], env=environment)
    there.close()
    return _Worker(here, process.pid, process)


@dataclass
class _Memory:
    """Memory mapped by both processes."""

    size: int = 0
    view: mmap.mmap | None = None
    path: Path | None = None
    given: int = -1  # the generation of the worker that has it


class Isolated:
    """A backend whose kernels run in a worker. Implements backend.Backend; a context manager."""

    def __init__(self, backend: Literal["auto", "cpu", "cuda"] = "cpu", timeout: float = 60.0) -> None:
        self.timeout = timeout
        self._backend = backend
        self._owner = os.getpid()
        self._worker: _Worker | None = None
        self._generation = 0
        self._memory = _Memory()
        self._lock = threading.RLock()
        self._next = 0
        self.about = ""  # for messages: the libraries and the device
        if backend == "cuda":
            # a context can't be created before a fork: the worker creates it
            self.name = "cuda"
            self.about = self._ask(("hello", backend), None)
        else:
            self.name = find(backend).name

    def __enter__(self) -> Isolated:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """End the worker. A later launch starts another."""
        if os.getpid() != self._owner:
            return  # a copy in a forked process, which doesn't own the worker
        with self._lock:
            if self._worker is not None:
                self._worker.end()
                self._worker = None

    def compile(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        quick: bool = False,
    ) -> IsolatedModule:
        return self._made((text, tuple(signatures), real, name), "quick" if quick else "compile")

    def initialise(
        self, text: str, signatures: Sequence[Signature], fill: Fill, *, name: str = "kernel.cu"
    ) -> IsolatedModule:
        """Like `compile` in doubles; initialise local variables to `fill`. Raises CompileFailed."""
        return self._made((text, tuple(signatures), "double", name), fill)

    def watch(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: Real = "float",
        name: str = "kernel.cu",
        counted: bool = False,
    ) -> IsolatedModule:
        """Like `compile`, for `inspect`. Raises CompileFailed, WatchUnavailable."""
        return self._made((text, tuple(signatures), real, name), "count" if counted else "watch")

    def differentiate(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        name: str = "kernel.cu",
        rounded: bool = False,
        twice: bool = False,
    ) -> IsolatedModule:
        """Like `compile`, for `push`. Raises CompileFailed, WatchUnavailable."""
        how: _How = "round" if rounded else "differentiate"
        return self._made((text, tuple(signatures), "hyper" if twice else "dual", name), how)

    def record(
        self, text: str, signatures: Sequence[Signature], *, real: Real = "float", name: str = "kernel.cu"
    ) -> IsolatedModule:
        """Like `compile`, for `record`. Raises CompileFailed, WatchUnavailable."""
        return self._made((text, tuple(signatures), real, name), "recorder")

    # ---- talking to the worker --------------------------------------------------------------------------

    def _made(self, source: _Source, how: _How) -> IsolatedModule:
        """Compile a module in the worker."""
        with self._lock:
            self._next += 1
            module = IsolatedModule(self, self._next, source, how)
            self._introduce(module)
            return module

    def _introduce(self, module: IsolatedModule) -> None:
        """Have the worker compile the module, if it is a new worker that hasn't yet."""
        if self._worker is not None and module.known == self._generation:
            return
        self._ask((module.how, self._backend, module.number, *module.source), None)
        module.known = self._generation
        module.signatures.clear()

    def _ask(self, message: tuple[Any, ...], timeout: float | None, what: str = "the backend") -> Any:
        if self._worker is None:
            self._worker = _start()
            self._generation += 1
        line = self._worker.connection
        try:
            line.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))
            if not line.poll(timeout):
                self._give_up(f"{what} didn't finish within {timeout:g} s; --timeout gives it longer")
            kind, value = pickle.loads(line.recv_bytes())
        except (EOFError, ConnectionError, BrokenPipeError):
            died, self._worker = self._worker, None
            raise Crashed(f"{what} crashed: {died.end()}") from None
        except KeyboardInterrupt:
            self.close()
            raise
        match kind:
            case "done":
                return value
            case "compile":
                raise CompileFailed(value)
            case "unavailable":
                raise BackendUnavailable(value)
            case "unwatched":
                raise WatchUnavailable(value)
            case _:
                if self._backend == "cuda":
                    self.close()  # after a fault of a kernel, every call of its process fails
                raise LaunchFailed(value)

    def _give_up(self, message: str) -> NoReturn:
        self.close()
        raise Hung(message)

    def _room(self, size: int) -> mmap.mmap:
        """Return shared memory of at least this size, mapped by the worker too."""
        memory = self._memory
        if memory.view is None or memory.size < size:
            memory.size = max(_SMALLEST, 1 << (size - 1).bit_length())
            memory.given = -1
            folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
            with tempfile.NamedTemporaryFile(prefix="s2sad-", dir=folder) as file:
                file.truncate(memory.size)
                memory.view = mmap.mmap(file.fileno(), memory.size)
                self._hand_over(Path(file.name))
        elif memory.given != self._generation or self._worker is None:
            # the file is gone; a new worker gets new memory
            memory.view = None
            return self._room(size)
        return memory.view

    def _hand_over(self, path: Path) -> None:
        self._ask(("memory", str(path), self._memory.size), None)
        self._memory.given = self._generation

    def call(
        self,
        module: IsolatedModule,
        what: str,
        kernel: Signature,
        geometry: tuple[Extent, Extent],
        args: Mapping[str, Value],
        rest: tuple[Any, ...],
    ) -> Any:
        """Call a method of the module in the worker; copy arrays there and, unless const, back."""
        return self.each(module, what, kernel, geometry, [args], rest)

    def each(
        self,
        module: IsolatedModule,
        what: str,
        kernel: Signature,
        geometry: tuple[Extent, Extent],
        several: Sequence[Mapping[str, Value]],
        rest: tuple[Any, ...],
    ) -> Any:
        """Call it with each set of arguments, which are alike, in a single message to the worker."""
        with self._lock:
            self._introduce(module)
            laid, size = lay(several)
            memory = self._room(size)
            fill(memory, laid)
            answer = self._send(module, what, kernel, geometry, laid.batch, rest)
            if what in worker.RUNS:
                bring_back(memory, laid, kernel)
            return answer

    def _send(
        self,
        module: IsolatedModule,
        what: str,
        kernel: Signature,
        geometry: tuple[Extent, Extent],
        batch: worker.Batch,
        rest: tuple[Any, ...],
    ) -> Any:
        if len(module.signatures) >= _SIGNATURES:
            module.signatures.clear()
        number = len(module.signatures)
        _, known = module.signatures.setdefault(id(kernel), (kernel, number))
        return self._ask(
            (what, module.number, known, kernel if known == number else None, geometry, batch, rest),
            self.timeout + (_GRACE if what == "inspect" else 0),
            f"{module.source[3]}: {kernel.name}",
        )


@dataclass(eq=False)
class IsolatedModule:
    """Implements backend.Module, Watched, Dual or Recorded, as it was compiled."""

    backend: Isolated
    number: int
    source: _Source
    how: _How = "compile"
    known: int = -1  # the generation of the worker that has it
    # those that the worker has received, by identity: hashing them would cost more than a launch
    signatures: dict[int, tuple[Signature, int]] = field(default_factory=dict)
    together: int = 1  # launches in one message

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
        keywords = {"order": order, "strict": strict}
        self.backend.call(self, "launch", kernel, (grid, block), args, (shared_bytes, keywords))

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
        """Launch one after the other. Double the batch while one takes a small part of the timeout."""
        rest = shared_bytes, {"order": order, "strict": False}
        at, together = 0, self.together
        while at < len(several):
            size = sum(value.nbytes for value in several[at].values() if isinstance(value, np.ndarray))
            together = max(1, min(together, _ROOM // (size + 1)))
            same = takewhile(partial(alike, several[at]), several[at : at + together])
            together = sum(1 for _ in same)
            begun = time.monotonic()
            self.backend.each(self, "launch", kernel, (grid, block), several[at : at + together], rest)
            at += together
            took = time.monotonic() - begun
            together = 2 * together if took < self.backend.timeout / _MOMENT else max(1, together // 2)
        self.together = together

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
        keywords = {"order": order, "shake": shake}
        found = self.backend.call(self, "push", kernel, (grid, block), args, (shared_bytes, keywords))
        assert isinstance(found, Decisions)
        return found

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
        keywords = {"at": at, "order": order}
        found = self.backend.call(self, "record", kernel, (grid, block), args, (shared_bytes, keywords))
        assert isinstance(found, Recording)
        return found

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
        keywords = {"order": order, "strict": strict, "limit": self.backend.timeout, "asked": asked}
        try:
            found = self.backend.call(self, "inspect", kernel, (grid, block), args, (shared_bytes, keywords))
        except (Crashed, Hung) as error:
            detail = str(error).removeprefix(f"{self.source[3]}: {kernel.name} ")
            return Inspection((Fault("crash", kernel.name, detail=detail),))
        assert isinstance(found, Inspection)
        return found

    def tape_bytes(self, kernel: Signature, grid: Extent, block: Extent, args: Mapping[str, Value]) -> int:
        scalars = by_value(kernel, args)
        return int(self.backend.call(self, "tape_bytes", kernel, (grid, block), scalars, ()))

    def shared_bytes(
        self, kernel: Signature, grid: Extent, block: Extent, args: Mapping[str, Value], shared_bytes: int = 0
    ) -> int:
        scalars = by_value(kernel, args)
        return int(self.backend.call(self, "shared_bytes", kernel, (grid, block), scalars, (shared_bytes,)))
