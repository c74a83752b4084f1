"""The plan: each decision of the analyses, with its reason and both costs."""

from __future__ import annotations

from collections.abc import Container, Iterable

from ...analysis.plan import Accumulation, Plan
from ...fields import layout_of
from ...ir import Array, Assign, Body, Declare, Place, Struct, Sym, statements
from ..normalise.tree_sums import is_sum
from ..plan.accumulation_policy import evens
from ..plan.accumulation_verdicts import Verdicts
from ..plan.check_launch import extent_of, in_words, may_be_absent
from ..plan.facts import Facts
from ..states import Kernel
from .recoveries import Recoveries
from .rewritten_rows import rewritten


class Everything:
    """All symbols, including those without a name: for a plan before statements are built."""

    def __contains__(self, sym: object) -> bool:
        return True


def plan_of(about: Kernel, verdicts: Verdicts, seen: Container[Sym]) -> Plan:
    """Return all decisions on a kernel, in the order in which its values are computed.

    `seen` are the symbols of the emitted kernels: values that optimisation removed have no row.
    """
    facts, ownership, trees, prefix = about.facts, about.ownership, about.sums, about.prefix
    lengths = {strip.loop: strip.length for levels in about.strips.values() for strip in levels}
    planner = Recoveries(facts, about.builder, seen, lengths)
    decisions = [*rewritten(facts), *planner.decisions()]
    ways = facts.known.ways
    rows = ["blockDim.x is a multiple of 32"] if whole_warps(about) else []
    rows += ["blockDim.x is a power of two"] if trees.halved else []
    rows += ["blockDim.y and blockDim.z are 1"] if trees.rows else []
    rows += [in_words(guard) for guard in evens(ownership, ways)]
    rows += [f"{name} is 1" for name in sorted(map(extent_of, ownership.alone))]
    assumed = dict.fromkeys((*ownership.access.assumed(), *verdicts.stores_once()))
    assumptions = [*assumed, *rows, "arrays don't overlap", "no index overflows"]
    assumptions += [f"{a.kind}:{a.what}" for a in ownership.assumed]
    assumptions += [
        f"what is written to {name} as one type isn't read as another"
        for name in _several(facts.function.body)
    ]
    missing = may_be_absent(facts.function.body)
    with_adjoints = [a.of.name for a in about.builder.adjoints.values() if a.of is not None]
    assumptions += [
        f"{prefix}{name} is nullptr if {name} is" for name in dict.fromkeys(with_adjoints) if name in missing
    ]
    if any(map(_of_view, (a.of for a in about.builder.adjoints.values() if a.of is not None))):
        assumptions.append("the adjoint of a tensor has its strides")
    if planner.decided_again():
        assumptions.append("floating-point conditions are re-evaluated (near ties may branch differently)")
    return Plan(
        tuple(decisions),
        (*verdicts.accumulations(prefix), *_summed(facts, prefix), *_cancelled(facts, prefix)),
        tuple(assumptions),
        tuple(facts.debts.kinks),
    )


def _of_view(sym: Sym) -> bool:
    """Whether a symbol is the elements of a tensor's accessor."""
    whole = sym.within.type if sym.within is not None and sym.path == ("data_",) else None
    return isinstance(whole, Struct) and layout_of(whole).rank > 0


def whole_warps(about: Kernel) -> bool:
    """Whether the rows of a block are assumed to be whole warps: the adjoint checks it when it starts."""
    ways = about.facts.known.ways
    return about.sums.whole_warps or about.ownership.whole_warps or (ways is not None and ways.warps.aligned)


def _several(body: Body) -> Iterable[str]:
    """Yield the shared memory that is read and written as several types."""
    syms = (s.sym for s in statements(body) if isinstance(s, Declare) and s.sym.storage == "shared")
    whole = (s.within for s in syms)
    return dict.fromkeys(w.name for w in whole if w is not None and isinstance(w.type, Array))


def _summed(facts: Facts, prefix: str) -> list[Accumulation]:
    """Return rows for block sums: the adjoint of each thread's value is the sum of all threads' adjoints."""
    why = "each thread's value enters the block sum once"
    found: list[Accumulation] = []
    for stmt in facts.versions.order:
        match stmt:
            case Declare(sym, value) | Assign(Place(sym), value) if is_sum(value) and stmt in facts.debts.of:
                lines = (stmt.span.line,) if stmt.span else ()
                found.append(Accumulation(f"{prefix}{sym.name}", "total", why, lines))
            case _:
                pass
    return found


def _cancelled(facts: Facts, prefix: str) -> list[Accumulation]:
    """Return rows for values whose adjoints are omitted because they are zero."""
    values = [(v.sym.name, v.line) for v in facts.versions.all_versions() if v in facts.shifts]
    for stmt in facts.versions.order:
        match stmt:
            case Assign(Place(sym), span=span) if sym in facts.shifts:  # a scalar in shared memory
                values.append((sym.name, span.line if span else 0))
            case _:
                pass
    return [
        Accumulation(f"{prefix}{name}", "none", f"{name} cancels: no result depends on it", (line,))
        for name, line in values
    ]
