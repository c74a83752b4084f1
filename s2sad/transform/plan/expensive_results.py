"""Record results of expensive calls that a loop's reversed iterations would compute a second time.

    for (int l = 0; l < LAYERS; ++l) {                for (int l = 0; l < LAYERS; ++l) {
        gate = sigmoid(w[l] * x);                         tape_x[l] = x;
        x = gate * tanh(x);                               gate = sigmoid(w[l] * x);
    }                                                     tape_gate[l] = gate;
                                              ->          x = gate * tanh(x);
                                                      }
                                                      for (int l = LAYERS - 1; l >= 0; --l) {
                                                          x = tape_x[l];
                                                          gate = tape_gate[l];

A loop that carries a value runs forward before it is reversed. A result that the next iteration needs
is made there, and the reversed iteration would make it once more to evaluate partials. Where that takes an
exponential or a sine, the number is kept, like one named by `--store`, as long as everything recorded of
the loop is small.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from ...analysis.activity import is_real
from ...analysis.loops.counted_loops import constant
from ...analysis.ssa import Loop, Version, Versions, operands
from ...ir import Assign, Call, Declare, For, Function, scalar_type, walk
from .facts import Amend, Facts, computed_twice
from .preaccumulation import made_versions, recorded_bytes, saves
from .pullbacks import Debts

IN_CACHE = 128
"""The limit in bytes for what a loop records over all iterations in registers and local memory."""


def with_expensive_results(
    facts: Facts,
    examine: Callable[[Function, Amend | None], Facts],
    asked: Container[str],
    expensive: Callable[[Call], bool],
) -> Facts:
    """Examine a function, with expensive results recorded where that pays off.

    `asked`: variables for which the user has chosen a way. `expensive`: calls that cost many times as much
    as a load.
    """
    found: list[Version] = []
    left: dict[Loop, int] = {}
    for loop, version, trips in _twice(facts, expensive):
        if version.sym.name in asked:
            continue
        used = trips * recorded_bytes(facts, loop)
        size = trips * scalar_type(version.sym).size
        if size <= left.setdefault(loop, IN_CACHE - used):
            left[loop] -= size
            found.append(version)
    if not found:
        return facts
    results = tuple((version.stmt, version.sym) for version in found)

    def amend(debts: Debts, versions: Versions) -> list[Version]:
        made = [versions.makes[stmt][sym] for stmt, sym in results if stmt is not None]
        return [*made_versions(facts, debts, versions), *made]

    again = examine(facts.function, amend)
    again.carried, again.partials = facts.carried, facts.partials
    again.expensive = frozenset(sym for _, sym in results)
    return again if saves(facts, again) else facts


def _twice(facts: Facts, expensive: Callable[[Call], bool]) -> Iterator[tuple[Loop, Version, int]]:
    """Yield results of expensive calls that run forward in a loop and again in its reversed iterations."""
    versions, recorded = facts.versions, facts.recorded
    for loop, stmt in computed_twice(versions, recorded):
        if not isinstance(loop, For) or loop in recorded.advances or not isinstance(stmt, Declare | Assign):
            continue
        count = facts.bounds.of(loop)
        trips = None if count is None else constant(count)
        calls = [e for expr in operands(stmt) for e in walk(expr) if isinstance(e, Call)]
        if trips is None or not any(map(expensive, calls)):
            continue
        for version in versions.makes.get(stmt, {}).values():
            if is_real(version.sym.type) and version not in recorded.stored:
                yield loop, version, trips
