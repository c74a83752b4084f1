"""What the lesson skin says above a statement: formulas of its contributions, and reasons.

    // 15:  s = s + w[k] * sinf(s)
    // adj_w[k] += sin(s) * adj_s         d(u * v)/du = v
    adj_w_sum[k] += tape_ds_dw[k] * adj_s;

No text is carried along. A statement of the adjoint has the sites of the contributions in it,
which the audit of contributions follows through all passes, and a site knows the partial of its
primal statement. What is said of a statement is made here, from its sites as it finally is, from
its reason, and from the plan. So a line goes where its statement goes, and goes with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..analysis.plan import Decision, Plan, Recovery
from ..ir import (
    COLLECTIVE,
    REDUCTIONS,
    Accumulate,
    Array,
    Assign,
    Call,
    Clear,
    Const,
    Declare,
    Expr,
    For,
    How,
    Place,
    Record,
    Restore,
    Share,
    Site,
    Stmt,
    is_floating,
    walk,
)
from ..source import Span
from .formulas import Formulas, Term, signed_sum

_MOST = 6
"""The number of formulas above one statement, after which they are only counted."""
_WIDE = 64
"""The number of characters up to which a formula and its rules are on one line."""

_WHY: Mapping[How, str] = {
    "atomic": "atomicAdd",
    "owner": "a plain addition is enough",
    "phase": "a plain addition is enough",
    "reduce": "one sum per block",
    "warp": "one sum per warp",
}
_NOT_THERE: Mapping[Recovery, str] = {
    Recovery.TAPE: "read from",
    Recovery.CHECKPOINT: "made again:",
    Recovery.CARRY: "read from",
    Recovery.INVERT: "computed backwards:",
    Recovery.RECOMPUTE: "computed again:",
}


@dataclass(frozen=True)
class Line:
    """A formula with the derivatives that it uses, `below` it if they are long; or a note in words."""

    formula: str = ""
    rules: str = ""
    note: str = ""

    @property
    def below(self) -> bool:
        return len(self.formula) + len(self.rules) > _WIDE


class Lessons:
    """Says what each statement of a function does; `where` describes the place of a recorded value."""

    def __init__(self, formulas: Formulas, plan: Plan, where: Mapping[Decision, str]) -> None:
        self._formulas = formulas
        self._plan = plan
        self._where = where
        self._tapes = {d.tape.partition("[")[0]: d for d in plan.decisions if d.tape}

    def of(self, stmts: Iterable[Stmt]) -> tuple[Line, ...]:
        """Return the lines above statements that are printed as one."""
        together = tuple(stmts)
        lines = [line for stmt in together for line in self._lines(stmt)]
        lines += self._sums([stmt for stmt in together if isinstance(stmt, Accumulate)])
        return tuple(dict.fromkeys(lines))

    def _lines(self, stmt: Stmt) -> Iterator[Line]:
        match stmt:
            case Accumulate() | Assign() | Declare() | Clear():
                sites = tuple(dict.fromkeys((*stmt.told, *stmt.sites)))
                yield from self._contributions(sites, self._stored(stmt))
                yield from self._needs(sites)
            case Record(tape):
                if (d := self._tapes.get(tape.sym.name)) is not None:
                    yield Line(note=f"{d.value} is recorded{_readers(d)}: {d.reason}")
            case Restore(target, tape):
                yield from self._restored(target, tape)
            case For(reverses=loop) if loop is not None:
                line = line_of(loop)
                of = f" of line {line}" if line else ""
                yield Line(note=f"the loop{of} backwards: its last iteration is undone first")
            case _:
                pass

    # ---- formulas ------------------------------------------------------------

    def _stored(self, stmt: Stmt) -> str:
        """Return the adjoint that a statement gives a new value, whatever it was."""
        match stmt:
            case Declare(sym, init) if init is not None:
                return self._formulas.text(Place(sym, (), sym.type))
            case Assign(target, _, None):
                return self._formulas.text(target)
            case _:
                return ""

    def _contributions(self, sites: Iterable[Site], stored: str) -> Iterator[Line]:
        groups: dict[str, list[Share]] = {}
        for site in sites:
            share = site.share
            if share is not None and share.through is not None:
                yield Line(note=self._passed_on(share, share.through))
            elif share is not None and self._formulas.knows(share):
                groups.setdefault(self._formulas.target(share), []).append(share)
        for target, shares in list(groups.items())[:_MOST]:
            sets = target == stored or any(share.sets for share in shares)
            yield Line(self._formula(target, shares, sets), _rules(shares))
            if all(_is_zero(share) for share in shares):
                yield Line(note=self._cleared(target, shares[0]))
        if len(groups) > _MOST:
            yield Line(note=f"and {len(groups) - _MOST} more formulas")

    def _formula(self, target: str, shares: Iterable[Share], sets: bool) -> str:
        terms = list(self._terms(shares))
        if sets:
            return f"{target} = {signed_sum(terms)}"
        if all(negative for negative, _ in terms):
            return f"{target} -= {signed_sum((False, text) for _, text in terms)}"
        return f"{target} += {signed_sum(terms)}"

    def _terms(self, shares: Iterable[Share]) -> Iterator[Term]:
        """Yield what is added up, one term for each adjoint that it comes from."""
        sources: dict[str, list[Expr]] = {}
        for share in shares:
            if not _is_zero(share):
                sources.setdefault(self._formulas.source(share), []).append(share.partial)
        for source, partials in sources.items():
            if len(partials) == 1:
                yield self._formulas.product(partials[0], source)
            else:
                yield False, f"({signed_sum(map(self._formulas.factor, partials))}) * {source}"

    def _cleared(self, target: str, share: Share) -> str:
        value = self._formulas.text(share.operand)
        then = f"; {target} below means its value before" if share.copied else ""
        return f"the old {value} is overwritten here and changes nothing later{then}"

    def _passed_on(self, share: Share, call: Call) -> str:
        """Say that an adjoint comes from another function's adjoint, or from other threads."""
        target, source = self._formulas.target(share), self._formulas.source(share)
        value = self._formulas.text(share.operand)
        if call.rule == "sum":
            return f"{target} += the sum of all threads' {source}: {value} is a term of the sum that each got"
        if call.rule in COLLECTIVE:
            return f"{target} += {source} of the threads that read this one's {value}: the exchange backwards"
        return f"{target} += what the adjoint of {self._formulas.text(call)} returns for its argument"

    # ---- reasons ---------------------------------------------------------------

    def _sums(self, adds: list[Accumulate]) -> Iterator[Line]:
        """Yield what additions of whole sums add, and why additions are made as they are."""
        whole = [add for add in adds if not any(site.share for site in (*add.sites, *add.told))]
        if whole:
            threads = "all threads of the block" if whole[0].how in REDUCTIONS else "this thread"
            yield Line(note=f"adds what {threads} collected for {', '.join(map(self._target, whole))}")
        for add in adds:
            if add.why and add.how in _WHY:
                yield Line(note=f"{_WHY[add.how]}: {add.why}")

    def _target(self, add: Accumulate) -> str:
        name = self._formulas.text(add.target)
        return f"{name.partition('[')[0]}[..]" if isinstance(add.amount.type, Array) else name

    def _needs(self, sites: Iterable[Site]) -> Iterator[Line]:
        """Yield why values of the formulas are no longer there, and where they come from."""
        for site in sites:
            if site.share is None or site.stmt is None or not self._formulas.knows(site.share):
                continue
            line = line_of(site.stmt)
            places = (e for e in walk(site.share.partial) if isinstance(e, Place) and is_floating(e))
            read = {self._formulas.text(e) for e in places}
            for d in self._plan.decisions:
                if d.value in read and d.how in _NOT_THERE and line in d.needed:
                    yield Line(note=self._needed(d))

    def _needed(self, d: Decision) -> str:
        if d.how in (Recovery.TAPE, Recovery.CARRY):
            return f"{d.value} as it was, from {self._where[d]}: {d.reason}"
        return f"{d.value} is {_NOT_THERE[d.how]} {d.reason}"

    def _restored(self, target: Place, tape: Expr) -> Iterator[Line]:
        for e in walk(tape):
            if isinstance(e, Place) and (d := self._tapes.get(e.sym.name)) is not None:
                yield Line(note=f"{self._formulas.text(target)} as it was: {d.reason}")
                return


def line_of(stmt: Stmt) -> int:
    """Return the line of a statement of the author's, 0 for one of the tool's."""
    span: Span | None = getattr(stmt, "span", None)
    return 0 if span is None else span.line


def _rules(shares: Iterable[Share]) -> str:
    """Return the derivatives used; those of sums only if there is no other."""
    rules = dict.fromkeys(rule for share in shares for rule in share.rules)
    real = [rule for rule in rules if not rule.endswith(("= 1", "= -1"))]
    return ", ".join(real or list(rules)[:1])


def _is_zero(share: Share) -> bool:
    return isinstance(share.partial, Const) and share.partial.value == 0


def _readers(d: Decision) -> str:
    lines = ", ".join(map(str, d.needed))
    return f" for the reverse of line{'s' * (len(d.needed) > 1)} {lines}" if lines else ""
