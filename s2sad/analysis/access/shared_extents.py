"""Find how many elements of a shared array are in use, if only the launch knows its extent.

    extern __shared__ float part[];
    part[threadIdx.x] = v;                  blockDim.x elements

An element that is read has been stored, so the stores suffice: each index is bounded from
above by uniform values of the launch. A guard bounds it (`b < bins`), or each coordinate and
counter in it is replaced by its own bound. The result is an extent that the kernel's text
proves, not the launch's; the adjoint's memory has the same length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from ...diagnostics import Code, Rejected, diagnose
from ...ir import BOOL, INT, Assign, Binary, Cast, Const, Expr, Place, Pointer, Scalar, Select, Special, Sym
from ...irtext import show
from ..symbolic.inequalities import Facts, holds
from ..symbolic.polynomials import ONE, Atom, Atoms, Division, Poly, linear, number, variable
from .accumulation_reasons import text_of
from .delinearisation import alternatives
from .global_access import Access

T = TypeVar("T")

STEPS = 12  # coordinates and counters that are replaced by their bounds


def extent(access: Access, array: Sym) -> Expr:
    """Return an expression over sizes and parameters that exceeds every stored index. Raises Rejected."""
    atoms = access.facts_.atoms
    names = {s.name: s for s in access.kernel.syms if isinstance(s.type, Scalar)}
    found: dict[tuple[Poly, ...], None] = {}
    for stmt, place in access.facts_.order:
        if place.sym is not array or not isinstance(stmt, Assign) or stmt.target != place:
            continue
        for whole in access.references(stmt, place):
            for reference in alternatives(whole, atoms):
                tops = _tops(reference.index, reference.facts, atoms, names)
                if not tops:
                    raise Rejected(
                        diagnose(
                            Code.UNKNOWN_EXTENT,
                            place.span or stmt.span,
                            name=array.name,
                            index=_index_of(place),
                        )
                    )
                found[tuple(top + ONE for top in tops)] = None
    counts = _without(list(found), lambda a, b: all(any(holds(y - x, (), atoms) for x in a) for y in b))
    if len(counts) > 1:  # one that serves for all is simpler than the maximum
        common = [p for p in counts[0] if all(any(holds(p - q, (), atoms) for q in tops) for tops in counts)]
        counts = [(p,) for p in common[:1]] or counts
    least = [_chosen("<", [_expression(c, names) for c in tops]) for tops in counts]
    return _chosen(">", least) if least else Const(0, INT)


def refuse_before(access: Access, array: Sym) -> None:
    """Raise Rejected if an element may be stored before the first; one that is read has been stored."""
    for stmt, place in access.facts_.order:
        if place.sym is not array or not isinstance(stmt, Assign) or stmt.target != place:
            continue
        for whole in access.references(stmt, place):
            for reference in alternatives(whole, access.facts_.atoms):
                if not holds(reference.index, reference.facts, access.facts_.atoms):
                    why = f"could not prove that `{text_of(place)}` is not before the beginning of the array"
                    span = place.span or stmt.span
                    raise Rejected(diagnose(Code.DYNAMIC_SHARED, span, name=array.name, why=why))


def _index_of(place: Place) -> str:
    """Return the index as the author wrote it, from any pointer."""
    text = text_of(place)
    first, last = text.find("["), text.rfind("]")
    return text[first + 1 : last] if 0 <= first < last else ", ".join(map(show, place.index))


def _without(items: list[T], lower: Callable[[T, T], bool]) -> list[T]:
    """Drop items that are no higher than another that remains."""
    kept: list[T] = []
    for k, item in enumerate(items):
        if not any(lower(item, other) for other in (*kept, *items[k + 1 :])):
            kept.append(item)
    return kept


def _chosen(op: str, values: Sequence[Expr]) -> Expr:
    """Return the least or the largest."""
    best = values[0]
    for value in values[1:]:
        best = Select(Binary(op, best, value, BOOL), best, value, INT)
    return best


def _tops(index: Poly, facts: Facts, atoms: Atoms, names: Mapping[str, Sym]) -> list[Poly]:
    """Return uniform upper bounds of an index: from a guard, and from the launch's own bounds."""
    if _plain(index, names):
        return [index]
    tops = dict.fromkeys(top for fact in facts if _plain(top := fact + index, names))
    launch = _at_bounds(index, facts, atoms, names)
    if launch is not None:
        tops[launch] = None
    found = list(tops)[:2]
    return _without(found, lambda a, b: holds(a - b, (), atoms))


def _at_bounds(index: Poly, facts: Facts, atoms: Atoms, names: Mapping[str, Sym]) -> Poly | None:
    todo, seen = [index], {index}
    for _ in range(STEPS):
        if not todo:
            break
        current = todo.pop(0)
        form = linear(current, lambda a: not a.uniform)
        if form is None:
            continue
        for atom, factor in reversed(form[0].items()):
            for bound in _bounds(atom, factor, facts, atoms):
                further = current + (bound - variable(atom)) * factor
                if _plain(further, names):
                    return further
                if further not in seen:
                    seen.add(further)
                    todo.append(further)
            break
    return None


def _bounds(atom: Atom, factor: Poly, facts: Sequence[Poly], atoms: Atoms) -> Iterator[Poly]:
    """Yield upper bounds of an atom if its factor isn't negative, lower bounds if it isn't positive."""
    up = holds(factor, facts, atoms)
    if not up and not holds(-factor, facts, atoms):
        return
    for fact in (*atoms.bounds.get(atom, ()), *facts):
        if fact.coefficient(atom) == number(-1 if up else 1):
            rest = fact + variable(atom) if up else variable(atom) - fact
            if atom not in rest.atoms:
                yield rest
    if not up and atom.low is not None:
        yield number(atom.low)


def _plain(p: Poly, names: Mapping[str, Sym]) -> bool:
    """Whether the host can compute the value before the launch."""
    return all(a.uniform and _nameable(a, names) for a in p.atoms)


def _nameable(atom: Atom, names: Mapping[str, Sym]) -> bool:
    match atom.origin:
        case None:
            return atom.name in names or atom.name.startswith(("blockDim.", "gridDim."))
        case Division(_, dividend, divisor):
            return _plain(dividend, names) and _plain(divisor, names)
        case _:
            return False


def _expression(p: Poly, names: Mapping[str, Sym]) -> Expr:
    """Return a polynomial as a C expression, with its positive terms first."""
    total: Expr | None = None
    for monomial, c in sorted(p.terms, key=lambda t: (t[1] < 0, -len(t[0]))):
        factors = [_atom(a, names) for a in monomial]
        if abs(c) != 1 or not factors:
            factors.insert(0, Const(abs(c), INT))
        product = factors[0]
        for more in factors[1:]:
            product = Binary("*", product, more, INT)
        if total is None:
            total = product if c > 0 else Binary("-", Const(0, INT), product, INT)
        else:
            total = Binary("+" if c > 0 else "-", total, product, INT)
    return Const(0, INT) if total is None else total


def _atom(atom: Atom, names: Mapping[str, Sym]) -> Expr:
    match atom.origin:
        case Division(op, dividend, divisor):
            return Binary(op, _expression(dividend, names), _expression(divisor, names), INT)
        case _:
            pass
    name, dot, axis = atom.name.partition(".")
    if dot:
        return Cast(Special(name, axis), INT, implicit=True)  # type: ignore[arg-type]
    sym = names[name]
    assert not isinstance(sym.type, Pointer)
    place = Place(sym, (), sym.type)
    return place if sym.type == INT else Cast(place, INT, implicit=True)
