"""Passes: named steps from one function to the next, run in the order of a list.

    kernel = runner.run(NORMALISE, kernel)

A `Pass` is a value, and the lists of passes are the pipeline: `transform.pipelines` has those of
kernels, device functions and K_fwd, `emit.file` those of every function that is printed. What a pass
maps is a frozen state: the function as it stands, and what passes may ask about it. A pass that has
nothing to do returns the state that it was given, the same object.

A `Runner` runs them and shows each result to its observers: `Dump` keeps the IR after a pass, and
`verify` holds it against what ir.py promises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from . import ircheck
from .ir import Function, Sym
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


@dataclass(frozen=True)
class Pass(Generic[S]):
    """A step: its name, which is also its file's and its dump's, and what it makes of a state.

    `requires` are the passes that must have run before it, somewhere.
    """

    name: str
    run: Callable[[S], S]
    requires: tuple[str, ...] = ()


class Observer(Protocol):
    """Sees what stands after each pass that changed something."""

    def __call__(self, name: str, state: State) -> None:
        """`name` is the pass's."""
        ...


@dataclass(frozen=True)
class Runner:
    """Runs passes, and shows every result to its observers."""

    observers: tuple[Observer, ...] = ()

    def run(self, passes: Iterable[Pass[S]], state: S) -> S:
        """The state after all of them."""
        for one in passes:
            state = self.after(one, one.run(state), state)
        return state

    def after(self, one: Pass[S], new: S, old: S) -> S:
        """The new state, shown to the observers if the pass made another one."""
        if new is not old:
            self.show(one.name, new)
        return new

    def show(self, name: str, state: State) -> None:
        """Show the observers what stands after a step that isn't a pass of a list: `build`."""
        for observer in self.observers:
            observer(name, state)


PLAIN = Runner()
"""Runs passes and shows them to nobody."""


def verify(name: str, state: State) -> None:
    """Assert that what a pass left keeps ir.py's promises; the error names the pass."""
    try:
        ircheck.check(state.function, state.declared_later)
    except AssertionError as broken:
        raise AssertionError(f"after {name}, {state.function.name}: {broken}") from broken


@dataclass
class Dump:
    """Keeps the IR after each of some passes, or after all of them.

    `wanted` are passes' names, or `all`. Each entry of `found` is the pass, the function, and its text.
    """

    wanted: frozenset[str]
    found: list[tuple[str, str, str]] = field(default_factory=list)

    def __call__(self, name: str, state: State) -> None:
        if name in self.wanted or "all" in self.wanted:
            self.found.append((name, state.function.name, show(state.function)))


def unmet(passes: Sequence[Pass[S]], before: Iterable[str] = ()) -> Iterator[str]:
    """What is wrong with the order of a list: a pass that stands before one that it requires."""
    ran = set(before)
    for one in passes:
        for name in one.requires:
            if name not in ran:
                yield f"{one.name} requires {name}, which doesn't run before it"
        ran.add(one.name)
