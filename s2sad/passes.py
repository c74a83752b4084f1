"""Passes: named steps from one function to the next, run in the order of a list.

    kernel = runner.run(NORMALISE, kernel)

A `Pass` is a value, and the lists of passes are the pipeline: `transform.pipelines` has those of
kernels, device functions and K_fwd, `emit.pipelines` those of every function that is printed. What a pass
maps is a frozen state: the function as it stands, and what passes may ask about it. A pass that has
nothing to do returns the state that it was given, the same object.

A `Runner` runs them and shows each result to its observers: `Dump` keeps the IR after a pass, and
`verify` holds it against what ir.py promises.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from . import ircheck
from .ir import Declare, Function, Sym, statements
from .irtext import show


class State(Protocol):
    """What passes map: a function on its way, and what they may ask about it."""

    @property
    def function(self) -> Function:
        """The function as it stands."""
        ...

    @property
    def declared_later(self) -> frozenset[Sym]:
        """Variables that the function uses already and that a later pass declares."""
        ...


S = TypeVar("S", bound=State)

ALL = "all"


@dataclass(frozen=True)
class Pass(Generic[S]):
    """A step: its name, which is also its file's and its dump's, and what it makes of a state.

    `requires` are the passes that must have run before it, somewhere.
    """

    name: str
    run: Callable[[S], S]
    requires: tuple[str, ...] = ()


class Observer(Protocol):
    """Sees what stands after each pass."""

    def __call__(self, name: str, state: State, changed: bool) -> None:
        """`name` is the pass's, which may have `changed` nothing."""
        ...


def verify(name: str, state: State, changed: bool = True) -> None:
    """Assert that what a pass left keeps ir.py's promises; the error names the pass."""
    if not changed:
        return
    function = state.function
    own = {s.sym for s in statements(function.body) if isinstance(s, Declare)}
    try:
        ircheck.check(function, state.declared_later - own)
    except AssertionError as broken:
        raise AssertionError(f"after {name}, {function.name}: {broken}") from broken


def _always() -> tuple[Observer, ...]:
    """What observes every run: tests set S2SAD_VERIFY."""
    return (verify,) if os.environ.get("S2SAD_VERIFY") else ()


@dataclass(frozen=True)
class Runner:
    """Runs passes, and shows every result to its observers."""

    observers: tuple[Observer, ...] = field(default_factory=_always)

    def with_(self, *more: Observer) -> Runner:
        """The same with more observers."""
        return replace(self, observers=(*self.observers, *more))

    def run(self, passes: Iterable[Pass[S]], state: S) -> S:
        """The state after all of them."""
        for one in passes:
            new = one.run(state)
            self.show(one.name, new, new is not state)
            state = new
        return state

    def show(self, name: str, state: State, changed: bool = True) -> None:
        """Show the observers what stands after a pass, or after a step that is in no list: `build`."""
        for observer in self.observers:
            observer(name, state, changed)


PLAIN = Runner()
"""Runs passes; nobody sees them but, in tests, `verify`."""


@dataclass
class Dump:
    """Keeps the IR after each of some passes, or after all that change something.

    `wanted` are passes' names, or `all`. Each entry of `found` is the pass, the function, and its text;
    a kernel that is built again, with other choices, is there again.
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
        """One file for each entry, numbered in the order of the run: `07-simplify.relax_adj.ir`."""
        folder.mkdir(parents=True, exist_ok=True)
        for number, (name, function, text) in enumerate(self.found, 1):
            (folder / f"{number:02}-{name}.{function}.ir").write_text(text + "\n", encoding="utf-8")

    @property
    def text(self) -> str:
        """All entries, each under a line that says what it is."""
        return "\n".join(f"// after {name}: {function}\n{text}\n" for name, function, text in self.found)


def unmet(passes: Sequence[Pass[S]], before: Iterable[str] = ()) -> Iterator[str]:
    """What is wrong with the order of a list: a pass that stands before one that it requires."""
    ran = set(before)
    for one in passes:
        for name in one.requires:
            if name not in ran:
                yield f"{one.name} requires {name}, which doesn't run before it"
        ran.add(one.name)
