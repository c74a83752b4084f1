"""Execution dependences within one thread: is this store executed if that read is?

Answers are for the thread that executes both, in the same iteration of the loops
around both. A statement at several places gets no answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...ir import Stmt
from ..ssa import Loop
from ..symbolic.inequalities import Facts
from ..symbolic.polynomials import Atom, Poly, variable
from ..traversal import leaving
from .access_relations import Reference, Survey, Where
from .delinearisation import Question
from .injectivity import different, implied


def path(survey: Survey, stmt: Stmt) -> list[Where]:
    """Return the bodies around a statement, outermost first."""
    found: list[Where] = []
    where: Where | None = survey.where[stmt]
    while where is not None:
        found.append(where)
        where = where.up
    return found[::-1]


def aligned(survey: Survey, store: Stmt, read: Stmt) -> dict[Atom, Poly]:
    """Match iterations of loops around a store alone with those around a read alone, outermost first."""
    to, at = path(survey, store), path(survey, read)
    depth = _common(to, at)
    return {
        survey.iterations[theirs]: variable(survey.iterations[ours])
        for theirs, ours in zip(loops(to[depth:]), loops(at[depth:]), strict=False)
        if theirs is not ours
    }


def follows(
    survey: Survey,
    store: Stmt,
    read: Stmt,
    reference: Reference,
    question: Question,
    renamed: Mapping[Atom, Poly] = {},
) -> bool:
    """Whether a thread that executes the read executes the store too, before it or after it.

    In the same iteration of the loops around both; for other loops around the store, in the
    iteration that `renamed` gives, if it does.
    """
    if not survey.repeated.isdisjoint((store, read)):
        return False
    if store is read:
        return True
    to, at = path(survey, store), path(survey, read)
    depth = _common(to, at)
    if depth < min(len(to), len(at)):
        if to[depth].body is not at[depth].body:
            return False
        between = to[depth].body[at[depth].position : to[depth].position]
        if any(leaving(s, survey.leaving) for s in between):
            return False
        depth += 1
    for where in to[depth:]:
        needs = where.needs
        if where.loop is not None and survey.iterations[where.loop] in renamed:
            needs = survey.rounds.get(where.loop)
        if needs is None or not all(
            implied(f.with_values(renamed), reference.facts, question) for f in needs
        ):
            return False
        if any(leaving(s, survey.leaving) for s in where.body[: where.position]):
            return False
    return True


def within(survey: Survey, stmt: Stmt, loop: Loop) -> Facts | None:
    """Return conditions that imply that a loop's iteration executes a statement once; None if unknown."""
    if stmt in survey.repeated:
        return None
    needs: list[Poly] = []
    for where in reversed(path(survey, stmt)):
        if any(leaving(s, survey.leaving) for s in where.body[: where.position]):
            return None
        if where.loop is loop:
            return tuple(needs)
        if where.needs is None:
            return None
        needs += where.needs
    return None


def _common(one: list[Where], two: list[Where]) -> int:
    """Return how many of the bodies around two statements contain both in the same statement."""
    depth = 0
    while depth < min(len(one), len(two)):
        if one[depth].body is not two[depth].body or one[depth].position != two[depth].position:
            break
        depth += 1
    return depth


def once(survey: Survey, stmt: Stmt, one: Reference, other: Stmt, two: Reference) -> bool:
    """Whether a thread never accesses one element at both places, nor twice at the same place."""
    if not survey.repeated.isdisjoint((stmt, other)):
        return False
    here, there = path(survey, stmt), path(survey, other)
    depth = _common(here, there)
    required: tuple[Poly, ...] | None = None
    if stmt is other:
        required = _iterations(survey, here)
        if not required:
            return True
    elif depth < min(len(here), len(there)) and here[depth].body is not there[depth].body:
        # Two bodies of one `if`: one execution of it runs only one of them.
        required = _iterations(survey, here[:depth])
    keys = frozenset(a for p in _iterations(survey, [*here, *there]) for a in p.atoms)
    return different(one, two, _question(survey, keys, required))


def _question(survey: Survey, keys: frozenset[Atom], required: tuple[Poly, ...] | None) -> Question:
    """Return whether one thread, in iterations that differ in `keys`, may access one element; cached."""
    asked = keys, required
    if asked not in survey.questions:
        survey.questions[asked] = Question(
            survey.atoms,
            lambda a: a in keys,
            lambda a: a not in keys and a.scope != "free",
            required,
        )
    question = survey.questions[asked]
    assert isinstance(question, Question)
    return question


def apart(survey: Survey, loop: Loop, stmt: Stmt, one: Reference, other: Stmt, two: Reference) -> bool:
    """Whether different iterations of a loop in a thread never access one element at these two places."""
    if not survey.repeated.isdisjoint((stmt, other)):
        return False
    inside: list[Where] = []
    for at in (stmt, other):
        around = path(survey, at)
        first = next((k for k, where in enumerate(around) if where.loop is loop), None)
        if first is None:
            return False
        inside += around[first:]
    keys = frozenset(a for p in _iterations(survey, inside) for a in p.atoms)
    return different(one, two, _question(survey, keys, (variable(survey.iterations[loop]),)))


def loops(where: list[Where]) -> tuple[Loop, ...]:
    return tuple(w.loop for w in where if w.loop is not None)


def _iterations(survey: Survey, where: list[Where]) -> tuple[Poly, ...]:
    return tuple(variable(survey.iterations[loop]) for loop in loops(where))
