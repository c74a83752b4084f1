"""How each adjoint is accumulated, and why: verdicts on all sites, made before anything is built.

Passes that find a cheaper way refine them: each of `gathered`, `dealt_out`, … returns new
verdicts with the reason and doesn't modify the old ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...analysis.access.accumulation_reasons import text_of
from ...analysis.access.global_access import Verdict
from ...analysis.access.halos import Edge
from ...analysis.access.tile_distribution import Dealt
from ...analysis.plan import Accumulation
from ...ir import How, Place, Pointer, Stmt, Struct, Sym
from ...source import Span

_Sites = Mapping[tuple[Stmt, Place], Verdict]


@dataclass(frozen=True)
class Verdicts:
    """The verdict on each array whose adjoint the reverse sweep accumulates.

    `plain` are arrays in global memory, with one verdict each; `phased` have one per site. For each
    array, `reads` are its reads in the primal and `places` one of each statement, `taken` the stores that
    exchange its adjoint, and `once` the stores to it if it is assumed that no two threads store one element.

    Candidates for a rewrite: `covered` arrays, each element of which may have a thread that gathers;
    `dealt`, to which all blocks of a row add the same elements; `edges`, of which blocks share only
    the rims. `sizes` is what the launch is declared to cover.
    """

    plain: Mapping[Sym, Verdict] = field(default_factory=dict)
    phased: Mapping[Sym, _Sites] = field(default_factory=dict)
    places: Mapping[Sym, Mapping[Stmt, Place]] = field(default_factory=dict)
    once: Mapping[Sym, Sequence[Place]] = field(default_factory=dict)
    taken: Mapping[Sym, Sequence[Place]] = field(default_factory=dict)
    covered: tuple[Sym, ...] = ()
    dealt: Mapping[Sym, Dealt] = field(default_factory=dict)
    edges: Mapping[Sym, tuple[Edge, ...]] = field(default_factory=dict)
    sizes: tuple[str, ...] = ()
    reads: Mapping[Sym, Sequence[tuple[Stmt, Place]]] = field(default_factory=dict)

    def how(self, stmt: Stmt, place: Place) -> tuple[How, str]:
        """How a contribution to the adjoint of a place is accumulated when it is built, and why."""
        if not of_many(place.sym):
            return "local", ""
        phased = self.phased.get(place.sym)
        verdict = self.plain[place.sym] if phased is None else phased[stmt, place]
        match verdict.how:
            case "owner" | "phase" | "atomic" as how:
                return how, verdict.reason
            case _:
                raise AssertionError(f"{place.sym.name} is {verdict.how} before it is built")

    def atomic_still(self) -> dict[Sym, Dealt]:
        """The arrays whose tiles blocks may share out, and which are still accumulated atomically."""
        return {sym: dealt for sym, dealt in self.dealt.items() if self.plain[sym].how == "atomic"}

    # ---- refined -------------------------------------------------------------

    def gathered_in_rows(self, arrays: Iterable[Sym]) -> Verdicts:
        """With shared arrays whose elements' owners gather the contributions of the block's threads."""
        why = "each thread gathers the block's contributions to its element of {}"
        return self._gathered(arrays, ("atomic",), why)

    def gathered_in_tiles(self, arrays: Iterable[Sym]) -> Verdicts:
        """With shared arrays whose elements are sums of what neighbouring threads store."""
        why = "an element of {} is the sum of what neighbouring threads have stored"
        return self._gathered(arrays, ("phase", "atomic"), why)

    def _gathered(self, arrays: Iterable[Sym], before: Iterable[How], why: str) -> Verdicts:
        phased = dict(self.phased)
        for sym in arrays:
            name = sym.name if sym.within is None else sym.within.name
            for how in before:
                phased[sym] = _replaced(phased[sym], how, Verdict("gathered", why.format(name)))
        return replace(self, phased=phased)

    def atomic(self, arrays: Iterable[Sym]) -> Verdicts:
        """With shared arrays whose contributions can't be separated by barriers."""
        phased = dict(self.phased)
        verdict = Verdict("atomic", "accesses overlap and cannot be separated by a barrier")
        for sym in arrays:
            phased[sym] = _replaced(phased[sym], "phase", verdict)
        return replace(self, phased=phased)

    def gathered(self, arrays: Iterable[Sym]) -> Verdicts:
        """With arrays each element of which has a thread that gathers its contributions."""
        of = " by ".join(self.sizes)
        why = "each thread gathers the contributions to its element of {}; the launch covers " + of
        return self._with({sym: Verdict("gathered", why.format(sym.name)) for sym in arrays})

    def dealt_out(self, arrays: Iterable[Sym]) -> Verdicts:
        """With arrays of which blocks share out the tiles."""
        why = "the blocks along {} divide its tiles; each adds all blocks' contributions"
        return self._with({sym: Verdict("gathered", why.format(self.dealt[sym].axis)) for sym in arrays})

    def rims_alone(self, arrays: Iterable[Sym]) -> Verdicts:
        """With arrays of which two blocks add to the same elements only at their rims."""
        why = "blocks share elements of {} only at their edges"
        return self._with({sym: Verdict("rims", why.format(sym.name)) for sym in arrays})

    def in_columns(self, arrays: Iterable[Sym]) -> Verdicts:
        """With arrays whose contributions are first summed over the block's threads, or some of them."""
        return self._with({sym: Verdict("columns", self.plain[sym].reason) for sym in arrays})

    def by_owners(self, arrays: Iterable[Sym]) -> Verdicts:
        """With arrays each element of which has a thread that adds what all threads owe to it."""
        why = "each thread adds what all threads owe to its elements of {}"
        return self._with({sym: Verdict("gathered", why.format(sym.name)) for sym in arrays})

    def _with(self, found: Mapping[Sym, Verdict]) -> Verdicts:
        return replace(self, plain={**self.plain, **found}) if found else self

    # ---- for the plan --------------------------------------------------------

    @property
    def spans(self) -> dict[Sym, list[Span]]:
        """The primal's reads of each array that the reverse sweep accumulates."""
        found = {
            sym: [p.span for p in places.values() if p.span is not None]
            for sym, places in self.places.items()
        }
        return {sym: list(dict.fromkeys(spans)) for sym, spans in found.items()}

    def accumulations(self, prefix: str) -> list[Accumulation]:
        """The rows of the plan."""
        out = []
        for sym, verdict in self.plain.items():
            lines = _lines(self.places.get(sym, {}).values())
            out.append(Accumulation(elements(sym, prefix), verdict.how, verdict.reason, lines))
        for sym, sites in self.phased.items():
            for verdict in dict.fromkeys(sites.values()):
                lines = _lines(place for (_, place), found in sites.items() if found == verdict)
                how: How = verdict.how if verdict.how in ("atomic", "gathered") else "phase"
                out.append(Accumulation(elements(sym, prefix), how, verdict.reason, lines))
        for sym, places in self.taken.items():
            why = "several threads may store an element; an atomic exchange gives one of them its adjoint"
            out.append(Accumulation(elements(sym, prefix), "exchange", why, _lines(places)))
        return out

    def stores_once(self) -> tuple[str, ...]:
        """The assumptions on contested arrays, as text for the header."""
        places = [text_of(place) for found in self.once.values() for place in found]
        return tuple(
            dict.fromkeys(f"no two threads store different values to the same {place}" for place in places)
        )


def _replaced(sites: _Sites, how: How, verdict: Verdict) -> _Sites:
    """The verdicts on an array's sites, with those that are `how` replaced."""
    return {key: verdict if was.how == how else was for key, was in sites.items()}


def _lines(places: Iterable[Place]) -> tuple[int, ...]:
    return tuple(sorted({place.span.line for place in places if place.span is not None}))


def elements(sym: Sym, prefix: str = "") -> str:
    """An array's elements as text: `x[..]`, `pos[..].x`."""
    if sym.within is None or not sym.path:
        return f"{prefix}{sym.name}[..]"
    if isinstance(sym.within.type, Struct) and not sym.within.type.extents:
        return f"{prefix}{sym.name}[..]"
    return f"{prefix}{sym.within.name}[..].{'.'.join(sym.path)}"


def primals(adjoints: Iterable[Sym]) -> list[Sym]:
    """The primal arrays of these adjoints."""
    return [adjoint.of for adjoint in adjoints if adjoint.of is not None]


def of_many(sym: Sym) -> bool:
    """Whether several threads may access an array's elements."""
    return isinstance(sym.type, Pointer) or sym.storage == "shared"
