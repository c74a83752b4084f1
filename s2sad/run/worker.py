"""The process that runs isolated kernels: it answers messages until the connection is closed."""

from __future__ import annotations

import faulthandler
import math
import mmap
import os
import pickle
import signal
import sys
from collections.abc import Mapping, Sequence
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
_UNTOUCHED = 0xFF  # NaN as floats, which also reveals reads beyond an array


class Place(NamedTuple):
    """The place of an array in the memory of a launch."""

    offset: int
    dtype: str | np.dtype[Any]  # a string is sent faster, but has no fields
    shape: tuple[int, ...]


class Batch(NamedTuple):
    """Launches one after the other: places of their arrays, each launch's other arguments, and its bytes."""

    places: Mapping[str, Place]
    scalars: Sequence[Mapping[str, Any]]
    stride: int


def views(memory: mmap.mmap, batch: Batch) -> dict[str, NDArray[Any]]:
    """Return the arrays of all launches, by the launch as the first dimension."""
    found = {}
    for name, (offset, kind, shape) in batch.places.items():
        one = np.ndarray(shape, np.dtype(kind), memory, offset)
        strides = (batch.stride, *one.strides)
        found[name] = np.ndarray((len(batch.scalars), *shape), one.dtype, memory, offset, strides)
    return found


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
            case (what, number, known, kernel, geometry, batch, rest):
                return self._call(number, what, self._known(number, known, kernel), geometry, batch, rest)
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
        batch: Batch,
        rest: Any,
    ) -> Any:
        """Call a method of a module for each launch; return what the last one returns."""
        memory = self.memory
        assert memory is not None
        arrays = views(memory, batch)
        every = [
            {**scalars, **{name: view[k] for name, view in arrays.items()}}
            for k, scalars in enumerate(batch.scalars)
        ]
        if what == "inspect":
            shared_bytes, keywords = rest
            return self.watched[number].inspect(kernel, *geometry, every[0], shared_bytes, **keywords)
        if what not in RUNS:
            return getattr(self.modules[number], what)(kernel, *geometry, every[0], *rest)
        guards = _guards(memory, batch)
        for guard in guards.values():
            guard[...] = _UNTOUCHED
        shared_bytes, keywords = rest
        runs: Mapping[str, Mapping[int, object]] = {"push": self.duals, "record": self.recorded}
        run = getattr(runs.get(what, self.modules)[number], what)
        for args in every:
            found = run(kernel, *geometry, args, shared_bytes, **keywords)
        for where, guard in guards.items():
            if not (guard == _UNTOUCHED).all():
                raise LaunchFailed(f"{self.names[number]}: {kernel.name} wrote {where}")
        return found


def _guards(memory: mmap.mmap, batch: Batch) -> dict[str, NDArray[np.uint8]]:
    """Return the bytes behind each array in all launches, and before the first one, by where they are."""
    ends = {f"beyond the end of {name}": p.offset + _bytes(p) for name, p in batch.places.items()}
    starts = {f"before the start of {name}": 0 for name in [*batch.places][:1]}
    shape, strides = (len(batch.scalars), GUARD), (batch.stride, 1)
    return {
        where: np.ndarray(shape, np.uint8, memory, offset, strides)
        for where, offset in {**ends, **starts}.items()
    }


def _bytes(place: Place) -> int:
    return math.prod(place.shape) * np.dtype(place.dtype).itemsize


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
