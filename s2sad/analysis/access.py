"""Who touches which element of a global array: when `+=` on an adjoint is safe.

In the reverse sweep every read of the primal becomes an increment. `ownership` says
whether the increments of one array may be plain, by pairs of the sites that read it,
over all threads and all iterations. Stores need no proof against reads: two threads
at one element, one of them storing plainly, are a race of the primal, which is
assumed to have none. For the same reason a store at an index that is affine in the
thread's position is its thread's own; a store at any other index needs a proof or
an assumption, and is refused without.

What is proved holds for launches in which some thread stores something; where no
thread does, nothing is owed. It rests on this: an increment is executed by the
threads and in the iterations that executed the read, at the same index.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from ..diagnostics import Code, Diagnostic, diagnose
from ..ir import Assign, Function, Place, Pointer, Stmt, Sym, statements, walk
from ..irtext import show
from . import injective
from .affine import Atom, Division, Load, Poly, linear, variable
from .injective import Question
from .symbolic import Loop, Reference, Survey, Where, leaving
from .symbolic import survey as _survey


@dataclass(frozen=True)
class Site:
    """One operand or target of a statement: `place.sym` is the array."""

    stmt: Stmt
    place: Place
    kind: Literal["read", "store"]


@dataclass(frozen=True)
class Assumptions:
    """What the user knows and no analysis can.

    `injective`: integer arrays in which no value occurs twice, and arrays of whose
    elements no two threads plainly store the same. `dimensions`: the launch has no
    more than so many.
    """

    injective: frozenset[str] = frozenset()
    dimensions: int = 3

    @staticmethod
    def of(words: Iterable[str]) -> Assumptions:
        """From `injective:idx`, `launch:1d`; words of other kinds are for others to judge."""
        injective, dimensions = set[str](), 3
        for word in words:
            kind, _, what = word.partition(":")
            if kind == "injective":
                injective.add(what)
            elif kind == "launch" and what in ("1d", "2d"):
                dimensions = min(dimensions, int(what[0]))
        return Assumptions(frozenset(injective), dimensions)


@dataclass(frozen=True)
class Ownership:
    """How increments of one adjoint array are added, and the sentence that says why."""

    how: Literal["owner", "atomic"]
    reason: str


@dataclass(frozen=True)
class Row:
    """One line of `explain --facts`: an element as the author wrote it, and what it is."""

    line: int | None
    place: str
    index: str
    known: tuple[str, ...]


def survey(
    kernel: Function,
    assumptions: Assumptions = Assumptions(),
    functions: Mapping[str, Function] | None = None,
) -> Access:
    """The facts of a kernel. `functions` are the device functions that it may call."""
    one = frozenset("xyz"[assumptions.dimensions :])
    return Access(kernel, assumptions, _survey(kernel, functions, one))


@dataclass(frozen=True, eq=False)
class Access:
    kernel: Function
    assumptions: Assumptions
    facts_: Survey = field(repr=False)

    # ---- answers ------------------------------------------------------------

    def ownership(self, array: Sym, sites: Sequence[Site]) -> Ownership:
        """Whether the increments at the reading sites of an array may be plain `+=`."""
        reads = [s for s in sites if s.kind == "read" and s.place.sym is array]
        if not reads:
            return Ownership("owner", "one thread stores each element")
        references = [r for s in reads for r in self._references(s.stmt, s.place)]
        meeting = injective.apart(references, self._threads)
        if meeting is None:
            return Ownership("owner", self._owned(references))
        mirror = self._mirrored(reads)
        if mirror is not None:
            return Ownership("owner", f"one thread per element, the one that stores {mirror}")
        return Ownership("atomic", self._shared(reads, *meeting))

    def stored_once(self, array: Sym) -> bool:
        """Whether each element is stored at most once in the launch, and never read."""
        stores = self._stores(array)
        if self.store_problem(array) is not None or array in self._read:
            return False
        events = [(s, r) for s, p in stores for r in self._references(s, p)]
        for position, (stmt, reference) in enumerate(events):
            for other, another in events[position:]:
                if not self._different(stmt, reference, other, another):
                    return False
        return True

    def store_problem(self, array: Sym) -> Diagnostic | None:
        """Why two threads might store one element of the array, if nothing says they don't."""
        if array.name in self.assumptions.injective:
            return None
        for stmt, place in self._stores(array):
            for reference in self._references(stmt, place):
                if self._exclusive(reference) is not None:
                    continue
                suspect = _suspect(reference.index) or array
                return diagnose(
                    Code.SHARED_WRITER,
                    place.span or stmt.span,
                    place=_text(place),
                    array=array.name,
                    index=suspect.name,
                )
        return None

    @property
    def dimensions(self) -> int:
        """No more than so many dimensions of the launch matter: 1, 2 or 3.

        The kernel looks at no other coordinate, so threads that differ in others only
        do the same, and would race if they stored anything.
        """
        seen = {a.name[-1] for form in self._forms for a in form.atoms if a.scope == "position"}
        return 3 if "z" in seen else 2 if "y" in seen else 1

    def assumed(self) -> tuple[str, ...]:
        """What the absence of races and of wrapping says of the launch, in words for the header."""
        indices = [r.index for at in self.facts_.references.values() for rs in at.values() for r in rs]
        used = frozenset[Atom]().union(*(index.atoms for index in indices))
        found = [f"{p} >= 0" for p in self.facts_.sizes if p.atoms & used]
        if self._stores_anything and self.dimensions < 3:
            found.append(f"the launch is {self.dimensions}-D")
        for stmt, place in self._all_stores():
            for reference in self._references(stmt, place):
                if place.sym.name not in self.assumptions.injective and self._exclusive(reference) == "race":
                    found.append(f"no two threads store the same {_text(place)}")
        return tuple(dict.fromkeys(found))

    def facts(self) -> tuple[Row, ...]:
        """Every element that is touched: its index in normal form, and what holds there."""
        rows = []
        for stmt, place in self.facts_.order:
            for reference in dict.fromkeys(self.facts_.references[stmt][place]):
                span = place.span
                rows.append(
                    Row(
                        span.line if span else None,
                        _text(place),
                        str(reference.index),
                        tuple(f"{f} >= 0" for f in reference.facts),
                    )
                )
        return tuple(dict.fromkeys(rows))

    # ---- threads ------------------------------------------------------------

    @cached_property
    def _forms(self) -> tuple[Poly, ...]:
        """The combinations of coordinates that the kernel looks at: what a thread is."""
        forms: dict[Poly, None] = {}
        for p in self.facts_.heard:
            together: dict[tuple[Atom, ...], int] = {}
            for monomial, c in p.terms:
                keys = [a for a in monomial if a.scope == "position"]
                if len(keys) == 1 and all(a.uniform for a in monomial if a.scope != "position"):
                    together[monomial] = c
                else:
                    forms.update((variable(a), None) for a in keys)
            form = Poly(tuple(sorted(together.items(), key=lambda t: (len(t[0]), t[0]))))
            if form.terms and -form not in forms:
                forms[form] = None
        return tuple(forms)

    @cached_property
    def _threads(self) -> Question:
        """May two threads that the kernel tells apart touch one element?"""
        loads = frozenset(s for s in self.kernel.syms if s.name in self.assumptions.injective)
        return Question(
            self.facts_.atoms,
            lambda a: a.scope == "position",
            lambda a: a.scope == "uniform",
            self._forms,
            loads,
        )

    def _references(self, stmt: Stmt, place: Place) -> tuple[Reference, ...]:
        found = self.facts_.references.get(stmt, {}).get(place)
        if found is None:
            raise KeyError(f"{show(place)} is no element that this statement touches")
        return found

    # ---- stores -------------------------------------------------------------

    def _all_stores(self) -> list[tuple[Assign, Place]]:
        return [
            (s, s.target)
            for s in statements(self.kernel.body)
            if isinstance(s, Assign) and s.target.index and isinstance(s.target.sym.type, Pointer)
        ]

    def _stores(self, array: Sym) -> list[tuple[Assign, Place]]:
        return [(s, p) for s, p in self._all_stores() if p.sym is array]

    @cached_property
    def _stores_anything(self) -> bool:
        return bool(self._all_stores())

    @cached_property
    def _read(self) -> frozenset[Sym]:
        """The arrays of which some element is read."""
        read = set[Sym]()
        for stmt, place in self.facts_.order:
            stored = isinstance(stmt, Assign) and stmt.op is None and place == stmt.target
            if not stored or (isinstance(stmt, Assign) and place in walk(stmt.value)):
                read.add(place.sym)
        return frozenset(read)

    def _exclusive(self, reference: Reference) -> Literal["proved", "race"] | None:
        """Why no two threads store this element: a lemma, or because they would race.

        The latter is accepted of indices that are affine in the thread's position and
        in loop counters, and that mention each coordinate that the kernel looks at or
        stand behind a guard that fixes it.
        """
        if injective.apart([reference], self._threads) is None:
            return "proved"
        index = reference.index
        if linear(index, lambda a: a.scope != "uniform") is None:
            return None
        mentioned = set(index.atoms)
        for fact in injective.pinned(reference.facts, self._threads):
            mentioned |= fact.atoms
        divisions = [a.origin for a in mentioned if isinstance(a.origin, Division)]
        # a / b and a % b together mention a.
        both = [
            (d.dividend, d.divisor)
            for d in divisions
            if d.op == "/" and Division("%", d.dividend, d.divisor) in divisions
        ]
        for dividend, _ in both:
            mentioned |= dividend.atoms
        for atom in index.atoms:
            origin = atom.origin
            split = isinstance(origin, Division) and (origin.dividend, origin.divisor) in both
            if atom.scope == "free" and not atom.counts and not split:
                return None
        needed = {a for form in self._forms for a in form.atoms if a.scope == "position"}
        return "race" if needed <= mentioned else None

    # ---- events of one thread -----------------------------------------------

    def _different(self, stmt: Stmt, reference: Reference, other: Stmt, another: Reference) -> bool:
        """Whether one thread never stores one element at both places, or twice at the one."""
        if not self.facts_.repeated.isdisjoint((stmt, other)):
            return False
        here, there = self._path(stmt), self._path(other)
        common = 0
        while common < min(len(here), len(there)) and here[common].body is there[common].body:
            if here[common].position != there[common].position:
                break
            common += 1
        loops = [w.loop for w in here if w.loop is not None]
        required: tuple[Poly, ...] | None
        if stmt is other:
            required = self._iterations(loops)
        elif common < min(len(here), len(there)) and here[common].body is not there[common].body:
            # Two bodies of one `if`: in one execution of it only one of them runs.
            required = self._iterations([w.loop for w in here[:common] if w.loop is not None])
        else:
            required = None
        keys = {self.facts_.iterations[loop] for loop in loops}
        keys |= {self.facts_.iterations[w.loop] for w in there if w.loop is not None}
        question = Question(
            self.facts_.atoms,
            lambda a: a in keys,
            lambda a: a not in keys and a.scope != "free",
            required,
        )
        return injective.different(reference, another, question)

    def _iterations(self, loops: Iterable[Loop]) -> tuple[Poly, ...]:
        return tuple(variable(self.facts_.iterations[loop]) for loop in loops)

    def _path(self, stmt: Stmt) -> list[Where]:
        """The bodies around a statement, outermost first."""
        path: list[Where] = []
        where: Where | None = self.facts_.where[stmt]
        while where is not None:
            path.insert(0, where)
            where = where.up
        return path

    # ---- elements that a store makes its thread's own ------------------------

    def _mirrored(self, reads: Sequence[Site]) -> str | None:
        """The store at the same index that every thread executes that executes the reads.

        Two threads that meet in x[e] and store y[e] too would race on y[e].
        """
        wanted = [(s.stmt, r) for s in reads for r in self._references(s.stmt, s.place)]
        first = wanted[0][1].index
        for array in dict.fromkeys(p.sym for _, p in self._all_stores()):
            stores = [(s, p, r) for s, p in self._stores(array) for r in self._references(s, p)]
            if self.store_problem(array) is not None:
                continue
            for shift in dict.fromkeys(r.index - first for _, _, r in stores):
                if shift.is_uniform and all(
                    any(
                        r.index == ref.index + shift and self._follows(s, stmt, ref)
                        for s, _, r in stores
                    )
                    for stmt, ref in wanted
                ):
                    return _text(next(p for _, p, r in stores if r.index == first + shift))
        return None

    def _follows(self, store: Stmt, read: Stmt, reference: Reference) -> bool:
        """Whether a thread that executes the read executes the store, before or after,
        in the same iteration of the loops around both."""
        if not self.facts_.repeated.isdisjoint((store, read)):
            return False
        if store is read:
            return True
        to, at = self._path(store), self._path(read)
        depth = 0
        while depth < len(to) and depth < len(at):
            if to[depth].body is not at[depth].body:
                return False
            if to[depth].position != at[depth].position:
                between = to[depth].body[at[depth].position : to[depth].position]
                if any(leaving(s, self.facts_.leaving) for s in between):
                    return False
                depth += 1
                break
            depth += 1
        for where in to[depth:]:
            if where.needs is None or not all(
                injective.implied(f, reference.facts, self._threads) for f in where.needs
            ):
                return False
            if any(leaving(s, self.facts_.leaving) for s in where.body[: where.position]):
                return False
        return True

    # ---- reasons ------------------------------------------------------------

    def _owned(self, references: Sequence[Reference]) -> str:
        free = [a for r in references for a in sorted(r.index.atoms) if a.scope == "free"]
        for atom in free:
            if isinstance(atom.origin, Load):
                return f"one thread per element: {atom.origin.array.name} never repeats (assumed)"
        return "each thread has elements of its own" if free else "one thread per element"

    def _shared(self, reads: Sequence[Site], one: Reference, two: Reference) -> str:
        texts = list(dict.fromkeys(_text(s.place) for s in reads))
        suspect = _suspect(one.index) or _suspect(two.index)
        if suspect is not None:
            return f"{suspect.name} may repeat"
        for site in reads:
            for reference in self._references(site.stmt, site.place):
                text, atoms = _text(site.place), reference.index.atoms
                if all(a.uniform or a.counts for a in atoms):
                    if len(texts) > 1:
                        return f"every thread reads {_some(texts)}"
                    return f"every thread reads {'the same ' if atoms else ''}{text}"
                seen = {a for a in atoms if a.scope == "position"}
                needed = {a for form in self._forms for a in form.atoms if a.scope == "position"}
                missing = sorted({a.name for a in needed - seen})
                if seen and missing and reference.index == one.index == two.index:
                    if all(name.startswith("blockIdx") for name in missing):
                        return f"every block reads the same {text}"
                    return f"threads that differ in {_listed(missing)} only read the same {text}"
        gap = one.index - two.index
        if len(texts) > 1 and gap.terms and gap.is_uniform:
            return f"neighbouring threads share {_some(texts)}"
        return f"not proved that two threads never meet in {_some(texts)}"


def _suspect(index: Poly) -> Sym | None:
    """An array whose elements the index depends on."""
    for atom in sorted(index.atoms):
        if isinstance(atom.origin, Load) and atom.scope == "free":
            return atom.origin.array
    return None


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def _some(texts: Sequence[str]) -> str:
    """Four of them by name."""
    return _listed(texts) if len(texts) <= 4 else f"{', '.join(texts[:4])} and others"


def _text(place: Place) -> str:
    """The element as the author wrote it, on one line."""
    if place.span is not None and "\n" not in place.span.text:
        return place.span.text
    return show(place)


__all__ = ["Access", "Assumptions", "Ownership", "Row", "Site", "survey"]
