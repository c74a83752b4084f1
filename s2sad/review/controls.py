"""The options that a served page offers, each with its cost: which values are stored, the mode, the sums."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from .. import pipeline
from ..analysis.plan import Decision, Plan, Recovery
from ..diagnostics import Rejected
from ..ir import Program
from ..options import MODES, SUMS, Options, Unclear, names
from ..resolve_request import symbols
from ..source import Source
from .notes import SUMS as HOW
from .notes import WORDS

Value = TypeVar("Value")
VALUE, MODE, ACCUMULATE = "value", "mode", "accumulate"
KEYS = (VALUE, MODE, ACCUMULATE)
WAYS = ("store", "recompute")
_NAME = re.compile(r"[^\w.].*", re.DOTALL)
_ASKS = re.compile(r"--(?:store|recompute) (\w+)")
_CHOSEN = (Recovery.TAPE, Recovery.RECOMPUTE, Recovery.INVERT, Recovery.CHECKPOINT, Recovery.CARRY)


@dataclass(frozen=True)
class Choice:
    """One value of an option, and what it costs."""

    value: str
    text: str
    cost: str = ""
    chosen: bool = False

    @property
    def is_offered(self) -> bool:
        """Whether it can be chosen: a way without a cost is none that the plan knows."""
        return bool(self.cost) or self.chosen or not self.value


@dataclass(frozen=True)
class Control:
    """One option, or one variable that may be stored or recomputed; `now` is what the plan does."""

    key: str
    label: str
    choices: tuple[Choice, ...]
    line: int = 0
    now: str = ""


@dataclass(frozen=True)
class Live:
    """What a served page has besides: its options, and the stamp of the files that it was drawn from."""

    controls: tuple[Control, ...]
    stamp: str
    query: str
    state: str = ""

    @property
    def values(self) -> tuple[Control, ...]:
        return tuple(control for control in self.controls if control.key == VALUE)

    @property
    def others(self) -> tuple[Control, ...]:
        return tuple(control for control in self.controls if control.key != VALUE)


def asked(query: Mapping[str, Iterable[str]], given: Options) -> Options:
    """Return the options that a query chooses, over those of the command line. Raises Unclear.

    Without a query they are those of the command line: `value=store:s&value=recompute:t&mode=split`.
    """
    if unknown := [key for key in query if key not in KEYS]:
        raise Unclear(f"{unknown[0]!r} isn't an option of this page", f"valid: {', '.join(KEYS)}")
    if not query:
        return given
    found: dict[str, list[str]] = {way: [] for way in WAYS}
    for text in filter(None, query.get(VALUE, ())):
        way, _, name = text.partition(":")
        if way not in WAYS:
            raise Unclear(f"{text!r} isn't a way to get a value", "write store:NAME or recompute:NAME")
        found[way] += [one for one in names(name) if one not in found[way]]
    if both := [name for name in found["store"] if name in found["recompute"]]:
        raise Unclear(f"{both[0]} can't be both stored and recomputed")
    return replace(
        given,
        store=tuple(found["store"]),
        recompute=tuple(found["recompute"]),
        mode=_one(query, MODE, MODES),
        accumulate=_one(query, ACCUMULATE, SUMS),
    )


def _one(query: Mapping[str, Iterable[str]], key: str, known: Mapping[str, Value]) -> Value | None:
    texts = [text for text in query.get(key, ()) if text]
    if not texts:
        return None
    if texts[-1] not in known:
        raise Unclear(f"--{key} {texts[-1]} isn't known", f"valid: {', '.join(known)}")
    return known[texts[-1]]


def of_options(options: Options) -> tuple[Control, ...]:
    """Return the controls of a request that is refused: what is chosen, without costs."""
    chosen = [("store", name) for name in options.store] + [("recompute", name) for name in options.recompute]
    values = (_value(name, way, ()) for way, name in chosen)
    mode, sums = options.mode or "joint", options.accumulate or "fastest"
    return (
        *_plain(MODE, MODES, mode, {}),
        *_plain(ACCUMULATE, SUMS, sums, {}),
        *values,
    )


def of_transformed(done: pipeline.Transformed, source: Source, options: Options) -> tuple[Control, ...]:
    """Return the controls of an adjoint; other modes and sums are planned, to know their costs."""
    settled = done.options
    first = done.first or done
    here, sweeps = first.adjoint.plan, settled.mode in ("joint", "split")
    modes: dict[str, str] = dict(_FORWARD)
    sums: dict[str, str] = {}
    for mode in ("joint", "split"):
        modes[mode] = (
            price(here) if mode == settled.mode else _other(source, replace(options, mode=mode), price)
        )
    for way in SUMS if sweeps else ():
        chosen = way == settled.accumulate
        sums[way] = _sums(here) if chosen else _other(source, replace(options, accumulate=SUMS[way]), _sums)
    costs = {MODE: modes, ACCUMULATE: sums}
    return (
        *_plain(MODE, MODES, settled.mode or "joint", costs[MODE]),
        *_plain(ACCUMULATE, SUMS, settled.accumulate or "fastest", costs[ACCUMULATE]),
        *_values(first.program, first.adjoint.plan, settled),
    )


_FORWARD = {
    "tangent": "no tape; a launch for each direction, or --directions N",
    "second-order": "the adjoint and its tangent: about twice its loads, stores and arithmetic",
}
"""What the modes cost whose plan isn't one of a reverse sweep."""


def _other(source: Source, options: Options, told: Callable[[Plan], str]) -> str:
    """Describe what another choice costs, or that it is refused; only making the adjoint tells."""
    try:
        return told(pipeline.transform(source, options).adjoint.plan)
    except Rejected as rejected:
        return f"refused: {rejected.diagnostics[0].title}"


def price(plan: Plan) -> str:
    """Describe what a plan costs: tapes by where they are, and how adjoints are added up.

    `tape in registers: 32 bytes per thread; 2 atomic, 1 block sum`.
    """
    taped = [d for d in plan.decisions if d.how in (Recovery.TAPE, Recovery.CHECKPOINT) and d.cost]
    parts = []
    for where in dict.fromkeys(d.where for d in taped):
        counts = Counter(d.cost for d in taped if d.where == where)
        costs = [f"{n} × {cost}" if n > 1 else cost for cost, n in counts.items()]
        at = "" if all("register" in cost for cost in counts) else f" in {where or 'variables'}"
        parts.append(f"tape{at}: {' + '.join(costs)}")
    return "; ".join(filter(None, (*(parts or ["no tape"]), _sums(plan))))


def _sums(plan: Plan) -> str:
    found = Counter(HOW[a.how] for a in plan.accumulations if a.how != "none")
    return ", ".join(f"{n} {word}" for word, n in found.items())


def _plain(key: str, known: Iterable[str], chosen: str, costs: Mapping[str, str]) -> Iterator[Control]:
    choices = tuple(Choice(value, value, costs.get(value, ""), value == chosen) for value in known)
    yield Control(key, f"--{key}", choices)


def _values(program: Program, plan: Plan, options: Options) -> Iterator[Control]:
    """Yield a control for each local variable that is stored or recomputed, or could be."""
    known = {name for s in symbols(program.kernel) for name in (s.variable, s.name)}
    wanted: dict[str, list[Decision]] = {}
    for decision in plan.decisions:
        own = [_NAME.sub("", decision.value)] if decision.how in _CHOSEN else []
        for name in (*own, *_ASKS.findall(decision.other)):
            if name in known:
                wanted.setdefault(name, []).append(decision)
    for name in (*options.store, *options.recompute):
        wanted.setdefault(name, [d for d in plan.decisions if _is_own(d, name)])
    for name, found in wanted.items():
        way = next((way for way in WAYS if name in getattr(options, way)), "")
        yield _value(name, way, found)


def _is_own(decision: Decision, name: str) -> bool:
    return _NAME.sub("", decision.value) == name


def _now(name: str, found: Iterable[Decision]) -> tuple[int, str]:
    """Return the line of a variable's first decision, and what is done now."""
    said: dict[str, int] = {}
    for d in found:
        text = WORDS[d.how] if _is_own(d, name) else f"{d.value} {WORDS[d.how]}"
        said.setdefault(f"{text} ({d.cost})" if d.cost else text, d.line)
    return next(iter(said.values()), 0), "; ".join(said)


def _value(name: str, way: str, found: Iterable[Decision]) -> Control:
    ways = (Choice(f"{one}:{name}", f"--{one} {name}", _cost(name, one, found), way == one) for one in WAYS)
    return Control(VALUE, name, (Choice("", "as planned", "", not way), *ways), *_now(name, found))


def _cost(name: str, way: str, found: Iterable[Decision]) -> str:
    """Return what it costs to store or to recompute a variable, by the plan's entries on it."""
    done, word = (Recovery.TAPE, "tape: ") if way == "store" else (Recovery.RECOMPUTE, "recompute: ")
    texts = []
    for d in found:
        if f"(--{way} {name})" in d.other:
            texts.append(f"{d.value}: {d.other.replace(f' (--{way} {name})', '').partition(': ')[2]}")
        elif _is_own(d, name) and d.how is done:
            texts.append(d.cost)
        elif _is_own(d, name) and d.other.startswith(word):
            texts.append(d.other.removeprefix(word))
    return "; ".join(dict.fromkeys(filter(None, texts)))
