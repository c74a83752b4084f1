"""What flows through a chain: derivatives forwards and backwards, and the values that going back needs.

Facts hold at a place of the chain in every iteration of the loops around it. Nothing ends them
but a swap: a launch may leave elements of the arrays that it writes unchanged. So they only grow
along the chain, which is what makes the adjoints of arrays that a launch doesn't mention right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .linking import Call, Exchange, Linked, Loop, Node, changed, every

Names = frozenset[str]
Visit = Callable[[Call, Names], Names]


@dataclass(frozen=True)
class Pattern:
    """The parameters of a launch that are dependents, and those that are independents."""

    of: tuple[str, ...]
    wrt: tuple[str, ...]


def forwards(nodes: Sequence[Node], at: Names, visit: Visit) -> Names:
    """Carry facts forwards; in a loop until nothing is added."""
    for node in nodes:
        match node:
            case Call():
                at = visit(node, at)
            case Exchange():
                at = exchanged(at, node)
            case Loop():
                while (more := at | forwards(node.body, at, visit)) != at:
                    at = more
    return at


def backwards(
    nodes: Sequence[Node],
    at: Names,
    visit: Visit,
    enter: Callable[[Node, Names], None] = lambda node, at: None,
) -> Names:
    """Carry facts backwards; `enter` is told what holds before each node."""
    for node in reversed(nodes):
        match node:
            case Call():
                at = visit(node, at)
            case Exchange():
                at = exchanged(at, node)
            case Loop():
                while (more := at | backwards(node.body, at, visit, enter)) != at:
                    at = more
        enter(node, at)
    return at


def exchanged(names: Names, swap: Exchange) -> Names:
    """Return the same facts by the names on the other side of a swap."""
    other = {swap.first: swap.second, swap.second: swap.first}
    return frozenset(other.get(name, name) for name in names)


def patterns(chain: Linked) -> dict[Call, Pattern]:
    """Return what to differentiate each launch by; a launch without an entry carries no derivative."""
    before: dict[Call, Names] = {}
    after: dict[Call, Names] = {}
    useful: dict[Call, Names] = {}

    def vary(call: Call, at: Names) -> Names:
        before[call] = before.get(call, frozenset()) | at
        read = call.arrays(call.reads, floating=True) | frozenset(call.numbers().values())
        left = at | call.arrays(call.writes, floating=True) if read & at else at
        after[call] = after.get(call, frozenset()) | left
        return left

    def use(call: Call, at: Names) -> Names:
        useful[call] = useful.get(call, frozenset()) | at
        if not call.arrays(call.writes, floating=True) & at:
            return at
        return at | call.arrays(call.reads, floating=True) | frozenset(call.numbers().values())

    forwards(chain.nodes, frozenset(chain.wrt), vary)
    backwards(chain.nodes, frozenset(chain.of), use)
    found: dict[Call, Pattern] = {}
    for call in chain.calls:
        both = after[call] & useful[call]
        reals = [a.name for a in call.kernel.arguments if call.is_real(a.name)]
        of = tuple(p for p in reals if p in call.writes and call.array(p) in both)
        numbers = call.numbers()
        wrt = tuple(
            p
            for p in reals
            if (p in call.reads or p in of or p in numbers)
            and (call.array(p) or numbers.get(p)) in before[call]
        )
        if of and wrt:
            found[call] = Pattern(of, wrt)
    return found


# ---- values that are needed to go back -------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What is kept, and what is run again.

    kept     by loop: the arrays of one checkpoint
    saved    by node of a sequence: the arrays that are copied before it runs and put back to reverse it
    again    by loop: the launches that run to get from a checkpoint to a later step
    within   by loop: the launches that run to get the states within one step that is reversed
    """

    kept: Mapping[Loop, tuple[str, ...]]
    saved: Mapping[Node, tuple[str, ...]]
    again: Mapping[Loop, frozenset[Call]]
    within: Mapping[Loop, frozenset[Call]]
    reversed: frozenset[Loop]  # those that contain a launch with an adjoint
    carried: frozenset[str]  # the arrays that have adjoints


@dataclass(frozen=True)
class _Needs:
    """The arrays that are needed before each node of a loop's body, so that all its steps can be reversed."""

    entry: Mapping[Node, Names]
    again: frozenset[Call]


def plan(chain: Linked, needs: Mapping[Call, Names], carries: Mapping[Call, Names]) -> Plan:
    """Decide what is kept.

    `needs` has the arrays whose values before a launch its adjoint needs, `carries` those that have
    adjoints there.
    """
    reversed_ = frozenset(
        loop for loop in chain.loops if any(isinstance(n, Call) and n in needs for n in every(loop.body))
    )
    of_loop = {loop: _needs(loop, needs) for loop in reversed_}
    kept = {loop: _ordered(chain, _kept(loop, of_loop[loop])) for loop in reversed_}
    within = {loop: _within(loop.body, needs, of_loop[loop].entry) for loop in reversed_}
    bodies = [(chain.nodes, frozenset(chain.calls)), *((loop.body, within[loop]) for loop in reversed_)]
    saved: dict[Node, tuple[str, ...]] = {}
    for nodes, run in bodies:
        needed = {node: _needed(node, needs, of_loop) for node in nodes}
        for node, names in _saves(nodes, needed, run):
            saved[node] = _ordered(chain, names)
    again = {loop: of_loop[loop].again for loop in reversed_}
    return Plan(kept, saved, again, within, reversed_, _carried(chain, carries))


def _carried(chain: Linked, carries: Mapping[Call, Names]) -> Names:
    """Return the arrays that have adjoints: those of launches, and all that are swapped with them."""
    found = {name for name in (*chain.of, *chain.wrt) if name in chain.arrays}
    found = found.union(*carries.values())
    swaps = [node for node in every(chain.nodes) if isinstance(node, Exchange)]
    while more := {n for s in swaps for n in (s.first, s.second) if {s.first, s.second} & found} - found:
        found |= more
    return frozenset(found)


def _kept(loop: Loop, needs: _Needs) -> Names:
    """Return the arrays of a checkpoint: needed to go on from it, and changed in a step."""
    return (needs.entry[loop.body[0]] & changed(loop.body)) - loop.scratch


def _ordered(chain: Linked, names: Names) -> tuple[str, ...]:
    return tuple(name for name in chain.arrays if name in names)


def _needs(loop: Loop, needs: Mapping[Call, Names]) -> _Needs:
    """Return what a loop needs; what comes after it has run already and needs nothing of it."""
    again: set[Call] = set()
    entry: dict[Node, Names] = {}

    def visit(call: Call, at: Names) -> Names:
        if call.arrays(call.writes) & at:
            again.add(call)
            at = at | call.arrays(call.reads)
        return at | needs.get(call, frozenset())

    def enter(node: Node, at: Names) -> None:
        entry[node] = entry.get(node, frozenset()) | at

    backwards([loop], frozenset(), visit, enter)
    return _Needs(entry, frozenset(again))


def _needed(node: Node, needs: Mapping[Call, Names], of_loop: Mapping[Loop, _Needs]) -> Names:
    """Return the arrays whose values before a node must be there to reverse it, beside its checkpoints."""
    if isinstance(node, Call):
        return needs.get(node, frozenset())
    if isinstance(node, Loop) and node in of_loop:
        return of_loop[node].entry[node.body[0]] - changed(node.body)
    return frozenset()


def _within(
    body: Sequence[Node], needs: Mapping[Call, Names], entry: Mapping[Node, Names]
) -> frozenset[Call]:
    """Return the launches of a body that must run so that each is reversed from the state before it."""
    found: set[Call] = set()
    at: Names = frozenset()
    for node in reversed(body):
        match node:
            case Exchange():
                at = exchanged(at, node)
            case Call():
                if node.arrays(node.writes) & at:
                    found.add(node)
                    at = at | node.arrays(node.reads)
                at = at | needs.get(node, frozenset())
            case Loop():
                found |= {call for call in every(node.body) if isinstance(call, Call)}
                at = at | entry[node]
    return frozenset(found)


def _saves(
    nodes: Sequence[Node], needed: Mapping[Node, Names], run: frozenset[Call]
) -> Iterator[tuple[Node, Names]]:
    """Yield what must be copied before each node: needed to reverse it, and overwritten from then on.

    A launch that runs overwrites what it writes; so may the adjoint of a later one, also if that one
    isn't run again. Swaps are followed: what counts is the storage that a name has at a place. A
    loop with swaps may leave a name with any storage of theirs.
    """
    place: dict[str, frozenset[str]] = {}

    def at(names: Names) -> frozenset[str]:
        return frozenset[str]().union(*(place.get(name, frozenset({name})) for name in names))

    wanted: list[dict[str, frozenset[str]]] = []
    stores: list[frozenset[str]] = []
    for node in nodes:
        wanted.append({name: at(frozenset({name})) for name in needed[node]})
        stores.append(at(changed([node])) if not isinstance(node, Exchange) else frozenset())
        if isinstance(node, Exchange):
            first, second = at(frozenset({node.first})), at(frozenset({node.second}))
            place[node.first], place[node.second] = second, first
        elif isinstance(node, Loop):
            for swap in every(node.body):
                if isinstance(swap, Exchange):
                    place |= {swap.first: stores[-1], swap.second: stores[-1]}
    for number, node in enumerate(nodes):
        idle = isinstance(node, Call) and node not in run
        later = frozenset[str]().union(*stores[number + idle :])
        names = frozenset(name for name, where in wanted[number].items() if where & later)
        if names:
            yield node, names
