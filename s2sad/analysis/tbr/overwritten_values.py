"""Decide how a required value survives when its slice overwrites the variable: copied or rewritten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from ...ir import Binary, Cast, Const, Declare, Expr, Place, Scalar, Select, Special, Sym, Unary, walk
from ..ssa import Version, Versions, targets
from .recorded import Recorded


def copy_overwritten(versions: Versions, recorded: Recorded) -> None:
    """Copy each value whose variable its slice overwrites, or give an expression that recomputes it."""
    changed = {target.sym for stmt in versions.order for target in targets(stmt)}
    times = Counter(target.sym for stmt in versions.order for target in targets(stmt))
    for scope, demanded in recorded.demanded.items():
        done = recorded.slices.get(scope, {})
        writers: dict[Sym, int] = {}
        for stmt in done:
            for target in targets(stmt):
                if not target.index:
                    order = versions.order[stmt]
                    writers[target.sym] = max(writers.get(target.sym, -1), order)
        for version in demanded:
            if version.kind == "entry":
                if version.scope is scope and scope.parent is None and version.sym in writers:
                    recorded.copies[version] = None
                continue
            assert version.stmt is not None
            if writers.get(version.sym, -1) <= versions.last[version.stmt]:
                continue
            once = _kept(version, times) if version.stmt in done else frozenset[Sym]()
            expr = _from_launch(version, changed - once)
            if expr is None:
                recorded.copies[version] = None
            else:
                recorded.rewritten[version] = expr


def _kept(version: Version, times: Counter[Sym]) -> frozenset[Sym]:
    """The variables that a value is computed from and that are set once: they still have their values."""
    match version.stmt:
        case Declare(_, value) if isinstance(value, Expr):
            return frozenset(sym for sym in value.symbols if sym.storage == "local" and times[sym] == 1)
        case _:
            return frozenset()


def _from_launch(version: Version, changed: Container[Sym]) -> Expr | None:
    """Return the short expression of an integer made from constants, the launch and unchanged variables.

    for (int h = blockDim.x / 2; h > 0; h /= 2)      blockDim.x / 2, wherever it is needed

    `changed` variables have other values later.
    """
    match version.stmt:
        case Declare(Sym(type=Scalar(is_float=False)) as sym, value) if version.kind == "def":
            pass
        case _:
            return None
    if not isinstance(value, Expr):
        return None
    for part in walk(value):
        match part:
            case Const() | Special() | Unary() | Binary() | Cast() | Select():
                pass
            case Place(read, ()) if read not in changed and read.storage in ("parameter", "local"):
                pass
            case _:
                return None
    while isinstance(value, Cast) and value.implicit:
        value = value.arg
    if sum(isinstance(part, Binary | Unary | Select) for part in walk(value)) > 1:
        return None  # a reader would look for its name
    return value if value.type == sym.type else Cast(value, sym.type)
