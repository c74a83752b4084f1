"""Search further launches of a case, to reach every line and every side that can be reached.

Moves (moves.py) are tried one by one, then combined with those that helped, then in pairs drawn from a
fixed seed. A launch is kept if the primal runs without a fault and reaches a new point, or one
reached before only with values zero or one, which hide errors. Of the kept launches, a minimal
set with the same coverage remains. The same case and texts give the same launches: the search is
bounded by the number of tries, not by time.
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
from . import finite_fills
from .case import Case
from .expressions import Expression
from .finite_fills import Infinite
from .moves import Move, moves
from .recipe import ArraySpec
from .repairs import grown, refinements, repairs

Run = Callable[[Case], tuple[Coverage, ...] | None]
"""Returns the coverage of a launch of both kernels; None if the primal can't be run on it."""

Needs = Callable[[Case], Mapping[str, int]]
"""Returns the lengths that arrays had to have, at least, for the primal to stay inside them on a case."""

Reached = frozenset[tuple[str, int]]
TRIES = 240
_GROWTHS = 24  # times that arrays are made longer


@dataclass(frozen=True)
class Found:
    """The result of a search.

    `base` is the change to the case itself if it couldn't be run unchanged, or its results weren't finite;
    `infinite` the number of those that still aren't.
    """

    base: Move
    also: tuple[Move, ...]
    coverage: tuple[Coverage, ...]
    tried: int
    case: Case | None  # with its further launches; None if nothing could be run
    infinite: int = 0

    @property
    def fill(self) -> str:
        """The fill of arrays of reals, if it isn't the draft's."""
        return finite_fills.taken(self.base)

    @property
    def missed(self) -> list[str]:
        """The points that weren't reached: kernel, place, and the statement or the condition."""
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
    sized: bool = False  # the kernel is written for one block size
    seen: set[str] = field(default_factory=set)
    kept: list[tuple[Move, Reached]] = field(default_factory=list)
    found: list[tuple[Coverage, ...]] = field(default_factory=list)
    plain: list[tuple[Coverage, ...]] = field(default_factory=list)  # without those of degenerate moves

    def try_(self, move: Move) -> tuple[Coverage, ...] | None:
        """Return the coverage of a move; None if it can't be run, was tried, or no tries are left."""
        if self.tried >= self.tries or move.key in self.seen:
            return None
        self.seen.add(move.key)
        self.tried += 1
        case = self.varied(move)
        return None if case is None else self.run(case)

    def varied(self, move: Move) -> Case | None:
        """Return the case with a move, if necessary with the extents that it had before."""
        for each in (move, self.fixed(move)):
            try:
                return self.case.varied(self.signature, each.args, each.launch)
            except Rejected:
                continue
        return None

    def settled(self, move: Move) -> Move:
        """Return the move in the form that `varied` accepts."""
        try:
            self.case.varied(self.signature, move.args, move.launch)
        except Rejected:
            return self.fixed(move)
        return move

    def fixed(self, move: Move) -> Move:
        """Fix extents that depend on numbers the move changes, and the grid, at their current values."""
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
        """Keep a move that reaches something new; return whether it does."""
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
        """The coverage by launches whose values don't hide errors."""
        return tuple(one.excused(self.case.uncovered) for one in joined(self.plain))

    @property
    def coverage(self) -> tuple[Coverage, ...]:
        return tuple(one.excused(self.case.uncovered) for one in joined(self.found))

    def done(self) -> bool:
        return self.tried >= self.tries or all(one.whole for one in self.plainly)

    def single(self, base: Move) -> Iterator[Move]:
        """Yield moves from a base for the points that are missing now."""
        wanted = [point for one in self.plainly for point in one.deciding]
        launch = {**self.table("launch"), **base.launch}
        args = {**self.args, **base.args}
        threads = int(np.prod(self.case.setting().launch.block))
        for move in moves(self.signature, args, launch, threads, wanted, self.sized):
            yield base.then(move)

    def climb(self) -> None:
        """Try moves from the case, then from kept moves, then pairs of moves."""
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
        """Choose few kept moves that together with the case reach all that is reached."""
        (_, covered), *rest = self.kept
        chosen = []
        while rest:
            move, reached = max(rest, key=lambda pair: len(pair[1] - covered))
            if reached <= covered:
                break
            chosen.append(move)
            covered = covered | reached
        return [move for move, _ in self.kept[1:] if move in chosen]


def search(
    case: Case,
    signature: Signature,
    run: Run,
    tries: int = TRIES,
    *,
    sized: bool = False,
    infinite: Infinite = lambda case: 0,
    needs: Needs = lambda case: {},
) -> Found:
    """Find launches that reach what a case doesn't. Deterministic; tries at most so many, besides repairs.

    `sized`: the kernel is written for one block size; others are tried only if nothing runs with it.
    `infinite`: to fill the case's arrays otherwise, if results aren't finite. `needs`: to make arrays longer
    that the primal leaves.
    """
    base, case, left = finite_fills.chosen(case, signature, infinite)
    first = run(case)
    if first is None:
        found = _start(case, signature, run, sized, infinite, needs)
        if isinstance(found, int):
            return Found(base, (), (), 1 + found, case if base != Move() else None, left)
        repair, case, first = found
        fills, better, left = finite_fills.chosen(case, signature, infinite)
        if fills != Move() and (again := run(better)) is not None:
            repair, case, first = repair.then(fills), better, again
        base = base.then(repair)
    work = _Search(case, signature, run, tries, 1, sized)
    for one in case.launches:
        reached = first if one is case else run(one)
        if reached is not None:
            work.note(Move(), reached)
    work.climb()
    also = tuple(work.settled(move) for move in work.fewest() if move != Move())
    more = tuple(c for c in (_varied(case, signature, move) for move in also) if c is not None)
    return Found(base, also, work.coverage, work.tried, case.with_also((*case.also, *more)), left)


def _start(
    case: Case, signature: Signature, run: Run, sized: bool, infinite: Infinite, needs: Needs
) -> tuple[Move, Case, tuple[Coverage, ...]] | int:
    """Return a repair with which a case runs, refined towards the draft; or the number of failed ones."""
    tried = 0
    for base in repairs(case, sized):
        repaired = _varied(case, signature, base)
        tried += 1
        if repaired is None:
            continue
        reached = run(repaired)
        if reached is None and "block" not in base.launch and "grid" not in base.launch:
            base, repaired, reached = _enlarged(case, base, repaired, signature, run, needs)
        if reached is None and infinite(repaired):  # it runs, and only its values are of no use
            fills, repaired, _ = finite_fills.chosen(repaired, signature, infinite)
            base, reached = base.then(fills), run(repaired)
        if reached is None:
            continue
        for several in refinements(case, signature, base):
            for less in several:
                better = _varied(case, signature, base.then(less))
                if better is not None and (more := run(better)) is not None:
                    base, repaired, reached = base.then(less), better, more
                    break
        return base, repaired, reached
    return tried


def _enlarged(
    case: Case, base: Move, repaired: Case, signature: Signature, run: Run, needs: Needs
) -> tuple[Move, Case, tuple[Coverage, ...] | None]:
    """Make arrays longer as long as the primal leaves them; return what it then runs on, if it runs."""
    for _ in range(_GROWTHS):
        longer = grown(case, base, needs(repaired))
        more = None if longer is None else _varied(case, signature, longer)
        if longer is None or more is None:
            break
        base, repaired = longer, more
    else:
        return base, repaired, None
    return base, repaired, run(repaired)


def _plain(extents: Sequence[int], launch: bool = False) -> int | list[int]:
    """Return extents as written in a case; omit trailing ones in a launch."""
    said = list(extents)
    while launch and len(said) > 1 and said[-1] == 1:
        said.pop()
    return said[0] if len(said) == 1 else said


def _without_trips(one: Coverage) -> Coverage:
    """Keep only zero-trip sides as reached, for launches with zeros and ones, which cause them."""
    trips = {point.number for point in one.points if point.side == "no trip"}
    return replace(one, reached=one.reached & trips)


def _varied(case: Case, signature: Signature, move: Move) -> Case | None:
    try:
        return case.varied(signature, move.args, move.launch)
    except Rejected:
        return None


# ---- output as a case file --------------------------------------------------------------------------------


def written(draft: str, found: Found) -> str:
    """Add a search's results to a case's text: launches, and the points that none reached."""
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
        parts.append("\n# nothing could be run: adjust the marked lines\n")
    elif found.missed:
        parts.append(
            f"\n# not reached in {found.tried} launches; if unreachable, give the reason in [uncovered]:\n"
        )
        keys = [
            f'# {json.dumps(p.key, ensure_ascii=False)} = "why"  # {c.kernel}: {c.name(p)}\n'
            for c in found.coverage
            for p in c.missed
        ]
        parts += ["# [uncovered]\n", *dict.fromkeys(keys)]
    return "".join(parts)


def toml(value: object) -> str:
    """Format a value as TOML, on one line."""
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
