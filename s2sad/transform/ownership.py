"""How adjoints in global memory are added up: the access analysis, asked for this kernel."""

from __future__ import annotations

from ..analysis.versions import loads, operands, targets
from ..ir import Assign, Function, How, Place, Pointer, Stmt, Sym, statements
from ..options import Options
from .adjoint import Facts


def touched(function: Function) -> tuple[frozenset[Sym], frozenset[Sym]]:
    """The arrays and parameters that a kernel reads, and those that it writes."""
    read: set[Sym] = set()
    written: set[Sym] = set()
    for stmt in statements(function.body):
        for target in targets(stmt):
            written.add(target.sym)
        for expr in operands(stmt):
            for place in loads(expr):
                read.add(place.sym)
    return frozenset(read), frozenset(written)


class Ownership:
    def __init__(self, kernel: Function, body: Function, options: Options) -> None:
        self.kernel = kernel

    def stored_once(self, sym: Sym) -> bool:
        stores = [s for s in statements(self.kernel.body) if isinstance(s, Assign) and s.target.sym is sym]
        return len(stores) == 1

    def judge(self, facts: Facts) -> None:
        pass

    def how(self, stmt: Stmt, place: Place) -> tuple[How, str]:
        if isinstance(place.sym.type, Pointer):
            return "atomic", "not judged"
        return "local", ""
