"""Which values carry derivatives.

A value is *varied* if an independent can change it, *useful* if it can change a
dependent, and *active* if it is both. Values are versions of scalars, and whole
arrays: a store to an element doesn't kill the array (427 of 3,999 random programs
go wrong when it does). Control flow is ignored where it can't matter here, so errors
are on the side of active. `ever` is per variable: its adjoint is cleared wherever the
variable is overwritten, even by a passive value (235 of 3,999).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ..ir import (
    AddressOf,
    Array,
    Assign,
    Binary,
    Call,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    Initialiser,
    Place,
    Pointer,
    Scalar,
    Select,
    Special,
    Stmt,
    Sym,
    Unary,
)
from .atomics import is_drawn
from .ssa import Version, Versions, targets

Node = Version | Sym
"""A version of a scalar, or an array as a whole."""

Reached = TypeVar("Reached")

# The arguments of a call that its result depends on smoothly, by position.
Smooth = Callable[[Call], frozenset[int]]


@dataclass(frozen=True)
class Activity:
    varied: frozenset[Node]
    useful: frozenset[Node]
    ever: Mapping[Sym, None]  # variables with an adjoint, in order of appearance

    def active(self, node: Node) -> bool:
        return node in self.varied and node in self.useful


def is_real(type_: object) -> bool:
    """Whether values of a type have derivatives."""
    match type_:
        case Scalar():
            return type_.is_float
        case Array():
            return type_.element.is_float
        case Pointer():
            return is_real(type_.target)
        case _:
            return False


def carriers(expr: Expr, smooth: Smooth) -> Iterator[Place]:
    """Yield the places whose small changes change `expr`; not those in indices or conditions."""
    if not is_real(expr.type):
        return
    match expr:
        case Const() | Special():
            pass
        case Place():
            yield expr
        case Unary(_, arg) | Cast(arg):
            yield from carriers(arg, smooth)
        case Binary(_, left, right):
            yield from carriers(left, smooth)
            yield from carriers(right, smooth)
        case Select(_, then, other):
            yield from carriers(then, smooth)
            yield from carriers(other, smooth)
        case Call():
            for position in sorted(smooth(expr)):
                yield from carriers(expr.args[position], smooth)
        case AddressOf():
            pass


def sources(stmt: Stmt, smooth: Smooth) -> Iterator[Place]:
    """Yield the places whose small changes change the value that a simple statement writes."""
    match stmt:
        case Declare(_, init):
            if isinstance(init, Initialiser):
                for value in init.values:
                    yield from carriers(value, smooth)
            elif init is not None:
                yield from carriers(init, smooth)
        case Assign(target, value, op):
            if op is not None and is_real(target.type):
                yield target
            yield from carriers(value, smooth)
        case Evaluate(call) if is_drawn(call):
            for arg in call.args:
                yield from carriers(arg, smooth)
        case Evaluate(call):
            for position in sorted(smooth(call)):
                yield from carriers(call.args[position], smooth)
        case _:
            pass


def survey(
    versions: Versions,
    wrt: Iterable[Sym],
    of: Iterable[Sym],
    smooth: Smooth,
    still: Container[Node] = (),
) -> Activity:
    """Find what is active when `of` is differentiated with respect to `wrt`; `still` values never are."""
    after: dict[Node, list[Node]] = {}
    before: dict[Node, list[Node]] = {}

    def flow(source: Node, target: Node) -> None:
        if source in still or target in still:
            return
        after.setdefault(source, []).append(target)
        before.setdefault(target, []).append(source)

    for stmt in versions.order:
        if isinstance(stmt, Declare | Assign | Evaluate):
            reads = versions.reads[stmt]
            nodes = [node(place, reads) for place in sources(stmt, smooth)]
            for target in targets(stmt):
                if is_real(target.type):
                    made = versions.makes.get(stmt, {}).get(target.sym, target.sym)
                    for source in nodes:
                        flow(source, made)
    for version in versions.all_versions():
        if is_real(version.sym.type):
            for arg in version.args:
                flow(arg, version)

    wrt, of = tuple(wrt), tuple(of)
    starts = [versions.entries.get(sym, sym) for sym in wrt]
    ends = [versions.final.get(sym, sym) for sym in of]
    varied, useful = reach(starts, after), reach(ends, before)
    # The caller's arrays have adjoints that go in and out, so every store clears them.
    active = varied & useful | {s for s in (*wrt, *of) if isinstance(s.type, Pointer)}
    ever = {n.sym if isinstance(n, Version) else n: None for n in [*varied, *active] if n in active}
    return Activity(frozenset(varied), frozenset(useful), _ordered(ever, versions))


def _ordered(syms: Mapping[Sym, None], versions: Versions) -> dict[Sym, None]:
    """Return symbols in program order; a set's order would differ from run to run."""
    every: dict[Sym, None] = dict.fromkeys(versions.function.syms)
    for stmt in versions.order:
        every.update(dict.fromkeys(target.sym for target in targets(stmt)))
        if isinstance(stmt, Declare):
            every[stmt.sym] = None
    every.update(syms)
    return {sym: None for sym in every if sym in syms}


def node(place: Place, reads: dict[Sym, Version]) -> Node:
    """Return the version, or the array, that a place reads."""
    return place.sym if place.index else reads[place.sym]


def reach(start: Iterable[Reached], edges: Mapping[Reached, Iterable[Reached]]) -> frozenset[Reached]:
    """Return what edges lead to from these nodes, and the nodes."""
    reached = set(start)
    todo = list(reached)
    while todo:
        for following in edges.get(todo.pop(), ()):
            if following not in reached:
                reached.add(following)
                todo.append(following)
    return frozenset(reached)
