"""Elements that are final when they are read: no record, the array still has them.

    for (k = 2; k < n; ++k)
        y[k] = a * y[k - 1] + b * y[k - 2] + x[k];

Every store after the read of y[k - 1] goes to y[k] or beyond. To see it, a store's
index less a read's is a linear form in the counters of their loops. The store comes
later if, for one loop that holds both, its counter is further on while those of the
loops around it are equal; or in the same iteration of all. In each of these cases
the difference must have one sign, with every counter that is left replaced by the
bound of its range that is worst. Indices don't wrap: the header says so.
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
    is_integer,
    scalar_type,
    walk,
)
from ...irtext import show
from ..constants import exact
from ..ssa import Loop, Scope, Version, Versions, loads, scalars
from .counted_loops import Counter, counted

Side = Literal["store", "read", "both"]


@dataclass(frozen=True)
class Term:
    """A number that an index is made of, in the store's iteration, the read's, or the same in both."""

    of: Version | str
    side: Side


Form = dict[Term | None, int]
"""Coefficients; that of None is the constant."""


class Final:
    """Asks whether stores that come after a read leave the element alone."""

    def __init__(self, versions: Versions) -> None:
        self.v = versions
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
                if version.made is not None and mine != "both":
                    made, kept = version.made
                    return self.form(kept, made, side, equal)
                return {Term(version, mine): 1}
        return self.opaque(expr, stmt, side, equal)

    def opaque(self, expr: Expr, stmt: Stmt, side: Side, equal: list[Loop]) -> Form:
        """What isn't linear: a number of its own, if it is the same in both iterations."""
        read = [self.v.reads[stmt].get(sym) for sym in scalars(expr)]
        if any(v is None or self.side(v, side, equal) != "both" for v in read):
            raise _Unknown
        if any(True for _ in loads(expr)) or not all(isinstance(e, _PLAIN) for e in walk(expr)):
            raise _Unknown
        which = ",".join(str(id(v)) for v in read)
        return {Term(f"{show(expr)}:{which}", "both"): 1}

    def side(self, version: Version, side: Side, equal: list[Loop]) -> Side:
        """Whose value it is; "both" if it is made outside the loops that moved on."""
        inside = [loop for loop in version.scope.loops() if loop not in equal]
        return side if inside else "both"

    # ---- signs ---------------------------------------------------------------

    def positive(self, form: Form, shared: list[Loop], at: int) -> bool:
        """Whether a form is at least one, with each counter at its worst."""
        equal = shared[:at]
        further = shared[at] if at < len(shared) else None
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
        return set(form) <= {None} and form.get(None, 0) >= 1

    def moved(self, form: Form, loop: Loop, theirs: Term) -> Form:
        """The store's counter as the read's and at least one step."""
        count = self.counter(loop)
        if count is None or not isinstance(theirs.of, Version) or theirs.of.sym is not count.sym:
            raise _Unknown
        mine = Term(theirs.of, "read")
        rest = dict(form)
        by = rest.pop(theirs)
        step = count.step.value if isinstance(count.step, Const) else 1
        least = int(step) if count.ascending else -int(step)
        if by * least < 0:
            raise _Unknown  # further on is smaller: not this sign
        return _plus(rest, {mine: by, None: by * least})

    def bounded(self, form: Form, term: Term, equal: list[Loop]) -> Form:
        """The form with a counter replaced by the end of its range that makes it least."""
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
"""Counters that are eliminated from one difference."""


def _depth(term: Term) -> tuple[int, bool]:
    """Inner counters first, and of one loop's the store's: the read's stand for it then."""
    return (term.of.scope.depth if isinstance(term.of, Version) else 0, term.side == "store")


class _Unknown(Exception):
    """An index of which nothing is known."""


_PLAIN = (Const, Place, Special, Binary, Cast)


def _holds(kind: Scalar, arg: Expr) -> bool:
    """Whether a conversion leaves an integer what it is, as long as no index wraps."""
    return kind.size >= INT.size or scalar_type(arg) == kind


def _plus(a: Form, b: Form) -> Form:
    out = dict(a)
    for term, by in b.items():
        out[term] = out.get(term, 0) + by
    return {t: c for t, c in out.items() if c}


def _scaled(form: Form, by: int) -> Form:
    return {t: c * by for t, c in form.items() if c * by}
