"""Proofs of ownership written out: which two accesses, what keeps two threads apart, by which lemma.

`global_access` and `shared_access` decide; this module asks the same lemmas again, for people.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from ...ir import Assign, Place, Stmt, Sym
from ..symbolic.polynomials import Poly
from . import accumulation_reasons
from .access_relations import Reference
from .accumulation_reasons import listed, text_of
from .delinearisation import Question, alternatives, merged
from .global_access import Access, Site
from .injectivity import Evidence, alike, apart, derived, pair, spans, ways_of
from .shared_access import Sharing
from .sign_cases import apart_by_sign

PAIRS = 40  # pairs of one array that are written out

LEMMAS: Mapping[str, str] = {
    "L6": "With 1 = b_0 | b_1 | … | b_k and 0 <= d_i < b_(i+1) / b_i below the top, the sum of b_i * d_i "
    "determines every d_i.",
    "L7": "a == b * (a / b) + a % b: quotient and remainder determine a.",
    "L8": "If f is a sum of c_i * g_i with the same c_i in both threads, threads that agree on every g_i "
    "agree on f.",
    "L10": "For b >= 1: a / -b == -(a / b) and a % -b == a % b; so a divisor may have either sign.",
    "L13": "Where each thread that reads s[f] stores s[f + c] as well, with no barrier between, two threads "
    "that met in s[f] would meet in s[f + c], and race.",
    "L16": "If s is sorted, s[e] <= v < s[e + 1] holds for one e at most.",
    "L17": "Barriers between any two iterations separate accesses that no two threads make in one iteration "
    "to the same element.",
    "L40": "Of the lanes of a warp that voted for p, no two have the same number of such lanes before them.",
    "L41": "If no barrier lies between any two accesses of an array, the thread that reads an element is "
    "the one that stored it, or the primal would race.",
}


@dataclass(frozen=True)
class Row:
    """One step: two accesses as the author wrote them, or all of an array at once if `two` is empty.

    `line` and `other` are their lines. `meets`: two threads may reach one element there. `by` are lemmas
    and assumptions.
    """

    array: Sym
    one: str
    line: int
    two: str
    other: int
    meets: bool
    because: str
    by: tuple[str, ...] = ()


Reads = Sequence[tuple[Stmt, Place]]
_Named = Mapping[Poly, tuple[str, int]]


def of_global(access: Access, array: Sym, reads: Reads) -> Iterator[Row]:
    """Yield the proof that no two threads add to one element of an array; or how two may."""
    found = [(s, p, r) for s, p in reads for r in access.references(s, p)]
    references = [Reference(r.index, (*r.facts, *access.sizes)) for _, _, r in found]
    named = _named(access, found)
    question = access.threads
    if apart(references, question) is None:
        yield from _written(array, references, named, question)
        return
    meeting = apart_by_sign(references, question)
    texts, line = _texts(named)
    if meeting is None:
        yield Row(array, texts, line, "", 0, False, "for either sign of each divisor", ("L10",))
        return
    mirror = access.mirrored([(s, r) for s, _, r in found])
    if mirror is not None:
        why = f"two threads that met would also store to the same {text_of(mirror)}, and race"
        yield Row(array, texts, line, "", 0, False, why, ("the primal has no race",))
        return
    one, two = meeting
    why = accumulation_reasons.shared([(text_of(p), r) for _, p, r in found], one, two, access.coordinates)
    yield _row(array, one, two, named, True, why)


def of_stores(access: Access, array: Sym, stores: Sequence[tuple[Assign, Place]]) -> Iterator[Row]:
    """Yield the proof that no two threads store to one element of an array, or the assumption."""
    found = [(s, p, r) for s, p in stores for r in access.references(s, p)]
    named = _named(access, found)
    texts, line = _texts(named)
    references = list(dict.fromkeys(r for _, _, r in found))
    if not references:
        return
    if apart(references, access.threads) is None:
        yield from _written(array, references, named, access.threads)
    elif access.assumptions.distinct(array):
        by = f"injective:{array.variable}"
        yield Row(array, texts, line, "", 0, False, "no two threads store the same element", (by,))
    elif access.one_each(array):
        why = "two threads that stored to one element would race"
        yield Row(array, texts, line, "", 0, False, why, ("the primal has no race",))
    else:
        yield Row(array, texts, line, "", 0, True, "only the launch excludes it")


def of_shared(sharing: Sharing, array: Sym, reads: Reads) -> Iterator[Row]:
    """Yield why no two threads of a block add to one element of a shared array at once; or how two may."""
    if sharing.private(array):
        texts = accumulation_reasons.some(list(dict.fromkeys(text_of(p) for _, p in reads)))
        yield Row(
            array, texts, _line(reads[0][1]), "", 0, False, "no barrier lies between accesses", ("L41",)
        )
        return
    sites = [Site(stmt, place, "read") for stmt, place in reads]
    count = 0
    for k, one in enumerate(sites):
        for two in sites[k:]:
            count += 1
            if count > PAIRS:
                continue
            names = text_of(one.place), _line(one.place), text_of(two.place), _line(two.place)
            fixed = sharing.phases.together(one.stmt, two.stmt)
            if fixed is None:
                yield Row(array, *names, False, "a barrier lies between them")
                continue
            why = sharing.meet(one, two)
            if why is not None:
                yield Row(array, *names, True, f"{why}, unless barriers separate them")
                continue
            question = sharing.question(fixed)
            steps = [
                _evidence(a, b, question)
                for a in sharing.access.references(one.stmt, one.place)
                for b in sharing.access.references(two.stmt, two.place)
            ]
            yield Row(array, *names, False, *_because(steps))
    yield from _more(array, count)


def _more(array: Sym, count: int) -> Iterator[Row]:
    if count > PAIRS:
        yield Row(array, f"{count - PAIRS} more pairs", 0, "", 0, False, "as above")


def _named(access: Access, found: Iterable[tuple[Stmt, Place, Reference]]) -> dict[Poly, tuple[str, int]]:
    """Map each index to the element that has it, as the author wrote it, and its line."""
    named: dict[Poly, tuple[str, int]] = {}
    for _, place, reference in found:
        for case in alternatives(Reference(reference.index, reference.facts), access.threads.atoms):
            named.setdefault(case.index, (text_of(place), _line(place)))
        named.setdefault(reference.index, (text_of(place), _line(place)))
    return named


def _line(place: Place) -> int:
    return place.span.line if place.span is not None else 0


def _texts(named: _Named) -> tuple[str, int]:
    texts = dict.fromkeys(text for text, _ in named.values())
    return accumulation_reasons.some(list(texts)), min((line for _, line in named.values()), default=0)


def _written(array: Sym, references: Sequence[Reference], named: _Named, question: Question) -> Iterator[Row]:
    """Yield the steps of a proof that succeeds: one for all, or one for each pair."""
    refs = merged(a for r in references for a in alternatives(r, question.atoms))
    ways = []
    for way in ways_of(refs, question):
        if (evidence := alike(refs, way, question)) is not None:
            texts, line = _texts({r.index: named[r.index] for r in refs if r.index in named})
            shared = set(refs[0].facts).intersection(*(r.facts for r in refs))
            facts = tuple(f for f in refs[0].facts if f in shared)
            steps = [(evidence, _lemmas(evidence, facts, facts, question))]
            yield Row(array, texts, line, "", 0, False, *_because(steps))
            return
        ways.append(way)
    count = 0
    for s, r in combinations_with_replacement(range(len(refs)), 2):
        count += 1
        if count > PAIRS:
            continue
        evidence = pair(refs[s], refs[r], [(way[s], way[r]) for way in ways], question)
        assert evidence is not None
        steps = [(evidence, _lemmas(evidence, refs[s].facts, refs[r].facts, question))]
        yield _row(array, refs[s], refs[r], named, False, *_because(steps))
    yield from _more(array, count)


def _row(
    array: Sym,
    one: Reference,
    two: Reference,
    named: _Named,
    meets: bool,
    because: str,
    by: tuple[str, ...] = (),
) -> Row:
    first, second = (named.get(r.index, (f"{array.name}[{r.index}]", 0)) for r in (one, two))
    return Row(array, *first, *second, meets, because, by)


_Step = tuple[Evidence, tuple[str, ...]]


def _evidence(one: Reference, two: Reference, question: Question) -> _Step | None:
    """Return what keeps two accesses apart by their indices; None if something else does."""
    step = None
    for s in alternatives(one, question.atoms):
        for r in alternatives(two, question.atoms):
            refs = tuple(dict.fromkeys((s, r)))
            at = {ref: i for i, ref in enumerate(refs)}
            ways = list(ways_of(refs, question))
            found = pair(s, r, [(way[at[s]], way[at[r]]) for way in ways], question)
            if found is None:
                return None
            step = found, _lemmas(found, s.facts, r.facts, question)
    return step


def _because(steps: Iterable[_Step | None]) -> tuple[str, tuple[str, ...]]:
    """Return a sentence on each different step, and the lemmas that they use."""
    texts: dict[str, None] = {}
    by: dict[str, None] = {}
    for step in steps:
        if step is None:
            texts["both threads would also store to one element, and race"] = None
            by["L13"] = None
        else:
            texts[_sentence(step[0], "the guard around it" in step[1])] = None
            by |= dict.fromkeys(step[1])
    return "; ".join(texts), tuple(by)


def _sentence(evidence: Evidence, guarded: bool) -> str:
    digits = [str(d) for d in evidence.digits]
    match evidence.why:
        case "constant":
            return f"{digits[0]} isn't {digits[1]}"
        case "equal" | "finer":
            digits = [str(d) for d in evidence.digits if d.atoms]
            if not digits:
                return "only one thread gets there"
            verb = "determines" if len(digits) == 1 else "determine"
            return f"{'with the guard, ' * guarded}{listed(digits)} {verb} the thread"
        case "never":
            return f"{digits[0]} of one thread is never {digits[1]} of another"


def _lemmas(
    evidence: Evidence, facts: Sequence[Poly], others: Sequence[Poly], question: Question
) -> tuple[str, ...]:
    """Return the lemmas and assumptions that a step can't do without."""
    several = ("L6",) if len(evidence.digits) > 1 else ()
    if evidence.why in ("constant", "never"):
        return several
    known = derived(evidence.digits, tuple(facts), tuple(others), question)
    for why in dict.fromkeys(reversed(list(known.values()))):
        less = {p: w for p, w in known.items() if w != why}
        if spans(less, question):
            known = less
    plain = all(form in known or -form in known for form in question.required or ())
    used = dict.fromkeys(why for why in known.values() if why and why != "guard")
    guard = ("the guard around it",) if "guard" in known.values() else ()
    return tuple(dict.fromkeys((*several, *used, *guard, *(() if plain else ("L8",)))))
