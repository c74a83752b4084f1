"""How adjoints in global memory are added up: the access analysis, asked for this kernel."""

from __future__ import annotations

from collections.abc import Iterable

from ..analysis import access
from ..analysis.access import Assumptions, Site
from ..analysis.plan import Accumulation
from ..analysis.versions import loads, operands, targets
from ..diagnostics import Diagnostic, Rejected
from ..ir import Function, How, Place, Pointer, Program, Stmt, Sym, statements
from ..options import Assumption
from .adjoint import Facts
from .partials import Add


def touched(function: Function) -> tuple[frozenset[Sym], frozenset[Sym]]:
    """The arrays and parameters that a kernel reads, and those that it writes."""
    read: set[Sym] = set()
    written: set[Sym] = set()
    for stmt in statements(function.body):
        for target in targets(stmt):
            written.add(target.sym)
        for expr in operands(stmt):
            for place in loads(expr):
                read.add(place.sym)
    return frozenset(read), frozenset(written)


class Ownership:
    """Who may add plainly, site by site; `judge` first collects the sites."""

    def __init__(self, program: Program, body: Function, assume: Iterable[Assumption]) -> None:
        self.assumed = tuple(assume)
        self.access = access.survey(body, Assumptions.of(map(str, self.assumed)), program.functions)
        self.reasons: dict[Sym, access.Ownership] = {}
        self.places: dict[Sym, dict[Stmt, Place]] = {}

    def stored_once(self, sym: Sym) -> bool:
        return self.access.stored_once(sym)

    def written_once(self, sym: Sym) -> bool:
        return self.access.written_once(sym)

    def refuse_shared_writers(self, arrays: Iterable[Sym]) -> None:
        """Refuses arrays with an adjoint of which two threads might store one element."""
        problems: list[Diagnostic] = []
        for sym in arrays:
            problem = self.access.store_problem(sym)
            if problem is not None:
                problems.append(problem)
        if problems:
            raise Rejected(*problems)

    def judge(self, facts: Facts) -> None:
        """Decides each array from all the places where the reverse sweep adds to its adjoint."""
        sites: dict[Sym, list[Site]] = {}
        for stmt, debts in facts.debts.of.items():
            for owed in debts:
                for item in (*owed.items, *owed.own):
                    if isinstance(item, Add) and isinstance(item.place.sym.type, Pointer):
                        if item in owed.own:
                            continue
                        sites.setdefault(item.place.sym, []).append(Site(stmt, item.place, "read"))
                        self.places.setdefault(item.place.sym, {}).setdefault(stmt, item.place)
                if isinstance(owed.target.sym.type, Pointer):
                    sites.setdefault(owed.target.sym, []).append(Site(stmt, owed.target, "store"))
        for sym, found in sites.items():
            if any(s.kind == "read" for s in found):
                self.reasons[sym] = self.access.ownership(sym, found)

    def how(self, stmt: Stmt, place: Place) -> tuple[How, str]:
        """How a contribution to the adjoint of a place is added, and why."""
        if not isinstance(place.sym.type, Pointer):
            return "local", ""
        judged = self.reasons[place.sym]
        return judged.how, judged.reason

    def accumulations(self, prefix: str) -> list[Accumulation]:
        """The rows of the plan."""
        out = []
        for sym, judged in self.reasons.items():
            spans = [p.span for p in self.places.get(sym, {}).values() if p.span is not None]
            lines = tuple(sorted({span.line for span in spans}))
            out.append(Accumulation(f"{prefix}{sym.name}[..]", judged.how, judged.reason, lines))
        return out
