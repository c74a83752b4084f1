"""Declare the local arrays that snapshots restore and that the forward sweep doesn't declare."""

from __future__ import annotations

from collections.abc import Iterable

from ...ir import Declare, Stmt, Sym, statements
from ..common.symbol_uses import begun, symbols


def with_restored(body: list[Stmt], arrays: Iterable[Sym]) -> list[Stmt]:
    """The body with local arrays declared that snapshots restore and the body doesn't declare."""
    known = {begun(stmt) for stmt in statements(tuple(body))}
    missing = [s for s in dict.fromkeys(arrays) if s.storage == "local" and s not in known]
    return [*(Declare(sym) for sym in missing if sym in symbols(body)), *body]
