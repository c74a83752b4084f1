"""Elements that are final when they are read: they need no record, as the array still has them.

    for (k = 2; k < n; ++k)
        y[k] = a * y[k - 1] + b * y[k - 2] + x[k];

Every store after the read of y[k - 1] goes to y[k] or beyond. The proof writes a store's
index minus a read's as a linear form in the counters of their loops. The store comes
later if, for one loop that contains both, its counter is further on while those of the
loops around it are equal; or if both are in the same iteration of all these loops. In each
case the difference must have one sign, with every remaining counter replaced by its
worst-case bound. Indices don't wrap, as the header states.

A value of an integer array that the user says to refer to earlier elements (`--assume earlier:A`) is at most
its index minus one: y[parent[k]] is final once y[k] is computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...ir import (
    INT,
    Array,
    Binary,
    Cast,
    Const,
    Expr,
    For,
    Place,
    Pointer,
    Scalar,
    Special,
    Stmt,
    Sym,
    is_integer,
    scalar_type,
    walk,
)
from ...irtext import show
from ..constants import exact
from ..ssa import Loop, Scope, Version, Versions, loads, scalars, targets
from .counted_loops import Counter, counted

Side = Literal["store", "read", "both"]


@dataclass(frozen=True)
class Early:
    """A value of an array whose values are below their indices, with its index as a linear form."""

    array: Sym
    index: frozenset[tuple[Term | None, int]]


@dataclass(frozen=True)
class Term:
    """A term of an index, as of the store's iteration, the read's, or the same in both."""

    of: Version | Early | str
    side: Side


Form = dict[Term | None, int]
"""Coefficients; the key None is the constant."""


class Final:
    """Check whether stores that run after a read leave the element unchanged."""

    def __init__(self, versions: Versions, earlier: frozenset[str] = frozenset()) -> None:
        self.v = versions
        self._earlier = earlier
        self._stored = (
            {target.sym for stmt in versions.order for target in targets(stmt)} if earlier else set()
        )
        self.counters: dict[Loop, Counter | None] = {}

    def leaves(self, store: Stmt, target: Place, stmt: Stmt, place: Place, home: Scope) -> bool:
        """Whether `store`, wherever it runs after `stmt` read `place`, writes another element."""
        if isinstance(stmt, Loop) or len(target.index) != len(place.index):
            return False
        theirs = self.v.loops_between(home, self.v.scope_of[store])
        mine = self.v.loops_between(home, self.v.scope_of[stmt])
        shared = [a for a, b in zip(theirs, mine, strict=False) if a is b]
        same = len(shared) if self.v.order[store] >= self.v.order[stmt] else None
        return all(
            any(
                self.apart(target.index[d], place.index[d], store, stmt, shared, at)
                for d in range(len(place.index))
            )
            for at in (*range(len(shared)), *([] if same is None else [same]))
        )

    def apart(self, a: Expr, b: Expr, store: Stmt, stmt: Stmt, shared: list[Loop], at: int) -> bool:
        """Whether two indices differ when loop `at` of the shared ones is further on for the store."""
        equal = shared[:at]
        try:
            difference = _plus(
                self.form(a, store, "store", equal), _scaled(self.form(b, stmt, "read", equal), -1)
            )
            return self.positive(difference, shared, at) or self.positive(_scaled(difference, -1), shared, at)
        except _Unknown:
            return False

    # ---- linear forms --------------------------------------------------------

    def form(self, expr: Expr, stmt: Stmt, side: Side, equal: list[Loop]) -> Form:
        value = exact(expr)
        if value is not None:
            return {None: value}
        match expr:
            case Cast(arg, Scalar() as kind) if kind.is_integer and is_integer(arg) and _holds(kind, arg):
                return self.form(arg, stmt, side, equal)
            case Binary("+" | "-" as op, left, right):
                other = self.form(right, stmt, side, equal)
                return _plus(self.form(left, stmt, side, equal), other if op == "+" else _scaled(other, -1))
            case Binary("*", left, right):
                a, b = self.form(left, stmt, side, equal), self.form(right, stmt, side, equal)
                for factor, rest in ((a, b), (b, a)):
                    if set(factor) <= {None}:
                        return _scaled(rest, factor.get(None, 0))
            case Place(sym, ()) if not isinstance(sym.type, Array | Pointer):
                version = self.v.reads[stmt].get(sym)
                if version is None:
                    raise _Unknown
                mine = self.side(version, side, equal)
                if version.made is not None:
                    made, kept = version.made
                    if mine != "both" or any(self.early(e) for e in walk(kept)):
                        return self.form(kept, made, side, equal)
                return {Term(version, mine): 1}
            case Place(sym, (index,)) if self.early(expr):
                early = Early(sym, frozenset(self.form(index, stmt, side, equal).items()))
                return {Term(early, "both"): 1}
        return self.opaque(expr, stmt, side, equal)

    def early(self, expr: Expr) -> bool:
        """Whether it is a value of an array that nobody writes, and that is below its index."""
        match expr:
            case Place(Sym(type=Pointer()) as sym, (_,)):
                named = not self._earlier.isdisjoint((sym.name, sym.variable))
                return named and sym not in self._stored and is_integer(expr)
            case _:
                return False

    def opaque(self, expr: Expr, stmt: Stmt, side: Side, equal: list[Loop]) -> Form:
        """Return a term of its own for a nonlinear expression, if it is the same in both iterations."""
        read = [self.v.reads[stmt].get(sym) for sym in scalars(expr)]
        if any(v is None or self.side(v, side, equal) != "both" for v in read):
            raise _Unknown
        if any(True for _ in loads(expr)) or not all(isinstance(e, _PLAIN) for e in walk(expr)):
            raise _Unknown
        which = ",".join(str(id(v)) for v in read)
        return {Term(f"{show(expr)}:{which}", "both"): 1}

    def side(self, version: Version, side: Side, equal: list[Loop]) -> Side:
        """Return which side a version belongs to; "both" if no loop that has moved on contains it."""
        inside = [loop for loop in version.scope.loops() if loop not in equal]
        return side if inside else "both"

    # ---- signs ---------------------------------------------------------------

    def positive(self, form: Form, shared: list[Loop], at: int) -> bool:
        """Whether a form is at least one, with each counter at its worst."""
        equal = shared[:at]
        further = shared[at] if at < len(shared) else None
        least = _with_latest(form)
        if least is None:
            return False
        form = least
        for _ in range(LOOPS):
            free = [t for t in form if t is not None and t.side != "both"]
            if not free:
                break
            inner = max(free, key=_depth)
            at_it = isinstance(inner.of, Version) and inner.of.stmt is further and further is not None
            if at_it and inner.side == "store" and further is not None:
                form = self.moved(form, further, inner)
            else:
                form = self.bounded(form, inner, equal)
        return self.at_least_one(form, equal)

    def at_least_one(self, form: Form, equal: list[Loop]) -> bool:
        """The same for a form in counters that have the same value in both iterations."""
        try:
            for _ in range(LOOPS):
                same = [
                    t for t in form if t is not None and isinstance(t.of, Version) and t.of.kind == "head"
                ]
                if not same:
                    break
                form = self.bounded(form, max(same, key=_depth), equal)
        except _Unknown:
            return False
        return set(form) <= {None} and form.get(None, 0) >= 1

    def moved(self, form: Form, loop: Loop, theirs: Term) -> Form:
        """Replace the store's counter by the read's plus at least one step."""
        count = self.counter(loop)
        if count is None or not isinstance(theirs.of, Version) or theirs.of.sym is not count.sym:
            raise _Unknown
        mine = Term(theirs.of, "read")
        rest = dict(form)
        by = rest.pop(theirs)
        step = count.step.value if isinstance(count.step, Const) else 1
        least = int(step) if count.ascending else -int(step)
        if by * least < 0:
            raise _Unknown  # the wrong sign: the counter moves the form down
        return _plus(rest, {mine: by, None: by * least})

    def bounded(self, form: Form, term: Term, equal: list[Loop]) -> Form:
        """Replace a counter by the end of its range that makes the form least."""
        version = term.of
        if not isinstance(version, Version) or version.kind != "head":
            raise _Unknown
        loop = version.stmt
        assert isinstance(loop, Loop)
        count = self.counter(loop)
        if count is None or count.sym is not version.sym:
            raise _Unknown
        assert isinstance(loop, For)
        start = self.form(count.start, loop.init[0], term.side, equal)
        end = self.form(count.bound, loop, term.side, equal)
        if count.op in ("<", ">", "!="):
            end = _plus(end, {None: -1 if count.ascending else 1})
        low, high = (start, end) if count.ascending else (end, start)
        rest = dict(form)
        by = rest.pop(term)
        return _plus(rest, _scaled(low if by > 0 else high, by))

    def counter(self, loop: Loop) -> Counter | None:
        if loop not in self.counters:
            self.counters[loop] = counted(loop, self.v)
        return self.counters[loop]


LOOPS = 16
"""The maximum number of counters eliminated from one difference."""


def _depth(term: Term) -> tuple[int, bool]:
    """Sort key: inner counters first; for one loop the store's, which is then expressed by the read's."""
    return (term.of.scope.depth if isinstance(term.of, Version) else 0, term.side == "store")


class _Unknown(Exception):
    """Nothing is known of an index."""


_PLAIN = (Const, Place, Special, Binary, Cast)


def _holds(kind: Scalar, arg: Expr) -> bool:
    """Whether a conversion preserves an integer, as long as no index wraps."""
    return kind.size >= INT.size or scalar_type(arg) == kind


def _with_latest(form: Form) -> Form | None:
    """Replace each value that is below its index by the index minus one; None if that isn't its least."""
    for _ in range(LOOPS):
        term = next((t for t in form if t is not None and isinstance(t.of, Early)), None)
        if term is None or not isinstance(term.of, Early):
            return form
        rest = dict(form)
        by = rest.pop(term)
        if by > 0:
            return None  # nothing is known of how early it is
        form = _plus(rest, _scaled(_plus(dict(term.of.index), {None: -1}), by))
    return None


def _plus(a: Form, b: Form) -> Form:
    out = dict(a)
    for term, by in b.items():
        out[term] = out.get(term, 0) + by
    return {t: c for t, c in out.items() if c}


def _scaled(form: Form, by: int) -> Form:
    return {t: c * by for t, c in form.items() if c * by}
