"""What a variable holds after a loop that sets it in one place.

int best_k = -1;
for (int k = 0; k < K; ++k)
    if (…)
        best_k = k;             -1, or a k with 0 <= k < K
"""

from __future__ import annotations

from collections.abc import Mapping

from ...ir import Assign, For, Place, Stmt, Sym, statements
from ..ssa import Loop, targets
from ..symbolic.inequalities import Facts
from ..symbolic.machine_arithmetic import Value
from ..symbolic.polynomials import Atom, Poly, variable
from .access_relations import Survey

Cases = tuple[tuple[Poly, Facts], ...]
"""Values, each with what is known if it is chosen."""


def set_once(
    survey: Survey,
    assigned: Mapping[Stmt, tuple[Value, Facts]],
    loop: Loop,
    sym: Sym,
    before: Value,
    iteration: Atom,
) -> Cases | None:
    """Return what a variable may hold after a loop; None if unknown.

    L41. If one statement of the loop sets it, it has its value from before the loop, or the value that the
    statement set in some iteration, with what is known there. `assigned` are the values of assignments in the
    loop's last walk, and the facts there; `iteration` is the loop's first atom.
    """
    parts = (*loop.step, *loop.body) if isinstance(loop, For) else loop.body
    match [s for s in statements(parts) if any(place.sym is sym for place in targets(s))]:
        case [Assign(Place(target), op=None) as only] if target is sym and only not in survey.repeated:
            value, facts = assigned.get(only, (None, ()))
        case _:  # also where `frexp(v, &sym)` sets it
            return None
    if not isinstance(value, Poly) or not isinstance(before, Poly):
        return None

    def inside(p: Poly) -> list[Atom]:
        return [a for a in p.atoms if a >= iteration and a.scope == "free"]

    if not all(map(_counts_alone, inside(value))):
        return None
    known = [f for f in facts if all(map(_counts_alone, inside(f)))]
    inner = sorted({a for p in (value, *known) for a in inside(p)})
    put = {a: variable(survey.atoms.fresh("times", "free", 0, counts=True)) for a in inner}
    return (value.with_values(put), tuple(f.with_values(put) for f in known)), (before, ())


def _counts_alone(atom: Atom) -> bool:
    """Whether an atom counts iterations, and isn't made of others."""
    return atom.counts and atom.origin is None
