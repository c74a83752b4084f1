"""When two threads can't meet in one element: lemmas over integers.

A thread is what the kernel can tell of it: the values of the forms (linear
combinations of its coordinates) that the kernel evaluates anywhere. Two threads
that agree on all of them execute the same statements on the same elements, so in
a launch without races neither of them stores anything, and all that they owe is
zero. It is enough, then, that an element's index determines these forms.

An index determines forms through its digits (L6): x[3 * (ray * samples + k) + 1]
has the digits ray, k, 1 to the bases 3 * samples, 3, 1, because 0 <= k < samples
and 0 <= 1 < 3. A `Question` says which atoms are the same for both sides of a
comparison (`fixed`), which have to be found (`key`), and what is `required`; so
one page serves two threads and two iterations of one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

from ...ir import Sym
from ..constants import WARP
from ..symbolic.inequalities import Facts, below, holds, known_of, strongest
from ..symbolic.polynomials import (
    ONE,
    ZERO,
    Atom,
    Atoms,
    Choice,
    Division,
    Known,
    Load,
    Poly,
    Rank,
    cofactor,
    divide,
    linear,
    number,
    poly,
    variable,
)
from .access_relations import Reference

ALTERNATIVES = 8  # ways in which the choices of one index may fall
INDICES = 96  # different indices of one array; beyond it nothing is proved
ROUNDS = 4  # consequences of consequences


Digits = tuple[Poly, ...] | None


@dataclass(frozen=True)
class Question:
    """May two executions, different in what is `required`, touch one element?"""

    atoms: Atoms
    key: Callable[[Atom], bool]
    fixed: Callable[[Atom], bool]
    required: tuple[Poly, ...] | None  # None: they aren't known to differ at all
    injective: frozenset[Sym] = frozenset()  # arrays in which no value occurs twice
    ordered: frozenset[Sym] = frozenset()  # arrays in which no value is below the one before it
    # digits of indices, by index, facts and bases
    written: dict[tuple[Poly, Known, tuple[Poly, ...]], Digits] = field(
        default_factory=dict, compare=False, repr=False
    )

    # bases in chains, by the strides that they are made of
    chained: dict[tuple[tuple[Poly, ...], tuple[Poly, ...]], tuple[Poly, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )

    # forms that two sets of facts pin
    zero: dict[tuple[Known, Known], list[Poly]] = field(default_factory=dict, compare=False, repr=False)
    met: dict[tuple[Known, Known], list[Poly]] = field(default_factory=dict, compare=False, repr=False)

    def free(self, atom: Atom) -> bool:
        return not self.key(atom) and not self.fixed(atom)

    def settled(self, p: Poly) -> bool:
        """Whether the value depends on nothing but the keys."""
        return not any(self.free(a) for a in p.atoms)


# ---- indices and their digits -----------------------------------------------


def alternatives(reference: Reference, atoms: Atoms) -> tuple[Reference, ...]:
    """The index once for each way its choices may fall, with what is known then.

    L29. A case whose fact f >= 0 can't hold where -f - 1 >= 0 follows isn't one: behind a guard
    i < n, min(i, n - 1) is i.
    """
    done: list[Reference] = []
    todo = [reference]
    while todo:
        ref = todo.pop()
        choice = next((a for a in sorted(ref.index.atoms) if isinstance(a.origin, Choice)), None)
        if choice is None or len(done) + len(todo) >= ALTERNATIVES:
            done.append(ref)
            continue
        assert isinstance(choice.origin, Choice)
        possible: list[Reference] = []
        for value, facts in choice.origin.cases:
            put = {choice: value}
            before = tuple(f.with_values(put) for f in ref.facts)
            more = tuple(f.with_values(put) for f in facts)
            case = Reference(ref.index.with_values(put), (*before, *more))
            if not any(holds(-f - ONE, before, atoms) for f in more):
                possible.append(case)
        todo += reversed(possible or [case])
    return tuple(done)


def decided(reference: Reference, atoms: Atoms) -> Reference:
    """The index without its choices, where what is known leaves each of them one case."""
    found = alternatives(reference, atoms)
    return found[0] if len(found) == 1 else reference


def merged(references: Iterable[Reference]) -> tuple[Reference, ...]:
    """One reference for each index, with the facts that hold at every one of them."""
    facts: dict[Poly, dict[Poly, None]] = {}
    for ref in references:
        known = facts.setdefault(ref.index, dict.fromkeys(ref.facts))
        for fact in set(known).difference(ref.facts):
            del known[fact]
    return tuple(Reference(index, tuple(known)) for index, known in facts.items())


def chains(indices: Sequence[Poly], question: Question) -> tuple[tuple[Poly, ...], ...]:
    """Bases to which the indices may be written, each dividing the next; the coarsest first."""
    near: list[Poly] = []
    far: list[Poly] = []
    inner: list[Poly] = []
    fixed: list[Poly] = []
    for index in indices:
        form = linear(index, lambda a: not question.fixed(a))
        if form is None:
            continue
        for atom, factor in form[0].items():
            stride = -factor if factor.terms[-1][1] < 0 else factor
            # Of bx * blockDim.x + tx, the stride of the coordinate is that of tx.
            partner = atom.name.startswith("blockIdx") and any(
                a.name == "threadIdx" + atom.name[8:] for a in form[0]
            )
            into = inner if not question.key(atom) else far if partner else near
            into.append(stride)
        # x[plane * width * height + ...]: the plane is a digit, though a fixed one.
        fixed += [Poly(((m, 1),)) for m, _ in form[1].terms if m]
    attempts = [
        (ONE,),
        _chain(near, inner, question),
        _chain(near, (), question),
        _chain(near, (*inner, *fixed), question),
        _chain((*near, *far), inner, question),
    ]
    # Of plane * pixels + index with index in strides of the grid: neither stride divides the other.
    attempts += [_chain((base,), (), question) for base in dict.fromkeys((*near, *inner))]
    return tuple(dict.fromkeys(attempts))


def _chain(first: Iterable[Poly], second: Iterable[Poly], question: Question) -> tuple[Poly, ...]:
    """As many of the bases as divide one another, starting from 1. Indices of one array have few strides."""
    strides = tuple(dict.fromkeys(first)), tuple(dict.fromkeys(second))
    if strides not in question.chained:
        question.chained[strides] = _dividing(*strides)
    return question.chained[strides]


def _dividing(first: Iterable[Poly], second: Iterable[Poly]) -> tuple[Poly, ...]:
    chain: list[Poly] = [ONE]
    for base in dict.fromkeys((*first, *second)):
        if base not in chain and all(divide(base, c) or divide(c, base) for c in chain):
            chain.append(base)
    return tuple(sorted(chain, key=lambda b: sum(divide(b, c) is not None for c in chain)))


def digits(ref: Reference, bases: tuple[Poly, ...], question: Question) -> tuple[Poly, ...] | None:
    """The index as a sum of bases times digits, lowest first; None if a digit may leave its range.

    L5. 0 <= r, r' < b and b * d + r == b * d' + r' imply d == d' and r == r'.
    L6. With 1 = b_0 | b_1 | ... | b_k and 0 <= d_i < b_{i+1} / b_i below the top, the sum of
    b_i * d_i determines every d_i (by L5 from the top down; the top digit is any integer).
    """
    key = ref.index, known_of(ref.facts, question.atoms), bases
    if key not in question.written:
        question.written[key] = _digits(ref, bases, question)
    return question.written[key]


def _digits(ref: Reference, bases: tuple[Poly, ...], question: Question) -> Digits:
    form = linear(ref.index, lambda a: not question.fixed(a))
    if form is None:
        return (ref.index,) if len(bases) == 1 else None
    factors, rest = form
    parts = [ZERO] * len(bases)
    for atom, factor in factors.items():
        for i in reversed(range(len(bases))):
            times = divide(factor, bases[i])
            if times is not None:
                parts[i] = parts[i] + times * variable(atom)
                break
    for i in reversed(range(len(bases))):
        times = _multiples(rest, bases[i])
        parts[i] = parts[i] + times
        rest = rest - times * bases[i]
    for i in range(len(bases) - 1):
        limit = divide(bases[i + 1], bases[i])
        assert limit is not None
        # Of width * row + (width - 1), the digit below width is width - 1, with one borrowed.
        for borrowed in (ZERO, ONE, -ONE):
            if below(parts[i] + borrowed * limit, limit, ref.facts, question.atoms):
                parts[i] = parts[i] + borrowed * limit
                parts[i + 1] = parts[i + 1] - borrowed
                break
        else:
            return None
    return tuple(parts)


def _multiples(p: Poly, base: Poly) -> Poly:
    """How often the base goes into the terms of `p`; what is left stays non-negative if it can."""
    if base == ONE:
        return p
    if len(base.terms) > 1:
        return divide(p, base) or ZERO
    ((monomial, by),) = base.terms
    times = {}
    for m, c in p.terms:
        rest = cofactor(m, monomial)
        if rest is not None:
            times[rest] = c // by
    return poly(times)


# ---- what equal indices imply ------------------------------------------------


def apart(references: Sequence[Reference], question: Question) -> tuple[Reference, Reference] | None:
    """Two references that may meet in one element, or None if no two do.

    Every pair counts, a reference with itself included.
    """
    refs = merged(a for r in references for a in alternatives(r, question.atoms))
    if not refs:
        return None
    ways: list[Way] = []
    for way in _ways(refs, question):
        if _alike(refs, way, question):
            return None
        ways.append(way)
    if len(refs) > INDICES:
        return refs[0], refs[-1]
    for s, r in combinations_with_replacement(range(len(refs)), 2):
        if not _pair(refs[s], refs[r], [(way[s], way[r]) for way in ways], question):
            return refs[s], refs[r]
    return None


def different(one: Reference, two: Reference, question: Question) -> bool:
    """Whether two executions, one at each reference, have different indices if they differ."""
    ones, twos = alternatives(one, question.atoms), alternatives(two, question.atoms)
    refs = tuple(dict.fromkeys((*ones, *twos)))
    ways = list(_ways(refs, question))
    at = {r: i for i, r in enumerate(refs)}
    return all(_pair(s, r, [(way[at[s]], way[at[r]]) for way in ways], question) for s in ones for r in twos)


Pair = tuple[Digits, Digits]
Way = tuple[Digits, ...]


def _ways(refs: Sequence[Reference], question: Question) -> Iterator[Way]:
    """The ways to write the indices in digits, all to the same bases; the first one often settles it."""
    form = linear(refs[0].index, lambda a: not question.fixed(a))
    rest = ZERO if form is None else form[1]
    for origin in dict.fromkeys((ZERO, rest)):
        for bases in chains([r.index for r in refs], question):
            yield tuple(digits(Reference(r.index - origin, r.facts), bases, question) for r in refs)


def _alike(refs: Sequence[Reference], way: Way, question: Question) -> bool:
    """Whether the digits that all references share determine what is required."""
    first = way[0]
    if first is None or any(w is None for w in way):
        return False
    common = [d for i, d in enumerate(first) if all(w is not None and w[i] == d for w in way)]
    shared = set(refs[0].facts).intersection(*(r.facts for r in refs))
    facts = tuple(f for f in refs[0].facts if f in shared)
    return determined(common, facts, facts, question)


def _pair(s: Reference, r: Reference, written: Iterable[Pair], question: Question) -> bool:
    """Whether two executions that differ in what is required have different indices.

    Both indices are written in digits, in several ways; one that settles it is enough.
    The cheapest questions come first: most pairs differ in a digit that is a number.
    """
    known = [list(zip(one, two, strict=True)) for one, two in written if one is not None and two is not None]
    for pairs in known:
        if any((d - e).constant for d, e in pairs if d != e and _all_fixed(d, question)):
            return True
    for pairs in known:
        if determined([d for d, e in pairs if d == e], s.facts, r.facts, question):
            return True
    for pairs in known:
        finer = [f for d, e in pairs for f in _finer(d, s.facts, e, r.facts, question)]
        if finer and determined(finer + [d for d, e in pairs if d == e], s.facts, r.facts, question):
            return True
    return any(_differ(d, s.facts, e, r.facts, question) for pairs in known for d, e in pairs if d != e)


def _finer(d: Poly, facts: Facts, e: Poly, others: Facts, question: Question) -> Iterable[Poly]:
    """The digits that two digits share, if they are equal: of lane + 32 * j and lane + 32 * k, the lane."""
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
    """Whether two digits, each of its own execution, are never equal."""
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
    known = [*equal, *_pinned(facts, others, question), *_met(facts, others, question)]
    for _ in range(ROUNDS):
        more = [p for p in _consequences(known, facts, others, question) if p not in known]
        if not more:
            break
        known += more
    forms = [f for f in (_form(p, question) for p in known if question.settled(p)) if f is not None]
    return all(_spanned(form, forms, question) for form in question.required)


def _form(p: Poly, question: Question) -> Poly | None:
    """The part of a settled value that depends on keys; None if it isn't linear in them."""
    if linear(p, question.key) is None:
        return None
    return p.only(lambda m: any(question.key(a) for a in m))


def pinned(facts: Facts, question: Question) -> list[Poly]:
    """Forms that are zero wherever these facts hold."""
    return _pinned(facts, facts, question)


def implied(fact: Poly, facts: Facts, question: Question) -> bool:
    return fact in facts or holds(fact, facts, question.atoms)


def _pinned(facts: Facts, others: Facts, question: Question) -> list[Poly]:
    """Values of keys that the guards fix: after `if (threadIdx.x == 0)`, threadIdx.x.

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
    """Values that guards fix, of which a counter is part: after `if (i == n)`, i = start + stride * times.

    Both executions have it, each with a number of times of its own.
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
    """Whether an atom is a function of the keys and of what is fixed."""
    origin = atom.origin
    if isinstance(origin, Division):
        return question.settled(origin.dividend) and question.settled(origin.divisor)
    return not question.free(atom)


def _consequences(known: Sequence[Poly], facts: Facts, others: Facts, question: Question) -> Iterable[Poly]:
    """What else agrees where `known` does."""
    origins = [atom.origin for p in known if (atom := _only_atom(p, question)) is not None]
    for origin in origins:
        match origin:
            case Load(array, index) if array in question.injective:
                yield index
            case Division("/", dividend, divisor):
                # L7. a == b * (a / b) + a % b.
                fixed = all(question.fixed(x) for x in divisor.atoms)
                if fixed and Division("%", dividend, divisor) in origins:
                    yield dividend
            case Rank(position, vote, block) if Division("/", position, number(WARP)) in origins:
                # L40. Where both voted for it, warp and rank are those of one thread of the block.
                here = all(
                    question.fixed(b) or any(_only_atom(p, question) == b for p in known) for b in block
                )
                voted = variable(vote) - ONE
                if here and voted in facts and voted in others:
                    yield position
            case _:
                pass
    for p in known:
        yield from _stretch(p, facts, others, question)
    for p in known:
        form = linear(p, lambda a: not question.fixed(a))
        if form is None or not form[0]:
            continue
        moving = p - form[1]
        for bases in chains([moving], question)[1:]:
            one = digits(Reference(moving, facts), bases, question)
            two = one and (one if facts == others else digits(Reference(moving, others), bases, question))
            if one and two:
                yield from (d for d in one if not _all_fixed(d, question))


def _stretch(p: Poly, facts: Facts, others: Facts, question: Question) -> Iterable[Poly]:
    """Which stretch of an ordered array of starts the value lies in, and where in it.

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
    """The atom that the value is, up to sign and fixed terms."""
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
    """The key with the simplest coefficient, a unit if there is one."""
    keys = [a for a in sorted(form.atoms) if question.key(a)]
    if not keys:
        return None
    atom = min(keys, key=lambda a: (form.coefficient(a).constant not in (1, -1), a))
    return atom, form.coefficient(atom)
