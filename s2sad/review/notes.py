"""What the plan says about a line: where a value comes from, how an adjoint is added up, at what price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..analysis.plan import Accumulation, Decision, Plan, Recovery
from ..emit.file import how, where
from ..ir import (
    Accumulate,
    Array,
    Body,
    DoWhile,
    For,
    Function,
    How,
    Record,
    Restore,
    Stmt,
    Sym,
    While,
    bodies,
    expressions,
)
from ..transform.plan.accumulation_verdicts import elements
from .partners import written

WORDS: Mapping[Recovery, str] = {
    Recovery.RELOAD: "reloaded",
    Recovery.RECOMPUTE: "recomputed",
    Recovery.INVERT: "inverted",
    Recovery.TAPE: "taped",
    Recovery.CHECKPOINT: "checkpoint",
    Recovery.CARRY: "carried",
    Recovery.SELECT: "selected",
}
SUMS: Mapping[How, str] = {
    "atomic": "atomic",
    "owner": "one owner",
    "phase": "by phase",
    "gathered": "gathered",
    "rims": "atomic rims",
    "columns": "columns",
    "reduce": "block sum",
    "warp": "warp sum",
    "none": "none",
    "total": "block sum",
    "exchange": "exchange",
}
_STRONG: tuple[str, ...] = ("taped", "checkpoint", "atomic", "exchange", "atomic rims", "columns", "warp sum")
"""The words that a reviewer looks for first, most important first."""

_ELSE: Mapping[How, str] = {
    "atomic": "a plain +=: one load and one store, but it needs a proof that no other thread adds",
    "owner": "an atomicAdd for each addition: also right, slower, and rounded in another order each run",
    "phase": "an atomicAdd to shared memory for each addition, without a barrier between them",
    "gathered": "an atomicAdd of each thread that contributes",
    "rims": "an atomicAdd for each addition, inside of the block too",
    "columns": "an atomicAdd of each thread instead of one of each sum",
    "reduce": "an atomicAdd of each thread instead of one of each block",
    "warp": "an atomicAdd of each thread instead of one of each warp",
    "total": "each thread adds up the block's values itself",
    "exchange": "reading and clearing the adjoint, which needs a proof that one thread stores the element",
    "none": "",
}


_OPTIONS: Mapping[Recovery, str] = {
    Recovery.TAPE: "--recompute",
    Recovery.RECOMPUTE: "--store",
    Recovery.CHECKPOINT: "--store",
    Recovery.INVERT: "--store",
}


@dataclass(frozen=True)
class Note:
    """One decision as shown: `word` is its badge, `name` its row's anchor."""

    word: str
    kind: str
    what: str
    how: str
    reason: str
    cost: str
    other: str
    line: int
    lines: tuple[int, ...]
    name: str
    quiet: bool = False
    option: str = ""  # that chooses the other way

    @property
    def rank(self) -> int:
        """The order of badges: what a reviewer looks for comes first."""
        return _STRONG.index(self.word) if self.word in _STRONG else len(_STRONG) + self.quiet


@dataclass(frozen=True)
class Group:
    """Notes that say the same of several fields of an array."""

    notes: tuple[Note, ...]

    @property
    def first(self) -> Note:
        return self.notes[0]

    @property
    def what(self) -> str:
        fields = [note.what.rpartition(".")[2] for note in self.notes]
        return self.first.what + "".join(f", .{field}" for field in fields[1:])


def grouped(notes: Sequence[Note]) -> list[Group]:
    """Join the notes on the fields of an array that have one way and the same lines."""
    found: dict[tuple[object, ...], list[Note]] = {}
    for note in notes:
        field = "." in note.what.rpartition("]")[2]
        key = (_array(note.what), note.word, note.lines, note.line) if field else (note.name,)
        found.setdefault(key, []).append(note)
    return [Group(tuple(group)) for group in found.values()]


def of_decision(decision: Decision, number: int) -> Note:
    """Return the note on how one value gets to the reverse sweep."""
    quiet = decision.how is Recovery.RELOAD
    return Note(
        WORDS[decision.how],
        "value-" + decision.how.value,
        decision.value,
        where(decision),
        decision.reason,
        decision.cost,
        decision.other,
        decision.line,
        decision.needed,
        f"value-{number}",
        quiet,
        _option(decision),
    )


def _option(decision: Decision) -> str:
    """Return the option that chooses the other way for a variable; elements and partials have none."""
    if not decision.other or not decision.value.isidentifier():
        return ""
    way = _OPTIONS.get(decision.how)
    return f"{way} {decision.value}" if way else ""


def of_accumulation(sum_: Accumulation, number: int, cost: str) -> Note:
    """Return the note on how one adjoint is added up."""
    return Note(
        SUMS[sum_.how],
        "sum-" + sum_.how,
        sum_.target,
        how(sum_),
        sum_.reason,
        cost,
        _ELSE[sum_.how],
        0,
        sum_.lines,
        f"sum-{number}",
    )


class Notes:
    """All notes of a plan, by lines of the primal and by statements of the adjoint."""

    def __init__(self, plan: Plan, kernels: Sequence[Function], prefix: str) -> None:
        self._prefix = prefix
        counted = _counted(kernels, prefix)
        self.values = tuple(of_decision(d, i) for i, d in enumerate(plan.decisions, 1))
        self.sums = tuple(
            of_accumulation(a, i, _cost(a, counted)) for i, a in enumerate(plan.accumulations, 1)
        )
        taped = zip(plan.decisions, self.values, strict=True)
        self._tapes = {d.tape.partition("[")[0]: note for d, note in taped if d.tape}

    def at(self, line: int) -> list[Note]:
        """Return the notes on a line of the primal: the values it defines, the adjoints it adds to."""
        found = [note for note in self.values if note.line == line]
        return sorted((*found, *(note for note in self.sums if line in note.lines)), key=lambda n: n.rank)

    def on(self, stmt: Stmt, partners: Sequence[int]) -> list[Note]:
        """Return the notes on a statement of the adjoint, which belongs to lines of the primal."""
        found = [note for sym in _tapes(stmt) if (note := self._tapes.get(sym.name)) is not None]
        if isinstance(stmt, Restore | Record) and not found:
            found = [n for n in self.values if n.word == "taped" and n.line in partners]
        for sym in written(stmt) if partners else ():
            if sym.of is None or sym.storage not in ("parameter", "shared"):
                continue
            named = _targets(stmt, self._prefix)
            rows = [n for n in self.sums if n.what in named]
            rows = rows or [n for n in self.sums if _array(n.what) == _array(sym.name)]
            ways = [n for n in rows if n.kind == f"sum-{getattr(stmt, 'how', '')}"] or rows
            if isinstance(stmt, Accumulate) or len(rows) == 1:
                near = [n for n in ways if set(n.lines) & set(partners)]
                found += near or ways
        return sorted(dict.fromkeys(found), key=lambda n: n.rank)


def _array(target: str) -> str:
    return target.partition("[")[0].partition(".")[0]


def _targets(stmt: Stmt, prefix: str) -> set[str]:
    """Return what a statement adds to, as the plan names it: `adj_pos[..].x`."""
    places = [site.place for site in getattr(stmt, "sites", ())]
    return {elements(place.sym, prefix if place.sym.of is None else "") for place in places}


def _tapes(stmt: Stmt) -> Iterator[Sym]:
    for expr in expressions(stmt):
        yield from sorted((s for s in expr.symbols if s.storage == "tape"), key=lambda s: s.name)


Counts = dict[tuple[str, How], list[tuple[int, int]]]
"""Loops around each addition, and how many elements it adds to."""


def _counted(kernels: Sequence[Function], prefix: str) -> Counts:
    """Count the additions to each array or field, by how they are made and how many loops are around them."""
    found: Counts = {}

    def count(body: Body, loops: int) -> None:
        for stmt in body:
            if isinstance(stmt, Accumulate):
                type = stmt.amount.type
                many = loops, type.elements if isinstance(type, Array) else 1
                for name in (*_targets(stmt, prefix), _array(stmt.target.sym.name)):
                    found.setdefault((name, stmt.how), []).append(many)
            inner = loops + isinstance(stmt, For | While | DoWhile)
            for part in bodies(stmt):
                count(part, inner)

    for kernel in kernels:
        count(kernel.body, 0)
    return found


_UNITS: Mapping[How, tuple[str, str]] = {
    "atomic": ("atomicAdd", "per thread"),
    "owner": ("addition", "per thread"),
    "phase": ("addition", "per thread"),
    "reduce": ("atomicAdd of a block-wide sum", "per block"),
    "warp": ("atomicAdd of a sum over a warp", "per warp"),
}


def _cost(sum_: Accumulation, counted: Counts) -> str:
    """Describe the additions that a thread, a warp or a block makes."""
    found = counted.get((sum_.target, sum_.how)) or counted.get((_array(sum_.target), sum_.how))
    if not found or sum_.how not in _UNITS:
        return ""
    unit, each = _UNITS[sum_.how]
    parts = []
    for depth in sorted({depth for depth, _ in found}):
        n = sum(elements for other, elements in found if other == depth)
        nest = f" and iteration of {depth} nested loops" if depth > 1 else " and iteration" * depth
        first, _, rest = unit.partition(" ")
        parts.append(f"up to {n} {first}{'s' * (n > 1)}{rest and ' ' + rest} {each}{nest}")
    return ", ".join(parts)
