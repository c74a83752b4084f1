"""Prove that two threads never access one element: lemmas over integers.

A thread is identified by the values of the forms (linear combinations of its
coordinates) that the kernel evaluates anywhere. Two threads that agree on all
of them execute the same statements on the same elements, so in a launch without
races neither of them stores anything, and all their contributions are zero. So it
suffices that an element's index determines these forms.

An index determines forms through its digits (see `delinearisation`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Literal

from ..constants import WARP
from ..symbolic.inequalities import Facts, holds, known_of, strongest
from ..symbolic.polynomials import (
    ONE,
    ZERO,
    Atom,
    Division,
    Load,
    Poly,
    Rank,
    divide,
    linear,
    number,
    variable,
)
from .access_relations import Reference
from .delinearisation import Digits, Question, alternatives, chains, digits, merged, without_quotients

INDICES = 96  # different indices of one array; beyond it nothing is proved
ROUNDS = 4  # rounds of derived equalities

Why = Literal["constant", "equal", "finer", "never"]


@dataclass(frozen=True)
class Evidence:
    """Why two executions that differ have different indices.

    constant   a digit of one index is another constant than the other's
    equal      the digits that both indices share determine what is required
    finer      parts of their digits do
    never      a digit of one execution never has the value of the other's
    """

    why: Why
    digits: tuple[Poly, ...]


def apart(references: Sequence[Reference], question: Question) -> tuple[Reference, Reference] | None:
    """Return two references that may overlap in one element, or None if no two do.

    Every pair counts, including a reference with itself.
    """
    refs = merged(a for r in references for a in alternatives(r, question.atoms))
    if not refs:
        return None
    ways: list[Way] = []
    for way in ways_of(refs, question):
        if alike(refs, way, question) is not None:
            return None
        ways.append(way)
    if len(refs) > INDICES:
        return refs[0], refs[-1]
    for s, r in combinations_with_replacement(range(len(refs)), 2):
        if pair(refs[s], refs[r], [(way[s], way[r]) for way in ways], question) is None:
            return refs[s], refs[r]
    return None


def different(one: Reference, two: Reference, question: Question) -> bool:
    """Whether two executions, one at each reference, have different indices if they differ."""
    ones, twos = alternatives(one, question.atoms), alternatives(two, question.atoms)
    refs = tuple(dict.fromkeys((*ones, *twos)))
    ways = list(ways_of(refs, question))
    at = {r: i for i, r in enumerate(refs)}
    return all(
        pair(s, r, [(way[at[s]], way[at[r]]) for way in ways], question) is not None
        for s in ones
        for r in twos
    )


Pair = tuple[Digits, Digits]
Way = tuple[Digits, ...]


def ways_of(refs: Sequence[Reference], question: Question) -> Iterator[Way]:
    """Yield the ways to write the indices in digits, all to the same bases; the first is often enough.

    What the digits are of may be a multiple of the indices (`without_quotients`), the same for all.
    """
    refs = without_quotients(refs)
    form = linear(refs[0].index, lambda a: not question.fixed(a))
    rest = ZERO if form is None else form[1]
    for origin in dict.fromkeys((ZERO, rest)):
        for bases in chains([r.index for r in refs], question):
            yield tuple(digits(Reference(r.index - origin, r.facts), bases, question) for r in refs)


def alike(refs: Sequence[Reference], way: Way, question: Question) -> Evidence | None:
    """Return the digits that all references share, if they determine what is required."""
    first = way[0]
    if first is None or any(w is None for w in way):
        return None
    common = [d for i, d in enumerate(first) if all(w is not None and w[i] == d for w in way)]
    shared = set(refs[0].facts).intersection(*(r.facts for r in refs))
    facts = tuple(f for f in refs[0].facts if f in shared)
    return Evidence("equal", tuple(common)) if determined(common, facts, facts, question) else None


def pair(s: Reference, r: Reference, written: Iterable[Pair], question: Question) -> Evidence | None:
    """Return why two executions that differ in what is required have different indices, or None.

    Both indices are written in digits, in several ways; one that proves it is enough.
    The cheapest tests come first: most pairs differ in a constant digit.
    """
    known = [list(zip(one, two, strict=True)) for one, two in written if one is not None and two is not None]
    for pairs in known:
        for d, e in pairs:
            if d != e and _all_fixed(d, question) and (d - e).constant:
                return Evidence("constant", (d, e))
    for pairs in known:
        shared = [d for d, e in pairs if d == e]
        if determined(shared, s.facts, r.facts, question):
            return Evidence("equal", tuple(shared))
    for pairs in known:
        finer = [f for d, e in pairs for f in _finer(d, s.facts, e, r.facts, question)]
        both = finer + [d for d, e in pairs if d == e]
        if finer and determined(both, s.facts, r.facts, question):
            return Evidence("finer", tuple(both))
    for pairs in known:
        for d, e in pairs:
            if d != e and _differ(d, s.facts, e, r.facts, question):
                return Evidence("never", (d, e))
    return None


def _finer(d: Poly, facts: Facts, e: Poly, others: Facts, question: Question) -> Iterable[Poly]:
    """Yield the digits that two equal digits share: of lane + 32 * j and lane + 32 * k, the lane."""
    if d == e or _all_fixed(d, question) or _all_fixed(e, question):
        return
    for bases in chains([d, e], question)[1:]:
        one = digits(Reference(d, facts), bases, question)
        two = digits(Reference(e, others), bases, question)
        if one and two:
            yield from (p for p, q in zip(one, two, strict=True) if p == q and not _all_fixed(p, question))


def _all_fixed(p: Poly, question: Question) -> bool:
    return all(question.fixed(a) for a in p.atoms)


def _differ(d: Poly, facts: Facts, e: Poly, others: Facts, question: Question) -> bool:
    """Whether two digits, one of each execution, are never equal."""
    gap = d - _twin(e, question)
    theirs = (others[position] for position in strongest(others))
    known = (*facts, *(_twin(f, question) for f in theirs))
    return holds(gap - ONE, known, question.atoms) or holds(-gap - ONE, known, question.atoms)


def _twin(p: Poly, question: Question) -> Poly:
    return p.with_values({a: variable(question.atoms.twin(a)) for a in p.atoms if not question.fixed(a)})


def determined(equal: Sequence[Poly], facts: Facts, others: Facts, question: Question) -> bool:
    """Whether executions that agree on `equal` agree on all that is required."""
    if question.required is None:
        return False
    return spans(derived(equal, facts, others, question), question)


def derived(equal: Sequence[Poly], facts: Facts, others: Facts, question: Question) -> dict[Poly, str]:
    """Return the values on which executions agree that agree on `equal`, and what each follows from."""
    known = dict.fromkeys(equal, "")
    for p in (*_pinned(facts, others, question), *_met(facts, others, question)):
        known.setdefault(p, "guard")
    for _ in range(ROUNDS):
        more = {p: why for p, why in _consequences(list(known), facts, others, question) if p not in known}
        if not more:
            break
        known |= more
    return known


def spans(known: Iterable[Poly], question: Question) -> bool:
    """Whether executions that agree on known values agree on all that is required."""
    forms = [f for f in (_form(p, question) for p in known if question.settled(p)) if f is not None]
    return all(_spanned(form, forms, question) for form in question.required or ())


def _form(p: Poly, question: Question) -> Poly | None:
    """Return the part of a settled value that depends on keys; None if it isn't linear in them."""
    if linear(p, question.key) is None:
        return None
    return p.only(lambda m: any(question.key(a) for a in m))


def pinned(facts: Facts, question: Question) -> list[Poly]:
    """Return forms that are zero wherever these facts hold."""
    return _pinned(facts, facts, question)


def implied(fact: Poly, facts: Facts, question: Question) -> bool:
    return fact in facts or holds(fact, facts, question.atoms)


def _pinned(facts: Facts, others: Facts, question: Question) -> list[Poly]:
    """Return values of keys that guards fix: after `if (threadIdx.x == 0)`, threadIdx.x.

    Quotients and remainders of keys too: after `if (threadIdx.x / 32 == 0)`, the warp's number.
    """
    key = known_of(facts, question.atoms), known_of(others, question.atoms)
    if key in question.zero:
        return question.zero[key]
    found = question.zero[key] = list[Poly]()
    shared = set(others)
    for fact in (facts[position] for position in strongest(facts)):  # others aren't zero if these are >= 0
        if (
            fact in shared
            and all(_made_of_keys(a, question) for a in fact.atoms)
            and not all(question.fixed(a) for a in fact.atoms)
        ):
            back = -fact
            if holds(back, facts, question.atoms) and holds(back, others, question.atoms):
                found.append(fact)
    return found


def _met(facts: Facts, others: Facts, question: Question) -> list[Poly]:
    """Return values with a counter that guards fix: after `if (i == n)`, i = start + stride * times.

    Both executions have the value, each with its own number of times.
    """
    key = known_of(facts, question.atoms), known_of(others, question.atoms)
    if key not in question.met:
        shared = set(others)
        question.met[key] = [
            fact
            for fact in facts
            if fact in shared
            and any(a.counts for a in fact.atoms)
            and all(a.counts or _made_of_keys(a, question) for a in fact.atoms)
            and implied(-fact, facts, question)
            and implied(-fact, others, question)
        ]
    return question.met[key]


def _made_of_keys(atom: Atom, question: Question) -> bool:
    """Whether an atom is a function of the keys and fixed atoms."""
    origin = atom.origin
    if isinstance(origin, Division):
        return question.settled(origin.dividend) and question.settled(origin.divisor)
    return not question.free(atom)


def _consequences(
    known: Sequence[Poly], facts: Facts, others: Facts, question: Question
) -> Iterator[tuple[Poly, str]]:
    """Yield values that agree where `known` values agree, and why."""
    origins = [atom.origin for p in known if (atom := _only_atom(p, question)) is not None]
    for origin in origins:
        match origin:
            case Load(array, index) if array in question.injective:
                yield index, f"injective:{array.name}"
            case Division("/", dividend, divisor):
                # L7. a == b * (a / b) + a % b.
                fixed = all(question.fixed(x) for x in divisor.atoms)
                if fixed and Division("%", dividend, divisor) in origins:
                    yield dividend, "L7"
            case Rank(position, vote, block) if Division("/", position, number(WARP)) in origins:
                # L40. If both voted for it, warp and rank determine one thread of the block.
                here = all(
                    question.fixed(b) or any(_only_atom(p, question) == b for p in known) for b in block
                )
                voted = variable(vote) - ONE
                if here and voted in facts and voted in others:
                    yield position, "L40"
            case _:
                pass
    for p in known:
        yield from ((value, "L16") for value in _stretch(p, facts, others, question))
    for p in known:
        form = linear(p, lambda a: not question.fixed(a))
        if form is None or not form[0]:
            continue
        moving = p - form[1]
        for bases in chains([moving], question)[1:]:
            one = digits(Reference(moving, facts), bases, question)
            two = one and (one if facts == others else digits(Reference(moving, others), bases, question))
            if one and two:
                yield from ((d, "L6") for d in one if not _all_fixed(d, question))


def _stretch(p: Poly, facts: Facts, others: Facts, question: Question) -> Iterable[Poly]:
    """Yield the segment of a sorted array of starts that contains the value, and the offset in it.

    L16. With s[e] <= s[e + 1] for all e, s[e] <= v < s[e + 1] and s[f] <= v < s[f + 1] imply e == f.
    """
    for atom in sorted(p.atoms):
        origin = atom.origin
        if not isinstance(origin, Load) or origin.array not in question.ordered:
            continue
        if p.coefficient(atom) != ONE or not holds(p - variable(atom), (), question.atoms):
            continue
        ends = (
            a
            for f in facts
            for a in f.atoms
            if isinstance(a.origin, Load) and a.origin == Load(origin.array, origin.index + ONE)
        )
        for end in ends:
            inside = variable(end) - ONE - p
            if implied(inside, facts, question) and implied(inside, others, question):
                yield origin.index
                yield p - variable(atom)
                return


def _only_atom(p: Poly, question: Question) -> Atom | None:
    """Return the atom that the value consists of, up to sign and fixed terms."""
    form = linear(p, lambda a: not question.fixed(a))
    if form is None or len(form[0]) != 1:
        return None
    ((atom, factor),) = form[0].items()
    return atom if factor.constant in (1, -1) else None


def _spanned(form: Poly, known: Sequence[Poly], question: Question) -> bool:
    """Whether a linear form is a combination of known ones with fixed coefficients.

    L8. If f = sum of c_i * g_i with c_i fixed, two executions that agree on every g_i agree on f.
    """
    rows: list[tuple[Atom, Poly, Poly]] = []
    for g in known:
        reduced = _reduced(g, rows)
        pivot = _pivot(reduced, question)
        if pivot is not None:
            rows.append((*pivot, reduced))
    return not _reduced(form, rows).terms


def _reduced(form: Poly, rows: Sequence[tuple[Atom, Poly, Poly]]) -> Poly:
    for atom, factor, row in rows:
        times = divide(form.coefficient(atom), factor)
        if times is not None:
            form = form - times * row
    return form


def _pivot(form: Poly, question: Question) -> tuple[Atom, Poly] | None:
    """Return the key with the simplest coefficient, a unit if there is one."""
    keys = [a for a in sorted(form.atoms) if question.key(a)]
    if not keys:
        return None
    atom = min(keys, key=lambda a: (form.coefficient(a).constant not in (1, -1), a))
    return atom, form.coefficient(atom)
