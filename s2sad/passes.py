"""Passes: named steps from one function to the next, run in the order of a list.

    kernel = runner.run(NORMALISE, kernel)

A `Pass` is a value, and the lists of passes are the pipeline: `transform.pipelines` has those of
kernels, device functions and K_fwd, `emit.pipelines` those of every function that is printed. A pass
maps a frozen state: the current function, and facts that passes may query. A pass that changes
nothing returns the state that it was given, the same object.

A `Runner` runs them and shows each result to its observers: `Dump` keeps the IR after a pass, and
`verify` checks it against the guarantees of ir.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from . import faults, ircheck, unset_reads
from .ir import Declare, Function, Sym, statements
from .irtext import show


class State(Protocol):
    """The value that passes map: a function in progress, and facts that they may query."""

    @property
    def function(self) -> Function:
        """The current function."""
        ...

    @property
    def declared_later(self) -> frozenset[Sym]:
        """Variables that the function uses already and that a later pass declares."""
        ...

    @property
    def is_primal(self) -> bool:
        """Whether it is the author's: a variable that was never set is refused there, with its place."""
        ...


S = TypeVar("S", bound=State)

ALL = "all"


@dataclass(frozen=True)
class Pass(Generic[S]):
    """A step: its name, which is also its file's and its dump's, and its mapping of states.

    `requires` are the passes that must have run before it, at any point.
    """

    name: str
    run: Callable[[S], S]
    requires: tuple[str, ...] = ()


class Observer(Protocol):
    """Sees the result of each pass."""

    def __call__(self, name: str, state: State, changed: bool) -> None:
        """`name` is the pass's, which may have `changed` nothing."""
        ...


def verify(name: str, state: State, changed: bool = True) -> None:
    """Assert that a pass preserves the guarantees of ir.py; the error names the pass."""
    if not changed:
        return
    function = state.function
    own = {s.sym for s in statements(function.body) if isinstance(s, Declare)}
    try:
        ircheck.check(function, state.declared_later - own)
        if not state.is_primal:
            unset_reads.check(function)
    except AssertionError as broken:
        raise AssertionError(f"after {name}, {function.name}: {broken}") from broken


def _always() -> tuple[Observer, ...]:
    """Return the observers of every run: tests set S2SAD_VERIFY."""
    return (verify,) if os.environ.get("S2SAD_VERIFY") else ()


@dataclass(frozen=True)
class Runner:
    """Runs passes, and shows every result to its observers."""

    observers: tuple[Observer, ...] = field(default_factory=_always)

    def with_(self, *more: Observer) -> Runner:
        """Return the same runner with more observers, which are shown a result before `verify` may fail."""
        return replace(self, observers=(*more, *self.observers))

    def run(self, passes: Iterable[Pass[S]], state: S) -> S:
        """Return the state after all passes."""
        for one in passes:
            with faults.of_pass(one.name, state.function.name, state.function.span):
                new = one.run(state)
                self.show(one.name, new, new is not state)
            state = new
        return state

    def show(self, name: str, state: State, changed: bool = True) -> None:
        """Show the observers the result of a pass, or of a step that is in no list: `build`."""
        for observer in self.observers:
            observer(name, state, changed)


PLAIN = Runner()
"""Runs passes without observers, except `verify` in tests."""


@dataclass
class Dump:
    """Keeps the IR after selected passes, or after all that change something.

    `wanted` are names of passes, or `all`. Each entry of `found` is the pass, the function, and its text;
    a kernel that is rebuilt with other choices appears again.
    """

    wanted: frozenset[str]
    found: list[tuple[str, str, str]] = field(default_factory=list)

    def __call__(self, name: str, state: State, changed: bool) -> None:
        if name in self.wanted:
            text = show(state.function) if changed else "// unchanged"
            self.found.append((name, state.function.name, text))
        elif ALL in self.wanted and changed:
            self.found.append((name, state.function.name, show(state.function)))

    def write(self, folder: Path) -> None:
        """Write one file per entry, numbered in the order of the run: `07-simplify.relax_adj.ir`."""
        folder.mkdir(parents=True, exist_ok=True)
        for number, (name, function, text) in enumerate(self.found, 1):
            (folder / f"{number:02}-{name}.{function}.ir").write_text(text + "\n", encoding="utf-8")

    @property
    def text(self) -> str:
        """All entries, each under a line that describes it."""
        return "\n".join(f"// after {name}: {function}\n{text}\n" for name, function, text in self.found)


def unmet(passes: Sequence[Pass[S]], before: Iterable[str] = ()) -> Iterator[str]:
    """Yield errors in the order of a list: a pass before one that it requires."""
    ran = set(before)
    for one in passes:
        for name in one.requires:
            if name not in ran:
                yield f"{one.name} requires {name}, which doesn't run before it"
        ran.add(one.name)
