"""Remove fall-through from switches, as one would by hand.

    case 3: a;                      case 3: a; b; break;
    case 2: b; break;         ->    case 2: b; break;

if the duplicated code is short, and otherwise

    case 3: case 2: if (s == 3) a; b; break;

Segments up to one that always leaves the switch form a group: control never falls from
one group into the next, so each guard tests only labels of its own group. The selector is
saved before the switch if the switch might change its operands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...analysis.ssa import targets
from ...analysis.traversal import ends
from ...ir import (
    BOOL,
    Array,
    Assign,
    Binary,
    Block,
    Body,
    Break,
    Case,
    Const,
    Continue,
    Declare,
    Evaluate,
    Expr,
    If,
    Place,
    Pointer,
    Return,
    Scalar,
    Stmt,
    Switch,
    Sym,
    rebuilt,
    statements,
)
from ..common.jumps import any_has
from .unique_declarations import copied

# The number of statements of a group that may be duplicated; longer groups are guarded.
COPIES = 6

Group = tuple[Case, ...]


@dataclass(frozen=True)
class Selector:
    """The expression that guards compare with labels, and its declaration before the switch, if needed."""

    value: Expr
    declared: Body

    @staticmethod
    def of(stmt: Switch) -> Selector:
        written = {t.sym for case in stmt.cases for s in statements(case.body) for t in targets(s)}
        match stmt.selector:
            case Place(sym, ()) if sym not in written:
                return Selector(stmt.selector, ())
            case _:
                sym = Sym("selector", stmt.selector.type)
                return Selector(Place(sym, (), sym.type), (Declare(sym, stmt.selector, span=stmt.span),))


@dataclass(frozen=True)
class Apart:
    """The cases of a group without fall-through; `guarded` if they test the selector."""

    cases: tuple[Case, ...]
    guarded: bool


def groups(cases: Iterable[Case]) -> tuple[Group, ...]:
    """Group consecutive segments between which control may fall through."""
    out: list[Group] = []
    group: list[Case] = []
    for case in cases:
        group.append(case)
        if ends(case.body):
            out.append(tuple(group))
            group = []
    return (*out, tuple(group)) if group else tuple(out)


def passes(group: Group) -> bool:
    """Whether control may flow from a group to the code after the switch."""
    return any(any_has(case.body, Break) for case in group) or not ends(group[-1].body)


def lone(group: Group) -> bool:
    """Whether control flows from a group to the code after the switch at its end only."""
    *others, last = group
    body = last.body[:-1] if last.body and isinstance(last.body[-1], Break) else last.body
    if ends(body):
        return False
    kinds = (Break, Continue, Return)
    return not any(any_has(b, kind) for b in (*(c.body for c in others), body) for kind in kinds)


def fallen(group: Group, selector: Selector) -> Apart:
    """The group without fall-through."""
    if len(group) == 1:
        return Apart(group, False)
    again = [s for j in range(1, len(group)) for case in group[j:] for s in statements(case.body)]
    if all(map(_short, again)) and len([s for s in again if _counts(s)]) <= COPIES:
        cases = tuple(
            replace(case, body=(*case.body, *(s for later in group[j + 1 :] for s in copied(later.body))))
            for j, case in enumerate(group)
        )
        return Apart(cases, False)
    body: list[Stmt] = []
    for j, case in enumerate(group[:-1]):
        body.append(If(_entered(group, j, selector.value), case.body, span=case.span))
    labels = tuple(label for case in group for label in case.labels)
    spelled = tuple(text for case in group for text in case.spelled)
    whole = Case(labels, (*body, *group[-1].body), spelled, group[0].span)
    return Apart((whole,), True)


def with_breaks(body: Body) -> Body:
    """Restore the breaks that end the cases of switches in tail form."""

    def change(inner: Body) -> Body:
        return tuple(_with_breaks(s) for s in inner)

    def _with_breaks(stmt: Stmt) -> Stmt:
        new = rebuilt(stmt, change)
        if not isinstance(new, Switch):
            return new
        cases = (c if ends(c.body) else replace(c, body=(*c.body, Break())) for c in new.cases)
        return replace(new, cases=tuple(cases))

    return change(body)


def thinned(cases: Sequence[Case]) -> tuple[Case, ...]:
    """Drop the empty cases of a switch in tail form, and add the breaks.

    An empty case is kept if the switch has a non-empty default.
    """
    default = next((case for case in cases if None in case.labels), None)
    apart = default is not None and bool(default.body)
    out: list[Case] = []
    for case in cases:
        if case.body or (apart and not (out and not out[-1].body)):
            out.append(case)
        elif apart:
            last = out.pop()
            spelled = (*last.spelled, *case.spelled)
            out.append(replace(last, labels=(*last.labels, *case.labels), spelled=spelled))
    return tuple(replace(case, body=(*case.body, Break())) for case in out)


def simple(body: Body) -> int:
    """The number of statements in a body."""
    return len([s for s in statements(body) if _counts(s)])


def _counts(stmt: Stmt) -> bool:
    return not isinstance(stmt, Block | Break | Continue | Return)


def _short(stmt: Stmt) -> bool:
    """Whether a statement may be duplicated: no stores to memory (each is proved separately), no loops."""
    match stmt:
        case Declare(sym):
            return not isinstance(sym.type, Array) and sym.storage == "local"
        case Assign(target):
            return not isinstance(target.sym.type, Pointer) and target.sym.storage in ("local", "parameter")
        case Evaluate() | If() | Block() | Break() | Continue() | Return():
            return True
        case _:
            return False


def _entered(group: Group, last: int, selector: Expr) -> Expr:
    """Whether control entered the group at this segment or an earlier one."""
    early = [label for case in group[: last + 1] for label in _labels(case)]
    late = [label for case in group[last + 1 :] for label in _labels(case)]
    if None in early or (None not in late and len(late) < len(early)):
        return _chain("&&", "!=", late, selector)
    return _chain("||", "==", early, selector)


def _labels(case: Case) -> list[tuple[int, str] | None]:
    spelled = case.spelled if len(case.spelled) == len(case.labels) else tuple(map(str, case.labels))
    return [None if v is None else (v, text) for v, text in zip(case.labels, spelled, strict=True)]


def _chain(join: str, compare: str, labels: Sequence[tuple[int, str] | None], selector: Expr) -> Expr:
    kind = selector.type
    assert isinstance(kind, Scalar)
    tests: list[Expr] = []
    for label in labels:
        assert label is not None, "a default isn't compared with"
        value, text = label
        tests.append(Binary(compare, selector, Const(value, kind, spelling=text), BOOL))
    chain, *others = tests
    for test in others:
        chain = Binary(join, chain, test, BOOL)
    return chain
