"""Variables for a branch's values that its reversed branch reads, declared in the body around it."""

from __future__ import annotations

from dataclasses import replace

from ...analysis.ssa import Scope, Version, Versions
from ...analysis.tbr.recorded import Recorded
from ...ir import BOOL, If, Stmt, Sym
from ..plan.branch_values import exact
from .frames import Frame


def outcomes(versions: Versions, recorded: Recorded) -> dict[Stmt, Sym]:
    """Name the outcomes of conditions that both sweeps must decide alike: they guard values that are kept."""
    found: dict[Stmt, Sym] = {}
    for version, home in recorded.held_over.items():
        for scope in versions.scopes_between(home, version.scope):
            owner = scope.owner
            if isinstance(owner, If) and not exact(owner.cond) and owner not in found:
                found[owner] = Sym("taken", BOOL, const=True)
    return found


def declared(versions: Versions, recorded: Recorded, frame: Frame) -> dict[Stmt, list[Sym]]:
    """Make the variables of a body that hold values of branches, by the statement that contains the branch.

    In `frame` they replace those of the branch. Variables that the body itself declares are there already.
    """
    found: dict[Stmt, list[Sym]] = {}
    wholes: dict[Sym, Sym] = {}
    here = [v for v, home in recorded.held_over.items() if home is frame.scope and v.stmt is not None]
    for version in sorted(here, key=lambda v: versions.order[v.stmt]):  # type: ignore[index]
        if version.sym not in frame.rename and versions.declared.get(version.sym) is not frame.scope:
            sym = frame.rename[version.sym] = _held(version, wholes)
            assert version.stmt is not None
            found.setdefault(versions.ancestor_in(frame.scope, version.stmt), []).append(sym)
    return found


def _held(version: Version, wholes: dict[Sym, Sym]) -> Sym:
    """A variable that isn't set where it is declared; fields of one struct stay together."""
    sym = replace(version.sym, const=False)
    if sym.within is None:
        return sym
    return replace(sym, within=wholes.setdefault(sym.within, replace(sym.within, const=False)))


def found_outside(recorded: Recorded, version: Version, scope: Scope) -> bool:
    """Whether a body inside the one that holds a value reads it there."""
    home = recorded.held_over.get(version)
    return home is not None and scope is not home and scope.within(home)
