"""Declare the adjoints of a body's variables where they are first used, with their first contribution."""

from __future__ import annotations

from collections.abc import Mapping

from ...ir import Accumulate, Array, Declare, Expr, Initialiser, Stmt, Sym, Unary
from ..common.algebra import converted, real
from ..common.symbol_uses import symbols


def with_declarations(chunks: list[list[Stmt]], local: Mapping[Sym, Sym]) -> list[Stmt]:
    """Return the chunks in one, with each adjoint that is local to the body declared at its first use."""
    out: list[Stmt] = []
    seen: set[Sym] = set()
    for chunk in chunks:
        names = [s for s in symbols(chunk) if s in local and s not in seen]
        for sym in names:
            seen.add(sym)
            first = next((k for k, s in enumerate(chunk) if sym in symbols([s])), None)
            assert first is not None
            stmt = chunk[first]
            if isinstance(stmt, Accumulate) and stmt.target.sym is sym and not stmt.target.index:
                amount = stmt.amount
                if sym not in amount.symbols:
                    if stmt.negative:
                        amount = Unary("-", amount, amount.type)
                    chunk[first] = Declare(sym, converted(amount, sym.type), told=stmt.sites)
                    continue
            zero: Expr | Initialiser
            zero = Initialiser(()) if isinstance(sym.type, Array) else real(0.0, sym.type)
            chunk.insert(0, Declare(sym, zero))
        out += chunk
    return out
