"""Further launches of a case, so that every line and every side that can be reached is.

Moves (moves.py) are tried one by one, then on top of what helped, then in pairs drawn from a
fixed seed: a launch is kept if the primal runs without a fault and something ran that
hadn't yet, or had only where values were zero or one, which hide what is wrong. Of those kept,
as few stay as reach the same. The same case and texts give the same launches: what bounds the
search is how many it may try.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..diagnostics import Rejected
from ..run.coverage import Coverage, joined
from ..signature import Signature
from .case import Case
from .expressions import Expression
from .moves import Move, moves
from .recipe import ArraySpec
from .repairs import refinements, repairs

Run = Callable[[Case], tuple[Coverage, ...] | None]
"""What a launch of both kernels reaches; None where the primal can't be run on it."""

Reached = frozenset[tuple[str, int]]
TRIES = 240


@dataclass(frozen=True)
class Found:
    """What a search came to. `base` changes the case itself, where it couldn't be run as it was."""

    base: Move
    also: tuple[Move, ...]
    coverage: tuple[Coverage, ...]
    tried: int
    case: Case | None  # with its further launches; None where nothing could be run

    @property
    def missed(self) -> list[str]:
        """What wasn't reached: kernel, place, and the statement or the condition."""
        return [
            f"{one.kernel}: {one.name(point)}: {point.key}" for one in self.coverage for point in one.missed
        ]


@dataclass
class _Search:
    case: Case
    signature: Signature
    run: Run
    tries: int
    tried: int = 0
    sized: bool = False  # the kernel is written for blocks of one size
    seen: set[str] = field(default_factory=set)
    kept: list[tuple[Move, Reached]] = field(default_factory=list)
    found: list[tuple[Coverage, ...]] = field(default_factory=list)
    plain: list[tuple[Coverage, ...]] = field(default_factory=list)  # less what only zeros and ones reach

    def try_(self, move: Move) -> tuple[Coverage, ...] | None:
        """What a move reaches; None where it can't be run, or was tried, or nothing may be tried any more."""
        if self.tried >= self.tries or move.key in self.seen:
            return None
        self.seen.add(move.key)
        self.tried += 1
        case = self.varied(move)
        return None if case is None else self.run(case)

    def varied(self, move: Move) -> Case | None:
        """The case with a move, where need be with the extents that it had before."""
        for each in (move, self.fixed(move)):
            try:
                return self.case.varied(self.signature, each.args, each.launch)
            except Rejected:
                continue
        return None

    def settled(self, move: Move) -> Move:
        """The move as `varied` could run it."""
        try:
            self.case.varied(self.signature, move.args, move.launch)
        except Rejected:
            return self.fixed(move)
        return move

    def fixed(self, move: Move) -> Move:
        """A move with extents and grid as numbers, where numbers change that these are made of."""
        changed = {name for name, value in move.args.items() if not isinstance(value, Mapping)}
        setting, table = self.case.setting(), self.args
        args = dict(move.args)
        for name, spec in self.case.recipe.args.items():
            root, value = name.partition(".")[0], setting.args[name]  # `bodies`, of the field `bodies.x`
            held = table.get(root)
            if not isinstance(spec, ArraySpec) or not isinstance(held, Mapping) or "shape" not in held:
                continue
            extents = len(held["shape"]) if isinstance(held["shape"], list) else 1
            sizes = (spec.shape or ())[:extents]
            names = {word for size in sizes if isinstance(size, Expression) for word in size.names}
            if names & changed and isinstance(value, np.ndarray):
                given = args.get(root, held)
                shape = _plain(value.shape[:extents])
                args[root] = {**(given if isinstance(given, Mapping) else held), "shape": shape}
        if not any(isinstance(size, Expression) for size in self.case.recipe.launch.grid):
            return Move(args, move.launch)
        return Move(args, {"grid": _plain(setting.launch.grid, launch=True), **move.launch})

    @property
    def args(self) -> Mapping[str, object]:
        return self.table("args")

    def table(self, name: str) -> Mapping[str, object]:
        values = self.case.document.values if self.case.document else {}
        found = values.get(name, {})
        return found if isinstance(found, dict) else {}

    # ---- what was reached ---------------------------------------------------------------------------------

    def note(self, move: Move, coverage: tuple[Coverage, ...]) -> bool:
        """Keeps a move that reaches something new."""
        known = set[tuple[str, int]]().union(*(reached for _, reached in self.kept))
        plain = tuple(map(_without_trips, coverage)) if move.degenerate else coverage
        reached = frozenset((one.kernel, point) for one in coverage for point in one.reached)
        reached |= {(f"{one.kernel}, plainly", point) for one in plain for point in one.reached}
        if self.kept and reached <= known:
            return False
        self.kept.append((move, reached))
        self.found.append(coverage)
        self.plain.append(plain)
        return True

    @property
    def plainly(self) -> tuple[Coverage, ...]:
        """What was reached by values that show what is wrong."""
        return tuple(one.excused(self.case.uncovered) for one in joined(self.plain))

    @property
    def coverage(self) -> tuple[Coverage, ...]:
        return tuple(one.excused(self.case.uncovered) for one in joined(self.found))

    def done(self) -> bool:
        return self.tried >= self.tries or all(one.whole for one in self.plainly)

    def single(self, base: Move) -> Iterator[Move]:
        """Moves from a base, for what is missing now."""
        wanted = [point for one in self.plainly for point in one.deciding]
        launch = {**self.table("launch"), **base.launch}
        args = {**self.args, **base.args}
        threads = int(np.prod(self.case.setting().launch.block))
        for move in moves(self.signature, args, launch, threads, wanted, self.sized):
            yield base.then(move)

    def climb(self) -> None:
        """Tries what follows from the case, then from what helped, then both at once."""
        at = 0
        while at < len(self.kept) and not self.done():
            base = self.kept[at][0]
            for move in self.single(base):
                if self.done():
                    return
                if (coverage := self.try_(move)) is not None:
                    self.note(move, coverage)
            at += 1
        random = np.random.default_rng(0)
        singles = list(self.single(Move()))
        for _ in range(4 * self.tries):
            if self.done() or len(singles) < 2:
                return
            first, second = (singles[i] for i in random.choice(len(singles), 2, replace=False))
            move = first.then(second)
            if (coverage := self.try_(move)) is not None:
                self.note(move, coverage)

    def fewest(self) -> list[Move]:
        """Moves that together reach what all do, the first being the case itself."""
        (_, covered), *rest = self.kept
        chosen = []
        while rest:
            move, reached = max(rest, key=lambda pair: len(pair[1] - covered))
            if reached <= covered:
                break
            chosen.append(move)
            covered = covered | reached
        return [move for move, _ in self.kept[1:] if move in chosen]


def search(case: Case, signature: Signature, run: Run, tries: int = TRIES, *, sized: bool = False) -> Found:
    """A case with the launches that reach what it doesn't. Deterministic; runs at most so many launches.

    `sized`: the kernel is written for blocks of one size; others aren't tried.
    """
    base, first = Move(), run(case)
    if first is None:
        found = _start(case, signature, run, sized)
        if isinstance(found, int):
            return Found(Move(), (), (), 1 + found, None)
        base, case, first = found
    work = _Search(case, signature, run, tries, 1, sized)
    for one in case.launches:
        reached = first if one is case else run(one)
        if reached is not None:
            work.note(Move(), reached)
    work.climb()
    also = tuple(work.settled(move) for move in work.fewest() if move != Move())
    more = tuple(c for c in (_varied(case, signature, move) for move in also) if c is not None)
    return Found(base, also, work.coverage, work.tried, case.with_also((*case.also, *more)))


def _start(
    case: Case, signature: Signature, run: Run, sized: bool
) -> tuple[Move, Case, tuple[Coverage, ...]] | int:
    """A repair with which a case runs, as near to the draft as can be; or how many were tried in vain."""
    tried = 0
    for base in repairs(case, sized):
        repaired = _varied(case, signature, base)
        tried += 1
        if repaired is None or (reached := run(repaired)) is None:
            continue
        for several in refinements(case, signature, base):
            for less in several:
                better = _varied(case, signature, base.then(less))
                if better is not None and (more := run(better)) is not None:
                    base, repaired, reached = base.then(less), better, more
                    break
        return base, repaired, reached
    return tried


def _plain(extents: Sequence[int], launch: bool = False) -> int | list[int]:
    """Extents as one writes them; of a launch's those that are one at the end go without saying."""
    said = list(extents)
    while launch and len(said) > 1 and said[-1] == 1:
        said.pop()
    return said[0] if len(said) == 1 else said


def _without_trips(one: Coverage) -> Coverage:
    """Of a launch with zeros and ones only that loops made no trip: that is how they make none."""
    trips = {point.number for point in one.points if point.side == "no trip"}
    return replace(one, reached=one.reached & trips)


def _varied(case: Case, signature: Signature, move: Move) -> Case | None:
    try:
        return case.varied(signature, move.args, move.launch)
    except Rejected:
        return None


# ---- as a case file says it ------------------------------------------------------------------------------


def written(draft: str, found: Found) -> str:
    """A case's text with what a search added: launches, and what none reached."""
    text = draft
    for name, value in (*found.base.args.items(), *found.base.launch.items()):
        line = f"{name} = {toml(value)}"
        text = re.sub(rf"(?m)^{re.escape(name)}\s*=.*$", line.replace("\\", r"\\"), text, count=1)
    parts = [text]
    for move in found.also:
        lines = ["\n[[also]]"]
        lines += [f"launch = {toml(move.launch)}"] if move.launch else []
        lines += [f"args = {toml(move.args)}"] if move.args else []
        parts.append("\n".join(lines) + "\n")
    if found.case is None:
        parts.append("\n# nothing could be run: adjust what is marked\n")
    elif found.missed:
        parts.append(
            f"\n# not reached in {found.tried} launches; where it can't be, [uncovered] keeps the reason:\n"
        )
        keys = [
            f'# {json.dumps(p.key, ensure_ascii=False)} = "why"  # {c.kernel}: {c.name(p)}\n'
            for c in found.coverage
            for p in c.missed
        ]
        parts += ["# [uncovered]\n", *dict.fromkeys(keys)]
    return "".join(parts)


def toml(value: object) -> str:
    """A value as TOML has it, on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case Mapping():
            return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
        case Sequence():
            return "[" + ", ".join(map(toml, value)) + "]"
        case _:
            return repr(value)
