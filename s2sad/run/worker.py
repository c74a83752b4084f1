"""The process that runs isolated kernels: it answers messages until the connection is closed."""

from __future__ import annotations

import faulthandler
import mmap
import os
import pickle
import signal
import sys
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..signature import Signature
from .backend import (
    Backend,
    BackendUnavailable,
    CompileFailed,
    Differentiator,
    Dual,
    Initialiser,
    LaunchFailed,
    Module,
    Recorded,
    Recorder,
    Watched,
    Watcher,
    WatchUnavailable,
)
from .registry import find
from .values import Extent

GUARD = 256
RUNS = ("launch", "push", "record")
"""Requests that run a kernel on the arrays of the caller, which get their new values."""
_UNTOUCHED = b"\xff" * GUARD  # NaN as floats, which also reveals reads beyond an array


class Place(NamedTuple):
    """The place of an array in shared memory."""

    offset: int
    dtype: str | np.dtype[Any]  # a string is sent faster, but has no fields
    shape: tuple[int, ...]


def view(memory: mmap.mmap, place: Place) -> NDArray[Any]:
    """Return the array at that place of the memory."""
    return np.ndarray(place.shape, np.dtype(place.dtype), memory, place.offset)


class _Server:
    def __init__(self) -> None:
        self.backends: dict[str, Backend] = {}
        self.modules: dict[int, Module] = {}
        self.watched: dict[int, Watched] = {}
        self.duals: dict[int, Dual] = {}
        self.recorded: dict[int, Recorded] = {}
        self.signatures: dict[int, dict[int, Signature]] = {}
        self.names: dict[int, str] = {}
        self.memory: mmap.mmap | None = None

    def answer(self, message: tuple[Any, ...]) -> Any:
        match message:
            case ("hello", backend):
                return getattr(self._backend(backend), "about", "")
            case ("compile" | "quick" as how, backend, number, text, signatures, real, name):
                self.modules[number] = self._backend(backend).compile(
                    text, signatures, real=real, name=name, quick=how == "quick"
                )
                self._named(number, name)
            case ("zero" | "pattern" as fill, backend, number, text, signatures, _, name):
                initialiser = self._backend(backend)
                if not isinstance(initialiser, Initialiser):
                    raise CompileFailed(f"the {initialiser.name} backend can't fill local variables")
                self.modules[number] = initialiser.initialise(text, signatures, fill, name=name)
                self._named(number, name)
            case ("watch" | "count" as how, backend, number, text, signatures, real, name):
                watcher = self._backend(backend)
                if not isinstance(watcher, Watcher):
                    raise WatchUnavailable(f"the {watcher.name} backend can't watch accesses")
                self.watched[number] = watcher.watch(
                    text, signatures, real=real, name=name, counted=how == "count"
                )
                self._named(number, name)
            case ("differentiate" | "round" as how, backend, number, text, signatures, real, name):
                dual = self._backend(backend)
                if not isinstance(dual, Differentiator):
                    raise WatchUnavailable(f"the {dual.name} backend can't carry tangents")
                self.duals[number] = dual.differentiate(
                    text, signatures, name=name, rounded=how == "round", twice=real == "hyper"
                )
                self._named(number, name)
            case ("recorder", backend, number, text, signatures, real, name):
                recorder = self._backend(backend)
                if not isinstance(recorder, Recorder):
                    raise WatchUnavailable(f"the {recorder.name} backend can't record what a thread does")
                self.recorded[number] = recorder.record(text, signatures, real=real, name=name)
                self._named(number, name)
            case ("memory", path, size):
                with open(path, "r+b") as file:
                    self.memory = mmap.mmap(file.fileno(), size)
            case ("each", number, known, kernel, geometry, several, rest):
                for places in several:
                    self._call(number, "launch", self._known(number, known, kernel), geometry, places, rest)
            case (what, number, known, kernel, geometry, places, rest):
                return self._call(number, what, self._known(number, known, kernel), geometry, places, rest)
        return None

    def _named(self, number: int, name: str) -> None:
        """Register a module's file name, with no signatures received yet."""
        self.signatures[number] = {}
        self.names[number] = name

    def _known(self, number: int, known: int, kernel: Signature | None) -> Signature:
        """Return a module's signature by number; it is sent with the first message that uses it."""
        if kernel is not None:
            self.signatures[number][known] = kernel
        return self.signatures[number][known]

    def _backend(self, name: Any) -> Backend:
        if name not in self.backends:
            self.backends[name] = find(name)
        return self.backends[name]

    def _call(
        self,
        number: int,
        what: str,
        kernel: Signature,
        geometry: tuple[Extent, Extent],
        places: Mapping[str, Any],
        rest: Any,
    ) -> Any:
        memory = self.memory
        assert memory is not None
        args = {name: view(memory, p) if isinstance(p, Place) else p for name, p in places.items()}
        if what == "inspect":
            shared_bytes, keywords = rest
            return self.watched[number].inspect(kernel, *geometry, args, shared_bytes, **keywords)
        if what not in RUNS:
            return getattr(self.modules[number], what)(kernel, *geometry, args, *rest)
        guards = [
            (name, place.offset + args[name].nbytes)
            for name, place in places.items()
            if isinstance(place, Place)
        ]
        start = min((end - args[name].nbytes for name, end in guards), default=GUARD) - GUARD
        memory[start : start + GUARD] = _UNTOUCHED
        for _, end in guards:
            memory[end : end + GUARD] = _UNTOUCHED
        shared_bytes, keywords = rest
        runs: Mapping[str, Mapping[int, object]] = {"push": self.duals, "record": self.recorded}
        found = getattr(runs.get(what, self.modules)[number], what)(
            kernel, *geometry, args, shared_bytes, **keywords
        )
        for name, end in guards:
            if memory[end : end + GUARD] != _UNTOUCHED:
                raise LaunchFailed(f"{self.names[number]}: {kernel.name} wrote beyond the end of {name}")
        if guards and memory[start : start + GUARD] != _UNTOUCHED:
            raise LaunchFailed(
                f"{self.names[number]}: {kernel.name} wrote before the start of {guards[0][0]}"
            )
        return found


def serve(line: Connection) -> None:
    """Answer messages until the other end closes."""
    server = _Server()
    while True:
        try:
            message = pickle.loads(line.recv_bytes())
        except (EOFError, ConnectionError):
            return
        try:
            reply = "done", server.answer(message)
        except CompileFailed as error:
            reply = "compile", str(error)
        except LaunchFailed as error:
            reply = "launch", str(error)
        except BackendUnavailable as error:
            reply = "unavailable", str(error)
        except WatchUnavailable as error:
            reply = "unwatched", str(error)
        except Exception as error:  # report any error to the caller
            reply = "launch", f"{type(error).__name__}: {error}"
        line.send_bytes(pickle.dumps(reply, pickle.HIGHEST_PROTOCOL))


def main(line: Connection) -> NoReturn:
    """Run a worker until it ends. Never returns into the code that forked it."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller ends this process
        faulthandler.disable()
        if sys.platform != "win32":
            import resource

            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(2, 1)  # keep kernels' output out of the caller's stdout
        serve(line)
    finally:
        os._exit(0)


def begin(descriptor: int) -> NoReturn:
    """Entry point of a new interpreter; not run with `-m`, which would load this module twice."""
    main(Connection(descriptor))
