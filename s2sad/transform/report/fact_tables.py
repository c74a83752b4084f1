"""The findings of the analyses, from which the plan follows, as tables to print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from ...analysis.access import ownership_proofs
from ...analysis.access.ownership_proofs import Row
from ...analysis.ssa import Scope, Version
from ...ir import Array, Pointer, Stmt, Sym, walk
from ...irtext import show
from ..plan.accumulation_policy import Ownership
from ..plan.accumulation_verdicts import Verdicts, elements
from ..plan.facts import Facts
from ..unit import FactTable

OWNERSHIP, LEMMAS = "ownership", "lemmas of ownership"
"""The titles of the tables with proofs."""


def tables(facts: Facts, ownership: Ownership, verdicts: Verdicts, prefix: str) -> tuple[FactTable, ...]:
    """Return activity, adjoint liveness, to-be-recorded by use, access by site, and proofs of ownership."""

    @cache
    def proofs() -> tuple[Row, ...]:
        return tuple(_proofs(ownership, verdicts))

    return (
        FactTable("activity", ("value", "line", "varied", "useful", "active"), lambda: _activity(facts)),
        FactTable("adjoint liveness", ("line", "statement", "runs in"), lambda: _liveness(facts)),
        FactTable(
            "to be recorded, by use",
            ("line", "adjoint reads", "defined in line", "recovered by"),
            lambda: _uses(facts),
        ),
        FactTable("access", ("line", "element", "index", "known"), lambda: _access(ownership)),
        FactTable(
            OWNERSHIP,
            ("adjoint", "access", "and", "two threads", "because", "by"),
            lambda: _ownership(proofs(), prefix),
        ),
        FactTable(LEMMAS, ("lemma", "says"), lambda: _lemmas(proofs())),
    )


def _activity(facts: Facts) -> Iterator[tuple[str, ...]]:
    found = facts.activity

    def row(name: str, line: str, node: Version | Sym) -> tuple[str, ...]:
        def yes(b: bool) -> str:
            return "yes" if b else "-"

        varied, useful = node in found.varied, node in found.useful
        return name, line, yes(varied), yes(useful), yes(varied and useful)

    for sym in facts.function.syms:
        version = facts.versions.entries.get(sym)
        if isinstance(sym.type, Pointer):
            yield row(elements(sym), "parameter", sym)
        elif version is not None:
            yield row(sym.name, "parameter", version)
    seen: set[Sym] = set()
    for stmt in facts.versions.order:
        for version in facts.versions.makes.get(stmt, {}).values():
            kind = {"join": " (either branch)", "exit": " (after the loop)"}.get(version.kind, "")
            yield row(version.sym.name + kind, str(version.line), version)
        for sym in facts.versions.writes.get(stmt, {}):
            if isinstance(sym.type, Array) and sym not in seen:
                seen.add(sym)
                yield row(elements(sym), str(sym.span.line if sym.span else 0), sym)


def _liveness(facts: Facts) -> Iterator[tuple[str, ...]]:
    """Yield the statements that the adjoint runs or differentiates, and in which sweeps they run."""
    where: dict[Stmt, list[str]] = {}
    for scope, done in facts.recorded.slices.items():
        for stmt in done:
            where.setdefault(stmt, []).append(_place(scope))
    for stmt in facts.versions.order:
        line = _line(stmt)
        if line and (stmt in where or stmt in facts.debts.of):
            yield str(line), _text(stmt), ", ".join(dict.fromkeys(where.get(stmt, ["neither sweep"])))


def _place(scope: Scope) -> str:
    loop = next(scope.loops(), None)
    return "the forward sweep" if loop is None else f"the reversed iterations of line {_line(loop)}"


def _uses(facts: Facts) -> Iterator[tuple[str, ...]]:
    rows: dict[tuple[str, ...], None] = {}
    recorded = facts.recorded
    for stmt, debts in facts.debts.of.items():
        reads = facts.versions.reads[stmt]
        for owed in debts:
            for expr in owed.expressions():
                for e in walk(expr):
                    sym = getattr(e, "sym", None)
                    if sym is None:
                        continue
                    if getattr(e, "index", ()):
                        why = "recorded at the read" if (stmt, e) in recorded.loads else "reloaded"
                        rows[str(_line(stmt)), show(e), "-", why] = None
                        continue
                    version = owed.afters.get(sym) or reads.get(sym)
                    if version is not None:
                        rows[str(_line(stmt)), sym.name, _made(version), _why(version, facts)] = None
    yield from rows


def _made(version: Version) -> str:
    words = {"entry": "at entry", "head": f"{version.line}, each iteration"}
    return words.get(version.kind, str(version.line))


def _why(version: Version, facts: Facts) -> str:
    recorded = facts.recorded
    if version in recorded.taped:
        return "recorded per iteration" if version.stmt not in recorded.advances else "rerun"
    if version in recorded.inverted:
        return "inverted: fixed step"
    if version in recorded.undone:
        return "inverted: divided back"
    if version in recorded.copies:
        return "copied before it is overwritten"
    if version in recorded.rewritten:
        return "recomputed from the launch and parameters"
    if version in recorded.stored:
        if version.sym in facts.expensive:
            return "recorded: recomputing costs more"
        kept = version in recorded.kept
        return "recorded: recomputing may round differently" if kept else "recorded: --store"
    if version in recorded.handed:
        return "recorded by the forward kernel"
    if version.kind == "head":
        return "regenerated by the reversed loop"
    return "not overwritten, or recomputed where it is read"


def _access(ownership: Ownership) -> Iterator[tuple[str, ...]]:
    for row in ownership.access.facts():
        yield str(row.line or "-"), row.place, row.index, ", ".join(row.known)


def _proofs(ownership: Ownership, verdicts: Verdicts) -> Iterator[Row]:
    """Yield the proofs on the arrays whose adjoints are added to, and on those that are stored to."""
    access = ownership.access
    for sym in verdicts.plain:
        if reads := verdicts.reads.get(sym):
            yield from ownership_proofs.of_global(access, sym, reads)
    for sym in verdicts.phased:
        reads = verdicts.reads.get(sym, ())
        if reads and ownership.sharing is not None and sym.storage == "shared":
            yield from ownership_proofs.of_shared(ownership.sharing, sym, reads)
    for sym in dict.fromkeys(place.sym for _, place in access.stores):
        yield from ownership_proofs.of_stores(access, sym, [(s, p) for s, p in access.stores if p.sym is sym])


def _ownership(proofs: Iterable[Row], prefix: str) -> Iterator[tuple[str, ...]]:
    for row in proofs:
        accesses = (_accessed(row.one, row.line), _accessed(row.two, row.other))
        meets = "may meet" if row.meets else "never meet"
        yield elements(row.array, prefix), *accesses, meets, row.because, ", ".join(row.by)


def _accessed(text: str, line: int) -> str:
    return f"{text} (line {line})" if line else text


def _lemmas(proofs: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    used = {name for row in proofs for name in row.by}
    yield from ((name, text) for name, text in ownership_proofs.LEMMAS.items() if name in used)


def _line(stmt: Stmt) -> int:
    span = getattr(stmt, "span", None)
    return span.line if span is not None else 0


def _text(stmt: Stmt) -> str:
    span = getattr(stmt, "span", None)
    return span.words.rstrip(";") if span is not None else ""
