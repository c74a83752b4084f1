"""Reasons why increments are plain or atomic, as worded in the plan and the file's header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...diagnostics import Code, Diagnostic, diagnose
from ...ir import Assign, Place, Sym
from ...irtext import show
from ..symbolic.polynomials import Atom, Choice, Division, Load, Poly
from .access_relations import Reference
from .delinearisation import Question
from .injectivity import different

Read = tuple[str, Reference]
"""An element as the author wrote it, and its reference."""


def owned(references: Sequence[Reference]) -> str:
    """Return why one thread alone reaches each of these elements."""
    free = [a for r in references for a in sorted(r.index.atoms) if a.scope == "free"]
    for atom in free:
        if isinstance(atom.origin, Load):
            name = atom.origin.array.name
            if any(a.counts for r in references for a in r.index.atoms):
                return f"one thread per element: ranges given by {name} don't overlap (assumed)"
            return f"one thread per element: values of {name} are distinct (assumed)"
    return "disjoint elements per thread" if free else "one thread per element"


def shared(reads: Sequence[Read], one: Reference, two: Reference, needed: frozenset[Atom]) -> str:
    """Return how two threads may reach one element: `one` and `two` couldn't be proved distinct.

    `needed` are the coordinates that identify a thread.
    """
    texts = list(dict.fromkeys(text for text, _ in reads))
    suspect = suspected(one.index) or suspected(two.index)
    if suspect is not None:
        counted = any(a.counts for a in one.index.atoms | two.index.atoms)
        name = suspect.name
        return f"ranges given by {name} may overlap" if counted else f"values of {name} may repeat"

    common = {text: ref for text, ref in reads if all(a.uniform or a.counts for a in ref.index.atoms)}
    if common:
        (first, *more) = common
        same = "the same " if not more and common[first].index.atoms else ""
        return f"every thread reads {same}{some(list(common))}"

    seen = {a for a in one.index.atoms if a.scope == "position"}
    missing = sorted(a.name for a in needed - seen)
    text = next((text for text, ref in reads if ref.index == one.index == two.index), None)
    if text is not None and seen and missing:
        if set(missing) == {a.name for a in needed if a.name.startswith("blockIdx")}:
            return f"every block reads the same {text}"
        axes = {name[-1] for name in missing}
        whole = {"y", "z"} == axes or {"blockIdx.z", "threadIdx.z"} == set(missing)
        if whole and axes.isdisjoint(a.name[-1] for a in seen):
            dimensions = "2-D" if any(a.name.endswith(".y") for a in seen) else "1-D"
            return f"unless the launch is {dimensions}, several threads read the same {text}"
        return f"threads that differ only in {listed(missing)} read the same {text}"

    gap = one.index - two.index
    if len(texts) > 1 and gap.terms and gap.is_uniform:
        return f"neighbouring threads share {some(texts)}"
    if len(texts) == 1:
        return f"could not prove that each thread uses a different {texts[0]}"
    return f"could not prove that threads use different elements: {some(texts)}"


def suspected(index: Poly) -> Sym | None:
    """Return an array whose elements the index depends on."""
    for atom in sorted(index.atoms):
        if isinstance(atom.origin, Load) and atom.scope == "free":
            return atom.origin.array
    return None


def shared_writer(array: Sym, unproved: Sequence[tuple[Assign, Place, Reference, Question]]) -> Diagnostic:
    """Report that stores aren't proved to be one thread's, and the assumption that would do.

    That is that no value occurs twice in the array that the first index depends on, if that proves all
    of them; or that an array of starts is sorted; else that no two threads store to one element.
    """
    store, place, reference, _ = unproved[0]
    suspect = suspected(reference.index)
    assumption = f"injective:{array.variable}"
    claim = "no two threads store the same element"
    if suspect is not None and suspect.within is not None:  # an option names no field
        suspect = None
    if suspect is not None and all(_settled(r, suspect, question) for _, _, r, question in unproved):
        assumption = f"injective:{suspect.name}"
    elif (starts := _starts(unproved)) is not None:
        assumption = f"sorted:{starts.name}"
        claim = f"no element of {starts.name} is less than the one before it"
    return diagnose(
        Code.SHARED_WRITER,
        place.span or store.span,
        place=text_of(place),
        array=array.name,
        claim=claim,
        assumption=assumption,
        same="; if several store the same value, let one thread do it" if _by_several(unproved) else "",
    )


def _starts(unproved: Sequence[tuple[Assign, Place, Reference, Question]]) -> Sym | None:
    """Return an array of segment starts which, if sorted, proves that no two threads overlap."""
    facts = [form for _, _, r, _ in unproved for form in (r.index, *r.facts)]
    found = [a.origin.array for form in facts for a in sorted(form.atoms) if isinstance(a.origin, Load)]
    for array in dict.fromkeys(found):
        if all(_settled(r, array, question, ordered=True) for _, _, r, question in unproved):
            return array
    return None


def _by_several(unproved: Sequence[tuple[Assign, Place, Reference, Question]]) -> bool:
    """Whether threads of a block that differ in coordinates missing from an index store to one element."""
    for _, _, reference, question in unproved:
        needed = {a for form in question.required or () for a in form.atoms if a.name.startswith("threadIdx")}
        if needed - _positions(reference.index):
            return True
    return False


def _positions(index: Poly) -> frozenset[Atom]:
    """Return the coordinates that an index depends on, through quotients, loads and choices."""
    found = frozenset[Atom]()
    for atom in index.atoms:
        match atom.origin:
            case Division(_, dividend, divisor):
                found |= _positions(dividend) | _positions(divisor)
            case Load(_, at):
                found |= _positions(at)
            case Choice(cases):
                found |= frozenset[Atom]().union(*(_positions(value) for value, _ in cases))
            case _:
                found |= {atom}
    return found


def _settled(reference: Reference, suspect: Sym, question: Question, *, ordered: bool = False) -> bool:
    if ordered:
        assumed = replace(question, ordered=question.ordered | {suspect}, written={}, zero={}, met={})
    else:
        assumed = replace(question, injective=question.injective | {suspect}, written={}, zero={}, met={})
    return different(reference, reference, assumed)


def listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def some(texts: Sequence[str]) -> str:
    """List the texts, four of them by name."""
    return listed(texts) if len(texts) <= 4 else f"{', '.join(texts[:4])} and others"


def text_of(place: Place) -> str:
    """Return the element as the author wrote it, on one line."""
    if place.span is not None and "\n" not in place.span.text:
        return place.span.text
    return show(place)
