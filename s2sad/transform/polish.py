"""From what is right to what an author would write: the passes over built statements, in order."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_

from ..analysis.versions import outputs
from ..ir import Array, Assign, Body, Declare, Place, Stmt, rebuilt
from .alone import unguarded
from .called_once import called_once
from .clears import without_dead_clears
from .collected import collected
from .contributions import accounted, sited, stored
from .copies import departed, named_once, summed_in_one
from .distinct import distinct
from .divisors import with_reciprocals
from .early import early
from .firsts import with_firsts
from .heads import headed
from .hoist import hoist
from .reduce import reduced
from .roots import with_reciprocal_roots
from .sincos import with_sincos
from .tidy import tidy


def polished(
    body: Body, dimensions: int | None = None, turn: Callable[[Body], Body] = lambda body: body
) -> Body:
    """The same computation; each pass leaves to `tidy` what it made superfluous.

    `dimensions` of a block matter, in a kernel: only there its threads can add up together.
    `turn` turns sums round whose elements others own (see `turned`).
    """
    body = tidied(_declared_at_once(distinct(sited(body))))
    body = _after(body, hoisted(body))
    if (again := turn(body)) is not body:
        body = tidied(hoisted(again))
    if dimensions is not None:
        body = _after(body, accounted("unguarded", body, unguarded(body, dimensions)))
        body = _after(body, reduced(body, dimensions))
    shorter = (departed, named_once, called_once, summed_in_one)
    for rewritten in (with_reciprocal_roots, with_reciprocals, *shorter, early, with_sincos):
        body = _after(body, stored(rewritten.__name__, body, rewritten(body)))
    body = _after(body, without_dead_clears(body))
    body = accounted("collected", body, collected(body))
    return headed(accounted("with_firsts", body, with_firsts(body)))


def _after(before: Body, body: Body) -> Body:
    """What a pass made of a tidy body, tidy again; the same body where the pass changed nothing."""
    return before if len(before) == len(body) and all(map(is_, before, body)) else tidied(body)


def tidied(body: Body) -> Body:
    """The body without what the last pass made superfluous."""
    return stored("tidy", body, tuple(tidy(list(body))))


def hoisted(body: Body) -> Body:
    """The body with sums taken out of their loops."""
    return accounted("hoist", body, hoist(body))


def _declared_at_once(body: Body) -> Body:
    """`float s; s = e;` as `float s = e;`."""
    out: list[Stmt] = []
    for stmt in body:
        here = rebuilt(stmt, _declared_at_once)
        match out[-1] if out else None, here:
            case Declare(sym, None) as bare, Assign(Place(target, ()), value, None) if (
                sym is target
                and sym.storage == "local"
                and not isinstance(sym.type, Array)
                and not outputs(value)
                and sym not in value.symbols
            ):
                out[-1] = Declare(sym, value, bare.span)
            case _:
                out.append(here)
    return tuple(out)
