"""Keep values of a branch for its reversed branch, where a register costs less than computing them again.

    if (theta2 != 0.0) {                                double theta;
        const double theta = sqrt(theta2);              if (theta2 != 0.0) {
        y = x / theta;                           ->         theta = sqrt(theta2);
    }                                                       y = x / theta;
                                                        }
                                                        if (theta2 != 0.0)
                                                            adj_x += adj_y / theta;

The slice of the body around a branch runs it forward, and the reversed branch would make the same values
once more. Those with a division, a call or a loop in them stay in their variables instead, which are
declared in that body; what the branch leaves in a variable that the body has anyway stays there whatever it
costs. Both branches must then be taken or left together: a condition with floating-point arithmetic, which
a compiler may contract differently in two places, is evaluated once.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from ...analysis.activity import is_real
from ...analysis.ssa import Loop, Scope, Version, Versions, operands
from ...analysis.tbr.recorded import Recorded
from ...analysis.traversal import ends
from ...ir import Binary, Call, Expr, If, Stmt, Sym, scalar_type, walk

IN_REGISTERS = 64
"""The limit in bytes for what a branch keeps."""

WORTH = 4
"""The least cost of a value that is kept, in additions."""

DIVISION, CALL, AGAIN = 8, 20, 20


def branch_values(
    versions: Versions, recorded: Recorded, split: bool, store: Container[str], recompute: Container[str]
) -> dict[Version, Scope]:
    """Return the values to keep, each with the body that declares its variable.

    Those named in `store` are kept whatever they cost, those in `recompute` never.
    """
    found: dict[Version, Scope] = {}
    for branch, done in recorded.slices.items():
        around = [s for s in _around(branch) if not (split and not s.looped)]
        made: list[tuple[int, Version]] = []
        homes: dict[Version, Scope] = {}
        for stmt in done:
            running = [s for s in around if stmt in recorded.slices.get(s, {})]
            if not running or stmt not in versions.position or versions.scope_of[stmt] is not branch:
                continue
            for version in versions.makes.get(stmt, {}).values():
                sym = version.sym
                if not is_real(sym.type) or sym.name in recompute or not _lasts(version, branch, versions):
                    continue
                declared = versions.declared.get(sym)
                if declared is branch:
                    homes[version] = running[-1]
                    made.append((_cost(stmt), version))
                elif declared in running:
                    found[version] = declared
        left = IN_REGISTERS
        for together, cost in sorted(_grouped(made), key=lambda group: -group[1]):
            size = sum(scalar_type(v.sym).size for v in together)
            asked = any(v.sym.name in store for v in together)
            if asked or (cost >= WORTH and size <= left):
                left -= 0 if asked else size
                found |= {v: homes[v] for v in together}
    return found


def _lasts(version: Version, branch: Scope, versions: Versions) -> bool:
    """Whether a variable holds a value until the branch is reversed: nothing sets it later.

    A store on the other side of a condition isn't later: only one of the two runs.
    """
    stmt = version.stmt
    assert stmt is not None
    sides = {s.owner: s for s in branch.outwards() if s.role in ("then", "else")}
    for writer in versions.writers[version.sym]:
        if versions.order[writer] <= versions.last[stmt]:
            continue
        scope = versions.scope_of[writer]
        excluded = any(sides.get(s.owner, s) is not s for s in scope.outwards() if s.owner is not None)
        if not excluded:
            return False
    return True


def _grouped(made: list[tuple[int, Version]]) -> Iterator[tuple[list[Version], int]]:
    """Yield values that are kept together or not at all: the fields of a struct."""
    structs: dict[Sym, list[tuple[int, Version]]] = {}
    for cost, version in made:
        structs.setdefault(version.sym.within or version.sym, []).append((cost, version))
    for group in structs.values():
        yield [version for _, version in group], max(cost for cost, _ in group)


def exact(cond: Expr) -> bool:
    """Whether a condition has the same value wherever it is evaluated: it rounds nothing."""
    return not any(is_real(e.type) and isinstance(e, Binary | Call) for e in walk(cond))


def _around(branch: Scope) -> Iterator[Scope]:
    """Yield the bodies around a branch, innermost first, as far as both sweeps take the same way to it."""
    scope = branch
    while scope.role in ("then", "else") and scope.parent is not None:
        owner = scope.owner
        assert isinstance(owner, If)
        if ends(owner.then) or ends(owner.other):
            return
        scope = scope.parent
        yield scope
        if not exact(owner.cond):
            return  # its outcome has a name only in its own body


def _cost(stmt: Stmt) -> int:
    """The cost of running a statement again, in additions."""
    if isinstance(stmt, If | Loop):
        return AGAIN
    cost = 0
    for expr in operands(stmt):
        for e in walk(expr):
            match e:
                case Call():
                    cost += CALL
                case Binary("/") if is_real(e.type):
                    cost += DIVISION
                case Binary() if is_real(e.type):
                    cost += 1
                case _:
                    pass
    return cost
